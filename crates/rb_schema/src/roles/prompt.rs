//! System prompts: versioned text.

use thiserror::Error;

/// The most bytes of a prompt.
const MAX_BYTES: usize = 64 * 1024;
/// What the first line of a versioned prompt begins with.
const MARK: &str = "# refactor-bot prompt: ";

/// A role's system prompt. The first line, `# refactor-bot prompt: ROLE, version N`, belongs to what is sent, so that a
/// recording tells which prompt it was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    version: PromptVersion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PromptVersion {
    /// As its first line says.
    Numbered(u32),
    /// A user's own, without such a line.
    Unnumbered,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PromptError {
    #[error("the prompt for the {role} is empty")]
    Empty { role: &'static str },
    #[error("the prompt for the {role} has {bytes} bytes; at most {MAX_BYTES} are taken")]
    TooLarge { role: &'static str, bytes: usize },
    /// Two files that were mixed up, or a number that is none.
    #[error(
        "the prompt for the {role} begins with {line:?}; that must be \"{MARK}{role}, version NUMBER\""
    )]
    Header { role: &'static str, line: String },
}

impl Prompt {
    pub(super) fn read(role: &'static str, text: &str) -> Result<Self, PromptError> {
        if text.trim().is_empty() {
            return Err(PromptError::Empty { role });
        }
        if text.len() > MAX_BYTES {
            return Err(PromptError::TooLarge { role, bytes: text.len() });
        }
        let line = text.lines().next().unwrap_or_default().trim_end();
        let version = match line.strip_prefix(MARK) {
            None => PromptVersion::Unnumbered,
            Some(rest) => {
                let number = rest.strip_prefix(role).and_then(|it| it.strip_prefix(", version "));
                let number = number.and_then(|number| number.parse().ok());
                let line = || line.to_owned();
                PromptVersion::Numbered(
                    number.ok_or_else(|| PromptError::Header { role, line: line() })?,
                )
            }
        };
        Ok(Prompt { text: text.to_owned(), version })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn version(&self) -> PromptVersion {
        self.version
    }
}

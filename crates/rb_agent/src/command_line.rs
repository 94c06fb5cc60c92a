//! A command line with placeholders, split as a shell splits it and run without one.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use crate::agent::UnknownAgent;

const PROMPT_FILE: &str = "{prompt_file}";
const FOLDER: &str = "{folder}";

/// A program with its arguments. At least one of them holds `{prompt_file}`; `{folder}` is the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

impl CommandLine {
    pub(crate) fn parse(text: &str) -> Result<Self, UnknownAgent> {
        let words = split(text).ok_or_else(|| UnknownAgent::OpenQuote(text.to_owned()))?;
        let has_program = words.first().is_some_and(|word| !word.is_empty());
        if !has_program || !words.iter().skip(1).any(|word| word.contains(PROMPT_FILE)) {
            return Err(UnknownAgent::NoSuchAgent(text.to_owned()));
        }
        Ok(CommandLine { text: text.to_owned(), words })
    }

    /// A name on `PATH`, or a path.
    pub(crate) fn program(&self) -> &str {
        &self.words[0]
    }

    pub(crate) fn args(&self, prompt_file: &Path, folder: &Path) -> Vec<OsString> {
        let places = [(PROMPT_FILE, prompt_file), (FOLDER, folder)];
        self.words[1..].iter().map(|word| filled(word, &places)).collect()
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The word with every placeholder replaced by its path, which need not be UTF-8.
pub(crate) fn filled(word: &str, places: &[(&str, &Path)]) -> OsString {
    let mut bytes = Vec::new();
    let mut rest = word;
    while let Some(next) = rest.chars().next() {
        match places.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, path)) => {
                bytes.extend_from_slice(path.as_os_str().as_bytes());
                rest = &rest[name.len()..];
            }
            None => {
                bytes.extend_from_slice(&rest.as_bytes()[..next.len_utf8()]);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    OsString::from_vec(bytes)
}

/// Words between blanks; `'…'`, `"…"` and `\` quote as in a shell. Nothing where a quote is not closed.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(next) = chars.next() {
        if next.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match next {
            '\'' => loop {
                match chars.next()? {
                    '\'' => break,
                    inside => word.push(inside),
                }
            },
            '"' => loop {
                match chars.next()? {
                    '"' => break,
                    '\\' => match chars.next()? {
                        escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                        other => word.extend(['\\', other]),
                    },
                    inside => word.push(inside),
                }
            },
            '\\' => word.push(chars.next()?),
            plain => word.push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_a_command_is_split_as_a_shell_does() {
        let check = |text: &str, wanted: Option<&[&str]>| {
            let wanted = wanted.map(|words| words.iter().map(ToString::to_string).collect());
            assert_eq!(split(text), wanted, "{text}");
        };
        check("  a  b\tc ", Some(&["a", "b", "c"]));
        check(r#"a 'b c' "d 'e" f\ g """#, Some(&["a", "b c", "d 'e", "f g", ""]));
        check(r#""a\"b\n" 'c\d'"#, Some(&["a\"b\\n", r"c\d"]));
        check("a 'b", None);
        check(r#"a "b"#, None);
        check("a \\", None);
    }

    #[test]
    fn ag1_placeholders_become_paths_in_one_word_each() {
        let line = CommandLine::parse("a -f={prompt_file} {folder}/{folder} {other}").unwrap();
        let args = line.args(Path::new("/a b/p"), Path::new("/{prompt_file}"));
        assert_eq!(args, ["-f=/a b/p", "/{prompt_file}//{prompt_file}", "{other}"]);
    }

    #[test]
    fn ag1_a_command_without_the_prompt_is_refused() {
        for text in ["", "aider", "{prompt_file}", "'' {prompt_file}", "aider {folder}"] {
            assert_eq!(
                CommandLine::parse(text),
                Err(UnknownAgent::NoSuchAgent(text.to_owned())),
                "{text}"
            );
        }
    }
}

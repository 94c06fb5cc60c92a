//! Which tokenizer a model has, told by its name.
//!
//! The factors are over `o200k` and on the high side: before anything is known, a cap is better held too early.

/// Models that cut text alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Those that `o200k` was made for.
    OpenAi,
    /// Up to 4.6: a fifth more for prose and nearly a third more for code.
    EarlierClaude,
    /// From 4.7 on; by the provider's word about three tenths over the earlier ones.
    Claude,
    /// Everybody else. Those who publish their vocabulary take between 0.96 and 1.23 for code, most of them 1.
    Other,
}

impl Family {
    /// By any name that a provider has for the model, with the maker before it or without.
    pub fn of(model: &str) -> Self {
        let model = model.to_lowercase();
        let name = model.rsplit('/').next().unwrap_or_default();
        let alias = ["opus", "sonnet", "haiku"].iter().any(|alias| name.starts_with(alias));
        if name.contains("claude") || alias {
            return if is_earlier(name) { Family::EarlierClaude } else { Family::Claude };
        }
        let newer = ["gpt-4o", "gpt-4.", "gpt-5", "gpt-oss", "o1", "o3", "o4", "codex", "chatgpt"];
        if newer.iter().any(|start| name.starts_with(start)) {
            Family::OpenAi
        } else {
            Family::Other
        }
    }

    /// Thousandths of a token for each one of `o200k`.
    pub fn permille(self) -> u64 {
        match self {
            Family::OpenAi => 1_000,
            Family::EarlierClaude => 1_350,
            Family::Claude => 1_750,
            Family::Other => 1_150,
        }
    }

    /// What the provider tells the model about tools, once a request.
    pub(super) fn for_tools(self) -> u64 {
        match self {
            Family::EarlierClaude | Family::Claude => 350,
            Family::OpenAi | Family::Other => 0,
        }
    }
}

/// `claude-3-…`, `…-4-6`, `…-4.5-…`, `…-4-20250514`: a date is no minor version.
fn is_earlier(name: &str) -> bool {
    let numbers: Vec<u64> = name
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty() && digits.len() < 3)
        .filter_map(|digits| digits.parse().ok())
        .collect();
    match numbers[..] {
        [] => name.contains("instant"),
        [major] => major <= 4,
        [major, minor, ..] => (major, minor) < (4, 7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo7_families_are_told_by_the_name() {
        let check = |family: Family, names: &[&str]| {
            for name in names {
                assert_eq!(Family::of(name), family, "{name}");
            }
        };
        check(Family::OpenAi, &["gpt-4o-2024-08-06", "openai/gpt-5.1", "o3-mini", "GPT-4.1"]);
        check(
            Family::EarlierClaude,
            &[
                "claude-3-5-sonnet-20241022",
                "claude-sonnet-4-20250514",
                "claude-opus-4-6",
                "anthropic/claude-haiku-4.5",
                "us.anthropic.claude-3-haiku-20240307-v1:0",
                "claude-instant",
            ],
        );
        check(
            Family::Claude,
            &["claude-opus-4-7", "claude-sonnet-5", "opus", "sonnet", "claude-opus-4.10"],
        );
        check(Family::Other, &["deepseek-chat", "llama3.1:8b", "gpt-4", "mistral-large", ""]);
    }
}

//! Values as they are written in a request: `log=True`, `true`, `3`, "off".

use super::super::clause::Clause;
use super::super::dialect::is_source_name;
use super::super::token::{Kind, Token};
use super::super::vocabulary;

/// Behind these words, a value stands.
const VALUE_PLACES: &[&str] =
    &["to", "as", "of", "value", "default", "be", "with", "pass", "is", "explicitly", "passing"];
/// Behind these, a text is a value as well.
const TEXT_PLACES: &[&str] = &["to", "value", "of", "default", "pass", "passing"];

/// Values with their places.
pub(super) fn literals(
    tokens: &[&Token],
    name: Option<&str>,
    group: &[Clause],
) -> Vec<(usize, String)> {
    let literal = |at: usize| literal(tokens, at, name).map(|value| (at, value));
    let found: Vec<(usize, String)> = (0..tokens.len()).filter_map(literal).collect();
    if found.is_empty() { switched(tokens, group).into_iter().collect() } else { found }
}

fn literal(tokens: &[&Token], at: usize, name: Option<&str>) -> Option<String> {
    let token = tokens[at];
    let text = token.text.as_str();
    let is_value_place = VALUE_PLACES.contains(&before(tokens, at));
    match &token.kind {
        Kind::Assignment { value } if name.is_none_or(|name| name == text) => {
            Some(constant(value).unwrap_or(value).to_owned())
        }
        Kind::Word | Kind::Code | Kind::Text if constant(text).is_some() => {
            constant(text).map(str::to_owned)
        }
        Kind::Word => (is_value_place && is_number(text)).then(|| text.to_owned()),
        Kind::Code | Kind::Text => match token.quote {
            Some('`') => is_source(text).then(|| text.to_owned()),
            Some(_) if is_number(text) => is_value_place.then(|| text.to_owned()),
            Some(_) => is_text(tokens, at, name).then(|| format!("\"{text}\"")),
            None => None,
        },
        Kind::Assignment { .. } | Kind::Comma | Kind::Stop | Kind::Arrow => None,
    }
}

fn before<'t>(tokens: &[&'t Token], at: usize) -> &'t str {
    at.checked_sub(1).map_or("", |before| tokens[before].word.as_str())
}

/// Python that cannot be a name.
fn is_source(text: &str) -> bool {
    is_number(text) || text.starts_with(['"', '\'', '[', '{', '(', '-'])
}

/// A quoted text that is passed or is the default, not the name of something.
fn is_text(tokens: &[&Token], at: usize, name: Option<&str>) -> bool {
    let text = tokens[at].text.as_str();
    let words = ["default", "defaults", "defaulting", "value", "pass", "passing", "set"];
    let is_of_value = has(&tokens[at.saturating_sub(5)..at], &words);
    let is_name = is_source_name(text) || text.contains('_') || vocabulary::TYPES.contains(&text);
    is_of_value && !is_name && name != Some(text) && TEXT_PLACES.contains(&before(tokens, at))
}

/// "disable logging in all references", "defaulting to off".
fn switched(tokens: &[&Token], group: &[Clause]) -> Option<(usize, String)> {
    let places = ["to", "as", "be", "it", "default", "logging", "is", "turned", "turn"];
    let value = |at: usize| match tokens[at].word.as_str() {
        "enable" | "enabled" | "enabling" => Some("True"),
        "disable" | "disabled" | "disabling" => Some("False"),
        "on" if places.contains(&before(tokens, at)) => Some("True"),
        "off" if places.contains(&before(tokens, at)) => Some("False"),
        _ => None,
    };
    let explains =
        |clause: &Clause| clause.is(&["control", "turn", "enable"]) && clause.is_linked();
    let found = (0..tokens.len()).find_map(|at| value(at).map(|value| (at, value.to_owned())));
    found.filter(|_| !group.iter().any(explains))
}

pub(super) fn has(context: &[&Token], words: &[&str]) -> bool {
    context.iter().any(|token| words.contains(&token.word.as_str()))
}

pub(in crate::directive) fn is_literal(text: &str) -> bool {
    constant(text).is_some() || is_number(text)
}

fn constant(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some("True"),
        "false" => Some("False"),
        "none" | "null" => Some("None"),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    text.trim_start_matches('-').parse::<f64>().is_ok()
        && text.contains(|c: char| c.is_ascii_digit())
}

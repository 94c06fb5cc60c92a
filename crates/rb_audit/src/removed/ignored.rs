//! Calls whose loss says nothing: logging, loading, loops in another form, and lists that are filled on the spot.

use rb_lang::effects::Effect;

use crate::words;

const LOGS: &[&str] = &["console", "log", "logger", "logging", "slog", "tracing"];

const PRINTS: &[&str] = &["print", "println", "printf", "eprint", "eprintln", "dbg", "pprint"];

const LEVELS: &[&str] = &["trace!", "debug!", "info!", "warn!", "error!"];

/// What loads a module or builds a base class follows the form of the code around it.
const FORMS: &[&str] = &["require", "super", "__init__"];

/// What is done with each element is judged by itself.
const LOOPS: &[&str] = &["forEach", "for_each", "each", "map"];

/// How a variable begins that holds nothing from outside.
const FRESH: &[&str] = &[
    "[",
    "{",
    "list(",
    "dict(",
    "set(",
    "deque(",
    "defaultdict(",
    "make(",
    "map[",
    "new Array",
    "new FormData",
    "new HashMap",
    "new HashSet",
    "new Headers",
    "new LinkedList",
    "new Map",
    "new Set",
    "new StringBuilder",
    "new URLSearchParams",
    "new WeakMap",
    "vec!",
    "BTreeMap::",
    "BTreeSet::",
    "HashMap::",
    "HashSet::",
    "String::",
    "Vec::",
    "VecDeque::",
];

/// `text` is what the call stood in.
pub(super) fn is_ignored(effect: &Effect, text: &str) -> bool {
    let Effect { name, receiver, .. } = effect;
    let is_named = |names: &[&str]| names.contains(&&**name);
    is_named(LOOPS) || is_named(FORMS) || is_logging(effect) || is_fresh(text, receiver)
}

fn is_logging(effect: &Effect) -> bool {
    let is_log = |part: &str| LOGS.contains(&part.to_ascii_lowercase().as_str());
    let mut parts = effect.receiver.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.any(is_log)
        || PRINTS.contains(&effect.name.to_ascii_lowercase().as_str())
        || LEVELS.iter().any(|level| effect.text.starts_with(level))
}

/// Is it a variable that begins as an empty or written-out collection?
fn is_fresh(text: &str, receiver: &str) -> bool {
    let begins = |at: usize| {
        let rest = text[at + receiver.len()..].lines().next().unwrap_or_default();
        let Some((head, value)) = rest.split_once('=') else { return false };
        let head = head.trim();
        let value = value.trim_start();
        (head.is_empty() || head.starts_with(':')) && FRESH.iter().any(|it| value.starts_with(it))
    };
    let is_name = receiver.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    is_name && words::places(text, receiver).any(begins)
}

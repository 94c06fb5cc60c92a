//! The `exports` of a package: from a subpath and the conditions of the importing side to a file of the package.
//!
//! By the rules of Node: conditions in the order of the package, the longest pattern first, `null` to forbid. A target
//! that leads out of the package is refused.

use super::super::json::Json;
use super::package::Condition;

/// Maps nest two or three deep.
const MAX_DEPTH: u32 = 16;
/// Targets have one star or two, and no file has a longer path.
const MAX_STARS: usize = 4;
const MAX_PATH: usize = 4096;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// From the folder of the package: `./dist/a.js`.
    Path(String),
    /// The package forbids it, or it leads out of the package.
    Refused,
    Missing,
}

pub(super) fn find(exports: &Json, subpath: &str, conditions: &[Condition]) -> Target {
    let has_subpaths = exports.entries().iter().any(|(key, _)| key.starts_with('.'));
    if !has_subpaths {
        return if subpath.is_empty() {
            target(exports, "", conditions, 0)
        } else {
            Target::Missing
        };
    }
    let wanted = if subpath.is_empty() { ".".to_owned() } else { format!("./{subpath}") };
    if !wanted.contains('*')
        && !wanted.ends_with('/')
        && let Some(value) = exports.get(&wanted)
    {
        return target(value, "", conditions, 0);
    }
    let fitting = exports.entries().iter().filter_map(|(key, value)| {
        let star = star(key, &wanted)?;
        let prefix = key.find('*').unwrap_or(key.len());
        Some(((prefix, key.len()), star, value))
    });
    match fitting.max_by_key(|(rank, _, _)| *rank) {
        Some((_, star, value)) => target(value, star, conditions, 0),
        None => Target::Missing,
    }
}

/// What the star of a pattern stands for. A key that ends in a slash is the old way to write a pattern.
fn star<'a>(key: &str, wanted: &'a str) -> Option<&'a str> {
    let (prefix, suffix) = match key.split_once('*') {
        Some(parts) => parts,
        None if key.ends_with('/') => (key, ""),
        None => return None,
    };
    let star = wanted.strip_prefix(prefix)?.strip_suffix(suffix)?;
    (!star.is_empty() && !suffix.contains('*')).then_some(star)
}

fn target(value: &Json, star: &str, conditions: &[Condition], depth: u32) -> Target {
    if depth > MAX_DEPTH {
        return Target::Refused;
    }
    match value {
        Json::Text(text) => place(text, star),
        Json::List(items) => {
            let mut targets = items.iter().map(|item| target(item, star, conditions, depth + 1));
            targets.find(|found| matches!(found, Target::Path(_))).unwrap_or(Target::Refused)
        }
        Json::Object(entries) => {
            let holds = |key: &str| {
                key == "default" || conditions.iter().any(|condition| condition.name() == key)
            };
            let fitting = entries.iter().filter(|(key, _)| holds(key));
            let mut targets = fitting.map(|(_, value)| target(value, star, conditions, depth + 1));
            targets.find(|found| *found != Target::Missing).unwrap_or(Target::Missing)
        }
        Json::Null | Json::Bool(_) | Json::Number => Target::Refused,
    }
}

fn place(text: &str, star: &str) -> Target {
    let Some(inner) = text.strip_prefix("./") else { return Target::Refused };
    if inner.matches('*').count() > MAX_STARS || inner.len() + star.len() > MAX_PATH {
        return Target::Refused;
    }
    let path = match inner.contains('*') {
        true => inner.replace('*', star),
        false if inner.ends_with('/') => format!("{inner}{star}"),
        false => inner.to_owned(),
    };
    let is_inside =
        |part: &str| !matches!(part, "" | "." | ".." | "node_modules") && !part.contains('\\');
    if path.split('/').all(is_inside) { Target::Path(format!("./{path}")) } else { Target::Refused }
}

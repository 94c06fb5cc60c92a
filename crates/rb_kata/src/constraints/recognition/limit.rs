//! Numbers in a clause that are limits: "at most two levels", "no longer than ten lines".

use super::phrase::Clause;
use crate::constraint::ConstraintKind;

/// Larger numbers limit nothing.
const MAX_LIMIT: u32 = 10_000;

const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Words that make a plain number a limit.
const LIMITS: &[&str] = &[
    "only", "most", "max", "maximum", "maximal", "up", "limit", "limited", "less", "fewer",
    "shorter", "per", "single", "exactly",
];

const FUNCTIONS: &[&str] =
    &["method", "methods", "function", "functions", "procedures", "body", "bodies"];
const CLASSES: &[&str] = &[
    "class", "classes", "object", "objects", "struct", "structs", "entity", "entities", "type",
    "types",
];

/// Levels of indentation.
pub(super) fn depth_limit(clause: &Clause) -> Option<u32> {
    const NESTS: &[&str] =
        &["indentation", "indentations", "indent", "indents", "nesting", "nested"];
    if !clause.has(NESTS) || clause.has(&["print", "output", "prints", "display"]) {
        return None;
    }
    let by_level = ["level", "levels"].iter().find_map(|word| limit_before(clause, word, 1));
    // "Maximum nesting depth of 3".
    let by_depth = || {
        let at = clause.words().iter().position(|word| NESTS.contains(&word.as_str()))?;
        (at + 1..at + 4).find_map(|number| limit_at(clause, number))
    };
    let none = clause.forbids(&["nesting", "nested"]).then_some(1);
    by_level.or_else(by_depth).or(none)
}

/// Lines of functions and of classes.
pub(super) fn length_limits(clause: &Clause) -> Vec<ConstraintKind> {
    let mut kinds = Vec::new();
    for (at, word) in clause.words().iter().enumerate().skip(1) {
        if word != "line" && word != "lines" {
            continue;
        }
        let (limit, subject) = (limit_at(clause, at - 1), subject(clause, at));
        let (Some(limit), Some(subject)) = (limit, subject) else { continue };
        kinds.push(if FUNCTIONS.contains(&subject) {
            ConstraintKind::FunctionLength(limit)
        } else {
            ConstraintKind::ClassLength(limit)
        });
    }
    kinds
}

/// What the lines at this place are those of: "lines per method", or else what was named last, or else next.
fn subject(clause: &Clause, at: usize) -> Option<&str> {
    let is_noun = |word: &&str| FUNCTIONS.contains(word) || CLASSES.contains(word);
    let after = || clause.words().iter().skip(at + 1).map(String::as_str);
    let owner = after()
        .take(5)
        .take_while(|word| !["and", ","].contains(word))
        .skip_while(|word| !["per", "in", "each", "every"].contains(word))
        .find(is_noun);
    let before = || clause.words().iter().take(at).rev().map(String::as_str).find(is_noun);
    owner.or_else(before).or_else(|| after().find(is_noun))
}

/// Fields of a class.
pub(super) fn field_limit(clause: &Clause) -> Option<u32> {
    let is_clear =
        clause.find(&["instance", "variables"]).or(clause.find(&["instance", "variable"]));
    let words: &[&str] = match is_clear {
        Some(_) => &["instance"],
        // Boards and forms have fields, too.
        None if clause.has(CLASSES) => &["field", "fields", "attribute", "attributes"],
        None => &[],
    };
    words.iter().find_map(|word| limit_before(clause, word, 1))
}

/// Parameters of a function.
pub(super) fn parameter_limit(clause: &Clause) -> Option<u32> {
    // What the program is given is another matter.
    if clause.has(&["program", "command", "cli", "script", "application", "tool"]) {
        return None;
    }
    ["argument", "arguments", "parameter", "parameters", "params", "args"]
        .iter()
        .find_map(|word| limit_before(clause, word, 2))
}

/// The limit that stands at most so many words before this one.
fn limit_before(clause: &Clause, word: &str, distance: usize) -> Option<u32> {
    let at = clause.find(&[word])?;
    (1..=distance).find_map(|back| limit_at(clause, at.checked_sub(back)?))
}

/// The limit that the number at this place states.
fn limit_at(clause: &Clause, at: usize) -> Option<u32> {
    let number = number(clause.word(at)?)?;
    let before =
        |back: usize| at.checked_sub(back).and_then(|at| clause.word(at)).unwrap_or_default();
    let upper = || clause.bans_before(at).then_some(number);
    if before(1) == "least" {
        return None;
    }
    match (before(2), before(1)) {
        ("fewer" | "less" | "smaller" | "shorter", "than") => {
            // "No fewer than" is no upper limit.
            let is_lower = ["no", "not"].contains(&before(3));
            if is_lower { None } else { number.checked_sub(1) }
        }
        (_, "under" | "below") => number.checked_sub(1),
        (_, "than" | "over" | "above" | "exceed" | "exceeds" | "exceeding" | "beyond") => upper(),
        _ if clause.has(LIMITS) => Some(number),
        _ => None,
    }
}

fn number(word: &str) -> Option<u32> {
    if word == "single" {
        return Some(1);
    }
    let named = NUMBERS.iter().position(|name| *name == word);
    let value = match named {
        Some(value) => u32::try_from(value).ok()?,
        None => word.parse().ok()?,
    };
    (value <= MAX_LIMIT).then_some(value)
}

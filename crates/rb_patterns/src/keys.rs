//! The keys of a rule file. ast-grep passes over some that it does not know, and a rule with a misspelt key then
//! quietly means something else; here each one is an error with the nearest word.
//!
//! Only names are looked at. Whether values fit is for the readers of them.

use crate::error::Problem;
use crate::yaml::{Item, Value};

/// What may stand in a place.
enum Form {
    /// Anything.
    Open,
    /// These keys; a list stands for each of its items.
    Keys(&'static str, Else, &'static [(&'static str, &'static Form)]),
    /// Keys that the author chose.
    Each(&'static Form),
}

/// What else may stand where keys do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Else {
    Nothing,
    Text,
    Any,
}

static OPEN: Form = Form::Open;

static TOP: Form = Form::Keys(
    "of a rule",
    Else::Nothing,
    &[
        ("id", &OPEN),
        ("language", &OPEN),
        ("message", &OPEN),
        ("severity", &OPEN),
        ("rule", &RULE),
        ("fix", &FIX),
        ("constraints", &RULES),
        ("utils", &RULES),
        ("transform", &TRANSFORMS),
        ("rewriters", &REWRITER),
        ("files", &GLOB),
        ("ignores", &GLOB),
        ("note", &OPEN),
        ("url", &OPEN),
        ("labels", &LABELS),
        ("metadata", &OPEN),
        ("tests", &TESTS),
    ],
);

static RULES: Form = Form::Each(&RULE);

static MATCHER: [(&str, &Form); 13] = [
    ("pattern", &PATTERN),
    ("kind", &OPEN),
    ("regex", &OPEN),
    ("nthChild", &NTH_CHILD),
    ("range", &RANGE),
    ("inside", &RELATION),
    ("has", &RELATION),
    ("precedes", &RELATION),
    ("follows", &RELATION),
    ("all", &RULE),
    ("any", &RULE),
    ("not", &RULE),
    ("matches", &OPEN),
];

static RULE: Form = Form::Keys("of a matcher", Else::Nothing, &MATCHER);

static STOP_BY: Form = Form::Keys("of a matcher", Else::Text, &MATCHER);

static RELATION: Form = Form::Keys(
    "of a matcher that looks around",
    Else::Nothing,
    &[
        ("pattern", &PATTERN),
        ("kind", &OPEN),
        ("regex", &OPEN),
        ("nthChild", &NTH_CHILD),
        ("range", &RANGE),
        ("inside", &RELATION),
        ("has", &RELATION),
        ("precedes", &RELATION),
        ("follows", &RELATION),
        ("all", &RULE),
        ("any", &RULE),
        ("not", &RULE),
        ("matches", &OPEN),
        ("stopBy", &STOP_BY),
        ("field", &OPEN),
    ],
);

static PATTERN: Form = Form::Keys(
    "of a pattern",
    Else::Text,
    &[("context", &OPEN), ("selector", &OPEN), ("strictness", &OPEN)],
);

static NTH_CHILD: Form = Form::Keys(
    "of `nthChild`",
    Else::Any,
    &[("position", &OPEN), ("ofRule", &RULE), ("reverse", &OPEN)],
);

static RANGE: Form = Form::Keys("of `range`", Else::Nothing, &[("start", &PLACE), ("end", &PLACE)]);

static PLACE: Form = Form::Keys("of a place", Else::Nothing, &[("line", &OPEN), ("column", &OPEN)]);

static FIX: Form = Form::Keys(
    "of `fix`",
    Else::Text,
    &[("template", &OPEN), ("expandStart", &RELATION), ("expandEnd", &RELATION), ("title", &OPEN)],
);

static TRANSFORMS: Form = Form::Each(&TRANSFORM);

static TRANSFORM: Form = Form::Keys(
    "of a transformation",
    Else::Text,
    &[
        ("substring", &SUBSTRING),
        ("replace", &REPLACE),
        ("convert", &CONVERT),
        ("rewrite", &REWRITE),
    ],
);

static SUBSTRING: Form = Form::Keys(
    "of `substring`",
    Else::Nothing,
    &[("source", &OPEN), ("startChar", &OPEN), ("endChar", &OPEN)],
);

static REPLACE: Form = Form::Keys(
    "of `replace`",
    Else::Nothing,
    &[("source", &OPEN), ("replace", &OPEN), ("by", &OPEN)],
);

static CONVERT: Form = Form::Keys(
    "of `convert`",
    Else::Nothing,
    &[("source", &OPEN), ("toCase", &OPEN), ("separatedBy", &OPEN)],
);

static REWRITE: Form = Form::Keys(
    "of `rewrite`",
    Else::Nothing,
    &[("source", &OPEN), ("rewriters", &OPEN), ("joinBy", &OPEN)],
);

static REWRITER: Form = Form::Keys(
    "of a rewriter",
    Else::Nothing,
    &[
        ("id", &OPEN),
        ("rule", &RULE),
        ("constraints", &RULES),
        ("utils", &RULES),
        ("transform", &TRANSFORMS),
        ("fix", &FIX),
    ],
);

static GLOB: Form =
    Form::Keys("of a glob", Else::Text, &[("glob", &OPEN), ("caseInsensitive", &OPEN)]);

static LABELS: Form = Form::Each(&LABEL);

static LABEL: Form =
    Form::Keys("of a label", Else::Nothing, &[("style", &OPEN), ("message", &OPEN)]);

static TESTS: Form = Form::Keys("of `tests`", Else::Any, &[("valid", &OPEN), ("invalid", &CASE)]);

static CASE: Form =
    Form::Keys("of an invalid case", Else::Any, &[("code", &OPEN), ("fixed", &OPEN)]);

/// Every key that stands where it means nothing, with its line.
pub(crate) fn unknown(document: &Item) -> Vec<(u32, Problem)> {
    let mut found = Vec::new();
    check(document, &TOP, &mut found);
    found
}

/// Recursion goes as deep as the YAML reader lets a document nest.
fn check(item: &Item, form: &'static Form, found: &mut Vec<(u32, Problem)>) {
    match (&item.value, form) {
        (_, Form::Open) => {}
        (Value::List(items), _) => items.iter().for_each(|item| check(item, form, found)),
        (Value::Map(entries), Form::Each(form)) => {
            for (_, item) in entries {
                check(item, form, found);
            }
        }
        (Value::Map(entries), Form::Keys(place, _, keys)) => {
            for (key, item) in entries {
                match keys.iter().find(|(name, _)| name == key) {
                    Some((_, form)) => check(item, form, found),
                    None => found.push((item.line, unknown_key(key, place, keys))),
                }
            }
        }
        (_, Form::Keys(_, Else::Any, _)) | (Value::Text(_), Form::Keys(_, Else::Text, _)) => {}
        (value, Form::Keys(_, _, keys)) => found.push((item.line, no_keys(value, keys))),
        (value, Form::Each(_)) => found.push((item.line, no_keys(value, &[]))),
    }
}

fn no_keys(value: &Value, keys: &[(&str, &Form)]) -> Problem {
    let what = match value {
        Value::Null => "nothing stands here",
        Value::Text(_) => "plain text stands here",
        Value::Bool(_) | Value::Other | Value::List(_) | Value::Map(_) => {
            "this does not belong here"
        }
    };
    let name = keys.first().map_or("NAME", |(name, _)| name);
    Problem::BadRule(format!("{what}; write `{name}: …` and such below it"))
}

fn unknown_key(key: &str, place: &str, keys: &[(&str, &Form)]) -> Problem {
    let key: String = key.chars().take(80).collect();
    let names = || keys.iter().map(|(name, _)| *name);
    let suggestion = names()
        .map(|name| (strsim::damerau_levenshtein(&key.to_lowercase(), &name.to_lowercase()), name))
        .min()
        .filter(|&(distance, name)| distance * 3 <= name.len().max(3))
        .map(|(_, name)| name.to_owned());
    Problem::UnknownKey {
        key,
        place: place.to_owned(),
        suggestion,
        known: names().collect::<Vec<_>>().join(", "),
    }
}

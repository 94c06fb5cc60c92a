//! New parameters: "a log boolean parameter", "a parameter `limit: int = 10`", "logging".

use super::super::clause::Clause;
use super::super::dialect::is_source_name;
use super::super::phrase::{Item, Link, Phrase};
use super::super::reading::{self, Reading};
use super::super::token::{Token, is_identifier};
use super::super::value::{self, Unplaced};
use super::super::vocabulary::{self, Noun};
use super::function::{function_of, other_functions};
use super::{Draft, What};

/// The phrase that names a new parameter: "a log parameter", "logging".
pub(super) fn introduced(clause: &Clause) -> Option<&Phrase> {
    let others = ["parameters", "arguments", "this", "params", "args", "object"];
    let is_new = |phrase: &&Phrase| {
        phrase.has_noun(Noun::Parameter)
            && !phrase.has_noun(Noun::Class)
            && !phrase.has(vocabulary::REFERENCES)
            && !phrase.has(&others)
    };
    let is_logging = |phrase: &&Phrase| is_about_logging(phrase) && !phrase.has_noun(Noun::File);
    let linked = |link: Link| clause.phrases.iter().filter(move |phrase| phrase.link == link);
    if clause.is(vocabulary::ADD) && !clause.is_passive() {
        return linked(Link::Object).find(is_new).or_else(|| linked(Link::Object).find(is_logging));
    }
    linked(Link::With).find(is_new).filter(|_| clause.is(vocabulary::CHANGE))
}

/// "logging" as a plain word, even where a module has this name.
fn is_about_logging(phrase: &Phrase) -> bool {
    let others = phrase.names.iter().filter(|name| name.text != "logging").count();
    let is_named = phrase.names.iter().any(|name| name.text == "logging" && name.is_plain);
    phrase.has(&["logging"]) && phrase.names.is_empty() || is_named && others == 0
}

/// "import logging", "update a.py by adding an import statement for the logging module".
pub(super) fn imports_logging(group: &[Clause]) -> bool {
    let imports = |clause: &Clause| {
        let adds = clause.is(vocabulary::ADD) && clause.has(&["import"]);
        let names = clause.has(&["logging"]) || clause.names().any(|name| name.text == "logging");
        (clause.verb == "import" || adds) && names
    };
    let mut names = group.iter().flat_map(Clause::names);
    let has_other = names.any(|name| !is_source_name(&name.text) && name.text != "logging");
    group.iter().any(imports) && !has_other
}

/// A new parameter; `from` is the clause that names the function, `at` the one that names the parameter.
pub(super) fn add(reading: &mut Reading<'_>, from: usize, at: usize, phrase: &Phrase) -> usize {
    let clauses: Vec<&Clause> = reading.clauses[from..=at].iter().collect();
    let group = reading.group(from);
    let (function, mut places) = function_of(reading, &clauses, phrase);
    let others = other_functions(reading, &clauses, function.as_ref(), &mut places);
    let declared = declaration(phrase);
    let is_logging = is_about_logging(phrase);
    let mut with = clauses.iter().flat_map(|clause| clause.linked(Link::With));
    let with = with.find(|phrase| phrase.has_noun(Noun::Parameter));
    let name = declared.name.or_else(|| parameter_name(phrase));
    let name = match name.or_else(|| with.and_then(parameter_name)) {
        // A parameter of this name would hide the module.
        None if is_logging => Some("log".to_owned()),
        Some(name) if is_logging && name == "logging" => Some("log".to_owned()),
        name => name,
    };
    let words: Vec<&str> =
        [Some(phrase), with].into_iter().flatten().flat_map(Phrase::words).collect();
    let has = |searched: &[&str]| words.iter().any(|word| searched.contains(word));
    let names_log = name.as_deref().is_some_and(|name| name.contains("log"));
    let mut draft = Draft {
        others,
        places,
        name,
        annotation: declared.annotation.or_else(|| annotation(phrase)),
        default: declared.default,
        is_flag: is_logging || has(&["boolean", "bool", "flag", "switch"]),
        is_optional: has(&["optional"]),
        logs: is_logging || reading.wants_logging || names_log && asks_to_log(group),
        ..Draft::new(What::Add, function, reading.text(&reading.clauses[from]))
    };
    let tokens: Vec<&Token> = group.iter().flat_map(|clause| &clause.tokens).collect();
    value::absorb(&mut draft, group, &tokens, Unplaced::Ignored);
    reading.drafts.push(reading::Draft::Parameter(draft));
    group.len().max(at + 1 - from)
}

/// The parameter is there to log, not only called so.
fn asks_to_log(group: &[Clause]) -> bool {
    let what = ["statements", "statement", "message", "messages"];
    group.iter().any(|clause| clause.has(&["logging"]) || clause.has(&["log"]) && clause.has(&what))
}

/// "an integer parameter"; a boolean one is annotated like the others of its function.
fn annotation(phrase: &Phrase) -> Option<String> {
    let mut types = phrase.words().filter_map(vocabulary::annotation);
    types.find(|annotation| *annotation != "bool").map(str::to_owned)
}

#[derive(Default)]
struct Declaration {
    name: Option<String>,
    annotation: Option<String>,
    default: Option<String>,
}

/// `timeout: float = 3.0`, `log=False`.
fn declaration(phrase: &Phrase) -> Declaration {
    for item in &phrase.items {
        let text = match item {
            Item::Assignment { name, value } => format!("{name}={value}"),
            Item::Text(text) => text.clone(),
            Item::Word { .. } | Item::Name(_) | Item::Separator => continue,
        };
        let (left, default) = match text.split_once('=') {
            Some((left, default)) => (left.trim(), Some(default.trim().to_owned())),
            None => (text.trim(), None),
        };
        let (name, annotation) = match left.split_once(':') {
            Some((name, annotation)) => (name.trim(), Some(annotation.trim().to_owned())),
            None => (left, None),
        };
        if is_identifier(name) {
            return Declaration { name: Some(name.to_owned()), annotation, default };
        }
    }
    Declaration::default()
}

/// Words around a parameter that do not name it.
const NO_NAMES: &[&str] = &[
    "new",
    "additional",
    "extra",
    "optional",
    "keyword",
    "keyword-only",
    "positional",
    "default",
    "required",
    "another",
    "further",
    "simple",
    "single",
    "its",
    "first",
    "last",
    "second",
    "true",
    "false",
    "none",
    "called",
    "named",
    "to",
    "feature",
    "statements",
];

/// "a parameter named `log`", "a `log` parameter", "a log boolean parameter".
pub(super) fn parameter_name(phrase: &Phrase) -> Option<String> {
    let names = || phrase.names.iter().filter(|name| is_identifier(&name.text));
    let called = names().find(|name| name.is_called);
    let found = called.or_else(|| names().find(|name| name.noun == Some(Noun::Parameter)));
    if let Some(name) = found {
        return Some(name.text.clone());
    }
    let is_name = |word: &&str| {
        is_identifier(word)
            && !NO_NAMES.contains(word)
            && !vocabulary::DETERMINERS.contains(word)
            && vocabulary::annotation(word).is_none()
            && vocabulary::noun(word).is_none()
    };
    let mut words = phrase.words().filter(is_name);
    match (words.next(), words.next()) {
        (Some(word), None) => Some(word.to_owned()),
        _ => None,
    }
}

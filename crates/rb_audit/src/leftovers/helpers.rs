//! A function, type or constant whose last use the change removed. `orphaned_function` finds those that nobody else can see; these
//! are the rest: constants, and what could be used from elsewhere and is named nowhere in the project any more.

use std::rc::Rc;

use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::{Facts, Language, Symbol, SymbolKind};

use super::leftover;
use super::removed::{has, is_moved_away};
use super::sightings::{Context, Sighting, Sightings, line_at};
use crate::changed::Changed;
use crate::checks::is_reached_by_name;
use crate::comparison::{Comparison, is_ecma};
use crate::words;
use crate::{Finding, FindingKind};

pub(crate) struct Helper {
    file: FileId,
    pub(crate) symbol: Symbol,
}

/// Symbols of touched files that fewer places of the changed files name than before.
pub(crate) fn candidates(comparison: &Comparison<'_>) -> Vec<Helper> {
    let mut helpers = Vec::new();
    for (changed, file) in comparison.touched() {
        let (Some(facts), Some(text)) = (comparison.after.facts(file), comparison.after.text(file))
        else {
            continue;
        };
        let before = comparison.origin(file).and_then(|origin| comparison.before.facts(origin));
        let (true, Some(before)) =
            (is_helpful(changed, &facts) && comparison.after.is_whole(file), before)
        else {
            continue;
        };
        for symbol in &facts.symbols {
            let is_old = has(&before, &facts, symbol);
            if is_old
                && is_helper(comparison, file, symbol)
                && is_alone(&text, symbol)
                && !is_alias(&text, symbol)
                && was_used(comparison, changed, &before, symbol)
            {
                helpers.push(Helper { file, symbol: symbol.clone() });
            }
        }
    }
    helpers
}

pub(crate) fn find(
    comparison: &Comparison<'_>,
    helpers: &[Helper],
    sightings: &Sightings,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Helper { file, symbol } in helpers {
        let own = symbol.span.start as usize..symbol.span.end as usize;
        // A document may speak of what others can use; what they cannot see it means by chance.
        let is_private = !symbol.exported || symbol.name.starts_with('_');
        let is_use = |it: &Sighting| {
            let is_words = matches!(it.context, Context::Prose | Context::Comment);
            let is_mention = is_words && (is_private || it.file == *file);
            !is_mention && (it.file != *file || !own.contains(&it.at))
        };
        if sightings.is_common(&symbol.name) || sightings.of_word(&symbol.name).iter().any(is_use) {
            continue;
        }
        let path = comparison.after.path(*file);
        let line = symbol.span.first_line;
        let message =
            format!("nothing uses `{}` any more: the change removed its last use", symbol.name);
        let cause = comparison.cause(path, line, None);
        findings.push(leftover(FindingKind::UnusedHelper, (path, line), message, cause));
    }
    findings
}

/// `old = new`: the name is there for others.
fn is_alias(text: &str, symbol: &Symbol) -> bool {
    let span = symbol.span.start as usize..symbol.span.end as usize;
    let own = text.get(span).unwrap_or_default();
    let is_name = |it: &str| it.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_word = |it: &str| is_name(it) && it.starts_with(|c: char| !c.is_numeric());
    own.split_once('=').is_some_and(|(left, right)| {
        left.trim() == &*symbol.name && is_word(right.trim().trim_end_matches(';'))
    })
}

/// Files whose names are there to be given on, or to be found by a framework, are nobody's helpers.
fn is_helpful(changed: &Changed, facts: &Rc<Facts>) -> bool {
    let name = changed.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    Role::of(&changed.path) == Role::Product
        && !facts.marks.tests
        && !matches!(
            stem,
            "__init__"
                | "index"
                | "conftest"
                | "settings"
                | "config"
                | "conf"
                | "setup"
                | "urls"
                | "admin"
        )
        && !name.contains(".config.")
        && ![".pyi", ".d."].iter().any(|it| name.contains(it))
}

fn is_helper(comparison: &Comparison<'_>, file: FileId, symbol: &Symbol) -> bool {
    // What others can see counts where a project seldom means all of it for others.
    let is_open = match comparison.after.language(file) {
        Some(Language::Python) => true,
        language if is_ecma(language) => true,
        Some(Language::Go) => symbol.name.starts_with(char::is_lowercase),
        Some(Language::Rust) => !symbol.exported && !symbol.signature.contains("pub"),
        _ => false,
    };
    is_open
        && symbol.parent.is_none()
        && !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Macro | SymbolKind::Module)
        && symbol.name.len() > 3
        && !symbol.name.starts_with("__")
        && !is_reached_by_name(&comparison.after, file, symbol)
}

/// Does its own file name it nowhere else, its documentation aside?
fn is_alone(text: &str, symbol: &Symbol) -> bool {
    let own = symbol.span.start as usize..symbol.span.end as usize;
    words::places(text, &symbol.name)
        .all(|at| own.contains(&at) || words::is_comment(line_at(text, at)))
}

/// Did a changed file use it before, besides declaring it?
fn was_used(comparison: &Comparison<'_>, home: &Changed, before: &Facts, symbol: &Symbol) -> bool {
    let old = before.symbols.iter().find(|it| it.name == symbol.name && it.parent.is_none());
    comparison.changes().filter(|it| !is_moved_away(comparison, it)).any(|changed| {
        let Some(text) = changed.before.as_deref() else { return false };
        let own = old
            .filter(|_| changed.path == home.path)
            .map_or(0..0, |it| it.span.start as usize..it.span.end as usize);
        words::places(text, &symbol.name)
            .any(|at| !own.contains(&at) && !words::is_comment(line_at(text, at)))
    })
}

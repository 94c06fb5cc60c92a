//! Documents that mention what a model's task changes: the task may change them, too.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rb_core::{Task, at_most};
use rb_lang::Language;

use crate::repo_facts::{RepoFacts, scope_glob, text};
use crate::symbols::NamedSymbol;

/// The most documents of one task, and the most lines of one that are named.
const MOST: usize = 5;
const LINES: usize = 10;

pub(crate) fn is_document(language: Language) -> bool {
    matches!(language, Language::Markdown | Language::ReStructuredText | Language::Text)
}

/// Lets a task change the documents that mention these symbols most, and notes where they do.
pub(crate) fn allow(
    repo: &RepoFacts<'_>,
    task: &mut Task,
    symbols: &[&NamedSymbol],
    is_meant: &dyn Fn(&str) -> bool,
) {
    let mut mentions: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, lines) in symbols.iter().flat_map(|it| &it.documents) {
        if is_meant(path) && (repo.input.may_touch)(path) {
            *mentions.entry(path).or_default() += lines.len();
        }
    }
    let mut paths: Vec<&str> = mentions.keys().copied().collect();
    paths.sort_by_key(|it| (Reverse(mentions[it]), *it));
    for path in paths.into_iter().take(MOST) {
        task.scope_globs.push(scope_glob(path));
        for (symbol, lines) in symbols.iter().filter_map(|it| Some((it, it.documents.get(path)?))) {
            let lines = at_most(LINES, lines.iter().map(ToString::to_string)).join(", ");
            task.notes.push(format!("`{}` is mentioned in {path}:{lines}", symbol.name));
        }
    }
}

/// The documents that a task may change beside its files.
pub(crate) fn of<'t>(repo: &RepoFacts<'_>, task: &'t Task) -> Vec<&'t str> {
    let is_file = |path: &str| task.files.iter().any(|it| text(it) == path);
    let paths = task.scope_globs.iter().map(|it| it.trim_start_matches('/'));
    paths.filter(|it| repo.exists(it) && !is_file(it)).collect()
}

//! A function that nobody outside of its file can use, and whose last use the change removed, or that it wrote in vain.
//!
//! A use is the word, anywhere: a function may be named in a string, handed on, or found by a macro. What is reached by
//! convention (tests, entry points, decorated, lifecycle and operator methods) is left out.

use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::{Facts, Language, Symbol, SymbolKind};

use crate::comparison::{Comparison, Side, finding, folder_of, has_bases, is_ecma};
use crate::words;
use crate::{Finding, FindingKind, Severity};

/// Files around the changed one that are searched for the word.
const MOST_FILES: usize = 300;

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (changed, file) in comparison.touched() {
        let Some(facts) = comparison.after.facts(file) else { continue };
        let is_product = matches!(Role::of(&changed.path), Role::Product | Role::Tooling);
        if !is_product
            || facts.marks.tests && !is_rust(comparison, file)
            || !comparison.after.is_whole(file)
        {
            continue;
        }
        for symbol in &facts.symbols {
            if !is_private(&comparison.after, file, &facts, symbol)
                || is_used(&comparison.after, file, symbol)
            {
                continue;
            }
            let Some(reason) = reason(comparison, file, symbol) else { continue };
            findings.push(finding(
                FindingKind::OrphanedFunction,
                Severity::Warning,
                (&changed.path, symbol.span.first_line),
                format!("`{}` {reason}", symbol.name),
                comparison.cause(&changed.path, symbol.span.first_line, None),
            ));
        }
    }
    findings
}

fn is_rust(comparison: &Comparison<'_>, file: FileId) -> bool {
    comparison.after.language(file) == Some(Language::Rust)
}

/// Did the change take the last use, or write what nobody uses?
fn reason(comparison: &Comparison<'_>, file: FileId, symbol: &Symbol) -> Option<&'static str> {
    const NEW: Option<&str> = Some("is new and not used");
    let Some(origin) = comparison.origin(file) else { return NEW };
    let old = comparison.before.facts(origin)?;
    let same = old.symbols.iter().find(|it| it.name == symbol.name && it.kind == symbol.kind);
    let Some(same) = same else { return NEW };
    // It was reached in another way before, or not at all.
    if !is_private(&comparison.before, origin, &old, same) {
        return (same.exported && !symbol.exported)
            .then_some("is no longer exported, and not used here");
    }
    is_used(&comparison.before, origin, same).then_some("is no longer used")
}

fn is_private(side: &Side<'_>, file: FileId, facts: &Facts, symbol: &Symbol) -> bool {
    let is_function =
        matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Component);
    let name = &*symbol.name;
    let parent = symbol.parent.map(|parent| &facts.symbols[parent as usize]);
    let is_in_function = parent.is_some_and(|parent| {
        matches!(parent.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Component)
    });
    if !is_function || is_in_function || name.len() < 2 || is_reached_by_name(side, file, symbol) {
        return false;
    }
    let signature = &*symbol.signature;
    match side.language(file) {
        language if is_ecma(language) => match symbol.kind {
            SymbolKind::Method => name.starts_with('#') || signature.starts_with("private "),
            _ => symbol.parent.is_none() && !symbol.exported && is_module(facts),
        },
        // A class that is extended may call it.
        Some(Language::Python) => {
            name.starts_with('_') && !name.starts_with("__") && !parent.is_some_and(has_bases)
        }
        Some(Language::Go) => {
            symbol.kind == SymbolKind::Function && name.starts_with(char::is_lowercase)
        }
        // Methods of traits, and functions in modules of tests, are somebody else's to call.
        Some(Language::Rust) => {
            symbol.kind == SymbolKind::Function
                && symbol.parent.is_none()
                && !symbol.exported
                && !signature.contains("pub")
        }
        Some(Language::Java) => signature.contains("private "),
        _ => false,
    }
}

/// A script of a browser shows all that it declares to others.
fn is_module(facts: &Facts) -> bool {
    !facts.exports.is_empty() || facts.imports.iter().any(|import| !import.names.is_empty())
}

pub(crate) fn is_reached_by_name(side: &Side<'_>, file: FileId, symbol: &Symbol) -> bool {
    let name = &*symbol.name;
    let is_entry =
        matches!(name, "main" | "init" | "setup" | "teardown" | "default" | "constructor");
    let Some(text) = side.text(file) else { return true };
    // What stands right above it, or on the line before its name, may call it: a decorator, an attribute, a pragma.
    let above: Vec<&str> =
        text.lines().take(symbol.span.first_line.saturating_sub(1) as usize).collect();
    let mark = above.iter().rev().take_while(|line| !line.trim().is_empty()).take(8).any(|line| {
        let line = line.trim_start();
        line.starts_with('@')
            || line.starts_with("#[")
            || line.starts_with("//go:")
            || line.starts_with("//export")
    });
    let own =
        text.lines().nth(symbol.span.first_line.saturating_sub(1) as usize).unwrap_or_default();
    is_entry || mark || own.trim_start().starts_with('@') || own.trim_start().starts_with("#[")
}

/// Does the word stand anywhere else where the function can be seen?
fn is_used(side: &Side<'_>, file: FileId, symbol: &Symbol) -> bool {
    let name = symbol.name.trim_start_matches('#');
    let Some(text) = side.text(file) else { return true };
    let own = symbol.span.start as usize..symbol.span.end as usize;
    if words::places(&text, name).any(|at| !own.contains(&at)) {
        return true;
    }
    around(side, file)
        .into_iter()
        .any(|other| other != file && side.text(other).is_none_or(|text| words::has(&text, name)))
}

/// The files besides its own from which a private function can be seen.
fn around(side: &Side<'_>, file: FileId) -> Vec<FileId> {
    let path = side.path(file);
    match side.language(file) {
        Some(Language::Go) => {
            side.folder(folder_of(path)).iter().copied().take(MOST_FILES).collect()
        }
        Some(Language::Python) => side.importers(file).iter().copied().take(MOST_FILES).collect(),
        // The modules below it see what it keeps from others.
        Some(Language::Rust) => {
            let folder = folder_of(path);
            let mut files: Vec<FileId> = side.importers(file).to_vec();
            let below = side.view.tree.ids().filter(|&id| {
                let other = side.path(id);
                side.language(id) == Some(Language::Rust)
                    && (folder.is_empty() || other.starts_with(&format!("{folder}/")))
            });
            files.extend(below.take(MOST_FILES));
            files
        }
        _ => Vec::new(),
    }
}

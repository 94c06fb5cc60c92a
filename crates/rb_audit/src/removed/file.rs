//! One changed file: both of its texts, read for effects, and the lines that differ.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use rb_lang::effects::{CallSite, Effects, effects, reads};
use rb_lang::{Language, Span, Symbol, SymbolKind, extract};

use crate::changed::Changed;

pub(super) struct File<'c> {
    pub(super) changed: &'c Changed,
    pub(super) before: Option<Code>,
    pub(super) after: Option<Code>,
    hunks: Vec<Hunk>,
}

/// Lines that differ, counted from 0.
pub(super) struct Hunk {
    pub(super) old: Range<u32>,
    pub(super) new: Range<u32>,
}

/// One text of a file.
pub(super) struct Code {
    pub(super) language: Option<Language>,
    /// `None` where the text is not read for effects.
    pub(super) effects: Option<Effects>,
    /// Nothing that should be read could not be.
    pub(super) is_whole: bool,
    /// How often each name stands in it; in a text of another language, each word.
    pub(super) names: BTreeMap<String, u32>,
    /// The words of a text that should be read and could not be, or only in part.
    pub(super) unread: BTreeSet<String>,
    /// The functions that have a name.
    pub(super) functions: Vec<Symbol>,
}

impl<'c> File<'c> {
    pub(super) fn read(changed: &'c Changed) -> File<'c> {
        let (before, after) = (changed.before.as_deref(), changed.after.as_deref());
        let input = InternedInput::new(before.unwrap_or_default(), after.unwrap_or_default());
        let diff = Diff::compute(Algorithm::Histogram, &input);
        let hunks = diff.hunks().map(|hunk| Hunk { old: hunk.before, new: hunk.after });
        File {
            changed,
            before: before.map(|text| Code::read(changed.old_path(), text)),
            after: after.map(|text| Code::read(&changed.path, text)),
            hunks: hunks.collect(),
        }
    }

    /// The edit that touched a piece of the text before.
    pub(super) fn hunk_at(&self, span: &Span) -> Option<&Hunk> {
        self.hunks.iter().find(|hunk| {
            (span.first_line..=span.last_line).any(|line| hunk.old.contains(&(line - 1)))
        })
    }

    /// Does it catch as often as before?
    pub(super) fn keeps_catches(&self) -> bool {
        let catches = |code: &Option<Code>| {
            let effects = code.as_ref().and_then(|code| code.effects.as_ref());
            effects.map_or(0, |effects| effects.catches)
        };
        catches(&self.after) >= catches(&self.before)
    }
}

impl Hunk {
    /// Is the line, counted from 1, new?
    pub(super) fn has_new(&self, line: u32) -> bool {
        self.new.contains(&(line - 1))
    }
}

impl Code {
    fn read(path: &str, text: &str) -> Code {
        let language = Language::of(path.as_bytes(), text).filter(|_| !text.contains('\0'));
        let effects = language.and_then(|language| effects(language, text));
        let facts = language.filter(|_| effects.is_some()).and_then(|it| extract(it, text));
        let symbols = facts.map(|facts| facts.symbols).unwrap_or_default();
        let is_function = |symbol: &Symbol| {
            matches!(
                symbol.kind,
                SymbolKind::Function
                    | SymbolKind::Method
                    | SymbolKind::Component
                    | SymbolKind::Macro
            )
        };
        let is_whole = match &effects {
            Some(effects) => effects.is_whole,
            None => !language.is_some_and(reads),
        };
        let names = match &effects {
            Some(effects) => counts(effects.names.iter().map(|(name, count)| (stem(name), *count))),
            None if is_whole => counts(words(text).map(|word| (word, 1))),
            None => BTreeMap::new(),
        };
        let unread = words(text).filter(|_| !is_whole).map(str::to_owned).collect();
        let functions = symbols.into_iter().filter(is_function).collect();
        Code { language, effects, is_whole, names, unread, functions }
    }

    /// The calls on these lines, which are counted from 0.
    pub(super) fn calls_in(&self, lines: &Range<u32>) -> Vec<&CallSite> {
        let calls = self.effects.iter().flat_map(|effects| &effects.calls);
        calls.filter(|call| lines.contains(&(call.line - 1))).collect()
    }
}

fn counts<'t>(names: impl Iterator<Item = (&'t str, u32)>) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for (name, count) in names {
        *counts.entry(name.to_owned()).or_default() += count;
    }
    counts
}

/// As `stem` gives them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty()).map(stem)
}

/// A function and its asynchronous twin have one name.
pub(super) fn stem(name: &str) -> &str {
    name.strip_suffix("Sync").filter(|stem| !stem.is_empty()).unwrap_or(name)
}

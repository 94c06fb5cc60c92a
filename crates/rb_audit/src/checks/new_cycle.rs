//! A circle of imports that was not there before, with the way around.
//!
//! Only where loading order matters: JavaScript, TypeScript and Python. Imports of types alone, also those that only the
//! compiler can tell, and imports inside of functions load nothing at first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{ImportKind, Language};

use crate::comparison::{Comparison, Side, finding, is_ecma};
use crate::{Finding, FindingKind, Severity};

type Edges = BTreeMap<FileId, Vec<FileId>>;

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut after: Option<Edges> = None;
    let mut before: Option<Edges> = None;
    let mut told: Vec<BTreeSet<FileId>> = Vec::new();
    for (changed, from) in comparison.touched() {
        if !loads_in_order(comparison.after.language(from)) {
            continue;
        }
        for to in new_targets(comparison, from) {
            let after = after.get_or_insert_with(|| edges(&comparison.after));
            let Some(way) = way(&comparison.after, after, to, from) else { continue };
            let before = before.get_or_insert_with(|| edges(&comparison.before));
            // One way around stands for all that go through the same files.
            let is_told = told.iter().any(|files| files.contains(&from) && files.contains(&to));
            if is_told || was_circle(comparison, before, from, to) {
                continue;
            }
            told.push(way.iter().copied().collect());
            let names: Vec<&str> =
                [from].iter().chain(&way).map(|&id| comparison.after.path(id)).collect();
            let line = line_of(&comparison.after, from, to);
            findings.push(finding(
                FindingKind::NewCycle,
                Severity::Warning,
                (&changed.path, line),
                format!("new import cycle: {}", names.join(" -> ")),
                Some(changed.cause_at(line)),
            ));
        }
    }
    findings
}

fn loads_in_order(language: Option<Language>) -> bool {
    is_ecma(language) || language == Some(Language::Python)
}

fn edges(side: &Side<'_>) -> Edges {
    let mut edges = Edges::new();
    for (from, to) in side.view.loading_edges() {
        edges.entry(from).or_default().push(to);
    }
    edges
}

/// The files that a file loads now and did not before.
fn new_targets(comparison: &Comparison<'_>, from: FileId) -> BTreeSet<FileId> {
    let now = targets(&comparison.after, from);
    let Some(origin) = comparison.origin(from) else { return now };
    let old = targets(&comparison.before, origin);
    let old: BTreeSet<FileId> = old.into_iter().filter_map(|id| comparison.successor(id)).collect();
    now.difference(&old).copied().collect()
}

fn targets(side: &Side<'_>, from: FileId) -> BTreeSet<FileId> {
    let mut targets = BTreeSet::new();
    for (import, resolution) in side.imports(from).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if loads(import.kind) {
            targets.extend(files.iter().copied().filter(|&to| to != from));
        }
    }
    targets.retain(|&to| is_loaded(side, from, to));
    targets
}

fn loads(kind: ImportKind) -> bool {
    matches!(kind, ImportKind::Static | ImportKind::Require | ImportKind::ReExport)
}

/// Python: does the file know `TYPE_CHECKING` at all?
fn tells_types_apart(side: &Side<'_>, file: FileId) -> bool {
    side.language(file) == Some(Language::Python)
        && side.imports(file).iter().any(|(import, _)| {
            let mut names = import.names.iter();
            &*import.specifier == "typing"
                && names.any(|name| matches!(&*name.name, "*" | "TYPE_CHECKING"))
        })
}

/// Is at least one import of the one by the other still there when the program runs?
fn is_loaded(side: &Side<'_>, from: FileId, to: FileId) -> bool {
    let is_typed = matches!(side.language(from), Some(Language::TypeScript | Language::Tsx));
    if !is_typed && !tells_types_apart(side, from) {
        return true;
    }
    let Some(details) = side.details(from) else { return true };
    side.imports(from).iter().any(|(import, resolution)| {
        let leads = matches!(resolution, Resolution::Inside(files) if files.contains(&to));
        let is_erased = is_typed
            && !import.names.is_empty()
            && import.kind == ImportKind::Static
            && import
                .names
                .iter()
                .all(|name| details.uses.get(&name.local).is_none_or(|it| it.values == 0));
        let is_for_types = is_erased || details.is_for_types(import.line);
        leads && loads(import.kind) && !is_for_types
    })
}

/// The shortest way from one file to another that is really loaded; without the first, with the last.
fn way(side: &Side<'_>, edges: &Edges, from: FileId, to: FileId) -> Option<Vec<FileId>> {
    // Most files have no way back at all, which is told without looking into any.
    way_by(edges, from, to, |_, _| true)?;
    way_by(edges, from, to, |at, next| is_loaded(side, at, next))
}

fn way_by(
    edges: &Edges,
    from: FileId,
    to: FileId,
    is_open: impl Fn(FileId, FileId) -> bool,
) -> Option<Vec<FileId>> {
    let mut came: BTreeMap<FileId, FileId> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for &next in edges.get(&at).map_or(&[][..], Vec::as_slice) {
            if next == from || came.contains_key(&next) || !is_open(at, next) {
                continue;
            }
            came.insert(next, at);
            if next == to {
                let back = std::iter::successors(Some(to), |at| came.get(at).copied());
                let mut way: Vec<FileId> = back.collect();
                way.reverse();
                return Some(way);
            }
            queue.push_back(next);
        }
    }
    None
}

/// Were the two in a circle before?
fn was_circle(comparison: &Comparison<'_>, edges: &Edges, from: FileId, to: FileId) -> bool {
    let (Some(from), Some(to)) = (comparison.origin(from), comparison.origin(to)) else {
        return false;
    };
    way(&comparison.before, edges, from, to).is_some()
        && way(&comparison.before, edges, to, from).is_some()
}

fn line_of(side: &Side<'_>, from: FileId, to: FileId) -> u32 {
    let imports = side.imports(from);
    let leads = |resolution: &Resolution| matches!(resolution, Resolution::Inside(files) if files.contains(&to));
    let found = imports.iter().find(|(import, to)| leads(to) && loads(import.kind));
    found.map_or(1, |(import, _)| import.line)
}

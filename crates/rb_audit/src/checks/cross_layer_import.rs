//! A new import against the layers of the product, where nothing went against them in that direction before.

use std::collections::BTreeSet;

use rb_index::architecture::{Input, Layering, detect};
use rb_index::resolve::Resolution;
use rb_index::role::Role;
use rb_index::{FileId, View};
use rb_lang::{ImportKind, Language, SymbolKind};

use crate::comparison::{Comparison, finding};
use crate::{Finding, FindingKind, Severity};

/// Imports in the usual direction that must be there before an order that was only computed is held against anybody.
const ENOUGH: usize = 5;

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut layerings: Option<Vec<Layering>> = None;
    let mut told = BTreeSet::new();
    for (changed, from) in comparison.touched() {
        for (to, line) in new_targets(comparison, from) {
            if is_shim(comparison, from, to) {
                continue;
            }
            let target = comparison.after.path(to);
            if !is_product(&changed.path) || !is_product(target) {
                continue;
            }
            let layerings = layerings.get_or_insert_with(|| layers(comparison.before.view));
            let Some(breach) = layerings
                .iter()
                .find_map(|layering| breach(comparison, layering, &changed.path, target))
            else {
                continue;
            };
            if told.insert((from, breach.clone())) {
                findings.push(finding(
                    FindingKind::CrossLayerImport,
                    Severity::Warning,
                    (&changed.path, line),
                    format!("{} imports {}, which is in a higher layer", breach.0, breach.1),
                    Some(changed.cause_at(line)),
                ));
            }
        }
    }
    findings
}

/// What was moved away from a file may be imported there, to be given on under its old path.
fn is_shim(comparison: &Comparison<'_>, from: FileId, to: FileId) -> bool {
    let Some(old) = comparison.origin(from).and_then(|origin| comparison.before.facts(origin))
    else {
        return false;
    };
    comparison.after.imports(from).iter().any(|(import, resolution)| {
        let leads = matches!(resolution, Resolution::Inside(files) if files.contains(&to));
        let was_here = |name: &str| old.symbols.iter().any(|symbol| &*symbol.name == name);
        leads && import.names.iter().any(|name| was_here(&name.name))
    })
}

fn is_product(path: &str) -> bool {
    Role::of(path) == Role::Product
}

/// Files that a file imports and that it did not import before, with the line.
fn new_targets(comparison: &Comparison<'_>, from: FileId) -> Vec<(FileId, u32)> {
    let mut old = BTreeSet::new();
    if let Some(origin) = comparison.origin(from) {
        for (_, resolution) in comparison.before.imports(origin).iter() {
            if let Resolution::Inside(files) = resolution {
                old.extend(files.iter().filter_map(|&file| comparison.successor(file)));
            }
        }
    }
    let mut targets = Vec::new();
    for (import, resolution) in comparison.after.imports(from).iter() {
        let is_type = import.kind == ImportKind::TypeOnly || import.kind == ImportKind::Module;
        if is_type || is_in_module(comparison, from, import.line) {
            continue;
        }
        if let Resolution::Inside(files) = resolution {
            let new = files.iter().filter(|file| !old.contains(file));
            targets.extend(new.map(|&file| (file, import.line)));
        }
    }
    targets
}

/// Rust: a module inside of the file, as its tests are, which may use what stands above.
fn is_in_module(comparison: &Comparison<'_>, file: FileId, line: u32) -> bool {
    let is_rust = comparison.after.language(file) == Some(Language::Rust);
    let Some(facts) = comparison.after.facts(file).filter(|_| is_rust) else { return false };
    let mut inner = facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Module);
    inner.any(|symbol| (symbol.span.first_line..=symbol.span.last_line).contains(&line))
}

fn layers(view: &View<'_>) -> Vec<Layering> {
    let edges = view.edges();
    let uses: Vec<(FileId, Vec<&str>)> = view.tree.ids().map(|id| (id, view.uses(id).1)).collect();
    let externals: Vec<(FileId, &str)> =
        uses.iter().flat_map(|(id, names)| names.iter().map(move |name| (*id, *name))).collect();
    detect(&Input { tree: view.tree, edges: &edges, externals: &externals }).layers
}

/// The folders of an import that leads upwards, if none did so before.
fn breach(
    comparison: &Comparison<'_>,
    layering: &Layering,
    from: &str,
    to: &str,
) -> Option<(String, String)> {
    let (lower, from) = place(layering, from)?;
    let (upper, to) = place(layering, to)?;
    if upper >= lower {
        return None;
    }
    let is_known = layering.against.iter().any(|it| it.from == from && it.to == to);
    let (there, back) = between(comparison.before.view, from, to);
    // Side by side in name, or too few imports to speak of an order.
    let is_order = there == 0 && (layering.pattern.is_some() || back >= ENOUGH);
    (!is_known && is_order).then(|| (from.to_owned(), to.to_owned()))
}

/// How deep a file lies, and the folder of the layer. The innermost folder counts.
fn place<'l>(layering: &'l Layering, path: &str) -> Option<(usize, &'l str)> {
    let folders =
        layering.layers.iter().enumerate().flat_map(|(depth, layer)| {
            layer.folders.iter().map(move |folder| (depth, &*folder.path))
        });
    let inside = folders
        .filter(|(_, folder)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
    inside.max_by_key(|(_, folder)| folder.len())
}

/// How many imports lead from one folder to the other, and back.
fn between(view: &View<'_>, from: &str, to: &str) -> (usize, usize) {
    let is_in = |id: FileId, folder: &str| {
        let path = &*view.tree.get(id).path;
        path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')) && is_product(path)
    };
    let (mut there, mut back) = (0, 0);
    for (one, other) in view.edges() {
        there += usize::from(is_in(one, from) && is_in(other, to));
        back += usize::from(is_in(one, to) && is_in(other, from));
    }
    (there, back)
}

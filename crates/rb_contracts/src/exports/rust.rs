//! Public names of Rust libraries: what `pub` reaches from the root of the crate through `pub mod` and `pub use`.
//!
//! Binaries have no public names, nor has a crate that is never published: its users are in the same repository, and the
//! compiler speaks for them. Names from macros are not seen.

use std::collections::BTreeSet;

use rb_index::FileId;
use toml::Table;

use super::rust_tree::{CrateTree, Use};
use super::{Declared, ExportSite, emit};
use crate::error::ContractError;
use crate::model::{Kind, Snapshot};
use crate::sources::{Sources, join, upward};

pub(super) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    for (_, folder, text) in sources.manifests("Cargo.toml") {
        let Ok(manifest) = text.parse::<Table>() else { continue };
        let Some(package) = manifest.get("package").and_then(toml::Value::as_table) else {
            continue;
        };
        if !is_published(sources, folder, package) {
            continue;
        }
        let lib = manifest.get("lib").and_then(|lib| lib.get("path")).and_then(toml::Value::as_str);
        let root = join(folder, lib.unwrap_or("src/lib.rs"));
        let Some(root) = sources.view.tree.find(&root) else { continue };
        let name = package.get("name").and_then(toml::Value::as_str).unwrap_or_default();
        let tree = CrateTree::read(sources, root)?;
        let mut names = Names { sources, tree: &tree, package: name, seen: BTreeSet::new() };
        names.module(0, "crate", snapshot, 0);
        for (declared, at) in &tree.macros {
            let Some(file) = tree.modules[*at].file else { continue };
            emit(snapshot, names.place("crate", file), &declared.name, declared);
        }
    }
    Ok(())
}

fn is_published(sources: &Sources<'_>, folder: &str, package: &Table) -> bool {
    let says_no = |value: &toml::Value| {
        value.as_bool() == Some(false) || value.as_array().is_some_and(Vec::is_empty)
    };
    match package.get("publish") {
        Some(value) if value.get("workspace").is_some() => {
            let roots = sources.manifests("Cargo.toml");
            let tables = roots.filter(|(_, root, _)| upward(folder).any(|above| above == *root));
            let mut inherited = tables.filter_map(|(_, _, text)| {
                let table: Table = text.parse().ok()?;
                table.get("workspace")?.get("package")?.get("publish").cloned()
            });
            !inherited.any(|value| says_no(&value))
        }
        Some(value) => !says_no(value),
        None => true,
    }
}

struct Names<'n, 'a> {
    sources: &'n Sources<'a>,
    tree: &'n CrateTree,
    package: &'n str,
    /// Modules on the way, under the path by which they were reached: modules may give on each other.
    seen: BTreeSet<(usize, String)>,
}

/// What a path leads to.
enum Target<'n> {
    Module(usize),
    Item(usize, &'n Declared),
    /// Of another crate, or not found.
    Elsewhere,
}

const MAX_DEPTH: usize = 24;

impl<'n> Names<'n, '_> {
    fn place(&self, entry: &'n str, file: FileId) -> ExportSite<'n>
    where
        Self: 'n,
    {
        let file: &str = &self.sources.view.tree.get(file).path;
        ExportSite { package: self.package, entry, file, hidden: false }
    }

    fn module(&mut self, at: usize, entry: &str, snapshot: &mut Snapshot, depth: usize) {
        if depth >= MAX_DEPTH || !self.seen.insert((at, entry.to_owned())) {
            return;
        }
        let tree = self.tree;
        let module = &tree.modules[at];
        for (declared, _) in module.items.iter().filter(|(_, public)| *public) {
            self.item(at, entry, &declared.name, declared, snapshot);
        }
        for (name, child, _) in module.children.iter().filter(|(_, _, public)| *public) {
            self.module(*child, &format!("{entry}::{name}"), snapshot, depth + 1);
        }
        for given in module.uses.iter().filter(|given| given.is_public) {
            self.given(at, entry, given, snapshot, depth);
        }
    }

    fn item(
        &self,
        at: usize,
        entry: &str,
        name: &str,
        declared: &Declared,
        snapshot: &mut Snapshot,
    ) {
        let Some(file) = self.tree.modules[at].file else { return };
        let mut declared = declared.clone();
        let is_type = matches!(declared.kind, Kind::Struct | Kind::Enum);
        if let Some(members) = self.tree.impls.get(&declared.name).filter(|_| is_type) {
            declared.members.extend(members.iter().cloned());
        }
        let place = ExportSite {
            package: self.package,
            entry,
            file: self.sources.path(file),
            hidden: false,
        };
        emit(snapshot, place, name, &declared);
    }

    fn given(
        &mut self,
        at: usize,
        entry: &str,
        given: &Use,
        snapshot: &mut Snapshot,
        depth: usize,
    ) {
        if given.name == "_" {
            return;
        }
        match (self.resolve(at, &given.path, 0), given.name.as_str()) {
            (Target::Module(module), "*") => self.module(module, entry, snapshot, depth + 1),
            (Target::Module(module), name) => {
                self.module(module, &format!("{entry}::{name}"), snapshot, depth + 1);
            }
            (Target::Item(_, declared), "*") => {
                for variant in declared.members.iter().filter(|one| one.kind == Kind::Variant) {
                    self.item(at, entry, &variant.name, variant, snapshot);
                }
            }
            (Target::Item(home, declared), name) => {
                self.item(home, entry, name, declared, snapshot);
            }
            (Target::Elsewhere, name) => {
                let name =
                    if name == "*" { given.path.join("::") + "::*" } else { name.to_owned() };
                let declared = Declared::new(name.clone(), Kind::Value, given.line);
                self.item(at, entry, &name, &declared, snapshot);
            }
        }
    }

    fn resolve(&self, at: usize, path: &[String], depth: usize) -> Target<'n> {
        let mut module = at;
        let mut rest = path;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" => module = 0,
                "self" => {}
                "super" => module = self.tree.modules[module].parent.unwrap_or(0),
                _ => break,
            }
            rest = after;
        }
        while let Some((name, after)) = rest.split_first() {
            let here = &self.tree.modules[module];
            if let Some((_, child, _)) = here.children.iter().find(|(child, _, _)| child == name) {
                module = *child;
                rest = after;
                continue;
            }
            if let Some((item, _)) = here.items.iter().find(|(item, _)| item.name == *name) {
                return inside_item(module, item, after);
            }
            return self.through_use(module, name, after, depth);
        }
        Target::Module(module)
    }

    fn through_use(&self, module: usize, name: &str, rest: &[String], depth: usize) -> Target<'n> {
        if depth >= MAX_DEPTH {
            return Target::Elsewhere;
        }
        let uses = &self.tree.modules[module].uses;
        let named = uses
            .iter()
            .filter(|one| one.name == name && one.path.first().is_none_or(|first| first != name));
        let named = named.map(|one| one.path.clone());
        let starred = uses.iter().filter(|one| one.name == "*").map(|one| {
            let mut path = one.path.clone();
            path.push(name.to_owned());
            path
        });
        for mut path in named.chain(starred) {
            path.extend(rest.iter().cloned());
            match self.resolve(module, &path, depth + 1) {
                Target::Elsewhere => {}
                found => return found,
            }
        }
        Target::Elsewhere
    }
}

/// `Enum::Variant` is the variant.
fn inside_item<'n>(module: usize, item: &'n Declared, rest: &[String]) -> Target<'n> {
    match rest {
        [] => Target::Item(module, item),
        [name] => item
            .members
            .iter()
            .find(|member| member.name == *name)
            .map_or(Target::Elsewhere, |member| Target::Item(module, member)),
        _ => Target::Elsewhere,
    }
}

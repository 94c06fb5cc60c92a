//! The files that import the functions: imports and re-exports name the class, and uses go through it.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::Edit;
use rb_ecma::links::{self, ByteRange, ImportKind, Target, UseKind};
use rb_operations::Refusal;

use super::Request;
use crate::edits::FileEdits;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ModuleFacts, Project};
use crate::signatures::refusal;

/// Names that a file gives to others, each with the function that it is.
type Given = BTreeMap<(String, String), String>;

/// How many files changed.
pub(super) fn follow(
    project: &Project<'_>,
    request: &Request<'_>,
    exported: &BTreeSet<(String, String)>,
    edits: &mut FileEdits,
) -> Result<usize, Refusal> {
    let mut given = Given::new();
    let mut doubts = Vec::new();
    let mut places: BTreeMap<String, BTreeSet<(ByteRange, UseKind, String)>> = BTreeMap::new();
    for (function, name) in exported {
        let found = links::references(project, request.path, name);
        given.extend(found.names.into_iter().map(|it| (it, function.clone())));
        doubts.extend(found.doubts);
        for one in found.all {
            let place = (one.used.name, one.used.kind, function.clone());
            places.entry(one.path).or_default().insert(place);
        }
    }
    let mut lost: Vec<rb_operations::Place> = doubts
        .into_iter()
        .map(|it| rb_operations::Place { path: it.path, line: it.line, what: it.what })
        .collect();
    if !exported.is_empty() {
        lost.extend(project.unreadable_users(request.path));
    }
    if !lost.is_empty() {
        let reason = "not every use of the functions is known";
        return Err(refusal(reason, lost, "change these places by hand first"));
    }
    let files: BTreeSet<String> = given.keys().map(|(path, _)| path.clone()).collect();
    let mut all: BTreeSet<String> = places.keys().cloned().collect();
    all.extend(files.iter().flat_map(|path| project.users_of(path).to_vec()));
    all.remove(request.path);
    let mut changed = 0;
    for path in all {
        let facts = project.required(&path)?;
        let user = User { project, request, path: &path, facts: &facts, given: &given };
        let own = places.remove(user.path).unwrap_or_default();
        let new = user.edits(&own)?;
        changed += usize::from(!new.is_empty());
        edits.extend(user.path, new);
    }
    Ok(changed)
}

struct User<'u, 'p> {
    project: &'u Project<'p>,
    request: &'u Request<'u>,
    path: &'u str,
    facts: &'u ModuleFacts,
    given: &'u Given,
}

impl User<'_, '_> {
    fn edits(&self, places: &BTreeSet<(ByteRange, UseKind, String)>) -> Result<Vec<Edit>, Refusal> {
        let mut edits = self.imports()?;
        edits.extend(self.calls()?);
        let mut listed = 0;
        for (range, kind, function) in places {
            let class = self.request.class;
            let list = self.facts.statements.iter().filter(|it| it.is_list).find_map(|it| {
                let mut names = it.names.iter();
                names.find(|name| name.range.start <= range.start && range.end <= name.range.end)
            });
            if let Some(name) = list {
                listed += 1;
                edits.push(Edit::replace(name.range.start, name.range.end, class));
                continue;
            }
            check_use(self.project, self.path, *range, *kind)?;
            let name = self.facts.uses.iter().find(|it| it.range == *range);
            let text = match name {
                Some(it) if it.is_shorthand => format!("{}: {class}.{function}", it.name),
                _ => format!("{class}.{function}"),
            };
            edits.push(Edit::replace(range.start, range.end, text));
        }
        if listed > 1 {
            return Err(self.refused(0, "the functions are exported again in several ways"));
        }
        if !edits.is_empty() {
            self.request.check_name(self.facts, self.path)?;
        }
        Ok(edits)
    }

    fn refused(&self, at: u32, what: &str) -> Refusal {
        let places = vec![self.project.place(self.path, at, what)];
        refusal(format!("{} cannot follow: {what}", self.path), places, "change it by hand first")
    }

    fn is_given(&self, target: &Target, name: &str) -> bool {
        match target {
            Target::File(path) => self.given.contains_key(&(path.clone(), name.to_owned())),
            Target::Package(_) | Target::Builtin | Target::Unknown => false,
        }
    }

    /// `import { f }` and `export { f } from`. The class is imported but once, for its value if any is.
    fn imports(&self) -> Result<Vec<Edit>, Refusal> {
        let mut imports = ImportEdits::new(self.facts);
        let mut found = Vec::new();
        for (index, statement) in self.facts.statements.iter().enumerate() {
            for (at, name) in statement.names.iter().enumerate() {
                if !statement.is_list && self.is_given(&statement.target, &name.imported) {
                    imports.remove(index, at);
                    let kind = TypeKind::of(statement, name, self.facts.is_typescript);
                    found.push((kind, index, statement));
                }
            }
        }
        found.sort_by_key(|(kind, index, _)| (*kind, *index));
        let mut given_on = found.iter().filter(|(.., statement)| statement.is_reexport);
        let mut imported = found.iter().filter(|(.., statement)| !statement.is_reexport);
        for (kind, index, statement) in given_on.next().into_iter().chain(imported.next()) {
            let Target::File(file) = &statement.target else { continue };
            imports.add(Added {
                specifier: statement.source.clone(),
                file: Some(file.clone()),
                imported: self.request.class.to_owned(),
                local: self.request.class.to_owned(),
                kind: *kind,
                is_reexport: statement.is_reexport,
                anchor: Some(*index),
            });
        }
        imports.finish().map_err(|statement| {
            self.refused(statement.range.start, "a comment stands in an import that has to change")
        })
    }

    /// `const { f } = await import()`.
    fn calls(&self) -> Result<Vec<Edit>, Refusal> {
        let mut edits = Vec::new();
        for import in self.facts.links.imports.iter().filter(|it| it.is_call) {
            let ImportKind::Name(name) = &import.taken else { continue };
            let (Some(place), Some((_, local))) = (import.name, &import.local) else { continue };
            if !self.is_given(&import.target, name) {
                continue;
            }
            let is_pattern = self
                .facts
                .text
                .get(..place.start as usize)
                .is_some_and(|text| text.trim_end().ends_with(['{', ',']));
            if !is_pattern || self.request.functions.len() > 1 {
                let what = "it takes the function from a call in a way that is not followed";
                return Err(self.refused(place.start, what));
            }
            edits.push(Edit::replace(place.start, local.end.max(place.end), self.request.class));
        }
        Ok(edits)
    }
}

/// A static method cannot be everything that a function can.
pub(super) fn check_use(
    project: &Project<'_>,
    path: &str,
    range: ByteRange,
    kind: UseKind,
) -> Result<(), Refusal> {
    let what = match kind {
        UseKind::New => "it is called with `new` here",
        UseKind::Element => "it is rendered here",
        UseKind::Write => "it is assigned here",
        UseKind::Call | UseKind::Value | UseKind::Type | UseKind::Export => return Ok(()),
    };
    let places = vec![project.place(path, range.start, what)];
    let reason = format!("the function cannot become a static method: {what}");
    Err(refusal(reason, places, "leave it out"))
}

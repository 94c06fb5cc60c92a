//! Declarations that go from one file to another, with all that has to follow: the imports that they need, the exports that others
//! need, and every file that imports them.

mod code;
mod loading;
mod merge;
mod movable;
mod needs;
mod source;
mod specifier;
mod target;
#[cfg(test)]
mod tests;
mod users;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_ecma::links::ByteRange;
use rb_operations::{ApiChange, Place, Refusal};

use self::needs::Needs;
use crate::edits::FileEdits;
use crate::import_edits::Added;
use crate::project::facts::contains;
use crate::project::{Declaration, ModuleFacts, Piece, Project};

pub(crate) use self::specifier::{rebased, style_of};

/// Names that go from one file to another, in the making. The target is a file already, empty perhaps.
pub(crate) struct Relocation<'p> {
    pub(crate) project: &'p Project<'p>,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) source: Arc<ModuleFacts>,
    pub(crate) target: Arc<ModuleFacts>,
    pub(crate) is_new: bool,
    pub(crate) names: BTreeSet<String>,
    /// What is cut out, in the order of the text.
    pub(crate) pieces: Vec<Piece>,
    /// What the source exported, and the names under which the target exports it.
    pub(crate) exports: BTreeMap<String, String>,
    /// Imports and re-exports that go along although no moved code uses them.
    pub(crate) extra_imports: Vec<Added>,
    /// Statements that stand behind the moved code.
    pub(crate) extra_code: Vec<String>,
    /// The moved code imports values of the source.
    pub(crate) target_loads_source: bool,
    pub(crate) edits: FileEdits,
    pub(crate) notes: Vec<String>,
}

impl<'p> Relocation<'p> {
    pub(crate) fn new(
        project: &'p Project<'p>,
        from: &str,
        to: &str,
        names: &BTreeSet<String>,
        is_new: bool,
    ) -> Result<Self, Refusal> {
        let source = project.required(from)?;
        let target = project.required(to)?;
        let names = &with_helpers(&source, names);
        let declarations: Vec<&Declaration> =
            source.declarations.iter().filter(|it| names.contains(&it.name)).collect();
        let mut pieces: Vec<Piece> =
            declarations.iter().flat_map(|it| it.pieces.iter().cloned()).collect();
        pieces.sort_by_key(|it| it.statement);
        pieces.dedup();
        let mut exports = BTreeMap::new();
        for name in names {
            for export in source.links.names_of(name) {
                let declared = declarations.iter().find(|it| it.name == *name);
                let is_declared_default =
                    declared.is_some_and(|it| it.pieces.iter().any(|piece| piece.is_default));
                match export.name.as_str() {
                    "default" if is_declared_default => {
                        exports.insert("default".to_owned(), name.clone());
                    }
                    // `export default name;` stays, and takes the name from where it is now.
                    "default" => {}
                    other => drop(exports.insert(other.to_owned(), other.to_owned())),
                }
            }
        }
        Ok(Relocation {
            project,
            from: from.to_owned(),
            to: to.to_owned(),
            source,
            target,
            is_new,
            names: names.clone(),
            pieces,
            exports,
            extra_imports: Vec::new(),
            extra_code: Vec::new(),
            target_loads_source: false,
            edits: FileEdits::default(),
            notes: Vec::new(),
        })
    }

    /// Makes all edits.
    pub(crate) fn carry_out(&mut self) -> Result<(), Refusal> {
        self.check_movable()?;
        let needs = Needs::of(self)?;
        self.target_loads_source = needs.declared.values().any(|is_type| !is_type);
        self.change_target(&needs)?;
        self.change_source(&needs)?;
        self.follow_users()
    }

    /// Is it in what is cut out?
    pub(crate) fn is_moved(&self, range: ByteRange) -> bool {
        self.pieces.iter().any(|it| contains(it.full, range))
    }

    pub(crate) fn declaration(&self, name: &str) -> Option<&Declaration> {
        self.source.declaration(name)
    }

    /// Is it a type, of which nothing is there when the program runs?
    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.declaration(name).is_some_and(Declaration::is_type)
    }

    /// Does what is left of the source use the name?
    pub(crate) fn is_used_by_rest(&self, name: &str) -> bool {
        self.source.uses_of(name).any(|it| !self.is_moved(it.range) && !self.is_listed(it.range))
    }

    /// `name` of `export { name }`, which goes with it.
    pub(crate) fn is_listed(&self, range: ByteRange) -> bool {
        let lists = self.source.statements.iter().filter(|it| it.is_list);
        lists
            .flat_map(|it| &it.names)
            .any(|name| contains(name.range, range) && self.moved_name(&name.local).is_some())
    }

    pub(crate) fn place(&self, range: ByteRange, what: impl Into<String>) -> Place {
        self.project.place(&self.from, range.start, what)
    }

    pub(crate) fn api(&self) -> Vec<ApiChange> {
        let api = self.exports.iter().map(|(before, after)| ApiChange {
            path: self.from.clone(),
            before: before.clone(),
            after: format!("`{after}` of {}", self.to),
        });
        api.collect()
    }
}

/// The names, with what is not exported and used by them alone.
fn with_helpers(source: &ModuleFacts, names: &BTreeSet<String>) -> BTreeSet<String> {
    let mut all = names.clone();
    loop {
        let pieces: Vec<ByteRange> = source
            .declarations
            .iter()
            .filter(|it| all.contains(&it.name))
            .flat_map(|it| it.pieces.iter().map(|piece| piece.full))
            .collect();
        let is_helper = |declaration: &&Declaration| {
            let own = |range: ByteRange| {
                pieces
                    .iter()
                    .chain(declaration.pieces.iter().map(|it| &it.full))
                    .any(|it| contains(*it, range))
            };
            let is_used = source
                .uses_of(&declaration.name)
                .any(|it| pieces.iter().any(|piece| contains(*piece, it.range)));
            !all.contains(&declaration.name)
                && is_used
                && source.links.names_of(&declaration.name).next().is_none()
                && source.uses_of(&declaration.name).all(|it| own(it.range))
                && declaration.pieces.iter().all(|it| it.is_pure && it.names.len() == 1)
        };
        let found: Vec<String> =
            source.declarations.iter().filter(is_helper).map(|it| it.name.clone()).collect();
        if found.is_empty() {
            return all;
        }
        all.extend(found);
    }
}

/// A refusal with its places.
pub(crate) fn refusal(
    reason: impl Into<String>,
    places: Vec<Place>,
    suggestion: impl Into<String>,
) -> Refusal {
    Refusal { places, ..Refusal::new(reason, suggestion) }
}

//! Public names with their signatures, one file per language.
//!
//! A language's file reads what a source file declares (`Declared`) and knows which of it others can name. Where the
//! index knows already (imports, re-exports, modules), it is asked and not second-guessed.

mod ecma;
mod go;
mod java;
mod manifest;
mod members;
mod modules;
mod node;
mod params;
mod python;
mod python_declared;
mod rust;
mod rust_declared;
mod rust_tree;

use crate::error::ContractError;
use crate::model::{ExportedName, Kind, Signature, Snapshot};
use crate::sources::Sources;

pub(crate) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    node::read(sources, snapshot)?;
    python::read(sources, snapshot)?;
    rust::read(sources, snapshot)?;
    go::read(sources, snapshot)?;
    java::read(sources, snapshot)
}

/// Something that a file declares under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) signature: Signature,
    pub(crate) line: u32,
    pub(crate) members: Vec<Declared>,
}

impl Declared {
    pub(crate) fn new(name: impl Into<String>, kind: Kind, line: u32) -> Declared {
        let signature = Signature::default();
        Declared { name: name.into(), kind, signature, line, members: Vec::new() }
    }

    pub(crate) fn with(mut self, signature: Signature) -> Declared {
        self.signature = signature;
        self
    }

    /// Of a type, where the text says one.
    pub(crate) fn typed(mut self, ty: Option<String>) -> Declared {
        self.signature.ty = ty;
        self
    }
}

/// Past so many names nobody reads them; it bounds what a repository can make us keep.
const MAX_EXPORTS: usize = 300_000;

/// The place where a name is offered.
#[derive(Clone, Copy)]
pub(crate) struct ExportSite<'a> {
    pub(crate) package: &'a str,
    pub(crate) entry: &'a str,
    pub(crate) file: &'a str,
    pub(crate) hidden: bool,
}

/// Adds a name and its members.
pub(crate) fn emit(
    snapshot: &mut Snapshot,
    place: ExportSite<'_>,
    name: &str,
    declared: &Declared,
) {
    let members = declared.members.iter().map(|member| (format!("{name}.{}", member.name), member));
    for (name, declared) in std::iter::once((name.to_owned(), declared)).chain(members) {
        if snapshot.exports.len() >= MAX_EXPORTS {
            return;
        }
        snapshot.exports.push(ExportedName {
            package: place.package.to_owned(),
            entry: place.entry.to_owned(),
            name,
            kind: declared.kind,
            signature: declared.signature.clone(),
            hidden: place.hidden,
            file: place.file.to_owned(),
            line: declared.line,
        });
    }
}

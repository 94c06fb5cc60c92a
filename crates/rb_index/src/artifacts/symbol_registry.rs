//! `SYMBOL_REGISTRY.json`: every symbol of every file, under its stable id.

use std::io::Write;

use rb_core::Sha256;
use rb_lang::{Facts, Symbol, SymbolKind};
use serde::Serialize;

use super::{Lines, Source, State, WriteError};
use crate::ids;
use crate::project;
use crate::tree::FileId;

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    state: State<'a>,
    symbols: u64,
}

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the schema")]
struct File<'a> {
    file_path: &'a str,
    language: Option<&'static str>,
    hash: Option<Sha256>,
    lines: u32,
    /// Files of this repository that it imports.
    dependencies: Vec<&'a str>,
    /// Packages from elsewhere that it imports.
    imports: Vec<&'a str>,
    symbols: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    symbol: &'a str,
    r#type: &'static str,
    signature: &'a str,
    doc: &'a str,
    lines: (u32, u32),
    bytes: (u32, u32),
    exported: bool,
    complexity: u32,
    hash: Sha256,
    /// Only in a project that uses React.
    #[serde(skip_serializing_if = "Option::is_none")]
    react_metadata: Option<React<'a>>,
}

#[derive(Serialize)]
struct React<'a> {
    is_component: bool,
    is_server_component: Option<bool>,
    uses_hooks: &'a [Box<str>],
    has_suspense_boundary: bool,
    is_barrel_file: bool,
}

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let view = source.view;
    let symbols = source.indexed.counts.totals.symbols;
    let react = view.react();
    let head = Head { version: 1, state: source.state(), symbols };
    let mut lines = Lines::begin(out, &head, "files")?;
    for id in view.tree.ids() {
        let Some(facts) = view.read_facts(id)? else { continue };
        let path = &*view.tree.get(id).path;
        let names = ids::ids(path, &facts);
        let file = ReactFile::of(&react, id, &facts);
        let symbols = facts
            .symbols
            .iter()
            .zip(&names)
            .map(|(symbol, name)| entry(symbol, name, file))
            .collect();
        let (dependencies, imports) = view.uses(id);
        lines.line(&File {
            file_path: path,
            language: view.tree.get(id).language.map(rb_lang::Language::id),
            hash: view.file(id).hash,
            lines: facts.lines,
            dependencies,
            imports,
            symbols,
        })?;
    }
    lines.end()
}

/// A file of a React package.
#[derive(Clone, Copy)]
struct ReactFile {
    is_barrel: bool,
    /// Not told apart where there is no app router.
    is_server: Option<bool>,
}

impl ReactFile {
    fn of(react: &project::React, id: FileId, facts: &Facts) -> Option<Self> {
        react.package_of(id)?;
        let is_server = react.server_component[id.0 as usize];
        Some(ReactFile { is_barrel: facts.marks.only_reexports, is_server })
    }
}

fn entry<'a>(symbol: &'a Symbol, id: &'a str, file: Option<ReactFile>) -> Entry<'a> {
    Entry {
        id,
        symbol: &symbol.name,
        r#type: symbol.kind.name(),
        signature: &symbol.signature,
        doc: &symbol.doc,
        lines: (symbol.span.first_line, symbol.span.last_line),
        bytes: (symbol.span.start, symbol.span.end),
        exported: symbol.exported,
        complexity: symbol.complexity,
        hash: symbol.hash,
        react_metadata: file.map(|file| React {
            is_component: symbol.kind == SymbolKind::Component,
            is_server_component: file.is_server.filter(|_| symbol.kind == SymbolKind::Component),
            uses_hooks: &symbol.hooks,
            has_suspense_boundary: symbol.suspense,
            is_barrel_file: file.is_barrel,
        }),
    }
}

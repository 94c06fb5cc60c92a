//! What one file holds, without the tree that it was read from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_ecma::links::{ByteRange, Links, Target, UseKind};
use rb_ecma::{Module, Style};

use super::{Project, declarations, effects, names, specifiers, statements};

pub(crate) struct ModuleFacts {
    pub(crate) text: Arc<str>,
    pub(crate) is_typescript: bool,
    pub(crate) style: Style,
    /// `use client`, `use strict`.
    pub(crate) directives: Vec<String>,
    /// Behind the directives and the `#!` line.
    pub(crate) prologue_end: u32,
    pub(crate) links: Arc<Links>,
    /// Every text that names a module.
    pub(crate) specifiers: Vec<Specifier>,
    /// `import … from`, `export … from` and `export { … }`.
    pub(crate) statements: Vec<ImportStatement>,
    pub(crate) declarations: Vec<Declaration>,
    /// Uses of names of the top level and of globals, in the order of the text.
    pub(crate) uses: Vec<NameUse>,
    /// What is bound at the top level.
    pub(crate) bindings: BTreeMap<String, Binding>,
    /// Every name that is bound or used anywhere in the file.
    pub(crate) names: BTreeSet<String>,
    /// What means something else in another file: `this` at the top level, `import.meta.url`.
    pub(crate) hazards: Vec<Hazard>,
    /// Elements of JSX.
    pub(crate) elements: Vec<ByteRange>,
    /// Statements of the top level that do something when the file is loaded.
    pub(crate) effects: Vec<ByteRange>,
    /// Statements of the top level that are no declaration and no import: effects and `export { … }`.
    pub(crate) rest: Vec<ByteRange>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Specifier {
    pub(crate) value: String,
    /// Without its quotes.
    pub(crate) range: ByteRange,
    pub(crate) kind: SpecifierKind,
    pub(crate) target: Target,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SpecifierKind {
    /// `import … from`, `import x = require()`
    Import,
    /// `export … from`
    Reexport,
    /// `import()`
    Dynamic,
    Require,
    /// `jest.mock()` and its like.
    Mock {
        is_factory: bool,
        call: ByteRange,
    },
    /// `import("./a").T`, with the first name behind it.
    Type {
        member: Option<String>,
    },
    /// The same in a comment.
    Comment {
        member: Option<String>,
    },
    /// `/// <reference path="…" />`
    Reference,
    /// `new URL("…", import.meta.url)`
    Url,
    /// `declare module "…"`
    Augmentation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImportStatement {
    pub(crate) range: ByteRange,
    pub(crate) source: String,
    /// Without its quotes.
    pub(crate) source_range: ByteRange,
    pub(crate) target: Target,
    /// `import type`, `export type`
    pub(crate) is_type: bool,
    pub(crate) is_reexport: bool,
    pub(crate) names: Vec<StatementName>,
    /// `export { a }`, of names of this file: without a source.
    pub(crate) is_list: bool,
    pub(crate) extra: Extra,
}

/// What a statement holds that is lost if it is written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    None,
    Comment,
    /// `with { type: "json" }`
    Attributes,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatementName {
    /// As the other file calls it: `default`, `*`, or a name.
    pub(crate) imported: String,
    /// As this file calls it; for a re-export, as it is given on. Empty for `export *`.
    pub(crate) local: String,
    pub(crate) range: ByteRange,
    pub(crate) is_type: bool,
    pub(crate) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `a` of `import a from`
    Default,
    /// `* as a`, `*`
    Namespace,
    /// In braces.
    Named,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) kind: DeclarationKind,
    /// Overloads, interfaces that are declared twice, and `f.x = …` behind it.
    pub(crate) pieces: Vec<Piece>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeclarationKind {
    Function,
    Class,
    Constant,
    /// `let`, `var`
    Variable,
    /// A type alias or an interface.
    Type,
    Enum,
    Namespace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// With the comments that belong to it.
    pub(crate) full: ByteRange,
    pub(crate) statement: ByteRange,
    /// `export ` or `export default `, where it is written.
    pub(crate) keyword: Option<ByteRange>,
    pub(crate) is_default: bool,
    /// Where `export ` goes; `None` for `f.x = …`, which cannot be exported.
    pub(crate) export_at: Option<u32>,
    /// All names that the statement binds.
    pub(crate) names: Vec<String>,
    /// It does nothing when it is run but to declare.
    pub(crate) is_pure: bool,
    /// `declare const`, `declare function`
    pub(crate) is_ambient: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    Declared,
    Imported,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameUse {
    pub(crate) name: String,
    pub(crate) range: ByteRange,
    pub(crate) kind: UseKind,
    /// `None` for a global.
    pub(crate) binding: Option<Binding>,
    /// It is evaluated when the file is loaded, and not in a function.
    pub(crate) at_load: bool,
    /// `{ name }`, where another name has to be written `{ name: other }`.
    pub(crate) is_shorthand: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hazard {
    pub(crate) range: ByteRange,
    pub(crate) what: String,
}

impl ModuleFacts {
    pub(super) fn read(project: &Project<'_>, path: &str, module: &Module<'_>) -> Self {
        let resolve = |specifier: &str| project.resolve(path, specifier);
        let links = rb_ecma::links::read(module, path, resolve);
        let (declarations, rest) = declarations::read(module);
        let directives = &module.program().directives;
        let hashbang = module.program().hashbang.as_ref().map_or(0, |it| it.span.end);
        ModuleFacts {
            text: module.text().into(),
            is_typescript: module.is_typescript(),
            style: module.style().clone(),
            directives: directives.iter().map(|it| it.directive.to_string()).collect(),
            prologue_end: directives.last().map_or(hashbang, |it| it.span.end),
            links: Arc::new(links),
            specifiers: specifiers::read(project, path, module),
            statements: statements::read(module, resolve),
            declarations,
            uses: names::uses(module),
            bindings: names::bindings(module),
            names: names::all(module),
            hazards: effects::hazards(module),
            elements: module.elements().iter().map(|it| it.span.into()).collect(),
            effects: effects::statements(module, &rest),
            rest,
        }
    }

    pub(crate) fn declaration(&self, name: &str) -> Option<&Declaration> {
        self.declarations.iter().find(|it| it.name == name)
    }

    /// Does it do something when it is loaded, or load something for what that does?
    pub(crate) fn has_effects(&self) -> bool {
        let runs = |it: &ImportStatement| it.names.is_empty() && !it.is_reexport && !it.is_list;
        !self.effects.is_empty() || self.statements.iter().any(runs)
    }

    /// Where the first statement begins that is no import, with its comments.
    pub(crate) fn first_code(&self) -> u32 {
        let own = self.declarations.iter().flat_map(|it| &it.pieces).map(|it| it.full.start);
        let rest = self.rest.iter().map(|it| it.start);
        let whole = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        own.chain(rest).min().unwrap_or(whole)
    }

    pub(crate) fn slice(&self, range: ByteRange) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    pub(crate) fn uses_of<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f NameUse> {
        self.uses.iter().filter(move |it| it.name == name && it.binding.is_some())
    }

    /// Names that nothing in the file binds.
    pub(crate) fn globals(&self) -> impl Iterator<Item = &NameUse> {
        self.uses.iter().filter(|it| it.binding.is_none())
    }
}

impl Declaration {
    pub(crate) fn is_type(&self) -> bool {
        self.kind == DeclarationKind::Type
    }

    pub(crate) fn is_exported(&self) -> bool {
        self.pieces.iter().any(|it| it.keyword.is_some())
    }

    pub(crate) fn start(&self) -> u32 {
        self.pieces.first().map_or(0, |it| it.statement.start)
    }
}

pub(crate) fn contains(outer: ByteRange, inner: ByteRange) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

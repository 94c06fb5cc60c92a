//! Who takes what from whom, across files: imports, exports, and every use of an exported name.
//!
//! `read` reads one file. `references` follows one exported name through imports, whole modules bound to a name, re-exports and
//! `require`, and says where it lost sight of it: a doubt forbids an edit that needs to know all uses. Where a specifier leads
//! is asked of the caller: it knows the project.

mod exports;
mod follow;
mod imports;
mod specifier;

use std::sync::Arc;

use oxc_span::Span;

use crate::module::Module;

pub use self::follow::{Reference, References, line_of, references};
pub use self::specifier::specifier_in_style;

/// Where an import leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file of the repository.
    File(String),
    /// A package from outside, by its name.
    Package(String),
    Builtin,
    Unknown,
}

/// The files of a project, as far as `references` asks for them.
pub trait LinkedFiles {
    fn text(&self, path: &str) -> Option<Arc<str>>;
    /// `None` where the file does not parse.
    fn links(&self, path: &str) -> Option<Arc<Links>>;
    /// Files that refer to this one in any way, for types alone, too; sorted.
    fn users(&self, path: &str) -> Vec<String>;
}

/// What one file takes and gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// Places where the file may reach for names in a way that the text does not tell.
    pub doubts: Vec<Doubt>,
    /// It has `import` or `export`, and is no script that only uses `require`.
    pub is_esm: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub specifier: String,
    pub target: Target,
    pub taken: ImportKind,
    pub is_type: bool,
    /// `require` or `import()`, and not a declaration.
    pub is_call: bool,
    /// The name as the other file calls it, where it stands here: `a` of `{ a as b }`.
    pub name: Option<ByteRange>,
    /// The name it is bound to here.
    pub local: Option<(String, ByteRange)>,
    pub uses: Vec<Use>,
    /// The declaration, or the call of `require`.
    pub place: ByteRange,
}

/// What is taken from another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportKind {
    /// `default` for the default export.
    Name(String),
    /// All of it, as one object: a namespace, or what `require` gives.
    Whole,
    /// `export { name as given } from`
    GivenOn { name: String, given: String },
    /// `export * from`
    AllGivenOn,
    /// `export * as given from`
    WholeGivenOn { given: String },
    /// It is only run.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The name itself: what a new name would replace.
    pub name: ByteRange,
    /// The name, or the member expression that it is the end of.
    pub whole: ByteRange,
    /// `a` of `whole.a`.
    pub member: Option<String>,
    pub kind: UseKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    /// It is what is called.
    Call,
    New,
    /// `<Name>`
    Element,
    /// Read, passed on, put somewhere.
    Value,
    Write,
    Type,
    /// `export { name }`, `module.exports = { name }` and their like.
    Export,
}

/// Bytes of a text, from and up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteRange {
    pub start: u32,
    pub end: u32,
}

impl From<Span> for ByteRange {
    fn from(span: Span) -> Self {
        ByteRange { start: span.start, end: span.end }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// `default` for the default export, `WHOLE` for what `module.exports = …` gives.
    pub name: String,
    /// The name within the file, where it has one.
    pub local: Option<String>,
    /// The name that others use, where it stands: `b` of `{ a as b }`.
    pub place: ByteRange,
    /// What is exported, where it is not declared right there: `a` of `{ a as b }`, the right side of an assignment.
    pub value: Option<ByteRange>,
    pub how: Exporting,
    pub is_type: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exporting {
    /// `export function a`
    Declared,
    /// `export { a }`
    Listed,
    /// `export default …`
    Default,
    /// `exports.a = …`
    Assigned,
    /// `module.exports = { a }`
    Member,
    /// `module.exports = …`, `export = …`
    Whole,
}

/// The name of what `module.exports = …` gives as a whole.
pub const WHOLE: &str = "module.exports";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    pub path: String,
    pub line: u32,
    /// "a `require` with a computed path"
    pub what: String,
}

/// The links of a file; `resolve` says where a specifier leads.
pub fn read(module: &Module<'_>, path: &str, resolve: impl Fn(&str) -> Target) -> Links {
    let mut links = Links::default();
    imports::read(module, &mut links, path);
    exports::read(module, &mut links, path);
    for import in &mut links.imports {
        import.target = resolve(&import.specifier);
    }
    links
}

impl Links {
    pub fn export(&self, name: &str) -> Option<&Export> {
        self.exports.iter().find(|it| it.name == name)
    }

    /// The names under which an expression of this file is exported.
    pub fn names_at(&self, value: ByteRange) -> impl Iterator<Item = &Export> {
        self.exports.iter().filter(move |it| it.value == Some(value))
    }

    /// The names under which something of this file is exported.
    pub fn names_of<'l>(&'l self, local: &'l str) -> impl Iterator<Item = &'l Export> {
        self.exports.iter().filter(move |it| it.local.as_deref() == Some(local))
    }
}

//! What one file says by itself: symbols, imports, exports and references.
//!
//! Facts depend on the file's text and language alone, never on another file, so that they can be kept
//! under the hash of the text. Where an import leads, and which symbol a call means, is `rb_index`'s to find.

use rb_core::Sha256;
use serde::{Deserialize, Serialize};

/// The facts of one file. The same text gives the same facts, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub lines: u32,
    pub symbols: Vec<Symbol>,
    pub imports: Vec<Import>,
    /// Names that the file gives to others under an export list (JavaScript, TypeScript). A symbol that is
    /// exported where it is declared is here too, so that this is the whole list.
    pub exports: Vec<Export>,
    pub references: Vec<Reference>,
    /// The package or namespace that the file says it belongs to (Go, Java, Kotlin, Scala, C#, PHP, Elixir).
    pub package: Option<Box<str>>,
    pub marks: Marks,
    /// Places that the parser could not read. What is around them is still in the facts.
    pub syntax_errors: u32,
    /// Why the facts are less than the file holds: parsing was cut off, or the nesting is too deep.
    pub cut: Option<Cut>,
}

/// Something with a name that the file declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub name: Box<str>,
    pub kind: SymbolKind,
    /// The symbol that this one is declared in, as an index into the file's symbols. Always smaller than its own.
    pub parent: Option<u32>,
    pub span: Span,
    /// The declaration without its body, on one line.
    pub signature: Box<str>,
    /// The doc comment, without its comment marks. Empty where there is none.
    pub doc: Box<str>,
    /// Can it be named from another file, by the rules of the language?
    pub exported: bool,
    /// Of the symbol's text.
    pub hash: Sha256,
    /// Decisions in its own body, plus one (cyclomatic). Zero for what has no body.
    pub complexity: u32,
    /// Hooks that it calls, sorted; React only.
    pub hooks: Vec<Box<str>>,
    /// It renders a `Suspense` element; React only.
    pub suspense: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    Function,
    Method,
    Class,
    /// A React component, function or class.
    Component,
    Struct,
    Interface,
    Trait,
    Enum,
    /// A type alias, union, or other type without a word of its own.
    Type,
    Constant,
    Variable,
    Macro,
    /// A module, namespace or package declared inside the file.
    Module,
}

impl SymbolKind {
    pub const ALL: [SymbolKind; 13] = [
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Class,
        SymbolKind::Component,
        SymbolKind::Struct,
        SymbolKind::Interface,
        SymbolKind::Trait,
        SymbolKind::Enum,
        SymbolKind::Type,
        SymbolKind::Constant,
        SymbolKind::Variable,
        SymbolKind::Macro,
        SymbolKind::Module,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Class => "class",
            SymbolKind::Component => "component",
            SymbolKind::Struct => "struct",
            SymbolKind::Interface => "interface",
            SymbolKind::Trait => "trait",
            SymbolKind::Enum => "enum",
            SymbolKind::Type => "type",
            SymbolKind::Constant => "constant",
            SymbolKind::Variable => "variable",
            SymbolKind::Macro => "macro",
            SymbolKind::Module => "module",
        }
    }
}

/// A piece of the text: bytes from `start` up to `end`, on lines `first_line` to `last_line`, counted from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
    pub first_line: u32,
    pub last_line: u32,
}

/// One import, include, require, use or module declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// What is imported from, in the language's own spelling: `./a`, `react`, `.models`, `os.path`,
    /// `crate::a::b`, `net/http`, `java.util`, `stdio.h`. Each language's file says what it puts here.
    pub specifier: Box<str>,
    pub kind: ImportKind,
    /// The names taken, and what they are called here.
    pub names: Vec<ImportedName>,
    pub line: u32,
    /// How often the file uses what it imported, the import itself not counted.
    pub uses: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedName {
    /// As the other file calls it; `*` for the whole module, `default` for a default export.
    pub name: Box<str>,
    /// As this file calls it; for a re-export, as it is given on. Empty where it is bound to no name.
    pub local: Box<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportKind {
    /// Loaded when the file is.
    Static,
    /// For types alone; nothing is loaded.
    TypeOnly,
    /// `import()` and its like: loaded when the code gets there.
    Dynamic,
    /// `require()`.
    Require,
    /// Given on to whoever imports this file.
    ReExport,
    /// `#include "…"`, `require_relative`, `source`: a file, named by its path.
    Include,
    /// `#include <…>`, `require`: a file, looked for on a search path.
    SystemInclude,
    /// `mod x;`: a file that is part of this one's module tree.
    Module,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// As others call it; `default` for the default export.
    pub name: Box<str>,
    /// The symbol or import of this file behind it. Empty where there is none, as in `export default 1 + 1`.
    pub local: Box<str>,
}

/// The use of a name: one entry for all uses of the same name, in the same symbol, in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The last part: `readFile` of `fs.promises.readFile(…)`.
    pub name: Box<str>,
    /// What stands before it: `fs.promises`. Empty for a bare name; `?` where it is not a path of names, as in `f().g()`.
    pub qualifier: Box<str>,
    pub kind: ReferenceKind,
    /// The innermost symbol around it; none at the top of the file.
    pub from: Option<u32>,
    /// Of the first of them.
    pub line: u32,
    pub count: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    Call,
    /// `new A()` and its like.
    New,
    /// A JSX element.
    Element,
    /// A base class, an implemented interface or trait.
    Inherit,
    /// A type that is mentioned. Only for languages whose files see each other without an import.
    Type,
}

/// What is true of the file as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "marks are independent of each other")]
pub struct Marks {
    /// `"use client"` stands at the top.
    pub use_client: bool,
    /// `"use server"` stands at the top.
    pub use_server: bool,
    /// Nothing but imports and re-exports: a barrel.
    pub only_reexports: bool,
    /// It can be started: `main`, `if __name__ == "__main__"`, a shebang line.
    pub main: bool,
    /// It holds JSX.
    pub jsx: bool,
    /// It declares tests, in the way of its language: `#[test]`, `def test_…`, `describe(`, `func Test…`, `@Test`.
    pub tests: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// The parser was stopped: it had done more work than a file of this size is worth.
    Effort,
    /// Nesting below this depth was not looked at.
    Depth,
}

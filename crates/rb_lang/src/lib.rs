//! What a source file holds, one file per language.
//!
//! `Language::of_path` says which language a file is in, `extract` reads its text into `Facts`. It reads text that is
//! handed in and nothing else: no files, no other modules of the project, no clock.

pub mod details;
pub mod effects;
mod facts;
mod grammar;
mod language;
mod languages;
mod name_words;
mod tree;

pub use self::facts::{
    Cut, Export, Facts, Import, ImportKind, ImportedName, Marks, Reference, ReferenceKind, Span,
    Symbol, SymbolKind,
};
pub use self::grammar::{grammar, parse};
pub use self::language::Language;
pub use self::languages::{STACK, VERSION, extract, spawn, with_program};
pub use self::name_words::name_words;

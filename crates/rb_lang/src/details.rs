//! What facts leave out: parameters, call sites, and where each name is used and bound.
//!
//! Read on demand, for a changed file and those around it, and kept nowhere. Like facts it depends on the text alone, and
//! text that cannot be parsed gives what could be read of it. Where a language's rules are open (spread arguments, macros,
//! star imports), the answer says so instead of guessing: whoever looks for faults must be able to stay silent.

mod ecma;
mod go;
mod java;
mod python;
mod rust;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;

/// All of it is in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    pub functions: Vec<Function>,
    pub calls: Vec<Call>,
    /// Names that are used with nothing before them, locals not among them.
    pub uses: BTreeMap<Box<str>, Use>,
    /// Names that are bound at the top of the file, imports among them.
    pub top: BTreeSet<Box<str>>,
    /// Names that are bound below the top, in a function or a block. The same name may be in both.
    pub locals: BTreeSet<Box<str>>,
    /// Lines of the places that cannot be parsed.
    pub errors: Vec<u32>,
    /// First and last line of places where something missing is expected: `try`.
    pub guarded: Vec<(u32, u32)>,
    /// First and last line of places that are never run: `if TYPE_CHECKING`.
    pub for_types: Vec<(u32, u32)>,
    /// Names may come from where nobody sees: `import *`, `eval`, `globals()`.
    pub is_open: bool,
    /// What has a fixed set of members, by name: enums, and in TypeScript objects that are written out. Only at the top.
    pub closed: BTreeMap<Box<str>, BTreeSet<Box<str>>>,
    /// Variables whose value is awaited, by themselves or in a list, or returned.
    pub awaited: BTreeSet<Box<str>>,
    /// Variables that are awaited or handed to somebody else.
    pub handed_on: BTreeSet<Box<str>>,
}

/// The uses of one name that is not a local.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Use {
    /// Of the first.
    pub line: u32,
    pub values: u32,
    /// Uses that are gone when the program runs.
    pub types: u32,
    /// No binding in the file is in sight of at least one of them.
    pub is_free: bool,
}

/// A function, method or constructor at the top of the file or in a class there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Function {
    pub name: Box<str>,
    /// The class or type that it belongs to.
    pub owner: Option<Box<str>>,
    pub line: u32,
    /// Without the receiver.
    pub parameters: Vec<Parameter>,
    /// A call gives a promise or a coroutine.
    pub is_async: bool,
    /// It may give a promise without saying so: what it returns is a call or a variable.
    pub returns_unknown: bool,
    /// Called with other arguments than it says: decorated, or it reads `arguments`.
    pub is_open: bool,
    /// It has no body: one of several ways to call it, or an abstract one.
    pub is_signature: bool,
    /// The types of its parameters are checked before it runs.
    pub is_typed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: Box<str>,
    pub kind: ParameterKind,
    pub is_required: bool,
    /// The keys of an object that it must be, where they are known.
    pub keys: Option<Keys>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// By place, and in Python by name as well.
    Any,
    PositionOnly,
    NameOnly,
    Rest,
    NamedRest,
}

/// What an object parameter holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    /// Name and whether it is required.
    pub names: Vec<(Box<str>, bool)>,
    /// Others are allowed, or may be.
    pub is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What stands before the name: `a.b` of `a.b.c()`; `?` where it is not a path of names.
    pub qualifier: Box<str>,
    pub name: Box<str>,
    pub form: CallForm,
    pub line: u32,
    /// How many arguments go by place; `None` where a spread hides it.
    pub positional: Option<u32>,
    /// Arguments by name, or the attributes of an element; `None` where a spread hides them.
    pub named: Option<Vec<Box<str>>>,
    /// For each argument by place, the keys of the object that stands there.
    pub objects: Vec<Option<Vec<Box<str>>>>,
    pub fate: Fate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallForm {
    Call,
    New,
    Element,
}

/// What becomes of the value of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    Awaited,
    Returned,
    /// `.then`, `.catch` or `.finally` of it is called.
    Chained,
    /// A member of it is taken, it decides something, or it is taken apart.
    Used,
    Assigned(Box<str>),
    Statement,
    /// Handed to something else.
    Other,
}

impl Details {
    pub(crate) fn bind(&mut self, name: &str, is_top: bool) {
        if name.is_empty() || name == "_" {
            return;
        }
        if is_top {
            self.top.insert(name.into());
        } else {
            self.locals.insert(name.into());
        }
    }

    pub(crate) fn used(&mut self, name: &str, line: u32) {
        let entry = self.uses.entry(name.into()).or_insert(Use { line, ..Use::default() });
        entry.values += 1;
    }

    /// For languages without scopes here: a name that is bound anywhere is not free.
    pub(crate) fn close(&mut self) {
        for (name, entry) in &mut self.uses {
            entry.is_free = !self.top.contains(name) && !self.locals.contains(name);
        }
    }

    /// Is the name bound anywhere in the file?
    pub fn binds(&self, name: &str) -> bool {
        self.top.contains(name) || self.locals.contains(name)
    }

    pub fn is_guarded(&self, line: u32) -> bool {
        self.guarded.iter().any(|&(first, last)| (first..=last).contains(&line))
    }

    pub fn is_for_types(&self, line: u32) -> bool {
        self.for_types.iter().any(|&(first, last)| (first..=last).contains(&line))
    }
}

macro_rules! readers {
    ($($file:ident: $($language:ident)|+,)*) => {
        /// `None` for a language that has no reader.
        pub fn details(language: Language, text: &str) -> Option<Details> {
            match language {
                $($(Language::$language)|+ => Some($file::read(language, text)),)*
                _ => None,
            }
        }
    };
}

readers! {
    ecma: JavaScript | TypeScript | Tsx,
    go: Go,
    java: Java,
    python: Python,
    rust: Rust,
}

/// Lines, counted from 1, of the places where a text cannot be parsed, first ones first.
pub fn error_lines(language: Language, text: &str) -> Vec<u32> {
    match details(language, text) {
        Some(details) => details.errors,
        None => Vec::new(),
    }
}

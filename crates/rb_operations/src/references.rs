//! Every place that refers to a symbol or a module: what is sure, what may be, and what only mentions it.

mod common_members;
mod computed;
mod exposure;
mod family;
mod fixture;
mod member;
mod module;
mod parameter;
mod strings;
#[cfg(test)]
mod tests;
mod top_level;
mod walk;

use rb_python::{Source, TextRange};

use crate::operation::SymbolPath;
use crate::project::{Meaning, Project};

pub(crate) use self::common_members::is_common_member;

/// A place in a file that names a symbol for sure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) path: String,
    /// Exactly the bytes of the name.
    pub(crate) range: TextRange,
    pub(crate) kind: ReferenceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceKind {
    /// `def`, `class`, the target of an assignment, `self.x = …` in the class of `x`.
    Definition,
    /// A plain name that means it: in its own module, or bound by `from m import name` without an alias. Names in quoted annotations too,
    /// `global name`, and the second `name` of `from m import name as name`.
    Name,
    /// The last part of `module.name`, `Class.member`, `self.member`, `instance.member`.
    Attribute,
    /// `name` of `from m import name [as alias]`: indexes into `Source::imports` and its names.
    Import { import: usize, name: usize },
    /// The content of an entry of `__all__`.
    All,
    /// The last part of a string that names it with its module: `mock.patch("a.b.name")`, or that `patch.object(a.b, "name")`,
    /// `getattr(m, "name")`, `setattr`, `monkeypatch.setattr(m, "name", …)` name for sure.
    String,
    /// A keyword argument in a call (for parameters, and for fields of a dataclass).
    Keyword,
}

/// A place that may name it: an attribute of an unknown receiver, a computed `getattr`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) path: String,
    pub(crate) range: TextRange,
    /// "the type of `x` is not known".
    pub(crate) why: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// Sorted by path and place, without duplicates.
    pub(crate) references: Vec<Reference>,
    pub(crate) doubts: Vec<Doubt>,
    /// Places that are left and listed: strings that have the name, files with syntax errors.
    pub(crate) mentions: Vec<Doubt>,
}

impl Project<'_> {
    /// All references to a top-level symbol or a member of a class. For a member, overrides in subclasses and the overridden ones in base
    /// classes of the project belong to it. Other modules that give it on (`from .a import x`) are followed.
    pub(crate) fn references(&self, symbol: &SymbolPath) -> Found {
        // A symbol that is named by a module that re-exports it.
        let symbol = match self.lookup(&symbol.path, &symbol.name) {
            Some(Meaning::Symbol(defined)) => defined,
            Some(
                Meaning::Module(_) | Meaning::Instance(_) | Meaning::Foreign(_) | Meaning::Unknown,
            )
            | None => symbol.clone(),
        };
        let mut found = match symbol.class() {
            Some(class) => self.member_references(&class, symbol.last()),
            None if symbol.name.contains('.') => self.local_references(&symbol),
            None => self.top_level_references(&symbol),
        };
        found.finish();
        found
    }

    /// A function or class inside of a function: nobody else sees it.
    fn local_references(&self, symbol: &SymbolPath) -> Found {
        let mut found = Found::default();
        for definition in self.definitions(symbol) {
            found.add_variable(&definition.source, definition.variable, true);
        }
        found
    }
}

impl Found {
    fn add(&mut self, source: &Source, range: TextRange, kind: ReferenceKind) {
        self.references.push(Reference { path: source.path().to_owned(), range, kind });
    }

    fn doubt(&mut self, source: &Source, range: TextRange, why: impl Into<String>) {
        self.doubts.push(Doubt { path: source.path().to_owned(), range, why: why.into() });
    }

    fn mention(&mut self, source: &Source, range: TextRange, why: impl Into<String>) {
        self.mentions.push(Doubt { path: source.path().to_owned(), range, why: why.into() });
    }

    fn finish(&mut self) {
        let key = |path: &str, range: TextRange| (path.to_owned(), range.start(), range.end());
        self.references.sort_by_key(|one| (key(&one.path, one.range), one.kind.rank()));
        self.references.dedup_by(|one, other| one.path == other.path && one.range == other.range);
        let known = |doubt: &Doubt| {
            let place = key(&doubt.path, doubt.range);
            self.references.binary_search_by_key(&place, |one| key(&one.path, one.range)).is_ok()
        };
        self.doubts.retain(|doubt| !known(doubt));
        self.mentions.retain(|mention| !known(mention));
        for doubts in [&mut self.doubts, &mut self.mentions] {
            doubts.sort_by_key(|one| key(&one.path, one.range));
            doubts.dedup_by(|one, other| one.path == other.path && one.range == other.range);
        }
    }
}

impl ReferenceKind {
    /// If a place is found in two ways, the first counts.
    fn rank(self) -> u8 {
        match self {
            ReferenceKind::Import { .. } => 0,
            ReferenceKind::Definition => 1,
            ReferenceKind::Keyword => 2,
            ReferenceKind::All => 3,
            ReferenceKind::Attribute => 4,
            ReferenceKind::Name => 5,
            ReferenceKind::String => 6,
        }
    }
}

/// Where a module or package is named.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModuleFound {
    pub(crate) references: Vec<ModuleReference>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModuleReference {
    pub(crate) path: String,
    pub(crate) kind: ModuleReferenceKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModuleReferenceKind {
    /// `from a.module import x`: index into `Source::imports`. Its `module` (or only its dots) names the module or one below it.
    From { import: usize },
    /// `from a import module [as m]`.
    FromParent { import: usize, name: usize },
    /// `import a.module [as m]`.
    Import { import: usize, name: usize },
    /// `a.module` in an expression, after `import a.module`: the range of the whole dotted path.
    Attribute { range: TextRange },
    /// `module` as a plain name after `from a import module`; also as an entry of `__all__` and in `getattr(a, "module")`.
    Name { range: TextRange },
    /// The dotted path of the module within a string (`mock.patch("a.module.x")`, `"a.module"` in a list of settings): its range.
    String { range: TextRange },
}

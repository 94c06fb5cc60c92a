//! The Python files of a project, parsed on demand, and what a name of one file means across files.
//!
//! `lookup` answers for a module's names, `meaning` for an expression. Both say `Unknown` rather than guess. Everything is kept for the life of
//! the `Project`, which therefore belongs to one state of the files.

mod annotation;
mod classes;
mod expression;
mod lookup;
mod outline;
mod subclasses;
mod symbols;
#[cfg(test)]
mod tests;
mod variable;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::{Binding, BindingKind, Source, ast};
use rustc_hash::FxHashMap;

use crate::files::{Files, folder_of, import_root};
use crate::operation::SymbolPath;

pub(crate) use self::expression::Value;
pub(crate) use self::outline::{Outline, decorator, entries};
pub(crate) use self::symbols::{SymbolKind, statement_at};

/// Parses each file at most once.
pub(crate) struct Project<'f> {
    pub(crate) files: &'f dyn Files,
    python_files: OnceCell<Vec<String>>,
    stubs: OnceCell<Vec<String>>,
    star_imports: OnceCell<Vec<(String, String)>>,
    sources: RefCell<FxHashMap<String, Option<Arc<Source>>>>,
    outlines: RefCell<FxHashMap<String, Arc<Outline>>>,
    /// Files by the word that they contain.
    words: RefCell<FxHashMap<String, Arc<BTreeSet<String>>>>,
    /// What variables and attributes were inferred to be, by a key of their own.
    values: RefCell<FxHashMap<String, Value>>,
    kinds: RefCell<FxHashMap<SymbolPath, SymbolKind>>,
    bases: RefCell<FxHashMap<SymbolPath, Arc<classes::Bases>>>,
    pending_bases: Cell<usize>,
    ancestors: RefCell<FxHashMap<SymbolPath, Arc<[SymbolPath]>>>,
    /// Does the class itself define this member?
    members: RefCell<FxHashMap<SymbolPath, bool>>,
    class_words: OnceCell<subclasses::ClassWords>,
    subclasses: RefCell<subclasses::Subclasses>,
    /// What is being inferred, so that cycles end.
    pending: RefCell<BTreeSet<String>>,
}

/// What a name or an expression stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A module or package of the project: the path of its file.
    Module(String),
    /// A top-level name of a module, or a member of a class (`Class.method`), where it is defined. Functions and classes inside of functions
    /// are named as Python does: `function.<locals>.Class`.
    Symbol(SymbolPath),
    /// An instance of a class of the project.
    Instance(SymbolPath),
    /// Something of the standard library or of an installed package: `os.path`. Builtins are `builtins.len`.
    Foreign(String),
    /// A local variable, a computed value, or a name that cannot be followed.
    Unknown,
}

impl<'f> Project<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> Self {
        Project {
            files,
            python_files: OnceCell::new(),
            stubs: OnceCell::new(),
            star_imports: OnceCell::new(),
            sources: RefCell::default(),
            outlines: RefCell::default(),
            words: RefCell::default(),
            values: RefCell::default(),
            kinds: RefCell::default(),
            bases: RefCell::default(),
            pending_bases: Cell::new(0),
            ancestors: RefCell::default(),
            members: RefCell::default(),
            class_words: OnceCell::new(),
            subclasses: RefCell::default(),
            pending: RefCell::default(),
        }
    }

    /// All `.py` and `.pyi` files, sorted.
    pub(crate) fn python_files(&self) -> Vec<String> {
        self.python_paths().to_vec()
    }

    fn python_paths(&self) -> &[String] {
        self.python_files.get_or_init(|| {
            let mut paths = self.files.paths();
            paths.retain(|path| is_python(path));
            paths.sort();
            paths
        })
    }

    /// Python files whose text has one of the words as a whole identifier, sorted. Cheap: only texts are searched.
    pub(crate) fn files_with(&self, words: &[&str]) -> Vec<String> {
        let mut paths = BTreeSet::new();
        for word in words {
            paths.extend(self.files_with_word(word).iter().cloned());
        }
        paths.into_iter().collect()
    }

    /// Parses files that will all be needed, on all cores.
    pub(crate) fn prepare(&self, paths: &[String]) {
        if let Some(cache) = self.files.sources() {
            cache.prepare(self.files, paths);
        }
    }

    fn files_with_word(&self, word: &str) -> Arc<BTreeSet<String>> {
        if let Some(paths) = self.words.borrow().get(word) {
            return Arc::clone(paths);
        }
        let has_word = |path: &&String| {
            self.files.text(path).is_some_and(|text| word_ranges(&text, word).next().is_some())
        };
        let paths: Arc<BTreeSet<String>> =
            Arc::new(self.python_paths().iter().filter(has_word).cloned().collect());
        self.words.borrow_mut().insert(word.to_owned(), Arc::clone(&paths));
        paths
    }

    /// None for a file that is not there or has syntax errors.
    pub(crate) fn source(&self, path: &str) -> Option<Arc<Source>> {
        if let Some(source) = self.sources.borrow().get(path) {
            return source.clone();
        }
        let text = if is_python(path) { self.files.text(path) } else { None };
        let source = text.and_then(|text| match self.files.sources() {
            Some(cache) => cache.source(path, text),
            None => Source::parse(path, text).ok().map(Arc::new),
        });
        self.sources.borrow_mut().insert(path.to_owned(), source.clone());
        source
    }

    /// The sources of a module: its `.py` file and the stub beside it.
    pub(crate) fn sources_of(&self, path: &str) -> Vec<Arc<Source>> {
        let stub = path.strip_suffix(".py").map(|stem| format!("{stem}.pyi"));
        let paths = [Some(path.to_owned()), stub];
        paths.into_iter().flatten().filter_map(|path| self.source(&path)).collect()
    }

    /// The stubs of other modules that import the symbol, or the class that it is in, and declare it themselves.
    pub(crate) fn stubs_that_give(&self, symbol: &SymbolPath) -> Vec<Arc<Source>> {
        let name = symbol.name.split('.').next().unwrap_or_default();
        let top = SymbolPath { path: symbol.path.clone(), name: name.to_owned() };
        let gives_it = |module: &str| {
            module != symbol.path && self.lookup(module, name) == Some(Meaning::Symbol(top.clone()))
        };
        let declares_it = |stub: &Source| {
            let variable = stub.scopes().global(name).map(|id| stub.scopes().variable(id));
            let is_import = |one: &Binding| matches!(one.kind, BindingKind::Import { .. });
            variable.is_some_and(|variable| !variable.bindings.iter().any(is_import))
        };
        let stubs = self.stubs().iter().filter_map(|stub| self.source(stub));
        stubs.filter(|stub| declares_it(stub) && gives_it(&self.module_path(stub.path()))).collect()
    }

    /// Stubs that stand beside their modules.
    fn stubs(&self) -> &[String] {
        self.stubs.get_or_init(|| {
            let paths = self.python_paths().iter();
            paths.filter(|path| self.module_path(path) != **path).cloned().collect()
        })
    }

    /// The `.py` file for a stub that has one: what a stub declares is what the module defines.
    pub(crate) fn module_path(&self, path: &str) -> String {
        let module = path.strip_suffix(".pyi").map(|stem| format!("{stem}.py"));
        module.filter(|module| self.exists(module)).unwrap_or_else(|| path.to_owned())
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.python_paths().binary_search_by(|other| other.as_str().cmp(path)).is_ok()
    }

    /// The dotted name under which other packages import the file: `a/b/__init__.py` is `a.b`. The folders up to the topmost package count;
    /// for a file outside of packages its stem.
    pub(crate) fn module_name(&self, path: &str) -> String {
        let root = import_root(&|path| self.exists(path), path);
        dotted(path, &root)
    }

    /// All dotted names that other files may use for the module: from each folder above it that imports may begin at.
    pub(crate) fn module_names(&self, path: &str) -> Vec<String> {
        let root = import_root(&|path| self.exists(path), path);
        let mut folders = vec![root.as_str()];
        while let Some(folder) = folders.last().filter(|folder| !folder.is_empty()) {
            folders.push(folder_of(folder));
        }
        let names = folders.into_iter().map(|folder| dotted(path, folder));
        let is_importable = |name: &String| {
            let found = self.files.resolve(path, name);
            found.is_some_and(|found| self.module_path(&found) == self.module_path(path))
        };
        names.filter(|name| !name.is_empty()).filter(is_importable).collect()
    }

    /// What an expression of a file stands for: names by scope, attributes of modules, classes and (by annotation, by construction, as
    /// `self`) of instances. Methods and attributes of base classes of the project are found where they are defined.
    pub(crate) fn meaning(&self, source: &Source, expression: &ast::Expr) -> Meaning {
        self.value(source, expression).into_meaning()
    }

    /// Is it a test, by its folder or file name? (`tests/`, `test/`, `t/`, `test_x.py`, `x_test.py`, `conftest.py`)
    pub(crate) fn is_test(path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
        let is_test_folder = |folder: &str| matches!(folder, "test" | "tests" | "t");
        folders.split('/').any(is_test_folder)
            || stem.starts_with("test_")
            || stem.ends_with("_test")
            || matches!(stem, "conftest" | "tests")
    }
}

pub(crate) fn is_python(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "py" | "pyi")
}

/// `a/b/c.py` below `a` is `b.c`.
fn dotted(path: &str, root: &str) -> String {
    let below = path.strip_prefix(root).unwrap_or(path).trim_start_matches('/');
    let stem = below.trim_end_matches(".pyi").trim_end_matches(".py");
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let stem = if stem == "__init__" { "" } else { stem };
    stem.replace('/', ".")
}

/// Where a text has a word as a whole identifier.
pub(crate) fn word_ranges<'t>(
    text: &'t str,
    word: &'t str,
) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
    // The empty word would be found everywhere.
    let text = if word.is_empty() { "" } else { text };
    let ranges = text.match_indices(word).map(|(start, word)| start..start + word.len());
    ranges.filter(|range| {
        if range.is_empty() {
            return false;
        }
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        !before.is_some_and(is_identifier_part) && !after.is_some_and(is_identifier_part)
    })
}

pub(crate) fn is_identifier_part(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

pub(crate) fn is_identifier(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(is_identifier_part)
        && !word.starts_with(|letter: char| letter.is_numeric())
}

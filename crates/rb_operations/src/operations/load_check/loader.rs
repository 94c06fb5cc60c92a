//! Modules as they are loaded: which names each has so far, and what imports do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_python::{Import, ImportPlace, Source, TextRange, is_builtin};
use rustc_hash::FxHashMap;

use super::facts::{Facts, Resolved};
use crate::files::{folder_of, join};
use crate::operations::relocation::loads::is_loaded;
use crate::outcome::Place;

/// What a name stands for while modules are loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Module(String),
    /// A function or class at the top level of a file.
    Definition {
        path: String,
        name: String,
    },
    Other,
}

#[derive(Debug)]
pub(super) struct Failure {
    pub(super) place: Place,
    /// What is missing.
    pub(super) name: String,
}

/// A module that is loaded or being loaded.
#[derive(Default)]
struct Module {
    names: BTreeMap<String, Value>,
    /// It may have names that are not seen, by `import *` from elsewhere, too.
    is_open: bool,
}

pub(super) struct Loader<'p, 'f> {
    pub(super) facts: &'p Facts<'p, 'f>,
    modules: FxHashMap<String, Module>,
    /// Functions and classes that were called: the first call has the fewest names.
    pub(super) called: BTreeSet<(String, String)>,
    /// The code may not run, or may be expected to fail.
    pub(super) is_conditional: bool,
    failures: Vec<Failure>,
}

impl<'p, 'f> Loader<'p, 'f> {
    pub(super) fn new(facts: &'p Facts<'p, 'f>) -> Self {
        Loader {
            facts,
            modules: FxHashMap::default(),
            called: BTreeSet::new(),
            is_conditional: false,
            failures: Vec::new(),
        }
    }

    /// What fails when the file is the first to be loaded, and how many modules are loaded for it.
    pub(super) fn failures(mut self, entry: &str) -> (Vec<Failure>, usize) {
        self.load(entry);
        (self.failures, self.modules.len())
    }

    fn load(&mut self, path: &str) {
        // Those above a folder without `__init__.py` as well.
        for (at, _) in path.match_indices('/') {
            let package = join(&path[..at], "__init__.py");
            let is_first = package != path && !self.modules.contains_key(&package);
            if is_first && self.facts.project.exists(&package) {
                self.load(&package);
            }
        }
        if self.modules.contains_key(path) {
            return;
        }
        self.modules.insert(path.to_owned(), Module::default());
        if let Some(source) = self.facts.project.source(path) {
            self.module(path).is_open = self.facts.traits(&source).is_open;
            let is_conditional = std::mem::take(&mut self.is_conditional);
            self.statements(&source, source.body());
            self.is_conditional = is_conditional;
            self.check_later_imports(&source);
        } else {
            self.module(path).is_open = true;
        }
        // Only now the package has it as an attribute.
        if let Some((package, name)) = self.parent(path) {
            self.bind(&package, &name, Value::Module(path.to_owned()));
        }
    }

    /// The package that a module is in, and its name there.
    fn parent(&self, path: &str) -> Option<(String, String)> {
        let stem = path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py"))?;
        let package = join(folder_of(stem), "__init__.py");
        let name = stem.rsplit('/').next()?.to_owned();
        (package != path && self.modules.contains_key(&package)).then_some((package, name))
    }

    fn module(&mut self, path: &str) -> &mut Module {
        self.modules.entry(path.to_owned()).or_default()
    }

    pub(super) fn bind(&mut self, path: &str, name: &str, value: Value) {
        self.module(path).names.insert(name.to_owned(), value);
    }

    /// What a top-level name stands for, if it is bound.
    pub(super) fn known(&self, path: &str, name: &str) -> Option<Value> {
        self.modules.get(path)?.names.get(name).cloned()
    }

    /// A name at the top level of a file.
    pub(super) fn global(&mut self, source: &Source, name: &str, range: TextRange) -> Value {
        if let Some(value) = self.known(source.path(), name) {
            return value;
        }
        let is_open = self.modules.get(source.path()).is_none_or(|module| module.is_open);
        if !is_open && !is_builtin(name) && !is_special(name) {
            self.fail(source, range, name, format!("`{name}` is not defined here yet"));
        }
        Value::Other
    }

    /// `module.name`.
    pub(super) fn member(
        &mut self,
        source: &Source,
        range: TextRange,
        module: &str,
        name: &str,
    ) -> Value {
        let Some(known) = self.modules.get(module) else { return Value::Other };
        if let Some(value) = known.names.get(name) {
            return value.clone();
        }
        if !known.is_open && !is_special(name) {
            let what = format!("{module} has no `{name}` yet, or not any more");
            self.fail(source, range, name, what);
        }
        Value::Other
    }

    pub(super) fn import(&mut self, source: &Source, import: &Import) {
        for index in 0..import.names.len() {
            let value = self.import_name(source, import, index);
            let name = &import.names[index];
            if name.name != "*" && import.scope.0 == 0 {
                self.bind(source.path(), name.local(), value);
            }
        }
    }

    fn import_name(&mut self, source: &Source, import: &Import, index: usize) -> Value {
        let path = source.path();
        let specifier = import.specifier(index);
        let Some(found) = self.resolve(source, import, &specifier) else {
            if import.names[index].name == "*" {
                self.module(path).is_open = true;
            }
            return Value::Other;
        };
        self.load(&found);
        let name = &import.names[index];
        if !import.is_from {
            let first = name.local();
            let is_whole = name.alias.is_some() || first == name.name;
            let module = if is_whole { Some(found) } else { self.facts.file(path, first) };
            return module.map_or(Value::Other, Value::Module);
        }
        if name.name == "*" {
            self.import_star(source, import, &found);
            return Value::Other;
        }
        if let Some(value) = self.known(&found, &name.name) {
            return value;
        }
        if let Some(submodule) = self.submodule(path, &specifier, &name.name) {
            self.load(&submodule);
            return Value::Module(submodule);
        }
        let is_open = self.modules.get(&found).is_none_or(|module| module.is_open);
        if !is_open && !is_special(&name.name) {
            let what =
                format!("`{}` of `{specifier}` is not there yet, or not any more", name.name);
            self.fail(source, import.range, &name.name, what);
        }
        Value::Other
    }

    fn import_star(&mut self, source: &Source, import: &Import, module: &str) {
        let Some(from) = self.facts.project.source(module) else { return };
        let Some(known) = self.modules.get(module) else { return };
        let is_open = known.is_open;
        let mut missing = Vec::new();
        let names: Vec<(String, Value)> = match from.all().filter(|all| !all.is_partial) {
            Some(all) => {
                let listed = all.entries.iter().map(|entry| &entry.name);
                missing.extend(listed.clone().filter(|name| !known.names.contains_key(*name)));
                let found = |name: &String| Some((name.clone(), known.names.get(name)?.clone()));
                listed.filter_map(found).collect()
            }
            None => {
                let names = known.names.iter().filter(|(name, _)| !name.starts_with('_'));
                names.map(|(name, value)| (name.clone(), value.clone())).collect()
            }
        };
        let is_partial = from.all().is_some_and(|all| all.is_partial);
        let missing = missing.into_iter().find(|name| self.submodule(module, ".", name).is_none());
        if let Some(name) = missing.filter(|_| !is_open) {
            let what = format!("{module} lists `{name}` in `__all__` and does not have it");
            self.fail(source, import.range, name, what);
        }
        for (name, value) in names {
            self.bind(source.path(), &name, value);
        }
        self.module(source.path()).is_open |= is_open || is_partial;
    }

    /// Imports that run later, inside of functions, must find what they name.
    fn check_later_imports(&mut self, source: &Arc<Source>) {
        let imports = source.imports().iter();
        for import in imports.filter(|import| import.place == ImportPlace::Local) {
            if is_loaded(source, import) {
                continue;
            }
            for (index, name) in import.names.iter().enumerate() {
                let specifier = import.specifier(index);
                let Some(found) = self.resolve(source, import, &specifier) else { continue };
                let is_there = !import.is_from
                    || name.name == "*"
                    || self.has_name(&found, &name.name)
                    || self.submodule(source.path(), &specifier, &name.name).is_some();
                if !is_there {
                    let what = format!("`{specifier}` has no `{}` any more", name.name);
                    self.fail(source, import.range, &name.name, what);
                }
            }
        }
    }

    fn has_name(&self, module: &str, name: &str) -> bool {
        let Some(source) = self.facts.project.source(module) else { return true };
        let scopes = source.scopes();
        let is_open = |import: &Import| import.names.iter().any(|name| name.name == "*");
        scopes.global(name).is_some()
            || scopes.global("__getattr__").is_some()
            || is_special(name)
            || source.imports().iter().any(is_open)
    }

    /// The file of a module. One that is gone fails.
    fn resolve(&mut self, source: &Source, import: &Import, module: &str) -> Option<String> {
        match self.facts.resolve(source.path(), module) {
            Resolved::File(file) => Some(file),
            Resolved::Gone => {
                let name = module.rsplit('.').next().unwrap_or(module);
                self.fail(source, import.range, name, format!("there is no module `{module}`"));
                None
            }
            Resolved::Elsewhere => None,
        }
    }

    fn submodule(&self, path: &str, module: &str, name: &str) -> Option<String> {
        let dot = if module.ends_with('.') { "" } else { "." };
        self.facts.file(path, &format!("{module}{dot}{name}"))
    }

    fn fail(&mut self, source: &Source, range: TextRange, name: &str, what: String) {
        if self.is_conditional {
            return;
        }
        let place =
            Place { path: source.path().to_owned(), line: source.line(range.start()), what };
        self.failures.push(Failure { place, name: name.to_owned() });
    }
}

/// `__name__` and its like, which every module has.
fn is_special(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

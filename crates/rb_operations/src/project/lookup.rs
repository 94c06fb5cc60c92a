//! The names of a module, followed through imports to where they are defined.

use std::collections::BTreeSet;

use rb_python::{Binding, BindingKind, Import, Ranged, Source, VariableId};

use super::{Meaning, Project};
use crate::operation::SymbolPath;

/// What was looked up on the way, so that imports in a circle end.
type Visited = BTreeSet<(String, String)>;

impl Project<'_> {
    /// What a module's top-level name is, through imports, re-exports and `import *`, at the place of its definition. A submodule of a
    /// package counts as a name of it. None if the module has no such name.
    pub(crate) fn lookup(&self, path: &str, name: &str) -> Option<Meaning> {
        self.lookup_from(path, name, &mut Visited::new())
    }

    fn lookup_from(&self, path: &str, name: &str, visited: &mut Visited) -> Option<Meaning> {
        if !visited.insert((path.to_owned(), name.to_owned())) {
            return None;
        }
        let source = self.source(path)?;
        self.own_name(&source, name, visited)
            .or_else(|| self.star_name(&source, name, visited))
            .or_else(|| self.lazy_name(&source, name, visited))
            .or_else(|| self.submodule(path, name))
    }

    fn own_name(&self, source: &Source, name: &str, visited: &mut Visited) -> Option<Meaning> {
        let variable = source.scopes().global(name)?;
        let mut foreign = None;
        let path = self.module_path(source.path());
        // A stub may declare what its module imports.
        let given =
            (path != source.path()).then(|| self.lookup_from(&path, name, &mut visited.clone()));
        let own = match given.flatten() {
            Some(Meaning::Symbol(symbol)) => Meaning::Symbol(symbol),
            _ => Meaning::Symbol(SymbolPath { path, name: name.to_owned() }),
        };
        if Self::is_rebound(source, variable) {
            return Some(own);
        }
        let mut is_defined = false;
        for binding in &source.scopes().variable(variable).bindings {
            match binding.kind {
                BindingKind::Import { import, name } => {
                    match self.import_from(source, &source.imports()[import], name, visited) {
                        Meaning::Foreign(_) | Meaning::Unknown if foreign.is_some() => {}
                        other @ (Meaning::Foreign(_) | Meaning::Unknown) => foreign = Some(other),
                        of_project => return Some(of_project),
                    }
                }
                BindingKind::Function
                | BindingKind::Class
                | BindingKind::Assignment
                | BindingKind::Declaration
                | BindingKind::Parameter
                | BindingKind::Other => is_defined = true,
            }
        }
        // `try: import x` with a definition for its absence: the name is the module's own.
        if is_defined { Some(own) } else { foreign }
    }

    /// Is it bound again after its import, whatever happens? A definition in an `except` or `else` is an alternative to the import.
    fn is_rebound(source: &Source, variable: VariableId) -> bool {
        let bindings = &source.scopes().variable(variable).bindings;
        let is_import = |binding: &&Binding| matches!(binding.kind, BindingKind::Import { .. });
        let Some(last) = bindings.iter().rfind(is_import) else { return false };
        bindings.iter().any(|binding| {
            let is_definition = matches!(
                binding.kind,
                BindingKind::Function | BindingKind::Class | BindingKind::Assignment
            );
            let is_top = || source.body().iter().any(|one| one.range() == binding.statement);
            is_definition && binding.range.start() > last.range.start() && is_top()
        })
    }

    /// What `import *` gives a file under this name, whatever the file binds itself.
    pub(crate) fn star_meaning(&self, source: &Source, name: &str) -> Option<Meaning> {
        self.star_name(source, name, &mut Visited::new())
    }

    fn star_name(&self, source: &Source, name: &str, visited: &mut Visited) -> Option<Meaning> {
        let stars = source.imports().iter().rev().filter(|import| import.scope.0 == 0);
        let stars = stars.filter(|import| import.names.iter().any(|one| one.name == "*"));
        for import in stars {
            let Some(path) = self.files.resolve(source.path(), &import.specifier(0)) else {
                continue;
            };
            if self.gives_with_star(&path, name)
                && let Some(meaning) = self.lookup_from(&path, name, visited)
            {
                return Some(meaning);
            }
        }
        None
    }

    /// By a table that the module's `__getattr__` reads.
    fn lazy_name(&self, source: &Source, name: &str, visited: &mut Visited) -> Option<Meaning> {
        let outline = self.outline(source);
        let modules = outline.lazy_imports(name).iter();
        let mut paths = modules.filter_map(|module| self.lazy_module(source, module));
        paths.find_map(|path| self.lookup_from(&path, name, visited))
    }

    /// The module that a table of lazy imports names, absolutely or from its package.
    pub(crate) fn lazy_module(&self, source: &Source, module: &str) -> Option<String> {
        let resolve = |module: &str| self.files.resolve(source.path(), module);
        resolve(module).or_else(|| resolve(&format!(".{module}")))
    }

    /// Does `from module import *` give this name? By `__all__`, otherwise all that has no underscore before it.
    pub(crate) fn gives_with_star(&self, path: &str, name: &str) -> bool {
        let Some(source) = self.source(path) else { return false };
        match source.all() {
            Some(all) if all.entries.iter().any(|entry| entry.name == name) => true,
            Some(all) if !all.is_partial => false,
            Some(_) | None => !name.starts_with('_'),
        }
    }

    fn submodule(&self, path: &str, name: &str) -> Option<Meaning> {
        let is_package = path.ends_with("__init__.py") || path.ends_with("__init__.pyi");
        let module = is_package.then(|| self.files.resolve(path, &format!(".{name}"))).flatten()?;
        Some(Meaning::Module(module))
    }

    /// What an import binds: the module of `import a.b as c`, `a` of `import a.b`, the symbol of `from a import b`.
    pub(crate) fn imported(&self, source: &Source, import: &Import, name: usize) -> Meaning {
        self.import_from(source, import, name, &mut Visited::new())
    }

    fn import_from(
        &self,
        source: &Source,
        import: &Import,
        index: usize,
        visited: &mut Visited,
    ) -> Meaning {
        let Some(name) = import.names.get(index) else { return Meaning::Unknown };
        if !import.is_from {
            let module = if name.alias.is_some() { &name.name } else { name.local() };
            let found = self.files.resolve(source.path(), module);
            return found.map_or_else(|| Meaning::Foreign(module.to_owned()), Meaning::Module);
        }
        let specifier = import.specifier(index);
        if let Some(path) = self.files.resolve(source.path(), &specifier)
            && let Some(meaning) = self.lookup_from(&path, &name.name, visited)
        {
            return meaning;
        }
        let dot = if specifier.ends_with('.') { "" } else { "." };
        let module = format!("{specifier}{dot}{}", name.name);
        match self.files.resolve(source.path(), &module) {
            Some(path) => Meaning::Module(path),
            None if import.level > 0 => Meaning::Unknown,
            None if self.files.resolve(source.path(), &specifier).is_some() => Meaning::Unknown,
            None => Meaning::Foreign(module),
        }
    }

    /// The module that a `from` import names; None for one that is not of the project.
    pub(crate) fn imported_module(&self, source: &Source, import: &Import) -> Option<String> {
        if !import.is_from {
            return None;
        }
        self.files.resolve(source.path(), &import.specifier(0))
    }

    /// All `from module import *` at the top level of a file: the file, and that of the module.
    pub(crate) fn star_imports(&self) -> &[(String, String)] {
        self.star_imports.get_or_init(|| {
            let has_star = |path: &&String| {
                self.files.text(path).is_some_and(|text| text.contains("import *"))
            };
            let mut pairs = Vec::new();
            for path in self.python_paths().iter().filter(has_star) {
                let Some(source) = self.source(path) else { continue };
                let imports = source.imports().iter().filter(|import| import.scope.0 == 0);
                for import in imports.filter(|one| one.names.iter().any(|name| name.name == "*")) {
                    let module = self.imported_module(&source, import);
                    pairs.extend(module.map(|module| (path.clone(), module)));
                }
            }
            pairs
        })
    }
}

//! The modules that give a symbol to others under its own name: the one that defines it, and all that import it at their top level.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::ScopeId;

use crate::operation::SymbolPath;
use crate::project::{Meaning, Project};

#[derive(Debug, Default)]
pub(super) struct Exposure {
    /// In an unbroken chain of imports: where an alias comes between, it is the alias that others have.
    pub(super) modules: BTreeSet<String>,
}

/// Files that import a name under the same name at their top level, by the module that they take it from.
type Imports = BTreeMap<String, Vec<String>>;

impl Project<'_> {
    pub(super) fn exposure(&self, symbol: &SymbolPath) -> Exposure {
        let imports = self.imports_of(&symbol.name);
        let mut modules = BTreeSet::from([symbol.path.clone()]);
        let mut open = vec![symbol.path.clone()];
        while let Some(path) = open.pop() {
            let takers = imports.get(&path).into_iter().flatten();
            let gives_with_star = self.gives_with_star(&path, &symbol.name);
            let stars =
                self.star_imports().iter().filter(|(_, module)| gives_with_star && *module == path);
            for file in takers.chain(stars.map(|(file, _)| file)) {
                let module = self.module_path(file);
                let means_it =
                    || self.lookup(file, &symbol.name) == Some(Meaning::Symbol(symbol.clone()));
                if !modules.contains(&module) && means_it() {
                    modules.insert(module.clone());
                    open.push(module);
                }
            }
        }
        Exposure { modules }
    }

    fn imports_of(&self, name: &str) -> Imports {
        let mut imports = Imports::new();
        for file in self.files_with(&[name]) {
            let Some(source) = self.source(&file) else { continue };
            let top = source.imports().iter().filter(|one| one.is_from && one.scope == ScopeId(0));
            let of_name = top.filter(|import| {
                import.names.iter().any(|one| one.name == name && one.local() == name)
            });
            let modules = of_name.filter_map(|import| self.imported_module(&source, import));
            let outline = self.outline(&source);
            let lazy = outline.lazy_imports(name).iter();
            let lazy = lazy.filter_map(|module| self.lazy_module(&source, module));
            for module in modules.chain(lazy) {
                imports.entry(self.module_path(&module)).or_default().push(file.clone());
            }
        }
        imports
    }
}

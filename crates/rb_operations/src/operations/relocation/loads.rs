//! Which modules a module loads when it is imported, and whether that leads back to it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rb_python::ast::{CmpOp, Expr, Stmt};
use rb_python::{Import, ImportPlace, Ranged, Source};

use super::timing::is_in_function;
use crate::files::{folder_of, import_root, join};
use crate::project::{Project, word_ranges};

/// The imports of the project as they run at load time.
pub(in crate::operations) struct Loads<'p, 'f> {
    project: &'p Project<'f>,
    edges: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl<'p, 'f> Loads<'p, 'f> {
    pub(in crate::operations) fn new(project: &'p Project<'f>) -> Self {
        Loads { project, edges: RefCell::default() }
    }

    /// The files that a file loads directly.
    pub(in crate::operations) fn of(&self, path: &str) -> BTreeSet<String> {
        if let Some(edges) = self.edges.borrow().get(path) {
            return edges.clone();
        }
        let edges =
            self.project.source(path).map(|source| self.of_source(&source)).unwrap_or_default();
        self.edges.borrow_mut().insert(path.to_owned(), edges.clone());
        edges
    }

    pub(super) fn of_source(&self, source: &Source) -> BTreeSet<String> {
        let mut edges = BTreeSet::new();
        for import in source.imports().iter().filter(|import| is_loaded(source, import)) {
            for name in 0..import.names.len() {
                let module = import.specifier(name);
                let member = import.is_from.then(|| import.names[name].name.as_str());
                edges.extend(self.of_import(source.path(), &module, member));
            }
        }
        edges
    }

    /// The files that one import loads: the module, the packages around it, and a submodule that is imported by name.
    pub(super) fn of_import(
        &self,
        path: &str,
        module: &str,
        member: Option<&str>,
    ) -> BTreeSet<String> {
        let mut loaded = BTreeSet::new();
        let Some(found) = self.project.files.resolve(path, module) else { return loaded };
        let found = self.project.module_path(&found);
        if let Some(member) = member.filter(|_| found.ends_with("__init__.py")) {
            let dot = if module.ends_with('.') { "" } else { "." };
            let submodule = self.project.files.resolve(path, &format!("{module}{dot}{member}"));
            loaded.extend(submodule.map(|submodule| self.project.module_path(&submodule)));
        }
        loaded.insert(found);
        let packages: Vec<String> = loaded.iter().flat_map(|file| self.packages(file)).collect();
        loaded.extend(packages);
        // The packages around a file are being loaded already when its imports run.
        let own: BTreeSet<String> = self.packages(path).into_iter().collect();
        loaded.retain(|file| !own.contains(file) && file != path);
        loaded
    }

    /// The `__init__.py` of every package that a file is in.
    pub(in crate::operations) fn packages(&self, path: &str) -> Vec<String> {
        let exists = |path: &str| self.project.exists(path);
        let root = import_root(&exists, path);
        let mut packages = Vec::new();
        let mut folder = folder_of(path);
        while folder.len() > root.len() {
            packages.push(join(folder, "__init__.py"));
            folder = folder_of(folder);
        }
        packages
    }

    /// A chain of imports from one of the first files to one of the others, ends included.
    pub(in crate::operations) fn chain(
        &self,
        from: &BTreeSet<String>,
        to: &BTreeSet<String>,
    ) -> Option<Vec<String>> {
        let mut before: BTreeMap<String, Option<String>> =
            from.iter().map(|path| (path.clone(), None)).collect();
        let mut queue: VecDeque<String> = from.iter().cloned().collect();
        while let Some(path) = queue.pop_front() {
            if to.contains(&path) {
                let mut chain = vec![path];
                while let Some(Some(previous)) = chain.last().map(|last| before[last].clone()) {
                    chain.push(previous);
                }
                chain.reverse();
                return Some(chain);
            }
            for next in self.of(&path) {
                if !before.contains_key(&next) {
                    before.insert(next.clone(), Some(path.clone()));
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

/// Does the import run when the module is loaded?
pub(in crate::operations) fn is_loaded(source: &Source, import: &Import) -> bool {
    match import.place {
        ImportPlace::Top => true,
        ImportPlace::Conditional => !source.body().iter().any(|statement| match statement {
            Stmt::If(branch) => {
                is_for_scripts(source, &branch.test)
                    && branch.body.iter().any(|one| one.range().contains_range(import.range))
            }
            _ => false,
        }),
        ImportPlace::TypeChecking => false,
        ImportPlace::Local => !is_in_function(source, import.scope),
    }
}

/// `__name__ == "__main__"`: not so in a module that is imported.
pub(in crate::operations) fn is_for_scripts(source: &Source, condition: &Expr) -> bool {
    let Expr::Compare(compare) = condition else { return false };
    let text = source.slice(compare.range);
    matches!(&*compare.ops, [CmpOp::Eq])
        && word_ranges(text, "__name__").next().is_some()
        && word_ranges(text, "__main__").next().is_some()
}

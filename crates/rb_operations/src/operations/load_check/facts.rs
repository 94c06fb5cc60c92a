//! What is the same however modules are loaded, found once for all that is loaded of a project.

use std::cell::RefCell;

use rb_python::Source;
use rustc_hash::FxHashMap;

use crate::files::Files;
use crate::operations::relocation::timing;
use crate::project::Project;

pub(super) struct Facts<'p, 'f> {
    pub(super) project: &'p Project<'f>,
    before: &'p dyn Files,
    traits: RefCell<FxHashMap<String, Traits>>,
    /// By file, then by the module as it is written.
    resolved: RefCell<FxHashMap<String, FxHashMap<String, Resolved>>>,
}

/// Where a module is.
#[derive(Clone)]
pub(super) enum Resolved {
    File(String),
    /// It was there before.
    Gone,
    Elsewhere,
}

#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// It may have names that are not seen: `__getattr__`, `globals()`.
    pub(super) is_open: bool,
    /// Its annotations are not evaluated.
    pub(super) has_future: bool,
}

impl<'p, 'f> Facts<'p, 'f> {
    pub(super) fn new(project: &'p Project<'f>, before: &'p dyn Files) -> Self {
        Facts { project, before, traits: RefCell::default(), resolved: RefCell::default() }
    }

    pub(super) fn traits(&self, source: &Source) -> Traits {
        if let Some(traits) = self.traits.borrow().get(source.path()) {
            return *traits;
        }
        let scopes = source.scopes();
        let is_open = scopes.global("__getattr__").is_some()
            || scopes.names.iter().any(|name| matches!(&*name.name, "globals" | "vars"));
        let traits = Traits { is_open, has_future: timing::has_future(source) };
        self.traits.borrow_mut().insert(source.path().to_owned(), traits);
        traits
    }

    /// The module as a file would import it.
    pub(super) fn resolve(&self, path: &str, module: &str) -> Resolved {
        let known =
            self.resolved.borrow().get(path).and_then(|modules| modules.get(module).cloned());
        known.unwrap_or_else(|| {
            let found = match self.project.files.resolve(path, module) {
                Some(found) => Resolved::File(self.project.module_path(&found)),
                None if self.before.resolve(path, module).is_some() => Resolved::Gone,
                None => Resolved::Elsewhere,
            };
            let mut resolved = self.resolved.borrow_mut();
            let modules = resolved.entry(path.to_owned()).or_default();
            modules.insert(module.to_owned(), found.clone());
            found
        })
    }

    pub(super) fn file(&self, path: &str, module: &str) -> Option<String> {
        match self.resolve(path, module) {
            Resolved::File(file) => Some(file),
            Resolved::Gone | Resolved::Elsewhere => None,
        }
    }
}

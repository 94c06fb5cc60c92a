//! What a name of the old module stands for, as the new module has to write it.

use rb_python::ImportPlace;

use super::Relocation;
use super::needs::{Need, Origin};
use super::specifier::{Form, form, module_name, specifier};
use crate::files::folder_of;
use crate::imports::Imported;
use crate::project::Meaning;

/// A thing that moved code takes from elsewhere.
pub(super) enum Wanted {
    Import(Imported, ImportPlace),
    /// A definition of the new module itself, under this name there.
    Target(String),
    /// The new module as a namespace, written so.
    TargetModule(String),
}

/// What a name of the old module stands for, as the new module writes it.
pub(super) fn wanted(relocation: &Relocation<'_, '_>, need: &Need) -> Vec<Wanted> {
    let (project, old, to) = (relocation.project, &relocation.old, relocation.to.as_str());
    match &need.origin {
        Origin::Own => {
            let module = specifier(project, to, old.path(), relocation.form_of_target(old.path()));
            vec![Wanted::Import(Imported::from(module, &need.name), ImportPlace::Top)]
        }
        Origin::Star => match project.lookup(old.path(), &need.name) {
            Some(Meaning::Symbol(symbol)) if symbol.path == to => vec![Wanted::Target(symbol.name)],
            Some(Meaning::Symbol(symbol)) => {
                let module =
                    specifier(project, to, &symbol.path, relocation.form_of_target(&symbol.path));
                let imported = Imported::from(module, symbol.name).named(&need.name);
                vec![Wanted::Import(imported, ImportPlace::Top)]
            }
            Some(Meaning::Foreign(path)) => {
                path.rsplit_once('.').map_or_else(Vec::new, |(module, name)| {
                    vec![Wanted::Import(
                        Imported::from(module, name).named(&need.name),
                        ImportPlace::Top,
                    )]
                })
            }
            Some(Meaning::Module(_) | Meaning::Instance(_) | Meaning::Unknown) | None => Vec::new(),
        },
        Origin::Import(imports) => imports
            .iter()
            .map(|(import, name)| {
                let statement = &old.imports()[*import];
                relocation.carried(&Imported::of(statement, *name), statement.place)
            })
            .collect(),
    }
}

impl Relocation<'_, '_> {
    /// An import of the old module as the new one writes it.
    fn carried(&self, imported: &Imported, place: ImportPlace) -> Wanted {
        let (project, old) = (self.project, self.old.path());
        let resolve = |module: &str| {
            let found = project.files.resolve(old, module);
            found.map(|found| project.module_path(&found))
        };
        let module = resolve(&imported.module);
        let submodule = imported.name.as_ref().and_then(|name| {
            let dot = if imported.module.ends_with('.') { "" } else { "." };
            resolve(&format!("{}{dot}{name}", imported.module))
        });
        if submodule.as_deref() == Some(&self.to)
            || (imported.name.is_none() && module.as_deref() == Some(&self.to))
        {
            let is_dotted = imported.name.is_none() && imported.alias.is_none();
            let written = if is_dotted { &imported.module } else { imported.local() };
            return Wanted::TargetModule(written.to_owned());
        }
        let is_bound = |name: &str| {
            let target = self.target.as_deref();
            target.is_some_and(|target| target.scopes().global(name).is_some())
        };
        if let (Some(name), Some(path)) = (&imported.name, &module)
            && *path == self.to
            && (submodule.is_none() || is_bound(name))
        {
            return Wanted::Target(name.clone());
        }
        let mut new = imported.clone();
        new.module = self.respecified(&imported.module);
        Wanted::Import(new, place)
    }

    /// A relative module of the old file, written from the new file.
    pub(super) fn respecified(&self, module: &str) -> String {
        let old = self.old.path();
        let is_same_folder = folder_of(old) == folder_of(&self.to);
        if !module.starts_with('.') {
            return self.relative_if_usual(module);
        }
        if is_same_folder {
            return module.to_owned();
        }
        match self.project.files.resolve(old, module) {
            Some(path) => specifier(self.project, &self.to, &path, self.form_of_target(&path)),
            None => absolute(&module_name(self.project, old), old, module),
        }
    }

    /// An absolute import of a neighbour is relative in a file that has no other way of importing it.
    fn relative_if_usual(&self, module: &str) -> String {
        let found = self.project.files.resolve(self.old.path(), module);
        match (&self.target, found) {
            (Some(target), Some(path)) if module_name(self.project, &path) == module => {
                let has_own = target.imports().iter().any(|import| {
                    import.level == 0 && {
                        let first = import.specifier(0);
                        first.split('.').next() == module.split('.').next()
                    }
                });
                let form = if has_own { Form::Absolute } else { form(self.project, target, &path) };
                specifier(self.project, &self.to, &path, form)
            }
            _ => module.to_owned(),
        }
    }

    /// How the new module writes an import; a module that is created writes as the old one does.
    pub(super) fn form_of_target(&self, path: &str) -> Form {
        match self.target.as_deref() {
            Some(target) => form(self.project, target, path),
            None if folder_of(&self.to) == folder_of(self.old.path()) => {
                form(self.project, &self.old, path)
            }
            None => Form::Absolute,
        }
    }
}

/// `..c` in the module `a.b.x` is `a.c`.
fn absolute(name: &str, path: &str, module: &str) -> String {
    let rest = module.trim_start_matches('.');
    let dots = module.len() - rest.len();
    let mut parts: Vec<&str> = name.split('.').collect();
    let is_package = path.ends_with("__init__.py");
    for _ in usize::from(is_package)..dots {
        parts.pop();
    }
    parts.extend((!rest.is_empty()).then_some(rest));
    parts.join(".")
}

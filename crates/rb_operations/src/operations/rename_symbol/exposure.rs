//! Through which imports other files have the symbol, and which of them go on under the old name.
//!
//! A module that keeps the name (`from .a import new as old`) hides the rename from everyone who takes it from there: their imports, names,
//! attributes and strings name the re-export and stay as they are.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_python::{BindingKind, ScopeId, Source, VariableId};

use super::receivers::module_before;
use crate::project::Project;
use crate::references::{Found, Reference, ReferenceKind};

/// `old` of `from m import old [as alias]`.
pub(super) struct ImportedName {
    pub(super) source: Arc<Source>,
    pub(super) import: usize,
    pub(super) name: usize,
    /// The file of `m`.
    from: Option<String>,
    /// Bound under the old name; None if there is another alias.
    pub(super) variable: Option<VariableId>,
}

/// All imports of the symbol.
pub(super) struct Exposure {
    pub(super) imports: Vec<ImportedName>,
    /// Files that have it by `from m import *`, and the file of `m`.
    stars: Vec<(String, String)>,
}

/// Who goes on under the old name.
#[derive(Default, Clone)]
pub(super) struct Kept {
    pub(super) modules: BTreeSet<String>,
    pub(super) variables: BTreeSet<(String, VariableId)>,
}

impl Exposure {
    pub(super) fn new(project: &Project<'_>, found: &Found, old: &str) -> Self {
        let imports = found.references.iter().filter_map(|reference| match reference.kind {
            ReferenceKind::Import { import, name } => {
                imported_name(project, &reference.path, import, name, old)
            }
            ReferenceKind::Definition
            | ReferenceKind::Name
            | ReferenceKind::Attribute
            | ReferenceKind::All
            | ReferenceKind::String
            | ReferenceKind::Keyword => None,
        });
        let imports = imports.collect();
        let paths: BTreeSet<&str> =
            found.references.iter().map(|reference| reference.path.as_str()).collect();
        let stars = paths.into_iter().flat_map(|path| stars_of(project, path)).collect();
        Exposure { imports, stars }
    }

    /// Files with `from m import *`, where `m` is the file.
    pub(super) fn star_importers<'e>(&'e self, path: &'e str) -> impl Iterator<Item = &'e str> {
        self.stars.iter().filter(move |(_, from)| from == path).map(|(file, _)| file.as_str())
    }

    /// Modules other than the first that have the name at their top level.
    pub(super) fn importing_modules(&self) -> BTreeSet<&str> {
        let imports = self.imports.iter().filter(|import| import.is_at_top_level());
        imports.map(|import| import.source.path()).collect()
    }

    /// Takes in everyone who has the name from a module that keeps it.
    pub(super) fn close(&self, kept: &mut Kept) {
        loop {
            let before = (kept.modules.len(), kept.variables.len());
            for import in &self.imports {
                let is_kept = kept.modules.contains(import.source.path())
                    || import.from.as_ref().is_some_and(|from| kept.modules.contains(from));
                let Some(variable) = import.variable.filter(|_| is_kept) else { continue };
                kept.variables.insert((import.source.path().to_owned(), variable));
            }
            for import in &self.imports {
                let path = import.source.path().to_owned();
                let key = import.variable.map(|variable| (path.clone(), variable));
                let is_kept = key.is_some_and(|key| kept.variables.contains(&key));
                if is_kept && import.is_at_top_level() {
                    kept.modules.insert(path);
                }
            }
            for (file, from) in &self.stars {
                if kept.modules.contains(from) {
                    kept.modules.insert(file.clone());
                }
            }
            if before == (kept.modules.len(), kept.variables.len()) {
                return;
            }
        }
    }
}

impl ImportedName {
    /// It is taken from a module that keeps the old name.
    pub(super) fn stays(&self, kept: &Kept) -> bool {
        self.from.as_ref().is_some_and(|from| kept.modules.contains(from))
    }

    fn is_at_top_level(&self) -> bool {
        let variable = self.variable.map(|id| self.source.scopes().variable(id));
        variable.is_some_and(|variable| variable.scope == ScopeId(0))
    }
}

impl Kept {
    /// A reference other than an import: does it name the re-export, or a variable that stays?
    pub(super) fn covers(&self, project: &Project<'_>, reference: &Reference) -> bool {
        if self.modules.is_empty() && self.variables.is_empty() {
            return false;
        }
        let Some(source) = project.source(&reference.path) else { return false };
        match reference.kind {
            ReferenceKind::All => self.modules.contains(&reference.path),
            ReferenceKind::Attribute | ReferenceKind::String => {
                let module = module_before(project, &source, reference.range);
                module.is_some_and(|module| self.modules.contains(&module))
            }
            ReferenceKind::Definition | ReferenceKind::Name => {
                let name = source.scopes().name_at(reference.range);
                match name.and_then(|name| name.variable) {
                    Some(variable) => self.variables.contains(&(reference.path.clone(), variable)),
                    // By `import *`.
                    None => self.modules.contains(&reference.path),
                }
            }
            ReferenceKind::Import { .. } | ReferenceKind::Keyword => false,
        }
    }
}

fn imported_name(
    project: &Project<'_>,
    path: &str,
    import: usize,
    name: usize,
    old: &str,
) -> Option<ImportedName> {
    let source = project.source(path)?;
    let statement = source.imports().get(import)?;
    let imported = statement.names.get(name)?;
    let from = project.files.resolve(path, &statement.specifier(name));
    let variable = (imported.local() == old).then(|| bound_by(&source, import, name)).flatten();
    Some(ImportedName { source, import, name, from, variable })
}

/// The variable that an import binds.
fn bound_by(source: &Source, import: usize, name: usize) -> Option<VariableId> {
    let kind = BindingKind::Import { import, name };
    let variables = (0_u32..).zip(&source.scopes().variables);
    let mut bound = variables
        .filter(|(_, variable)| variable.bindings.iter().any(|binding| binding.kind == kind));
    bound.next().map(|(index, _)| VariableId(index))
}

fn stars_of(project: &Project<'_>, path: &str) -> Vec<(String, String)> {
    let Some(source) = project.source(path) else { return Vec::new() };
    let stars = source.imports().iter().filter(|import| import.names.iter().any(|n| n.name == "*"));
    let files = stars.filter_map(|import| project.files.resolve(path, &import.specifier(0)));
    files.map(|file| (path.to_owned(), file)).collect()
}

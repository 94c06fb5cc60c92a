//! What the new module binds already: the same thing, something else, or nothing.

use rb_python::{BindingKind, ImportPlace, Source};

use super::Relocation;
use super::needs::Need;
use crate::imports::Imported;
use crate::project::Meaning;

pub(super) enum Same {
    There,
    /// It is there, but only below `if TYPE_CHECKING:`.
    ForTypesOnly,
    No,
}

/// Does the new module have the name with the same meaning?
pub(super) fn same_in_target(
    relocation: &Relocation<'_, '_>,
    target: &Source,
    imported: &Imported,
    need: &Need,
) -> Same {
    let Some(variable) = target.scopes().global(imported.local()) else { return Same::No };
    let (project, to) = (relocation.project, relocation.to.as_str());
    let resolved = |imported: &Imported| {
        let module =
            project.files.resolve(to, &imported.module).unwrap_or_else(|| imported.module.clone());
        (module, imported.name.clone())
    };
    let mut same = Vec::new();
    for binding in &target.scopes().variable(variable).bindings {
        if let BindingKind::Import { import, name } = binding.kind {
            let statement = &target.imports()[import];
            if resolved(&Imported::of(statement, name)) == resolved(imported) {
                same.push(statement.place);
            }
        }
    }
    let is_known = |meaning: &Meaning| !matches!(meaning, Meaning::Unknown | Meaning::Instance(_));
    let here = project.lookup(to, imported.local()).filter(is_known);
    let is_same_meaning =
        here.is_some() && here == project.lookup(relocation.old.path(), &need.name);
    match same.as_slice() {
        [] if is_same_meaning => Same::There,
        [] => Same::No,
        [ImportPlace::TypeChecking] if !need.is_type_only() => Same::ForTypesOnly,
        _ => Same::There,
    }
}

/// `import a.b`, which binds `a`.
pub(super) fn is_dotted(imported: &Imported) -> bool {
    imported.name.is_none() && imported.alias.is_none() && imported.module.contains('.')
}

/// Is the name bound by statements such as `import a.c` alone?
pub(super) fn binds_packages_only(source: &Source, name: &str) -> bool {
    let Some(variable) = source.scopes().global(name) else { return true };
    source.scopes().variable(variable).bindings.iter().all(|binding| match binding.kind {
        BindingKind::Import { import, name } => {
            let statement = &source.imports()[import];
            !statement.is_from && statement.names[name].alias.is_none()
        }
        _ => false,
    })
}

/// A name that the module uses and nothing in it binds: a builtin, most likely.
pub(super) fn is_unbound_in(source: &Source, name: &str) -> bool {
    source.scopes().names.iter().any(|used| used.variable.is_none() && used.name == name)
}

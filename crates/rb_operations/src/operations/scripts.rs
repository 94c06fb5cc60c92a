//! Files that are run rather than imported: an import would load such a file a second time, under another name.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::Source;

use crate::files::{Files, folder_of, join};
use crate::layout;
use crate::outcome::{FileChange, Place, Refusal};
use crate::project::{Project, is_python};

/// No file begins to import a script that nothing imported before.
pub(super) fn check_scripts(
    before: &dyn Files,
    after: &dyn Files,
    changes: &BTreeMap<String, FileChange>,
) -> Result<(), Refusal> {
    let (old, new) = (Project::new(before), Project::new(after));
    for path in changes.keys().filter(|path| is_python(path)) {
        let Some(source) = new.source(path) else { continue };
        let known = old.source(path).map(|source| imported(&old, &source)).unwrap_or_default();
        let known: BTreeSet<String> = known.into_keys().collect();
        for (module, line) in imported(&new, &source) {
            if known.contains(&module) || !is_script(&old, &module) {
                continue;
            }
            let reason = format!("{module} is run as a program, and {path} would import it");
            let mut refusal = Refusal::new(reason, "choose a module that is not run itself");
            let what = "the import would run it a second time".to_owned();
            refusal.places.push(Place { path: path.clone(), line, what });
            return Err(refusal);
        }
    }
    Ok(())
}

/// The files that a file imports, with the line.
fn imported(project: &Project<'_>, source: &Source) -> BTreeMap<String, u32> {
    let mut modules = BTreeMap::new();
    for import in source.imports() {
        for index in 0..import.names.len() {
            let found = project.files.resolve(source.path(), &import.specifier(index));
            modules.extend(found.map(|found| (found, source.line(import.range.start()))));
        }
    }
    modules
}

/// Outside of packages, with a part for when it is run, and not imported by anything.
fn is_script(project: &Project<'_>, path: &str) -> bool {
    let Some(source) = project.source(path) else { return false };
    let is_alone = !project.exists(&join(folder_of(path), "__init__.py"));
    (path.ends_with("/__main__.py") || (is_alone && layout::main_guard(&source).is_some()))
        && project.module_references(path).references.is_empty()
}

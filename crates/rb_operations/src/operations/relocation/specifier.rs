//! How a file names a module of the project: `a.b.c`, or `.c` where its package writes so.

use std::collections::BTreeMap;

use rb_python::Source;

use crate::files::{folder_of, import_root, join};
use crate::project::Project;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::operations) enum Form {
    Absolute,
    Relative,
}

/// The dotted name of a file. A folder without `__init__.py` inside of a package belongs to it.
pub(in crate::operations) fn module_name(project: &Project<'_>, path: &str) -> String {
    let is_package = |folder: &str| project.exists(&join(folder, "__init__.py"));
    let own = folder_of(path);
    if own.is_empty() || is_package(own) {
        return project.module_name(path);
    }
    let mut folder = folder_of(own);
    while !folder.is_empty() && !is_package(folder) {
        folder = folder_of(folder);
    }
    if folder.is_empty() {
        return project.module_name(path);
    }
    let package = project.module_name(&join(folder, "__init__.py"));
    let below = path[folder.len()..].trim_start_matches('/');
    let name = format!(
        "{package}.{}",
        below.trim_end_matches(".pyi").trim_end_matches(".py").replace('/', ".")
    );
    // A script beside a package's modules is no module of it.
    let is_there = project.exists(path);
    if is_there && project.files.resolve(path, &name).as_deref() != Some(path) {
        return project.module_name(path);
    }
    name
}

/// The module of a file as another file writes it. Modules of another package are absolute in any case.
pub(in crate::operations) fn specifier(
    project: &Project<'_>,
    from: &str,
    to: &str,
    form: Form,
) -> String {
    let absolute = module_name(project, to);
    if form == Form::Absolute {
        return absolute;
    }
    let own = module_name(project, from);
    let mut package: Vec<&str> = own.split('.').collect();
    if !from.ends_with("__init__.py") && !from.ends_with("__init__.pyi") {
        package.pop();
    }
    let target: Vec<&str> = absolute.split('.').collect();
    let shared = package.iter().zip(&target).take_while(|(left, right)| left == right).count();
    let exists = |path: &str| project.exists(path);
    if shared == 0
        || import_root(&exists, &anchor(project, from))
            != import_root(&exists, &anchor(project, to))
    {
        return absolute;
    }
    let dots = ".".repeat(package.len() - shared + 1);
    format!("{dots}{}", target[shared..].join("."))
}

/// The `__init__.py` of the nearest package around a file; the file itself if there is none.
fn anchor(project: &Project<'_>, path: &str) -> String {
    let mut folder = folder_of(path);
    while !folder.is_empty() {
        let package = join(folder, "__init__.py");
        if project.exists(&package) {
            return package;
        }
        folder = folder_of(folder);
    }
    path.to_owned()
}

/// How a file would write an import of a module that it does not import yet: as its other imports of that package, else as its neighbours
/// do if they agree, else as its other imports of the project.
pub(in crate::operations) fn form(project: &Project<'_>, source: &Source, to: &str) -> Form {
    let counts = count(project, source, folder_of(to));
    if counts != Counts::default() {
        return if counts.relative >= counts.absolute { Form::Relative } else { Form::Absolute };
    }
    let written = specifier(project, source.path(), to, Form::Relative);
    let dots = written.len() - written.trim_start_matches('.').len();
    let reaches = source.imports().iter().any(|import| import.level as usize >= dots.max(1));
    if reaches {
        return Form::Relative;
    }
    let neighbours = neighbours(project, source.path(), folder_of(to));
    let agree = neighbours.relative > 0 && neighbours.absolute == 0;
    if agree { Form::Relative } else { Form::Absolute }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    relative: usize,
    absolute: usize,
}

/// Imports of modules in one folder.
fn count(project: &Project<'_>, source: &Source, folder: &str) -> Counts {
    let mut counts = Counts::default();
    for import in source.imports() {
        let mut seen = BTreeMap::new();
        for name in 0..import.names.len() {
            seen.insert(import.specifier(name), name);
        }
        for (module, name) in seen {
            let Some(mut path) = project.files.resolve(source.path(), &module) else { continue };
            if import.is_from {
                let dot = if module.ends_with('.') { "" } else { "." };
                let submodule = format!("{module}{dot}{}", import.names[name].name);
                path = project.files.resolve(source.path(), &submodule).unwrap_or(path);
            }
            if folder_of(&path) != folder || path == source.path() {
                continue;
            }
            if import.level > 0 { counts.relative += 1 } else { counts.absolute += 1 }
        }
    }
    counts
}

/// How the other modules of the file's folder import modules of the target's folder.
fn neighbours(project: &Project<'_>, path: &str, folder: &str) -> Counts {
    let own = folder_of(path);
    let mut total = Counts::default();
    let files = project.python_files();
    let beside = files.iter().filter(|other| folder_of(other) == own && other.as_str() != path);
    for other in beside.filter_map(|other| project.source(other)) {
        let counts = count(project, &other, folder);
        total.relative += counts.relative;
        total.absolute += counts.absolute;
    }
    total
}

//! Packages that bind the name of one of their own modules: `from .core import load` beside `load.py`.
//!
//! Which of the two `package.load` means depends on the order in which modules are loaded, so that no use of it can be followed. What the
//! module gives itself (`from .load import load`) is clear: the name hides the module.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::{Binding, BindingKind, Source};

use crate::files::{Files, folder_of, join};
use crate::outcome::{FileChange, Place, Refusal};
use crate::project::{Project, is_python};

pub(super) fn check_shadowed_modules(
    before: &dyn Files,
    after: &dyn Files,
    changes: &BTreeMap<String, FileChange>,
) -> Result<(), Refusal> {
    let (old, new) = (Project::new(before), Project::new(after));
    for path in changes.keys().filter(|path| is_python(path)) {
        for project in [&old, &new] {
            if let Some(source) = project.source(path) {
                check_package(project, &source)?;
                check_module(project, path)?;
            }
        }
        check_new_imports(&old, &new, path)?;
    }
    Ok(())
}

/// A changed package.
fn check_package(project: &Project<'_>, package: &Source) -> Result<(), Refusal> {
    if !package.path().ends_with("__init__.py") {
        return Ok(());
    }
    let globals = package.scopes().scopes.first().into_iter().flat_map(|scope| &scope.variables);
    for (name, _) in globals {
        if let Some(module) = project.files.resolve(package.path(), &format!(".{name}")) {
            check(project, package, name, &module)?;
        }
    }
    Ok(())
}

/// A changed module.
fn check_module(project: &Project<'_>, path: &str) -> Result<(), Refusal> {
    let stem = path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py"));
    let Some(stem) = stem else { return Ok(()) };
    let package = project.source(&join(folder_of(stem), "__init__.py"));
    let name = stem.rsplit('/').next().unwrap_or(stem);
    match package {
        Some(package) if package.path() != path => check(project, &package, name, path),
        Some(_) | None => Ok(()),
    }
}

fn check(project: &Project<'_>, package: &Source, name: &str, module: &str) -> Result<(), Refusal> {
    let is_other = |binding: &&Binding| !is_own(project, package, binding, module);
    match bindings(package, name).iter().find(is_other) {
        Some(binding) => Err(refusal(package, name, binding)),
        None => Ok(()),
    }
}

fn bindings<'s>(package: &'s Source, name: &str) -> &'s [Binding] {
    let scopes = package.scopes();
    scopes.global(name).map_or(&[], |id| &scopes.variable(id).bindings)
}

/// Is it the module, or something of the module?
fn is_own(project: &Project<'_>, package: &Source, binding: &Binding, module: &str) -> bool {
    let BindingKind::Import { import, name } = binding.kind else { return false };
    let import = &package.imports()[import];
    let from = project.files.resolve(package.path(), &import.specifier(name));
    let is_module = |path: String| project.module_path(&path) == project.module_path(module);
    let is_package = |path: &String| {
        path == package.path() && package.slice(binding.range) == import.names[name].name
    };
    from.is_some_and(|from| is_package(&from) || is_module(from))
}

/// A changed file must not begin to import a module that a name of its package hides.
fn check_new_imports(old: &Project<'_>, new: &Project<'_>, path: &str) -> Result<(), Refusal> {
    let Some(source) = new.source(path) else { return Ok(()) };
    let known = old.source(path).map(|source| modules(old, &source)).unwrap_or_default();
    for (package, name) in modules(new, &source).difference(&known) {
        let Some(package) = new.source(package) else { continue };
        let is_name = |binding: &&Binding| !is_module_itself(&package, binding);
        if let Some(binding) = bindings(&package, name).iter().find(is_name) {
            return Err(refusal(&package, name, binding));
        }
    }
    Ok(())
}

/// `from . import load`, `import package.load as load`.
fn is_module_itself(package: &Source, binding: &Binding) -> bool {
    let BindingKind::Import { import, .. } = binding.kind else { return false };
    let import = &package.imports()[import];
    !import.is_from || (import.module.is_none() && import.level == 1)
}

/// The modules that a file imports as a whole: the file of the package, and the name in it.
fn modules(project: &Project<'_>, source: &Source) -> BTreeSet<(String, String)> {
    let mut modules = BTreeSet::new();
    for import in source.imports() {
        for (index, imported) in import.names.iter().enumerate() {
            let specifier = import.specifier(index);
            let (package, name) = if import.is_from {
                (specifier, imported.name.as_str())
            } else {
                let Some((package, name)) = imported.name.rsplit_once('.') else { continue };
                (package.to_owned(), name)
            };
            let Some(package) = project.files.resolve(source.path(), &package) else { continue };
            let is_module = package.ends_with("__init__.py")
                && project.files.resolve(&package, &format!(".{name}")).is_some();
            if is_module {
                modules.insert((package, name.to_owned()));
            }
        }
    }
    modules
}

fn refusal(package: &Source, name: &str, binding: &Binding) -> Refusal {
    let path = package.path();
    let reason = format!("`{name}` is both a name of {path} and a module of that package");
    let mut refusal = Refusal::new(reason, "rename one of the two by hand first");
    let line = package.line(binding.range.start());
    let what = format!("`{name}` is bound here");
    refusal.places.push(Place { path: path.to_owned(), line, what });
    refusal
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::operations::snapshot::snapshot;

    fn check(fixture: &str, operation: &str, expected: &Expect) {
        let shown = snapshot(fixture, operation);
        let lines: Vec<&str> = shown.lines().take_while(|line| !line.starts_with("//-")).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    const SHADOWED: &str = "\
//- p/__init__.py
from .core import load
from .load import Item

//- p/core.py
def load(): pass

def other(): pass

//- p/load.py
class Item: pass

//- main.py
from p import load

print(load.Item)
";

    #[test]
    fn st2_what_a_package_and_one_of_its_modules_are_both_called_is_refused() {
        let rename = r#"{"operation": "rename", "symbol": "p/core.py#load", "to": "read"}"#;
        check(
            SHADOWED,
            rename,
            &expect![[r#"
            refused: `load` is both a name of p/__init__.py and a module of that package
              p/__init__.py:1: `load` is bound here
            suggestion: rename one of the two by hand first"#]],
        );
        let movement = r#"{"operation": "move", "symbols": ["p/load.py#Item"], "to": "p/new.py"}"#;
        check(
            SHADOWED,
            movement,
            &expect![[r#"
            refused: `load` is both a name of p/__init__.py and a module of that package
              p/__init__.py:1: `load` is bound here
            suggestion: rename one of the two by hand first"#]],
        );
        let other = r#"{"operation": "rename", "symbol": "p/core.py#other", "to": "another"}"#;
        check(SHADOWED, other, &expect!["`other` renamed to `another` in 1 file"]);
    }

    #[test]
    fn st2_a_name_that_hides_its_own_module_is_clear() {
        let fixture = "\
//- p/__init__.py
from . import other
from .load import load

//- p/load.py
def load(): pass

//- p/other.py
//- main.py
from p import load, other

load()
";
        let rename = r#"{"operation": "rename", "symbol": "p/load.py#load", "to": "read"}"#;
        check(fixture, rename, &expect!["`load` renamed to `read` in 3 files"]);
    }

    #[test]
    fn st2_a_module_that_a_name_would_hide_is_not_imported() {
        let fixture = "\
//- p/__init__.py
from .load import total

//- p/load.py
def total(): pass

def other(): pass

//- main.py
from p import load

load.other()
";
        let merge = r#"{"operation": "merge", "modules": ["p/load.py"], "into": "p/total.py"}"#;
        check(
            fixture,
            merge,
            &expect![[r#"
            refused: `total` is both a name of p/__init__.py and a module of that package
              p/__init__.py:1: `total` is bound here
            suggestion: rename one of the two by hand first"#]],
        );
    }
}

//! Imports of a name through another module are taken from where it is defined.

use std::collections::BTreeMap;

use super::changes::check_syntax;
use super::relocation::specifier::{Form, specifier};
use crate::imports::{ImportEditor, Imported};
use crate::operation::{Operation, SymbolPath};
use crate::outcome::{FileChange, Outcome, Place, Refusal};
use crate::project::{Meaning, Project};
use crate::references::ReferenceKind;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::InlineReexport { symbol, files } = operation else {
        return Err(Refusal::new("this is not about a re-export", "name a symbol"));
    };
    let symbol = definition(project, symbol)?;
    for file in files {
        if project.source(file).is_none() {
            let reason =
                format!("{file} is not a Python file of the project, or has syntax errors");
            return Err(Refusal::new(reason, "name a file that imports the symbol"));
        }
    }
    let mut outcome = Outcome::default();
    for (path, imports) in indirect_imports(project, &symbol, files) {
        let source = project.source(&path).expect("references are found in sources");
        let mut editor =
            ImportEditor::new(project.files, &path, std::sync::Arc::clone(source.text()))?;
        for (import, name) in imports {
            let statement = &source.imports()[import];
            let old = Imported::of(statement, name);
            let form = if statement.level > 0 { Form::Relative } else { Form::Absolute };
            let module = specifier(project, &path, &symbol.path, form);
            let new = Imported::from(module, &symbol.name).named(old.local());
            if let Some((import, name)) = editor.find(&old, statement.place) {
                editor.replace(import, name, &new);
            }
            let line = source.line(statement.range.start());
            let what = format!("`{}` is imported from {}", symbol.name, symbol.path);
            outcome.sites.push(Place { path: path.clone(), line, what });
        }
        outcome.files.insert(path, FileChange::Edited(editor.finish()?));
    }
    if outcome.files.is_empty() {
        let reason = format!("no import of `{}` goes through another module", symbol.name);
        return Err(Refusal::new(reason, "name a file that imports it from elsewhere"));
    }
    check_syntax(&outcome.files)?;
    let count = rb_core::plural(outcome.files.len(), "file");
    outcome.title = format!("`{}` imported from {} in {count}", symbol.name, symbol.path);
    Ok(outcome)
}

/// Where the symbol is defined; the operation may name it where it is passed on.
fn definition(project: &Project<'_>, symbol: &SymbolPath) -> Result<SymbolPath, Refusal> {
    match project.lookup(&symbol.path, &symbol.name) {
        Some(Meaning::Symbol(symbol)) => Ok(symbol),
        Some(
            Meaning::Module(_) | Meaning::Instance(_) | Meaning::Foreign(_) | Meaning::Unknown,
        )
        | None => {
            let reason = format!("{symbol} is not defined in the project");
            Err(Refusal::new(reason, "name a function, class or variable of the project"))
        }
    }
}

/// Imports of the symbol from a module that does not define it, by file.
fn indirect_imports(
    project: &Project<'_>,
    symbol: &SymbolPath,
    files: &[String],
) -> BTreeMap<String, Vec<(usize, usize)>> {
    let mut found: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for reference in project.references(symbol).references {
        let ReferenceKind::Import { import, name } = reference.kind else { continue };
        if !files.is_empty() && !files.contains(&reference.path) {
            continue;
        }
        let Some(source) = project.source(&reference.path) else { continue };
        let module = source.imports()[import].specifier(name);
        let relay =
            project.files.resolve(&reference.path, &module).map(|path| project.module_path(&path));
        if relay.is_some_and(|relay| relay != symbol.path) {
            found.entry(reference.path).or_default().push((import, name));
        }
    }
    found
}

#[cfg(test)]
mod tests;

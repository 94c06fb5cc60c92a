//! Top-level symbols go to another module, which is created if it does not exist.

use std::collections::{BTreeMap, BTreeSet};

use super::relocation::{What, relocate};
use super::sequence::Sequence;
use crate::files::{folder_of, join};
use crate::operation::Operation;
use crate::outcome::{FileChange, Outcome, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Move { symbols, to } = operation else {
        return Err(Refusal::new("this is not a move", "name symbols and a file"));
    };
    check_path(to)?;
    let mut by_file: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for symbol in symbols {
        if symbol.name.contains('.') {
            let reason = format!("`{}` is not at the top level of {}", symbol.name, symbol.path);
            return Err(Refusal::new(reason, "use move-method for a member of a class"));
        }
        by_file.entry(&symbol.path).or_default().insert(symbol.name.clone());
        if !order.contains(&symbol.path.as_str()) {
            order.push(&symbol.path);
        }
    }
    if by_file.is_empty() {
        return Err(Refusal::new(
            "no symbol to move was named",
            "name one as `path/to/file.py#name`",
        ));
    }
    let mut sequence = Sequence::new(project.files);
    sequence.step(|project| Ok(new_package(project, to)))?;
    for path in order {
        let names = by_file[path].clone();
        sequence.step(|project| relocate(project, path, to, What::Symbols(names)))?;
    }
    Ok(sequence.finish())
}

/// A new folder in a package becomes a package.
pub(super) fn new_package(project: &Project<'_>, path: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let mut folder = folder_of(path);
    let is_package = |folder: &str| project.exists(&join(folder, "__init__.py"));
    let is_new = |folder: &str| {
        let beginning = format!("{folder}/");
        !project.files.paths().iter().any(|path| path.starts_with(&beginning))
    };
    let mut created = Vec::new();
    while !folder.is_empty() && is_new(folder) {
        created.push(join(folder, "__init__.py"));
        folder = folder_of(folder);
    }
    if !folder.is_empty() && is_package(folder) {
        outcome.files =
            created.into_iter().map(|path| (path, FileChange::Created("".into()))).collect();
    }
    outcome
}

/// The new module must be a file that Python can import.
pub(super) fn check_path(path: &str) -> Result<(), Refusal> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.strip_suffix(".py");
    if stem.is_some_and(super::new_name::is_identifier)
        && !path.starts_with('/')
        && !path.contains("..")
    {
        return Ok(());
    }
    let reason = format!("{path} cannot be the file of a Python module");
    Err(Refusal::new(reason, "name a file such as `package/module.py`"))
}

#[cfg(test)]
mod tests;

//! All that is in some modules goes into one, and they are removed.

use std::collections::BTreeSet;

use super::move_symbols::{check_path, new_package};
use super::relocation::{What, relocate};
use super::sequence::Sequence;
use crate::files::{folder_of, join};
use crate::operation::Operation;
use crate::outcome::{Outcome, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Merge { modules, into, merge_tests } = operation else {
        return Err(Refusal::new("this is not a merge", "name modules and a file"));
    };
    check_path(into)?;
    let sources: Vec<&String> = modules.iter().filter(|module| *module != into).collect();
    if sources.is_empty() {
        return Err(Refusal::new("no module to merge was named", "name the files of two modules"));
    }
    for module in &sources {
        if module.ends_with("__init__.py") {
            let reason = format!("{module} stands for a package, which has other modules");
            return Err(Refusal::new(reason, "name a module"));
        }
    }
    let tests = if *merge_tests { test_files(project, &sources, into) } else { Vec::new() };
    let mut sequence = Sequence::new(project.files);
    sequence.step(|project| Ok(new_package(project, into)))?;
    let title = format!("{} merged into {into}", names(&sources));
    for module in sources {
        sequence.step(|project| relocate(project, module, into, What::Module))?;
    }
    for (test, target) in tests {
        sequence.step(|project| relocate(project, &test, &target, What::Module))?;
    }
    Ok(Outcome { title, ..sequence.finish() })
}

/// `a.py, b.py and c.py`.
fn names(modules: &[&String]) -> String {
    let names: Vec<&str> = modules.iter().map(|module| module.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The test files of the merged modules, and where each goes: beside it, named for the target.
fn test_files(project: &Project<'_>, modules: &[&String], into: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let target = stem(into);
    for module in modules {
        let stem = stem(module);
        let names = [
            (format!("test_{stem}.py"), format!("test_{target}.py")),
            (format!("{stem}_test.py"), format!("{target}_test.py")),
        ];
        let users: BTreeSet<String> = project
            .module_references(module)
            .references
            .into_iter()
            .map(|reference| reference.path)
            .collect();
        for path in users {
            let file = path.rsplit('/').next().unwrap_or(&path);
            if let Some((_, new)) = names.iter().find(|(old, _)| old == file) {
                let new = join(folder_of(&path), new);
                pairs.push((path, new));
            }
        }
    }
    pairs
}

fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".py").unwrap_or(file)
}

#[cfg(test)]
mod tests;

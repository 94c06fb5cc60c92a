//! Structural refactorings of JavaScript and TypeScript: what `rb_operations` does for Python, over the same operations.
//!
//! `plan_one` carries out one operation over a project: complete, or refused with its reason and places. Nothing here writes a file
//! or runs a program.

mod check;
mod cycles;
mod edits;
mod encapsulate;
mod import_edits;
mod import_order;
mod inline_reexport;
mod manifests;
mod mentions;
mod merge_modules;
mod move_symbols;
mod parameter_object;
mod path_meaning;
mod project;
mod relocation;
mod rename_module;
mod replace_duplicate;
mod signatures;
#[cfg(test)]
mod snapshot;

use rb_operations::{Files, Operation, Outcome, Refusal};

/// Carries out one operation whose paths are JavaScript or TypeScript files.
pub fn plan_one(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let tree = project::tree_of(files);
    let project = project::Project::new(files, &tree);
    let outcome = match operation {
        Operation::AddParameter { .. } => signatures::add_parameter(&project, operation),
        Operation::Encapsulate { .. } => encapsulate::plan(&project, operation),
        Operation::ParameterObject { .. } => parameter_object::plan(&project, operation),
        Operation::RemoveParameter { .. } => signatures::remove_parameter(&project, operation),
        Operation::RenameParameter { .. } => signatures::rename_parameter(&project, operation),
        Operation::ReorderParameters { .. } => signatures::reorder_parameters(&project, operation),
        Operation::Move { .. } => move_symbols::plan(files, operation),
        Operation::RenameModule { .. } => rename_module::plan(files, operation),
        Operation::InlineReexport { .. } => inline_reexport::plan(files, operation),
        Operation::Merge { .. } => merge_modules::plan(files, operation),
        Operation::ReplaceDuplicate { .. } => replace_duplicate::plan(files, operation),
        Operation::MoveMethod { .. } => Err(Refusal::new(
            "a method cannot be moved out of a class of JavaScript or TypeScript",
            "write a function that takes the object, and move that",
        )),
        Operation::Rename { .. } => Err(Refusal::new(
            "a rename of JavaScript or TypeScript cannot be part of a chain of operations",
            "run the recipe `rename` by itself",
        )),
    }?;
    Ok(import_order::keep(files, operation, outcome))
}

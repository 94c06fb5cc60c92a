//! The operations, one file each, and `plan`, which carries out a chain of them.

mod add_parameter;
mod arguments;
mod calls;
mod capture;
mod certainty;
mod changes;
mod decorators;
mod docstring_fields;
mod edits;
mod encapsulate;
mod functions;
mod inline_reexport;
mod item_list;
mod known_bases;
mod line_fit;
mod load_check;
mod logger;
mod merge_modules;
mod move_method;
mod move_symbols;
mod name_import;
mod new_name;
mod parameter_object;
mod partial_paths;
mod relocation;
mod remove_parameter;
mod rename_module;
mod rename_parameter;
mod rename_symbol;
mod reorder_parameters;
mod replace_duplicate;
mod scripts;
mod sequence;
mod shadowed_modules;
mod signature;
#[cfg(test)]
mod snapshot;
mod text_style;

use self::sequence::Sequence;
use crate::files::{Files, Overlay};
use crate::operation::Operation;
use crate::outcome::{Outcome, Refusal};
use crate::project::Project;
use crate::source_cache::CachedFiles;

/// All operations, one after the other, as one change; or nothing.
pub fn plan(files: &dyn Files, operations: &[Operation]) -> Result<Outcome, Refusal> {
    plan_with(files, operations, &|_, _| None)
}

/// Carries out an operation of another language than Python; `None` for one of Python.
pub type OtherLanguage<'o> =
    dyn Fn(&dyn Files, &Operation) -> Option<Result<Outcome, Refusal>> + 'o;

/// The same for a project with other languages.
pub fn plan_with(
    files: &dyn Files,
    operations: &[Operation],
    other: &OtherLanguage<'_>,
) -> Result<Outcome, Refusal> {
    let files = CachedFiles::new(files);
    let mut sequence = Sequence::new(&files);
    for operation in operations {
        sequence.step(|project| {
            if let Some(outcome) = other(project.files, operation) {
                return outcome;
            }
            let outcome = step(project, operation)?;
            check(project.files, operation, &outcome)?;
            Ok(outcome)
        })?;
    }
    Ok(sequence.finish())
}

/// What no operation can see by itself: whether all modules still load and mean the same.
fn check(before: &dyn Files, operation: &Operation, outcome: &Outcome) -> Result<(), Refusal> {
    let after = Overlay::with(before, &outcome.files);
    shadowed_modules::check_shadowed_modules(before, &after, &outcome.files)?;
    if moves_code(operation) {
        scripts::check_scripts(before, &after, &outcome.files)?;
        load_check::check_loads(before, &after, &outcome.files)?;
    }
    Ok(())
}

/// Can it change which modules there are, or what they import?
fn moves_code(operation: &Operation) -> bool {
    match operation {
        Operation::Encapsulate { .. }
        | Operation::InlineReexport { .. }
        | Operation::Merge { .. }
        | Operation::Move { .. }
        | Operation::MoveMethod { .. }
        | Operation::ParameterObject { .. }
        | Operation::RenameModule { .. }
        | Operation::ReplaceDuplicate { .. } => true,
        Operation::AddParameter { .. }
        | Operation::RemoveParameter { .. }
        | Operation::Rename { .. }
        | Operation::RenameParameter { .. }
        | Operation::ReorderParameters { .. } => false,
    }
}

/// Each file matches on its own operation and takes the fields that it needs.
fn step(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    match operation {
        Operation::AddParameter { .. } => add_parameter::plan(project, operation),
        Operation::Encapsulate { .. } => encapsulate::plan(project, operation),
        Operation::InlineReexport { .. } => inline_reexport::plan(project, operation),
        Operation::Merge { .. } => merge_modules::plan(project, operation),
        Operation::Move { .. } => move_symbols::plan(project, operation),
        Operation::MoveMethod { .. } => move_method::plan(project, operation),
        Operation::ParameterObject { .. } => parameter_object::plan(project, operation),
        Operation::RemoveParameter { .. } => remove_parameter::plan(project, operation),
        Operation::Rename { .. } => rename_symbol::plan(project, operation),
        Operation::RenameModule { .. } => rename_module::plan(project, operation),
        Operation::RenameParameter { .. } => rename_parameter::plan(project, operation),
        Operation::ReorderParameters { .. } => reorder_parameters::plan(project, operation),
        Operation::ReplaceDuplicate { .. } => replace_duplicate::plan(project, operation),
    }
}

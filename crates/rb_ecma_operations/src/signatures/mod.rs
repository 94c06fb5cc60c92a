//! Changes of signatures: parameters that come, go, get another name or another place, and calls that follow.
//!
//! `Callable` finds the declarations and all uses; each operation says which of them it can change. An argument that may do something is
//! neither dropped nor moved past another one.

mod add_parameter;
pub(crate) mod callable;
mod constructor;
pub(crate) mod declaration;
mod doc_comment;
mod item_list;
mod method;
mod remove_parameter;
mod rename_parameter;
mod reorder_parameters;
pub(crate) mod signature;
pub(crate) mod source;
#[cfg(test)]
mod tests;
pub(crate) mod uses;

use std::collections::BTreeMap;

use rb_operations::{FileChange, Refusal};

use crate::edits::FileEdits;
use crate::project::Project;

pub(crate) use self::add_parameter::plan as add_parameter;
pub(crate) use self::callable::{Callable, refusal, shown};
pub(crate) use self::remove_parameter::plan as remove_parameter;
pub(crate) use self::rename_parameter::plan as rename_parameter;
pub(crate) use self::reorder_parameters::{keeps_effects, plan as reorder_parameters};

/// The new texts; refused if one does not parse.
fn finished(
    project: &Project<'_>,
    edits: &FileEdits,
) -> Result<BTreeMap<String, FileChange>, Refusal> {
    let changes = edits.apply(project.files)?;
    for (path, change) in &changes {
        if let FileChange::Edited(text) = change
            && !source::parses(path, text)
        {
            let reason = format!("the change would leave {path} with a syntax error");
            return Err(Refusal::new(reason, "change this file by hand"));
        }
    }
    Ok(changes)
}

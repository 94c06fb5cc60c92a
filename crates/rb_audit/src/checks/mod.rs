//! The checks, one file each. To add one: its file with `find`, and its line in the list.

mod anti_pattern;
mod cross_layer_import;
mod dangling_reference;
mod dropped_await;
mod missing_export;
mod missing_member;
mod new_cycle;
mod orphaned_function;
mod orphaned_import;
mod signature_mismatch;
mod syntax_error;
mod unresolved_import;

pub(crate) use self::orphaned_function::is_reached_by_name;
use crate::Finding;
use crate::comparison::Comparison;

pub(crate) type Check = fn(&Comparison<'_>) -> Vec<Finding>;

pub(crate) const ALL: &[Check] = &[
    anti_pattern::find,
    cross_layer_import::find,
    dangling_reference::find,
    dropped_await::find,
    missing_export::find,
    missing_member::find,
    new_cycle::find,
    orphaned_function::find,
    orphaned_import::find,
    signature_mismatch::find,
    syntax_error::find,
    unresolved_import::find,
];

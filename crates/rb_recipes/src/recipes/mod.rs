//! The recipes, one folder or file each.

pub mod add_parameter;
pub mod dead_code;
pub mod encapsulate;
pub mod fs_async;
pub mod indexed_lookup;
pub mod inline_reexport;
pub mod merge;
pub mod move_symbols;
pub mod operations;
pub mod own_barrels;
pub mod parameter_object;
pub mod remove_parameter;
pub mod rename;
pub mod rename_module;
pub mod rename_parameter;
pub mod reorder_parameters;
pub mod replace_duplicate;
pub mod sql_parameters;
pub mod unused_imports;

use crate::recipe::Recipe;

/// In the order in which they are listed.
pub static ALL: &[&Recipe] = &[
    &fs_async::RECIPE,
    &sql_parameters::RECIPE,
    &indexed_lookup::RECIPE,
    &unused_imports::RECIPE,
    &dead_code::RECIPE,
    &own_barrels::RECIPE,
    &rename::RECIPE,
    &move_symbols::RECIPE,
    &merge::RECIPE,
    &rename_module::RECIPE,
    &add_parameter::RECIPE,
    &remove_parameter::RECIPE,
    &rename_parameter::RECIPE,
    &reorder_parameters::RECIPE,
    &parameter_object::RECIPE,
    &encapsulate::RECIPE,
    &inline_reexport::RECIPE,
    &replace_duplicate::RECIPE,
    &operations::RECIPE,
];

/// The recipe with this name.
pub fn find(id: &str) -> Option<&'static Recipe> {
    ALL.iter().copied().find(|recipe| recipe.id == id)
}

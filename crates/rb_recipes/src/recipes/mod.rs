//! The recipes, one folder or file each.

pub mod dead_code;
pub mod fs_async;
pub mod indexed_lookup;
pub mod own_barrels;
pub mod rename;
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
];

/// The recipe with this name.
pub fn find(id: &str) -> Option<&'static Recipe> {
    ALL.iter().copied().find(|recipe| recipe.id == id)
}

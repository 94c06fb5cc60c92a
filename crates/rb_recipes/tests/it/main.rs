//! Recipes over whole projects.

mod cleaners_programs;
mod differential;
mod docs;
mod fs_async_programs;
mod fs_async_races;
mod hostile;
mod indexed_lookup;
mod indexed_lookup_programs;
mod links;
mod operations;
mod rename_programs;
mod sql_parameters_programs;

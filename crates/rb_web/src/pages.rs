//! The pages, one file each.

pub(crate) mod actions;
mod code;
pub(crate) mod decision;
pub(crate) mod file;
pub(crate) mod graph;
pub(crate) mod layers;
pub(crate) mod map;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod run_files;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod start;

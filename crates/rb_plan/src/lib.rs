//! From a repository, and perhaps a directive, to a list of small ordered tasks.
//!
//! The program plans: recipes, rules, hotspots, dead code, cycles, duplicates and oversized functions give candidates, `plan` chooses,
//! groups, bounds and orders them, with the proposals that need no model ready made. A model may refine what is there
//! (`refine`); it cannot bring in a file that does not exist or a task without a bound. Nothing here writes a file, runs a
//! program or asks a model.

mod given;
mod plan;

pub use given::{Given, Limits, PlanError};
pub use plan::{Leftover, Matched, Plan, Prepared, Unserved};

//! From a repository, and perhaps a directive, to a list of small ordered tasks.
//!
//! The program plans: recipes, rules, hotspots, dead code, cycles, duplicates and oversized functions give candidates, `plan` chooses,
//! groups, bounds and orders them, with the proposals that need no model ready made. A model may refine what is there
//! (`refine`); it cannot bring in a file that does not exist or a task without a bound. Nothing here writes a file, runs a
//! program or asks a model.

mod batch_files;
mod batch_names;
mod batch_terms;
mod brief;
mod chains;
mod directed;
mod documents;
mod draft;
mod edits;
mod excerpts;
mod goals;
mod group;
mod here;
mod input;
mod join;
mod make;
mod names;
mod new_files;
mod order;
mod peers;
mod plan;
mod propose;
mod reach;
mod readable;
mod reasons;
mod refine;
mod relevant;
mod repo_facts;
mod risk;
mod smells;
mod survey;
mod symbols;
mod terms;
mod translation;
mod understand;
mod unit;
mod whole;
mod whole_symbol;
mod words;

pub use brief::brief;
pub use excerpts::excerpts;
pub use input::{Limits, PlanError, PlanInput};
pub use make::plan;
pub use order::{CycleIn, faults, order, subtree};
pub use plan::{Leftover, Matched, MatchedKind, Plan, Prepared, Unserved};
pub use propose::{Narrowed, files_left, narrowed, propose};
pub use reasons::{Reason, by_reason};
pub use refine::{Refined, refine};
pub use translation::{Translated, translate, translation_brief};
pub use understand::understand;

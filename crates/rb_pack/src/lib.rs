//! What a model is shown for one task: signatures first, excerpts round what matters, each file with the reason why it is there.
//!
//! `build` chooses under hard budgets, in lines, characters and tokens; `Pack::prompt` writes the choice down, with all foreign
//! text between the marks of a fence. Nothing here asks a model, and nothing is summed up by one.

mod budget;
mod pack;

pub use budget::{Budgets, Sizes};
pub use pack::{Included, LedgerLine, Omitted, Pack, RuleText, Shown};

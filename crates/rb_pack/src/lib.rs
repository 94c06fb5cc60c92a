//! What a model is shown for one task: the files in scope whole while there is room, else the parts that matter most; then what lies
//! around them. Each file comes with the reason why it is there.
//!
//! `build` chooses under hard budgets, in lines, characters and tokens; `Pack::prompt` writes the choice down, with all foreign
//! text between the marks of a fence. Nothing here asks a model, and nothing is summed up by one.

mod assignment;
mod block;
mod budget;
mod build;
mod candidates;
mod draft;
mod fit;
mod focus;
mod input;
mod ledger;
mod lookup;
mod names;
mod needs;
mod neighbours;
mod never;
mod outline;
mod pack;
mod prompt;
mod shown;
mod source;
mod text;
mod uses;
mod words;
mod writer;

pub use assignment::Assignment;
pub use budget::{Budgets, Sizes};
pub use build::build;
pub use input::{Need, PackError, PackInput, TaskSite};
pub use lookup::Lookup;
pub use pack::{Included, LedgerLine, Omitted, Pack, RuleText, Shown};
pub use prompt::AnswerForm;

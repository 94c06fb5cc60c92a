//! Finding what is meant: files and symbols for a question in plain words, without a network.

mod answer;
mod corpus;
mod doc;
pub mod embed;
mod expand;
mod features;
mod find;
mod merge;
mod near;
mod pieces;
mod question;
mod records;
mod refresh;
pub mod remote;
mod searchable;
mod searcher;
mod segment;
mod share;
mod shelf;
mod show;
pub mod table;
mod terms;
mod threads;
mod vectors;
mod weights;
mod words;

pub use self::answer::{Answer, Hit, HitSymbol, MatchedLine, Parts};
pub use self::expand::{Related, Relation};
pub use self::features::Features;
pub use self::find::Meaning;
pub(crate) use self::merge::prune;
pub use self::question::{Question, Signals};
pub(crate) use self::refresh::Refresh;
pub use self::refresh::Refreshed;
pub use self::searchable::Searchable;
pub use self::searcher::Searcher;
pub use self::share::{Share, Shared};

/// A count as it is weighed: there are few enough for every digit to matter no more.
#[expect(clippy::cast_precision_loss, reason = "weights need no more digits")]
fn number(count: usize) -> f32 {
    count as f32
}

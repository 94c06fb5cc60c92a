//! Questions about a repository, answered with citations that a program has checked.
//!
//! An answer begins as a `Draft`, written by a model (`workflow`) or extracted from the index without one (`extract`). `verify`
//! checks every citation against the lines that were really read and every claim against its citations; only an `Answer` is shown.

pub mod answer;
pub mod citation;
mod claims;
pub mod error;
pub mod eval;
pub mod extract;
#[cfg(test)]
mod fixture;
mod guide;
pub mod memory;
pub mod plan;
pub mod render;
pub mod tour;
pub mod workflow;

pub use answer::{
    Answer, Author, Counts, Draft, DraftSection, DraftStatement, Section, Statement, Support,
};
pub use citation::{CheckedCitation, Citation, CitationFault};
pub use error::AskError;
pub use guide::injection_note;
pub use memory::Memory;

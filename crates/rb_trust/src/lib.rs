//! Text of a repository, a ticket or a web page is data and never an instruction.
//!
//! `Fence` puts such text into a prompt so that it cannot end its own quotation; `scan` finds what tries to speak to the
//! model all the same, and says where and how sure that is. Nothing here edits a text, reads a file or asks a model. The
//! scanner is no proof of harmlessness: a request in plain words that sounds like any other passes it, so the fence holds
//! whatever the scanner says.

mod bidi;
mod confusable;
mod decode;
mod fence;
mod finding;
mod fold;
mod hidden;
mod hits;
mod mixed;
mod place;
mod rules;
mod scan;
mod spaced;
mod terminal;
mod tokens;
mod unseen;
mod words;

pub use fence::{Fence, FenceError, Label, Source};
pub use finding::{Disguise, Finding, Kind, REPORTED, printable, total};
pub use place::TextKind;
pub use scan::scan;

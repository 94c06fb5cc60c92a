//! Structural refactorings: operations with parameters, planned over a whole project, complete or refused.
//!
//! `plan` takes operations and gives texts; nothing here writes a file or runs a program. A chain of operations is one plan: each sees what
//! the ones before it made (`Overlay`). An operation edits what it knows for sure, refuses with the places where it cannot know, and lists
//! mentions in prose.

mod describe;
pub mod directive;
mod document;
mod files;
mod imports;
mod layout;
mod name_places;
mod operation;
mod operations;
mod outcome;
mod project;
mod references;
mod source_cache;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod unused_imports;

pub use self::document::is_changelog;
pub use self::files::{Files, Overlay};
pub use self::name_places::{NamePlace, name_places};
pub use self::operation::{CallPlace, CallValue, Operation, SymbolPath};
pub use self::operations::{OtherLanguage, plan, plan_with};
pub use self::outcome::{ApiChange, FileChange, Mention, Outcome, Place, Refusal};
pub use self::source_cache::SourceCache;
pub use self::unused_imports::{CleanedImports, RemovedImport, remove_unused_imports};

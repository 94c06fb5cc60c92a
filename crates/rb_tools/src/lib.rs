//! What a model, an editor or a person can ask of an indexed repository: look around, search, read, follow calls and imports.
//!
//! `Toolbox` carries out a call by its name. Every result is bounded, says what it leaves out, and names the lines that it showed
//! (`Evidence`), so that a citation can be checked against what was really read. Nothing here changes a file, starts a program other
//! than git, or asks a model.

pub mod evidence;
mod file_text;
pub mod read_cache;
pub mod toolbox;
mod tools;

pub use evidence::{Evidence, FileEvidence, Shown};
pub use file_text::FileText;
pub use read_cache::{CacheCounts, ReadCache};
pub use toolbox::{Output, Repository, ToolError, ToolSpec, Toolbox};
pub use tools::{FileCall, FileCallers, callers_of_file};

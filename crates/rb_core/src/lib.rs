//! Plain data shared by every crate, and the one door to files, processes and the clock.
//!
//! Nothing here decides anything. What changes the world (`fs`, `process`) is in this crate alone, so
//! that each effect can be counted, cut short and tested; `clippy.toml` keeps other crates out.
//! It never reads the environment or the home folder: both are handed in by the binary.

pub mod cancel;
pub mod clock;
pub mod edit;
pub mod fault;
pub mod folder;
pub mod fs;
pub mod hash;
pub mod home;
pub mod id;
pub mod money;
pub mod patch;
pub mod path;
pub mod process;
pub mod progress;
pub mod random;
pub mod task;
pub mod text;
pub mod title;
pub mod verdict;

pub use cancel::{Cancel, Interrupted};
pub use edit::Edit;
pub use hash::Sha256;
pub use home::Home;
pub use id::{RunId, TaskId};
pub use money::Usd;
pub use path::RepoPath;
pub use progress::Progress;
pub use task::{ApiChanges, Proposer, Stage, Task, TaskKind, VerifierLevel};
pub use text::{at_most, plural, plural_of};
pub use title::goal_title;
pub use verdict::Verdict;

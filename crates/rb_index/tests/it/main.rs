#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests set up files and run git themselves, and fail where that fails"
)]

mod content;
mod parity;
mod search;
mod store;
mod support;
mod walk;
mod walk_git;
mod walk_hostile;

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests set up files and run git themselves, and fail where that fails"
)]

mod answer;
mod answer_properties;
mod backup;
mod generate;
mod landing;
mod patch_git;
mod patch_properties;
mod preflight;
mod rolling_back;
mod saves;
mod target;
mod worktree;

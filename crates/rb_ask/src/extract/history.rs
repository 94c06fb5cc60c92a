//! When files last changed, as git tells. No line of a file shows it, so it is a note on an answer and no statement of it.

use rb_core::RepoPath;
use rb_core::clock::Timestamp;
use rb_tools::Repository;

use crate::extract::words::is_quotable;

/// Notes on the latest commits of a file, newest first. None where git has nothing to say.
pub(crate) fn notes(on: Repository<'_>, path: &str, commits: u32) -> Vec<String> {
    let Ok(repo_path) = RepoPath::new(path) else { return Vec::new() };
    let Ok(history) = on.repo.file_history(&repo_path, commits) else { return Vec::new() };
    let note = |(place, commit): (usize, &rb_workspace::history::FileCommit)| {
        let day = Timestamp::from_unix_ms(commit.time.saturating_mul(1000)).to_string();
        let day = day.split('T').next().unwrap_or(&day).to_owned();
        let verb = if place == 0 { "last changed" } else { "changed before" };
        // The subject is foreign text.
        let subject = Some(&commit.subject).filter(|subject| is_quotable(subject));
        let subject = subject.map(|subject| format!(": {subject}")).unwrap_or_default();
        format!("{path} {verb} on {day} (commit {}{subject}).", commit.hash)
    };
    history.iter().enumerate().map(note).collect()
}

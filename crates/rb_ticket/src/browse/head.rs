//! The state of the worktree that is looked at, and since when it has been there.

use rb_core::clock::Timestamp;
use rb_workspace::git::{Git, GitError};
use serde::{Deserialize, Serialize};

/// The state of the worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub commit: String,
    /// When HEAD came to this commit. A server that started earlier may serve older files.
    pub since: Timestamp,
    /// What `git status` lists; empty if the worktree is exactly the commit.
    pub changes: Vec<String>,
}

/// Entries of the reflog that are read: a reset to the commit that HEAD is at writes one, too.
const ENTRIES: &str = "--max-count=200";

/// When HEAD came to the commit that it is at, by the reflog, in whole seconds. Without a reflog it is the time of the commit.
pub fn head_since(git: &Git) -> Result<Timestamp, GitError> {
    let commit = git.line(["rev-parse", "--verify", "HEAD^{commit}"])?;
    let args = ["log", "--walk-reflogs", ENTRIES, "--date=unix", "--format=%H %gd", "HEAD"];
    let listed = git.run(args)?;
    let listed = String::from_utf8_lossy(&listed);
    let moves = listed.lines().map_while(|line| {
        let (to, selector) = line.split_once(' ')?;
        let seconds = selector.strip_prefix("HEAD@{")?.strip_suffix('}')?;
        (to == commit).then(|| seconds.parse().ok())?
    });
    let seconds: i64 = match moves.last() {
        Some(seconds) => seconds,
        None => git.line(["show", "--no-patch", "--format=%ct", &commit])?.parse().unwrap_or(0),
    };
    Ok(Timestamp::from_unix_ms(seconds.saturating_mul(1000)))
}

#[cfg(test)]
mod tests {
    use rb_core::Cancel;
    use rb_core::process::Env;
    use rb_testkit::Repo;

    use super::*;

    #[test]
    fn tk4_a_commit_is_there_since_head_came_to_it_and_not_since_the_last_reset() {
        let repo = Repo::git_repo("//- a.txt\none\n");
        let env = Env::default().with("PATH", "/usr/bin:/bin").with("HOME", repo.beside("home"));
        let git = Git::new(repo.root(), &env, &Cancel::new());
        let seconds = |git: &Git| head_since(git).unwrap().unix_ms() / 1000;
        // The clock of the fixture stands still; these come after it.
        let reset = |time: &str, to: &str| {
            let git = git.with_env("GIT_COMMITTER_DATE", format!("{time} +0000"));
            git.run(["reset", "--quiet", "--hard", to]).unwrap();
        };
        let first = repo.head();
        let start = seconds(&git);
        repo.write("a.txt", "two\n");
        repo.commit_all("second");
        assert_eq!(seconds(&git), start);
        reset("1500000000", &first);
        assert_eq!(seconds(&git), 1_500_000_000);
        reset("1600000000", &first);
        assert_eq!(seconds(&git), 1_500_000_000);

        rb_core::fs::remove_dir_all(&repo.root().join(".git/logs")).unwrap();
        assert_eq!(seconds(&git), start);
    }
}

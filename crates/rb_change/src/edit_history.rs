//! The edits of all checkpoints so far. A change is held against them without reading the earlier ones again, so that the
//! thousandth task costs what the first one does.

use rb_audit::{Finding, Overlaps};
use rb_core::TaskId;
use rb_core::patch::Patch;
use rb_workspace::patch;
use rb_workspace::worktree::Worktree;

use crate::error::ChangeError;

#[derive(Default)]
pub(crate) struct EditHistory {
    /// How many checkpoints were taken in, and the last of them.
    len: usize,
    last: Option<String>,
    overlaps: Overlaps,
}

/// The checkpoints of a run in order: each a task and its commit.
pub(crate) type Checkpoints<'s> = [(TaskId, &'s str)];

impl EditHistory {
    /// Where `task`, committed as `commit`, edits or undoes what the checkpoints before it did.
    pub(crate) fn overlaps(
        &mut self,
        worktree: &Worktree,
        base: &str,
        checkpoints: &Checkpoints<'_>,
        (task, commit): (TaskId, &str),
    ) -> Result<Vec<Finding>, ChangeError> {
        let Some((_, clean)) = checkpoints.last() else { return Ok(Vec::new()) };
        self.follow(worktree, base, checkpoints)?;
        Ok(self.overlaps.of(&task.to_string(), &edits(worktree, clean, commit)?))
    }

    /// Takes in the checkpoints that were made since the last call, or all of them where some were given up.
    fn follow(
        &mut self,
        worktree: &Worktree,
        base: &str,
        checkpoints: &Checkpoints<'_>,
    ) -> Result<(), ChangeError> {
        let last = self.len.checked_sub(1).and_then(|at| checkpoints.get(at));
        // A commit names all those before it.
        if last.map(|(_, commit)| *commit) != self.last.as_deref() {
            *self = EditHistory::default();
        }
        for (task, commit) in &checkpoints[self.len..] {
            let from = self.last.as_deref().unwrap_or(base);
            let patch = edits(worktree, from, commit)?;
            self.overlaps.take(&task.to_string(), &patch);
            self.last = Some((*commit).to_owned());
            self.len += 1;
        }
        Ok(())
    }
}

/// What git shows and we cannot read (a binary file) has no lines to get in the way of.
fn edits(worktree: &Worktree, from: &str, to: &str) -> Result<Patch, ChangeError> {
    Ok(patch::parse(&worktree.diff(from, to)?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use rb_core::process::Env;
    use rb_core::{Cancel, Home};
    use rb_testkit::{Repo, git_env};
    use rb_workspace::preflight::{Dirty, inspect_checkout};

    use super::*;

    /// Commits a text in a file, and gives the commit.
    fn commit(repo: &Repo, file: &str, text: &str) -> String {
        repo.write(file, text);
        repo.commit_all("a change");
        repo.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    #[test]
    fn rf8_earlier_checkpoints_are_read_once_and_forgotten_when_given_up() {
        let repo = Repo::git_repo("//- a.js\nconst total = 1;\n//- b.js\nconst other = 1;\n");
        let env = git_env(&repo.beside("")).into_iter();
        let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
        let base = repo.git(&["rev-parse", "HEAD"]).trim().to_owned();
        let found = inspect_checkout(repo.root(), None, Dirty::Refuse, &env, &Cancel::new());
        let home = Home::new(repo.beside("home"));
        let run = "20010203T040506Z".parse().unwrap();
        let worktree = Worktree::create(&found.unwrap().repo, &home, &run, &base).unwrap();
        let first = commit(&repo, "a.js", "const total = 2;\n");
        let second = commit(&repo, "b.js", "const other = 2;\n");
        let third = commit(&repo, "a.js", "const total = 3;\n");
        let mut history = EditHistory::default();
        let checkpoints = [(TaskId(1), first.as_str()), (TaskId(2), second.as_str())];
        let mut overlaps = |base: &str, checkpoints: &Checkpoints<'_>, task, commit: &str| {
            history.overlaps(&worktree, base, checkpoints, (TaskId(task), commit))
        };
        assert_eq!(overlaps(&base, &checkpoints[..1], 2, &second).unwrap(), []);
        // A base that is not there: whoever reads the first checkpoint again fails.
        let found = overlaps("no-such-commit", &checkpoints, 3, &third).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        // Both were given up, and the first file is as it was before.
        repo.git(&["reset", "--quiet", "--hard", &base]);
        let again = commit(&repo, "b.js", "const other = 4;\n");
        let last = commit(&repo, "a.js", "const total = 5;\n");
        assert_eq!(overlaps(&base, &[(TaskId(4), again.as_str())], 5, &last).unwrap(), []);
    }
}

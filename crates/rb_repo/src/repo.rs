//! The index of a checkout or of a worktree, kept in the store that all clones of the repository share.

use std::path::{Path, PathBuf};

use rb_core::process::Env;
use rb_core::{Cancel, Home, Progress, RepoPath};
use rb_index::search::Searchable;
use rb_index::walk::WalkOptions;
use rb_index::{
    IndexError, Indexed, NoHistory, Options, Request, Status, StoreError, folder_name, update,
};
use rb_workspace::git::GitError;
use rb_workspace::history::{FileCommit, History as GitHistory};

use crate::weighted_history::WeightedHistory;

/// What opening a repository needs from the machine.
#[derive(Clone, Copy)]
pub struct Opener<'a> {
    pub home: &'a Home,
    pub env: &'a Env,
    pub cancel: &'a Cancel,
}

/// What to prepare before reading.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Delete what is stored and index everything again.
    pub rebuild: bool,
    pub search: Searchable,
}

/// A folder of code and the place of its index.
pub struct Repo {
    root: PathBuf,
    store: PathBuf,
    walk: WalkOptions,
    history: Option<WeightedHistory>,
    cancel: Cancel,
}

impl Opener<'_> {
    /// A checkout, or a folder in one, as it is now. If git cannot say which commit is checked out, `warn` is called and history
    /// does not count.
    pub fn checkout(&self, root: PathBuf, walk: WalkOptions, warn: impl FnOnce(&GitError)) -> Repo {
        let git = self.history(&root);
        let head = git.head().unwrap_or_else(|error| {
            warn(&error);
            None
        });
        let store = self.store(&git, &root);
        let walk = WalkOptions { own: Some(self.home.root().to_owned()), ..walk };
        let history = Some(WeightedHistory { git, head });
        Repo { root, store, walk, history, cancel: self.cancel.clone() }
    }

    /// A worktree that a run made of a checkout. It uses the checkout's store, so files that are the same are not read again. Only
    /// history up to `base` counts: what the run itself commits does not show which files change often. `None` for no history.
    pub fn worktree(&self, root: PathBuf, checkout: &Path, base: Option<String>) -> Repo {
        let store = self.store(&self.history(checkout), checkout);
        let walk = WalkOptions { own: Some(root.join(".refactor-bot")), ..WalkOptions::default() };
        let history =
            base.map(|base| WeightedHistory { git: self.history(&root), head: Some(base) });
        Repo { root, store, walk, history, cancel: self.cancel.clone() }
    }

    fn history(&self, root: &Path) -> GitHistory {
        GitHistory::of(root, self.env, self.cancel)
    }

    fn store(&self, git: &GitHistory, root: &Path) -> PathBuf {
        let (name, identity) = git.identity(root);
        self.home.index().join(folder_name(&name, &identity))
    }
}

impl Repo {
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Names the repository alike on every machine if it has an origin.
    pub fn name(&self) -> String {
        self.store.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The latest commits that touch a file, newest first. None without git, before the first commit, and of a file that git does
    /// not have.
    pub fn file_history(&self, path: &RepoPath, limit: u32) -> Result<Vec<FileCommit>, GitError> {
        let Some(WeightedHistory { git, head: Some(head) }) = &self.history else {
            return Ok(Vec::new());
        };
        git.of_file(head, path, limit)
    }

    /// How the stored index compares with the files as they are now.
    pub fn status(&self) -> Result<Status, IndexError> {
        rb_index::status(&self.root, &self.store, &self.walk, self.history(), &self.cancel)
    }

    /// Indexes the files as they are now. A damaged store is rebuilt.
    pub fn update(
        &self,
        options: &ReadOptions,
        progress: &(dyn Progress + Sync),
    ) -> Result<Indexed, IndexError> {
        rebuilt_if_damaged(options, |options| self.index(options, progress))
    }

    /// Indexes the files as they are now and calls `work`. If the store turns out to be damaged, it is rebuilt and `work` is called
    /// again, so `work` must not have shown anything by then.
    pub fn read<T>(
        &self,
        options: &ReadOptions,
        progress: &(dyn Progress + Sync),
        mut work: impl FnMut(&Indexed) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        rebuilt_if_damaged(options, |options| work(&self.index(options, progress)?))
    }

    fn index(
        &self,
        options: &ReadOptions,
        progress: &(dyn Progress + Sync),
    ) -> Result<Indexed, IndexError> {
        let ReadOptions { rebuild, search } = options.clone();
        update(&Request {
            root: &self.root,
            folder: &self.store,
            options: &Options { walk: self.walk.clone(), rebuild, search, ..Options::default() },
            history: self.history(),
            progress,
            cancel: &self.cancel,
        })
    }

    fn history(&self) -> &(dyn rb_index::History + Sync) {
        match &self.history {
            Some(history) => history,
            None => &NoHistory,
        }
    }
}

fn rebuilt_if_damaged<T>(
    options: &ReadOptions,
    mut work: impl FnMut(&ReadOptions) -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    match work(options) {
        Err(IndexError::Store(StoreError::Damaged(_))) if !options.rebuild => {
            work(&ReadOptions { rebuild: true, ..options.clone() })
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rb_core::progress::Silent;
    use rb_testkit::{git_env, write_fixture};

    use super::*;

    const FILES: &str = "//- src/a.js\nexport const a = 1;\n//- src/b.js\nlet b;\n";

    fn with_opener<T>(repo: &rb_testkit::Repo, work: impl FnOnce(&Opener<'_>) -> T) -> T {
        let env = git_env(&repo.beside("")).into_iter();
        let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
        let home = Home::new(repo.beside("home"));
        work(&Opener { home: &home, env: &env, cancel: &Cancel::new() })
    }

    #[test]
    fn ix9_a_worktree_reads_only_what_its_checkout_does_not_have() {
        let repo = rb_testkit::Repo::git_repo(FILES);
        let (base, worktree) = (repo.head(), repo.beside("worktree"));
        repo.git(&["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
        write_fixture(&worktree, "//- src/b.js\nlet c;\n");
        with_opener(&repo, |opener| {
            let root = repo.root().to_owned();
            let checkout = opener.checkout(root.clone(), WalkOptions::default(), |_| panic!());
            let options = ReadOptions::default();
            assert_eq!(checkout.update(&options, &Silent).unwrap().update.parsed, 2);
            let worktree = opener.worktree(worktree, &root, Some(base));
            let update = worktree.update(&options, &Silent).unwrap().update;
            assert_eq!((update.parsed, update.reused), (1, 1));
            assert_eq!(checkout.name(), worktree.name());
        });
    }

    #[test]
    fn as5_the_history_of_a_file_is_newest_first_and_of_that_file_alone() {
        let repo = rb_testkit::Repo::git_repo(FILES);
        for (path, text, message) in
            [("src/a.js", "let a;\n", "second"), ("src/b.js", "let c;\n", "third: b only")]
        {
            repo.write(path, text);
            repo.commit_all(message);
        }
        with_opener(&repo, |opener| {
            let root = repo.root().to_owned();
            let checkout = opener.checkout(root.clone(), WalkOptions::default(), |_| panic!());
            let subjects = |of: &Repo, path: &str, limit: u32| -> Vec<String> {
                let path = RepoPath::new(path).unwrap();
                let commits = of.file_history(&path, limit).unwrap();
                commits.into_iter().map(|commit| commit.subject).collect()
            };
            assert_eq!(subjects(&checkout, "src/a.js", 9), ["second", "first"]);
            assert_eq!(subjects(&checkout, "src/b.js", 1), ["third: b only"]);
            assert_eq!(subjects(&checkout, "src/c.js", 9), [""; 0]);
            let part = opener.checkout(root.join("src"), WalkOptions::default(), |_| panic!());
            assert_eq!(subjects(&part, "a.js", 9), ["second", "first"]);
            let without = opener.worktree(root.clone(), &root, None);
            assert_eq!(subjects(&without, "src/a.js", 9), [""; 0]);
        });
    }

    #[test]
    fn ix9_a_store_that_is_found_damaged_while_it_is_read_is_rebuilt_once() {
        let repo = rb_testkit::Repo::git_repo(FILES);
        with_opener(&repo, |opener| {
            let root = repo.root().to_owned();
            let checkout = opener.checkout(root, WalkOptions::default(), |_| panic!());
            let calls = Cell::new(0);
            let damaged = || IndexError::Store(StoreError::Damaged("a row".to_owned()));
            let read = |repairs: bool| {
                calls.set(0);
                checkout.read(&ReadOptions::default(), &Silent, |indexed| {
                    calls.set(calls.get() + 1);
                    if repairs && calls.get() == 2 {
                        Ok(indexed.update.parsed)
                    } else {
                        Err(damaged())
                    }
                })
            };
            assert_eq!(read(true).unwrap(), 2);
            read(false).unwrap_err();
            assert_eq!(calls.get(), 2);
        });
    }
}

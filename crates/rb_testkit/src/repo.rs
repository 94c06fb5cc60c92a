//! Throwaway repositories, and git run without the machine's or the user's settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::fixture::write_fixture;
use crate::state::State;

/// A folder of its own with the files of a fixture, with or without git. Gone when dropped.
pub struct Repo {
    temp: TempDir,
    root: PathBuf,
}

/// The variables under which git behaves the same everywhere.
pub fn git_env(home: &Path) -> Vec<(String, String)> {
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
    [
        ("PATH", path.as_str()),
        ("HOME", &home.display().to_string()),
        ("LC_ALL", "C"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_AUTHOR_NAME", "Test"),
        ("GIT_AUTHOR_EMAIL", "test@example.com"),
        ("GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z"),
        ("GIT_COMMITTER_NAME", "Test"),
        ("GIT_COMMITTER_EMAIL", "test@example.com"),
        ("GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

/// Runs git in `dir`; panics with its words when it fails.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let out = git_output(dir, args);
    assert!(
        out.status.success(),
        "git {args:?} failed in {}: {}",
        dir.display(),
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn git_output(dir: &Path, args: &[&str]) -> Output {
    Command::new("git")
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
        .args(args)
        .current_dir(dir)
        .env_clear()
        .envs(git_env(dir.parent().unwrap_or(dir)))
        .output()
        .expect("git can be run")
}

impl Repo {
    /// A folder without git.
    pub fn plain(fixture: &str) -> Self {
        let temp = TempDir::with_prefix("rb-repo-").expect("a temporary folder");
        let root = temp.path().join("project");
        fs::create_dir(&root).expect("mkdir");
        write_fixture(&root, fixture);
        Repo { root: fs::canonicalize(root).expect("the folder exists"), temp }
    }

    /// A repository on branch `main` without any commit.
    pub fn unborn(fixture: &str) -> Self {
        let repo = Repo::plain(fixture);
        repo.git(&["init", "--quiet"]);
        repo
    }

    /// A repository on branch `main` with everything committed.
    pub fn git_repo(fixture: &str) -> Self {
        let repo = Repo::unborn(fixture);
        repo.commit_all("first");
        repo
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder beside the repository, for whatever else a test needs.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(&self.root, args)
    }

    /// Whether git takes the command.
    pub fn git_ok(&self, args: &[&str]) -> bool {
        git_output(&self.root, args).status.success()
    }

    pub fn commit_all(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    pub fn read(&self, path: &str) -> String {
        let bytes =
            fs::read(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub fn exists(&self, path: &str) -> bool {
        self.root.join(path).symlink_metadata().is_ok()
    }

    /// Every byte of the checkout, to be compared later.
    pub fn state(&self) -> State {
        State::of(&self.root)
    }
}

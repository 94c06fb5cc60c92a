//! Where commands run: the worktree, what it borrows, what the home shows, and where outputs are kept.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rb_core::fs::{self, Durability, FsError};
use rb_core::process::Env;
use rb_toolchains::{Caches, Command};

use crate::shell::Passed;

/// Where commands run and where what they leave is kept.
#[derive(Debug, Clone)]
pub struct Site {
    /// The throwaway worktree; the only place of the repository that can be written.
    pub worktree: PathBuf,
    /// What the folders of commands are relative to: the worktree, or the folder of it that is worked on.
    pub root: PathBuf,
    /// The user's checkouts of this repository. Commands see only the borrowed parts of them.
    pub checkouts: Vec<PathBuf>,
    /// Folders of the user's checkout that the worktree borrows from, to be read only.
    pub borrowed: Vec<PathBuf>,
    /// What was put into the worktree to make it ready, relative to it; no part of any change.
    pub made: Vec<String>,
    /// Settings of the checkout that git does not keep; looked for once.
    pub local: Option<Vec<String>>,
    /// Where Python looks first: a project that is installed as editable in a borrowed environment would otherwise be
    /// that of the checkout, and pass whatever was changed here.
    pub python_path: Vec<PathBuf>,
    /// Caches of the tools, for all runs on this repository; may be thrown away.
    pub scratch: PathBuf,
    /// Reports and outputs of this run.
    pub work: PathBuf,
    pub home: Option<PathBuf>,
    pub env: Env,
    /// What commands see beyond that; the programs that are only asked for their version do not.
    pub passed: Passed,
}

const GIT_SETTINGS: &str = "\
[user]
\tname = refactor-bot
\temail = refactor-bot@localhost
[include]
\tpath = /etc/gitconfig
";

impl Site {
    /// One pair of files a command.
    pub fn logs(&self) -> PathBuf {
        self.work.join("logs")
    }

    pub(crate) fn reports(&self) -> PathBuf {
        self.work.join("reports")
    }

    /// Settings for the git of commands: tests that commit need a name, and that of the user is in the hidden home. As the system's
    /// settings they give way to everything that a repository or a test says.
    fn git_settings(&self) -> PathBuf {
        self.work.join("gitconfig")
    }

    pub(crate) fn make(&self) -> Result<(), FsError> {
        [self.logs(), self.reports(), self.scratch.clone()]
            .iter()
            .try_for_each(|folder| fs::create_dir_all(folder))?;
        fs::write(&self.git_settings(), GIT_SETTINGS.as_bytes(), Durability::Relaxed)
    }

    /// A name that no earlier run of a command has, with its folder for reports: outputs are never overwritten. A run that is resumed
    /// after a kill takes the next number.
    pub(crate) fn claim(&self, name: &str) -> Result<String, FsError> {
        let numbered = (2..).map(|number| format!("{name}-run{number}"));
        let is_free = |name: &String| self.reports().join(name).symlink_metadata().is_err();
        let free = std::iter::once(name.to_owned()).chain(numbered).find(is_free);
        let free = free.unwrap_or_else(|| name.to_owned());
        fs::create_dir_all(&self.reports().join(&free))?;
        Ok(free)
    }

    /// When a name was claimed, by the clock of the file system; later, when something was written in its folder for reports.
    pub(crate) fn claimed(&self, name: &str) -> Option<SystemTime> {
        self.reports().join(name).symlink_metadata().and_then(|meta| meta.modified()).ok()
    }

    pub(crate) fn writable(&self) -> Vec<PathBuf> {
        vec![self.worktree.clone(), self.scratch.clone(), self.reports()]
    }

    /// What of the home the tools need, and what the worktree borrows.
    pub(crate) fn readable(&self, caches: &Caches) -> Vec<PathBuf> {
        let mut readable = self.borrowed.clone();
        readable.push(self.git_settings());
        if let Some(home) = &self.home {
            readable.extend(caches.readable.iter().map(|folder| home.join(folder)));
            let shown = caches.settings.iter().map(|file| home.join(file)).filter(|file| {
                let text = fs::read_head(file, 1 << 20).unwrap_or_default();
                rb_toolchains::caches::may_be_shown(&String::from_utf8_lossy(&text))
            });
            readable.extend(shown);
        }
        // Tools that a person keeps in the checkout and calls by name.
        let path = self.env.get("PATH").map(std::env::split_paths);
        let is_in_checkout = |folder: &PathBuf| {
            self.checkouts.iter().any(|root| folder.starts_with(root) && folder != root)
        };
        readable.extend(path.into_iter().flatten().filter(is_in_checkout));
        readable.retain(|path| path.exists());
        readable
    }

    /// The variables that a command sees.
    pub(crate) fn environment(
        &self,
        caches: &Caches,
        command: &Command,
        extra: &[(String, String)],
    ) -> Env {
        let scratch = self.scratch.display().to_string();
        let home = self.home.as_deref().unwrap_or(Path::new("/")).display().to_string();
        // Colours are left to the tools: tests look at what their own code prints, and fail where it has been told not to.
        let mut env =
            self.env.clone().with("CI", "true").with("GIT_CONFIG_SYSTEM", self.git_settings());
        for (name, value) in &caches.env {
            env = env.with(*name, value.replace("{scratch}", &scratch).replace("{home}", &home));
        }
        for (name, value) in self.passed.variables() {
            env = env.with(name, value);
        }
        let mut path: Vec<PathBuf> = command
            .path
            .iter()
            .map(|folder| self.root.join(folder))
            .filter(|dir| dir.is_dir())
            .collect();
        path.extend(env.get("PATH").iter().flat_map(std::env::split_paths));
        if let Ok(joined) = std::env::join_paths(path) {
            env = env.with("PATH", joined);
        }
        let mut python_path = self.python_path.clone();
        python_path.extend(env.get("PYTHONPATH").iter().flat_map(std::env::split_paths));
        if let Ok(joined) = std::env::join_paths(&python_path)
            && !joined.is_empty()
        {
            env = env.with("PYTHONPATH", joined);
        }
        let root = self.root.display().to_string();
        for (name, value) in extra {
            env = env.with(name, value.replace("{root}", &root).replace("{scratch}", &scratch));
        }
        env
    }
}

//! A commit of the user's repository, checked out below the home. Nothing of the user's repository is written.
//!
//! The copy has a git folder of its own that reads the objects of the user's repository and none of its settings. It lies beside the
//! files, so that a program that may write the files cannot change what git does here. Dropped, all of it is gone.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError, Lock};
use rb_workspace::git::{Git, GitError};
use rb_workspace::repo::Repo;

use crate::app::App;
use crate::error::CliError;

pub(crate) struct ScratchRepo {
    /// Holds the files, the git folder, and room for whoever needs some.
    root: PathBuf,
    pub(crate) git: Git,
    pub(crate) commit: String,
    _lock: Lock,
}

impl ScratchRepo {
    /// Without any file yet.
    pub(crate) fn open(app: &App, repo: &Repo, commit: &str) -> Result<Self, CliError> {
        let (root, lock) = free_folder(&app.home()?.root().join("scratch"))?;
        let tree = root.join("tree");
        let git = Git::new(&tree, &app.env, &app.cancel)
            .with_env("GIT_DIR", root.join("git"))
            .with_env("GIT_WORK_TREE", &tree)
            .without_lfs();
        let scratch = ScratchRepo { root, git, commit: commit.to_owned(), _lock: lock };
        // What an interrupted process left.
        fs::remove_dir_all(&scratch.root)?;
        fs::create_dir_all(&tree)?;
        scratch.begin(repo)?;
        Ok(scratch)
    }

    /// The files of the commit.
    pub(crate) fn check_out(app: &App, repo: &Repo, commit: &str) -> Result<Self, CliError> {
        let scratch = ScratchRepo::open(app, repo, commit)?;
        scratch.git.run(["reset", "--quiet", "--hard"]).map_err(rb_change::ChangeError::from)?;
        Ok(scratch)
    }

    fn begin(&self, repo: &Repo) -> Result<(), CliError> {
        let run = || -> Result<(), GitError> {
            let format = repo.git.line(["rev-parse", "--show-object-format"])?;
            let format = format!("--object-format={format}");
            self.git.run(["init", "--quiet", "--template=", &format])?;
            Ok(())
        };
        run().map_err(rb_change::ChangeError::from)?;
        let info = self.root.join("git/objects/info");
        fs::create_dir_all(&info)?;
        let objects = repo.common_dir.join("objects");
        let line = [objects.as_os_str().as_bytes(), b"\n"].concat();
        fs::write(&info.join("alternates"), &line, Durability::Relaxed)?;
        let args = ["update-ref", "--no-deref", "HEAD", &self.commit];
        self.git.run(args).map_err(rb_change::ChangeError::from)?;
        Ok(())
    }

    pub(crate) fn tree(&self) -> &Path {
        self.git.dir()
    }

    /// A new folder beside the files.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, FsError> {
        let folder = self.root.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    pub(crate) fn head(&self) -> Result<String, GitError> {
        self.git.line(["rev-parse", "--verify", "HEAD"])
    }

    /// What differs from the commit, ignored files aside.
    pub(crate) fn changes(&self) -> Result<Vec<String>, GitError> {
        let args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
        let listed = self.git.run(args)?;
        let entries = listed.split(|&byte| byte == 0).filter_map(|entry| entry.get(3..));
        Ok(entries.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// Every tracked path that is UTF-8.
    pub(crate) fn files(&self) -> Result<Vec<String>, GitError> {
        let listed = self.git.run([OsString::from("ls-files"), "-z".into()])?;
        let names = listed.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).collect())
    }
}

impl Drop for ScratchRepo {
    fn drop(&mut self) {
        // What cannot be removed goes when the folder is used again.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The first folder that no other process works in.
fn free_folder(parent: &Path) -> Result<(PathBuf, Lock), FsError> {
    fs::create_dir_all(parent)?;
    let mut number = 0_u32;
    loop {
        if let Some(lock) = fs::try_lock(&parent.join(format!("repo-{number}.lock")))? {
            return Ok((parent.join(format!("repo-{number}")), lock));
        }
        number += 1;
    }
}

//! A repository with a home beside it, and the steps of a run on it, one call each.

use std::path::{Path, PathBuf};

use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_core::{Cancel, Home, RepoPath, RunId};
use rb_testkit::{Repo, git_env};
use rb_workspace::backup::{self, Backup};
use rb_workspace::carry::carry;
use rb_workspace::fingerprint::{Depth, Fingerprint};
use rb_workspace::land::{self, LandError, Landing, Work};
use rb_workspace::patch::{self, Checked, Lockfiles, Policy, Scope};
use rb_workspace::preflight::{
    Dirty, Preflight, Refused, TargetPlace, inspect_checkout, inspect_folder, locate,
};
use rb_workspace::worktree::{Checkpoint, Worktree};

pub(crate) struct Target {
    pub(crate) repo: Repo,
    pub(crate) env: Env,
    pub(crate) run: RunId,
}

/// A run that has made its checkpoints and not landed.
pub(crate) struct Ready {
    pub(crate) preflight: Preflight,
    pub(crate) backup: Backup,
    pub(crate) baseline: Fingerprint,
    pub(crate) worktree: Worktree,
    pub(crate) base: String,
    pub(crate) carried: bool,
}

impl Target {
    pub(crate) fn new(repo: Repo) -> Self {
        let env = git_env(&repo.beside("")).into_iter();
        let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
        Target { repo, env, run: "20010203T040506Z".parse().unwrap() }
    }

    pub(crate) fn git(fixture: &str) -> Self {
        Target::new(Repo::git_repo(fixture))
    }

    pub(crate) fn home(&self) -> Home {
        let beside = std::fs::canonicalize(self.repo.beside("")).unwrap();
        let home = Home::new(beside.join("home"));
        std::fs::create_dir_all(home.run(&self.run)).unwrap();
        home
    }

    pub(crate) fn preflight(&self, dirty: Dirty) -> Result<Preflight, Refused> {
        self.preflight_at(self.repo.root(), dirty)
    }

    pub(crate) fn preflight_at(&self, at: &Path, dirty: Dirty) -> Result<Preflight, Refused> {
        let (home, cancel) = (self.home(), Cancel::new());
        match locate(at, &home, &self.env, &cancel)? {
            TargetPlace::Checkout { root, scope } => {
                inspect_checkout(&root, scope, dirty, &self.env, &cancel)
            }
            TargetPlace::Folder { root } => {
                inspect_folder(&root, &home, &self.run, &self.env, &cancel)
            }
        }
    }

    pub(crate) fn back_up(&self, preflight: &Preflight) -> Backup {
        let dir = self.home().backup(&preflight.repo.backup_name(), &self.run);
        backup::create(preflight, &self.run, dir, &Silent, &Cancel::new()).unwrap()
    }

    /// Everything up to the worktree, in the order of a run.
    pub(crate) fn ready(&self, dirty: Dirty) -> Ready {
        let preflight = self.preflight(dirty).unwrap();
        let baseline = Fingerprint::take(&preflight.repo, Depth::Full).unwrap();
        let backup = self.back_up(&preflight);
        let carried = preflight.carries(dirty);
        let base = match preflight.head.commit() {
            Some(commit) if !carried => commit.to_owned(),
            _ => carry(&preflight, &self.home().run(&self.run)).unwrap(),
        };
        let worktree = Worktree::create(&preflight.repo, &self.home(), &self.run, &base).unwrap();
        Ready { preflight, backup, baseline, worktree, base, carried }
    }

    /// The checkout as a later process opens it.
    pub(crate) fn reopened(&self) -> rb_workspace::repo::Repo {
        self.preflight(Dirty::Carry).unwrap().repo
    }

    pub(crate) fn worktree_dir(&self) -> PathBuf {
        self.home().worktree(&self.run)
    }
}

impl Ready {
    /// Applies a diff and checkpoints it as the first task.
    pub(crate) fn change(&mut self, diff: &str) -> Checkpoint {
        let checked = self.checked(diff);
        self.worktree.apply(&checked).unwrap();
        let paths = checked.patch().paths();
        self.worktree.checkpoint(rb_core::TaskId(1), "a goal", &paths).unwrap()
    }

    pub(crate) fn checked(&self, diff: &str) -> Checked {
        let tree = self.worktree.tree().unwrap();
        let policy = Policy {
            scope: Scope::default(),
            diff_budget: None,
            lockfiles: Lockfiles::Allowed,
            claimed: None,
        };
        patch::check(patch::parse(diff.as_bytes()).unwrap(), &tree, &policy).unwrap()
    }

    pub(crate) fn plan(&mut self) -> Result<Landing, LandError> {
        let tip = self.worktree.tip().unwrap();
        let Ready { preflight, worktree, baseline, base, carried, .. } = self;
        let work = Work { base, tip: &tip, carried: *carried, squash: None };
        land::plan(&preflight.repo, worktree, &baseline.head, &work)
    }

    /// Plans and performs the landing.
    pub(crate) fn land(&mut self) -> Landing {
        let landing = self.plan().unwrap();
        land::perform(&self.preflight.repo, &self.worktree, &landing, "test", &mut Vec::new())
            .unwrap();
        landing
    }
}

pub(crate) fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

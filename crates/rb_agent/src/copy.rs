//! The copy that an agent works in: the tracked files of a commit, in a repository of its own.
//!
//! Git writes the files as it writes those of a worktree, so that line ends agree. The agent's repository shares nothing
//! with the user's: no objects, no remotes, no hooks. Nothing runs git in it once the agent was there.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use rb_core::patch::Mode;
use rb_core::process::Env;
use rb_core::{RepoPath, Sha256};
use rb_workspace::git::Git;

use crate::assignment::Place;
use crate::error::AgentError;

pub(crate) struct Copy {
    pub(crate) root: PathBuf,
    /// Every tracked path, as it was before the agent came.
    pub(crate) tracked: BTreeMap<RepoPath, Tracked>,
    /// The folders above them.
    pub(crate) folders: BTreeSet<RepoPath>,
    /// Git in the worktree. It reads the commit by an index that is not the worktree's.
    git: Git,
    /// Where files of the commit are put to be compared, out of the agent's reach.
    originals: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tracked {
    File { hash: Sha256, bytes: u64, mode: Mode },
    Link { target: Vec<u8> },
    Submodule,
}

/// Of git's log of HEAD, which the agent may have written.
const LONGEST_LOG: u64 = 1 << 20;

/// So that the agent can commit without the user's name.
const SETTINGS: &str = "[user]\n\tname = agent\n\temail = agent@localhost\n";

impl Copy {
    /// Makes the copy at `root`, where nothing is yet. `base` is for what it is compared with.
    pub(crate) fn make(place: &Place<'_>, root: PathBuf, base: &Path) -> Result<Self, AgentError> {
        let git = Git::new(place.worktree, place.env, place.cancel).distrusting()?.without_lfs();
        let commit = git.line([
            "rev-parse",
            "--verify",
            "--end-of-options",
            &format!("{}^{{commit}}", place.commit),
        ])?;
        fs::create_dir_all(base)?;
        let git = git.with_env("GIT_INDEX_FILE", base.join("index"));
        git.run(["read-tree", &commit])?;
        fs::create_dir_all(&root)?;
        git.run([
            OsString::from("checkout-index"),
            "--all".into(),
            "--force".into(),
            prefix(&root),
        ])?;
        let originals = base.join("originals");
        let (tracked, folders) = (BTreeMap::new(), BTreeSet::new());
        let mut copy = Copy { root, tracked, folders, git, originals };
        copy.list()?;
        copy.make_repository(place)?;
        Ok(copy)
    }

    fn list(&mut self) -> Result<(), AgentError> {
        let listed = self.git.run(["ls-files", "--stage", "-z"])?;
        for entry in listed.split(|&byte| byte == 0) {
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
            let Ok(path) = RepoPath::new(&entry[tab + 1..]) else { continue };
            let tracked = if entry.starts_with(b"160000") {
                Tracked::Submodule
            } else {
                state(&path.below(&self.root))?
            };
            self.folders.extend(path.ancestors());
            self.tracked.insert(path, tracked);
        }
        Ok(())
    }

    fn make_repository(&self, place: &Place<'_>) -> Result<(), AgentError> {
        let path = place.env.get("PATH").unwrap_or_default();
        let env = Env::default()
            .with("PATH", path)
            .with("HOME", place.scratch)
            .with("GIT_CONFIG_NOSYSTEM", "1")
            .with("GIT_CONFIG_GLOBAL", "/dev/null");
        let git = Git::new(&self.root, &env, place.cancel);
        git.run(["init", "--quiet", "--template=", "--initial-branch=main"])?;
        let config = self.root.join(".git/config");
        let settings = [fs::read(&config)?, SETTINGS.into()].concat();
        fs::write(&config, &settings, Durability::Relaxed)?;
        git.run(["add", "--all", "--force"])?;
        git.run(["commit", "--quiet", "--no-verify", "--allow-empty", "--message", "Start"])?;
        Ok(())
    }

    /// Whether HEAD of the agent's repository has been at another commit than the first, by git's log of it.
    pub(crate) fn has_commits(&self) -> bool {
        let git = self.root.join(".git");
        let log = RepoPath::new("logs/HEAD").expect("a plain path");
        let text = match fs::read_plain(&git, &log, LONGEST_LOG) {
            Ok(Some(bytes)) if is_folder(&git) => bytes,
            Ok(_) | Err(_) => return false,
        };
        // Each line begins with the old and the new commit.
        let text = String::from_utf8_lossy(&text);
        let mut commits = text.lines().filter_map(|line| line.split(' ').nth(1));
        let first = commits.next();
        commits.any(|commit| Some(commit) != first)
    }

    /// Those of `paths` that the repository's own rules ignore. A folder ends with `/`.
    pub(crate) fn ignored(&self, paths: &[Vec<u8>]) -> Result<BTreeSet<Vec<u8>>, AgentError> {
        if paths.is_empty() {
            return Ok(BTreeSet::new());
        }
        // This command takes no literal paths; `./` keeps a leading `:` from meaning anything.
        let names: Vec<u8> =
            paths.iter().flat_map(|path| [b"./", path.as_slice(), b"\0"].concat()).collect();
        let git = self.git.without_env("GIT_LITERAL_PATHSPECS");
        let out = match git.feed(["check-ignore", "-z", "--stdin"], &names) {
            Ok(out) => out,
            Err(rb_workspace::git::GitError::Failed { exit: 1, .. }) => return Ok(BTreeSet::new()),
            Err(error) => return Err(error.into()),
        };
        let plain = |name: &[u8]| name.strip_prefix(b"./").unwrap_or(name).to_vec();
        Ok(out.split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(plain).collect())
    }

    /// The bytes of these tracked files as the commit has them.
    pub(crate) fn originals(
        &self,
        paths: &[&RepoPath],
    ) -> Result<BTreeMap<RepoPath, Vec<u8>>, AgentError> {
        fs::remove_dir_all(&self.originals)?;
        fs::create_dir_all(&self.originals)?;
        let names: Vec<u8> =
            paths.iter().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect();
        let args = [OsString::from("checkout-index"), prefix(&self.originals), "-z".into()];
        self.git.feed(args.into_iter().chain(["--stdin".into()]), &names)?;
        let mut found = BTreeMap::new();
        for &path in paths {
            found.insert(path.clone(), fs::read(&path.below(&self.originals))?);
        }
        fs::remove_dir_all(&self.originals)?;
        Ok(found)
    }
}

/// Not a link to one.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}

fn prefix(folder: &Path) -> OsString {
    let mut argument = OsString::from("--prefix=");
    argument.push(folder);
    argument.push("/");
    argument
}

/// What git has just written there.
fn state(place: &Path) -> Result<Tracked, FsError> {
    let failed = |source| FsError { what: "read", path: place.to_owned(), source };
    let meta = place.symlink_metadata().map_err(failed)?;
    if meta.is_symlink() {
        let target = place.read_link().map_err(failed)?;
        return Ok(Tracked::Link { target: target.as_os_str().as_bytes().to_vec() });
    }
    let hash = Sha256::of_reader(&mut fs::open(place)?).map_err(failed)?;
    Ok(Tracked::File { hash, bytes: meta.len(), mode: mode_of(&meta) })
}

pub(crate) fn mode_of(meta: &std::fs::Metadata) -> Mode {
    if meta.permissions().mode() & 0o100 == 0 { Mode::Regular } else { Mode::Executable }
}

/// Removes a folder that an agent worked in, also where it took the permissions away.
pub(crate) fn remove(folder: &Path) -> Result<(), FsError> {
    if fs::remove_dir_all(folder).is_ok() {
        return Ok(());
    }
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            continue;
        }
        let _ = fs::set_mode(&folder, 0o700);
        let names = fs::list(&folder).unwrap_or_default();
        folders.extend(names.iter().map(|name| folder.join(name)));
    }
    fs::remove_dir_all(folder)
}

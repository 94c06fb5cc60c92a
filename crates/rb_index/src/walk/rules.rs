//! The ignore files that hold in a folder: its own, those above it up to the root of the git repository, and
//! `.git/info/exclude`. The user's global ignore file is left out: two people must get the same index.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rb_core::folder::{Folder, FolderRoot, Kind};

use crate::pattern::Patterns;

pub(super) const GIT_IGNORE: &[u8] = b".gitignore";
/// Same syntax; its word counts before that of any `.gitignore`.
pub(super) const OWN_IGNORE: &[u8] = b".refactor-botignore";

/// No ignore file that a person wrote comes near; a larger one is not applied, and that is reported.
pub(super) const MAX_IGNORE_FILE: u64 = 1 << 20;

/// The ignore files of one folder, over those of the folders above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    git: Option<Layer>,
    own: Option<Layer>,
    /// Does this or a folder above have a file of our own?
    any_own: bool,
}

/// Whose ignore file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Git,
    Own,
}

impl By {
    pub fn words(self) -> &'static str {
        match self {
            By::Git => "ignored",
            By::Own => "ignored by .refactor-botignore",
        }
    }
}

#[derive(Debug)]
struct Layer {
    patterns: Patterns,
    /// How much of a path, as seen from the git root, is the folder of the ignore file.
    folder_len: usize,
}

/// Where the walk begins, as git sees it.
pub(super) struct Start {
    pub(super) rules: Arc<Rules>,
    /// The path from the git root to the walk's root, with a slash at its end; empty where they are the same.
    pub(super) prefix: Vec<u8>,
}

impl Rules {
    /// What holds at `root`, the ignore files in it not yet read. `root` is absolute and has no links in it.
    pub(super) fn start(root: &Path) -> Start {
        let Some(git_root) = root.ancestors().find(|folder| is_repository(folder)) else {
            return Start { rules: Arc::default(), prefix: Vec::new() };
        };
        let exclude = git_folder(git_root).and_then(|git| read_at(&git.join("info"), b"exclude"));
        let mut rules = Arc::<Rules>::default().with(exclude, None, 0);
        let mut prefix = Vec::new();
        let mut folder = git_root.to_path_buf();
        for component in root.strip_prefix(git_root).unwrap_or(Path::new("")).components() {
            let (git, own) = (read_at(&folder, GIT_IGNORE), read_at(&folder, OWN_IGNORE));
            rules = rules.with(git, own, prefix.len());
            folder.push(component);
            prefix.extend_from_slice(component.as_os_str().as_bytes());
            prefix.push(b'/');
        }
        Start { rules, prefix }
    }

    /// The rules inside a folder that has these ignore files.
    pub(super) fn with(
        self: &Arc<Self>,
        git: Option<Vec<u8>>,
        own: Option<Vec<u8>>,
        folder_len: usize,
    ) -> Arc<Rules> {
        let (git, own) = (layer(git, folder_len), layer(own, folder_len));
        if git.is_none() && own.is_none() {
            return Arc::clone(self);
        }
        let any_own = self.any_own || own.is_some();
        Arc::new(Rules { above: Some(Arc::clone(self)), git, own, any_own })
    }

    /// Which kind of ignore file names the path, if one does. It is as seen from the git root. The folders on its way
    /// are not looked at: the walk has not gone into an ignored one.
    pub(super) fn ignores(&self, path: &[u8], is_folder: bool) -> Option<By> {
        let own = if self.any_own {
            self.verdict(|rules| rules.own.as_ref(), path, is_folder)
        } else {
            None
        };
        match own {
            Some(ignored) => ignored.then_some(By::Own),
            None => self
                .verdict(|rules| rules.git.as_ref(), path, is_folder)
                .unwrap_or(false)
                .then_some(By::Git),
        }
    }

    fn verdict(
        &self,
        pick: impl Fn(&Rules) -> Option<&Layer>,
        path: &[u8],
        is_folder: bool,
    ) -> Option<bool> {
        let inner_first = std::iter::successors(Some(self), |rules| rules.above.as_deref());
        inner_first.filter_map(pick).find_map(|layer| {
            let (_, pattern) = layer.patterns.last_match(&path[layer.folder_len..], is_folder)?;
            Some(!pattern.negated)
        })
    }
}

impl Drop for Rules {
    /// One after the other: a chain as deep as the folders must not be dropped by recursion.
    fn drop(&mut self) {
        let mut above = self.above.take();
        while let Some(mut rules) = above.and_then(Arc::into_inner) {
            above = rules.above.take();
        }
    }
}

fn layer(text: Option<Vec<u8>>, folder_len: usize) -> Option<Layer> {
    let patterns = Patterns::parse(&text?);
    (!patterns.is_empty()).then_some(Layer { patterns, folder_len })
}

/// `None` where the file is larger than any ignore file should be.
pub(super) fn read_capped(file: &File) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    let read = file.take(MAX_IGNORE_FILE + 1).read_to_end(&mut text)?;
    Ok((read as u64 <= MAX_IGNORE_FILE).then_some(text))
}

/// A file whose folder is outside the walk. Neither a link nor a pipe is taken for one.
fn read_at(folder: &Path, name: &[u8]) -> Option<Vec<u8>> {
    let file = FolderRoot::open(folder).ok()?.top().ok()?.file(name).ok()?;
    read_capped(&file).ok()?
}

fn is_repository(folder: &Path) -> bool {
    FolderRoot::open(folder).and_then(|held| held.top()).is_ok_and(|top| has_git(&top))
}

/// Does the folder hold a repository's `.git`, and not just something of that name?
pub(super) fn has_git(folder: &Folder) -> bool {
    match folder.stat(b".git").map(|stat| stat.kind) {
        Ok(Kind::Folder) => folder.stat(b".git/HEAD").is_ok(),
        Ok(Kind::File) => {
            let text = folder.file(b".git").and_then(|file| read_capped(&file));
            text.is_ok_and(|text| text.as_deref().and_then(gitdir).is_some())
        }
        Ok(Kind::Link) => true,
        Ok(Kind::Special | Kind::Unknown) | Err(_) => false,
    }
}

/// Where a `.git` file says that the repository is: in a worktree or a submodule.
fn gitdir(text: &[u8]) -> Option<&Path> {
    let place = text.strip_prefix(b"gitdir:")?.trim_ascii();
    (!place.is_empty()).then(|| Path::new(OsStr::from_bytes(place)))
}

/// The folder of the repository; for a worktree, that of the one it belongs to.
fn git_folder(git_root: &Path) -> Option<PathBuf> {
    let Some(text) = read_at(git_root, b".git") else { return Some(git_root.join(".git")) };
    let own = git_root.join(gitdir(&text)?);
    Some(match read_at(&own, b"commondir") {
        Some(common) => own.join(OsStr::from_bytes(common.trim_ascii())),
        None => own,
    })
}

//! The files that a batch of a model's plan means: those that its patterns find, and those that it may create.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_schema::roles::planner::Batch;
use rb_workspace::patch::{Scope, is_lockfile};

use crate::batch_terms::line;
use crate::here::is_folder;
use crate::reach::Reach;
use crate::repo_facts::{RepoFacts, folder, repo_path};

const GLOBS: usize = 50;
/// A batch may create so many files at most, and only if one of these is among its operations or the directive asks for the file.
pub(crate) const NEW_FILES: usize = 3;
const CREATING: [&str; 5] = ["create-file", "extract-module", "split-module", "move", "move-file"];

/// The files that a batch means: those that are there, and those that it may create.
pub(crate) struct BatchFiles {
    pub(crate) files: BTreeSet<String>,
    /// Those of them that are named by their paths, and not by a pattern.
    pub(crate) named: BTreeSet<String>,
    pub(crate) new: BTreeSet<String>,
}

/// The files that the patterns of a batch mean. One that means none is refused with its batch.
pub(crate) fn meant(
    repo: &RepoFacts<'_>,
    reach: &Reach,
    created: &BTreeSet<String>,
    batch: &Batch,
) -> Result<BatchFiles, String> {
    if batch.scope_globs.is_empty() || batch.scope_globs.len() > GLOBS {
        return Err(format!("it has {}", plural(batch.scope_globs.len(), "pattern")));
    }
    let (mut files, mut named, mut new) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for glob in &batch.scope_globs {
        let plain = glob.trim().trim_start_matches("./").trim_start_matches('/');
        let shown = line(glob, 120);
        if plain.is_empty() || plain.split('/').any(|it| it == "..") || plain.len() > 1_000 {
            return Err(format!("`{shown}` is not a pattern for files in the repository"));
        }
        let tree = &repo.view().tree;
        if tree.find(plain).is_some() {
            files.insert(plain.to_owned());
            named.insert(plain.to_owned());
            continue;
        }
        let may_create =
            |path: &str| reach.allows_new(path) && may_create(repo, reach, created, batch, path);
        if new.len() < NEW_FILES && may_create(plain) {
            new.insert(plain.to_owned());
            continue;
        }
        let scope = Scope::new(&[format!("/{plain}")], &[""; 0], None);
        let scope = scope.map_err(|_| format!("`{shown}` is not a valid pattern"))?;
        let paths = tree.files.iter().map(|it| &*it.path);
        let found: Vec<&str> =
            paths.filter(|it| repo_path(it).is_some_and(|it| scope.contains(&it))).collect();
        if found.is_empty() {
            return Err(format!("`{shown}` matches no existing file"));
        }
        files.extend(found.into_iter().map(str::to_owned));
    }
    if files.is_empty() {
        return Err("it matches no existing file".to_owned());
    }
    Ok(BatchFiles { files, named, new })
}

/// A file beside others of its kind, where the batch says that it creates one, or where an earlier batch does; or one that the
/// directive asks for.
fn may_create(
    repo: &RepoFacts<'_>,
    reach: &Reach,
    created: &BTreeSet<String>,
    batch: &Batch,
    path: &str,
) -> bool {
    let ending = path.rsplit_once('.').map(|it| it.1);
    let is_like = |other: &str| {
        folder(other) == folder(path) && other.rsplit_once('.').map(|it| it.1) == ending
    };
    let says = batch.allowed_operations.iter().any(|it| CREATING.contains(&it.as_str()));
    let has_like = || repo.view().tree.files.iter().any(|it| is_like(&it.path));
    let is_asked = || reach.is_coming(path) && is_folder(repo, folder(path));
    is_creatable(repo, path) && (((says || created.contains(path)) && has_like()) || is_asked())
}

/// Could there be a file with this path that the run may write?
pub(crate) fn is_creatable(repo: &RepoFacts<'_>, path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    path.rsplit_once('.').is_some_and(|(stem, _)| !stem.is_empty())
        && path.chars().all(is_plain)
        && (repo.input.may_touch)(path)
        && repo_path(path).is_some_and(|path| !is_lockfile(&path))
}

//! The index of a folder, as the commands that read a repository use it.

use std::path::{Path, PathBuf};

use rb_core::RepoPath;
use rb_index::search::Searchable;
use rb_index::walk::{WalkError, WalkOptions};
use rb_index::{
    Activity, FileActivity, History, IndexError, Indexed, Options, Request, Status, StoreError,
    folder_name, update,
};
use rb_workspace::history::{Change, History as GitHistory};

use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::search_model;
use crate::ui::printable;

/// So many commits say who changes; more would cost more than they tell.
const COMMITS: u32 = 1000;

/// After so many days a commit counts half.
const HALF_LIFE_DAYS: f64 = 90.0;

/// What a command wants of the index.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Forget what is stored and begin anew.
    pub(crate) rebuild: bool,
    pub(crate) search: Searchable,
}

/// Which files a command looks at.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Scope {
    /// The repository, or a folder of one
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// Only files that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,

    /// No files and folders that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
}

impl Scope {
    /// The same files, of another folder.
    pub(crate) fn at(&self, target: impl Into<PathBuf>) -> Self {
        Scope { target: target.into(), ..self.clone() }
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }
}

/// Indexes the files as they are now and hands them to `work`. Where it comes upon damage in the store, all is made anew
/// and handed to it once more; so it must not have shown anything by then.
pub(crate) fn read<T>(
    app: &App,
    scope: &Scope,
    wanted: &Wanted,
    mut work: impl FnMut(&Indexed) -> Result<T, IndexError>,
) -> Result<T, CliError> {
    let place = Place::of(app, scope)?;
    let indexed = place.index(app, wanted)?;
    match work(&indexed) {
        Err(IndexError::Store(StoreError::Damaged(_))) if !wanted.rebuild => {
            drop(indexed);
            let anew = Wanted { rebuild: true, ..wanted.clone() };
            Ok(work(&place.index(app, &anew)?)?)
        }
        done => Ok(done?),
    }
}

/// How the stored index compares with what is there now.
pub(crate) fn status(app: &App, scope: &Scope) -> Result<Status, CliError> {
    let place = Place::of(app, scope)?;
    Ok(rb_index::status(&place.root, &place.folder, &place.walk, &place.history, &app.cancel)?)
}

/// What is indexed, and where its index is.
pub(crate) struct Place {
    root: PathBuf,
    folder: PathBuf,
    walk: WalkOptions,
    history: Recent,
}

impl Place {
    pub(crate) fn of(app: &App, scope: &Scope) -> Result<Self, CliError> {
        let root = existing_folder(&scope.target)?;
        let git = GitHistory::of(&root, &app.env, &app.cancel);
        let head = git.head().unwrap_or_else(|error| {
            app.ui.warn(&format!("the history is not looked at: {error}"));
            None
        });
        let history = Recent { git, head };
        let folder = folder(app, &root, &history)?;
        let walk = WalkOptions {
            include: scope.include.clone(),
            exclude: scope.exclude.clone(),
            own: Some(app.home()?.root().to_owned()),
        };
        Ok(Place { root, folder, walk, history })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Names the repository alike on every machine, where it has an origin.
    pub(crate) fn repository(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn index(&self, app: &App, wanted: &Wanted) -> Result<Indexed, CliError> {
        let Wanted { rebuild, search } = wanted.clone();
        let indexed = update(&Request {
            root: &self.root,
            folder: &self.folder,
            options: &Options { walk: self.walk.clone(), rebuild, search, ..Options::default() },
            history: &self.history,
            progress: &app.ui.progress(),
            cancel: &app.cancel,
        })?;
        if let Some(why) = &indexed.update.unsaved {
            app.ui.warn(&format!("the index is not kept: {why}"));
        }
        Ok(indexed)
    }
}

/// One store for all clones and worktrees of a repository: what a text holds is the same in each.
fn folder(app: &App, root: &Path, history: &Recent) -> Result<PathBuf, CliError> {
    let (name, identity) = history.git.identity(root);
    Ok(app.home()?.index().join(folder_name(&name, &identity)))
}

fn existing_folder(target: &Path) -> Result<PathBuf, CliError> {
    let missing = |what: &str| {
        let target = printable(&target.display().to_string());
        CliError::new(ErrorKind::Usage, format!("{target} {what}"))
            .hint("give the folder of a repository")
    };
    let real = target.canonicalize().map_err(|_| missing("does not exist"))?;
    if real.is_dir() { Ok(real) } else { Err(missing("is not a folder")) }
}

impl From<IndexError> for CliError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Interrupted | IndexError::Walk(WalkError::Interrupted) => {
                CliError::new(ErrorKind::Interrupted, "interrupted")
            }
            IndexError::Store(StoreError::Newer { .. } | StoreError::NewerReader) => {
                CliError::new(ErrorKind::Environment, error)
                    .hint("update refactor-bot, or choose another place with --home")
            }
            IndexError::Embed(error) => search_model::failed(error),
            IndexError::Walk(WalkError::BadGlob(bad)) => CliError::new(ErrorKind::Usage, bad),
            IndexError::Walk(WalkError::Exhausted { .. }) => {
                CliError::new(ErrorKind::Environment, error)
                    .hint("end other programs or raise the limit (ulimit -n), then try again")
            }
            error => CliError::new(ErrorKind::Environment, error),
        }
    }
}

/// The latest commits as the index weighs them.
struct Recent {
    git: GitHistory,
    head: Option<String>,
}

impl History for Recent {
    fn head(&self) -> Option<String> {
        self.head.clone()
    }

    fn scope(&self) -> String {
        self.git.prefix().unwrap_or_default()
    }

    fn tracked(&self, places: &[RepoPath]) -> Vec<RepoPath> {
        self.git.tracked(places).unwrap_or_default()
    }

    fn activity(&self, head: &str) -> Activity {
        // A history that cannot be read counts as none: the index is poorer for it, and as right.
        weighed(head, &self.git.changes(head, COMMITS).unwrap_or_default())
    }
}

/// Each commit counts less the older it is against the newest of them, so that a commit alone decides the result.
fn weighed(head: &str, changes: &[Change]) -> Activity {
    let newest = changes.iter().map(|change| change.time).max().unwrap_or(0);
    let mut touched: Vec<(&rb_core::RepoPath, f64)> = Vec::new();
    for change in changes {
        #[expect(clippy::cast_precision_loss, reason = "days need no more than 52 bits")]
        let days = (newest - change.time) as f64 / 86_400.0;
        let weight = (-days / HALF_LIFE_DAYS).exp2();
        touched.extend(change.paths.iter().map(|path| (path, weight)));
    }
    // A stable sort: the sum is built in the order of the history, whatever the paths are.
    touched.sort_by_key(|&(path, _)| path);
    let files = touched
        .chunk_by(|a, b| a.0 == b.0)
        .map(|commits| FileActivity {
            path: commits[0].0.clone(),
            commits: u32::try_from(commits.len()).unwrap_or(u32::MAX),
            #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
            weight: commits.iter().map(|&(_, weight)| weight).sum::<f64>() as f32,
        })
        .collect();
    Activity {
        head: Some(head.to_owned()),
        commits: u32::try_from(changes.len()).unwrap_or(u32::MAX),
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix10_a_commit_counts_half_after_ninety_days() {
        let path = |name: &str| rb_core::RepoPath::new(name).unwrap();
        let day = 86_400;
        let activity = weighed(
            "abc",
            &[
                Change { time: 100 * day, paths: vec![path("a"), path("b")] },
                Change { time: 10 * day, paths: vec![path("a")] },
            ],
        );
        assert_eq!(activity.commits, 2);
        assert_eq!(
            activity.files,
            [
                FileActivity { path: path("a"), commits: 2, weight: 1.5 },
                FileActivity { path: path("b"), commits: 1, weight: 1.0 },
            ]
        );
    }
}

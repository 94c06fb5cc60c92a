//! The index of a folder, as the commands that read a repository use it.

use std::path::{Path, PathBuf};

use rb_change::WeightedHistory;
use rb_index::search::Searchable;
use rb_index::walk::{WalkError, WalkOptions};
use rb_index::{IndexError, Indexed, Options, Request, Status, StoreError, folder_name, update};
use rb_workspace::history::History as GitHistory;

use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::search_model;
use crate::ui::printable;

/// What a command wants of the index.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexOptions {
    /// Forget what is stored and begin anew.
    pub(crate) rebuild: bool,
    pub(crate) search: Searchable,
}

/// Which files a command looks at.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Scope {
    /// Repository, or folder in a repository
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// Only files that match; repeatable
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,

    /// Skip files and folders that match; repeatable
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

/// What is indexed, and where its index is.
pub(crate) struct RepoIndex {
    root: PathBuf,
    folder: PathBuf,
    walk: WalkOptions,
    history: WeightedHistory,
}

impl RepoIndex {
    pub(crate) fn of(app: &App, scope: &Scope) -> Result<Self, CliError> {
        let root = existing_folder(&scope.target)?;
        let git = GitHistory::of(&root, &app.env, &app.cancel);
        let head = git.head().unwrap_or_else(|error| {
            app.ui.warn(&format!("git history is not used: {error}"));
            None
        });
        let history = WeightedHistory { git, head };
        let folder = folder(app, &root, &history)?;
        let walk = WalkOptions {
            include: scope.include.clone(),
            exclude: scope.exclude.clone(),
            own: Some(app.home()?.root().to_owned()),
        };
        Ok(RepoIndex { root, folder, walk, history })
    }

    /// How the stored index compares with what is there now.
    pub(crate) fn status(&self, app: &App) -> Result<Status, CliError> {
        Ok(rb_index::status(&self.root, &self.folder, &self.walk, &self.history, &app.cancel)?)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Names the repository alike on every machine, where it has an origin.
    pub(crate) fn repository(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Indexes the files as they are now and hands them to `work`. If the store turns out to be damaged, it is rebuilt and handed over
    /// once more; so `work` must not have shown anything by then.
    pub(crate) fn read<T>(
        &self,
        app: &App,
        wanted: &IndexOptions,
        mut work: impl FnMut(&Indexed) -> Result<T, IndexError>,
    ) -> Result<T, CliError> {
        let indexed = self.index(app, wanted)?;
        match work(&indexed) {
            Err(IndexError::Store(StoreError::Damaged(_))) if !wanted.rebuild => {
                drop(indexed);
                let anew = IndexOptions { rebuild: true, ..wanted.clone() };
                Ok(work(&self.index(app, &anew)?)?)
            }
            done => Ok(done?),
        }
    }

    fn index(&self, app: &App, wanted: &IndexOptions) -> Result<Indexed, CliError> {
        let IndexOptions { rebuild, search } = wanted.clone();
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
fn folder(app: &App, root: &Path, history: &WeightedHistory) -> Result<PathBuf, CliError> {
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

//! Repositories as commands open them for reading.

use std::path::{Path, PathBuf};

use rb_index::walk::{WalkError, WalkOptions};
use rb_index::{IndexError, Indexed, StoreError};
use rb_repo::{Opener, ReadOptions, Repo};

use crate::app::App;
use crate::error::{CliError, ErrorKind};
use crate::search_model;
use crate::ui::printable;

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

    /// The filters, for who opens the repository again.
    pub(crate) fn walk(&self) -> WalkOptions {
        let Scope { include, exclude, .. } = self.clone();
        WalkOptions { include, exclude, own: None }
    }

    pub(crate) fn open(&self, app: &App) -> Result<Repo, CliError> {
        open(app, &self.target, self.walk())
    }
}

pub(crate) fn open(app: &App, target: &Path, walk: WalkOptions) -> Result<Repo, CliError> {
    let root = existing_folder(target)?;
    let opener = Opener { home: app.home()?, env: &app.env, cancel: &app.cancel };
    Ok(opener.checkout(root, walk, |error| {
        app.ui.warn(&format!("git history is not used: {error}"));
    }))
}

/// Indexes the files as they are now and calls `work`, which may be called again and so shows nothing itself.
pub(crate) fn read<T>(
    app: &App,
    repo: &Repo,
    options: &ReadOptions,
    mut work: impl FnMut(&Indexed) -> Result<T, IndexError>,
) -> Result<T, CliError> {
    let read = repo.read(options, &app.ui.progress(), |indexed| {
        if let Some(why) = &indexed.update.unsaved {
            app.ui.warn(&format!("the index is not saved: {why}"));
        }
        work(indexed)
    });
    Ok(read?)
}

pub(crate) fn existing_folder(target: &Path) -> Result<PathBuf, CliError> {
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

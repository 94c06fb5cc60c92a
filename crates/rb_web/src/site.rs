//! What every page is made from.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use rb_change::Host;
use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use rb_core::progress::Silent;
use rb_index::Indexed;
use rb_index::search::Searchable;
use rb_repo::{ReadOptions, Repo};

use crate::guard::Keys;
use crate::jobs::Jobs;
use crate::pages::runs::RunRows;
use crate::reply::Problem;

/// Opens the repository of the server as it is now.
pub type OpenRepo = Box<dyn Fn(&Cancel) -> Repo + Send + Sync>;

/// This program, for the commands that a page starts.
#[derive(Debug, Clone)]
pub struct Program {
    pub path: PathBuf,
    /// Arguments that every command needs, such as `--home`.
    pub globals: Vec<OsString>,
    /// The variables that the server was started with, those with settings and keys of models among them.
    pub env: Env,
}

pub(crate) struct Site {
    pub(crate) host: Host,
    pub(crate) program: Program,
    /// The folder that the server was started for.
    pub(crate) root: PathBuf,
    pub(crate) open: OpenRepo,
    /// Decisions and starts are refused.
    pub(crate) read_only: bool,
    pub(crate) keys: Keys,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) rows: RunRows,
}

impl Site {
    /// A command of this program, in the folder of the server.
    pub(crate) fn command(&self, args: &[&str]) -> Cmd {
        let command = Cmd::new(&self.program.path, &self.program.env);
        let command = command.args(self.program.globals.iter().cloned());
        command.args(args.iter().copied()).cwd(&self.root)
    }

    /// The index of the repository, brought up to date first. `work` is called again if the stored index turns out to be damaged.
    pub(crate) fn indexed<T>(
        &self,
        search: Searchable,
        mut work: impl FnMut(&Repo, &Indexed) -> Result<T, rb_index::IndexError>,
    ) -> Result<T, Problem> {
        let repo = (self.open)(&self.host.cancel);
        let options = ReadOptions { rebuild: false, search };
        repo.read(&options, &Silent, |indexed| work(&repo, indexed)).map_err(Problem::failed)
    }
}

//! What every command is handed: where things lie, what it may see, and how it speaks.

use std::path::{Path, PathBuf};

use rb_core::process::Env;
use rb_core::{Cancel, Home, Usd};

use crate::cli::Globals;
use crate::config::{Config, Flag, Sources};
use crate::environment::Environment;
use crate::error::{CliError, ErrorKind};
use crate::model_flags::ModelFlags;
use crate::ui::Ui;

pub(crate) struct App {
    home: Option<Home>,
    /// For the programs that are started.
    pub(crate) env: Env,
    pub(crate) environment: Environment,
    pub(crate) cancel: Cancel,
    pub(crate) ui: Ui,
    /// The settings of `--set`.
    set: Vec<Flag>,
    /// The model flags of the command; none for a command that asks no model.
    pub(crate) models: ModelFlags,
}

impl App {
    pub(crate) fn new(
        globals: Globals,
        models: ModelFlags,
        environment: Environment,
        ui: Ui,
        cancel: Cancel,
    ) -> Result<Self, CliError> {
        let home = home_folder(globals.home, &environment).map(std::path::absolute).transpose();
        let home = home.map_err(|error| CliError::new(ErrorKind::Environment, error))?;
        let env = environment.children();
        let Globals { set, .. } = globals;
        if let Some(root) = &home {
            rb_core::fs::keep_private(root);
            // Where it cannot be closed, whatever needs it says why.
            let _ = rb_core::fs::close(root, &Home::NAMES);
        }
        Ok(App { home: home.map(Home::new), env, environment, cancel, ui, set, models })
    }

    /// The same with another limit for what models may cost.
    pub(crate) fn with_budget(&self, budget_usd: Option<Usd>) -> Self {
        let mut models = self.models.clone();
        models.budget_usd = budget_usd;
        App {
            home: self.home.clone(),
            env: self.env.clone(),
            environment: self.environment.clone(),
            cancel: self.cancel.clone(),
            ui: self.ui.clone(),
            set: self.set.clone(),
            models,
        }
    }

    /// Where everything is kept. Nothing is created by asking.
    pub(crate) fn home(&self) -> Result<&Home, CliError> {
        self.home.as_ref().ok_or_else(|| {
            CliError::new(ErrorKind::Environment, "there is no home folder")
                .hint("set REFACTOR_BOT_HOME, or pass --home DIR")
        })
    }

    /// The configuration for work on `project`, or without one. `flags` are the command's own; they are
    /// stronger than `--set`.
    pub(crate) fn config(
        &self,
        project: Option<&Path>,
        flags: Vec<Flag>,
    ) -> Result<Config, CliError> {
        let flags = self.set.iter().cloned().chain(flags).collect();
        let sources =
            Sources { flags, environment: &self.environment, project, home: self.home()? };
        Ok(Config::load(sources)?)
    }
}

fn home_folder(flag: Option<PathBuf>, environment: &Environment) -> Option<PathBuf> {
    flag.or_else(|| environment.get("REFACTOR_BOT_HOME").map(PathBuf::from))
        .or_else(|| environment.get("HOME").map(|home| Path::new(home).join(".refactor-bot")))
}

//! What a person asked for, from flags and configuration.

use std::path::PathBuf;

use rb_flow::ModelChoice;
use rb_kata::workflow::StartOptions;
use rb_kata::{KataError, Runner};

use super::Args;
use crate::app::App;
use crate::config::{Config, Flag};
use crate::error::{CliError, ErrorKind};
use crate::verify_settings::{self, VerifyFlags};

/// A kata's tests take seconds; what runs longer hangs.
const TIMEOUT_S: u64 = 120;

pub(super) struct Order {
    /// Without the models, which are chosen later.
    pub(super) options: StartOptions,
    /// The folder whose configuration holds; `None` where the project does not exist yet.
    pub(super) project: Option<PathBuf>,
    /// Where the language comes from, if not from a flag or the kata.
    pub(super) language_source: Option<&'static str>,
}

impl Order {
    pub(super) fn new(args: &Args, app: &App) -> Result<Order, CliError> {
        // A project's own file cannot say where the project is.
        let outside = app.config(None, Vec::new())?.settings.kata;
        let work_dir = args.work_dir.clone().unwrap_or_else(|| PathBuf::from(outside.work_dir));
        let work_dir = std::path::absolute(work_dir).map_err(|error| {
            CliError::new(ErrorKind::Usage, error).hint("choose a folder with --work-dir DIR")
        })?;
        let project = work_dir.is_dir().then(|| work_dir.clone());
        let cycles = args
            .max_cycles
            .map(|number| Flag::new("kata.max_cycles", "--max-cycles", number.into()));
        let flags = cycles.into_iter().collect::<Result<Vec<Flag>, _>>()?;
        let config = app.config(project.as_deref(), flags)?;
        if let Some(note) = config.untrusted_note() {
            app.ui.warn(&note);
        }
        let configured = config.settings.kata.language.as_str();
        let language = language(args.language.as_deref().unwrap_or(configured))?;
        let is_configured = args.language.is_none() && language.is_some();
        Ok(Order {
            options: StartOptions {
                file: args.file.clone(),
                language,
                work_dir,
                max_cycles: config.settings.kata.max_cycles,
                models: ModelChoice::default(),
                verify: verify(args, &config)?,
            },
            project,
            language_source: is_configured.then_some("kata.language"),
        })
    }
}

/// An empty name leaves the choice to the kata.
fn language(name: &str) -> Result<Option<Runner>, CliError> {
    if name.trim().is_empty() {
        return Ok(None);
    }
    match Runner::parse(name) {
        Some(runner) => Ok(Some(runner)),
        None => Err(KataError::UnknownLanguage { name: name.to_owned() }.into()),
    }
}

fn verify(args: &Args, config: &Config) -> Result<rb_verify::Options, CliError> {
    let flags = VerifyFlags {
        sandbox: args.sandbox.clone(),
        install: false,
        flake_runs: None,
        timeout: args.timeout,
    };
    let mut options = verify_settings::verify(&config.settings, &flags)?.options;
    if args.timeout.is_none() && !config.is_set("verify.timeout_s") {
        options.timeout_s = TIMEOUT_S;
    }
    Ok(options)
}

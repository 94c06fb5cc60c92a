//! The command line of refactor-bot: arguments, configuration, terminal, exit codes.
//!
//! `main` parses, builds the `App` and calls one file of `commands`. What a run does is decided in the
//! crates below; here it is only wired up and shown.

mod agent_flags;
mod app;
mod ask_error;
mod ask_question;
mod ask_run;
mod change_run;
mod cli;
mod color;
mod commands;
mod config;
mod crash;
mod diff_view;
mod environment;
mod error;
mod kata_error;
mod kata_run;
mod model_flags;
mod model_settings;
mod numbers;
mod progress;
mod repo_index;
mod run_desk;
mod run_error;
mod run_kind;
mod run_name;
mod run_view;
mod scratch_repo;
mod search_model;
mod signals;
mod ticket_error;
mod ticket_run;
mod ui;
mod verify_settings;
mod wrap;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser as _};
use rb_core::Cancel;

use crate::app::App;
use crate::cli::{Cli, Globals};
use crate::environment::Environment;
use crate::error::{CliError, Outcome};
use crate::ui::Ui;

/// Runs the program with these arguments and variables. Returns the exit code that `--help` lists.
pub fn main(
    args: impl IntoIterator<Item = OsString>,
    vars: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    // The guard of a confined command, started by this very program; no person calls it.
    if args.get(1).is_some_and(|word| word == rb_sandbox::SHIM) {
        return ExitCode::from(rb_sandbox::confine(&args[2..]));
    }
    let environment = Environment::new(vars);
    let ui = Ui::new(&Globals::guess(&args), &environment);
    ExitCode::from(crash::guard(&ui, || run(&args, environment, &ui)))
}

/// The whole command line as data, for manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}

/// `early` is what could be told of the output flags before the arguments were understood.
fn run(args: &[OsString], environment: Environment, early: &Ui) -> u8 {
    if let Err(error) = arm_faults(&environment) {
        return early.finish(Err(error));
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return early.finish(early.usage(&with_directive_tip(error, args))),
    };
    let ui = Ui::new(&cli.globals, &environment);
    ui.finish(execute(cli, environment, &ui))
}

/// `run . "Convert …"`: a word too many for a command that takes a directive is most likely one.
fn with_directive_tip(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let takes_directive = args.iter().skip(1).any(|arg| arg == "run" || arg == "plan");
    let word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if !word.starts_with('-') => word,
        _ => return error,
    };
    if takes_directive && error.kind() == clap::error::ErrorKind::UnknownArgument {
        let tip = format!("to give a directive, use --directive '{word}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn execute(cli: Cli, environment: Environment, ui: &Ui) -> Result<Outcome, CliError> {
    let cancel = Cancel::new();
    let listener = signals::install(&cancel, ui)?;
    let models = cli.command.model_flags();
    let app = App::new(cli.globals, models, environment, ui.clone(), cancel)?;
    let result = cli.command.run(&app);
    listener.finish();
    result
}

#[cfg(not(feature = "fault"))]
#[expect(clippy::unnecessary_wraps, reason = "its twin with the feature `fault` can fail")]
fn arm_faults(_environment: &Environment) -> Result<(), CliError> {
    Ok(())
}

#[cfg(feature = "fault")]
fn arm_faults(environment: &Environment) -> Result<(), CliError> {
    let Some(plan) = environment.text("REFACTOR_BOT_FAULT") else { return Ok(()) };
    assert!(plan != "panic", "told to panic by REFACTOR_BOT_FAULT");
    rb_core::fault::arm(plan).map_err(|problem| CliError::new(error::ErrorKind::Usage, problem))
}

//! `refactor-bot mcp`: the tools that explore a repository, served to other programs.

mod install;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use rb_core::Cancel;
use rb_mcp::{McpError, ServeOptions};
use rb_models::McpServer;
use rb_repo::Opener;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::repo_index::Scope;
use crate::search_model;

const EXAMPLES: &str = "\
Examples:
  refactor-bot mcp install
  refactor-bot mcp install ../shop --client codex
  refactor-bot mcp ../shop

A client starts the server itself and talks to it over standard input and output. The tools read the repository and change nothing.";

/// Serve tools that explore a repository to MCP clients, such as Claude Code, Codex and Cursor
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    scope: Scope,

    /// Append each call, with the lines it showed, to this file as a line of JSON
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Refuse calls once the log holds this many
    #[arg(long, value_name = "N", requires = "log", hide = true)]
    most_calls: Option<u32>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Install(install::Args),
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match &args.verb {
        Some(Verb::Install(verb)) => install::run(verb, args.scope.target(), app),
        None => serve(args, app),
    }
}

fn serve(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let repo = args.scope.open(app)?;
    let search = search_model::of(app, &repo)?;
    let (home, env, ui) = (app.home()?.clone(), app.env.clone(), app.ui.clone());
    let (root, walk) = (repo.root().to_owned(), args.scope.walk());
    // The server waits for its client as others wait for a person: a signal ends it at once, and there is no step to finish first.
    app.ui.open_question().keep();
    let options = ServeOptions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        open: Box::new(move |cancel: &Cancel| {
            let opener = Opener { home: &home, env: &env, cancel };
            // If git does not work, there was a warning at the start.
            opener.checkout(root.clone(), walk.clone(), |_| {})
        }),
        search,
        log: args.log.clone(),
        most_calls: args.most_calls,
        cancel: app.cancel.clone(),
        warn: Box::new(move |text: &str| ui.warn(text)),
    };
    rb_mcp::serve(options).map_err(failed)?;
    Ok(Outcome::Done)
}

fn failed(error: McpError) -> CliError {
    match error {
        McpError::Log(error) => error.into(),
        McpError::Handshake(_) => CliError::new(ErrorKind::Usage, error)
            .hint("MCP clients start this command; `refactor-bot mcp install` prints how"),
        McpError::Start(_) | McpError::Session(_) => CliError::new(ErrorKind::Environment, error),
    }
}

/// How a client starts this program to serve the repository at `root`.
pub(crate) fn own_server(app: &App, root: &Path) -> Result<McpServer, CliError> {
    let command =
        std::env::current_exe().map_err(|error| CliError::new(ErrorKind::Environment, error))?;
    text(&command)?;
    let mut args = vec!["mcp".to_owned(), text(root)?];
    let home = app.home()?.root();
    let usual = app.environment.get("HOME").map(|user| Path::new(user).join(".refactor-bot"));
    if usual.as_deref() != Some(home) {
        args.extend(["--home".to_owned(), text(home)?]);
    }
    Ok(McpServer { name: "refactor-bot".to_owned(), command, args })
}

/// Configurations of clients hold nothing but text.
fn text(path: &Path) -> Result<String, CliError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let problem = format!("the path {} is not valid UTF-8", path.display());
        CliError::new(ErrorKind::Usage, problem).hint("use a path of plain characters")
    })
}

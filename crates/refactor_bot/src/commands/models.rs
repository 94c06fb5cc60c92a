//! `refactor-bot models`: which models can be asked, whether they are ready, and one call to one of them.

mod call;
mod check;
mod list;
mod show;

use clap::Subcommand;

use crate::app::App;
use crate::error::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  refactor-bot models                                        who can be asked, and what is missing
  refactor-bot models show deepseek                          its models, their limits and prices
  refactor-bot models check --provider claude-code           is it ready? no model is asked
  refactor-bot models call --provider ollama \"Say hello\"     one call, to see that it works
  refactor-bot models call --provider anthropic --schema answer.schema.json - < question.txt

A server that speaks OpenAI's chat completions needs --base-url alone. Others of your own are files in
`providers` of the home folder; `models show NAME --toml` prints one to begin with.";

/// See which models can be asked, and ask one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    List(list::Args),
    Show(show::Args),
    Check(check::Args),
    Call(call::Args),
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match &args.command {
        None => list::run(&list::Args {}, app),
        Some(What::List(args)) => list::run(args, app),
        Some(What::Show(args)) => show::run(args, app),
        Some(What::Check(args)) => check::run(args, app),
        Some(What::Call(args)) => call::run(args, app),
    }
}

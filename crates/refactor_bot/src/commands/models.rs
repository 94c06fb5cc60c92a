//! `refactor-bot models`: which models can be asked, whether they are ready, and one call to one of them.

mod call;
mod check;
mod list;
mod show;

use clap::Subcommand;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;

const EXAMPLES: &str = "\
Examples:
  refactor-bot models
  refactor-bot models show deepseek
  refactor-bot models check --provider claude-code
  refactor-bot models call --provider ollama \"Say hello\"
  refactor-bot models call --provider anthropic --schema answer.schema.json - < q.txt

A server with OpenAI's chat completions API needs only --base-url. To add other providers, put files into \
`providers` in the home folder; `models show NAME --toml` prints one to start from.";

/// List providers and models, check one, or call one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<What>,

    #[command(flatten)]
    pub(super) models: ModelFlags,
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

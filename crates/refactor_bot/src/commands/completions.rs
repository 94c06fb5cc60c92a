//! `refactor-bot completions SHELL`: a completion script on stdout.

use clap_complete::Shell;

use crate::app::App;
use crate::error::{CliError, Outcome};

const EXAMPLES: &str = "\
Examples:
  refactor-bot completions bash > /etc/bash_completion.d/refactor-bot
  refactor-bot completions zsh > ~/.zfunc/_refactor-bot
  refactor-bot completions fish > ~/.config/fish/completions/refactor-bot.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    shell: Shell,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "refactor-bot", &mut script);
    app.ui.print_raw(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

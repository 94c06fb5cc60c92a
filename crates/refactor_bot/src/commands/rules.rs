//! `refactor-bot rules`: what the rules are, what they find, and what they can put right.

mod check;
mod explain;
mod fix;
mod impact;
mod list;
mod new;
mod project;
mod recipe;
mod screen;
mod test;

use clap::Subcommand;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};

/// Find and fix performance problems in React and Next.js projects; run recipes and your own rules
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Explain(explain::Args),
    Check(check::Args),
    Fix(fix::Args),
    Impact(impact::Args),
    New(new::Args),
    Test(test::Args),
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match &args.verb {
        Verb::List(args) => list::run(args, app),
        Verb::Explain(args) => explain::run(args, app),
        Verb::Check(args) => check::run(args, app),
        Verb::Fix(args) => fix::run(args, app),
        Verb::Impact(args) => impact::run(args, app),
        Verb::New(args) => new::run(args, app),
        Verb::Test(args) => test::run(args, app),
    }
}

/// Which rules are meant.
#[derive(Debug, Clone, clap::Args)]
struct Choice {
    /// Rule, category (`async`), bundle (`waterfalls`) or custom rule to use; repeatable
    #[arg(long = "rule", value_name = "NAME")]
    rules: Vec<String>,

    /// Rule, category or bundle to skip; repeatable
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,

    /// Include rules that rarely pay off
    #[arg(long, conflicts_with = "rules")]
    all: bool,
}

impl Choice {
    /// The built-in rules, and the ids of the project's own.
    fn chosen(
        &self,
        own: &[String],
    ) -> Result<(Vec<&'static rb_rules::Rule>, Vec<String>), CliError> {
        let is_own = |name: &&String| own.contains(name);
        let wanted_own = |id: &&String| {
            let is_named = self.rules.is_empty() || self.rules.contains(*id);
            is_named && !self.skip.contains(*id)
        };
        let own_ones = own.iter().filter(wanted_own).cloned().collect();
        let mut names: Vec<String> =
            self.rules.iter().filter(|name| !is_own(name)).cloned().collect();
        if self.all {
            names.push("all".to_owned());
        }
        if names.is_empty() && !self.rules.is_empty() {
            return Ok((Vec::new(), own_ones));
        }
        let skip: Vec<String> = self.skip.iter().filter(|name| !is_own(name)).cloned().collect();
        let built_in = rb_rules::engine::select(&names, &skip).map_err(unknown)?;
        Ok((built_in, own_ones))
    }
}

fn unknown(error: rb_rules::engine::SelectError) -> CliError {
    let hint = if error.nearest.is_empty() {
        "`refactor-bot rules list` lists them all".to_owned()
    } else {
        format!("did you mean {}?", error.nearest.join(", "))
    };
    CliError::new(ErrorKind::Usage, error).hint(hint)
}

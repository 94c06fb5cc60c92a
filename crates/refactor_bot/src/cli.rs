//! The arguments that every command takes, and the frame around the commands.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum as _};

use crate::color::ColorChoice;
use crate::commands::Command;
use crate::config::Flag;
use crate::error::ErrorKind;

const EXAMPLES: &str = "\
Examples:
  refactor-bot plan .
  refactor-bot run . --directive 'Eliminate request waterfalls'
  refactor-bot runs list
  refactor-bot accept latest";

/// Change a code repository in small verified steps
#[derive(Debug, Parser)]
#[command(
    name = "refactor-bot",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    after_help = EXAMPLES,
    after_long_help = long_help(),
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Print results and errors as JSON on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print no progress and no warnings
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more progress
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,

    /// When to use colors: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        default_value = "auto"
    )]
    pub(crate) color: ColorChoice,

    /// Do not show diffs in a pager
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,

    /// Store runs and settings in this folder instead of ~/.refactor-bot
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// Set a configuration key for this call; repeatable
    #[arg(long, global = true, value_name = "KEY=VALUE", value_parser = Flag::parse_set)]
    pub(crate) set: Vec<Flag>,
}

impl Globals {
    /// What can be told about the output before the arguments are understood, so that a mistake in them
    /// is reported in the right form.
    pub(crate) fn guess(args: &[OsString]) -> Self {
        let mut globals = Globals {
            json: false,
            quiet: false,
            verbose: false,
            color: ColorChoice::Auto,
            no_pager: false,
            home: None,
            set: Vec::new(),
        };
        let mut words = args.iter().skip(1).map_while(|arg| arg.to_str().filter(|&a| a != "--"));
        while let Some(word) = words.next() {
            let color = match word {
                "--json" => {
                    globals.json = true;
                    None
                }
                "--color" => words.next(),
                _ => word.strip_prefix("--color="),
            };
            if let Some(color) = color.and_then(|value| ColorChoice::from_str(value, false).ok()) {
                globals.color = color;
            }
        }
        globals
    }
}

fn long_help() -> String {
    let mut text =
        format!("{EXAMPLES}\n\nExit codes:\n    0  success, also if there was nothing to do");
    for kind in ErrorKind::ALL {
        let _ = write!(text, "\n  {:>3}  {}", kind.exit_code(), kind.meaning());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        crate::command().debug_assert();
    }

    #[test]
    fn ux5_model_flags_are_only_on_commands_that_use_them() {
        let has = |it: &clap::Command| it.get_arguments().any(|arg| arg.get_id() == "provider");
        let command = crate::command();
        assert!(!has(&command));
        let with: Vec<&str> =
            command.get_subcommands().filter(|it| has(it)).map(clap::Command::get_name).collect();
        assert_eq!(
            with,
            [
                "run", "plan", "ask", "kata", "ticket", "resume", "accept", "reject", "eval",
                "models"
            ]
        );
    }

    /// The terminal wraps a paragraph; whoever wrote it must not have done so before. Examples fit a usual terminal.
    #[test]
    fn ux5_help_texts_are_not_wrapped_twice() {
        fn check(command: &clap::Command) {
            let texts = [command.get_after_help(), command.get_after_long_help()];
            for text in texts.into_iter().flatten().map(ToString::to_string) {
                let lines: Vec<&str> = text.lines().collect();
                let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                let name = command.get_name();
                for pair in lines.windows(2) {
                    assert!(!(is_prose(pair[0]) && is_prose(pair[1])), "{name}: {pair:?}");
                }
                for line in lines.iter().filter(|line| line.starts_with(' ')) {
                    assert!(line.chars().count() <= 88, "{name}: {line}");
                }
            }
            command.get_subcommands().for_each(check);
        }
        check(&crate::command());
    }

    #[test]
    fn ux2_output_flags_are_seen_before_the_rest_is_understood() {
        let check = |args: &[&str], json: bool, color: ColorChoice| {
            let args: Vec<OsString> = args.iter().map(OsString::from).collect();
            let globals = Globals::guess(&args);
            assert_eq!((globals.json, globals.color), (json, color), "{args:?}");
        };
        check(&["x", "--bad", "--json"], true, ColorChoice::Auto);
        check(&["x", "--color", "always"], false, ColorChoice::Always);
        check(&["x", "--color=never", "y"], false, ColorChoice::Never);
        check(&["x", "--color"], false, ColorChoice::Auto);
        check(&["x", "--", "--json"], false, ColorChoice::Auto);
        check(&["--json"], false, ColorChoice::Auto);
    }
}

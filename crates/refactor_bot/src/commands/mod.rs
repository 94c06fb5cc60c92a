//! The commands, one file each.
//!
//! A file holds `Args` (its doc comment is the help), `run`, and its tests. To add one: the file, its
//! `mod` line, and its line in the list below.

mod accept;
mod ask;
mod completions;
mod config;
mod doctor;
mod eval;
mod index;
mod kata;
mod map;
mod mcp;
mod models;
mod plan;
mod reject;
mod resume;
mod rollback;
mod rules;
mod run;
mod runs;
mod search;
mod serve;
mod ticket;
mod verify;

pub(crate) use self::mcp::own_server;
pub(crate) use self::run::go::{Answer, ask};

use clap::Subcommand;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;

macro_rules! commands {
    ($($file:ident => $name:ident,)*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name($file::Args),)*
        }

        impl Command {
            pub(crate) fn run(&self, app: &App) -> Result<Outcome, CliError> {
                match self {
                    $(Command::$name(args) => $file::run(args, app),)*
                }
            }
        }

        #[cfg(test)]
        const FILES: &[&str] = &[$(stringify!($file)),*];
    };
}

impl Command {
    /// Who is asked, by the commands that can ask a model.
    pub(crate) fn model_flags(&self) -> ModelFlags {
        match self {
            Command::Run(args) => args.models.clone(),
            Command::Plan(args) => args.models.clone(),
            Command::Ask(args) => args.models.clone(),
            Command::Kata(args) => args.models.clone(),
            Command::Ticket(args) => args.models.clone(),
            Command::Resume(args) => args.models.clone(),
            Command::Accept(args) => args.models.clone(),
            Command::Reject(args) => args.models.clone(),
            Command::Models(args) => args.models.clone(),
            Command::Eval(args) => args.models.clone(),
            Command::Verify(_)
            | Command::Rollback(_)
            | Command::Runs(_)
            | Command::Search(_)
            | Command::Rules(_)
            | Command::Map(_)
            | Command::Mcp(_)
            | Command::Serve(_)
            | Command::Index(_)
            | Command::Config(_)
            | Command::Doctor(_)
            | Command::Completions(_) => ModelFlags::default(),
        }
    }
}

// In the order of the help.
commands! {
    run => Run,
    plan => Plan,
    ask => Ask,
    kata => Kata,
    ticket => Ticket,
    verify => Verify,
    resume => Resume,
    accept => Accept,
    reject => Reject,
    rollback => Rollback,
    runs => Runs,
    search => Search,
    rules => Rules,
    map => Map,
    serve => Serve,
    mcp => Mcp,
    eval => Eval,
    models => Models,
    index => Index,
    config => Config,
    doctor => Doctor,
    completions => Completions,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_command_and_every_command_has_help() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands");
        let mut files: Vec<String> = rb_core::fs::list(&folder)
            .unwrap()
            .iter()
            .filter_map(|name| Some(name.to_str()?.strip_suffix(".rs")?.to_owned()))
            .filter(|name| name != "mod")
            .collect();
        files.sort();
        let mut listed = FILES.to_vec();
        listed.sort_unstable();
        assert_eq!(files, listed);
        for command in crate::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
        }
    }
}

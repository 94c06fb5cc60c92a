//! The program from outside: arguments in, exit code and whole output out.
#![expect(clippy::disallowed_methods, reason = "tests build their own files and processes")]
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod agent_runs;
mod ask_command;
mod completions;
mod config;
mod directives;
mod doctor;
mod errors;
mod eval_command;
mod examples;
mod hard_places;
mod help;
mod hostile_suite;
mod house_format;
mod interrupt;
mod kata;
mod kill;
mod kill_nodes;
mod killed_katas;
mod killed_questions;
mod killed_tickets;
mod map_command;
mod mcp_command;
mod model_runs;
mod models_command;
mod own_work;
mod private;
mod readme;
mod recipes_command;
mod refused;
mod replayed;
mod replayed_katas;
mod replayed_tickets;
mod rollback_command;
mod rules_command;
mod run_command;
mod runs_command;
mod search_command;
mod serve_command;
mod structural;
mod sync_files;
mod taken;
mod terminal;
mod three_patches;
mod ticket;
mod verify_choices;
mod verify_command;
mod verify_diagnostics;

/// The built binary with a home of its own.
fn cli() -> rb_testkit::Cli {
    rb_testkit::Cli::new(env!("CARGO_BIN_EXE_refactor-bot"))
}

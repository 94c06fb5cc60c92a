//! `cargo xtask VERB`: what a developer and the build server call. One file a verb.
//!
//! Uses the standard library alone, so that it builds in a moment on a fresh machine.
#![expect(clippy::disallowed_methods, reason = "a developer's tool, outside the product")]
#![expect(clippy::print_stderr, reason = "it talks to a developer")]

mod flaky;
mod fuzz;
#[cfg(test)]
mod layers;
mod man;
mod setup;
mod shell;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask VERB

  test            set up, then format check, lints, all tests, manual pages
  setup           check for what the tests need, and install what is missing where that is possible
  man             write the manual pages to target/man
  fuzz [SECONDS]  run each fuzz target for that long (60)";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => test::run(),
        ["setup"] => setup::run(),
        ["man"] => man::run(),
        ["flaky", ref rest @ ..] => flaky::run(rest),
        ["fuzz"] => fuzz::run("60"),
        ["fuzz", seconds] => fuzz::run(seconds),
        _ => {
            eprintln!("{USAGE}\n{}", flaky::USAGE);
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

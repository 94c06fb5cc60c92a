//! Everything that must hold before a change goes in, in the order in which it fails soonest.

use std::time::Instant;

use crate::setup;
use crate::shell::{self, Result};

/// A name for the report, and the work.
type Stage = (&'static str, fn() -> Result<()>);

const STAGES: [Stage; 5] = [
    ("setup", setup::run),
    ("format", || cargo(&["fmt", "--all", "--check"])),
    ("lint", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])
    }),
    ("lint features", || {
        let features = "refactor_bot/fault,xtask/man";
        let packages = ["clippy", "-p", "rb_core", "-p", "refactor_bot", "-p", "xtask"];
        let rest = ["--all-targets", "--locked", "--features", features, "--", "-D", "warnings"];
        cargo(&[&packages[..], &rest].concat())
    }),
    // With fault injection, so that the tests that kill the program at each effect run too, and with manual pages: to make them apart
    // would build the program once more.
    ("test", || {
        cargo(&["test", "--workspace", "--locked", "--features", "refactor_bot/fault,xtask/man"])
    }),
];

/// Stops at the first stage that fails, with its name.
pub(crate) fn run() -> Result<()> {
    let mut times = Vec::new();
    for (name, work) in STAGES {
        eprintln!("xtask: {name}");
        let started = Instant::now();
        let result = work();
        times.push(format!("{name} {:.1} s", started.elapsed().as_secs_f64()));
        if let Err(problem) = result {
            return Err(format!("stage `{name}` failed: {problem} ({})", times.join(", ")));
        }
    }
    eprintln!("xtask: all passed ({})", times.join(", "));
    Ok(())
}

fn cargo(args: &[&str]) -> Result<()> {
    shell::run(shell::cargo().args(args))
}

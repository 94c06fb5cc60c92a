//! Everything that must hold before a change goes in, in the order in which it fails soonest.

use std::time::Instant;

use crate::setup;
use crate::shell::{self, Result};

/// A name for the report, and the work.
type Stage = (&'static str, fn() -> Result<()>);

const FEATURES: &str = "refactor_bot/fault,xtask/man";
const DENY: [&str; 3] = ["--", "-D", "warnings"];

const STAGES: [Stage; 5] = [
    ("setup", setup::run),
    ("format", || cargo(&["fmt", "--all", "--check"])),
    // With the features of the test stage, which compile more. What is there only without them is a few lines, most of them in rb_core.
    ("lint", || {
        let workspace = ["clippy", "--workspace", "--all-targets", "--locked", "--features"];
        cargo(&[&workspace[..], &[FEATURES], &DENY].concat())
    }),
    ("lint without features", || {
        cargo(&[&["clippy", "-p", "rb_core", "--all-targets", "--locked"][..], &DENY].concat())
    }),
    // With fault injection, so that the tests that kill the program at each effect run too, and with manual pages: to make them apart
    // would build the program once more.
    ("test", || cargo(&["test", "--workspace", "--locked", "--features", FEATURES])),
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

//! Everything that must hold before a change goes in, in the order in which it fails soonest.

use std::time::Instant;

use crate::setup;
use crate::shell::{self, Result};

/// A name for the report, and the work.
type Stage = (&'static str, fn() -> Result<()>);

const FEATURES: &str = "refactor_bot/fault,xtask/man";

/// With fault injection, so that the tests that kill the program at each effect run too, and with manual pages: to make them apart would
/// build the program once more.
const TESTS: [&str; 5] = ["test", "--workspace", "--locked", "--features", FEATURES];

/// Clippy's compiler lints a crate and builds it. `cargo clippy` would read everything once more, only to lint it.
const LINTED: [&str; 2] = ["--config", "build.rustc-workspace-wrapper=\"clippy-driver\""];

/// Much of a test is waiting for programs that it starts.
const THREADS: [&str; 2] = ["--", "--test-threads=3"];

const STAGES: [Stage; 5] = [
    ("setup", setup::run),
    ("format", || cargo(&["fmt", "--all", "--check"])),
    ("build and lint", || cargo(&[&TESTS[..], &LINTED, &["--no-run"]].concat())),
    // What is there only without the features is a few lines, most of them in rb_core.
    ("lint without features", || {
        cargo(&["clippy", "-p", "rb_core", "--all-targets", "--locked", "--", "-D", "warnings"])
    }),
    ("test", || cargo(&[&TESTS[..], &LINTED, &THREADS].concat())),
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
    // As `cargo clippy -- -D warnings` passes it on.
    let lints = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";
    shell::run(shell::cargo().env("CLIPPY_ARGS", lints).args(args))
}

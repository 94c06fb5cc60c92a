//! What the program has started must not outlive it, even if it is killed without warning.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::Suite;
use super::deeds::HANGS;

/// Kills the program without warning once its command runs, and waits until nobody is left.
fn check_orphans(suite: &Suite, args: &[OsString]) {
    let is_napping = |process: &PathBuf| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        line.starts_with(b"sh\0")
    };
    let mut command = suite.cli.command();
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = Killed(command.spawn().unwrap());
    wait_until(|| suite.left().iter().any(is_napping), "the command began");
    child.kill();
    wait_until(|| suite.left().is_empty(), "all of them ended");
}

fn wait_until(is_so: impl Fn() -> bool, what: &str) {
    let until = Instant::now() + Duration::from_secs(40);
    while !is_so() {
        assert!(Instant::now() < until, "waited in vain: {what}");
        std::thread::yield_now();
    }
}

/// Also ended where the test itself fails.
struct Killed(Child);

impl Killed {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn sa7_a_suite_dies_with_the_program_that_runs_it() {
    for sandbox in ["bubblewrap", "landlock", "off"] {
        let suite = Suite::new(HANGS);
        check_orphans(&suite, &suite.args(&["--sandbox", sandbox]));
        assert_eq!(suite.repo.state(), suite.before);
    }
}

#[test]
fn sa7_a_formatter_dies_with_the_program_that_runs_it() {
    for sandbox in ["bubblewrap", "landlock", "off"] {
        let suite = Suite::new("");
        let mark = suite.cli.user_dir().display().to_string();
        let line = format!("setsid sh -c 'sleep 60; true' '{mark}' & sleep 60; true");
        let repo = suite.repo.root().display().to_string();
        let args = ["run", &repo, "--format", &line, "--sandbox", sandbox];
        check_orphans(&suite, &args.map(Into::into));
        assert_eq!(suite.repo.state(), suite.before);
    }
}

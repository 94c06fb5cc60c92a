//! A program that waits: what a terminal shows meanwhile, and what Ctrl-C does.
//!
//! The program waits for a `git` that waits for the test, so no test depends on time.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rb_testkit::{Cli, write_fixture};
use rustix::process::{Pid, Signal, kill_process};

use crate::cli;

/// A machine whose `git` says that it began and then waits for somebody to write into a pipe.
struct Slow {
    cli: Cli,
    bin: PathBuf,
}

impl Slow {
    fn new() -> Self {
        let mut cli = cli();
        let bin = cli.user_dir().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let git = "\
//- git exec
#!/bin/sh
: > \"$0.began\"
read line < \"$0.pipe\"
echo git version 2.39.5
";
        write_fixture(&bin, git);
        let made = Command::new("mkfifo").arg(bin.join("git.pipe")).status().unwrap();
        assert!(made.success());
        cli.set_env("PATH", &bin);
        Slow { cli, bin }
    }

    fn began(&self) -> PathBuf {
        self.bin.join("git.began")
    }

    fn release(&self) {
        std::fs::write(self.bin.join("git.pipe"), "go\n").unwrap();
    }
}

fn wait_for(path: &Path) {
    let until = Instant::now() + Duration::from_mins(1);
    while !path.exists() {
        assert!(Instant::now() < until, "{} never came", path.display());
        std::thread::yield_now();
    }
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn sa6_a_signal_stops_at_the_next_safe_place() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let slow = Slow::new();
        let mut command = slow.cli.command();
        command.arg("doctor").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_for(&slow.began());
        send(&child, signal);
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(130), "{signal:?}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "");
        let stderr = String::from_utf8_lossy(&out.stderr);
        assert_eq!(
            stderr,
            "checking this machine\n\
             stopping after this step; press Ctrl-C again to stop at once\n\
             error: interrupted\n",
            "{signal:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ux1_a_terminal_gets_a_bar_that_goes_away() {
    let slow = Slow::new();
    let line = format!("'{}' doctor", env!("CARGO_BIN_EXE_refactor-bot"));
    let mut command = Command::new("/usr/bin/script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env_clear();
    command.env("PATH", &slow.bin).env("HOME", slow.cli.user_dir()).env("TERM", "xterm");
    command.env("SHELL", "/bin/sh").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&seen).contains("checking this machine") {
        assert_eq!(screen.read(&mut byte).unwrap(), 1, "it ended without a bar");
        seen.push(byte[0]);
    }
    slow.release();
    let mut rest = String::new();
    screen.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
    let (_, after) = rest.rsplit_once("\x1b[2K").expect("the bar is cleared");
    assert!(after.contains("git version 2.39.5"), "{after:?}");
    assert!(!after.contains("checking this machine"), "{after:?}");
}

//! A program that runs while its caller watches it.
//!
//! `Cmd::run` is for programs that are trusted to be small; this is for those that must be measured and
//! bounded while they work. What bounds them, and how all of their children end, is the caller's affair.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Stdio};

use rustix::process::Pid;

use super::{Cmd, Exit, ProcessError};
use crate::fault::{self, Torn};

/// Where a started program reads and writes.
#[derive(Debug)]
pub struct Streams {
    pub stdin: Stdio,
    pub stdout: Stdio,
    pub stderr: Stdio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Own,
    /// It stays in the group of the caller, and so can open a session of its own.
    Callers,
}

/// A started program: ended and waited for when this is dropped.
#[derive(Debug)]
pub struct Running(Option<Child>);

impl Cmd {
    /// Starts the program and returns at once. The command's timeout, limit and input do not count here.
    pub fn start(&self, streams: Streams, group: Group) -> Result<Running, ProcessError> {
        let torn = fault::point("spawn", Path::new(&self.program));
        let mut command = self.command();
        command.stdin(streams.stdin).stdout(streams.stdout).stderr(streams.stderr);
        if group == Group::Own {
            command.process_group(0);
        }
        let child = command.spawn().map_err(|source| self.start_error(source))?;
        die_if_torn(torn);
        Ok(Running(Some(child)))
    }
}

#[cfg(not(feature = "fault"))]
fn die_if_torn(_torn: Torn) {}

/// Dies while the program is at work. What becomes of it then is what its starter has seen to.
#[cfg(feature = "fault")]
fn die_if_torn(torn: Torn) {
    if torn != Torn::No {
        std::thread::sleep(std::time::Duration::from_millis(2));
        fault::die();
    }
}

impl Running {
    pub fn pid(&self) -> Pid {
        Pid::from_child(self.child())
    }

    /// Its output, where that is a pipe and was not taken before.
    pub fn take_output(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        match &mut self.0 {
            Some(child) => (child.stdout.take(), child.stderr.take()),
            None => (None, None),
        }
    }

    pub fn wait(mut self) -> io::Result<Exit> {
        let child = self.0.as_mut().expect("taken only by what consumes `self`");
        let status = child.wait()?;
        self.0 = None;
        Ok(status.into())
    }

    /// Leaves the waiting to the caller, who waits for all children at once.
    pub fn detach(mut self) -> Pid {
        let pid = self.pid();
        self.0 = None;
        pid
    }

    fn child(&self) -> &Child {
        self.0.as_ref().expect("taken only by what consumes `self`")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use rustix::process::test_kill_process;

    use super::*;
    use crate::process::Env;

    fn start(script: &str) -> Running {
        let env = Env::default().with("PATH", "/usr/bin:/bin");
        let streams =
            Streams { stdin: Stdio::null(), stdout: Stdio::piped(), stderr: Stdio::null() };
        Cmd::new("sh", &env).args(["-c", script]).start(streams, Group::Own).unwrap()
    }

    #[test]
    fn a_started_program_is_heard_and_waited_for() {
        let mut running = start("echo out; exit 3");
        let mut out = String::new();
        running.take_output().0.unwrap().read_to_string(&mut out).unwrap();
        assert_eq!((out.as_str(), running.wait().unwrap()), ("out\n", Exit::Code(3)));
    }

    #[test]
    fn a_dropped_program_is_ended() {
        let running = start("exec sleep 600");
        let pid = running.pid();
        drop(running);
        assert!(test_kill_process(pid).is_err());
    }
}

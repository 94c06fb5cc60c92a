//! A program that runs to its end while its caller looks on, and that is asked to end before it is killed.
//!
//! For programs that hold something of the user's, such as a login that is just being renewed: killed at once
//! they would lose it. What they read and write is the caller's affair.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Cmd, Exit, Group, ProcessError, Streams, TICK};

impl Cmd {
    /// `look` is asked every few milliseconds. Where it gives a time, the whole group is asked to end, and killed
    /// once that time has passed. No process of the group outlives the call.
    pub fn watch(
        &self,
        streams: Streams,
        look: &mut dyn FnMut() -> Option<Duration>,
    ) -> Result<Exit, ProcessError> {
        let running = self.start(streams, Group::Own)?;
        let group = WholeGroup(running.pid());
        let (sender, ended) = mpsc::channel();
        let waiter = thread::spawn(move || {
            let _ = sender.send(running.wait());
        });
        let mut kill_at: Option<Instant> = None;
        let exit = loop {
            match ended.recv_timeout(TICK) {
                Ok(exit) => break exit,
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(io::Error::other("the waiting thread ended early"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            match kill_at {
                None => {
                    if let Some(grace) = look() {
                        group.signal(Signal::TERM);
                        kill_at = Some(Instant::now() + grace);
                    }
                }
                Some(at) if Instant::now() >= at => group.signal(Signal::KILL),
                Some(_) => {}
            }
        };
        drop(group);
        let _ = waiter.join();
        exit.map_err(|source| self.wait_error(source))
    }

    fn wait_error(&self, source: io::Error) -> ProcessError {
        ProcessError::Wait { program: self.program.to_string_lossy().into_owned(), source }
    }
}

/// Killed when this goes, however that comes about: also where `look` panics.
struct WholeGroup(Pid);

impl WholeGroup {
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.0, signal);
    }
}

impl Drop for WholeGroup {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Stdio;

    use rustix::process::test_kill_process_group;

    use super::*;
    use crate::process::Env;

    const LONG: Duration = Duration::from_mins(10);

    /// Runs until the script has made `ready`, then ends it with that much grace.
    fn check(script: &str, grace: Duration, wanted: Exit) {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let ready = at("ready");
        let mut look = || ready.exists().then_some(grace);
        assert_eq!(run(script, dir.path(), &mut look).unwrap(), wanted, "{script}");
        let group = std::fs::read_to_string(at("group")).unwrap();
        let group = Pid::from_raw(group.trim().parse().unwrap()).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while test_kill_process_group(group).is_ok() {
            assert!(Instant::now() < until, "{script}: something still runs");
            thread::yield_now();
        }
    }

    fn run(
        script: &str,
        cwd: &Path,
        look: &mut dyn FnMut() -> Option<Duration>,
    ) -> Result<Exit, ProcessError> {
        let env = Env::default().with("PATH", "/usr/bin:/bin");
        let script = format!("echo $$ > group; {script}");
        let streams =
            Streams { stdin: Stdio::null(), stdout: Stdio::null(), stderr: Stdio::null() };
        Cmd::new("sh", &env).args(["-c", &script]).cwd(cwd).watch(streams, look)
    }

    #[test]
    fn mo2_a_watched_program_is_asked_to_end_and_then_killed_with_all_its_children() {
        check(
            "trap 'exit 7' TERM; echo > ready; while :; do sleep 0.01; done",
            LONG,
            Exit::Code(7),
        );
        check("echo > ready; exec sleep 600", LONG, Exit::Signal(15));
        let deaf = "trap '' TERM; sleep 600 & echo > ready; while :; do sleep 0.01; done";
        check(deaf, Duration::from_millis(50), Exit::Signal(9));
        let child = "(trap '' TERM; while :; do sleep 0.01; done) & echo > ready; sleep 600";
        check(child, LONG, Exit::Signal(15));
    }

    #[test]
    fn mo2_a_watched_program_ends_by_itself_and_leaves_nothing_behind() {
        check("sleep 600 & exit 3", LONG, Exit::Code(3));
    }

    #[test]
    fn mo2_a_caller_that_panics_leaves_nothing_running() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("group");
        let (script, cwd) = ("exec sleep 600", dir.path().to_owned());
        let seen = file.clone();
        let result = thread::spawn(move || {
            run(script, &cwd, &mut || {
                assert!(!std::fs::read_to_string(&seen).is_ok_and(|text| text.ends_with('\n')));
                None
            })
        })
        .join();
        assert!(result.is_err());
        let group = std::fs::read_to_string(&file).unwrap();
        let group = Pid::from_raw(group.trim().parse().unwrap()).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while test_kill_process_group(group).is_ok() {
            assert!(Instant::now() < until, "it still runs");
            thread::yield_now();
        }
    }
}

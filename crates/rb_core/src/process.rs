//! The one door to other programs: own process group, clean environment, deadline, bounded output.
//!
//! A program started here sees only the variables it is given, cannot ask on the terminal, and is ended
//! with all its children when it is too slow, when the run is cancelled, or when it leaves any behind.

mod pager;
mod running;
mod watched;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;

use crate::cancel::{Cancel, Interrupted};
use crate::fault::{self, Torn};

pub use self::pager::page;
pub use self::running::{Group, Running, Streams};

/// The variables that programs may see. Built once by the binary from its own environment.
#[derive(Debug, Clone, Default)]
pub struct Env(BTreeMap<OsString, OsString>);

/// What a program needs to start, speak the user's language and find the user's own settings.
pub const PASSED_ON: [&str; 10] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
];

impl Env {
    /// Keeps of `all` what `PASSED_ON` names.
    pub fn passed_on(all: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let known = |name: &OsString| PASSED_ON.iter().any(|passed| name == passed);
        Env(all.into_iter().filter(|(name, _)| known(name)).collect())
    }

    /// All variables and their values, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The first executable of that name on `PATH`.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        let path = self.get("PATH")?;
        std::env::split_paths(path).map(|dir| dir.join(program)).find(|candidate| {
            candidate.is_file()
                && rustix::fs::access(candidate, rustix::fs::Access::EXEC_OK).is_ok()
        })
    }
}

/// A program to be run. Output above the limit is read and thrown away, and said to be cut.
#[derive(Debug, Clone)]
pub struct Cmd {
    program: OsString,
    args: Vec<OsString>,
    cwd: Option<PathBuf>,
    env: Env,
    stdin: Vec<u8>,
    timeout: Option<Duration>,
    limit: usize,
}

/// How a program ended and what it said.
#[derive(Debug)]
pub struct Output {
    pub exit: Exit,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
    /// Some output was over the limit and is missing.
    pub cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }
}

#[derive(Debug, Error)]
pub enum ProcessError {
    #[error("`{program}` was not found")]
    NotFound { program: String },
    #[error("`{program}` could not be started")]
    Start {
        program: String,
        #[source]
        source: io::Error,
    },
    #[error("`{program}` did not finish within {} s and was stopped", limit.as_secs())]
    TimedOut { program: String, limit: Duration },
    #[error("`{program}` was stopped because the run was interrupted")]
    Cancelled { program: String, source: Interrupted },
    #[error("`{program}` could not be waited for")]
    Wait {
        program: String,
        #[source]
        source: io::Error,
    },
}

impl Output {
    pub fn success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

const DEFAULT_LIMIT: usize = 256 << 20;

/// How long is waited for the pipes to close when the program has ended. A daemon that it left in a session
/// of its own may hold them open for ever.
const PIPES_CLOSE: Duration = Duration::from_secs(2);

/// How often a waiting call looks at its deadline and at the cancel flag.
const TICK: Duration = Duration::from_millis(20);

impl Cmd {
    pub fn new(program: impl Into<OsString>, env: &Env) -> Self {
        Cmd {
            program: program.into(),
            args: Vec::new(),
            cwd: None,
            env: env.clone(),
            stdin: Vec::new(),
            timeout: None,
            limit: DEFAULT_LIMIT,
        }
    }

    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub fn cwd(mut self, cwd: &Path) -> Self {
        self.cwd = Some(cwd.to_owned());
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env = self.env.with(name, value);
        self
    }

    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// How many bytes of each of stdout and stderr are kept.
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Runs to the end, to the deadline, or until cancelled. No process of the group outlives the call.
    pub fn run(self, cancel: &Cancel) -> Result<Output, ProcessError> {
        self.run_heard(cancel, &mut |_| {})
    }

    /// As `run`. While the program runs, `hear` is called every few milliseconds with all that it has written to stderr so far.
    pub fn run_heard(
        self,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&[u8]),
    ) -> Result<Output, ProcessError> {
        let program = self.program.to_string_lossy().into_owned();
        let torn = fault::point("spawn", Path::new(&self.program));
        let started = Instant::now();
        let mut child = self.spawn().map_err(|source| self.start_error(source))?;
        let group = Pid::from_child(&child);
        kill_if_torn(torn, &mut child, group);

        let feeder = feed(child.stdin.take(), self.stdin);
        let stdout = collect(child.stdout.take(), self.limit);
        let stderr = collect(child.stderr.take(), self.limit);
        let ended = wait(child, group, self.timeout, cancel, &mut || stderr.peek(hear));
        // Children left behind would hold the pipes open.
        let _ = kill_process_group(group, Signal::KILL);
        drop(feeder);
        let until = Instant::now() + PIPES_CLOSE;
        let (stdout, stdout_cut) = stdout.finish(until);
        let (stderr, stderr_cut) = stderr.finish(until);
        let elapsed = started.elapsed();
        match ended {
            Ended::Exit(Ok(status)) => {
                let (exit, cut) = (status.into(), stdout_cut || stderr_cut);
                Ok(Output { exit, stdout, stderr, elapsed, cut })
            }
            Ended::Exit(Err(source)) => Err(ProcessError::Wait { program, source }),
            Ended::TimedOut(limit) => Err(ProcessError::TimedOut { program, limit }),
            Ended::Cancelled => Err(ProcessError::Cancelled { program, source: Interrupted }),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        self.command()
            .stdin(if self.stdin.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one door to other programs")]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(&self.env.0);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command
    }

    fn start_error(&self, source: io::Error) -> ProcessError {
        let program = self.program.to_string_lossy().into_owned();
        match source.kind() {
            // A missing working directory gives the same error and is no missing program.
            io::ErrorKind::NotFound if self.cwd.as_ref().is_none_or(|cwd| cwd.is_dir()) => {
                ProcessError::NotFound { program }
            }
            _ => ProcessError::Start { program, source },
        }
    }
}

#[cfg(not(feature = "fault"))]
fn kill_if_torn(_torn: Torn, _child: &mut Child, _group: Pid) {}

/// Kills the program while it is at work and, once all of it is dead, this process too.
#[cfg(feature = "fault")]
fn kill_if_torn(torn: Torn, child: &mut Child, group: Pid) {
    if torn == Torn::No {
        return;
    }
    thread::sleep(Duration::from_millis(2));
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
    while rustix::process::test_kill_process_group(group).is_ok() {
        thread::yield_now();
    }
    fault::die();
}

enum Ended {
    Exit(io::Result<ExitStatus>),
    TimedOut(Duration),
    Cancelled,
}

fn wait(
    mut child: Child,
    group: Pid,
    timeout: Option<Duration>,
    cancel: &Cancel,
    look: &mut dyn FnMut(),
) -> Ended {
    let (sender, receiver) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let _ = sender.send(child.wait());
    });
    let deadline = timeout.map(|limit| (Instant::now() + limit, limit));
    let ended = loop {
        match receiver.recv_timeout(TICK) {
            Ok(status) => break Ended::Exit(status),
            Err(RecvTimeoutError::Disconnected) => {
                break Ended::Exit(Err(io::Error::other("the waiting thread ended early")));
            }
            Err(RecvTimeoutError::Timeout) => look(),
        }
        if cancel.is_cancelled() {
            break Ended::Cancelled;
        }
        if let Some((at, limit)) = deadline
            && Instant::now() >= at
        {
            break Ended::TimedOut(limit);
        }
    };
    if !matches!(ended, Ended::Exit(_)) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = waiter.join();
    ended
}

fn feed(stdin: Option<std::process::ChildStdin>, bytes: Vec<u8>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A program that does not read its input closes the pipe; that is its right.
            let _ = stdin.write_all(&bytes);
        }
    })
}

/// What has been read from a pipe so far, by a thread of its own.
struct Collected {
    so_far: Arc<Mutex<(Vec<u8>, bool)>>,
    done: mpsc::Receiver<()>,
}

fn collect<R: Read + Send + 'static>(stream: Option<R>, limit: usize) -> Collected {
    let so_far = Arc::new(Mutex::new((Vec::new(), false)));
    let (sender, done) = mpsc::channel();
    let shared = Arc::clone(&so_far);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        let mut stream = stream;
        while let Some(Ok(count @ 1..)) = stream.as_mut().map(|stream| stream.read(&mut buffer)) {
            let mut so_far = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let room = limit - so_far.0.len();
            so_far.0.extend_from_slice(&buffer[..count.min(room)]);
            so_far.1 |= count > room;
        }
        let _ = sender.send(());
    });
    Collected { so_far, done }
}

impl Collected {
    fn peek(&self, hear: &mut dyn FnMut(&[u8])) {
        hear(&self.so_far.lock().unwrap_or_else(PoisonError::into_inner).0);
    }

    /// Everything, or what there is at `until`; then it is said to be cut.
    fn finish(self, until: Instant) -> (Vec<u8>, bool) {
        let closed =
            self.done.recv_timeout(until.saturating_duration_since(Instant::now())).is_ok();
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut so_far.0), so_far.1 || !closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Cmd {
        let env = Env::default().with("PATH", "/usr/bin:/bin");
        Cmd::new("sh", &env).arg("-c").arg(script)
    }

    fn run(cmd: Cmd) -> Result<Output, ProcessError> {
        cmd.run(&Cancel::new())
    }

    #[test]
    fn gives_status_and_output() {
        let out = run(shell("cat; echo err >&2; exit 3").stdin("in")).unwrap();
        assert_eq!(
            (out.exit, out.stdout.as_slice(), out.stderr.as_slice()),
            (Exit::Code(3), &b"in"[..], &b"err\n"[..])
        );
        assert_eq!(run(shell("kill -9 $$")).unwrap().exit, Exit::Signal(9));
    }

    #[test]
    fn ux4_what_a_program_says_is_heard_while_it_runs() {
        let dir = tempfile::tempdir().unwrap();
        let heard = dir.path().join("heard");
        // It ends only once its first line was heard.
        let script = format!(
            "echo first >&2; while [ ! -e {} ]; do sleep 0.01; done; exit 3",
            heard.display()
        );
        let mut hear = |stderr: &[u8]| {
            if stderr == b"first\n" {
                crate::fs::write(&heard, b"", crate::fs::Durability::Relaxed).unwrap();
            }
        };
        let limit = Duration::from_mins(1);
        let out = shell(&script).timeout(limit).run_heard(&Cancel::new(), &mut hear).unwrap();
        assert_eq!(out.exit, Exit::Code(3));
    }

    #[test]
    fn the_environment_is_clean() {
        let out = run(shell("env").env("GIVEN", "1")).unwrap();
        let mut names: Vec<&str> = std::str::from_utf8(&out.stdout)
            .unwrap()
            .lines()
            .filter_map(|line| line.split('=').next())
            // The shell sets these itself.
            .filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name))
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["GIVEN", "PATH"]);
    }

    #[test]
    fn a_slow_program_is_ended_with_its_children() {
        let dir = tempfile::tempdir().unwrap();
        let script = format!("sleep 600 & echo $! > {0}/pid; sleep 600", dir.path().display());
        let error = run(shell(&script).timeout(Duration::from_millis(300))).unwrap_err();
        assert!(matches!(error, ProcessError::TimedOut { .. }), "{error}");
        assert_gone(&dir.path().join("pid"));
    }

    #[test]
    fn children_left_behind_do_not_outlive_the_call() {
        let dir = tempfile::tempdir().unwrap();
        let out =
            run(shell(&format!("sleep 600 & echo $! > {}/pid", dir.path().display()))).unwrap();
        assert!(out.success());
        assert_gone(&dir.path().join("pid"));
    }

    fn assert_gone(pid_file: &Path) {
        let pid: i32 = std::fs::read_to_string(pid_file).unwrap().trim().parse().unwrap();
        let pid = Pid::from_raw(pid).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        while state().is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(Instant::now() < until, "process {pid:?} still runs");
            thread::yield_now();
        }
    }

    #[test]
    fn cancelling_ends_the_program() {
        let cancel = Cancel::new();
        cancel.cancel();
        let error = shell("sleep 600").run(&cancel).unwrap_err();
        assert!(matches!(error, ProcessError::Cancelled { .. }), "{error}");
    }

    #[test]
    fn output_over_the_limit_is_cut_and_said_to_be() {
        let out = run(shell("head -c 100000 /dev/zero").limit(10)).unwrap();
        assert_eq!((out.stdout.len(), out.cut), (10, true));
    }

    #[test]
    fn a_daemon_that_keeps_the_pipes_does_not_keep_the_caller() {
        let dir = tempfile::tempdir().unwrap();
        let script = format!(
            "echo out; setsid sh -c 'echo $$ > {0}/pid; exec sleep 600' & while ! test -s {0}/pid; do :; done",
            dir.path().display()
        );
        let out = run(shell(&script)).unwrap();
        assert_eq!((out.stdout.as_slice(), out.cut), (&b"out\n"[..], true));
        let pid: i32 =
            std::fs::read_to_string(dir.path().join("pid")).unwrap().trim().parse().unwrap();
        rustix::process::kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    }

    #[test]
    fn a_missing_program_is_told_from_a_missing_folder() {
        let env = Env::default().with("PATH", "/usr/bin:/bin");
        let error = run(Cmd::new("no-such-program", &env)).unwrap_err();
        assert!(matches!(error, ProcessError::NotFound { .. }), "{error}");
        let error = run(shell("true").cwd(Path::new("/no/such/folder"))).unwrap_err();
        assert!(matches!(error, ProcessError::Start { .. }), "{error}");
    }
}

//! One job from its start to the death of its last process.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rb_core::process::{Cmd, Exit, Group, Running, Streams};
use rb_core::{Cancel, Interrupted};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpriority_process, kill_process, kill_process_group,
    setpriority_process, test_kill_process_group, waitid,
};

use crate::capture::{Capture, Captured};
use crate::disk::Disks;
use crate::docker;
use crate::error::SandboxError;
use crate::job::{Ended, Job, Ran};
use crate::launch::{Launch, Tells};
use crate::proc;
use crate::status::Status;
use crate::watch::{Passed, Watch};

/// How long is waited for pipes to close that a daemon may hold open for ever.
const PIPES_CLOSE: Duration = Duration::from_secs(2);

/// How often what must die is told so again, and how often at most.
const KILL_PAUSE: Duration = Duration::from_millis(20);
const KILLS: usize = 500;
const GROUP_GOES: Duration = Duration::from_secs(10);

/// What the threads around a job report.
enum News {
    Said(Status),
    /// The program in front has ended and is not waited for yet.
    Over,
}

enum Stop {
    Cancelled,
    /// It did all that was wanted of it.
    Enough,
    TimedOut,
    Passed(Passed),
    DiskFull(PathBuf),
}

/// Runs the job. What the program in front said is returned as well.
pub(crate) fn run(
    launch: &Launch,
    job: &Job,
    cancel: &Cancel,
    enough: &Cancel,
) -> Result<(Ran, Status), SandboxError> {
    let stdout = Stream::create(&job.log, "stdout", job.limits.output)?;
    let stderr = Stream::create(&job.log, "stderr", job.limits.output)?;
    let disks = Disks::of(job.writable.iter().chain(&launch.scratch));
    let started = Instant::now();
    let (mut running, pipe) = start(launch, job)?;
    let (out, err) = running.take_output();
    let (stdout, stderr) = (stdout.follow(out), stderr.follow(err));
    let (sender, news) = mpsc::channel();
    if let Some(pipe) = pipe {
        follow_status(pipe, sender.clone());
    }
    follow_end(running.pid(), sender);

    let mut seen = JobState {
        watch: Watch::new(running.pid(), launch.overhead, job.limits),
        disks,
        status: Status::default(),
        is_over: false,
    };
    let stop = {
        let _urgent = Urgent::new();
        let stop = seen.until_end(&news, job.timeout, started, (cancel, enough));
        if stop.is_some() {
            seen.end_all(launch, job, &news, running.pid());
        }
        stop
    };
    let elapsed = started.elapsed();
    let cpu = seen.watch.cpu();
    let exit = finish(running, launch, &mut seen, &news)?;
    let (stdout, stderr) = (stdout.finish()?, stderr.finish()?);
    let ended = match stop {
        Some(Stop::Cancelled) => return Err(SandboxError::Cancelled(Interrupted)),
        Some(Stop::DiskFull(folder)) => return Err(SandboxError::DiskFull { folder }),
        Some(Stop::Enough) => Ended::Enough,
        Some(Stop::TimedOut) => Ended::TimedOut(job.timeout),
        Some(Stop::Passed(Passed::Processes(limit))) => Ended::TooManyProcesses(limit),
        Some(Stop::Passed(Passed::Memory(limit))) => Ended::OutOfMemory(limit),
        None => how_it_ended(launch, exit, &seen.status, &stderr)?,
    };
    let peak_memory = seen.watch.peak;
    Ok((Ran { ended, elapsed, cpu: Some(cpu), peak_memory, stdout, stderr }, seen.status))
}

/// Gives this thread the highest priority while it watches, if that is allowed: a fork bomb on a busy machine would outrun it. Only the
/// superuser may, and only the superuser needs it: for everybody else the kernel limits processes (`shim.rs`).
struct Urgent(Option<i32>);

const FIRST_OF_ALL: i32 = -20;

impl Urgent {
    fn new() -> Self {
        let before = getpriority_process(None).ok();
        Urgent(before.filter(|_| setpriority_process(None, FIRST_OF_ALL).is_ok()))
    }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            let _ = setpriority_process(None, before);
        }
    }
}

fn start(launch: &Launch, job: &Job) -> Result<(Running, Option<File>), SandboxError> {
    let (pipe, stdin) = match launch.tells {
        Tells::Itself | Tells::Docker(_) => (None, Stdio::null()),
        Tells::Status | Tells::ShellStatus => {
            let flags = rustix::pipe::PipeFlags::CLOEXEC;
            let (reader, writer) = rustix::pipe::pipe_with(flags)
                .map_err(|error| SandboxError::Watch(error.into()))?;
            (Some(File::from(reader)), Stdio::from(writer))
        }
    };
    let streams = Streams { stdin, stdout: Stdio::piped(), stderr: Stdio::piped() };
    let running = Cmd::new(launch.argv[0].clone(), &launch.env)
        .args(launch.argv[1..].iter().cloned())
        .cwd(&job.cwd)
        .start(streams, launch.group)?;
    Ok((running, pipe))
}

fn follow_status(pipe: File, sender: Sender<News>) {
    thread::spawn(move || {
        let _ = Status::read(pipe, |status| {
            let _ = sender.send(News::Said(status));
        });
    });
}

fn follow_end(pid: Pid, sender: Sender<News>) {
    thread::spawn(move || {
        // It stays a zombie, so that what it used can still be read.
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(pid), how), Err(rustix::io::Errno::INTR)) {}
        let _ = sender.send(News::Over);
    });
}

struct JobState {
    watch: Watch,
    disks: Disks,
    status: Status,
    is_over: bool,
}

impl JobState {
    fn until_end(
        &mut self,
        news: &Receiver<News>,
        timeout: Duration,
        started: Instant,
        (cancel, enough): (&Cancel, &Cancel),
    ) -> Option<Stop> {
        let mut look_at = started + self.watch.pause();
        while !self.is_over {
            let left = timeout.saturating_sub(started.elapsed());
            let pause = look_at.saturating_duration_since(Instant::now()).min(left);
            self.hear(news, pause);
            if self.is_over {
                break;
            }
            if cancel.is_cancelled() {
                return Some(Stop::Cancelled);
            }
            if enough.is_cancelled() {
                return Some(Stop::Enough);
            }
            if started.elapsed() >= timeout {
                return Some(Stop::TimedOut);
            }
            if Instant::now() >= look_at {
                if let Some(passed) = self.watch.look() {
                    return Some(Stop::Passed(passed));
                }
                if let Some(folder) = self.disks.nearly_full() {
                    return Some(Stop::DiskFull(folder.to_owned()));
                }
                look_at = Instant::now() + self.watch.pause();
            }
        }
        None
    }

    fn hear(&mut self, news: &Receiver<News>, pause: Duration) {
        match news.recv_timeout(pause) {
            Ok(News::Said(status)) => self.status.learn(status),
            Ok(News::Over) | Err(RecvTimeoutError::Disconnected) => self.is_over = true,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }

    /// A shim in front waits for its last descendant, and so ends by itself after them.
    fn end_all(&mut self, launch: &Launch, job: &Job, news: &Receiver<News>, root: Pid) {
        if let Tells::Docker(name) = &launch.tells {
            let kill = Cmd::new(launch.argv[0].clone(), &job.env).args(["kill", name]);
            let _ = kill.timeout(Duration::from_secs(10)).run(&Cancel::new());
        }
        let own_group = launch.group == Group::Own;
        if own_group {
            // It must neither die before its children, which would then have no parent to be found by,
            // nor see them die.
            let _ = kill_process(root, Signal::STOP);
        }
        for round in 0..KILLS {
            proc::end_descendants(root.as_raw_nonzero().get());
            if own_group || round > KILLS / 2 {
                let _ = kill_process_group(root, Signal::KILL);
            }
            self.hear(news, KILL_PAUSE);
            if self.is_over {
                return;
            }
        }
    }
}

/// Those that were killed may take a moment to go on a busy machine.
fn until_gone(group: Pid) {
    let until = Instant::now() + GROUP_GOES;
    // What is dead and not waited for still counts as a member, for as long as the first process of the machine likes.
    let has_members = || test_kill_process_group(group).is_ok();
    while has_members() && proc::is_alive(group) && Instant::now() < until {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for the program in front, and until nothing of the job is left that can be found.
fn finish(
    running: Running,
    launch: &Launch,
    seen: &mut JobState,
    news: &Receiver<News>,
) -> Result<Exit, SandboxError> {
    let pid = running.pid();
    // As long as it is not waited for, the number of its group cannot be another's.
    let leads = rustix::process::getpgid(Some(pid)).is_ok_and(|group| group == pid);
    if leads {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let exit = running.wait().map_err(SandboxError::Watch)?;
    if leads {
        until_gone(pid);
    }
    // The pipe closes when the last one that could write to it is gone.
    if matches!(launch.tells, Tells::Status | Tells::ShellStatus) {
        let until = Instant::now() + PIPES_CLOSE;
        while let Ok(news) = news.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if let News::Said(status) = news {
                seen.status.learn(status);
            }
        }
    }
    Ok(exit)
}

fn how_it_ended(
    launch: &Launch,
    exit: Exit,
    status: &Status,
    stderr: &Captured,
) -> Result<Ended, SandboxError> {
    let failed = || {
        let said = status.failed.clone().unwrap_or_else(|| stderr.excerpt(2000));
        let why = match said.trim() {
            "" => format!("it ended with {exit:?} and said nothing"),
            said => said.to_owned(),
        };
        Err(SandboxError::Setup { kind: launch.kind, why })
    };
    match (&launch.tells, status.exit_code, status.signal) {
        (Tells::Itself, ..) => Ok(match exit {
            Exit::Code(code) => Ended::Exit(code),
            Exit::Signal(signal) => Ended::Signal(signal),
        }),
        (Tells::Status, Some(code), None) => Ok(Ended::Exit(code)),
        (Tells::Status, None, Some(signal)) => Ok(Ended::Signal(signal)),
        (Tells::ShellStatus, Some(code), _) => Ok(Ended::from_shell_code(code)),
        (Tells::Docker(_), ..) => match exit {
            Exit::Code(docker::FAILED) | Exit::Signal(_) => failed(),
            Exit::Code(code) => Ok(Ended::from_shell_code(code)),
        },
        (Tells::Status | Tells::ShellStatus, ..) => failed(),
    }
}

/// One output stream on its way into its file.
struct Stream {
    capture: Arc<Mutex<Option<Capture>>>,
    done: Option<Receiver<()>>,
}

impl Stream {
    fn create(log: &Path, name: &str, limit: u64) -> Result<Self, SandboxError> {
        if let Some(folder) = log.parent() {
            rb_core::fs::create_dir_all(folder)?;
        }
        let mut path = log.as_os_str().to_owned();
        path.push(".");
        path.push(name);
        let capture = Capture::create(&PathBuf::from(path), limit)?;
        Ok(Stream { capture: Arc::new(Mutex::new(Some(capture))), done: None })
    }

    fn follow(mut self, pipe: Option<impl Read + Send + 'static>) -> Self {
        let (sender, done) = mpsc::channel();
        let shared = Arc::clone(&self.capture);
        if let Some(pipe) = pipe {
            thread::spawn(move || {
                drain(pipe, &shared);
                let _ = sender.send(());
            });
        }
        self.done = Some(done);
        self
    }

    /// What there is when the pipe closes, or a little after the end.
    fn finish(self) -> Result<Captured, SandboxError> {
        if let Some(done) = self.done {
            let _ = done.recv_timeout(PIPES_CLOSE);
        }
        let mut capture = self.capture.lock().unwrap_or_else(PoisonError::into_inner);
        capture.take().expect("only this takes it").finish()
    }
}

/// More than a suite has to say. Whoever goes on is read slowly from then on, and so has to wait: nothing of it is kept, and reading it
/// at full speed would take a processor for each side.
const PLENTY: u64 = 64 << 20;
const PAUSE: Duration = Duration::from_millis(1);

fn drain(mut pipe: impl Read, shared: &Mutex<Option<Capture>>) {
    let mut buffer = vec![0; 64 << 10];
    let mut seen = 0;
    loop {
        if seen > PLENTY {
            thread::sleep(PAUSE);
        }
        let count = match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        seen += count as u64;
        let mut capture = shared.lock().unwrap_or_else(PoisonError::into_inner);
        match capture.as_mut() {
            Some(capture) => capture.take(&buffer[..count]),
            // The job is over; a daemon still talks.
            None => return,
        }
    }
}

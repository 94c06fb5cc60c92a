//! One run of a program, from its files to the death of its last process.
//!
//! Its output goes into files, not pipes: some programs lose the end of what they write into a pipe, and a child that was
//! left behind can hold a pipe open for ever. The files are read while they grow, so that silence is noticed.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rb_core::Cancel;
use rb_core::fs::{self, FsError};
use rb_core::process::{Cmd, Exit, ProcessError, Streams};

use super::{Host, Scratch};
use crate::error::Fault;

/// How long a program may take to end when it is asked to; less where a person waits for it.
const GRACE: Duration = Duration::from_secs(10);
const GRACE_OF_CANCEL: Duration = Duration::from_secs(2);

/// More output than this is no answer.
const MOST_OUTPUT: u64 = 64 << 20;

/// The end of what is said beside the answer; errors are there.
const KEPT_STDERR: usize = 16 << 10;

/// What is to be run.
pub(crate) struct Job<'a> {
    pub(crate) program: &'a str,
    pub(crate) args: Vec<OsString>,
    pub(crate) env: Vec<(String, OsString)>,
    pub(crate) stdin: &'a [u8],
    pub(crate) cwd: &'a Path,
    /// For all of it.
    pub(crate) whole: Duration,
    /// What a person can do where it cannot be started.
    pub(crate) repair: &'a str,
}

/// How it ended by itself.
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    /// Its last words beside the answer.
    pub(crate) stderr: String,
}

/// Hears what a program writes.
pub(crate) trait Ear {
    /// The next bytes of its output.
    fn piece(&mut self, bytes: &[u8]);

    /// How long it may be silent from now on; `None` where silence says nothing.
    fn patience(&self) -> Option<Duration>;

    /// Why there is no use in waiting any longer, although it is not silent.
    fn gives_up(&self) -> Option<Fault> {
        None
    }
}

/// Keeps everything. For programs that say nothing until they are done.
#[derive(Default)]
pub(crate) struct Collected(pub(crate) Vec<u8>);

impl Ear for Collected {
    fn piece(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn patience(&self) -> Option<Duration> {
        None
    }
}

/// Makes lines of pieces.
#[derive(Default)]
pub(crate) struct Lines(Vec<u8>);

impl Lines {
    /// Each line that is whole now, without its end.
    pub(crate) fn push(&mut self, bytes: &[u8], mut line: impl FnMut(&[u8])) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            self.0.extend_from_slice(&rest[..end]);
            line(&self.0);
            self.0.clear();
            rest = &rest[end + 1..];
        }
        self.0.extend_from_slice(rest);
    }

    /// What came after the last line end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// Runs to the end, or until it is too slow, too silent, too talkative or no longer wanted.
pub(crate) fn run(
    host: &Host,
    scratch: &Scratch,
    job: &Job<'_>,
    cancel: &Cancel,
    ear: &mut dyn Ear,
) -> Result<Ran, Fault> {
    if cancel.is_cancelled() {
        return Err(Fault::Interrupted);
    }
    if !job.cwd.is_dir() {
        return Err(Fault::Program { why: format!("{} is no folder", job.cwd.display()) });
    }
    let not_found = || not_installed(job, "it was not found");
    let program = host.find(job.program).ok_or_else(not_found)?;
    let (streams, mut watched) = files(scratch, job)?;
    let mut cmd = Cmd::new(program, host.env()).args(&job.args).cwd(job.cwd);
    for (name, value) in &job.env {
        cmd = cmd.env(name, value);
    }
    let mut stopped = None;
    let exit = cmd.watch(streams, &mut || {
        let (fault, grace) = watched.look(job, cancel, ear)?;
        stopped = Some(fault);
        Some(grace)
    });
    match (exit, stopped) {
        (_, Some(fault)) => Err(fault),
        (Err(error), None) => Err(of_start(job, &error)),
        (Ok(exit), None) => {
            watched.read(ear);
            Ok(Ran { exit, stderr: watched.last_words() })
        }
    }
}

fn files(scratch: &Scratch, job: &Job<'_>) -> Result<(Streams, Watched), FsError> {
    let stdin = if job.stdin.is_empty() {
        // A pipe that nobody writes to makes some programs wait.
        Stdio::null()
    } else {
        Stdio::from(fs::open(&scratch.write("stdin", job.stdin)?)?)
    };
    let (stdout, out) = scratch.output("stdout")?;
    let (stderr, err) = scratch.output("stderr")?;
    let streams = Streams { stdin, stdout: stdout.into(), stderr: stderr.into() };
    let now = Instant::now();
    Ok((
        streams,
        Watched { out, err, read: 0, said: 0, buffer: vec![0; 64 << 10], started: now, alive: now },
    ))
}

/// What is known of a running program.
struct Watched {
    out: File,
    err: File,
    /// Bytes of output that were heard.
    read: u64,
    /// Bytes beside the output, when last looked at.
    said: u64,
    buffer: Vec<u8>,
    started: Instant,
    /// When something new was last seen.
    alive: Instant,
}

impl Watched {
    /// Why it has to end now, and how gently.
    fn look(
        &mut self,
        job: &Job<'_>,
        cancel: &Cancel,
        ear: &mut dyn Ear,
    ) -> Option<(Fault, Duration)> {
        if cancel.is_cancelled() {
            return Some((Fault::Interrupted, GRACE_OF_CANCEL));
        }
        let said = self.err.metadata().map_or(0, |data| data.len());
        if self.read(ear) || said != self.said {
            self.said = said;
            self.alive = Instant::now();
        }
        if self.read > MOST_OUTPUT || said > MOST_OUTPUT {
            let why = format!("`{}` wrote more than {} MiB", job.program, MOST_OUTPUT >> 20);
            // At once: it would fill the disk meanwhile.
            return Some((Fault::Malformed { why }, Duration::ZERO));
        }
        if self.started.elapsed() >= job.whole {
            return Some((Fault::TooSlow(job.whole), GRACE));
        }
        if let Some(fault) = ear.gives_up() {
            return Some((fault, GRACE));
        }
        let patience = ear.patience()?;
        (self.alive.elapsed() >= patience).then_some((Fault::Stalled(patience), GRACE))
    }

    /// Hears what is new, if anything is. Never more than the limit and a little.
    fn read(&mut self, ear: &mut dyn Ear) -> bool {
        let before = self.read;
        while self.read <= MOST_OUTPUT
            && let Ok(count @ 1..) = self.out.read(&mut self.buffer)
        {
            self.read += count as u64;
            ear.piece(&self.buffer[..count]);
        }
        self.read > before
    }

    fn last_words(&mut self) -> String {
        use std::io::{Seek as _, SeekFrom};
        let long = self.err.metadata().map_or(0, |data| data.len());
        let from = long.saturating_sub(KEPT_STDERR as u64);
        let mut bytes = Vec::new();
        let read = self.err.seek(SeekFrom::Start(from));
        // What cannot be read back was never an answer.
        let _ =
            read.and_then(|_| self.err.by_ref().take(KEPT_STDERR as u64).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn of_start(job: &Job<'_>, error: &ProcessError) -> Fault {
    /// `E2BIG` and `ENOEXEC`, which have no portable name that is stable.
    const TOO_BIG: i32 = 7;
    const NO_PROGRAM: i32 = 8;
    match error {
        ProcessError::NotFound { .. } => not_installed(job, "it was not found"),
        ProcessError::Start { source, .. } => match (source.kind(), source.raw_os_error()) {
            (std::io::ErrorKind::PermissionDenied, _) => not_installed(job, "it may not be run"),
            (_, Some(NO_PROGRAM)) => not_installed(job, "it is no program"),
            (_, Some(TOO_BIG)) => Fault::BadRequest { words: "an argument is too long".to_owned() },
            _ => Fault::Program { why: format!("{error}: {source}") },
        },
        ProcessError::TimedOut { .. }
        | ProcessError::Cancelled { .. }
        | ProcessError::Wait { .. } => Fault::Program { why: error.to_string() },
    }
}

fn not_installed(job: &Job<'_>, why: &str) -> Fault {
    Fault::NotInstalled { what: format!("`{}` cannot be used: {why}. {}", job.program, job.repair) }
}

impl From<FsError> for Fault {
    /// The files of a call could not be made: the disk is full, or the folder is not ours.
    fn from(error: FsError) -> Self {
        Fault::Program { why: format!("{error}: {}", error.source) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn mo2_lines_are_the_same_however_they_come(
            text in "[a-c\n\u{e9}]{0,60}",
            cuts in prop::collection::vec(1_usize..9, 0..40),
        ) {
            let (mut lines, mut heard, mut rest) = (Lines::default(), Vec::new(), text.as_bytes());
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                lines.push(piece, |line| heard.push(line.to_vec()));
                rest = after;
            }
            lines.push(rest, |line| heard.push(line.to_vec()));
            heard.push(lines.rest());
            let wanted: Vec<Vec<u8>> = text.split('\n').map(|it| it.as_bytes().to_vec()).collect();
            prop_assert_eq!(heard, wanted);
        }
    }
}

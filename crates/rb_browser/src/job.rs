//! The one sandbox job that holds Chromium and the preview server, and its files.
//!
//! Only `job/` in the scratch folder can be written by it. The pipes lie there, and are gone before the preview command begins, so that
//! it cannot answer in Chromium's place by opening them.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rb_core::fs::{self, FsError};
use rb_core::{Cancel, RepoPath};
use rb_sandbox::{Job, Ran, SandboxError};

use crate::clean;
use crate::error::BrowserError;
use crate::setup::{Server, Setup};

/// Arguments: the job's folder, the worktree, the port, the preview command or nothing, then Chromium with its flags.
const SCRIPT: &str = r#"
job=$1 folder=$2 port=$3 line=$4; shift 4
exec 3<"$job/in" 4>"$job/out" || exit
rm -f "$job/in" "$job/out"
if [ -n "$line" ]; then
  (
    cd "$folder" || exit
    PORT=$port BROWSER=none sh -c "$line" </dev/null 2>&1 &
    echo $! >"$job/server.pid"
    wait $!
    code=$?
    # Read as the last line of the output: without it, what the server said last may still be on its way.
    printf '\nended with exit code %s\n' $code
    echo $code >"$job/server.exit"
  ) 3<&- 4>&- &
fi
# Its own files stay here, and the socket that it makes has a path of a few bytes: it refuses to start with a long one.
cd "$job" || exit
export HOME="$job" TMPDIR=.
exec "$@" >&2
"#;

/// Of the server's output, in a message.
const TAIL: u16 = 4000;
/// How long is waited for the end of it, once the server has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

pub(crate) struct RunningJob {
    scratch: PathBuf,
    enough: Cancel,
    ended: Ended,
    thread: Option<JoinHandle<Result<Ran, SandboxError>>>,
}

/// Why the job is over, once it is.
pub(crate) type Ended = Arc<OnceLock<String>>;

/// Our ends of Chromium's two pipes.
pub(crate) struct Pipes {
    pub(crate) input: File,
    pub(crate) output: File,
}

/// What the script wrote about the preview command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Nothing,
    Pid(u32),
    Exit(i32),
}

impl RunningJob {
    pub(crate) fn start(setup: &Setup<'_>) -> Result<(Self, Pipes), BrowserError> {
        let program = setup.program()?;
        let scratch = setup.scratch.to_owned();
        // From here on, what was made goes when this is dropped.
        let mut running = RunningJob {
            scratch: scratch.clone(),
            enough: Cancel::new(),
            ended: Ended::default(),
            thread: None,
        };
        let folder = scratch.join("job");
        fs::remove_dir_all(&folder)?;
        fs::create_dir_all(&folder)?;
        let open = |name: &str| -> Result<File, FsError> {
            let path = folder.join(name);
            fs::make_fifo(&path)?;
            fs::open_fifo(&path)
        };
        let pipes = Pipes { input: open("in")?, output: open("out")? };
        let job = job(setup, program, &folder, &scratch);
        let (sandbox, cancel) = (setup.sandbox.clone(), setup.cancel.clone());
        let (enough, ended) = (running.enough.clone(), Arc::clone(&running.ended));
        let work = move || {
            let ran = sandbox.run_until(&job, &cancel, &enough);
            let _ = ended.set(why(&ran));
            ran
        };
        let thread = thread::Builder::new().name("browser".to_owned()).spawn(work);
        running.thread = Some(thread.map_err(BrowserError::Pipe)?);
        Ok((running, pipes))
    }

    pub(crate) fn ended(&self) -> Ended {
        Arc::clone(&self.ended)
    }

    pub(crate) fn server_files(&self) -> ServerFiles {
        ServerFiles { scratch: self.scratch.clone() }
    }

    /// Ends everything, and says what the sandbox has to say.
    pub(crate) fn finish(mut self) -> Result<(), BrowserError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), BrowserError> {
        self.enough.cancel();
        let ran = self.thread.take().map(JoinHandle::join);
        let emptied = empty(&self.scratch);
        match ran {
            Some(Ok(Err(error))) => Err(error.into()),
            Some(Err(_)) => Err(BrowserError::Ended { why: "the sandbox panicked".to_owned() }),
            Some(Ok(Ok(_))) | None => Ok(emptied?),
        }
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Chromium's output is kept for nobody; the server's is.
fn empty(scratch: &Path) -> Result<(), FsError> {
    let log = scratch.join("job.stdout");
    if log.is_file() {
        fs::rename(&log, &scratch.join("server.log"))?;
    }
    fs::remove_file(&scratch.join("job.stderr"))?;
    fs::remove_dir_all(&scratch.join("job"))
}

fn job(setup: &Setup<'_>, program: PathBuf, folder: &Path, scratch: &Path) -> Job {
    let mut readable = setup.readable.clone();
    let mut writable = vec![folder.to_owned()];
    // One that a person unpacked in the home, which is hidden.
    let real = program.canonicalize().unwrap_or_else(|_| program.clone());
    if let Some(parent) = real.parent().filter(|parent| !parent.starts_with("/usr")) {
        readable.push(parent.to_owned());
    }
    let (cwd, port, line) = match &setup.server {
        Server::Command { line, folder, port, writable: may_write } => {
            readable.push(folder.to_path_buf());
            writable.extend(may_write.iter().cloned());
            (folder.to_path_buf(), port.to_string(), (*line).to_owned())
        }
        Server::External => (folder.to_owned(), String::new(), String::new()),
    };
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), "browser".into()];
    args.extend([folder.into(), cwd.clone().into_os_string(), port.into(), line.into()]);
    args.push(program.into_os_string());
    args.extend(setup.flags(&folder.join("profile")));
    Job {
        program: "/bin/sh".into(),
        args,
        cwd,
        env: setup.env.clone(),
        writable,
        readable,
        checkouts: setup.checkouts.clone(),
        hidden: Vec::new(),
        network: setup.network(),
        timeout: setup.limits.total,
        limits: setup.limits.sandbox,
        log: scratch.join("job"),
    }
}

fn why(ran: &Result<Ran, SandboxError>) -> String {
    use rb_sandbox::Ended;
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return error.to_string(),
    };
    let how = match ran.ended {
        Ended::Enough => return "it was closed".to_owned(),
        Ended::Exit(code) => format!("exit code {code}"),
        Ended::Signal(signal) => format!("signal {signal}"),
        Ended::TimedOut(_) => "its time was over".to_owned(),
        Ended::TooManyProcesses(limit) => format!("more than {limit} processes"),
        Ended::OutOfMemory(limit) => format!("more than {} MiB of memory", limit >> 20),
    };
    let text = ran.stderr.excerpt(2000);
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    // After the line that says why it gave up, its crash handler has more to say.
    match lines.clone().find(|line| line.contains(":FATAL:")).or_else(|| lines.next()) {
        Some(last) => format!("{how}. Its last output: {}", clean::line(last, clean::LINE)),
        None => how,
    }
}

/// Written inside the sandbox: read as what a hostile command may have put there.
#[derive(Debug, Clone)]
pub(crate) struct ServerFiles {
    scratch: PathBuf,
}

impl ServerFiles {
    pub(crate) fn read(&self) -> Written {
        if let Some(code) = self.number("job/server.exit") {
            return Written::Exit(code);
        }
        match self.number("job/server.pid") {
            Some(pid) => Written::Pid(pid),
            None => Written::Nothing,
        }
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        let path = RepoPath::new(name).ok()?;
        let bytes = fs::read_plain(&self.scratch, &path, 32).ok()??;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // Without its line break it is not all there yet.
        text.strip_suffix('\n')?.parse().ok()
    }

    /// The end of what a server said that ended with this code. Waits a moment for what is still on its way; of a server that said more
    /// than is kept, the last line never comes.
    pub(crate) fn last_words(&self, code: i32) -> String {
        let until = Instant::now() + LAST_WORDS;
        loop {
            let text = self.tail();
            let words = text.strip_suffix(&format!("ended with exit code {code}"));
            match words {
                Some(words) => return words.trim_end().to_owned(),
                None if Instant::now() >= until => return text,
                None => thread::sleep(PAUSE),
            }
        }
    }

    /// The end of what the server has said so far.
    pub(crate) fn tail(&self) -> String {
        let bytes =
            fs::read_tail(&self.scratch.join("job.stdout"), TAIL.into()).unwrap_or_default();
        clean::text(&String::from_utf8_lossy(&bytes), TAIL.into()).trim().to_owned()
    }
}

//! What is to be run, under which bounds, and what came of it. Plain data.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::process::Env;

use crate::capture::Captured;

/// A command of a repository that nobody vouches for.
#[derive(Debug, Clone)]
pub struct Job {
    pub program: OsString,
    pub args: Vec<OsString>,
    pub cwd: PathBuf,
    /// All that the command sees, but for `HOME` and `TMPDIR`, which a sandbox gives it anew.
    pub env: Env,
    /// Folders that it may write to. What is `.git` in them stays as it is.
    pub writable: Vec<PathBuf>,
    /// What it must see of a hidden home, such as the folders of a toolchain.
    pub readable: Vec<PathBuf>,
    /// Checkouts of the user. Of each it sees what is readable or writable here, and nothing else.
    pub checkouts: Vec<PathBuf>,
    /// What it must not see, beyond homes and the secrets of the system.
    pub hidden: Vec<PathBuf>,
    pub network: Network,
    pub timeout: Duration,
    pub limits: Limits,
    /// Output goes to this path with `.stdout` and `.stderr` added.
    pub log: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// Servers that the command starts itself, and nothing else.
    Loopback,
    /// All of it, for an installation that a person agreed to.
    Open,
}

/// What a command may use. Of a disk it may use what others do not need at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes kept of each of stdout and stderr: the first half and the last half.
    pub output: u64,
    /// Bytes of memory of all processes together.
    pub memory: Option<u64>,
    /// Processes at the same time.
    pub processes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { output: 16 << 20, memory: None, processes: 2048 }
    }
}

/// A command that ran, whatever came of it.
#[derive(Debug, Clone)]
pub struct Ran {
    pub ended: Ended,
    pub elapsed: Duration,
    /// Of all its processes; a lower bound where nobody could wait for every one of them.
    pub cpu: Option<Duration>,
    /// The most that all its processes held at one look; pages that they share count for each.
    pub peak_memory: Option<u64>,
    pub stdout: Captured,
    pub stderr: Captured,
}

/// How a command came to its end. Each limit is the one that was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Exit(i32),
    /// Under bubblewrap and Docker, which say 128 + n for signal n as shells do, also an exit with such a code.
    Signal(i32),
    TimedOut(Duration),
    TooManyProcesses(u32),
    OutOfMemory(u64),
    /// It was ended by whoever ran it, with what it had done.
    Enough,
}

impl Ended {
    /// The code of a program that stands for another one and says 128 + n for a signal.
    pub(crate) fn from_shell_code(code: i32) -> Self {
        match code {
            129..=159 => Ended::Signal(code - 128),
            _ => Ended::Exit(code),
        }
    }
}

impl Job {
    /// The program as a file, found as a shell would find it.
    pub(crate) fn program_file(&self) -> Option<PathBuf> {
        let named = Path::new(&self.program);
        if named.components().count() > 1 {
            let path = self.cwd.join(named);
            return path.is_file().then_some(path);
        }
        self.env.find(self.program.to_str()?)
    }
}

//! The words that tell bubblewrap what to set up. It starts nothing itself.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::job::{Job, Network};
use crate::places::{Place, Places};

/// Files of a command in its private folders take memory, of which no process is the owner.
const SCRATCH: u64 = 4 << 30;

/// What this machine's bubblewrap can do.
#[derive(Debug, Clone)]
pub(crate) struct Bubblewrap {
    pub(crate) program: PathBuf,
    /// Older ones cannot bound a private folder.
    pub(crate) knows_size: bool,
}

impl Bubblewrap {
    /// The whole command line; `status_fd` is where it tells what happened.
    pub(crate) fn argv(&self, job: &Job, status_fd: &str) -> Vec<OsString> {
        let places = Places::of(job, Path::new("/tmp"));
        let mut line = Line(vec![self.program.clone().into_os_string()]);
        line.words(&["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]);
        line.words(&["--unshare-cgroup-try", "--die-with-parent", "--new-session"]);
        line.words(&["--cap-drop", "ALL", "--json-status-fd", status_fd]);
        if job.network == Network::Loopback {
            line.words(&["--unshare-net"]);
        }
        line.words(&["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
        self.mount(&mut line, &places, job.limits.memory);
        line.environment(job, places.home.as_deref());
        line.words(&["--chdir"]);
        line.path(&job.cwd.canonicalize().unwrap_or_else(|_| job.cwd.clone()));
        line.words(&["--"]);
        line.0.push(job.program.clone());
        line.0.extend(job.args.iter().cloned());
        line.0
    }

    fn mount(&self, line: &mut Line, places: &Places, memory: Option<u64>) {
        let mut sealed = Vec::new();
        for (path, place) in &places.all {
            match place {
                Place::Hidden | Place::Masked if path.is_dir() => {
                    line.words(&["--tmpfs"]);
                    line.path(path);
                    sealed.push(path);
                }
                Place::Hidden | Place::Masked => {
                    line.words(&["--ro-bind", "/dev/null"]);
                    line.path(path);
                }
                Place::Scratch => {
                    if self.knows_size {
                        let size = memory.unwrap_or(SCRATCH).min(SCRATCH);
                        line.words(&["--size", &size.to_string()]);
                    }
                    line.words(&["--tmpfs"]);
                    line.path(path);
                }
                Place::Link(target) => {
                    line.words(&["--symlink"]);
                    line.path(target);
                    line.path(path);
                }
                Place::Readable | Place::Protected => line.bind("--ro-bind", path),
                Place::Writable => line.bind("--bind", path),
            }
        }
        for path in sealed {
            line.words(&["--remount-ro"]);
            line.path(path);
        }
    }
}

struct Line(Vec<OsString>);

impl Line {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn path(&mut self, path: &Path) {
        self.0.push(path.as_os_str().to_owned());
    }

    fn bind(&mut self, how: &str, path: &Path) {
        self.words(&[how]);
        self.path(path);
        self.path(path);
    }

    /// Given as words: bubblewrap itself must not hear what a job's variables say to the loader.
    fn environment(&mut self, job: &Job, home: Option<&Path>) {
        let home = home.unwrap_or(Path::new("/tmp"));
        let env = job.env.clone().with("HOME", home).with("TMPDIR", "/tmp");
        for (name, value) in env.iter() {
            self.words(&["--setenv"]);
            self.0.extend([name.to_owned(), value.to_owned()]);
        }
    }
}

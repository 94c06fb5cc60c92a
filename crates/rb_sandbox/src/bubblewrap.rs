//! The words that tell bubblewrap what to set up. It starts nothing itself.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use crate::job::{Job, Network};
use crate::kernel;
use crate::places::{Place, Places};
use crate::plain_user::plain_user;

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
    /// The whole command line; `status_fd` is where it tells what happened, `filter_fd` where it finds a filter of system calls.
    pub(crate) fn argv(
        &self,
        job: &Job,
        status_fd: &str,
        filter_fd: Option<&str>,
    ) -> Vec<OsString> {
        let places = Places::of(job, Path::new("/tmp"));
        let mut line = Line(vec![self.program.clone().into_os_string()]);
        line.words(&["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]);
        line.words(&["--unshare-cgroup-try", "--die-with-parent", "--new-session"]);
        line.words(&["--cap-drop", "ALL", "--json-status-fd", status_fd]);
        if let Some(filter_fd) = filter_fd {
            line.words(&["--seccomp", filter_fd]);
        }
        if job.network == Network::Loopback {
            line.words(&["--unshare-net"]);
        }
        if let Some(plain) = plain_user() {
            line.words(&["--uid", &plain.user.to_string(), "--gid", &plain.group.to_string()]);
        }
        line.words(&["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
        line.kernel();
        self.mount(&mut line, &places, job.limits.memory);
        for socket in sockets().filter(|socket| places.is_visible(socket)) {
            line.mask(&socket);
        }
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
                Place::Hidden | Place::Masked => {
                    if line.mask(path) {
                        sealed.push(path);
                    }
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

/// Where services listen at this moment: a socket can be written to through a mount that is read-only.
fn sockets() -> impl Iterator<Item = PathBuf> {
    let text = std::fs::read("/proc/net/unix").unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let paths: BTreeSet<PathBuf> = text
        .lines()
        .filter_map(|line| line.find('/').map(|start| PathBuf::from(&line[start..])))
        .filter(|path| path.symlink_metadata().is_ok_and(|meta| meta.file_type().is_socket()))
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    paths.into_iter()
}

struct Line(Vec<OsString>);

impl Line {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn path(&mut self, path: &Path) {
        self.0.push(path.as_os_str().to_owned());
    }

    /// Covers a path with nothing. True for a folder, which is still writable.
    fn mask(&mut self, path: &Path) -> bool {
        let is_folder = path.is_dir();
        self.words(if is_folder { &["--tmpfs"] } else { &["--ro-bind", "/dev/null"] });
        self.path(path);
        is_folder
    }

    /// Bubblewrap leaves `/proc/sys` as it is where the folder itself is not writable; its files still are.
    fn kernel(&mut self) {
        kernel::read_only().for_each(|path| self.bind("--ro-bind", path));
        for path in kernel::masked() {
            if self.mask(path) {
                self.words(&["--remount-ro"]);
                self.path(path);
            }
        }
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

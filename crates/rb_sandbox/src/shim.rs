//! The hidden command `__confine`: this very program, started once more to stand between us and a job.
//!
//! It opens a session of its own, becomes the parent of all orphans below it, restricts what it starts,
//! and outlives nothing: when the command ends, when the program above dies, all descendants go.
//! What happened it tells on its standard input, which is a pipe to the program above.

mod cover;
mod loopback;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rb_core::process::{Cmd, Env, Exit, Group, Running, Streams};
use rustix::fs::MemfdFlags;
use rustix::process::{self, Pid, Resource, Rlimit, WaitOptions};
use rustix::thread::{CapabilitySet, CapabilitySets};

use crate::filter;
use crate::landlock_rules::{self, Rules};
use crate::proc;
use crate::status::Status;

/// The word by which `main` knows that it is the shim.
pub const SHIM: &str = "__confine";

/// Stands in the inner command for the number of the status pipe, which is known here only.
pub(crate) const STATUS_FD: &str = "refactor-bot:status-fd";

/// Stands there for the number of the file with the filter of system calls.
pub(crate) const FILTER_FD: &str = "refactor-bot:filter-fd";

/// No file of a command grows over this.
const FILE_LIMIT: u64 = 64 << 30;

/// Threads count here too, and with them all others of the same user: so this only keeps a fork bomb from
/// taking the whole machine until it is ended. It does not hold the superuser.
fn threads_limit(processes: u32) -> u64 {
    2048 + 2 * u64::from(processes)
}

/// How often it looks whether the program above is still there.
const TICK: Duration = Duration::from_millis(50);

/// What is left after the end of the command has this long to go by itself.
const GRACE: Duration = Duration::from_millis(2);

/// What the shim is told on its command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Orders {
    /// The process above, which it must not outlive. None: the first process of a namespace.
    pub(crate) parent: Option<i32>,
    pub(crate) processes: u32,
    pub(crate) loopback: bool,
    /// It has mounts of its own, which nobody else sees.
    pub(crate) mounts: bool,
    pub(crate) rules: Option<Rules>,
    /// Goes with the program above, if that can no longer remove it.
    pub(crate) scratch: Option<PathBuf>,
    /// The inner program tells the status itself: on its standard input, or where `STATUS_FD` stands.
    pub(crate) inner_status: Option<InnerStatus>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InnerStatus {
    Stdin,
    Named,
}

impl Orders {
    pub(crate) fn argv(&self, shim: &std::path::Path) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec![shim.into(), SHIM.into()];
        let mut pair = |name: &str, value: OsString| line.extend([name.into(), value]);
        if let Some(parent) = self.parent {
            pair("--parent", parent.to_string().into());
        }
        pair("--processes", self.processes.to_string().into());
        if let Some(rules) = &self.rules {
            pair("--landlock", "on".into());
            rules.read.iter().for_each(|path| pair("--read", path.into()));
            rules.write.iter().for_each(|path| pair("--write", path.into()));
        }
        if let Some(scratch) = &self.scratch {
            pair("--scratch", scratch.into());
        }
        if self.loopback {
            pair("--loopback", "up".into());
        }
        if self.mounts {
            pair("--mounts", "own".into());
        }
        match self.inner_status {
            Some(InnerStatus::Stdin) => pair("--status", "stdin".into()),
            Some(InnerStatus::Named) => pair("--status", "named".into()),
            None => {}
        }
        for (name, value) in &self.env {
            pair("--env", name.clone());
            pair("--value", value.clone());
        }
        line.push("--".into());
        line.extend(self.command.iter().cloned());
        line
    }

    fn parse(args: &[OsString]) -> Option<Self> {
        let mut orders = Orders::default();
        let mut args = args.iter();
        loop {
            let name = args.next()?.to_str()?;
            if name == "--" {
                break;
            }
            let value = args.next()?;
            let rules = &mut orders.rules;
            match name {
                "--parent" => orders.parent = Some(value.to_str()?.parse().ok()?),
                "--processes" => orders.processes = value.to_str()?.parse().ok()?,
                "--landlock" => *rules = Some(Rules::default()),
                "--read" => rules.as_mut()?.read.push(PathBuf::from(value)),
                "--write" => rules.as_mut()?.write.push(PathBuf::from(value)),
                "--scratch" => orders.scratch = Some(PathBuf::from(value)),
                "--loopback" => orders.loopback = true,
                "--mounts" => orders.mounts = true,
                "--status" if value == "stdin" => orders.inner_status = Some(InnerStatus::Stdin),
                "--status" => orders.inner_status = Some(InnerStatus::Named),
                "--env" => orders.env.push((value.clone(), OsString::new())),
                "--value" => orders.env.last_mut()?.1.clone_from(value),
                _ => return None,
            }
        }
        orders.command = args.cloned().collect();
        (!orders.command.is_empty()).then_some(orders)
    }
}

/// Carries out `args`, which follow the word `__confine`. The exit code says nothing: the pipe does.
pub fn confine(args: &[OsString]) -> u8 {
    let Ok(status) = io::stdin().as_fd().try_clone_to_owned() else { return 1 };
    let status = File::from(status);
    let told = match Orders::parse(args) {
        Some(orders) => supervise(&orders, &status),
        None => Err("the orders of the shim are not understood".to_owned()),
    };
    let last = match told {
        Ok(Some(exit)) => Status::of_exit(exit),
        Ok(None) => return 0,
        Err(failed) => Status { failed: Some(failed), ..Status::default() },
    };
    u8::from(last.tell(&status).is_err())
}

/// The end of the command, or none where the inner program tells it.
fn supervise(orders: &Orders, status: &File) -> Result<Option<Exit>, String> {
    prepare(orders)?;
    let child = start(orders, status)?.detach();
    let exit = reap(child, orders.parent);
    if is_orphan(orders.parent)
        && let Some(scratch) = &orders.scratch
    {
        // As far as possible: nobody is left who could be told.
        let _ = rb_core::fs::remove_dir_all(scratch);
    }
    Ok(if orders.inner_status.is_some() { None } else { Some(exit) })
}

fn prepare(orders: &Orders) -> Result<(), String> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |error: rustix::io::Errno| format!("{what}: {error}")
    };
    // Without a terminal nothing can be typed into the one of the person. The first process of a
    // namespace may lead a session already.
    let _ = process::setsid();
    process::set_child_subreaper(Some(process::getpid()))
        .map_err(failed("cannot adopt orphans"))?;
    let threads = threads_limit(orders.processes);
    for (resource, limit) in
        [(Resource::Core, 0), (Resource::Fsize, FILE_LIMIT), (Resource::Nproc, threads)]
    {
        let maximum = process::getrlimit(resource).maximum;
        let limit = maximum.map_or(limit, |maximum| maximum.min(limit));
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        process::setrlimit(resource, limit).map_err(failed("cannot set a limit"))?;
    }
    if orders.loopback {
        loopback::raise().map_err(|error| format!("cannot raise the loopback: {error}"))?;
    }
    if orders.mounts {
        cover::cover().map_err(|error| format!("cannot cover what is the machine's: {error}"))?;
    }
    Ok(())
}

fn start(orders: &Orders, status: &File) -> Result<Running, String> {
    let inner = status.try_clone().map_err(|error| error.to_string())?;
    let mut command = orders.command.clone();
    if orders.inner_status == Some(InnerStatus::Named) {
        name_file(&mut command, STATUS_FD, &inner).map_err(|error| error.to_string())?;
    }
    // Held until the child has it.
    let _filter = match filter::program() {
        Some(program) if command.iter().any(|word| word == FILTER_FD) => {
            let file = filter_file(&program).map_err(|error| error.to_string())?;
            name_file(&mut command, FILTER_FD, &file).map_err(|error| error.to_string())?;
            Some(file)
        }
        _ => None,
    };
    let stdin = match orders.inner_status {
        Some(InnerStatus::Stdin) => {
            Stdio::from(OwnedFd::from(inner.try_clone().map_err(|error| error.to_string())?))
        }
        Some(InnerStatus::Named) | None => Stdio::null(),
    };
    let env =
        orders.env.iter().cloned().fold(Env::default(), |env, (name, value)| env.with(name, value));
    let cmd = Cmd::new(command[0].clone(), &env).args(command[1..].iter().cloned());
    let streams = Streams { stdin, stdout: Stdio::inherit(), stderr: Stdio::inherit() };
    let start = || {
        cmd.start(streams, Group::Own).map_err(|error| match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        })
    };
    match &orders.rules {
        None => start(),
        Some(rules) => restricted(rules, status, start),
    }
}

/// Hands a file to the inner program, by its number. Nothing else is started here, so that only this child gets it.
fn name_file(command: &mut [OsString], name: &str, file: &File) -> io::Result<()> {
    rustix::io::fcntl_setfd(file, rustix::io::FdFlags::empty())?;
    if let Some(word) = command.iter_mut().find(|word| *word == name) {
        *word = file.as_raw_fd().to_string().into();
    }
    Ok(())
}

fn filter_file(program: &[u8]) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("filter", MemfdFlags::CLOEXEC)?);
    file.write_all(program)?;
    file.rewind()?;
    Ok(file)
}

/// Only the thread that starts the command is restricted, and it is gone afterwards: the command then
/// has no power over this process, which is not in its domain.
fn restricted<T: Send>(
    rules: &Rules,
    status: &File,
    start: impl FnOnce() -> Result<T, String> + Send,
) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            drop_capabilities();
            let abi = landlock_rules::restrict(rules)?;
            let told = Status { landlock: Some(abi), ..Status::default() };
            told.tell(status).map_err(|error| error.to_string())?;
            start()
        });
        thread.join().unwrap_or_else(|_| Err("the restricted thread failed".to_owned()))
    })
}

/// A namespace gave them for raising the loopback, or the superuser has them: none may be left for the command, and none be
/// inherited by it. Who has none to give up cannot, and need not.
fn drop_capabilities() {
    let _ = rustix::thread::clear_ambient_capability_set();
    for capability in CapabilitySet::all().iter() {
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    let _ = rustix::thread::set_capabilities(None, sets);
}

/// Waits for the command, then for all that descends from it, which is ended.
fn reap(child: Pid, parent: Option<i32>) -> Exit {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Ends when there are no children left.
        while let Ok(Some((pid, status))) = process::wait(WaitOptions::empty()) {
            if sender.send((pid, status)).is_err() {
                return;
            }
        }
    });
    let own = process::getpid().as_raw_nonzero().get();
    let mut exit = None;
    let mut pause = TICK;
    loop {
        match receiver.recv_timeout(pause) {
            Ok((pid, status)) if pid == child => {
                let signal = status.terminating_signal().map(Exit::Signal);
                exit = status.exit_status().map(Exit::Code).or(signal);
                // Mostly nobody is left, and the next thing heard is that.
                pause = GRACE;
            }
            Err(RecvTimeoutError::Timeout) if exit.is_some() || is_orphan(parent) => {
                proc::end_descendants(own);
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return exit.unwrap_or(Exit::Signal(9)),
        }
    }
}

/// Is the program above gone?
fn is_orphan(parent: Option<i32>) -> bool {
    parent.is_some_and(|parent| {
        process::getppid().is_none_or(|pid| pid.as_raw_nonzero().get() != parent)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa7_orders_survive_the_command_line() {
        let check = |orders: Orders| {
            let argv = orders.argv(std::path::Path::new("shim"));
            assert_eq!(Orders::parse(&argv[2..]), Some(orders));
        };
        let command = vec!["--".into(), "--env".into()];
        check(Orders { command: command.clone(), ..Orders::default() });
        check(Orders {
            parent: Some(7),
            processes: 9,
            loopback: true,
            mounts: true,
            scratch: Some("/s".into()),
            rules: Some(Rules {
                read: vec!["/usr".into()],
                write: vec!["/w x".into(), "--".into()],
            }),
            inner_status: Some(InnerStatus::Named),
            env: vec![("A".into(), "--".into()), ("B".into(), "".into())],
            command,
        });
        assert_eq!(Orders::parse(&["--".into()]), None);
        assert_eq!(Orders::parse(&["--read".into(), "/".into(), "--".into(), "x".into()]), None);
    }
}

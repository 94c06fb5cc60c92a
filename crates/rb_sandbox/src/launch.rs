//! How a job is started: which program stands in front, and how it tells what became of the command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::process::{Env, Group};
use rustix::process::getpid;

use crate::bubblewrap::Bubblewrap;
use crate::filter;
use crate::job::{Job, Network};
use crate::landlock_rules::Rules;
use crate::plain_user::{PlainUser, plain_user};
use crate::shim::{FILTER_FD, InnerStatus, Orders, STATUS_FD};

/// A command line with what is known of it.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) kind: &'static str,
    pub(crate) argv: Vec<OsString>,
    pub(crate) env: Env,
    pub(crate) group: Group,
    pub(crate) tells: Tells,
    /// Processes of the sandbox itself, this one included.
    pub(crate) overhead: usize,
    /// Its private folder, where that takes room on a disk.
    pub(crate) scratch: Option<PathBuf>,
}

/// Where the end of the command is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tells {
    /// It is the command.
    Itself,
    /// On the status pipe, exactly.
    Status,
    /// On the status pipe, with 128 + n for a signal.
    ShellStatus,
    /// By the exit code of Docker, whose container has this name.
    Docker(String),
}

/// Nothing but the path: variables of a job are no business of the programs in front of it.
fn bare_env(job: &Job) -> Env {
    let path = job.env.get("PATH").unwrap_or_default();
    Env::default().with("PATH", path)
}

fn own_pid() -> i32 {
    getpid().as_raw_nonzero().get()
}

fn pairs(env: &Env) -> Vec<(OsString, OsString)> {
    env.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn command(job: &Job) -> Vec<OsString> {
    std::iter::once(&job.program).chain(&job.args).cloned().collect()
}

/// The shim in front is what nothing of the job outlives: bubblewrap asks for a signal at the death of its parent only after it has
/// started the command, and is not told of a death that comes before.
pub(crate) fn bubblewrap(bwrap: &Bubblewrap, job: &Job, shim: &Path) -> Launch {
    let env = bare_env(job);
    let orders = Orders {
        parent: Some(own_pid()),
        processes: job.limits.processes,
        inner_status: Some(InnerStatus::Named),
        env: pairs(&env),
        command: bwrap.argv(job, STATUS_FD, filter::program().map(|_| FILTER_FD)),
        ..Orders::default()
    };
    Launch {
        kind: "bubblewrap",
        argv: orders.argv(shim),
        env,
        group: Group::Callers,
        tells: Tells::ShellStatus,
        overhead: 3,
        scratch: None,
    }
}

/// `scratch` is the private folder of the job, `temp` the shared one; with `unshare` also namespaces.
pub(crate) fn landlock(
    job: &Job,
    shim: &Path,
    unshare: Option<&PathBuf>,
    temp: &Path,
    scratch: &Path,
) -> Launch {
    let env = job.env.clone().with("TMPDIR", scratch).with("HOME", scratch.join("home"));
    let mut orders = Orders {
        parent: Some(own_pid()),
        processes: job.limits.processes,
        rules: Some(Rules::of(job, temp, scratch)),
        scratch: Some(scratch.to_owned()),
        env: pairs(&env),
        command: command(job),
        ..Orders::default()
    };
    let mut overhead = 1;
    if let Some(unshare) = unshare {
        let mut outer: Vec<OsString> = vec![unshare.into()];
        match plain_user() {
            Some(PlainUser { user, group }) => outer.extend(
                [format!("--map-user={user}"), format!("--map-group={group}")].map(Into::into),
            ),
            None => outer.push("--map-current-user".into()),
        }
        outer.extend(["--keep-caps", "--ipc", "--uts"].map(Into::into));
        outer.extend(["--pid", "--fork", "--kill-child", "--mount-proc"].map(Into::into));
        if job.network == Network::Loopback {
            outer.push("--net".into());
            orders.loopback = true;
        }
        outer.push("--".into());
        orders.mounts = true;
        orders.parent = None;
        orders.scratch = None;
        outer.extend(orders.argv(shim));
        orders = Orders {
            parent: Some(own_pid()),
            processes: job.limits.processes,
            inner_status: Some(InnerStatus::Stdin),
            scratch: Some(scratch.to_owned()),
            env: pairs(&bare_env(job)),
            command: outer,
            ..Orders::default()
        };
        overhead = 3;
    }
    Launch {
        kind: "Landlock",
        argv: orders.argv(shim),
        env: bare_env(job),
        group: Group::Callers,
        tells: Tells::Status,
        overhead,
        scratch: Some(scratch.to_owned()),
    }
}

pub(crate) fn plain(job: &Job, shim: Option<&Path>) -> Launch {
    let kind = "none";
    match shim {
        Some(shim) => {
            let orders = Orders {
                parent: Some(own_pid()),
                processes: job.limits.processes,
                env: pairs(&job.env),
                command: command(job),
                ..Orders::default()
            };
            let argv = orders.argv(shim);
            let env = bare_env(job);
            let (group, tells) = (Group::Callers, Tells::Status);
            Launch { kind, argv, env, group, tells, overhead: 1, scratch: None }
        }
        None => Launch {
            kind,
            argv: command(job),
            env: job.env.clone(),
            group: Group::Own,
            tells: Tells::Itself,
            overhead: 0,
            scratch: None,
        },
    }
}

pub(crate) fn docker(docker: &Path, image: &str, job: &Job, name: String) -> Launch {
    Launch {
        kind: "Docker",
        argv: crate::docker::argv(docker, image, &name, job),
        env: job.env.clone(),
        group: Group::Own,
        tells: Tells::Docker(name),
        overhead: 1,
        scratch: None,
    }
}

//! The sandbox job that holds a language server, and the two pipes to it.
//!
//! The sandbox gives a job no input, so that the pipes lie in its folder; they are gone before the server begins.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use rb_core::Cancel;
use rb_core::fs::{self, Durability, FsError};
use rb_sandbox::{Ended as Ending, Job, Network, Ran, Sandbox, SandboxError};
use rb_toolchains::caches::may_be_shown;
use rb_toolchains::{Caches, Toolchain};

use crate::compile_commands;
use crate::error::{ServerError, quoted};
use crate::renamer::LanguageServers;
use crate::server::Server;

/// Arguments: the job's folder, then the server with its arguments.
const SCRIPT: &str = r#"
job=$1; shift
exec 3<"$job/in" 4>"$job/out" || exit
rm -f "$job/in" "$job/out"
exec "$@" <&3 >&4 3<&- 4>&-
"#;

/// Why the job is over, once it is.
pub(crate) type Ended = Arc<OnceLock<String>>;

/// Our ends of the pipes.
pub(crate) struct Pipes {
    pub(crate) input: File,
    pub(crate) output: File,
}

/// A server at work; all of it ends when this is dropped.
pub(crate) struct RunningJob {
    folder: PathBuf,
    enough: Cancel,
    ended: Ended,
    thread: Option<JoinHandle<Result<Ran, SandboxError>>>,
}

impl RunningJob {
    pub(crate) fn start(
        servers: &LanguageServers,
        server: &'static Server,
        program: PathBuf,
    ) -> Result<(Self, Pipes), ServerError> {
        let sandbox = Sandbox::probe(
            &servers.sandbox,
            &servers.env,
            servers.shim.as_deref(),
            &servers.cancel,
        )?;
        // Two runs on one repository have two servers.
        let name = rb_core::random::bytes::<8>().map(|byte| format!("{byte:02x}")).concat();
        let folder = servers.scratch.join(format!("language-server-{name}"));
        let mut running = RunningJob {
            folder: folder.clone(),
            enough: Cancel::new(),
            ended: Ended::default(),
            thread: None,
        };
        let inside = folder.join("job");
        fs::create_dir_all(&inside)?;
        let open = |name: &str| -> Result<File, FsError> {
            let path = inside.join(name);
            fs::make_fifo(&path)?;
            fs::open_fifo(&path)
        };
        if let Some(text) =
            compile_commands::read(servers).filter(|_| server.needs_compile_commands)
        {
            fs::write(&inside.join(compile_commands::FILE), text.as_bytes(), Durability::Relaxed)?;
        }
        let pipes = Pipes { input: open("in")?, output: open("out")? };
        let job = job(servers, server, program, &folder);
        let (cancel, enough) = (servers.cancel.clone(), running.enough.clone());
        let ended = Arc::clone(&running.ended);
        let work = move || {
            let ran = sandbox.run_until(&job, &cancel, &enough);
            let _ = ended.set(why(&ran));
            ran
        };
        let thread = thread::Builder::new().name("language-server".to_owned()).spawn(work);
        running.thread = Some(thread.map_err(ServerError::Pipe)?);
        Ok((running, pipes))
    }

    pub(crate) fn ended(&self) -> Ended {
        Arc::clone(&self.ended)
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.enough.cancel();
        let _ = self.thread.take().map(JoinHandle::join);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn job(servers: &LanguageServers, server: &Server, program: PathBuf, folder: &Path) -> Job {
    let caches = server.toolchain.map(Toolchain::caches).unwrap_or_default();
    let inside = folder.join("job");
    let mut readable = vec![servers.root.clone()];
    // One that a person unpacked in the home, which is hidden.
    let real = program.canonicalize().unwrap_or_else(|_| program.clone());
    if let Some(parent) = real.parent().filter(|parent| !parent.starts_with("/usr")) {
        readable.push(parent.to_owned());
        let above = parent.parent().unwrap_or(parent);
        readable.extend(server.parts.iter().map(|part| above.join(part)));
    }
    readable.extend(in_home(servers, &caches));
    readable.retain(|path| path.exists());
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), "language-server".into()];
    args.extend([inside.clone().into_os_string(), program.into_os_string()]);
    let job = inside.display().to_string();
    args.extend(server.args.iter().map(|arg| OsString::from(arg.replace("{job}", &job))));
    Job {
        program: "/bin/sh".into(),
        args,
        cwd: servers.root.clone(),
        env: environment(servers, &caches),
        writable: vec![inside, servers.scratch.clone()],
        readable,
        checkouts: servers.checkouts.clone(),
        hidden: Vec::new(),
        network: Network::Loopback,
        timeout: servers.limits.total,
        limits: rb_sandbox::Limits {
            output: 1 << 20,
            memory: Some(servers.limits.memory),
            ..rb_sandbox::Limits::default()
        },
        log: folder.join("log"),
    }
}

/// What a toolchain needs of a hidden home.
fn in_home(servers: &LanguageServers, caches: &Caches) -> Vec<PathBuf> {
    let Some(home) = servers.env.get("HOME").map(PathBuf::from) else { return Vec::new() };
    let is_plain = |file: &PathBuf| {
        let text = fs::read_head(file, 1 << 20).unwrap_or_default();
        may_be_shown(&String::from_utf8_lossy(&text))
    };
    let folders = caches.readable.iter().map(|folder| home.join(folder));
    folders.chain(caches.settings.iter().map(|file| home.join(file)).filter(is_plain)).collect()
}

fn environment(servers: &LanguageServers, caches: &Caches) -> rb_core::process::Env {
    let scratch = servers.scratch.display().to_string();
    let home = servers.env.get("HOME").map(|home| home.to_string_lossy().into_owned());
    let home = home.unwrap_or_else(|| "/".to_owned());
    let mut env = servers.env.clone();
    for (name, value) in &caches.env {
        env = env.with(*name, value.replace("{scratch}", &scratch).replace("{home}", &home));
    }
    env
}

fn why(ran: &Result<Ran, SandboxError>) -> String {
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return error.to_string(),
    };
    let how = match ran.ended {
        Ending::Enough => return "it was closed".to_owned(),
        Ending::Exit(code) => format!("exit code {code}"),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::TimedOut(limit) => format!("more than {} s in all", limit.as_secs()),
        Ending::TooManyProcesses(limit) => format!("more than {limit} processes"),
        Ending::OutOfMemory(limit) => format!("more than {} MiB of memory", limit >> 20),
    };
    let text = ran.stderr.excerpt(2000);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    // Programs that cannot start say why first; those that crash say it last, above where they were.
    match lines
        .find(|line| line.to_lowercase().contains("error"))
        .or_else(|| text.lines().next_back())
    {
        Some(line) => format!("{how}. Its output: {}", quoted(line)),
        None => how,
    }
}

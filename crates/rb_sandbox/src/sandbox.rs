//! Which sandbox there is on this machine, found by trial, and the door to run a job in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::fs;
use rb_core::process::{Cmd, Env, ProcessError};
use serde::{Deserialize, Serialize};

use crate::bubblewrap::Bubblewrap;
use crate::error::SandboxError;
use crate::git_guard::GitGuard;
use crate::guarantees::{Guarantees, Kind, Processes};
use crate::inherited;
use crate::job::{Ended, Job, Limits, Network, Ran};
use crate::launch::{self, Launch};
use crate::run::run;
use crate::status::Status;

/// Which sandbox a person wants.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The strongest that works here.
    #[default]
    Auto,
    Bubblewrap,
    Landlock,
    Docker {
        image: String,
    },
    Off,
}

/// A sandbox that was seen to work.
#[derive(Debug, Clone)]
pub struct Sandbox {
    engine: Engine,
    shim: Option<PathBuf>,
    held: Guarantees,
}

#[derive(Debug, Clone)]
enum Engine {
    Bubblewrap {
        bwrap: Bubblewrap,
        shim: PathBuf,
    },
    /// With the program that gives namespaces, where they are allowed.
    Landlock {
        shim: PathBuf,
        unshare: Option<PathBuf>,
    },
    Docker {
        docker: PathBuf,
        image: String,
    },
    Off,
}

const NO_SHIM: &str = "the program that confines itself was not given";

/// A trial does nothing; a machine that is not quicker than this is of no use.
const TRIAL: Duration = Duration::from_mins(1);

impl Sandbox {
    /// Tries what was chosen. `Auto` takes the strongest kind that works and tells why others did not; an
    /// explicit choice that does not work is an error. `shim` is the program that answers `__confine`.
    pub fn probe(
        choice: &Choice,
        env: &Env,
        shim: Option<&Path>,
        cancel: &Cancel,
    ) -> Result<Sandbox, SandboxError> {
        let shim = shim.map(Path::to_owned);
        let trial = Trial { env, shim: shim.as_deref(), cancel };
        let usable = |kind, advice, tried: Tried<Sandbox>| {
            tried?.map_err(|why| SandboxError::Unusable { kind, why, advice })
        };
        match choice {
            Choice::Auto => trial.strongest(),
            Choice::Bubblewrap => usable(
                "bubblewrap",
                "Install the package `bubblewrap` and allow user namespaces, or choose another sandbox.",
                trial.bubblewrap(),
            ),
            Choice::Landlock => usable(
                "Landlock",
                "It needs a kernel of 5.13 or newer with `landlock` in `lsm=`; or choose another sandbox.",
                trial.landlock(),
            ),
            Choice::Docker { image } => usable(
                "Docker",
                "Start the engine and fetch the image, or choose another sandbox.",
                trial.docker(image),
            ),
            Choice::Off => Ok(trial.off(vec!["switched off by choice".to_owned()])),
        }
    }

    pub fn held(&self) -> &Guarantees {
        &self.held
    }

    /// Runs the job to its end, to a limit, or until cancelled. Nothing of it outlives the call, as far as
    /// `held` says so.
    pub fn run(&self, job: &Job, cancel: &Cancel) -> Result<Ran, SandboxError> {
        self.run_until(job, cancel, &Cancel::new())
    }

    /// As [`Sandbox::run`]. A job that has done all that is wanted of it is ended by `enough`, and what it did is kept.
    pub fn run_until(
        &self,
        job: &Job,
        cancel: &Cancel,
        enough: &Cancel,
    ) -> Result<Ran, SandboxError> {
        let guard = GitGuard::look(&job.writable);
        let ran = self.launch(job, cancel, enough).map(|(ran, _)| ran);
        let paths = guard.restore()?;
        match ran {
            Ok(ran) if !paths.is_empty() => {
                Err(SandboxError::GitChanged { paths, ran: Box::new(ran) })
            }
            other => other,
        }
    }

    fn launch(
        &self,
        job: &Job,
        cancel: &Cancel,
        enough: &Cancel,
    ) -> Result<(Ran, Status), SandboxError> {
        let is_docker = matches!(self.engine, Engine::Docker { .. });
        if !is_docker && job.program_file().is_none() {
            let program = job.program.to_string_lossy().into_owned();
            return Err(SandboxError::NotFound { program });
        }
        let shim = self.shim.as_deref();
        let go = |launch: &Launch| run(launch, job, cancel, enough);
        match &self.engine {
            Engine::Bubblewrap { bwrap, shim } => match go(&launch::bubblewrap(bwrap, job, shim)) {
                // The command did not begin. A socket that was to be covered may have gone meanwhile.
                Err(SandboxError::Setup { .. }) => go(&launch::bubblewrap(bwrap, job, shim)),
                other => other,
            },
            Engine::Landlock { shim, unshare } => {
                let temp = temp_folder(&job.env);
                let scratch = Scratch::create(&temp)?;
                fs::create_dir_all(&scratch.0.join("home"))?;
                go(&launch::landlock(job, shim, unshare.as_ref(), &temp, &scratch.0))
            }
            Engine::Docker { docker, image } => {
                let name = format!("refactor-bot-{}-{}", std::process::id(), next_number());
                go(&launch::docker(docker, image, job, name))
            }
            Engine::Off => go(&launch::plain(job, shim)),
        }
    }
}

/// What was asked for, or why it does not work here; an error ends the trial.
type Tried<T> = Result<Result<T, String>, SandboxError>;

struct Trial<'a> {
    env: &'a Env,
    shim: Option<&'a Path>,
    cancel: &'a Cancel,
}

impl Trial<'_> {
    fn strongest(&self) -> Result<Sandbox, SandboxError> {
        let mut why_not = Vec::new();
        for (name, tried) in [
            ("bubblewrap", Self::bubblewrap as fn(&Self) -> Tried<Sandbox>),
            ("Landlock", Self::landlock as fn(&Self) -> Tried<Sandbox>),
        ] {
            match tried(self)? {
                Ok(mut sandbox) => {
                    why_not.append(&mut sandbox.held.why_not);
                    sandbox.held.why_not = why_not;
                    return Ok(sandbox);
                }
                Err(why) => why_not.push(format!("{name} does not work here ({why})")),
            }
        }
        Ok(self.off(why_not))
    }

    fn bubblewrap(&self) -> Tried<Sandbox> {
        let Some(program) = self.env.find("bwrap") else {
            return Ok(Err("`bwrap` was not found".to_owned()));
        };
        let Some(shim) = self.shim.map(Path::to_owned) else { return Ok(Err(NO_SHIM.to_owned())) };
        let help = match self.ask(&program, &["--help"])? {
            Ok(help) => help,
            Err(why) => return Ok(Err(why)),
        };
        let bwrap = Bubblewrap { program, knows_size: help.contains("--size ") };
        let engine = Engine::Bubblewrap { bwrap, shim };
        Ok(self
            .attempt(engine)?
            .map(|(engine, _)| self.sandbox(engine, Guarantees::by_bubblewrap())))
    }

    fn landlock(&self) -> Tried<Sandbox> {
        let Some(shim) = self.shim.map(Path::to_owned) else { return Ok(Err(NO_SHIM.to_owned())) };
        let why = match self.env.find("unshare") {
            None => "`unshare` was not found".to_owned(),
            Some(unshare) => {
                let engine = Engine::Landlock { shim: shim.clone(), unshare: Some(unshare) };
                match self.attempt(engine)? {
                    Ok((engine, status)) => {
                        let abi = status.landlock.unwrap_or_default();
                        return Ok(Ok(self.sandbox(engine, Guarantees::by_landlock(abi))));
                    }
                    Err(why) => why,
                }
            }
        };
        let engine = Engine::Landlock { shim, unshare: None };
        Ok(self.attempt(engine)?.map(|(engine, status)| {
            let abi = status.landlock.unwrap_or_default();
            self.sandbox(engine, Guarantees::by_landlock(abi).without_namespaces(&why))
        }))
    }

    fn docker(&self, image: &str) -> Tried<Sandbox> {
        let Some(docker) = self.env.find("docker") else {
            return Ok(Err("`docker` was not found".to_owned()));
        };
        for args in
            [&["version", "--format", "{{.Server.Version}}"][..], &["image", "inspect", image]]
        {
            if let Err(why) = self.ask(&docker, args)? {
                return Ok(Err(why));
            }
        }
        let engine = Engine::Docker { docker, image: image.to_owned() };
        Ok(Ok(self.sandbox(engine, Guarantees::full(Kind::Docker))))
    }

    fn off(&self, why_not: Vec<String>) -> Sandbox {
        let processes =
            if self.shim.is_some() { Processes::Descendants } else { Processes::GroupOnly };
        self.sandbox(Engine::Off, Guarantees::nothing(processes, why_not))
    }

    fn sandbox(&self, engine: Engine, mut held: Guarantees) -> Sandbox {
        if !matches!(engine, Engine::Docker { .. }) {
            held.why_not.extend(inherited::words());
        }
        Sandbox { engine, shim: self.shim.map(Path::to_owned), held }
    }

    /// Runs a command that does nothing, in the same way as any other.
    fn attempt(&self, engine: Engine) -> Tried<(Engine, Status)> {
        let scratch = Scratch::create(&temp_folder(self.env))?;
        let job = Job {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), ":".into()],
            cwd: PathBuf::from("/"),
            env: self.env.clone(),
            writable: vec![scratch.0.clone()],
            readable: Vec::new(),
            checkouts: Vec::new(),
            hidden: Vec::new(),
            network: Network::Loopback,
            timeout: TRIAL,
            limits: Limits::default(),
            log: scratch.0.join("trial"),
        };
        let sandbox = self.sandbox(engine, Guarantees::full(Kind::None));
        Ok(match sandbox.launch(&job, self.cancel, &Cancel::new()) {
            Ok((Ran { ended: Ended::Exit(0), .. }, status)) => Ok((sandbox.engine, status)),
            Ok((ran, _)) => Err(format!("a trial ended with {:?}", ran.ended)),
            Err(error @ SandboxError::Cancelled(_)) => return Err(error),
            Err(SandboxError::Setup { why, .. }) => Err(first_line(&why)),
            Err(error) => Err(error.to_string()),
        })
    }

    fn ask(&self, program: &Path, args: &[&str]) -> Tried<String> {
        let cmd = Cmd::new(program, self.env).args(args).timeout(TRIAL).limit(64 << 10);
        Ok(match cmd.run(self.cancel) {
            Ok(output) if output.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Ok(output) => Err(first_line(&String::from_utf8_lossy(&output.stderr))),
            Err(ProcessError::Cancelled { source, .. }) => {
                return Err(SandboxError::Cancelled(source));
            }
            Err(error) => Err(error.to_string()),
        })
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or("it said nothing").chars().take(200).collect()
}

fn temp_folder(env: &Env) -> PathBuf {
    let given = env.get("TMPDIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    given.unwrap_or_else(|| PathBuf::from("/tmp"))
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A private folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn create(temp: &Path) -> Result<Self, SandboxError> {
        loop {
            let name = format!("refactor-bot-{}-{}", std::process::id(), next_number());
            let path = temp.join(name);
            if fs::create_dir_new(&path)? {
                fs::set_mode(&path, 0o700)?;
                return Ok(Scratch(path));
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a command made unreadable there stays until the system clears its temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

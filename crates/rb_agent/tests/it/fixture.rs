//! A home with a secret and a worktree in it, a checkout beside it, and one `check` for scripts that work as agents.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use expect_test::Expect;
use rb_agent::{Agent, AgentError, Assignment, Confinement, Place, Report};
use rb_core::Cancel;
use rb_core::process::Env;
use rb_sandbox::{Choice, Limits, Sandbox, SandboxError};
use rb_testkit::{State, git, write_fixture};
use rb_workspace::patch::File;

const SHIM: &str = env!("CARGO_BIN_EXE_rb_agent_confine");

const PROJECT: &str = "\
//- .gitignore
build/
*.log
//- Cargo.lock
locked
//- Cargo.toml
[package]
//- docs/notes.md
notes
//- link -> src/sum.js
//- run.sh exec
echo run
//- src/sum.js
return a - b
//- test/sum.test.js
expect(sum(1, 1)).toBe(2)
";

pub(crate) struct Fixture {
    _dir: tempfile::TempDir,
    pub(crate) root: PathBuf,
    commit: String,
    pub(crate) timeout: Duration,
    pub(crate) limits: Limits,
}

/// What is not as usual.
#[derive(Clone, Copy, Default)]
pub(crate) struct With<'a> {
    pub(crate) sandbox: Option<&'a Sandbox>,
    pub(crate) cancel: Option<&'a Cancel>,
    pub(crate) agent_home: Option<&'a Path>,
    pub(crate) program: Option<&'a Path>,
    pub(crate) variable: Option<(&'a str, &'a str)>,
}

impl Fixture {
    /// Not below the shared temporary folder, which sandboxes hide by itself.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["project", "home/tools", "tmp"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::fs::write(root.join("home/secret"), "planted secret\n").unwrap();
        let project = root.join("project");
        write_fixture(&project, PROJECT);
        git(&project, &["init", "--quiet"]);
        git(&project, &["add", "--all"]);
        git(&project, &["commit", "--quiet", "--message", "first"]);
        let worktree = root.join("home/.refactor-bot/worktrees/r1");
        git(&project, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
        let commit = git(&project, &["rev-parse", "HEAD"]).trim().to_owned();
        let limits = Limits { output: 1 << 20, ..Limits::default() };
        Fixture { _dir: dir, root, commit, timeout: Duration::from_mins(1), limits }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub(crate) fn worktree(&self) -> PathBuf {
        self.home().join(".refactor-bot/worktrees/r1")
    }

    pub(crate) fn scratch(&self) -> PathBuf {
        self.home().join(".refactor-bot/runs/r1/agent")
    }

    pub(crate) fn env(&self) -> Env {
        Env::default()
            .with("PATH", "/usr/local/bin:/usr/bin:/bin")
            .with("HOME", self.home())
            .with("LANG", "C.UTF-8")
            .with("TMPDIR", self.root.join("tmp"))
            .with("GITHUB_TOKEN", "secret token")
            .with("SHOWN", "shown value")
    }

    pub(crate) fn sandbox(&self, choice: &Choice) -> Result<Sandbox, SandboxError> {
        Sandbox::probe(choice, &self.env(), Some(Path::new(SHIM)), &Cancel::new())
    }

    /// The script as an agent, in the hidden home.
    pub(crate) fn agent(&self, script: &str) -> Agent {
        let path = self.home().join("tools/agent");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("'{}' {{prompt_file}} {{folder}}", path.display()).parse().unwrap()
    }

    pub(crate) fn run_with(
        &self,
        agent: &Agent,
        assignment: &Assignment<'_>,
        with: With<'_>,
    ) -> Result<Report, AgentError> {
        let (mut env, cancel) = (self.env(), Cancel::new());
        if let Some((name, value)) = with.variable {
            env = env.with(name, value);
        }
        let sandbox = self.sandbox(&Choice::Auto).unwrap();
        std::fs::create_dir_all(self.scratch()).unwrap();
        let place = Place {
            worktree: &self.worktree(),
            commit: &self.commit,
            scratch: &self.scratch(),
            sandbox: with.sandbox.unwrap_or(&sandbox),
            confinement: Confinement::Required,
            env: &env,
            agent_home: with.agent_home,
            program: with.program,
            readable: &[],
            checkouts: &[self.root.join("project")],
            cancel: with.cancel.unwrap_or(&cancel),
            timeout: self.timeout,
            limits: self.limits,
        };
        rb_agent::run(agent, assignment, &place)
    }

    pub(crate) fn run(&self, script: &str) -> Report {
        let agent = self.agent(script);
        self.run_with(&agent, &Assignment::new("Mend the sum."), With::default()).unwrap()
    }

    /// What a person would be shown, with the paths of this fixture replaced.
    pub(crate) fn shown(&self, report: &Report) -> String {
        let mut text = format!("{}\n", report.ended.words());
        let side = |file: &Option<File>| match file {
            Some(file) => {
                let text = String::from_utf8_lossy(&file.bytes).into_owned();
                format!("{:?} {text:?}", file.mode)
            }
            None => "none".to_owned(),
        };
        for change in &report.changes {
            let (before, after) = (side(&change.before), side(&change.after));
            writeln!(text, "{}: {before} -> {after}", change.path).unwrap();
        }
        for refusal in &report.refused {
            writeln!(text, "{refusal}").unwrap();
        }
        if report.committed {
            text.push_str("committed in its copy\n");
        }
        if report.left_running {
            text.push_str("left processes running\n");
        }
        writeln!(text, "claims: {}", report.claims.words).unwrap();
        text.replace(self.root.to_str().unwrap(), "ROOT")
    }

    /// Every file of the user's that an agent must not touch.
    pub(crate) fn users_files(&self) -> Vec<State> {
        let places = [self.root.join("project"), self.worktree(), self.root.join("tmp")];
        places.iter().map(|place| State::of(place)).collect()
    }

    /// Names in the home and beside it.
    pub(crate) fn names(&self) -> Vec<String> {
        let folders = [self.root.clone(), self.home(), self.scratch()];
        let names = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Whoever still runs has the mark among its arguments.
pub(crate) fn wait_until_nobody_has(mark: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    let is_left = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let line = |path: PathBuf| std::fs::read(path.join("cmdline")).unwrap_or_default();
        let mut lines = processes.map(|entry| line(entry.path()));
        lines.any(|line| String::from_utf8_lossy(&line).contains(mark))
    };
    while is_left() {
        assert!(Instant::now() < until, "a process with {mark} still runs");
        std::thread::yield_now();
    }
}

/// Runs the script in each kind of sandbox that works here. The user's files are what they were, and the copy is gone.
pub(crate) fn check(script: &str, expected: &Expect) -> Report {
    let (report, shown) = run_and_look(&Choice::Auto, script).expect("a sandbox works here");
    if let Some((_, other)) = run_and_look(&Choice::Landlock, script) {
        assert_eq!(other, shown, "with Landlock");
    }
    expected.assert_eq(&shown);
    report
}

fn run_and_look(choice: &Choice, script: &str) -> Option<(Report, String)> {
    let fixture = Fixture::new();
    let sandbox = fixture.sandbox(choice).ok()?;
    let agent = fixture.agent(script);
    let before = fixture.users_files();
    let with = With { sandbox: Some(&sandbox), ..With::default() };
    let report = fixture.run_with(&agent, &Assignment::new("Mend the sum."), with).unwrap();
    let shown = fixture.shown(&report);
    assert_eq!(fixture.users_files(), before);
    assert_eq!(
        fixture.names(),
        [
            ".refactor-bot",
            "agent.stderr",
            "agent.stdout",
            "home",
            "project",
            "prompt.md",
            "secret",
            "tmp",
            "tools"
        ]
    );
    Some((report, shown))
}

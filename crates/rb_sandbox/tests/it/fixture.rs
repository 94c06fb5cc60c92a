//! A home with a secret, a worktree in it, and one `check` for scripts that run there.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use expect_test::Expect;
use rb_core::Cancel;
use rb_core::process::Env;
use rb_sandbox::{Choice, Ended, Job, Limits, Network, Ran, Sandbox, SandboxError};

pub(crate) const SHIM: &str = env!("CARGO_BIN_EXE_rb_confine");

/// A sandbox and the way it is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum With {
    /// As the product does it.
    Bubblewrap,
    Landlock,
    /// Where namespaces are forbidden.
    LandlockAlone,
    Off,
    OffAlone,
}

pub(crate) const CONFINED: [With; 3] = [With::Bubblewrap, With::Landlock, With::LandlockAlone];

pub(crate) struct Fixture {
    _dir: Option<tempfile::TempDir>,
    pub(crate) root: PathBuf,
}

impl Fixture {
    /// Not below the shared temporary folder, which sandboxes hide by itself.
    pub(crate) fn new() -> Self {
        let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let dir = tempfile::tempdir_in(base).unwrap();
        let root = dir.path().canonicalize().unwrap();
        Fixture { _dir: Some(dir), ..Fixture::planted(root) }
    }

    /// In a folder that somebody else removes.
    pub(crate) fn planted(root: PathBuf) -> Self {
        let fixture = Fixture::at(root);
        fixture.write("home/secret", "planted secret\n");
        fixture.write("home/.refactor-bot/config.toml", "key\n");
        fixture.write("home/tools/tool", "tool\n");
        fixture.write("home/.refactor-bot/worktrees/r1/.git", "gitdir: /elsewhere\n");
        fixture.write("home/.refactor-bot/worktrees/r1/kept", "kept\n");
        fixture.write("home/.refactor-bot/worktrees/r2/kept", "kept\n");
        fixture
    }

    /// One that another process made.
    pub(crate) fn at(root: PathBuf) -> Self {
        Fixture { _dir: None, root }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub(crate) fn worktree(&self) -> PathBuf {
        self.root.join("home/.refactor-bot/worktrees/r1")
    }

    pub(crate) fn env(&self, with: With) -> Env {
        let mut path = OsString::from("/usr/bin:/bin");
        if with == With::LandlockAlone {
            self.write(
                "bin/unshare",
                "#!/bin/sh\necho 'unshare failed: not permitted' >&2; exit 1\n",
            );
            let bin = self.root.join("bin");
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(bin.join("unshare"), mode).unwrap();
            path = std::env::join_paths([bin.as_path(), "/usr/bin".as_ref(), "/bin".as_ref()])
                .unwrap();
        }
        // Seen to be empty when all is over.
        let temp = self.root.join("tmp");
        std::fs::create_dir_all(&temp).unwrap();
        Env::default()
            .with("PATH", path)
            .with("HOME", self.home())
            .with("LANG", "C.UTF-8")
            .with("TMPDIR", temp)
    }

    pub(crate) fn sandbox(&self, with: With) -> Sandbox {
        let (choice, shim) = match with {
            With::Bubblewrap => (Choice::Bubblewrap, Some(Path::new(SHIM))),
            With::Landlock | With::LandlockAlone => (Choice::Landlock, Some(Path::new(SHIM))),
            With::Off => (Choice::Off, Some(Path::new(SHIM))),
            With::OffAlone => (Choice::Off, None),
        };
        Sandbox::probe(&choice, &self.env(with), shim, &Cancel::new()).unwrap()
    }

    pub(crate) fn job(&self, with: With, script: &str) -> Job {
        Job {
            program: "sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: self.worktree(),
            env: self.env(with).with("ROOT", &self.root),
            writable: vec![self.worktree()],
            readable: vec![self.home().join("tools"), self.home().join("missing")],
            checkouts: Vec::new(),
            hidden: Vec::new(),
            network: Network::Loopback,
            timeout: Duration::from_mins(1),
            limits: Limits { output: 1 << 20, memory: None, processes: 100 },
            log: self.home().join(".refactor-bot/runs/r1/test"),
        }
    }

    pub(crate) fn run(&self, with: With, job: &Job) -> Result<Ran, SandboxError> {
        self.sandbox(with).run(job, &Cancel::new())
    }

    /// Everything below the fixture that a script could have touched, logs excepted.
    pub(crate) fn files(&self) -> String {
        let mut text = String::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for entry in entries {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let name = path.strip_prefix(&self.root).unwrap().display().to_string();
                if kind.is_dir() && !name.ends_with("runs") && name != "bin" {
                    folders.push(path);
                } else if kind.is_file() {
                    let content = std::fs::read_to_string(&path).unwrap();
                    writeln!(text, "{name}: {}", content.trim_end()).unwrap();
                }
            }
        }
        text
    }

    pub(crate) fn assert_nobody_is_left(&self, with: With) {
        let left = self.left();
        assert!(left.is_empty(), "{with:?} left {left:?}");
    }

    pub(crate) fn wait_until_nobody_is_left(&self, with: With) {
        let until = Instant::now() + Duration::from_secs(20);
        while !self.left().is_empty() {
            assert!(Instant::now() < until, "{with:?} left {:?}", self.left());
            std::thread::yield_now();
        }
    }

    /// Private folders go as well.
    pub(crate) fn wait_until_nothing_is_left(&self, with: With) {
        let until = Instant::now() + Duration::from_secs(20);
        let left = || std::fs::read_dir(self.root.join("tmp")).unwrap().count();
        while left() > 0 {
            assert!(Instant::now() < until, "{with:?} left {} folders", left());
            std::thread::yield_now();
        }
    }

    /// Whoever still runs has the worktree as its folder.
    fn left(&self) -> Vec<PathBuf> {
        let worktree = self.worktree();
        let cwd = |process: &PathBuf| std::fs::read_link(process.join("cwd"));
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        processes.filter(|path| cwd(path).is_ok_and(|cwd| cwd == worktree)).collect()
    }

    /// What can be compared from run to run.
    pub(crate) fn told(&self, ran: &Result<Ran, SandboxError>) -> String {
        let text = match ran {
            Ok(ran) => {
                let ended = match ran.ended {
                    Ended::TimedOut(_) => "timed out".to_owned(),
                    other => format!("{other:?}"),
                };
                format!("{ended}\n{}{}", ran.stdout.excerpt(4000), ran.stderr.excerpt(4000))
            }
            Err(error) => format!("error: {error}\n"),
        };
        text.replace(self.root.to_str().unwrap(), "ROOT")
    }
}

/// What one run told and left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) told: String,
    pub(crate) files: String,
}

/// Runs the script in each sandbox, with the job changed as asked. All must end the same way, with nobody left.
pub(crate) fn same(withs: &[With], script: &str, change: impl Fn(&mut Job)) -> Outcome {
    let mut first: Option<Outcome> = None;
    for with in withs {
        let fixture = Fixture::new();
        let mut job = fixture.job(*with, script);
        change(&mut job);
        let ran = fixture.run(*with, &job);
        let outcome = Outcome { told: fixture.told(&ran), files: fixture.files() };
        fixture.assert_nobody_is_left(*with);
        match &first {
            Some(first) => assert_eq!(first, &outcome, "{:?} and {with:?}", withs[0]),
            None => first = Some(outcome),
        }
    }
    first.expect("at least one sandbox is given")
}

pub(crate) fn check(withs: &[With], script: &str, expected: &Expect) {
    expected.assert_eq(&same(withs, script, |_| {}).told);
}

pub(crate) fn check_with(
    withs: &[With],
    script: &str,
    change: impl Fn(&mut Job),
    expected: &Expect,
) {
    expected.assert_eq(&same(withs, script, change).told);
}

/// As `check`, and what the files are afterwards.
pub(crate) fn check_files(withs: &[With], script: &str, told: &Expect, files: &Expect) {
    let outcome = same(withs, script, |_| {});
    told.assert_eq(&outcome.told);
    files.assert_eq(&outcome.files);
}

//! `verify` on suites that nobody vouches for: what they try, what comes of it, and what the person reads.
//!
//! What a single sandbox holds is seen in `rb_sandbox`; here the whole program is, from its arguments to its words.

mod deeds;
mod orphans;

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use rb_testkit::{Cli, Ran, Repo, State};
use tempfile::TempDir;

use self::deeds::{GIGABYTE, HANGS, MULTIPLIES, PACKAGE, PRINTS, REACHES_OUT, STAYS, TURNS_GIT};
use crate::cli;

/// Nothing of the fixture spells it: whoever knows it has read it.
const SECRET: &str = "planted-4f7c1d";

struct Suite {
    repo: Repo,
    cli: Cli,
    listener: TcpListener,
    /// Neither in the home nor in the shared temporary folder, which sandboxes hide by themselves.
    elsewhere: TempDir,
    before: State,
}

impl Suite {
    /// A package with these tests, beside which secrets and listeners are planted.
    fn new(tests: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::write(elsewhere.path().join("kept"), "kept").unwrap();
        let repo = Repo::git_repo(PACKAGE);
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli()
            .hide(beside.display().to_string(), "[TMP]")
            .hide(elsewhere.path().display().to_string(), "[ELSEWHERE]")
            .hide(format!("127.0.0.1:{port}"), "127.0.0.1:[PORT]")
            .hide(format!("/proc/{}/", std::process::id()), "/proc/[PID]/")
            .env("OPENAI_API_KEY", SECRET);
        let user = cli.user_dir();
        for (folder, file) in [(".ssh", "id"), ("home", "config.toml")] {
            fs::create_dir_all(user.join(folder)).unwrap();
            fs::write(user.join(folder).join(file), format!("# {SECRET}\n")).unwrap();
        }
        let tests = tests
            .replace("[BESIDE]", &beside.display().to_string())
            .replace("[REPO]", &repo.root().display().to_string())
            .replace("[ELSEWHERE]", &elsewhere.path().display().to_string())
            .replace("[USER]", &user.display().to_string())
            .replace("[MARK]", &user.display().to_string())
            .replace("[PID]", &std::process::id().to_string())
            .replace("[PORT]", &port);
        rb_testkit::write_fixture(repo.root(), &tests);
        repo.commit_all("hostile");
        let before = repo.state();
        Suite { repo, cli, listener, elsewhere, before }
    }

    fn args(&self, more: &[&str]) -> Vec<OsString> {
        let fixed = ["verify".into(), self.repo.root().into()];
        fixed.into_iter().chain(more.iter().map(Into::into)).collect()
    }

    fn verify(&self, args: &[&str]) -> Ran {
        self.cli.run(self.args(args))
    }

    /// What was to be prevented, as far as it came about.
    fn came_of_it(&self, ran: &Ran) -> Vec<String> {
        let mut came = Vec::new();
        let mut note = |is_so: bool, what: &str| {
            if is_so {
                came.push(what.to_owned());
            }
        };
        note(self.repo.beside("planted").exists(), "written beside the checkout");
        note(self.repo.state() != self.before, "the checkout changed");
        note(self.elsewhere.path().join("planted").exists(), "written elsewhere");
        let kept = fs::read_to_string(self.elsewhere.path().join("kept")).unwrap();
        note(kept != "kept", "overwritten elsewhere");
        note(self.listener.accept().is_ok(), "a connection came in");
        let said = format!("{}{}", ran.stdout, ran.stderr).contains(SECRET);
        note(said || knows_secret(&self.cli.home().join("runs")), "the secret is in an output");
        let worktrees = fs::read_dir(self.cli.home().join("worktrees")).unwrap();
        note(worktrees.count() > 0, "a worktree is left");
        note(!self.left().is_empty(), "a process is left");
        came
    }

    /// Processes that run in the worktree, or carry the mark of this suite.
    fn left(&self) -> Vec<PathBuf> {
        let mark = self.cli.user_dir().display().to_string();
        let worktrees = self.cli.home().join("worktrees");
        let is_ours = |process: &Path| {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&mark)
                || fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&worktrees))
        };
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        processes.filter(|path| is_ours(path)).collect()
    }

    /// The whole output, with what depends on the machine and the moment replaced.
    fn shown(&self, ran: &Ran) -> String {
        let shown = self.cli.shown(ran).replace("; services on named sockets stay reachable", "");
        let shown =
            (0..20).fold(shown, |text, abi| text.replace(&format!("(ABI {abi})"), "(ABI N)"));
        // Where the target folder lies below a folder that is private in the sandbox, it is not even there.
        let shown = shown.replace(
            "ENOENT: no such file or directory, open '[ELSEWHERE]",
            "EROFS: read-only file system, open '[ELSEWHERE]",
        );
        let lines: Vec<String> = shown.lines().map(measured).collect();
        lines.join("\n") + "\n"
    }
}

fn measured(line: &str) -> String {
    match line.split_once(", cpu ") {
        Some((counts, _)) => {
            let counts = counts.rsplit_once("[TIME]").map_or(counts, |(counts, _)| counts);
            format!("{counts}[MEASURED]")
        }
        None => line.to_owned(),
    }
}

fn knows_secret(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return knows_secret(&path);
        }
        String::from_utf8_lossy(&fs::read(&path).unwrap()).contains(SECRET)
    })
}

#[track_caller]
fn check(tests: &str, args: &[&str], shown: &Expect, came_of_it: &[&str]) {
    let suite = Suite::new(tests);
    let ran = suite.verify(args);
    shown.assert_eq(&suite.shown(&ran));
    assert_eq!(suite.came_of_it(&ran), came_of_it, "{args:?}");
}

#[test]
fn sa7_a_suite_that_reaches_out_reaches_nothing() {
    check(
        REACHES_OUT,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        verify  [TMP]/project
        sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

        fail  test         node --test  package.json scripts.test
              2 passed, 9 failed, [MEASURED]
              `node --test` exited with code 1
              9 of 11 tests failed
              - test/deeds.test.js › 02 writes into the checkout
                  Error: EROFS: read-only file system, open '[TMP]/project/kept.txt'
              - test/deeds.test.js › 03 writes elsewhere
                  Error: EROFS: read-only file system, open '[ELSEWHERE]/planted'
              - test/deeds.test.js › 04 overwrites elsewhere
                  Error: EROFS: read-only file system, open '[ELSEWHERE]/kept'
              - test/deeds.test.js › 05 reads a key of the home
                  Error: ENOENT: no such file or directory, open '[USER]/.ssh/id'
              - test/deeds.test.js › 06 reads the settings of refactor-bot
                  Error: ENOENT: no such file or directory, open '[USER]/home/config.toml'
              - test/deeds.test.js › 07 lists the home
                  Error: ENOENT: no such file or directory, scandir '[USER]/.ssh'
              - test/deeds.test.js › 08 finds a key in the environment
                  Error: there is none
              - test/deeds.test.js › 09 reaches the machine
                  Error: connect ECONNREFUSED 127.0.0.1:[PORT]
              - test/deeds.test.js › 10 sees processes of others
                  Error: ENOENT: no such file or directory, open '/proc/[PID]/cmdline'

        baseline  fail: 2 of 11 tests passed (18.1%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
        &[],
    );
}

#[test]
fn sa7_a_suite_that_reaches_out_reaches_nothing_under_landlock() {
    check(
        REACHES_OUT,
        &["--sandbox", "landlock"],
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox Landlock (ABI N): no network except loopback, writes only where allowed, home hidden, no process outlives its command; files of the home can be seen to exist; modes, owners and times of files outside can be changed; a change of .git is undone and not prevented; keys in the session keyring and sockets between virtual machines stay reachable

            fail  test         node --test  package.json scripts.test
                  1 passed, 10 failed, [MEASURED]
                  `node --test` exited with code 1
                  10 of 11 tests failed
                  - test/deeds.test.js › 01 writes beside the checkout
                      Error: EACCES: permission denied, open '[TMP]/planted'
                  - test/deeds.test.js › 02 writes into the checkout
                      Error: EACCES: permission denied, open '[TMP]/project/kept.txt'
                  - test/deeds.test.js › 03 writes elsewhere
                      Error: EACCES: permission denied, open '[ELSEWHERE]/planted'
                  - test/deeds.test.js › 04 overwrites elsewhere
                      Error: EACCES: permission denied, open '[ELSEWHERE]/kept'
                  - test/deeds.test.js › 05 reads a key of the home
                      Error: EACCES: permission denied, open '[USER]/.ssh/id'
                  - test/deeds.test.js › 06 reads the settings of refactor-bot
                      Error: EACCES: permission denied, open '[USER]/home/config.toml'
                  - test/deeds.test.js › 07 lists the home
                      Error: EACCES: permission denied, scandir '[USER]/.ssh'
                  - test/deeds.test.js › 08 finds a key in the environment
                      Error: there is none
                  - test/deeds.test.js › 09 reaches the machine
                      Error: connect ECONNREFUSED 127.0.0.1:[PORT]
                  - test/deeds.test.js › 10 sees processes of others
                      Error: ENOENT: no such file or directory, open '/proc/[PID]/cmdline'

            baseline  fail: 1 of 11 tests passed (9.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
        &[],
    );
}

#[test]
fn sa7_without_a_sandbox_nothing_is_held_and_that_is_said() {
    check(
        REACHES_OUT,
        &["--sandbox", "off"],
        &expect![[r#"
        exit 1
        --- stdout
        verify  [TMP]/project
        sandbox no sandbox: network open, writes anywhere, home readable, processes found and ended by descent; switched off by choice

        fail  test         node --test  package.json scripts.test
              10 passed, 1 failed, [MEASURED]
              `node --test` exited with code 1
              1 of 11 tests failed
              - test/deeds.test.js › 08 finds a key in the environment
                  Error: there is none

        baseline  fail: 10 of 11 tests passed (90.9%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
        &[
            "written beside the checkout",
            "the checkout changed",
            "written elsewhere",
            "overwritten elsewhere",
            "a connection came in",
            "the secret is in an output",
        ],
    );
}

#[test]
fn sa7_git_is_not_turned() {
    check(
        TURNS_GIT,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        verify  [TMP]/project
        sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

        fail  test         node --test  package.json scripts.test
              0 passed, 1 failed, [MEASURED]
              `node --test` exited with code 1
              1 of 1 tests failed
              - test/git.test.js › turns git to another place
                  Error: EROFS: read-only file system, open '.git'

        baseline  fail: 0 of 1 tests passed (0.0%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
        &[],
    );
    check(
        TURNS_GIT,
        &["--sandbox", "landlock"],
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox Landlock (ABI N): no network except loopback, writes only where allowed, home hidden, no process outlives its command; files of the home can be seen to exist; modes, owners and times of files outside can be changed; a change of .git is undone and not prevented; keys in the session keyring and sockets between virtual machines stay reachable

            fail  test         node --test  package.json scripts.test
                  1 passed, 0 failed, [MEASURED]
                  it changed `[USER]/home/worktrees/[RUN]/.git`, which was restored

            baseline  fail: 1 of 1 tests passed (100.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
        &[],
    );
    check(
        TURNS_GIT,
        &["--sandbox", "off"],
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox no sandbox: network open, writes anywhere, home readable, processes found and ended by descent; switched off by choice

            fail  test         node --test  package.json scripts.test
                  1 passed, 0 failed, [MEASURED]
                  it changed `[USER]/home/worktrees/[RUN]/.git`, which was restored

            baseline  fail: 1 of 1 tests passed (100.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
        &[],
    );
}

/// What holds in every kind of sandbox, and without one, in the same words.
#[track_caller]
fn check_everywhere(tests: &str, args: &[&str], shown: &Expect) {
    let mut all = Vec::new();
    for sandbox in ["bubblewrap", "landlock", "off"] {
        let suite = Suite::new(tests);
        let ran = suite.verify(&[args, &["--sandbox", sandbox]].concat());
        let text = suite.shown(&ran);
        let (before, rest) = text.split_once("sandbox ").unwrap();
        let (_, after) = rest.split_once('\n').unwrap();
        all.push(format!("{before}sandbox [ANY]\n{after}"));
        assert_eq!(suite.came_of_it(&ran), [""; 0], "{sandbox}");
    }
    all.dedup();
    shown.assert_eq(&all.join("or\n"));
}

#[test]
fn sa7_a_suite_that_multiplies_is_ended() {
    let few = ["--set", "verify.processes=20"];
    check_everywhere(
        MULTIPLIES,
        &few,
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox [ANY]

            fail  test         node --test  package.json scripts.test
                  no tests reported, [MEASURED]
                  `node --test` had more than 20 processes at once and was stopped; raise verify.processes

            baseline  fail
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
    );
}

#[test]
fn sa7_a_suite_that_hangs_is_ended() {
    check_everywhere(
        HANGS,
        &["--timeout", "2"],
        &expect![[r#"
            exit 1
            --- stdout
            verify  [TMP]/project
            sandbox [ANY]

            fail  test         node --test  package.json scripts.test
                  no tests reported, [MEASURED]
                  `node --test` did not finish within [TIME] and was stopped; raise --timeout or verify.timeout_s

            baseline  fail
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test
        "#]],
    );
}

#[test]
fn sa7_what_a_suite_leaves_behind_is_ended() {
    check_everywhere(
        STAYS,
        &[],
        &expect![[r#"
        exit 0
        --- stdout
        verify  [TMP]/project
        sandbox [ANY]

        pass  test         node --test  package.json scripts.test
              1 passed, 0 failed, [MEASURED]

        baseline  pass: 1 of 1 tests passed (100.0%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
    );
}

#[test]
fn sa7_a_suite_that_prints_a_gigabyte_fills_no_disk() {
    let suite = Suite::new(PRINTS);
    let ran = suite.verify(&[]);
    expect![[r#"
        exit 0
        --- stdout
        verify  [TMP]/project
        sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

        pass  test         node --test  package.json scripts.test
              1 passed, 0 failed, [MEASURED]

        baseline  pass: 1 of 1 tests passed (100.0%)
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]].assert_eq(&suite.shown(&ran));
    assert_eq!(suite.came_of_it(&ran), [""; 0]);
    let run = suite.cli.home().join("runs").join(ran.run_id());
    let kept = size(&run);
    assert!(kept < GIGABYTE / 10, "{kept}");
    let log = fs::read(run.join("verify/logs/baseline-01-test-before1.stdout")).unwrap();
    let log = String::from_utf8_lossy(&log);
    let left_out = log.lines().find(|line| line.contains("left out")).unwrap();
    expect!["[… 1056964608 bytes left out …]"].assert_eq(left_out);
}

fn size(folder: &Path) -> u64 {
    let size =
        |path: PathBuf| if path.is_dir() { size(&path) } else { path.metadata().unwrap().len() };
    fs::read_dir(folder).unwrap().flatten().map(|entry| size(entry.path())).sum()
}

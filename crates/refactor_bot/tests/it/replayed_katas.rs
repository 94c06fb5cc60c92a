//! Katas that were developed by hand at a model's desk, recorded: the same answers give the same commits, and each of them is green.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use rb_testkit::stub::Stub;
use rb_testkit::{Cli, git};

use crate::replayed::{Answers, KEY, answer_at, lines};

struct Recorded {
    /// Of the file in `examples/katas/`.
    kata: &'static str,
    language: &'static str,
    /// The command that runs the tests of a checkout.
    tests: &'static [&'static str],
    /// What it says where no test ran.
    nothing: &'static str,
}

const PYTHON: &[&str] = &["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."];
const CARGO: &[&str] = &["cargo", "test", "--offline", "--quiet", "--tests"];
const NODE: &[&str] = &["node", "--test", "test/**/*.test.ts"];

fn recorded(kata: &'static str, language: &'static str) -> Recorded {
    let (tests, nothing) = match language {
        "python" => (PYTHON, "Ran 0 tests"),
        "rust" => (CARGO, "no test target"),
        _ => (NODE, "tests 0"),
    };
    Recorded { kata, language, tests, nothing }
}

const KATAS: [&str; 4] = ["fizzbuzz", "string-calculator", "bowling", "mars-rover"];
const LANGUAGES: [&str; 3] = ["python", "rust", "typescript"];

#[test]
fn ka3_ka6_katas_in_python_are_replayed() {
    check_all("python");
}

#[test]
fn ka3_ka6_katas_in_rust_are_replayed() {
    check_all("rust");
}

#[test]
fn ka3_ka6_katas_in_typescript_are_replayed() {
    check_all("typescript");
}

fn check_all(language: &'static str) {
    for kata in KATAS {
        check(&recorded(kata, language));
    }
}

/// The Node of the recordings, which runs TypeScript by itself.
fn node() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    target.join("test-tools/node")
}

/// A search path on which that Node comes first.
fn path_with_node() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(node()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

/// Nothing is checked in TypeScript where that Node is not set up.
fn check(recorded: &Recorded) {
    if recorded.language == "typescript" && !node().join("node").exists() {
        return;
    }
    let tape = recorded.file("jsonl");
    let cli = cli();
    let told = recorded.run(&cli, &["--replay", tape.to_str().unwrap()]);
    expect_file![recorded.file("txt")].assert_eq(&told);
    assert_eq!(calls(&cli), lines(&tape).len(), "a recorded call was not used");
    let text = fs::read_to_string(&tape).unwrap();
    for place in ["/tmp/", "/home/", "/root/", "/Users/", "127.0.0.1:", "/work/"] {
        assert!(!text.contains(place), "{} names {place}", tape.display());
    }
    recorded.every_commit_is_green(&cli.user_dir().join("work"));
}

/// Cargo is found through the home of whoever runs the tests.
fn cli() -> Cli {
    let home = std::env::var("HOME").unwrap_or_default();
    crate::cli().env("HOME", &home).env("PATH", path_with_node())
}

/// How often a model was asked in the only run.
fn calls(cli: &Cli) -> usize {
    let runs: Vec<_> = fs::read_dir(cli.home().join("runs")).unwrap().collect();
    assert_eq!(runs.len(), 1);
    let journal = runs[0].as_ref().unwrap().path().join("journal.jsonl");
    let is_call = |line: &&str| line.contains("\"event\":\"model_called\"");
    fs::read_to_string(journal).unwrap().lines().filter(is_call).count()
}

impl Recorded {
    fn file(&self, ending: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replayed");
        folder.join(format!("{}-{}.{ending}", self.kata, self.language))
    }

    /// Develops the kata. What is told is the summary without what differs from run to run, and every message.
    fn run(&self, cli: &Cli, more: &[&str]) -> String {
        let katas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/katas");
        let file = katas.join(format!("{}.md", self.kata)).display().to_string();
        let (work, language) = (cli.user_dir().join("work"), self.language);
        let work = work.display().to_string();
        let order = ["kata", &file, "--language", language, "--work-dir", &work];
        let asked = ["--provider", "anthropic", "--model", "claude-sonnet-5"];
        let ran = cli.run([&order[..], &asked, more].concat());
        ran.expect_code(0);
        let is_steady = |line: &&str| {
            let label = line.split_whitespace().next().unwrap_or_default();
            !["run", "folder", "cost", "git"].contains(&label)
        };
        let summary = ran.stdout.split("\nTimeline\n").next().unwrap_or_default();
        let summary: Vec<&str> = summary.lines().filter(is_steady).collect();
        let log = git(Path::new(&work), &["log", "--reverse", "--format=%B"]);
        format!("{}\n\n{log}", summary.join("\n"))
    }

    fn every_commit_is_green(&self, work: &Path) {
        let log = git(work, &["log", "--format=%H"]);
        assert!(log.lines().count() > 5, "{log}");
        for commit in log.lines() {
            git(work, &["checkout", "--quiet", commit]);
            let mut tests = Command::new(self.tests[0]);
            // Outside of the project, so that nothing of a commit is left for the next.
            tests
                .args(&self.tests[1..])
                .current_dir(work)
                .env("PATH", path_with_node())
                .env("CARGO_TARGET_DIR", work.join("../target"));
            let out = tests.output().unwrap();
            let said = [out.stdout, out.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(out.status.success() && !said.contains(self.nothing), "{commit}: {said}");
        }
    }
}

/// For whoever changed a prompt on purpose: the recorded answers are given to the prompts of now.
#[test]
#[ignore = "it writes the recordings anew"]
fn record_katas_anew() {
    let all = LANGUAGES.iter().flat_map(|&language| KATAS.map(|kata| recorded(kata, language)));
    for recorded in all {
        let tape = recorded.file("jsonl");
        let answers = Answers::of(&tape);
        let stub = Stub::new(move |seen, _| answers.reply(seen));
        let fresh = tape.with_extension("part");
        let _ = fs::remove_file(&fresh);
        let cli = cli().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        let file = fresh.to_str().unwrap().to_owned();
        recorded.run(&cli, &["--budget-usd", "5", "--record", &file]);
        fs::rename(&fresh, &tape).unwrap();
    }
}

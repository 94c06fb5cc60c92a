//! Repeats the tests of what a change touched, on a machine that is kept busy: a test that ever fails is named, and its output kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::shell::{self, Result};

pub(crate) const USAGE: &str = "\
  flaky [--runs N] [--load N] [--base COMMIT] [CRATE...] [-- FILTER...]
                  repeat the tests of the named crates, or of those changed since COMMIT, under load";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    runs: usize,
    /// Threads that do nothing but turn.
    load: usize,
    base: Option<String>,
    crates: Vec<String>,
    filters: Vec<String>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Self> {
        let mut options =
            Options { runs: 10, load: 8, base: None, crates: Vec::new(), filters: Vec::new() };
        let mut words = words.iter().map(ToString::to_string);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("`{text}` is no number"));
            match word.as_str() {
                "--runs" => options.runs = number(value()?)?,
                "--load" => options.load = number(value()?)?,
                "--base" => options.base = Some(value()?),
                "--" => options.filters = words.by_ref().collect(),
                name if name.starts_with('-') => return Err(format!("`{name}` is not known")),
                name => options.crates.push(name.to_owned()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let mut options = Options::parse(words)?;
    if options.crates.is_empty() {
        options.crates = changed_crates(options.base.as_deref())?;
    }
    if options.crates.is_empty() {
        eprintln!("xtask: no crate changed");
        return Ok(());
    }
    let logs = shell::root().join("target/flaky");
    let _ = fs::remove_dir_all(&logs);
    fs::create_dir_all(&logs)
        .map_err(|error| format!("cannot create {}: {error}", logs.display()))?;
    eprintln!("xtask: building {}", options.crates.join(", "));
    shell::run(cargo_test(&options).arg("--no-run"))?;
    let failed = under_load(options.load, || repeat(&options, &logs))?;
    if failed.is_empty() {
        eprintln!("xtask: {} runs, nothing failed", options.runs);
        return Ok(());
    }
    let lines: Vec<String> = failed
        .iter()
        .map(|(test, rounds)| {
            format!("\n  {test} failed in {} of {} runs", rounds.len(), options.runs)
        })
        .collect();
    Err(format!("flaky tests; their output is in {}{}", logs.display(), lines.concat()))
}

/// The rounds in which each test failed.
fn repeat(options: &Options, logs: &std::path::Path) -> Result<BTreeMap<String, Vec<usize>>> {
    let mut failed: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for round in 1..=options.runs {
        let out = cargo_test(options)
            .args(["--no-fail-fast", "--"])
            .args(&options.filters)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let mut names = failures(&text);
        if names.is_empty() && !out.status.success() {
            names.insert("a test program".to_owned());
        }
        eprintln!("xtask: run {round} of {}: {} failed", options.runs, names.len());
        if !names.is_empty() {
            let log = logs.join(format!("run-{round}.log"));
            let all = format!("{text}\n{}", String::from_utf8_lossy(&out.stderr));
            fs::write(&log, all)
                .map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        }
        for name in names {
            failed.entry(name).or_default().push(round);
        }
    }
    Ok(failed)
}

/// The names in lines such as `test module::name ... FAILED`.
fn failures(output: &str) -> BTreeSet<String> {
    let name =
        |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned());
    output.lines().filter_map(name).collect()
}

fn cargo_test(options: &Options) -> std::process::Command {
    let mut command = shell::cargo();
    command.arg("test");
    for name in &options.crates {
        command.args(["-p", name]);
    }
    if options.crates.iter().any(|name| name == "refactor_bot") {
        command.args(["--features", "refactor_bot/fault"]);
    }
    command
}

/// Runs `work` while other threads keep the processors busy.
fn under_load<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// Crates with a file that differs from `base`: by default where this branch left `main`, or the last commit.
fn changed_crates(base: Option<&str>) -> Result<Vec<String>> {
    let git = |args: &[&str]| {
        let root = shell::root();
        shell::ask("git", &[&["-C", root.to_str().unwrap_or(".")], args].concat())
    };
    let head = git(&["rev-parse", "HEAD"]);
    let fork = git(&["merge-base", "main", "HEAD"]).filter(|fork| Some(fork) != head.as_ref());
    let base = base.map_or_else(|| fork.unwrap_or("HEAD~1".to_owned()), str::to_owned);
    let files = git(&["diff", "--name-only", &base])
        .ok_or(format!("git cannot compare with `{base}`; name another commit with --base"))?;
    Ok(crates_of(&files).into_iter().filter(|name| folder(name).is_dir()).collect())
}

fn folder(name: &str) -> PathBuf {
    shell::root().join("crates").join(name)
}

fn crates_of(files: &str) -> BTreeSet<String> {
    let name = |file: &str| Some(file.strip_prefix("crates/")?.split_once('/')?.0.to_owned());
    files.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_numbers_crates_and_filters() {
        let options = Options::parse(&["--runs", "3", "rb_core", "--", "fs::", "--exact"]).unwrap();
        assert_eq!((options.runs, options.load), (3, 8));
        assert_eq!(options.crates, ["rb_core"]);
        assert_eq!(options.filters, ["fs::", "--exact"]);
        assert!(Options::parse(&["--runs"]).is_err());
        assert!(Options::parse(&["--runs", "many"]).is_err());
        assert!(Options::parse(&["--unknown"]).is_err());
    }

    #[test]
    fn failed_tests_and_changed_crates_are_read_from_lines() {
        let output =
            "test a::b ... ok\ntest c::d ... FAILED\ntest e ... ignored\nerror: test failed\n";
        assert_eq!(failures(output).into_iter().collect::<Vec<_>>(), ["c::d"]);
        let files = "README.md\ncrates/rb_core/src/fs.rs\ncrates/rb_core/Cargo.toml\ncrates/xtask/src/main.rs";
        assert_eq!(crates_of(files).into_iter().collect::<Vec<_>>(), ["rb_core", "xtask"]);
    }
}

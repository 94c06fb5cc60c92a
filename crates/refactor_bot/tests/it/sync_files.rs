//! A project whose work is known: one file a chain of synchronous file calls, and a suite that needs nothing but a shell.

use std::fmt::Write as _;

use rb_testkit::{Cli, Ran, Repo, State};
use serde_json::Value;

use crate::cli;

pub(crate) const DIRECTIVE: &str = "Convert sync file ops to async";

/// Ten files that have nothing to do with each other: six tasks, the last four of them with two files each.
pub(crate) const TEN: &[&str] =
    &["src/a", "src/b", "src/c", "src/d", "src/e", "src/f", "lib/g", "lib/h", "bin/i", "bin/j"];

pub(crate) const FIVE: &[&str] = &["src/a", "src/b", "src/c", "lib/d", "lib/e"];

/// A repository of such files, and a home of its own.
pub(crate) struct SyncFiles {
    pub(crate) repo: Repo,
    pub(crate) cli: Cli,
    pub(crate) before: State,
}

impl SyncFiles {
    /// `pinned` are files that a test holds to what they are. Without any of their changes all of the tests pass.
    pub(crate) fn new(names: &[&str], pinned: &[&str], tests: usize) -> Self {
        let mut fixture = format!("//- test.sh\n{}", suite(pinned, tests));
        for name in names {
            let id = name.replace('/', "_");
            let _ = write!(
                fixture,
                "//- {name}.js\nconst fs = require('fs');\n\nasync function {id}(file) {{\n  \
                 return fs.readFileSync(file, 'utf8');\n}}\n\nmodule.exports = {{ {id} }};\n"
            );
        }
        let repo = Repo::git_repo(&fixture);
        let beside = std::fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli().hide(beside.display().to_string(), "[TMP]");
        let before = repo.state();
        SyncFiles { repo, cli, before }
    }

    pub(crate) fn five() -> Self {
        SyncFiles::new(FIVE, &[], 20)
    }

    pub(crate) fn root(&self) -> String {
        self.repo.root().display().to_string()
    }

    /// The arguments of a run that is verified by the suite.
    pub(crate) fn verified(&self, more: &[&str]) -> Vec<String> {
        let root = self.root();
        let mut args: Vec<String> =
            ["run", &root, "--directive", DIRECTIVE].map(str::to_owned).into();
        for key in ["fast_verifier", "full_verifier"] {
            args.extend(["--set".to_owned(), format!("{key}=[\"sh test.sh\"]")]);
        }
        args.extend(more.iter().map(|&word| word.to_owned()));
        args
    }

    /// A run that nothing verifies: what is asked about is something else.
    pub(crate) fn run(&self, more: &[&str]) -> Ran {
        let root = self.root();
        let args = ["run", &root, "--directive", DIRECTIVE, "--no-verify"];
        self.cli.run(args.iter().chain(more))
    }

    /// Every byte, the index and HEAD are what they were.
    #[track_caller]
    pub(crate) fn assert_untouched(&self) {
        self.before.assert_same(&self.repo.state(), "by the run");
    }

    /// No branch and no worktree of a run is there.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        assert_eq!(self.repo.git(&["branch", "--list", "refactor-bot/*"]), "");
        assert_eq!(self.repo.git(&["worktree", "list"]).lines().count(), 1);
        let worktrees = self.cli.home().join("worktrees");
        let left = std::fs::read_dir(worktrees).map_or(0, Iterator::count);
        assert_eq!(left, 0, "worktrees in the home");
    }

    /// The runs that the home knows of.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let listed = self.cli.run(["runs", "list", "--json"]);
        listed.expect_code(0).stdout.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
    }

    /// Task, status and tries of each entry of a run's ledger.
    pub(crate) fn ledger(&self, id: &str) -> Vec<String> {
        let shown = self.cli.run(["runs", "show", id, "--json"]);
        let shown: Value = serde_json::from_str(&shown.expect_code(0).stdout).unwrap();
        let entry = |it: &Value| {
            let status = it["status"].as_str().unwrap();
            format!("{} {status} {}", it["task"].as_str().unwrap(), it["attempts"])
        };
        shown["ledger"].as_array().unwrap().iter().map(entry).collect()
    }
}

/// Prints TAP. A pinned file that changed fails the test that is named after it.
fn suite(pinned: &[&str], tests: usize) -> String {
    let mut text = format!("#!/bin/sh\necho TAP version 13\necho 1..{tests}\nfailed=0\n");
    for (at, file) in pinned.iter().enumerate() {
        let line = format!("{} - {file}.js reads at once", at + 1);
        let _ = write!(
            text,
            "if grep -q readFileSync {file}.js\nthen echo 'ok {line}'\nelse echo 'not ok {line}'; failed=1\nfi\n"
        );
    }
    for number in pinned.len() + 1..=tests {
        let _ = writeln!(text, "echo 'ok {number} - test {number}'");
    }
    text.push_str("exit $failed\n");
    text
}

//! What others on the machine must not see: everything in the home folder, and values given with `verify.env`.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rb_testkit::{Cli, Repo};

use crate::cli;

const FIXTURE: &str =
    "//- a.txt\none\n//- check.sh exec\n#!/bin/sh\ntest \"$TOKEN\" = s3cr3t-value\n";
const CHANGE: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

struct Case {
    repo: Repo,
    cli: Cli,
    patch: PathBuf,
}

fn case() -> Case {
    let repo = Repo::git_repo(FIXTURE);
    let patch = repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    Case { repo, cli: cli(), patch }
}

impl Case {
    fn args<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let (root, patch) = (self.repo.root().to_str().unwrap(), self.patch.to_str().unwrap());
        [&["run", root, "--patch", patch][..], more].concat()
    }
}

/// Every path below `folder`, except what is checked out in a worktree.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        found.push(path.clone());
        let is_link = entry.file_type().unwrap().is_symlink();
        if path.is_dir() && !is_link && !folder.ends_with("worktrees") {
            walk(&path, found);
        }
    }
}

fn assert_closed(home: &Path) {
    let mut found = vec![home.to_owned()];
    walk(home, &mut found);
    for path in found {
        let mode = path.symlink_metadata().unwrap().mode() & 0o777;
        // The index makes files of its own, in a closed folder.
        let foreign = [".db", ".db-shm", ".db-wal"];
        let is_foreign = foreign.iter().any(|end| path.to_string_lossy().ends_with(end));
        let in_worktrees = path.parent().is_some_and(|parent| parent.ends_with("worktrees"));
        if !is_foreign && !in_worktrees {
            assert_eq!(mode & 0o077, 0, "{mode:o} {}", path.display());
        }
    }
}

#[test]
fn mo3_nobody_else_can_read_the_home_folder() {
    let case = case();
    let id = case.cli.run(case.args(&[])).expect_code(0).run_id();
    assert_closed(&case.cli.home());
    case.cli.run(["accept", &id]).expect_code(0);
    case.cli.run(["rollback", &id]).expect_code(0);
    assert_closed(&case.cli.home());
    // One that an older version made is closed by the next command.
    let open = |path: &Path, mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(path, mode).unwrap();
    };
    let journal = case.cli.home().join("runs").join(&id).join("journal.jsonl");
    open(&journal, 0o644);
    open(&case.cli.home(), 0o755);
    case.cli.run(["runs", "list"]).expect_code(0);
    assert_closed(&case.cli.home());
}

#[test]
fn mo3_a_value_of_verify_env_is_never_written_down() {
    let case = case();
    let secret = "verify.env=TOKEN=s3cr3t-value";
    let verifier = "full_verifier=./check.sh";
    let set = ["--set", secret, "--set", verifier, "--set", "fast_verifier=./check.sh"];
    let ran = case.cli.run(case.args(&set));
    assert!(ran.stdout.contains("batch-001  applied"), "{}{}", ran.stdout, ran.stderr);
    let id = ran.run_id();
    let mut found = Vec::new();
    walk(&case.cli.home(), &mut found);
    for path in found.iter().filter(|path| path.is_file()) {
        let bytes = fs::read(path).unwrap();
        let holds = String::from_utf8_lossy(&bytes).contains("s3cr3t-value");
        // The snapshot and the index hold the file that compares it.
        assert!(!holds || path.ends_with("index.db"), "{}", path.display());
    }
    for args in [&["config", "show"][..], &["--json", "config", "show"], &["runs", "log", &id]] {
        let said = case.cli.run([args, &["--set", secret]].concat());
        said.expect_code(0);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(!all.contains("s3cr3t-value"), "{args:?}: {all}");
        assert!(all.contains("TOKEN=***"), "{args:?}: {all}");
    }
    // A process that resumes the run needs to say which value it lacks.
    let journal = case.cli.home().join("runs").join(&id).join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let cut = text.find("\"event\":\"audit_ended\"").unwrap();
    fs::write(&journal, &text[..=text[..cut].rfind('\n').unwrap()]).unwrap();
    let refused = case.cli.run(["resume", &id]);
    refused.expect_code(2);
    assert!(
        refused.stderr.contains("a value for TOKEN, which is not stored"),
        "{}",
        refused.stderr
    );
    let resumed = case.cli.run(["resume", &id, "--set", secret]);
    resumed.expect_code(0);
    assert!(resumed.stdout.contains("batch-001  applied"), "{}", resumed.stdout);
}

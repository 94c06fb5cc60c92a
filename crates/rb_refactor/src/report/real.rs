//! The report of a real worktree: git takes every patch, alone and together, and the artifacts lie where they are said to.

use std::path::{Path, PathBuf};

use rb_change::ChangeEvent;
use rb_core::clock::Timestamp;
use rb_core::fs::{self, Durability, symlink};
use rb_core::process::Env;
use rb_core::{Cancel, Home, RunId, Task, TaskId, TaskKind, Verdict};
use rb_flow::event::VERSION;
use rb_testkit::{Repo, git, git_env};
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::preflight::{Dirty, inspect_checkout};
use rb_workspace::repo::Kind;
use rb_workspace::worktree::Worktree;

use super::{Facts, html, summary, validation, write};
use crate::event::{Mode, Orders, Record, RefactorEvent, RunEvent, RunStarted};

const FIXTURE: &str = r"
//- src/a.js
one
two
//- src/gone.js
goes away
//- src/old/name.js
1
2
3
4
5
6
7
8
//- src/[id]/page (1).tsx
page
//- lib
a file that becomes a folder
//- deep/x.js
in a folder that becomes a file
//- run.sh
echo
//- becomes-a-link
text
//- a/b.js
slash
//- a__b.js
underscores
";

/// A run that did nothing but make one commit, in which `change` is what was done to the files.
fn reported(change: impl Fn(&Path)) -> (Repo, PathBuf, String) {
    let repo = Repo::git_repo(FIXTURE);
    repo.write("binary.dat", b"\0\x01\x02 before");
    repo.commit_all("binary");
    let env = git_env(&repo.beside("")).into_iter();
    let env = env.fold(Env::default(), |env, (name, value)| env.with(name, value));
    let home = Home::new(repo.beside("").canonicalize().unwrap().join("home"));
    let run: RunId = "20010203T040506Z".parse().unwrap();
    fs::create_dir_all(&home.run(&run)).unwrap();
    let target = inspect_checkout(repo.root(), None, Dirty::Refuse, &env, &Cancel::new()).unwrap();
    let base = repo.head();
    let worktree = Worktree::create(&target.repo, &home, &run, &base).unwrap();
    change(worktree.dir());
    git(worktree.dir(), &["add", "--all"]);
    git(worktree.dir(), &["commit", "--quiet", "--message", "change"]);
    let tip = worktree.tip().unwrap();
    let facts =
        Facts::gather(&home.run(&run), &records(&run, repo.root(), &tip), &worktree, &base, &tip);
    let dir = home.run(&run).join("report");
    write(&dir, &facts.unwrap()).unwrap();
    worktree.suspend();
    (repo, dir, tip)
}

fn records(run: &RunId, repo: &Path, tip: &str) -> Vec<Record> {
    let task = Task::new(TaskId(1), "change much", TaskKind::Change { format: None });
    let entry = LedgerEntry {
        task: task.id,
        goal: task.goal.clone(),
        status: TaskStatus::Applied,
        commit: Some(tip.to_owned()),
        touched_files: Vec::new(),
        added: 0,
        removed: 0,
        rung: None,
        verdict: Verdict::NoVerifierRan,
        attempts: 1,
        confidence: None,
        reasons: Vec::new(),
        notes: Vec::new(),
        at: Timestamp::from_unix_ms(0),
    };
    let started = RunStarted {
        run: run.clone(),
        workflow: Mode::Refactor,
        repo: repo.to_owned(),
        kind: Kind::Git,
        scope: None,
        allow_dirty: false,
        diff_budget: 300,
        excludes: Vec::new(),
        tasks: vec![task],
        verify: None,
        orders: Box::new(Orders::default()),
    };
    let events = [
        RunEvent::RunStarted(started).into(),
        RefactorEvent::Change(ChangeEvent::TaskEnded { entry }).into(),
    ];
    let at = Timestamp::from_unix_ms(0);
    (1..).zip(events).map(|(seq, event)| Record { v: VERSION, seq, at, event }).collect()
}

fn put(root: &Path, path: &str, bytes: &[u8]) {
    fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
    fs::write(&root.join(path), bytes, Durability::Relaxed).unwrap();
}

fn everything(root: &Path) {
    put(root, "src/a.js", b"one\n2");
    put(root, "src/new.js", b"--- not a header\n+++ b/x\n");
    put(root, "src/empty.js", b"");
    put(root, "b\u{fc} \t\"q\".js", b"odd name\r\n");
    put(root, "src/[id]/page (1).tsx", b"other page\n");
    put(root, "binary.dat", b"\0\x01\x02 after");
    put(root, "a/b.js", b"slash!\n");
    put(root, "a__b.js", b"underscores!\n");
    fs::remove_file(&root.join("src/gone.js")).unwrap();
    fs::create_dir_all(&root.join("src/new")).unwrap();
    fs::rename(&root.join("src/old/name.js"), &root.join("src/new/name.js")).unwrap();
    fs::remove_file(&root.join("lib")).unwrap();
    put(root, "lib/x.js", b"in the folder\n");
    fs::remove_dir_all(&root.join("deep")).unwrap();
    put(root, "deep", b"now a file\n");
    fs::set_mode(&root.join("run.sh"), 0o755).unwrap();
    fs::remove_file(&root.join("becomes-a-link")).unwrap();
    symlink(Path::new("src/a.js"), &root.join("becomes-a-link")).unwrap();
}

fn patches(dir: &Path) -> Vec<String> {
    let names = fs::list(&dir.join("diffs")).unwrap();
    names.iter().map(|name| dir.join("diffs").join(name).display().to_string()).collect()
}

#[test]
fn rf9_git_takes_every_patch_alone_and_all_together() {
    let (repo, dir, tip) = reported(everything);
    let patches = patches(&dir);
    assert_eq!(patches.len(), 14, "{patches:#?}");
    for patch in &patches {
        repo.git(&["apply", "--check", patch]);
    }
    let mut all = vec!["apply", "--check"];
    all.extend(patches.iter().map(String::as_str));
    repo.git(&all);
    all.remove(1);
    repo.git(&all);
    repo.git(&["add", "--all"]);
    assert_eq!(repo.git(&["diff", "--cached", "--stat", &tip]), "", "it is the whole change");

    repo.git(&["reset", "--quiet", "--hard"]);
    let of_task = dir.join("tasks/batch-001.patch").display().to_string();
    repo.git(&["apply", "--check", &of_task]);
}

#[test]
fn rf9_each_file_alone_does_not_need_the_others() {
    let (repo, dir, _) = reported(everything);
    for patch in patches(&dir) {
        repo.git(&["apply", &patch]);
        repo.git(&["apply", "--reverse", &patch]);
        assert_eq!(repo.git(&["status", "--porcelain"]), "", "{patch}");
    }
}

#[test]
fn rf9_all_artifacts_are_there_and_every_link_leads_to_one() {
    let (_repo, dir, _) = reported(everything);
    for name in [
        "TASK_LEDGER.jsonl",
        "agent-log.json",
        "diffs/src__a.js.patch",
        "pr-summary.md",
        "report.html",
        "tasks/batch-001.patch",
        "validation-report.json",
    ] {
        assert!(dir.join(name).is_file(), "{name}");
    }
    let summary = String::from_utf8(fs::read(&dir.join("pr-summary.md")).unwrap()).unwrap();
    let report = fs::read(&dir.join("validation-report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    let links: Vec<&str> =
        summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        let (path, pointer) = link.split_once('#').unwrap_or((link, ""));
        assert!(path.is_empty() || dir.join(path).exists(), "{link}");
        if path == "validation-report.json" {
            assert!(report.pointer(pointer).is_some(), "{link}");
        }
    }
    let log = fs::read(&dir.join("agent-log.json")).unwrap();
    let log: serde_json::Value = serde_json::from_slice(&log).unwrap();
    assert_eq!(log["run"], "20010203T040506Z");
    assert_eq!(log["events"].as_array().unwrap().len(), 2);
}

#[test]
fn rf8_rf9_the_pages_are_the_same_once_the_worktree_is_gone() {
    let (repo, dir, tip) = reported(everything);
    let records = records(&"20010203T040506Z".parse().unwrap(), repo.root(), &tip);
    let facts = Facts::of_report(dir.parent().unwrap(), &records, &dir).unwrap();
    assert_eq!(facts.files.len(), patches(&dir).len());
    for (name, text) in [
        ("pr-summary.md", summary::text(&facts).into_bytes()),
        ("report.html", html::text(&facts).into_bytes()),
        ("validation-report.json", validation::text(&facts)),
    ] {
        let written = fs::read(&dir.join(name)).unwrap();
        assert_eq!(String::from_utf8_lossy(&text), String::from_utf8_lossy(&written), "{name}");
    }
    fs::remove_file(&dir.join("tasks/batch-001.patch")).unwrap();
    assert!(Facts::of_report(dir.parent().unwrap(), &records, &dir).is_err(), "it guesses nothing");
}

#[test]
fn rf9_a_second_report_leaves_nothing_of_the_first() {
    let (_repo, dir, _) = reported(|root| put(root, "src/a.js", b"x\n"));
    put(&dir, "diffs/stale.patch", b"of an earlier report");
    let before = fs::list(&dir.join("diffs")).unwrap();
    assert_eq!(before.len(), 2);
    let records = records(&"20010203T040506Z".parse().unwrap(), Path::new("/r"), "tip");
    let none = |_: Option<TaskId>, _: &str, _: &str| Ok(Vec::new());
    let facts = Facts::assemble(&dir, &records, "base", "tip", &none).unwrap();
    write(&dir, &facts).unwrap();
    assert!(fs::list(&dir.join("diffs")).unwrap().is_empty());
}

//! The guard: dropped, nothing happened; a checkpoint holds its task's files and nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rb_core::TaskId;
use rb_testkit::{Repo, git, write_fixture};
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::preflight::Dirty;
use rb_workspace::worktree::{Checkpoint, Worktree, WorktreeError, remove_leftovers};

use crate::target::{Target, path};

const FIXTURE: &str = "
//- .gitignore
ignored/
//- a.txt
one
//- src/b.txt
beta
//- src/c.txt
gamma
";

const EDIT: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

fn entry(task: u32) -> LedgerEntry {
    LedgerEntry {
        task: TaskId(task),
        goal: format!("goal {task}"),
        status: TaskStatus::Applied,
        commit: None,
        touched_files: Vec::new(),
        added: 0,
        removed: 0,
        rung: None,
        verdict: rb_core::Verdict::Pass,
        attempts: 1,
        confidence: None,
        reasons: Vec::new(),
        notes: Vec::new(),
        at: rb_core::clock::now(),
    }
}

/// A task costs the same however many came before it: the ledger grows by a line, unless earlier lines changed.
#[test]
fn rf8_the_ledger_grows_by_a_line() {
    let target = Target::git(FIXTURE);
    let mut worktree = target.ready(Dirty::Refuse).worktree;
    let file = worktree.dir().join(".refactor-bot/TASK_LEDGER.jsonl");
    let goals = || -> Vec<String> {
        let goal = |line: &str| serde_json::from_str::<LedgerEntry>(line).unwrap().goal;
        fs::read_to_string(&file).unwrap().lines().map(goal).collect()
    };
    let all: Vec<LedgerEntry> = (1..=4).map(entry).collect();
    worktree.extend_ledger(&[], &all[0]).unwrap();
    worktree.extend_ledger(&all[..1], &all[1]).unwrap();
    // Another text of the same length: whoever writes the whole file again brings the old one back.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("goal 1", "GOAL 1")).unwrap();
    worktree.extend_ledger(&all[..2], &all[2]).unwrap();
    assert_eq!(goals(), ["GOAL 1", "goal 2", "goal 3"]);
    // Tasks 2 and 3 were taken back.
    worktree.ledger_changed();
    worktree.extend_ledger(&all[..1], &all[3]).unwrap();
    assert_eq!(goals(), ["goal 1", "goal 4"]);
}

#[test]
fn sa1_dropping_the_worktree_leaves_every_byte_as_it_was() {
    let target = Target::git(FIXTURE);
    target.repo.write("ignored/x", "mine\n");
    target.repo.write("untracked.txt", "mine\n");
    let objects = |target: &Target| target.repo.git(&["count-objects"]);
    let (before, refs) = (target.repo.state(), target.repo.git(&["for-each-ref"]));
    let counted = objects(&target);
    let mut ready = target.ready(Dirty::Refuse);
    before.assert_same(&target.repo.state(), "by making the worktree");
    ready.change(EDIT);
    before.assert_same(&target.repo.state(), "by a checkpoint");
    assert_ne!(objects(&target), counted, "the checkpoint is kept in the repository");
    drop(ready);
    before.assert_same(&target.repo.state(), "by dropping the worktree");
    assert_eq!(target.repo.git(&["for-each-ref"]), refs);
    assert!(!target.worktree_dir().exists());
    assert!(!target.repo.exists(".git/worktrees"));
    assert!(!target.repo.exists(".git/logs/refs/heads/refactor-bot"));
}

#[test]
fn sa6_a_suspended_worktree_stays_and_is_brought_to_its_checkpoint_again() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let Checkpoint::Made { commit } = ready.change(EDIT) else { panic!("nothing was committed") };
    ready.worktree.suspend();
    let dir = target.worktree_dir();
    fs::write(dir.join("src/b.txt"), "torn").unwrap();
    fs::write(dir.join("stray.txt"), "stray").unwrap();
    let repo = target.reopened();
    let again = Worktree::open(&repo, &target.home(), &target.run, &commit).unwrap();
    assert_eq!(again.tip().unwrap(), commit);
    assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), "ONE\n");
    assert_eq!(fs::read_to_string(dir.join("src/b.txt")).unwrap(), "beta\n");
    assert!(!dir.join("stray.txt").exists());
    again.suspend();
    remove_leftovers(&repo, &target.home(), &target.run).unwrap();
    assert!(!dir.exists());
    assert!(!target.repo.git_ok(&["rev-parse", "--verify", &target.run.branch()]));
}

#[test]
fn sa3_a_checkpoint_holds_only_the_files_of_its_task() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let dir = target.worktree_dir();
    let checked = ready.checked(EDIT);
    ready.worktree.apply(&checked).unwrap();
    fs::write(dir.join("src/b.txt"), "not of this task\n").unwrap();
    fs::remove_file(dir.join("src/c.txt")).unwrap();
    fs::write(dir.join("new.txt"), "neither\n").unwrap();
    let made = ready.worktree.checkpoint(TaskId(1), "goal", &checked.patch().paths()).unwrap();
    let Checkpoint::Made { commit } = made else { panic!("nothing was committed") };
    let touched = git(&dir, &["show", "--format=", "--name-status", &commit]);
    assert_eq!(touched, "M\ta.txt\n");
}

#[test]
fn sa3_what_others_have_staged_is_refused() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let dir = target.worktree_dir();
    fs::write(dir.join("src/b.txt"), "staged by somebody\n").unwrap();
    git(&dir, &["add", "src/b.txt"]);
    let checked = ready.checked(EDIT);
    ready.worktree.apply(&checked).unwrap();
    let refused = ready.worktree.checkpoint(TaskId(1), "goal", &checked.patch().paths());
    let Err(WorktreeError::Stray { path: stray }) = refused else { panic!("{refused:?}") };
    assert_eq!(stray, path("src/b.txt"));
}

#[test]
fn sa3_the_message_is_a_plain_title_and_the_whole_of_a_long_goal() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let dir = target.worktree_dir();
    let mut check = |goal: &str, expected: &str| {
        fs::write(dir.join("a.txt"), goal).unwrap();
        ready.worktree.checkpoint(TaskId(1), goal, &[&path("a.txt")]).unwrap();
        let message = git(&dir, &["log", "-1", "--format=%B"]);
        assert_eq!(message, format!("{expected}\n\n"), "{goal:?}");
    };
    check("use a map", "checkpoint: batch-001 use a map");
    check("two\nlines\r\n\tand more", "checkpoint: batch-001 two lines and more");
    check("\x1b[31mred\x07\0", "checkpoint: batch-001 [31mred");
    check("# no comment", "checkpoint: batch-001 # no comment");
    check("--amend\n\nSigned-off-by: x", "checkpoint: batch-001 --amend Signed-off-by: x");
    check("  ", "checkpoint: batch-001");
    let (cut, whole) = ("ä".repeat(71), "ä".repeat(300));
    check(&whole, &format!("checkpoint: batch-001 {cut}…\n\n  {whole}"));
    check(
        "Replace the bool field null_separator of Config in src/config.rs by an enum LineEnding with the variants Newline and Null, and use it in\nSigned-off-by: a stranger, wherever that field was read.",
        "checkpoint: batch-001 Replace the bool field null_separator of Config in src/config.rs…\n\n  \
         Replace the bool field null_separator of Config in src/config.rs by an\n  \
         enum LineEnding with the variants Newline and Null, and use it in\n  \
         Signed-off-by: a stranger, wherever that field was read.",
    );
    let trailers = git(&dir, &["log", "-1", "--format=%(trailers)"]);
    assert_eq!(trailers.trim(), "", "a goal signs nothing");
}

#[test]
fn sa3_a_failed_task_is_reset_to_the_last_checkpoint() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let Checkpoint::Made { commit } = ready.change(EDIT) else { panic!("nothing was committed") };
    let dir = target.worktree_dir();
    fs::write(dir.join("a.txt"), "worse\n").unwrap();
    fs::remove_file(dir.join("src/b.txt")).unwrap();
    fs::create_dir_all(dir.join("new/deep")).unwrap();
    fs::write(dir.join("new/deep/file"), "x").unwrap();
    git(&dir, &["add", "--all"]);
    ready.worktree.reset(&commit).unwrap();
    assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), "ONE\n");
    assert!(dir.join("src/b.txt").exists() && !dir.join("new").exists());
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
}

#[test]
fn sa4_a_patch_may_create_delete_rename_and_swap_a_folder_for_a_file() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(
        "diff --git a/src/b.txt b/src/b.txt\n\
         deleted file mode 100644\n--- a/src/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-beta\n\
         diff --git a/src/c.txt b/lib/c.txt\nrename from src/c.txt\nrename to lib/c.txt\n\
         diff --git a/src b/src\n\
         new file mode 100755\n--- /dev/null\n+++ b/src\n@@ -0,0 +1 @@\n+#!/bin/sh\n",
    );
    let dir = target.worktree_dir();
    let mode = dir.join("src").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
    assert_eq!(fs::read_to_string(dir.join("lib/c.txt")).unwrap(), "gamma\n");
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
}

#[test]
fn sa4_a_file_that_moved_under_the_patch_stops_it_before_anything_is_written() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    let both = format!("--- a/src/b.txt\n+++ b/src/b.txt\n@@ -1 +1 @@\n-beta\n+BETA\n{EDIT}");
    let checked = ready.checked(&both);
    let dir = target.worktree_dir();
    fs::write(dir.join("src/b.txt"), "moved\n").unwrap();
    let refused = ready.worktree.apply(&checked);
    assert!(matches!(refused, Err(WorktreeError::Moved { .. })), "{refused:?}");
    assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), "one\n");
}

#[test]
fn sa1_a_branch_of_that_name_is_never_taken_over() {
    let target = Target::git(FIXTURE);
    target.repo.git(&["branch", &target.run.branch()]);
    let preflight = target.preflight(Dirty::Refuse).unwrap();
    let head = target.repo.head();
    let taken = Worktree::create(&preflight.repo, &target.home(), &target.run, &head);
    assert!(matches!(taken, Err(WorktreeError::BranchTaken(_))), "{taken:?}");
    assert!(target.repo.git_ok(&["rev-parse", "--verify", &target.run.branch()]));
}

#[test]
fn sa1_other_worktrees_of_the_user_are_left_alone() {
    let target = Target::git(FIXTURE);
    for name in ["near", "away"] {
        let at = target.repo.beside(name);
        target.repo.git(&["worktree", "add", "--quiet", at.to_str().unwrap()]);
    }
    // As on a disk that is not mounted just now.
    fs::rename(target.repo.beside("away"), target.repo.beside("unmounted")).unwrap();
    let listed = target.repo.git(&["worktree", "list", "--porcelain"]);
    assert!(listed.contains("prunable"));
    target.ready(Dirty::Refuse).worktree.discard().unwrap();
    assert_eq!(target.repo.git(&["worktree", "list", "--porcelain"]), listed);
}

#[test]
fn sa1_no_program_that_the_repository_names_is_run() {
    let repo = Repo::git_repo(
        "//- .gitattributes\n*.txt filter=evil diff=evil merge=evil\n//- a.txt\none\n2\n3\n4\n5\n",
    );
    repo.write("a.txt", "one\n2\n3\n4\nfive\n");
    repo.commit_all("meanwhile");
    let meanwhile = repo.head();
    repo.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let canary = repo.beside("canary");
    let program = format!("touch {}; cat", canary.display());
    let hooks = repo.beside("hooks");
    let script = format!("#!/bin/sh\n{program} >/dev/null </dev/null\n");
    for hook in ["post-checkout", "pre-commit", "post-commit", "reference-transaction"] {
        write_fixture(&hooks, &format!("//- {hook} exec\n{script}"));
        write_fixture(&repo.root().join(".git/hooks"), &format!("//- {hook} exec\n{script}"));
    }
    let evil = [
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.command",
        "diff.evil.textconv",
        "diff.external",
        "merge.evil.driver",
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "gpg.program",
        "credential.helper",
    ];
    for key in evil {
        repo.git(&["config", key, &program]);
    }
    for (key, value) in [
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("filter.evil.required", "true"),
        ("commit.gpgSign", "true"),
        ("merge.verifySignatures", "true"),
    ] {
        repo.git(&["config", key, value]);
    }
    // Settings that only hold inside the worktree of a run.
    let inner = repo.beside("inner.config");
    fs::write(&inner, format!("[filter \"inner\"]\n\tsmudge = {program}\n\tclean = {program}\n"))
        .unwrap();
    for condition in ["gitdir:**/worktrees/**", "onbranch:refactor-bot/**"] {
        repo.git(&["config", &format!("includeIf.{condition}.path"), inner.to_str().unwrap()]);
    }
    fs::write(repo.root().join(".git/info/attributes"), "a.txt filter=inner\n").unwrap();
    let _ = fs::remove_file(&canary);

    let target = Target::new(repo);
    let head = target.repo.head();
    let mut ready = target.ready(Dirty::Refuse);
    ready.change("--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-one\n+ONE\n 2\n 3\n");
    let tip = ready.worktree.tip().unwrap();
    ready.worktree.diff(&head, &tip).unwrap();
    // The branch went on, so that the landing has to merge; by hand, as git would run the hooks.
    target.repo.write(".git/refs/heads/main", format!("{meanwhile}\n"));
    target.repo.write("a.txt", "one\n2\n3\n4\nfive\n");
    ready.preflight.repo.git.run(["update-index", "a.txt"]).unwrap();
    ready.land();
    assert_eq!(target.repo.read("a.txt"), "ONE\n2\n3\n4\nfive\n");
    assert!(!canary.exists(), "a program of the repository was run");
}

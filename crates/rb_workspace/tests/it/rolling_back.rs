//! Rollback: branch, index and files as they were, nothing of anybody else's lost.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rb_testkit::State;
use rb_workspace::backup::{self, Backup};
use rb_workspace::land::{self, Landing};
use rb_workspace::preflight::Dirty;
use rb_workspace::rollback::{self, Insist, Rollback, RollbackError};

use crate::target::{Ready, Target};

const FIXTURE: &str = "
//- a.txt
one
//- src/b.txt
beta
//- old/gone.txt
gone
//- link -> a.txt
//- tool exec
#!/bin/sh
";

const DIFF: &str = "\
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-one
+ONE
diff --git a/new/file.txt b/new/file.txt
new file mode 100644
--- /dev/null
+++ b/new/file.txt
@@ -0,0 +1 @@
+new
diff --git a/old/gone.txt b/old/gone.txt
deleted file mode 100644
--- a/old/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/tool b/tool
old mode 100755
new mode 100644
";

/// Files, index and refs: all that a rollback promises. Only git's log of it grows.
fn visible(target: &Target) -> (State, Vec<u8>, String) {
    let index = fs::read(target.repo.root().join(".git/index")).unwrap();
    (target.repo.state().files(), index, target.repo.git(&["for-each-ref"]))
}

fn landed(target: &Target, dirty: Dirty) -> (Backup, Landing) {
    let mut ready = target.ready(dirty);
    ready.change(DIFF);
    let landing = ready.land();
    let Ready { worktree, backup, .. } = ready;
    worktree.discard().unwrap();
    (backup, landing)
}

fn roll_back(target: &Target, backup: &Backup, landing: &Landing, insist: Insist) -> Rollback {
    let repo = target.reopened();
    let plan = rollback::plan(&repo, backup, Some(landing), insist).unwrap();
    rollback::perform(&repo, backup, &plan, "test", &mut Vec::new()).unwrap();
    plan
}

#[test]
fn sa2_rollback_brings_branch_index_and_files_back() {
    let target = Target::git(FIXTURE);
    target.repo.write("untracked.txt", "mine\n");
    let private = target.repo.root().join("src/b.txt");
    fs::set_permissions(private, fs::Permissions::from_mode(0o600)).unwrap();
    let before = visible(&target);
    let (backup, landing) = landed(&target, Dirty::Refuse);
    assert_ne!(visible(&target), before);
    target.repo.write("made-later.txt", "mine, untold to git\n");
    roll_back(&target, &backup, &landing, Insist::No);
    assert_eq!(target.repo.read("made-later.txt"), "mine, untold to git\n");
    fs::remove_file(target.repo.root().join("made-later.txt")).unwrap();
    before.0.assert_same(&visible(&target).0, "in the end");
    assert_eq!(visible(&target), before);
    assert!(!target.repo.exists("new"), "the folder that the landing made goes");
}

/// Another program stages something in this moment.
#[test]
fn sa2_a_locked_index_is_not_replaced() {
    let target = Target::git(FIXTURE);
    let (backup, landing) = landed(&target, Dirty::Refuse);
    let (repo, before) = (target.reopened(), visible(&target));
    let plan = rollback::plan(&repo, &backup, Some(&landing), Insist::No).unwrap();
    let work = || rollback::perform(&repo, &backup, &plan, "test", &mut Vec::new());
    let lock = repo.git_dir.join("index.lock");
    fs::write(&lock, "").unwrap();
    let refused = work().unwrap_err().to_string();
    assert!(refused.contains("index.lock"), "{refused}");
    assert_eq!(fs::read(&lock).unwrap(), b"", "it is not ours");
    fs::remove_file(&lock).unwrap();
    assert_eq!(visible(&target), before);
    work().unwrap();
    assert_eq!(target.repo.read("a.txt"), "one\n");
}

#[test]
fn sa2_rollback_of_uncommitted_work_brings_it_back_uncommitted() {
    let target = Target::git(FIXTURE);
    target.repo.write("src/b.txt", "edited\n");
    target.repo.write("staged.txt", "staged\n");
    target.repo.git(&["add", "staged.txt"]);
    target.repo.write("untracked.txt", "mine\n");
    let before = visible(&target);
    let (backup, landing) = landed(&target, Dirty::Carry);
    assert_eq!(target.repo.read("a.txt"), "ONE\n");
    roll_back(&target, &backup, &landing, Insist::No);
    assert_eq!(visible(&target), before);
}

#[test]
fn sa2_a_rollback_can_be_rolled_back() {
    let mut target = Target::git(FIXTURE);
    let (backup, landing) = landed(&target, Dirty::Refuse);
    let after = visible(&target);
    target.run = "20010203T040507Z".parse().unwrap();
    let second = target.back_up(&target.preflight(Dirty::Carry).unwrap());
    let plan = roll_back(&target, &backup, &landing, Insist::No);
    let turned = rollback::as_landing(&backup, &plan);
    roll_back(&target, &second, &turned, Insist::No);
    assert_eq!(visible(&target), after);
}

#[test]
fn sa6_rollback_after_a_landing_that_was_cut_off() {
    type CutOff = fn(&Target, &Ready, &Landing);
    let check = |cut_off: CutOff| {
        let target = Target::git(FIXTURE);
        let before = visible(&target);
        let mut ready = target.ready(Dirty::Refuse);
        ready.change(DIFF);
        let landing = ready.plan().unwrap();
        cut_off(&target, &ready, &landing);
        let Ready { worktree, backup, .. } = ready;
        worktree.discard().unwrap();
        roll_back(&target, &backup, &landing, Insist::No);
        assert_eq!(visible(&target), before);
    };
    // Before the first file, after some, and before the branch moved.
    check(|_, _, _| {});
    check(|target, _, _| {
        target.repo.write("a.txt", "ONE\n");
        target.repo.write("new/file.txt", "new\n");
    });
    check(|target, ready, landing| {
        let from = target.repo.head();
        land::perform(&ready.preflight.repo, &ready.worktree, landing, "test", &mut Vec::new())
            .unwrap();
        target.repo.git(&["update-ref", "HEAD", &from]);
    });
    // A new file that a new rule ignores is still ours.
    check(|target, _, _| {
        target.repo.write("new/file.txt", "new\n");
        target.repo.write(".git/info/exclude", "new/\n");
    });
}

#[test]
fn sa2_rollback_performed_twice_is_rollback() {
    let target = Target::git(FIXTURE);
    let before = visible(&target);
    let (backup, landing) = landed(&target, Dirty::Refuse);
    let plan = roll_back(&target, &backup, &landing, Insist::No);
    rollback::perform(&target.reopened(), &backup, &plan, "test", &mut Vec::new()).unwrap();
    assert_eq!(visible(&target), before);
}

#[test]
fn sa2_later_work_is_named_and_only_undone_when_insisted_on() {
    type Later = fn(&Target);
    let check = |later: Later, expected: &[&str]| {
        let target = Target::git(FIXTURE);
        let before = visible(&target);
        let (backup, landing) = landed(&target, Dirty::Refuse);
        later(&target);
        let now = visible(&target);
        let refused = rollback::plan(&target.reopened(), &backup, Some(&landing), Insist::No);
        let Err(RollbackError::OtherWork(named)) = refused else { panic!("{refused:?}") };
        assert_eq!(named, expected);
        assert_eq!(visible(&target), now);
        roll_back(&target, &backup, &landing, Insist::Yes);
        assert_eq!(visible(&target), before);
    };
    check(|t| t.repo.write("a.txt", "later\n"), &["a.txt"]);
    check(|t| t.repo.write("src/b.txt", "later\n"), &["src/b.txt"]);
    check(|t| fs::remove_file(t.repo.root().join("link")).unwrap(), &["link"]);
    check(
        |t| {
            t.repo.write("later.txt", "later\n");
            t.repo.git(&["add", "later.txt"]);
        },
        &["later.txt", "later.txt in the index"],
    );
    check(
        |t| {
            t.repo.write("src/b.txt", "later\n");
            t.repo.commit_all("later");
        },
        &["src/b.txt", "commits on main", "src/b.txt in the index"],
    );
}

#[test]
fn sa2_commits_that_the_repository_lost_come_from_the_bundle() {
    let target = Target::git(FIXTURE);
    let before = visible(&target);
    let head = target.repo.head();
    let (backup, landing) = landed(&target, Dirty::Refuse);
    let tree = target.repo.git(&["rev-parse", "HEAD^{tree}"]);
    let root = target.repo.git(&["commit-tree", "-m", "rewritten", tree.trim()]);
    target.repo.git(&["update-ref", "refs/heads/main", root.trim()]);
    target.repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    target.repo.git(&["gc", "--quiet", "--prune=now"]);
    assert!(!target.repo.git_ok(&["cat-file", "-e", &head]), "the test lost the commit");
    roll_back(&target, &backup, &landing, Insist::Yes);
    assert_eq!(visible(&target), before);
    target.repo.git(&["fsck", "--strict"]);
}

#[test]
fn sa2_nothing_is_written_when_the_backup_is_damaged_or_something_is_in_the_way() {
    type Damage = fn(&Target, &Backup);
    let check = |damage: Damage, expected: &str| {
        let target = Target::git(FIXTURE);
        let (backup, landing) = landed(&target, Dirty::Refuse);
        damage(&target, &backup);
        let before = target.repo.state();
        let error = rollback::plan(&target.reopened(), &backup, Some(&landing), Insist::Yes)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
        before.assert_same(&target.repo.state(), "by a refused rollback");
    };
    check(
        |_, backup| {
            let path = backup.dir.join("snapshot.tar.gz");
            let mut bytes = fs::read(&path).unwrap();
            bytes[20] ^= 1;
            fs::write(path, bytes).unwrap();
        },
        "snapshot.tar.gz is not what it was",
    );
    check(|_, backup| fs::write(backup.dir.join("backup.bundle"), "").unwrap(), "backup.bundle");
    check(
        |target, _| {
            fs::remove_file(target.repo.root().join("a.txt")).unwrap();
            target.repo.write("a.txt/mine", "mine\n");
        },
        "a.txt stands where",
    );
    check(|target, _| target.repo.write("old", "a file\n"), "old stands where");
    check(
        |target, _| {
            fs::remove_dir_all(target.repo.root().join("src")).unwrap();
            std::os::unix::fs::symlink("/tmp", target.repo.root().join("src")).unwrap();
        },
        "behind `src`",
    );
    check(
        |target, _| drop(target.repo.git(&["switch", "--quiet", "--create", "other"])),
        "the checkout is on other",
    );
}

#[test]
fn sa2_a_newer_or_broken_manifest_is_refused() {
    let target = Target::git(FIXTURE);
    let (backup, _) = landed(&target, Dirty::Refuse);
    let path = backup.dir.join("manifest.json");
    let good = fs::read_to_string(&path).unwrap();
    let check = |text: String, expected: &str| {
        fs::write(&path, text).unwrap();
        let error = backup::find(&target.home(), &target.run).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(good.replace("\"version\": 1", "\"version\": 2"), "newer version (format 2)");
    check(good.replace("\"version\": 1,", ""), "it has no version");
    check(good[..good.len() / 2].to_owned(), "cannot be read");
    check(good.replace("\"a.txt\"", "\"../a.txt\""), "outside the repository");
    fs::write(&path, good).unwrap();
    backup::find(&target.home(), &target.run).unwrap().unwrap();
}

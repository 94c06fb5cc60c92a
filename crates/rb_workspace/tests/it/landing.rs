//! Landing: the user's checkout gets the run's files and keeps everything else.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use rb_testkit::{Repo, git};
use rb_workspace::land::{self, LandError, Move};
use rb_workspace::preflight::Dirty;
use rb_workspace::worktree::Worktree;

use crate::target::{Target, path};

const FIXTURE: &str = "
//- .gitignore
ignored/
//- a.txt
one
two
three
//- src/b.txt
beta
//- old/deep/gone.txt
gone
//- tool
#!/bin/sh
";

/// Changes, creates, deletes, and makes executable.
const DIFF: &str = "\
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/new/file.txt b/new/file.txt
new file mode 100644
--- /dev/null
+++ b/new/file.txt
@@ -0,0 +1 @@
+new
diff --git a/old/deep/gone.txt b/old/deep/gone.txt
deleted file mode 100644
--- a/old/deep/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/tool b/tool
old mode 100644
new mode 100755
";

fn mode(target: &Target, path: &str) -> u32 {
    target.repo.root().join(path).metadata().unwrap().permissions().mode() & 0o777
}

fn assert_landed(target: &Target) {
    assert_eq!(target.repo.read("a.txt"), "one\nTWO\nthree\n");
    assert_eq!(target.repo.read("new/file.txt"), "new\n");
    assert!(!target.repo.exists("old"), "the emptied folders go");
    assert_eq!(mode(target, "tool") & 0o111, 0o111);
}

#[test]
fn sa1_the_branch_goes_on_to_the_checkpoint() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(DIFF);
    let (base, tip) = (target.repo.head(), ready.worktree.tip().unwrap());
    let landing = ready.land();
    assert_eq!(
        landing.commit,
        Move::Forward { branch: "main".to_owned(), from: base, to: tip.clone() }
    );
    assert_landed(&target);
    assert_eq!(target.repo.head(), tip);
    assert_eq!(target.repo.git(&["symbolic-ref", "HEAD"]).trim(), "refs/heads/main");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
    assert_eq!(target.repo.git(&["log", "-1", "--walk-reflogs", "--format=%gs"]).trim(), "test");
}

#[test]
fn sa1_a_branch_that_went_on_is_merged() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(DIFF);
    target.repo.write("src/b.txt", "theirs\n");
    target.repo.commit_all("meanwhile");
    let (theirs, ours) = (target.repo.head(), ready.worktree.tip().unwrap());
    ready.land();
    assert_landed(&target);
    assert_eq!(target.repo.read("src/b.txt"), "theirs\n");
    let parents = target.repo.git(&["log", "-1", "--format=%P"]);
    assert_eq!(parents.trim(), format!("{theirs} {ours}"));
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_unrelated_work_of_the_user_survives() {
    for meanwhile in ["none", "a commit"] {
        let target = Target::git(FIXTURE);
        let mut ready = target.ready(Dirty::Refuse);
        ready.change(DIFF);
        if meanwhile == "a commit" {
            target.repo.write("other.txt", "other\n");
            target.repo.commit_all("meanwhile");
        }
        target.repo.write("staged.txt", "staged\n");
        target.repo.git(&["add", "staged.txt"]);
        target.repo.write("src/b.txt", "edited\n");
        target.repo.write("untracked.txt", "mine\n");
        target.repo.write("ignored/x", "mine\n");
        let status = target.repo.git(&["status", "--porcelain", "--ignored"]);
        ready.land();
        assert_landed(&target);
        assert_eq!(target.repo.git(&["status", "--porcelain", "--ignored"]), status);
        assert_eq!(target.repo.read("src/b.txt"), "edited\n");
    }
}

#[test]
fn sa1_work_that_was_not_committed_stays_uncommitted() {
    let target = Target::git(FIXTURE);
    target.repo.write("staged.txt", "staged\n");
    target.repo.git(&["add", "staged.txt"]);
    target.repo.write("a.txt", "one\ntwo\nthree\nfour, mine\n");
    target.repo.git(&["rm", "--quiet", "src/b.txt"]);
    target.repo.write("untracked.txt", "mine\n");
    let tool = target.repo.root().join("tool");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let before = target.repo.state();
    let mut ready = target.ready(Dirty::Carry);
    before.assert_same(&target.repo.state(), "by carrying it");

    let dir = target.worktree_dir();
    let listed = git(&dir, &["ls-files"]);
    assert_eq!(listed, ".gitignore\na.txt\nold/deep/gone.txt\nstaged.txt\ntool\nuntracked.txt\n");
    assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), target.repo.read("a.txt"));
    assert_eq!(dir.join("tool").metadata().unwrap().permissions().mode() & 0o111, 0o111);

    ready.change(
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four, mine\n",
    );
    let head = target.repo.head();
    let index = fs::read(target.repo.root().join(".git/index")).unwrap();
    let landing = ready.land();
    assert_eq!(landing.commit, Move::FilesOnly);
    assert_eq!(target.repo.read("a.txt"), "one\nTWO\nthree\nfour, mine\n");
    assert_eq!(target.repo.head(), head);
    assert_eq!(fs::read(target.repo.root().join(".git/index")).unwrap(), index);
}

#[test]
fn sa1_a_sparse_checkout_carries_only_what_is_here() {
    let target = Target::git(FIXTURE);
    target.repo.git(&["sparse-checkout", "set", "src"]);
    assert!(!target.repo.exists("old"));
    target.repo.write("src/b.txt", "edited\n");
    let ready = target.ready(Dirty::Carry);
    let changed = target.repo.git(&["diff", "--name-status", "HEAD", &ready.base]);
    assert_eq!(changed, "M\tsrc/b.txt\n");
}

#[test]
fn sa1_a_folder_that_became_a_file_is_carried() {
    let target = Target::git(FIXTURE);
    fs::remove_dir_all(target.repo.root().join("src")).unwrap();
    target.repo.write("src", "a file now\n");
    let ready = target.ready(Dirty::Carry);
    let changed = target.repo.git(&["diff", "--name-status", "HEAD", &ready.base]);
    assert_eq!(changed, "A\tsrc\nD\tsrc/b.txt\n");
}

#[test]
fn sa1_a_folder_without_git_gets_files_and_nothing_else() {
    let repo = Repo::plain(FIXTURE);
    repo.write("ignored/big.js", "left out\n");
    let target = Target::new(repo);
    let before = target.repo.state();
    let mut ready = target.ready(Dirty::Refuse);
    assert!(!target.worktree_dir().join("ignored").exists());
    ready.change(DIFF);
    before.assert_same(&target.repo.state(), "before the landing");
    ready.land();
    assert_landed(&target);
    assert!(!target.repo.exists(".git"));
    assert_eq!(target.repo.read("ignored/big.js"), "left out\n");
}

#[test]
fn sa1_a_landed_file_is_no_more_readable_than_before() {
    let target = Target::git(FIXTURE);
    let set = |name: &str, mode: u32| {
        let path = target.repo.root().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set("a.txt", 0o600);
    set("tool", 0o640);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(DIFF);
    ready.land();
    assert_eq!((mode(&target, "a.txt"), mode(&target, "tool")), (0o600, 0o750));
}

#[test]
fn sa1_line_ends_of_the_checkout_are_kept() {
    let target = Target::new(Repo::unborn("//- a.txt crlf\none\ntwo\nthree\n"));
    target.repo.git(&["config", "core.autocrlf", "true"]);
    target.repo.git(&["config", "core.safecrlf", "true"]);
    target.repo.commit_all("first");
    let before = target.repo.state();
    let mut ready = target.ready(Dirty::Refuse);
    let dir = target.worktree_dir();
    assert_eq!(fs::read_to_string(dir.join("a.txt")).unwrap(), "one\r\ntwo\r\nthree\r\n");
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+TWO\r\n three\r\n\
                --- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";
    assert_eq!(ready.worktree.git_objects_to(diff.as_bytes()).unwrap(), None);
    ready.change(diff);
    before.assert_same(&target.repo.state(), "before the landing");
    let landing = ready.plan().unwrap();
    // What lands is what git checks out, so a worktree that is lost meanwhile can be made again.
    fs::remove_dir_all(&dir).unwrap();
    let tip = target.repo.git(&["rev-parse", &target.run.branch()]);
    let again =
        Worktree::open(&target.reopened(), &target.home(), &target.run, tip.trim()).unwrap();
    land::perform(&ready.preflight.repo, &again, &landing, "test", &mut Vec::new()).unwrap();
    assert_eq!(target.repo.read("a.txt"), "one\r\nTWO\r\nthree\r\n");
    assert_eq!(target.repo.read("new.txt"), "new\r\n");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa6_a_landing_cut_off_anywhere_is_finished_by_performing_it_again() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(DIFF);
    let landing = ready.plan().unwrap();
    // The first two files were written, the third was about to be.
    target.repo.write("a.txt", "one\nTWO\nthree\n");
    target.repo.write("new/file.txt", "new\n");
    let repo = &ready.preflight.repo;
    land::perform(repo, &ready.worktree, &landing, "test", &mut Vec::new()).unwrap();
    assert_landed(&target);
    let landed = target.repo.state();
    land::perform(repo, &ready.worktree, &landing, "test", &mut Vec::new()).unwrap();
    landed.files().assert_same(&target.repo.state().files(), "by performing it once more");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_a_file_that_changed_between_plan_and_landing_stops_it() {
    let target = Target::git(FIXTURE);
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(DIFF);
    let landing = ready.plan().unwrap();
    target.repo.write("a.txt", "one\ntwo\nmine\n");
    let before = target.repo.state();
    let notes = &mut Vec::new();
    let stopped =
        land::perform(&ready.preflight.repo, &ready.worktree, &landing, "test", notes).unwrap_err();
    assert!(matches!(stopped.cause(), LandError::Saved(_)), "{stopped:?}");
    assert!(matches!(stopped, LandError::NotLanded { .. }));
    before.files().assert_same(&target.repo.state().files(), "by a landing that stopped");
}

#[test]
fn sa1_a_landing_that_would_overwrite_something_is_refused() {
    type Meanwhile = fn(&Target);
    let check = |meanwhile: Meanwhile, expected: &str| {
        let target = Target::git(FIXTURE);
        let mut ready = target.ready(Dirty::Refuse);
        ready.change(DIFF);
        meanwhile(&target);
        let before = target.repo.state();
        assert_eq!(ready.plan().unwrap_err().to_string(), expected);
        before.assert_same(&target.repo.state(), "by a refused plan");
    };
    check(
        |t| t.repo.write("a.txt", "mine\n"),
        "`a.txt` was changed in your checkout since the run began",
    );
    check(
        |t| t.repo.write("new/file.txt", "mine\n"),
        "`new/file.txt` was changed in your checkout since the run began",
    );
    check(
        |t| {
            t.repo.write(".git/info/exclude", "new/\n");
            t.repo.write("new/file.txt", "mine, ignored\n");
        },
        "`new/file.txt` was changed in your checkout since the run began",
    );
    check(
        |t| {
            t.repo.write("a.txt", "one\nTWO, theirs\nthree\n");
            t.repo.commit_all("meanwhile");
        },
        "your branch has moved since the run began, and the merge has conflicts: a.txt",
    );
    check(
        |t| {
            t.repo.write("src/b.txt", "theirs\n");
            t.repo.commit_all("meanwhile");
            t.repo.write("a.txt", "mine, after the commit\n");
        },
        "`a.txt` was changed in your checkout since the run began",
    );
    check(
        |t| {
            fs::remove_file(t.repo.root().join("a.txt")).unwrap();
            symlink("/etc/passwd", t.repo.root().join("a.txt")).unwrap();
        },
        "`a.txt` is a folder, a link or a submodule, in your checkout or in the result",
    );
    check(
        |t| symlink("/tmp", t.repo.root().join("new")).unwrap(),
        "`new/file.txt` lies behind `new`, a symbolic link",
    );
    check(
        |t| drop(t.repo.git(&["switch", "--quiet", "--create", "other"])),
        "the checkout is on other; the run began on main",
    );
}

#[test]
fn sa1_a_name_is_a_name_and_never_a_pattern() {
    let target = Target::git("//- *.txt\nstar\n//- :(exclude)x\nmagic\n//- b.txt\nbeta\n");
    let mut ready = target.ready(Dirty::Refuse);
    ready.change(
        "--- a/*.txt\n+++ b/*.txt\n@@ -1 +1 @@\n-star\n+STAR\n\
         --- a/:(exclude)x\n+++ b/:(exclude)x\n@@ -1 +1 @@\n-magic\n+MAGIC\n",
    );
    // The branch went on, so that only git can tell what is changed in the checkout.
    target.repo.git(&["commit", "--quiet", "--allow-empty", "--message", "meanwhile"]);
    target.repo.write(":(exclude)x", "mine\n");
    let refused = ready.plan().unwrap_err();
    assert!(matches!(&refused, LandError::Changed(name) if *name == path(":(exclude)x")));
    target.repo.write(":(exclude)x", "magic\n");
    target.repo.write("b.txt", "mine\n");
    ready.land();
    assert_eq!(target.repo.read("*.txt"), "STAR\n");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), " M b.txt\n");
}

#[test]
fn sa1_the_fingerprint_sees_what_times_hide() {
    use rb_workspace::fingerprint::{Depth, Difference};
    let target = Target::git(FIXTURE);
    let ready = target.ready(Dirty::Refuse);
    let (repo, file) = (&ready.preflight.repo, target.repo.root().join("a.txt"));
    let look = |depth| ready.baseline.differences(repo, depth).unwrap();
    assert_eq!((look(Depth::Quick), look(Depth::Full)), (vec![], vec![]));
    let changed = vec![Difference::Changed { path: path("a.txt") }];
    let time = file.metadata().unwrap().modified().unwrap();
    target.repo.write("a.txt", "ONE\ntwo\nthree\n");
    assert_eq!(look(Depth::Quick), changed);
    // The same size at the same time: only reading tells, so the quick look does not read.
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    assert_eq!((look(Depth::Quick), look(Depth::Full)), (vec![], changed));
    // Another time with the same content is no change.
    target.repo.write("a.txt", "one\ntwo\nthree\n");
    assert_eq!((look(Depth::Quick), look(Depth::Full)), (vec![], vec![]));
}

//! Every kind of target that is taken, with what is noted about it.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use expect_test::{Expect, expect};
use rb_testkit::{Ran, Repo, State, git};

use crate::run_command::{CHANGE, CHANGED, Case, FIXTURE};
use crate::terminal::Terminal;

/// Runs, compares the notes, accepts, and sees the change in the checkout.
fn lands(case: &Case, notes: &Expect) {
    let ran = case.run();
    notes.assert_eq(&said(&ran));
    case.accept(&ran);
    let landed = fs::read_to_string(case.target.join("a.txt")).unwrap();
    assert_eq!(landed, CHANGED);
}

fn said(ran: &Ran) -> String {
    let notes = ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("note: "));
    notes.collect::<Vec<_>>().join("\n")
}

#[test]
fn sa1_submodules_are_left_alone() {
    let inner = Repo::git_repo("//- inner.txt\ninner\n");
    let case = Case::git();
    let url = inner.root().to_str().unwrap();
    case.repo.git(&["submodule", "--quiet", "add", url, "sub"]);
    case.repo.commit_all("submodule");
    case.repo.write("sub/inner.txt", "my own edit\n");
    lands(&case, &expect!["1 submodule is left out: never changed, not in the backup"]);
    assert_eq!(case.repo.read("sub/inner.txt"), "my own edit\n");
    assert_eq!(case.repo.git(&["status", "--porcelain"]), " M sub\n");
}

#[test]
fn sa1_a_submodule_can_be_the_target() {
    let inner = Repo::git_repo(FIXTURE);
    let case = Case::git();
    case.repo.git(&["submodule", "--quiet", "add", inner.root().to_str().unwrap(), "sub"]);
    case.repo.commit_all("submodule");
    let sub = case.repo.root().join("sub");
    let patch = case.repo.beside("fix.patch");
    fs::write(&patch, CHANGE).unwrap();
    let (target, patch) = (sub.to_str().unwrap(), patch.to_str().unwrap());
    let ran = case.cli.run(["run", target, "--patch", patch]);
    ran.expect_code(0);
    case.accept(&ran);
    assert_eq!(case.repo.read("sub/a.txt"), CHANGED);
    assert_eq!(case.repo.read("a.txt"), "one\ntwo\nthree\n");
}

#[test]
fn sa1_files_of_git_lfs_stay_what_they_are() {
    let case = Case::git();
    if rb_core::process::Env::passed_on(std::env::vars_os()).find("git-lfs").is_none() {
        return;
    }
    case.repo.git(&["lfs", "install", "--local"]);
    case.repo.write(".gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text\n");
    case.repo.write("art.psd", "the real content\n");
    case.repo.commit_all("art");
    let ran = case.run();
    expect!["1 git-lfs file is left as pointers and cannot be patched"].assert_eq(&said(&ran));
    let pointer = fs::read_to_string(case.worktree(&ran).join("art.psd")).unwrap();
    assert!(pointer.starts_with("version https://git-lfs"), "{pointer}");
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
    assert_eq!(case.repo.read("art.psd"), "the real content\n");
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_a_shallow_clone_is_taken_and_can_be_rolled_back() {
    let case = Case::git();
    case.repo.write("src/b.txt", "second\n");
    case.repo.commit_all("second");
    let clone = case.repo.beside("clone");
    let url = format!("file://{}", case.repo.root().display());
    git(case.repo.root(), &["clone", "--quiet", "--depth=1", &url, clone.to_str().unwrap()]);
    let case = case.at(&clone);
    let before = State::of(&clone).files();
    let ran = case.run();
    expect!["the clone is shallow: the backup contains only the history that is present"]
        .assert_eq(&said(&ran));
    case.accept(&ran);
    case.cli.run(["rollback", &ran.run_id()]).expect_code(0);
    before.assert_same(&State::of(&clone).files(), "after the rollback");
}

#[test]
fn sa1_on_a_detached_head_accepting_keeps_the_branch() {
    let case = Case::git();
    case.repo.git(&["switch", "--quiet", "--detach"]);
    let ran = case.run();
    expect!["HEAD is detached: `accept` keeps the result on its own branch"].assert_eq(&said(&ran));
    let before = case.states();
    let accepted = case.cli.run(["accept", &ran.run_id()]);
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          note: HEAD is detached: `accept` keeps the result on its own branch
          batch-001  applied  fix  (1 file, +1 -1)  confidence 30 of 100
        tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Accepted: the changes are on refactor-bot/[RUN]; your checkout is unchanged. To merge them:
          git merge refactor-bot/[RUN]
    "#]]
    .assert_eq(&case.cli.shown(&accepted));
    before.0.assert_same(&case.states().0, "by accepting");
    let kept = format!("refactor-bot/{}:a.txt", ran.run_id());
    assert_eq!(case.repo.git(&["show", &kept]), CHANGED);
    assert!(!case.worktree(&ran).exists());
}

#[test]
fn sa1_a_repository_inside_the_repository_is_left_alone() {
    let case = Case::git();
    git(case.repo.root(), &["init", "--quiet", "nested"]);
    case.repo.write("nested/inner.txt", "inner\n");
    lands(&case, &expect!["1 nested repository is left out: never changed, not in the backup"]);
    assert_eq!(case.repo.read("nested/inner.txt"), "inner\n");
}

#[test]
fn sa1_a_folder_without_git_is_copied_and_gets_only_files() {
    let case = Case::new(Repo::plain(FIXTURE)).allow_no_git();
    case.repo.write("node_modules/big.js", "big\n");
    let ran = case.run();
    expect!["not a git repository: the run works on a copy"].assert_eq(&said(&ran));
    assert!(case.worktree(&ran).join("src/b.txt").exists());
    assert!(!case.worktree(&ran).join("node_modules").exists());
    let before = case.states();
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), CHANGED);
    assert!(!case.repo.exists(".git"));
    case.cli.run(["rollback", &ran.run_id()]).expect_code(0);
    before.0.assert_same(&case.states().0, "after accept and rollback");
}

/// Nothing of a folder without git is copied before somebody has said so.
#[test]
fn ux5_a_folder_without_git_is_not_copied_unasked() {
    let case = Case::new(Repo::plain(FIXTURE));
    case.repo.write("node_modules/big.js", "big\n");
    let root = case.target.display().to_string();
    for args in
        [&["run", &root][..], &["run", &root, "--dry-run"], &["plan", &root], &["verify", &root]]
    {
        let ran = case.cli.run(args);
        expect![[r#"
            exit 6
            --- stderr
            error: [TMP]/project is not a git repository
            hint: pass --allow-no-git to work on a copy: 3 files (33 B)
            hint: or make it a repository first: git init && git add . && git commit
        "#]]
        .assert_eq(&case.cli.shown(&ran));
        let runs = fs::read_dir(case.cli.home().join("runs")).unwrap();
        assert_eq!(runs.count(), 0, "{args:?} left a run");
    }
    case.cli.run(["plan", &root, "--allow-no-git"]).expect_code(0);
    case.cli.run(["run", &root, "--yes"]).expect_code(0);
}

#[test]
#[cfg(target_os = "linux")]
fn ux1_a_person_is_asked_before_a_folder_without_git_is_copied() {
    let case = Case::new(Repo::plain(FIXTURE));
    let root = case.target.display().to_string();
    let answer = |word: &str| {
        let terminal = Terminal { answers: &[word], columns: 120, ..Terminal::default() };
        terminal.run(&case.cli, &["run", &root])
    };
    let copies = || fs::read_dir(case.cli.home().join("runs")).unwrap().count();
    for (word, code) in [("n", 5), ("\u{3}", 130)] {
        let ran = answer(word);
        assert!(ran.stdout.contains("a copy of it: 3 files (33 B)."), "{}", ran.stdout);
        assert!(ran.expect_code(code).stdout.contains("nothing was copied"), "{}", ran.stdout);
        assert_eq!(copies(), 0, "{word}");
    }
    answer("y").expect_code(0);
    assert_eq!(copies(), 1);
}

#[test]
fn sa1_a_subfolder_is_the_scope() {
    let case = Case::git();
    let src = case.repo.root().join("src");
    let edit = "--- a/src/b.txt\n+++ b/src/b.txt\n@@ -1 +1 @@\n-beta\n+BETA\n";
    let case = case.at(&src).patch(edit);
    let ran = case.run();
    case.accept(&ran);
    assert_eq!(case.repo.read("src/b.txt"), "BETA\n");
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_untracked_files_are_noted_and_left_alone() {
    let case = Case::git();
    case.repo.write("notes.txt", "mine\n");
    lands(&case, &expect!["1 untracked file is not part of the run"]);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "?? notes.txt\n");
}

#[test]
fn sa1_uncommitted_work_comes_along_and_stays_uncommitted() {
    let case = Case::git().allow_dirty().patch(
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four, mine\n",
    );
    case.repo.write("a.txt", "one\ntwo\nthree\nfour, mine\n");
    case.repo.write("staged.txt", "staged\n");
    case.repo.git(&["add", "staged.txt"]);
    case.repo.git(&["rm", "--quiet", "src/b.txt"]);
    case.repo.write("untracked.txt", "mine\n");
    let (head, status) = (case.repo.head(), case.repo.git(&["status", "--porcelain"]));
    let ran = case.run();
    expect!["the run includes your uncommitted work (3 changed, 1 untracked)"]
        .assert_eq(&said(&ran));
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), "one\nTWO\nthree\nfour, mine\n");
    assert_eq!((case.repo.head(), case.repo.git(&["status", "--porcelain"])), (head, status));
}

#[test]
fn sa1_a_repository_without_commits_is_taken_when_allowed() {
    let case = Case::new(Repo::unborn(FIXTURE)).allow_dirty();
    lands(&case, &expect!["the run includes your uncommitted work (0 changed, 3 untracked)"]);
    assert!(!case.repo.git_ok(&["rev-parse", "--verify", "HEAD"]), "no commit is made");
}

#[test]
fn sa1_a_linked_worktree_is_the_target_and_the_others_are_left_alone() {
    let case = Case::git();
    for name in ["linked", "away"] {
        let at = case.repo.beside(name);
        case.repo.git(&["worktree", "add", "--quiet", at.to_str().unwrap()]);
    }
    fs::rename(case.repo.beside("away"), case.repo.beside("unmounted")).unwrap();
    let linked = case.repo.beside("linked");
    let case = case.at(&linked);
    let main = case.repo.state().files();
    lands(&case, &expect![[r#""#]]);
    main.assert_same(&case.repo.state().files(), "in the main checkout");
    assert_eq!(git(&linked, &["status", "--porcelain"]), "");
    let listed = case.repo.git(&["worktree", "list", "--porcelain"]);
    assert_eq!((listed.matches("worktree ").count(), listed.contains("prunable")), (3, true));
}

#[test]
fn sa1_a_branch_of_the_users_with_the_runs_name_stays_theirs() {
    let case = Case::git();
    let now = rb_core::clock::now().unix_ms();
    // Every name that the run could take within the next minutes.
    let branches = (0..300).map(|second| {
        let at = rb_core::clock::Timestamp::from_unix_ms(now + second * 1000).compact();
        format!("{} refs/heads/refactor-bot/{at}\n", case.repo.head())
    });
    let packed =
        format!("# pack-refs with: peeled fully-peeled sorted\n{}", branches.collect::<String>());
    case.repo.write(".git/packed-refs", packed);
    let ran = case.run();
    assert!(ran.run_id().ends_with("-2"), "{}", ran.run_id());
    case.cli.run(["reject", &ran.run_id()]).expect_code(0);
    let left = case.repo.git(&["branch", "--list", "refactor-bot/*"]);
    assert_eq!(left.lines().count(), 300);
}

#[test]
fn sa1_sha256_repositories_are_taken() {
    let repo = Repo::plain(FIXTURE);
    repo.git(&["init", "--quiet", "--object-format=sha256"]);
    repo.commit_all("first");
    let case = Case::new(repo);
    lands(&case, &expect![[r#""#]]);
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_line_ends_of_windows_are_kept() {
    let case = Case::new(Repo::unborn("//- a.txt crlf\none\ntwo\nthree\n"));
    case.repo.git(&["config", "core.autocrlf", "true"]);
    case.repo.commit_all("first");
    let ran = case.run();
    case.accept(&ran);
    assert_eq!(case.repo.read("a.txt"), "one\r\nTWO\r\nthree\r\n");
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa1_no_name_is_too_odd() {
    let names: [&[u8]; 7] = [
        b"with space.txt",
        b"quote\"s.txt",
        b"new\nline.txt",
        b"latin-\xe4.txt",
        b":(exclude)x.txt",
        b"-rf.txt",
        b"*.txt",
    ];
    let case = Case::git();
    let place = |name: &[u8]| case.repo.root().join(std::ffi::OsStr::from_bytes(name));
    let mut patch = Vec::new();
    for name in names {
        fs::write(place(name), "old\n").unwrap();
        let quoted = rb_core::path::quote(&[b"a/", name].concat());
        let new = quoted.replacen("a/", "b/", 1);
        patch.push(format!("--- {quoted}\n+++ {new}\n@@ -1 +1 @@\n-old\n+new\n"));
    }
    case.repo.commit_all("odd names");
    let case = case.patch(patch.concat());
    let ran = case.run();
    case.accept(&ran);
    for name in names {
        let place = case.repo.root().join(std::ffi::OsStr::from_bytes(name));
        assert_eq!(fs::read_to_string(place).unwrap(), "new\n", "{}", rb_core::path::quote(name));
    }
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "");
    case.cli.run(["rollback", &ran.run_id()]).expect_code(0);
    assert_eq!(fs::read_to_string(case.repo.root().join("*.txt")).unwrap(), "old\n");
}

//! What a target is taken for: each situation with its decided end. What a person reads about the
//! refused ones is in the table of the binary's own tests.

use std::fs;

use expect_test::{Expect, expect};
use rb_testkit::{Repo, git, in_time};
use rb_workspace::preflight::{Dirty, Preflight, Refused, TargetPlace, locate};
use rb_workspace::repo::{Head, Kind};

use crate::target::{Target, path};

const FIXTURE: &str = "
//- .gitignore
node_modules/
//- a.txt
one
//- src/b.txt
beta
";

/// Looks at a target, sees that the look changes nothing, and compares the notes.
fn check(target: &Target, dirty: Dirty, expected: &Expect) -> Preflight {
    let before = target.repo.state();
    let preflight = target.preflight(dirty).unwrap();
    before.assert_same(&target.repo.state(), "by a look");
    let notes: Vec<String> = preflight.notes.iter().map(ToString::to_string).collect();
    expected.assert_eq(&notes.join("\n"));
    preflight
}

#[test]
fn sa1_a_clean_repository_needs_no_note() {
    let target = Target::git(FIXTURE);
    target.repo.write("node_modules/x.js", "ignored\n");
    let found = check(&target, Dirty::Refuse, &expect![""]);
    assert_eq!(found.head, Head::Branch { name: "main".to_owned(), commit: target.repo.head() });
    assert!(!found.carries(Dirty::Refuse) && !found.carries(Dirty::Carry));
}

#[test]
fn sa1_untracked_files_alone_do_not_make_it_dirty() {
    let target = Target::git(FIXTURE);
    target.repo.write("new.txt", "new\n");
    check(&target, Dirty::Refuse, &expect!["1 untracked file is not part of the run"]);
    let found = check(
        &target,
        Dirty::Carry,
        &expect!["the run includes your uncommitted work (0 changed, 1 untracked)"],
    );
    assert!(!found.carries(Dirty::Refuse) && found.carries(Dirty::Carry));
}

#[test]
fn sa1_uncommitted_work_comes_along_when_allowed() {
    let target = Target::git(FIXTURE);
    target.repo.write("a.txt", "edited\n");
    target.repo.git(&["rm", "--quiet", "src/b.txt"]);
    let refused = target.preflight(Dirty::Refuse);
    assert!(matches!(refused, Err(Refused::Dirty { paths }) if paths.len() == 2));
    check(
        &target,
        Dirty::Carry,
        &expect!["the run includes your uncommitted work (2 changed, 0 untracked)"],
    );
}

#[test]
fn sa1_a_mere_touch_does_not_make_it_dirty() {
    let target = Target::git(FIXTURE);
    let file = fs::File::options().write(true).open(target.repo.root().join("a.txt")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    check(&target, Dirty::Refuse, &expect![""]);
}

#[test]
fn sa1_a_repository_without_commits_is_begun_from_its_files() {
    let target = Target::new(Repo::unborn(FIXTURE));
    assert!(matches!(target.preflight(Dirty::Refuse), Err(Refused::NoCommits)));
    let found = check(
        &target,
        Dirty::Carry,
        &expect!["the run includes your uncommitted work (0 changed, 3 untracked)"],
    );
    assert_eq!(found.head, Head::Unborn { name: "main".to_owned() });
    assert!(found.carries(Dirty::Carry));
}

#[test]
fn sa1_a_detached_head_is_noted() {
    let target = Target::git(FIXTURE);
    target.repo.git(&["switch", "--quiet", "--detach"]);
    let found = check(
        &target,
        Dirty::Refuse,
        &expect!["HEAD is detached: `accept` keeps the result on its own branch"],
    );
    assert_eq!(found.head, Head::Detached { commit: target.repo.head() });
}

#[test]
fn trust_programs_that_the_repository_names_are_noted() {
    let target = Target::git(FIXTURE);
    for key in ["filter.crypt.clean", "filter.crypt.smudge", "diff.word.textconv"] {
        target.repo.git(&["config", key, "some-program"]);
    }
    let note = expect![
        "programs named in the repository's git configuration are not run: filter.crypt.clean, filter.crypt.smudge, diff.word.textconv"
    ];
    check(&target, Dirty::Refuse, &note);
}

#[test]
fn sa1_submodules_and_nested_repositories_are_left_out() {
    let target = Target::git(FIXTURE);
    let other = Repo::git_repo("//- inner.txt\ninner\n");
    let url = other.root().to_str().unwrap();
    target.repo.git(&["submodule", "--quiet", "add", url, "sub"]);
    target.repo.commit_all("submodule");
    git(target.repo.root(), &["clone", "--quiet", url, "nested"]);
    target.repo.write("sub/inner.txt", "edited in the submodule\n");
    let found = check(
        &target,
        Dirty::Refuse,
        &expect![[r#"
            1 submodule is left out: never changed, not in the backup
            1 nested repository is left out: never changed, not in the backup"#]],
    );
    assert!(found.listing.submodules.contains(&path("sub")));
    assert!(found.listing.nested.contains(&path("nested")));
    assert!(!found.listing.files().any(|file| file.as_bytes().ends_with(b"inner.txt")));
    // A submodule is a checkout of its own.
    git(&target.repo.root().join("sub"), &["checkout", "--quiet", "."]);
    let sub = target.preflight_at(&target.repo.root().join("sub"), Dirty::Refuse).unwrap();
    assert_eq!(sub.repo.root, target.repo.root().join("sub"));
}

#[test]
fn sa1_git_lfs_is_noted_whether_or_not_it_is_installed() {
    let mut target = Target::git(
        "//- .gitattributes\n*.psd filter=lfs diff=lfs merge=lfs -text\n//- a.psd\nversion https://git-lfs.github.com/spec/v1\n//- b.txt\nplain\n",
    );
    let note = expect!["1 git-lfs file is left as pointers and cannot be patched"];
    check(&target, Dirty::Refuse, &note);
    // Configured as required, and not there.
    let settings = "[filter \"lfs\"]\n\tprocess = git-lfs filter-process\n\trequired = true\n";
    fs::write(target.repo.beside(".gitconfig"), settings).unwrap();
    let bin = target.repo.beside("bin");
    fs::create_dir(&bin).unwrap();
    for program in ["git", "sh"] {
        let found = target.env.find(program).unwrap();
        std::os::unix::fs::symlink(found, bin.join(program)).unwrap();
    }
    target.env = target.env.clone().with("PATH", bin);
    check(&target, Dirty::Refuse, &note);
    target.ready(Dirty::Refuse);
}

#[test]
fn sa1_a_shallow_clone_is_noted() {
    let origin = Target::git(FIXTURE);
    origin.repo.write("a.txt", "two\n");
    origin.repo.commit_all("second");
    let (at, url) =
        (origin.repo.beside("clone"), format!("file://{}", origin.repo.root().display()));
    git(origin.repo.root(), &["clone", "--quiet", "--depth=1", &url, at.to_str().unwrap()]);
    let notes = origin.preflight_at(&at, Dirty::Refuse).unwrap().notes;
    let [note] = &notes[..] else { panic!("{notes:?}") };
    expect!["the clone is shallow: the backup contains only the history that is present"]
        .assert_eq(&note.to_string());
}

#[test]
fn sa1_a_folder_without_git_is_served_by_a_repository_of_the_runs_own() {
    let target = Target::new(Repo::plain(FIXTURE));
    target.repo.write("node_modules/x.js", "ignored\n");
    let found =
        check(&target, Dirty::Refuse, &expect!["not a git repository: the run works on a copy"]);
    assert_eq!((found.repo.kind, found.listing.untracked.len()), (Kind::Folder, 3));
    assert!(found.carries(Dirty::Refuse));
}

#[test]
fn sa1_where_a_target_belongs() {
    let target = Target::git(FIXTURE);
    let (root, home) = (target.repo.root().to_owned(), target.home());
    let linked = target.repo.beside("linked");
    target.repo.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let linked = fs::canonicalize(linked).unwrap();
    target.repo.write("new/only/untracked.txt", "new\n");
    std::os::unix::fs::symlink(&root, target.repo.beside("by-link")).unwrap();
    let check = |at: &std::path::Path, expected: TargetPlace| {
        let found = locate(at, &home, &target.env, &rb_core::Cancel::new()).unwrap();
        assert_eq!(found, expected, "{}", at.display());
    };
    let checkout = |root: &std::path::Path, scope: Option<&str>| TargetPlace::Checkout {
        root: root.to_owned(),
        scope: scope.map(path),
    };
    check(&root, checkout(&root, None));
    check(&target.repo.beside("by-link"), checkout(&root, None));
    check(&root.join("src"), checkout(&root, Some("src")));
    check(&root.join("src/../src"), checkout(&root, Some("src")));
    check(&linked, checkout(&linked, None));
    check(&linked.join("src"), checkout(&linked, Some("src")));
    // Nothing that an outer repository knows of: a folder of its own.
    check(&root.join("new/only"), TargetPlace::Folder { root: root.join("new/only") });
}

#[test]
fn sa1_a_pipe_that_git_would_wait_for_is_refused_at_once() {
    for name in ["src/.gitignore", ".gitattributes"] {
        let target = Target::git(FIXTURE);
        let pipe = target.repo.root().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let refused = in_time(move || target.preflight(Dirty::Refuse).unwrap_err());
        assert!(matches!(&refused, Refused::Pipe(path) if path.ends_with(name)), "{refused}");
    }
}

/// A suite that runs for a linked worktree must not see the main checkout either.
#[test]
fn sa7_the_main_checkout_of_a_linked_worktree_is_the_users_too() {
    let target = Target::git(FIXTURE);
    let linked = target.repo.beside("linked");
    target.repo.git(&["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap()]);
    let found = target.preflight_at(&linked, Dirty::Refuse).unwrap().repo.checkouts();
    let found: Vec<_> = found.iter().map(|it| fs::canonicalize(it).unwrap()).collect();
    let expected = [linked.as_path(), target.repo.root()].map(|it| fs::canonicalize(it).unwrap());
    assert_eq!(found, expected);
}

#[test]
fn sa1_other_pipes_are_no_part_of_the_run() {
    let target = Target::git(FIXTURE);
    for name in ["untracked", "a.txt"] {
        let pipe = target.repo.root().join(name);
        let _ = fs::remove_file(&pipe);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    }
    let found = target.preflight(Dirty::Carry).unwrap();
    assert_eq!(found.changed, [path("a.txt")]);
}

//! Targets that no run begins on.

use std::fs;

use rb_testkit::{Repo, git};

use super::{Bench, CHANGE, FIXTURE, Situation, diverge};
use crate::cli;

pub(super) const TARGETS: &[Situation] = &[
    ("missing path", |b| b.run_on(&b.repo.beside("nowhere"))),
    ("a file", |b| b.run_on(&b.repo.root().join("a.txt"))),
    ("bare repository", |b| {
        let bare = b.repo.beside("bare.git");
        git(b.repo.root(), &["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
        b.run_on(&bare)
    }),
    ("inside .git", |b| b.run_on(&b.repo.root().join(".git/refs"))),
    ("inside the home", |b| {
        b.waiting();
        let worktrees = b.cli.home().join("worktrees");
        let worktree = fs::read_dir(worktrees).unwrap().next().unwrap().unwrap().path();
        b.run_on(&worktree)
    }),
    ("path that is not UTF-8", |b| {
        use std::os::unix::ffi::OsStrExt as _;
        let odd = b.repo.beside("").join(std::ffi::OsStr::from_bytes(b"odd\xff"));
        fs::create_dir(&odd).unwrap();
        b.cli = std::mem::replace(&mut b.cli, cli()).cwd(&odd);
        b.call(&["run", ".", "--patch", &b.patch(CHANGE)])
    }),
    ("staged change", |b| {
        b.repo.write("a.txt", "staged\n");
        b.repo.git(&["add", "a.txt"]);
        b.run()
    }),
    ("unstaged change", |b| {
        b.repo.write("a.txt", "edited\n");
        b.run()
    }),
    ("deleted file", |b| {
        fs::remove_file(b.repo.root().join("src/b.txt")).unwrap();
        b.run()
    }),
    ("staged, unstaged, deleted, executable", |b| {
        b.repo.write("a.txt", "staged\n");
        b.repo.git(&["add", "a.txt"]);
        b.repo.write("a.txt", "and edited\n");
        b.repo.write("twice.txt", "edited\n");
        b.repo.git(&["rm", "--quiet", "src/b.txt"]);
        b.repo.git(&["update-index", "--chmod=+x", "package-lock.json"]);
        b.run()
    }),
    ("no commit yet", |b| {
        *b = Bench::of(Repo::unborn(FIXTURE));
        b.run()
    }),
    ("merge in progress", |b| {
        b.repo.git(&["switch", "--quiet", "--create", "other"]);
        b.repo.write("new.txt", "new\n");
        b.repo.commit_all("other");
        b.repo.git(&["switch", "--quiet", "main"]);
        b.repo.git(&["merge", "--quiet", "--no-ff", "--no-commit", "other"]);
        b.run()
    }),
    ("rebase in progress", |b| {
        diverge(b);
        assert!(!b.repo.git_ok(&["rebase", "--quiet", "other"]));
        b.run()
    }),
    ("cherry-pick in progress", |b| {
        diverge(b);
        assert!(!b.repo.git_ok(&["cherry-pick", "other"]));
        b.run()
    }),
    ("revert in progress", |b| {
        b.repo.write("a.txt", "second\n");
        b.repo.commit_all("second");
        b.repo.write("a.txt", "third\n");
        b.repo.commit_all("third");
        assert!(!b.repo.git_ok(&["revert", "--no-edit", "HEAD~1"]));
        b.run()
    }),
    ("bisect in progress", |b| {
        b.repo.git(&["bisect", "start"]);
        b.run()
    }),
    ("index.lock", |b| {
        b.repo.write(".git/index.lock", "");
        b.run()
    }),
    ("partial clone", |b| {
        b.repo.git(&["config", "uploadpack.allowFilter", "true"]);
        let clone = b.repo.beside("clone");
        let url = format!("file://{}", b.root());
        let to = clone.to_str().unwrap();
        git(b.repo.root(), &["clone", "--quiet", "--filter=blob:none", &url, to]);
        b.run_on(&clone)
    }),
    ("core.worktree elsewhere", |b| {
        let elsewhere = b.repo.beside("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        b.repo.git(&["config", "core.worktree", elsewhere.to_str().unwrap()]);
        b.run()
    }),
    ("names that differ by case, core.ignorecase", |b| {
        b.repo.write("A.txt", "big\n");
        b.repo.commit_all("both");
        b.repo.git(&["config", "core.ignorecase", "true"]);
        b.run()
    }),
    ("a branch named refactor-bot", |b| {
        b.repo.git(&["branch", "refactor-bot"]);
        b.run()
    }),
    ("broken .git", |b| {
        fs::remove_file(b.repo.root().join(".git/HEAD")).unwrap();
        b.run()
    }),
    ("folder inside a broken repository", |b| {
        fs::remove_file(b.repo.root().join(".git/HEAD")).unwrap();
        b.run_on(&b.repo.root().join("src"))
    }),
    (".git that points nowhere", |b| {
        fs::remove_dir_all(b.repo.root().join(".git")).unwrap();
        b.repo.write(".git", "gitdir: /no/such/place\n");
        b.run()
    }),
    ("no git", |b| {
        b.path("");
        b.run()
    }),
    ("old git", |b| {
        b.path("//- git exec\n#!/bin/sh\necho git version 2.20.1\n");
        b.run()
    }),
];

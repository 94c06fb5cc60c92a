//! Runs that cannot be accepted, rejected, resumed or rolled back just now.

use std::fs;
use std::path::PathBuf;

use super::{Bench, Situation, created, diverge};

pub(super) const DECISIONS: &[Situation] = &[
    ("malformed run id", |b| b.call(&["accept", "../../etc"])),
    ("unknown run id", |b| b.call(&["accept", "20010203T040506Z"])),
    ("show an unknown run", |b| b.call(&["runs", "show", "20010203T040506Z"])),
    ("accept before the end", |b| {
        let id = b.waiting();
        b.rewrite(&id, |text| text.split_inclusive('\n').take(6).collect());
        b.call(&["accept", &id])
    }),
    ("accept twice", |b| {
        let id = b.accepted();
        b.call(&["accept", &id])
    }),
    ("reject after accept", |b| {
        let id = b.accepted();
        b.call(&["reject", &id])
    }),
    ("accept after reject", |b| {
        let id = b.waiting();
        b.cli.run(["reject", &id]).expect_code(0);
        b.call(&["accept", &id])
    }),
    ("accept, file edited meanwhile", |b| {
        let id = b.waiting();
        b.repo.write("a.txt", "one\ntwo\nthree\nfour\n");
        b.call(&["accept", &id])
    }),
    ("accept, file staged meanwhile", |b| {
        let id = b.waiting();
        b.repo.write("a.txt", "one\ntwo\nthree\nfour\n");
        b.repo.git(&["add", "a.txt"]);
        b.repo.write("a.txt", "one\ntwo\nthree\n");
        b.call(&["accept", &id])
    }),
    ("accept, new file stands there meanwhile", |b| {
        let patch = b.patch(created("new.txt"));
        let id = b.cli.run(["run", b.root(), "--patch", &patch]).expect_code(0).run_id();
        b.repo.write("new.txt", "mine\n");
        b.call(&["accept", &id])
    }),
    ("accept, conflicting commits meanwhile", |b| {
        let id = b.waiting();
        b.repo.write("a.txt", "one\nzwei\nthree\n");
        b.repo.commit_all("meanwhile");
        b.call(&["accept", &id])
    }),
    ("accept on another branch", |b| {
        let id = b.waiting();
        b.repo.git(&["switch", "--quiet", "--create", "other"]);
        b.call(&["accept", &id])
    }),
    ("accept during a merge", |b| {
        let id = b.waiting();
        diverge(b);
        assert!(!b.repo.git_ok(&["merge", "--quiet", "other"]));
        b.call(&["accept", &id])
    }),
    ("accept with index.lock", |b| {
        let id = b.waiting();
        b.repo.write(".git/index.lock", "");
        b.call(&["accept", &id])
    }),
    ("accept, repository gone", |b| {
        let id = b.waiting();
        let moved = b.repo.beside("moved");
        fs::rename(b.repo.root(), &moved).unwrap();
        let ran = b.cli.run(["accept", &id]);
        fs::rename(moved, b.repo.root()).unwrap();
        ran
    }),
    ("accept, checkpoint gone", |b| {
        let id = b.waiting();
        b.repo.git(&["worktree", "remove", "--force", &worktree_of(b, &id)]);
        b.repo.git(&["branch", "--quiet", "--delete", "--force", &format!("refactor-bot/{id}")]);
        b.repo.git(&["reflog", "expire", "--expire=now", "--all"]);
        b.repo.git(&["gc", "--quiet", "--prune=now"]);
        b.call(&["accept", &id])
    }),
    ("rollback, file edited since", |b| {
        let id = b.accepted();
        b.repo.write("src/b.txt", "later\n");
        b.call(&["rollback", &id])
    }),
    ("rollback, commits since", |b| {
        let id = b.accepted();
        b.repo.write("src/b.txt", "later\n");
        b.repo.commit_all("later");
        b.call(&["rollback", &id])
    }),
    ("rollback on another branch", |b| {
        let id = b.accepted();
        b.repo.git(&["switch", "--quiet", "--create", "other"]);
        b.call(&["rollback", &id])
    }),
    ("rollback, a folder in the way", |b| {
        let id = b.accepted();
        fs::remove_file(b.repo.root().join("a.txt")).unwrap();
        b.repo.write("a.txt/mine", "mine\n");
        b.call(&["rollback", &id, "--force"])
    }),
    ("rollback, damaged snapshot", |b| {
        let id = b.accepted();
        damage(b, &id, "snapshot.tar.gz");
        b.call(&["rollback", &id])
    }),
    ("rollback, damaged bundle", |b| {
        let id = b.accepted();
        damage(b, &id, "backup.bundle");
        b.call(&["rollback", &id])
    }),
    ("rollback, no backup", |b| {
        let id = b.accepted();
        fs::remove_dir_all(b.cli.home().join("backups")).unwrap();
        b.call(&["rollback", &id])
    }),
    ("busy run", |b| {
        let id = b.waiting();
        let lock = b.cli.home().join("runs").join(&id).join("lock");
        let held = rb_core::fs::try_lock(&lock).unwrap().unwrap();
        let ran = b.call(&["accept", &id]);
        drop(held);
        ran
    }),
    ("damaged journal", |b| {
        let id = b.waiting();
        b.rewrite(&id, |text| text.replacen("\"seq\":3", "\"seq\":33", 1));
        b.call(&["accept", &id])
    }),
    ("newer journal", |b| {
        let id = b.waiting();
        b.rewrite(&id, |text| text.replace("{\"v\":5,", "{\"v\":9,"));
        b.call(&["resume", &id])
    }),
];

fn worktree_of(b: &Bench, id: &str) -> String {
    b.cli.home().join("worktrees").join(id).display().to_string()
}

fn backup_of(b: &Bench, id: &str) -> PathBuf {
    let backups = b.cli.home().join("backups");
    let of_repo = fs::read_dir(backups).unwrap().next().unwrap().unwrap().path();
    of_repo.join(id)
}

/// Flips one bit in the middle.
fn damage(b: &Bench, id: &str, file: &str) {
    let path = backup_of(b, id).join(file);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

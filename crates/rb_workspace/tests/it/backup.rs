//! The backup: complete, restorable by anybody's hands, and never believed unread.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_testkit::{Repo, State, git};
use rb_workspace::backup::{self, Backup, BackupError, SavedKind};
use rb_workspace::preflight::Dirty;

use crate::target::Target;

const FIXTURE: &str = "
//- .gitignore
node_modules/
//- a.txt
one
//- bin/tool exec
#!/bin/sh
//- crlf.txt crlf
windows
//- link -> bin//tool
";

fn output(program: &str, args: &[&OsStr], dir: &Path) -> String {
    let out = Command::new(program).args(args).current_dir(dir).output().unwrap();
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn new_folder(target: &Target, name: &str) -> PathBuf {
    let folder = target.repo.beside(name);
    fs::create_dir(&folder).unwrap();
    folder
}

/// A checkout with everything that is hard to keep: odd names, links, modes, untracked files, a stash.
fn hard() -> Target {
    let target = Target::git(FIXTURE);
    let root = target.repo.root();
    let names: [&[u8]; 7] = [
        b"with space",
        b"quote\"s'",
        b"new\nline",
        b"not-utf8-\xff",
        b"-rf",
        b":(top)x",
        b"deep/and/deeper/still",
    ];
    for name in names {
        let path = root.join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    fs::write(root.join("x".repeat(200)), "long name").unwrap();
    symlink("../outside/../there/", root.join("untidy-link")).unwrap();
    symlink("y".repeat(300), root.join("long-link")).unwrap();
    fs::write(root.join("binary.bin"), [0, 1, 2, 255]).unwrap();
    target.repo.commit_all("hard names");
    target.repo.write("a.txt", "stashed\n");
    target.repo.git(&["stash", "--quiet"]);
    target.repo.write("untracked.txt", "not yet told to git\n");
    target.repo.write("node_modules/big.js", "ignored\n");
    target
}

#[test]
fn sa2_tar_and_git_alone_restore_the_same_bytes_and_commits() {
    let target = hard();
    let root = target.repo.root();
    let before = target.repo.state();
    let backup = target.back_up(&target.preflight(Dirty::Refuse).unwrap());
    before.assert_same(&target.repo.state(), "by the backup");

    let unpacked = new_folder(&target, "unpacked");
    let archive = backup.dir.join("snapshot.tar.gz");
    output("tar", &["-xzf".as_ref(), archive.as_ref()], &unpacked);
    assert!(!unpacked.join("node_modules").exists(), "ignored files stay out");
    assert!(unpacked.join("untracked.txt").exists(), "untracked files are in");
    fs::remove_dir_all(root.join("node_modules")).unwrap();
    target.repo.state().files().assert_same(&State::of(&unpacked), "in the snapshot");

    let cloned = target.repo.beside("cloned");
    let bundle = backup.dir.join("backup.bundle");
    git(root, &["clone", "--quiet", bundle.to_str().unwrap(), cloned.to_str().unwrap()]);
    assert_eq!(git(&cloned, &["rev-parse", "HEAD"]).trim(), target.repo.head());
    assert_eq!(git(&cloned, &["status", "--porcelain"]), "");
    let stash = target.repo.git(&["rev-parse", "refs/stash"]);
    let heads = git(root, &["bundle", "list-heads", bundle.to_str().unwrap()]);
    assert!(heads.contains(&format!("{} refs/stash", stash.trim())), "{heads}");
}

#[test]
fn sa2_the_manifest_agrees_with_sha256sum() {
    let target = hard();
    let backup = target.back_up(&target.preflight(Dirty::Refuse).unwrap());
    let manifest = &backup.manifest;
    let pieces = [Some(&manifest.snapshot), manifest.bundle.as_ref(), manifest.index.as_ref()];
    for piece in pieces.map(Option::unwrap) {
        let said = output("sha256sum", &["--".as_ref(), piece.file.as_ref()], &backup.dir);
        assert!(said.starts_with(&piece.sha256.to_string()), "{}: {said}", piece.file);
        assert_eq!(backup.dir.join(&piece.file).metadata().unwrap().len(), piece.bytes);
    }
    let mut counted = 0;
    for file in manifest.files.iter().filter(|file| file.kind == SavedKind::File) {
        let place = file.path.below(target.repo.root());
        let said =
            output("sha256sum", &["-z".as_ref(), "--".as_ref(), place.as_ref()], &backup.dir);
        assert!(said.starts_with(&file.sha256.to_string()), "{}", file.path);
        counted += 1;
    }
    assert_eq!(counted, 14);
    let index = fs::read(target.repo.root().join(".git/index")).unwrap();
    assert_eq!(fs::read(backup.dir.join("index")).unwrap(), index);
}

#[test]
fn sa2_a_detached_head_is_in_the_bundle() {
    let target = Target::git(FIXTURE);
    target.repo.git(&["switch", "--quiet", "--detach"]);
    target.repo.write("a.txt", "only here\n");
    target.repo.commit_all("on no branch");
    let backup = target.back_up(&target.preflight(Dirty::Refuse).unwrap());
    let bundle = backup.dir.join("backup.bundle");
    let heads = target.repo.git(&["bundle", "list-heads", bundle.to_str().unwrap()]);
    assert!(heads.contains(&format!("{} HEAD", target.repo.head())), "{heads}");
}

#[test]
fn sa2_a_branch_without_commits_does_not_hide_the_others() {
    let target = Target::git(FIXTURE);
    target.repo.git(&["switch", "--quiet", "--orphan", "empty"]);
    let backup = target.back_up(&target.preflight(Dirty::Carry).unwrap());
    let bundle = backup.dir.join(backup.manifest.bundle.unwrap().file);
    let heads = target.repo.git(&["bundle", "list-heads", bundle.to_str().unwrap()]);
    assert!(heads.contains("refs/heads/main"), "{heads}");
}

#[test]
fn sa2_a_shallow_clone_is_restored_from_the_backup_alone() {
    let origin = Target::git(FIXTURE);
    origin.repo.write("a.txt", "two\n");
    origin.repo.commit_all("second");
    let shallow = origin.repo.beside("shallow");
    let url = format!("file://{}", origin.repo.root().display());
    git(origin.repo.root(), &["clone", "--quiet", "--depth=1", &url, shallow.to_str().unwrap()]);
    let shallow = fs::canonicalize(shallow).unwrap();
    let backup = origin.back_up(&origin.preflight_at(&shallow, Dirty::Refuse).unwrap());
    let head = git(&shallow, &["rev-parse", "HEAD"]);
    fs::remove_dir_all(&shallow).unwrap();

    let restored = new_folder(&origin, "restored");
    git(&restored, &["init", "--quiet"]);
    fs::copy(backup.dir.join("shallow"), restored.join(".git/shallow")).unwrap();
    let bundle = backup.dir.join("backup.bundle");
    git(&restored, &["fetch", "--quiet", bundle.to_str().unwrap(), "refs/heads/main"]);
    git(&restored, &["reset", "--quiet", "--hard", "FETCH_HEAD"]);
    assert_eq!(git(&restored, &["rev-parse", "HEAD"]), head);
    assert_eq!(fs::read_to_string(restored.join("a.txt")).unwrap(), "two\n");
    git(&restored, &["fsck", "--strict"]);
}

#[test]
fn sa2_sha256_repositories_are_backed_up() {
    let repo = Repo::plain(FIXTURE);
    repo.git(&["init", "--quiet", "--object-format=sha256"]);
    repo.commit_all("first");
    let target = Target::new(repo);
    let mut ready = target.ready(Dirty::Refuse);
    assert_eq!(target.repo.head().len(), 64);
    ready.change("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n");
    ready.land();
    assert_eq!(target.repo.read("a.txt"), "ONE\n");
    assert_eq!(target.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn sa2_damage_of_any_piece_is_found() {
    let target = Target::git(FIXTURE);
    let backup = target.back_up(&target.preflight(Dirty::Refuse).unwrap());
    backup.check().unwrap();
    for piece in ["snapshot.tar.gz", "backup.bundle", "index"] {
        let path = backup.dir.join(piece);
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 1;
        fs::write(&path, &bad).unwrap();
        assert!(matches!(backup.check(), Err(BackupError::Damaged(_))), "{piece} changed");
        fs::write(&path, &good[..good.len() - 1]).unwrap();
        assert!(matches!(backup.check(), Err(BackupError::Damaged(_))), "{piece} cut short");
        fs::remove_file(&path).unwrap();
        assert!(backup.check().is_err(), "{piece} gone");
        fs::write(&path, &good).unwrap();
    }
    backup.check().unwrap();
}

#[test]
fn sa2_a_folder_of_that_name_is_always_a_whole_backup() {
    let target = Target::git(FIXTURE);
    let preflight = target.preflight(Dirty::Refuse).unwrap();
    let stopped = Cancel::new();
    stopped.cancel();
    let home = target.home();
    let dir = home.backup(&preflight.repo.backup_name(), &target.run);
    assert!(backup::create(&preflight, &target.run, dir, &Silent, &stopped).is_err());
    assert!(backup::find(&home, &target.run).unwrap().is_none());
    let made = target.back_up(&preflight);
    let names: Vec<_> = rb_core::fs::list(&made.dir).unwrap();
    assert_eq!(names, ["backup.bundle", "index", "manifest.json", "snapshot.tar.gz"]);
    assert_eq!(rb_core::fs::list(made.dir.parent().unwrap()).unwrap().len(), 1);
    let Backup { manifest, .. } = backup::find(&home, &target.run).unwrap().unwrap();
    assert_eq!(manifest, made.manifest);
}

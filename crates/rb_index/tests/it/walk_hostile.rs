//! Trees that are made to mislead, to break or to hold up a walk. None of them may.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use expect_test::expect;
use rb_index::walk::SkipReason;
use rb_testkit::Repo;

use crate::walk::{shown, walked};

pub(crate) fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn ix1_links_are_listed_and_never_followed() {
    let repo = Repo::plain(
        "
//- a/file.py
//- inside -> a/file.py
//- folder -> a
//- up -> .
//- a/root -> ..
//- out_file -> /etc/passwd
//- out_folder -> /etc
//- out_relative -> ../../../../../../../../etc
//- dangling -> nowhere/at/all
//- self -> self
//- ping -> pong
//- pong -> ping
//- through_file -> a/file.py/x
//- .gitignore -> a/file.py
",
    );
    expect![[r"
        a/file.py
        - .gitignore: a link to another place in the repository
        - a/root: a link to another place in the repository
        - dangling: a link to nothing
        - folder: a link to another place in the repository
        - inside: a link to another place in the repository
        - out_file: a link that leads outside the repository
        - out_folder: a link that leads outside the repository
        - out_relative: a link that leads outside the repository
        - ping: a link that leads in a circle
        - pong: a link that leads in a circle
        - self: a link that leads in a circle
        - through_file: a link to nothing
        - up: a link to another place in the repository
    "]]
    .assert_eq(&shown(&walked(repo.root())));
}

#[test]
fn ix1_a_root_behind_a_link_is_walked() {
    let repo = Repo::plain("//- a.py\n//- link -> a.py\n");
    let link = repo.beside("link");
    symlink(repo.root(), &link).unwrap();
    assert_eq!(shown(&walked(&link)), shown(&walked(repo.root())));
}

#[test]
fn ix1_special_files_are_not_opened() {
    let repo = Repo::plain("//- a.py\n//- sub/b.py\n");
    make_pipe(&repo.root().join("pipe"));
    // Were these taken for what they are called, the walk would wait for ever.
    make_pipe(&repo.root().join(".gitignore"));
    make_pipe(&repo.root().join("sub/.git"));
    let _socket = UnixListener::bind(repo.root().join("socket")).unwrap();
    expect![[r"
        a.py
        sub/b.py
        - .gitignore: not a plain file
        - pipe: not a plain file
        - socket: not a plain file
    "]]
    .assert_eq(&shown(&walked(repo.root())));
}

#[test]
fn ix1_odd_names_are_found_or_listed() {
    let repo = Repo::plain("//- .GIT/config\n//- git~1\n//- a/b\n");
    for name in [b"caf\xe9.py".as_slice(), b"new\nline", b" space ", b"\xff\xfe", b"tab\t\"quote\""]
    {
        fs::write(repo.root().join(OsStr::from_bytes(name)), "").unwrap();
    }
    expect![[r#"
         space 
        a/b
        "caf\351.py"
        "new\nline"
        "tab\t\"quote\""
        "\377\376"
        - .GIT: a name that cannot be used: `.GIT` reaches into git's own folder
        - git~1: a name that cannot be used: `git~1` reaches into git's own folder
    "#]]
    .assert_eq(&shown(&walked(repo.root())));
}

#[test]
fn ix1_a_path_that_is_too_long_is_listed() {
    let repo = Repo::plain("");
    let name = "d".repeat(250);
    let long = |top: &str| {
        let mut path = repo.root().join(top);
        (0..12).for_each(|_| path.push(&name));
        fs::create_dir_all(&path).unwrap();
        path
    };
    let (upper, lower) = (long("upper"), long("lower"));
    fs::write(upper.join("near.py"), "").unwrap();
    fs::write(lower.join("far.py"), "").unwrap();
    // Only so can a path come to be that no call could name.
    fs::rename(repo.root().join("lower"), upper.join("lower")).unwrap();
    let walk = walked(repo.root());
    let found: Vec<&[u8]> = walk.files.iter().map(|found| found.path.file_name()).collect();
    assert_eq!(found, [b"near.py"]);
    let [skipped] = walk.skipped.as_slice() else { panic!("{:?}", walk.skipped) };
    expect!["a name that cannot be used: a path of 4278 bytes is too long"]
        .assert_eq(&skipped.reason.words());
}

#[test]
fn ix1_deep_folders_with_ignore_files_are_walked() {
    let repo = Repo::plain("");
    let mut path = repo.root().to_path_buf();
    let depth = 1_000;
    for level in 0..depth {
        fs::write(path.join(".gitignore"), format!("no{level}\n")).unwrap();
        path.push("d");
        fs::create_dir(&path).unwrap();
    }
    fs::write(path.join("no0"), "").unwrap();
    fs::write(path.join("yes"), "").unwrap();
    let walk = walked(repo.root());
    assert_eq!((walk.files.len(), walk.skipped.len(), walk.ignored.len()), (depth + 1, 0, 1));
}

#[test]
fn ix1_a_folder_of_a_hundred_thousand_files_is_walked() {
    let repo = Repo::plain("//- .gitignore\n*9\n");
    for number in 0..100_000 {
        fs::File::create(repo.root().join(format!("f{number}"))).unwrap();
    }
    let walk = walked(repo.root());
    assert_eq!((walk.files.len(), walk.skipped.len(), walk.ignored.len()), (90_001, 0, 10_000));
    assert!(walk.files.is_sorted_by(|a, b| a.path < b.path));
}

#[test]
fn ix1_an_ignore_file_without_end_is_not_applied() {
    let repo = Repo::plain("//- a.py\n//- sub/b.py\n");
    let endless = "*.py\n".repeat(300_000);
    repo.write("sub/.gitignore", endless);
    expect![[r"
        a.py
        sub/.gitignore
        sub/b.py
        - sub/.gitignore: too large an ignore file: it is not applied
    "]]
    .assert_eq(&shown(&walked(repo.root())));
}

/// Root may read everything, so root runs this test once more as nobody.
#[test]
fn ix1_what_may_not_be_read_is_listed() {
    let repo = Repo::plain("//- a.py\n//- closed/b.py\n//- blind/c.py\n");
    let mode = |name: &str, mode| {
        fs::set_permissions(repo.root().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("closed", 0o000);
    // Its names can be listed, but nothing can be asked about them.
    mode("blind", 0o400);
    let walk = walked(repo.root());
    mode("closed", 0o700);
    mode("blind", 0o700);
    if walk.files.iter().any(|found| found.path.as_bytes() == b"closed/b.py") {
        // From where everybody may run it.
        let program = repo.beside("test");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        fs::set_permissions(program.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        let again = Command::new(program)
            .args(["--exact", "walk_hostile::ix1_what_may_not_be_read_is_listed"])
            .uid(65534)
            .gid(65534)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    expect![[r"
        a.py
        - blind/c.py: cannot be read: Permission denied (os error 13)
        - closed: cannot be read: Permission denied (os error 13)
    "]]
    .assert_eq(&shown(&walk));
}

/// Files come and go, and a folder is a link to outside every other moment.
#[test]
fn ix1_a_tree_that_moves_is_walked_without_leaving_it() {
    let repo = Repo::plain("//- stay.py\n//- folder/inside.py\n");
    let (folder, away) = (repo.root().join("folder"), repo.beside("away"));
    let outside = repo.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret.py"), "").unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::rename(&folder, &away).unwrap();
                symlink(&outside, &folder).unwrap();
                fs::remove_file(&folder).unwrap();
                fs::rename(&away, &folder).unwrap();
                fs::write(repo.root().join("passing.py"), "").unwrap();
                fs::remove_file(repo.root().join("passing.py")).unwrap();
            }
        });
        for _ in 0..300 {
            let walk = walked(repo.root());
            let has = |name: &[u8]| walk.files.iter().any(|found| found.path.file_name() == name);
            let safe = has(b"stay.py") && !has(b"secret.py");
            let known = walk.skipped.iter().all(|skipped| {
                matches!(
                    skipped.reason,
                    SkipReason::Gone
                        | SkipReason::BehindLink
                        | SkipReason::LinkOutside
                        | SkipReason::LinkDangling
                        | SkipReason::LinkInside
                )
            });
            if !safe || !known {
                stop.store(true, Ordering::Relaxed);
                panic!("{}", shown(&walk));
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

//! A job may not take the last of a disk. A small one is mounted for it, where nobody else sees it.

use std::path::Path;

use expect_test::expect;
use rb_core::Cancel;
use rb_core::process::{Cmd, Env};

use crate::fixture::{Fixture, With};

/// With the folder as it is after the mount.
const ON_A_SMALL_DISK: &str =
    "mount -t tmpfs -o size=64m none \"$PWD\" && cd \"$PWD\" && exec \"$@\"";

#[test]
fn sa7_a_job_leaves_room_on_the_disk() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = Env::default().with("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let ran = Cmd::new("unshare", &path)
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "disk::victim", "--ignored", "--nocapture"])
        .cwd(dir.path())
        .run(&Cancel::new())
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.success() && said.contains("1 passed"), "{said}{ran:?}");
}

#[test]
#[ignore = "started by the test above, on a disk of 64 MB"]
fn victim() {
    // It could fill what there is, and then gives up.
    let script =
        "for n in $(seq 62); do head -c 1M /dev/zero >> fill; sleep 0.01; done; echo filled";
    let fixture = Fixture::planted(Path::new(".").canonicalize().unwrap());
    for with in [With::Bubblewrap, With::Landlock, With::LandlockAlone, With::Off, With::OffAlone] {
        let ran = fixture.run(with, &fixture.job(with, script));
        expect![[r#"
            error: the command was stopped because the disk of ROOT/home/.refactor-bot/worktrees/r1 was nearly full
        "#]]
        .assert_eq(&fixture.told(&ran));
        fixture.assert_nobody_is_left(with);
        std::fs::remove_file(fixture.worktree().join("fill")).unwrap();
    }
}

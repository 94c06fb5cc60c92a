//! The world at its worst: a full disk, a read-only home, a worktree that somebody deletes, two runs at
//! once, a person who presses Ctrl-C. The checkout stays what it was, and the run can be gone on with.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::three_patches::ThreePatches;

/// Runs a shell script in a mount namespace of its own; `$1` is the home, `$2` the binary.
#[cfg(target_os = "linux")]
fn in_own_mounts(case: &ThreePatches, script: &str) -> rb_testkit::Ran {
    let home = case.cli.home();
    fs::create_dir_all(&home).unwrap();
    let home = home.display().to_string();
    let wrapper = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", &home];
    case.cli.run_under(&wrapper, case.run_args())
}

#[test]
#[cfg(target_os = "linux")]
fn sa6_a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    // From too small for the first file up to nearly enough.
    let mut stopped = 0;
    for kib in [4, 16, 32, 48, 64, 80, 96, 128] {
        let case = ThreePatches::new();
        let script = format!(
            "mount -t tmpfs -o size={kib}k none \"$1\" || exit 99
             home=$1; shift
             \"$@\"; echo \"first $?\"
             mount -o remount,size=64m \"$home\"
             for run in $(ls \"$home/runs\" 2>/dev/null); do
               \"$1\" runs list | grep -q \"$run\" || continue
               \"$1\" resume \"$run\" && \"$1\" reject \"$run\" >/dev/null; echo \"then $?\"
             done"
        );
        let ran = in_own_mounts(&case, &script);
        ran.expect_code(0);
        case.assert_no_trace(&format!("with {kib} KiB"));
        let first = ran.stdout.lines().find_map(|line| line.strip_prefix("first ")).unwrap();
        if first != "0" {
            stopped += 1;
            assert_eq!(first, "3", "with {kib} KiB: {}", ran.stderr);
            assert!(ran.stderr.contains("free some disk space"), "with {kib} KiB: {}", ran.stderr);
        }
        assert!(!ran.stdout.contains("then 1"), "with {kib} KiB: {}\n{}", ran.stdout, ran.stderr);
    }
    assert!(stopped >= 4, "only {stopped} runs met a full disk");
}

#[test]
#[cfg(target_os = "linux")]
fn sa6_a_repository_on_a_full_disk_stays_what_it_was() {
    let case = ThreePatches::new();
    let root = case.repo.root().display().to_string();
    let script = format!(
        "copy=$1/copy; shift
         cp -a '{root}' \"$copy\" && mount -t tmpfs -o size=1m none '{root}' || exit 99
         cp -a \"$copy/.\" '{root}'
         dd if=/dev/zero of='{root}/.git/filler' bs=1k count=100000 2>/dev/null
         \"$@\"; echo \"first $?\"
         rm '{root}/.git/filler'
         diff -r --no-dereference \"$copy\" '{root}'
         rm -rf \"$copy\"
         run=$(ls \"$REFACTOR_BOT_HOME/runs\")
         \"$1\" resume \"$run\" >/dev/null && \"$1\" accept \"$run\" >/dev/null; echo \"then $?\"
         git -C '{root}' -c safe.directory='*' log --format=%s | head -1"
    );
    let ran = in_own_mounts(&case, &script);
    let kept: Vec<&str> = ran
        .stdout
        .lines()
        // What a run may add before it is accepted.
        .filter(|line| !["objects", "heads", "worktrees"].iter().any(|part| line.contains(part)))
        .collect();
    let expected = ["first 3", "then 0", "checkpoint: batch-003 3"];
    assert_eq!(kept, expected, "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("free some disk space"), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn ux5_a_full_disk_during_accept_is_one_line_that_names_the_place() {
    let case = ThreePatches::new();
    let root = case.repo.root().display().to_string();
    let script = format!(
        "copy=$1/copy; shift
         cp -a '{root}' \"$copy\" && mount -t tmpfs -o size=2m none '{root}' || exit 99
         cp -a \"$copy/.\" '{root}'; rm -rf \"$copy\"
         \"$@\" >/dev/null 2>&1; run=$(ls \"$REFACTOR_BOT_HOME/runs\")
         dd if=/dev/zero of='{root}/.git/filler' bs=1k count=100000 2>/dev/null
         \"$1\" accept \"$run\"; echo \"first $?\"
         rm '{root}/.git/filler'
         git -C '{root}' -c safe.directory='*' status --porcelain
         \"$1\" accept \"$run\" >/dev/null; echo \"then $?\""
    );
    let ran = in_own_mounts(&case, &script);
    assert_eq!(ran.stdout, "first 3\n?? scratch.txt\nthen 0\n", "{}", ran.stderr);
    let errors: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(": ")).collect();
    let [error, hints @ ..] = &errors[..] else { panic!("{}", ran.stderr) };
    assert!(error.starts_with("error: the disk that holds "), "{}", ran.stderr);
    assert!(hints.iter().any(|hint| hint.contains("free some disk space at ")), "{}", ran.stderr);
    assert!(errors.len() <= 3 && !ran.stderr.contains("--home"), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn sa6_a_read_only_home_is_said_to_be_one() {
    let case = ThreePatches::new();
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" || exit 99; shift; exec \"$@\"";
    let ran = in_own_mounts(&case, script);
    ran.expect_code(3);
    case.assert_no_trace("with a read-only home");
    assert!(ran.stderr.contains("check the permissions of that path"), "{}", ran.stderr);
}

#[test]
fn sa6_a_worktree_deleted_behind_our_back_is_made_again() {
    let delete = |what: &str| {
        let (case, id) = ThreePatches::waiting();
        let worktree = case.cli.home().join("worktrees").join(&id);
        match what {
            "the folder" => fs::remove_dir_all(&worktree).unwrap(),
            "git's record" => fs::remove_dir_all(case.repo.root().join(".git/worktrees")).unwrap(),
            "the branch" => {
                fs::remove_dir_all(&worktree).unwrap();
                case.repo.git(&["worktree", "prune"]);
                case.repo.git(&["branch", "-D", &format!("refactor-bot/{id}")]);
            }
            _ => fs::write(worktree.join("src/name.js"), "changed from outside").unwrap(),
        }
        case.cli.run(["accept", &id]).expect_code(0);
        case.assert_landed(&format!("after {what} was taken away"));
    };
    for what in ["the folder", "git's record", "the branch", "a file's content"] {
        delete(what);
    }
}

#[test]
fn sa6_what_a_killed_git_left_behind_does_not_stop_resume() {
    let (case, id) = ThreePatches::waiting();
    let git = case.repo.root().join(".git");
    fs::write(git.join("worktrees").join(&id).join("index.lock"), "").unwrap();
    fs::write(git.join("worktrees").join(&id).join("HEAD.lock"), "").unwrap();
    fs::write(git.join("refs/heads/refactor-bot").join(format!("{id}.lock")), "").unwrap();
    fs::create_dir(git.join("worktrees").join(format!("{id}1"))).unwrap();
    case.cli.run(["accept", &id]).expect_code(0);
    case.assert_landed("after a git died");
    assert!(!git.join("worktrees").exists());
}

#[test]
fn sa1_two_runs_at_once_do_not_meet() {
    let case = ThreePatches::new();
    let spawn = |patch: usize| -> Child {
        let mut command = case.cli.command();
        command.arg("run").arg(case.repo.root()).arg("--patch").arg(&case.patches[patch]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children = [spawn(0), spawn(1), spawn(2)];
    let mut ids = Vec::new();
    for child in children {
        let out = child.wait_with_output().unwrap();
        let stdout = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(0), "{stdout}{}", String::from_utf8_lossy(&out.stderr));
        ids.push(stdout.split_whitespace().nth(1).unwrap().to_owned());
    }
    case.assert_untouched("after three runs at once");
    for id in &ids {
        // The second and third find the branch further on and are merged.
        case.cli.run(["accept", id]).expect_code(0);
    }
    assert_eq!(case.repo.git(&["status", "--porcelain"]), "?? scratch.txt\n");
    assert_eq!(
        case.repo.read("src/deep/new.js"),
        "export const made = 'new';\nexport const here = true;\n"
    );
    assert_eq!(case.repo.git(&["branch", "--list", "refactor-bot/*"]), "");
}

fn wait_for(what: &str, came: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_mins(1);
    while !came() {
        assert!(Instant::now() < until, "{what} never came");
        std::thread::yield_now();
    }
}

#[test]
fn sa6_ctrl_c_stops_cleanly_and_the_run_can_be_resumed() {
    let case = ThreePatches::new();
    // In a folder that git ignores, so that it stays for the second try.
    let format = "test -e build/began || { mkdir build; : > build/began; sleep 600; }";
    let mut command = case.cli.command();
    command.args(case.run_args()).arg("--format").arg(format);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the formatter", || {
        let worktrees = std::fs::read_dir(case.cli.home().join("worktrees"));
        let mut began = worktrees.into_iter().flatten().flatten();
        began.any(|worktree| worktree.path().join("build/began").exists())
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let out = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(130), "{stderr}");
    case.assert_untouched("after Ctrl-C");
    let (id, stands) = case.listed().pop().unwrap();
    let said =
        format!("error: run {id} was interrupted\nhint: continue with `refactor-bot resume {id}`");
    assert!(stderr.contains(&said), "{stderr}");
    assert_eq!(stands, "resumable");
    let resumed = case.cli.run(["resume", &id]);
    resumed.expect_code(0);
    assert!(resumed.stdout.contains("batch-004"), "{}", resumed.stdout);
    case.cli.run(["reject", &id]).expect_code(0);
    case.assert_no_trace("after Ctrl-C, resume and reject");
}

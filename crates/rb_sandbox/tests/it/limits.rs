//! What a hostile suite could use up: time, processes, memory, and the disk by its output.

use std::time::Duration;

use expect_test::expect;
use rb_core::Cancel;
use rb_sandbox::{Ended, Job, SandboxError};

use crate::fixture::{CONFINED, Fixture, With, check, check_with};

const ALL: [With; 5] =
    [With::Bubblewrap, With::Landlock, With::LandlockAlone, With::Off, With::OffAlone];

#[test]
fn ve2_exit_codes_and_signals_are_told_apart() {
    check(
        &ALL,
        "echo out; echo err >&2; exit 3",
        &expect![[r#"
        Exit(3)
        out
        err
    "#]],
    );
    check(
        &ALL,
        "kill -SEGV $$",
        &expect![[r#"
        Signal(11)
    "#]],
    );
    check(
        &ALL,
        "kill -KILL $$",
        &expect![[r#"
        Signal(9)
    "#]],
    );
    check(
        &ALL,
        "cat; echo nothing to read",
        &expect![[r#"
        Exit(0)
        nothing to read
    "#]],
    );
}

#[test]
fn sa7_a_hanging_suite_is_ended_even_if_it_will_not_listen() {
    let soon = |job: &mut Job| job.timeout = Duration::from_millis(800);
    let script =
        "trap '' TERM INT HUP; echo begun; (trap '' TERM; sleep 600) & while :; do sleep 600; done";
    check_with(
        &ALL,
        script,
        soon,
        &expect![[r#"
        timed out
        begun
    "#]],
    );
}

#[test]
fn sa7_a_fork_bomb_is_contained() {
    let few = |job: &mut Job| job.limits.processes = 30;
    // It doubles slowly enough for a machine to survive where it is not contained.
    let script = "bomb() { sleep 0.05; bomb | bomb & bomb & sleep 600; }; bomb 2>/dev/null";
    check_with(
        &ALL,
        script,
        few,
        &expect![[r#"
        TooManyProcesses(30)
    "#]],
    );
}

/// On a busy machine a bomb would outrun a watcher without priority. Only the superuser may raise it, and not in every container.
#[test]
fn sa7_whoever_watches_for_a_fork_bomb_comes_first() {
    let may_raise = || rustix::process::setpriority_process(None, -20).is_ok();
    if !std::thread::spawn(may_raise).join().unwrap() {
        return;
    }
    let nice = || rustix::process::getpriority_process(None).unwrap();
    let before = nice();
    check(
        &[With::OffAlone],
        "until sed 's/.*) //' /proc/$PPID/task/*/stat 2>/dev/null | cut -d ' ' -f 17 | grep -qx -- -20; do
            sleep 0.01
        done
        echo the watcher comes first
        test \"$(cut -d ' ' -f 19 /proc/self/stat)\" != -20 && echo the job does not",
        &expect![[r#"
        Exit(0)
        the watcher comes first
        the job does not
    "#]],
    );
    assert_eq!(nice(), before, "and no longer than that");
}

#[test]
fn sa7_memory_is_bounded() {
    let greedy = "
import time
held = []
while True:
    held.append(bytearray(8 << 20))
    time.sleep(0.01)
";
    let little = |job: &mut Job| {
        job.program = "python3".into();
        job.args = vec!["-c".into(), greedy.into()];
        job.limits.memory = Some(128 << 20);
    };
    check_with(
        &CONFINED,
        "",
        little,
        &expect![[r#"
        OutOfMemory(134217728)
    "#]],
    );
}

#[test]
fn sa7_endless_output_keeps_head_and_tail() {
    let mut all = Vec::new();
    for with in [With::Bubblewrap, With::LandlockAlone] {
        let fixture = Fixture::new();
        let script = "echo first; yes | head -c 200000000; echo last";
        let ran = fixture.run(with, &fixture.job(with, script)).unwrap();
        assert!(std::fs::metadata(&ran.stdout.path).unwrap().len() < (1 << 20) + 100);
        let captured = &ran.stdout;
        all.push(format!(
            "{:?}, {} bytes, {} kept, cut: {}\n{}",
            ran.ended,
            captured.bytes,
            captured.kept,
            captured.cut,
            captured.excerpt(20),
        ));
    }
    assert_eq!(all[0], all[1]);
    expect![[r#"
        Exit(0), 200000011 bytes, 1048576 kept, cut: true
        first
        y
        y

        [… 199999991 bytes left out …]

        y
        y
        last
    "#]]
    .assert_eq(&all[0]);
}

#[test]
fn ve2_whoever_never_stops_printing_is_read_slowly() {
    let fixture = Fixture::new();
    let mut job = fixture.job(With::Bubblewrap, "exec yes");
    job.timeout = Duration::from_secs(2);
    let ran = fixture.run(With::Bubblewrap, &job).unwrap();
    assert_eq!(ran.ended, Ended::TimedOut(job.timeout));
    // After 64 MiB at full speed, 64 KiB in a millisecond.
    let millis = u64::try_from(ran.elapsed.as_millis()).unwrap() + 1;
    assert!(ran.stdout.bytes <= (64 << 20) + (millis + 16) * (64 << 10), "{ran:?}");
}

#[test]
fn ve2_what_was_used_is_measured() {
    for with in ALL {
        let fixture = Fixture::new();
        let mut job = fixture.job(with, "");
        job.program = "python3".into();
        let burn = "import time\nheld = bytearray(64 << 20)\nwhile time.process_time() < 0.5: pass";
        job.args = vec!["-c".into(), burn.into()];
        let ran = fixture.run(with, &job).unwrap();
        assert_eq!(ran.ended, Ended::Exit(0));
        assert!(ran.peak_memory.unwrap() > 64 << 20, "{with:?} {ran:?}");
        assert!(ran.cpu.unwrap() >= Duration::from_millis(480), "{with:?} {ran:?}");
        assert!(ran.cpu.unwrap() <= ran.elapsed + Duration::from_millis(100), "{with:?} {ran:?}");
    }
}

#[test]
fn sa7_a_cancelled_run_ends_its_command() {
    for with in ALL {
        let fixture = Fixture::new();
        let sandbox = fixture.sandbox(with);
        let job = fixture.job(with, "echo begun > begun; sleep 600 & sleep 600");
        let cancel = Cancel::new();
        let ran = std::thread::scope(|scope| {
            let running = scope.spawn(|| sandbox.run(&job, &cancel));
            while !fixture.worktree().join("begun").exists() {
                std::thread::yield_now();
            }
            cancel.cancel();
            running.join().unwrap()
        });
        assert!(matches!(ran, Err(SandboxError::Cancelled(_))), "{with:?} {ran:?}");
        fixture.assert_nobody_is_left(with);
    }
}

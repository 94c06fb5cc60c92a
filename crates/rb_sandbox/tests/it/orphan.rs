//! A job must not outlive the program that started it, even if that is killed without warning.

use std::path::Path;
use std::process::Stdio;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env, Group, Streams};

use crate::fixture::{Fixture, With};

const WITHS: [With; 4] = [With::Bubblewrap, With::Landlock, With::LandlockAlone, With::Off];

#[test]
fn sa7_a_job_dies_with_the_program_that_started_it() {
    for (number, with) in WITHS.into_iter().enumerate() {
        let fixture = Fixture::new();
        std::fs::write(fixture.root.join("with"), number.to_string()).unwrap();
        // This very program, with the one test below.
        let victim = Cmd::new(std::env::current_exe().unwrap(), &Env::default())
            .args(["--exact", "orphan::victim", "--ignored"])
            .cwd(&fixture.root)
            .start(
                Streams { stdin: Stdio::null(), stdout: Stdio::null(), stderr: Stdio::null() },
                Group::Own,
            )
            .unwrap();
        while !fixture.worktree().join("begun").exists() {
            std::thread::yield_now();
        }
        // Killed, and nothing else.
        drop(victim);
        fixture.wait_until_nobody_is_left(with);
        fixture.wait_until_nothing_is_left(with);
    }
}

#[test]
#[ignore = "started by the test above, in the folder of its fixture"]
fn victim() {
    let fixture = Fixture::at(Path::new(".").canonicalize().unwrap());
    let number = std::fs::read_to_string("with").unwrap();
    let with = WITHS[number.parse::<usize>().unwrap()];
    let job = fixture.job(with, "setsid sleep 600 & echo begun > begun; sleep 600");
    fixture.sandbox(with).run(&job, &Cancel::new()).unwrap();
}

//! Decisions that come twice, too early, or too late.

use std::fs;
use std::thread;

use rb_testkit::in_time;

use super::{DIRECTIVE, NOTES, Served};

const FAILED: &str = "That did not work";

/// A run whose first change waits for approval, and the patch that its review shows.
fn waiting(served: &Served) -> (String, String) {
    let root = served.repo.root().to_str().unwrap();
    let args = ["run", root, "--no-verify", "--approve-each", "--directive", DIRECTIVE];
    let run = served.cli.run(args).expect_code(4).run_id();
    let patch = patch(served, &run);
    (run, patch)
}

/// The patch that the form of the waiting change is about.
fn patch(served: &Served, run: &str) -> String {
    let review = served.get(&format!("/runs/{run}/review")).body;
    let (_, rest) = review.split_once("name=\"patch\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[test]
fn ux4_an_approval_counts_only_for_the_change_that_was_shown() {
    in_time(|| {
        let served = Served::start(NOTES);
        let (run, shown) = waiting(&served);
        let page = format!("/runs/{run}");
        let decision = format!("{page}/decision");
        assert_eq!(served.post(&decision, "verb=accept&task=batch-001").status, 403);

        // Another try takes its place while somebody reads the first.
        let file = served.cli.home().join(&page[1..]).join("proposals/batch-001.diff");
        let first = fs::read_to_string(&file).unwrap();
        fs::write(&file, first.replace("readFile", "readFileAgain")).unwrap();
        let approve = format!("verb=accept&task=batch-001&patch={shown}");
        assert_eq!(served.post(&decision, &approve).status, 303);
        let words = "has another change of batch-001 than the one that was reviewed";
        served.wait_for(&page, words);
        assert_ne!(patch(&served, &run), shown);
        let args = ["reject", &run, "--task", "batch-001", "--if-patch", &shown];
        let refused = served.cli.run(args);
        assert!(refused.expect_code(2).stderr.contains(words), "{}", refused.stderr);

        fs::write(&file, first).unwrap();
        let shown = patch(&served, &run);
        let args = ["accept", &run, "--task", "batch-001", "--if-patch", &shown];
        served.cli.run(args).expect_code(4);
        // The run has gone on: the old error says nothing about it any more.
        let shown = served.wait_for(&page, "batch-002 is waiting for your decision.");
        assert!(!shown.contains(FAILED), "{shown}");
    });
}

#[test]
fn ux4_a_second_click_is_answered_as_the_first() {
    in_time(|| {
        let served = Served::start(NOTES);
        let (run, shown) = waiting(&served);
        let page = format!("/runs/{run}");
        let approve = format!("verb=accept&task=batch-001&patch={shown}");
        let click = |form: &str| {
            let answer = served.post(&format!("{page}/decision"), form);
            assert_eq!(answer.status, 303, "{form}: {}", answer.body);
        };
        thread::scope(|scope| {
            scope.spawn(|| click(&approve));
            scope.spawn(|| click(&approve));
        });
        served.wait_for(&page, "batch-002 is waiting for your decision.");
        click(&approve);
        // What comes right after a run waits is not too early: the process before may not have ended.
        click(&format!("verb=reject&task=batch-002&patch={}", patch(&served, &run)));
        served.wait_for(&page, "The run is finished and waits for you.");
        for _ in 0..2 {
            click("verb=reject");
        }
        let page = served.wait_for(&page, "rejected");
        assert!(!page.contains(FAILED), "{page}");
    });
}

#[test]
fn ux4_two_starts_at_a_time_lead_to_their_own_runs() {
    in_time(|| {
        let served = Served::start(NOTES);
        let start = |directive: &str| {
            let form = format!("no-verify=on&directive={}", directive.replace(' ', "+"));
            let answer = served.post("/new/run", &form);
            assert_eq!(answer.status, 303, "{}", answer.body);
            let page = answer.header("location").unwrap().to_owned();
            let title = format!("<h1>{directive}</h1>");
            let shown = served.get(&page).body;
            assert!(shown.contains(&title), "{title}: {shown}");
            page
        };
        let pages = thread::scope(|scope| {
            let starts = [
                scope.spawn(|| start(DIRECTIVE)),
                scope.spawn(|| start("Convert file operations in src/load.js to async")),
            ];
            starts.map(|start| start.join().unwrap())
        });
        assert_ne!(pages[0], pages[1]);
    });
}

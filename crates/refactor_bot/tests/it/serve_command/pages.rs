//! Every page in Chromium, light and dark, wide and narrow: no error, no request to anywhere else, no script of a foreign text, no
//! barrier that axe finds, and nothing that is wider than the window.

use rb_testkit::in_time;

use super::barriers::{Barriers, open_refused};
use super::browser::{LIMIT, Watched, button, css, wait_for_text};
use super::escaping::{HOSTILE, hostile_directive};
use super::{DIRECTIVE, NOTES};

#[test]
fn ux4_no_page_of_a_run_has_an_error_a_foreign_request_or_a_barrier() {
    in_time(|| {
        let Some(watched) = Watched::start(HOSTILE) else { return };
        let run = watched.served.run(&hostile_directive());
        let run = format!("/runs/{run}");
        check(
            &watched,
            &[
                "/runs",
                &run,
                &format!("{run}/review"),
                &format!("{run}/review?layout=split"),
                "/new",
            ],
        );
    });
}

#[test]
fn ux4_no_page_of_the_code_has_an_error_a_foreign_request_or_a_barrier() {
    in_time(|| {
        let Some(watched) = Watched::start(HOSTILE) else { return };
        check(
            &watched,
            &[
                "/map",
                "/map/graph",
                "/map/layers",
                "/code/src/%3Cscript%3Ealert(1)%3C/script%3E.js",
                "/search?q=hostile",
                "/rules",
                "/rules/js-batch-dom-css",
            ],
        );
    });
}

fn check(watched: &Watched, paths: &[&str]) {
    let (page, mut barriers) = (watched.page(), Barriers::new());
    for path in paths {
        barriers.visit(watched, &page, path);
    }
    barriers.assert_none();
}

/// A run that stops where a person decides.
fn stopped(watched: &Watched, flag: &str) -> String {
    let served = &watched.served;
    let root = served.repo.root().to_str().unwrap();
    let ran = served.cli.run(["run", root, "--no-verify", flag, "--directive", DIRECTIVE]);
    format!("/runs/{}", ran.expect_code(4).run_id())
}

#[test]
fn ux4_no_page_that_waits_for_a_person_has_a_barrier() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let plan = stopped(&watched, "--confirm");
        let gate = stopped(&watched, "--approve-each");
        let (page, mut barriers) = (watched.page(), Barriers::new());
        barriers.visit(&watched, &page, &plan);
        wait_for_text(&page, "The plan waits for you");
        barriers.visit(&watched, &page, &gate);
        wait_for_text(&page, "batch-001 is waiting for your decision.");
        barriers.visit(&watched, &page, &format!("{gate}/review"));
        page.wait_for(&css("#batch-001[open] textarea"), LIMIT).unwrap();
        barriers.assert_none();
    });
}

#[test]
fn ux4_no_question_and_no_problem_is_a_barrier() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let run = watched.served.run(DIRECTIVE);
        let (page, mut barriers) = (watched.page(), Barriers::new());

        watched.open(&page, &format!("/runs/{run}/review"));
        page.press(None, "A").unwrap();
        page.wait_for(&css("dialog[open]"), LIMIT).unwrap();
        barriers.look_at(&page, "confirmation");
        page.press(None, "Escape").unwrap();
        page.press(None, "?").unwrap();
        page.wait_for(&css("#keys[open]"), LIMIT).unwrap();
        barriers.look_at(&page, "keys");

        open_refused(&watched, &page, "/nothing", 404);
        barriers.look_at(&page, "not found");
        watched.open(&page, "/new");
        page.script("document.querySelector('input[name=key]').value = '0123'").unwrap();
        page.click(&button("Make a plan")).unwrap();
        wait_for_text(&page, "Refused");
        barriers.look_at(&page, "refused");
        barriers.assert_none();
    });
}

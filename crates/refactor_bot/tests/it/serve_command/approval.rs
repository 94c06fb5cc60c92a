//! `--approve-each` on the page, by keys alone: one change is approved and another rejected; a comment leads to a better one.

use rb_testkit::in_time;
use serde_json::json;

use super::browser::{LIMIT, Watched, button, css, link, plan, wait_for_text};
use super::{NOTES, Served};
use crate::model_runs::has_node;
use crate::model_runs::scripted::{self, Scripted};

#[test]
fn ux4_changes_are_approved_and_rejected_by_keyboard() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let repo = &watched.served.repo;
        let store = repo.read("src/store.js");
        let page = watched.page();
        let run = plan(&watched, &page, &["approve-each", "no-verify"]);
        page.click(&button("Begin with the ticked tasks")).unwrap();

        wait_for_text(&page, "batch-001 is waiting for your decision.");
        page.click(&link("Review the change")).unwrap();
        page.wait_for(&css("#batch-001[open]"), LIMIT).unwrap();
        page.press(None, "a").unwrap();

        // The review goes on to the next change by itself.
        page.wait_for(&css("#batch-002[open] textarea[name=comment]"), LIMIT).unwrap();
        page.press(None, "r").unwrap();
        page.wait_for(&css("textarea[name=comment]:focus"), LIMIT).unwrap();
        for key in ["Tab", "Tab", "Enter"] {
            page.press(None, key).unwrap();
        }

        page.wait_for(&css("button[data-key=A]"), LIMIT).unwrap();
        watched.assert_clean(&page);
        watched.open(&page, &run);
        wait_for_text(&page, "The run is finished and waits for you.");
        let badge = |task: &str| page.text(Some(&css(&format!("#{task} .badge")))).unwrap();
        assert_eq!((badge("batch-001"), badge("batch-002")), ("applied".into(), "skipped".into()));
        watched.assert_clean(&page);

        page.click(&link("Review the diffs")).unwrap();
        page.wait_for(&css("#batch-001"), LIMIT).unwrap();
        assert_eq!(page.count(&css("#batch-002")).unwrap(), 0);
        page.press(None, "A").unwrap();
        page.wait_for(&css("dialog[open]"), LIMIT).unwrap();
        page.press(None, "Enter").unwrap();
        page.wait_for(&css("#run .badge.good"), LIMIT).unwrap();
        wait_for_text(&page, "accepted");
        assert!(repo.read("src/load.js").contains("await "), "{}", repo.read("src/load.js"));
        assert_eq!(repo.read("src/store.js"), store, "its change was rejected");
    });
}

/// A model's first change waits for a decision. Its second one is better.
fn by_model() -> (Served, String) {
    let change = |new: &str| scripted::replaces("lib/alpha.js", scripted::OLD, new);
    let plan = scripted::batch("batch-001", "Use a template", &["lib/alpha.js"]);
    let answers = json!({
        "planner": [scripted::batches(&[plan])],
        "patcher": [change("  const words = `hello ${name}`;"), change(scripted::NEW)],
    });
    let case = Scripted::new(scripted::GREETINGS, &answers);
    let run = case.run(&["--approve-each", "--no-verify"]).expect_code(4).run_id();
    let Scripted { repo, cli, .. } = case;
    (Served::over(cli, repo, &[]), run)
}

#[test]
fn ux4_a_comment_on_the_page_goes_to_the_next_try_of_the_model() {
    if !has_node() {
        return;
    }
    in_time(|| {
        let mut run = String::new();
        let served = || {
            let (served, id) = by_model();
            run = id;
            served
        };
        let Some(watched) = Watched::over(served) else { return };
        let page = watched.page();
        watched.open(&page, &format!("/runs/{run}/review"));
        wait_for_text(&page, "const words =");
        page.press(None, "r").unwrap();
        page.type_text(&css("textarea[name=comment]"), "Keep the name of the constant").unwrap();
        for key in ["Tab", "Tab", "Enter"] {
            page.press(None, key).unwrap();
        }

        wait_for_text(&page, "const greeting = `hello ${name}`");
        page.press(None, "a").unwrap();
        page.wait_for(&css("button[data-key=A]"), LIMIT).unwrap();
        watched.assert_clean(&page);
        let journal = watched.served.cli.home().join("runs").join(&run).join("journal.jsonl");
        let journal = std::fs::read_to_string(journal).unwrap();
        let failed = journal.lines().find(|line| line.contains("\"try_failed\"")).unwrap();
        assert!(failed.contains("Keep the name of the constant"), "{failed}");
    });
}

//! `--approve-each` on the page: one change is approved and another rejected, by keys alone.

use rb_testkit::in_time;

use super::NOTES;
use super::browser::{LIMIT, Watched, button, css, link, plan, wait_for_text};

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

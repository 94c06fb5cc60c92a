//! A run from the form that starts it to the key that accepts it.

use std::fs;

use rb_testkit::in_time;

use super::NOTES;
use super::browser::{LIMIT, Watched, button, css, link, plan, wait_for_text};

const UNTICKED: &str = "input[value=batch-002]";

#[test]
fn ux4_a_run_is_watched_live_from_its_start_to_its_acceptance() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let repo = &watched.served.repo;
        let (load, store) = (repo.read("src/load.js"), repo.read("src/store.js"));
        let page = watched.page();
        let run = plan(&watched, &page, &["no-verify"]);
        page.click(&css(UNTICKED)).unwrap();
        page.click(&css("h1")).unwrap();

        // Another browser has the run open, and is never told to reload.
        let other = watched.page();
        watched.open(&other, &run);
        other.script("document.body.dataset.mark = 'kept'").unwrap();
        wait_for_text(&other, "The plan waits for you");

        page.click(&button("Begin with the ticked tasks")).unwrap();
        wait_for_text(&other, "The run is finished and waits for you.");
        assert_eq!(other.text(Some(&css("#batch-001 .badge"))).unwrap(), "applied");
        assert_eq!(other.attribute(&css("body"), "data-mark").unwrap().as_deref(), Some("kept"));
        assert_eq!((repo.read("src/load.js"), repo.read("src/store.js")), (load, store.clone()));
        watched.assert_clean(&other);

        other.click(&link("Review the diffs")).unwrap();
        other.wait_for(&css(".change"), LIMIT).unwrap();
        other.press(None, "A").unwrap();
        other.wait_for(&css("dialog[open]"), LIMIT).unwrap();
        other.press(None, "Enter").unwrap();
        other.wait_for(&css("#run"), LIMIT).unwrap();
        other.wait_for(&css(".badge.good"), LIMIT).unwrap();
        wait_for_text(&other, "accepted");
        assert!(
            repo.read("src/load.js").contains("await fs.promises.readFile"),
            "{}",
            repo.read("src/load.js")
        );
        assert_eq!(repo.read("src/store.js"), store, "its task was unticked");
        watched.assert_clean(&other);
        wait_for_text(&page, "accepted");
        watched.assert_clean(&page);
    });
}

#[test]
fn ux4_what_a_person_unticked_stays_unticked_when_the_page_connects_again() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let page = watched.page();
        let run = plan(&watched, &page, &["no-verify"]);
        page.click(&css(UNTICKED)).unwrap();
        // Nothing on the page has the focus now.
        page.script("document.activeElement.blur()").unwrap();
        page.script("document.querySelector('input[value=batch-001]').dataset.mark = 'old'")
            .unwrap();
        let journal = watched.served.cli.home().join(&run[1..]).join("journal.jsonl");
        let away = journal.with_extension("away");
        fs::rename(&journal, &away).unwrap();
        wait_for_text(&page, "trying again");
        fs::rename(&away, &journal).unwrap();
        page.wait_for(&css("input[value=batch-001]:not([data-mark])"), LIMIT).unwrap();
        assert_eq!(page.value(&css("input[value=batch-001]")).unwrap(), "checked");
        assert_eq!(page.value(&css(UNTICKED)).unwrap(), "unchecked");
    });
}

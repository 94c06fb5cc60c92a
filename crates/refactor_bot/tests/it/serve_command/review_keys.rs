//! The keys of the review, and decisions that are made with one click too many.

use std::fmt::Write as _;
use std::fs;

use rb_browser::Page;
use rb_testkit::{Repo, in_time};
use serde_json::{Value, json};

use super::browser::{LIMIT, Watched, css, wait_for_text};
use super::{DIRECTIVE, NOTES, Served};

/// A file that a window cannot show at once.
fn long_file(name: &str) -> String {
    (0..70).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "export const {name}{line} = {line};");
        text
    })
}

/// A run with two changes, one of two files and one of one.
fn long_run() -> (Served, String) {
    let (repo, cli) =
        (Repo::git_repo("//- package.json\n{ \"type\": \"module\" }\n"), crate::cli());
    for name in ["one", "two", "three"] {
        repo.write(&format!("{name}.js"), long_file(name));
    }
    repo.commit_all("files");
    let patch = |number: u32, names: &[&str]| {
        for name in names {
            repo.write(&format!("{name}.js"), long_file(name).replace(" = ", " = 1 + "));
        }
        let file = repo.beside(&format!("{number}.patch"));
        fs::write(&file, repo.git(&["diff"]) + "\n").unwrap();
        repo.git(&["checkout", "--quiet", "."]);
        file.display().to_string()
    };
    let (first, second) = (patch(1, &["one", "two"]), patch(2, &["three"]));
    let root = repo.root().to_str().unwrap();
    let ran = cli.run(["run", root, "--no-verify", "--patch", &first, "--patch", &second]);
    let run = ran.expect_code(0).run_id();
    (Served::over(cli, repo, &[]), run)
}

/// What has the focus or is selected, in words of the page.
const PLACE: &str = "
const focus = document.activeElement;
const files = [...document.querySelectorAll('details.file')];
const links = [...document.querySelectorAll('nav.list li a')];
return {
  change: links.findIndex((link) => link.getAttribute('aria-current') === 'true'),
  file: files.indexOf(focus.closest('details.file')),
};
";

#[track_caller]
fn assert_place(page: &Page, key: &str, change: i64, file: i64) {
    page.press(None, key).unwrap();
    let place = page.script(PLACE).unwrap();
    assert_eq!(place, json!({ "change": change, "file": file }), "after {key}");
}

fn is_open(page: &Page) -> Value {
    page.script("return [...document.querySelectorAll('details.change')].map((it) => it.open)")
        .unwrap()
}

#[test]
fn ux4_changes_and_files_are_walked_through_by_keys() {
    in_time(|| {
        let mut run = String::new();
        let served = || {
            let (served, id) = long_run();
            run = id;
            served
        };
        let Some(watched) = Watched::over(served) else { return };
        let page = watched.page();
        watched.open(&page, &format!("/runs/{run}/review"));
        assert_place(&page, "j", 0, -1);
        assert_place(&page, "j", 1, -1);
        assert_place(&page, "j", 1, -1);
        assert_place(&page, "k", 0, -1);
        assert_place(&page, "n", 0, 0);
        assert_place(&page, "n", 0, 1);
        assert_place(&page, "n", 1, 2);
        assert_place(&page, "p", 0, 1);
        assert_place(&page, "k", 0, 1);

        assert_eq!(is_open(&page), json!([true, true]));
        page.press(None, "o").unwrap();
        assert_eq!(is_open(&page), json!([false, true]));
        page.press(None, "o").unwrap();
        assert_eq!(is_open(&page), json!([true, true]));

        page.press(None, "s").unwrap();
        page.wait_for(&css(".segments a[aria-current]:last-child"), LIMIT).unwrap();
        assert!(page.url().contains("layout=split"), "{}", page.url());
        page.press(None, "?").unwrap();
        page.wait_for(&css("#keys[open]"), LIMIT).unwrap();
        page.press(None, "j").unwrap();
        page.press(None, "Escape").unwrap();
        assert_eq!(page.count(&css("dialog[open]")).unwrap(), 0);
        watched.assert_clean(&page);
    });
}

#[test]
fn ux4_a_run_is_rejected_by_keys_after_a_question() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let before = watched.served.repo.state();
        let run = format!("/runs/{}", watched.served.run(DIRECTIVE));
        let page = watched.page();
        watched.open(&page, &format!("{run}/review"));
        // The key alone, and one key too many, drop nothing.
        page.press(None, "R").unwrap();
        page.wait_for(&css("dialog[open] .danger"), LIMIT).unwrap();
        page.press(None, "Enter").unwrap();
        assert_eq!(page.count(&css("dialog[open]")).unwrap(), 0);
        assert!(watched.served.get(&run).body.contains("waits for you"));

        page.press(None, "R").unwrap();
        page.wait_for(&css("dialog[open] .danger"), LIMIT).unwrap();
        page.click(&css("dialog[open] .danger")).unwrap();
        page.wait_for(&css("#run"), LIMIT).unwrap();
        wait_for_text(&page, "rejected");
        before.assert_same(&watched.served.repo.state(), "by a run that was rejected");
        watched.assert_clean(&page);
    });
}

#[test]
fn ux4_a_double_click_decides_once() {
    in_time(|| {
        let Some(watched) = Watched::start(NOTES) else { return };
        let served = &watched.served;
        let root = served.repo.root().to_str().unwrap();
        let order = ["run", root, "--no-verify", "--approve-each", "--directive", DIRECTIVE];
        let run = format!("/runs/{}", served.cli.run(order).expect_code(4).run_id());
        let page = watched.page();
        watched.open(&page, &format!("{run}/review"));
        page.script(
            "const button = document.querySelector('#batch-001 [data-key=a]'); button.click(); button.click();",
        )
        .unwrap();
        served.wait_for(&run, "batch-002 is waiting for your decision.");
        // The first page goes on to the next change by itself, whatever is opened in it meanwhile.
        let page = watched.page();
        watched.open(&page, &run);
        wait_for_text(&page, "batch-002 is waiting for your decision.");
        let badge = page.text(Some(&css("#batch-001 .badge"))).unwrap();
        assert_eq!(badge, "applied");
        watched.assert_clean(&page);
    });
}

//! The pages of katas, tickets and questions that have come to their end, made by recordings and by answers that are written beforehand.

use std::fs;
use std::path::Path;

use rb_browser::Page;
use rb_testkit::{Cli, in_time};
use serde_json::json;

use super::Served;
use super::barriers::Barriers;
use super::browser::{LIMIT, Watched, css, wait_for_text};
use crate::examples::copy_of;
use crate::model_runs::has_node;
use crate::model_runs::scripted::{GREETINGS, Scripted};

fn recording(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replayed");
    folder.join(name).display().to_string()
}

const MODEL: [&str; 6] =
    ["--provider", "anthropic", "--model", "claude-sonnet-5", "--budget-usd", "5"];

/// The address of the only run.
fn only_run(cli: &Cli) -> String {
    let mut runs = fs::read_dir(cli.home().join("runs")).unwrap();
    format!("/runs/{}", runs.next().unwrap().unwrap().file_name().into_string().unwrap())
}

/// The text of every element that matches.
fn texts(page: &Page, selector: &str) -> Vec<String> {
    let code = format!(
        "return [...document.querySelectorAll('{selector}')].map((it) => it.textContent.trim())"
    );
    serde_json::from_value(page.script(&code).unwrap()).unwrap()
}

/// What the page of every finished run with a model has.
fn assert_usual_parts(page: &Page) {
    let tiles = texts(page, "#run-head .tiles li");
    let cost = tiles.iter().find(|tile| tile.contains("cap")).unwrap();
    assert!(cost.starts_with('$') && cost.contains(" of $5.00"), "{tiles:?}");
    assert!(texts(page, "#run-steps .steps .done").len() > 3);
    let charts = texts(page, "#run-charts figcaption");
    for title in ["Time by step", "Tokens by role"] {
        assert!(charts.iter().any(|chart| chart.contains(title)), "{charts:?}");
    }
    let log = texts(page, "#run-log > li b");
    for event in ["run started", "model called"] {
        assert!(log.iter().any(|line| line == event), "{event}: {log:?}");
    }
    let drawn = page.script(
        "document.querySelector('details.graph').open = true;
         const { width, height } = document.querySelector('details.graph svg').getBoundingClientRect();
         return width > 100 && height > 100",
    );
    assert_eq!(drawn.unwrap(), true);
}

fn assert_no_barrier(watched: &Watched, page: &Page, path: &str) {
    let mut barriers = Barriers::new();
    barriers.visit(watched, page, path);
    barriers.assert_none();
}

/// A kata that was developed from its recording.
fn kata() -> Served {
    let (repo, cli) = copy_of("notes");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/katas/fizzbuzz.md");
    let work = cli.user_dir().join("work").display().to_string();
    let tape = recording("fizzbuzz-python.jsonl");
    let order = ["kata", file.to_str().unwrap(), "--language", "python", "--work-dir", &work];
    cli.run([&order[..], &MODEL, &["--replay", &tape]].concat()).expect_code(0);
    Served::over(cli, repo, &[])
}

#[test]
fn ux4_the_page_of_a_kata_shows_its_cycles() {
    let Some(watched) = Watched::over(kata) else { return };
    in_time(move || {
        let run = only_run(&watched.served.cli);
        let page = watched.page();
        watched.open(&page, &run);
        assert_usual_parts(&page);
        let cycles = texts(&page, "#run-work .cycles > li > b");
        assert!(cycles.len() >= 9, "{cycles:?}");
        let stages = texts(&page, ".cycles > li:nth-child(6) li");
        let begins = |name: &str| stages.iter().any(|stage| stage.starts_with(name));
        assert!(["red", "green", "refactor"].map(begins).iter().all(|it| *it), "{stages:?}");
        assert!(stages.iter().any(|stage| stage.contains("feat: say FizzBuzz")), "{stages:?}");
        assert_eq!(texts(&page, "#run-head .badge"), ["complete"]);
        assert_eq!(texts(&page, "svg .here"), Vec::<String>::new(), "no node is active");
        assert_no_barrier(&watched, &page, &run);
    });
}

/// A ticket that was implemented from its recording: the browser finds what the first try forgot.
fn ticket() -> Served {
    let (repo, cli) = copy_of("storefront");
    let root = repo.root().to_str().unwrap().to_owned();
    let ticket = format!("{root}/tickets/SHOP-31-points.md");
    let order = ["ticket", &ticket, &root];
    let tape = recording("shop-31.jsonl");
    cli.run([&order[..], &MODEL, &["--replay", &tape]].concat()).expect_code(0);
    Served::over(cli, repo, &[])
}

/// Loads every picture, also those that are out of sight, and gives the sizes.
const PICTURES: &str = "
const sizes = [];
for (const image of document.querySelectorAll('.pictures img')) {
  image.loading = 'eager';
  await image.decode();
  sizes.push([image.naturalWidth, image.naturalHeight]);
}
return sizes;
";

#[test]
fn ux4_the_page_of_a_ticket_shows_its_rounds_with_their_screenshots() {
    if !has_node() {
        return;
    }
    let Some(watched) = Watched::over(ticket) else { return };
    in_time(move || {
        let run = only_run(&watched.served.cli);
        let page = watched.page();
        watched.open(&page, &run);
        assert_usual_parts(&page);
        let title = texts(&page, "h1").concat();
        assert_eq!(title.matches("SHOP-31").count(), 1, "{title}");
        let rounds = texts(&page, "#run-work h2");
        assert!(
            ["Round 1", "Round 2"].iter().all(|it| rounds.iter().any(|h2| h2 == it)),
            "{rounds:?}"
        );
        for words in
            ["4 of 7 checks met", "7 of 7 checks met", "the page shows \"+ loyalty points\""]
        {
            wait_for_text(&page, words);
        }
        let sizes: Vec<(u32, u32)> =
            serde_json::from_value(page.script(PICTURES).unwrap()).unwrap();
        assert!(sizes.len() > 5, "{sizes:?}");
        assert!(sizes.iter().all(|size| size.0 > 10 && size.1 > 10), "{sizes:?}");
        let here =
            page.script("return document.querySelector('#run-steps .steps .here').innerText");
        assert!(here.unwrap().as_str().unwrap().contains("decide"));
        let drawn = page.script("return document.querySelector('svg .here') !== null");
        assert_eq!(drawn.unwrap(), true, "the active node in the graph");
        watched.assert_clean(&page);
        let mut barriers = Barriers::new();
        barriers.visit(&watched, &page, &run);
        let review = format!("{run}/review");
        barriers.visit(&watched, &page, &review);
        assert!(texts(&page, "details.file .path").contains(&"public/list.js".to_owned()));
        barriers.assert_none();
    });
}

/// A question that a model answered after it had read one file.
fn question() -> Served {
    let citation = json!({
        "path": "lib/alpha.js", "first_line": 3, "last_line": 3,
        "quote": "const greeting = 'hello ' + name;",
    });
    let statement =
        json!({ "text": "`alpha` puts `hello` before the `name`.", "citations": [citation] });
    let section = json!({ "heading": "Greetings", "statements": [statement] });
    let read = json!({"id": "c1", "name": "read_file", "input": {"path": "lib/alpha.js"}});
    let answer = json!({"value": {"sections": [section], "not_found": []}});
    let answers = json!({ "explorer": [{"tool_calls": [read]}, answer] });
    let Scripted { repo, cli, .. } = Scripted::new(GREETINGS, &answers);
    let root = repo.root().to_str().unwrap();
    let order = ["ask", root, "how does alpha greet?", "--provider", "command"];
    cli.run(order).expect_code(0);
    Served::over(cli, repo, &[])
}

#[test]
fn ux4_the_page_of_a_question_shows_the_answer_and_its_source() {
    if !has_node() {
        return;
    }
    in_time(|| {
        let Some(watched) = Watched::over(question) else { return };
        let run = only_run(&watched.served.cli);
        let page = watched.page();
        watched.open(&page, &run);
        assert_eq!(texts(&page, "h1"), ["how does alpha greet?"]);
        assert_eq!(texts(&page, ".answer h3"), ["Greetings"]);
        assert_eq!(texts(&page, ".answer .claim.verified").len(), 1);
        assert_eq!(texts(&page, ".answer a.cite"), ["lib/alpha.js:3"]);
        let tiles = texts(&page, "#run-head .tiles li");
        assert!(tiles.iter().any(|tile| tile.starts_with("1 of 1")), "{tiles:?}");
        assert!(texts(&page, "#run-log > li b").contains(&"model called".to_owned()));
        page.click(&css("a.cite")).unwrap();
        page.wait_for(&css(".line.marked"), LIMIT).unwrap();
        let expected = watched.served.url("/code/lib/alpha.js?lines=3");
        assert!(page.url().starts_with(&expected), "{}", page.url());
        let marked = texts(&page, ".line.marked").concat();
        assert!(marked.contains("const greeting = 'hello ' + name;"), "{marked}");
        watched.assert_clean(&page);
        assert_no_barrier(&watched, &page, &run);
    });
}

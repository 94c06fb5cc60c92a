//! Tickets that were implemented by hand at a model's desk, recorded: the same answers give the same change, and a real Chromium
//! comes to the same verdicts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use rb_testkit::Cli;
use rb_testkit::stub::Stub;
use serde_json::Value;

use crate::examples::copy_of;
use crate::replayed::{Answers, KEY, answer_at, events, lines};

/// A ticket of the example `storefront`, by the names of its file and of its recording.
struct Recorded {
    ticket: &'static str,
    name: &'static str,
}

/// What is to be seen: a layout.
const PHONE: Recorded = Recorded { ticket: "SHOP-12-phone-layout", name: "shop-12" };
/// What is to be done: a search.
const SEARCH: Recorded = Recorded { ticket: "SHOP-27-search", name: "shop-27" };
/// The first implementation forgets two places, and the browser finds them.
const POINTS: Recorded = Recorded { ticket: "SHOP-31-points", name: "shop-31" };

#[test]
fn tk2_tk3_a_visual_ticket_is_replayed() {
    check(&PHONE);
}

#[test]
fn tk2_tk3_a_ticket_about_behaviour_is_replayed() {
    check(&SEARCH);
}

#[test]
fn tk2_tk3_tk4_a_wrong_implementation_is_found_in_the_browser_and_fixed() {
    check(&POINTS);
}

/// Nothing is checked where there is no Node or no Chromium.
fn check(recorded: &Recorded) {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("node") || !has("chromium") {
        return;
    }
    let tape = recorded.file("jsonl");
    let told = recorded.run(&crate::cli(), &["--replay", tape.to_str().unwrap()]);
    expect_file![recorded.file("txt")].assert_eq(&told);
    let text = fs::read_to_string(&tape).unwrap();
    for place in ["/tmp/", "/home/", "/root/", "/Users/", "/work/"] {
        assert!(!text.contains(place), "{} names {place}", tape.display());
    }
}

impl Recorded {
    fn file(&self, ending: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replayed");
        folder.join(format!("{}.{ending}", self.name))
    }

    /// Implements the ticket and rejects the change. What is told is every round, what the agents returned, and the pull request
    /// without what differs from run to run.
    fn run(&self, cli: &Cli, more: &[&str]) -> String {
        let repo = copy_of("storefront").0;
        let before = repo.state();
        let root = repo.root().to_str().unwrap().to_owned();
        let ticket = format!("{root}/tickets/{}.md", self.ticket);
        let order = ["ticket", &ticket, &root];
        let asked = ["--provider", "anthropic", "--model", "claude-sonnet-5"];
        let ran = cli.run([&order[..], &asked, more].concat());
        ran.expect_code(0);
        before.files().assert_same(&repo.state().files(), "by a ticket that was not accepted");
        let id = ran.run_id();
        let dir = cli.home().join("runs").join(&id);
        let report = dir.join("report");
        let mut told = rounds(&dir);
        let names =
            ["impl.json", "fix-1.json", "verify-1.json", "verify-2.json", "change.diff", "pr.md"];
        for name in names {
            let Ok(text) = fs::read_to_string(report.join(name)) else { continue };
            let _ = write!(told, "--- {name}\n{}\n", steady(&text).replace(&id, "RUN"));
        }
        assert_pictures(&report.join("evidence"));
        cli.run(["reject", &id]).expect_code(0);
        told
    }
}

/// How each look ended.
fn rounds(dir: &Path) -> String {
    let journal = events(&fs::read_to_string(dir.join("journal.jsonl")).unwrap());
    let is_look = |event: &&Value| event["event"] == "browsed";
    let line = |event: &Value| {
        format!("round {}: {} of {} met\n", event["number"], event["met"], event["checks"])
    };
    journal.iter().filter(is_look).map(line).collect()
}

/// Without commits and hashes, which hold times and pixels.
fn steady(text: &str) -> String {
    let is_hash = |word: &str| word.len() >= 7 && word.bytes().all(|it| it.is_ascii_hexdigit());
    let words = |line: &str| {
        let mut out = String::new();
        for part in line.split_inclusive(|it: char| !it.is_ascii_alphanumeric()) {
            let word = part.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
            let rest = &part[word.len()..];
            out += if is_hash(word) { "HASH" } else { word };
            out += rest;
        }
        out
    };
    text.lines().map(|line| words(line) + "\n").collect()
}

/// Every picture of the manifest is there, and is a picture.
fn assert_pictures(evidence: &Path) {
    let manifest = fs::read_to_string(evidence.join("evidence.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let pictures = manifest["pictures"].as_array().unwrap();
    assert!(pictures.len() > 3, "{manifest}");
    for picture in pictures {
        let bytes = fs::read(evidence.join(picture["file"].as_str().unwrap())).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
        assert_eq!(picture["sha256"], rb_core::Sha256::of(&bytes).to_string(), "{picture}");
    }
}

/// For whoever changed a prompt on purpose: the recorded answers are given to the prompts of now.
#[test]
#[ignore = "it writes the recordings anew"]
fn record_tickets_anew() {
    for recorded in [&PHONE, &SEARCH, &POINTS] {
        let tape = recorded.file("jsonl");
        let answers = Answers::of(&tape);
        let stub = Stub::new(move |seen, _| answers.reply(seen));
        let fresh = tape.with_extension("part");
        let _ = fs::remove_file(&fresh);
        let cli = crate::cli().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        let file = fresh.to_str().unwrap().to_owned();
        recorded.run(&cli, &["--budget-usd", "5", "--record", &file]);
        assert!(!lines(&fresh).is_empty());
        fs::rename(&fresh, &tape).unwrap();
    }
}

//! The real Claude Code as the agent of a ticket, against a scripted service and with a real browser. Nothing is checked where one of
//! them is not installed.

use rb_testkit::stub::{Seen, Stub};
use serde_json::{Value, json};

use super::Shop;
use super::refusals::has_chromium;
use crate::agent_runs::claude_code::{claude, edited, logged_in};

const EDITS: [(&str, &str); 3] = [
    ("main {\n  width: 960px;", "main {\n  max-width: 960px;"),
    (
        "  width: 320px;\n  margin-left: 8px;",
        "  width: 320px;\n  max-width: 100%;\n  box-sizing: border-box;",
    ),
    (
        "grid-template-columns: repeat(3, 288px);",
        "grid-template-columns: repeat(auto-fill, minmax(min(264px, 100%), 1fr));",
    ),
];

#[test]
fn tk2_tk3_ag1_real_claude_code_does_a_ticket() {
    let Some(claude) = claude().filter(|_| has_chromium()) else { return };
    let stub = Stub::new(|seen, _| edited(seen, "public/style.css", &EDITS, "It fits a phone."));
    let mut shop = Shop::new();
    logged_in(&mut shop.cli, claude, &stub);
    let before = shop.repo.state();
    let ticket = "tickets/SHOP-12-phone-layout.md";
    let agent = ["--agent", "claude-code", "--budget-usd", "5"];
    let ran = shop.ticket(&[&[ticket, "--json"][..], &agent].concat());
    let seen: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    let told = format!("{seen}\n{}", ran.stderr);
    assert_eq!(seen["verdicts"], json!({ "tests": "pass", "browser": "pass" }), "{told}");
    assert_eq!(seen["rounds"].as_array().unwrap().len(), 1, "{told}");
    before.assert_same(&shop.repo.state(), "before it is accepted");
    let asked: Vec<Seen> =
        stub.seen().into_iter().filter(|seen| seen.line.starts_with("POST")).collect();
    assert_eq!(asked.len(), EDITS.len() + 2, "one session, which nobody repeats");
    assert!(asked[0].body.contains("SHOP-12"), "{}", asked[0].body);

    let accepted = shop.cli.run(["accept", seen["run"].as_str().unwrap()]);
    assert!(accepted.expect_code(0).stdout.contains("Accepted: "), "{}", accepted.stdout);
    assert!(shop.repo.read("public/style.css").contains("max-width: 960px"));
}

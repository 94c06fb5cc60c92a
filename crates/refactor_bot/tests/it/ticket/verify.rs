//! `ticket verify`: branches of the sample shop in a real browser.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use super::Shop;

const PHONE: &str = include_str!("SHOP-12.patch");
const SEARCH: &str = include_str!("SHOP-27.patch");
const POINTS: &str = include_str!("SHOP-31.patch");
const POINTS_FIRST: &str = include_str!("SHOP-31-first.patch");

const POINTS_TICKET: &str = "tickets/SHOP-31-points.md";

#[test]
fn tk3_tk5_branches_that_meet_their_criteria_pass() {
    let shop = Shop::new();
    shop.branch("phone", &[PHONE]);
    shop.branch("search", &[SEARCH]);
    let before = shop.repo.state();
    for (ticket, branch) in
        [("tickets/SHOP-12-phone-layout.md", "phone"), ("tickets/SHOP-27-search.md", "search")]
    {
        let ran = shop.ticket(&["verify", ticket, branch]);
        assert!(!ran.expect_code(0).stdout.contains("not met"), "{}", ran.stdout);
    }
    shop.assert_untouched(&before);
}

#[test]
fn tk3_tk5_a_finished_branch_passes_with_evidence() {
    let shop = Shop::new();
    shop.branch("points", &[POINTS]);
    let before = shop.repo.state();
    let output = shop.repo.beside("evidence");
    let args = ["verify", POINTS_TICKET, "points", "--json", "--output", output.to_str().unwrap()];
    let ran = shop.ticket(&args);
    let seen: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert_eq!(seen["verdict"], "pass", "{seen}");
    assert_eq!(seen["report"]["passed"], true, "{seen}");
    assert_eq!(seen["commit"], shop.repo.git(&["rev-parse", "points"]).trim(), "{seen}");
    for name in ["evidence.json", "verify.json", "proof-C1.png", "proof-C4.png"] {
        assert!(output.join(name).is_file(), "{name}");
    }
    let picture = fs::read(output.join("proof-C4.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "a screenshot");
    shop.assert_untouched(&before);
    shop.assert_no_run();
}

/// The first implementation forgets what is made when the page is used.
#[test]
fn tk3_tk5_a_half_finished_branch_is_found_out() {
    let shop = Shop::new();
    shop.branch("first", &[POINTS_FIRST]);
    let before = shop.repo.state();
    let output = shop.repo.beside("evidence").display().to_string();
    let shop = Shop { cli: shop.cli.hide(output.clone(), "[OUTPUT]"), ..shop };
    let args = ["verify", POINTS_TICKET, "first", "--output", &output];
    expect![[r#"
        exit 7
        --- stdout
        SHOP-31: Products show "+ loyalty points" instead of the points
        commit  [OID] (first)
        app     node server.js (package.json has the script `start`)
        C1    met          The page / shows "Earn 24 points".
        C2    met          The page / no longer shows "+ loyalty points".
        C3    not met      Quick view; expected: the page does not show "+ loyalty points"; actual: the page shows "+ loyalty points"  (issue-C3.png)
        C4    not met      Quick view of another product; expected: the page does not show "+ loyalty points"; actual: the page shows "+ loyalty points"  (issue-C4.png)
        C5    not met      Cart; expected: the page shows "Earn 36 points"; actual: the page shows: Storefront Cart (2) Cart Product Quantity Price Stoneware teapot 1 €24.00 Green tea 1 €12.00 Total €36.00 + loyalty points  (issue-C5.png)
        page  met          The page / loads without errors
        page  met          The page /cart loads without errors

        4 of 7 checks met
        Evidence: [OUTPUT]
        --- stderr
        looking at the application
    "#]].assert_eq(&shop.shown(&args));
    shop.assert_untouched(&before);
}

#[test]
fn tk3_nothing_that_can_be_checked_is_no_pass() {
    let mut shop = Shop::new();
    shop.cli = shop
        .cli
        .stdin("# Shop\n\n## Acceptance criteria\n- The shop feels friendlier than before.\n");
    let ran = shop.ticket(&["verify", "-", "HEAD"]);
    assert!(ran.expect_code(7).stdout.contains("Nothing was checked"), "{}", ran.stdout);
}

#[test]
fn tk3_a_server_that_does_not_start_is_no_pass() {
    let shop = Shop::new();
    let args =
        ["verify", POINTS_TICKET, "HEAD", "--preview", "echo no such shop; exit 3", "--json"];
    let ran = shop.ticket(&args);
    let seen: Value = serde_json::from_str(&ran.expect_code(7).stdout).unwrap();
    assert_eq!(seen["verdict"], "fail", "{seen}");
    let issues = seen["report"]["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 1, "{seen}");
    assert_eq!(issues[0]["severity"], "critical", "{seen}");
}

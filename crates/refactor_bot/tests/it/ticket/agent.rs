//! A whole ticket with a coding agent and without a model: the first try forgets the quick view, the browser finds it, the fix lands.

use std::fs;

use serde_json::Value;

use super::Shop;

pub(super) const TICKET: &str = "tickets/SHOP-31-points.md";

pub(super) const AGENT: &str = "sh agent/agent.sh {prompt_file}";

/// Applies the wrong solution first, and what is missing when it is asked again.
const SCRIPT: &str = "\
if grep -q 'item.querySelector(.*points' public/list.js
then git apply -p1 agent/fix.patch
else git apply -p1 agent/first.patch
fi
";
/// The same without a change to a test.
const WITHOUT_TESTS: &str = "\
if grep -q 'item.querySelector(.*points' public/list.js
then git apply -p1 --exclude='test/*' agent/fix.patch
else git apply -p1 agent/first.patch
fi
";
/// The same, with a test that checks nothing any more.
const WEAKENING: &str = "\
if grep -q 'item.querySelector(.*points' public/list.js
then
  git apply -p1 --exclude='test/*' agent/fix.patch
  sed -i 's/assert.equal(total(cart), 4650);//' test/shop.test.js
else git apply -p1 agent/first.patch
fi
";

fn shop() -> Shop {
    shop_with(SCRIPT)
}

/// Where the agent leaves the tests alone.
pub(super) fn shop_without_tests() -> Shop {
    shop_with(WITHOUT_TESTS)
}

fn shop_with(script: &str) -> Shop {
    let shop = Shop::new();
    shop.repo.write("agent/agent.sh", script);
    shop.repo.write("agent/first.patch", include_str!("SHOP-31-first.patch"));
    shop.repo.write("agent/fix.patch", include_str!("SHOP-31-fix.patch"));
    shop.repo.commit_all("agent");
    shop
}

#[test]
fn tk2_tk3_ag1_an_agent_implements_and_fixes_and_the_change_lands_and_goes_back() {
    let shop = shop();
    let before = shop.repo.state();
    let args = [TICKET, "--agent", "sh agent/agent.sh {prompt_file}", "--json"];
    let ran = shop.ticket(&args);
    let seen: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert_eq!(seen["stands"], "waiting for you", "{seen}");
    assert_eq!(
        seen["verdicts"],
        serde_json::json!({ "tests": "pass", "browser": "pass" }),
        "{seen}"
    );
    let rounds = seen["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2, "{seen}");
    assert!(!rounds[0]["issues"].as_array().unwrap().is_empty(), "{seen}");
    assert_eq!(rounds[1]["issues"], serde_json::json!([]), "{seen}");
    before.assert_same(&shop.repo.state(), "before it is accepted");

    let id = seen["run"].as_str().unwrap();
    let report = std::path::Path::new(seen["report"].as_str().unwrap());
    let text = fs::read_to_string(report.join("pr.md")).unwrap();
    assert!(text.contains("Earn 24 points"), "{text}");
    assert!(report.join("evidence/proof-C4.png").is_file());

    let listed = shop.cli.run(["runs", "list"]);
    assert!(listed.expect_code(0).stdout.contains("SHOP-31, 2 rounds"), "{}", listed.stdout);
    let diff = shop.cli.run(["runs", "show", id, "--diff", "--no-pager"]);
    assert!(diff.expect_code(0).stdout.contains("+++ b/public/quick-view.js"), "{}", diff.stdout);
    let task = shop.cli.run(["accept", id, "--task", "batch-001"]);
    assert!(task.expect_code(2).stderr.contains("not decided on one by one"), "{}", task.stderr);

    let accepted = shop.cli.run(["accept", id]);
    assert!(accepted.expect_code(0).stdout.contains("Accepted: "), "{}", accepted.stdout);
    assert!(shop.repo.read("public/quick-view.js").contains("points"));
    let undone = shop.cli.run(["rollback", id]);
    assert!(undone.expect_code(0).stdout.contains("Rolled back: "), "{}", undone.stdout);
    before.files().assert_same(&shop.repo.state().files(), "after the rollback");
    let listed = shop.cli.run(["runs", "list"]);
    assert!(listed.expect_code(0).stdout.contains("rolled back"), "{}", listed.stdout);
    let gone = shop.cli.run(["runs", "gc", "--older-than", "0"]);
    assert!(gone.expect_code(0).stdout.contains("rolled back"), "{}", gone.stdout);
}

/// Without a round to fix it, the run waits with what was found, and is not accepted by `--yes`.
#[test]
fn tk3_criteria_that_are_not_met_are_never_accepted_unseen() {
    let shop = shop();
    let before = shop.repo.state();
    let agent = "sh agent/agent.sh {prompt_file}";
    let ran = shop.ticket(&[TICKET, "--agent", agent, "--max-rounds", "0", "--yes"]);
    assert!(ran.expect_code(7).stdout.contains("Not all criteria are met"), "{}", ran.stdout);
    let refused = shop.cli.run(["accept", "latest"]);
    assert!(refused.expect_code(1).stderr.contains("fails its checks"), "{}", refused.stderr);
    let rejected = shop.cli.run(["reject", "latest"]);
    assert!(rejected.expect_code(0).stdout.contains("Rejected: "), "{}", rejected.stdout);
    before.files().assert_same(&shop.repo.state().files(), "after the rejection");
    assert_eq!(shop.repo.git(&["branch", "--list", "refactor-bot/*"]), "");
}

/// Tests and browser pass, but the agent weakened a test: neither `--yes` nor `--push` takes it unseen.
#[test]
fn tk4_ag1_a_changed_test_waits_for_a_person() {
    let shop = shop_with(WEAKENING);
    let remote = super::push::bare_remote(&shop);
    let before = (shop.repo.state(), rb_testkit::State::of(&remote));
    let ran = shop.ticket(&[TICKET, "--agent", AGENT, "--push", "--yes"]);
    let seen = "batch-002 changes tests: make sure that the agent did not weaken them.";
    assert!(ran.expect_code(4).stdout.contains(seen), "{}", ran.stdout);
    assert!(ran.stdout.contains("browser, round 2: "), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("nothing was pushed: {seen}")), "{}", ran.stderr);
    before.0.assert_same(&shop.repo.state(), "unseen");
    before.1.assert_same(&rb_testkit::State::of(&remote), "unseen");
    let accepted = shop.cli.run(["accept", "latest"]);
    assert!(accepted.expect_code(0).stdout.contains("Accepted: "), "{}", accepted.stdout);
}

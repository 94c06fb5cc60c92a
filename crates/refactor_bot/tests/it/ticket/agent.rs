//! A whole ticket with a coding agent and without a model: the first try forgets the quick view, the browser finds it, the fix lands.

use std::fs;

use serde_json::Value;

use super::Shop;

const TICKET: &str = "tickets/SHOP-31-points.md";

/// Applies the wrong solution first, and what is missing when it is asked again.
const SCRIPT: &str = "\
if grep -q 'item.querySelector(.*points' public/list.js
then git apply -p1 agent/fix.patch
else git apply -p1 agent/first.patch
fi
";

fn shop() -> Shop {
    let shop = Shop::new();
    shop.repo.write("agent/agent.sh", SCRIPT);
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

/// A remote on this machine gets the branch, and nothing else.
#[test]
fn tk4_what_passed_is_pushed_to_a_branch_of_its_own() {
    let shop = shop();
    let remote = shop.repo.beside("remote.git");
    shop.repo.git(&["init", "--quiet", "--bare", remote.to_str().unwrap()]);
    shop.repo.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
    let agent = "sh agent/agent.sh {prompt_file}";
    let ran = shop.ticket(&[TICKET, "--agent", agent, "--push"]);
    assert!(ran.expect_code(0).stdout.contains("Pushed: fix/SHOP-31-"), "{}", ran.stdout);
    let heads = shop.repo.git(&["ls-remote", "--heads", "origin"]);
    assert_eq!(heads.lines().count(), 1, "{heads}");
    assert!(heads.contains("refs/heads/fix/SHOP-31-"), "{heads}");
}

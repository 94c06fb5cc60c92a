//! Branches of tickets: pushed to a remote with a pull request, kept in the repository, and recorded as they are.

use std::fs;
use std::path::{Path, PathBuf};

use rb_testkit::State;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::Shop;
use super::agent::{AGENT, TICKET, shop_without_tests};

const TOKEN: &str = "ghp_secret0123456789";
const BRANCH: &str = "fix/SHOP-31-";

/// `origin` on this machine, with the branch of the shop.
pub(super) fn bare_remote(shop: &Shop) -> PathBuf {
    let remote = shop.repo.beside("remote.git");
    shop.repo.git(&["init", "--quiet", "--bare", remote.to_str().unwrap()]);
    shop.repo.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
    shop.repo.git(&["push", "--quiet", "origin", "HEAD"]);
    remote
}

fn report(shop: &Shop) -> PathBuf {
    let shown = shop.cli.run(["runs", "show", "latest", "--json"]);
    let seen: Value = serde_json::from_str(&shown.expect_code(0).stdout).unwrap();
    PathBuf::from(seen["report"].as_str().unwrap())
}

/// The branch that `impl.json` names.
fn recorded(report: &Path) -> String {
    let text = fs::read_to_string(report.join("impl.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    result["branch_name"].as_str().unwrap().to_owned()
}

/// A remote on this machine gets the branch, and nothing else.
#[test]
fn tk4_what_passed_is_pushed_to_a_branch_of_its_own() {
    let shop = shop_without_tests();
    bare_remote(&shop);
    let ran = shop.ticket(&[TICKET, "--agent", AGENT, "--push"]);
    assert!(ran.expect_code(0).stdout.contains(&format!("Pushed: {BRANCH}")), "{}", ran.stdout);
    let heads = shop.repo.git(&["ls-remote", "--heads", "origin"]);
    assert_eq!(heads.lines().count(), 2, "{heads}");
    let name = recorded(&report(&shop));
    assert!(name.starts_with(BRANCH) && heads.contains(&format!("refs/heads/{name}")), "{heads}");
}

/// GitHub gets the branch by `remote.origin.pushurl`, here a repository on this machine, and a draft without links to pictures that
/// it does not have.
#[test]
fn tk4_a_draft_pull_request_is_opened_for_the_pushed_branch() {
    let server = Stub::new(|seen, _| match seen.line.split(' ').next() {
        Some("POST") => {
            let opened = json!({"number": 12, "html_url": "https://github.com/acme/shop/pull/12"});
            Reply::status(201, opened.to_string())
        }
        _ => Reply::ok("[]"),
    });
    let mut shop = shop_without_tests();
    let remote = bare_remote(&shop);
    let origin = format!("https://127.0.0.1:{}/acme/shop.git", server.port());
    shop.repo.git(&["config", "remote.origin.url", &origin]);
    shop.repo.git(&["config", "remote.origin.pushurl", remote.to_str().unwrap()]);
    shop.cli.set_env("GITHUB_TOKEN", TOKEN);
    let url = format!("ticket.github_url={}", server.url());
    let ran = shop.ticket(&[TICKET, "--agent", AGENT, "--push", "--set", &url]);
    let link = "Pull request: https://github.com/acme/shop/pull/12";
    assert!(ran.expect_code(0).stdout.contains(link), "{}", ran.stdout);
    assert!(!format!("{}{}", ran.stdout, ran.stderr).contains(TOKEN));

    let report = report(&shop);
    let name = recorded(&report);
    let tip =
        shop.repo.git(&["ls-remote", remote.to_str().unwrap(), &format!("refs/heads/{name}")]);
    assert!(name.starts_with(BRANCH) && !tip.is_empty(), "{name}: {tip}");

    let seen = server.seen();
    let lines: Vec<&str> = seen.iter().map(|seen| seen.line.as_str()).collect();
    let found = format!("GET /repos/acme/shop/pulls?state=open&head=acme:{name}");
    assert_eq!(lines, [found.as_str(), "POST /repos/acme/shop/pulls"]);
    assert_eq!(seen[1].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    let sent: Value = serde_json::from_str(&seen[1].body).unwrap();
    let base = shop.repo.git(&["branch", "--show-current"]);
    assert_eq!((&sent["head"], &sent["base"]), (&json!(name), &json!(base.trim())), "{sent}");
    assert_eq!(sent["draft"], true, "{sent}");
    let body = sent["body"].as_str().unwrap();
    assert!(!body.contains("](evidence/"), "{body}");
    let local = fs::read_to_string(report.join("pr.md")).unwrap();
    assert!(local.contains("![proof-C4.png](evidence/proof-C4.png)"), "{local}");
    let manifest = fs::read_to_string(report.join("evidence/evidence.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    for picture in manifest["pictures"].as_array().unwrap() {
        assert!(body.contains(picture["sha256"].as_str().unwrap()), "{picture}: {body}");
    }
}

/// A push URL of another repository would send the branch where no pull request can find it.
#[test]
fn tk4_a_push_to_another_repository_is_refused() {
    let mut shop = shop_without_tests();
    shop.cli.set_env("GITHUB_TOKEN", TOKEN);
    shop.repo.git(&["remote", "add", "origin", "https://github.com/acme/shop.git"]);
    shop.repo.git(&["config", "remote.origin.pushurl", "git@github.com:me/shop.git"]);
    let ran = shop.ticket(&[TICKET, "--agent", AGENT, "--push"]);
    let words = "`remote.origin.pushurl` is another repository";
    assert!(ran.expect_code(2).stderr.contains(words), "{}", ran.stderr);
    shop.assert_no_run();
}

/// Not one byte of the remote changes, and its server is not asked.
#[test]
fn tk4_without_push_the_remote_is_untouched() {
    let server = Stub::always(Reply::ok("[]"));
    let mut shop = shop_without_tests();
    let remote = bare_remote(&shop);
    shop.cli.set_env("GITHUB_TOKEN", TOKEN);
    let url = format!("ticket.github_url={}", server.url());
    let before = State::of(&remote);
    let ran = shop.ticket(&[TICKET, "--agent", AGENT, "--yes", "--set", &url]);
    assert!(ran.expect_code(0).stdout.contains("Accepted: "), "{}", ran.stdout);
    before.assert_same(&State::of(&remote), "without --push");
    assert_eq!(server.seen().len(), 0);
    let branch = shop.repo.git(&["branch", "--show-current"]);
    assert_eq!(recorded(&report(&shop)), branch.trim(), "it landed there");
}

/// `impl.json` never names a branch that is not there.
#[test]
fn tk2_tk4_a_kept_branch_has_the_name_of_the_ticket() {
    let shop = shop_without_tests();
    let branches = || shop.repo.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/"]);
    let work = || shop.ticket(&[TICKET, "--agent", AGENT, "--no-browser", "--no-verify"]).run_id();
    let check = |taken: &str| {
        let id = work();
        let report = report(&shop);
        assert_eq!(recorded(&report), format!("refactor-bot/{id}"), "while it waits");
        let kept = shop.cli.run(["accept", &id, "--keep-branch"]);
        let name = recorded(&report);
        assert!(
            kept.expect_code(0).stdout.contains(&format!("git merge {name}")),
            "{}",
            kept.stdout
        );
        assert!(name.starts_with(BRANCH) && name != taken, "{name}");
        let all = branches();
        assert!(all.lines().any(|line| line == name) && !all.contains("refactor-bot/"), "{all}");
        name
    };
    let first = check("");
    assert_eq!(check(&first), format!("{first}-2"));

    let id = work();
    shop.cli.run(["reject", &id]).expect_code(0);
    assert_eq!(recorded(&report(&shop)), "", "it was removed");
}

/// Where a branch `fix` leaves no room for `fix/…`, the branch keeps the name of its run.
#[test]
fn tk4_a_branch_that_cannot_be_named_keeps_the_name_of_the_run() {
    let shop = shop_without_tests();
    shop.repo.git(&["branch", "fix"]);
    let id = shop.ticket(&[TICKET, "--agent", AGENT, "--no-browser", "--no-verify"]).run_id();
    let kept = shop.cli.run(["accept", &id, "--keep-branch"]);
    let name = format!("refactor-bot/{id}");
    assert!(kept.expect_code(0).stdout.contains(&name), "{}", kept.stdout);
    assert_eq!(recorded(&report(&shop)), name);
    assert!(shop.repo.git_ok(&["rev-parse", "--verify", "--quiet", &format!("refs/heads/{name}")]));
}

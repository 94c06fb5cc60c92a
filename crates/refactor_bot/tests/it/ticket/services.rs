//! Tickets of services, by a server on this machine.

use rb_testkit::stub::{Reply, Stub};
use serde_json::json;

use super::Shop;

const TOKEN: &str = "ghp_secret0123456789";

fn issue() -> serde_json::Value {
    json!({
        "number": 42,
        "title": "Points are not shown",
        "body": "## Acceptance criteria\n- The page / shows \"Earn 24 points\".\n",
        "html_url": "https://github.com/acme/shop/issues/42",
        "comments": 0,
    })
}

#[test]
fn tk1_an_issue_is_read_with_the_token_of_the_environment() {
    for variable in ["GITHUB_TOKEN", "GH_TOKEN"] {
        let server = Stub::always(Reply::ok(issue().to_string()));
        let mut shop = Shop::new();
        shop.cli.set_env(variable, TOKEN);
        let url = format!("ticket.github_url={}", server.url());
        let ran = shop.ticket(&["acme/shop#42", "--plan", "--set", &url]);
        assert!(
            ran.expect_code(0).stdout.starts_with("#42: Points are not shown\n"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains("fix/42-points-are-not-shown"), "{}", ran.stdout);
        let seen = server.seen();
        assert_eq!(seen[0].line, "GET /repos/acme/shop/issues/42");
        assert_eq!(seen[0].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    }
}

#[test]
fn tk1_what_a_service_refuses_says_what_to_do_and_never_the_token() {
    let check = |reply: Reply, code: i32, parts: &[&str]| {
        let server = Stub::always(reply);
        let mut shop = Shop::new();
        shop.cli.set_env("GITHUB_TOKEN", TOKEN);
        let url = format!("ticket.github_url={}", server.url());
        let ran = shop.ticket(&["acme/shop#42", "--plan", "--set", &url]);
        for part in parts {
            assert!(ran.expect_code(code).stderr.contains(part), "{part}: {}", ran.stderr);
        }
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains(TOKEN));
        shop.assert_no_run();
    };
    let message = |text: &str| json!({ "message": text }).to_string();
    check(
        Reply::status(401, message("Bad credentials")),
        3,
        &["rejected the credentials", "GITHUB_TOKEN"],
    );
    check(
        Reply::status(404, message("Not Found")),
        2,
        &["has no issue acme/shop#42", "GITHUB_TOKEN"],
    );
}

/// From the key to the pull request: comments of two pages, and the credentials of the environment.
#[test]
fn tk1_a_jira_ticket_is_read_with_all_its_comments_and_worked_on() {
    let comment = |text: &str| json!({"author": {"displayName": "Ann"}, "body": text});
    let first = comment("The quick view, too.");
    let second = comment("See `pointsFor` in lib/points.js.");
    let server = Stub::new(move |seen, _| {
        if seen.line.contains("/comment?") {
            let page = json!({"startAt": 1, "maxResults": 100, "total": 2, "comments": [second]});
            return Reply::ok(page.to_string());
        }
        let comments = json!({"startAt": 0, "maxResults": 1, "total": 2, "comments": [first]});
        let fields = json!({
            "summary": "Points are not shown",
            "description": "h2. Acceptance criteria\n* The page / shows \"Earn 24 points\".",
            "attachment": [],
            "comment": comments,
        });
        Reply::ok(json!({"key": "SHOP-42", "fields": fields}).to_string())
    });
    let mut shop = super::agent::shop_without_tests();
    shop.cli.set_env("JIRA_EMAIL", "me@example.com");
    shop.cli.set_env("JIRA_API_TOKEN", TOKEN);
    let url = format!("ticket.jira_url={}", server.url());
    let ran = shop.ticket(&["SHOP-42", "--plan", "--json", "--set", &url]);
    let seen: serde_json::Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    assert_eq!(
        (&seen["ticket"]["key"], &seen["branch"]),
        (&json!("SHOP-42"), &json!("fix/SHOP-42-points-are-not-shown"))
    );
    assert_eq!(seen["ticket"]["truncated"], false, "{seen}");
    let text = seen["ticket"]["text"].as_str().unwrap();
    assert!(text.contains("The quick view, too.") && text.contains("lib/points.js"), "{text}");
    let asked = server.seen();
    assert_eq!(
        asked[0].line,
        "GET /rest/api/3/issue/SHOP-42?fields=summary,description,attachment,comment"
    );
    assert_eq!(asked[1].line, "GET /rest/api/3/issue/SHOP-42/comment?startAt=1&maxResults=100");
    for request in asked {
        let credentials = request.header("authorization").unwrap();
        assert!(credentials.starts_with("Basic ") && !credentials.contains(TOKEN));
    }

    let args = ["SHOP-42", "--agent", super::agent::AGENT, "--no-browser", "--json", "--set", &url];
    let ran = shop.ticket(&args);
    let seen: serde_json::Value = serde_json::from_str(&ran.expect_code(7).stdout).unwrap();
    let report = std::path::Path::new(seen["report"].as_str().unwrap());
    let text = std::fs::read_to_string(report.join("pr.md")).unwrap();
    let address = format!("Ticket: https://127.0.0.1:{}/browse/SHOP-42", server.port());
    assert!(text.starts_with("# SHOP-42: ") && text.contains(&address), "{text}");
}

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

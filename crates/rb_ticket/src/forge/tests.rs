use std::sync::Arc;
use std::time::Duration;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::clock::Timestamp;
use rb_http::{Clock, HttpContext, HttpOptions, Secret};
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::*;

/// Time that does not pass.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_ms(1_700_000_000_000)
    }

    fn wait(&self, _: Duration, _: &Cancel) {}
}

fn context() -> HttpContext {
    HttpContext { clock: Arc::new(Still), cancel: Cancel::default() }
}

fn github(stub: &Stub) -> Github {
    let token = Some(Secret::new("ghp_swordfish"));
    Github::new(&stub.url(), token, &HttpOptions::default(), &context()).unwrap()
}

fn jira(stub: &Stub) -> Jira {
    let auth =
        JiraAuth::Basic { email: "me@example.com".to_owned(), token: Secret::new("swordfish") };
    Jira::new(&stub.url(), Some(auth), &HttpOptions::default(), &context()).unwrap()
}

fn shop() -> Repository {
    Repository::new("acme", "shop").unwrap()
}

/// The first lines of the requests.
fn asked(stub: &Stub) -> String {
    stub.seen().iter().map(|seen| seen.line.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn tk1_an_issue_comes_with_the_comments_of_all_pages() {
    let stub = Stub::new(|seen, _| {
        let host = seen.header("host").unwrap();
        let comments = format!("http://{host}/repositories/1/issues/7/comments?page");
        match seen.line.split(' ').nth(1).unwrap() {
            "/repos/acme/shop/issues/7" => {
                Reply::ok(r#"{"number":7,"title":"T","body":"B","comments":3}"#)
            }
            "/repos/acme/shop/issues/7/comments?per_page=100" => Reply::ok(
                r#"[{"user":{"login":"ann"},"body":"one"}]"#,
            )
            .header("link", &format!(r#"<{comments}=2>; rel="next", <{comments}=3>; rel="last""#)),
            "/repositories/1/issues/7/comments?page=2" => Reply::ok(r#"[{"body":"two"}]"#).header(
                "link",
                &format!(r#"<{comments}=1>; rel="prev", <{comments}=3>; rel="next""#),
            ),
            _ => Reply::ok(r#"[{"body":"three"}]"#)
                .header("link", &format!(r#"<{comments}=1>; rel="first""#)),
        }
    });
    let issue = github(&stub).issue(&shop(), 7).unwrap();
    let expected = json!({
        "number": 7, "title": "T", "body": "B",
        "comments": [{"user": {"login": "ann"}, "body": "one"}, {"body": "two"}, {"body": "three"}],
    });
    assert_eq!(issue, expected);
    expect![[r"
        GET /repos/acme/shop/issues/7
        GET /repos/acme/shop/issues/7/comments?per_page=100
        GET /repositories/1/issues/7/comments?page=2
        GET /repositories/1/issues/7/comments?page=3"]]
    .assert_eq(&asked(&stub));
    for seen in stub.seen() {
        assert_eq!(seen.header("authorization"), Some("Bearer ghp_swordfish"));
        assert_eq!(seen.header("accept"), Some("application/vnd.github+json"));
        assert_eq!(seen.header("x-github-api-version"), Some("2022-11-28"));
        assert!(seen.header("user-agent").is_some());
    }
}

#[test]
fn tk1_the_token_goes_to_no_other_server_and_pages_end() {
    let other = Stub::always(Reply::ok("[]"));
    let elsewhere = format!(r#"<{}/page2>; rel="next""#, other.url());
    let stub = Stub::new(move |seen, _| {
        if seen.line.contains("/comments") {
            Reply::ok("[]").header("link", &elsewhere)
        } else {
            Reply::ok(r#"{"number":7,"title":"T"}"#)
        }
    });
    github(&stub).issue(&shop(), 7).unwrap();
    assert_eq!((stub.seen().len(), other.seen().len()), (2, 0));

    let endless = Stub::new(|seen, _| {
        let next = format!(r#"<http://{}/again>; rel="next""#, seen.header("host").unwrap());
        let is_issue = seen.line.ends_with("issues/7");
        Reply::ok(if is_issue { "{}" } else { "[]" }).header("link", &next)
    });
    let error = github(&endless).issue(&shop(), 7).unwrap_err();
    assert_eq!(error.to_string(), "issue acme/shop#7 of GitHub has too many pages");
}

#[test]
fn tk1_every_refusal_of_github_says_what_to_do() {
    let check = |reply: Reply, expected: &Expect| {
        let stub = Stub::always(reply);
        let error = github(&stub).issue(&shop(), 7).unwrap_err();
        expected.assert_eq(&error.to_string().replace(&stub.url(), "http://server"));
    };
    check(
        Reply::status(
            401,
            r#"{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","status":"401"}"#,
        ),
        &expect![
            "GitHub rejected the credentials (Bad credentials): set GITHUB_TOKEN to a valid token"
        ],
    );
    let limited = r#"{"message":"API rate limit exceeded for user ID 1."}"#;
    check(
        Reply::status(403, limited)
            .header("x-ratelimit-remaining", "0")
            .header("x-ratelimit-reset", "1700003600"),
        &expect![
            "the rate limit of GitHub is used up until 2023-11-14T23:13:20.000Z: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    let secondary = r#"{"message":"You have exceeded a secondary rate limit."}"#;
    check(
        Reply::status(403, secondary).header("retry-after", "120"),
        &expect![
            "the rate limit of GitHub is used up for another 120 s: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    check(
        Reply::status(429, secondary).header("retry-after", "3600"),
        &expect![
            "the rate limit of GitHub is used up for another 3600 s: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    check(
        Reply::status(403, r#"{"message":"Resource not accessible by personal access token"}"#)
            .header("x-ratelimit-remaining", "4999"),
        &expect![
            "GitHub does not allow access to issue acme/shop#7 (Resource not accessible by personal access token): give the token in GITHUB_TOKEN the permission for it"
        ],
    );
    check(
        Reply::status(404, r#"{"message":"Not Found"}"#),
        &expect![
            "GitHub has no issue acme/shop#7, or does not show it to you: check the name, and set GITHUB_TOKEN to a token that may read it"
        ],
    );
    check(
        Reply::status(
            422,
            r#"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"number","code":"invalid"}],"documentation_url":"https://docs.github.com/rest/issues/issues#get-an-issue","status":"422"}"#,
        ),
        &expect!["GitHub refused issue acme/shop#7: number: invalid"],
    );
    check(
        Reply::status(502, "<html>\u{1b}[31mBad Gateway ghp_swordfish</html>"),
        &expect![
            "GitHub failed with status 502 (<html> [31mBad Gateway [key]</html>): try again later"
        ],
    );
    check(
        Reply::ok("<html>login</html>"),
        &expect![
            "http://server did not answer as GitHub does (expected value at line 1 column 1): check the address of the server"
        ],
    );
    check(
        Reply::ok("[]"),
        &expect![
            "http://server did not answer as GitHub does (it is not an issue): check the address of the server"
        ],
    );
    check(
        Reply::status(301, r#"{"message":"Moved Permanently"}"#),
        &expect!["GitHub answered 301 for issue acme/shop#7: Moved Permanently"],
    );
}

const REQUEST: PullRequest = PullRequest {
    title: "Show points",
    head: "fix/SSI-1883-points&x",
    base: "main",
    body: "Evidence",
    draft: true,
};
const PULL: &str = r#"{"number":12,"html_url":"https://github.com/acme/shop/pull/12","head":{"ref":"fix/SSI-1883-points&x"}}"#;

fn opened(outcome: Outcome) -> OpenPullRequest {
    OpenPullRequest { number: 12, url: "https://github.com/acme/shop/pull/12".to_owned(), outcome }
}

#[test]
fn tk4_a_pull_request_is_opened_as_a_draft() {
    let stub = Stub::new(|seen, _| {
        if seen.line.starts_with("POST") { Reply::status(201, PULL) } else { Reply::ok("[]") }
    });
    let created = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap();
    assert_eq!(created, opened(Outcome::Created));
    expect![[r"
        GET /repos/acme/shop/pulls?state=open&head=acme:fix/SSI-1883-points%26x
        POST /repos/acme/shop/pulls"]]
    .assert_eq(&asked(&stub));
    let sent: Value = serde_json::from_str(&stub.seen()[1].body).unwrap();
    let expected = json!({
        "title": "Show points", "head": "fix/SSI-1883-points&x", "base": "main", "body": "Evidence", "draft": true,
    });
    assert_eq!(sent, expected);
}

#[test]
fn tk4_a_branch_has_one_pull_request() {
    let found = format!("[{PULL}]");
    let stub =
        Stub::new(
            move |seen, _| {
                if seen.line.starts_with("PATCH") { Reply::ok(PULL) } else { Reply::ok(&found) }
            },
        );
    let updated = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap();
    assert_eq!(updated, opened(Outcome::Updated));
    let sent: Value = serde_json::from_str(&stub.seen()[1].body).unwrap();
    assert_eq!(sent, json!({ "title": "Show points", "body": "Evidence" }));
    assert!(asked(&stub).ends_with("PATCH /repos/acme/shop/pulls/12"));

    // It appears between the search and the attempt.
    let exists = r#"{"message":"Validation Failed","errors":[{"resource":"PullRequest","code":"custom","message":"A pull request already exists for acme:fix."}]}"#;
    let found = format!("[{PULL}]");
    let stub = Stub::new(move |seen, number| match seen.line.split(' ').next() {
        Some("GET") if number == 0 => Reply::ok("[]"),
        Some("GET") => Reply::ok(&found),
        Some("POST") => Reply::status(422, exists),
        _ => Reply::ok(PULL),
    });
    let updated = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap();
    assert_eq!((updated, stub.seen().len()), (opened(Outcome::Updated), 4));
}

#[test]
fn tk4_a_refused_pull_request_shows_what_is_wrong() {
    let check = |body: &'static str, expected: &Expect| {
        let stub = Stub::new(move |seen, _| {
            if seen.line.starts_with("POST") { Reply::status(422, body) } else { Reply::ok("[]") }
        });
        let error = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap_err();
        expected.assert_eq(&error.to_string());
    };
    check(
        r#"{"message":"Validation Failed","errors":[{"message":"No commits between main and fix","code":"custom"},{"resource":"PullRequest","field":"base","code":"invalid"}]}"#,
        &expect![
            "GitHub refused the pull request for fix/SSI-1883-points&x in acme/shop: No commits between main and fix; base: invalid"
        ],
    );
    check(
        r#"{"message":"Invalid request."}"#,
        &expect![
            "GitHub refused the pull request for fix/SSI-1883-points&x in acme/shop: Invalid request."
        ],
    );
}

/// Of the attempt to open it, after the search for an open one found none.
#[test]
fn tk4_a_pull_request_that_cannot_be_opened_says_what_to_do() {
    let check =
        |reply: Reply, expected: &Expect| {
            let stub = Stub::new(move |seen, _| {
                if seen.line.starts_with("POST") { reply.clone() } else { Reply::ok("[]") }
            });
            let error = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap_err();
            expected.assert_eq(&error.to_string());
            assert_eq!(stub.seen().len(), 2, "it is not tried again");
        };
    let docs = "https://docs.github.com/rest/pulls/pulls#create-a-pull-request";
    let message = |status: u16, text: &str| {
        let status = status.to_string();
        json!({"message": text, "documentation_url": docs, "status": status}).to_string()
    };
    check(
        Reply::status(401, message(401, "Bad credentials")),
        &expect![
            "GitHub rejected the credentials (Bad credentials): set GITHUB_TOKEN to a valid token"
        ],
    );
    check(
        Reply::status(403, message(403, "Resource not accessible by personal access token"))
            .header("x-ratelimit-remaining", "4998"),
        &expect![
            "GitHub does not allow access to the pull request for fix/SSI-1883-points&x in acme/shop (Resource not accessible by personal access token): give the token in GITHUB_TOKEN the permission for it"
        ],
    );
    check(
        Reply::status(403, message(403, "API rate limit exceeded for user ID 1."))
            .header("x-ratelimit-limit", "5000")
            .header("x-ratelimit-remaining", "0")
            .header("x-ratelimit-reset", "1700003600"),
        &expect![
            "the rate limit of GitHub is used up until 2023-11-14T23:13:20.000Z: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    let secondary =
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    check(
        Reply::status(403, message(403, secondary)).header("retry-after", "60"),
        &expect![
            "the rate limit of GitHub is used up for another 60 s: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    // Documented: the header may be missing.
    check(
        Reply::status(403, message(403, secondary)).header("x-ratelimit-remaining", "4998"),
        &expect![
            "the rate limit of GitHub is used up for some time: try again then, or set GITHUB_TOKEN for a higher limit"
        ],
    );
    check(
        Reply::status(404, message(404, "Not Found")),
        &expect![
            "GitHub has no repository acme/shop, or does not show it to you: check the name, and set GITHUB_TOKEN to a token that may read it"
        ],
    );

    let stub = Stub::always(Reply::status(404, message(404, "Not Found")));
    let error = github(&stub).open_pull_request(&shop(), &REQUEST).unwrap_err();
    expect!["GitHub has no repository acme/shop, or does not show it to you: check the name, and set GITHUB_TOKEN to a token that may read it"].assert_eq(&error.to_string());
}

#[test]
fn tk1_a_jira_issue_is_asked_for_with_its_fields() {
    let stub = Stub::always(Reply::ok(r#"{"key":"SSI-1","fields":{"summary":"S"}}"#));
    let issue = jira(&stub).issue("SSI-1").unwrap();
    assert_eq!(issue, json!({ "key": "SSI-1", "fields": { "summary": "S" } }));
    let seen = &stub.seen()[0];
    let line = "GET /rest/api/3/issue/SSI-1?fields=summary,description,attachment,comment";
    assert_eq!(seen.line, line);
    assert_eq!(seen.header("authorization"), Some("Basic bWVAZXhhbXBsZS5jb206c3dvcmRmaXNo"));

    let auth = Some(JiraAuth::Bearer(Secret::new("swordfish")));
    let bearer = Jira::new(&stub.url(), auth, &HttpOptions::default(), &context()).unwrap();
    bearer.issue("SSI-1").unwrap();
    assert_eq!(stub.seen()[1].header("authorization"), Some("Bearer swordfish"));
    bearer.issue("../../admin").unwrap_err();
    assert_eq!(stub.seen().len(), 2);
}

/// An issue with so many comments, the first of them in it, as Jira pages them.
fn jira_with_comments(total: usize) -> Stub {
    let page = |start: usize, most: usize, total: usize| {
        let end = total.min(start + most);
        let comments: Vec<Value> = (start..end)
            .map(|nth| json!({"id": nth.to_string(), "author": {"displayName": "Ann"}, "body": format!("comment {nth}")}))
            .collect();
        json!({"startAt": start, "maxResults": most, "total": total, "comments": comments})
    };
    Stub::new(move |seen, _| {
        let path = seen.line.split(' ').nth(1).unwrap();
        let Some((_, query)) = path.split_once("/comment?") else {
            let fields = json!({"summary": "S", "description": "h2. Acceptance criteria\n# one", "comment": page(0, 1, total)});
            return Reply::ok(json!({"key": "SSI-1", "fields": fields}).to_string());
        };
        let number = |name: &str| {
            let value = query.split('&').find_map(|pair| pair.strip_prefix(name));
            value.unwrap().parse::<usize>().unwrap()
        };
        // Jira gives fewer than were asked for where it likes.
        let most = number("maxResults=").min(50);
        Reply::ok(page(number("startAt="), most, total).to_string())
    })
}

#[test]
fn tk1_a_jira_issue_comes_with_the_comments_of_all_pages() {
    let stub = jira_with_comments(60);
    let issue = jira(&stub).issue("SSI-1").unwrap();
    let comments = issue.pointer("/fields/comment/comments").unwrap().as_array().unwrap();
    assert_eq!(comments.len(), 60);
    assert_eq!(
        (&comments[1]["body"], &comments[59]["body"]),
        (&json!("comment 1"), &json!("comment 59"))
    );
    expect![[r"
        GET /rest/api/3/issue/SSI-1?fields=summary,description,attachment,comment
        GET /rest/api/3/issue/SSI-1/comment?startAt=1&maxResults=100
        GET /rest/api/3/issue/SSI-1/comment?startAt=51&maxResults=100"]]
    .assert_eq(&asked(&stub));
    let ticket = crate::parse_json(&issue, crate::Source::Stdin).unwrap();
    assert!(ticket.text.contains("comment 59") && !ticket.truncated, "{}", ticket.text);
}

/// What is left out is noted: too many pages, and a server that has fewer than it counts.
#[test]
fn tk1_comments_of_jira_end_and_missing_ones_are_noted() {
    let stub = jira_with_comments(5_000);
    let issue = jira(&stub).issue("SSI-1").unwrap();
    assert_eq!(stub.seen().len(), 31);
    assert!(crate::parse_json(&issue, crate::Source::Stdin).unwrap().truncated);

    let stub = Stub::new(|seen, _| {
        Reply::ok(if seen.line.contains("/comment?") {
            r#"{"startAt":1,"maxResults":100,"total":2,"comments":[]}"#
        } else {
            r#"{"key":"SSI-1","fields":{"summary":"S","description":"h2. Acceptance criteria\n# one","comment":{"startAt":0,"maxResults":1,"total":2,"comments":[{"body":"one"}]}}}"#
        })
    });
    let issue = jira(&stub).issue("SSI-1").unwrap();
    assert_eq!(stub.seen().len(), 2);
    assert!(crate::parse_json(&issue, crate::Source::Stdin).unwrap().truncated);

    let stub = Stub::new(|seen, _| {
        Reply::ok(if seen.line.contains("/comment?") {
            "[]"
        } else {
            r#"{"key":"SSI-1","fields":{"summary":"S","comment":{"total":2,"comments":[]}}}"#
        })
    });
    let error = jira(&stub).issue("SSI-1").unwrap_err().to_string();
    assert!(error.contains("it is not a page of comments"), "{error}");
}

#[test]
fn tk1_every_refusal_of_jira_says_what_to_do() {
    let check = |reply: Reply, expected: &Expect| {
        let stub = Stub::always(reply);
        let error = jira(&stub).issue("SSI-1").unwrap_err();
        expected.assert_eq(&error.to_string());
    };
    check(
        Reply::status(401, "Client must be authenticated; me: swordfish"),
        &expect![
            "Jira rejected the credentials (Client must be authenticated; me: [key]): set JIRA_EMAIL and JIRA_API_TOKEN to a valid token"
        ],
    );
    check(
        Reply::status(
            404,
            r#"{"errorMessages":["Issue does not exist or you do not have permission to see it."],"errors":{}}"#,
        ),
        &expect![
            "Jira has no issue SSI-1, or does not show it to you: check the name, and set JIRA_EMAIL and JIRA_API_TOKEN to a token that may read it"
        ],
    );
    check(
        Reply::status(
            403,
            r#"{"errorMessages":["You do not have permission to view the requested issue."],"errors":{},"status":403}"#,
        ),
        &expect![
            "Jira does not allow access to issue SSI-1 (You do not have permission to view the requested issue.): give the token in JIRA_EMAIL and JIRA_API_TOKEN the permission for it"
        ],
    );
    check(
        Reply::status(
            422,
            r#"{"errorMessages":["The request could not be processed."],"errors":{"fields":"The field does not exist."},"status":422}"#,
        ),
        &expect!["Jira refused issue SSI-1: fields: The field does not exist."],
    );
    check(
        Reply::status(400, r#"{"errorMessages":[],"errors":{"fields":"unknown"}}"#),
        &expect!["Jira refused issue SSI-1: fields: unknown"],
    );
    check(
        Reply::status(429, "").header("retry-after", "900"),
        &expect!["the rate limit of Jira is used up for another 900 s: try again then"],
    );
}

#[test]
fn tk1_a_server_that_is_not_there_is_named() {
    let url = Stub::always(Reply::ok("")).url();
    let github = Github::new(&url, None, &HttpOptions::default(), &context()).unwrap();
    let error = github.issue(&shop(), 7).unwrap_err();
    assert!(matches!(error, ForgeError::Http { service: Service::Github, .. }), "{error}");
    let bad = Github::new("ftp://x", None, &HttpOptions::default(), &context()).err().unwrap();
    assert_eq!(bad.to_string(), "the address or the token of GitHub cannot be used");
}

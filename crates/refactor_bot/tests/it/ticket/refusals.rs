//! `ticket verify` refuses: every issue has the same shape and a screenshot.

use std::fs;
use std::process::Command;

use expect_test::{Expect, expect};
use rb_testkit::Repo;
use rb_testkit::stub::{Reply, Stub};
use serde_json::Value;

use crate::cli;

const SITE: &str = r#"
//- server.py
import http.server, os
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/die":
            print("out of memory", flush=True)
            os._exit(3)
        super().do_GET()
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
//- index.html
<!doctype html><title>Shop</title><link rel=icon href=data:,><h1>Shop</h1>
//- errors.html
<!doctype html><title>Errors</title><link rel=icon href=data:,><p>Hello<script>undefinedFunction()</script>
//- blank.html
<!doctype html><title>Blank</title><link rel=icon href=data:,>
"#;

const OURS: [&str; 2] = ["--preview", "python3 server.py"];

/// Verifies a criterion, and compares the report without what differs from machine to machine.
#[track_caller]
fn check(criterion: &str, preview: &[&str], expected: &Expect) {
    let repo = Repo::git_repo(SITE);
    let ticket = repo.beside("ticket.md");
    fs::write(&ticket, format!("# Shop\n\n## Acceptance criteria\n\n- {criterion}\n")).unwrap();
    let (ticket, output) = (ticket.display().to_string(), repo.beside("evidence"));
    let output_name = output.display().to_string();
    let args = ["ticket", "verify", &ticket, "HEAD", "--json", "--output", &output_name];
    let before = repo.state();
    let ran = cli().cwd(repo.root()).run(args.iter().chain(preview));
    let seen: Value = serde_json::from_str(&ran.expect_code(7).stdout).unwrap();
    assert_eq!(seen["verdict"], "fail", "{seen}");
    before.assert_same(&repo.state(), "by a verification");

    let report = &seen["report"];
    let issues = report["issues"].as_array().unwrap();
    for issue in issues {
        let picture = output.join(issue["screenshot"].as_str().unwrap());
        let bytes = fs::read(&picture).unwrap_or_else(|error| panic!("{issue}: {error}"));
        assert!(bytes.starts_with(b"\x89PNG"), "{issue}");
    }
    let text = fs::read_to_string(output.join("verify.json")).unwrap();
    assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), report);
    let here = std::env::current_dir().unwrap().display().to_string();
    let text = text.replace(&repo.head(), "COMMIT").replace(&here, "HERE");
    // This program listens, and so does for an instant whatever another test has just forked.
    let text = match (text.find("belongs to `"), text.find(") in HERE")) {
        (Some(from), Some(to)) => {
            format!("{}belongs to `…` (process PID{}", &text[..from], &text[to..])
        }
        _ => text,
    };
    let port = |url: &str| url.rsplit(':').next().unwrap_or_default().to_owned();
    let text = match preview {
        ["--preview-url", url] => text.replace(&port(url), "PORT"),
        _ => text,
    };
    expected.assert_eq(&text);
}

pub(super) fn has_chromium() -> bool {
    Command::new("chromium").arg("--version").output().is_ok()
}

/// A server in this process, which works in the folder of the crate.
fn stub(body: &str) -> Stub {
    let body = format!("<!doctype html><title>Other</title><link rel=icon href=data:,>{body}");
    Stub::always(Reply::ok(body).header("content-type", "text/html"))
}

#[test]
fn tk3_tk5_an_error_in_the_console_is_an_issue() {
    if !has_chromium() {
        return;
    }
    check(
        "The page /errors.html shows \"Hello\".",
        &OURS,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "major",
              "description": "The page /errors.html does not work",
              "location": "/errors.html",
              "expected": "the console shows no errors",
              "actual": "the console shows Uncaught ReferenceError: undefinedFunction is not defined",
              "screenshot": "issue-page-errors-html.png"
            }
          ],
          "screenshots": [
            "proof-C1.png",
            "issue-page-errors-html.png"
          ]
        }"#]],
    );
}

#[test]
fn tk3_tk5_a_criterion_that_is_not_met_is_an_issue() {
    if !has_chromium() {
        return;
    }
    check(
        "The page / shows \"Earn 10 points\".",
        &OURS,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "C1 is not met: The page / shows \"Earn 10 points\".",
              "location": "/",
              "expected": "the page shows \"Earn 10 points\"",
              "actual": "the page shows: Shop",
              "screenshot": "issue-C1.png"
            }
          ],
          "screenshots": [
            "issue-C1.png",
            "proof-page-start.png"
          ]
        }"#]],
    );
}

#[test]
fn tk3_tk5_a_blank_page_is_an_issue() {
    if !has_chromium() {
        return;
    }
    check(
        "The page /blank.html shows \"Shop\".",
        &OURS,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "C1 is not met: The page /blank.html shows \"Shop\".",
              "location": "/blank.html",
              "expected": "the page shows \"Shop\"",
              "actual": "the page shows no text",
              "screenshot": "issue-C1.png"
            },
            {
              "severity": "critical",
              "description": "The page /blank.html does not work",
              "location": "/blank.html",
              "expected": "the page is not blank",
              "actual": "the page is blank",
              "screenshot": "issue-page-blank-html.png"
            }
          ],
          "screenshots": [
            "issue-C1.png",
            "issue-page-blank-html.png"
          ]
        }"#]],
    );
}

#[test]
fn tk3_tk5_a_server_that_dies_is_an_issue() {
    if !has_chromium() {
        return;
    }
    let criteria = "The page / shows \"Shop\".\n- The page /die shows \"Shop\".";
    check(
        criteria,
        &OURS,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The preview server ended",
              "location": "/die",
              "expected": "the server runs until all checks are done",
              "actual": "it ended with exit code 3. Its last output: out of memory",
              "screenshot": "issue-server.png"
            }
          ],
          "screenshots": [
            "issue-server.png"
          ]
        }"#]],
    );
}

#[test]
fn tk4_tk5_a_server_of_another_commit_is_an_issue() {
    if !has_chromium() {
        return;
    }
    let server = stub("<meta name=commit content=0123><h1>Shop</h1>");
    let url = server.url();
    let preview = ["--preview-url", &url];
    check(
        "The page / shows \"Shop\".",
        &preview,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The server cannot be shown to serve this commit",
              "location": "http://127.0.0.1:PORT",
              "expected": "the page names the commit COMMIT",
              "actual": "the page names the commit 0123",
              "screenshot": "issue-server.png"
            }
          ],
          "screenshots": [
            "issue-server.png"
          ]
        }"#]],
    );
}

#[test]
fn tk4_tk5_a_port_that_another_program_has_is_an_issue() {
    if !has_chromium() {
        return;
    }
    let server = stub("<h1>Shop</h1>");
    let url = server.url();
    let preview = ["--preview-url", &url];
    check(
        "The page / shows \"Shop\".",
        &preview,
        &expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The server is not the one of this worktree",
              "location": "http://127.0.0.1:PORT",
              "expected": "the server of this worktree answers",
              "actual": "port PORT belongs to `…` (process PID) in HERE, not to this worktree. Start the server with `--preview`, let its pages name the commit in <meta name=\"commit\" content=\"…\">, or accept it as it is with `--trust-preview-url`.",
              "screenshot": "issue-server.png"
            }
          ],
          "screenshots": [
            "issue-server.png"
          ]
        }"#]],
    );
}

//! Servers that are not those of the worktree, or not of its commit.

use std::process::{Child, Command, Stdio};

use rb_testkit::stub::{Reply, Stub};

use super::*;

/// A server in this process, whose working folder is the one of the crate.
fn stub(body: &str) -> Stub {
    let body = format!("<!doctype html><title>Other</title><link rel=icon href=data:,>{body}");
    Stub::always(Reply::ok(body).header("content-type", "text/html"))
}

/// The server of the worktree, started by hand.
struct ByHand(Child);

impl ByHand {
    #[expect(clippy::disallowed_methods, reason = "a person starts it, not we")]
    fn new(shop: &Shop) -> ByHand {
        let mut command = Command::new("python3");
        command.arg("server.py").current_dir(shop.repo.root()).env("PORT", shop.port.to_string());
        ByHand(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What listens on the port is known to the kernel a moment after the start.
fn wait_for_port(port: u16) {
    rb_testkit::in_time(move || {
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
    });
}

/// The report of a refusal. Its picture is there, and there is no other.
#[track_caller]
fn refused(shop: &Shop, verification: &Verification, expected: &expect_test::Expect) {
    let json = shop.report(verification).replace(&std::process::id().to_string(), "PID");
    // The command line is that of the test program.
    let json = match (json.find("belongs to `"), json.find("` (process")) {
        (Some(from), Some(to)) => format!("{}belongs to `…{}", &json[..from], &json[to..]),
        _ => json,
    };
    expected.assert_eq(&json.replace(&shop.repo.head(), "COMMIT"));
    let picture = std::fs::read(shop.evidence().join("issue-server.png")).unwrap();
    assert!(rb_browser::png_size(&picture).is_some(), "a screenshot");
    assert_eq!(verification.evidence.verify(&shop.evidence()), Ok(()));
    assert_eq!(verification.verdict(), Verdict::Fail);
}

#[test]
fn tk4_a_server_of_another_folder_is_refused_unless_it_is_trusted() {
    let Some(mut shop) = Shop::new() else { return };
    let stub = stub("<p>Shop</p>");
    shop.port = stub.port();
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let url = format!("http://127.0.0.1:{}", shop.port);
    let external = PreviewOptions { command: None, url: Some(&url) };
    let foreign = shop.verify_with(external, &checks, Changes::default()).unwrap();
    refused(
        &shop,
        &foreign,
        &expect_test::expect![[r#"
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
    let trust = Changes { trust_url: true, ..Changes::default() };
    let trusted = shop.verify_with(external, &checks, trust).unwrap();
    let here = std::env::current_dir().unwrap();
    let in_worktree = Changes { worktree: Some(&here), ..Changes::default() };
    let own = shop.verify_with(external, &checks, in_worktree).unwrap();
    assert_eq!((trusted.verdict(), own.verdict()), (Verdict::Pass, Verdict::Pass));
    assert_eq!(trusted.server.origin, ServerOrigin::NotChecked);
    assert_eq!(own.server.origin, ServerOrigin::Process);
}

#[test]
fn tk4_a_port_that_another_program_has_is_refused() {
    let Some(mut shop) = Shop::new() else { return };
    let stub = stub("<p>Shop</p>");
    shop.port = stub.port();
    let taken = shop.verify(RUN, &[check("C1", "/", vec![shows("Shop")])]).unwrap();
    refused(
        &shop,
        &taken,
        &expect_test::expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The server is not the one of this worktree",
              "location": "http://127.0.0.1:PORT",
              "expected": "the server of this worktree answers",
              "actual": "port PORT belongs to `…` (process PID) in HERE, not to this worktree. End that program, or give another port with `--preview-url`.",
              "screenshot": "issue-server.png"
            }
          ],
          "screenshots": [
            "issue-server.png"
          ]
        }"#]],
    );
}

/// Of this machine and, as everybody but the kernel sees it, of another one.
#[test]
fn tk4_a_page_that_names_another_commit_is_refused() {
    let Some(mut shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let other = stub("<meta name=commit content=0123><p>Shop");
    shop.port = other.port();
    let local = format!("http://127.0.0.1:{}", shop.port);
    let local = PreviewOptions { command: None, url: Some(&local) };
    let of_other_commit = shop.verify_with(local, &checks, Changes::default()).unwrap();
    let expected = expect_test::expect![[r#"
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
        }"#]];
    refused(&shop, &of_other_commit, &expected);

    let remote = format!("http://[::ffff:127.0.0.1]:{}", shop.port);
    let remote = PreviewOptions { command: None, url: Some(&remote) };
    let of_other_commit = shop.verify_with(remote, &checks, Changes::default()).unwrap();
    let actual = of_other_commit.refusal.unwrap().actual;
    assert_eq!(actual, "the page names the commit 0123");

    let unnamed = stub("<p>Shop");
    shop.port = unnamed.port();
    let remote = format!("http://[::ffff:127.0.0.1]:{}", shop.port);
    let remote = PreviewOptions { command: None, url: Some(&remote) };
    let of_no_commit = shop.verify_with(remote, &checks, Changes::default()).unwrap();
    let actual = of_no_commit.refusal.unwrap().actual;
    assert!(actual.starts_with("the page names no commit. Start the server with"), "{actual}");
    assert!(actual.contains("`--trust-preview-url`"), "{actual}");
}

#[test]
fn tk4_a_page_that_names_the_commit_is_taken_from_any_server() {
    let Some(mut shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let stub = stub(&format!("<meta name=commit content={}><p>Shop", shop.repo.head()));
    shop.port = stub.port();
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]"] {
        let url = format!("http://{host}:{}", shop.port);
        let options = PreviewOptions { command: None, url: Some(&url) };
        let verification = shop.verify_with(options, &checks, Changes::default()).unwrap();
        assert_eq!(verification.refusal, None, "{host}");
        assert_eq!(verification.server.origin, ServerOrigin::Commit, "{host}");
    }
}

#[test]
fn tk4_a_server_that_is_older_than_the_commit_is_refused_unless_it_is_trusted() {
    let Some(shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let server = ByHand::new(&shop);
    wait_for_port(shop.port);
    let url = format!("http://127.0.0.1:{}", shop.port);
    let external = PreviewOptions { command: None, url: Some(&url) };
    let own = shop.verify_with(external, &checks, Changes::default()).unwrap();
    assert_eq!((own.verdict(), own.server.origin), (Verdict::Pass, ServerOrigin::Process));

    let later = Timestamp::from_unix_ms(rb_core::clock::now().unix_ms() + 60_000);
    let head = || Ok(Head { since: later, ..shop.head() });
    let moved = Changes { head: Some(&head), ..Changes::default() };
    let old = shop.verify_with(external, &checks, moved).unwrap();
    assert_eq!(old.server.pid, Some(server.0.id()));
    let refusal = old.refusal.as_ref().unwrap();
    let actual = refusal.actual.replace(&server.0.id().to_string(), "PID");
    let actual = actual.replace(&shop.repo.head(), "COMMIT");
    expect_test::expect!["The server is older than the commit; process PID was started before the worktree came to commit COMMIT and may serve older files. Restart it, start it with `--preview`, or, if it reloads changed files, accept it with `--trust-preview-url`."].assert_eq(&format!("{}; {actual}", refusal.description));
    assert_eq!(refusal.screenshot.as_deref(), Some("issue-server.png"));

    let trust = Changes { trust_url: true, ..moved };
    let trusted = shop.verify_with(external, &checks, trust).unwrap();
    assert_eq!(trusted.server.origin, ServerOrigin::NotChecked);
    assert_eq!(trusted.verdict(), Verdict::Pass);
}

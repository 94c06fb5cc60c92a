//! Verifications with a real Chromium over small servers. Without Chromium they do nothing.

mod origin;
mod pictures;

use rb_core::clock::Timestamp;
use rb_sandbox::Choice;
use rb_testkit::Repo;

use super::*;
use crate::checks::{Expectation, Step, Target, Viewport, with_page_checks};
use crate::preview::{PreviewOptions, find};

const SERVER: &str = r#"
import http.server, os
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/die":
            print("out of memory", flush=True)
            os._exit(3)
        super().do_GET()
    def log_message(self, *args): pass
address = ("127.0.0.1", int(os.environ["PORT"]))
http.server.ThreadingHTTPServer(address, lambda *args: Handler(*args, directory="site")).serve_forever()
"#;

const SITE: &str = r#"
//- site/index.html
<!doctype html><title>Shop</title><link rel=icon href=data:,><h1>Shop</h1><a href="/cart.html">Cart</a>
//- site/cart.html
<!doctype html><title>Cart</title><link rel=icon href=data:,><h1>Cart</h1>
<p id=points>+ loyalty points</p><p>Total: 5 EUR</p>
<button onclick="document.querySelector('#points').textContent = 'Earn 10 points'">Update</button>
<button disabled>Pay</button>
//- site/errors.html
<!doctype html><title>Errors</title><link rel=icon href=data:,><p>Hello<script src="/missing.js"></script>
<script>undefinedFunction()</script>
//- site/blank.html
<!doctype html><title>Blank</title><link rel=icon href=data:,>
//- site/wide.html
<!doctype html><title>Wide</title><link rel=icon href=data:,><div class=banner style="width: 900px; height: 300px; background: red">Wide</div>
"#;

/// What a test has otherwise than the usual verification.
#[derive(Default, Clone, Copy)]
struct Changes<'a> {
    trust_url: bool,
    worktree: Option<&'a Path>,
    head: Option<&'a dyn Fn() -> Result<Head, String>>,
    pictures: Option<&'a BTreeMap<String, PathBuf>>,
}

struct Shop {
    repo: Repo,
    env: Env,
    sandbox: Sandbox,
    port: u16,
}

impl Shop {
    /// None where Chromium is not installed.
    fn new() -> Option<Shop> {
        let repo = Repo::git_repo(&format!("//- server.py{SERVER}{SITE}"));
        for folder in ["scratch", "tmp", "home"] {
            rb_core::fs::create_dir_all(&repo.beside(folder)).unwrap();
        }
        let env = Env::default()
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", repo.beside("home"))
            .with("TMPDIR", repo.beside("tmp"));
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        names.iter().find_map(|name| env.find(name))?;
        let sandbox = Sandbox::probe(&Choice::Off, &env, None, &Cancel::new()).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Some(Shop { repo, env, sandbox, port })
    }

    fn evidence(&self) -> PathBuf {
        self.repo.beside("evidence")
    }

    fn head(&self) -> Head {
        let changes = self.repo.git(&["status", "--porcelain"]);
        let changes = changes.lines().map(str::to_owned).collect();
        Head { commit: self.repo.head(), since: Timestamp::from_unix_ms(0), changes }
    }

    /// Verifies with the server of the repository.
    fn verify(&self, command: &str, checks: &[Check]) -> Result<Verification, VerifyError> {
        let url = format!("http://127.0.0.1:{}", self.port);
        let options = PreviewOptions { command: Some(command), url: Some(&url) };
        self.verify_with(options, checks, Changes::default())
    }

    fn verify_with(
        &self,
        options: PreviewOptions<'_>,
        checks: &[Check],
        changes: Changes<'_>,
    ) -> Result<Verification, VerifyError> {
        let preview = find(self.repo.root(), options).unwrap();
        let (scratch, evidence) = (self.repo.beside("scratch"), self.evidence());
        let (head, none) = (|| Ok(self.head()), BTreeMap::new());
        let limits = Limits { action: Duration::from_millis(500), ..Limits::default() };
        let expect = Duration::from_millis(500);
        let context = VerifyContext {
            sandbox: &self.sandbox,
            env: &self.env,
            chromium: None,
            scratch: &scratch,
            worktree: changes.worktree.unwrap_or(self.repo.root()),
            preview: &preview,
            trust_url: changes.trust_url,
            writable: Vec::new(),
            readable: Vec::new(),
            checkouts: Vec::new(),
            evidence: &evidence,
            pictures: changes.pictures.unwrap_or(&none),
            head: changes.head.unwrap_or(&head),
            cancel: &Cancel::new(),
            options: VerifyOptions { expect, limits, ..VerifyOptions::default() },
        };
        verify(&context, checks)
    }

    /// The report as JSON, without what differs from run to run.
    fn report(&self, verification: &Verification) -> String {
        let json = serde_json::to_string_pretty(&verification.report()).unwrap();
        let folder = self.repo.root().display().to_string();
        let here = std::env::current_dir().unwrap().display().to_string();
        json.replace(&self.port.to_string(), "PORT")
            .replace(&folder, "WORKTREE")
            .replace(&here, "HERE")
    }
}

fn check(criterion: &str, path: &str, expect: Vec<Expectation>) -> Check {
    Check {
        criterion: Some(criterion.to_owned()),
        says: format!("Statement {criterion}"),
        path: path.to_owned(),
        viewport: None,
        steps: Vec::new(),
        expect,
        by: By::Criterion,
    }
}

fn shows(text: &str) -> Expectation {
    Expectation::TextPresent(text.to_owned())
}

fn button(name: &str) -> Target {
    Target::Role { role: "button".to_owned(), name: name.to_owned() }
}

const RUN: &str = "exec python3 server.py";

#[test]
#[expect(clippy::too_many_lines, reason = "the table is long, not the code")]
fn tk4_met_and_unmet_criteria_are_reported_with_evidence_that_cannot_be_forged() {
    let Some(shop) = Shop::new() else { return };
    let phone = |check: Check| Check { viewport: Some(Viewport::PHONE), ..check };
    let steps = |steps: Vec<Step>, check: Check| Check { steps, ..check };
    let checks = with_page_checks(vec![
        check(
            "C1",
            "/cart.html",
            vec![shows("Total: 5 EUR"), Expectation::Disabled(button("Pay"))],
        ),
        check("C2", "/cart.html", vec![shows("Earn 10 points")]),
        steps(
            vec![Step::Click(button("Update"))],
            check(
                "C3",
                "/cart.html",
                vec![
                    shows("Earn 10 points"),
                    Expectation::TextAbsent("+ loyalty points".to_owned()),
                ],
            ),
        ),
        steps(vec![Step::Click(button("Pay"))], check("C4", "/cart.html", vec![shows("Paid")])),
        steps(
            vec![Step::Click(Target::Text("Cart".to_owned()))],
            check(
                "C5",
                "/",
                vec![
                    Expectation::UrlIs("/cart.html".to_owned()),
                    Expectation::TitleIs("Cart".to_owned()),
                ],
            ),
        ),
        phone(check("C6", "/wide.html", vec![Expectation::NoOverflow])),
        check("C7", "/errors.html", vec![shows("Hello")]),
        check("C8", "/blank.html", vec![Expectation::Exists(button("Buy"))]),
        check("C9", "/nothing.html", vec![Expectation::Status(404)]),
        check(
            "C10",
            "/",
            vec![Expectation::LooksLike { picture: "a.png".to_owned(), tolerance_percent: 1 }],
        ),
    ]);
    let verification = shop.verify(RUN, &checks).unwrap();
    expect_test::expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "C2 is not met: Statement C2",
              "location": "/cart.html",
              "expected": "the page shows \"Earn 10 points\"",
              "actual": "the page shows: Cart + loyalty points Total: 5 EUR Update Pay",
              "screenshot": "issue-C2.png"
            },
            {
              "severity": "critical",
              "description": "C4 is not met: Statement C4",
              "location": "/cart.html",
              "expected": "click the button \"Pay\"",
              "actual": "the button \"Pay\" is disabled",
              "screenshot": "issue-C4.png"
            },
            {
              "severity": "critical",
              "description": "C6 is not met: Statement C6",
              "location": "/wide.html at 375×667",
              "expected": "nothing overflows the window horizontally",
              "actual": "these elements overflow the window: `div.banner`",
              "screenshot": "issue-C6.png"
            },
            {
              "severity": "critical",
              "description": "C8 is not met: Statement C8",
              "location": "/blank.html",
              "expected": "the button \"Buy\" is visible",
              "actual": "no element matches the button \"Buy\"; there are no buttons on the page",
              "screenshot": "issue-C8.png"
            },
            {
              "severity": "minor",
              "description": "C10 could not be checked: Statement C10",
              "location": "/",
              "expected": "the page looks like a.png (at most 1% of the pixels differ)",
              "actual": "the picture a.png is not available. Put it beside the ticket.",
              "screenshot": "issue-C10.png"
            },
            {
              "severity": "major",
              "description": "The page /errors.html does not work",
              "location": "/errors.html",
              "expected": "the console shows no errors; no request fails",
              "actual": "the console shows Uncaught ReferenceError: undefinedFunction is not defined; these requests failed: GET http://127.0.0.1:PORT/missing.js: 404 File not found",
              "screenshot": "issue-page-errors-html.png"
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
            "proof-C1.png",
            "issue-C2.png",
            "proof-C3.png",
            "issue-C4.png",
            "issue-C4-element.png",
            "proof-C5.png",
            "issue-C6.png",
            "proof-C7.png",
            "issue-C8.png",
            "proof-C9.png",
            "issue-C10.png",
            "proof-page-cart-html.png",
            "proof-page-start.png",
            "proof-page-wide-html.png",
            "issue-page-errors-html.png",
            "issue-page-blank-html.png",
            "proof-page-nothing-html.png"
          ]
        }"#]].assert_eq(&shop.report(&verification));
    assert_eq!(verification.verdict(), Verdict::Fail);
    assert_eq!(verification.server.origin, ServerOrigin::Started);

    let (folder, manifest) = (shop.evidence(), &verification.evidence);
    let read = |name: &str| rb_core::fs::read(&folder.join(name)).unwrap();
    assert_eq!(rb_browser::png_size(&read("issue-C6.png")), Some((375, 667)));
    let first = &manifest.pictures[0];
    let expected = (
        shop.repo.head(),
        format!("http://127.0.0.1:{}/cart.html", shop.port),
        Some("C1".to_owned()),
    );
    assert_eq!((first.commit.clone(), first.url.clone(), first.criterion.clone()), expected);
    assert!(first.server_pid.is_some() && first.browser.contains("Chrome"), "{first:?}");
    let written: Manifest = serde_json::from_slice(&read("evidence.json")).unwrap();
    assert_eq!((&written, written.verify(&folder)), (manifest, Ok(())));

    let forge = |name: &str, bytes: &[u8]| {
        rb_core::fs::write(&folder.join(name), bytes, rb_core::fs::Durability::Relaxed).unwrap();
    };
    forge("issue-C2.png", &read("proof-page-start.png"));
    forge("proof-C2.png", b"new");
    rb_core::fs::remove_file(&folder.join("proof-C3.png")).unwrap();
    let forged = manifest.verify(&folder).unwrap_err();
    let forged: Vec<String> = forged.iter().map(ToString::to_string).collect();
    assert_eq!(
        forged,
        [
            "issue-C2.png was changed after it was taken",
            "proof-C3.png is missing",
            "proof-C2.png is not in the manifest"
        ]
    );
    let outside = Picture { file: "../evidence/proof-C1.png".to_owned(), ..first.clone() };
    let outside = Manifest { pictures: vec![outside], sandbox: manifest.sandbox.clone() };
    let forged = outside.verify(&folder).unwrap_err();
    assert_eq!(forged[0], Forged::Name("../evidence/proof-C1.png".to_owned()));
}

#[test]
fn tk4_all_checks_met_is_a_pass_and_pages_alone_are_not() {
    let Some(shop) = Shop::new() else { return };
    let met = with_page_checks(vec![check("C1", "/", vec![shows("Shop")])]);
    let verification = shop.verify(RUN, &met).unwrap();
    expect_test::expect![[r#"
        {
          "passed": true,
          "issues": [],
          "screenshots": [
            "proof-C1.png",
            "proof-page-start.png"
          ]
        }"#]]
    .assert_eq(&shop.report(&verification));
    assert_eq!(verification.evidence.verify(&shop.evidence()), Ok(()));
    let mut pages = verification;
    pages.results.retain(|result| result.check.by == By::Always);
    assert_eq!((pages.results.len(), pages.verdict()), (1, Verdict::NoVerifierRan));
    let nothing = shop.verify(RUN, &[]).unwrap();
    expect_test::expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "major",
              "description": "No criterion was checked in the browser",
              "location": "ticket",
              "expected": "at least one criterion is checked",
              "actual": "no criterion could be turned into a check"
            }
          ],
          "screenshots": []
        }"#]]
    .assert_eq(&shop.report(&nothing));
}

#[test]
fn tk4_a_server_that_ends_voids_every_check() {
    let Some(shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")]), check("C2", "/die", vec![shows("Hello")])];
    let dies = shop.verify(RUN, &checks).unwrap();
    expect_test::expect![[r#"
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
        }"#]]
    .assert_eq(&shop.report(&dies));
    assert!(dies.results.iter().all(|result| result.verdict == CheckVerdict::NotRun));
    let never = shop.verify("echo no such app; exit 4", &checks).unwrap();
    expect_test::expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The preview server ended",
              "location": "/",
              "expected": "the server answers",
              "actual": "the preview server ended with exit code 4 before http://127.0.0.1:PORT/ answered. Its last output: no such app",
              "screenshot": "issue-server.png"
            }
          ],
          "screenshots": [
            "issue-server.png"
          ]
        }"#]].assert_eq(&shop.report(&never));
    assert_eq!(never.evidence.verify(&shop.evidence()), Ok(()));
}

#[test]
fn tk4_a_worktree_that_is_not_one_commit_gives_no_evidence() {
    let Some(shop) = Shop::new() else { return };
    let checks = [check("C1", "/", vec![shows("Shop")])];
    let asked = std::cell::Cell::new(0);
    let moving = || {
        asked.set(asked.get() + 1);
        Ok(Head { commit: format!("commit{}", asked.get()), ..shop.head() })
    };
    let url = format!("http://127.0.0.1:{}", shop.port);
    let options = PreviewOptions { command: Some(RUN), url: Some(&url) };
    let verification = shop
        .verify_with(options, &checks, Changes { head: Some(&moving), ..Changes::default() })
        .unwrap();
    expect_test::expect![[r#"
        {
          "passed": false,
          "issues": [
            {
              "severity": "critical",
              "description": "The worktree changed during the verification",
              "location": "worktree",
              "expected": "the worktree stays at one commit without changes",
              "actual": "its commit changed from commit1 to commit2"
            }
          ],
          "screenshots": []
        }"#]]
    .assert_eq(&shop.report(&verification));

    shop.repo.write("site/index.html", "changed");
    let error = shop.verify(RUN, &checks).unwrap_err().to_string();
    assert_eq!(
        error,
        "the worktree has changes that are not committed ( M site/index.html). Commit or discard them, then verify again."
    );
}

#[test]
fn tk4_a_page_is_observed_in_words() {
    let Some(shop) = Shop::new() else { return };
    let scratch = shop.repo.beside("scratch");
    let cancel = Cancel::new();
    let line = format!("cd {} && PORT={} {RUN}", shop.repo.root().display(), shop.port);
    let browser = Browser::start(&Setup {
        sandbox: &shop.sandbox,
        env: &shop.env,
        chromium: None,
        scratch: &scratch,
        server: Server::Command {
            line: &line,
            folder: shop.repo.root(),
            port: shop.port,
            writable: Vec::new(),
        },
        readable: Vec::new(),
        checkouts: Vec::new(),
        cancel: &cancel,
        limits: Limits::default(),
    })
    .unwrap();
    let page = browser.page().unwrap();
    page.goto(&format!("http://127.0.0.1:{}/errors.html", shop.port), Duration::from_secs(20))
        .unwrap();
    let observation = observe(&page).unwrap().to_string().replace(&shop.port.to_string(), "PORT");
    expect_test::expect![[r#"
        URL: http://127.0.0.1:PORT/errors.html
        Title: Errors
        page "Errors"
          text "Hello"
        Console error: Uncaught ReferenceError: undefinedFunction is not defined
        Failed request: GET http://127.0.0.1:PORT/missing.js: 404 File not found
    "#]]
    .assert_eq(&observation);
}

//! Who gets in, who may decide, and which files can be read.

use rb_testkit::{Repo, in_time};

use super::http::{Answer, ask};
use super::{DIRECTIVE, NOTES, Served};

/// A request with names in braces, and the status that it gets.
type Row = (&'static str, u16);

const STRANGERS: [Row; 12] = [
    ("GET /runs\nHost: {host}", 401),
    ("GET /?token=0123\nHost: {host}", 401),
    ("GET /?token=\nHost: {host}", 401),
    ("GET /?token={token}0\nHost: {host}", 401),
    ("GET /?token={token}\nHost: {host}", 303),
    ("GET /runs\nHost: {host}\nCookie: {name}=0123", 401),
    ("GET /runs\nHost: {host}\nCookie: {name}=", 401),
    ("GET /runs\nHost: {host}\nCookie: other={session}", 401),
    ("GET /runs\nHost: {host}\nCookie: other=1; {cookie}", 200),
    ("POST /?token={token}\nHost: {host}\nOrigin: http://{host}\n\nkey={key}", 401),
    ("GET /runs/{run}/events\nHost: {host}", 401),
    ("GET /assets/0/site.js\nHost: {host}", 401),
];

/// Names that are rebound to this machine, and pages of other sites in the same browser.
const OTHER_SITES: [Row; 13] = [
    ("GET /runs\nHost: evil.example\nCookie: {cookie}", 421),
    ("GET /runs\nHost: evil.example:{port}\nCookie: {cookie}", 421),
    ("GET /runs\nHost: 127.0.0.1\nCookie: {cookie}", 421),
    ("GET /runs\nHost: {host}.evil.example\nCookie: {cookie}", 421),
    ("GET /?token={token}\nHost: evil.example", 421),
    ("GET /runs\nHost: {host}\nHost: evil.example\nCookie: {cookie}", 421),
    ("GET /runs\nCookie: {cookie}", 421),
    ("GET /runs\nHost: LOCALHOST:{port}\nCookie: {cookie}", 200),
    ("GET /runs\nHost: {host}\nOrigin: http://evil.example\nCookie: {cookie}", 403),
    ("GET /runs\nHost: {host}\nOrigin: null\nCookie: {cookie}", 403),
    ("GET /runs\nHost: {host}\nOrigin: https://{host}\nCookie: {cookie}", 403),
    ("GET /runs\nHost: {host}\nOrigin: http://127.0.0.1:1\nCookie: {cookie}", 403),
    ("GET /runs\nHost: {host}\nOrigin: http://{host}\nCookie: {cookie}", 200),
];

const DECISIONS: [Row; 10] = [
    ("POST {decision}\nHost: {host}\nCookie: {cookie}\n\nkey={key}&verb=none", 403),
    (
        "POST {decision}\nHost: {host}\nCookie: {cookie}\nOrigin: http://evil.example\n\nkey={key}&verb=accept",
        403,
    ),
    (
        "POST {decision}\nHost: {host}\nCookie: {cookie}\nSec-Fetch-Site: cross-site\n\nkey={key}&verb=accept",
        403,
    ),
    ("POST {decision}\nHost: {host}\nOrigin: http://{host}\n\nkey={key}&verb=accept", 401),
    ("POST {decision}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\nverb=accept", 403),
    (
        "POST {decision}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\nkey=0123&verb=accept",
        403,
    ),
    (
        "POST {decision}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\nkey={key}&verb=push",
        403,
    ),
    (
        "POST {decision}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\nkey={key}&verb=accept&task=--failing",
        404,
    ),
    ("GET {decision}?key={key}&verb=accept\nHost: {host}\nCookie: {cookie}", 405),
    ("POST /new/run\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}\n\ndirective=x", 403),
];

/// Only these are of the person's own.
const FILES: [Row; 23] = [
    ("GET /code/src/load.js", 200),
    ("GET /code/../../etc/passwd", 404),
    ("GET /code/..%2f..%2fetc%2fpasswd", 404),
    ("GET /code/%2e%2e/%2e%2e/etc/passwd", 404),
    ("GET /code/src/%2e%2e%2f%2e%2e%2fsecret.txt", 404),
    ("GET /code//etc/passwd", 404),
    ("GET /code/%2fetc%2fpasswd", 404),
    ("GET /code/.git/config", 404),
    ("GET /code/src/passwd.js", 404),
    ("GET /code/src%00.js", 404),
    ("GET /runs/{run}/files/report/validation-report.json", 200),
    ("GET /runs/{run}/files/journal.jsonl", 404),
    ("GET /runs/{run}/files/report/../journal.jsonl", 404),
    ("GET /runs/{run}/files/report/..%2fjournal.json", 404),
    ("GET /runs/{run}/files/report/%2e%2e/%2e%2e/%2e%2e/secret.txt", 404),
    ("GET /runs/{run}/files//etc/report/passwd.txt", 404),
    ("GET /runs/{run}/files/report/report.html", 200),
    ("GET /runs/20200101T000000Z", 404),
    ("GET /runs/20200101T000000Z/events", 404),
    ("GET /runs/20200101T000000Z/review", 404),
    ("GET /runs/..%2f{run}", 404),
    ("GET /runs/{run}/review/batch-999", 404),
    ("GET /assets/0/..%2f..%2fsecret.txt", 404),
];

/// One server for all rows, and what its names in braces stand for.
struct Rows {
    served: Served,
    run: String,
    cookie: String,
    key: String,
}

impl Rows {
    fn new() -> Rows {
        let served = Served::start(NOTES);
        std::fs::write(served.repo.beside("secret.txt"), "secret").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", served.repo.root().join("src/passwd.js"))
            .unwrap();
        served.repo.commit_all("a link");
        let run = served.run(DIRECTIVE);
        let (cookie, key) = (served.cookie(), served.form_key());
        Rows { served, run, cookie, key }
    }

    fn ask(&self, request: &str) -> Answer {
        let (name, session) = self.cookie.split_once('=').unwrap();
        let host = &self.served.host;
        let text = request
            .replace("{decision}", "/runs/{run}/decision")
            .replace("{run}", &self.run)
            .replace("{host}", host)
            .replace("{port}", host.split_once(':').unwrap().1)
            .replace("{token}", &self.served.token)
            .replace("{cookie}", &self.cookie)
            .replace("{name}", name)
            .replace("{session}", session)
            .replace("{key}", &self.key);
        ask(host, &text)
    }

    /// Every answer has the status of its row and the headers that all have.
    fn check(&self, rows: &[Row], more: &str) {
        for (request, status) in rows {
            let answer = self.ask(&format!("{request}{more}"));
            assert_eq!(answer.status, *status, "{request}\n{}", answer.body);
            let policy = answer.header("content-security-policy").unwrap();
            // The report is one file with its style in it, and runs no script at all.
            let is_report = request.ends_with("/report.html");
            let begin = if is_report {
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
            } else {
                "default-src 'none'; script-src 'self'"
            };
            assert!(policy.starts_with(begin), "{request}: {policy}");
            assert!(is_report || !policy.contains("unsafe"), "{request}: {policy}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{request}");
            assert_eq!(answer.header("referrer-policy"), Some("same-origin"), "{request}");
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{request}");
            assert!(!answer.body.contains("root:x:0"), "{request}");
        }
    }
}

#[test]
fn ux4_a_page_of_another_site_or_a_stranger_gets_nothing() {
    in_time(|| {
        let rows = Rows::new();
        let before = rows.served.repo.state();
        rows.check(&STRANGERS, "");
        rows.check(&OTHER_SITES, "");
        rows.check(&DECISIONS, "");
        rows.check(&FILES, "\nHost: {host}\nCookie: {cookie}");
        before.assert_same(&rows.served.repo.state(), "by a request that was refused");
        let shown = rows.served.cli.run(["runs", "show", &rows.run]);
        assert!(shown.stdout.contains("Your checkout is unchanged."), "{}", shown.stdout);
    });
}

#[test]
fn ux4_the_token_leaves_the_address_for_a_cookie() {
    in_time(|| {
        let rows = Rows::new();
        for (request, place) in [
            ("GET /?token={token}", "/"),
            ("GET /map?by=churn&token={token}", "/map"),
            ("GET //evil.example/?token={token}", "/"),
            ("GET /\\evil.example/?token={token}", "/"),
        ] {
            let answer = rows.ask(&format!("{request}\nHost: {{host}}"));
            assert_eq!((answer.status, answer.header("location")), (303, Some(place)), "{request}");
            let cookie = answer.header("set-cookie").unwrap();
            assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
            assert!(!cookie.contains(&rows.served.token), "the cookie is another secret");
        }
        let other = Served::start(NOTES);
        assert_ne!(
            other.cookie().split_once('=').unwrap().1,
            rows.cookie.split_once('=').unwrap().1
        );
    });
}

#[test]
fn ux4_a_read_only_server_decides_and_starts_nothing() {
    in_time(|| {
        let writable = Served::start(NOTES);
        let run = writable.run(DIRECTIVE);
        let (cli, repo) = (crate::cli(), Repo::git_repo(NOTES));
        let cli = cli.env("REFACTOR_BOT_HOME", writable.cli.home());
        let served = Served::over(cli, repo, &["--read-only"]);
        let page = served.get(&format!("/runs/{run}"));
        assert!(page.body.contains("read-only"), "{}", page.body);
        for path in ["/new", "/runs", &format!("/runs/{run}"), &format!("/runs/{run}/review")] {
            assert!(!served.get(path).body.contains("method=\"post\""), "{path}");
        }
        let (host, cookie) = (&served.host, served.cookie());
        for path in [
            "/new/run",
            "/new/ask",
            &format!("/runs/{run}/decision"),
            &format!("/runs/{run}/begin"),
        ] {
            let head =
                format!("POST {path}\nHost: {host}\nCookie: {cookie}\nOrigin: http://{host}");
            let answer = ask(host, &format!("{head}\n\nverb=accept&question=x"));
            assert_eq!(answer.status, 403, "{path}");
            assert!(answer.body.contains("The server is read-only."), "{path}: {}", answer.body);
        }
    });
}

//! `ask` from outside, without a model. What it does with one is in `model_runs/ask.rs`.

use std::fs;

use expect_test::expect;
use rb_testkit::desk::DESK;
use rb_testkit::{Cli, Ran, Repo};
use serde_json::Value;

use crate::cli;

struct Case {
    repo: Repo,
    cli: Cli,
}

impl Case {
    fn new() -> Self {
        let repo = Repo::git_repo(DESK);
        let head = repo.head();
        let cli = cli().cwd(repo.root());
        let cli = cli.hide(repo.root().display().to_string(), "[REPO]");
        Case { cli: cli.hide(head[..8].to_owned(), "[HEAD]").hide(head, "[HEAD]"), repo }
    }

    fn ask(&self, args: &[&str]) -> Ran {
        self.cli.run([&["ask"], args].concat())
    }

    fn shown(&self, args: &[&str]) -> String {
        self.cli.shown(&self.ask(args))
    }

    /// A session whose lines come over a pipe.
    fn session(self, lines: &str, args: &[&str]) -> (Case, Ran) {
        let Case { repo, cli } = self;
        let case = Case { repo, cli: cli.stdin(lines) };
        let ran = case.ask(args);
        (case, ran)
    }

    fn memory(&self) -> Value {
        let folders = fs::read_dir(self.cli.home().join("ask")).unwrap();
        let files = folders.map(|folder| folder.unwrap().path().join("memory.json"));
        let file = files.into_iter().find(|file| file.exists()).unwrap();
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    }
}

/// Every citation of an answer as JSON.
fn citations(answer: &Value) -> Vec<Value> {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let statements = list(&answer["sections"]).into_iter().flat_map(|it| list(&it["statements"]));
    statements.flat_map(|it| list(&it["citations"])).collect()
}

const BACKOFF: &str = "how does the worker wait longer after each failure?";

#[test]
fn as8_a_question_is_answered_without_a_model() {
    let case = Case::new();
    let before = case.repo.state();
    expect![[r#"
        exit 0
        --- stdout
        Where to look

        `worker/retry.go` declares the method `Wait`, the struct `Backoff` and the function `Retry`. [worker/retry.go:15-21] [worker/retry.go:9-12] [worker/retry.go:24-33]

        The comment on `Wait` says: "Wait says how long to wait before the given attempt." [worker/retry.go:14] [worker/retry.go:15]

        Line 16 of `worker/retry.go` is `wait := b.First << attempt`. [worker/retry.go:16]

        `worker/schedule.ts` declares the function `stopAll`, the type `Job` and the function `schedule`. [worker/schedule.ts:10-12] [worker/schedule.ts:3] [worker/schedule.ts:6-8]

        Line 11 of `worker/schedule.ts` is `timers.forEach((timer) => clearInterval(timer));`. [worker/schedule.ts:11]

        `worker/queue.go` declares the method `Push`, the struct `Queue` and the method `Pop`. [worker/queue.go:11-15] [worker/queue.go:6-9] [worker/queue.go:17-26]

        Line 1 of `worker/queue.go` is `package worker`. [worker/queue.go:1]

        `worker/time.ts` declares the function `parseDuration` and the function `formatDuration`. [worker/time.ts:2-9] [worker/time.ts:11-13]

        The comment on `parseDuration` says: ""1h 30m" in seconds." [worker/time.ts:1] [worker/time.ts:2]

        `worker/files.ts` declares the function `copyFileAsync`, the function `readFileAsync` and the function `listFolder`. [worker/files.ts:8-10] [worker/files.ts:4-6] [worker/files.ts:12-15]

        `server/database.py` declares the function `migrate` and the function `connect`. [server/database.py:12-17] [server/database.py:6-9]

        The comment on `migrate` says: "Bring the schema up to date, one numbered step after the other." [server/database.py:13] [server/database.py:12]

        How it works

        `Retry` calls `Wait`: `time.Sleep(b.Wait(i))`. [worker/retry.go:30] [worker/retry.go:15] [worker/retry.go:24]

        Related files

        `web/components/Badge.tsx` declares the constant `COLORS` and the component `Badge`. [web/components/Badge.tsx:1] [web/components/Badge.tsx:4-6]

        note: worker/retry.go last changed on 2001-02-03 (commit [HEAD]f7).

        note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        14 claims, 14 verified, 0 not verified; 29 citations, 29 valid
    "#]].assert_eq(&case.shown(&[BACKOFF]));
    case.repo.state().assert_same(&before, "after a question");
    // The same question has the same answer.
    let again = case.ask(&[".", BACKOFF]);
    assert_eq!(again.expect_code(0).stdout, case.ask(&[BACKOFF]).stdout);
    assert!(again.stdout.contains("No model was used"), "{}", again.stdout);
    assert!(again.stdout.contains("--provider"), "{}", again.stdout);
}

#[test]
fn as8_every_citation_of_an_answer_without_a_model_is_valid() {
    let case = Case::new();
    let others = ["what is this project?", "who calls parseDuration", "how is it tested?"];
    for question in [&[BACKOFF], &others[..]].concat() {
        let ran = case.ask(&[question, "--json"]);
        let answer: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
        let citations = citations(&answer);
        assert!(!citations.is_empty(), "{question}: {answer}");
        for citation in citations {
            assert!(citation.get("fault").is_none(), "{question}: {citation}");
            let path = citation["path"].as_str().unwrap();
            let first = usize::try_from(citation["first_line"].as_u64().unwrap()).unwrap();
            let text = case.repo.read(path);
            let line = text.lines().nth(first - 1).unwrap();
            let quote = citation["quote"].as_str().unwrap().lines().next().unwrap();
            assert!(line.contains(quote.trim()), "{question}: {citation}: {line}");
        }
        let counts = &answer["counts"];
        assert_eq!(counts["claims"], counts["verified_claims"], "{question}: {answer}");
    }
}

#[test]
fn as3_what_is_not_there_is_said_not_to_be_there() {
    expect![[r#"
        exit 0
        --- stdout
        I couldn't find: how does the zorblatt quuxify its frobnicator

        note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        0 claims, 0 verified, 0 not verified; 0 citations, 0 valid
    "#]]
        .assert_eq(&Case::new().shown(&["how does the zorblatt quuxify its frobnicator"]));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a whole answer is long")]
fn as8_the_answer_as_json() {
    let case = Case::new();
    let ran = case.ask(&["who calls parseDuration", "--json"]);
    let answer: Value = serde_json::from_str(&ran.expect_code(0).stdout).unwrap();
    expect![[r#"
        {
          "author": {
            "kind": "extraction"
          },
          "counts": {
            "citations": 6,
            "cited_claims": 4,
            "claims": 4,
            "repaired_citations": 0,
            "valid_citations": 6,
            "verified_claims": 4
          },
          "not_found": [],
          "notes": [
            "worker/time.ts last changed on 2001-02-03 (commit 29b8c782f7).",
            "No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama."
          ],
          "plan": [],
          "question": "who calls parseDuration",
          "run": null,
          "sections": [
            {
              "heading": "What it is",
              "statements": [
                {
                  "citations": [
                    {
                      "first_line": 2,
                      "hash": "a99b1fe02d6383ccac00de23c7678dc76e74ea47eade57347a8e40f028e84b2d",
                      "last_line": 9,
                      "path": "worker/time.ts",
                      "quote": "export function parseDuration(text: string): number {"
                    }
                  ],
                  "support": {
                    "kind": "verified"
                  },
                  "text": "`parseDuration` is a function in `worker/time.ts`."
                },
                {
                  "citations": [
                    {
                      "first_line": 1,
                      "hash": "a99b1fe02d6383ccac00de23c7678dc76e74ea47eade57347a8e40f028e84b2d",
                      "last_line": 1,
                      "path": "worker/time.ts",
                      "quote": "/** \"1h 30m\" in seconds. */"
                    },
                    {
                      "first_line": 2,
                      "hash": "a99b1fe02d6383ccac00de23c7678dc76e74ea47eade57347a8e40f028e84b2d",
                      "last_line": 2,
                      "path": "worker/time.ts",
                      "quote": "export function parseDuration(text: string): number {"
                    }
                  ],
                  "support": {
                    "kind": "verified"
                  },
                  "text": "The comment on `parseDuration` says: \"\"1h 30m\" in seconds.\""
                }
              ]
            },
            {
              "heading": "Who uses it",
              "statements": [
                {
                  "citations": [
                    {
                      "first_line": 7,
                      "hash": "8efd0f622e0988fb02850dadd225d6e57d38ad769043dc0ac4b5921c34981e6e",
                      "last_line": 7,
                      "path": "worker/schedule.ts",
                      "quote": "return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));"
                    },
                    {
                      "first_line": 2,
                      "hash": "a99b1fe02d6383ccac00de23c7678dc76e74ea47eade57347a8e40f028e84b2d",
                      "last_line": 2,
                      "path": "worker/time.ts",
                      "quote": "export function parseDuration(text: string): number {"
                    },
                    {
                      "first_line": 6,
                      "hash": "8efd0f622e0988fb02850dadd225d6e57d38ad769043dc0ac4b5921c34981e6e",
                      "last_line": 6,
                      "path": "worker/schedule.ts",
                      "quote": "export function schedule(jobs: Job[]): NodeJS.Timeout[] {"
                    }
                  ],
                  "support": {
                    "kind": "verified"
                  },
                  "text": "`schedule` calls `parseDuration` in `worker/time.ts`: `return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));`."
                }
              ]
            },
            {
              "heading": "How it is tested",
              "statements": [
                {
                  "citations": [
                    {
                      "first_line": 3,
                      "hash": "8cbb2577c7f5add062adfd6ea9b988f4e40fd4ecf2c9367f253a7b7fd7490c26",
                      "last_line": 3,
                      "path": "worker/time.test.ts",
                      "quote": "expect(parseDuration(\"1h 30m\")).toBe(5400);"
                    },
                    {
                      "first_line": 2,
                      "hash": "a99b1fe02d6383ccac00de23c7678dc76e74ea47eade57347a8e40f028e84b2d",
                      "last_line": 2,
                      "path": "worker/time.ts",
                      "quote": "export function parseDuration(text: string): number {"
                    }
                  ],
                  "support": {
                    "kind": "verified"
                  },
                  "text": "The test `worker/time.test.ts` uses `parseDuration`."
                }
              ]
            }
          ],
          "session": {
            "calls": 0,
            "files_read": [
              "worker/time.ts",
              "worker/schedule.ts",
              "worker/time.test.ts"
            ],
            "model_calls": 0,
            "tokens": 0,
            "usd": null
          }
        }
    "#]].assert_eq(&format!("{answer:#}\n"));
    let same = case.ask(&["who calls parseDuration", "--format", "json"]);
    assert_eq!(same.stdout, ran.stdout);
}

#[test]
fn as8_the_answer_as_markdown() {
    let case = Case::new();
    expect![[r#"
        exit 0
        --- stdout
        # who calls parseDuration

        ## What it is

        `parseDuration` is a function in `worker/time.ts`. [worker/time.ts:2-9]

        The comment on `parseDuration` says: ""1h 30m" in seconds." [worker/time.ts:1] [worker/time.ts:2]

        ## Who uses it

        `schedule` calls `parseDuration` in `worker/time.ts`: `return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));`. [worker/schedule.ts:7] [worker/time.ts:2] [worker/schedule.ts:6]

        ## How it is tested

        The test `worker/time.test.ts` uses `parseDuration`. [worker/time.test.ts:3] [worker/time.ts:2]

        > Note: worker/time.ts last changed on 2001-02-03 (commit [HEAD]f7).

        > Note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        ---

        4 claims, 4 verified, 0 not verified; 6 citations, 6 valid
    "#]].assert_eq(&case.shown(&["who calls parseDuration", "--format", "markdown"]));
    let forced = ["who calls parseDuration", "--format", "markdown", "--color", "always"];
    let forced = case.ask(&forced);
    assert!(!forced.stdout.contains('\x1b'), "{:?}", forced.stdout);
}

#[test]
fn as8_no_links_and_no_codes_in_a_pipe() {
    let case = Case::new();
    let cli = case.cli.env("FORCE_HYPERLINK", "1").env("TERM_PROGRAM", "iTerm.app");
    let ran = cli.run(["ask", BACKOFF]);
    assert!(!ran.expect_code(0).stdout.contains('\x1b'), "{:?}", ran.stdout);
}

#[test]
#[cfg(target_os = "linux")]
fn as8_citations_are_links_where_the_terminal_has_them() {
    use crate::terminal::Terminal;
    let case = Case::new();
    let cli = case.cli.env("TERM", "xterm-256color").env("WT_SESSION", "1");
    let args = ["ask", "who calls parseDuration"];
    let ran = Terminal { columns: 200, ..Terminal::default() }.run(&cli, &args);
    let link = format!("{}/worker/schedule.ts#L", case.repo.root().display());
    assert!(ran.expect_code(0).stdout.contains(&link), "{:?}", ran.stdout);
    assert!(ran.stdout.contains("\x1b]8;;file://"), "{:?}", ran.stdout);
    let cli = cli.env("NO_HYPERLINKS", "1");
    let ran = Terminal::default().run(&cli, &args);
    assert!(!ran.expect_code(0).stdout.contains("\x1b]8;;"), "{:?}", ran.stdout);
}

#[test]
fn as8_codes_in_a_file_do_not_reach_the_terminal() {
    let fixture = "//- src/evil.js\n/** \u{1b}]0;owned\u{7}paints\u{1b}[31m the screen. */\nexport function paint() {\n  \
                   return '\u{1b}[2J';\n}\n";
    let repo = Repo::git_repo(fixture);
    let cli = cli().cwd(repo.root());
    for format in ["terminal", "markdown", "json"] {
        let ran = cli.run(["ask", "what does paint do?", "--format", format]);
        assert!(ran.expect_code(0).stdout.contains("paint"), "{format}: {}", ran.stdout);
        assert!(!ran.stdout.contains(['\x1b', '\x07']), "{format}: {:?}", ran.stdout);
    }
}

#[test]
fn as8_only_what_is_verified() {
    let case = Case::new();
    let all = case.ask(&[BACKOFF]);
    let verified = case.ask(&[BACKOFF, "--verified-only"]);
    // Nothing that is extracted is unverified.
    assert_eq!(verified.expect_code(0).stdout, all.stdout);
}

#[test]
fn as1_a_tour_is_written_to_a_file() {
    let case = Case::new();
    let file = case.repo.beside("TOUR.md");
    let path = file.to_str().unwrap();
    let ran = case.ask(&["--tour", "--output", path]);
    assert_eq!(ran.expect_code(0).stdout, "");
    assert!(ran.stderr.contains("wrote "), "{}", ran.stderr);
    expect![[r##"
        # What should a newcomer know about this project?

        ## What it is

        The README says: "A help desk: tickets come in by mail or from the page, and are answered by people." [README.md:2]

        ## Where it starts

        A script that can be started is `tool/src/main.rs`, which declares `main`. [tool/src/main.rs:3]

        ## The first hour: read these files in this order

        `server/settings.py` declares the constant `SECRET`, the constant `DATABASE_URL` and the constant `MAIL_HOST`. [server/settings.py:3] [server/settings.py:4] [server/settings.py:5]

        `web/api.ts` declares the function `fetchTickets` and the function `login`. [web/api.ts:1-5] [web/api.ts:7-10]

        `worker/time.ts` declares the function `parseDuration` and the function `formatDuration`. [worker/time.ts:2-9] [worker/time.ts:11-13]

        `worker/time.ts` begins with: ""1h 30m" in seconds." [worker/time.ts:1]

        `server/database.py` declares the function `connect`, the function `migrate` and the constant `STEPS`. [server/database.py:6-9] [server/database.py:12-17] [server/database.py:20-23]

        `server/notify.py` declares the function `send_mail`, the function `ticket_assigned` and the function `digest`. [server/notify.py:8-14] [server/notify.py:17-18] [server/notify.py:21-24]

        `server/notify.py` begins with: "Tells people that something happened." [server/notify.py:1]

        `server/auth.py` declares the function `hash_password`, the function `check_password` and the class `Session`. [server/auth.py:8-10] [server/auth.py:13-14] [server/auth.py:17-28]

        `server/auth.py` begins with: "Who may come in." [server/auth.py:1]

        `web/components/Badge.tsx` declares the constant `COLORS` and the component `Badge`. [web/components/Badge.tsx:1] [web/components/Badge.tsx:4-6]

        `server/search_index.py` declares the function `tokenize` and the function `build`. [server/search_index.py:1-2] [server/search_index.py:5-10]

        `worker/retry.go` declares the struct `Backoff`, the method `Wait` and the function `Retry`. [worker/retry.go:9-12] [worker/retry.go:15-21] [worker/retry.go:24-33]

        `server/storage.py` declares the class `TooLarge`, the function `save_attachment` and the function `delete_attachments`. [server/storage.py:8-9] [server/storage.py:12-23] [server/storage.py:26-27]

        `server/storage.py` begins with: "Attachments on the disk." [server/storage.py:1]

        `worker/queue.go` declares the struct `Queue`, the method `Push` and the method `Pop`. [worker/queue.go:6-9] [worker/queue.go:11-15] [worker/queue.go:17-26]

        `web/components/TicketList.tsx` declares the type `Ticket` and the component `TicketList`. [web/components/TicketList.tsx:6] [web/components/TicketList.tsx:9-23]

        > Note: README.md last changed on 2001-02-03 (commit 29b8c782f7).

        > Note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        ---

        18 claims, 18 verified, 0 not verified; 37 citations, 37 valid
    "##]].assert_eq(&fs::read_to_string(&file).unwrap());
    let again = case.ask(&["--tour", "--output", path]);
    assert!(again.expect_code(0).stderr.contains("replaced "), "{}", again.stderr);
    let shown = case.ask(&["--tour", "--format", "markdown"]);
    assert_eq!(shown.stdout, fs::read_to_string(&file).unwrap());
}

#[test]
fn ux5_wrong_arguments() {
    let case = Case::new();
    let check = |args: &[&str], words: &str| {
        let ran = case.ask(args);
        assert!(ran.expect_code(2).stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    check(&["  "], "nothing was asked");
    check(&["../nowhere"], "../nowhere does not exist");
    check(&["nowhere", "what is this?"], "nowhere does not exist");
    check(&["package.json", "what is this?"], "is not a folder");
    check(&[".", "what?", "--tour"], "cannot be used with");
    check(&[".", "what?", "--forget"], "cannot be used with");
    check(&[".", "--output", "x.md"], "--output needs a question or --tour");
    check(&["what?", "--format", "html"], "invalid value 'html'");
}

#[test]
fn as4_what_was_verified_is_remembered_until_the_file_changes() {
    let case = Case::new();
    case.ask(&["who calls parseDuration"]).expect_code(0);
    let memory = case.memory();
    let facts = memory["facts"].as_array().unwrap().len();
    assert!(facts > 0, "{memory}");
    assert_eq!(memory["questions"][0]["question"], "who calls parseDuration");
    assert_eq!(memory["project"]["name"].as_str(), case.repo.root().file_name().unwrap().to_str());
    // Nothing changed, nothing is dropped.
    let quiet = case.ask(&["what is this project?"]);
    assert_eq!(quiet.expect_code(0).stderr, "");
    let file = case.repo.root().join("worker/time.ts");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("// moved\n{text}")).unwrap();
    let ran = case.ask(&["how is it tested?"]);
    let words = "dropped: the cited files have changed";
    assert!(ran.expect_code(0).stderr.contains(words), "{}", ran.stderr);
    let cites = |fact: &Value| fact["citations"].to_string().contains("worker/time.ts");
    let hash = |fact: &Value| {
        let of_file = |cited: &&Value| cited["path"] == "worker/time.ts";
        fact["citations"].as_array().unwrap().iter().find(of_file).map(|it| it["hash"].clone())
    };
    let old: Vec<Option<Value>> =
        memory["facts"].as_array().unwrap().iter().filter(|it| cites(it)).map(hash).collect();
    let kept = case.memory();
    for fact in kept["facts"].as_array().unwrap() {
        assert!(!old.contains(&hash(fact)) || !cites(fact), "{fact}");
    }
}

#[test]
fn as4_a_damaged_memory_is_set_aside() {
    let case = Case::new();
    case.ask(&[BACKOFF]).expect_code(0);
    let folder = fs::read_dir(case.cli.home().join("ask")).unwrap().next().unwrap().unwrap().path();
    fs::write(folder.join("memory.json"), "{\"version\": 1, \"fac").unwrap();
    let ran = case.ask(&[BACKOFF]);
    let words = "warning: the memory of this repository is damaged";
    assert!(ran.expect_code(0).stderr.contains(words), "{}", ran.stderr);
    assert!(folder.join("memory.json.unusable").exists());
    assert_eq!(case.ask(&[BACKOFF]).stderr, "");
}

#[test]
fn as4_the_memory_can_be_forgotten() {
    let case = Case::new();
    let none = case.ask(&["--forget"]);
    assert_eq!(none.expect_code(0).stdout, "nothing was remembered about this repository\n");
    case.ask(&[BACKOFF]).expect_code(0);
    let ran = case.ask(&["--forget"]);
    assert!(ran.expect_code(0).stdout.starts_with("forgot "), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 question"), "{}", ran.stdout);
    let none = case.ask(&["--forget"]);
    assert_eq!(none.expect_code(0).stdout, "nothing was remembered about this repository\n");
}

#[test]
fn as4_a_session_over_a_pipe() {
    let case = Case::new();
    let out = case.repo.beside("out.md");
    let name = out.display().to_string();
    let save = format!("/save {name}");
    let lines = [
        "/files",
        "/plan",
        "who calls parseDuration",
        "",
        "/files",
        "/memory",
        "/plan",
        "/cost",
        &save,
        &save,
        "/fils",
        "/help",
        "/quit",
        "not asked",
    ];
    let lines = format!("{}\n", lines.join("\n"));
    let (case, ran) = case.session(&lines, &[]);
    let shown = case.cli.shown(&ran).replace(&name, "[OUT]");
    expect![[r#"
        exit 0
        --- stdout
        no files read yet
        nothing was asked yet
        > who calls parseDuration

        What it is

        `parseDuration` is a function in `worker/time.ts`. [worker/time.ts:2-9]

        The comment on `parseDuration` says: ""1h 30m" in seconds." [worker/time.ts:1] [worker/time.ts:2]

        Who uses it

        `schedule` calls `parseDuration` in `worker/time.ts`: `return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));`. [worker/schedule.ts:7] [worker/time.ts:2] [worker/schedule.ts:6]

        How it is tested

        The test `worker/time.test.ts` uses `parseDuration`. [worker/time.test.ts:3] [worker/time.ts:2]

        note: worker/time.ts last changed on 2001-02-03 (commit [HEAD]f7).

        note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        4 claims, 4 verified, 0 not verified; 6 citations, 6 valid
           1 ×  worker/schedule.ts
           1 ×  worker/time.test.ts
           1 ×  worker/time.ts
        4 facts, 3 files read, 1 question
          `parseDuration` is a function in `worker/time.ts`.  [worker/time.ts:2-9]
          The comment on `parseDuration` says: ""1h 30m" in seconds."  [worker/time.ts:1-1, worker/time.ts:2-2]
          `schedule` calls `parseDuration` in `worker/time.ts`: `return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));`.  [worker/schedule.ts:7-7, worker/time.ts:2-2, worker/schedule.ts:6-6]
          The test `worker/time.test.ts` uses `parseDuration`.  [worker/time.test.ts:3-3, worker/time.ts:2-2]
          asked: who calls parseDuration  (4 of 4 claims verified)
        no plan: without a model, the answer is extracted in one step
        1 question, 0 tool calls, no model calls
        saved [OUT]: 1 question
        [OUT] exists and was not changed; /save! [OUT] replaces it
        there is no command /fils; /help lists them
        Type a question about the repository, or a command:
          /files          files read so far, and how often
          /memory         what is remembered from earlier questions
          /plan           plan of the last question
          /cost           model calls, tokens and money so far
          /save FILE.md   save the session as Markdown; /save! replaces an existing file
          /help           this list
          /quit           end the session; so does Ctrl-D
        Ctrl-C cancels a question. To begin a question with a slash, put a space in front of it.
    "#]].assert_eq(&shown);
    expect![[r##"
        # who calls parseDuration

        ## What it is

        `parseDuration` is a function in `worker/time.ts`. [worker/time.ts:2-9]

        The comment on `parseDuration` says: ""1h 30m" in seconds." [worker/time.ts:1] [worker/time.ts:2]

        ## Who uses it

        `schedule` calls `parseDuration` in `worker/time.ts`: `return jobs.map((job) => setInterval(() => void job.run(), parseDuration(job.every) * 1000));`. [worker/schedule.ts:7] [worker/time.ts:2] [worker/schedule.ts:6]

        ## How it is tested

        The test `worker/time.test.ts` uses `parseDuration`. [worker/time.test.ts:3] [worker/time.ts:2]

        > Note: worker/time.ts last changed on 2001-02-03 (commit 29b8c782f7).

        > Note: No model was used: the sentences are made from the index, and words of files are quoted. A model would explain why the code is as it is, connect these facts, and answer the question directly. To use a model, pass --provider, such as claude-code, anthropic or ollama.

        ---

        4 claims, 4 verified, 0 not verified; 6 citations, 6 valid
    "##]].assert_eq(&fs::read_to_string(&out).unwrap());
    assert!(!ran.stdout.contains("not asked"), "{}", ran.stdout);
    assert_eq!(case.memory()["questions"].as_array().unwrap().len(), 1);
}

#[test]
fn as4_a_session_replaces_a_file_only_if_told_so() {
    let case = Case::new();
    let out = case.repo.beside("mine.md");
    fs::write(&out, "mine\n").unwrap();
    let keep = format!("what is this project?\n/save {}\n", out.display());
    let (case, ran) = case.session(&keep, &[]);
    assert!(ran.expect_code(0).stdout.contains("exists and was not changed"), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine\n");
    let replace = keep.replace("/save ", "/save! ");
    let (_case, ran) = case.session(&replace, &[]);
    assert!(ran.expect_code(0).stdout.contains("replaced "), "{}", ran.stdout);
    assert_ne!(fs::read_to_string(&out).unwrap(), "mine\n");
}

#[test]
fn as4_a_session_as_json_has_an_object_for_each_question() {
    let (_, ran) =
        Case::new().session("what is this project?\n/cost\nhow is it tested?\n", &["--json"]);
    let answers: Vec<Value> =
        ran.expect_code(0).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let questions: Vec<&str> = answers.iter().map(|it| it["question"].as_str().unwrap()).collect();
    assert_eq!(questions, ["what is this project?", "how is it tested?"]);
    assert!(ran.stderr.contains("1 question"), "{}", ran.stderr);
}

#[test]
fn as4_an_empty_session_ends_at_once() {
    let (_, ran) = Case::new().session("", &["."]);
    assert_eq!((ran.expect_code(0).stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn mo3_what_ask_keeps_is_private() {
    use std::os::unix::fs::MetadataExt as _;
    let case = Case::new();
    case.ask(&[BACKOFF]).expect_code(0);
    let ask = case.cli.home().join("ask");
    let folder = fs::read_dir(&ask).unwrap().next().unwrap().unwrap().path();
    for path in [&ask, &folder, &folder.join("memory.json")] {
        assert_eq!(path.symlink_metadata().unwrap().mode() & 0o077, 0, "{}", path.display());
    }
}

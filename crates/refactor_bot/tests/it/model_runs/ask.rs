//! Questions to a model whose answers are written beforehand: what is checked, what is paid, and what a kill leaves.

use std::fs;
use std::time::{Duration, Instant};

use expect_test::expect;
use rb_testkit::Ran;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::has_node;
use super::scripted::{GREETINGS, Scripted};

const QUESTION: &str = "how does alpha greet?";

/// The model reads a file.
fn reads(path: &str) -> Value {
    json!({"tool_calls": [{"id": "c1", "name": "read_file", "input": {"path": path}}]})
}

/// The model says one sentence, with one citation.
fn says(text: &str, path: &str, line: u32, quote: &str) -> Value {
    let citation = json!({"path": path, "first_line": line, "last_line": line, "quote": quote});
    let statement = json!({"text": text, "citations": [citation]});
    json!({"value": {"sections": [{"heading": "", "statements": [statement]}], "not_found": []}})
}

fn good() -> Value {
    let quote = "const greeting = 'hello ' + name;";
    says("`alpha` puts `hello` before the `name`.", "lib/alpha.js", 3, quote)
}

fn case(answers: &[Value]) -> Scripted {
    Scripted::new(GREETINGS, &json!({ "explorer": answers }))
}

fn ask(case: &Scripted, more: &[&str]) -> Ran {
    let root = case.repo.root().display().to_string();
    let usual = ["ask", &root, QUESTION, "--provider", "command"];
    case.cli.run(usual.iter().chain(more))
}

/// How many tokens a prompt has depends on the random mark of its fence.
fn without_tokens(shown: &str) -> String {
    let parts: Vec<&str> = shown.split(" tokens").collect();
    let (last, counted) = parts.split_last().unwrap();
    let is_count = |c: char| c.is_ascii_digit() || c == ',';
    let named = |part: &&str| format!("{}N tokens", part.trim_end_matches(is_count));
    counted.iter().map(named).chain([(*last).to_owned()]).collect()
}

fn only_run(case: &Scripted) -> String {
    let mut runs = fs::read_dir(case.cli.home().join("runs")).unwrap();
    runs.next().unwrap().unwrap().file_name().into_string().unwrap()
}

#[test]
fn as8_a_model_answers_with_a_citation_that_is_checked() {
    if !has_node() {
        return;
    }
    let case = case(&[reads("lib/alpha.js"), good()]);
    let before = case.repo.state();
    let ran = ask(&case, &[]);
    expect![[r#"
        exit 0
        --- stdout
        `alpha` puts `hello` before the `name`. [lib/alpha.js:3]

        Answered by command. 1 claim, 1 verified, 0 not verified; 1 citation, 1 valid

        run [RUN] · 1 file read · 1 tool call · 2 model calls · N tokens
        --- stderr
        exploring
    "#]]
    .assert_eq(&without_tokens(&case.cli.shown(&ran)));
    assert!(ran.expect_code(0).stdout.contains("[lib/alpha.js:3]"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not verified:"), "{}", ran.stdout);
    assert_eq!(case.asked(), ["explorer", "explorer"]);
    before.assert_same(&case.repo.state(), "by the question");
    let run = only_run(&case);
    let folder = case.cli.home().join("runs").join(&run);
    assert!(folder.join("answer.json").exists() && folder.join("answer.md").exists());
}

#[test]
fn as8_an_invented_citation_is_never_shown_as_verified() {
    if !has_node() {
        return;
    }
    let wrong = |path: &str, line: u32, quote: &str| says("`alpha` shouts.", path, line, quote);
    for lie in [
        wrong("lib/alpha.js", 3, "const greeting = shout(name);"),
        // The quote is in another line, which is corrected; the sentence is still not what it says.
        wrong("lib/alpha.js", 300, "const greeting = 'hello ' + name;"),
        wrong("lib/nowhere.js", 1, "const greeting = 'hello ' + name;"),
    ] {
        let case = case(&[reads("lib/alpha.js"), lie]);
        let ran = ask(&case, &[]);
        assert!(ran.expect_code(0).stdout.contains("not verified"), "{}", ran.stdout);
        assert!(case.asked().len() > 2, "it is asked again, and told why");
        let ran = ask(&case, &["--verified-only"]);
        assert!(!ran.expect_code(0).stdout.contains("shouts"), "{}", ran.stdout);
    }
}

#[test]
fn as4_the_next_question_knows_what_was_verified() {
    if !has_node() {
        return;
    }
    let case = case(&[reads("lib/alpha.js"), good()]);
    ask(&case, &[]).expect_code(0);
    let first = case.calls().len();
    ask(&case, &[]).expect_code(0);
    let prompt = case.calls()[first].prompt().to_owned();
    assert!(prompt.contains("`alpha` puts `hello` before the `name`."), "{prompt}");
    assert!(prompt.contains(QUESTION), "{prompt}");
    // A fact about a file that has changed is not told any more.
    case.repo.write("lib/alpha.js", "function alpha() {}\nmodule.exports = { alpha };\n");
    let second = case.calls().len();
    let ran = ask(&case, &[]);
    assert!(ran.stderr.contains("1 remembered fact dropped"), "{}", ran.stderr);
    let prompt = case.calls()[second].prompt().to_owned();
    assert!(!prompt.contains("puts `hello` before"), "{prompt}");
}

#[test]
fn sa6_a_killed_question_is_resumed_without_asking_twice() {
    if !has_node() {
        return;
    }
    let case = case(&[reads("lib/alpha.js"), json!({"hang": true, "then": good()}), good()]);
    let root = case.repo.root().display().to_string();
    let args = ["ask", &root, QUESTION, "--provider", "command"];
    let mut child = case.cli.command().args(args).spawn().unwrap();
    let begun = Instant::now();
    while case.calls().len() < 2 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the model is asked for its answer");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    case.go();
    let run = only_run(&case);
    let listed = case.cli.run(["runs", "list"]);
    assert!(listed.expect_code(0).stdout.contains("resumable"), "{}", listed.stdout);
    let ran = case.cli.run(["resume", &run]);
    assert!(ran.expect_code(0).stdout.contains("[lib/alpha.js:3]"), "{}", ran.stdout);
    // The answer of the first call was kept; the one that was under way is asked for again.
    assert_eq!(case.asked(), ["explorer"; 3]);
    // A question that was answered is only shown again.
    let again = case.cli.run(["resume", &run]);
    assert_eq!(again.expect_code(0).stdout, ran.stdout);
    assert_eq!(case.asked().len(), 3);
}

#[test]
fn as8_a_question_among_the_runs() {
    if !has_node() {
        return;
    }
    let case = case(&[reads("lib/alpha.js"), good()]);
    ask(&case, &[]).expect_code(0);
    let run = only_run(&case);
    let root = case.repo.root().display().to_string();
    let shown = |args: &[&str]| {
        without_tokens(&case.cli.shown(&case.cli.run(args)).replace(&root, "[REPO]"))
    };
    expect![[r#"
        exit 0
        --- stdout
        [RUN]  answered            1 of 1 claim verified          [TMP]/project  how does alpha greet?
    "#]].assert_eq(&shown(&["runs", "list"]));
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
        question how does alpha greet?
        claims   1 claim, 1 verified, 0 not verified; 1 citation, 1 valid
        cost     $0.000000, 2 model calls, N tokens
        answer   [USER]/home/runs/[RUN]/answer.md
    "#]]
    .assert_eq(&shown(&["runs", "show", &run]));
    expect![[r#"
        exit 2
        --- stderr
        error: run [RUN] is a question: there is nothing to accept
        hint: `refactor-bot runs show [RUN]` shows the question and its answer
    "#]]
    .assert_eq(&shown(&["accept", &run]));
    expect![[r#"
        exit 2
        --- stderr
        error: run [RUN] is a question: there is nothing to reject
        hint: `refactor-bot runs show [RUN]` shows the question and its answer
    "#]]
    .assert_eq(&shown(&["reject", &run]));
    let json = case.cli.run(["--json", "runs", "show", &run]);
    let value: Value = serde_json::from_str(&json.expect_code(0).stdout).unwrap();
    assert_eq!((&value["question"], &value["stands"]), (&json!(QUESTION), &json!("answered")));
    assert_eq!(value["counts"]["verified_claims"], 1);
    let log = case.cli.run(["runs", "log", &run]);
    assert!(log.expect_code(0).stdout.contains("tool_called"), "{}", log.stdout);
    let young = case.cli.run(["runs", "gc"]);
    assert!(young.expect_code(0).stderr.contains("nothing to remove"), "{}", young.stderr);
    let gone = case.cli.run(["runs", "gc", "--older-than", "0"]);
    assert!(gone.expect_code(0).stdout.contains("removed "), "{}", gone.stdout);
    assert!(!case.cli.home().join("runs").join(&run).exists());
}

#[test]
fn as1_a_session_with_a_model_over_a_pipe() {
    if !has_node() {
        return;
    }
    let case = case(&[reads("lib/alpha.js"), good()]);
    let Scripted { repo, cli, .. } = case;
    let cli = cli.stdin(format!("{QUESTION}\n/cost\n/files\n")).cwd(repo.root());
    let ran = cli.run(["ask", "--provider", "command"]);
    let out = &ran.expect_code(0).stdout;
    assert!(out.contains("1 question, 1 tool call, 2 model calls"), "{out}");
    assert!(out.contains("lib/alpha.js"), "{out}");
    assert!(!ran.stderr.contains("read_file"), "silent in a pipe: {}", ran.stderr);
}

/// A service that costs a dollar for a million tokens. It answers at once, and reports 20,000 tokens.
fn service() -> Stub {
    Stub::new(|seen, _| {
        if seen.line.starts_with("GET ") {
            return Reply::ok("{\"data\":[{\"id\":\"m\"}]}");
        }
        let value = json!({"sections": [], "not_found": ["anything"]});
        let piece = json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": value.to_string()}}]});
        let end = json!({
            "id": "c", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10_000, "completion_tokens": 10_000, "total_tokens": 20_000},
        });
        Reply::events([format!("data: {piece}\n\n"), format!("data: {end}\n\ndata: [DONE]\n\n")])
    })
}

fn asked(stub: &Stub) -> usize {
    stub.seen().iter().filter(|seen| !seen.line.starts_with("GET ")).count()
}

fn paid_case(stub: &Stub) -> Scripted {
    let mut case = Scripted::new(GREETINGS, &json!({}));
    case.cli.set_env("ACME_KEY", "sk-0123456789");
    let folder = case.cli.home().join("providers");
    fs::create_dir_all(&folder).unwrap();
    let own = format!(
        "name = \"acme\"\nwire = \"chat\"\nbase_url = \"{}/v1\"\nkeys = [\"ACME_KEY\"]\ndefault_model = \"m\"\n\
         [[model]]\nname = \"m\"\npublished = \"2026-05-01\"\ninput = 1\noutput = 1\n",
        stub.url()
    );
    fs::write(folder.join("acme.toml"), own).unwrap();
    case
}

fn ask_acme(case: &Scripted, more: &[&str]) -> Ran {
    let root = case.repo.root().display().to_string();
    case.cli.run(["ask", &root, QUESTION, "--provider", "acme"].iter().chain(more))
}

#[test]
fn mo6_no_paid_model_is_called_before_somebody_agreed() {
    let stub = service();
    let case = paid_case(&stub);
    let ran = ask_acme(&case, &[]);
    expect![[r#"
        exit 4
        --- stderr
        error: calling acme costs money, and nobody has agreed to that
        hint: pass --budget-usd USD to set a limit, or --yes to use the default limit
    "#]]
    .assert_eq(&without_tokens(&case.cli.shown(&ran)));
    assert_eq!(ran.code, 4);
    assert_eq!(asked(&stub), 0);
    assert!(!case.cli.home().join("runs").exists(), "nothing was begun");
    ask_acme(&case, &["--yes"]).expect_code(0);
    assert!(asked(&stub) > 0);
}

#[test]
fn mo7_the_cap_of_a_question_holds_and_can_be_raised() {
    let stub = service();
    let case = paid_case(&stub);
    let ran = ask_acme(&case, &["--budget-usd", "0.0001"]);
    let run = ran.expect_code(4).run_id();
    assert_eq!(asked(&stub), 0, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("refactor-bot resume {run}")), "{}", ran.stderr);
    // The cap that the question began with still holds.
    case.cli.run(["resume", &run]).expect_code(4);
    assert_eq!(asked(&stub), 0);
    case.cli.run(["resume", &run, "--budget-usd", "5"]).expect_code(0);
    let paid = asked(&stub);
    assert!(paid > 0);
    let shown = case.cli.run(["runs", "show", &run]);
    let calls = if paid == 1 { "1 model call,".to_owned() } else { format!("{paid} model calls,") };
    assert!(shown.expect_code(0).stdout.contains(&calls), "{}", shown.stdout);
}

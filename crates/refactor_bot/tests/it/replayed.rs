//! Runs with a model, recorded once: the same answers give the same words, the same changes and the same ledger, byte for byte.
//!
//! A recording holds every prompt as well, so that a prompt which changes is seen here. `record_anew` then makes the recordings
//! again: the answers that they hold are given to the prompts of now, by a server on this machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use expect_test::expect_file;
use rb_core::TaskId;
use rb_testkit::stub::{Reply, Seen, Stub};
use rb_testkit::{Cli, Repo};
use serde_json::{Value, json};

use crate::examples::copy_of;

/// A run, and what it was told.
struct Recorded {
    /// Of the example, and of the files in `replayed/`.
    name: &'static str,
    directive: &'static str,
    more: &'static [&'static str],
    /// What the example lacks.
    prepare: fn(&Repo),
}

/// No recipe and no rule serves it: a model plans, writes and reviews all of it.
const NOTES: Recorded = Recorded {
    name: "notes",
    directive: "Move the shortening of text into one module and use it everywhere",
    more: &[],
    prepare: |_| {},
};

/// Rules do the most of it, a model what they leave: one of its answers is `noop`, one `blocked`, one is asked to be smaller.
const SHOP: Recorded = Recorded {
    name: "shop",
    directive: "Eliminate request waterfalls across the project.",
    more: &[],
    prepare: |_| {},
};

/// Every kind of answer that must not be taken, and a right one where tries are left.
const LOOKUPS: Recorded = Recorded {
    name: "lookups",
    directive: "Give every bare number and text of the billing a name",
    more: &["--max-retries", "3"],
    // Others may import one of its modules.
    prepare: |repo| {
        let exports = r#"  "exports": { "./reminders": "./src/reminders.js" },"#;
        let private = "  \"private\": true,";
        let text = repo.read("package.json");
        repo.write("package.json", text.replace(private, &format!("{private}\n{exports}")));
    },
};

#[test]
fn rf5_mo6_a_directive_that_no_recipe_serves_is_replayed() {
    check(&NOTES);
}

#[test]
fn rf6_mo6_what_rules_leave_and_a_critic_shrinks_is_replayed() {
    check(&SHOP);
}

#[test]
fn rf5_rf7_mo6_bad_answers_are_refused_and_the_run_ends_well() {
    check(&LOOKUPS);
}

/// What is seen of a run from outside.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// The words on the terminal, then every failed try and every task, as the journal has them.
    told: String,
    diff: String,
    calls: usize,
}

/// Nothing is checked where there is no Node.
fn check(recorded: &Recorded) {
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let tape = recorded.file("jsonl");
    let asked = ["--provider", "anthropic", "--model", "claude-sonnet-5", "--critic", "--replay"];
    let args = [&asked[..], &[tape.to_str().unwrap()]].concat();
    let first = recorded.run(&args, configured());
    expect_file![recorded.file("txt")].assert_eq(&first.told);
    expect_file![recorded.file("patch")].assert_eq(&first.diff);
    assert_eq!(first.calls, lines(&tape).len(), "a recorded call was not used");
    let text = fs::read_to_string(&tape).unwrap();
    for place in ["/tmp/", "/home/", "/root/", "/Users/", "127.0.0.1:"] {
        assert!(!text.contains(place), "{} names {place}", tape.display());
    }
    let again = recorded.run(&args, configured());
    assert_eq!(again, first);
}

impl Recorded {
    fn file(&self, ending: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/replayed");
        folder.join(format!("{}.{ending}", self.name))
    }

    fn run(&self, args: &[&str], cli: Cli) -> Outcome {
        let repo = copy_of(self.name).0;
        (self.prepare)(&repo);
        repo.commit_all("prepared");
        let before = repo.state();
        let beside = fs::canonicalize(repo.beside("")).unwrap();
        let cli = cli.hide(beside.display().to_string(), "[TMP]");
        let root = repo.root().to_str().unwrap().to_owned();
        let order = ["run", &root, "--directive", self.directive];
        let ran = cli.run([&order[..], self.more, args].concat());
        before.files().assert_same(&repo.state().files(), "by a run that was not accepted");
        let id = ran.run_id();
        let journal = fs::read_to_string(cli.home().join("runs").join(&id).join("journal.jsonl"));
        let journal = events(&journal.unwrap());
        let is_skipped = |event: &Value| event["entry"]["status"] == "skipped";
        ran.expect_code(if journal.iter().any(is_skipped) { 7 } else { 0 });
        let diff = cli.run(["runs", "show", &id, "--diff"]).stdout;
        cli.run(["accept", &id]).expect_code(0);
        assert_tests_pass(&repo);
        let calls = journal.iter().filter(|event| event["event"] == "model_called").count();
        let told = format!("{}--- journal\n{}", cli.shown(&ran), ledger(&journal));
        Outcome { told, diff, calls }
    }
}

/// What else could be found on a machine is not asked.
fn configured() -> Cli {
    let cli = crate::cli();
    let tests = ["node --test"];
    let config = json!({"fast_verifier": tests, "full_verifier": tests});
    fs::create_dir_all(cli.home()).unwrap();
    fs::write(cli.home().join("config.json"), config.to_string()).unwrap();
    cli
}

pub(crate) fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Failed tries, suspicions and tasks, a line or two each.
fn ledger(journal: &[Value]) -> String {
    let mut out = String::new();
    for event in journal {
        let task = &event["task"];
        let _ = match event["event"].as_str().unwrap() {
            "try_failed" => {
                let (attempt, failure) = (&event["attempt"], &event["failure"]);
                let (reasons, recovery) = (&event["reasons"], &event["recovery"]);
                writeln!(out, "{task} try {attempt}: {failure} {recovery} {reasons:#}")
            }
            "suspected" => {
                let found = &event["findings"][0];
                writeln!(out, "{task} suspected: {} {}", event["path"], found["why"])
            }
            "task_ended" => {
                let entry = &event["entry"];
                let (status, verdict) = (&entry["status"], &entry["verdict"]);
                let (attempts, files) = (&entry["attempts"], &entry["touched_files"]);
                let task = &entry["task"];
                writeln!(out, "{task} {status} {verdict} after {attempts}: {files}")
            }
            _ => Ok(()),
        };
    }
    out
}

fn assert_tests_pass(repo: &Repo) {
    let mut node = Command::new("node");
    let out = node.args(["--test", "--test-reporter", "tap"]).current_dir(repo.root()).output();
    let out = out.unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

/// The calls of a recording.
pub(crate) fn lines(tape: &Path) -> Vec<Value> {
    events(&fs::read_to_string(tape).unwrap()).split_off(1)
}

/// The recorded answers by role and task, each once and in their order.
pub(crate) struct Answers(Mutex<BTreeMap<String, Vec<Value>>>);

impl Answers {
    pub(crate) fn of(tape: &Path) -> Answers {
        let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for line in lines(tape) {
            let request = &line["request"];
            let task = serde_json::from_value(request["task"].clone()).unwrap();
            let key = key(request["role"].as_str().unwrap(), task);
            let answer = &line["answer"];
            let is_call = answer["tool_calls"].is_array();
            let said = if is_call {
                json!({"calls": answer["tool_calls"]})
            } else {
                answer["value"].clone()
            };
            all.entry(key).or_default().push(said);
        }
        Answers(Mutex::new(all))
    }

    /// Of roles that have no tasks.
    pub(crate) fn in_order<const N: usize>(answers: [(&str, Value); N]) -> Answers {
        let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (role, value) in answers {
            all.entry(key(role, None)).or_default().push(value);
        }
        Answers(Mutex::new(all))
    }

    pub(crate) fn reply(&self, seen: &Seen) -> Reply {
        let body: Value = serde_json::from_str(&seen.body).unwrap_or_default();
        let (system, asked) = (body["system"].to_string(), body["messages"].to_string());
        let after = |text: &str, mark: &str| text.split_once(mark).map(|it| it.1.to_owned());
        let role = after(&system, "refactor-bot prompt: ").unwrap_or_default();
        let role = role.split(',').next().unwrap_or_default();
        let task =
            after(&asked, "# batch-").and_then(|it| Some(TaskId(it.get(..3)?.parse().ok()?)));
        let mut all = self.0.lock().unwrap();
        let Some(left) = all.get_mut(&key(role, task)).filter(|left| !left.is_empty()) else {
            return Reply::status(500, "{\"error\": {\"message\": \"nothing is left to answer\"}}");
        };
        // A planner that is asked once more, because some of its plan is not taken, says the same again.
        let is_last_plan = role == "planner" && left.len() == 1;
        let value = if is_last_plan { left[0].clone() } else { left.remove(0) };
        if let Some(calls) = value["calls"].as_array() {
            return called(body["model"].as_str().unwrap_or_default(), calls);
        }
        let tools = body["tools"].to_string();
        let tool = if tools.contains("\"StructuredOutput\"") { "StructuredOutput" } else { role };
        said(body["model"].as_str().unwrap_or_default(), tool, &value)
    }
}

fn key(role: &str, task: Option<TaskId>) -> String {
    format!("{role} {task:?}")
}

/// A message of the Anthropic API as it is streamed: a tool that is called, or words where there is nothing to call it with.
fn said(model: &str, tool: &str, value: &Value) -> Reply {
    let (block, delta, stop) = if value.is_null() {
        let words = "I renamed the constant, as you asked. Have a nice day!";
        let delta = json!({"type": "text_delta", "text": words});
        (json!({"type": "text", "text": ""}), delta, "end_turn")
    } else {
        let block = json!({"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}});
        let delta = json!({"type": "input_json_delta", "partial_json": value.to_string()});
        (block, delta, "tool_use")
    };
    streamed(model, &[(block, delta)], stop)
}

/// A message that calls tools.
fn called(model: &str, calls: &[Value]) -> Reply {
    let block = |call: &Value| {
        let start =
            json!({"type": "tool_use", "id": call["id"], "name": call["name"], "input": {}});
        let input = call["input"].to_string();
        (start, json!({"type": "input_json_delta", "partial_json": input}))
    };
    let blocks: Vec<_> = calls.iter().map(block).collect();
    streamed(model, &blocks, "tool_use")
}

/// Blocks, each with what comes after its start.
fn streamed(model: &str, blocks: &[(Value, Value)], stop: &str) -> Reply {
    let usage = json!({"input_tokens": 3000, "output_tokens": 200});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "usage": usage});
    let mut events = vec![json!({"type": "message_start", "message": message})];
    for (index, (block, delta)) in blocks.iter().enumerate() {
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": block}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    let ended = json!({"stop_reason": stop});
    events.extend([
        json!({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 200}}),
        json!({"type": "message_stop"}),
    ]);
    let written = |event: &Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    Reply::events(events.iter().map(written).collect::<Vec<_>>())
}

pub(crate) const KEY: &str = "sk-recorded-0123456789";

/// For whoever changed a prompt on purpose: `cargo test -p refactor_bot -- --ignored record_anew`, then the tests above with
/// `UPDATE_EXPECT=1`, then a look at the difference.
#[test]
#[ignore = "it writes the recordings anew"]
fn record_anew() {
    for recorded in [&NOTES, &SHOP, &LOOKUPS] {
        let tape = recorded.file("jsonl");
        let answers = Answers::of(&tape);
        let stub = Stub::new(move |seen, _| answers.reply(seen));
        let fresh = tape.with_extension("part");
        // A recording grows; one that was cut short is not gone on with.
        let _ = fs::remove_file(&fresh);
        let file = fresh.to_str().unwrap().to_owned();
        let asked = ["--provider", "anthropic", "--model", "claude-sonnet-5", "--critic"];
        let args = [&asked[..], &["--budget-usd", "5", "--record", &file]].concat();
        let cli = configured().env("ANTHROPIC_API_KEY", KEY);
        answer_at(&cli, &stub.url());
        recorded.run(&args, cli);
        fs::rename(&fresh, &tape).unwrap();
    }
}

/// The provider with its prices, at another address.
pub(crate) fn answer_at(cli: &Cli, url: &str) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rb_models/data/providers");
    let text = fs::read_to_string(data.join("anthropic.toml")).unwrap();
    let is_address = |line: &&str| line.starts_with("base_url");
    let there = text.lines().find(is_address).unwrap();
    let folder = cli.home().join("providers");
    fs::create_dir_all(&folder).unwrap();
    let text = text.replace(there, &format!("base_url = \"{url}\""));
    fs::write(folder.join("anthropic.toml"), text).unwrap();
}

/// The real program, asked by the same answers, comes to the same changes. Nothing is checked where it is not set up.
#[test]
fn rf5_mo2_real_claude_code_carries_a_whole_run() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let claude = target.join("test-tools/claude-code/node_modules/.bin/claude");
    if !claude.exists() || Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let answers = Answers::of(&NOTES.file("jsonl"));
    let offered = Arc::new(Mutex::new(Vec::new()));
    let offers = Arc::clone(&offered);
    let stub = Stub::new(move |seen, _| {
        let has_index = seen.body.contains("\"mcp__refactor-bot__references\"");
        let is_patcher = seen.body.contains("refactor-bot prompt: patcher");
        offers.lock().unwrap().push((is_patcher, has_index));
        answers.reply(seen)
    });
    let url = stub.url();
    let asked = ["--provider", "claude-code", "--critic", "--budget-usd", "5", "--base-url", &url];
    let cli = configured().env("REFACTOR_BOT_CLAUDE_BINARY", &claude);
    let outcome = NOTES.run(&[&asked[..], &["--api-key", KEY]].concat(), cli);
    expect_file![NOTES.file("patch")].assert_eq(&outcome.diff);
    assert_eq!(outcome.calls, lines(&NOTES.file("jsonl")).len());
    // Whoever writes a patch can look things up in the index, and nobody else.
    let offered = offered.lock().unwrap();
    assert!(offered.iter().any(|(is_patcher, _)| *is_patcher));
    assert!(offered.iter().all(|(is_patcher, has_index)| is_patcher == has_index), "{offered:?}");
}

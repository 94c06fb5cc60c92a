//! The real Claude Code as the agent of a run, against a scripted service. Nothing is checked where it is not installed.

use std::path::{Path, PathBuf};

use rb_testkit::Cli;
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};

use super::fixture::{Case, NEW, OLD, has_node};

pub(crate) fn claude() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?;
    target.join("test-tools/claude-code/node_modules/.bin/claude").canonicalize().ok()
}

#[test]
fn ag1_real_claude_code_does_a_task_of_a_run() {
    let Some(claude) = claude().filter(|_| has_node()) else { return };
    let stub = Stub::new(|seen, _| answer(seen));
    let mut case = Case::new("exit 1");
    logged_in(&mut case.cli, claude, &stub);
    case.cli.set_env("GITHUB_TOKEN", "ghp_secret");
    let ran = case.run_agent("claude-code", &["--yes", "--budget-usd", "5"]);
    let run = ran.expect_code(0).run_id();
    assert_eq!(
        case.repo.read("lib/alpha.js").lines().nth(2),
        Some(NEW),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let booking = &case.events(&run, "model_called")[0]["booking"];
    assert_eq!(
        (&booking["provider"], &booking["usage"]["input"]),
        (&json!("claude-code"), &json!(300))
    );
    assert!(booking["cost"]["reported"].is_number(), "{booking}");
    let notes = case.events(&run, "noted");
    let says = "batch-001: the agent says (not checked): I used a template.";
    assert!(notes.iter().any(|note| note["text"] == says), "{notes:?}");

    let seen = stub.seen();
    let asked: Vec<&Seen> = seen.iter().filter(|seen| seen.line.starts_with("POST")).collect();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].header("x-api-key"), Some("sk-ant-api03-test"));
    // The tools of the index are served by this program, inside of the sandbox.
    assert!(asked[0].body.contains("mcp__refactor-bot__search"), "no tools of the index");
    assert!(!asked.iter().any(|seen| seen.body.contains("ghp_secret")));
}

#[test]
fn ag1_claude_code_without_a_login_stops_the_run() {
    let Some(claude) = claude().filter(|_| has_node()) else { return };
    let mut case = Case::new("exit 1");
    case.cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", claude);
    let ran = case.run_agent("claude-code", &["--yes"]);
    let run = ran.expect_code(3).run_id();
    let told = format!(
        "error: claude-code is not logged in\n\
         hint: log in with its own program, or set its API key\n\
         hint: continue with `refactor-bot resume {run}`\n"
    );
    assert!(ran.stderr.ends_with(&told), "{}", ran.stderr);
}

/// Reads the file, edits it, then says so.
fn answer(seen: &Seen) -> Reply {
    edited(seen, "lib/alpha.js", &[(OLD, NEW)], "I used a template.")
}

/// The program, and a service that answers it.
pub(crate) fn logged_in(cli: &mut Cli, claude: PathBuf, stub: &Stub) {
    cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", claude);
    cli.set_env("ANTHROPIC_BASE_URL", stub.url());
    cli.set_env("ANTHROPIC_API_KEY", "sk-ant-api03-test");
}

/// Reads a file, makes one edit after the other, and ends with words.
pub(crate) fn edited(seen: &Seen, path: &str, edits: &[(&str, &str)], words: &str) -> Reply {
    if !seen.line.starts_with("POST /v1/messages") {
        return Reply::ok("{}");
    }
    let path = format!("{}/{path}", copy(&seen.body));
    let made = seen.body.matches("\"tool_result\"").count();
    let (block, delta, stop) = match made.checked_sub(1).map(|at| edits.get(at)) {
        None => call("Read", &json!({ "file_path": path })),
        Some(Some((old, new))) => {
            call("Edit", &json!({ "file_path": path, "old_string": old, "new_string": new }))
        }
        Some(None) => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": words }),
            "end_turn",
        ),
    };
    let usage = json!({ "input_tokens": 100, "output_tokens": 1 });
    let message = json!({ "id": "msg_1", "type": "message", "role": "assistant",
        "model": "claude-sonnet-5", "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": usage });
    let events = [
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null },
            "usage": { "output_tokens": 20 } }),
        json!({ "type": "message_stop" }),
    ];
    let event =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    Reply::events(events.iter().map(event))
}

/// The folder that the agent works in, which it names in its requests.
fn copy(body: &str) -> &str {
    const END: &str = "/work/copy";
    let end = body.find(END).map_or(0, |at| at + END.len());
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let begin = body[..end].rfind(|c: char| !is_path(c)).map_or(0, |at| at + 1);
    &body[begin..end]
}

fn call(tool: &str, input: &Value) -> (Value, Value, &'static str) {
    // Each call has an id of its own.
    let id = format!("toolu_{}", rb_core::Sha256::of(input.to_string().as_bytes()));
    let block = json!({ "type": "tool_use", "id": id, "name": tool, "input": {} });
    let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
    (block, delta, "tool_use")
}

//! The real Claude Code against a scripted service. Nothing is checked where it is not installed.

use std::path::{Path, PathBuf};

use expect_test::expect;
use rb_agent::{Agent, Assignment, Ended};
use rb_core::Usd;
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};

use crate::fixture::{Fixture, With};

/// Found in a folder of the repository's own, where the build server installs it.
fn claude() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("target/test-tools/claude-code/node_modules/.bin/claude");
    path.canonicalize().ok()
}

#[test]
fn ag1_claude_code_edits_the_copy_with_the_users_login() {
    let Some(claude) = claude() else { return };
    let fixture = Fixture::new();
    let file = fixture.scratch().join("work/copy/src/sum.js");
    let stub = Stub::new(move |seen, _| answer(seen, &file));
    let home = settings(&fixture);
    let url = stub.url();
    let with = With {
        agent_home: Some(&home),
        program: Some(&claude),
        variable: Some(("ANTHROPIC_BASE_URL", &url)),
        ..With::default()
    };
    let assignment = Assignment {
        model: Some("claude-sonnet-5"),
        max_turns: Some(10),
        max_usd: Usd::new(1.0),
        ..Assignment::new("/Mend the sum. @src/sum.js")
    };
    let before = fixture.users_files();
    let report = fixture.run_with(&Agent::ClaudeCode, &assignment, with).unwrap();
    let said = report.stdout.excerpt(4000) + &report.stderr.excerpt(4000);
    assert_eq!(report.ended, Ended::Done, "{said}");
    expect![[r#"
        finished
        src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
        claims: I mended the sum.
    "#]]
    .assert_eq(&fixture.shown(&report));
    let spend = report.spend.unwrap();
    assert_eq!((spend.tokens_in, spend.tokens_out), (300, 60));
    assert!(spend.usd.is_some_and(|usd| usd > Usd::default()));
    assert_eq!(fixture.users_files(), before);
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 2);
    assert!(!fixture.home().join("hooked").exists());

    let asked: Vec<Seen> =
        stub.seen().into_iter().filter(|seen| seen.line.starts_with("POST")).collect();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].header("authorization"), Some("Bearer sk-ant-oat01-access"));
    assert!(!asked[0].body.contains("return a - b"), "a mention was inlined");
}

#[test]
fn ag1_claude_code_without_a_login_is_told() {
    let Some(claude) = claude() else { return };
    let fixture = Fixture::new();
    let with = With { program: Some(&claude), ..With::default() };
    let report = fixture.run_with(&Agent::ClaudeCode, &Assignment::new("Mend"), with).unwrap();
    assert_eq!((report.ended, report.changes.len()), (Ended::NotLoggedIn, 0));
}

/// A login as Claude Code keeps it, and settings with a hook.
fn settings(fixture: &Fixture) -> PathBuf {
    let folder = fixture.home().join(".claude");
    std::fs::create_dir(&folder).unwrap();
    let login = json!({ "claudeAiOauth": {
        "accessToken": "sk-ant-oat01-access",
        "refreshToken": "sk-ant-ort01-refresh",
        "expiresAt": 4_102_444_800_000_u64,
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }});
    let command = format!("touch {}", fixture.home().join("hooked").display());
    let hook = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
    let settings = json!({ "hooks": { "SessionStart": hook } });
    std::fs::write(folder.join(".credentials.json"), login.to_string()).unwrap();
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    folder
}

/// Reads the file, edits it, then says so.
fn answer(seen: &Seen, file: &Path) -> Reply {
    if !seen.line.starts_with("POST /v1/messages") {
        return Reply::ok("{}");
    }
    let path = file.to_str().unwrap();
    let (block, delta, stop) = match seen.body.matches("\"tool_result\"").count() {
        0 => call("Read", &json!({ "file_path": path })),
        1 => {
            let edit = json!({ "file_path": path, "old_string": "a - b", "new_string": "a + b" });
            call("Edit", &edit)
        }
        _ => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": "I mended the sum." }),
            "end_turn",
        ),
    };
    let model = "claude-sonnet-5";
    let usage = json!({ "input_tokens": 100, "output_tokens": 1 });
    let message = json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage });
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

fn call(tool: &str, input: &Value) -> (Value, Value, &'static str) {
    let block =
        json!({ "type": "tool_use", "id": format!("toolu_{tool}"), "name": tool, "input": {} });
    let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
    (block, delta, "tool_use")
}

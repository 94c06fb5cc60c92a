//! The real Codex against a scripted service. Nothing is checked where it is not installed.

use std::path::{Path, PathBuf};

use expect_test::expect;
use rb_agent::{Agent, Assignment, Ended, Spend};
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};

use crate::fixture::{Fixture, With};

fn codex() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("target/test-tools/codex/node_modules/.bin/codex").canonicalize().ok()
}

#[test]
fn ag1_codex_edits_the_copy() {
    let Some(codex) = codex() else { return };
    let fixture = Fixture::new();
    let stub = Stub::new(|seen, _| answer(seen));
    let provider = format!(
        r#"model_providers.stub={{name="stub",base_url="{}/v1",wire_api="responses",request_max_retries=1}}"#,
        stub.url()
    );
    let args = ["-c", r#"model_provider="stub""#, "-c", &provider].map(str::to_owned);
    let assignment =
        Assignment { model: Some("gpt-5"), args: &args, ..Assignment::new("Mend the sum.") };
    let with = With { program: Some(&codex), ..With::default() };
    let before = fixture.users_files();
    let report = fixture.run_with(&Agent::Codex, &assignment, with).unwrap();
    let said = report.stdout.excerpt(4000) + &report.stderr.excerpt(4000);
    assert_eq!(report.ended, Ended::Done, "{said}");
    expect![[r#"
        finished
        src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
        claims: I mended the sum.
    "#]]
    .assert_eq(&fixture.shown(&report));
    assert_eq!(report.spend, Some(Spend { usd: None, tokens_in: 20, tokens_out: 10 }));
    assert_eq!(fixture.users_files(), before);
}

/// Runs one command, then says so.
fn answer(seen: &Seen) -> Reply {
    if !seen.line.starts_with("POST") {
        return Reply::ok("{}");
    }
    let item = if seen.body.contains("function_call_output") {
        let content = json!([{ "type": "output_text", "text": "I mended the sum." }]);
        json!({ "type": "message", "role": "assistant", "id": "msg_1", "content": content })
    } else {
        let line = "echo 'return a + b' > src/sum.js";
        // The name of the tool differs by version.
        let (name, arguments) = if seen.body.contains("\"exec_command\"") {
            ("exec_command", json!({ "cmd": line }))
        } else {
            ("shell", json!({ "command": ["sh", "-c", line] }))
        };
        json!({ "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name,
            "arguments": arguments.to_string() })
    };
    let usage = json!({ "input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
        "input_tokens_details": null, "output_tokens_details": null });
    let events = [
        json!({ "type": "response.created", "response": { "id": "resp_1" } }),
        json!({ "type": "response.output_item.done", "item": item }),
        json!({ "type": "response.completed", "response": { "id": "resp_1", "usage": usage } }),
    ];
    let event =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    Reply::events(events.iter().map(event))
}

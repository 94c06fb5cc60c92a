//! `claude-code` with the real program against a server on this machine: no account, no network, a home of its own.
//!
//! What is proved here is what the double is taken at its word for.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::process::Env;
use rb_http::Secret;
use rb_models::providers::claude_code::{ClaudeCode, ClaudeLogin, ClaudeOptions};
use rb_models::{Answer, Calling, Fault, Host, Message, ModelError, Provider as _, Request};
use rb_schema::roles::{critic, patcher, planner};
use rb_testkit::stub::{Reply, Stub};
use rb_testkit::write_fixture;
use serde_json::{Value, json};

use crate::doubles::{KEY, Place, calling, filtered, question, shown, wait_for};

/// Where `cargo xtask setup` puts it.
fn program() -> String {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = tmp.parent().unwrap().join("test-tools/claude-code/node_modules/.bin/claude");
    assert!(program.exists(), "{} is missing: run `cargo xtask setup`", program.display());
    program.display().to_string()
}

fn claude(place: &Place, url: &str, login: ClaudeLogin) -> ClaudeCode {
    let env = Env::default().with("PATH", "/usr/bin:/bin").with("HOME", place.at("home"));
    let options = ClaudeOptions {
        binary: program(),
        base_url: Some(url.to_owned()),
        login,
        retries: 0,
        ..ClaudeOptions::default()
    };
    ClaudeCode::new(Host::new(&env, [], place.at("scratch")), options)
}

fn key() -> ClaudeLogin {
    ClaudeLogin::ApiKey(Secret::new(KEY))
}

fn ask(place: &Place, stub: &Stub, request: &Request) -> Result<Answer, ModelError> {
    let claude = claude(place, &stub.url(), key());
    let result = calling(|calling| claude.ask(request, calling));
    place.assert_swept();
    result
}

/// One message of the service, as a stream.
fn message(block: &Value, delta: &Value, stop: &str) -> Reply {
    Reply::events(events(block, delta, stop))
}

fn events(block: &Value, delta: &Value, stop: &str) -> Vec<String> {
    let usage = json!({"input_tokens": 10, "output_tokens": 1});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-1",
        "content": [], "stop_reason": null, "usage": usage});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}}),
        json!({"type": "message_stop"}),
    ];
    let written = |event: &Value| {
        format!(
            "event: {}
data: {event}

",
            event["type"].as_str().unwrap()
        )
    };
    events.iter().map(written).collect()
}

fn calls(name: &str, input: &Value) -> Reply {
    let block = json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}});
    let delta = json!({"type": "input_json_delta", "partial_json": input.to_string()});
    message(&block, &delta, "tool_use")
}

fn says(words: &str) -> Reply {
    let delta = json!({"type": "text_delta", "text": words});
    message(&json!({"type": "text", "text": ""}), &delta, "end_turn")
}

fn refuses(status: u16, kind: &str, words: &str) -> Reply {
    let body = json!({"type": "error", "error": {"type": kind, "message": words}});
    Reply::status(status, body.to_string()).header("content-type", "application/json")
}

/// What a repository would do if it could: run a program at the start, run a server, give instructions.
fn hostile(place: &Place) -> PathBuf {
    let folder = place.at("folder");
    let mark = |name: &str| place.at(name).display().to_string();
    let hook = json!({"hooks": {"SessionStart": [{"hooks": [
        {"type": "command", "command": format!("touch {}", mark("hook-ran"))}]}]}});
    let server =
        json!({"mcpServers": {"evil": {"command": "touch", "args": [mark("server-ran")]}}});
    write_fixture(
        &folder,
        &format!(
            "//- .claude/settings.json\n{hook}\n//- .mcp.json\n{server}\n//- CLAUDE.md\nINSTRUCTED\n//- a.txt\nINSIDE\n"
        ),
    );
    fs::write(place.at("secret.txt"), "INLINED").unwrap();
    folder
}

#[test]
fn mo2_real_a_hostile_folder_is_read_and_not_obeyed() {
    let place = Place::empty();
    let folder = hostile(&place);
    let (inside, outside) = (folder.join("a.txt"), place.at("secret.txt"));
    let (first, second) = (json!({"file_path": inside}), json!({"file_path": outside}));
    let stub = Stub::new(move |_, number| match number {
        0 => calls("Read", &first),
        1 => calls("Read", &second),
        _ => calls("StructuredOutput", &json!({"ok": true, "note": "read"})),
    });
    let mut request = question();
    request.folder = Some(folder);
    let text = format!("Look at @{} and say what it is.", place.at("secret.txt").display());
    request.messages = vec![Message::User { text }];
    let result = ask(&place, &stub, &request);
    expect![[r#"
        "{\"note\":\"read\",\"ok\":true}" End, claude-sonnet-5-5 of claude-code, value {"note":"read","ok":true}, [30, 60, 0, 0, 0] ByProvider, $0.000660, note: Read was denied: {"file_path":"[place]/secret.txt"}
    "#]].assert_eq(&(filtered(&shown(&result), &place) + "\n"));

    let seen = stub.seen();
    let bodies: Vec<Value> =
        seen.iter().map(|it| serde_json::from_str(&it.body).unwrap()).collect();
    let tools: Vec<&str> = bodies[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(tools, ["Glob", "Grep", "Read", "StructuredOutput"]);
    let tool =
        bodies[0]["tools"].as_array().unwrap().iter().find(|it| it["name"] == "StructuredOutput");
    assert_eq!(tool.unwrap()["input_schema"], request.schema.as_ref().unwrap().value());
    assert_eq!(bodies[0]["max_tokens"], request.limits.output_tokens);
    assert!(bodies[0]["system"].to_string().contains("You patch."));
    assert!(bodies[1].to_string().contains("INSIDE"), "a file of the folder is read");
    let all: String = seen.iter().map(|it| it.body.as_str()).collect();
    for (mark, what) in
        [("INLINED", "a file outside of the folder"), ("INSTRUCTED", "instructions of the folder")]
    {
        assert!(!all.contains(mark), "{what} were sent");
    }
    for mark in ["hook-ran", "server-ran"] {
        assert!(!place.at(mark).exists(), "{mark}");
    }
}

#[test]
fn mo2_real_a_long_answer_is_whole() {
    let note = "n".repeat(300_000);
    let value = json!({"ok": true, "note": note});
    let stub = Stub::new(move |_, _| calls("StructuredOutput", &value));
    let place = Place::empty();
    let answer = ask(&place, &stub, &question()).unwrap();
    assert_eq!(answer.value.unwrap()["note"], note.as_str());
    let body: Value = serde_json::from_str(&stub.seen()[0].body).unwrap();
    let tools = body["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 1, "without a folder there is nothing to read: {tools:?}");
}

/// A schema that it dislikes is dropped without a word by some versions, so each of ours is shown to it.
#[test]
fn mo5_real_the_schemas_of_all_roles_are_taken() {
    for role in [planner::ROLE, patcher::ROLE, critic::ROLE] {
        let stub = Stub::always(says("never mind"));
        let mut request = question();
        let schema = role.schema(None).unwrap();
        request.schema = Some(schema.clone().into());
        let error = ask(&Place::empty(), &stub, &request).unwrap_err();
        assert!(matches!(error.fault, Fault::NotAsAsked { .. }), "{}: {error}", role.name);
        let body: Value = serde_json::from_str(&stub.seen()[0].body).unwrap();
        assert_eq!(body["tools"][0]["input_schema"], schema.value(), "{}", role.name);
    }
}

#[test]
fn mo4_real_a_model_that_only_talks_gives_no_answer() {
    let stub = Stub::always(says("I would rather talk."));
    let place = Place::empty();
    let result = ask(&place, &stub, &question());
    expect![[r#"
        NotAsAsked: claude-code: the answer does not have the form that was asked for: the model wrote text and did not call `StructuredOutput` → tell the model [60 tokens, $0.000440]
    "#]].assert_eq(&(shown(&result) + "\n"));
}

fn check(reply: Reply, wanted: &Expect) {
    let stub = Stub::always(reply);
    let said = shown(&ask(&Place::empty(), &stub, &question()));
    wanted.assert_eq(&(said.replace(&format!(":{}", stub.port()), ":[port]") + "\n"));
}

#[test]
fn mo8_real_a_bad_key_and_a_missing_model_stop() {
    check(
        refuses(401, "authentication_error", "invalid x-api-key"),
        &expect![[r#"
        BadKey: claude-code: the key is not accepted: Invalid API key · Fix external API key → stop, Environment [0 tokens, $0.000000]
    "#]],
    );
    check(
        refuses(404, "not_found_error", "model: sonnet"),
        &expect![[r#"
            NoSuchModel: claude-code: there is no model `sonnet` for this account: There's an issue with the selected model (claude-sonnet-5-5). It may not exist or you may not have access to it. Run --model to pick a different model. → stop, Usage (choose another model with `--model`) [0 tokens, $0.000000]
        "#]],
    );
}

#[test]
fn mo8_real_limits_and_faults_of_the_service_are_tried_again() {
    let late = refuses(429, "rate_limit_error", "slow down").header("retry-after", "3600");
    check(
        late,
        &expect![[r#"
        RateLimited: claude-code: too many requests: API Error: Request rejected (429) · slow down → retry [0 tokens, $0.000000]
    "#]],
    );
    check(
        refuses(500, "api_error", "Internal server error"),
        &expect![[r#"
        Overloaded: claude-code: the provider is overloaded or has a fault (500): API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:[port]). → retry [0 tokens, $0.000000]
    "#]],
    );
    check(
        refuses(529, "overloaded_error", "Overloaded"),
        &expect![[r#"
        Overloaded: claude-code: the provider is overloaded or has a fault (529): API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:[port]). → retry [0 tokens, $0.000000]
    "#]],
    );
}

#[test]
fn mo8_real_what_is_no_service_is_told_apart() {
    let page = Reply::ok("<html>Please log in</html>").header("content-type", "text/html");
    check(
        page,
        &expect![[r#"
        Malformed: claude-code: the answer cannot be read: API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request. Response: content-type html, body is an HTML page, 26 bytes, request-id absent. This was the non-streaming retry of streaming request (no Anthropic request-id), which failed wit… → retry [0 tokens, $0.000000]
    "#]],
    );
    let gone = Stub::always(Reply::hang_up()).url();
    let claude = claude(&Place::empty(), &gone, key());
    let result = calling(|calling| claude.ask(&question(), calling));
    expect![[r#"
        Unreachable: claude-code: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED) → retry [0 tokens, $0.000000]
    "#]].assert_eq(&(shown(&result) + "\n"));
}

#[test]
fn mo8_real_an_answer_that_is_cut_or_refused_is_none() {
    let text = json!({"type": "text", "text": ""});
    let delta = json!({"type": "text_delta", "text": "Well"});
    check(
        message(&text, &delta, "max_tokens"),
        &expect![[r#"
        AnswerCut: claude-code: the answer is longer than the 16000 tokens that it may have → tell the model (Claude Code said: API Error: Claude's response exceeded the 16000 output token maximum. To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.) [120 tokens, $0.000880]
    "#]],
    );
    let stub = Stub::always(message(&text, &delta, "refusal"));
    let error = ask(&Place::empty(), &stub, &question()).unwrap_err();
    assert!(matches!(error.fault, Fault::Refusal { .. }), "{error}");
}

/// The longer patience would last for the whole test: the program passes each piece on when it comes.
#[test]
fn mo8_real_silence_in_the_middle_of_words_is_noticed() {
    let block = json!({"type": "text", "text": ""});
    let delta = json!({"type": "text_delta", "text": "Well"});
    let begun = events(&block, &delta, "end_turn").into_iter().take(3);
    let stub = Stub::always(Reply::events(begun).then_silence());
    let mut request = question();
    request.limits.first = Duration::from_mins(15);
    request.limits.idle = Duration::from_secs(1);
    let result = ask(&Place::empty(), &stub, &request);
    expect![[r#"
        Stalled: claude-code: no sign of life for 1 s → retry
    "#]]
    .assert_eq(&(shown(&result) + "\n"));
}

#[test]
fn mo2_real_the_login_is_known_without_a_call() {
    let stub = Stub::always(says("never"));
    let check = |login: ClaudeLogin, wanted: &Expect| {
        let place = Place::empty();
        let claude = claude(&place, &stub.url(), login);
        let said = match calling(|calling| claude.probe(calling)) {
            Ok(probe) => format!("{probe:?}\n"),
            Err(error) => format!("{error}\n"),
        };
        wanted.assert_eq(&said);
    };
    check(
        ClaudeLogin::Own,
        &expect![[r#"
        claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun.
    "#]],
    );
    check(
        key(),
        &expect![[r#"
        Probe { found: "2.1.325 (Claude Code)", login: "api_key" }
    "#]],
    );
    check(
        ClaudeLogin::OauthToken(Secret::new(KEY)),
        &expect![[r#"
        Probe { found: "2.1.325 (Claude Code)", login: "oauth_token" }
    "#]],
    );
    let place = Place::empty();
    let claude = claude(&place, &stub.url(), ClaudeLogin::Own);
    let result = calling(|calling| claude.ask(&question(), calling));
    expect![[r#"
        NotLoggedIn: claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun. → stop, Environment (Claude Code said: Not logged in · Please run /login) [0 tokens, $0.000000]
    "#]].assert_eq(&(shown(&result) + "\n"));
    assert!(stub.seen().is_empty(), "nobody was asked");
}

#[test]
fn mo8_real_a_cancelled_call_leaves_nothing_running() {
    let stub = Stub::always(Reply::silence());
    let place = Place::empty();
    let claude = claude(&place, &stub.url(), key());
    let cancel = Cancel::new();
    let result = std::thread::scope(|scope| {
        let call =
            scope.spawn(|| claude.ask(&question(), &Calling { cancel: &cancel, heard: &|_| {} }));
        stub.wait_for(1);
        cancel.cancel();
        call.join().unwrap()
    });
    assert_eq!(
        shown(&result),
        "Interrupted: claude-code: the call was interrupted → stop, Interrupted"
    );
    place.assert_swept();
    wait_for(|| running_in(&place.at("scratch")) == 0);
}

/// Processes that were told of a file in that folder.
fn running_in(folder: &Path) -> usize {
    let folder = folder.display().to_string();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let is_told = |path: PathBuf| {
        fs::read(path.join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&folder))
    };
    processes.filter(|entry| is_told(entry.path())).count()
}

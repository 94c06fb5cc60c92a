//! `claude-code` against a double of the program: how it is called, started, listened to and ended.

use std::time::Duration;

use expect_test::{Expect, expect};
use rb_core::{Cancel, Usd};
use rb_http::Secret;
use rb_models::providers::claude_code::{ClaudeCode, ClaudeLogin, ClaudeOptions};
use rb_models::{Calling, Heard, Provider as _, Request};
use serde_json::Value;

use crate::claude_code::{ask, place};
use crate::doubles::{Place, calling, filtered, question, read, shown, wait_for};

#[test]
fn mo2_the_call_is_made_as_it_must_be() {
    let check = |options: ClaudeOptions, request: &Request, wanted: &Expect| {
        let place = place();
        let mut request = request.clone();
        request.folder = request.folder.map(|_| place.at("folder"));
        let claude = ClaudeCode::new(place.host(&[("FAKE_CLAUDE_MODE", "ok")]), options);
        let answer = calling(|calling| claude.ask(&request, calling)).unwrap();
        let log: Value = serde_json::from_str(&read(&place.at("log"))).unwrap();
        let id = answer.facts.id.unwrap();
        let text = serde_json::to_string_pretty(&log).unwrap().replace(&id, "[uuid]");
        wanted.assert_eq(&without_scratch(&filtered(&text, &place)));
    };
    check(
        ClaudeOptions::default(),
        &question(),
        &expect![[r#"
            {
              "argv": [
                "-p",
                "--output-format",
                "stream-json",
                "--verbose",
                "--include-partial-messages",
                "--json-schema",
                "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},\"note\":{\"type\":\"string\"}},\"required\":[\"ok\"],\"additionalProperties\":false}",
                "--system-prompt-file",
                "[place]/scratch/[call]/system.txt",
                "--tools",
                "",
                "--permission-mode",
                "dontAsk",
                "--setting-sources",
                "user",
                "--strict-mcp-config",
                "--session-id",
                "[uuid]",
                "--no-session-persistence",
                "--max-turns",
                "10",
                "--model",
                "sonnet"
              ],
              "cwd": "[place]/scratch/[call]/empty",
              "cwd_holds": [],
              "env": [
                "CLAUDE_CODE_DISABLE_ATTACHMENTS",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
                "CLAUDE_CODE_MAX_RETRIES",
                "DISABLE_AUTOUPDATER",
                "DISABLE_ERROR_REPORTING",
                "DISABLE_TELEMETRY",
                "FAKE_CLAUDE_LOG",
                "FAKE_CLAUDE_MODE",
                "HOME",
                "HTTPS_PROXY",
                "NODE_EXTRA_CA_CERTS",
                "NO_PROXY",
                "PATH"
              ],
              "group": true,
              "stdin": "Is it well?",
              "stdout_is_a_file": true,
              "system": "You patch."
            }"#]],
    );
    let mut reading = question();
    reading.folder = Some("here".into());
    reading.messages[0] = rb_models::Message::User { text: "/etc/hosts is what?".to_owned() };
    let options = ClaudeOptions { max_usd: Usd::new(0.5), ..ClaudeOptions::default() }
        .with_tools("Read,Edit,Bash,Grep,Glob", "Read,Edit,Bash,Grep,Glob")
        .turns("patcher", 7);
    check(
        options,
        &reading,
        &expect![[r#"
            {
              "argv": [
                "-p",
                "--output-format",
                "stream-json",
                "--verbose",
                "--include-partial-messages",
                "--json-schema",
                "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},\"note\":{\"type\":\"string\"}},\"required\":[\"ok\"],\"additionalProperties\":false}",
                "--system-prompt-file",
                "[place]/scratch/[call]/system.txt",
                "--tools",
                "Read,Grep,Glob",
                "--allowedTools",
                "Read(./**)",
                "--permission-mode",
                "dontAsk",
                "--setting-sources",
                "user",
                "--strict-mcp-config",
                "--session-id",
                "[uuid]",
                "--no-session-persistence",
                "--max-turns",
                "7",
                "--max-budget-usd",
                "0.5",
                "--model",
                "sonnet"
              ],
              "cwd": "[place]/folder",
              "cwd_holds": [],
              "env": [
                "CLAUDE_CODE_DISABLE_ATTACHMENTS",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
                "CLAUDE_CODE_MAX_RETRIES",
                "DISABLE_AUTOUPDATER",
                "DISABLE_ERROR_REPORTING",
                "DISABLE_TELEMETRY",
                "FAKE_CLAUDE_LOG",
                "FAKE_CLAUDE_MODE",
                "HOME",
                "HTTPS_PROXY",
                "NODE_EXTRA_CA_CERTS",
                "NO_PROXY",
                "PATH"
              ],
              "group": true,
              "stdin": "\n/etc/hosts is what?",
              "stdout_is_a_file": true,
              "system": "You patch."
            }"#]],
    );
}

/// The name of the folder of a call is different each time.
fn without_scratch(text: &str) -> String {
    let mark = "/scratch/refactor-bot-";
    let mut parts = text.split(mark);
    let mut whole = parts.next().unwrap().to_owned();
    for part in parts {
        whole.push_str("/scratch/[call]");
        whole.push_str(&part[36..]);
    }
    whole
}

#[test]
fn mo2_what_cannot_be_asked_is_not_sent() {
    let place = place();
    let check = |change: &dyn Fn(&mut Request), wanted: &Expect| {
        let mut request = question();
        change(&mut request);
        wanted.assert_eq(&(ask(&place, "ok", ClaudeOptions::default(), &request) + "\n"));
        assert!(!place.at("log").exists());
    };
    let user = |text: String| vec![rb_models::Message::User { text }];
    check(
        &|request| request.messages = user("x".repeat(10_000_001)),
        &expect![[r#"
        TooLong: claude-code: the request is too long for the model: 10000001 bytes of prompt, and Claude Code takes 10 MB → tell the model
    "#]],
    );
    check(
        &|request| request.messages = user(" \n".to_owned()),
        &expect![[r#"
        BadRequest: claude-code: the request was refused: the prompt is empty → stop, Usage
    "#]],
    );
    check(
        &|request| request.model = "m".repeat(128 << 10),
        &expect![[r#"
        BadRequest: claude-code: the request was refused: an argument of 131072 bytes is too long for a program → stop, Usage
    "#]],
    );
    check(
        &|request| request.folder = Some("/no/such/folder".into()),
        &expect![[r#"
        Program: claude-code: a program failed: /no/such/folder is no folder → stop, Environment
    "#]],
    );
    let tool = rb_models::Tool {
        name: "read".to_owned(),
        description: String::new(),
        input: serde_json::json!({"type": "object"}),
    };
    check(
        &|request| request.tools = vec![tool.clone()],
        &expect![[r#"
        Unable: claude-code: the provider cannot do this: tools of the caller → stop, Usage
    "#]],
    );
}

#[test]
fn mo2_a_program_that_cannot_be_started_is_not_installed() {
    let check = |place: &Place, binary: &str, wanted: &Expect| {
        let options = ClaudeOptions { binary: binary.to_owned(), ..ClaudeOptions::default() };
        wanted.assert_eq(&(ask(place, "ok", options.clone(), &question()) + "\n"));
        let claude = ClaudeCode::new(place.host(&[]), options);
        let error = calling(|calling| claude.probe(calling)).unwrap_err();
        assert!(error.to_string().contains("Install or repair Claude Code"), "{error}");
    };
    let place = Place::empty();
    check(
        &place,
        "claude",
        &expect![[r#"
        NotInstalled: claude-code: `claude` cannot be used: it was not found. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
    "#]],
    );
    check(
        &place,
        "/no/such/claude",
        &expect![[r#"
        NotInstalled: claude-code: `/no/such/claude` cannot be used: it was not found. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
    "#]],
    );
    // As a half-finished installation leaves it.
    place.program("claude", "Error: claude native binary not installed.\n");
    check(
        &place,
        "claude",
        &expect![[r#"
        NotInstalled: claude-code: `claude` cannot be used: it is no program. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
    "#]],
    );
    let plain = place.at("plain");
    std::fs::write(&plain, "no program").unwrap();
    ask_plain(&place, &plain.display().to_string());
}

fn ask_plain(place: &Place, binary: &str) {
    let options = ClaudeOptions { binary: binary.to_owned(), ..ClaudeOptions::default() };
    let expected = expect![[r#"
        NotInstalled: claude-code: `[place]/plain` cannot be used: it may not be run. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
    "#]];
    expected.assert_eq(&(ask(place, "ok", options, &question()) + "\n"));
}

#[test]
fn mo2_a_probe_says_version_and_login() {
    let place = place();
    let check = |mode: &str, wanted: &Expect| {
        let host = place.host(&[("FAKE_CLAUDE_MODE", mode)]);
        let claude = ClaudeCode::new(host, ClaudeOptions::default());
        let said = match calling(|calling| claude.probe(calling)) {
            Ok(probe) => format!("{probe:?}\n"),
            Err(error) => format!("{error}\n"),
        };
        wanted.assert_eq(&said);
        place.assert_swept();
    };
    check(
        "ok",
        &expect![[r#"
        Probe { found: "2.1.325 (Claude Code)", login: "oauth_token" }
    "#]],
    );
    check(
        "not_logged_in",
        &expect![[r#"
        claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun.
    "#]],
    );
    check(
        "ancient",
        &expect![[r#"
            Probe { found: "1.0.3 (Claude Code), older than 2.1.197: an update is advised", login: "oauth_token" }
        "#]],
    );
    check(
        "half_installed",
        &expect![[r#"
        claude-code: `claude` cannot be used: it does not say its version. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun.
    "#]],
    );
}

#[test]
fn mo2_words_are_heard_while_they_come() {
    let place = place();
    let claude =
        ClaudeCode::new(place.host(&[("FAKE_CLAUDE_MODE", "ok")]), ClaudeOptions::default());
    let heard = std::sync::Mutex::new(String::new());
    let note = |sign: Heard<'_>| {
        let mut heard = heard.lock().unwrap();
        match sign {
            Heard::Begun => heard.push_str("[begun]"),
            Heard::Text(text) => heard.push_str(text),
            Heard::Busy => heard.push('.'),
        }
    };
    let cancel = Cancel::new();
    claude.ask(&question(), &Calling { cancel: &cancel, heard: &note }).unwrap();
    expect![[r#".[begun]..{"ok": true, "note": "hi"}."#]].assert_eq(&heard.lock().unwrap());
}

#[test]
fn mo8_silence_and_slowness_end_the_program() {
    let place = place();
    let check = |mode: &str, first: u64, idle: u64, whole: u64, wanted: &Expect| {
        let mut request = question();
        request.limits.first = Duration::from_millis(first);
        request.limits.idle = Duration::from_millis(idle);
        request.limits.whole = Duration::from_millis(whole);
        wanted.assert_eq(&(ask(&place, mode, ClaudeOptions::default(), &request) + "\n"));
    };
    let long = 600_000;
    check(
        "hang",
        1000,
        1,
        long,
        &expect![[r#"
        Stalled: claude-code: no sign of life for 1 s → retry
    "#]],
    );
    check(
        "hang_in_words",
        long,
        2000,
        long,
        &expect![[r#"
        Stalled: claude-code: no sign of life for 2 s → retry
    "#]],
    );
    check(
        "hang",
        long,
        long,
        1000,
        &expect![[r#"
        TooSlow: claude-code: no whole answer within 1 s → stop, Limit
    "#]],
    );
    check(
        "flood",
        long,
        long,
        long,
        &expect![[r#"
        Malformed: claude-code: the answer cannot be read: `claude` wrote more than 64 MiB → retry
    "#]],
    );
}

#[test]
fn mo8_a_cancelled_call_leaves_nothing_running() {
    let place = place();
    for mode in ["hang", "hang_hard"] {
        let claude =
            ClaudeCode::new(place.host(&[("FAKE_CLAUDE_MODE", mode)]), ClaudeOptions::default());
        let cancel = Cancel::new();
        let ready = place.at(if mode == "hang" { "log" } else { "log.child" });
        let result = std::thread::scope(|scope| {
            let call = scope
                .spawn(|| claude.ask(&question(), &Calling { cancel: &cancel, heard: &|_| {} }));
            wait_for(|| ready.exists());
            cancel.cancel();
            call.join().unwrap()
        });
        assert_eq!(
            shown(&result),
            "Interrupted: claude-code: the call was interrupted → stop, Interrupted"
        );
        place.assert_swept();
        let before = Cancel::new();
        before.cancel();
        let again = claude.ask(&question(), &Calling { cancel: &before, heard: &|_| {} });
        assert_eq!(again.unwrap_err().fault, rb_models::Fault::Interrupted);
    }
    let child = read(&place.at("log.child"));
    let state = format!("/proc/{}/stat", child.trim());
    wait_for(|| !std::fs::read_to_string(&state).is_ok_and(|stat| !stat.contains(") Z ")));
}

#[test]
fn mo2_an_answer_of_any_size_is_whole() {
    let place = place();
    let note = "n".repeat(100_000);
    let vars = [("FAKE_CLAUDE_MODE", "ok"), ("FAKE_CLAUDE_NOTE", note.as_str())];
    let claude = ClaudeCode::new(place.host(&vars), ClaudeOptions::default());
    let answer = calling(|calling| claude.ask(&question(), calling)).unwrap();
    assert_eq!(answer.value.unwrap()["note"], note.as_str());
}

/// The program's own login comes first, so that nobody pays for calls that a subscription covers.
#[test]
fn mo2_a_key_of_the_environment_counts_where_the_program_has_no_login() {
    let place = place();
    let check = |mode: &str, fallback: Option<ClaudeLogin>, wanted: &str, sees_key: bool| {
        let options = ClaudeOptions { fallback, ..ClaudeOptions::default() };
        let claude = ClaudeCode::new(place.host(&[("FAKE_CLAUDE_MODE", mode)]), options);
        let login = match calling(|calling| claude.probe(calling)) {
            Ok(probe) => probe.login,
            Err(error) => error.to_string(),
        };
        assert!(login.contains(wanted), "{mode}: {login}");
        let answer = calling(|calling| claude.ask(&question(), calling));
        assert_eq!(answer.is_ok(), !wanted.contains("not logged in"), "{mode}: {answer:?}");
        let log: Value = serde_json::from_str(&read(&place.at("log"))).unwrap();
        let seen = log["env"].as_array().unwrap().iter().any(|name| name == "ANTHROPIC_API_KEY");
        assert_eq!(seen, sees_key, "{mode}");
        place.assert_swept();
    };
    let key = || Some(ClaudeLogin::ApiKey(Secret::new("swordfish")));
    check("no_own_login", key(), "api_key", true);
    check("no_own_login", None, "not logged in", false);
    check("ok", key(), "oauth_token", false);
}

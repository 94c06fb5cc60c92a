//! `codex` against a double of the program.

use expect_test::{Expect, expect};
use rb_models::Provider as _;
use rb_models::providers::codex::{Codex, CodexOptions};
use serde_json::Value;

use crate::doubles::{Place, calling, filtered, question, read, shown};

fn place() -> Place {
    Place::with("codex", include_str!("../doubles/codex.py"))
}

fn codex(place: &Place, mode: &str) -> Codex {
    Codex::new(place.host(&[("FAKE_CODEX_MODE", mode)]), CodexOptions::default())
}

fn check(modes: &[&str], wanted: &Expect) {
    let place = place();
    let line = |mode: &&str| {
        let codex = codex(&place, mode);
        let result = calling(|calling| codex.ask(&question(), calling));
        place.assert_swept();
        format!("{mode}: {}\n", shown(&result))
    };
    wanted.assert_eq(&modes.iter().map(line).collect::<String>());
}

#[test]
fn mo1_codex_answers_with_its_last_message() {
    check(
        &["ok", "reconnects", "no_usage", "prose", "silent", "half", "empty", "garbage"],
        &expect![[r#"
            ok: "{\"ok\":true}" End, sonnet of codex, value {"ok":true}, [6, 5, 4, 0, 1] ByProvider, Unknown
            reconnects: "{\"ok\":true}" End, sonnet of codex, value {"ok":true}, [6, 5, 4, 0, 1] ByProvider, Unknown
            no_usage: "{\"ok\":true}" End, sonnet of codex, value {"ok":true}, [0, 0, 0, 0, 0] Estimate, Unknown
            prose: NotAsAsked: codex: the answer does not have the form that was asked for: the answer holds no JSON object → tell the model [15 tokens, Unknown]
            silent: Malformed: codex: the answer cannot be read: it ended well and said nothing → retry [15 tokens, Unknown]
            half: Half: codex: the answer broke off: it ended with code 0 in the middle → retry
            empty: Half: codex: the answer broke off: it ended without a word → retry
            garbage: Malformed: codex: the answer cannot be read: `Welcome!` is no line of it → retry
        "#]],
    );
}

#[test]
fn mo8_codex_failures_are_told_apart() {
    let modes = [
        "fail:401",
        "fail:404",
        "fail:429",
        "fail:quota",
        "fail:500",
        "fail:limit",
        "fail:long",
        "fail:lost",
        "fail:odd",
        "offline",
        "usage",
    ];
    check(
        &modes,
        &expect![[r#"
            fail:401: NotLoggedIn: codex: Codex is not logged in. Run `codex login`, then rerun. → stop, Environment
            fail:404: NoSuchModel: codex: there is no model `sonnet` for this account: unexpected status 404 Not Found: The model `none` does not exist → stop, Usage
            fail:429: RateLimited: codex: too many requests: exceeded retry limit, last status: 429 Too Many Requests → retry
            fail:quota: NoCredit: codex: the account has no credit left: unexpected status 429 Too Many Requests: You exceeded your current quota → stop, Environment
            fail:500: Overloaded: codex: the provider is overloaded or has a fault (500): unexpected status 500 Internal Server Error: oh → retry
            fail:limit: RateLimited: codex: too many requests: You've hit your usage limit. Try again at 3:00 PM. → retry
            fail:long: TooLong: codex: the request is too long for the model: Codex ran out of room in the model's context window. → tell the model
            fail:lost: Unreachable: codex: stream disconnected before completion: error sending request → retry
            fail:odd: Program: codex: a program failed: Something that nobody has seen before → stop, Environment
            offline: Unreachable: codex: Reconnecting... waiting for network (Connection failed: error sending request) → retry
            usage: NotInstalled: codex: This version of Codex cannot be used: error: unexpected argument '--ephemeral' found. Install or repair Codex (for example with `npm install -g @openai/codex`), then rerun. → stop, Environment
        "#]],
    );
}

#[test]
fn mo1_codex_is_called_as_it_must_be() {
    let place = place();
    let mut request = question();
    request.folder = Some(place.at("folder"));
    calling(|calling| codex(&place, "ok").ask(&request, calling)).unwrap();
    let log: Value = serde_json::from_str(&read(&place.at("log"))).unwrap();
    let text = filtered(&serde_json::to_string_pretty(&log).unwrap(), &place);
    let (before, after) = text.split_once("refactor-bot-").unwrap();
    expect![[r#"
        {
          "argv": [
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--ephemeral",
            "--ignore-user-config",
            "-s",
            "read-only",
            "-C",
            "[place]/folder",
            "-c",
            "project_doc_max_bytes=0",
            "--output-schema",
            "[place]/scratch/[call]/schema.json",
            "-m",
            "sonnet",
            "-"
          ],
          "cwd": "[place]/folder",
          "env": [
            "FAKE_CLAUDE_LOG",
            "FAKE_CODEX_MODE",
            "HOME",
            "HTTPS_PROXY",
            "NODE_EXTRA_CA_CERTS",
            "NO_PROXY",
            "PATH"
          ],
          "schema": {
            "additionalProperties": false,
            "properties": {
              "note": {
                "type": [
                  "string",
                  "null"
                ]
              },
              "ok": {
                "type": "boolean"
              }
            },
            "required": [
              "ok",
              "note"
            ],
            "type": "object"
          },
          "stdin": "You patch.\n\nIs it well?"
        }"#]]
    .assert_eq(&format!("{before}[call]{}", &after[36..]));
}

#[test]
fn mo1_codex_says_version_and_login() {
    let check = |place: &Place, mode: &str, wanted: &Expect| {
        let said = match calling(|calling| codex(place, mode).probe(calling)) {
            Ok(probe) => format!("{probe:?}\n"),
            Err(error) => format!("{error}\n"),
        };
        wanted.assert_eq(&said);
    };
    let found = place();
    check(
        &found,
        "ok",
        &expect![[r#"
        Probe { found: "codex-cli 0.166.0", login: "Logged in using ChatGPT" }
    "#]],
    );
    check(
        &found,
        "logged_out",
        &expect![[r#"
        codex: Codex is not logged in. Run `codex login`, then rerun.
    "#]],
    );
    check(
        &Place::empty(),
        "ok",
        &expect![[r#"
        codex: `codex` cannot be used: it was not found. Install or repair Codex (for example with `npm install -g @openai/codex`), then rerun.
    "#]],
    );
}

#[test]
fn mo4_codex_is_asked_in_words_where_strict_mode_cannot_say_it() {
    let place = place();
    let mut request = question();
    let open = r#"{"type": "object", "additionalProperties": {"type": "boolean"}}"#;
    request.schema = Some(rb_schema::Schema::parse("open", open).unwrap().into());
    let result = calling(|calling| codex(&place, "ok").ask(&request, calling));
    expect![[r#"
        "{\"ok\":true}" End, sonnet of codex, value {"ok":true}, [6, 5, 4, 0, 1] ByProvider, Unknown
    "#]]
    .assert_eq(&(shown(&result) + "\n"));
    let log: Value = serde_json::from_str(&read(&place.at("log"))).unwrap();
    assert_eq!(log["schema"], Value::Null);
    expect![[r#"
        You patch.

        Is it well?

        Answer with one JSON object that fits this JSON schema, and with nothing else:
        {"type":"object","additionalProperties":{"type":"boolean"}}"#]]
    .assert_eq(log["stdin"].as_str().unwrap());
}

//! `command`: programs of all kinds, and what their answers mean.

use std::time::Duration;

use expect_test::{Expect, expect};
use rb_http::Secret;
use rb_models::providers::command::{Command, CommandOptions};
use rb_models::{Message, Provider as _, Request, Tool, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::doubles::{KEY, Place, calling, filtered, question, read, shown};

fn command(place: &Place, argv: &[&str]) -> Command {
    let options = CommandOptions {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        env: vec![("MY_KEY".to_owned(), Secret::new(KEY))],
    };
    Command::new(place.host(&[]), options)
}

fn ask(place: &Place, argv: &[&str], request: &Request) -> String {
    let result = calling(|calling| command(place, argv).ask(request, calling));
    place.assert_swept();
    filtered(&shown(&result), place)
}

/// Each is what a shell does after it has read the question.
fn check(request: &Request, scripts: &[&str], wanted: &Expect) {
    let place = Place::empty();
    let line = |script: &&str| {
        let script_and_question = format!("cat > /dev/null; {script}");
        format!("{script}\n  {}\n", ask(&place, &["sh", "-c", &script_and_question], request))
    };
    wanted.assert_eq(&scripts.iter().map(line).collect::<String>());
}

#[test]
fn mo1_a_command_answers_in_many_forms() {
    let scripts = [
        r#"echo '{"value": {"ok": true}}'"#,
        r#"printf '{\n "text": "{\\"ok\\": true}" }\n'"#,
        r#"echo '{"text": "I would rather talk."}'"#,
        r#"echo '{"value": {"ok": true}, "model": "m", "cost_usd": 0.25, "usage": {"input": 3, "output": 2, "reasoning": 1}}'"#,
        r#"echo '{"tool_calls": [{"name": "read", "input": {"path": "a"}}, {"id": "x", "name": "list", "input": {}}]}'"#,
    ];
    check(
        &question(),
        &scripts,
        &expect![[r#"
            echo '{"value": {"ok": true}}'
              "" End, sonnet of command, value {"ok":true}, [0, 0, 0, 0, 0] Estimate, Free
            printf '{\n "text": "{\\"ok\\": true}" }\n'
              "{\"ok\": true}" End, sonnet of command, value {"ok":true}, [0, 0, 0, 0, 0] Estimate, Free
            echo '{"text": "I would rather talk."}'
              NotAsAsked: command: the answer does not have the form that was asked for: the answer holds no JSON object → tell the model [0 tokens, Free]
            echo '{"value": {"ok": true}, "model": "m", "cost_usd": 0.25, "usage": {"input": 3, "output": 2, "reasoning": 1}}'
              "" End, m of command, value {"ok":true}, [3, 2, 0, 0, 1] ByProvider, $0.250000
            echo '{"tool_calls": [{"name": "read", "input": {"path": "a"}}, {"id": "x", "name": "list", "input": {}}]}'
              "" Tools, sonnet of command, calls call_1 read {"path":"a"}, calls x list {}, [0, 0, 0, 0, 0] Estimate, Free
        "#]],
    );
    let plain = Request::new("chat", "", "Hello");
    check(
        &plain,
        &[r#"echo '{"text": "Hello!"}'"#],
        &expect![[r#"
        echo '{"text": "Hello!"}'
          "Hello!" End,  of command, [0, 0, 0, 0, 0] Estimate, Free
    "#]],
    );
}

#[test]
fn mo8_a_command_fails_in_many_forms() {
    let scripts = [
        r#"echo '{"error": {"kind": "retry", "message": "busy", "retry_after_s": 2.5}}'"#,
        r#"echo '{"error": {"kind": "retry", "message": "busy"}}'; exit 1"#,
        r#"echo '{"error": {"kind": "tell", "message": "say it shorter"}}'"#,
        r#"echo '{"error": {"kind": "stop", "message": "the key '$MY_KEY' is bad"}}'"#,
        r#"echo '{"error": {"kind": "later", "message": "busy"}}'"#,
        r#"echo '{"error": {"kind": "stop", "message": "no"}, "text": "yes"}'"#,
        r#"echo '{"txet": "misspelt"}'"#,
        r#"echo '{}'"#,
        r#"echo '[1]'"#,
        r#"echo '{"text": "a"} {"text": "b"}'"#,
        r#"echo '{"text": "a", "cost_usd": -1}'"#,
        r#"echo '{"text": "a"'"#,
        "true",
        r#"echo '{"text": "a"}'; echo "no, $MY_KEY" >&2; exit 3"#,
        "kill -9 $$",
    ];
    let plain = Request::new("chat", "", "Hello");
    check(
        &plain,
        &scripts,
        &expect![[r#"
            echo '{"error": {"kind": "retry", "message": "busy", "retry_after_s": 2.5}}'
              RateLimited: command: too many requests: busy → retry after 2.5s
            echo '{"error": {"kind": "retry", "message": "busy"}}'; exit 1
              Unreachable: command: busy → retry
            echo '{"error": {"kind": "tell", "message": "say it shorter"}}'
              NotAsAsked: command: the answer does not have the form that was asked for: say it shorter → tell the model
            echo '{"error": {"kind": "stop", "message": "the key '$MY_KEY' is bad"}}'
              Program: command: a program failed: the key [key] is bad → stop, Environment
            echo '{"error": {"kind": "later", "message": "busy"}}'
              Program: command: a program failed: its answer is not of the agreed form: unknown variant `later`, expected one of `retry`, `tell`, `stop` → stop, Environment
            echo '{"error": {"kind": "stop", "message": "no"}, "text": "yes"}'
              Program: command: a program failed: it gave an answer and an error at the same time → stop, Environment
            echo '{"txet": "misspelt"}'
              Program: command: a program failed: its answer is not of the agreed form: unknown field `txet`, expected one of `text`, `value`, `tool_calls`, `usage`, `cost_usd`, `model`, `error` → stop, Environment
            echo '{}'
              Program: command: a program failed: its answer has no `text`, `value`, `tool_calls` or `error` → stop, Environment
            echo '[1]'
              Program: command: a program failed: its answer is no JSON object → stop, Environment
            echo '{"text": "a"} {"text": "b"}'
              Malformed: command: the answer cannot be read: trailing characters at line 1 column 15 → retry
            echo '{"text": "a", "cost_usd": -1}'
              Program: command: a program failed: `cost_usd` is -1, which is no amount of money → stop, Environment
            echo '{"text": "a"'
              Malformed: command: the answer cannot be read: EOF while parsing an object at line 2 column 0 → retry
            true
              Half: command: the answer broke off: it ended without a word → retry
            echo '{"text": "a"}'; echo "no, $MY_KEY" >&2; exit 3
              Program: command: a program failed: it ended with code 3: no, [key] → stop, Environment
            kill -9 $$
              Program: command: a program failed: it ended with signal 9 → stop, Environment
        "#]],
    );
}

#[test]
fn mo8_a_command_ends_in_time() {
    let mut request = question();
    request.limits.whole = Duration::from_secs(1);
    check(
        &request,
        &["exec sleep 600"],
        &expect![[r#"
            exec sleep 600
              TooSlow: command: no whole answer within 1 s → stop, Limit
        "#]],
    );
}

#[test]
fn mo1_a_command_is_asked_everything() {
    let place = Place::empty();
    let mut request = question();
    request.folder = Some(place.at("folder"));
    request.tools = vec![Tool {
        name: "read".to_owned(),
        description: "Reads.".to_owned(),
        input: json!({"type": "object"}),
    }];
    let call =
        ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input: json!({"path": "a"}) };
    request.messages.push(Message::Assistant { text: String::new(), tool_calls: vec![call] });
    let result = ToolResult {
        id: "c1".to_owned(),
        name: "read".to_owned(),
        text: "it".to_owned(),
        failed: false,
    };
    request.messages.push(Message::Tools { results: vec![result] });
    let script = "cat > ../question; pwd > ../pwd; echo '{\"value\": {}}'";
    // A word with signs of the shell in it stays one word.
    ask(&place, &["sh", "-c", script, "$(touch ../ran)"], &request);
    assert_eq!(read(&place.at("pwd")).trim(), place.at("folder").display().to_string());
    assert!(!place.at("ran").exists());
    let question: Value = serde_json::from_str(&read(&place.at("question"))).unwrap();
    expect![[r#"
        {
          "limits": {
            "output_tokens": 16000,
            "seconds": 1200,
            "turns": 10
          },
          "messages": [
            {
              "from": "user",
              "text": "Is it well?"
            },
            {
              "from": "assistant",
              "text": "",
              "tool_calls": [
                {
                  "id": "c1",
                  "input": {
                    "path": "a"
                  },
                  "name": "read"
                }
              ]
            },
            {
              "from": "tools",
              "results": [
                {
                  "failed": false,
                  "id": "c1",
                  "name": "read",
                  "text": "it"
                }
              ]
            }
          ],
          "model": "sonnet",
          "role": "patcher",
          "schema": {
            "additionalProperties": false,
            "properties": {
              "note": {
                "type": "string"
              },
              "ok": {
                "type": "boolean"
              }
            },
            "required": [
              "ok"
            ],
            "type": "object"
          },
          "system": "You patch.",
          "task": null,
          "tools": [
            {
              "description": "Reads.",
              "input": {
                "type": "object"
              },
              "name": "read"
            }
          ],
          "version": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&question).unwrap());
}

#[test]
fn mo1_a_command_that_is_missing_is_named() {
    let place = Place::empty();
    let check = |argv: &[&str], wanted: &Expect| {
        wanted.assert_eq(&(ask(&place, argv, &question()) + "\n"));
        let probe = calling(|calling| command(&place, argv).probe(calling));
        assert!(probe.is_err(), "{probe:?}");
    };
    check(
        &[],
        &expect![[r#"
        NotInstalled: command: No program is set. Set `command` to a program that can be run → stop, Environment
    "#]],
    );
    check(
        &["no-such-program"],
        &expect![[r#"
        NotInstalled: command: `no-such-program` cannot be used: it was not found. Set `command` to a program that can be run → stop, Environment
    "#]],
    );
    check(
        &["./no/such/program"],
        &expect![[r#"
        NotInstalled: command: `./no/such/program` cannot be used: it was not found. Set `command` to a program that can be run → stop, Environment
    "#]],
    );
    let probe = calling(|calling| command(&place, &["sh"]).probe(calling)).unwrap();
    assert!(probe.found.ends_with("/sh"), "{probe:?}");
}

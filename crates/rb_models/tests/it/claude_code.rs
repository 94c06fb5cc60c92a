//! `claude-code` against a double of the program: what it is called with, and what each of its endings means.

use expect_test::{Expect, expect};
use rb_core::Usd;
use rb_http::Secret;
use rb_models::providers::claude_code::{ClaudeCode, ClaudeLogin, ClaudeOptions};
use rb_models::{Provider as _, Request};
use serde_json::Value;

use crate::doubles::{Place, calling, filtered, question, read, shown};

const DOUBLE: &str = include_str!("../doubles/claude.py");

pub(crate) fn place() -> Place {
    Place::with("claude", DOUBLE)
}

pub(crate) fn ask(place: &Place, mode: &str, options: ClaudeOptions, request: &Request) -> String {
    let claude = ClaudeCode::new(place.host(&[("FAKE_CLAUDE_MODE", mode)]), options);
    let result = calling(|calling| claude.ask(request, calling));
    place.assert_swept();
    filtered(&shown(&result), place)
}

/// Each mode, and what became of a call.
fn check(modes: &[&str], wanted: &Expect) {
    let place = place();
    let line = |mode: &&str| {
        let options = ClaudeOptions { max_usd: Usd::new(0.01), ..ClaudeOptions::default() };
        format!("{mode}: {}\n", ask(&place, mode, options, &question()))
    };
    wanted.assert_eq(&modes.iter().map(line).collect::<String>());
}

#[test]
fn mo2_an_answer_is_taken_from_the_structured_output() {
    check(
        &["ok", "stderr_noise", "slow", "denials", "old"],
        &expect![[r#"
        ok: "{\"ok\": true, \"note\": \"hi\"}" End, claude-fake-1 of claude-code, value {"note":"hi","ok":true}, [11, 7, 5, 3, 2] ByProvider, $0.012500
        stderr_noise: "{\"ok\": true, \"note\": \"hi\"}" End, claude-fake-1 of claude-code, value {"note":"hi","ok":true}, [11, 7, 5, 3, 2] ByProvider, $0.012500
        slow: "{\"ok\": true, \"note\": \"hi\"}" End, claude-fake-1 of claude-code, value {"note":"hi","ok":true}, [11, 7, 5, 3, 2] ByProvider, $0.012500
        denials: "{\"ok\": true, \"note\": \"hi\"}" End, claude-fake-1 of claude-code, value {"note":"hi","ok":true}, [11, 7, 5, 3, 2] ByProvider, $0.012500, note: Read was denied: {"file_path":"/etc/passwd"}
        old: "{\"ok\": true, \"note\": \"hi\"}" End, claude-fake-1 of claude-code, value {"note":"hi","ok":true}, [11, 7, 5, 3, 2] ByProvider, $0.012500
    "#]],
    );
}

#[test]
fn mo2_a_success_without_an_answer_is_none() {
    check(
        &[
            "no_structured",
            "null_structured",
            "silent_success",
            "bad_exit",
            "empty",
            "int",
            "garbage",
            "truncate",
            "interrupted",
        ],
        &expect![[r#"
            no_structured: NotAsAsked: claude-code: the answer does not have the form that was asked for: the model wrote text and did not call `StructuredOutput` → tell the model [26 tokens, $0.012500]
            null_structured: NotAsAsked: claude-code: the answer does not have the form that was asked for: the model wrote text and did not call `StructuredOutput` → tell the model [26 tokens, $0.012500]
            silent_success: NotAsAsked: claude-code: the answer does not have the form that was asked for: the model wrote text and did not call `StructuredOutput` → tell the model [26 tokens, $0.012500]
            bad_exit: Program: claude-code: a program failed: it said that all is well and ended with code 1 → stop, Environment [26 tokens, $0.012500]
            empty: Half: claude-code: the answer broke off: it ended without a word → retry
            int: Half: claude-code: the answer broke off: it ended without a word → retry
            garbage: Malformed: claude-code: the answer cannot be read: `<html>Please log in to the network</html>` is no line of it → retry
            truncate: Half: claude-code: the answer broke off: it ended with code 0 before its result → retry
            interrupted: Half: claude-code: the answer broke off: Claude Code was interrupted → retry [26 tokens, $0.012500]
        "#]],
    );
}

#[test]
fn mo2_what_the_service_refuses_is_told_apart() {
    check(
        &[
            "http:400",
            "http:credit",
            "http:long",
            "http:401",
            "http:403",
            "http:404",
            "http:413",
            "http:429",
            "http:500",
            "http:529",
        ],
        &expect![[r#"
            http:400: BadRequest: claude-code: the request was refused: API Error: 400 messages: bad thing → stop, Usage [26 tokens, $0.012500]
            http:credit: NoCredit: claude-code: the account has no credit left: Credit balance is too low → stop, Environment [26 tokens, $0.012500]
            http:long: TooLong: claude-code: the request is too long for the model: Prompt is too long · 300000 tokens > 200000 maximum → tell the model [26 tokens, $0.012500]
            http:401: NotLoggedIn: claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun. → stop, Environment (Claude Code said: Failed to authenticate. API Error: 401 OAuth token has expired.) [26 tokens, $0.012500]
            http:403: BadKey: claude-code: the key is not accepted: Failed to authenticate. API Error: 403 not allowed → stop, Environment (run `claude` interactively to see what is wrong with its login) [26 tokens, $0.012500]
            http:404: NoSuchModel: claude-code: there is no model `sonnet` for this account: There's an issue with the selected model (none). It may not exist or you may not have access to it. → stop, Usage (choose another model with `--model`) [26 tokens, $0.012500]
            http:413: TooLong: claude-code: the request is too long for the model: Request too large (max 32MB). Try with a smaller file. → tell the model [26 tokens, $0.012500]
            http:429: RateLimited: claude-code: too many requests: API Error: Request rejected (429) · slow down → retry [26 tokens, $0.012500]
            http:500: Overloaded: claude-code: the provider is overloaded or has a fault (500): API Error: 500 Internal server error. This is a server-side issue, usually temporary → retry [26 tokens, $0.012500]
            http:529: Overloaded: claude-code: the provider is overloaded or has a fault (529): API Error: 529 Overloaded → retry [26 tokens, $0.012500]
        "#]],
    );
}

#[test]
fn mo2_words_decide_where_there_is_no_status() {
    check(
        &[
            "not_logged_in",
            "bad_key",
            "old_529",
            "refused",
            "old_refused",
            "dropped",
            "html",
            "timeout",
            "tls",
            "max_tokens",
            "limit",
            "retried",
            "odd",
            "refusal",
        ],
        &expect![[r#"
            not_logged_in: NotLoggedIn: claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun. → stop, Environment (Claude Code said: Not logged in · Please run /login) [26 tokens, $0.012500]
            bad_key: NotLoggedIn: claude-code: Claude Code is not logged in. Run `claude` interactively and use `/login`, then rerun. → stop, Environment (Claude Code said: Invalid API key · Fix external API key) [26 tokens, $0.012500]
            old_529: Overloaded: claude-code: the provider is overloaded or has a fault (529): API Error: Repeated 529 Overloaded errors. The service may be at capacity → retry [26 tokens, $0.012500]
            refused: Unreachable: claude-code: API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED) → retry [26 tokens, $0.012500]
            old_refused: Unreachable: claude-code: API Error: Unable to connect to API (ConnectionRefused) → retry [26 tokens, $0.012500]
            dropped: Unreachable: claude-code: API Error: Unable to connect to API (ECONNRESET) → retry [26 tokens, $0.012500]
            html: Malformed: claude-code: the answer cannot be read: API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway → retry [26 tokens, $0.012500]
            timeout: Unreachable: claude-code: Request timed out → retry [26 tokens, $0.012500]
            tls: Tls: claude-code: no safe connection: API Error: Unable to connect to API: self signed certificate in certificate chain → stop, Environment [26 tokens, $0.012500]
            max_tokens: AnswerCut: claude-code: the answer is longer than the 16000 tokens that it may have → tell the model (Claude Code said: API Error: Claude's response exceeded the 64000 output token maximum.) [26 tokens, $0.012500]
            limit: RateLimited: claude-code: too many requests: You've hit your limit · resets 3pm → retry [26 tokens, $0.012500]
            retried: Overloaded: claude-code: the provider is overloaded or has a fault (503): It did not work → retry [26 tokens, $0.012500]
            odd: Program: claude-code: a program failed: Something that nobody has seen before → stop, Environment [26 tokens, $0.012500]
            refusal: Refusal: claude-code: the model would not answer: API Error: Claude Code is unable to respond to this request → stop, Refused [26 tokens, $0.012500]
        "#]],
    );
}

#[test]
fn mo2_a_program_that_ends_otherwise_is_told_apart() {
    check(
        &[
            "schema_retries",
            "max_turns",
            "budget",
            "exit:143",
            "exit:129",
            "exit:1",
            "crash",
            "usage",
            "half_installed",
        ],
        &expect![[r#"
            schema_retries: NotAsAsked: claude-code: the answer does not have the form that was asked for: Failed to provide valid structured output after 5 attempts → tell the model [26 tokens, $0.012500]
            max_turns: NotAsAsked: claude-code: the answer does not have the form that was asked for: Reached maximum number of turns (2) → tell the model [26 tokens, $0.012500]
            budget: OverCap: claude-code: the call may bring the cost to $0.012500, over the cap of $0.010000; $0.012500 are spent → stop, Limit [26 tokens, $0.012500]
            exit:143: Program: claude-code: a program failed: it ended with code 143 → stop, Environment
            exit:129: Program: claude-code: a program failed: it ended with code 129 → stop, Environment
            exit:1: Program: claude-code: a program failed: it ended with code 1 → stop, Environment
            crash: Program: claude-code: a program failed: it ended with signal 11 → stop, Environment
            usage: NotInstalled: claude-code: This version of Claude Code cannot be used: error: unknown option '--include-partial-messages'. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
            half_installed: NotInstalled: claude-code: Error: claude native binary not installed. Install or repair Claude Code (for example with `npm install -g @anthropic-ai/claude-code`), then rerun. → stop, Environment
        "#]],
    );
}

#[test]
fn mo3_a_key_is_given_on_and_shown_nowhere() {
    let place = place();
    let key = || Secret::new("swordfish");
    let check = |login: ClaudeLogin, variable: &str, mode: &str, wanted: &Expect| {
        let options = ClaudeOptions { login, ..ClaudeOptions::default() };
        wanted.assert_eq(&(ask(&place, mode, options, &question()) + "\n"));
        let log: Value = serde_json::from_str(&read(&place.at("log"))).unwrap();
        let seen = log["env"].as_array().unwrap();
        let keys = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
        let seen: Vec<&str> =
            keys.into_iter().filter(|name| seen.iter().any(|it| it == name)).collect();
        assert_eq!(seen, [variable]);
    };
    check(
        ClaudeLogin::ApiKey(key()),
        "ANTHROPIC_API_KEY",
        "echo_key",
        &expect![[r#"
        BadKey: claude-code: the key is not accepted: API Error: bad key [key] → stop, Environment [26 tokens, $0.012500]
    "#]],
    );
    check(
        ClaudeLogin::ApiKey(key()),
        "ANTHROPIC_API_KEY",
        "bad_key",
        &expect![[r#"
        BadKey: claude-code: the key is not accepted: Invalid API key · Fix external API key → stop, Environment [26 tokens, $0.012500]
    "#]],
    );
    check(
        ClaudeLogin::AuthToken(key()),
        "ANTHROPIC_AUTH_TOKEN",
        "http:403",
        &expect![[r#"
        BadKey: claude-code: the key is not accepted: Failed to authenticate. API Error: 403 not allowed → stop, Environment [26 tokens, $0.012500]
    "#]],
    );
    check(
        ClaudeLogin::OauthToken(key()),
        "CLAUDE_CODE_OAUTH_TOKEN",
        "http:401",
        &expect![[r#"
        BadKey: claude-code: the key is not accepted: Failed to authenticate. API Error: 401 OAuth token has expired. → stop, Environment [26 tokens, $0.012500]
    "#]],
    );
}

#[test]
fn mo2_words_are_an_answer_where_no_form_is_asked_for() {
    let place = place();
    let request = Request::new("patcher", "You patch.", "Is it well?");
    let check = |mode: &str, wanted: &Expect| {
        wanted.assert_eq(&(ask(&place, mode, ClaudeOptions::default(), &request) + "\n"));
    };
    check(
        "ok",
        &expect![[r#"
        "It is done." End, claude-fake-1 of claude-code, [11, 7, 5, 3, 2] ByProvider, $0.012500
    "#]],
    );
    check(
        "silent_success",
        &expect![[r#"
        Malformed: claude-code: the answer cannot be read: it ended well and said nothing → retry [26 tokens, $0.012500]
    "#]],
    );
}

#[test]
fn mo2_a_schema_that_the_program_dislikes_is_never_taken_for_an_answer() {
    let place = place();
    let check = |mode: &str, wanted: &Expect| {
        let vars = [("FAKE_CLAUDE_MODE", mode), ("FAKE_CLAUDE_DISLIKES", "additionalProperties")];
        let claude = ClaudeCode::new(place.host(&vars), ClaudeOptions::default());
        wanted.assert_eq(&(shown(&calling(|calling| claude.ask(&question(), calling))) + "\n"));
    };
    check(
        "ok",
        &expect![[r#"
        BadRequest: claude-code: the request was refused: Error: --json-schema is not a valid JSON Schema: strict mode: unknown keyword: "additionalProperties" → stop, Usage
    "#]],
    );
    check(
        "old",
        &expect![[r#"
        BadRequest: claude-code: the request was refused: this version of Claude Code did not take the schema, and did not say so → stop, Usage [26 tokens, $0.012500]
    "#]],
    );
}

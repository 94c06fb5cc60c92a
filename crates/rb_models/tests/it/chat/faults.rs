//! Every way to fail, one by one, the same for each dialect.

use expect_test::{Expect, expect};
use rb_testkit::stub::Reply;

use super::{DONE, STOP, events, hello, hi, text, tried};

const DIALECTS: [&str; 5] = ["openai", "deepseek", "perplexity", "openrouter", "custom"];

/// The hint aside, they do not differ.
fn check(reply: &Reply, expected: &Expect) {
    let mut shown: Vec<String> = DIALECTS
        .iter()
        .map(|name| {
            let shown = tried(name, &hello(), reply);
            let lines: Vec<&str> = shown.lines().take(2).collect();
            lines.join("\n").replacen(&format!("{name}: "), "", 1)
        })
        .collect();
    shown.dedup();
    expected.assert_eq(&shown.join("\n"));
}

fn refused(status: u16, code: &str, words: &str) -> Reply {
    let error = serde_json::json!({ "error": { "message": words, "type": "t", "code": code } });
    Reply::status(status, error.to_string())
}

#[test]
fn mo8_a_refusal_is_told_by_status_code_and_words() {
    check(
        &refused(400, "bad", "Unknown field `x`"),
        &expect![[r#"
        the request was refused: Unknown field `x`
        BadRequest: stop: Usage"#]],
    );
    check(
        &refused(
            400,
            "context_length_exceeded",
            "This model's maximum context length is 8192 tokens.",
        ),
        &expect![[r#"
            the request is too long for the model: This model's maximum context length is 8192 tokens.
            TooLong: tell the model: the request is too long for the model"#]],
    );
    check(
        &refused(
            400,
            "exceed_context_size_error",
            "the request exceeds the available context size",
        ),
        &expect![[r#"
            the request is too long for the model: the request exceeds the available context size
            TooLong: tell the model: the request is too long for the model"#]],
    );
    check(
        &refused(401, "invalid_api_key", "Incorrect API key: swordfish"),
        &expect![[r#"
        the key is not accepted: Incorrect API key: [key]
        BadKey: stop: Environment"#]],
    );
    check(
        &refused(400, "INVALID_ARGUMENT", "API key not valid."),
        &expect![[r#"
        the key is not accepted: API key not valid.
        BadKey: stop: Environment"#]],
    );
    check(
        &refused(402, "", "Insufficient Balance"),
        &expect![[r#"
        the account has no credit left: Insufficient Balance
        NoCredit: stop: Environment"#]],
    );
    check(
        &refused(403, "", "Your country is not supported"),
        &expect![[r#"
        the key is not accepted: Your country is not supported
        BadKey: stop: Environment"#]],
    );
    check(
        &refused(403, "", "Your input was flagged by moderation"),
        &expect![[r#"
        the model would not answer: Your input was flagged by moderation
        Refusal: stop: Refused"#]],
    );
    check(
        &refused(404, "model_not_found", "The model `x` does not exist"),
        &expect![[r#"
        there is no model `some-model` for this account: The model `x` does not exist
        NoSuchModel: stop: Usage"#]],
    );
    check(
        &refused(404, "", "Invalid URL (POST /v2/chat/completions)"),
        &expect![[r#"
        the request was refused: Invalid URL (POST /v2/chat/completions)
        BadRequest: stop: Usage"#]],
    );
    check(
        &refused(400, "invalid_request_error", "Model Not Exist"),
        &expect![[r#"
        there is no model `some-model` for this account: Model Not Exist
        NoSuchModel: stop: Usage"#]],
    );
    check(
        &refused(413, "", "Payload too large"),
        &expect![[r#"
        the request is too long for the model: Payload too large
        TooLong: tell the model: the request is too long for the model"#]],
    );
    check(
        &refused(422, "", "Extra inputs are not permitted"),
        &expect![[r#"
        the request was refused: Extra inputs are not permitted
        BadRequest: stop: Usage"#]],
    );
    check(
        &Reply::status(400, ""),
        &expect![[r#"
        the request was refused: no reason was given
        BadRequest: stop: Usage"#]],
    );
    check(
        &Reply::status(302, "").header("location", "http://127.0.0.1:1/"),
        &expect![[r#"
        the request was refused: it sends us on to http://127.0.0.1:1/, and redirects are not followed
        BadRequest: stop: Usage"#]],
    );
}

#[test]
fn mo8_a_limit_says_how_long_to_wait() {
    let limited = || refused(429, "rate_limit_exceeded", "Slow down");
    check(
        &limited(),
        &expect![[r#"
        too many requests: Slow down
        RateLimited: retry"#]],
    );
    check(
        &limited().header("retry-after", "7"),
        &expect![[r#"
        too many requests: Slow down
        RateLimited: retry after 7 s"#]],
    );
    check(
        &limited().header("retry-after", "7200"),
        &expect![[r#"
        too many requests: Slow down
        RateLimited: retry after 7200 s"#]],
    );
    check(
        &limited().header("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"),
        &expect![[r#"
        too many requests: Slow down
        RateLimited: retry after 60 s"#]],
    );
    check(
        &refused(429, "insufficient_quota", "You exceeded your current quota"),
        &expect![[r#"
        the account has no credit left: You exceeded your current quota
        NoCredit: stop: Environment"#]],
    );
    check(
        &refused(500, "server_error", "Oops"),
        &expect![[r#"
        the provider is overloaded or has a fault (500): Oops
        Overloaded: retry"#]],
    );
    check(
        &refused(503, "", "Overloaded").header("retry-after", "3"),
        &expect![[r#"
        the provider is overloaded or has a fault (503): Overloaded
        Overloaded: retry after 3 s"#]],
    );
    check(
        &refused(529, "", "Overloaded"),
        &expect![[r#"
        the provider is overloaded or has a fault (529): Overloaded
        Overloaded: retry"#]],
    );
    check(
        &Reply::status(502, "<html><h1>Bad Gateway</h1></html>"),
        &expect![[r#"
        the provider is overloaded or has a fault (502): <html><h1>Bad Gateway</h1></html>
        Overloaded: retry"#]],
    );
}

#[test]
fn mo8_an_error_inside_of_a_success_is_one() {
    let begun = text("Hal");
    let inside = |error: &str| events(&[&begun, error, DONE]);
    check(
        &Reply::ok(r#"{"error":{"message":"Oops","code":500}}"#),
        &expect![[r#"
        the provider is overloaded or has a fault (500): Oops
        Overloaded: retry"#]],
    );
    check(
        &Reply::ok(r#"{"error":"swordfish is no model we know"}"#),
        &expect![[r#"
        the provider is overloaded or has a fault (200): [key] is no model we know
        Overloaded: retry"#]],
    );
    check(
        &Reply::ok(r#"[{"error":{"message":"Quota","code":429,"status":"X"}}]"#),
        &expect![[r#"
        too many requests: Quota
        RateLimited: retry"#]],
    );
    check(
        &inside(r#"{"error":{"message":"Rate limit exceeded","code":429}}"#),
        &expect![[r#"
        too many requests: Rate limit exceeded
        RateLimited: retry"#]],
    );
    check(
        &inside(r#"{"error":{"message":"Too much","type":"rate_limit_error"}}"#),
        &expect![[r#"
        too many requests: Too much
        RateLimited: retry"#]],
    );
    check(
        &inside(r#"{"error":{"message":"Wrong","type":"invalid_request_error"}}"#),
        &expect![[r#"
            the request was refused: Wrong
            BadRequest: stop: Usage"#]],
    );
    check(
        &inside(r#"{"error":{"message":"maximum context length is 5","code":"x"}}"#),
        &expect![[r#"
            the request is too long for the model: maximum context length is 5
            TooLong: tell the model: the request is too long for the model"#]],
    );
    check(
        &inside(r#"{"object":"error","message":"no such model","code":404}"#),
        &expect![[r#"
        there is no model `some-model` for this account: no such model
        NoSuchModel: stop: Usage"#]],
    );
    check(
        &inside(
            r#"{"error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
        ),
        &expect![[r#"
            the provider is overloaded or has a fault (502): Provider disconnected
            Overloaded: retry"#]],
    );
    check(
        &inside(r#"{"error":{}}"#),
        &expect![[r#"
        the provider is overloaded or has a fault (200): no reason was given
        Overloaded: retry"#]],
    );
}

#[test]
fn mo8_half_an_answer_is_none() {
    check(
        &Reply::hang_up(),
        &expect![[r#"
        URL cannot be reached: Peer disconnected
        Unreachable: retry"#]],
    );
    check(
        &events(&[&text("Hal")]).then_hang_up(),
        &expect![[r#"
        the answer broke off: Peer disconnected
        Half: retry"#]],
    );
    check(
        &events(&[&text("Hal")]),
        &expect![[r#"
        the answer broke off: its end never came
        Half: retry"#]],
    );
    check(
        &hi().cut_after(150),
        &expect![[r#"
        the answer broke off: Peer disconnected
        Half: retry"#]],
    );
    check(
        &events(&[]),
        &expect![[r#"
        the answer broke off: it is empty
        Half: retry"#]],
    );
    check(
        &events(&[DONE]),
        &expect![[r#"
        the answer broke off: it ended before it began
        Half: retry"#]],
    );
    check(
        &Reply::ok(""),
        &expect![[r#"
        the answer broke off: it is empty
        Half: retry"#]],
    );
    check(
        &Reply::ok("{}"),
        &expect![[r#"
        the answer broke off: it ended before it began
        Half: retry"#]],
    );
}

#[test]
fn mo8_what_cannot_be_read_is_said() {
    check(
        &Reply::garbage("SSH-2.0-server\r\n"),
        &expect![[r#"
        URL cannot be reached: protocol: http parse fail: invalid HTTP version
        Unreachable: stop: Environment"#]],
    );
    check(
        &Reply::ok("<!doctype html><title>Login</title>"),
        &expect![[r#"
        the answer cannot be read: a web page, as from a proxy or the login of a network: <!doctype html><title>Login</title>
        Malformed: retry"#]],
    );
    check(
        &events(&[&text("Hal"), "{\"choices\":", STOP]),
        &expect![[r#"
        the answer cannot be read: no JSON: EOF while parsing a value at line 1 column 11
        Malformed: retry"#]],
    );
    check(
        &events(&["{\"choices\":7}"]),
        &expect![[r#"
        the answer cannot be read: no piece of a chat completion: invalid type: integer `7`, expected a sequence
        Malformed: retry"#]],
    );
    check(
        &Reply::ok("{\"choices\":[{\"message\""),
        &expect![[r#"
        the answer cannot be read: no JSON: EOF while parsing an object at line 1 column 22
        Malformed: retry"#]],
    );
    check(
        &Reply::events([b"data: \"\xff\xfe\"\n\n"]),
        &expect![[r#"
        the answer cannot be read: bytes that are no UTF-8
        Malformed: retry"#]],
    );
}

#[test]
fn mo8_an_answer_that_is_not_one_is_told_apart() {
    let ended = |reason: &str| {
        let last = serde_json::json!({ "index": 0, "delta": {}, "finish_reason": reason });
        events(&[&text("Hal"), &super::piece(&last), DONE])
    };
    check(
        &ended("length"),
        &expect![[r#"
        the answer is longer than the 1000 tokens that it may have
        AnswerCut: tell the model: the answer was cut off because it is too long"#]],
    );
    check(
        &ended("content_filter"),
        &expect![[r#"
        the model would not answer: the provider's filter stopped the answer
        Refusal: stop: Refused"#]],
    );
    check(
        &ended("insufficient_system_resource"),
        &expect![[r#"
        the provider is overloaded or has a fault (503): the provider gave up in the middle of the answer
        Overloaded: retry"#]],
    );
    let refusal = serde_json::json!({ "index": 0, "delta": { "refusal": "I will not." } });
    check(
        &events(&[&super::piece(&refusal), STOP, DONE]),
        &expect![[r#"
        the model would not answer: I will not.
        Refusal: stop: Refused"#]],
    );
    check(
        &events(&[STOP, DONE]),
        &expect![[r#"
        the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty"#]],
    );
}

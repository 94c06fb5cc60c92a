//! Every way to fail, one by one.

use expect_test::{Expect, expect};
use rb_testkit::stub::Reply;

use super::{DONE, lines, text, tried};
use crate::chat::hello;

fn check(reply: Reply, expected: &Expect) {
    expected.assert_eq(&tried(&hello(), reply));
}

fn refused(status: u16, words: &str) -> Reply {
    Reply::status(status, serde_json::json!({ "error": words }).to_string())
}

#[test]
fn mo8_a_refusal_is_told_by_status_and_words() {
    check(
        refused(400, "invalid options: swordfish"),
        &expect![[r#"
        ollama: the request was refused: invalid options: [key]
        BadRequest: stop: Usage
    "#]],
    );
    check(
        refused(400, "some-model does not support tools"),
        &expect![[r#"
        ollama: the provider cannot do this: some-model does not support tools
        Unable: stop: Usage
    "#]],
    );
    check(
        refused(400, "the input length exceeds the context length"),
        &expect![[r#"
            ollama: the request is too long for the model: the input length exceeds the context length
            TooLong: tell the model: the request is too long for the model
            hint: use a model with a larger window
        "#]],
    );
    check(
        refused(401, "unauthorized"),
        &expect![[r#"
            ollama: the key is not accepted: unauthorized
            BadKey: stop: Environment
            hint: check OLLAMA_API_KEY
        "#]],
    );
    check(
        refused(402, "pay"),
        &expect![[r#"
        ollama: the account has no credit left: pay
        NoCredit: stop: Environment
    "#]],
    );
    check(
        refused(403, "forbidden"),
        &expect![[r#"
            ollama: the key is not accepted: forbidden
            BadKey: stop: Environment
            hint: check OLLAMA_API_KEY
        "#]],
    );
    check(
        refused(404, "model 'some-model' not found"),
        &expect![[r#"
            ollama: there is no model `some-model` for this account: model 'some-model' not found
            NoSuchModel: stop: Usage
            hint: get it with `ollama pull some-model`
        "#]],
    );
    check(
        Reply::status(404, "404 page not found"),
        &expect![[r#"
        ollama: the request was refused: no Ollama there: 404 page not found
        BadRequest: stop: Usage
    "#]],
    );
}

#[test]
fn mo8_a_limit_and_a_breakdown_are_told_by_status_and_words() {
    check(
        refused(413, "too large"),
        &expect![[r#"
            ollama: the request is too long for the model: too large
            TooLong: tell the model: the request is too long for the model
            hint: use a model with a larger window
        "#]],
    );
    check(
        refused(429, "slow down").header("retry-after", "7"),
        &expect![[r#"
        ollama: too many requests: slow down
        RateLimited: retry after 7 s
    "#]],
    );
    check(
        refused(429, "slow down"),
        &expect![[r#"
        ollama: too many requests: slow down
        RateLimited: retry
    "#]],
    );
    check(
        refused(500, "model requires more system memory (9 GiB)"),
        &expect![[r#"
        ollama: the provider cannot do this: model requires more system memory (9 GiB); a smaller model may fit
        Unable: stop: Usage
    "#]],
    );
    check(
        refused(500, "llama runner process has terminated"),
        &expect![[r#"
        ollama: the provider is overloaded or has a fault (500): llama runner process has terminated
        Overloaded: retry
    "#]],
    );
    check(
        refused(503, "server busy").header("retry-after", "7200"),
        &expect![[r#"
        ollama: the provider is overloaded or has a fault (503): server busy
        Overloaded: retry after 7200 s
    "#]],
    );
    check(
        refused(529, "overloaded"),
        &expect![[r#"
        ollama: the provider is overloaded or has a fault (529): overloaded
        Overloaded: retry
    "#]],
    );
    check(
        Reply::status(502, "<h1>Bad Gateway</h1>"),
        &expect![[r#"
        ollama: the provider is overloaded or has a fault (502): <h1>Bad Gateway</h1>
        Overloaded: retry
    "#]],
    );
    check(
        Reply::status(302, "").header("location", "http://127.0.0.1:1/"),
        &expect![[r#"
        ollama: the request was refused: no Ollama there: it sends us on to http://127.0.0.1:1/, and redirects are not followed
        BadRequest: stop: Usage
    "#]],
    );
}

#[test]
fn mo8_half_an_answer_is_none() {
    check(
        Reply::hang_up(),
        &expect![[r#"
            ollama: URL cannot be reached: Peer disconnected
            Unreachable: retry
            hint: start it with `ollama serve`; it is looked for at URL
        "#]],
    );
    check(
        lines(&[&text("Hal")]).then_hang_up(),
        &expect![[r#"
        ollama: the answer broke off: Peer disconnected
        Half: retry
    "#]],
    );
    check(
        lines(&[&text("Hal")]),
        &expect![[r#"
        ollama: the answer broke off: its end never came
        Half: retry
    "#]],
    );
    check(
        lines(&[]),
        &expect![[r#"
        ollama: the answer broke off: it is empty
        Half: retry
    "#]],
    );
    check(
        Reply::ok(""),
        &expect![[r#"
        ollama: the answer broke off: it is empty
        Half: retry
    "#]],
    );
    check(
        lines(&[r#"{"done":true,"done_reason":"load"}"#]),
        &expect![[r#"
        ollama: the answer broke off: the model was loaded and not asked
        Half: retry
    "#]],
    );
    check(
        lines(&[&text("Hal"), r#"{"error":"an error was met: swordfish"}"#]),
        &expect![[r#"
        ollama: the provider is overloaded or has a fault (200): an error was met: [key]
        Overloaded: retry
    "#]],
    );
    check(
        lines(&[r#"{"error":"model 'x' not found, try pulling it first"}"#]),
        &expect![[r#"
            ollama: there is no model `some-model` for this account: model 'x' not found, try pulling it first
            NoSuchModel: stop: Usage
            hint: get it with `ollama pull some-model`
        "#]],
    );
}

#[test]
fn mo8_what_cannot_be_read_is_said() {
    check(
        Reply::ok("<!doctype html><title>Login</title>"),
        &expect![[r#"
        ollama: the answer cannot be read: a web page, as from a proxy or the login of a network: <!doctype html><title>Login</title>
        Malformed: retry
    "#]],
    );
    check(
        lines(&[&text("Hal"), "{\"done\":"]),
        &expect![[r#"
        ollama: the answer cannot be read: no line of an answer: EOF while parsing a value at line 1 column 8
        Malformed: retry
    "#]],
    );
    check(
        Reply::stream([b"{\"a\":\"\xff\xfe\"}\n"]),
        &expect![[r#"
        ollama: the answer cannot be read: bytes that are no UTF-8
        Malformed: retry
    "#]],
    );
    check(
        Reply::garbage("SSH-2.0-server\r\n"),
        &expect![[r#"
            ollama: URL cannot be reached: protocol: http parse fail: invalid HTTP version
            Unreachable: stop: Environment
            hint: start it with `ollama serve`; it is looked for at URL
        "#]],
    );
}

#[test]
fn mo8_an_answer_that_is_not_one_is_told_apart() {
    let cut = r#"{"done":true,"done_reason":"length","prompt_eval_count":26,"eval_count":1000}"#;
    check(
        lines(&[&text("Hal"), cut]),
        &expect![[r#"
        ollama: the answer is longer than the 1000 tokens that it may have
        AnswerCut: tell the model: the answer was cut off because it is too long
        spent: 26 in, 1000 out, ByProvider; Free
    "#]],
    );
    check(
        lines(&[DONE]),
        &expect![[r#"
        ollama: the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty
        spent: 26 in, 3 out, ByProvider; Free
    "#]],
    );
}

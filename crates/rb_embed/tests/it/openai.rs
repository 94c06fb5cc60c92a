//! Embeddings by the API of `OpenAI`: what is asked, what is believed, what it costs.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::Usd;
use rb_embed::openai_embeddings::Price;
use rb_embed::{OpenAiEmbedder, OpenAiOptions};
use rb_http::Secret;
use rb_index::search::embed::{Embedder as _, Passage};
use serde_json::{Value, json};

use crate::support::{Waits, context, shown, unhurried};
use rb_testkit::script::{Reply, Script};

fn options(script: &Script) -> OpenAiOptions {
    OpenAiOptions {
        base_url: format!("{}/v1", script.url()),
        model: "text-embedding-3-small".to_owned(),
        dimensions: 2,
        key: Some(Secret::new("swordfish")),
        ..OpenAiOptions::default()
    }
}

fn embedder(options: OpenAiOptions) -> OpenAiEmbedder {
    OpenAiEmbedder::new(options, &unhurried(), &context(&Waits::new(), &Cancel::new())).unwrap()
}

fn passage(body: &str) -> Passage<'_> {
    Passage { body, ..Passage::default() }
}

/// An answer with one vector for each text, in reverse order: `[0, 1]`, `[1, 1]`, …
fn answer(texts: usize, tokens: u64) -> Reply {
    let data: Vec<Value> =
        (0..texts).rev().map(|index| json!({ "index": index, "embedding": [index, 1] })).collect();
    Reply::ok(json!({ "data": data, "usage": { "total_tokens": tokens } }).to_string())
}

fn inputs(body: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(body).unwrap();
    serde_json::from_value(body["input"].clone()).unwrap()
}

#[test]
fn ix6_vectors_come_in_the_order_of_the_passages() {
    let script = Script::new(vec![answer(2, 9)]);
    let embedder = embedder(options(&script));
    let passages = [
        Passage { path: "a.rs", names: "run", doc: "Runs.", body: "fn run() {}" },
        Passage::default(),
    ];
    assert_eq!(embedder.passages(&passages).unwrap(), [[0.0, 1.0], [1.0, 1.0]]);
    assert_eq!(embedder.passages(&[]).unwrap(), Vec::<Vec<f32>>::new());
    assert_eq!(embedder.model(), format!("127.0.0.1:{}/text-embedding-3-small/2", script.port()));
    assert_eq!((embedder.dimensions(), embedder.spent().tokens), (2, 9));
    expect![[r#"{"dimensions":2,"encoding_format":"float","input":["a.rs\nrun\nRuns.\nfn run() {}"," "],"model":"text-embedding-3-small"}"#]].assert_eq(&script.finish()[0].body);
}

#[test]
fn ix6_other_models_are_not_asked_for_a_size() {
    let script = Script::new(vec![answer(1, 1)]);
    let options = OpenAiOptions { model: "nomic".to_owned(), ..options(&script) };
    embedder(options).question("why").unwrap();
    expect![[r#"{"encoding_format":"float","input":["why"],"model":"nomic"}"#]]
        .assert_eq(&script.finish()[0].body);
}

#[test]
fn ix6_passages_are_packed_into_requests_by_count_and_tokens() {
    let script = Script::new(vec![answer(2048, 5), answer(2, 6)]);
    let embedder = embedder(options(&script));
    let vectors = embedder.passages(&vec![passage("x"); 2050]).unwrap();
    assert_eq!((vectors.len(), vectors[2047][0], vectors[2048][0]), (2050, 2047.0, 0.0));
    assert_eq!((embedder.spent().requests, embedder.spent().tokens), (2, 11));
    script.finish();

    let script = Script::new(vec![answer(36, 1), answer(1, 1)]);
    let long = "漢".repeat(4000);
    self::embedder(options(&script)).passages(&vec![passage(&long); 37]).unwrap();
    let seen = script.finish();
    assert_eq!(inputs(&seen[0].body), vec!["漢".repeat(2730); 36]);
    assert_eq!(inputs(&seen[1].body), ["漢".repeat(2730)]);
}

/// The server counts more tokens than we do: the request is halved, then the text is cut to what must fit.
#[test]
fn ix6_a_request_that_is_too_long_after_all_is_made_smaller() {
    let too_long = || {
        let words =
            "This model's maximum context length is 8192 tokens, however you requested 9000";
        Reply::status(400, &json!({ "error": { "message": words } }).to_string())
    };
    let script = Script::new(vec![too_long(), answer(1, 1), too_long(), answer(1, 1)]);
    let long = "xqzjkv".repeat(3000);
    let vectors = embedder(options(&script)).passages(&[passage("x"), passage(&long)]).unwrap();
    assert_eq!(vectors.len(), 2);
    let seen = script.finish();
    let lengths: Vec<usize> =
        seen.iter().map(|seen| inputs(&seen.body).iter().map(String::len).sum()).collect();
    assert_eq!(lengths, [18001, 1, 18000, 8191]);

    let script = Script::new(vec![too_long()]);
    let error = embedder(options(&script)).question("why").unwrap_err();
    expect![[r#"
        no embeddings from 127.0.0.1:PORT
        hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
        source: http://127.0.0.1:PORT/v1 answered 400: This model's maximum context length is 8192 tokens, however you requested 9000
    "#]].assert_eq(&shown(&error, script.port()));
}

fn check_answer(body: &str, expected: &Expect) {
    let script = Script::new(vec![Reply::ok(body)]);
    let error = embedder(options(&script)).passages(&[passage("a"), passage("b")]).unwrap_err();
    expected.assert_eq(&shown(&error, script.port()));
    script.finish();
}

#[test]
fn ix6_an_answer_that_does_not_fit_is_refused() {
    let check = check_answer;
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]}]}"#,
        &expect![[r#"
            http://127.0.0.1:PORT/v1 answered with 1 vectors for 2 texts
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
        "#]],
    );
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}"#,
        &expect![[r#"
            http://127.0.0.1:PORT/v1 answered with two vectors for text 0
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
        "#]],
    );
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]},{"index":2,"embedding":[1,2]}]}"#,
        &expect![[r#"
            http://127.0.0.1:PORT/v1 answered with a vector for text 2 of 2
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
        "#]],
    );
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}"#,
        &expect![[r#"
            http://127.0.0.1:PORT/v1 answered with a vector of 1 dimensions in place of 2
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
        "#]],
    );
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,1e39]}]}"#,
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 did not answer with the JSON that was expected: number out of range at line 1 column 69
        "#]],
    );
    check(
        r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1,null]}]}"#,
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `text-embedding-3-small` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 did not answer with the JSON that was expected: invalid type: null, expected f32 at line 1 column 69
        "#]],
    );
}

fn check_refusal(status: u16, body: &str, key: Option<&str>, expected: &Expect) {
    let script = Script::new(vec![Reply::status(status, body)]);
    let options = OpenAiOptions { key: key.map(Secret::new), ..options(&script) };
    let text = shown(&embedder(options).question("why").unwrap_err(), script.port());
    assert!(!text.contains("swordfish"), "{text}");
    expected.assert_eq(&text);
    script.finish();
}

#[test]
fn ix6_refusals_say_what_to_do() {
    let check = check_refusal;
    let body = r#"{"error":{"message":"Incorrect API key provided: swordfish.","code":"invalid_api_key"}}"#;
    check(
        401,
        body,
        Some("swordfish"),
        &expect![[r#"
        127.0.0.1:PORT does not accept the key
        hint: set OPENAI_API_KEY to a valid key of 127.0.0.1:PORT
        source: http://127.0.0.1:PORT/v1 answered 401: Incorrect API key provided: [key].
    "#]],
    );
    check(
        401,
        "",
        None,
        &expect![[r#"
        127.0.0.1:PORT wants a key
        hint: set OPENAI_API_KEY
        source: http://127.0.0.1:PORT/v1 answered 401: no reason was given
    "#]],
    );
    check(
        403,
        r#"{"error":{"message":"Not in your country."}}"#,
        Some("k"),
        &expect![[r#"
            127.0.0.1:PORT does not let this key use `text-embedding-3-small`
            hint: allow the model for the key, or set OPENAI_API_KEY to another one
            source: http://127.0.0.1:PORT/v1 answered 403: Not in your country.
        "#]],
    );
    check(
        404,
        r#"{"error":{"message":"The model does not exist"}}"#,
        Some("k"),
        &expect![[r#"
            there is no model `text-embedding-3-small` at http://127.0.0.1:PORT/v1
            hint: check the name of the model and the address, which mostly ends in /v1
            source: http://127.0.0.1:PORT/v1 answered 404: The model does not exist
        "#]],
    );
    let body = r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#;
    check(
        429,
        body,
        Some("k"),
        &expect![[r#"
            the account at 127.0.0.1:PORT has no credit left
            hint: add credit, set OPENAI_API_KEY to another account's key, or use the local model
            source: http://127.0.0.1:PORT/v1 answered 429: You exceeded your quota
        "#]],
    );
}

#[test]
fn ix6_costs_are_summed_and_capped() {
    // A cent for a thousand tokens; the passage below is estimated at 100 tokens.
    let price = Some(Price { per_million: Usd::new(10.0).unwrap(), published: None });
    let text = "漢".repeat(33) + "x";
    let check = |measured: [u64; 2], cap: f64, replies: usize, expected: &Expect| {
        let all = measured.map(|tokens| answer(1, tokens));
        let script = Script::new(all.into_iter().take(replies).collect());
        let cap = Usd::new(cap);
        let embedder = embedder(OpenAiOptions { price: price.clone(), cap, ..options(&script) });
        let mut said = format!("at most {}\n", embedder.estimate(&[passage(&text)]).unwrap());
        for _ in 0..2 {
            said += &match embedder.question(&text) {
                Ok(_) => "embedded\n".to_owned(),
                Err(error) => shown(&error, script.port()),
            };
        }
        writeln!(said, "spent {}", embedder.spent().usd.unwrap()).unwrap();
        expected.assert_eq(&said);
        script.finish();
    };
    check(
        [50, 50],
        0.002,
        2,
        &expect![[r#"
        at most $0.001000
        embedded
        embedded
        spent $0.001000
    "#]],
    );
    check(
        [50, 50],
        0.0014,
        1,
        &expect![[r#"
        at most $0.001000
        embedded
        the next request for embeddings may bring the cost to $0.001500, over the cap of $0.001400; $0.000500 are spent
        hint: raise the cap, or use the local model, which costs nothing
        spent $0.000500
    "#]],
    );
    check(
        [50, 500],
        0.002,
        2,
        &expect![[r#"
        at most $0.001000
        embedded
        the embeddings cost $0.005500 so far, over the cap of $0.002000
        hint: raise the cap, or use the local model, which costs nothing
        spent $0.005500
    "#]],
    );
    check(
        [0, 0],
        0.0009,
        0,
        &expect![[r#"
        at most $0.001000
        the next request for embeddings may bring the cost to $0.001000, over the cap of $0.000900; $0.000000 are spent
        hint: raise the cap, or use the local model, which costs nothing
        the next request for embeddings may bring the cost to $0.001000, over the cap of $0.000900; $0.000000 are spent
        hint: raise the cap, or use the local model, which costs nothing
        spent $0.000000
    "#]],
    );
}

#[test]
fn ix6_an_unknown_price_is_not_zero() {
    let script = Script::new(vec![answer(1, 5)]);
    let embedder = embedder(options(&script));
    assert_eq!(embedder.estimate(&[passage("x")]), None);
    embedder.question("why").unwrap();
    let spent = embedder.spent();
    assert_eq!((spent.requests, spent.tokens, spent.usd), (1, 5, None));
    script.finish();

    let script = Script::new(Vec::new());
    let cap = Usd::new(1.0);
    let error =
        self::embedder(OpenAiOptions { cap, ..options(&script) }).question("why").unwrap_err();
    expect![[r#"
        the price of the model is not known, so the cap of $1.000000 cannot be kept
        hint: remove the cap (search.max_cents), or use a model whose price is known
    "#]]
    .assert_eq(&shown(&error, script.port()));
}

#[test]
fn ix6_tokens_are_estimated_where_the_server_does_not_count() {
    let script = Script::new(vec![Reply::ok(r#"{"data":[{"index":0,"embedding":[1,2]}]}"#)]);
    let embedder = embedder(options(&script));
    embedder.question("why not").unwrap();
    assert_eq!(embedder.spent().tokens, 3);
    script.finish();
}

#[test]
fn ix6_the_default_is_the_published_model_at_its_published_price() {
    let embedder = embedder(OpenAiOptions::default());
    assert_eq!(embedder.model(), "api.openai.com/text-embedding-3-small/1536");
    let million = "漢 ".repeat(250_000);
    // Longer than one text may be, so it is cut and costs no more than that.
    assert_eq!(embedder.estimate(&[passage(&million)]).unwrap().to_string(), "$0.000164");
}

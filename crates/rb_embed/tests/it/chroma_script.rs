//! The client against a server that says what a real one says only on a bad day.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_embed::{ChromaOptions, ChromaServer};
use rb_http::{Auth, BadSetting, Secret};
use rb_index::search::embed::EmbedError;
use rb_index::search::remote::{Filter, Record, VectorServer as _};

use crate::support::{Waits, context, shown, unhurried};
use rb_testkit::script::{Reply, Script};

const MADE: &str = r#"{"id":"11-22","name":"x","configuration_json":{"hnsw":{"space":"cosine"}}}"#;
const MADE_AGAIN: &str =
    r#"{"id":"33-44","name":"x","configuration_json":{"hnsw":{"space":"cosine"}}}"#;
const TWO_AT_A_TIME: &str = r#"{"max_batch_size":2}"#;
const GONE: &str = r#"{"error":"NotFoundError","message":"Collection [11-22] does not exist."}"#;

fn options(script: &Script) -> ChromaOptions {
    let auth =
        Auth { header: "x-chroma-token".to_owned(), prefix: "", key: Secret::new("swordfish") };
    ChromaOptions {
        url: script.url(),
        auth: Some(auth),
        ..ChromaOptions::local("repo", "model", 2)
    }
}

fn client(options: ChromaOptions) -> ChromaServer {
    ChromaServer::new(options, &unhurried(), &context(&Waits::new(), &Cancel::new())).unwrap()
}

fn records(count: usize) -> Vec<Record> {
    let record = |at: usize| Record {
        id: at.to_string(),
        file_path: String::new(),
        symbol: String::new(),
        kind: "file".to_owned(),
        dependencies: Vec::new(),
        imports: Vec::new(),
        hash: String::new(),
        embedding_vector: vec![1.0, 0.0],
        react_metadata: None,
        language: "rust".to_owned(),
        first_line: 1,
        last_line: 1,
    };
    (0..count).map(record).collect()
}

/// Each request on a line, with the ids that are in it.
fn asked(script: Script) -> String {
    let mut text = String::new();
    for seen in script.finish() {
        assert!(seen.headers.contains(&"x-chroma-token: swordfish".to_owned()), "{seen:?}");
        let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap_or_default();
        let prefix = "/api/v2/tenants/default_tenant/databases/default_database/collections";
        writeln!(text, "{} {}", seen.line.replace(prefix, "…"), body["ids"]).unwrap();
    }
    text
}

#[test]
fn ix7_records_are_sent_in_batches_of_the_server_s_own_size() {
    let script =
        Script::new([MADE, TWO_AT_A_TIME, "{}", "{}", "{}", "{}", "{}"].map(Reply::ok).into());
    let server = client(options(&script));
    server.upsert(&records(5)).unwrap();
    server.delete(&["a", "b", "c"].map(str::to_owned)).unwrap();
    expect![[r#"
        POST … null
        GET /api/v2/pre-flight-checks null
        POST …/11-22/upsert ["0","1"]
        POST …/11-22/upsert ["2","3"]
        POST …/11-22/upsert ["4"]
        POST …/11-22/delete ["a","b"]
        POST …/11-22/delete ["c"]
    "#]]
    .assert_eq(&asked(script));
}

/// What was written before the collection went is written again.
#[test]
fn ix7_a_collection_that_is_deleted_in_the_middle_gets_all_records() {
    let script = Script::new(vec![
        Reply::ok(MADE),
        Reply::ok(TWO_AT_A_TIME),
        Reply::ok("{}"),
        Reply::status(404, GONE),
        Reply::ok(MADE_AGAIN),
        Reply::ok(TWO_AT_A_TIME),
        Reply::ok("{}"),
        Reply::ok("{}"),
    ]);
    let server = client(options(&script));
    server.upsert(&records(4)).unwrap();
    expect![[r#"
        POST … null
        GET /api/v2/pre-flight-checks null
        POST …/11-22/upsert ["0","1"]
        POST …/11-22/upsert ["2","3"]
        POST … null
        GET /api/v2/pre-flight-checks null
        POST …/33-44/upsert ["0","1"]
        POST …/33-44/upsert ["2","3"]
    "#]]
    .assert_eq(&asked(script));
}

#[test]
fn ix7_a_server_that_does_not_say_its_limit_is_sent_a_usual_batch() {
    let script = Script::new(vec![
        Reply::ok(MADE),
        Reply::status(404, ""),
        Reply::ok("{}"),
        Reply::ok("{}"),
    ]);
    client(options(&script)).upsert(&records(1001)).unwrap();
    assert_eq!(asked(script).lines().count(), 4);
}

#[test]
fn ix7_batches_are_bounded_in_bytes() {
    let limit = r#"{"max_batch_size":100000}"#;
    let script = Script::new([MADE, limit, "{}", "{}", "{}"].map(Reply::ok).into());
    let mut large = records(3);
    for record in &mut large {
        record.symbol = "x".repeat(1 << 20);
    }
    client(options(&script)).upsert(&large).unwrap();
    let seen = script.finish();
    assert!(seen[2..].iter().all(|seen| seen.body.len() < 8 << 20));
}

#[test]
fn ix7_ids_are_read_page_by_page() {
    let page = |range: std::ops::Range<usize>| {
        let ids: Vec<String> = range.map(|at| format!("{at:05}")).collect();
        Reply::ok(serde_json::json!({ "ids": ids }).to_string())
    };
    // The second page begins with a record that somebody wrote before the first one's end.
    let replies =
        vec![Reply::ok(MADE), Reply::ok(TWO_AT_A_TIME), page(0..10_000), page(9_999..10_003)];
    let script = Script::new(replies);
    let ids = client(options(&script)).ids().unwrap();
    assert_eq!((ids.len(), ids[10_002].as_str()), (10_003, "10002"));
    let asked: Vec<String> = script.finish().into_iter().skip(2).map(|seen| seen.body).collect();
    expect![[r#"
        {"include":[],"limit":10000,"offset":0}
        {"include":[],"limit":10000,"offset":10000}"#]]
    .assert_eq(&asked.join("\n"));
}

/// How `standing` goes wrong after these replies.
fn check(replies: Vec<Reply>, expected: &Expect) {
    check_work(replies, |server| server.standing().map(|_| ()), expected);
}

fn check_work(
    replies: Vec<Reply>,
    work: impl Fn(&ChromaServer) -> Result<(), EmbedError>,
    expected: &Expect,
) {
    let script = Script::new(replies);
    let text = shown(&work(&client(options(&script))).unwrap_err(), script.port());
    assert!(!text.contains("swordfish"), "{text}");
    expected.assert_eq(&text);
    script.finish();
}

#[test]
fn ix7_refusals_say_what_to_do() {
    check(
        vec![Reply::status(401, r#"{"error":"swordfish is no token"}"#)],
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: give the token that the server was started with
            source: http://127.0.0.1:PORT answered 401: [key] is no token
        "#]],
    );
    check(
        vec![Reply::status(403, "")],
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: give the token that the server was started with
            source: http://127.0.0.1:PORT answered 403: no reason was given
        "#]],
    );
    check(
        vec![Reply::status(404, "not found")],
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT answered 404: not found
        "#]],
    );
    check(
        vec![Reply::ok("<html>")],
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT did not answer with the JSON that was expected: expected value at line 1 column 1
        "#]],
    );
    let old = r#"{"error":"Unimplemented","message":"The v2 API is not there"}"#;
    check(
        vec![Reply::status(410, old)],
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT answered 410: The v2 API is not there
        "#]],
    );
    check(
        vec![Reply::ok(MADE), Reply::status(400, "no checks")],
        &expect![[r#"
            the ChromaDB server cannot be used
            source: http://127.0.0.1:PORT answered 400: no checks
        "#]],
    );
}

#[test]
fn ix7_a_collection_that_is_not_ours_is_not_written_to() {
    let l2 = r#"{"id":"11","configuration_json":{"hnsw":{"space":"l2"}}}"#;
    check(
        vec![Reply::ok(l2)],
        &expect![[r#"
        the collection `rb-repo-model-c172918d49984a4fd6b4e15443864733` at http://127.0.0.1:PORT compares by `l2`, not by cosine
        hint: delete the collection, and it is made anew
    "#]],
    );
    check(
        vec![Reply::ok(r#"{"id":"11","dimension":1536}"#)],
        &expect![[r#"
        the collection `rb-repo-model-c172918d49984a4fd6b4e15443864733` at http://127.0.0.1:PORT holds vectors of 1536 dimensions, and the model has 2
        hint: delete the collection, and it is made anew
    "#]],
    );
    check(
        vec![Reply::ok(r#"{"id":"../../tenants"}"#)],
        &expect![[r#"
        the collection `rb-repo-model-c172918d49984a4fd6b4e15443864733` at http://127.0.0.1:PORT has an id that is none
        hint: delete the collection, and it is made anew
    "#]],
    );
}

#[test]
fn ix7_a_collection_that_always_disappears_is_given_up() {
    let round = || vec![Reply::ok(MADE), Reply::ok(TWO_AT_A_TIME), Reply::status(404, GONE)];
    check(
        [round(), round(), round()].into_iter().flatten().collect(),
        &expect![[r#"
        the collection `rb-repo-model-c172918d49984a4fd6b4e15443864733` at http://127.0.0.1:PORT disappears again and again
        hint: see what else deletes it
    "#]],
    );
}

#[test]
fn ix7_answers_that_do_not_fit_are_refused() {
    let opened = |last: &str| vec![Reply::ok(MADE), Reply::ok(TWO_AT_A_TIME), Reply::ok(last)];
    let nearest =
        |server: &ChromaServer| server.nearest(&[1.0, 0.0], 5, &Filter::default()).map(|_| ());
    check_work(
        opened(r#"{"ids":[],"distances":[]}"#),
        nearest,
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT did not answer with the JSON that was expected: a question without an answer
        "#]],
    );
    check_work(
        opened(r#"{"ids":[["a"]],"distances":[[]]}"#),
        nearest,
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT did not answer with the JSON that was expected: not one distance for each record
        "#]],
    );
    let vectors = |server: &ChromaServer| server.vectors(&["a".to_owned()]).map(|_| ());
    check_work(
        opened(r#"{"ids":["a"],"embeddings":null}"#),
        vectors,
        &expect![[r#"
            the ChromaDB server cannot be used
            hint: check the address: a ChromaDB server of version 1 is wanted there
            source: http://127.0.0.1:PORT did not answer with the JSON that was expected: not one vector for each record
        "#]],
    );
}

#[test]
fn ix7_odd_names_of_tenants_are_refused_at_once() {
    let script = Script::new(Vec::new());
    let check = |tenant: &str, database: &str, expected: Option<BadSetting>| {
        let (tenant, database) = (tenant.to_owned(), database.to_owned());
        let options = ChromaOptions { tenant, database, ..options(&script) };
        let context = context(&Waits::new(), &Cancel::new());
        let made = ChromaServer::new(options, &unhurried(), &context);
        assert_eq!(made.err(), expected);
    };
    check("t", "d", None);
    check("../..", "", Some(BadSetting::Name));
    check("a/b", "d", Some(BadSetting::Name));
    check("t", "d?x", Some(BadSetting::Name));
}

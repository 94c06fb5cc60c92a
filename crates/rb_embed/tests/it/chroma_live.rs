//! The client against a real `ChromaDB` server.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use rb_core::Cancel;
use rb_embed::chroma::RESTART;
use rb_embed::{ChromaOptions, ChromaServer};
use rb_http::HttpOptions;
use rb_index::search::remote::{Filter, Near, Record, VectorServer as _};
use serde_json::{Value, json};

use crate::chroma_process::Chroma;
use crate::support::{Waits, context, shown, unhurried};

fn client(chroma: &Chroma, dimensions: usize, clock: &Arc<Waits>) -> ChromaServer {
    let url = chroma.url();
    let options =
        ChromaOptions { url, ..ChromaOptions::local("example/repo", "model", dimensions) };
    let http = HttpOptions { patience: RESTART, ..unhurried() };
    ChromaServer::new(options, &http, &context(clock, &Cancel::new())).unwrap()
}

fn record(id: &str, language: &str, kind: &str, vector: &[f32]) -> Record {
    Record {
        id: id.to_owned(),
        file_path: format!("src/{id}.x"),
        symbol: id.to_owned(),
        kind: kind.to_owned(),
        dependencies: vec!["src/other.x".to_owned()],
        imports: Vec::new(),
        hash: "00".to_owned(),
        embedding_vector: vector.to_vec(),
        react_metadata: None,
        language: language.to_owned(),
        first_line: 1,
        last_line: 2,
    }
}

fn few() -> [Record; 4] {
    [
        record("a", "rust", "function", &[1.0, 0.0, 0.0]),
        record("b", "rust", "file", &[3.0, 4.0, 0.0]),
        record("c", "go", "function", &[0.0, 1.0, 0.0]),
        record("d", "go", "file", &[-1.0, 0.0, 0.0]),
    ]
}

fn lines(nearest: &[Near]) -> String {
    let line = |near: &Near| format!("{} {:.3}", near.id, near.cosine);
    nearest.iter().map(line).collect::<Vec<_>>().join(", ")
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[test]
fn ix7_records_are_written_found_filtered_and_deleted() {
    let chroma = Chroma::start();
    let server = client(&chroma, 3, &Waits::new());
    assert_eq!(server.standing().unwrap().records, 0);
    server.upsert(&few()).unwrap();
    let nearest = |languages: &[&str], kinds: &[&str], count: usize| {
        let filter = Filter { languages: strings(languages), kinds: strings(kinds) };
        lines(&server.nearest(&[2.0, 0.0, 0.0], count, &filter).unwrap())
    };
    assert_eq!(nearest(&[], &[], 9), "a 1.000, b 0.600, c 0.000, d -1.000");
    assert_eq!(nearest(&[], &[], 2), "a 1.000, b 0.600");
    assert_eq!(nearest(&["go"], &[], 9), "c 0.000, d -1.000");
    assert_eq!(nearest(&["go", "rust"], &["file"], 9), "b 0.600, d -1.000");
    assert_eq!(nearest(&["cobol"], &[], 9), "");

    assert_eq!(server.ids().unwrap(), ["a", "b", "c", "d"]);
    let vectors = server.vectors(&strings(&["d", "none", "b"])).unwrap();
    assert_eq!(
        vectors,
        [("b".to_owned(), vec![3.0, 4.0, 0.0]), ("d".to_owned(), vec![-1.0, 0.0, 0.0])]
    );

    server.upsert(&[record("a", "go", "file", &[0.0, 0.0, 1.0])]).unwrap();
    server.delete(&strings(&["c", "none"])).unwrap();
    server.delete(&[]).unwrap();
    server.upsert(&[]).unwrap();
    assert_eq!(server.standing().unwrap().records, 3);
    assert_eq!(nearest(&["go"], &[], 9), "a 0.000, d -1.000");

    // Another machine, the same collection; another model, another.
    let other = client(&chroma, 3, &Waits::new());
    assert_eq!(other.standing().unwrap(), server.standing().unwrap());
}

#[test]
fn ix7_metadata_of_the_record_before_does_not_stay() {
    let chroma = Chroma::start();
    let server = client(&chroma, 3, &Waits::new());
    let mut record = record("a", "rust", "function", &[1.0, 0.0, 0.0]);
    record.react_metadata = Some(rb_index::search::remote::ReactMetadata {
        is_component: true,
        is_server_component: Some(false),
        uses_hooks: strings(&["useState"]),
        has_suspense_boundary: false,
        is_barrel_file: true,
    });
    server.upsert(std::slice::from_ref(&record)).unwrap();
    let with_react = metadata(&chroma, &server);
    record.react_metadata = None;
    server.upsert(&[record]).unwrap();
    expect![[r#"
        {"dependencies":"[\"src/other.x\"]","file_path":"src/a.x","first_line":1,"hash":"00","imports":"[]","language":"rust","last_line":2,"react_metadata.has_suspense_boundary":false,"react_metadata.is_barrel_file":true,"react_metadata.is_component":true,"react_metadata.is_server_component":false,"react_metadata.uses_hooks":"[\"useState\"]","symbol":"a","type":"function"}
        {"dependencies":"[\"src/other.x\"]","file_path":"src/a.x","first_line":1,"hash":"00","imports":"[]","language":"rust","last_line":2,"symbol":"a","type":"function"}
    "#]].assert_eq(&format!("{with_react}\n{}\n", metadata(&chroma, &server)));
}

/// What the server has for the only record, asked without our client.
fn metadata(chroma: &Chroma, server: &ChromaServer) -> String {
    let identity = server.standing().unwrap().identity;
    let got = ask(chroma, &format!("/{identity}/get"), &json!({ "include": ["metadatas"] }));
    got["metadatas"][0].to_string()
}

fn ask(chroma: &Chroma, path: &str, body: &Value) -> Value {
    let collections = "/api/v2/tenants/default_tenant/databases/default_database/collections";
    let url = format!("{}{collections}{path}", chroma.url());
    let agent = ureq::agent();
    let mut answer = if body.is_null() {
        agent.delete(url).call().unwrap()
    } else {
        agent.post(url).header("content-type", "application/json").send(body.to_string()).unwrap()
    };
    serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
}

#[test]
fn ix7_a_restart_in_the_middle_is_waited_for() {
    let chroma = Arc::new(Mutex::new(Chroma::start()));
    let clock = Waits::new();
    let server = client(&chroma.lock().unwrap(), 3, &clock);
    server.upsert(&few()).unwrap();
    let before = server.standing().unwrap();

    let check = |work: &dyn Fn()| {
        chroma.lock().unwrap().kill();
        let (restarted, tries) = (Arc::clone(&chroma), clock.asked().len());
        let mut waits = 0;
        clock.meanwhile(move || {
            waits += 1;
            // The first wait ends before the server is back.
            if waits == 2 {
                assert!(restarted.lock().unwrap().start_again());
            }
        });
        work();
        assert_eq!(clock.asked().len(), tries + 2);
    };
    check(&|| {
        let nearest = server.nearest(&[1.0, 0.0, 0.0], 2, &Filter::default()).unwrap();
        assert_eq!(lines(&nearest), "a 1.000, b 0.600");
    });
    check(&|| server.upsert(&[record("e", "c", "file", &[0.0, 0.0, 1.0])]).unwrap());
    check(&|| server.delete(&strings(&["a"])).unwrap());
    let after = server.standing().unwrap();
    assert_eq!((after.identity, after.records), (before.identity, 4));
}

#[test]
fn ix7_a_server_that_stays_away_is_given_up_with_advice() {
    let mut chroma = Chroma::start();
    let clock = Waits::new();
    let server = client(&chroma, 3, &clock);
    server.upsert(&few()).unwrap();
    chroma.kill();
    let error = server.standing().unwrap_err();
    expect![[r#"
        the ChromaDB server cannot be used
        hint: start it with `chroma run --path FOLDER --port PORT`, or keep the vectors in the local store
        source: http://127.0.0.1:PORT cannot be reached after 9 tries: Connection refused (os error 111)
    "#]].assert_eq(&shown(&error, chroma.port()));
    assert_eq!(clock.asked().len() + 1, RESTART.tries as usize);
}

#[test]
fn ix7_a_collection_that_was_deleted_is_made_again() {
    let chroma = Chroma::start();
    let server = client(&chroma, 3, &Waits::new());
    server.upsert(&few()).unwrap();
    let before = server.standing().unwrap();
    let delete = || ask(&chroma, &format!("/{}", server.collection()), &Value::Null);
    delete();
    let after = server.standing().unwrap();
    assert_ne!(before.identity, after.identity);
    assert_eq!(after.records, 0);

    delete();
    server.upsert(&few()[..1]).unwrap();
    assert_eq!(server.ids().unwrap(), ["a"]);
    delete();
    assert_eq!(server.nearest(&[1.0, 0.0, 0.0], 5, &Filter::default()).unwrap(), []);
    delete();
    server.delete(&strings(&["a"])).unwrap();
    delete();
    assert_eq!(server.vectors(&strings(&["a"])).unwrap(), []);
}

#[test]
fn ix7_vectors_of_another_size_are_refused() {
    let chroma = Chroma::start();
    let server = client(&chroma, 3, &Waits::new());
    server.upsert(&few()).unwrap();
    let mut said = String::new();
    let mut say = |error| said += &shown(&error, chroma.port());
    say(server.upsert(&[record("e", "c", "file", &[1.0])]).unwrap_err());
    say(server.nearest(&[1.0; 4], 5, &Filter::default()).unwrap_err());
    say(server.nearest(&[f32::NAN; 3], 5, &Filter::default()).unwrap_err());
    // The same name of a model that has become another one.
    say(client(&chroma, 2, &Waits::new()).standing().unwrap_err());
    expect![[r#"
        a vector has 1 dimensions; the collection `rb-example-repo-model-0f09bed728e865c03287435efb3afc70` has 3
        a vector has 4 dimensions; the collection `rb-example-repo-model-0f09bed728e865c03287435efb3afc70` has 3
        a vector holds something other than numbers
        the collection `rb-example-repo-model-0f09bed728e865c03287435efb3afc70` at http://127.0.0.1:PORT holds vectors of 3 dimensions, and the model has 2
        hint: delete the collection, and it is made anew
    "#]].assert_eq(&said);
}

#[test]
fn ix7_a_database_that_is_not_there_is_said_so() {
    let chroma = Chroma::start();
    let (url, database) = (chroma.url(), "elsewhere".to_owned());
    let options = ChromaOptions { url, database, ..ChromaOptions::local("r", "m", 3) };
    let context = context(&Waits::new(), &Cancel::new());
    let server = ChromaServer::new(options, &unhurried(), &context).unwrap();
    expect![[r#"
        the ChromaDB server cannot be used
        hint: make the database `elsewhere` of the tenant `default_tenant`, or name another
        source: http://127.0.0.1:PORT answered 400: Database [elsewhere] does not exist
    "#]]
    .assert_eq(&shown(&server.standing().unwrap_err(), chroma.port()));
}

/// More than one request takes, by the server's own word (5,461).
#[test]
fn ix7_more_records_than_one_request_takes_are_all_written() {
    let chroma = Chroma::start();
    let server = client(&chroma, 2, &Waits::new());
    let record = |at: u16| {
        let (sin, cos) = f32::from(at).sin_cos();
        record(&format!("{at:04}"), "rust", "file", &[sin, cos])
    };
    let records: Vec<Record> = (0..6000).map(record).collect();
    let ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
    server.upsert(&records).unwrap();
    assert_eq!(server.standing().unwrap().records, ids.len());
    assert_eq!(server.ids().unwrap(), ids);
    let vectors = server.vectors(&ids).unwrap();
    assert!(vectors.iter().map(|(id, _)| id).eq(&ids));
    server.delete(&ids[..5900]).unwrap();
    assert_eq!(server.ids().unwrap(), ids[5900..]);
}

/// Random vectors are the hardest for a search graph: nothing leads to the near ones.
#[test]
fn ix7_the_nearest_are_those_that_comparing_with_all_gives() {
    const DIMENSIONS: usize = 64;
    let mut state = 1_u64;
    let mut random = || {
        // Of a linear congruential generator the high bits are good enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = u16::try_from(state >> 48).unwrap();
        f32::from(bits) / 32_768.0 - 1.0
    };
    let mut vector = || (0..DIMENSIONS).map(|_| random()).collect::<Vec<f32>>();
    let records: Vec<Record> = (0..3000)
        .map(|at| {
            let language = if at % 10 == 0 { "go" } else { "rust" };
            record(&format!("{at:04}"), language, "file", &vector())
        })
        .collect();
    let chroma = Chroma::start();
    let server = client(&chroma, DIMENSIONS, &Waits::new());
    server.upsert(&records).unwrap();
    let (mut found, mut all) = (0, 0);
    for languages in [&[][..], &["go"][..]] {
        for _ in 0..10 {
            let question = vector();
            let of_language = |record: &&Record| languages.is_empty() || record.language == "go";
            let mut exact: Vec<(f32, &str)> = records
                .iter()
                .filter(of_language)
                .map(|record| (cosine(&question, &record.embedding_vector), record.id.as_str()))
                .collect();
            exact.sort_by(|a, b| b.0.total_cmp(&a.0));
            exact.truncate(200);
            let filter = Filter { languages: strings(languages), kinds: Vec::new() };
            let nearest = server.nearest(&question, 200, &filter).unwrap();
            assert_eq!(nearest.len(), 200);
            for (near, (cosine, _)) in nearest.iter().zip(&exact) {
                assert!((near.cosine - cosine).abs() < 1e-3, "{near:?} in place of {cosine}");
            }
            all += exact.len();
            found +=
                exact.iter().filter(|(_, id)| nearest.iter().any(|near| near.id == *id)).count();
        }
    }
    assert!(found * 1000 >= all * 999, "{found} of {all}");
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

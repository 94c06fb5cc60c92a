//! What is said to the server and what it answers, in its own shapes (HTTP API, version 2).

use rb_index::search::remote::{Filter, ReactMetadata, Record};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The search graph of a collection. Wide enough that the nearest 300 of 50,000 vectors are those that
/// comparing with every one gives, but for one in a thousand; the server's own setting misses one in forty
/// of 3,000. Wider only made writing slower.
pub(super) fn configuration() -> Value {
    json!({ "hnsw": {
        "space": "cosine", "max_neighbors": 48, "ef_construction": 200, "ef_search": 2000,
    } })
}

#[derive(Debug, Deserialize)]
pub(super) struct Collection {
    pub(super) id: String,
    pub(super) dimension: Option<usize>,
    #[serde(default)]
    pub(super) configuration_json: Value,
}

impl Collection {
    /// How the server measures distances, where it says so.
    pub(super) fn space(&self) -> Option<&str> {
        let places = ["/hnsw/space", "/spann/space"];
        places.iter().find_map(|place| self.configuration_json.pointer(place)?.as_str())
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct PreFlight {
    pub(super) max_batch_size: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Got {
    pub(super) ids: Vec<String>,
    pub(super) embeddings: Option<Vec<Vec<f32>>>,
}

/// One list for each question; we ask one.
#[derive(Debug, Deserialize)]
pub(super) struct QueryResponse {
    pub(super) ids: Vec<Vec<String>>,
    pub(super) distances: Vec<Vec<f32>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Upsert<'a> {
    ids: Vec<&'a str>,
    embeddings: Vec<&'a [f32]>,
    metadatas: Vec<Value>,
}

impl<'a> Upsert<'a> {
    pub(super) fn of(records: &'a [Record]) -> Self {
        Upsert {
            ids: records.iter().map(|record| record.id.as_str()).collect(),
            embeddings: records.iter().map(|record| record.embedding_vector.as_slice()).collect(),
            metadatas: records.iter().map(metadata).collect(),
        }
    }
}

/// The server keeps flat fields only, and mixes the new ones with those of the record before: what is not
/// known is sent as null, which takes a field away. Lists are kept as JSON text, because the server's own
/// lists come back in other records once a collection was deleted (1.5.9).
fn metadata(record: &Record) -> Value {
    let react = record.react_metadata.as_ref();
    let flag = |of: fn(&ReactMetadata) -> bool| react.map(of);
    json!({
        "file_path": record.file_path,
        "symbol": record.symbol,
        "type": record.kind,
        "dependencies": list(&record.dependencies),
        "imports": list(&record.imports),
        "hash": record.hash,
        "language": record.language,
        "first_line": record.first_line,
        "last_line": record.last_line,
        "react_metadata.is_component": flag(|react| react.is_component),
        "react_metadata.is_server_component": react.and_then(|react| react.is_server_component),
        "react_metadata.uses_hooks": react.map(|react| list(&react.uses_hooks)),
        "react_metadata.has_suspense_boundary": flag(|react| react.has_suspense_boundary),
        "react_metadata.is_barrel_file": flag(|react| react.is_barrel_file),
    })
}

fn list(items: &[String]) -> String {
    json!(items).to_string()
}

/// Bytes of a record in a request, at most: no number of a vector is longer than 16 characters, none of a
/// text's bytes longer than six, and the names of the fields are the rest.
pub(super) fn size(record: &Record) -> usize {
    let texts = [
        &record.id,
        &record.file_path,
        &record.symbol,
        &record.kind,
        &record.hash,
        &record.language,
    ];
    let hooks = record.react_metadata.iter().flat_map(|react| &react.uses_hooks);
    let lists = record.dependencies.iter().chain(&record.imports).chain(hooks);
    // A text in a list is quoted twice.
    let text = texts.into_iter().map(String::len).sum::<usize>() * 6;
    let list = lists.map(|item| item.len() * 12 + 5).sum::<usize>();
    record.embedding_vector.len() * 17 + text + list + 600
}

/// What the filter lets pass, in the server's language. `None`: everything.
pub(super) fn condition(filter: &Filter) -> Option<Value> {
    let fields = [("language", &filter.languages), ("type", &filter.kinds)];
    let asked = fields.into_iter().filter(|(_, wanted)| !wanted.is_empty());
    let mut all: Vec<Value> =
        asked.map(|(field, wanted)| json!({ field: { "$in": wanted } })).collect();
    match all.len() {
        0 | 1 => all.pop(),
        _ => Some(json!({ "$and": all })),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn record() -> Record {
        Record {
            id: "src/a.ts#A".to_owned(),
            file_path: "src/a.ts".to_owned(),
            symbol: "A".to_owned(),
            kind: "function".to_owned(),
            dependencies: vec!["src/b.ts".to_owned()],
            imports: Vec::new(),
            hash: "ab".to_owned(),
            embedding_vector: vec![-1.175_494_4e-38; 3],
            react_metadata: None,
            language: "typescript".to_owned(),
            first_line: 1,
            last_line: 9,
        }
    }

    #[test]
    fn ix7_the_metadata_of_a_record_is_flat() {
        let mut with_react = record();
        with_react.react_metadata = Some(ReactMetadata {
            is_component: true,
            is_server_component: None,
            uses_hooks: vec!["useState".to_owned()],
            has_suspense_boundary: false,
            is_barrel_file: false,
        });
        let records = [record(), with_react];
        let upsert = serde_json::to_string_pretty(&Upsert::of(&records)).unwrap();
        expect![[r#"
            {
              "ids": [
                "src/a.ts#A",
                "src/a.ts#A"
              ],
              "embeddings": [
                [
                  -1.1754944e-38,
                  -1.1754944e-38,
                  -1.1754944e-38
                ],
                [
                  -1.1754944e-38,
                  -1.1754944e-38,
                  -1.1754944e-38
                ]
              ],
              "metadatas": [
                {
                  "dependencies": "[\"src/b.ts\"]",
                  "file_path": "src/a.ts",
                  "first_line": 1,
                  "hash": "ab",
                  "imports": "[]",
                  "language": "typescript",
                  "last_line": 9,
                  "react_metadata.has_suspense_boundary": null,
                  "react_metadata.is_barrel_file": null,
                  "react_metadata.is_component": null,
                  "react_metadata.is_server_component": null,
                  "react_metadata.uses_hooks": null,
                  "symbol": "A",
                  "type": "function"
                },
                {
                  "dependencies": "[\"src/b.ts\"]",
                  "file_path": "src/a.ts",
                  "first_line": 1,
                  "hash": "ab",
                  "imports": "[]",
                  "language": "typescript",
                  "last_line": 9,
                  "react_metadata.has_suspense_boundary": false,
                  "react_metadata.is_barrel_file": false,
                  "react_metadata.is_component": true,
                  "react_metadata.is_server_component": null,
                  "react_metadata.uses_hooks": "[\"useState\"]",
                  "symbol": "A",
                  "type": "function"
                }
              ]
            }"#]]
        .assert_eq(&upsert);
    }

    #[test]
    fn ix7_the_size_of_a_record_is_never_underestimated() {
        let mut hard = record();
        hard.symbol = "\u{1}".repeat(1000);
        hard.imports = vec!["\u{1}\"".repeat(500), String::new()];
        let mut wide = record();
        wide.embedding_vector = vec![f32::MIN_POSITIVE * -1.000_000_1; 1000];
        for record in [record(), hard, wide] {
            let said =
                serde_json::to_vec(&Upsert::of(std::slice::from_ref(&record))).unwrap().len();
            assert!(said <= size(&record), "{said} > {}", size(&record));
        }
    }

    #[test]
    fn ix7_filters_are_said_in_the_language_of_the_server() {
        let check = |languages: &[&str], kinds: &[&str], expected: expect_test::Expect| {
            let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            let filter = Filter { languages: owned(languages), kinds: owned(kinds) };
            expected.assert_eq(&condition(&filter).unwrap_or_default().to_string());
        };
        check(&[], &[], expect!["null"]);
        check(&["rust", "go"], &[], expect![[r#"{"language":{"$in":["rust","go"]}}"#]]);
        check(
            &["rust"],
            &["file"],
            expect![[r#"{"$and":[{"language":{"$in":["rust"]}},{"type":{"$in":["file"]}}]}"#]],
        );
    }
}

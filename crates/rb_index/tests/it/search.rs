//! What is searched, and what is found. S0's criteria for embeddings and retrieval are tests of their own, named `cycle2_…`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::{Expect, expect};
use rb_index::search::embed::{EmbedError, Embedder, Passage};
use rb_index::search::table::Local;
use rb_index::search::{Answer, Meaning, Question, Relation, Searchable, Signals};
use rb_index::{Indexed, Options};
use rb_lang::{Language, SymbolKind};
use rb_testkit::write_fixture;
use tempfile::TempDir;

use crate::support::{index, index_with};
use rb_testkit::desk::{DESK, QUESTIONS};

struct World {
    root: TempDir,
    store: TempDir,
}

impl World {
    fn new(fixture: &str) -> Self {
        let (root, store) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        write_fixture(root.path(), fixture);
        World { root, store }
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.root.path().join(path), text).unwrap();
    }

    fn index(&self) -> Indexed {
        index(self.root.path(), self.store.path())
    }

    fn index_for(&self, search: Searchable) -> Indexed {
        let options = Options { search, ..Options::default() };
        index_with(self.root.path(), self.store.path(), &options)
    }
}

fn question(text: &str) -> Question {
    Question { text: text.to_owned(), limit: 10, ..Question::default() }
}

fn ask(indexed: &Indexed, question: &Question) -> Answer {
    indexed.searcher().unwrap().ask(question, Meaning::Stored(&Local)).unwrap()
}

fn paths(answer: &Answer) -> Vec<&str> {
    answer.hits.iter().map(|hit| &*hit.path).collect()
}

fn check(question: &Question, expect: &Expect) {
    let world = World::new(DESK);
    let indexed = world.index();
    let answer = ask(&indexed, question);
    let shown = answer.hits.iter().map(|hit| {
        let symbols = hit.symbols.iter().map(|symbol| format!("{} {}", symbol.kind, symbol.name));
        format!("{}: {}", hit.path, symbols.collect::<Vec<_>>().join(", "))
    });
    expect.assert_eq(&shown.collect::<Vec<_>>().join("\n"));
}

#[test]
fn ix6_vectors_that_are_not_held_give_the_same_answers() {
    let world = World::new(DESK);
    let indexed = world.index();
    let question = question("where are sessions closed");
    let asked = |searcher: rb_index::search::Searcher<'_>| {
        let answer = searcher.ask(&question, Meaning::Stored(&Local)).unwrap();
        let vectors = searcher.records(&Local).unwrap().into_iter();
        let vectors: Vec<_> = vectors.map(|it| (it.symbol, it.embedding_vector)).collect();
        (format!("{:?}", answer.hits), vectors)
    };
    let held = asked(indexed.searcher().unwrap());
    assert!(held.1.len() > 40);
    assert_eq!(asked(indexed.searcher().unwrap().holding(0)), held);
}

#[test]
fn cycle2_ix6_embeddings_are_made_for_all_symbols() {
    let world = World::new(DESK);
    let indexed = world.index();
    let records = indexed.searcher().unwrap().records(&Local).unwrap();
    let out = TempDir::new().unwrap();
    rb_index::artifacts::write_all(&indexed, out.path()).unwrap();
    let registry = std::fs::read_to_string(out.path().join("SYMBOL_REGISTRY.json")).unwrap();
    let registry: serde_json::Value = serde_json::from_str(&registry).unwrap();
    let mut symbols = 0;
    for file in registry["files"].as_array().unwrap() {
        for symbol in file["symbols"].as_array().unwrap() {
            let (path, name) =
                (file["file_path"].as_str().unwrap(), symbol["symbol"].as_str().unwrap());
            let line = u32::try_from(symbol["lines"][0].as_u64().unwrap()).unwrap();
            let holds = |record: &&rb_index::search::remote::Record| {
                record.file_path == path
                    && record.kind != "file"
                    && (record.first_line..=record.last_line).contains(&line)
            };
            let own = records.iter().filter(holds).find(|record| record.symbol == name);
            let is_small = matches!(symbol["type"].as_str().unwrap(), "constant" | "variable");
            // A constant of a line or two is embedded with what is around it.
            let record = if is_small { own.or(records.iter().find(holds)) } else { own };
            let record = record.unwrap_or_else(|| panic!("{path} {name} has no embedding"));
            assert_eq!(record.embedding_vector.len(), 256);
            assert!(
                record.embedding_vector.iter().any(|component| *component != 0.0),
                "{path} {name}"
            );
            symbols += 1;
        }
    }
    assert!(symbols >= 40, "{symbols}");
    let files: Vec<_> = records.iter().filter(|record| record.kind == "file").collect();
    assert_eq!(files.len(), indexed.update.files, "each file has one of its own");
}

/// The fields of S0 §6.1, and no value that the fixture does not give.
#[test]
fn ix6_an_embedding_has_the_metadata_of_the_schema() {
    let world = World::new(DESK);
    let indexed = world.index();
    let records = indexed.searcher().unwrap().records(&Local).unwrap();
    let show = |path: &str, symbol: &str| {
        let record =
            records.iter().find(|record| record.file_path == path && record.symbol == symbol);
        let mut value = serde_json::to_value(record.unwrap()).unwrap();
        value["embedding_vector"] = value["embedding_vector"].as_array().unwrap().len().into();
        serde_json::to_string_pretty(&value).unwrap()
    };
    expect![[r#"
        {
          "dependencies": [
            "web/api.ts",
            "web/components/Badge.tsx"
          ],
          "embedding_vector": 256,
          "file_path": "web/components/TicketList.tsx",
          "first_line": 8,
          "hash": "6f603ad1ea7c4292f74e76f9d2fdd681733b8e5a8ccd36dfc03484b39ab99ced",
          "id": "1e81f04c225e2d29",
          "imports": [
            "react"
          ],
          "language": "tsx",
          "last_line": 23,
          "react_metadata": {
            "has_suspense_boundary": false,
            "is_barrel_file": false,
            "is_component": true,
            "is_server_component": null,
            "uses_hooks": [
              "useEffect",
              "useState"
            ]
          },
          "symbol": "TicketList",
          "type": "component"
        }"#]]
    .assert_eq(&show("web/components/TicketList.tsx", "TicketList"));
    expect![[r#"
        {
          "dependencies": [],
          "embedding_vector": 256,
          "file_path": "server/storage.py",
          "first_line": 12,
          "hash": "6a3d5a709246e218560b48271c961e969e350b380e2c0868e642b4fdd6f4c114",
          "id": "ddf0da7bbd9c2a18",
          "imports": [],
          "language": "python",
          "last_line": 23,
          "react_metadata": {
            "has_suspense_boundary": false,
            "is_barrel_file": false,
            "is_component": false,
            "is_server_component": null,
            "uses_hooks": []
          },
          "symbol": "save_attachment",
          "type": "function"
        }"#]]
    .assert_eq(&show("server/storage.py", "save_attachment"));
}

#[test]
fn cycle2_ix8_async_file_operations_are_found_with_their_similarity() {
    let world = World::new(DESK);
    let indexed = world.index();
    let answer = ask(&indexed, &question("async file operations"));
    let best = &answer.hits[0];
    assert_eq!(best.path, "worker/files.ts");
    let symbols: Vec<&str> = best.symbols.iter().map(|symbol| &*symbol.name).collect();
    assert!(symbols.contains(&"readFileAsync"), "{symbols:?}");
    for symbol in &best.symbols {
        assert!(symbol.similarity > 0.0 && symbol.similarity <= 1.0, "{symbol:?}");
    }
    let scores: Vec<f32> = answer.hits.iter().map(|hit| hit.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

/// Counts what it is asked to embed, and fails when it has done enough.
struct Counting {
    name: String,
    embedded: AtomicUsize,
    enough: AtomicUsize,
}

impl Counting {
    fn new(name: &str) -> Arc<Self> {
        let (embedded, enough) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        Arc::new(Counting { name: name.to_owned(), embedded, enough })
    }

    fn taken(&self) -> usize {
        self.embedded.swap(0, Ordering::Relaxed)
    }
}

impl Embedder for Counting {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        8
    }

    fn batch(&self) -> usize {
        3
    }

    fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError> {
        assert!(passages.len() <= self.batch());
        if self.embedded.load(Ordering::Relaxed) >= self.enough.load(Ordering::Relaxed) {
            let message = "no more".to_owned();
            return Err(EmbedError { message, hint: None, source: None });
        }
        self.embedded.fetch_add(passages.len(), Ordering::Relaxed);
        passages.iter().map(|passage| self.question(&passage.text())).collect()
    }

    fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut vector = vec![0.1; 8];
        text.bytes().for_each(|byte| vector[usize::from(byte) % 8] += 1.0);
        Ok(vector)
    }
}

#[test]
fn cycle2_ix6_an_edit_embeds_only_the_symbols_that_changed() {
    let world = World::new(DESK);
    let model = Counting::new("a");
    let index = || world.index_for(Searchable::Meaning(model.clone()));
    let all = index().update.search.embedded;
    assert_eq!(model.taken(), all);
    assert!(all > 60, "{all}");

    let path = world.root.path().join("server/storage.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("chunk_size = 65536", "chunk_size = 4096")).unwrap();
    assert_eq!(index().update.search.embedded, 1, "one function was changed");
    assert_eq!(model.taken(), 1);

    world.write("notes.md", "# Notes\n\nnothing much\n");
    assert_eq!(index().update.search.embedded, 2, "a new file: itself, and its one piece");
    std::fs::remove_file(world.root.path().join("notes.md")).unwrap();
    assert_eq!(index().update.search.embedded, 0, "nothing is embedded because a file is gone");
    std::fs::write(&path, text).unwrap();
    assert_eq!(index().update.search.embedded, 0, "what it was before is still known");
}

/// What a model has done costs money or time: it is not lost when the model fails later on.
#[test]
fn ix6_what_was_embedded_before_a_failure_is_kept() {
    let world = World::new("");
    for number in 0..100 {
        world.write(
            &format!("file_{number}.py"),
            &format!("def function_{number}():\n    return 1\n"),
        );
    }
    let model = Counting::new("a");
    let options = Options { search: Searchable::Meaning(model.clone()), ..Options::default() };
    model.enough.store(150, Ordering::Relaxed);
    let error = crate::support::try_index_with(world.root.path(), world.store.path(), &options);
    assert_eq!(error.err().unwrap().to_string(), "no more");
    let before = model.taken();
    assert!((150..160).contains(&before), "{before}");

    model.enough.store(usize::MAX, Ordering::Relaxed);
    let indexed = index_with(world.root.path(), world.store.path(), &options);
    let after = indexed.update.search.embedded;
    assert!(after < 100 && before + after >= 200, "{before} before, {after} after");
    assert_eq!(indexed.update.parsed, 0, "what was indexed is kept, too");
    let question = question("function_99");
    let answer = indexed.searcher().unwrap().ask(&question, Meaning::Stored(&*model)).unwrap();
    assert_eq!(answer.hits[0].path, "file_99.py");
}

#[test]
fn ix6_each_model_has_its_own_vectors_and_another_checkout_shares_them() {
    let world = World::new(DESK);
    let (a, b) = (Counting::new("a"), Counting::new("b"));
    let all = world.index_for(Searchable::Meaning(a.clone())).update.search.embedded;
    assert_eq!(world.index_for(Searchable::Words).update.search.files, 0);
    assert_eq!(world.index_for(Searchable::Meaning(b.clone())).update.search.embedded, all);
    assert_eq!(world.index_for(Searchable::Meaning(a.clone())).update.search.embedded, 0);
    assert_eq!((a.taken(), b.taken()), (all, all));

    let clone = TempDir::new().unwrap();
    write_fixture(clone.path(), DESK);
    let options = Options { search: Searchable::Meaning(a.clone()), ..Options::default() };
    let indexed = index_with(clone.path(), world.store.path(), &options);
    assert_eq!(indexed.update.search.embedded, 0);
    assert_eq!(a.taken(), 0);
}

/// S0: retrieval precision of 0.8 at least. Of the files that come first, how many are what was asked for?
#[test]
fn cycle2_ix8_precision_on_the_fixture_is_at_least_four_in_five() {
    let world = World::new(DESK);
    let indexed = world.index();
    let (mut first, mut asked, mut wrong) = (0, 0, Vec::new());
    for (text, wanted) in QUESTIONS {
        let answer = ask(&indexed, &question(text));
        let found = paths(&answer);
        let top = &found[..wanted.len().min(found.len())];
        let right = top.iter().filter(|path| wanted.contains(path)).count();
        (first, asked) = (first + right, asked + wanted.len());
        if right < wanted.len() {
            wrong.push(format!("{text}: {wanted:?}, found {top:?}"));
        }
    }
    assert!(10 * first >= 8 * asked, "{first} of {asked}\n{}", wrong.join("\n"));
}

#[test]
fn ix8_a_name_that_is_asked_for_exactly_comes_first() {
    for (name, path) in [
        ("save_attachment", "server/storage.py"),
        ("TicketList", "web/components/TicketList.tsx"),
        ("Backoff", "worker/retry.go"),
        ("parseDuration", "worker/time.ts"),
        ("parseDuration()", "worker/time.ts"),
        ("time.parseDuration", "worker/time.ts"),
        ("`hash_password`", "server/auth.py"),
    ] {
        let world = World::new(DESK);
        let indexed = world.index();
        let answer = ask(&indexed, &question(name));
        assert_eq!(answer.hits[0].path, path, "{name}");
        assert!(answer.hits[0].parts.exact > 0.0, "{name}");
        assert!(
            name.contains(&*answer.hits[0].symbols[0].name),
            "{name}: {:?}",
            answer.hits[0].symbols
        );
    }
}

#[test]
fn ix8_filters_leave_out_what_they_do_not_name() {
    let all = |edit: fn(&mut Question)| {
        let mut question = question("retry the ticket");
        edit(&mut question);
        question.limit = 3;
        question
    };
    check(
        &all(|question| question.languages = vec![Language::Go]),
        &expect!["worker/retry.go: function Retry, struct Backoff, method Wait"],
    );
    check(
        &all(|question| question.kinds = vec![SymbolKind::Class]),
        &expect!["server/rate_limit.py: class TokenBucket"],
    );
    check(
        &all(|question| question.paths = vec!["web".to_owned()]),
        &expect![[r#"
            web/components/TicketList.tsx: type Ticket, component TicketList
            web/api.ts: function fetchTickets, function login
            web/components/Badge.tsx: component Badge"#]],
    );
    check(&all(|question| question.paths = vec!["nowhere/**".to_owned()]), &expect![[""]]);
}

/// Tests and documentation come after the code that they are about, unless they are asked for.
#[test]
fn ix8_tests_and_docs_come_first_only_when_they_are_asked_for() {
    let world = World::new(DESK);
    let indexed = world.index();
    let best = |text: &str| ask(&indexed, &question(text)).hits[0].path.clone();
    assert_eq!(best("parse hours and minutes"), "worker/time.ts");
    assert_eq!(best("tests for parsing hours and minutes"), "worker/time.test.ts");
    assert_eq!(best("documentation of the help desk"), "README.md");
}

#[test]
fn ix8_questions_without_sense_find_nothing_and_do_no_harm() {
    let world = World::new(DESK);
    let indexed = world.index();
    for text in ["", "   ", "zzqx wwvv", "?!…", "🦀🦀", "the of and", "\u{0}\u{1b}[2J", "a"] {
        assert!(paths(&ask(&indexed, &question(text))).is_empty(), "{text:?}");
    }
    let long = "attachment ".repeat(20_000);
    assert_eq!(ask(&indexed, &question(&long)).hits[0].path, "server/storage.py");
    let many: Vec<String> = (0..500).map(|number| format!("word{number}")).collect();
    // What is asked late in a long question is found, too.
    let words = Signals { vectors: false, ..Signals::default() };
    let late = Question { signals: words, ..question(&(many.join(" ") + " attachments")) };
    assert!(paths(&ask(&indexed, &late)).contains(&"server/storage.py"));
}

#[test]
fn ix8_each_signal_can_stand_alone() {
    let world = World::new(DESK);
    let indexed = world.index();
    for (words, vectors, graph) in [(true, false, false), (false, true, false), (true, true, false)]
    {
        let signals = Signals { words, vectors, graph };
        let question = Question { signals, ..question("send an email when a ticket is assigned") };
        let answer = ask(&indexed, &question);
        assert_eq!(answer.hits[0].path, "server/notify.py", "{signals:?}");
        let parts = answer.hits[0].parts;
        assert_eq!((parts.words != 0.0, parts.meaning != 0.0), (words, vectors), "{parts:?}");
    }
}

#[test]
fn ix8_what_stands_around_a_hit_is_told_with_the_reason() {
    let world = World::new(DESK);
    let indexed = world.index();
    let answer = ask(&indexed, &Question { limit: 1, ..question("parseDuration") });
    let view = indexed.view().unwrap();
    let related = view.related(&answer.hits).unwrap();
    let shown = related.iter().map(|related| {
        let symbol = related.symbol.as_deref().unwrap_or("-");
        format!("{:?} {} {symbol}: {}", related.relation, related.path, related.reason)
    });
    expect![[r#"
        Calls worker/schedule.ts schedule: calls parseDuration
        Calls worker/time.test.ts -: calls parseDuration
        Tests worker/time.test.ts -: tests worker/time.ts: it is named after it and imports it
        ImportedBy worker/schedule.ts -: uses worker/time.ts"#]]
    .assert_eq(&shown.collect::<Vec<_>>().join("\n"));
    assert!(related.iter().any(|related| related.relation == Relation::Calls));
}

/// However the segments came about, the answers are those of a fresh index; and they stay few.
#[test]
fn ix7_many_edits_leave_few_segments_and_the_same_answers() {
    let world = World::new(DESK);
    world.index();
    for number in 0..40 {
        world.write("server/clock.py", &format!("def tick_{number}():\n    return {number}\n"));
        world.write(&format!("note-{}.md", number % 3), &format!("tick {number}\n"));
        world.index();
    }
    let segments: i64 = count(world.store.path(), "SELECT count(*) FROM segments");
    assert!(segments <= 16, "{segments}");
    let fresh = TempDir::new().unwrap();
    let anew = index(world.root.path(), fresh.path());
    for text in ["tick 39", "attachment", "retry with backoff"] {
        assert_eq!(ask(&world.index(), &question(text)), ask(&anew, &question(text)), "{text}");
    }
    let exact = |name: &str| ask(&world.index(), &question(name)).hits[0].parts.exact;
    assert!(exact("tick_39") > 0.0 && exact("tick_38") == 0.0, "what a file held before is found");
}

/// What is gone for good is forgotten, not kept for ever.
#[test]
fn ix7_what_no_checkout_has_is_let_go_in_time() {
    let world = World::new("");
    let text = |number: usize| format!("def function_{number}():\n    return 'word{number}'\n");
    for number in 0..60 {
        world.write(&format!("file_{number}.py"), &text(number));
    }
    world.index();
    let postings = "SELECT sum(length(data)) FROM postings";
    let before = count(world.store.path(), postings);
    for number in 5..60 {
        std::fs::remove_file(world.root.path().join(format!("file_{number}.py"))).unwrap();
    }
    for number in 0..70 {
        world.write("file_0.py", &text(number + 100));
        world.index();
    }
    let after = count(world.store.path(), postings);
    assert!(after < before / 2, "{before} bytes of postings became {after}");
    let found = |name: &str| ask(&world.index(), &question(name)).hits[0].parts.exact > 0.0;
    assert!(found("function_3") && found("function_169"));
    assert!(!found("function_20"));
}

fn count(store: &Path, query: &str) -> i64 {
    let connection = rusqlite::Connection::open(store.join("index.db")).unwrap();
    connection.query_row(query, [], |row| row.get(0)).unwrap()
}

//! A search whose vectors are kept by a real `ChromaDB` server finds the same, in the same order, as one that keeps them itself.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_embed::chroma::RESTART;
use rb_embed::{ChromaOptions, ChromaServer};
use rb_http::HttpOptions;
use rb_index::search::remote::VectorServer as _;
use rb_index::search::table::Local;
use rb_index::search::{Meaning, Question, Searchable, Share, Shared};
use rb_index::{Indexed, NoHistory, Options, Request, update};
use rb_testkit::write_fixture;
use tempfile::TempDir;

use crate::chroma_process::Chroma;
use crate::support::{Waits, context, unhurried};
use rb_testkit::desk::{DESK, QUESTIONS};

fn index(root: &Path, store: &Path, search: Searchable) -> Indexed {
    update(&Request {
        root,
        folder: store,
        options: &Options { search, ..Options::default() },
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })
    .unwrap()
}

fn client(chroma: &Chroma, clock: &Arc<Waits>) -> ChromaServer {
    let options = ChromaOptions { url: chroma.url(), ..ChromaOptions::local("desk", "local", 256) };
    let http = HttpOptions { patience: RESTART, ..unhurried() };
    ChromaServer::new(options, &http, &context(clock, &Cancel::new())).unwrap()
}

fn found(indexed: &Indexed, text: &str, meaning: Meaning<'_>) -> Vec<String> {
    let question = Question { text: text.to_owned(), limit: 10, ..Question::default() };
    let answer = indexed.searcher().unwrap().ask(&question, meaning).unwrap();
    answer.hits.into_iter().map(|hit| hit.path).collect()
}

#[test]
fn ix7_a_server_gives_the_ranking_of_the_embedded_store_also_across_a_restart() {
    let (root, here, there) =
        (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    write_fixture(root.path(), DESK);
    let stored = index(root.path(), here.path(), Searchable::Meaning(Arc::new(Local)));
    let shared = index(root.path(), there.path(), Searchable::Words);
    let chroma = Arc::new(Mutex::new(Chroma::start()));
    let clock = Waits::new();
    let server = client(&chroma.lock().unwrap(), &clock);
    let share = Share { server: &server, embedder: &Local };
    let sent = shared.searcher().unwrap().share(&share, &Silent).unwrap();
    assert!(sent.embedded > 60 && sent.deleted == 0, "{sent:?}");

    for (number, (text, _)) in QUESTIONS.iter().enumerate() {
        if number == QUESTIONS.len() / 2 {
            // It comes back only while the question waits for it.
            chroma.lock().unwrap().kill();
            let again = Arc::clone(&chroma);
            let mut is_away = true;
            clock.meanwhile(move || {
                if std::mem::take(&mut is_away) {
                    assert!(again.lock().unwrap().start_again());
                }
            });
        }
        let wanted = found(&stored, text, Meaning::Stored(&Local));
        assert_eq!(found(&shared, text, Meaning::Shared(&share)), wanted, "{text}");
        assert!(!wanted.is_empty(), "{text}");
    }
    assert!(!clock.asked().is_empty(), "nobody waited for the restart");
}

#[test]
fn ix7_only_what_changed_is_sent_and_what_is_gone_is_taken_away() {
    let (root, store) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write_fixture(root.path(), DESK);
    let chroma = Chroma::start();
    let server = client(&chroma, &Waits::new());
    let share = Share { server: &server, embedder: &Local };
    let sync = || {
        let indexed = index(root.path(), store.path(), Searchable::Words);
        let shared = indexed.searcher().unwrap().share(&share, &Silent).unwrap();
        (shared, server.standing().unwrap().records)
    };
    let (first, records) = sync();
    assert_eq!(first.embedded, records);
    assert_eq!(sync(), (Shared::default(), records), "nothing changed");

    let path = root.path().join("server/storage.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("chunk_size = 65536", "chunk_size = 4096")).unwrap();
    assert_eq!(sync(), (Shared { embedded: 1, deleted: 1 }, records), "one function changed");

    // Another machine that has the same files sends nothing.
    let (other, other_store) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write_fixture(other.path(), DESK);
    std::fs::copy(&path, other.path().join("server/storage.py")).unwrap();
    let indexed = index(other.path(), other_store.path(), Searchable::Words);
    assert_eq!(indexed.searcher().unwrap().share(&share, &Silent).unwrap(), Shared::default());
}

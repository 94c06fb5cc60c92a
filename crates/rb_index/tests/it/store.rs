//! The store: what is reused, what a fault costs, and who may write at the same time.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rb_core::fs::{self, Durability};
use rb_core::progress::Silent;
use rb_core::{Cancel, RepoPath};
use rb_index::artifacts::ArtifactError;
use rb_index::walk::WalkOptions;
use rb_index::{
    Activity, FileActivity, History, IndexError, Options, Request, StoreError, Together, status,
    update,
};
use rb_testkit::{Repo, write_fixture};

use crate::support::{all_it_says, index, index_with, searchable};

const SHOP: &str = r#"
//- package.json
{"name": "shop", "main": "a.js"}
//- a.js
const b = require("./b");
exports.a = () => b.b();
//- b.js
exports.b = () => 1;
//- notes.txt
nothing to parse
"#;

fn shop() -> (tempfile::TempDir, tempfile::TempDir) {
    let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_fixture(root.path(), SHOP);
    age(root.path());
    (root, folder)
}

/// Makes files look as if they had been there for long: what was written just now is always looked at again.
fn age(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(
                std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000),
            )
            .unwrap();
        }
    }
    // The change of the times is itself young; wait until the clock of the file system is past it.
    let young = root.join("clock");
    loop {
        std::fs::write(&young, "").unwrap();
        let now = rb_core::clock::now().unix_ms();
        let written = std::fs::metadata(&young).unwrap().modified().unwrap();
        let written = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
        if i64::try_from(written).unwrap() <= now && elapsed_since_changes(root, now) {
            break;
        }
        thread::yield_now();
    }
    std::fs::remove_file(&young).unwrap();
}

fn elapsed_since_changes(root: &Path, now_ms: i64) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::read_dir(root).unwrap().all(|entry| {
        let entry = entry.unwrap();
        entry.file_name() == "clock"
            || entry.metadata().unwrap().ctime() * 1000
                + entry.metadata().unwrap().ctime_nsec() / 1_000_000
                + 60
                < now_ms
    })
}

fn write(root: &Path, path: &str, text: &str) {
    fs::write(&root.join(path), text.as_bytes(), Durability::Relaxed).unwrap();
}

#[test]
fn ix9_only_what_changed_is_parsed() {
    let (root, folder) = shop();
    let first = index(root.path(), folder.path());
    assert_eq!((first.update.parsed, first.update.generation), (2, 1));
    let again = index(root.path(), folder.path());
    assert_eq!((again.update.parsed, again.update.unchanged, again.update.generation), (0, 4, 1));
    write(root.path(), "b.js", "exports.b = () => 2;\n");
    let edited = index(root.path(), folder.path());
    // Its imports are those it had, so they lead where they led.
    assert_eq!((edited.update.parsed, edited.update.relinked, edited.update.generation), (1, 0, 2));
    assert_ne!(edited.update.state, first.update.state);
    // The text of the first state is known still.
    write(root.path(), "b.js", "exports.b = () => 1;\n");
    let back = index(root.path(), folder.path());
    assert_eq!((back.update.parsed, back.update.reused), (0, 1));
    assert_eq!(back.update.state, first.update.state);
    write(root.path(), "b.js", "const p = require('./package.json');\nexports.b = () => 1;\n");
    let linked = index(root.path(), folder.path());
    assert_eq!((linked.update.parsed, linked.update.relinked), (1, 1));
}

/// Goal G8: new times, same content.
#[test]
fn ix9_another_checkout_of_the_same_content_is_not_parsed() {
    let (root, folder) = shop();
    let first = index(root.path(), folder.path());
    let clone = tempfile::tempdir().unwrap();
    write_fixture(clone.path(), SHOP);
    let second = index(clone.path(), folder.path());
    assert_eq!((second.update.parsed, second.update.reused, second.update.plain), (0, 3, 1));
    assert_eq!(second.update.state, first.update.state);
    assert_eq!(all_it_says(&first), all_it_says(&second));
}

#[test]
fn ix9_a_touched_file_is_hashed_and_not_parsed() {
    let (root, folder) = shop();
    let first = index(root.path(), folder.path());
    let text = fs::read(&root.path().join("a.js")).unwrap();
    write(root.path(), "a.js", std::str::from_utf8(&text).unwrap());
    let touched = index(root.path(), folder.path());
    assert_eq!((touched.update.parsed, touched.update.reused), (0, 0));
    assert_eq!(touched.update.generation, first.update.generation);
}

/// A change that leaves size and times as they were cannot be seen by them, so a young file is not trusted.
#[test]
fn ix9_a_file_written_in_the_moment_of_the_last_look_is_looked_at_again() {
    let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(root.path(), "a.js", "exports.a = 1;\n");
    let first = index(root.path(), folder.path());
    let path = root.path().join("a.js");
    let times = std::fs::metadata(&path).unwrap().modified().unwrap();
    // In place, so that the inode stays.
    std::fs::write(&path, "exports.b = 1;\n").unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    let second = index(root.path(), folder.path());
    assert_ne!(first.update.state, second.update.state);
}

#[test]
fn ix9_a_damaged_store_is_made_again() {
    let (root, folder) = shop();
    let good = all_it_says(&index(root.path(), folder.path()));
    let store = folder.path().join("index.db");
    let whole = fs::read(&store).unwrap();
    let damages: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"not a database at all, but long enough to be looked at as one".repeat(100),
        whole[..whole.len() / 2].to_vec(),
        whole
            .iter()
            .enumerate()
            .map(|(at, &byte)| if at > 5000 && at % 7 == 0 { !byte } else { byte })
            .collect(),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        for suffix in ["-wal", "-shm"] {
            fs::remove_file(&folder.path().join(format!("index.db{suffix}"))).unwrap();
        }
        std::fs::write(&store, damage).unwrap();
        write(root.path(), "notes.txt", &format!("damage {number}\n"));
        index(root.path(), folder.path());
        write(root.path(), "notes.txt", "nothing to parse\n");
        let after = index(root.path(), folder.path());
        let mut said = all_it_says(&after);
        assert_eq!(said.remove("overview"), good.get("overview").cloned(), "damage {number}");
    }
}

#[test]
fn ix9_a_store_of_a_newer_version_is_left_alone() {
    let (root, folder) = shop();
    index(root.path(), folder.path());
    let store = folder.path().join("index.db");
    let connection = rusqlite::Connection::open(&store).unwrap();
    connection.pragma_update(None, "user_version", 999).unwrap();
    drop(connection);
    let before = fs::read(&store).unwrap();
    let error = try_index(root.path(), folder.path()).err().unwrap();
    assert_eq!(error.to_string(), "the index was written by a newer version (999 > 2)");
    assert_eq!(fs::read(&store).unwrap(), before);
}

/// Each is something that a store must not be without; `all_it_says` reads all of it.
#[test]
fn ix9_damage_inside_the_store_is_found_out() {
    let damages = [
        "DROP TABLE facts",
        "DROP TABLE files",
        "DROP TABLE kept",
        "DROP TABLE trees",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -1",
        "UPDATE files SET hash = x'00'",
        "UPDATE files SET state = x'ff'",
        "UPDATE files SET links = x'ff'",
        "UPDATE kept SET value = x'ff' WHERE name = 'reader'",
        "UPDATE kept SET value = x'ff' WHERE name = 'state'",
        "DELETE FROM kept WHERE name = 'reader'",
        "UPDATE segments SET docs = x'ff'",
    ];
    for damage in damages {
        let (root, folder) = shop();
        let good = all_it_says(&index(root.path(), folder.path()));
        meddle(folder.path(), damage);
        write(root.path(), "b.js", "exports.b = () => 2;\n");
        index(root.path(), folder.path());
        write(root.path(), "b.js", "exports.b = () => 1;\n");
        assert_eq!(all_it_says(&index(root.path(), folder.path())), good, "{damage}");
    }
}

/// Facts are read when they are asked for; who asks is told, and can begin anew.
#[test]
fn ix9_damaged_facts_are_never_passed_over() {
    for damage in ["DELETE FROM facts", "UPDATE facts SET body = x'ff'"] {
        let (root, folder) = shop();
        let good = all_it_says(&index(root.path(), folder.path()));
        meddle(folder.path(), damage);
        let out = tempfile::tempdir().unwrap();
        let error = rb_index::artifacts::write_all(&index(root.path(), folder.path()), out.path());
        let error = error.expect_err(damage);
        assert!(matches!(error, ArtifactError::Store(StoreError::Damaged(_))), "{error:?}");
        let anew = Options { rebuild: true, ..searchable() };
        assert_eq!(all_it_says(&index_with(root.path(), folder.path(), &anew)), good, "{damage}");
    }
}

fn meddle(folder: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(folder.join("index.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// What an older version of the readers made of a text is read anew, of a newer one left alone.
#[test]
fn ix9_facts_of_other_readers_are_not_taken() {
    let (root, folder) = shop();
    index(root.path(), folder.path());
    meddle(folder.path(), "UPDATE kept SET value = x'0000' WHERE name = 'reader'");
    assert_eq!(index(root.path(), folder.path()).update.parsed, 2);
    meddle(folder.path(), "UPDATE kept SET value = x'7f7f' WHERE name = 'reader'");
    let error = try_index(root.path(), folder.path()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the index was written by a newer version, which reads code in another way"
    );
}

#[test]
fn ix9_a_checkout_that_is_gone_is_forgotten() {
    let (root, folder) = shop();
    index(root.path(), folder.path());
    for _ in 0..3 {
        let clone = tempfile::tempdir().unwrap();
        write_fixture(clone.path(), SHOP);
        index(clone.path(), folder.path());
    }
    let connection = rusqlite::Connection::open(folder.path().join("index.db")).unwrap();
    let count = |table: &str| -> i64 {
        let count = format!("SELECT count(*) FROM {table}");
        connection.query_row(&count, [], |row| row.get(0)).unwrap()
    };
    // This checkout and the last clone, which nobody has come after yet.
    assert_eq!((count("trees"), count("files")), (2, 8));
}

/// The own things of this program are no part of what it looks at.
#[test]
fn ix1_the_home_inside_a_checkout_is_left_out() {
    let (root, _) = shop();
    let home = root.path().join("tool/home");
    let walk = WalkOptions { own: Some(home.clone()), ..WalkOptions::default() };
    let options = Options { walk, ..Options::default() };
    let first = index_with(root.path(), &home.join("index"), &options);
    let second = index_with(root.path(), &home.join("index"), &options);
    assert_eq!((first.update.files, second.update.generation), (4, 1));
    assert_eq!(second.walk.skipped[0].reason.words(), "refactor-bot's own folder");
}

fn try_index(root: &Path, folder: &Path) -> Result<rb_index::Indexed, IndexError> {
    update(&Request {
        root,
        folder,
        options: &Options::default(),
        history: &rb_index::NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })
}

#[test]
fn ix9_a_place_that_cannot_be_written_costs_the_store_and_nothing_else() {
    let (root, folder) = shop();
    let kept = index(root.path(), folder.path());
    // A file where the folder should be stops root too.
    let blocked = folder.path().join("file");
    write(folder.path(), "file", "");
    let indexed = index(root.path(), &blocked.join("index"));
    assert!(indexed.update.unsaved.is_some());
    assert_eq!(all_it_says(&indexed), all_it_says(&kept));
}

#[test]
fn ix9_many_indexers_at_once_agree() {
    let (root, folder) = shop();
    let expected = all_it_says(&index(root.path(), &folder.path().join("alone")));
    let shared = folder.path().join("shared");
    thread::scope(|scope| {
        let all: Vec<_> =
            (0..6).map(|_| scope.spawn(|| all_it_says(&index(root.path(), &shared)))).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), expected);
        }
    });
}

#[test]
fn ix9_an_interrupted_index_says_so_and_keeps_what_was() {
    let (root, folder) = shop();
    index(root.path(), folder.path());
    write(root.path(), "b.js", "exports.b = () => 3;\n");
    let cancel = Cancel::new();
    cancel.cancel();
    let request = Request {
        root: root.path(),
        folder: folder.path(),
        options: &Options::default(),
        history: &rb_index::NoHistory,
        progress: &Silent,
        cancel: &cancel,
    };
    let Err(error) = update(&request) else { panic!("it went on") };
    assert_eq!(error.to_string(), "interrupted");
    assert_eq!(index(root.path(), folder.path()).update.generation, 2);
}

#[test]
fn ix9_status_tells_what_moved_since() {
    let (root, folder) = shop();
    let look = || {
        status(
            root.path(),
            folder.path(),
            &WalkOptions::default(),
            &rb_index::NoHistory,
            &Cancel::new(),
        )
        .unwrap()
    };
    assert_eq!(look().indexed, None);
    index(root.path(), folder.path());
    assert!(look().is_current(), "{:?}", look());
    write(root.path(), "c.js", "");
    write(root.path(), "a.js", "exports.a = 2;\n");
    fs::remove_file(&root.path().join("b.js")).unwrap();
    let status = look();
    let path = |name: &str| RepoPath::new(name).unwrap();
    assert_eq!(
        (status.added, status.changed, status.deleted),
        (vec![path("c.js")], vec![path("a.js")], vec![path("b.js")])
    );
}

#[test]
fn ix1_include_and_exclude_have_an_index_of_their_own() {
    let (root, folder) = shop();
    let all = index(root.path(), folder.path());
    let walk = WalkOptions {
        include: vec!["**/*.js".to_owned()],
        exclude: vec!["b.js".to_owned()],
        own: None,
    };
    let some = index_with(root.path(), folder.path(), &Options { walk, ..Options::default() });
    assert_eq!((all.update.files, some.update.files), (4, 1));
    assert_eq!(index(root.path(), folder.path()).update.unchanged, 4);
}

/// A history that counts how often it is read.
#[derive(Default)]
struct Busy(AtomicUsize);

impl History for Busy {
    fn head(&self) -> Option<String> {
        Some("abc".to_owned())
    }

    fn activity(&self, head: &str) -> Activity {
        self.0.fetch_add(1, Ordering::SeqCst);
        let path = RepoPath::new("b.js").unwrap();
        Activity {
            head: Some(head.to_owned()),
            commits: 3,
            files: vec![FileActivity { path, commits: 3, weight: 2.5 }],
        }
    }
}

#[test]
fn ix10_activity_is_part_of_the_score() {
    let repo = Repo::plain(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let indexed = update(&Request {
        root: repo.root(),
        folder: folder.path(),
        options: &Options::default(),
        history: &Busy::default(),
        progress: &Silent,
        cancel: &Cancel::new(),
    })
    .unwrap();
    let b = indexed.overview().unwrap().top.iter().find(|file| file.path == "b.js").unwrap();
    let a = indexed.overview().unwrap().top.iter().find(|file| file.path == "a.js").unwrap();
    assert!(b.importance.activity > 0.0 && a.importance.activity == 0.0);
    assert_eq!(indexed.overview().unwrap().hotspots[0].path, "b.js");
}

/// A history in which two files changed together.
struct Pair;

impl History for Pair {
    fn head(&self) -> Option<String> {
        Some("abc".to_owned())
    }

    fn activity(&self, head: &str) -> Activity {
        Activity { head: Some(head.to_owned()), ..Activity::default() }
    }

    fn recent(&self, head: &str) -> (Activity, Together) {
        let pair = ["a.js", "b.js"].map(|name| RepoPath::new(name).unwrap());
        (self.activity(head), Together::of([&pair[..], &pair[..]]))
    }
}

#[test]
fn rf3_which_files_change_together_is_kept_and_added_to_an_older_store() {
    let repo = Repo::plain(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let has_pair = || {
        let indexed = update(&Request {
            root: repo.root(),
            folder: folder.path(),
            options: &Options::default(),
            history: &Pair,
            progress: &Silent,
            cancel: &Cancel::new(),
        })
        .unwrap();
        indexed.view().unwrap().together.has("b.js", "a.js")
    };
    assert!(has_pair());
    assert!(has_pair());
    let connection = rusqlite::Connection::open(folder.path().join("index.db")).unwrap();
    let deleted = connection.execute("DELETE FROM kept WHERE name IN ('together', 'recent')", []);
    assert!(deleted.unwrap() > 1);
    drop(connection);
    assert!(has_pair());
}

#[test]
fn ix9_history_is_read_once_for_all_checkouts_of_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let busy = Busy::default();
    for _ in 0..2 {
        let clone = Repo::plain(SHOP);
        update(&Request {
            root: clone.root(),
            folder: folder.path(),
            options: &Options::default(),
            history: &busy,
            progress: &Silent,
            cancel: &Cancel::new(),
        })
        .unwrap();
    }
    assert_eq!(busy.0.load(Ordering::SeqCst), 1);
}

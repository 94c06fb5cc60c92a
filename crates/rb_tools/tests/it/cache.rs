//! No file is read twice.

use rb_core::fs;
use rb_tools::{CacheCounts, ReadCache};
use serde_json::json;

use crate::support::Fixture;

#[test]
fn as5_a_file_that_was_read_is_not_read_from_disk_again() {
    let fixture = Fixture::shop();
    let mut session = fixture.session();
    let input = json!({ "path": "lib/view.js" });
    let first = session.call("read_file", &input).unwrap();
    assert_eq!(session.toolbox.cache.counts(), CacheCounts { hits: 0, misses: 1, evictions: 0 });
    fs::remove_file(&fixture.files.root().join("lib/view.js")).unwrap();
    let second = session.call("read_file", &input).unwrap();
    assert_eq!(second.text, first.text);
    session.call("outline", &input).unwrap();
    session.call("references", &json!({ "name": "View", "path": "lib/view.js" })).unwrap();
    assert_eq!(session.toolbox.cache.counts(), CacheCounts { hits: 3, misses: 1, evictions: 0 });
}

#[test]
fn as5_what_does_not_fit_is_read_again() {
    let fixture = Fixture::shop();
    let mut session = fixture.session();
    session.toolbox.cache = ReadCache::new(600);
    for _ in 0..2 {
        for path in ["lib/view.js", "lib/app.js"] {
            session.call("read_file", &json!({ "path": path })).unwrap();
        }
    }
    let counts = session.toolbox.cache.counts();
    assert_eq!((counts.hits, counts.misses), (0, 4));
    assert!(counts.evictions >= 2, "{counts:?}");
    assert!(session.toolbox.cache.bytes() <= 600);
}

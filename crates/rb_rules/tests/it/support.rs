//! Projects from a text: `//- path` begins a file.

use std::path::Path;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::{Indexed, NoHistory, OnDisk, Options as IndexOptions, Request};
use rb_rules::engine::{Options, OverIndex};
use rb_rules::project::Project;
use rb_testkit::write_fixture;

/// Writes the files, indexes them, and hands the project to `work`.
pub(crate) fn with_project<T>(fixture: &str, work: impl FnOnce(&mut OverIndex<'_>) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("repo");
    rb_core::fs::create_dir_all(&root).expect("mkdir");
    write_fixture(&root, fixture);
    let indexed = index(&root, &folder.path().join("store"));
    let texts = OnDisk { root: &root };
    let view = indexed.view().expect("a view");
    let project = Project::of(&view, Some(&root), &texts);
    let mut world = OverIndex::new(&view, &project, &texts);
    work(&mut world)
}

pub(crate) fn options(cancel: &Cancel) -> Options<'_> {
    Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: rb_rules::Certainty::Likely,
        trust_unused: false,
        only: None,
        cancel,
        progress: &Silent,
    }
}

fn index(root: &Path, store: &Path) -> Indexed {
    rb_core::fs::create_dir_all(root).expect("mkdir");
    let request = Request {
        root,
        folder: store,
        options: &IndexOptions::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    rb_index::update(&request).expect("an index")
}

//! `check`: writes both states, indexes them, audits the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use expect_test::Expect;
use rb_audit::{Change, Finding, NoRules, Rules, audit};
use rb_core::Cancel;
use rb_core::fs::Durability;
use rb_core::progress::Silent;
use rb_index::Texts;
use rb_index::{Indexed, NoHistory, Options, Request};

struct Files(BTreeMap<String, String>);

impl Texts for Files {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|text| text.clone().into_bytes())
    }
}

/// `before` is a fixture. `edits` is another that is laid over it: a file there is as written, `//- gone PATH` deletes one.
#[track_caller]
pub(crate) fn check(before: &str, edits: &str, expected: &Expect) {
    check_with(before, edits, &NoRules, expected);
}

/// The right way to do the same: nothing is found.
#[track_caller]
pub(crate) fn silent(before: &str, edits: &str) {
    let shown = shown(&run(before, edits, &NoRules));
    assert_eq!(shown, "", "a good change is not objected to");
}

#[track_caller]
pub(crate) fn check_with(before: &str, edits: &str, rules: &dyn Rules, expected: &Expect) {
    expected.assert_eq(&shown(&run(before, edits, rules)));
}

pub(crate) fn shown(findings: &[Finding]) -> String {
    let mut out = String::new();
    for it in findings {
        let cause = it.cause.as_ref();
        let cause = cause.map_or(String::new(), |it| format!(" <- {}:{}", it.path, it.line));
        let (severity, kind) = (it.severity, it.kind.name());
        let _ = writeln!(out, "{severity:?} {kind} {}:{} {}{cause}", it.path, it.line, it.message);
    }
    out
}

fn run(before: &str, edits: &str, rules: &dyn Rules) -> Vec<Finding> {
    let old = files(before);
    let mut new = old.clone();
    for (path, text) in files(edits) {
        match path.strip_prefix("gone ") {
            Some(gone) => assert!(new.remove(gone).is_some(), "{gone} is there to be deleted"),
            None => _ = new.insert(path, text),
        }
    }
    let changes = changes(&old, &new);
    let folder = tempfile::tempdir().expect("a folder");
    let indexed = [("before", &old), ("after", &new)].map(|(name, files)| {
        let root = folder.path().join(name);
        for (path, text) in files {
            write(&root.join(path), text);
        }
        index(&root, &folder.path().join("store"))
    });
    let views = indexed.each_ref().map(|indexed| indexed.view().expect("a view"));
    audit(&views[0], &views[1], &Files(new), &changes, rules, &Cancel::new()).expect("an audit")
}

fn changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let bytes = |text: Option<&String>| text.map(|text| text.clone().into_bytes());
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |path: &String| Change {
        path: path.clone(),
        before: bytes(old.get(path)),
        after: bytes(new.get(path)),
    };
    paths.into_iter().filter(|path| old.get(*path) != new.get(*path)).map(change).collect()
}

fn write(path: &Path, text: &str) {
    rb_core::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
    rb_core::fs::write(path, text.as_bytes(), Durability::Relaxed).expect("write");
}

fn index(root: &Path, store: &Path) -> Indexed {
    rb_core::fs::create_dir_all(root).expect("mkdir");
    let request = Request {
        root,
        folder: store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    rb_index::update(&request).expect("an index")
}

fn files(fixture: &str) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut path = None;
    for line in fixture.trim_start_matches('\n').lines() {
        if let Some(header) = line.strip_prefix("//- ") {
            path = Some(header.trim().to_owned());
            files.insert(header.trim().to_owned(), String::new());
        } else {
            let path = path.as_ref().expect("a fixture begins with a `//- path` line");
            let text = files.get_mut(path).expect("it was just put in");
            text.push_str(line);
            text.push('\n');
        }
    }
    files
}

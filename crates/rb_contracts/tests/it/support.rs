//! From a fixture to the words of its contracts, and from two fixtures to the words of what changed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::Expect;
use rb_contracts::{ContractChange, Memo, Snapshot, compare};
use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::Texts;
use rb_index::{NoHistory, Options, Request, update};
use rb_testkit::write_fixture;

struct Folder {
    root: PathBuf,
    /// The files that were asked for.
    read: RefCell<BTreeSet<String>>,
}

impl Texts for Folder {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.read.borrow_mut().insert(path.to_owned());
        std::fs::read(self.root.join(path)).ok()
    }
}

pub(crate) fn of_fixture(fixture: &str) -> Snapshot {
    remembered(fixture, &Memo::default()).0
}

/// With the files that were read for it.
pub(crate) fn remembered(fixture: &str, memo: &Memo) -> (Snapshot, BTreeSet<String>) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    write_fixture(&root, fixture);
    read(&root, &folder.path().join("index"), memo)
}

fn read(root: &Path, store: &Path, memo: &Memo) -> (Snapshot, BTreeSet<String>) {
    std::fs::create_dir_all(store).unwrap();
    let options = Options::default();
    let cancel = Cancel::new();
    let request = Request {
        root,
        folder: store,
        options: &options,
        history: &NoHistory,
        progress: &Silent,
        cancel: &cancel,
    };
    let indexed = update(&request).unwrap();
    let view = indexed.view().unwrap();
    let texts = Folder { root: root.to_owned(), read: RefCell::default() };
    (memo.snapshot(&view, &texts, &cancel).unwrap(), texts.read.into_inner())
}

/// What a fixture promises.
#[track_caller]
pub(crate) fn check(fixture: &str, expected: &Expect) {
    expected.assert_eq(&words(&of_fixture(fixture)));
}

/// What the step from one fixture to another changes.
#[track_caller]
pub(crate) fn check_change(before: &str, after: &str, expected: &Expect) {
    let changes = compare(&of_fixture(before), &of_fixture(after));
    expected.assert_eq(&change_words(&changes));
}

/// The same for edits of one fixture: each is a text and what takes its place. What was read of the fixture before is used for each edit,
/// and must make no difference.
#[track_caller]
pub(crate) fn check_edits(fixture: &str, edits: &[(&str, &str)], expected: &Expect) {
    let memo = Memo::default();
    let (before, _) = remembered(fixture, &memo);
    let mut out = String::new();
    for (old, new) in edits {
        assert_eq!(fixture.matches(old).count(), 1, "`{old}` stands there once");
        let edited = fixture.replace(old, new);
        let (after, _) = remembered(&edited, &memo);
        assert_eq!(after, of_fixture(&edited), "{old} → {new}");
        let title = if new.is_empty() { format!("- {old}") } else { (*new).to_owned() };
        let _ = writeln!(out, "# {}", title.lines().next().unwrap_or_default());
        out.push_str(&change_words(&compare(&before, &after)));
    }
    expected.assert_eq(&out);
}

pub(crate) fn change_words(changes: &[ContractChange]) -> String {
    let mut out = String::new();
    for change in changes {
        let mark = if change.breaking { "!" } else { "~" };
        let (kind, at) = (change.change.name(), format!("{}:{}", change.file, change.line));
        let _ = writeln!(out, "{mark} {kind}: {} ({at})", change.words);
    }
    if out.is_empty() { "no change\n".to_owned() } else { out }
}

pub(crate) fn words(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for one in &snapshot.exports {
        let hidden = if one.hidden { " (hidden)" } else { "" };
        let at = format!("{}:{}", one.file, one.line);
        let _ = writeln!(
            out,
            "{} {} {} {}{} [{at}]{hidden}",
            one.package,
            one.entry,
            one.kind.name(),
            one.name,
            spaced(&one.signature.to_string())
        );
    }
    for alias in &snapshot.aliases {
        let _ = writeln!(
            out,
            "alias {}.{} = {}.{}",
            alias.entry, alias.name, alias.to_entry, alias.to_name
        );
    }
    for route in &snapshot.routes {
        let _ = writeln!(
            out,
            "{} {} ({} {}) [{}:{}]",
            route.method, route.path, route.framework, route.handler, route.file, route.line
        );
    }
    for schema in &snapshot.schemas {
        let _ = writeln!(out, "{} ({})", schema.file, schema.kind.name());
        for one in &schema.elements {
            let required = if one.required { ", required" } else { "" };
            let number = one.number.map(|number| format!(" = {number}")).unwrap_or_default();
            let _ =
                writeln!(out, "  {} {}: {}{number}{required}", one.kind.name(), one.name, one.ty);
        }
    }
    for flag in &snapshot.flags {
        let short = flag.short.as_ref().map(|short| format!(", {short}")).unwrap_or_default();
        let value = if flag.value { " VALUE" } else { "" };
        let required = if flag.required { " required" } else { "" };
        let default = flag.default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}{short}{value}{default}{required} of `{}` [{}:{}]",
            flag.name, flag.program, flag.file, flag.line
        );
    }
    for unread in &snapshot.unread {
        let _ = writeln!(out, "unread {}: {}", unread.file, unread.words);
    }
    out
}

fn spaced(text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() || text.starts_with(['(', ':', '<', ' ']) {
        text.to_owned()
    } else {
        format!(" {text}")
    }
}

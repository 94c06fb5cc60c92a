//! Folders whose manifests belong to nobody's build: examples, fixtures, vendored code, templates.
//!
//! A manifest there is a package only when a workspace lists it.

use std::collections::BTreeMap;

use crate::tree::{Tree, join, split};

const NAMES: [&str; 45] = [
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "external",
    "deps",
    "site-packages",
    ".venv",
    "venv",
    "examples",
    "example",
    "sample",
    "samples",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "fixtures",
    "fixture",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "__testfixtures__",
    "templates",
    "template",
    "test",
    "tests",
    "__tests__",
    "spec",
    "__mocks__",
    "e2e",
    "integration-tests",
    "cookbook",
    "tutorials",
    "fuzz",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "dist",
    "target",
    "third_parties",
    "snippets",
];

pub(crate) fn is_aside(folder: &str) -> bool {
    top(folder).is_some()
}

/// The outermost folder that is aside.
fn top(folder: &str) -> Option<String> {
    let mut at = String::new();
    for part in folder.split('/') {
        at = join(&at, part);
        // `.github/actions` and its like serve the build server.
        let is_hidden = part.starts_with('.');
        if is_hidden || NAMES.contains(&part) || part.starts_with("template-") {
            return Some(at);
        }
    }
    None
}

/// Manifests that were left out, counted by the folder that is the reason.
#[derive(Default)]
pub(crate) struct LeftOut(BTreeMap<String, usize>);

impl LeftOut {
    pub(crate) fn add(&mut self, folder: &str) {
        // Installed packages are no finding.
        if folder.split('/').any(|part| part == "node_modules") {
            return;
        }
        let reason = match top(folder) {
            Some(top) if !split(&top).1.starts_with("template-") => top,
            _ => split(folder).0.to_owned(),
        };
        *self.0.entry(reason).or_default() += 1;
    }

    pub(crate) fn tell(&self, tree: &Tree<'_>, manifest: &str) {
        const SHOWN: usize = 5;
        for (folder, count) in self.0.iter().take(SHOWN) {
            let files = if *count == 1 { "1 file".to_owned() } else { format!("{count} files") };
            tree.note(format!(
                "`{manifest}` below `{folder}/` ({files}) was left out: no workspace lists it"
            ));
        }
        if let Some(more) = self.0.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            tree.note(format!("`{manifest}` files of {more} more such folders were left out"));
        }
    }
}

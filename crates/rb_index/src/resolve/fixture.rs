//! What the tests of all ecosystems share: a tree from one string, and imports as lines of text.

use std::fmt::Write as _;

use expect_test::Expect;
use rb_lang::{Import, ImportKind, ImportedName, Language};

use super::{Resolution, Resolver, is_manifest};
use crate::tree::{Tree, TreeFile};

/// Files under `//- path` headers; `package NAME` or `main` may follow the path. The text matters for manifests only.
pub(super) fn tree_of(fixture: &str) -> Tree {
    let mut files: Vec<TreeFile> = Vec::new();
    for entry in format!("\n{}", fixture.trim_start()).split("\n//- ").skip(1) {
        let (header, text) = entry.split_once('\n').unwrap_or((entry, ""));
        let mut words = header.split(' ');
        let path = words.next().unwrap_or_default();
        let mut file = TreeFile {
            path: path.into(),
            language: Language::of(path.as_bytes(), text),
            manifest: is_manifest(path).then(|| text.into()),
            ..TreeFile::default()
        };
        while let Some(word) = words.next() {
            match word {
                "package" => file.package = words.next().map(Into::into),
                "main" => file.marks.main = true,
                other => panic!("{other} in a header"),
            }
        }
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Tree { files }
}

/// Resolves rows of `FROM: [KIND] SPECIFIER NAME…`, and compares them with their answers behind.
#[track_caller]
pub(super) fn check(fixture: &str, rows: &str, expected: &Expect) {
    let tree = tree_of(fixture);
    let resolver = Resolver::new(&tree);
    let mut answers = String::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (from, import) = row.split_once(": ").expect("FROM: IMPORT");
        let id = tree.find(from).unwrap_or_else(|| panic!("{from} is not in the fixture"));
        let answer = shown(&tree, &resolver.resolve(id, &import_of(import)));
        let _ = writeln!(answers, "{row} -> {answer}");
    }
    expected.assert_eq(&answers);
}

pub(super) fn import_of(text: &str) -> Import {
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    let kind = match first {
        "Include" => ImportKind::Include,
        "SystemInclude" => ImportKind::SystemInclude,
        "Module" => ImportKind::Module,
        "Require" => ImportKind::Require,
        _ => ImportKind::Static,
    };
    let specifier =
        if kind == ImportKind::Static { first } else { words.next().unwrap_or_default() };
    let specifier = if specifier == "''" { "" } else { specifier };
    let names = words.map(|name| ImportedName { name: name.into(), local: name.into() }).collect();
    Import { specifier: specifier.into(), kind, names, line: 1, uses: 0 }
}

fn shown(tree: &Tree, resolution: &Resolution) -> String {
    match resolution {
        Resolution::Inside(files) => {
            let paths: Vec<&str> = files.iter().map(|&id| &*tree.get(id).path).collect();
            paths.join(" ")
        }
        Resolution::External(name) => format!("external {name}"),
        Resolution::Builtin => "builtin".to_owned(),
        Resolution::Unresolved => "UNRESOLVED".to_owned(),
    }
}

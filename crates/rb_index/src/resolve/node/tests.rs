//! Each test is a tree and the answers for imports in it: `(from, specifier, answer)`.

use rb_lang::{Import, ImportKind};

use super::{NodeResolver, is_manifest};
use crate::resolve::Resolution;
use crate::tree::{Tree, TreeFile};

mod hostile;
mod packages;
mod paths;
mod tsconfig;
mod workspaces;

/// The answer is the files of the repository, or `external NAME`, `builtin`, `unresolved`.
type Row<'a> = (&'a str, &'a str, &'a str);

fn check(fixture: &str, rows: &[Row]) {
    check_kind(fixture, ImportKind::Static, rows);
}

fn check_kind(fixture: &str, kind: ImportKind, rows: &[Row]) {
    let tree = tree(fixture);
    let resolver = NodeResolver::new(&tree);
    let mut wrong = Vec::new();
    for &(from, specifier, expected) in rows {
        let id = tree.find(from).unwrap_or_else(|| panic!("`{from}` is not in the fixture"));
        let import =
            Import { specifier: specifier.into(), kind, names: Vec::new(), line: 1, uses: 0 };
        let answer = match resolver.resolve(id, &import) {
            Resolution::Inside(files) => {
                files.iter().map(|&file| &*tree.get(file).path).collect::<Vec<_>>().join(" ")
            }
            Resolution::External(name) => format!("external {name}"),
            Resolution::Builtin => "builtin".to_owned(),
            Resolution::Unresolved => "unresolved".to_owned(),
        };
        if answer != expected {
            wrong.push(format!("{from}: `{specifier}` gives {answer}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Files under `//- path` lines. One line may name several files of one text.
fn tree(fixture: &str) -> Tree {
    let mut files: Vec<TreeFile> = Vec::new();
    for entry in fixture.split("//- ").skip(1) {
        let (paths, text) = entry.split_once('\n').unwrap_or((entry, ""));
        for path in paths.split(' ') {
            let name = path.rsplit('/').next().unwrap();
            let manifest = is_manifest(name).then(|| text.into());
            files.push(TreeFile { path: path.into(), manifest, ..TreeFile::default() });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Tree { files }
}

//! Calls of small trees, through the extractors and resolvers of their languages.

mod ecma;
mod python;
mod rust;
mod siblings;

use std::fmt::Write as _;

use expect_test::Expect;
use rb_lang::extract;

use super::*;
use crate::resolve::{Resolver as Imports, is_manifest};
use crate::tree::TreeFile;

struct Memory {
    facts: Vec<Option<Arc<Facts>>>,
    resolutions: Vec<Vec<Resolution>>,
}

impl FactsSource for Memory {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        self.facts[id.0 as usize].clone()
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        &self.resolutions[id.0 as usize]
    }
}

/// Files under `//- path` headers.
fn tree_of(fixture: &str) -> (Tree, Memory) {
    let mut files: Vec<(TreeFile, Option<Arc<Facts>>)> = format!("\n{}", fixture.trim_start())
        .split("\n//- ")
        .skip(1)
        .map(|entry| {
            let (path, text) = entry.split_once('\n').unwrap_or((entry, ""));
            let language = Language::of(path.as_bytes(), text);
            let facts = language.and_then(|language| extract(language, text)).map(Arc::new);
            let package = facts.as_ref().and_then(|facts| facts.package.clone());
            let manifest = is_manifest(path).then(|| text.into());
            (
                TreeFile { path: path.into(), language, package, manifest, ..TreeFile::default() },
                facts,
            )
        })
        .collect();
    files.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    let (files, facts): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let tree = Tree { files };
    let imports = Imports::new(&tree);
    let resolutions = tree
        .ids()
        .map(|id| {
            let all = facts[id.0 as usize].iter().flat_map(|facts| &facts.imports);
            all.map(|import| imports.resolve(id, import)).collect()
        })
        .collect();
    drop(imports);
    (tree, Memory { facts, resolutions })
}

#[track_caller]
fn check(fixture: &str, expected: &Expect) {
    let (tree, memory) = tree_of(fixture);
    let graph = call_graph(&tree, &memory);
    let mut lines = String::new();
    for edge in &graph.edges {
        let _ = write!(lines, "{}:{} -> ", graph.id(&tree, edge.from), edge.line);
        let _ = match edge.to {
            Target::Symbol(node, how) => {
                write!(lines, "{} ({})", graph.id(&tree, node), how.name())
            }
            Target::External(package) => write!(lines, "external {}", graph.name(package)),
            Target::Builtin => write!(lines, "builtin"),
            Target::Unresolved(name, reason) => {
                write!(lines, "{}? {}", graph.name(name), reason.name())
            }
        };
        let _ = writeln!(
            lines,
            "{}",
            if edge.count > 1 { format!(" x{}", edge.count) } else { String::new() }
        );
    }
    let Counts { references, resolved, guessed, external, builtin, unresolved, .. } =
        graph.stats.all;
    let _ = writeln!(
        lines,
        "{references} calls: {resolved} resolved, {guessed} guessed, {external} external, {builtin} builtin, {unresolved} unresolved"
    );
    expected.assert_eq(&lines);
}

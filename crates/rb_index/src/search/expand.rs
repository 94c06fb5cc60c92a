//! From hits to what stands around them: who imports them, what they import, their tests, who calls them; each with the reason.
//!
//! Calls are looked up among the hits and the files that import them alone, so that a large repository costs no more than a
//! small one; a call that is only likely is left out.

use std::sync::Arc;

use rb_lang::Facts;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::answer::Hit;
use crate::calls::{self, FactsSource, Target};
use crate::resolve::Resolution;
use crate::store::StoreError;
use crate::test_links::{self, Why};
use crate::tree::FileId;
use crate::view::View;

/// A file or symbol beside a hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Related {
    pub path: String,
    /// The symbol that calls; none where the file as a whole is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The hit that it stands beside.
    pub of: String,
    pub relation: Relation,
    /// In words, to be read after the path.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    Calls,
    Tests,
    ImportedBy,
    Imports,
}

/// The most of each relation given for a hit: the most important ones.
const EACH: usize = 5;

impl View<'_> {
    /// What stands around the hits, in their order, the closest relation first. A file that is a hit itself is left out.
    pub fn related(&self, hits: &[Hit]) -> Result<Vec<Related>, StoreError> {
        let files: Vec<(FileId, &Hit)> =
            hits.iter().filter_map(|hit| Some((self.tree.find(&hit.path)?, hit))).collect();
        let around = Around::of(self, &files);
        let mut related = Vec::new();
        let callers = around.callers(&files)?;
        for (file, hit) in &files {
            let mut of_hit: Vec<Related> =
                callers.iter().filter(|caller| caller.of == hit.path).cloned().collect();
            of_hit.truncate(EACH);
            of_hit.extend(around.tests(*file, hit));
            of_hit.extend(around.importers(*file, hit));
            of_hit.extend(around.imports(*file, hit));
            related.extend(of_hit);
        }
        Ok(related)
    }
}

struct Around<'a> {
    view: &'a View<'a>,
    hits: FxHashSet<FileId>,
    /// Who uses whom, sorted.
    edges: Vec<(FileId, FileId)>,
    /// Whether its facts are looked at for calls.
    near: FxHashSet<FileId>,
    /// From most important to least: the place of each file.
    place: Vec<usize>,
}

impl<'a> Around<'a> {
    fn of(view: &'a View<'a>, files: &[(FileId, &Hit)]) -> Self {
        let hits: FxHashSet<FileId> = files.iter().map(|(file, _)| *file).collect();
        let edges = view.edges();
        let importers = edges.iter().filter(|(_, to)| hits.contains(to)).map(|(from, _)| *from);
        let near = importers.chain(hits.iter().copied()).collect();
        let mut place = vec![0; view.tree.files.len()];
        for (at, file) in view.by_importance().iter().enumerate() {
            place[file.0 as usize] = at;
        }
        Around { view, hits, edges, near, place }
    }

    fn path(&self, file: FileId) -> &str {
        &self.view.tree.get(file).path
    }

    /// The most important of some files, as related to a hit.
    fn best(
        &self,
        mut files: Vec<FileId>,
        hit: &Hit,
        relation: Relation,
        reason: &str,
    ) -> Vec<Related> {
        files.sort_unstable_by_key(|file| self.place[file.0 as usize]);
        self.first(files, hit, relation, |_| format!("{reason} {}", hit.path))
    }

    /// The first of some files that are no hits themselves, as related to a hit.
    fn first(
        &self,
        mut files: Vec<FileId>,
        hit: &Hit,
        relation: Relation,
        reason: impl Fn(FileId) -> String,
    ) -> Vec<Related> {
        files.retain(|file| !self.hits.contains(file));
        files.truncate(EACH);
        let related = |file: FileId| Related {
            path: self.path(file).to_owned(),
            symbol: None,
            line: None,
            of: hit.path.clone(),
            relation,
            reason: reason(file),
        };
        files.into_iter().map(related).collect()
    }

    fn importers(&self, file: FileId, hit: &Hit) -> Vec<Related> {
        let is_test = |from: FileId| test_links::is_test_path(self.path(from));
        let from = self.edges.iter().filter(|(from, to)| *to == file && !is_test(*from));
        let from = from.map(|(from, _)| *from).collect();
        self.best(from, hit, Relation::ImportedBy, "uses")
    }

    fn imports(&self, file: FileId, hit: &Hit) -> Vec<Related> {
        let from = self.edges.partition_point(|(from, _)| *from < file);
        let to = self.edges[from..].iter().take_while(|(from, _)| *from == file);
        let to = to.map(|(_, to)| *to).collect();
        self.best(to, hit, Relation::Imports, "is used by")
    }

    fn tests(&self, file: FileId, hit: &Hit) -> Vec<Related> {
        let links = test_links::link(self.view.tree, &self.edges);
        let mut links: Vec<(Why, FileId)> = links
            .into_iter()
            .filter(|link| link.source == file)
            .map(|link| (link.why, link.test))
            .collect();
        links.sort_unstable_by_key(|(why, test)| (*why, self.place[test.0 as usize]));
        let why = |test: FileId| {
            let why = links.iter().find(|(_, of)| *of == test).map_or(Why::Import, |(why, _)| *why);
            format!("tests {}: it is {}", hit.path, words(why))
        };
        let tests = links.iter().map(|(_, test)| *test).collect();
        self.first(tests, hit, Relation::Tests, why)
    }

    fn callers(&self, files: &[(FileId, &Hit)]) -> Result<Vec<Related>, StoreError> {
        let graph = calls::call_graph(self.view.tree, self);
        self.view.check()?;
        let mut callers: Vec<Related> = Vec::new();
        for edge in &graph.edges {
            let Target::Symbol(to, how) = edge.to else { continue };
            let Some((_, hit)) = files.iter().find(|(file, _)| *file == graph.file(to)) else {
                continue;
            };
            let (from, to) = (self.symbol(&graph, edge.from)?, self.symbol(&graph, to)?);
            let Some(to) = to.filter(|to| hit.symbols.iter().any(|symbol| symbol.name == *to))
            else {
                continue;
            };
            let path = self.path(graph.file(edge.from)).to_owned();
            if how.is_guess() || path == hit.path {
                continue;
            }
            callers.push(Related {
                path,
                symbol: from,
                line: Some(edge.line),
                of: hit.path.clone(),
                relation: Relation::Calls,
                reason: format!("calls {to}"),
            });
        }
        let place = |path: &str| self.view.tree.find(path).map(|file| self.place[file.0 as usize]);
        callers.sort_by_cached_key(|caller| (place(&caller.path), caller.line));
        Ok(callers)
    }

    fn symbol(
        &self,
        graph: &calls::CallGraph,
        node: calls::NodeId,
    ) -> Result<Option<String>, StoreError> {
        let Some(symbol) = graph.symbol(node) else { return Ok(None) };
        let facts = self.view.read_facts(graph.file(node))?;
        let symbol = facts.and_then(|facts| Some(facts.symbols.get(symbol as usize)?.name.clone()));
        Ok(symbol.map(String::from))
    }
}

fn words(why: Why) -> &'static str {
    match why {
        Why::NameAndImport => "named after it and imports it",
        Why::Name => "named after it",
        Why::Import => "importing it",
        Why::Folder => "in a folder named after it",
    }
}

impl FactsSource for Around<'_> {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        if self.near.contains(&id) { self.view.facts(id) } else { None }
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        self.view.resolutions(id)
    }
}

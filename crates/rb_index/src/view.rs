//! The index as others read it: files by path and rank, their facts, where their imports lead.

use std::sync::{Arc, OnceLock};

use rb_core::Sha256;
use rb_lang::{Facts, Language, Symbol};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::analysis::{self, Analysis};
use crate::calls::FactsSource;
use crate::graph::{Cycle, Graph};
use crate::history::Activity;
use crate::importance::Importance;
use crate::overview::{self, TopFile};
use crate::project::{self, React};
use crate::resolve::Resolution;
use crate::store::{FileRow, Link, Store, StoreError};
use crate::together::Together;
use crate::tree::{FileId, Tree};
use crate::trivial::Trivial;
use crate::walk::SkipReason;

/// All files of one state of a checkout, with the results over them. Facts are read from the store as they are asked for.
pub struct View<'a> {
    store: &'a Store,
    rows: &'a [FileRow],
    pub tree: &'a Tree,
    pub activity: &'a Activity,
    pub together: &'a Together,
    analysis: &'a Analysis,
    /// In the order of each file's imports.
    resolutions: &'a [Vec<Resolution>],
    /// What was wrong with facts that were asked for by a pass that cannot stop.
    damage: OnceLock<String>,
}

/// What a view is made of. It is loaded once, however many views are asked for.
pub(crate) struct Loaded {
    pub(crate) rows: Vec<FileRow>,
    pub(crate) tree: Tree,
    pub(crate) activity: Activity,
    pub(crate) together: Together,
    /// Made when the first view is asked for.
    results: OnceLock<(Analysis, Vec<Vec<Resolution>>)>,
}

impl Loaded {
    pub(crate) fn new(
        rows: Vec<FileRow>,
        tree: Tree,
        activity: Activity,
        together: Together,
    ) -> Loaded {
        Loaded { rows, tree, activity, together, results: OnceLock::new() }
    }
}

/// A file, as the index knows it.
#[derive(Debug, Clone)]
pub struct FileView<'a> {
    pub path: &'a str,
    pub language: Option<Language>,
    pub size: u64,
    pub lines: u32,
    pub symbols: u32,
    pub complexity: u32,
    pub worst_complexity: u32,
    pub syntax_errors: u32,
    pub hash: Option<Sha256>,
    pub encoding: Option<&'a str>,
    pub skipped: Option<&'a SkipReason>,
    pub trivial: Option<&'a Trivial>,
    pub importance: Importance,
    pub used_by: u32,
    pub commits: u32,
}

/// An import that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnresolvedImport {
    pub path: String,
    pub line: u32,
    pub specifier: String,
}

impl<'a> View<'a> {
    pub(crate) fn new(store: &'a Store, loaded: &'a Loaded) -> Self {
        let Loaded { rows, tree, activity, together, results } = loaded;
        let make = || (Analysis::of(rows, tree, activity), resolutions(rows));
        let (analysis, resolutions) = results.get_or_init(make);
        let damage = OnceLock::new();
        View { store, rows, tree, activity, together, analysis, resolutions, damage }
    }

    pub fn file(&self, id: FileId) -> FileView<'_> {
        let at = id.0 as usize;
        let row = &self.rows[at];
        FileView {
            path: &self.tree.get(id).path,
            language: row.state.language,
            size: row.state.size,
            lines: row.state.lines,
            symbols: row.state.symbols,
            complexity: row.state.complexity.0,
            worst_complexity: row.state.complexity.1,
            syntax_errors: row.state.syntax_errors,
            hash: row.hash,
            encoding: row.state.encoding.as_deref(),
            skipped: row.state.skipped.as_ref(),
            trivial: row.state.trivial.as_ref(),
            importance: self.analysis.importance[at],
            used_by: self.analysis.used_by[at],
            commits: self.activity.of(&row.path).map_or(0, |active| active.commits),
        }
    }

    /// Every file, most important first.
    pub fn by_importance(&self) -> &[FileId] {
        &self.analysis.order
    }

    /// The most important files that somebody here wrote, so many at most.
    pub fn top(&self, count: usize) -> Vec<TopFile> {
        overview::top(self.rows, self.tree, self.analysis, count)
    }

    /// Who uses whom.
    pub fn edges(&self) -> Vec<(FileId, FileId)> {
        self.analysis.edges()
    }

    /// Who brings in whom while loading, sorted; types, deferred imports and siblings bring in nothing then.
    pub fn loading_edges(&self) -> Vec<(FileId, FileId)> {
        analysis::loading_first(self.rows)
    }

    pub fn graph(&self) -> &Graph {
        &self.analysis.graph
    }

    /// Which packages use React, and which files hold server components.
    pub fn react(&self) -> React {
        project::react(self.tree, &analysis::loading(self.rows))
    }

    /// Groups of files that import each other while loading, the largest first.
    pub fn cycles(&self) -> &[Cycle] {
        &self.analysis.cycles
    }

    /// Files that are not read or not taken for important, with the reason, sorted by path.
    pub fn set_aside(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.rows.iter().filter_map(|row| Some((row.path.to_string(), row.state.set_aside()?)))
    }

    /// Files that somebody here wrote and that could be read only in part, sorted by path.
    pub fn broken(&self) -> impl Iterator<Item = &str> {
        let files = self.rows.iter().zip(&self.tree.files);
        files.filter(|(row, _)| overview::is_broken(row)).map(|(_, file)| &*file.path)
    }

    /// The files of the repository and the packages from outside that a file imports, both sorted.
    pub fn uses(&self, id: FileId) -> (Vec<&str>, Vec<&str>) {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for resolution in &self.resolutions[id.0 as usize] {
            match resolution {
                Resolution::Inside(files) => {
                    inside.extend(files.iter().map(|&file| &*self.tree.get(file).path));
                }
                Resolution::External(name) => outside.push(&**name),
                Resolution::Builtin | Resolution::Unresolved => {}
            }
        }
        for list in [&mut inside, &mut outside] {
            list.sort_unstable();
            list.dedup();
        }
        (inside, outside)
    }

    /// Every import that leads nowhere, by file and line; those of vendored and generated files are not asked for.
    pub fn unresolved(&self) -> Result<Vec<UnresolvedImport>, StoreError> {
        let mut unresolved = Vec::new();
        for (row, id) in self.rows.iter().zip(self.tree.ids()) {
            if row.state.is_foreign() || !row.links.imports.contains(&Link::Unresolved) {
                continue;
            }
            let Some(facts) = self.read_facts(id)? else { continue };
            let lost = facts.imports.iter().zip(&row.links.imports);
            unresolved.extend(lost.filter(|(_, link)| **link == Link::Unresolved).map(
                |(import, _)| UnresolvedImport {
                    path: row.path.to_string(),
                    line: import.line,
                    specifier: import.specifier.to_string(),
                },
            ));
        }
        Ok(unresolved)
    }

    /// Whether all facts could be read that `FactsSource` was asked for.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.damage.get().map_or(Ok(()), |damage| Err(StoreError::Damaged(damage.clone())))
    }

    /// What a file holds; `None` for one that is not read.
    pub fn read_facts(&self, id: FileId) -> Result<Option<Facts>, StoreError> {
        let row = &self.rows[id.0 as usize];
        match row.facts {
            Some(facts) if row.state.language.is_some_and(Language::is_read) => {
                self.store.facts(facts).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What a file declares, without the rest of its facts: cheaper for whoever looks through all files.
    pub fn read_symbols(&self, id: FileId) -> Result<Vec<Symbol>, StoreError> {
        self.store.symbols_of(&self.rows[id.0 as usize])
    }
}

impl FactsSource for View<'_> {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        match self.read_facts(id) {
            Ok(facts) => facts.map(Arc::new),
            Err(error) => {
                let _ = self.damage.set(error.to_string());
                None
            }
        }
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        &self.resolutions[id.0 as usize]
    }
}

fn resolutions(rows: &[FileRow]) -> Vec<Vec<Resolution>> {
    let place: FxHashMap<i64, u32> = rows.iter().map(|row| row.id).zip(0..).collect();
    let resolution = |link: &Link| match link {
        Link::Inside(rows) => {
            let mut files: Vec<FileId> =
                rows.iter().filter_map(|row| Some(FileId(*place.get(row)?))).collect();
            files.sort_unstable();
            Resolution::Inside(files)
        }
        Link::External(name) => Resolution::External(name.clone()),
        Link::Builtin => Resolution::Builtin,
        Link::Unresolved => Resolution::Unresolved,
    };
    rows.iter().map(|row| row.links.imports.iter().map(resolution).collect()).collect()
}

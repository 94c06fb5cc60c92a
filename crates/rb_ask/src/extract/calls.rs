//! Who calls whom around a few files: the calls of these files, of those that use them and of those that they use.
//!
//! The call graph of a whole repository is never made for one question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_index::calls::{self, FactsSource, call_graph};
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};
use rb_lang::Facts;
use rb_tools::ToolError;

use crate::extract::sources::Sources;
use crate::extract::topic::SymbolAt;

/// The most files whose calls are looked at; the most important ones are taken.
const MOST: usize = 200;

/// Calls, in the order of the text for each caller.
pub(crate) struct Calls {
    steps: Vec<Step>,
}

/// All calls of the same thing by the same symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// The file, and the symbol in it; none for the top level.
    pub(crate) from: (FileId, Option<u32>),
    pub(crate) to: Target,
    /// Of the first call.
    pub(crate) line: u32,
    /// The receiver is not known; only one method near it has the name.
    pub(crate) is_guess: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Symbol(SymbolAt),
    /// A package from elsewhere, by name.
    Package(String),
}

impl Calls {
    pub(crate) fn around(
        sources: &mut Sources<'_, '_>,
        files: &[FileId],
    ) -> Result<Calls, ToolError> {
        let mut facts = BTreeMap::new();
        for file in near(sources, files) {
            if let Some(of_file) = sources.facts(file)? {
                facts.insert(file, of_file);
            }
        }
        let graph = call_graph(sources.view.tree, &Near { view: &sources.view, facts });
        let mut steps = Vec::new();
        for edge in &graph.edges {
            let from = (graph.file(edge.from), graph.symbol(edge.from));
            let (to, is_guess) = match edge.to {
                calls::Target::Symbol(to, how) => {
                    let Some(symbol) = graph.symbol(to) else { continue };
                    (Target::Symbol(SymbolAt { file: graph.file(to), symbol }), how.is_guess())
                }
                calls::Target::External(name) => {
                    (Target::Package(graph.name(name).to_owned()), false)
                }
                calls::Target::Builtin | calls::Target::Unresolved(..) => continue,
            };
            let is_to = matches!(&to, Target::Symbol(at) if files.contains(&at.file));
            if is_to || files.contains(&from.0) {
                steps.push(Step { from, to, line: edge.line, is_guess });
            }
        }
        Ok(Calls { steps })
    }

    /// What a symbol calls, in the order of the text.
    pub(crate) fn callees_of(&self, at: SymbolAt) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.from == (at.file, Some(at.symbol)))
    }

    /// Who calls a symbol.
    pub(crate) fn callers_of(&self, at: SymbolAt) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.to == Target::Symbol(at))
    }
}

/// The files, those that use them and those that they use, so many at most.
fn near(sources: &Sources<'_, '_>, files: &[FileId]) -> BTreeSet<FileId> {
    let mut others: Vec<FileId> = Vec::new();
    for (from, to) in &sources.edges {
        if files.contains(to) {
            others.push(*from);
        }
        if files.contains(from) {
            others.push(*to);
        }
    }
    others.sort_by_key(|file| sources.rank(*file));
    others.dedup();
    files.iter().copied().chain(others.into_iter().take(MOST)).collect()
}

struct Near<'v> {
    view: &'v View<'v>,
    facts: BTreeMap<FileId, Arc<Facts>>,
}

impl FactsSource for Near<'_> {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        self.facts.get(&id).cloned()
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        self.view.resolutions(id)
    }
}

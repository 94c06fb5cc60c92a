//! In which order files are shown: search proposes, and what the question names and its calls reach moves up.

use std::collections::BTreeMap;

use rb_index::FileId;
use rb_index::role::Role;

use crate::extract::calls::{Calls, Target};
use crate::extract::sources::Sources;
use crate::extract::topic::{SymbolAt, TopicFile};

/// What a file named by its path is worth.
const NAMED_PATH: f64 = 3.0;
/// What a file is worth that declares the first symbol that the question names; the next ones are worth half, a third, …
const DECLARES: f64 = 1.5;
/// The n-th file of search is worth this much by n + 1.
const FOUND: f64 = 1.0;
/// What a file is worth that a named symbol calls, and one that calls it.
const CALLED: f64 = 0.2;
const CALLS: f64 = 0.1;

/// Why a file answers, besides what search says.
pub(crate) struct Reasons<'a> {
    pub(crate) paths: &'a [FileId],
    pub(crate) named: &'a [SymbolAt],
    pub(crate) calls: &'a Calls,
}

impl Reasons<'_> {
    /// The files that the question names, by path or by a symbol, and those that a named symbol calls.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        let named = self.named.iter().map(|at| at.file);
        self.paths.iter().copied().chain(named).chain(self.called().map(|at| at.file))
    }

    /// What the named symbols call.
    pub(crate) fn called(&self) -> impl Iterator<Item = SymbolAt> {
        let steps = self.named.iter().flat_map(|at| self.calls.callees_of(*at));
        steps.filter_map(|step| match &step.to {
            Target::Symbol(at) => Some(*at),
            Target::Package(_) => None,
        })
    }

    pub(crate) fn any(&self, file: FileId) -> bool {
        self.files().any(|of| of == file)
    }

    fn worth(&self) -> BTreeMap<FileId, f64> {
        let mut worth: BTreeMap<FileId, f64> = BTreeMap::new();
        for &file in self.paths {
            *worth.entry(file).or_default() += NAMED_PATH;
        }
        let mut place = 0.0;
        for at in self.named {
            place += 1.0;
            *worth.entry(at.file).or_default() += DECLARES / place;
        }
        let mut reached: BTreeMap<FileId, f64> = BTreeMap::new();
        for &at in self.named {
            for step in self.calls.callees_of(at) {
                if let Target::Symbol(to) = &step.to {
                    reached.insert(to.file, CALLED);
                }
            }
            for step in self.calls.callers_of(at) {
                reached.entry(step.from.0).or_insert(CALLS);
            }
        }
        for (file, reached) in reached {
            *worth.entry(file).or_default() += reached;
        }
        worth
    }
}

/// Sorts files, which come in the order of search, and those that search did not find after them.
pub(crate) fn sort(sources: &Sources<'_, '_>, files: &mut Vec<TopicFile>, reasons: &Reasons<'_>) {
    let worth = reasons.worth();
    let mut place = 0.0;
    let mut scored: Vec<(u8, f64, usize, TopicFile)> = Vec::new();
    for file in files.drain(..) {
        let is_found = !file.matched.is_empty() || !file.lines.is_empty();
        let found = if is_found { FOUND / (1.0 + place) } else { 0.0 };
        let class = class(sources, file.file, reasons);
        if is_found && class == 0 {
            place += 1.0;
        }
        let score = found + worth.get(&file.file).copied().unwrap_or_default();
        scored.push((class, score, sources.rank(file.file), file));
    }
    scored.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    files.extend(scored.into_iter().map(|(.., file)| file));
}

/// 0 for what the question is about, and for the product's code; then what stands around it.
fn class(sources: &Sources<'_, '_>, file: FileId, reasons: &Reasons<'_>) -> u8 {
    if reasons.paths.contains(&file) || reasons.named.iter().any(|at| at.file == file) {
        return 0;
    }
    let known = sources.view.file(file);
    let is_code = known.language.is_some_and(rb_lang::Language::is_read);
    match Role::of(known.path) {
        Role::Product if is_code => 0,
        Role::Product | Role::Tooling => 1,
        Role::Test => 2,
        Role::Docs | Role::Example => 3,
        Role::Vendored => 4,
    }
}

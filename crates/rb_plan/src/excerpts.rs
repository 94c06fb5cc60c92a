//! Where the directive's names and words stand in the files of a model's tasks, and the text of the lines that have a name.
//!
//! These lines are text of the repository, unlike all of the brief: `excerpts` gives them by themselves, and who puts them into a
//! prompt has to fence them.

use std::collections::BTreeSet;

use rb_core::{Proposer, at_most};
use rb_index::FileId;

use crate::batch_terms::line;
use crate::brief::name;
use crate::input::PlanInput;
use crate::plan::Plan;
use crate::repo_facts::text;
use crate::terms::{self, Matches, Terms};

/// The most lines, those of one file, and characters of one.
const MOST: usize = 40;
const OF_ONE: usize = 3;
const LONGEST: usize = 120;

/// A file that a model would change.
pub(crate) struct MatchedFile<'p> {
    pub(crate) path: &'p str,
    pub(crate) id: FileId,
    /// The lines that have what the directive is about.
    pub(crate) lines: Vec<u32>,
    /// `src/config.rs:47: pub null_separator: bool,`
    excerpts: Vec<String>,
}

/// The first lines of each file that have a name which the directive writes out, one below the other: the text is not ours.
pub fn excerpts(input: &PlanInput<'_>, plan: &Plan) -> String {
    let files = matched_files(input, plan);
    let lines: Vec<String> = files.into_iter().flat_map(|it| it.excerpts).collect();
    at_most(MOST, lines.into_iter()).join("\n")
}

/// The files of the tasks by a model, in order.
pub(crate) fn matched_files<'p>(input: &PlanInput<'_>, plan: &'p Plan) -> Vec<MatchedFile<'p>> {
    let by_model = plan.tasks.iter().filter(|it| it.by == Proposer::Model);
    let paths: BTreeSet<&str> = by_model.flat_map(|it| &it.files).map(text).collect();
    let terms = input.directive.map(Terms::of);
    let (mut files, mut matches) = (Vec::new(), Vec::new());
    for path in paths {
        let Some(id) = input.view.tree.find(path) else { continue };
        let source = terms.as_ref().and_then(|_| input.source(id)).unwrap_or_default();
        let found = terms.as_ref().map(|it| it.matches(&source)).unwrap_or_default();
        let excerpts = shown(path, &source, &found);
        files.push(MatchedFile { path, id, lines: Vec::new(), excerpts });
        matches.push(found);
    }
    for (file, lines) in files.iter_mut().zip(terms::lines(&matches)) {
        file.lines = lines;
    }
    files
}

fn shown(path: &str, source: &str, found: &Matches) -> Vec<String> {
    let lines = source.lines().zip(1..);
    let with_names = lines.filter(|(_, number)| found.lines_with_names.contains(number));
    let shown = with_names.take(OF_ONE);
    shown.map(|(text, at)| format!("{}:{at}: {}", name(path), line(text, LONGEST))).collect()
}

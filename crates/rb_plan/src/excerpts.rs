//! Where the directive's names and words stand in the files of a model's tasks, and the text of the lines that have a name.
//!
//! These lines are text of the repository, unlike all of the brief: `excerpts` gives them by themselves, and who puts them into a
//! prompt has to fence them.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Proposer, at_most, plural};
use rb_index::FileId;
use rb_lang::{Symbol, SymbolKind};

use crate::batch_terms::line;
use crate::brief::{cut, name};
use crate::input::PlanInput;
use crate::names::Names;
use crate::peers::identifier_lines;
use crate::plan::Plan;
use crate::repo_facts::text;
use crate::terms::{self, Matches, Terms};

/// The most lines, those of one file, those of one word that stands beside a name, and characters of one.
const MOST: usize = 40;
const OF_ONE: usize = 6;
const OF_PEER: usize = 2;
const LONGEST: usize = 120;
/// The same with the lines behind an open bracket, and how many of them are looked at.
const LONGEST_WITH_REST: usize = 200;
const LINES_BEHIND: usize = 2;
/// A declaration of more lines is not shown whole, and neither are more declarations than these.
const LINES_OF_DECLARATION: u32 = 60;
const DECLARATIONS: usize = 3;

/// A file that a model would change.
pub(crate) struct MatchedFile<'p> {
    pub(crate) path: &'p str,
    pub(crate) id: FileId,
    /// The lines that have what the directive is about.
    pub(crate) lines: Vec<u32>,
    /// `src/config.rs:47: pub null_separator: bool,`
    excerpts: Vec<String>,
    /// The text of each function that has one of the names.
    declared: Vec<String>,
}

/// The first lines of each file that have a name which the directive writes out, one below the other, and what of these names is
/// declared there: the text is not ours.
pub fn excerpts(input: &PlanInput<'_>, plan: &Plan) -> String {
    let files = matched_files(input, plan);
    let lines: Vec<String> = files.iter().flat_map(|it| it.excerpts.iter().cloned()).collect();
    let mut parts = at_most(MOST, lines.into_iter());
    let declared: Vec<&String> = files.iter().flat_map(|it| &it.declared).collect();
    if declared.len() <= DECLARATIONS {
        parts.extend(declared.into_iter().cloned());
    }
    parts.join("\n")
}

/// The files of the tasks by a model, in order.
pub(crate) fn matched_files<'p>(input: &PlanInput<'_>, plan: &'p Plan) -> Vec<MatchedFile<'p>> {
    let by_model = plan.tasks.iter().filter(|it| it.by == Proposer::Model);
    let paths: BTreeSet<&str> = by_model.flat_map(|it| &it.files).map(text).collect();
    let terms = input.directive.map(Terms::of);
    let all_peers = input.directive.map(|it| Names::of(it).peers).unwrap_or_default();
    let (mut files, mut matches) = (Vec::new(), Vec::new());
    for path in paths {
        let Some(id) = input.view.tree.find(path) else { continue };
        let source = terms.as_ref().and_then(|_| input.source(id)).unwrap_or_default();
        let found = terms.as_ref().map(|it| it.matches(&source)).unwrap_or_default();
        let peers = if found.names.is_empty() {
            BTreeMap::new()
        } else {
            identifier_lines(&all_peers, input.view.file(id).language, &source)
        };
        let symbols = named_symbols(input, id, &found);
        let excerpts = shown(path, &source, &found, &symbols, &peers);
        let lines = peers.into_values().flatten().collect();
        let declared = declared(path, &source, &symbols);
        files.push(MatchedFile { path, id, lines, excerpts, declared });
        matches.push(found);
    }
    for (file, lines) in files.iter_mut().zip(terms::lines(&matches)) {
        file.lines.extend(lines);
        file.lines.sort_unstable();
        file.lines.dedup();
    }
    files
}

/// What of the names is declared in a file.
fn named_symbols(input: &PlanInput<'_>, id: FileId, found: &Matches) -> Vec<Symbol> {
    if found.names.is_empty() {
        return Vec::new();
    }
    let mut symbols = input.view.read_symbols(id).unwrap_or_default();
    symbols.retain(|it| found.names.contains(&*it.name));
    symbols
}

/// The first lines with a name, those of declarations before others, and the first of each word that stands beside a name.
fn shown(
    path: &str,
    source: &str,
    found: &Matches,
    symbols: &[Symbol],
    peers: &BTreeMap<&str, Vec<u32>>,
) -> Vec<String> {
    let declares = |line: u32| symbols.iter().any(|it| it.span.first_line == line);
    let mut with_names = found.lines_with_names.clone();
    with_names.sort_by_key(|line| (!declares(*line), *line));
    with_names.truncate(OF_ONE);
    let with_peers = peers.values().flat_map(|it| it.iter().take(OF_PEER));
    let numbers: BTreeSet<u32> = with_names.iter().chain(with_peers).copied().collect();
    let lines: Vec<&str> = source.lines().collect();
    let text = |at: u32| with_rest(lines.get(at as usize - 1..).unwrap_or_default());
    let mut shown: Vec<String> =
        numbers.iter().map(|at| format!("{}:{at}: {}", name(path), text(*at))).collect();
    let more = found.lines_with_names.iter().filter(|it| !numbers.contains(it)).count();
    if more > 0 {
        shown.push(format!("{}: {}", name(path), plural(more, "more line")));
    }
    shown
}

/// The first line, with those behind it while it ends in an open bracket: `raise Error(` says little without its text.
fn with_rest(lines: &[&str]) -> String {
    let is_open = |it: &&&str| it.trim_end().ends_with(['(', '[', '{']);
    let is_block = |it: &str| it.trim_end().ends_with('{');
    let Some((first, rest)) = lines.split_first() else { return String::new() };
    if is_block(first) || !is_open(&first) {
        return line(first, LONGEST);
    }
    let open = 1 + rest.iter().take(LINES_BEHIND).take_while(|it| is_open(it)).count();
    let text: Vec<&str> = rest.iter().take(open).map(|it| it.trim()).collect();
    line(&format!("{}{}", first.trim_end(), text.join("")), LONGEST_WITH_REST)
}

/// The functions among the symbols, whole.
fn declared(path: &str, source: &str, symbols: &[Symbol]) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let whole = |it: &Symbol| {
        let (first, last) = (it.span.first_line, it.span.last_line);
        let is_short = last.saturating_sub(first) < LINES_OF_DECLARATION;
        let text = lines.get(first.checked_sub(1)? as usize..last as usize).filter(|_| is_short)?;
        let text: Vec<String> = text.iter().map(|it| cut(it, LONGEST)).collect();
        Some(format!("{}:{first}-{last}:\n{}", name(path), text.join("\n")))
    };
    let is_function = |it: &&Symbol| matches!(it.kind, SymbolKind::Function | SymbolKind::Method);
    symbols.iter().filter(is_function).filter_map(whole).collect()
}

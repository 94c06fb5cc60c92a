//! What a planner model is told of a repository and of the first plan.
//!
//! Only our own words, paths and names of symbols: no line of a file, no comment, no message of the project is in it, so that
//! nothing here can speak to the model but we. The size is bounded; what is left out is counted. The lines of files that a model is
//! to see are in `excerpts`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rb_core::{Proposer, Task, VerifierLevel, at_most, plural};
use rb_index::{FileId, Overview};
use rb_lang::Facts;

use crate::excerpts::{MatchedFile, matched_files};
use crate::input::PlanInput;
use crate::make::most_tasks;
use crate::plan::Plan;
use crate::repo_facts::{scope_glob, text};
use crate::smells::Kind;

/// Characters of the whole.
const MOST: usize = 30_000;
/// Characters of the parts.
const DIRECTIVE: usize = 4_000;
const TASKS: usize = 15_000;
const OUTLINES: usize = 5_000;
const LEFT: usize = 4_000;
const LIST: usize = 2_000;
/// Files of one task that are named.
const FILES: usize = 25;
/// Names and paths that are said of one file.
const NAMES: usize = 8;
/// Lines of one file that are named.
const LINES: usize = 5;
/// Lines that have what the directive is about, and notes of one task.
const MATCHED: usize = 12;
const NOTES: usize = 40;
const LONGEST_NAME: usize = 300;
const LONGEST_NOTE: usize = 1_000;

/// The summary that a planner model is given: directive, limits, the repository, the first plan, what was left.
pub fn brief(input: &PlanInput<'_>, plan: &Plan) -> String {
    written(input, plan).0
}

/// How many tasks of the plan, from the first, the model was shown.
pub(crate) fn shown_tasks(input: &PlanInput<'_>, plan: &Plan) -> usize {
    written(input, plan).1
}

fn written(input: &PlanInput<'_>, plan: &Plan) -> (String, usize) {
    let mut out = String::new();
    match input.directive {
        Some(directive) => {
            part(&mut out, "What is wanted", &cut(directive.trim(), DIRECTIVE));
        }
        None => part(&mut out, "What is wanted", "The whole repository, in small safe steps."),
    }
    part(&mut out, "Limits", &limits(input, plan));
    part(&mut out, "The repository", &repository(input.overview, plan));
    let tasks: Vec<String> = plan.tasks.iter().map(|it| task(input, it, plan)).collect();
    let (tasks, shown) = list(&tasks, TASKS);
    part(&mut out, "First plan", if tasks.is_empty() { "No task." } else { &tasks });
    part(&mut out, "Files of the batches by a model", &list(&files(input, plan), OUTLINES).0);
    let left: Vec<String> = left(plan);
    part(&mut out, "Found and in no task", &list(&left, LEFT).0);
    // With a directive, only what it is about is of interest.
    let own: BTreeSet<&str> = plan.tasks.iter().flat_map(|it| &it.files).map(text).collect();
    let is_of_interest = |path: &str| input.directive.is_none() || own.contains(path);
    let hot = input.overview.hotspots.iter().filter(|it| is_of_interest(&it.path)).map(|it| {
        let (commits, worst) = (plural(it.commits as usize, "commit"), it.worst_complexity);
        format!("{}: {commits}, worst complexity {worst}, used by {}\n", name(&it.path), it.used_by)
    });
    part(&mut out, "Hotspots", &list(&hot.collect::<Vec<_>>(), LIST).0);
    let largest = input.overview.cycles.largest.iter();
    let cycles = largest.filter(|it| it.example.iter().any(|it| is_of_interest(it))).map(|it| {
        let way: Vec<String> = it.example.iter().take(8).map(|it| name(it)).collect();
        format!(
            "{}: {}\n",
            plural(usize::try_from(it.files).unwrap_or(usize::MAX), "file"),
            way.join(" -> ")
        )
    });
    part(&mut out, "Import cycles", &list(&cycles.collect::<Vec<_>>(), LIST).0);
    (cut(&out, MOST), shown)
}

pub(crate) fn part(out: &mut String, title: &str, body: &str) {
    if !body.trim().is_empty() {
        writeln!(out, "## {title}\n{}\n", body.trim_end()).expect("a string takes it");
    }
}

fn limits(input: &PlanInput<'_>, plan: &Plan) -> String {
    let api = match (input.allow_public_api_changes, input.directive) {
        (true, _) => "may change",
        (false, Some(_)) => "must stay as it is, but for what the directive asks for",
        (false, None) => "must stay as it is",
    };
    format!(
        "At most {} batches. At most {} changed lines in a batch. The public API {api}. A batch may contain only files \
         named here, and a new file in one of their folders if it says that it creates one.",
        most_tasks(input, &plan.tasks),
        input.limits.diff_budget
    )
}

fn repository(overview: &Overview, plan: &Plan) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("a string takes it");
    let totals = &overview.totals;
    line(format!(
        "{} files, {} source files, {} lines",
        totals.files, totals.source_files, totals.lines
    ));
    let languages = overview.languages.iter().take(8);
    let languages: Vec<String> =
        languages.map(|it| format!("{} ({} files)", it.language.name(), it.files)).collect();
    line(format!("languages: {}", languages.join(", ")));
    let packages = overview.packages.iter().map(|it| it.name.as_str());
    let packages: Vec<&str> = packages.filter(|it| is_package_name(it)).take(20).collect();
    if !packages.is_empty() {
        line(format!("uses: {}", packages.join(", ")));
    }
    let entries = overview.architecture.entry_points.iter().take(12);
    let entries: Vec<String> = entries.map(|it| name(&it.path)).collect();
    if !entries.is_empty() {
        line(format!("entry points: {}", entries.join(", ")));
    }
    line(tests(overview));
    if plan.is_react_project {
        let rules = cut(&plan.active_rules.join(", "), LIST);
        let rules = if rules.is_empty() { "none".to_owned() } else { rules };
        line(format!("a React project; active rules: {rules}"));
    }
    out
}

/// Tests that run the program import none of its files, which says nothing about what they reach.
fn tests(overview: &Overview) -> String {
    let tests = &overview.tests;
    let files = plural(usize::try_from(tests.files).unwrap_or(usize::MAX), "file");
    let sources = tests.source_files;
    match (tests.files, tests.tested) {
        (0, _) => "tests: no test files".to_owned(),
        (_, 0) => {
            format!("tests: {files}; none imports a source file: they may run the whole program")
        }
        (_, tested) => format!("tests: {files}; linked to {tested} of {sources} source files"),
    }
}

fn is_package_name(name: &str) -> bool {
    name.len() <= 80
        && !name.starts_with('/')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "@/._-".contains(c))
}

fn task(input: &PlanInput<'_>, task: &Task, plan: &Plan) -> String {
    let level = match task.verifier_level {
        VerifierLevel::Fast => "fast",
        VerifierLevel::Full => "full",
    };
    let budget =
        task.diff_budget_loc.map_or_else(|| "as the limit".to_owned(), |it| it.to_string());
    let computed = match plan.prepared.get(&task.id) {
        Some(it) => format!(", computed: +{} -{} lines", it.added, it.removed),
        None => String::new(),
    };
    let needs: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
    let needs =
        if needs.is_empty() { String::new() } else { format!(", after {}", needs.join(", ")) };
    // A model's batch is kept with the files that the answer repeats, so that all of them are named.
    let by_model = task.by == Proposer::Model;
    let most = if by_model { task.files.len() } else { FILES };
    let files: Vec<String> = task.files.iter().take(most).map(|it| name(text(it))).collect();
    let more = task.files.len().saturating_sub(files.len());
    let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
    let said = if by_model { for_its_model(input, task) } else { String::new() };
    format!(
        "{} [{}] by {}, risk {}, budget {budget}, {level}{computed}{needs}\n  goal: {}\n  files: {}{more}\n{said}",
        task.id,
        task.stage.title(),
        name(&task.by.words()),
        task.risk_score,
        name(&task.goal),
        files.join(", ")
    )
}

/// The documents that a batch may change, the files that it may create, and its notes.
fn for_its_model(input: &PlanInput<'_>, task: &Task) -> String {
    let own: BTreeSet<String> = task.files.iter().map(|it| scope_glob(text(it))).collect();
    let others = task.scope_globs.iter().filter(|it| !own.contains(*it));
    let others = others.map(|it| it.trim_start_matches('/'));
    let (known, new): (Vec<&str>, Vec<&str>) =
        others.partition(|it| input.view.tree.find(it).is_some());
    let mut out = String::new();
    for (words, paths) in [("may also change", known), ("may create", new)] {
        if !paths.is_empty() {
            let paths: Vec<String> = paths.into_iter().map(name).collect();
            writeln!(out, "  {words}: {}", paths.join(", ")).expect("a string takes it");
        }
    }
    for note in at_most(NOTES, task.notes.iter().cloned()) {
        writeln!(out, "  note: {}", plain(&note, LONGEST_NOTE)).expect("a string takes it");
    }
    out
}

/// What is in the files that a model would change, where the words of the directive stand, and who uses them: names, paths and
/// numbers alone.
fn files(input: &PlanInput<'_>, plan: &Plan) -> Vec<String> {
    let view = input.view;
    let edges = view.edges();
    let path = |id: FileId| name(&view.tree.get(id).path);
    let files = matched_files(input, plan).into_iter();
    files
        .map(|MatchedFile { path: of, id, lines, .. }| {
            let size = plural(view.file(id).lines as usize, "line");
            let mut line = format!("{}: {size}{}", name(of), matched(&lines));
            let mut add = |words: &str, all: Vec<String>| {
                if !all.is_empty() {
                    let more = all.len().saturating_sub(NAMES);
                    let more =
                        if more > 0 { format!(" … and {more} more") } else { String::new() };
                    let all: Vec<String> = all.into_iter().take(NAMES).collect();
                    write!(line, "; {words} {}{more}", all.join(", ")).expect("a string takes it");
                }
            };
            let facts = view.read_facts(id).ok().flatten();
            add("exports", facts.as_ref().map(exports).unwrap_or_default());
            add("imports", edges.iter().filter(|it| it.0 == id).map(|it| path(it.1)).collect());
            add("used by", edges.iter().filter(|it| it.1 == id).map(|it| path(it.0)).collect());
            line.push('\n');
            line
        })
        .collect()
}

/// "; 7 lines match: 3, 8, 12"
fn matched(lines: &[u32]) -> String {
    let all = at_most(MATCHED, lines.iter().map(ToString::to_string)).join(", ");
    match lines.len() {
        0 => String::new(),
        1 => format!("; 1 line matches: {all}"),
        many => format!("; {many} lines match: {all}"),
    }
}

/// The names that a file gives to others: those that it lists, or what others can name where the language has no lists.
fn exports(facts: &Facts) -> Vec<String> {
    let listed = facts.exports.iter().map(|it| &*it.name);
    let outer = facts.symbols.iter().filter(|it| it.exported && it.parent.is_none());
    let outer = outer.filter(|_| facts.exports.is_empty()).map(|it| &*it.name);
    let names: BTreeSet<&str> = listed.chain(outer).filter(|it| is_symbol(it)).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// A name that can be nothing but a name.
pub(crate) fn is_symbol(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    (1..=60).contains(&name.chars().count()) && name.chars().all(is_part)
}

/// What a model could do, in our words, the gravest kind first; of the rest the places alone.
fn left(plan: &Plan) -> Vec<String> {
    const KINDS: [Kind; 4] = [Kind::Hotspot, Kind::Cycle, Kind::Duplicate, Kind::Long];
    let mut entries: Vec<String> = Vec::new();
    for kind in KINDS {
        let of_kind = plan.leftovers.iter().filter(|it| it.found_by == kind.name());
        entries.extend(
            of_kind.map(|it| {
                format!("{}: {}; {}\n", it.found_by, name(&it.what), name(&it.suggestion))
            }),
        );
    }
    let mut places: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
    for it in plan.leftovers.iter().filter(|it| !it.is_candidate()) {
        if !KINDS.iter().any(|kind| kind.name() == it.found_by) {
            places.entry((&it.found_by, &it.path)).or_default().push(it.line);
        }
    }
    for ((found_by, path), lines) in places {
        let named: Vec<String> = lines.iter().take(LINES).map(ToString::to_string).collect();
        let more = lines.len().saturating_sub(LINES);
        let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
        entries.push(format!(
            "{}: {}, line {}{more}\n",
            name(found_by),
            name(path),
            named.join(", ")
        ));
    }
    entries
}

/// As many entries as fit, and how many these are.
pub(crate) fn list(entries: &[String], most: usize) -> (String, usize) {
    let mut out = String::new();
    let mut size = 0;
    for (at, entry) in entries.iter().enumerate() {
        size += entry.chars().count();
        if size > most {
            writeln!(out, "… and {} more", entries.len() - at).expect("a string takes it");
            return (out, at);
        }
        out.push_str(entry);
    }
    (out, entries.len())
}

/// A name on one line, whatever is in it.
pub(crate) fn name(text: &str) -> String {
    plain(text, LONGEST_NAME)
}

fn plain(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    cut(&plain, most)
}

pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let mut short: String = text.chars().take(most - 1).collect();
            short.push('…');
            short
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_lists_are_cut_and_say_so() {
        let entries: Vec<String> = (0..10).map(|at| format!("entry {at}\n")).collect();
        assert_eq!(list(&entries, 1_000).1, 10);
        let (text, shown) = list(&entries, 25);
        assert_eq!((text.as_str(), shown), ("entry 0\nentry 1\nentry 2\n… and 7 more\n", 3));
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("äbcd", 3), "äb…");
        assert_eq!(name("a\nb\u{1b}[0m"), "a\u{fffd}b\u{fffd}[0m");
    }
}

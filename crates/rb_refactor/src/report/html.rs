//! `report.html`: the run on one page that needs nothing else. It opens from the disk, in dark and in light, and prints.
//!
//! It draws steps, charts and diffs with the functions of the page of `serve`. It has no script, and its policy forbids any: whatever a
//! path, a goal, a diff or a test is called, it stays text. All foreign text passes `Page::text`.

mod charts;
mod parts;
mod tables;

use rb_core::plural;
use rb_core::{RunId, Verdict};
use rb_html::Page;
use rb_html::diff::{Budget, Layout};

use super::change_view::{ChangeView, write_change};
use super::facts::{Facts, TaskFacts};
use super::leftovers::Leftovers;
use super::markdown::target;
use super::risk;
use super::suites::Tests;
use super::words::{duration, size, title, verdict};
use crate::event::Outcome;
use parts::{heading, link};

/// Nothing is loaded from anywhere, no script runs, no form is sent.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

pub(crate) fn text(facts: &Facts) -> String {
    let tests = Tests::of(facts);
    let mut page = Page::new();
    head(&mut page, facts);
    page.raw("<body>\n<main>\n");
    header(&mut page, facts, &tests);
    charts::steps(&mut page, facts);
    tables::tasks(&mut page, facts);
    tables::files(&mut page, facts);
    diffs(&mut page, facts);
    charts::charts(&mut page, facts, &tests);
    tables::suites(&mut page, facts, &tests);
    tables::audit(&mut page, facts);
    tables::left(&mut page, &Leftovers::of(facts), &facts.history.state.course.notes);
    tables::said(&mut page, facts);
    tables::metrics(&mut page, facts);
    tables::models(&mut page, facts);
    footer(&mut page, facts);
    page.raw("</main>\n</body>\n</html>\n");
    page.done()
}

fn head(page: &mut Page, facts: &Facts) {
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.open("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
    page.raw("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.element("title", "", &title(facts));
    page.raw("\n<style>\n");
    page.raw(rb_html::STYLE);
    page.raw(rb_html::DIFF_STYLE);
    page.raw(LAYOUT_STYLE);
    page.raw("</style>\n</head>\n");
}

fn header(page: &mut Page, facts: &Facts, tests: &Tests) {
    let history = &facts.history;
    page.raw("<header>\n");
    let (class, words) = mood(facts);
    page.element("span", &format!("badge {class}"), words);
    page.element("h1", "", &title(facts));
    page.raw("<p>");
    page.text(&verdict(facts, tests));
    page.raw("</p>\n");
    if let Some(reason) = &history.state.aborted {
        page.raw("<p class=\"bad\">");
        page.text(&format!("Stopped early: {reason}"));
        page.raw("</p>\n");
    }
    if let Some(directive) = &history.state.started.orders.directive {
        page.raw("<p class=\"soft\">Directive: ");
        page.text(directive);
        page.raw("</p>\n");
    }
    page.raw("<p class=\"soft\">Run ");
    page.element("code", "", history.state.started.run.as_str());
    page.raw(" on ");
    page.element("code", "", &history.state.started.repo.display().to_string());
    page.raw("</p>\n");
    tiles(page, facts, tests);
    page.raw("</header>\n");
}

/// How the whole came out: a class of the style sheet, and the word for it.
fn mood(facts: &Facts) -> (&'static str, &'static str) {
    if facts.history.state.aborted.is_some() {
        return ("bad", "stopped early");
    }
    match (facts.verdict(), facts.files.is_empty()) {
        (Verdict::Fail, _) => ("bad", "fail"),
        (Verdict::Pass | Verdict::NoVerifierRan, true) => ("open", "no change"),
        (Verdict::Pass, false) => ("good", "pass"),
        (Verdict::NoVerifierRan, false) => ("open", "no tests were run"),
    }
}

fn tiles(page: &mut Page, facts: &Facts, tests: &Tests) {
    let (added, removed) = facts.size();
    let files = facts.files_by_confidence().first().map(|file| file.confidence.score);
    let tasks = facts.tasks_by_confidence();
    let tasks = tasks.first().and_then(|task| Some(task.confidence.as_ref()?.score));
    let lowest = files.into_iter().chain(tasks).min();
    let side = |side: Option<&super::suites::Side>| match side {
        Some(side) if side.has_tests() => {
            format!("{} of {}", side.passed, side.passed + side.failed)
        }
        Some(_) => "no tests run".to_owned(),
        None => "not run".to_owned(),
    };
    let tiles = [
        (format!("{} of {}", facts.standing().count(), facts.tasks.len()), "tasks with a change"),
        (facts.files.len().to_string(), "files changed"),
        (size(added, removed), "lines"),
        (side(tests.baseline.as_ref()), "tests passed before"),
        (side(tests.after.as_ref()), "tests passed after"),
        (lowest.map_or("none".to_owned(), |score| format!("{score} of 100")), "lowest confidence"),
        (risk::assess(facts).level.words().to_owned(), "risk"),
        (duration(facts.history.worked_ms), "run time"),
    ];
    page.raw("<ul class=\"tiles\">\n");
    for (value, what) in tiles {
        page.raw("<li>");
        page.element("b", "", &value);
        page.element("span", "", what);
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
}

/// Lines of all diffs together, and of one task. Each is there in both layouts.
const LINES: usize = 4000;
const LINES_OF_TASK: usize = 600;

/// Shows one of the layouts, without a script.
const LAYOUT_STYLE: &str = "
.layouts { display: flex; gap: var(--space-4); margin: 0 0 var(--space-3); padding: 0; border: 0; font-size: var(--text-s); }
.layouts legend { float: left; margin-right: var(--space-3); color: var(--soft); }
.layouts input { accent-color: var(--accent); }
body:has(#side-by-side:checked) .as-unified, body:not(:has(#side-by-side:checked)) .as-split { display: none; }
details.task > summary { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); align-items: baseline; }
details.task > summary b { flex: 1 1 18rem; font-weight: 550; }
@media print { .layouts { display: none; } }
";

const LAYOUTS: [(Layout, &str); 2] =
    [(Layout::Unified, "as-unified"), (Layout::SideBySide, "as-split")];

/// The least sure first, as on the page of `serve`.
fn diffs(page: &mut Page, facts: &Facts) {
    let standing = facts.tasks_by_confidence();
    if standing.is_empty() {
        return;
    }
    heading(page, "Diffs by task, lowest confidence first");
    page.raw("<fieldset class=\"layouts\"><legend>Layout</legend>");
    page.raw(
        "<label><input type=\"radio\" name=\"layout\" id=\"unified\" checked> Unified</label>",
    );
    page.raw("<label><input type=\"radio\" name=\"layout\" id=\"side-by-side\"> Side by side</label></fieldset>\n");
    let mut left = LINES;
    for task in standing {
        let Some(entry) = task.entry() else { continue };
        page.raw("<details class=\"task\">\n<summary>");
        page.element("code", "", &task.id().to_string());
        page.raw(" ");
        page.element("b", "", &task.history.task.title());
        page.raw(" ");
        let files = plural(entry.touched_files.len(), "file");
        let words = format!("{files}, {}", size(entry.added, entry.removed));
        page.element("span", "soft", &words);
        if let Some(confidence) = &task.confidence {
            page.raw(" <span title=\"Confidence, from 0 to 100\">");
            page.bar(confidence.score);
            page.raw("</span>");
        }
        page.raw("</summary>\n<div>\n");
        left -= diff(page, task, left.min(LINES_OF_TASK));
        page.raw("<p class=\"soft\">The whole patch: ");
        let patch = super::validation::task_patch(task.id());
        link(page, &patch, &patch);
        page.raw("</p>\n</div>\n</details>\n");
    }
}

/// The files of a task with the findings at their lines; the number of lines shown.
fn diff(page: &mut Page, task: &TaskFacts, lines: usize) -> usize {
    let patch = task.patch.as_deref().unwrap_or_default();
    let findings = task.examination.as_ref().map_or(&[][..], |looked| &looked.findings);
    let whole = target(&super::validation::task_patch(task.id()));
    let mut shown = 0;
    for (layout, class) in LAYOUTS {
        let mut budget = Budget { lines, lines_per_file: lines };
        let anchor = match layout {
            Layout::Unified => task.id().to_string(),
            Layout::SideBySide => format!("{}-split", task.id()),
        };
        page.open("div", &[("class", class)]);
        let view = ChangeView { layout, anchor: &anchor, patch: Some(&whole) };
        write_change(page, patch, findings, view, &mut budget);
        page.raw("</div>\n");
        shown = lines - budget.lines;
    }
    shown
}

fn footer(page: &mut Page, facts: &Facts) {
    page.raw("<footer>\n<p>Next to this page: ");
    let mut names = vec!["pr-summary.md", "validation-report.json", "agent-log.json"];
    if !facts.files.is_empty() {
        names.extend(["diffs/", "tasks/"]);
    }
    for (at, name) in names.into_iter().enumerate() {
        page.raw(if at == 0 { "" } else { ", " });
        link(page, name, name);
    }
    page.raw(".");
    if !facts.files.is_empty() {
        decision(page, facts);
    }
    page.raw("</p>\n</footer>\n");
}

/// How to decide on the change and how to undo it, or what was decided.
fn decision(page: &mut Page, facts: &Facts) {
    let state = &facts.history.state;
    let run = &state.started.run;
    match state.course.outcome {
        None if state.started.orders.dry_run => {}
        None => {
            command(page, " To decide: ", "accept", run);
            command(page, " or ", "reject", run);
            command(page, "; to undo: ", "rollback", run);
            page.raw(".");
        }
        Some(Outcome::Accepted) => {
            command(page, " The change is in your checkout. To undo: ", "rollback", run);
            page.raw(".");
        }
        Some(Outcome::BranchKept) => {
            page.raw(" The change is on the branch ");
            page.element("code", "", &run.branch());
            page.raw(".");
        }
        Some(Outcome::Rejected) => page.raw(" The change was rejected and removed."),
        Some(Outcome::RolledBack) => {
            page.raw(" The change was rolled back: it is no longer in your checkout.");
        }
        Some(_) => {}
    }
}

fn command(page: &mut Page, words: &'static str, name: &str, run: &RunId) {
    page.raw(words);
    page.element("code", "", &format!("refactor-bot {name} {run}"));
}

#[cfg(test)]
mod tests;

//! The changes of a run, judged diff by diff: the least sure first, with the findings at their lines and the decisions beside them.
//!
//! The page renders the first diffs itself and the others when they are opened, so that hundreds of tasks stay usable. Without a script
//! the same places are links.

mod change;
mod decisions;
mod side;
mod ticket;

use rb_core::{RunId, plural};
use rb_flow::{RunDir, Workflow as _, journal};
use rb_html::Page;
use rb_html::diff::{Budget, Layout};
use rb_refactor::{Refactor, State, TaskChange};
use rb_ticket::workflow::Ticketing;

use crate::layout::{Frame, Tab};
use crate::pages::run::RunView as _;
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// Lines of diffs on the page before anything is opened.
const FIRST_LINES: usize = 1500;
/// Lines of one diff.
const LINES: usize = 6000;
const LINES_PER_FILE: usize = 2000;

/// What all parts of the page are made from.
struct Review<'a> {
    site: &'a Site,
    run: RunId,
    dir: RunDir,
    state: State,
    changes: Vec<TaskChange>,
    layout: Layout,
    /// The change whose link was followed.
    asked: Option<&'a str>,
}

impl<'a> Review<'a> {
    fn read(site: &'a Site, request: &'a Request) -> Result<Review<'a>, Problem> {
        let run = request.run()?;
        let state = rb_change::summary::<Refactor>(&site.host, &run).map_err(Problem::of_run)?;
        let dir = RunDir::new(&site.host.home, &run);
        let changes = state.task_changes(&dir);
        let layout = match request.query("layout") {
            Some("split") => Layout::SideBySide,
            Some(_) | None => Layout::Unified,
        };
        Ok(Review { site, run, dir, state, changes, layout, asked: request.query("task") })
    }

    fn address(&self, layout: Layout) -> String {
        format!("/runs/{}/review?layout={}", self.run, layout_name(layout))
    }

    /// Writes the diff of a change with its findings.
    fn diff(
        &self,
        page: &mut Page,
        change: &TaskChange,
        budget: &mut Budget,
    ) -> Result<(), Problem> {
        let patch = rb_refactor::patch_of_task(&self.dir, change.task).map_err(Problem::failed)?;
        let Some(patch) = patch else {
            page.element("p", "soft", "The diff is written at the end of the run.");
            return Ok(());
        };
        let findings =
            rb_refactor::findings_of_task(&self.dir, change.task).map_err(Problem::failed)?;
        let anchor = change.task.to_string();
        rb_refactor::write_change(page, &patch, &findings, (self.layout, &anchor), budget);
        Ok(())
    }
}

fn layout_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Unified => "unified",
        Layout::SideBySide => "split",
    }
}

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let head = journal::head(&RunDir::new(&site.host.home, &request.run()?)).ok().flatten();
    if head.is_some_and(|head| Ticketing::NAMES.contains(&head.workflow.as_str())) {
        return ticket::page(site, request);
    }
    let review = Review::read(site, request)?;
    let mut body = Page::new();
    heading(&mut body, &review);
    if review.changes.is_empty() {
        body.raw("<div class=\"empty\"><p>No task has changed anything.</p></div>\n");
    } else {
        body.raw("<div class=\"review\">\n");
        side::list(&mut body, &review);
        body.raw("<div class=\"changes\">\n");
        let mut lines = FIRST_LINES;
        for change in &review.changes {
            lines = change::write(&mut body, &review, change, lines)?;
        }
        body.raw("<p class=\"soft\" id=\"none-found\" hidden>No change matches the filter.</p>\n</div>\n</div>\n");
    }
    side::keys(&mut body);
    let title = format!("Review of {}", Refactor::title(&review.state));
    let frame = Frame { title: &title, tab: Tab::Runs, scripts: &["review.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

/// The diff of one task, for the script.
pub(crate) fn task(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let review = Review::read(site, request)?;
    let task = request.task()?;
    let change = review.changes.iter().find(|change| change.task == task);
    let change = change.ok_or_else(|| Problem::not_found(format_args!("The change of {task}")))?;
    let mut page = Page::new();
    let mut budget = Budget { lines: LINES, lines_per_file: LINES_PER_FILE };
    review.diff(&mut page, change, &mut budget)?;
    Ok(Reply::Fragment(page))
}

fn heading(page: &mut Page, review: &Review<'_>) {
    let run = &review.run;
    page.raw("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><a href=\"/runs\">Runs</a> <span>/</span> ");
    page.link(&format!("/runs/{run}"), run.as_str());
    page.raw(" <span>/</span> Review</nav>\n<div class=\"review-head\">\n<div>\n");
    page.element("h1", "", &Refactor::title(&review.state));
    let changes = &review.changes;
    let (added, removed) =
        changes.iter().fold((0, 0), |(a, r), change| (a + change.added, r + change.removed));
    page.raw("<p class=\"soft\">");
    page.text(&plural(changes.len(), "change"));
    page.raw(if changes.len() > 1 { ", the least sure first " } else { " " });
    change::size(page, added, removed);
    page.raw("</p>\n</div>\n<div class=\"actions\">\n");
    layouts(page, review);
    page.raw("<button type=\"button\" id=\"show-keys\" hidden>Keys <kbd>?</kbd></button>\n");
    decisions::of_run(page, review);
    page.raw("</div>\n</div>\n");
}

fn layouts(page: &mut Page, review: &Review<'_>) {
    page.raw("<div class=\"segments\" role=\"group\" aria-label=\"Layout\">");
    for (layout, words) in [(Layout::Unified, "Unified"), (Layout::SideBySide, "Side by side")] {
        let href = review.address(layout);
        if layout == review.layout {
            page.open("a", &[("href", &href), ("aria-current", "true")]);
        } else {
            page.open("a", &[("href", &href), ("data-key", "s")]);
        }
        page.text(words);
        page.close("a");
    }
    page.raw("</div>\n");
}

#[cfg(test)]
mod tests;

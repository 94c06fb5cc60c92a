//! The changes of a run, judged diff by diff: the least sure first, with the findings at their lines and the decisions beside them.
//!
//! The page renders the first diffs itself and the others when they are opened, so that hundreds of tasks stay usable. Without a script
//! the same places are links.

mod change;
mod decisions;
mod side;
mod ticket;

use rb_core::{RunId, TaskId, plural};
use rb_flow::{RunDir, Workflow as _, journal};
use rb_html::Page;
use rb_html::diff::{Budget, Layout};
use rb_refactor::{ChangeView, Phase, Refactor, State, TaskChange};
use rb_ticket::workflow::Ticketing;

use crate::layout::{Frame, Tab};
use crate::pages::run::{self, RunView as _};
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
    /// A decision is being carried out, so that there is none to be made.
    is_deciding: bool,
}

impl<'a> Review<'a> {
    fn read(site: &'a Site, request: &'a Request) -> Result<Review<'a>, Problem> {
        let run = request.run()?;
        let state = rb_change::summary::<Refactor>(&site.host, &run).map_err(Problem::of_run)?;
        let dir = RunDir::new(&site.host.home, &run);
        let mut changes = state.task_changes(&dir);
        let is_deciding = site.jobs.is_running(&run);
        if is_deciding {
            for change in &mut changes {
                change.awaits_approval = false;
            }
        }
        let (layout, asked) = (layout_of(request), request.query("task"));
        Ok(Review { site, run, dir, state, changes, layout, asked, is_deciding })
    }

    fn address(&self, layout: Layout) -> String {
        format!("/runs/{}/review?layout={}", self.run, layout_name(layout))
    }

    /// What waits for a person: a task, the whole run, or nothing.
    fn waits(&self) -> String {
        match self.state.phase() {
            _ if self.is_deciding => String::new(),
            Phase::Approval(task) => task.to_string(),
            Phase::Waiting => "run".to_owned(),
            Phase::Ended(_) => "over".to_owned(),
            Phase::Planned | Phase::Landing | Phase::Unfinished => String::new(),
        }
    }

    /// The patch of a change, or of what is proposed for a task of a plan that waits.
    fn patch(&self, task: TaskId) -> Result<Option<Vec<u8>>, Problem> {
        let patch = if self.changes.iter().any(|change| change.task == task) {
            rb_refactor::patch_of_task(&self.dir, task)
        } else if self.state.phase() == Phase::Planned
            && self.state.tasks.iter().any(|it| it.id == task)
        {
            rb_refactor::proposed_patch(&self.dir, task)
        } else {
            return Err(Problem::not_found(format_args!("The change of {task}")));
        };
        patch.map_err(Problem::failed)
    }

    /// Writes the diff of a task with its findings.
    fn diff(&self, page: &mut Page, task: TaskId, budget: &mut Budget) -> Result<(), Problem> {
        let Some(patch) = self.patch(task)? else {
            page.element("p", "soft", "The diff is written at the end of the run.");
            return Ok(());
        };
        let findings = rb_refactor::findings_of_task(&self.dir, task).map_err(Problem::failed)?;
        let anchor = task.to_string();
        let whole = format!("/runs/{}/review/{task}?form=patch", self.run);
        let view = ChangeView { layout: self.layout, anchor: &anchor, patch: Some(&whole) };
        rb_refactor::write_change(page, &patch, &findings, view, budget);
        Ok(())
    }
}

fn layout_of(request: &Request) -> Layout {
    match request.query("layout") {
        Some("split") => Layout::SideBySide,
        Some(_) | None => Layout::Unified,
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
    let events = format!("/runs/{}/events", review.run);
    let mut attributes = vec![("id", "review")];
    let waits = review.waits();
    attributes.push(("data-waits", &waits));
    if waits != "over" {
        attributes.push(("data-events", &events));
    }
    body.open("div", &attributes);
    heading(&mut body, &review);
    progress(&mut body, &review);
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
    body.raw("</div>\n");
    side::keys(&mut body);
    let title = format!("Review of {}", Refactor::title(&review.state));
    let frame = Frame { title: &title, tab: Tab::Runs, scripts: &["review.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

/// The diff of one task, for the script; or its patch as it is.
pub(crate) fn task(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let review = Review::read(site, request)?;
    let task = request.task()?;
    if request.query("form") == Some("patch") {
        let missing = || Problem::not_found(format_args!("The patch of {task}"));
        let bytes = review.patch(task)?.ok_or_else(missing)?;
        return Ok(Reply::File { content_type: "text/plain; charset=utf-8", bytes });
    }
    let mut page = Page::new();
    let mut budget = Budget { lines: LINES, lines_per_file: LINES_PER_FILE };
    review.diff(&mut page, task, &mut budget)?;
    Ok(Reply::Fragment(page))
}

/// What became of the last decision, and what comes next.
fn progress(page: &mut Page, review: &Review<'_>) {
    page.raw("<div id=\"run-job\">");
    page.append(&run::job(review.site, &review.run));
    page.raw("</div>\n");
    if review.is_deciding {
        page.raw("<div id=\"review-state\" class=\"review-state\" role=\"status\"><p class=\"soft\">The next change that waits opens here.</p></div>\n");
    } else {
        page.raw("<div id=\"review-state\" class=\"review-state\" role=\"status\"></div>\n");
    }
}

fn heading(page: &mut Page, review: &Review<'_>) {
    let changes = &review.changes;
    let words = if changes.len() > 1 {
        format!("{}, the least sure first", plural(changes.len(), "change"))
    } else {
        plural(changes.len(), "change")
    };
    let size = changes.iter().fold((0, 0), |(a, r), it| (a + it.added, r + it.removed));
    let task = review.asked.and_then(|task| task.parse::<TaskId>().ok());
    let place = task.map(|task| format!("&task={task}#{task}")).unwrap_or_default();
    let head = Head {
        run: &review.run,
        title: &Refactor::title(&review.state),
        words: &words,
        size,
        layout: review.layout,
        address: &|layout| format!("{}{place}", review.address(layout)),
    };
    head.write(page, |page| {
        if !review.is_deciding {
            decisions::of_run(page, review);
        }
    });
}

/// What stands above the diffs.
struct Head<'a> {
    run: &'a RunId,
    title: &'a str,
    words: &'a str,
    /// Lines added and removed.
    size: (usize, usize),
    layout: Layout,
    address: &'a dyn Fn(Layout) -> String,
}

impl Head<'_> {
    fn write(&self, page: &mut Page, decisions: impl FnOnce(&mut Page)) {
        page.raw("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><a href=\"/runs\">Runs</a> <span>/</span> ");
        page.link(&format!("/runs/{}", self.run), self.run.as_str());
        page.raw(" <span>/</span> Review</nav>\n<div class=\"review-head\">\n<div>\n");
        page.element("h1", "", self.title);
        page.raw("<p class=\"soft\">");
        page.text(self.words);
        page.raw(" ");
        change::size(page, self.size.0, self.size.1);
        page.raw("</p>\n</div>\n<div class=\"actions\">\n");
        self.layouts(page);
        page.raw("<button type=\"button\" id=\"show-keys\" hidden>Keys <kbd>?</kbd></button>\n");
        decisions(page);
        page.raw("</div>\n</div>\n");
    }

    fn layouts(&self, page: &mut Page) {
        page.raw("<div class=\"segments\" role=\"group\" aria-label=\"Layout\">");
        for (layout, words) in [(Layout::Unified, "Unified"), (Layout::SideBySide, "Side by side")]
        {
            let href = (self.address)(layout);
            if layout == self.layout {
                page.open("a", &[("href", &href), ("aria-current", "true")]);
            } else {
                page.open("a", &[("href", &href), ("data-key", "s")]);
            }
            page.text(words);
            page.close("a");
        }
        page.raw("</div>\n");
    }
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;

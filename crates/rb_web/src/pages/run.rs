//! One run: what it does now, what it did, and what a person can decide.

pub(crate) mod ask;
mod charts;
mod kata;
mod plan;
mod refactor;
mod steps;
pub(crate) mod ticket;

use std::time::UNIX_EPOCH;

use rb_core::RunId;
use rb_core::clock::Timestamp;
use rb_flow::{RunDir, RunState as _, Workflow, state_words};
use rb_html::Page;

pub(crate) use self::refactor::proposer;
pub(crate) use charts::Chart;

use super::actions;
use crate::clock_words::{count, duration, time};
use crate::jobs::JobState;
use crate::layout::{Frame, Tab};
use crate::live::{RunFacts, follow};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// A part of the page that is replaced as a whole when it changes.
pub(crate) struct Part {
    pub(crate) id: &'static str,
    pub(crate) html: Page,
}

/// What a workflow adds to the page of its runs.
pub(crate) trait RunView: Workflow {
    /// As the list names it: refactor, ask, kata or ticket.
    fn kind(state: &Self::State) -> &'static str;

    /// What was asked for.
    fn title(state: &Self::State) -> String;

    /// Where it works.
    fn place(state: &Self::State) -> String;

    fn stands(state: &Self::State, busy: bool) -> &'static str;

    /// How it came out, in a few words for the list.
    fn result(state: &Self::State) -> String;

    /// What the parts need and the journal does not hold.
    type Artifacts: Default;

    /// Reads it from the folder of the run, once for all parts.
    fn artifacts(_: &Self::State) -> Self::Artifacts {
        Self::Artifacts::default()
    }

    /// Short facts: a value, and what it is.
    fn tiles(state: &Self::State, artifacts: &Self::Artifacts) -> Vec<(String, &'static str)>;

    /// Charts of its own.
    fn counts(_: &Self::State, _: &Self::Artifacts) -> Vec<Chart> {
        Vec::new()
    }

    /// What models may cost.
    fn cap(state: &Self::State) -> Option<rb_core::Usd>;

    /// What can be decided now.
    fn actions(state: &Self::State, facts: &RunFacts, site: &Site) -> Page;

    /// The work itself: tasks, cycles, rounds, an answer.
    fn work(state: &Self::State, facts: &RunFacts, artifacts: &Self::Artifacts) -> Page;

    /// Rows of the table of tasks. They are apart so that one that changes does not bring all others along.
    fn task_rows(_: &Self::State, _: &RunFacts) -> Vec<Page> {
        Vec::new()
    }
}

/// Bodies of the table of tasks. Each is a part of the page.
pub(crate) const TASK_PARTS: [&str; 16] = [
    "tasks-0", "tasks-1", "tasks-2", "tasks-3", "tasks-4", "tasks-5", "tasks-6", "tasks-7",
    "tasks-8", "tasks-9", "tasks-10", "tasks-11", "tasks-12", "tasks-13", "tasks-14", "tasks-15",
];
/// A body has at least so many rows before there is another one.
const ROWS: usize = 16;

/// The parts that change while a run goes on, in the order of the page; the rows of the tasks come last.
pub(crate) fn parts<W: RunView>(site: &Site, state: &W::State, facts: &RunFacts) -> Vec<Part> {
    let artifacts = W::artifacts(state);
    let mut parts = vec![
        Part { id: "run-head", html: head::<W>(state, facts, &artifacts) },
        Part { id: "run-job", html: job(site, &facts.id) },
        Part { id: "run-actions", html: W::actions(state, facts, site) },
        Part { id: "run-steps", html: steps::steps::<W>(state, facts) },
        Part { id: "run-work", html: W::work(state, facts, &artifacts) },
        Part { id: "run-notes", html: notes::<W>(state) },
        Part { id: "run-charts", html: charts::charts(facts, &W::counts(state, &artifacts)) },
    ];
    let rows = W::task_rows(state, facts);
    let share = rows.len().div_ceil(TASK_PARTS.len()).max(ROWS);
    for (at, id) in TASK_PARTS.into_iter().enumerate() {
        let mut some_rows = Page::new();
        rows.iter().skip(at * share).take(share).for_each(|row| some_rows.append(row));
        parts.push(Part { id, html: some_rows });
    }
    parts
}

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    let run = follow(site, &id)?;
    let facts = run.facts();
    let mut body = Page::new();
    body.raw("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><a href=\"/runs\">Runs</a> <span>/</span> ");
    body.element("code", "", id.as_str());
    body.raw("</nav>\n");
    // A run that is over is not followed: browsers keep few connections to one server.
    let events = format!("/runs/{id}/events?after={}", facts.events);
    let is_over = run.is_over() && !site.jobs.is_running(&id);
    let events = (!is_over).then_some(("data-events", events.as_str()));
    let attributes: Vec<(&str, &str)> = [("id", "run")].into_iter().chain(events).collect();
    body.open("div", &attributes);
    let (rows, parts): (Vec<Part>, Vec<Part>) =
        run.parts(site)?.into_iter().partition(|part| TASK_PARTS.contains(&part.id));
    for part in parts {
        body.open("section", &[("id", part.id)]);
        body.append(&part.html);
        body.close("section");
        if part.id == "run-work" {
            task_table(&mut body, &rows);
        }
    }
    body.raw("</div>\n<section>\n<h2>Log</h2>\n");
    body.raw("<p class=\"soft\" id=\"run-live\" role=\"status\"></p>\n<ol class=\"log\" id=\"run-log\" tabindex=\"0\" aria-label=\"Log\">");
    body.append(&run.log_after(0));
    body.raw("</ol>\n");
    if facts.events > 300 {
        let words = format!("The last 300 of {} events. All of them: ", count(facts.events));
        body.raw("<p class=\"soft\">");
        body.text(&words);
        body.element("code", "", &format!("refactor-bot runs log {id}"));
        body.raw("</p>\n");
    }
    body.raw("</section>\n");
    let title = run.title();
    Ok(Frame { title: &title, tab: Tab::Runs, scripts: &["run.js"], is_wide: false }
        .reply(site, &body))
}

/// The style sheet hides it while it has no rows.
fn task_table(page: &mut Page, rows: &[Part]) {
    page.raw(
        "<section class=\"tasks\">\n<h2>Tasks</h2>\n<div class=\"wide\">\n<table>\n<thead><tr>",
    );
    page.raw("<th>Task</th><th>State</th><th>Goal</th><th class=\"number\">Files</th><th class=\"number\">Lines</th><th>Confidence</th></tr></thead>\n");
    for part in rows {
        page.open("tbody", &[("id", part.id)]);
        page.append(&part.html);
        page.close("tbody");
    }
    page.raw("</table>\n</div>\n</section>\n");
}

fn head<W: RunView>(state: &W::State, facts: &RunFacts, artifacts: &W::Artifacts) -> Page {
    let mut page = Page::new();
    let stands = W::stands(state, facts.busy);
    page.raw("<p class=\"over\">");
    page.element("span", &format!("badge {}", mood(stands)), state_words(stands));
    page.raw(" ");
    page.element("span", "soft", W::kind(state));
    page.raw("</p>\n");
    page.element("h1", "", &W::title(state));
    page.raw("<p class=\"soft\">");
    page.element("code", "", &W::place(state));
    if let Some(began) = facts.began {
        page.raw(" · started ");
        time(&mut page, began);
    }
    page.raw("</p>\n<ul class=\"tiles\">\n");
    let mut tiles = W::tiles(state, artifacts);
    tiles.push((duration(facts.ms()), "elapsed"));
    let total = facts.ledger.total();
    if total.calls > 0 {
        tiles.push((count(total.usage.total()), "tokens"));
        let spent = facts.ledger.gone();
        match W::cap(state) {
            Some(cap) => {
                tiles.push((format!("{} of {}", money(spent), money(cap)), "cost, and its cap"));
            }
            None => tiles.push((money(spent), "cost")),
        }
    }
    for (value, what) in tiles {
        page.raw("<li>");
        page.element("b", "", &value);
        page.element("span", "", what);
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
    if let Some(why) = state.course().left_off.as_ref().filter(|_| !facts.busy) {
        page.element("p", "bad", &format!("It left off: {why}"));
    }
    page
}

/// To the cent, and never as nothing.
pub(crate) fn money(amount: rb_core::Usd) -> String {
    let text = amount.to_string();
    let (dollars, rest) = text.split_once('.').unwrap_or((&text, "00"));
    match &rest[..2.min(rest.len())] {
        "00" if rest.bytes().any(|byte| byte != b'0') => text,
        cents => format!("{dollars}.{cents}"),
    }
}

/// The colour of where a run stands.
pub(crate) fn mood(stands: &str) -> &'static str {
    match stands {
        "accepted" | "answered" | "complete" | "verified" | "published" => "good",
        "at work" => "live",
        "waiting for you" => "wait",
        "resumable" | "landing cut off" | "planned" | "out of cycles" | "nothing verified"
        | "branch kept" => "open",
        "refused" | "not served" | "baseline failed" | "could not begin" | "stopped"
        | "unreadable" => "bad",
        _ => "quiet",
    }
}

/// What the last command that this page started came to.
pub(crate) fn job(site: &Site, run: &RunId) -> Page {
    let mut page = Page::new();
    match site.jobs.of_run(run) {
        Some(JobState::Running) => {
            page.element("p", "notice live", "Your decision is being carried out.");
        }
        Some(JobState::Failed { words, at }) if !has_gone_on(site, run, at) => {
            page.raw("<div class=\"notice bad\" role=\"alert\"><p>That did not work:</p>");
            page.element("pre", "", &words);
            page.raw("</div>");
        }
        Some(JobState::Failed { .. } | JobState::Done { .. }) | None => {}
    }
    page
}

/// Whether something has happened in the run since, so that an old error is of no use any more.
fn has_gone_on(site: &Site, run: &RunId, since: Timestamp) -> bool {
    let written = RunDir::new(&site.host.home, run).journal().metadata();
    let written = written.and_then(|metadata| metadata.modified()).ok();
    let written = written.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    written.is_some_and(|at| i64::try_from(at.as_millis()).is_ok_and(|at| at > since.unix_ms()))
}

fn notes<W: RunView>(state: &W::State) -> Page {
    let mut page = Page::new();
    let notes = &state.course().notes;
    if notes.is_empty() {
        return page;
    }
    page.raw("<h2>Notes</h2>\n<ul class=\"plain\">");
    notes.iter().take(50).for_each(|note| page.element("li", "", note));
    if notes.len() > 50 {
        page.element("li", "soft", &format!("and {} more", notes.len() - 50));
    }
    page.raw("</ul>\n");
    page
}

/// A button that resumes a run which left off.
pub(crate) fn resume_button(page: &mut Page, site: &Site, facts: &RunFacts) {
    if !facts.busy {
        actions::form(page, site, &facts.id, |page| {
            page.raw("<button name=\"verb\" value=\"resume\" class=\"primary\">Resume</button>");
        });
    }
}

#[cfg(test)]
mod tests;

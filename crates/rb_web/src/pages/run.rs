//! One run: what it does now, what it did, and what a person can decide.

pub(crate) mod ask;
mod charts;
mod kata;
mod refactor;
mod steps;
mod ticket;

use rb_flow::{RunState as _, Workflow, state_words};
use rb_html::Page;

pub(crate) use self::refactor::proposer;
pub(crate) use charts::Chart;

use super::actions;
use crate::clock_words::{count, duration, moment};
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

    /// Short facts: a value, and what it is.
    fn tiles(state: &Self::State) -> Vec<(String, &'static str)>;

    /// Numbers of its own to be drawn: a title, and rows.
    fn counts(_: &Self::State) -> Vec<Chart> {
        Vec::new()
    }

    /// What models may cost.
    fn cap(state: &Self::State) -> Option<rb_core::Usd>;

    /// What can be decided now.
    fn actions(state: &Self::State, facts: &RunFacts, site: &Site) -> Page;

    /// The work itself: tasks, cycles, rounds, an answer.
    fn work(state: &Self::State, facts: &RunFacts, site: &Site) -> Page;
}

/// The parts that change while a run goes on, in the order of the page.
pub(crate) fn parts<W: RunView>(site: &Site, state: &W::State, facts: &RunFacts) -> Vec<Part> {
    vec![
        Part { id: "run-head", html: head::<W>(state, facts) },
        Part { id: "run-job", html: job(site, facts) },
        Part { id: "run-actions", html: W::actions(state, facts, site) },
        Part { id: "run-steps", html: steps::steps::<W>(state, facts) },
        Part { id: "run-work", html: W::work(state, facts, site) },
        Part { id: "run-notes", html: notes::<W>(state) },
        Part { id: "run-charts", html: charts::charts(facts, &W::counts(state)) },
    ]
}

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    let run = follow(site, &id)?;
    let facts = run.facts();
    let mut body = Page::new();
    body.raw("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><a href=\"/runs\">Runs</a> <span>/</span> ");
    body.element("code", "", id.as_str());
    body.raw("</nav>\n");
    body.open("div", &[("id", "run"), ("data-events", &format!("/runs/{id}/events"))]);
    for part in run.parts(site)? {
        body.open("section", &[("id", part.id)]);
        body.append(&part.html);
        body.close("section");
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

fn head<W: RunView>(state: &W::State, facts: &RunFacts) -> Page {
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
        page.text(&format!(" · started {} UTC", moment(began)));
    }
    page.raw("</p>\n<ul class=\"tiles\">\n");
    let mut tiles = W::tiles(state);
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
        "refused" | "not served" | "baseline failed" | "could not begin" | "stopped" => "bad",
        _ => "quiet",
    }
}

/// What the last command that this page started came to.
fn job(site: &Site, facts: &RunFacts) -> Page {
    let mut page = Page::new();
    match site.jobs.state(facts.id.as_str()) {
        Some(JobState::Running) => {
            page.element("p", "notice live", "Your decision is being carried out.");
        }
        Some(JobState::Failed { words }) => {
            page.raw("<div class=\"notice bad\" role=\"alert\"><p>That did not work:</p>");
            page.element("pre", "", &words);
            page.raw("</div>");
        }
        Some(JobState::Done { .. }) | None => {}
    }
    page
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

//! Tickets: what was implemented, and the rounds in the browser with their screenshots.

use std::path::Path;

use rb_core::{RunId, Usd, Verdict, fs, plural};
use rb_html::Page;
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::event::{Mode, Round};
use rb_ticket::workflow::state::{Phase, State};

use super::refactor::status;
use super::{RunView, resume_button};
use crate::live::RunFacts;
use crate::pages::actions;
use crate::site::Site;

/// Pictures of one round that are shown.
const PICTURES: usize = 12;

impl RunView for Ticketing {
    fn kind(state: &State) -> &'static str {
        match state.start.workflow {
            Mode::Ticket => "ticket",
            Mode::TicketRollback { .. } => "rollback",
        }
    }

    fn title(state: &State) -> String {
        state.start.ticket.heading()
    }

    fn place(state: &State) -> String {
        state.start.repo.display().to_string()
    }

    fn stands(state: &State, busy: bool) -> &'static str {
        state.stands(busy)
    }

    fn result(state: &State) -> String {
        format!(
            "{}, criteria: {}",
            plural(state.rounds.len(), "round"),
            state.browser_verdict().words()
        )
    }

    type Artifacts = ();

    fn tiles(state: &State, (): &()) -> Vec<(String, &'static str)> {
        vec![
            (state.tasks.len().to_string(), "tasks"),
            (state.rounds.len().to_string(), "rounds in the browser"),
            (state.browser_verdict().words().to_owned(), "criteria"),
            (state.test_verdict().words().to_owned(), "tests"),
        ]
    }

    fn cap(state: &State) -> Option<Usd> {
        state.start.orders.models.as_ref().and_then(|models| models.budget)
    }

    fn actions(state: &State, facts: &RunFacts, site: &Site) -> Page {
        let mut page = Page::new();
        let id = &facts.id;
        match state.phase() {
            Phase::Waiting => {
                page.raw("<div class=\"notice wait\" data-waits=\"run\"><p>The ticket is done and waits for you. Your checkout is unchanged.</p><div class=\"actions\">");
                page.open(
                    "a",
                    &[("class", "button primary"), ("href", &format!("/runs/{id}/review"))],
                );
                page.raw("Review the change</a>");
                decisions(&mut page, state, site, id);
                page.raw("</div></div>\n");
            }
            Phase::Landing | Phase::Unfinished => resume_button(&mut page, site, facts),
            Phase::Ended(_) => page.raw("<span data-waits=\"over\"></span>"),
        }
        page
    }

    fn work(state: &State, facts: &RunFacts, (): &()) -> Page {
        let mut page = Page::new();
        if !state.tasks.is_empty() {
            page.raw("<h2>Tasks</h2>\n");
            page.table(&["Task", "State", "Goal", "Lines#"]);
            for task in &state.tasks {
                let entry = state.change.ledger.iter().find(|entry| entry.task == task.id);
                let (class, words) =
                    entry.map_or(("badge live", "running"), |it| status(it.status));
                page.raw("<tr>");
                page.element("td", "id", &task.id.to_string());
                page.raw("<td>");
                page.element("span", class, words);
                page.raw("</td>");
                page.cell("long", &task.goal);
                let lines = entry.map(|it| format!("+{} −{}", it.added, it.removed));
                page.element("td", "number", &lines.unwrap_or_default());
                page.raw("</tr>\n");
            }
            page.end_table();
        }
        state.rounds.iter().for_each(|round| one(&mut page, round, facts));
        page
    }
}

/// Accept or reject the change, each with its key on the page of its diff. Nothing while the run does not wait.
pub(crate) fn decisions(page: &mut Page, state: &State, site: &Site, run: &RunId) {
    if state.phase() != Phase::Waiting {
        return;
    }
    let fails = [state.test_verdict(), state.browser_verdict()].contains(&Verdict::Fail);
    actions::form(page, site, run, |page| {
        if fails {
            page.raw("<button name=\"verb\" value=\"accept-failing\" data-key=\"A\" data-confirm=\"It fails its checks. Accept it anyway?\">Accept although it fails</button>");
        } else {
            page.raw("<button name=\"verb\" value=\"accept\" data-key=\"A\" data-confirm=\"Apply the change to your checkout?\">Accept</button>");
        }
        page.raw("<button name=\"verb\" value=\"reject\" class=\"danger\" data-key=\"R\" data-confirm=\"Drop the run and its change?\">Reject</button>");
    });
}

fn one(page: &mut Page, round: &Round, facts: &RunFacts) {
    page.element("h2", "", &format!("Round {}", round.number));
    let class = if round.issues.is_empty() { "good" } else { "bad" };
    page.raw("<p>");
    page.element(
        "span",
        &format!("badge {class}"),
        &format!("{} of {} checks met", round.met, round.checks),
    );
    page.raw("</p>\n");
    if !round.issues.is_empty() {
        page.raw("<ul class=\"plain\">");
        for issue in &round.issues {
            page.raw("<li>");
            page.element("b", "", &issue.severity.to_string());
            page.text(&format!(" {} ({})", issue.description, issue.location));
            let words = format!("expected {}, found {}", issue.expected, issue.actual);
            page.element("div", "soft", &words);
            page.raw("</li>");
        }
        page.raw("</ul>\n");
    }
    round
        .unchecked
        .iter()
        .for_each(|why| page.element("p", "soft", &format!("Not checked: {why}")));
    let pictures = pictures(round, facts);
    if pictures.is_empty() {
        return;
    }
    page.raw("<ul class=\"pictures\">");
    for path in pictures.iter().take(PICTURES) {
        let href = Page::path(&format!("/runs/{}/files/", facts.id), path);
        page.open("li", &[]);
        page.open("a", &[("href", &href)]);
        page.open("img", &[("src", &href), ("alt", path), ("loading", "lazy")]);
        page.raw("</a></li>");
    }
    page.raw("</ul>\n");
}

/// Screenshots of the round, by their path in the folder of the run.
fn pictures(round: &Round, facts: &RunFacts) -> Vec<String> {
    let folder = facts.dir.join(&round.folder);
    let Ok(below) = folder.strip_prefix(facts.dir.path()) else { return Vec::new() };
    let below = below.to_string_lossy().into_owned();
    let mut found = Vec::new();
    for part in ["", "screenshots"] {
        let names = fs::list(&folder.join(part)).unwrap_or_default();
        let names = names.into_iter().filter_map(|name| name.into_string().ok());
        let pictures = names.filter(|name| Path::new(name).extension() == Some("png".as_ref()));
        found.extend(pictures.map(|name| {
            if part.is_empty() {
                format!("{below}/{name}")
            } else {
                format!("{below}/{part}/{name}")
            }
        }));
    }
    found.sort();
    found
}

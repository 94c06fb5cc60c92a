//! Refactorings: the plan, the tasks and their results, and what is to be decided.

use std::collections::BTreeMap;

use rb_core::{Proposer, Task, TaskId, Usd, Verdict, plural};
use rb_html::Page;
use rb_refactor::{Mode, Phase, Refactor, State};
use rb_rules::Impact;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use super::{Chart, RunView, resume_button};
use crate::live::RunFacts;
use crate::pages::actions;
use crate::site::Site;

impl RunView for Refactor {
    fn kind(state: &State) -> &'static str {
        match state.started.workflow {
            Mode::Refactor => "refactor",
            Mode::Plan => "plan",
            Mode::Verify => "verify",
            Mode::Rollback { .. } => "rollback",
        }
    }

    fn title(state: &State) -> String {
        match (&state.started.workflow, &state.started.orders.directive) {
            (Mode::Rollback { of, .. }, _) => format!("Rollback of {of}"),
            (_, Some(directive)) => directive.clone(),
            (Mode::Verify, None) => "Verify the repository".to_owned(),
            (Mode::Refactor | Mode::Plan, None) if state.started.orders.plans => {
                "Scan the whole repository".to_owned()
            }
            (Mode::Refactor | Mode::Plan, None) => "Apply patches".to_owned(),
        }
    }

    fn place(state: &State) -> String {
        let root = state.started.repo.display();
        match &state.started.scope {
            Some(folder) => format!("{root}/{folder}"),
            None => root.to_string(),
        }
    }

    fn stands(state: &State, busy: bool) -> &'static str {
        state.stands(busy)
    }

    fn result(state: &State) -> String {
        let kept = state.change.ledger.iter().filter(|entry| entry.commit.is_some()).count();
        match (kept, state.course.outcome) {
            (0, None) => plural(state.tasks.len(), "task"),
            (0, Some(_)) => "no change".to_owned(),
            (kept, _) => format!("{}, tests: {}", plural(kept, "change"), state.verdict().words()),
        }
    }

    fn tiles(state: &State) -> Vec<(String, &'static str)> {
        let ledger = &state.change.ledger;
        let kept = ledger.iter().filter(|entry| entry.commit.is_some());
        let (added, removed) =
            kept.clone().fold((0, 0), |(a, r), entry| (a + entry.added, r + entry.removed));
        let tests = state.report.as_deref().and_then(rb_refactor::test_counts);
        let verdict = tests.map_or_else(|| state.verdict().words().to_owned(), |it| it.words());
        vec![
            (
                format!("{} of {}", ledger.len().min(state.tasks.len()), state.tasks.len()),
                "tasks done",
            ),
            (kept.count().to_string(), "tasks with a change"),
            (format!("+{added} −{removed}"), "lines"),
            (verdict, "tests"),
        ]
    }

    fn counts(state: &State) -> Vec<Chart> {
        let tests = state.report.as_deref().and_then(rb_refactor::test_counts);
        let tests = Chart { title: "Tests", rows: tests.map(|it| it.rows()).unwrap_or_default() };
        let plan = state.whole_plan().unwrap_or_default();
        let left = plan.leftovers.iter().map(|left| left.found_by.as_str());
        let rules = state.tasks.iter().flat_map(|task| &task.rules).map(String::as_str);
        let mut impacts: BTreeMap<Impact, u64> = BTreeMap::new();
        for rule in left.chain(rules).filter_map(rb_rules::engine::rule) {
            *impacts.entry(rule.impact).or_default() += 1;
        }
        let impacts = impacts.into_iter().map(|(impact, count)| (impact.name().to_owned(), count));
        vec![tests, Chart { title: "Findings by impact", rows: impacts.collect() }]
    }

    fn cap(state: &State) -> Option<Usd> {
        state.started.orders.models.as_ref().and_then(|models| models.budget)
    }

    fn actions(state: &State, facts: &RunFacts, site: &Site) -> Page {
        let mut page = Page::new();
        let id = &facts.id;
        match state.phase() {
            Phase::Planned => plan_form(&mut page, state, facts, site),
            Phase::Approval(task) => {
                page.raw("<div class=\"notice wait\"><p>");
                page.text(&format!("{task} is waiting for your decision."));
                page.raw("</p>");
                page.open(
                    "a",
                    &[("class", "button primary"), ("href", &format!("/runs/{id}/review#{task}"))],
                );
                page.raw("Review the change</a></div>");
            }
            Phase::Waiting => decide(&mut page, state, facts, site),
            Phase::Landing | Phase::Unfinished => resume_button(&mut page, site, facts),
            Phase::Ended(_) => {
                if state.change.has_changes() {
                    page.open("a", &[("class", "button"), ("href", &format!("/runs/{id}/review"))]);
                    page.raw("Read the diffs</a>");
                }
            }
        }
        if facts.dir.report().join("report.html").is_file() {
            page.raw(" ");
            page.open(
                "a",
                &[
                    ("class", "button quiet"),
                    ("href", &format!("/runs/{id}/files/report/validation-report.json")),
                ],
            );
            page.raw("Validation report</a>");
        }
        page
    }

    fn work(state: &State, facts: &RunFacts, _: &Site) -> Page {
        let mut page = Page::new();
        if let Ok(plan) = state.whole_plan()
            && let Some(unserved) = &plan.unserved
        {
            page.element("p", "notice bad", &unserved.why);
        }
        if state.tasks.is_empty() && state.change.ledger.is_empty() {
            return page;
        }
        if state.phase() != Phase::Planned {
            page.raw("<h2>Tasks</h2>\n");
            tasks(&mut page, state, facts);
        }
        page
    }
}

/// The plan that waits: what each task would change, each of them to be left out.
fn plan_form(page: &mut Page, state: &State, facts: &RunFacts, site: &Site) {
    page.raw("<h2>The plan waits for you</h2>\n");
    actions::form_to(page, site, &format!("/runs/{}/begin", facts.id), |page| {
        page.table(&["", "Task", "Goal", "Files", "Proposed by", "Risk#"]);
        for task in &state.tasks {
            plan_row(page, task);
        }
        page.end_table();
        page.raw("<div class=\"actions\"><button class=\"primary\">Begin with the ticked tasks</button></div>");
    });
    if site.read_only {
        page.element("p", "soft", "The server is read-only: decide on the command line.");
        return;
    }
    actions::form(page, site, &facts.id, |page| {
        page.raw("<button name=\"verb\" value=\"reject\" class=\"danger\">Drop the plan</button>");
    });
}

fn plan_row(page: &mut Page, task: &Task) {
    let id = task.id.to_string();
    page.raw("<tr><td>");
    page.open(
        "input",
        &[
            ("type", "checkbox"),
            ("name", "task"),
            ("value", &id),
            ("checked", ""),
            ("aria-label", &format!("Include {id}")),
        ],
    );
    page.raw("</td>");
    page.element("td", "id", &id);
    page.raw("<td class=\"long\">");
    page.text(&task.goal);
    if !task.depends_on.is_empty() {
        let needs: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
        page.element("div", "soft", &format!("needs {}", needs.join(", ")));
    }
    task.notes.iter().take(3).for_each(|note| page.element("div", "soft", note));
    page.raw("</td><td class=\"long\">");
    for file in task.files.iter().take(6) {
        page.open("a", &[("href", &Page::path("/code/", &file.to_string()))]);
        page.text(&file.to_string());
        page.raw("</a><br>");
    }
    if task.files.len() > 6 {
        page.element("span", "soft", &format!("and {} more", task.files.len() - 6));
    }
    page.raw("</td>");
    page.cell("", &proposer(&task.by));
    page.element("td", "number", &task.risk_score.to_string());
    page.raw("</tr>\n");
}

pub(crate) fn proposer(by: &Proposer) -> String {
    match by {
        Proposer::Model => "model".to_owned(),
        Proposer::Given => "you".to_owned(),
        Proposer::Recipe { id, .. } => format!("recipe {id}"),
        Proposer::Rule { id } => format!("rule {id}"),
    }
}

fn decide(page: &mut Page, state: &State, facts: &RunFacts, site: &Site) {
    let id = &facts.id;
    page.raw("<div class=\"notice wait\"><p>The run is finished and waits for you. Your checkout is unchanged.</p>");
    let unvouched = state.unvouched();
    if !unvouched.is_empty() {
        let names: Vec<String> = unvouched.iter().map(ToString::to_string).collect();
        let words = format!(
            "Look at {} first: behaviour is removed that no test reaches.",
            names.join(", ")
        );
        page.element("p", "bad", &words);
    }
    page.raw("<div class=\"actions\">");
    page.open("a", &[("class", "button primary"), ("href", &format!("/runs/{id}/review"))]);
    page.raw("Review the diffs</a>");
    actions::form(page, site, id, |page| {
        if state.verdict() == Verdict::Fail {
            page.raw("<button name=\"verb\" value=\"accept-failing\" data-confirm=\"It fails its checks. Accept it anyway?\">Accept although it fails</button>");
        } else {
            page.raw("<button name=\"verb\" value=\"accept\" data-confirm=\"Apply all changes to your checkout?\">Accept</button>");
        }
        page.raw("<button name=\"verb\" value=\"reject\" class=\"danger\" data-confirm=\"Drop the run and all its changes?\">Reject</button>");
    });
    page.raw("</div></div>\n");
}

fn tasks(page: &mut Page, state: &State, facts: &RunFacts) {
    page.table(&["Task", "State", "Goal", "Files#", "Lines#", "Confidence"]);
    for entry in &state.change.ledger {
        done_row(page, entry, facts);
    }
    let current = state.change.current.as_ref();
    for task in &state.tasks {
        if state.change.ledger.iter().any(|entry| entry.task == task.id) {
            continue;
        }
        let is_current = current.is_some_and(|current| current.task == task.id);
        let (class, words) = match (is_current, facts.busy) {
            (true, true) => ("badge live", "running"),
            (true, false) => ("badge open", "begun"),
            (false, _) => ("badge quiet", "to do"),
        };
        page.open("tr", &[("id", &task.id.to_string())]);
        page.element("td", "id", &task.id.to_string());
        page.raw("<td>");
        page.element("span", class, words);
        page.raw("</td>");
        page.cell("long", &task.goal);
        page.element("td", "number", &task.files.len().to_string());
        page.raw("<td></td><td>");
        if is_current && let Some(attempt) = current.map(|it| it.attempt).filter(|it| *it > 1) {
            page.element("span", "soft", &format!("try {attempt}"));
        }
        page.raw("</td></tr>\n");
    }
    page.end_table();
}

fn done_row(page: &mut Page, entry: &LedgerEntry, facts: &RunFacts) {
    let (class, words) = status(entry.status);
    page.open("tr", &[("id", &entry.task.to_string())]);
    page.raw("<td class=\"id\">");
    if entry.commit.is_some() {
        page.link(&review(facts, entry.task), &entry.task.to_string());
    } else {
        page.text(&entry.task.to_string());
    }
    page.raw("</td><td>");
    page.element("span", class, words);
    page.raw("</td><td class=\"long\">");
    page.text(&entry.goal);
    entry.reasons.iter().take(3).for_each(|reason| page.element("div", "bad", reason));
    if !entry.notes.is_empty() {
        page.element("div", "soft", &plural(entry.notes.len(), "note"));
    }
    page.raw("</td>");
    page.element("td", "number", &entry.touched_files.len().to_string());
    page.element("td", "number", &format!("+{} −{}", entry.added, entry.removed));
    page.raw("<td class=\"meter\">");
    if let Some(confidence) = entry.confidence {
        page.bar(confidence);
    }
    page.raw("</td></tr>\n");
}

fn review(facts: &RunFacts, task: TaskId) -> String {
    format!("/runs/{}/review#{task}", facts.id)
}

pub(crate) fn status(status: TaskStatus) -> (&'static str, &'static str) {
    match status {
        TaskStatus::Applied => ("badge good", "applied"),
        TaskStatus::Noop => ("badge quiet", "nothing to do"),
        TaskStatus::Refused => ("badge bad", "refused"),
        TaskStatus::Skipped => ("badge open", "skipped"),
        TaskStatus::RolledBack => ("badge open", "reverted"),
    }
}

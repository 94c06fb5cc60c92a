//! Refactorings: the tasks and their results, and what is to be decided.

use rb_core::{Proposer, Task, TaskId, Usd, Verdict, plural};
use rb_html::Page;
use rb_plan::Plan;
use rb_refactor::{Mode, Phase, Refactor, State, TestCounts, impact_bars};
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use super::{Chart, RunView, plan, resume_button};
use crate::live::RunFacts;
use crate::pages::actions;
use crate::site::Site;

/// The plan with what is in no task, and the tests.
#[derive(Default)]
pub(crate) struct Artifacts {
    plan: Plan,
    tests: Option<TestCounts>,
}

impl RunView for Refactor {
    type Artifacts = Artifacts;

    fn artifacts(state: &State) -> Artifacts {
        Artifacts {
            plan: state.whole_plan().unwrap_or_default(),
            tests: state.report.as_deref().and_then(rb_refactor::test_counts),
        }
    }

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

    fn tiles(state: &State, artifacts: &Artifacts) -> Vec<(String, &'static str)> {
        let ledger = &state.change.ledger;
        let kept = ledger.iter().filter(|entry| entry.commit.is_some());
        let (added, removed) =
            kept.clone().fold((0, 0), |(a, r), entry| (a + entry.added, r + entry.removed));
        let tests = artifacts.tests.as_ref();
        let verdict = tests.map_or_else(|| state.verdict().words().to_owned(), TestCounts::words);
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

    fn counts(state: &State, artifacts: &Artifacts) -> Vec<Chart> {
        let tests = artifacts.tests.as_ref().map(TestCounts::bars).unwrap_or_default();
        let findings = impact_bars(&state.tasks, &artifacts.plan.leftovers);
        vec![
            Chart { title: "Tests", bars: tests },
            Chart { title: "Findings by impact", bars: findings },
        ]
    }

    fn cap(state: &State) -> Option<Usd> {
        state.started.orders.models.as_ref().and_then(|models| models.budget)
    }

    fn actions(state: &State, facts: &RunFacts, site: &Site) -> Page {
        let mut page = Page::new();
        let id = &facts.id;
        match state.phase() {
            Phase::Planned => plan::form(&mut page, state, facts, site),
            Phase::Approval(task) => {
                let waits = task.to_string();
                page.open("div", &[("class", "notice wait"), ("data-waits", &waits)]);
                page.element("p", "", &format!("{task} is waiting for your decision."));
                page.open("a", &[("class", "button primary"), ("href", &review(facts, task))]);
                page.raw("Review the change</a></div>");
            }
            Phase::Waiting => decide(&mut page, state, facts, site),
            Phase::Landing | Phase::Unfinished => resume_button(&mut page, site, facts),
            Phase::Ended(_) => {
                page.raw("<span data-waits=\"over\"></span>");
                if state.change.has_changes() {
                    page.open("a", &[("class", "button"), ("href", &format!("/runs/{id}/review"))]);
                    page.raw("Read the diffs</a>");
                }
            }
        }
        reports(&mut page, facts);
        page
    }

    fn work(_: &State, _: &RunFacts, artifacts: &Artifacts) -> Page {
        let mut page = Page::new();
        if let Some(unserved) = &artifacts.plan.unserved {
            page.element("p", "notice bad", &unserved.why);
        }
        page
    }

    fn task_rows(state: &State, facts: &RunFacts) -> Vec<Page> {
        if state.phase() == Phase::Planned {
            return Vec::new();
        }
        let ledger = &state.change.ledger;
        let is_open = |task: &&Task| !ledger.iter().any(|entry| entry.task == task.id);
        let ended = ledger.iter().map(|entry| done_row(entry, facts));
        ended
            .chain(state.tasks.iter().filter(is_open).map(|it| open_row(it, state, facts)))
            .collect()
    }
}

/// The same view as a file of its own, and the numbers for programs.
fn reports(page: &mut Page, facts: &RunFacts) {
    let folder = facts.dir.report();
    for (name, words) in
        [("report.html", "Report"), ("validation-report.json", "Validation report (JSON)")]
    {
        if folder.join(name).is_file() {
            let href = format!("/runs/{}/files/report/{name}", facts.id);
            page.raw(" ");
            page.open("a", &[("class", "button quiet"), ("href", &href)]);
            page.text(words);
            page.close("a");
        }
    }
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
    page.raw("<div class=\"notice wait\" data-waits=\"run\"><p>The run is finished and waits for you. Your checkout is unchanged.</p>");
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

/// A task that has not ended.
fn open_row(task: &Task, state: &State, facts: &RunFacts) -> Page {
    let mut page = Page::new();
    let current = state.change.current.as_ref().filter(|current| current.task == task.id);
    let (class, words) = match (current, facts.busy) {
        (Some(_), true) => ("badge live", "running"),
        (Some(_), false) => ("badge open", "begun"),
        (None, _) => ("badge quiet", "to do"),
    };
    page.open("tr", &[("id", &task.id.to_string())]);
    page.element("td", "id", &task.id.to_string());
    page.raw("<td>");
    page.element("span", class, words);
    page.raw("</td>");
    page.cell("long", &task.goal);
    page.element("td", "number", &task.files.len().to_string());
    page.raw("<td></td><td>");
    if let Some(attempt) = current.map(|it| it.attempt).filter(|it| *it > 1) {
        page.element("span", "soft", &format!("try {attempt}"));
    }
    page.raw("</td></tr>\n");
    page
}

fn done_row(entry: &LedgerEntry, facts: &RunFacts) -> Page {
    let mut page = Page::new();
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
    page
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

//! Katas: a timeline of red, green and refactor, cycle by cycle.

use rb_core::{Usd, plural};
use rb_html::Page;
use rb_kata::workflow::event::CommitKind;
use rb_kata::workflow::state::Phase;
use rb_kata::workflow::{Kata, State};

use super::{RunView, resume_button};
use crate::live::RunFacts;
use crate::site::Site;

impl RunView for Kata {
    fn kind(_: &State) -> &'static str {
        "kata"
    }

    fn title(state: &State) -> String {
        state.start.kata.title.clone()
    }

    fn place(state: &State) -> String {
        state.start.place.folder().display().to_string()
    }

    fn stands(state: &State, busy: bool) -> &'static str {
        state.stands(busy)
    }

    fn result(state: &State) -> String {
        format!(
            "{}, {}",
            plural(state.cycles() as usize, "cycle"),
            plural(state.commits.len(), "commit")
        )
    }

    type Artifacts = ();

    fn tiles(state: &State, (): &()) -> Vec<(String, &'static str)> {
        vec![
            (format!("{} of {}", state.cycles(), state.start.max_cycles), "cycles"),
            (state.commits.len().to_string(), "commits, all green"),
            (state.passing.len().to_string(), "tests pass"),
            (state.refusals.len().to_string(), "proposals refused"),
        ]
    }

    fn cap(state: &State) -> Option<Usd> {
        state.start.models.budget
    }

    fn actions(state: &State, facts: &RunFacts, site: &Site) -> Page {
        let mut page = Page::new();
        if state.course.outcome.is_none() {
            resume_button(&mut page, site, facts);
        }
        page
    }

    fn work(state: &State, facts: &RunFacts, (): &()) -> Page {
        let mut page = Page::new();
        if state.cycle == 0 {
            return page;
        }
        page.raw("<h2>Cycles</h2>\n<ol class=\"cycles\">");
        for cycle in 1..=state.cycle {
            one(&mut page, state, facts, cycle);
        }
        page.raw("</ol>\n");
        if !state.violations.is_empty() {
            let words =
                format!("{} of constraints open", plural(state.violations.len(), "violation"));
            page.element("p", "bad", &words);
        }
        page
    }
}

fn one(page: &mut Page, state: &State, facts: &RunFacts, cycle: u32) {
    let test = state.tests.iter().find(|test| test.cycle == cycle);
    let commits: Vec<_> = state.commits.iter().filter(|commit| commit.cycle == cycle).collect();
    let is_now = cycle == state.cycle && state.course.outcome.is_none();
    let red = test.map(|test| (test.name.as_str(), test.reason.is_some()));
    let staged = state.red.as_ref().filter(|_| is_now);
    let red = red.or_else(|| staged.map(|it| (it.test.name.as_str(), it.reason.is_some())));
    page.raw("<li>");
    page.element("b", "", &format!("Cycle {cycle}"));
    page.raw("<ul>");
    match red {
        Some((name, true)) => stage(page, "red", "red", name),
        Some((name, false)) => stage(page, "over", "passed at once", name),
        None if is_now => stage(page, "", "red", "a test is being written"),
        None => {}
    }
    for commit in &commits {
        match commit.kind {
            CommitKind::Feat => stage(page, "green", "green", &commit.subject),
            CommitKind::Test => stage(page, "green", "test kept", &commit.subject),
            CommitKind::Refactor => stage(page, "refactor", "refactor", &commit.subject),
        }
    }
    let refused = state.refusals.iter().filter(|(of, ..)| *of == cycle).count();
    if refused > 0 {
        stage(page, "", "refused", &plural(refused, "proposal"));
    }
    for decision in state.decisions.iter().filter(|it| it.cycle == cycle) {
        let name = serde_json::to_value(decision.decision).unwrap_or_default();
        let name = name.as_str().unwrap_or_default().replace('_', " ");
        stage(page, "", "supervisor", &format!("{name}: {}", decision.reason));
    }
    if is_now && facts.busy {
        stage(page, "live", "now", at_hand(&state.phase));
    }
    page.raw("</ul></li>\n");
}

fn stage(page: &mut Page, class: &'static str, name: &'static str, words: &str) {
    page.open("li", &[("class", class)]);
    page.element("span", "badge", name);
    page.raw(" ");
    page.text(words);
    page.close("li");
}

fn at_hand(phase: &Phase) -> &'static str {
    match phase {
        Phase::SetUp => "the project is set up",
        Phase::Tester => "the Tester writes a test",
        Phase::ProveTest { .. } => "the test must fail",
        Phase::Implementer => "the Implementer writes code",
        Phase::ProveCode { .. } => "all tests must pass",
        Phase::Refactorer => "the Refactorer looks for improvements",
        Phase::ProveRefactoring { .. } => "the refactoring must keep all tests green",
        Phase::KeepTest => "the test is kept",
        Phase::Supervisor(_) => "the Supervisor decides",
        Phase::Finish(_) => "the run ends",
    }
}

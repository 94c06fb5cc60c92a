//! The steps of the run and its numbers as charts.

use rb_flow::Workflow as _;
use rb_html::Page;
use rb_html::chart::{Bar, chart};
use rb_html::steps::{self, Step, StepState};

use super::parts::heading;
use crate::report::facts::Facts;
use crate::report::impact_bars::impact_bars;
use crate::report::leftovers::Leftovers;
use crate::report::suites::Tests;
use crate::report::test_counts::TestCounts;
use crate::report::words::duration;
use crate::workflow::Refactor;

pub(super) fn steps(page: &mut Page, facts: &Facts) {
    let history = &facts.history;
    let drawing = Refactor::graph(&history.state.started).drawing();
    let steps: Vec<Step> = drawing
        .nodes
        .iter()
        .map(|node| {
            let visited = history.nodes.iter().find(|visited| visited.name == node.name);
            let state = if visited.is_some() { StepState::Done } else { StepState::Ahead };
            let words = visited.map(|it| steps::visits(it.visits as u64, &duration(it.ms)));
            Step { name: node.name, does: node.does, state, words }
        })
        .collect();
    heading(page, "Steps");
    steps::steps(page, &steps);
    let begun: String = history.begun.to_string().replacen('T', " ", 1).chars().take(19).collect();
    let words = format!("Started {begun} UTC, ran for {}.", duration(history.worked_ms));
    page.element("p", "soft", &words);
}

pub(super) fn charts(page: &mut Page, facts: &Facts, tests: &Tests) {
    let history = &facts.history;
    let steps = history.nodes.iter().map(|node| (node.name.clone(), node.ms));
    let tasks = facts.tasks.iter();
    let tasks = tasks.filter_map(|task| Some((task.id().to_string(), task.history.ms?)));
    let roles = history.spent.roles().iter().map(|(role, sum)| (role.clone(), sum.usage.total()));
    let findings = impact_bars(&history.state.tasks, &Leftovers::of(facts).places);
    heading(page, "Charts");
    page.raw("<div class=\"charts\">\n");
    chart(page, "Tests", &TestCounts::of(tests).bars(), |count| count.to_string());
    chart(page, "Findings by impact", &findings, |count| count.to_string());
    chart(page, "Time by step", &Bar::longest_first(steps), duration);
    chart(page, "Time by task", &Bar::longest_first(tasks), duration);
    chart(page, "Tokens by role", &Bar::longest_first(roles), |count| count.to_string());
    page.raw("</div>\n");
}

//! The workflow's graph: where the run is, and how it came there.

use rb_flow::RunState as _;
use rb_html::Page;
use rb_html::steps::{self, Step, StepState};

use super::RunView;
use crate::clock_words::duration;
use crate::live::RunFacts;

pub(crate) fn steps<W: RunView>(state: &W::State, facts: &RunFacts) -> Page {
    let drawing = W::graph(state.start()).drawing();
    let course = state.course();
    let at = course.position.at().filter(|_| course.outcome.is_none());
    let steps = drawing.nodes.iter().map(|node| {
        let visit = facts.nodes.iter().find(|(name, ..)| name == node.name);
        let step_state = match (at == Some(node.name), visit) {
            (true, _) if course.waiting => StepState::Waits,
            (true, _) if facts.busy => StepState::Works,
            (true, _) => StepState::Stopped,
            (false, Some(_)) => StepState::Done,
            (false, None) => StepState::Ahead,
        };
        let words = visit.map(|(_, visits, ms)| steps::visits(u64::from(*visits), &duration(*ms)));
        Step { name: node.name, does: node.does, state: step_state, words }
    });
    let mut page = Page::new();
    page.raw("<h2>Steps</h2>\n");
    steps::steps(&mut page, &steps.collect::<Vec<_>>());
    page.raw("<details class=\"graph\"><summary>The graph with its conditions</summary><div>");
    page.markup(&drawing.svg_at(at));
    page.raw("</div></details>\n");
    page
}

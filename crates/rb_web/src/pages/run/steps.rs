//! The workflow's graph: where the run is, and how it came there.

use rb_flow::RunState as _;
use rb_html::Page;

use super::RunView;
use crate::clock_words::duration;
use crate::live::RunFacts;

pub(crate) fn steps<W: RunView>(state: &W::State, facts: &RunFacts) -> Page {
    let drawing = W::graph(state.start()).drawing();
    let course = state.course();
    let at = course.position.at();
    let mut page = Page::new();
    page.raw("<h2>Steps</h2>\n<ol class=\"steps\">");
    for node in &drawing.nodes {
        let visit = facts.nodes.iter().find(|(name, ..)| name == node.name);
        let is_here = at == Some(node.name) && course.outcome.is_none();
        let class = match (is_here, visit) {
            (true, _) if course.waiting => "here waits",
            (true, _) if facts.busy => "here works",
            (true, _) => "here",
            (false, Some(_)) => "done",
            (false, None) => "",
        };
        page.open("li", &[("class", class), ("title", node.does)]);
        if is_here {
            page.raw("<span class=\"sr\">now: </span>");
        }
        page.element("b", "", node.name);
        if let Some((_, visits, ms)) = visit {
            let times = if *visits > 1 { format!("{visits} × · ") } else { String::new() };
            page.element("span", "", &format!("{times}{}", duration(*ms)));
        }
        page.close("li");
    }
    page.raw(
        "</ol>\n<details class=\"graph\"><summary>The graph with its conditions</summary><div>",
    );
    page.markup(&drawing.svg_at(at.filter(|_| course.outcome.is_none())));
    page.raw("</div></details>\n");
    page
}

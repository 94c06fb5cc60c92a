//! The steps of a run in their order, drawn alike on the page of a run and in `report.html`.

use crate::page::Page;

/// Where a run stands with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    Ahead,
    Done,
    /// The run is here: somebody works, a person is to decide, or it was cut off.
    Works,
    Waits,
    Stopped,
}

impl StepState {
    fn class(self) -> &'static str {
        match self {
            StepState::Ahead => "",
            StepState::Done => "done",
            StepState::Works => "here works",
            StepState::Waits => "here waits",
            StepState::Stopped => "here",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub name: &'static str,
    /// What happens in it.
    pub does: &'static str,
    pub state: StepState,
    /// How often and how long, if it was visited.
    pub words: Option<String>,
}

/// `2 × · 1.5 s`
pub fn visits(visits: u64, time: &str) -> String {
    if visits > 1 { format!("{visits} × · {time}") } else { time.to_owned() }
}

pub fn steps(page: &mut Page, steps: &[Step]) {
    page.raw("<ol class=\"steps\">");
    for step in steps {
        page.open("li", &[("class", step.state.class()), ("title", step.does)]);
        match step.state {
            StepState::Works | StepState::Waits | StepState::Stopped => {
                page.raw("<span class=\"sr\">now: </span>");
            }
            StepState::Ahead | StepState::Done => {}
        }
        page.element("b", "", step.name);
        if let Some(words) = &step.words {
            page.element("span", "", words);
        }
        page.close("li");
    }
    page.raw("</ol>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_the_step_at_hand_is_told_apart_without_its_colour() {
        let step = |name, state, words: Option<&str>| Step {
            name,
            does: "does <it>",
            state,
            words: words.map(str::to_owned),
        };
        let mut page = Page::new();
        let all = [
            step("plan", StepState::Done, Some("2 × 1.0 s")),
            step("check", StepState::Waits, None),
            step("apply", StepState::Ahead, None),
        ];
        steps(&mut page, &all);
        assert_eq!(
            page.done(),
            "<ol class=\"steps\"><li class=\"done\" title=\"does &lt;it&gt;\"><b>plan</b><span>2 × 1.0 s</span></li>\
             <li class=\"here waits\" title=\"does &lt;it&gt;\"><span class=\"sr\">now: </span><b>check</b></li>\
             <li class=\"\" title=\"does &lt;it&gt;\"><b>apply</b></li></ol>\n"
        );
    }
}

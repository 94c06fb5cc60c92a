//! Questions: the plan of the search, what was read, and the answer with its citations.

use rb_ask::answer::{Answer, Statement, Support};
use rb_ask::citation::CheckedCitation;
use rb_ask::workflow::{Ask, State};
use rb_core::{Usd, plural};
use rb_html::Page;

use super::{RunView, resume_button};
use crate::live::RunFacts;
use crate::pages::code::links::CodeLinks;
use crate::site::Site;

impl RunView for Ask {
    fn kind(_: &State) -> &'static str {
        "ask"
    }

    fn title(state: &State) -> String {
        state.start.question.clone()
    }

    fn place(state: &State) -> String {
        state.start.repo.display().to_string()
    }

    fn stands(state: &State, busy: bool) -> &'static str {
        state.stands(busy)
    }

    fn result(state: &State) -> String {
        let counts = state.counts.as_ref();
        counts.map_or_else(String::new, |counts| {
            format!(
                "{} of {} verified",
                counts.verified_claims,
                plural(counts.claims as usize, "claim")
            )
        })
    }

    type Artifacts = ();

    fn tiles(state: &State, (): &()) -> Vec<(String, &'static str)> {
        let mut tiles = vec![
            (state.calls().to_string(), "tool calls"),
            (state.files_read().len().to_string(), "files read"),
        ];
        if let Some(counts) = &state.counts {
            tiles.push((
                format!("{} of {}", counts.verified_claims, counts.claims),
                "claims verified",
            ));
            tiles.push((
                format!("{} of {}", counts.valid_citations, counts.citations),
                "citations valid",
            ));
        }
        tiles
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
        let links = CodeLinks::new(&state.start.repo, &facts.code);
        let mut page = Page::new();
        if let Some(answer) = &state.answer {
            page.raw("<h2>Answer</h2>\n");
            write_answer(&mut page, answer, &links);
        }
        if let Some(plan) = state.plans.last() {
            page.raw("<h2>Plan</h2>\n<ol class=\"plain\">");
            plan.steps.iter().for_each(|step| page.element("li", "", step));
            page.raw("</ol>\n");
        }
        let files = state.files_read();
        if !files.is_empty() {
            page.raw("<details><summary>");
            page.text(&format!("{} read", plural(files.len(), "file")));
            page.raw("</summary><div><ul class=\"plain\">");
            for file in &files {
                page.raw("<li>");
                links.file(&mut page, file);
                page.raw("</li>");
            }
            page.raw("</ul></div></details>\n");
        }
        page
    }
}

pub(in crate::pages) fn write_answer(page: &mut Page, answer: &Answer, links: &CodeLinks<'_>) {
    page.raw("<article class=\"answer\">");
    for section in &answer.sections {
        if !section.heading.is_empty() {
            page.element("h3", "", &section.heading);
        }
        section.statements.iter().for_each(|it| statement(page, it, links));
    }
    for missing in &answer.not_found {
        page.element("p", "soft", &format!("Not found: {missing}"));
    }
    answer.notes.iter().for_each(|note| page.element("p", "soft", note));
    page.raw("</article>\n");
}

fn statement(page: &mut Page, statement: &Statement, links: &CodeLinks<'_>) {
    let (class, why) = match &statement.support {
        Support::Verified => ("claim verified", None),
        Support::NotVerified { why } => ("claim unverified", Some(why)),
        Support::NoClaim => ("", None),
    };
    page.open("p", &[("class", class)]);
    page.text(&statement.text);
    for citation in &statement.citations {
        page.raw(" ");
        cite(page, citation, links);
    }
    if let Some(why) = why {
        page.raw(" ");
        page.element("span", "badge open", "not verified");
        page.raw(" ");
        page.element("span", "soft", why);
    }
    page.close("p");
}

/// A link to the cited lines; a citation that does not hold is struck out.
fn cite(page: &mut Page, checked: &CheckedCitation, links: &CodeLinks<'_>) {
    let Some(fault) = &checked.fault else {
        links.citation(page, checked);
        return;
    };
    page.open("del", &[("class", "cite"), ("title", &fault.to_string())]);
    page.text(&checked.citation.place());
    page.close("del");
}

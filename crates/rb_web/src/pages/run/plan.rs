//! The plan that waits: what each task would change, each of them to be left out.

use rb_change::ChangeFiles as _;
use rb_core::{Task, plural};
use rb_html::Page;
use rb_refactor::State;

use super::proposer;
use crate::live::RunFacts;
use crate::pages::actions;
use crate::pages::code::links::CodeLinks;
use crate::site::Site;

/// Files and notes of a task that are listed.
const LISTED: usize = 30;

pub(super) fn form(page: &mut Page, state: &State, facts: &RunFacts, site: &Site) {
    page.raw("<h2>The plan waits for you</h2>\n");
    if site.read_only {
        page.element("p", "soft", "The server is read-only: decide on the command line.");
        list(page, state, facts);
        return;
    }
    let begin = format!("/runs/{}/begin", facts.id);
    page.open("form", &[("method", "post"), ("action", &begin), ("class", "plan-form")]);
    actions::key(page, site);
    page.raw("<div class=\"plan-bar\"><output hidden></output>");
    page.raw("<button type=\"button\" data-tick=\"all\" hidden>All</button>");
    page.raw("<button type=\"button\" data-tick=\"none\" hidden>None</button></div>\n");
    list(page, state, facts);
    page.raw("<div class=\"plan-bar\"><button class=\"primary\">Begin with the ticked tasks</button></div>\n</form>\n");
    actions::form(page, site, &facts.id, |page| {
        page.raw("<button name=\"verb\" value=\"reject\" class=\"danger\" data-confirm=\"Drop the plan and end the run?\">Drop the plan</button>");
    });
}

fn list(page: &mut Page, state: &State, facts: &RunFacts) {
    let links = CodeLinks::new(&state.started.repo, &facts.code);
    page.raw("<ul class=\"plan\">\n");
    for task in &state.tasks {
        item(page, task, facts, &links);
    }
    page.raw("</ul>\n");
}

fn item(page: &mut Page, task: &Task, facts: &RunFacts, links: &CodeLinks<'_>) {
    let id = task.id.to_string();
    let include = format!("Include {id}");
    page.raw("<li>");
    let tick = [("type", "checkbox"), ("name", "task"), ("value", &*id), ("checked", "")];
    page.open("input", &[&tick[..], &[("aria-label", &*include)]].concat());
    let patch = format!("/runs/{}/review/{id}", facts.id);
    // What is proposed by a model is made when its turn comes.
    let has_patch = facts.dir.proposal(task.id).is_file();
    if has_patch {
        page.open("details", &[("data-diff", &*patch)]);
    } else {
        page.raw("<details>");
    }
    page.raw("<summary>");
    page.element("code", "", &id);
    page.element("b", "", &task.goal);
    let files = plural(task.files.len(), "file");
    let words = format!("{files} · {} · risk {}", proposer(&task.by), task.risk_score);
    page.element("span", "facts", &words);
    page.raw("</summary>\n<div class=\"about-task\">");
    about(page, task, links);
    page.raw("</div>\n<div class=\"diffs\">");
    if has_patch {
        page.open("a", &[("class", "button"), ("href", &format!("{patch}?form=patch"))]);
        page.raw("Open the patch</a>");
    } else {
        page.element("p", "soft", "Its change is made, checked and shown when its turn comes.");
    }
    page.raw("</div></details></li>\n");
}

fn about(page: &mut Page, task: &Task, links: &CodeLinks<'_>) {
    if !task.depends_on.is_empty() {
        let needs: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
        let words = format!("Needs {}: without it, this task is left out too.", needs.join(", "));
        page.element("p", "soft", &words);
    }
    if !task.notes.is_empty() {
        page.raw("<ul class=\"plain\">");
        task.notes.iter().take(LISTED).for_each(|note| page.element("li", "", note));
        page.raw("</ul>");
    }
    page.raw("<ul class=\"files\" aria-label=\"Files\">");
    for file in task.files.iter().take(LISTED) {
        page.raw("<li>");
        links.file(page, &file.to_string());
        page.raw("</li>");
    }
    if let Some(more) = task.files.len().checked_sub(LISTED).filter(|&more| more > 0) {
        page.element("li", "soft", &format!("and {more} more"));
    }
    page.raw("</ul>");
}

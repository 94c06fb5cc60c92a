//! The change of a ticket, whose tasks stand or fall together: one diff, with the findings of all of them.

use rb_core::fs;
use rb_flow::RunDir;
use rb_html::Page;
use rb_html::diff::Budget;
use rb_refactor::ChangeView;
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::state::State;

use super::{Head, LINES, LINES_PER_FILE, layout_name, layout_of, side};
use crate::layout::{Frame, Tab};
use crate::pages::run::{RunView as _, ticket};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

pub(super) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let run = request.run()?;
    let state = rb_change::summary::<Ticketing>(&site.host, &run).map_err(Problem::of_run)?;
    let dir = RunDir::new(&site.host.home, &run);
    let patch = fs::read_optional(&dir.report().join("change.diff")).map_err(Problem::failed)?;
    let layout = layout_of(request);
    let title = Ticketing::title(&state);
    let mut body = Page::new();
    body.raw("<div id=\"review\">\n");
    let words = Ticketing::result(&state);
    let kept = || state.change.ledger.iter().filter(|entry| entry.commit.is_some());
    let head = Head {
        run: &run,
        title: &title,
        words: &words,
        size: kept().fold((0, 0), |(a, r), entry| (a + entry.added, r + entry.removed)),
        layout,
        address: &|layout| format!("/runs/{run}/review?layout={}", layout_name(layout)),
    };
    head.write(&mut body, |page| ticket::decisions(page, &state, site, &run));
    match patch.filter(|patch| !patch.is_empty()) {
        None => body
            .raw("<div class=\"empty\"><p>The diff is written at the end of the run.</p></div>\n"),
        Some(patch) => {
            body.raw("<div class=\"changes\">\n");
            let whole = format!("/runs/{run}/files/report/change.diff");
            let view = ChangeView { layout, anchor: "ticket", patch: Some(&whole) };
            diff(&mut body, &patch, (&dir, &state), view)?;
            body.raw("</div>\n");
        }
    }
    body.raw("</div>\n");
    side::keys(&mut body);
    let title = format!("Review of {title}");
    let frame = Frame { title: &title, tab: Tab::Runs, scripts: &["review.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

/// One diff, with what the audit found in the tasks.
fn diff(
    page: &mut Page,
    patch: &[u8],
    (dir, state): (&RunDir, &State),
    view: ChangeView<'_>,
) -> Result<(), Problem> {
    let mut findings = Vec::new();
    for task in &state.tasks {
        for finding in rb_refactor::findings_of_task(dir, task.id).map_err(Problem::failed)? {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    let mut budget = Budget { lines: LINES, lines_per_file: LINES_PER_FILE };
    page.raw("<details class=\"change\" id=\"ticket\" open><summary><h2>The whole change</h2></summary>\n<div class=\"diffs\">\n");
    rb_refactor::write_change(page, patch, &findings, view, &mut budget);
    page.raw("</div>\n</details>\n");
    Ok(())
}

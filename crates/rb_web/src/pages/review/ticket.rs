//! The change of a ticket, whose tasks stand or fall together: one diff.

use rb_core::fs;
use rb_flow::RunDir;
use rb_html::Page;
use rb_html::diff::{Budget, Layout};
use rb_ticket::workflow::Ticketing;

use super::{LINES, LINES_PER_FILE};
use crate::layout::{Frame, Tab};
use crate::pages::run::RunView as _;
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

pub(super) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let run = request.run()?;
    let state = rb_change::summary::<Ticketing>(&site.host, &run).map_err(Problem::failed)?;
    let file = RunDir::new(&site.host.home, &run).report().join("change.diff");
    let patch = fs::read_optional(&file).map_err(Problem::failed)?.unwrap_or_default();
    let title = Ticketing::title(&state);
    let mut body = Page::new();
    body.raw("<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><a href=\"/runs\">Runs</a> <span>/</span> ");
    body.link(&format!("/runs/{run}"), run.as_str());
    body.raw(" <span>/</span> Review</nav>\n");
    body.element("h1", "", &title);
    if patch.is_empty() {
        body.raw("<div class=\"empty\"><p>The diff is written at the end of the run.</p></div>\n");
    } else {
        let mut budget = Budget { lines: LINES, lines_per_file: LINES_PER_FILE };
        rb_refactor::write_change(&mut body, &patch, &[], (Layout::Unified, "ticket"), &mut budget);
    }
    let title = format!("Review of {title}");
    Ok(Frame { title: &title, tab: Tab::Runs, scripts: &[], is_wide: true }.reply(site, &body))
}

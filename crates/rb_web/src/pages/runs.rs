//! The list of runs, newest first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rb_core::RunId;
use rb_flow::{RunDir, runs, state_words};
use rb_html::Page;

use super::run::mood;
use crate::clock_words::{count, duration, time};
use crate::layout::{Frame, Tab};
use crate::live::{Row, follow};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// Runs on one page.
const PER_PAGE: usize = 100;

/// What the list shows of each run, by the length of its journal: only what has grown is read again.
#[derive(Default)]
pub(crate) struct RunRows(Mutex<BTreeMap<RunId, (u64, bool, Row)>>);

impl RunRows {
    /// `None` for a run that has not begun.
    pub(crate) fn row(&self, site: &Site, id: &RunId) -> Option<Row> {
        let dir = RunDir::new(&site.host.home, id);
        let length = dir.journal().metadata().ok()?.len();
        let busy = runs::is_busy(&dir).unwrap_or(false);
        if let Some((known, was_busy, row)) = self.lock().get(id)
            && (*known, *was_busy) == (length, busy)
        {
            return Some(row.clone());
        }
        // Other pages need not wait for a long journal.
        let row = match follow(site, id) {
            Ok(run) => run.row()?,
            Err(Problem::NotFound(_)) => return None,
            Err(problem) => unreadable(id, &problem),
        };
        self.lock().insert(id.clone(), (length, busy, row.clone()));
        Some(row)
    }

    /// Drops the rows of runs that are gone.
    fn keep(&self, ids: &[RunId]) {
        let ids: BTreeSet<&RunId> = ids.iter().collect();
        self.lock().retain(|id, _| ids.contains(id));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, (u64, bool, Row)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run whose journal is damaged, or of a newer version.
fn unreadable(id: &RunId, problem: &Problem) -> Row {
    Row {
        kind: "",
        title: format!("Run {id}"),
        place: String::new(),
        stands: "unreadable",
        result: problem.words().to_owned(),
        cost: String::new(),
        began: None,
        ms: 0,
    }
}

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let mut ids = runs::list(&site.host.home).map_err(Problem::failed)?;
    site.rows.keep(&ids);
    ids.reverse();
    let from = request.query("from").and_then(|from| from.parse().ok()).unwrap_or(0_usize);
    let rows: Vec<(RunId, Row)> = ids
        .iter()
        .skip(from)
        .take(PER_PAGE)
        .filter_map(|id| Some((id.clone(), site.rows.row(site, id)?)))
        .collect();
    let mut body = Page::new();
    body.raw("<h1>Runs</h1>\n");
    if rows.is_empty() {
        body.raw("<div class=\"empty\"><p>No runs yet.</p><a class=\"button primary\" href=\"/new\">Start one</a></div>\n");
    } else {
        table(&mut body, &rows);
        pager(&mut body, from, ids.len());
    }
    Ok(Frame { title: "Runs", tab: Tab::Runs, scripts: &[], is_wide: true }.reply(site, &body))
}

fn table(page: &mut Page, rows: &[(RunId, Row)]) {
    page.table(&["State", "Run", "Workflow", "Result", "Cost#", "Duration#", "Started"]);
    for (id, row) in rows {
        page.raw("<tr><td>");
        page.element("span", &format!("badge {}", mood(row.stands)), state_words(row.stands));
        page.raw("</td><td class=\"long\">");
        page.link(&format!("/runs/{id}"), &row.title);
        page.raw("<div class=\"soft\"><code>");
        page.text(&row.place);
        page.raw("</code></div></td>");
        page.cell("", row.kind);
        page.cell("", &row.result);
        page.element("td", "number", &row.cost);
        page.element("td", "number", &duration(row.ms));
        page.raw("<td class=\"moment\">");
        row.began.into_iter().for_each(|began| time(page, began));
        page.raw("</td></tr>\n");
    }
    page.end_table();
}

fn pager(page: &mut Page, from: usize, all: usize) {
    if all <= PER_PAGE {
        return;
    }
    page.raw("<nav class=\"pager\" aria-label=\"Pages\">");
    if from > 0 {
        page.link(&format!("/runs?from={}", from.saturating_sub(PER_PAGE)), "Newer");
    }
    let last = (from + PER_PAGE).min(all);
    page.element("span", "soft", &format!("{} to {} of {}", from + 1, last, count(all as u64)));
    if last < all {
        page.link(&format!("/runs?from={last}"), "Older");
    }
    page.raw("</nav>\n");
}

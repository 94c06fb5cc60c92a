//! Runs by what was asked for, their id, their kind and how they stand.

use rb_core::RunId;
use rb_flow::{runs, state_words};
use rb_html::Page;

use super::words::{reasons, words};
use crate::clock_words::time;
use crate::live::Row;
use crate::pages::run::mood;
use crate::reply::Problem;
use crate::site::Site;

/// The newest runs that are searched, and those that are shown.
const SEARCHED: usize = 500;
const SHOWN: usize = 10;

pub(super) fn write(body: &mut Page, site: &Site, asked: &str) -> Result<(), Problem> {
    let words = words(asked);
    let ids = runs::list(&site.host.home).map_err(Problem::failed)?;
    let mut hits =
        ids.iter().rev().take(SEARCHED).filter_map(|id| hit(site, id, &words)).peekable();
    if hits.peek().is_none() {
        return Ok(());
    }
    body.raw("<h2>Runs</h2>\n<ol class=\"hits\">\n");
    hits.take(SHOWN).for_each(|(id, row, why)| item(body, id, &row, &why));
    body.raw("</ol>\n");
    Ok(())
}

fn hit<'i>(site: &Site, id: &'i RunId, words: &[String]) -> Option<(&'i RunId, Row, String)> {
    let row = site.rows.row(site, id)?;
    let texts = [
        ("title", row.title.as_str()),
        ("id", id.as_str()),
        ("workflow", row.kind),
        ("state", state_words(row.stands)),
        ("result", row.result.as_str()),
        ("place", row.place.as_str()),
    ];
    let why = reasons(words, &texts)?;
    Some((id, row, why))
}

fn item(body: &mut Page, id: &RunId, row: &Row, why: &str) {
    body.raw("<li>\n<h2>");
    body.link(&format!("/runs/{id}"), &row.title);
    body.raw(" ");
    body.element("span", &format!("badge {}", mood(row.stands)), state_words(row.stands));
    body.raw("</h2>\n<p class=\"soft why\">");
    body.text(&format!("{} · ", row.kind));
    if let Some(began) = row.began {
        time(body, began);
        body.raw(" · ");
    }
    body.text(why);
    body.raw("</p>\n</li>\n");
}

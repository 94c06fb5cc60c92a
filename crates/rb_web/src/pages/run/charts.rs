//! Where time and tokens went, as bars with their numbers.

use rb_html::Page;

use crate::clock_words::{count, duration};
use crate::live::RunFacts;

/// Bars of one chart, the longest first.
const BARS: usize = 12;

/// Named rows with a number each.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<(String, u64)>,
}

pub(super) fn charts(facts: &RunFacts, own: &[Chart]) -> Page {
    let mut page = Page::new();
    let mut nodes: Vec<(String, u64)> =
        facts.nodes.iter().map(|(name, _, ms)| (name.clone(), *ms)).collect();
    nodes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let roles = facts.ledger.roles().iter().map(|(role, sum)| (role.clone(), sum.usage.total()));
    let mut roles: Vec<(String, u64)> = roles.collect();
    roles.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    if nodes.is_empty() && roles.is_empty() {
        return page;
    }
    page.raw("<h2>Where it went</h2>\n<div class=\"charts\">");
    for chart in own {
        bars(&mut page, chart.title, &chart.rows, count);
    }
    bars(&mut page, "Time by step", &nodes, duration);
    bars(&mut page, "Tokens by role", &roles, count);
    page.raw("</div>\n");
    page
}

/// A table with a bar in each row. Nothing for no rows.
fn bars(page: &mut Page, title: &'static str, rows: &[(String, u64)], words: fn(u64) -> String) {
    let most = rows.iter().map(|(_, value)| *value).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    page.raw("<table class=\"chart\"><caption>");
    page.raw(title);
    page.raw("</caption><tbody>\n");
    for (name, value) in rows.iter().take(BARS) {
        page.raw("<tr>");
        page.open("th", &[("scope", "row")]);
        page.text(name);
        page.close("th");
        page.raw("<td><svg class=\"bar\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        let width = (value.saturating_mul(1000) / most).max(1).to_string();
        page.open("rect", &[("width", &width), ("height", "8")]);
        page.raw("</rect></svg></td>");
        page.element("td", "number", &words(*value));
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

//! Where time and tokens went, and what a workflow counts itself.

use rb_html::Page;
use rb_html::chart::{Bar, chart};

use crate::clock_words::{count, duration};
use crate::live::RunFacts;

/// A chart of counts.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) bars: Vec<Bar>,
}

pub(super) fn charts(facts: &RunFacts, own: &[Chart]) -> Page {
    let mut page = Page::new();
    let nodes = Bar::longest_first(facts.nodes.iter().map(|(name, _, ms)| (name.clone(), *ms)));
    let roles = facts.ledger.roles().iter().map(|(role, sum)| (role.clone(), sum.usage.total()));
    let roles = Bar::longest_first(roles);
    if nodes.is_empty() && roles.is_empty() {
        return page;
    }
    page.raw("<h2>Charts</h2>\n<div class=\"charts\">\n");
    for own in own {
        chart(&mut page, own.title, &own.bars, count);
    }
    chart(&mut page, "Time by step", &nodes, duration);
    chart(&mut page, "Tokens by role", &roles, count);
    page.raw("</div>\n");
    page
}

//! What the rules find: by category and impact, with filters; and one rule with its fixes.

mod explanation;
mod filters;
mod fixes;
mod list;
mod one;

use rb_html::Page;
use rb_index::search::Searchable;
use rb_rules::engine::Checked;
use rb_rules::{Applicability, Category, Certainty, Finding};

use self::filters::Filters;
use self::list::RuleNames;
use super::code::findings::{self, Findings};
use super::code::navigation;
use super::code::numbers::{count, plural};
use super::code::paging::Paging;
use super::code::prose::prose;
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

const ROWS: usize = 100;

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let found =
        site.indexed(Searchable::Nothing, |repo, indexed| findings::all(site, repo, indexed))??;
    let filters = Filters::of(request);
    let mut body = Page::new();
    body.element("h1", "", "Rules");
    tiles(&mut body, &found.checked);
    if found.checked.findings.is_empty() {
        nothing(&mut body, &found.checked);
    } else {
        filters.write(&mut body, &found);
        let shown: Vec<&Finding> =
            found.checked.findings.iter().filter(|finding| filters.pass(finding)).collect();
        by_rule(&mut body, &found, &shown);
        all(&mut body, request, &filters, &shown);
    }
    unread(&mut body, &found.checked);
    Ok(Frame { title: "Rules", tab: Tab::Rules, scripts: &["code.js"], is_wide: false }
        .reply(site, &body))
}

/// The page of one rule.
pub(crate) fn rule(site: &Site, request: &Request) -> Result<Reply, Problem> {
    one::page(site, request)
}

fn tiles(body: &mut Page, checked: &Checked) {
    let number = |is_meant: &dyn Fn(&Finding) -> bool| {
        count(checked.findings.iter().filter(|finding| is_meant(finding)).count() as u64)
    };
    let with = |kind: Applicability| {
        number(&|finding| finding.fix.as_ref().is_some_and(|fix| fix.applicability == kind))
    };
    navigation::tiles(
        body,
        &[
            (number(&|it| it.certainty == Certainty::Proved), "findings".to_owned()),
            (number(&|it| it.certainty == Certainty::Likely), "candidates to judge".to_owned()),
            (with(Applicability::Auto), "can be fixed".to_owned()),
            (with(Applicability::Assist), "with a draft".to_owned()),
            (count(checked.silenced.len() as u64), "silenced by comments".to_owned()),
            (count(checked.files as u64), "files checked".to_owned()),
        ],
    );
}

fn nothing(body: &mut Page, checked: &Checked) {
    body.raw("<p class=\"empty\">");
    if checked.files == 0 {
        body.raw("No file here is one that the rules are about. The built-in rules are about React and Next.js. ");
        body.raw("Run <code>refactor-bot rules new</code> to write a rule for any language.");
    } else {
        body.raw("The rules found nothing. Run <code>refactor-bot rules check --all</code> to include rules that rarely pay off.");
    }
    body.raw("</p>\n");
}

/// How often each rule speaks, the greatest impact first.
fn by_rule(body: &mut Page, found: &Findings, shown: &[&Finding]) {
    let rows = list::rows(found, shown);
    body.raw("<h2>By rule</h2>\n");
    if rows.is_empty() {
        body.element("p", "empty", "No finding passes the filters. Choose “All” above.");
        return;
    }
    body.table(&["Rule", "Category", "Impact", "Fix", "Findings#", "Candidates#", "Fixable#"]);
    for row in rows {
        body.raw("<tr><td class=\"long\">");
        body.link(&Page::path("/rules/", row.id), row.id);
        body.raw("<div class=\"soft\">");
        prose(body, row.title);
        body.raw("</div></td>");
        body.cell("", row.category.map_or("Your own rules", Category::title));
        body.cell("", row.impact);
        body.cell("", row.fix);
        body.cell("number", &count(row.proved));
        body.cell("number", &count(row.likely));
        body.cell("number", &count(row.fixable));
        body.raw("</tr>\n");
    }
    body.end_table();
}

fn all(body: &mut Page, request: &Request, filters: &Filters, shown: &[&Finding]) {
    if shown.is_empty() {
        return;
    }
    let paging = Paging::of(request, shown.len(), ROWS);
    body.raw("<h2>Findings</h2>\n");
    list::write(body, paging.shown(shown), RuleNames::Shown);
    paging.links(body, &filters.address());
}

fn unread(body: &mut Page, checked: &Checked) {
    if checked.unread.is_empty() {
        return;
    }
    let names = rb_core::at_most(5, checked.unread.iter().cloned());
    let files = plural(checked.unread.len() as u64, "file");
    body.element("p", "soft", &format!("{files} could not be parsed: {}.", names.join(", ")));
}

#[cfg(test)]
mod tests;

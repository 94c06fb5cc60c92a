//! Findings as rows: of rules, and one by one.

use std::collections::BTreeMap;

use rb_html::Page;
use rb_rules::{Applicability, Category, Certainty, Finding, Impact, Severity, engine};

use crate::pages::code::address;
use crate::pages::code::findings::Findings;
use crate::pages::code::prose::prose;

/// A rule with what it found.
pub(super) struct RuleRow<'f> {
    pub(super) id: &'f str,
    pub(super) title: &'f str,
    /// None of a rule that the project wrote itself.
    pub(super) category: Option<Category>,
    pub(super) impact: &'static str,
    pub(super) fix: &'static str,
    pub(super) proved: u64,
    pub(super) likely: u64,
    /// By an edit that is proved to keep behaviour.
    pub(super) fixable: u64,
}

/// The greatest impact first, then the most findings.
pub(super) fn rows<'f>(found: &'f Findings, findings: &[&'f Finding]) -> Vec<RuleRow<'f>> {
    let mut rows: BTreeMap<&str, (Option<Impact>, RuleRow<'_>)> = BTreeMap::new();
    for finding in findings {
        let (_, row) = rows.entry(&finding.rule).or_insert_with(|| row(found, &finding.rule));
        match finding.certainty {
            Certainty::Proved => row.proved += 1,
            Certainty::Likely => row.likely += 1,
        }
        let fix = finding.fix.as_ref().map(|fix| fix.applicability);
        row.fixable += u64::from(fix == Some(Applicability::Auto));
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    // The project's own rules come first: somebody here wanted them.
    rows.sort_by_key(|(impact, row)| (*impact, std::cmp::Reverse(row.proved + row.likely), row.id));
    rows.into_iter().map(|(_, row)| row).collect()
}

fn row<'f>(found: &'f Findings, id: &'f str) -> (Option<Impact>, RuleRow<'f>) {
    let rule = engine::rule(id);
    let row = RuleRow {
        id,
        title: rule.map_or_else(|| found.own.get(id).map_or("", String::as_str), |rule| rule.title),
        category: rule.map(|rule| rule.category),
        impact: rule.map_or("", |rule| rule.impact.name()),
        fix: rule.map_or("", |rule| rule.fix.name()),
        proved: 0,
        likely: 0,
        fixable: 0,
    };
    (rule.map(|rule| rule.impact), row)
}

/// Whether each finding names its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleNames {
    Shown,
    /// All are of the rule that the page is about.
    LeftOut,
}

/// Findings under the files that they are in.
pub(super) fn write(body: &mut Page, findings: &[&Finding], names: RuleNames) {
    for group in findings.chunk_by(|a, b| a.path == b.path) {
        body.raw("<section class=\"findings\">\n<h3>");
        body.link(&address::file(&group[0].path), &group[0].path);
        body.raw("</h3>\n<ul>\n");
        for finding in group {
            one(body, finding, names);
        }
        body.raw("</ul>\n</section>\n");
    }
}

fn one(body: &mut Page, finding: &Finding, names: RuleNames) {
    body.raw("<li>");
    let place = address::lines(&finding.path, finding.line, finding.end_line);
    body.link(&place, &format!("{}:{}", finding.line, finding.column));
    body.raw(" ");
    let (class, words) = match (finding.certainty, finding.severity) {
        (Certainty::Likely, _) => ("badge", "candidate"),
        (Certainty::Proved, Severity::Error) => ("badge bad", "error"),
        (Certainty::Proved, Severity::Warning) => ("badge open", "warning"),
        (Certainty::Proved, Severity::Note) => ("badge", "note"),
    };
    body.element("span", class, words);
    body.raw(" ");
    prose(body, &finding.message);
    if names == RuleNames::Shown {
        body.raw(" ");
        body.link(&Page::path("/rules/", &finding.rule), &finding.rule);
    }
    match finding.fix.as_ref().map(|fix| fix.applicability) {
        Some(Applicability::Auto) => body.raw(" <span class=\"badge good\">fix</span>"),
        Some(Applicability::Assist) => body.raw(" <span class=\"badge\">draft</span>"),
        None => {}
    }
    body.raw("</li>\n");
}

//! Which findings are shown.

use std::collections::BTreeMap;

use rb_html::Page;
use rb_rules::{Category, Finding, Impact, Severity, engine};

use crate::pages::code::address::Address;
use crate::pages::code::findings::Findings;
use crate::pages::code::navigation::{self, Choice};
use crate::pages::code::numbers::count;
use crate::request::Request;

/// The name of the category that the project's own rules are in.
const OWN: &str = "own";
const IMPACTS: [Impact; 6] = [
    Impact::Critical,
    Impact::High,
    Impact::MediumHigh,
    Impact::Medium,
    Impact::LowMedium,
    Impact::Low,
];
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

/// What a finding must be; empty where anything goes.
#[derive(Debug, Clone, Default)]
pub(super) struct Filters {
    category: String,
    impact: String,
    severity: String,
    rule: String,
    /// A part of the path.
    path: String,
}

impl Filters {
    pub(super) fn of(request: &Request) -> Filters {
        let text = |name: &str| request.query(name).unwrap_or_default().trim().to_owned();
        Filters {
            category: text("category"),
            impact: text("impact"),
            severity: text("severity"),
            rule: text("rule"),
            path: text("path"),
        }
    }

    pub(super) fn pass(&self, finding: &Finding) -> bool {
        let is = |wanted: &str, value: &str| wanted.is_empty() || wanted == value;
        is(&self.category, category(&finding.rule))
            && is(&self.impact, impact(&finding.rule))
            && is(&self.severity, finding.severity.name())
            && is(&self.rule, &finding.rule)
            && finding.path.contains(&self.path)
    }

    /// The list with these filters.
    pub(super) fn address(&self) -> Address {
        Address::new("/rules")
            .with("category", &self.category)
            .with("impact", &self.impact)
            .with("severity", &self.severity)
            .with("rule", &self.rule)
            .with("path", &self.path)
    }

    /// The choices, each with the number of findings that it would show.
    pub(super) fn write(&self, body: &mut Page, found: &Findings) {
        let findings = &found.checked.findings;
        body.raw("<div class=\"filters\">\n");
        let categories = Category::ALL.map(|it| (it.prefix(), it.title()));
        let categories = categories.into_iter().chain([(OWN, "Your own rules")]);
        let of_category = |filters: &Filters, name: &str| Filters {
            category: name.to_owned(),
            ..filters.clone()
        };
        self.choice(body, "Category", findings, categories, &of_category, &self.category);
        let impacts = IMPACTS.map(|it| (it.name(), it.name())).into_iter();
        let of_impact =
            |filters: &Filters, name: &str| Filters { impact: name.to_owned(), ..filters.clone() };
        self.choice(body, "Impact", findings, impacts, &of_impact, &self.impact);
        let severities = SEVERITIES.map(|it| (it.name(), it.name())).into_iter();
        let of_severity = |filters: &Filters, name: &str| Filters {
            severity: name.to_owned(),
            ..filters.clone()
        };
        self.choice(body, "Severity", findings, severities, &of_severity, &self.severity);
        self.form(body);
        body.raw("</div>\n");
    }

    fn choice(
        &self,
        body: &mut Page,
        label: &str,
        findings: &[Finding],
        names: impl Iterator<Item = (&'static str, &'static str)>,
        with: &dyn Fn(&Filters, &str) -> Filters,
        current: &str,
    ) {
        let mut words: BTreeMap<usize, (Filters, String, bool)> = BTreeMap::new();
        for (at, (name, title)) in [("", "All")].into_iter().chain(names).enumerate() {
            let filters = with(self, name);
            let number = findings.iter().filter(|finding| filters.pass(finding)).count();
            if number > 0 || name == current || name.is_empty() {
                let text = format!("{title} {}", count(number as u64));
                words.insert(at, (filters, text, name == current));
            }
        }
        let items: Vec<Choice<'_>> = words
            .values()
            .map(|(filters, words, is_current)| Choice {
                address: filters.address(),
                words,
                is_current: *is_current,
            })
            .collect();
        navigation::choices(body, "segments", label, &items);
    }

    fn form(&self, body: &mut Page) {
        body.raw("<form class=\"search\" action=\"/rules\">\n");
        let kept = [
            ("category", &self.category),
            ("impact", &self.impact),
            ("severity", &self.severity),
            ("rule", &self.rule),
        ];
        for (name, value) in kept {
            if !value.is_empty() {
                body.open("input", &[("type", "hidden"), ("name", name), ("value", value)]);
            }
        }
        body.raw("<label class=\"sr\" for=\"path\">Part of a path</label>\n");
        let attributes = [
            ("type", "search"),
            ("name", "path"),
            ("id", "path"),
            ("placeholder", "Part of a path"),
            ("value", &*self.path),
        ];
        body.open("input", &attributes);
        body.raw("\n<button type=\"submit\">Filter</button>\n</form>\n");
        if !self.rule.is_empty() {
            body.raw("<p>Only rule <code>");
            body.text(&self.rule);
            body.raw("</code>. ");
            let all = Filters { rule: String::new(), ..self.clone() };
            body.link(all.address().text(), "Show all rules");
            body.raw("</p>\n");
        }
    }
}

/// The name of the category of a rule.
fn category(rule: &str) -> &'static str {
    engine::rule(rule).map_or(OWN, |rule| rule.category.prefix())
}

/// Empty for a rule that the project wrote itself.
fn impact(rule: &str) -> &'static str {
    engine::rule(rule).map_or("", |rule| rule.impact.name())
}

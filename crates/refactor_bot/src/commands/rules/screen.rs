//! Findings as a person reads them: file by file, then in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rb_rules::engine::Checked;
use rb_rules::{Applicability, Certainty, Finding, Severity};
use serde_json::json;

use crate::app::App;
use crate::numbers::plural;
use crate::ui::{Detail, printable};

pub(super) fn json(found: &Checked, prints: &[String]) -> serde_json::Value {
    let findings: Vec<serde_json::Value> = found
        .findings
        .iter()
        .zip(prints)
        .map(|(finding, print)| {
            let mut value = serde_json::to_value(finding).expect("plain data with text keys");
            value["fingerprint"] = json!(print);
            value
        })
        .collect();
    json!({
        "files": found.files,
        "findings": findings,
        "candidates": candidates(found),
        "silenced": found.silenced.len(),
        "unread": found.unread,
        "by_rule": by_rule(&found.findings),
    })
}

/// How many findings are likely and not proved.
fn candidates(found: &Checked) -> usize {
    found.findings.iter().filter(|it| it.certainty == Certainty::Likely).count()
}

fn by_rule(findings: &[Finding]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.rule.as_str()).or_default() += 1;
    }
    counts
}

/// The most findings of a rule shown to a person; the rest is counted.
const SHOWN: usize = 25;

pub(super) fn text(app: &App, found: &Checked) -> String {
    let mut out = String::new();
    let paint = app.ui.out;
    let mut last = "";
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &found.findings {
        let count = seen.entry(finding.rule.as_str()).or_default();
        *count += 1;
        if *count > SHOWN && app.ui.detail != Detail::Verbose {
            continue;
        }
        if finding.path != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}{}", paint.cyan(&printable(&finding.path)))
                .expect("a string takes it");
            last = &finding.path;
        }
        writeln!(out, "{}", line(app, finding)).expect("a string takes it");
    }
    if !found.findings.is_empty() {
        out.push('\n');
        numbers(&mut out, found);
    }
    let hidden: usize = seen.values().map(|count| count.saturating_sub(SHOWN)).sum();
    if hidden > 0 && app.ui.detail != Detail::Verbose {
        let rest = plural(hidden as u64, "finding");
        writeln!(out, "{SHOWN} of each rule are shown; --verbose shows {rest} more\n")
            .expect("a string takes it");
    }
    out.push_str(&sums(app, found));
    out
}

fn line(app: &App, finding: &Finding) -> String {
    let paint = app.ui.out;
    let severity = format!("{:<7}", finding.severity.name());
    let severity = match finding.severity {
        Severity::Error => paint.red(&severity),
        Severity::Warning => paint.yellow(&severity),
        Severity::Note => paint.dim(&severity),
    };
    let place = format!("{}:{}", finding.line, finding.column);
    let fix = match finding.fix.as_ref().map(|fix| fix.applicability) {
        Some(Applicability::Auto) => paint.green("  [fix]"),
        Some(Applicability::Assist) => paint.dim("  [draft]"),
        None => String::new(),
    };
    let candidate = match finding.certainty {
        Certainty::Likely => paint.dim("  [candidate]"),
        Certainty::Proved => String::new(),
    };
    format!(
        "  {place:>8}  {severity}  {}  {}{fix}{candidate}",
        printable(&finding.message),
        paint.dim(&printable(&finding.rule))
    )
}

/// How often each rule spoke, the most frequent first.
fn numbers(out: &mut String, found: &Checked) {
    let mut counts: Vec<(&str, usize)> = by_rule(&found.findings).into_iter().collect();
    counts.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), *rule));
    for (rule, count) in counts {
        writeln!(out, "{count:>6}  {}", printable(rule)).expect("a string takes it");
    }
    out.push('\n');
}

fn sums(app: &App, found: &Checked) -> String {
    let with = |which: Applicability| {
        let fixes = found.findings.iter().filter_map(|it| it.fix.as_ref());
        fixes.filter(|fix| fix.applicability == which).count()
    };
    let (fixes, drafts) = (with(Applicability::Auto), with(Applicability::Assist));
    let mut out = format!(
        "{} in {} checked",
        plural((found.findings.len() - candidates(found)) as u64, "finding"),
        plural(found.files as u64, "file")
    );
    if fixes > 0 {
        write!(out, ", {fixes} can be fixed").expect("a string takes it");
    }
    if drafts > 0 {
        write!(out, ", {drafts} with a draft").expect("a string takes it");
    }
    if !found.silenced.is_empty() {
        write!(out, ", {} silenced by comments", found.silenced.len()).expect("a string takes it");
    }
    out.push('\n');
    if !found.unread.is_empty() {
        let names: Vec<String> = found.unread.iter().take(3).map(|it| printable(it)).collect();
        let more = if found.unread.len() > 3 { ", …" } else { "" };
        writeln!(
            out,
            "{} not read: {}{more}",
            plural(found.unread.len() as u64, "file"),
            names.join(", ")
        )
        .expect("a string takes it");
    }
    match candidates(found) {
        0 => {}
        1 => out.push_str("1 candidate needs your judgement\n"),
        more => writeln!(out, "{more} candidates need your judgement").expect("a string takes it"),
    }
    if fixes > 0 {
        let hint = "`refactor-bot rules fix` applies the proved edits; --dry-run shows them";
        writeln!(out, "{}", app.ui.out.dim(hint)).expect("a string takes it");
    }
    out
}

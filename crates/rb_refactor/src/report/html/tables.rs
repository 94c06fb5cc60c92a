//! The tables of the page, one function each.

use rb_audit::Severity;
use rb_core::Verdict;
use rb_core::plural;
use rb_html::Page;
use rb_models::ledger::Sum;

use super::parts::{heading, link, list};
use crate::confidence::Confidence;
use crate::report::facts::{Facts, TaskFacts};
use crate::report::leftovers::Leftovers;
use crate::report::suites::{Side, Tests};
use crate::report::validation::{file_patch, status};
use crate::report::words::{FOLLOWUPS, REASONS, RISKS, by, duration, size};

/// The most lines of a list that are shown.
const MANY: usize = 100;
const FEW: usize = 5;

pub(super) fn tasks(page: &mut Page, facts: &Facts) {
    heading(page, "Tasks");
    if facts.tasks.is_empty() {
        page.raw("<p>There was no task.</p>\n");
        return;
    }
    page.table(&["Task", "Goal", "Status", "Made", "Risk#", "Tries#", "Lines#", "Confidence"]);
    for task in &facts.tasks {
        page.raw("<tr>");
        page.raw("<td class=\"id\">");
        page.element("code", "", &task.id().to_string());
        page.raw("</td><td class=\"long\">");
        page.text(&task.history.task.goal);
        let entry = task.entry();
        list(page, entry.map_or(&[], |entry| &entry.reasons), FEW);
        list(page, entry.map_or(&[], |entry| &entry.notes), FEW);
        critic(page, task);
        page.raw("</td>");
        page.cell(status_class(task), &status(task).replace('_', " "));
        page.cell("", &by(&task.history.task));
        page.cell("number", &task.history.task.risk_score.to_string());
        page.cell("number", &entry.map_or(0, |entry| entry.attempts).to_string());
        let lines = entry.map(|entry| size(entry.added, entry.removed)).unwrap_or_default();
        page.cell("number", &lines);
        confidence(page, task.confidence.as_ref());
        page.raw("</tr>\n");
    }
    page.end_table();
}

/// What a model said about the change, in its own words.
fn critic(page: &mut Page, task: &TaskFacts) {
    if let Some(critic) = &task.history.critic {
        page.raw("<p class=\"soft\">Critic: ");
        page.text(&critic.decision.name().replace('_', " "));
        page.raw("</p>");
        list(page, &critic.reasons, FEW);
    }
}

fn status_class(task: &TaskFacts) -> &'static str {
    match status(task) {
        "applied" => "good",
        "refused" => "bad",
        "skipped" | "rolled_back" => "open",
        _ => "soft",
    }
}

fn confidence(page: &mut Page, confidence: Option<&Confidence>) {
    page.raw("<td class=\"meter\">");
    if let Some(confidence) = confidence {
        page.bar(confidence.score);
    }
    page.raw("</td>");
}

pub(super) fn files(page: &mut Page, facts: &Facts) {
    if facts.files.is_empty() {
        return;
    }
    heading(page, "Files, lowest confidence first");
    page.table(&["Confidence", "File", "Change", "Lines#", "What it rests on"]);
    for file in facts.files_by_confidence().into_iter().take(MANY) {
        page.raw("<tr>");
        confidence(page, Some(&file.confidence));
        page.raw("<td class=\"long\">");
        link(page, &file_patch(file), &file.diff.path.to_string());
        if let Some(from) = &file.diff.from {
            page.raw("<br><span class=\"soft\">from ");
            page.text(&from.to_string());
            page.raw("</span>");
        }
        page.raw("</td>");
        page.cell("", file.diff.change.words());
        page.cell("number", &size(file.diff.added, file.diff.removed));
        let parts = file.confidence.parts.iter();
        let parts = parts.map(|part| format!("{} {:+}", part.what, part.points));
        page.cell("long soft", &parts.collect::<Vec<_>>().join("; "));
        page.raw("</tr>\n");
    }
    page.end_table();
    if facts.files.len() > MANY {
        let words = format!("{} more in validation-report.json", facts.files.len() - MANY);
        page.element("p", "soft", &words);
    }
}

pub(super) fn suites(page: &mut Page, facts: &Facts, tests: &Tests) {
    heading(page, "Tests and other checks");
    if !facts.runs_commands() {
        page.raw("<p>Not run: the run was started with --no-verify.</p>\n");
        return;
    }
    let sides = [("before", &tests.baseline), ("after", &tests.after)];
    page.table(&["When", "Check", "Command", "Verdict", "Passed#", "Failed#", "Skipped#", "Time#"]);
    for (when, side) in sides {
        match side {
            Some(side) => side_rows(page, when, side),
            None => {
                page.raw("<tr>");
                page.cell("", when);
                page.raw("<td colspan=\"7\">not run</td></tr>\n");
            }
        }
    }
    page.end_table();
    for (when, side) in sides {
        let Some(side) = side else { continue };
        if side.verdict != Verdict::Pass && !side.reasons.is_empty() {
            page.element("h3", "", &format!("Why the checks do not pass, {when}"));
            list(page, &side.reasons, MANY);
        }
    }
    if let Some(compared) = &tests.compared {
        let words = format!("{} passed before and after.", plural(compared.kept, "test"));
        page.element("p", "", &words);
        for (heading, names) in compared.lists() {
            page.element("h3", "", &format!("{heading} ({})", names.len()));
            list(page, names, MANY);
        }
    }
}

fn side_rows(page: &mut Page, when: &str, side: &Side) {
    if side.commands.is_empty() {
        page.raw("<tr>");
        page.cell("", when);
        page.raw("<td colspan=\"7\">no command was found</td></tr>\n");
    }
    for ran in &side.commands {
        page.raw("<tr>");
        page.cell("", when);
        page.cell("", ran.check());
        page.raw("<td class=\"long\">");
        page.element("code", "", &ran.command);
        if !ran.folder.is_empty() {
            page.raw(" <span class=\"soft\">in ");
            page.text(&ran.folder);
            page.raw("</span>");
        }
        page.raw("</td>");
        page.cell(verdict_class(ran.verdict), ran.verdict_words());
        for number in [ran.passed, ran.failed, ran.skipped] {
            page.cell("number", &number.map(|it| it.to_string()).unwrap_or_default());
        }
        page.cell("number", &duration(ran.ms));
        page.raw("</tr>\n");
    }
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "good",
        Verdict::Fail => "bad",
        Verdict::NoVerifierRan => "open",
    }
}

pub(super) fn audit(page: &mut Page, facts: &Facts) {
    let rows: Vec<_> = facts
        .tasks
        .iter()
        .filter_map(|task| Some((task, task.examination.as_ref()?)))
        .flat_map(|(task, it)| it.findings.iter().map(move |finding| (task, finding)))
        .collect();
    heading(page, "Audit");
    if !facts.tasks.iter().any(|task| task.examination.is_some()) {
        page.raw("<p>No change was audited.</p>\n");
        return;
    }
    if rows.is_empty() {
        page.raw("<p>The audit found nothing.</p>\n");
    } else {
        page.table(&["Task", "Place", "Kind", "Finding"]);
        for (task, finding) in rows.iter().take(MANY) {
            page.raw("<tr>");
            page.cell("", &task.id().to_string());
            page.cell("long", &format!("{}:{}", finding.path, finding.line));
            let class = if finding.severity == Severity::Error { "bad" } else { "open" };
            page.cell(class, &finding.kind.name().replace('_', " "));
            page.cell("long", &finding.message);
            page.raw("</tr>\n");
        }
        page.end_table();
    }
    interface_and_residue(page, facts);
}

fn interface_and_residue(page: &mut Page, facts: &Facts) {
    let looked = || facts.tasks.iter().filter_map(|task| task.examination.as_ref());
    let changes = |refused: bool| {
        looked().flat_map(move |it| if refused { &it.refused } else { &it.allowed })
    };
    for (refused, heading) in
        [(false, "Public interface: allowed changes"), (true, "Public interface: refused changes")]
    {
        let lines: Vec<String> =
            changes(refused).map(|it| format!("{}:{}: {}", it.file, it.line, it.words)).collect();
        if !lines.is_empty() {
            page.element("h3", "", heading);
            list(page, &lines, MANY);
        }
    }
    let lost: Vec<String> = looked()
        .flat_map(|it| &it.residue.lost)
        .map(|line| format!("{}:{}: {}", line.path, line.line, line.text))
        .collect();
    if !lost.is_empty() {
        page.element("h3", "", "Lines of logic that were rewritten or removed");
        list(page, &lost, MANY);
    }
}

pub(super) fn left(page: &mut Page, left: &Leftovers, notes: &[String]) {
    let Leftovers { tasks, places, unserved } = left;
    if tasks.is_empty() && places.is_empty() && unserved.is_none() && notes.is_empty() {
        return;
    }
    heading(page, "Not changed");
    if !notes.is_empty() {
        list(page, notes, MANY);
    }
    if let Some(unserved) = unserved {
        page.element("p", "", &unserved.why);
        list(page, &unserved.instead, MANY);
    }
    if tasks.is_empty() && places.is_empty() {
        return;
    }
    page.table(&["What", "Where", "Why"]);
    for task in tasks {
        page.raw("<tr>");
        page.cell("long", &task.goal);
        page.cell("", &task.task);
        let why = std::iter::once(task.how.words().to_owned())
            .chain(task.reasons.iter().cloned())
            .chain(task.failed_tries.iter().cloned());
        page.cell("long", &why.collect::<Vec<_>>().join("; "));
        page.raw("</tr>\n");
    }
    for place in places.iter().take(MANY) {
        page.raw("<tr>");
        page.cell("long", &format!("{}: {}", place.found_by, place.what));
        page.cell("long", &format!("{}:{}", place.path, place.line));
        page.cell("long", &place.reason);
        page.raw("</tr>\n");
    }
    page.end_table();
    if places.len() > MANY {
        let words = format!("{} more in validation-report.json", places.len() - MANY);
        page.element("p", "soft", &words);
    }
}

/// What models say beside their patches.
pub(super) fn said(page: &mut Page, facts: &Facts) {
    let reasons = facts.tasks.iter().filter(|task| !task.said.rationale.trim().is_empty());
    let reasons = reasons.map(|task| format!("{}: {}", task.id(), task.said.rationale)).collect();
    let risks = facts.tasks.iter().flat_map(|task| &task.said.risks).cloned().collect();
    let followups = facts.tasks.iter().flat_map(|task| &task.said.followups).cloned().collect();
    let lists: [(&str, Vec<String>); 3] =
        [(REASONS, reasons), (RISKS, risks), (FOLLOWUPS, followups)];
    for (title, lines) in lists.iter().filter(|(_, lines)| !lines.is_empty()) {
        heading(page, title);
        list(page, lines, MANY);
    }
}

pub(super) fn metrics(page: &mut Page, facts: &Facts) {
    heading(page, "Targets");
    page.table(&["Number", "Value#", "Target", "", "Counted from"]);
    for metric in &facts.metrics {
        page.raw("<tr>");
        page.cell("", metric.name);
        page.cell("number", &metric.shown());
        page.cell("", &metric.target);
        let class = match metric.holds {
            Some(true) => "good",
            Some(false) => "bad",
            None => "soft",
        };
        page.cell(class, metric.standing());
        page.cell("long soft", &metric.how);
        page.raw("</tr>\n");
    }
    page.end_table();
}

pub(super) fn models(page: &mut Page, facts: &Facts) {
    let spent = &facts.history.spent;
    heading(page, "Models");
    if spent.total().calls == 0 {
        page.raw("<p>No model was called.</p>\n");
    } else {
        page.table(&["Role", "Calls#", "Tokens in#", "Tokens out#", "Cost#", "Time#"]);
        for (role, sum) in spent.roles() {
            model_row(page, role, sum);
        }
        model_row(page, "all", &spent.total());
        page.end_table();
    }
    list(page, &facts.history.model_failures, MANY);
}

fn model_row(page: &mut Page, name: &str, sum: &Sum) {
    let cost = match (sum.unknown, sum.calls) {
        (0, _) => sum.cost.to_string(),
        (unknown, calls) if unknown == calls => "unknown".to_owned(),
        (unknown, _) => format!("{} and {unknown} unknown", sum.cost),
    };
    page.raw("<tr>");
    page.cell("", name);
    page.cell("number", &sum.calls.to_string());
    page.cell("number", &sum.usage.all_input().to_string());
    page.cell("number", &sum.usage.output.to_string());
    page.cell("number", &cost);
    page.cell("number", &duration(sum.ms));
    page.raw("</tr>\n");
}

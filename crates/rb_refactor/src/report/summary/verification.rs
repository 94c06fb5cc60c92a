//! What was checked, with numbers, and what was not.

use std::fmt::Write as _;

use rb_audit::Severity;
use rb_change::Examination;
use rb_core::{Verdict, at_most, plural};
use rb_recipes::INTERNAL_EXPORTS;

use super::{logic, record};
use crate::event::Outcome;
use crate::report::facts::Facts;
use crate::report::markdown::{cell, code, plain};
use crate::report::metrics::{BUNDLE, Group};
use crate::report::suites::{Ran, Side, Tests};

pub(super) fn section(facts: &Facts, tests: &Tests) -> String {
    let mut text = String::from("## Verification\n\n");
    suites(&mut text, facts, tests);
    read(&mut text, facts);
    checkout(&mut text, facts);
    bundle(&mut text, facts);
    metrics(&mut text, facts);
    text
}

fn suites(text: &mut String, facts: &Facts, tests: &Tests) {
    let side = |side: Option<&Side>| side.map_or("not run".to_owned(), Side::words);
    let (before, after) = (tests.baseline.as_ref(), tests.after.as_ref());
    if !facts.runs_commands() {
        text.push_str("- **Tests:** not run, because the run was started with `--no-verify`.\n");
        return;
    }
    let _ = writeln!(
        text,
        "- **Tests:** before: {} ({}); after: {} ({}).",
        side(before),
        record("baseline", "/tests/baseline"),
        side(after),
        record("after", "/tests/after"),
    );
    let is_red = |side: Option<&Side>| side.is_some_and(|side| side.verdict != Verdict::Pass);
    let sides = [("before", before), ("after", after)];
    for (when, side) in sides.into_iter().filter(|(_, side)| is_red(*side)) {
        for reason in side.iter().flat_map(|side| &side.reasons).take(NAMED) {
            let _ = writeln!(text, "  - {when}: {}", plain(reason));
        }
    }
    if let Some(compared) = &tests.compared {
        let _ = writeln!(
            text,
            "- **Compared by name:** {} passed before and after ({}).",
            plural(compared.kept, "test"),
            record("compared", "/tests/compared")
        );
        for (heading, names) in compared.lists() {
            let _ = writeln!(text, "  - {heading} ({}): {}", names.len(), named(names));
        }
    }
    let sides = [before, after].into_iter().flatten();
    for flake in sides.flat_map(|side| &side.commands).flat_map(|ran| &ran.flakes) {
        let _ = writeln!(text, "- **Flaky:** {}.", plain(flake));
    }
    commands(text, before, after);
}

/// The most names of a list that are shown; all are in the report.
const NAMED: usize = 5;

fn named(names: &[String]) -> String {
    at_most(NAMED, names.iter().map(|name| code(name))).join(", ")
}

fn commands(text: &mut String, before: Option<&Side>, after: Option<&Side>) {
    let of = |side: Option<&'_ Side>| side.map_or(0, |side| side.commands.len());
    if of(before) + of(after) == 0 {
        return;
    }
    text.push_str("\n| check | command | before | after |\n|---|---|---|---|\n");
    let mut rows: Vec<(&Ran, Option<&Ran>, Option<&Ran>)> = Vec::new();
    let same = |a: &Ran, b: &Ran| a.command == b.command && a.folder == b.folder;
    for ran in before.into_iter().flat_map(|side| &side.commands) {
        rows.push((ran, Some(ran), None));
    }
    for ran in after.into_iter().flat_map(|side| &side.commands) {
        match rows.iter_mut().find(|(known, ..)| same(known, ran)) {
            Some(row) => row.2 = Some(ran),
            None => rows.push((ran, None, Some(ran))),
        }
    }
    for (ran, before, after) in rows {
        let folder = if ran.folder.is_empty() {
            String::new()
        } else {
            format!(" in {}", cell(&ran.folder))
        };
        let _ = writeln!(
            text,
            "| {} | {}{folder} | {} | {} |",
            ran.check(),
            cell(&ran.command),
            outcome(before),
            outcome(after)
        );
    }
    text.push('\n');
}

fn outcome(ran: Option<&Ran>) -> String {
    let Some(ran) = ran else { return "not run".to_owned() };
    let complaints = ran.diagnostics.as_ref();
    let compared = complaints.map(|it| it.words.as_str()).filter(|words| !words.is_empty());
    match (ran.verdict, ran.own, compared) {
        // What failed before, and is no worse: held against what was before it passes, by itself it does not.
        (Verdict::Pass, Verdict::Fail, Some(words)) => format!("fails, {words}"),
        (Verdict::Pass, Verdict::Fail, None) => match ran.failed {
            None | Some(0) => "fails, as before".to_owned(),
            Some(1) => "1 fails, as before".to_owned(),
            Some(failed) => format!("{failed} fail, as before"),
        },
        (Verdict::Fail, _, Some(words)) => format!("fail, {words}"),
        (Verdict::NoVerifierRan, Verdict::Fail, _) => ran.verdict_words().to_owned(),
        (verdict, _, _) => match (ran.passed, ran.failed, complaints) {
            (Some(passed), Some(failed), _) => {
                format!("{}, {passed} of {}", verdict.words(), passed + failed)
            }
            (_, _, Some(it)) if verdict == Verdict::Fail => {
                format!("fail, {}", plural(it.count, "problem"))
            }
            _ => verdict.words().to_owned(),
        },
    }
}

/// What was found without running anything.
fn read(text: &mut String, facts: &Facts) {
    let standing = facts.standing().count();
    let looked: Vec<&Examination> =
        facts.standing().filter_map(|task| task.examination.as_ref()).collect();
    if standing == 0 {
        return;
    }
    if looked.is_empty() {
        text.push_str("- **Audit, public interface, lost logic:** not checked.\n");
        return;
    }
    let findings = || looked.iter().flat_map(|it| &it.findings);
    let of = |severity| findings().filter(|it| it.severity == severity).count();
    let _ = writeln!(
        text,
        "- **Audit** (imports, exports, calls, cycles, layers) of {} of {}: {}, {} ({}).",
        looked.len(),
        plural(standing, "task"),
        plural(of(Severity::Error), "error"),
        plural(of(Severity::Warning), "warning"),
        record("tasks", "/tasks"),
    );
    for it in findings().take(NAMED) {
        let place = code(&format!("{}:{}", it.path, it.line));
        let _ = writeln!(text, "  - {place}: {}", plain(&it.message));
    }
    let breaking: Vec<_> =
        looked.iter().flat_map(|it| &it.allowed).filter(|it| it.breaking).collect();
    if breaking.is_empty() {
        let internal = if changes_internal_exports(facts) {
            format!(
                " The exports listed above as \"{INTERNAL_EXPORTS}\" changed, but no other package can import them."
            )
        } else {
            String::new()
        };
        let _ = writeln!(text, "- **Public interface:** no breaking change.{internal}");
    } else {
        let words = plural(breaking.len(), "breaking change");
        let _ = writeln!(text, "- **Public interface:** {words}, which this run allows.");
        for change in breaking.iter().take(NAMED) {
            let place = code(&format!("{}:{}", change.file, change.line));
            let _ = writeln!(text, "  - {place}: {}", plain(&change.words));
        }
    }
    logic::write(text, facts);
}

/// Exports changed that the public interface does not contain: a reader must not take one for the other.
fn changes_internal_exports(facts: &Facts) -> bool {
    let mut notes = facts.standing().flat_map(|task| &task.history.task.notes);
    notes.any(|note| note.starts_with(INTERNAL_EXPORTS))
}

/// How the sandbox's note ends about files that whoever started this program left open. A reviewer cannot act on it; the record has it.
const OPEN_FILES: &str = "of the caller stay open in commands";

fn checkout(text: &mut String, facts: &Facts) {
    let compared = &facts.history.compared;
    let looks = compared.quick + compared.full;
    let words = if looks == 0 && facts.tasks.is_empty() {
        "not compared, because no task was started".to_owned()
    } else if looks == 0 {
        "not compared".to_owned()
    } else if compared.differences.is_empty() {
        let full = match compared.full {
            full if full == looks => "in full".to_owned(),
            full => format!("{} in full", times(full)),
        };
        let until = match facts.history.state.course.outcome {
            Some(Outcome::Accepted) => "until the change was accepted",
            Some(_) | None => "during the run",
        };
        format!("unchanged {until} (compared {}, {full})", times(looks))
    } else {
        format!("changed by another program during the run (compared {})", times(looks))
    };
    let link = record("record", "/checkout");
    let _ = writeln!(text, "- **Your checkout:** {words} ({link}).");
    for difference in compared.differences.iter().take(NAMED) {
        let _ = writeln!(text, "  - {}", plain(&difference.to_string()));
    }
    if let Some(baseline) = &facts.baseline {
        let mut sandbox = baseline.surroundings.sandbox.clone();
        sandbox.why_not.retain(|why| !why.ends_with(OPEN_FILES));
        let words = plain(&sandbox.words());
        let _ = writeln!(text, "- **Sandbox:** {words} ({}).", record("record", "/environment"));
    }
}

fn times(number: usize) -> String {
    match number {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}

/// Where a build shows what it comes to for those who load it.
fn bundle(text: &mut String, facts: &Facts) {
    let bundle = facts.metrics.iter().find(|metric| metric.id == BUNDLE);
    if let Some(bundle) = bundle.filter(|metric| metric.value.is_some()) {
        let _ = writeln!(text, "- **Loaded by browsers:** {} ({}).", bundle.shown(), bundle.how);
    }
}

/// Of the change. Tokens, tries and time of the run itself are nothing that a reviewer judges; the other artifacts have them.
fn metrics(text: &mut String, facts: &Facts) {
    let of_change = || facts.metrics.iter().filter(|metric| metric.group != Group::Efficiency);
    let of = |holds| of_change().filter(move |metric| metric.holds == holds);
    let _ = write!(
        text,
        "- **Targets for the change** ({}): {} met, {} missed, {} not measured.",
        record("all metrics", "/metrics"),
        of(Some(true)).count(),
        of(Some(false)).count(),
        of(None).count()
    );
    for metric in of(Some(false)) {
        let _ = write!(
            text,
            "\n  - missed: {}: {}, target {}",
            metric.name,
            metric.shown(),
            metric.target
        );
    }
    for metric in of(None) {
        let _ = write!(text, "\n  - not measured: {}: {}", metric.name, metric.how);
    }
    text.push('\n');
}

//! A baseline as the person reads it.

use std::fmt::Write as _;
use std::path::Path;

use rb_core::Verdict;
use rb_refactor::State;
use rb_reports::Detail;
use rb_toolchains::{Command, Detected, Purpose};
use rb_verify::{Baseline, CommandRun, Flaky, How, Tests};

use super::Listed;
use crate::numbers;
use crate::ui::{Ui, printable};

/// The most tests and lines shown of each; the rest is in the files.
const SHOWN: usize = 10;

pub(super) fn text(ui: &Ui, state: &State, outputs: &Path, baseline: &Baseline) -> String {
    let started = &state.started;
    let place =
        started.scope.as_ref().map_or(started.repo.clone(), |scope| scope.below(&started.repo));
    let mut text = format!("verify  {}\n", printable(&place.display().to_string()));
    let held = &baseline.surroundings.sandbox;
    let words = printable(&held.words());
    let words = if held.confines() { words } else { ui.out.yellow(&words) };
    let _ = writeln!(text, "sandbox {words}");
    for words in &baseline.surroundings.dependencies {
        let _ = writeln!(text, "note    {}", printable(words));
    }
    if !baseline.commands.is_empty() {
        text.push('\n');
    }
    for run in &baseline.commands {
        text.push_str(&command(ui, run));
    }
    if !baseline.flaky.is_empty() {
        let _ = writeln!(text, "\nflaky tests, ignored in comparisons:");
        for flaky in baseline.flaky.iter().take(SHOWN) {
            let name = printable(&flaky.test.to_string());
            let Flaky { passed, failed, missing, .. } = flaky;
            let missing = if *missing > 0 { format!(", missing {missing}") } else { String::new() };
            let _ = writeln!(text, "  {name}  (passed {passed}, failed {failed}{missing})");
        }
        more(&mut text, baseline.flaky.len());
    }
    text.push_str(&optional(baseline));
    text.push_str(&ending(ui, outputs, baseline));
    text
}

/// What could be run, and how.
fn optional(baseline: &Baseline) -> String {
    if baseline.optional.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{NOT_RUN}\n");
    for command in &baseline.optional {
        let (purpose, line) = (command.purpose.name(), printable(&command.line));
        let _ = writeln!(text, "  {purpose:<11}  {line}  {}", printable(&command.found));
    }
    text
}

const NOT_RUN: &str = "optional checks, not run (to run them: --set verify.optional_checks=true):";

fn command(ui: &Ui, run: &CommandRun) -> String {
    let status = match run.verdict {
        Verdict::Pass => ui.out.green("pass"),
        Verdict::Fail => ui.out.red("fail"),
        Verdict::NoVerifierRan => ui.out.yellow("none"),
    };
    let purpose = run.command.purpose.name();
    let mut text = format!("{status}  {purpose:<11}  {}", printable(&run.command.line));
    if !run.command.folder.is_empty() {
        let _ = write!(text, "  in {}", printable(&run.command.folder));
    }
    let _ = writeln!(text, "  {}", ui.out.dim(&printable(&run.command.found)));
    let facts = facts(run);
    if !facts.is_empty() {
        let _ = writeln!(text, "      {facts}");
    }
    for flake in &run.flakes {
        let _ = writeln!(text, "      {}", printable(flake));
    }
    if run.verdict == Verdict::Pass {
        return text;
    }
    for reason in run.reasons.iter().take(SHOWN) {
        let _ = writeln!(text, "      {}", printable(reason));
    }
    text.push_str(&failures(run));
    text
}

/// Counts, time, processor and memory in one line.
fn facts(run: &CommandRun) -> String {
    let mut facts = Vec::new();
    // Whether a runner that was stopped had begun its report is a matter of chance.
    let is_test = matches!(run.command.purpose, Purpose::Test | Purpose::Integration);
    if run.tests.is_none() && is_test && run.how.was_ended() {
        facts.push("no tests reported".to_owned());
    }
    if let Some(tests) = &run.tests {
        let counts = &tests.counts;
        if counts.total() == 0 {
            facts.push("no tests reported".to_owned());
            return rest(run, facts);
        }
        let mut words = format!("{} passed, {} failed", counts.passed, counts.failed);
        if counts.skipped > 0 {
            let _ = write!(words, ", {} skipped", counts.skipped);
        }
        if tests.detail == Detail::CountsOnly {
            words.push_str(" (totals only)");
        }
        facts.push(words);
    }
    rest(run, facts)
}

fn rest(run: &CommandRun, mut facts: Vec<String>) -> String {
    if run.how != How::NotRun {
        facts.push(seconds(run.ms));
        facts.extend(run.cpu_ms.map(|ms| format!("cpu {}", seconds(ms))));
        facts.extend(run.peak_memory.map(|bytes| format!("peak {}", numbers::bytes(bytes))));
    }
    facts.join(", ")
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

fn failures(run: &CommandRun) -> String {
    let mut text = String::new();
    let failed: Vec<_> = run.tests.iter().flat_map(Tests::failed).collect();
    for test in failed.iter().take(SHOWN) {
        let _ = writeln!(text, "      - {}", printable(&test.id.to_string()));
        let message = test.message.as_deref().unwrap_or_default();
        if let Some(line) = message.lines().find(|line| !line.trim().is_empty()) {
            let _ = writeln!(text, "          {}", printable(line.trim()));
        }
    }
    if failed.len() > SHOWN {
        let _ = writeln!(text, "      and {} more", failed.len() - SHOWN);
    }
    let told = run.tests.as_ref().is_some_and(|tests| !tests.results.is_empty());
    if failed.is_empty() && !told {
        for line in telling(&run.said) {
            let _ = writeln!(text, "      | {}", printable(line));
        }
    }
    text
}

/// The lines that most likely say what is wrong: from the first one that speaks of an error; without one, the last.
fn telling(said: &str) -> Vec<&str> {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let tells = |line: &&str| ["rror:", "ERR", "error["].iter().any(|word| line.contains(word));
    let last = lines.len().saturating_sub(SHOWN);
    let first = lines.iter().position(tells).unwrap_or(last).min(last);
    lines[first..].iter().take(SHOWN).copied().collect()
}

fn more(text: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(text, "  and {} more", all - SHOWN);
    }
}

fn ending(ui: &Ui, outputs: &Path, baseline: &Baseline) -> String {
    let mut text = String::from("\n");
    let tests = || baseline.commands.iter().filter_map(|run| run.tests.as_ref());
    let (passed, ran): (u64, u64) = tests()
        .fold((0, 0), |(passed, ran), tests| (passed + tests.counts.passed, ran + tests.ran()));
    let verdict = match baseline.verdict {
        Verdict::Pass => ui.out.green("pass"),
        Verdict::Fail => ui.out.red("fail"),
        Verdict::NoVerifierRan => ui.out.yellow("no tests were run"),
    };
    let _ = write!(text, "baseline  {verdict}");
    if let Some(rate) = (passed * 1000).checked_div(ran) {
        let _ = write!(text, ": {passed} of {ran} tests passed ({}.{}%)", rate / 10, rate % 10);
    }
    if baseline.untested {
        text.push_str("; the checks include no tests");
    }
    text.push('\n');
    for hint in &baseline.hints {
        let _ = writeln!(text, "hint      {}", printable(hint));
    }
    if baseline.commands.is_empty() {
        text.push_str(
            "No test command found. To set one: refactor-bot verify --set fast_verifier='make test'\n",
        );
        text.push_str("To see where it looked: refactor-bot verify --list\n");
    }
    if let Some(times) = &baseline.benchmark {
        let (middle, noise) = (times.median(), times.noise() * 100.0);
        let _ = writeln!(text, "benchmark median {middle:.0} ms, noise {noise:.1}%");
    }
    let _ = writeln!(text, "outputs   {}", printable(&outputs.display().to_string()));
    text
}

/// What takes the place of some or all that was found, and what of that is not used.
pub(super) fn used(ui: &Ui, listed: &Listed) -> String {
    let mut text = String::new();
    for (title, commands) in
        [("after every task", &listed.fast), ("every few tasks, and at the end", &listed.full)]
    {
        let _ = writeln!(text, "{title}");
        for command in commands {
            text.push_str(&entry(ui, command));
        }
    }
    let is_used = |command: &Command| {
        let same = |used: &Command| used.line == command.line && used.folder == command.folder;
        listed.fast.iter().chain(&listed.full).any(same)
    };
    let all = listed.detected.packages.iter().flat_map(|package| &package.commands);
    let unused: Vec<&Command> = all.filter(|command| !is_used(command)).collect();
    if !unused.is_empty() {
        text.push_str("found, but not used\n");
    }
    for command in unused {
        text.push_str(&entry(ui, command));
    }
    text
}

fn entry(ui: &Ui, command: &Command) -> String {
    let place = format!("{} {}", command.found.file, command.found.what);
    let folder = match &*command.folder {
        "" => String::new(),
        folder => format!("  in {}", printable(folder)),
    };
    let (purpose, line) = (command.purpose.name(), printable(&command.line));
    format!("  {purpose:<11}  {line}{folder}  {}\n", ui.out.dim(&printable(place.trim())))
}

/// What was found, and where.
pub(super) fn found(ui: &Ui, detected: &Detected, not_run: &[&Command]) -> String {
    let is_left = |command: &Command| not_run.contains(&command);
    let mut text = String::new();
    for package in &detected.packages {
        let folder = if package.folder.is_empty() { "." } else { &package.folder };
        let manager = package.manager.unwrap_or(package.toolchain.name());
        let name = package.name.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{}  {}  {manager}", printable(folder), printable(name));
        for purpose in Purpose::ALL {
            for command in package.commands.iter().filter(|command| command.purpose == purpose) {
                let place = format!("{} {}", command.found.file, command.found.what);
                let line = printable(&command.line);
                let place = ui.out.dim(&printable(place.trim()));
                if is_left(command) {
                    continue;
                }
                let _ = writeln!(text, "  {:<11}  {line}  {place}", purpose.name());
            }
        }
    }
    if detected.packages.is_empty() {
        text.push_str("No package found.\n");
    }
    if !not_run.is_empty() {
        let _ = writeln!(text, "{NOT_RUN}");
    }
    for command in not_run {
        text.push_str(&entry(ui, command));
    }
    for note in &detected.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ve4_a_stopped_test_command_reports_no_tests_with_or_without_a_report() {
        let check = |purpose: &str, how: serde_json::Value, expected: &str| {
            let run: CommandRun = serde_json::from_value(json!({
                "command": {"purpose": purpose, "folder": "", "line": "x", "found": ""},
                "how": how, "ms": 2000, "cpu_ms": null, "peak_memory": null, "stdout": null,
                "stderr": null, "said": "", "tests": null, "verdict": "fail", "reasons": [],
            }))
            .unwrap();
            assert_eq!(facts(&run), expected, "{purpose}");
        };
        let stopped = json!({"how": "timed_out", "after_s": 2});
        check("test", stopped.clone(), "no tests reported, 2.0 s");
        check("lint", stopped, "2.0 s");
        check("test", json!({"how": "exit", "code": 1}), "2.0 s");
    }
}

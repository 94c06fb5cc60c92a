//! `pr-summary.md`: what a reviewer reads first. Title, summary, changes, verification, risk, what did not change, rollback: every
//! section is there for every run, also for one that changed nothing. Only what was removed, at the top, and what a model suggests
//! are there where there is any.
//!
//! Each claim points to the artifact that it rests on. Foreign words (goals, paths, names of tests, reasons) are escaped.

mod left;
mod logic;
mod removed;
mod risk;
mod rollback;
mod said;
mod verification;

use std::fmt::Write as _;

use rb_core::plural;
use rb_core::{Proposer, RunId, Stage, Task};
use rb_workspace::ledger::LedgerEntry;

use super::facts::{Ending, Facts, TaskFacts};
use super::leftovers::Leftovers;
use super::markdown::{code, plain, target, whole};
use super::suites::Tests;
use super::validation::task_patch;
use super::words::{by, size, title, verdict};
use crate::event::Outcome;
use crate::state::State;

pub(crate) fn text(facts: &Facts) -> String {
    let tests = Tests::of(facts);
    let left = Leftovers::of(facts);
    let mut sections = vec![
        format!("# {}\n", plain(&title(facts))),
        removed::section(facts),
        summary(facts, &tests, &left),
        changes(facts),
        verification::section(facts, &tests),
        risk::section(facts),
        said::risks(facts),
        left::section(&left, &facts.history.state.course.notes),
        said::followups(facts),
        rollback::section(facts),
        artifacts(facts),
    ];
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// A link to an artifact beside this file.
fn link(words: &str, path: &str) -> String {
    format!("[{words}]({})", target(path))
}

/// A link into the validation report.
fn record(words: &str, pointer: &str) -> String {
    link(words, &format!("validation-report.json#{pointer}"))
}

fn summary(facts: &Facts, tests: &Tests, left: &Leftovers) -> String {
    let history = &facts.history;
    let mut text = String::from("## Summary\n\n");
    let (added, removed) = facts.size();
    let opening = match facts.ending() {
        Ending::Changed | Ending::Aborted if !facts.files.is_empty() => format!(
            "{} changed {} ({}).",
            plural(facts.standing().count(), "task"),
            plural(facts.files.len(), "file"),
            size(added, removed)
        ),
        Ending::Changed | Ending::Nothing => "Nothing to change.".to_owned(),
        Ending::Aborted => "The run stopped early. No change was kept.".to_owned(),
        Ending::Refused => "Every proposed change was refused. No change was kept.".to_owned(),
        Ending::BaselineFailed => "No change was attempted.".to_owned(),
        Ending::Declined => "The plan was declined, so no change was attempted.".to_owned(),
        Ending::Unserved => {
            let why = left.unserved.as_ref().map(|it| plain(&it.why)).unwrap_or_default();
            format!("The directive is not supported, so no change was attempted: {why}.")
        }
        Ending::Dropped => {
            "The plan was left without a task, so no change was attempted. See the notes below."
                .to_owned()
        }
    };
    text.push_str(&opening);
    if let Some(directive) = &history.state.started.orders.directive {
        let _ =
            write!(text, " Directive: “{}”.", plain(directive.trim_end_matches(['.', ' ', '\n'])));
    }
    let _ = write!(text, " {} ({})", verdict(facts, tests), record("verdict", "/verdict"));
    if let Some(reason) = &history.state.aborted {
        let _ = write!(text, "\n\n**Stopped early:** {}", plain(reason));
        let _ = write!(text, " ({})", record("reasons", "/reasons"));
    }
    if let Some(words) = left.open() {
        let _ = write!(text, "\n\nIncomplete: {words}; see [Not changed](#not-changed).");
    }
    let _ = write!(text, "\n\nRun {} on {}", code(history.state.started.run.as_str()), repo(facts));
    if let Some(base) = &history.state.change.base {
        let _ = write!(text, ", from commit {}", code(short(&base.commit)));
        if base.carried {
            text.push_str(" (a commit of your uncommitted work)");
        }
        if facts.tip != base.commit {
            let landed = facts.landed().map_or(facts.tip.as_str(), |(_, to)| to);
            let _ = write!(text, " to {}", code(short(landed)));
            if has_branch(&history.state) {
                let _ = write!(text, " on {}", code(&history.state.started.run.branch()));
            }
        }
    }
    text.push_str(".\n");
    text
}

/// Whether the branch of the run is there: a dry run keeps none, and of a run that has ended one stays only if it was to.
fn has_branch(state: &State) -> bool {
    match state.course.outcome {
        None => !state.started.orders.dry_run,
        Some(outcome) => outcome == Outcome::BranchKept,
    }
}

/// Nothing where nothing is left to do.
fn repo(facts: &Facts) -> String {
    let started = &facts.history.state.started;
    let repo = code(&started.repo.display().to_string());
    match &started.scope {
        Some(folder) => format!("{}, only the folder {}", repo, code(&folder.to_string())),
        None => repo,
    }
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// With more tasks than this they are grouped.
const FEW: usize = 12;

fn changes(facts: &Facts) -> String {
    let mut text = String::from("## Changes\n\n");
    let standing: Vec<&TaskFacts> = facts.standing().collect();
    if standing.is_empty() {
        text.push_str("None.\n");
        return text;
    }
    if standing.len() <= FEW {
        text.extend(standing.iter().map(|task| change(facts, task)));
        return text;
    }
    for stage in Stage::ALL {
        let of = || standing.iter().filter(|task| task.history.task.stage == stage);
        let entries: Vec<_> = of().filter_map(|task| task.entry()).collect();
        if entries.is_empty() {
            continue;
        }
        let added = entries.iter().map(|entry| entry.added).sum();
        let removed = entries.iter().map(|entry| entry.removed).sum();
        let _ = writeln!(
            text,
            "### {}: {} ({})\n",
            stage.title(),
            plural(entries.len(), "task"),
            size(added, removed)
        );
        text.extend(of().map(|task| change(facts, task)));
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The most files of a task that are named.
const FILES: usize = 6;

/// The longest account of what a recipe did.
const NOTES: usize = 5;

fn change(facts: &Facts, task: &TaskFacts) -> String {
    let Some(entry) = task.entry() else { return String::new() };
    let planned = &task.history.task;
    let title = planned.title();
    let mut text = format!("- **{}** ({})", plain(&title), task.id());
    let _ = write!(
        text,
        ": {}, {}, {}",
        plural(entry.touched_files.len(), "file"),
        size(entry.added, entry.removed),
        plain(&by(planned))
    );
    if let Some(confidence) = &task.confidence {
        let at = facts.tasks.iter().position(|other| other.id() == task.id()).unwrap_or(0);
        let score = format!("confidence {}", confidence.score);
        let _ = write!(text, ", {}", record(&score, &format!("/tasks/{at}/confidence")));
    }
    let _ = writeln!(text, ", {}", link("patch", &task_patch(task.id())));
    text.push_str(&names(entry));
    text.push_str(&whole_goal(&title, &planned.goal));
    if !task.said.rationale.trim().is_empty() {
        let _ = writeln!(text, "  - The model says: {}", whole(&task.said.rationale));
    }
    text.push_str(&notes(planned, &facts.history.state.started.run));
    text
}

/// The whole goal, where its title is only a part of it.
fn whole_goal(title: &str, goal: &str) -> String {
    if title == goal { String::new() } else { format!("  - Goal: {}\n", whole(goal)) }
}

/// The files of a task, unless its goal names the only one.
fn names(entry: &LedgerEntry) -> String {
    if let [only] = entry.touched_files.as_slice()
        && entry.goal.contains(&only.to_string())
    {
        return String::new();
    }
    let names: Vec<String> =
        entry.touched_files.iter().take(FILES).map(|path| code(&path.to_string())).collect();
    let more = entry.touched_files.len().saturating_sub(FILES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("  {}{more}\n", names.join(", "))
}

/// What a recipe says of its change: which functions, and what a reviewer has to know.
fn notes(task: &Task, run: &RunId) -> String {
    if !matches!(task.by, Proposer::Recipe { .. }) {
        return String::new();
    }
    let mut text = String::new();
    for note in task.notes.iter().take(NOTES) {
        let _ = writeln!(text, "  - {}", plain(note));
    }
    if task.notes.len() > NOTES {
        let more = task.notes.len() - NOTES;
        let _ = writeln!(text, "  - and {more} more: `refactor-bot runs show {run} --plan`");
    }
    text
}

fn artifacts(facts: &Facts) -> String {
    let mut text = String::from("## Artifacts\n\n");
    let mut line = |name: &str, words: &str| {
        let _ = writeln!(text, "- {}: {words}", link(name, name));
    };
    if !facts.files.is_empty() {
        line("diffs/", "one patch per file; together they are the complete change");
        line("tasks/", "one patch per task, in commit order");
    }
    line("validation-report.json", "tests, audit, contracts, confidence, metrics");
    line("agent-log.json", "every action and state change of the run");
    line("report.html", "everything on one page");
    text
}

#[cfg(test)]
mod tests;

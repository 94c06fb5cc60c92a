//! A run as the person reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use rb_core::{Task, Verdict};
use rb_flow::Observer;
use rb_plan::{Plan, by_reason};
use rb_refactor::event::Record;
use rb_refactor::{Context, Mode, Outcome as RunOutcome, Phase, Refactor, State};
use rb_workspace::answer::Rung;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::app::App;
use crate::change_run;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::ui::{Ui, printable};

/// What the workflow needs; with `--json` every event is printed as it is written.
pub(crate) fn context(app: &App) -> Result<Context, CliError> {
    let ui = app.ui.clone();
    let print = move |record: &Record| {
        // A reader who has gone away must not stop a run half-way.
        let _ = ui.print_json(record);
    };
    let observer = app.ui.json.then(|| Arc::new(print) as Observer<Refactor>);
    Ok(Context { host: change_run::host(app)?, observer, models: None })
}

/// The repository, or the folder of it that the run is about.
pub(crate) fn target(state: &State) -> String {
    let root = state.started.repo.display();
    match &state.started.scope {
        Some(folder) => format!("{root}/{folder}"),
        None => root.to_string(),
    }
}

/// What of the directive nothing here can do, and what could be done.
pub(crate) fn unserved(plan: &Plan) -> String {
    let mut text = String::new();
    let Some(unserved) = &plan.unserved else { return text };
    let _ = writeln!(text, "not supported: {}", printable(&unserved.why));
    let mut list = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            let _ = writeln!(text, "{title}");
        }
        for line in lines {
            let _ = writeln!(text, "  {}", printable(line));
        }
    };
    list("Without a model you can run:", &unserved.instead);
    list("To use a model, pass:", &unserved.settings);
    text
}

/// The most reasons shown for what was left, and the longest one.
const LEFT: usize = 3;
/// The most open injections that are named.
const INJECTIONS: usize = 10;
const REASON: usize = 100;

/// How many places were left, and the commonest reasons; nothing where none were.
pub(crate) fn left(plan: &Plan) -> Option<String> {
    let listed = plan.leftovers.len();
    let all = listed + plan.unlisted;
    let reasons = by_reason(&plan.leftovers);
    let mut words: Vec<String> = Vec::new();
    let mut told = 0;
    // One more is as long as saying that there is one more.
    let shown = if reasons.len() == LEFT + 1 { LEFT + 1 } else { LEFT };
    for reason in reasons.iter().take(shown) {
        told += reason.places.len();
        // The place at the end of a reason is in the report.
        let whole = match reason.words.rsplit_once(" (") {
            Some((words, place)) if place.ends_with(')') => words,
            _ => reason.words.as_str(),
        };
        let mut short: String = whole.chars().take(REASON).collect();
        if short.len() < whole.len() {
            short = format!("{}…", short.trim_end());
        }
        let many = if reasons.len() > 1 || plan.unlisted > 0 {
            format!("{} × ", reason.places.len())
        } else {
            String::new()
        };
        words.push(format!("{many}{}", printable(&short)));
    }
    if listed > told {
        let others = plural((reasons.len() - shown) as u64, "other reason");
        words.push(format!("{} for {others}", listed - told));
    }
    if plan.unlisted > 0 {
        words.push(format!("{} not listed", plan.unlisted));
    }
    (all > 0).then(|| format!("{} not changed: {}", plural(all as u64, "place"), words.join("; ")))
}

/// Queries that data from outside still reaches, a line each.
pub(crate) fn open_injections(plan: &Plan) -> Vec<String> {
    let open = plan.leftovers.iter().filter(|it| it.is_open_injection());
    let mut lines: Vec<String> = open.map(|it| printable(&it.reason)).collect();
    if lines.len() > INJECTIONS {
        let more = lines.len() - INJECTIONS;
        lines.truncate(INJECTIONS);
        lines.push(format!("{} in the report", plural(more as u64, "more open SQL injection")));
    }
    lines
}

/// What a model could try of what was left, where none was asked.
pub(crate) fn for_a_model(plan: &Plan) -> Option<String> {
    let many = plan.leftovers.iter().filter(|it| it.wants_a_model()).count();
    let words = "--provider claude-code, anthropic or ollama";
    (many > 0).then(|| format!("a model could change {many} of them: {words}"))
}

/// A planned run that was understood and found nothing that it could do.
fn is_done_already(state: &State, plan: &Plan) -> bool {
    state.started.orders.plans
        && state.course.outcome == Some(RunOutcome::Noop)
        && state.refusal().is_none()
        && state.aborted.is_none()
        && plan.unserved.is_none()
        && !state.leaves_undone(plan)
}

/// Why nothing could be made of the directive: it is wrong, or nothing here knew what to do about it.
pub(crate) fn beyond(plan: &Plan) -> Option<ErrorKind> {
    if plan.is_mistaken() {
        return Some(ErrorKind::Usage);
    }
    let is_beyond = plan.unserved.is_some() && plan.matched.is_empty() && plan.tasks.is_empty();
    is_beyond.then_some(ErrorKind::Environment)
}

/// Prints where a run stands and gives the exit code that goes with it.
pub(crate) fn show(app: &App, state: &State) -> Result<Outcome, CliError> {
    let plan = state.whole_plan()?;
    if !app.ui.json {
        app.ui.print(&text(&app.ui, state, &plan))?;
    }
    if let Some(kind) = beyond(&plan) {
        return Ok(Outcome::Reported(kind));
    }
    let failed = state.verdict() == Verdict::Fail;
    let failed = failed || state.refusal().is_some() || state.is_all_in_vain();
    let stopped = failed && state.change.decision.is_none();
    Ok(if stopped { Outcome::Reported(ErrorKind::Refused) } else { Outcome::Done })
}

/// The most notes of a task that are shown; all are in the ledger.
const NOTES: usize = 5;

/// The most reasons that are shown; all are in the records below `verify/`.
const REASONS: usize = 5;

fn text(ui: &Ui, state: &State, plan: &Plan) -> String {
    let started = &state.started;
    let mut text = format!("run {}  {}\n", started.run, printable(&target(state)));
    if let Mode::Rollback { of, .. } = &started.workflow {
        let _ = writeln!(text, "rollback of {of}");
    }
    if is_done_already(state, plan) {
        text.push_str("nothing to change\n");
    }
    for note in &state.course.notes {
        let _ = writeln!(text, "  note: {}", printable(note));
    }
    if state.course.outcome == Some(RunOutcome::BaselineFailed) {
        for reason in state.change.baseline_reasons.iter().take(REASONS) {
            let _ = writeln!(text, "  baseline: {}", printable(reason));
        }
    }
    let told = state.report.as_deref().map(rb_refactor::confidence_of_tasks).unwrap_or_default();
    let repeated = repeated_notes(&state.change.ledger);
    for entry in &state.change.ledger {
        // All changes together may fail though each alone held: the report knows more than the task did.
        let confidence = told.get(&entry.task).copied().or(entry.confidence);
        let entry = LedgerEntry { goal: title(&state.tasks, entry), ..entry.clone() };
        text.push_str(&task_lines(ui, &entry, confidence, &repeated));
    }
    for (note, tasks) in &repeated {
        let _ = writeln!(text, "  note: {} ({tasks} tasks)", printable(note));
    }
    let untried = state.tasks.len() - state.change.ledger.len().min(state.tasks.len());
    if untried > 0 && state.refusal().is_some() {
        let _ = writeln!(text, "  {} after it not attempted", plural(untried as u64, "task"));
    }
    if matches!(started.workflow, Mode::Refactor) {
        let verdict = state.verdict();
        match state.change.baseline {
            Some(baseline) if !state.change.has_changes() && state.started.orders.plans => {
                let _ = writeln!(text, "baseline {}", baseline.words());
            }
            None if state.change.ledger.is_empty() => {}
            _ => {
                let _ = writeln!(text, "tests    {}", tests_line(state, verdict));
                if verdict == Verdict::Pass && state.change.is_untested() {
                    for reason in silent_tests(state) {
                        let _ = writeln!(text, "         {}", printable(reason));
                    }
                }
            }
        }
        if let Some(reason) = &state.aborted {
            let _ = writeln!(text, "stopped  early: {}", printable(reason));
        }
        if state.change.verified_in_full == Some(Verdict::Fail) {
            for reason in state.change.full_reasons.iter().take(REASONS) {
                let _ = writeln!(text, "         {}", printable(reason));
            }
        }
    }
    if let Some(backup) = &state.change.backup {
        let _ = writeln!(text, "backup   {}", printable(&backup.display().to_string()));
    }
    if let Some(report) = &state.report {
        let _ = writeln!(text, "report   {}", printable(&place(state, report)));
        for line in open_injections(plan) {
            let _ = writeln!(text, "warning  {line}");
        }
        if let Some(left) = left(plan) {
            let _ = writeln!(text, "note     {left}; see pr-summary.md");
            if let Some(words) = for_a_model(plan) {
                let _ = writeln!(text, "         {words}");
            }
        }
    }
    text.push_str(&unserved(plan));
    text.push_str(&ending(state));
    text
}

/// Where the reports are: in the folder that was named, if they are still there, else in the run's own.
fn place(state: &State, report: &Path) -> String {
    let output = state.started.orders.output.as_deref();
    let output = output.filter(|output| rb_refactor::holds_report(output, &state.started.run));
    output.unwrap_or(report).display().to_string()
}

/// How many tests pass, and how many did before; where no test ran, what was checked instead.
fn tests_line(state: &State, verdict: Verdict) -> String {
    let examined = state.started.verify.is_some() && state.change.has_changes();
    let counts = state.report.as_deref().and_then(rb_refactor::test_counts);
    match (verdict, counts) {
        (Verdict::NoVerifierRan, _) if examined => {
            "not run; only static checks: syntax, imports, exports, calls, cycles, public interface"
                .to_owned()
        }
        (Verdict::NoVerifierRan, _) => "not run".to_owned(),
        (Verdict::Pass, _) if state.change.is_untested() => {
            "none; the other checks pass".to_owned()
        }
        (Verdict::Pass, Some(counts)) => counts.words(),
        (Verdict::Fail, Some(counts)) => format!("fail: {}", counts.words()),
        (Verdict::Pass | Verdict::Fail, None) => verdict.words().to_owned(),
    }
}

/// Why tests that are there did not run.
fn silent_tests(state: &State) -> impl Iterator<Item = &str> {
    let of_tests = |it: &&str| it.starts_with("test: ") || it.starts_with("test in ");
    state.change.baseline_reasons.iter().map(String::as_str).filter(of_tests).take(REASONS)
}

/// Notes that more than one task has, with how many: they are printed once.
fn repeated_notes(ledger: &[LedgerEntry]) -> BTreeMap<&str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for note in ledger.iter().flat_map(|entry| &entry.notes) {
        *counts.entry(note).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// A model's goal is too long for a line; the report has it whole.
fn title(tasks: &[Task], entry: &LedgerEntry) -> String {
    let planned = tasks.iter().find(|task| task.id == entry.task);
    planned.map_or_else(|| entry.goal.clone(), Task::title)
}

pub(crate) fn task_lines(
    ui: &Ui,
    entry: &LedgerEntry,
    confidence: Option<u8>,
    repeated: &BTreeMap<&str, usize>,
) -> String {
    let status = match entry.status {
        TaskStatus::Applied => ui.out.green("applied"),
        TaskStatus::Noop => ui.out.dim("noop   "),
        TaskStatus::Refused => ui.out.red("refused"),
        TaskStatus::Skipped => ui.out.yellow("skipped"),
        TaskStatus::RolledBack => ui.out.yellow("reverted"),
    };
    let mut line = format!("  {}  {status}  {}", entry.task, printable(&entry.goal));
    if entry.commit.is_some() {
        let files = plural(entry.touched_files.len() as u64, "file");
        let _ = write!(line, "  ({files}, +{} -{})", entry.added, entry.removed);
        if let Some(confidence) = confidence {
            let _ = write!(line, "  confidence {confidence} of 100");
        }
        if let Some(rung) = entry.rung.filter(|rung| *rung != Rung::Exact) {
            let _ = write!(line, "  applied {}", rung.words());
        }
    }
    line.push('\n');
    for reason in &entry.reasons {
        let _ = writeln!(line, "      {}", printable(&reason.replace('\n', "\n      ")));
    }
    let own: Vec<&String> =
        entry.notes.iter().filter(|note| !repeated.contains_key(note.as_str())).collect();
    for note in own.iter().take(NOTES) {
        let _ = writeln!(line, "      note: {}", printable(note));
    }
    if own.len() > NOTES {
        let _ = writeln!(line, "      and {} more notes", own.len() - NOTES);
    }
    line
}

pub(crate) fn ending(state: &State) -> String {
    let run = &state.started.run;
    match state.phase() {
        Phase::Waiting if state.verdict() == Verdict::Fail => format!(
            "\nYour checkout is unchanged. {} To see what fails, and to drop the run:\n  \
             refactor-bot runs show {run}\n  \
             refactor-bot reject {run}\n\
             To accept it anyway:\n  \
             refactor-bot accept {run} --failing\n",
            what_failed(state)
        ),
        Phase::Waiting => format!(
            "\nYour checkout is unchanged. {}Review the diffs, then accept or reject:\n  \
             refactor-bot runs show {run} --diff\n  \
             refactor-bot accept {run}\n  \
             refactor-bot reject {run}\n",
            unvouched(state)
        ),
        Phase::Planned => format!(
            "\nThe plan is waiting for you. To continue or to drop it:\n  \
             refactor-bot resume {run}\n  \
             refactor-bot reject {run}\n"
        ),
        Phase::Approval(task) => format!(
            "\n{task} is waiting for you. Review it, then accept or reject it:\n  \
             refactor-bot runs show {run} --diff\n  \
             refactor-bot accept {run} --task {task}\n  \
             refactor-bot reject {run} --task {task}\n"
        ),
        Phase::Landing => {
            format!("\n`accept` was interrupted. To finish it:\n  refactor-bot accept {run}\n")
        }
        Phase::Unfinished if state.never_began() => {
            let why = state.course.left_off.as_deref().unwrap_or_default();
            format!(
                "\nThe run failed to start: {}\n\
                 Fix that and start again. To drop this run:\n  \
                 refactor-bot reject {run}\n",
                printable(why)
            )
        }
        Phase::Unfinished => {
            let why = state
                .course
                .left_off
                .as_deref()
                .unwrap_or("it was interrupted, or is still running");
            format!(
                "\nNot finished: {}. To continue:\n  refactor-bot resume {run}\n",
                printable(why)
            )
        }
        Phase::Ended(outcome) => format!("\n{}\n", ended(state, outcome)),
    }
}

/// The tasks that a person has to look at before the run is accepted, in a sentence; nothing where there are none.
fn unvouched(state: &State) -> String {
    let removed = "behaviour that no test reaches.";
    change_run::tasks_that(&state.unvouched(), "removes", "remove", removed)
        + &change_run::changed_tests(&state.changed_tests())
}

/// Which part of a run fails, in a sentence.
fn what_failed(state: &State) -> String {
    let failed = state.change.ledger.iter().filter(|it| it.verdict == Verdict::Fail);
    let tasks: Vec<String> = failed.map(|it| it.task.to_string()).collect();
    if state.change.verified_in_full == Some(Verdict::Fail) {
        "All changes together fail the repository's checks.".to_owned()
    } else if tasks.is_empty() {
        "It fails the repository's checks.".to_owned()
    } else {
        format!("{} failed the repository's checks.", tasks.join(", "))
    }
}

fn ended(state: &State, outcome: RunOutcome) -> String {
    let run = &state.started.run;
    match outcome {
        RunOutcome::Accepted => change_run::accepted(&state.change, run),
        RunOutcome::BranchKept => change_run::branch_kept(&run.branch()),
        RunOutcome::Rejected => change_run::rejected(&state.change, run),
        RunOutcome::RolledBack if matches!(state.started.workflow, Mode::Refactor) => {
            "Rolled back: your checkout is as it was before the run.".to_owned()
        }
        RunOutcome::RolledBack => {
            format!(
                "Rolled back: your checkout is as it was before the run. To undo:\n  refactor-bot rollback {run}"
            )
        }
        RunOutcome::BaselineFailed => format!(
            "No change was attempted: the repository already fails its own checks. To see what fails:\n  \
             refactor-bot verify {}\n\
             To continue anyway, so that only new failures count, pass --allow-failing-baseline.",
            printable(&state.started.repo.display().to_string())
        ),
        RunOutcome::Planned => format!(
            "Planned. To see the plan:\n  refactor-bot runs show {run} --plan\nTo carry it out, call `run` with the same arguments."
        ),
        RunOutcome::DryRun => "Dry run: nothing to accept; your checkout is unchanged.".to_owned(),
        RunOutcome::Declined => "You declined the plan; your checkout is unchanged.".to_owned(),
        RunOutcome::Verified => format!("Verified. Details: refactor-bot runs show {run}"),
        RunOutcome::Noop if state.refusal().is_some() => {
            "Nothing changed. Fix what was refused, then run it again.".to_owned()
        }
        RunOutcome::Noop if state.is_all_in_vain() => {
            "Nothing changed: no task passed its checks.".to_owned()
        }
        RunOutcome::Noop => "Nothing changed.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use rb_core::clock::Timestamp;
    use rb_core::{Proposer, TaskId, TaskKind};

    use super::*;

    #[test]
    fn rf9_open_injections_are_named_on_the_terminal() {
        let left = |line: u32, reason: String| rb_plan::Leftover {
            path: "src/x.js".to_owned(),
            line,
            found_by: "sql-parameters".to_owned(),
            what: "id".to_owned(),
            reason,
            suggestion: String::new(),
        };
        let open =
            |line| left(line, format!("open SQL injection: `req.query.by` in src/x.js:{line}"));
        let mut plan = Plan { leftovers: vec![left(1, "a reason".to_owned())], ..Plan::default() };
        assert_eq!(open_injections(&plan), Vec::<String>::new());
        plan.leftovers.extend((2..14).map(open));
        let lines = open_injections(&plan);
        assert_eq!(lines.len(), 11, "{lines:?}");
        assert_eq!(lines[0], "open SQL injection: `req.query.by` in src/x.js:2");
        assert_eq!(lines[10], "2 more open SQL injections in the report");
    }

    fn entry(goal: &str, notes: &[&str]) -> LedgerEntry {
        LedgerEntry {
            task: TaskId(1),
            goal: goal.to_owned(),
            status: TaskStatus::Applied,
            commit: None,
            touched_files: Vec::new(),
            added: 0,
            removed: 0,
            rung: None,
            verdict: Verdict::Pass,
            attempts: 1,
            confidence: None,
            reasons: Vec::new(),
            notes: notes.iter().map(ToString::to_string).collect(),
            at: Timestamp::from_unix_ms(0),
        }
    }

    #[test]
    fn ux1_a_models_task_has_a_title_on_its_line_and_others_their_goal() {
        let goal = "Make synchronous file calls async in examples/filetool/lib/trash.js (7 places)";
        let entry = entry(goal, &[]);
        let planned = |by: Proposer| Task {
            by,
            ..Task::new(TaskId(1), goal, TaskKind::Change { format: None })
        };
        assert_eq!(title(&[planned(Proposer::Given)], &entry), goal);
        assert_eq!(title(&[], &entry), goal);
        let cut = "Make synchronous file calls async in examples/filetool/lib/trash.js…";
        assert_eq!(title(&[planned(Proposer::Model)], &entry), cut);
    }

    #[test]
    fn ux1_a_note_that_several_tasks_have_is_repeated() {
        let entry = |notes: &[&str]| entry("a goal", notes);
        let ledger = [entry(&["same", "one"]), entry(&["same"]), entry(&["other"])];
        let repeated = repeated_notes(&ledger);
        assert_eq!(repeated, BTreeMap::from([("same", 2)]));
    }
}

//! What is shown before and between the questions: the plan, the baseline, one change; and the lines that tell how it goes on.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rb_change::{ChangeEvent, ChangeFiles as _};
use rb_core::{Proposer, TaskId, VerifierLevel, fs, goal_title};
use rb_flow::{Observer, RunDir};
use rb_models::{Price, Usage};
use rb_plan::{Plan, by_reason};
use rb_refactor::event::{Event, Record, Recovery, RefactorEvent, RunEvent};
use rb_refactor::{Context, Refactor, State};
use rb_verify::Baseline;
use rb_workspace::ledger::TaskStatus;
use serde_json::Value;

use crate::app::App;
use crate::error::CliError;
use crate::numbers::plural;
use crate::ui::{Detail, printable};
use crate::{diff_view, run_view};

/// The most of a list that is shown.
const SHOWN: usize = 30;

/// What the person agrees to: the plan, the baseline, where the backup is, what it may cost.
pub(super) fn confirmation(
    app: &App,
    context: &Context,
    state: &State,
) -> Result<String, CliError> {
    let mut text = format!("run {}  {}\n", state.started.run, printable(&run_view::target(state)));
    let baseline = baseline(app, state)?;
    line(&mut text, &format!("baseline  {}", baseline_words(state, baseline.as_ref())));
    if let Some(backup) = &state.change.backup {
        line(&mut text, &format!("backup    {}", printable(&backup.display().to_string())));
    }
    text.push_str(&plan_text(state)?);
    let estimate = estimate(state, baseline.as_ref());
    line(&mut text, &format!("estimate  {estimate}{}", money(context, state)));
    Ok(text)
}

/// What somebody who accepts wants to know beside the tasks: the risk, and why.
pub(super) fn acceptance(state: &State) -> Result<String, CliError> {
    let Some(report) = &state.report else { return Ok(String::new()) };
    let file = report.join("validation-report.json");
    let bytes = fs::read_optional(&file)?.unwrap_or_default();
    let report: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let reasons = report["risk"]["reasons"].as_array().into_iter().flatten();
    let reasons: Vec<&str> = reasons.filter_map(Value::as_str).collect();
    let level = report["risk"]["level"].as_str().unwrap_or("unknown");
    let mut text = String::new();
    line(&mut text, &format!("\nrisk     {level} ({})", printable(&reasons.join("; "))));
    Ok(text)
}

/// What the calls of models may cost.
fn money(context: &Context, state: &State) -> String {
    let asked = state.tasks.iter().filter(|task| task.by == Proposer::Model).count() as u64;
    if state.started.orders.agent.is_some() {
        return String::new();
    }
    let (Some(desk), 1..) = (&context.models, asked) else { return String::new() };
    let route = desk.models.route("patcher");
    if !route.provider.abilities().paid {
        return "; free".to_owned();
    }
    let retries = u64::from(state.started.orders.max_retries);
    priced(route.price.as_ref(), asked, retries)
}

/// By the list of prices: once for each task, and with every try that a task has.
fn priced(price: Option<&Price>, asked: u64, retries: u64) -> String {
    let Some(price) = price else { return "; price unknown".to_owned() };
    let tries = asked * (retries + 1);
    let cost = |calls: u64| {
        let (input, output) = (INPUT_OF_A_CALL * calls, OUTPUT_OF_A_CALL * calls);
        price.of(&Usage { input, output, ..Usage::default() })
    };
    format!("; about {}, at most {} with retries", cost(asked), cost(tries))
}

/// What a call usually reads and writes.
const INPUT_OF_A_CALL: u64 = 6_000;
const OUTPUT_OF_A_CALL: u64 = 1_500;

fn baseline(app: &App, state: &State) -> Result<Option<Baseline>, CliError> {
    let file = app.home()?.run(&state.started.run).join("verify/baseline.json");
    let Some(bytes) = fs::read_optional(&file)? else { return Ok(None) };
    Ok(serde_json::from_slice(&bytes).ok())
}

fn baseline_words(state: &State, baseline: Option<&Baseline>) -> String {
    let Some(verdict) = state.change.baseline else { return "not run".to_owned() };
    let tests = baseline.iter().flat_map(|it| &it.commands).filter_map(|it| it.tests.as_ref());
    let (passed, ran) =
        tests.fold((0, 0), |(passed, ran), it| (passed + it.counts.passed, ran + it.ran()));
    if ran == 0 {
        verdict.words().to_owned()
    } else {
        format!("{}: {passed} of {ran} tests", verdict.words())
    }
}

/// A guess from what was measured: each task runs the fast checks, and all of them run at the end.
fn estimate(state: &State, baseline: Option<&Baseline>) -> String {
    let ms: u64 = baseline.iter().flat_map(|it| &it.commands).map(|it| it.ms).sum();
    let tasks = state.tasks.len() as u64;
    let asked = state.tasks.iter().filter(|task| task.by == Proposer::Model).count() as u64;
    let seconds = (ms * (tasks + 1)).div_ceil(1000) + tasks + asked * SECONDS_OF_A_CALL;
    let time = match seconds {
        0..=90 => format!("about {seconds} s"),
        _ => format!("about {} min", seconds.div_ceil(60)),
    };
    let orders = &state.started.orders;
    if let (Some(agent), 1..) = (&orders.agent, asked) {
        let who = printable(agent.name());
        let most = agent.max_usd.map(|usd| format!(", at most {usd}")).unwrap_or_default();
        let tasks = plural(asked, "task");
        return format!("{time}; runs `{who}` for {tasks} on your own account{most}");
    }
    let Some(choice) = &orders.models else { return format!("{time}; no model is called") };
    let who = printable(&choice.provider);
    let refines = if orders.ask_first { "to refine this plan, then " } else { "" };
    match asked {
        0 if orders.ask_first => format!("{time}; calls {who} to refine this plan"),
        0 => format!("{time}; no model is called"),
        _ => {
            let calls = plural(asked, "task");
            format!(
                "{time}; calls {who} {refines}for {calls}, at most {TOKENS_OF_A_CALL} tokens each"
            )
        }
    }
}

/// How long a model usually takes for a patch.
const SECONDS_OF_A_CALL: u64 = 45;
/// What a pack and its answer may hold.
const TOKENS_OF_A_CALL: &str = "15,000";

/// The most recipes and rules named that the same words lead to.
const NAMED: usize = 4;

/// The plan as a list, with what was left out.
pub(crate) fn plan_text(state: &State) -> Result<String, CliError> {
    let plan = state.whole_plan()?;
    let mut text = String::new();
    if let Some(directive) = &state.started.orders.directive {
        line(&mut text, &format!("directive {}", printable(directive)));
        for some in plan.matched.chunk_by(|one, other| one.words == other.words) {
            let words: Vec<String> = some[0].words.iter().map(|word| printable(word)).collect();
            let few = if some.len() > NAMED + 1 { NAMED } else { some.len() };
            let mut ids: Vec<&str> = some.iter().take(few).map(|it| it.id.as_str()).collect();
            let more = format!("and {} more", some.len() - few);
            ids.extend((some.len() > few).then_some(more.as_str()));
            line(&mut text, &format!("          {}: {}", words.join(", "), ids.join(", ")));
        }
    }
    let tasks = plural(state.tasks.len() as u64, "task");
    line(&mut text, &format!("plan      {tasks}"));
    for task in state.tasks.iter().take(SHOWN) {
        let level = match task.verifier_level {
            VerifierLevel::Fast => "",
            VerifierLevel::Full => ", full checks",
        };
        line(&mut text, &format!("  {}  {}", task.id, printable(&task.goal)));
        let files = plural(task.files.len() as u64, "file");
        let by = match (&task.by, &state.started.orders.agent) {
            (Proposer::Model, Some(_)) => "agent".to_owned(),
            (by, _) => printable(&by.words()),
        };
        let after: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
        let after =
            if after.is_empty() { String::new() } else { format!(", after {}", after.join(" ")) };
        line(
            &mut text,
            &format!("             {by}, {files}, risk {}{level}{after}", task.risk_score),
        );
        if task.diff_budget_loc > Some(state.started.diff_budget) {
            // What makes a task larger than the budget is its first note.
            task.notes.iter().take(1).for_each(|note| {
                line(&mut text, &format!("             {}", printable(note)));
            });
        }
    }
    more(&mut text, state.tasks.len());
    for note in &plan.notes {
        line(&mut text, &format!("note      {}", printable(note)));
    }
    if let Some(left) = run_view::left(&plan) {
        line(&mut text, &format!("note      {left}"));
    }
    if let Some(words) = run_view::for_a_model(&plan) {
        line(&mut text, &format!("          {words}"));
    }
    text.push_str(&run_view::unserved(&plan));
    Ok(text)
}

/// How many places are named for one reason.
const PLACES: usize = 10;

/// Every place that the plan leaves as it is, by reason, with what could be done about it.
pub(crate) fn left_text(plan: &Plan) -> String {
    let mut text = String::new();
    for reason in by_reason(&plan.leftovers) {
        line(&mut text, &format!("  {}", printable(&reason.words)));
        for place in reason.places.iter().take(PLACES) {
            let what = printable(&place.what);
            line(&mut text, &format!("    {}:{}  {what}", printable(&place.path), place.line));
        }
        if let Some(more) = reason.places.len().checked_sub(PLACES).filter(|&more| more > 0) {
            line(&mut text, &format!("    … and {more} more; --json lists all"));
        }
        let mut hints: Vec<&str> = reason.places.iter().map(|it| it.suggestion.as_str()).collect();
        hints.dedup();
        if let [hint] = hints[..]
            && !hint.is_empty()
        {
            line(&mut text, &format!("    help: {}", printable(hint)));
        }
    }
    if text.is_empty() { text } else { format!("\nNot changed:\n{text}") }
}

fn more(text: &mut String, all: usize) {
    if all > SHOWN {
        line(text, &format!("  … and {} more", all - SHOWN));
    }
}

fn line(text: &mut String, words: &str) {
    let _ = writeln!(text, "{words}");
}

/// One task's change, to be approved: what it is for, how it was judged, the diff.
pub(crate) fn show_change(app: &App, state: &State, task: TaskId) -> Result<(), CliError> {
    let Some(planned) = state.tasks.iter().find(|it| it.id == task) else { return Ok(()) };
    let current = state.change.current.as_ref();
    let verdict = current.and_then(|it| it.verdict).map_or("not run", |it| it.words());
    let mut text = format!("\n{task}  {}\n", printable(&planned.goal));
    let by = printable(&planned.by.words());
    line(&mut text, &format!("  {by}, risk {}, tests: {verdict}", planned.risk_score));
    for note in current.iter().flat_map(|it| &it.notes) {
        line(&mut text, &format!("  note: {}", printable(note)));
    }
    if let Some((score, parts)) = &state.review.confidence {
        line(&mut text, &format!("  confidence {score} of 100: {}", printable(&parts.join(", "))));
    }
    app.ui.print(&text)?;
    let diff = RunDir::new(app.home()?, &state.started.run).diff(task);
    if let Some(bytes) = fs::read_optional(&diff)? {
        diff_view::print(app, &bytes)?;
    }
    Ok(())
}

/// Tells on standard error how a planned run goes on.
pub(crate) fn narrator(app: &App) -> Observer<Refactor> {
    let ui = app.ui.clone();
    let planned = AtomicUsize::new(usize::MAX);
    Arc::new(move |record: &Record| {
        // A refined plan with as many tasks as before is no news.
        if let Event::Own(RefactorEvent::Planned { tasks, .. }) = &record.event
            && planned.swap(tasks.len(), Ordering::Relaxed) == tasks.len()
        {
            return;
        }
        if let Event::Run(RunEvent::RunStarted(started)) = &record.event
            && ui.detail == Detail::Verbose
        {
            // A program that started this one reads it, so that it can follow the run.
            ui.note(&format!("run {}", started.run));
        }
        if let Event::Run(RunEvent::Entered { node, from, .. }) = &record.event
            && ui.detail == Detail::Verbose
        {
            let from = from.as_deref().map(|from| format!("{from} ")).unwrap_or_default();
            ui.note(&format!("{from}→ {node}"));
        }
        if let Some(words) = told(record) {
            ui.note(&printable(&words));
        }
    })
}

fn told(record: &Record) -> Option<String> {
    Some(match &record.event {
        Event::Own(RefactorEvent::Change(ChangeEvent::BaselineTaken { verdict, .. })) => {
            format!("baseline: {}", verdict.words())
        }
        Event::Own(RefactorEvent::Planned { tasks, .. }) => {
            format!("planned {}", plural(tasks.len() as u64, "task"))
        }
        Event::Own(RefactorEvent::Change(ChangeEvent::TaskStarted { task, goal })) => {
            format!("{task}: {}", goal_title(goal))
        }
        Event::Own(RefactorEvent::Change(ChangeEvent::LeftoversMended { task, mends, .. })) => {
            format!("{task}: mended {}", plural(mends.len() as u64, "leftover"))
        }
        Event::Own(RefactorEvent::Change(ChangeEvent::MendsDropped { task, .. })) => {
            format!("{task}: checks fail with its leftovers mended, trying without")
        }
        Event::Own(RefactorEvent::TryFailed { task, attempt, reasons, recovery, .. }) => {
            let what = match recovery {
                Recovery::RetryNarrowed => "retrying",
                Recovery::ShowMore => "showing it the code it asked for",
                Recovery::Skip => "continuing without it",
                Recovery::RollBackSubtree => "reverting it and the tasks that depend on it",
                Recovery::Abort => "stopping",
            };
            let why = reasons.first().map(|why| why.replace('\n', "\n  ")).unwrap_or_default();
            format!("{task}: attempt {attempt} failed, {what}: {why}")
        }
        Event::Own(RefactorEvent::Change(ChangeEvent::TaskEnded { entry })) => {
            let status = match entry.status {
                TaskStatus::Applied => "applied",
                TaskStatus::Noop => "nothing to change",
                TaskStatus::Refused => "refused",
                TaskStatus::Skipped => "skipped",
                TaskStatus::RolledBack => "reverted",
            };
            let tests = entry.verdict.words();
            match entry.status {
                TaskStatus::Applied => format!("{}: {status}, {tests}", entry.task),
                _ => format!("{}: {status}", entry.task),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rb_core::Usd;

    use super::*;

    #[test]
    fn rf8_an_estimate_has_the_money_of_one_try_and_of_all() {
        assert_eq!(priced(None, 3, 2), "; price unknown");
        let million = Usd::whole;
        let price = Price {
            input: million(1),
            output: million(4),
            cache_read: million(1),
            cache_write: million(1),
            published: "2026-06-08".to_owned(),
            over: None,
        };
        // 6,000 tokens to read and 1,500 to write are 1.2 cents.
        let words = priced(Some(&price), 2, 2);
        assert_eq!(words, "; about $0.024000, at most $0.072000 with retries");
    }
}

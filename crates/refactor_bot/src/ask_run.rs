//! Questions to a model as runs: begun, resumed, told about on standard error, and summed up.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rb_ask::eval::Session;
use rb_ask::workflow::event::{AskEvent, Event, Record, RunEvent};
use rb_ask::workflow::{self, Ask, Context, StartOptions, State};
use rb_ask::{Answer, AskError, Memory, render};
use rb_core::{RunId, clock};
use rb_flow::ask::call_in_words;
use rb_flow::{Observer, RunDir, Workflow as _, journal, spending};
use rb_index::walk::WalkOptions;
use rb_repo::{ReadOptions, Repo};
use serde_json::Value;

use crate::app::App;
use crate::ask_error;
use crate::ask_question::{Asked, MemoryFile, describe, milliseconds_since, rate_reads};
use crate::error::{CliError, ErrorKind};
use crate::numbers::plural;
use crate::repo_index;
use crate::run_desk::{self, ChosenDesk};
use crate::ui::Detail;

/// Asks the models at `desk`. Verified claims are added to the memory by the run itself.
pub(crate) fn ask(
    app: &App,
    repo: &Repo,
    desk: &ChosenDesk,
    walk: &WalkOptions,
    question: &str,
    mut memory: Option<&mut MemoryFile>,
) -> Result<Asked, CliError> {
    let begun = clock::now();
    if let Some(file) = &mut memory {
        let options = ReadOptions::default();
        repo_index::read(app, repo, &options, |it| describe(&mut file.memory, repo, it))?;
        file.save(app);
    }
    let run = StartedRun::default();
    let context = context(app, desk, repo.root(), run.watched_by(narrator(app)))?;
    let options = StartOptions {
        repo: repo.root().to_owned(),
        include: walk.include.clone(),
        exclude: walk.exclude.clone(),
        question: question.to_owned(),
        models: desk.choice.clone(),
        memory: memory.as_ref().map(|file| file.file.clone()),
    };
    let state = workflow::start(&context, &options).map_err(|error| match run.id() {
        Some(run) => ask_error::of_run(error, &run),
        None => error.into(),
    })?;
    if let Some(file) = memory {
        // What was wrong with it was said when it was read first.
        (file.memory, _) = Memory::load(&file.file);
    }
    let mut asked = asked(app, &state)?;
    let options = ReadOptions::default();
    repo_index::read(app, repo, &options, |indexed| rate_reads(indexed, &mut asked.session))?;
    asked.session.ms = milliseconds_since(begun);
    Ok(asked)
}

/// Resumes an interrupted question, and says which repository it is about. One that was answered is only read.
pub(crate) fn resume(app: &App, id: &RunId) -> Result<(PathBuf, Asked), CliError> {
    let home = app.home()?;
    let before = workflow::summary(home, id)?;
    let repo = before.start.repo.clone();
    if before.course.outcome.is_some() {
        return Ok((repo, asked(app, &before)?));
    }
    let dir = RunDir::new(home, id);
    let desk = run_desk::again_for::<Ask>(app, &repo, &before.start.models, &dir)?;
    let context = context(app, &desk, &repo, narrator(app))?;
    let state =
        workflow::resume(&context, id.clone()).map_err(|error| ask_error::of_run(error, id))?;
    Ok((repo, asked(app, &state)?))
}

/// What a run took, from its journal.
pub(crate) fn spent(app: &App, id: &RunId) -> Result<Spent, CliError> {
    let dir = RunDir::new(app.home()?, id);
    let records = journal::read::<Ask>(&dir).map_err(AskError::from)?.records;
    Ok(Spent { ledger: spending::ledger(&records), records })
}

pub(crate) struct Spent {
    pub(crate) ledger: rb_models::Ledger,
    records: Vec<Record>,
}

fn asked(app: &App, state: &State) -> Result<Asked, CliError> {
    let run = state.start.run.clone();
    let Some(answer) = state.answer.clone() else {
        return Err(CliError::new(ErrorKind::Bug, format!("run {run} ended without an answer")));
    };
    let Spent { ledger, records } = spent(app, &run)?;
    let total = ledger.total();
    let is_priced = total.calls > 0 && total.unknown == 0;
    let session = Session {
        calls: state.calls(),
        cited_calls: cited_calls(&answer, &records),
        files_read: state.files_read(),
        rereads: state.explored.iter().map(|explored| explored.reads_avoided).sum(),
        tokens: total.usage.total(),
        usd: is_priced.then(|| total.cost.to_string().trim_start_matches('$').to_owned()),
        ..Session::default()
    };
    Ok(Asked {
        answer,
        session,
        model_calls: total.calls,
        spent: ledger.gone(),
        plan: state.plans.last().map(|plan| plan.steps.clone()).unwrap_or_default(),
        run: Some(run),
    })
}

/// How many calls were about a file that the answer cites.
fn cited_calls(answer: &Answer, records: &[Record]) -> u32 {
    let statements = answer.sections.iter().flat_map(|section| &section.statements);
    let cited = statements.flat_map(|statement| &statement.citations);
    let cited: BTreeSet<&str> =
        cited.filter(|it| it.is_valid()).map(|it| it.citation.path.as_str()).collect();
    let is_cited = |record: &&Record| match &record.event {
        Event::Run(RunEvent::ToolCalled { input, failed: false, .. }) => {
            let input: Value = serde_json::from_str(input).unwrap_or_default();
            input["path"].as_str().is_some_and(|path| cited.contains(path))
        }
        Event::Run(_) | Event::Own(_) => false,
    };
    u32::try_from(records.iter().filter(is_cited).count()).unwrap_or(u32::MAX)
}

fn context(
    app: &App,
    desk: &ChosenDesk,
    root: &Path,
    observer: Observer<Ask>,
) -> Result<Context, CliError> {
    // The only provider that calls tools by itself, through a server of ours.
    let serves_itself = |name: &str| desk.desk.models.route(name).provider.name() == "claude-code";
    let mcp = if Ask::ROLES.iter().any(|role| serves_itself(role.name)) {
        Some(crate::commands::own_server(app, root)?)
    } else {
        None
    };
    Ok(Context {
        home: app.home()?.clone(),
        env: app.env.clone(),
        cancel: app.cancel.clone(),
        progress: Arc::new(app.ui.progress()),
        search: Arc::clone(&desk.search),
        models: Arc::clone(&desk.desk),
        observer: Some(observer),
        mcp,
    })
}

/// The run that was begun: whoever stops it wants to know its name.
#[derive(Default)]
struct StartedRun(Arc<Mutex<Option<RunId>>>);

impl StartedRun {
    /// Listens to the first event, beside `other`.
    fn watched_by(&self, other: Observer<Ask>) -> Observer<Ask> {
        let seen = Arc::clone(&self.0);
        Arc::new(move |record: &Record| {
            if let Event::Run(RunEvent::RunStarted(start)) = &record.event {
                *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(start.run.clone());
            }
            other(record);
        })
    }

    fn id(&self) -> Option<RunId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Tells on standard error what a model is doing: at a terminal, or if asked for.
fn narrator(app: &App) -> Observer<Ask> {
    let ui = app.ui.clone();
    let speaks = ui.live || ui.detail == Detail::Verbose;
    Arc::new(move |record: &Record| {
        if let Event::Run(RunEvent::RunStarted(start)) = &record.event
            && ui.detail == Detail::Verbose
        {
            // As `run --verbose` says it, too.
            ui.note(&format!("run {}", start.run));
        }
        if let Some(words) = told(record).filter(|_| speaks) {
            ui.note(&words);
        }
    })
}

fn told(record: &Record) -> Option<String> {
    match &record.event {
        Event::Own(AskEvent::Planned { steps, reason, .. }) => Some(plan_words(steps, reason)),
        Event::Own(AskEvent::Reflected { measure, .. }) => {
            let calls = plural(measure.calls as u64, "call");
            let files = plural(measure.new_files as u64, "new file");
            Some(format!("still searching: {calls}, {files}"))
        }
        Event::Own(AskEvent::OffTrack { .. }) => Some("back to the question".to_owned()),
        Event::Own(AskEvent::Checked { counts, faults, .. }) => {
            let again = if faults.is_empty() { "" } else { "; asking again" };
            Some(format!("checked: {}{again}", render::summary(counts)))
        }
        Event::Run(RunEvent::ToolCalled { tool, input, failed, .. }) => {
            let input: Value = serde_json::from_str(input).unwrap_or_default();
            let failed = if *failed { " (failed)" } else { "" };
            Some(format!("  {}{failed}", call_in_words(tool, &input)))
        }
        Event::Run(RunEvent::Suspected { path, .. }) => {
            Some(format!("suspicious text in {path} is not followed"))
        }
        Event::Own(
            AskEvent::Warned { .. }
            | AskEvent::Evicted { .. }
            | AskEvent::Explored(_)
            | AskEvent::Answered { .. },
        )
        | Event::Run(_) => None,
    }
}

fn plan_words(steps: &[String], reason: &str) -> String {
    let mut text =
        if reason.is_empty() { "plan:".to_owned() } else { format!("new plan, because {reason}:") };
    for (number, step) in (1..).zip(steps) {
        let _ = write!(text, "\n  {number}. {step}");
    }
    text
}

#[cfg(test)]
mod tests {
    use rb_core::clock::Timestamp;

    use super::*;

    #[test]
    fn as1_a_plan_and_each_call_is_told_in_a_line() {
        let check = |event: Event, expected: Option<&str>| {
            let record = Record { v: 1, seq: 1, at: Timestamp::from_unix_ms(0), event };
            assert_eq!(told(&record).as_deref(), expected);
        };
        let planned = |reason: &str| AskEvent::Planned {
            call: 1,
            steps: vec!["Find the router".to_owned(), "Read it".to_owned()],
            reason: reason.to_owned(),
        };
        check(planned("").into(), Some("plan:\n  1. Find the router\n  2. Read it"));
        check(
            planned("there is none").into(),
            Some("new plan, because there is none:\n  1. Find the router\n  2. Read it"),
        );
        let called = |input: &str, failed: bool| RunEvent::ToolCalled {
            role: "explorer".to_owned(),
            task: None,
            tool: "read_file".to_owned(),
            input: input.to_owned(),
            result: String::new(),
            chars: 0,
            failed,
        };
        check(called(r#"{"path":"a.js"}"#, false).into(), Some("  read_file a.js"));
        check(called(r#"{"path":"a.js"}"#, true).into(), Some("  read_file a.js (failed)"));
        check(called("{\"path\":\"cut", false).into(), Some("  read_file"));
        check(RunEvent::Resumed.into(), None);
    }
}

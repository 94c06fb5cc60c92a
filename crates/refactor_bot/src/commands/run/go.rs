//! From one question to the next: the plan, single changes, the result.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use rb_change::{Commits, Decision, accept, reject};
use rb_core::{Cancel, RunId, TaskId, Verdict};
use rb_refactor::{Approval, Context, Judged, Phase, RunError, State, approve, resume, summary};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

use super::screen;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::{run_desk, run_error, run_view, verify_settings};

/// How questions are answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answers {
    pub(crate) yes: bool,
    /// Somebody is there to be asked.
    pub(crate) is_terminal: bool,
}

/// What a person at a terminal answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    Later,
    /// To be asked again after a look.
    Diff,
    /// A signal came. Nothing is under way, so that it ends here.
    Interrupted,
}

/// Whoever is asked must see what about: plans and diffs go to standard output, questions to standard error.
pub(crate) fn is_terminal(app: &App) -> bool {
    let sees = io::stdout().is_terminal() && io::stderr().is_terminal();
    !app.ui.json && io::stdin().is_terminal() && sees
}

/// Goes on with a run as long as questions can be answered here, and shows where it stands then.
pub(crate) fn go(
    app: &App,
    context: &Context,
    state: State,
    answers: Answers,
) -> Result<Outcome, CliError> {
    let id = state.started.run.clone();
    let told = |error| run_error::of_run(error, &id);
    let mut state = state;
    loop {
        state = match state.phase() {
            Phase::Planned => {
                say_to_people(app, &screen::confirmation(app, context, &state)?)?;
                match agreed(app, answers, "Continue? [y]es, [n]o: drop it, [l]ater: ") {
                    Answer::Yes => resume(context, id.clone()).map_err(told)?,
                    Answer::No => return drop_it(app, context, &id),
                    Answer::Later | Answer::Diff => return wait(app, &state, ErrorKind::Limit),
                    Answer::Interrupted => return wait(app, &state, ErrorKind::Interrupted),
                }
            }
            Phase::Approval(task) => {
                if !app.ui.json {
                    screen::show_change(app, &state, task)?;
                }
                let word = match agreed(app, answers, "Keep it? [y]es, [n]o, [l]ater: ") {
                    Answer::Yes => Approval::Yes,
                    Answer::No => Approval::No { comment: None },
                    Answer::Later | Answer::Diff => return wait(app, &state, ErrorKind::Limit),
                    Answer::Interrupted => return wait(app, &state, ErrorKind::Interrupted),
                };
                approve(context, id.clone(), task, Judged::Current, word).map_err(told)?
            }
            Phase::Waiting if is_decided(&state, answers) => {
                let state =
                    accept(context, id.clone(), Decision::Accept, Commits::All).map_err(told)?;
                return ended(app, &state);
            }
            Phase::Waiting => {
                let outcome = ended(app, &state)?;
                if answers.is_terminal {
                    app.ui.print(&screen::acceptance(&state)?)?;
                }
                match decided(app, answers, &state)? {
                    Answer::Yes => {
                        let state = accept(context, id.clone(), Decision::Accept, Commits::All)
                            .map_err(told)?;
                        return ended(app, &state);
                    }
                    Answer::No => return drop_it(app, context, &id),
                    Answer::Later | Answer::Diff => return Ok(later(&state, answers, outcome)),
                    Answer::Interrupted => return wait(app, &state, ErrorKind::Interrupted),
                }
            }
            Phase::Unfinished | Phase::Landing | Phase::Ended(_) => {
                return ended(app, &state);
            }
        };
    }
}

/// Shows how a run ended. One that leaves a part of its directive undone has not done all of its work.
fn ended(app: &App, state: &State) -> Result<Outcome, CliError> {
    let outcome = run_view::show(app, state)?;
    let is_incomplete = outcome == Outcome::Done && state.leaves_undone(&state.whole_plan()?);
    Ok(if is_incomplete { Outcome::Reported(ErrorKind::Incomplete) } else { outcome })
}

/// Of what fails, that it could be taken all the same comes last.
fn question(state: &State) -> &'static str {
    if state.verdict() == Verdict::Fail {
        "\nIt fails its checks. [n]o: drop it, [d]iff, [l]ater, [y]es: accept anyway: "
    } else {
        "\nAccept now? [y]es, [n]o: drop it, [d]iff, [l]ater: "
    }
}

/// The diffs are shown as often as they are asked for.
fn decided(app: &App, answers: Answers, state: &State) -> Result<Answer, CliError> {
    loop {
        match ask(app, answers, question(state)) {
            Answer::Diff => crate::commands::runs::show_diff(app, &state.started.run)?,
            answer => return Ok(answer),
        }
    }
}

fn agreed(app: &App, answers: Answers, question: &str) -> Answer {
    if answers.yes { Answer::Yes } else { ask(app, answers, question) }
}

/// Programs read the journal's events, and nothing between them.
fn say_to_people(app: &App, text: &str) -> Result<(), CliError> {
    if app.ui.json { Ok(()) } else { app.ui.print(text) }
}

/// Somebody has to say a word first.
fn wait(app: &App, state: &State, why: ErrorKind) -> Result<Outcome, CliError> {
    say_to_people(app, &run_view::ending(state))?;
    Ok(Outcome::Reported(why))
}

/// A word on one task's change, from a script or another terminal.
pub(crate) fn say(
    app: &App,
    id: &RunId,
    task: TaskId,
    judged: Judged,
    word: Approval,
) -> Result<Outcome, CliError> {
    let mut context = run_view::context(app)?;
    let before = summary(&context, id)?;
    context.host.shell = verify_settings::shell_again(app, &before)?;
    run_desk::again(app, &before, &mut context)?;
    context.observer = context.observer.or_else(|| Some(screen::narrator(app)));
    let state = approve(&context, id.clone(), task, judged, word)
        .map_err(|error| run_error::of_run(error, id))?;
    go(app, &context, state, Answers { yes: false, is_terminal: is_terminal(app) })
}

/// Part of a refused run, what failed, or what nothing vouches for is never accepted unseen.
fn is_decided(state: &State, answers: Answers) -> bool {
    let failed = state.change.verified_in_full == Some(Verdict::Fail);
    answers.yes && state.refusal().is_none() && !failed && !must_be_seen(state)
}

/// Removed behaviour that no test reaches, and tests that an agent changed.
fn must_be_seen(state: &State) -> bool {
    !state.unvouched().is_empty() || !state.changed_tests().is_empty()
}

/// What `--yes` asked for was not all done: the person has to look first.
fn later(state: &State, answers: Answers, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Done if answers.yes && must_be_seen(state) => Outcome::Reported(ErrorKind::Limit),
        Outcome::Done | Outcome::Reported(_) => outcome,
    }
}

fn drop_it(app: &App, context: &Context, id: &RunId) -> Result<Outcome, CliError> {
    let told = |error: RunError| run_error::of_run(error, id);
    let state = reject(context, id.clone()).map_err(told)?;
    run_view::show(app, &state)?;
    Ok(Outcome::Reported(ErrorKind::Rejected))
}

/// Standard input, read without waiting, as long as this lives.
struct Keys(OFlags);

impl Keys {
    fn open() -> Option<Keys> {
        let stdin = io::stdin();
        let flags = fcntl_getfl(&stdin).ok()?;
        fcntl_setfl(&stdin, flags | OFlags::NONBLOCK).ok()?;
        // What was typed before a question was asked is no answer to it.
        let mut typed = [0; 1024];
        while rustix::io::read(&stdin, &mut typed).is_ok_and(|count| count > 0) {}
        Some(Keys(flags))
    }

    /// The next line; `None` at the end of the input, or when a signal came.
    fn line(cancel: &Cancel) -> Option<String> {
        let mut line = Vec::new();
        while !cancel.is_cancelled() {
            let mut typed = [0; 1024];
            match rustix::io::read(io::stdin(), &mut typed) {
                Ok(0) => return None,
                Ok(count) => line.extend_from_slice(&typed[..count]),
                Err(Errno::AGAIN) => std::thread::sleep(A_MOMENT),
                Err(Errno::INTR) => {}
                Err(_) => return None,
            }
            if line.ends_with(b"\n") {
                return Some(String::from_utf8_lossy(&line).trim().to_lowercase());
            }
        }
        None
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = fcntl_setfl(io::stdin(), self.0);
    }
}

/// Nobody types faster than they read.
const A_MOMENT: Duration = Duration::from_millis(20);

/// Asks at a terminal until there is an answer; elsewhere nothing is asked and the answer is "later".
pub(crate) fn ask(app: &App, answers: Answers, question: &str) -> Answer {
    if !answers.is_terminal {
        return Answer::Later;
    }
    let Some(_keys) = Keys::open() else { return Answer::Later };
    let question_open = app.ui.open_question();
    loop {
        app.ui.say(question);
        let Some(line) = Keys::line(&app.cancel) else { break };
        match line.as_str() {
            "y" | "yes" => return Answer::Yes,
            "n" | "no" => return Answer::No,
            "d" | "diff" if question.contains("[d]") => return Answer::Diff,
            "l" | "later" if question.contains("[l]") => return Answer::Later,
            _ => app.ui.say("Answer with one of the letters in brackets.\n"),
        }
    }
    if app.cancel.is_cancelled() {
        // The program ends here: the signal handler must not speak of a step that it would wait for.
        question_open.keep();
        app.ui.say("\n");
        return Answer::Interrupted;
    }
    Answer::Later
}

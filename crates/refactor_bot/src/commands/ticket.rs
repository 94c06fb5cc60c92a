//! `refactor-bot ticket`: from a ticket to a change whose criteria were tried in a browser.

mod consent;
mod order;
mod plan;
mod push;
mod source;
mod verify;

use clap::Subcommand;
use rb_change::{Commits, Decision};
use rb_core::{RunId, Verdict};
use rb_flow::Workflow as _;
use rb_schema::Role;
use rb_schema::roles::{pr_agent, verify_agent};
use rb_ticket::Ticket;
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::state::{Phase, State};

use self::order::{Order, TicketFlags};
use self::push::Push;
use super::run::go::is_terminal;
use super::run::{Answers, agree};
use super::{Answer, ask};
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::{run_desk, ticket_error, ticket_run};

const EXAMPLES: &str = "\
Examples:
  refactor-bot ticket SHOP-31.md --plan
  refactor-bot ticket SHOP-31.md --provider anthropic
  refactor-bot ticket acme/shop#42 --agent claude-code --push
  refactor-bot ticket verify SHOP-31.md my-branch

A ticket is a file, -, OWNER/REPO#N, #N, a GitHub issue URL, or a Jira key or URL. A model or a coding agent proposes \
the change; refactor-bot runs the tests, starts the app, tries the acceptance criteria in a browser and has what it \
finds fixed. Your checkout is not changed before you accept.";

/// Implement a ticket, check its acceptance criteria in a browser, and write the pull request
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    flags: TicketFlags,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Try the acceptance criteria of a ticket against an existing branch; no model is called
    Verify(verify::Args),
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match &args.verb {
        Some(Verb::Verify(args)) => verify::run(args, app),
        None => work(&args.flags, app),
    }
}

fn work(flags: &TicketFlags, app: &App) -> Result<Outcome, CliError> {
    let Order { mut options, project, settings } = Order::new(flags, app)?;
    if flags.plan {
        return plan::show(app, &options, &project);
    }
    let agent = options.orders.agent.clone();
    // An agent edits in the place of two of the roles.
    let remaining: &[Role] = &[verify_agent::ROLE, pr_agent::ROLE];
    let roles = if agent.is_some() { remaining } else { Ticketing::ROLES };
    let desk = run_desk::fresh_for(app, Some(&project), roles)?;
    if desk.is_none() && agent.is_none() {
        return Err(no_model());
    }
    warn_of_hidden_text(app, &options.ticket);
    let push = if flags.push { Some(Push::prepare(app, &project, &settings)?) } else { None };
    let answers = Answers { yes: flags.yes, is_terminal: is_terminal(app) };
    if let Some(order) = &agent {
        consent::agree(app, order, answers)?;
    }
    if let Some(desk) = &desk {
        agree(app, desk, flags.yes)?;
        options.orders.models = Some(desk.choice.clone());
    }
    let mut state = ticket_run::start(app, desk, options)?;
    if let Some(push) = push {
        state = push.publish(app, state)?;
    }
    conclude(app, &state, answers, flags.yes || flags.push)
}

/// Resumes an interrupted run, and shows what came of it.
pub(super) fn resume(app: &App, id: &RunId, yes: bool) -> Result<Outcome, CliError> {
    let state = ticket_run::resume(app, id)?;
    conclude(app, &state, Answers { yes, is_terminal: is_terminal(app) }, yes)
}

/// Shows how it stands, and takes a decision if there is somebody to take it. What did not pass, or changed tests, is never accepted
/// unseen; `is_unattended` says that it was to be accepted or pushed without a look.
fn conclude(
    app: &App,
    state: &State,
    answers: Answers,
    is_unattended: bool,
) -> Result<Outcome, CliError> {
    if state.phase() != Phase::Waiting {
        return ticket_run::show(app, state);
    }
    let id = &state.start.run;
    if answers.yes && ticket_run::is_all_passed(state) && !ticket_run::must_be_seen(state) {
        return accept(app, id);
    }
    let outcome = ticket_run::show(app, state)?;
    let outcome = if is_unattended { held_back(state, outcome) } else { outcome };
    loop {
        return match ask(app, answers, question(state)) {
            Answer::Diff => {
                super::runs::show_diff(app, id)?;
                continue;
            }
            Answer::Yes => accept(app, id),
            Answer::No => drop_it(app, id),
            Answer::Later => Ok(outcome),
            Answer::Interrupted => Ok(Outcome::Reported(ErrorKind::Interrupted)),
        };
    }
}

/// What was asked for in advance was not done: a person has to look first.
fn held_back(state: &State, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Done if ticket_run::must_be_seen(state) => Outcome::Reported(ErrorKind::Limit),
        Outcome::Done | Outcome::Reported(_) => outcome,
    }
}

/// Of what fails, that it could be taken all the same comes last.
fn question(state: &State) -> &'static str {
    if [state.test_verdict(), state.browser_verdict()].contains(&Verdict::Fail) {
        "\nIt fails its checks. [n]o: drop it, [d]iff, [l]ater, [y]es: accept anyway: "
    } else {
        "\nAccept now? [y]es, [n]o: drop it, [d]iff, [l]ater: "
    }
}

fn accept(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let context = ticket_run::context(app)?;
    let state = rb_change::accept(&context, id.clone(), Decision::Accept, Commits::All)
        .map_err(|error| ticket_error::of_run(error, id))?;
    ticket_run::show(app, &state)
}

fn drop_it(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state = rb_change::reject(&ticket_run::context(app)?, id.clone())
        .map_err(|error| ticket_error::of_run(error, id))?;
    ticket_run::show(app, &state)?;
    Ok(Outcome::Reported(ErrorKind::Rejected))
}

const TRUNCATED: &str = "the ticket is too long: some of its text or comments were left out";

/// What nobody sees in the ticket, what was left out of it, and what tries to steer a model.
fn warn_of_hidden_text(app: &App, ticket: &Ticket) {
    for stripped in &ticket.stripped {
        let (kind, line, text) = (stripped.kind.name(), stripped.line, &stripped.text);
        app.ui.warn(&format!("removed from the ticket, line {line}: {kind}: {text}"));
    }
    if ticket.truncated {
        app.ui.warn(TRUNCATED);
    }
    for found in &ticket.suspicious {
        app.ui.warn(&format!("suspicious text in the ticket is not followed: {}", found.excerpt));
    }
}

fn no_model() -> CliError {
    CliError::new(ErrorKind::Usage, "a ticket needs a model or a coding agent, and none is chosen")
        .hint("choose a model with --provider, such as anthropic or ollama; `refactor-bot models` lists all")
        .hint("or choose an agent with --agent claude-code, codex or 'COMMAND {prompt_file}'")
        .hint("--plan and `refactor-bot ticket verify TICKET BRANCH` need neither")
}

//! A coding agent in place of a model: it edits a copy of the worktree, and what its files come to is the proposal.
//!
//! What the agent says is a note, kept apart from what was checked. Its spend is booked like a call of a model.

use std::path::PathBuf;
use std::time::Duration;

use rb_agent::{Agent, Assignment, Confinement, Ended, Mcp, Place, Report};
use rb_core::process::Env;
use rb_core::{RepoPath, TaskId, Usd, fs};
use rb_flow::{JournalError, RunDir, Workflow, journal, spending};
use rb_models::{Booking, Cost, Usage};
use rb_sandbox::{Choice, Limits, Network};
use rb_workspace::patch;
use serde::{Deserialize, Serialize};

use crate::error::ChangeError;
use crate::verify_setup;
use crate::world::ChangeWorld;

/// Which agent edits, and how far it may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentOrder {
    /// `claude-code`, `codex`, or a command with `{prompt_file}`.
    pub agent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// For all tasks together, where the agent can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<Usd>,
    pub timeout_s: u64,
    /// The agent reaches the network although it is no service of its own: only of a command.
    #[serde(default)]
    pub network: bool,
    /// The program, where it is not the one on `PATH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<PathBuf>,
}

impl AgentOrder {
    /// For people: `claude-code`, `codex`, or the command.
    pub fn name(&self) -> &str {
        self.agent.trim()
    }
}

/// One piece of work for an agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentTask<'a> {
    pub order: &'a AgentOrder,
    pub prompt: &'a str,
    /// Of the folder for its prompt and its output.
    pub name: &'a str,
    /// What its notes and its spend are about.
    pub task: Option<TaskId>,
    pub files: &'a [RepoPath],
}

/// What came of an agent's work, by its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWork {
    Patch {
        patch: Vec<u8>,
        /// What the agent says about it. Nothing of it was checked.
        claims: String,
    },
    /// It ended well and changed nothing.
    Nothing {
        claims: String,
    },
    Failed {
        reasons: Vec<String>,
    },
}

/// The order with what the budget leaves for it, or nothing if the budget is spent. Models and agents share it.
pub fn within_budget<W: Workflow>(
    run: &RunDir,
    order: &AgentOrder,
) -> Result<Option<AgentOrder>, JournalError> {
    let Some(cap) = order.max_usd else { return Ok(Some(order.clone())) };
    let records = journal::read::<W>(run)?.records;
    let left = cap.saturating_sub(spending::ledger(&records).gone());
    Ok((left > Usd::default()).then(|| AgentOrder { max_usd: Some(left), ..order.clone() }))
}

/// Why an agent is not started once more.
pub const BUDGET_SPENT: &str = "the budget for the agent is spent";

/// Has the agent edit a copy of the last good commit. `name` is that of the folder for its logs.
pub fn have_agent_edit(
    world: &mut ChangeWorld,
    order: &AgentOrder,
    prompt: &str,
    name: &str,
) -> Result<AgentWork, ChangeError> {
    run_agent(world, &AgentTask { order, prompt, name, task: None, files: &[] })
}

/// Has the agent edit a copy of the last good commit, notes what it says and books what it took.
pub fn run_agent(world: &mut ChangeWorld, work: &AgentTask<'_>) -> Result<AgentWork, ChangeError> {
    let agent: Agent = match work.order.agent.parse() {
        Ok(agent) => agent,
        Err(error) => return Ok(AgentWork::Failed { reasons: vec![format!("{error}")] }),
    };
    let presumed = work.order.max_usd.unwrap_or_default();
    let booking = Booking {
        role: "agent".to_owned(),
        task: work.task,
        files: work.files.to_vec(),
        provider: provider(&agent).to_owned(),
        model: work.order.model.clone().unwrap_or_default(),
        presumed,
        tries: 1,
        ..Booking::default()
    };
    let report = edit(world, &agent, work, &booking)?;
    world.called(booked(booking, &report))?;
    note(world, work.task, &report)?;
    judge(&agent, &report)
}

/// What became of the work. How the agent ended counts before what it left.
fn judge(agent: &Agent, report: &Report) -> Result<AgentWork, ChangeError> {
    let claims = report.claims.words.clone();
    match report.ended {
        Ended::Done => {}
        // Asking once more would not help.
        Ended::NotLoggedIn => return Err(ChangeError::NotLoggedIn { agent: agent.to_string() }),
        ended => {
            return Ok(AgentWork::Failed { reasons: vec![format!("the agent {}", ended.words())] });
        }
    }
    if report.changes.is_empty() {
        let reasons: Vec<String> = report.refused.iter().map(ToString::to_string).collect();
        return Ok(if reasons.is_empty() {
            AgentWork::Nothing { claims }
        } else {
            AgentWork::Failed { reasons }
        });
    }
    Ok(match report.patch() {
        Ok(made) => AgentWork::Patch { patch: patch::write(&made), claims },
        Err(error) => AgentWork::Failed { reasons: vec![error.to_string()] },
    })
}

fn edit(
    world: &mut ChangeWorld,
    agent: &Agent,
    work: &AgentTask<'_>,
    booking: &Booking,
) -> Result<Report, ChangeError> {
    let order = work.order;
    let commit = world.tip()?;
    world.worktree()?.reset(&commit)?;
    let (ready, _) = verify_setup::ready(world)?;
    let worktree = world.worktree()?.dir().to_owned();
    let scratch = world.run.dir.join("agents").join(work.name);
    fs::create_dir_all(&scratch)?;
    let env = variables(world, agent);
    let home = agent.settings_folder().and_then(|(folder, variable)| {
        let named = world.host.shell.get(variable).map(PathBuf::from);
        named.or_else(|| Some(PathBuf::from(env.get("HOME")?).join(folder)))
    });
    let args = ["mcp", "{folder}", "--home", "{scratch}/index"].map(str::to_owned);
    let mcp = world.host.shim.as_deref();
    let mcp = mcp.map(|command| Mcp { name: "refactor-bot", command, args: &args });
    let is_off = ready.verifier.options.sandbox == Choice::Off;
    let memory = Some(ready.verifier.options.memory_mb << 20);
    let place = Place {
        worktree: &worktree,
        commit: &commit,
        scratch: &scratch,
        sandbox: &ready.verifier.sandbox,
        confinement: if is_off { Confinement::Optional } else { Confinement::Required },
        env: &env,
        agent_home: home.as_deref().filter(|folder| folder.is_dir()),
        program: order.program.as_deref(),
        readable: &[],
        checkouts: &ready.verifier.site.checkouts,
        cancel: &world.host.cancel,
        timeout: Duration::from_secs(order.timeout_s),
        limits: Limits { memory, ..Limits::default() },
    };
    let assignment = Assignment {
        model: order.model.as_deref(),
        max_usd: order.max_usd,
        mcp,
        network: if order.network { Network::Open } else { Network::Loopback },
        ..Assignment::new(work.prompt)
    };
    world.call_started(booking.clone())?;
    let ran = rb_agent::run(agent, &assignment, &place);
    world.ready = Some(ready);
    Ok(ran?)
}

/// Removes the copies that agents were working in when their run was killed.
pub(crate) fn remove_copies(world: &ChangeWorld) {
    let folder = world.run.dir.join("agents");
    for name in fs::list(&folder).unwrap_or_default() {
        // The next garbage collection has another chance.
        let _ = fs::remove_dir_all(&folder.join(name).join("work"));
    }
}

/// What every program gets, and the agent's own keys. Nobody else is started with these.
fn variables(world: &ChangeWorld, agent: &Agent) -> Env {
    let mut env = world.host.env.clone();
    for name in agent.variables() {
        if let Some(value) = world.host.shell.get(name) {
            env = env.with(*name, value);
        }
    }
    env
}

fn provider(agent: &Agent) -> &'static str {
    match agent {
        Agent::ClaudeCode => "claude-code",
        Agent::Codex => "codex",
        Agent::Command(_) => "command",
    }
}

/// What it says that it used. Where it says nothing, it counts with the most that it could.
fn booked(booking: Booking, report: &Report) -> Booking {
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
    let Some(spend) = &report.spend else { return Booking { ms, ..booking } };
    let usage = Usage { input: spend.tokens_in, output: spend.tokens_out, ..Usage::default() };
    match spend.usd {
        Some(usd) => {
            let (cost, presumed) = (Cost::Reported(usd), Usd::default());
            Booking { usage, cost, presumed, ms, ..booking }
        }
        None => Booking { usage, ms, ..booking },
    }
}

/// The longest claim in a note; all of it is in the folder of the agent.
const LONGEST_CLAIM: usize = 300;

/// What a person should know of it, beside the change.
fn note(world: &ChangeWorld, task: Option<TaskId>, report: &Report) -> Result<(), ChangeError> {
    let about = task.map(|task| format!("{task}: ")).unwrap_or_default();
    for words in notes(report) {
        world.note(format!("{about}{words}"))?;
    }
    Ok(())
}

fn notes(report: &Report) -> Vec<String> {
    let refused = report.refused.iter();
    let mut notes: Vec<String> =
        refused.map(|refusal| format!("not taken from the agent: {refusal}")).collect();
    if report.committed {
        notes.push("the agent committed in its copy; only its files were taken".to_owned());
    }
    if report.left_running {
        notes.push("the agent left processes running when it ended; they were stopped".to_owned());
    }
    let tests: Vec<String> = report.touched_tests().iter().map(ToString::to_string).collect();
    if !tests.is_empty() {
        notes.push(format!(
            "the agent changed tests; read them before you accept: {}",
            tests.join(", ")
        ));
    }
    if let Some(spend) = &report.spend {
        let tokens = spend.tokens_in.saturating_add(spend.tokens_out);
        let usd = spend.usd.map(|usd| format!(" for {usd}")).unwrap_or_default();
        notes.push(format!("the agent says that it used {tokens} tokens{usd}"));
    }
    let words: Vec<&str> = report.claims.words.split_whitespace().collect();
    if !words.is_empty() {
        notes.push(format!("the agent says (not checked): {}", bounded(&words.join(" "))));
    }
    notes
}

fn bounded(text: &str) -> String {
    if text.chars().count() <= LONGEST_CLAIM {
        return text.to_owned();
    }
    let short: String = text.chars().take(LONGEST_CLAIM).collect();
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use rb_agent::{Claims, Spend};
    use rb_sandbox::Captured;
    use rb_workspace::patch::{File, FileChange};

    use super::*;

    fn report(ended: Ended, paths: &[&str], claims: &str) -> Report {
        let output = Captured { path: PathBuf::new(), bytes: 0, kept: 0, cut: false };
        let change = |path: &&str| FileChange {
            path: RepoPath::new(path).unwrap(),
            before: None,
            after: Some(File::regular("new\n")),
        };
        Report {
            ended,
            changes: paths.iter().map(change).collect(),
            refused: Vec::new(),
            claims: Claims { words: claims.to_owned() },
            committed: false,
            left_running: false,
            spend: None,
            elapsed: Duration::from_millis(1_500),
            stdout: output.clone(),
            stderr: output,
        }
    }

    #[test]
    fn ag1_what_became_of_the_work_is_in_the_files() {
        let check = |report: &Report| judge(&Agent::Codex, report).unwrap();
        let claims = "Done.".to_owned();
        assert_eq!(check(&report(Ended::Done, &[], "Done.")), AgentWork::Nothing { claims });
        let AgentWork::Patch { patch, .. } = check(&report(Ended::Done, &["a.js"], "")) else {
            panic!("it changed a file")
        };
        assert!(String::from_utf8(patch).unwrap().ends_with("+new\n"));
        // What it changed before it failed is not taken.
        let failed = check(&report(Ended::Failed { code: 3 }, &["a.js"], "Done."));
        let reasons = vec!["the agent failed with exit code 3".to_owned()];
        assert_eq!(failed, AgentWork::Failed { reasons });
        let error = judge(&Agent::Codex, &report(Ended::NotLoggedIn, &[], "")).unwrap_err();
        assert_eq!(error.to_string(), "codex is not logged in");
    }

    #[test]
    fn ag1_notes_are_bounded_and_say_what_is_only_a_claim() {
        let mut told = report(Ended::Done, &["a.js", "test/a.test.js"], "All\n  tests pass.");
        told.spend = Some(Spend { usd: Usd::new(0.25), tokens_in: 10, tokens_out: 2 });
        assert_eq!(
            notes(&told),
            [
                "the agent changed tests; read them before you accept: test/a.test.js",
                "the agent says that it used 12 tokens for $0.250000",
                "the agent says (not checked): All tests pass.",
            ]
        );
        let bad = Report { committed: true, left_running: true, ..report(Ended::Done, &[], "") };
        assert_eq!(
            notes(&bad),
            [
                "the agent committed in its copy; only its files were taken",
                "the agent left processes running when it ended; they were stopped",
            ]
        );
        let long = notes(&report(Ended::Done, &[], &"é".repeat(5_000)));
        assert_eq!(
            long[0].chars().count(),
            "the agent says (not checked): …".chars().count() + 300
        );
        assert_eq!(notes(&report(Ended::Done, &[], " \n")), Vec::<String>::new());
    }

    #[test]
    fn ag1_mo7_what_an_agent_does_not_say_counts_with_the_most_it_could_be() {
        let held = Booking { presumed: Usd::whole(2), ..Booking::default() };
        let mut told = report(Ended::Done, &[], "");
        let unsaid = booked(held.clone(), &told);
        assert_eq!(
            (unsaid.cost, unsaid.presumed, unsaid.ms),
            (Cost::Unknown, Usd::whole(2), 1_500)
        );
        told.spend = Some(Spend { usd: Usd::new(0.25), tokens_in: 10, tokens_out: 2 });
        let said = booked(held, &told);
        let cost = Cost::Reported(Usd::new(0.25).unwrap());
        assert_eq!((said.cost, said.presumed, said.usage.total()), (cost, Usd::default(), 12));
    }
}

//! The flags that choose a coding agent, for the commands that let one propose.

use std::path::PathBuf;

use rb_agent::Agent;
use rb_change::AgentOrder;
use rb_core::Usd;

use crate::app::App;
use crate::config::settings::Settings;
use crate::error::{CliError, ErrorKind};
use crate::ui::printable;

/// Who proposes in place of a model, and how far it may go.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Agent options")]
pub(crate) struct AgentFlags {
    #[arg(
        long,
        value_name = "AGENT",
        help = "Coding agent that does what no recipe does: claude-code, codex or 'COMMAND {prompt_file}'"
    )]
    pub(crate) agent: Option<String>,

    /// Maximum time the agent may work on one task, in seconds [default: 1800]
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "agent",
        hide_short_help = true,
        value_parser = clap::value_parser!(u64).range(1..=MOST_SECONDS)
    )]
    agent_timeout: Option<u64>,

    /// Allow the network to a COMMAND; claude-code and codex always reach their services
    #[arg(long, requires = "agent", hide_short_help = true)]
    agent_network: bool,
}

/// What a task of an agent usually needs is minutes.
const SECONDS: u64 = 30 * 60;
const MOST_SECONDS: u64 = 24 * 60 * 60;

impl AgentFlags {
    /// The agent that the flags choose. Fails where it is unknown or not installed, before anything begins.
    pub(crate) fn order(
        &self,
        app: &App,
        settings: &Settings,
    ) -> Result<Option<AgentOrder>, CliError> {
        let Some(text) = &self.agent else { return Ok(None) };
        let agent: Agent = text.parse().map_err(|error| {
            let words = printable(&format!("{error}"));
            CliError::new(ErrorKind::Usage, words)
        })?;
        let program = program(&agent, app, settings)?;
        let is_claude = agent == Agent::ClaudeCode;
        if !is_claude && app.models.budget_usd.is_some() {
            app.ui.warn(
                "--budget-usd does not limit this agent: only claude-code can be given a limit",
            );
        }
        Ok(Some(AgentOrder {
            agent: agent.to_string(),
            model: None,
            max_usd: is_claude.then(|| cap(app, settings)),
            timeout_s: self.agent_timeout.unwrap_or(SECONDS),
            network: self.agent_network,
            program,
        }))
    }
}

/// What all tasks together may cost: the flag, or what the configuration allows models.
fn cap(app: &App, settings: &Settings) -> Usd {
    let cents = f64::from(settings.models.max_cents);
    let usual = || Usd::new(cents / 100.0).expect("the number of cents is bounded");
    app.models.budget_usd.unwrap_or_else(usual)
}

/// The program that the configuration names. That of a command is looked for when it is started.
fn program(agent: &Agent, app: &App, settings: &Settings) -> Result<Option<PathBuf>, CliError> {
    let (name, install) = match agent {
        Agent::ClaudeCode => (settings.claude.binary.as_str(), "@anthropic-ai/claude-code"),
        Agent::Codex => ("codex", "@openai/codex"),
        Agent::Command(_) => return Ok(None),
    };
    let found = if name.contains('/') {
        Some(PathBuf::from(name)).filter(|path| path.is_file())
    } else {
        app.env.find(name)
    };
    let missing = || {
        let words = format!("`{}` was not found, which --agent {agent} starts", printable(name));
        CliError::new(ErrorKind::Environment, words)
            .hint(format!("install it, for example with `npm install -g {install}`"))
    };
    found.map(Some).ok_or_else(missing)
}

/// An agent works on the user's own account. Whether nobody has agreed to that yet.
pub(crate) fn lacks_consent(app: &App, order: &AgentOrder, yes: bool) -> bool {
    let is_limited = order.max_usd.is_some() && app.models.budget_usd.is_some();
    !yes && !is_limited
}

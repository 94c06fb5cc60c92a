//! A coding agent spends on the person's own account. Where nobody has allowed that, a person is asked once; a script has to allow it
//! beforehand.

use rb_agent::Agent;
use rb_change::AgentOrder;

use crate::agent_flags::lacks_consent;
use crate::app::App;
use crate::commands::run::Answers;
use crate::commands::{Answer, ask};
use crate::error::{CliError, ErrorKind};
use crate::ui::printable;

/// Fails unless the agent may be run. What a command costs is the business of whoever wrote it down.
pub(super) fn agree(app: &App, order: &AgentOrder, answers: Answers) -> Result<(), CliError> {
    let has_account = match order.agent.parse() {
        Ok(Agent::ClaudeCode | Agent::Codex) => true,
        Ok(Agent::Command(_)) | Err(_) => false,
    };
    if !has_account || !lacks_consent(app, order, answers.yes) {
        return Ok(());
    }
    let who = printable(&order.agent);
    let refused = |words: String| {
        let hint = "pass --yes to agree; --budget-usd USD sets a limit for claude-code";
        Err(CliError::new(ErrorKind::Limit, words).hint(hint))
    };
    if !answers.is_terminal {
        return refused(format!("{who} works on your own account, and nobody has agreed to that"));
    }
    let question = format!("This runs {who}, on your own account. Continue? [y]es, [n]o: ");
    match ask(app, answers, &question) {
        Answer::Yes => Ok(()),
        Answer::No | Answer::Later | Answer::Diff => refused(format!("{who} was not run")),
        Answer::Interrupted => Err(CliError::new(ErrorKind::Interrupted, "interrupted")),
    }
}

//! Which agent works, as a person names it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::command_line::CommandLine;
use crate::{claude_code, codex};

/// `claude-code`, `codex`, or a command line with `{prompt_file}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agent {
    ClaudeCode,
    Codex,
    Command(CommandLine),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnknownAgent {
    #[error(
        "`{0}` is no agent. An agent is `claude-code`, `codex`, or a command with {{prompt_file}}, such as \
         'aider --yes --message-file {{prompt_file}}'"
    )]
    NoSuchAgent(String),
    #[error("the command of the agent has a quote that is not closed: {0}")]
    OpenQuote(String),
}

impl Agent {
    /// The folder of the agent's settings below the user's home, and the variable that names another one.
    pub fn settings_folder(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Agent::ClaudeCode => Some((".claude", claude_code::SETTINGS)),
            Agent::Codex => Some((".codex", codex::SETTINGS)),
            Agent::Command(_) => None,
        }
    }

    /// The variables of the user's shell that the agent may see: its own keys and addresses, and no others.
    pub fn variables(&self) -> &'static [&'static str] {
        match self {
            Agent::ClaudeCode => &claude_code::VARIABLES,
            Agent::Codex => &codex::VARIABLES,
            Agent::Command(_) => &[],
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agent::ClaudeCode => f.write_str(claude_code::NAME),
            Agent::Codex => f.write_str(codex::NAME),
            Agent::Command(line) => line.fmt(f),
        }
    }
}

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        match text.trim() {
            claude_code::NAME => Ok(Agent::ClaudeCode),
            codex::NAME => Ok(Agent::Codex),
            other => CommandLine::parse(other).map(Agent::Command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_an_agent_is_known_by_its_name_or_is_a_command() {
        assert_eq!("claude-code".parse(), Ok(Agent::ClaudeCode));
        assert_eq!(" codex ".parse(), Ok(Agent::Codex));
        let line = "aider --message-file {prompt_file}";
        let agent: Agent = line.parse().unwrap();
        assert_eq!(agent.to_string(), line);
        assert_eq!(agent.variables(), [""; 0]);
        let error = "claude".parse::<Agent>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`claude` is no agent. An agent is `claude-code`, `codex`, or a command with {prompt_file}, such as \
             'aider --yes --message-file {prompt_file}'"
        );
    }
}

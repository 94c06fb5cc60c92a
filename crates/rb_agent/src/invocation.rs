//! How one agent is started, and what is read from what it says. The same shape for all of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::process::Env;
use rb_sandbox::Network;

use crate::agent::Agent;
use crate::assignment::{Assignment, Mcp, Place};
use crate::error::AgentError;
use crate::report::{Claims, Ended, Spend};
use crate::{claude_code, codex, command_line, programs, text};

/// The folders of one run.
pub(crate) struct Folders {
    /// The one that the agent may write to; the others lie in it.
    pub(crate) work: PathBuf,
    pub(crate) copy: PathBuf,
    pub(crate) settings: PathBuf,
    /// Outside of `work`: the agent reads it.
    pub(crate) prompt: PathBuf,
}

pub(crate) struct Invocation {
    pub(crate) program: OsString,
    pub(crate) args: Vec<OsString>,
    /// Beyond what every agent sees.
    pub(crate) env: Vec<(&'static str, OsString)>,
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) network: Network,
}

/// What the agent says of its own work.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Where its words say more than its exit.
    pub(crate) ended: Option<Ended>,
    pub(crate) claims: Claims,
    pub(crate) spend: Option<Spend>,
}

impl Invocation {
    pub(crate) fn of(
        agent: &Agent,
        assignment: &Assignment<'_>,
        place: &Place<'_>,
        folders: &Folders,
    ) -> Result<Self, AgentError> {
        match agent {
            Agent::ClaudeCode => claude_code::invocation(assignment, place, folders),
            Agent::Codex => codex::invocation(assignment, place, folders),
            Agent::Command(line) => {
                const ADVICE: &str = "Install it, or give its path";
                let program = find(line.program(), None, &folders.copy, place.env, ADVICE)?;
                Ok(Invocation {
                    args: line.args(&folders.prompt, &folders.copy),
                    env: Vec::new(),
                    readable: programs::needs(&program, place.env),
                    network: assignment.network,
                    program: program.into_os_string(),
                })
            }
        }
    }
}

/// What the agent says, from its output.
pub(crate) fn told(agent: &Agent, stdout: &str) -> Told {
    match agent {
        Agent::ClaudeCode => claude_code::told(stdout),
        Agent::Codex => codex::told(stdout),
        Agent::Command(_) => {
            Told { claims: Claims { words: text::last_words(stdout) }, ..Told::default() }
        }
    }
}

/// The program as a file: the one that was chosen, one on `PATH`, or one of the repository by its path.
pub(crate) fn find(
    name: &str,
    chosen: Option<&Path>,
    folder: &Path,
    env: &Env,
    advice: &'static str,
) -> Result<PathBuf, AgentError> {
    let name = chosen.map_or(Path::new(name), |path| path);
    let found = match name.components().count() {
        0 | 1 => name.to_str().and_then(|name| env.find(name)),
        _ => Some(folder.join(name)).filter(|path| path.is_file()),
    };
    let program = || name.display().to_string();
    found.ok_or_else(|| AgentError::NotInstalled { program: program(), advice })
}

/// The command and the arguments of a server as text, for an agent's settings.
pub(crate) fn server(
    mcp: &Mcp<'_>,
    folders: &Folders,
) -> Result<(String, Vec<String>), AgentError> {
    let utf8 = |word: OsString| {
        word.into_string().map_err(|word| AgentError::NotUtf8(word.to_string_lossy().into_owned()))
    };
    let places = [("{folder}", folders.copy.as_path()), ("{scratch}", folders.work.as_path())];
    let args = mcp.args.iter().map(|arg| utf8(command_line::filled(arg, &places)));
    Ok((utf8(mcp.command.into())?, args.collect::<Result<_, _>>()?))
}

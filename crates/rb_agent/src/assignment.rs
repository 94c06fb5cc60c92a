//! What an agent is given: the work, and the place to do it in. Plain data.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::process::Env;
use rb_core::{Cancel, Usd};
use rb_sandbox::{Limits, Network, Sandbox};

/// What the agent is to do, and how far it may go.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    pub prompt: &'a str,
    pub model: Option<&'a str>,
    /// Only Claude Code can be told. Others stop at the timeout.
    pub max_usd: Option<Usd>,
    /// Only Claude Code can be told.
    pub max_turns: Option<u32>,
    /// Only for Claude Code and Codex.
    pub mcp: Option<Mcp<'a>>,
    /// For a command; Claude Code and Codex always reach their services.
    pub network: Network,
    /// Variables of `Place::env` that the agent sees beyond its own.
    pub variables: &'a [String],
    /// More arguments for Claude Code or Codex.
    pub args: &'a [String],
}

impl<'a> Assignment<'a> {
    /// With this prompt and nothing else: no limits but the time, no tools, no network for a command.
    pub fn new(prompt: &'a str) -> Self {
        Assignment {
            prompt,
            model: None,
            max_usd: None,
            max_turns: None,
            mcp: None,
            network: Network::Loopback,
            variables: &[],
            args: &[],
        }
    }
}

/// A server of tools that the agent starts itself, inside its sandbox.
#[derive(Debug, Clone, Copy)]
pub struct Mcp<'a> {
    pub name: &'a str,
    pub command: &'a Path,
    /// `{folder}` is the copy that the agent works in, `{scratch}` a folder that the server may write to.
    pub args: &'a [String],
}

/// Where the agent works, and what surrounds it. It may hold keys, hence no `Debug`.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Read with git, never written, and hidden from the agent.
    pub worktree: &'a Path,
    /// What the agent starts from and what its change is compared with.
    pub commit: &'a str,
    /// A folder of this run's alone. The copy in it is gone when `run` returns; the prompt and the logs stay.
    pub scratch: &'a Path,
    pub sandbox: &'a Sandbox,
    pub confinement: Confinement,
    /// The caller's variables. The agent sees those that it needs, by name.
    pub env: &'a Env,
    /// The folder of the user that holds the agent's login, such as `~/.claude`. It is read, never shown.
    pub agent_home: Option<&'a Path>,
    /// The program of Claude Code or Codex, where it is not the one on `PATH`.
    pub program: Option<&'a Path>,
    /// What the agent must see of a hidden home, such as the folders of a toolchain.
    pub readable: &'a [PathBuf],
    /// The user's checkouts, which the agent does not see.
    pub checkouts: &'a [PathBuf],
    pub cancel: &'a Cancel,
    pub timeout: Duration,
    pub limits: Limits,
}

/// Whether an agent may run where no sandbox works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Confinement {
    #[default]
    Required,
    /// The user chose so: then nothing keeps the agent from writing elsewhere.
    Optional,
}

//! What stops an agent from being run. An agent that ran and failed is no error.

use rb_core::fs::FsError;
use rb_sandbox::SandboxError;
use rb_workspace::git::GitError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum AgentError {
    #[error("`{program}` was not found. {advice}")]
    NotInstalled { program: String, advice: &'static str },
    #[error(
        "no sandbox works here, so nothing would keep the agent from writing outside of its copy ({guarantees}). \
         Install the package `bubblewrap`; `refactor-bot doctor` shows what is missing"
    )]
    NotConfined { guarantees: String },
    #[error("the prompt is empty. Say what the agent is to change")]
    EmptyPrompt,
    #[error("the prompt has {bytes} bytes and the agent takes {most}. Give it less to read")]
    PromptTooLong { bytes: usize, most: usize },
    #[error("the agent cannot be told a path that is not UTF-8: {0}. Choose another folder")]
    NotUtf8(String),
    #[error("the copy for the agent could not be made or read")]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

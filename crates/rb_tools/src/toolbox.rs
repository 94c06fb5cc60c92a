//! Carries out calls by name, and keeps what a session has read.

use rb_core::Cancel;
use rb_index::walk::WalkError;
use rb_index::{IndexError, Indexed, StoreError};
use rb_repo::{Repo, SearchModel};
use serde_json::Value;
use thiserror::Error;

use crate::evidence::{Evidence, Shown};
use crate::read_cache::ReadCache;
use crate::tools;

/// The repository that a call is about, as it is indexed now.
#[derive(Clone, Copy)]
pub struct Repository<'r> {
    pub repo: &'r Repo,
    pub indexed: &'r Indexed,
    pub search: &'r SearchModel,
    pub cancel: &'r Cancel,
}

/// The state of a session: what was read so far.
#[derive(Debug, Default)]
pub struct Toolbox {
    pub cache: ReadCache,
    pub evidence: Evidence,
}

/// What a client is told about a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: &'static str,
    /// One line for people; the name in words.
    pub title: &'static str,
    pub description: &'static str,
    /// A JSON schema: an object with described properties, `required`, and `additionalProperties: false`.
    pub input: Value,
}

/// What a call gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// For the model. It says itself what was left out.
    pub text: String,
    /// The lines of source that `text` shows as they are.
    pub shown: Vec<Shown>,
    /// The files that the result is about, best first, whether their lines are shown or not.
    pub files: Vec<String>,
    /// How many of the shown lines the session had not seen before. Filled in by `Toolbox::call`.
    pub new_lines: usize,
}

/// Why a call gave nothing. The message is for the model: it says what to do instead.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The call is wrong: an unknown tool, a missing argument, a file that does not exist.
    #[error("{0}")]
    Call(String),
    #[error(transparent)]
    Index(IndexError),
    #[error("interrupted")]
    Interrupted,
}

impl From<IndexError> for ToolError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Interrupted | IndexError::Walk(WalkError::Interrupted) => {
                ToolError::Interrupted
            }
            IndexError::Walk(WalkError::BadGlob(bad)) => ToolError::Call(format!("{bad}.")),
            error @ (IndexError::Walk(WalkError::Exhausted { .. } | WalkError::Root { .. })
            | IndexError::Store(_)
            | IndexError::Embed(_)) => ToolError::Index(error),
        }
    }
}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        ToolError::Index(error.into())
    }
}

impl Toolbox {
    /// All tools, in the order in which a newcomer would use them.
    pub fn specs() -> Vec<ToolSpec> {
        tools::ALL.iter().map(|tool| (tool.spec)()).collect()
    }

    pub fn call(
        &mut self,
        on: Repository<'_>,
        name: &str,
        input: &Value,
    ) -> Result<Output, ToolError> {
        let tool = tools::named(name)?;
        let arguments = tools::Arguments::new(&(tool.spec)(), input)?;
        let mut output = (tool.run)(on, &mut self.cache, &arguments)?;
        output.new_lines = output.shown.iter().map(|shown| self.evidence.add(shown)).sum();
        Ok(output)
    }
}

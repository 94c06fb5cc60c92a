//! What is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rb_core::{RepoPath, TaskId};
use rb_schema::Schema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::ToolCall;

/// A whole call: nothing of an earlier one is remembered by anybody.
#[derive(Debug, Clone)]
pub struct Request {
    pub purpose: Purpose,
    /// As the provider calls it; empty for the provider's own choice.
    pub model: String,
    pub system: String,
    pub messages: Vec<Message>,
    /// What the model may call; each call comes back in the answer for the caller to carry out.
    pub tools: Vec<Tool>,
    /// The form of the answer.
    pub schema: Option<Arc<Schema>>,
    pub limits: Limits,
    /// Tokens that the answer should need. It gets so much room and no more than the limit, and twice as much if it was cut off;
    /// `None` for the limit. A recording does not hold it.
    pub need: Option<u64>,
    /// Where a provider that reads files by itself may look, and nowhere else.
    pub folder: Option<PathBuf>,
    /// A server of tools that a provider may start and call by itself; other providers ignore it. A recording does not hold it.
    pub mcp: Option<McpServer>,
    /// What differs from run to run without a meaning of its own.
    pub volatile: Vec<Volatile>,
}

/// What a call is booked to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purpose {
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The files that the call is about; its cost is shared among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RepoPath>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Message {
    User {
        text: String,
    },
    /// What a model answered before, to be continued.
    Assistant {
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    /// What became of all tool calls of the message before.
    Tools {
        results: Vec<ToolResult>,
    },
}

/// Something that a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// A JSON schema of an object.
    pub input: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// Of the call that it answers.
    pub id: String,
    pub name: String,
    pub text: String,
    #[serde(default)]
    pub failed: bool,
}

/// A program that serves tools over the Model Context Protocol, by its standard input and output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The model sees it as a part of each tool's name: letters, digits, `-` and `_`.
    pub name: String,
    pub command: PathBuf,
    pub args: Vec<String>,
}

/// What a call may take at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub output_tokens: u64,
    /// Model turns, where the provider acts by itself.
    pub turns: u32,
    /// Until the first sign of life.
    pub first: Duration,
    /// Between two signs of life.
    pub idle: Duration,
    /// For one try.
    pub whole: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            output_tokens: 16_000,
            turns: 10,
            first: Duration::from_mins(5),
            idle: Duration::from_mins(2),
            whole: Duration::from_mins(20),
        }
    }
}

/// Text such as the mark of a fence or the path of a worktree, and what a recording has in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Volatile {
    pub text: String,
    pub stands_for: &'static str,
}

impl Request {
    /// A question with nothing but words.
    pub fn new(role: &str, system: impl Into<String>, user: impl Into<String>) -> Self {
        Request {
            purpose: Purpose { role: role.to_owned(), ..Purpose::default() },
            model: String::new(),
            system: system.into(),
            messages: vec![Message::User { text: user.into() }],
            tools: Vec::new(),
            schema: None,
            limits: Limits::default(),
            need: None,
            folder: None,
            mcp: None,
            volatile: Vec::new(),
        }
    }
}

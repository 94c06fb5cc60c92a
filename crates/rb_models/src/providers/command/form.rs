//! The two JSON objects, strict where a program writes them: a field that is misspelt is no answer that is missing.

use rb_schema::Schema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{Counted, Message, Request, Tool, Usage};

const VERSION: u32 = 1;

#[derive(Serialize)]
pub(super) struct Question<'a> {
    version: u32,
    role: &'a str,
    task: Option<String>,
    model: &'a str,
    system: &'a str,
    messages: &'a [Message],
    tools: &'a [Tool],
    schema: Option<&'a Schema>,
    limits: Limits,
}

#[derive(Serialize)]
struct Limits {
    output_tokens: u64,
    turns: u32,
    seconds: u64,
}

impl<'a> Question<'a> {
    pub(super) fn of(request: &'a Request) -> Self {
        Question {
            version: VERSION,
            role: &request.purpose.role,
            task: request.purpose.task.as_ref().map(ToString::to_string),
            model: &request.model,
            system: &request.system,
            messages: &request.messages,
            tools: &request.tools,
            schema: request.schema.as_deref(),
            limits: Limits {
                output_tokens: request.limits.output_tokens,
                turns: request.limits.turns,
                seconds: request.limits.whole.as_secs(),
            },
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("it is made of texts, numbers and lists")
    }
}

/// What a program has answered.
pub(super) enum Reply {
    Answer(ProgramAnswer),
    Error(Error),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramAnswer {
    pub(super) text: Option<String>,
    pub(super) value: Option<Value>,
    #[serde(default)]
    pub(super) tool_calls: Vec<Call>,
    pub(super) usage: Option<Tokens>,
    pub(super) cost_usd: Option<f64>,
    pub(super) model: Option<String>,
    error: Option<Error>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) input: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tokens {
    input: u64,
    output: u64,
    #[serde(default)]
    cache_read: u64,
    #[serde(default)]
    cache_write: u64,
    #[serde(default)]
    reasoning: u64,
}

impl Tokens {
    pub(super) fn usage(self) -> Usage {
        let Tokens { input, output, cache_read, cache_write, reasoning } = self;
        let counted = Counted::ByProvider;
        Usage { input, output, cache_read, cache_write, reasoning, counted }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Error {
    pub(super) kind: ErrorKind,
    pub(super) message: String,
    pub(super) retry_after_s: Option<f64>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ErrorKind {
    Retry,
    Tell,
    Stop,
}

/// Why there is no answer in some bytes.
pub(super) enum Unread {
    Nothing,
    NoJson(String),
    /// It is JSON, and not the one that was asked for.
    Form(String),
}

pub(super) fn read(bytes: &[u8]) -> Result<Reply, Unread> {
    if bytes.trim_ascii().is_empty() {
        return Err(Unread::Nothing);
    }
    let json: Value =
        serde_json::from_slice(bytes).map_err(|error| Unread::NoJson(error.to_string()))?;
    // A list of the fields in their order would pass as well.
    if !json.is_object() {
        return Err(Unread::Form("its answer is no JSON object".to_owned()));
    }
    let said: ProgramAnswer = serde_json::from_value(json)
        .map_err(|error| Unread::Form(format!("its answer is not of the agreed form: {error}")))?;
    let is_empty = said.text.is_none() && said.value.is_none() && said.tool_calls.is_empty();
    match (said, is_empty) {
        (ProgramAnswer { error: Some(error), .. }, true) => Ok(Reply::Error(error)),
        (ProgramAnswer { error: Some(_), .. }, false) => {
            Err(Unread::Form("it gave an answer and an error at the same time".to_owned()))
        }
        (ProgramAnswer { error: None, .. }, true) => Err(Unread::Form(
            "its answer has no `text`, `value`, `tool_calls` or `error`".to_owned(),
        )),
        (said @ ProgramAnswer { error: None, .. }, false) => Ok(Reply::Answer(said)),
    }
}

//! `command`: any program as a provider. It is started for each call, gets one JSON object on its standard input, and writes
//! one JSON object to its standard output. It is never started through a shell.
//!
//! # The question
//!
//! ```json
//! {
//!   "version": 1,
//!   "role": "patcher",
//!   "task": "T-1 or null",
//!   "model": "the model that was chosen, or an empty text",
//!   "system": "what the model is and has to do",
//!   "messages": [
//!     {"from": "user", "text": "…"},
//!     {"from": "assistant", "text": "…", "tool_calls": [{"id": "c1", "name": "read", "input": {"path": "a"}}]},
//!     {"from": "tools", "results": [{"id": "c1", "name": "read", "text": "…", "failed": false}]}
//!   ],
//!   "tools": [{"name": "read", "description": "…", "input": {"type": "object"}}],
//!   "schema": {"type": "object"},
//!   "limits": {"output_tokens": 16000, "turns": 10, "seconds": 1200}
//! }
//! ```
//!
//! `schema` is the JSON schema (draft-07) that `value` has to fit, or null. The program runs in the folder that it may read,
//! or in an empty one. It is asked to end (SIGTERM) after `seconds`, and killed 10 seconds later.
//!
//! # The answer
//!
//! ```json
//! {
//!   "text": "what the model said",
//!   "value": {"what": "the schema asked for"},
//!   "tool_calls": [{"id": "c1", "name": "read", "input": {"path": "a"}}],
//!   "usage": {"input": 100, "output": 20, "cache_read": 0, "cache_write": 0, "reasoning": 0},
//!   "cost_usd": 0.001,
//!   "model": "the model that answered"
//! }
//! ```
//!
//! or
//!
//! ```json
//! {"error": {"kind": "retry", "message": "too many requests", "retry_after_s": 20}}
//! ```
//!
//! Every field may be left out, but one of `text`, `value`, `tool_calls` and `error` must be there; an unknown one is an error.
//! Where a schema was asked for and `value` is left out, `text` must be that JSON. `kind` is `retry` (the same question may
//! succeed later), `tell` (another question may succeed: the message goes to the model) or `stop`. Without `cost_usd` the
//! call was free. Any exit but 0 without an `error` is a failure, and the end of the standard error is shown.

mod form;

use std::time::Duration;

use rb_core::Usd;
use rb_core::process::Exit;
use rb_http::Secret;

use crate::call::{Answer, Cost, Counted, Facts, Request, Stop, ToolCall, Usage};
use crate::error::{Failed, Fault, ModelError};
use crate::programs::{Ear, Host, Job, Ran, Scratch, last_words, printable_of, run, shown};
use crate::provider::{Abilities, Calling, Heard, Probe, Provider, SchemaBy, Watch};

use form::{ErrorKind, ProgramAnswer, Question, Reply};

const NAME: &str = "command";

const REPAIR: &str = "Set `command` to a program that can be run";

#[derive(Debug, Clone, Default)]
pub struct CommandOptions {
    /// The program (a name on `PATH`, or a path) and its arguments.
    pub argv: Vec<String>,
    /// Variables that it gets beside the usual ones.
    pub env: Vec<(String, Secret)>,
}

pub struct Command {
    host: Host,
    options: CommandOptions,
}

impl Command {
    pub fn new(host: Host, options: CommandOptions) -> Self {
        Command { host, options }
    }

    fn program(&self) -> Result<&str, Fault> {
        let none = || Fault::NotInstalled { what: format!("No program is set. {REPAIR}") };
        self.options.argv.first().map(String::as_str).filter(|it| !it.is_empty()).ok_or_else(none)
    }

    fn try_once(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, Failed> {
        let program = self.program()?;
        let scratch = Scratch::new(self.host.scratch()).map_err(Fault::from)?;
        let empty = scratch.empty_folder().map_err(Fault::from)?;
        let question = Question::of(request).to_bytes();
        let env = self.options.env.iter();
        let job = Job {
            program,
            args: self.options.argv[1..].iter().map(Into::into).collect(),
            env: env.map(|(name, value)| (name.clone(), value.expose().into())).collect(),
            stdin: &question,
            cwd: request.folder.as_deref().unwrap_or(&empty),
            whole: request.limits.whole,
            repair: REPAIR,
        };
        let mut ear = Whole { bytes: Vec::new(), watch: Watch::start(), heard: calling.heard };
        let ran = run(&self.host, &scratch, &job, calling.cancel, &mut ear)?;
        let timing = ear.watch.timing();
        let answer = self.judge(request, &ear.bytes, &ran)?;
        Ok(Answer { timing, ..answer })
    }

    fn judge(&self, request: &Request, bytes: &[u8], ran: &Ran) -> Result<Answer, Failed> {
        let secrets: Vec<&Secret> = self.options.env.iter().map(|(_, value)| value).collect();
        let reply = match form::read(bytes) {
            // Its own reason is worth more than what is wrong with the rest.
            Ok(Reply::Error(error)) => return Err(of_error(&error, &secrets).into()),
            _ if ran.exit != Exit::Code(0) => return Err(failed(ran, &secrets).into()),
            Ok(Reply::Answer(said)) => said,
            Err(form::Unread::Nothing) => {
                return Err(Fault::Half { why: "it ended without a word".to_owned() }.into());
            }
            Err(form::Unread::NoJson(why)) => {
                return Err(Fault::Malformed { why: printable_of(&why, &secrets) }.into());
            }
            Err(form::Unread::Form(why)) => {
                return Err(Fault::Program { why: printable_of(&why, &secrets) }.into());
            }
        };
        answer(request, reply)
    }
}

/// Keeps everything. A program need not say anything before its end, so that silence says nothing.
struct Whole<'a> {
    bytes: Vec<u8>,
    watch: Watch,
    heard: &'a (dyn Fn(Heard<'_>) + Sync),
}

impl Ear for Whole<'_> {
    fn piece(&mut self, bytes: &[u8]) {
        if self.bytes.is_empty() {
            (self.heard)(Heard::Begun);
        }
        self.watch.heard();
        (self.heard)(Heard::Busy);
        self.bytes.extend_from_slice(bytes);
    }

    fn patience(&self) -> Option<Duration> {
        None
    }
}

impl Provider for Command {
    fn name(&self) -> &str {
        NAME
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: true, reads_files: true, schema, paid: false, window: None }
    }

    fn probe(&self, _calling: &Calling<'_>) -> Result<Probe, ModelError> {
        let find = || {
            let program = self.program()?;
            let missing = || Fault::NotInstalled {
                what: format!("`{program}` cannot be used: it was not found. {REPAIR}"),
            };
            let found = self.host.find(program).ok_or_else(missing)?;
            Ok(Probe { found: found.display().to_string(), login: String::new() })
        };
        find().map_err(|fault| ModelError::new(NAME, fault))
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.try_once(request, calling).map_err(|failed| failed.into_error(NAME, None))
    }
}

fn answer(request: &Request, said: ProgramAnswer) -> Result<Answer, Failed> {
    let cost = match said.cost_usd {
        None => Cost::Free,
        Some(usd) => Cost::Reported(Usd::new(usd).ok_or_else(|| Fault::Program {
            why: format!("`cost_usd` is {usd}, which is no amount of money"),
        })?),
    };
    let usage = said
        .usage
        .map_or(Usage { counted: Counted::Estimate, ..Usage::default() }, form::Tokens::usage);
    let text = said.text.unwrap_or_default();
    let is_done = said.tool_calls.is_empty();
    let value = match (&request.schema, said.value) {
        (None, value) => value,
        (Some(_), Some(value)) => Some(value),
        (Some(_), None) if !is_done => None,
        (Some(_), None) => Some(rb_schema::json_in(&text).map_err(|error| Failed {
            fault: Fault::NotAsAsked { why: error.to_string() },
            used: Some((usage, cost)),
        })?),
    };
    let calls = said.tool_calls.into_iter().enumerate().map(|(at, call)| ToolCall {
        id: call.id.unwrap_or_else(|| format!("call_{}", at + 1)),
        name: call.name,
        input: call.input,
    });
    let facts = Facts {
        provider: NAME.to_owned(),
        model: said.model.unwrap_or_else(|| request.model.clone()),
        id: None,
        tries: 1,
        notes: Vec::new(),
    };
    let stop = if is_done { Stop::End } else { Stop::Tools };
    let tool_calls = calls.collect();
    Ok(Answer { text, value, tool_calls, stop, usage, cost, facts, ..Answer::default() })
}

fn of_error(error: &form::Error, secrets: &[&Secret]) -> Fault {
    let words = printable_of(&error.message, secrets);
    match (error.kind, error.retry_after_s) {
        (ErrorKind::Retry, Some(after)) => {
            let wait = Duration::try_from_secs_f64(after).ok();
            Fault::RateLimited { words, wait }
        }
        (ErrorKind::Retry, None) => Fault::Unreachable { why: words, lost: true },
        (ErrorKind::Tell, _) => Fault::NotAsAsked { why: words },
        (ErrorKind::Stop, _) => Fault::Program { why: words },
    }
}

fn failed(ran: &Ran, secrets: &[&Secret]) -> Fault {
    let ended = format!("it ended with {}", shown(ran.exit));
    let beside = last_words(&ran.stderr, secrets);
    let why = if beside.is_empty() { ended } else { format!("{ended}: {beside}") };
    Fault::Program { why }
}

//! One way to ask a model: a question to a role, and its answer as a value of the role's type.
//!
//! The question is fenced, sent with the role's schema, booked in the journal, and its answer kept, so that a resumed run does not
//! pay for it again. With tools (`Tools`), the model may look things up first, within limits: each call and what came of it is in
//! the journal, and a call that is made again is not carried out again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use rb_core::{Usd, clock};
use rb_models::{Answer as Said, Limits, Message, ModelError, Purpose, Request, Tool, ToolResult};
use rb_schema::Answer;
use rb_trust::{Fence, Label, Source};
use serde_json::Value;

use crate::answers::Question;
use crate::desk::{Desk, stops};
use crate::error::FlowError;
use crate::event::RunEvent;
use crate::log::Log;
use crate::workflow::Workflow;

/// One question.
pub struct Query {
    /// The task and the files that the call is booked to.
    pub purpose: Purpose,
    /// The question, with foreign text between the marks of `fence`.
    pub user: String,
    pub fence: Fence,
    /// Where a provider that reads files by itself may look.
    pub folder: Option<PathBuf>,
    pub limits: Limits,
    /// Tokens that the answer should need; `None` for what the limits allow.
    pub need: Option<u64>,
    /// Counted from 1. An answer is kept for one try: the same question in a later one is asked anew.
    pub attempt: u32,
}

impl Query {
    /// A first question about no task in particular.
    pub fn new(user: String, fence: Fence) -> Query {
        let (purpose, folder, limits, need) = Default::default();
        Query { purpose, user, fence, folder, limits, need, attempt: 1 }
    }
}

/// What came of a question.
#[derive(Debug)]
pub enum Reply<A> {
    Answer(A),
    /// No usable answer; another try may help.
    Unusable(String),
    /// The run cannot go on: a missing key, a reached cap, an interruption.
    Stopped(ModelError),
}

/// What a model may call while it works on its answer.
pub trait Tools {
    fn list(&self) -> Vec<Tool>;

    /// The result, or what is wrong with the call in words that help the model.
    fn call(&mut self, name: &str, input: &Value) -> Result<String, String>;
}

/// What a conversation with tools may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolLimits {
    pub calls: u32,
    /// Calls that were made before, with the same input.
    pub repeats: u32,
    /// Characters of one result; the rest is cut off.
    pub result_chars: usize,
    pub tokens: u64,
    pub usd: Option<Usd>,
    pub time: Duration,
}

impl Default for ToolLimits {
    fn default() -> Self {
        ToolLimits {
            calls: 20,
            repeats: 3,
            result_chars: 20_000,
            tokens: 1_000_000,
            usd: None,
            time: Duration::from_mins(20),
        }
    }
}

/// Characters of an input and of a result that the journal keeps.
const JOURNALLED: usize = 1_000;

impl Desk {
    /// Asks the role of `A`, several questions at once. The replies come in the order of the questions.
    pub fn ask<A: Answer, W: Workflow>(
        &self,
        log: &Log<W>,
        queries: Vec<Query>,
    ) -> Result<Vec<Reply<A>>, FlowError> {
        let mut questions = Vec::new();
        for query in queries {
            let attempt = query.attempt;
            questions.push(Question { request: self.own.request(A::ROLE, query)?, attempt });
        }
        Ok(self.ask_all(log, questions)?.into_iter().map(read).collect())
    }

    /// Asks with tools, several questions at once. At the limit, the prompt asks the model for its answer.
    pub fn ask_with_tools<A: Answer, W: Workflow>(
        &self,
        log: &Log<W>,
        queries: Vec<Query>,
        tools: &mut dyn Tools,
        limits: ToolLimits,
    ) -> Result<Vec<Reply<A>>, FlowError> {
        let mut talks = Vec::new();
        for query in queries {
            let (session, attempt) = (Session::new(query.fence.clone(), limits), query.attempt);
            let mut request = self.own.request(A::ROLE, query)?;
            request.tools = tools.list();
            talks.push(Talk { request, attempt, session, reply: None });
        }
        loop {
            let mut open: Vec<&mut Talk<A>> =
                talks.iter_mut().filter(|talk| talk.reply.is_none()).collect();
            if open.is_empty() {
                return Ok(talks.into_iter().filter_map(|talk| talk.reply).collect());
            }
            let questions = open.iter().map(|talk| talk.question()).collect();
            let said = self.ask_all(log, questions)?;
            for (talk, said) in open.iter_mut().zip(said) {
                talk.hear(said, tools, log)?;
            }
        }
    }
}

/// One conversation with tools.
struct Talk<A> {
    request: Request,
    attempt: u32,
    session: Session,
    reply: Option<Reply<A>>,
}

impl<A: Answer> Talk<A> {
    fn question(&self) -> Question {
        Question { request: self.request.clone(), attempt: self.attempt }
    }

    /// Takes in what the model said: its answer, or calls that are carried out.
    fn hear<W: Workflow>(
        &mut self,
        said: Result<Said, ModelError>,
        tools: &mut dyn Tools,
        log: &Log<W>,
    ) -> Result<(), FlowError> {
        match said {
            Ok(said) if !said.tool_calls.is_empty() && self.session.has_ended => {
                let why = "it kept calling tools after the limit";
                self.reply = Some(Reply::Unusable(why.to_owned()));
            }
            Ok(said) if !said.tool_calls.is_empty() => {
                let results = self.session.results(&said, tools, &self.request, log)?;
                let Said { text, tool_calls, .. } = said;
                self.request.messages.push(Message::Assistant { text, tool_calls });
                self.request.messages.push(Message::Tools { results });
            }
            said => self.reply = Some(read(said)),
        }
        Ok(())
    }
}

fn read<A: Answer>(said: Result<Said, ModelError>) -> Reply<A> {
    match said {
        Ok(said) => match A::read(&said.value.unwrap_or_default()) {
            Ok(answer) => Reply::Answer(answer),
            Err(faults) => Reply::Unusable(faults.to_string()),
        },
        Err(error) if stops(&error) => Reply::Stopped(error),
        Err(error) => Reply::Unusable(error.to_string()),
    }
}

/// What a conversation took so far.
struct Session {
    fence: Fence,
    limits: ToolLimits,
    begun: clock::Timestamp,
    calls: u32,
    repeats: u32,
    tokens: u64,
    usd: Usd,
    /// The number of each call, by its name and its input.
    seen: BTreeMap<(String, String), u32>,
    /// A limit is reached: the next reply must be the answer.
    has_ended: bool,
}

impl Session {
    fn new(fence: Fence, limits: ToolLimits) -> Self {
        let (calls, repeats, tokens, usd, seen, has_ended) = Default::default();
        let begun = clock::now();
        Session { fence, limits, begun, calls, repeats, tokens, usd, seen, has_ended }
    }

    /// Carries out the calls of one answer.
    fn results<W: Workflow>(
        &mut self,
        said: &Said,
        tools: &mut dyn Tools,
        request: &Request,
        log: &Log<W>,
    ) -> Result<Vec<ToolResult>, FlowError> {
        self.tokens += said.usage.total();
        self.usd = self.usd + said.cost.usd().unwrap_or_default();
        let mut results = Vec::new();
        for call in &said.tool_calls {
            self.calls += 1;
            let key = (call.name.clone(), call.input.to_string());
            let earlier = self.seen.get(&key).copied();
            let result = match earlier {
                Some(number) => {
                    self.repeats += 1;
                    Err(format!(
                        "You already made this call, as call {number}. Its result is above."
                    ))
                }
                None if self.calls > self.limits.calls => {
                    Err(format!("Skipped: the limit is {} calls.", self.limits.calls))
                }
                None => tools.call(&call.name, &call.input),
            };
            self.seen.entry(key.clone()).or_insert(self.calls);
            let failed = result.is_err();
            let text = self.fenced(&call.name, &result.unwrap_or_else(|why| why));
            log.write(RunEvent::ToolCalled {
                role: request.purpose.role.clone(),
                task: request.purpose.task,
                tool: call.name.clone(),
                input: self.for_journal(&key.1),
                result: self.for_journal(&text),
                chars: text.chars().count() as u64,
                failed,
            })?;
            let (id, name) = (call.id.clone(), call.name.clone());
            results.push(ToolResult { id, name, text, failed });
        }
        if let Some(limit) = self.reached() {
            self.has_ended = true;
            if let Some(last) = results.last_mut() {
                let _ = writeln!(last.text, "\n{limit} Answer now, with what you have.");
            }
        }
        Ok(results)
    }

    /// The limit that the conversation has reached.
    fn reached(&self) -> Option<String> {
        let ToolLimits { calls, repeats, tokens, usd, time, .. } = self.limits;
        if self.calls >= calls {
            return Some(format!("You have made {calls} calls, which is the limit."));
        }
        if self.repeats >= repeats {
            return Some(format!("You have repeated {repeats} calls."));
        }
        let is_spent = self.tokens >= tokens
            || usd.is_some_and(|usd| self.usd >= usd)
            || clock::now().since(self.begun) >= time;
        is_spent.then(|| "Your time or budget for calls is used up.".to_owned())
    }

    /// The beginning of a text, without the mark of the fence.
    fn for_journal(&self, text: &str) -> String {
        cut(text, JOURNALLED).replace(self.fence.mark(), "fence")
    }

    fn fenced(&self, tool: &str, text: &str) -> String {
        let kept = cut(text, self.limits.result_chars);
        let label = Label { source: Source::ToolOutput, name: tool.to_owned() };
        let mut fenced = self.fence.around(&label, kept).unwrap_or_else(|_| {
            "The result is withheld: it contains the marker of its own fence.\n".to_owned()
        });
        if kept.len() < text.len() {
            let (kept, all) = (kept.chars().count(), text.chars().count());
            let _ = writeln!(fenced, "Only the first {kept} of {all} characters are shown.");
        }
        fenced
    }
}

/// The first `most` characters.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

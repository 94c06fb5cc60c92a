//! One way to ask a model: a question to a role, and its answer as a value of the role's type.
//!
//! The question is fenced, sent with the role's schema or a narrower one, booked in the journal, and its answer kept, so that a resumed run does not
//! pay for it again. With tools (`Tools`), the model may look things up first, within limits: each call and what came of it is in
//! the journal, a call that is made again is not carried out again, and results make room for others when they become too many.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use rb_core::{Usd, clock};
use rb_models::{
    Answer as Said, Limits, Message, ModelError, Purpose, Request, Tool, ToolCall, ToolResult,
};
use rb_schema::{Answer, Schema};
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
    /// A narrower schema than that of the role, for this question alone. A user's own schema takes its place.
    pub schema: Option<Schema>,
    /// Where a provider that reads files by itself may look.
    pub folder: Option<PathBuf>,
    /// The tools of the repository, for a provider that calls such servers by itself.
    pub mcp: Option<rb_models::McpServer>,
    pub limits: Limits,
    /// Tokens that the answer should need; `None` for what the limits allow.
    pub need: Option<u64>,
    /// Counted from 1. An answer is kept for one try: the same question in a later one is asked anew.
    pub attempt: u32,
}

impl Query {
    /// A first question about no task in particular.
    pub fn new(user: String, fence: Fence) -> Query {
        let (purpose, schema, folder, mcp, limits, need) = Default::default();
        Query { purpose, user, fence, schema, folder, mcp, limits, need, attempt: 1 }
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

/// What a model may call while it works on its answer. Everything that it says must follow from the calls so far: a resumed run
/// makes them again and must send the same requests, or it would ask, and pay, again.
pub trait Tools {
    fn list(&self) -> Vec<Tool>;

    /// The result, or what is wrong with the call in words that help the model.
    fn call(&mut self, name: &str, input: &Value) -> Result<String, String>;

    /// The number of the call that comes next, as the model counts them: from 1, with those that are not carried out.
    fn begin_call(&mut self, _number: u32) {}

    /// What the program itself says to the model after the last call, beside its result: it stands outside of the fence, so that
    /// nothing foreign belongs into it.
    fn advice(&mut self) -> Option<String> {
        None
    }

    /// Whether a call is carried out although it was made before, because it was only put off then.
    fn may_repeat(&mut self, _name: &str, _input: &Value) -> bool {
        false
    }

    /// Why no further call helps, in a sentence to the model. Asked after each round of calls; the conversation then ends as at a
    /// limit.
    fn ended(&mut self) -> Option<String> {
        None
    }

    /// What the program says to the model once all calls of a round were made, beside the last result and outside of its fence. A
    /// conversation that ends with the round has no use for it.
    fn end_round(&mut self) -> Option<String> {
        None
    }

    /// Which of these results goes first when there is no room for all: it is removed from the conversation, and the call can be
    /// made again. The oldest, unless the tools know better; `None` keeps them all.
    fn least_useful(&mut self, open: &[OpenResult<'_>]) -> Option<usize> {
        (!open.is_empty()).then_some(0)
    }
}

/// A result that is still in the conversation and that the model has seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenResult<'r> {
    /// The number of the call.
    pub call: u32,
    pub name: &'r str,
    pub input: &'r Value,
    pub chars: usize,
}

/// What a conversation with tools may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolLimits {
    pub calls: u32,
    /// Calls that were made before, with the same input.
    pub repeats: u32,
    /// Characters of one result; the rest is cut off.
    pub result_chars: usize,
    /// Characters of all results that stay in the conversation. Beyond it, the least useful ones are removed.
    pub context_chars: usize,
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
            context_chars: 1_000_000,
            tokens: 1_000_000,
            usd: None,
            time: Duration::from_mins(20),
        }
    }
}

/// Characters of an input and of a result that the journal keeps.
const JOURNALLED: usize = 1_000;
/// A result of fewer characters is not worth removing: the sentence in its place is hardly shorter.
const WORTH_REMOVING: usize = 300;
/// Characters of an input in the sentence that takes the place of a removed result.
const NAMED: usize = 120;

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
                let messages = &mut self.request.messages;
                self.session.keep(messages.len() + 1, &tool_calls, &results);
                messages.push(Message::Assistant { text, tool_calls });
                messages.push(Message::Tools { results });
                self.session.make_room(messages, tools);
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
    /// The results that are still in the conversation, oldest first.
    kept: Vec<KeptResult>,
    /// A limit is reached: the next reply must be the answer.
    has_ended: bool,
}

/// Where in the conversation a result is.
struct KeptResult {
    call: u32,
    tool: String,
    input: Value,
    chars: usize,
    /// Which of the messages, and which of its results.
    place: (usize, usize),
}

impl Session {
    fn new(fence: Fence, limits: ToolLimits) -> Self {
        let (calls, repeats, tokens, usd, seen, kept, has_ended) = Default::default();
        let begun = clock::now();
        Session { fence, limits, begun, calls, repeats, tokens, usd, seen, kept, has_ended }
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
            let key = (call.name.clone(), call.input.to_string());
            let result = self.result_of(call, &key, tools);
            let failed = result.is_err();
            let mut text = self.fenced(&call.name, &result.unwrap_or_else(|why| why));
            if let Some(advice) = tools.advice() {
                let _ = writeln!(text, "\n{advice}");
            }
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
        let limit = self.reached().or_else(|| tools.ended());
        self.has_ended = limit.is_some();
        let last_words = match limit {
            Some(limit) => Some(format!("{limit} Answer now, with what you have.")),
            None => tools.end_round(),
        };
        if let (Some(last), Some(words)) = (results.last_mut(), last_words) {
            let _ = writeln!(last.text, "\n{words}");
        }
        Ok(results)
    }

    /// Carries out one call; `key` is its name and its input.
    fn result_of(
        &mut self,
        call: &ToolCall,
        key: &(String, String),
        tools: &mut dyn Tools,
    ) -> Result<String, String> {
        self.calls += 1;
        let may_repeat = tools.may_repeat(&call.name, &call.input);
        if let Some(number) = self.seen.get(key).copied()
            && !may_repeat
        {
            self.repeats += 1;
            return Err(format!(
                "You already made this call, as call {number}. Its result is above."
            ));
        }
        self.seen.insert(key.clone(), self.calls);
        if self.calls > self.limits.calls {
            return Err(format!("Skipped: the limit is {} calls.", self.limits.calls));
        }
        tools.begin_call(self.calls);
        tools.call(&call.name, &call.input)
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

    /// Remembers where the results of a round are: in the message with this number.
    fn keep(&mut self, message: usize, calls: &[ToolCall], results: &[ToolResult]) {
        let made = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        let first = self.calls.saturating_sub(made) + 1;
        let numbered = (first..).zip(calls.iter().zip(results));
        for (nth, (number, (call, result))) in numbered.enumerate() {
            self.kept.push(KeptResult {
                call: number,
                tool: call.name.clone(),
                input: call.input.clone(),
                chars: result.text.chars().count(),
                place: (message, nth),
            });
        }
    }

    /// Removes results until the others fit. Those of the last round stay: the model has not seen them yet.
    fn make_room(&mut self, messages: &mut [Message], tools: &mut dyn Tools) {
        let newest = messages.len().saturating_sub(1);
        while self.kept.iter().map(|kept| kept.chars).sum::<usize>() > self.limits.context_chars {
            let may_go = |kept: &KeptResult| kept.place.0 < newest && kept.chars > WORTH_REMOVING;
            let places: Vec<usize> =
                (0..self.kept.len()).filter(|&at| may_go(&self.kept[at])).collect();
            let open: Vec<OpenResult<'_>> =
                places.iter().map(|&at| self.kept[at].as_open()).collect();
            let chosen = tools.least_useful(&open).and_then(|nth| places.get(nth).copied());
            let Some(at) = chosen else { return };
            let gone = self.kept.remove(at);
            // It may be called again.
            self.seen.retain(|_, number| *number != gone.call);
            if let Some(Message::Tools { results }) = messages.get_mut(gone.place.0)
                && let Some(result) = results.get_mut(gone.place.1)
            {
                result.text = removed(&gone.tool, &gone.input);
            }
        }
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

impl KeptResult {
    fn as_open(&self) -> OpenResult<'_> {
        OpenResult { call: self.call, name: &self.tool, input: &self.input, chars: self.chars }
    }
}

/// What takes the place of a result that was removed.
fn removed(tool: &str, input: &Value) -> String {
    let named = call_in_words(tool, input);
    format!("Removed to make room: {named}. Call it again if you need it.\n")
}

/// A call as a sentence names it: the tool, and the values of its input.
pub fn call_in_words(tool: &str, input: &Value) -> String {
    let word = |value: &Value| match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    };
    let values: Vec<&Value> = match input {
        Value::Object(map) => map.values().collect(),
        Value::Null => Vec::new(),
        other => vec![other],
    };
    // Paths and names first, numbers of lines after them.
    let (texts, others): (Vec<&Value>, Vec<&Value>) =
        values.into_iter().partition(|value| value.is_string());
    let words: Vec<String> = texts.into_iter().chain(others).map(word).collect();
    let named = format!("{tool} {}", cut(&words.join(" "), NAMED));
    named.trim_end().to_owned()
}

/// The first `most` characters.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

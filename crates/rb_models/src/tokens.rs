//! How many tokens a request has, counted without a network, and said to be an estimate.
//!
//! The vocabulary is `o200k`. Other families cut text in their own way and publish no vocabulary that
//! could be carried along, so their counts are this one times a factor, which `Calibration` corrects by what the
//! provider reports. What was really used is the provider's word alone: nothing here overrules it.

mod family;
mod text;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{Answer, Counted, Message, Request, ToolCall, Usage};

pub use family::Family;
pub use text::count;

/// Around each message: its role, its begin and its end.
const PER_MESSAGE: u64 = 8;
/// Around each tool and around the form of the answer: what a provider writes the JSON into.
const PER_TOOL: u64 = 12;

/// What a call will take, before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    pub input: u64,
    /// The limit of the answer: it is paid for up to there.
    pub most_output: u64,
    /// Of `input`: text by our own vocabulary, and what the provider adds around it.
    plain: u64,
    frame: u64,
    permille: u64,
}

impl Estimate {
    /// As if the answer were as long as it may be: what a cap has to reckon with.
    pub fn most(&self) -> Usage {
        let (input, output) = (self.input, self.most_output);
        Usage { input, output, counted: Counted::Estimate, ..Usage::default() }
    }

    pub fn own_count(&self, model: &str) -> OwnCount {
        OwnCount { model: model.to_owned(), plain: self.plain, frame: self.frame }
    }

    /// For an answer whose provider does not say what it took.
    pub fn usage_of(&self, answer: &Answer) -> Usage {
        // Many providers give a structured answer twice: as text, and as the value that was read from it.
        let said = count(&answer.text).max(answer.value.as_ref().map_or(0, json));
        let output = said.saturating_add(calls(&answer.tool_calls));
        Usage { output: times(output, self.permille), ..self.most() }
    }
}

/// Our own count of what was sent, to be compared with the provider's when a run is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCount {
    /// As it was asked for.
    pub model: String,
    plain: u64,
    frame: u64,
}

/// By the family's factor alone, as nothing is known of this run.
pub fn estimate(request: &Request, family: Family) -> Estimate {
    Calibration::new(family).estimate(request)
}

/// The factor of one model, corrected by every answer of a run. It depends on what was told alone, not on the
/// order in which it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calibration {
    family: Family,
    plain: u64,
    told: u64,
}

/// As many tokens have to be told of before the run weighs more than the family's factor.
const WEIGHT_OF_FAMILY: u64 = 4_000;
/// No tokenizer in use is further away than this; a count that is was not made of the text that was sent.
const BOUNDS: std::ops::RangeInclusive<u64> = 500..=4_000;

impl Calibration {
    pub fn new(family: Family) -> Self {
        Calibration { family, plain: 0, told: 0 }
    }

    pub fn estimate(&self, request: &Request) -> Estimate {
        let (plain, frame) = (plain(request), frame(request, self.family));
        let permille = self.permille();
        let input = times(plain, permille).saturating_add(frame);
        Estimate { input, most_output: request.limits.output_tokens, plain, frame, permille }
    }

    /// Takes in what the provider counted for a request that was estimated here.
    pub fn learn(&mut self, estimate: &Estimate, usage: &Usage) {
        self.take(estimate.plain, estimate.frame, usage);
    }

    /// As `learn`, for a request of the same run that another process sent.
    pub fn recall(&mut self, count: &OwnCount, usage: &Usage) {
        self.take(count.plain, count.frame, usage);
    }

    fn take(&mut self, plain: u64, frame: u64, usage: &Usage) {
        let told = usage.all_input().saturating_sub(frame);
        if usage.counted == Counted::Estimate || told == 0 {
            return;
        }
        let (least, most) = (BOUNDS.start(), BOUNDS.end());
        let told = told.clamp(times(plain, *least), times(plain, *most));
        self.plain = self.plain.saturating_add(plain);
        self.told = self.told.saturating_add(told);
    }

    /// Thousandths of a token for each of ours.
    pub fn permille(&self) -> u64 {
        let family = u128::from(WEIGHT_OF_FAMILY) * u128::from(self.family.permille());
        let told = family + u128::from(self.told) * 1000;
        let permille = told / (u128::from(WEIGHT_OF_FAMILY) + u128::from(self.plain));
        u64::try_from(permille).unwrap_or(u64::MAX).clamp(*BOUNDS.start(), *BOUNDS.end())
    }
}

fn times(tokens: u64, permille: u64) -> u64 {
    let product = u128::from(tokens) * u128::from(permille);
    u64::try_from(product.div_ceil(1000)).unwrap_or(u64::MAX)
}

/// The text of a request, by our own vocabulary.
fn plain(request: &Request) -> u64 {
    let messages = request.messages.iter().map(|message| match message {
        Message::User { text } => count(text),
        Message::Assistant { text, tool_calls } => count(text).saturating_add(calls(tool_calls)),
        Message::Tools { results } => results.iter().map(|result| count(&result.text)).sum(),
    });
    let tools = request.tools.iter().map(|tool| {
        count(&tool.name).saturating_add(count(&tool.description)).saturating_add(json(&tool.input))
    });
    let schema = request.schema.iter().map(|schema| json(&schema.value()));
    let parts = messages.chain(tools).chain(schema).chain([count(&request.system)]);
    parts.fold(0, u64::saturating_add)
}

fn frame(request: &Request, family: Family) -> u64 {
    let results = |message: &Message| match message {
        Message::Tools { results } => results.len(),
        Message::User { .. } | Message::Assistant { .. } => 1,
    };
    let messages = 1 + request.messages.iter().map(results).sum::<usize>();
    let forms = request.tools.len() + usize::from(request.schema.is_some());
    let once = if forms == 0 { 0 } else { family.for_tools() };
    messages as u64 * PER_MESSAGE + forms as u64 * PER_TOOL + once
}

fn calls(calls: &[ToolCall]) -> u64 {
    let call = |call: &ToolCall| count(&call.name).saturating_add(json(&call.input)) + PER_TOOL;
    calls.iter().map(call).fold(0, u64::saturating_add)
}

fn json(value: &Value) -> u64 {
    count(&value.to_string())
}

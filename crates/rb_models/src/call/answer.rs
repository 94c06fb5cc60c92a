//! What came back.

use std::time::Duration;

use rb_core::Usd;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Recorded as it is: a replayed answer is the same value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub text: String,
    /// What the schema asked for, once it was checked against it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub value: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    pub stop: Stop,
    pub usage: Usage,
    pub cost: Cost,
    pub timing: Timing,
    pub facts: Facts,
}

/// A value that is there and is `null` is not one that is missing.
fn there<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub input: Value,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    #[default]
    End,
    Tools,
    /// The limit of the answer was reached: it is not whole.
    Length,
    /// The model or its provider would not answer.
    Refusal,
}

/// Tokens. No count is part of another one, except `reasoning`, which is part of `output`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cache_read: u64,
    #[serde(default)]
    pub cache_write: u64,
    #[serde(default)]
    pub reasoning: u64,
    #[serde(default)]
    pub counted: Counted,
}

/// Who says how many tokens it were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    #[default]
    ByProvider,
    /// The provider did not say.
    Estimate,
}

impl Usage {
    pub fn total(&self) -> u64 {
        self.all_input().saturating_add(self.output)
    }

    /// Everything that was sent, whatever its price.
    pub fn all_input(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The provider says so itself.
    Reported(Usd),
    /// By the list of prices.
    Priced(Usd),
    /// On the user's own machine, or by an own program.
    Free,
    /// Nobody knows the price.
    #[default]
    Unknown,
}

impl Cost {
    /// What is known to be spent; `None` where nobody knows.
    pub fn usd(self) -> Option<Usd> {
        match self {
            Cost::Reported(usd) | Cost::Priced(usd) => Some(usd),
            Cost::Free => Some(Usd::default()),
            Cost::Unknown => None,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Until the first sign of life.
    pub first_ms: u64,
    /// Of the try that succeeded.
    pub whole_ms: u64,
}

impl Timing {
    pub fn of(first: Duration, whole: Duration) -> Self {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Timing { first_ms: ms(first), whole_ms: ms(whole) }
    }
}

/// What the provider says about the call; for people who look for it there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub provider: String,
    /// The model that answered, by its full name.
    pub model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Tries, the good one too.
    pub tries: u32,
    /// What somebody should know: a prompt that was cut, a schema that was dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

//! A piece of an answer, or a whole one, as servers send it. What is not known is passed over, and what is
//! missing may be missing: no two servers agree.

use rb_core::Usd;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::call::{Counted, Usage};
use crate::catalog::CostSaid;

#[derive(Deserialize)]
pub(super) struct Chunk {
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) choices: Vec<Choice>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
    #[serde(default)]
    pub(super) citations: Option<Vec<Value>>,
}

#[derive(Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    pub(super) index: u64,
    #[serde(default)]
    pub(super) delta: Option<Delta>,
    /// In an answer that is no stream.
    #[serde(default)]
    pub(super) message: Option<Delta>,
    #[serde(default)]
    pub(super) finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Delta {
    #[serde(default)]
    pub(super) content: Option<Value>,
    #[serde(default)]
    pub(super) refusal: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) tool_calls: Vec<CallPiece>,
}

#[derive(Deserialize)]
pub(super) struct CallPiece {
    #[serde(default)]
    pub(super) index: Option<usize>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) function: FunctionPiece,
}

#[derive(Deserialize, Default)]
pub(super) struct FunctionPiece {
    #[serde(default, deserialize_with = "or_default")]
    pub(super) name: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// `null` is as good as nothing.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

impl Delta {
    /// Text, or parts of which some are text.
    pub(super) fn text(&self) -> String {
        match &self.content {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                parts.iter().filter_map(|part| part["text"].as_str()).collect()
            }
            _ => String::new(),
        }
    }
}

/// No count is part of another one here, but theirs are: `prompt_tokens` holds what came from the cache.
pub(super) fn usage(said: &Value) -> Usage {
    let count = |places: &[&str]| {
        places.iter().find_map(|place| said.pointer(place).and_then(Value::as_u64)).unwrap_or(0)
    };
    let prompt = count(&["/prompt_tokens"]);
    let cache_read = count(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]);
    let cache_write = count(&["/prompt_tokens_details/cache_write_tokens"]);
    let completion = count(&["/completion_tokens"]);
    // Some leave their reasoning out of the completion and only count it in the total; it is paid all the same.
    let unlisted = count(&["/total_tokens"]).saturating_sub(prompt).saturating_sub(completion);
    Usage {
        input: prompt.saturating_sub(cache_read).saturating_sub(cache_write),
        output: completion.saturating_add(unlisted),
        cache_read: cache_read.min(prompt),
        cache_write: cache_write.min(prompt.saturating_sub(cache_read)),
        reasoning: count(&["/completion_tokens_details/reasoning_tokens", "/reasoning_tokens"]),
        counted: Counted::ByProvider,
    }
}

pub(super) fn cost(said: &Value, how: CostSaid) -> Option<Usd> {
    let place = match how {
        CostSaid::Never => return None,
        CostSaid::UsageCost => "/cost",
        CostSaid::UsageTotalCost => "/cost/total_cost",
    };
    said.pointer(place).and_then(Value::as_f64).and_then(Usd::new)
}

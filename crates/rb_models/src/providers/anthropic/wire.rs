//! What the API says, as far as we listen. What it may add later is passed over.

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event {
    MessageStart {
        message: Message,
    },
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: Delta,
    },
    MessageDelta {
        delta: Ending,
        #[serde(default)]
        usage: Option<Usage>,
    },
    MessageStop,
    Error {
        error: Error,
    },
    /// `ping`, `content_block_stop` and whatever else.
    #[serde(other)]
    Other,
}

/// A message that begins, or a whole one.
#[derive(Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) model: String,
    #[serde(default)]
    pub(super) content: Vec<Block>,
    #[serde(flatten)]
    pub(super) ending: Ending,
    #[serde(default)]
    pub(super) usage: Option<Usage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// Such as thinking.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
pub(super) enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Input { partial_json: String },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
pub(super) struct Ending {
    #[serde(default)]
    pub(super) stop_reason: Option<String>,
    #[serde(default)]
    pub(super) stop_details: Option<StopDetails>,
}

#[derive(Deserialize)]
pub(super) struct StopDetails {
    #[serde(default)]
    pub(super) explanation: Option<String>,
}

/// Counts since the beginning of the message; those that are missing did not change.
#[derive(Deserialize)]
pub(super) struct Usage {
    #[serde(rename = "input_tokens", default)]
    pub(super) input: Option<u64>,
    #[serde(rename = "output_tokens", default)]
    pub(super) output: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens", default)]
    pub(super) cache_write: Option<u64>,
    #[serde(rename = "cache_read_input_tokens", default)]
    pub(super) cache_read: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct Error {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) message: String,
}

//! What is known about a provider and its models.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::price::Price;

/// One file of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderSpec {
    /// As it is chosen by.
    pub name: String,
    /// As people call it.
    pub title: String,
    pub wire: Wire,
    /// None where the user has to give it.
    pub base_url: Option<String>,
    /// Variables that may hold the key, the first one that is set counts.
    pub keys: Vec<String>,
    pub needs_key: bool,
    /// On the user's own machine: nothing is paid.
    pub local: bool,
    /// Where the user names none.
    pub default_model: Option<String>,
    /// Of models that are not listed.
    pub window: Option<u64>,
    pub max_output: Option<u64>,
    /// What a user should know when it does not work.
    pub note: Option<String>,
    pub quirks: Quirks,
    pub models: Vec<ModelSpec>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSpec {
    pub name: String,
    /// The name with a date behind it is the same model at the same price.
    pub dated: bool,
    pub window: Option<u64>,
    pub max_output: Option<u64>,
    pub price: Option<Price>,
}

/// The language that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    Chat,
    Ollama,
    Anthropic,
    ClaudeCode,
    Codex,
    Command,
    Builtin,
}

/// How a provider differs from others of the same wire.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quirks {
    /// Behind the address.
    #[serde(deserialize_with = "path")]
    pub path: String,
    pub schema: SchemaAs,
    pub output_limit: OutputLimit,
    /// Models whose names begin so refuse a temperature.
    pub no_temperature: Vec<String>,
    /// Models whose names begin so refuse to be told which tool to call.
    pub no_forced_tool: Vec<String>,
    /// Usage in a stream is asked for with `stream_options`.
    pub stream_usage: bool,
    pub system: SystemRole,
    pub tools: bool,
    /// Sent with each call.
    #[serde(deserialize_with = "headers")]
    pub headers: BTreeMap<String, String>,
    pub reasoning: ReasoningIn,
    pub thinking: Thinking,
    pub cost: CostSaid,
}

impl Default for Quirks {
    fn default() -> Self {
        Quirks {
            path: "/chat/completions".to_owned(),
            schema: SchemaAs::Prompt,
            output_limit: OutputLimit::MaxTokens,
            no_temperature: Vec::new(),
            no_forced_tool: Vec::new(),
            stream_usage: true,
            system: SystemRole::System,
            tools: true,
            headers: BTreeMap::new(),
            reasoning: ReasoningIn::Apart,
            thinking: Thinking::Unset,
            cost: CostSaid::Never,
        }
    }
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let path = String::deserialize(deserializer)?;
    let fits = path.starts_with('/') && path.chars().all(|c| c.is_ascii_graphic());
    if fits { Ok(path) } else { Err(D::Error::custom("a path begins with `/` and has no spaces")) }
}

fn headers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let headers = BTreeMap::<String, String>::deserialize(deserializer)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_value = |c: char| c == ' ' || c.is_ascii_graphic();
    for (name, value) in &headers {
        if name.is_empty() || !name.chars().all(is_name) || !value.chars().all(is_value) {
            return Err(D::Error::custom(format!("no request can carry the header `{name}`")));
        }
        // Files are shared and shown.
        if ["authorization", "x-api-key", "cookie"].contains(&name.to_lowercase().as_str()) {
            return Err(D::Error::custom("keys are not written here; name a variable in `keys`"));
        }
    }
    Ok(headers)
}

/// How the form of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaAs {
    /// `response_format` with a schema in which every field is required.
    JsonSchemaStrict,
    /// `response_format` with the schema as it is.
    JsonSchema,
    /// `response_format` for any JSON object; the words of the prompt give the schema.
    JsonObject,
    /// The arguments of a function that has to be called.
    Tool,
    /// The words of the prompt alone.
    Prompt,
}

/// What the limit of an answer is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    MaxTokens,
    MaxCompletionTokens,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemRole {
    System,
    Developer,
}

/// Where a model's reasoning is to be found; it is never part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningIn {
    /// In a field of its own, such as `reasoning_content`.
    Apart,
    /// Between `<think>` and `</think>`, before the answer.
    ThinkTags,
}

/// What is said about thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    Unset,
    /// `thinking: {type: disabled}`
    Off,
}

/// Whether an answer says what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostSaid {
    Never,
    /// In `usage.cost`, which `usage: {include: true}` asks for.
    UsageCost,
    /// In `usage.cost.total_cost`.
    UsageTotalCost,
}

impl ProviderSpec {
    /// What is known about a model; a name with a date may be known by the name without it.
    pub fn find(&self, model: &str) -> Option<&ModelSpec> {
        let exact = self.models.iter().find(|known| known.name == model);
        exact.or_else(|| self.models.iter().find(|known| known.dated && known.is_at_a_date(model)))
    }

    pub fn price(&self, model: &str) -> Option<&Price> {
        self.find(model)?.price.as_ref()
    }

    pub fn window(&self, model: &str) -> Option<u64> {
        self.find(model).and_then(|known| known.window).or(self.window)
    }

    pub fn max_output(&self, model: &str) -> Option<u64> {
        self.find(model).and_then(|known| known.max_output).or(self.max_output)
    }
}

impl Quirks {
    pub fn takes_temperature(&self, model: &str) -> bool {
        !self.no_temperature.iter().any(|begin| model.starts_with(begin))
    }

    pub fn takes_forced_tool(&self, model: &str) -> bool {
        !self.no_forced_tool.iter().any(|begin| model.starts_with(begin))
    }
}

impl ModelSpec {
    /// `NAME-2024-08-06` or `NAME-20240806`; any other ending is another model.
    fn is_at_a_date(&self, model: &str) -> bool {
        let rest = model.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('-'));
        rest.is_some_and(|rest| {
            let shape: String =
                rest.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00" || shape == "00000000"
        })
    }
}

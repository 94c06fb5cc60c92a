//! The flags that choose models, for the commands that can ask one.

use std::path::PathBuf;

use rb_core::Usd;
use rb_http::Secret;
use serde_json::Value;

use crate::config::Flag;
use crate::error::CliError;

/// Which provider and model, and what they may cost.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Model options")]
pub(crate) struct ModelFlags {
    /// Model provider: builtin (recipes only), claude-code, anthropic, openai, ollama, …
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    provider: Option<String>,

    /// Model name, as the provider spells it
    #[arg(long, global = true, value_name = "MODEL", hide_short_help = true)]
    model: Option<String>,

    /// Use another model for a role, as planner=MODEL or planner=PROVIDER:MODEL; repeatable
    #[arg(long, global = true, value_name = "ROLE=MODEL", value_parser = role, hide_short_help = true)]
    model_for: Vec<String>,

    #[arg(
        long,
        global = true,
        value_name = "URL",
        hide_short_help = true,
        help = "URL of the provider; without --provider, of any server with OpenAI's chat completions API"
    )]
    base_url: Option<String>,

    /// Environment variable that holds the API key
    #[arg(long, global = true, value_name = "VARIABLE", hide_short_help = true)]
    api_key_env: Option<String>,

    /// API key. Other users of this machine can see it; prefer --api-key-env
    #[arg(long, global = true, value_name = "KEY", hide_short_help = true)]
    pub(crate) api_key: Option<ApiKey>,

    /// Maximum amount to spend on models, in US dollars
    #[arg(long, global = true, value_name = "USD", value_parser = dollars, hide_short_help = true)]
    pub(crate) budget_usd: Option<Usd>,

    /// Record every model call and its answer in this file
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        conflicts_with = "replay",
        hide_short_help = true
    )]
    pub(crate) record: Option<PathBuf>,

    /// Replay the answers from a recording; no model is called
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    pub(crate) replay: Option<PathBuf>,
}

/// Not shown, wherever the arguments are.
#[derive(Debug, Clone)]
pub(crate) struct ApiKey(pub(crate) Secret);

impl From<String> for ApiKey {
    fn from(text: String) -> Self {
        ApiKey(Secret::new(text))
    }
}

fn role(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((role, model)) if !role.is_empty() && !model.is_empty() => Ok(text.to_owned()),
        _ => Err("it must look like ROLE=MODEL".to_owned()),
    }
}

fn dollars(text: &str) -> Result<Usd, String> {
    let number = text.trim_start_matches('$').parse::<f64>().ok();
    number.and_then(Usd::new).ok_or_else(|| "it must be an amount such as 2.50".to_owned())
}

impl ModelFlags {
    /// What the flags say, as the configuration is told.
    pub(crate) fn settings(&self) -> Result<Vec<Flag>, CliError> {
        let text = |name: &str, flag: &'static str, value: &Option<String>| {
            value.as_ref().map(|value| Flag::new(name, flag, Value::from(value.as_str())))
        };
        let roles = (!self.model_for.is_empty())
            .then(|| Flag::new("models.for", "--model-for", Value::from(self.model_for.clone())));
        let flags = [
            text("models.provider", "--provider", &self.provider),
            text("models.model", "--model", &self.model),
            text("models.base_url", "--base-url", &self.base_url),
            text("models.api_key_env", "--api-key-env", &self.api_key_env),
            roles,
        ];
        Ok(flags.into_iter().flatten().collect::<Result<_, _>>()?)
    }
}

//! The flags by which models are chosen, the same for every command.

use std::path::PathBuf;

use rb_core::Usd;
use rb_http::Secret;
use serde_json::Value;

use crate::config::Flag;
use crate::error::CliError;

/// Who is asked, with what, and what it may cost.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Model options")]
pub(crate) struct ModelFlags {
    /// Who is asked: builtin (recipes, no model), claude-code, anthropic, openai, ollama …
    #[arg(long, global = true, value_name = "NAME", hide_short_help = true)]
    provider: Option<String>,

    /// The model, as the provider calls it
    #[arg(long, global = true, value_name = "MODEL", hide_short_help = true)]
    model: Option<String>,

    /// Another model for a role, such as planner=MODEL or planner=PROVIDER:MODEL; may be repeated
    #[arg(long, global = true, value_name = "ROLE=MODEL", value_parser = role, hide_short_help = true)]
    model_for: Vec<String>,

    #[arg(
        long,
        global = true,
        value_name = "URL",
        hide_short_help = true,
        help = "Where the provider is asked; alone, any server that speaks OpenAI's chat completions"
    )]
    base_url: Option<String>,

    /// The variable that holds the key
    #[arg(long, global = true, value_name = "VARIABLE", hide_short_help = true)]
    api_key_env: Option<String>,

    /// The key, where no variable holds it; others on this machine can see it
    #[arg(long, global = true, value_name = "KEY", hide_short_help = true)]
    pub(crate) api_key: Option<ApiKey>,

    /// US dollars that may be spent on models
    #[arg(long, global = true, value_name = "USD", value_parser = dollars, hide_short_help = true)]
    pub(crate) budget_usd: Option<Usd>,

    /// Write every call and its answer into this file
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        conflicts_with = "replay",
        hide_short_help = true
    )]
    pub(crate) record: Option<PathBuf>,

    /// Take the answers from a recording; no provider is asked
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

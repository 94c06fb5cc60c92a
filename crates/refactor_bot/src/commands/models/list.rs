//! Who can be asked, and what is missing. Nothing is started and nobody is asked.

use std::fmt::Write as _;

use rb_models::catalog::{ProviderSpec, Wire};
use serde_json::json;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_settings::ModelSettings;

/// List the providers
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, app: &App) -> Result<Outcome, CliError> {
    let settings = ModelSettings::of(app, None)?;
    let mut specs = Vec::new();
    for name in settings.catalog().names() {
        specs.push(settings.spec(name)?);
    }
    // What needs nothing comes first, then what others run for the user, then the user's own servers.
    specs.sort_by_key(|spec| (order(spec), spec.name.clone()));
    if app.ui.json {
        for spec in specs {
            app.ui.print_json(&as_json(&settings, spec))?;
        }
        return Ok(Outcome::Done);
    }
    let wide = specs.iter().map(|spec| spec.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for spec in specs {
        let mark = if spec.name == settings.chosen() { "*" } else { " " };
        let model = spec.default_model.as_deref().unwrap_or("");
        let needs = needs(&settings, spec);
        let line = format!("{mark} {:wide$}  {needs:<44}  {model}", spec.name);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = write!(
        text,
        "\n* is selected. `refactor-bot models check --provider NAME` checks whether a provider is ready.\n"
    );
    app.ui.print(&text)?;
    Ok(Outcome::Done)
}

fn order(spec: &ProviderSpec) -> u8 {
    match spec.wire {
        Wire::Builtin => 0,
        Wire::ClaudeCode | Wire::Codex => 1,
        Wire::Anthropic | Wire::Chat | Wire::Ollama if spec.local => 3,
        Wire::Anthropic | Wire::Chat | Wire::Ollama => 2,
        Wire::Command => 4,
    }
}

fn needs(settings: &ModelSettings<'_>, spec: &ProviderSpec) -> String {
    match spec.wire {
        Wire::Builtin => "recipes, no model, nothing needed".to_owned(),
        Wire::ClaudeCode | Wire::Codex => "its own program and login".to_owned(),
        Wire::Command => "your own program (models.command)".to_owned(),
        Wire::Anthropic | Wire::Chat | Wire::Ollama => match settings.key(spec) {
            (setting, Some(_)) => format!("{setting} is set"),
            (setting, None) if spec.needs_key => format!("{setting} is not set"),
            _ => settings.base_url(spec).unwrap_or_else(|_| "an address (--base-url)".to_owned()),
        },
    }
}

fn as_json(settings: &ModelSettings<'_>, spec: &ProviderSpec) -> serde_json::Value {
    let (setting, key) = settings.key(spec);
    json!({
        "name": spec.name,
        "title": spec.title,
        "chosen": spec.name == settings.chosen(),
        "base_url": settings.base_url(spec).ok(),
        "needs_key": spec.needs_key,
        "key_setting": spec.needs_key.then_some(setting),
        "key_set": key.is_some(),
        "local": spec.local,
        "model": spec.default_model,
    })
}

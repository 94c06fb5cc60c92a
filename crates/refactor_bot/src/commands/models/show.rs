//! One provider: its models, how much they read and write, and what they cost.

use std::fmt::Write as _;

use rb_core::Usd;
use rb_models::catalog::{ModelSpec, ProviderSpec};
use serde_json::json;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_settings::ModelSettings;

/// Show the models of a provider, their limits and prices
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The provider
    #[arg(value_name = "NAME")]
    name: String,

    /// Print the file that describes it, as a starting point for your own
    #[arg(long)]
    toml: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let settings = ModelSettings::of(app, None)?;
    let spec = settings.spec(&args.name)?;
    if args.toml {
        app.ui.print_raw(settings.catalog().text(&spec.name).unwrap_or_default())?;
    } else if app.ui.json {
        app.ui.print_json(&as_json(spec))?;
    } else {
        app.ui.print(&as_text(&settings, spec))?;
    }
    Ok(Outcome::Done)
}

fn as_text(settings: &ModelSettings<'_>, spec: &ProviderSpec) -> String {
    let mut text = format!("{} ({})\n", spec.name, spec.title);
    if let Ok(url) = settings.base_url(spec) {
        let _ = writeln!(text, "at {url}");
    }
    if let Some(note) = &spec.note {
        let _ = writeln!(text, "{note}");
    }
    if spec.models.is_empty() {
        text.push_str("No models are listed; name any model with --model.");
        text.push_str(if spec.local { "\n" } else { " Its price is not known here.\n" });
        return text;
    }
    let wide = spec.models.iter().map(|model| model.name.len()).max().unwrap_or(0);
    let _ = writeln!(
        text,
        "\n{:wide$}  {:>9}  {:>9}  {:>9}  {:>9}  published",
        "model", "window", "output", "$/M in", "$/M out"
    );
    for model in &spec.models {
        let _ = writeln!(text, "{}", line(model, wide).trim_end());
    }
    text
}

fn line(model: &ModelSpec, wide: usize) -> String {
    let tokens = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |n| n.to_string());
    let usd = |usd: Usd| format!("{}", usd.dollars());
    let price = model.price.as_ref();
    let (input, output, published) = match price {
        Some(price) => (usd(price.input), usd(price.output), price.published.as_str()),
        None => ("unknown".to_owned(), "unknown".to_owned(), ""),
    };
    let (window, most) = (tokens(model.window), tokens(model.max_output));
    format!("{:wide$}  {window:>9}  {most:>9}  {input:>9}  {output:>9}  {published}", model.name)
}

fn as_json(spec: &ProviderSpec) -> serde_json::Value {
    let model = |model: &ModelSpec| {
        let price = model.price.as_ref().map(|price| {
            json!({
                "input": price.input.dollars(),
                "output": price.output.dollars(),
                "cache_read": price.cache_read.dollars(),
                "cache_write": price.cache_write.dollars(),
                "published": price.published,
            })
        });
        json!({
            "name": model.name,
            "window": model.window,
            "max_output": model.max_output,
            "usd_per_million_tokens": price,
        })
    };
    json!({
        "name": spec.name,
        "title": spec.title,
        "models": spec.models.iter().map(model).collect::<Vec<_>>(),
    })
}

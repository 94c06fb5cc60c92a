//! `rules explain`: a rule in words.

use rb_rules::engine::{explain, rule};

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};

/// Explain a rule or recipe, with examples and the conditions for a safe edit
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[arg(value_name = "RULE")]
    rule: String,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if let Some(recipe) = rb_recipes::recipes::find(&args.rule) {
        return print(app, recipe.id, &rb_recipes::explain::explain(recipe));
    }
    let Some(rule) = rule(&args.rule) else {
        return Err(match rb_rules::engine::select(std::slice::from_ref(&args.rule), &[]) {
            Err(error) => super::unknown(error),
            Ok(rules) => {
                let ids: Vec<&str> = rules.iter().map(|rule| rule.id).collect();
                CliError::new(ErrorKind::Usage, format!("`{}` is not one rule", args.rule))
                    .hint(format!("it stands for {}", ids.join(", ")))
            }
        });
    };
    print(app, rule.id, &explain(rule))
}

fn print(app: &App, id: &str, text: &str) -> Result<Outcome, CliError> {
    if app.ui.json {
        app.ui.print_json(&serde_json::json!({ "id": id, "text": text }))?;
    } else {
        app.ui.print_raw(text)?;
    }
    Ok(Outcome::Done)
}

//! `rules list`: every rule on a line.

use std::fmt::Write as _;

use rb_rules::engine::{BUNDLES, select};
use rb_rules::{Category, Level, Rule};
use serde_json::json;

use super::unknown;
use crate::app::App;
use crate::error::{CliError, Outcome};

/// List the rules with their impact and how they are fixed
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Rules, categories or bundles to list
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let names = if args.names.is_empty() { vec!["all".to_owned()] } else { args.names.clone() };
    let rules = select(&names, &[]).map_err(unknown)?;
    if app.ui.json {
        let rules: Vec<_> = rules.iter().map(|rule| described(rule)).collect();
        let bundles: Vec<_> = BUNDLES
            .iter()
            .map(|it| {
                let ids: Vec<&str> = it.rules().iter().map(|rule| rule.id).collect();
                json!({ "name": it.name, "directive": it.directive, "rules": ids })
            })
            .collect();
        let recipes: Vec<_> = rb_recipes::ALL
            .iter()
            .map(|it| json!({ "id": it.id, "title": it.title, "needs": it.needs }))
            .collect();
        app.ui.print_json(&json!({ "rules": rules, "bundles": bundles, "recipes": recipes }))?;
    } else {
        app.ui.print(&text(app, &rules))?;
    }
    Ok(Outcome::Done)
}

fn described(rule: &Rule) -> serde_json::Value {
    json!({
        "id": rule.id,
        "title": rule.title,
        "category": rule.category,
        "impact": rule.impact,
        "fix": rule.fix,
        "level": rule.level,
        "repairs": rule.repairs,
    })
}

fn text(app: &App, rules: &[&'static Rule]) -> String {
    let paint = app.ui.out;
    let mut out = String::new();
    for category in Category::ALL {
        let own: Vec<_> = rules.iter().filter(|rule| rule.category == category).collect();
        if own.is_empty() {
            continue;
        }
        let title = format!("{} ({})", category.title(), category.impact().name());
        writeln!(out, "{}", paint.cyan(&title)).expect("a string takes it");
        for rule in own {
            let audit = if rule.level == Level::Audit { " (--all)" } else { "" };
            let line = format!(
                "  {:<34} {:<11} {:<21} {}{audit}",
                rule.id,
                rule.impact.name(),
                rule.fix.name(),
                rule.title
            );
            writeln!(out, "{}", line.trim_end()).expect("a string takes it");
        }
        out.push('\n');
    }
    writeln!(out, "{}", paint.cyan("Bundles")).expect("a string takes it");
    for bundle in BUNDLES {
        writeln!(out, "  {:<12} {}", bundle.name, bundle.directive).expect("a string takes it");
    }
    writeln!(out, "\n{}", paint.cyan("Recipes (rules fix --recipe NAME)"))
        .expect("a string takes it");
    for recipe in rb_recipes::ALL {
        writeln!(out, "  {:<18} {}", recipe.id, recipe.title).expect("a string takes it");
    }
    out
}

//! `rules test`: the tests that the project's own rules bring along.

use std::fmt::Write as _;
use std::path::PathBuf;

use rb_patterns::{Outcome as Tested, TestResult};
use serde_json::json;

use super::project::own_rules;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::ui::printable;

/// Run the tests of the custom rules in `.refactor-bot/rules/`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ids of the rules to test
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Repository of the rules
    #[arg(long, value_name = "REPO", default_value = ".")]
    repo: PathBuf,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let root = args.repo.canonicalize().map_err(|_| {
        CliError::new(ErrorKind::Usage, format!("{} does not exist", args.repo.display()))
            .hint("give the folder of a repository")
    })?;
    let rules = own_rules(&root)?;
    let known: Vec<&str> = rules.iter().map(|it| it.id).collect();
    if let Some(id) = args.ids.iter().find(|id| !known.contains(&id.as_str())) {
        return Err(CliError::new(ErrorKind::Usage, format!("the project has no rule `{id}`"))
            .hint(format!("it has {}", known.join(", "))));
    }
    if known.is_empty() {
        app.ui.note("the project has no rules of its own; `refactor-bot rules new ID` begins one");
    }
    let is_meant = |id: &str| args.ids.is_empty() || args.ids.iter().any(|it| it == id);
    let results: Vec<_> = rules.test().into_iter().filter(|it| is_meant(&it.rule)).collect();
    let failed = results.iter().filter(|it| !it.is_ok()).count();
    let is_untested = |it: &&TestResult| it.outcome == Tested::Untested;
    let untested: Vec<&str> =
        results.iter().filter(is_untested).map(|it| it.rule.as_str()).collect();
    let ran = results.len() - untested.len();
    if app.ui.json {
        let shown: Vec<_> = results
            .iter()
            .map(|it| json!({ "rule": it.rule, "path": it.path, "line": it.line, "ok": it.is_ok(), "words": it.to_string() }))
            .collect();
        app.ui.print_json(&json!({ "tests": shown, "failed": failed, "untested": untested }))?;
    } else {
        let mut out = String::new();
        for it in results.iter().filter(|it| !it.is_ok()) {
            writeln!(out, "{}", printable(&it.to_string())).expect("a string takes it");
        }
        let sum = format!("{}, {failed} failed", plural(ran as u64, "test"));
        writeln!(out, "{sum}").expect("a string takes it");
        app.ui.print(&out)?;
        for id in untested {
            app.ui.warn(&format!("{} has no tests", printable(id)));
        }
    }
    Ok(if failed > 0 { Outcome::Reported(ErrorKind::Refused) } else { Outcome::Done })
}

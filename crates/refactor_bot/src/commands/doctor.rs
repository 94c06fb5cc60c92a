//! `refactor-bot doctor`: is everything here that is needed, and what to do about what is not.
//!
//! It looks and never changes anything. The checks run side by side, each program under a deadline.

mod checks;

use std::fmt::Write as _;
use std::thread;

use rb_core::Progress as _;
use serde::Serialize;
use serde_json::json;

use self::checks::CHECKS;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::ui::{Ui, printable};

const EXAMPLES: &str = "\
Examples:
  refactor-bot doctor
  refactor-bot doctor --json";

/// Check that this machine has the required tools
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, app: &App) -> Result<Outcome, CliError> {
    let lines = check_all(app);
    if app.cancel.is_cancelled() {
        return Err(CliError::new(ErrorKind::Interrupted, "interrupted"));
    }
    let failed = lines.iter().any(|line| line.status == Status::Fail);
    if app.ui.json {
        app.ui.print_json(&json!({ "ok": !failed, "checks": lines }))?;
    } else {
        app.ui.print(&table(&app.ui, &lines))?;
    }
    Ok(if failed { Outcome::Reported(ErrorKind::Environment) } else { Outcome::Done })
}

/// What one check found.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    status: Status,
    found: String,
    /// What to do, where something should be done.
    advice: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ok,
    /// Not here, and not needed by everybody.
    #[serde(rename = "none")]
    Absent,
    Warn,
    Fail,
}

impl Line {
    fn new(status: Status, name: &'static str, found: impl Into<String>) -> Self {
        Line { name, status, found: found.into(), advice: None }
    }

    fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

/// The lines of all checks in the order of the list, whatever order they end in.
fn check_all(app: &App) -> Vec<Line> {
    let progress = app.ui.progress();
    progress.begin("checking this machine", CHECKS.len() as u64);
    let lines = thread::scope(|scope| {
        let running: Vec<_> = CHECKS.iter().map(|check| scope.spawn(|| check(app))).collect();
        let mut lines = Vec::new();
        for check in running {
            lines.push(check.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            progress.advance(1);
        }
        lines
    });
    progress.end();
    lines
}

fn table(ui: &Ui, lines: &[Line]) -> String {
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for line in lines {
        let status = match line.status {
            Status::Ok => ui.out.green("ok  "),
            Status::Absent => ui.out.dim("none"),
            Status::Warn => ui.out.yellow("warn"),
            Status::Fail => ui.out.red("fail"),
        };
        let _ = writeln!(text, "{status}  {:width$}  {}", line.name, printable(&line.found));
        if let Some(advice) = &line.advice {
            let arrow = ui.out.cyan("->");
            let _ = writeln!(text, "      {:width$}  {arrow} {}", "", printable(advice));
        }
    }
    text
}

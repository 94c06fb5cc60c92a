//! `refactor-bot config`: which settings hold, what they may be, and whom to trust.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::{Value, json};

use crate::app::App;
use crate::config::file::{ProjectFile, project_root};
use crate::config::trust::Trust;
use crate::config::{Config, ConfigError, Entry, needs_trust, schema, shell_word};
use crate::error::{CliError, Outcome};
use crate::ui::printable;

const EXAMPLES: &str = "\
Settings come from, strongest first:
  flags, and --set KEY=VALUE
  variables, such as REFACTOR_BOT_DIFF_BUDGET_LOC or REFACTOR_BOT_CLAUDE_BINARY
    (a list is written as JSON, or with commas)
  .refactor-bot.config.json in the root of the project
  config.json in ~/.refactor-bot
  defaults

Examples:
  refactor-bot config show
  refactor-bot config show ../shop --set max_batches=20
  refactor-bot config schema > refactor-bot.schema.json";

/// Show the settings and where they come from; trust a project's settings
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Print every setting with its value and where it comes from
    Show {
        /// The project
        #[arg(default_value = ".")]
        repo: PathBuf,
    },
    /// Print the JSON schema of a configuration file
    Schema,
    /// Let a project's configuration file choose programs and loosen limits
    #[command(long_about = "\
Let a project's configuration file choose programs and loosen limits.

Until you trust it, a project's file can only make a run stricter: smaller budgets and limits, more excludes. \
Read the file first. If it changes, you have to trust it again. The list is kept in ~/.refactor-bot, never in \
the project.")]
    Trust {
        /// The project
        repo: PathBuf,
    },
    /// Stop trusting a project's configuration file
    Untrust {
        /// The project
        repo: PathBuf,
    },
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match &args.verb {
        Verb::Show { repo } => show(app, repo),
        Verb::Schema => {
            app.ui.print_raw(&format!("{:#}\n", schema::schema())).map(|()| Outcome::Done)
        }
        Verb::Trust { repo } => trust(app, repo),
        Verb::Untrust { repo } => untrust(app, repo),
    }
}

fn show(app: &App, repo: &Path) -> Result<Outcome, CliError> {
    let config = app.config(Some(repo), Vec::new())?;
    if app.ui.json {
        app.ui.print_json(&json!({
            "settings": as_json(&config.entries),
            "ignored_until_trusted": as_json(&config.ignored),
        }))?;
    } else {
        app.ui.print(&table(app, &config))?;
    }
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    Ok(Outcome::Done)
}

/// A value as it may be shown: variables of `verify.env` may hold secrets.
fn shown(entry: &Entry) -> Value {
    let hidden = |entry: &Value| entry.as_str().map(rb_verify::without_value);
    match &entry.value {
        Value::Array(entries) if entry.key.name == "verify.env" => {
            entries.iter().filter_map(hidden).collect()
        }
        value => value.clone(),
    }
}

fn as_json(entries: &[Entry]) -> Value {
    let object = |entry: &Entry| json!({ "key": entry.key.name, "value": shown(entry), "origin": entry.origin });
    entries.iter().map(object).collect()
}

fn table(app: &App, config: &Config) -> String {
    let row = |entry: &Entry| {
        let line = format!("{} = {}", entry.key.name, printable(&shown(entry).to_string()));
        (line, printable(&entry.origin.to_string()))
    };
    let rows: Vec<_> = config.entries.iter().map(row).collect();
    let ignored: Vec<_> = config.ignored.iter().map(row).collect();
    // One very long value must not push every origin off the screen.
    let width = rows.iter().map(|(line, _)| line.chars().count()).filter(|&n| n <= 60).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (line, origin) in &rows {
        let origin = app.ui.out.dim(&format!("# {origin}"));
        let _ = writeln!(text, "{line:width$}  {origin}");
    }
    for (line, origin) in &ignored {
        let origin = app.ui.out.yellow(&format!("# ignored until trusted: {origin}"));
        let _ = writeln!(text, "{line:width$}  {origin}");
    }
    text
}

fn trust(app: &App, repo: &Path) -> Result<Outcome, CliError> {
    let root = project_root(repo)?;
    let project = ProjectFile::read(&root)?.ok_or(ConfigError::NoProjectFile { root })?;
    let gained = needs_trust(&project, app.home()?)?;
    Trust::load(app.home()?)?.add(&project)?;
    if app.ui.json {
        app.ui.print_json(&json!({
            "trusted": project.path, "sha256": project.sha256, "may_now_set": as_json(&gained),
        }))?;
    } else {
        let mut text =
            format!("trusted {} as it is now\n", printable(&project.path.display().to_string()));
        for entry in &gained {
            let value = printable(&shown(entry).to_string());
            let _ = writeln!(text, "  {} = {value}", entry.key.name);
        }
        app.ui.print(&text)?;
    }
    if gained.is_empty() {
        app.ui.note("no key in it needs trust");
    }
    Ok(Outcome::Done)
}

fn untrust(app: &App, repo: &Path) -> Result<Outcome, CliError> {
    let root = project_root(repo)?;
    let was_trusted = Trust::load(app.home()?)?.remove(&root)?;
    if app.ui.json {
        app.ui.print_json(&json!({ "untrusted": root, "was_trusted": was_trusted }))?;
    } else {
        let word = if was_trusted { "no longer trusted" } else { "was not trusted" };
        app.ui.print(&format!("{}: {word}\n", shell_word(&root)))?;
    }
    Ok(Outcome::Done)
}

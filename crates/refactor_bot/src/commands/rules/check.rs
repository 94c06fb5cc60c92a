//! `rules check`: what is found, for people and for other programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use rb_core::Progress as _;
use rb_core::fs::{self, Durability};
use rb_patterns::Rules;
use rb_rules::engine::{
    Baseline, Checked, Options, OverIndex, check_with_own, fingerprints, github, sarif,
};
use rb_rules::{Certainty, Finding, Rule, Severity, World as _};
use rb_workspace::history::History;

use super::project::{begin_of, own_rules, with_project};
use super::{Choice, screen};
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::repo_index::Scope;

const EXAMPLES: &str = "\
Examples:
  refactor-bot rules check
  refactor-bot rules check ../shop --rule waterfalls
  refactor-bot rules check --since origin/main --format github
  refactor-bot rules check --all --format sarif > rules.sarif
  refactor-bot rules check --write-baseline rules.json
  refactor-bot rules check --baseline rules.json

Tests, stories, generated and vendored files are skipped. A comment `refactor-bot-disable-next-line RULE` silences a \
line. The exit code is 1 if a proved finding is at least as severe as --fail-on, 0 otherwise. A candidate is a likely \
finding with a condition that could not be checked. Candidates are notes: they never change the exit code, and are off \
when CI is set.";

/// Report what the rules find, without changing anything
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    choice: Choice,

    /// Output format; `--json` is the same as `--format json`
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,

    /// Only findings introduced since this revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// Ignore findings listed in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, for use with --baseline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "since"])]
    write_baseline: Option<PathBuf>,

    /// Include tests and stories
    #[arg(long)]
    include_tests: bool,

    /// Show findings that comments silence
    #[arg(long)]
    ignore_comments: bool,

    /// Which findings to show: `proved` ones only, or `likely` candidates too [default: likely, or proved when CI is set]
    #[arg(long, value_name = "CERTAINTY")]
    certainty: Option<Least>,

    /// Lowest severity that makes the command fail
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    fail_on: FailOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

/// The least sure findings that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Least {
    Proved,
    Likely,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let known = args.baseline.as_deref().map(read_baseline).transpose()?;
    let (found, rules, prints) = with_project(app, &args.scope, |world, root| {
        let own = own_rules(root)?;
        let ids: Vec<String> = own.iter().map(|it| it.id.to_owned()).collect();
        let (rules, own_ids) = args.choice.chosen(&ids)?;
        let work = Work { args, app, rules: &rules, own: &own, own_ids: &own_ids };
        let mut found = work.check(world, root)?;
        let line = |finding: &Finding| line_of(world, finding);
        if let Some(known) = &known {
            found.findings = known.new_ones(std::mem::take(&mut found.findings), &line);
        }
        if let Some(path) = &args.write_baseline {
            let baseline = Baseline::of(&found.findings, &line);
            let text = serde_json::to_vec_pretty(&baseline).expect("plain data with text keys");
            fs::write(path, &[text.as_slice(), b"\n"].concat(), Durability::Relaxed)?;
        }
        let prints = fingerprints(&found.findings, &line);
        Ok((found, rules, prints))
    })?;
    show(args, app, &found, &rules, &prints)
}

/// One check, with what it is about.
struct Work<'w> {
    args: &'w Args,
    app: &'w App,
    rules: &'w [&'static Rule],
    own: &'w Rules,
    own_ids: &'w [String],
}

impl Work<'_> {
    fn check(&self, world: &mut OverIndex<'_>, root: &Path) -> Result<Checked, CliError> {
        let Some(since) = &self.args.since else { return self.look(world, None) };
        let history = History::of(root, &self.app.env, &self.app.cancel);
        let commit = begin_of(&history, since)?;
        let changed = history.changed_since(&commit).map_err(git)?;
        let paths: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let only = |path: &str| paths.iter().any(|it| it == path);
        let mut now = self.look(world, Some(&only))?;
        let line = |finding: &Finding| line_of(world, finding);
        let after: Vec<(Finding, String)> =
            now.findings.iter().map(|it| (it.clone(), line(it))).collect();
        for path in &changed {
            let before = history.text_at(&commit, path).map_err(git)?;
            world.put(path.to_string(), before.unwrap_or_default());
        }
        let before = self.look(world, Some(&only))?;
        let known = Baseline::of(&before.findings, &|it: &Finding| line_of(world, it));
        let texts: BTreeMap<&Finding, &String> =
            after.iter().map(|(it, line)| (it, line)).collect();
        let line = |it: &Finding| texts.get(it).map_or_else(String::new, |line| (*line).clone());
        now.findings = known.new_ones(std::mem::take(&mut now.findings), &line);
        Ok(now)
    }

    fn look(
        &self,
        world: &OverIndex<'_>,
        only: Option<&(dyn Fn(&str) -> bool + Sync)>,
    ) -> Result<Checked, CliError> {
        let steps = self.app.ui.progress();
        let options = Options {
            include_tests: self.args.include_tests,
            ignore_suppressions: self.args.ignore_comments,
            certainty: certainty(self.args.certainty, self.app),
            trust_unused: false,
            only,
            cancel: &self.app.cancel,
            progress: &steps,
        };
        steps.begin("looking for findings", world.all_facts().count() as u64);
        let found = check_with_own(world, self.rules, self.own, self.own_ids, &options);
        steps.end();
        if self.app.cancel.is_cancelled() {
            return Err(CliError::new(ErrorKind::Interrupted, "interrupted"));
        }
        Ok(found)
    }
}

/// Nobody judges a candidate in CI.
fn certainty(asked: Option<Least>, app: &App) -> Certainty {
    let is_ci = app.environment.text("CI").is_some_and(|it| !matches!(it, "false" | "0"));
    match asked {
        Some(Least::Proved) => Certainty::Proved,
        None if is_ci => Certainty::Proved,
        Some(Least::Likely) | None => Certainty::Likely,
    }
}

fn git(error: rb_workspace::git::GitError) -> CliError {
    CliError::new(ErrorKind::Environment, error)
}

/// The first line of a finding.
fn line_of(world: &OverIndex<'_>, finding: &Finding) -> String {
    let text: Option<Arc<str>> = world.text(&finding.path);
    let line = text.as_deref().and_then(|text| text.lines().nth(finding.line as usize - 1));
    line.unwrap_or("").to_owned()
}

fn read_baseline(path: &Path) -> Result<Baseline, CliError> {
    let bytes = fs::read(path)?;
    Baseline::read(&bytes).map_err(|error| {
        CliError::new(ErrorKind::UnsafeInput, format!("{}: {error}", path.display()))
            .hint("create it again with --write-baseline")
    })
}

fn show(
    args: &Args,
    app: &App,
    found: &Checked,
    rules: &[&'static Rule],
    prints: &[String],
) -> Result<Outcome, CliError> {
    match args.format {
        Format::Human if app.ui.json => app.ui.print_json(&screen::json(found, prints))?,
        Format::Json => app.ui.print_json(&screen::json(found, prints))?,
        Format::Human => app.ui.print(&screen::text(app, found))?,
        Format::Sarif => {
            app.ui.print_json(&sarif(&found.findings, prints, rules, env!("CARGO_PKG_VERSION")))?;
        }
        Format::Github => app.ui.print(&github(&found.findings))?,
    }
    if let Some(path) = &args.write_baseline {
        app.ui.note(&format!("{} findings written to {}", found.findings.len(), path.display()));
        return Ok(Outcome::Done);
    }
    let limit = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Note => Severity::Note,
        FailOn::Never => return Ok(Outcome::Done),
    };
    let proved = found.findings.iter().filter(|it| it.certainty == Certainty::Proved);
    let fails = proved.into_iter().any(|it| it.severity <= limit);
    Ok(if fails { Outcome::Reported(ErrorKind::Refused) } else { Outcome::Done })
}

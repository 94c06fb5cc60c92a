//! `refactor-bot eval`: how good answers are, measured with questions whose right files and facts are known.

mod asking;
mod screen;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rb_ask::eval::compare::{Comparison, compare};
use rb_ask::eval::report::{Report, ReportError};
use rb_ask::eval::suite::{Suite, SuiteError};
use rb_core::fs::{self, Durability};
use serde::Serialize;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::ui::printable;

const EXAMPLES: &str = "\
Examples:
  refactor-bot eval evals/onboarding.json --repos ../repos
  refactor-bot eval evals/ --repos ../repos --output reports/today
  refactor-bot eval evals/onboarding.json --compare reports/last/report.json
  refactor-bot eval evals/onboarding.json --provider anthropic --budget-usd 2

Without a model, the extraction is measured. A model that costs money needs --budget-usd, which holds for all \
questions together. A repository that is missing is skipped, never downloaded. The exit \
code is 0 if every question was asked, whether the answers are good or bad; 7 if some were skipped; 1 if a metric is \
worse than in the earlier report by more than the tolerance.";

/// Measure the quality of answers with a suite of questions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Suite of questions: a JSON file, or a folder of them
    #[arg(value_name = "SUITE")]
    suite: PathBuf,

    /// Folder that holds the repositories; without it, the folder of the suite
    #[arg(long, value_name = "DIR")]
    repos: Option<PathBuf>,

    /// Write report.json and report.md to this folder
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Compare with an earlier report.json
    #[arg(long, value_name = "REPORT")]
    compare: Option<PathBuf>,

    /// How much worse a metric may be than in the earlier report, in percent
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "2",
        requires = "compare",
        value_parser = clap::value_parser!(u32).range(0..=100)
    )]
    tolerance: u32,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

/// A suite, and the folder that the paths of its repositories are relative to.
struct Loaded {
    suite: Suite,
    repos: PathBuf,
}

/// What `--json` prints: a report, to which `--compare` adds what changed.
#[derive(Serialize)]
struct Printed<'r> {
    #[serde(flatten)]
    report: &'r Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'r Comparison>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    // Whatever could fail afterwards fails before a question is paid for.
    let suites = load(args)?;
    let earlier = args.compare.as_deref().map(read_report).transpose()?;
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder)?;
    }
    let report = asking::ask_all(app, &suites)?;
    let comparison = earlier.map(|earlier| compare(&earlier, &report, args.tolerance));
    let comparison = comparison.as_ref();
    let written = match &args.output {
        Some(folder) => write(folder, &report, comparison)?,
        None => Vec::new(),
    };
    if app.ui.json {
        app.ui.print_json(&Printed { report: &report, comparison })?;
    } else {
        app.ui.print(&screen::text(&app.ui, &report, comparison, &written))?;
    }
    Ok(outcome(&report, comparison))
}

fn outcome(report: &Report, comparison: Option<&Comparison>) -> Outcome {
    if comparison.is_some_and(|comparison| comparison.regressions().next().is_some()) {
        Outcome::Reported(ErrorKind::Refused)
    } else if report.is_complete() {
        Outcome::Done
    } else {
        Outcome::Reported(ErrorKind::Incomplete)
    }
}

fn load(args: &Args) -> Result<Vec<Loaded>, CliError> {
    let mut loaded = Vec::new();
    let mut names = BTreeSet::new();
    for file in suite_files(&args.suite)? {
        let suite = read_suite(&file)?;
        if !names.insert(suite.name.clone()) {
            let problem = format!("two suites are named `{}`", suite.name);
            return Err(CliError::new(ErrorKind::Usage, problem)
                .hint("rename one: reports are compared by the names of suites"));
        }
        let beside = || file.parent().unwrap_or(Path::new("")).to_owned();
        loaded.push(Loaded { suite, repos: args.repos.clone().unwrap_or_else(beside) });
    }
    Ok(loaded)
}

fn suite_files(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let files: Vec<PathBuf> = fs::list(path)?
        .into_iter()
        .map(|name| path.join(name))
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .collect();
    if files.is_empty() {
        let problem = format!("there is no suite in {}", path.display());
        return Err(CliError::new(ErrorKind::Usage, problem).hint("a suite is a .json file"));
    }
    Ok(files)
}

fn read_suite(file: &Path) -> Result<Suite, CliError> {
    let bytes = read_file(file, "give a suite: a JSON file, or a folder of them")?;
    let wrong = |error: SuiteError| {
        CliError::new(ErrorKind::Usage, format!("{}: {error}", printable_path(file)))
            .hint("docs/eval.md describes the format")
    };
    Suite::parse(&bytes).map_err(wrong)
}

fn read_report(file: &Path) -> Result<Report, CliError> {
    let hint = "give the report.json that an earlier `eval --output` wrote";
    let bytes = read_file(file, hint)?;
    let wrong = |error: ReportError| {
        CliError::new(ErrorKind::Usage, format!("{}: {error}", printable_path(file))).hint(hint)
    };
    Report::parse(&bytes).map_err(wrong)
}

fn read_file(file: &Path, hint: &str) -> Result<Vec<u8>, CliError> {
    fs::read_optional(file)?.ok_or_else(|| {
        CliError::new(ErrorKind::Usage, format!("{} does not exist", printable_path(file)))
            .hint(hint)
    })
}

fn printable_path(path: &Path) -> String {
    printable(&path.display().to_string())
}

fn write(
    folder: &Path,
    report: &Report,
    comparison: Option<&Comparison>,
) -> Result<Vec<PathBuf>, CliError> {
    let mut json = serde_json::to_string_pretty(report).expect("results have text keys");
    json.push('\n');
    let mut markdown = report.markdown();
    if let Some(comparison) = comparison {
        markdown.push('\n');
        markdown.push_str(&comparison.markdown());
    }
    let files = [("report.json", json), ("report.md", markdown)];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text.as_bytes(), Durability::Relaxed)?;
        written.push(path);
    }
    Ok(written)
}

//! `refactor-bot verify`: does the repository pass its own checks, before anybody changes it?

mod screen;

use std::path::{Path, PathBuf};

use rb_change::ChangeFiles as _;
use rb_core::Verdict;
use rb_core::fs;
use rb_flow::RunDir;
use rb_index::walk::{WalkOptions, walk};
use rb_refactor::{VerifyOptions, verify};
use rb_toolchains::{Command, Detected, detect};
use rb_verify::{Baseline, Effort, Options};
use rb_workspace::preflight::{Dirty, NoRepository};
use serde::Serialize;

use super::run::{Answers, CopyConsent, go};
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::run_view;
use crate::verify_settings::{self, VerifyFlags};

const EXAMPLES: &str = "\
Examples:
  refactor-bot verify
  refactor-bot verify ../shop --list
  refactor-bot verify . --flake-runs 5
  refactor-bot verify . --json

Commands are found in manifests, lockfiles and CI files; `fast_verifier` and `full_verifier` in the \
configuration replace them. They run in a temporary worktree of your current files, without network \
except loopback. The exit code is 0 for a pass, 1 for a failure, 3 if nothing could be verified.";

/// Run the repository's own checks and report every test
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Repository, folder in a repository, or folder without git
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// Only list the commands and where they were found
    #[arg(long)]
    list: bool,

    /// Work on a copy of a folder that is not in a git repository
    #[arg(long)]
    allow_no_git: bool,

    #[command(flatten)]
    verify: VerifyFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let project = args.target.is_dir().then_some(args.target.as_path());
    let config = app.config(project, Vec::new())?;
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    let verify_as = verify_settings::verify(&config.settings, &args.verify)?;
    if args.list {
        return list(&args.target, &verify_as.options, app);
    }
    let mut options = VerifyOptions {
        target: args.target.clone(),
        dirty: Dirty::Carry,
        no_repository: NoRepository::Refuse,
        verify: verify_as,
    };
    // What `--json` prints is the baseline, not the journal.
    let mut context = run_view::context(app)?;
    context.observer = None;
    let answers = Answers { yes: false, is_terminal: go::is_terminal(app) };
    let copy = CopyConsent { flag: args.allow_no_git, answers };
    let state = copy.ask(app, |no_repository| {
        options.no_repository = no_repository;
        Ok(verify(&context, &options)?)
    })?;
    let outputs = RunDir::new(app.home()?, &state.started.run).verify();
    let baseline = read(&outputs)?;
    if app.ui.json {
        app.ui.print_json(&baseline)?;
    } else {
        app.ui.print(&screen::text(&app.ui, &state, &outputs, &baseline))?;
    }
    Ok(match baseline.verdict {
        Verdict::Pass => Outcome::Done,
        Verdict::Fail => Outcome::Reported(ErrorKind::Refused),
        Verdict::NoVerifierRan => Outcome::Reported(ErrorKind::Environment),
    })
}

fn read(outputs: &Path) -> Result<Baseline, CliError> {
    let bytes = fs::read(&outputs.join("baseline.json"))?;
    serde_json::from_slice(&bytes).map_err(|error| CliError::new(ErrorKind::Bug, error))
}

/// What was found, and what a run would use of it.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    detected: Detected,
    /// After every batch.
    fast: Vec<Command>,
    /// Now and then, and at the end.
    full: Vec<Command>,
}

fn list(target: &Path, options: &Options, app: &App) -> Result<Outcome, CliError> {
    let root = target.canonicalize().map_err(|_| {
        CliError::new(ErrorKind::Usage, format!("{} does not exist", target.display()))
            .hint("give the folder of a repository")
    })?;
    let walked = WalkOptions { own: Some(app.home()?.root().to_owned()), ..WalkOptions::default() };
    let found = walk(&root, &walked, &app.cancel).map_err(rb_index::IndexError::from)?;
    let files: Vec<String> = found.files.iter().map(|file| file.path.to_string()).collect();
    let detected: Detected =
        detect(&root, &files, &|program: &str| app.env.find(program).is_some());
    let fast = rb_verify::commands(&detected, Effort::Fast, options);
    let full = rb_verify::commands(&detected, Effort::Full, options);
    let listed = Listed { detected, fast, full };
    if app.ui.json {
        app.ui.print_json(&listed)?;
    } else if options.fast.is_empty() && options.full.is_empty() {
        let not_run = rb_verify::not_run(&listed.detected, options);
        app.ui.print(&screen::found(&app.ui, &listed.detected, &not_run))?;
    } else {
        app.ui.print(&screen::used(&app.ui, &listed))?;
    }
    Ok(Outcome::Done)
}

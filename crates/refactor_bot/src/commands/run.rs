//! `refactor-bot run`: tasks, one after the other, in a throwaway worktree.

use std::path::PathBuf;

use rb_core::{RunId, Verdict};
use rb_flow::Decision;
use rb_refactor::{Proposal, StartOptions, State, accept, reject, start};
use rb_workspace::preflight::Dirty;

use crate::app::App;
use crate::config::Flag;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::run_error;
use crate::run_view::{self, Answer};
use crate::verify_settings::{self, VerifyFlags};

const EXAMPLES: &str = "\
Examples:
  refactor-bot run . --patch fix.patch
  refactor-bot run ../shop --patch 1.patch --patch 2.patch --yes
  refactor-bot run . --format 'npx prettier --write .' --exclude 'vendor/**'

A patch may be a unified diff (wrong line numbers are found out), search/replace blocks or whole files.
Nothing in your checkout is written before you accept.";

/// Change a repository in small checked steps, in a throwaway worktree
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Args {
    /// The repository, a folder of one, or a folder without git
    #[arg(value_name = "REPO", default_value = ".")]
    target: PathBuf,

    /// The same as REPO
    #[arg(long, value_name = "REPO", conflicts_with = "target")]
    repo: Option<PathBuf>,

    /// A change to make, one task each; may be repeated
    #[arg(long, value_name = "FILE")]
    patch: Vec<PathBuf>,

    /// A formatter to run first, as a task of its own that may do nothing else; may be repeated
    #[arg(long, value_name = "COMMAND")]
    format: Vec<String>,

    /// Begin from the working files as they are, with what is not committed
    #[arg(long)]
    allow_dirty: bool,

    /// Lines that one task may add and remove together
    #[arg(long, value_name = "LINES")]
    diff_budget: Option<u32>,

    /// Files that no task may touch; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Do not run the repository's own checks
    #[arg(long)]
    no_verify: bool,

    /// Go on although the repository fails its own checks before any change
    #[arg(long, conflicts_with = "no_verify")]
    allow_failing_baseline: bool,

    #[command(flatten)]
    verify: VerifyFlags,

    /// Accept the result without asking
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let target = args.repo.as_ref().unwrap_or(&args.target);
    let budget =
        args.diff_budget.map(|lines| Flag::new("diff_budget_loc", "--diff-budget", lines.into()));
    // What is no folder has no configuration, and is refused with more to say than a missing file.
    let project = target.is_dir().then_some(target.as_path());
    let config = app.config(project, budget.into_iter().collect::<Result<_, _>>()?)?;
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    let verify = if args.no_verify {
        None
    } else {
        let mut verify = verify_settings::verify(&config.settings, &args.verify)?;
        verify.allow_failing_baseline |= args.allow_failing_baseline;
        Some(verify)
    };
    // Formatting comes first: later diffs then show only what they are about.
    let formats = args.format.iter().cloned().map(Proposal::Format);
    let options = StartOptions {
        target: target.clone(),
        proposals: formats.chain(args.patch.iter().cloned().map(Proposal::Patch)).collect(),
        dirty: if args.allow_dirty { Dirty::Carry } else { Dirty::Refuse },
        diff_budget: config.settings.diff_budget_loc as usize,
        excludes: config.settings.scope_excludes.iter().chain(&args.exclude).cloned().collect(),
        verify,
    };
    let state = start(&run_view::context(app)?, &options)?;
    decide(app, &state, args.yes)
}

/// Shows the finished run, and accepts or rejects it where that is already decided.
pub(super) fn decide(app: &App, state: &State, yes: bool) -> Result<Outcome, CliError> {
    let id: RunId = state.started.run.clone();
    // Part of a refused run, or what failed, is never accepted unseen.
    let failed = state.verified_in_full == Some(Verdict::Fail);
    let decided = yes && state.waiting && state.refusal().is_none() && !failed;
    if !decided {
        let outcome = run_view::show(app, state)?;
        if !state.waiting {
            return Ok(outcome);
        }
        match run_view::ask(app) {
            Answer::Later => return Ok(outcome),
            Answer::Reject => {
                let state = reject(&run_view::context(app)?, id.clone())
                    .map_err(|error| run_error::of_run(error, &id))?;
                run_view::show(app, &state)?;
                return Ok(Outcome::Reported(ErrorKind::Rejected));
            }
            Answer::Accept => {}
        }
    }
    let state = accept(&run_view::context(app)?, id.clone(), Decision::Accept)
        .map_err(|error| run_error::of_run(error, &id))?;
    run_view::show(app, &state)
}

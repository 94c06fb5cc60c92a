//! `rules impact`: what fixes, or the work since a revision, do to the code that browsers load.
//!
//! Estimated over the import graph; with `--build` also measured, by building the project on both sides.

mod build;
mod output;
mod screen;

use std::collections::BTreeMap;
use std::path::Path;

use rb_core::Progress as _;
use rb_rules::World as _;
use rb_rules::engine::{FixOptions, OverIndex};
use rb_rules::impact::{Change, Entry, Impact, Start, entries, estimate};
use rb_rules::project::Installed;
use rb_workspace::git::GitError;
use rb_workspace::history::History;
use serde_json::json;

use super::Choice;
use super::fix::make;
use super::project::{begin_of, with_project};
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::repo_index::Scope;
use crate::verify_settings::VerifyFlags;

const EXAMPLES: &str = "\
Examples:
  refactor-bot rules impact
  refactor-bot rules impact ../shop --rule bundle
  refactor-bot rules impact --since main
  refactor-bot rules impact --since main --build

Without --since, it measures what `rules fix` would do with the same rules. The estimate counts bytes of source over \
the import graph, without minifying or tree shaking, so it shows the direction and the order of magnitude. --build \
builds the project before and after in a temporary worktree, confined and without network, and measures the output. \
The exit code is 1 if a build fails, and 3 if no build is found.";

/// Estimate how fixes, or changes since a revision, affect the code that browsers load
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    choice: Choice,

    /// Measure the changes since this revision instead of the fixes
    #[arg(long, value_name = "REV", conflicts_with_all = ["rules", "skip", "all", "drafts"])]
    since: Option<String>,

    /// Include drafts: edits that need review
    #[arg(long, requires = "rules")]
    drafts: bool,

    /// Build the project before and after, and measure the output
    #[arg(long)]
    build: bool,

    #[command(flatten)]
    verify: VerifyFlags,
}

/// Both sides of what is asked about, and what was estimated.
struct ImpactSides {
    changed: BTreeMap<String, Change>,
    /// The commit of the side before; `None` for the files as they are.
    before: Option<String>,
    entries: Vec<Entry>,
    /// Entries of the application are known; else the changed files stand for them.
    are_real: bool,
    impact: Impact,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let looked = with_project(app, &args.scope, |world, root| look(args, app, world, root))?;
    if !app.ui.json {
        app.ui.print(&screen::estimate(&looked))?;
    }
    if !args.build {
        if app.ui.json {
            app.ui.print_json(&json!({ "estimate": screen::json(&looked) }))?;
        }
        return Ok(Outcome::Done);
    }
    let built = build::both(args, app, &looked)?;
    if app.ui.json {
        app.ui.print_json(&json!({ "estimate": screen::json(&looked), "build": built }))?;
    } else {
        app.ui.print(&screen::build(&built))?;
    }
    Ok(match built.outcome {
        build::Ended::Measured => Outcome::Done,
        build::Ended::Failed => Outcome::Reported(ErrorKind::Refused),
        build::Ended::NoBuild | build::Ended::NoOutput => Outcome::Reported(ErrorKind::Environment),
    })
}

fn look(
    args: &Args,
    app: &App,
    world: &mut OverIndex<'_>,
    root: &Path,
) -> Result<ImpactSides, CliError> {
    let (changed, before) = match &args.since {
        Some(revision) => since(app, world, root, revision)?,
        None => (fixed(args, app, world, root)?, None),
    };
    let mut found = entries(world);
    let are_real = !found.is_empty();
    if !are_real {
        found = changed
            .keys()
            .filter(|path| world.facts(path).is_some())
            .map(|path| alone(path))
            .collect();
    }
    let steps = app.ui.progress();
    steps.begin("following imports", found.len() as u64);
    let installed = Installed::new(Some(root));
    let impact = estimate(world, &installed, &changed, &found, &app.cancel);
    steps.end();
    if app.cancel.is_cancelled() {
        return Err(CliError::new(ErrorKind::Interrupted, "interrupted"));
    }
    Ok(ImpactSides { changed, before, entries: found, are_real, impact })
}

fn alone(path: &str) -> Entry {
    Entry { path: path.to_owned(), with: Vec::new(), start: Start::Browser }
}

type Changed = BTreeMap<String, Change>;

/// What the chosen rules would change.
fn fixed(
    args: &Args,
    app: &App,
    world: &mut OverIndex<'_>,
    root: &Path,
) -> Result<Changed, CliError> {
    let how = FixOptions { drafts: args.drafts, no_repairs: false };
    let made = make(app, world, root, &args.choice, how)?.changes;
    let mut changed = Changed::new();
    for (path, (before, after)) in made.into_iter().flat_map(|change| change.files) {
        let change = Change { before: Some(before), after: None };
        changed.entry(path).or_insert(change).after = Some(after);
    }
    Ok(changed)
}

/// What is not as it was at a revision, and the commit that stands for it.
fn since(
    app: &App,
    world: &OverIndex<'_>,
    root: &Path,
    revision: &str,
) -> Result<(Changed, Option<String>), CliError> {
    let git = |error: GitError| CliError::new(ErrorKind::Environment, error);
    let history = History::of(root, &app.env, &app.cancel);
    let commit = begin_of(&history, revision)?;
    let mut changed = Changed::new();
    for path in history.changed_since(&commit).map_err(git)? {
        let name = path.to_string();
        let before = history.text_at(&commit, &path).map_err(git)?.map(Into::into);
        let after = world.text(&name);
        if before != after {
            changed.insert(name, Change { before, after });
        }
    }
    Ok((changed, Some(commit)))
}

//! `rules fix`: proved edits, as tasks of a run, or as a diff.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use rb_change::GivenChange;
use rb_core::{ApiChanges, Progress as _, RepoPath};
use rb_recipes::{Recipe, Texts};
use rb_refactor::event::Orders;
use rb_refactor::{StartOptions, start};
use rb_rules::engine::{Applied, FixOptions, Fixes, Options, OverIndex, RuleChange, fix_with_own};
use rb_rules::{Applicability, Certainty};
use rb_workspace::history::History;
use rb_workspace::patch::{self, File};
use rb_workspace::preflight::{Dirty, NoRepository};
use serde_json::json;

use super::project::{own_rules, with_project};
use super::{Choice, recipe};
use crate::app::App;
use crate::commands::run::go::is_terminal;
use crate::commands::run::{Answers, CopyConsent, go};
use crate::diff_view;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::repo_index::Scope;
use crate::run_view;
use crate::ui::printable;
use crate::verify_settings::{self, VerifyFlags};

const EXAMPLES: &str = "\
Examples:
  refactor-bot rules fix --dry-run
  refactor-bot rules fix ../shop --rule bundle
  refactor-bot rules fix --rule rerender-lazy-state-init --yes
  refactor-bot rules fix --drafts --rule async-parallel --dry-run > draft.patch
  refactor-bot rules fix --recipe fs-async --dry-run
  refactor-bot rules fix --recipe rename --symbol src/cart.ts#total --to sum
  refactor-bot rules fix --recipe merge --arg modules=dates.py --arg into=calendar.py

Only edits that are proved to keep behaviour are made; --drafts also makes the other edits of the named rules. \
Each rule is a task of a run: applied in a temporary worktree, audited, tested, and yours to accept. A rule of the \
project itself is applied only if you name it. A recipe is planned over the whole project: each chain of edits is \
one task, made completely or not at all. Places that it does not change are listed with the reason.";

/// Apply the edits that are proved safe, as tasks of a run; your checkout is unchanged until you accept
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    scope: Scope,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    recipe: recipe::Chosen,

    /// Only print the diff
    #[arg(long)]
    dry_run: bool,

    /// Include drafts: edits that need review
    #[arg(long, requires = "rules")]
    drafts: bool,

    /// Skip rules that fix visible bugs, such as a stray `0`
    #[arg(long)]
    no_repairs: bool,

    /// Formatter for changed files, such as `npx prettier --write`; file names are appended
    #[arg(long, value_name = "COMMAND")]
    format_with: Option<String>,

    /// Include uncommitted changes
    #[arg(long)]
    allow_dirty: bool,

    /// Work on a copy of a folder that is not in a git repository
    #[arg(long)]
    allow_no_git: bool,

    /// Do not run the repository's own checks
    #[arg(long)]
    no_verify: bool,

    /// Continue even if the repository fails its own checks before any change
    #[arg(long, conflicts_with = "no_verify")]
    allow_failing_baseline: bool,

    #[command(flatten)]
    verify: VerifyFlags,

    /// Accept the result without asking
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if let Some(chosen) = args.recipe.recipe()? {
        return by_recipe(args, app, chosen);
    }
    let how = FixOptions { drafts: args.drafts, no_repairs: args.no_repairs };
    let fixes =
        with_project(app, &args.scope, |world, root| make(app, world, root, &args.choice, how))?;
    for finding in &fixes.refused {
        app.ui.warn(&format!(
            "{}:{}: the edit of {} would not parse and was skipped; this is a bug in refactor-bot",
            printable(&finding.path),
            finding.line,
            printable(&finding.rule)
        ));
    }
    let changes: Vec<ProposedChange> = fixes.changes.into_iter().map(Into::into).collect();
    if args.dry_run {
        return show(app, &changes);
    }
    if changes.is_empty() {
        app.ui.note("nothing to fix");
        if app.ui.json {
            app.ui.print_json(&json!({ "changes": [] }))?;
        }
        return Ok(Outcome::Done);
    }
    land(args, app, &changes, Split::AtBudget)
}

fn by_recipe(args: &Args, app: &App, recipe: &'static Recipe) -> Result<Outcome, CliError> {
    let config = app.config(Some(args.scope.target()), Vec::new())?;
    let allow = config.settings.allow_public_api_changes;
    let sandbox = verify_settings::verify(&config.settings, &args.verify)?.options.sandbox;
    let made = recipe::make(app, &args.scope, recipe, &args.recipe, allow, sandbox)?;
    if args.dry_run || args.recipe.plan {
        return recipe::show(app, &made, !args.recipe.plan);
    }
    recipe::tell(app, &made)?;
    if made.changes.is_empty() {
        return Ok(Outcome::Done);
    }
    land(args, app, &made.changes, Split::Never)
}

/// The fixes of the chosen rules, in the texts that `world` holds. A rule of the project itself is applied where it is named.
pub(super) fn make(
    app: &App,
    world: &mut OverIndex<'_>,
    root: &Path,
    choice: &Choice,
    how: FixOptions,
) -> Result<Fixes, CliError> {
    let own = own_rules(root)?;
    let ids: Vec<String> = own.iter().map(|it| it.id.to_owned()).collect();
    let (rules, mut own_ids) = choice.chosen(&ids)?;
    own_ids.retain(|id| choice.rules.contains(id));
    let steps = app.ui.progress();
    let options = Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: Certainty::Likely,
        trust_unused: false,
        only: None,
        cancel: &app.cancel,
        progress: &steps,
    };
    steps.begin("making edits", world.all_facts().count() as u64);
    let fixes = fix_with_own(world, &rules, &own, &own_ids, &options, how);
    steps.end();
    if app.cancel.is_cancelled() {
        return Err(CliError::new(ErrorKind::Interrupted, "interrupted"));
    }
    Ok(fixes)
}

/// The diff of each rule, below what it did.
fn show(app: &App, changes: &[ProposedChange]) -> Result<Outcome, CliError> {
    if app.ui.json {
        let changes: Vec<_> = changes.iter().map(described).collect::<Result<_, _>>()?;
        app.ui.print_json(&json!({ "changes": changes }))?;
        return Ok(Outcome::Done);
    }
    if changes.is_empty() {
        app.ui.note("nothing to fix");
    }
    let mut all = Vec::new();
    for change in changes {
        writeln!(all, "# {}", goal(change)).expect("a buffer takes it");
        for it in &change.applied {
            let draft = if it.applicability == Applicability::Assist { " (draft)" } else { "" };
            writeln!(
                all,
                "#   {}:{} {}{draft}",
                printable(&it.path),
                it.line,
                printable(&it.title)
            )
            .expect("a buffer takes it");
        }
        all.extend(patch_of(change.files.iter(), "")?.0);
    }
    diff_view::print(app, &all)?;
    Ok(Outcome::Done)
}

fn described(change: &ProposedChange) -> Result<serde_json::Value, CliError> {
    let (patch, _) = patch_of(change.files.iter(), "")?;
    let applied: Vec<_> = change
        .applied
        .iter()
        .map(|it| {
            json!({ "path": it.path, "line": it.line, "title": it.title, "applicability": it.applicability })
        })
        .collect();
    Ok(json!({
        "rule": change.rule,
        "title": change.title,
        "applied": applied,
        "files": change.files.keys().collect::<Vec<_>>(),
        "patch": String::from_utf8_lossy(&patch),
    }))
}

fn goal(change: &ProposedChange) -> String {
    format!(
        "{}: {} in {}",
        printable(&change.rule),
        plural(change.applied.len() as u64, "edit"),
        plural(change.files.len() as u64, "file")
    )
}

/// What a rule or a chain of a recipe changes.
pub(super) struct ProposedChange {
    pub(super) rule: String,
    pub(super) title: String,
    pub(super) applied: Vec<Applied>,
    /// Texts before and after, by path.
    pub(super) files: BTreeMap<String, Texts>,
    /// What of the public interface was asked to change; the paths are those of `files`.
    pub(super) api_changes: ApiChanges,
}

impl From<RuleChange> for ProposedChange {
    fn from(change: RuleChange) -> Self {
        let RuleChange { rule, title, applied, files } = change;
        let files = files.into_iter().map(|(path, (old, new))| (path, (Some(old), Some(new))));
        ProposedChange {
            rule,
            title,
            applied,
            files: files.collect(),
            api_changes: ApiChanges::default(),
        }
    }
}

/// A patch with the lines that it adds and removes. `prefix` is where the folder lies in its repository.
pub(super) fn patch_of<'t>(
    files: impl Iterator<Item = (&'t String, &'t Texts)>,
    prefix: &str,
) -> Result<(Vec<u8>, usize), CliError> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    for (path, (old, new)) in files {
        let path = RepoPath::new(format!("{prefix}{path}").as_bytes())
            .map_err(|error| CliError::new(ErrorKind::UnsafeInput, error))?;
        let file = |text: &Option<Arc<str>>| text.as_ref().map(|it| File::regular(it.as_bytes()));
        before.extend(file(old).map(|file| (path.clone(), file)));
        after.extend(file(new).map(|file| (path, file)));
    }
    let patch = patch::diff(&before, &after)
        .map_err(|error| CliError::new(ErrorKind::UnsafeInput, error))?;
    let (added, removed) = patch.size();
    Ok((patch::write(&patch), added + removed))
}

/// What becomes of a change that is larger than what a task may change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    AtBudget,
    /// It holds together: the task may be as large as it is.
    Never,
}

/// Hands the changes to a run, in the order given.
fn land(
    args: &Args,
    app: &App,
    changes: &[ProposedChange],
    split: Split,
) -> Result<Outcome, CliError> {
    let target = args.scope.target();
    let config = app.config(Some(target), Vec::new())?;
    if let Some(note) = config.untrusted_note() {
        app.ui.warn(&note);
    }
    let mut budget = config.settings.diff_budget_loc as usize;
    let mut verify = verify_settings::verify(&config.settings, &args.verify)?;
    verify.runs_commands = !args.no_verify;
    verify.allow_failing_baseline |= args.allow_failing_baseline;
    let prefix = History::of(target, &app.env, &app.cancel).prefix().unwrap_or_default();
    let mut proposals = Vec::new();
    for change in changes {
        if split == Split::Never {
            budget = budget.max(patch_of(change.files.iter(), &prefix)?.1);
        }
        let most = if split == Split::Never { usize::MAX } else { budget };
        proposals.extend(pieces(change, most, &prefix, args.format_with.as_deref())?);
    }
    let mut options = StartOptions {
        target: target.to_owned(),
        proposals,
        dirty: if args.allow_dirty { Dirty::Carry } else { Dirty::Refuse },
        no_repository: NoRepository::Refuse,
        diff_budget: budget,
        excludes: config.settings.scope_excludes.clone(),
        verify: Some(verify),
        orders: Orders::default(),
    };
    let mut context = run_view::context(app)?;
    if let Some(verify) = &options.verify {
        context.host.shell = context.host.shell.with_values(&verify.options.env);
    }
    let answers = Answers { yes: args.yes, is_terminal: is_terminal(app) };
    let copy = CopyConsent { flag: args.allow_no_git, answers };
    let state = copy.ask(app, |no_repository| {
        options.no_repository = no_repository;
        Ok(start(&context, &options)?)
    })?;
    go(app, &context, state, answers)
}

fn pieces(
    change: &ProposedChange,
    budget: usize,
    prefix: &str,
    format: Option<&str>,
) -> Result<Vec<GivenChange>, CliError> {
    let mut groups: Vec<(Vec<(&String, &Texts)>, usize)> = Vec::new();
    for file in &change.files {
        let (_, size) = patch_of(std::iter::once(file), prefix)?;
        match groups.last_mut() {
            Some((group, sum)) if *sum + size <= budget => {
                group.push(file);
                *sum += size;
            }
            _ => groups.push((vec![file], size)),
        }
    }
    let count = groups.len();
    let name = |at: usize| {
        let part = if count > 1 { format!(" ({} of {count})", at + 1) } else { String::new() };
        format!("{}: {}{part}", change.rule, change.title)
    };
    groups
        .into_iter()
        .enumerate()
        .map(|(at, (files, _))| {
            let (patch, _) = patch_of(files.into_iter(), prefix)?;
            let format = format.map(str::to_owned);
            let mut api_changes = change.api_changes.clone();
            api_changes.names.iter_mut().for_each(|name| name.insert_str(0, prefix));
            Ok(GivenChange::Computed { goal: name(at), patch, format, api_changes })
        })
        .collect()
}

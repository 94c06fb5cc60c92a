//! A pack for a task: what is known of the repository at this commit, given to `rb_pack`.

use std::collections::BTreeSet;
use std::path::Path;

use rb_change::verify_setup;
use rb_core::patch::Patch;
use rb_core::progress::Silent;
use rb_core::{RepoPath, Task};
use rb_index::{IndexError, OnDisk, View as Files};
use rb_pack::{Budgets, Need, Pack, PackError, RuleText, TaskSite};
use rb_rules::engine::{self, OverIndex};
use rb_rules::project::Project;
use rb_rules::{Certainty, Rule};
use rb_schema::roles::patcher;
use rb_workspace::ledger::LedgerEntry;

use crate::error::RunError;
use crate::questions::family;
use crate::style;
use crate::world::World;

/// What a pack depends on beside the task and the repository.
#[derive(Debug, Default)]
pub(crate) struct PackRequest<'s> {
    pub(crate) directive: Option<&'s str>,
    pub(crate) ledger: &'s [LedgerEntry],
    pub(crate) active_rules: &'s [String],
    pub(crate) places: Vec<TaskSite>,
    /// What went wrong with earlier tries, the newest last, and the patch of the last.
    pub(crate) errors: Vec<String>,
    pub(crate) tried: Option<String>,
    pub(crate) needs: Vec<Need>,
    /// What a critic reads beside the pack, which leaves room for it.
    pub(crate) review: Option<Review<'s>>,
}

/// A patch, and what its author says about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Review<'s> {
    pub(crate) patch: &'s str,
    pub(crate) rationale: &'s str,
}

pub(crate) fn pack(
    world: &mut World,
    task: &Task,
    request: &PackRequest<'_>,
) -> Result<Pack, RunError> {
    let verifiers = verify_setup::lines(&mut world.change, task.verifier_level)?;
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let scope = world.change.options.scope_of(task)?;
    let may_change = |path: &str| RepoPath::new(path).is_ok_and(|path| scope.contains(&path));
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let view = known.indexed.view().map_err(IndexError::from)?;
    let texts = OnDisk { root: &root };
    let (all, family) = (budgets(world), family(world));
    let own = match request.review {
        Some(Review { patch, rationale }) => all.beside_review(patch, rationale, family),
        None => all,
    };
    let mut input = rb_pack::PackInput {
        task,
        directive: request.directive,
        view: &view,
        texts: &texts,
        may_change: &may_change,
        places: &request.places,
        rules: rules(task, &broken(world, &view, &texts, task, request.active_rules)),
        ledger: request.ledger,
        errors: &request.errors,
        tried: request.tried.as_deref(),
        needs: &request.needs,
        verifiers: &verifiers,
        conventions: conventions(&view, &root, task),
        budgets: own,
        family,
        cancel: &world.change.host.cancel,
    };
    let built = match rb_pack::build(&input) {
        // Beside a long review there is no room for the batch: then the files may not fit.
        Err(PackError::FewTokens { .. }) if request.review.is_some() => {
            input.budgets = all;
            return Ok(rb_pack::build(&input)?);
        }
        built => built?,
    };
    Ok(Pack { budgets: with_review(built.budgets, all, own), ..built })
}

/// The budgets that a pack was built with, and those that were kept back for a review.
fn with_review(built: Budgets, all: Budgets, own: Budgets) -> Budgets {
    let tokens = all.tokens.zip(own.tokens).map_or(0, |(all, own)| all - own);
    Budgets {
        chars: built.chars + (all.chars - own.chars),
        bytes: built.bytes + (all.bytes - own.bytes),
        tokens: built.tokens.map(|built| built + tokens),
        most_chars: all.most_chars,
        most_tokens: all.most_tokens,
        ..built
    }
}

/// The code that a patch replaces.
pub(crate) fn touched(patch: &Patch, why: &str) -> Vec<Need> {
    let line = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let need = |(path, first, last): (&RepoPath, usize, usize)| Need::Lines {
        path: path.to_string(),
        first: line(first),
        last: line(last),
        why: why.to_owned(),
    };
    patch.touched_lines().into_iter().map(need).collect()
}

/// How code looks in the languages of the task, and how tests are named.
fn conventions(view: &Files<'_>, root: &Path, task: &Task) -> Vec<String> {
    let tests = style::names_of_tests(view).map(|it| format!("tests are named {}", it.found));
    style::lines(view, root, &task.files).into_iter().chain(tests).collect()
}

/// The active rules that find something in the files of the task, in their order.
fn broken(
    world: &World,
    view: &Files<'_>,
    texts: &OnDisk<'_>,
    task: &Task,
    active: &[String],
) -> Vec<String> {
    let rules: Vec<&Rule> = active.iter().filter_map(|id| engine::rule(id)).collect();
    let project = Project::of(view, Some(&world.change.repo.root), texts);
    let only = |path: &str| task.files.iter().any(|it| it.as_bytes() == path.as_bytes());
    let options = engine::Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: Certainty::Proved,
        trust_unused: true,
        only: Some(&only),
        cancel: &world.change.host.cancel,
        progress: &Silent,
    };
    let findings = engine::check(&OverIndex::new(view, &project, texts), &rules, &options).findings;
    let found: BTreeSet<&str> = findings.iter().map(|it| it.rule.as_str()).collect();
    active.iter().filter(|id| found.contains(id.as_str())).cloned().collect()
}

/// The rules that the task is about, then the others that its files break: wrong and right.
fn rules(task: &Task, broken: &[String]) -> Vec<RuleText> {
    let others = broken.iter().filter(|id| !task.rules.contains(id));
    let known = task.rules.iter().chain(others).filter_map(|id| {
        let rule = engine::rule(id)?;
        Some(RuleText {
            id: rule.id.to_owned(),
            title: rule.title.to_owned(),
            wrong: rule.doc.wrong.to_owned(),
            right: rule.doc.right.to_owned(),
        })
    });
    known.collect()
}

/// A model that reads little is given half of what it reads: the rest is for its orders and its answer.
fn budgets(world: &World) -> Budgets {
    let route = world.models.as_ref().map(|desk| desk.models.route(patcher::ROLE.name));
    let half = route.and_then(|route| route.window).map(|window| (window / 2).max(LEAST_TOKENS));
    let usual = Budgets::default();
    let tokens = usual.tokens.into_iter().chain(half).min();
    // Of a window that is not known nothing more is asked than usual.
    let most_tokens = half.map_or(0, |half| half.min(usual.most_tokens));
    Budgets { tokens, most_tokens, ..usual }
}

/// With fewer a task can hardly be told.
const LEAST_TOKENS: u64 = 4_000;

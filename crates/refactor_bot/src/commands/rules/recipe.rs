//! `rules fix --recipe`: a plan over the whole project, and its edits chain by chain.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rb_contracts::ContractError;
use rb_core::Progress as _;
use rb_index::OnDisk;
use rb_language_servers::LanguageServers;
use rb_recipes::{
    ApiChange, Arguments, Chain, Left, Mention, Plan, PlanError, Planning, Promised, Recipe,
    Refused, apply,
};
use rb_repo::ReadOptions;
use rb_rules::Applicability;
use rb_rules::engine::{Applied, OverIndex};
use rb_rules::project::Project;
use serde_json::json;

use super::fix::{ProposedChange, patch_of};
use crate::app::App;
use crate::diff_view;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::numbers::plural;
use crate::repo_index::{self, Scope};
use crate::ui::printable;

/// The most of a list that is shown to people; `--json` has all of it.
const SHOWN: usize = 200;

/// Which recipe is meant, and what it is told.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Chosen {
    /// Apply a recipe instead of rules: fs-async, sql-parameters, indexed-lookup, rename …
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rules", "skip", "all", "drafts", "no_repairs"])]
    recipe: Option<String>,

    /// Only print what the recipe would change, and what it would not
    #[arg(long, requires = "recipe")]
    pub(super) plan: bool,

    /// For `rename` and others: the symbol, as `src/cart.ts#total` or `src/cart.ts#Cart.total`
    #[arg(long, value_name = "SYMBOL", requires = "recipe")]
    symbol: Option<String>,

    /// For `rename`: the new name; for `move`: the module
    #[arg(long, value_name = "NAME", requires = "recipe")]
    to: Option<String>,

    /// Argument of the recipe; `rules explain RECIPE` lists them
    #[arg(long = "arg", value_name = "NAME=VALUE", requires = "recipe")]
    arguments: Vec<String>,
}

impl Chosen {
    pub(super) fn recipe(&self) -> Result<Option<&'static Recipe>, CliError> {
        let Some(name) = &self.recipe else { return Ok(None) };
        let recipe = rb_recipes::recipes::find(name).ok_or_else(|| {
            let names: Vec<&str> = rb_recipes::ALL.iter().map(|it| it.id).collect();
            let message = format!("there is no recipe `{}`", printable(name));
            CliError::new(ErrorKind::Usage, message).hint(format!("there are {}", names.join(", ")))
        })?;
        let wrong = |message: String| {
            let hint = format!("`refactor-bot rules explain {}` shows its use", recipe.id);
            CliError::new(ErrorKind::Usage, message).hint(hint)
        };
        let given = self.arguments().map_err(wrong)?;
        if let Some(name) = recipe.needs.iter().find(|name| !given.contains_key(**name)) {
            return Err(wrong(format!("the recipe `{}` needs {}", recipe.id, flag(name))));
        }
        let is_known = |name: &str| recipe.needs.contains(&name) || recipe.takes.contains(&name);
        if let Some(name) = given.keys().find(|name| !is_known(name)) {
            let name = printable(&flag(name));
            return Err(wrong(format!("the recipe `{}` takes no {name}", recipe.id)));
        }
        Ok(Some(recipe))
    }

    /// All that were given, by name.
    fn arguments(&self) -> Result<Arguments, String> {
        let flags = [("symbol", &self.symbol), ("to", &self.to)];
        let mut given: Vec<(&str, &str)> = Vec::new();
        given.extend(flags.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))));
        for argument in &self.arguments {
            let pair = argument.split_once('=').map(|(name, value)| (name.trim(), value));
            let wrong = || format!("`--arg {}` is not of the form NAME=VALUE", printable(argument));
            given.push(pair.ok_or_else(wrong)?);
        }
        let mut arguments = Arguments::new();
        for (name, value) in given {
            if arguments.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(format!("{} is given twice", printable(&flag(name))));
            }
        }
        Ok(arguments)
    }
}

/// How an argument is given.
fn flag(name: &str) -> String {
    match name {
        "symbol" | "to" => format!("--{name}"),
        _ => format!("--arg {name}=…"),
    }
}

/// A plan, and what came of it.
pub(super) struct Made {
    recipe: &'static Recipe,
    plan: Plan,
    /// One for each chain that was made, and the place of that chain in the plan.
    pub(super) changes: Vec<ProposedChange>,
    chains: Vec<usize>,
    refused: Vec<Refused>,
}

pub(super) fn make(
    app: &App,
    scope: &Scope,
    recipe: &'static Recipe,
    chosen: &Chosen,
    allow_public_api_changes: bool,
    sandbox: rb_sandbox::Choice,
) -> Result<Made, CliError> {
    let repo = scope.open(app)?;
    let root = repo.root();
    let texts = OnDisk { root };
    let steps = app.ui.progress();
    let arguments = chosen.arguments().map_err(|error| CliError::new(ErrorKind::Usage, error))?;
    let renamer = language_servers(app, root, sandbox)?;
    repo_index::read(app, &repo, &ReadOptions::default(), |indexed| {
        let view = indexed.view()?;
        steps.begin("planning", 0);
        let promised = match rb_contracts::exported_names(&view, &texts, &app.cancel) {
            Ok(exports) => exports.into_iter().filter(|it| !it.hidden),
            Err(ContractError::Interrupted) => return Ok(Err(interrupted())),
            Err(error) => return Ok(Err(CliError::new(ErrorKind::UnsafeInput, error))),
        };
        let promised = Promised(promised.map(|it| (it.file, it.name)).collect());
        let project = Project::of(&view, Some(root), &texts);
        let world = OverIndex::new(&view, &project, &texts);
        let planning = Planning {
            world: &world,
            promised: &promised,
            allow_public_api_changes,
            arguments: &arguments,
            only: None,
            renamer: &renamer,
            cancel: &app.cancel,
            progress: &steps,
        };
        let made = plan(recipe, &planning);
        steps.end();
        Ok(made)
    })?
}

/// They read the checkout in the sandbox and cannot write to it.
fn language_servers(
    app: &App,
    root: &Path,
    sandbox: rb_sandbox::Choice,
) -> Result<LanguageServers, CliError> {
    Ok(LanguageServers {
        root: root.to_owned(),
        checkouts: vec![root.to_owned()],
        scratch: app.home()?.cache("language-servers"),
        env: app.env.clone(),
        sandbox,
        shim: std::env::current_exe().ok(),
        cancel: app.cancel.clone(),
        limits: rb_language_servers::Limits::default(),
    })
}

fn plan(recipe: &'static Recipe, planning: &Planning<'_>) -> Result<Made, CliError> {
    let mut plan = (recipe.plan)(planning).map_err(|error| match error {
        PlanError::Interrupted => interrupted(),
        PlanError::Argument(message) => CliError::new(ErrorKind::Usage, printable(&message)),
        PlanError::Unavailable(message) => {
            CliError::new(ErrorKind::Environment, printable(&message))
        }
    })?;
    plan.tidy();
    let applied = apply(planning.world, &plan);
    let chains = applied.changes.iter().map(|change| change.chain).collect();
    let changes = applied.changes.into_iter().map(|change| {
        let chain = &plan.chains[change.chain];
        ProposedChange {
            rule: recipe.id.to_owned(),
            title: chain.title.clone(),
            applied: sites(chain),
            files: change.files,
            // Who names the symbol asks for the change of its name.
            api_changes: chain.api_changes(),
        }
    });
    let changes = changes.collect();
    Ok(Made { recipe, changes, chains, refused: applied.refused, plan })
}

fn sites(chain: &Chain) -> Vec<Applied> {
    let sites = chain.sites.iter().map(|site| Applied {
        path: site.path.clone(),
        line: site.line,
        title: site.what.clone(),
        applicability: Applicability::Auto,
    });
    sites.collect()
}

fn interrupted() -> CliError {
    CliError::new(ErrorKind::Interrupted, "interrupted")
}

/// The plan on standard output; below it the diff of each chain.
pub(super) fn show(app: &App, made: &Made, with_diff: bool) -> Result<Outcome, CliError> {
    warn(app, made);
    if app.ui.json {
        app.ui.print_json(&described(made)?)?;
        return Ok(Outcome::Done);
    }
    let text = text(made);
    let text = if with_diff { commented(&text) } else { text };
    app.ui.print(&text)?;
    let mut all = Vec::new();
    for change in made.changes.iter().filter(|_| with_diff) {
        all.extend(format!("# {}\n", printable(&change.title)).into_bytes());
        all.extend(patch_of(change.files.iter(), "")?.0);
    }
    diff_view::print(app, &all)?;
    Ok(Outcome::Done)
}

/// What a run of it is about, before it begins.
pub(super) fn tell(app: &App, made: &Made) -> Result<(), CliError> {
    warn(app, made);
    if app.ui.json {
        if made.changes.is_empty() {
            app.ui.print_json(&described(made)?)?;
        }
        return Ok(());
    }
    app.ui.print(&text(made))?;
    Ok(())
}

fn warn(app: &App, made: &Made) {
    for refused in &made.refused {
        app.ui.warn(&format!(
            "{}: {}; the whole chain was skipped; this is a bug in refactor-bot",
            printable(&refused.path),
            refused.reason
        ));
    }
}

fn text(made: &Made) -> String {
    let mut out = String::new();
    let files: std::collections::BTreeSet<&String> =
        made.changes.iter().flat_map(|it| it.files.keys()).collect();
    let (edited, all) = made.plan.share();
    let id = made.recipe.id;
    if made.plan.is_empty() {
        return format!("{id}: nothing to do\n");
    }
    let chains = plural(made.changes.len() as u64, "chain");
    let files = plural(files.len() as u64, "file");
    let sites = plural(all as u64, "site");
    let head = if made.plan.chains.is_empty() {
        format!("{id}: nothing changed")
    } else {
        format!("{id}: {edited} of {sites} in {chains}, {files}")
    };
    line(&mut out, &head);
    for chain in &made.plan.chains {
        line(&mut out, &format!("\n{}", printable(&chain.title)));
        for site in chain.sites.iter().take(SHOWN) {
            let what = printable(&site.what);
            line(&mut out, &format!("  {}:{} {what}", printable(&site.path), site.line));
        }
        for words in ApiChange::lines(&chain.api) {
            line(&mut out, &format!("  {}", printable(&words)));
        }
        for note in &chain.notes {
            line(&mut out, &format!("  note: {}", printable(note)));
        }
    }
    left(&mut out, &made.plan.left);
    mentions(&mut out, &made.plan.mentions);
    out
}

/// By reason, in the order in which the reasons first come.
fn left(out: &mut String, left: &[Left]) {
    if left.is_empty() {
        return;
    }
    line(out, &format!("\nnot changed: {}", plural(left.len() as u64, "site")));
    let mut groups: Vec<(&Left, Vec<&Left>)> = Vec::new();
    for it in left.iter().take(SHOWN) {
        let same = |(head, _): &&mut (&Left, Vec<&Left>)| {
            (&head.reason, &head.suggestion) == (&it.reason, &it.suggestion)
        };
        match groups.iter_mut().find(same) {
            Some((_, group)) => group.push(it),
            None => groups.push((it, vec![it])),
        }
    }
    for (head, group) in groups {
        line(out, &format!("  {}", printable(&head.reason)));
        line(out, &format!("  → {}", printable(&head.suggestion)));
        for it in group {
            let place = format!("{}:{}:{}", printable(&it.path), it.line, it.column);
            // What is words and not code has its own quotes.
            let code = printable(&it.code);
            let code = if code.contains('`') { code } else { format!("`{code}`") };
            line(out, &format!("      {place} {code}"));
            for step in &it.through {
                line(out, &format!("        through {}", printable(step)));
            }
        }
    }
    more(out, left.len());
}

fn mentions(out: &mut String, mentions: &[Mention]) {
    if mentions.is_empty() {
        return;
    }
    line(out, "\nmentioned elsewhere, not changed:");
    for it in mentions.iter().take(SHOWN) {
        line(out, &format!("  {}:{} {}", printable(&it.path), it.line, printable(&it.text)));
    }
    more(out, mentions.len());
}

fn more(out: &mut String, all: usize) {
    if all > SHOWN {
        line(out, &format!("  … and {} more (--json has them all)", all - SHOWN));
    }
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("a string takes it");
}

/// So that the output is a patch that can be applied.
fn commented(text: &str) -> String {
    let lines = text.lines().map(|it| format!("# {it}"));
    lines.map(|it| it.trim_end().to_owned() + "\n").collect()
}

fn described(made: &Made) -> Result<serde_json::Value, CliError> {
    let mut patches = BTreeMap::new();
    for (change, chain) in made.changes.iter().zip(&made.chains) {
        let (patch, _) = patch_of(change.files.iter(), "")?;
        patches.insert(*chain, String::from_utf8_lossy(&patch).into_owned());
    }
    let chains: Vec<_> = made
        .plan
        .chains
        .iter()
        .enumerate()
        .map(|(at, chain)| {
            json!({
                "title": chain.title,
                "sites": chain.sites,
                "files": chain.paths().collect::<Vec<_>>(),
                "api": chain.api,
                "notes": chain.notes,
                "patch": patches.get(&at),
            })
        })
        .collect();
    let (edited, all) = made.plan.share();
    Ok(json!({
        "recipe": made.recipe.id,
        "edited": edited,
        "sites": all,
        "chains": chains,
        "left": made.plan.left,
        "mentions": made.plan.mentions,
    }))
}

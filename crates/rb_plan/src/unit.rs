//! A unit: the smallest piece of work that a task can hold, made whole or not at all.
//!
//! For a recipe these are chains whose sites lie in the same files, for a rule the files that its edits tie together. `Source` is
//! what finds and makes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_core::{Proposer, Stage};
use rb_recipes::{Arguments, Chain, Recipe, Texts};
use rb_rules::{Rule, World};
use rb_workspace::patch::{self, File};

use crate::chains;
use crate::plan::{Leftover, Prepared};
use crate::repo_facts::repo_path;
use crate::risk::Api;

/// Texts before and after, by path.
pub(crate) type Files = BTreeMap<String, Texts>;

#[derive(Debug, Clone)]
pub(crate) struct Unit {
    /// The files in which its sites lie.
    pub(crate) sites: BTreeSet<String>,
    /// How many places it is about.
    pub(crate) count: usize,
    /// All that it edits.
    pub(crate) files: BTreeSet<String>,
    /// Added and removed.
    pub(crate) lines: usize,
    pub(crate) work: Work,
    pub(crate) api: Api,
    pub(crate) notes: Vec<String>,
    /// Other chains have sites in the same files.
    pub(crate) is_part: bool,
    /// The places of texts that are made already, without a reason; chains know their own.
    pub(crate) places: Vec<Leftover>,
}

#[derive(Debug, Clone)]
pub(crate) enum Work {
    Chains(Vec<Chain>),
    Texts(Files),
}

/// Who finds units and makes them.
#[derive(Clone)]
pub(crate) enum Source {
    Recipe {
        recipe: &'static Recipe,
        arguments: Arguments,
    },
    Rule(&'static Rule),
    /// Rules that find little each, and in different files.
    Rules {
        /// Their ids, with [`AND`] between them.
        id: String,
        rules: Vec<&'static Rule>,
    },
    /// A rule of the project itself.
    Own {
        id: String,
    },
}

/// Stands between the ids of rules that make one task.
pub(crate) const AND: &str = " + ";

impl Source {
    /// Rules that work together in one task.
    pub(crate) fn rules_of(rules: Vec<&'static Rule>) -> Source {
        let ids: Vec<&str> = rules.iter().map(|it| it.id).collect();
        Source::Rules { id: ids.join(AND), rules }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Source::Recipe { recipe, .. } => recipe.id,
            Source::Rule(rule) => rule.id,
            Source::Rules { id, .. } | Source::Own { id } => id,
        }
    }

    /// What it does, for a goal: the project's own words are not ours to repeat.
    pub(crate) fn title(&self) -> &str {
        match self {
            Source::Recipe { recipe, .. } => recipe.title,
            Source::Rule(rule) => rule.title,
            Source::Rules { .. } => "edits of several rules",
            Source::Own { .. } => "edits of a project rule",
        }
    }

    pub(crate) fn stage(&self) -> Stage {
        match self {
            Source::Recipe { recipe, .. } => match recipe.id {
                "unused-imports" | "dead-code" => Stage::Clean,
                "own-barrels" => Stage::Restructure,
                _ if is_structural(recipe) => Stage::Restructure,
                "fs-async" => Stage::Transform,
                _ => Stage::Small,
            },
            Source::Rule(_) | Source::Rules { .. } | Source::Own { .. } => Stage::Small,
        }
    }

    pub(crate) fn operations(&self) -> Vec<String> {
        let operations: &[&str] = match self {
            Source::Recipe { recipe, .. } => match recipe.id {
                "unused-imports" => &["remove-import"],
                "dead-code" => &["remove-dead-code", "remove-import"],
                "own-barrels" => &["rewrite-import"],
                "fs-async" => &["make-async", "await-calls", "update-callers", "update-tests"],
                "sql-parameters" => &["parameterize-query"],
                "indexed-lookup" => &["introduce-index", "replace-lookup"],
                "rename" => &["rename"],
                id if is_structural(recipe) => return vec![id.to_owned()],
                _ => &["apply-recipe"],
            },
            Source::Rule(_) | Source::Rules { .. } | Source::Own { .. } => &["apply-rule"],
        };
        operations.iter().map(|it| (*it).to_owned()).collect()
    }

    pub(crate) fn rules(&self) -> Vec<String> {
        match self {
            Source::Recipe { .. } => Vec::new(),
            Source::Rules { rules, .. } => rules.iter().map(|it| it.id.to_owned()).collect(),
            Source::Rule(_) | Source::Own { .. } => vec![self.id().to_owned()],
        }
    }

    /// Who proposes the change that these units are.
    pub(crate) fn proposer(&self, units: &[Unit]) -> Proposer {
        let Source::Recipe { recipe, arguments } = self else {
            return Proposer::Rule { id: self.id().to_owned() };
        };
        let sites: BTreeSet<&str> =
            units.iter().flat_map(|it| &it.sites).map(String::as_str).collect();
        let names = if units.iter().any(|it| it.is_part) { names(units) } else { BTreeSet::new() };
        Proposer::Recipe {
            id: recipe.id.to_owned(),
            arguments: arguments.clone(),
            sites: sites.into_iter().filter_map(repo_path).collect(),
            chains: names.into_iter().collect(),
        }
    }
}

/// Whether a recipe is told what to change, and moves code about.
pub(crate) fn is_structural(recipe: &Recipe) -> bool {
    !recipe.needs.is_empty() && recipe.id != "rename"
}

/// The names of all chains.
pub(crate) fn names(units: &[Unit]) -> BTreeSet<String> {
    let chains = units.iter().flat_map(|it| match &it.work {
        Work::Chains(chains) => chains.as_slice(),
        Work::Texts(_) => &[],
    });
    chains.map(chains::name).collect()
}

/// The texts after all units are made, over the files as `world` has them.
pub(crate) fn texts_after(world: &dyn World, units: &[Unit]) -> Files {
    let mut files = Files::new();
    let mut chains = Vec::new();
    for unit in units {
        match &unit.work {
            Work::Chains(of_unit) => chains.extend(of_unit.iter().cloned()),
            Work::Texts(texts) => files.extend(texts.clone()),
        }
    }
    let plan = rb_recipes::Plan { chains, ..rb_recipes::Plan::default() };
    for change in rb_recipes::apply(world, &plan).changes {
        for (path, (before, after)) in change.files {
            let entry = files.entry(path).or_insert_with(|| (before, after.clone()));
            entry.1 = after;
        }
    }
    files.retain(|_, (before, after)| before != after);
    files
}

/// The texts as a patch. `None` for what no patch can carry, and for what changes nothing.
pub(crate) fn prepared(files: &Files) -> Option<Prepared> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    for (path, (old, new)) in files {
        let path = repo_path(path)?;
        let file = |text: &Option<Arc<str>>| text.as_ref().map(|it| File::regular(it.as_bytes()));
        before.extend(file(old).map(|file| (path.clone(), file)));
        after.extend(file(new).map(|file| (path, file)));
    }
    let patch = patch::diff(&before, &after).ok()?;
    let (added, removed) = patch.size();
    let bytes = patch::write(&patch);
    (!patch.files.is_empty()).then_some(Prepared { patch: bytes, added, removed })
}

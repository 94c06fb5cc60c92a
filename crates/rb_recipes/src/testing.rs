//! Projects in one text, for tests: `//- path` begins a file.
//!
//! They are indexed as real ones are, so that imports lead where they would lead a person.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::{Indexed, NoHistory, OnDisk, Options as IndexOptions, Request};
use rb_language_servers::NoServers;
use rb_rules::World;
use rb_rules::engine::OverIndex;
use rb_rules::project::Project as RuleProject;
use rb_testkit::write_fixture;

use crate::apply::{Applied, apply};
use crate::plan::Plan;
use crate::recipe::{Arguments, PlanError, Planning, Promised, Recipe};

/// A project to try a recipe on.
#[derive(Debug, Clone, Default)]
pub struct Project {
    fixture: String,
    arguments: Arguments,
    allow_public_api_changes: bool,
}

/// Everything that came of a recipe.
pub struct Outcome {
    pub plan: Plan,
    pub applied: Applied,
    /// All texts after all chains, by path; only those that changed.
    pub changed: BTreeMap<String, Arc<str>>,
    pub removed: BTreeSet<String>,
}

impl Project {
    pub fn new(fixture: &str) -> Self {
        Project { fixture: fixture.to_owned(), ..Project::default() }
    }

    pub fn argument(mut self, name: &str, value: &str) -> Self {
        self.arguments.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn allow_public_api_changes(mut self) -> Self {
        self.allow_public_api_changes = true;
        self
    }

    /// Plans and applies, twice: the second time nothing may be left to do.
    #[track_caller]
    pub fn run(&self, recipe: &Recipe) -> Outcome {
        let outcome = self.run_once(recipe).expect("a plan");
        let refused = &outcome.applied.refused;
        assert!(refused.is_empty(), "chains were refused: {refused:#?}\n{:#?}", outcome.plan);
        if !outcome.changed.is_empty() && self.arguments.is_empty() {
            let again = self.after(&outcome).run_once(recipe).expect("a plan");
            let titles: Vec<&str> = again.plan.chains.iter().map(|it| it.title.as_str()).collect();
            assert!(titles.is_empty(), "a second run still has work: {titles:?}\n{}", {
                shown(&again)
            });
        }
        outcome
    }

    pub fn run_once(&self, recipe: &Recipe) -> Result<Outcome, PlanError> {
        self.with_world(|planning| outcome(planning, recipe))
    }

    /// Plans and applies over a folder that is there, and writes nothing.
    pub fn run_over(&self, root: &Path, recipe: &Recipe) -> Result<Outcome, PlanError> {
        self.over(root, |planning| outcome(planning, recipe))
    }

    /// The project with what was changed.
    pub fn after(&self, outcome: &Outcome) -> Project {
        let mut fixture = String::new();
        let mut all: BTreeMap<String, String> = files(&self.fixture).into_iter().collect();
        all.retain(|path, _| !outcome.removed.contains(path));
        all.extend(outcome.changed.iter().map(|(path, text)| (path.clone(), text.to_string())));
        for (path, text) in all {
            write!(fixture, "//- {path}\n{text}").expect("a string takes it");
            if !text.ends_with('\n') {
                fixture.push('\n');
            }
        }
        Project { fixture, ..self.clone() }
    }

    /// The plan and the changed texts, as a snapshot.
    #[track_caller]
    pub fn check(&self, recipe: &Recipe, expected: &expect_test::Expect) {
        expected.assert_eq(&shown(&self.run(recipe)));
    }

    /// Writes the files into a folder.
    pub fn write_to(&self, root: &Path) {
        write_fixture(root, &self.fixture);
    }

    /// Writes the files, indexes them, and hands the project to `work`.
    pub fn with_world<T>(&self, work: impl FnOnce(&Planning<'_>) -> T) -> T {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        rb_core::fs::create_dir_all(&root).expect("mkdir");
        self.write_to(&root);
        self.over(&root, work)
    }

    /// Indexes a folder as it is, and hands it to `work`.
    pub fn over<T>(&self, root: &Path, work: impl FnOnce(&Planning<'_>) -> T) -> T {
        let store = tempfile::tempdir().expect("a folder");
        let indexed = index(root, store.path());
        let texts = OnDisk { root };
        let view = indexed.view().expect("a view");
        let project = RuleProject::of(&view, Some(root), &texts);
        let world = OverIndex::new(&view, &project, &texts);
        let cancel = Cancel::new();
        let contracts = rb_contracts::snapshot(&view, &texts, &cancel).expect("contracts");
        let names = contracts.exports.into_iter().filter(|it| !it.hidden);
        let promised = Promised(names.map(|it| (it.file, it.name)).collect());
        let world: &dyn World = &world;
        work(&Planning {
            world,
            promised: &promised,
            allow_public_api_changes: self.allow_public_api_changes,
            arguments: &self.arguments,
            only: None,
            renamer: &NoServers,
            cancel: &cancel,
            progress: &Silent,
        })
    }
}

fn outcome(planning: &Planning<'_>, recipe: &Recipe) -> Result<Outcome, PlanError> {
    let mut plan = (recipe.plan)(planning)?;
    plan.tidy();
    let applied = apply(planning.world, &plan);
    let (mut changed, mut removed) = (BTreeMap::new(), BTreeSet::new());
    for change in &applied.changes {
        for (path, (_, after)) in &change.files {
            match after {
                Some(after) => changed.insert(path.clone(), Arc::clone(after)).is_none(),
                None => removed.insert(path.clone()),
            };
        }
    }
    Ok(Outcome { plan, applied, changed, removed })
}

fn index(root: &Path, store: &Path) -> Indexed {
    let request = Request {
        root,
        folder: store,
        options: &IndexOptions::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    rb_index::update(&request).expect("an index")
}

/// Paths and texts of a fixture.
pub fn files(fixture: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in fixture.split_inclusive('\n') {
        if let Some(path) = line.strip_prefix("//- ") {
            found.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = found.last_mut() {
            text.push_str(line);
        }
    }
    found
}

/// The whole outcome, for a snapshot.
pub fn shown(outcome: &Outcome) -> String {
    let mut out = String::new();
    for chain in &outcome.plan.chains {
        writeln!(out, "chain: {}", chain.title).expect("a string takes it");
        for site in &chain.sites {
            writeln!(out, "  {}:{} {}", site.path, site.line, site.what)
                .expect("a string takes it");
        }
        for api in &chain.api {
            let who = if api.is_public { "public " } else { "" };
            writeln!(out, "  {who}api {}#{}: {} -> {}", api.path, api.name, api.before, api.after)
                .expect("a string takes it");
        }
        for note in &chain.notes {
            writeln!(out, "  note: {note}").expect("a string takes it");
        }
    }
    for left in &outcome.plan.left {
        writeln!(
            out,
            "left: {}:{}:{} `{}`: {}; {}",
            left.path, left.line, left.column, left.code, left.reason, left.suggestion
        )
        .expect("a string takes it");
        for step in &left.through {
            writeln!(out, "  through {step}").expect("a string takes it");
        }
    }
    for mention in &outcome.plan.mentions {
        writeln!(out, "mention: {}:{} {}", mention.path, mention.line, mention.text)
            .expect("a string takes it");
    }
    for path in &outcome.removed {
        writeln!(out, "removed: {path}").expect("a string takes it");
    }
    for (path, text) in &outcome.changed {
        writeln!(out, "//- {path}\n{text}").expect("a string takes it");
    }
    if out.is_empty() {
        out.push_str("nothing\n");
    }
    out
}

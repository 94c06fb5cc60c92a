//! A repository in one text (`//- path` begins a file), indexed as a real one is.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use rb_core::fs::Durability;
use rb_core::progress::Silent;
use rb_core::{Cancel, RepoPath, Task};
use rb_index::{Activity, History, HotFile, OnDisk, Options, Request, Together};
use rb_plan::{Limits, Plan, PlanInput, Prepared, faults, plan};
use rb_recipes::Promised;
use rb_rules::engine::own;
use rb_workspace::patch::{self, File, MemoryTree};

pub(crate) struct Repo {
    folder: tempfile::TempDir,
    pub(crate) directive: Option<String>,
    pub(crate) has_model: bool,
    pub(crate) limits: Limits,
    /// What a run may not touch begins with one of these.
    pub(crate) closed: Vec<String>,
    /// The folder that is asked about.
    pub(crate) inside: Option<RepoPath>,
    /// Files that are changed often and hard to read.
    pub(crate) hot: Vec<String>,
    /// What a search answers.
    pub(crate) found: Vec<String>,
    /// Rules of the project: paths and texts.
    pub(crate) own: Vec<(String, String)>,
    /// The files of each commit, with blanks between them.
    pub(crate) commits: Vec<&'static str>,
}

/// A history of these commits; no history where there are none.
struct Commits(Vec<Vec<RepoPath>>);

impl Commits {
    fn of(commits: &[&str]) -> Commits {
        let path = |it: &str| RepoPath::new(it).expect("a path");
        Commits(commits.iter().map(|files| files.split(' ').map(path).collect()).collect())
    }
}

impl History for Commits {
    fn head(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| "abc".to_owned())
    }

    fn activity(&self, head: &str) -> Activity {
        Activity { head: Some(head.to_owned()), ..Activity::default() }
    }

    fn recent(&self, head: &str) -> (Activity, Together) {
        (self.activity(head), Together::of(self.0.iter().map(Vec::as_slice)))
    }
}

impl Repo {
    pub(crate) fn new(fixture: &str) -> Repo {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        rb_core::fs::create_dir_all(&root).expect("mkdir");
        rb_testkit::write_fixture(&root, fixture);
        Repo {
            folder,
            directive: None,
            has_model: false,
            limits: Limits::default(),
            closed: Vec::new(),
            inside: None,
            hot: Vec::new(),
            found: Vec::new(),
            own: Vec::new(),
            commits: Vec::new(),
        }
    }

    pub(crate) fn asked(fixture: &str, directive: &str) -> Repo {
        Repo { directive: Some(directive.to_owned()), ..Repo::new(fixture) }
    }

    pub(crate) fn with_model(self) -> Repo {
        Repo { has_model: true, ..self }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// Indexes the files as they are now, and hands them over.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&PlanInput<'_>) -> T) -> T {
        let (root, cancel) = (self.root(), Cancel::new());
        let store = tempfile::tempdir().expect("a folder");
        let indexed = rb_index::update(&Request {
            root: &root,
            folder: store.path(),
            options: &Options::default(),
            history: &Commits::of(&self.commits),
            progress: &Silent,
            cancel: &cancel,
        })
        .expect("an index");
        let (view, texts) = (indexed.view().expect("a view"), OnDisk { root: &root });
        let contracts = rb_contracts::snapshot(&view, &texts, &cancel).expect("contracts");
        let names = contracts.exports.into_iter().filter(|it| !it.hidden);
        let promised = Promised(names.map(|it| (it.file, it.name)).collect());
        let (own, errors) = own::load(&self.own);
        assert!(errors.is_empty(), "{errors:?}");
        let mut overview = indexed.overview().expect("an overview").clone();
        overview.hotspots = self.hot.iter().map(|path| hot(path)).collect();
        let input = PlanInput {
            directive: self.directive.as_deref(),
            view: &view,
            overview: &overview,
            texts: &texts,
            root: &root,
            promised: &promised,
            own: &own,
            folder: self.inside.as_ref(),
            may_touch: &|path| !self.closed.iter().any(|it| path.starts_with(it.as_str())),
            search: &|_| self.found.clone(),
            renamer: &rb_language_servers::NoServers,
            limits: self.limits,
            has_model: self.has_model,
            allow_public_api_changes: false,
            cancel: &cancel,
            progress: &Silent,
        };
        work(&input)
    }

    /// A plan without a fault.
    #[track_caller]
    pub(crate) fn plan(&self) -> Plan {
        let made = self.with(|input| plan(input).expect("a plan"));
        self.check(&made);
        made
    }

    #[track_caller]
    pub(crate) fn check(&self, made: &Plan) {
        let root = self.root();
        let exists = |path: &RepoPath| path.below(&root).is_file();
        let found = faults(&made.tasks, &exists, self.limits);
        assert!(found.is_empty(), "{found:#?}");
        for task in &made.tasks {
            let scope = patch::Scope::new(&task.scope_globs, &[""; 0], None).expect("globs");
            assert!(task.files.iter().all(|it| scope.contains(it)), "{task:#?}");
            if let Some(prepared) = made.prepared.get(&task.id) {
                let touched: Vec<RepoPath> = self.changes(prepared).into_keys().collect();
                assert!(touched.iter().all(|it| scope.contains(it)), "{task:#?}");
                let existing: Vec<RepoPath> = touched.into_iter().filter(exists).collect();
                assert_eq!(existing, task.files, "{task:#?}");
            }
        }
    }

    /// What a proposal makes of the files as they are; removed ones have no text.
    #[track_caller]
    pub(crate) fn changes(&self, prepared: &Prepared) -> BTreeMap<RepoPath, Option<String>> {
        let patch = patch::parse(&prepared.patch).expect("a patch");
        let mut tree = MemoryTree::default();
        for path in patch.paths() {
            let bytes = rb_core::fs::read_optional(&path.below(&self.root())).expect("read");
            if let Some(bytes) = bytes {
                tree.insert(path.clone(), patch::Entry::File(File::regular(bytes)));
            }
        }
        let changes = patch::apply(&patch, &tree).expect("it fits");
        let text = |file: File| String::from_utf8(file.bytes).expect("text");
        changes.into_iter().map(|it| (it.path, it.after.map(text))).collect()
    }

    /// The texts that there are afterwards.
    #[track_caller]
    pub(crate) fn texts_after(&self, prepared: &Prepared) -> BTreeMap<RepoPath, String> {
        let changes = self.changes(prepared);
        changes.into_iter().filter_map(|(path, text)| Some((path, text?))).collect()
    }

    /// Writes down what a proposal says.
    #[track_caller]
    pub(crate) fn apply(&self, prepared: &Prepared) {
        for (path, text) in self.changes(prepared) {
            let path = path.below(&self.root());
            let Some(text) = text else {
                rb_core::fs::remove_file(&path).expect("removed");
                continue;
            };
            rb_core::fs::create_dir_all(path.parent().expect("it is below")).expect("mkdir");
            rb_core::fs::write(&path, text.as_bytes(), Durability::Relaxed).expect("written");
        }
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let bytes = rb_core::fs::read_optional(&self.root().join(path)).expect("read");
        String::from_utf8(bytes.expect("it exists")).expect("text")
    }
}

fn hot(path: &str) -> HotFile {
    let path = path.to_owned();
    HotFile { path, score: 0.5, commits: 12, complexity: 40, worst_complexity: 20, used_by: 3 }
}

/// A repository of many files, each as `one` says.
pub(crate) fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    let manifest = "//- package.json\n{\"private\": true, \"type\": \"module\"}\n".to_owned();
    std::iter::once(manifest).chain((0..count).map(one)).collect()
}

/// A plan on one screen, for a snapshot.
pub(crate) fn shown(plan: &Plan) -> String {
    let mut out = String::new();
    for task in &plan.tasks {
        let files: Vec<String> = task.files.iter().map(ToString::to_string).collect();
        let after: Vec<String> = task.depends_on.iter().map(ToString::to_string).collect();
        writeln!(
            out,
            "{} {:?} risk {} {:?}{}{} | {}\n  {}{}",
            task.id,
            task.stage,
            task.risk_score,
            task.verifier_level,
            if task.is_critical { " critical" } else { "" },
            if after.is_empty() { String::new() } else { format!(" after {}", after.join(" ")) },
            task.goal,
            files.join(" "),
            if task.rules.is_empty() {
                String::new()
            } else {
                format!("  [{}]", task.rules.join(" "))
            },
        )
        .expect("a string takes it");
    }
    for left in &plan.leftovers {
        writeln!(out, "left {}:{} {}: {}", left.path, left.line, left.found_by, left.reason)
            .expect("a string takes it");
    }
    for note in &plan.notes {
        writeln!(out, "note {note}").expect("a string takes it");
    }
    if let Some(unserved) = &plan.unserved {
        writeln!(out, "unserved: {}", unserved.why).expect("a string takes it");
        for it in unserved.instead.iter().chain(&unserved.settings) {
            writeln!(out, "  {it}").expect("a string takes it");
        }
    }
    out
}

/// The task whose goal holds these words.
#[track_caller]
pub(crate) fn task<'p>(plan: &'p Plan, words: &str) -> &'p Task {
    plan.tasks
        .iter()
        .find(|it| it.goal.contains(words))
        .unwrap_or_else(|| panic!("no {words} in {}", shown(plan)))
}

//! `Repo`: a repository in a temporary folder with its index. `Ask`: what a pack is asked for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rb_core::fs::{self, Durability};
use rb_core::progress::Silent;
use rb_core::{Cancel, RepoPath, Task, TaskId, TaskKind};
use rb_index::{History, Indexed, NoHistory, OnDisk, Options, Request};
use rb_models::Family;
use rb_pack::{
    AnswerForm, Assignment, Budgets, Need, Pack, PackError, PackInput, RuleText, Shown, TaskSite,
    build,
};
use rb_trust::Fence;
use rb_workspace::ledger::LedgerEntry;

pub(crate) struct Repo {
    folder: tempfile::TempDir,
    indexed: Indexed,
}

impl Repo {
    pub(crate) fn new(fixture: &str) -> Repo {
        Repo::of(files(fixture))
    }

    pub(crate) fn of(files: BTreeMap<String, Vec<u8>>) -> Repo {
        Repo::with_history(files, &NoHistory)
    }

    pub(crate) fn with_history(
        files: BTreeMap<String, Vec<u8>>,
        history: &(dyn History + Sync),
    ) -> Repo {
        let folder = tempfile::tempdir().expect("it is a fixture");
        let root = folder.path().join("repo");
        fs::create_dir_all(&root).expect("it is a fixture");
        for (path, bytes) in files {
            let place = root.join(path);
            fs::create_dir_all(place.parent().expect("a file has a folder"))
                .expect("it is a fixture");
            fs::write(&place, &bytes, Durability::Relaxed).expect("it is a fixture");
        }
        let request = Request {
            root: &root,
            folder: &folder.path().join("store"),
            options: &Options::default(),
            history,
            progress: &Silent,
            cancel: &Cancel::new(),
        };
        let indexed = rb_index::update(&request).expect("it is a fixture");
        Repo { folder, indexed }
    }

    pub(crate) fn build(&self, ask: &Ask) -> Result<Pack, PackError> {
        self.build_until(ask, &Cancel::new())
    }

    pub(crate) fn interrupted(&self, ask: &Ask) -> Result<Pack, PackError> {
        let cancel = Cancel::new();
        cancel.cancel();
        self.build_until(ask, &cancel)
    }

    fn build_until(&self, ask: &Ask, cancel: &Cancel) -> Result<Pack, PackError> {
        let root = self.folder.path().join("repo");
        let view = self.indexed.view().expect("it is a fixture");
        build(&PackInput {
            task: &ask.task,
            directive: ask.directive.as_deref(),
            view: &view,
            texts: &OnDisk { root: &root },
            may_change: &|path| ask.may_change(path),
            places: &ask.places,
            rules: ask.rules.clone(),
            ledger: &ask.ledger,
            errors: &ask.errors,
            tried: ask.tried.as_deref(),
            needs: &ask.needs,
            verifiers: &ask.verifiers,
            conventions: ask.conventions.clone(),
            budgets: ask.budgets,
            family: Family::Claude,
            cancel,
        })
    }

    pub(crate) fn pack(&self, ask: &Ask) -> Pack {
        self.build(ask).expect("it is a fixture")
    }
}

/// `//- path` begins a file of the fixture.
pub(crate) fn files(fixture: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut path = String::new();
    for line in fixture.trim_start_matches('\n').split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(header) => header.trim().clone_into(&mut path),
            None => files.entry(path.clone()).or_default().extend(line.as_bytes()),
        }
    }
    files
}

#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) task: Task,
    pub(crate) directive: Option<String>,
    pub(crate) places: Vec<TaskSite>,
    pub(crate) rules: Vec<RuleText>,
    pub(crate) ledger: Vec<LedgerEntry>,
    pub(crate) errors: Vec<String>,
    pub(crate) tried: Option<String>,
    pub(crate) needs: Vec<Need>,
    pub(crate) verifiers: Vec<String>,
    pub(crate) conventions: Vec<String>,
    pub(crate) budgets: Budgets,
    /// A folder in which all may be changed; the files of the task may be in any case.
    pub(crate) folder: Option<String>,
}

impl Ask {
    /// A goal in files that are divided by blanks.
    pub(crate) fn new(goal: &str, files: &str) -> Ask {
        let mut task = Task::new(TaskId(3), goal, TaskKind::Change { format: None });
        task.files = files
            .split_whitespace()
            .map(|path| RepoPath::new(path).expect("it is a fixture"))
            .collect();
        Ask {
            task,
            directive: None,
            places: Vec::new(),
            rules: Vec::new(),
            ledger: Vec::new(),
            errors: Vec::new(),
            tried: None,
            needs: Vec::new(),
            verifiers: Vec::new(),
            conventions: Vec::new(),
            // Without `most_chars`, so that what is tight stays so.
            budgets: Budgets { most_chars: 0, ..Budgets::default() },
            folder: None,
        }
    }

    fn may_change(&self, path: &str) -> bool {
        let in_folder = self.folder.as_ref().is_some_and(|folder| path.starts_with(folder));
        in_folder || self.task.files.iter().any(|file| file.as_bytes() == path.as_bytes())
    }

    pub(crate) fn place(mut self, path: &str, line: u32, why: &str) -> Ask {
        self.places.push(TaskSite { path: path.to_owned(), line, why: why.to_owned() });
        self
    }

    pub(crate) fn asked(&self) -> Assignment<'_> {
        Assignment {
            task: &self.task,
            directive: self.directive.as_deref(),
            verifiers: &self.verifiers,
            family: Family::Claude,
        }
    }

    pub(crate) fn prompt(&self, pack: &Pack) -> String {
        pack.prompt(&self.asked(), AnswerForm::default(), &fence()).expect("it is a fixture")
    }
}

pub(crate) fn fence() -> Fence {
    Fence::new([7; 16])
}

pub(crate) fn rule(id: &str) -> RuleText {
    RuleText {
        id: id.to_owned(),
        title: "Independent calls are awaited together".to_owned(),
        wrong: "const a = await f()\nconst b = await g()\n".to_owned(),
        right: "const [a, b] = await Promise.all([f(), g()])\n".to_owned(),
    }
}

/// Files with their reasons and what is shown of each; then what is left out.
pub(crate) fn summary(pack: &Pack) -> String {
    let mut out = String::new();
    for file in &pack.files {
        let shown: Vec<String> = file.shown.iter().map(part).collect();
        let change = if file.may_be_changed { "*" } else { "" };
        let _ = writeln!(out, "{change}{}: {}\n    {}", file.path, file.reason, shown.join("; "));
    }
    for omitted in &pack.omitted {
        let _ = writeln!(out, "- {}: {}", omitted.path, omitted.reason);
    }
    out
}

fn part(shown: &Shown) -> String {
    match shown {
        Shown::Whole { text } => format!("whole, {} lines", text.lines().count()),
        Shown::Signatures { text } => {
            let names = text.lines().map(str::trim).collect::<Vec<_>>();
            format!("signatures {}", names.join(" | "))
        }
        Shown::Excerpt { first, last, why, .. } => format!("{first}-{last} ({why})"),
    }
}

/// `count` functions of `lines` lines each, called `name1`, `name2` …
pub(crate) fn functions(name: &str, count: usize, lines: usize) -> String {
    let mut out = String::new();
    for nth in 1..=count {
        let _ = writeln!(out, "export function {name}{nth}(value: number): number {{");
        for line in 0..lines.saturating_sub(3) {
            let _ = writeln!(out, "  if (value > {line}) value -= {nth}");
        }
        out += "  return value\n}\n";
    }
    out
}

//! The auditor: a task's change, looked at as a commit. Audit, contracts and residue, because they are quick and run nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rb_audit::{
    Change, Finding, FindingKind, Residue, Rules, Severity, audit, removed_behaviour, residue,
};
use rb_contracts::{self as contracts, ContractChange, Policy, Snapshot};
use rb_core::fs;
use rb_core::{RepoPath, Task, TaskId, TaskKind, Verdict};
use rb_flow::Event;
use rb_flow::graph::{Node, Update};
use rb_index::{IndexError, OnDisk};
use rb_reports::{Outcome, TestResult};
use serde::{Deserialize, Serialize};

use crate::active_rules::{ActiveRules, RuleInput};
use crate::changes::{Changes, Reads};
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::failure::Failure;
use crate::indexed_commit::{IndexedCommit, write_contracts};
use crate::neighbourhood::{Neighbourhood, around};
use crate::own_rules::own_rules;
use crate::proposals::is_computed;
use crate::verify_setup;
use crate::world::ChangeWorld;

pub struct Auditor;

/// What was found without running anything.
#[derive(Debug, Serialize, Deserialize)]
pub struct Examination {
    pub findings: Vec<Finding>,
    /// Changes of contracts that are let through.
    pub allowed: Vec<ContractChange>,
    /// Changes of contracts that are not.
    pub refused: Vec<ContractChange>,
    pub residue: Residue,
    /// What the touched files stand among.
    #[serde(default)]
    pub around: Option<Neighbourhood>,
    pub verdict: Verdict,
    pub reasons: Vec<String>,
}

impl Examination {
    /// Statements with effects that the change removed.
    pub fn removed(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| it.kind == FindingKind::RemovedBehaviour)
    }

    /// Can a test get to the file of a finding, by imports?
    pub fn is_reached(&self, finding: &Finding) -> bool {
        let cause = finding.cause.as_ref().map(|cause| &cause.path);
        let is_file = |path: &String| *path == finding.path || Some(path) == cause;
        self.around.as_ref().is_some_and(|around| around.tested.iter().any(is_file))
    }
}

/// What it says of the change; `None` where there is none.
pub struct Audited(Option<AuditResult>);

struct AuditResult {
    task: TaskId,
    verdict: Verdict,
    reasons: Vec<String>,
    notes: Vec<String>,
    unreached: Vec<String>,
    file: PathBuf,
    failure: Option<Failure>,
}

impl<W: Changes> Update<W> for Audited {
    fn events(self) -> Vec<Event<W>> {
        let said = self.0.into_iter();
        said.map(|said| {
            let AuditResult { task, verdict, reasons, notes, unreached, file, failure } = said;
            let ended =
                ChangeEvent::AuditEnded { task, verdict, reasons, notes, unreached, file, failure };
            Event::Own(ended.into())
        })
        .collect()
    }
}

impl<W: Changes> Node<W> for Auditor {
    const NAME: &'static str = "audit";
    const DOES: &'static str =
        "reads the change: imports, exports, calls, contracts, lost logic, active rules";
    type Reads<'s> = Reads<'s>;
    type Writes = Audited;

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<Audited, W::Error> {
        Ok(examine(&reads, world.as_mut())?)
    }
}

fn examine(reads: &Reads<'_>, world: &mut ChangeWorld) -> Result<Audited, ChangeError> {
    let (Some(task), Some(current)) = (reads.task, &reads.change.current) else {
        return Ok(Audited(None));
    };
    let Some(commit) = &current.candidate else { return Ok(Audited(None)) };
    // A process that was not there before the change has to look at both sides of it.
    let clean = world.tip()?;
    world.know()?;
    world.worktree()?.reset(commit)?;
    let change = Candidate { task, commit, paths: &current.paths, active: reads.active_rules };
    let mut examination = look(world, &change, &clean)?;
    let mut history = std::mem::take(&mut world.edit_history);
    let base = reads.change.base.as_ref().map_or("", |base| base.commit.as_str());
    let earlier = reads.change.checkpoints();
    let found = history.overlaps(world.worktree()?, base, &earlier, (task.id, commit))?;
    world.edit_history = history;
    examination.findings.extend(found);
    let failure = failure(&examination, &current.paths);
    let file = verify_setup::keep(world, &format!("{}-audit", task.id), &examination)?;
    let notes = notes(&examination);
    let runs_tests = world.options.runs_commands() && !reads.change.no_test_speaks();
    let unreached = unreached(&examination, runs_tests);
    let Examination { verdict, reasons, .. } = examination;
    let task = task.id;
    Ok(Audited(Some(AuditResult { task, verdict, reasons, notes, unreached, file, failure })))
}

/// Behaviour that was removed where no test would notice.
fn unreached(examination: &Examination, runs_tests: bool) -> Vec<String> {
    let unreached = examination.removed().filter(|it| !runs_tests || !examination.is_reached(it));
    unreached.map(|it| format!("{}:{}: {}", it.path, it.line, it.message)).collect()
}

/// What is looked at.
struct Candidate<'c> {
    task: &'c Task,
    commit: &'c str,
    paths: &'c [RepoPath],
    /// The rules that it is held against.
    active: &'c [String],
}

/// Which kind of failure it is: the interface changed, or files are broken that the task did not touch, or its own are.
fn failure(examination: &Examination, paths: &[RepoPath]) -> Option<Failure> {
    if examination.verdict != Verdict::Fail {
        return None;
    }
    let touched: Vec<String> = paths.iter().map(ToString::to_string).collect();
    let mut errors = examination.findings.iter().filter(|it| it.severity == Severity::Error);
    if errors.any(|it| !touched.contains(&it.path)) {
        return Some(Failure::Cascade);
    }
    let is_contract = !examination.refused.is_empty();
    Some(if is_contract { Failure::Contract } else { Failure::Audit })
}

/// What is worth a look and stops nothing: warnings, and breaking changes of contracts that are allowed.
fn notes(examination: &Examination) -> Vec<String> {
    let Examination { findings, allowed, .. } = examination;
    let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning);
    let mut notes: Vec<String> = warnings
        .map(|finding| format!("{}:{}: {}", finding.path, finding.line, finding.message))
        .collect();
    let breaking = allowed.iter().filter(|change| change.breaking);
    notes.extend(breaking.map(|change| {
        format!("{}:{}: the public interface changed: {}", change.file, change.line, change.words)
    }));
    notes
}

/// Compares the index of before with one of now, which stays for whoever comes next.
fn look(
    world: &mut ChangeWorld,
    change: &Candidate<'_>,
    clean: &str,
) -> Result<Examination, ChangeError> {
    let Candidate { task, commit, paths, active } = *change;
    let changes = changes(world, clean, paths)?;
    let root = world.worktree()?.dir().to_owned();
    let cancel = world.host.cancel.clone();
    let ran = files_of_tests(world)?;
    // Given up, because the store moves on with the change, and the change may be refused.
    let known = world.known.take().expect("the caller made sure of it");
    let then = known.indexed.view().map_err(IndexError::from)?;
    let indexed = world.index()?;
    let texts = OnDisk { root: &root };
    let (findings, contracts, near) = {
        let now = indexed.view().map_err(IndexError::from)?;
        let own = own_rules(&root)?;
        let rules = ActiveRules::new(RuleInput {
            root: &root,
            before: &then,
            after: &now,
            changes: &changes,
            active,
            about: &task.rules,
            own: &own,
            cancel: &cancel,
        });
        let touched: Vec<String> = changes.iter().map(|it| it.path.clone()).collect();
        let near = around(&now, &touched, ran.as_ref());
        let mut findings = audit(&then, &now, &texts, &changes, &rules as &dyn Rules, &cancel)?;
        findings.extend(removed(task, &changes));
        let promises = changes.iter().any(|change| contracts::is_product(&change.path));
        let contracts = if promises {
            world.contracts.snapshot(&now, &texts, &cancel)?
        } else {
            known.contracts.clone()
        };
        (findings, contracts, near)
    };
    let mut examination = judge(world, task, findings, (&known.contracts, &contracts), &changes);
    examination.around = Some(near);
    if examination.verdict != Verdict::Fail {
        write_contracts(&root, &contracts)?;
    }
    world.candidate = Some(IndexedCommit { commit: commit.to_owned(), indexed, contracts });
    Ok(examination)
}

/// What a recipe, a rule or a formatter computed removes nothing that it has not proved to be without effect.
fn removed(task: &Task, changes: &[Change]) -> Vec<Finding> {
    match task.kind {
        TaskKind::Change { .. } if !is_computed(task) => removed_behaviour(changes),
        TaskKind::Change { .. } | TaskKind::FormatOnly { .. } => Vec::new(),
    }
}

/// The files with a test that passed before any change; `None` where that is not known of all. One that fails anyway vouches for nothing.
fn files_of_tests(world: &ChangeWorld) -> Result<Option<BTreeSet<String>>, ChangeError> {
    if !world.options.runs_commands() {
        return Ok(None);
    }
    let baseline = verify_setup::read_baseline(world)?;
    let tests = baseline.commands.into_iter().filter_map(|command| command.tests);
    let tests: Vec<TestResult> = tests.flat_map(|tests| tests.results).collect();
    if tests.is_empty() || tests.iter().any(|test| test.file.is_none()) {
        return Ok(None);
    }
    let passed = tests.into_iter().filter(|test| test.outcome == Outcome::Passed);
    let mut files: BTreeSet<String> = passed.filter_map(|test| test.file).collect();
    // A folder that is a project by itself names its files from there.
    if let Some(folder) = &world.options.folder {
        let below: Vec<String> = files.iter().map(|file| format!("{folder}/{file}")).collect();
        files.extend(below);
    }
    Ok(Some(files))
}

fn judge(
    world: &ChangeWorld,
    task: &Task,
    findings: Vec<Finding>,
    (before, after): (&Snapshot, &Snapshot),
    changes: &[Change],
) -> Examination {
    let verify = world.options.verify.as_ref();
    let allow_public_api_changes = verify.is_some_and(|verify| verify.allow_public_api_changes);
    let asked = task.api_changes.names.iter().filter_map(|name| name.rsplit_once('#'));
    let asked = asked.map(|(file, name)| (file.to_owned(), name.to_owned())).collect();
    let policy = Policy { allow_public_api_changes, allowed: Vec::new(), asked };
    let (mut allowed, mut refused) = contracts::judge(contracts::compare(before, after), &policy)
        .expect("without patterns there is no bad pattern");
    let renames = &task.api_changes.renames;
    allowed.extend(contracts::take_consequences(&mut refused, before, after, renames));
    let residue = residue(changes);
    let mut reasons: Vec<String> = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| format!("{}:{}: {}", finding.path, finding.line, finding.message))
        .collect();
    reasons.extend(refused.iter().map(|change| {
        format!("{}:{}: the public interface changed: {}", change.file, change.line, change.words)
    }));
    if let Some(most) = verify.and_then(|verify| verify.max_residue)
        && residue.lost.len() > most
    {
        let (lost, first) = (residue.lost.len(), &residue.lost[0]);
        reasons.push(format!(
            "{lost} lines of logic were removed and not found again, more than the limit of {most}; the first is {}:{}: {}",
            first.path, first.line, first.text
        ));
    }
    let verdict = if reasons.is_empty() { Verdict::Pass } else { Verdict::Fail };
    Examination { findings, allowed, refused, residue, around: None, verdict, reasons }
}

/// The touched files with their texts at `clean` and now. A path that is no UTF-8 is in no index.
fn changes(
    world: &mut ChangeWorld,
    clean: &str,
    paths: &[RepoPath],
) -> Result<Vec<Change>, ChangeError> {
    let worktree = world.worktree()?;
    let mut changes = Vec::new();
    for path in paths {
        let Ok(name) = std::str::from_utf8(path.as_bytes()) else { continue };
        let before = worktree.file_at(clean, path)?;
        let after = fs::read_plain(worktree.dir(), path, u64::MAX)?;
        changes.push(Change { path: name.to_owned(), before, after });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rb_core::Proposer;

    use super::*;

    fn lost_call() -> Vec<Change> {
        let text = |text: &str| Some(text.as_bytes().to_vec());
        vec![Change {
            path: "src/a.js".to_owned(),
            before: text("function go(x) {\n  send(x);\n  return x;\n}\n"),
            after: text("function go(x) {\n  return x;\n}\n"),
        }]
    }

    fn task(by: Proposer) -> Task {
        Task { by, ..Task::new(TaskId(1), "go", TaskKind::Change { format: None }) }
    }

    #[test]
    fn ve6_removed_behaviour_is_looked_for_in_what_nobody_computed() {
        let check = |task: &Task, expected: usize| {
            assert_eq!(removed(task, &lost_call()).len(), expected, "{task:?}");
        };
        check(&task(Proposer::Model), 1);
        check(&task(Proposer::Given), 1);
        check(&task(Proposer::Rule { id: "no-send".to_owned() }), 0);
        let (id, arguments) = ("calls".to_owned(), BTreeMap::new());
        let (sites, chains) = (Vec::new(), Vec::new());
        check(&task(Proposer::Recipe { id, arguments, sites, chains }), 0);
        let kind = TaskKind::FormatOnly { command: "fmt".to_owned() };
        check(&Task::new(TaskId(1), "format", kind), 0);
        let loaded = crate::proposals::load(&[crate::GivenChange::Computed {
            goal: "computed".to_owned(),
            patch: b"patch".to_vec(),
            format: None,
            api_changes: rb_core::ApiChanges::default(),
        }]);
        check(&loaded.unwrap()[0].task, 0);
    }

    #[test]
    fn ve6_removed_behaviour_fails_no_task_and_is_unreached_without_a_test() {
        let examination = |tested: &[&str]| Examination {
            findings: removed(&task(Proposer::Model), &lost_call()),
            allowed: Vec::new(),
            refused: Vec::new(),
            residue: Residue::default(),
            around: Some(Neighbourhood {
                tested: tested.iter().map(ToString::to_string).collect(),
                imported: Vec::new(),
            }),
            verdict: Verdict::Pass,
            reasons: Vec::new(),
        };
        let words = ["src/a.js:2: removed call: `send(x);`"];
        assert_eq!(notes(&examination(&[])), words);
        assert_eq!(unreached(&examination(&[]), true), words);
        assert_eq!(unreached(&examination(&["src/a.js"]), true), Vec::<String>::new());
        assert_eq!(unreached(&examination(&["src/a.js"]), false), words);
        assert_eq!(failure(&examination(&[]), &[]), None);
    }
}

//! The auditor: a task's change, looked at as a commit. Audit, contracts and residue, because they are quick and run nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rb_audit::{Change, Finding, Residue, Rules, Severity, audit, residue};
use rb_contracts::{self as contracts, ContractChange, Policy, Snapshot};
use rb_core::fs;
use rb_core::{RepoPath, Task, TaskId, Verdict};
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

/// What it says of the change; `None` where there is none.
pub struct Audited(Option<AuditResult>);

struct AuditResult {
    task: TaskId,
    verdict: Verdict,
    reasons: Vec<String>,
    notes: Vec<String>,
    file: PathBuf,
    failure: Option<Failure>,
}

impl<W: Changes> Update<W> for Audited {
    fn events(self) -> Vec<Event<W>> {
        let said = self.0.into_iter();
        said.map(|said| {
            let AuditResult { task, verdict, reasons, notes, file, failure } = said;
            let ended = ChangeEvent::AuditEnded { task, verdict, reasons, notes, file, failure };
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
    let Examination { verdict, reasons, .. } = examination;
    Ok(Audited(Some(AuditResult { task: task.id, verdict, reasons, notes, file, failure })))
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
        let findings = audit(&then, &now, &texts, &changes, &rules as &dyn Rules, &cancel)?;
        let promises = changes.iter().any(|change| contracts::is_product(&change.path));
        let contracts = if promises {
            world.contracts.snapshot(&now, &texts, &cancel)?
        } else {
            known.contracts.clone()
        };
        (findings, contracts, near)
    };
    let mut examination = judge(world, findings, &known.contracts, &contracts, &changes);
    examination.around = Some(near);
    if examination.verdict != Verdict::Fail {
        write_contracts(&root, &contracts)?;
    }
    world.candidate = Some(IndexedCommit { commit: commit.to_owned(), indexed, contracts });
    Ok(examination)
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
    findings: Vec<Finding>,
    before: &Snapshot,
    after: &Snapshot,
    changes: &[Change],
) -> Examination {
    let verify = world.options.verify.as_ref();
    let allow_public_api_changes = verify.is_some_and(|verify| verify.allow_public_api_changes);
    let policy = Policy { allow_public_api_changes, allowed: Vec::new() };
    let (allowed, refused) = contracts::judge(contracts::compare(before, after), &policy)
        .expect("without patterns there is no bad pattern");
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

//! A task's change, looked at as a commit: audit, contracts and residue first, because they are quick and run nothing; then
//! the verifier.

use std::path::Path;

use rb_audit::{Change, Finding, NoRules, Residue, Severity, TaskEdits, audit, overlaps, residue};
use rb_contracts::{self as contracts, ContractChange, Policy, Snapshot};
use rb_core::fs;
use rb_core::{RepoPath, Task, Verdict};
use rb_flow::Event;
use rb_index::{
    IndexError, Indexed, NoHistory, OnDisk, Options, Request, StoreError, folder_name, update,
};
use rb_workspace::history::History;
use rb_workspace::patch;
use rb_workspace::worktree::WorktreeError;
use serde::{Deserialize, Serialize};

use crate::Context;
use crate::driver::Driver;
use crate::error::RunError;
use crate::verify;

/// What is known of the worktree at the last good commit.
pub(crate) struct Before {
    indexed: Indexed,
    contracts: Snapshot,
}

/// What was found without running anything.
#[derive(Debug, Serialize, Deserialize)]
pub struct Examination {
    pub findings: Vec<Finding>,
    /// Changes of contracts that are let through.
    pub allowed: Vec<ContractChange>,
    /// Changes of contracts that are not.
    pub refused: Vec<ContractChange>,
    pub residue: Residue,
    pub verdict: Verdict,
    pub reasons: Vec<String>,
}

/// Takes in the worktree as it is before the task. Costs nothing where the task before left it known.
pub(crate) fn before(driver: &mut Driver) -> Result<(), RunError> {
    if driver.state.started.verify.is_some() && driver.before.is_none() {
        let indexed = index(driver)?;
        let root = driver.worktree()?.dir().to_owned();
        let contracts = {
            let view = indexed.view().map_err(IndexError::from)?;
            contracts::snapshot(&view, &OnDisk { root: &root }, &driver.context.cancel)?
        };
        write_contracts(&root, &contracts)?;
        driver.before = Some(Before { indexed, contracts });
    }
    Ok(())
}

/// Why the change must not stay; empty for one that may.
pub(crate) fn examine(
    driver: &mut Driver,
    task: &Task,
    index: usize,
    clean: &str,
    commit: &str,
    paths: &[RepoPath],
) -> Result<Vec<String>, RunError> {
    if driver.state.started.verify.is_none() {
        return Ok(Vec::new());
    }
    let Looked { mut examination, after, affected } = look(driver, clean, paths)?;
    examination.findings.extend(in_the_way(driver, task, commit)?);
    let file = verify::keep(driver, &format!("{}-audit", task.id), &examination)?;
    let notes = notes(&examination);
    let Examination { verdict, reasons, .. } = examination;
    driver.write(Event::AuditEnded {
        task: task.id,
        verdict,
        reasons: reasons.clone(),
        notes,
        file,
    })?;
    if verdict == Verdict::Fail {
        return Ok(reasons);
    }
    let effort = verify::effort(driver, index);
    let (verdict, reasons) = verify::check(driver, Some(task.id), effort, commit, &affected)?;
    if verdict == Verdict::Fail {
        return Ok(reasons);
    }
    driver.before = Some(after);
    Ok(Vec::new())
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

/// Where this task edits or undoes what an earlier task of the run did.
fn in_the_way(driver: &mut Driver, task: &Task, commit: &str) -> Result<Vec<Finding>, RunError> {
    let base = driver.state.base.as_ref().map(|base| base.commit.clone()).unwrap_or_default();
    let earlier = driver
        .state
        .ledger
        .iter()
        .filter_map(|entry| Some((entry.task.to_string(), entry.commit.clone()?)));
    let mut commits: Vec<(String, String)> = earlier.collect();
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    commits.push((task.id.to_string(), commit.to_owned()));
    let worktree = driver.worktree()?;
    let mut tasks = Vec::new();
    let mut from = base;
    for (task, to) in commits {
        // What git shows and we cannot read (a binary file) has no lines to get in the way of.
        if let Ok(patch) = patch::parse(&worktree.diff(&from, &to)?) {
            tasks.push(TaskEdits { task, patch });
        }
        from = to;
    }
    let own = task.id.to_string();
    Ok(overlaps(&tasks).into_iter().filter(|finding| finding.message.contains(&own)).collect())
}

struct Looked {
    examination: Examination,
    after: Before,
    affected: Vec<String>,
}

/// Compares the index of before with one of now. What is known of before is given up: the task may be refused.
fn look(driver: &mut Driver, clean: &str, paths: &[RepoPath]) -> Result<Looked, RunError> {
    before_is_known(driver)?;
    let known = driver.before.take().expect("it was made sure of just now");
    let changes = changes(driver, clean, paths)?;
    let root = driver.worktree()?.dir().to_owned();
    let cancel = driver.context.cancel.clone();
    let then = known.indexed.view().map_err(IndexError::from)?;
    let indexed = index(driver)?;
    let texts = OnDisk { root: &root };
    let (findings, contracts, affected) = {
        let now = indexed.view().map_err(IndexError::from)?;
        let findings = audit(&then, &now, &texts, &changes, &NoRules, &cancel)?;
        let touched: Vec<String> = changes.iter().map(|change| change.path.clone()).collect();
        let affected = rb_verify::affected(&now, &touched);
        let promises = touched.iter().any(|path| contracts::is_product(path));
        let contracts = if promises {
            contracts::snapshot(&now, &texts, &cancel)?
        } else {
            known.contracts.clone()
        };
        (findings, contracts, affected)
    };
    let examination = judge(driver, findings, &known.contracts, &contracts, &changes);
    if examination.verdict != Verdict::Fail {
        write_contracts(&root, &contracts)?;
    }
    Ok(Looked { examination, after: Before { indexed, contracts }, affected })
}

/// A suite may have put a link in the way, which must not lead us out of the worktree.
fn write_contracts(root: &Path, contracts: &Snapshot) -> Result<(), RunError> {
    let place = RepoPath::new(".refactor-bot/CONTRACTS/public_api_snapshot.json");
    fs::contained(root, &place.expect("a plain name")).map_err(WorktreeError::from)?;
    contracts::write(&root.join(".refactor-bot"), contracts)?;
    Ok(())
}

/// A task that was resumed half-way begins anew, so this is so in every process.
fn before_is_known(driver: &Driver) -> Result<(), RunError> {
    if driver.before.is_some() {
        return Ok(());
    }
    let message = "a change was to be examined without a look before it".to_owned();
    Err(RunError::BadJournal { run: driver.run.id.clone(), message })
}

fn judge(
    driver: &Driver,
    findings: Vec<Finding>,
    before: &Snapshot,
    after: &Snapshot,
    changes: &[Change],
) -> Examination {
    let verify = driver.state.started.verify.as_ref();
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
            "{lost} lines of logic are gone and nowhere again, more than {most}; the first is {}:{}: {}",
            first.path, first.line, first.text
        ));
    }
    let verdict = if reasons.is_empty() { Verdict::Pass } else { Verdict::Fail };
    Examination { findings, allowed, refused, residue, verdict, reasons }
}

/// The touched files with their texts at `clean` and now. A path that is no UTF-8 is in no index.
fn changes(driver: &mut Driver, clean: &str, paths: &[RepoPath]) -> Result<Vec<Change>, RunError> {
    let worktree = driver.worktree()?;
    let mut changes = Vec::new();
    for path in paths {
        let Ok(name) = std::str::from_utf8(path.as_bytes()) else { continue };
        let before = worktree.file_at(clean, path)?;
        let place = path.below(worktree.dir());
        let after = if place.is_file() { fs::read_optional(&place)? } else { None };
        changes.push(Change { path: name.to_owned(), before, after });
    }
    Ok(changes)
}

fn index(driver: &mut Driver) -> Result<Indexed, RunError> {
    let root = driver.worktree()?.dir().to_owned();
    let Context { home, env, cancel, .. } = &driver.context;
    // The store that all checkouts of the repository share: what the user's own holds is not read again.
    let (name, identity) = History::of(&driver.repo.root, env, cancel).identity(&driver.repo.root);
    let folder = home.index().join(folder_name(&name, &identity));
    let at = |rebuild| {
        update(&Request {
            root: &root,
            folder: &folder,
            options: &Options { rebuild, ..Options::default() },
            history: &NoHistory,
            progress: &rb_core::progress::Silent,
            cancel,
        })
    };
    match at(false) {
        Err(IndexError::Store(StoreError::Damaged(_))) => Ok(at(true)?),
        done => Ok(done?),
    }
}

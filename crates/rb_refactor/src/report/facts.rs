//! Everything that the reports of a run are made of, gathered once: the journal, the records beside it, the diffs.
//!
//! From here on all is pure: the same facts give the same bytes, and no report looks at a file or a clock.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rb_change::{ChangeFiles, Examination};
use rb_core::clock::Timestamp;
use rb_core::fs;
use rb_core::{RepoPath, RunId, TaskId, Verdict};
use rb_flow::FlowError;
use rb_index::test_links::is_test_path;
use rb_pack::Pack;
use rb_plan::Plan;
use rb_schema::roles::patcher::PatchResponse;
use rb_verify::{Baseline, Effort, Verification};
use rb_workspace::answer::Rung;
use rb_workspace::land::Move;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::worktree::Worktree;
use serde::de::DeserializeOwned;

use super::DIFFS;
use super::diffs::{self, FileDiff};
use super::entry_point::is_entry_point;
use super::metrics::{self, Metric};
use super::run_history::{RunHistory, TaskHistory};
use super::validation::task_patch;
use crate::confidence::{
    Confidence, Contracts, Critic, Material, Origin, Removed, Signals, confidence,
};
use crate::error::RunError;
use crate::event::{Outcome, Record};

/// A run, as plain data.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) history: RunHistory,
    pub(crate) records: Vec<Record>,
    pub(crate) plan: Option<Plan>,
    pub(crate) baseline: Option<Baseline>,
    /// The last look at all changes; where there was none, at the last task that stands.
    pub(crate) after: Option<After>,
    pub(crate) tasks: Vec<TaskFacts>,
    /// From the base to the tip, by path.
    pub(crate) files: Vec<FileFacts>,
    /// Names of what the backup holds, sorted.
    pub(crate) backup: Vec<String>,
    pub(crate) tip: String,
    pub(crate) metrics: Vec<Metric>,
}

#[derive(Debug)]
pub(crate) struct After {
    /// `None` for all changes together.
    pub(crate) task: Option<TaskId>,
    pub(crate) effort: Effort,
    pub(crate) verification: Verification,
}

#[derive(Debug)]
pub(crate) struct TaskFacts {
    pub(crate) history: TaskHistory,
    pub(crate) examination: Option<Examination>,
    pub(crate) verification: Option<Verification>,
    /// Where its checkpoint stands.
    pub(crate) patch: Option<Vec<u8>>,
    /// The files that a model was shown.
    pub(crate) pack: Option<Vec<String>>,
    /// What the model says of its change.
    pub(crate) said: Said,
    pub(crate) confidence: Option<Confidence>,
}

#[derive(Debug)]
pub(crate) struct FileFacts {
    pub(crate) diff: FileDiff,
    /// The tasks that touched it, in their order.
    pub(crate) tasks: Vec<TaskId>,
    pub(crate) confidence: Confidence,
}

/// What became of the run as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// There are changes to decide on, or that were decided on.
    Changed,
    /// The loop was ended early; what was good before may stand.
    Aborted,
    /// Nothing stands, because what was proposed was refused.
    Refused,
    BaselineFailed,
    Declined,
    /// Nothing here can do what was asked for.
    Unserved,
    /// A planner dropped what was to be done.
    Dropped,
    /// There was nothing to do.
    Nothing,
}

/// Where diffs between two commits come from: those of a task, or, where none is named, of all tasks together.
type Differ<'d> = &'d dyn Fn(Option<TaskId>, &str, &str) -> Result<Vec<u8>, RunError>;

impl Facts {
    /// Reads the run's folder and asks git for the diffs.
    pub(crate) fn gather(
        run_dir: &Path,
        records: &[Record],
        worktree: &Worktree,
        base: &str,
        tip: &str,
    ) -> Result<Facts, RunError> {
        let diff = |_: Option<TaskId>, from: &str, to: &str| Ok(worktree.diff(from, to)?);
        Facts::assemble(run_dir, records, base, tip, &diff)
    }

    /// The same without a worktree: the diffs are the patches of the report that was written while it was there.
    pub(crate) fn of_report(
        run_dir: &Path,
        records: &[Record],
        report: &Path,
    ) -> Result<Facts, RunError> {
        let history = RunHistory::fold(records).ok_or_else(|| bad_journal(run_dir))?;
        let change = &history.state.change;
        let base = change.base.as_ref().map_or("", |base| base.commit.as_str());
        let diff = |task: Option<TaskId>, _: &str, _: &str| written_patches(report, task);
        Facts::assemble(run_dir, records, base, change.tip().unwrap_or_default(), &diff)
    }

    pub(crate) fn assemble(
        run_dir: &Path,
        records: &[Record],
        base: &str,
        tip: &str,
        diff: Differ<'_>,
    ) -> Result<Facts, RunError> {
        let history = RunHistory::fold(records).ok_or_else(|| bad_journal(run_dir))?;
        let tasks = tasks(run_dir, &history, base, diff)?;
        let after = after(run_dir, &history)?;
        let whole = if base == tip { Vec::new() } else { diff(None, base, tip)? };
        let backup = match &history.state.change.backup {
            Some(dir) => fs::list(&run_dir.join(dir))?,
            None => Vec::new(),
        };
        let mut facts = Facts {
            plan: record(run_dir, history.state.plan.as_deref())?,
            baseline: record(run_dir, history.baseline.as_ref().map(|it| it.file.as_path()))?,
            after,
            files: Vec::new(),
            tasks,
            backup: backup.iter().filter_map(|name| Some(name.to_str()?.to_owned())).collect(),
            records: records.to_vec(),
            tip: tip.to_owned(),
            metrics: Vec::new(),
            history,
        };
        facts.weigh(diffs::split(&whole));
        facts.metrics = metrics::measure(&facts);
        Ok(facts)
    }

    /// Sets the confidence of every task and file that stands.
    fn weigh(&mut self, diffs: Vec<FileDiff>) {
        let of_all = self.after.as_ref().filter(|after| after.effort == Effort::Full);
        let without_tests = of_all.is_some_and(|after| after.verification.untested);
        let of_all = of_all.map(|after| after.verification.verdict);
        let sizes: Vec<BTreeMap<String, usize>> = self
            .tasks
            .iter()
            .map(|task| task.patch.as_deref().map(diffs::lines_by_path).unwrap_or_default())
            .collect();
        // All together may fail though each alone held; then nobody knows whose fault it is.
        let judged = |signals: Signals| match of_all {
            Some(Verdict::Fail) => Signals { verdict: Verdict::Fail, ..signals },
            // Tests that were run on all of it were run on each.
            Some(Verdict::Pass) => {
                Signals { untested: signals.untested && without_tests, ..signals }
            }
            Some(Verdict::NoVerifierRan) | None => signals,
        };
        let scores: Vec<Option<Confidence>> = self
            .tasks
            .iter()
            .zip(&sizes)
            .map(|(task, lines)| {
                let material = task.material(lines)?;
                task.patch.as_ref()?;
                Some(confidence(&judged(material.signals())))
            })
            .collect();
        self.files = diffs
            .into_iter()
            .map(|diff| {
                let (tasks, signals) = self.of_file(&diff, &sizes);
                let signals = signals.unwrap_or_else(|| unknown(&diff, of_all));
                let confidence = confidence(&judged(signals));
                FileFacts { diff, tasks, confidence }
            })
            .collect();
        for (task, score) in self.tasks.iter_mut().zip(scores) {
            task.confidence = score;
        }
    }

    /// Who touched a file, and what is known of those parts of their changes.
    fn of_file(
        &self,
        diff: &FileDiff,
        sizes: &[BTreeMap<String, usize>],
    ) -> (Vec<TaskId>, Option<Signals>) {
        let (mut tasks, mut signals) = (Vec::new(), None);
        let meant = |path: &RepoPath| *path == diff.path || Some(path) == diff.from.as_ref();
        for id in &self.history.standing {
            let Some(at) = self.tasks.iter().position(|task| task.history.task.id == *id) else {
                continue;
            };
            let task = &self.tasks[at];
            let Some(material) = task.material(&sizes[at]) else { continue };
            let touched = material.entry.touched_files.iter().filter(|path| meant(path));
            let names: Vec<String> = touched.map(lossy).collect();
            if names.is_empty() {
                continue;
            }
            tasks.push(*id);
            for name in names {
                let own = of_entry_point(&name, material.signals_of(&name));
                signals = Some(match signals {
                    Some(known) => Signals::and(&known, &own),
                    None => own,
                });
            }
        }
        (tasks, signals)
    }

    /// Whether the repository's own commands were to be run.
    pub(crate) fn runs_commands(&self) -> bool {
        self.history.state.verifies()
    }

    pub(crate) fn ending(&self) -> Ending {
        let state = &self.history.state;
        if state.course.outcome == Some(Outcome::Declined) {
            Ending::Declined
        } else if state.baseline_stops() {
            Ending::BaselineFailed
        } else if state.aborted.is_some() {
            Ending::Aborted
        } else if !self.files.is_empty() {
            Ending::Changed
        } else if self.with(TaskStatus::Refused).chain(self.with(TaskStatus::Skipped)).count() > 0 {
            Ending::Refused
        } else if self.plan.as_ref().is_some_and(|plan| plan.unserved.is_some()) {
            Ending::Unserved
        } else if state.planner_dropped {
            Ending::Dropped
        } else {
            Ending::Nothing
        }
    }

    /// The commits that the branch of the checkout was moved from and to, where the change is there as commits.
    pub(crate) fn landed(&self) -> Option<(&str, &str)> {
        let state = &self.history.state;
        let landing = state.change.landing.as_ref();
        match &landing.filter(|_| state.course.outcome == Some(Outcome::Accepted))?.commit {
            Move::Forward { from, to, .. } => Some((from.as_str(), to.as_str())),
            Move::FilesOnly => None,
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.history.state.verdict()
    }

    /// The tasks whose changes stand, in the order of their commits.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &TaskFacts> {
        let of = |id: &TaskId| self.tasks.iter().find(|task| task.history.task.id == *id);
        self.history.standing.iter().filter_map(of)
    }

    /// The tasks that ended so.
    pub(crate) fn with(&self, status: TaskStatus) -> impl Iterator<Item = &TaskFacts> {
        self.tasks.iter().filter(move |task| task.entry().is_some_and(|it| it.status == status))
    }

    /// Lines added and removed, from the base to the tip.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sum = |of: fn(&FileDiff) -> usize| self.files.iter().map(|file| of(&file.diff)).sum();
        (sum(|diff| diff.added), sum(|diff| diff.removed))
    }

    /// The files, the least sure first; of those that are as sure, the one with the most to read.
    pub(crate) fn files_by_confidence(&self) -> Vec<&FileFacts> {
        let mut files: Vec<&FileFacts> = self.files.iter().collect();
        let size = |file: &FileFacts| Reverse(file.diff.added + file.diff.removed);
        files.sort_by_key(|file| (file.confidence.score, file.confidence.sum, size(file)));
        files
    }

    /// The tasks that stand, the least sure first.
    pub(crate) fn tasks_by_confidence(&self) -> Vec<&TaskFacts> {
        let mut tasks: Vec<&TaskFacts> = self.standing().collect();
        tasks.sort_by_key(|task| task.confidence.as_ref().map(|it| (it.score, it.sum)));
        tasks
    }
}

impl TaskFacts {
    pub(crate) fn id(&self) -> TaskId {
        self.history.task.id
    }

    pub(crate) fn entry(&self) -> Option<&LedgerEntry> {
        self.history.entry.as_ref()
    }

    fn material<'m>(&'m self, lines: &'m BTreeMap<String, usize>) -> Option<Material<'m>> {
        let critic = self.history.critic.as_ref().map(|critic| critic.decision);
        let (task, entry) = (&self.history.task, self.entry()?);
        let untested = self.history.verified.as_ref().is_some_and(|it| it.judged.untested);
        let examination = self.examination.as_ref();
        Some(Material { task, entry, untested, examination, critic, lines })
    }
}

fn tasks(
    run_dir: &Path,
    history: &RunHistory,
    base: &str,
    diff: Differ<'_>,
) -> Result<Vec<TaskFacts>, RunError> {
    let mut patches = BTreeMap::new();
    let mut from = base.to_owned();
    for id in &history.standing {
        let task = history.tasks.iter().find(|task| task.task.id == *id);
        let commit = task.and_then(|task| task.entry.as_ref()?.commit.clone());
        if let Some(to) = commit {
            patches.insert(*id, diff(Some(*id), &from, &to)?);
            from = to;
        }
    }
    let facts = history.tasks.iter().map(|task| {
        let audit = task.audit.as_ref().map(|it| it.file.as_path());
        let verified = task.verified.as_ref().map(|it| it.judged.file.as_path());
        let pack: Option<Pack> = record(run_dir, task.pack.as_deref())?;
        Ok(TaskFacts {
            examination: record(run_dir, audit)?,
            verification: record(run_dir, verified)?,
            patch: patches.remove(&task.task.id),
            pack: pack.map(|pack| pack.files.into_iter().map(|file| file.path).collect()),
            said: said(run_dir, task)?,
            confidence: None,
            history: task.clone(),
        })
    });
    facts.collect()
}

/// The patch of a task, or those of all files, as a report holds them.
fn written_patches(report: &Path, task: Option<TaskId>) -> Result<Vec<u8>, RunError> {
    if let Some(task) = task {
        return Ok(fs::read(&report.join(task_patch(task)))?);
    }
    let folder = report.join(DIFFS);
    let names = fs::list(&folder)?;
    let patches: fs::Result<Vec<_>> =
        names.iter().map(|name| fs::read(&folder.join(name))).collect();
    Ok(patches?.concat())
}

fn after(run_dir: &Path, history: &RunHistory) -> Result<Option<After>, RunError> {
    let of_last = || {
        let id = history.standing.last()?;
        history.tasks.iter().find(|task| task.task.id == *id)?.verified.as_ref()
    };
    let Some(verified) = history.whole.as_ref().or_else(of_last) else { return Ok(None) };
    let verification = record(run_dir, Some(&verified.judged.file))?;
    let (task, effort) = (verified.task, verified.effort);
    Ok(verification.map(|verification| After { task, effort, verification }))
}

/// The names of the run's files, as seen from its folder.
struct Names;

impl ChangeFiles for Names {
    fn file(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }
}

/// What a model says beside its patch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// What a change that stands does, and why all else stays as it was.
    pub(crate) rationale: String,
    /// What could still go wrong with a change that stands.
    pub(crate) risks: Vec<String>,
    /// What it saw that could be done, and left alone.
    pub(crate) followups: Vec<String>,
}

fn said(run_dir: &Path, task: &TaskHistory) -> Result<Said, RunError> {
    let answer: Option<PatchResponse> = record(run_dir, Some(&Names.answer(task.task.id)))?;
    let Some(answer) = answer else { return Ok(Said::default()) };
    let stands = task.entry.as_ref().is_some_and(|entry| entry.status == TaskStatus::Applied);
    let (rationale, risks) =
        if stands { (answer.rationale, answer.risk_notes) } else { Default::default() };
    Ok(Said { rationale, risks, followups: answer.followups.unwrap_or_default() })
}

/// A record of the run. One that is gone, or was written by another version, is as good as none: the journal has its verdict.
fn record<T: DeserializeOwned>(run_dir: &Path, file: Option<&Path>) -> Result<Option<T>, RunError> {
    let Some(file) = file else { return Ok(None) };
    let place: PathBuf = run_dir.join(file);
    let Some(bytes) = fs::read_optional(&place)? else { return Ok(None) };
    Ok(serde_json::from_slice(&bytes).ok())
}

fn bad_journal(run_dir: &Path) -> RunError {
    let name = run_dir.file_name().and_then(|name| name.to_str()?.parse().ok());
    let run = name.unwrap_or_else(|| RunId::candidate(Timestamp::from_unix_ms(0), 1));
    let message = "it does not begin with the start of a run".to_owned();
    FlowError::BadJournal { run, message }.into()
}

/// No test can import a file that a program starts with, and none has to import a test. Tests may still start the program, which is not
/// measured.
fn of_entry_point(path: &str, mut signals: Signals) -> Signals {
    let cannot_be_reached = is_entry_point(path) || is_test_path(path);
    signals.reach = signals.reach.filter(|reach| reach.reached > 0 || !cannot_be_reached);
    signals
}

/// A file that no task says it touched: nothing vouches for it.
fn unknown(diff: &FileDiff, verdict: Option<Verdict>) -> Signals {
    Signals {
        origin: Origin::Model,
        rung: Some(Rung::Context),
        audit: None,
        verdict: verdict.unwrap_or(Verdict::NoVerifierRan),
        untested: false,
        reach: None,
        removed: Removed::default(),
        lost_lines: 0,
        changed_lines: diff.added + diff.removed,
        attempts: 1,
        critic: Critic::NotAsked,
        contracts: Contracts::default(),
    }
}

pub(crate) fn lossy(path: &RepoPath) -> String {
    String::from_utf8_lossy(path.as_bytes()).into_owned()
}

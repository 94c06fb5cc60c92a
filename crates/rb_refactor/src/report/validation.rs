//! `validation-report.json`: what was checked of a run and what came of it, for programs. `docs/reports.md` describes each field.
//!
//! A field that is there in one report is there in all of them; what was not measured is `null`. A reader may rely on `version`.

use std::collections::BTreeMap;
use std::path::Path;

use rb_audit::{Finding, LostLine, Severity};
use rb_change::Failure;
use rb_contracts::ContractChange;
use rb_core::clock::Timestamp;
use rb_core::{Proposer, RunId, Stage, TaskId, Verdict, fs};
use rb_models::ledger::Sum;
use rb_verify::{Effort, Gate, Standing, Surroundings};
use rb_workspace::answer::Rung;
use rb_workspace::fingerprint::Difference;
use serde::{Deserialize, Serialize};

use super::DIFFS;
use super::diffs::Changed;
use super::facts::{Ending, Facts, FileFacts, TaskFacts};
use super::leftovers::Leftovers;
use super::metrics::Metric;
use super::risk::{Risk, assess};
use super::run_history::{RunHistory, Try};
use super::suites::Tests;
use crate::confidence::{Confidence, Part};
use crate::event::{Outcome, Recovery};

/// Raised when a field changes its meaning or goes away; a new one is no new version.
pub(crate) const VERSION: u32 = 1;
pub(super) const NAME: &str = "validation-report.json";

#[derive(Debug, Serialize)]
struct Validation<'f> {
    version: u32,
    run: &'f RunId,
    repository: String,
    /// The folder that alone was asked about.
    folder: Option<String>,
    directive: Option<&'f str>,
    ending: &'static str,
    /// How the run ended; `None` until it has.
    outcome: Option<&'static str>,
    verdict: Verdict,
    reasons: Vec<String>,
    tests: Tests,
    benchmark: Option<&'f Gate>,
    tasks: Vec<TaskRow<'f>>,
    files: Vec<FileRow<'f>>,
    confidence: Ranking,
    risk: Risk,
    metrics: &'f [Metric],
    left: Leftovers,
    models: Option<Models>,
    environment: Option<Environment<'f>>,
    checkout: Checkout<'f>,
    timing: Timing<'f>,
    notes: &'f [String],
}

#[derive(Debug, Serialize)]
struct TaskRow<'f> {
    task: String,
    goal: &'f str,
    status: &'static str,
    by: &'f Proposer,
    stage: Stage,
    risk: u8,
    commit: Option<&'f str>,
    files: Vec<String>,
    added: usize,
    removed: usize,
    rung: Option<Rung>,
    attempts: u32,
    ms: Option<u64>,
    verdict: Option<Verdict>,
    reasons: &'f [String],
    notes: &'f [String],
    /// What a model says of its change, what could go wrong with it, and what it suggests beside it.
    rationale: &'f str,
    risk_notes: &'f [String],
    followups: &'f [String],
    audit: Option<AuditRow<'f>>,
    contracts: Option<ContractRow<'f>>,
    residue: Option<ResidueRow<'f>>,
    verification: Option<VerificationRow<'f>>,
    critic: Option<CriticRow<'f>>,
    failed_tries: Vec<TryRow<'f>>,
    approved: Option<bool>,
    confidence: Option<&'f Confidence>,
    patch: Option<String>,
}

#[derive(Debug, Serialize)]
struct AuditRow<'f> {
    verdict: Verdict,
    errors: usize,
    warnings: usize,
    findings: &'f [Finding],
}

#[derive(Debug, Serialize)]
struct ContractRow<'f> {
    allowed: &'f [ContractChange],
    refused: &'f [ContractChange],
}

#[derive(Debug, Serialize)]
struct ResidueRow<'f> {
    /// Lines of logic that were taken away, wherever they went.
    removed: usize,
    lost: &'f [LostLine],
}

#[derive(Debug, Serialize)]
struct VerificationRow<'f> {
    effort: Effort,
    verdict: Verdict,
    /// How many tests pass and fail, where they could be compared by name.
    standing: Option<Standing>,
    reasons: &'f [String],
}

#[derive(Debug, Serialize)]
struct CriticRow<'f> {
    decision: &'f str,
    reasons: &'f [String],
}

#[derive(Debug, Serialize)]
struct TryRow<'f> {
    attempt: u32,
    failure: Failure,
    recovery: Recovery,
    reasons: &'f [String],
}

#[derive(Debug, Serialize)]
struct FileRow<'f> {
    path: String,
    from: Option<String>,
    change: Changed,
    added: usize,
    removed: usize,
    tasks: Vec<String>,
    confidence: &'f Confidence,
    patch: String,
}

/// What to look at first: the least sure comes first.
#[derive(Debug, Serialize)]
struct Ranking {
    tasks: Vec<Ranked>,
    files: Vec<Ranked>,
}

#[derive(Debug, Serialize)]
struct Ranked {
    name: String,
    score: u8,
}

#[derive(Debug, Serialize)]
struct Models {
    total: Spent,
    /// What counts against a cap, in dollars.
    gone_usd: f64,
    by_role: Vec<Spent>,
    by_task: Vec<Spent>,
    failures: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Spent {
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    calls: u64,
    tokens: u64,
    input_tokens: u64,
    output_tokens: u64,
    cost_usd: f64,
    /// Calls whose cost nobody knows.
    unknown_cost: u64,
    ms: u64,
}

#[derive(Debug, Serialize)]
struct Environment<'f> {
    sandbox_words: String,
    #[serde(flatten)]
    surroundings: &'f Surroundings,
}

/// Whether the person's checkout stayed as it was.
#[derive(Debug, Serialize)]
struct Checkout<'f> {
    unchanged: Option<bool>,
    quick_looks: usize,
    full_looks: usize,
    differences: &'f [Difference],
}

#[derive(Debug, Serialize)]
struct Timing<'f> {
    begun: Timestamp,
    last: Timestamp,
    worked_ms: u64,
    nodes: Vec<NodeRow<'f>>,
}

#[derive(Debug, Serialize)]
struct NodeRow<'f> {
    node: &'f str,
    visits: usize,
    ms: u64,
}

/// The report as it is written.
pub(crate) fn text(facts: &Facts) -> Vec<u8> {
    let history = &facts.history;
    let report = Validation {
        version: VERSION,
        run: &history.state.started.run,
        repository: history.state.started.repo.display().to_string(),
        folder: history.state.started.scope.as_ref().map(ToString::to_string),
        directive: history.state.started.orders.directive.as_deref(),
        ending: ending(facts.ending()),
        outcome: history.state.course.outcome.map(Outcome::words),
        verdict: facts.verdict(),
        reasons: reasons(facts),
        tests: Tests::of(facts),
        benchmark: facts.after.as_ref().and_then(|after| after.verification.benchmark.as_ref()),
        tasks: facts.tasks.iter().map(task_row).collect(),
        files: facts.files.iter().map(file_row).collect(),
        confidence: ranking(facts),
        risk: assess(facts),
        metrics: &facts.metrics,
        left: Leftovers::of(facts),
        models: models(history),
        environment: facts.baseline.as_ref().map(|baseline| Environment {
            sandbox_words: baseline.surroundings.sandbox.words(),
            surroundings: &baseline.surroundings,
        }),
        checkout: checkout(history),
        timing: timing(history),
        notes: &history.state.course.notes,
    };
    let mut text = serde_json::to_vec_pretty(&report).expect("a report is plain data");
    text.push(b'\n');
    text
}

/// What a report says of each task that stands, from 0 to 100, once all that was measured of all tasks together is known. Nothing of a
/// report that cannot be read.
pub fn confidence_of_tasks(report: &Path) -> BTreeMap<TaskId, u8> {
    let written = written_confidence(report).into_iter();
    written.map(|(task, confidence)| (task, confidence.score)).collect()
}

/// The same with the parts.
pub(crate) fn written_confidence(report: &Path) -> BTreeMap<TaskId, WrittenConfidence> {
    #[derive(Default, Deserialize)]
    struct Written {
        tasks: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        task: TaskId,
        confidence: Option<WrittenConfidence>,
    }
    let text = fs::read_optional(&report.join(NAME)).ok().flatten().unwrap_or_default();
    let written: Written = serde_json::from_slice(&text).unwrap_or_default();
    written.tasks.into_iter().filter_map(|row| Some((row.task, row.confidence?))).collect()
}

#[derive(Debug, Deserialize)]
pub(crate) struct WrittenConfidence {
    pub(crate) score: u8,
    #[serde(default)]
    pub(crate) parts: Vec<Part>,
}

pub(crate) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Changed => "changed",
        Ending::Aborted => "aborted",
        Ending::Refused => "refused",
        Ending::BaselineFailed => "baseline_failed",
        Ending::Declined => "declined",
        Ending::Unserved => "unserved",
        Ending::Dropped => "dropped_by_planner",
        Ending::Nothing => "nothing_to_change",
    }
}

/// Why the verdict is no pass, and why the run ended early.
pub(crate) fn reasons(facts: &Facts) -> Vec<String> {
    let history = &facts.history;
    let mut reasons = Vec::new();
    reasons.extend(history.state.aborted.clone());
    if facts.ending() == Ending::BaselineFailed {
        reasons.extend(history.baseline.iter().flat_map(|it| it.reasons.iter().cloned()));
    }
    reasons.extend(history.whole.iter().flat_map(|it| it.judged.reasons.iter().cloned()));
    reasons.extend(history.state.course.left_off.clone());
    reasons
}

/// What a task came to, in one word.
pub(crate) fn status(task: &TaskFacts) -> &'static str {
    use rb_workspace::ledger::TaskStatus as S;
    match task.entry().map(|entry| entry.status) {
        Some(S::Applied) => "applied",
        Some(S::Noop) => "noop",
        Some(S::Refused) => "refused",
        Some(S::Skipped) => "skipped",
        Some(S::RolledBack) => "rolled_back",
        None => "not_tried",
    }
}

fn task_row(task: &TaskFacts) -> TaskRow<'_> {
    let (history, entry) = (&task.history, task.entry());
    let examination = task.examination.as_ref();
    TaskRow {
        task: task.id().to_string(),
        goal: &history.task.goal,
        status: status(task),
        by: &history.task.by,
        stage: history.task.stage,
        risk: history.task.risk_score,
        commit: entry.and_then(|entry| entry.commit.as_deref()),
        files: entry
            .map(|entry| entry.touched_files.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        added: entry.map_or(0, |entry| entry.added),
        removed: entry.map_or(0, |entry| entry.removed),
        rung: entry.and_then(|entry| entry.rung),
        attempts: entry.map_or(0, |entry| entry.attempts),
        ms: history.ms,
        verdict: entry.map(|entry| entry.verdict),
        reasons: entry.map_or(&[], |entry| &entry.reasons),
        notes: entry.map_or(&[], |entry| &entry.notes),
        rationale: &task.said.rationale,
        risk_notes: &task.said.risks,
        followups: &task.said.followups,
        audit: examination.map(|it| AuditRow {
            verdict: it.verdict,
            errors: it.findings.iter().filter(|it| it.severity == Severity::Error).count(),
            warnings: it.findings.iter().filter(|it| it.severity == Severity::Warning).count(),
            findings: &it.findings,
        }),
        contracts: examination.map(|it| ContractRow { allowed: &it.allowed, refused: &it.refused }),
        residue: examination
            .map(|it| ResidueRow { removed: it.residue.removed, lost: &it.residue.lost }),
        verification: history.verified.as_ref().map(|it| VerificationRow {
            effort: it.effort,
            verdict: it.judged.verdict,
            standing: task.verification.as_ref().and_then(|it| it.standing),
            reasons: &it.judged.reasons,
        }),
        critic: history
            .critic
            .as_ref()
            .map(|it| CriticRow { decision: it.decision.name(), reasons: &it.reasons }),
        failed_tries: history.tries.iter().map(try_row).collect(),
        approved: history.approved,
        confidence: task.confidence.as_ref(),
        patch: task.patch.as_ref().map(|_| task_patch(task.id())),
    }
}

fn try_row(failed: &Try) -> TryRow<'_> {
    let Try { attempt, failure, reasons, recovery } = failed;
    TryRow { attempt: *attempt, failure: *failure, recovery: *recovery, reasons }
}

/// Where the patch of a task lies, seen from the report.
pub(crate) fn task_patch(task: TaskId) -> String {
    format!("tasks/{task}.patch")
}

/// Where the patch of a file lies, seen from the report.
pub(crate) fn file_patch(file: &FileFacts) -> String {
    format!("{DIFFS}/{}", file.diff.name)
}

fn file_row(file: &FileFacts) -> FileRow<'_> {
    FileRow {
        path: file.diff.path.to_string(),
        from: file.diff.from.as_ref().map(ToString::to_string),
        change: file.diff.change,
        added: file.diff.added,
        removed: file.diff.removed,
        tasks: file.tasks.iter().map(ToString::to_string).collect(),
        confidence: &file.confidence,
        patch: file_patch(file),
    }
}

fn ranking(facts: &Facts) -> Ranking {
    let task = |task: &&TaskFacts| {
        Some(Ranked { name: task.id().to_string(), score: task.confidence.as_ref()?.score })
    };
    let file = |file: &&FileFacts| Ranked {
        name: file.diff.path.to_string(),
        score: file.confidence.score,
    };
    Ranking {
        tasks: facts.tasks_by_confidence().iter().filter_map(task).collect(),
        files: facts.files_by_confidence().iter().map(file).collect(),
    }
}

fn models(history: &RunHistory) -> Option<Models> {
    let spent = &history.spent;
    if spent.total().calls == 0 && history.model_failures.is_empty() {
        return None;
    }
    let by_role = spent.roles().iter().map(|(role, sum)| row(Some(role.clone()), sum));
    let by_task = spent.tasks().iter().map(|(about, sum)| {
        let name = match about {
            rb_models::ledger::About::This(task) => task.to_string(),
            rb_models::ledger::About::Nothing => "the run".to_owned(),
        };
        row(Some(name), sum)
    });
    Some(Models {
        total: row(None, &spent.total()),
        gone_usd: spent.gone().dollars(),
        by_role: by_role.collect(),
        by_task: by_task.collect(),
        failures: history.model_failures.clone(),
    })
}

fn row(of: Option<String>, sum: &Sum) -> Spent {
    Spent {
        of,
        calls: sum.calls,
        tokens: sum.usage.total(),
        input_tokens: sum.usage.all_input(),
        output_tokens: sum.usage.output,
        cost_usd: sum.cost.dollars(),
        unknown_cost: sum.unknown,
        ms: sum.ms,
    }
}

fn checkout(history: &RunHistory) -> Checkout<'_> {
    let compared = &history.compared;
    let looks = compared.quick + compared.full;
    Checkout {
        unchanged: (looks > 0).then_some(compared.differences.is_empty()),
        quick_looks: compared.quick,
        full_looks: compared.full,
        differences: &compared.differences,
    }
}

fn timing(history: &RunHistory) -> Timing<'_> {
    Timing {
        begun: history.begun,
        last: history.last,
        worked_ms: history.worked_ms,
        nodes: history
            .nodes
            .iter()
            .map(|node| NodeRow { node: &node.name, visits: node.visits, ms: node.ms })
            .collect(),
    }
}

#[cfg(test)]
mod tests;

//! What a run is measured by: each number with its target, whether it holds, and what it was counted from.
//!
//! What was not measured has no value. Nothing is taken for good because nobody looked.

use std::collections::BTreeSet;

use rb_audit::{FindingKind, Overlaps};
use rb_core::{Verdict, plural};
use rb_verify::BuiltFile;
use rb_workspace::patch;
use serde::Serialize;

use super::facts::{Facts, TaskFacts, lossy};
use super::suites::Tests;

/// One number of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Metric {
    pub(crate) id: &'static str,
    pub(crate) group: Group,
    pub(crate) name: &'static str,
    pub(crate) target: String,
    /// `None` where nothing was measured.
    pub(crate) value: Option<f64>,
    pub(crate) unit: Unit,
    /// `None` where there is no value, or the target is not meant for it.
    pub(crate) holds: Option<bool>,
    /// What it was counted from, or why it was not.
    pub(crate) how: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Group {
    StructuralIntegrity,
    Coordination,
    SemanticCoherence,
    Efficiency,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    Percent,
    Count,
    Tokens,
    Share,
    Tries,
    Milliseconds,
}

/// The metric of what builds make for browsers.
pub(crate) const BUNDLE: &str = "bundle_size";

/// A value and what it was counted from; or why there is none.
type Measured = Result<(f64, String), String>;

/// Which values are good.
#[derive(Clone, Copy)]
enum Target {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
}

/// All of them, always in this order.
pub(crate) fn measure(facts: &Facts) -> Vec<Metric> {
    let tests = Tests::of(facts);
    let mut metrics = structure(facts, &tests);
    metrics.extend(coordination(facts));
    metrics.extend(coherence(facts, &tests));
    metrics.extend(efficiency(facts));
    metrics.push(runtime(facts));
    metrics
}

fn structure(facts: &Facts, tests: &Tests) -> Vec<Metric> {
    let group = Group::StructuralIntegrity;
    let (imports, functions) = (FindingKind::UnresolvedImport, FindingKind::OrphanedFunction);
    vec![
        Metric::new("test_pass_rate", "tests that pass after the change", group).is(
            Unit::Percent,
            Target::AtLeast(95.0),
            tests.rate(),
        ),
        Metric::new("unresolved_imports", "unresolved imports", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            found(facts, imports),
        ),
        Metric::new("orphaned_functions", "functions that are no longer called", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            found(facts, functions),
        ),
    ]
}

fn coordination(facts: &Facts) -> Vec<Metric> {
    let group = Group::Coordination;
    let (twice, against) = (FindingKind::EditedTwice, FindingKind::ContradictoryEdit);
    vec![
        Metric::new("redundant_edits", "lines that several tasks edited", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            overlapping(facts, twice),
        ),
        Metric::new("contradictory_changes", "edits that undo an edit of another task", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            overlapping(facts, against),
        ),
        Metric::new("planner_loops", "repeated plans", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            loops(facts),
        ),
    ]
}

fn coherence(facts: &Facts, tests: &Tests) -> Vec<Metric> {
    let group = Group::SemanticCoherence;
    let across = FindingKind::CrossLayerImport;
    vec![
        Metric::new("behaviour_equivalence", "tests with an unchanged outcome", group).is(
            Unit::Percent,
            Target::AtLeast(100.0),
            tests.equivalence(),
        ),
        Metric::new("cross_layer_imports", "imports that violate the layers", group).is(
            Unit::Count,
            Target::AtMost(0.0),
            found(facts, across),
        ),
    ]
}

fn efficiency(facts: &Facts) -> Vec<Metric> {
    let group = Group::Efficiency;
    vec![
        Metric::new("tokens_per_file", "tokens per file", group).is(
            Unit::Tokens,
            Target::Below(8000.0),
            tokens(facts),
        ),
        Metric::new(BUNDLE, "growth of what browsers load", group).is(
            Unit::Percent,
            Target::AtMost(1.0),
            bundle(facts),
        ),
        Metric::new("retrieval_precision", "relevant files among those shown to the model", group)
            .is(Unit::Share, Target::AtLeast(0.8), precision(facts)),
        Metric::new("iterations_max", "most attempts for one task", group).is(
            Unit::Tries,
            Target::AtMost(3.0),
            most_tries(facts),
        ),
        Metric::new("iterations_average", "average attempts per task", group).is(
            Unit::Tries,
            Target::AtMost(3.0),
            mean_tries(facts),
        ),
    ]
}

/// Findings of one kind that the changes which stand brought in.
fn found(facts: &Facts, kind: FindingKind) -> Measured {
    let examined: Vec<_> = facts.standing().filter_map(|task| task.examination.as_ref()).collect();
    let all = facts.standing().count();
    if all == 0 {
        return Err("no change was kept".to_owned());
    }
    if examined.len() < all {
        return Err(format!("{} of {all} tasks were not audited", all - examined.len()));
    }
    let findings = examined.iter().flat_map(|it| &it.findings).filter(|it| it.kind == kind);
    Ok((float(findings.count()), format!("findings in the audit of {}", plural(all, "task"))))
}

fn overlapping(facts: &Facts, kind: FindingKind) -> Measured {
    let all = facts.standing().count();
    if all == 0 {
        return Err("no change was kept".to_owned());
    }
    let (mut overlaps, mut read, mut clashes) = (Overlaps::default(), 0, 0);
    for task in facts.standing() {
        let Some(Ok(patch)) = task.patch.as_deref().map(patch::parse) else { continue };
        let found = overlaps.take(&task.id().to_string(), &patch);
        clashes += found.iter().filter(|finding| finding.kind == kind).count();
        read += 1;
    }
    if read < all {
        return Err(format!("no lines in the patch of {}", plural(all - read, "task")));
    }
    Ok((float(clashes), format!("the patches of {}, line by line", plural(all, "task"))))
}

/// A plan whose tasks were all planned before in the same words leads nowhere, and so does a task that is tried for ever.
fn loops(facts: &Facts) -> Measured {
    let history = &facts.history;
    if history.plans.is_empty() {
        return Err("the tasks were given, not planned".to_owned());
    }
    let mut seen = BTreeSet::new();
    let key = |tasks: &[rb_core::Task]| -> Vec<(String, Vec<String>)> {
        let words = |task: &rb_core::Task| {
            (task.goal.clone(), task.files.iter().map(ToString::to_string).collect())
        };
        tasks.iter().map(words).collect()
    };
    let again = history.plans.iter().filter(|tasks| !tasks.is_empty() && !seen.insert(key(tasks)));
    let again = again.count();
    let most = history.state.started.orders.max_retries.saturating_add(1);
    let endless = facts.tasks.iter().filter_map(TaskFacts::entry).filter(|it| it.attempts > most);
    let endless = endless.count();
    let how = format!(
        "{}, {again} of them repeated, and {} with more than {most} attempts",
        plural(history.plans.len(), "plan"),
        plural(endless, "task")
    );
    Ok((float(again + endless), how))
}

fn tokens(facts: &Facts) -> Measured {
    let spent = &facts.history.spent;
    if spent.total().calls == 0 {
        return Err("no model was called".to_owned());
    }
    match spent.tokens_per_file() {
        Some(tokens) => {
            let (all, calls) = (spent.total().usage.total(), spent.total().calls);
            #[expect(clippy::cast_precision_loss, reason = "nobody pays for so many tokens")]
            let value = tokens as f64;
            Ok((
                value,
                format!(
                    "{all} tokens in {calls} calls, divided by the number of files they were about"
                ),
            ))
        }
        None => Err("no call was about a file".to_owned()),
    }
}

/// Of the files that a model was shown, those that its change touched or that a touched file imports.
fn precision(facts: &Facts) -> Measured {
    let (mut shown, mut useful) = (0, 0);
    for task in facts.standing() {
        let (Some(pack), Some(entry)) = (&task.pack, task.entry()) else { continue };
        let Some(around) = task.examination.as_ref().and_then(|it| it.around.as_ref()) else {
            return Err(format!("the imports of the files of {} are unknown", task.id()));
        };
        let mut wanted: BTreeSet<String> = entry.touched_files.iter().map(lossy).collect();
        wanted.extend(around.imported.iter().cloned());
        shown += pack.len();
        useful += pack.iter().filter(|path| wanted.contains(*path)).count();
    }
    if shown == 0 {
        return Err("no change by a model was kept".to_owned());
    }
    let how = format!(
        "{useful} of {shown} files shown to the model were changed, or imported by changed files"
    );
    Ok((float(useful) / float(shown), how))
}

/// What builds make for browsers, of those that went well before and after.
fn bundle(facts: &Facts) -> Measured {
    let (Some(baseline), Some(after)) = (&facts.baseline, &facts.after) else {
        return Err("no build was run before and after".to_owned());
    };
    let size = |files: &[BuiltFile]| files.iter().map(|file| file.gzipped).sum::<u64>();
    let (mut builds, mut before, mut now) = (0, 0, 0);
    for run in after.verification.commands.iter().map(|checked| &checked.run) {
        let was = baseline.commands.iter().find(|was| was.command == run.command);
        let Some(was) = was.filter(|was| !was.built.is_empty()) else { continue };
        if run.verdict == Verdict::Pass {
            builds += 1;
            before += size(&was.built);
            now += size(&run.built);
        }
    }
    if builds == 0 {
        return Err("no build made scripts or styles before and after".to_owned());
    }
    #[expect(clippy::cast_precision_loss, reason = "no bundle is so large")]
    let (was, is) = (before as f64, now as f64);
    let growth = ((is - was) / was * 1000.0).round() / 10.0;
    // Not minus nothing.
    Ok((
        growth + 0.0,
        format!(
            "{} made {before} bytes of scripts and styles, gzipped, before, and {now} after",
            plural(builds, "build")
        ),
    ))
}

fn tries(facts: &Facts) -> Vec<usize> {
    let entries = facts.tasks.iter().filter_map(TaskFacts::entry);
    entries.map(|entry| entry.attempts as usize).collect()
}

fn most_tries(facts: &Facts) -> Measured {
    let tries = tries(facts);
    let most = tries.iter().max().ok_or("no task was started")?;
    Ok((float(*most), plural(tries.len(), "task")))
}

fn mean_tries(facts: &Facts) -> Measured {
    let tries = tries(facts);
    if tries.is_empty() {
        return Err("no task was started".to_owned());
    }
    let sum: usize = tries.iter().sum();
    Ok((
        float(sum) / float(tries.len()),
        format!("{} of {}", plural(sum, "attempt"), plural(tries.len(), "task")),
    ))
}

/// So large a repository, at most, is the target of the time for.
const SMALL: u64 = 20;
const FIVE_MINUTES: u64 = 300_000;

fn runtime(facts: &Facts) -> Metric {
    let (ms, files) = (facts.history.worked_ms, facts.history.indexed);
    // Fast is fast; that a large repository takes longer says nothing.
    let is_meant = ms < FIVE_MINUTES || files.is_some_and(|files| files <= SMALL);
    let of = files.map_or("files were not counted".to_owned(), |files| format!("{files} files"));
    #[expect(clippy::cast_precision_loss, reason = "nothing runs so long")]
    let value = ms as f64;
    Metric {
        target: "less than 5 minutes for 20 files".to_owned(),
        value: Some(value),
        unit: Unit::Milliseconds,
        holds: is_meant.then_some(ms < FIVE_MINUTES),
        how: format!("from the journal, without time spent waiting for people; {of}"),
        ..Metric::new("runtime", "run time without waiting", Group::Efficiency)
    }
}

impl Target {
    fn holds(self, value: f64) -> bool {
        match self {
            Target::AtLeast(least) => value >= least,
            Target::AtMost(most) => value <= most,
            Target::Below(limit) => value < limit,
        }
    }

    fn words(self, unit: Unit) -> String {
        let sign = if unit == Unit::Percent { "%" } else { "" };
        match self {
            Target::AtLeast(100.0) if unit == Unit::Percent => "100%".to_owned(),
            Target::AtLeast(least) => format!("at least {least}{sign}"),
            Target::AtMost(0.0) => "0".to_owned(),
            Target::AtMost(most) => format!("at most {most}{sign}"),
            Target::Below(limit) => format!("less than {limit}{sign}"),
        }
    }
}

impl Metric {
    /// Nothing is measured yet.
    fn new(id: &'static str, name: &'static str, group: Group) -> Metric {
        let (target, how) = (String::new(), String::new());
        Metric { id, group, name, target, value: None, unit: Unit::Count, holds: None, how }
    }

    fn is(self, unit: Unit, target: Target, measured: Measured) -> Metric {
        let holds = measured.as_ref().ok().map(|(value, _)| target.holds(*value));
        let (value, how) = match measured {
            Ok((value, how)) => (Some(rounded(value)), how),
            Err(why) => (None, why),
        };
        Metric { target: target.words(unit), value, unit, holds, how, ..self }
    }

    /// The value for people.
    pub(crate) fn shown(&self) -> String {
        let Some(value) = self.value else { return "not measured".to_owned() };
        match self.unit {
            Unit::Percent => format!("{value:.1}%"),
            Unit::Count | Unit::Tokens => format!("{value:.0}"),
            Unit::Share => format!("{value:.2}"),
            Unit::Tries => format!("{value:.1}"),
            Unit::Milliseconds => format!("{:.1} s", value / 1000.0),
        }
    }

    pub(crate) fn standing(&self) -> &'static str {
        match (self.value, self.holds) {
            (_, Some(true)) => "holds",
            (_, Some(false)) => "missed",
            (Some(_), None) => "no target",
            (None, None) => "not measured",
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[expect(clippy::cast_precision_loss, reason = "no run has so many of anything")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;

//! Numbers and sentences that more than one artifact says.

use rb_core::plural;
use rb_core::{Proposer, Task, TaskKind, Verdict};
use rb_plan::Plan;

use super::facts::{Ending, Facts};
use super::markdown::{one_line, shortened};
use super::suites::{Side, Tests};
use super::test_counts::TestCounts;

/// Above what models say beside their patches.
pub(crate) const REASONS: &str = "What the model says of its change";
pub(crate) const RISKS: &str = "Risks that the model names";
pub(crate) const FOLLOWUPS: &str = "Suggested by the model, not done";

/// Who made a change.
pub(crate) fn by(task: &Task) -> String {
    match (&task.kind, &task.by) {
        (TaskKind::FormatOnly { .. }, _) => "by a formatter".to_owned(),
        (TaskKind::Change { .. }, Proposer::Given) => "from your patch".to_owned(),
        (TaskKind::Change { .. }, Proposer::Recipe { id, .. }) => format!("by recipe {id}"),
        (TaskKind::Change { .. }, Proposer::Rule { .. }) if task.rules.len() > 1 => {
            format!("by rules {}", task.rules.join(", "))
        }
        (TaskKind::Change { .. }, Proposer::Rule { id }) => format!("by rule {id}"),
        (TaskKind::Change { .. }, Proposer::Model) => "by a model".to_owned(),
    }
}

/// Lines added and removed.
pub(crate) fn size(added: usize, removed: usize) -> String {
    format!("+{added} −{removed}")
}

pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1000),
    }
}

/// The longest title that fits everywhere.
const TITLE: usize = 72;

/// What was done, as an order; for a run that changed nothing, that and why.
pub(crate) fn title(facts: &Facts) -> String {
    if facts.files.is_empty() {
        return why_nothing(facts.ending()).to_owned();
    }
    let standing: Vec<_> = facts.standing().collect();
    let words = match (&facts.history.state.started.orders.directive, standing.as_slice()) {
        (Some(directive), _) => directive.clone(),
        (None, [task]) => task.history.task.goal.clone(),
        (None, tasks) => format!(
            "Apply {} to {}",
            plural(tasks.len(), "refactoring"),
            plural(facts.files.len(), "file")
        ),
    };
    let line = one_line(&words);
    let line = line.split_once(". ").map_or(line.as_str(), |(first, _)| first);
    let line = line.trim_end_matches(['.', ' ', '!', ':', ';']);
    let mut letters = line.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let title = format!("{}{}", first.unwrap_or_default(), letters.as_str());
    if title.is_empty() {
        return "Refactor".to_owned();
    }
    let none = Plan::default();
    let plan = facts.plan.as_ref().unwrap_or(&none);
    if facts.history.state.leaves_undone(plan) {
        format!("{}{IN_PART}", shortened(&title, TITLE - IN_PART.len()))
    } else {
        shortened(&title, TITLE)
    }
}

/// A title does not claim what nobody did.
const IN_PART: &str = " (partial)";

fn why_nothing(ending: Ending) -> &'static str {
    match ending {
        Ending::Changed | Ending::Nothing => "No changes needed",
        Ending::Aborted => "No changes: the run stopped early",
        Ending::Refused => "No changes: every proposed change was refused",
        Ending::BaselineFailed => "No changes: the repository fails its own checks",
        Ending::Declined => "No changes: the plan was declined",
        Ending::Unserved => "No changes: no recipe or rule does what the directive asks for",
        Ending::Dropped => "No changes: the plan was left without a task",
    }
}

/// What the verdict rests on, in a sentence or two.
pub(crate) fn verdict(facts: &Facts, tests: &Tests) -> String {
    if facts.ending() == Ending::BaselineFailed {
        return "The repository fails its own checks before any change, so no change was attempted."
            .to_owned();
    }
    if facts.files.is_empty() {
        return "Nothing to verify.".to_owned();
    }
    let after = tests.after.as_ref();
    match facts.verdict() {
        Verdict::Pass => match after.filter(|side| side.has_tests()) {
            Some(side) => {
                let known = tests.compared.as_ref().map_or(0, |it| it.still_failing.len() as u64);
                let as_before = match side.failed {
                    0 => "",
                    failed if failed == known => "; the same tests failed before",
                    _ => "; the same tests failed before, or are flaky",
                };
                let unheard = unheard(side);
                let counts = TestCounts::of(tests).words();
                format!("Tests: {counts}{as_before}.{unheard}")
            }
            None => {
                let unheard = after.map(unheard).unwrap_or_default();
                format!("The repository's checks pass, but they include no tests.{unheard}")
            }
        },
        Verdict::Fail => {
            let words = after.filter(|side| side.has_tests()).map(Side::words);
            let words = words.map(|words| format!(" ({words})")).unwrap_or_default();
            format!(
                "The repository's checks fail after the change{words}: do not merge it as it is."
            )
        }
        Verdict::NoVerifierRan => {
            let read = facts.standing().any(|task| task.examination.is_some());
            let instead = if read {
                "the changes were checked statically only"
            } else {
                "these changes are unchecked"
            };
            format!("No tests were run: {instead}.")
        }
    }
}

/// The checks that are no verifier here, though the repository has them: a pass does not speak for these.
fn unheard(side: &Side) -> String {
    let unheard = side.commands.iter().filter(|it| it.own == Verdict::NoVerifierRan);
    let names: Vec<String> = unheard.map(|it| format!("`{}`", it.command)).collect();
    match names.len() {
        0 => String::new(),
        count => {
            let all = side.commands.len();
            format!(" {count} of {all} checks could not run: {}.", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use rb_plan::Unserved;

    use super::*;
    use crate::report::samples;
    use crate::report::suites::Ran;

    #[test]
    fn rf9_a_title_does_not_claim_what_was_not_served() {
        let mut facts = samples::good().facts();
        let whole = title(&facts);
        assert!(!whole.contains("partial"), "a place that a recipe leaves is no part: {whole}");
        let why = "no recipe or rule does this: add tests".to_owned();
        let (instead, settings) = (Vec::new(), Vec::new());
        let unserved = Some(Unserved { why, instead, settings, is_mistaken: false });
        facts.plan = Some(Plan { unserved, ..Plan::default() });
        let part = title(&facts);
        assert!(part.ends_with(" (partial)") && part.chars().count() <= TITLE, "{part}");
        facts.plan = None;
        facts.history.state.planner_dropped = true;
        assert!(title(&facts).ends_with(" (partial)"), "{}", title(&facts));
        facts.files.clear();
        assert_eq!(title(&facts), "No changes: the plan was left without a task");
    }

    #[test]
    fn rf9_a_pass_does_not_speak_for_checks_that_could_not_run() {
        let ran = |command: &str, own: Verdict| Ran {
            purpose: "test",
            command: command.to_owned(),
            folder: String::new(),
            verdict: own,
            own,
            passed: None,
            failed: None,
            skipped: None,
            diagnostics: None,
            ms: 1,
            reasons: Vec::new(),
            flakes: Vec::new(),
        };
        let check = |commands: Vec<Ran>, expected: &str| {
            let side = Side {
                verdict: Verdict::Pass,
                reasons: Vec::new(),
                effort: None,
                task: None,
                passed: 1,
                failed: 0,
                skipped: 0,
                pass_rate: None,
                commands,
            };
            assert_eq!(unheard(&side), expected);
        };
        check(vec![ran("node --test", Verdict::Pass)], "");
        check(
            vec![ran("next build", Verdict::NoVerifierRan), ran("node --test", Verdict::Pass)],
            " 1 of 2 checks could not run: `next build`.",
        );
    }
}

//! What a kata would do and what it did, as people read it. All text of kata and models passes `printable`.

use std::fmt::Write as _;
use std::path::Path;

use rb_kata::workflow::event::{Commit, CommitKind, Place};
use rb_kata::workflow::summary::Summary;
use rb_kata::workflow::{Outcome as KataOutcome, Plan, State};
use serde_json::{Value, json};

use super::order::Order;
use crate::config::shell_word;
use crate::kata_run::short_id;
use crate::numbers::plural;
use crate::ui::printable;

/// What `--dry-run` says.
pub(super) fn plan_text(order: &Order, plan: &Plan) -> String {
    let mut text = format!("{}\n\n", printable(plan.kata.outline().trim_end()));
    let language = plan.runner.title();
    row(&mut text, "language", &format!("{language} ({})", language_source(order, plan)));
    match &plan.place {
        Place::NewRepository { folder } => {
            row(&mut text, "folder", &format!("{} (a new repository)", folder.display()));
        }
        Place::Worktree { checkout, branch, .. } => {
            row(&mut text, "checkout", &format!("{} (not changed)", checkout.display()));
            row(&mut text, "branch", branch);
        }
    }
    if !plan.skeleton.is_empty() {
        let files: Vec<&str> = plan.skeleton.iter().map(|file| file.path.as_str()).collect();
        row(&mut text, "files", &files.join(", "));
    }
    row(&mut text, "tests", &plan.test_command);
    row(&mut text, "cycles", &format!("at most {}", order.options.max_cycles));
    for note in &plan.notes {
        row(&mut text, "note", note);
    }
    text.push_str("\nNothing was written, and no model was called.\n");
    text
}

/// The same for a program.
pub(super) fn plan_json(order: &Order, plan: &Plan) -> Value {
    let files: Vec<&str> = plan.skeleton.iter().map(|file| file.path.as_str()).collect();
    json!({
        "kata": plan.kata,
        "language": plan.runner.name(),
        "language_source": language_source(order, plan),
        "place": plan.place,
        "files": files,
        "test_command": plan.test_command,
        "max_cycles": order.options.max_cycles,
        "notes": plan.notes,
    })
}

fn language_source<'a>(order: &Order, plan: &'a Plan) -> &'a str {
    order.language_source.unwrap_or(&plan.runner_source)
}

/// How a run ended or stands, what it took, and every commit.
pub(crate) fn summary_text(summary: &Summary) -> String {
    let mut text = headline(summary);
    row(&mut text, "run", &summary.run.to_string());
    row(&mut text, "folder", &summary.folder.display().to_string());
    if let Some(branch) = &summary.branch {
        row(&mut text, "branch", branch);
    }
    row(&mut text, "tests", &tests(summary));
    row(&mut text, "commits", &commits(&summary.commits));
    row(&mut text, "overshoots", &summary.overshoots.to_string());
    row(&mut text, "refused", &plural(summary.refused as u64, "proposal"));
    let calls = plural(summary.interventions as u64, "call");
    row(&mut text, "recoveries", &format!("{} ({calls} of the Supervisor)", summary.recoveries));
    row(&mut text, "cost", &cost(summary));
    for broken in &summary.violations {
        let (path, line, what) = (&broken.path, broken.line, &broken.what);
        row(&mut text, "broken", &format!("{}: {path}:{line}: {what}", broken.constraint));
    }
    for constraint in &summary.judged {
        row(&mut text, "not proved", &format!("{} (judged by a model only)", constraint.text));
    }
    for remark in &summary.remarks {
        row(&mut text, "remark", remark);
    }
    text.push_str(&timeline(summary));
    text
}

/// What to do next.
pub(super) fn next(state: &State) -> String {
    let is_complete = match state.course.outcome {
        Some(KataOutcome::Complete) => true,
        Some(KataOutcome::CyclesUsedUp | KataOutcome::Stopped) | None => false,
    };
    let (look, first) = match &state.start.place {
        Place::NewRepository { folder } => (format!("git -C {} log", shell_word(folder)), ""),
        Place::Worktree { checkout, branch, .. } => {
            (format!("git -C {} log {branch}", shell_word(checkout)), "merge the branch, then ")
        }
    };
    let mut text = format!("\nTo see the commits:\n  {}\n", printable(&look));
    if !is_complete {
        let (file, folder) = (shell_word(&state.start.file), shell_word(repository(state)));
        let provider = &state.start.models.provider;
        let language = state.start.runner.name();
        let again = format!(
            "refactor-bot kata {file} --language {language} --work-dir {folder} --provider {provider}"
        );
        let _ = write!(
            text,
            "\nThe kata is not complete. To go on from these commits, {first}run it again:\n  {}\n",
            printable(&again)
        );
    }
    text
}

/// The repository that holds the commits.
fn repository(state: &State) -> &Path {
    match &state.start.place {
        Place::NewRepository { folder } => folder,
        Place::Worktree { checkout, .. } => checkout,
    }
}

/// A label, and its text on one line.
fn row(text: &mut String, label: &str, words: &str) {
    let words = words.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let _ = writeln!(text, "{label:<12}{}", printable(&words));
}

fn headline(summary: &Summary) -> String {
    let (kata, language) = (printable(&summary.kata), summary.language);
    let cycles = format!("{} of at most {}", summary.cycles, summary.max_cycles);
    let words = match summary.outcome {
        Some(KataOutcome::Complete) => format!("complete after {cycles} cycles"),
        Some(KataOutcome::CyclesUsedUp) => format!("not complete after {cycles} cycles"),
        Some(KataOutcome::Stopped) => format!("stopped in cycle {cycles}"),
        None => format!("not finished, in cycle {cycles}"),
    };
    let reason = printable(summary.reason.trim());
    let reason = if reason.is_empty() { reason } else { format!("{reason}\n") };
    format!("{kata} in {language}: {words}\n{reason}\n")
}

fn tests(summary: &Summary) -> String {
    let passing = summary.commits.last().map_or(0, |commit| commit.passing.len());
    format!("{passing} passed, {} of them new", summary.tests.len())
}

fn commits(commits: &[Commit]) -> String {
    let of = |kind: CommitKind| commits.iter().filter(|commit| commit.kind == kind).count();
    let kinds = [CommitKind::Test, CommitKind::Feat, CommitKind::Refactor];
    let kinds = kinds.map(|kind| format!("{} {}", of(kind), kind.name()));
    format!("{} ({}), all green", commits.len(), kinds.join(", "))
}

fn cost(summary: &Summary) -> String {
    let tokens = plural(summary.tokens, "token");
    match &summary.usd {
        Some(usd) => format!("${usd}, {tokens}"),
        None => format!("unknown price, {tokens}"),
    }
}

fn timeline(summary: &Summary) -> String {
    if summary.commits.is_empty() {
        return String::new();
    }
    let mut text = "\nTimeline\n".to_owned();
    for Commit { cycle, id, subject, .. } in &summary.commits {
        let (subject, id) = (printable(subject), short_id(id));
        let _ = writeln!(text, "  cycle {cycle:<3}{subject}  {id}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;
    use rb_kata::workflow::state::TestRecord;
    use rb_kata::{Constraint, ConstraintKind, Violation};

    use super::*;

    fn commit(kind: CommitKind, cycle: u32, subject: &str, passing: usize) -> Commit {
        Commit {
            kind,
            cycle,
            id: format!("{cycle}123456789abcdef"),
            tree: String::new(),
            subject: subject.to_owned(),
            passing: vec![String::new(); passing],
            remarks: Vec::new(),
        }
    }

    fn summary() -> Summary {
        let test =
            |cycle| TestRecord { cycle, name: "t".into(), requirement: "r".into(), reason: None };
        Summary {
            run: "20260131T120000Z".parse().unwrap(),
            kata: "FizzBuzz".to_owned(),
            language: "Rust",
            folder: PathBuf::from("/there/fizz"),
            branch: Some("kata/fizzbuzz".to_owned()),
            outcome: Some(KataOutcome::CyclesUsedUp),
            reason: "Two requirements have no test.".to_owned(),
            cycles: 2,
            max_cycles: 2,
            tests: vec![test(1), test(2)],
            commits: vec![
                commit(CommitKind::Feat, 1, "feat: say Fizz", 4),
                commit(CommitKind::Refactor, 1, "refactor: \u{1b}[31mname it", 4),
                commit(CommitKind::Test, 2, "test: six is Fizz", 5),
            ],
            overshoots: 1,
            refused: 1,
            interventions: 2,
            recoveries: 1,
            decisions: Vec::new(),
            violations: vec![Violation {
                constraint: "no else".to_owned(),
                path: "src/lib.rs".to_owned(),
                line: 3,
                what: "`else` in `say`".to_owned(),
            }],
            judged: vec![Constraint {
                text: "Names are from the domain".to_owned(),
                kind: ConstraintKind::Judged,
            }],
            remarks: vec!["`say` spells out 15,\nwhich only a test uses".to_owned()],
            tokens: 12345,
            usd: Some("0.120000".to_owned()),
        }
    }

    #[test]
    fn ka8_the_summary_has_numbers_broken_constraints_and_the_timeline() {
        expect![[r#"
            FizzBuzz in Rust: not complete after 2 of at most 2 cycles
            Two requirements have no test.

            run         20260131T120000Z
            folder      /there/fizz
            branch      kata/fizzbuzz
            tests       5 passed, 2 of them new
            commits     3 (1 test, 1 feat, 1 refactor), all green
            overshoots  1
            refused     1 proposal
            recoveries  1 (2 calls of the Supervisor)
            cost        $0.120000, 12,345 tokens
            broken      no else: src/lib.rs:3: `else` in `say`
            not proved  Names are from the domain (judged by a model only)
            remark      `say` spells out 15, which only a test uses

            Timeline
              cycle 1  feat: say Fizz  1123456789
              cycle 1  refactor: \u{1b}[31mname it  1123456789
              cycle 2  test: six is Fizz  2123456789
        "#]]
        .assert_eq(&summary_text(&summary()));
    }

    #[test]
    fn ka5_the_first_line_says_how_it_ended() {
        let check = |outcome: Option<KataOutcome>, expected: &str| {
            let text = summary_text(&Summary { outcome, ..summary() });
            assert_eq!(text.lines().next(), Some(expected));
        };
        let complete = Some(KataOutcome::Complete);
        check(complete, "FizzBuzz in Rust: complete after 2 of at most 2 cycles");
        check(Some(KataOutcome::Stopped), "FizzBuzz in Rust: stopped in cycle 2 of at most 2");
        check(None, "FizzBuzz in Rust: not finished, in cycle 2 of at most 2");
    }
}

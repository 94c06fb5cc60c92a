//! The summaries of whole runs, as they are written.

use expect_test::{ExpectFile, expect, expect_file};
use rb_audit::{LostLine, Residue};
use rb_core::TaskId;
use rb_workspace::land::{Landing, Move};

use super::text;
use crate::event::Outcome;
use crate::report::samples::{self, Sample};
use crate::report::{Facts, validation};

#[expect(clippy::needless_pass_by_value, reason = "an `ExpectFile` is written in place")]
fn check(sample: &Sample, expected: ExpectFile) {
    expected.assert_eq(&text(&sample.facts()));
}

#[test]
fn rf9_the_summary_of_a_good_run() {
    check(&samples::good(), expect_file!["../testdata/good.md"]);
}

#[test]
fn rf9_the_summary_of_a_run_with_refused_and_skipped_tasks() {
    check(&samples::mixed(), expect_file!["../testdata/mixed.md"]);
}

#[test]
fn rf9_the_summary_of_a_run_without_verifier_and_change() {
    check(&samples::nothing(), expect_file!["../testdata/nothing.md"]);
}

#[test]
fn rf9_the_summary_of_an_aborted_run() {
    check(&samples::aborted(), expect_file!["../testdata/aborted.md"]);
}

#[test]
fn rf9_what_fails_as_before_is_no_pass_and_what_was_left_is_told_by_reason() {
    let text = text(&samples::no_worse().facts());
    let part = |from: &str, to: &str| {
        let rest = &text[text.find(from).unwrap()..];
        rest[..rest.find(to).unwrap()].to_owned()
    };
    let changes = part("## Changes", "## Verification");
    let shown = [changes, part("- **Tests:", "- **Audit"), part("## Not changed", "Full list")];
    expect![[r#"
        ## Changes

        - **Use a map in a.js (1 place)** (batch-001): 1 file, +1 −1, by recipe indexed-lookup, [confidence 90](validation-report.json#/tasks/0/confidence), [patch](tasks/batch-001.patch)

        - **Tests:** before: 61 passed, 1 failed, 1 skipped ([baseline](validation-report.json#/tests/baseline)); after: 61 passed, 1 failed, 1 skipped ([after](validation-report.json#/tests/after)).
          - before: 2 of 12 tests failed
        - **Compared by name:** 61 tests passed before and after ([compared](validation-report.json#/tests/compared)).
          - flaky, not counted (1): `cart › sometimes`

        | check | command | before | after |
        |---|---|---|---|
        | test | `npm test` | fail, 61 of 62 | 1 fails, as before |
        | lint | `npx eslint .` | fail | fails, as before |

        ## Not changed

        - 4 places (`sql-parameters`): `mssql` is not a supported driver
          - `src/db.js:2`: `SELECT ${a}`
          - `src/db.js:3`: `SELECT ${b}`
          - `src/db.js:4`: `SELECT ${c}`
          - and 1 more
        - 2 places (`sql-parameters`): it would change lib/a.js and 1 more file, which this run may not touch
          - `src/db.js:6`: `SELECT ${e}`; it would change lib/a.js, which this run may not touch
          - `src/db.js:7`: `SELECT ${f}`; it would change lib/b.js, which this run may not touch
        - 1 place (`sql-parameters`): it is an SQL fragment, not a value
          - `src/db.js:1`: `LIMIT ${limit}`

    "#]].assert_eq(&shown.concat());
}

#[test]
fn rf9_every_summary_has_all_sections_and_a_short_title() {
    for (name, sample) in samples::all() {
        let text = text(&sample.facts());
        let title = text.lines().next().unwrap();
        assert!(title.starts_with("# ") && title.len() > 4, "{name}: {title}");
        if name != "hostile" {
            assert!(title.chars().count() <= 2 + 72, "{name}: {title}");
        }
        for section in ["Summary", "Changes", "Verification", "Risk assessment", "Rollback"] {
            let count = text.matches(&format!("\n## {section}\n")).count();
            assert_eq!(count, 1, "{name}: {section}");
        }
        assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{name}");
    }
}

#[test]
fn rf9_no_verifier_is_never_a_pass() {
    let text = text(&samples::unverified().facts());
    assert!(text.contains("No tests were run: "), "{text}");
    assert!(text.contains("(no tests were run; "), "{text}");
    assert!(!text.contains("checks pass"), "{text}");
}

/// Exports of a project's own modules are not its public interface, and the summary says so.
#[test]
fn rf9_changed_exports_are_told_apart_from_the_public_interface() {
    let mut facts = samples::good().facts();
    let explained =
        "no breaking change. The exports listed above as \"exported within the project\"";
    assert!(!text(&facts).contains(explained));
    let note = "exported within the project: returns its result → returns a promise: a.js#load";
    let task = facts.tasks.iter_mut().find(|task| task.entry().is_some()).unwrap();
    task.history.task.notes.push(note.to_owned());
    let shown = text(&facts);
    assert!(shown.contains(explained), "{shown}");
}

#[test]
fn rf9_the_revert_line_has_short_hashes() {
    let text = text(&samples::good().facts());
    let reverts: Vec<&str> = text.lines().filter(|line| line.starts_with("git revert")).collect();
    assert_eq!(reverts.len(), 1, "{text}");
    let is_full = |word: &str| word.len() >= 40 && word.chars().all(|c| c.is_ascii_hexdigit());
    assert!(!text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_full), "{text}");
}

/// From `## Rollback` to the backup, and whether the branch of the run is named before it.
fn rollback_section(facts: &Facts) -> (String, bool) {
    let text = text(facts);
    let (before, rest) = text.split_once("## Rollback\n\n").unwrap();
    let section = rest.split_once("\nTo restore the backup").unwrap().0.to_owned();
    (section, before.contains(" on `refactor-bot/20260131T120000Z`."))
}

#[test]
fn rf8_rf9_the_summary_says_what_was_decided_and_how_to_undo_it() {
    let mut facts = samples::good().facts();
    let mut decided = |outcome: Option<Outcome>| {
        facts.history.state.course.outcome = outcome;
        rollback_section(&facts)
    };
    let (open, has_branch) = decided(None);
    assert!(open.starts_with("Before you accept it, drop the change with:"), "{open}");
    assert!(open.contains("\nAfter you accept it, undo it with (newer work"), "{open}");
    assert!(has_branch);
    let (accepted, has_branch) = decided(Some(Outcome::Accepted));
    expect![[r#"
        The change is in your checkout.

        Undo it with (newer work is never overwritten):

        ```sh
        refactor-bot rollback 20260131T120000Z
        ```

        With git, if the commits were merged or pushed unchanged:

        ```sh
        git revert --no-edit ba5eba5eba5e..000000000000
        ```
    "#]]
    .assert_eq(&accepted);
    assert!(!has_branch);
    let (kept, has_branch) = decided(Some(Outcome::BranchKept));
    assert!(kept.contains("\ngit branch -D refactor-bot/20260131T120000Z\n"), "{kept}");
    assert!(has_branch && !kept.contains("refactor-bot rollback"), "{kept}");
    let gone = [
        (Outcome::Rejected, "The change was rejected and removed.\n"),
        (Outcome::RolledBack, "The change was rolled back: it is no longer in your checkout.\n"),
    ];
    for (outcome, expected) in gone {
        assert_eq!(decided(Some(outcome)), (expected.to_owned(), false));
    }
}

#[test]
fn rf8_rf9_what_landed_in_the_place_of_the_commits_is_what_git_reverts() {
    let mut facts = samples::good().facts();
    facts.history.state.course.outcome = Some(Outcome::Accepted);
    let base = facts.history.state.change.base.as_ref().unwrap().commit.clone();
    let mut reverted = |from: &str, squash: Option<&str>| {
        let (branch, to) = ("main".to_owned(), "1a9ded00000000000000".to_owned());
        let commit = Move::Forward { branch, from: from.to_owned(), to };
        let change = &mut facts.history.state.change;
        change.landing = Some(Landing { steps: Vec::new(), commit });
        change.squash = squash.map(str::to_owned);
        let text = text(&facts);
        assert!(text.contains(" to `1a9ded000000`.\n"), "{text}");
        let line = text.lines().find(|line| line.starts_with("git revert")).unwrap();
        line.to_owned()
    };
    let moved = "ahead000000000000000";
    let revert = |what: &str| format!("git revert --no-edit {what}");
    assert_eq!(reverted(&base, None), revert("ba5eba5eba5e..1a9ded000000"));
    assert_eq!(reverted(moved, Some("One")), revert("ahead0000000..1a9ded000000"));
    assert_eq!(reverted(moved, None), revert("-m 1 1a9ded000000"));
}

#[test]
fn rf9_a_command_that_counts_no_tests_is_not_called_one() {
    let mut facts = samples::good().facts();
    let run = facts.baseline.as_ref().unwrap().commands[1].clone();
    let mut check = |line: &str, expected: &str| {
        let mut run = run.clone();
        (run.command.line, run.tests) = (line.to_owned(), None);
        facts.baseline.as_mut().unwrap().commands = vec![run];
        let text = text(&facts);
        assert!(text.contains(&format!("\n| {expected} | `{line}` | pass |")), "{text}");
    };
    check("npm run build --silent", "build");
    check("npm test --silent", "test");
    check("make check", "check");
    check("sh latest.sh", "command");
    assert!(text(&samples::good().facts()).contains("\n| test | `npm test` | pass, 12 of 12 |"));
}

#[test]
fn rf9_foreign_words_are_no_markup() {
    let text = text(&samples::hostile().facts());
    // Code spans hold anything; what is outside of them must be escaped.
    let mut outside = String::new();
    for line in text.lines() {
        let parts = line.split('`').collect::<Vec<_>>();
        outside.extend(parts.iter().step_by(2).copied());
        outside.push('\n');
    }
    for bad in ["<script", "<img", "](http", "@team", "http://"] {
        let escaped = outside.replace(&format!("\\{bad}"), "");
        assert!(!escaped.contains(bad), "{bad}: {outside}");
    }
}

#[test]
fn ve6_rf9_removed_behaviour_is_at_the_top_by_task_with_its_lines() {
    let facts = samples::removing().facts();
    let text = text(&facts);
    let top = &text[..text.find("## Changes").unwrap()];
    let (removed, summary) = top.split_at(top.find("## Summary").unwrap());
    assert!(!summary.is_empty());
    expect![[r#"
        # Apply 2 refactorings to 2 files

        ## Removed behaviour

        These statements had an effect. They were deleted, and nothing takes their place: review them first.

        - batch-001 Tidy the form: 1 statement ([audit](validation-report.json#/tasks/0/audit))
          - `src/form.js:3`: removed event handling: `e.preventDefault()`
        - batch-002 Drop the beacon: 2 statements ([audit](validation-report.json#/tasks/1/audit)). **No test reaches this, and no critic or person has agreed to it.**
          - `src/beacon.js:2`: removed call: `beacon.send(x);` (no test imports this file)
          - `src/beacon.js:7`: removed throw: `throw new Error('off');` (no test imports this file)

    "#]].assert_eq(removed);
    assert!(text.contains("Overall: **high** ("), "{text}");
    assert!(text.contains("3 statements with effects removed"), "{text}");
    let first = |task: usize| facts.tasks[task].confidence.as_ref().unwrap().parts[0].what.clone();
    assert_eq!(first(0), "1 statement with effects removed, in code that tests import");
    assert_eq!(first(1), "2 statements with effects removed, in code that no test imports");
}

#[test]
fn ve6_rf9_only_removed_behaviour_makes_rewritten_lines_alarming() {
    let mut facts = samples::removing().facts();
    let line = |line, text: &str| LostLine {
        path: "src/beacon.js".to_owned(),
        line,
        text: text.to_owned(),
    };
    let lost = vec![line(1, "const x = first(y);"), line(2, "beacon.send(x);")];
    facts.tasks[1].examination.as_mut().unwrap().residue = Residue { removed: 3, lost };
    let logic = |facts: &Facts| {
        let text = text(facts);
        let rest = &text[text.find("- **Logic:**").unwrap()..];
        rest[..rest.find("\n- ").unwrap()].to_owned()
    };
    expect![[r#"
        - **Logic:** 5 lines taken out: 3 found again, 2 rewritten or removed; review these first:
          - `src/beacon.js:2`: `beacon.send(x);`
          - `src/beacon.js:1`: `const x = first(y);`"#]]
    .assert_eq(&logic(&facts));
    for task in &mut facts.tasks {
        task.examination.as_mut().unwrap().findings.clear();
    }
    expect![[r#"
        - **Logic:** 5 lines taken out: 3 found again, 2 rewritten or removed:
          - `src/beacon.js:1`: `const x = first(y);`
          - `src/beacon.js:2`: `beacon.send(x);`"#]]
    .assert_eq(&logic(&facts));
}

fn json(facts: &Facts) -> String {
    String::from_utf8(validation::text(facts)).unwrap()
}

#[test]
fn rf9_a_long_goal_has_a_title_and_is_given_whole_once() {
    let mut facts = samples::mixed().facts();
    let goals = [
        "Add a test to TestFileSystemLoader in tests/test_loader.py that pins what list_templates returns today: sorted names, each of them once.",
        "Split the parser from the lexer; keep the public names, and add a test for each of the two parts",
    ];
    for (task, goal) in facts.tasks.iter_mut().zip(goals) {
        task.history.task.goal = goal.to_owned();
    }
    let text = text(&facts);
    for part in [
        "\n- **Add a test to TestFileSystemLoader in tests/test_loader.py that pins…** (batch-001): 1 file",
        "\n- batch-002 Split the parser from the lexer: **skipped**\n  - Goal: Split",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for goal in goals {
        assert_eq!(text.matches(goal).count(), 1, "{text}");
        assert!(text.contains(&format!("\n  - Goal: {goal}\n")), "{text}");
        assert!(json(&facts).contains(goal), "programs read the goal itself");
    }
}

#[test]
fn rf9_what_the_model_says_beside_its_patch_is_listed() {
    let sample = samples::mixed();
    let section = "## Suggested by the model, not done";
    assert!(!text(&sample.facts()).contains(section));
    let suggestions = ["Cache it", "<b>Drop</b>\nthe flag, see #3", "Third", "4th", "5th", "6th"];
    sample.answered(TaskId(1), &["It reads <twice>"], &suggestions);
    let (text, json) = (text(&sample.facts()), json(&sample.facts()));
    let risks = "## Risks that the model names\n\n- It reads \\<twice\\> (batch-001)\n\n";
    assert!(text.contains(risks), "{text}");
    let says = "\n  - The model says: It is `a` now: no \\<b\\>loop\\</b\\>.\n";
    assert!(text.contains(says), "{text}");
    let rest = &text[text.find(section).unwrap()..];
    expect![[r#"
        ## Suggested by the model, not done

        - Cache it (batch-001)
        - \<b\>Drop\</b\> the flag, see \#&#8203;3 (batch-001)
        - Third (batch-001)
        - 4th (batch-001)
        - 5th (batch-001)
        - and 1 more

    "#]]
    .assert_eq(&rest[..rest.find("## Rollback").unwrap()]);
    assert!(json.contains("\"6th\""), "the report has all of them");
}

#[test]
fn rf9_rf11_what_a_run_took_and_what_its_caller_left_open_are_no_matter_of_a_reviewer() {
    let mut facts = samples::mixed().facts();
    let why = ["2 files of the caller stay open in commands", "bubblewrap does not work here"];
    let sandbox = &mut facts.baseline.as_mut().unwrap().surroundings.sandbox;
    sandbox.why_not = why.map(str::to_owned).into();
    let (text, json) = (text(&facts), json(&facts));
    assert!(text.contains(why[1]) && !text.contains(why[0]), "{text}");
    let missed = facts.metrics.iter().filter(|metric| metric.holds == Some(false));
    let names: Vec<&str> = missed.map(|metric| metric.name).collect();
    assert_eq!(names, ["tokens per file", "relevant files among those shown to the model"]);
    assert!(text.contains(": 8 met, 0 missed, 0 not measured."), "{text}");
    for words in names.iter().chain(&why) {
        assert!(json.contains(words), "the report has it: {words}");
    }
}

#[test]
fn rf10_that_nothing_imports_the_start_of_a_program_is_no_doubt() {
    let text = text(&samples::unreached().facts());
    let check = |path: &str, why: &str| {
        let ranked = text.lines().find(|line| line.contains(&format!("`{path}`: confidence 60")));
        assert!(ranked.unwrap().ends_with(&format!("; {why}")), "{text}");
    };
    check("src/limits.rs", "no test imports it");
    check("src/main.rs", "test coverage not measured");
}

#[test]
fn rf9_what_the_run_noted_is_in_the_summary() {
    let mut sample = samples::good();
    let note = "dropped by the planner: Use a map, in src/a.js".to_owned();
    sample.event(crate::event::RunEvent::Noted { text: note.clone() });
    let text = text(&sample.facts());
    let left = &text[text.find("## Not changed").unwrap()..];
    assert!(left.contains(&format!("- Note: {note}\n")), "{left}");
}

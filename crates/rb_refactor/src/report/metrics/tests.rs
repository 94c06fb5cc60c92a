//! The numbers of whole runs, with their targets.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use crate::report::samples::{self, Sample};

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(sample: &Sample, expected: Expect) {
    let mut shown = String::new();
    for metric in sample.facts().metrics {
        let (id, value, standing) = (metric.id, metric.shown(), metric.standing());
        writeln!(shown, "{id}: {value} ({}): {standing}; {}", metric.target, metric.how).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn rf11_every_number_of_a_planned_run_is_measured() {
    check(
        &samples::good(),
        expect![[r#"
            test_pass_rate: 100.0% (at least 95%): holds; 11 of 11 tests, without flaky ones
            unresolved_imports: 0 (0): holds; findings in the audit of 2 tasks
            orphaned_functions: 1 (0): missed; findings in the audit of 2 tasks
            redundant_edits: 0 (0): holds; the patches of 2 tasks, line by line
            contradictory_changes: 0 (0): holds; the patches of 2 tasks, line by line
            planner_loops: 0 (0): holds; 1 plan, 0 of them repeated, and 0 tasks with more than 4 attempts
            behaviour_equivalence: 100.0% (100%): holds; 11 of 11 tests had the same outcome as before, compared by name
            cross_layer_imports: 0 (0): holds; findings in the audit of 2 tasks
            tokens_per_file: not measured (less than 8000): not measured; no model was called
            bundle_size: -4.3% (at most 1%): holds; 1 build made 10000 bytes of scripts and styles, gzipped, before, and 9570 after
            retrieval_precision: not measured (at least 0.8): not measured; no change by a model was kept
            iterations_max: 1.0 (at most 3): holds; 2 tasks
            iterations_average: 1.0 (at most 3): holds; 2 attempts of 2 tasks
            runtime: 19.0 s (less than 5 minutes for 20 files): holds; from the journal, without time spent waiting for people; 18 files
        "#]],
    );
}

#[test]
fn rf11_a_model_is_measured_too() {
    check(
        &samples::mixed(),
        expect![[r#"
            test_pass_rate: 100.0% (at least 95%): holds; 11 of 11 tests, without flaky ones
            unresolved_imports: 0 (0): holds; findings in the audit of 1 task
            orphaned_functions: 0 (0): holds; findings in the audit of 1 task
            redundant_edits: 0 (0): holds; the patches of 1 task, line by line
            contradictory_changes: 0 (0): holds; the patches of 1 task, line by line
            planner_loops: 0 (0): holds; 1 plan, 0 of them repeated, and 0 tasks with more than 3 attempts
            behaviour_equivalence: 100.0% (100%): holds; 11 of 11 tests had the same outcome as before, compared by name
            cross_layer_imports: 0 (0): holds; findings in the audit of 1 task
            tokens_per_file: 9400 (less than 8000): missed; 9400 tokens in 2 calls, divided by the number of files they were about
            bundle_size: not measured (at most 1%): not measured; no build made scripts or styles before and after
            retrieval_precision: 0.67 (at least 0.8): missed; 2 of 3 files shown to the model were changed, or imported by changed files
            iterations_max: 3.0 (at most 3): holds; 3 tasks
            iterations_average: 2.0 (at most 3): holds; 6 attempts of 3 tasks
            runtime: 20.0 s (less than 5 minutes for 20 files): holds; from the journal, without time spent waiting for people; files were not counted
        "#]],
    );
}

#[test]
fn rf11_what_was_not_measured_is_not_assumed() {
    check(
        &samples::nothing(),
        expect![[r#"
            test_pass_rate: not measured (at least 95%): not measured; no test was run after the change
            unresolved_imports: not measured (0): not measured; no change was kept
            orphaned_functions: not measured (0): not measured; no change was kept
            redundant_edits: not measured (0): not measured; no change was kept
            contradictory_changes: not measured (0): not measured; no change was kept
            planner_loops: not measured (0): not measured; the tasks were given, not planned
            behaviour_equivalence: not measured (100%): not measured; no tests could be compared by name
            cross_layer_imports: not measured (0): not measured; no change was kept
            tokens_per_file: not measured (less than 8000): not measured; no model was called
            bundle_size: not measured (at most 1%): not measured; no build was run before and after
            retrieval_precision: not measured (at least 0.8): not measured; no change by a model was kept
            iterations_max: 1.0 (at most 3): holds; 1 task
            iterations_average: 1.0 (at most 3): holds; 1 attempt of 1 task
            runtime: 6.0 s (less than 5 minutes for 20 files): holds; from the journal, without time spent waiting for people; files were not counted
        "#]],
    );
}

#[test]
fn rf11_tasks_in_each_others_way_are_counted() {
    check(
        &samples::clashing(),
        expect![[r#"
            test_pass_rate: not measured (at least 95%): not measured; no test was run after the change
            unresolved_imports: not measured (0): not measured; 2 of 2 tasks were not audited
            orphaned_functions: not measured (0): not measured; 2 of 2 tasks were not audited
            redundant_edits: 1 (0): missed; the patches of 2 tasks, line by line
            contradictory_changes: 1 (0): missed; the patches of 2 tasks, line by line
            planner_loops: 1 (0): missed; 2 plans, 1 of them repeated, and 0 tasks with more than 2 attempts
            behaviour_equivalence: not measured (100%): not measured; no tests could be compared by name
            cross_layer_imports: not measured (0): not measured; 2 of 2 tasks were not audited
            tokens_per_file: not measured (less than 8000): not measured; no model was called
            bundle_size: not measured (at most 1%): not measured; no build was run before and after
            retrieval_precision: not measured (at least 0.8): not measured; no change by a model was kept
            iterations_max: 1.0 (at most 3): holds; 2 tasks
            iterations_average: 1.0 (at most 3): holds; 2 attempts of 2 tasks
            runtime: 810.0 s (less than 5 minutes for 20 files): no target; from the journal, without time spent waiting for people; 500 files
        "#]],
    );
}

#[test]
fn rf11_what_fails_is_a_missed_target() {
    check(
        &samples::aborted(),
        expect![[r#"
            test_pass_rate: 75.0% (at least 95%): missed; 9 of 12 tests, without flaky ones
            unresolved_imports: not measured (0): not measured; 1 of 1 tasks were not audited
            orphaned_functions: not measured (0): not measured; 1 of 1 tasks were not audited
            redundant_edits: 0 (0): holds; the patches of 1 task, line by line
            contradictory_changes: 0 (0): holds; the patches of 1 task, line by line
            planner_loops: not measured (0): not measured; the tasks were given, not planned
            behaviour_equivalence: 75.0% (100%): missed; 9 of 12 tests had the same outcome as before, compared by name
            cross_layer_imports: not measured (0): not measured; 1 of 1 tasks were not audited
            tokens_per_file: not measured (less than 8000): not measured; no model was called
            bundle_size: not measured (at most 1%): not measured; no build made scripts or styles before and after
            retrieval_precision: not measured (at least 0.8): not measured; no change by a model was kept
            iterations_max: 1.0 (at most 3): holds; 1 task
            iterations_average: 1.0 (at most 3): holds; 1 attempt of 1 task
            runtime: 7.0 s (less than 5 minutes for 20 files): holds; from the journal, without time spent waiting for people; files were not counted
        "#]],
    );
}

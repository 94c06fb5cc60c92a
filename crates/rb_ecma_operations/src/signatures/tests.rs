//! Rows for each change of a signature: a project, the operation, and what comes of it.

mod add_parameter;
mod members;
mod remove_parameter;
mod rename_parameter;
mod reorder_parameters;

use expect_test::Expect;

use crate::snapshot::snapshot;

#[track_caller]
fn check(fixture: &str, operation: &str, expected: &Expect) {
    expected.assert_eq(&snapshot(fixture, operation));
}

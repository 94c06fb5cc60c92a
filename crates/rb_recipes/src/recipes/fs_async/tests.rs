//! Small projects, before and after.

mod barriers;
mod callbacks;
mod edits;
mod hostile;
mod imports;
mod mocks;
mod names;
mod programs;
mod races;
mod style;

use super::RECIPE;
use crate::testing::Project;

#[track_caller]
fn check(fixture: &str, expected: &expect_test::Expect) {
    Project::new(fixture).check(&RECIPE, expected);
}

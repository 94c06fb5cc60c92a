//! What is renamed, what is left, and why.

mod bindings;
mod by_server;
mod members;
mod modules;
mod refusals;

use expect_test::Expect;

use super::RECIPE;
use crate::testing::{Project, shown};

fn check(fixture: &str, symbol: &str, to: &str, expected: &Expect) {
    let project = Project::new(fixture).argument("symbol", symbol).argument("to", to);
    let shown = match project.run_once(&RECIPE) {
        Ok(outcome) => {
            assert!(outcome.applied.refused.is_empty(), "{:#?}", outcome.applied.refused);
            shown(&outcome)
        }
        Err(error) => format!("error: {error}\n"),
    };
    expected.assert_eq(&shown);
}

//! Symbols that go to new and to existing modules, with all that refers to them.

mod code;
mod cycles;
mod targets;
mod users;

use expect_test::Expect;

use crate::operations::snapshot::snapshot;

/// Moves symbols given as `path#name`, separated by blanks.
fn check(fixture: &str, symbols: &str, to: &str, expected: &Expect) {
    let symbols: Vec<String> = symbols.split(' ').map(|symbol| format!("\"{symbol}\"")).collect();
    let operation =
        format!(r#"{{"operation": "move", "symbols": [{}], "to": "{to}"}}"#, symbols.join(", "));
    expected.assert_eq(&snapshot(fixture, &operation));
}

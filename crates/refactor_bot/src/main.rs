//! Hands arguments and environment to `refactor_bot::main`. Nothing else reads the environment.

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
fn main() -> ExitCode {
    refactor_bot::main(std::env::args_os(), std::env::vars_os())
}

//! Which commands a repository has, and what its test runners say.
//!
//! `detect` reads manifests, lockfiles and CI files below a root and says, per package, how it is built, tested and
//! checked, where that was found, and how each runner is asked for a report by flags and environment alone.
//! It reads; it runs nothing, writes nothing, and asks nothing of the system but whether a program is there.

mod args;
mod aside;
pub mod caches;
mod ci;
pub mod command;
pub mod dependencies;
mod detect;
mod formatter;
mod glob;
mod known;
mod optional;
pub mod package;
mod shell;
mod toolchains;
mod tree;
mod yaml;

pub use caches::Caches;
pub use command::{
    Ask, Command, CommandOrigin, Purpose, ReportKind, ReportLocation, Runner, Select, Step, Unit,
};
pub use dependencies::{Dependencies, Install, Installed, Reuse};
pub use detect::{detect, line_command};
pub use formatter::Formatter;
pub use glob::matches as pattern_matches;
pub use package::{Detected, Package};
pub use shell::quote;
pub use toolchains::Toolchain;

/// Is a program on `PATH`?
pub trait Have {
    fn have(&self, program: &str) -> bool;
}

impl<F: Fn(&str) -> bool> Have for F {
    fn have(&self, program: &str) -> bool {
        self(program)
    }
}

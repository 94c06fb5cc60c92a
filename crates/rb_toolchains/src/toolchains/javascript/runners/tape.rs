//! Tape prints TAP by itself.

use super::{Dialect, no_watch};
use crate::args::Args;
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::Tape,
    names: &["tape"],
    values: &["--require", "-r", "--import", "--ignore", "-i", "--ignore-pattern"],
    bools: &["--only", "--no-only", "--strict"],
    subcommands: &[],
    settle: no_watch,
    report,
    select: Some(&[]),
};

fn report(_: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    (ReportKind::Tap, ReportLocation::Stdout)
}

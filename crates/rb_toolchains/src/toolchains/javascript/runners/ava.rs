//! AVA: its TAP goes to standard output, in place of the words for people.

use super::{Dialect, without};
use crate::args::Args;
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::Ava,
    names: &["ava"],
    values: &[
        "--config",
        "--concurrency",
        "-c",
        "--match",
        "-m",
        "--node-arguments",
        "--timeout",
        "-T",
    ],
    bools: &[
        "--tap",
        "-t",
        "--serial",
        "-s",
        "--verbose",
        "-v",
        "--fail-fast",
        "--color",
        "--no-worker-threads",
    ],
    subcommands: &[],
    settle,
    report,
    select: Some(&[]),
};

fn settle(args: &mut Args) {
    without(args, &["--watch", "-w", "-u", "--update-snapshots"]);
}

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    without(args, &["--tap", "-t", "--verbose", "-v"]);
    args.put_last(&["--tap"]);
    (ReportKind::Tap, ReportLocation::Stdout)
}

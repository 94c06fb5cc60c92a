//! node-tap (`tap`): its raw output is asked for instead of one of its views.

use super::{Dialect, no_watch};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::NodeTap,
    names: &["tap"],
    values: &[
        "--reporter",
        "-R",
        "--timeout",
        "-t",
        "--jobs",
        "-j",
        "--node-arg",
        "--test-arg",
        "--coverage-report",
    ],
    bools: &[
        "--bail",
        "-b",
        "--no-cov",
        "--color",
        "-c",
        "--allow-incomplete-coverage",
        "--allow-empty-coverage",
        "--100",
    ],
    subcommands: &["run"],
    settle: no_watch,
    report,
    select: Some(&[]),
};

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--reporter", Takes::Value);
    args.remove("-R", Takes::Value);
    args.put_last(&["--reporter=tap"]);
    (ReportKind::Tap, ReportLocation::Stdout)
}

//! Borp calls node's runner; a reporter is given with its file.

use super::{Dialect, no_watch};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::NodeTest,
    names: &["borp"],
    values: &[
        "--concurrency",
        "-c",
        "--timeout",
        "-t",
        "--ignore",
        "-i",
        "--pattern",
        "-p",
        "--lines",
    ],
    bools: &[
        "--coverage",
        "-C",
        "--only",
        "-o",
        "--check-coverage",
        "--expose-gc",
        "--no-typescript",
    ],
    subcommands: &[],
    settle: no_watch,
    report,
    select: Some(&[]),
};

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--reporter", Takes::Value);
    args.remove("-r", Takes::Value);
    args.put_last(&["--reporter=spec", "--reporter=junit:{report}"]);
    (ReportKind::JunitXml, ReportLocation::File)
}

//! Bun's own runner (`bun test`); `bun run test` is the script and none of this.

use super::{Dialect, no_watch};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::BunTest,
    names: &["bun"],
    values: &[
        "--timeout",
        "--preload",
        "-r",
        "-t",
        "--test-name-pattern",
        "--jsx-import-source",
        "--coverage-reporter",
        "--config",
        "-c",
    ],
    bools: &["--coverage", "--bail", "--only", "--todo", "--isolate"],
    subcommands: &[],
    settle: no_watch,
    report,
    select: Some(&[]),
};

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--reporter", Takes::Value);
    args.remove("--reporter-outfile", Takes::Value);
    args.put_last(&["--reporter=junit", "--reporter-outfile={report}"]);
    (ReportKind::JunitXml, ReportLocation::File)
}

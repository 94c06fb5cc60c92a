//! Mocha: one reporter at a time, so the JSON one takes the place of the project's.

use super::{Dialect, no_watch};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::Mocha,
    names: &["mocha", "electron-mocha", "mochapack"],
    values: &[
        "--require",
        "-r",
        "--reporter",
        "-R",
        "--reporter-option",
        "--reporter-options",
        "-O",
        "--timeout",
        "-t",
        "--timeouts",
        "--slow",
        "-s",
        "--ui",
        "-u",
        "--grep",
        "-g",
        "--fgrep",
        "-f",
        "--config",
        "--opts",
        "--package",
        "--extension",
        "--watch-extensions",
        "--file",
        "--ignore",
        "--exclude",
        "--jobs",
        "-j",
        "--retries",
        "--globals",
        "--import",
        "--loader",
        "--node-option",
        "-n",
        "--compilers",
    ],
    bools: &[
        "--recursive",
        "--exit",
        "--bail",
        "-b",
        "--check-leaks",
        "--colors",
        "--color",
        "-c",
        "--parallel",
        "-p",
        "--full-trace",
        "--allow-uncaught",
        "--forbid-only",
        "--forbid-pending",
        "--sort",
        "-S",
        "--inline-diffs",
        "--diff",
        "--async-only",
        "-A",
        "--expose-gc",
        "--delay",
        "--dry-run",
        "--harmony",
    ],
    subcommands: &[],
    settle: no_watch,
    report,
    select: Some(&[]),
};

fn report(args: &mut Args, hints: &Hints) -> (ReportKind, ReportLocation) {
    for flag in ["--reporter", "-R", "--reporter-option", "--reporter-options", "-O"] {
        args.remove(flag, Takes::Value);
    }
    args.put_last(&["--reporter", "json"]);
    if hints.old_mocha {
        return (ReportKind::MochaJson, ReportLocation::Stdout);
    }
    args.put_last(&["--reporter-option", "output={report}"]);
    (ReportKind::MochaJson, ReportLocation::File)
}

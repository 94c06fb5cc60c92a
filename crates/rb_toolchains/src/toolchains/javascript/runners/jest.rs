//! Jest, also as `react-scripts test`: `--json` writes a file, and the words for people go to standard error.

use super::{Dialect, without};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;
use crate::shell::Word;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::Jest,
    names: &["jest", "react-scripts", "jest-cli"],
    values: &[
        "--config",
        "-c",
        "--rootDir",
        "--env",
        "--testEnvironment",
        "--maxWorkers",
        "-w",
        "--testNamePattern",
        "-t",
        "--testTimeout",
        "--roots",
        "--coverageDirectory",
        "--coverageProvider",
        "--shard",
        "--preset",
        "--maxConcurrency",
    ],
    bools: &[
        "--coverage",
        "--ci",
        "--runInBand",
        "-i",
        "--verbose",
        "--silent",
        "--forceExit",
        "--detectOpenHandles",
        "--passWithNoTests",
        "--no-cache",
        "--colors",
        "--bail",
        "-b",
        "--logHeapUsage",
        "--expand",
        "--json",
        "--testLocationInResults",
        "--errorOnDeprecated",
        "--randomize",
    ],
    subcommands: &[],
    settle,
    report,
    select: Some(&["--coverage=false", "--runTestsByPath"]),
};

fn settle(args: &mut Args) {
    if args.part.words.iter().any(|word| word.text.ends_with("react-scripts")) {
        args.part.env.push(("CI".to_owned(), Word::new("true")));
    }
    // `-w` is a number of workers here.
    without(args, &["--watch", "--watchAll", "-u", "--updateSnapshot"]);
}

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--json", Takes::Nothing);
    args.remove("--outputFile", Takes::Value);
    args.put_last(&["--json", "--outputFile={report}", "--testLocationInResults"]);
    (ReportKind::JestJson, ReportLocation::File)
}

//! Vitest: a JSON reporter beside the usual one. Without `run` it would wait for changes.

use super::{Dialect, without};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::Vitest,
    names: &["vitest"],
    values: &[
        "--config",
        "-c",
        "--root",
        "-r",
        "--dir",
        "--project",
        "--pool",
        "--environment",
        "-t",
        "--testNamePattern",
        "--mode",
        "--shard",
        "--testTimeout",
        "--maxWorkers",
        "--minWorkers",
        "--retry",
        "--outputFile",
        "--reporter",
        "--workspace",
        "--exclude",
    ],
    bools: &[
        "--run",
        "--coverage",
        "--typecheck",
        "--passWithNoTests",
        "--silent",
        "--globals",
        "--dom",
        "--isolate",
        "--allowOnly",
        "--clearScreen",
        "--logHeapUsage",
        "--changed",
    ],
    subcommands: &["run"],
    settle,
    report,
    select: Some(&["--coverage.enabled=false"]),
};

fn settle(args: &mut Args) {
    without(args, &["--watch", "-w", "--ui", "-u", "--update"]);
    match args.subcommand() {
        Some("run" | "bench" | "list" | "related") => {}
        Some(mode @ ("watch" | "dev")) => {
            let mode = mode.to_owned();
            args.remove(&mode, Takes::Nothing);
            args.put_first(&["run"]);
        }
        _ if args.has("--run") => {}
        _ => args.put_first(&["run"]),
    }
}

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--reporter", Takes::Value);
    args.remove("--outputFile", Takes::Value);
    args.put_last(&["--reporter=default", "--reporter=json", "--outputFile.json={report}"]);
    (ReportKind::JestJson, ReportLocation::File)
}

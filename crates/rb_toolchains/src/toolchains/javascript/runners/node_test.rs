//! Node's own runner (`node --test`): a second reporter into a file, the one for people stays on standard output.
//!
//! The second is ours: those of node do not say which file a test is in, and equal names in two files would be mixed up.

use std::fmt::Write as _;

use super::{Dialect, no_watch};
use crate::args::{Args, Takes};
use crate::command::{ReportLocation, ReportKind, Runner};
use crate::known::Hints;
use crate::shell::{Part, base};

pub(super) const DIALECT: Dialect = Dialect {
    runner: Runner::NodeTest,
    // Known by its flag, see `place`.
    names: &[],
    values: &[
        "--require",
        "-r",
        "--import",
        "--loader",
        "--experimental-loader",
        "--test-name-pattern",
        "--test-concurrency",
        "--conditions",
        "-C",
        "--test-timeout",
        "--test-reporter",
        "--test-reporter-destination",
        "--env-file",
        "--test-coverage-include",
        "--test-coverage-exclude",
        "--test-shard",
    ],
    bools: &[
        "--test",
        "--test-only",
        "--test-force-exit",
        "--expose-gc",
        "--throw-deprecation",
        "--test-update-snapshots",
    ],
    subcommands: &[],
    settle: no_watch,
    report,
    select: Some(&[]),
};

/// Programs that hand their flags on to node.
const NODES: [&str; 5] = ["node", "tsx", "ts-node", "nodejs", "esmo"];

/// Where node's name stands, if the part is `node … --test …`.
pub(super) fn place(part: &Part) -> Option<usize> {
    let test = part.words.iter().position(|word| word.text == "--test")?;
    part.words[..test].iter().position(|word| NODES.contains(&base(&word.text)))
}

/// A module that node imports from the command line itself.
fn reporter() -> String {
    let mut url = "--test-reporter=data:text/javascript,".to_owned();
    for byte in include_str!("../node_reporter.mjs").bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

fn report(args: &mut Args, _: &Hints) -> (ReportKind, ReportLocation) {
    args.remove("--test-reporter", Takes::Value);
    args.remove("--test-reporter-destination", Takes::Value);
    args.put_first(&[
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        &reporter(),
        "--test-reporter-destination={report}",
    ]);
    (ReportKind::JunitXml, ReportLocation::File)
}

//! Test runners of JavaScript, one file each: names, flags, and how each is asked for a report and for some files.
//!
//! To add a runner: its file with a `DIALECT`, and its line in the list below.

use crate::args::{Args, Takes};
use crate::command::{ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::known::{Hints, KnownCommand};
use crate::shell::{Part, Word, base};
use crate::toolchains::Toolchain;

pub(super) struct Dialect {
    pub(super) runner: Runner,
    pub(super) names: &'static [&'static str],
    /// Flags that take the next word, and flags that do not. Only where both are known can file names be told apart.
    pub(super) values: &'static [&'static str],
    pub(super) bools: &'static [&'static str],
    /// Words that are no file names: `run`.
    pub(super) subcommands: &'static [&'static str],
    /// Takes out what waits for a person or writes: watch mode, snapshot updates.
    pub(super) settle: fn(&mut Args),
    /// Asks for the report.
    pub(super) report: fn(&mut Args, &Hints) -> (ReportKind, ReportLocation),
    /// Flags that must stand before selected files; `None` where files cannot be selected.
    pub(super) select: Option<&'static [&'static str]>,
}

macro_rules! runners {
    ($($file:ident,)*) => {
        $(mod $file;)*
        const DIALECTS: &[&Dialect] = &[$(&$file::DIALECT,)*];
        #[cfg(test)]
        const FILES: &[&str] = &[$(stringify!($file),)*];
    };
}

runners! {
    ava,
    borp,
    bun_test,
    jest,
    mocha,
    node_tap,
    node_test,
    tape,
    vitest,
}

/// Programs that run the command after them.
const WRAPPERS: [&str; 14] = [
    "nyc",
    "c8",
    "istanbul",
    "cross-env",
    "cross-env-shell",
    "env",
    "dotenv",
    "dotenvx",
    "node",
    "time",
    "timeout",
    "xvfb-run",
    "tsx",
    "ts-node",
];

/// A test runner, perhaps behind wrappers.
pub(super) fn recognise(part: &Part, hints: &Hints) -> Option<KnownCommand> {
    let (dialect, at) = find(part)?;
    let mut run = Args { part: part.clone(), at };
    (dialect.settle)(&mut run);
    let mut asked = run.clone();
    let (kind, place) = (dialect.report)(&mut asked, hints);
    let mut known = KnownCommand::runner(Toolchain::Javascript, dialect.runner, run.part.clone());
    if let Some(selected) = select(dialect, &run, hints) {
        known = known.selecting(Unit::Files, selected);
    }
    if dialect.runner == Runner::Vitest && run.subcommand() == Some("bench") {
        known.purpose = Purpose::Benchmark;
        return Some(known);
    }
    Some(known.asking(kind, asked, place))
}

/// The same for some files, without what counts coverage: a part of the tests never covers enough.
fn select(dialect: &Dialect, run: &Args, hints: &Hints) -> Option<Args> {
    let flags = dialect.select.filter(|_| !hints.files_in_settings)?;
    let mut selected = run.clone();
    // Where compiled files are tested, sources cannot be named in their place.
    let is_output = |word: &Word| {
        let first = word.text.trim_start_matches("./").split('/').next().unwrap_or_default();
        ["dist", "build", "out", "lib", "compiled", ".test-dist", "test-dist"].contains(&first)
    };
    if selected.part.words[selected.at + 1..].iter().any(is_output) {
        return None;
    }
    if ["nyc", "c8"].contains(&selected.part.program()) {
        selected.part.words.drain(..selected.at);
        selected.at = 0;
    }
    selected.remove("--coverage", Takes::Nothing);
    if !selected.drop_positionals(dialect.values, dialect.bools, dialect.subcommands) {
        return None;
    }
    (dialect.report)(&mut selected, hints);
    selected.put_last(flags);
    selected.put_last(&["{files}"]);
    Some(selected)
}

fn find(part: &Part) -> Option<(&'static Dialect, usize)> {
    if let Some(at) = node_test::place(part) {
        return Some((&node_test::DIALECT, at));
    }
    let is_wrapped = WRAPPERS.contains(&part.program());
    let words = part.words.iter().enumerate().take(if is_wrapped { usize::MAX } else { 1 });
    for (at, word) in words {
        let text = word.text.as_str();
        // `node test/jest.js` is the project's own file.
        if text.contains('/') && !text.contains("node_modules/") {
            continue;
        }
        let named = DIALECTS.iter().find(|dialect| dialect.names.contains(&base(text)));
        let Some(dialect) = named else { continue };
        match (dialect.runner, part.words.get(at + 1).map(|next| next.text.as_str())) {
            (Runner::BunTest, Some("test")) => return Some((dialect, at + 1)),
            (Runner::BunTest, _) => {}
            // `react-scripts test` is jest; `react-scripts build` is not.
            (Runner::Jest, Some("test")) if base(text) == "react-scripts" => {
                return Some((dialect, at + 1));
            }
            (Runner::Jest, _) if base(text) == "react-scripts" => return None,
            _ => return Some((dialect, at)),
        }
    }
    None
}

/// A watch mode ends when a person ends it.
fn no_watch(args: &mut Args) {
    without(args, &["--watch", "-w"]);
}

fn without(args: &mut Args, switches: &[&str]) {
    for switch in switches {
        args.remove(switch, Takes::Nothing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        crate::toolchains::check_listed("src/toolchains/javascript/runners", FILES);
    }
}

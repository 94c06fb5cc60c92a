//! Test runners and checkers of Python, by their command lines.

use crate::args::{Args, Takes};
use crate::command::{ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::known::{Hints, KnownCommand};
use crate::shell::{Part, base};
use crate::toolchains::Toolchain;

const PYTEST_VALUES: &[&str] = &[
    "-k",
    "-m",
    "-n",
    "-p",
    "-c",
    "-o",
    "-W",
    "--cov-report",
    "--cov-config",
    "--durations",
    "--maxfail",
    "--tb",
    "--rootdir",
    "--ignore",
    "--confcutdir",
    "--basetemp",
    "--dist",
    "--timeout",
    "--numprocesses",
    "--deselect",
    "--junitxml",
    "--color",
    "--log-level",
];
const PYTEST_BOOLS: &[&str] = &[
    "-v",
    "-vv",
    "-q",
    "-qq",
    "-x",
    "-s",
    "-l",
    "--verbose",
    "--quiet",
    "--exitfirst",
    "--lf",
    "--ff",
    "--cov",
    "--strict-markers",
    "--doctest-modules",
    "--showlocals",
    "--strict-config",
    "--pyargs",
];

/// A runner or checker, called by itself, as `python -m`, or behind `uv run`, `poetry run`, `coverage run`.
pub(in crate::toolchains) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let at = program(part)?;
    let plain = |purpose| Some(KnownCommand::plain(Toolchain::Python, purpose, part.clone()));
    let next = part.word(at + 1);
    match base(part.word(at)) {
        "pytest" | "py.test" => Some(pytest(part, at)),
        "unittest" => Some(unittest(part, at)),
        "manage.py" if next == "test" => Some(django(part, at + 1)),
        "runtests.py" => Some(django(part, at)),
        "mypy" | "pyright" | "basedpyright" | "pyre" | "ty" => plain(Purpose::Typecheck),
        "ruff" if next == "check" && !part.has("--fix") => plain(Purpose::Lint),
        "ruff" if next == "format" && (part.has("--check") || part.has("--diff")) => {
            plain(Purpose::Format)
        }
        "flake8" | "pylint" | "bandit" => plain(Purpose::Lint),
        "black" | "isort"
            if part.has("--check") || part.has("--check-only") || part.has("--diff") =>
        {
            plain(Purpose::Format)
        }
        "tox" | "nox" => plain(Purpose::Test),
        _ => None,
    }
}

/// Where the name of the program stands, behind whatever calls it.
fn program(part: &Part) -> Option<usize> {
    let mut at = 0;
    for _ in 0..6 {
        let next = part.word(at + 1);
        match base(part.word(at)) {
            "uv" | "poetry" | "pipenv" | "pdm" | "hatch" | "rye" | "coverage" if next == "run" => {
                at += 2;
            }
            "uvx" => at += 1,
            name if name.starts_with("python") || name == "py" => {
                // `python -W error -m pytest`, `python manage.py`
                match part.words.iter().skip(at + 1).position(|word| word.text == "-m") {
                    Some(found) => at += found + 2,
                    None => at += 1,
                }
            }
            flag if flag.starts_with('-') => {
                let takes =
                    ["--group", "--extra", "--with", "--python", "-p", "--source", "--rcfile"]
                        .contains(&flag);
                at += if flag == "-m" { 1 } else { 1 + usize::from(takes) };
            }
            "" => return None,
            _ => return Some(at),
        }
    }
    (at < part.words.len()).then_some(at)
}

fn pytest(part: &Part, at: usize) -> KnownCommand {
    let run = Args { part: part.clone(), at };
    let mut asked = run.clone();
    for flag in ["--junitxml", "--junit-xml"] {
        asked.remove(flag, Takes::Value);
    }
    asked.put_last(&["--junitxml={report}", "-o", "junit_family=xunit2", "-p", "no:cacheprovider"]);
    let mut selected = asked.clone();
    let known = KnownCommand::runner(Toolchain::Python, Runner::Pytest, run.part).asking(
        ReportKind::JunitXml,
        asked,
        ReportLocation::File,
    );
    if !selected.drop_positionals(PYTEST_VALUES, PYTEST_BOOLS, &[]) {
        return known;
    }
    selected.put_last(&["{files}"]);
    known.selecting(Unit::Files, selected)
}

/// It has no report but what it prints, and names its tests only with `-v`.
fn unittest(part: &Part, at: usize) -> KnownCommand {
    let run = Args { part: part.clone(), at };
    let mut asked = run.clone();
    if !asked.has("-v") && !asked.has("--verbose") {
        asked.put_last(&["-v"]);
    }
    KnownCommand::runner(Toolchain::Python, Runner::Unittest, run.part).asking(
        ReportKind::UnittestText,
        asked,
        ReportLocation::Printed,
    )
}

fn django(part: &Part, at: usize) -> KnownCommand {
    let run = Args { part: part.clone(), at };
    let mut asked = run.clone();
    asked.remove("-v", Takes::Value);
    asked.remove("--verbosity", Takes::Value);
    asked.put_last(&["-v", "2"]);
    KnownCommand::runner(Toolchain::Python, Runner::DjangoTest, run.part).asking(
        ReportKind::UnittestText,
        asked,
        ReportLocation::Printed,
    )
}

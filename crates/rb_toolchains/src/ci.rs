//! Commands that only the files of a build server show: `npx tsc --noEmit`, `tox`, `make test`.
//!
//! Manifests win: a command is taken from here only where its package has none for that purpose. Only what a toolchain
//! recognises is taken, and never a line with an expression of the server in it.

use serde_json::Value;

use crate::aside::is_aside;
use crate::command::{Command, CommandOrigin, Purpose, Runner};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::{self, Part};
use crate::toolchains;
use crate::tree::{Tree, ends, is_within, join, normal, split};

/// A line that a build server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) folder: String,
    pub(crate) found: CommandOrigin,
}

/// All lines, in the order of the files.
pub(crate) fn lines(tree: &Tree<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let workflows = tree.below(".github/workflows").filter(|path| ends(path, &[".yml", ".yaml"]));
    for path in workflows.filter(|path| split(path).0 == ".github/workflows") {
        if let Some(value) = tree.yaml(path) {
            read(path, &value, github, &mut lines);
        }
    }
    let others: [(&str, Reader); 5] = [
        (".gitlab-ci.yml", scripts),
        (".circleci/config.yml", circle),
        ("azure-pipelines.yml", azure),
        (".azure-pipelines.yml", azure),
        (".travis.yml", scripts),
    ];
    for (path, reader) in others {
        if let Some(value) = tree.yaml(path) {
            read(path, &value, reader, &mut lines);
        }
    }
    lines
}

/// One `run` of a step: its text, its folder, the words for its place.
type Run<'v> = (&'v str, Option<&'v str>, String);
type Reader = for<'v> fn(&'v Value) -> Vec<Run<'v>>;

fn read(path: &str, value: &Value, reader: Reader, lines: &mut Vec<Line>) {
    const MAX_LINES: usize = 2000;
    for (text, folder, what) in reader(value) {
        let folder = folder
            .filter(|folder| !folder.is_empty())
            .map_or(Some(String::new()), |folder| normal(folder).filter(|_| !folder.contains('$')));
        let Some(folder) = folder else { continue };
        let joined = text.replace("\\\n", " ");
        // What follows a `cd` of its own line runs elsewhere.
        let here = joined.lines().map(str::trim).take_while(|line| !line.starts_with("cd "));
        for line in here.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line.contains("${{") || line.contains("$(") || lines.len() >= MAX_LINES {
                continue;
            }
            let found = CommandOrigin { file: path.to_owned(), what: what.clone() };
            lines.push(Line { text: line.to_owned(), folder: folder.clone(), found });
        }
    }
}

/// The entries of a mapping, sorted by key whatever order the reader kept.
fn entries(value: Option<&Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = value.and_then(Value::as_object).into_iter().flatten().collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

fn github(value: &Value) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    for (job, body) in entries(value.get("jobs")) {
        let usual = body
            .get("defaults")
            .or_else(|| value.get("defaults"))
            .and_then(|all| text(all.get("run")?, "working-directory"));
        for step in list(body.get("steps")) {
            let Some(run) = text(step, "run") else { continue };
            let what = text(step, "name").map_or_else(
                || format!("jobs.{job}"),
                |name| format!("jobs.{job} step \"{name}\""),
            );
            runs.push((run, text(step, "working-directory").or(usual), what));
        }
    }
    runs
}

/// GitLab and Travis: `script` is a line or a list of lines.
fn scripts(value: &Value) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let own = value.get("script").map(|script| (String::new(), script));
    let jobs = entries(Some(value))
        .into_iter()
        .filter_map(|(job, body)| Some((format!("{job}."), body.get("script")?)));
    for (job, script) in own.into_iter().chain(jobs) {
        let lines = script.as_str().into_iter().chain(list(Some(script)).filter_map(Value::as_str));
        runs.extend(lines.map(|line| (line, None, format!("{job}script"))));
    }
    runs
}

fn circle(value: &Value) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    for (job, body) in entries(value.get("jobs")) {
        for step in list(body.get("steps")) {
            let Some(run) = step.get("run") else { continue };
            let Some(line) = run.as_str().or_else(|| text(run, "command")) else { continue };
            runs.push((line, text(run, "working_directory"), format!("jobs.{job}")));
        }
    }
    runs
}

fn azure(value: &Value) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let jobs = list(value.get("stages"))
        .flat_map(|stage| list(stage.get("jobs")))
        .chain(list(value.get("jobs")));
    for (job, steps) in jobs
        .map(|job| (text(job, "job").unwrap_or("job"), job.get("steps")))
        .chain([("steps", value.get("steps"))])
    {
        for step in list(steps) {
            let line = ["script", "bash"].iter().find_map(|key| text(step, key));
            runs.extend(
                line.map(|line| (line, text(step, "workingDirectory"), format!("jobs.{job}"))),
            );
        }
    }
    runs
}

/// Adds what the packages do not have yet.
pub(crate) fn add(tree: &Tree<'_>, packages: &mut [Package]) {
    for line in
        lines(tree).into_iter().filter(|line| line.folder.is_empty() || !is_aside(&line.folder))
    {
        let Some(parts) = shell::parse(&line.text) else { continue };
        if parts.iter().any(shell::Part::changes_shell) {
            continue;
        }
        for part in parts {
            offer(tree, packages, &line, &part);
        }
    }
}

fn offer(tree: &Tree<'_>, packages: &mut [Package], line: &Line, part: &Part) {
    let known =
        toolchains::recognise(part, &Hints::default()).or_else(|| make(tree, &line.folder, part));
    let Some(known) = known else { return };
    let fits = |package: &&mut Package| {
        let speaks = known.toolchain.is_none_or(|toolchain| toolchain == package.toolchain);
        speaks && is_within(&line.folder, &package.folder)
    };
    let Some(package) = packages.iter_mut().filter(fits).max_by_key(|package| package.folder.len())
    else {
        return;
    };
    let has = |command: &Command| command.purpose == known.purpose && !command.optional;
    if package.commands.iter().any(has) {
        prefer_nextest(tree, package, &known, line);
        return;
    }
    let path = package.path.clone();
    package.commands.push(known.into_command(&line.folder, path, line.found.clone()));
}

/// A Makefile's target is a command where its name says what for.
fn make(tree: &Tree<'_>, folder: &str, part: &Part) -> Option<KnownCommand> {
    let purpose = match (part.program(), part.word(1)) {
        ("make", "test" | "tests" | "check" | "unit-test" | "unittest") => Purpose::Test,
        ("make", "lint") => Purpose::Lint,
        ("make", "build" | "all") => Purpose::Build,
        ("make", "typecheck" | "mypy" | "type-check") => Purpose::Typecheck,
        ("make", "bench" | "benchmark") => Purpose::Benchmark,
        ("make", "integration" | "integration-test" | "e2e") => Purpose::Integration,
        _ => return None,
    };
    tree.has(&join(folder, "Makefile")).then(|| KnownCommand::foreign(purpose, part.clone()))
}

/// A server often runs a part of the tests at a time, by an expression, a package or a platform.
fn takes_all_tests(part: &Part) -> bool {
    const WITH_VALUE: [&str; 3] = ["--features", "--profile", "-P"];
    const ALONE: [&str; 8] = [
        "--workspace",
        "--all",
        "--all-targets",
        "--all-features",
        "--no-default-features",
        "--no-fail-fast",
        "--locked",
        "--release",
    ];
    let mut words =
        part.words.iter().map(|word| word.text.as_str()).skip_while(|word| *word != "run");
    words.next();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        match (WITH_VALUE.contains(&name), ALONE.contains(&word)) {
            (true, _) if name == word => drop(words.next()),
            (true, _) | (_, true) => {}
            (false, false) => return false,
        }
    }
    true
}

/// Where the server runs nextest on all tests and it is installed, it takes the place of `cargo test`.
fn prefer_nextest(tree: &Tree<'_>, package: &mut Package, known: &KnownCommand, line: &Line) {
    let mine =
        package.commands.iter_mut().find(|command| command.runner == Some(Runner::CargoTest));
    let is_nextest = known.runner == Some(Runner::Nextest) && tree.have("cargo-nextest");
    let Some(mine) = mine.filter(|_| is_nextest && takes_all_tests(&known.run)) else { return };
    let crates = match mine.select.as_ref().map(|select| &select.unit) {
        Some(crate::command::Unit::CargoPackages(crates)) => crates.clone(),
        _ => Vec::new(),
    };
    let again = toolchains::recognise(&known.run, &Hints { crates, ..Hints::default() });
    if let Some(again) = again {
        *mine = again.into_command(&line.folder, Vec::new(), line.found.clone());
        mine.needs.push("cargo-nextest".to_owned());
    }
}

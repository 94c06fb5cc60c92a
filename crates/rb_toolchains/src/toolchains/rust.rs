//! Rust: cargo. A workspace is one package here, because one command builds and tests all of it.
//!
//! `CARGO_TARGET_DIR` is left alone: the worktree can be written, and some tests look for what was built below `target`.

use crate::args::Args;
use crate::aside::{LeftOut, is_aside};
use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::dependencies::{Dependencies, Install, Reuse};
use crate::glob;
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::Part;
use crate::tree::{Tree, ends, is_within, join, upward};

use super::Toolchain;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let mut manifests: Vec<(&str, toml::Table)> = Vec::new();
    for folder in tree.folders_with("Cargo.toml") {
        manifests.extend(tree.toml(&join(folder, "Cargo.toml")).map(|table| (folder, table)));
    }
    let workspaces: Vec<&str> = manifests
        .iter()
        .filter(|(_, table)| table.contains_key("workspace"))
        .map(|(folder, _)| *folder)
        .collect();
    let root_of = |folder: &str| {
        let mut above = upward(folder).filter(|at| workspaces.contains(at));
        above
            .next()
            .filter(|root| *root == folder || !is_excluded(&manifests, root, folder))
            .map(str::to_owned)
    };
    let mut packages = Vec::new();
    let mut left_out = LeftOut::default();
    for (folder, table) in &manifests {
        match root_of(folder) {
            Some(root) if root != *folder => {}
            _ if is_aside(folder) => left_out.add(folder),
            _ => {
                let crates = manifests
                    .iter()
                    .filter(|(at, _)| at == folder || root_of(at).as_deref() == Some(folder));
                let crates = crates
                    .filter_map(|(at, table)| Some(((*at).to_owned(), name(table)?)))
                    .collect();
                packages.push(package(tree, folder, table, crates));
            }
        }
    }
    left_out.tell(tree, "Cargo.toml");
    packages
}

fn name(table: &toml::Table) -> Option<String> {
    Some(table.get("package")?.get("name")?.as_str()?.to_owned())
}

fn is_excluded(manifests: &[(&str, toml::Table)], root: &str, folder: &str) -> bool {
    let table = manifests.iter().find(|(at, _)| *at == root).map(|(_, table)| table);
    let excluded = table.and_then(|table| table.get("workspace")?.get("exclude")?.as_array());
    let rest = if root.is_empty() { folder } else { &folder[root.len() + 1..] };
    let mut globs = excluded.into_iter().flatten().filter_map(toml::Value::as_str);
    globs.any(|glob| is_within(rest, glob.trim_end_matches('/')) || glob::matches(glob, rest))
}

const REUSE: &str = "cargo keeps sources in `~/.cargo/registry`; what is built below `target` names absolute paths and is \
     built anew";

fn package(
    tree: &Tree<'_>,
    folder: &str,
    table: &toml::Table,
    crates: Vec<(String, String)>,
) -> Package {
    let commands = commands(tree, folder, table.contains_key("workspace"), crates);
    let lock = upward(folder).map(|at| join(at, "Cargo.lock")).find(|path| tree.has(path));
    Package {
        folder: folder.to_owned(),
        name: name(table),
        toolchain: Toolchain::Rust,
        path: Vec::new(),
        manager: Some("cargo"),
        commands,
        dependencies: Dependencies {
            folders: Vec::new(),
            install: Some(Install::of(
                if lock.is_some() { "cargo fetch --locked" } else { "cargo fetch" },
                folder,
                false,
            )),
            reuse: Reuse::Home(REUSE),
        },
        lockfiles: lock.into_iter().collect(),
    }
}

fn commands(
    tree: &Tree<'_>,
    folder: &str,
    is_workspace: bool,
    crates: Vec<(String, String)>,
) -> Vec<Command> {
    let manifest = join(folder, "Cargo.toml");
    let what = if is_workspace { "[workspace]" } else { "[package]" };
    let hints = Hints { crates, ..Hints::default() };
    let all: &[&str] = if is_workspace { &["--workspace"] } else { &[] };
    let mut commands = Vec::new();
    let mut add = |purpose: Purpose, words: &[&str], extra: &[&str], file: &str, what: &str| {
        let part = Part::of(&[words, all, extra].concat());
        let known = recognise(&part, &hints)
            .unwrap_or_else(|| KnownCommand::plain(Toolchain::Rust, purpose, part));
        commands.push(command(KnownCommand { purpose, ..known }, folder, file, what));
    };
    add(Purpose::Build, &["cargo", "build"], &[], &manifest, what);
    // Benchmarks often need an unstable compiler.
    add(Purpose::Typecheck, &["cargo", "check"], &["--tests"], &manifest, what);
    if tree.have("cargo-clippy") {
        add(Purpose::Lint, &["cargo", "clippy"], &["--tests"], &manifest, what);
    }
    if tree.have("rustfmt") || tree.have("cargo-fmt") {
        let known = KnownCommand::plain(
            Toolchain::Rust,
            Purpose::Format,
            Part::of(&["cargo", "fmt", "--all", "--check"]),
        );
        let settings = [join(folder, "rustfmt.toml"), join(folder, ".rustfmt.toml")];
        let file = settings.iter().find(|file| tree.has(file)).unwrap_or(&manifest).clone();
        commands.push(command(known, folder, &file, "formatting"));
    }
    tests(tree, folder, &manifest, what, &hints, all, &mut commands);
    if tree.below(folder).any(is_benchmark) {
        let part = Part::of(&[&["cargo", "bench"], all].concat());
        commands.push(command(
            KnownCommand::plain(Toolchain::Rust, Purpose::Benchmark, part),
            folder,
            &manifest,
            "benches/",
        ));
    }
    commands
}

fn is_benchmark(path: &str) -> bool {
    let crate_of = path.split_once("benches/").map(|(before, _)| before.trim_end_matches('/'));
    ends(path, &[".rs"]) && crate_of.is_some_and(|folder| folder.is_empty() || !is_aside(folder))
}

fn tests(
    tree: &Tree<'_>,
    folder: &str,
    manifest: &str,
    what: &str,
    hints: &Hints,
    all: &[&str],
    commands: &mut Vec<Command>,
) {
    let nextest = join(folder, ".config/nextest.toml");
    let has_both = tree.has(&nextest) && tree.have("cargo-nextest");
    let (words, file, what): (&[&str], &str, &str) = if has_both {
        (&["cargo", "nextest", "run"], &nextest, "nextest settings")
    } else {
        (&["cargo", "test"], manifest, what)
    };
    let part = Part::of(&[words, all, &["--no-fail-fast"]].concat());
    commands.extend(recognise(&part, hints).map(|known| command(known, folder, file, what)));
    if tree.has(&nextest) && !tree.have("cargo-nextest") {
        tree.note(format!(
            "`{nextest}` is there but cargo-nextest is not installed; `cargo test` is used"
        ));
    }
}

fn command(known: KnownCommand, folder: &str, file: &str, what: &str) -> Command {
    let mut command = known.into_command(
        folder,
        Vec::new(),
        CommandOrigin { file: file.to_owned(), what: what.to_owned() },
    );
    if command.runner == Some(Runner::Nextest) {
        command.needs.push("cargo-nextest".to_owned());
    }
    command
}

pub(super) fn recognise(part: &Part, hints: &Hints) -> Option<KnownCommand> {
    if part.program() != "cargo" {
        return None;
    }
    // `cargo +nightly test`
    let at = if part.word(1).starts_with('+') { 2 } else { 1 };
    let plain = |purpose| Some(KnownCommand::plain(Toolchain::Rust, purpose, part.clone()));
    match part.word(at) {
        "test" | "t" if !part.has("--no-run") => Some(cargo_test(part, at, hints)),
        "nextest" if part.word(at + 1) == "run" => Some(nextest(part, at + 1, hints)),
        "build" | "b" => plain(Purpose::Build),
        "check" | "c" => plain(Purpose::Typecheck),
        "clippy" if !part.has("--fix") => plain(Purpose::Lint),
        "fmt" if part.has("--check") => plain(Purpose::Format),
        "bench" => plain(Purpose::Benchmark),
        _ => None,
    }
}

/// What it prints is its report: the machine format needs an unstable compiler.
fn cargo_test(part: &Part, at: usize, hints: &Hints) -> KnownCommand {
    let mut run = Args { part: part.clone(), at };
    if !run.has("--no-fail-fast") {
        run.put_last(&["--no-fail-fast"]);
    }
    let known = KnownCommand::runner(Toolchain::Rust, Runner::CargoTest, run.part.clone());
    selecting(known, &run, hints).asking(ReportKind::LibtestText, run, ReportLocation::Printed)
}

/// Its `JUnit` file is a matter of settings files; its JSON lines are asked for by the environment.
fn nextest(part: &Part, at: usize, hints: &Hints) -> KnownCommand {
    let mut run = Args { part: part.clone(), at };
    if !run.has("--no-fail-fast") {
        run.put_last(&["--no-fail-fast"]);
    }
    let mut asked = run.clone();
    asked.put_first(&["--message-format", "libtest-json-plus"]);
    let known = KnownCommand::runner(Toolchain::Rust, Runner::Nextest, run.part);
    let mut known =
        selecting(known, &asked, hints).asking(ReportKind::NextestJson, asked, ReportLocation::Stdout);
    if let Some(ask) = &mut known.ask {
        ask.env.push(("NEXTEST_EXPERIMENTAL_LIBTEST_JSON".to_owned(), "1".to_owned()));
    }
    known
}

fn selecting(known: KnownCommand, run: &Args, hints: &Hints) -> KnownCommand {
    let mut selected = run.clone();
    if hints.crates.is_empty()
        || ["-p", "--package", "--manifest-path"].iter().any(|flag| run.has(flag))
    {
        return known;
    }
    selected.remove("--workspace", crate::args::Takes::Nothing);
    selected.remove("--all", crate::args::Takes::Nothing);
    selected.put_last(&["{files}"]);
    known.selecting(Unit::CargoPackages(hints.crates.clone()), selected)
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![".cargo/registry", ".cargo/git", ".cargo/bin", ".rustup"],
        settings: vec![".cargo/config.toml", ".cargo/config"],
        env: vec![
            ("CARGO_NET_OFFLINE", "true"),
            ("CARGO_HOME", "{home}/.cargo"),
            ("RUSTUP_HOME", "{home}/.rustup"),
            ("CARGO_TERM_COLOR", "never"),
            // Dependencies are compiled once for all verifications of a repository.
            ("CARGO_TARGET_DIR", "{scratch}/target"),
        ],
        links: vec![],
    }
}

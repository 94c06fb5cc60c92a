//! Ruby: `RSpec`, Minitest by rake or Rails; Bundler.

use crate::args::{Args, Takes};
use crate::aside::{LeftOut, is_aside};
use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::dependencies::{Dependencies, Install, Installed, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::{Part, base};
use crate::tree::{Tree, join};

use super::Toolchain;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let mut left_out = LeftOut::default();
    let mut packages = Vec::new();
    for folder in tree.folders_with("Gemfile") {
        if is_aside(folder) {
            left_out.add(folder);
        } else {
            packages.push(package(tree, folder));
        }
    }
    left_out.tell(tree, "Gemfile");
    packages
}

fn package(tree: &Tree<'_>, folder: &str) -> Package {
    let lock = join(folder, "Gemfile.lock");
    let locked = tree.has(&lock);
    let vendored = join(folder, "vendor/bundle");
    // Gems lie beside Ruby unless the project was told otherwise; only then is anything in the tree.
    let folders =
        tree.there(&vendored).then_some(Installed { folder: vendored.clone(), there: true });
    Package {
        folder: folder.to_owned(),
        name: tree
            .names_in(folder)
            .find_map(|name| name.strip_suffix(".gemspec"))
            .map(str::to_owned),
        toolchain: Toolchain::Ruby,
        path: Vec::new(),
        manager: Some("bundler"),
        commands: commands(tree, folder),
        lockfiles: locked.then_some(lock).into_iter().collect(),
        dependencies: Dependencies {
            folders: folders.into_iter().collect(),
            install: Some(Install {
                env: vec![("BUNDLE_FROZEN".to_owned(), locked.to_string())],
                ..Install::of("bundle install", folder, true)
            }),
            reuse: Reuse::Home(
                "gems lie in the home or beside Ruby; a copy of `vendor/bundle` would keep compiled extensions with absolute paths",
            ),
        },
    }
}

fn commands(tree: &Tree<'_>, folder: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut add = |words: &[&str], file: String, what: &str| {
        // Without Bundler the gems of the system may do.
        let words = match words {
            ["bundle", "exec", rest @ ..] if !tree.have("bundle") && tree.have(rest[0]) => rest,
            words => words,
        };
        let known = recognise(&Part::of(words), &Hints::default());
        let found = CommandOrigin { file, what: what.to_owned() };
        commands.extend(known.map(|known| known.into_command(folder, Vec::new(), found)));
    };
    let rubocop = join(folder, ".rubocop.yml");
    if tree.has(&rubocop) {
        add(&["bundle", "exec", "rubocop"], rubocop, "settings of rubocop");
    }
    let has =
        |name: &str, end: &str| tree.below(&join(folder, name)).any(|path| path.ends_with(end));
    let rspec = join(folder, ".rspec");
    if has("spec", "_spec.rb") {
        let file = if tree.has(&rspec) { rspec } else { join(folder, "spec") };
        add(&["bundle", "exec", "rspec"], file, "specs");
    }
    let rails = join(folder, "bin/rails");
    let rakefile = join(folder, "Rakefile");
    if has("test", "_test.rb")
        || has("test", ".rb")
            && tree.below(&join(folder, "test")).any(|path| path.contains("test_"))
    {
        if tree.has(&rails) {
            add(&["bin/rails", "test"], rails, "Rails");
        } else if tree.has(&rakefile) {
            add(&["bundle", "exec", "rake", "test"], rakefile, "task test");
        }
    }
    commands
}

pub(super) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let at = if part.program() == "bundle" && part.word(1) == "exec" { 2 } else { 0 };
    let run = Args { part: part.clone(), at };
    match (base(part.word(at)), part.word(at + 1)) {
        ("rspec", _) => Some(rspec(run)),
        ("rake" | "rails", "test") => {
            let known = KnownCommand::runner(Toolchain::Ruby, Runner::Minitest, run.part.clone());
            let mut asked = run;
            if base(part.word(at)) == "rails" {
                asked.put_last(&["-v"]);
            } else {
                asked.put_last(&["TESTOPTS=-v"]);
            }
            Some(known.asking(ReportKind::MinitestText, asked, ReportLocation::Printed))
        }
        ("rake", "spec") => Some(KnownCommand::runner(Toolchain::Ruby, Runner::Rspec, run.part)),
        ("rubocop" | "standardrb", _)
            if !["-a", "-A", "--autocorrect", "--fix"].iter().any(|flag| part.has(flag)) =>
        {
            Some(KnownCommand::plain(Toolchain::Ruby, Purpose::Lint, run.part))
        }
        ("srb" | "steep" | "sorbet", _) => {
            Some(KnownCommand::plain(Toolchain::Ruby, Purpose::Typecheck, run.part))
        }
        _ => None,
    }
}

const RSPEC_VALUES: &[&str] = &[
    "--format",
    "-f",
    "--out",
    "-o",
    "--require",
    "-r",
    "--tag",
    "-t",
    "--pattern",
    "-P",
    "--seed",
    "--order",
    "-I",
    "--example",
    "-e",
];
const RSPEC_BOOLS: &[&str] = &[
    "--color",
    "--colour",
    "--fail-fast",
    "--profile",
    "-p",
    "--backtrace",
    "-b",
    "--warnings",
    "-w",
    "--dry-run",
];

fn rspec(run: Args) -> KnownCommand {
    let mut asked = run.clone();
    for flag in ["--format", "-f", "--out", "-o"] {
        asked.remove(flag, Takes::Value);
    }
    asked.put_last(&["--format", "progress", "--format", "json", "--out", "{report}"]);
    let mut selected = asked.clone();
    let known = KnownCommand::runner(Toolchain::Ruby, Runner::Rspec, run.part).asking(
        ReportKind::RspecJson,
        asked,
        ReportLocation::File,
    );
    if !selected.drop_positionals(RSPEC_VALUES, RSPEC_BOOLS, &[]) {
        return known;
    }
    selected.put_last(&["{files}"]);
    known.selecting(Unit::Files, selected)
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![".gem/ruby", ".local/share/gem", ".rbenv", ".rvm", ".asdf", ".bundle/cache"],
        settings: vec![".bundle/config"],
        env: vec![
            ("BUNDLE_USER_CACHE", "{scratch}/bundle"),
            ("BOOTSNAP_CACHE_DIR", "{scratch}/bootsnap"),
            ("RUBOCOP_CACHE_ROOT", "{scratch}/rubocop"),
        ],
        links: vec![],
    }
}

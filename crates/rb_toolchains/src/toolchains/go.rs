//! Go: every `go.mod` is a package; `go test -json` tells of every test.

use crate::args::{Args, Takes};
use crate::aside::{LeftOut, is_aside};
use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, ReportLocation, Purpose, ReportKind, Runner, Unit};
use crate::dependencies::{Dependencies, Install, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::Part;
use crate::tree::{Tree, ends, join};

use super::Toolchain;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let listed = tree.read("go.work").unwrap_or_default();
    let mut left_out = LeftOut::default();
    let mut packages = Vec::new();
    for folder in tree.folders_with("go.mod") {
        let is_listed = listed
            .split_whitespace()
            .any(|word| word.trim_start_matches("./").trim_end_matches('/') == folder);
        if is_aside(folder) && !is_listed {
            left_out.add(folder);
        } else {
            packages.extend(package(tree, folder));
        }
    }
    left_out.tell(tree, "go.mod");
    packages
}

fn package(tree: &Tree<'_>, folder: &str) -> Option<Package> {
    let manifest = join(folder, "go.mod");
    let text = tree.read(&manifest)?;
    let module = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("module "))
        .map(|name| name.trim().trim_matches('"').to_owned());
    let vendored = tree.has(&join(folder, "vendor/modules.txt"));
    let reuse = Reuse::Home(if vendored {
        "all modules are in `vendor`, which the repository holds"
    } else {
        "modules lie in `~/go/pkg/mod`, checked against `go.sum`"
    });
    Some(Package {
        folder: folder.to_owned(),
        name: module,
        toolchain: Toolchain::Go,
        path: Vec::new(),
        manager: Some("go"),
        commands: commands(tree, folder, &manifest),
        lockfiles: ["go.sum", "go.work.sum"]
            .iter()
            .map(|name| join(folder, name))
            .filter(|path| tree.has(path))
            .collect(),
        dependencies: Dependencies {
            folders: Vec::new(),
            install: (!vendored).then(|| Install::of("go mod download", folder, false)),
            reuse,
        },
    })
}

fn commands(tree: &Tree<'_>, folder: &str, manifest: &str) -> Vec<Command> {
    let found = |file: String, what: &str| CommandOrigin { file, what: what.to_owned() };
    let has_tests = tree.below(folder).any(|path| ends(path, &["_test.go"]));
    let mut commands = Vec::new();
    for line in [&["go", "build", "./..."][..], &["go", "vet", "./..."], &["go", "test", "./..."]] {
        let known = recognise(&Part::of(line), &Hints::default())
            .filter(|known| known.purpose != Purpose::Test || has_tests);
        commands.extend(known.map(|known| {
            known.into_command(folder, Vec::new(), found(manifest.to_owned(), "module"))
        }));
    }
    let linter = tree.names_in(folder).find(|name| name.starts_with(".golangci."));
    if let Some(file) = linter.filter(|_| tree.have("golangci-lint")) {
        let known = KnownCommand::plain(Toolchain::Go, Purpose::Lint, Part::of(&["golangci-lint", "run"]));
        commands.push(known.into_command(
            folder,
            Vec::new(),
            found(join(folder, file), "golangci-lint settings"),
        ));
    } else if linter.is_some() {
        tree.note(format!(
            "`{}` is there but golangci-lint is not installed; `go vet` is used",
            join(folder, ".golangci.yml")
        ));
    }
    commands
}

const VALUES: &[&str] = &[
    "-run",
    "-tags",
    "-timeout",
    "-count",
    "-p",
    "-parallel",
    "-coverprofile",
    "-covermode",
    "-coverpkg",
    "-ldflags",
    "-cpu",
    "-bench",
    "-o",
    "-skip",
    "-vet",
    "-C",
];
const BOOLS: &[&str] =
    &["-v", "-race", "-short", "-cover", "-json", "-failfast", "-a", "-x", "-trimpath"];

pub(super) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let plain = |purpose| Some(KnownCommand::plain(Toolchain::Go, purpose, part.clone()));
    match (part.program(), part.word(1)) {
        ("go", "test") if part.words.iter().any(|word| word.text.starts_with("-bench")) => {
            plain(Purpose::Benchmark)
        }
        ("go", "test") => Some(go_test(part)),
        ("gotestsum", _) => {
            let run = Args { part: part.clone(), at: 0 };
            let mut asked = run.clone();
            asked.remove("--junitfile", Takes::Value);
            asked.put_first(&["--junitfile={report}"]);
            Some(KnownCommand::runner(Toolchain::Go, Runner::GoTest, run.part).asking(
                ReportKind::JunitXml,
                asked,
                ReportLocation::File,
            ))
        }
        ("go", "build") => plain(Purpose::Build),
        ("go", "vet") | ("staticcheck" | "golint" | "revive", _) => plain(Purpose::Lint),
        ("golangci-lint", "run") if !part.has("--fix") => plain(Purpose::Lint),
        _ => None,
    }
}

fn go_test(part: &Part) -> KnownCommand {
    let run = Args { part: part.clone(), at: 1 };
    let mut asked = run.clone();
    for flag in ["-v", "-json"] {
        asked.remove(flag, Takes::Nothing);
    }
    asked.put_first(&["-json"]);
    let mut selected = asked.clone();
    let known = KnownCommand::runner(Toolchain::Go, Runner::GoTest, run.part);
    let known = known.asking(ReportKind::GoTestJson, asked, ReportLocation::Stdout);
    if !selected.drop_positionals(VALUES, BOOLS, &[]) {
        return known;
    }
    selected.put_last(&["{files}"]);
    known.selecting(Unit::Folders, selected)
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec!["go/pkg/mod", "go/bin", ".local/share/go", ".asdf", "sdk"],
        settings: vec![".config/go/env"],
        env: vec![
            ("GOCACHE", "{scratch}/go-build"),
            ("GOMODCACHE", "{home}/go/pkg/mod"),
            ("GOPROXY", "off"),
            ("GOSUMDB", "off"),
            ("GOTOOLCHAIN", "local"),
            ("GOTELEMETRY", "off"),
        ],
        links: vec![],
    }
}

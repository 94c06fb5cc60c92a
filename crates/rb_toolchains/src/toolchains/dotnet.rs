//! .NET: solutions and projects, tested by `dotnet test` with a TRX log.

use crate::args::{Args, Takes};
use crate::aside::is_aside;
use crate::caches::Caches;
use crate::command::{CommandOrigin, ReportLocation, Purpose, ReportKind, Runner};
use crate::dependencies::{Dependencies, Install, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::Part;
use crate::tree::{Tree, ends, is_within, join, split};

use super::Toolchain;

const PROJECTS: [&str; 3] = [".csproj", ".fsproj", ".vbproj"];

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let solutions: Vec<&str> = tree
        .below("")
        .filter(|path| ends(path, &[".sln", ".slnx"]) && !is_aside(split(path).0))
        .collect();
    let projects = tree.below("").filter(|path| ends(path, &PROJECTS) && !is_aside(split(path).0));
    // A project below a solution is reached by it.
    let alone = projects
        .filter(|path| !solutions.iter().any(|solution| is_within(path, split(solution).0)));
    let mut chosen: Vec<&str> = Vec::new();
    for path in solutions.iter().copied().chain(alone) {
        match chosen.iter().find(|known| split(known).0 == split(path).0) {
            Some(known) => tree.note(format!("`{path}` lies beside `{known}`, which is used")),
            None => chosen.push(path),
        }
    }
    chosen.into_iter().map(|path| package(tree, path)).collect()
}

fn package(tree: &Tree<'_>, path: &str) -> Package {
    let (folder, file) = split(path);
    let mut lines: Vec<Vec<&str>> = vec![vec!["dotnet", "build", "--no-restore", file]];
    if tree.has(&join(folder, ".editorconfig")) || tree.has(".editorconfig") {
        lines.push(vec!["dotnet", "format", "--no-restore", "--verify-no-changes", file]);
    }
    let is_test = |path: &str| ends(path, &PROJECTS) && path.to_ascii_lowercase().contains("test");
    if tree.below(folder).any(is_test) {
        lines.push(vec!["dotnet", "test", "--no-restore", file]);
    }
    let found = || CommandOrigin { file: path.to_owned(), what: "solution or project".to_owned() };
    let known = lines.iter().filter_map(|words| recognise(&Part::of(words), &Hints::default()));
    Package {
        folder: folder.to_owned(),
        name: file.rsplit_once('.').map(|(name, _)| name.to_owned()),
        toolchain: Toolchain::Dotnet,
        path: Vec::new(),
        manager: Some("dotnet"),
        commands: known.map(|known| known.into_command(folder, Vec::new(), found())).collect(),
        lockfiles: tree
            .below(folder)
            .filter(|path| split(path).1 == "packages.lock.json")
            .map(str::to_owned)
            .collect(),
        dependencies: Dependencies {
            folders: Vec::new(),
            install: Some(Install::of(&format!("dotnet restore {}", join("", file)), folder, true)),
            reuse: Reuse::Never(
                "`obj/project.assets.json` names absolute paths, so each checkout is restored by itself",
            ),
        },
    }
}

pub(super) fn recognise(part: &Part, _: &Hints) -> Option<KnownCommand> {
    let run = Args { part: part.clone(), at: 1 };
    match (part.program(), part.word(1)) {
        ("dotnet", "test") => {
            let mut asked = run.clone();
            for flag in ["--logger", "-l", "--results-directory", "-r"] {
                asked.remove(flag, Takes::Value);
            }
            asked.put_last(&["--logger", "trx", "--results-directory", "{report}"]);
            Some(KnownCommand::runner(Toolchain::Dotnet, Runner::DotnetTest, run.part).asking(
                ReportKind::Trx,
                asked,
                ReportLocation::Folder,
            ))
        }
        ("dotnet", "build") => Some(KnownCommand::plain(Toolchain::Dotnet, Purpose::Build, run.part)),
        ("dotnet", "format") if part.has("--verify-no-changes") => {
            Some(KnownCommand::plain(Toolchain::Dotnet, Purpose::Format, run.part))
        }
        _ => None,
    }
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![".nuget/packages", ".dotnet"],
        settings: vec![".nuget/NuGet/NuGet.Config"],
        env: vec![
            ("NUGET_PACKAGES", "{home}/.nuget/packages"),
            ("NUGET_HTTP_CACHE_PATH", "{scratch}/nuget"),
            ("DOTNET_CLI_HOME", "{scratch}/dotnet"),
            ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            ("DOTNET_NOLOGO", "1"),
        ],
        links: vec![],
    }
}

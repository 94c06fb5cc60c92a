//! Python: pytest, unittest, Django; uv, poetry, pip; checkers where they are configured.

mod project;
mod runners;
mod unittest;

use crate::caches::Caches;
use crate::command::{Command, CommandOrigin, Purpose};
use crate::dependencies::{Dependencies, Install, Installed, Reuse};
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::{Part, quote};
use crate::tree::{Tree, ends, join};

use super::Toolchain;
use project::Project;

pub(super) use runners::recognise;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    project::find(tree).iter().map(|project| package(tree, project)).collect()
}

fn package(tree: &Tree<'_>, project: &Project<'_>) -> Package {
    Package {
        folder: project.folder.to_owned(),
        name: project.name.clone(),
        toolchain: Toolchain::Python,
        manager: Some(project.manager),
        commands: commands(tree, project),
        lockfiles: project.lockfiles.clone(),
        dependencies: dependencies(tree, project),
        path: interpreter(tree, project).path,
    }
}

/// How Python is called there, and the folder of programs that belongs to it.
struct Interpreter {
    words: Vec<&'static str>,
    path: Vec<String>,
}

fn interpreter(tree: &Tree<'_>, project: &Project<'_>) -> Interpreter {
    let environment = [".venv", "venv", "env"].iter().find_map(|name| {
        let here = [join(project.folder, name), (*name).to_owned()];
        here.into_iter().find(|folder| tree.there(&format!("{folder}/bin/python")))
    });
    match (environment, project.manager) {
        (Some(folder), _) => {
            Interpreter { words: vec!["python"], path: vec![format!("{folder}/bin")] }
        }
        (None, "uv") if tree.have("uv") => Interpreter {
            words: vec!["uv", "run", "--offline", "--no-sync", "python"],
            path: Vec::new(),
        },
        (None, "poetry") if tree.have("poetry") => {
            Interpreter { words: vec!["poetry", "run", "python"], path: Vec::new() }
        }
        (None, _) if tree.have("python3") || !tree.have("python") => {
            Interpreter { words: vec!["python3"], path: Vec::new() }
        }
        (None, _) => Interpreter { words: vec!["python"], path: Vec::new() },
    }
}

fn commands(tree: &Tree<'_>, project: &Project<'_>) -> Vec<Command> {
    let interpreter = interpreter(tree, project);
    let mut commands = Vec::new();
    let mut add = |words: &[&str], folder: &str, found: CommandOrigin, purpose: Option<Purpose>| {
        let words = [interpreter.words.as_slice(), words].concat();
        let part = Part::of(&words);
        let known = recognise(&part, &Hints::default());
        let known = known.or_else(|| Some(KnownCommand::plain(Toolchain::Python, purpose?, part)));
        commands
            .extend(known.map(|known| known.into_command(folder, interpreter.path.clone(), found)));
    };
    let tools: [(Purpose, &str, &[&str]); 7] = [
        (Purpose::Typecheck, "mypy", &["-m", "mypy", "."]),
        (Purpose::Typecheck, "pyright", &["-m", "pyright"]),
        (Purpose::Lint, "ruff", &["-m", "ruff", "check", "."]),
        (Purpose::Lint, "flake8", &["-m", "flake8"]),
        (Purpose::Lint, "pylint", &["-m", "pylint", "--recursive=y", "."]),
        (Purpose::Format, "ruff-format", &["-m", "ruff", "format", "--check", "."]),
        (Purpose::Format, "black", &["-m", "black", "--check", "."]),
    ];
    let mut covered: Vec<Purpose> = Vec::new();
    for (purpose, tool, words) in tools {
        if let Some(found) = project.tool(tree, tool).filter(|_| !covered.contains(&purpose)) {
            covered.push(purpose);
            add(words, project.folder, found, Some(purpose));
        }
    }
    if let Some((words, folder, found)) = project.tests(tree) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        add(&words, &folder, found, Some(Purpose::Test));
    }
    commands
}

fn dependencies(tree: &Tree<'_>, project: &Project<'_>) -> Dependencies {
    const IN_PLACE: Reuse = Reuse::InPlace(
        "programs and `pyvenv.cfg` of a virtual environment name absolute paths, so a copy would be broken; read-only use in place is \
         safe, but a project installed there as editable is imported from the other checkout: put the worktree first on PYTHONPATH",
    );
    let folder = [".venv", "venv", "env"].iter().map(|name| join(project.folder, name));
    let there = folder.clone().find(|folder| tree.there(&format!("{folder}/bin/python")));
    let wants = project.asks_for_packages || !project.lockfiles.is_empty();
    let folders = match (there, wants) {
        (Some(folder), _) => vec![Installed { folder, there: true }],
        (None, true) => vec![Installed { folder: join(project.folder, ".venv"), there: false }],
        (None, false) => Vec::new(),
    };
    let install = wants.then(|| install(tree, project));
    Dependencies { folders, install, reuse: IN_PLACE }
}

/// Into an environment of the project's own, never beside the system's Python.
fn install(tree: &Tree<'_>, project: &Project<'_>) -> Install {
    match project.manager {
        "uv" => return Install::of("uv sync --frozen --no-build", project.folder, false),
        "poetry" => return Install::of("poetry install --no-root", project.folder, true),
        _ => {}
    }
    let is_list = |name: &&str| ends(name, &[".txt"]) && name.contains("requirements");
    let lists: Vec<String> = tree
        .names_in(project.folder)
        .filter(is_list)
        .map(|name| format!(" -r {}", quote(name)))
        .collect();
    let (what, runs_code) = match (lists.is_empty(), project.extra()) {
        (false, _) => (format!(" --only-binary :all:{}", lists.concat()), false),
        (true, Some(extra)) => (format!(" -e '.[{extra}]'"), true),
        (true, None) => (" -e .".to_owned(), true),
    };
    let line = format!("python3 -m venv .venv && .venv/bin/python -m pip install{what}");
    let argv = vec!["sh".to_owned(), "-c".to_owned(), line.clone()];
    Install { line, argv, env: Vec::new(), folder: project.folder.to_owned(), runs_code }
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![
            ".pyenv",
            ".local/bin",
            ".local/lib",
            ".local/share/uv",
            ".local/share/pypoetry",
            ".local/share/virtualenvs",
            ".cache/pypoetry/virtualenvs",
            ".asdf",
            ".local/share/mise",
            "miniconda3",
            "anaconda3",
        ],
        settings: vec![],
        env: vec![
            // Not written, yet read: a prefix of our own would have all installed packages compiled again at each run.
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("PIP_NO_INDEX", "1"),
            ("PIP_CACHE_DIR", "{scratch}/pip"),
            ("UV_OFFLINE", "1"),
            ("UV_CACHE_DIR", "{scratch}/uv"),
            ("MYPY_CACHE_DIR", "{scratch}/mypy"),
            ("RUFF_CACHE_DIR", "{scratch}/ruff"),
            ("COVERAGE_FILE", "{scratch}/coverage"),
        ],
        links: vec![],
    }
}

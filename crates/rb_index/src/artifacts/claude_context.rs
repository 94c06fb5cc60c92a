//! `CLAUDE_CONTEXT.md`: what a model should know before it touches the repository: commands, conventions, danger.
//!
//! It helps a model and decides nothing: commands are listed as the manifests name them, not run, and not believed.

use std::io::Write;

use super::{Source, WriteError, section};
use crate::tree::Tree;

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let overview = source.indexed.overview()?;
    let tree = &source.view.tree;
    let what = &overview.architecture.what;
    writeln!(out, "# Context: {}\n", what.name.as_deref().unwrap_or("this repository"))?;
    if let Some(description) = &what.description {
        writeln!(out, "{description}\n")?;
    }
    source.write_state(out)?;
    section(
        out,
        "Start reading here",
        overview.top.iter().take(8).map(|file| format!("`{}`", file.path)),
    )?;
    section(out, "Commands that the manifests name", commands(tree).into_iter())?;
    section(out, "Conventions are set in", conventions(tree).into_iter())?;
    let dangerous = overview.hotspots.iter().take(8).map(|hot| {
        format!(
            "`{}`: changed often, complexity {}, used by {} files",
            hot.path, hot.complexity, hot.used_by
        )
    });
    section(out, "Dangerous areas", dangerous)?;
    let cycles = overview.cycles.largest.iter().take(5);
    section(
        out,
        "Import cycles",
        cycles.map(|group| format!("`{}`", group.example.join("` -> `"))),
    )?;
    section(out, "Never edit by hand", untouchable(source).into_iter())
}

/// The manifests of the root, and what is called in a project that has them.
const TOOLS: &[(&str, &str)] = &[
    ("Cargo.toml", "`cargo test`, `cargo clippy`, `cargo fmt`"),
    ("go.mod", "`go test ./...`, `go vet ./...`, `gofmt`"),
    ("pom.xml", "`mvn test`"),
    ("build.gradle", "`gradle test`"),
    ("build.gradle.kts", "`gradle test`"),
    ("mix.exs", "`mix test`, `mix format`"),
    ("tox.ini", "`tox`"),
    ("noxfile.py", "`nox`"),
    ("pytest.ini", "`pytest`"),
    ("Gemfile", "`bundle exec rake`"),
    ("phpunit.xml", "`phpunit`"),
    ("phpunit.xml.dist", "`phpunit`"),
];

const SCRIPTS: &[&str] = &["build", "format", "lint", "start", "test", "typecheck"];

fn commands(tree: &Tree) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(id) = tree.find("package.json")
        && let Some(text) = &tree.get(id).manifest
        && let Ok(manifest) = serde_json::from_str::<serde_json::Value>(text)
    {
        let named = SCRIPTS.iter().filter(|name| manifest["scripts"][**name].is_string());
        commands.extend(named.map(|name| format!("`npm run {name}` (package.json)")));
    }
    let others = TOOLS.iter().filter(|(file, _)| tree.find(file).is_some());
    commands.extend(others.map(|(file, tools)| format!("{tools} ({file})")));
    commands
}

const CONFIGURATIONS: &[&str] = &[
    ".clang-format",
    ".editorconfig",
    ".eslintrc",
    ".eslintrc.cjs",
    ".eslintrc.js",
    ".eslintrc.json",
    ".flake8",
    ".golangci.yml",
    ".php-cs-fixer.php",
    ".pre-commit-config.yaml",
    ".prettierrc",
    ".prettierrc.js",
    ".prettierrc.json",
    ".rubocop.yml",
    "CLAUDE.md",
    "AGENTS.md",
    "CONTRIBUTING.md",
    "biome.json",
    "clippy.toml",
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.ts",
    "prettier.config.js",
    "ruff.toml",
    "rustfmt.toml",
    "tsconfig.json",
];

fn conventions(tree: &Tree) -> Vec<String> {
    let found = CONFIGURATIONS.iter().filter(|name| tree.find(name).is_some());
    found.map(|name| format!("`{name}`")).collect()
}

fn untouchable(source: &Source<'_>) -> Vec<String> {
    let view = source.view;
    let generated = view.tree.ids().map(|id| view.file(id)).filter(|file| {
        file.trivial
            .is_some_and(|trivial| matches!(trivial.kind(), "generated" | "vendored" | "minified"))
    });
    generated
        .take(20)
        .map(|file| {
            format!(
                "`{}`: {}",
                file.path,
                file.trivial.map_or_else(String::new, crate::trivial::Trivial::words)
            )
        })
        .collect()
}

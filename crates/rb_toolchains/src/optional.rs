//! Checks that the project has and does not run: a linter that only its settings show, end-to-end tests that need a browser or a service.
//!
//! A baseline runs what the project runs. What no script, no build server and no hook names may never have passed, so it is offered
//! and not held against anybody.

use serde_json::Value;

use crate::ci;
use crate::command::{Command, Purpose};
use crate::package::Package;
use crate::tree::{Tree, join, split};

/// Files in which people write down what they run, beside scripts and build servers.
const BY_HAND: [&str; 12] = [
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    "tox.ini",
    "noxfile.py",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "Rakefile",
    "composer.json",
];

/// Marks the commands that the project does not run.
pub(crate) fn mark(tree: &Tree<'_>, packages: &mut [Package]) {
    let server: Vec<String> = ci::lines(tree).into_iter().map(|line| line.text).collect();
    let root = named_in(tree, "");
    for package in packages {
        let own =
            if package.folder.is_empty() { String::new() } else { named_in(tree, &package.folder) };
        for command in &mut package.commands {
            let names = |tool: &str| {
                [root.as_str(), own.as_str()]
                    .into_iter()
                    .chain(server.iter().map(String::as_str))
                    .any(|text| has_word(text, tool))
            };
            command.optional = is_end_to_end(command)
                || tool_by_settings(command).is_some_and(|tool| !names(&tool));
        }
    }
}

/// What is written down to be run in a folder.
fn named_in(tree: &Tree<'_>, folder: &str) -> String {
    let mut text = String::new();
    for file in BY_HAND {
        text.push_str(&tree.read(&join(folder, file)).unwrap_or_default());
        text.push('\n');
    }
    let hooks = tree.below(&join(folder, ".husky"));
    for path in hooks {
        text.push_str(&tree.read(path).unwrap_or_default());
    }
    // Names of dependencies are not what is run.
    let manifest = tree.json(&join(folder, "package.json")).unwrap_or_default();
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    for script in scripts.into_iter().flat_map(|scripts| scripts.values()) {
        text.push_str(script.as_str().unwrap_or_default());
        text.push('\n');
    }
    text
}

/// The tool of a check that is known by its settings alone.
fn tool_by_settings(command: &Command) -> Option<String> {
    if !matches!(command.purpose, Purpose::Typecheck | Purpose::Lint | Purpose::Format) {
        return None;
    }
    if command.argv.first().is_some_and(|program| program == "cargo") {
        // Whoever builds a crate checks its types; lints are another matter.
        return (command.purpose == Purpose::Lint).then(|| "clippy".to_owned());
    }
    let what = &command.found.what;
    let tool = match what.strip_prefix("settings of ") {
        // `typescript` is run as `tsc`.
        Some("typescript") => "tsc",
        Some(package) => split(package).1,
        None => {
            let table = what.strip_prefix('[')?.strip_suffix(']')?;
            let table = table.strip_prefix("tool.").unwrap_or(table);
            table.split('.').next()?
        }
    };
    Some(tool.to_owned())
}

fn is_end_to_end(command: &Command) -> bool {
    let browsers = ["playwright", "cypress", "wdio", "nightwatch"];
    command.purpose == Purpose::Integration
        && (command.found.what.contains("e2e")
            || browsers.iter().any(|program| has_word(&command.line, program)))
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

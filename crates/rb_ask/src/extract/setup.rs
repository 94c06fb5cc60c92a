//! How to build, run and test a repository: the commands that its manifests and guides have, each quoted from its line.
//!
//! Nothing is inferred: a command that no line has is not named.

use rb_index::FileId;

use crate::citation::Citation;
use crate::extract::page::Page;
use crate::extract::sources::Sources;

/// The most commands that are quoted of one file, and in all.
const OF_FILE: usize = 5;
const IN_ALL: usize = 12;
/// Longer lines are not quoted.
const LONGEST: usize = 100;
/// How much of a file is looked through.
const LINES: usize = 600;

/// Finds commands in a kind of file.
struct Recipe {
    is_file: fn(&str) -> bool,
    /// What to say of a line of it, with the line in backticks; none if it has no command.
    command: fn(&str) -> Option<&'static str>,
    /// Whether a line with a command runs the tests.
    is_test: fn(&str) -> bool,
}

const RECIPES: &[Recipe] = &[
    Recipe {
        is_file: |path| path == "package.json",
        command: of_package_json,
        is_test: |line| line.starts_with("\"test\""),
    },
    Recipe {
        is_file: |path| matches!(path, "Makefile" | "makefile" | "GNUmakefile" | "justfile"),
        command: of_makefile,
        is_test: |line| line.starts_with("test"),
    },
    Recipe { is_file: |path| path == "Cargo.toml", command: of_cargo, is_test: |_| true },
    Recipe {
        is_file: |path| path == "pyproject.toml",
        command: of_pyproject,
        is_test: |line| line.starts_with("[tool.pytest"),
    },
    Recipe { is_file: |path| path == "tox.ini", command: of_tox, is_test: |_| true },
    Recipe { is_file: |path| path == "go.mod", command: of_go, is_test: |_| false },
    Recipe { is_file: is_guide, command: of_guide, is_test: |line| line.contains("test") },
];

/// Says which commands there are, at most so many.
pub(crate) fn say_commands(page: &mut Page, sources: &mut Sources<'_, '_>) {
    let mut said = 0;
    for recipe in RECIPES {
        let ids = sources.view.tree.ids();
        let files: Vec<FileId> = ids.filter(|id| (recipe.is_file)(sources.path(*id))).collect();
        for file in files {
            for (text, citation) in commands(sources, file, recipe) {
                if said == IN_ALL {
                    return;
                }
                said += usize::from(page.say(sources, &text, &[citation]));
            }
        }
    }
}

/// Says the first command that runs the tests of the manifests that the page cites already. Whether there is one.
pub(crate) fn say_test_command(page: &mut Page, sources: &mut Sources<'_, '_>) -> bool {
    for recipe in RECIPES {
        let ids = sources.view.tree.ids();
        let is_cited = |id: &FileId| {
            let path = sources.path(*id);
            (recipe.is_file)(path) && page.cites(path)
        };
        let files: Vec<FileId> = ids.filter(is_cited).collect();
        for file in files {
            for (text, citation) in commands(sources, file, recipe) {
                let line = citation.quote.trim_start_matches("$ ");
                if (recipe.is_test)(line) && page.say(sources, &text, &[citation]) {
                    return true;
                }
            }
        }
    }
    false
}

fn commands(
    sources: &mut Sources<'_, '_>,
    file: FileId,
    recipe: &Recipe,
) -> Vec<(String, Citation)> {
    let Some(text) = sources.text(file) else { return Vec::new() };
    let path = sources.path(file).to_owned();
    let mut found: Vec<(String, Citation)> = Vec::new();
    for (number, line) in (1..).zip(text.lines.iter().take(LINES)) {
        let bare = line.trim().trim_end_matches(',').trim_start_matches("$ ");
        if bare.is_empty() || bare.len() > LONGEST || bare.contains('`') || found.len() == OF_FILE {
            continue;
        }
        let what = (recipe.command)(line);
        let what = what.map(|what| format!("`{path}` {what} `{bare}`."));
        let is_known = |text: &str| found.iter().any(|(known, _)| known == text);
        if let Some(text) = what.filter(|text| !is_known(text))
            && let Some(citation) = sources.cite(file, number, number)
        {
            found.push((text, citation));
        }
    }
    found
}

/// Scripts that people start, not the steps that these are made of.
fn of_package_json(line: &str) -> Option<&'static str> {
    const NAMES: &[&str] =
        &["build", "dev", "start", "test", "lint", "serve", "check", "typecheck", "prepare"];
    let (name, value) = line.trim().split_once(':')?;
    let name = name.trim().trim_matches('"');
    let is_command = value.trim().starts_with('"');
    (is_command && NAMES.contains(&name)).then_some("defines the script")
}

fn of_makefile(line: &str) -> Option<&'static str> {
    const NAMES: &[&str] = &[
        "all", "build", "check", "dev", "install", "lint", "run", "serve", "setup", "start", "test",
    ];
    let (names, rest) = line.split_once(':')?;
    let is_target = !rest.starts_with('=') && names.split(' ').any(|name| NAMES.contains(&name));
    is_target.then_some("has the target")
}

fn of_cargo(line: &str) -> Option<&'static str> {
    match line.trim() {
        "[package]" => Some("makes this a Cargo package, which Cargo builds and tests:"),
        "[workspace]" => Some("makes this a Cargo workspace, which Cargo builds and tests:"),
        _ => None,
    }
}

fn of_pyproject(line: &str) -> Option<&'static str> {
    let line = line.trim();
    if line.starts_with("build-backend") {
        return Some("names the build backend:");
    }
    line.starts_with("[tool.pytest").then_some("configures pytest:")
}

fn of_tox(line: &str) -> Option<&'static str> {
    line.trim_start().starts_with("commands").then_some("lists the test commands:")
}

fn of_go(line: &str) -> Option<&'static str> {
    line.starts_with("module ").then_some("declares the Go module")
}

fn is_guide(path: &str) -> bool {
    let stem = path.split('.').next().unwrap_or(path).to_lowercase();
    let is_top = !path.contains('/');
    is_top && matches!(&*stem, "readme" | "contributing" | "development" | "hacking" | "install")
}

/// Lines of a guide that are nothing but a command.
fn of_guide(line: &str) -> Option<&'static str> {
    const PROGRAMS: &[&str] = &[
        "npm install",
        "npm i ",
        "npm ci",
        "npm run",
        "npm test",
        "npm start",
        "npx ",
        "yarn",
        "pnpm ",
        "pip install",
        "pip3 install",
        "pipx ",
        "poetry ",
        "uv ",
        "pytest",
        "python -m",
        "python setup",
        "tox",
        "cargo ",
        "rustup ",
        "go build",
        "go test",
        "go install",
        "go run",
        "make",
        "mvn ",
        "./mvnw",
        "gradle ",
        "./gradlew",
        "docker ",
        "docker-compose ",
        "bundle ",
        "rake ",
        "composer ",
        "mix ",
        "dotnet ",
        "cmake ",
        "brew install",
        "apt install",
        "apt-get install",
        "./configure",
    ];
    let line = line.trim().trim_start_matches("$ ");
    let is_command = PROGRAMS.iter().any(|program| {
        line.strip_prefix(program)
            .is_some_and(|rest| program.ends_with(' ') || rest.is_empty() || rest.starts_with(' '))
    });
    let is_prose = line.ends_with(['.', ':']) || line.split_whitespace().count() > 10;
    (is_command && !is_prose).then_some("gives the command")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_other_lines() {
        let check = |command: fn(&str) -> Option<&'static str>, rows: &[(&str, bool)]| {
            for (line, expected) in rows {
                assert_eq!(command(line).is_some(), *expected, "{line}");
            }
        };
        check(
            of_package_json,
            &[
                ("    \"test\": \"mocha\",", true),
                ("    \"build\": \"tsc\"", true),
                ("  \"name\": \"test\",", false),
                ("    \"test\": {", false),
                ("  \"description\": \"a test: of it\",", false),
            ],
        );
        check(
            of_makefile,
            &[
                ("test: build", true),
                ("build all:", true),
                ("x := test", false),
                ("\techo test", false),
            ],
        );
        check(
            of_guide,
            &[
                ("    npm install", true),
                ("$ cargo test", true),
                ("make", true),
                ("make sure that it is there.", false),
                ("Use npm to install it", false),
                ("makefile", false),
            ],
        );
        check(of_cargo, &[("[workspace]", true), ("[dependencies]", false)]);
        check(of_go, &[("module example.com/shop", true), ("go 1.22", false)]);
    }
}

//! One command of a repository: how it is run, where it was found, how it is asked for a report and for a part of
//! its tests.
//!
//! Plain data. `{report}` and `{files}` in an `argv` stand for what only the caller knows; `Ask::fill` and
//! `Select::fill` put them in. Nothing here is run.

use std::collections::BTreeSet;

pub use rb_reports::Format as ReportKind;
use serde::{Deserialize, Serialize};

use crate::tree::{is_within, split};

/// What a command is for. The order is the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    Build,
    Typecheck,
    Lint,
    Format,
    Test,
    Integration,
    Benchmark,
}

impl Purpose {
    pub const ALL: [Purpose; 7] = [
        Purpose::Build,
        Purpose::Typecheck,
        Purpose::Lint,
        Purpose::Format,
        Purpose::Test,
        Purpose::Integration,
        Purpose::Benchmark,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Purpose::Build => "build",
            Purpose::Typecheck => "typecheck",
            Purpose::Lint => "lint",
            Purpose::Format => "format",
            Purpose::Test => "test",
            Purpose::Integration => "integration",
            Purpose::Benchmark => "benchmark",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Command {
    pub purpose: Purpose,
    /// As a person would type it in `folder`.
    pub line: String,
    /// The same for the system. What needs a shell names one: `sh -c …`.
    pub argv: Vec<String>,
    /// Set over the environment.
    pub env: Vec<(String, String)>,
    /// Folders to be put in front of `PATH`, relative to the root, nearest first: `node_modules/.bin`, `.venv/bin`.
    /// Those that are not there are left out.
    pub path: Vec<String>,
    /// Where it runs, relative to the root; empty is the root.
    pub folder: String,
    /// What the project runs before it, in order; when one fails, the command has failed.
    pub before: Vec<Step>,
    /// What the project runs after it, when it went well; when one fails, the command has failed.
    pub after: Vec<Step>,
    pub found: CommandOrigin,
    pub runner: Option<Runner>,
    pub report: Option<Ask>,
    pub select: Option<Select>,
    /// Programs that must be on `PATH`, or in a folder of `path`.
    pub needs: Vec<String>,
    /// The project has it and does not run it: nothing but settings shows it, or it needs what a sandbox has not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// Stands for the place of a command that a person named.
pub(crate) const CONFIGURED: &str = "configured";

impl Command {
    /// A person named it, by a flag or in the configuration.
    pub fn is_configured(&self) -> bool {
        self.found.file.is_empty() && self.found.what == CONFIGURED
    }
}

/// Part of a command that is run as it stands, in the command's folder, with its `path`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub line: String,
    pub argv: Vec<String>,
    pub env: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandOrigin {
    /// Relative to the root; empty for a line of the configuration.
    pub file: String,
    /// The place in the file: `scripts.test`, `[tool.pytest.ini_options]`, `jobs.test step "Run tests"`.
    pub what: String,
}

/// Programs whose results can be told per test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    Jest,
    Vitest,
    Mocha,
    Ava,
    NodeTest,
    Tape,
    NodeTap,
    BunTest,
    Pytest,
    Unittest,
    DjangoTest,
    CargoTest,
    Nextest,
    GoTest,
    Maven,
    Gradle,
    Rspec,
    Minitest,
    Phpunit,
    DotnetTest,
}

impl Runner {
    /// What it prints for people, to be read where no report could be had. `None` where no reader knows it.
    pub fn printed(self) -> Option<ReportKind> {
        Some(match self {
            Runner::Jest => ReportKind::JestText,
            Runner::Vitest => ReportKind::VitestText,
            Runner::Mocha => ReportKind::MochaText,
            Runner::Ava => ReportKind::AvaText,
            Runner::NodeTest => ReportKind::NodeText,
            Runner::Tape | Runner::NodeTap => ReportKind::Tap,
            Runner::BunTest => return None,
            Runner::Pytest => ReportKind::PytestText,
            Runner::Unittest | Runner::DjangoTest => ReportKind::UnittestText,
            Runner::CargoTest => ReportKind::LibtestText,
            Runner::Nextest => ReportKind::NextestText,
            Runner::GoTest => ReportKind::GoTestText,
            Runner::Maven => ReportKind::MavenText,
            Runner::Gradle => ReportKind::GradleText,
            Runner::Rspec => ReportKind::RspecText,
            Runner::Minitest => ReportKind::MinitestText,
            Runner::Phpunit => ReportKind::PhpunitText,
            Runner::DotnetTest => ReportKind::DotnetText,
        })
    }
}

/// How the command is asked for a report, without changing the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ask {
    pub kind: ReportKind,
    /// The full command with the reporter's flags; `{report}` stands for the file or folder to be written.
    pub argv: Vec<String>,
    /// Set beyond the command's own; may hold `{report}`.
    pub env: Vec<(String, String)>,
    pub place: ReportLocation,
}

/// Where the report is afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportLocation {
    /// The file put in for `{report}`.
    File,
    /// All files of the folder put in for `{report}`.
    Folder,
    /// Standard output, perhaps among other text.
    Stdout,
    /// Both streams, as printed for people.
    Printed,
    /// Files that the runner writes in any case, relative to the command's folder: `**/target/surefire-reports/TEST-*.xml`.
    /// Older ones must be told from new ones by the caller.
    Pattern(String),
}

/// How the command is asked for some tests only. It reports as `Ask` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Select {
    pub unit: Unit,
    /// The full command with the reporter's flags; the argument `{files}` stands for what is selected.
    pub argv: Vec<String>,
}

/// What a runner can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Test files.
    Files,
    /// The folders of test files (a Go package is a folder).
    Folders,
    /// Whole packages of a cargo workspace: folder relative to the root, and name.
    CargoPackages(Vec<(String, String)>),
    /// Class names after `prefix`, each an argument (`joined` false) or all in one, with commas between.
    Classes { prefix: String, joined: bool },
}

/// Stands in arguments for the file or folder of the report.
const REPORT: &str = "{report}";
/// Stands as an argument for what is selected.
const FILES: &str = "{files}";

impl Ask {
    /// The arguments and the environment, with the place of the report put in.
    pub fn fill(&self, report: &str) -> (Vec<String>, Vec<(String, String)>) {
        let env =
            self.env.iter().map(|(name, value)| (name.clone(), value.replace(REPORT, report)));
        (self.argv.iter().map(|word| word.replace(REPORT, report)).collect(), env.collect())
    }
}

impl Select {
    /// The arguments for the tests in `files` (paths from the root) of a command that runs in `folder`, with the place
    /// of the report put in. `None` when one of them cannot be selected: then all tests must run.
    pub fn fill(&self, report: &str, folder: &str, files: &[String]) -> Option<Vec<String>> {
        let selected = self.unit.arguments(folder, files)?;
        let mut argv = Vec::new();
        for word in &self.argv {
            if word == FILES {
                argv.extend(selected.iter().cloned());
            } else {
                argv.push(word.replace(REPORT, report));
            }
        }
        Some(argv)
    }
}

impl Unit {
    fn arguments(&self, folder: &str, files: &[String]) -> Option<Vec<String>> {
        if files.is_empty() {
            return None;
        }
        let inside = |path: &str| match folder {
            "" => Some(path.to_owned()),
            folder => path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned),
        };
        let chosen: Option<BTreeSet<String>> = match self {
            Unit::Files => files.iter().map(|file| inside(file)).collect(),
            Unit::Folders => files
                .iter()
                .map(|file| {
                    Some(format!("./{}", split(&inside(file)?).0))
                        .map(|at| at.trim_end_matches('/').to_owned())
                })
                .collect(),
            Unit::CargoPackages(crates) => {
                let owner = |file: &String| {
                    let above = crates.iter().filter(|(folder, _)| is_within(file, folder));
                    above.max_by_key(|(folder, _)| folder.len()).map(|(_, name)| name.clone())
                };
                files.iter().map(owner).collect()
            }
            Unit::Classes { .. } => files.iter().map(|file| class(file)).collect(),
        };
        let chosen = chosen?;
        Some(match self {
            Unit::Files | Unit::Folders => chosen.into_iter().collect(),
            Unit::CargoPackages(_) => {
                chosen.into_iter().flat_map(|name| ["-p".to_owned(), name]).collect()
            }
            Unit::Classes { prefix, joined: true } => {
                vec![format!("{prefix}{}", chosen.into_iter().collect::<Vec<_>>().join(","))]
            }
            Unit::Classes { prefix, joined: false } => {
                chosen.into_iter().flat_map(|name| [prefix.clone(), name]).collect()
            }
        })
    }
}

/// `src/test/java/org/example/FooTest.java` is `org.example.FooTest`.
fn class(file: &str) -> Option<String> {
    let (_, path) = ["/java/", "/kotlin/", "/groovy/", "/scala/"]
        .iter()
        .find_map(|folder| file.split_once(folder))?;
    let (path, _) = path.rsplit_once('.')?;
    Some(path.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(unit: Unit, folder: &str, files: &[&str], expect: &Expect) {
        let argv = ["run", "--out={report}", "{files}"].map(str::to_owned).to_vec();
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        expect.assert_eq(&format!("{:?}", Select { unit, argv }.fill("/r", folder, &files)));
    }

    #[test]
    fn ve3_selected_tests_are_named_as_the_runner_wants_them() {
        check(
            Unit::Files,
            "",
            &["b.js", "a/a b.js", "b.js"],
            &expect![[r#"Some(["run", "--out=/r", "a/a b.js", "b.js"])"#]],
        );
        check(
            Unit::Files,
            "pkg",
            &["pkg/test/a.js"],
            &expect![[r#"Some(["run", "--out=/r", "test/a.js"])"#]],
        );
        check(Unit::Files, "pkg", &["pkg/test/a.js", "pkgs/b.js"], &expect!["None"]);
        check(Unit::Files, "", &[], &expect!["None"]);
        check(
            Unit::Folders,
            "m",
            &["m/a_test.go", "m/x/y/b_test.go", "m/x/y/c_test.go"],
            &expect![[r#"Some(["run", "--out=/r", ".", "./x/y"])"#]],
        );
        let crates = [("", "root"), ("crates/a", "a")]
            .map(|(folder, name)| (folder.to_owned(), name.to_owned()));
        check(
            Unit::CargoPackages(crates.to_vec()),
            "",
            &["crates/a/tests/x.rs", "src/lib.rs", "crates/ab/x.rs"],
            &expect![[r#"Some(["run", "--out=/r", "-p", "a", "-p", "root"])"#]],
        );
        let maven = Unit::Classes { prefix: "-Dtest=".to_owned(), joined: true };
        check(
            maven.clone(),
            "",
            &["src/test/java/org/a/FooTest.java", "src/test/java/org/a/BarTest.java"],
            &expect![[r#"Some(["run", "--out=/r", "-Dtest=org.a.BarTest,org.a.FooTest"])"#]],
        );
        check(maven, "", &["weird/FooTest.java"], &expect!["None"]);
        check(
            Unit::Classes { prefix: "--tests".to_owned(), joined: false },
            "",
            &["app/src/test/kotlin/a/B.kt"],
            &expect![[r#"Some(["run", "--out=/r", "--tests", "a.B"])"#]],
        );
    }
}

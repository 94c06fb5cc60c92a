//! The runners, one file each. To add one: its file, its `mod` line here and its line in `runners!` in `runner.rs`.
//!
//! Below is what they share: which paths agents may write at all, names made of a slug, and commands that no manifest shows.

pub(crate) mod go;
pub(crate) mod java;
pub(crate) mod javascript;
pub(crate) mod python;
pub(crate) mod ruby;
pub(crate) mod rust;
pub(crate) mod typescript;

use rb_toolchains::{
    Ask, Command, CommandOrigin, Detected, Purpose, ReportKind, ReportLocation, Runner, Toolchain,
    quote,
};

use crate::runner::NewProject;
use crate::text_file::TextFile;

/// A longer path is nothing that a kata needs.
const MAX_PATH: usize = 200;

/// Folders and file name of a path that agents may write: relative, in plain characters, not hidden, and never upward.
/// What looks like an option of a program is refused as well.
fn parts(path: &str) -> Option<Vec<&str>> {
    let is_plain = |part: &&str| {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        !part.is_empty() && !part.starts_with(['.', '-']) && part.chars().all(is_sign)
    };
    let parts: Vec<&str> = path.split('/').collect();
    (path.len() <= MAX_PATH && parts.iter().all(is_plain)).then_some(parts)
}

/// The name of a file below a folder of the root, where agents may write it.
fn name_below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let parts = parts(path)?;
    let (first, rest) = parts.split_first()?;
    rest.last().copied().filter(|_| *first == folder)
}

/// The name without its extension, if it has this one. `.rs` alone is no name.
fn stem<'n>(name: &'n str, extension: &str) -> Option<&'n str> {
    let stem = name.strip_suffix(extension)?.strip_suffix('.')?;
    (!stem.is_empty()).then_some(stem)
}

fn words(slug: &str) -> impl Iterator<Item = &str> {
    slug.split('-').filter(|word| !word.is_empty())
}

/// `fizz-buzz` as `fizz_buzz`.
fn snake_case(slug: &str) -> String {
    words(slug).collect::<Vec<_>>().join("_")
}

/// `fizz-buzz` as `FizzBuzz`.
fn pascal_case(slug: &str) -> String {
    let capitalized = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    words(slug).map(capitalized).collect()
}

/// Whether a name is one of a list of names that are divided by spaces.
fn is_word_of(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|word| word == name)
}

/// Says what the project is and how its tests are run.
fn readme(project: &NewProject<'_>, language: &str, tests: &str) -> TextFile {
    let is_shown = |c: &char| c.is_whitespace() || !c.is_control();
    let title: String = project.title.chars().filter(is_shown).collect();
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() { project.slug } else { &title };
    let kind = format!("A code kata in {language}, developed test-first.");
    TextFile::new("README.md", format!("# {title}\n\n{kind}\n\n{tests}\n"))
}

/// The test command that the manifests of a toolchain show.
fn detected_test(detected: &Detected, toolchain: Toolchain) -> Option<Command> {
    let packages = detected.packages.iter().filter(|package| package.toolchain == toolchain);
    let mut commands = packages.flat_map(|package| &package.commands);
    commands.find(|command| command.purpose == Purpose::Test).cloned()
}

/// A test command that no manifest shows.
struct TestCommand {
    argv: &'static [&'static str],
    /// The same command, asked for a report.
    reporting: &'static [&'static str],
    kind: ReportKind,
    place: ReportLocation,
    runner: Option<Runner>,
    /// Programs that must be on `PATH`.
    needs: &'static [&'static str],
    /// The file or folder that it belongs to.
    origin: &'static str,
}

impl TestCommand {
    fn into_command(self) -> Command {
        let owned =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let line: Vec<String> = self.argv.iter().map(|word| quote(word)).collect();
        let report = Ask {
            kind: self.kind,
            argv: owned(self.reporting),
            env: Vec::new(),
            place: self.place,
        };
        Command {
            purpose: Purpose::Test,
            line: line.join(" "),
            argv: owned(self.argv),
            env: Vec::new(),
            path: Vec::new(),
            folder: String::new(),
            before: Vec::new(),
            after: Vec::new(),
            found: CommandOrigin { file: self.origin.to_owned(), what: "tests".to_owned() },
            runner: self.runner,
            report: Some(report),
            select: None,
            needs: owned(self.needs),
            optional: false,
        }
    }
}

/// What the tests of all runners check with.
#[cfg(test)]
mod checks {
    use std::fmt::Write as _;

    use expect_test::Expect;

    use crate::runner::Runner;

    /// Each path is a test, a source, or neither of them.
    #[track_caller]
    pub(super) fn paths(runner: Runner, tests: &[&str], sources: &[&str], others: &[&str]) {
        let check = |path: &str, expected: (bool, bool)| {
            assert_eq!((runner.is_test(path), runner.is_source(path)), expected, "{path}");
        };
        let groups = [(tests, (true, false)), (sources, (false, true)), (others, (false, false))];
        for (paths, expected) in groups {
            for path in paths {
                check(path, expected);
            }
        }
        // Nowhere, in no language.
        for path in tests.iter().chain(sources) {
            for prefix in ["/", "../", "./", ".git/", "a/../", "-x/", ".hidden/", "a//", "\\"] {
                check(&format!("{prefix}{path}"), (false, false));
            }
            check(&format!("{path}\n"), (false, false));
            check(&format!("{path}/"), (false, false));
        }
        for path in [".gitignore", "README.md", "Makefile", "build.rs", "package.json", "", "."] {
            check(path, (false, false));
        }
        for file in runner.skeleton("fizz-buzz", "FizzBuzz", &|_| true, None) {
            assert!(!runner.is_test(&file.path), "{} is a test in a new project", file.path);
        }
    }

    /// The files of a new project, for a machine with this version of node and these programs.
    #[track_caller]
    pub(super) fn skeleton(
        runner: Runner,
        slug: &str,
        have: &[&str],
        node: Option<(u32, u32)>,
        expect: &Expect,
    ) {
        let mut text = String::new();
        for file in runner.skeleton(slug, "Fizz\n Buzz\u{1b}", &|name| have.contains(&name), node) {
            // Files that never change are files of this crate.
            let shown = if file.text.lines().count() > 40 { "…\n" } else { &file.text };
            let _ = writeln!(text, "=== {}\n{shown}", file.path);
        }
        expect.assert_eq(&text);
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::expect;

    use super::*;
    use crate::runner::{Runner as KataRunner, Sample};

    #[test]
    fn every_file_is_listed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runners");
        let mut files: Vec<String> = rb_core::fs::list(&folder)
            .unwrap()
            .iter()
            .filter_map(|name| name.to_str())
            .map(|name| name.strip_suffix(".rs").unwrap_or(name).to_owned())
            .filter(|name| name != "mod")
            .collect();
        files.sort();
        files.dedup();
        let mut listed: Vec<&str> = KataRunner::ALL.iter().map(|runner| runner.name()).collect();
        listed.sort_unstable();
        assert_eq!(files, listed);
    }

    #[test]
    fn ka7_names_are_made_of_the_words_of_a_slug() {
        let check = |slug: &str, snake: &str, pascal: &str| {
            assert_eq!(snake_case(slug), snake);
            assert_eq!(pascal_case(slug), pascal);
        };
        check("fizz-buzz", "fizz_buzz", "FizzBuzz");
        check("a", "a", "A");
        check("game-of-life-2", "game_of_life_2", "GameOfLife2");
        check("odd--slug-", "odd_slug", "OddSlug");
    }

    /// Most of them mean something else to one of the languages.
    const SLUGS: [&str; 7] =
        ["fizz-buzz", "test", "unit-test", "test-run", "calendar", "type", "string"];

    #[test]
    fn ka7_agents_write_samples_where_they_may() {
        let samples =
            [Sample::Green, Sample::AssertionFails, Sample::MissingSymbol, Sample::SyntaxError];
        for runner in KataRunner::ALL {
            for slug in SLUGS {
                for file in samples.iter().flat_map(|sample| runner.sample(slug, *sample)) {
                    let may_write = runner.is_test(&file.path) != runner.is_source(&file.path);
                    assert!(may_write, "{} writes {}", runner.name(), file.path);
                }
                let sources = runner.skeleton(slug, "", &|_| true, Some((24, 0)));
                let count = sources.iter().filter(|file| runner.is_source(&file.path)).count();
                assert_eq!(count, 1, "{} {slug}", runner.name());
            }
        }
    }

    #[test]
    fn ka7_conventions_of_all_languages() {
        let mut text = String::new();
        for runner in KataRunner::ALL {
            let conventions = runner.conventions("fizz-buzz");
            let lines = conventions.lines().count();
            assert!((5..=10).contains(&lines), "{}: {lines} lines", runner.name());
            let _ = writeln!(text, "=== {}\n{conventions}", runner.title());
        }
        expect![[r#"
            === Rust
            - Tests are in `tests/fizz_buzz.rs`; further test files are `tests/NAME.rs`.
            - The implementation is in `src/lib.rs`, in modules below `src/` where that helps.
            - A test imports the code with `use fizz_buzz::…;`, so what it uses must be `pub`.
            - A test is a function with `#[test]`; it asserts with `assert_eq!`, `assert!` or `#[should_panic(expected = "…")]`.
            - A test is named for the behaviour, in snake case: `multiples_of_three_are_fizz`.
            - No tests in `src/`: no `#[cfg(test)]` module and no documentation test.
            - Only the standard library is there; nothing can be installed. `Cargo.toml` is fixed, edition 2021.

            === Python
            - Tests are in `tests/test_fizz_buzz.py`; further test files are `tests/test_NAME.py`.
            - The implementation is in `fizz_buzz.py`; further modules lie beside it. None has the name of a standard module.
            - A test file begins with `import unittest` and imports the code with `from fizz_buzz import …`.
            - A test is a method `test_…` of a class `FizzBuzzTest(unittest.TestCase)`.
            - It asserts with the methods of `TestCase`: `assertEqual`, `assertTrue`, `assertRaises`.
            - A test is named for the behaviour, in snake case: `test_multiples_of_three_are_fizz`.
            - Only the standard library is there, without pytest; nothing can be installed.

            === TypeScript
            - Tests are in `test/fizz-buzz.test.ts`; further test files are `test/NAME.test.ts`.
            - The implementation is in `src/fizz-buzz.ts`; further modules are `src/NAME.ts`.
            - All files are ES modules. A test imports the code with `import { … } from "../src/fizz-buzz.ts";`, with the extension `.ts`.
            - Types are imported with `import type { … }`. No enums, namespaces or parameter properties: they need more than removing types.
            - Write code that `tsc --strict` accepts; types may not be checked when the tests run.
            - A test file imports `test` and `assert`: `import test from "node:test";`, `import assert from "node:assert/strict";`.
            - A test is `test("…", () => { … })`; it asserts with `assert.equal`, `assert.deepEqual` or `assert.throws`.
            - The description of a test says the behaviour: `"multiples of three are Fizz"`. No two tests have the same one.
            - Only Node.js itself is there, without `@types/node`; nothing can be installed.

            === JavaScript
            - Tests are in `test/fizz-buzz.test.js`; further test files are `test/NAME.test.js`.
            - The implementation is in `src/fizz-buzz.js`; further modules are `src/NAME.js`.
            - All files are ES modules. A test imports the code with `import { … } from "../src/fizz-buzz.js";`, with the extension.
            - A test file imports `test` and `assert`: `import test from "node:test";`, `import assert from "node:assert/strict";`.
            - A test is `test("…", () => { … })`; it asserts with `assert.equal`, `assert.deepEqual` or `assert.throws`.
            - The description of a test says the behaviour: `"multiples of three are Fizz"`. No two tests have the same one.
            - Only Node.js itself is there; nothing can be installed.

            === Go
            - Tests are in `fizzbuzz_test.go`; further test files are `NAME_test.go` at the root.
            - The implementation is in `fizzbuzz.go`; further files are `NAME.go` at the root.
            - All files, tests too, begin with `package fizzbuzz`: a test calls the code directly.
            - A test file imports `testing` and what else it needs of the standard library.
            - A test is `func TestName(t *testing.T)`; it compares with `if` and fails with `t.Errorf` or `t.Fatalf`.
            - A failure says what came and what was expected: `t.Errorf("Double(2) = %d, want 4", got)`.
            - A test is named for the behaviour: `TestDoublesANumber`.
            - A test checks the length of a slice before it uses an index: one that panics in the test itself is refused.
            - Only the standard library is there; nothing can be installed. `go.mod` is fixed.

            === Java
            - Tests are in `test/FizzBuzzTest.java`; further test files are `test/NAMETest.java`.
            - The implementation is in `src/FizzBuzz.java`; further classes are `src/NAME.java`. No file has a `package` line.
            - A test file begins with `import static harness.Assert.*;` and `import harness.Test;`. There is no JUnit.
            - A test is a method with `@Test`, without parameters: `@Test void multiplesOfThreeAreFizz()`. `harness.BeforeEach` is there, too.
            - It asserts with `assertEquals`, `assertTrue`, `assertFalse`, `assertNull`, `assertArrayEquals` or `assertThrows`.
            - The expected value comes first: `assertEquals("Fizz", FizzBuzz.say(3))`.
            - A test is named for the behaviour, in camel case.
            - Only the JDK is there; nothing can be installed. `harness/` is fixed.

            === Ruby
            - Tests are in `test/fizz_buzz_test.rb`; further test files are `test/NAME_test.rb`.
            - The implementation is in `lib/fizz_buzz.rb`; further files are `lib/NAME.rb`.
            - A test file begins with `require "minitest/autorun"` and loads the code with `require_relative "../lib/fizz_buzz"`.
            - A test is a method `test_…` of a class `FizzBuzzTest < Minitest::Test`.
            - It asserts with `assert_equal`, `assert`, `assert_nil` or `assert_raises`; the expected value comes first.
            - A test is named for the behaviour, in snake case: `test_multiples_of_three_are_fizz`.
            - Only Ruby itself and minitest are there; nothing can be installed.

        "#]].assert_eq(&text);
    }
}

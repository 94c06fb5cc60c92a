//! Go: one module with one package at the root, its tests beside the code, run by `go test`.
//!
//! File names are made of the slug without dashes: to Go, what follows an underscore has a meaning (`_test`, `_windows`).

use rb_lang::Language;
use rb_toolchains::{Command, Detected, ReportKind, ReportLocation, Runner, Toolchain};

use super::{TestCommand, detected_test, is_word_of, parts, readme, stem, words};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "go",
    title: "Go",
    aliases: &["golang"],
    language: Language::Go,
    needs: &[("go", "install Go")],
    skeleton,
    is_test,
    is_source,
    test_command: Some(test_command),
    conventions,
    sample,
};

/// Keywords, and names that Go treats in a way of its own.
const RESERVED: &str = "\
    break case chan const continue default defer else fallthrough for func go goto if import init \
    interface internal main map package range return select struct switch testdata testing type \
    var vendor";

fn package(slug: &str) -> String {
    let name: String = words(slug).collect();
    if is_word_of(RESERVED, &name) { format!("{name}kata") } else { name }
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let (slug, package) = (project.slug, package(project.slug));
    let source = format!("// Package {package} is the kata {slug}.\npackage {package}\n");
    vec![
        TextFile::new(".gitignore", "*.test\n*.out\n"),
        readme(project, "Go", "Run the tests with `go test ./...`."),
        TextFile::new(format!("{package}.go"), source),
        // No package of the standard library has this prefix.
        TextFile::new("go.mod", format!("module kata/{slug}\n\ngo 1.18\n")),
    ]
}

/// Before there is a test, nothing shows that there will be some.
fn test_command(detected: &Detected) -> Command {
    let go_test = TestCommand {
        argv: &["go", "test", "./..."],
        reporting: &["go", "test", "-json", "./..."],
        kind: ReportKind::GoTestJson,
        place: ReportLocation::Stdout,
        runner: Some(Runner::GoTest),
        needs: &["go"],
        origin: "go.mod",
    };
    detected_test(detected, Toolchain::Go).unwrap_or_else(|| go_test.into_command())
}

fn is_test(path: &str) -> bool {
    let name = name_of(path);
    name.and_then(|name| name.strip_suffix("_test")).is_some_and(|name| !name.is_empty())
}

fn is_source(path: &str) -> bool {
    // Case does not matter on every disk.
    name_of(path).is_some_and(|name| !name.to_ascii_lowercase().ends_with("_test"))
}

/// The name without extension of a file that Go compiles.
fn name_of(path: &str) -> Option<&str> {
    let parts = parts(path)?;
    let is_left_out = |part: &&str| part.starts_with('_') || matches!(*part, "vendor" | "testdata");
    let name = parts.last().copied().and_then(|name| stem(name, "go"));
    name.filter(|_| !parts.iter().any(is_left_out))
}

fn conventions(slug: &str) -> String {
    let package = package(slug);
    format!(
        "\
- Tests are in `{package}_test.go`; further test files are `NAME_test.go` at the root.
- The implementation is in `{package}.go`; further files are `NAME.go` at the root.
- All files, tests too, begin with `package {package}`: a test calls the code directly.
- A test file imports `testing` and what else it needs of the standard library.
- A test is `func TestName(t *testing.T)`; it compares with `if` and fails with `t.Errorf` or `t.Fatalf`.
- A failure says what came and what was expected: `t.Errorf(\"Double(2) = %d, want 4\", got)`.
- A test is named for the behaviour: `TestDoublesANumber`.
- A test checks the length of a slice before it uses an index: one that panics in the test itself is refused.
- Only the standard library is there; nothing can be installed. `go.mod` is fixed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let package = package(slug);
    let source =
        format!("package {package}\n\nfunc Double(number int) int {{\n\treturn 2 * number\n}}\n");
    let source = TextFile::new(format!("{package}.go"), source);
    let test = |condition: &str| {
        let text = format!(
            "\
package {package}

import \"testing\"

func TestDoublesANumber(t *testing.T) {{
\tif {condition} {{
\t\tt.Errorf(\"Double(2) = %d\", Double(2))
\t}}
}}
"
        );
        TextFile::new(format!("{package}_test.go"), text)
    };
    match sample {
        Sample::Green => vec![source, test("Double(2) != 4")],
        Sample::AssertionFails => vec![source, test("Double(2) != 5")],
        Sample::MissingSymbol => vec![test("Double(2) != 4")],
        Sample::SyntaxError => vec![source, test("Double(2 != 4")],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::package;
    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_go_paths() {
        checks::paths(
            Runner::Go,
            &["fizzbuzz_test.go", "bank/account_test.go"],
            &["fizzbuzz.go", "bank/account.go"],
            &[
                "go.mod",
                "go.sum",
                "go.work",
                "_test.go",
                "A_TEST.go",
                "_ignored.go",
                "vendor/a/a.go",
                "testdata/a.go",
                "bank/testdata/a_test.go",
                "a.c",
                "a.s",
                "go",
            ],
        );
    }

    #[test]
    fn ka7_go_packages_have_names_without_another_meaning() {
        let check = |slug: &str, name: &str| assert_eq!(package(slug), name);
        check("fizz-buzz", "fizzbuzz");
        check("unit-test", "unittest");
        check("range", "rangekata");
        check("main", "mainkata");
    }

    #[test]
    fn ka7_go_project() {
        checks::skeleton(
            Runner::Go,
            "fizz-buzz",
            &["go"],
            None,
            &expect![[r#"
            === .gitignore
            *.test
            *.out

            === README.md
            # Fizz Buzz

            A code kata in Go, developed test-first.

            Run the tests with `go test ./...`.

            === fizzbuzz.go
            // Package fizzbuzz is the kata fizz-buzz.
            package fizzbuzz

            === go.mod
            module kata/fizz-buzz

            go 1.18

        "#]],
        );
    }
}

//! JavaScript: modules in `src/`, tests in `test/`, run by node's own test runner.
//!
//! `node --test` gets no arguments: node 20 takes them for folders, node 22 for patterns. Without any, both find the same files,
//! so the name of a source must not look like that of a test.

use rb_lang::Language;

use super::{parts, readme, stem};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "javascript",
    title: "JavaScript",
    aliases: &["js", "node", "nodejs", "node.js", "ecmascript"],
    language: Language::JavaScript,
    needs: &[("node", "install Node.js 18.15 or newer")],
    skeleton,
    is_test,
    is_source,
    test_command: None,
    conventions,
    sample,
};

/// The name of the module without its extension.
pub(super) fn module(slug: &str) -> String {
    if is_test_name(slug) { format!("kata-{slug}-code") } else { slug.to_owned() }
}

/// Whether node takes a file of this name, without extension, for a test wherever it lies.
fn is_test_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "test"
        || name.starts_with("test-")
        || [".test", "-test", "_test"].iter().any(|end| name.ends_with(end))
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let slug = project.slug;
    let manifest = format!(
        "\
{{
  \"name\": \"{slug}\",
  \"version\": \"0.1.0\",
  \"private\": true,
  \"type\": \"module\",
  \"scripts\": {{
    \"test\": \"node --test\"
  }}
}}
"
    );
    vec![
        TextFile::new(".gitignore", "/node_modules/\n"),
        TextFile::new("package.json", manifest),
        readme(project, "JavaScript", "Run the tests with `npm test`."),
        TextFile::new(format!("src/{}.js", module(slug)), empty_module(slug)),
    ]
}

/// A module from which nothing can be imported yet.
pub(super) fn empty_module(slug: &str) -> String {
    format!("// The kata {slug}.\nexport {{}};\n")
}

fn is_test(path: &str) -> bool {
    is_test_file(path, "js")
}

fn is_source(path: &str) -> bool {
    is_source_file(path, "js")
}

/// `test/NAME.test.js`, also in folders below `test`.
pub(super) fn is_test_file(path: &str, extension: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    let is_folder = matches!(parts.as_slice(), ["test", _, ..]) && !has_packages(&parts);
    let name = parts.last().and_then(|name| stem(name, extension));
    is_folder && name.and_then(|name| stem(name, "test")).is_some()
}

/// Below `src`, unless node takes it for a test.
pub(super) fn is_source_file(path: &str, extension: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    let is_folder = matches!(parts.as_slice(), ["src", _, ..]) && !has_packages(&parts);
    let is_for_tests = parts.iter().any(|part| part.eq_ignore_ascii_case("test"));
    let name = parts.last().and_then(|name| stem(name, extension));
    is_folder && !is_for_tests && name.is_some_and(|name| !is_test_name(name))
}

fn has_packages(parts: &[&str]) -> bool {
    parts.iter().any(|part| part.eq_ignore_ascii_case("node_modules"))
}

fn conventions(slug: &str) -> String {
    let module = module(slug);
    format!(
        "\
- Tests are in `test/{module}.test.js`; further test files are `test/NAME.test.js`.
- The implementation is in `src/{module}.js`; further modules are `src/NAME.js`.
- All files are ES modules. A test imports the code with `import {{ … }} from \"../src/{module}.js\";`, with the extension.
- A test file imports `test` and `assert`: `import test from \"node:test\";`, `import assert from \"node:assert/strict\";`.
- A test is `test(\"…\", () => {{ … }})`; it asserts with `assert.equal`, `assert.deepEqual` or `assert.throws`.
- The description of a test says the behaviour: `\"multiples of three are Fizz\"`. No two tests have the same one.
- Only Node.js itself is there; nothing can be installed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let source = "export function double(number) {\n  return 2 * number;\n}\n";
    sample_files(&module(slug), "js", source, sample)
}

/// The same tests for both languages of node.
pub(super) fn sample_files(
    module: &str,
    extension: &str,
    source: &str,
    sample: Sample,
) -> Vec<TextFile> {
    let source = TextFile::new(format!("src/{module}.{extension}"), source);
    let test = |assertion: &str| {
        let text = format!(
            "\
import test from \"node:test\";
import assert from \"node:assert/strict\";
import {{ double }} from \"../src/{module}.{extension}\";

test(\"doubles a number\", () => {{
  {assertion}
}});
"
        );
        TextFile::new(format!("test/{module}.test.{extension}"), text)
    };
    match sample {
        Sample::Green => vec![source, test("assert.equal(double(2), 4);")],
        Sample::AssertionFails => vec![source, test("assert.equal(double(2), 5);")],
        Sample::MissingSymbol => vec![test("assert.equal(double(2), 4);")],
        Sample::SyntaxError => vec![source, test("assert.equal(double(2), 4;")],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_javascript_paths() {
        checks::paths(
            Runner::Javascript,
            &["test/fizz-buzz.test.js", "test/rules/fizz.test.js"],
            &["src/fizz-buzz.js", "src/rules/fizz.js", "src/latest.js"],
            &[
                "package.json",
                "package-lock.json",
                "eslint.config.js",
                "index.js",
                "test/helpers.js",
                "test/.test.js",
                "test/a.test.ts",
                "test/a.test.mjs",
                "test/node_modules/a.test.js",
                "src/a.test.js",
                "src/a-test.js",
                "src/test-a.js",
                "src/test.js",
                "src/test/a.js",
                "src/Test/a.js",
                "src/node_modules/a/index.js",
                "src/data.json",
                "src/a.mjs",
                "node_modules/a/index.js",
                "lib/a.js",
            ],
        );
    }

    #[test]
    fn ka7_javascript_project() {
        let have = &["node"];
        let node = Some((20, 0));
        checks::skeleton(
            Runner::Javascript,
            "fizz-buzz",
            have,
            node,
            &expect![[r#"
            === .gitignore
            /node_modules/

            === README.md
            # Fizz Buzz

            A code kata in JavaScript, developed test-first.

            Run the tests with `npm test`.

            === package.json
            {
              "name": "fizz-buzz",
              "version": "0.1.0",
              "private": true,
              "type": "module",
              "scripts": {
                "test": "node --test"
              }
            }

            === src/fizz-buzz.js
            // The kata fizz-buzz.
            export {};

        "#]],
        );
        checks::skeleton(
            Runner::Javascript,
            "unit-test",
            have,
            node,
            &expect![[r#"
            === .gitignore
            /node_modules/

            === README.md
            # Fizz Buzz

            A code kata in JavaScript, developed test-first.

            Run the tests with `npm test`.

            === package.json
            {
              "name": "unit-test",
              "version": "0.1.0",
              "private": true,
              "type": "module",
              "scripts": {
                "test": "node --test"
              }
            }

            === src/kata-unit-test-code.js
            // The kata unit-test.
            export {};

        "#]],
        );
    }
}

//! What a file is there for, as its path tells: the product itself, or what stands around it.
//!
//! Shared by importance, architecture and test links, so that they agree on what a test is. It looks at the path alone;
//! a product that lives in a folder called `examples` is taken for an example.

use std::sync::LazyLock;

use rb_lang::Language;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The words are those of folders and file names; the first that fits from the top of `Role::of` wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    Product,
    /// Scripts, benchmarks, build servers: for those who work on the product.
    Tooling,
    Docs,
    /// Examples, demos, and the templates that a generator copies.
    Example,
    /// Tests and all that only they use: fixtures, mocks.
    Test,
    /// Somebody else's code, or made by a program.
    Vendored,
}

const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "externals",
    "node_modules",
    "bower_components",
    "dist",
    "pods",
    "compiled",
    "generated",
    "__generated__",
    "site-packages",
];
const TEST: &[&str] = &[
    "tests",
    "__tests__",
    "spec",
    "specs",
    "__specs__",
    "testdata",
    "test-data",
    "test_data",
    "fixture",
    "fixtures",
    "__fixtures__",
    "mock",
    "mocks",
    "__mocks__",
    "e2e",
    "cypress",
    "playwright",
    "androidtest",
    "testutil",
    "testutils",
    "test-utils",
    "test_utils",
    "__snapshots__",
    "unittest",
    "unittests",
];
const EXAMPLE: &[&str] = &[
    "example",
    "examples",
    "_examples",
    "demo",
    "demos",
    "sample",
    "samples",
    "playground",
    "playgrounds",
    "sandbox",
    "tutorial",
    "tutorials",
    "boilerplate",
    "cookiecutter",
    "stories",
    "__stories__",
    "project_template",
    "app_template",
];
const DOCS: &[&str] = &["doc", "docs", "documentation", "website"];
const TOOLING: &[&str] = &[
    "script",
    "scripts",
    "tool",
    "tools",
    "hack",
    "ci",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "perf",
    "fuzz",
    "xtask",
    "contrib",
    "packaging",
    "etc",
    "support",
];
/// Below these the words of `DOCS` and `TOOLING` name parts of the product: `src/tools`, `django/contrib`.
const SOURCE: &[&str] = &["src", "lib", "app", "internal", "pkg", "source", "sources"];

static WORDS: LazyLock<FxHashMap<&str, Role>> = LazyLock::new(|| {
    let rows = [
        (VENDORED, Role::Vendored),
        (TEST, Role::Test),
        (EXAMPLE, Role::Example),
        (DOCS, Role::Docs),
        (TOOLING, Role::Tooling),
    ];
    rows.into_iter().flat_map(|(words, role)| words.iter().map(move |word| (*word, role))).collect()
});

impl Role {
    pub fn of(path: &str) -> Role {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut role = if is_test_name(name) { Role::Test } else { Role::of_name(name) };
        let mut above = Above::default();
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            // The folders of a package name say who wrote it: `org/springframework/samples`.
            if above.is_in_packages {
                break;
            }
            role = role.max(of_folder(folder, &above, name));
            above.is_in_packages =
                above.is_in_main && matches!(folder, "java" | "kotlin" | "scala");
            above.is_in_main = above.is_in_source && folder == "main";
            above.is_in_source |= SOURCE.contains(&folder);
            above.depth += 1;
        }
        role
    }

    fn of_name(name: &str) -> Role {
        if name.ends_with(".min.js") || name.ends_with(".min.css") {
            Role::Vendored
        } else if matches!(name, "gradlew" | "mvnw") {
            Role::Tooling
        } else if name.contains(".stories.") {
            Role::Example
        } else {
            Role::Product
        }
    }
}

/// Where a folder stands.
#[derive(Default)]
struct Above {
    depth: u32,
    is_in_source: bool,
    is_in_main: bool,
    is_in_packages: bool,
}

fn of_folder(folder: &str, above: &Above, name: &str) -> Role {
    let lower = folder.to_ascii_lowercase();
    let word = WORDS.get(&*lower).copied();
    match word {
        Some(Role::Vendored | Role::Test | Role::Example) => word.unwrap_or(Role::Product),
        _ if is_test_folder(folder, &lower, above, name) => Role::Test,
        _ if lower.starts_with("template-") || (lower == "templates" && is_script(name)) => {
            Role::Example
        }
        Some(Role::Docs) if !above.is_in_source => Role::Docs,
        Some(Role::Tooling) if !above.is_in_source && is_outermost(&lower, above) => Role::Tooling,
        _ if lower.starts_with("bench") || lower.starts_with("perf-") || is_hidden(folder) => {
            Role::Tooling
        }
        _ => Role::Product,
    }
}

/// `contrib` and its like say "beside the product" at the top only; deeper they are packages like others.
fn is_outermost(folder: &str, above: &Above) -> bool {
    above.depth == 0 || !matches!(folder, "contrib" | "etc" | "tool" | "script" | "ci" | "support")
}

/// A `test` folder inside a Python package may be what the package offers for testing (`django/test`).
fn is_test_folder(folder: &str, lower: &str, above: &Above, name: &str) -> bool {
    if lower == "test" {
        return above.depth == 0 || !has_extension(name, &["py", "pyi"]);
    }
    lower.starts_with("__test")
        || (above.depth == 0
            && (lower == "t" || lower.starts_with("test-") || lower.starts_with("tests-")))
        || ["-test", "-tests", "_test", "_tests", "-e2e", "-fixtures"]
            .iter()
            .any(|end| lower.ends_with(end))
        || folder.ends_with(".Tests")
        || folder.ends_with(".Test")
}

fn is_hidden(folder: &str) -> bool {
    folder.len() > 1 && folder.starts_with('.')
}

/// Templates of a web page are part of the product; templates that are themselves programs are copied by a generator.
fn is_script(name: &str) -> bool {
    has_extension(name, &["js", "jsx", "ts", "tsx", "mjs", "mts", "css"]) || name == "package.json"
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// Does the name alone say that this is a test?
pub(crate) fn is_test_name(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let code = Code::of(extension);
    matches!(code, Some(Code::Cased | Code::Plain)) && subject_of(stem, extension).is_some()
        || name == "conftest.py"
        || code.is_some() && matches!(stem, "test" | "tests")
        || [".test.", ".spec.", ".e2e.", ".cy.", "-spec.", "-test."]
            .iter()
            .any(|mark| name.contains(mark))
}

/// What a test is about, by the test's own name: `foo` of `foo.test.ts`, `test_foo.py`, `foo_test.go`, `FooTest.java`.
/// `None` where the name is not that of a test.
pub(crate) fn subject_of<'a>(stem: &'a str, extension: &str) -> Option<&'a str> {
    const ENDS: &[&str] =
        &[".test", ".spec", ".e2e", ".cy", "_test", "_tests", "_spec", "-test", "-spec", ".unit"];
    const CASED_ENDS: &[&str] = &["Tests", "Test", "TestCase", "Spec", "IT"];
    let code = Code::of(extension)?;
    let cut = |ends: &[&str]| ends.iter().find_map(|end| stem.strip_suffix(end));
    let plain =
        cut(ENDS).or_else(|| stem.strip_prefix("test_").or_else(|| stem.strip_prefix("test-")));
    let cased = || match code {
        Code::Cased => cut(CASED_ENDS).or_else(|| {
            stem.strip_prefix("Test").filter(|rest| rest.starts_with(|c: char| c.is_uppercase()))
        }),
        Code::Plain => None,
    };
    plain.or_else(cased).filter(|subject| !subject.is_empty())
}

/// Is a file in this language part of a program, rather than prose, data or configuration?
pub(crate) fn is_code(language: Language) -> bool {
    !matches!(
        language,
        Language::Markdown
            | Language::ReStructuredText
            | Language::Text
            | Language::Json
            | Language::Yaml
            | Language::Toml
            | Language::Xml
            | Language::Ini
            | Language::Css
            | Language::Scss
            | Language::Html
            | Language::Make
            | Language::CMake
            | Language::Docker
    )
}

/// Source code, told apart from data of the same name (`foo_test.json`), by how its tests are named.
enum Code {
    /// A class per file: `FooTest`.
    Cased,
    Plain,
}

impl Code {
    fn of(extension: &str) -> Option<Code> {
        match extension {
            "java" | "kt" | "cs" | "php" | "swift" | "scala" | "groovy" => Some(Code::Cased),
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "mts" | "cjs" | "cts" | "py" | "rs" | "go"
            | "rb" | "ex" | "exs" | "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "lua" | "sh"
            | "bats" | "dart" | "vue" | "svelte" | "pl" | "t" => Some(Code::Plain),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(role: Role, paths: &[&str]) {
        for path in paths {
            assert_eq!(Role::of(path), role, "{path}");
        }
    }

    #[test]
    fn ix10_a_role_is_told_by_folders_and_name() {
        check(
            Role::Product,
            &[
                "src/main.rs",
                "django/contrib/admin/options.py",
                "django/test/client.py",
                "src/tools/edit.ts",
                "app/docs/page.tsx",
                "contest.py",
                "src/Contest.java",
                "latest.js",
                "pages/testimonials.tsx",
                "app/templates/base.html",
                "testimony_data.json",
                "src/main/java/org/a/samples/mock/A.java",
                "lib/support/a.rb",
            ],
        );
        check(
            Role::Test,
            &[
                "tests/a.rs",
                "test/client.py",
                "pkg/a/a_test.go",
                "src/a.test.ts",
                "src/a.spec.tsx",
                "test_a.py",
                "a/tests.py",
                "src/test/java/A.java",
                "src/ATest.java",
                "core/ATests.cs",
                "spec/a_spec.rb",
                "src/__tests__/a.ts",
                "src/a/fixtures/app/package.json",
                "conftest.py",
                "Shop.Tests/Cart.cs",
                "test/x.js",
                "lib/test/x.js",
                "a/__testfixtures__/x.js",
                "t/a.sh",
                "examples/a.test.ts",
            ],
        );
        check(
            Role::Example,
            &[
                "examples/a/src/main.rs",
                "playground/x.ts",
                "src/Button.stories.tsx",
                "packages/create-x/template-react/src/App.tsx",
                "packages/create/templates/app/page.tsx",
            ],
        );
        check(Role::Docs, &["docs/conf.py", "website/pages/index.tsx"]);
        check(
            Role::Tooling,
            &[
                "scripts/release.ts",
                ".github/workflows/ci.yml",
                "packages/a/scripts/build.ts",
                "contrib/hooks/x.sh",
                "benches/a.rs",
                "gradlew",
                "turbopack/benchmark-apps/app.js",
            ],
        );
        check(
            Role::Vendored,
            &[
                "vendor/github.com/a/b.go",
                "a/node_modules/b/index.js",
                "js/jquery.min.js",
                "vendor/x/tests/a_test.go",
                "dist/index.js",
            ],
        );
    }

    #[test]
    fn ix10_the_subject_of_a_test_is_in_its_name() {
        #[track_caller]
        fn check(name: &str, expected: Option<&str>) {
            let (stem, extension) = name.rsplit_once('.').unwrap();
            assert_eq!(subject_of(stem, extension), expected, "{name}");
        }
        check("foo.test.ts", Some("foo"));
        check("foo-bar.spec.tsx", Some("foo-bar"));
        check("test_foo.py", Some("foo"));
        check("foo_test.go", Some("foo"));
        check("FooTest.java", Some("Foo"));
        check("TestFoo.java", Some("Foo"));
        check("Testimony.java", None);
        check("foo_spec.rb", Some("foo"));
        check("foo_test.json", None);
        check("test_.py", None);
        check("foo.ts", None);
    }
}

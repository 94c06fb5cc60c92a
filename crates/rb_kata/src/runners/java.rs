//! Java: a plain JDK, without Maven or Gradle. Code is in `src/`, tests are in `test/`.
//!
//! The project brings a small test framework in `harness/`, whose annotations and assertions are named as in `JUnit`. It is
//! neither test nor source, so no agent may write it. `harness/test.sh` compiles the code, then the tests, and runs them.

use rb_lang::Language;
use rb_toolchains::{Command, Detected, ReportKind, ReportLocation, Toolchain};

use super::{TestCommand, detected_test, is_word_of, parts, pascal_case, readme, stem};
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "java",
    title: "Java",
    aliases: &["jdk"],
    language: Language::Java,
    needs: &[("javac", "install a JDK, 11 or newer"), ("java", "install a JDK, 11 or newer")],
    skeleton,
    is_test,
    is_source,
    test_command: Some(test_command),
    conventions,
    sample,
};

const HARNESS: [(&str, &str); 5] = [
    ("harness/Assert.java", include_str!("java/Assert.java")),
    ("harness/BeforeEach.java", include_str!("java/BeforeEach.java")),
    ("harness/RunTests.java", include_str!("java/RunTests.java")),
    ("harness/Test.java", include_str!("java/Test.java")),
    ("harness/test.sh", include_str!("java/test.sh")),
];

/// Classes that every file sees, and those of the harness.
const RESERVED: &str = "\
    Appendable Assert AssertionError AutoCloseable BeforeEach Boolean Byte Character CharSequence \
    Class ClassLoader Cloneable Comparable Compiler Deprecated Double Enum Error Exception Float \
    Integer Iterable Long Math Module Number Object Override Package Process Readable Record \
    Runnable Runtime RunTests Short StackWalker String StringBuffer StringBuilder System Test \
    Thread ThreadGroup ThreadLocal Throwable Void";

fn class(slug: &str) -> String {
    let name = pascal_case(slug);
    if is_word_of(RESERVED, &name) { format!("{name}Kata") } else { name }
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let (slug, class) = (project.slug, class(project.slug));
    let source = format!("/** The kata {slug}. */\npublic class {class} {{\n}}\n");
    let mut files: Vec<TextFile> =
        HARNESS.iter().map(|(path, text)| TextFile::new(*path, *text)).collect();
    files.extend([
        TextFile::new(".gitignore", "/build/\n"),
        readme(project, "Java", "Run the tests with `sh harness/test.sh`."),
        TextFile::new(format!("src/{class}.java"), source),
    ]);
    files
}

fn test_command(detected: &Detected) -> Command {
    let harness = TestCommand {
        argv: &["sh", "harness/test.sh"],
        reporting: &["sh", "harness/test.sh", "{report}"],
        kind: ReportKind::JunitXml,
        place: ReportLocation::File,
        runner: None,
        needs: &["sh", "javac", "java"],
        origin: "harness/test.sh",
    };
    detected_test(detected, Toolchain::Java).unwrap_or_else(|| harness.into_command())
}

/// In our folder, or in that of Maven and Gradle.
fn is_test(path: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    let is_folder = matches!(parts.as_slice(), ["test", _, ..] | ["src", "test", "java", _, ..]);
    is_folder && is_class(&parts)
}

fn is_source(path: &str) -> bool {
    let Some(parts) = parts(path) else { return false };
    // Case does not matter on every disk.
    let is_for_tests = parts.get(1).is_some_and(|folder| folder.eq_ignore_ascii_case("test"));
    matches!(parts.as_slice(), ["src", _, ..]) && !is_for_tests && is_class(&parts)
}

/// A class, not the description of a module, which would hide the harness from tests.
fn is_class(parts: &[&str]) -> bool {
    let name = parts.last().and_then(|name| stem(name, "java"));
    name.is_some_and(|name| !name.contains(['-', '.']))
}

fn conventions(slug: &str) -> String {
    let class = class(slug);
    format!(
        "\
- Tests are in `test/{class}Test.java`; further test files are `test/NAMETest.java`.
- The implementation is in `src/{class}.java`; further classes are `src/NAME.java`. No file has a `package` line.
- A test file begins with `import static harness.Assert.*;` and `import harness.Test;`. There is no JUnit.
- A test is a method with `@Test`, without parameters: `@Test void multiplesOfThreeAreFizz()`. `harness.BeforeEach` is there, too.
- It asserts with `assertEquals`, `assertTrue`, `assertFalse`, `assertNull`, `assertArrayEquals` or `assertThrows`.
- The expected value comes first: `assertEquals(\"Fizz\", {class}.say(3))`.
- A test is named for the behaviour, in camel case.
- Only the JDK is there; nothing can be installed. `harness/` is fixed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let class = class(slug);
    let source = format!(
        "\
public class {class} {{
    public static int twice(int number) {{
        return 2 * number;
    }}
}}
"
    );
    let source = TextFile::new(format!("src/{class}.java"), source);
    let test = |assertion: String| {
        let text = format!(
            "\
import static harness.Assert.*;

import harness.Test;

class {class}Test {{
    @Test
    void doublesANumber() {{
        {assertion}
    }}
}}
"
        );
        TextFile::new(format!("test/{class}Test.java"), text)
    };
    let equal = |result: i32| format!("assertEquals({result}, {class}.twice(2));");
    match sample {
        Sample::Green => vec![source, test(equal(4))],
        Sample::AssertionFails => vec![source, test(equal(5))],
        Sample::MissingSymbol => vec![test(equal(4))],
        Sample::SyntaxError => vec![source, test("assertEquals(4, ;".to_owned())],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_java_paths() {
        checks::paths(
            Runner::Java,
            &["test/FizzBuzzTest.java", "test/bank/AccountTest.java", "src/test/java/ATest.java"],
            &["src/FizzBuzz.java", "src/bank/Account.java", "src/main/java/bank/Account.java"],
            &[
                "harness/Assert.java",
                "harness/RunTests.java",
                "harness/test.sh",
                "src/module-info.java",
                "src/package-info.java",
                "src/Test/java/ATest.java",
                "src/test/resources/a.txt",
                "src/a.properties",
                "FizzBuzz.java",
                "pom.xml",
                "build.gradle",
                "build/main/A.java",
                "test",
            ],
        );
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one snapshot of all files")]
    fn ka7_java_project() {
        checks::skeleton(
            Runner::Java,
            "fizz-buzz",
            &["javac", "java"],
            None,
            &expect![[r#"
            === .gitignore
            /build/

            === README.md
            # Fizz Buzz

            A code kata in Java, developed test-first.

            Run the tests with `sh harness/test.sh`.

            === harness/Assert.java
            …

            === harness/BeforeEach.java
            package harness;

            import java.lang.annotation.ElementType;
            import java.lang.annotation.Retention;
            import java.lang.annotation.RetentionPolicy;
            import java.lang.annotation.Target;

            /** Marks a method that runs before each test of its class. */
            @Retention(RetentionPolicy.RUNTIME)
            @Target(ElementType.METHOD)
            public @interface BeforeEach {
            }

            === harness/RunTests.java
            …

            === harness/Test.java
            package harness;

            import java.lang.annotation.ElementType;
            import java.lang.annotation.Retention;
            import java.lang.annotation.RetentionPolicy;
            import java.lang.annotation.Target;

            /** Marks a method without parameters as a test. */
            @Retention(RetentionPolicy.RUNTIME)
            @Target(ElementType.METHOD)
            public @interface Test {
            }

            === harness/test.sh
            #!/bin/sh
            # Compiles the code and its tests and runs the tests: `sh harness/test.sh`.
            # With the name of a file as argument, it writes a JUnit report there.
            set -eu
            cd "$(dirname "$0")/.."
            rm -rf build
            mkdir -p build/main build/test
            find harness src -name '*.java' > build/main.txt
            javac -encoding UTF-8 -proc:none -cp build/main -d build/main @build/main.txt
            if [ -d test ]; then
                find test -name '*.java' > build/test.txt
                if [ -s build/test.txt ]; then
                    javac -encoding UTF-8 -proc:none -cp build/main -d build/test @build/test.txt
                fi
            fi
            exec java -ea -cp build/main:build/test harness.RunTests build/test "$@"

            === src/FizzBuzz.java
            /** The kata fizz-buzz. */
            public class FizzBuzz {
            }

        "#]],
        );
        checks::skeleton(
            Runner::Java,
            "string",
            &["javac", "java"],
            None,
            &expect![[r#"
            === .gitignore
            /build/

            === README.md
            # Fizz Buzz

            A code kata in Java, developed test-first.

            Run the tests with `sh harness/test.sh`.

            === harness/Assert.java
            …

            === harness/BeforeEach.java
            package harness;

            import java.lang.annotation.ElementType;
            import java.lang.annotation.Retention;
            import java.lang.annotation.RetentionPolicy;
            import java.lang.annotation.Target;

            /** Marks a method that runs before each test of its class. */
            @Retention(RetentionPolicy.RUNTIME)
            @Target(ElementType.METHOD)
            public @interface BeforeEach {
            }

            === harness/RunTests.java
            …

            === harness/Test.java
            package harness;

            import java.lang.annotation.ElementType;
            import java.lang.annotation.Retention;
            import java.lang.annotation.RetentionPolicy;
            import java.lang.annotation.Target;

            /** Marks a method without parameters as a test. */
            @Retention(RetentionPolicy.RUNTIME)
            @Target(ElementType.METHOD)
            public @interface Test {
            }

            === harness/test.sh
            #!/bin/sh
            # Compiles the code and its tests and runs the tests: `sh harness/test.sh`.
            # With the name of a file as argument, it writes a JUnit report there.
            set -eu
            cd "$(dirname "$0")/.."
            rm -rf build
            mkdir -p build/main build/test
            find harness src -name '*.java' > build/main.txt
            javac -encoding UTF-8 -proc:none -cp build/main -d build/main @build/main.txt
            if [ -d test ]; then
                find test -name '*.java' > build/test.txt
                if [ -s build/test.txt ]; then
                    javac -encoding UTF-8 -proc:none -cp build/main -d build/test @build/test.txt
                fi
            fi
            exec java -ea -cp build/main:build/test harness.RunTests build/test "$@"

            === src/StringKata.java
            /** The kata string. */
            public class StringKata {
            }

        "#]],
        );
    }
}

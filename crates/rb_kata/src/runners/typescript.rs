//! TypeScript: modules in `src/`, tests in `test/`, run by node's own test runner.
//!
//! A node that strips types runs the files as they are. For an older one they are compiled into `build/` first, by `tsc` from
//! `PATH` or from `node_modules`. Imports end in `.ts` in both cases. The types of what tests use are part of the project, so
//! that none must be installed.

use rb_lang::Language;

use super::javascript::{empty_module, is_source_file, is_test_file, module, sample_files};
use super::readme;
use crate::runner::{NewProject, Sample, Spec};
use crate::text_file::TextFile;

pub(crate) static RUNNER: Spec = Spec {
    name: "typescript",
    title: "TypeScript",
    aliases: &["ts"],
    language: Language::TypeScript,
    needs: &[("node", "install Node.js 22.18 or newer, which runs TypeScript by itself")],
    skeleton,
    is_test,
    is_source,
    test_command: None,
    conventions,
    sample,
};

/// How node gets to run TypeScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Execution {
    /// Node strips the types.
    Native,
    /// `tsc` of this machine compiles.
    Compiler,
    /// As `Compiler`, with one that must be installed first.
    LocalCompiler,
}

impl Execution {
    fn of(project: &NewProject<'_>) -> Execution {
        let strips_types = project.node.is_some_and(|version| match version {
            (22, minor) => minor >= 18,
            (23, minor) => minor >= 6,
            (major, _) => major > 23,
        });
        match (strips_types, (project.have)("tsc")) {
            (true, _) => Execution::Native,
            (false, true) => Execution::Compiler,
            (false, false) => Execution::LocalCompiler,
        }
    }

    /// The script `test` of `package.json`, as JSON. What an earlier run compiled is removed: its test may be gone.
    fn script(self) -> &'static str {
        match self {
            Execution::Native => r#""node --test \"test/**/*.test.ts\"""#,
            Execution::Compiler | Execution::LocalCompiler => {
                r#""rm -rf build && tsc -p . && node --test""#
            }
        }
    }

    /// Further keys of `package.json`.
    fn dependencies(self) -> &'static str {
        match self {
            Execution::Native | Execution::Compiler => "",
            Execution::LocalCompiler => {
                ",\n  \"devDependencies\": {\n    \"typescript\": \">=5.7\"\n  }"
            }
        }
    }

    /// Whether and how the compiler writes files.
    fn output(self) -> &'static str {
        match self {
            Execution::Native => {
                "    \"noEmit\": true,\n    \"allowImportingTsExtensions\": true,\n"
            }
            Execution::Compiler | Execution::LocalCompiler => {
                "    \"rootDir\": \".\",\n    \"outDir\": \"build\",\n    \"noEmitOnError\": true,\n    \
                 \"rewriteRelativeImportExtensions\": true,\n"
            }
        }
    }

    fn instructions(self) -> &'static str {
        match self {
            Execution::Native => {
                "Run the tests with `npm test`. They need Node.js 22.18 or newer, which runs TypeScript by itself."
            }
            Execution::Compiler => {
                "Run the tests with `npm test`. They need the TypeScript compiler `tsc`, 5.7 or newer."
            }
            Execution::LocalCompiler => {
                "Install the TypeScript compiler with `npm install`, then run the tests with `npm test`."
            }
        }
    }
}

fn skeleton(project: &NewProject<'_>) -> Vec<TextFile> {
    let (slug, execution) = (project.slug, Execution::of(project));
    let (script, dependencies) = (execution.script(), execution.dependencies());
    let manifest = format!(
        "\
{{
  \"name\": \"{slug}\",
  \"version\": \"0.1.0\",
  \"private\": true,
  \"type\": \"module\",
  \"scripts\": {{
    \"test\": {script}
  }}{dependencies}
}}
"
    );
    let output = execution.output();
    let settings = format!(
        "\
{{
  \"compilerOptions\": {{
    \"target\": \"es2022\",
    \"lib\": [\"es2022\"],
    \"module\": \"nodenext\",
    \"strict\": true,
    \"verbatimModuleSyntax\": true,
    \"skipLibCheck\": true,
{output}    \"types\": []
  }},
  \"include\": [\"src\", \"test\", \"types\"]
}}
"
    );
    vec![
        TextFile::new(".gitignore", "/build/\n/node_modules/\n/package-lock.json\n"),
        TextFile::new("package.json", manifest),
        readme(project, "TypeScript", execution.instructions()),
        TextFile::new(format!("src/{}.ts", module(slug)), empty_module(slug)),
        TextFile::new("tsconfig.json", settings),
        TextFile::new("types/node.d.ts", include_str!("typescript/node.d.ts")),
    ]
}

fn is_test(path: &str) -> bool {
    is_test_file(path, "ts")
}

/// Declarations alone would change what compiles, not what runs.
fn is_source(path: &str) -> bool {
    is_source_file(path, "ts") && !path.to_ascii_lowercase().ends_with(".d.ts")
}

fn conventions(slug: &str) -> String {
    let module = module(slug);
    format!(
        "\
- Tests are in `test/{module}.test.ts`; further test files are `test/NAME.test.ts`.
- The implementation is in `src/{module}.ts`; further modules are `src/NAME.ts`.
- All files are ES modules. A test imports the code with `import {{ … }} from \"../src/{module}.ts\";`, with the extension `.ts`.
- Types are imported with `import type {{ … }}`. No enums, namespaces or parameter properties: they need more than removing types.
- Write code that `tsc --strict` accepts; types may not be checked when the tests run.
- A test file imports `test` and `assert`: `import test from \"node:test\";`, `import assert from \"node:assert/strict\";`.
- A test is `test(\"…\", () => {{ … }})`; it asserts with `assert.equal`, `assert.deepEqual` or `assert.throws`.
- The description of a test says the behaviour: `\"multiples of three are Fizz\"`. No two tests have the same one.
- Only Node.js itself is there, without `@types/node`; nothing can be installed.
"
    )
}

fn sample(slug: &str, sample: Sample) -> Vec<TextFile> {
    let source = "export function double(number: number): number {\n  return 2 * number;\n}\n";
    sample_files(&module(slug), "ts", source, sample)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::runner::Runner;
    use crate::runners::checks;

    #[test]
    fn ka7_typescript_paths() {
        checks::paths(
            Runner::Typescript,
            &["test/fizz-buzz.test.ts", "test/rules/fizz.test.ts"],
            &["src/fizz-buzz.ts", "src/rules/fizz.ts"],
            &[
                "package.json",
                "tsconfig.json",
                "types/node.d.ts",
                "src/node.d.ts",
                "src/a.test.ts",
                "src/test/a.ts",
                "src/a.js",
                "test/helpers.ts",
                "test/a.test.js",
                "test/a.test.tsx",
                "build/src/a.ts",
                "vitest.config.ts",
            ],
        );
    }

    #[test]
    fn ka7_typescript_is_compiled_only_where_node_cannot_run_it() {
        let check = |node: Option<(u32, u32)>, has_tsc: bool, expected: Execution| {
            let have = |program: &str| has_tsc && program == "tsc";
            let project = NewProject { slug: "a", title: "A", have: &have, node };
            assert_eq!(Execution::of(&project), expected, "{node:?}");
        };
        check(Some((24, 0)), false, Execution::Native);
        check(Some((24, 0)), true, Execution::Native);
        check(Some((23, 6)), false, Execution::Native);
        check(Some((22, 18)), false, Execution::Native);
        check(Some((23, 5)), true, Execution::Compiler);
        check(Some((22, 17)), true, Execution::Compiler);
        check(Some((22, 17)), false, Execution::LocalCompiler);
        check(Some((20, 20)), false, Execution::LocalCompiler);
        check(None, true, Execution::Compiler);
        check(None, false, Execution::LocalCompiler);
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one snapshot of all files")]
    fn ka7_typescript_project() {
        let check = |have: &[&str], node: (u32, u32), expect: &expect_test::Expect| {
            checks::skeleton(Runner::Typescript, "fizz-buzz", have, Some(node), expect);
        };
        check(
            &["node"],
            (24, 1),
            &expect![[r#"
            === .gitignore
            /build/
            /node_modules/
            /package-lock.json

            === README.md
            # Fizz Buzz

            A code kata in TypeScript, developed test-first.

            Run the tests with `npm test`. They need Node.js 22.18 or newer, which runs TypeScript by itself.

            === package.json
            {
              "name": "fizz-buzz",
              "version": "0.1.0",
              "private": true,
              "type": "module",
              "scripts": {
                "test": "node --test \"test/**/*.test.ts\""
              }
            }

            === src/fizz-buzz.ts
            // The kata fizz-buzz.
            export {};

            === tsconfig.json
            {
              "compilerOptions": {
                "target": "es2022",
                "lib": ["es2022"],
                "module": "nodenext",
                "strict": true,
                "verbatimModuleSyntax": true,
                "skipLibCheck": true,
                "noEmit": true,
                "allowImportingTsExtensions": true,
                "types": []
              },
              "include": ["src", "test", "types"]
            }

            === types/node.d.ts
            …

        "#]],
        );
        check(
            &["node", "tsc"],
            (20, 1),
            &expect![[r#"
            === .gitignore
            /build/
            /node_modules/
            /package-lock.json

            === README.md
            # Fizz Buzz

            A code kata in TypeScript, developed test-first.

            Run the tests with `npm test`. They need the TypeScript compiler `tsc`, 5.7 or newer.

            === package.json
            {
              "name": "fizz-buzz",
              "version": "0.1.0",
              "private": true,
              "type": "module",
              "scripts": {
                "test": "rm -rf build && tsc -p . && node --test"
              }
            }

            === src/fizz-buzz.ts
            // The kata fizz-buzz.
            export {};

            === tsconfig.json
            {
              "compilerOptions": {
                "target": "es2022",
                "lib": ["es2022"],
                "module": "nodenext",
                "strict": true,
                "verbatimModuleSyntax": true,
                "skipLibCheck": true,
                "rootDir": ".",
                "outDir": "build",
                "noEmitOnError": true,
                "rewriteRelativeImportExtensions": true,
                "types": []
              },
              "include": ["src", "test", "types"]
            }

            === types/node.d.ts
            …

        "#]],
        );
        check(
            &["node"],
            (20, 1),
            &expect![[r#"
            === .gitignore
            /build/
            /node_modules/
            /package-lock.json

            === README.md
            # Fizz Buzz

            A code kata in TypeScript, developed test-first.

            Install the TypeScript compiler with `npm install`, then run the tests with `npm test`.

            === package.json
            {
              "name": "fizz-buzz",
              "version": "0.1.0",
              "private": true,
              "type": "module",
              "scripts": {
                "test": "rm -rf build && tsc -p . && node --test"
              },
              "devDependencies": {
                "typescript": ">=5.7"
              }
            }

            === src/fizz-buzz.ts
            // The kata fizz-buzz.
            export {};

            === tsconfig.json
            {
              "compilerOptions": {
                "target": "es2022",
                "lib": ["es2022"],
                "module": "nodenext",
                "strict": true,
                "verbatimModuleSyntax": true,
                "skipLibCheck": true,
                "rootDir": ".",
                "outDir": "build",
                "noEmitOnError": true,
                "rewriteRelativeImportExtensions": true,
                "types": []
              },
              "include": ["src", "test", "types"]
            }

            === types/node.d.ts
            …

        "#]],
        );
    }
}

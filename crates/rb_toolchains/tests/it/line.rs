//! Command lines of the configuration.

use expect_test::{Expect, expect};
use rb_toolchains::line_command;

use crate::detected;

fn check(line: &str, expect: &Expect) {
    let detected = detected(
        r#"
//- package.json
{"scripts": {"test": "mocha test", "lint": "eslint .", "both": "jest && mocha"}, "devDependencies": {"mocha": "8"}}
//- Cargo.toml
[package]
name = "a"
//- apps/web/package.json
{"scripts": {"test": "vitest run", "check": "vitest run && tsc"}, "devDependencies": {"vitest": "3"}}
"#,
    );
    let command = line_command(line, &detected);
    let report = command.report.map(|ask| format!("{:?} {:?} {:?}", ask.kind, ask.place, ask.argv));
    let said = format!(
        "{}: {:?} in {:?} {:?}\npath {:?} needs {:?}\n{}\nselect {:?}\n",
        command.purpose.name(),
        command.argv,
        command.folder,
        command.env,
        command.path,
        command.needs,
        report.unwrap_or_else(|| "no report".to_owned()),
        command.select.map(|select| select.argv)
    );
    expect.assert_eq(&said);
}

#[test]
fn ve1_a_configured_line_gets_a_reporter() {
    check(
        "npm test",
        &expect![[r#"
        test: ["mocha", "test"] in "" []
        path ["node_modules/.bin"] needs ["mocha", "node"]
        MochaJson Stdout ["mocha", "test", "--reporter", "json"]
        select Some(["mocha", "--reporter", "json", "{files}"])
    "#]],
    );
    check(
        "A=1 npm test",
        &expect![[r#"
        test: ["mocha", "test"] in "" [("A", "1")]
        path ["node_modules/.bin"] needs ["mocha", "node"]
        MochaJson Stdout ["mocha", "test", "--reporter", "json"]
        select Some(["mocha", "--reporter", "json", "{files}"])
    "#]],
    );
    check(
        "A=$B npm test",
        &expect![[r#"
        test: ["sh", "-c", "A=$B npm test"] in "" []
        path ["node_modules/.bin"] needs ["npm"]
        no report
        select None
    "#]],
    );
    check(
        "npx vitest run src",
        &expect![[r#"
            test: ["vitest", "run", "src"] in "" []
            path ["node_modules/.bin"] needs ["vitest"]
            JestJson File ["vitest", "run", "src", "--reporter=default", "--reporter=json", "--outputFile.json={report}"]
            select Some(["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json={report}", "--coverage.enabled=false", "{files}"])
        "#]],
    );
    check(
        "A=1 mocha test/a.js",
        &expect![[r#"
        test: ["mocha", "test/a.js"] in "" [("A", "1")]
        path ["node_modules/.bin"] needs ["mocha"]
        MochaJson Stdout ["mocha", "test/a.js", "--reporter", "json"]
        select Some(["mocha", "--reporter", "json", "{files}"])
    "#]],
    );
    check(
        "python -m pytest -x tests",
        &expect![[r#"
        test: ["python", "-m", "pytest", "-x", "tests"] in "" []
        path ["node_modules/.bin"] needs ["python"]
        JunitXml File ["python", "-m", "pytest", "-x", "tests", "--junitxml={report}", "-o", "junit_family=xunit2", "-p", "no:cacheprovider"]
        select Some(["python", "-m", "pytest", "-x", "--junitxml={report}", "-o", "junit_family=xunit2", "-p", "no:cacheprovider", "{files}"])
    "#]],
    );
    check(
        "cargo test -p a -- --nocapture",
        &expect![[r#"
        test: ["cargo", "test", "-p", "a", "--no-fail-fast", "--", "--nocapture"] in "" []
        path ["node_modules/.bin"] needs ["cargo"]
        LibtestText Printed ["cargo", "test", "-p", "a", "--no-fail-fast", "--", "--nocapture"]
        select None
    "#]],
    );
    check(
        "go test -race ./...",
        &expect![[r#"
        test: ["go", "test", "-race", "./..."] in "" []
        path ["node_modules/.bin"] needs ["go"]
        GoTestJson Stdout ["go", "test", "-json", "-race", "./..."]
        select Some(["go", "test", "-json", "-race", "{files}"])
    "#]],
    );
    check(
        "npm run lint",
        &expect![[r#"
        lint: ["eslint", "."] in "" []
        path ["node_modules/.bin"] needs ["eslint", "node"]
        no report
        select None
    "#]],
    );
    check(
        "make && ./run-tests",
        &expect![[r#"
        test: ["sh", "-c", "make && ./run-tests"] in "" []
        path ["node_modules/.bin"] needs ["make", "./run-tests"]
        no report
        select None
    "#]],
    );
    check(
        "",
        &expect![[r#"
        test: ["sh", "-c", ""] in "" []
        path ["node_modules/.bin"] needs []
        no report
        select None
    "#]],
    );
}

#[test]
fn ve1_a_configured_line_may_go_into_a_folder_first() {
    check(
        "cd apps/web && npx vitest run src",
        &expect![[r#"
        test: ["vitest", "run", "src"] in "apps/web" []
        path ["apps/web/node_modules/.bin", "apps/node_modules/.bin", "node_modules/.bin"] needs ["vitest"]
        JestJson File ["vitest", "run", "src", "--reporter=default", "--reporter=json", "--outputFile.json={report}"]
        select Some(["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json={report}", "--coverage.enabled=false", "{files}"])
    "#]],
    );
    check(
        "cd ./apps/web/ && npm test",
        &expect![[r#"
            test: ["vitest", "run"] in "apps/web" []
            path ["apps/web/node_modules/.bin", "apps/node_modules/.bin", "node_modules/.bin"] needs ["vitest", "node"]
            JestJson File ["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json={report}"]
            select Some(["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json={report}", "--coverage.enabled=false", "{files}"])
        "#]],
    );
    check(
        "cd apps/web && tsc --noEmit",
        &expect![[r#"
        typecheck: ["tsc", "--noEmit"] in "apps/web" []
        path ["apps/web/node_modules/.bin", "apps/node_modules/.bin", "node_modules/.bin"] needs ["tsc"]
        no report
        select None
    "#]],
    );
    // These are left to the shell, whose own words are no programs.
    check(
        "cd apps/web && tsc && vitest run",
        &expect![[r#"
        test: ["sh", "-c", "cd apps/web && tsc && vitest run"] in "" []
        path ["node_modules/.bin"] needs ["tsc", "vitest"]
        no report
        select None
    "#]],
    );
    check(
        "cd apps/web; vitest run",
        &expect![[r#"
        test: ["sh", "-c", "cd apps/web; vitest run"] in "" []
        path ["node_modules/.bin"] needs ["vitest"]
        no report
        select None
    "#]],
    );
    check(
        "cd ../elsewhere && vitest run",
        &expect![[r#"
        test: ["sh", "-c", "cd ../elsewhere && vitest run"] in "" []
        path ["node_modules/.bin"] needs ["vitest"]
        no report
        select None
    "#]],
    );
    check(
        "cd apps/web && make && ./run-tests",
        &expect![[r#"
        test: ["sh", "-c", "cd apps/web && make && ./run-tests"] in "" []
        path ["node_modules/.bin"] needs ["make"]
        no report
        select None
    "#]],
    );
    check(
        "cd /tmp && vitest run",
        &expect![[r#"
        test: ["sh", "-c", "cd /tmp && vitest run"] in "" []
        path ["node_modules/.bin"] needs ["vitest"]
        no report
        select None
    "#]],
    );
    check(
        "export A=1 && true && ./check",
        &expect![[r#"
        test: ["sh", "-c", "export A=1 && true && ./check"] in "" []
        path ["node_modules/.bin"] needs ["./check"]
        no report
        select None
    "#]],
    );
}

#[test]
fn ve1_what_node_starts_has_the_purpose_of_that_program() {
    let check = |line: &str, purpose: &str| {
        let command = line_command(line, &rb_toolchains::Detected::default());
        assert_eq!(command.purpose.name(), purpose, "{line}");
        assert_eq!(command.line, line);
    };
    check("node apps/x/node_modules/typescript/bin/tsc --noEmit -p apps/x", "typecheck");
    check("node --max-old-space-size=4096 node_modules/typescript/lib/tsc.js -p .", "typecheck");
    check("npx tsc -p apps/x", "typecheck");
    check("node node_modules/eslint/bin/eslint.js .", "lint");
    check("node node_modules/prettier/bin/prettier.cjs --check .", "format");
    check("node apps/x/node_modules/vitest/vitest.mjs run --root apps/x", "test");
    // A file of the project's own may be anything.
    check("node scripts/eslint.js .", "test");
    // It writes, so that it is no check.
    check("node node_modules/eslint/bin/eslint.js --fix .", "test");
}

#[test]
fn ve1_a_script_that_starts_a_checker_by_its_file_is_that_check() {
    let detected = detected(
        r#"
//- package.json
{"scripts": {"test": "node node_modules/typescript/bin/tsc -p . && mocha test"}}
//- tsconfig.json
{"compilerOptions": {"noEmit": true}}
"#,
    );
    let commands = detected.packages.iter().flat_map(|package| &package.commands);
    let purposes: Vec<&str> = commands.map(|command| command.purpose.name()).collect();
    assert_eq!(purposes, ["typecheck", "test"]);
}

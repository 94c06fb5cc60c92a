//! Workspaces: what is a package, and whose command is taken.

use expect_test::expect;

use crate::{check, detected};

#[test]
fn ve1_packages_are_taken_where_the_root_only_calls_them() {
    let tools = [
        "turbo run test",
        "lerna run test",
        "nx run-many -t test",
        "pnpm -r test",
        "npm test --workspaces",
        "yarn workspaces run test",
    ];
    let fixture = r#"
//- package.json
{"name": "all", "workspaces": ["packages/*"], "scripts": {"test": "TOOL", "build": "turbo run build", "lint": "eslint ."}}
//- packages/a/package.json
{"name": "a", "scripts": {"test": "jest", "build": "tsc", "lint": "eslint src"}}
//- packages/b/package.json
{"name": "b", "scripts": {"test": "vitest", "build": "tsc"}}
//- packages/c/package.json
{"name": "c"}
"#;
    let mut said: Vec<String> =
        tools.iter().map(|tool| detected(&fixture.replace("TOOL", tool)).to_string()).collect();
    said.dedup();
    expect![[r#"
        .: all, javascript, npm
          build: npm run build  [package.json scripts.build]
          lint: eslint .  [package.json scripts.lint]
        packages/a: a, javascript, npm
          test: jest  [packages/a/package.json scripts.test]
            report: JestJson File: jest --json --outputFile={report} --testLocationInResults
            select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        packages/b: b, javascript, npm
          test: vitest run  [packages/b/package.json scripts.test]
            report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
            select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        note: `npm test` (package.json scripts.test) calls every package; the tests of 2 packages are taken instead, for a report from each; they may need `npm run build` first
        note: `eslint .` (package.json scripts.lint) covers the lints of 1 package
        note: `npm run build` (package.json scripts.build) covers the builds of 2 packages
        note: 1 package has no command and is not listed
    "#]].assert_eq(&said.join("\n"));
}

#[test]
fn ve1_a_root_that_tests_and_calls_keeps_both() {
    check(
        r#"
//- package.json
{"name": "all", "workspaces": ["packages/*"], "scripts": {"test": "jest scripts && lerna run test"}}
//- packages/a/package.json
{"name": "a", "scripts": {"test": "jest"}}
"#,
        &expect![[r#"
            .: all, javascript, npm
              test: jest scripts  [package.json scripts.test]
                report: JestJson File: jest scripts --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
            packages/a: a, javascript, npm
              test: jest  [packages/a/package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
            note: `npm test` (package.json scripts.test) calls every package; the tests of 1 package are taken instead, for a report from each
        "#]],
    );
}

#[test]
fn ve1_a_runner_in_the_root_covers_the_packages() {
    check(
        r#"
//- package.json
{"name": "all", "scripts": {"test": "jest"}}
//- pnpm-workspace.yaml
packages:
  - 'packages/**'
  - '!packages/old'
//- pnpm-lock.yaml
lockfileVersion: 9
//- packages/a/package.json
{"name": "a", "scripts": {"test": "jest"}}
//- packages/b/package.json
{"name": "b", "scripts": {"test": "mocha"}}
//- packages/old/package.json
{"name": "old", "scripts": {"test": "jest"}}
"#,
        &expect![[r#"
            .: all, javascript, pnpm
              test: jest  [package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
            packages/b: b, javascript, pnpm
              test: mocha  [packages/b/package.json scripts.test]
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
                select files: mocha --reporter json --reporter-option output={report} {files}
            note: `package.json` below `packages/` (1 file) was left out: no workspace lists it
            note: `jest` (package.json scripts.test) covers the tests of 1 package
            note: 1 package has no command and is not listed
        "#]],
    );
}

#[test]
fn ve1_examples_and_fixtures_are_no_packages() {
    check(
        r#"
//- package.json
{"name": "all", "workspaces": ["playground/*"]}
//- playground/a/package.json
{"name": "a", "scripts": {"test": "jest"}}
//- examples/b/package.json
{"name": "b", "scripts": {"test": "jest"}}
//- src/__fixtures__/c/package.json
{"scripts": {"test": "jest"}}
//- site/package.json
{"scripts": {"test": "jest"}}
//- own/package.json
{"scripts": {"test": "jest"}}
//- own/package-lock.json
{}
//- vendor/x/go.mod
module x
//- testdata/Cargo.toml
[package]
name = "t"
"#,
        &expect![[r#"
            .: all, javascript, npm
            own: (no name), javascript, npm
              test: jest  [own/package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
            playground/a: a, javascript, npm
              test: jest  [playground/a/package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
            note: `package.json` below `/` (1 file) was left out: no workspace lists it
            note: `package.json` below `examples/` (1 file) was left out: no workspace lists it
            note: `package.json` below `src/__fixtures__/` (1 file) was left out: no workspace lists it
            note: `Cargo.toml` below `testdata/` (1 file) was left out: no workspace lists it
            note: `go.mod` below `vendor/` (1 file) was left out: no workspace lists it
        "#]],
    );
}

#[test]
fn ve1_packages_side_by_side() {
    check(
        r#"
//- api/pyproject.toml
[project]
name = "api"
[tool.pytest.ini_options]
//- api/test_a.py
//- web/package.json
{"name": "web", "scripts": {"test": "vitest run"}}
//- web/yarn.lock
//- svc/go.mod
module example.com/svc
"#,
        &expect![[r#"
            api: api, python, pip
              test: python3 -m pytest  [api/pyproject.toml [tool.pytest.ini_options]]
                report: JunitXml File: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
                select files: python3 -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
            svc: example.com/svc, go, go
              build: go build ./...  [svc/go.mod module]
              lint: go vet ./...  [svc/go.mod module]
            web: web, javascript, yarn
              test: vitest run  [web/package.json scripts.test]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
}

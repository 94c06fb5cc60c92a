//! Scripts of `package.json` as they are found in the wild.

use expect_test::expect;

use crate::check_script;

#[test]
fn ve1_every_runner_is_asked_for_its_report() {
    check_script(
        "jest",
        &expect![[r#"
              test: jest  [package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "vitest",
        &expect![[r#"
              test: vitest run  [package.json scripts.test]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "mocha --recursive -R dot test/unit",
        &expect![[r#"
              test: mocha --recursive -R dot test/unit  [package.json scripts.test]
                report: MochaJson File: mocha --recursive test/unit --reporter json --reporter-option output={report}
                select files: mocha --recursive --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "ava --verbose",
        &expect![[r#"
              test: ava --verbose  [package.json scripts.test]
                report: Tap Stdout: ava --tap
                select files: ava --tap {files}
        "#]],
    );
    check_script(
        "node --test",
        &expect![[r#"
              test: node --test  [package.json scripts.test]
                report: JunitXml File: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test
                select files: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test {files}
        "#]],
    );
    check_script(
        "node --import tsx --test-reporter dot --test test/a.js",
        &expect![[r#"
              test: node --import tsx --test-reporter dot --test test/a.js  [package.json scripts.test]
                report: JunitXml File: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --import tsx --test test/a.js
                select files: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --import tsx --test {files}
        "#]],
    );
    check_script(
        "tape 'test/**/*.js' | tap-spec",
        &expect![[r#"
              test: tape 'test/**/*.js'  [package.json scripts.test]
                report: Tap Stdout: tape test/**/*.js
                select files: tape {files}
        "#]],
    );
    check_script(
        "tap --reporter=terse test",
        &expect![[r#"
              test: tap --reporter=terse test  [package.json scripts.test]
                report: Tap Stdout: tap test --reporter=tap
                select files: tap --reporter=tap {files}
        "#]],
    );
    check_script(
        "bun test --coverage",
        &expect![[r#"
              test: bun test --coverage  [package.json scripts.test]
                report: JunitXml File: bun test --coverage --reporter=junit --reporter-outfile={report}
                select files: bun test --reporter=junit --reporter-outfile={report} {files}
        "#]],
    );
    check_script(
        "react-scripts test --watchAll",
        &expect![[r#"
              test: CI=true react-scripts test  [package.json scripts.test]
                report: JestJson File: react-scripts test --json --outputFile={report} --testLocationInResults
                select files: react-scripts test --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
}

#[test]
fn ve1_what_stands_around_a_runner_is_kept() {
    check_script(
        "npm run lint && jest --coverage",
        &expect![[r#"
              test: jest --coverage  [package.json scripts.test]
                report: JestJson File: jest --coverage --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "npm run build && mocha && node cleanup.js",
        &expect![[r#"
              test: mocha  [package.json scripts.test]
                before: tsc -b
                before: node copy.js
                after: node cleanup.js
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
                select files: mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "c8 --reporter lcov node --test",
        &expect![[r#"
              test: c8 --reporter lcov node --test  [package.json scripts.test]
                report: JunitXml File: c8 --reporter lcov node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test
                select files: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test {files}
        "#]],
    );
    check_script(
        "nyc --exclude test mocha -t 5000 'test/*.js'",
        &expect![[r#"
              test: nyc --exclude test mocha -t 5000 'test/*.js'  [package.json scripts.test]
                report: MochaJson File: nyc --exclude test mocha -t 5000 test/*.js --reporter json --reporter-option output={report}
                select files: mocha -t 5000 --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "cross-env NODE_ENV=test TZ=UTC mocha",
        &expect![[r#"
              test: NODE_ENV=test TZ=UTC mocha  [package.json scripts.test]
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
                select files: mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "TZ=$ZONE jest",
        &expect![[r#"
              test: TZ=$ZONE jest  [package.json scripts.test]
                report: JestJson File: sh -c report=$1; shift; TZ=$ZONE jest --json --outputFile="$report" --testLocationInResults sh {report}
                select files: sh -c report=$1; shift; TZ=$ZONE jest --json --outputFile="$report" --testLocationInResults --coverage=false --runTestsByPath "$@" sh {report} {files}
        "#]],
    );
    check_script(
        "mocha test/*.js",
        &expect![[r#"
              test: mocha test/*.js  [package.json scripts.test]
                report: MochaJson File: sh -c report=$1; shift; mocha test/*.js --reporter json --reporter-option output="$report" sh {report}
                select files: mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "node --experimental-vm-modules node_modules/jest/bin/jest.js -w 2",
        &expect![[r#"
              test: node --experimental-vm-modules node_modules/jest/bin/jest.js -w 2  [package.json scripts.test]
                report: JestJson File: node --experimental-vm-modules node_modules/jest/bin/jest.js -w 2 --json --outputFile={report} --testLocationInResults
                select files: node --experimental-vm-modules node_modules/jest/bin/jest.js -w 2 --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "npx --no-install jest -u",
        &expect![[r#"
              test: jest  [package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "corepack pnpm exec jest && corepack yarn run lint",
        &expect![[r#"
        test: jest  [package.json scripts.test]
          report: JestJson File: jest --json --outputFile={report} --testLocationInResults
          select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
    "#]],
    );
    check_script(
        "dotenv -e .env -- jest",
        &expect![[r#"
              test: dotenv -e .env -- jest  [package.json scripts.test]
                report: JestJson File: dotenv -e .env -- jest --json --outputFile={report} --testLocationInResults
                select files: dotenv -e .env -- jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "xvfb-run -a mocha",
        &expect![[r#"
              test: xvfb-run -a mocha  [package.json scripts.test]
                report: MochaJson File: xvfb-run -a mocha --reporter json --reporter-option output={report}
                select files: xvfb-run -a mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "node --test && tstyche",
        &expect![[r#"
        typecheck: tstyche  [package.json scripts.test]
        test: node --test  [package.json scripts.test]
          report: JunitXml File: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test
          select files: node --test-reporter=spec --test-reporter-destination=stdout --test-reporter=data:… --test-reporter-destination={report} --test {files}
    "#]],
    );
    check_script(
        "eslint . && tsc --noEmit && prettier --check . && ava",
        &expect![[r#"
              typecheck: tsc --noEmit  [package.json scripts.test]
              lint: eslint .  [package.json scripts.test]
              format: prettier --check .  [package.json scripts.test]
              test: ava  [package.json scripts.test]
                report: Tap Stdout: ava --tap
                select files: ava --tap {files}
        "#]],
    );
}

#[test]
fn ve1_scripts_are_followed() {
    check_script(
        "npm run jest -- --ci",
        &expect![[r#"
              test: jest --coverage --ci  [package.json scripts.test → scripts.jest]
                report: JestJson File: jest --coverage --ci --json --outputFile={report} --testLocationInResults
                select files: jest --ci --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "run-s lint jest unit",
        &expect![[r#"
              test: jest --coverage  [package.json scripts.test → scripts.jest]
                report: JestJson File: jest --coverage --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
              test: TZ=UTC vitest run  [package.json scripts.test → scripts.unit]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "npm-run-all --parallel lint unit",
        &expect![[r#"
              test: TZ=UTC vitest run  [package.json scripts.test → scripts.unit]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "yarn unit --dir src",
        &expect![[r#"
              test: TZ=UTC vitest run --dir src  [package.json scripts.test → scripts.unit]
                report: JestJson File: vitest run --dir src --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --dir src --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "CI=1 npm run unit",
        &expect![[r#"
              test: CI=1 TZ=UTC vitest run  [package.json scripts.test → scripts.unit]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
}

#[test]
fn ve1_watch_modes_are_ended() {
    check_script(
        "vitest --watch --ui",
        &expect![[r#"
              test: vitest run  [package.json scripts.test]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "vitest dev --dir src",
        &expect![[r#"
              test: vitest run --dir src  [package.json scripts.test]
                report: JestJson File: vitest run --dir src --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --dir src --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "vitest --run",
        &expect![[r#"
              test: vitest --run  [package.json scripts.test]
                report: JestJson File: vitest --run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest --run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "jest --watch",
        &expect![[r#"
              test: jest  [package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check_script(
        "mocha -w",
        &expect![[r#"
              test: mocha  [package.json scripts.test]
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
                select files: mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
    check_script(
        "ava --watch",
        &expect![[r#"
              test: ava  [package.json scripts.test]
                report: Tap Stdout: ava --tap
                select files: ava --tap {files}
        "#]],
    );
}

#[test]
fn ve1_what_is_not_understood_is_run_as_it_is() {
    check_script(
        "grunt test --verbose",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "jest || true",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "jest & wait",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "(cd x && jest)",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "npm run test",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "cd x && jest",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "jest --v $npm_package_version",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "node test/jest.js",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
    check_script(
        "jest 'open",
        &expect![[r#"
              test: npm test  [package.json scripts.test]
        "#]],
    );
}

#[test]
fn ve1_no_test_is_no_test() {
    check_script(
        "echo \"Error: no test specified\" && exit 1",
        &expect![[r#"
              test: TZ=UTC vitest run  [package.json scripts.unit]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
    check_script(
        "xo && tsd",
        &expect![[r#"
              typecheck: tsd  [package.json scripts.test]
              lint: xo  [package.json scripts.test]
        "#]],
    );
}

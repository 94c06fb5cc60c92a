//! Commands that only a build server's files show.

use expect_test::expect;

use crate::check;

#[test]
fn ve1_the_server_shows_what_manifests_do_not() {
    check(
        r#"
//- package.json
{"scripts": {"test": "jest"}}
//- .github/workflows/ci.yml
on: [push]
jobs:
  check:
    steps:
      - uses: actions/checkout@v4
      - name: Types
        run: |
          npm ci
          npx tsc --noEmit
      - run: npx mocha
      - run: npx eslint ${{ matrix.files }}
      - run: npx prettier --write .
"#,
        &expect![[r#"
            .: (no name), javascript, npm
              typecheck: tsc --noEmit  [.github/workflows/ci.yml jobs.check step "Types"]
              test: jest  [package.json scripts.test]
                report: JestJson File: jest --json --outputFile={report} --testLocationInResults
                select files: jest --json --outputFile={report} --testLocationInResults --coverage=false --runTestsByPath {files}
        "#]],
    );
    check(
        "//- setup.py\n//- .travis.yml\nscript:\n  - tox -e py3\n  - flake8\n",
        &expect![[r#"
        .: (no name), python, pip
          lint: flake8  [.travis.yml script]
          test: tox -e py3  [.travis.yml script]
    "#]],
    );
    check(
        "//- setup.py\n//- Makefile\ntest:\n\tpytest\n//- .gitlab-ci.yml\ncheck:\n  script: make test\n",
        &expect![[r#"
            .: (no name), python, pip
              test: make test  [.gitlab-ci.yml check.script]
        "#]],
    );
    check(
        "//- go.mod\nmodule a\n//- .circleci/config.yml\njobs:\n  b:\n    steps:\n      - checkout\n      - run: go test -bench . ./...\n      - run: {command: go vet ./...}\n",
        &expect![[r#"
            .: a, go, go
              build: go build ./...  [go.mod module]
              lint: go vet ./...  [go.mod module]
              benchmark: go test -bench . ./...  [.circleci/config.yml jobs.b]
        "#]],
    );
    check(
        "//- setup.py\n//- azure-pipelines.yml\nsteps:\n- script: python -m pytest --junitxml=x.xml tests\n",
        &expect![[r#"
            .: (no name), python, pip
              test: python -m pytest --junitxml=x.xml tests  [azure-pipelines.yml jobs.steps]
                report: JunitXml File: python -m pytest tests --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider
                select files: python -m pytest --junitxml={report} -o junit_family=xunit2 -p no:cacheprovider {files}
        "#]],
    );
}

#[test]
fn ve1_a_folder_of_the_server_is_kept() {
    check(
        r#"
//- svc/package.json
{"name": "svc"}
//- .github/workflows/ci.yml
jobs:
  a:
    defaults: {run: {working-directory: ./svc}}
    steps:
      - run: cd x && npx jest
      - run: |
          cd y
          npx jest
      - run: npx vitest
      - run: npx eslint .
        working-directory: ../outside
"#,
        &expect![[r#"
            svc: svc, javascript, npm
              test: vitest run  [.github/workflows/ci.yml jobs.a]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
}

#[test]
fn ve1_broken_server_files_are_told() {
    check(
        "//- setup.py\n//- .github/workflows/a.yml\njobs: [\n//- .travis.yml\n- 1\n",
        &expect![[r#"
        .: (no name), python, pip
        note: `.github/workflows/a.yml` could not be read as YAML and was left out
        note: no command was found
    "#]],
    );
}

#[test]
fn ve1_a_makefile_alone_is_told() {
    check(
        "//- Makefile\ntest:\n\t./run\n//- a.c\n",
        &expect![[r#"
        note: no command was found
        note: `Makefile` has a target `test`, which no toolchain explains; it can be named in the configuration
    "#]],
    );
}

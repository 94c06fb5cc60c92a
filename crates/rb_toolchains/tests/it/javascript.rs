//! What beside its scripts a `package.json` and its folder say.

use expect_test::expect;

use crate::{check, detected};

#[test]
fn ve1_hooks_run_where_the_manager_runs_them() {
    let scripts = r#"
//- package.json
{"scripts": {"pretest": "eslint . && node prepare.js", "test": "mocha", "posttest": "node check.js"}}
"#;
    check(
        scripts,
        &expect![[r#"
        .: (no name), javascript, npm
          lint: eslint .  [package.json scripts.test → scripts.pretest]
          test: mocha  [package.json scripts.test]
            before: node prepare.js
            after: node check.js
            report: MochaJson File: mocha --reporter json --reporter-option output={report}
            select files: mocha --reporter json --reporter-option output={report} {files}
    "#]],
    );
    check(
        &format!("{scripts}//- yarn.lock\n//- .yarnrc.yml\n"),
        &expect![[r#"
        .: (no name), javascript, yarn
          test: mocha  [package.json scripts.test]
            report: MochaJson File: mocha --reporter json --reporter-option output={report}
            select files: mocha --reporter json --reporter-option output={report} {files}
    "#]],
    );
}

#[test]
fn ve1_flags_hang_on_versions() {
    let json = r#"
//- package.json
{"scripts": {"test": "mocha"}, "devDependencies": {"mocha": "RANGE"}}
"#;
    check(
        &json.replace("RANGE", "^8.4.0"),
        &expect![[r#"
        .: (no name), javascript, npm
          test: mocha  [package.json scripts.test]
            report: MochaJson Stdout: mocha --reporter json
            select files: mocha --reporter json {files}
    "#]],
    );
    check(
        &json.replace("RANGE", "^9.2.0"),
        &expect![[r#"
        .: (no name), javascript, npm
          test: mocha  [package.json scripts.test]
            report: MochaJson File: mocha --reporter json --reporter-option output={report}
            select files: mocha --reporter json --reporter-option output={report} {files}
    "#]],
    );
    check(
        &json.replace("RANGE", "latest"),
        &expect![[r#"
        .: (no name), javascript, npm
          test: mocha  [package.json scripts.test]
            report: MochaJson File: mocha --reporter json --reporter-option output={report}
            select files: mocha --reporter json --reporter-option output={report} {files}
    "#]],
    );
    let installed = "//- node_modules/mocha/package.json\n{\"version\": \"11.1.0\"}\n";
    check(
        &format!("{}{installed}", json.replace("RANGE", ">=6")),
        &expect![[r#"
        .: (no name), javascript, npm
          test: mocha  [package.json scripts.test]
            report: MochaJson File: mocha --reporter json --reporter-option output={report}
            select files: mocha --reporter json --reporter-option output={report} {files}
    "#]],
    );
    let locked = "//- package-lock.json\n{\"packages\": {\"node_modules/mocha\": {\"version\": \"8.0.1\"}}}\n";
    check(
        &format!("{}{locked}", json.replace("RANGE", "*")),
        &expect![[r#"
        .: (no name), javascript, npm
          test: mocha  [package.json scripts.test]
            report: MochaJson Stdout: mocha --reporter json
            select files: mocha --reporter json {files}
    "#]],
    );
    check(
        &format!("{}//- .mocharc.yml\nspec: test/a.js\n", json.replace("RANGE", "10")),
        &expect![[r#"
            .: (no name), javascript, npm
              test: mocha  [package.json scripts.test]
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
        "#]],
    );
    check(
        &format!("{}//- .mocharc.yml\nreporter: spec\n", json.replace("RANGE", "10")),
        &expect![[r#"
            .: (no name), javascript, npm
              test: mocha  [package.json scripts.test]
                report: MochaJson File: mocha --reporter json --reporter-option output={report}
                select files: mocha --reporter json --reporter-option output={report} {files}
        "#]],
    );
}

#[test]
fn ve1_checkers_never_write() {
    check(
        r#"
//- package.json
{"scripts": {"lint": "eslint --fix .", "format": "prettier --write src", "typecheck": "vue-tsc"}}
//- b/package.json
{"scripts": {"lint": "eslint --fix . && prettier --write .", "format": "oxfmt"}}
//- c/package.json
{"scripts": {"lint": "biome check --write"}}
"#,
        &expect![[r#"
            .: (no name), javascript, npm
              typecheck: vue-tsc  [package.json scripts.typecheck]
              lint: eslint .  [package.json scripts.lint]
              format: prettier --check src  [package.json scripts.format]
            c: (no name), javascript, npm
              lint: biome check  [c/package.json scripts.lint]
            note: `package.json` scripts.lint writes files; it is run as `eslint .`
            note: `package.json` scripts.format writes files; it is run as `prettier --check src`
            note: `b/package.json` scripts.lint writes files and was not used
            note: `b/package.json` scripts.format writes files and was not used
            note: `c/package.json` scripts.lint writes files; it is run as `biome check`
            note: 1 package has no command and is not listed
        "#]],
    );
}

#[test]
fn ve1_settings_alone_show_a_command() {
    check(
        r#"
//- package.json
{"devDependencies": {"typescript": "5", "eslint": "9", "prettier": "3", "vitest": "3", "jest": "30"}}
//- tsconfig.json
{}
//- eslint.config.mjs
//- .prettierrc
//- vitest.config.ts
"#,
        &expect![[r#"
            .: (no name), javascript, npm
              typecheck: tsc --noEmit -p .  [tsconfig.json settings of typescript]
              lint: eslint .  [eslint.config.mjs settings of eslint]
              format: prettier --check .  [.prettierrc settings of prettier]
              test: vitest run  [vitest.config.ts settings of vitest]
                report: JestJson File: vitest run --reporter=default --reporter=json --outputFile.json={report}
                select files: vitest run --reporter=default --reporter=json --outputFile.json={report} --coverage.enabled=false {files}
        "#]],
    );
}

#[test]
fn ve1_a_compiler_that_writes_is_a_step_of_the_test() {
    let scripts = r#"
//- package.json
{"scripts": {"test": "tsc -p tsconfig.test.json && mocha dist"}}
//- tsconfig.test.json
{ "extends": "./tsconfig", /* why */ "include": ["src"] }
"#;
    check(
        &format!("{scripts}//- tsconfig.json\n{{\"compilerOptions\": {{\"outDir\": \"dist\"}}}}\n"),
        &expect![[r#"
            .: (no name), javascript, npm
              test: mocha dist  [package.json scripts.test]
                before: tsc -p tsconfig.test.json
                report: MochaJson File: mocha dist --reporter json --reporter-option output={report}
        "#]],
    );
    check(
        &format!("{scripts}//- tsconfig.json\n{{\"compilerOptions\": {{\"noEmit\" : true}}}}\n"),
        &expect![[r#"
            .: (no name), javascript, npm
              typecheck: tsc -p tsconfig.test.json  [package.json scripts.test]
              test: mocha dist  [package.json scripts.test]
                report: MochaJson File: mocha dist --reporter json --reporter-option output={report}
        "#]],
    );
}

#[test]
fn ve1_a_file_of_tape_prints_tap() {
    let json = r#"
//- package.json
{"scripts": {"test": "node test/index.js"}, "devDependencies": {"tape": "5"}}
"#;
    check(
        json,
        &expect![[r#"
        .: (no name), javascript, npm
          test: node test/index.js  [package.json scripts.test]
            report: Tap Stdout: node test/index.js
    "#]],
    );
}

#[test]
fn ve1_odd_manifests_are_told_and_survived() {
    check(
        "//- package.json\n{\"scripts\": \n",
        &expect![[r#"
        note: `package.json` is not valid JSON and was left out
        note: no command was found
    "#]],
    );
    check(
        "//- package.json\n[]\n",
        &expect![[r#"
        note: no command was found
    "#]],
    );
    check(
        "//- package.json\n{\"scripts\": {\"test\": 3, \"lint\": null}, \"workspaces\": 5}\n",
        &expect![[r#"
            .: (no name), javascript, npm
            note: no command was found
        "#]],
    );
    check(
        "//- package.json -> /etc/hostname\n",
        &expect![[r#"
        note: no command was found
    "#]],
    );
    check(
        "",
        &expect![[r#"
        note: no command was found
    "#]],
    );
}

#[test]
fn ve1_a_shell_gets_the_report_as_a_parameter() {
    let detected = detected("//- package.json\n{\"scripts\": {\"test\": \"jest $X 'a b'\"}}\n");
    let ask = detected.packages[0].commands[0].report.as_ref().unwrap();
    let (argv, _) = ask.fill("/tmp/a 'b'.json");
    expect![[r#"
        [
            "sh",
            "-c",
            "report=$1; shift; jest $X 'a b' --json --outputFile=\"$report\" --testLocationInResults",
            "sh",
            "/tmp/a 'b'.json",
        ]"#]].assert_eq(&format!("{argv:#?}"));
}

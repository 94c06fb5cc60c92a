//! What a project has and does not run itself is offered, and not part of a baseline.

use crate::detected;

#[track_caller]
fn check(fixture: &str, expected: &[&str]) {
    let detected = detected(fixture);
    let all = detected.packages.iter().flat_map(|package| &package.commands);
    let optional: Vec<&str> =
        all.filter(|command| command.optional).map(|command| command.line.as_str()).collect();
    assert_eq!(optional, expected, "{detected}");
}

const ESLINT: &str = r#"
//- eslint.config.js
export default [];
//- package.json
{"name": "a", "scripts": {"test": "node --test"}, "devDependencies": {"eslint": "9"}}
"#;

#[test]
fn ve1_a_linter_that_only_its_settings_show_is_optional() {
    check(ESLINT, &["eslint ."]);
    for by_hand in [
        "//- Makefile\nlint:\n\tnpx eslint src\n",
        "//- .pre-commit-config.yaml\nrepos:\n- hooks:\n  - id: eslint\n",
        "//- .husky/pre-commit\nnpx eslint --fix\n",
        "//- .github/workflows/ci.yml\njobs:\n  a:\n    steps:\n    - run: npx eslint . --max-warnings 0\n",
    ] {
        check(&format!("{ESLINT}{by_hand}"), &[]);
    }
    // A script that writes names the tool all the same.
    let fixes = ESLINT.replace(r#""node --test""#, r#""node --test", "tidy": "eslint --fix .""#);
    check(&fixes, &[]);
    let scripted = ESLINT.replace(r#""node --test""#, r#""node --test", "lint": "eslint .""#);
    check(&scripted, &[]);
}

/// What nobody runs does not hide what the build server does run.
#[test]
fn ve1_a_linter_of_the_build_server_stands_beside_an_optional_one() {
    let server =
        "//- .github/workflows/ci.yml\njobs:\n  a:\n    steps:\n    - run: npx biome lint .\n";
    let detected = detected(&format!("{ESLINT}{server}"));
    let all = detected.packages.iter().flat_map(|package| &package.commands);
    let required = all.filter(|it| !it.optional && it.line.contains("biome")).count();
    assert_eq!(required, 1, "{detected}");
}

#[test]
fn ve1_end_to_end_tests_are_optional() {
    let fixture = "//- package.json\n{\"name\": \"a\", \"scripts\": {\"test\": \"node --test\", \"test:e2e\": \"playwright test\"}}\n";
    check(fixture, &["npm run test:e2e"]);
    let fixture = "//- package.json\n{\"name\": \"a\", \"scripts\": {\"test\": \"node --test\", \"test:integration\": \"node --test it\"}}\n";
    check(fixture, &[]);
}

#[test]
fn ve1_python_tools_that_nobody_runs_are_optional() {
    let fixture = "//- pyproject.toml\n[project]\nname = \"a\"\n[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n[tool.pytest.ini_options]\n//- test_a.py\n";
    check(fixture, &["python3 -m mypy .", "python3 -m ruff check ."]);
    check(
        &format!("{fixture}//- tox.ini\n[testenv]\ncommands = ruff check\n"),
        &["python3 -m mypy ."],
    );
}

#[test]
fn ve1_clippy_that_nobody_runs_is_optional() {
    let server = |line: &str| {
        format!("//- .github/workflows/ci.yml\njobs:\n  a:\n    steps:\n    - run: {line}\n")
    };
    let alone = "//- Cargo.toml\n[package]\nname = \"a\"\n";
    check(alone, &["cargo clippy --tests"]);
    check(&format!("{alone}{}", server("cargo clippy -- -D warnings")), &[]);
    // Its manifest is no tool that a server could name.
    let workspace = "//- Cargo.toml\n[workspace]\nmembers = []\n";
    let tested = format!("{workspace}{}", server("cargo test --workspace"));
    check(&tested, &["cargo clippy --workspace --tests"]);
}

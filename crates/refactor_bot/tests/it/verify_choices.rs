//! What a person chooses of verification: commands, variables, none of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;

use crate::verify_command::{Case, SHOP, check};

const ADD: &str = "  return items.reduce((sum, item) => sum + item.price, 0);";
const ADD_TURNED: &str = "  return items.reduce((sum, item) => item.price + sum, 0);";

#[test]
fn ve1_what_a_run_would_use_is_listed() {
    let case = Case::new(SHOP);
    let fast = ["--list", "--set", "fast_verifier=npx tsc --noEmit"];
    check(
        &case,
        &case.verify(&fast),
        &expect![[r#"
            exit 0
            --- stdout
            after every task
              typecheck    npx tsc --noEmit  configured
            every few tasks, and at the end
              test         node --test  package.json scripts.test
        "#]],
    );
    let both = [&fast[..], &["--set", "full_verifier=make check"]].concat();
    check(
        &case,
        &case.verify(&both),
        &expect![[r#"
            exit 0
            --- stdout
            after every task
              typecheck    npx tsc --noEmit  configured
            every few tasks, and at the end
              test         make check  configured
            found, but not used
              test         node --test  package.json scripts.test
        "#]],
    );
    let told = case.json(&both);
    let lines = |field: &str| told[field][0]["line"].as_str().unwrap_or_default().to_owned();
    assert_eq!([lines("fast"), lines("full")], ["npx tsc --noEmit", "make check"]);
    assert_eq!(told["packages"][0]["name"], "shop");
}

#[test]
fn ve1_a_check_that_tests_nothing_is_a_verifier_and_says_so() {
    let case = Case::new(SHOP);
    let set = ["--set", "full_verifier=node --check lib/price.js"];
    check(
        &case,
        &case.verify(&set),
        &expect![[r#"
            exit 0
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            pass  test         node --check lib/price.js  configured
                  [MEASURED]

            baseline  pass; the checks include no tests
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --check lib/price.js
        "#]],
    );
    let ran = case.change("lib/price.js", ADD, ADD_TURNED, &set);
    check(
        &case,
        &ran,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 55 of 100
            tests    none; the other checks pass
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
            baseline: node --check lib/price.js
            verifying: node --check lib/price.js
        "#]],
    );
}

#[test]
fn ve1_a_chosen_check_that_cannot_start_ends_the_run_before_any_change() {
    let case = Case::new(SHOP);
    let absent = ["--set", "fast_verifier=no-such-checker --all"];
    check(
        &case,
        &case.verify(&["--set", "full_verifier=no-such-checker --all"]),
        &expect![[r#"
            exit 2
            --- stderr
            baseline: no-such-checker --all
            error: `no-such-checker --all` is configured as a check, but cannot be started: `no-such-checker` was not found
            hint: checks run at the root of the repository: `cd FOLDER && …` runs one in a folder; `refactor-bot verify --list` shows what was found
        "#]],
    );
    check(
        &case,
        &case.change("lib/price.js", ADD, ADD_TURNED, &absent),
        &expect![[r#"
        exit 2
        --- stderr
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: no-such-checker --all
        error: `no-such-checker --all` is configured as a check, but cannot be started: `no-such-checker` was not found
        hint: checks run at the root of the repository: `cd FOLDER && …` runs one in a folder; `refactor-bot verify --list` shows what was found
    "#]],
    );
}

#[test]
fn ve1_a_program_that_the_sandbox_hides_did_not_run() {
    let mut case = Case::new(SHOP);
    let folder = case.cli.user_dir().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("eslint");
    fs::write(&program, "#!/bin/sh\ntrue\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    case.cli.set_env("PATH", format!("{}:{path}", folder.display()));
    check(
        &case,
        &case.verify(&["--set", "full_verifier=eslint ."]),
        &expect![[r#"
            exit 2
            --- stderr
            baseline: eslint .
            error: `eslint .` is configured as a check, but cannot be started: the command could not be started in its sandbox (bubblewrap): bwrap: execvp eslint: No such file or directory
            hint: checks run at the root of the repository: `cd FOLDER && …` runs one in a folder; `refactor-bot verify --list` shows what was found
        "#]],
    );
}

/// A tool that a person keeps in the checkout and has on the PATH is lent to commands.
#[test]
fn sa7_a_tool_of_the_checkout_on_the_path_can_be_called() {
    let Case { repo, cli } = Case::new(SHOP);
    repo.write(".gitignore", "runs.txt\nown-tools\n");
    repo.commit_all("ignore");
    repo.write("own-tools/check-it", "#!/bin/sh\nexit 0\n");
    let folder = repo.root().join("own-tools");
    let tool = folder.join("check-it");
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let case = Case { repo, cli: cli.env("PATH", path) };
    let ran = case.verify(&["--set", "full_verifier=check-it", "--set", "fast_verifier=check-it"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("check-it"), "{}", ran.stdout);
}

#[test]
fn ve1_a_chosen_check_runs_in_the_folder_that_its_line_enters() {
    let case =
        Case::new(&SHOP.replace("//- ", "//- shop/").replace("shop/.gitignore", ".gitignore"));
    check(
        &case,
        &case.verify(&["--set", "full_verifier=cd shop && node --test"]),
        &expect![[r#"
            exit 0
            --- stdout
            verify  [TMP]/project
            sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

            pass  test         node --test  in shop  configured
                  2 passed, 0 failed, 1 skipped, [MEASURED]

            baseline  pass: 2 of 2 tests passed (100.0%)
            outputs   [USER]/home/runs/[RUN]/verify
            --- stderr
            baseline: node --test in shop
        "#]],
    );
}

#[test]
fn ve2_a_variable_of_the_shell_reaches_the_commands_when_it_is_named() {
    let asks = "test('adds up', () => { if (!process.env.SHOP_RATES) throw new Error('SHOP_RATES is not set'); });\n";
    let fixture = format!("{SHOP}{asks}");
    let mut case = Case::new(&fixture);
    case.cli.set_env("SHOP_RATES", "s3cret");
    case.cli.set_env("NODE_OPTIONS", "--no-warnings");
    check(
        &case,
        &case.verify(&[]),
        &expect![[r#"
        exit 1
        --- stdout
        verify  [TMP]/project
        sandbox bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command

        fail  test         node --test  package.json scripts.test
              2 passed, 1 failed, 1 skipped, [MEASURED]
              `node --test` exited with code 1
              1 of 3 tests failed
              - test/price.test.js › adds up #2
                  Error: SHOP_RATES is not set

        baseline  fail: 2 of 3 tests passed (66.6%)
        hint      SHOP_RATES is set in your shell but not passed to commands; to pass, use --set verify.env=SHOP_RATES
        outputs   [USER]/home/runs/[RUN]/verify
        --- stderr
        baseline: node --test
    "#]],
    );
    let ran = case.change("lib/price.js", ADD, ADD_TURNED, &[]);
    assert!(ran.stdout.contains("note: SHOP_RATES is set"), "{}", ran.stdout);
    for set in ["verify.env=SHOP_RATES,NODE_OPTIONS", "verify.env=SHOP_RATES=1"] {
        case.verify(&["--set", set]).expect_code(0);
    }
    let ran = case.verify(&["--set", "verify.env=SHOP_RATES,GONE"]);
    ran.expect_code(0);
    assert!(
        ran.stdout
            .contains("note    verify.env lists variables that are not set in your shell: GONE"),
        "{}",
        ran.stdout
    );
    let ran = case.verify(&["--set", "verify.env=SHOP-RATES=s3cret"]);
    ran.expect_code(2);
    assert!(ran.stderr.contains("`SHOP-RATES` is not a valid variable name"), "{}", ran.stderr);
    // What was only named is written down nowhere.
    let kept = case.cli.home().join("runs");
    assert!(!holds(&kept, "s3cret"));
}

#[test]
fn ux3_a_repository_cannot_choose_variables_unasked() {
    let asks = "test('adds up', () => assert.strictEqual(process.env.SHOP_RATES, undefined));\n";
    let config = "//- .refactor-bot.config.json\n{ \"verify\": { \"env\": [\"SHOP_RATES=1\"] } }\n";
    let case = Case::new(&format!("{SHOP}{asks}{config}"));
    let ran = case.verify(&[]);
    ran.expect_code(0);
    assert!(ran.stderr.contains("verify.env"), "{}", ran.stderr);
}

/// A project that nobody trusts cannot switch off what guards its users.
#[test]
fn ux3_sa7_a_repository_cannot_switch_off_guards_unasked() {
    let config = r#"//- .refactor-bot.config.json
{ "allow_public_api_changes": true,
  "verify": { "allow_failing_baseline": true, "pass_rate_abort": 0, "memory_mb": 1000000 } }
"#;
    let case = Case::new(&format!("{SHOP}{config}"));
    let change = ["lib/price.js", "function total(items) {", "function total(items, start) {"];
    let refused = case.change(change[0], change[1], change[2], &["--no-verify"]);
    refused.expect_code(1);
    for key in
        ["allow_public_api_changes", "allow_failing_baseline", "pass_rate_abort", "memory_mb"]
    {
        assert!(refused.stderr.contains(key), "{key}: {}", refused.stderr);
    }
    let root = case.repo.root().display().to_string();
    case.cli.run(["config", "trust", &root]).expect_code(0);
    case.change(change[0], change[1], change[2], &["--no-verify"]).expect_code(0);
}

#[test]
fn ve6_without_the_commands_every_change_is_read_all_the_same() {
    let case = Case::new(SHOP);
    let lost = case.change(
        "lib/tax.js",
        "module.exports = { rate };",
        "module.exports = {};",
        &["--no-verify"],
    );
    check(
        &case,
        &lost,
        &expect![[r#"
            exit 1
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  refused  change
                  lib/price.js:1: `rate` is not exported by lib/tax.js
            tests    fail
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Nothing changed. Fix what was refused, then run it again.
            --- stderr
            saving the history
            checking the saved history
            saving files
            checking the saved files
        "#]],
    );
    let kept = case.change("lib/price.js", ADD, ADD_TURNED, &["--no-verify"]);
    check(
        &case,
        &kept,
        &expect![[r#"
            exit 0
            --- stdout
            run [RUN]  [TMP]/project
              batch-001  applied  change  (1 file, +1 -1)  confidence 30 of 100
            tests    not run; only static checks: syntax, imports, exports, calls, cycles, public interface
            backup   [USER]/home/backups/project-[HASH]/[RUN]
            report   [USER]/home/runs/[RUN]/report

            Your checkout is unchanged. Review the diffs, then accept or reject:
              refactor-bot runs show [RUN] --diff
              refactor-bot accept [RUN]
              refactor-bot reject [RUN]
            --- stderr
            saving files
            checking the saved files
        "#]],
    );
    // What may change is chosen as with them.
    let (from, to) = ("function total(items) {", "function total(items, start) {");
    case.change("lib/price.js", from, to, &["--no-verify"]).expect_code(1);
    let allowed = ["--no-verify", "--set", "allow_public_api_changes=true"];
    case.change("lib/price.js", from, to, &allowed).expect_code(0);
}

/// Whether any file below holds the text.
fn holds(folder: &std::path::Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.into_iter().any(|path| {
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// A type check that nobody runs is tried. If it fails from the start, that stops nothing.
#[test]
fn ve1_an_optional_type_check_is_tried_and_stops_no_first_run() {
    let case = Case::new(SHOP);
    let manifest = case.repo.read("package.json").replace(
        "\"scripts\": {",
        "\"devDependencies\": { \"typescript\": \"5\" }, \"scripts\": {",
    );
    case.repo.write("package.json", manifest);
    case.repo.write("tsconfig.json", "{}\n");
    let script = "#!/bin/sh\necho 'lib/price.js(1,1): error TS2322: no'\nexit 2\n";
    case.repo.write("node_modules/.bin/tsc", script);
    case.repo.write(".gitignore", "node_modules\nruns.txt\n");
    let program = case.repo.root().join("node_modules/.bin/tsc");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    case.repo.commit_all("typescript");
    let ran = case.verify(&[]);
    assert!(ran.stdout.contains("fail  typecheck"), "{}", ran.stdout);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

/// A linter that fails and that nobody runs stops no first run; it is named, with the setting that runs it.
#[test]
fn ve1_a_check_that_the_project_does_not_run_is_offered_and_not_run() {
    let case = Case::new(SHOP);
    let manifest = case.repo.read("package.json").replace(
        "\"scripts\": {",
        "\"devDependencies\": { \"eslint\": \"9\" }, \"scripts\": { \"test:e2e\": \"node no-such-file.js\",",
    );
    case.repo.write("package.json", manifest);
    case.repo.write("eslint.config.js", "module.exports = [];\n");
    case.repo.write("node_modules/.bin/eslint", "#!/bin/sh\nexit 1\n");
    case.repo.write(".gitignore", "node_modules\nruns.txt\n");
    let program = case.repo.root().join("node_modules/.bin/eslint");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    case.repo.commit_all("eslint");
    let ran = case.verify(&[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let offered = "optional checks, not run (to run them: --set verify.optional_checks=true):\n  \
                   lint         eslint .  eslint.config.js settings of eslint\n  \
                   integration  npm run test:e2e  package.json scripts.test:e2e\n";
    assert!(ran.stdout.contains(offered), "{}", ran.stdout);
    for run in ["fail  lint", "fail  integration"] {
        assert!(!ran.stdout.contains(run), "{}", ran.stdout);
    }
    let listed = case.verify(&["--list"]);
    assert!(listed.stdout.contains(offered), "{}", listed.stdout);
    let ran = case.verify(&["--set", "verify.optional_checks=true"]);
    assert!(ran.stdout.contains("fail  lint         eslint ."), "{ran:?}");
    assert!(!ran.stdout.contains("not run"), "{ran:?}");
}

#[test]
fn ve2_a_suite_can_commit_without_the_settings_of_the_user() {
    let commits = r#"
const { execFileSync } = require('node:child_process');
const dir = require('node:fs').mkdtempSync(require('node:os').tmpdir() + '/commits-');
const git = (...args) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' }).trim();
test('commits', () => {
  git('init', '--quiet');
  git('commit', '--allow-empty', '-m', 'first');
  git('config', 'user.name', 'of the test');
  git('commit', '--allow-empty', '-m', 'second');
  if (git('log', '-1', '--format=%an') !== 'of the test') throw new Error(git('log'));
});
"#;
    let case = Case::new(&format!("{SHOP}{commits}"));
    for sandbox in ["bubblewrap", "landlock"] {
        let ran = case.verify(&["--sandbox", sandbox]);
        assert!(ran.stdout.contains("3 passed, 0 failed"), "{sandbox}: {}", ran.stdout);
    }
}

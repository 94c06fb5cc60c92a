//! Checks that complained before a change: each complaint is compared, and only new ones speak against it.

use std::fs;

use serde_json::Value;

use crate::verify_command::Case;

/// A type checker that takes its errors from comments: `// TS2322: words`. With `tools/mute` it says nothing that can be read.
const PROJECT: &str = r#"
//- package.json
{ "name": "shop", "version": "1.0.0", "scripts": { "test": "node --test", "typecheck": "node tools/tsc.js" } }
//- tools/tsc.js
const fs = require('node:fs');
let errors = 0;
for (const file of ['lib/price.js', 'lib/tax.js']) {
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, at) => {
    const found = /\/\/ (TS\d+): (.*)/.exec(line);
    if (!found) return;
    errors += 1;
    if (!fs.existsSync('tools/mute')) console.log(`${file}(${at + 1},3): error ${found[1]}: ${found[2]}`);
  });
}
if (fs.existsSync('tools/mute')) console.log('something is wrong');
process.exit(fs.existsSync('tools/mute') ? errors : Math.min(errors, 2));
//- lib/price.js
// TS2322: Type 'string' is not assignable to type 'number'.
function total(items) {
  return items.length; // TS2304: Cannot find name 'x'.
}
module.exports = { total };
//- lib/tax.js
const rate = 1;
module.exports = { rate };
//- test/price.test.js
const test = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/price');
test('counts', () => assert.strictEqual(total([1, 2]), 2));
"#;

struct Done {
    code: i32,
    stdout: String,
    summary: String,
    report: Value,
}

fn changed(case: &Case, path: &str, from: &str, to: &str) -> Done {
    let ran = case.change(path, from, to, &["--allow-failing-baseline"]);
    let folder = case.cli.home().join("runs").join(ran.run_id()).join("report");
    let summary = fs::read_to_string(folder.join("pr-summary.md")).unwrap();
    let report = fs::read(folder.join("validation-report.json")).unwrap();
    let report = serde_json::from_slice(&report).unwrap();
    Done { code: ran.code, stdout: ran.stdout, summary, report }
}

/// The row of the summary's table about the type checker.
fn row(done: &Done) -> &str {
    done.summary.lines().find(|line| line.starts_with("| typecheck")).unwrap_or_default()
}

#[test]
fn ve4_a_new_type_error_fails_a_change_though_there_were_errors_before() {
    let case = Case::new(PROJECT);
    let to = "const rate = 'one'; // TS2322: Type 'string' is not assignable to type 'number'.";
    let done = changed(&case, "lib/tax.js", "const rate = 1;", to);
    assert_eq!(done.code, 1, "{}", done.stdout);
    let named = "lib/tax.js:1:3: TS2322: Type 'string' is not assignable to type 'number'.";
    for text in [&done.stdout, &done.summary] {
        assert!(text.contains("1 new error, 2 as before"), "{text}");
    }
    assert!(done.stdout.contains(named), "{}", done.stdout);
    assert!(!done.report.to_string().contains("no_verifier_ran"), "{}", done.report);
    assert_eq!(done.report["verdict"], "fail");
}

#[test]
fn ve4_errors_that_were_there_may_move_and_may_be_fixed() {
    let case = Case::new(PROJECT);
    let first = "// TS2322: Type 'string' is not assignable to type 'number'.";
    let done = changed(&case, "lib/price.js", first, &format!("\n\n{first}"));
    assert_eq!(done.code, 0, "{}", done.stdout);
    assert!(
        row(&done).ends_with("| fail, 2 problems | fails, 2 errors as before |"),
        "{}",
        row(&done)
    );
    let case = Case::new(PROJECT);
    let done = changed(&case, "lib/price.js", first, "// Counts.");
    assert_eq!(done.code, 0, "{}", done.stdout);
    let words = "| fails, 1 error as before, 1 fixed |";
    assert!(row(&done).ends_with(words), "{}", row(&done));
    let checked = done.report["tests"]["after"]["commands"].as_array().unwrap();
    let checked = checked.iter().find(|it| it["purpose"] == "typecheck").unwrap();
    assert_eq!(
        (&checked["diagnostics"]["fixed"], &checked["verdict"]),
        (&1.into(), &"pass".into())
    );
}

#[test]
fn ve4_where_nothing_can_be_read_the_exit_code_is_compared_and_the_report_says_so() {
    let case = Case::new(PROJECT);
    case.repo.write("tools/mute", "");
    case.repo.commit_all("mute");
    let done = changed(&case, "lib/tax.js", "const rate = 1;", "const rate = 2;");
    assert_eq!(done.code, 0, "{}", done.stdout);
    assert!(row(&done).ends_with("| fail | fails, as before; not compared |"), "{}", row(&done));
    assert!(done.report.to_string().contains("so only its exit code was compared"));
    let done = changed(&case, "lib/tax.js", "const rate = 1;", "const rate = 1; // TS1: more");
    assert_eq!(done.code, 1, "{}", done.stdout);
    assert!(done.stdout.contains("exited with code 3, 2 before the change"), "{}", done.stdout);
}

#[test]
fn ve4_a_check_that_passed_before_names_what_is_new() {
    let case = Case::new(PROJECT);
    case.repo.write(
        "lib/price.js",
        "function total(items) {\n  return items.length;\n}\nmodule.exports = { total };\n",
    );
    case.repo.commit_all("clean");
    let to = "const rate = 1; // TS2304: Cannot find name 'y'.";
    let done = changed(&case, "lib/tax.js", "const rate = 1;", to);
    assert_eq!(done.code, 1, "{}", done.stdout);
    assert!(done.stdout.contains("typecheck: 1 new error"), "{}", done.stdout);
    assert!(
        done.stdout.contains("lib/tax.js:1:3: TS2304: Cannot find name 'y'."),
        "{}",
        done.stdout
    );
}

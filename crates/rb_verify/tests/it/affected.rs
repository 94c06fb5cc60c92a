//! Tests that reach the change come first, where that is worth it.

use rb_core::Cancel;
use rb_core::Verdict;
use rb_core::progress::Silent;
use rb_index::{NoHistory, Options, Request, update};
use rb_verify::affected;

use crate::Project;

const PROJECT: &str = r#"
//- package.json
{ "name": "two", "scripts": { "test": "node --test" } }
//- lib/a.js
exports.a = () => 1;
//- lib/b.js
exports.b = () => 2;
//- lib/top.js
const { a } = require('./a');
exports.top = () => a();
//- test/a.test.js
const test = require('node:test');
const assert = require('node:assert');
test('top', () => assert.strictEqual(require('../lib/top').top(), 1));
//- test/b.test.js
const test = require('node:test');
const assert = require('node:assert');
test('b', () => assert.strictEqual(require('../lib/b').b(), 2));
"#;

const FILES: [&str; 6] =
    ["lib/a.js", "lib/b.js", "lib/top.js", "package.json", "test/a.test.js", "test/b.test.js"];

#[test]
fn ve3_the_affected_tests_are_found_by_imports() {
    let project = Project::new(PROJECT);
    let store = project.temp.path().join("index");
    let indexed = update(&Request {
        root: &project.root(),
        folder: &store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    })
    .unwrap();
    let view = indexed.view().unwrap();
    let check = |changed: &str, expected: &[&str]| {
        assert_eq!(affected(&view, &[changed.to_owned()]), expected, "{changed}");
    };
    check("lib/a.js", &["test/a.test.js"]);
    check("lib/b.js", &["test/b.test.js"]);
    check("test/b.test.js", &["test/b.test.js"]);
    check("package.json", &[]);
}

#[test]
fn ve3_when_the_affected_tests_fail_the_others_are_not_run() {
    let mut project = Project::new(PROJECT);
    project.options.affected_first_ms = 0;
    project.options.confirm_runs = 1;
    let detected = project.detected(&FILES);
    let baseline = project.baseline(&detected);
    assert_eq!(baseline.verdict, Verdict::Pass, "{baseline:?}");
    project.write("lib/a.js", "exports.a = () => 3;\n");
    let found = project.verify(&detected, &baseline, &["test/a.test.js"]);
    assert_eq!(found.verdict, Verdict::Fail, "{found:?}");
    assert_eq!(
        project.outputs(),
        ["baseline-01-test", "task-01-test-affected", "task-01-test-affected-again1"]
    );
    project.write("lib/a.js", "exports.a = () => 1; // as before\n");
    let found = project.verify(&detected, &baseline, &["test/a.test.js"]);
    assert_eq!(found.verdict, Verdict::Pass, "{found:?}");
    assert!(project.outputs().contains(&"task-01-test".to_owned()));
}

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

/// Tests that name what they load as a text, for a loader of another kind.
const DOUBLES: &str = r"
//- package.json
{}
//- lib/a.js
exports.a = 1;
//- test/proxyquire.test.js
const proxyquire = require('proxyquire').noCallThru();
proxyquire('../lib/a', { fs: {} });
//- test/load.test.js
const proxyquire = require('proxyquire');
proxyquire.noPreserveCache().load('../lib/a', {});
//- test/rewire.test.js
const rewire = require('rewire');
const a = rewire('../lib/a.js');
//- test/esmock.test.js
import esmock from 'esmock';
const a = await esmock.strict('../lib/a.js', {});
//- test/jest.test.js
const a = jest.requireActual('../lib/a');
//- test/mocked.test.js
jest.mock('../lib/a');
//- test/vi.test.js
vi.mock('../lib/a.js');
//- test/resolve.test.js
delete require.cache[require.resolve('../lib/a')];
//- test/other.test.js
log('../lib/a').proxyquire('../lib/a');
";

const FILES: [&str; 6] =
    ["lib/a.js", "lib/b.js", "lib/top.js", "package.json", "test/a.test.js", "test/b.test.js"];

#[test]
fn ve3_the_affected_tests_are_found_by_imports() {
    let check = |fixture: &str, changed: &str, expected: &[&str]| {
        let project = Project::new(fixture);
        assert_eq!(reaching(&project, changed), expected, "{changed}");
    };
    check(PROJECT, "lib/a.js", &["test/a.test.js"]);
    check(PROJECT, "lib/b.js", &["test/b.test.js"]);
    check(PROJECT, "test/b.test.js", &["test/b.test.js"]);
    check(PROJECT, "package.json", &[]);
}

#[test]
fn ve3_a_test_reaches_what_a_loader_of_doubles_loads() {
    let found = reaching(&Project::new(DOUBLES), "lib/a.js");
    let names = ["esmock", "jest", "load", "mocked", "proxyquire", "resolve", "rewire", "vi"];
    assert_eq!(found, names.map(|name| format!("test/{name}.test.js")));
}

fn reaching(project: &Project, changed: &str) -> Vec<String> {
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
    affected(&indexed.view().unwrap(), &[changed.to_owned()])
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

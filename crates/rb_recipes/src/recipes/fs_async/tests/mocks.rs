//! Mocks: which of them replace anything, and for whom.

use super::RECIPE;
use crate::testing::Project;

/// The files that are left for the sake of a mock.
fn left(fixture: &str) -> Vec<String> {
    let outcome = Project::new(fixture).run(&RECIPE);
    let left = outcome.plan.left.iter().filter(|it| it.reason.contains("mocked"));
    left.map(|it| format!("{}:{}", it.path, it.line)).collect()
}

const ESM: &str = "\
//- src/a.js
import fs from 'fs';
export async function a(file) {
  return fs.existsSync(file) || fs.readFileSync(file);
}
//- src/b.js
import fs from 'fs';
export async function b(file) {
  return fs.readFileSync(file);
}
";

const CJS: &str = "\
//- src/a.js
const fs = require('fs');
exports.a = async function (file) {
  return fs.existsSync(file) || fs.readFileSync(file);
};
//- src/b.js
const fs = require('fs');
exports.b = async function (file) {
  return fs.readFileSync(file);
};
";

#[test]
fn ru3_fs_async_jest_mock_does_nothing_to_native_imports() {
    let test = "//- test/a.test.js\nimport { a } from '../src/a.js';\njest.mock('fs');\ntest('a', () => a('x'));\n";
    let native = "//- package.json\n{ \"type\": \"module\", \"scripts\": { \"test\": \"node --experimental-vm-modules node_modules/jest/bin/jest.js\" } }\n";
    assert_eq!(left(&format!("{native}{ESM}{test}")), Vec::<String>::new());
    let plain =
        "//- package.json\n{ \"type\": \"module\", \"devDependencies\": { \"jest\": \"29\" } }\n";
    assert_eq!(left(&format!("{plain}{ESM}{test}")), Vec::<String>::new());
    let babel = "//- package.json\n{ \"type\": \"module\", \"devDependencies\": { \"jest\": \"29\", \"@babel/preset-env\": \"7\" } }\n";
    assert_eq!(left(&format!("{babel}{ESM}{test}")), ["src/a.js:3", "src/a.js:3"]);
    // This one works there.
    let test = test.replace("jest.mock(", "jest.unstable_mockModule(");
    assert_eq!(left(&format!("{native}{ESM}{test}")), ["src/a.js:3", "src/a.js:3"]);
}

#[test]
fn ru3_fs_async_a_mock_concerns_what_its_test_loads() {
    let test = |line: &str| {
        format!(
            "//- test/a.test.js\nconst {{ a }} = require('../src/a');\nconst fs = require('fs');\n{line}\ntest('a', () => a('x'));\n"
        )
    };
    for (line, expected) in [
        ("jest.mock('fs');", &["src/a.js:3", "src/a.js:3"][..]),
        ("vi.mock('node:fs');", &["src/a.js:3", "src/a.js:3"]),
        ("vi.mock('fs/promises');", &[]),
        ("sinon.stub(fs, 'readFileSync');", &["src/a.js:3"]),
        ("mock.method(fs, 'existsSync', () => true);", &["src/a.js:3"]),
        (
            "jest.mock('fs', () => ({ ...jest.requireActual('fs'), existsSync: jest.fn() }));",
            &["src/a.js:3"],
        ),
        ("require('mock-fs')({ x: '' });", &[]),
    ] {
        assert_eq!(left(&format!("{CJS}{}", test(line))), expected, "{line}");
    }
}

#[test]
fn ru3_fs_async_a_mock_that_prepares_all_tests_concerns_all() {
    let setup = "//- jest.config.js\nmodule.exports = { setupFiles: ['<rootDir>/tools/mocks.js'] };\n//- tools/mocks.js\njest.mock('fs');\n";
    assert_eq!(left(&format!("{CJS}{setup}")), ["src/a.js:3", "src/a.js:3", "src/b.js:3"]);
    // A manual mock of a module of Node is only used where a test asks for it.
    let manual = "//- __mocks__/fs.js\nmodule.exports = jest.createMockFromModule('fs');\n";
    assert_eq!(left(&format!("{CJS}{manual}")), Vec::<String>::new());
}

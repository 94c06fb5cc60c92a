//! The terminal output of JavaScript runners.

use expect_test::expect;
use rb_reports::Format;

use crate::check;

#[test]
fn ve2_jest_text() {
    check(
        Format::JestText,
        include_str!("../../fixtures/jest.txt"),
        &expect![[r#"
        Failed, CountsOnly: 4 passed, 2 failed, 2 skipped
        FAIL a.test.js › math › nested "deep" <b> › same  -- expect(received).toBe(expected) // Object.is equality Expect
        FAIL a.test.js › math › subtracts  -- expect(received).toBe(expected) // Object.is equality Expect
        !! broken.test.js: cannot load > 1 | throw new Error("cannot load"); | ^ 2 | at
    "#]],
    );
}

#[test]
fn ve2_jest_text_verbose() {
    check(
        Format::JestText,
        include_str!("../../fixtures/jest-verbose.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.js › later
        ok   a.test.js › math › adds
        skip a.test.js › math › multiplies
        ok   a.test.js › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.js › math › nested "deep" <b> › same
        FAIL a.test.js › math › nested "deep" <b> › same #2
        FAIL a.test.js › math › subtracts
        ok   a.test.js › prints lies
        !! broken.test.js: cannot load > 1 | throw new Error("cannot load"); | ^ 2 | at
    "#]],
    );
}

#[test]
fn ve2_vitest_text() {
    check(
        Format::VitestText,
        include_str!("../../fixtures/vitest.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.mjs › later
        ok   a.test.mjs › math › adds
        skip a.test.mjs › math › multiplies
        ok   a.test.mjs › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.mjs › math › nested "deep" <b> › same
        FAIL a.test.mjs › math › nested "deep" <b> › same #2
        FAIL a.test.mjs › math › subtracts
        ok   a.test.mjs › prints lies
        !! broken.test.mjs: the suite failed to run
    "#]],
    );
}

#[test]
fn ve2_vitest_text_verbose() {
    check(
        Format::VitestText,
        include_str!("../../fixtures/vitest-verbose.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.mjs › later
        ok   a.test.mjs › math › adds
        skip a.test.mjs › math › multiplies
        ok   a.test.mjs › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.mjs › math › nested "deep" <b> › same
        FAIL a.test.mjs › math › nested "deep" <b> › same #2
        FAIL a.test.mjs › math › subtracts
        ok   a.test.mjs › prints lies
        !! broken.test.mjs: the suite failed to run
    "#]],
    );
}

#[test]
fn ve2_mocha_text() {
    check(
        Format::MochaText,
        include_str!("../../fixtures/mocha.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 1 skipped
        ok   math › adds
        skip math › multiplies
        ok   math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   math › nested "deep" <b> › same
        FAIL math › nested "deep" <b> › same #2
        FAIL math › subtracts
        ok   prints lies
    "#]],
    );
}

#[test]
fn ve2_mocha_text_with_a_file_that_cannot_be_loaded() {
    check(
        Format::MochaText,
        include_str!("../../fixtures/mocha-broken.txt"),
        &expect![[r#"
        Failed, PerTest: 0 passed, 0 failed, 0 skipped
        !! Error: cannot load
    "#]],
    );
}

#[test]
fn ve2_ava_text() {
    check(
        Format::AvaText,
        include_str!("../../fixtures/ava.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 1 failed, 2 skipped
        ok   a › adds
        ok   a › größer → 'quoted' "double" # hash
        ok   a › known bug
        skip a › later
        skip a › multiplies
        ok   a › prints lies
        FAIL a › subtracts
        !! broken.test.js exited with a non-zero exit code: 1
        !! 1 uncaught exception
    "#]],
    );
}

#[test]
fn ve2_node_text() {
    check(
        Format::NodeText,
        include_str!("../../fixtures/node.txt"),
        &expect![[r#"
        Failed, CountsOnly: 6 passed, 2 failed, 2 skipped
        FAIL math › nested "deep" <b> # hash › same
        FAIL math › subtracts
        !! broken.test.js: the file failed to run
    "#]],
    );
}

//! TAP of each runner that writes it, and its corners.

use expect_test::expect;
use rb_reports::Format;

use crate::check;

#[test]
fn ve2_tap_of_node() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-node.txt"),
        &expect![[r#"
            Failed, PerTest: 6 passed, 2 failed, 2 skipped
            ok   math › adds
            skip math › later  @a.test.js:6  -- error: 'not yet' operator: 'fail' TestContext.<anonymous> (a
            skip math › multiplies
            ok   math › nested "deep" <b> # hash › größer → ünïcode 'quoted' & more
            ok   math › nested "deep" <b> # hash › same
            FAIL math › nested "deep" <b> # hash › same #2  @a.test.js:10  -- error: 'no' operator: 'fail' TestContext.<anonymous> (a.test
            FAIL math › subtracts  @a.test.js:4  -- error: '1 == 2' expected: 2 actual: 1 operator: '==' TestCon
            ok   outer
            ok   outer › inner
            ok   prints lies
            !! broken.test.js: error: 'test failed'
        "#]],
    );
}

#[test]
fn ve2_tap_of_tape_is_named_by_its_comments() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-tape.txt"),
        &expect![[r#"
            Failed, PerTest: 7 passed, 2 failed, 2 skipped
            ok   a comment
            ok   adds
            ok   adds #2
            ok   inner größer 'q'
            skip later
            skip multiplies
            ok   outer
            ok   same
            FAIL same #2  -- no operator: fail Error: no at Test.assert [as _assert] (/re
            ok   subtracts
            FAIL subtracts #2  -- wrong operator: equal expected: 2 actual: 1 Error: wrong at 
        "#]],
    );
    // It died in the middle: neither plan nor sums.
    check(
        Format::Tap,
        "TAP version 13\n# adds\nok 1 sum\nok 2 sum\n# subtracts\nnot ok 3 wrong\n# throws\n",
        &expect![[r#"
            Failed, PerTest: 2 passed, 1 failed, 0 skipped
            ok   adds
            ok   adds #2
            FAIL subtracts  -- wrong
            !! there is no plan: it stopped before its end
        "#]],
    );
}

#[test]
fn ve2_tap_of_ava() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-ava.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 3 failed, 2 skipped
        FAIL Error: cannot load  -- message: cannot load
        ok   a › adds
        ok   a › größer → 'quoted' "double" # hash
        ok   a › known bug
        skip a › later
        skip a › multiplies
        ok   a › prints lies
        FAIL a › subtracts  -- assertion: t.is() details: 'Difference (- actual, + expected
        FAIL broken.test.js exited with a non-zero exit code: 1
        !! 7 tests were planned, 9 were seen
    "#]],
    );
}

#[test]
fn ve2_tap_of_mocha() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-mocha.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 1 skipped
        ok   math adds
        skip math multiplies  -- -
        ok   math nested "deep" <b> größer → ünïcode 'quoted' & more
        ok   math nested "deep" <b> same
        FAIL math nested "deep" <b> same #2
        FAIL math subtracts
        ok   prints lies
    "#]],
    );
}

#[test]
fn ve2_tap_of_vitest() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-vitest.txt"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 3 failed, 2 skipped
        skip a.test.mjs › later
        ok   a.test.mjs › math › adds
        skip a.test.mjs › math › multiplies
        ok   a.test.mjs › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.mjs › math › nested "deep" <b> › same
        FAIL a.test.mjs › math › nested "deep" <b> › same #2  -- error: message: "expected false to be true // Object.is equa
        FAIL a.test.mjs › math › subtracts  -- error: message: "expected false to be true // Object.is equa
        ok   a.test.mjs › prints lies
        FAIL broken.test.mjs  -- error: message: "cannot load"
    "#]],
    );
}

#[test]
fn ve2_tap_of_node_with_what_its_tests_print() {
    check(
        Format::Tap,
        include_str!("../../fixtures/tap-node-direct.txt"),
        &expect![[r#"
        Failed, PerTest: 6 passed, 2 failed, 2 skipped
        ok   math › adds
        skip math › later  @a.test.js:6  -- error: 'not yet' operator: 'fail' TestContext.<anonymous> (a
        skip math › multiplies
        ok   math › nested "deep" <b> # hash › größer → ünïcode 'quoted' & more
        ok   math › nested "deep" <b> # hash › same
        FAIL math › nested "deep" <b> # hash › same #2  @a.test.js:10  -- error: 'no' operator: 'fail' TestContext.<anonymous> (a.test
        FAIL math › subtracts  @a.test.js:4  -- error: '1 == 2' expected: 2 actual: 1 operator: '==' TestCon
        ok   outer
        ok   outer › inner
        ok   prints lies
    "#]],
    );
}

#[test]
fn ve2_tap_with_fewer_points_than_planned() {
    check(
        Format::Tap,
        "1..5\nok 1 - a\nok 2 - b\nok 3 - c\n",
        &expect![[r#"
        Failed, PerTest: 3 passed, 0 failed, 0 skipped
        ok   a
        ok   b
        ok   c
        !! 5 tests were planned, 3 were seen
    "#]],
    );
}

#[test]
fn ve2_tap_that_bails_out() {
    check(
        Format::Tap,
        "1..3\nok 1 - a\nBail out! no database\n",
        &expect![[r#"
        Failed, PerTest: 1 passed, 0 failed, 0 skipped
        ok   a
        !! Bail out! no database
    "#]],
    );
}

#[test]
fn ve2_tap_without_a_plan_stopped_before_its_end() {
    check(
        Format::Tap,
        "TAP version 13\nok 1 - a\n",
        &expect![[r#"
        Failed, PerTest: 1 passed, 0 failed, 0 skipped
        ok   a
        !! there is no plan: it stopped before its end
    "#]],
    );
}

#[test]
fn ve2_tap_that_skips_all() {
    check(
        Format::Tap,
        "TAP version 14\n1..0 # SKIP not on this system\n",
        &expect![[r#"
        NoTestRan, PerTest: 0 passed, 0 failed, 0 skipped
    "#]],
    );
}

#[test]
fn ve2_tap_12_with_directives() {
    check(
        Format::Tap,
        r"1..6
ok
ok 2
not ok 3 - c # todo later
ok 4 - d # Skipped: no disk
ok 5 - e \# not a directive
not ok 6 - f
# Failed test 'f'
",
        &expect![[r#"
            Failed, PerTest: 3 passed, 1 failed, 2 skipped
            ok   (no name)
            ok   (no name) #2
            skip c  -- later
            skip d  -- : no disk
            ok   e # not a directive
            FAIL f
        "#]],
    );
}

#[test]
fn ve2_tap_14_subtests() {
    check(
        Format::Tap,
        "TAP version 14
1..2
# Subtest: outer
    1..2
    ok 1 - a
    # Subtest: inner
        1..1
        not ok 1 - b
    not ok 2 - inner
not ok 1 - outer
ok 2 - last
",
        &expect![[r#"
            Failed, PerTest: 2 passed, 1 failed, 0 skipped
            ok   last
            ok   outer › a
            FAIL outer › inner › b
        "#]],
    );
}

#[test]
fn ve2_tap_of_several_programs() {
    check(
        Format::Tap,
        "TAP version 13
ok 1 - a
1..1
TAP version 13
ok 1 - a
not ok 2 - b
1..2
",
        &expect![[r#"
            Failed, PerTest: 2 passed, 1 failed, 0 skipped
            ok   a
            ok   a #2
            FAIL b
        "#]],
    );
}

#[test]
fn ve2_text_that_is_no_tap() {
    check(
        Format::Tap,
        "okay then\nnot okay\n1.. 2\n",
        &expect![[r#"
        no tap report was found in it
    "#]],
    );
}

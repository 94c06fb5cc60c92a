//! The terminal output of Python runners.

use expect_test::expect;
use rb_reports::Format;

use crate::check;

#[test]
fn ve2_pytest_text() {
    check(
        Format::PytestText,
        include_str!("../../fixtures/pytest.txt"),
        &expect![[r#"
        Failed, CountsOnly: 8 passed, 3 failed, 2 skipped
        FAIL test_a.py › TestGroup › TestInner › test_same  -- AssertionError: no <b>&
        FAIL test_a.py › test_setup  -- RuntimeError: setup
        FAIL test_a.py › test_subtracts  -- assert (2 - 1) == 2
    "#]],
    );
}

#[test]
fn ve2_pytest_text_quiet() {
    check(
        Format::PytestText,
        include_str!("../../fixtures/pytest-q.txt"),
        &expect![[r#"
        Failed, CountsOnly: 8 passed, 3 failed, 2 skipped
        FAIL test_a.py › TestGroup › TestInner › test_same  -- AssertionError: no <b>&
        FAIL test_a.py › test_setup  -- RuntimeError: setup
        FAIL test_a.py › test_subtracts  -- assert (2 - 1) == 2
    "#]],
    );
}

#[test]
fn ve2_pytest_text_verbose() {
    check(
        Format::PytestText,
        include_str!("../../fixtures/pytest-v.txt"),
        &expect![[r#"
        Failed, PerTest: 8 passed, 3 failed, 2 skipped
        FAIL test_a.py › TestGroup › TestInner › test_same
        ok   test_a.py › TestGroup › test_same
        ok   test_a.py › test_adds
        skip test_a.py › test_known
        skip test_a.py › test_multiplies
        ok   test_a.py › test_param[[z]]
        ok   test_a.py › test_param[a 'b' "c"]
        ok   test_a.py › test_param[gr\xf6\xdfer]
        ok   test_a.py › test_param[x::y]
        ok   test_a.py › test_prints_lies
        FAIL test_a.py › test_setup
        FAIL test_a.py › test_subtracts
        ok   test_a.py › test_xpass
    "#]],
    );
}

#[test]
fn ve2_pytest_text_with_a_file_that_cannot_be_imported() {
    check(
        Format::PytestText,
        include_str!("../../fixtures/pytest-broken.txt"),
        &expect![[r#"
        Failed, CountsOnly: 2 passed, 0 failed, 0 skipped
        !! test_broken.py: RuntimeError: cannot load
        !! u/test_broken.py: RuntimeError: cannot load
    "#]],
    );
    // The short summary does not always say why.
    check(
        Format::PytestText,
        "==== ERRORS ====\n____ ERROR collecting test_a.py ____\nE   StopIteration\n\nDuring handling of it, another:\n\
         E   PackageNotFoundError: no metadata for click\n____ ERROR collecting test_b.py ____\nE   OSError: other\n\
         ==== short test summary info ====\nERROR test_a.py\nERROR test_c.py\n2 errors in 0.09s\n",
        &expect![[r#"
            Failed, PerTest: 0 passed, 0 failed, 0 skipped
            !! test_a.py: PackageNotFoundError: no metadata for click
            !! test_c.py: it cannot be collected
        "#]],
    );
}

#[test]
fn ve2_unittest_text() {
    check(
        Format::UnittestText,
        include_str!("../../fixtures/unittest.txt"),
        &expect![[r#"
        Failed, CountsOnly: 3 passed, 3 failed, 2 skipped
        FAIL test_u.Math › test_error
        FAIL test_u.Math › test_sub
        FAIL test_u.Math › test_subtracts
        !! test_broken cannot be loaded
    "#]],
    );
}

#[test]
fn ve2_unittest_text_verbose() {
    check(
        Format::UnittestText,
        include_str!("../../fixtures/unittest-v.txt"),
        &expect![[r#"
        Failed, PerTest: 3 passed, 3 failed, 2 skipped
        ok   test_u.Math › test_adds
        FAIL test_u.Math › test_error
        skip test_u.Math › test_known
        skip test_u.Math › test_multiplies
        ok   test_u.Math › test_prints_err
        ok   test_u.Math › test_prints_lies
        FAIL test_u.Math › test_sub
        FAIL test_u.Math › test_subtracts
        !! test_broken cannot be loaded
    "#]],
    );
}

#[test]
fn ve2_pytest_text_without_a_test() {
    check(
        Format::PytestText,
        "collected 0 items\n\n==== no tests ran in 0.01s ====\n",
        &expect![[r#"
            NoTestRan, PerTest: 0 passed, 0 failed, 0 skipped
        "#]],
    );
}

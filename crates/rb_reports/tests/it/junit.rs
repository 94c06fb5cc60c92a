//! `JUnit` XML of each runner that writes it.

use expect_test::expect;
use rb_reports::Format;

use crate::check;

#[test]
fn ve2_junit_of_pytest() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-pytest.xml"),
        &expect![[r#"
        Failed, PerTest: 8 passed, 3 failed, 2 skipped
        ok   test_a › test_adds
        skip test_a › test_known
        skip test_a › test_multiplies  -- test_a.py:9: not now
        ok   test_a › test_param[[z]]
        ok   test_a › test_param[a 'b' "c"]
        ok   test_a › test_param[gr\xf6\xdfer]
        ok   test_a › test_param[x::y]
        ok   test_a › test_prints_lies
        FAIL test_a › test_setup  -- failed on setup with "RuntimeError: setup" @pytest.fixture >
        FAIL test_a › test_subtracts  -- def test_subtracts(): > assert 2 - 1 == 2 E assert (2 - 1) =
        ok   test_a › test_xpass
        ok   test_a.TestGroup › test_same
        FAIL test_a.TestGroup.TestInner › test_same  -- AssertionError: no <b>& assert 0 self = <test_a.TestGroup.Te
    "#]],
    );
}

#[test]
fn ve2_junit_of_pytest_with_a_file_that_cannot_be_imported() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-pytest-broken.xml"),
        &expect![[r#"
        Failed, PerTest: 2 passed, 0 failed, 0 skipped
        ok   test_a › test_adds
        ok   u.test_u.Math › test_adds
        !! test_broken: collection failure test_broken.py:1: in <module> raise Runti
        !! u.test_broken: collection failure u/test_broken.py:1: in <module> raise Run
    "#]],
    );
}

#[test]
fn ve2_junit_of_pytest_with_files_and_lines() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-pytest-xunit1.xml"),
        &expect![[r#"
            Failed, PerTest: 8 passed, 3 failed, 2 skipped
            ok   test_a.py › TestGroup › test_same  @test_a.py:27
            FAIL test_a.py › TestGroup.TestInner › test_same  @test_a.py:29  -- AssertionError: no <b>& assert 0 self = <test_a.TestGroup.Te
            ok   test_a.py › test_adds  @test_a.py:3
            skip test_a.py › test_known  @test_a.py:12
            skip test_a.py › test_multiplies  @test_a.py:9  -- test_a.py:9: not now
            ok   test_a.py › test_param[[z]]  @test_a.py:18
            ok   test_a.py › test_param[a 'b' "c"]  @test_a.py:18
            ok   test_a.py › test_param[gr\xf6\xdfer]  @test_a.py:18
            ok   test_a.py › test_param[x::y]  @test_a.py:18
            ok   test_a.py › test_prints_lies  @test_a.py:31
            FAIL test_a.py › test_setup  @test_a.py:24  -- failed on setup with "RuntimeError: setup" @pytest.fixture >
            FAIL test_a.py › test_subtracts  @test_a.py:6  -- def test_subtracts(): > assert 2 - 1 == 2 E assert (2 - 1) =
            ok   test_a.py › test_xpass  @test_a.py:15
        "#]],
    );
}

#[test]
fn ve2_junit_of_node() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-node.xml"),
        &expect![[r#"
        Failed, PerTest: 5 passed, 2 failed, 2 skipped
        ok   math › adds
        skip math › later  -- true
        skip math › multiplies  -- true
        ok   math › nested &quot;deep&quot; <b> # hash › größer → ünïcode 'quoted' & more
        ok   math › nested &quot;deep&quot; <b> # hash › same
        FAIL math › nested &quot;deep&quot; <b> # hash › same #2  -- [Error [ERR_TEST_FAILURE]: no] { code: 'ERR_TEST_FAILURE', f
        FAIL math › subtracts  -- Error [ERR_TEST_FAILURE]: 1 == 2 at async Promise.all (index
        ok   outer › inner
        ok   prints lies
        !! broken.test.js: [Error: test failed] { code: 'ERR_TEST_FAILURE', failureType
    "#]],
    );
}

#[test]
fn ve2_junit_of_jest() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-jest.xml"),
        &expect![[r#"
        Failed, PerTest: 5 passed, 2 failed, 1 skipped
        ok   math › later
        ok   math › math adds
        skip math › math multiplies
        ok   math › math nested "deep" <b> größer → ünïcode 'quoted' & more
        ok   math › math nested "deep" <b> same
        FAIL math › math nested "deep" <b> same #2  -- Error: expect(received).toBe(expected) // Object.is equality
        FAIL math › math subtracts  -- Error: expect(received).toBe(expected) // Object.is equality
        ok   math › prints lies
    "#]],
    );
}

#[test]
fn ve2_junit_of_vitest() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-vitest.xml"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.mjs › later
        ok   a.test.mjs › math > adds
        skip a.test.mjs › math > multiplies
        ok   a.test.mjs › math > nested "deep" <b> > größer → ünïcode 'quoted' & more
        ok   a.test.mjs › math > nested "deep" <b> > same
        FAIL a.test.mjs › math > nested "deep" <b> > same #2  -- AssertionError: expected false to be true // Object.is equal
        FAIL a.test.mjs › math > subtracts  -- AssertionError: expected false to be true // Object.is equal
        ok   a.test.mjs › prints lies
        !! broken.test.mjs: Error: cannot load ❯ broken.test.mjs:1:7
    "#]],
    );
}

#[test]
fn ve2_junit_of_mocha() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-mocha.xml"),
        &expect![[r#"
            Failed, PerTest: 4 passed, 2 failed, 0 skipped
            ok   a.test.js › math › math adds
            FAIL a.test.js › math › math subtracts  -- Expected values to be strictly equal: false !== true Asserti
            ok   a.test.js › nested "deep" <b> › math nested "deep" <b> größer → ünïcode 'quoted' & more
            ok   a.test.js › nested "deep" <b> › math nested "deep" <b> same
            FAIL a.test.js › nested "deep" <b> › math nested "deep" <b> same #2  -- Expected values to be strictly equal: false !== true Asserti
            ok   prints lies
        "#]],
    );
}

#[test]
fn ve2_junit_of_nextest() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-nextest.xml"),
        &expect![[r#"
        Failed, PerTest: 9 passed, 3 failed, 0 skipped
        ok   demo › tests::adds
        ok   demo › tests::nested::same
        ok   demo › tests::other::same
        ok   demo › tests::panics
        FAIL demo › tests::prints_fails  -- thread 'tests::prints_fails' (13501) panicked at src/lib.rs:
        ok   demo › tests::prints_lies
        FAIL demo › tests::subtracts  -- thread 'tests::subtracts' (13506) panicked at src/lib.rs:13:
        ok   demo::integration › adds
        ok   demo::integration › uses_it
        ok   demo::zabort › a_fine
        FAIL demo::zabort › b_aborts  -- process aborted with signal 6 (SIGABRT)
        ok   demo::zabort › c_never
    "#]],
    );
}

#[test]
fn ve2_junit_of_phpunit() {
    check(
        Format::JunitXml,
        include_str!("../../fixtures/junit-phpunit.xml"),
        &expect![[r#"
        Failed, PerTest: 3 passed, 3 failed, 2 skipped
        ok   tests/MathTest.php › MathTest › MathTest::testData › testData with data set "a "q""  @tests/MathTest.php:10
        FAIL tests/MathTest.php › MathTest › MathTest::testData › testData with data set "b"  @tests/MathTest.php:10  -- MathTest::testData with data set "b" (false) Failed assertin
        ok   tests/MathTest.php › MathTest › testAdds  @tests/MathTest.php:4
        FAIL tests/MathTest.php › MathTest › testError  @tests/MathTest.php:7  -- MathTest::testError RuntimeException: größer tests/MathTest.
        skip tests/MathTest.php › MathTest › testLater  @tests/MathTest.php:8
        skip tests/MathTest.php › MathTest › testMultiplies  @tests/MathTest.php:6
        ok   tests/MathTest.php › MathTest › testPrintsLies  @tests/MathTest.php:12
        FAIL tests/MathTest.php › MathTest › testSubtracts  @tests/MathTest.php:5  -- MathTest::testSubtracts Failed asserting that 1 is identical
    "#]],
    );
}

#[test]
fn ve2_junit_of_surefire_with_retries() {
    check(
        Format::JunitXml,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0" name="demo.MathTest" time="1,000.061" tests="5" errors="0" skipped="1" failures="1" flakes="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds" classname="demo.MathTest" time="0.02"/>
  <testcase name="subtracts" classname="demo.MathTest" time="0.006">
    <failure message="größer &lt;b&gt; ==&gt; expected: &lt;2&gt; but was: &lt;1&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: größer <b>]]></failure>
    <rerunFailure message="again" type="x"><stackTrace>second</stackTrace></rerunFailure>
  </testcase>
  <testcase name="flaky" classname="demo.MathTest" time="0.001">
    <flakyFailure message="once" type="java.lang.IllegalStateException"><stackTrace>once</stackTrace></flakyFailure>
  </testcase>
  <testcase name="multiplies" classname="demo.MathTest" time="0"><skipped message="not now"/></testcase>
  <testcase name="printsLies" classname="demo.MathTest" time="0.001">
    <system-out><![CDATA[<testcase name="fake"/> Tests run: 9, Failures: 0]]></system-out>
  </testcase>
</testsuite>"#,
        &expect![[r#"
            Failed, PerTest: 3 passed, 1 failed, 1 skipped
            ok   demo.MathTest › adds
            ok   demo.MathTest › flaky
            skip demo.MathTest › multiplies  -- not now
            ok   demo.MathTest › printsLies
            FAIL demo.MathTest › subtracts  -- größer <b> ==> expected: <2> but was: <1> org.opentest4j.Ass
        "#]],
    );
}

#[test]
fn ve2_junit_of_surefire_with_a_class_that_cannot_be_set_up() {
    check(
        Format::JunitXml,
        r#"<testsuite name="demo.BrokenTest" tests="1" errors="1" skipped="0" failures="0">
  <testcase name="" classname="demo.BrokenTest" time="0.0"><error message="cannot load" type="java.lang.RuntimeException">at demo.BrokenTest</error></testcase>
</testsuite>"#,
        &expect![[r#"
            Failed, PerTest: 0 passed, 0 failed, 0 skipped
            !! demo.BrokenTest: cannot load at demo.BrokenTest
        "#]],
    );
}

#[test]
fn ve2_junit_of_gradle_and_of_gotestsum() {
    check(
        Format::JunitXml,
        r#"<testsuites tests="4" failures="1" errors="0">
  <testsuite name="demo.MathTest" tests="2" skipped="0" failures="0" errors="0" timestamp="2026-01-01T00:00:00" hostname="host" time="0.04">
    <properties/>
    <testcase name="adds()" classname="demo.MathTest" time="0.02"/>
    <testcase name="param(String)[1]" classname="demo.MathTest" time="0.001"/>
    <system-out><![CDATA[ok 5 - fake]]></system-out><system-err/>
  </testsuite>
  <testsuite tests="2" failures="1" time="0.001" name="example.com/demo/good">
    <properties><property name="go.version" value="go1.22"/></properties>
    <testcase classname="example.com/demo/good" name="TestSub/inner" time="0.000"/>
    <testcase classname="example.com/demo/good" name="TestSub" time="0.000"><failure message="Failed" type="">=== RUN   TestSub</failure></testcase>
  </testsuite>
</testsuites>"#,
        &expect![[r#"
            Failed, PerTest: 3 passed, 1 failed, 0 skipped
            ok   demo.MathTest › adds()
            ok   demo.MathTest › param(String)[1]
            FAIL example.com/demo/good › TestSub  -- Failed === RUN TestSub
            ok   example.com/demo/good › TestSub/inner
        "#]],
    );
}

#[test]
fn ve2_junit_that_declares_more_than_it_lists() {
    check(
        Format::JunitXml,
        r#"<testsuites tests="3" failures="0" errors="1"><testsuite name="s"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>"#,
        &expect![[r#"
            Failed, PerTest: 2 passed, 0 failed, 0 skipped
            ok   s › a
            ok   s › b
            !! the report declares 3 tests and 1 failures; it lists 2 and 0
        "#]],
    );
}

#[test]
fn ve2_junit_of_a_suite_that_failed_as_a_whole() {
    check(
        Format::JunitXml,
        r#"<testsuites><testsuite name="setup.js"><error message="out of memory"/><testcase name="a"/></testsuite></testsuites>"#,
        &expect![[r#"
            Failed, PerTest: 1 passed, 0 failed, 0 skipped
            ok   setup.js › a
            !! setup.js: out of memory
        "#]],
    );
}

#[test]
fn sa7_junit_expands_no_entities_of_its_own() {
    check(
        Format::JunitXml,
        r#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>
<testsuite name="s"><testcase name="x &b; y"><failure message="m &f;">t &f; &b; &#955; &lt;</failure></testcase></testsuite>"#,
        &expect![[r#"
            Failed, PerTest: 0 passed, 1 failed, 0 skipped
            FAIL s › x &b; y  -- m &f; t λ <
        "#]],
    );
}

#[test]
fn ve2_junit_that_breaks_off() {
    check(
        Format::JunitXml,
        r#"<testsuites><testsuite name="s"><testcase name="a"/><testcase name="b"><failure mess"#,
        &expect![[r#"
            Failed, PerTest: 1 passed, 0 failed, 0 skipped
            ok   s › a
            !! the report breaks off: syntax error: tag not closed: `>` not
        "#]],
    );
}

#[test]
fn ve2_xml_that_is_no_report() {
    check(
        Format::JunitXml,
        "<html><body/></html>",
        &expect![[r#"
        no junit-xml report was found in it
    "#]],
    );
}

#[test]
fn sa7_junit_nested_without_end() {
    check(
        Format::JunitXml,
        &"<testsuite name='s'>".repeat(100_000),
        &expect![[r#"
        elements are nested deeper than 128
    "#]],
    );
}

//! JSON and event streams, and TRX.

use expect_test::expect;
use rb_reports::Format;

use crate::check;

#[test]
fn ve2_jest_json() {
    check(
        Format::JestJson,
        include_str!("../../fixtures/jest.json"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.js › later
        ok   a.test.js › math › adds
        skip a.test.js › math › multiplies
        ok   a.test.js › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.js › math › nested "deep" <b> › same
        FAIL a.test.js › math › nested "deep" <b> › same #2  -- Error: expect(received).toBe(expected) // Object.is equality
        FAIL a.test.js › math › subtracts  -- Error: expect(received).toBe(expected) // Object.is equality
        ok   a.test.js › prints lies
        !! broken.test.js: ● Test suite failed to run cannot load > 1 | throw new Error
    "#]],
    );
}

#[test]
fn ve2_vitest_json() {
    check(
        Format::JestJson,
        include_str!("../../fixtures/vitest.json"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        skip a.test.mjs › later
        ok   a.test.mjs › math › adds
        skip a.test.mjs › math › multiplies
        ok   a.test.mjs › math › nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.mjs › math › nested "deep" <b> › same
        FAIL a.test.mjs › math › nested "deep" <b> › same #2  -- AssertionError: expected false to be true // Object.is equal
        FAIL a.test.mjs › math › subtracts  -- AssertionError: expected false to be true // Object.is equal
        ok   a.test.mjs › prints lies
        !! broken.test.mjs: cannot load
    "#]],
    );
}

#[test]
fn ve2_mocha_json() {
    check(
        Format::MochaJson,
        include_str!("../../fixtures/mocha.json"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 1 skipped
        ok   a.test.js › math nested "deep" <b> › größer → ünïcode 'quoted' & more
        ok   a.test.js › math nested "deep" <b> › same
        FAIL a.test.js › math nested "deep" <b> › same #2  -- AssertionError [ERR_ASSERTION]: Expected values to be strict
        ok   a.test.js › math › adds
        skip a.test.js › math › multiplies
        FAIL a.test.js › math › subtracts  -- AssertionError [ERR_ASSERTION]: Expected values to be strict
        ok   a.test.js › prints lies
    "#]],
    );
}

#[test]
fn ve2_go_test_json() {
    check(
        Format::GoTestJson,
        include_str!("../../fixtures/go-test.json"),
        &expect![[r#"
        Failed, PerTest: 9 passed, 4 failed, 1 skipped
        ok   example.com/demo/cached › TestFine
        ok   example.com/demo/crash › TestFine
        FAIL example.com/demo/crash › TestPanics  -- panic: boom [recovered] panic: boom goroutine 19 [running]: 
        ok   example.com/demo/good › ExampleHello
        ok   example.com/demo/good › TestAdds
        skip example.com/demo/good › TestMultiplies  -- good_test.go:5: not now
        ok   example.com/demo/good › TestParallel
        ok   example.com/demo/good › TestPrintsLies
        FAIL example.com/demo/good › TestSub
        ok   example.com/demo/good › TestSub/größer_"q"
        ok   example.com/demo/good › TestSub/inner_one
        ok   example.com/demo/good › TestSub/same
        FAIL example.com/demo/good › TestSub/same#01  -- good_test.go:6: inner
        FAIL example.com/demo/good › TestSubtracts  -- good_test.go:4: no größer
        !! example.com/demo/bad failed [build failed]
    "#]],
    );
}

#[test]
fn ve2_nextest_json() {
    check(
        Format::NextestJson,
        include_str!("../../fixtures/nextest.json"),
        &expect![[r#"
        Failed, PerTest: 9 passed, 3 failed, 1 skipped
        ok   demo::demo › tests::adds
        skip demo::demo › tests::multiplies
        ok   demo::demo › tests::nested::same
        ok   demo::demo › tests::other::same
        ok   demo::demo › tests::panics
        FAIL demo::demo › tests::prints_fails  -- test x ... ok thread 'tests::prints_fails' (13501) panicked 
        ok   demo::demo › tests::prints_lies
        FAIL demo::demo › tests::subtracts  -- thread 'tests::subtracts' (13506) panicked at src/lib.rs:13:
        ok   demo::integration › adds
        ok   demo::integration › uses_it
        ok   demo::zabort › a_fine
        FAIL demo::zabort › b_aborts
        ok   demo::zabort › c_never
    "#]],
    );
}

#[test]
fn ve2_rspec_json() {
    check(
        Format::RspecJson,
        include_str!("../../fixtures/rspec.json"),
        &expect![[r#"
        Failed, PerTest: 4 passed, 2 failed, 2 skipped
        ok   spec/a_spec.rb › Math nested "deep" › größer 'q'  @spec/a_spec.rb:7
        ok   spec/a_spec.rb › Math nested "deep" › same  @spec/a_spec.rb:8
        FAIL spec/a_spec.rb › Math nested "deep" › same #2  @spec/a_spec.rb:9  -- no
        ok   spec/a_spec.rb › Math › adds  @spec/a_spec.rb:2
        skip spec/a_spec.rb › Math › later  @spec/a_spec.rb:5  -- Not yet implemented
        skip spec/a_spec.rb › Math › multiplies  @spec/a_spec.rb:4  -- Temporarily skipped with xit
        ok   spec/a_spec.rb › Math › prints lies  @spec/a_spec.rb:11
        FAIL spec/a_spec.rb › Math › subtracts  @spec/a_spec.rb:3  -- expected: 2 got: 1 (compared using ==)
    "#]],
    );
}

#[test]
fn ve2_rspec_json_with_a_file_that_cannot_be_loaded() {
    check(
        Format::RspecJson,
        include_str!("../../fixtures/rspec-broken.json"),
        &expect![[r#"
        Failed, PerTest: 0 passed, 0 failed, 0 skipped
        !! 1 errors outside of examples An error occurred while loading
    "#]],
    );
}

#[test]
fn ve2_trx() {
    check(
        Format::Trx,
        r#"<?xml version="1.0" encoding="utf-8"?>
<TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Results>
    <UnitTestResult testId="a" testName="Demo.MathTest.Adds" duration="00:00:01.0204578" outcome="Passed"><Output><StdOut>Passed! - Failed: 0</StdOut></Output></UnitTestResult>
    <UnitTestResult testId="b" testName="Demo.MathTest.Subtracts" duration="00:00:00.0010000" outcome="Failed">
      <Output><ErrorInfo><Message>Assert.Equal() Failure: &lt;2&gt; größer</Message><StackTrace>at Demo.MathTest.Subtracts() in /repo/MathTest.cs:line 9</StackTrace></ErrorInfo></Output>
    </UnitTestResult>
    <UnitTestResult testId="c" testName="Demo.MathTest.Multiplies" outcome="NotExecuted"/>
    <UnitTestResult testId="d" testName="Rows" outcome="Failed"><InnerResults>
      <UnitTestResult testId="d" testName="Rows (1)" outcome="Passed"/>
      <UnitTestResult testId="d" testName="Rows (2)" outcome="Failed"/>
    </InnerResults></UnitTestResult>
  </Results>
  <TestDefinitions>
    <UnitTest name="Demo.MathTest.Adds" id="a"><TestMethod className="Demo.MathTest" name="Adds"/></UnitTest>
    <UnitTest name="Demo.MathTest.Subtracts" id="b"><TestMethod className="Demo.MathTest" name="Subtracts"/></UnitTest>
    <UnitTest name="Rows" id="d"><TestMethod className="Demo.RowsTest" name="Rows"/></UnitTest>
  </TestDefinitions>
  <ResultSummary outcome="Failed"><Counters total="5" executed="4" passed="2" failed="2" error="0"/>
    <RunInfos><RunInfo outcome="Error"><Text>The test host crashed</Text></RunInfo><RunInfo outcome="Warning"><Text>slow</Text></RunInfo></RunInfos>
  </ResultSummary>
</TestRun>"#,
        &expect![[r#"
            Failed, PerTest: 2 passed, 2 failed, 1 skipped
            ok   Demo.MathTest › Adds
            FAIL Demo.MathTest › Subtracts  -- Assert.Equal() Failure: <2> größer at Demo.MathTest.Subtract
            skip Demo.MathTest.Multiplies
            ok   Demo.RowsTest › Rows (1)
            FAIL Demo.RowsTest › Rows (2)
            !! The test host crashed
        "#]],
    );
}

#[test]
fn ve2_go_json_of_a_package_without_a_result() {
    check(
        Format::GoTestJson,
        r#"{"Action":"start","Package":"p/a"}
{"Action":"run","Package":"p/a","Test":"TestHangs"}
{"Action":"output","Package":"p/a","Test":"TestHangs","Output":"=== RUN   TestHangs\n"}
{"ImportPath":"p/b","Action":"build-output","Output":"b.go:3: undefined: x\n"}
{"ImportPath":"p/b","Action":"build-fail"}
{"Action":"fail","Package":"p/b","Elapsed":0,"FailedBuild":"p/b"}
{"Action":"pass","Package":"p/c","Elapsed":0}"#,
        &expect![[r#"
            Failed, PerTest: 0 passed, 1 failed, 0 skipped
            FAIL p/a › TestHangs
            !! p/a has no result: it stopped before its end
            !! p/b failed
            !! p/b does not build b.go:3: undefined: x
        "#]],
    );
}

#[test]
fn ve2_go_json_of_a_test_that_runs_again_and_fails_once() {
    check(
        Format::GoTestJson,
        r#"{"Action":"run","Package":"p","Test":"TestX"}
{"Action":"fail","Package":"p","Test":"TestX","Elapsed":0.5}
{"Action":"run","Package":"p","Test":"TestX"}
{"Action":"pass","Package":"p","Test":"TestX","Elapsed":0.5}
{"Action":"fail","Package":"p"}"#,
        &expect![[r#"
            Failed, PerTest: 0 passed, 1 failed, 0 skipped
            FAIL p › TestX
        "#]],
    );
}

#[test]
fn ve2_mocha_json_with_a_failed_hook() {
    let passed = r#"{"title":"a","fullTitle":"s a","err":{}}"#;
    let hook = r#"{"title":"\"before each\" hook for \"b\"","fullTitle":"s \"before each\" hook for \"b\"","file":"/repo/s.js","err":{"message":"boom"}}"#;
    let text = format!(
        r#"{{"stats":{{"passes":1,"failures":1,"pending":0}},"tests":[{passed}],"pending":[],"failures":[{hook}],"passes":[{passed}]}}"#
    );
    check(
        Format::MochaJson,
        &text,
        &expect![[r#"
        Failed, PerTest: 1 passed, 0 failed, 0 skipped
        ok   s › a
        !! s.js: s "before each" hook for "b": boom
    "#]],
    );
}

#[test]
fn ve2_jest_json_in_which_nothing_is_found() {
    check(
        Format::JestJson,
        r#"{"success":false,"numPassedTests":0,"numFailedTests":0,"testResults":[]}"#,
        &expect![[r#"
            NoTestRan, PerTest: 0 passed, 0 failed, 0 skipped
        "#]],
    );
}

#[test]
fn ve2_jest_json_whose_only_word_is_that_it_failed() {
    check(
        Format::JestJson,
        r#"{"success":false,"testResults":[{"name":"/repo/a.js","status":"passed","assertionResults":[{"title":"t","status":"passed"}]}]}"#,
        &expect![[r#"
            Failed, PerTest: 1 passed, 0 failed, 0 skipped
            ok   a.js › t
            !! the runner says that the run failed, and names no reason
        "#]],
    );
}

#[test]
fn ve2_libtest_json_of_a_process_that_ended_early() {
    check(
        Format::NextestJson,
        r#"{"type":"suite","event":"started","test_count":2}
{"type":"test","event":"started","name":"a"}
{"type":"test","event":"ok","name":"a","exec_time":0.001}
{"type":"test","event":"ok","name":"never started"}
{"type":"test","event":"started","name":"b"}"#,
        &expect![[r#"
            Failed, PerTest: 1 passed, 1 failed, 0 skipped
            ok   a
            FAIL b  -- it started and has no result: its process ended first
        "#]],
    );
}

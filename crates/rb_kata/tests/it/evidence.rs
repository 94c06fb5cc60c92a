//! What is quoted of real test runners when a new test is red: the same from run to run, and only what is about the test.

use std::sync::Arc;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_kata::Runner;
use rb_kata::red::judge;
use rb_kata::suite::{Bench, BenchOptions};
use rb_kata::test_code::tests_in;
use rb_kata::text_file::TextFile;
use rb_sandbox::Choice;
use rb_verify::{Options, Shell};
use tempfile::TempDir;

use crate::runners::{env, is_installed, write};

/// The passing and failing tests, and the verdict on the last test of the file.
#[track_caller]
fn check(runner: Runner, files: &[TextFile], expected: &Expect) {
    expected.assert_eq(&evidence(runner, files));
}

fn evidence(runner: Runner, files: &[TextFile]) -> String {
    let temp = TempDir::with_prefix("rb-kata-").expect("a folder");
    let root = temp.path().canonicalize().expect("it was made just now").join("project");
    for file in files {
        write(&root.join(&file.path), &file.text);
    }
    let verify = Options { sandbox: Choice::Off, timeout_s: 300, ..Options::default() };
    let options = BenchOptions {
        runner,
        folder: root,
        checkout: None,
        scratch: temp.path().join("scratch"),
        work: temp.path().join("work"),
        passed: Shell::default().pass(&verify.env),
        env: env(),
        shim: None,
        verify,
        cancel: Cancel::new(),
        progress: Arc::new(Silent),
    };
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let run =
        Bench::open(options).expect("no sandbox is needed").run(&paths, "red").expect("it runs");
    let tests: Vec<TextFile> =
        files.iter().filter(|file| runner.is_test(&file.path)).cloned().collect();
    let new = tests_in(runner.language(), &tests).pop().expect("there is a test");
    let verdict = judge(runner.language(), &run, &new, &run.passed);
    let failed: Vec<&str> = run.failed.iter().map(|test| test.id.as_str()).collect();
    format!("{:#?}\n{failed:#?}\n{verdict:#?}\n", run.passed)
}

#[test]
fn ka2_go_evidence_has_the_output_of_subtests() {
    if !is_installed(Runner::Go) {
        println!("skipped: Go is not installed");
        return;
    }
    let test = "\
package sum

import \"testing\"

func TestOne(t *testing.T) {
\tt.Run(\"one\", func(t *testing.T) { t.Log(Sum(1)) })
}

func TestOthers(t *testing.T) {
\tfor _, number := range []int{1, 2, 3} {
\t\tt.Run(string(rune('a'+number)), func(t *testing.T) {
\t\t\tif got := Sum(number); got != number {
\t\t\t\tt.Errorf(\"Sum(%d) = %d\", number, got)
\t\t\t\tt.Errorf(\"want %d\", number)
\t\t\t}
\t\t})
\t}
}
";
    let files = [
        TextFile::new("go.mod", "module kata/sum\n\ngo 1.18\n"),
        TextFile::new("sum.go", "package sum\n\nfunc Sum(number int) int {\n\treturn 1\n}\n"),
        TextFile::new("sum_test.go", test),
    ];
    check(
        Runner::Go,
        &files,
        &expect![[r#"
        [
            "kata/sum › TestOne",
        ]
        [
            "kata/sum › TestOthers",
        ]
        Red {
            reason: Assertion,
            output: "TestOthers/c:\n    sum_test.go:13: Sum(2) = 1\n    sum_test.go:14: want 2\nTestOthers/d:\n    sum_test.go:13: Sum(3) = 1\n    sum_test.go:14: want 3",
        }
    "#]],
    );
}

#[test]
fn ka2_ruby_evidence_is_about_the_test() {
    if !is_installed(Runner::Ruby) {
        println!("skipped: Ruby is not installed");
        return;
    }
    let test = |assertion: &str| {
        let text = format!(
            "\
require \"minitest/autorun\"
require_relative \"../lib/sum\"

class SumTest < Minitest::Test
  def test_one
    assert_equal \"1\", sum(1)
  end

  def test_two
    assert_equal \"1\", sum(1)
  end

  def test_three
    {assertion}
  end
end
"
        );
        TextFile::new("test/sum_test.rb", text)
    };
    let code = TextFile::new("lib/sum.rb", "def sum(number)\n  number.to_s\nend\n");
    let check = |assertion: &str, expected: &Expect| {
        check(Runner::Ruby, &[code.clone(), test(assertion)], expected);
    };
    check(
        "assert_equal \"three\", sum(3)",
        &expect![[r#"
        [
            "SumTest › test_one",
            "SumTest › test_two",
        ]
        [
            "SumTest › test_three",
        ]
        Red {
            reason: Assertion,
            output: "  1) Failure:\nSumTest#test_three [test/sum_test.rb:14]:\n--- expected\n+++ actual\n-\"three\"\n+\"3\"\n\n\n3 runs, 3 assertions, 1 failures, 0 errors, 0 skips",
        }
    "#]],
    );
    check(
        "asert_equal \"three\", sum(3)",
        &expect![[r#"
        [
            "SumTest › test_one",
            "SumTest › test_two",
        ]
        [
            "SumTest › test_three",
        ]
        Refused(
            "the test calls `asert_equal`, which is no assertion of the test library. Check how it is spelled",
        )
    "#]],
    );
    // Ruby's versions have other words for it.
    let files = [code.clone(), test("assert_equal \"three\", product(3)")];
    let first = evidence(Runner::Ruby, &files);
    assert!(first.contains("MissingSymbol"), "{first}");
    assert_eq!(evidence(Runner::Ruby, &files), first);
}

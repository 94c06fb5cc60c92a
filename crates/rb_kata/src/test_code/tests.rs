//! Tables for each language, and for what a proposal does to tests; each row is the smallest source that shows a rule.

use proptest::prelude::*;
use rb_lang::Language;

use super::{TestChange, WrittenTest, compare, one_new_test, syntax_error, tests_in, unreadable};
use crate::text_file::TextFile;

const LANGUAGES: &[Language] = &[
    Language::Rust,
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Java,
    Language::Ruby,
];

fn file(text: &str) -> [TextFile; 1] {
    [TextFile::new("a", text)]
}

/// The tests as `name`, with `(asserts nothing)` and `(skipped)` behind it, divided by `; `.
#[track_caller]
fn check(language: Language, text: &str, expected: &str) {
    let row = |test: &WrittenTest| {
        let asserts = if test.asserts { "" } else { " (asserts nothing)" };
        let skipped = if test.is_skipped { " (skipped)" } else { "" };
        format!("{}{asserts}{skipped}", test.name)
    };
    let rows: Vec<String> = tests_in(language, &file(text)).iter().map(row).collect();
    assert_eq!(rows.join("; "), expected, "{text}");
}

/// The change as `+added -removed ~changed`.
fn words(change: &TestChange) -> String {
    let added = change.added.iter().map(|test| format!("+{}", test.name));
    let removed = change.removed.iter().map(|name| format!("-{name}"));
    let changed = change.changed.iter().map(|name| format!("~{name}"));
    added.chain(removed).chain(changed).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_change(language: Language, before: &str, after: &str, expected: &str) {
    let change = compare(language, &file(before), &file(after));
    assert_eq!(words(&change), expected, "{before}\n---\n{after}");
}

#[test]
fn ka2_tests_of_rust() {
    let check = |text: &str, expected: &str| check(Language::Rust, text, expected);
    check("#[test]\nfn a() { assert_eq!(f(), 1); }\nfn b() { assert!(x); }", "a");
    check("#[cfg(test)] mod tests { mod inner { #[test] fn a() { assert!(f()); } } }", "a");
    check("#[test] #[ignore] fn a() { assert!(f()); }", "a (skipped)");
    check("#[ignore = \"slow\"] #[test] fn a() { assert!(f()); }", "a (skipped)");
    check("#[cfg(feature = \"x\")] mod m { #[test] fn a() { assert!(f()); } }", "a (skipped)");
    check("#[test] #[should_panic] fn a() { f(); }", "a");
    check("#[test] fn a() { f(); }", "a (asserts nothing)");
    check("#[test] fn a() { assert!(true); assert_eq!(1 + 1, 2); }", "a (asserts nothing)");
    check("#[test] fn a() { if false { assert!(f()); } }", "a (asserts nothing)");
    check("#[test] fn a() { return; assert!(f()); }", "a (skipped)");
    check("#[test] fn a() { assert!(f()); return; }", "a");
    check("#[test] fn a() { if f() { return; } assert!(g()); }", "a");
    check("#[test] fn a() { let Some(_) = f() else { panic!() }; }", "a");
    check("fn same(x: u8) { assert_eq!(f(x), x); } #[test] fn a() { same(3); }", "a");
    check("fn other(x: u8) { f(x); } #[test] fn a() { other(3); }", "a (asserts nothing)");
    check(
        "macro_rules! same { ($x:expr) => { assert_eq!(f($x), $x) } } #[test] fn a() { same!(3); }",
        "a",
    );
}

#[test]
fn ka2_tests_of_python() {
    let check = |text: &str, expected: &str| check(Language::Python, text, expected);
    let class = |body: &str| format!("class T(unittest.TestCase):\n{body}\n");
    check(&class("  def test_a(self):\n    self.assertEqual(f(), 1)"), "test_a");
    check(&class("  def helper(self):\n    self.assertEqual(f(), 1)"), "");
    check("class U(T):\n  def testA(self):\n    assert f() == 1\n", "testA");
    check("def test_a():\n  assert f() == 1\n", "test_a");
    check("def test_a():\n  with pytest.raises(ValueError):\n    f()\n", "test_a");
    check("def test_a():\n  assert 1 == 1\n", "test_a (asserts nothing)");
    check(&class("  def test_a(self):\n    self.assertTrue(True)"), "test_a (asserts nothing)");
    check(
        &class("  def test_a(self):\n    self.assertEqual(1, 1, msg='x')"),
        "test_a (asserts nothing)",
    );
    check(&class("  def test_a(self):\n    self.fail()"), "test_a");
    check("def test_a():\n  return\n  assert f()\n", "test_a (skipped)");
    check("@pytest.mark.xfail\ndef test_a():\n  assert f()\n", "test_a (skipped)");
    check(
        &class("  @unittest.skipIf(x, 'y')\n  def test_a(self):\n    self.assertTrue(f())"),
        "test_a (skipped)",
    );
    check(
        "@unittest.skip('x')\nclass T(TestCase):\n  def test_a(self):\n    assert f()\n",
        "test_a (skipped)",
    );
    check(
        &class("  @unittest.expectedFailure\n  def test_a(self):\n    self.assertTrue(f())"),
        "test_a (skipped)",
    );
    check(
        &class("  def test_a(self):\n    self.skipTest('x')\n    self.assertTrue(f())"),
        "test_a (skipped)",
    );
    check(
        &class(
            "  def check(self, x):\n    self.assertEqual(f(x), x)\n  \
             def test_a(self):\n    self.check(1)",
        ),
        "test_a",
    );
}

#[test]
fn ka2_tests_of_javascript_and_typescript() {
    for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
        let check = |text: &str, expected: &str| check(language, text, expected);
        check("test('adds', () => { assert.equal(f(), 1); });", "adds");
        check("it(\"it's\", function () { expect(f()).toBe(1); })", "it's");
        check("test(`adds`, async (t) => t.assert.equal(f(), 1))", "adds");
        check("describe('x', () => { it('a', () => { assert(f()); }); });", "a");
        check("for (const n of [1]) { test('a', () => { assert(f(n)); }); }", "a");
        check("test.skip('a', () => { assert(f()); })", "a (skipped)");
        check("test.only('a', () => { assert(f()); })", "a (skipped)");
        check("test.todo('a')", "a (asserts nothing) (skipped)");
        check("test('a', { skip: true }, () => { assert(f()); })", "a (skipped)");
        check("test('a', { skip: false }, () => { assert(f()); })", "a");
        check("test('a', (t) => { t.skip(); assert(f()); })", "a (skipped)");
        check("describe.skip('x', () => { it('a', () => { assert(f()); }); });", "a (skipped)");
        check("test('a', () => { return; assert(f()); })", "a (skipped)");
        check("test('a', () => { return expect(f()).resolves.toBe(1); })", "a");
        check("test('a', () => { expect(true).toBe(true); })", "a (asserts nothing)");
        check("test('a', () => { expect(f()); })", "a (asserts nothing)");
        check("test('a', () => { assert.ok(true); })", "a (asserts nothing)");
        check("test('a', () => { expect(() => f()).toThrow(); })", "a");
        check("const same = (x) => { assert(x); };\ntest('a', () => { same(f()); })", "a");
        check("test('a', async (t) => { await t.test('b', () => { assert(f()); }); })", "a");
    }
}

#[test]
fn ka2_tests_of_go() {
    let check = |text: &str, expected: &str| {
        check(Language::Go, &format!("package a\n{text}\n"), expected);
    };
    check("func TestA(t *testing.T) { if f() != 1 { t.Errorf(\"x\") } }", "TestA");
    check("func Testing(t *testing.T) { t.Fail() }\nfunc helper(t *testing.T) { t.Fail() }", "");
    check(
        "func TestA(t *testing.T) { t.Run(\"b\", func(t *testing.T) { t.Fatal(f()) }) }",
        "TestA",
    );
    check("func TestA(t *testing.T) { f() }", "TestA (asserts nothing)");
    check("func TestA(t *testing.T) { _ = fmt.Errorf(\"x\") }", "TestA (asserts nothing)");
    check("func TestA(t *testing.T) { if 1 != 1 { t.Fail() } }", "TestA (asserts nothing)");
    check("func TestA(t *testing.T) {\n\tt.Skip()\n\tt.Fatal(f())\n}", "TestA (skipped)");
    check("func TestA(t *testing.T) {\n\treturn\n\tt.Fatal(f())\n}", "TestA (skipped)");
    check("func same(t *testing.T) { t.Fail() }\nfunc TestA(t *testing.T) { same(t) }", "TestA");
}

#[test]
fn ka2_tests_of_java() {
    let check = |text: &str, expected: &str| {
        check(Language::Java, &format!("class T {{ {text} }}"), expected);
    };
    check("@Test void a() { assertEquals(1, f()); } void b() { assertTrue(x); }", "a");
    check("@org.junit.Test public void a() { Assertions.assertEquals(1, f()); }", "a");
    check("@Test void a() { assertThat(f()).isEqualTo(1); }", "a");
    check("@Test(expected = X.class) public void a() { f(); }", "a");
    check("@Test @Disabled void a() { assertTrue(f()); }", "a (skipped)");
    check("@Ignore(\"x\") @Test public void a() { assertTrue(f()); }", "a (skipped)");
    check("@Nested @Disabled class U { @Test void a() { assertTrue(f()); } }", "a (skipped)");
    check("@Test void a() { return; }", "a (asserts nothing) (skipped)");
    check("@Test void a() { assertEquals(1, 1); }", "a (asserts nothing)");
    check("@Test void a() { assertThat(1).isEqualTo(1); }", "a (asserts nothing)");
    check("void same(int x) { assertEquals(x, f()); } @Test void a() { same(1); }", "a");
}

#[test]
fn ka2_tests_of_ruby() {
    let check = |text: &str, expected: &str| check(Language::Ruby, text, expected);
    let class = |body: &str| format!("class T < Minitest::Test\n{body}\nend\n");
    check(&class("def test_a\n  assert_equal 1, f\nend"), "test_a");
    check(&class("def helper\n  assert_equal 1, f\nend"), "");
    check("describe 'x' do\n  it 'adds' do\n    _(f).must_equal 1\n  end\nend\n", "adds");
    check("it 'adds' do\n  expect(f(1)).to eq(1)\nend\n", "adds");
    check(&class("def test_a\n  f\nend"), "test_a (asserts nothing)");
    check(&class("def test_a\n  assert true\nend"), "test_a (asserts nothing)");
    check(&class("def test_a\n  _(1).must_equal 1\nend"), "test_a (asserts nothing)");
    check(&class("def test_a\n  skip\n  assert f\nend"), "test_a (skipped)");
    check(&class("def test_a\n  skip 'later'\n  assert f\nend"), "test_a (skipped)");
    check(&class("def test_a\n  return\n  assert f\nend"), "test_a (skipped)");
    check(&class("def same(x)\n  assert_equal x, f\nend\ndef test_a\n  same(1)\nend"), "test_a");
}

#[test]
fn ka2_a_test_is_added_removed_or_changed() {
    let rust = |before: &str, after: &str, expected: &str| {
        check_change(Language::Rust, before, after, expected);
    };
    let a = "#[test] fn a() { assert_eq!(f(1), 2); }\n";
    let b = "#[test] fn b() { assert!(g()); }\n";
    rust(a, &format!("{a}{b}"), "+b");
    rust(&format!("{a}{b}"), a, "-b");
    rust(a, "#[test] fn a() { assert_eq!(f(1), 3); }", "~a");
    rust(a, "#[test] #[ignore] fn a() { assert_eq!(f(1), 2); }", "~a");
    rust(a, "#[cfg(x)] mod m { #[test] fn a() { assert_eq!(f(1), 2); } }", "~a");
    // Imports, helpers, comments and layout change nothing.
    rust(a, &format!("use x::f;\nfn help() {{}}\nconst N: u8 = 1;\n{a}"), "");
    rust(a, "#[test]\nfn a() {\n    // Twice.\n    assert_eq!(\n        f(1),\n  2,\n  );\n}", "");
    // A second one of the name.
    rust(a, &format!("{a}mod m {{ {a} }}"), "~a");
    rust(&format!("{a}mod m {{ {a} }}"), a, "-a");
}

#[test]
fn ka2_layout_that_has_a_meaning_counts() {
    check_change(
        Language::Python,
        "def test_a():\n  if x:\n    f()\n    assert g()\n",
        "def test_a():\n  if x:\n    f()\n  assert g()\n",
        "~test_a",
    );
    check_change(
        Language::Python,
        "def test_a():\n  assert f('x') == [1]\n",
        "def test_a():\n    # Now formatted.\n    assert f(\"x\") == [\n        1,\n    ]\n",
        "",
    );
    check_change(
        Language::Python,
        "def test_a():\n  assert f() == (1,)\n",
        "def test_a():\n  assert f() == (1)\n",
        "~test_a",
    );
    check_change(
        Language::JavaScript,
        "test('a', () => { assert(f('x')); });",
        "test(\"a\", () => {\n  assert(f(\"x\"))\n})",
        "",
    );
    check_change(
        Language::JavaScript,
        "test('a', () => { assert(f('x  y')); });",
        "test('a', () => { assert(f('x y')); });",
        "~a",
    );
    check_change(
        Language::Ruby,
        "def test_a\n  return f\n  assert g\nend\n",
        "def test_a\n  return\n  f\n  assert g\nend\n",
        "~test_a",
    );
}

#[test]
fn ka2_a_changed_helper_changes_the_tests_that_use_it() {
    let rust = |helper: &str| {
        format!(
            "{helper}\nfn outer() {{ helper(); }}\n\
             #[test] fn a() {{ helper(); }} #[test] fn b() {{ outer(); }} #[test] fn c() {{}}"
        )
    };
    let (old, new) = (rust("fn helper() { assert!(f()); }"), rust("fn helper() {}"));
    check_change(Language::Rust, &old, &new, "~a ~b");
    let python = |limit: &str| format!("LIMIT = {limit}\ndef test_a():\n  assert f() < LIMIT\n");
    check_change(Language::Python, &python("3"), &python("4"), "~test_a");
    // The later definition is the one that counts.
    let twice = format!("{}LIMIT = 9\n", python("3"));
    check_change(Language::Python, &python("3"), &twice, "~test_a");
    let imported = "from kata import f\ndef test_a():\n  assert f() == 1\n";
    let shadowed = format!("{imported}def f():\n  return 1\n");
    check_change(Language::Python, imported, &shadowed, "~test_a");
    let java = |value: u8| {
        format!("class T {{ int n = {value}; @Test void a() {{ assertEquals(n, f()); }} }}")
    };
    check_change(Language::Java, &java(1), &java(2), "~a");
    let table = |rows: &str| {
        format!("for (const row of {rows}) {{ test('a', () => {{ assert(f(row)); }}); }}")
    };
    check_change(Language::JavaScript, &table("[1, 2]"), &table("[1]"), "~a");
}

#[test]
fn ka2_a_changed_hook_changes_the_tests_around() {
    let python = |set_up: &str| {
        format!(
            "class T(TestCase):\n  def setUp(self):\n    {set_up}\n\
             \x20 def test_a(self):\n    assert f()\n\
             class U(T):\n  def test_b(self):\n    assert f()\n\
             class V(TestCase):\n  def test_c(self):\n    assert f()\n"
        )
    };
    check_change(Language::Python, &python("g()"), &python("h()"), "~test_a ~test_b");
    let ecma = |hook: &str| {
        format!(
            "describe('x', () => {{ {hook} it('a', () => {{ assert(f()); }}); }});\n\
             it('b', () => {{ assert(f()); }});"
        )
    };
    let hook = |body: &str| format!("beforeEach(() => {{ {body} }});");
    check_change(Language::JavaScript, &ecma(&hook("g();")), &ecma(&hook("h();")), "~a");
    check_change(Language::JavaScript, &ecma(""), &ecma(&hook("h();")), "~a");
    let java = |body: &str| {
        format!(
            "class T {{ @BeforeEach void start() {{ {body} }} \
             @Test void a() {{ assertTrue(f()); }} }}"
        )
    };
    check_change(Language::Java, &java("g();"), &java("h();"), "~a");
    let ruby = |body: &str| {
        format!("class T\n  def setup\n    {body}\n  end\n  def test_a\n    assert f\n  end\nend\n")
    };
    check_change(Language::Ruby, &ruby("g"), &ruby("h"), "~test_a");
    let go = |body: &str| {
        format!(
            "package a\nfunc TestMain(m *testing.M) {{ {body} }}\n\
             func TestA(t *testing.T) {{ t.Fail() }}\n"
        )
    };
    check_change(Language::Go, &go("m.Run()"), &go("os.Exit(0)"), "~TestA");
}

#[test]
fn ka2_a_test_that_moves_is_the_same_test() {
    let test = "def test_a():\n  assert f() == help(1)\n";
    let help = "def help(x):\n  return x\n";
    let at = |path: &str, parts: &[&str]| TextFile::new(path, parts.concat());
    let before = [at("a.py", &[help, test])];
    let moved = [at("b.py", &[help, test])];
    assert_eq!(compare(Language::Python, &before, &moved), TestChange::default());
    let weaker = [at("b.py", &["def help(x):\n  return f()\n", test])];
    assert_eq!(words(&compare(Language::Python, &before, &weaker)), "~test_a");
    // A file of helpers is used by all others.
    let before = [at("a.py", &[test]), at("helpers.py", &[help])];
    let after = [at("a.py", &[test]), at("helpers.py", &["def help(x):\n  return 2\n"])];
    assert_eq!(words(&compare(Language::Python, &before, &after)), "~test_a");
}

#[test]
fn ka2_the_proposal_is_one_new_test() {
    #[track_caller]
    fn check(before: &str, after: &str, expected: &str) {
        let change = compare(Language::Python, &file(before), &file(after));
        let answer = match one_new_test(&change) {
            Ok(test) => test.name.clone(),
            Err(refusal) => refusal,
        };
        assert_eq!(answer, expected);
    }
    let a = "def test_a():\n  assert f() == 1\n";
    let b = "def test_b():\n  assert f() == 2\n";
    let both = [a, b].concat();
    check(a, &both, "test_b");
    check(a, a, "No test was added. Add exactly one new test.");
    check(
        "",
        &both,
        "2 tests were added: `test_a`, `test_b`. One at a time; keep `test_a` and leave the others \
         for later.",
    );
    check(
        a,
        b,
        "These tests are gone: `test_a`. Leave all earlier tests as they are, and only add one new \
         test.",
    );
    check(
        a,
        &format!("def test_a():\n  assert f()\n{b}"),
        "These tests, or the helpers and fixtures they use, were changed: `test_a`. Leave all \
         earlier tests as they are, and only add one new test.",
    );
    check(
        "",
        "def test_a():\n  f()\n",
        "`test_a` asserts nothing about the code under test. Assert a result of the code; an \
         assertion about constants does not count.",
    );
    check(
        "",
        "@pytest.mark.skip\ndef test_a():\n  assert f()\n",
        "`test_a` is skipped, runs alone, or returns before its first assertion. Write it so that \
         it runs to its end with all other tests.",
    );
    let many: Vec<String> = (0..7).map(|n| format!("def test_{n}():\n  assert f()\n")).collect();
    let many = many.concat();
    check(
        &many,
        "",
        "These tests are gone: `test_0`, `test_1`, `test_2`, `test_3`, `test_4` and 2 more. Leave \
         all earlier tests as they are, and only add one new test.",
    );
}

#[test]
fn ka2_a_syntax_error_is_located() {
    let good = TextFile::new("test_a.py", "def test_a():\n  assert f()\n");
    let bad = TextFile::new("test_b.py", "def test_a():\n  assert f()\n\ndef test_b(:\n");
    let data = TextFile::new("data.json", "{");
    let files = [good.clone(), data, bad.clone()];
    assert_eq!(unreadable(Language::Python, &files), Some("test_b.py".to_owned()));
    assert_eq!(unreadable(Language::Python, &files[..2]), None);
    assert_eq!(syntax_error(Language::Python, &good), None);
    assert_eq!(syntax_error(Language::Python, &bad), Some(4));
}

#[test]
fn ka2_the_line_of_a_syntax_error_is_where_it_is() {
    let check = |language: Language, path: &str, text: &str, expected: Option<u32>| {
        let file = TextFile::new(path, text);
        assert_eq!(syntax_error(language, &file), expected, "{text}");
    };
    let ruby = "\
require \"minitest/autorun\"

class SumTest < Minitest::Test
  def test_one
    assert_equal 1, sum(1)
  end

  def test_two
    assert_equal 2, sum(2)
  end

  def test_three
    assert_equal 3, sum(3)
  end
end
";
    let broken_ruby = |part: &str, broken: &str, expected: Option<u32>| {
        check(Language::Ruby, "test/sum_test.rb", &ruby.replace(part, broken), expected);
    };
    broken_ruby("", "", None);
    broken_ruby("sum(2)", "sum(2", Some(9));
    broken_ruby("sum(2)", "[sum(2)]]", Some(9));
    broken_ruby("sum(2)\n  end\n", "sum(2)\n\n", Some(15));

    let go = "\
package sum

import \"testing\"

func TestOne(t *testing.T) {
\tif Sum(1) != 1 {
\t\tt.Error(\"one\")
\t}
}

func TestTwo(t *testing.T) {
\tif Sum(2) != 2 {
\t\tt.Error(\"two\")
\t}
}
";
    let broken_go = |part: &str, broken: &str, expected: Option<u32>| {
        check(Language::Go, "sum_test.go", &go.replace(part, broken), expected);
    };
    broken_go("", "", None);
    broken_go("Sum(2)", "Sum(2", Some(12));
    broken_go("!= 2 {", "!= 2", Some(12));
    broken_go("t.Error(\"two\")", "t.Error(\"two\"", Some(13));

    let python = "\
import unittest

class SumTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1, sum_of(1))

    def test_two(self):
        self.assertEqual(2, sum_of(2))

    def test_three(self):
        self.assertEqual(3, sum_of(3))
";
    let broken_python = |part: &str, broken: &str, expected: Option<u32>| {
        check(Language::Python, "tests/test_sum.py", &python.replace(part, broken), expected);
    };
    broken_python("", "", None);
    broken_python("sum_of(2))", "sum_of(2)", Some(8));
    broken_python("test_two(self):", "test_two(self:", Some(7));
}

#[test]
fn ka2_a_large_text_takes_no_longer_than_its_size() {
    let nested = format!("{}{}", "describe('a', () => { ".repeat(700), "});".repeat(700));
    let chain = format!("test('a', () => {{ expect(1){} }})", ".toBe(1)".repeat(20_000));
    let tests = "test('a', () => { assert(f()); });\n".repeat(10_000);
    for text in [nested, chain, tests] {
        let change = compare(Language::JavaScript, &file(&text), &file(&text));
        assert_eq!(change, TestChange::default());
    }
}

/// Pieces of tests of all languages, put together in any way.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[a-z(){}\\[\\]'\"`;:,.#@\n ]{0,20}",
        Just("#[test]\nfn a() { assert!(f()); }\n".to_owned()),
        Just("macro_rules! m { () => { assert!(true) } }\n".to_owned()),
        Just("class T(unittest.TestCase):\n  def setUp(self):\n    pass\n".to_owned()),
        Just("  def test_a(self):\n    self.assertEqual(1, 1)\n".to_owned()),
        Just("describe('x', () => {\n".to_owned()),
        Just("test.each([1])(`a ${1}`, function () { expect(x).not.toBe(1) });\n".to_owned()),
        Just("func TestA(t *testing.T) { t.Run(\"b\", func() { t.Skip() }) }\n".to_owned()),
        Just("class T { @Test(expected = X.class) void a() { assertThat(x).y(); } }\n".to_owned()),
        Just("class T\n  def test_a\n    skip if x\n    assert x\n  end\nend\n".to_owned()),
        Just("\0".to_owned()),
        Just("}\n".to_owned()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn ka2_any_text_is_read(before in pieces(), after in pieces()) {
        for &language in LANGUAGES {
            tests_in(language, &file(&before));
            compare(language, &file(&before), &file(&after));
            let same = compare(language, &file(&before), &file(&before));
            prop_assert_eq!(same, TestChange::default());
            unreadable(language, &file(&before));
        }
    }
}

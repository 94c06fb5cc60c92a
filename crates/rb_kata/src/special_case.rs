//! Inputs of a test that the implementation spells out: a sign that it answers the test instead of solving the kata. Reported,
//! never refused: the first steps of TDD are allowed to return a constant.

mod kata_words;
mod literal;
mod place;

use std::collections::{BTreeMap, BTreeSet};

use rb_lang::Language;

use self::kata_words::KataWords;
use self::literal::Literal;
use crate::test_code::syntax::Syntax;
use crate::test_code::{WrittenTest, language_of};
use crate::text_file::TextFile;

/// More sentences tell nobody more.
const MAX_SENTENCES: usize = 20;

/// One sentence for each literal of the tests that the change brought into the implementation, where it decides something, and
/// that neither the kata's text nor the implementation before had. A literal that only the newest test uses is normal in the
/// current step; whoever does not want it reported leaves that test out of `tests`.
pub(crate) fn special_cases(
    language: Language,
    kata: &str,
    tests: &[WrittenTest],
    before: &[TextFile],
    after: &[TextFile],
) -> Vec<String> {
    let mut inputs: BTreeMap<Literal, &str> = BTreeMap::new();
    for test in tests {
        for input in literal::inputs(test) {
            inputs.entry(input).or_insert(&test.name);
        }
    }
    let mut seen: BTreeSet<Literal> = BTreeSet::new();
    for file in before {
        read(language, file, |syntax| seen.extend(place::all(syntax)));
    }
    let kata = KataWords::new(kata);
    let mut sentences = Vec::new();
    for file in after {
        read(language, file, |syntax| {
            for (literal, line) in place::deciding(syntax) {
                let Some(test) = inputs.get(&literal) else { continue };
                if sentences.len() < MAX_SENTENCES
                    && !seen.contains(&literal)
                    && !kata.has(&literal)
                {
                    sentences.push(sentence(&file.path, line, &literal, test));
                }
                seen.insert(literal);
            }
        });
    }
    sentences
}

fn read(language: Language, file: &TextFile, mut visit: impl FnMut(&Syntax<'_>)) {
    let Some(language) = language_of(language, &file.path) else { return };
    if let Some(tree) = rb_lang::parse(language, &file.text) {
        visit(&Syntax::new(language, &tree, &file.text));
    }
}

fn sentence(path: &str, line: u32, literal: &Literal, test: &str) -> String {
    let test: String = test.chars().take(120).collect();
    format!("{path}, line {line}: the code decides by {literal}, an input of the test `{test}`.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_code::tests_in;

    /// Which literals are reported.
    #[track_caller]
    fn check(language: Language, test: &str, before: &str, after: &str, expected: &str) {
        let file = |text: &str| [TextFile::new("code", text)];
        let tests = tests_in(language, &file(test));
        assert_eq!(tests.len(), 1, "{test}");
        let kata = "Add three numbers up to 1,000. No number gives `nothing`; 99 is too many.";
        let sentences = special_cases(language, kata, &tests, &file(before), &file(after));
        let literal = |sentence: &String| sentence.split('`').nth(1).unwrap().to_owned();
        let found: Vec<String> = sentences.iter().map(literal).collect();
        assert_eq!(found.join(", "), expected, "{after}\n{sentences:#?}");
    }

    #[test]
    fn ka3_an_input_that_the_code_compares_with_is_reported() {
        let test = "#[test] fn t() { assert_eq!(f(42, \"abc\"), 7); }";
        let rust = |after: &str, expected: &str| check(Language::Rust, test, "", after, expected);
        rust("fn f(n: u32) -> u32 { if n == 42 { 7 } else { 0 } }", "42");
        rust("fn f(n: u32) -> u32 { match n { 42u32 => 7, _ => 0 } }", "42");
        rust("fn f(s: &str) -> u32 { if matches!(s, \"abc\") { 7 } else { 0 } }", "\"abc\"");
        rust("fn f() { HashMap::from([(\"abc\", 7)]) }", "\"abc\"");
        rust("fn f(s: &str) -> u32 { if s.eq(\"abc\") { 7 } else { 0 } }", "\"abc\"");
        // It only computes with it, or returns it.
        rust("fn f(n: u32) -> u32 { if n % 42 == 0 { 7 } else { n + 42 } }", "");
        rust("fn f(n: u32) -> u32 { 42 }", "");
    }

    #[test]
    fn ka3_what_the_kata_or_the_code_before_says_is_not_reported() {
        let test = "def test_x():\n  assert f(3, 99, 1000, 'nothing', 1, 2, 'x', 42) == 5\n";
        let code = |n: &str| format!("def f(n):\n  if n == {n}:\n    return 5\n");
        for literal in ["3", "99", "1_000", "'nothing'", "1", "2", "'x'"] {
            check(Language::Python, test, "", &code(literal), "");
        }
        check(Language::Python, test, "", &code("42"), "42");
        check(Language::Python, test, "LIMIT = 42\n", &code("42"), "");
        check(Language::Python, test, "", &code("43"), "");
    }

    #[test]
    fn ka3_every_language_has_its_places() {
        let python = "def test_x():\n  assert f(42, 'abc') == 5\n";
        check(Language::Python, python, "", "A = {'abc': 5}\n", "\"abc\"");
        check(Language::Python, python, "", "A = ['abc', 42]\n", "");
        check(
            Language::Python,
            python,
            "",
            "def f(n):\n  match n:\n    case 42:\n      return 5\n",
            "42",
        );
        let ecma = "test('says 77', () => { assert.equal(f(42, `abc`), 5); });";
        for language in [Language::JavaScript, Language::TypeScript] {
            check(language, ecma, "", "switch (n) { case 42: f(); }", "42");
            check(language, ecma, "", "const a = { 'abc': 5 };", "\"abc\"");
            check(language, ecma, "", "const a = new Map([['abc', 5]]);", "\"abc\"");
            check(language, ecma, "", "const a = [42, 43].includes(n) ? 5 : 6;", "42");
            check(language, ecma, "", "const a = n === 'says 77';", "");
        }
        let go = "package a\nfunc TestX(t *testing.T) { if f(42, \"abc\") != 5 { t.Fail() } }";
        check(Language::Go, go, "", "package a\nfunc f() { switch n { case 42: g() } }", "42");
        check(Language::Go, go, "", "package a\nvar a = map[string]int{\"abc\": 5}", "\"abc\"");
        let java = "class T { @Test void x() { assertEquals(5, f(42, \"abc\")); } }";
        check(Language::Java, java, "", "class A { int f() { return n == 42 ? 5 : 6; } }", "42");
        check(Language::Java, java, "", "class A { Object a = Map.of(\"abc\", 5); }", "\"abc\"");
        check(
            Language::Java,
            java,
            "",
            "class A { int f() { switch (n) { case 42: return 5; } } }",
            "42",
        );
        let ruby = "def test_x\n  assert_equal 5, f(42, 'abc')\nend\n";
        check(Language::Ruby, ruby, "", "case n\nwhen 42 then 5\nend\n", "42");
        check(Language::Ruby, ruby, "", "A = { 'abc' => 5 }\n", "\"abc\"");
        check(Language::Ruby, ruby, "", "return 5 if n == 42\n", "42");
    }

    #[test]
    fn ka3_the_sentence_says_where() {
        let test = TextFile::new("test_f.py", "def test_x():\n  assert f(42) == 5\n");
        let tests = tests_in(Language::Python, &[test]);
        let code = TextFile::new("src/f.py", "def f(n):\n  return 5 if n == 42 else 0\n");
        let sentences = special_cases(Language::Python, "", &tests, &[], &[code]);
        let expected = "src/f.py, line 2: the code decides by `42`, an input of the test `test_x`.";
        assert_eq!(sentences, [expected]);
    }
}

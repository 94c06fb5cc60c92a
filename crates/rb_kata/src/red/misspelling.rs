//! Assertions that a test misspells. To a language that looks for names at run time they are names that do not exist, as is a
//! function that the test wants to have written.

use rb_lang::Language;

/// What assertions begin with, also when a letter is missing.
const BEGINNINGS: &[&str] = &["assert", "asert", "refute", "refut"];

/// A name that differs in more letters is another name.
const MAX_DISTANCE: usize = 2;

/// Of minitest.
const RUBY: &[&str] = &[
    "assert_empty",
    "assert_equal",
    "assert_in_delta",
    "assert_in_epsilon",
    "assert_includes",
    "assert_instance_of",
    "assert_kind_of",
    "assert_match",
    "assert_nil",
    "assert_operator",
    "assert_output",
    "assert_predicate",
    "assert_raises",
    "assert_respond_to",
    "assert_same",
    "refute_empty",
    "refute_equal",
    "refute_includes",
    "refute_match",
    "refute_nil",
];

/// Of unittest.
const PYTHON: &[&str] = &[
    "assertAlmostEqual",
    "assertDictEqual",
    "assertEqual",
    "assertFalse",
    "assertGreater",
    "assertIn",
    "assertIs",
    "assertIsNone",
    "assertIsInstance",
    "assertListEqual",
    "assertNotEqual",
    "assertRaises",
    "assertTrue",
];

/// The name in an error about a missing name, if it looks like an assertion.
pub(super) fn assertion(language: Language, error: &str) -> Option<&str> {
    let (before, known) = match language {
        Language::Ruby => ("undefined ", RUBY),
        Language::Python => ("has no attribute ", PYTHON),
        _ => return None,
    };
    let quoted = error.split_once(before)?.1;
    let name = quoted.split(['`', '\'']).nth(1)?;
    let is_meant = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || known.iter().any(|known| distance(name, known) <= MAX_DISTANCE);
    is_meant.then_some(name)
}

/// How many letters have to be added, removed or replaced.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_assertions_are_told_from_names_of_the_code() {
        let check = |language: Language, error: &str, expected: Option<&str>| {
            assert_eq!(assertion(language, error), expected, "{error}");
        };
        let ruby = |error: &str, expected: Option<&str>| check(Language::Ruby, error, expected);
        ruby("NoMethodError: undefined method `asert_equal' for #<T>", Some("asert_equal"));
        ruby(
            "NoMethodError: undefined method 'assret_equal' for an instance of T",
            Some("assret_equal"),
        );
        ruby(
            "NameError: undefined local variable or method `assert_true' for #<T>",
            Some("assert_true"),
        );
        ruby("NoMethodError: undefined method `asset_value' for #<T>", None);
        ruby("NoMethodError: undefined method `sum' for #<T>", None);
        ruby("NameError: uninitialized constant T::Assertion", None);
        let python = |error: &str, expected: Option<&str>| check(Language::Python, error, expected);
        python("AttributeError: 'T' object has no attribute 'asertEqual'", Some("asertEqual"));
        python("AttributeError: 'Sum' object has no attribute 'value'", None);
        check(Language::Java, "undefined method `asert_equal'", None);
    }

    #[test]
    fn ka2_letters_that_differ_are_counted() {
        let check = |left: &str, right: &str, expected: usize| {
            assert_eq!(distance(left, right), expected, "{left} {right}");
        };
        check("", "", 0);
        check("", "abc", 3);
        check("assret", "assert", 2);
        check("asert", "assert", 1);
        check("ässert", "assert", 1);
    }
}

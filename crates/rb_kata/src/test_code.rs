//! The tests in a test file, by its syntax tree: their names, whether they assert anything, whether they are skipped, and what a
//! proposal changed about them.
//!
//! Nothing is run here. Whether a test tests the implementation is found out by running it (`stub`).

mod assertion;
mod comparison;
mod ecma;
mod go;
mod java;
mod normal_text;
mod outline;
mod python;
mod ruby;
mod rules;
mod rust;
pub(crate) mod syntax;

use std::collections::BTreeSet;

use rb_lang::Language;
use serde::{Deserialize, Serialize};
use tree_sitter::Tree;

use self::outline::Outline;
use self::rules::Rules;
use self::syntax::Syntax;
use crate::text_file::TextFile;

/// One test as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTest {
    pub path: String,
    /// As the test runner reports it at the end of a test's id: the function's name, or the description in `test("…")`.
    pub name: String,
    /// Counted from 1.
    pub line: u32,
    /// The text of the test with its marks, without comments, white space collapsed: equal texts are equal tests.
    pub text: String,
    pub asserts: bool,
    /// Ignored, skipped, expected to fail, or returning before its first assertion.
    pub is_skipped: bool,
}

/// The tests of these files, in the order of path and line. A test with a syntax error is left out.
pub fn tests_in(language: Language, files: &[TextFile]) -> Vec<WrittenTest> {
    let items = outlines(language, files).into_iter().flat_map(|outline| outline.tests);
    let mut tests: Vec<WrittenTest> = items.map(|item| item.test).collect();
    tests.sort_by(|left, right| (&left.path, left.line).cmp(&(&right.path, right.line)));
    tests
}

/// What a proposal does to the tests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestChange {
    pub added: Vec<WrittenTest>,
    /// Names of tests that are gone.
    pub removed: Vec<String>,
    /// Names of tests whose text is not what it was. Helpers that tests share count for each test that calls them.
    pub changed: Vec<String>,
}

pub fn compare(language: Language, before: &[TextFile], after: &[TextFile]) -> TestChange {
    comparison::compare(language, &outlines(language, before), &outlines(language, after))
}

/// Why a Tester's proposal is refused, in sentences for the model; `Ok` is the one new test.
pub fn one_new_test(change: &TestChange) -> Result<&WrittenTest, String> {
    if let Some(refusal) = weakened(change) {
        return Err(refusal);
    }
    match &change.added[..] {
        [] => Err("No test was added. Add exactly one new test.".to_owned()),
        [test] => {
            let name = quoted(&test.name);
            if !test.asserts {
                Err(format!(
                    "{name} asserts nothing about the code under test. Assert a result of the \
                     code; an assertion about constants does not count."
                ))
            } else if test.is_skipped {
                Err(format!(
                    "{name} is skipped, runs alone, or returns before its first assertion. \
                     Write it so that it runs to its end with all other tests."
                ))
            } else {
                Ok(test)
            }
        }
        [first, ..] => {
            let names = quoted_list(change.added.iter().map(|test| test.name.as_str()));
            Err(format!(
                "{} tests were added: {names}. One at a time; keep {} and leave the others for \
                 later.",
                change.added.len(),
                quoted(&first.name)
            ))
        }
    }
}

/// The path of the first file with a syntax error. Data beside the tests is not read.
pub fn unreadable(language: Language, files: &[TextFile]) -> Option<String> {
    let is_broken = |file: &&TextFile| syntax_error(language, file).is_some();
    files.iter().find(is_broken).map(|file| file.path.clone())
}

/// The line of the first syntax error of a file.
pub fn syntax_error(language: Language, file: &TextFile) -> Option<u32> {
    let own = language_of(language, &file.path)?;
    rb_lang::grammar(own)?;
    let Some(tree) = rb_lang::parse(own, &file.text) else { return Some(1) };
    if !tree.root_node().has_error() {
        return None;
    }
    Some(Syntax::new(own, &tree, &file.text).error_line().unwrap_or(1))
}

/// A project in one of JavaScript's languages may have files in the others. `None` for a file in a foreign language.
pub(crate) fn language_of(language: Language, path: &str) -> Option<Language> {
    let is_ecma =
        |of: Language| matches!(of, Language::JavaScript | Language::TypeScript | Language::Tsx);
    match Language::of_path(path.as_bytes()) {
        Some(own) if own == language || (is_ecma(own) && is_ecma(language)) => Some(own),
        Some(_) => None,
        None => Some(language),
    }
}

fn outlines(language: Language, files: &[TextFile]) -> Vec<Outline> {
    let parsed: Vec<ParsedFile<'_>> =
        files.iter().filter_map(|file| parse(language, file)).collect();
    let syntaxes: Vec<Syntax<'_>> = parsed
        .iter()
        .map(|parsed| Syntax::new(parsed.language, &parsed.tree, &parsed.file.text))
        .collect();
    let mut helpers = BTreeSet::new();
    for (parsed, syntax) in parsed.iter().zip(&syntaxes) {
        assertion::asserting_functions(syntax, parsed.rules, &mut helpers);
    }
    let outline = |(parsed, syntax): (&ParsedFile<'_>, &Syntax<'_>)| {
        outline::outline(&parsed.file.path, syntax, parsed.rules, &helpers)
    };
    parsed.iter().zip(&syntaxes).map(outline).collect()
}

struct ParsedFile<'f> {
    file: &'f TextFile,
    language: Language,
    rules: &'static Rules,
    tree: Tree,
}

fn parse(language: Language, file: &TextFile) -> Option<ParsedFile<'_>> {
    let language = language_of(language, &file.path)?;
    let rules = rules::rules(language)?;
    let tree = rb_lang::parse(language, &file.text)?;
    Some(ParsedFile { file, language, rules, tree })
}

/// What happened to earlier tests.
fn weakened(change: &TestChange) -> Option<String> {
    let mut sentences = Vec::new();
    if !change.removed.is_empty() {
        sentences.push(format!("These tests are gone: {}.", quoted_list(names(&change.removed))));
    }
    if !change.changed.is_empty() {
        let list = quoted_list(names(&change.changed));
        sentences.push(format!(
            "These tests, or the helpers and fixtures they use, were changed: {list}."
        ));
    }
    if sentences.is_empty() {
        return None;
    }
    sentences.push("Leave all earlier tests as they are, and only add one new test.".to_owned());
    Some(sentences.join(" "))
}

fn names(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}

/// At most so many tests are named in a sentence.
const MAX_NAMED: usize = 5;
/// A longer name is cut.
const MAX_NAME: usize = 120;

fn quoted_list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let list: Vec<String> = names.iter().take(MAX_NAMED).map(|name| quoted(name)).collect();
    match names.len().saturating_sub(MAX_NAMED) {
        0 => list.join(", "),
        more => format!("{} and {more} more", list.join(", ")),
    }
}

fn quoted(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("`{}…`", &name[..end]),
        None => format!("`{name}`"),
    }
}

#[cfg(test)]
mod tests;

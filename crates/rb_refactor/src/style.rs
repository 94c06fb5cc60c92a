//! How code looks in a repository, counted: the habit of the majority with its share.
//!
//! It looks at lines and knows just enough of each language not to count what is no choice. A habit that few places show is
//! left out: to be silent is better than to make up a rule.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::role::Role;
use rb_index::{OnDisk, Texts as _, View};
use rb_lang::Language;
use rb_toolchains::Detected;

use crate::artifacts::Inputs;

/// So many files of a language are looked at, the most important ones, none of them larger than this.
const FILES: usize = 40;
const BYTES: u64 = 200_000;
/// So many languages.
const LANGUAGES: usize = 4;
/// Fewer places say nothing.
const LEAST: usize = 5;

/// What most places do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Habit {
    pub(super) what: &'static str,
    pub(super) found: String,
    /// In percent of `of` places.
    pub(super) share: usize,
    pub(super) of: usize,
}

/// The languages with most lines, each with how many files were looked at and what they have in common.
pub(super) fn of_languages(inputs: &Inputs<'_>) -> Vec<(Language, usize, Vec<Habit>)> {
    let view = inputs.view;
    let texts = OnDisk { root: inputs.root };
    let mut lines: BTreeMap<Language, u64> = BTreeMap::new();
    let mut samples: BTreeMap<Language, Vec<String>> = BTreeMap::new();
    for &id in view.by_importance() {
        let file = view.file(id);
        let Some(language) = file.language.filter(|it| it.is_read()) else { continue };
        if file.trivial.is_some() || file.size > BYTES || Role::of(file.path) != Role::Product {
            continue;
        }
        *lines.entry(language).or_default() += u64::from(file.lines);
        let sample = samples.entry(language).or_default();
        if sample.len() < FILES
            && let Some(text) = texts.text(file.path)
        {
            sample.push(String::from_utf8_lossy(&text).into_owned());
        }
    }
    let mut order: Vec<(std::cmp::Reverse<u64>, Language)> =
        lines.into_iter().map(|(language, lines)| (std::cmp::Reverse(lines), language)).collect();
    order.sort_unstable();
    let found = order.into_iter().take(LANGUAGES).filter_map(|(_, language)| {
        let sample = samples.remove(&language)?;
        let habits = habits(language, &sample);
        (!habits.is_empty()).then_some((language, sample.len(), habits))
    });
    found.collect()
}

fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
}

fn habits(language: Language, texts: &[String]) -> Vec<Habit> {
    let lines = || texts.iter().flat_map(|text| text.lines());
    let mut habits = vec![habit("indented by", LEAST, texts.iter().flat_map(|text| indents(text)))];
    if is_script(language) || language == Language::Python {
        habits.push(habit("quotes", LEAST, lines().filter_map(|line| quotes(language, line))));
    }
    if is_script(language) {
        habits.push(habit("semicolons", LEAST, lines().filter_map(semicolons)));
        habits.push(habit("modules by", LEAST, lines().filter_map(modules)));
    }
    // The usual end of lines is not worth a word.
    let ends = habit("lines end in", LEAST, texts.iter().map(|text| ends(text)));
    habits.push(ends.filter(|habit| habit.found != "LF"));
    habits.into_iter().flatten().collect()
}

/// What most votes are for; equals by name.
fn habit<T: Into<String>>(
    what: &'static str,
    least: usize,
    votes: impl IntoIterator<Item = T>,
) -> Option<Habit> {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    for vote in votes {
        *tally.entry(vote.into()).or_default() += 1;
    }
    let of: usize = tally.values().sum();
    let most = tally.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let (found, votes) = most?;
    (of >= least).then(|| Habit { what, found, share: votes * 100 / of, of })
}

/// By how much a line is further in than the one above it.
fn indents(text: &str) -> Vec<&'static str> {
    let mut votes = Vec::new();
    let mut above = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let inner = line.trim_start();
        let blank = &line[..line.len() - inner.len()];
        // The second line of a comment is in by one, whatever the code is.
        if inner.starts_with('*') {
            continue;
        }
        let width = blank.len();
        if width > above {
            let step = match (blank.contains('\t'), width - above) {
                (true, _) => Some("tabs"),
                (false, 2) => Some("2 spaces"),
                (false, 4) => Some("4 spaces"),
                (false, 8) => Some("8 spaces"),
                (false, _) => None,
            };
            votes.extend(step);
        }
        above = width;
    }
    votes
}

/// In scripts those of imports: attributes of elements have their own custom.
fn quotes(language: Language, line: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_import = line.starts_with("import ")
        || line.starts_with("export ") && line.contains(" from ")
        || line.contains("require(");
    let is_meant = if is_script(language) { is_import } else { !line.starts_with('#') };
    if !is_meant || line.contains("\"\"\"") || line.contains("'''") {
        return None;
    }
    match line.chars().find(|letter| matches!(letter, '\'' | '"'))? {
        '\'' => Some("single"),
        _ => Some("double"),
    }
}

/// Of statements that end with their line.
fn semicolons(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_statement = (line.starts_with("import ") && line.contains(" from "))
        || line.starts_with("return ")
        || line.starts_with("throw ");
    let last = line.chars().last()?;
    let is_whole = last == ';' || last.is_alphanumeric() || matches!(last, ')' | '\'' | '"' | ']');
    (is_statement && is_whole).then_some(if last == ';' { "yes" } else { "no" })
}

fn modules(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    if line.starts_with("import ") || line.starts_with("export ") {
        return Some("import and export");
    }
    let is_require = (line.starts_with("const ") || line.starts_with("var "))
        && line.contains("= require(")
        || line.starts_with("module.exports");
    is_require.then_some("require and module.exports")
}

fn ends(text: &str) -> &'static str {
    if text.contains("\r\n") { "CRLF" } else { "LF" }
}

/// How files of tests are named, as a pattern.
pub(super) fn names_of_tests(view: &View<'_>) -> Option<Habit> {
    let tests = view.tree.files.iter().filter(|file| {
        file.language.is_some_and(Language::is_read) && Role::of(&file.path) == Role::Test
    });
    habit("tests are named", 1, tests.filter_map(|file| pattern(&file.path)))
}

fn pattern(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let (stem, end) = name.rsplit_once('.')?;
    for word in ["test", "spec"] {
        if stem.ends_with(&format!(".{word}")) {
            return Some(format!("*.{word}.{end}"));
        }
        if stem.ends_with(&format!("_{word}")) {
            return Some(format!("*_{word}.{end}"));
        }
        if stem.starts_with(&format!("{word}_")) {
            return Some(format!("{word}_*.{end}"));
        }
    }
    if stem.ends_with("Test") {
        return Some(format!("*Test.{end}"));
    }
    let folder = path.split('/').find(|part| matches!(*part, "tests" | "test" | "__tests__"))?;
    Some(format!("{folder}/*.{end}"))
}

/// The programs that run tests, sorted.
pub(super) fn runners(detected: &Detected) -> Vec<String> {
    let commands = detected.packages.iter().flat_map(|package| &package.commands);
    let runners: BTreeSet<_> = commands.filter_map(|command| command.runner).collect();
    let name = |runner| serde_json::to_value(runner).ok()?.as_str().map(|it| it.replace('_', " "));
    runners.into_iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, text: &str, expected: &str) {
        let found = habits(language, &[text.to_owned()]);
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {} {}", it.what, it.found, it.share)).collect();
        assert_eq!(shown.join(", "), expected);
    }

    #[test]
    fn ix13_habits_are_those_of_the_majority() {
        let script = "import a from 'a';\nimport b from \"b\"\nimport c from 'c';\nimport d from 'd';\nexport { e } from 'e';\n\
                      function f() {\n  if (a) {\n    return <i title=\"x\" />;\n  }\n}\nfunction g() {\n  return b(() => {\n    c();\n  });\n}\n\
                      function h() {\n  return d;\n}\n";
        check(
            Language::Tsx,
            script,
            "indented by 2 spaces 100, quotes single 80, semicolons yes 83, modules by import and export 100",
        );
        let python = "def a():\n    x = 'a'\n    # don't\n    y = \"b\"\n\"\"\"it's\"\"\"\nz = ['c']\ndef b():\n    return 'd'\ndef c():\n    return 'e'\n\
                      def d():\n    return 'f'\nclass E:\n    def f(self):\n        pass\n";
        check(Language::Python, python, "indented by 4 spaces 100, quotes single 83");
        // Too little to say anything.
        check(Language::Python, "x = 'a'\n", "");
        let go = "func a() {\n\tif b {\n\t\tc()\n\t}\n}\nfunc d() {\n\tif b {\n\t\tc()\n\t}\n}\nfunc e() {\n\tf()\n}\n";
        check(Language::Go, go, "indented by tabs 100");
    }

    #[test]
    fn ix13_names_of_tests_are_patterns() {
        let patterns = [
            ("src/a.test.ts", "*.test.ts"),
            ("a.spec.js", "*.spec.js"),
            ("tests/test_a.py", "test_*.py"),
            ("a_test.go", "*_test.go"),
            ("src/test/java/FooTest.java", "*Test.java"),
            ("tests/it.rs", "tests/*.rs"),
        ];
        for (path, expected) in patterns {
            assert_eq!(pattern(path).as_deref(), Some(expected), "{path}");
        }
    }
}

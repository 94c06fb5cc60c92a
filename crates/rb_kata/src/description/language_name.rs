//! Names of programming languages as people and file names write them, with or without a runner.

use crate::runner::Runner;

/// Languages without a runner. A name that is not here is a language only where a line says "Language:".
const OTHERS: &[&str] = &[
    "ada",
    "apl",
    "assembly",
    "bash",
    "basic",
    "c",
    "c#",
    "c++",
    "clojure",
    "cobol",
    "coffeescript",
    "common lisp",
    "cpp",
    "crystal",
    "csharp",
    "d",
    "dart",
    "delphi",
    "elixir",
    "elm",
    "erlang",
    "f#",
    "forth",
    "fortran",
    "fsharp",
    "groovy",
    "haskell",
    "idris",
    "julia",
    "kotlin",
    "lisp",
    "lua",
    "matlab",
    "nim",
    "objective-c",
    "ocaml",
    "pascal",
    "perl",
    "php",
    "powershell",
    "prolog",
    "purescript",
    "r",
    "racket",
    "reasonml",
    "scala",
    "scheme",
    "smalltalk",
    "solidity",
    "sql",
    "swift",
    "visual basic",
    "zig",
];

/// Names that are also words in the names of files: `fizzbuzz-basic.md` is no kata in BASIC.
const WORDS: &[&str] = &[
    "ada", "assembly", "basic", "crystal", "dart", "elm", "forth", "julia", "node", "racket",
    "scheme", "swift",
];

/// Endings of files in languages without a runner, as in `fizzbuzz.kt.md`.
const ENDINGS: &[&str] = &["c", "cs", "ex", "exs", "fs", "hs", "kt", "ml", "pl"];

/// A language that people write programs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Supported(Runner),
    /// Without a runner.
    Other,
}

impl Known {
    pub(super) fn runner(self) -> Option<Runner> {
        match self {
            Known::Supported(runner) => Some(runner),
            Known::Other => None,
        }
    }
}

pub(super) fn known(name: &str) -> Option<Known> {
    let lower = name.trim().to_lowercase();
    let bare = lower.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let stem = lower.strip_suffix(".js").unwrap_or(&lower);
    let runner = [lower.as_str(), bare, stem].into_iter().find_map(Runner::parse);
    match runner {
        Some(runner) => Some(Known::Supported(runner)),
        None => OTHERS.contains(&lower.as_str()).then_some(Known::Other),
    }
}

/// The names in "Python 3.12, Go or C# (any version)", without versions.
pub(super) fn names(value: &str) -> Vec<String> {
    let value = value.split('(').next().unwrap_or_default();
    let parts = value.split([',', '/', '|', ';', '&']);
    let parts = parts.flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
    parts.map(without_version).filter(|name| !name.is_empty()).take(MOST).collect()
}

/// The most names of one line.
const MOST: usize = 20;

fn without_version(name: &str) -> String {
    let is_version = |word: &str| {
        let number = word.strip_prefix(['v', 'V', '>', '≥']).unwrap_or(word);
        number.starts_with(|sign: char| sign.is_ascii_digit() || sign == '=')
    };
    let is_quote = |sign: char| matches!(sign, '"' | '\'' | '`' | '.' | '*' | '_' | '[' | ']');
    let name = name.trim().trim_matches(is_quote);
    let words = name.split_whitespace().enumerate();
    let kept = words.take_while(|(index, word)| *index == 0 || !is_version(word));
    kept.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// The languages that a file name states by convention: `fizzbuzz.py.md`, `fizzbuzz-python.md`, `fizzbuzz_rust.md`.
pub(super) fn of_file(file_name: &str) -> Vec<(String, Option<Runner>)> {
    let stem = stem(file_name);
    let (rest, ending) = ending(stem);
    let (_, word) = last_word(rest);
    ending.into_iter().chain(word).map(|(name, runner)| (name.to_owned(), runner)).collect()
}

/// The name of the file without folders, ending and language.
pub(super) fn without_language(file_name: &str) -> &str {
    let (rest, _) = ending(stem(file_name));
    let (rest, _) = last_word(rest);
    rest
}

/// Without folders, and without the ending of a text.
fn stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match name.rsplit_once('.') {
        Some((stem, ending)) if is_text(ending) => stem,
        Some(_) | None => name,
    }
}

fn is_text(ending: &str) -> bool {
    ["md", "markdown", "mdown", "txt"].iter().any(|text| ending.eq_ignore_ascii_case(text))
}

type Named<'t> = Option<(&'t str, Option<Runner>)>;

/// `fizzbuzz.py` is `fizzbuzz` in Python.
fn ending(stem: &str) -> (&str, Named<'_>) {
    let Some((rest, ending)) = stem.rsplit_once('.') else { return (stem, None) };
    let is_other = ENDINGS.iter().any(|other| ending.eq_ignore_ascii_case(other));
    match known(ending) {
        Some(language) => (rest, Some((ending, language.runner()))),
        None if is_other => (rest, Some((ending, None))),
        None => (stem, None),
    }
}

/// `fizzbuzz-python` is `fizzbuzz` in Python. A single letter and a usual word say nothing.
fn last_word(stem: &str) -> (&str, Named<'_>) {
    let Some((rest, word)) = stem.rsplit_once(['-', '_', ' ']) else { return (stem, None) };
    let is_usual = word.len() < 2 || WORDS.iter().any(|other| word.eq_ignore_ascii_case(other));
    let has_rest = rest.contains(char::is_alphanumeric);
    match known(word) {
        Some(language) if has_rest && !is_usual => (rest, Some((word, language.runner()))),
        Some(_) | None => (stem, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka1_file_names_state_languages() {
        let check = |file: &str, expected: &[(&str, Option<Runner>)]| {
            let languages = of_file(file);
            let shown: Vec<(&str, Option<Runner>)> =
                languages.iter().map(|(name, runner)| (name.as_str(), *runner)).collect();
            assert_eq!(shown, expected, "{file:?}");
        };
        check("fizzbuzz.py.md", &[("py", Some(Runner::Python))]);
        check("fizzbuzz-python.md", &[("python", Some(Runner::Python))]);
        check("fizzbuzz_rust.md", &[("rust", Some(Runner::Rust))]);
        check("FizzBuzz.Rust.MD", &[("Rust", Some(Runner::Rust))]);
        check("a b/fizz buzz go.markdown", &[("go", Some(Runner::Go))]);
        check("fizzbuzz-javascript.md", &[("javascript", Some(Runner::Javascript))]);
        check("fizzbuzz-cobol.md", &[("cobol", None)]);
        check("fizzbuzz.kt.md", &[("kt", None)]);
        check("fizzbuzz-rust.py.md", &[("py", Some(Runner::Python)), ("rust", Some(Runner::Rust))]);
        check("python/fizzbuzz.md", &[]);
        check("python\\fizzbuzz.md", &[]);
        check("fizzbuzz.md", &[]);
        check("go.md", &[]);
        check("-go.md", &[]);
        check("fizzbuzz-basic.md", &[]);
        check("linked-list-node.md", &[]);
        check("part-c.md", &[]);
        check("fizzbuzz.v2.md", &[]);
        check("mongo.md", &[]);
        check("", &[]);
    }

    #[test]
    fn ka1_lines_name_languages() {
        let check =
            |value: &str, expected: &[&str]| assert_eq!(names(value), expected, "{value:?}");
        check("Python", &["Python"]);
        check("Python 3.12", &["Python"]);
        check("`Go`.", &["Go"]);
        check("Java >= 17 (or later)", &["Java"]);
        check("Python, Go or C#", &["Python", "Go", "C#"]);
        check("TypeScript/JavaScript", &["TypeScript", "JavaScript"]);
        check("Visual Basic", &["Visual Basic"]);
        check("(none)", &[]);
        check("", &[]);
    }

    #[test]
    fn ka1_known_languages_have_a_runner_or_none() {
        let check = |name: &str, expected| assert_eq!(known(name), expected, "{name:?}");
        check("TypeScript", Some(Known::Supported(Runner::Typescript)));
        check("Python3", Some(Known::Supported(Runner::Python)));
        check("Go1.22", Some(Known::Supported(Runner::Go)));
        check("C++", Some(Known::Other));
        check("COBOL", Some(Known::Other));
        check("English", None);
        check("", None);
    }
}

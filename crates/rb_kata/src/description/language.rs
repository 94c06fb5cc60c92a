//! What a kata says about its language, how strongly, and the runner that follows from it.
//!
//! Prose is not searched: "go to" is not Go. Only the places count where a language is stated by convention.

use rb_core::text::at_most;
use serde::{Deserialize, Serialize};

use super::language_name::{self, known, names};
use super::markdown::{BlockKind, Document};
use super::marks::plain;
use super::section::{Part, Section};
use super::title::Title;
use super::{Kata, LanguageHint};
use crate::runner::Runner;

/// How much a hint counts, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    FileName,
    /// A line, a key or a heading "Language".
    Statement,
    /// "… in Go".
    Title,
    /// All code blocks are in this language.
    CodeBlocks,
}

/// Why no language could be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LanguageProblem {
    /// It has no runner.
    Unknown { name: String },
    /// Several are stated equally strongly.
    Ambiguous(Vec<String>),
}

impl Kata {
    /// The runner, and where it comes from: "--language", "the file name", "line 3: Language: Go", "the default".
    pub fn choose_runner(&self, flag: Option<Runner>) -> Result<(Runner, String), LanguageProblem> {
        if let Some(runner) = flag {
            return Ok((runner, "--language".to_owned()));
        }
        let Some(first) = self.hints.first() else {
            return Ok((Runner::Rust, "the default".to_owned()));
        };
        let names = languages(&self.hints, first.strength);
        if names.len() > 1 {
            return Err(LanguageProblem::Ambiguous(names));
        }
        match first.runner {
            Some(runner) => Ok((runner, first.source.clone())),
            None => Err(LanguageProblem::Unknown { name: first.name.clone() }),
        }
    }
}

impl LanguageHint {
    /// As people write it.
    fn title(&self) -> String {
        self.runner.map_or_else(|| self.name.clone(), |runner| runner.title().to_owned())
    }
}

/// The languages that are stated so strongly, each once.
fn languages(hints: &[LanguageHint], strength: Strength) -> Vec<String> {
    let mut languages: Vec<String> = Vec::new();
    for hint in hints.iter().filter(|hint| hint.strength == strength) {
        let title = hint.title();
        if !languages.iter().any(|other| other.eq_ignore_ascii_case(&title)) {
            languages.push(title);
        }
    }
    languages
}

/// The keys of front matter and the beginnings of lines that state a language.
const KEYS: &[&str] = &[
    "language",
    "languages",
    "lang",
    "programming language",
    "programming languages",
    "target language",
    "implementation language",
];

/// Values that leave the language open, by their first word.
const ANY: &[&str] =
    &["any", "all", "every", "your", "free", "whatever", "agnostic", "none", "open"];

/// Values that say in which language people wrote the text.
const SPOKEN: &[&str] = &[
    "en",
    "en-us",
    "en-gb",
    "english",
    "de",
    "german",
    "deutsch",
    "fr",
    "french",
    "es",
    "spanish",
    "it",
    "italian",
    "pt",
    "pt-br",
    "portuguese",
    "nl",
    "dutch",
    "pl",
    "polish",
    "ja",
    "japanese",
    "zh",
    "chinese",
    "ko",
    "korean",
    "ru",
    "russian",
];

/// The most hints that are kept.
const MOST: usize = 50;
/// The most characters of a line that a source shows.
const LONGEST_SOURCE: usize = 60;

/// What was found about the language.
pub(super) struct Statements {
    /// Strongest first.
    pub(super) hints: Vec<LanguageHint>,
    /// Line and text of statements that name no language.
    pub(super) unclear: Vec<(usize, String)>,
}

impl Statements {
    pub(super) fn of(
        file_name: &str,
        document: &Document,
        title: Option<&Title>,
        parts: &[Part<'_>],
    ) -> Statements {
        let mut statements = Statements { hints: Vec::new(), unclear: Vec::new() };
        for (name, runner) in language_name::of_file(file_name) {
            let source = "the file name".to_owned();
            statements.push(LanguageHint { name, runner, strength: Strength::FileName, source });
        }
        for entry in &document.front_matter {
            if KEYS.contains(&entry.key.as_str()) {
                let shown = format!("{}: {}", entry.key, entry.value);
                statements.state(entry.line, &shown, &entry.value);
            }
        }
        for part in parts {
            statements.part(part);
        }
        if let Some(title) = title {
            statements.title(title);
        }
        if let Some(hint) = code_blocks(document) {
            statements.push(hint);
        }
        statements
    }

    fn push(&mut self, hint: LanguageHint) {
        if self.hints.len() < MOST {
            self.hints.push(hint);
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        for block in &part.blocks {
            let lines: &[String] = match &block.kind {
                BlockKind::Item { text, .. } => std::slice::from_ref(text),
                BlockKind::Paragraph { lines } => lines.as_slice(),
                BlockKind::Heading { .. } | BlockKind::Code { .. } | BlockKind::Table { .. } => &[],
            };
            for (offset, line) in lines.iter().enumerate() {
                let line = plain(line);
                if let Some(value) = stated(&line) {
                    self.state(block.line + offset, &line, value);
                } else if part.section == Section::Language {
                    self.state(block.line + offset, &line, &line);
                }
            }
        }
    }

    /// A value where a language is expected: what is not known is a language as well, one without a runner.
    fn state(&mut self, line: usize, shown: &str, value: &str) {
        let first = value.split_whitespace().next().unwrap_or_default().to_lowercase();
        if ANY.contains(&first.trim_matches(|sign: char| !sign.is_alphanumeric())) {
            return;
        }
        let is_spoken = |name: &String| SPOKEN.contains(&name.to_lowercase().as_str());
        let names: Vec<String> = names(value).into_iter().filter(|name| !is_spoken(name)).collect();
        let is_name = |name: &String| known(name).is_some() || name.split(' ').count() <= 2;
        if !names.iter().all(is_name) {
            self.unclear.push((line, clip(shown)));
            return;
        }
        for name in names {
            let runner = known(&name).and_then(language_name::Known::runner);
            let source = format!("line {line}: {}", clip(shown));
            self.push(LanguageHint { name, runner, strength: Strength::Statement, source });
        }
    }

    fn title(&mut self, title: &Title) {
        for name in title_names(&title.text) {
            if let Some(language) =
                known(&name).filter(|language| is_meant(&name, language.runner()))
            {
                let source = format!("line {}: {}", title.line, clip(&title.text));
                let runner = language.runner();
                self.push(LanguageHint { name, runner, strength: Strength::Title, source });
            }
        }
    }

    /// Sentences about statements that are unclear or contradict each other.
    pub(super) fn problems(&self) -> Vec<String> {
        let unclear = self.unclear.iter().take(MOST).map(|(line, text)| {
            format!(
                "Line {line} does not name a language: `{text}`. \
                 Write `Language: Python`, for example."
            )
        });
        let mut problems: Vec<String> = unclear.collect();
        let Some(first) = self.hints.first() else { return problems };
        let names = languages(&self.hints, first.strength);
        if names.len() > 1 {
            let names = at_most(5, names.into_iter()).join(", ");
            problems.push(format!(
                "The kata names several languages: {names}. Keep one of them, or pass `--language`."
            ));
            return problems;
        }
        // Code blocks may show an example in another language.
        let is_other = |hint: &&LanguageHint| {
            hint.strength != Strength::CodeBlocks
                && !hint.title().eq_ignore_ascii_case(&first.title())
        };
        if let Some(other) = self.hints.iter().find(is_other) {
            problems.push(format!(
                "The kata names {} ({}) and {} ({}). The first is used; `--language` overrides it.",
                first.title(),
                first.source,
                other.title(),
                other.source,
            ));
        }
        problems
    }
}

/// The value of a line such as `Language: Python`.
pub(super) fn stated(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let is_key = key.len() <= 40 && KEYS.contains(&key.trim().to_lowercase().as_str());
    let value = value.trim();
    (is_key && !value.is_empty()).then_some(value)
}

/// What follows the last "in" of a title, and what stands in parentheses.
fn title_names(title: &str) -> Vec<String> {
    const ENDS: &[&str] = &["(", ":", "–", "—", " - ", " with ", " using ", " under "];
    let words: Vec<&str> = title.split_whitespace().collect();
    let last = words.iter().rposition(|word| word.eq_ignore_ascii_case("in"));
    let phrase = last.map_or_else(String::new, |at| words[at + 1..].join(" "));
    let end = ENDS.iter().filter_map(|sign| phrase.find(*sign)).min().unwrap_or(phrase.len());
    let aside = title.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let aside = aside.map_or("", |(inside, _)| inside.strip_prefix("in ").unwrap_or(inside));
    let mut found = names(&phrase[..end]);
    found.extend(names(aside));
    found
}

/// In a title, "go" in lower case is the verb; other names in lower case count if they have a runner.
fn is_meant(name: &str, runner: Option<Runner>) -> bool {
    name.starts_with(char::is_uppercase) || (runner.is_some() && name != "go")
}

/// Languages of code blocks that show commands and data beside the code.
const BESIDE_CODE: &[&str] = &["bash", "powershell", "sql"];

/// The language of all code blocks, if they agree. Blocks without a language do not count.
fn code_blocks(document: &Document) -> Option<LanguageHint> {
    let mut hint: Option<LanguageHint> = None;
    for block in &document.blocks {
        let BlockKind::Code { info, .. } = &block.kind else { continue };
        let is_end = |sign: char| sign.is_whitespace() || matches!(sign, ',' | '{' | '}');
        let name = info.trim_start_matches('{').split(is_end).next().unwrap_or_default();
        let name = name.trim_start_matches('.');
        let Some(language) = known(name).filter(|_| !BESIDE_CODE.contains(&name)) else { continue };
        let runner = language.runner()?;
        match &hint {
            None => {
                let source = format!("a code block in line {}", block.line);
                let name = name.to_owned();
                let strength = Strength::CodeBlocks;
                hint = Some(LanguageHint { name, runner: Some(runner), strength, source });
            }
            Some(earlier) if earlier.runner != Some(runner) => return None,
            Some(_) => {}
        }
    }
    hint
}

fn clip(line: &str) -> String {
    let head: String = line.chars().take(LONGEST_SOURCE).collect();
    if head.len() < line.len() { format!("{}…", head.trim_end()) } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(file_name: &str, text: &str) -> Vec<LanguageHint> {
        Kata::read(file_name, text).hints
    }

    #[test]
    fn ka1_the_language_is_found_in_file_name_and_text() {
        let check = |file: &str, text: &str, expected: (Runner, &str)| {
            let chosen = Kata::read(file, text).choose_runner(None);
            let (runner, source) = chosen.expect(text);
            assert_eq!((runner, source.as_str()), expected, "{file:?} {text:?}");
        };
        check("a.md", "# A\n- b", (Runner::Rust, "the default"));
        check("a.py.md", "# A\n- b", (Runner::Python, "the file name"));
        check("a-go.md", "# A in Java\nLanguage: Python", (Runner::Go, "the file name"));
        check("a.md", "# A\n\nLanguage: Python", (Runner::Python, "line 3: Language: Python"));
        check("a.md", "# A\n- **Language:** Go 1.22", (Runner::Go, "line 2: Language: Go 1.22"));
        check("a.md", "# A\nx\n**Language**: `Java`", (Runner::Java, "line 3: Language: `Java`"));
        check("a.md", "---\nlanguage: ruby\n---\n# A", (Runner::Ruby, "line 2: language: ruby"));
        check("a.md", "# A\n## Language\n\nTypeScript", (Runner::Typescript, "line 4: TypeScript"));
        check("a.md", "# A\n## Language\n- Go", (Runner::Go, "line 3: Go"));
        check(
            "a.md",
            "# FizzBuzz in TypeScript",
            (Runner::Typescript, "line 1: FizzBuzz in TypeScript"),
        );
        check("a.md", "# Kata: A in Go - part 1", (Runner::Go, "line 1: Kata: A in Go - part 1"));
        check("a.md", "# A (Python 3)", (Runner::Python, "line 1: A (Python 3)"));
        check("a.md", "# A in Go\nLanguage: Java", (Runner::Java, "line 2: Language: Java"));
        check(
            "a.md",
            "# A\n```js\n1\n```\n```\n2\n```",
            (Runner::Javascript, "a code block in line 2"),
        );
        check("a.md", "# A\n```go\n```\n```bash\n```", (Runner::Go, "a code block in line 2"));
        check("a.md", "# A in Go\n```python\n1\n```", (Runner::Go, "line 1: A in Go"));
    }

    #[test]
    fn ka1_prose_names_no_language() {
        let check = |text: &str| assert!(hints("a.md", text).is_empty(), "{text:?}");
        check("# A\nGo to the shop. Drink Java in a café. Let it rust.");
        check("# Where to go in go");
        check("# Life in Java Island");
        check("# Alice in Wonderland");
        check("# Let's Go");
        check("# A\nThe language: it matters");
        check("# A\nLanguage: any");
        check("# A\nLanguage: your choice, Go or Java");
        check("---\nlang: en\n---\n# A");
        check("# A\n```python\n```\n```go\n```");
        check("# A\n```csharp\n```");
        check("# A\n```text\nLanguage: Go\n```");
    }

    #[test]
    fn ka1_a_language_without_a_runner_is_unknown() {
        let check = |file: &str, text: &str, expected: &str| {
            let problem = Kata::read(file, text).choose_runner(None).expect_err(text);
            assert_eq!(problem, LanguageProblem::Unknown { name: expected.to_owned() }, "{text:?}");
        };
        check("a.md", "# A\nLanguage: COBOL", "COBOL");
        check("a.md", "# A\nLanguage: Blub", "Blub");
        check("a.md", "# A in C#", "C#");
        check("a-haskell.md", "# A", "haskell");
    }

    #[test]
    fn ka9_equally_strong_statements_are_ambiguous() {
        let check = |file: &str, text: &str, expected: &[&str]| {
            let kata = Kata::read(file, text);
            let problem = kata.choose_runner(None).expect_err(text);
            let names = expected.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(problem, LanguageProblem::Ambiguous(names), "{text:?}");
            assert!(kata.problems.iter().any(|problem| problem.text.contains("several languages")));
            let chosen = kata.choose_runner(Some(Runner::Ruby));
            assert_eq!(chosen, Ok((Runner::Ruby, "--language".to_owned())));
        };
        check("a.md", "# A\nLanguage: Python\n\n- Language: Go", &["Python", "Go"]);
        check("a.md", "# A\nLanguages: Python, COBOL", &["Python", "COBOL"]);
        check("a.md", "# A in Rust and Go", &["Rust", "Go"]);
        check("a-rust.py.md", "# A", &["Python", "Rust"]);
    }

    #[test]
    fn ka9_one_language_by_two_names_is_not_ambiguous() {
        let kata = Kata::read("a.md", "# A\nLanguage: python\n\nLanguage: Python 3");
        assert_eq!(
            kata.choose_runner(None),
            Ok((Runner::Python, "line 2: Language: python".to_owned()))
        );
    }

    #[test]
    fn ka9_unclear_and_contradictory_statements_are_reported() {
        let check = |file: &str, text: &str, expected: &[&str]| {
            let document = Document::parse(text);
            let parts = super::super::section::parts(&document.blocks, None);
            let statements = Statements::of(file, &document, None, &parts);
            assert_eq!(statements.problems(), expected, "{text:?}");
        };
        check("a.md", "Language: Go", &[]);
        check(
            "a.md",
            "Language: the one that you learned last week",
            &["Line 1 does not name a language: `Language: the one that you learned last week`. \
               Write `Language: Python`, for example."],
        );
        check(
            "a-go.md",
            "Language: Java",
            &["The kata names Go (the file name) and Java (line 1: Language: Java). \
               The first is used; `--language` overrides it."],
        );
        check("a-go.md", "```python\n```", &[]);
    }
}

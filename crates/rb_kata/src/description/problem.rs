//! What is missing in a kata or can be understood in several ways, in sentences that say what to write.

use super::content::{Content, Source};
use super::language::Statements;
use super::markdown::Document;
use super::section::{Part, Section};
use super::{LONGEST, Problem};

/// What was read of a kata.
pub(super) struct Reading<'r> {
    pub(super) characters: usize,
    /// Nothing but space.
    pub(super) is_blank: bool,
    /// The title, where it comes from the name of the file.
    pub(super) file_title: Option<&'r str>,
    pub(super) document: &'r Document,
    pub(super) parts: &'r [Part<'r>],
    pub(super) content: &'r Content,
    pub(super) statements: &'r Statements,
}

/// The most problems of one kind that are listed.
const MOST: usize = 10;
/// The most characters of a requirement that a problem shows.
const LONGEST_QUOTE: usize = 60;
const HOW: &str = "Add a heading `## Requirements` with a list below it, one item for each.";

pub(super) fn of(reading: &Reading<'_>) -> Vec<Problem> {
    if reading.is_blank {
        let text = "The file is empty. Write a title, a list of requirements and some examples.";
        return vec![Problem::fatal(text)];
    }
    if reading.characters > LONGEST {
        return vec![Problem::fatal(format!(
            "The file has {} characters; at most {LONGEST} are read. \
             Keep the description of the kata and remove the rest.",
            reading.characters
        ))];
    }
    let mut problems: Vec<Problem> = Vec::new();
    problems.extend(title(reading));
    problems.extend(requirements(reading));
    problems.extend(empty_sections(reading.parts));
    problems.extend(open_ends(&reading.content.requirements));
    problems.extend(reading.document.unclosed_fence.map(|line| {
        Problem::minor(format!(
            "The code block that begins in line {line} is not closed. \
             Add a line with the same fence after its last line."
        ))
    }));
    problems.extend(reading.statements.problems().into_iter().map(Problem::minor));
    problems
}

impl Problem {
    fn fatal(text: impl Into<String>) -> Problem {
        Problem { is_fatal: true, text: text.into() }
    }

    fn minor(text: impl Into<String>) -> Problem {
        Problem { is_fatal: false, text: text.into() }
    }
}

fn title(reading: &Reading<'_>) -> Option<Problem> {
    let title = reading.file_title?;
    Some(Problem::minor(format!(
        "The kata has no title; `{title}` is taken from the file name. \
         Begin the file with a line such as `# {title}`."
    )))
}

fn requirements(reading: &Reading<'_>) -> Option<Problem> {
    let has_examples = !reading.content.examples.is_empty();
    match reading.content.source {
        Source::Statements => None,
        Source::WholeText => Some(Problem::minor(format!(
            "No list of requirements was found, so the whole text counts as one requirement. {HOW}"
        ))),
        Source::Nowhere if has_examples => {
            Some(Problem::minor(format!("The kata has examples, but no requirements. {HOW}")))
        }
        Source::Nowhere => Some(Problem::fatal(format!("The kata has no requirements. {HOW}"))),
    }
}

/// Headings that promise something and have nothing below.
fn empty_sections(parts: &[Part<'_>]) -> Vec<Problem> {
    let nexts = parts.iter().skip(1).map(Some).chain(std::iter::once(None));
    let empty = parts.iter().zip(nexts).filter_map(|(part, next)| {
        let heading = part.heading.as_ref()?;
        let inner = next.and_then(|next| next.heading.as_ref());
        let has_inner = inner.is_some_and(|inner| inner.level > heading.level);
        // "Object Calisthenics" says everything itself.
        let is_promise = part.section != Section::Neutral && is_plain_name(&heading.text);
        (part.blocks.is_empty() && !has_inner && is_promise).then(|| {
            Problem::minor(format!(
                "There is nothing below the heading `{}` in line {}. Write it, or remove the heading.",
                heading.text, heading.line
            ))
        })
    });
    empty.take(MOST).collect()
}

fn is_plain_name(heading: &str) -> bool {
    Section::is_name(heading) && !heading.to_lowercase().contains("calisthenics")
}

/// Requirements that do not say what they want.
fn open_ends(requirements: &[String]) -> Vec<Problem> {
    const MARKS: &[&str] = &["TODO", "TBD", "FIXME", "???", "etc.", "and so on"];
    let open = requirements.iter().enumerate().filter_map(|(index, text)| {
        let mark = MARKS.iter().find(|mark| text.contains(**mark))?;
        let quote: String = text.chars().take(LONGEST_QUOTE).collect();
        let more = if quote.len() < text.len() { "…" } else { "" };
        Some(Problem::minor(format!(
            "Requirement {} is open (`{mark}`): {}{more}. Say exactly what is expected.",
            index + 1,
            quote.trim_end_matches(['.', ' ']),
        )))
    });
    open.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::description::Kata;

    fn check(file_name: &str, text: &str, expected: &Expect) {
        let problems = Kata::read(file_name, text).problems;
        let show = |problem: &super::Problem| {
            format!("{}: {}\n", if problem.is_fatal { "fatal" } else { "minor" }, problem.text)
        };
        expected.assert_eq(&problems.iter().map(show).collect::<String>());
    }

    #[test]
    fn ka9_a_good_kata_has_no_problems() {
        check("a.md", "# A\n\n## Requirements\n- b\n\n## Examples\n- 1 -> 2\n", &expect![[""]]);
        check("a.md", "# A\n\n- b\n", &expect![[""]]);
        check("a.md", "# A\n\nIt must work.\n", &expect![[""]]);
    }

    #[test]
    fn ka9_an_empty_file_is_fatal() {
        let expected = expect![[r#"
            fatal: The file is empty. Write a title, a list of requirements and some examples.
        "#]];
        check("a.md", "", &expected);
        check("a.md", " \n\t\n", &expected);
    }

    #[test]
    fn ka9_a_huge_file_is_fatal() {
        let expected = expect![[r#"
            fatal: The file has 100001 characters; at most 100000 are read. Keep the description of the kata and remove the rest.
        "#]];
        check("a.md", &"é".repeat(100_001), &expected);
    }

    #[test]
    fn ka9_a_kata_without_requirements_is_reported() {
        let fatal = expect![[r#"
            fatal: The kata has no requirements. Add a heading `## Requirements` with a list below it, one item for each.
        "#]];
        check("a.md", "# A\n", &fatal);
        check("a.md", "# A\nLanguage: Go\n", &fatal);
        let whole = expect![[r#"
            minor: No list of requirements was found, so the whole text counts as one requirement. Add a heading `## Requirements` with a list below it, one item for each.
        "#]];
        check("a.md", "# A\nWrite a calculator.\n", &whole);
        let examples = expect![[r#"
            minor: The kata has examples, but no requirements. Add a heading `## Requirements` with a list below it, one item for each.
        "#]];
        check("a.md", "# A\n1 -> 2\n", &examples);
    }

    #[test]
    fn ka9_what_is_missing_or_open_is_reported() {
        check(
            "leap-year.md",
            "- b\n",
            &expect![[r#"
            minor: The kata has no title; `Leap Year` is taken from the file name. Begin the file with a line such as `# Leap Year`.
        "#]],
        );
        check(
            "a.md",
            "# A\n- b\n```\nc\n",
            &expect![[r#"
            minor: The code block that begins in line 3 is not closed. Add a line with the same fence after its last line.
        "#]],
        );
        check(
            "a.md",
            "# A\n## Rules\n- b\n## Constraints\n",
            &expect![[r#"
            minor: There is nothing below the heading `Constraints` in line 4. Write it, or remove the heading.
        "#]],
        );
        check(
            "a.md",
            "# A\n- Fizz, Buzz etc.\n- TODO\n- c\n",
            &expect![[r#"
            minor: Requirement 1 is open (`etc.`): Fizz, Buzz etc. Say exactly what is expected.
            minor: Requirement 2 is open (`TODO`): TODO. Say exactly what is expected.
        "#]],
        );
        check(
            "a.md",
            "# A\n- b\n\nLanguage: Go or Java\n",
            &expect![[r#"
            minor: The kata names several languages: Go, Java. Keep one of them, or pass `--language`.
        "#]],
        );
    }
}

//! The request to the model: the question, and behind a fence what is known already or what is to be replaced.
//!
//! How to explore and how to answer is said once, in the system prompt.

use std::fmt::Write as _;

use rb_tools::Shown;
use rb_trust::{Fence, FenceError, Label, Source};

use crate::guide::numbered;

/// What the model is given: for a first request what is known and found, for a correction what failed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt<'p> {
    pub(crate) question: &'p str,
    /// What earlier questions found out; empty for nothing.
    pub(crate) memory: String,
    /// Numbered excerpts of the files that match best; empty for none.
    pub(crate) seed: String,
    /// What the model asked to see, and the program looked up.
    pub(crate) found: String,
    pub(crate) repair: Option<Repair>,
    pub(crate) means: Means,
}

/// An answer of which some statements failed the check.
#[derive(Debug, Clone)]
pub(crate) struct Repair {
    /// These statements, numbered, with the reasons.
    pub(crate) failed: String,
    /// The lines that they cite, numbered.
    pub(crate) cited: String,
    /// The other statements, as a list.
    pub(crate) stays: String,
}

/// How the model can see more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Means {
    #[default]
    Tools,
    /// It names what it needs, and is asked again.
    Needs,
    /// Not any more.
    Nothing,
}

const MEMORY: &str =
    "From earlier questions about the repository, checked against the files as they are now:";
const SEED: &str = "Lines of the files that match the question best, with their numbers:";
const FOUND: &str = "What you asked to see:";
pub(crate) const FAILED: &str = "You have answered this question. A program checked your answer, and these statements of it failed:";
const CITED: &str = "The lines that they cite, and some lines around them:";
const STAYS: &str = "The other statements stay as they are:";
const REPLACE: &str = "Replace the statements that failed, and write nothing else: one section for each of them, with its number as the \
    heading, such as \"1\". A replacement cites the lines that have every name in it, and says what they say, in words of these \
    lines. Leave out what the lines do not show: a statement without a replacement is removed from the answer.\n\n";

impl Prompt<'_> {
    pub(crate) fn text(&self, fence: &Fence) -> Result<String, FenceError> {
        let mut text = format!("Question:\n{}\n\n", self.question.trim());
        let [first, second, third] = match &self.repair {
            Some(Repair { failed, cited, stays }) => [
                ("check", failed.as_str(), FAILED),
                ("cited lines", cited.as_str(), CITED),
                ("your answer", stays.as_str(), STAYS),
            ],
            None => [
                ("memory", self.memory.as_str(), MEMORY),
                ("search", self.seed.as_str(), SEED),
                ("", "", ""),
            ],
        };
        let found = ("look-up", self.found.as_str(), FOUND);
        for (name, foreign, words) in [first, second, third, found] {
            if !foreign.trim().is_empty() {
                let _ = writeln!(text, "{words}\n{}", fenced(fence, name, foreign)?);
            }
        }
        if self.repair.is_some() {
            text.push_str(REPLACE);
        } else if self.seed.trim().is_empty() {
            text.push_str("No file matches the words of the question well.\n\n");
        }
        text.push_str(self.means.words());
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok(text)
    }
}

impl Means {
    /// What the system prompt does not say.
    fn words(self) -> &'static str {
        match self {
            Means::Tools => "",
            Means::Needs => {
                "You have no tools. If you have to see more than this, name it in \"needs\"."
            }
            Means::Nothing => {
                "Answer now with what is shown. \"needs\" is not read any more; what is missing belongs in \"not_found\"."
            }
        }
    }
}

/// Lines with their numbers, as a request shows them: each file is named once.
pub(crate) fn excerpts(runs: &[Shown]) -> String {
    let mut text = String::new();
    let mut path = "";
    for run in runs {
        let excerpt = numbered(run);
        let (name, lines) = excerpt.split_once('\n').unwrap_or_default();
        if run.path == path {
            text.push_str("      ...\n");
        } else {
            let _ = writeln!(text, "{name}");
            path = &run.path;
        }
        text.push_str(lines);
    }
    text
}

fn fenced(fence: &Fence, name: &str, text: &str) -> Result<String, FenceError> {
    fence.around(&Label { source: Source::ToolOutput, name: name.to_owned() }, text)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(prompt: &Prompt<'_>, expected: &Expect) {
        let fence = Fence::new([7; 16]);
        let text = prompt.text(&fence).unwrap();
        expected.assert_eq(&text.replace(fence.mark(), "FENCE"));
    }

    #[test]
    fn as8_a_first_request() {
        let prompt = Prompt {
            question: "Who calls open?\n",
            memory: "Project:\n- desk\n".to_owned(),
            seed: "a.js\n    1 open();\n".to_owned(),
            ..Prompt::default()
        };
        check(
            &prompt,
            &expect![[r#"
                Question:
                Who calls open?

                From earlier questions about the repository, checked against the files as they are now:
                <data FENCE source="tool output" name="memory">
                Project:
                - desk
                </data FENCE>

                Lines of the files that match the question best, with their numbers:
                <data FENCE source="tool output" name="search">
                a.js
                    1 open();
                </data FENCE>
            "#]],
        );
    }

    #[test]
    fn as8_a_request_after_a_failed_check_asks_for_replacements_alone() {
        let repair = Repair {
            failed: "1. It sleeps.\n   not verified: no citation\n".to_owned(),
            cited: "a.js\n    1 open();\n".to_owned(),
            stays: "- It opens.\n".to_owned(),
        };
        let prompt = Prompt {
            question: "Who calls open?",
            found: "b.js\n    1 x\n".to_owned(),
            repair: Some(repair),
            means: Means::Nothing,
            ..Prompt::default()
        };
        check(
            &prompt,
            &expect![[r#"
                Question:
                Who calls open?

                You have answered this question. A program checked your answer, and these statements of it failed:
                <data FENCE source="tool output" name="check">
                1. It sleeps.
                   not verified: no citation
                </data FENCE>

                The lines that they cite, and some lines around them:
                <data FENCE source="tool output" name="cited lines">
                a.js
                    1 open();
                </data FENCE>

                The other statements stay as they are:
                <data FENCE source="tool output" name="your answer">
                - It opens.
                </data FENCE>

                What you asked to see:
                <data FENCE source="tool output" name="look-up">
                b.js
                    1 x
                </data FENCE>

                Replace the statements that failed, and write nothing else: one section for each of them, with its number as the heading, such as "1". A replacement cites the lines that have every name in it, and says what they say, in words of these lines. Leave out what the lines do not show: a statement without a replacement is removed from the answer.

                Answer now with what is shown. "needs" is not read any more; what is missing belongs in "not_found".
            "#]],
        );
    }

    #[test]
    fn as8_excerpts_name_each_file_once() {
        let run = |path: &str, first: u32| Shown {
            path: path.to_owned(),
            hash: rb_core::Sha256::of(b"x"),
            first,
            lines: vec!["x".to_owned()],
        };
        let text = excerpts(&[run("a.js", 1), run("a.js", 9), run("b.js", 2)]);
        assert_eq!(text, "a.js\n    1 | x\n      ...\n    9 | x\nb.js\n    2 | x\n");
        assert_eq!(excerpts(&[]), "");
    }
}

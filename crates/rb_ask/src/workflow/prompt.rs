//! The request to the model: the question, what is known already behind a fence, and what the answer must look like.

use std::fmt::Write as _;

use rb_trust::{Fence, FenceError, Label, Source};

/// What the model is given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prompt<'p> {
    pub(crate) question: &'p str,
    /// What earlier questions found out; empty for nothing.
    pub(crate) memory: &'p str,
    /// Numbered excerpts of the files that match best; empty for none.
    pub(crate) seed: &'p str,
    /// What the model asked to see, and the program looked up.
    pub(crate) found: String,
    pub(crate) repair: Option<Repair>,
    pub(crate) means: Means,
}

/// An answer that failed its check, and why.
#[derive(Debug, Clone)]
pub(crate) struct Repair {
    /// As JSON.
    pub(crate) answer: String,
    pub(crate) faults: Vec<String>,
    /// Numbered lines.
    pub(crate) read: String,
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
    "What earlier questions found out. It was verified, and the files have not changed since:";
const SEED: &str = "Lines of the files that match the question best, with their numbers:";
const FOUND: &str = "What you asked to see:";

impl Prompt<'_> {
    pub(crate) fn text(&self, fence: &Fence) -> Result<String, FenceError> {
        let mut text = format!("Question:\n{}\n\n", self.question.trim());
        let data = [
            ("memory", self.memory, MEMORY),
            ("search", self.seed, SEED),
            ("look-up", self.found.as_str(), FOUND),
        ];
        for (name, foreign, words) in data {
            if !foreign.trim().is_empty() {
                let _ = writeln!(text, "{words}\n{}", fenced(fence, name, foreign)?);
            }
        }
        if self.seed.trim().is_empty() {
            text.push_str("No file matches the words of the question well.\n\n");
        }
        if let Some(Repair { answer, faults, read }) = &self.repair {
            let faults = faults.join("\n");
            text.push_str("You have answered this question before:\n");
            text.push_str(&fenced(fence, "your answer", answer)?);
            text.push_str("\nA program checked that answer. These parts of it failed:\n");
            text.push_str(&fenced(fence, "check", &faults)?);
            if !read.is_empty() {
                text.push_str("\nWhat you read before of the files that it cites:\n");
                text.push_str(&fenced(fence, "read before", read)?);
            }
            text.push_str(
                "\nAnswer the whole question again. Keep what is right, with its citations. Correct what failed: quote lines exactly as they \
                 were shown, cite the lines that have every name of the statement, or leave it out.\n\n",
            );
        }
        text.push_str(self.means.words());
        text.push_str(
            " Give each statement at least one citation: the path, the lines, and one of these lines copied exactly as the quote.\n",
        );
        Ok(text)
    }
}

impl Means {
    fn words(self) -> &'static str {
        match self {
            Means::Tools => {
                "If what is shown is enough, answer now. Otherwise use the tools for what is missing, and answer as soon as you can."
            }
            Means::Needs => {
                "You have no tools. If what is shown is enough, answer now. Otherwise name what you have to see in \"needs\"."
            }
            Means::Nothing => {
                "Answer now with what is shown. \"needs\" is not read any more; what is missing belongs in \"not_found\"."
            }
        }
    }
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
            memory: "Project:\n- desk\n",
            seed: "a.js\n    1 open();\n",
            ..Prompt::default()
        };
        check(
            &prompt,
            &expect![[r#"
                Question:
                Who calls open?

                What earlier questions found out. It was verified, and the files have not changed since:
                <data FENCE source="tool output" name="memory">
                Project:
                - desk
                </data FENCE>

                Lines of the files that match the question best, with their numbers:
                <data FENCE source="tool output" name="search">
                a.js
                    1 open();
                </data FENCE>

                If what is shown is enough, answer now. Otherwise use the tools for what is missing, and answer as soon as you can. Give each statement at least one citation: the path, the lines, and one of these lines copied exactly as the quote.
            "#]],
        );
    }

    #[test]
    fn as8_a_request_after_a_failed_check() {
        let repair = Repair {
            answer: "{}".to_owned(),
            faults: vec!["a.js:9-9: there are no such lines".to_owned()],
            read: "a.js\n    1 open();\n".to_owned(),
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

                What you asked to see:
                <data FENCE source="tool output" name="look-up">
                b.js
                    1 x
                </data FENCE>

                No file matches the words of the question well.

                You have answered this question before:
                <data FENCE source="tool output" name="your answer">
                {}
                </data FENCE>

                A program checked that answer. These parts of it failed:
                <data FENCE source="tool output" name="check">
                a.js:9-9: there are no such lines
                </data FENCE>

                What you read before of the files that it cites:
                <data FENCE source="tool output" name="read before">
                a.js
                    1 open();
                </data FENCE>

                Answer the whole question again. Keep what is right, with its citations. Correct what failed: quote lines exactly as they were shown, cite the lines that have every name of the statement, or leave it out.

                Answer now with what is shown. "needs" is not read any more; what is missing belongs in "not_found". Give each statement at least one citation: the path, the lines, and one of these lines copied exactly as the quote.
            "#]],
        );
    }
}

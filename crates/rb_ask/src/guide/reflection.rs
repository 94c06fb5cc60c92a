//! A look back every few calls: what was done, what it brought, and what to do next by the program's own measure.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::call_record::CallRecord;

/// Calls between two looks back.
pub(crate) const EVERY: usize = 5;
/// From this many calls on, an answer is better than more material.
const ENOUGH_CALLS: usize = 15;
/// Of the question's words in what was shown, in percent.
const COVERED: usize = 75;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Recommendation {
    Continue,
    /// Look elsewhere, or for something else.
    Pivot,
    /// Answer with what there is.
    Synthesize,
    /// Say what is missing.
    AskUser,
}

impl Recommendation {
    pub const ALL: [Recommendation; 4] = [
        Recommendation::Continue,
        Recommendation::Pivot,
        Recommendation::Synthesize,
        Recommendation::AskUser,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Recommendation::Continue => "CONTINUE",
            Recommendation::Pivot => "PIVOT",
            Recommendation::Synthesize => "SYNTHESIZE",
            Recommendation::AskUser => "ASK_USER",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Recommendation::Continue => "go on with the next step",
            Recommendation::Pivot => "search for other words, or follow calls and imports instead",
            Recommendation::Synthesize => "answer now with what you have",
            Recommendation::AskUser => "answer now, and say in \"not_found\" what is missing",
        }
    }
}

/// How the exploration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    pub calls: usize,
    /// Of the last `EVERY` calls, those that showed new lines or files.
    pub useful_calls: usize,
    pub new_lines: usize,
    pub new_files: usize,
    /// Words of the question, and those of them that were seen in results.
    pub words: usize,
    pub words_seen: usize,
}

impl Measure {
    pub(crate) fn of(calls: &[CallRecord], words: usize, words_seen: usize) -> Self {
        let recent = recent(calls);
        Measure {
            calls: calls.len(),
            useful_calls: recent.iter().filter(|call| call.is_news()).count(),
            new_lines: recent.iter().map(|call| call.new_lines).sum(),
            new_files: recent.iter().map(|call| call.new_files).sum(),
            words,
            words_seen,
        }
    }

    fn is_covered(&self) -> bool {
        self.words_seen * 100 >= self.words * COVERED
    }
}

fn recent(calls: &[CallRecord]) -> &[CallRecord] {
    &calls[calls.len().saturating_sub(EVERY)..]
}

/// What the program would do. `before` is what it recommended last.
pub(crate) fn recommend(measure: &Measure, before: Option<Recommendation>) -> Recommendation {
    const MOST_OF_THEM: usize = 3;
    if measure.calls >= ENOUGH_CALLS {
        return Recommendation::Synthesize;
    }
    let has_pivoted = before == Some(Recommendation::Pivot);
    match measure.useful_calls {
        0 if has_pivoted && measure.is_covered() => Recommendation::Synthesize,
        0 if has_pivoted => Recommendation::AskUser,
        useful if useful < MOST_OF_THEM && measure.is_covered() => Recommendation::Synthesize,
        useful if useful < MOST_OF_THEM => Recommendation::Pivot,
        _ => Recommendation::Continue,
    }
}

/// The advice for the model. It contains no text of the repository.
pub(crate) fn text(
    question: &str,
    calls: &[CallRecord],
    measure: &Measure,
    recommendation: Recommendation,
) -> String {
    let Measure { calls: made, useful_calls, new_lines, new_files, words, words_seen } = measure;
    let recent = recent(calls);
    let mut text = format!("Look back after {made} calls.\nQuestion: {question}\nLast calls:\n");
    for call in recent {
        let came = match call {
            CallRecord { failed: true, .. } => "failed".to_owned(),
            call if call.is_news() => {
                format!("{} new lines, {} new files", call.new_lines, call.new_files)
            }
            CallRecord { .. } => "nothing new".to_owned(),
        };
        let _ = writeln!(text, "- {}: {came}", call.in_words());
    }
    let _ = writeln!(
        text,
        "Found by them: {new_lines} new lines and {new_files} new files; {useful_calls} of {} calls brought something. \
         {words_seen} of {words} words of the question were seen in results.",
        recent.len()
    );
    text.push_str("Are you getting closer to an answer? Choose:\n");
    for option in Recommendation::ALL {
        let mark = if option == recommendation { " (recommended)" } else { "" };
        let _ = writeln!(text, "- {}: {}{mark}", option.name(), option.meaning());
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn as6_the_program_recommends_by_what_is_new() {
        use Recommendation::{AskUser, Continue, Pivot, Synthesize};
        let check = |calls, useful_calls, (words_seen, words), before, expected| {
            let measure =
                Measure { calls, useful_calls, new_lines: 0, new_files: 0, words, words_seen };
            assert_eq!(recommend(&measure, before), expected, "{measure:?} after {before:?}");
        };
        check(5, 5, (1, 4), None, Continue);
        check(5, 3, (4, 4), None, Continue);
        check(5, 2, (1, 4), None, Pivot);
        check(5, 2, (3, 4), None, Synthesize);
        check(5, 0, (1, 4), None, Pivot);
        check(10, 0, (1, 4), Some(Pivot), AskUser);
        check(10, 0, (4, 4), Some(Pivot), Synthesize);
        check(10, 4, (1, 4), Some(Pivot), Continue);
        check(15, 5, (1, 4), Some(Continue), Synthesize);
        // A question without words of its own: "What is this?"
        check(5, 1, (0, 0), None, Synthesize);
    }

    #[test]
    fn as6_the_model_is_shown_the_question_the_calls_and_the_choice() {
        let call = |query: &str, new_lines: usize, failed: bool| CallRecord {
            new_lines,
            failed,
            ..CallRecord::new(1, "search", &json!({ "query": query }))
        };
        let calls = [
            call("first", 9, false),
            call("rate limit", 12, false),
            call("token bucket", 0, false),
            call("bucket", 0, true),
            call("throttle", 0, false),
            call("quota", 0, false),
        ];
        let measure = Measure::of(&calls, 2, 1);
        let recommendation = recommend(&measure, None);
        let text = text("How does the rate limiter work?", &calls, &measure, recommendation);
        expect![[r#"
            Look back after 6 calls.
            Question: How does the rate limiter work?
            Last calls:
            - search rate limit: 12 new lines, 0 new files
            - search token bucket: nothing new
            - search bucket: failed
            - search throttle: nothing new
            - search quota: nothing new
            Found by them: 12 new lines and 0 new files; 1 of 5 calls brought something. 1 of 2 words of the question were seen in results.
            Are you getting closer to an answer? Choose:
            - CONTINUE: go on with the next step
            - PIVOT: search for other words, or follow calls and imports instead (recommended)
            - SYNTHESIZE: answer now with what you have
            - ASK_USER: answer now, and say in "not_found" what is missing"#]]
        .assert_eq(&text);
    }
}

//! A look back every few calls: what is known, and what to do next by the program's own measure.

use rb_core::plural;
use serde::{Deserialize, Serialize};

use super::call_record::CallRecord;

/// Calls and rounds between two looks back. A model that makes its calls together needs few rounds, and few reminders.
const EVERY: usize = 5;
const ROUNDS: u32 = 3;
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

    fn advice(self) -> &'static str {
        match self {
            Recommendation::Continue => {
                "If they answer the question, answer now. Otherwise look up what is missing, in one go."
            }
            Recommendation::Pivot => {
                "The last calls brought little: search for other words, or follow calls and imports."
            }
            Recommendation::Synthesize => "It is time to answer with what you have.",
            Recommendation::AskUser => {
                "Further calls bring nothing: answer with what you have, and say in \"not_found\" what is missing."
            }
        }
    }
}

/// How the exploration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    pub calls: usize,
    /// Of the last `EVERY` calls, those that brought something new.
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

/// Whether it is time to look back. `before`: the calls and the rounds at the last time.
pub(crate) fn is_due(calls: usize, round: u32, before: (usize, u32)) -> bool {
    calls >= before.0 + EVERY && round >= before.1 + ROUNDS
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

/// The advice for the model: how many lines of how many files it was shown, and what to do. It contains no text of the repository.
pub(crate) fn text(
    calls: usize,
    (lines, files): (usize, usize),
    recommendation: Recommendation,
) -> String {
    let (calls, lines, files) =
        (plural(calls, "call"), plural(lines, "line"), plural(files, "file"));
    format!("After {calls} you have seen {lines} of {files}. {}", recommendation.advice())
}

#[cfg(test)]
mod tests {
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
    fn as6_a_model_that_makes_its_calls_together_is_not_reminded_often() {
        let check = |calls, round, before, expected| {
            assert_eq!(is_due(calls, round, before), expected, "{calls} {round} {before:?}");
        };
        // One call at a time.
        check(4, 4, (0, 0), false);
        check(5, 5, (0, 0), true);
        check(9, 9, (5, 5), false);
        check(10, 10, (5, 5), true);
        // Many at a time.
        check(7, 1, (0, 0), false);
        check(14, 2, (0, 0), false);
        check(16, 3, (0, 0), true);
    }

    #[test]
    fn as6_an_outline_that_says_something_new_is_worth_its_call() {
        let call = |has_new_words: bool| CallRecord {
            has_new_words,
            ..CallRecord::new(1, "outline", &json!({ "path": "lib/a.js" }))
        };
        let calls = [call(true), call(true), call(true), call(false)];
        let measure = Measure::of(&calls, 4, 1);
        assert_eq!((measure.useful_calls, measure.new_lines), (3, 0));
        assert_eq!(recommend(&measure, None), Recommendation::Continue);
    }

    #[test]
    fn as6_the_model_is_told_what_is_known_and_what_to_do_in_a_line() {
        let check = |recommendation, expected: &str| {
            assert_eq!(text(12, (488, 4), recommendation), expected);
        };
        check(
            Recommendation::Continue,
            "After 12 calls you have seen 488 lines of 4 files. If they answer the question, answer now. Otherwise look up what \
             is missing, in one go.",
        );
        check(
            Recommendation::Synthesize,
            "After 12 calls you have seen 488 lines of 4 files. It is time to answer with what you have.",
        );
        for recommendation in Recommendation::ALL {
            let text = text(12, (488, 4), recommendation);
            // There is no place to make a choice, and what ends a conversation reads otherwise.
            assert!(
                !text.contains(recommendation.name()) && !text.contains("Answer now"),
                "{text}"
            );
        }
    }
}

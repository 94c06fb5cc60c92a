//! Which result can go when there is no room for all: what has least to do with the question, led nowhere, and is long ago.

use std::collections::BTreeSet;

use super::call_record::CallRecord;
use super::words::{in_common, words};

/// What a result is worth, in points.
fn worth(call: &CallRecord, later: &[CallRecord], question: &BTreeSet<String>) -> usize {
    const WORD: usize = 30;
    const USE: usize = 40;
    const NEWEST: usize = 60;
    let about = in_common(question, &call.words).min(5);
    // A later call that asks for something which the result named.
    let is_use = |later: &&CallRecord| {
        let asked = words(&later.subject);
        !asked.is_empty() && in_common(&asked, &call.words) == asked.len()
    };
    let uses = later.iter().filter(is_use).count().min(3);
    let recency = NEWEST / (later.len() + 1);
    let base = about * WORD + uses * USE + recency;
    // What showed nothing new is held by an earlier result, too.
    if call.is_news() { base } else { base / 2 }
}

/// The place in `open`, a list of call numbers, of the result that is worth least; of equals, the oldest.
pub(crate) fn least(
    open: &[u32],
    calls: &[CallRecord],
    question: &BTreeSet<String>,
) -> Option<usize> {
    let worth_of = |number: u32| {
        let at = calls.iter().position(|call| call.number == number);
        at.map_or(0, |at| worth(&calls[at], &calls[at + 1..], question))
    };
    (0..open.len()).min_by_key(|&nth| (worth_of(open[nth]), nth))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A call for `subject` whose result has these words and, or not, something new.
    fn call(number: u32, subject: &str, text: &str, is_news: bool) -> CallRecord {
        CallRecord {
            words: words(text),
            new_lines: usize::from(is_news),
            ..CallRecord::new(number, "search", &json!({ "query": subject }))
        }
    }

    #[test]
    fn as9_what_has_least_to_do_with_the_question_goes_first() {
        let question = words("How does the rate limiter work?");
        let check = |calls: &[CallRecord], open: &[u32], expected: Option<usize>| {
            assert_eq!(least(open, calls, &question), expected, "{open:?}");
        };
        let about = |number| call(number, "x", "class RateLimiter", true);
        let other = |number| call(number, "y", "colours of the page", true);
        check(&[], &[], None);
        check(&[about(1), other(2), about(3)], &[1, 2, 3], Some(1));
        // Of equals the oldest.
        check(&[about(1), about(2), about(3)], &[1, 2, 3], Some(0));
        // One that led to another call stays.
        let led = call(1, "z", "TokenBucket", true);
        check(&[led, other(2), call(3, "TokenBucket", "rate", true)], &[1, 2], Some(1));
        // One that showed nothing new is worth half.
        check(&[about(1), call(2, "x", "class RateLimiter", false), about(3)], &[1, 2], Some(1));
        // A call that nobody knows of: a plan, a failure.
        check(&[about(1)], &[1, 9], Some(1));
    }
}

//! Measures an answer. A share cannot exceed 100%, and a share of nothing is not a number.

mod metric;

use std::collections::BTreeMap;

pub use self::metric::{Direction, Metric, Unit};
use super::Session;
use super::judge::{Verdict, contains_any};
use super::suite::{Expects, Question};
use super::value::Value;
use crate::answer::{Answer, Statement, Support};

/// A session with more calls than this and no valid citation thrashes.
pub const THRASHING_CALLS: u32 = 20;

/// By metric; `None` where a metric does not apply ("n/a").
pub type Values = BTreeMap<Metric, Option<Value>>;

/// All metrics of one answer.
pub fn measure(
    question: &Question,
    answer: &Answer,
    session: &Session,
    verdict: &Verdict,
) -> Values {
    let counts = Counts::of(question, answer);
    let precision = Value::share(counts.valid_citations, counts.citations);
    let recall = Value::share(counts.cited_claims, counts.claims);
    let reads = session.files_read.len();
    let top = session.top_20_reads as usize;
    let is_thrashing = session.calls > THRASHING_CALLS && counts.valid_citations == 0;
    Metric::ALL
        .into_iter()
        .map(|metric| {
            let value = match metric {
                Metric::PassRate => Some(Value::from_bool(verdict.is_pass())),
                Metric::GoldInFirst5 => gold_files_in(5, question, answer),
                Metric::GoldInFirst10 => gold_files_in(10, question, answer),
                Metric::CitationPrecision => precision,
                Metric::CitationRecall => recall,
                Metric::CitationF1 => precision.zip(recall).map(|(p, r)| Value::harmonic(p, r)),
                Metric::Grounding => Value::share(counts.verified_claims, counts.claims),
                Metric::HallucinationRate => Value::share(counts.unfounded_claims, counts.claims),
                Metric::ImportantReads => Value::share(top, reads),
                Metric::TrivialReads => Some(Value::count(session.trivial_reads.into())),
                Metric::Rereads => Some(Value::count(session.rereads.into())),
                Metric::Thrashing => Some(Value::from_bool(is_thrashing)),
                Metric::ToolCalls => Some(Value::count(session.calls.into())),
                Metric::Tokens => Some(Value::count(session.tokens)),
            };
            (metric, value)
        })
        .collect()
}

/// Each metric's mean over the questions for which it has a value: every question counts the same (macro average).
pub fn mean<'v>(all: impl IntoIterator<Item = &'v Values>) -> Values {
    let all: Vec<&Values> = all.into_iter().collect();
    let of = |metric: Metric| {
        Value::mean(all.iter().filter_map(|values| values.get(&metric).copied().flatten()))
    };
    Metric::ALL.into_iter().map(|metric| (metric, of(metric))).collect()
}

/// The files with a valid citation, in the order of the answer, each once. Those of `except` are left out.
pub fn cited_files<'a>(answer: &'a Answer, except: &[String]) -> Vec<&'a str> {
    let mut files: Vec<&str> = Vec::new();
    for statement in statements(answer) {
        for citation in statement.citations.iter().filter(|citation| citation.is_valid()) {
            let path = citation.citation.path.as_str();
            if !files.contains(&path) && !except.iter().any(|file| file == path) {
                files.push(path);
            }
        }
    }
    files
}

pub(super) fn statements(answer: &Answer) -> impl Iterator<Item = &Statement> {
    answer.sections.iter().flat_map(|section| &section.statements)
}

/// Files that would be right as well neither count nor take a place.
fn gold_files_in(first: usize, question: &Question, answer: &Answer) -> Option<Value> {
    match question.expects {
        Expects::NotFound => None,
        Expects::Answer => {
            let cited = cited_files(answer, &question.also_files);
            let is_cited =
                |gold: &&String| cited.iter().take(first).any(|path| path == &gold.as_str());
            let found = question.gold_files.iter().filter(is_cited).count();
            Value::share(found, question.gold_files.len())
        }
    }
}

/// Counted here, not taken from the answer: an evaluation trusts no sums.
#[derive(Default)]
struct Counts {
    claims: usize,
    cited_claims: usize,
    verified_claims: usize,
    unfounded_claims: usize,
    citations: usize,
    valid_citations: usize,
}

impl Counts {
    fn of(question: &Question, answer: &Answer) -> Counts {
        let mut counts = Counts::default();
        for statement in statements(answer) {
            let valid = statement.citations.iter().filter(|citation| citation.is_valid()).count();
            counts.citations += statement.citations.len();
            counts.valid_citations += valid;
            let is_verified = match statement.support {
                Support::NoClaim => continue,
                Support::Verified => true,
                Support::NotVerified { .. } => false,
            };
            let is_forbidden =
                question.must_not_mention.iter().any(|term| contains_any(&statement.text, term));
            counts.claims += 1;
            counts.cited_claims += usize::from(!statement.citations.is_empty());
            counts.verified_claims += usize::from(is_verified);
            counts.unfounded_claims += usize::from(!is_verified || is_forbidden);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Author, Counts as AnswerCounts, Section};
    use crate::citation::{CheckedCitation, Citation, CitationFault};

    fn citation(path: &str, is_valid: bool) -> CheckedCitation {
        CheckedCitation {
            citation: Citation {
                path: path.to_owned(),
                first_line: 1,
                last_line: 1,
                quote: "x".to_owned(),
            },
            hash: None,
            repaired_from: None,
            fault: (!is_valid).then_some(CitationFault::FileNotRead),
        }
    }

    /// A statement a line: `+` verified, `-` not verified, `.` no claim; then its text, and after `@` the files that it cites, the
    /// invalid ones with `!`.
    fn answer(lines: &str) -> Answer {
        let statement = |line: &str| {
            let (head, files) = line.split_once('@').unwrap_or((line, ""));
            let (sign, text) = head.split_at(1);
            Statement {
                text: text.trim().to_owned(),
                goes_on: false,
                citations: files
                    .split_whitespace()
                    .map(|file| citation(file.trim_start_matches('!'), !file.starts_with('!')))
                    .collect(),
                support: match sign {
                    "+" => Support::Verified,
                    "-" => Support::NotVerified { why: "no valid citation".to_owned() },
                    _ => Support::NoClaim,
                },
            }
        };
        Answer {
            question: "How?".to_owned(),
            author: Author::Extraction,
            sections: vec![Section {
                heading: String::new(),
                statements: lines.lines().map(statement).collect(),
            }],
            not_found: Vec::new(),
            notes: Vec::new(),
            counts: AnswerCounts::default(),
        }
    }

    fn question(gold: &[&str], also: &[&str]) -> Question {
        let owned = |files: &[&str]| files.iter().map(|&file| file.to_owned()).collect();
        Question {
            gold_files: owned(gold),
            also_files: owned(also),
            must_not_mention: vec!["forbidden".to_owned()],
            ..Question::default()
        }
    }

    fn shown(values: &Values, metrics: &[Metric]) -> Vec<String> {
        metrics.iter().map(|metric| metric.show(values[metric])).collect()
    }

    #[test]
    fn as10_every_metric_is_a_share_of_something_or_not_a_number() {
        let metrics = [
            Metric::CitationPrecision,
            Metric::CitationRecall,
            Metric::CitationF1,
            Metric::Grounding,
            Metric::HallucinationRate,
        ];
        let check = |lines: &str, expected: [&str; 5]| {
            let answer = answer(lines);
            let values =
                measure(&question(&["a"], &[]), &answer, &Session::default(), &Verdict::Pass);
            assert_eq!(shown(&values, &metrics), expected, "{lines}");
        };
        check("", ["n/a", "n/a", "n/a", "n/a", "n/a"]);
        check(". In short:", ["n/a", "n/a", "n/a", "n/a", "n/a"]);
        check("+ one @ a", ["100.0%", "100.0%", "100.0%", "100.0%", "0.0%"]);
        check("+ one @ a a a", ["100.0%", "100.0%", "100.0%", "100.0%", "0.0%"]);
        check("- one @ !a", ["0.0%", "100.0%", "0.0%", "0.0%", "100.0%"]);
        check("- one", ["n/a", "0.0%", "n/a", "0.0%", "100.0%"]);
        check("+ one @ a !b\n- two", ["50.0%", "50.0%", "50.0%", "50.0%", "50.0%"]);
        check("+ is Forbidden @ a", ["100.0%", "100.0%", "100.0%", "100.0%", "100.0%"]);
        check("- forbidden @ !a", ["0.0%", "100.0%", "0.0%", "0.0%", "100.0%"]);
        check(". look: @ a\n+ b @ a\n- c\n- d", ["100.0%", "33.3%", "50.0%", "33.3%", "66.7%"]);
    }

    #[test]
    fn as10_gold_files_are_counted_among_the_first_distinct_cited_files() {
        let check = |lines: &str, gold: &[&str], also: &[&str], expected: [&str; 2]| {
            let question = question(gold, also);
            let values = measure(&question, &answer(lines), &Session::default(), &Verdict::Pass);
            let metrics = [Metric::GoldInFirst5, Metric::GoldInFirst10];
            assert_eq!(shown(&values, &metrics), expected, "{lines} {gold:?} {also:?}");
        };
        check("+ x @ a", &["a"], &[], ["100.0%", "100.0%"]);
        check("+ x @ a", &["a", "b", "c"], &[], ["33.3%", "33.3%"]);
        check("+ x @ b b b b b b a", &["a"], &[], ["100.0%", "100.0%"]);
        check("+ x @ b c d e f a", &["a"], &[], ["0.0%", "100.0%"]);
        check("+ x @ b c d e f a", &["a"], &["c"], ["100.0%", "100.0%"]);
        check("+ x @ !a", &["a"], &[], ["0.0%", "0.0%"]);
        check("+ x @ 1 2 3 4 5 6 7 8 9 10 a", &["a"], &[], ["0.0%", "0.0%"]);
        check("", &["a"], &[], ["0.0%", "0.0%"]);
        check("+ x @ a", &[], &[], ["n/a", "n/a"]);
    }

    #[test]
    fn as10_reads_and_calls_of_a_session() {
        let check = |session: &Session, lines: &str, expected: [&str; 6]| {
            let values = measure(&question(&["a"], &[]), &answer(lines), session, &Verdict::Pass);
            let metrics = [
                Metric::ImportantReads,
                Metric::TrivialReads,
                Metric::Rereads,
                Metric::Thrashing,
                Metric::ToolCalls,
                Metric::Tokens,
            ];
            assert_eq!(shown(&values, &metrics), expected, "{session:?}");
        };
        let files = |number: usize| vec!["a".to_owned(); number];
        check(&Session::default(), "", ["n/a", "0", "0", "0.0%", "0", "0"]);
        let read = Session { files_read: files(3), top_20_reads: 2, ..Session::default() };
        check(&read, "", ["66.7%", "0", "0", "0.0%", "0", "0"]);
        let miscounted = Session { files_read: files(1), top_20_reads: 9, ..Session::default() };
        check(&miscounted, "", ["100.0%", "0", "0", "0.0%", "0", "0"]);
        let busy = Session { calls: 21, rereads: 2, trivial_reads: 1, tokens: 9, ..read };
        check(&busy, "", ["66.7%", "1", "2", "100.0%", "21", "9"]);
        check(&busy, "- x @ !a", ["66.7%", "1", "2", "100.0%", "21", "9"]);
        check(&busy, "+ x @ a", ["66.7%", "1", "2", "0.0%", "21", "9"]);
        let patient = Session { calls: 20, ..busy };
        check(&patient, "", ["66.7%", "1", "2", "0.0%", "20", "9"]);
    }

    #[test]
    fn as10_means_leave_out_what_is_not_a_number() {
        let of = |value: Option<Value>| Values::from([(Metric::Grounding, value)]);
        let (one, half) = (Value::share(1, 1), Value::share(1, 2));
        let check = |all: &[Values], expected: &str| {
            assert_eq!(Metric::Grounding.show(mean(all)[&Metric::Grounding]), expected);
        };
        check(&[], "n/a");
        check(&[of(None)], "n/a");
        check(&[of(one), of(None), of(half)], "75.0%");
    }

    #[test]
    fn as10_every_metric_is_listed_once_in_order() {
        assert!(Metric::ALL.is_sorted());
        let values = mean(&Vec::<Values>::new());
        assert_eq!(values.len(), Metric::ALL.len());
        let json = serde_json::to_string(&values).unwrap();
        assert!(json.starts_with(r#"{"pass_rate":null,"gold_in_first_5":null"#), "{json}");
        assert_eq!(serde_json::from_str::<Values>(&json).unwrap(), values);
    }
}

//! The result of an evaluation: what became of every question, and each metric by repository and overall.

pub(super) mod markdown;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Session;
use super::judge::{Verdict, judge};
use super::metrics::{Values, cited_files, mean, measure};
use super::reading::{self, Landmarks, ReadingValues};
use super::suite::Question;
use crate::answer::{Answer, Author};

/// Raised when an older program would misread a report.
pub const VERSION: u32 = 1;

/// How many cited files of a question are listed.
const CITED: usize = 10;

/// Plain data, written as JSON. Apart from `timing`, the same answers give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub version: u32,
    /// Who answered. `None` if nothing was asked.
    pub author: Option<Author>,
    pub suites: Vec<String>,
    /// The mean over all questions that were answered.
    pub overall: Values,
    /// The mean over all repositories that were asked about.
    #[serde(default)]
    pub reading: ReadingValues,
    pub repositories: Vec<RepositoryReport>,
    pub questions: Vec<QuestionReport>,
    pub timing: Timing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryReport {
    pub suite: String,
    pub name: String,
    /// What is checked out.
    pub commit: Option<String>,
    /// Why none of its questions was asked.
    pub skipped: Option<String>,
    /// What limits the result: another commit than the suite was written for.
    pub notes: Vec<String>,
    pub passed: u32,
    pub failed: u32,
    pub not_asked: u32,
    /// The mean over the questions that were answered.
    pub values: Values,
    /// What was read for all of them together.
    #[serde(default)]
    pub reading: ReadingValues,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionReport {
    pub suite: String,
    pub repository: String,
    pub id: String,
    pub question: String,
    pub verdict: Verdict,
    /// The first distinct files with a valid citation.
    pub cited_files: Vec<String>,
    pub files_read: Vec<String>,
    /// What the answer says about itself.
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<String>,
    /// Empty for a question that was skipped.
    pub values: Values,
}

/// The only part of a report that differs from run to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    pub total_ms: u64,
    /// By suite and id of the question: `onboarding/express-etag`.
    pub question_ms: BTreeMap<String, u64>,
}

/// Why a file is not a report that can be read.
#[derive(Debug, Error)]
pub enum ReportError {
    #[error("not a report of `eval`: {0}")]
    Json(serde_json::Error),
    #[error("a report of version {found}; this program reads version {}", VERSION)]
    Version { found: u32 },
}

impl Report {
    pub fn parse(text: &[u8]) -> Result<Report, ReportError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let head: Head = serde_json::from_slice(text).map_err(ReportError::Json)?;
        if head.version != VERSION {
            return Err(ReportError::Version { found: head.version });
        }
        serde_json::from_slice(text).map_err(ReportError::Json)
    }

    /// For people and pull requests. It holds no times.
    pub fn markdown(&self) -> String {
        markdown::report(self)
    }

    pub fn is_complete(&self) -> bool {
        self.repositories.iter().all(|repository| repository.skipped.is_none())
            && !self.questions.iter().any(|question| question.verdict.is_skipped())
    }
}

impl QuestionReport {
    pub fn answered(suite: &str, question: &Question, answer: &Answer, session: &Session) -> Self {
        let verdict = judge(question, answer);
        let values = measure(question, answer, session, &verdict);
        let cited = cited_files(answer, &[]).into_iter().take(CITED).map(str::to_owned);
        QuestionReport {
            verdict,
            cited_files: cited.collect(),
            files_read: session.files_read.clone(),
            notes: answer.notes.clone(),
            usd: session.usd.clone(),
            values,
            ..QuestionReport::skipped(suite, question, String::new())
        }
    }

    pub fn skipped(suite: &str, question: &Question, reason: String) -> Self {
        QuestionReport {
            suite: suite.to_owned(),
            repository: question.repo.clone(),
            id: question.id.clone(),
            question: question.question.clone(),
            verdict: Verdict::Skipped { reason },
            cited_files: Vec::new(),
            files_read: Vec::new(),
            notes: Vec::new(),
            usd: None,
            values: Values::new(),
        }
    }

    /// Names the question in all reports: `onboarding/express-etag`.
    pub fn key(&self) -> String {
        format!("{}/{}", self.suite, self.id)
    }
}

/// Collects what became of the questions, in the order of the suites.
#[derive(Debug, Default)]
pub struct Builder {
    author: Option<Author>,
    suites: Vec<String>,
    repositories: Vec<RepositoryReport>,
    questions: Vec<QuestionReport>,
    /// The gold files of the repository that is asked about.
    gold: BTreeSet<String>,
    /// The reads of trivial files for it.
    trivial: u64,
    timing: Timing,
}

impl Builder {
    pub fn suite(&mut self, name: &str) {
        self.suites.push(name.to_owned());
    }

    /// An answer, and what it took.
    pub fn answered(
        &mut self,
        suite: &str,
        question: &Question,
        answer: &Answer,
        session: &Session,
    ) -> &QuestionReport {
        self.author.get_or_insert_with(|| answer.author.clone());
        let report = QuestionReport::answered(suite, question, answer, session);
        self.timing.question_ms.insert(report.key(), session.ms);
        self.timing.total_ms += session.ms;
        self.gold.extend(question.gold_files.iter().cloned());
        self.trivial += u64::from(session.trivial_reads);
        self.questions.push(report);
        self.questions.last().expect("one was just added")
    }

    pub fn skipped(&mut self, suite: &str, question: &Question, reason: String) {
        self.questions.push(QuestionReport::skipped(suite, question, reason));
    }

    /// Sums up the questions of a repository; call it after them.
    pub fn repository(&mut self, suite: &str, name: &str, checkout: Checkout) {
        let of_it = || {
            self.questions
                .iter()
                .filter(|question| question.suite == suite && question.repository == name)
        };
        let number = |counts: fn(&Verdict) -> bool| {
            let number = of_it().filter(|question| counts(&question.verdict)).count();
            u32::try_from(number).unwrap_or(u32::MAX)
        };
        let read = of_it().flat_map(|question| &question.files_read).map(String::as_str);
        let report = RepositoryReport {
            suite: suite.to_owned(),
            name: name.to_owned(),
            commit: checkout.commit,
            skipped: checkout.skipped,
            notes: checkout.notes,
            passed: number(Verdict::is_pass),
            failed: number(|verdict| matches!(verdict, Verdict::Fail { .. })),
            not_asked: number(Verdict::is_skipped),
            values: mean(of_it().map(|question| &question.values)),
            reading: reading::measure(read, self.trivial, &self.gold, &checkout.landmarks),
        };
        self.gold.clear();
        self.trivial = 0;
        self.repositories.push(report);
    }

    pub fn finish(self) -> Report {
        let Builder { author, suites, repositories, questions, gold: _, trivial: _, timing } = self;
        Report {
            version: VERSION,
            author,
            suites,
            overall: mean(questions.iter().map(|question| &question.values)),
            reading: reading::mean(repositories.iter().map(|repository| &repository.reading)),
            repositories,
            questions,
            timing,
        }
    }
}

/// What was found of a repository.
#[derive(Debug, Clone, Default)]
pub struct Checkout {
    pub commit: Option<String>,
    pub skipped: Option<String>,
    pub notes: Vec<String>,
    /// None of a repository that was skipped.
    pub landmarks: Landmarks,
}

#[cfg(test)]
pub(super) mod tests {
    use expect_test::expect;

    use super::*;
    use crate::answer::{Counts, Section, Statement, Support};
    use crate::citation::{CheckedCitation, Citation};
    use crate::eval::reading::ReadingMetric;
    use crate::eval::value::Value;

    pub(crate) fn question(id: &str, repo: &str, gold: &str) -> Question {
        Question {
            id: id.to_owned(),
            repo: repo.to_owned(),
            question: format!("Where is {id}?"),
            gold_files: vec![gold.to_owned()],
            ..Question::default()
        }
    }

    /// One verified claim that cites one file.
    pub(crate) fn answer(path: &str) -> Answer {
        let citation = Citation {
            path: path.to_owned(),
            first_line: 1,
            last_line: 2,
            quote: "def run".to_owned(),
        };
        let checked = CheckedCitation { citation, hash: None, repaired_from: None, fault: None };
        let statement = Statement {
            text: format!("It is in `{path}`."),
            citations: vec![checked],
            support: Support::Verified,
            goes_on: false,
        };
        Answer {
            question: String::new(),
            author: Author::Extraction,
            sections: vec![Section { heading: String::new(), statements: vec![statement] }],
            not_found: Vec::new(),
            notes: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Two repositories, one of them absent; `cited` is what each question's answer cites.
    pub(crate) fn report(cited: &[(&str, &str)]) -> Report {
        let mut builder = Builder::default();
        builder.suite("onboarding");
        for (id, path) in cited {
            let session = Session {
                calls: 4,
                files_read: vec![(*path).to_owned()],
                top_20_reads: 1,
                ms: 12,
                ..Session::default()
            };
            let question = question(id, "shop", "src/a.py");
            builder.answered("onboarding", &question, &answer(path), &session);
        }
        let commit = Some("0".repeat(40));
        builder.repository("onboarding", "shop", Checkout { commit, ..Checkout::default() });
        let reason = "there is no folder repos/desk".to_owned();
        let question = question("tickets", "desk", "src/a.py");
        builder.skipped("onboarding", &question, reason.clone());
        let checkout = Checkout { skipped: Some(reason), ..Checkout::default() };
        builder.repository("onboarding", "desk", checkout);
        builder.finish()
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "most of them are the expected text")]
    fn as10_a_report_is_data_and_comes_back_the_same() {
        let report = report(&[("entry", "src/a.py"), ("retry", "src/b|c.py")]);
        let json = serde_json::to_string_pretty(&report).unwrap();
        assert_eq!(Report::parse(json.as_bytes()).unwrap(), report);
        assert!(!report.is_complete());
        expect![[r#"
            {
              "version": 1,
              "author": {
                "kind": "extraction"
              },
              "suites": [
                "onboarding"
              ],
              "overall": {
                "pass_rate": 0.5,
                "gold_in_first_5": 0.5,
                "gold_in_first_10": 0.5,
                "citation_precision": 1.0,
                "citation_recall": 1.0,
                "citation_f1": 1.0,
                "grounding": 1.0,
                "hallucination_rate": 0.0,
                "important_reads": 1.0,
                "trivial_reads": 0.0,
                "rereads": 0.0,
                "thrashing": 0.0,
                "tool_calls": 4.0,
                "tokens": 0.0
              },
              "reading": {
                "important": 0.0,
                "important_of_all_reads": 0.0,
                "important_in_first_5": 0.0,
                "central": 0.0,
                "important_gold": 0.0,
                "trivial_per_session": 0.0
              },
              "repositories": [
                {
                  "suite": "onboarding",
                  "name": "shop",
                  "commit": "0000000000000000000000000000000000000000",
                  "skipped": null,
                  "notes": [],
                  "passed": 1,
                  "failed": 1,
                  "not_asked": 0,
                  "values": {
                    "pass_rate": 0.5,
                    "gold_in_first_5": 0.5,
                    "gold_in_first_10": 0.5,
                    "citation_precision": 1.0,
                    "citation_recall": 1.0,
                    "citation_f1": 1.0,
                    "grounding": 1.0,
                    "hallucination_rate": 0.0,
                    "important_reads": 1.0,
                    "trivial_reads": 0.0,
                    "rereads": 0.0,
                    "thrashing": 0.0,
                    "tool_calls": 4.0,
                    "tokens": 0.0
                  },
                  "reading": {
                    "important": 0.0,
                    "important_of_all_reads": 0.0,
                    "important_in_first_5": 0.0,
                    "central": 0.0,
                    "important_gold": 0.0,
                    "trivial_per_session": 0.0
                  }
                },
                {
                  "suite": "onboarding",
                  "name": "desk",
                  "commit": null,
                  "skipped": "there is no folder repos/desk",
                  "notes": [],
                  "passed": 0,
                  "failed": 0,
                  "not_asked": 1,
                  "values": {
                    "pass_rate": null,
                    "gold_in_first_5": null,
                    "gold_in_first_10": null,
                    "citation_precision": null,
                    "citation_recall": null,
                    "citation_f1": null,
                    "grounding": null,
                    "hallucination_rate": null,
                    "important_reads": null,
                    "trivial_reads": null,
                    "rereads": null,
                    "thrashing": null,
                    "tool_calls": null,
                    "tokens": null
                  },
                  "reading": {
                    "important": null,
                    "important_of_all_reads": null,
                    "important_in_first_5": null,
                    "central": null,
                    "important_gold": null,
                    "trivial_per_session": null
                  }
                }
              ],
              "questions": [
                {
                  "suite": "onboarding",
                  "repository": "shop",
                  "id": "entry",
                  "question": "Where is entry?",
                  "verdict": {
                    "kind": "pass"
                  },
                  "cited_files": [
                    "src/a.py"
                  ],
                  "files_read": [
                    "src/a.py"
                  ],
                  "notes": [],
                  "values": {
                    "pass_rate": 1.0,
                    "gold_in_first_5": 1.0,
                    "gold_in_first_10": 1.0,
                    "citation_precision": 1.0,
                    "citation_recall": 1.0,
                    "citation_f1": 1.0,
                    "grounding": 1.0,
                    "hallucination_rate": 0.0,
                    "important_reads": 1.0,
                    "trivial_reads": 0.0,
                    "rereads": 0.0,
                    "thrashing": 0.0,
                    "tool_calls": 4.0,
                    "tokens": 0.0
                  }
                },
                {
                  "suite": "onboarding",
                  "repository": "shop",
                  "id": "retry",
                  "question": "Where is retry?",
                  "verdict": {
                    "kind": "fail",
                    "reasons": [
                      "cites no gold file"
                    ]
                  },
                  "cited_files": [
                    "src/b|c.py"
                  ],
                  "files_read": [
                    "src/b|c.py"
                  ],
                  "notes": [],
                  "values": {
                    "pass_rate": 0.0,
                    "gold_in_first_5": 0.0,
                    "gold_in_first_10": 0.0,
                    "citation_precision": 1.0,
                    "citation_recall": 1.0,
                    "citation_f1": 1.0,
                    "grounding": 1.0,
                    "hallucination_rate": 0.0,
                    "important_reads": 1.0,
                    "trivial_reads": 0.0,
                    "rereads": 0.0,
                    "thrashing": 0.0,
                    "tool_calls": 4.0,
                    "tokens": 0.0
                  }
                },
                {
                  "suite": "onboarding",
                  "repository": "desk",
                  "id": "tickets",
                  "question": "Where is tickets?",
                  "verdict": {
                    "kind": "skipped",
                    "reason": "there is no folder repos/desk"
                  },
                  "cited_files": [],
                  "files_read": [],
                  "notes": [],
                  "values": {}
                }
              ],
              "timing": {
                "total_ms": 24,
                "question_ms": {
                  "onboarding/entry": 12,
                  "onboarding/retry": 12
                }
              }
            }"#]]
        .assert_eq(&json);
    }

    #[test]
    fn as10_a_report_for_people() {
        let report = report(&[("entry", "src/a.py"), ("retry", "src/b|c.py")]);
        expect![[r##"
            # Evaluation: onboarding

            Answers by extraction, without a model.

            | metric | all questions |
            |---|---:|
            | pass rate | 50.0% |
            | gold files in first 5 | 50.0% |
            | gold files in first 10 | 50.0% |
            | citation precision | 100.0% |
            | citation recall | 100.0% |
            | citation F1 | 100.0% |
            | grounding | 100.0% |
            | hallucination rate | 0.0% |
            | important reads | 100.0% |
            | trivial reads | 0 |
            | re-reads | 0 |
            | thrashing | 0.0% |
            | tool calls | 4 |
            | tokens | 0 |

            ## Repositories

            | repository | passed | gold files in first 5 | gold files in first 10 | citation precision | citation recall | hallucination rate | tool calls |
            |---|---:|---:|---:|---:|---:|---:|---:|
            | shop | 1 of 2 | 50.0% | 50.0% | 100.0% | 100.0% | 0.0% | 4 |
            | desk | 0 of 0 | n/a | n/a | n/a | n/a | n/a | n/a |

            - desk: skipped: there is no folder repos/desk

            ## Files read

            | repository | important files | important of all reads | important in first 5 | central files | important gold files | trivial per session |
            |---|---:|---:|---:|---:|---:|---:|
            | shop | 0.0% | 0.0% | 0.0% | 0.0% | 0.0% | 0 |
            | desk | n/a | n/a | n/a | n/a | n/a | n/a |
            | all repositories | 0.0% | 0.0% | 0.0% | 0.0% | 0.0% | 0 |

            ## Questions

            - **pass** onboarding/entry: Where is entry?
              - cites `src/a.py`
            - **fail** onboarding/retry: Where is retry?
              - cites no gold file
              - cites `src/b|c.py`
            - **skipped** onboarding/tickets: Where is tickets?
              - there is no folder repos/desk

            ## Definitions

            Every question counts the same. A question for which a metric is n/a is left out of its mean.

            - pass rate: every required term in verified claims, no forbidden term, and a gold file cited; or rightly "not found"
            - gold files in first 5: gold files among the first 5 cited files / gold files
            - gold files in first 10: gold files among the first 10 cited files / gold files
            - citation precision: valid citations / citations
            - citation recall: claims with a citation / claims
            - citation F1: harmonic mean of citation precision and citation recall
            - grounding: verified claims / claims
            - hallucination rate: claims that are not verified or contain a forbidden term / claims
            - important reads: files read that are among the 20 most important / files read
            - trivial reads: trivial files read
            - re-reads: reads that asked for lines shown before; they are not shown again
            - thrashing: more than 20 tool calls and no valid citation
            - tool calls: tool calls
            - tokens: tokens sent to and received from models

            What is read for all questions about a repository is a session. Every repository counts the same.

            - important files: distinct files read that are among the 20 most important / distinct files read
            - important of all reads: reads of files that are among the 20 most important / reads; each question reads a file once
            - important in first 5: important files for the first 5 distinct files, or all if there are fewer
            - central files: distinct files read that are among the 20 that the most files use / distinct files read
            - important gold files: gold files that are among the 20 most important / gold files: what reading only these would score
            - trivial per session: reads of trivial files for all questions; each question reads a file once
        "##]].assert_eq(&report.markdown());
    }

    #[test]
    fn as10_smart002_trivial_reads_are_counted_for_all_questions_about_a_repository() {
        let mut builder = Builder::default();
        let mut ask = |repo: &str, trivial: &[u32]| {
            for &trivial_reads in trivial {
                let files_read = vec!["src/a.py".to_owned()];
                let session = Session { files_read, trivial_reads, ..Session::default() };
                let question = question("entry", repo, "src/a.py");
                builder.answered("onboarding", &question, &answer("src/a.py"), &session);
            }
            builder.repository("onboarding", repo, Checkout::default());
        };
        ask("shop", &[1, 2]);
        ask("desk", &[0]);
        let report = builder.finish();
        let of = |nth: usize| report.repositories[nth].reading[&ReadingMetric::TrivialPerSession];
        assert_eq!([of(0), of(1)], [Some(Value::count(3)), Some(Value::count(0))]);
    }

    #[test]
    fn as10_what_is_no_report_of_this_version_is_refused() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Report::parse(text.as_bytes()).unwrap_err().to_string(), expected);
        };
        check("{", "not a report of `eval`: EOF while parsing an object at line 1 column 1");
        check("{}", "not a report of `eval`: missing field `version` at line 1 column 2");
        check(r#"{"version": 2}"#, "a report of version 2; this program reads version 1");
    }
}

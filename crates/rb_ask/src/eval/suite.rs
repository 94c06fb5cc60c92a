//! Suites as data: repositories, and questions about them with the files and terms of a right answer.
//!
//! A suite is checked as a whole before anything is asked; every fault is reported with its place.

use std::collections::BTreeSet;

use rb_core::RepoPath;
use serde::Deserialize;
use thiserror::Error;

/// A file of questions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    /// For whoever reads the file.
    #[serde(default)]
    pub description: String,
    pub repos: Vec<SuiteRepo>,
    pub questions: Vec<Question>,
}

/// A repository that questions are about. It is never downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRepo {
    pub name: String,
    /// Relative to the folder of repositories.
    pub path: String,
    /// The commit that the questions were written for.
    #[serde(default)]
    pub commit: Option<String>,
}

/// A question, and how its answer is judged. A term may have alternatives, separated by `|`; case does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique in its suite, so that reports can be compared.
    pub id: String,
    /// The name of a repository of the suite.
    pub repo: String,
    pub question: String,
    /// Files that a right answer cites.
    #[serde(default)]
    pub gold_files: Vec<String>,
    /// Files that a right answer may cite: they count neither for nor against it.
    #[serde(default)]
    pub also_files: Vec<String>,
    /// Terms that verified claims must contain.
    #[serde(default)]
    pub must_mention: Vec<String>,
    /// Terms that no statement may contain.
    #[serde(default)]
    pub must_not_mention: Vec<String>,
    /// Terms that the notes of the answer must contain, such as a warning.
    #[serde(default)]
    pub must_note: Vec<String>,
    #[serde(default)]
    pub expects: Expects,
}

/// What a right answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expects {
    #[default]
    Answer,
    /// The repository does not have it, and a right answer says so.
    NotFound,
}

/// Why a text is not a suite.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The message names line and column.
    #[error("not a suite: {0}")]
    Json(serde_json::Error),
    /// Each with its place, such as `questions[2]`.
    #[error("not a valid suite:\n  {}", .0.join("\n  "))]
    Faults(Vec<String>),
}

impl Suite {
    pub fn parse(text: &[u8]) -> Result<Suite, SuiteError> {
        let suite: Suite = serde_json::from_slice(text).map_err(SuiteError::Json)?;
        let faults = suite.faults();
        if faults.is_empty() { Ok(suite) } else { Err(SuiteError::Faults(faults)) }
    }

    pub fn questions_about<'s>(&'s self, repo: &'s str) -> impl Iterator<Item = &'s Question> {
        self.questions.iter().filter(move |question| question.repo == repo)
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.name.trim().is_empty() {
            faults.push("name: it is empty".to_owned());
        }
        if self.repos.is_empty() {
            faults.push("repos: there is none".to_owned());
        }
        if self.questions.is_empty() {
            faults.push("questions: there is none".to_owned());
        }
        let mut names = BTreeSet::new();
        for (at, repo) in self.repos.iter().enumerate() {
            let mut report = |fault: String| faults.push(format!("repos[{at}]: {fault}"));
            repo.check(&mut report);
            if !names.insert(repo.name.as_str()) {
                report(format!("the name `{}` is used twice", repo.name));
            }
        }
        let mut ids = BTreeSet::new();
        for (at, question) in self.questions.iter().enumerate() {
            let mut report = |fault: String| {
                faults.push(format!("questions[{at}] (`{}`): {fault}", question.id));
            };
            question.check(&mut report);
            if !ids.insert(question.id.as_str()) {
                report("the id is used twice".to_owned());
            }
            if !names.contains(question.repo.as_str()) {
                report(format!("`{}` is not in repos", question.repo));
            }
        }
        faults
    }
}

impl SuiteRepo {
    fn check(&self, report: &mut dyn FnMut(String)) {
        if self.name.trim().is_empty() {
            report("name is empty".to_owned());
        }
        if self.path.is_empty() || self.path.starts_with('/') {
            report("path must be relative to the folder of repositories".to_owned());
        }
        let is_hex = |text: &String| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if self.commit.as_ref().is_some_and(|commit| commit.len() != 40 || !is_hex(commit)) {
            report("commit is not a full commit id".to_owned());
        }
    }
}

impl Question {
    fn check(&self, report: &mut dyn FnMut(String)) {
        if self.id.trim().is_empty() {
            report("id is empty".to_owned());
        }
        if self.question.trim().is_empty() {
            report("question is empty".to_owned());
        }
        self.check_files(report);
        self.check_terms(report);
        match self.expects {
            Expects::Answer if self.gold_files.is_empty() => {
                report("gold_files is empty, so no answer could be judged".to_owned());
            }
            Expects::NotFound if !(self.gold_files.is_empty() && self.must_mention.is_empty()) => {
                report("expects not_found, but names gold_files or must_mention".to_owned());
            }
            Expects::Answer | Expects::NotFound => {}
        }
    }

    fn check_files(&self, report: &mut dyn FnMut(String)) {
        let mut seen = BTreeSet::new();
        for (list, files) in [("gold_files", &self.gold_files), ("also_files", &self.also_files)] {
            for file in files {
                if let Err(bad) = RepoPath::new(file) {
                    report(format!("{list}: {bad}"));
                } else if !seen.insert(file) {
                    report(format!("{list}: `{file}` is listed twice"));
                }
            }
        }
    }

    fn check_terms(&self, report: &mut dyn FnMut(String)) {
        let lists = [
            ("must_mention", &self.must_mention),
            ("must_not_mention", &self.must_not_mention),
            ("must_note", &self.must_note),
        ];
        for (list, terms) in lists {
            for term in terms {
                if term.split('|').any(|alternative| alternative.trim().is_empty()) {
                    report(format!("{list}: `{term}` has an empty alternative"));
                }
            }
        }
        for term in self.must_mention.iter().filter(|term| self.must_not_mention.contains(term)) {
            report(format!("`{term}` is both required and forbidden"));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::*;

    fn suite() -> Value {
        json!({
            "name": "s",
            "repos": [{ "name": "shop", "path": "shop" }],
            "questions": [
                { "id": "q1", "repo": "shop", "question": "Why?", "gold_files": ["a.py"] },
                { "id": "q2", "repo": "shop", "question": "What?", "expects": "not_found" },
            ],
        })
    }

    #[test]
    fn as10_a_suite_is_plain_data() {
        let suite = Suite::parse(suite().to_string().as_bytes()).unwrap();
        assert_eq!(suite.questions[0].expects, Expects::Answer);
        assert_eq!(suite.questions[1].expects, Expects::NotFound);
        assert_eq!(suite.questions_about("shop").count(), 2);
        assert_eq!(suite.questions_about("other").count(), 0);
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "most of them are the expected text")]
    fn as10_every_fault_of_a_suite_is_reported_with_its_place() {
        let check = |pointer: &str, value: Value, expected: &Expect| {
            let mut suite = suite();
            *suite.pointer_mut(pointer).unwrap() = value;
            expected
                .assert_eq(&Suite::parse(suite.to_string().as_bytes()).unwrap_err().to_string());
        };
        check(
            "/name",
            json!(" "),
            &expect![[r#"
            not a valid suite:
              name: it is empty"#]],
        );
        check(
            "/repos",
            json!([]),
            &expect![[r#"
            not a valid suite:
              repos: there is none
              questions[0] (`q1`): `shop` is not in repos
              questions[1] (`q2`): `shop` is not in repos"#]],
        );
        check(
            "/questions",
            json!([]),
            &expect![[r#"
            not a valid suite:
              questions: there is none"#]],
        );
        check(
            "/repos/0/path",
            json!("/etc"),
            &expect![[r#"
            not a valid suite:
              repos[0]: path must be relative to the folder of repositories"#]],
        );
        check(
            "/repos/0",
            json!({ "name": "shop", "path": "x", "commit": "main" }),
            &expect![[r#"
                not a valid suite:
                  repos[0]: commit is not a full commit id"#]],
        );
        check(
            "/questions/0/id",
            json!("q2"),
            &expect![[r#"
            not a valid suite:
              questions[1] (`q2`): the id is used twice"#]],
        );
        check(
            "/questions/0/repo",
            json!("shp"),
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): `shp` is not in repos"#]],
        );
        check(
            "/questions/0/question",
            json!(""),
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): question is empty"#]],
        );
        check(
            "/questions/0/gold_files",
            json!([]),
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): gold_files is empty, so no answer could be judged"#]],
        );
        check(
            "/questions/0/gold_files",
            json!(["a.py", "a.py"]),
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): gold_files: `a.py` is listed twice"#]],
        );
        check(
            "/questions/0/gold_files",
            json!(["../a.py", "/etc/passwd"]),
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): gold_files: `../a.py` leads outside the repository or is not in its plain form
              questions[0] (`q1`): gold_files: `/etc/passwd` is absolute; paths are relative to the repository"#]],
        );
        check(
            "/questions/1/expects",
            json!("nothing"),
            &expect![
                "not a suite: unknown variant `nothing`, expected `answer` or `not_found` at line 1 column 111"
            ],
        );
        let both = json!({ "id": "q1", "repo": "shop", "question": "Why?", "gold_files": ["a"],
            "must_mention": ["x", "y|"], "must_not_mention": ["x"] });
        check(
            "/questions/0",
            both,
            &expect![[r#"
            not a valid suite:
              questions[0] (`q1`): must_mention: `y|` has an empty alternative
              questions[0] (`q1`): `x` is both required and forbidden"#]],
        );
        let misspelt =
            json!({ "id": "q1", "repo": "shop", "question": "Why?", "gold_file": ["a"] });
        check(
            "/questions/0",
            misspelt,
            &expect![
                "not a suite: unknown field `gold_file`, expected one of `id`, `repo`, `question`, `gold_files`, `also_files`, `must_mention`, `must_not_mention`, `must_note`, `expects` at line 1 column 37"
            ],
        );
        let contrary = json!({ "id": "q2", "repo": "shop", "question": "What?", "gold_files": ["a"],
            "expects": "not_found" });
        check(
            "/questions/1",
            contrary,
            &expect![[r#"
            not a valid suite:
              questions[1] (`q2`): expects not_found, but names gold_files or must_mention"#]],
        );
    }

    #[test]
    fn as10_what_is_not_json_is_reported_with_line_and_column() {
        let message = Suite::parse(b"{\n  \"name\": }").unwrap_err().to_string();
        assert_eq!(message, "not a suite: expected value at line 2 column 11");
    }
}

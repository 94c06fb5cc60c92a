//! What earlier questions about a repository found out, kept between questions and sessions.
//!
//! A fact stays only as long as the files that it cites have the content they were cited with, and it becomes evidence for another
//! answer only if its quotes are found again. `facts` makes facts of an answer, `relevance` chooses those that have to do with a
//! question, `context` writes them down for a model; `store` reads and writes the file, `summary` keeps it small.

mod contents;
mod context;
mod facts;
mod relevance;
mod store;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rb_core::Sha256;
use rb_index::Texts;
use rb_tools::{Evidence, Shown};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::citation::{self, CheckedCitation};

pub(crate) use contents::contents_of;

/// The version of the file. Raised when an older program would misread it.
pub const VERSION: u32 = 1;

/// The most facts that are kept; `summarise` is called with it.
pub const FACTS: usize = 200;
/// The most searches and questions that are kept.
const SEARCHES: usize = 50;
const QUESTIONS: usize = 50;
/// The most files that are kept of one search.
const FILES_OF_A_SEARCH: usize = 5;

/// Working memory of one repository. Plain data, saved as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    pub version: u32,
    pub project: ProjectFacts,
    /// The most important files, best first.
    pub key_files: Vec<KeyFile>,
    /// What earlier answers said and was verified, oldest first.
    pub facts: Vec<Fact>,
    /// Facts that were dropped to keep the memory small.
    #[serde(default)]
    pub dropped_facts: u32,
    /// By path, sorted: the content of each file that was read.
    pub files_read: Vec<FileRead>,
    /// Oldest first.
    pub searches: Vec<SearchMade>,
    /// Questions and what became of them, oldest first.
    pub questions: Vec<QuestionAsked>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectFacts {
    pub name: String,
    pub primary_language: Option<String>,
    /// Architecture patterns, most certain first.
    pub architecture: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFile {
    pub path: String,
    /// In hundredths.
    pub importance: u32,
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    pub text: String,
    /// At least one, all valid.
    pub citations: Vec<CheckedCitation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    pub path: String,
    pub hash: Sha256,
    pub times: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchMade {
    pub query: String,
    /// Best first, cut.
    pub files: Vec<String>,
    /// Of a search that found nothing: the hash of all files that it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<Sha256>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionAsked {
    pub question: String,
    pub verified_claims: u32,
    pub claims: u32,
    /// The facts of the answer, for a question that follows up on it. Those whose files changed are removed.
    #[serde(default)]
    pub answer: Vec<String>,
}

impl Memory {
    /// Adds the verified claims of an answer. What was not verified is forgotten.
    pub fn learn(&mut self, answer: &Answer) {
        let mut claims = Vec::new();
        for fact in answer.sections.iter().flat_map(|section| facts::facts(&section.statements)) {
            self.facts.retain(|known| known.text != fact.text);
            claims.push(fact.text.clone());
            self.facts.push(fact);
        }
        self.questions.retain(|asked| asked.question != answer.question);
        self.questions.push(QuestionAsked {
            question: answer.question.clone(),
            verified_claims: answer.counts.verified_claims,
            claims: answer.counts.claims,
            answer: claims,
        });
        keep_last(&mut self.questions, QUESTIONS);
    }

    /// A file was read. Reads are counted as long as its content stays the same.
    pub fn note_read(&mut self, path: &str, hash: Sha256) {
        match self.files_read.binary_search_by(|read| read.path.as_str().cmp(path)) {
            Ok(at) if self.files_read[at].hash == hash => {
                let read = &mut self.files_read[at];
                read.times = read.times.saturating_add(1);
            }
            Ok(at) => (self.files_read[at].hash, self.files_read[at].times) = (hash, 1),
            Err(at) => {
                self.files_read.insert(at, FileRead { path: path.to_owned(), hash, times: 1 });
            }
        }
    }

    /// A search was made. Only its best files are kept.
    pub fn note_search(&mut self, mut search: SearchMade) {
        self.searches.retain(|made| made.query != search.query);
        search.files.truncate(FILES_OF_A_SEARCH);
        self.searches.push(search);
        keep_last(&mut self.searches, SEARCHES);
    }

    /// The question that a follow-up follows up on.
    pub fn last_question(&self) -> Option<&QuestionAsked> {
        self.questions.last()
    }

    /// Drops what is no longer true of the files and returns how many facts went. `hash_of` gives the hash of a file as it is
    /// now, or `None` if it is gone; it is called once a file. Searches that found nothing are left to `refresh_searches`.
    pub fn refresh(&mut self, hash_of: impl Fn(&str) -> Option<Sha256>) -> usize {
        let mut known: BTreeMap<String, Option<Sha256>> = BTreeMap::new();
        let mut now = |path: &str| {
            if let Some(hash) = known.get(path) {
                return *hash;
            }
            let hash = hash_of(path);
            known.insert(path.to_owned(), hash);
            hash
        };
        let mut dropped: Vec<String> = Vec::new();
        self.facts.retain(|fact| {
            let mut is_current = !fact.citations.is_empty();
            for cited in &fact.citations {
                is_current &= cited.hash.is_some() && now(path_of(cited)) == cited.hash;
            }
            if !is_current {
                dropped.push(fact.text.clone());
            }
            is_current
        });
        for asked in &mut self.questions {
            asked.answer.retain(|claim| !dropped.iter().any(|text| text.contains(claim.as_str())));
        }
        self.files_read.retain(|read| now(&read.path) == Some(read.hash));
        self.key_files.retain(|file| now(&file.path).is_some());
        self.searches.retain_mut(|search| {
            let found_nothing = search.files.is_empty();
            search.files.retain(|path| now(path).is_some());
            // Without its files it would read as a search that found nothing.
            found_nothing || !search.files.is_empty()
        });
        dropped.len()
    }

    /// Drops the searches that found nothing in files with other contents: what they looked for may be there now. `contents` is the
    /// hash of all files as they are now, `None` if it is not known.
    pub fn refresh_searches(&mut self, contents: Option<Sha256>) {
        self.searches.retain(|search| {
            let is_current = contents.is_some() && search.contents == contents;
            !search.files.is_empty() || is_current
        });
    }
}

impl Fact {
    /// The cited lines, as far as their files are unchanged and the quotes are found again in them.
    pub(crate) fn evidence(&self, texts: &dyn Texts) -> Vec<Shown> {
        self.citations.iter().filter_map(|cited| found_again(cited, texts)).collect()
    }
}

fn path_of(cited: &CheckedCitation) -> &str {
    &cited.citation.path
}

/// Drops the oldest of a list until it has `most` entries.
fn keep_last<T>(list: &mut Vec<T>, most: usize) {
    let over = list.len().saturating_sub(most);
    list.drain(..over);
}

/// The memory is a file that anything could have changed: a citation passes the same check again as it did for its first answer.
fn found_again(cited: &CheckedCitation, texts: &dyn Texts) -> Option<Shown> {
    let written = &cited.citation;
    let bytes = texts.text(&written.path)?;
    let hash = Sha256::of(&bytes);
    if cited.hash != Some(hash) {
        return None;
    }
    let before = usize::try_from(written.first_line.checked_sub(1)?).ok()?;
    let after = usize::try_from(written.last_line).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().take(after).skip(before).map(str::to_owned).collect();
    let shown = Shown { path: written.path.clone(), hash, first: written.first_line, lines };
    let mut evidence = Evidence::default();
    evidence.add(&shown);
    let again = citation::check(written, &evidence, texts);
    (again.is_valid() && again.repaired_from.is_none()).then_some(shown)
}

//! What a kata asks for, read from its Markdown: title, requirements, examples, constraints, and hints at the language.
//!
//! Reading never fails. What is missing or ambiguous is a `Problem`; the agents get the whole text in any case.

mod content;
mod example;
mod language;
mod language_name;
mod markdown;
mod marks;
mod outline;
mod problem;
mod section;
mod sentence;
#[cfg(test)]
mod tests;
mod title;

use serde::{Deserialize, Serialize};

use crate::constraint::Constraint;
use crate::runner::Runner;
use content::Content;
use language::Statements;
use markdown::Document;
use problem::Reading;

pub use language::{LanguageProblem, Strength};

/// The most characters of a kata that are read.
pub(crate) const LONGEST: usize = 100_000;

/// A kata as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kata {
    pub title: String,
    /// Lower case, ASCII letters, digits and `-`, begins with a letter, never empty: names packages and branches.
    pub slug: String,
    /// The whole Markdown.
    pub text: String,
    pub requirements: Vec<String>,
    pub examples: Vec<String>,
    pub constraints: Vec<Constraint>,
    /// What the file name or the text says about the language, strongest first.
    pub hints: Vec<LanguageHint>,
    pub problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageHint {
    /// As it was written: `python`, `rs`, `COBOL`.
    pub name: String,
    /// `None` for a language without a runner.
    pub runner: Option<Runner>,
    pub strength: Strength,
    /// Where it was seen, in words: "the file name", "line 3: Language: Python", "a code block in line 12".
    pub source: String,
}

/// What is wrong with a description. Only `is_fatal` ones keep a run from starting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub is_fatal: bool,
    /// A sentence that says what is missing and what to write instead.
    pub text: String,
}

impl Kata {
    /// `file_name` may be a path: folders are ignored.
    pub fn read(file_name: &str, markdown: &str) -> Kata {
        let characters = markdown.chars().count();
        let document = Document::parse(if characters > LONGEST { "" } else { markdown });
        let heading = title::heading(&document.blocks);
        let own_title = title::of(&document, heading.as_ref());
        let parts = section::parts(&document.blocks, heading.as_ref().map(|heading| heading.line));
        let content = Content::of(&parts);
        let statements = Statements::of(file_name, &document, own_title.as_ref(), &parts);
        let title = match &own_title {
            Some(title) => title.text.clone(),
            None => title::of_file(file_name),
        };
        let problems = problem::of(&Reading {
            characters,
            is_blank: markdown.trim().is_empty(),
            file_title: own_title.is_none().then_some(title.as_str()),
            document: &document,
            parts: &parts,
            content: &content,
            statements: &statements,
        });
        Kata {
            slug: title::slug(&title),
            title,
            text: markdown.to_owned(),
            requirements: content.requirements,
            examples: content.examples,
            constraints: content.constraints,
            hints: statements.hints,
            problems,
        }
    }
}

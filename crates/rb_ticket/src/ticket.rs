//! A ticket as the workflow knows it: plain data, made by `intake` and kept in the journal.
//!
//! Every text in it was written by somebody else. It has no hidden characters or markup left (`stripped` lists what was
//! removed), and every list and text is bounded. It is still data: a prompt has to fence it.

mod branch;

use rb_trust::Finding;
use serde::{Deserialize, Serialize};

/// What somebody wants changed, and how to tell that it was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// `SSI-1883`, `#42`, or `ticket` if nothing names one.
    pub key: String,
    pub title: String,
    /// The first paragraph.
    pub summary: String,
    pub requirements: Vec<String>,
    pub criteria: Vec<Criterion>,
    pub hints: Hints,
    pub attachments: Vec<Attachment>,
    /// Text that a reader of the rendered ticket does not see. It is in no other field.
    pub stripped: Vec<Stripped>,
    /// Visible text that tries to steer a model. It stays in the other fields; offsets and lines are those of `text`.
    pub suspicious: Vec<Finding>,
    pub source: Source,
    /// The whole ticket without what was stripped.
    pub text: String,
    /// `text` or one of the lists was cut because the ticket is too long, or comments are missing.
    pub truncated: bool,
}

/// A statement that can be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// `C1`, `C2` …, in the order of the ticket.
    pub id: String,
    pub text: String,
    /// The steps of a Gherkin scenario; empty for a plain statement.
    pub given: Vec<String>,
    pub when: Vec<String>,
    pub then: Vec<String>,
    pub from: Origin,
}

/// Where a criterion was found. The first two are the author's own criteria, the others are derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A section such as "Acceptance criteria" or "Definition of done".
    Section,
    Gherkin,
    /// What the ticket expects instead of what happens.
    Expected,
    /// A requirement, used because the ticket has no criteria.
    Requirement,
    /// A sentence with "should" or "must", used because the ticket has neither.
    Sentence,
}

impl Origin {
    /// The ending of "found in …" or "taken from …", for reports.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Section => "the acceptance criteria",
            Origin::Gherkin => "a Given/When/Then scenario",
            Origin::Expected => "the expected behaviour",
            Origin::Requirement => "a requirement",
            Origin::Sentence => "a sentence with \"should\" or \"must\"",
        }
    }
}

/// What the ticket mentions that may lead to the code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// As written; they may name no file of the repository.
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub urls: Vec<String>,
}

/// A picture or file of the ticket. Nothing is downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub name: String,
    /// A URL, or a path beside the ticket.
    pub location: String,
}

/// Something removed from the ticket because nobody sees it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stripped {
    pub kind: StrippedKind,
    /// Printable and cut to a line.
    pub text: String,
    /// From 1, in the ticket as it came.
    pub line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrippedKind {
    /// `<!-- … -->`, or a link definition used as a comment.
    Comment,
    /// An element with a style or an attribute that hides it.
    HiddenElement,
    /// Zero-width and other characters without a shape.
    ZeroWidth,
    /// Controls that change the order of the text on the screen.
    Bidi,
    /// Characters that spell text and that no editor shows.
    Tags,
    /// An instruction in the alternative text or title of a picture or a link.
    ImageText,
    /// Control characters, such as those that steer a terminal.
    Control,
}

impl StrippedKind {
    pub fn name(self) -> &'static str {
        match self {
            StrippedKind::Comment => "comment",
            StrippedKind::HiddenElement => "hidden element",
            StrippedKind::ZeroWidth => "zero-width characters",
            StrippedKind::Bidi => "bidirectional controls",
            StrippedKind::Tags => "tag characters",
            StrippedKind::ImageText => "instruction in an image or link text",
            StrippedKind::Control => "control characters",
        }
    }
}

/// Where a ticket came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    File(String),
    Stdin,
    Github { owner: String, repo: String, number: u64, url: String },
    Jira { site: String, key: String, url: String },
}

impl Ticket {
    /// Of a run that is about no ticket.
    pub(crate) fn empty() -> Ticket {
        Ticket {
            key: String::new(),
            title: String::new(),
            summary: String::new(),
            requirements: Vec::new(),
            criteria: Vec::new(),
            hints: Hints::default(),
            attachments: Vec::new(),
            stripped: Vec::new(),
            suspicious: Vec::new(),
            source: Source::Stdin,
            text: String::new(),
            truncated: false,
        }
    }

    /// `KEY: title`, with the key once.
    pub fn heading(&self) -> String {
        if self.title.starts_with(&self.key) {
            return self.title.clone();
        }
        format!("{}: {}", self.key, self.title)
    }

    /// `fix/<KEY>-<slug>`: a valid git branch name in ASCII, at most 60 characters, the same for the same key and title.
    pub fn branch(&self) -> String {
        branch::name(&self.key, &self.title)
    }
}

//! What the scanner reports: what a piece of text tries, how it was hidden, where it stands and how sure that is.

use serde::{Deserialize, Serialize};

/// Findings below this score are not reported.
pub const REPORTED: u8 = 50;

/// What a piece of text tries, or is unfit for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Tells a model to drop its instructions.
    Override,
    /// Speaks as the system, the assistant or a tool, or gives the model another role.
    Role,
    /// Asks a model for its prompt, or for keys.
    Exfiltration,
    /// Asks a model to keep something from the person it works for.
    Secrecy,
    /// Addresses a model that reads the text.
    Summons,
    /// Characters that nobody sees, in a place where no writing needs them.
    Unseen,
    /// Text in tag characters, which no editor shows.
    Tags,
    /// Text that is shown in another order than it is read.
    Bidi,
    /// A word with letters of another alphabet that look the same.
    MixedScript,
    /// Control sequences that make a terminal show or do something else.
    Terminal,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Override,
        Kind::Role,
        Kind::Exfiltration,
        Kind::Secrecy,
        Kind::Summons,
        Kind::Unseen,
        Kind::Tags,
        Kind::Bidi,
        Kind::MixedScript,
        Kind::Terminal,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Override => "override",
            Kind::Role => "role",
            Kind::Exfiltration => "exfiltration",
            Kind::Secrecy => "secrecy",
            Kind::Summons => "summons",
            Kind::Unseen => "unseen",
            Kind::Tags => "tags",
            Kind::Bidi => "bidi",
            Kind::MixedScript => "mixed-script",
            Kind::Terminal => "terminal",
        }
    }
}

/// How an instruction was kept from being noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disguise {
    Base64,
    Hex,
    Percent,
    /// `\u0069`, `&#105;`, `\x69`, `\151`.
    Escapes,
    /// Numbers of characters in a list.
    Codes,
    Rot13,
    Reversed,
    /// Single letters with something between them.
    Spaced,
    /// Unseen characters inside of words.
    Unseen,
    Tags,
    LookAlike,
    /// Full-width, mathematical, circled letters.
    Fancy,
    Leet,
    Case,
    /// A comment that a rendered page does not show.
    Comment,
    /// The text beside a picture or a link that is seldom shown.
    Title,
    /// Markup with a style that is not displayed.
    Styled,
}

/// One thing found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: Kind,
    /// Outermost first.
    pub disguises: Vec<Disguise>,
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    /// Both from 1; columns are characters.
    pub line: usize,
    pub column: usize,
    /// 0 to 100.
    pub score: u8,
    /// The place in the text, printable, cut to a line.
    pub excerpt: String,
    pub why: String,
}

/// How suspicious a text with these findings is, 0 to 100: each adds to what is left.
pub fn total(findings: &[Finding]) -> u8 {
    let calm = findings
        .iter()
        .fold(1000_u32, |calm, it| calm * (100 - u32::from(it.score.min(100))) / 100);
    u8::try_from((1000 - calm) / 10).unwrap_or(100)
}

const EXCERPT: usize = 120;

/// `text` on one line: what is not printable is written as its code, and the middle of a long one is left out.
pub fn printable(text: &str) -> String {
    let count = text.chars().count();
    if count <= EXCERPT {
        return text.chars().map(shown).collect();
    }
    let head = text.chars().take(EXCERPT * 3 / 4).map(shown);
    let tail = text.chars().skip(count - EXCERPT / 4).map(shown);
    head.chain(std::iter::once("…".to_owned())).chain(tail).collect()
}

fn shown(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if c.is_control() || crate::confusable::is_unseen(c) => {
            format!("\\u{{{:x}}}", u32::from(c))
        }
        _ => c.to_string(),
    }
}

//! An answer for people and programs: Markdown, the terminal, JSON.
//!
//! Everything in an answer is foreign: its prose is a model's, its paths and quotes are the repository's. Text for people passes
//! `safe` here, before any colour or link is put around it, so that nothing in it can steer a terminal; `markdown` also disarms HTML,
//! images and links. JSON is left as it is.

mod json;
mod markdown;
mod terminal;

use rb_core::plural;

pub use self::json::json;
pub use self::markdown::markdown;
pub use self::terminal::{Style, terminal};
use crate::answer::{Answer, Author, Counts, Section, Statement, Support};
use crate::citation::CheckedCitation;
use crate::claims::{is_fence, starts_line};

/// `12 claims, 11 verified, 1 not verified; 14 citations, 14 valid (1 line number corrected)`
pub fn summary(counts: &Counts) -> String {
    let Counts { verified_claims, valid_citations, .. } = counts;
    let unverified = counts.claims.saturating_sub(counts.verified_claims);
    let claims = counted(counts.claims, "claim");
    let citations = counted(counts.citations, "citation");
    let corrected = match counts.repaired_citations {
        0 => String::new(),
        repaired => format!(" ({} corrected)", counted(repaired, "line number")),
    };
    format!(
        "{claims}, {verified_claims} verified, {unverified} not verified; \
         {citations}, {valid_citations} valid{corrected}"
    )
}

fn counted(number: u32, word: &str) -> String {
    plural(usize::try_from(number).unwrap_or(usize::MAX), word)
}

/// Who wrote it, if that was a model.
fn author(answer: &Answer) -> Option<String> {
    match &answer.author {
        Author::Extraction => None,
        // A program of the user's own has no name for its model.
        Author::Model { provider, model } if model.is_empty() => {
            Some(format!("Answered by {provider}."))
        }
        Author::Model { provider, model } => Some(format!("Answered by {model} ({provider}).")),
    }
}

/// Statements that share their citations, so that these are shown once.
fn paragraphs(section: &Section) -> impl Iterator<Item = &[Statement]> {
    section.statements.chunk_by(|before, after| before.citations == after.citations)
}

/// How one kind of output writes the parts of a paragraph.
trait Format {
    fn text(&self, text: &str) -> String;
    /// The mark of a claim that is not verified.
    fn unverified(&self, why: &str) -> String;
    fn citation(&self, citation: &CheckedCitation) -> String;
}

fn paragraph(statements: &[Statement], format: &dyn Format) -> String {
    let mut out = String::new();
    let mut follows_fence = false;
    for statement in statements {
        let joint = if follows_fence || starts_line(&statement.text) { '\n' } else { ' ' };
        push(&mut out, joint, &format.text(&statement.text));
        // A fence must stay alone on its line.
        follows_fence = is_fence(&statement.text);
        if let Support::NotVerified { why } = &statement.support {
            push(&mut out, if follows_fence { '\n' } else { ' ' }, &format.unverified(why));
            follows_fence = false;
        }
    }
    let first = statements.first();
    for citation in first.map(|statement| statement.citations.as_slice()).unwrap_or_default() {
        push(&mut out, if follows_fence { '\n' } else { ' ' }, &format.citation(citation));
        follows_fence = false;
    }
    out
}

fn push(out: &mut String, joint: char, text: &str) {
    if !out.is_empty() {
        out.push(joint);
    }
    out.push_str(text);
}

/// Blocks with an empty line between them, except within a list.
fn joined(blocks: &[String]) -> String {
    let mut out = String::new();
    for (at, block) in blocks.iter().enumerate() {
        if at > 0 {
            let is_list = is_item(block) && is_item(&blocks[at - 1]);
            out.push_str(if is_list { "\n" } else { "\n\n" });
        }
        out.push_str(block);
    }
    out.push('\n');
    out
}

fn is_item(block: &str) -> bool {
    starts_line(block) && !is_fence(block) && !block.starts_with(['#', '>'])
}

/// Foreign text without what a terminal obeys or an editor hides. Lines stay.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let hides = matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        );
        match c {
            '\n' => out.push(c),
            '\t' => out.push_str("    "),
            _ if c.is_control() || hides => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

/// On one line.
fn safe_line(text: &str) -> String {
    safe(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;

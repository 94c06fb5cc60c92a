//! The answer for a terminal. What is coloured and how a link is written, the binary decides.

use super::{Format, author, joined, paragraph, paragraphs, safe, safe_line, summary};
use crate::answer::Answer;
use crate::citation::CheckedCitation;

/// Puts colour around text that is already safe.
pub trait Style {
    fn heading(&self, text: &str) -> String;
    fn dim(&self, text: &str) -> String;
    fn warn(&self, text: &str) -> String;
}

/// `link` makes the given text lead to a valid citation. That text is safe; the path in the citation is as the repository has it,
/// and must be encoded before it becomes part of an address.
pub fn terminal(
    answer: &Answer,
    link: &dyn Fn(&CheckedCitation, &str) -> String,
    style: &dyn Style,
) -> String {
    let format = Terminal { link, style };
    let mut blocks = Vec::new();
    for section in &answer.sections {
        if !section.heading.is_empty() {
            blocks.push(style.heading(&safe_line(&section.heading)));
        }
        blocks.extend(paragraphs(section).map(|statements| paragraph(statements, &format)));
    }
    let not_found = answer.not_found.iter();
    blocks.extend(not_found.map(|what| format!("I couldn't find: {}", safe_line(what))));
    blocks.extend(answer.notes.iter().map(|note| format!("note: {}", safe_line(note))));
    let author = author(answer).map(|author| safe_line(&author) + " ").unwrap_or_default();
    blocks.push(style.dim(&(author + &summary(&answer.counts))));
    joined(&blocks)
}

struct Terminal<'t> {
    link: &'t dyn Fn(&CheckedCitation, &str) -> String,
    style: &'t dyn Style,
}

impl Format for Terminal<'_> {
    fn text(&self, text: &str) -> String {
        safe(text)
    }

    fn unverified(&self, why: &str) -> String {
        self.style.warn(&format!("(not verified: {})", safe_line(why)))
    }

    fn citation(&self, checked: &CheckedCitation) -> String {
        let place = safe_line(&checked.citation.place());
        match checked.fault {
            None => (self.link)(checked, &format!("[{place}]")),
            Some(fault) => self.style.warn(&format!("[{place} (not valid: {fault})]")),
        }
    }
}

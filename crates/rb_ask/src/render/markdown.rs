//! The answer as Markdown, for files and chats.
//!
//! A hostile repository may have a model write an image that loads from elsewhere, or HTML. Outside of code both are escaped, and so
//! are links: what is shown is what was written.

use super::{Format, author, joined, paragraph, paragraphs, safe, safe_line, summary};
use crate::answer::Answer;
use crate::citation::CheckedCitation;
use crate::claims::is_fence;
use crate::claims::spans::spans;

pub fn markdown(answer: &Answer) -> String {
    let line = |text: &str| inert(&safe_line(text));
    let mut blocks = vec![format!("# {}", line(&answer.question))];
    for section in &answer.sections {
        if !section.heading.is_empty() {
            blocks.push(format!("## {}", line(&section.heading)));
        }
        blocks.extend(paragraphs(section).map(|statements| paragraph(statements, &Markdown)));
    }
    blocks.extend(answer.not_found.iter().map(|what| format!("- I couldn't find: {}", line(what))));
    blocks.extend(answer.notes.iter().map(|note| format!("> Note: {}", line(note))));
    blocks.push("---".to_owned());
    blocks.extend(author(answer).map(|author| line(&author)));
    blocks.push(summary(&answer.counts));
    joined(&blocks)
}

struct Markdown;

impl Format for Markdown {
    fn text(&self, text: &str) -> String {
        if is_fence(text) { safe(text) } else { inert(&safe(text)) }
    }

    fn unverified(&self, why: &str) -> String {
        format!("*(not verified: {})*", inert(&safe_line(why)))
    }

    fn citation(&self, checked: &CheckedCitation) -> String {
        let place = escaped(&safe_line(&checked.citation.place()));
        // `__init__.py` is not bold.
        let place = place.replace("__", "\\_\\_").replace('*', "\\*");
        match checked.fault {
            None => format!("[{place}]"),
            Some(fault) => format!("[{place} (not valid: {fault})]"),
        }
    }
}

/// Prose with its emphasis and code, but without HTML, images and links.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans(text) {
        // The backticks around code are between the spans.
        out.push_str(&text[at..span.start]);
        if span.is_code {
            out.push_str(span.text);
        } else {
            out.push_str(&escaped(span.text));
        }
        at = span.end();
    }
    out.push_str(&text[at..]);
    out
}

fn escaped(prose: &str) -> String {
    let mut out = String::with_capacity(prose.len());
    let mut letters = prose.chars().peekable();
    while let Some(c) = letters.next() {
        let next = letters.peek().copied();
        match (c, next) {
            ('<', Some('/' | '!' | '?' | 'a'..='z' | 'A'..='Z')) => out.push_str("&lt;"),
            // A backtick alone in its sentence would pair with one in the next.
            ('`', _) | ('!', Some('[')) | (']', Some('(' | ':' | '[')) => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_foreign_markdown_loads_and_runs_nothing() {
        let check = |text, expected: &str| assert_eq!(inert(text), expected);
        check("a *b* `c<d>` e", "a *b* `c<d>` e");
        check("![x](http://a/b)", "\\![x\\](http://a/b)");
        check("[x](http://a/b) and [y][z]", "[x\\](http://a/b) and [y\\][z]");
        check("[x]: http://a/b", "[x\\]: http://a/b");
        check("<img src=x> 1 < 2 <b", "&lt;img src=x> 1 < 2 &lt;b");
        check("an open ` tick", "an open \\` tick");
        check("``a ` b``", "``a ` b``");
    }
}

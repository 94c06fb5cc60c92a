//! Comments, hidden elements and attributes with sentences in them. Code blocks and code spans are shown as they are, so what looks
//! like markup there stays.
//!
//! Every position is looked at a bounded number of times, so that the time grows with the length of the text.

use super::Cleaner;
use super::style::is_hidden;
use super::tag::Tag;
use crate::ticket::StrippedKind;

/// Longer runs of backticks open no code span.
const LONGEST_TICKS: usize = 8;
/// A longer one is text.
const LONGEST_DECLARATION: usize = 4 << 10;
/// An attribute with this many words says something to a reader who cannot see it.
const SENTENCE: usize = 3;

pub(super) fn visible(text: &str, cleaner: &mut Cleaner) -> String {
    let lower = text.to_ascii_lowercase();
    let mut reader = Reader {
        text,
        lower: &lower,
        at: 0,
        line: 1,
        counted: 0,
        out: String::with_capacity(text.len()),
        cleaner,
        fence: None,
        list: 0,
        in_html: false,
        unmatched: [0; LONGEST_TICKS + 1],
        last_comment_end: text.rfind("-->"),
        line_start: 0,
        paragraph_end: 0,
    };
    while reader.at < text.len() {
        let is_line_start = reader.at == 0 || text.as_bytes()[reader.at - 1] == b'\n';
        if is_line_start {
            reader.line_start = reader.at;
        }
        if !(is_line_start && reader.whole_line()) {
            reader.inline();
        }
    }
    reader.out
}

struct Reader<'t, 'c> {
    text: &'t str,
    lower: &'t str,
    at: usize,
    /// Of `counted`, from 1.
    line: usize,
    counted: usize,
    out: String,
    cleaner: &'c mut Cleaner,
    fence: Option<Fence>,
    /// Where the content of the last list item begins; 0 outside of lists.
    list: usize,
    /// In an HTML block, which ends at an empty line, Markdown has no meaning.
    in_html: bool,
    /// By the number of backticks: no span of so many closes before this place.
    unmatched: [usize; LONGEST_TICKS + 1],
    last_comment_end: Option<usize>,
    line_start: usize,
    paragraph_end: usize,
}

struct Fence {
    mark: char,
    length: usize,
    is_quoted: bool,
    /// A line that is indented less ends the list item, and the fence with it.
    indent: usize,
}

impl<'t> Reader<'t, '_> {
    /// Takes the line if it is part of a code block, empty or a comment in itself.
    fn whole_line(&mut self) -> bool {
        let line = self.current_line();
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some(fence) = &self.fence {
            let is_over = fence.is_quoted && !content.starts_with('>')
                || !content.is_empty() && indent < fence.indent;
            if !is_over {
                let content = content.trim_start_matches(['>', ' ']);
                let marks = content.chars().take_while(|c| *c == fence.mark).count();
                if marks >= fence.length && content.len() == marks {
                    self.fence = None;
                }
                self.copy(line.len());
                return true;
            }
            self.fence = None;
        }
        if content.is_empty() {
            self.in_html = false;
            self.copy(line.len());
            return true;
        }
        self.follow_list(line, indent);
        if self.in_html {
            return false;
        }
        if let Some(fence) = self.opened_fence(line) {
            self.fence = Some(fence);
            self.copy(line.len());
            return true;
        }
        if is_definition_comment(content) {
            self.remove(line.trim_end().len(), StrippedKind::Comment);
            return true;
        }
        let mut start = content.chars();
        self.in_html = start.next() == Some('<')
            && start.next().is_some_and(|c| c.is_alphabetic() || c == '/');
        false
    }

    fn current_line(&self) -> &'t str {
        let rest = &self.text[self.at..];
        &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)]
    }

    fn follow_list(&mut self, line: &str, indent: usize) {
        let content = line.trim_start();
        if let Some(marker) = marker(content) {
            self.list = indent + marker;
        } else if indent < self.list {
            let starts_anew = self.out.ends_with("\n\n") || indent == 0 && content.starts_with('#');
            self.list = if starts_anew { 0 } else { self.list };
        }
    }

    fn opened_fence(&self, line: &str) -> Option<Fence> {
        let mut content = line.trim_start();
        let is_quoted = content.starts_with('>');
        content = content.trim_start_matches(['>', ' ']);
        content = &content[marker(content).unwrap_or(0)..];
        let mark = content.chars().next().filter(|c| *c == '`' || *c == '~')?;
        let length = content.chars().take_while(|c| *c == mark).count();
        let info = &content[length..];
        let indent = line.len() - content.len();
        let indent = if indent >= self.list { self.list } else { 0 };
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        is_fence.then_some(Fence { mark, length, is_quoted, indent })
    }

    fn inline(&mut self) {
        let rest = &self.text[self.at..];
        match rest.as_bytes()[0] {
            b'`' if !self.in_html => self.code_span(),
            b'<' => self.markup(),
            b'\\' if !self.in_html && rest[1..].starts_with(['<', '`', '\\']) => self.copy(2),
            b'\n' => self.copy(1),
            _ => {
                let special = |(_, c): &(usize, char)| ['`', '<', '\\', '\n'].contains(c);
                let end = rest.char_indices().skip(1).find(special);
                self.copy(end.map_or(rest.len(), |(at, _)| at));
            }
        }
    }

    fn code_span(&mut self) {
        let rest = &self.text[self.at..];
        let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
        if ticks > LONGEST_TICKS || self.unmatched[ticks] > self.at {
            return self.copy(ticks);
        }
        if self.paragraph_end <= self.at {
            self.paragraph_end = self.at + rest.find("\n\n").unwrap_or(rest.len());
        }
        let paragraph = self.paragraph_end - self.at;
        let mut at = ticks;
        while at < paragraph
            && let Some(found) = rest[at..paragraph].find('`')
        {
            let run = rest[at + found..].bytes().take_while(|byte| *byte == b'`').count();
            at += found + run;
            if run == ticks {
                return self.copy(at);
            }
        }
        self.unmatched[ticks] = self.paragraph_end;
        self.copy(ticks);
    }

    /// At a `<`.
    fn markup(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("<!--") {
            return self.comment();
        }
        let declaration = [("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];
        if let Some((_, close)) = declaration.iter().find(|(open, _)| rest.starts_with(open)) {
            return match rest[..rest.floor_char_boundary(LONGEST_DECLARATION)].find(close) {
                Some(end) => self.remove(end + close.len(), StrippedKind::Comment),
                None => self.copy(1),
            };
        }
        let Some(tag) = Tag::read(rest) else { return self.copy(1) };
        if !tag.is_closing && is_hidden(&tag) {
            let length = if tag.is_void { tag.length } else { self.element(&tag) };
            self.remove(length, StrippedKind::HiddenElement);
        } else if tag.attributes.iter().any(|(name, value)| is_note(name, value)) {
            let bare = without_notes(&tag);
            self.remove(tag.length, StrippedKind::HiddenElement);
            self.out.push_str(&bare);
        } else {
            self.copy(tag.length);
        }
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        let is_closed = self.last_comment_end.is_some_and(|end| end >= self.at + 2);
        let end = if is_closed { rest[2..].find("-->").map(|at| at + 5) } else { None };
        let is_block = self.in_html || self.text[self.line_start..self.at].trim().is_empty();
        match end {
            Some(end) => self.remove(end, StrippedKind::Comment),
            // Renderers hide the rest of the text.
            None if is_block => self.remove(rest.len(), StrippedKind::Comment),
            None => self.copy(1),
        }
    }

    /// The length of an element with everything in it; without an end, all that follows.
    fn element(&self, tag: &Tag) -> usize {
        let rest = &self.lower[self.at..];
        let (open, close) = (format!("<{}", tag.name), format!("</{}", tag.name));
        let mut depth = 1;
        let mut at = tag.length;
        while let Some(found) = rest[at..].find('<') {
            at += found;
            let ends_name = |mark: &str| {
                let behind = rest[at + mark.len()..].chars().next();
                behind.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-')
            };
            if rest[at..].starts_with(&close) && ends_name(&close) {
                depth -= 1;
                if depth == 0 {
                    return rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
                }
            } else if rest[at..].starts_with(&open) && ends_name(&open) {
                depth += 1;
            }
            at += 1;
        }
        rest.len()
    }

    fn copy(&mut self, length: usize) {
        self.out.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    fn remove(&mut self, length: usize, kind: StrippedKind) {
        self.line += self.text[self.counted..self.at].matches('\n').count();
        self.counted = self.at;
        self.cleaner.report(kind, &self.text[self.at..self.at + length], self.line);
        self.at += length;
    }
}

/// The length of `- `, `* `, `+ `, `1. ` or `1) `.
fn marker(content: &str) -> Option<usize> {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let is_marker = match content.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') => digits == 0,
        Some(b'.' | b')') => (1..10).contains(&digits),
        _ => false,
    };
    (is_marker && content[digits + 1..].starts_with(' ')).then_some(digits + 2)
}

/// `[//]: # (text)` and its like: a link definition that no link needs. A plain `[name]: address` stays.
fn is_definition_comment(line: &str) -> bool {
    let Some((label, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]:"))
    else {
        return false;
    };
    let mut words = target.split_whitespace();
    let is_address = words.next().is_some_and(|word| word.contains(['/', '.']) && word.len() > 2);
    let is_link =
        is_address && words.next().is_none() && label.split_whitespace().count() <= SENTENCE;
    !(is_link || label.contains(']') || label.starts_with('^'))
}

fn is_note(name: &str, value: &str) -> bool {
    let is_shown = matches!(name, "alt" | "title" | "href" | "src" | "srcset" | "style" | "class");
    !is_shown && value.split_whitespace().count() >= SENTENCE
}

fn without_notes(tag: &Tag) -> String {
    let kept = tag.attributes.iter().filter(|(name, value)| !is_note(name, value));
    let attributes: Vec<String> =
        kept.map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    format!("<{}{}>", tag.name, attributes.concat())
}

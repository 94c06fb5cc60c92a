//! Whether a place of a text is one that readers of the rendered page do not see.
//!
//! It looks back from the place over a bounded stretch and parses nothing: a wrong guess moves a score, no more.

use crate::finding::Disguise;

/// How far back a comment may have begun.
const BACK: usize = 4096;
/// How far back a tag may stand whose style hides what follows.
const TAG: usize = 400;

pub(crate) fn hidden(text: &str, start: usize, end: usize) -> Option<Disguise> {
    let back = &text[floor(text, start, BACK)..start];
    if let Some(open) = back.rfind("<!--")
        && !back[open..].contains("-->")
    {
        return Some(Disguise::Comment);
    }
    let line = &back[back.rfind('\n').map_or(0, |n| n + 1)..];
    let is_comment = ["[//]:", "[comment]:", "[_]:", "[]: #", "[hidden]:"];
    if is_comment.iter().any(|mark| line.trim_start().starts_with(mark)) {
        return Some(Disguise::Comment);
    }
    let tail = &text[end..ceiling(text, end, BACK)];
    let tail = tail.lines().next().unwrap_or_default();
    if is_title(line, tail) {
        return Some(Disguise::Title);
    }
    is_styled(&text[floor(text, start, TAG)..start]).then_some(Disguise::Styled)
}

/// `![alt`, `](url "title`, `alt="…`, `title="…` before, and their ends behind.
fn is_title(line: &str, tail: &str) -> bool {
    let open = |mark: &str, ends: &[char]| {
        line.rfind(mark).is_some_and(|at| !line[at + mark.len()..].contains(ends))
    };
    let is_link = line.rfind("](").is_some_and(|at| {
        let inside = &line[at + 2..];
        !inside.contains(')') && inside.contains(" \"") && inside.matches('"').count() == 1
    });
    open("![", &[']']) && tail.contains("](")
        || is_link
        || ["alt=\"", "title=\"", "aria-label=\""]
            .iter()
            .any(|mark| open(mark, &['"']) && tail.contains('"'))
}

const STYLES: [&str; 13] = [
    "display:none",
    "visibility:hidden",
    "font-size:0",
    "font-size:1px",
    "opacity:0;",
    "opacity:0\"",
    "color:white",
    "color:#fff",
    "color:transparent",
    "left:-9999",
    "hidden>",
    "hidden=\"\"",
    "aria-hidden=\"true\"",
];

/// Whether the last tag opened before the place is not displayed.
fn is_styled(back: &str) -> bool {
    let Some(close) = back.rfind('>') else { return false };
    let Some(open) = back[..close].rfind('<') else { return false };
    let tag: String = back[open..=close]
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    !tag.starts_with("</")
        && STYLES.iter().any(|style| tag.contains(style))
        && !back[close..].contains("</")
}

fn floor(text: &str, at: usize, by: usize) -> usize {
    let mut to = at.saturating_sub(by);
    while !text.is_char_boundary(to) {
        to += 1;
    }
    to
}

fn ceiling(text: &str, at: usize, by: usize) -> usize {
    let mut to = (at + by).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    to
}

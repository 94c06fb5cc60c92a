//! From nodes and their text to what facts hold: lines, spans, one-line signatures, comments without their marks.

use std::ops::Range;

use tree_sitter::Node;

use crate::facts::Span;

const MAX_SIGNATURE: usize = 240;
pub(super) const MAX_DOC: usize = 2000;
/// Longer paths before a name tell nobody anything.
const MAX_QUALIFIER: usize = 80;

/// Lines as an editor counts them: a line end at the end of the file starts no new one.
pub(crate) fn line_count(text: &str) -> u32 {
    let ends = text.bytes().filter(|&byte| byte == b'\n').count();
    let open = usize::from(!text.is_empty() && !text.ends_with('\n'));
    u32::try_from(ends + open).unwrap_or(u32::MAX)
}

pub(crate) fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}

pub(crate) fn span_of(node: Node<'_>) -> Span {
    let end = node.end_position();
    // A node that ends at the start of a line ends on the line before it.
    let last_row =
        if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    Span {
        start: u32::try_from(node.start_byte()).unwrap_or(u32::MAX),
        end: u32::try_from(node.end_byte()).unwrap_or(u32::MAX),
        first_line: line_of(node),
        last_line: u32::try_from(last_row).unwrap_or(u32::MAX).saturating_add(1),
    }
}

/// A path that may be written over several lines.
pub(crate) fn without_spaces(path: &str) -> String {
    path.split_whitespace().collect()
}

/// At most `limit` bytes, cut between characters.
pub(crate) fn clip(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// A declaration's head on one line, without what opens its body.
pub(crate) fn one_line(text: &str) -> String {
    // Twice the limit leaves room for the spaces that go.
    let mut line = String::new();
    for word in clip(text, 4 * MAX_SIGNATURE).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = line.trim_end_matches(['{', ':', '=', ' ', ';']);
    if line.len() <= MAX_SIGNATURE {
        return line.to_owned();
    }
    format!("{}…", clip(line, MAX_SIGNATURE).trim_end())
}

/// As `one_line`, without the comments, which are pieces of the same text as `at`.
pub(crate) fn one_line_without(
    text: &str,
    at: Range<usize>,
    comments: impl Iterator<Item = Range<usize>>,
) -> String {
    let mut code = String::new();
    let mut from = at.start;
    for comment in comments {
        code.push_str(text.get(from..comment.start).unwrap_or_default());
        // A comment divides words as a space does.
        code.push(' ');
        from = comment.end;
    }
    code.push_str(text.get(from..at.end).unwrap_or_default());
    one_line(&code)
}

/// More than this is not looked through for a signature.
pub(crate) const MAX_HEAD: usize = 16 * MAX_SIGNATURE;

/// The head of a declaration on one line, without comments: the piece `at` of the text, which lies in `node`.
pub(super) fn signature(text: &str, at: Range<usize>, node: Node<'_>) -> String {
    let end = text.floor_char_boundary(at.end.min(at.start + MAX_HEAD));
    let head = text.get(at.start..end).unwrap_or_default();
    let may_hold_comments = ["//", "/*", "#", "--"].iter().any(|mark| head.contains(mark));
    if !may_hold_comments {
        return one_line(head);
    }
    let comments = comments_in(node, at.start..end);
    one_line_without(text, at.start..end, comments.into_iter())
}

/// Where comments stand below `node`, as far as they are in this piece of the text.
fn comments_in(node: Node<'_>, within: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut cursor = node.walk();
    loop {
        let node = cursor.node();
        if node.start_byte() >= within.end {
            return found;
        }
        let is_inside = node.end_byte() > within.start;
        if is_inside && node.kind().contains("comment") {
            found.push(node.start_byte()..node.end_byte().min(within.end));
        } else if is_inside && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The text of a comment, without `//`, `/*`, `*`, `#` and their like.
pub(crate) fn clean_comment(text: &str) -> String {
    let mut doc = String::new();
    for line in clip(text, 2 * MAX_DOC).lines() {
        let line = line.trim();
        let line = line
            .trim_start_matches("/**")
            .trim_start_matches("/*")
            .trim_end_matches("*/")
            .trim_start_matches(['/', '#', '*', '!', ';'])
            .trim();
        let line = line.strip_prefix("--").unwrap_or(line).trim();
        if !(line.is_empty() && doc.is_empty()) {
            doc.push_str(line);
            doc.push('\n');
        }
    }
    clip(doc.trim_end(), MAX_DOC).to_owned()
}

/// `a.b`, `a::b`, `a->b`, `$a` as they are; `?` for anything that is more than a path of names.
pub(super) fn path_of_names(qualifier: &str) -> &str {
    let plain = qualifier.len() <= MAX_QUALIFIER
        && qualifier.bytes().all(|byte| {
            byte.is_ascii_alphanumeric()
                || matches!(
                    byte,
                    b'_' | b'.' | b':' | b'$' | b'\\' | b'@' | b'-' | b'>' | b'?' | b'!'
                )
                || byte >= 0x80
        });
    if plain { qualifier } else { "?" }
}

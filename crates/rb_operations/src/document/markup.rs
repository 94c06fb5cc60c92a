//! Where a text with markup (reStructuredText, Markdown, docstrings) has code: inline code, roles, code blocks, doctests, directives.

use std::ops::Range;

/// Ranges of code, in the order of the text, without overlaps.
pub(super) fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut block = Block::None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let content = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some(fence) = fence(content) {
            block = match block {
                Block::Fenced(open) if content.starts_with(open) => Block::None,
                Block::Fenced(open) => Block::Fenced(open),
                Block::None | Block::Indented(_) => Block::Fenced(fence),
            };
            continue;
        }
        match block {
            Block::Fenced(_) => {
                ranges.push(range);
                continue;
            }
            Block::Indented(outer) if content.is_empty() || indent > outer => {
                // The options of a directive are no code.
                if !content.starts_with(':') {
                    ranges.push(range);
                }
                continue;
            }
            Block::Indented(_) | Block::None => block = Block::None,
        }
        if content.starts_with(">>> ") || content.starts_with("... ") {
            ranges.push(range);
            continue;
        }
        if opens_block(content) {
            block = Block::Indented(indent);
        }
        match directive_argument(line) {
            Some(argument) => ranges.push(range.start + argument.start..range.start + argument.end),
            None => ranges.extend(
                inline_code(line)
                    .into_iter()
                    .map(|code| range.start + code.start..range.start + code.end),
            ),
        }
    }
    ranges
}

#[derive(Clone, Copy)]
enum Block<'t> {
    None,
    /// Until a line that begins so.
    Fenced(&'t str),
    /// Deeper than this.
    Indented(usize),
}

fn fence(content: &str) -> Option<&str> {
    ["```", "~~~"]
        .iter()
        .find(|fence| content.starts_with(*fence))
        .map(|fence| &content[..fence.len()])
}

/// `…::` at the end of a paragraph, or a directive for code.
fn opens_block(content: &str) -> bool {
    let Some(directive) = content.strip_prefix(".. ") else { return content.ends_with("::") };
    let name = directive.split_once("::").map_or("", |(name, _)| name);
    matches!(
        name,
        "code-block"
            | "code"
            | "sourcecode"
            | "doctest"
            | "testcode"
            | "testsetup"
            | "parsed-literal"
            | "literalinclude"
            | "console"
    )
}

/// What a directive declares: `name(x)` of `.. function:: name(x)`.
fn directive_argument(line: &str) -> Option<Range<usize>> {
    let directive = line.trim_start().strip_prefix(".. ")?;
    let (name, argument) = directive.split_once("::")?;
    let last = name.rsplit(':').next().unwrap_or(name);
    let declares = matches!(
        last,
        "function"
            | "class"
            | "method"
            | "data"
            | "attribute"
            | "exception"
            | "decorator"
            | "module"
            | "classmethod"
            | "staticmethod"
            | "property"
            | "currentmodule"
            | "index"
            | "autosummary"
            | "automethod"
    ) || last.starts_with("auto");
    let start = line.len() - argument.len();
    declares.then(|| start..line.trim_end().len().max(start))
}

/// Between backticks. `` `text`_ `` is a link and `` `text <target>`_ `` too.
fn inline_code(line: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut rest = 0;
    while let Some(offset) = line[rest..].find('`') {
        let open = rest + offset;
        let ticks = line[open..].len() - line[open..].trim_start_matches('`').len();
        let content = open + ticks;
        let Some(close) = closing(&line[content..], ticks) else { break };
        let end = content + close;
        rest = end + ticks;
        if !line[rest..].starts_with('_') {
            ranges.push(content..end);
        }
    }
    ranges
}

/// Where the next run of exactly this many backticks begins.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find('`')?;
        let length = text[start..].len() - text[start..].trim_start_matches('`').len();
        if length == ticks {
            return Some(start);
        }
        from = start + length;
    }
}

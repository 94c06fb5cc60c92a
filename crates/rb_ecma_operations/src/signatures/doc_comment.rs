//! `@param` lines of the `JSDoc` comment before a function.

use std::ops::Range;

use rb_core::Edit;

/// The `JSDoc` comment right before an offset.
fn comment_before(text: &str, offset: u32) -> Option<Range<usize>> {
    let before = text.get(..offset as usize)?;
    let end = before.trim_end().len();
    let inner = before[..end].strip_suffix("*/")?;
    let start = inner.rfind("/*")?;
    inner[start..].starts_with("/**").then_some(start..end)
}

/// The lines of the comment that describe a parameter: where each begins and ends, and where its name is.
struct Line {
    whole: Range<usize>,
    name: Range<usize>,
}

fn lines(text: &str, comment: Range<usize>) -> Vec<Line> {
    let mut found = Vec::new();
    let mut start = comment.start;
    for line in text[comment].split_inclusive('\n') {
        if let Some(tag) = line.find("@param").map(|at| at + "@param".len()) {
            let mut rest = tag;
            let trimmed = line[rest..].trim_start();
            rest += line[rest..].len() - trimmed.len();
            if trimmed.starts_with('{') {
                let end = closing(trimmed);
                let behind = trimmed[end..].trim_start();
                rest += trimmed.len() - behind.len();
            }
            // `[name=1]`
            if line[rest..].starts_with('[') {
                rest += 1;
            }
            let is_part = |letter: char| letter.is_alphanumeric() || "_$".contains(letter);
            let length = line[rest..].find(|letter| !is_part(letter)).unwrap_or(line.len() - rest);
            let name = start + rest..start + rest + length;
            found.push(Line { whole: start..start + line.len(), name });
        }
        start += line.len();
    }
    found
}

/// Behind the brace that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn line_of(text: &str, offset: u32, name: &str) -> Option<Line> {
    let comment = comment_before(text, offset)?;
    lines(text, comment).into_iter().find(|line| text[line.name.clone()] == *name)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A line for a new parameter, behind those of the others; none if they have none.
pub(crate) fn added(text: &str, declaration: u32, name: &str) -> Option<Edit> {
    let comment = comment_before(text, declaration)?;
    let last = lines(text, comment).pop()?;
    let line = &text[last.whole.clone()];
    let indent = &line[..line.find("@param")?];
    // A comment on one line has no room for another one.
    let is_whole = line.ends_with('\n') && !indent.contains("/*");
    let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
    is_whole.then(|| Edit::insert(offset(last.whole.end), format!("{indent}@param {name}{end}")))
}

pub(crate) fn removed(text: &str, declaration: u32, name: &str) -> Option<Edit> {
    let line = line_of(text, declaration, name)?;
    let whole = &text[line.whole.clone()];
    let is_alone = whole.ends_with('\n') && !whole.contains("/*") && !whole.contains("*/");
    is_alone.then(|| Edit::delete(offset(line.whole.start), offset(line.whole.end)))
}

pub(crate) fn renamed(text: &str, declaration: u32, name: &str, to: &str) -> Option<Edit> {
    let line = line_of(text, declaration, name)?;
    Some(Edit::replace(offset(line.name.start), offset(line.name.end), to))
}

//! What a single line of Markdown is: a heading, a list item, a fence, a rule, a row of a table.

/// The beginning of a fenced code block.
pub(super) struct Fence<'t> {
    sign: char,
    length: usize,
    pub(super) info: &'t str,
}

impl<'t> Fence<'t> {
    pub(super) fn open(text: &'t str) -> Option<Self> {
        ['`', '~'].into_iter().find_map(|sign| {
            let rest = text.trim_start_matches(sign);
            let length = text.len() - rest.len();
            // Backticks that are closed in the same line are code in a paragraph.
            let is_fence = length >= 3 && (sign == '~' || !rest.contains('`'));
            is_fence.then(|| Fence { sign, length, info: rest.trim() })
        })
    }

    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|sign| sign == self.sign)
    }
}

/// Level and text of `## Heading`.
pub(super) fn heading(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    if !is_heading {
        return None;
    }
    let title = rest.trim();
    let bare = title.trim_end_matches('#');
    // Signs at the end close the heading only after a space: `C#` keeps its own.
    let is_closed = bare.is_empty() || bare.ends_with(' ');
    Some((level, if is_closed { bare.trim() } else { title }))
}

/// The text after the mark of a list item. In a paragraph only the number 1 begins a list: other lines may begin with one by chance.
pub(super) fn item(text: &str, is_in_paragraph: bool) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => text.strip_prefix(['-', '*', '+', '•'])?,
        1..=9 if !is_in_paragraph || &text[..digits] == "1" => {
            text[digits..].strip_prefix(['.', ')'])?
        }
        _ => return None,
    };
    let body = rest.starts_with([' ', '\t']).then(|| rest.trim())?;
    let task = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| body.strip_prefix(*mark));
    Some(task.unwrap_or(body).trim())
}

/// `---`, `* * *`: a line between two parts.
pub(super) fn is_rule(text: &str) -> bool {
    let signs = || text.chars().filter(|sign| !sign.is_whitespace());
    let is_sign = |first| matches!(first, '-' | '*' | '_') && signs().all(|sign| sign == first);
    signs().count() >= 3 && signs().next().is_some_and(is_sign)
}

/// The line between the header of a table and its rows.
pub(super) fn is_delimiter(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' ' | '\t'))
}

pub(super) fn cells(row: &str) -> Vec<String> {
    // Stands for an escaped bar while the row is split.
    const BAR: char = '\0';
    let row = row.trim().replace("\\|", "\0").replace("<br>", " ");
    let row = row.strip_prefix('|').unwrap_or(&row);
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(|cell| cell.trim().replace(BAR, "|")).collect()
}

/// Columns before the first letter.
pub(super) fn indent(line: &str) -> usize {
    let columns = |sign| if sign == '\t' { 4_usize } else { 1 };
    line.chars().take_while(|sign| matches!(sign, ' ' | '\t')).map(columns).sum()
}

/// The line without its first `margin` columns, as far as they are blank.
pub(super) fn without_margin(line: &str, margin: usize) -> &str {
    let mut rest = line;
    let mut columns = 0;
    while columns < margin {
        if let Some(inner) = rest.strip_prefix(' ') {
            (rest, columns) = (inner, columns + 1);
        } else if let Some(inner) = rest.strip_prefix('\t') {
            (rest, columns) = (inner, columns + 4);
        } else {
            break;
        }
    }
    rest
}

/// The line without the marks of quotations.
pub(super) fn unquoted(line: &str) -> &str {
    let mut rest = line;
    while indent(rest) < 4 {
        let Some(inner) = rest.trim_start().strip_prefix('>') else { break };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

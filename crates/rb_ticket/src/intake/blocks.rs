//! The blocks of a ticket's text: headings, list items, lines of text and code blocks.
//!
//! Only what tickets use is read. Nothing fails; what is no block of another kind is text.

/// Deeper than any heading with `#`.
pub(super) const LABEL_LEVEL: usize = 7;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// A line in bold is one too, of `LABEL_LEVEL`.
    Heading {
        level: usize,
        text: String,
    },
    /// Its own line and those that continue it. A row of a table is an item.
    Item(Vec<String>),
    /// The lines of one paragraph.
    Paragraph(Vec<String>),
    Code(Vec<String>),
}

pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        at = reader.take(&lines, at);
    }
    reader.out
}

#[derive(Default)]
struct Reader {
    out: Vec<Block>,
    /// The last block takes the next line of text.
    is_open: bool,
    /// An empty line follows an item: only an indented line continues it.
    after_empty: bool,
}

impl Reader {
    /// Returns the line after what was read.
    fn take(&mut self, lines: &[&str], at: usize) -> usize {
        let line = lines[at].trim_start_matches(['>', ' ', '\t']).trim_end();
        let is_indented = lines[at].starts_with([' ', '\t']);
        if line.is_empty() {
            let is_item = matches!(self.out.last(), Some(Block::Item(_)));
            self.after_empty = self.is_open && is_item;
            self.is_open = self.after_empty;
            return at + 1;
        }
        if let Some(length) = fence(line) {
            return self.code(lines, at + 1, &line[..length]);
        }
        if let Some((level, text)) = heading(line) {
            self.push(Block::Heading { level, text: plain(text) });
        } else if let Some(level) = self.underline(line) {
            let Some(Block::Paragraph(text)) = self.out.pop() else { return at + 1 };
            self.push(Block::Heading { level, text: text.join(" ") });
        } else if is_rule(line) {
            self.is_open = false;
        } else if let Some(cells) = row(line) {
            // The line below a header.
            if cells.iter().all(|cell| cell.chars().all(|c| ":-".contains(c))) {
                self.out.pop_if(|block| matches!(block, Block::Item(_)));
            } else {
                self.push(Block::Item(vec![plain(&cells.join(" | "))]));
            }
        } else if let Some(text) = item(line) {
            self.push(Block::Item(vec![plain(text)]));
            self.is_open = true;
        } else if let Some(text) = bold(line) {
            self.push(Block::Heading { level: LABEL_LEVEL, text: plain(text) });
        } else {
            self.text(plain(line), is_indented);
        }
        at + 1
    }

    fn push(&mut self, block: Block) {
        self.out.push(block);
        (self.is_open, self.after_empty) = (false, false);
    }

    fn text(&mut self, line: String, is_indented: bool) {
        // A line with nothing but markup.
        if line.is_empty() {
            return;
        }
        let continues = self.is_open && (!self.after_empty || is_indented);
        match self.out.last_mut() {
            Some(Block::Item(lines) | Block::Paragraph(lines)) if continues => lines.push(line),
            _ => self.out.push(Block::Paragraph(vec![line])),
        }
        (self.is_open, self.after_empty) = (true, false);
    }

    fn code(&mut self, lines: &[&str], from: usize, mark: &str) -> usize {
        let mut at = from;
        let mut code = Vec::new();
        while let Some(line) = lines.get(at) {
            at += 1;
            let content = line.trim_start_matches(['>', ' ', '\t']).trim_end();
            if fence(content)
                .is_some_and(|length| length == content.len() && content.starts_with(mark))
            {
                break;
            }
            code.push(line.trim().to_owned());
        }
        self.push(Block::Code(code));
        at
    }

    /// Of a heading of one line of text.
    fn underline(&self, line: &str) -> Option<usize> {
        let is_text = matches!(self.out.last(), Some(Block::Paragraph(lines)) if lines.len() == 1);
        let is_line_of = |mark: char| line.len() >= 2 && line.chars().all(|c| c == mark);
        match () {
            () if !self.is_open || !is_text => None,
            () if is_line_of('=') => Some(1),
            () if is_line_of('-') => Some(2),
            () => None,
        }
    }
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line[level..].strip_prefix([' ', '\t'])?;
    (1..=6).contains(&level).then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

fn is_rule(line: &str) -> bool {
    let marks: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    marks.len() >= 3 && ["-", "*", "_"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

/// The length of the fence that a line begins with.
fn fence(line: &str) -> Option<usize> {
    let mark = line.chars().next().filter(|c| *c == '`' || *c == '~')?;
    let length = line.chars().take_while(|c| *c == mark).count();
    (length >= 3 && !(mark == '`' && line[length..].contains('`'))).then_some(length)
}

fn row(line: &str) -> Option<Vec<String>> {
    let cells = line.strip_prefix('|')?;
    let cells = cells.strip_suffix('|').unwrap_or(cells);
    let cells: Vec<String> = cells.split('|').map(|cell| cell.trim().to_owned()).collect();
    (cells.iter().any(|cell| !cell.is_empty())).then_some(cells)
}

/// The text of a bullet, a number or a checkbox.
fn item(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if (1..10).contains(&digits) {
        line[digits..].strip_prefix(['.', ')'])?
    } else {
        line.strip_prefix(['-', '*', '+', '•', '☐', '☑', '✓', '✅'])?
    };
    let text = rest.strip_prefix([' ', '\t'])?.trim_start();
    let boxes = ["[ ]", "[x]", "[X]", "[]"];
    let unchecked = boxes.iter().find_map(|mark| text.strip_prefix(mark));
    Some(unchecked.unwrap_or(text).trim())
}

fn bold(line: &str) -> Option<&str> {
    let line = line.trim_end_matches(':');
    let inner = |mark: &str| line.strip_prefix(mark)?.strip_suffix(mark);
    inner("**")
        .or_else(|| inner("__"))
        .map(|text| text.trim_end_matches(':'))
        .filter(|text| !text.is_empty() && text.len() <= 80 && !text.contains(['*', '.']))
}

/// The words of a line without the marks around them. Code keeps its backticks.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_code = false;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '`' => in_code = !in_code,
            _ if in_code => {}
            '\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => {
                out.push_str(&rest[1..2]);
                rest = &rest[2..];
                continue;
            }
            '*' | '_' if rest[1..].starts_with(c) => {
                rest = &rest[2..];
                continue;
            }
            '<' => {
                if let Some(end) = tag_end(rest) {
                    rest = &rest[end..];
                    continue;
                }
            }
            '!' | '[' => {
                if let Some((words, end)) = link(rest) {
                    out.push_str(words);
                    rest = &rest[end..];
                    continue;
                }
            }
            _ => {}
        }
        length = length.min(rest.len());
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

const NEAR: usize = 2000;

/// `<b>`, `</b>`, `<img …>`; not `a < b` and no address.
fn tag_end(text: &str) -> Option<usize> {
    let near = &text[..text.floor_char_boundary(NEAR)];
    let name = near[1..].trim_start_matches('/');
    let end = near.find('>')?;
    let word: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    let behind = name[word.len()..].chars().next()?;
    let is_tag = word.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_tag && (behind.is_whitespace() || behind == '>' || behind == '/')).then_some(end + 1)
}

/// The words of `[words](address)` or `![words](address)`, and its length.
fn link(text: &str) -> Option<(&str, usize)> {
    let near = &text[..text.floor_char_boundary(NEAR)];
    let start = near.find('[').filter(|at| *at <= 1)?;
    let close = near.find("](")?;
    let end = close + near[close..].find(')')?;
    let words = &near[start + 1..close];
    (!words.contains(['[', ']'])).then_some((words, end + 1))
}

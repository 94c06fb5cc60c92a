//! Words and signs of GraphQL and protobuf files, without comments. One pass, no look back, any text.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) line: u32,
}

/// How comments begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comments {
    /// `# …`
    Hash,
    /// `// …` and `/* … */`
    Slashes,
}

pub(super) fn tokens(text: &str, comments: Comments) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let slashes = comments == Comments::Slashes;
        let (length, is_token) = match first {
            '\n' | ' ' | '\t' | '\r' => (1, false),
            '#' if comments == Comments::Hash => (to(rest, "\n"), false),
            '/' if slashes && rest.starts_with("//") => (to(rest, "\n"), false),
            '/' if slashes && rest.starts_with("/*") => (2 + past(&rest[2..], "*/"), false),
            '"' if rest.starts_with("\"\"\"") => (3 + past(&rest[3..], "\"\"\""), true),
            '"' | '\'' => (quoted(rest, first), true),
            c if is_word(c) => (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), true),
            c => (c.len_utf8(), true),
        };
        if is_token {
            out.push(Token { text: &rest[..length], line });
        }
        let newlines = rest[..length].bytes().filter(|byte| *byte == b'\n').count();
        line += u32::try_from(newlines).unwrap_or(0);
        at += length;
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.' || c == '-'
}

fn to(text: &str, end: &str) -> usize {
    text.find(end).unwrap_or(text.len())
}

fn past(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of a string with its quotes; one that is not closed ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

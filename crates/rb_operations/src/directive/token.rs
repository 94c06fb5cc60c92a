//! A directive as tokens: words, names in code, quoted text, assignments such as `log=True`, and where sentences end.
//!
//! Nothing is looked up here but one thing: whether `a/b` is a path or two words, which only the project can tell.

/// What a token is, by its form alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word that may be English or a name, a number, an abbreviation.
    Word,
    /// A name for sure: it is quoted, or looks like code (`a_b`, `a/b.py`, `SomeClass`).
    Code,
    /// Several words in quotes.
    Text,
    /// `log=True`: the value. The text is the name.
    Assignment {
        value: String,
    },
    Comma,
    /// The end of a sentence or of an item of a list.
    Stop,
    /// `->`
    Arrow,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Without quotes.
    pub(super) text: String,
    /// In lower case, for words; empty for others.
    pub(super) word: String,
    /// The quotation mark around it.
    pub(super) quote: Option<char>,
    /// Bytes in the directive, quotes included.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of a directive. `is_path` says whether a text with a slash is a file or folder of the project.
pub(super) fn tokens(directive: &str, is_path: &dyn Fn(&str) -> bool) -> Vec<Token> {
    let mut scanner = Scanner { text: directive, at: 0, tokens: Vec::new(), is_path };
    while scanner.at < directive.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner<'d> {
    text: &'d str,
    at: usize,
    tokens: Vec<Token>,
    is_path: &'d dyn Fn(&str) -> bool,
}

impl<'d> Scanner<'d> {
    fn rest(&self) -> &'d str {
        &self.text[self.at..]
    }

    fn step(&mut self) {
        let Some(first) = self.rest().chars().next() else { return };
        if first == '\n' {
            self.line_break();
        } else if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if let Some(closing) = closing_quote(first)
            && self.quoted(first, closing)
        {
        } else if self.rest().starts_with("->") || first == '→' || self.rest().starts_with("=>") {
            let length = if first == '→' { first.len_utf8() } else { 2 };
            self.push(Kind::Arrow, String::new(), self.at, self.at + length);
        } else if is_separator(first) {
            self.separator(first);
        } else {
            self.run();
        }
    }

    /// A blank line and the item of a list end a sentence; another line break is a space.
    fn line_break(&mut self) {
        let rest = self.rest()[1..].trim_start_matches([' ', '\t', '\r']);
        let is_item = rest.starts_with(['-', '*', '•'])
            || rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')'])
                && rest.starts_with(|c: char| c.is_ascii_digit());
        if is_item || rest.starts_with('\n') || rest.is_empty() {
            self.push(Kind::Stop, String::new(), self.at, self.at + 1);
            if is_item {
                let marker = rest.find(char::is_whitespace).unwrap_or(rest.len());
                self.at = self.text.len() - rest.len() + marker;
            }
        } else {
            self.at += 1;
        }
    }

    fn separator(&mut self, first: char) {
        let end = self.at + first.len_utf8();
        match first {
            ',' | '(' | ')' | '[' | ']' | '{' | '}' | ':' | '–' | '—' | '&' => {
                self.push(Kind::Comma, first.to_string(), self.at, end);
            }
            '.' | '!' | '?' | ';' => self.push(Kind::Stop, first.to_string(), self.at, end),
            _ => self.at = end,
        }
    }

    /// False if the quote is an apostrophe or is never closed.
    fn quoted(&mut self, opening: char, closing: char) -> bool {
        let start = self.at;
        let fence = self.rest().chars().take_while(|c| *c == opening).count();
        let fence = if opening == '`' { fence } else { 1 };
        let inside = start + fence * opening.len_utf8();
        let close: String = std::iter::repeat_n(closing, fence).collect();
        let Some(length) = closing_at(&self.text[inside..], &close, opening) else { return false };
        let content = self.text[inside..inside + length].trim();
        let end = inside + length + close.len();
        let trimmed = content.trim_end_matches(['.', ',', ';', '!', '?']);
        let ends_sentence =
            content.ends_with(['.', '!', '?']) && !trimmed.is_empty() && opening != '`';
        let content = if opening == '`' { content } else { trimmed };
        let content = content.strip_suffix("()").unwrap_or(content).to_owned();
        if content.is_empty() {
            self.at = end;
            return true;
        }
        match assignment(&content) {
            Some((name, value)) => self.push(Kind::Assignment { value }, name, start, end),
            None if content.contains(char::is_whitespace) => {
                self.push(Kind::Text, content, start, end);
            }
            None => self.push(Kind::Code, content, start, end),
        }
        if ends_sentence {
            self.push(Kind::Stop, String::new(), end, end);
        }
        true
    }

    /// All up to a space, bracket or comma.
    fn run(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let length = rest
            .char_indices()
            .find(|(at, c)| {
                c.is_whitespace()
                    || is_run_end(*c)
                    || *c == ':'
                        && !rest[at + 1..].starts_with(|c: char| c == ':' || c.is_alphanumeric())
            })
            .map_or(rest.len(), |(at, _)| at);
        let length = length + literal_behind(&rest[..length], &rest[length..]);
        let whole = &rest[..length.max(rest.chars().next().map_or(0, char::len_utf8))];
        let trimmed = whole.trim_end_matches(['.', '!', '?', '\'', '’', '"', ':']);
        let (text, is_abbreviation) = match whole.to_ascii_lowercase().as_str() {
            "e.g." | "i.e." | "etc." | "vs." => (whole, true),
            _ if trimmed.is_empty() => (whole, false),
            _ => (trimmed, false),
        };
        let text = text.to_owned();
        let end = start + text.len();
        let has_stop = !is_abbreviation && whole[text.len()..].contains(['.', '!', '?']);
        let whole_end = start + whole.len();
        self.classify(&text, start, end);
        self.at = whole_end;
        if has_stop {
            let stop = if whole[text.len()..].contains('?') { "?" } else { "." };
            self.push(Kind::Stop, stop.to_owned(), end, whole_end);
        }
        if self.rest().starts_with("()") {
            self.at += 2;
        }
    }

    fn classify(&mut self, run: &str, start: usize, end: usize) {
        let run = run.trim_end_matches("'s").trim_end_matches("’s");
        if let Some((name, value)) = assignment(run) {
            self.push(Kind::Assignment { value }, name, start, end);
        } else if run.contains('/') && self.is_enumeration(run) {
            for (index, part) in run.split('/').enumerate() {
                if index > 0 {
                    self.push(Kind::Comma, String::new(), start, end);
                }
                self.push(Kind::Word, part.to_owned(), start, end);
            }
        } else if looks_like_code(run) {
            self.push(Kind::Code, run.to_owned(), start, end);
        } else {
            self.push(Kind::Word, run.to_owned(), start, end);
        }
    }

    /// `references/imports`: words with a slash between them, and no such path.
    fn is_enumeration(&self, run: &str) -> bool {
        let is_word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase());
        run.split('/').all(is_word) && run.matches('/').count() == 1 && !(self.is_path)(run)
    }

    fn push(&mut self, kind: Kind, text: String, start: usize, end: usize) {
        self.at = end;
        let word = if kind == Kind::Word {
            text.to_lowercase().replace('’', "'")
        } else {
            String::new()
        };
        let quote = self.text[start..end].chars().next().filter(|c| closing_quote(*c).is_some());
        let quote = quote.filter(|_| end > start + text.len());
        self.tokens.push(Token { kind, text, word, quote, start, end });
    }
}

fn closing_quote(opening: char) -> Option<char> {
    match opening {
        '`' | '"' | '\'' => Some(opening),
        '“' | '„' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

/// Where a quote closes: not in the middle of a word, for quotes that are apostrophes too, and not in another paragraph.
fn closing_at(text: &str, close: &str, opening: char) -> Option<usize> {
    let may_be_apostrophe = opening == '\'' || opening == '‘';
    let mut from = 0;
    while let Some(found) = text[from..].find(close) {
        let at = from + found;
        let behind = text[at + close.len()..].chars().next();
        let is_inner = may_be_apostrophe && behind.is_some_and(char::is_alphanumeric);
        if text[..at].contains("\n\n") || at > 400 {
            return None;
        }
        if !is_inner && at > 0 {
            return Some(at);
        }
        from = at + close.len();
    }
    None
}

fn is_separator(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '!'
            | '?'
            | '.'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '"'
            | '“'
            | '”'
            | '`'
            | '–'
            | '—'
            | '&'
    ) || matches!(c, '\'' | '‘' | '’' | '«' | '»' | '„')
}

fn is_run_end(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '“' | '”' | '`' | '—' | '→' | '&'
    )
}

/// How long the literal is that follows `name=`: `{}`, `["a"]`, `"EUR"`.
fn literal_behind(run: &str, rest: &str) -> usize {
    let close = match rest.chars().next().filter(|_| run.ends_with('=')) {
        Some('{') => '}',
        Some('[') => ']',
        Some('(') => ')',
        Some('"') => '"',
        _ => return 0,
    };
    rest[1..].find(close).filter(|at| !rest[..=*at].contains('\n')).map_or(0, |at| at + 2)
}

/// `log=True`, `retries = 3`: a name and a value.
fn assignment(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let is_plain = is_identifier(name) && !value.is_empty() && !value.starts_with(['=', '>']);
    is_plain.then(|| (name.to_owned(), value.to_owned()))
}

pub(super) fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn looks_like_code(run: &str) -> bool {
    let has_letters = run.contains(char::is_alphabetic);
    let inner_dot = run.trim_matches('.').contains('.');
    let is_camel = is_identifier(run)
        && run.chars().zip(run.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let is_acronym_first = is_identifier(run)
        && run.chars().take_while(|c| c.is_uppercase()).count() > 2
        && run.contains(char::is_lowercase)
        && !run.ends_with('s');
    let has_digit = is_identifier(run) && run.contains(|c: char| c.is_ascii_digit());
    has_letters
        && (run.contains(['_', '/', '#', '\\'])
            || run.contains("::")
            || inner_dot
            || is_camel
            || is_acronym_first
            || has_digit)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(directive: &str, expected: &Expect) {
        let mut text = String::new();
        for token in tokens(directive, &|path| path == "core/files") {
            let one = match &token.kind {
                Kind::Word => token.text.clone(),
                Kind::Code => format!("`{}`", token.text),
                Kind::Text => format!("«{}»", token.text),
                Kind::Assignment { value } => format!("[{} = {value}]", token.text),
                Kind::Comma => ",".to_owned(),
                Kind::Stop => ".".to_owned(),
                Kind::Arrow => "->".to_owned(),
            };
            text.push_str(&one);
            text.push(' ');
        }
        expected.assert_eq(text.trim_end());
    }

    #[test]
    fn st3_names_are_told_from_words() {
        check(
            "Rename parse_kv in splitters.py to 'parse_key_value', don't touch HTTPServer.run().",
            &expect![
                "Rename `parse_kv` in `splitters.py` to `parse_key_value` , don't touch `HTTPServer.run` ."
            ],
        );
    }

    #[test]
    fn st3_quotes_hold_names_texts_and_assignments() {
        check(
            "rename “a” to \"format_host.\" Say 'now called b', pass `log = True` and log=False; it's Flask's",
            &expect![
                "rename `a` to `format_host` . Say «now called b» , pass [log = True] and [log = False] . it Flask"
            ],
        );
    }

    #[test]
    fn st3_a_slash_is_a_path_or_two_words() {
        check(
            "update references/imports in core/files and module_utils/facts",
            &expect!["update references , imports in `core/files` and `module_utils/facts`"],
        );
    }

    #[test]
    fn st3_lists_end_sentences() {
        check(
            "Please:\n- rename a to b\n2. move c\nto d.py\n\nThanks",
            &expect!["Please , . rename a to b . move c to `d.py` . Thanks"],
        );
    }

    #[test]
    fn st3_odd_texts_do_not_panic() {
        for text in [
            "", "`", "'", "“ö", "``` x", "a =", "= b", "…", "\n\n\n", "é'é'é", "->", "'''", "a/",
            "/", ".", "...",
        ] {
            tokens(text, &|_| false);
        }
    }
}

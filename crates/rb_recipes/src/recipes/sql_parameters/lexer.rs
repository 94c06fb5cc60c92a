//! SQL in words, as far as a parameter needs it: strings, quoted names, comments, marks, and the holes between them.
//!
//! It reads the dialects of Postgres, `MySQL` and `SQLite` alike and builds no tree. A hole is a piece of code in the text; it
//! stands as one character that no SQL has.

/// Stands for a piece of code in the text.
pub(super) const HOLE: char = '\u{e000}';

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A key word or a plain name.
    Word,
    Number,
    /// `'…'`
    Text,
    /// `"…"`: a name in Postgres, a text in `MySQL`, either in `SQLite`.
    Double,
    /// A name in backticks or brackets.
    Name,
    /// `E'…'`, `N'…'`, `x'…'`, `$$…$$`: a text that is not read as it is written.
    Odd,
    /// `?`, `??`, `$1`, `:name`, `@name`
    Mark,
    Operator,
    Open,
    Close,
    Comma,
    Semicolon,
    Dot,
    /// `::`
    Cast,
    Hole,
    Comment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of a text, comments among them. `None` where a string or comment does not end.
pub(super) fn lex(text: &str, backslashes: bool) -> Option<Vec<Token>> {
    let mut lexer = Lexer { text, at: 0, backslashes, depth: 0 };
    let mut tokens = Vec::new();
    while let Some(first) = lexer.peek() {
        if first.is_whitespace() {
            lexer.at += first.len_utf8();
            continue;
        }
        let start = lexer.at;
        let kind = lexer.next(first)?;
        tokens.push(Token { kind, start, end: lexer.at });
    }
    Some(tokens)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Backslashes in strings escape, as in `MySQL`.
    backslashes: bool,
    /// Open brackets of an array, which are no names.
    depth: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self, first: char) -> Option<Kind> {
        let rest = self.rest();
        if rest.starts_with("--") || (first == '#' && self.backslashes) {
            self.at += rest.find('\n').unwrap_or(rest.len());
            return Some(Kind::Comment);
        }
        if rest.starts_with("/*") {
            self.at += rest.find("*/")? + 2;
            return Some(Kind::Comment);
        }
        match first {
            HOLE => Some(self.one(first, Kind::Hole)),
            '\'' => self.quoted('\'', Kind::Text),
            '"' => self.quoted('"', Kind::Double),
            '`' => self.quoted('`', Kind::Name),
            '(' => Some(self.one(first, Kind::Open)),
            ')' => Some(self.one(first, Kind::Close)),
            ',' => Some(self.one(first, Kind::Comma)),
            ';' => Some(self.one(first, Kind::Semicolon)),
            '.' => Some(self.one(first, Kind::Dot)),
            '[' | ']' => Some(self.bracket(first)),
            '?' => Some(self.question()),
            '$' => self.dollar(),
            ':' | '@' => Some(self.named(first)),
            it if it.is_ascii_digit() => {
                self.skip(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
                Some(Kind::Number)
            }
            it if is_word(it) => self.word(),
            _ => Some(self.operator()),
        }
    }

    fn one(&mut self, first: char, kind: Kind) -> Kind {
        self.at += first.len_utf8();
        kind
    }

    fn skip(&mut self, while_true: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !while_true(c)).unwrap_or(rest.len());
    }

    fn quoted(&mut self, mark: char, kind: Kind) -> Option<Kind> {
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, it)) = chars.next() {
            if it == '\\' && self.backslashes && mark != '`' {
                chars.next();
            } else if it == mark {
                if chars.peek().is_some_and(|(_, next)| *next == mark) {
                    chars.next();
                    continue;
                }
                self.at += at + mark.len_utf8();
                return Some(kind);
            }
        }
        None
    }

    fn bracket(&mut self, first: char) -> Kind {
        let before = self.text[..self.at].trim_end();
        let indexes = before.ends_with(|c: char| is_word(c) || c == ']' || c == ')');
        if first == ']' || indexes || self.depth > 0 {
            self.depth = if first == '[' { self.depth + 1 } else { self.depth.saturating_sub(1) };
            return self.one(first, Kind::Operator);
        }
        match self.rest().find(']') {
            Some(end) => {
                self.at += end + 1;
                Kind::Name
            }
            None => self.one(first, Kind::Operator),
        }
    }

    /// A mark, or an operator of Postgres for JSON.
    fn question(&mut self) -> Kind {
        let rest = self.rest();
        let is_operator = ["?|", "?&"].iter().any(|it| rest.starts_with(it));
        self.at += if is_operator || rest.starts_with("??") { 2 } else { 1 };
        if is_operator { Kind::Operator } else { Kind::Mark }
    }

    fn dollar(&mut self) -> Option<Kind> {
        let rest = self.rest();
        let name = rest[1..].find(|c: char| !is_word(c)).map_or(rest.len(), |it| it + 1);
        if rest[name..].starts_with('$') {
            let tag = &rest[..=name];
            let end = rest[name + 1..].find(tag)?;
            self.at += name + 1 + end + tag.len();
            return Some(Kind::Odd);
        }
        self.at += name;
        Some(if name > 1 { Kind::Mark } else { Kind::Operator })
    }

    fn named(&mut self, first: char) -> Kind {
        if self.rest().starts_with("::") {
            self.at += 2;
            return Kind::Cast;
        }
        let next = self.rest()[1..].chars().next();
        if next.is_some_and(|it| is_word(it) || (first == '@' && it == '@')) {
            self.at += 1;
            self.skip(|c| is_word(c) || c == '@');
            return Kind::Mark;
        }
        self.operator()
    }

    fn word(&mut self) -> Option<Kind> {
        let start = self.at;
        self.skip(is_word);
        let word = &self.text[start..self.at];
        let is_prefix = ["e", "n", "b", "x", "u"].iter().any(|it| word.eq_ignore_ascii_case(it));
        if is_prefix && self.peek() == Some('\'') {
            return self.quoted('\'', Kind::Odd);
        }
        Some(Kind::Word)
    }

    fn operator(&mut self) -> Kind {
        const LONGEST_FIRST: &[&str] = &[
            "->>", "#>>", "!~~", "<=>", "<=", ">=", "<>", "!=", "==", "||", "->", "#>", "@>", "<@",
            "&&", "!~", "~*", "<<", ">>", ":=",
        ];
        let rest = self.rest();
        let known = LONGEST_FIRST.iter().find(|it| rest.starts_with(**it)).map(|it| it.len());
        let first = rest.chars().next().map_or(1, char::len_utf8);
        self.at += known.unwrap_or(first);
        Kind::Operator
    }
}

pub(super) fn is_word(c: char) -> bool {
    c != HOLE && (c.is_alphanumeric() || c == '_' || c == '$')
}

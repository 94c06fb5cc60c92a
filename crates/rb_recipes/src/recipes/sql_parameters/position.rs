//! Where in a statement a hole stands: where a value may stand, or where only a name or an SQL fragment can.

use super::driver::Dialect;
use super::lexer::{HOLE, Kind, Token, is_word};

/// How a value is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum How {
    /// Beside a comparison; is the other side a column?
    Compare {
        column: bool,
    },
    /// In `VALUES` or `SET`: the column decides on the type.
    Stored,
    Limit,
    /// An element of `IN (…)`.
    Element,
    /// All of `IN (…)`: from the word, or from `NOT` before it, to the bracket behind.
    List {
        from: usize,
        to: usize,
        negated: bool,
    },
    /// An argument of a function.
    Argument(String),
    /// Behind the name of its type, which begins here: `interval '…'`.
    Typed {
        from: usize,
        name: String,
    },
    /// Beside an operator that computes.
    Computed(String),
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    Value {
        how: How,
        cast: bool,
    },
    /// What stands there instead, and cannot be a parameter.
    Not(&'static str),
}

/// One place where a parameter may come: a hole of its own, or a text with holes in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) token: Token,
    pub(super) position: Position,
}

struct Frame {
    opener: String,
    /// Of the statement around, where the bracket was opened.
    outer: String,
    clause: String,
    between: bool,
    start: usize,
}

/// All places of a text where holes stand, in order. `opening` is the clause that a piece of a statement belongs to.
pub(super) fn spots(flat: &str, tokens: &[Token], dialect: Dialect, opening: &str) -> Vec<Spot> {
    let plain: Vec<Token> = tokens.iter().copied().filter(|it| it.kind != Kind::Comment).collect();
    let mut reader =
        Reader { flat, plain: &plain, dialect, frames: vec![Frame::new("", "", opening, 0)] };
    let mut found: Vec<Spot> = tokens
        .iter()
        .filter(|it| it.kind == Kind::Comment && flat[it.start..it.end].contains(HOLE))
        .map(|it| Spot { token: *it, position: Position::Not("part of a comment") })
        .collect();
    for (at, &token) in plain.iter().enumerate() {
        if flat[token.start..token.end].contains(HOLE) {
            found.push(Spot { token, position: reader.position(at) });
        }
        reader.step(at);
    }
    found.sort_by_key(|it| it.token.start);
    found
}

impl Frame {
    fn new(opener: &str, outer: &str, clause: &str, start: usize) -> Self {
        let (opener, outer) = (opener.to_owned(), outer.to_owned());
        Frame { opener, outer, clause: clause.to_owned(), between: false, start }
    }
}

const CLAUSES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "SET",
    "VALUES",
    "VALUE",
    "ORDER",
    "GROUP",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "ON",
    "JOIN",
    "INTO",
    "RETURNING",
    "UPDATE",
    "USING",
    "FETCH",
    "TABLE",
    "INSERT",
    "PARTITION",
    "WINDOW",
    "PRAGMA",
    "ALTER",
    "CREATE",
    "DROP",
];

const COMPARING_WORDS: &[&str] =
    &["LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "MATCH", "BETWEEN", "SIMILAR", "TO"];

/// Words behind which a text is a value.
const BEFORE_VALUES: &[&str] = &[
    "SELECT",
    "DISTINCT",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "ON",
    "HAVING",
    "THEN",
    "ELSE",
    "WHEN",
    "CASE",
    "ZONE",
    "RETURNING",
    "VALUES",
    "VALUE",
    "IN",
];

/// Types of Postgres whose name can stand before a text.
const TYPES: &[&str] =
    &["INTERVAL", "DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "UUID", "JSONB", "JSON", "INET"];

struct Reader<'r> {
    flat: &'r str,
    plain: &'r [Token],
    dialect: Dialect,
    frames: Vec<Frame>,
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        self.plain.get(at).map_or("", |it| &self.flat[it.start..it.end])
    }

    fn upper(&self, at: usize) -> String {
        self.text(at).to_ascii_uppercase()
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.plain.get(at).map(|it| it.kind)
    }

    fn frame(&self) -> &Frame {
        self.frames.last().expect("the first frame is never taken off")
    }

    fn step(&mut self, at: usize) {
        match self.plain[at].kind {
            Kind::Word => {
                let word = self.upper(at);
                let frame = self.frames.last_mut().expect("the first frame is never taken off");
                match word.as_str() {
                    "BETWEEN" => frame.between = true,
                    "AND" | "OR" => frame.between = false,
                    it if CLAUSES.contains(&it) => it.clone_into(&mut frame.clause),
                    _ => {}
                }
            }
            Kind::Open => {
                let clause = self.frame().clause.clone();
                let before = at.checked_sub(1);
                let opener = match before.and_then(|it| self.kind(it)) {
                    Some(Kind::Word | Kind::Name) => {
                        before.map(|it| self.upper(it)).unwrap_or_default()
                    }
                    Some(Kind::Comma) if clause == "VALUES" => "VALUES".to_owned(),
                    _ => String::new(),
                };
                self.frames.push(Frame::new(&opener, &clause, "", at));
            }
            Kind::Close if self.frames.len() > 1 => {
                self.frames.pop();
            }
            Kind::Semicolon => {
                self.frames.truncate(1);
                self.frames[0].clause.clear();
            }
            _ => {}
        }
    }

    fn position(&self, at: usize) -> Position {
        let cast = self.kind(at + 1) == Some(Kind::Cast);
        let how = match self.plain[at].kind {
            // A cast says that it is a value.
            Kind::Hole => self.bare(at).or_else(|what| match what {
                "a column or an SQL fragment" if cast => Ok(How::Other),
                _ => Err(what),
            }),
            Kind::Text => self.quoted(at),
            Kind::Double => match self.dialect {
                Dialect::Mysql => self.quoted(at),
                Dialect::Sqlite => self.quoted(at).and_then(|how| match how {
                    How::Other => Err("a quoted name"),
                    how => Ok(how),
                }),
                Dialect::Postgres | Dialect::Any => Err("a quoted name"),
            },
            Kind::Name => Err("a quoted name"),
            Kind::Odd => Err("part of a prefixed string"),
            _ => Err("part of a longer word"),
        };
        match how {
            Ok(how) => Position::Value { how, cast },
            Err(what) => Position::Not(what),
        }
    }

    /// A hole that is no part of a text.
    fn bare(&self, at: usize) -> Result<How, &'static str> {
        let token = self.plain[at];
        let before = self.flat[..token.start].chars().next_back();
        let after = self.flat[token.end..].chars().next();
        let is_glued = |it: Option<char>| it.is_some_and(|c| is_word(c) || c == HOLE || c == '.');
        if is_glued(before)
            || is_glued(after)
            || before.is_some_and(|it| "'\"`:@".contains(it) && it != ':')
        {
            return Err("part of a name");
        }
        if matches!(
            self.kind(at + 1),
            Some(Kind::Open | Kind::Dot | Kind::Hole | Kind::Text | Kind::Number)
        ) {
            return Err("a name or an SQL fragment");
        }
        let Some(previous) = at.checked_sub(1) else {
            let is_sorting = matches!(self.frame().clause.as_str(), "ORDER" | "GROUP");
            return Err(if is_sorting { "a sort or grouping key" } else { "an SQL fragment" });
        };
        if let Some(found) = self.list(at) {
            return Ok(found);
        }
        self.misplaced(previous)?;
        let word = self.upper(previous);
        match self.plain[previous].kind {
            Kind::Operator => Ok(self.beside(previous, &word)),
            Kind::Word => self.behind(previous, &word),
            Kind::Open | Kind::Comma => self.within(&word),
            Kind::Hole => Err("a name or an SQL fragment"),
            _ => Err("an SQL fragment"),
        }
    }

    /// Sorting, tables and columns take names.
    fn misplaced(&self, previous: usize) -> Result<(), &'static str> {
        let word = self.upper(previous);
        let asks_for_name = matches!(
            word.as_str(),
            "FROM" | "JOIN" | "INTO" | "TABLE" | "UPDATE" | "EXISTS" | "," | "ONLY" | "IGNORE"
        );
        let is_compared = self.plain[previous].kind == Kind::Operator;
        match self.frame().clause.as_str() {
            // A piece of SQL before it may have begun another clause.
            "FROM" | "JOIN" if is_compared => Ok(()),
            "ORDER" | "GROUP" | "PARTITION" | "WINDOW" => Err("a sort or grouping key"),
            "FROM" | "JOIN" | "INTO" | "TABLE" | "INSERT" if asks_for_name => Err("a table name"),
            "FROM" | "JOIN" | "INTO" | "TABLE" | "INSERT" => Err("an SQL fragment"),
            "ALTER" | "CREATE" | "DROP" => Err("a name in a definition"),
            _ => Ok(()),
        }
    }

    fn beside(&self, operator: usize, text: &str) -> How {
        match text {
            "=" if self.frame().clause == "SET" => How::Stored,
            "=" | "==" | "<" | ">" | "<=" | ">=" | "<>" | "!=" | "<=>" | "~" | "!~" => {
                How::Compare { column: self.is_column(operator) }
            }
            _ => How::Computed(text.to_owned()),
        }
    }

    /// Is what stands before an operator a column?
    fn is_column(&self, operator: usize) -> bool {
        let Some(side) = operator.checked_sub(1) else { return false };
        match self.plain[side].kind {
            Kind::Name | Kind::Double => true,
            Kind::Word => {
                let computes = side.checked_sub(1).is_some_and(|it| {
                    matches!(self.kind(it), Some(Kind::Operator)) && self.text(it) != "="
                });
                !computes
                    && !matches!(
                        self.upper(side).as_str(),
                        "NOT" | "NULL" | "TRUE" | "FALSE" | "END"
                    )
            }
            _ => false,
        }
    }

    fn behind(&self, previous: usize, word: &str) -> Result<How, &'static str> {
        let column = |word: usize| {
            let is_not = word.checked_sub(1).is_some_and(|it| self.upper(it) == "NOT");
            self.is_column(if is_not { word - 1 } else { word })
        };
        match word {
            "AND" if self.frame().between => Ok(How::Compare { column: true }),
            "LIMIT" | "OFFSET" => Ok(How::Limit),
            it if COMPARING_WORDS.contains(&it) => Ok(How::Compare { column: column(previous) }),
            "INTERVAL" if self.dialect == Dialect::Mysql => {
                Ok(How::Argument("INTERVAL".to_owned()))
            }
            "THEN" | "ELSE" | "WHEN" | "SELECT"
                if !self.frame().opener.is_empty() || word != "SELECT" =>
            {
                Ok(How::Other)
            }
            "IS" => Err("the operand of `IS`"),
            "WHERE" | "AND" | "OR" | "ON" | "HAVING" | "NOT" => Err("a column or a condition"),
            "BY" | "ASC" | "DESC" => Err("a sort or grouping key"),
            "SELECT" | "DISTINCT" | "RETURNING" => Err("a column or an SQL fragment"),
            _ => Err("a name or an SQL fragment"),
        }
    }

    fn within(&self, before: &str) -> Result<How, &'static str> {
        let frame = self.frame();
        match (frame.opener.as_str(), frame.outer.as_str()) {
            ("VALUES" | "VALUE", _) => Ok(How::Stored),
            ("IN", _) => Ok(How::Element),
            (_, "INTO" | "INSERT" | "TABLE" | "CREATE") => Err("a column name"),
            ("ANY" | "ALL" | "SOME" | "ARRAY", _) => Err("a list"),
            ("", _) if frame.clause == "LIMIT" && before == "," => Ok(How::Limit),
            (
                "" | "AND" | "OR" | "WHERE" | "ON" | "NOT" | "FROM" | "SELECT" | "AS" | "EXISTS"
                | "USING",
                _,
            ) => Err("a column or an SQL fragment"),
            (function, _) if frame.clause.is_empty() => Ok(How::Argument(function.to_owned())),
            _ => Err("a column or an SQL fragment"),
        }
    }

    /// `IN (…)` with nothing but this in it.
    fn list(&self, at: usize) -> Option<How> {
        let frame = self.frame();
        if frame.opener != "IN" || frame.start + 1 != at || self.kind(at + 1) != Some(Kind::Close) {
            return None;
        }
        let word = frame.start.checked_sub(1)?;
        let negated = word.checked_sub(1).is_some_and(|it| self.upper(it) == "NOT");
        let from = self.plain[if negated { word - 1 } else { word }].start;
        Some(How::List { from, to: self.plain[at + 1].end, negated })
    }

    /// A text with holes in it.
    fn quoted(&self, at: usize) -> Result<How, &'static str> {
        if matches!(self.kind(at + 1), Some(Kind::Text | Kind::Odd | Kind::Hole | Kind::Dot)) {
            return Err("one of several adjacent strings");
        }
        let Some(previous) = at.checked_sub(1) else { return Err("an SQL fragment") };
        let token = self.plain[at];
        if let Some(found) = self.list(at)
            && self.flat[token.start + 1..token.end - 1].chars().eq([HOLE])
        {
            return Ok(found);
        }
        self.misplaced(previous)?;
        let word = self.upper(previous);
        match self.plain[previous].kind {
            Kind::Operator => Ok(self.beside(previous, &word)),
            Kind::Word if BEFORE_VALUES.contains(&word.as_str()) && !self.frame().between => {
                Ok(How::Other)
            }
            Kind::Word if word == "AND" || COMPARING_WORDS.contains(&word.as_str()) => {
                self.behind(previous, &word)
            }
            Kind::Word if self.dialect == Dialect::Postgres && TYPES.contains(&word.as_str()) => {
                Ok(How::Typed { from: self.plain[previous].start, name: word.to_lowercase() })
            }
            Kind::Word => Err("a string that belongs to the keyword before it"),
            Kind::Open | Kind::Comma => match self.within(&word) {
                Err("a column or an SQL fragment") => Ok(How::Other),
                other => other,
            },
            _ => Err("an SQL fragment"),
        }
    }
}

//! How deep the tree of a file can be, told from its tokens.
//!
//! Trees are walked and dropped by recursion, so a file that nests too deeply is refused before it is parsed. The depth is an upper bound that
//! follows the precedence of operators: `a.b.c * d + e` is a chain of two accessors below a product below a sum.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// Above what people and most generators write, and shallow enough for the stack of any thread.
pub(crate) const LIMIT: usize = 1000;

/// Can the tree of this text be deeper than the limit?
pub(crate) fn is_too_deep(text: &str, mode: Mode) -> bool {
    // Every level takes at least one byte.
    text.len() > LIMIT && depth(text, mode) > LIMIT
}

/// An upper bound. Stops as soon as it is above the limit.
pub(crate) fn depth(text: &str, mode: Mode) -> usize {
    let mut lexer = lexer::lex(text, mode);
    let mut depth = Depth::default();
    let mut deepest = 0;
    while deepest <= LIMIT {
        let token = lexer.next_token();
        if token == TokenKind::EndOfFile {
            break;
        }
        depth.add(token);
        deepest = deepest.max(depth.total());
    }
    deepest
}

#[derive(Default)]
struct Depth {
    blocks: usize,
    /// Outside of all brackets.
    line: Element,
    /// One for each open bracket or f-string.
    open: Vec<Element>,
    /// Of all that is open.
    sum: usize,
}

/// What is between two commas. Each number is the depth of a tree, or what the operators seen so far put on top of it.
#[derive(Default, Clone, Copy)]
struct Element {
    /// The deepest of the elements before.
    before: usize,
    /// `not`, `lambda`, `if … else`: what comes behind is below them.
    prefixes: usize,
    /// A comma between the parameters of a lambda ends no element.
    open_lambdas: usize,
    /// The deepest of what `and`, `or` and comparisons have joined, side by side.
    operand: usize,
    /// `a + b + c`: each puts one more level on top of all before.
    sums: usize,
    /// The deepest of their terms.
    term: usize,
    /// `a.b[c](d) * e` likewise.
    accesses: usize,
    /// The deepest bracket of the current term.
    bracket: usize,
    /// The text of an f-string, whose `{…}` stand side by side.
    is_text: bool,
}

impl Depth {
    fn total(&self) -> usize {
        self.blocks + self.line.depth() + self.sum
    }

    fn add(&mut self, token: TokenKind) {
        match token {
            TokenKind::Indent => self.blocks += 1,
            TokenKind::Dedent => self.blocks = self.blocks.saturating_sub(1),
            TokenKind::Newline => {
                self.line = Element::default();
                self.open.clear();
                self.sum = 0;
            }
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => {
                self.change(|element| element.accesses += usize::from(!element.is_text));
                let is_text = matches!(token, TokenKind::FStringStart | TokenKind::TStringStart);
                let element = Element { is_text, ..Element::default() };
                self.open.push(element);
                self.sum += element.depth();
            }
            TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd => {
                if let Some(closed) = self.open.pop() {
                    self.sum -= closed.depth();
                    self.change(|element| element.bracket = element.bracket.max(closed.depth()));
                }
            }
            other => self.change(|element| element.add(other)),
        }
    }

    fn change(&mut self, change: impl Fn(&mut Element)) {
        match self.open.last_mut() {
            Some(element) => {
                let before = element.depth();
                change(element);
                self.sum = self.sum + element.depth() - before;
            }
            None => change(&mut self.line),
        }
    }
}

impl Element {
    fn depth(&self) -> usize {
        let term = self.term.max(self.accesses + self.bracket);
        self.before.max(1 + self.prefixes + self.operand.max(self.sums + term))
    }

    fn add(&mut self, token: TokenKind) {
        match token {
            TokenKind::Comma if self.open_lambdas == 0 => {
                let is_text = self.is_text;
                *self = Element { before: self.depth(), is_text, ..Element::default() };
            }
            TokenKind::Semi => *self = Element { before: self.depth(), ..Element::default() },
            TokenKind::Lambda => {
                self.open_lambdas += 1;
                self.end_operand(1);
            }
            TokenKind::Colon => {
                self.open_lambdas = self.open_lambdas.saturating_sub(1);
                self.end_operand(0);
            }
            TokenKind::Not
            | TokenKind::If
            | TokenKind::Else
            | TokenKind::Await
            | TokenKind::Yield
            | TokenKind::From
            | TokenKind::ColonEqual => self.end_operand(1),
            TokenKind::And
            | TokenKind::Or
            | TokenKind::In
            | TokenKind::Is
            | TokenKind::EqEqual
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::Equal => self.end_operand(0),
            TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Vbar
            | TokenKind::CircumFlex
            | TokenKind::Amper
            | TokenKind::LeftShift
            | TokenKind::RightShift => {
                self.term = self.term.max(self.accesses + self.bracket);
                (self.accesses, self.bracket) = (0, 0);
                self.sums += 1;
            }
            TokenKind::Dot
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::DoubleSlash
            | TokenKind::Percent
            | TokenKind::At
            | TokenKind::DoubleStar
            | TokenKind::Tilde => self.accesses += 1,
            _ => {}
        }
    }

    /// What comes now stands beside what was, below so many more prefixes.
    fn end_operand(&mut self, prefixes: usize) {
        let term = self.term.max(self.accesses + self.bracket);
        self.operand = self.operand.max(self.sums + term);
        (self.sums, self.term, self.accesses, self.bracket) = (0, 0, 0, 0);
        self.prefixes += prefixes;
    }
}

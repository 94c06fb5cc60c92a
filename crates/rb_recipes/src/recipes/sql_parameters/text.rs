//! The text of a statement as code builds it: literals, and holes where code stands.
//!
//! Templates, `+`, `[…].join(…)` and names of constants are laid out flat. Each byte knows where it was written, so that a
//! piece of SQL can be replaced in the code; what cannot be edited in place knows no such place.

use oxc_ast::ast::{BinaryExpression, BinaryOperator, CallExpression, Expression, TemplateLiteral};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, Types};

use super::code::{constant, decoded, is_logged, outer};
use super::lexer::HOLE;

const DEPTH: u32 = 6;
const NOWHERE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Which literal it was written in.
    pub(super) literal: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Literal {
    /// Between the quotes.
    pub(super) content: Span,
    pub(super) mark: char,
    /// Literals of one group stand in one chain of `+`.
    pub(super) group: u32,
}

/// How a hole stands in the code.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seat {
    /// With `${` and `}`.
    Template,
    /// Between `+`, with its parentheses; the literals beside it.
    Operand { span: Span, left: Option<u32>, right: Option<u32> },
    /// An element of an array, or all there is.
    Alone(Span),
}

pub(super) struct Hole<'a> {
    /// In the flat text.
    pub(super) at: usize,
    pub(super) expression: &'a Expression<'a>,
    pub(super) seat: Seat,
}

pub(super) struct SqlText<'a> {
    pub(super) flat: String,
    pub(super) holes: Vec<Hole<'a>>,
    /// Names that were followed, each run here alone.
    pub(super) through: Vec<SymbolId>,
    /// It is not only run, it is shown to somebody, too.
    pub(super) is_logged: bool,
    pub(super) spots: Vec<Spot>,
    pub(super) literals: Vec<Literal>,
    groups: u32,
}

/// What comes into the place of a hole.
pub(super) enum Put<'p> {
    /// Text of SQL.
    Text(&'p str),
    /// Code that gives text of SQL.
    Code(&'p str),
}

/// Lays out a text. `None` for one that cannot be read.
pub(super) fn read<'a>(module: &Module<'a>, expression: &'a Expression<'a>) -> Option<SqlText<'a>> {
    let mut text = SqlText {
        flat: String::new(),
        holes: Vec::new(),
        through: Vec::new(),
        is_logged: false,
        spots: Vec::new(),
        literals: Vec::new(),
        groups: 0,
    };
    text.expression(module, expression, DEPTH)?;
    (!text.flat.is_empty()).then_some(text)
}

/// Does it give a text whatever its parts are?
pub(super) fn is_text(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
        Expression::BinaryExpression(it) if it.operator == BinaryOperator::Addition => {
            is_text(&it.left) || is_text(&it.right)
        }
        Expression::CallExpression(it) => joined(it).is_some(),
        _ => false,
    }
}

impl<'a> SqlText<'a> {
    fn expression(
        &mut self,
        module: &Module<'a>,
        expression: &'a Expression<'a>,
        depth: u32,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        self.groups += 1;
        match expression.get_inner_expression() {
            Expression::StringLiteral(it) => self.string(module, it.span).map(drop),
            Expression::TemplateLiteral(it) => self.template(module, it, depth),
            Expression::BinaryExpression(it) if is_text(expression) => self.sum(module, it, depth),
            Expression::CallExpression(it) => match joined(it) {
                Some((elements, separator)) => self.elements(module, elements, separator, depth),
                None => {
                    self.hole(expression, Seat::Alone(outer(module, expression.span())));
                    Some(())
                }
            },
            Expression::Identifier(_) if self.name(module, expression, depth).is_some() => Some(()),
            _ => {
                self.hole(expression, Seat::Alone(outer(module, expression.span())));
                Some(())
            }
        }
    }

    /// Lays out what is added to the text later.
    pub(super) fn append(
        &mut self,
        module: &Module<'a>,
        expression: &'a Expression<'a>,
    ) -> Option<()> {
        self.expression(module, expression, DEPTH)
    }

    /// Was this byte written in a template?
    pub(super) fn is_in_template(&self, at: usize) -> bool {
        let literal = self.spots.get(at).and_then(|it| self.literal_of(it));
        literal.is_some_and(|it| it.mark == '`')
    }

    fn hole(&mut self, expression: &'a Expression<'a>, seat: Seat) {
        let at = self.flat.len();
        self.push(HOLE, Spot { start: NOWHERE, end: NOWHERE, literal: NOWHERE });
        self.holes.push(Hole { at, expression, seat });
    }

    fn push(&mut self, character: char, spot: Spot) {
        self.flat.push(character);
        self.spots.resize(self.flat.len(), spot);
    }

    fn fixed(&mut self, text: &str) {
        for character in text.chars() {
            self.push(character, Spot { start: NOWHERE, end: NOWHERE, literal: NOWHERE });
        }
    }

    /// A constant, or a text that is put together for this one use.
    fn name(
        &mut self,
        module: &Module<'a>,
        expression: &'a Expression<'a>,
        depth: u32,
    ) -> Option<()> {
        let symbol = module.symbol_of(expression)?;
        if let Some(text) = constant(module, expression) {
            self.fixed(&text);
            return Some(());
        }
        let init = module.initializer(symbol)?;
        let logged = module.value_uses(symbol).filter(|it| is_logged(module, it.node)).count();
        let is_only_here = module.value_uses(symbol).count() == logged + 1;
        if module.is_top_level(symbol) || !is_only_here || !is_text(init) {
            return None;
        }
        self.is_logged |= logged > 0;
        self.through.push(symbol);
        self.expression(module, init, depth)
    }

    fn string(&mut self, module: &Module<'a>, span: Span) -> Option<u32> {
        let mark = module.slice(span).chars().next()?;
        let content = Span::new(span.start + 1, span.end - 1);
        let id = self.literal(content, mark);
        self.raw(module, content, id)?;
        Some(id)
    }

    fn literal(&mut self, content: Span, mark: char) -> u32 {
        self.literals.push(Literal { content, mark, group: self.groups });
        u32::try_from(self.literals.len() - 1).unwrap_or(NOWHERE)
    }

    fn raw(&mut self, module: &Module<'a>, span: Span, literal: u32) -> Option<()> {
        let text = module.slice(span);
        let mut at = 0;
        while at < text.len() {
            let (character, length) = decoded(&text[at..])?;
            let start = span.start + u32::try_from(at).ok()?;
            let end = start + u32::try_from(length).ok()?;
            if let Some(character) = character {
                if character == HOLE {
                    return None;
                }
                self.push(character, Spot { start, end, literal });
            }
            at += length;
        }
        Some(())
    }

    fn template(
        &mut self,
        module: &Module<'a>,
        template: &'a TemplateLiteral<'a>,
        depth: u32,
    ) -> Option<()> {
        let content = Span::new(template.span.start + 1, template.span.end - 1);
        let id = self.literal(content, '`');
        for (at, quasi) in template.quasis.iter().enumerate() {
            self.raw(module, quasi.span, id)?;
            let (Some(inner), Some(next)) =
                (template.expressions.get(at), template.quasis.get(at + 1))
            else {
                continue;
            };
            let known = matches!(inner, Expression::Identifier(_) | Expression::TemplateLiteral(_));
            let before = self.holes.len();
            if known
                && (self.name(module, inner, depth).is_some()
                    || self.nested(module, inner, depth).is_some())
            {
                continue;
            }
            debug_assert_eq!(
                before,
                self.holes.len(),
                "a name that is not followed leaves nothing"
            );
            self.holes.push(Hole { at: self.flat.len(), expression: inner, seat: Seat::Template });
            self.push(HOLE, Spot { start: quasi.span.end, end: next.span.start, literal: id });
        }
        Some(())
    }

    fn nested(&mut self, module: &Module<'a>, inner: &'a Expression<'a>, depth: u32) -> Option<()> {
        matches!(inner, Expression::TemplateLiteral(_))
            .then(|| self.expression(module, inner, depth))?
    }

    /// What `sql = sql + …` adds.
    pub(super) fn append_rest(
        &mut self,
        module: &Module<'a>,
        sum: &'a BinaryExpression<'a>,
    ) -> Option<()> {
        self.groups += 1;
        let mut operands = Vec::new();
        flatten(module, sum, &mut operands);
        self.operands(module, &operands[1..], DEPTH)
    }

    fn sum(
        &mut self,
        module: &Module<'a>,
        sum: &'a BinaryExpression<'a>,
        depth: u32,
    ) -> Option<()> {
        let mut operands = Vec::new();
        flatten(module, sum, &mut operands);
        self.operands(module, &operands, depth)
    }

    fn operands(
        &mut self,
        module: &Module<'a>,
        operands: &[&'a Expression<'a>],
        depth: u32,
    ) -> Option<()> {
        let group = self.groups;
        let is_literal = |it: &Expression<'a>| {
            matches!(
                it.get_inner_expression(),
                Expression::StringLiteral(_) | Expression::TemplateLiteral(_)
            ) && outer(module, it.span()) == it.span()
        };
        let mut left = None;
        for (at, operand) in operands.iter().enumerate() {
            self.groups = group;
            if is_literal(operand) {
                left = u32::try_from(self.literals.len()).ok();
                match operand.get_inner_expression() {
                    Expression::TemplateLiteral(it) => self.template(module, it, depth)?,
                    other => self.string(module, other.span()).map(drop)?,
                }
                continue;
            }
            let followed = matches!(operand.get_inner_expression(), Expression::Identifier(_))
                && self.name(module, operand, depth).is_some();
            if !followed {
                let is_next = operands.get(at + 1).is_some_and(|it| is_literal(it));
                let right = is_next.then(|| u32::try_from(self.literals.len()).ok()).flatten();
                let span = outer(module, operand.span());
                self.hole(operand, Seat::Operand { span, left, right });
            }
            left = None;
        }
        self.groups = group + 1;
        Some(())
    }

    fn elements(
        &mut self,
        module: &Module<'a>,
        elements: &'a [oxc_ast::ast::ArrayExpressionElement<'a>],
        separator: &str,
        depth: u32,
    ) -> Option<()> {
        for (at, element) in elements.iter().enumerate() {
            if at > 0 {
                self.fixed(separator);
            }
            self.expression(module, element.as_expression()?, depth)?;
        }
        Some(())
    }

    /// The holes within a piece of the flat text.
    pub(super) fn holes_within(&self, from: usize, to: usize) -> impl Iterator<Item = &Hole<'a>> {
        self.holes.iter().filter(move |it| (from..to).contains(&it.at))
    }
}

/// The first operand of a chain of `+`.
pub(super) fn first_operand<'a>(sum: &'a BinaryExpression<'a>) -> &'a Expression<'a> {
    let mut first = &sum.left;
    while let Expression::BinaryExpression(inner) = first {
        first = &inner.left;
    }
    first
}

/// The operands of a chain of `+`, left to right, as far as each sum is one of texts.
fn flatten<'a>(
    module: &Module<'a>,
    sum: &'a BinaryExpression<'a>,
    out: &mut Vec<&'a Expression<'a>>,
) {
    match sum.left.get_inner_expression() {
        Expression::BinaryExpression(left)
            if left.operator == BinaryOperator::Addition && is_sum_of_texts(module, &sum.left) =>
        {
            flatten(module, left, out);
        }
        _ => out.push(&sum.left),
    }
    out.push(&sum.right);
}

/// A sum in which the first `+` already puts texts together, without parentheses of its own.
fn is_sum_of_texts<'a>(module: &Module<'a>, sum: &'a Expression<'a>) -> bool {
    outer(module, sum.span()) == sum.span()
        && (is_text(sum) || module.types(sum).is_only(Types::STRING))
}

/// The elements of `[…].join(…)`, and what is put between them.
fn joined<'c, 'a>(
    call: &'c CallExpression<'a>,
) -> Option<(&'c [oxc_ast::ast::ArrayExpressionElement<'a>], &'c str)> {
    let member = call.callee.as_member_expression()?;
    if member.static_property_name() != Some("join") {
        return None;
    }
    let Expression::ArrayExpression(array) = member.object().get_inner_expression() else {
        return None;
    };
    let separator = match call.arguments.first().map(|it| it.as_expression()) {
        Some(Some(Expression::StringLiteral(it))) => it.value.as_str(),
        Some(_) => return None,
        None => ",",
    };
    Some((&array.elements, separator))
}

//! Edits that put marks, or code that gives marks, into the text of a statement.

use oxc_span::Span;
use rb_core::Edit;
use rb_ecma::Module;

use super::lexer::HOLE;
use super::text::{Literal, Put, Seat, Spot, SqlText};

impl<'a> SqlText<'a> {
    /// Replaces bytes of the flat text, holes and the SQL around them, in the code.
    pub(super) fn replace(
        &self,
        module: &Module<'a>,
        from: usize,
        to: usize,
        put: &Put<'_>,
    ) -> Option<Vec<Edit>> {
        let (first, last) = (self.spots.get(from)?, self.spots.get(to.checked_sub(1)?)?);
        let edits = match (self.literal_of(first), self.literal_of(last)) {
            (Some(left), Some(_)) if first.literal == last.literal => {
                in_one(left, first.start, last.end, put)
            }
            (Some(left), Some(right)) => {
                self.over_two(module, (left, first), (right, last), put, (from, to))
            }
            (None, None) => self.operand(module, from, to, put),
            _ => None,
        }?;
        (!edits.iter().any(|it| module.has_comment(Span::new(it.start, it.end)))).then_some(edits)
    }

    pub(super) fn literal_of(&self, spot: &Spot) -> Option<&Literal> {
        self.literals.get(spot.literal as usize)
    }

    /// From within one literal, over what is added to it, into another one.
    fn over_two(
        &self,
        module: &Module<'a>,
        (left, first): (&Literal, &Spot),
        (right, last): (&Literal, &Spot),
        put: &Put<'_>,
        (from, to): (usize, usize),
    ) -> Option<Vec<Edit>> {
        if left.group != right.group {
            return None;
        }
        let inside = || self.holes.iter().filter(move |it| (from..to).contains(&it.at));
        let (Some(Seat::Operand { span: one, .. }), Some(Seat::Operand { span: other, .. })) =
            (inside().next().map(|it| it.seat), inside().next_back().map(|it| it.seat))
        else {
            return None;
        };
        match put {
            Put::Text(text) if left.mark == right.mark => {
                Some(vec![Edit::replace(first.start, last.end, *text)])
            }
            Put::Text(text) => {
                let ended = format!("{text}{}", left.mark);
                if last.end == right.content.end {
                    return Some(vec![Edit::replace(first.start, last.end + 1, ended)]);
                }
                let rest = Edit::delete(right.content.start, last.end);
                Some(vec![Edit::replace(first.start, other.end, ended), rest])
            }
            Put::Code(code) => {
                let tail = module.slice(Span::new(last.end, right.content.end)).is_empty();
                let end = if tail { right.content.end + 1 } else { other.end };
                let mut edits = vec![Edit::delete(first.start, left.content.end)];
                edits.push(Edit::replace(one.start, end, (*code).to_owned()));
                if !tail {
                    edits.push(Edit::delete(right.content.start, last.end));
                }
                Some(edits)
            }
        }
    }

    fn operand(
        &self,
        module: &Module<'a>,
        from: usize,
        to: usize,
        put: &Put<'_>,
    ) -> Option<Vec<Edit>> {
        let hole = self.holes.iter().find(|it| it.at == from && it.at + HOLE.len_utf8() == to)?;
        let (span, left, right) = match hole.seat {
            Seat::Template => return None,
            Seat::Alone(span) => (span, None, None),
            Seat::Operand { span, left, right } => (span, left, right),
        };
        let text = match put {
            Put::Code(code) => {
                return Some(vec![Edit::replace(span.start, span.end, (*code).to_owned())]);
            }
            Put::Text(text) => *text,
        };
        let literal = |id: Option<u32>| id.and_then(|id| self.literals.get(id as usize));
        let edit = match (literal(left), literal(right)) {
            (Some(left), Some(right)) if left.mark == right.mark => {
                Edit::replace(left.content.end, right.content.start, text)
            }
            (Some(left), _) => {
                Edit::replace(left.content.end, span.end, format!("{text}{}", left.mark))
            }
            (None, Some(right)) => {
                Edit::replace(span.start, right.content.start, format!("{}{text}", right.mark))
            }
            (None, None) => Edit::replace(span.start, span.end, module.style().quoted(text)),
        };
        Some(vec![edit])
    }

    /// Templates of one line that have no code in them any more get the quotes of the file.
    pub(super) fn plain_quotes(&self, module: &Module<'a>, edits: &[Edit]) -> Vec<Edit> {
        let quote = &module.style().quoted("")[..1];
        let mut out = Vec::new();
        for literal in self.literals.iter().filter(|it| it.mark == '`') {
            let (start, end) = (literal.content.start, literal.content.end);
            let (inside, outside): (Vec<&Edit>, Vec<&Edit>) =
                edits.iter().partition(|it| start <= it.start && it.end <= end);
            let is_crossed = outside.iter().any(|it| it.start <= end && start <= it.end);
            if inside.is_empty() || is_crossed {
                continue;
            }
            let moved: Vec<Edit> = inside
                .iter()
                .map(|it| Edit::replace(it.start - start, it.end - start, it.text.clone()))
                .collect();
            let Ok(after) = rb_core::edit::apply(module.slice(literal.content), &moved) else {
                continue;
            };
            if !after.contains(['\n', '\\', '`']) && !after.contains("${") && !after.contains(quote)
            {
                out.push(Edit::replace(start - 1, start, quote));
                out.push(Edit::replace(end, end + 1, quote));
            }
        }
        out
    }
}

/// Within a literal. Marks need no escapes in any kind of quotes.
fn in_one(literal: &Literal, start: u32, end: u32, put: &Put<'_>) -> Option<Vec<Edit>> {
    match put {
        Put::Text(text) => Some(vec![Edit::replace(start, end, *text)]),
        Put::Code(code) if literal.mark == '`' => {
            Some(vec![Edit::replace(start, end, format!("${{{code}}}"))])
        }
        Put::Code(_) => None,
    }
}

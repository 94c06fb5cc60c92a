//! Paths that are put together from constants: `patch(MODULE + ".name")`, `patch(f"{MODULE}.Class.name")`.

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, FStringPart, InterpolatedStringElement, Operator, Stmt};
use rb_python::{BindingKind, Ranged, Source, TextRange, TextSize};

use super::strings::dotted_paths;
use super::walk::string_content;
use super::{Found, ReferenceKind};
use crate::project::{Project, Value, statement_at, word_ranges};

/// A part of the text, and where it is written if it stands in the expression itself.
struct Piece {
    text: String,
    place: Option<TextRange>,
}

impl Project<'_> {
    pub(super) fn add_computed_paths(
        &self,
        source: &Source,
        name: &str,
        found: &mut Found,
        is_it: &dyn Fn(&Value) -> bool,
    ) {
        for expression in computed(source, name) {
            let mut pieces = Vec::new();
            if self.add_pieces(source, expression, &mut pieces).is_none() {
                continue;
            }
            let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
            for path in dotted_paths(&text) {
                let parts: Vec<&str> = path.parts.iter().map(|(_, part)| *part).collect();
                let values = self.values_of_parts(source, &parts);
                for ((offset, part), value) in path.parts.iter().zip(values) {
                    if *part == name
                        && value.is_some_and(|value| is_it(&value))
                        && let Some(range) = written_at(&pieces, *offset, part.len())
                    {
                        found.add(source, range, ReferenceKind::String);
                    }
                }
            }
        }
    }

    /// None if something in it is not known.
    fn add_pieces(
        &self,
        source: &Source,
        expression: &Expr,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        match expression {
            Expr::BinOp(sum) if sum.op == Operator::Add => {
                self.add_pieces(source, &sum.left, pieces)?;
                self.add_pieces(source, &sum.right, pieces)
            }
            Expr::StringLiteral(_) => {
                let place = string_content(source, expression)?;
                let text = source.slice(place).to_owned();
                pieces.push(Piece { text, place: Some(place) });
                Some(())
            }
            Expr::FString(string) => self.add_f_string(source, string, pieces),
            Expr::Name(name) => {
                let text = self.constant(source, name)?;
                pieces.push(Piece { text, place: None });
                Some(())
            }
            _ => None,
        }
    }

    fn add_f_string(
        &self,
        source: &Source,
        string: &ast::ExprFString,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        let mut parts = string.value.iter();
        let (Some(FStringPart::FString(part)), None) = (parts.next(), parts.next()) else {
            return None;
        };
        for element in &part.elements {
            match element {
                InterpolatedStringElement::Literal(literal) => {
                    let text = source.slice(literal.range()).to_owned();
                    let is_plain = *literal.value == *text;
                    pieces.push(Piece { text, place: is_plain.then(|| literal.range()) });
                }
                InterpolatedStringElement::Interpolation(element) => {
                    let is_plain = element.format_spec.is_none() && element.debug_text.is_none();
                    let inner = Some(&*element.expression).filter(|_| is_plain)?;
                    self.add_pieces(source, inner, pieces)?;
                }
            }
        }
        Some(())
    }

    /// The text of a name that is bound once, to a string; of `__name__` that of the module.
    fn constant(&self, source: &Source, name: &ast::ExprName) -> Option<String> {
        if name.id == "__name__" {
            return Some(self.module_name(source.path()));
        }
        let variable = source.scopes().name_at(name.range())?.variable?;
        let [binding] = &source.scopes().variable(variable).bindings[..] else { return None };
        match (binding.kind, statement_at(source.body(), binding.statement)?) {
            (BindingKind::Assignment, Stmt::Assign(assignment)) => {
                let is_whole = assignment.targets.iter().any(|one| one.range() == binding.range);
                let value = assignment.value.as_string_literal_expr().filter(|_| is_whole)?;
                Some(value.value.to_str().to_owned())
            }
            _ => None,
        }
    }
}

/// Where a part of the whole text is written, if one literal has all of it.
fn written_at(pieces: &[Piece], offset: usize, length: usize) -> Option<TextRange> {
    let mut start = 0;
    for piece in pieces {
        let end = start + piece.text.len();
        if start <= offset && offset + length <= end {
            let size = |length: usize| TextSize::try_from(length).ok();
            return Some(TextRange::at(
                piece.place?.start() + size(offset - start)?,
                size(length)?,
            ));
        }
        start = end;
    }
    None
}

/// Sums and f-strings that have the word in them.
fn computed<'s>(source: &'s Source, name: &str) -> Vec<&'s Expr> {
    let mut collector = Collector { source, name, expressions: Vec::new() };
    collector.visit_body(source.body());
    collector.expressions
}

struct Collector<'s, 'n> {
    source: &'s Source,
    name: &'n str,
    expressions: Vec<&'s Expr>,
}

impl<'s> Visitor<'s> for Collector<'s, '_> {
    fn visit_expr(&mut self, expression: &'s Expr) {
        let is_computed = match expression {
            Expr::BinOp(sum) => sum.op == Operator::Add,
            Expr::FString(_) => true,
            _ => false,
        };
        if is_computed {
            let text = self.source.slice(expression.range());
            if word_ranges(text, self.name).next().is_some() {
                self.expressions.push(expression);
            }
        }
        visitor::walk_expr(self, expression);
    }
}

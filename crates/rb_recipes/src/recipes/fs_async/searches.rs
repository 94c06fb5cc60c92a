//! `filter`, `find`, `some`, `every` and `map` written as loops, where what they give is bound or returned.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Style};

use super::at::At;
use super::loops::{Made, Parts};
use super::model::{Barrier, Kind, Put, Sequence};

/// What comes before the loop, what is done with what is found, what comes behind.
type Search = (String, String, String);

fn bound_search(style: &Style, method: &str, name: &str, element: &str, indent: &str) -> Search {
    let (eol, step, semicolon) = (style.line_end, style.indent, style.semicolon());
    let line = |text: String| format!("{text}{semicolon}{eol}{indent}");
    let inner = format!("{eol}{indent}{step}{step}");
    let ended = |value: &str| {
        format!("{{{inner}{name} = {value}{semicolon}{inner}break{semicolon}{eol}{indent}{step}}}")
    };
    match method {
        "filter" => {
            (line(format!("const {name} = []")), format!("{name}.push({element})"), String::new())
        }
        "find" => (line(format!("let {name}")), ended(element), String::new()),
        "every" => (line(format!("let {name} = true")), ended("false"), String::new()),
        _ => (line(format!("let {name} = false")), ended("true"), String::new()),
    }
}

impl<'a> At<'_, 'a> {
    /// `filter`, `find`, `some`, `every` of a declaration or of `return`.
    pub(super) fn searching(
        &self,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
        method: &str,
    ) -> Made {
        let parts = self.parts(func, call, method)?;
        let Some(body) = func.returned() else {
            return Err((
                func.span(),
                format!("the callback of `{method}` is more than one expression"),
            ));
        };
        let style = self.module.style();
        let (eol, step, semicolon) = (style.line_end, style.indent, style.semicolon());
        let indent = &parts.indent;
        let (before, found, after) = match self.module.parent(call.node_id.get()) {
            AstKind::ReturnStatement(_) => self.returned_search(method, &parts),
            AstKind::VariableDeclarator(it) => {
                let BindingPattern::BindingIdentifier(id) = &it.id else {
                    return Err((call.span, format!("the result of `{method}` is destructured")));
                };
                if it.type_annotation.is_some() || self.module.is_typescript() && method == "find" {
                    return Err((
                        call.span,
                        format!("the type of the result of `{method}` would be lost"),
                    ));
                }
                bound_search(style, method, &id.name, &parts.element, indent)
            }
            _ => return Err((call.span, format!("`{method}` is part of a larger expression"))),
        };
        let body_span = body.span();
        let receiver = parts.receiver.span();
        self.no_comment(Span::new(parts.statement.start, receiver.start))?;
        self.no_comment(Span::new(receiver.end, body_span.start))?;
        self.no_comment(Span::new(body_span.end, parts.statement.end))?;
        let is_negated = method == "every";
        let (left, right) = if is_negated { ("if (!(", "))") } else { ("if (", ")") };
        let open = format!("{before}{}", parts.open());
        let head = format!("{} {{{eol}{indent}{step}{left}", parts.close(style));
        let close = if found.ends_with('}') { "" } else { semicolon };
        let end = format!("{right} {found}{close}{eol}{indent}}}{after}");
        Ok(vec![
            self.replace_open(&parts, &open),
            Put::replace(&self.path, receiver.end, body_span.start, head),
            Put::replace(&self.path, body_span.end, parts.statement.end, end),
        ])
    }

    /// `const ys = xs.map(x => …)`, one after the other.
    pub(super) fn map_loop(
        &self,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Sequence, Barrier> {
        self.mapping(func, call).map_err(|(_, why)| {
            let reason = format!("the callback of `map` does more than read, so its calls must stay sequential, and {why}");
            self.barrier(func.span(), reason, "write the `map` as a loop, then run again")
        })
    }

    fn mapping(
        &self,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Sequence, (Span, String)> {
        let parts = self.parts(func, call, "map")?;
        let Some(body) = func.returned() else {
            return Err((func.span(), "it is more than one expression".to_owned()));
        };
        let style = self.module.style();
        let (eol, step, semicolon) = (style.line_end, style.indent, style.semicolon());
        let indent = &parts.indent;
        let (name, after) = match self.module.parent(call.node_id.get()) {
            AstKind::ReturnStatement(_) => {
                let name = self.module.fresh_name("mapped");
                let after = format!("{eol}{indent}return {name}{semicolon}");
                (name, after)
            }
            AstKind::VariableDeclarator(it) if it.type_annotation.is_none() => match &it.id {
                BindingPattern::BindingIdentifier(id) => (id.name.to_string(), String::new()),
                _ => return Err((call.span, "its result is destructured".to_owned())),
            },
            _ => return Err((call.span, "it is part of a larger expression".to_owned())),
        };
        let (receiver, body_span) = (parts.receiver.span(), body.span());
        for gap in [
            Span::new(parts.statement.start, receiver.start),
            Span::new(receiver.end, body_span.start),
            Span::new(body_span.end, parts.statement.end),
        ] {
            self.no_comment(gap)?;
        }
        let open = format!("const {name} = []{semicolon}{eol}{indent}{}", parts.open());
        let head = format!("{} {{{eol}{indent}{step}{name}.push(", parts.close(style));
        let end = format!("){semicolon}{eol}{indent}}}{after}");
        let mut called = Vec::new();
        if let Expression::CallExpression(it) = body.get_inner_expression() {
            let parts =
                it.arguments.first().map(GetSpan::span).into_iter().chain([it.callee.span()]);
            called.extend(parts.flat_map(|it| [self.key(it, Kind::Use), self.key(it, Kind::Func)]));
        }
        let edits = vec![
            self.replace_open(&parts, &open),
            Put::replace(&self.path, body_span.end, parts.statement.end, end),
            Put::replace(&self.path, receiver.end, body_span.start, head),
        ];
        Ok(Sequence { edits, called })
    }

    fn returned_search(&self, method: &str, parts: &Parts<'a>) -> Search {
        let style = self.module.style();
        let (eol, semicolon, indent) = (style.line_end, style.semicolon(), &parts.indent);
        let ends = |value: &str| format!("{eol}{indent}return {value}{semicolon}");
        match method {
            "some" => (String::new(), "return true".to_owned(), ends("false")),
            "every" => (String::new(), "return false".to_owned(), ends("true")),
            "find" => (String::new(), format!("return {}", parts.element), ends("undefined")),
            _ => {
                let name = self.module.fresh_name("found");
                let before = format!("const {name} = []{semicolon}{eol}{indent}");
                (before, format!("{name}.push({})", parts.element), ends(&name))
            }
        }
    }
}

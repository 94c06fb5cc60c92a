//! JavaScript and TypeScript, with real scopes: a use is free only where no scope around it binds the name.
//!
//! Files that the parser refuses give nothing but the lines of their errors; whoever asks must then stay silent.

mod types;
mod visit;

use oxc_ast::ast::{
    ArrowFunctionExpression, Expression, Function, JSXAttributeItem, JSXAttributeName,
    MethodDefinition, MethodDefinitionKind, PropertyKey,
};
use oxc_ast_visit::Visit;
use oxc_parser::ParserReturn;
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use self::types::{Types, argument_shape, parameters, returns_promise};
use super::{Call, CallForm, Details, Fate, Function as Described};
use crate::language::Language;
use crate::languages::{error_offsets, with_program};

pub(super) fn read(language: Language, text: &str) -> Details {
    let read = with_program(language, text, |parsed| of_program(language, text, parsed));
    read.unwrap_or_else(|| {
        let ends: Vec<usize> = line_ends(text);
        let errors = error_offsets(language, text).into_iter().map(|at| line_at(&ends, at));
        Details { errors: errors.collect(), is_open: true, ..Details::default() }
    })
}

fn of_program(language: Language, text: &str, parsed: &ParserReturn<'_>) -> Details {
    let mut reader = Reader {
        details: Details::default(),
        types: Types::of(&parsed.program),
        is_typed: language != Language::JavaScript,
        lines: line_ends(text),
        scopes: Vec::new(),
        scope: 0,
        hoisted: false,
        in_types: 0,
        uses: Vec::new(),
        calls: Vec::new(),
        fates: FxHashMap::default(),
        owner: None,
    };
    reader.visit_program(&parsed.program);
    let errors = parsed
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.labels.first().map_or(1, |label| reader.line(label.offset())));
    let errors: Vec<u32> = errors.collect();
    reader.finish(errors)
}

fn line_ends(text: &str) -> Vec<usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect()
}

fn line_at(ends: &[usize], offset: u32) -> u32 {
    let before = ends.partition_point(|&end| end < offset as usize);
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

struct Scope<'a> {
    around: usize,
    is_function: bool,
    names: FxHashSet<&'a str>,
}

struct NameUse<'a> {
    name: &'a str,
    scope: usize,
    line: u32,
    is_type: bool,
}

struct Reader<'a> {
    details: Details,
    types: Types<'a>,
    is_typed: bool,
    /// Where each line ends.
    lines: Vec<usize>,
    scopes: Vec<Scope<'a>>,
    scope: usize,
    /// In the declaration of a `var`, which belongs to the function around it.
    hoisted: bool,
    in_types: u32,
    uses: Vec<NameUse<'a>>,
    /// With the scope and the first name of each.
    calls: Vec<(Call, usize, &'a str)>,
    fates: FxHashMap<Span, Fate>,
    owner: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn line(&self, offset: u32) -> u32 {
        line_at(&self.lines, offset)
    }

    fn finish(mut self, errors: Vec<u32>) -> Details {
        let is_local = |mut scope: usize, name: &str| {
            while scope != 0 {
                if self.scopes[scope].names.contains(name) {
                    return true;
                }
                scope = self.scopes[scope].around;
            }
            false
        };
        let is_top = |name: &str| self.scopes.first().is_some_and(|top| top.names.contains(name));
        for used in &self.uses {
            if is_local(used.scope, used.name) {
                continue;
            }
            let entry = self.details.uses.entry(used.name.into()).or_default();
            if entry.values + entry.types == 0 {
                entry.line = used.line;
            }
            if used.is_type {
                entry.types += 1;
            } else {
                entry.values += 1;
            }
            entry.is_free |= !is_top(used.name);
        }
        let calls = std::mem::take(&mut self.calls).into_iter();
        self.details.calls = calls
            .filter(|(_, scope, head)| head.is_empty() || !is_local(*scope, head))
            .map(|(call, ..)| call)
            .collect();
        self.details.errors = errors;
        self.details
    }

    fn bind(&mut self, name: &'a str, scope: usize) {
        let is_top = scope == 0;
        self.details.bind(name, is_top);
        if let Some(scope) = self.scopes.get_mut(scope) {
            scope.names.insert(name);
        }
    }

    fn function_scope(&self) -> usize {
        let mut scope = self.scope;
        while scope != 0 && !self.scopes[scope].is_function {
            scope = self.scopes[scope].around;
        }
        scope
    }

    fn mark(&mut self, expression: &Expression<'a>, fate: Fate) {
        let mut inner = expression.get_inner_expression();
        if let Expression::ChainExpression(chain) = inner {
            self.fates.insert(chain.expression.span(), fate);
            return;
        }
        if let Expression::AwaitExpression(_) = inner {
            return;
        }
        if let Expression::SequenceExpression(list) = inner
            && let Some(last) = list.expressions.last()
        {
            inner = last;
        }
        if let (Expression::Identifier(name), Fate::Awaited | Fate::Returned | Fate::Chained) =
            (inner, &fate)
        {
            self.details.handed_on.insert(name.name.as_str().into());
            self.details.awaited.insert(name.name.as_str().into());
        }
        self.fates.insert(inner.span(), fate);
    }

    /// `a.b` of `a.b.c`, as far as it is a path of names.
    fn path(expression: &Expression<'a>) -> Option<(String, &'a str)> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                Some((name.name.as_str().to_owned(), name.name.as_str()))
            }
            Expression::ThisExpression(_) => Some(("this".to_owned(), "")),
            Expression::Super(_) => Some(("super".to_owned(), "")),
            Expression::StaticMemberExpression(member) => {
                let (before, head) = Self::path(&member.object)?;
                (before.len() < 200).then(|| (format!("{before}.{}", member.property.name), head))
            }
            _ => None,
        }
    }

    fn callee(expression: &Expression<'a>) -> Option<(String, &'a str, &'a str)> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                Some((String::new(), name.name.as_str(), name.name.as_str()))
            }
            Expression::StaticMemberExpression(member) => {
                let (qualifier, head) =
                    Self::path(&member.object).unwrap_or_else(|| ("?".to_owned(), ""));
                Some((qualifier, member.property.name.as_str(), head))
            }
            Expression::PrivateFieldExpression(member) => {
                let (qualifier, head) =
                    Self::path(&member.object).unwrap_or_else(|| ("?".to_owned(), ""));
                Some((qualifier, member.field.name.as_str(), head))
            }
            _ => None,
        }
    }

    fn call(
        &mut self,
        form: CallForm,
        callee: &Expression<'a>,
        arguments: &[oxc_ast::ast::Argument<'a>],
        span: Span,
    ) {
        let fate = self.fates.remove(&span).unwrap_or(Fate::Other);
        for argument in arguments {
            if let Some(Expression::Identifier(name)) = argument.as_expression() {
                self.details.handed_on.insert(name.name.as_str().into());
            }
        }
        let Some((qualifier, name, head)) = Self::callee(callee) else { return };
        self.details.is_open |= qualifier.is_empty() && name == "eval";
        let (positional, objects) = argument_shape(arguments);
        let call = Call {
            qualifier: qualifier.into(),
            name: name.into(),
            form,
            line: self.line(span.start),
            positional,
            named: Some(Vec::new()),
            objects,
            fate,
        };
        self.calls.push((call, self.scope, head));
    }

    /// Notes a function if it stands at the top of the file or in a class there.
    fn describe(&mut self, name: &str, owner: Option<&str>, it: Shape<'_, 'a>, span: Span) {
        if self.scope != 0 && owner.is_none() {
            return;
        }
        let (Shape::Function(_, is_open) | Shape::Arrow(_, is_open)) = it;
        let (params, returned, is_async, has_body) = match it {
            Shape::Function(it, _) => (&it.params, &it.return_type, it.r#async, it.body.is_some()),
            Shape::Arrow(it, _) => (&it.params, &it.return_type, it.r#async, true),
        };
        let promised = returned.as_ref().map(|returned| returns_promise(&returned.type_annotation));
        self.details.functions.push(Described {
            name: name.into(),
            owner: owner.map(Into::into),
            line: self.line(span.start),
            parameters: parameters(params, &self.types),
            is_async: is_async || promised == Some(Some(true)),
            returns_unknown: !is_async && !matches!(promised, Some(Some(false))),
            is_open,
            is_signature: !has_body,
            is_typed: self.is_typed,
        });
    }

    /// A type that is written for it says how it is called, whatever its own parameters are.
    fn held(&mut self, name: &str, value: &Expression<'a>, has_type: bool, span: Span) {
        let is_open = has_type || is_cast(value);
        match value.get_inner_expression() {
            Expression::FunctionExpression(it) => {
                self.describe(name, None, Shape::Function(it, is_open), span);
            }
            Expression::ArrowFunctionExpression(it) => {
                self.describe(name, None, Shape::Arrow(it, is_open), span);
            }
            _ => {}
        }
    }
}

#[derive(Clone, Copy)]
enum Shape<'t, 'a> {
    Function(&'t Function<'a>, bool),
    Arrow(&'t ArrowFunctionExpression<'a>, bool),
}

impl<'a> Reader<'a> {
    fn method(&mut self, owner: &str, it: &MethodDefinition<'a>) {
        let name = match &it.key {
            PropertyKey::StaticIdentifier(name) => name.name.as_str(),
            PropertyKey::PrivateIdentifier(name) => name.name.as_str(),
            _ => return,
        };
        if matches!(it.kind, MethodDefinitionKind::Get | MethodDefinitionKind::Set) {
            return;
        }
        let reads = it.value.body.as_ref().is_some_and(|body| reads_arguments(self, body.span));
        let is_open = reads || !it.decorators.is_empty();
        self.describe(name, Some(owner), Shape::Function(&it.value, is_open), it.span);
    }
}

/// Whether a body may read all that it was called with, whatever it says that it takes.
fn reads_arguments(reader: &Reader<'_>, span: Span) -> bool {
    reader
        .types
        .text()
        .get(span.start as usize..span.end as usize)
        .is_none_or(|body| body.contains("arguments"))
}

fn is_cast(value: &Expression<'_>) -> bool {
    match value {
        Expression::TSAsExpression(_) | Expression::TSTypeAssertion(_) => true,
        Expression::ParenthesizedExpression(it) => is_cast(&it.expression),
        Expression::TSSatisfiesExpression(it) => is_cast(&it.expression),
        Expression::TSNonNullExpression(it) => is_cast(&it.expression),
        _ => false,
    }
}

fn attributes(items: &[JSXAttributeItem<'_>]) -> Option<Vec<Box<str>>> {
    let mut names = Vec::new();
    for item in items {
        match item {
            JSXAttributeItem::SpreadAttribute(_) => return None,
            JSXAttributeItem::Attribute(attribute) => {
                if let JSXAttributeName::Identifier(name) = &attribute.name {
                    names.push(name.name.as_str().into());
                }
            }
        }
    }
    Some(names)
}

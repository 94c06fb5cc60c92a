//! What an operation has to know of one declaration, free of the syntax tree it was read from.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, FormalParameter, FormalParameterRest, TSTypeAnnotation,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Module};

use super::declaration::Declaration;
use super::item_list::ItemList;

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Signature {
    pub(crate) line: u32,
    pub(crate) whole: Span,
    pub(crate) list: ItemList,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) has_body: bool,
    pub(crate) is_typescript: bool,
    pub(crate) is_static: bool,
    /// `arguments` in the body: it sees every argument.
    pub(crate) reads_arguments: bool,
    /// Why it cannot get other parameters.
    pub(crate) obstacle: Option<&'static str>,
    /// Names that mean something in it already, declared or used.
    pub(crate) taken: BTreeSet<String>,
    pub(crate) type_parameters: BTreeSet<String>,
    pub(crate) return_type: String,
    /// `"use strict"` at the top of the body: parameters must be plain names.
    pub(crate) has_directive: bool,
    /// Comments between the parameters.
    pub(crate) has_comments: bool,
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Parameter {
    /// None for a pattern.
    pub(crate) name: Option<String>,
    pub(crate) binding: Span,
    pub(crate) is_rest: bool,
    /// `x?`
    pub(crate) is_marked_optional: bool,
    pub(crate) default: Option<Default>,
    /// The type, without the colon.
    pub(crate) annotation: Option<Span>,
    /// `private x` of a constructor.
    pub(crate) is_member: bool,
    /// Used anywhere in the function.
    pub(crate) is_used: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Default {
    pub(crate) span: Span,
    pub(crate) is_pure: bool,
    pub(crate) names: BTreeSet<String>,
}

impl Parameter {
    pub(crate) fn is_optional(&self) -> bool {
        self.is_marked_optional || self.default.is_some() || self.is_rest
    }
}

impl Signature {
    pub(crate) fn read<'a>(module: &Module<'a>, declaration: &Declaration<'a>) -> Signature {
        let params = declaration.params;
        let mut parameters: Vec<Parameter> =
            params.items.iter().map(|it| parameter(module, it)).collect();
        parameters.extend(params.rest.as_deref().map(|it| rest(module, it)));
        let mut spans: Vec<Span> = params.items.iter().map(|it| it.span).collect();
        spans.extend(params.rest.as_deref().map(|it| it.span));
        let is_bare = !module.slice(params.span).starts_with('(');
        let list = if is_bare {
            ItemList::bare(params.span.start, params.span.end)
        } else {
            ItemList::read(module, params.span.start, params.span.end - 1, &spans)
        };
        let has_comments = list.has_comments(module);
        let typed = declaration.is_typed.then_some("its type is written elsewhere");
        let component = is_component(module, declaration).then_some("it is a component");
        Signature {
            line: module.line(declaration.name.start),
            whole: declaration.whole,
            list,
            parameters,
            has_body: declaration.has_body(),
            is_typescript: module.is_typescript(),
            is_static: declaration.is_static,
            reads_arguments: reads_arguments(module, declaration),
            obstacle: declaration.obstacle.or(component).or(typed),
            taken: taken(module, declaration),
            type_parameters: declaration
                .type_parameters
                .map(|it| it.params.iter().map(|it| it.name.name.to_string()).collect())
                .unwrap_or_default(),
            return_type: declaration
                .return_type
                .map(|span| module.slice(span).to_owned())
                .unwrap_or_default(),
            has_directive: declaration
                .func
                .and_then(Func::body)
                .is_some_and(|body| !body.directives.is_empty()),
            has_comments,
        }
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|it| it.name.as_deref() == Some(name))
    }

    pub(crate) fn has_rest(&self) -> bool {
        self.parameters.last().is_some_and(|it| it.is_rest)
    }

    /// Parameters without the rest.
    pub(crate) fn fixed(&self) -> usize {
        self.parameters.len() - usize::from(self.has_rest())
    }
}

fn parameter<'a>(module: &Module<'a>, it: &'a FormalParameter<'a>) -> Parameter {
    let (name, is_used) = bound(module, &it.pattern);
    Parameter {
        name,
        binding: it.pattern.span(),
        is_rest: false,
        is_marked_optional: it.optional,
        default: it.initializer.as_deref().map(|value| default(module, value)),
        annotation: annotation(it.type_annotation.as_deref()),
        is_member: it.accessibility.is_some()
            || it.readonly
            || it.r#override
            || !it.decorators.is_empty(),
        is_used,
    }
}

fn rest<'a>(module: &Module<'a>, it: &'a FormalParameterRest<'a>) -> Parameter {
    let (name, is_used) = bound(module, &it.rest.argument);
    Parameter {
        name,
        binding: it.rest.argument.span(),
        is_rest: true,
        is_marked_optional: false,
        default: None,
        annotation: annotation(it.type_annotation.as_deref()),
        is_member: !it.decorators.is_empty(),
        is_used,
    }
}

/// The name of a parameter, and whether anything uses it; patterns count as used.
fn bound(module: &Module<'_>, pattern: &BindingPattern<'_>) -> (Option<String>, bool) {
    let BindingPattern::BindingIdentifier(id) = pattern else { return (None, true) };
    let is_used = id.symbol_id.get().is_none_or(|symbol| module.uses(symbol).next().is_some());
    (Some(id.name.to_string()), is_used)
}

fn annotation(of: Option<&TSTypeAnnotation<'_>>) -> Option<Span> {
    of.map(|it| it.type_annotation.span())
}

fn default<'a>(module: &Module<'a>, value: &Expression<'a>) -> Default {
    let names = module.identifiers_in(value.span());
    Default {
        span: value.span(),
        is_pure: is_function(value) || module.is_pure1(value, &|_| false),
        names: names.iter().map(|it| it.name.to_string()).collect(),
    }
}

pub(crate) fn is_function(value: &Expression<'_>) -> bool {
    matches!(value, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}

fn is_component<'a>(module: &Module<'a>, declaration: &Declaration<'a>) -> bool {
    let view = declaration.func.and_then(|func| module.function_view(func));
    view.is_some_and(|view| view.kind == FunctionKind::Component)
}

fn reads_arguments<'a>(module: &Module<'a>, declaration: &Declaration<'a>) -> bool {
    let Some(Func::Function(function)) = declaration.func else { return false };
    let own = function.node_id.get();
    module.identifiers_in(function.span).iter().any(|it| {
        let around = |kind: AstKind<'a>| match kind {
            AstKind::Function(function) => Some(function.node_id.get()),
            _ => None,
        };
        it.name == "arguments" && module.ancestors(it.node_id.get()).find_map(around) == Some(own)
    })
}

/// Names that it declares itself, and names from outside that it uses.
fn taken<'a>(module: &Module<'a>, declaration: &Declaration<'a>) -> BTreeSet<String> {
    let span = declaration.func.map_or(declaration.whole, Func::span);
    let scoping = module.scoping();
    let mut taken = BTreeSet::new();
    if let Some(scope) = declaration.scope {
        taken.extend(scoping.get_bindings(scope).keys().map(ToString::to_string));
    }
    for name in module.identifiers_in(span) {
        let inner = module.symbol(name).is_some_and(|symbol| {
            let at = scoping.symbol_span(symbol);
            span.start <= at.start && at.end <= span.end
        });
        if !inner {
            taken.insert(name.name.to_string());
        }
    }
    taken
}

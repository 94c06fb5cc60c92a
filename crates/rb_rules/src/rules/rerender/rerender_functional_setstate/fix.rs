//! The function instead of the value, and when that makes no other difference.
//! Reads of the event are not hoisted: where the value has one, there is no draft.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingIdentifier, CallExpression, Expression, Statement};
use oxc_semantic::{NodeId, ScopeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Types, Use};

use super::super::hooks::{
    State, attribute_around, call_of, hook_of_dep, host_name, is_declared_in, is_ref, is_steady,
    locals_used, may_be_function,
};
use super::super::places::is_array_method;
use super::lists;
use crate::cx::Cx;

/// Events that React finishes before the next one begins.
const DISCRETE: &[&str] = &[
    "onBlur",
    "onClick",
    "onDoubleClick",
    "onFocus",
    "onKeyDown",
    "onKeyUp",
    "onMouseDown",
    "onMouseUp",
    "onPointerDown",
    "onPointerUp",
    "onReset",
    "onSubmit",
    "onTouchEnd",
    "onTouchStart",
];

/// A call, and what it takes to give it a function.
pub(super) struct Plan<'s, 'a> {
    pub(super) state: &'s State<'a>,
    pub(super) call: &'a CallExpression<'a>,
    pub(super) func: Func<'a>,
    pub(super) value: &'a Expression<'a>,
    pub(super) reads: Vec<Use<'a>>,
}

impl<'a> Plan<'_, 'a> {
    pub(super) fn edits(&self, module: &Module<'a>) -> Option<Vec<Edit>> {
        let span = self.value.span();
        let text = module.slice(span);
        let waits = text.contains("await ") || text.contains("yield ");
        let reads_event = self.event_reads(module);
        if waits || reads_event || module.has_comment(self.call.span) {
            return None;
        }
        let name = self.parameter(module);
        let is_object =
            matches!(self.value.get_inner_expression(), Expression::ObjectExpression(_))
                || matches!(self.value, Expression::SequenceExpression(_));
        let (open, close) = if is_object { ("(", ")") } else { ("", "") };
        let mut edits = vec![Edit::insert(span.start, format!("({name}) => {open}"))];
        for read in &self.reads {
            let is_shorthand =
                matches!(module.parent(read.node), AstKind::ObjectProperty(it) if it.shorthand);
            let text = if is_shorthand {
                format!("{}: {name}", read.identifier.name)
            } else {
                name.clone()
            };
            edits.push(Edit::replace(read.span.start, read.span.end, text));
        }
        if is_object {
            edits.push(Edit::insert(span.end, close));
        }
        edits.extend(self.dropped_dep(module));
        Some(edits)
    }

    /// `prev`, where nothing of that name is seen from the call or made in the value.
    fn parameter(&self, module: &Module<'a>) -> String {
        let scoping = module.scoping();
        let around: Vec<ScopeId> =
            scoping.scope_ancestors(module.scope_of(self.call.node_id.get())).collect();
        let is_taken = scoping.symbol_ids().any(|symbol| {
            scoping.symbol_name(symbol) == "prev"
                && (around.contains(&scoping.symbol_scope_id(symbol))
                    || is_declared_in(module, symbol, self.value.span()))
        });
        if is_taken { module.fresh_name("prev") } else { "prev".to_owned() }
    }

    /// The dependency of the `useCallback` around, where nothing else in it reads the state.
    fn dropped_dep(&self, module: &Module<'a>) -> Option<Edit> {
        let AstKind::CallExpression(hook) = module.parent(self.func.node()) else { return None };
        if !module.is_react_call(hook, "useCallback") {
            return None;
        }
        let body = self.func.span();
        let reads =
            module.value_uses(self.state.symbol()).filter(|it| body.contains_inclusive(it.span));
        if reads.count() != self.reads.len() {
            return None;
        }
        let Expression::ArrayExpression(deps) = hook.arguments.get(1)?.as_expression()? else {
            return None;
        };
        let spans: Vec<Span> = deps.elements.iter().map(GetSpan::span).collect();
        let at = deps.elements.iter().position(|it| {
            it.as_expression().is_some_and(|it| module.symbol_of(it) == Some(self.state.symbol()))
        })?;
        Some(if let Some(next) = spans.get(at + 1) {
            Edit::delete(spans[at].start, next.start)
        } else if at > 0 {
            Edit::delete(spans[at - 1].end, spans[at].end)
        } else {
            Edit::delete(spans[at].start, spans[at].end)
        })
    }

    /// Does the value read the event that the handler is given? It is spent when the function runs.
    fn event_reads(&self, module: &Module<'a>) -> bool {
        module.captures(self.value.span()).into_iter().any(|symbol| {
            let name = module.name(symbol);
            let is_param = is_declared_in(module, symbol, self.func.params().span);
            is_param
                && (["e", "ev", "evt", "event"].contains(&name)
                    || module.slice(self.func.params().span).contains("Event")
                    || name.ends_with("Event"))
        })
    }

    /// Why it is not proved that nothing but the form changes.
    pub(super) fn doubt(&self, cx: &Cx<'_, 'a>) -> Option<String> {
        let module = cx.module;
        let setter = self.state.setter_symbol()?;
        if module.value_uses(setter).any(|it| {
            call_of(module, &it).is_none_or(|call| call.span != self.call.span)
                && hook_of_dep(module, it.node).is_none()
        }) {
            return Some(
                "the setter is used elsewhere, and calls in one tick would accumulate".to_owned(),
            );
        }
        if self.func.is_async() || self.func.is_generator() {
            return Some("the state may change while it waits".to_owned());
        }
        if !self.is_discrete_handler(module) {
            return Some("it may run more than once before the next render".to_owned());
        }
        if module.is_in_loop(self.call.node_id.get(), self.func.span()) {
            return Some("calls in one tick would accumulate".to_owned());
        }
        if let Some(name) = self.read_later(module) {
            return Some(format!("`{name}` would be read later"));
        }
        if self.has_guard(module) {
            return Some("a condition checks the state first".to_owned());
        }
        if module.types(self.value).may_be(Types::FUNCTION) && may_be_function(self.value) {
            return Some("the value may be a function, which the setter would call".to_owned());
        }
        (!cx.is_pure1(self.value)).then(|| "computing the value may have side effects".to_owned())
    }

    /// A name in the value that may stand for something else by the time the function runs.
    fn read_later(&self, module: &Module<'a>) -> Option<String> {
        const FIXED: &[&str] = &[
            "undefined",
            "NaN",
            "Infinity",
            "Math",
            "Object",
            "Array",
            "String",
            "Number",
            "Boolean",
            "JSON",
        ];
        let span = self.value.span();
        let globals = module.identifiers_in(span).iter().filter(|it| module.is_global(it));
        if let Some(global) = globals.into_iter().find(|it| !FIXED.contains(&it.name.as_str())) {
            return Some(global.name.to_string());
        }
        let changes = |symbol: SymbolId| {
            let is_of_render = is_declared_in(module, symbol, self.state.owner.span());
            let is_plain = module.is_const(symbol)
                && module.types_of_symbol(symbol).is_only(Types::PRIMITIVE | Types::NULLISH);
            is_declared_in(module, symbol, self.func.params().span)
                || !module.is_stable(symbol)
                || is_ref(module, symbol)
                || !(is_of_render || is_plain)
        };
        let mut captured = module.captures(span).into_iter();
        let found = captured.find(|&symbol| symbol != self.state.symbol() && changes(symbol))?;
        Some(module.name(found).to_owned())
    }

    /// Handed to a DOM element for a click or its like, and called by nothing else.
    fn is_discrete_handler(&self, module: &Module<'a>) -> bool {
        let is_handler = |node: NodeId| {
            let is_discrete = attribute_around(module, node).is_some_and(|(name, element)| {
                DISCRETE.contains(&name) && host_name(element).is_some()
            });
            is_discrete && self.is_rendered_anew(module, node)
        };
        if is_handler(self.func.node()) {
            return true;
        }
        let mut node = self.func.node();
        if let AstKind::CallExpression(hook) = module.parent(node) {
            if !module.is_react_call(hook, "useCallback") || !self.is_fresh(module, hook) {
                return false;
            }
            node = hook.node_id.get();
        }
        let symbol = match (self.func, module.parent(node)) {
            (_, AstKind::VariableDeclarator(it)) => {
                it.id.get_binding_identifier().map(BindingIdentifier::symbol_id)
            }
            (Func::Function(it), _) if it.is_declaration() => {
                it.id.as_ref().map(BindingIdentifier::symbol_id)
            }
            _ => None,
        };
        // One element alone: one event may pass through two of them.
        let uses: Vec<Use<'a>> = symbol.into_iter().flat_map(|it| module.value_uses(it)).collect();
        matches!(uses.as_slice(), [only] if is_handler(only.node))
    }

    /// Is the element made by each render, so that its handler never holds an old state?
    fn is_rendered_anew(&self, module: &Module<'a>, node: NodeId) -> bool {
        let owner = self.state.owner.span();
        module.ancestors(node).take_while(|kind| kind.span() != owner).all(|kind| match kind {
            AstKind::CallExpression(call) => module.react_call(call).is_none(),
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                matches!(module.parent(kind.node_id()), AstKind::CallExpression(call) if is_array_method(call))
            }
            _ => true,
        })
    }

    /// Is the callback made anew with the state, so that it never saw an old one?
    fn is_fresh(&self, module: &Module<'a>, hook: &CallExpression<'a>) -> bool {
        let Some(deps) = hook.arguments.get(1) else { return true };
        // What the list leaves out would be held for longer.
        let Some(Expression::ArrayExpression(deps)) = deps.as_expression() else { return false };
        let listed: Vec<&str> = deps.elements.iter().map(|it| module.slice(it.span())).collect();
        let mut used = locals_used(module, self.func.span(), self.state.owner).into_iter();
        lists(module, hook, self.state)
            && used.all(|it| is_steady(module, it) || listed.contains(&module.name(it)))
    }

    /// Does a condition around, or a return before, look at the state? Types are narrowed by it.
    fn has_guard(&self, module: &Module<'a>) -> bool {
        let body = self.func.span();
        let owner = self.state.owner;
        let leaves_early = owner.statements().iter().any(|statement| {
            statement.span().end <= self.call.span.start
                && matches!(statement, Statement::IfStatement(it) if module.mentions(it.test.span(), self.state.symbol()))
        });
        let is_chosen = module.ancestors(self.call.node_id.get()).any(|kind| {
            let test = match kind {
                AstKind::IfStatement(it) => it.test.span(),
                AstKind::ConditionalExpression(it) => it.test.span(),
                AstKind::LogicalExpression(it) => it.left.span(),
                AstKind::SwitchStatement(it) => it.discriminant.span(),
                _ => return false,
            };
            module.mentions(test, self.state.symbol())
        });
        leaves_early
            || is_chosen
            || module.value_uses(self.state.symbol()).any(|it| {
                body.contains_inclusive(it.span) && !self.value.span().contains_inclusive(it.span)
            })
    }
}

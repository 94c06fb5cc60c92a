//! When a piece of a component runs: while it renders, in an effect, or when something happens.
//!
//! A function is followed to where it goes: into an `on…` prop, a hook, an array method, a name and its uses. What cannot be
//! followed `escapes`, and no rule takes that for anything.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{EACH_METHODS, Func, Module};

use super::hooks::{attribute_around, call_of, hook_of_dep, is_handler_name, is_jsx};

const DEPTH: u32 = 6;

/// All the times at which something runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of four")]
pub(super) struct Places {
    pub(super) render: bool,
    pub(super) handler: bool,
    pub(super) effect: bool,
    pub(super) escapes: bool,
}

impl Places {
    const RENDER: Places = Places { render: true, handler: false, effect: false, escapes: false };
    const HANDLER: Places = Places { render: false, handler: true, effect: false, escapes: false };
    const EFFECT: Places = Places { render: false, handler: false, effect: true, escapes: false };
    const ESCAPES: Places = Places { render: false, handler: false, effect: false, escapes: true };

    fn and(self, other: Places) -> Places {
        Places {
            render: self.render || other.render,
            handler: self.handler || other.handler,
            effect: self.effect || other.effect,
            escapes: self.escapes || other.escapes,
        }
    }

    pub(super) fn is_handler_only(self) -> bool {
        self == Places::HANDLER
    }

    /// In handlers, effects, or both; nowhere else.
    pub(super) fn is_outside_render(self) -> bool {
        !self.render && !self.escapes && (self.handler || self.effect)
    }
}

/// When does a node of the component run?
pub(super) fn places<'a>(module: &Module<'a>, owner: Func<'a>, node: NodeId) -> Places {
    Look { module, owner }.of(node, DEPTH)
}

struct Look<'m, 'a> {
    module: &'m Module<'a>,
    owner: Func<'a>,
}

impl<'a> Look<'_, 'a> {
    fn of(&self, node: NodeId, depth: u32) -> Places {
        match self.module.function_around(node) {
            None => Places::ESCAPES,
            Some(func) if func.node() == self.owner.node() => Places::RENDER,
            Some(func) if !self.owner.span().contains_inclusive(func.span()) => Places::ESCAPES,
            Some(func) => self.of_function(func, depth),
        }
    }

    fn of_function(&self, func: Func<'a>, depth: u32) -> Places {
        let Some(depth) = depth.checked_sub(1) else { return Places::ESCAPES };
        if let Func::Function(it) = func
            && it.is_declaration()
        {
            let Some(id) = &it.id else { return Places::ESCAPES };
            return self.of_name(id.symbol_id(), depth);
        }
        self.of_value(func.node(), func.span(), func.returned().is_some_and(is_jsx), depth)
    }

    /// When does the function run that stands here as a value?
    fn of_value(&self, node: NodeId, span: Span, shows: bool, depth: u32) -> Places {
        if let Some((name, _)) = attribute_around(self.module, node) {
            return match name {
                _ if is_handler_name(name) && !shows => Places::HANDLER,
                "ref" => Places::EFFECT,
                _ => Places::ESCAPES,
            };
        }
        match self.module.parent(node) {
            AstKind::CallExpression(call) if call.callee.span() == span => {
                self.of(call.node_id.get(), depth)
            }
            AstKind::CallExpression(call) => self.of_argument(call, span, depth),
            AstKind::VariableDeclarator(it) => match it.id.get_binding_identifier() {
                Some(id) => self.of_name(id.symbol_id(), depth),
                None => Places::ESCAPES,
            },
            AstKind::ConditionalExpression(it) => {
                self.of_value(it.node_id.get(), it.span, shows, depth)
            }
            AstKind::LogicalExpression(it) => {
                self.of_value(it.node_id.get(), it.span, shows, depth)
            }
            // What a handler or an effect makes of a function is not for the render.
            _ => self.inside_only(node, depth),
        }
    }

    fn of_argument(&self, call: &'a CallExpression<'a>, span: Span, depth: u32) -> Places {
        let is_first = call.arguments.first().is_some_and(|it| it.span() == span);
        match self.module.react_call(call) {
            Some("useEffect" | "useLayoutEffect" | "useInsertionEffect") if is_first => {
                Places::EFFECT
            }
            Some("useMemo" | "useState" | "useReducer") => Places::RENDER,
            Some("useCallback" | "useEffectEvent") if is_first => {
                self.of_value(call.node_id.get(), call.span, false, depth)
            }
            Some("startTransition") => self.of(call.node_id.get(), depth),
            Some(_) => Places::ESCAPES,
            None if is_array_method(call) => self.of(call.node_id.get(), depth),
            None => self.inside_only(call.node_id.get(), depth),
        }
    }

    /// The place of the node where that is a handler or an effect; while rendering, a function that is handed on may run at
    /// any time.
    fn inside_only(&self, node: NodeId, depth: u32) -> Places {
        let places = self.of(node, depth);
        if places.render || places.escapes { Places::ESCAPES } else { places }
    }

    fn of_name(&self, symbol: oxc_semantic::SymbolId, depth: u32) -> Places {
        let mut all = Places::default();
        for it in self.module.value_uses(symbol) {
            if hook_of_dep(self.module, it.node).is_some() {
                continue;
            }
            let places = match call_of(self.module, &it) {
                Some(call) => self.of(call.node_id.get(), depth),
                None if it.is_write() => Places::ESCAPES,
                None => self.of_value(it.node, it.span, false, depth),
            };
            all = all.and(places);
            if all.escapes {
                break;
            }
        }
        all
    }
}

/// A method that calls the function at once.
pub(super) fn is_array_method(call: &CallExpression<'_>) -> bool {
    let member = call.callee.get_inner_expression();
    matches!(member, Expression::StaticMemberExpression(it) if EACH_METHODS.contains(&it.property.name.as_str()))
}

//! Whether a value is somebody else's too: props, state, context, the answers of a cache, what a store holds.
//!
//! Names are followed through constants, destructuring and the callbacks of lists. A value that was copied on the way, or
//! that is assigned more than once, belongs to nobody known.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, ChainElement, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rb_ecma::{Func, FunctionKind, Module};

use super::super::hot::{is_each, kind_of};
use super::super::shapes::{method, parameter};

/// Whose value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Prop,
    /// What a hook was called with.
    Argument,
    State,
    Context,
    Query,
    Store,
}

impl Owner {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Owner::Prop => "a prop",
            Owner::Argument => "a hook argument",
            Owner::State => "state",
            Owner::Context => "a context value",
            Owner::Query => "query cache data",
            Owner::Store => "a store value",
        }
    }
}

/// An owner, and whether the value is the whole that was handed over: the props object itself is no list.
#[derive(Clone, Copy)]
struct Source {
    owner: Owner,
    is_whole: bool,
}

const DEPTH: u32 = 8;

pub(super) fn owner<'a>(module: &Module<'a>, value: &'a Expression<'a>) -> Option<Owner> {
    source(module, value, DEPTH).filter(|it| !it.is_whole).map(|it| it.owner)
}

fn source<'a>(module: &Module<'a>, value: &'a Expression<'a>, depth: u32) -> Option<Source> {
    let depth = depth.checked_sub(1)?;
    match value.get_inner_expression() {
        Expression::Identifier(name) => of_symbol(module, module.symbol(name)?, depth),
        Expression::StaticMemberExpression(it) => {
            if it.property.name == "current" {
                return None;
            }
            part(source(module, &it.object, depth))
        }
        Expression::ComputedMemberExpression(it) => part(source(module, &it.object, depth)),
        Expression::ChainExpression(it) => match &it.expression {
            ChainElement::StaticMemberExpression(it) if it.property.name != "current" => {
                part(source(module, &it.object, depth))
            }
            _ => None,
        },
        Expression::LogicalExpression(it) => {
            source(module, &it.left, depth).or_else(|| source(module, &it.right, depth))
        }
        Expression::ConditionalExpression(it) => {
            source(module, &it.consequent, depth).or_else(|| source(module, &it.alternate, depth))
        }
        Expression::CallExpression(call) => of_hook(module, call),
        _ => None,
    }
}

fn part(whole: Option<Source>) -> Option<Source> {
    whole.map(|it| Source { is_whole: false, ..it })
}

fn of_symbol(module: &Module<'_>, symbol: SymbolId, depth: u32) -> Option<Source> {
    if !module.is_stable(symbol) {
        return None;
    }
    let node = module.scoping().symbol_declaration(symbol);
    let chain = std::iter::once(module.nodes().kind(node)).chain(module.ancestors(node));
    for kind in chain.take(10) {
        match kind {
            AstKind::VariableDeclarator(it) => {
                let is_name = matches!(it.id, BindingPattern::BindingIdentifier(_));
                let found = match &it.init {
                    Some(init) => of_init(module, &it.id, symbol, init, depth),
                    None => of_each_loop(module, it.node_id.get(), depth),
                };
                return if is_name { found } else { part(found) };
            }
            AstKind::FormalParameter(it) => {
                let func = module.function_around(it.node_id.get())?;
                let at = func.params().items.iter().position(|other| other.span == it.span)?;
                let found = of_parameter(module, func, at, depth);
                let is_name = matches!(it.pattern, BindingPattern::BindingIdentifier(_));
                return if is_name { found } else { part(found) };
            }
            AstKind::BindingRestElement(_)
            | AstKind::Function(_)
            | AstKind::ArrowFunctionExpression(_) => return None,
            _ => {}
        }
    }
    None
}

/// The state of `[state, set]`; anything else by where it comes from.
fn of_init<'a>(
    module: &Module<'a>,
    pattern: &BindingPattern<'a>,
    symbol: SymbolId,
    init: &'a Expression<'a>,
    depth: u32,
) -> Option<Source> {
    if let BindingPattern::ArrayPattern(pair) = pattern {
        let first = pair.elements.first()?.as_ref()?;
        let is_first =
            first.get_binding_identifier().is_some_and(|it| it.symbol_id.get() == Some(symbol));
        let Expression::CallExpression(call) = init.get_inner_expression() else { return None };
        let owner = pair_owner(module, call)?;
        return is_first.then_some(Source { owner, is_whole: false });
    }
    source(module, init, depth)
}

fn pair_owner<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<Owner> {
    if let Some("useState" | "useReducer") = module.react_call(call) {
        return Some(Owner::State);
    }
    let is_atom = ["jotai", "recoil"].iter().any(|source| {
        matches!(module.export_name(&call.callee, source), Some("useAtom" | "useRecoilState"))
    });
    is_atom.then_some(Owner::Store)
}

fn of_each_loop(module: &Module<'_>, declarator: NodeId, depth: u32) -> Option<Source> {
    let mut around = module.ancestors(declarator);
    let AstKind::VariableDeclaration(_) = around.next()? else { return None };
    let AstKind::ForOfStatement(each) = around.next()? else { return None };
    part(source(module, &each.right, depth))
}

fn of_parameter<'a>(module: &Module<'a>, func: Func<'a>, at: usize, depth: u32) -> Option<Source> {
    match kind_of(module, func) {
        FunctionKind::Component if at == 0 => {
            return Some(Source { owner: Owner::Prop, is_whole: true });
        }
        FunctionKind::Hook => return Some(Source { owner: Owner::Argument, is_whole: false }),
        FunctionKind::Component | FunctionKind::Other => {}
    }
    if at != 0 {
        return None;
    }
    let AstKind::CallExpression(call) = module.parent(func.node()) else { return None };
    if call.arguments.first().is_none_or(|it| it.span() != func.span()) {
        return None;
    }
    let state = Source { owner: Owner::State, is_whole: false };
    if state_of_setter(module, call).is_some() || module.is_react_call(call, "useReducer") {
        return Some(state);
    }
    // The elements of a shared list are shared as well; `reduce` hands over what it gathers.
    let method = method(call).filter(|it| !["reduce", "reduceRight"].contains(&it.name))?;
    is_each(call).then(|| part(source(module, method.object, depth))).flatten()
}

/// The state whose setter a `useState` pair binds to the name that is called.
fn state_of_setter<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<SymbolId> {
    let symbol = module.symbol_of(&call.callee)?;
    let declarator = module.declarator(symbol)?;
    let BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
    let name =
        |at: usize| pair.elements.get(at)?.as_ref()?.get_binding_identifier()?.symbol_id.get();
    let is_state = matches!(declarator.init.as_ref()?.get_inner_expression(),
        Expression::CallExpression(call) if module.is_react_call(call, "useState"));
    (is_state && name(1) == Some(symbol)).then(|| name(0)).flatten()
}

/// The state behind `old` of `setState((old) => …)`.
pub(super) fn updated_state(module: &Module<'_>, symbol: SymbolId) -> Option<SymbolId> {
    let func = module.function_around(module.scoping().symbol_declaration(symbol))?;
    let AstKind::CallExpression(call) = module.parent(func.node()) else { return None };
    (parameter(func, 0) == Some(symbol)).then(|| state_of_setter(module, call)).flatten()
}

/// What a hook gives that is not its caller's own.
fn of_hook<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Source> {
    if matches!(module.react_call(call), Some("useContext" | "use")) {
        return Some(Source { owner: Owner::Context, is_whole: false });
    }
    let name = match call.callee.get_inner_expression() {
        Expression::Identifier(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        _ => return None,
    };
    let owner = match name {
        "useQuery" | "useSuspenseQuery" | "useInfiniteQuery" | "useSWR" | "useLoaderData"
        | "useFragment" => Owner::Query,
        "useAtomValue" | "useRecoilValue" => Owner::Store,
        _ if is_selector(name) && selects(call) => Owner::Store,
        _ => return None,
    };
    let is_whole = owner == Owner::Query;
    Some(Source { owner, is_whole })
}

fn is_selector(name: &str) -> bool {
    name.starts_with("use") && (name.ends_with("Selector") || name.ends_with("Store"))
}

/// `(state) => state.list`: what is picked, and not what is made of it.
fn selects(call: &CallExpression<'_>) -> bool {
    let picked = call.arguments.first().and_then(|it| match it.as_expression()? {
        Expression::ArrowFunctionExpression(it) => it.body.as_expression(),
        _ => None,
    });
    picked.is_some_and(|it| {
        matches!(it.get_inner_expression(), Expression::StaticMemberExpression(_))
    })
}

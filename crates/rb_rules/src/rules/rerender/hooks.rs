//! Hooks of a component as the rules of this category look at them: state pairs, callbacks with their dependencies.
//!
//! A hook is React's by its import. Hooks of libraries are told by their name where a rule says so, never here.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, BindingIdentifier, BindingPattern, CallExpression,
    Expression, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, Use};

/// `const [value, setter] = useState(…)`.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub(super) call: &'a CallExpression<'a>,
    pub(super) declarator: &'a VariableDeclarator<'a>,
    pub(super) value: &'a BindingIdentifier<'a>,
    pub(super) setter: Option<&'a BindingIdentifier<'a>>,
    /// The function that calls the hook.
    pub(super) owner: Func<'a>,
}

impl<'a> State<'a> {
    pub(super) fn symbol(&self) -> SymbolId {
        self.value.symbol_id()
    }

    pub(super) fn setter_symbol(&self) -> Option<SymbolId> {
        self.setter.map(BindingIdentifier::symbol_id)
    }

    pub(super) fn name(&self) -> &'a str {
        self.value.name.as_str()
    }

    pub(super) fn initial(&self) -> Option<&'a Expression<'a>> {
        self.call.arguments.first()?.as_expression()
    }
}

/// A hook that is given a function and maybe a list of dependencies.
#[derive(Clone, Copy)]
pub(super) struct Hook<'a> {
    pub(super) name: &'a str,
    pub(super) call: &'a CallExpression<'a>,
    pub(super) func: Func<'a>,
    /// Where the list is written in place.
    pub(super) deps: Option<&'a ArrayExpression<'a>>,
    pub(super) owner: Func<'a>,
}

impl<'a> Hook<'a> {
    /// Its dependencies, without holes and spreads; `None` where the list is not plain.
    pub(super) fn dep_list(&self) -> Option<Vec<&'a Expression<'a>>> {
        self.deps?.elements.iter().map(ArrayExpressionElement::as_expression).collect()
    }
}

/// Every pair of state in the file.
pub(super) fn states<'a>(module: &Module<'a>) -> Vec<State<'a>> {
    let found = module.declarators().iter().filter_map(|&declarator| {
        let Expression::CallExpression(call) = declarator.init.as_ref()?.get_inner_expression()
        else {
            return None;
        };
        let BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
        if pair.rest.is_some() || !module.is_react_call(call, "useState") {
            return None;
        }
        let value = pair.elements.first()?.as_ref()?.get_binding_identifier()?;
        let setter = match pair.elements.get(1) {
            Some(Some(pattern)) => Some(pattern.get_binding_identifier()?),
            _ => None,
        };
        let owner = module.function_around(call.node_id.get())?;
        Some(State { call, declarator, value, setter, owner })
    });
    found.collect()
}

/// Every call of one of these hooks of React that is given a function in place.
pub(super) fn hooks<'a>(module: &Module<'a>, names: &[&str]) -> Vec<Hook<'a>> {
    let found = module.calls().iter().filter_map(|&call| {
        let name = module.react_call(call).filter(|name| names.contains(name))?;
        let func = Func::of_expression(call.arguments.first()?.as_expression()?)?;
        let deps = match call.arguments.get(1).and_then(|it| it.as_expression()) {
            Some(Expression::ArrayExpression(deps)) => Some(&**deps),
            _ => None,
        };
        let owner = module.function_around(call.node_id.get())?;
        Some(Hook { name, call, func, deps, owner })
    });
    found.collect()
}

/// Is the symbol declared inside of this piece of the text?
pub(super) fn is_declared_in(module: &Module<'_>, symbol: SymbolId, span: Span) -> bool {
    span.contains_inclusive(module.scoping().symbol_span(symbol))
}

/// Names of the component that a piece of it uses: props, state, locals.
pub(super) fn locals_used<'a>(module: &Module<'a>, span: Span, owner: Func<'a>) -> Vec<SymbolId> {
    let mut found = module.captures(span);
    found.retain(|&symbol| is_declared_in(module, symbol, owner.span()));
    found
}

/// Does the symbol keep its value from render to render: a setter, a ref, a dispatcher?
pub(super) fn is_steady(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some(declarator) = module.declarator(symbol) else { return false };
    let Some(Expression::CallExpression(call)) =
        declarator.init.as_ref().map(Expression::get_inner_expression)
    else {
        return false;
    };
    match module.react_call(call) {
        Some("useRef" | "useEffectEvent") => true,
        Some("useState" | "useReducer" | "useTransition") => match &declarator.id {
            BindingPattern::ArrayPattern(pair) => {
                let second = pair.elements.get(1).and_then(Option::as_ref);
                second
                    .and_then(BindingPattern::get_binding_identifier)
                    .is_some_and(|it| it.symbol_id() == symbol)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Is the symbol what `useRef` gave?
pub(super) fn is_ref(module: &Module<'_>, symbol: SymbolId) -> bool {
    let init = module.initializer(symbol).map(Expression::get_inner_expression);
    matches!(init, Some(Expression::CallExpression(call)) if module.is_react_call(call, "useRef"))
}

/// The hook whose list of dependencies a node stands in, directly or as the root of a path.
pub(super) fn hook_of_dep<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a CallExpression<'a>> {
    let mut around = module.ancestors(node).skip_while(|kind| {
        matches!(kind, AstKind::StaticMemberExpression(_) | AstKind::ChainExpression(_))
    });
    let AstKind::ArrayExpression(list) = around.next()? else { return None };
    let AstKind::CallExpression(call) = around.next()? else { return None };
    let is_second = call.arguments.get(1).is_some_and(|it| it.span() == list.span);
    let name = call.callee_name().unwrap_or_default();
    (is_second && name.starts_with("use")).then_some(call)
}

/// The call that a use of a function's name is the callee of.
pub(super) fn call_of<'a>(module: &Module<'a>, it: &Use<'a>) -> Option<&'a CallExpression<'a>> {
    match module.parent(it.node) {
        AstKind::CallExpression(call) if call.callee.span() == it.span => Some(call),
        _ => None,
    }
}

/// `some.static.path` from a name on: the outermost member expression and its names. An optional step is kept.
pub(super) struct Path<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) is_optional: bool,
    /// Of the whole path.
    pub(super) node: NodeId,
    pub(super) span: Span,
}

/// The longest path of static members that a use of a name begins.
pub(super) fn path_of<'a>(module: &Module<'a>, it: &Use<'a>) -> Path<'a> {
    let mut path = Path { names: Vec::new(), is_optional: false, node: it.node, span: it.span };
    loop {
        match module.parent(path.node) {
            AstKind::StaticMemberExpression(member) if member.object.span() == path.span => {
                path.names.push(member.property.name.as_str());
                path.is_optional |= member.optional;
                path.node = member.node_id.get();
                path.span = member.span;
            }
            _ => return path,
        }
    }
}

/// What the function returns is JSX, whichever way it is written.
pub(super) fn is_jsx(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::JSXElement(_) | Expression::JSXFragment(_)
    )
}

/// The name of an attribute around a value, with its element: `onClick={…}`.
pub(super) fn attribute_around<'a>(
    module: &Module<'a>,
    node: NodeId,
) -> Option<(&'a str, &'a oxc_ast::ast::JSXOpeningElement<'a>)> {
    let mut around = module.ancestors(node);
    let AstKind::JSXExpressionContainer(_) = around.next()? else { return None };
    let AstKind::JSXAttribute(attribute) = around.next()? else { return None };
    let AstKind::JSXOpeningElement(element) = around.next()? else { return None };
    Some((attribute.name.as_identifier()?.name.as_str(), element))
}

/// `onClick`, `onSelect`: a name by which handlers are handed over.
pub(super) fn is_handler_name(name: &str) -> bool {
    name.strip_prefix("on").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// `<div>` and its like, which the browser draws.
pub(super) fn host_name<'a>(element: &oxc_ast::ast::JSXOpeningElement<'a>) -> Option<&'a str> {
    match &element.name {
        oxc_ast::ast::JSXElementName::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// A piece of code, cut to what fits into a message.
pub(super) fn brief(module: &Module<'_>, span: Span) -> String {
    let text = module.slice(span).trim();
    let line = text.lines().next().unwrap_or(text).trim_end();
    let short: String = line.chars().take(48).collect();
    if short.len() == text.len() { short } else { format!("{} …", short.trim_end()) }
}

/// Operators, templates and literals never give a function; names and calls might.
pub(super) fn may_be_function(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::TemplateLiteral(_)
        | Expression::BinaryExpression(_)
        | Expression::UnaryExpression(_)
        | Expression::ArrayExpression(_)
        | Expression::ObjectExpression(_)
        | Expression::NewExpression(_)
        | Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_) => false,
        Expression::LogicalExpression(it) => {
            may_be_function(&it.left) || may_be_function(&it.right)
        }
        Expression::ConditionalExpression(it) => {
            may_be_function(&it.consequent) || may_be_function(&it.alternate)
        }
        _ => true,
    }
}

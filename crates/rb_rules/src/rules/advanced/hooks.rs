//! Hooks as rules ask for them: effects with their dependencies, states with their setters, where a value comes from.
//!
//! A hook is known by its import; what a hook of the project does inside is not looked at.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, BindingPattern, CallExpression, Expression,
    IdentifierReference, ReturnStatement, VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, FunctionKind, Module};

/// `useEffect(() => { … }, [ … ])` with the function written in place.
#[derive(Clone, Copy)]
pub struct Effect<'a> {
    pub call: &'a CallExpression<'a>,
    pub callback: Func<'a>,
    /// None where they are missing or not written as a list.
    pub deps: Option<&'a ArrayExpression<'a>>,
}

impl<'a> Effect<'a> {
    /// Does it run once, when the component comes?
    pub fn is_on_mount(&self) -> bool {
        self.deps.is_some_and(|deps| deps.elements.is_empty())
    }

    /// The dependencies that are bare names.
    pub fn names(&self) -> impl Iterator<Item = &'a IdentifierReference<'a>> + use<'a> {
        self.deps.into_iter().flat_map(|deps| &deps.elements).filter_map(|it| match it {
            ArrayExpressionElement::Identifier(name) => Some(&**name),
            _ => None,
        })
    }

    /// Does it give React something to call when it ends?
    pub fn has_cleanup(&self) -> bool {
        match self.callback.body() {
            None => !is_void(self.callback),
            Some(_) => has_own_return(self.callback),
        }
    }
}

fn is_void(func: Func<'_>) -> bool {
    matches!(func.returned(), Some(Expression::UnaryExpression(it)) if it.operator.is_void())
}

/// Does the function itself return a value somewhere?
fn has_own_return(func: Func<'_>) -> bool {
    struct Returns(bool);
    impl<'a> Visit<'a> for Returns {
        fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
            self.0 |= it.argument.is_some();
        }

        fn visit_expression(&mut self, _: &Expression<'a>) {}

        fn visit_function(
            &mut self,
            _: &oxc_ast::ast::Function<'a>,
            _: oxc_syntax::scope::ScopeFlags,
        ) {
        }
    }
    let mut look = Returns(false);
    if let Some(body) = func.body() {
        look.visit_function_body(body);
    }
    look.0
}

pub fn effects<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = Effect<'a>> + use<'m, 'a> {
    module.calls().iter().filter_map(|&call| {
        let name = module.react_call(call)?;
        if !["useEffect", "useLayoutEffect", "useInsertionEffect"].contains(&name) {
            return None;
        }
        let callback = Func::of_expression(call.arguments.first()?.as_expression()?)?;
        let deps = call.arguments.get(1).and_then(|it| it.as_expression());
        let deps = deps.and_then(|it| match it.get_inner_expression() {
            Expression::ArrayExpression(array) => Some(&**array),
            _ => None,
        });
        Some(Effect { call, callback, deps })
    })
}

/// `const [value, setValue] = useState(initial)`.
#[derive(Clone, Copy)]
pub struct State<'a> {
    pub declarator: &'a VariableDeclarator<'a>,
    pub call: &'a CallExpression<'a>,
    pub value: SymbolId,
    pub setter: Option<SymbolId>,
}

impl<'a> State<'a> {
    pub fn initial(&self) -> Option<&'a Expression<'a>> {
        self.call.arguments.first()?.as_expression()
    }
}

pub fn states<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = State<'a>> + use<'m, 'a> {
    module.declarators().iter().filter_map(|&declarator| {
        let Expression::CallExpression(call) = declarator.init.as_ref()?.get_inner_expression()
        else {
            return None;
        };
        if !module.is_react_call(call, "useState") {
            return None;
        }
        let BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
        let part = |at: usize| pair.elements.get(at)?.as_ref()?.get_binding_identifier();
        let setter = part(1).and_then(|it| it.symbol_id.get());
        Some(State { declarator, call, value: part(0)?.symbol_id.get()?, setter })
    })
}

/// Is the value what some hook gave: state, context, data that is fetched?
pub fn is_from_hook(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some(init) = module.declarator(symbol).and_then(|it| it.init.as_ref()) else {
        return false;
    };
    let mut inner = init.get_inner_expression();
    if let Expression::AwaitExpression(it) = inner {
        inner = it.argument.get_inner_expression();
    }
    matches!(inner, Expression::CallExpression(call)
        if call.callee_name().is_some_and(is_hook_name))
}

pub fn is_hook_name(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// The function that has the symbol as a parameter, or as a part of one.
pub fn parameter_of<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<Func<'a>> {
    let node = module.scoping().symbol_declaration(symbol);
    let own = module.nodes().kind(node);
    for kind in std::iter::once(own).chain(module.ancestors(node)) {
        match kind {
            AstKind::FormalParameter(it) => return module.function_around(it.node_id.get()),
            AstKind::VariableDeclarator(_)
            | AstKind::Function(_)
            | AstKind::ArrowFunctionExpression(_)
            | AstKind::CatchClause(_) => return None,
            _ => {}
        }
    }
    None
}

/// Is it handed in from outside: a parameter of a component or a hook, or taken out of its props?
pub fn is_handed_in(module: &Module<'_>, symbol: SymbolId) -> bool {
    let of_react = |func: Func<'_>| {
        let start = func.span().start;
        let mut all = module.functions().iter();
        all.any(|it| it.func.span().start == start && it.kind != FunctionKind::Other)
    };
    if let Some(func) = parameter_of(module, symbol) {
        return of_react(func);
    }
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    let props = init.and_then(|it| module.symbol_of(it));
    let is_taken_out = module.declarator(symbol).is_some_and(|it| it.id.is_object_pattern());
    is_taken_out && props.and_then(|it| parameter_of(module, it)).is_some_and(of_react)
}

/// Takes elements out of a list, each with one comma.
pub fn without(list: &ArrayExpression<'_>, gone: &[Span]) -> Vec<Edit> {
    let all: Vec<Span> = list.elements.iter().map(GetSpan::span).collect();
    let stays = |span: &Span| !gone.contains(span);
    let Some(last_kept) = all.iter().rposition(stays) else {
        return vec![Edit::replace(list.span.start, list.span.end, "[]")];
    };
    let mut edits: Vec<Edit> = all[..last_kept]
        .iter()
        .zip(&all[1..])
        .filter(|(it, _)| !stays(it))
        .map(|(it, next)| Edit::delete(it.start, next.start))
        .collect();
    if let Some(last) = all.last().filter(|it| !stays(it)) {
        edits.push(Edit::delete(all[last_kept].end, last.end));
    }
    edits
}

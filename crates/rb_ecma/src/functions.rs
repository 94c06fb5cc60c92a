//! Functions, told apart by what React makes of them.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, BindingPattern, CallExpression, Expression, FormalParameters,
    Function, FunctionBody, Statement, TSTypeAnnotation,
};
use oxc_ast_visit::Visit;
use oxc_semantic::{NodeId, ScopeId, SymbolId};
use oxc_span::Span;

use crate::module::Module;

/// A function of either form.
#[derive(Debug, Clone, Copy)]
pub enum Func<'a> {
    Function(&'a Function<'a>),
    Arrow(&'a ArrowFunctionExpression<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// Has a capital name and renders.
    Component,
    /// `useX`.
    Hook,
    Other,
}

/// A function with its name and what it is for.
#[derive(Debug, Clone, Copy)]
pub struct FunctionView<'a> {
    pub func: Func<'a>,
    /// Its own name, or that of what it is assigned to.
    pub name: Option<&'a str>,
    /// Of the name.
    pub symbol: Option<SymbolId>,
    pub kind: FunctionKind,
    /// It is what `memo(…)` or `forwardRef(…)` is given: the outermost such call.
    pub wrapper: Option<&'a CallExpression<'a>>,
    pub is_memo: bool,
}

impl<'a> Func<'a> {
    pub fn of(kind: AstKind<'a>) -> Option<Self> {
        match kind {
            AstKind::Function(function) => Some(Func::Function(function)),
            AstKind::ArrowFunctionExpression(arrow) => Some(Func::Arrow(arrow)),
            _ => None,
        }
    }

    pub fn of_expression(expression: &'a Expression<'a>) -> Option<Self> {
        match expression.get_inner_expression() {
            Expression::FunctionExpression(function) => Some(Func::Function(function)),
            Expression::ArrowFunctionExpression(arrow) => Some(Func::Arrow(arrow)),
            _ => None,
        }
    }

    pub fn node(self) -> NodeId {
        match self {
            Func::Function(it) => it.node_id.get(),
            Func::Arrow(it) => it.node_id.get(),
        }
    }

    pub fn span(self) -> Span {
        match self {
            Func::Function(it) => it.span,
            Func::Arrow(it) => it.span,
        }
    }

    pub fn params(self) -> &'a FormalParameters<'a> {
        match self {
            Func::Function(it) => &it.params,
            Func::Arrow(it) => &it.params,
        }
    }

    /// The block; none for `() => x` and for a declaration without a body.
    pub fn body(self) -> Option<&'a FunctionBody<'a>> {
        match self {
            Func::Function(it) => it.body.as_deref(),
            Func::Arrow(it) => it.body.as_function_body(),
        }
    }

    pub fn statements(self) -> &'a [Statement<'a>] {
        self.body().map_or(&[], |body| &body.statements)
    }

    /// What `() => x` gives, or a function whose body is `return x` alone.
    pub fn returned(self) -> Option<&'a Expression<'a>> {
        if let Func::Arrow(arrow) = self
            && let Some(expression) = arrow.body.as_expression()
        {
            return Some(expression);
        }
        match self.statements() {
            [Statement::ReturnStatement(only)] => only.argument.as_ref(),
            _ => None,
        }
    }

    pub fn is_async(self) -> bool {
        match self {
            Func::Function(it) => it.r#async,
            Func::Arrow(it) => it.r#async,
        }
    }

    pub fn is_generator(self) -> bool {
        matches!(self, Func::Function(it) if it.generator)
    }

    pub fn return_type(self) -> Option<&'a TSTypeAnnotation<'a>> {
        match self {
            Func::Function(it) => it.return_type.as_deref(),
            Func::Arrow(it) => it.return_type.as_deref(),
        }
    }

    pub fn scope(self) -> Option<ScopeId> {
        match self {
            Func::Function(it) => it.scope_id.get(),
            Func::Arrow(it) => it.scope_id.get(),
        }
    }

    /// `"use server"` and its like at the top of the body.
    pub fn has_directive(self, directive: &str) -> bool {
        self.body().is_some_and(|body| body.directives.iter().any(|it| it.directive == directive))
    }
}

impl<'a> Module<'a> {
    /// Every function of the file, in the order of the text.
    pub fn functions(&self) -> &[FunctionView<'a>] {
        self.functions.get_or_init(|| {
            self.function_nodes().iter().filter_map(|&node| self.view(node)).collect()
        })
    }

    pub fn components(&self) -> impl Iterator<Item = &FunctionView<'a>> + '_ {
        self.functions().iter().filter(|it| it.kind == FunctionKind::Component)
    }

    /// The function right around a node.
    pub fn function_around(&self, node: NodeId) -> Option<Func<'a>> {
        self.ancestors(node).find_map(Func::of)
    }

    pub fn function_view(&self, func: Func<'a>) -> Option<&FunctionView<'a>> {
        let all = self.functions();
        let at = all.binary_search_by_key(&func.node(), |it| it.func.node()).ok()?;
        Some(&all[at])
    }

    /// The component or hook around a node, through whatever functions are in it.
    pub fn component_or_hook_around(&self, node: NodeId) -> Option<&FunctionView<'a>> {
        self.ancestors(node).filter_map(Func::of).find_map(|func| {
            self.function_view(func).filter(|view| view.kind != FunctionKind::Other)
        })
    }

    /// The function that a name or expression stands for, where there is but one.
    pub fn function_of(&self, expression: &Expression<'a>) -> Option<Func<'a>> {
        let resolved = self.resolved(expression);
        match resolved {
            Expression::Identifier(name) => {
                let symbol = self.symbol(name)?;
                let declaration = self.is_stable(symbol).then(|| self.declaration(symbol))?;
                matches!(declaration, AstKind::Function(_)).then(|| Func::of(declaration))?
            }
            // The node table has what the arena holds, for as long as the arena.
            Expression::FunctionExpression(it) => Func::of(self.nodes().kind(it.node_id.get())),
            Expression::ArrowFunctionExpression(it) => {
                Func::of(self.nodes().kind(it.node_id.get()))
            }
            _ => None,
        }
    }

    fn view(&self, node: NodeId) -> Option<FunctionView<'a>> {
        let func = Func::of(self.nodes().kind(node))?;
        let mut wrapper = None;
        let mut is_memo = false;
        let mut around = self.ancestors(node).peekable();
        while let Some(AstKind::CallExpression(call)) = around.peek().copied() {
            let Some(name) = wrapping(self, call) else { break };
            is_memo |= name == "memo";
            wrapper = Some(call);
            around.next();
        }
        let own = match func {
            Func::Function(it) => it.id.as_ref().map(|id| (id.name.as_str(), id.symbol_id.get())),
            Func::Arrow(_) => None,
        };
        let assigned = match around.next() {
            Some(AstKind::VariableDeclarator(it)) => match &it.id {
                BindingPattern::BindingIdentifier(id) => {
                    Some((id.name.as_str(), id.symbol_id.get()))
                }
                _ => None,
            },
            _ => None,
        };
        let named = if wrapper.is_some() { assigned.or(own) } else { own.or(assigned) };
        let (name, symbol) = named.map_or((None, None), |(name, symbol)| (Some(name), symbol));
        let kind = match name {
            _ if wrapper.is_some() => FunctionKind::Component,
            Some(name) if is_hook_name(name) => FunctionKind::Hook,
            Some(name) if is_capital(name) && renders(func) => FunctionKind::Component,
            None if is_default_export(self, node) && renders(func) => FunctionKind::Component,
            _ => FunctionKind::Other,
        };
        Some(FunctionView { func, name, symbol, kind, wrapper, is_memo })
    }
}

fn is_default_export(module: &Module<'_>, node: NodeId) -> bool {
    matches!(module.parent(node), AstKind::ExportDefaultDeclaration(_))
}

/// `memo` or `forwardRef`, where the call is that.
fn wrapping<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<&'static str> {
    let name = module.react_call(call)?;
    ["memo", "forwardRef"].into_iter().find(|it| *it == name)
}

pub(crate) fn is_hook_name(name: &str) -> bool {
    name == "use"
        || name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

pub(crate) fn is_capital(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

/// Does the function itself hold JSX, or call hooks or `createElement`? Functions inside it count for JSX alone.
fn renders(func: Func<'_>) -> bool {
    let mut look = Renders { found: false };
    match func {
        Func::Function(it) => {
            if let Some(body) = &it.body {
                look.visit_function_body(body);
            }
        }
        Func::Arrow(it) => look.visit_arrow_function_body(&it.body),
    }
    look.found
}

struct Renders {
    found: bool,
}

impl<'a> Visit<'a> for Renders {
    fn visit_jsx_element(&mut self, _: &oxc_ast::ast::JSXElement<'a>) {
        self.found = true;
    }

    fn visit_jsx_fragment(&mut self, _: &oxc_ast::ast::JSXFragment<'a>) {
        self.found = true;
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let name = call.callee_name().unwrap_or_default();
        self.found |= name == "createElement" || is_hook_name(name);
        if !self.found {
            oxc_ast_visit::walk::walk_call_expression(self, call);
        }
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if !self.found {
            oxc_ast_visit::walk::walk_statement(self, statement);
        }
    }
}

//! Statements that wait: `const x = await f()` and `await f()`, and what hangs on what.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, MethodDefinition, PropertyKey, Statement, VariableDeclaration,
    VariableDeclarationKind, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use crate::cx::Cx;
use crate::facts::{Directive, Route};
use crate::rules::waterfalls::names::{chain, words};

/// One statement that does nothing but wait, and bind what comes.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    pub statement: &'a Statement<'a>,
    pub node: NodeId,
    pub bound: Option<Bound<'a>>,
    /// What stands behind `await`.
    pub awaited: &'a Expression<'a>,
}

#[derive(Debug, Clone)]
pub struct Bound<'a> {
    pub declaration: &'a VariableDeclaration<'a>,
    pub declarator: &'a VariableDeclarator<'a>,
    pub symbols: Vec<SymbolId>,
}

impl<'a> Step<'a> {
    pub fn of(statement: &'a Statement<'a>) -> Option<Self> {
        match statement {
            Statement::VariableDeclaration(declaration) => {
                let [declarator] = &declaration.declarations[..] else { return None };
                let is_plain = match declaration.kind {
                    VariableDeclarationKind::Var
                    | VariableDeclarationKind::Let
                    | VariableDeclarationKind::Const => true,
                    VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing => false,
                };
                let awaited = awaited(declarator.init.as_ref()?).filter(|_| is_plain)?;
                let names = declarator.id.get_binding_identifiers();
                let symbols = names.iter().filter_map(|it| it.symbol_id.get()).collect();
                let bound = Some(Bound { declaration, declarator, symbols });
                Some(Step { statement, node: declaration.node_id.get(), bound, awaited })
            }
            Statement::ExpressionStatement(it) => {
                let awaited = awaited(&it.expression)?;
                Some(Step { statement, node: it.node_id.get(), bound: None, awaited })
            }
            _ => None,
        }
    }

    pub fn span(&self) -> Span {
        self.statement.span()
    }

    pub fn symbols(&self) -> &[SymbolId] {
        self.bound.as_ref().map_or(&[], |it| &it.symbols)
    }

    /// `x` of `const x = await …`.
    pub fn name(&self) -> Option<&'a str> {
        let id = self.bound.as_ref()?.declarator.id.get_binding_identifier()?;
        Some(id.name.as_str())
    }

    /// How to speak of it: by what it binds, else by what it calls.
    pub fn label(&self, module: &Module<'a>) -> String {
        let names = self.symbols().iter().map(|&it| module.name(it)).collect::<Vec<_>>();
        match names[..] {
            [] => {
                let name = chain(self.awaited).first().map_or("await", |(name, _)| *name);
                format!("{name}()")
            }
            [only] => only.to_owned(),
            [first, ..] => format!("{first}, …"),
        }
    }
}

/// What `await …` waits for.
pub fn awaited<'a>(expression: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
    match expression {
        Expression::AwaitExpression(it) => Some(&it.argument),
        _ => None,
    }
}

/// `getVariant(props)`: what is handed all props of a page takes its `params` apart, which are there.
pub fn takes_props(awaited: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = awaited.get_inner_expression() else { return false };
    match &call.arguments[..] {
        [only] => only.as_expression().is_some_and(|it| it.is_specific_id("props")),
        _ => false,
    }
}

/// The lists of statements in which something is awaited, in the order of the text.
pub fn waiting_lists<'a>(module: &Module<'a>) -> Vec<&'a [Statement<'a>]> {
    let bound = module.declarators().iter().filter(|it| it.init.as_ref().is_some_and(is_await));
    let bound = bound.map(|it| it.node_id.get());
    // Nothing else that is not bound is ever spoken of.
    let warmed = module.calls().iter().filter(|it| {
        let name = it.callee_name().unwrap_or_default();
        (name.starts_with("prefetch") || name.starts_with("preload"))
            && matches!(module.parent(it.node_id.get()), AstKind::AwaitExpression(_))
    });
    let nodes = bound.chain(warmed.map(|it| it.node_id.get()));
    let mut lists: Vec<&'a [Statement<'a>]> =
        nodes.filter_map(|node| module.siblings(node)).map(|it| it.list).collect();
    lists.sort_by_key(|it| it.first().map(|it| it.span().start));
    lists.dedup_by_key(|it| it.as_ptr());
    lists
}

fn is_await(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::AwaitExpression(_))
}

/// Does the later statement hang on the earlier one, by a name or by what the earlier one may write?
pub fn depends<'a>(module: &Module<'a>, later: Span, earlier: &Step<'a>) -> bool {
    let names = module.identifiers_in(later);
    let uses = |symbol: SymbolId| names.iter().any(|it| module.symbol(it) == Some(symbol));
    if earlier.symbols().iter().any(|&it| uses(it)) {
        return true;
    }
    let writes = module.identifiers_in(earlier.span()).iter().any(|it| {
        let Some(symbol) = module.symbol(it) else { return false };
        let id = it.reference_id.get();
        id.is_some_and(|id| module.scoping().get_reference(id).flags().is_write()) && uses(symbol)
    });
    // A variable that somebody assigns to may be what the earlier call sets.
    let on_state = names.iter().any(|it| {
        module.symbol(it).is_some_and(|symbol| {
            module.scoping().symbol_is_mutated(symbol) && !is_within(module, symbol, later)
        })
    });
    writes || on_state || through_closure(module, later, earlier)
}

fn is_within(module: &Module<'_>, symbol: SymbolId, span: Span) -> bool {
    span.contains_inclusive(module.scoping().symbol_span(symbol))
}

/// A function beside it may use what the earlier step binds, and be called by the later one.
fn through_closure<'a>(module: &Module<'a>, later: Span, earlier: &Step<'a>) -> bool {
    let own = module.function_around(earlier.node).map(Func::node);
    let captured = earlier.symbols().iter().any(|&symbol| {
        module.value_uses(symbol).any(|it| module.function_around(it.node).map(Func::node) != own)
    });
    captured
        && module.identifiers_in(later).iter().any(|it| {
            module.symbol(it).is_some_and(|symbol| !module.is_top_level(symbol))
                && module.symbol(it).is_some_and(|symbol| {
                    !matches!(module.declaration(symbol), AstKind::FormalParameter(_))
                })
        })
}

/// Is the code part of a transaction, a lock or a queue, which order is the purpose of?
pub fn is_ordered(module: &Module<'_>, node: NodeId) -> bool {
    const ORDERED: &[&str] =
        &["transaction", "tx", "trx", "atomic", "lock", "mutex", "queue", "serialize", "exclusive"];
    let mut inside = false;
    for kind in module.ancestors(node) {
        match kind {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => inside = true,
            AstKind::CallExpression(call) if inside => {
                let mut names = chain(&call.callee).into_iter().map(|(name, _)| words(name));
                if names.any(|it| it.iter().any(|it| ORDERED.contains(&&**it))) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Is the node in a `try` of its own function?
pub fn is_in_try(module: &Module<'_>, node: NodeId) -> bool {
    module
        .ancestors(node)
        .take_while(|kind| Func::of(*kind).is_none())
        .any(|kind| matches!(kind, AstKind::TryStatement(_)))
}

/// Is the node in a handler of requests, or in an action of the server?
pub fn is_in_handler(cx: &Cx<'_, '_>, node: NodeId) -> bool {
    let by_file = match cx.facts.route {
        Some(Route::Handler | Route::Api) => true,
        Some(
            Route::Page
            | Route::Layout
            | Route::Template
            | Route::Loading
            | Route::Error
            | Route::NotFound
            | Route::Middleware
            | Route::Document
            | Route::App
            | Route::Instrumentation,
        )
        | None => cx.facts.directive == Some(Directive::UseServer),
    };
    let mut around = cx.module.ancestors(node).filter_map(Func::of).peekable();
    (by_file && around.peek().is_some()) || around.any(|func| func.has_directive("use server"))
}

/// A pattern of names alone: taking it apart runs no code of its own.
pub fn is_plain_pattern(pattern: &BindingPattern<'_>) -> bool {
    match pattern {
        BindingPattern::BindingIdentifier(_) => true,
        BindingPattern::ObjectPattern(it) => {
            it.properties.iter().all(|it| !it.computed && is_plain_pattern(&it.value))
        }
        BindingPattern::ArrayPattern(it) => {
            it.elements.iter().flatten().all(is_plain_pattern)
                && it.rest.as_ref().is_none_or(|it| is_plain_pattern(&it.argument))
        }
        BindingPattern::AssignmentPattern(_) => false,
    }
}

/// A comment by which the author says that the order is meant.
pub fn is_meant(module: &Module<'_>, span: Span) -> bool {
    const STEMS: &[&str] = &[
        "sequen", "order", "rate", "serial", "parallel", "avoid", "race", "deadlock", "first",
        "before", "after", "wait",
    ];
    const PHRASES: &[&str] = &["one at a time", "one by one"];
    let text = said_of(module, span);
    let mut said = text.split(|c: char| !c.is_alphanumeric());
    said.any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
        || PHRASES.iter().any(|phrase| text.contains(phrase))
}

/// The comments in a piece of code and those that stand right above it, in small letters.
fn said_of(module: &Module<'_>, span: Span) -> String {
    let mut from = module.line_start(span.start);
    let mut said = String::new();
    let before = module.comments().iter().rev().filter(|it| it.span.start < span.end);
    for comment in before {
        if !span.contains_inclusive(comment.span) {
            let gap = module.text().get(comment.span.end as usize..from as usize);
            if comment.span.end <= from
                && gap.is_none_or(|it| !it.trim().is_empty() || it.matches('\n').count() > 1)
            {
                break;
            }
            from = module.line_start(comment.span.start);
        }
        said.push_str(&module.slice(comment.span).to_lowercase());
        said.push('\n');
    }
    said
}

/// Is the statement there to find out whether something holds, by what is said of it, by what it binds, or by the function
/// or the class that it stands in?
pub fn is_check_by_name(module: &Module<'_>, step: &Step<'_>) -> bool {
    let said = said_of(module, step.span());
    let mut words = said.split(|c: char| !c.is_alphanumeric());
    let mut named = module.ancestors(step.node).filter_map(|kind| match kind {
        AstKind::Class(it) => it.id.as_ref().map(|it| it.name.as_str()),
        AstKind::MethodDefinition(it) => method_name(it),
        other => module.function_view(Func::of(other)?)?.name,
    });
    words.any(is_check)
        || said.contains("make sure")
        || said.contains("throw")
        || step.symbols().iter().any(|&it| is_checking(module.name(it)))
        || named.any(is_checking)
}

fn method_name<'a>(method: &'a MethodDefinition<'a>) -> Option<&'a str> {
    match &method.key {
        PropertyKey::StaticIdentifier(it) => Some(it.name.as_str()),
        PropertyKey::PrivateIdentifier(it) => Some(it.name.as_str()),
        _ => None,
    }
}

/// Does a name speak of a check: of what must hold, or of what somebody may do?
pub fn is_checking(name: &str) -> bool {
    words(name).iter().any(|word| is_check(word))
}

/// `validates`, `authorized`, `permissions`, and not `author`.
pub fn is_check(word: &str) -> bool {
    const STEMS: &[&str] = &[
        "assert", "authoriz", "authoris", "check", "ensur", "forbid", "guard", "permi", "protect",
        "validat", "verif",
    ];
    const WORDS: &[&str] = &["abilities", "ability", "can", "must", "require", "requires"];
    STEMS.iter().any(|it| word.starts_with(it)) && !word.starts_with("checkout")
        || WORDS.contains(&word)
}

/// Does every way through the branch end in leaving?
pub fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::ContinueStatement(_)
        | Statement::BreakStatement(_) => true,
        Statement::BlockStatement(it) => it.body.last().is_some_and(leaves),
        _ => false,
    }
}

/// `notFound()`, `redirect("/")`: it throws.
pub fn is_way_out(expression: &Expression<'_>) -> bool {
    const WAYS: &[&str] =
        &["forbidden", "notFound", "permanentRedirect", "redirect", "unauthorized"];
    matches!(expression, Expression::CallExpression(call)
        if call.callee_name().is_some_and(|it| WAYS.contains(&it)))
}

/// Takes a statement away; where it was the first of its block, the empty line below goes as well.
pub fn delete_statement(module: &Module<'_>, span: Span) -> Option<Edit> {
    let mut edit = module.delete_statement(span)?;
    let text = module.text();
    let is_first = text[..edit.start as usize].trim_end().ends_with('{');
    let (below, rest) = text[edit.end as usize..].split_once('\n')?;
    if is_first && below.trim().is_empty() && !rest.is_empty() {
        edit.end += u32::try_from(below.len() + 1).ok()?;
    }
    Some(edit)
}

//! A constant regular expression is made anew in each render or round of a loop.

mod pattern;
mod place;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, Expression, IdentifierReference, RegExpFlags, Statement,
};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, FunctionKind, Module, Types};

use self::pattern::is_surely_valid;
use self::place::{constant_name, constants, insert, name};
use super::hot::{Heat, heat, kind_of, round};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-hoist-regexp",
    title: "A constant regular expression is made again and again",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Auto,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A constant regular expression is created in a loop, in a list callback, or in the body of a component \
               or hook, as a literal or as `new RegExp` with a literal pattern.",
        why: "Each time the code runs, another object is created; `new RegExp` also parses the pattern again.",
        wrong: "const Names = ({ names }: { names: string[] }) => <p>{names.filter((name) => /^[a-z]+$/i.test(name))}</p>;",
        right:
            "const NAME = /^[a-z]+$/i;
const Names = ({ names }: { names: string[] }) => <p>{names.filter((name) => NAME.test(name))}</p>;",
        safe: "Fixed automatically if the expression is only used for matching, and has neither the flag `g` nor \
               `y`: with those it keeps its last position, and a shared object would continue from there. The \
               pattern of a `new RegExp` must be valid, since it would now fail when the file is loaded.",
        leave: "The code is not hot: creating a literal costs next to nothing. Not reported: literals in loops that \
                wait for something or end right there, behind a condition of a component, and in packages without \
                React.",
        given: &[],
    },
    wants: &["/", "RegExp"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

/// A regular expression that is always the same.
struct Constant<'a> {
    node: NodeId,
    span: Span,
    /// As it is written, `/x/` or `new RegExp("x")`.
    is_literal: bool,
    /// `g` or `y`.
    is_stateful: bool,
    is_valid: bool,
    text: &'a str,
}

/// What is done with it.
enum Role<'a> {
    /// `re.test(…)`.
    Receiver,
    /// `text.replace(re, …)`, and the text.
    Argument(&'a Expression<'a>),
    /// `const re = …`, and its name.
    Named(&'a str),
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for node in module.nodes().iter() {
        if let Some(hit) = of_values(module, node.kind()) {
            cx.report(hit);
        }
        let Some(it) = constant(module, node.kind()) else { continue };
        let Some(heat) = heat(module, it.node) else { continue };
        // A literal is too cheap to speak of beside what an event does, and in programs that show nothing.
        let is_cold = heat == Heat::Handler || !cx.facts.package.uses_react;
        let is_rare =
            is_once(module, it.node) || heat == Heat::Render && is_asked_first(module, it.node);
        if it.is_literal && (is_cold || is_rare) {
            continue;
        }
        let Some(roles) = roles(module, &it) else { continue };
        let message = format!(
            "`{}` is recreated {}; move it to a module-level constant",
            shortened(it.text),
            heat.often()
        );
        let doubt = doubt(module, &it, &roles);
        let hit = Hit::at(it.span, message);
        cx.report(hit.auto_unless(doubt, "move it to module scope", edits(module, &it, &roles)));
    }
}

/// `new RegExp(query, 'gi')` in the body of a component: a `useMemo` would keep it.
fn of_values<'a>(module: &Module<'a>, kind: AstKind<'a>) -> Option<Hit> {
    let AstKind::NewExpression(it) = kind else { return None };
    let pattern = it.arguments.first()?.as_expression()?;
    let around = module.function_around(it.node_id.get())?;
    let names = module.identifiers_in(pattern.span());
    let is_local = |name: &IdentifierReference<'a>| {
        module.symbol(name).is_some_and(|symbol| !module.is_top_level(symbol))
    };
    let fits = module.is_global_named(&it.callee, "RegExp")
        && kind_of(module, around) == FunctionKind::Component
        && heat(module, it.node_id.get()) == Some(Heat::Render)
        && names.iter().any(|name| is_local(name));
    let message = format!(
        "`{}` is recreated on every render; wrap it in `useMemo`",
        shortened(module.slice(it.span))
    );
    fits.then(|| Hit::at(it.span, message).likely("its inputs may change on every render"))
}

/// Is a literal of a loop made once at most, or beside something that is waited for?
fn is_once(module: &Module<'_>, node: NodeId) -> bool {
    let Some(round) = round(module, node) else { return false };
    // `return` ends a loop, but only one round of `map`.
    let is_statement = !matches!(module.nodes().kind(round.node), AstKind::CallExpression(_));
    let leaves = module
        .ancestors(node)
        .take_while(|kind| kind.span() != round.body && Func::of(*kind).is_none())
        .any(|kind| matches!(kind, AstKind::ReturnStatement(_) | AstKind::ThrowStatement(_)));
    let waits = module
        .ancestors(node)
        .filter_map(Func::of)
        .any(|func| func.is_async() && kind_of(module, func) == FunctionKind::Other);
    (is_statement && leaves) || waits
}

/// Does a condition of the component stand before the literal? Then not each render makes it.
fn is_asked_first(module: &Module<'_>, node: NodeId) -> bool {
    let at = module.nodes().kind(node).span();
    let mut around = module.ancestors(node).take_while(|kind| Func::of(*kind).is_none());
    around.any(|kind| match kind {
        AstKind::LogicalExpression(it) => it.right.span().contains_inclusive(at),
        AstKind::ConditionalExpression(it) => !it.test.span().contains_inclusive(at),
        AstKind::IfStatement(it) => !it.test.span().contains_inclusive(at),
        _ => false,
    })
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 && !text.contains('`') {
        return text.to_owned();
    }
    let short: String = text.chars().filter(|c| *c != '`').take(36).collect();
    format!("{short}…")
}

fn constant<'a>(module: &Module<'a>, kind: AstKind<'a>) -> Option<Constant<'a>> {
    match kind {
        AstKind::RegExpLiteral(it) => Some(Constant {
            node: it.node_id.get(),
            span: it.span,
            is_literal: true,
            is_stateful: it.regex.flags.intersects(RegExpFlags::G | RegExpFlags::Y),
            is_valid: true,
            text: module.slice(it.span),
        }),
        AstKind::NewExpression(it) if module.is_global_named(&it.callee, "RegExp") => {
            let text = |at: usize| match it.arguments.get(at)?.as_expression()? {
                Expression::StringLiteral(text) => Some(text.value.as_str()),
                _ => None,
            };
            let pattern = text(0)?;
            let flags = if it.arguments.len() == 1 { "" } else { text(1)? };
            Some(Constant {
                node: it.node_id.get(),
                span: it.span,
                is_literal: false,
                is_stateful: flags.contains(['g', 'y']),
                is_valid: is_surely_valid(pattern) && ["", "i", "m", "s", "im"].contains(&flags),
                text: module.slice(it.span),
            })
        }
        _ => None,
    }
}

/// What is done with it, where all of it is matching.
fn roles<'a>(module: &Module<'a>, it: &Constant<'a>) -> Option<Vec<Role<'a>>> {
    if let AstKind::VariableDeclarator(declarator) = module.parent(it.node) {
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return None };
        let symbol = id.symbol_id.get().filter(|&symbol| module.is_const(symbol))?;
        let mut roles = vec![Role::Named(id.name.as_str())];
        for used in module.uses(symbol) {
            roles.push(role(module, used.node, used.span, !it.is_stateful)?);
        }
        return Some(roles);
    }
    Some(vec![role(module, it.node, it.span, !it.is_stateful)?])
}

fn role<'a>(module: &Module<'a>, node: NodeId, span: Span, keeps: bool) -> Option<Role<'a>> {
    let mut around = module.ancestors(node);
    match around.next()? {
        AstKind::StaticMemberExpression(member) => {
            // With `g` each object begins at the start of the text: one for all would not.
            let matches = ["test", "exec"].contains(&member.property.name.as_str()) && keeps;
            let called = matches!(around.next()?, AstKind::CallExpression(call)
                if call.callee.span() == member.span);
            (matches && called).then_some(Role::Receiver)
        }
        AstKind::CallExpression(call) => argument_of(call, span),
        _ => None,
    }
}

/// `text.match(re)` and its like.
fn argument_of<'a>(call: &'a CallExpression<'a>, span: Span) -> Option<Role<'a>> {
    const METHODS: &[&str] = &["match", "matchAll", "replace", "replaceAll", "search", "split"];
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    let is_first = call.arguments.first().is_some_and(|it| it.span() == span);
    let matches = METHODS.contains(&member.property.name.as_str());
    (is_first && matches).then_some(Role::Argument(&member.object))
}

/// Why it is not proved that one object does what many did.
fn doubt<'a>(module: &Module<'a>, it: &Constant<'a>, roles: &[Role<'a>]) -> Option<&'static str> {
    let is_text = |role: &Role<'a>| match role {
        Role::Argument(object) => module.types(object).is_only(Types::STRING),
        Role::Receiver | Role::Named(_) => true,
    };
    if it.is_stateful {
        Some("it has the `g` or `y` flag and may keep `lastIndex` state")
    } else if !it.is_valid {
        Some("an invalid pattern would throw at module load")
    } else if !roles.iter().all(is_text) {
        Some("it may be passed to a non-string")
    } else if runs_before_imports(module) {
        Some("code runs before the last import")
    } else if module.has_comment(it.span) {
        Some("a comment would be moved")
    } else {
        None
    }
}

/// Is there code that would run before a constant behind the last import?
fn runs_before_imports(module: &Module<'_>) -> bool {
    let body = &module.program().body;
    let is_import = |it: &Statement<'_>| matches!(it, Statement::ImportDeclaration(_));
    let Some(last) = body.iter().rposition(is_import) else { return false };
    let line = module.line(body[last].span().end);
    body[..last].iter().any(|it| !is_import(it))
        || body.get(last + 1).is_some_and(|next| module.line(next.span().start) == line)
}

fn edits<'a>(module: &Module<'a>, it: &Constant<'a>, roles: &[Role<'a>]) -> Vec<Edit> {
    let base = roles.iter().find_map(|role| match role {
        Role::Named(name) => Some(constant_name(name)),
        Role::Receiver | Role::Argument(_) => None,
    });
    if let Some(name) = existing(module, it) {
        return vec![Edit::replace(it.span.start, it.span.end, name.to_owned())];
    }
    let name = module.fresh_name(&base.unwrap_or_else(|| name(module, it.node)));
    let code = format!("const {name} = {}{}", it.text, module.style().semicolon());
    vec![insert(module, &code), Edit::replace(it.span.start, it.span.end, name)]
}

/// The constant at the top of the file that is this very expression, and that no other name hides.
fn existing<'a>(module: &Module<'a>, it: &Constant<'a>) -> Option<&'a str> {
    constants(module)
        .filter(|only| only.init.as_ref().is_some_and(|init| module.slice(init.span()) == it.text))
        .filter(|_| it.is_literal && !it.is_stateful)
        .filter_map(|only| only.id.get_binding_identifier())
        .find(|id| module.scoping().symbol_names().filter(|name| *name == id.name).count() == 1)
        .map(|id| id.name.as_str())
}

#[cfg(test)]
mod tests;

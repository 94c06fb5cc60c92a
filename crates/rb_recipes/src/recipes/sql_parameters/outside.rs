//! Data from outside that reaches a statement: requests, arguments, the environment, messages.
//!
//! It is followed backwards through names, parameters and calls, as far as the files show it. What was turned into a number,
//! escaped, or looked up in a list of allowed values is no longer dangerous.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, IdentifierReference};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{EACH_METHODS, Func, words};

use super::expressions::last_name;
use super::handles::Finder;
use crate::links::{WHOLE, links};
use crate::plan::one_line;

/// Begins the reason of a place where an attacker may write into a statement.
pub const OPEN_INJECTION: &str = "open SQL injection: ";

/// The most names and calls that are followed.
const DEPTH: u32 = 6;
const REQUESTS: &[&str] = &["req", "request", "ctx", "context", "event", "evt", "koa", "c"];
const PARTS: &[&str] = &[
    "args",
    "body",
    "cookies",
    "files",
    "formData",
    "header",
    "headers",
    "originalUrl",
    "param",
    "params",
    "pathParameters",
    "query",
    "queryStringParameters",
    "rawBody",
    "searchParams",
    "url",
];
const MESSAGES: &[&str] = &["message", "msg", "event", "evt", "job", "packet"];
const PAYLOADS: &[&str] = &["body", "content", "data", "payload", "value"];
/// Functions and members that give no text of their argument.
const DISARMING: &[&str] = &[
    "BigInt",
    "Boolean",
    "Date",
    "Number",
    "getTime",
    "includes",
    "indexOf",
    "isNaN",
    "length",
    "parseFloat",
    "parseInt",
    "size",
    "some",
    "every",
    "test",
    "has",
    "toFixed",
];
/// Words of functions that make text safe for SQL.
const SAFE_WORDS: &[&str] = &[
    "escape",
    "escaped",
    "quote",
    "sanitize",
    "literal",
    "ident",
    "identifier",
    "allowed",
    "whitelist",
    "validate",
];

/// What comes from outside in a piece of code, as it is written: `req.body.sort`.
pub(super) fn source(finder: &Finder<'_, '_>, span: Span) -> Option<String> {
    reaches(finder, span, &mut Way { depth: DEPTH, seen: BTreeSet::new() })
}

/// How far the way back has led.
struct Way {
    depth: u32,
    /// Names that were looked at, by file and place.
    seen: BTreeSet<(String, u32)>,
}

fn reaches(finder: &Finder<'_, '_>, span: Span, way: &mut Way) -> Option<String> {
    way.depth = way.depth.checked_sub(1)?;
    let found = reached(finder, span, way);
    way.depth += 1;
    found
}

fn reached(finder: &Finder<'_, '_>, span: Span, way: &mut Way) -> Option<String> {
    let module = finder.module;
    module.identifiers_in(span).iter().find_map(|it| {
        let (code, is_source) = chain(finder, it);
        if is_disarmed(finder, it.node_id.get(), span) || is_checked(finder, it, &code) {
            return None;
        }
        if is_source {
            return Some(one_line(&code));
        }
        by_symbol(finder, module.symbol(it)?, way)
    })
}

/// A name with the members behind it, and whether that comes from outside.
fn chain<'a>(finder: &Finder<'_, 'a>, name: &IdentifierReference<'a>) -> (String, bool) {
    let module = finder.module;
    let mut names = vec![name.name.as_str()];
    let mut span = name.span;
    let mut node = name.node_id.get();
    while let AstKind::StaticMemberExpression(it) = module.parent(node)
        && it.object.span() == span
    {
        names.push(it.property.name.as_str());
        (span, node) = (it.span, it.node_id.get());
    }
    let is_called =
        matches!(module.parent(node), AstKind::CallExpression(it) if it.callee.span() == span);
    let root = names[0];
    let has = |list: &[&str]| names[1..].iter().any(|it| list.contains(it));
    let is_source = match root {
        "process" => has(&["argv", "env", "stdin"]),
        "Deno" => has(&["args", "env"]),
        "Bun" => has(&["argv", "env"]),
        _ if REQUESTS.contains(&root) && has(PARTS) => true,
        "req" | "request" => is_called && names.last() == Some(&"get"),
        _ => MESSAGES.contains(&root) && has(PAYLOADS),
    };
    // A method is not part of what is meant: `req.body.name` of `req.body.name.trim()`.
    let code = module.slice(span);
    let code = match code.rfind('.').filter(|_| is_called && names.len() > 2) {
        Some(at) => code[..at].trim_end_matches('?').to_owned(),
        None => code.to_owned(),
    };
    (code, is_source)
}

/// Is what is made of it in this code a number, a truth, or safe?
fn is_disarmed(finder: &Finder<'_, '_>, node: NodeId, span: Span) -> bool {
    let module = finder.module;
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        if !span.contains_inclusive(kind.span()) {
            return false;
        }
        let found = match kind {
            AstKind::CallExpression(it) => {
                let name = last_name(&it.callee).unwrap_or_default();
                let is_safe = words(name).iter().any(|it| SAFE_WORDS.contains(&it.as_str()));
                DISARMING.contains(&name) || (is_safe && it.callee.span() != inner)
            }
            AstKind::NewExpression(_) | AstKind::UnaryExpression(_) => true,
            AstKind::StaticMemberExpression(it) => {
                matches!(it.property.name.as_str(), "length" | "size")
            }
            AstKind::ComputedMemberExpression(it) => it.expression.span() == inner,
            AstKind::ConditionalExpression(it) => it.test.span() == inner,
            AstKind::BinaryExpression(it) => it.operator.as_str() != "+",
            _ => false,
        };
        if found {
            return true;
        }
        inner = kind.span();
    }
    false
}

/// Does the function around look it up among allowed values before?
fn is_checked(finder: &Finder<'_, '_>, name: &IdentifierReference<'_>, code: &str) -> bool {
    let module = finder.module;
    let around = module.function_around(name.node_id.get());
    let Some(around) = around.map(Func::span) else { return false };
    let before = module.slice(Span::new(around.start, name.span.start.max(around.start)));
    let checks = [
        format!(".includes({code})"),
        format!(".has({code})"),
        format!(".test({code})"),
        format!(".indexOf({code})"),
        format!("switch ({code})"),
        format!(", {code}))"),
        format!("({code} in "),
        format!("isNaN({code}"),
    ];
    checks.iter().any(|it| before.contains(it.as_str()))
}

fn by_symbol(finder: &Finder<'_, '_>, symbol: SymbolId, way: &mut Way) -> Option<String> {
    let module = finder.module;
    let at = module.scoping().symbol_span(symbol);
    if !way.seen.insert((finder.path.to_owned(), at.start)) {
        return None;
    }
    let declaration = module.scoping().symbol_declaration(symbol);
    let own = std::iter::once(module.nodes().kind(declaration));
    for kind in own.chain(module.ancestors(declaration)) {
        match kind {
            AstKind::VariableDeclarator(it) => {
                let found = match &it.init {
                    Some(init) => {
                        taken_out(finder, init, at).or_else(|| reaches(finder, init.span(), way))
                    }
                    None => None,
                };
                return found.or_else(|| assigned(finder, symbol, way));
            }
            AstKind::ForOfStatement(it) => return reaches(finder, it.right.span(), way),
            AstKind::CatchClause(_) | AstKind::Program(_) | AstKind::Class(_) => return None,
            kind => {
                if let Some(func) = Func::of(kind) {
                    return by_parameter(finder, func, at, way);
                }
            }
        }
    }
    None
}

/// `const { body } = req`
fn taken_out<'a>(
    finder: &Finder<'_, 'a>,
    from: &oxc_ast::ast::Expression<'a>,
    name: Span,
) -> Option<String> {
    let root = last_name(from)?;
    let name = finder.module.slice(name);
    (REQUESTS.contains(&root) && PARTS.contains(&name)).then(|| format!("{root}.{name}"))
}

/// What is put into a name later.
fn assigned(finder: &Finder<'_, '_>, symbol: SymbolId, way: &mut Way) -> Option<String> {
    let module = finder.module;
    module.uses(symbol).filter(rb_ecma::Use::is_write).find_map(|used| {
        match module.parent(used.node) {
            AstKind::AssignmentExpression(it) => reaches(finder, it.right.span(), way),
            AstKind::ForOfStatement(it) => reaches(finder, it.right.span(), way),
            _ => None,
        }
    })
}

fn by_parameter(
    finder: &Finder<'_, '_>,
    func: Func<'_>,
    at: Span,
    way: &mut Way,
) -> Option<String> {
    let module = finder.module;
    let index = func.params().items.iter().position(|it| it.span.contains_inclusive(at))?;
    let name = module.slice(at);
    if let AstKind::CallExpression(call) = module.parent(func.node()) {
        let taker = last_name(&call.callee).unwrap_or_default();
        let is_whole = func.params().items[index].pattern.get_binding_identifier().is_some();
        if !is_whole && PARTS.contains(&name) && index == 0 {
            return Some(name.to_owned());
        }
        if EACH_METHODS.contains(&taker) {
            return reaches(finder, call.callee.span(), way);
        }
        let event = call.arguments.first().map_or("", |it| module.slice(it.span()));
        let is_event = matches!(taker, "on" | "once" | "subscribe" | "consume" | "onMessage");
        let is_quiet = ["error", "close", "end", "connect", "listening", "exit"]
            .iter()
            .any(|it| event.contains(it));
        return (is_event && !is_quiet).then(|| name.to_owned());
    }
    let of = named(finder, func)?;
    let own = BTreeSet::from([of]);
    here(finder, &own, None, index, way).or_else(|| elsewhere(finder, own, index, way))
}

/// The name by which a function is called.
fn named(finder: &Finder<'_, '_>, func: Func<'_>) -> Option<String> {
    let module = finder.module;
    if let Func::Function(it) = func
        && let Some(id) = &it.id
    {
        return Some(id.name.to_string());
    }
    match module.parent(func.node()) {
        AstKind::VariableDeclarator(it) => it.id.get_identifier_name().map(|it| it.to_string()),
        AstKind::MethodDefinition(it) => it.key.static_name().map(|it| it.to_string()),
        AstKind::ObjectProperty(it) => it.key.static_name().map(|it| it.to_string()),
        AstKind::AssignmentExpression(it) => {
            let left = module.slice(it.left.span());
            left.rsplit('.').next().map(str::to_owned)
        }
        _ => None,
    }
}

/// Calls in a file: by a name of the function, or of all that the file `whole` gives.
fn here(
    finder: &Finder<'_, '_>,
    names: &BTreeSet<String>,
    whole: Option<&str>,
    index: usize,
    way: &mut Way,
) -> Option<String> {
    let calls = finder.module.calls().iter().filter(|call| {
        last_name(&call.callee).is_some_and(|it| names.contains(it))
            || whole.is_some_and(|path| finder.is_file(&call.callee, path))
    });
    calls.copied().find_map(|call| {
        let given = call.arguments.get(index).and_then(Argument::as_expression)?;
        reaches(finder, given.span(), way)
    })
}

/// The names by which others call a function: its own, those of exports, and those of objects that hold it.
fn names(finder: &Finder<'_, '_>, own: BTreeSet<String>) -> BTreeSet<String> {
    let links = links(finder.world, finder.path);
    let exports = links.iter().flat_map(|it| &it.exports);
    let exports = exports.filter(|it| it.local.as_ref().is_some_and(|it| own.contains(it)));
    let held = finder.module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::ObjectProperty(it)
            if own.contains(it.value.get_identifier_reference()?.name.as_str()) =>
        {
            it.key.static_name().map(|it| it.to_string())
        }
        _ => None,
    });
    let names: Vec<String> = exports.map(|it| it.name.clone()).chain(held).collect();
    own.into_iter().chain(names).collect()
}

/// Calls in the files that import this one.
fn elsewhere(
    finder: &Finder<'_, '_>,
    own: BTreeSet<String>,
    index: usize,
    way: &mut Way,
) -> Option<String> {
    let world = finder.world;
    let names = names(finder, own);
    let is_whole = names.contains(WHOLE) || names.contains("default");
    let whole = is_whole.then_some(finder.path);
    let users = world.users(finder.path);
    users.iter().filter(|it| it.as_str() != finder.path).take(64).find_map(|path| {
        world
            .with_module(path, |module| {
                let there = Finder { world, path, module };
                here(&there, &names, whole, index, way)
            })
            .flatten()
    })
}

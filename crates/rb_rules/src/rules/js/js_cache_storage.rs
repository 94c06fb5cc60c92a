//! The same key of a storage, or the cookies, are read twice in one go, or in each render.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, CallExpression, Expression, Statement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{FunctionKind, Module};

use super::hot::{Heat, heat, round};
use super::shapes::{
    camel, insert_before, is_exported_in_place, method, only_argument, statement_in_same_function,
    unused_name, uses_inner,
};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-cache-storage",
    title: "A storage is read again for what was just read",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "`localStorage.getItem` or `sessionStorage.getItem` reads the same key twice in one function with \
               nothing in between that could change it, or reads a key in each render or iteration; the same for \
               `document.cookie`.",
        why: "These reads are synchronous: the page waits for the disk or another process each time.",
        wrong: "export function isDark() {
  return localStorage.getItem('theme') === 'dark' || localStorage.getItem('theme') === 'dim';
}",
        right: "export function isDark() {
  const theme = localStorage.getItem('theme');
  return theme === 'dark' || theme === 'dim';
}",
        safe: "A draft: the value is kept in a local constant. A longer-lived cache must be refreshed when another \
               tab writes or the user leaves, which is left to you.",
        leave: "Something between the reads may write, which cannot be seen here.",
        given: &[],
    },
    wants: &["Storage", "cookie"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

/// One read: of a key of a storage, or of all cookies.
struct Read<'a> {
    node: NodeId,
    span: Span,
    /// As it is written, without its quotes.
    what: String,
    key: Option<&'a str>,
    function: Option<Span>,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let reads = reads(module);
    let mut done: Vec<Span> = Vec::new();
    let mut given: Vec<String> = Vec::new();
    for (at, first) in reads.iter().enumerate() {
        if done.contains(&first.span) {
            continue;
        }
        let again: Vec<&Read<'_>> = reads[at + 1..]
            .iter()
            .take_while(|it| {
                it.function == first.function
                    && is_calm(module, first.span.end, it.span.start, &reads)
            })
            .filter(|it| it.what == first.what)
            .collect();
        if let Some(second) = again.first() {
            done.extend(again.iter().map(|it| it.span));
            let message = format!("`{}` was just read; reuse the result", first.what);
            let hit = Hit::at(second.span, message);
            cx.report(match edits(module, first, &again, &mut given) {
                Some(edits) => hit.assist("read it once", edits),
                None => hit,
            });
        } else if let Some(often) = often(module, first) {
            cx.report(Hit::at(
                first.span,
                format!("`{}` is read {often}; read it once and cache it", first.what),
            ));
        } else if let Some(name) = getter(module, first) {
            let message = format!(
                "`{}` is read on every call of `{name}`; read it once and cache it",
                first.what
            );
            let condition =
                format!("`{name}` may run only once, or the value may change elsewhere");
            cx.report(Hit::at(first.span, message).likely(condition));
        }
    }
}

fn reads<'a>(module: &Module<'a>) -> Vec<Read<'a>> {
    let mut reads: Vec<Read<'a>> = module
        .calls()
        .iter()
        .filter_map(|call| {
            let key = storage_key(module, call)?;
            Some(read(module, call.node_id.get(), call.span, Some(key)))
        })
        .collect();
    for name in module.identifiers().iter().filter(|it| it.name == "document") {
        let node = name.node_id.get();
        let AstKind::StaticMemberExpression(member) = module.parent(node) else { continue };
        let outer = member.node_id.get();
        let is_written = matches!(module.parent(outer), AstKind::AssignmentExpression(it)
            if it.left.span() == member.span);
        if member.property.name == "cookie" && module.is_global(name) && !is_written {
            reads.push(read(module, outer, member.span, None));
        }
    }
    reads.sort_by_key(|it| it.span.start);
    reads
}

fn read<'a>(module: &Module<'a>, node: NodeId, span: Span, key: Option<&'a str>) -> Read<'a> {
    let function = module.function_around(node).map(rb_ecma::Func::span);
    Read { node, span, what: module.slice(span).replace('"', "'"), key, function }
}

/// The literal key of `localStorage.getItem("key")`.
fn storage_key<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<&'a str> {
    let method = method(call).filter(|it| it.name == "getItem" && !it.optional)?;
    let Expression::StringLiteral(key) = only_argument(call)? else { return None };
    module.is_storage(method.object).then_some(key.value.as_str())
}

/// Does nothing between two reads write, call or wait?
fn is_calm(module: &Module<'_>, from: u32, to: u32, reads: &[Read<'_>]) -> bool {
    let calls = module.calls();
    let first = calls.partition_point(|it| it.span.start < from);
    let quiet = calls[first..].iter().take_while(|it| it.span.start < to).all(|it| {
        reads.iter().any(|read| read.span == it.span) || is_known(module, it) || it.span.end > to
    });
    let between = &module.text()[from as usize..to as usize];
    // A call that began before and goes on holds both reads: `f(a, b)` runs behind them.
    quiet
        && !writes(module, Span::new(from, to))
        && !between.contains("await ")
        && !between.contains("yield ")
}

/// `localStorage.key = x`, `document.cookie = x`.
fn writes(module: &Module<'_>, between: Span) -> bool {
    module
        .identifiers_in(between)
        .iter()
        .filter(|it| ["localStorage", "sessionStorage", "document"].contains(&it.name.as_str()))
        .any(|it| {
            module.ancestors(it.node_id.get()).take(4).any(|kind| {
                matches!(kind, AstKind::AssignmentExpression(outer)
                    if outer.left.span().contains_inclusive(it.span))
            })
        })
}

fn is_known<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(member) => {
            ["JSON", "Math", "Number", "Object"]
                .iter()
                .any(|owner| module.is_global_named(&member.object, owner))
                || rb_ecma::is_quiet_method(member.property.name.as_str())
        }
        Expression::Identifier(name) => {
            module.is_global(name)
                && ["String", "Number", "Boolean", "parseInt", "parseFloat"]
                    .contains(&name.name.as_str())
        }
        _ => false,
    }
}

/// Read in each render or round, with the same key each time.
fn often<'a>(module: &Module<'a>, it: &Read<'a>) -> Option<&'static str> {
    let heat = heat(module, it.node)?;
    match heat {
        Heat::Render => {
            // What a state begins with has a rule of its own; `useMemo` reads once.
            let is_kept = module.ancestors(it.node).any(|kind| matches!(kind, AstKind::CallExpression(call)
                if matches!(module.react_call(call), Some("useState" | "useRef" | "useMemo" | "useReducer"))));
            (!is_kept && !is_live(module, it)).then_some(heat.often())
        }
        Heat::Loop => round(module, it.node)
            .is_some_and(|round| !uses_inner(module, it.span, round.span))
            .then_some(heat.often()),
        Heat::Handler => Some(heat.often()),
    }
}

/// The name of a function of the file that gives what it reads, and is offered to others or called twice.
fn getter<'a>(module: &Module<'a>, it: &Read<'a>) -> Option<&'a str> {
    let func = module.function_around(it.node)?;
    let view = module.function_view(func)?;
    let symbol = view.symbol.filter(|&it| module.is_top_level(it))?;
    let given = func.returned().or_else(|| match func.statements() {
        [Statement::ReturnStatement(only)] => only.argument.as_ref(),
        _ => None,
    })?;
    let calls = module.value_uses(symbol).filter(|it| {
        matches!(module.parent(it.node), AstKind::CallExpression(call) if call.callee.span() == it.span)
    });
    let is_asked_often = calls.count() > 1 || is_exported_in_place(module, symbol);
    let is_all = given.span().contains_inclusive(it.span) && !is_written(module, it);
    (view.kind == FunctionKind::Other && is_all && is_asked_often).then_some(view.name?)
}

/// Is it meant to be fresh? A hook depends on it, or the file writes the key, and it is no mere beginning of a state.
fn is_live<'a>(module: &Module<'a>, it: &Read<'a>) -> bool {
    if is_dependency(module, it.node) {
        return true;
    }
    let kept = module.ancestors(it.node).find_map(|kind| match kind {
        AstKind::VariableDeclarator(it) => it.id.get_binding_identifier()?.symbol_id.get(),
        AstKind::AssignmentExpression(it) => match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => module.symbol(name),
            _ => None,
        },
        _ => None,
    });
    let uses = || kept.into_iter().flat_map(|symbol| module.value_uses(symbol));
    let mut reads = uses().filter(|it| !it.is_write()).peekable();
    let is_beginning = reads.peek().is_some()
        && reads.all(|it| {
            module.ancestors(it.node).any(|kind| {
                matches!(kind, AstKind::CallExpression(call)
                    if matches!(module.react_call(call), Some("useState" | "useRef" | "useReducer")))
            })
        });
    uses().any(|it| is_dependency(module, it.node)) || (is_written(module, it) && !is_beginning)
}

/// `[…, it]` of `useEffect(…, […, it])`.
fn is_dependency(module: &Module<'_>, node: NodeId) -> bool {
    let mut around = module.ancestors(node);
    let Some(AstKind::ArrayExpression(list)) = around.next() else { return false };
    matches!(around.next(), Some(AstKind::CallExpression(call))
        if call.arguments.get(1).is_some_and(|it| it.span() == list.span)
            && call.callee_name().is_some_and(|name| name.starts_with("use")))
}

/// Does the file set or remove the key, or some cookie?
fn is_written<'a>(module: &Module<'a>, it: &Read<'a>) -> bool {
    let Some(key) = it.key else { return writes(module, module.program().span) };
    module.calls().iter().any(|call| {
        let is_setter = method(call).is_some_and(|it| {
            ["setItem", "removeItem"].contains(&it.name) && module.is_storage(it.object)
        });
        let first = call.arguments.first().and_then(|it| it.as_expression());
        is_setter && matches!(first, Some(Expression::StringLiteral(it)) if it.value == key)
    })
}

/// One constant for all reads.
fn edits<'a>(
    module: &Module<'a>,
    first: &Read<'a>,
    again: &[&Read<'a>],
    given: &mut Vec<String>,
) -> Option<Vec<Edit>> {
    let replaced =
        |name: &str, it: &Read<'a>| Edit::replace(it.span.start, it.span.end, name.to_owned());
    if let AstKind::VariableDeclarator(declarator) = module.parent(first.node)
        && let BindingPattern::BindingIdentifier(id) = &declarator.id
    {
        let symbol = id.symbol_id.get()?;
        let list = module.siblings(first.node)?;
        let block = Span::new(list.list.first()?.span().start, list.list.last()?.span().end);
        let seen = again.iter().all(|it| block.contains_inclusive(it.span));
        return (module.is_const(symbol) && seen)
            .then(|| again.iter().map(|it| replaced(id.name.as_str(), it)).collect());
    }
    let statement = statement_in_same_function(module, first.node)?;
    if !is_always_read(module, first.node, statement) {
        return None;
    }
    let list = module.siblings(first.node)?;
    let end = list.list.last()?.span().end;
    if again.iter().any(|it| it.span.end > end) {
        return None;
    }
    let base = first.key.map_or_else(|| "cookie".to_owned(), variable);
    let name = unused_name(module, &base, given);
    let line = format!("const {name} = {}{}", module.slice(first.span), module.style().semicolon());
    let mut edits = vec![insert_before(module, statement, &[line])?, replaced(&name, first)];
    edits.extend(again.iter().map(|it| replaced(&name, it)));
    Some(edits)
}

/// `userTheme` of `user-theme`.
fn variable(key: &str) -> String {
    let parts: Vec<&str> =
        key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let name = camel(&parts);
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name } else { "stored".to_owned() }
}

/// Is it read whenever the statement runs? A guard that comes first, such as a test for the browser, must stay first.
fn is_always_read(module: &Module<'_>, node: NodeId, statement: Span) -> bool {
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node) {
        let always = match kind {
            AstKind::LogicalExpression(it) => it.left.span().contains_inclusive(inner),
            AstKind::ConditionalExpression(it) => it.test.span().contains_inclusive(inner),
            AstKind::IfStatement(it) => it.test.span().contains_inclusive(inner),
            AstKind::ChainExpression(_) => false,
            kind => !matches!(
                kind,
                AstKind::ForStatement(_)
                    | AstKind::WhileStatement(_)
                    | AstKind::DoWhileStatement(_)
            ),
        };
        if !always {
            return false;
        }
        inner = kind.span();
        if inner == statement {
            break;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_cache_storage_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_cache_storage_finds() {
        Setup::new().check(
            &RULE,
            "const dark = () => {
  // The theme of the user.
  const dark = localStorage.getItem('user-theme') === 'dark' || window.localStorage.getItem('a') || localStorage.getItem(\"user-theme\") === 'dim'
  return dark
}
function token() {
  const token = sessionStorage.getItem('t')
  if (token) return JSON.parse(sessionStorage.getItem('t'))
  return typeof window !== 'undefined' && localStorage.getItem('x') ? localStorage.getItem('x') : null
}
function A({ xs }) {
  const name = localStorage.getItem('name')
  return <b>{xs.map((x) => x.by === localStorage.getItem('me') && document.cookie.includes('on'))}</b>
}
",
            expect![[r#"
                3:101 note: `localStorage.getItem('user-theme')` was just read; reuse the result [assist: read it once]
                8:32 note: `sessionStorage.getItem('t')` was just read; reuse the result [assist: read it once]
                9:71 note: `localStorage.getItem('x')` was just read; reuse the result
                12:16 note: `localStorage.getItem('name')` is read on every render; read it once and cache it
                13:37 note: `localStorage.getItem('me')` is read on every iteration; read it once and cache it
                13:67 note: `document.cookie` is read on every iteration; read it once and cache it
                --- assist
                const dark = () => {
                  // The theme of the user.
                  const userTheme = localStorage.getItem('user-theme')
                  const dark = userTheme === 'dark' || window.localStorage.getItem('a') || userTheme === 'dim'
                  return dark
                }
                function token() {
                  const token = sessionStorage.getItem('t')
                  if (token) return JSON.parse(token)
                  return typeof window !== 'undefined' && localStorage.getItem('x') ? localStorage.getItem('x') : null
                }
                function A({ xs }) {
                  const name = localStorage.getItem('name')
                  return <b>{xs.map((x) => x.by === localStorage.getItem('me') && document.cookie.includes('on'))}</b>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_js_cache_storage_finds_what_a_state_begins_with() {
        Setup::new().check(
            &RULE,
            "import { useState } from 'react'
function A() {
  let stored
  try { stored = JSON.parse(localStorage.getItem('kind') || '') } catch {}
  const [kind, setKind] = useState({ stored })
  const save = () => localStorage.setItem('kind', JSON.stringify(kind))
  return <b onClick={save}>{kind}</b>
}
",
            expect![[r#"
                4:29 note: `localStorage.getItem('kind')` is read on every render; read it once and cache it
            "#]],
        );
    }

    #[test]
    fn ru1_js_cache_storage_silent() {
        let setup = Setup::new();
        for right in [
            // In two functions; two keys; two storages; keys that are computed.
            "const a = () => localStorage.getItem('t'); const b = () => localStorage.getItem('t');",
            "const a = () => localStorage.getItem('t') || localStorage.getItem('u');",
            "const a = () => localStorage.getItem('t') || sessionStorage.getItem('t');",
            "const a = (k) => localStorage.getItem(k) || localStorage.getItem(k);",
            // After a write, a call, a wait.
            "const a = () => { const x = localStorage.getItem('t'); localStorage.setItem('t', 'x'); return localStorage.getItem('t'); };",
            "const a = () => { const x = localStorage.getItem('t'); renew(); return localStorage.getItem('t'); };",
            "const a = async () => { const x = localStorage.getItem('t'); await x; return localStorage.getItem('t'); };",
            "const a = () => { const x = localStorage.getItem('t'); localStorage.t = 'x'; return localStorage.getItem('t'); };",
            "const a = () => { const x = document.cookie; document.cookie = 'a=b'; return document.cookie; };",
            // Read once: where a state begins, in an effect, when something is clicked.
            "import { useState, useEffect } from 'react'; const A = () => { const [t] = useState(() => localStorage.getItem('t')); useEffect(() => { go(localStorage.getItem('t')); }, []); return <b onClick={() => localStorage.getItem('t')} />; };",
            // What an effect depends on is meant to be fresh, and so is what somebody writes here.
            "import { useEffect } from 'react'; const A = () => { const id = localStorage.getItem('t'); useEffect(() => { go(id); }, [id]); return <b />; };",
            "import { useEffect } from 'react'; const useA = () => { useEffect(() => { go(); }, [localStorage.getItem('t')]); };",
            "const A = ({ go }) => { const id = localStorage.getItem('t'); return <b onClick={() => { localStorage.removeItem('t'); go(); }}>{id}</b>; };",
            // Another key each time.
            "const a = (xs) => xs.map((x) => localStorage.getItem(x));",
            // Somebody else's storage.
            "const a = (localStorage) => localStorage.getItem('t') || localStorage.getItem('t');",
        ] {
            setup.silent(&RULE, right);
        }
    }

    #[test]
    fn ru1_js_cache_storage_candidates() {
        let setup = Setup::new();
        let text =
            "export function getTheme() { return localStorage.getItem('theme') ?? 'light'; }";
        setup.likely(&RULE, text);
        // Asked for by nobody; written here; more than a read.
        setup.silent(&RULE, &text.replace("export ", ""));
        setup.silent(
            &RULE,
            &format!("{text}\nexport const set = (it) => localStorage.setItem('theme', it);"),
        );
        setup.silent(&RULE, &text.replace("return", "log(); return"));
    }
}

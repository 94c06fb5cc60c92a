//! Data of one request is kept where the next request finds it.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentExpression, AssignmentOperator, AssignmentTarget, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, Use};

use super::deeds::is_check;
use super::entries::{Entry, entries, is_server_source};
use super::names::{awaited, calls_in, has_word, path_of};
use crate::cx::{Cx, Hit};
use crate::facts::{Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-no-shared-module-state",
    title: "Data of a request is kept in a variable of the module",
    category: Category::Server,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A server component, handler or action assigns data of its request to a module-level variable: the \
               session, parameters, or something read for this user.",
        why: "The module is loaded once and serves all requests, several at the same time. One user can see another \
              user's data.",
        wrong: "let me = null;

export default async function Page() {
  me = await whoAmI();
  return <Hello />;
}",
        right: "export default async function Page() {
  const me = await whoAmI();
  return <Hello me={me} />;
}",
        safe: "No fix is offered: the value must be passed through props, arguments or `cache`, which is a design \
               change.",
        leave: "The variable is meant for all requests: a connection, a counter, a cache whose key contains \
                everything the value depends on.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/page.tsx"),
            Given::Realm(Realm::Server),
            Given::Route(Route::Page),
        ],
    },
    wants: &[],
    applies: is_server_source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let entries = entries(cx.facts, module);
    if entries.is_empty() {
        return;
    }
    for declarator in module.declarators() {
        let Some(symbol) = declarator.id.get_binding_identifier().and_then(|it| it.symbol_id.get())
        else {
            continue;
        };
        if !module.is_top_level(symbol) {
            continue;
        }
        let is_const = module.is_const(symbol);
        if is_const && !declarator.init.as_ref().is_some_and(|it| is_container(module, it)) {
            continue;
        }
        for at in module.value_uses(symbol) {
            let stored = if is_const { put(module, &at) } else { assigned(module, &at) };
            let Some((place, value)) = stored else { continue };
            let Some(entry) = entries.iter().find(|it| it.func.span().contains_inclusive(place))
            else {
                continue;
            };
            if leaks(module, symbol, &at, value, entry) {
                let message = format!(
                    "{} stores request data in `{}`, which all requests share; pass it as an argument or prop",
                    named(entry),
                    module.name(symbol)
                );
                cx.report(Hit::at(place, message));
            }
        }
    }
}

fn named(entry: &Entry<'_>) -> &'static str {
    match entry.kind {
        super::entries::EntryKind::Action => "the action",
        super::entries::EntryKind::Handler => "the handler",
        super::entries::EntryKind::Component => "the component",
        super::entries::EntryKind::Metadata => "`generateMetadata`",
    }
}

/// `{}` or `new Map()`.
fn is_container<'a>(module: &Module<'a>, init: &Expression<'a>) -> bool {
    match init.get_inner_expression() {
        Expression::ObjectExpression(_) => true,
        Expression::NewExpression(it) => module.is_global_named(&it.callee, "Map"),
        _ => false,
    }
}

/// `x = value`
fn assigned<'a>(module: &Module<'a>, at: &Use<'a>) -> Option<(Span, &'a Expression<'a>)> {
    let AstKind::AssignmentExpression(it) = module.parent(at.node) else { return None };
    plain(it).filter(|_| it.left.span() == at.span)
}

/// `x.name = value`, `x.set('name', value)`: a place that does not hang on the request.
fn put<'a>(module: &Module<'a>, at: &Use<'a>) -> Option<(Span, &'a Expression<'a>)> {
    let mut around = module.ancestors(at.node);
    let AstKind::StaticMemberExpression(member) = around.next()? else { return None };
    if member.object.span() != at.span {
        return None;
    }
    match around.next()? {
        AstKind::AssignmentExpression(it) if it.left.span() == member.span => plain(it),
        AstKind::CallExpression(call) if call.callee.span() == member.span => {
            let [key, value] = call.arguments.as_slice() else { return None };
            let fixed = matches!(key.as_expression()?, Expression::StringLiteral(_));
            (fixed && member.property.name == "set").then_some((call.span, value.as_expression()?))
        }
        _ => None,
    }
}

fn plain<'a>(it: &'a AssignmentExpression<'a>) -> Option<(Span, &'a Expression<'a>)> {
    let is_place = matches!(
        it.left,
        AssignmentTarget::AssignmentTargetIdentifier(_)
            | AssignmentTarget::StaticMemberExpression(_)
    );
    (it.operator == AssignmentOperator::Assign && is_place).then_some((it.span, &it.right))
}

fn leaks<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
    at: &Use<'a>,
    value: &'a Expression<'a>,
    entry: &Entry<'a>,
) -> bool {
    // What is counted up, and what is made once.
    let is_made = matches!(value.get_inner_expression(), Expression::NewExpression(_));
    let is_own =
        module.identifiers_in(value.span()).iter().any(|it| module.symbol(it) == Some(symbol));
    if is_made || is_own || is_developing(module, at, entry) {
        return false;
    }
    let source = source(module, value.span(), entry, &mut BTreeSet::new());
    match source {
        Some(Source::Session) => true,
        Some(Source::Request) => !is_guarded(module, at, entry),
        None => {
            let speaks = has_word(module.name(symbol), WHOSE) || calls_whose(value);
            speaks
                && matches!(value.get_inner_expression(), Expression::AwaitExpression(_))
                && !is_guarded(module, at, entry)
        }
    }
}

const WHOSE: &[&str] = &[
    "me", "who", "user", "viewer", "session", "tenant", "customer", "member", "cookie", "cookies",
];

/// No more names are followed for one value.
const NAMES: usize = 50;

fn calls_whose(value: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = awaited(value) else { return false };
    path_of(&call.callee).iter().any(|name| has_word(name, WHOSE))
}

/// Where the data comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The parameters of the entry.
    Request,
    /// Who asks.
    Session,
}

fn source<'a>(
    module: &Module<'a>,
    span: Span,
    entry: &Entry<'a>,
    seen: &mut BTreeSet<SymbolId>,
) -> Option<Source> {
    if calls_in(module, span).any(|call| is_check(&path_of(&call.callee))) {
        return Some(Source::Session);
    }
    let names: BTreeSet<SymbolId> =
        module.identifiers_in(span).iter().filter_map(|it| module.symbol(it)).collect();
    let mut found = None;
    for symbol in names {
        let at = module.scoping().symbol_span(symbol);
        // Each name is followed once.
        if !entry.func.span().contains_inclusive(at) || seen.len() >= NAMES || !seen.insert(symbol)
        {
            continue;
        }
        let of_name = if entry.func.params().span.contains_inclusive(at) {
            Some(Source::Request)
        } else {
            let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
            init.and_then(|it| source(module, it.span(), entry, seen))
        };
        found = found.max(of_name);
    }
    found
}

/// `if (!x) x = …`: made once, for whoever comes first.
fn is_guarded<'a>(module: &Module<'a>, at: &Use<'a>, entry: &Entry<'a>) -> bool {
    tests_around(module, at, entry).any(|test| {
        module.identifiers_in(test).iter().any(|name| {
            module.symbol(name).is_some_and(|it| {
                module.is_top_level(it) && module.import(it).is_none() && !module.is_const(it)
            })
        })
    })
}

fn is_developing<'a>(module: &Module<'a>, at: &Use<'a>, entry: &Entry<'a>) -> bool {
    tests_around(module, at, entry).any(|test| module.slice(test).contains("NODE_ENV"))
}

fn tests_around<'m, 'a>(
    module: &'m Module<'a>,
    at: &Use<'a>,
    entry: &Entry<'a>,
) -> impl Iterator<Item = Span> + 'm {
    let within = entry.func.span();
    module.ancestors(at.node).take_while(move |kind| kind.span() != within).filter_map(|kind| {
        match kind {
            AstKind::IfStatement(it) => Some(it.test.span()),
            AstKind::LogicalExpression(it) => Some(it.left.span()),
            AstKind::ConditionalExpression(it) => Some(it.test.span()),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::RULE;
    use crate::facts::{Realm, Route};
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new().next(15, 1).realm(Realm::Server).path("src/app/page.tsx").route(Route::Page)
    }

    fn check(text: &str, expected: Expect) {
        setup().check(&RULE, text, expected);
    }

    #[test]
    fn ru1_server_no_shared_module_state_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_no_shared_module_state_in_components() {
        check(
            "let lang: string;
var who;
const store = { user: null };
const kept = new Map();
export default async function Page({ params }: Props) {
  const { locale } = await params;
  lang = locale;
  const session = await auth();
  who = session?.user;
  store.user = session.user;
  kept.set('me', session);
  return <p />;
}",
            expect![[r#"
                7:3 warning: the component stores request data in `lang`, which all requests share; pass it as an argument or prop
                9:3 warning: the component stores request data in `who`, which all requests share; pass it as an argument or prop
                10:3 warning: the component stores request data in `store`, which all requests share; pass it as an argument or prop
                11:3 warning: the component stores request data in `kept`, which all requests share; pass it as an argument or prop
            "#]],
        );
    }

    #[test]
    fn ru1_server_no_shared_module_state_in_handlers_and_actions() {
        setup().path("src/app/api/route.ts").route(Route::Handler).check(
            &RULE,
            "let last;
export const POST = async (req) => { last = await req.json(); return Response.json(1); };",
            expect![[r#"
                2:38 warning: the handler stores request data in `last`, which all requests share; pass it as an argument or prop
            "#]],
        );
        setup().path("src/app/actions.ts").check(
            &RULE,
            "'use server';
let user;
export async function load() { if (!user) user = await getSession(); return user; }",
            expect![[r#"
                3:43 warning: the action stores request data in `user`, which all requests share; pass it as an argument or prop
            "#]],
        );
    }

    #[test]
    fn ru1_server_no_shared_module_state_leaves_false_positives() {
        let page = |top: &str, body: &str| {
            format!(
                "{top}\nexport default async function Page({{ params }}) {{ {body} return <p />; }}"
            )
        };
        for code in [
            // Singletons.
            page("let db;", "db ??= connect(params);"),
            page("let db;", "if (!db) { db = await connect(params); }"),
            page("let db;", "db = new Client(params.id);"),
            page("", "globalThis.db ??= connect();"),
            // Caches with keys.
            page("const kept = new Map();", "kept.set(params.id, await read(params.id));"),
            page("const kept = {};", "kept[params.id] = await read(params.id);"),
            page(
                "let all; let at = 0;",
                "if (Date.now() - at > 1000) { all = await readAll(); at = Date.now(); }",
            ),
            // Counters and metrics.
            page("let hits = 0;", "hits++; hits += 1; hits = hits + params.n;"),
            // While developing.
            page("let last;", "if (process.env.NODE_ENV === 'development') last = params.id;"),
            // Flags.
            page("let done = false;", "done = true;"),
            // Nothing of the request.
            page("let config;", "config = await readConfig();"),
            // A variable of the function.
            page("", "let me; me = await whoAmI();"),
        ] {
            setup().silent(&RULE, &code);
        }
        let text = page("let me;", "me = await whoAmI();");
        assert!(!setup().findings(&RULE, &text).is_empty());
        setup().realm(Realm::Client).silent(&RULE, &text);
    }
}

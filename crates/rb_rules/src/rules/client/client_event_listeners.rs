//! A hook that puts a listener on the page for every component that uses it.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::GetSpan;
use rb_ecma::{Func, FunctionKind, FunctionView, Imported, Module};

use super::effects::{calls_in, effect, is_page, method, string};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::{Target, World};

/// Events that come often, or that every instance answers alike.
const EVENTS: &[&str] = &[
    "click",
    "keydown",
    "keypress",
    "keyup",
    "mousedown",
    "mousemove",
    "mouseup",
    "pointerdown",
    "pointermove",
    "pointerup",
    "resize",
    "scroll",
    "touchend",
    "touchmove",
    "touchstart",
    "wheel",
];

/// Components that so many files draw are on a page many times.
const MANY_PLACES: usize = 20;

pub static RULE: Rule = Rule {
    id: "client-event-listeners",
    title: "Every component that uses the hook adds a listener to the page",
    category: Category::Client,
    impact: Impact::Low,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A hook always adds a listener to `window` or `document` in an effect, and is used by components all \
               over the project, or by one that is rendered for each element of a list.",
        why: "Each instance adds its own listener: with a hundred rows, one key press runs a hundred listeners.",
        wrong: "import { useEffect } from 'react';\nfunction useEsc(fn) {\n  useEffect(() => {\n    \
                const h = (e) => e.key === 'Escape' && fn();\n    window.addEventListener('keydown', h);\n    \
                return () => window.removeEventListener('keydown', h);\n  }, [fn]);\n}\n\
                const Row = () => { useEsc(a); return <i />; };\nconst Rows = ({ ids }) => ids.map((id) => <Row key={id} />);",
        right: "import { useEffect } from 'react';\nconst fns = new Set();\n\
                const onKey = (e) => e.key === 'Escape' && [...fns].forEach((f) => f());\n\
                function useEsc(fn) {\n  useEffect(() => {\n    if (fns.add(fn).size === 1) window.addEventListener('keydown', onKey);\n    \
                return () => { fns.delete(fn); if (fns.size === 0) window.removeEventListener('keydown', onKey); };\n  }, [fn]);\n}\n\
                const Row = () => { useEsc(a); return <i />; };\nconst Rows = ({ ids }) => ids.map((id) => <Row key={id} />);",
        safe: "No fix is offered: the order of callbacks changes, and module state is shared by all roots and tests.",
        leave: "The hook is used a few times on a page, or the listeners differ in `capture` or `passive`.",
        given: &[Given::React(18, 0)],
    },
    wants: &["addEventListener"],
    applies: |facts| {
        facts.package.uses_react && facts.is_client() && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut hits = Vec::new();
    for call in module.calls() {
        let Some(effect) = effect(module, call) else { continue };
        let Some(hook) = module.component_or_hook_around(call.node_id.get()) else { continue };
        let Some(name) = hook.name.filter(|_| hook.kind == FunctionKind::Hook) else { continue };
        let Some(listener) = own_listener(module, effect) else { continue };
        let users = users(cx, hook, name);
        if users.components < 2 && !users.in_list {
            continue;
        }
        let (event, count) = (event(listener).unwrap_or(""), users.components);
        let told = users.told().unwrap_or_else(|| format!("{count} components"));
        let message = format!(
            "every component that uses `{name}` ({told}) adds its own `{event}` listener; share one"
        );
        let hit = Hit::at(listener.span, message);
        hits.push(match users.told() {
            Some(_) => hit,
            None => hit.likely("they may never be mounted at the same time"),
        });
    }
    for hit in hits {
        cx.report(hit);
    }
}

/// The `addEventListener` on the page that each run of the effect makes, with a listener of its own.
fn own_listener<'a>(module: &Module<'a>, func: Func<'a>) -> Option<&'a CallExpression<'a>> {
    calls_in(module, func.span()).find(|call| {
        let is_page = method(call)
            .is_some_and(|(object, name)| name == "addEventListener" && is_page(module, object));
        let is_often = event(call).is_some_and(|it| EVENTS.contains(&it));
        is_page && is_often && is_always(module, func, call) && !is_shared(module, call)
    })
}

fn event<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    string(call.arguments.first()?.as_expression()?)
}

/// Right in the effect, with no condition and no early return before it: a hook that listens only while something is open
/// does not add up.
fn is_always<'a>(module: &Module<'a>, func: Func<'a>, call: &CallExpression<'a>) -> bool {
    let is_right_here = matches!(module.parent(call.node_id.get()), AstKind::ExpressionStatement(it)
        if matches!(module.parent(it.node_id.get()), AstKind::FunctionBody(_)));
    let inner = module.function_around(call.node_id.get());
    let mut before = func.statements().iter().take_while(|it| it.span().start < call.span.start);
    is_right_here
        && inner.is_some_and(|it| it.node() == func.node())
        && before.all(|it| !matches!(it, oxc_ast::ast::Statement::IfStatement(_)))
}

/// One function for all: the browser adds it but once.
fn is_shared<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let Some(listener) = call.arguments.get(1).and_then(|it| it.as_expression()) else {
        return true;
    };
    match listener.get_inner_expression() {
        Expression::Identifier(it) => {
            module.symbol(it).is_none_or(|symbol| module.is_top_level(symbol))
        }
        Expression::StaticMemberExpression(it) => {
            module.symbol_of(&it.object).is_none_or(|symbol| module.is_top_level(symbol))
        }
        _ => false,
    }
}

/// Who uses a hook.
#[derive(Debug, Clone, Default)]
struct Users {
    components: usize,
    in_list: bool,
    /// Files that use the files of those components.
    places: usize,
}

impl Users {
    fn told(&self) -> Option<String> {
        if self.in_list {
            return Some("one is rendered in a list".to_owned());
        }
        // How often they are there at once cannot be seen; what few draw is there once as a rule.
        (self.components > 1 && self.places >= MANY_PLACES)
            .then(|| format!("{} components, rendered in {} files", self.components, self.places))
    }

    fn add(&mut self, other: &Users) {
        self.components += other.components;
        self.in_list |= other.in_list;
        self.places += other.places;
    }
}

fn users<'a>(cx: &Cx<'_, 'a>, hook: &FunctionView<'a>, name: &str) -> Users {
    let mut users = Users::default();
    if let Some(symbol) = hook.symbol {
        users.add(&users_here(cx.module, symbol));
    }
    for importer in cx.world.importers(&cx.facts.path) {
        let is_source = cx.world.facts(&importer).is_some_and(|it| it.kind == FileKind::Source);
        if is_source {
            users.add(&users_there(cx.world, &importer, &cx.facts.path, name));
        }
    }
    users
}

fn users_here(module: &Module<'_>, hook: oxc_semantic::SymbolId) -> Users {
    let mut seen = Vec::new();
    let mut users = Users::default();
    for it in module.uses(hook) {
        let AstKind::CallExpression(call) = module.parent(it.node) else { continue };
        let Some(component) = module.component_or_hook_around(call.node_id.get()) else { continue };
        let start = component.func.span().start;
        if component.kind != FunctionKind::Component || seen.contains(&start) {
            continue;
        }
        seen.push(start);
        users.components += 1;
        users.in_list |= component.symbol.is_some_and(|it| is_listed(module, it));
    }
    users
}

/// In a file that imports the hook from `file`, under whatever name.
fn users_there(world: &dyn World, importer: &str, file: &str, name: &str) -> Users {
    let found = world.ask("users of a hook", importer, &format!("{file} {name}"), |module| {
        let mut users = Users::default();
        let mut imports: Vec<_> = module.imports().values().collect();
        imports.sort_by_key(|it| it.span.start);
        for import in imports {
            let Target::File(target) = world.resolve(importer, import.source) else { continue };
            let fits = match import.imported {
                Imported::Named(it) => it == name,
                Imported::Default => import.local == name,
                Imported::Namespace => false,
            };
            if fits && target == file {
                users.add(&users_here(module, import.symbol));
            }
        }
        if users.components > 0 {
            users.places = world.importers(importer).len();
        }
        users
    });
    found.unwrap_or_default()
}

/// Is the component drawn in a loop of the same file?
fn is_listed(module: &Module<'_>, component: oxc_semantic::SymbolId) -> bool {
    module.uses(component).any(|it| {
        matches!(module.parent(it.node), AstKind::JSXOpeningElement(_))
            && module.is_in_loop(it.node, module.program().span)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    fn hook(body: &str) -> String {
        format!(
            "import {{ useEffect }} from 'react';\nconst shared = () => go();\nexport function useKey(fn) {{\n  useEffect(() => {{\n    const h = () => fn();\n    {body}\n  }}, [fn]);\n}}"
        )
    }

    const ADD: &str = "document.addEventListener('keydown', h);\n    return () => document.removeEventListener('keydown', h);";

    fn used_by(files: &[&str]) -> Setup {
        let mut setup = Setup::new();
        for (at, text) in files.iter().enumerate() {
            setup = setup.file(
                &format!("src/user{at}.tsx"),
                &format!("import {{ useKey as k }} from './example';\n{text}"),
            );
        }
        setup
    }

    #[test]
    fn ru1_client_event_listeners_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_client_event_listeners_across_files() {
        let one = "export const A = () => { k(a); return <i />; };";
        let two = "export function B() { k(a); k(b); return <i />; }";
        let many = (0..20).fold(used_by(&[one, two]), |setup, at| {
            setup.file(
                &format!("src/page{at}.tsx"),
                "import { A } from './user0';\nexport const P = () => <A />;",
            )
        });
        many.check(&RULE, &hook(ADD), expect![[r#"
            6:5 note: every component that uses `useKey` (2 components, rendered in 20 files) adds its own `keydown` listener; share one
        "#]]);
        // In a list.
        let row = "const Row = () => { k(a); return <li />; };\nexport const List = ({ xs }) => xs.map((x) => <Row key={x} />);";
        used_by(&[row]).check(&RULE, &hook(ADD), expect![[r#"
            6:5 note: every component that uses `useKey` (one is rendered in a list) adds its own `keydown` listener; share one
        "#]]);
    }

    #[test]
    fn ru1_client_event_listeners_leaves() {
        let one = "export const A = () => { k(a); return <i />; };";
        // Used once, or by nobody.
        used_by(&[one]).silent(&RULE, &hook(ADD));
        used_by(&[]).silent(&RULE, &hook(ADD));
        // Drawn here and there: perhaps not at once.
        used_by(&[one, one]).likely(&RULE, &hook(ADD));
        let row = "const Row = () => { k(a); return <li />; };\nexport const List = ({ xs }) => xs.map((x) => <Row key={x} />);";
        let both = used_by(&[row]);
        // Shared already: the browser adds one function once.
        both.silent(&RULE, &hook("window.addEventListener('keydown', shared);"));
        // Only while something is open.
        both.silent(&RULE, &hook("if (!open) return;\n    window.addEventListener('keydown', h);"));
        both.silent(&RULE, &hook("if (open) { window.addEventListener('keydown', h); }"));
        // Seldom, or nobody knows what.
        both.silent(&RULE, &hook("window.addEventListener('beforeunload', h);"));
        both.silent(&RULE, &hook("window.addEventListener(fn.event, h);"));
        // On an element of its own.
        both.silent(&RULE, &hook("ref.current.addEventListener('keydown', h);"));
        // Not in an effect: `useSyncExternalStore` and its like.
        both.silent(&RULE, "const subscribe = (cb) => { window.addEventListener('resize', cb); };\nexport const useKey = () => useSyncExternalStore(subscribe, get);");
        // A component, no hook.
        both.silent(&RULE, &hook(ADD).replace("useKey", "Key"));
    }
}

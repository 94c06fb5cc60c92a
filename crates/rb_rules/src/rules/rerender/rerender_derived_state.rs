//! A number that changes all the time is subscribed to for the sake of a comparison.
//! Hooks are told by their names; none is looked into.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, VariableDeclarator};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::hooks::path_of;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-derived-state",
    title: "A continuous value is subscribed to, and only compared",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A hook returns the width of the window, a scroll position or the like, or a selector returns a number \
               from a store, and the component only compares it with constants.",
        why: "It re-renders with every pixel, although what it shows changes at one point. A media query, or a \
              selector that compares, re-renders only when the answer changes.",
        wrong: "const Nav = () => {\n  const width = useWindowWidth();\n  return width < 700 ? <Burger /> : <Bar />;\n};",
        right: "const Nav = () => (useMediaQuery('(max-width: 699px)') ? <Burger /> : <Bar />);",
        safe: "No fix is offered: it takes a hook that returns the answer, a value for the server, and care at the \
               edge (`< 700` is `max-width: 699.98px`).",
        leave: "The hook rarely returns a new value because it is debounced.",
        given: &[],
    },
    wants: &[
        "useWindow",
        "useViewport",
        "useScroll",
        "useMouse",
        "useElementSize",
        "useSelector",
        "Store(",
    ],
    applies: |facts| facts.package.uses_react && !facts.package.react_native,
    check,
};

const CONTINUOUS: &[&str] = &[
    "useElementSize",
    "useMouse",
    "useMousePosition",
    "useScroll",
    "useScrollPosition",
    "useScrollTop",
    "useScrollY",
    "useViewportSize",
    "useViewportWidth",
    "useWindowDimensions",
    "useWindowHeight",
    "useWindowScroll",
    "useWindowSize",
    "useWindowWidth",
];

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for &declarator in module.declarators() {
        let Some(Expression::CallExpression(call)) =
            declarator.init.as_ref().map(Expression::get_inner_expression)
        else {
            continue;
        };
        let Some(hook) = call.callee.get_identifier_reference().map(|it| it.name.as_str()) else {
            continue;
        };
        if CONTINUOUS.contains(&hook) {
            check_measure(cx, declarator, call, hook);
        } else if hook == "useSelector" || (hook.starts_with("use") && hook.ends_with("Store")) {
            check_selector(cx, declarator, call, hook);
        }
    }
}

fn check_measure<'a>(
    cx: &mut Cx<'_, 'a>,
    declarator: &'a VariableDeclarator<'a>,
    call: &'a CallExpression<'a>,
    hook: &str,
) {
    let module = cx.module;
    // It waits for things to settle.
    let given: String =
        call.arguments.iter().map(|it| module.slice(it.span()).to_lowercase()).collect();
    if ["debounce", "throttle", "wait", "delay"].iter().any(|word| given.contains(word)) {
        return;
    }
    let names = declarator.id.get_binding_identifiers();
    if matches!(declarator.id, BindingPattern::ArrayPattern(_)) && names.len() > 1 {
        return;
    }
    let mut comparisons = Vec::new();
    for id in &names {
        let Some(found) = comparisons_of(module, id.symbol_id()) else { return };
        comparisons.extend(found);
    }
    let Some(first) = comparisons.first() else { return };
    let shown = module.slice(*first);
    let by_width = shown.to_lowercase().contains("width") || hook.contains("Width");
    let advice = if by_width { "use a media query" } else { "subscribe to that boolean" };
    let message =
        format!("`{hook}` re-renders on every pixel, but only `{shown}` matters; {advice}");
    let hit = Hit::at(call.span, message);
    cx.report(if by_width && has_media_query(cx) { hit } else { hit.low() });
}

/// Is there something in the project that asks media queries?
fn has_media_query(cx: &Cx<'_, '_>) -> bool {
    const LIBRARIES: &[&str] = &[
        "@chakra-ui/react",
        "@mantine/hooks",
        "@mui/material",
        "@uidotdev/usehooks",
        "ahooks",
        "react-responsive",
        "react-use",
        "usehooks-ts",
    ];
    LIBRARIES.iter().any(|name| cx.facts.package.depends_on(name))
        || cx.world.paths().iter().any(|path| {
            let lower = path.to_lowercase();
            lower.contains("usemediaquery") || lower.contains("use-media-query")
        })
}

fn check_selector<'a>(
    cx: &mut Cx<'_, 'a>,
    declarator: &'a VariableDeclarator<'a>,
    call: &'a CallExpression<'a>,
    hook: &str,
) {
    let module = cx.module;
    let [selector] = call.arguments.as_slice() else { return };
    let Some(func) = selector.as_expression().and_then(Func::of_expression) else { return };
    let Some(Expression::StaticMemberExpression(_)) = func.returned() else { return };
    let Some(id) = declarator.id.get_binding_identifier() else { return };
    let Some(found) = comparisons_of(module, id.symbol_id()) else { return };
    let texts: Vec<&str> = found.iter().map(|span| module.slice(*span)).collect();
    let [first, rest @ ..] = texts.as_slice() else { return };
    if rest.iter().all(|it| it == first) {
        let message = format!(
            "`{hook}` re-renders on every change of `{}`, but only `{first}` matters; compare in the selector",
            id.name
        );
        cx.report(Hit::at(call.span, message).low());
    }
}

/// Where the value is compared with a constant; `None` where it is used in any other way.
fn comparisons_of(module: &Module<'_>, symbol: SymbolId) -> Option<Vec<Span>> {
    module
        .value_uses(symbol)
        .map(|it| {
            let path = path_of(module, &it);
            let AstKind::BinaryExpression(compared) = module.parent(path.node) else { return None };
            let other =
                if compared.left.span() == path.span { &compared.right } else { &compared.left };
            (compared.operator.is_compare() && is_constant(module, other)).then_some(compared.span)
        })
        .collect()
}

fn is_constant<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::NumericLiteral(_) => true,
        Expression::Identifier(name) => {
            module.symbol(name).is_some_and(|it| module.is_top_level(it))
        }
        Expression::StaticMemberExpression(it) => is_constant(module, &it.object),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_derived_state_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_derived_state_is_found() {
        let setup = Setup::new().package(|it| {
            it.dependencies.insert("usehooks-ts".into());
        });
        setup.check(
            &RULE,
            "import { useWindowSize } from 'usehooks-ts';
import { breakpoints } from './theme';
function Nav() {
  const { width } = useWindowSize();
  return <i hidden={width > breakpoints.md} title={width < 300 ? 'a' : 'b'} />;
}
const Top = () => {
  const at = useScrollPosition();
  const count = useCartStore((it) => it.items.length);
  return <i hidden={at > 50} title={count > 0 ? 'x' : 'y'} />;
};",
            expect![[r#"
                4:21 warning: `useWindowSize` re-renders on every pixel, but only `width > breakpoints.md` matters; use a media query
                8:14 note: `useScrollPosition` re-renders on every pixel, but only `at > 50` matters; subscribe to that boolean
                9:17 note: `useCartStore` re-renders on every change of `count`, but only `count > 0` matters; compare in the selector
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_derived_state_leaves_others() {
        let setup = Setup::new();
        for body in [
            // Shown, passed on, computed with.
            "const w = useWindowWidth(); return <i hidden={w < 700}>{w}</i>;",
            "const w = useWindowWidth(); return <Box width={w} />;",
            "const { width, height } = useWindowSize(); return <i hidden={width < height} />;",
            // It waits.
            "const w = useWindowWidth({ debounceDelay: 200 }); return <i hidden={w < 700} />;",
            "const w = useDebouncedWindowWidth(); return <i hidden={w < 700} />;",
            "const status = useStore((it) => it.status); return <i hidden={status === 'busy'} />;",
            "const n = useStore((it) => it.n); return <i hidden={n > 1} title={n > 2} />;",
        ] {
            setup.silent(&RULE, &format!("function A() {{ {body} }}"));
        }
        setup.package(|it| it.react_native = true).silent(&RULE, RULE.doc.wrong);
    }

    #[test]
    fn ru1_rerender_derived_state_is_weaker_without_a_media_query() {
        Setup::new().check(&RULE, RULE.doc.wrong, expect![[r#"
            2:17 note: `useWindowWidth` re-renders on every pixel, but only `width < 700` matters; use a media query
        "#]]);
        Setup::new().file("src/hooks/useMediaQuery.ts", "export const x = 1;").check(&RULE, RULE.doc.wrong, expect![[r#"
            2:17 warning: `useWindowWidth` re-renders on every pixel, but only `width < 700` matters; use a media query
        "#]]);
    }
}

//! Text that the server and the browser cannot agree on: the time, chance, the local way to write a date.
//!
//! Attributes are left out, and so is what is shown only once a hook says so: see `hydration`.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, CallExpression, Expression, Function, JSXChild, JSXElement,
    MemberExpression, NewExpression, ObjectPropertyKind,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use rb_core::Edit;
use rb_ecma::{Func, FunctionKind, Module};

use super::super::advanced::hooks::parameter_of;
use super::hydration::{is_behind_hook, is_hook_value};
use super::jsx;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-hydration-suppress-warning",
    title: "Server and browser render different text",
    category: Category::Rendering,
    impact: Impact::LowMedium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "The text of an element comes from the time, from randomness, or from a date or number formatted with \
               the locale and time zone of the machine.",
        why: "The server renders one text and the browser another: React reports a mismatch, and may discard the \
              server's work.",
        wrong: "const Now = () => <time>{new Date().toLocaleTimeString()}</time>;",
        right: "const Now = () => <time suppressHydrationWarning>{new Date().toLocaleTimeString()}</time>;",
        safe: "A draft: `suppressHydrationWarning` declares the difference intended. The server's text then stays \
               until the next render. If the difference is not intended, specify locale and time zone, or set the \
               text in an effect.",
        leave: "The element is only rendered in the browser. Charts, and what the user opens, are not reported.",
        given: &[Given::Ssr],
    },
    wants: &["Date", "Math.random", "randomUUID", "toLocale", "Intl"],
    applies: |facts| facts.package.uses_react && facts.package.ssr && facts.is_client(),
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for &element in cx.module.elements() {
        if jsx::host(element).is_none()
            || jsx::has_spread(element)
            || jsx::attribute(element, "suppressHydrationWarning").is_some()
        {
            continue;
        }
        let Some(what) = element.children.iter().find_map(|child| differing(cx, child)) else {
            continue;
        };
        let node = element.node_id.get();
        if is_behind_hook(cx.module, node)
            || is_in_chart(cx.module, node)
            || is_opened(cx.module, node)
        {
            continue;
        }
        cx.report(hit(element, what));
    }
}

/// Charts are drawn where their size is known: in the browser alone.
fn is_in_chart(module: &Module<'_>, node: NodeId) -> bool {
    module.ancestors(node).any(|kind| match kind {
        AstKind::JSXElement(outer) => {
            let name = outer.opening_element.name.get_identifier();
            let import = name.and_then(|it| module.symbol(it)).and_then(|it| module.import(it));
            import.is_some_and(|it| it.source == "recharts")
        }
        _ => false,
    })
}

/// What opens when it is asked for is not there at first.
fn is_opened(module: &Module<'_>, node: NodeId) -> bool {
    const NAMES: &[&str] =
        &["Modal", "Dialog", "Sheet", "Drawer", "Popover", "Tooltip", "HoverCard"];
    let opens = |name: &str| {
        let name = name.strip_suffix("Content").unwrap_or(name);
        NAMES.iter().any(|it| name.ends_with(it))
    };
    let component = module.component_or_hook_around(node).and_then(|it| it.name);
    component.is_some_and(opens)
        || module.ancestors(node).any(
            |kind| matches!(kind, AstKind::JSXElement(outer) if opens(jsx::tag(module, outer))),
        )
}

fn hit<'a>(element: &'a JSXElement<'a>, what: Differs) -> Hit {
    let tag = jsx::host(element).unwrap_or_default();
    let message = match what {
        Differs::Value(name) => format!(
            "`{name}` renders different text on server and client; set it in an effect or add `suppressHydrationWarning` to <{tag}>"
        ),
        Differs::Locale(name) => format!(
            "`{name}` uses the machine's locale, which differs between server and client; pass a locale or add `suppressHydrationWarning` to <{tag}>"
        ),
        Differs::Zone(name) => format!(
            "`{name}` uses the machine's locale and time zone, which differ between server and client; pass both or add `suppressHydrationWarning` to <{tag}>"
        ),
    };
    let edits = vec![Edit::insert(jsx::end_of_attributes(element), " suppressHydrationWarning")];
    Hit::at(element.opening_element.span, message).assist("add `suppressHydrationWarning`", edits)
}

#[derive(Clone, Copy)]
enum Differs {
    Value(&'static str),
    Locale(&'static str),
    /// By the time zone, too.
    Zone(&'static str),
}

fn differing<'a>(cx: &Cx<'_, 'a>, child: &'a JSXChild<'a>) -> Option<Differs> {
    let JSXChild::ExpressionContainer(container) = child else { return None };
    let expression = container.expression.as_expression()?;
    if is_hook_value(cx.module, expression.span()) {
        return None;
    }
    let mut look = Look { module: cx.module, found: None, is_text: true };
    look.visit_expression(expression);
    let is_ours = look.is_text && is_from_props(cx.module, expression.span());
    look.found.filter(|_| is_ours)
}

/// Where a function is handed its values by somebody else, such as the cells of a table, nothing is known of when it runs.
/// What a list of the props is gone through for is known.
fn is_from_props(module: &Module<'_>, span: Span) -> bool {
    let mut symbols = module.identifiers_in(span).iter().filter_map(|it| module.symbol(it));
    symbols.all(|symbol| {
        let Some(func) = parameter_of(module, symbol) else { return true };
        let kind = module.function_view(func).map(|it| it.kind);
        kind == Some(FunctionKind::Component) || is_in_map(module, func)
    })
}

fn is_in_map(module: &Module<'_>, func: Func<'_>) -> bool {
    let AstKind::CallExpression(call) = module.parent(func.node()) else { return false };
    let member = call.callee.get_inner_expression().as_member_expression();
    member.and_then(MemberExpression::static_property_name) == Some("map")
}

/// Functions in the expression are left out: they are looked at where their text stands.
struct Look<'m, 'a> {
    module: &'m Module<'a>,
    found: Option<Differs>,
    /// No elements are in it: the mark is for the text of an element alone.
    is_text: bool,
}

impl<'a> Visit<'a> for Look<'_, 'a> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if is_year(self.module, call) {
            return;
        }
        self.found = self.found.or_else(|| called(self.module, call));
        walk::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        if new.arguments.is_empty() && self.module.is_global_named(&new.callee, "Date") {
            self.found = self.found.or(Some(Differs::Value("new Date()")));
        }
        self.found = self.found.or_else(|| formatter(self.module, &new.callee, &new.arguments));
        walk::walk_new_expression(self, new);
    }

    fn visit_jsx_element(&mut self, _: &JSXElement<'a>) {
        self.is_text = false;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.is_text &= !self.module.slice(it.span).contains("</")
            && !self.module.slice(it.span).contains("/>");
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
}

/// `new Date().getFullYear()`: one night in a year is not worth a word.
fn is_year(module: &Module<'_>, call: &CallExpression<'_>) -> bool {
    let text = module.slice(call.span);
    text.starts_with("new Date()") && text.ends_with("FullYear()")
}

fn called<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<Differs> {
    if let Some(found) = formatter(module, &call.callee, &call.arguments) {
        return Some(found);
    }
    let member = call.callee.get_inner_expression().as_member_expression()?;
    let is = |global: &str| module.is_global_named(member.object(), global);
    let pinned = |zone: bool| is_pinned(module, &call.arguments, zone);
    match member.static_property_name()? {
        "now" if is("Date") => Some(Differs::Value("Date.now()")),
        "random" if is("Math") => Some(Differs::Value("Math.random()")),
        "randomUUID" if is("crypto") => Some(Differs::Value("crypto.randomUUID()")),
        "toLocaleDateString" if !pinned(true) => Some(Differs::Zone("toLocaleDateString")),
        "toLocaleTimeString" if !pinned(true) => Some(Differs::Zone("toLocaleTimeString")),
        // Numbers have it too, and know no time zone.
        "toLocaleString" if !pinned(false) => Some(Differs::Locale("toLocaleString")),
        _ => None,
    }
}

/// `Intl.DateTimeFormat(…)` and its like.
fn formatter<'a>(
    module: &Module<'a>,
    callee: &Expression<'a>,
    arguments: &[Argument<'a>],
) -> Option<Differs> {
    let Expression::StaticMemberExpression(member) = callee.get_inner_expression() else {
        return None;
    };
    if !module.is_global_named(&member.object, "Intl") {
        return None;
    }
    match member.property.name.as_str() {
        "DateTimeFormat" if !is_pinned(module, arguments, true) => {
            Some(Differs::Zone("Intl.DateTimeFormat"))
        }
        "NumberFormat" if !is_pinned(module, arguments, false) => {
            Some(Differs::Locale("Intl.NumberFormat"))
        }
        "RelativeTimeFormat" if !is_pinned(module, arguments, false) => {
            Some(Differs::Locale("Intl.RelativeTimeFormat"))
        }
        _ => None,
    }
}

/// Are locale and time zone named? Options that are made elsewhere may name the zone.
fn is_pinned<'a>(module: &Module<'a>, arguments: &[Argument<'a>], needs_zone: bool) -> bool {
    let argument = |at: usize| {
        let given = arguments.get(at)?.as_expression()?;
        (!module.is_global_named(given, "undefined")).then_some(given)
    };
    let Some(locale) = argument(0) else { return false };
    if matches!(locale, Expression::ArrayExpression(it) if it.elements.is_empty()) {
        return false;
    }
    if !needs_zone {
        return true;
    }
    match argument(1).map(|it| module.resolved(it)) {
        None => false,
        Some(Expression::ObjectExpression(options)) => {
            options.properties.iter().any(|it| match it {
                ObjectPropertyKind::ObjectProperty(it) => {
                    it.key.is_specific_static_name("timeZone")
                }
                ObjectPropertyKind::SpreadProperty(_) => true,
            })
        }
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_hydration_suppress_warning_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_hydration_suppress_warning_in_every_form() {
        Setup::new().ssr().check(
            &RULE,
            r#"export function A({ at, n }: { at: Date; n: number }) {
  return (
    <p id="a">
      <b>{Date.now()}</b>
      <b>lucky: {Math.floor(Math.random() * 6)}</b>
      <b>{crypto.randomUUID()}</b>
      <b className="x">{at.toLocaleDateString()}</b>
      <b>{at.toLocaleTimeString("en-US", { hour: "numeric" })}</b>
      <b>{n.toLocaleString()}</b>
      <b>{new Intl.DateTimeFormat("de").format(at)}</b>
      <b>{`now ${new Date()}`}</b>
    </p>
  );
}"#,
            expect![[r#"
                4:7 note: `Date.now()` renders different text on server and client; set it in an effect or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                5:7 note: `Math.random()` renders different text on server and client; set it in an effect or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                6:7 note: `crypto.randomUUID()` renders different text on server and client; set it in an effect or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                7:7 note: `toLocaleDateString` uses the machine's locale and time zone, which differ between server and client; pass both or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                8:7 note: `toLocaleTimeString` uses the machine's locale and time zone, which differ between server and client; pass both or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                9:7 note: `toLocaleString` uses the machine's locale, which differs between server and client; pass a locale or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                10:7 note: `Intl.DateTimeFormat` uses the machine's locale and time zone, which differ between server and client; pass both or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                11:7 note: `new Date()` renders different text on server and client; set it in an effect or add `suppressHydrationWarning` to <b> [assist: add `suppressHydrationWarning`]
                --- assist
                export function A({ at, n }: { at: Date; n: number }) {
                  return (
                    <p id="a">
                      <b suppressHydrationWarning>{Date.now()}</b>
                      <b suppressHydrationWarning>lucky: {Math.floor(Math.random() * 6)}</b>
                      <b suppressHydrationWarning>{crypto.randomUUID()}</b>
                      <b className="x" suppressHydrationWarning>{at.toLocaleDateString()}</b>
                      <b suppressHydrationWarning>{at.toLocaleTimeString("en-US", { hour: "numeric" })}</b>
                      <b suppressHydrationWarning>{n.toLocaleString()}</b>
                      <b suppressHydrationWarning>{new Intl.DateTimeFormat("de").format(at)}</b>
                      <b suppressHydrationWarning>{`now ${new Date()}`}</b>
                    </p>
                  );
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_hydration_suppress_warning_leaves_the_rest_alone() {
        let setup = Setup::new().ssr();
        for body in [
            // A value from props; a date that is given; what is pinned.
            "return <b>{at}</b>",
            "return <b>{new Date(at).toISOString()}</b>",
            "return <b>{at.toLocaleDateString('en-US', { timeZone: 'UTC' })}</b>",
            "return <b>{at.toLocaleDateString(locale, OPTIONS)}</b>",
            "return <b>{n.toLocaleString('en')}</b>",
            "return <b>© {new Date().getFullYear()}</b>",
            // Already in state or in an effect.
            "const [now, setNow] = useState(''); useEffect(() => setNow(Date.now()), []); return <b>{now}</b>",
            // Only after the first render.
            "const [open] = useState(false); return <i>{open && <b>{Date.now()}</b>}</i>",
            "const mounted = useMounted(); if (!mounted) return null; return <b>{Date.now()}</b>",
            // Data that is fetched in the browser.
            "const { data } = useQuery(q); return <i>{data.map((it) => <b>{it.at.toLocaleDateString()}</b>)}</i>",
            "const { data } = useQuery(q); return <b>{data.at.toLocaleDateString()}</b>",
            // A function that somebody else calls, with whatever it has.
            "return <Table cell={({ row }) => <b>{row.at.toLocaleDateString()}</b>} />",
            // Elements, and no text.
            "return <b>{Array.from({ length: Math.random() * 9 }).map((_, i) => <i key={i} />)}</b>",
            // Attributes.
            "return <b title={at.toLocaleDateString()} />",
            // The parent is a component.
            "return <Text>{Date.now()}</Text>",
            // In a function that runs later.
            "return <b>{render(() => Date.now())}</b>",
        ] {
            let text = format!(
                "import {{ useState, useEffect }} from 'react';\nexport function A({{ at, n, locale }}) {{ {body}; }}"
            );
            setup.silent(&RULE, &text);
        }
        // A page that is rendered in the browser alone; a component that is rendered on the server alone.
        let text = "const A = () => <b>{Date.now()}</b>;";
        Setup::new().silent(&RULE, text);
        Setup::new().ssr().realm(Realm::Server).silent(&RULE, text);
    }

    #[test]
    fn ru1_rendering_hydration_suppress_warning_of_charts() {
        // Charts are drawn where their size is known: in the browser.
        let text = |from: &str| {
            format!(
                "import {{ Label, Pie }} from '{from}';\nexport const A = ({{ n }}) => <Pie><Label content={{() => <tspan>{{n.toLocaleString()}}</tspan>}} /></Pie>;"
            )
        };
        Setup::new().ssr().silent(&RULE, &text("recharts"));
        assert_eq!(Setup::new().ssr().findings(&RULE, &text("./labels")).len(), 1);
    }

    #[test]
    fn ru1_rendering_hydration_suppress_warning_of_what_is_opened() {
        let setup = Setup::new().ssr();
        for text in [
            "export function TokenModal({ at }) { return <b>{at.toLocaleDateString()}</b>; }",
            "export const A = ({ at }) => <Ui.DialogContent><b>{at.toLocaleDateString()}</b></Ui.DialogContent>;",
            "export const A = ({ at }) => <FormSheet><p><b>{at.toLocaleDateString()}</b></p></FormSheet>;",
        ] {
            setup.silent(&RULE, text);
        }
        let shown = "export const TooltipDemo = ({ at }) => <b>{at.toLocaleDateString()}</b>;";
        assert_eq!(setup.findings(&RULE, shown).len(), 1);
    }
}

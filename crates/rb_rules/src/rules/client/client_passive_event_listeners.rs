//! Touch and wheel listeners that the browser has to wait for before it may scroll.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectExpression, ObjectPropertyKind};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Use};

use super::effects::{is_page, method, string};
use crate::cx::{Cx, Hit};
use crate::exports::exported_function;
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

const EVENTS: &[&str] = &["touchstart", "touchmove", "wheel", "mousewheel"];
/// An event is followed into functions that are called with it, so far.
const STEPS: u32 = 3;

pub static RULE: Rule = Rule {
    id: "client-passive-event-listeners",
    title: "A scroll listener that does not say it lets the page scroll",
    category: Category::Client,
    impact: Impact::Medium,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`addEventListener` for `touchstart`, `touchmove`, `wheel` or `mousewheel` without `passive`, and the \
               listener does not call `preventDefault`.",
        why: "The browser must run the listener before it may scroll, since the listener could prevent it: scrolling \
              stutters.",
        wrong: "el.addEventListener('wheel', (event) => show(event.deltaY));",
        right: "el.addEventListener('wheel', (event) => show(event.deltaY), { passive: true });",
        safe: "Fixed automatically if the listener is one known function that reads only plain properties of the \
               event: it does not pass on, store or return the event, and has no `preventDefault`, `returnValue`, \
               `arguments` or `window.event`. `removeEventListener` needs no change: `passive` is not compared.",
        leave: "Something that receives the event does call `preventDefault`. On `window`, `document` and `body` \
                most browsers already treat these listeners as passive, so there is little to gain.",
        given: &[],
    },
    wants: &["addEventListener"],
    applies: |facts| {
        facts.package.uses_react && facts.is_client() && facts.kind == FileKind::Source
    },
    check,
};

/// What a function does with its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Plain properties are read.
    Read,
    /// It goes where it cannot be followed.
    Lost,
    /// The default is prevented.
    Prevented,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut hits = Vec::new();
    for call in module.calls() {
        hits.extend(look(cx, call));
    }
    for hit in hits {
        cx.report(hit);
    }
}

fn look<'a>(cx: &Cx<'_, 'a>, call: &'a CallExpression<'a>) -> Option<Hit> {
    let module = cx.module;
    let (object, name) = method(call)?;
    let event = string(call.arguments.first()?.as_expression()?)?;
    if name != "addEventListener" || !EVENTS.contains(&event) || call.optional {
        return None;
    }
    let listener = call.arguments.get(1)?.as_expression()?;
    let edit = edit(module, call)?;
    let fate = fate_of(cx, listener)?;
    if fate == Fate::Prevented {
        return None;
    }
    let after = Span::new(listener.span().end, call.span.end);
    let doubt = match fate {
        Fate::Lost => Some("the listener may call `preventDefault` indirectly"),
        Fate::Read if module.has_comment(after) => Some("a comment follows the listener"),
        Fate::Read | Fate::Prevented => None,
    };
    let is_page = is_page(module, object);
    let message = if is_page {
        format!(
            "not every browser makes this page-level `{event}` listener passive by default; add `passive: true`"
        )
    } else {
        format!("this `{event}` listener delays scrolling; add `passive: true`")
    };
    let hit = Hit::at(call.span, message);
    let hit = if is_page || doubt.is_some() { hit.low() } else { hit };
    Some(hit.auto_unless(doubt, "make the listener passive", vec![edit]))
}

/// The option put in; `None` where it is there already, or cannot be told.
fn edit<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<Edit> {
    let listener = call.arguments.get(1)?;
    let Some(options) = call.arguments.get(2) else {
        return Some(behind(module, call, listener));
    };
    if call.arguments.len() > 3 {
        return None;
    }
    match options {
        Argument::BooleanLiteral(it) => {
            let capture = if it.value { "capture: true, " } else { "" };
            Some(Edit::replace(it.span.start, it.span.end, format!("{{ {capture}passive: true }}")))
        }
        Argument::ObjectExpression(object) => in_object(module, object),
        _ => None,
    }
}

/// Behind the listener, on a line of its own where the listener has one.
fn behind<'a>(module: &Module<'a>, call: &CallExpression<'a>, listener: &Argument<'a>) -> Edit {
    let (start, end) = (listener.span().start, listener.span().end);
    // Parentheses are not in the span of what they are around; a comma at the end stays there.
    let tail = module.slice(Span::new(end, call.span.end - 1)).trim_end();
    let tail = tail.strip_suffix(',').map_or(tail, str::trim_end);
    let at = end + u32::try_from(tail.len()).expect("texts are small");
    let before = module.slice(Span::new(module.line_start(start), start));
    let between = if before.trim().is_empty() {
        format!(",{}{before}", module.style().line_end)
    } else {
        ", ".to_owned()
    };
    Edit::insert(at, format!("{between}{{ passive: true }}"))
}

fn in_object(module: &Module<'_>, object: &ObjectExpression<'_>) -> Option<Edit> {
    for property in &object.properties {
        match property {
            ObjectPropertyKind::SpreadProperty(_) => return None,
            ObjectPropertyKind::ObjectProperty(it) => {
                let name = it.key.static_name()?;
                if it.computed || name == "passive" {
                    return None;
                }
            }
        }
    }
    Some(match object.properties.last() {
        Some(last) => {
            let text = module.slice(object.span);
            let own_line = text.contains('\n');
            let between = if own_line {
                let indent = module.indent_at(last.span().start);
                format!(",{}{indent}passive: true", module.style().line_end)
            } else {
                ", passive: true".to_owned()
            };
            Edit::insert(last.span().end, between)
        }
        None => Edit::replace(object.span.start, object.span.end, "{ passive: true }"),
    })
}

/// What the listener does; `None` where it is not known which function it is.
fn fate_of<'a>(cx: &Cx<'_, 'a>, listener: &Expression<'a>) -> Option<Fate> {
    let func = listener_function(cx.module, listener)?;
    Some(fate(cx.module, func, 0, STEPS, &|import, place| outside(cx, import, place)))
}

/// The function, through `useCallback`.
fn listener_function<'a>(module: &Module<'a>, listener: &Expression<'a>) -> Option<Func<'a>> {
    if let Some(func) = module.function_of(listener) {
        return Some(func);
    }
    let Expression::CallExpression(call) = module.resolved(listener) else { return None };
    let wraps =
        module.is_react_call(call, "useCallback") || module.is_react_call(call, "useEffectEvent");
    module.function_of(call.arguments.first().filter(|_| wraps)?.as_expression()?)
}

type Outside<'o> = &'o dyn Fn(&rb_ecma::ImportBinding<'_>, usize) -> Fate;

/// Of a function of another file that is called with the event.
fn outside(cx: &Cx<'_, '_>, import: &rb_ecma::ImportBinding<'_>, place: usize) -> Fate {
    let Some((file, name)) = cx.origin(import) else { return Fate::Lost };
    let found = cx.world.ask("fate of an event", &file, &format!("{name} {place}"), |module| {
        exported_function(module, &name)
            .map(|func| fate(module, func, place, STEPS - 1, &|_, _| Fate::Lost) as u8)
    });
    match found.flatten() {
        Some(it) if it == Fate::Read as u8 => Fate::Read,
        Some(it) if it == Fate::Prevented as u8 => Fate::Prevented,
        _ => Fate::Lost,
    }
}

/// What a function does with the event that is its argument at `place`.
fn fate<'a>(
    module: &Module<'a>,
    func: Func<'a>,
    place: usize,
    steps: u32,
    outside: Outside<'_>,
) -> Fate {
    const WORDS: &[&str] = &["preventDefault", "returnValue"];
    let text = module.slice(func.span());
    if WORDS.iter().any(|it| text.contains(it)) {
        return Fate::Prevented;
    }
    // `return false` is how old code prevents.
    if text.contains("arguments") || text.contains("window.event") || text.contains("return false")
    {
        return Fate::Lost;
    }
    let is_event =
        |it: &&&oxc_ast::ast::IdentifierReference<'a>| it.name == "event" && module.is_global(it);
    if module.identifiers_in(func.span()).iter().any(|it| is_event(&it)) {
        return Fate::Lost;
    }
    let params = func.params();
    if params.rest.is_some() {
        return Fate::Lost;
    }
    let Some(param) = params.items.get(place) else { return Fate::Read };
    let Some(id) = param.pattern.get_binding_identifier() else {
        // `({ deltaY }) => …`: methods that are taken out would be seen above.
        let is_telling = text.contains("cancelable") || text.contains("defaultPrevented");
        return if is_telling { Fate::Lost } else { Fate::Read };
    };
    let Some(symbol) = id.symbol_id.get() else { return Fate::Lost };
    uses_of(module, symbol, steps, outside)
}

fn uses_of(module: &Module<'_>, symbol: SymbolId, steps: u32, outside: Outside<'_>) -> Fate {
    if !module.is_stable(symbol) {
        return Fate::Lost;
    }
    let fates = module.value_uses(symbol).map(|it| use_of(module, &it, steps, outside));
    fates.max().unwrap_or(Fate::Read)
}

fn use_of<'a>(module: &Module<'a>, it: &Use<'a>, steps: u32, outside: Outside<'_>) -> Fate {
    match module.parent(it.node) {
        AstKind::StaticMemberExpression(member) if member.object.span() == it.span => {
            // The first two are the event again; browsers make events that nobody can prevent uncancelable.
            const TELLING: &[&str] =
                &["nativeEvent", "originalEvent", "cancelable", "defaultPrevented"];
            let is_telling = TELLING.contains(&member.property.name.as_str());
            if is_telling { Fate::Lost } else { Fate::Read }
        }
        AstKind::VariableDeclarator(declarator) if matches!(declarator.id, oxc_ast::ast::BindingPattern::ObjectPattern(ref it) if it.rest.is_none()) => {
            Fate::Read
        }
        // `'touches' in event`
        AstKind::BinaryExpression(test) if test.operator.is_in() => Fate::Read,
        AstKind::CallExpression(call) if steps > 0 => {
            let place = call.arguments.iter().position(|argument| argument.span() == it.span);
            let has_spread = call.arguments.iter().any(Argument::is_spread);
            let Some(place) = place.filter(|_| !has_spread) else { return Fate::Lost };
            called(module, call, place, steps, outside)
        }
        _ => Fate::Lost,
    }
}

fn called<'a>(
    module: &Module<'a>,
    call: &CallExpression<'a>,
    place: usize,
    steps: u32,
    outside: Outside<'_>,
) -> Fate {
    if let Some(func) = listener_function(module, &call.callee) {
        return fate(module, func, place, steps - 1, outside);
    }
    let import = module.symbol_of(&call.callee).and_then(|it| module.import(it));
    import.map_or(Fate::Lost, |import| outside(import, place))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_client_passive_event_listeners_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_client_passive_event_listeners_are_fixed() {
        Setup::new().check(
            &RULE,
            "function Zoom({ el }: { el: HTMLElement }) {
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      setZoom(event.deltaY);
    };
    el.addEventListener('wheel', onWheel);
    el.addEventListener(\"touchmove\", function ({ touches }) { move(touches) }, false);
    el.addEventListener('touchstart', onWheel, true);
    el.addEventListener('touchstart', (onWheel), { once: true });
    el.addEventListener('touchstart', onWheel, {
      capture: true,
    });
    el.addEventListener('mousewheel', onWheel, {});
    el.addEventListener(
      'wheel',
      onWheel,
    );
    window.addEventListener('wheel', () => ping());
    return () => el.removeEventListener('wheel', onWheel);
  }, []);
}",
            expect![[r#"
                6:5 warning: this `wheel` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                7:5 warning: this `touchmove` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                8:5 warning: this `touchstart` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                9:5 warning: this `touchstart` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                10:5 warning: this `touchstart` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                13:5 warning: this `mousewheel` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                14:5 warning: this `wheel` listener delays scrolling; add `passive: true` [auto: make the listener passive]
                18:5 note: not every browser makes this page-level `wheel` listener passive by default; add `passive: true` [auto: make the listener passive]
                --- auto
                function Zoom({ el }: { el: HTMLElement }) {
                  useEffect(() => {
                    const onWheel = (event: WheelEvent) => {
                      setZoom(event.deltaY);
                    };
                    el.addEventListener('wheel', onWheel, { passive: true });
                    el.addEventListener("touchmove", function ({ touches }) { move(touches) }, { passive: true });
                    el.addEventListener('touchstart', onWheel, { capture: true, passive: true });
                    el.addEventListener('touchstart', (onWheel), { once: true, passive: true });
                    el.addEventListener('touchstart', onWheel, {
                      capture: true,
                      passive: true,
                    });
                    el.addEventListener('mousewheel', onWheel, { passive: true });
                    el.addEventListener(
                      'wheel',
                      onWheel,
                      { passive: true },
                    );
                    window.addEventListener('wheel', () => ping(), { passive: true });
                    return () => el.removeEventListener('wheel', onWheel);
                  }, []);
                }
            "#]],
        );
    }

    #[test]
    fn ru1_client_passive_event_listeners_through_other_functions() {
        let setup = Setup::new()
            .file("src/pure.ts", "export function note(label: string, event: Event) { log(label, event.timeStamp); }")
            .file("src/stop.ts", "export const stop = (event: Event) => event.preventDefault();");
        setup.fixes(
            &RULE,
            "import { useCallback as cb } from 'react';\nimport { note } from './pure';\nconst f = (e) => note('x', e);\nexport const useX = (el) => {\n  const h = cb((e) => f(e), []);\n  el.addEventListener('wheel', h)\n};\n",
            "import { useCallback as cb } from 'react';\nimport { note } from './pure';\nconst f = (e) => note('x', e);\nexport const useX = (el) => {\n  const h = cb((e) => f(e), []);\n  el.addEventListener('wheel', h, { passive: true })\n};\n",
        );
        setup.silent(
            &RULE,
            "import { stop } from './stop';\nel.addEventListener('wheel', (e) => stop(e));",
        );
        setup.silent(&RULE, "const stop = (e) => { e.preventDefault(); };\nel.addEventListener('wheel', (e) => stop(e));");
    }

    #[test]
    fn ru1_client_passive_event_listeners_leaves() {
        let setup = Setup::new();
        for listener in [
            // Prevented, in every way that is known.
            "(e) => e.preventDefault()",
            "(e) => { e.returnValue = false; }",
            "({ preventDefault }) => 1",
            "function (e) { if (x) { e['preventDefault'](); } }",
            // Nobody knows which function it is.
            "handler",
            "props.onWheel",
            "debounce((e) => log(e.x))",
            "{ handleEvent() {} }",
        ] {
            setup.silent(&RULE, &format!("export const f = (el, handler, props) => el.addEventListener('wheel', {listener});"));
        }
        // Said by the author, either way, or not to be seen.
        for options in
            ["{ passive: false }", "{ passive: true }", "{ ...o }", "o", "{ ['passive']: false }"]
        {
            setup.silent(&RULE, &format!("export const f = (el, o) => el.addEventListener('wheel', () => go(), {options});"));
        }
        // Events that do not hold up scrolling.
        for event in ["scroll", "touchend", "click", "pointermove"] {
            setup.silent(&RULE, &format!("el.addEventListener('{event}', () => go());"));
        }
        // Server code.
        setup.realm(Realm::Server).silent(&RULE, "el.addEventListener('wheel', () => go());");
    }

    #[test]
    fn ru1_client_passive_event_listeners_that_are_not_proved() {
        let setup = Setup::new();
        for listener in [
            "(e) => go(e)",
            "(e) => { last = e; }",
            "(e) => [e]",
            "(e) => { const f = () => e; go(f); }",
            "(...all) => go(all)",
            "(e) => { go(window.event); }",
            "() => go(event)",
            "function () { go(arguments); }",
            "(e) => { go(e); return false; }",
            "(e) => go({ ...e })",
            "(e) => go(e.nativeEvent)",
            "(e) => go(e.cancelable)",
            "({ cancelable }) => go(cancelable)",
            "(e) => { e = other; }",
        ] {
            setup.no_auto(&RULE, &format!("el.addEventListener('wheel', {listener});"));
        }
        setup.no_auto(&RULE, "el.addEventListener('wheel', () => go(), /* bubble */ false);");
    }

    #[test]
    fn ru1_client_passive_event_listeners_that_ask_what_they_got() {
        Setup::new().fixes(
            &RULE,
            "el.addEventListener('touchmove', (e) => move('touches' in e ? e.touches[0].clientX : e.clientX));",
            "el.addEventListener('touchmove', (e) => move('touches' in e ? e.touches[0].clientX : e.clientX), { passive: true });",
        );
    }
}

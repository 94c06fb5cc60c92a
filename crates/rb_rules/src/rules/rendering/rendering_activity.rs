//! A heavy part that is shown and hidden again is built anew each time.
//!
//! Heavy is what is loaded lazily or written in a large file; nothing is measured.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, IdentifierReference, JSXElement, LogicalOperator};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::Module;

use super::super::advanced::hooks::{State, states};
use super::jsx;
use crate::cx::{Cx, Hit, is_rendered};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};
use crate::world::Target;

/// A file of so many bytes is a heavy part.
const HEAVY: u64 = 16_000;

pub static RULE: Rule = Rule {
    id: "rendering-activity",
    title: "A heavy part is built anew whenever it is shown",
    category: Category::Rendering,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A state that is toggled decides whether a heavy component is mounted: one that is loaded lazily, or \
               whose file is large.",
        why: "Each time it is shown it renders from scratch, and what the user did in it is lost. `<Activity>` hides \
              it and keeps its state.",
        wrong: "import { lazy, useState } from 'react';
const BigMenu = lazy(() => import('./big-menu'));

export const Page = () => {
  const [open, setOpen] = useState(false);
  return <div onClick={() => setOpen(!open)}>{open ? <BigMenu /> : null}</div>;
};",
        right: "import { Activity, lazy, useState } from 'react';
const BigMenu = lazy(() => import('./big-menu'));

export const Page = () => {
  const [open, setOpen] = useState(false);
  return (
    <div onClick={() => setOpen(!open)}>
      <Activity mode={open ? 'visible' : 'hidden'}><BigMenu /></Activity>
    </div>
  );
};",
        safe: "A draft: state and DOM of the component now stay, it is rendered (and loaded) before it is first \
               shown, and its effects stop and start as it is hidden and shown. That is the point, but it is a \
               change.",
        leave: "The component must start fresh each time it is opened, plays media, or holds the focus.",
        given: &[],
    },
    wants: &["useState"],
    applies: |facts| facts.package.react_at_least(19, 2) && !facts.package.react_native,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for state in states(module).filter(|it| is_toggled(module, it)) {
        for used in module.value_uses(state.value) {
            let Some((whole, element)) = shown_by(module, used.node) else { continue };
            if !is_heavy(cx, element) || must_reset(cx, element) {
                continue;
            }
            let (flag, tag) = (module.name(state.value).to_owned(), jsx::tag(module, element));
            let message = format!(
                "<{tag}> is heavy and remounts whenever `{flag}` turns on; wrap it in `<Activity>`"
            );
            let hit = Hit::at(element.opening_element.span, message);
            cx.report(match edits(module, whole, element, &flag) {
                Some(edits) => hit.assist("wrap it in `<Activity>`", edits),
                None => hit,
            });
        }
    }
}

/// `useState(false)` that is set to what it is not.
fn is_toggled(module: &Module<'_>, state: &State<'_>) -> bool {
    let is_boolean = matches!(state.initial(), Some(Expression::BooleanLiteral(_)));
    let Some(setter) = state.setter else { return false };
    is_boolean
        && module.value_uses(setter).any(|it| {
            let AstKind::CallExpression(call) = module.parent(it.node) else { return false };
            call.arguments
                .first()
                .is_some_and(|argument| module.slice(argument.span()).contains('!'))
        })
}

/// `flag && <C/>` and `flag ? <C/> : null`: the whole of it, and the element.
fn shown_by<'a>(module: &Module<'a>, flag: NodeId) -> Option<(NodeId, &'a JSXElement<'a>)> {
    let span = module.nodes().kind(flag).span();
    let (node, shown) = match module.parent(flag) {
        AstKind::ConditionalExpression(it)
            if it.test.span() == span && matches!(it.alternate, Expression::NullLiteral(_)) =>
        {
            (it.node_id.get(), &it.consequent)
        }
        AstKind::LogicalExpression(it)
            if it.left.span() == span && it.operator == LogicalOperator::And =>
        {
            (it.node_id.get(), &it.right)
        }
        _ => return None,
    };
    match shown.get_inner_expression() {
        Expression::JSXElement(element) => Some((node, element)),
        _ => None,
    }
}

/// Loaded lazily, or large.
fn is_heavy<'a>(cx: &Cx<'_, 'a>, element: &'a JSXElement<'a>) -> bool {
    let Some(name) = jsx::component(element) else { return false };
    let init = cx.module.symbol(name).and_then(|it| cx.module.initializer(it));
    if let Some(Expression::CallExpression(call)) = init.map(Expression::get_inner_expression) {
        let import = cx.module.symbol_of(&call.callee).and_then(|it| cx.module.import(it));
        return cx.module.is_react_call(call, "lazy")
            || import.is_some_and(|it| it.source == "next/dynamic");
    }
    let Some((path, _)) = cx.component_origin(name) else { return false };
    path != *cx.facts.path && cx.world.size(&path).is_some_and(|size| size >= HEAVY)
}

/// Forms and dialogs begin anew, media stops, portals and traps of the focus are elsewhere.
fn must_reset<'a>(cx: &Cx<'_, 'a>, element: &'a JSXElement<'a>) -> bool {
    const NAMES: &[&str] = &[
        "Dialog", "Modal", "Form", "Sheet", "Drawer", "Popover", "Popup", "Tooltip", "Toast",
        "Portal", "Overlay", "Alert", "Confirm", "Wizard", "Player", "Video", "Audio", "Camera",
        "Picker", "Lightbox", "Prompt", "Confetti", "Devtools", "DevTools",
    ];
    const PARTS: &[&str] = &[
        "createPortal",
        "<video",
        "<audio",
        "<form",
        "autoFocus",
        "FocusTrap",
        "<Dialog",
        "<Modal",
    ];
    let tag = jsx::tag(cx.module, element);
    let closes = jsx::attributes(element)
        .any(|(name, _)| ["onClose", "onDismiss", "onCancel", "onSubmit", "open"].contains(&name));
    if closes || NAMES.iter().any(|word| tag.contains(word)) {
        return true;
    }
    let file = jsx::component(element).and_then(|name| file_of(cx, name));
    let text = file.filter(|path| **path != *cx.facts.path).and_then(|path| cx.world.text(&path));
    text.is_some_and(|text| PARTS.iter().any(|word| text.contains(word)))
}

/// Where a component is written, also one that is loaded lazily.
fn file_of<'a>(cx: &Cx<'_, 'a>, name: &IdentifierReference<'a>) -> Option<String> {
    let init = cx.module.symbol(name).and_then(|it| cx.module.initializer(it));
    let lazy = init.and_then(|it| cx.module.slice(it.span()).split_once("import("));
    let Some((_, rest)) = lazy else { return cx.component_origin(name).map(|(path, _)| path) };
    let specifier = rest.trim_start_matches(['"', '\'']).split(['"', '\'']).next()?;
    match cx.world.resolve(&cx.facts.path, specifier) {
        Target::File(path) => Some(path),
        Target::Package(_) | Target::Builtin | Target::Unknown => None,
    }
}

fn edits<'a>(
    module: &Module<'a>,
    whole: NodeId,
    element: &JSXElement<'a>,
    flag: &str,
) -> Option<Vec<Edit>> {
    let around = module.nodes().kind(whole).span();
    if module.has_comment(around) {
        return None;
    }
    let activity = module.import_name("react", "Activity")?;
    let style = module.style();
    let (visible, hidden) = (style.quoted("visible"), style.quoted("hidden"));
    let open = format!("<{} mode={{{flag} ? {visible} : {hidden}}}>", activity.name);
    let close = format!("</{}>", activity.name);
    // A child loses its braces.
    let span = if is_rendered(module, whole) { module.parent(whole).span() } else { around };
    let mut edits = activity.edits;
    edits.push(Edit::replace(span.start, element.span.start, open));
    edits.push(Edit::replace(element.span.end, span.end, close));
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_activity_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_activity_is_drafted() {
        let large = format!("export const Chart = () => <b />; /* {} */", "x".repeat(20_000));
        Setup::new().file("src/chart.tsx", &large).check(
            &RULE,
            r#"import * as React from "react";
import dynamic from "next/dynamic";
import { Chart } from "./chart";
const Map = dynamic(() => import("./map"));
export function A() {
  const [map, setMap] = React.useState(false);
  const [chart, setChart] = React.useState(true);
  const flip = () => { setMap((on) => !on); setChart(!chart); };
  if (flip.x) return chart ? (<Chart />) : null;
  return (
    <p onClick={flip}>
      {map && (
        <Map at={1} />
      )}
    </p>
  );
}"#,
            expect![[r#"
                13:9 warning: <Map> is heavy and remounts whenever `map` turns on; wrap it in `<Activity>` [assist: wrap it in `<Activity>`]
                9:31 warning: <Chart> is heavy and remounts whenever `chart` turns on; wrap it in `<Activity>` [assist: wrap it in `<Activity>`]
                --- assist
                import * as React from "react";
                import dynamic from "next/dynamic";
                import { Chart } from "./chart";
                const Map = dynamic(() => import("./map"));
                export function A() {
                  const [map, setMap] = React.useState(false);
                  const [chart, setChart] = React.useState(true);
                  const flip = () => { setMap((on) => !on); setChart(!chart); };
                  if (flip.x) return <React.Activity mode={chart ? "visible" : "hidden"}><Chart /></React.Activity>;
                  return (
                    <p onClick={flip}>
                      <React.Activity mode={map ? "visible" : "hidden"}><Map at={1} /></React.Activity>
                    </p>
                  );
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_activity_leaves_the_rest_alone() {
        let setup = Setup::new();
        let wrong = RULE.doc.wrong;
        // Before 19.2 there is none.
        Setup::new().react(19, 1).silent(&RULE, wrong);
        for (from, to) in [
            // It must begin anew, plays, or traps the focus.
            ("BigMenu", "BigDialog"),
            ("BigMenu", "VideoPlayer"),
            ("BigMenu", "EditForm"),
            ("<BigMenu />", "<BigMenu onClose={() => setOpen(false)} />"),
            // Not heavy, not switched, not only shown or not.
            ("lazy(() => import('./big-menu'))", "() => null"),
            ("setOpen(!open)", "setOpen(true)"),
            ("<BigMenu /> : null", "<BigMenu /> : <i />"),
        ] {
            assert!(wrong.contains(from), "{from}");
            setup.silent(&RULE, &wrong.replace(from, to));
        }
        // Its file says what it is.
        let plays = "export default () => <video src='a' />;";
        setup.clone().file("src/big-menu.tsx", plays).silent(&RULE, wrong);
        let file = format!(
            "export const Big = () => createPortal(<b />, document.body); /* {} */",
            "x".repeat(20_000)
        );
        setup.file("src/big.tsx", &file).silent(
            &RULE,
            "import { useState } from 'react';\nimport { Big } from './big';\nexport const A = () => { const [on, set] = useState(false); return <b onClick={() => set(!on)}>{on && <Big />}</b>; };",
        );
    }
}

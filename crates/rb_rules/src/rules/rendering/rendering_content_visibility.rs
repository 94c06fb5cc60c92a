//! Long lists in a box that scrolls: every row is laid out and painted, seen or not.
//!
//! How long a list is cannot be told: only names of what grows with use are taken for long ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, JSXElement};
use oxc_span::GetSpan;
use rb_ecma::{Func, Module};

use super::super::advanced::hooks::{is_from_hook, is_handed_in};
use super::jsx;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};
use crate::world::World;

pub static RULE: Rule = Rule {
    id: "rendering-content-visibility",
    title: "Rows out of sight are laid out and painted",
    category: Category::Rendering,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A scrolling box shows a list of data that may grow without bound, and nothing lets the browser skip \
               rows that are out of sight.",
        why: "The first paint takes as long as the whole list. `content-visibility: auto` with an estimated height \
              makes the browser lay out only what is visible.",
        wrong: "const Log = ({ messages }) => (
  <ul className=\"h-96 overflow-y-auto\">
    {messages.map((it) => <li key={it.id} className=\"row\">{it.text}</li>)}
  </ul>
);",
        right: "// .cv-auto { content-visibility: auto; contain-intrinsic-size: auto 40px; }
const Log = ({ messages }) => (
  <ul className=\"h-96 overflow-y-auto\">
    {messages.map((it) => <li key={it.id} className=\"row cv-auto\">{it.text}</li>)}
  </ul>
);",
        safe: "No fix is offered: the expected height of a row is a design decision.",
        leave: "The list is short, its rows overlap or are measured, or it is paginated.",
        given: &[],
    },
    wants: &["overflow"],
    applies: |facts| facts.package.uses_react && !facts.package.react_native,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    if is_cared_for(cx.module) {
        return;
    }
    for &call in cx.module.calls() {
        let Some(list) = list(cx.module, call) else { continue };
        let Some(row) = row(call) else { continue };
        if !in_scrolling_box(cx.module, call) || !is_plain_row(cx, row) || is_styled(cx, row) {
            continue;
        }
        let tag = jsx::tag(cx.module, row);
        let message = format!(
            "`{list}` may be long, and every <{tag}> is laid out even offscreen; add `content-visibility: auto` and `contain-intrinsic-size`"
        );
        let hit = Hit::at(row.opening_element.span, message);
        cx.report(if jsx::host(row).is_some() { hit } else { hit.low() });
    }
}

/// Rows are skipped already, come page by page, or are measured and moved.
fn is_cared_for(module: &Module<'_>) -> bool {
    const WORDS: &[&str] = &[
        "irtualiz",
        "useVirtual",
        "irtuoso",
        "react-window",
        "content-visibility",
        "contentVisibility",
        "cv-auto",
        "masonic",
        "Pagination",
        "pagination",
        "pageSize",
        "perPage",
        "per_page",
        "getBoundingClientRect",
        "offsetHeight",
        "offsetTop",
        "scrollIntoView",
        "scrollHeight",
        "scrollTop",
        "ResizeObserver",
        "IntersectionObserver",
        "useMeasure",
        "useSortable",
        "Draggable",
        "useDraggable",
        "AnimatePresence",
        "Reorder",
        "sticky",
    ];
    let text = module.text();
    WORDS.iter().any(|word| text.contains(word))
}

/// Names of what grows with use. Tabs, options and columns do not.
const GROWING: &[&str] = &[
    "messages",
    "comments",
    "posts",
    "logs",
    "loglines",
    "notifications",
    "emails",
    "mails",
    "threads",
    "transactions",
    "conversations",
    "feed",
    "entries",
    "articles",
    "tracks",
    "followers",
    "traces",
    "commits",
    "users",
    "customers",
    "invoices",
    "products",
    "orders",
    "contacts",
    "tickets",
    "issues",
    "photos",
];

/// The name of the list that is gone through, where it is data of unknown length.
fn list<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<&'a str> {
    let member = call.callee.get_inner_expression().as_member_expression()?;
    if member.static_property_name()? != "map" {
        return None;
    }
    let mut object = member.object().get_inner_expression();
    // `messages.filter(…).map(…)`
    while let Expression::CallExpression(inner) = object {
        let member = inner.callee.get_inner_expression().as_member_expression()?;
        if !["filter", "sort", "toSorted", "reverse", "toReversed"]
            .contains(&member.static_property_name()?)
        {
            return None;
        }
        object = member.object().get_inner_expression();
    }
    let text = module.slice(object.span());
    let last = text.rsplit('.').next()?;
    let is_growing =
        GROWING.iter().any(|word| last.eq_ignore_ascii_case(word) || ends_with_word(last, word));
    let root = module.identifiers_in(object.span()).first()?;
    let symbol = module.symbol(root)?;
    let is_data = is_handed_in(module, symbol) || is_from_hook(module, symbol);
    (is_growing && is_data).then_some(text)
}

/// `chatMessages` ends with the word `messages`.
fn ends_with_word(name: &str, word: &str) -> bool {
    let Some(at) = name.len().checked_sub(word.len()) else { return false };
    name.is_char_boundary(at)
        && name[at..].starts_with(|c: char| c.is_uppercase())
        && name[at..].eq_ignore_ascii_case(word)
}

/// The element that stands for one of the list.
fn row<'a>(call: &'a CallExpression<'a>) -> Option<&'a JSXElement<'a>> {
    let func = Func::of_expression(call.arguments.first()?.as_expression()?)?;
    let value = func.returned().or_else(|| match func.statements().last()? {
        oxc_ast::ast::Statement::ReturnStatement(it) => it.argument.as_ref(),
        _ => None,
    })?;
    match value.get_inner_expression() {
        Expression::JSXElement(element) => Some(element),
        _ => None,
    }
}

/// Tables cannot skip rows, options are few, and what overlaps must be drawn.
fn is_plain_row<'a>(cx: &Cx<'_, 'a>, row: &'a JSXElement<'a>) -> bool {
    const NOT: &[&str] =
        &["tr", "td", "th", "option", "col", "path", "g", "circle", "line", "rect", "text"];
    let overlaps = jsx::elements_in(cx.module, row.span).iter().any(|it| {
        jsx::classes(it).iter().any(|class| ["absolute", "fixed", "sticky"].contains(class))
    });
    if jsx::attribute(row, "id").is_some() || overlaps {
        return false;
    }
    if let Some(tag) = jsx::host(row) {
        return !NOT.contains(&tag);
    }
    let Some(name) = jsx::component(row) else { return false };
    let short = [
        "Row",
        "Cell",
        "Option",
        "MenuItem",
        "Tab",
        "Radio",
        "Checkbox",
        "Badge",
        "Avatar",
        "SelectItem",
        "Field",
    ];
    if short.iter().any(|word| name.name.ends_with(word)) {
        return false;
    }
    // The row may be cared for where it is written.
    let Some((path, _)) = cx.component_origin(name) else { return false };
    cx.world.text(&path).is_some_and(|text| {
        !["content-visibility", "contentVisibility", "<tr", "sticky"]
            .iter()
            .any(|word| text.contains(word))
    })
}

/// Does a stylesheet of the project let the browser skip the row?
fn is_styled<'a>(cx: &Cx<'_, 'a>, row: &'a JSXElement<'a>) -> bool {
    let Some(classes) = jsx::attribute(row, "className") else { return false };
    let skipped = skipped_classes(cx.world);
    // `"row wide"` as well as `styles.row`.
    cx.module.slice(classes.span).split(|c| !is_class_char(c)).any(|class| skipped.contains(class))
}

/// The classes that get `content-visibility` in a stylesheet.
fn skipped_classes(world: &dyn World) -> Arc<BTreeSet<String>> {
    const QUESTION: &str = "classes with content-visibility";
    if let Some(known) = world.recall(QUESTION, "", "")
        && let Ok(classes) = known.downcast()
    {
        return classes;
    }
    let is_sheet = |path: &String| {
        [".css", ".scss", ".sass", ".less", ".pcss"].iter().any(|end| path.ends_with(end))
    };
    let sheets = world.all_paths().into_iter().filter(is_sheet);
    let mut classes = BTreeSet::new();
    for text in sheets.filter_map(|path| world.text(&path)) {
        classes.extend(skipped_in(&text));
    }
    let classes = Arc::new(classes);
    world.remember(QUESTION, "", "", Arc::<BTreeSet<String>>::clone(&classes));
    classes
}

/// The classes whose block in a stylesheet mentions `content-visibility`. Reads it once, however it is written.
fn skipped_in(sheet: &str) -> Vec<String> {
    let mut classes = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, byte) in sheet.bytes().enumerate() {
        match byte {
            b'{' => open.push(&sheet[start..at]),
            b'}' => drop(open.pop()),
            b';' => {}
            b'c' if sheet[at..].starts_with("content-visibility") => {
                let selector = open.last_mut().map(std::mem::take).unwrap_or_default();
                let names = selector.split('.').skip(1);
                classes
                    .extend(names.map(|it| {
                        it.chars().take_while(|&c| is_class_char(c)).collect::<String>()
                    }));
                continue;
            }
            _ => continue,
        }
        start = at + 1;
    }
    classes
}

fn is_class_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn in_scrolling_box<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let mut is_scrolling = false;
    for kind in module.ancestors(call.node_id.get()) {
        match kind {
            AstKind::JSXElement(element) => {
                let tag = jsx::host(element).unwrap_or_default();
                if ["table", "tbody", "select", "svg"].contains(&tag) {
                    return false;
                }
                let scrolls = scrolls(module, element);
                // Whoever holds on to the box scrolls it by code, which must know all heights.
                if scrolls && jsx::attribute(element, "ref").is_some() {
                    return false;
                }
                is_scrolling |= scrolls;
            }
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                let around =
                    Func::of(kind).and_then(|it| module.function_view(it)).and_then(|it| it.name);
                return is_scrolling && !around.is_some_and(is_short_by_name);
            }
            _ => {}
        }
    }
    false
}

/// Components that show a choice.
fn is_short_by_name(name: &str) -> bool {
    [
        "Menu",
        "Select",
        "Dropdown",
        "Combobox",
        "Popover",
        "Tooltip",
        "Sidebar",
        "Nav",
        "Picker",
        "Tabs",
        "Autocomplete",
        "Dialog",
        "Modal",
        "Form",
        "Cart",
    ]
    .iter()
    .any(|word| name.contains(word))
}

fn scrolls<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> bool {
    let by_class = jsx::classes(element).iter().any(|it| {
        ["overflow-auto", "overflow-y-auto", "overflow-scroll", "overflow-y-scroll"].contains(it)
    });
    let by_style = jsx::style(element).is_some_and(|style| {
        ["overflow", "overflowY"].into_iter().filter_map(|name| jsx::property(style, name)).any(
            |value| {
                let text = module.slice(value.span());
                text.contains("auto") || text.contains("scroll")
            },
        )
    });
    by_class || by_style
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_content_visibility_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_content_visibility_in_every_form() {
        Setup::new().file("src/item.tsx", "export const Item = () => <li />;").check(
            &RULE,
            r#"import { Item } from './item';
export function A(props) {
  const { data: chatMessages } = useQuery('messages');
  return (
    <div style={{ overflowY: 'scroll' }}>
      <ul>{chatMessages.filter(Boolean).map((it) => { return <li key={it.id}>{it.text}</li>; })}</ul>
      {props.comments.map((it) => <Item key={it.id} />)}
    </div>
  );
}"#,
            expect![[r#"
                6:62 warning: `chatMessages` may be long, and every <li> is laid out even offscreen; add `content-visibility: auto` and `contain-intrinsic-size`
                7:35 note: `props.comments` may be long, and every <Item> is laid out even offscreen; add `content-visibility: auto` and `contain-intrinsic-size`
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_content_visibility_reads_stylesheets() {
        let sheet =
            "ul { margin: 0 }\n@media screen { .row, li.entry { content-visibility: auto } }";
        let setup = Setup::new().file("src/log.module.css", sheet);
        let wrong = RULE.doc.wrong;
        setup.silent(&RULE, wrong);
        setup.silent(&RULE, &wrong.replace("\"row\"", "{styles.entry}"));
        let other = wrong.replace("\"row\"", "\"rows\"");
        setup.check(&RULE, &other, expect![[r#"
            3:27 warning: `messages` may be long, and every <li> is laid out even offscreen; add `content-visibility: auto` and `contain-intrinsic-size`
        "#]]);
    }

    #[test]
    fn ru1_rendering_content_visibility_leaves_the_rest_alone() {
        let setup = Setup::new();
        let wrong = RULE.doc.wrong;
        for (from, to) in [
            // Short lists.
            ("messages", "tabs"),
            ("messages.map", "messages.slice(0, 5).map"),
            ("({ messages })", "()"),
            ("Log", "LogSelect"),
            // Tables.
            ("li", "tr"),
            // Overlap, anchors, code that measures.
            ("\"row\"", "\"row sticky\""),
            ("<li key", "<li id={it.id} key"),
            ("{it.text}", "{it.text}<i ref={(el) => el.scrollIntoView()} />"),
            // Cared for already.
            ("\"row\"", "\"row [content-visibility:auto]\""),
            ("const Log", "import { useVirtualizer } from '@tanstack/react-virtual';\nconst Log"),
            ("\"row\"", "\"relative\"><i className=\"absolute -top-2\" /><b"),
            ("<ul ", "<ul ref={box} "),
            ("Log", "LogDialog"),
            // Nothing scrolls.
            ("overflow-y-auto", "overflow-hidden"),
        ] {
            assert!(wrong.contains(from), "{from}");
            let text = wrong.replace(from, to);
            let text = if to.contains("<b") { text.replace("</li>", "</b></li>") } else { text };
            setup.silent(&RULE, &text);
        }
        // A component that is not known.
        setup.silent(
            &RULE,
            &wrong.replace(
                "<li key={it.id} className=\"row\">{it.text}</li>",
                "<Item key={it.id} />",
            ),
        );
    }
}

//! Is an element on the page from the start, as what the page is for?
//!
//! Told by the component that draws it alone; where that component is drawn is not followed.

use oxc_ast::AstKind;
use oxc_ast::ast::JSXElement;
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::super::advanced::hooks::is_from_hook;

/// Ends of the names of what shows its children when somebody asks for them.
const OPENED: &[&str] = &[
    "Accordion",
    "Collapse",
    "Collapsible",
    "Dialog",
    "Drawer",
    "Dropdown",
    "HoverCard",
    "Modal",
    "Popover",
    "Sheet",
    "TabContent",
    "TabPane",
    "TabPanel",
    "TabsContent",
    "TabsPanel",
    "Tooltip",
];

/// Words in the name of what is off until a user switches it on.
const SWITCHES: &[&str] = &[
    "dialog", "editing", "expanded", "modal", "open", "opened", "show", "showing", "shown",
    "toggled", "visible",
];
/// And of what says which of several is shown. It has to be a state: a prop may well have but one value.
const CHOICES: &[&str] =
    &["active", "enabled", "mode", "preview", "selected", "step", "tab", "view"];

/// May the element come later than the page? Only what is opened, or switched on, surely may.
pub(super) fn may_wait<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> bool {
    let node = element.node_id.get();
    !is_stand_in(module, element) && (is_opened(module, node) || is_switched_on(module, node))
}

/// What is shown as long as something else is not there.
pub(super) fn is_stand_in<'a>(module: &Module<'a>, element: &'a JSXElement<'a>) -> bool {
    let name = module.slice(element.opening_element.name.span());
    ["Skeleton", "Placeholder", "Fallback", "Loading"].iter().any(|it| name.contains(it))
}

fn is_opened(module: &Module<'_>, node: NodeId) -> bool {
    let opens = |name: &str| {
        let name = &name.replace('.', "");
        let bare = ["Content", "Body", "Panel"].iter().find_map(|it| name.strip_suffix(it));
        let bare = bare.unwrap_or(name);
        OPENED.iter().any(|it| name.ends_with(it) || bare.ends_with(it))
    };
    let own = module.component_or_hook_around(node).and_then(|it| it.name);
    let mut around = module.ancestors(node).chain([module.nodes().kind(node)]);
    own.is_some_and(opens)
        || around.any(|kind| {
            matches!(kind, AstKind::JSXElement(outer)
                if opens(module.slice(outer.opening_element.name.span())))
        })
}

/// Does it stand where a condition holds that is about more than whether data has come?
fn is_switched_on(module: &Module<'_>, node: NodeId) -> bool {
    let component = module.component_or_hook_around(node).map(|it| it.func.span());
    let mut inner = module.nodes().kind(node).span();
    for kind in module.ancestors(node).take_while(|it| Some(it.span()) != component) {
        let test = match kind {
            AstKind::ConditionalExpression(it) if it.consequent.span() == inner => Some(&it.test),
            AstKind::LogicalExpression(it) if it.operator.is_and() && it.right.span() == inner => {
                Some(&it.left)
            }
            AstKind::IfStatement(it) if it.consequent.span() == inner => Some(&it.test),
            _ => None,
        };
        if test.is_some_and(|it| is_switch(module, it.span())) {
            return true;
        }
        inner = kind.span();
    }
    false
}

fn is_switch(module: &Module<'_>, test: Span) -> bool {
    let code = module.slice(test);
    let words = words(code);
    let has = |names: &[&str]| words.iter().any(|it| names.contains(&it.as_str()));
    let mut symbols = module.identifiers_in(test).iter().filter_map(|it| module.symbol(it));
    let is_state = symbols.any(|it| is_from_hook(module, it));
    let is_coming = words.iter().any(|it| it == "data" || it.starts_with("load"));
    !code.starts_with('!') && !is_coming && (has(SWITCHES) || (is_state && has(CHOICES)))
}

/// The words of names: `isOpen && activeTab` has `is`, `open`, `active` and `tab`.
fn words(code: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in code.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
    }
    words
}

//! A client component gets a list, and a copy of it that it could make itself.

use oxc_ast::ast::{ArrayExpressionElement, Expression, ObjectPropertyKind};
use oxc_span::GetSpan;
use rb_ecma::{Module, Types};

use super::client::{client_component, props};
use super::entries::is_server_source;
use crate::cx::{Cx, Hit};
use crate::facts::Realm;
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-dedup-props",
    title: "A value and a copy made of it are both sent to the browser",
    category: Category::Server,
    impact: Impact::Low,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A server component passes a value to a client component, and in another prop something derived from \
               the same value: mapped, copied, or a sorted list of primitives.",
        why: "Props of client components are serialized into the page. An object that occurs twice is written once, \
              but strings, numbers and whatever a copy creates are written again.",
        wrong: "import { ClientList } from './client-list';

export const View = ({ names }: { names: string[] }) => (
  <ClientList all={names} sorted={names.toSorted()} />
);",
        right: "import { ClientList } from './client-list';

export const View = ({ names }: { names: string[] }) => <ClientList all={names} />;",
        safe: "No fix is offered: the copy must be made in the client component, which changes the type of its \
               props.",
        leave: "The copy is expensive to make or needs the server, or the data is tiny.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/view.tsx"),
            Given::Realm(Realm::Server),
            Given::File(
                "src/app/client-list.tsx",
                "'use client';\nexport const ClientList = (props) => null;",
            ),
        ],
    },
    wants: &[],
    applies: is_server_source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for &element in cx.module.elements() {
        let props = props(element);
        for (name, attribute, value) in &props {
            let Some((root, condition)) = copied(cx.module, value) else { continue };
            let is_plain = |it: &Expression<'_>| {
                is_reference(it) && cx.module.slice(it.span()) == cx.module.slice(root.span())
            };
            let Some((other, _, _)) = props.iter().find(|(_, _, it)| is_plain(it)) else {
                continue;
            };
            let Some((_, component)) = client_component(cx, element) else { break };
            let component = if component == "default" { "the component" } else { &component };
            let message = format!(
                "`{name}` is derived from `{other}`, which is also sent to the client; derive it in `{component}`"
            );
            let message = message.replace("`the component`", "the component");
            let hit = Hit::at(attribute.span, message);
            cx.report(match condition {
                Some(condition) => hit.likely(condition),
                None => hit,
            });
        }
    }
}

/// `x`, `x.y`
fn is_reference(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(it) => is_reference(&it.object),
        _ => false,
    }
}

/// What the expression is made of, where parts of it are written again, and what is not proved of that.
fn copied<'e, 'a>(
    module: &Module<'a>,
    expression: &'e Expression<'a>,
) -> Option<(&'e Expression<'a>, Option<&'static str>)> {
    if let Expression::StaticMemberExpression(it) = expression.get_inner_expression()
        && is_text(it.property.name.as_str())
    {
        let condition = "it may be too small to matter";
        return is_reference(&it.object).then_some((&it.object, Some(condition)));
    }
    let made = made_of(module, expression)?;
    let is_known = !made.is_shell || module.declared_type(made.root).is_some();
    let condition =
        (!is_known).then_some("its elements may be objects, which are serialized only once");
    let written_again = !is_known || !made.is_shell || holds_plain(module, made.root);
    (is_reference(made.root) && written_again).then_some((made.root, condition))
}

/// Names of members that are texts, and short.
fn is_text(name: &str) -> bool {
    ["email", "image", "label", "name", "slug", "title", "url"].contains(&name)
}

struct Made<'e, 'a> {
    root: &'e Expression<'a>,
    /// A new list of the same elements.
    is_shell: bool,
}

fn made_of<'e, 'a>(module: &Module<'a>, expression: &'e Expression<'a>) -> Option<Made<'e, 'a>> {
    let (root, is_shell) = match expression.get_inner_expression() {
        Expression::CallExpression(call) => {
            if module.is_global_named(&call.callee, "structuredClone") {
                (call.arguments.first()?.as_expression()?, false)
            } else {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let is_shell = match member.static_property_name()? {
                    "map" => false,
                    "toSorted" | "filter" | "slice" | "concat" | "toReversed" => true,
                    _ => return None,
                };
                // `xs.filter(f).map(g)` is made of `xs` too.
                match made_of(module, member.object()) {
                    Some(inner) => (inner.root, is_shell && inner.is_shell),
                    None => (member.object(), is_shell),
                }
            }
        }
        Expression::ArrayExpression(it) => match it.elements.as_slice() {
            [ArrayExpressionElement::SpreadElement(spread)] => (&spread.argument, true),
            _ => return None,
        },
        Expression::ObjectExpression(it) => match it.properties.as_slice() {
            [ObjectPropertyKind::SpreadProperty(spread)] => (&spread.argument, false),
            _ => return None,
        },
        // Of members, only long texts are worth a word: objects are written once, the rest is small.
        Expression::StaticMemberExpression(it) if is_long(it.property.name.as_str()) => {
            (&it.object, false)
        }
        _ => return None,
    };
    Some(Made { root, is_shell })
}

fn is_long(name: &str) -> bool {
    ["content", "body", "html", "markdown", "text", "description", "bio"].contains(&name)
}

/// A list of texts or numbers: in a list of objects, each is written but once.
fn holds_plain<'a>(module: &Module<'a>, list: &Expression<'a>) -> bool {
    let element = module.declared_type(list).and_then(|it| module.element_type(it));
    element.is_some_and(|it| module.types_of_written(it).is_only(Types::PRIMITIVE))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new()
            .next(15, 1)
            .realm(Realm::Server)
            .path("src/app/view.tsx")
            .file(
                "src/app/list.tsx",
                "'use client';\nexport const List = (props) => null;\nexport default List;",
            )
            .file("src/app/plain.tsx", "export const Plain = (props) => null;")
    }

    const IMPORTS: &str = "import { List } from './list';\nimport Main from './list';\nimport { Plain } from './plain';\n";

    fn view(element: &str) -> String {
        format!(
            "{IMPORTS}const View = ({{ names, rows, post }}: {{ names: string[]; rows: Row[]; post: Post }}) => {element};"
        )
    }

    #[test]
    fn ru1_server_dedup_props_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_dedup_props_finds_copies() {
        setup().check(
            &RULE,
            &view(
                "(
  <>
    <List all={names} some={names.filter(Boolean)} copy={[...names]} first={names.slice(0, 3)} />
    <Main rows={rows} ids={rows.map((it) => it.id)} deep={structuredClone(rows)} />
    <List post={post} copy={{ ...post }} text={post.body} />
    <List rows={post.rows} ids={post.rows.filter(Boolean).map((it) => it.id)} />
  </>
)",
            ),
            expect![[r#"
                6:23 note: `some` is derived from `all`, which is also sent to the client; derive it in `List`
                6:52 note: `copy` is derived from `all`, which is also sent to the client; derive it in `List`
                6:70 note: `first` is derived from `all`, which is also sent to the client; derive it in `List`
                7:23 note: `ids` is derived from `rows`, which is also sent to the client; derive it in the component
                7:53 note: `deep` is derived from `rows`, which is also sent to the client; derive it in the component
                8:23 note: `copy` is derived from `post`, which is also sent to the client; derive it in `List`
                8:42 note: `text` is derived from `post`, which is also sent to the client; derive it in `List`
                9:28 note: `ids` is derived from `rows`, which is also sent to the client; derive it in `List`
            "#]],
        );
    }

    #[test]
    fn ru1_server_dedup_props_leaves_false_positives() {
        for element in [
            // The client does not get the original.
            "<List sorted={names.toSorted()} />",
            // Filtered by permission: the rest stays on the server.
            "<List rows={rows.filter((it) => it.open)} />",
            // Objects are written once, the list around them is small.
            "<List all={rows} some={rows.filter((it) => it.open)} sorted={rows.toSorted()} />",
            "<List post={post} author={post.author} />",
            // Tiny.
            "<List all={names} count={names.length} />",
            // A key is not sent as a prop.
            "<List post={post} key={post.body} />",
            // Not a client component.
            "<Plain all={names} sorted={names.toSorted()} />",
            "<ul all={names} sorted={names.toSorted()} />",
        ] {
            setup().silent(&RULE, &view(element));
        }
        let copies = view("<List all={names} sorted={names.toSorted()} />");
        assert!(!setup().findings(&RULE, &copies).is_empty());
        // In the browser nothing is sent.
        setup().realm(Realm::Client).silent(&RULE, &copies);
    }

    #[test]
    fn ru1_server_dedup_props_candidates() {
        let page = |element: &str| {
            let open = view("").split("const View").next().unwrap_or_default().to_owned();
            format!(
                "{open}const View = async () => {{ const all = await load(); return {element}; }};"
            )
        };
        // Nothing is known of the elements.
        setup().likely(&RULE, &page("<List all={all} some={all.filter((it) => it.on)} />"));
        setup().likely(&RULE, &page("<List post={all} title={all.title} />"));
        setup().silent(&RULE, &page("<List post={all} author={all.author} />"));
    }
}

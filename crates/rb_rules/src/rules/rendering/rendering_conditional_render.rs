//! `n && <X/>` shows `0` or `NaN` where nothing should be.
//!
//! Only values whose type or form says number are spoken of; conditions that rule zero out are not followed.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, LogicalExpression, LogicalOperator};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{FunctionKind, Module, Types};

use super::children::is_looked_at;
use super::numbers::leaking;
use crate::cx::{Cx, Hit, is_rendered};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-conditional-render",
    title: "A number before `&&` is shown when it is zero",
    category: Category::Rendering,
    impact: Impact::Low,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: true,
    doc: Doc {
        what: "The child of an element is `n && <X/>`, and `n` is a number. React renders `0` and `NaN`.",
        why: "Users see a stray `0` where nothing was meant.",
        wrong: "const Cart = ({ count }: { count: number }) => <b>{count && <Dot n={count} />}</b>;",
        right: "const Cart = ({ count }: { count: number }) => <b>{count ? <Dot n={count} /> : null}</b>;",
        safe: "Fixed automatically if the left side is a number by its type. The only difference is that the `0` or \
               `NaN` is gone: the fix uses `count ? … : null` rather than `count > 0`, which would also hide \
               negative numbers.",
        leave: "The `0` is meant to be seen. Children of project components that inspect their children are not \
                reported.",
        given: &[],
    },
    wants: &["&&"],
    applies: |facts| facts.package.uses_react,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for node in module.nodes().iter() {
        let AstKind::LogicalExpression(it) = node.kind() else { continue };
        if it.operator != LogicalOperator::And || !shows(module, &it.right) {
            continue;
        }
        let Some((place, shown)) = place(module, node.id()) else { continue };
        let Some(number) = leaking(module, &it.left) else { continue };
        if shown.iter().any(|it| is_looked_at(cx, *it)) {
            continue;
        }
        let name = brief(module.slice(number));
        let message = format!("React renders `0` if `{name}` is 0");
        let doubt = match place {
            ValueUse::Child => None,
            ValueUse::Kept => Some("the value is stored in a variable first"),
            ValueUse::Returned => Some("callers of the component may inspect its return value"),
        };
        let title = "use a ternary with `null`";
        cx.report(Hit::at(it.span, message).auto_unless(doubt, title, edits(module, it)));
    }
}

/// In one line, and not for long.
fn brief(code: &str) -> String {
    const MOST: usize = 32;
    let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Where the value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueUse {
    /// It is the child of an element.
    Child,
    /// It has a name, and the name is the child of elements.
    Kept,
    /// It is what a component gives.
    Returned,
}

/// With the nodes that are children of elements. `None` where the value is not shown, or not only.
fn place(module: &Module<'_>, node: NodeId) -> Option<(ValueUse, Vec<NodeId>)> {
    let mut inner = module.nodes().kind(node).span();
    let mut at = node;
    for kind in module.ancestors(node) {
        match kind {
            AstKind::ConditionalExpression(it) if it.test.span() != inner => {}
            AstKind::LogicalExpression(it)
                if it.right.span() == inner && it.operator == LogicalOperator::And => {}
            AstKind::JSXExpressionContainer(_) => {
                return is_rendered(module, at).then(|| (ValueUse::Child, vec![at]));
            }
            AstKind::VariableDeclarator(it) => {
                let symbol = it.id.get_binding_identifier()?.symbol_id.get()?;
                let uses: Vec<NodeId> = module.value_uses(symbol).map(|it| it.node).collect();
                let shown = !uses.is_empty() && uses.iter().all(|it| is_rendered(module, *it));
                return (shown && module.is_stable(symbol)).then_some((ValueUse::Kept, uses));
            }
            AstKind::ReturnStatement(_) | AstKind::ArrowFunctionExpression(_) => {
                return is_component(module, at).then(|| (ValueUse::Returned, Vec::new()));
            }
            _ => return None,
        }
        inner = kind.span();
        at = kind.node_id();
    }
    None
}

fn is_component(module: &Module<'_>, node: NodeId) -> bool {
    let around = module.function_around(node).and_then(|func| module.function_view(func));
    around.is_some_and(|it| it.kind == FunctionKind::Component)
}

/// Is it something that is shown?
fn shows<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::JSXElement(_) | Expression::JSXFragment(_) => true,
        Expression::LogicalExpression(it) => shows(module, &it.right),
        Expression::ConditionalExpression(it) => {
            shows(module, &it.consequent) || shows(module, &it.alternate)
        }
        Expression::CallExpression(call) if is_render(call.callee_name()) => true,
        other => {
            let types = module.types(other);
            types.is_known() && types.includes(Types::ELEMENT | Types::STRING | Types::ARRAY)
        }
    }
}

/// `renderRow()`.
fn is_render(name: Option<&str>) -> bool {
    name.and_then(|it| it.strip_prefix("render"))
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// `a && b` binds closer than `? :`, so that a chain needs no parentheses.
fn edits<'a>(module: &Module<'a>, it: &LogicalExpression<'a>) -> Vec<Edit> {
    let (from, until) = (it.left.span().end, it.right.span().start);
    let mut at = from;
    for comment in module.comments() {
        // An operator that stands in a comment is none.
        if at <= comment.span.start && comment.span.end <= until {
            let before = module.slice(Span::new(at, comment.span.start));
            if before.contains("&&") {
                break;
            }
            at = comment.span.end;
        }
    }
    let operator = module.slice(Span::new(at, until)).find("&&");
    let operator = operator.expect("the operator stands between its sides");
    let at = at + u32::try_from(operator).expect("texts are small");
    vec![Edit::replace(at, at + 2, "?"), Edit::insert(it.span.end, " : null")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_conditional_render_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_conditional_render_is_fixed() {
        Setup::new().check(
            &RULE,
            "const A = ({ n, xs }: { n: number; xs: string[] }) => (
  <ul>
    {xs.length && <li>{xs}</li>}
    {n && (
      <b>x</b>
    )}
  </ul>
);",
            expect![[r#"
                3:6 note: React renders `0` if `xs.length` is 0 [auto: use a ternary with `null`]
                4:6 note: React renders `0` if `n` is 0 [auto: use a ternary with `null`]
                --- auto
                const A = ({ n, xs }: { n: number; xs: string[] }) => (
                  <ul>
                    {xs.length ? <li>{xs}</li> : null}
                    {n ? (
                      <b>x</b>
                    ) : null}
                  </ul>
                );
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_conditional_render_in_every_form() {
        Setup::new().check(
            &RULE,
            r#"import React, { useState as state } from "react";
interface Props { total?: number; big: bigint; level: 0 | 1 }
export function A({ total, big, level, size = 3, ...rest }: Props) {
  const [n] = state(0);
  const [seen] = React.useState(new Set<string>());
  const ids = new Map<string, number>();
  return (
    <p>
      {total && <b />}
      {big && <b />}
      {level && <b />}
      {size && <b />}
      {n && <b />}
      {seen.size && <b />}
      {ids?.size && <b />}
      {rest.items?.length && rest.items.map((it) => <i key={it} />)}
      {n - 1 && "one"}
      {Number(rest.text) && renderRow()}
      {parseInt(rest.text) && <b />}
      {Math.floor(n) && <b />}
      {rest.on && n && <b />}
      {n /* && */ && rest.on && <b />}
      {rest.on ? n && <b /> : null}
    </p>
  );
}"#,
            expect![[r#"
                9:8 note: React renders `0` if `total` is 0 [auto: use a ternary with `null`]
                10:8 note: React renders `0` if `big` is 0 [auto: use a ternary with `null`]
                11:8 note: React renders `0` if `level` is 0 [auto: use a ternary with `null`]
                12:8 note: React renders `0` if `size` is 0 [auto: use a ternary with `null`]
                13:8 note: React renders `0` if `n` is 0 [auto: use a ternary with `null`]
                14:8 note: React renders `0` if `seen.size` is 0 [auto: use a ternary with `null`]
                15:8 note: React renders `0` if `ids?.size` is 0 [auto: use a ternary with `null`]
                16:8 note: React renders `0` if `rest.items?.length` is 0 [auto: use a ternary with `null`]
                17:8 note: React renders `0` if `n - 1` is 0 [auto: use a ternary with `null`]
                18:8 note: React renders `0` if `Number(rest.text)` is 0 [auto: use a ternary with `null`]
                19:8 note: React renders `0` if `parseInt(rest.text)` is 0 [auto: use a ternary with `null`]
                20:8 note: React renders `0` if `Math.floor(n)` is 0 [auto: use a ternary with `null`]
                21:8 note: React renders `0` if `n` is 0 [auto: use a ternary with `null`]
                22:8 note: React renders `0` if `n` is 0 [auto: use a ternary with `null`]
                23:18 note: React renders `0` if `n` is 0 [auto: use a ternary with `null`]
                --- auto
                import React, { useState as state } from "react";
                interface Props { total?: number; big: bigint; level: 0 | 1 }
                export function A({ total, big, level, size = 3, ...rest }: Props) {
                  const [n] = state(0);
                  const [seen] = React.useState(new Set<string>());
                  const ids = new Map<string, number>();
                  return (
                    <p>
                      {total ? <b /> : null}
                      {big ? <b /> : null}
                      {level ? <b /> : null}
                      {size ? <b /> : null}
                      {n ? <b /> : null}
                      {seen.size ? <b /> : null}
                      {ids?.size ? <b /> : null}
                      {rest.items?.length ? rest.items.map((it) => <i key={it} />) : null}
                      {n - 1 ? "one" : null}
                      {Number(rest.text) ? renderRow() : null}
                      {parseInt(rest.text) ? <b /> : null}
                      {Math.floor(n) ? <b /> : null}
                      {rest.on && n ? <b /> : null}
                      {n /* && */ && rest.on ? <b /> : null}
                      {rest.on ? n ? <b /> : null : null}
                    </p>
                  );
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_conditional_render_without_proof() {
        Setup::new().check(
            &RULE,
            "function A({ n }: { n: number }) {
  const badge = n && <b />;
  return <p>{badge}</p>;
}
const B = ({ n }: { n: number }) => n && <b />;
",
            expect![[r#"
                2:17 note: React renders `0` if `n` is 0 [assist: use a ternary with `null`] (not proved: the value is stored in a variable first)
                5:37 note: React renders `0` if `n` is 0 [assist: use a ternary with `null`] (not proved: callers of the component may inspect its return value)
                --- assist
                function A({ n }: { n: number }) {
                  const badge = n ? <b /> : null;
                  return <p>{badge}</p>;
                }
                const B = ({ n }: { n: number }) => n ? <b /> : null;

            "#]],
        );
        // A value that is used for more than to be shown.
        Setup::new().silent(
            &RULE,
            "function A({ n }: { n: number }) { const b = n && <b />; return <p>{b}{b === 0 ? 1 : 2}</p>; }",
        );
    }

    #[test]
    fn ru1_rendering_conditional_render_in_components_that_look_at_their_children() {
        let text = "import { Field } from './ui';
export const A = ({ n }: { n: number }) => <Field>{n && <b />}</Field>;";
        let found = |field: &str| {
            let setup = Setup::new().file("src/ui.ts", "export * from './field';");
            setup.file("src/field.tsx", field).findings(&RULE, text).len()
        };
        for field in [
            "export const Field = ({ children }) => <p>{children ? <b>{children}</b> : 'Not set'}</p>;",
            "export function Field(props) { return <p>{props.children || 'Not set'}</p>; }",
            "export const Field = forwardRef(({ children }, ref) => <p ref={ref}>{Children.map(children, wrap)}</p>);",
            // In a component below.
            "export const Field = ({ children }) => <Text>{children}</Text>;\nconst Text = ({ children }) => children && <p>{children}</p>;",
        ] {
            assert_eq!(found(field), 0, "{field}");
        }
        for field in [
            "export const Field = ({ children }) => <p>{children}</p>;",
            "export const Field = (props) => <p {...props} />;",
            "export const Field = ({ children }) => <p>{children}</p>;\nexport const Other = ({ children }) => children || 1;",
            "export const Field = ({ children }) => <Field><p>{children}</p></Field>;",
        ] {
            assert_eq!(found(field), 1, "{field}");
        }
        // Nothing is known of a package's component.
        assert_eq!(Setup::new().findings(&RULE, &text.replace("./ui", "ui")).len(), 1);
    }

    #[test]
    fn ru1_rendering_conditional_render_names_it_in_one_line() {
        Setup::new().check(
            &RULE,
            "const A = ({ name, n, most }: { name: string; n: number; most: number }) => (
  <b>
    {(name ||
      n ||
      most) && <i />}
    {Math.floor(most / n - most * most + n) && <i />}
  </b>
);",
            expect![[r#"
                3:6 note: React renders `0` if `name || n || most` is 0 [auto: use a ternary with `null`]
                6:6 note: React renders `0` if `Math.floor(most / n - most * mos…` is 0 [auto: use a ternary with `null`]
                --- auto
                const A = ({ name, n, most }: { name: string; n: number; most: number }) => (
                  <b>
                    {(name ||
                      n ||
                      most) ? <i /> : null}
                    {Math.floor(most / n - most * most + n) ? <i /> : null}
                  </b>
                );
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_conditional_render_keeps_style() {
        Setup::new().fixes(
            &RULE,
            "const A = ({ n }: { n: number }) => (\r\n  <b>\r\n    {(n) && ( // why\r\n      <i/>\r\n    )}\r\n  </b>\r\n)\r\n",
            "const A = ({ n }: { n: number }) => (\r\n  <b>\r\n    {(n) ? ( // why\r\n      <i/>\r\n    ) : null}\r\n  </b>\r\n)\r\n",
        );
    }

    #[test]
    fn ru1_rendering_conditional_render_leaves_what_is_no_number() {
        let setup = Setup::new();
        let props = "{ n, on, s, kind, step, size, teamId }: { teamId: number; n: number; on: boolean; s: string; kind: Kind; step: 1 | 2; size?: 'sm' | 'lg' }";
        // Boolean by type or by syntax; a text; a number that is never zero; a type that is not known.
        for left in [
            "!!n",
            "n > 0",
            "on",
            "s",
            "Boolean(n)",
            "unknown",
            "!n",
            "kind",
            "step",
            "size",
            "s.length > 0",
            "on && !!n",
            "props.size",
            "file?.size",
            "FIVE",
            "teamId",
            "(s.length || on)",
            "(n || unknown)",
        ] {
            setup.silent(
                &RULE,
                &format!(
                    "enum Kind {{ A = 'a' }}\nconst FIVE = 5;\nconst A = ({props}) => <b>{{{left} && <i/>}}</b>;"
                ),
            );
        }
        // A function that says `null` for none.
        let days = |returns: &str| {
            let text = "const daysLeft = (at: string): TYPE => at ? Date.parse(at) : 1;\nconst A = ({ at, on }) => { const days = on ? daysLeft(at) : null; return <b>{days && <i />}</b>; };";
            setup.findings(&RULE, &text.replace("TYPE", returns)).len()
        };
        assert_eq!((days("number"), days("number | null")), (1, 0));
        for text in [
            // An attribute: `0` is a value there.
            "<b title={n && 'x'}/>",
            "<Row icon={n && <i/>}/>",
            "<Row render={() => n && <i/>}/>",
            // Nothing that is shown.
            "<b>{n && (() => <i/>)}</b>",
            "<b>{n || <i/>}</b>",
            "<b>{n ? <i/> : null}</b>",
        ] {
            setup.silent(&RULE, &format!("const A = ({{ n }}: {{ n: number }}) => {text};"));
        }
    }
}

//! Two arrays are turned into text, or compared element by element, without a look at their lengths.

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, CallExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;
use rb_core::Edit;
use rb_ecma::{Func, Module, Types};

use super::hot::{heat, name_of, where_hot};
use super::shapes::{callback, method_call, only_argument, parameter};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-length-check-first",
    title: "Arrays are compared at length before their lengths are",
    category: Category::JavaScript,
    impact: Impact::MediumHigh,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "Two arrays are compared through `JSON.stringify` or `sort().join()`, or element by element with \
               `every`, and nothing compares their lengths first.",
        why: "Both are traversed completely even if one extra element shows that they differ. With `every`, a longer \
              second array also counts as equal.",
        wrong: "const Save = ({ before, after }: { before: string[]; after: string[] }) => (
  <button disabled={JSON.stringify(before) === JSON.stringify(after)}>Save</button>
);",
        right: "const Save = ({ before, after }: { before: string[]; after: string[] }) => (
  <button disabled={before.length === after.length && JSON.stringify(before) === JSON.stringify(after)}>Save</button>
);",
        safe: "A draft, and only for `JSON.stringify` of two values that are arrays by type: there, arrays of \
               different lengths never give the same text. `['a,b']` and `['a', 'b']` joined do.",
        leave: "Only the beginning of the second array is compared, on purpose; or the arrays are short.",
        given: &[],
    },
    wants: &["JSON", "join", "every"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for node in module.nodes().iter() {
        let AstKind::BinaryExpression(it) = node.kind() else { continue };
        if !is_equality(it.operator) {
            continue;
        }
        let Some((left, right, how)) = texts(module, it) else { continue };
        if is_length_known(module, node.id(), it.span, &[left, right]) {
            continue;
        }
        let hit = compared_texts(cx, it, left, right, how);
        let hit =
            if is_hot(module, node.id()) { Some(hit) } else { where_hot(module, node.id(), hit) };
        if let Some(hit) = hit {
            cx.report(hit);
        }
    }
    for call in module.calls() {
        let Some((list, other)) = every(module, call) else { continue };
        let node = call.node_id.get();
        if is_hot(module, node)
            && !is_length_known(module, node, call.span, &[list, other])
            && !is_about_beginnings(module, node)
        {
            let message = format!(
                "`{}` may be longer than `{}` and still compare equal; compare their lengths first",
                module.slice(other.span()),
                module.slice(list.span())
            );
            cx.report(Hit::at(call.span, message).low());
        }
    }
}

fn is_equality(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::StrictEquality | BinaryOperator::StrictInequality)
}

/// How arrays become texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Json,
    Joined,
}

/// The two arrays whose texts are compared.
fn texts<'a>(
    module: &Module<'a>,
    it: &'a BinaryExpression<'a>,
) -> Option<(&'a Expression<'a>, &'a Expression<'a>, How)> {
    if let (Some(left), Some(right)) = (json(module, &it.left), json(module, &it.right)) {
        let both = [left, right].iter().all(|it| module.types(it).is_only(Types::ARRAY));
        return both.then_some((left, right, How::Json));
    }
    let (left, right) = (joined(module, &it.left)?, joined(module, &it.right)?);
    Some((left, right, How::Joined))
}

/// `x` of `JSON.stringify(x)`.
fn json<'a>(module: &Module<'a>, side: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
    let (call, method) = method_call(side)?;
    let is_json = method.name == "stringify" && module.is_global_named(method.object, "JSON");
    is_json.then(|| only_argument(call)).flatten()
}

/// `x` of `x.sort().join()` and of `[...x].sort().join()`.
fn joined<'a>(module: &Module<'a>, side: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
    let (_, join) = method_call(side).filter(|(_, it)| it.name == "join")?;
    let (_, sort) =
        method_call(join.object).filter(|(_, it)| ["sort", "toSorted"].contains(&it.name))?;
    let list = sort.object.get_inner_expression();
    match list {
        Expression::ArrayExpression(it) => match it.elements.as_slice() {
            [oxc_ast::ast::ArrayExpressionElement::SpreadElement(only)]
                if !module.is_collection(&only.argument) =>
            {
                Some(&only.argument)
            }
            _ => None,
        },
        other => match method_call(other) {
            Some((call, slice)) if slice.name == "slice" && call.arguments.is_empty() => {
                Some(slice.object)
            }
            Some(_) => None,
            None => Some(list),
        },
    }
}

/// `list.every((x, i) => x === other[i])`.
fn every<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
) -> Option<(&'a Expression<'a>, &'a Expression<'a>)> {
    let method = super::shapes::method(call).filter(|it| it.name == "every")?;
    only_argument(call)?;
    let func = callback(call)?;
    let (element, index) = (parameter(func, 0)?, parameter(func, 1)?);
    let Expression::BinaryExpression(test) = func.returned()?.get_inner_expression() else {
        return None;
    };
    if test.operator != BinaryOperator::StrictEquality {
        return None;
    }
    let other = |one: &'a Expression<'a>, two: &'a Expression<'a>| {
        let Expression::ComputedMemberExpression(member) = two.get_inner_expression() else {
            return None;
        };
        let fits = module.symbol_of(one) == Some(element)
            && module.symbol_of(&member.expression) == Some(index);
        let is_outer = module.symbol_of(&member.object).is_some();
        (fits && is_outer).then_some(&member.object)
    };
    let other = other(&test.left, &test.right).or_else(|| other(&test.right, &test.left))?;
    Some((method.object, other))
}

/// Rendering, loops, handlers of many events; and what React calls to compare: effects and `memo`.
fn is_hot(module: &Module<'_>, node: NodeId) -> bool {
    heat(module, node).is_some()
        || module.function_around(node).is_some_and(|func| {
            matches!(module.parent(func.node()), AstKind::CallExpression(call)
                if matches!(module.react_call(call), Some("useEffect" | "useLayoutEffect" | "memo")))
        })
}

/// Does the condition, or something before it in the function, speak of the length of one of them?
fn is_length_known(
    module: &Module<'_>,
    node: NodeId,
    span: Span,
    lists: &[&Expression<'_>],
) -> bool {
    let around = module
        .ancestors(node)
        .take_while(|kind| {
            matches!(
                kind,
                AstKind::LogicalExpression(_)
                    | AstKind::UnaryExpression(_)
                    | AstKind::ConditionalExpression(_)
            )
        })
        .last()
        .map_or(span, |it| it.span());
    let start = module.function_around(node).map_or(around.start, |func| func.span().start);
    let before = module.slice(Span::new(start.min(around.start), around.end));
    lists.iter().any(|list| {
        let name = module.slice(list.span());
        before.contains(&format!("{name}.length")) || before.contains(&format!("{name}?.length"))
    })
}

/// `isPrefix`, `startsWith`: what comes behind does not matter.
fn is_about_beginnings(module: &Module<'_>, node: NodeId) -> bool {
    module.ancestors(node).any(|kind| {
        let name = match kind {
            AstKind::VariableDeclarator(it) => {
                it.id.get_binding_identifier().map(|it| it.name.as_str().to_owned())
            }
            other => Func::of(other)
                .and_then(|func| name_of(module, func))
                .map(|it| module.name(it).to_owned()),
        };
        name.is_some_and(|name| {
            let name = name.to_lowercase();
            [
                "prefix",
                "start",
                "begin",
                "path",
                "ancestor",
                "descendant",
                "parent",
                "child",
                "under",
            ]
            .iter()
            .any(|part| name.contains(part))
        })
    })
}

fn compared_texts<'a>(
    cx: &Cx<'_, 'a>,
    it: &'a BinaryExpression<'a>,
    left: &'a Expression<'a>,
    right: &'a Expression<'a>,
    how: How,
) -> Hit {
    let module = cx.module;
    let (one, two) = (module.slice(left.span()), module.slice(right.span()));
    let message = format!(
        "`{one}` and `{two}` are converted to strings to compare them; compare their lengths first"
    );
    let hit = Hit::at(it.span, message);
    let is_simple = |it: &'a Expression<'a>| super::shapes::chain(it).is_some();
    if how == How::Joined || !is_simple(left) || !is_simple(right) || module.has_comment(it.span) {
        return hit;
    }
    let (compare, join) = match it.operator {
        BinaryOperator::StrictEquality => ("===", "&&"),
        _ => ("!==", "||"),
    };
    let lengths = format!("{one}.length {compare} {two}.length {join} ");
    let node = it.node_id.get();
    // The new operator must not take in what stands beside the comparison.
    let is_mixed = match module.parent(node) {
        AstKind::LogicalExpression(outer) => outer.operator.as_str() != join,
        AstKind::ConditionalExpression(outer) => !outer.test.span().contains_inclusive(it.span),
        AstKind::UnaryExpression(_) | AstKind::BinaryExpression(_) => true,
        _ => false,
    };
    let edits = if is_mixed && !is_in_parentheses(module, it.span) {
        vec![Edit::insert(it.span.start, format!("({lengths}")), Edit::insert(it.span.end, ")")]
    } else {
        vec![Edit::insert(it.span.start, lengths)]
    };
    hit.assist("compare the lengths first", edits)
}

fn is_in_parentheses(module: &Module<'_>, span: Span) -> bool {
    let text = module.text();
    text[..span.start as usize].trim_end().ends_with('(')
        && text[span.end as usize..].trim_start().starts_with(')')
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_length_check_first_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_length_check_first_finds() {
        Setup::new().check(
            &RULE,
            "import { useEffect } from 'react';
export function A({ a, b, on }: { a: string[]; b: number[]; on: boolean }) {
  const same = JSON.stringify(a) === JSON.stringify(b);
  const other = on && !(JSON.stringify(a) !== JSON.stringify(b));
  const mixed = on || JSON.stringify(a) === JSON.stringify(b);
  useEffect(() => {
    if ([...a].sort().join(',') !== [...b].sort().join(',')) go();
  }, [a, b]);
  return <b>{a.every((x, i) => x === b[i])}</b>;
}
",
            expect![[r#"
                3:16 warning: `a` and `b` are converted to strings to compare them; compare their lengths first [assist: compare the lengths first]
                4:25 warning: `a` and `b` are converted to strings to compare them; compare their lengths first [assist: compare the lengths first]
                5:23 warning: `a` and `b` are converted to strings to compare them; compare their lengths first [assist: compare the lengths first]
                7:9 warning: `a` and `b` are converted to strings to compare them; compare their lengths first
                9:14 note: `b` may be longer than `a` and still compare equal; compare their lengths first
                --- assist
                import { useEffect } from 'react';
                export function A({ a, b, on }: { a: string[]; b: number[]; on: boolean }) {
                  const same = a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
                  const other = on && !(a.length !== b.length || JSON.stringify(a) !== JSON.stringify(b));
                  const mixed = on || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b));
                  useEffect(() => {
                    if ([...a].sort().join(',') !== [...b].sort().join(',')) go();
                  }, [a, b]);
                  return <b>{a.every((x, i) => x === b[i])}</b>;
                }

            "#]],
        );
    }

    #[test]
    fn ru1_js_length_check_first_silent() {
        let setup = Setup::new();
        for body in [
            // Objects rather than arrays, or nobody knows.
            "return <b>{JSON.stringify(o) === JSON.stringify(p)}</b>;",
            "return <b>{JSON.stringify(any) === JSON.stringify(a)}</b>;",
            // Compared already, here or before.
            "return <b>{a.length === b.length && JSON.stringify(a) === JSON.stringify(b)}</b>;",
            "if (a.length !== b.length) return null; return <b>{a.every((x, i) => x === b[i])}</b>;",
            "return <b>{a.length === b.length && a.every((x, i) => x === b[i])}</b>;",
            // The beginning, on purpose.
            "const isPrefix = a.every((x, i) => x === b[i]); return <b>{isPrefix}</b>;",
            // Something else.
            "return <b>{a.every((x, i) => x === i)}{a.every((x) => x === b[0])}{a.every((x, i) => x !== b[i])}</b>;",
            "return <b>{JSON.stringify(a) === saved}{isEqual(a, b)}</b>;",
        ] {
            setup.silent(
                &RULE,
                &format!("function A({{ a, b, o, p, any }}: {{ a: string[]; b: string[]; o: {{}}; p: {{}}; any: any }}) {{ {body} }}"),
            );
        }
        // When something is clicked, and in a function of which nothing shows that it runs often.
        let clicked =
            "return <b onClick={() => JSON.stringify(a) === JSON.stringify(b) || go()} />;";
        setup.likely(
            &RULE,
            &format!("function A({{ a, b }}: {{ a: string[]; b: string[] }}) {{ {clicked} }}"),
        );
        setup.likely(&RULE, "export function differ(a: string[], b: string[]) { return a.sort().join() !== b.sort().join(); }");
    }
}

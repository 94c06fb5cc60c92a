//! `useMemo` around an expression that is cheaper than the memo.
//! Memos that call, build or read what is outside of React are left alone.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Types};

use super::hooks::{Hook, brief, hooks, is_declared_in, is_steady, path_of};
use super::imports::settle;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-simple-expression-in-memo",
    title: "`useMemo` around a simple expression costs more than it saves",
    category: Category::Rerender,
    impact: Impact::LowMedium,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "The function of a `useMemo` only reads names and members and combines them with operators. It calls \
               nothing and creates no object.",
        why: "Calling the hook, building the dependency list and comparing it takes longer than the expression.",
        wrong: "import { useMemo } from 'react';\nconst Bar = ({ a, b }) => {\n  const busy = useMemo(() => a || b, [a, b]);\n  return <i hidden={busy} />;\n};",
        right: "const Bar = ({ a, b }) => {\n  const busy = a || b;\n  return <i hidden={busy} />;\n};",
        safe: "Fixed automatically if the dependency list contains everything the expression reads, so the memo \
               never held an old value, and nothing it reads can change outside of React. An object that is read \
               passes through unchanged.",
        leave: "The list omits something on purpose, to keep an old value; or React Compiler is on, which decides by \
                itself.",
        given: &[],
    },
    wants: &["useMemo"],
    applies: |facts| facts.package.uses_react && !facts.package.compiler,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let found: Vec<(Hook<'_>, &Expression<'_>)> = hooks(module, &["useMemo"])
        .into_iter()
        .filter_map(|hook| simple(cx, &hook).map(|value| (hook, value)))
        .collect();
    let all: Vec<Span> = found.iter().map(|(hook, _)| hook.call.span).collect();
    for (hook, value) in found {
        let shown = brief(module, value.span());
        let message = format!("`{shown}` is cheaper than `useMemo`; compute it directly");
        let hit = Hit::at(hook.call.span, message);
        let doubt = doubt(cx, &hook, value);
        cx.report(match edits(cx, &hook, value, &all) {
            Some(edits) => hit.auto_unless(doubt, "compute it directly", edits),
            None => hit,
        });
    }
}

/// The expression, where it is all that the memo computes and is made of reads and operators.
fn simple<'a>(cx: &Cx<'_, 'a>, hook: &Hook<'a>) -> Option<&'a Expression<'a>> {
    let module = cx.module;
    let func = hook.func;
    let params = func.params();
    if !params.items.is_empty() || params.rest.is_some() || func.is_async() || func.is_generator() {
        return None;
    }
    let value = func.returned()?;
    let span = value.span();
    let reads_globals = module.identifiers_in(span).iter().any(|it| {
        module.is_global(it) && !["undefined", "NaN", "Infinity"].contains(&it.name.as_str())
    });
    (!reads_globals && module.is_pure0(value)).then_some(value)
}

fn doubt<'a>(cx: &Cx<'_, 'a>, hook: &Hook<'a>, value: &'a Expression<'a>) -> Option<String> {
    let module = cx.module;
    let Some(deps) = hook.dep_list() else {
        return Some("the dependency array is not written inline".to_owned());
    };
    if module.has_comment(hook.call.span) {
        return Some("a comment would be lost".to_owned());
    }
    if hook.func.return_type().is_some() {
        return Some("the function has a return type annotation".to_owned());
    }
    let is_this =
        matches!(hook.func, Func::Function(_)) && module.slice(value.span()).contains("this");
    if is_this {
        return Some("it reads `this`".to_owned());
    }
    let deps: Vec<&str> = deps.iter().map(|dep| module.slice(dep.span())).collect();
    module.captures(value.span()).into_iter().find_map(|symbol| {
        let name = module.name(symbol).to_owned();
        if !is_declared_in(module, symbol, hook.owner.span()) {
            return (!is_fixed_value(cx, symbol))
                .then(|| format!("`{name}` may change outside of render"));
        }
        if reads_current(cx, symbol, value.span()) {
            return Some(format!("`{name}.current` may change outside of render"));
        }
        let is_held = !is_steady(module, symbol) && !is_listed(cx, symbol, value.span(), &deps);
        is_held.then(|| format!("`{name}` is not a dependency, so a stale value may be intended"))
    })
}

/// A constant of the file that is no object.
fn is_fixed_value(cx: &Cx<'_, '_>, symbol: SymbolId) -> bool {
    let module = cx.module;
    module.is_const(symbol)
        && module.types_of_symbol(symbol).is_only(Types::PRIMITIVE | Types::NULLISH)
}

fn reads_current(cx: &Cx<'_, '_>, symbol: SymbolId, span: Span) -> bool {
    let module = cx.module;
    let mut uses =
        module.uses(symbol).filter(|it| span.start <= it.span.start && it.span.end <= span.end);
    uses.any(|it| path_of(module, &it).names.contains(&"current"))
}

/// Is the name a dependency, or each path that is read of it?
fn is_listed(cx: &Cx<'_, '_>, symbol: SymbolId, span: Span, deps: &[&str]) -> bool {
    let module = cx.module;
    if deps.contains(&module.name(symbol)) {
        return true;
    }
    let inside = |at: Span| span.start <= at.start && at.end <= span.end;
    module.value_uses(symbol).filter(|it| inside(it.span)).all(|it| {
        let path = path_of(module, &it);
        let mut text = it.identifier.name.to_string();
        let mut plain = vec![text.clone()];
        for name in &path.names {
            text = format!("{text}.{name}");
            plain.push(text.clone());
        }
        deps.iter().any(|dep| plain.contains(&dep.replace("?.", ".")))
    })
}

fn edits<'a>(
    cx: &Cx<'_, 'a>,
    hook: &Hook<'a>,
    value: &Expression<'a>,
    all: &[Span],
) -> Option<Vec<Edit>> {
    let module = cx.module;
    let span = hook.call.span;
    let mut edits = Vec::new();
    let text = match module.parent(hook.call.node_id.get()) {
        AstKind::VariableDeclarator(it) => {
            if let Some(types) = &hook.call.type_arguments {
                if it.type_annotation.is_none() && it.id.get_binding_identifier().is_some() {
                    let written = module.slice(types.params.first()?.span());
                    edits.push(Edit::insert(it.id.span().end, format!(": {written}")));
                } else if it.type_annotation.is_none() {
                    return None;
                }
            }
            module.code(value)
        }
        _ if hook.call.type_arguments.is_some() => return None,
        AstKind::ReturnStatement(_)
        | AstKind::ObjectProperty(_)
        | AstKind::JSXExpressionContainer(_) => module.code(value),
        _ => module.operand_code(value),
    };
    edits.push(Edit::replace(span.start, span.end, drawn_back(module, value.span(), span, &text)));
    let symbol = module.symbol_of(&hook.call.callee);
    edits.extend(settle(module, symbol.as_slice(), &[span], all)?);
    Some(edits)
}

/// The lines of an expression, moved to the left: one step deeper than the line that it goes to.
fn drawn_back(module: &Module<'_>, value: Span, to: Span, text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let rest = || text.split_inclusive('\n').skip(1).filter(|line| !line.trim().is_empty());
    let Some(outermost) = rest().min_by_key(|line| indent(line)) else { return text.to_owned() };
    if has_long_template(module, value) {
        return text.to_owned();
    }
    let closes = outermost.trim_start().starts_with([')', ']', '}']);
    let step = if closes { 0 } else { module.style().indent.len() };
    let aim = module.indent_at(to.start).len() + step;
    let excess = indent(outermost).saturating_sub(aim);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |out, line| out + line.get(excess.min(indent(line))..).unwrap_or(line))
}

/// Does a template of several lines stand in it? Its white space is part of the value.
fn has_long_template(module: &Module<'_>, span: Span) -> bool {
    module.nodes().iter().any(|it| match it.kind() {
        AstKind::TemplateLiteral(it) => {
            span.start <= it.span.start
                && it.span.end <= span.end
                && module.slice(it.span).contains('\n')
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_simple_expression_in_memo_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_simple_expression_in_memo_is_fixed() {
        Setup::new().check(
            &RULE,
            "import React, { useMemo as memoize, useState } from 'react'

export function useBusy(a: { on: boolean }, b: boolean) {
  const [n, setN] = useState(0)
  const one = memoize(() => a.on || b, [a.on, b])
  const two = memoize<boolean>(function () { return n > 1 }, [n])
  const three = React.useMemo(() => `${n}${one}`, [n, one])
  const whole = memoize(() => a?.on, [a])
  return memoize(() => (n ? one : two), [n, one, two])
}",
            expect![[r#"
                5:15 note: `a.on || b` is cheaper than `useMemo`; compute it directly [auto: compute it directly]
                6:15 note: `n > 1` is cheaper than `useMemo`; compute it directly [auto: compute it directly]
                7:17 note: ``${n}${one}`` is cheaper than `useMemo`; compute it directly [auto: compute it directly]
                8:17 note: `a?.on` is cheaper than `useMemo`; compute it directly [auto: compute it directly]
                9:10 note: `n ? one : two` is cheaper than `useMemo`; compute it directly [auto: compute it directly]
                --- auto
                import React, { useState } from 'react'

                export function useBusy(a: { on: boolean }, b: boolean) {
                  const [n, setN] = useState(0)
                  const one = a.on || b
                  const two: boolean = n > 1
                  const three = `${n}${one}`
                  const whole = a?.on
                  return n ? one : two
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_simple_expression_in_memo_takes_the_import_along() {
        Setup::new().fixes(
            &RULE,
            "import { memo, useMemo } from 'react';\nconst LIMIT = 3;\nexport const A = memo(({ n }: { n: number }) => {\n  const big = useMemo(() => n > LIMIT, [n]);\n  const odd = useMemo(() => n % 2, [n]);\n  return <b hidden={big}>{odd}</b>;\n});",
            "import { memo } from 'react';\nconst LIMIT = 3;\nexport const A = memo(({ n }: { n: number }) => {\n  const big = n > LIMIT;\n  const odd = n % 2;\n  return <b hidden={big}>{odd}</b>;\n});",
        );
    }

    #[test]
    fn ru1_rerender_simple_expression_in_memo_moves_lines_back() {
        Setup::new().fixes(
            &RULE,
            "import * as React from 'react'
function A({ a, b, c }) {
  const x = React.useMemo(() => {
    return a !== 'dark'
      ? `${b}`
      : c
  }, [a, b, c])
  const y = React.useMemo(() => {
    return `${a}
      ${b}`
  }, [a, b])
  const z = React.useMemo(
    () =>
      a ||
      (b && c),
    [a, b, c],
  )
  const all = React.useMemo(
    () => !(
      a || b
    ),
    [a, b],
  )
  return <b title={y} hidden={all}>{x}{z}</b>
}",
            "import * as React from 'react'
function A({ a, b, c }) {
  const x = a !== 'dark'
    ? `${b}`
    : c
  const y = `${a}
      ${b}`
  const z = a ||
    (b && c)
  const all = !(
    a || b
  )
  return <b title={y} hidden={all}>{x}{z}</b>
}",
        );
    }

    #[test]
    fn ru1_rerender_simple_expression_in_memo_leaves_work() {
        let setup = Setup::new();
        for memo in [
            "useMemo(() => sum(a), [a])",
            "useMemo(() => ({ a }), [a])",
            "useMemo(() => [a, b], [a, b])",
            "useMemo(() => <i/>, [])",
            "useMemo(() => () => a, [a])",
            "useMemo(() => { log(); return a; }, [a])",
            "useMemo(async () => a, [a])",
            // Frozen on purpose: what is read belongs to the browser.
            "useMemo(() => window.innerWidth < 700, [])",
        ] {
            setup.silent(
                &RULE,
                &format!("import {{ useMemo }} from 'react';\nfunction A({{ a, b }}) {{ const x = {memo}; return <b>{{x}}</b>; }}"),
            );
        }
        // Not the hook of React.
        setup.silent(&RULE, "import { useMemo } from 'preact/hooks';\nfunction A({ a, b }) { const x = useMemo(() => a || b, [a, b]); return <b>{x}</b>; }");
        // React Compiler is on.
        setup.clone().compiler().silent(&RULE, RULE.doc.wrong);
        // Objects that do something when they are read.
        setup.silent(&RULE, "import { useMemo } from 'react';\nimport { observer } from 'mobx-react-lite';\nconst A = observer(({ a }) => { const x = useMemo(() => a.b, [a]); return <b>{x}</b>; });");
    }

    #[test]
    fn ru1_rerender_simple_expression_in_memo_needs_a_proof() {
        let setup = Setup::new();
        for memo in [
            // A dependency is missing: the value is frozen.
            "useMemo(() => a || b, [a])",
            "useMemo(() => a.x || b, [a.y, b])",
            "useMemo(() => a || b)",
            "useMemo(() => a || b, deps)",
            // A ref and a variable of the module change without a render.
            "useMemo(() => ref.current === a, [a])",
            "useMemo(() => a > limit, [a])",
            "useMemo(() => a > settings.limit, [a])",
            "useMemo(() => a /* or so */ || b, [a, b])",
        ] {
            setup.no_auto(
                &RULE,
                &format!("import {{ useMemo, useRef }} from 'react';\nimport {{ settings }} from './settings';\nlet limit = 1;\nfunction A({{ a, b }}) {{ const ref = useRef(null); const x = {memo}; limit++; return <b>{{x}}</b>; }}"),
            );
        }
    }
}

//! A loop goes on, or a list is filtered, when the answer is known already.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, CallExpression, Expression, ExpressionStatement, ForOfStatement, IfStatement,
    Statement,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use rb_ecma::{Func, Module};

use super::hot::heat;
use super::quiet::is_quiet;
use super::shapes::{callback, is_declared_outside, method, number, only_argument};
use super::size::is_small;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-early-exit",
    title: "A loop goes on when the answer is known",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A loop only sets a flag to a constant under a condition, and continues afterwards; or a list is \
               filtered in hot code only to see whether anything is left, or to take the first.",
        why: "Elements after the first match are examined for nothing.",
        wrong: "export function isComplete(users: User[]) {
  let complete = true;
  for (const user of users) {
    if (!user.mail) complete = false;
  }
  return complete;
}",
        right: "export function isComplete(users: User[]) {
  return users.every((user) => user.mail);
}",
        safe: "No fix is offered: `some`, `every` and `find` express it best, and where they fit depends on the code \
               around it.",
        leave: "The list is short; or the last match is what counts, as with messages that replace each other.",
        given: &[],
    },
    wants: &["for", "filter"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for node in module.nodes().iter() {
        let flag = match node.kind() {
            AstKind::ForOfStatement(it) if !it.r#await && !is_small(module, &it.right) => {
                flag(module, std::slice::from_ref(&it.body), it.span)
            }
            AstKind::ForStatement(it) => flag(module, std::slice::from_ref(&it.body), it.span),
            AstKind::CallExpression(call) => for_each(module, call),
            _ => None,
        };
        if flag.is_none()
            && let AstKind::ForOfStatement(it) = node.kind()
            && !it.r#await
            && !is_small(module, &it.right)
            && let Some((flag, span)) = settled(module, it)
        {
            let message = format!(
                "`{}` is known here, but the loop continues; return early",
                module.name(flag)
            );
            cx.report(Hit::at(span, message).likely("the last match may be the relevant one"));
        }
        if let Some((flag, span)) = flag
            && module.function_around(node.id()).is_some()
        {
            let name = module.name(flag);
            let message = format!(
                "`{name}` is known here, but the loop continues; break, or use `some` or `every`"
            );
            cx.report(Hit::at(span, message).low());
        }
    }
    for call in module.calls() {
        let Some((wanted, span)) = filtered(module, call) else { continue };
        let heat = heat(module, call.node_id.get());
        if let Some(heat) = heat {
            let list = method(call).map_or("", |it| module.slice(it.object.span()));
            let list = if list.len() > 40 || list.contains('\n') { "the list" } else { list };
            let message = match wanted {
                FilterUse::Any if is_repeated(module, call) => format!(
                    "`{list}` is filtered twice {} by the same test; filter it once and reuse the result",
                    heat.often()
                ),
                FilterUse::Any => format!(
                    "`{list}` is filtered {} only to see if anything matches; use `some`",
                    heat.often()
                ),
                FilterUse::First => format!(
                    "`{list}` is filtered {} only to take the first match; use `find`",
                    heat.often()
                ),
            };
            cx.report(Hit::at(span, message));
        }
    }
}

/// The flag that is all a loop sets, and where.
fn flag<'a>(
    module: &Module<'a>,
    body: &'a [Statement<'a>],
    whole: Span,
) -> Option<(SymbolId, Span)> {
    match body {
        [Statement::BlockStatement(block)] => flag(module, &block.body, whole),
        // `const u = us[i];`
        [Statement::VariableDeclaration(it), rest @ ..]
            if rest.len() == 1
                && it.declarations.iter().all(|it| {
                    matches!(
                        it.init,
                        Some(Expression::ComputedMemberExpression(_) | Expression::Identifier(_))
                    )
                }) =>
        {
            flag(module, rest, whole)
        }
        [Statement::IfStatement(it)] => {
            let set = assigned(module, it)?;
            let reads = module
                .value_uses(set.0)
                .any(|used| whole.contains_inclusive(used.span) && !used.is_write());
            let is_outer = is_declared_outside(module, set.0, whole);
            (is_outer && !reads && module.is_pure0(&it.test)).then_some(set)
        }
        _ => None,
    }
}

/// The flag of a loop that does nothing but test, and set the flag and what is told of it: `if (…) { bad = true; why = "…"; }`.
fn settled<'a>(module: &Module<'a>, it: &'a ForOfStatement<'a>) -> Option<(SymbolId, Span)> {
    let Statement::BlockStatement(body) = &it.body else { return None };
    let mut flag = None;
    for statement in &body.body {
        let Statement::IfStatement(test) = statement else { return None };
        let Statement::BlockStatement(then) = &test.consequent else { return None };
        if test.alternate.is_some() || !module.is_pure0(&test.test) {
            return None;
        }
        for set in &then.body {
            let (symbol, span, is_flag) = literal(module, set)?;
            let mut reads = module.value_uses(symbol).filter(|it| !it.is_write());
            let is_read = reads.any(|used| it.span.contains_inclusive(used.span));
            if is_read || !is_declared_outside(module, symbol, it.span) {
                return None;
            }
            flag = flag.or(is_flag.then_some((symbol, span)));
        }
    }
    flag
}

/// `name = "literal";`, and whether it is a flag.
fn literal<'a>(
    module: &Module<'a>,
    statement: &'a Statement<'a>,
) -> Option<(SymbolId, Span, bool)> {
    let Statement::ExpressionStatement(only) = statement else { return None };
    let Expression::AssignmentExpression(set) = &only.expression else { return None };
    let AssignmentTarget::AssignmentTargetIdentifier(name) = &set.left else { return None };
    let is_flag = matches!(set.right, Expression::BooleanLiteral(_));
    let is_literal = is_flag || matches!(set.right, Expression::StringLiteral(_));
    let symbol = module.symbol(name)?;
    (set.operator.is_assign() && is_literal).then_some((symbol, set.span, is_flag))
}

/// `if (…) flag = true;` and nothing else.
fn assigned<'a>(module: &Module<'a>, it: &'a IfStatement<'a>) -> Option<(SymbolId, Span)> {
    if it.alternate.is_some() {
        return None;
    }
    let only: &ExpressionStatement<'a> = match &it.consequent {
        Statement::ExpressionStatement(only) => only,
        Statement::BlockStatement(block) => match block.body.as_slice() {
            [Statement::ExpressionStatement(only)] => only,
            _ => return None,
        },
        _ => return None,
    };
    let Expression::AssignmentExpression(set) = &only.expression else { return None };
    let AssignmentTarget::AssignmentTargetIdentifier(name) = &set.left else { return None };
    // A text may be a message: then it is the last one that counts.
    let is_flag = set.operator.is_assign() && matches!(set.right, Expression::BooleanLiteral(_));
    is_flag.then(|| module.symbol(name)).flatten().map(|symbol| (symbol, set.span))
}

fn for_each<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<(SymbolId, Span)> {
    let method = method(call).filter(|it| it.name == "forEach")?;
    let func = callback(call).filter(|it| !it.is_async())?;
    if is_small(module, method.object) {
        return None;
    }
    flag(module, func.statements(), call.span)
}

enum FilterUse {
    Any,
    First,
}

/// `list.filter(…).length > 0`, `list.filter(…)[0]`.
fn filtered<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<(FilterUse, Span)> {
    let method = method(call).filter(|it| it.name == "filter")?;
    only_argument(call)?;
    if !is_quiet(callback(call)?) || is_small(module, method.object) {
        return None;
    }
    let mut around = module.ancestors(call.node_id.get());
    match around.next()? {
        AstKind::ComputedMemberExpression(it) if it.object.span() == call.span => {
            let is_first = number(&it.expression).is_some_and(|at| at == 0.0);
            is_first.then_some((FilterUse::First, it.span))
        }
        AstKind::StaticMemberExpression(it) if it.property.name == "length" => {
            is_asked(module, it.node_id.get(), it.span).then_some((FilterUse::Any, it.span))
        }
        _ => None,
    }
}

/// Is the same list filtered by the same words elsewhere in the function, to be used?
fn is_repeated<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> bool {
    let words = |it: &CallExpression<'a>| -> String {
        module.slice(it.span).chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
    };
    let function = |it: &CallExpression<'a>| module.function_around(it.node_id.get());
    let (own, around) = (words(call), function(call).map(Func::span));
    module.calls().iter().any(|it| {
        it.span != call.span
            && method(it).is_some_and(|it| it.name == "filter")
            && function(it).map(Func::span) == around
            && filtered(module, it).is_none()
            && words(it) == own
    })
}

/// Is the number only compared with nothing?
fn is_asked(module: &Module<'_>, node: NodeId, span: Span) -> bool {
    let mut around = module.ancestors(node);
    match around.next() {
        Some(AstKind::BinaryExpression(it)) if it.left.span() == span => {
            let bound = number(&it.right);
            let zero = bound.is_some_and(|it| it == 0.0);
            let one = bound.is_some_and(|it| it.to_bits() == 1.0_f64.to_bits());
            match it.operator {
                BinaryOperator::GreaterThan
                | BinaryOperator::StrictEquality
                | BinaryOperator::StrictInequality
                | BinaryOperator::Equality
                | BinaryOperator::Inequality => zero,
                BinaryOperator::GreaterEqualThan | BinaryOperator::LessThan => one,
                _ => false,
            }
        }
        Some(AstKind::UnaryExpression(it)) => it.operator == UnaryOperator::LogicalNot,
        Some(AstKind::IfStatement(it)) => it.test.span() == span,
        Some(AstKind::ConditionalExpression(it)) => it.test.span() == span,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_early_exit_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_early_exit_finds() {
        Setup::new().check(
            &RULE,
            "function f(us) {
  let bad = false, worse = false, worst = false;
  for (let i = 0; i < us.length; i++) { const u = us[i]; if (u.off) { bad = true; } }
  for (const u of us) if (!u.mail) worse = true;
  us.forEach((u) => { if (u.gone) worst = true; });
  return bad || worse || worst;
}
const A = ({ us, id }) => (
  <p>
    {us.filter((u) => u.on).length > 0 && <b/>}
    {!us.filter((u) => u.tags.includes(id)).length ? <i/> : us.filter(function (u) { return u.id === id; })[0].name}
  </p>
);
",
            expect![[r#"
                3:71 note: `bad` is known here, but the loop continues; break, or use `some` or `every`
                4:36 note: `worse` is known here, but the loop continues; break, or use `some` or `every`
                5:35 note: `worst` is known here, but the loop continues; break, or use `some` or `every`
                10:6 note: `us` is filtered on every render only to see if anything matches; use `some`
                11:7 note: `us` is filtered on every render only to see if anything matches; use `some`
                11:61 note: `us` is filtered on every render only to take the first match; use `find`
            "#]],
        );
    }

    #[test]
    fn ru1_js_early_exit_of_what_is_filtered_again() {
        Setup::new().check(
            &RULE,
            "const A = ({ us, vs }) => (
  <p>
    {us.filter((u) => u.on).length > 0 && <b>{us
      .filter(
        (u) => u.on,
      )
      .map((u) => u.name)}</b>}
    {vs.filter((u) => u.on).length > 0 ? <b /> : vs.filter((u) => u.on).length === 0 && <i />}
  </p>
);
",
            expect![[r#"
                3:6 note: `us` is filtered twice on every render by the same test; filter it once and reuse the result
                8:6 note: `vs` is filtered on every render only to see if anything matches; use `some`
                8:50 note: `vs` is filtered on every render only to see if anything matches; use `some`
            "#]],
        );
    }

    #[test]
    fn ru1_js_early_exit_silent() {
        let setup = Setup::new();
        for body in [
            // It is left already.
            "for (const u of us) { if (!u.mail) { bad = true; break; } }",
            // The last message wins; a counter; what was found.
            "for (const u of us) { if (!u.mail) bad = 'No mail'; }",
            "for (const u of us) { if (!u.mail) bad += 1; }",
            "for (const u of us) { if (!u.mail) bad = u; }",
            // More happens in the loop; the flag is read; the test may do something.
            "for (const u of us) { if (!u.mail) { bad = true; tell(u); } }",
            "for (const u of us) { if (!u.mail) bad = true; else good = true; }",
            "for (const u of us) { if (!bad && !u.mail) bad = true; }",
            "for (const u of us) { if (see(u)) bad = true; }",
            // A handful.
            "for (const u of ['a', 'b']) { if (u === us) bad = true; }",
            // In no hot code.
            "return us.filter((u) => u.on).length > 0;",
        ] {
            setup.silent(&RULE, &format!("function f(us, bad, good) {{ {body} return bad; }}"));
        }
        for body in [
            // The count is wanted, or more than the first; the filter does something.
            "us.filter((u) => u.on).length > 1",
            "us.filter((u) => u.on).length",
            "us.filter((u) => u.on)[1]",
            "us.filter((u) => seen(u)).length > 0",
            "us.filter(Boolean).length > 0",
            "[1, 2].filter((u) => us).length > 0",
        ] {
            setup.silent(&RULE, &format!("const A = ({{ us }}) => <b>{{{body}}}</b>;"));
        }
    }

    #[test]
    fn ru1_js_early_exit_candidates() {
        let text = "function valid(users) {
  let bad = false; let why = '';
  for (const user of users) {
    if (!user.mail) { bad = true; why = 'mail'; }
    if (!user.name) { bad = true; why = 'name'; }
  }
  return bad ? why : null;
}";
        let setup = Setup::new();
        setup.likely(&RULE, text);
        // The loop does more, or looks at what it set.
        setup.silent(&RULE, &text.replace("why = 'mail';", "why = 'mail'; log(user);"));
        setup.silent(&RULE, &text.replace("if (!user.name)", "if (!bad && !user.name)"));
    }
}

//! A deep property is read again and again in a loop that cannot change it.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, is_quiet_method};

use super::hot::{heat, round};
use super::shapes::{is_changed_in, is_declared_outside, member_chain};
use super::size::is_small;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-cache-property-access",
    title: "A deep property is read again and again in a loop",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "The same property, three or more levels deep, is read twice or more in the body of a loop, and \
               nothing in the loop can change it.",
        why: "Each read follows the whole path. Engines make most of that cheap; it matters only in the hottest \
              loops, and a name for the value is easier to read.",
        wrong: "function place(items: Item[], config: Config) {
  for (const item of items) {
    item.x = item.column * config.grid.cell.size;
    item.y = item.row * config.grid.cell.size;
  }
}",
        right: "function place(items: Item[], config: Config) {
  const { size } = config.grid.cell;
  for (const item of items) {
    item.x = item.column * size;
    item.y = item.row * size;
  }
}",
        safe: "No fix is offered: a getter may return another value each time, and a loop without iterations reads \
               nothing.",
        leave: "The loop is not hot. In ordinary code there is no measurable gain.",
        given: &[],
    },
    wants: &["."],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

/// Reads of one chain in one loop.
struct Reads {
    first: Span,
    count: usize,
    root: SymbolId,
    body: Span,
    /// `for (let i = 0; …)`
    is_counted: bool,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    if module.has_watched_objects() {
        return;
    }
    let mut found: BTreeMap<(u32, &str), Reads> = BTreeMap::new();
    for node in module.nodes().iter() {
        let AstKind::StaticMemberExpression(member) = node.kind() else { continue };
        if !is_whole(module, node.id(), member.span) {
            continue;
        }
        let Some(chain) = member_chain(member).filter(|it| it.names.len() >= 3) else { continue };
        let Some(root) = module.symbol(chain.root) else { continue };
        let is_namespace = chain.root.name.starts_with(|c: char| c.is_uppercase());
        if is_namespace || chain.names.contains(&"current") {
            continue;
        }
        let Some(round) = round(module, node.id()) else { continue };
        if !is_declared_outside(module, root, round.span)
            || round.over.is_some_and(|over| is_small(module, over))
            || heat(module, node.id()).is_none()
        {
            continue;
        }
        let reads = found.entry((round.span.start, module.slice(member.span))).or_insert(Reads {
            first: member.span,
            count: 0,
            root,
            body: round.body,
            is_counted: matches!(module.nodes().kind(round.node), AstKind::ForStatement(_)),
        });
        reads.count += 1;
    }
    let mut hits: Vec<(&str, Reads)> = found
        .into_iter()
        .filter(|(_, it)| !is_changed_in(module, it.root, it.body))
        .map(|((_, text), it)| (text, it))
        .collect();
    hits.sort_by_key(|(_, it)| it.first.start);
    for (text, it) in hits {
        let times = if it.count == 1 { String::new() } else { format!("{} times ", it.count) };
        let message = format!(
            "`{text}` is read {times}on every iteration but never changes; read it once before the loop"
        );
        let hit = Hit::at(it.first, message).low();
        match (it.count > 1, is_calm(module, it.body)) {
            (true, true) => cx.report(hit),
            (is_often, false) if is_often || it.is_counted => {
                cx.report(hit.likely("a call in the loop may change it"));
            }
            _ => {}
        }
    }
}

/// Is it the whole chain, read: no more members behind it but the method that is called on it, and not written?
fn is_whole(module: &Module<'_>, node: NodeId, span: Span) -> bool {
    let mut around = module.ancestors(node);
    match around.next() {
        Some(AstKind::StaticMemberExpression(_)) => {
            // `a.b.c.d.push(x)`: the method is no part of what is read.
            matches!(around.next(), Some(AstKind::CallExpression(call))
                if call.callee.span().contains_inclusive(span))
        }
        Some(AstKind::CallExpression(call)) => call.callee.span() != span,
        Some(AstKind::AssignmentExpression(it)) => it.left.span() != span,
        Some(
            AstKind::UpdateExpression(_)
            | AstKind::ChainExpression(_)
            | AstKind::ComputedMemberExpression(_)
            | AstKind::UnaryExpression(_),
        ) => false,
        _ => true,
    }
}

/// Does the loop call nothing that could change what is read?
fn is_calm(module: &Module<'_>, body: Span) -> bool {
    let calls = module.calls();
    let first = calls.partition_point(|it| it.span.start < body.start);
    calls[first..]
        .iter()
        .take_while(|it| it.span.start < body.end)
        .all(|it| is_harmless(module, it))
}

fn is_harmless<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::Identifier(name) => {
            module.is_global(name)
                && ["String", "Number", "Boolean", "parseInt", "parseFloat"]
                    .contains(&name.name.as_str())
        }
        Expression::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            module.is_global_named(&member.object, "Math")
                || is_quiet_method(name)
                || name == "push"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_js_cache_property_access_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_js_cache_property_access_finds() {
        Setup::new().check(
            &RULE,
            "function f(xs, cfg) {
  for (let i = 0; i < xs.length; i++) {
    xs[i].a = cfg.ui.grid.size + Math.max(cfg.ui.grid.size, 2);
  }
  return xs.map((x) => <Row a={x.a * cfg.ui.grid.size} b={cfg.ui.grid.size} c={cfg.ui.grid.gap} />);
}
",
            expect![[r#"
                3:15 note: `cfg.ui.grid.size` is read 2 times on every iteration but never changes; read it once before the loop
                5:38 note: `cfg.ui.grid.size` is read 2 times on every iteration but never changes; read it once before the loop
            "#]],
        );
    }

    #[test]
    fn ru1_js_cache_property_access_silent() {
        let setup = Setup::new();
        for body in [
            // Assigned in the loop.
            "for (const x of xs) { x.a = cfg.ui.grid.size; cfg.ui.grid.size = x.b + cfg.ui.grid.size; }",
            "for (const x of xs) { x.a = cfg.ui.grid.size + cfg.ui.grid.size; cfg = x; }",
            // Of the element itself; once; not deep; not in a loop.
            "for (const x of xs) { x.a = x.ui.grid.size + x.ui.grid.size; }",
            "for (const x of xs) { x.a = cfg.ui.grid.size; }",
            "for (const x of xs) { x.a = cfg.ui.grid + cfg.ui.grid; }",
            "return cfg.ui.grid.size + cfg.ui.grid.size;",
            // A constant of a namespace, a ref.
            "for (const x of xs) { x.a = Sizes.ui.grid.size + Sizes.ui.grid.size; }",
            "for (const x of xs) { x.a = cfg.ref.current.size + cfg.ref.current.size; }",
            // Each in its own function, that runs later.
            "for (const x of xs) { x.a = () => cfg.ui.grid.size; x.b = () => cfg.ui.grid.size; }",
        ] {
            setup.silent(&RULE, &format!("function f(xs, cfg, Sizes) {{ {body} }}"));
        }
        // A call may change the object.
        for body in [
            "for (const x of xs) { use(cfg.ui.grid.size, x); go(cfg.ui.grid.size); }",
            "for (let i = 0; i < xs.length; i++) { use(cfg.ui.grid.size); }",
        ] {
            setup.likely(&RULE, &format!("function f(xs, cfg) {{ {body} }}"));
        }
        // Objects that do something when they are read.
        setup.silent(&RULE, "import { observable } from 'mobx'; function f(xs, cfg) { for (const x of xs) { x.a = cfg.ui.grid.size + cfg.ui.grid.size; } }");
    }
}

//! Styles are written and sizes read in turn, so that the browser lays the page out again for each read.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, AwaitExpression,
    BlockStatement, CallExpression, Expression, ExpressionStatement, Function, IfStatement,
    Statement, StaticMemberExpression, SwitchStatement, UnaryExpression, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeFlags;
use rb_ecma::Module;

use super::hot::is_each;
use super::shapes::{callback, is_declared_outside};
use crate::cx::{Cx, Hit};
use crate::facts::{FileKind, Realm};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-batch-dom-css",
    title: "Styles are written and sizes read in turn",
    category: Category::JavaScript,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "Code changes a style or class, reads a size or position, and repeats: twice or more in one block, or \
               once in a loop over elements.",
        why: "A read after a write forces the browser to lay out the page at once, and each further pair does so \
              again. In a loop that is one layout per element. Writes alone are batched by the browser.",
        wrong: "function fit(left: HTMLElement, right: HTMLElement) {
  left.style.width = '10px';
  const width = left.offsetWidth;
  right.style.width = `${width}px`;
  return right.offsetHeight;
}",
        right: "function fit(left: HTMLElement, right: HTMLElement) {
  const width = left.offsetWidth;
  const height = right.offsetHeight;
  left.style.width = '10px';
  right.style.width = `${width}px`;
  return height;
}",
        safe: "No fix is offered: a read that is moved returns another value, and only you know which one is wanted.",
        leave: "Each size is needed after the preceding write, as when text is fitted step by step, or a layout is \
                forced on purpose to restart an animation.",
        given: &[],
    },
    wants: &[".style", "classList", "className"],
    // There is no page to lay out on a server; where nothing is known, there may be one.
    applies: |facts| {
        facts.kind == FileKind::Source
            && facts.realm != Realm::Server
            && !facts.package.react_native
    },
    check,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Write,
    Read,
    /// A layout that is forced on purpose, or a pause in which one may happen.
    Break,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let lists: Vec<&[Statement<'_>]> = module.statement_lists().collect();
    for list in lists {
        let steps = steps(module, list);
        if twice(&steps).is_none()
            && let Some((write, read)) = between_writes(module, list, &steps)
        {
            let message = format!(
                "reading `{}` between writes forces a reflow; read it before writing `{}`",
                shown(module, read),
                shown(module, write)
            );
            let condition = "the size after the first write may be needed";
            cx.report(Hit::at(read, message).likely(condition));
        }
        if let Some((write, read)) = twice(&steps) {
            cx.report(Hit::at(
                read,
                format!(
                    "reading `{}` after writing `{}` forces a second reflow; read all sizes first, then write",
                    shown(module, read),
                    shown(module, write)
                ),
            ));
        }
    }
    for node in module.nodes().iter() {
        let Some((whole, body)) = each(node.kind()) else { continue };
        let steps = steps(module, body);
        let own = |wanted: Step| {
            steps.iter().find(|(step, span)| *step == wanted && is_own(module, *span, whole))
        };
        let forced = steps.iter().any(|(step, _)| *step == Step::Break) || twice(&steps).is_some();
        if let (Some((_, write)), Some((_, read)), false) =
            (own(Step::Write), own(Step::Read), forced)
        {
            cx.report(Hit::at(
                *read,
                format!(
                    "reading `{}` and writing `{}` for every element forces a reflow each time; read in one loop and write in another",
                    shown(module, *read),
                    shown(module, *write)
                ),
            ));
        }
    }
}

fn shown(module: &Module<'_>, span: Span) -> String {
    module.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A read after a write, for the second time with no break in between.
fn twice(steps: &[(Step, Span)]) -> Option<(Span, Span)> {
    let (mut written, mut layouts) = (None, 0);
    for (step, span) in steps {
        match step {
            Step::Write => written = Some(*span),
            Step::Read => {
                if let Some(write) = written.take() {
                    layouts += 1;
                    if layouts == 2 {
                        return Some((write, *span));
                    }
                }
            }
            Step::Break => (written, layouts) = (None, 0),
        }
    }
    None
}

/// A read with a write before it and another one behind it that is not made of what is read.
fn between_writes<'a>(
    module: &Module<'a>,
    list: &'a [Statement<'a>],
    steps: &[(Step, Span)],
) -> Option<(Span, Span)> {
    let statement = |span: Span| list.iter().find(|it| it.span().contains_inclusive(span));
    steps.windows(3).find_map(|part| {
        let [(Step::Write, write), (Step::Read, read), (Step::Write, next)] = part else {
            return None;
        };
        let Statement::VariableDeclaration(kept) = statement(*read)? else { return None };
        let names = kept.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
        let mut symbols = names.filter_map(|it| it.symbol_id.get());
        let behind = statement(*next)?.span();
        let is_needed = symbols.any(|it| module.mentions(behind, it));
        (!is_needed).then_some((*write, *read))
    })
}

/// The body of a loop over elements. `while` goes on until something fits, and cannot read ahead.
fn each(kind: AstKind<'_>) -> Option<(Span, &[Statement<'_>])> {
    match kind {
        AstKind::ForOfStatement(it) => match &it.body {
            Statement::BlockStatement(block) => Some((it.span, &block.body)),
            _ => None,
        },
        AstKind::CallExpression(call) if is_each(call) => {
            Some((call.span, callback(call)?.statements()))
        }
        _ => None,
    }
}

/// Does it speak of an element that each round has its own of?
fn is_own(module: &Module<'_>, span: Span, whole: Span) -> bool {
    let root = module.identifiers_in(span).iter().find_map(|it| module.symbol(it));
    root.is_some_and(|symbol| !is_declared_outside(module, symbol, whole))
}

/// The writes and reads that the statements of one list make, in their order. What stands in branches and in functions is
/// not counted in: it may not run.
fn steps<'a>(module: &Module<'a>, list: &'a [Statement<'a>]) -> Vec<(Step, Span)> {
    let mut look = Steps { module, found: Vec::new() };
    for statement in list {
        look.visit_statement(statement);
    }
    look.found
}

struct Steps<'m, 'a> {
    module: &'m Module<'a>,
    found: Vec<(Step, Span)>,
}

impl Steps<'_, '_> {
    fn push(&mut self, step: Step, span: Span) {
        let text = self.module.slice(span);
        let elsewhere = ["contentDocument", "contentWindow", "ownerDocument"];
        if step == Step::Read && is_record(text) {
            return;
        }
        if !elsewhere.iter().any(|it| text.contains(it)) {
            self.found.push((step, span));
        }
    }
}

impl<'a> Visit<'a> for Steps<'_, 'a> {
    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_block_statement(&mut self, _: &BlockStatement<'a>) {}

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.visit_expression(&it.test);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.visit_expression(&it.discriminant);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        walk::walk_await_expression(self, it);
        self.found.push((Step::Break, it.span));
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        walk::walk_yield_expression(self, it);
        self.found.push((Step::Break, it.span));
    }

    /// `el.offsetWidth;`
    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        match &it.expression {
            Expression::StaticMemberExpression(_) => self.found.push((Step::Break, it.span)),
            Expression::CallExpression(call) if is_reading_call(call) => {
                self.found.push((Step::Break, it.span));
            }
            _ => walk::walk_expression_statement(self, it),
        }
    }

    /// `void el.offsetWidth`
    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Void {
            self.found.push((Step::Break, it.span));
        } else {
            walk::walk_unary_expression(self, it);
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.visit_expression(&it.right);
        if let AssignmentTarget::StaticMemberExpression(target) = &it.left
            && is_written(target)
        {
            self.push(Step::Write, target.span);
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        walk::walk_call_expression(self, call);
        if is_writing_call(call) {
            self.push(Step::Write, call.span);
        } else if is_reading_call(call) {
            self.push(Step::Read, call.span);
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if READS.contains(&it.property.name.as_str()) {
            self.push(Step::Read, it.span);
        } else {
            walk::walk_static_member_expression(self, it);
        }
    }
}

/// `state.offsetLeft`: a size that somebody wrote down is no layout.
fn is_record(read: &str) -> bool {
    const RECORDS: &[&str] = &[
        "state", "props", "metrics", "rect", "bounds", "data", "layout", "size", "sizes",
        "viewport",
    ];
    let owner = read.rsplit_once('.').map_or("", |(owner, _)| owner);
    let owner = owner.trim_end_matches(['!', '?']).to_lowercase();
    RECORDS.iter().any(|it| owner.ends_with(it))
}

/// `el.style.width`, `el.className`; not what only paints.
fn is_written(target: &StaticMemberExpression<'_>) -> bool {
    let name = target.property.name.as_str();
    match &target.object {
        Expression::StaticMemberExpression(owner) if owner.property.name == "style" => {
            lays_out(name)
        }
        _ => name == "className",
    }
}

fn is_writing_call(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return false;
    };
    let Expression::StaticMemberExpression(owner) = member.object.get_inner_expression() else {
        return false;
    };
    match (owner.property.name.as_str(), member.property.name.as_str()) {
        ("classList", "add" | "remove" | "toggle" | "replace") => true,
        ("style", "setProperty" | "removeProperty") => {
            match call.arguments.first().and_then(|it| it.as_expression()) {
                Some(Expression::StringLiteral(name)) => {
                    lays_out(&name.value) && !name.value.starts_with("--")
                }
                _ => true,
            }
        }
        _ => false,
    }
}

fn is_reading_call(call: &CallExpression<'_>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::Identifier(name) => name.name == "getComputedStyle",
        Expression::StaticMemberExpression(it) => {
            ["getBoundingClientRect", "getClientRects", "getComputedStyle"]
                .contains(&it.property.name.as_str())
        }
        _ => false,
    }
}

/// Does a change of the property move anything?
fn lays_out(property: &str) -> bool {
    const PAINTS: &[&str] = &[
        "color",
        "background",
        "opacity",
        "cursor",
        "pointer",
        "z",
        "zindex",
        "box",
        "outline",
        "visibility",
        "filter",
        "will",
        "transition",
        "user",
        "fill",
        "stroke",
        "animation",
        "transform",
        "backdrop",
        "accent",
        "caret",
        "touch",
        "scroll",
    ];
    let end = property.find(|c: char| c.is_uppercase() || c == '-').unwrap_or(property.len());
    let first = &property[..end];
    !PAINTS.contains(&first) || property == "boxSizing" || property == "box-sizing"
}

const READS: &[&str] = &[
    "offsetWidth",
    "offsetHeight",
    "offsetTop",
    "offsetLeft",
    "clientWidth",
    "clientHeight",
    "clientTop",
    "clientLeft",
    "scrollWidth",
    "scrollHeight",
];

#[cfg(test)]
mod tests;

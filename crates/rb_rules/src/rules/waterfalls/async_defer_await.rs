//! A read is awaited above an exit that does not use it.

use oxc_ast::ast::{IfStatement, Statement, VariableDeclarationKind};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::awaits::{
    Step, delete_statement, is_check_by_name, is_in_try, is_meant, is_ordered, is_way_out, leaves,
    waiting_lists,
};
use super::inside::inside;
use super::names::{Sort, called_name, promise_all, sort, words};
use super::proofs::{
    doubt_of_condition, doubt_of_read, doubt_of_rendering, is_last, is_settled, leaves_quietly,
    reads_clock,
};
use super::runs::{reading_step, runs_with};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "async-defer-await",
    title: "A read is awaited before a path that does not use it",
    category: Category::Waterfalls,
    impact: Impact::High,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "`const row = await read()` is above an `if` that returns without using `row`, or above one of which \
               only one branch uses it. The condition only looks at names that are bound once.",
        why: "The path that does not use the result waits for it anyway.",
        wrong: "async function load(id: string, preview: boolean) {
  const row = await fetch(`/rows/${id}`);
  if (preview) return null;
  return row.text();
}",
        right: "async function load(id: string, preview: boolean) {
  if (preview) return null;
  const row = await fetch(`/rows/${id}`);
  return row.text();
}",
        safe: "Fixed automatically if the call is proved to only read, the condition can neither throw nor change \
               meanwhile, the path that does not wait only returns, no function captures the result, there is no \
               `try` around it, and Next.js does not render the file. The path that returns early then no longer \
               makes the call, nor sees it fail.",
        leave: "The call is made for its effect and not for its result: a check, a rate limit, a warm cache, a dry \
                run.",
        given: &[],
    },
    wants: &["await"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for list in waiting_lists(module) {
        for at in 0..list.len() {
            let hit = deferrable(cx, list, at).or_else(|| past_another(cx, list, at));
            if let Some(hit) = hit {
                cx.report(hit);
            }
        }
    }
}

/// Where the statement can go.
enum Destination<'a> {
    /// Behind the `if` that leaves.
    Below(&'a IfStatement<'a>),
    /// To the beginning of the branch that uses it.
    Into(&'a Statement<'a>),
}

fn deferrable<'a>(cx: &Cx<'_, 'a>, list: &'a [Statement<'a>], at: usize) -> Option<Hit> {
    let module = cx.module;
    let step = Step::of(&list[at])?;
    let bound = step.bound.as_ref()?;
    let may_throw = called_name(step.awaited).is_some_and(|it| it.ends_with("OrThrow"));
    if sort(cx, step.awaited) != Sort::Read || bound.symbols.is_empty() || may_throw {
        return None;
    }
    let skipped = list[at + 1..].iter().take_while(|it| is_plain_declaration(module, &step, it));
    let next = at + 1 + skipped.count();
    let Some(Statement::IfStatement(condition)) = list.get(next) else { return None };
    let mentioned = |span: Span| bound.symbols.iter().any(|&it| module.mentions(span, it));
    if mentioned(condition.test.span()) || !is_settled(cx, &condition.test, step.awaited) {
        return None;
    }
    let is_beside = |above| {
        runs_with(cx, above, &step, condition.test.span())
            || is_checked_beside(cx, above, &step, condition)
    };
    let mut above = list[..at].iter().rev().take_while(|it| Step::of(it).is_some());
    if above.any(is_beside) || is_idle_path(module, condition) {
        return None;
    }
    let place = place(module, &step, condition)?;
    if only_fails(module, &place, condition, &list[next + 1..]) || is_no_read(cx, &step) {
        return None;
    }
    let around = module.function_around(step.node).map_or(module.program().span, Func::span);
    let span = Span::new(step.span().start, condition.test.span().end);
    let fits = !is_ordered(module, step.node)
        && !is_meant(module, span)
        && !reads_clock(module, around)
        && !list.iter().any(is_disposing);
    fits.then(|| told(cx, &step, condition, &place))
}

/// `const rights = await f(); const row = await g(); if (!row) return`, where what `f` gives is used below alone.
fn past_another<'a>(cx: &Cx<'_, 'a>, list: &'a [Statement<'a>], at: usize) -> Option<Hit> {
    let module = cx.module;
    let [first, second, Statement::IfStatement(condition), ..] = &list[at..] else { return None };
    let (step, between) = (Step::of(first)?, reading_step(cx, second)?);
    let mentioned = |span: Span| step.symbols().iter().any(|&it| module.mentions(span, it));
    let looks = between.symbols().iter().any(|&it| module.mentions(condition.test.span(), it));
    let is_exit = condition.alternate.is_none() && leaves(&condition.consequent);
    let fits = sort(cx, step.awaited) == Sort::Gate
        && promise_all(module, step.awaited).is_none()
        && !step.symbols().is_empty()
        && is_exit
        && looks
        && !mentioned(Span::new(between.span().start, condition.span.end))
        && !inside(cx, step.awaited.span()).throws
        && !is_ordered(module, step.node)
        && !is_meant(module, Span::new(step.span().start, condition.test.span().end));
    let message = format!(
        "`{}` is awaited before the early exit on line {}, which does not use it; await it below",
        step.label(module),
        module.line(condition.span.start)
    );
    let called = called_name(step.awaited)?;
    let condition = format!("`{called}()` may have to run first");
    fits.then(|| Hit::at(step.span(), message).likely(condition))
}

/// Does the path that would no longer wait end in a failure? That it comes sooner is worth nothing, and another failure may be
/// meant to come before it.
fn only_fails<'a>(
    module: &Module<'a>,
    place: &Destination<'a>,
    condition: &'a IfStatement<'a>,
    below: &'a [Statement<'a>],
) -> bool {
    match place {
        Destination::Below(it) => fails(module, &it.consequent),
        Destination::Into(branch) => {
            let both = [Some(&condition.consequent), condition.alternate.as_ref()];
            let other = both.into_iter().flatten().find(|it| it.span() != branch.span());
            match other {
                Some(other) => fails(module, other),
                None => below.first().is_some_and(|it| fails(module, it)),
            }
        }
    }
}

/// Does the read look whether something holds, or whether somebody may, or wait for nothing at all?
fn is_no_read<'a>(cx: &Cx<'_, 'a>, step: &Step<'a>) -> bool {
    let it = inside(cx, step.awaited.span());
    it.throws || it.checks || it.is_idle || is_check_by_name(cx.module, step)
}

/// A dry run does all of the work, and only keeps nothing of it; a request by another method is refused.
fn is_idle_path(module: &Module<'_>, condition: &IfStatement<'_>) -> bool {
    let test = module.slice(condition.test.span()).to_lowercase();
    test.contains("dryrun") || test.contains("dry_run") || test.contains(".method")
}

/// Does the condition look at the read right above, of which this one takes no name? To start both at once would gain more,
/// be it proved or not.
fn is_checked_beside<'a>(
    cx: &Cx<'_, 'a>,
    above: &'a Statement<'a>,
    step: &Step<'a>,
    condition: &IfStatement<'a>,
) -> bool {
    reading_step(cx, above).is_some_and(|above| {
        let mentioned = |span: Span| above.symbols().iter().any(|&it| cx.module.mentions(span, it));
        mentioned(condition.test.span()) && !mentioned(step.span())
    })
}

/// `const x = a.b`, not made of what is awaited.
fn is_plain_declaration<'a>(
    module: &Module<'a>,
    step: &Step<'a>,
    statement: &Statement<'a>,
) -> bool {
    let Statement::VariableDeclaration(it) = statement else { return false };
    it.declarations.iter().all(|it| it.init.as_ref().is_some_and(|it| module.is_pure0(it)))
        && !step.symbols().iter().any(|&symbol| module.mentions(statement.span(), symbol))
}

fn is_disposing(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::VariableDeclaration(it)
        if matches!(it.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing))
}

fn place<'a>(
    module: &Module<'a>,
    step: &Step<'a>,
    condition: &'a IfStatement<'a>,
) -> Option<Destination<'a>> {
    let mut uses: Vec<Span> = Vec::new();
    for &symbol in step.symbols() {
        uses.extend(module.value_uses(symbol).map(|it| it.span));
    }
    // Somebody above may be told of it later, by a function.
    if uses.is_empty() || uses.iter().any(|it| it.start < step.span().start) {
        return None;
    }
    let within = |span: Span| uses.iter().filter(|it| span.contains_inclusive(**it)).count();
    let (then, other) = (&condition.consequent, condition.alternate.as_ref());
    if other.is_none() && leaves(then) && within(condition.span) == 0 {
        return Some(Destination::Below(condition));
    }
    let both = std::iter::once(then).chain(other);
    let mut branches = both.filter(|it| within(it.span()) == uses.len());
    let branch = branches.next()?;
    matches!(branch, Statement::BlockStatement(_)).then_some(Destination::Into(branch))
}

/// Does the branch end in an exception, send the visitor away, or give back what names an error?
fn fails(module: &Module<'_>, statement: &Statement<'_>) -> bool {
    const FAILURES: &[&str] = &[
        "denied",
        "error",
        "errors",
        "failed",
        "failure",
        "forbidden",
        "invalid",
        "reject",
        "status",
        "unauthorized",
    ];
    match statement {
        Statement::ThrowStatement(_) => true,
        Statement::ReturnStatement(it) => it.argument.as_ref().is_some_and(|it| {
            is_way_out(it)
                || words(module.slice(it.span())).iter().any(|it| FAILURES.contains(&it.as_str()))
        }),
        Statement::BlockStatement(it) => it.body.last().is_some_and(|it| fails(module, it)),
        Statement::ExpressionStatement(it) => is_way_out(&it.expression),
        _ => false,
    }
}

fn told<'a>(
    cx: &Cx<'_, 'a>,
    step: &Step<'a>,
    condition: &'a IfStatement<'a>,
    place: &Destination<'a>,
) -> Hit {
    let module = cx.module;
    let label = step.label(module);
    let line = module.line(condition.span.start);
    let (message, title) = match place {
        Destination::Below(_) => (
            format!(
                "`{label}` is awaited before the early exit on line {line}, which does not use it; await it below"
            ),
            "await it below",
        ),
        Destination::Into(_) => (
            format!(
                "`{label}` is used in only one branch of the `if` on line {line}; await it there"
            ),
            "await it in that branch",
        ),
    };
    let hit = Hit::at(step.span(), message);
    match edits(module, step, place) {
        Some(edits) => hit.auto_unless(doubt(cx, step, condition, place), title, edits),
        None => hit,
    }
}

fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    step: &Step<'a>,
    condition: &'a IfStatement<'a>,
    place: &Destination<'a>,
) -> Option<String> {
    let module = cx.module;
    let bound = step.bound.as_ref()?;
    if is_in_try(module, step.node) {
        return Some(
            "the enclosing `try` may rely on an error that would no longer be thrown".to_owned(),
        );
    }
    if bound.declaration.kind != VariableDeclarationKind::Const {
        return Some("it is not a `const`".to_owned());
    }
    let own = module.function_around(step.node).map(Func::node);
    let captured = bound.symbols.iter().any(|&symbol| {
        module.uses(symbol).any(|it| module.function_around(it.node).map(Func::node) != own)
    });
    if own.is_none() || captured {
        return Some("a closure captures it".to_owned());
    }
    let is_quiet = match place {
        Destination::Below(it) => leaves_quietly(cx, &it.consequent),
        Destination::Into(_) => {
            condition.alternate.is_none() && is_last(module, step.node, condition.span)
        }
    };
    if !is_quiet {
        return Some("side effects of the other path would run earlier".to_owned());
    }
    doubt_of_read(cx, step.awaited)
        .or_else(|| doubt_of_condition(cx, &condition.test))
        .or_else(|| doubt_of_rendering(cx))
}

/// The statement goes with its line and comes back at its new place; none where a comment stands by it.
fn edits<'a>(module: &Module<'a>, step: &Step<'a>, place: &Destination<'a>) -> Option<Vec<Edit>> {
    let span = step.span();
    let text = module.text();
    let rest = text[span.end as usize..].lines().next().unwrap_or_default();
    let above = text[..module.line_start(span.start) as usize].trim_end();
    let is_noted = above.ends_with("*/")
        || above.lines().next_back().is_some_and(|it| it.trim_start().starts_with("//"));
    if is_noted || !rest.trim().is_empty() {
        return None;
    }
    let delete = delete_statement(module, span)?;
    let insert = match place {
        Destination::Below(condition) => {
            let indent = module.indent_at(span.start);
            // Set apart as what follows is.
            let mut below = text[condition.span.end as usize..].lines().skip(1);
            let is_apart = below.next().is_some_and(|it| it.trim().is_empty());
            let eol = module.style().line_end;
            let gap = if is_apart { eol } else { "" };
            let code = module.slice(span);
            Edit::insert(condition.span.end, format!("{gap}{eol}{indent}{code}"))
        }
        Destination::Into(branch) => insert_into(module, step, branch)?,
    };
    Some(vec![delete, insert])
}

/// At the beginning of the branch, above what is said of its first statement.
fn insert_into<'a>(module: &Module<'a>, step: &Step<'a>, branch: &Statement<'a>) -> Option<Edit> {
    let Statement::BlockStatement(block) = branch else { return None };
    let first = block.body.first()?.span().start;
    let opening = module.line(block.span.start);
    if module.line(first) == opening || is_hidden(module, step, block.span) {
        return None;
    }
    let mut said = module.comments().iter().map(|it| it.span.start);
    let is_above = |it: &u32| block.span.start < *it && *it < first && module.line(*it) != opening;
    let at = said.find(is_above).unwrap_or(first);
    let (style, code) = (module.style(), module.slice(step.span()));
    let code = if code.contains('`') {
        code.to_owned()
    } else {
        code.replace('\n', &format!("\n{}", style.indent))
    };
    Some(Edit::insert(at, format!("{code}{}{}", style.line_end, module.indent_at(at))))
}

/// Does the branch bind a name that the statement uses in another sense?
fn is_hidden(module: &Module<'_>, step: &Step<'_>, branch: Span) -> bool {
    let used = module.identifiers_in(step.span());
    module.scoping().symbol_ids().any(|symbol| {
        branch.contains_inclusive(module.scoping().symbol_span(symbol))
            && used.iter().any(|it| it.name == module.name(symbol))
    })
}

#[cfg(test)]
mod tests;

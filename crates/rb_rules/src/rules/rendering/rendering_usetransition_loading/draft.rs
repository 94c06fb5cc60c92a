//! The handler written with `startTransition`.
//!
//! Anything but a row of plain statements is left to the author.

use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::super::super::advanced::hooks::State;
use super::{Handler, awaits};

/// `None` where the function is more than a row of plain statements.
pub(super) fn edits<'a>(
    module: &Module<'a>,
    state: &State<'a>,
    handler: &Handler<'a>,
    setters: &[SymbolId],
) -> Option<Vec<Edit>> {
    let body = handler.func.body()?;
    if handler.is_guarded || module.has_comment(handler.func.span()) {
        return None;
    }
    let hook = module.import_name("react", "useTransition")?;
    let start = module.fresh_name("startTransition");
    let flag = module.name(state.value);
    let mut edits = hook.edits;
    let pair = state.declarator.span;
    edits.push(Edit::replace(pair.start, pair.end, format!("[{flag}, {start}] = {}()", hook.name)));
    edits.push(without_async(module, handler.func)?);
    let (first, last) = (body.statements.first()?, body.statements.last()?);
    let lines = lines(module, handler.work, setters, &start)?;
    let style = module.style();
    let indent = module.indent_at(first.span().start).to_owned();
    let inner = format!("{}{indent}{}", style.line_end, style.indent);
    let work: String = lines.iter().flat_map(|line| [inner.as_str(), line.as_str()]).collect();
    let text =
        format!("{start}(async () => {{{work}{}{indent}}}){}", style.line_end, style.semicolon());
    edits.push(Edit::replace(first.span().start, last.span().end, text));
    Some(edits)
}

fn without_async(module: &Module<'_>, func: Func<'_>) -> Option<Edit> {
    let text = module.slice(func.span());
    let rest = text.strip_prefix("async")?;
    let gap = rest.len() - rest.trim_start().len();
    let end = func.span().start + u32::try_from("async".len() + gap).ok()?;
    Some(Edit::delete(func.span().start, end))
}

/// What the transition does, line by line: state that is set after the wait is wrapped again.
fn lines<'a>(
    module: &Module<'a>,
    work: &'a [Statement<'a>],
    setters: &[SymbolId],
    start: &str,
) -> Option<Vec<String>> {
    let end = module.style().semicolon();
    let mut lines = Vec::new();
    let mut is_after = false;
    for statement in work {
        let waits = awaits(std::slice::from_ref(statement)) > 0;
        let text = shifted(module, statement.span());
        match setter_call(module, statement, setters) {
            Some(call) if waits => lines.extend(awaited(module, call, start)?),
            Some(call) if is_after => {
                lines.push(format!("{start}(() => {}){end}", shifted(module, call.span)));
            }
            None if !is_plain(module, statement, setters) => return None,
            Some(_) | None => lines.push(text),
        }
        is_after |= waits;
    }
    Some(lines)
}

/// `setRows(await find(q))` in two steps.
fn awaited<'a>(module: &Module<'a>, call: &CallExpression<'a>, start: &str) -> Option<[String; 2]> {
    let Expression::AwaitExpression(value) = call.arguments.first()?.as_expression()? else {
        return None;
    };
    let end = module.style().semicolon();
    let found = module.fresh_name("found");
    let setter = module.slice(call.callee.span());
    Some([
        format!("const {found} = {}{end}", module.slice(value.span)),
        format!("{start}(() => {setter}({found})){end}"),
    ])
}

/// A statement that sets no state, and whose end is at its end.
fn is_plain(module: &Module<'_>, statement: &Statement<'_>, setters: &[SymbolId]) -> bool {
    let is_one =
        matches!(statement, Statement::VariableDeclaration(_) | Statement::ExpressionStatement(_));
    is_one && !setters.iter().any(|&it| module.mentions(statement.span(), it))
}

fn setter_call<'a>(
    module: &Module<'a>,
    statement: &'a Statement<'a>,
    setters: &[SymbolId],
) -> Option<&'a CallExpression<'a>> {
    let Statement::ExpressionStatement(it) = statement else { return None };
    let Expression::CallExpression(call) = &it.expression else { return None };
    let symbol = module.symbol_of(&call.callee)?;
    setters.contains(&symbol).then_some(&**call)
}

/// A piece of code, one step further to the right.
fn shifted(module: &Module<'_>, span: Span) -> String {
    let style = module.style();
    module.slice(span).replace('\n', &format!("\n{}", style.indent))
}

//! Statements behind `return`, `throw`, `break` and `continue`. Functions and `var` are there all the same, and stay.

use oxc_ast::AstKind;
use oxc_ast::ast::{Statement, VariableDeclarationKind};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::Facts;

use super::candidates::is_deeper;
use crate::cleaning::deletion::{self, Comments};
use crate::plan::{Left, one_line};
use crate::recipes::unused_imports::tool_comment;

/// A run of statements that is never run.
pub(super) struct Zone {
    pub span: Span,
    pub edit: Edit,
    pub code: String,
}

pub(super) fn find(facts: &Facts, module: &Module<'_>) -> (Vec<Zone>, Vec<Left>) {
    let (mut zones, mut left): (Vec<Zone>, Vec<Left>) = (Vec::new(), Vec::new());
    for list in module.statement_lists() {
        let Some(end) = list.iter().position(leaves) else { continue };
        for (first, last) in runs(module, list, end + 1) {
            let span = Span::new(list[first].span().start, list[last].span().end);
            let code = one_line(module.slice(span));
            let edit = match doubt(module, list, end, span) {
                Some(why) => Err(why),
                None => deletion::statements(module, list, (first, last), Comments::Take, &[]),
            };
            match edit {
                Ok(edit) => zones.push(Zone { span, edit, code }),
                Err(reason) => {
                    let place = module.place(span.start);
                    left.push(Left {
                        path: facts.path.to_string(),
                        line: place.line,
                        column: place.column,
                        code,
                        reason,
                        suggestion: "check the intent, then delete it by hand".to_owned(),
                        through: Vec::new(),
                    });
                }
            }
        }
    }
    // A list inside of what goes is not looked at by itself.
    let spans: Vec<Span> = zones.iter().map(|it| it.span).collect();
    zones.retain(|zone| {
        !spans.iter().any(|it| *it != zone.span && (*it).contains_inclusive(zone.span))
    });
    left.retain(|it| {
        !zones.iter().any(|zone| {
            let (first, last) = (module.line(zone.span.start), module.line(zone.span.end));
            it.line > first && it.line < last
        })
    });
    (zones, left)
}

fn leaves(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::ReturnStatement(_)
            | Statement::ThrowStatement(_)
            | Statement::BreakStatement(_)
            | Statement::ContinueStatement(_)
    )
}

/// Runs of statements that are no declarations of what is there from the beginning.
fn runs<'a>(module: &Module<'a>, all: &'a [Statement<'a>], from: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, statement) in all.iter().enumerate().skip(from) {
        if is_hoisted(module, statement) {
            continue;
        }
        match found.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => found.push((at, at)),
        }
    }
    found.retain(|&(first, last)| {
        !all[first..=last].iter().all(|it| matches!(it, Statement::EmptyStatement(_)))
    });
    found
}

/// A function, a type, or a `var` somewhere inside.
fn is_hoisted<'a>(module: &Module<'a>, statement: &Statement<'a>) -> bool {
    if matches!(
        statement,
        Statement::FunctionDeclaration(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
            | Statement::TSNamespaceDeclaration(_)
    ) {
        return true;
    }
    let span = statement.span();
    module.nodes().iter().any(|node| {
        span.contains_inclusive(node.kind().span())
            && match node.kind() {
                AstKind::VariableDeclaration(it) => {
                    it.kind == VariableDeclarationKind::Var && !is_deeper(module, node.id(), span)
                }
                // Without strict mode, a function in a block is there outside of it.
                AstKind::Function(it) => it.is_declaration() && !is_deeper(module, node.id(), span),
                _ => false,
            }
    })
}

fn doubt<'a>(
    module: &Module<'a>,
    list: &'a [Statement<'a>],
    end: usize,
    span: Span,
) -> Option<String> {
    if let Statement::ReturnStatement(it) = &list[end]
        && it.argument.is_none()
        && !module.slice(it.span).ends_with(';')
        && matches!(
            list.get(end + 1),
            Some(Statement::ExpressionStatement(_) | Statement::BlockStatement(_))
        )
    {
        return Some(
            "`return` is alone on its line: the next expression may have been meant as its value"
                .to_owned(),
        );
    }
    if let Some(comment) = tool_comment(module, span) {
        return Some(format!("the comment `{}` applies to it", one_line(comment)));
    }
    let is_outside =
        |symbol: SymbolId| module.uses(symbol).any(|it| !span.contains_inclusive(it.span));
    let symbols = list.iter().filter(|it| span.contains_inclusive(it.span())).flat_map(declared);
    if let Some(symbol) = symbols.into_iter().find(|it| is_outside(*it)) {
        return Some(format!("`{}` is declared in it and used outside it", module.name(symbol)));
    }
    let node = module.nodes().iter().find(|node| {
        let gives = match node.kind() {
            AstKind::ReturnStatement(it) => it.argument.is_some(),
            AstKind::YieldExpression(_) => true,
            _ => false,
        };
        gives && span.contains_inclusive(node.kind().span()) && !is_deeper(module, node.id(), span)
    })?;
    let is_typed = match super::file::function_kind(module, node.id()) {
        Some(AstKind::Function(it)) => it.return_type.is_some(),
        Some(AstKind::ArrowFunctionExpression(it)) => it.return_type.is_some(),
        _ => true,
    };
    (module.is_typescript() && !is_typed)
        .then(|| "the compiler infers the type of the function from a `return` in it".to_owned())
}

fn declared(statement: &Statement<'_>) -> Vec<SymbolId> {
    match statement {
        Statement::VariableDeclaration(it) => it
            .declarations
            .iter()
            .flat_map(|it| it.id.get_binding_identifiers())
            .filter_map(|it| it.symbol_id.get())
            .collect(),
        Statement::ClassDeclaration(it) => {
            it.id.iter().filter_map(|it| it.symbol_id.get()).collect()
        }
        Statement::TSEnumDeclaration(it) => it.id.symbol_id.get().into_iter().collect(),
        _ => Vec::new(),
    }
}

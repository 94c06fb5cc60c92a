//! Components that wait: what they wait for, what of their output needs it, and whether it is a gate.

use oxc_ast::ast::{Declaration, Expression, Statement};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::awaits::Step;
use super::names::{Sort, sort};
use crate::cx::Cx;

/// Calls that decide what becomes of the whole page.
const DECIDING: &[&str] = &[
    "notFound",
    "redirect",
    "permanentRedirect",
    "forbidden",
    "unauthorized",
    "connection",
    "setRequestLocale",
];

/// A component of the server that waits for reads at the top, and then returns what it shows.
#[derive(Debug)]
pub struct Waiting<'a> {
    pub reads: Vec<Step<'a>>,
    /// What is read, and all that is made of it.
    pub tainted: Vec<SymbolId>,
    pub shown: &'a Expression<'a>,
}

impl<'a> Waiting<'a> {
    /// `None` where it waits for nothing, or where what it waits for may decide more than what is shown.
    pub fn of(cx: &Cx<'_, 'a>, func: Func<'a>) -> Option<Self> {
        let (last, before) = func.statements().split_last()?;
        let Statement::ReturnStatement(last) = last else { return None };
        if !func.is_async() || decides(cx.module, func.span()) {
            return None;
        }
        let mut reads: Vec<Step<'a>> = Vec::new();
        let mut tainted: Vec<SymbolId> = Vec::new();
        for statement in before {
            if let Some(step) = Step::of(statement) {
                match sort(cx, step.awaited) {
                    Sort::Cheap => continue,
                    Sort::Read if step.bound.is_some() => {
                        tainted.extend(step.symbols());
                        reads.push(step);
                        continue;
                    }
                    Sort::Read | Sort::Prefetch | Sort::Identity | Sort::Gate | Sort::Other => {
                        return None;
                    }
                }
            }
            taint(cx.module, statement, &mut tainted)?;
        }
        let shown = last.argument.as_ref()?;
        let waits_inside = cx.module.slice(shown.span()).contains("await ");
        (!reads.is_empty() && !waits_inside).then_some(Waiting { reads, tainted, shown })
    }

    pub fn needs(&self, module: &Module<'a>, span: Span) -> bool {
        self.tainted.iter().any(|&it| module.mentions(span, it))
    }
}

/// Follows what is read into the names that are made of it. `None` for a statement that may decide something.
fn taint<'a>(
    module: &Module<'a>,
    statement: &'a Statement<'a>,
    tainted: &mut Vec<SymbolId>,
) -> Option<()> {
    let spoils =
        |span: Span, tainted: &[SymbolId]| tainted.iter().any(|&it| module.mentions(span, it));
    match statement {
        Statement::VariableDeclaration(it) => {
            if module.slice(it.span).contains("await ") {
                return None;
            }
            for declarator in &it.declarations {
                if spoils(declarator.span, tainted) {
                    let names = declarator.id.get_binding_identifiers();
                    tainted.extend(names.iter().filter_map(|it| it.symbol_id.get()));
                }
            }
            Some(())
        }
        Statement::FunctionDeclaration(it) => {
            if spoils(it.span, tainted) {
                tainted.extend(it.id.as_ref().and_then(|id| id.symbol_id.get()));
            }
            Some(())
        }
        // `console.log(…)` and its like.
        Statement::ExpressionStatement(it) => {
            (!module.slice(it.span).contains("await ")).then_some(())
        }
        Statement::EmptyStatement(_) => Some(()),
        _ => None,
    }
}

fn decides(module: &Module<'_>, span: Span) -> bool {
    module.identifiers_in(span).iter().any(|it| DECIDING.contains(&it.name.as_str()))
}

/// The function by which the file tells the head of the page.
pub fn metadata(module: &Module<'_>) -> Option<Span> {
    module.program().body.iter().find_map(|statement| match statement {
        Statement::ExportDeclaration(it) => match &it.declaration {
            Declaration::FunctionDeclaration(function) => function
                .id
                .as_ref()
                .is_some_and(|id| id.name == "generateMetadata")
                .then_some(function.span),
            Declaration::VariableDeclaration(it) => it
                .declarations
                .iter()
                .any(|it| {
                    it.id.get_binding_identifier().is_some_and(|id| id.name == "generateMetadata")
                })
                .then_some(it.span),
            _ => None,
        },
        _ => None,
    })
}

/// Is a part of the output shown only where what was read says so?
pub fn is_conditional<'a>(
    module: &Module<'a>,
    waiting: &Waiting<'a>,
    node: oxc_semantic::NodeId,
) -> bool {
    use oxc_ast::AstKind;
    let inner = module.nodes().kind(node).span();
    let whole = waiting.shown.span();
    let around = module.ancestors(node).take_while(|kind| whole.contains_inclusive(kind.span()));
    around.into_iter().any(|kind| {
        let by = match kind {
            AstKind::ConditionalExpression(it) => it.test.span(),
            AstKind::LogicalExpression(it) => it.left.span(),
            AstKind::CallExpression(it) => it.callee.span(),
            // What is between the tags of a component may depend on its other props.
            AstKind::JSXElement(it) if it.span != inner => it.opening_element.span,
            _ => return false,
        };
        !by.contains_inclusive(inner) && waiting.needs(module, by)
    })
}

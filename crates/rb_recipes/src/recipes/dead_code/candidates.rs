//! Everything in a file that could be dead, with the places that use it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Expression, Statement, TSType, VariableDeclaration, VariableDeclarationKind, VariableDeclarator,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::members;
use crate::cleaning::quiet::required;
use crate::cleaning::{is_quiet_class, is_quiet_variable};

/// Something that is declared.
pub(super) struct Candidate<'a> {
    pub name: String,
    pub what: &'static str,
    pub symbol: Option<SymbolId>,
    /// All that goes.
    pub span: Span,
    pub uses: Vec<Span>,
    pub place: Where<'a>,
    /// Why it has to stay though nothing uses it.
    pub doubt: Option<(String, &'static str)>,
    /// The candidates around each use, by their numbers; filled in once all are known.
    pub around: Vec<Vec<usize>>,
}

/// Where it stands.
#[derive(Clone, Copy)]
pub(super) enum Where<'a> {
    Statement {
        list: &'a [Statement<'a>],
        at: usize,
        is_top: bool,
    },
    /// One of the variables of a declaration.
    Variable {
        list: &'a [Statement<'a>],
        at: usize,
        declaration: &'a VariableDeclaration<'a>,
        number: usize,
        is_top: bool,
    },
    Member,
}

impl Where<'_> {
    pub(super) fn is_top(&self) -> bool {
        match self {
            Where::Statement { is_top, .. } | Where::Variable { is_top, .. } => *is_top,
            Where::Member => false,
        }
    }
}

pub(super) fn all<'a>(module: &Module<'a>) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    let top = module.program().body.as_ptr();
    for list in module.statement_lists() {
        let is_top = std::ptr::eq(list.as_ptr(), top) && !list.is_empty();
        for (at, statement) in list.iter().enumerate() {
            of_statement(module, list, at, statement, is_top, &mut found);
        }
    }
    members::find(module, &mut found);
    let spans: Vec<Span> = found.iter().map(|it: &Candidate<'_>| it.span).collect();
    for candidate in &mut found {
        candidate.around = candidate
            .uses
            .iter()
            .map(|used| {
                (0..spans.len()).filter(|&it| spans[it].contains_inclusive(*used)).collect()
            })
            .collect();
    }
    found
}

fn of_statement<'a>(
    module: &Module<'a>,
    list: &'a [Statement<'a>],
    at: usize,
    statement: &'a Statement<'a>,
    is_top: bool,
    found: &mut Vec<Candidate<'a>>,
) {
    let place = Where::Statement { list, at, is_top };
    let (id, what, doubt) = match statement {
        Statement::FunctionDeclaration(it) if it.body.is_some() && !it.declare => {
            (it.id.as_ref(), "function", None)
        }
        Statement::ClassDeclaration(it) if !it.declare => {
            let is_quiet = is_quiet_class(module, it);
            let doubt = (!is_quiet).then(|| {
                let why = "evaluating the class may have side effects: decorators, static code, computed names or its superclass";
                (why.to_owned(), "delete it if they are not needed")
            });
            (it.id.as_ref(), "class", doubt)
        }
        Statement::TSTypeAliasDeclaration(it) if !it.declare => (Some(&it.id), "type", None),
        Statement::TSInterfaceDeclaration(it) if !it.declare => (Some(&it.id), "interface", None),
        Statement::TSEnumDeclaration(it) if !it.declare => {
            let is_plain = it.body.members.iter().all(|it| {
                it.initializer.as_ref().is_none_or(|it| crate::cleaning::is_quiet(module, it))
            });
            let doubt =
                (!is_plain).then(|| ("its members are computed".to_owned(), "delete it by hand"));
            (Some(&it.id), "enum", doubt)
        }
        Statement::VariableDeclaration(it) if !it.declare => {
            variables(module, list, at, it, is_top, found);
            return;
        }
        _ => return,
    };
    let Some((id, symbol)) = id.and_then(|it| Some((it, it.symbol_id.get()?))) else { return };
    if !id.name.starts_with('_') {
        found.push(candidate(module, symbol, what, statement.span(), place, doubt));
    }
}

fn variables<'a>(
    module: &Module<'a>,
    list: &'a [Statement<'a>],
    at: usize,
    declaration: &'a VariableDeclaration<'a>,
    is_top: bool,
    found: &mut Vec<Candidate<'a>>,
) {
    let is_using = matches!(
        declaration.kind,
        VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing
    );
    let loads = |it: &VariableDeclarator<'a>| {
        it.init.as_ref().is_some_and(|it| required(module, it).is_some())
    };
    // What is required is looked at as an import.
    if is_using || declaration.declarations.iter().any(loads) {
        return;
    }
    for (number, declarator) in declaration.declarations.iter().enumerate() {
        let Some(id) = declarator.id.get_binding_identifier() else { continue };
        let Some(symbol) = id.symbol_id.get() else { continue };
        if id.name.starts_with('_') || is_check(module, declarator) {
            continue;
        }
        let doubt = (!is_quiet_variable(module, declarator)).then(|| {
            let advice = "delete it if they are not needed, or keep the value as a statement";
            ("computing its value may have side effects".to_owned(), advice)
        });
        let place = Where::Variable { list, at, declaration, number, is_top };
        let is_alone = declaration.declarations.len() == 1;
        let span = if is_alone { declaration.span } else { declarator.span };
        found.push(candidate(module, symbol, "variable", span, place, doubt));
    }
}

/// `const left: never = value` and `x satisfies T` are there for the type check.
fn is_check(module: &Module<'_>, declarator: &VariableDeclarator<'_>) -> bool {
    let is_never = declarator
        .type_annotation
        .as_ref()
        .is_some_and(|it| matches!(it.type_annotation, TSType::TSNeverKeyword(_)));
    let is_checked = declarator.init.as_ref().is_some_and(|it| {
        matches!(it, Expression::TSSatisfiesExpression(_))
            || (declarator.type_annotation.is_some() && matches!(it, Expression::Identifier(_)))
    });
    let _ = module;
    is_never || is_checked
}

fn candidate<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
    what: &'static str,
    span: Span,
    place: Where<'a>,
    doubt: Option<(String, &'static str)>,
) -> Candidate<'a> {
    let uses = module
        .scoping()
        .get_resolved_references(symbol)
        .map(|it| module.nodes().kind(it.node_id()).span())
        .collect();
    let name = module.name(symbol).to_owned();
    Candidate { name, what, symbol: Some(symbol), span, uses, place, doubt, around: Vec::new() }
}

/// Is the node below a function that begins inside of `span`?
pub(super) fn is_deeper(module: &Module<'_>, node: oxc_semantic::NodeId, span: Span) -> bool {
    module.ancestors(node).any(|kind| {
        matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_))
            && span.contains_inclusive(kind.span())
    })
}

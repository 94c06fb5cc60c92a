//! Where the index goes: right before the statement of the loop, or into the body of the arrow function that the loop is.

use oxc_ast::AstKind;
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};
use rb_rules::rules::js::hot::Round;

use super::report::Why;

/// Where an index is built, and up to where it serves.
#[derive(Clone, Copy)]
pub(super) struct IndexScope<'a> {
    /// Of the loop.
    pub(super) node: NodeId,
    /// From the building of the index to the end of the loop.
    pub(super) zone: Span,
    /// The outermost loop in the zone.
    pub(super) extent: Span,
    /// No other loop around runs the same code again with the same list.
    pub(super) is_final: bool,
    /// What the loop calls goes on when the loop is through.
    pub(super) is_lazy: bool,
    pub(super) spot: Spot<'a>,
    /// The list of statements in which the index is seen.
    pub(super) scope: Span,
}

#[derive(Clone, Copy)]
pub(super) enum Spot<'a> {
    Before(Span),
    /// `(…) => expression`
    Arrow(Func<'a>),
}

impl Spot<'_> {
    pub(super) fn start(&self) -> u32 {
        match self {
            Spot::Before(span) => span.start,
            Spot::Arrow(func) => func.span().start,
        }
    }
}

impl<'a> IndexScope<'a> {
    /// The same place, serving a later loop as well.
    pub(super) fn reaching(
        &self,
        module: &Module<'a>,
        later: &IndexScope<'a>,
    ) -> Option<IndexScope<'a>> {
        let Spot::Before(statement) = self.spot else { return None };
        let is_seen = self.scope.contains_inclusive(later.zone)
            && statement.end <= later.zone.start
            && module.function_around(self.node).map(Func::span)
                == module.function_around(later.node).map(Func::span);
        is_seen.then_some(IndexScope {
            zone: Span::new(self.zone.start, later.zone.end),
            extent: later.extent,
            is_final: self.is_final && later.is_final,
            is_lazy: self.is_lazy || later.is_lazy,
            ..*self
        })
    }
}

/// Is nothing between the spot and the search asked whether it is there? Types that are checked may know by such a
/// question alone that the list is there, and the index is built before it.
pub(super) fn is_unquestioned(module: &Module<'_>, root: SymbolId, place: &IndexScope<'_>) -> bool {
    let is_test = |kind: &AstKind<'_>| {
        matches!(
            kind,
            AstKind::IfStatement(_)
                | AstKind::ConditionalExpression(_)
                | AstKind::LogicalExpression(_)
                | AstKind::ChainExpression(_)
                | AstKind::TSNonNullExpression(_)
        )
    };
    let is_conditional = module
        .ancestors(place.node)
        .take_while(|kind| place.zone.start <= kind.span().start)
        .any(|kind| is_test(&kind));
    let is_questioned =
        module.uses(root).filter(|it| place.zone.contains_inclusive(it.span)).any(|it| {
            let mut inner = it.span;
            for kind in module.ancestors(it.node) {
                match kind {
                    AstKind::StaticMemberExpression(member) if member.object.span() == inner => {
                        if member.optional {
                            return true;
                        }
                        inner = member.span;
                    }
                    AstKind::UnaryExpression(_) | AstKind::BinaryExpression(_) => return true,
                    other => return is_test(&other),
                }
            }
            false
        });
    !is_conditional && !is_questioned
}

/// The place for a loop, with the list made before it.
pub(super) fn place<'a>(
    module: &Module<'a>,
    round: &Round<'a>,
    root: SymbolId,
    is_final: bool,
) -> Result<IndexScope<'a>, Why> {
    let (spot, extent, scope) = spot(module, round)?;
    let start = match spot {
        Spot::Before(span) => span.start,
        Spot::Arrow(func) => body_start(func),
    };
    let declared = module.scoping().symbol_span(root);
    let is_outer = module
        .function_around(round.node)
        .is_some_and(|func| !func.span().contains_inclusive(declared));
    if declared.end > start && !is_outer {
        return Err(Why::new(
            "the list is created in the statement that searches it",
            "give the list a statement of its own",
        ));
    }
    let (node, is_lazy) = (round.node, is_lazy(module, round));
    Ok(IndexScope {
        node,
        zone: Span::new(start, extent.end),
        extent,
        is_final,
        is_lazy,
        spot,
        scope,
    })
}

fn body_start(func: Func<'_>) -> u32 {
    func.returned().map_or(func.span().start, |it| it.span().start)
}

/// What the loop calls is asynchronous: it goes on when the loop is through.
fn is_lazy(module: &Module<'_>, round: &Round<'_>) -> bool {
    let AstKind::CallExpression(call) = module.nodes().kind(round.node) else { return false };
    rb_rules::rules::js::shapes::callback(call).is_some_and(|it| it.is_async() || it.is_generator())
}

fn no_place() -> Why {
    Why::new(
        "there is no line before the loop where an index could be built",
        "move the loop into a function",
    )
}

/// The spot, and the outermost loop that the code behind it runs in.
fn spot<'a>(module: &Module<'a>, round: &Round<'a>) -> Result<(Spot<'a>, Span, Span), Why> {
    let (mut inner, mut extent) = (round.span, round.span);
    for kind in module.ancestors(round.node) {
        let list = match kind {
            AstKind::ArrowFunctionExpression(arrow) if arrow.is_expression() => {
                let func = Func::of(kind).filter(|it| body_gap(module, *it).is_some());
                return func.map(|it| (Spot::Arrow(it), extent, it.span())).ok_or_else(no_place);
            }
            AstKind::PropertyDefinition(_)
            | AstKind::AccessorProperty(_)
            | AstKind::FormalParameter(_)
            | AstKind::SwitchCase(_)
            | AstKind::Function(_) => return Err(no_place()),
            // Without braces, or in its head: what is put before it serves all of its rounds.
            AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_) => {
                extent = kind.span();
                None
            }
            AstKind::Program(it) => Some(&it.body),
            AstKind::BlockStatement(it) => Some(&it.body),
            AstKind::FunctionBody(it) => Some(&it.statements),
            AstKind::StaticBlock(it) => Some(&it.body),
            AstKind::TSModuleBlock(it) => Some(&it.body),
            _ => None,
        };
        if let Some(list) = list {
            return before(module, list, inner)
                .map(|it| (it, extent, kind.span()))
                .ok_or_else(no_place);
        }
        inner = kind.span();
    }
    Err(no_place())
}

/// The statement of a list that holds a span, where it begins its line.
fn before<'a>(
    module: &Module<'a>,
    list: &'a [oxc_ast::ast::Statement<'a>],
    inner: Span,
) -> Option<Spot<'a>> {
    let statement = list.iter().map(GetSpan::span).find(|it| (*it).contains_inclusive(inner))?;
    let start = module.line_start(statement.start);
    let head = &module.text()[start as usize..statement.start as usize];
    head.trim().is_empty().then_some(Spot::Before(statement))
}

impl Spot<'_> {
    /// The edits that put lines of code there.
    pub(super) fn insert(&self, module: &Module<'_>, lines: &[String]) -> Vec<Edit> {
        let style = module.style();
        let eol = style.line_end;
        match self {
            Spot::Before(statement) => {
                let indent = module.indent_at(statement.start);
                let text = lines.join(&format!("{eol}{indent}")) + eol + indent;
                vec![Edit::insert(above_comments(module, statement.start), text)]
            }
            Spot::Arrow(func) => {
                let indent = module.indent_at(func.span().start);
                let inner = format!("{indent}{}", style.indent);
                let lines = inner.clone() + &lines.join(&format!("{eol}{inner}")) + eol;
                let Some(gap) = body_gap(module, *func) else { return Vec::new() };
                let semi = style.semicolon();
                let (head, end) =
                    bare_object(module, *func, gap).unwrap_or((gap.end, func.span().end));
                let tail = tail(module, *func, gap);
                vec![
                    Edit::replace(gap.start, head, format!(" {{{eol}{lines}{inner}return ")),
                    Edit::replace(end, tail, format!("{semi}{eol}{indent}}}")),
                ]
            }
        }
    }
}

impl Spot<'_> {
    /// The lines of a body that gets braces stand one step deeper; in a text of several lines nothing is moved.
    pub(super) fn deeper(&self, module: &Module<'_>) -> Vec<Edit> {
        let Spot::Arrow(func) = self else { return Vec::new() };
        let Some(gap) = body_gap(module, *func) else { return Vec::new() };
        let (start, end) = (gap.end as usize, func.span().end as usize);
        let body = &module.text()[start..end];
        if module.slice(gap).contains('\n') || body.contains('`') {
            return Vec::new();
        }
        let lines = body.match_indices('\n').map(|(at, _)| start + at + 1);
        let filled = lines.filter(|at| {
            !module.text()[*at..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r'])
        });
        filled
            .filter_map(|at| u32::try_from(at).ok())
            .map(|at| Edit::insert(at, module.style().indent))
            .collect()
    }
}

/// The white space behind `=>`; `None` where a comment stands there.
fn body_gap(module: &Module<'_>, func: Func<'_>) -> Option<Span> {
    let start = body_start(func);
    let text = &module.text()[func.span().start as usize..start as usize];
    let arrow = text.rfind("=>")? + 2;
    let rest = &text[arrow..];
    let blank = rest.len() - rest.trim_start().len();
    let from = func.span().start + u32::try_from(arrow).ok()?;
    let gap = Span::new(from, from + u32::try_from(blank).ok()?);
    (!rest.contains("//") && !rest.contains("/*")).then_some(gap)
}

/// Where the comments begin that stand right above a statement: they speak of it, and stay with it.
fn above_comments(module: &Module<'_>, statement: u32) -> u32 {
    let mut at = statement;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= statement) {
        let between = &module.text()[comment.span.end as usize..at as usize];
        let line = module.line_start(comment.span.start);
        let head = &module.text()[line as usize..comment.span.start as usize];
        let is_attached = between.trim().is_empty()
            && between.matches('\n').count() == 1
            && head.trim().is_empty();
        if !is_attached {
            break;
        }
        at = comment.span.start;
    }
    at
}

/// An arrow function alone on its lines, as the one argument of a call, gets its brace next to the one of the call.
fn tail(module: &Module<'_>, func: Func<'_>, gap: Span) -> u32 {
    let end = func.span().end;
    let AstKind::CallExpression(call) = module.parent(func.node()) else { return end };
    let before = &module.text()[call.callee.span().end as usize..func.span().start as usize];
    let rest = &module.text()[end as usize..call.span.end as usize - 1];
    let is_alone = call.arguments.len() == 1 && before == "(" && module.slice(gap).contains('\n');
    if is_alone && rest.trim_matches([',', ' ', '\n', '\r', '\t']).is_empty() {
        call.span.end - 1
    } else {
        end
    }
}

/// Where the object of `=> ({ … })` begins and ends: behind `return` it needs no parentheses.
fn bare_object(module: &Module<'_>, func: Func<'_>, gap: Span) -> Option<(u32, u32)> {
    let body = func.returned()?;
    let span = body.span();
    let before = &module.text()[gap.end as usize..span.start as usize];
    let after = &module.text()[span.end as usize..func.span().end as usize];
    let is_bare = matches!(body, oxc_ast::ast::Expression::ObjectExpression(_))
        && before == "("
        && after.trim() == ")";
    is_bare.then_some((span.start, span.end))
}

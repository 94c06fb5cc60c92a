//! Where `await` goes, and whether it needs parentheses there.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, Statement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Func;

use super::at::{Around, At};
use super::model::{Barrier, Key, Kind, Put};

/// What a call needs that gives a promise now.
#[derive(Default)]
pub(super) struct Wait {
    pub(super) edits: Vec<Put>,
    pub(super) up: Option<Key>,
    /// It is the last thing that its file does.
    pub(super) tail: bool,
    /// The edits that take the place of the others where this callback becomes a loop over what the call gives.
    pub(super) receiver: Option<(Key, Vec<Put>)>,
}

pub(super) enum AwaitPosition {
    /// It is awaited already, or given on as it is.
    Nothing,
    Plain,
    Parenthesised,
    Stuck(&'static str),
}

impl<'a> At<'_, 'a> {
    /// `behind` is put after the call, under the `await`.
    pub(super) fn wait(&self, call: &'a CallExpression<'a>, behind: &str) -> Result<Wait, Barrier> {
        let suggestion = "call it beforehand, and use its result";
        let stuck = |reason: &str| self.barrier(call.span, reason, suggestion);
        let mut node = call.node_id.get();
        let mut span = call.span;
        if let AstKind::ChainExpression(chain) = self.module.parent(node) {
            node = chain.node_id.get();
            span = chain.span;
        } else if is_optional(call) {
            return Err(stuck("a `?.` chain continues after the call"));
        }
        let mut wait = Wait::default();
        let around = match self.around(node) {
            Around::Func(func) => Some(func),
            Around::Top | Around::Main(_) => None,
            Around::Stuck(reason) => return Err(stuck(reason)),
        };
        if !behind.is_empty() {
            wait.edits.push(Put::close(&self.path, span, behind));
        }
        if let AstKind::StaticMemberExpression(member) = self.module.parent(node)
            && let Some(callback) = self.loop_over(member)
        {
            let mut edits = wait.edits.clone();
            edits.push(Put::open(&self.path, span, "await "));
            wait.receiver = Some((callback, edits));
        }
        match self.place(node, span, around) {
            AwaitPosition::Nothing => {}
            AwaitPosition::Plain => wait.edits.push(Put::open(&self.path, span, "await ")),
            AwaitPosition::Parenthesised => self.parenthesise(node, span, &mut wait.edits),
            AwaitPosition::Stuck(reason) => return Err(stuck(reason)),
        }
        match around {
            Some(func) if func.is_async() && self.waits_before(func, span) => {}
            Some(func) => wait.up = Some(self.key(func.span(), Kind::Func)),
            None => {
                let top = match self.around(node) {
                    Around::Main(block) => block,
                    _ => Span::new(0, 0),
                };
                wait.up = Some(self.key(top, Kind::Top));
                wait.tail = self.is_tail(node);
            }
        }
        Ok(wait)
    }

    /// Does an async function wait before this place, so that its caller has gone on already?
    fn waits_before(&self, func: Func<'a>, span: Span) -> bool {
        self.nodes_in(func.span()).any(|node| {
            matches!(node.kind(), AstKind::AwaitExpression(it)
                if it.span.end <= span.start && func.span().start <= it.span.start)
                && self.module.function_around(node.id()).is_some_and(|it| it.node() == func.node())
        })
    }

    fn parenthesise(&self, node: NodeId, span: Span, edits: &mut Vec<Put>) {
        let text = self.module.text();
        let has_own = text[..span.start as usize].ends_with('(')
            && text[span.end as usize..].starts_with(')')
            && !matches!(self.module.parent(node), AstKind::CallExpression(call) if call.callee.span() != span);
        if has_own && self.opens_for(node, span) {
            edits.push(Put::open(&self.path, span, "await "));
            return;
        }
        let needs_semicolon = !self.module.style().semicolons && self.begins_statement(span);
        let open = if needs_semicolon { ";(await " } else { "(await " };
        edits.push(Put::open(&self.path, span, open));
        edits.push(Put::close(&self.path, span, ")"));
    }

    /// Are the parentheses right around the expression its own? They are not where they belong to `if (…)` or a call.
    fn opens_for(&self, node: NodeId, span: Span) -> bool {
        let outer = self.module.parent(node).span();
        // Those of its own lie within what is around it.
        outer.start < span.start && span.end < outer.end
    }

    /// Would a parenthesis at this place be read as the arguments of what is before?
    fn begins_statement(&self, span: Span) -> bool {
        let statement = self.nodes_in(span).any(|node| {
            matches!(node.kind(), AstKind::ExpressionStatement(it) if it.span.start == span.start)
                && matches!(
                    self.module.parent(node.id()),
                    AstKind::Program(_)
                        | AstKind::FunctionBody(_)
                        | AstKind::BlockStatement(_)
                        | AstKind::SwitchCase(_)
                        | AstKind::StaticBlock(_)
                )
        });
        let before = self.module.text()[..span.start as usize].trim_end();
        statement && !before.is_empty() && !before.ends_with([';', '{', '}', ':'])
    }

    pub(super) fn place(
        &self,
        node: NodeId,
        span: Span,
        around: Option<Func<'a>>,
    ) -> AwaitPosition {
        match self.module.parent(node) {
            AstKind::AwaitExpression(_) => AwaitPosition::Nothing,
            AstKind::StaticMemberExpression(_) | AstKind::PrivateFieldExpression(_) => {
                AwaitPosition::Parenthesised
            }
            AstKind::ComputedMemberExpression(it) if it.object.span() == span => {
                AwaitPosition::Parenthesised
            }
            AstKind::CallExpression(it) if it.callee.span() == span => AwaitPosition::Parenthesised,
            AstKind::NewExpression(it) if it.callee.span() == span => AwaitPosition::Parenthesised,
            AstKind::TaggedTemplateExpression(_)
            | AstKind::UnaryExpression(_)
            | AstKind::BinaryExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::SpreadElement(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSNonNullExpression(_) => AwaitPosition::Parenthesised,
            AstKind::ConditionalExpression(it) if it.test.span() == span => {
                AwaitPosition::Parenthesised
            }
            AstKind::Class(_) => AwaitPosition::Stuck("an `extends` clause cannot use `await`"),
            AstKind::ReturnStatement(_) => {
                let Some(func) = around else { return AwaitPosition::Plain };
                if self.is_loop_body(func) || self.is_in_try(node, func) {
                    AwaitPosition::Plain
                } else {
                    AwaitPosition::Nothing
                }
            }
            AstKind::ArrowFunctionExpression(_) | AstKind::FunctionBody(_) => match around {
                Some(func) if !self.is_loop_body(func) => AwaitPosition::Nothing,
                _ => AwaitPosition::Plain,
            },
            _ => AwaitPosition::Plain,
        }
    }

    /// A promise that is returned out of `try` would fail outside of it.
    fn is_in_try(&self, node: NodeId, func: Func<'a>) -> bool {
        let ids = self.module.nodes().ancestor_ids(node);
        let mut inner = self.module.nodes().kind(node).span();
        for id in ids {
            if id == func.node() {
                return false;
            }
            if let AstKind::TryStatement(it) = self.module.nodes().kind(id) {
                let in_block = it.block.span.start <= inner.start && inner.end <= it.block.span.end;
                let in_finalizer =
                    it.finalizer.as_ref().is_some_and(|it| it.span.start <= inner.start);
                if in_block || (it.finalizer.is_some() && !in_finalizer) {
                    return true;
                }
            }
            inner = self.module.nodes().kind(id).span();
        }
        false
    }

    /// A bare call with nothing to come after it.
    fn is_tail(&self, node: NodeId) -> bool {
        let AstKind::ExpressionStatement(statement) = self.module.parent(node) else {
            return false;
        };
        let mut at = statement.node_id.get();
        for _ in 0..32 {
            let span = self.module.nodes().kind(at).span();
            let rest_is_quiet = |list: &[Statement<'a>]| {
                list.iter().filter(|it| it.span().start >= span.end).all(is_quiet)
            };
            match self.module.parent(at) {
                AstKind::Program(program) => return rest_is_quiet(&program.body),
                AstKind::BlockStatement(block) if rest_is_quiet(&block.body) => {
                    at = block.node_id.get();
                }
                AstKind::IfStatement(it) => at = it.node_id.get(),
                _ => return false,
            }
        }
        false
    }
}

/// A statement that does nothing where it stands.
pub(super) fn is_quiet(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::FunctionDeclaration(_)
            | Statement::EmptyStatement(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
    )
}

/// Is there a `?.` in the call or in what it is called on?
fn is_optional(call: &CallExpression<'_>) -> bool {
    if call.optional {
        return true;
    }
    let mut expression = &call.callee;
    for _ in 0..64 {
        expression = match expression {
            Expression::StaticMemberExpression(it) if it.optional => return true,
            Expression::ComputedMemberExpression(it) if it.optional => return true,
            Expression::PrivateFieldExpression(it) if it.optional => return true,
            Expression::CallExpression(it) if it.optional => return true,
            Expression::StaticMemberExpression(it) => &it.object,
            Expression::ComputedMemberExpression(it) => &it.object,
            Expression::PrivateFieldExpression(it) => &it.object,
            Expression::CallExpression(it) => &it.callee,
            Expression::TSNonNullExpression(it) => &it.expression,
            _ => return false,
        };
    }
    true
}

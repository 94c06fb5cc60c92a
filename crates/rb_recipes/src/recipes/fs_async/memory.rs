//! State that outlives a call: read, then a new wait, then written with what was read.
//!
//! A value that is only kept for the next time, under a key or as a whole, does no harm when it is made twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression, SimpleAssignmentTarget, Statement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::at::Cx;
use super::model::{Barrier, Key};

const CHANGES: &[&str] = &[
    "add", "clear", "delete", "pop", "push", "reverse", "set", "shift", "sort", "splice", "unshift",
];

/// A place that is written: the state, up to where it is written, with what, by which node.
struct Write<'a> {
    state: State,
    at: u32,
    values: Vec<Span>,
    node: NodeId,
    code: &'a str,
}

/// A name from outside of the function with the member that is meant, as text: `ids`, `this.next`, `state.count`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    name: String,
    declared: u32,
    member: String,
}

/// Is there anything in the file that outlives a call?
pub(super) fn may_matter(cx: &Cx<'_>, func: &Key) -> bool {
    let text = cx.planning.world.text(&func.path);
    text.is_some_and(|text| {
        let inner = &text[func.start as usize..func.end as usize];
        inner.contains('=')
            || inner.contains("++")
            || inner.contains("--")
            || CHANGES.iter().any(|it| inner.contains(&format!(".{it}(")))
    })
}

/// The waits that would come between a read of such a state and its write.
pub(super) fn barriers(cx: &Cx<'_>, func: &Key, waits: &[(u32, &Key)]) -> Vec<(Key, Barrier)> {
    let found = cx.planning.world.with_module(&func.path, |module| {
        let body = Body { module, span: func.span() };
        let awaits = body.awaits();
        let mut found = Vec::new();
        for write in body.writes() {
            let Some(read) = body.read_before(&write) else { continue };
            let between = |at: u32| read.start < at && at <= write.at;
            if awaits.iter().any(|&at| between(at)) || body.is_kept_value(&write) {
                continue;
            }
            let (first, last) = (module.line(read.start), module.line(write.at));
            for (_, key) in waits.iter().filter(|(end, _)| between(*end)) {
                found.push(((*key).clone(), first, last, write.code.to_owned()));
            }
        }
        found
    });
    let barrier = |(key, first, last, code): (Key, u32, u32, String)| {
        let lines = if first == last {
            format!("line {first}")
        } else {
            format!("lines {first} and {last}")
        };
        let barrier = Barrier {
            path: Arc::clone(&func.path),
            line: last,
            reason: format!(
                "`{code}` is shared: it would be read before the new `await` and written after it ({lines}), so concurrent calls could lose a change"
            ),
            suggestion: format!("update `{code}` in one step before the `await`, then run again"),
        };
        (key, barrier)
    };
    found.unwrap_or_default().into_iter().map(barrier).collect()
}

struct Body<'m, 'a> {
    module: &'m Module<'a>,
    span: Span,
}

impl<'a> Body<'_, 'a> {
    fn is_own(&self, node: NodeId) -> bool {
        self.module.function_around(node).is_some_and(|it| it.span() == self.span)
    }

    /// Where the function waits already.
    fn awaits(&self) -> Vec<u32> {
        let nodes = self.module.nodes().iter().filter(|it| self.is_own(it.id()));
        nodes
            .filter_map(|node| match node.kind() {
                AstKind::AwaitExpression(it) => Some(it.span.end),
                _ => None,
            })
            .collect()
    }

    fn writes(&self) -> Vec<Write<'a>> {
        let mut found = Vec::new();
        for node in self.module.nodes().iter().filter(|it| self.is_own(it.id())) {
            let (target, at, values) = match node.kind() {
                AstKind::AssignmentExpression(it) => {
                    let value = it.right.span();
                    (it.left.span(), value.end, vec![value])
                }
                AstKind::UpdateExpression(it) => {
                    let SimpleAssignmentTarget::AssignmentTargetIdentifier(_) = &it.argument else {
                        continue;
                    };
                    (it.argument.span(), it.span.end, Vec::new())
                }
                AstKind::CallExpression(it) => {
                    let Expression::StaticMemberExpression(member) = &it.callee else { continue };
                    if !CHANGES.contains(&member.property.name.as_str()) {
                        continue;
                    }
                    let values = it.arguments.iter().map(GetSpan::span).collect();
                    (member.object.span(), it.span.end, values)
                }
                _ => continue,
            };
            let Some(state) = self.state_at(target, node.kind()) else { continue };
            let code = self.module.slice(target);
            found.push(Write { state, at, values, node: node.id(), code });
        }
        found
    }

    /// The state that a target belongs to, where it outlives the function.
    fn state_at(&self, target: Span, kind: AstKind<'a>) -> Option<State> {
        match kind {
            AstKind::AssignmentExpression(it) => match &it.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => self.named(name, ""),
                AssignmentTarget::StaticMemberExpression(it) => {
                    self.state_of(&it.object, &it.property.name)
                }
                AssignmentTarget::ComputedMemberExpression(it) => self.state(&it.object),
                _ => None,
            },
            AstKind::UpdateExpression(it) => match &it.argument {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.named(name, ""),
                _ => None,
            },
            AstKind::CallExpression(it) => match &it.callee {
                Expression::StaticMemberExpression(member) if member.object.span() == target => {
                    self.state(&member.object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn state(&self, expression: &Expression<'a>) -> Option<State> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => self.named(name, ""),
            Expression::StaticMemberExpression(it) => self.state_of(&it.object, &it.property.name),
            _ => None,
        }
    }

    fn state_of(&self, object: &Expression<'a>, member: &str) -> Option<State> {
        match object.get_inner_expression() {
            Expression::ThisExpression(_) => {
                let (name, member) = ("this".to_owned(), member.to_owned());
                Some(State { name, declared: 0, member })
            }
            Expression::Identifier(name) => self.named(name, member),
            _ => None,
        }
    }

    fn named(&self, name: &oxc_ast::ast::IdentifierReference<'a>, member: &str) -> Option<State> {
        let symbol = self.module.symbol(name)?;
        let declared = self.module.scoping().symbol_span(symbol);
        let is_outer = self.module.is_top_level(symbol);
        is_outer.then(|| State {
            name: name.name.to_string(),
            declared: declared.start,
            member: member.to_owned(),
        })
    }

    /// All places of the function where a state is read, in the order of the text.
    fn reads(&self, state: &State) -> Vec<Span> {
        let nodes = self.module.nodes().iter().filter(|it| self.is_own(it.id()));
        let mut found: Vec<Span> = nodes
            .filter(|node| !self.is_target(node.id()))
            .filter_map(|node| {
                let read = match node.kind() {
                    AstKind::IdentifierReference(it) if state.member.is_empty() => {
                        self.named(it, "")
                    }
                    AstKind::StaticMemberExpression(it) if !state.member.is_empty() => {
                        self.state_of(&it.object, &it.property.name)
                    }
                    _ => None,
                };
                (read.as_ref() == Some(state)).then(|| node.kind().span())
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// Is it written here, or changed in one step, and not looked at?
    fn is_target(&self, node: NodeId) -> bool {
        let span = self.module.nodes().kind(node).span();
        match self.module.parent(node) {
            AstKind::AssignmentExpression(it) => {
                it.left.span() == span && (it.operator.is_assign() || it.operator.is_logical())
            }
            AstKind::UpdateExpression(it) => {
                matches!(self.module.parent(it.node_id.get()), AstKind::ExpressionStatement(_))
            }
            AstKind::ComputedMemberExpression(it) if it.object.span() == span => {
                matches!(self.module.parent(it.node_id.get()),
                    AstKind::AssignmentExpression(outer) if outer.left.span() == it.span)
            }
            AstKind::StaticMemberExpression(it) if it.object.span() == span => {
                let changes = CHANGES.contains(&it.property.name.as_str());
                let outer = self.module.nodes().parent_id(it.node_id.get());
                changes && matches!(self.module.parent(outer), AstKind::ExpressionStatement(_))
            }
            _ => false,
        }
    }

    /// The first place where what is written was read, or where it was asked whether to write.
    fn read_before(&self, write: &Write<'a>) -> Option<Span> {
        let reads = self.reads(&write.state);
        let own: Vec<Span> = reads
            .iter()
            .copied()
            .filter(|it| write.values.iter().any(|value| value.contains_inclusive(*it)))
            .collect();
        if let Some(first) = own.first() {
            return Some(*first);
        }
        if let AstKind::AssignmentExpression(it) = self.module.nodes().kind(write.node)
            && !it.operator.is_assign()
        {
            return Some(Span::empty(it.span.start));
        }
        let before = reads.into_iter().filter(|it| it.end <= write.at);
        before.into_iter().find(|read| self.flows(*read, write) || self.guards(*read, write.node))
    }

    /// Does what was read reach the value through local names?
    fn flows(&self, read: Span, write: &Write<'a>) -> bool {
        let mut tainted: BTreeSet<u32> = BTreeSet::new();
        for _ in 0..4 {
            for declarator in self.module.declarators() {
                let Some(init) = &declarator.init else { continue };
                if !self.span.contains_inclusive(declarator.span) {
                    continue;
                }
                let mentions =
                    init.span().contains_inclusive(read) || self.mentions(init.span(), &tainted);
                if mentions {
                    let names = declarator.id.get_binding_identifiers();
                    tainted.extend(names.iter().map(|it| it.span.start));
                }
            }
        }
        write.values.iter().any(|value| self.mentions(*value, &tainted))
    }

    fn mentions(&self, span: Span, declared: &BTreeSet<u32>) -> bool {
        self.module.identifiers_in(span).iter().any(|it| {
            let symbol = self.module.symbol(it);
            symbol.is_some_and(|it| declared.contains(&self.module.scoping().symbol_span(it).start))
        })
    }

    /// Does a test that holds the read decide whether the node runs?
    fn guards(&self, read: Span, node: NodeId) -> bool {
        let at = self.module.nodes().kind(node).span();
        self.module.nodes().iter().filter(|it| self.is_own(it.id())).any(|it| {
            let AstKind::IfStatement(choice) = it.kind() else { return false };
            if !choice.test.span().contains_inclusive(read) {
                return false;
            }
            choice.consequent.span().contains_inclusive(at)
                || (choice.span.end <= at.start && leaves(&choice.consequent))
        })
    }

    /// Is the state a value that is made once and kept: returned where it is there, and changed nowhere else?
    fn is_kept_value(&self, write: &Write<'a>) -> bool {
        let reads = self.reads(&write.state);
        let in_value = |it: &Span| write.values.iter().any(|value| value.contains_inclusive(*it));
        if reads.iter().any(in_value) || self.computes(write.node) {
            return false;
        }
        let asks = reads.iter().filter(|it| it.end <= write.at && !self.is_returned(**it));
        let only_asked = asks.into_iter().all(|it| self.is_asked(*it));
        only_asked && self.throws_nowhere(write) && !self.changes_elsewhere(&write.state)
    }

    /// `total += …`
    fn computes(&self, node: NodeId) -> bool {
        matches!(self.module.nodes().kind(node), AstKind::AssignmentExpression(it)
            if !it.operator.is_logical() && !it.operator.is_assign())
    }

    /// `if (!kept)`, `if (kept.has(key))`
    fn is_asked(&self, read: Span) -> bool {
        self.module.nodes().iter().any(|it| {
            matches!(it.kind(), AstKind::IfStatement(choice)
                if choice.test.span().contains_inclusive(read)
                    && !self.module.slice(choice.test.span()).contains(['<', '>', '+'])
                    && !self.module.slice(choice.test.span()).contains(".length")
                    && !self.module.slice(choice.test.span()).contains(".size"))
        })
    }

    fn is_returned(&self, read: Span) -> bool {
        self.module.nodes().iter().any(|it| {
            matches!(it.kind(), AstKind::ReturnStatement(it) if it.span.contains_inclusive(read))
        })
    }

    /// A choice that ends in `throw` asks for more than a kept value.
    fn throws_nowhere(&self, write: &Write<'a>) -> bool {
        let reads = self.reads(&write.state);
        !self.module.nodes().iter().filter(|it| self.is_own(it.id())).any(|it| {
            matches!(it.kind(), AstKind::IfStatement(choice)
                if reads.iter().any(|read| choice.test.span().contains_inclusive(*read))
                    && throws(&choice.consequent))
        })
    }

    /// Is it given other than empty values outside of this function?
    fn changes_elsewhere(&self, state: &State) -> bool {
        self.module.nodes().iter().any(|node| {
            if self.span.contains_inclusive(node.kind().span()) {
                return false;
            }
            let (target, value) = match node.kind() {
                AstKind::AssignmentExpression(it) => (it.left.span(), Some(&it.right)),
                AstKind::CallExpression(it) => match &it.callee {
                    Expression::StaticMemberExpression(member)
                        if matches!(
                            member.property.name.as_str(),
                            "set" | "push" | "add" | "splice" | "unshift"
                        ) =>
                    {
                        (member.object.span(), None)
                    }
                    _ => return false,
                },
                _ => return false,
            };
            let is_empty = value.is_some_and(|it| is_nothing(it));
            !is_empty && self.state_at(target, node.kind()).as_ref() == Some(state)
        })
    }
}

/// `null`, `undefined`, `0`, `{}`, `new Map()`
fn is_nothing(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_) => true,
        Expression::Identifier(it) => it.name == "undefined",
        Expression::ObjectExpression(it) => it.properties.is_empty(),
        Expression::ArrayExpression(it) => it.elements.is_empty(),
        Expression::NewExpression(it) => it.arguments.is_empty(),
        _ => false,
    }
}

fn last<'s, 'a>(statement: &'s Statement<'a>) -> &'s Statement<'a> {
    match statement {
        Statement::BlockStatement(it) => it.body.last().unwrap_or(statement),
        other => other,
    }
}

fn leaves(statement: &Statement<'_>) -> bool {
    matches!(last(statement), Statement::ReturnStatement(_) | Statement::ThrowStatement(_))
}

fn throws(statement: &Statement<'_>) -> bool {
    matches!(last(statement), Statement::ThrowStatement(_))
}

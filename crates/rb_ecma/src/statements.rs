//! Statements in their lists: what stands beside a node, before it and after it.

use oxc_ast::AstKind;
use oxc_ast::ast::Statement;
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use crate::module::Module;

/// A statement and the list that it stands in.
#[derive(Debug, Clone, Copy)]
pub struct Siblings<'a> {
    pub list: &'a [Statement<'a>],
    pub at: usize,
}

impl<'a> Siblings<'a> {
    pub fn statement(&self) -> &'a Statement<'a> {
        &self.list[self.at]
    }

    pub fn before(&self) -> &'a [Statement<'a>] {
        &self.list[..self.at]
    }

    pub fn after(&self) -> &'a [Statement<'a>] {
        &self.list[self.at + 1..]
    }
}

impl<'a> Module<'a> {
    /// The innermost statement around a node that stands in a list, with that list. The body of an `if` without braces
    /// stands in none.
    pub fn siblings(&self, node: NodeId) -> Option<Siblings<'a>> {
        let span = self.nodes().kind(node).span();
        self.ancestors(node).find_map(|kind| {
            let list = statements_of(kind)?;
            let at = list.iter().position(|it| it.span().contains_inclusive(span))?;
            Some(Siblings { list, at })
        })
    }

    /// Every list of statements of the file: the file itself, bodies, blocks, cases.
    pub fn statement_lists(&self) -> impl Iterator<Item = &'a [Statement<'a>]> + '_ {
        self.nodes().iter().filter_map(|node| statements_of(node.kind()))
    }

    /// Is the node in a loop, or in a function that an array method calls for each element, below `within`?
    pub fn is_in_loop(&self, node: NodeId, within: Span) -> bool {
        let mut inner = self.nodes().kind(node).span();
        for kind in self.ancestors(node) {
            let span = kind.span();
            if !within.contains_inclusive(span) || span == within {
                break;
            }
            let is_loop = match kind {
                AstKind::ForStatement(it) => {
                    it.body.span().contains_inclusive(inner)
                        || it
                            .test
                            .as_ref()
                            .is_some_and(|test| test.span().contains_inclusive(inner))
                        || it
                            .update
                            .as_ref()
                            .is_some_and(|update| update.span().contains_inclusive(inner))
                }
                AstKind::ForInStatement(it) => it.body.span().contains_inclusive(inner),
                AstKind::ForOfStatement(it) => it.body.span().contains_inclusive(inner),
                AstKind::WhileStatement(_) | AstKind::DoWhileStatement(_) => true,
                AstKind::CallExpression(call) => {
                    is_iteration(call)
                        && call.arguments.iter().any(|it| it.span().contains_inclusive(inner))
                }
                _ => false,
            };
            if is_loop {
                return true;
            }
            inner = span;
        }
        false
    }
}

fn statements_of(kind: AstKind<'_>) -> Option<&[Statement<'_>]> {
    match kind {
        AstKind::Program(it) => Some(&it.body),
        AstKind::BlockStatement(it) => Some(&it.body),
        AstKind::FunctionBody(it) => Some(&it.statements),
        AstKind::SwitchCase(it) => Some(&it.consequent),
        AstKind::StaticBlock(it) => Some(&it.body),
        _ => None,
    }
}

/// Methods of arrays that call a function for each element, at once.
pub const EACH_METHODS: &[&str] = &[
    "map",
    "filter",
    "forEach",
    "some",
    "every",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "reduce",
    "reduceRight",
    "flatMap",
    "sort",
    "toSorted",
];

/// `xs.map(…)` and its like, with the function written in place.
fn is_iteration(call: &oxc_ast::ast::CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else {
        return false;
    };
    member.static_property_name().is_some_and(|name| EACH_METHODS.contains(&name))
        && call
            .arguments
            .first()
            .and_then(|it| it.as_expression())
            .is_some_and(|it| it.get_inner_expression().is_function())
}

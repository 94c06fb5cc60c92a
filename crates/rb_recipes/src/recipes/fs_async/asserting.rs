//! Assertions that something throws: of a promise, they have to say that it is rejected.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_span::{GetSpan, Span};
use rb_ecma::Func;

use super::at::{At, last_name};
use super::model::{Node, Put};

/// Throwing and what says it of a promise.
const ASSERT: &[(&str, &str)] = &[("throws", "rejects"), ("doesNotThrow", "doesNotReject")];
const TAP: &[(&str, &str)] = &[("throws", "rejects"), ("doesNotThrow", "resolves")];
const AVA: &[(&str, &str)] = &[("throws", "throwsAsync"), ("notThrows", "notThrowsAsync")];
const MATCHERS: &[&str] = &[
    "toThrow",
    "toThrowError",
    "toThrowErrorMatchingSnapshot",
    "toThrowErrorMatchingInlineSnapshot",
];

impl<'a> At<'_, 'a> {
    /// Is the callback one that is asserted to throw? Then what has to be said is said in `node`.
    pub(super) fn throws(
        &self,
        node: &mut Node,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
    ) -> bool {
        if call.callee.is_specific_id("expect") {
            self.expected(node, func, call);
            return true;
        }
        let Expression::StaticMemberExpression(callee) = &call.callee else { return false };
        let name = callee.property.name.as_str();
        let object = self.module.slice(callee.object.span());
        let from = |names: &[&str]| {
            self.links
                .imports
                .iter()
                .any(|it| names.contains(&it.specifier.trim_start_matches("node:")))
        };
        let table = if object.starts_with("assert") && from(&["assert", "assert/strict"]) {
            ASSERT
        } else if from(&["ava"]) && object == "t" {
            AVA
        } else if from(&["tap", "@tapjs/core"]) {
            TAP
        } else {
            return false;
        };
        let Some((_, waiting)) = table.iter().find(|it| it.0 == name) else { return false };
        let AstKind::ExpressionStatement(statement) = self.module.parent(call.node_id.get()) else {
            node.barrier = Some(self.barrier(
                call.span,
                format!("the result of `{object}.{name}` is used"),
                "await it by hand",
            ));
            return true;
        };
        let property = callee.property.span;
        node.edits.push(self.make_async(func));
        node.edits.push(Put::replace(&self.path, property.start, property.end, *waiting));
        node.edits.push(Put::open(&self.path, statement.span, "await "));
        self.up_from(node, call.node_id.get());
        true
    }

    /// `expect(() => f()).toThrow(…)`
    fn expected(&self, node: &mut Node, func: Func<'a>, call: &'a CallExpression<'a>) {
        let Some((statement, matcher, is_not)) = self.matcher(call) else {
            let reason = "this use of `expect` has no form for promises";
            let suggestion = "await the call, then pass its result to `expect`";
            node.barrier = Some(self.barrier(call.span, reason, suggestion));
            return;
        };
        if !MATCHERS.contains(&matcher) {
            let reason = format!("`{matcher}` has no form for promises");
            let suggestion = "await the call in `try`, then pass the caught error to `expect`";
            node.barrier = Some(self.barrier(call.span, reason, suggestion));
            return;
        }
        node.edits.push(match self.only_call(func) {
            // The promise itself, where nothing but the call can throw.
            Some(start) => Put::replace(&self.path, func.span().start, start, ""),
            None => self.make_async(func),
        });
        node.edits.push(Put::open(&self.path, statement, "await "));
        let word = if is_not { ".resolves" } else { ".rejects" };
        node.edits.push(Put::close(&self.path, call.span, word));
        self.up_from(node, call.node_id.get());
    }

    /// What is asked of an expectation: the statement, the matcher, and whether it is negated.
    fn matcher(&self, call: &'a CallExpression<'a>) -> Option<(Span, &'a str, bool)> {
        let mut at = call.node_id.get();
        let mut is_not = false;
        let matcher = loop {
            let AstKind::StaticMemberExpression(member) = self.module.parent(at) else {
                return None;
            };
            at = member.node_id.get();
            if member.property.name != "not" {
                break member.property.name.as_str();
            }
            is_not = true;
        };
        let AstKind::CallExpression(outer) = self.module.parent(at) else { return None };
        if last_name(&outer.callee) != Some(matcher) {
            return None;
        }
        match self.module.parent(outer.node_id.get()) {
            AstKind::ExpressionStatement(statement) => Some((statement.span, matcher, is_not)),
            _ => None,
        }
    }

    /// Where the call begins that is all a function does, with arguments that are there already.
    fn only_call(&self, func: Func<'a>) -> Option<u32> {
        let Func::Arrow(arrow) = func else { return None };
        let Expression::CallExpression(call) = arrow.body.as_expression()? else { return None };
        let is_plain = call
            .arguments
            .iter()
            .all(|it| it.as_expression().is_some_and(|it| self.module.is_total(it)));
        let span = Span::new(func.span().start, call.span.start);
        (is_plain && !self.module.has_comment(span) && !call.optional).then_some(call.span.start)
    }
}

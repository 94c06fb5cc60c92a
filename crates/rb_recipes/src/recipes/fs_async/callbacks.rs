//! Callbacks that have to wait: of array methods, which become loops or `Promise.all`, of promises, of tests.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, StaticMemberExpression};
use oxc_span::GetSpan;
use rb_ecma::Func;

use super::at::{At, first_name, last_name};
use super::awaits::AwaitPosition;
use super::model::{Barrier, Key, Kind, Node, Parallel, Put};
use super::roles::Role;

/// Array methods that become a loop around the body of their callback.
const LOOPS: &[&str] = &["forEach", "filter", "find", "some", "every"];
/// Functions of test runners that wait for what their callback gives.
const WAITING: &[&str] = &[
    "it",
    "test",
    "specify",
    "before",
    "after",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
    "fit",
    "xit",
    "xtest",
];
const GROUPS: &[&str] = &["describe", "context", "suite", "fdescribe", "xdescribe"];
/// Runners that give their callbacks something to work with, and not `done`.
const NO_DONE: &[&str] =
    &["vitest", "node:test", "tap", "ava", "tape", "bun:test", "@playwright/test", "uvu"];

impl<'a> At<'_, 'a> {
    pub(super) fn callback(
        &self,
        node: &mut Node,
        func: Func<'a>,
        call: &'a CallExpression<'a>,
        at: usize,
    ) {
        let taker = self.taker(&call.callee);
        let is_method =
            matches!(call.callee.get_inner_expression(), Expression::StaticMemberExpression(_));
        if self.is_test_call(call) {
            if let Some(barrier) = self.takes_done(func, call) {
                node.barrier = Some(barrier);
            }
            node.edits.push(self.make_async(func));
        } else if is_method && matches!(taker.as_str(), "then" | "catch" | "finally") {
            node.edits.push(self.make_async(func));
        } else if self.throws(node, func, call) {
            // Said there.
        } else if is_method && at == 0 && LOOPS.contains(&taker.as_str()) {
            self.make_loop(node, func, call, &taker);
        } else if is_method && at == 0 && taker == "map" {
            self.map(node, func, call);
        } else if is_method && taker == "action" && self.depends_on("commander") {
            node.edits.push(self.make_async(func));
        } else {
            node.barrier = Some(self.not_waiting(func, call, &taker));
        }
    }

    fn not_waiting(&self, func: Func<'a>, call: &'a CallExpression<'a>, taker: &str) -> Barrier {
        let (reason, suggestion) = match taker {
            "sort" | "toSorted" => (
                "the comparator of `sort` cannot be async".to_owned(),
                "read the compared values before the sort",
            ),
            "replace" | "replaceAll" => (
                format!("`{taker}` uses the result of its callback immediately"),
                "read the files beforehand, and use their content",
            ),
            "on" | "once" | "addListener" | "addEventListener" => {
                let event = call.arguments.first().map_or("", |it| self.module.slice(it.span()));
                (
                    format!("`{taker}({event}, …)` does not await its listener"),
                    "check whether the listener can be async, then change it by hand",
                )
            }
            it if GROUPS.contains(&it) => {
                (format!("`{taker}` does not await its function"), "move the call into `before`")
            }
            _ if last_name(&call.callee) == Some("Promise") => {
                ("`Promise` does not await its executor".to_owned(), "")
            }
            _ => (
                format!("`{taker}` does not await its callback"),
                "read the files beforehand, or check whether the callee awaits promises",
            ),
        };
        self.barrier(func.span(), reason, suggestion)
    }

    pub(super) fn depends_on(&self, package: &str) -> bool {
        self.cx.planning.world.facts(&self.path).is_some_and(|it| it.package.depends_on(package))
    }

    /// `it(…)`, `test.only(…)`, `it.each(…)(…)`, `t.test(…)`.
    pub(super) fn is_test_call(&self, call: &CallExpression<'a>) -> bool {
        let first = first_name(&call.callee).unwrap_or_default();
        if matches!(&call.callee, Expression::StaticMemberExpression(_)) {
            let last = last_name(&call.callee).unwrap_or_default();
            let is_tap = matches!(
                last,
                "test" | "before" | "after" | "beforeEach" | "afterEach" | "teardown"
            ) && (matches!(first, "t" | "tap" | "ct" | "st" | "tt" | "suite")
                && first_is_bare(&call.callee));
            if is_tap && self.is_test_file() {
                return true;
            }
            let is_kind =
                matches!(last, "only" | "skip" | "concurrent" | "serial" | "failing" | "fails");
            return is_kind && WAITING.contains(&first) && self.is_test_file();
        }
        WAITING.contains(&first) && self.is_test_file()
    }

    pub(super) fn is_group(&self, call: &CallExpression<'a>) -> bool {
        self.is_test_file() && first_name(&call.callee).is_some_and(|it| GROUPS.contains(&it))
    }

    fn is_test_file(&self) -> bool {
        self.kind == rb_rules::FileKind::Test
    }

    /// A test that says by `done` that it is over must not give a promise, too.
    fn takes_done(&self, func: Func<'a>, call: &CallExpression<'a>) -> Option<Barrier> {
        if func.params().items.is_empty() || matches!(&call.callee, Expression::CallExpression(_)) {
            return None;
        }
        let is_other = self.links.imports.iter().any(|it| NO_DONE.contains(&it.specifier.as_str()));
        let is_tap = matches!(&call.callee, Expression::StaticMemberExpression(it) if it.property.name == "test");
        if is_other || is_tap {
            return None;
        }
        Some(self.barrier(
            func.span(),
            "the test ends with a callback, so it must not also return a promise",
            "use `await` in the test and remove the callback, then run again",
        ))
    }

    /// Will the body of the function stand in a loop?
    pub(super) fn is_loop_body(&self, func: Func<'a>) -> bool {
        match self.role(func) {
            Role::Argument { call, at: 0 } => {
                let is_method = matches!(&call.callee, Expression::StaticMemberExpression(_));
                is_method && last_name(&call.callee).is_some_and(|it| LOOPS.contains(&it))
            }
            _ => false,
        }
    }

    /// The callback of `xs.forEach(x => …)`, of `xs.forEach`: if it becomes a loop, `xs` stands behind `of`.
    pub(super) fn loop_over(&self, member: &StaticMemberExpression<'a>) -> Option<Key> {
        let AstKind::CallExpression(call) = self.module.parent(member.node_id.get()) else {
            return None;
        };
        if call.callee.span() != member.span || !LOOPS.contains(&member.property.name.as_str()) {
            return None;
        }
        let func = Func::of_expression(call.arguments.first()?.as_expression()?)?;
        let is_plain = !func.is_async() && func.params().items.len() == 1;
        is_plain.then(|| self.key(func.span(), Kind::Func))
    }

    fn map(&self, node: &mut Node, func: Func<'a>, call: &'a CallExpression<'a>) {
        if call.arguments.len() != 1 {
            node.barrier = Some(self.barrier(
                call.span,
                "`map` is called with a `this` argument",
                "use an arrow function",
            ));
            return;
        }
        node.edits.push(self.make_async(func));
        self.returns(node, func);
        let otherwise = self.map_loop(func, call);
        let key = self.key(func.span(), Kind::Func);
        let found = self.all_at_once(call, Parallel { of: vec![key], otherwise });
        node.edits.extend(found.edits);
        node.ups.extend(found.ups);
        node.parallel = found.parallel;
        node.barrier = found.barrier;
    }

    /// `await Promise.all(xs.map(…))`
    pub(super) fn all_at_once(&self, call: &'a CallExpression<'a>, parallel: Parallel) -> Node {
        let mut node = Node::default();
        let at = call.node_id.get();
        if let AstKind::CallExpression(outer) = self.module.parent(at)
            && let Expression::StaticMemberExpression(member) = &outer.callee
            && self.module.is_global_named(&member.object, "Promise")
            && outer.arguments.first().is_some_and(|it| it.span() == call.span)
        {
            node.parallel = Some(parallel);
            return node;
        }
        if matches!(self.module.parent(at), AstKind::ChainExpression(_)) {
            node.barrier =
                Some(self.barrier(call.span, "`map` is called with `?.`", "check the value first"));
            return node;
        }
        let around = self.module.function_around(at);
        let (open, close) = match self.place(at, call.span, around) {
            AwaitPosition::Nothing => ("Promise.all(", ")"),
            AwaitPosition::Plain => ("await Promise.all(", ")"),
            AwaitPosition::Parenthesised => ("(await Promise.all(", "))"),
            AwaitPosition::Stuck(reason) => {
                node.barrier = Some(self.barrier(call.span, reason, "call `map` beforehand"));
                return node;
            }
        };
        node.edits.push(Put::open(&self.path, call.span, open));
        node.edits.push(Put::close(&self.path, call.span, close));
        node.parallel = Some(parallel);
        self.up_from(&mut node, at);
        node
    }
}

fn first_is_bare(callee: &Expression<'_>) -> bool {
    matches!(callee, Expression::StaticMemberExpression(it) if matches!(it.object, Expression::Identifier(_)))
}

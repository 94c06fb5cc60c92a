//! What follows where a function is used that gives a promise now: its call is awaited, its other names are followed.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentExpression, BindingPattern, CallExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use super::at::{At, last_name};
use super::model::{Change, Key, Kind, Node, Parallel, Put, Site};
use crate::links::WHOLE;

impl<'a> At<'_, 'a> {
    /// An expression that is such a function.
    pub(super) fn visit_use(&self, key: &Key) -> Node {
        let Some(node) = self.expression(key) else {
            let lost = self.left_site(key);
            return lost.unwrap_or_else(|| {
                self.stuck(key.span(), "the use cannot be found again", "look at it by hand")
            });
        };
        if let Some(mut stuck) = self.left_site(key) {
            if let AstKind::CallExpression(call) = self.module.parent(node)
                && call.callee.span() == key.span()
            {
                // Nothing waits here, but who calls it still has to be known.
                let found = self.called(call, "");
                (stuck.ups, stuck.is_call) = (found.ups, true);
                self.place_call(&mut stuck, call);
            }
            return stuck;
        }
        let mut behind = "";
        let mut own = Vec::new();
        if let Some(Site { change: Change::Made { edits, behind: after, helper, .. }, .. }) =
            self.cx.sites.get(key)
        {
            behind = after;
            let put =
                |it: &rb_core::Edit| Put::replace(&self.path, it.start, it.end, it.text.clone());
            own.extend(edits.iter().chain(helper).map(put));
        }
        let is_called = matches!(self.module.parent(node),
            AstKind::CallExpression(call) if call.callee.span() == key.span());
        if let Some(twin) = self.cx.twin(key).filter(|_| is_called) {
            match self.take_twin(node, &twin) {
                Some(put) => own.push(put),
                None => {
                    return self.stuck(
                        key.span(),
                        format!("`{twin}`, the async counterpart, is not imported here"),
                        format!(
                            "import `{twin}` and call it instead of `{}`",
                            self.module.slice(key.span())
                        ),
                    );
                }
            }
        }
        let mut found = match self.module.parent(node) {
            AstKind::CallExpression(call) if call.callee.span() == key.span() => {
                let mut found = self.called(call, behind);
                self.place_call(&mut found, call);
                found
            }
            _ => self.valued(node, key),
        };
        if let Some((_, edits)) = &mut found.receiver {
            edits.splice(0..0, own.iter().cloned());
        }
        found.edits.splice(0..0, own);
        if found.label.is_empty() {
            let code = crate::plan::one_line(self.module.slice(key.span()));
            found.label = self.label(key.span(), &code);
        }
        found
    }

    /// A site that stays as it is, with the reason.
    fn left_site(&self, key: &Key) -> Option<Node> {
        match self.cx.sites.get(key) {
            Some(Site { change: Change::Left { reason, suggestion }, .. }) => {
                Some(self.stuck(key.span(), reason.clone(), suggestion.clone()))
            }
            _ => None,
        }
    }

    /// Where a call stands, and what it is given.
    fn place_call(&self, node: &mut Node, call: &'a CallExpression<'a>) {
        node.call = Some(call.span);
        node.within = self.within(call.node_id.get());
        node.arguments = self.paths().arguments(call);
    }

    /// The name of the twin in the place of the name; `None` where the twin is not at hand.
    fn take_twin(&self, node: NodeId, twin: &str) -> Option<Put> {
        let span = match self.module.nodes().kind(node) {
            AstKind::StaticMemberExpression(it) => it.property.span,
            AstKind::IdentifierReference(it) => {
                let symbol = self.module.symbol(it)?;
                let other = self.top_symbol(twin)?;
                let is_free =
                    self.module.scoping().symbol_names().filter(|it| *it == twin).count() == 1;
                // Both are declared here, or both are imported from one place.
                let imports = (self.module.import(symbol), self.module.import(other));
                let is_same = match imports {
                    (None, None) => self.module.is_top_level(symbol),
                    (Some(one), Some(two)) => one.source == two.source,
                    _ => false,
                };
                (is_free && is_same).then_some(it.span)?
            }
            _ => return None,
        };
        Some(Put::replace(&self.path, span.start, span.end, twin))
    }

    pub(super) fn stuck(
        &self,
        span: Span,
        reason: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Node {
        let barrier = self.barrier(span, reason, suggestion);
        let code = crate::plan::one_line(self.module.slice(span));
        Node { label: self.label(span, &code), barrier: Some(barrier), ..Node::default() }
    }

    fn called(&self, call: &'a CallExpression<'a>, behind: &str) -> Node {
        match self.wait(call, behind) {
            Ok(wait) => Node {
                edits: wait.edits,
                ups: wait.up.into_iter().collect(),
                tail: wait.tail,
                receiver: wait.receiver,
                is_call: true,
                ..Node::default()
            },
            Err(barrier) => Node {
                label: format!(
                    "{}:{} {}",
                    self.path,
                    barrier.line,
                    crate::plan::one_line(self.module.slice(call.callee.span()))
                ),
                barrier: Some(barrier),
                is_call: true,
                ..Node::default()
            },
        }
    }

    /// The function is not called here, but read.
    fn valued(&self, node: NodeId, key: &Key) -> Node {
        let span = key.span();
        let code = crate::plan::one_line(self.module.slice(span));
        let mut found = Node::default();
        match self.module.parent(node) {
            AstKind::ExportSpecifier(_)
            | AstKind::ExportDefaultDeclaration(_)
            | AstKind::UnaryExpression(_)
            | AstKind::BinaryExpression(_)
            | AstKind::ExpressionStatement(_) => found,
            AstKind::CallExpression(call) => self.handed(call, key),
            AstKind::StaticMemberExpression(it)
                if !matches!(it.property.name.as_str(), "call" | "apply" | "bind") =>
            {
                found
            }
            AstKind::VariableDeclarator(it) => {
                let bound = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
                let bound = bound.filter(|_| it.type_annotation.is_none());
                let Some(symbol) = bound.filter(|&it| self.module.is_stable(it)) else {
                    let reason = format!("`{code}` is bound to a name that cannot be traced");
                    return self.stuck(span, reason, "call it by its own name");
                };
                self.named(&mut found, &[symbol], &[], span);
                found
            }
            AstKind::AssignmentExpression(it) => self.put_into(it, span, &code),
            AstKind::ObjectProperty(it) if it.value.span() == span && !it.computed => {
                let object = self.module.nodes().parent_id(it.node_id.get());
                let Some(name) = it.key.static_name() else {
                    let reason = "it is a member under a computed name";
                    return self.stuck(span, reason, "give it a plain name");
                };
                self.held(&mut found, object, &name);
                found
            }
            other => self.unfollowed(other, span, &code),
        }
    }

    /// A use that nobody can follow.
    fn unfollowed(&self, parent: AstKind<'a>, span: Span, code: &str) -> Node {
        let (what, suggestion) = match parent {
            AstKind::NewExpression(_) => ("is called with `new`", "make it a plain function"),
            AstKind::JSXOpeningElement(_) | AstKind::JSXExpressionContainer(_) => {
                ("is used in JSX, which cannot use `await`", "read the file outside the component")
            }
            _ => (
                "is used as a value, and its callers are unknown",
                "call it by its name where the value is used",
            ),
        };
        self.stuck(span, format!("`{code}` {what}"), suggestion)
    }

    /// `exports.name = function`
    fn put_into(&self, it: &AssignmentExpression<'a>, span: Span, code: &str) -> Node {
        if it.right.span() != span {
            let reason = format!("`{code}` is assigned to");
            return self.stuck(span, reason, "leave the function as it is");
        }
        let left = it.left.span();
        let export = self.links.exports.iter().find(|export| {
            let (start, end) = (export.place.start, export.place.end);
            (left.start <= start && end <= left.end)
                || (export.name == WHOLE && (start, end) == (it.span.start, it.span.end))
        });
        let Some(export) = export else {
            let target = self.module.slice(left);
            let reason = format!("`{code}` is assigned to `{target}`, whose callers are unknown");
            return self.stuck(span, reason, "call it by its own name");
        };
        let mut found = Node::default();
        self.exported(&mut found, &export.name, span);
        found
    }

    /// The function is an argument.
    fn handed(&self, call: &'a CallExpression<'a>, key: &Key) -> Node {
        let taker = last_name(&call.callee).unwrap_or("a function");
        let is_method = matches!(&call.callee, Expression::StaticMemberExpression(_));
        let is_first = call.arguments.first().is_some_and(|it| it.span() == key.span());
        if is_method && matches!(taker, "then" | "catch" | "finally") || self.is_test_call(call) {
            return Node::default();
        }
        // `describe(load, () => …)` is named after the function.
        if is_first && call.arguments.len() > 1 && self.is_group(call) {
            return Node::default();
        }
        if is_method && taker == "map" && is_first && call.arguments.len() == 1 {
            let code = self.module.slice(key.span());
            let otherwise = Err(self.barrier(
                call.span,
                format!("`{code}` does more than read, so its calls must stay sequential"),
                "write the `map` as a loop",
            ));
            return self.all_at_once(call, Parallel { of: vec![key.clone()], otherwise });
        }
        let code = self.module.slice(key.span());
        if is_method && is_route(taker) {
            let reason = format!("`{code}` handles requests, and `{taker}` does not await it");
            return self.stuck(key.span(), reason, ASYNC_HANDLER);
        }
        self.stuck(
            key.span(),
            format!("`{code}` is passed to `{taker}`, which does not await it"),
            format!("write a loop instead of `{taker}`, or read the files beforehand"),
        )
    }

    /// An object that has such a function as a member.
    pub(super) fn visit_object(&self, key: &Key, name: &str) -> Node {
        let Some(node) = self.expression(key) else {
            return self.stuck(key.span(), "the use cannot be found again", "look at it by hand");
        };
        let code = self.module.slice(key.span());
        let mut found = Node { label: self.label(key.span(), code), ..Node::default() };
        match self.module.parent(node) {
            AstKind::StaticMemberExpression(member) if member.object.span() == key.span() => {
                if member.property.name == name {
                    found.ups.push(self.key(member.span, Kind::Use));
                }
                found
            }
            AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_) => found,
            AstKind::VariableDeclarator(it) => {
                let BindingPattern::ObjectPattern(pattern) = &it.id else {
                    return self.stuck(key.span(), format!("`{code}` is bound to another name"), "use it by its own name");
                };
                if pattern.rest.is_some() {
                    return self.stuck(key.span(), format!("`{code}` is destructured with `...`"), "list the members that are used");
                }
                for property in &pattern.properties {
                    let same = property.key.static_name().is_some_and(|it| it == name);
                    if !same && !property.computed {
                        continue;
                    }
                    let symbol = property.value.get_binding_identifier().and_then(|id| id.symbol_id.get());
                    match symbol {
                        Some(symbol) => self.named(&mut found, &[symbol], &[], key.span()),
                        None => return self.stuck(key.span(), format!("`{code}` is destructured"), "use its members by name"),
                    }
                }
                found
            }
            AstKind::AssignmentExpression(it) if it.right.span() == key.span() && self.is_export(it.span) => found,
            _ => self.stuck(
                key.span(),
                format!("`{code}`, which has `{name}`, is passed on, and the callers of `{name}` are unknown"),
                format!("call `{name}` by its own name"),
            ),
        }
    }

    pub(super) fn is_export(&self, assignment: Span) -> bool {
        self.links
            .exports
            .iter()
            .any(|it| it.place.start == assignment.start && it.place.end == assignment.end)
    }
}

const ASYNC_HANDLER: &str = "make the handler async, pass its errors to `next`, then run again";

/// `app.get(path, handler)` and its like.
fn is_route(taker: &str) -> bool {
    matches!(taker, "get" | "post" | "put" | "patch" | "delete" | "all" | "use")
}

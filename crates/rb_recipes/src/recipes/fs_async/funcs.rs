//! A function that has to wait: what keeps it from it, what it needs, and who uses it.

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Class, ClassElement, Expression, FunctionType, Statement};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Module};

use super::at::{At, last_name, method_name};
use super::awaits::is_quiet;
use super::callers::runs_in_place;
use super::effects;
use super::following::shown;
use super::model::{Barrier, Key, Kind, Node, Put, Twin};
use super::roles::Role;
use crate::links::{ByteRange, UseKind, references};

/// The line of a call that stands alone, is not awaited, and is not the last thing that is done there. `void`, `.then(…)` and
/// `.catch(…)` do not await it.
fn floating(module: &Module<'_>, callee: Span) -> Option<u32> {
    let call = module.calls().iter().find(|it| it.callee.span() == callee)?;
    let mut node = call.node_id.get();
    let statement = loop {
        match module.parent(node) {
            AstKind::ExpressionStatement(it) => break it,
            AstKind::UnaryExpression(it) => node = it.node_id.get(),
            AstKind::StaticMemberExpression(it)
                if matches!(it.property.name.as_str(), "then" | "catch" | "finally") =>
            {
                node = module.nodes().parent_id(it.node_id.get());
            }
            _ => return None,
        }
    };
    let siblings = module.siblings(node)?;
    let is_last =
        siblings.statement().span() == statement.span && siblings.after().iter().all(is_quiet);
    (!is_last).then(|| module.line(callee.start))
}

impl<'a> At<'_, 'a> {
    pub(super) fn visit_func(&self, key: &Key) -> Node {
        let Some(func) = self.function(key) else {
            return self.stuck(
                key.span(),
                "the function cannot be found again",
                "look at it by hand",
            );
        };
        let name = self.name_of(func);
        let mut node = Node { label: self.label(func.span(), &name), ..Node::default() };
        let role = self.role(func);
        if runs_in_place(&role) {
            node.within = self.within(func.node());
        }
        if func.is_async() {
            node.is_async = true;
            node.barrier = self.started(&role);
            return node;
        }
        node.barrier = self.kept(func, &name, &role);
        if node.barrier.is_some() {
            return node;
        }
        node.calls = effects::calls(self, func);
        node.shared = self.shared(func);
        if self.gives_promise(func) {
            node.edits.push(self.make_async(func));
            let thrown = self.thrown_at_once(func, &name);
            node.barrier = thrown.or_else(|| self.promised_at_once(func, &role));
            return node;
        }
        self.reached(&mut node, func, &name, role);
        node
    }

    /// What follows for those who reach the function.
    fn reached(&self, node: &mut Node, func: Func<'a>, name: &str, role: Role<'a>) {
        if let Role::Argument { call, at } = role {
            self.callback(node, func, call, at);
            return;
        }
        node.edits.push(self.make_async(func));
        self.returns(node, func);
        match role {
            Role::Called(call) => match self.wait(call, "") {
                Ok(wait) => {
                    node.edits.extend(wait.edits);
                    node.ups.extend(wait.up);
                }
                Err(barrier) => node.barrier = Some(barrier),
            },
            Role::Named { symbols, exports } => {
                self.named(node, &symbols, &exports, func.span());
                self.declared_beside(node, func);
                self.twin(node, func, name, &symbols);
            }
            Role::Member { object, name } => self.held(node, object, &name),
            Role::Method { class, name } => self.method_uses(node, class, &name),
            Role::Stuck { reason, suggestion } => {
                node.barrier = Some(self.barrier(func.span(), reason, suggestion));
            }
            Role::Argument { .. } => {}
        }
    }

    /// A call of an async function that is not awaited, with something behind it that may count on what the function did
    /// before it waited for the first time.
    fn started(&self, role: &Role<'a>) -> Option<Barrier> {
        let world = self.cx.planning.world;
        let uses = self.calls_of(role);
        uses.into_iter().find_map(|(path, span)| {
            let line = if path == self.path {
                floating(self.module, span)
            } else {
                world.with_module(&path, |module| floating(module, span)).flatten()
            }?;
            let code = world
                .text(&path)
                .map(|text| text[span.start as usize..span.end as usize].to_owned());
            let reason = format!(
                "`{}` is called without `await`, and the code after it may rely on its effects",
                code.unwrap_or_default()
            );
            let suggestion = "await it there, then run again".to_owned();
            Some(Barrier { path, line, reason, suggestion })
        })
    }

    /// Where a function is called, as far as that is seen.
    fn calls_of(&self, role: &Role<'a>) -> Vec<(Arc<str>, Span)> {
        let mut uses: Vec<(Arc<str>, Span)> = Vec::new();
        let mut found = Node::default();
        match role {
            Role::Named { symbols, exports } => {
                for &symbol in symbols {
                    let here = self.module.uses(symbol);
                    uses.extend(here.map(|it| (Arc::clone(&self.path), it.span)));
                }
                for name in &self.export_names(symbols, exports) {
                    let all = references(self.cx.planning.world, &self.path, name).all;
                    let called = all.into_iter().filter(|it| it.used.kind == UseKind::Call);
                    let place = |it: &ByteRange| Span::new(it.start, it.end);
                    uses.extend(called.map(|it| (it.path.into(), place(&it.used.whole))));
                }
            }
            Role::Method { class, name } => self.method_uses(&mut found, class, name),
            Role::Member { object, name } => self.held(&mut found, *object, name),
            Role::Called(_) | Role::Argument { .. } | Role::Stuck { .. } => {}
        }
        let members = found.ups.into_iter().filter(|it| it.kind == Kind::Use);
        uses.extend(members.map(|it| (Arc::clone(&it.path), it.span())));
        uses
    }

    /// The names under which a function leaves its file.
    fn export_names(&self, symbols: &[SymbolId], exports: &[String]) -> Vec<String> {
        let top_level = symbols.iter().filter(|&&symbol| self.module.is_top_level(symbol));
        let by_symbol = top_level.flat_map(|&it| self.links.names_of(self.module.name(it)));
        exports.iter().cloned().chain(by_symbol.map(|it| it.name.clone())).collect()
    }

    /// A function of the public API that gives a promise already: once it is async, what failed at once becomes a rejection.
    fn promised_at_once(&self, func: Func<'a>, role: &Role<'a>) -> Option<Barrier> {
        let Role::Named { symbols, exports } = role else { return None };
        let world = self.cx.planning.world;
        let names = self.export_names(symbols, exports).into_iter();
        let mut references = names.map(|name| references(world, &self.path, &name));
        references.find_map(|it| {
            let (path, name) = it.names.iter().find(|(path, name)| self.may_not_change(path, name))?;
            let what = shown(path, name);
            Some(self.barrier(
                func.span(),
                format!("`{what}` is public API: instead of throwing, it would return a rejected promise"),
                "allow changes of the public API (allow_public_api_changes), or make it async by hand".to_owned(),
            ))
        })
    }

    /// A function that gives a promise already, and throws on some ways: once it is async, that becomes a rejection.
    fn thrown_at_once(&self, func: Func<'a>, name: &str) -> Option<Barrier> {
        let is_own =
            |id| self.module.function_around(id).is_some_and(|it| it.node() == func.node());
        let thrown = self.nodes_in(func.span()).find(|node| {
            matches!(node.kind(), AstKind::ThrowStatement(_))
                && is_own(node.id())
                && !self.is_caught(func, node.id(), node.kind().span())
        })?;
        Some(self.barrier(
            thrown.kind().span(),
            format!("`{name}` throws here before it returns its promise, and its callers may rely on that"),
            "make the function async if its callers handle a rejection, then run again".to_owned(),
        ))
    }

    /// A `try` of the same function has it in its block.
    fn is_caught(&self, func: Func<'a>, node: NodeId, thrown: Span) -> bool {
        let within = |kind: &AstKind<'a>| func.span().contains_inclusive(kind.span());
        self.module.ancestors(node).take_while(within).any(|kind| match kind {
            AstKind::TryStatement(it) => {
                it.handler.is_some() && it.block.span.contains_inclusive(thrown)
            }
            _ => false,
        })
    }

    /// What keeps a function from waiting, whoever calls it.
    fn kept(&self, func: Func<'a>, name: &str, role: &Role<'a>) -> Option<Barrier> {
        let view = self.module.function_view(func);
        let kind = view.map_or(FunctionKind::Other, |it| it.kind);
        let returned = func.return_type().map(|it| self.module.slice(it.type_annotation.span()));
        let outside = "read the file outside the component";
        let (reason, suggestion) = if func.is_generator() {
            let reason = format!("`{name}` is a generator, which cannot use `await`");
            (reason, "make it an async generator, and loop over it with `for await`")
        } else if kind == FunctionKind::Component {
            (format!("`{name}` is a component, which cannot be async"), outside)
        } else if kind == FunctionKind::Hook {
            (format!("`{name}` is a hook, which cannot be async"), outside)
        } else if let Some(written) = returned.filter(|it| is_predicate(it)) {
            let reason = format!("`{name}` is a type guard (`{written}`), which cannot be async");
            (reason, "read the file before the check")
        } else if self.is_declared_again(role) {
            (format!("`{name}` is declared more than once"), "give it one declaration")
        } else if self.kind == rb_rules::FileKind::Config
            && matches!(self.module.parent(func.node()), AstKind::ExportDefaultDeclaration(_))
        {
            let reason = format!("{} is loaded by a tool", self.path);
            (reason, "check whether the tool awaits promises")
        } else {
            return None;
        };
        Some(self.barrier(func.span(), reason, suggestion))
    }

    /// Are there other declarations of its name: overloads, mostly?
    fn is_declared_again(&self, role: &Role<'a>) -> bool {
        match role {
            Role::Named { symbols, .. } => symbols.last().is_some_and(|&symbol| {
                !self.module.scoping().symbol_redeclarations(symbol).is_empty()
            }),
            Role::Method { class, name } => is_overloaded(class, name),
            _ => false,
        }
    }

    /// `async` before the function, or before the name of the method.
    pub(super) fn make_async(&self, func: Func<'a>) -> Put {
        let at = match self.module.parent(func.node()) {
            AstKind::MethodDefinition(it) => Some(it.key.span()),
            AstKind::ObjectProperty(it) if it.method => Some(it.key.span()),
            _ => None,
        };
        let span = at.unwrap_or_else(|| func.span());
        Put::open(&self.path, span, "async ")
    }

    /// It gives a promise on every way out, so that its callers wait already.
    pub(super) fn gives_promise(&self, func: Func<'a>) -> bool {
        self.promises(func, 4)
    }

    fn promises(&self, func: Func<'a>, depth: u32) -> bool {
        if let Some(written) = func.return_type() {
            let text = self.module.slice(written.type_annotation.span());
            return text.starts_with("Promise<");
        }
        if let Func::Arrow(arrow) = func
            && let Some(expression) = arrow.body.as_expression()
        {
            return self.is_promise(expression, depth);
        }
        let mut returns = Vec::new();
        for node in self.nodes_in(func.span()) {
            if let AstKind::ReturnStatement(it) = node.kind()
                && func.span().contains_inclusive(it.span)
                && self.module.function_around(node.id()).is_some_and(|it| it.node() == func.node())
            {
                returns.push(it.argument.as_ref());
            }
        }
        let ends = matches!(
            func.statements().last(),
            Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_))
        );
        ends && !returns.is_empty()
            && returns.iter().all(|it| it.is_some_and(|it| self.is_promise(it, depth)))
    }

    fn is_promise(&self, expression: &Expression<'a>, depth: u32) -> bool {
        match expression.get_inner_expression() {
            Expression::NewExpression(new) => self.module.is_global_named(&new.callee, "Promise"),
            Expression::CallExpression(call) => {
                if let Expression::StaticMemberExpression(member) = &call.callee
                    && (matches!(member.property.name.as_str(), "then" | "catch" | "finally")
                        || self.module.is_global_named(&member.object, "Promise"))
                {
                    return true;
                }
                depth > 0
                    && self
                        .module
                        .function_of(&call.callee)
                        .is_some_and(|it| it.is_async() || self.promises(it, depth - 1))
            }
            Expression::ConditionalExpression(it) => {
                self.is_promise(&it.consequent, depth) && self.is_promise(&it.alternate, depth)
            }
            _ => false,
        }
    }

    /// Assignments to names that others see, too, that read the name, then may wait, then write it.
    fn shared(&self, func: Func<'a>) -> Vec<(Span, String, u32)> {
        let mut found = Vec::new();
        for node in self.nodes_in(func.span()) {
            let AstKind::AssignmentExpression(it) = node.kind() else { continue };
            if !func.span().contains_inclusive(it.span) {
                continue;
            }
            let AssignmentTarget::AssignmentTargetIdentifier(left) = &it.left else { continue };
            let Some(symbol) = self.module.symbol(left) else { continue };
            let at = self.module.scoping().symbol_span(symbol);
            if func.span().contains_inclusive(at) {
                continue;
            }
            let reads = (!it.operator.is_assign() && !it.operator.is_logical())
                || self.module.mentions(it.right.span(), symbol)
                || matches!(it.right.get_inner_expression(), Expression::NewExpression(_));
            if reads {
                found.push((
                    it.right.span(),
                    left.name.to_string(),
                    self.module.line(it.span.start),
                ));
            }
        }
        found
    }

    /// A function of the file that does the same and waits: `readX` beside `readXSync`.
    fn twin(&self, node: &mut Node, func: Func<'a>, name: &str, symbols: &[SymbolId]) {
        let base = name.strip_suffix("Sync").unwrap_or(name);
        let names = [base.to_owned(), format!("{base}Async"), format!("{base}Promise")];
        let count = func.params().items.len();
        let found = names.iter().filter(|it| *it != name).find(|it| {
            let other = self.top_symbol(it).and_then(|symbol| self.function_bound(symbol));
            other.is_some_and(|it| {
                (it.is_async() || self.gives_promise(it)) && it.params().items.len() == count
            }) && self.is_reached_like(it, symbols)
        });
        if let Some(twin) = found {
            let uses = node.ups.drain(..).collect();
            let reason = format!(
                "`{name}` has an async counterpart, `{twin}`, which callers use if they can"
            );
            node.barrier = Some(self.barrier(
                func.span(),
                reason,
                format!("delete `{name}` when nothing calls it any more"),
            ));
            node.twin = Some(Twin { sync: name.to_owned(), name: twin.clone(), uses });
        } else if name.ends_with("Sync") && node.barrier.is_none() {
            let reason = format!("the name of `{name}` says that it is synchronous");
            node.barrier = Some(self.barrier(
                func.span(),
                reason,
                format!("add an async `{base}` next to it, and have callers use that"),
            ));
        }
    }

    /// What is declared at the top level under a name.
    pub(super) fn top_symbol(&self, name: &str) -> Option<SymbolId> {
        let scoping = self.module.scoping();
        scoping
            .symbol_ids()
            .find(|&it| scoping.symbol_name(it) == name && self.module.is_top_level(it))
    }

    fn function_bound(&self, symbol: SymbolId) -> Option<Func<'a>> {
        match self.module.declaration(symbol) {
            AstKind::Function(it) if it.r#type == FunctionType::FunctionDeclaration => {
                Some(Func::Function(it))
            }
            AstKind::VariableDeclarator(it) => it.init.as_ref().and_then(Func::of_expression),
            _ => None,
        }
    }

    /// Wherever the one can be had, the other can, too.
    fn is_reached_like(&self, twin: &str, symbols: &[SymbolId]) -> bool {
        let exports = |name: &str| -> BTreeSet<bool> {
            self.links.names_of(name).map(|it| it.name == name).collect()
        };
        symbols.iter().all(|&symbol| {
            let name = self.module.name(symbol);
            let held = |name: &str| self.holders(name);
            let (mine, theirs) = (exports(name), exports(twin));
            (mine.is_empty() || (mine == theirs && !mine.contains(&false)))
                && held(name).is_subset(&held(twin))
        })
    }

    /// Objects that have a function as a member of its own name.
    fn holders(&self, name: &str) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        for node in self.module.nodes().iter() {
            if let AstKind::ObjectProperty(it) = node.kind()
                && it.shorthand
                && it.key.static_name().is_some_and(|it| it == name)
            {
                let object = self.module.nodes().parent_id(node.id());
                found.insert(self.module.nodes().kind(object).span().start);
            }
        }
        found
    }

    /// The function around a call has to wait, too.
    pub(super) fn up_from(&self, node: &mut Node, at: oxc_semantic::NodeId) {
        use super::at::Around;
        match self.around(at) {
            Around::Func(func) if func.is_async() => {}
            Around::Func(func) => node.ups.push(self.key(func.span(), Kind::Func)),
            Around::Top => node.ups.push(self.key(Span::new(0, 0), Kind::Top)),
            Around::Main(block) => node.ups.push(self.key(block, Kind::Top)),
            Around::Stuck(reason) => {
                let span = self.module.nodes().kind(at).span();
                node.barrier = Some(self.barrier(span, reason, "read the file beforehand"));
            }
        }
    }

    /// The name of what a callback is handed to.
    pub(super) fn taker(&self, callee: &Expression<'a>) -> String {
        last_name(callee)
            .map_or_else(|| crate::plan::one_line(self.module.slice(callee.span())), str::to_owned)
    }
}

/// `x is T`, `asserts x`
fn is_predicate(written: &str) -> bool {
    written.starts_with("asserts ") || written.contains(" is ")
}

/// Has the class declarations of the method that have no body?
fn is_overloaded(class: &Class<'_>, name: &str) -> bool {
    let of_name = class.body.body.iter().filter(|it| match it {
        ClassElement::MethodDefinition(it) => method_name(&it.key).is_some_and(|it| it == name),
        _ => false,
    });
    of_name.count() > 1
}

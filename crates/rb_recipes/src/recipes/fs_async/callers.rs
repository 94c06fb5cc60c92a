//! Can two calls of a function be under way at a time, once it waits?
//!
//! A function that is only reached from the top level of a program, from commands of a command line or from tests, each
//! call awaited, runs once at a time. Handlers, listeners and functions for other packages do not: whoever cannot be
//! followed may call twice.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_ecma::Func;
use rb_rules::FileKind;

use super::at::{Around, At, Cx, last_name};
use super::model::{Key, Kind, Node};
use super::roles::Role;
use crate::links::links;

/// Methods of arrays that call their callback for one element after the other.
const EACH: &[&str] = &["forEach", "filter", "find", "some", "every", "map", "flatMap", "reduce"];

/// How sure it is that a second call begins before the first has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Overlap {
    No,
    /// Its callers are not known.
    Maybe,
    /// A handler or a listener, which is called whenever something happens.
    Yes,
}

pub(super) struct Callers<'c> {
    pub(super) cx: &'c Cx<'c>,
    pub(super) nodes: &'c BTreeMap<Key, Node>,
    /// Functions that were decided, or are being decided.
    known: BTreeMap<Key, Overlap>,
}

impl<'c> Callers<'c> {
    pub(super) fn new(cx: &'c Cx<'c>, nodes: &'c BTreeMap<Key, Node>) -> Self {
        Callers { cx, nodes, known: BTreeMap::new() }
    }

    /// May two calls of a function run at a time?
    pub(super) fn overlap(&mut self, func: &Key) -> Overlap {
        if func.kind == Kind::Top {
            return Overlap::No;
        }
        if let Some(known) = self.known.get(func) {
            return *known;
        }
        // One that calls itself is no second caller.
        self.known.insert(func.clone(), Overlap::No);
        let node = self.nodes.get(func);
        let found = match node.filter(|it| !it.is_async && !it.ups.is_empty()) {
            Some(node) => {
                let ups: BTreeSet<&Key> = node.ups.iter().collect();
                ups.into_iter().map(|up| self.use_overlaps(up)).max()
            }
            None => match self.uses(func) {
                Ok(uses) => uses.iter().map(|it| self.overlap(it)).max(),
                Err(overlap) => Some(overlap),
            },
        };
        let found = found.unwrap_or(Overlap::No);
        self.known.insert(func.clone(), found);
        found
    }

    /// A use of a function that did not wait so far: its calls will be awaited one after the other.
    fn use_overlaps(&mut self, used: &Key) -> Overlap {
        if matches!(used.kind, Kind::Func | Kind::Top) {
            return self.overlap(used);
        }
        let Some(node) = self.nodes.get(used) else { return Overlap::Maybe };
        match &node.within {
            Some(within) if node.is_call => self.overlap(within),
            _ => {
                let ups = node.ups.iter().map(|up| self.use_overlaps(up));
                ups.max().unwrap_or(Overlap::No)
            }
        }
    }

    /// The functions around all uses of a function that waits already, where no second call can begin.
    fn uses(&self, func: &Key) -> Result<Vec<Key>, Overlap> {
        let (world, cx) = (self.cx.planning.world, self.cx);
        let links = links(world, &func.path).ok_or(Overlap::Maybe)?;
        let found = world.with_module(&func.path, |module| {
            let at = At::new(cx, &func.path, module, links);
            at.function(func).map_or(Err(Overlap::Maybe), |it| at.followers(it))
        });
        let mut around = Vec::new();
        for used in found.unwrap_or(Err(Overlap::Maybe))? {
            match used.kind {
                Kind::Func | Kind::Top => around.push(used),
                Kind::Use | Kind::Object(_) => {
                    around.extend(self.awaited(&used).ok_or(Overlap::Maybe)?);
                }
            }
        }
        Ok(around)
    }

    /// The functions around a use, where each call is awaited.
    fn awaited(&self, used: &Key) -> Option<Vec<Key>> {
        let (world, cx) = (self.cx.planning.world, self.cx);
        let links = links(world, &used.path)?;
        let found = world.with_module(&used.path, |module| {
            let at = At::new(cx, &used.path, module, links);
            match &used.kind {
                Kind::Object(name) => at.awaited_member(used, name),
                _ => at.awaited_call(at.expression(used)?),
            }
        });
        found.flatten()
    }
}

impl<'a> At<'_, 'a> {
    /// Who leads to a function that waits already: its uses, or the function around it.
    fn followers(&self, func: Func<'a>) -> Result<Vec<Key>, Overlap> {
        let role = self.role(func);
        if runs_in_place(&role) && (!func.is_async() || matches!(role, Role::Called(_))) {
            return Ok(vec![self.within(func.node()).ok_or(Overlap::Maybe)?]);
        }
        let mut node = Node::default();
        match role {
            Role::Named { symbols, exports } => {
                self.named(&mut node, &symbols, &exports, func.span());
            }
            Role::Member { object, .. } if self.is_command(object) => {}
            Role::Member { object, name } => self.held(&mut node, object, &name),
            Role::Method { class, name } => self.method_uses(&mut node, class, &name),
            Role::Argument { call, .. } => {
                return self.callback_runs(call).ok_or(Overlap::Yes);
            }
            Role::Called(_) | Role::Stuck { .. } => return Err(Overlap::Maybe),
        }
        if node.barrier.is_none() { Ok(node.ups) } else { Err(Overlap::Maybe) }
    }

    /// `{ command: 'add', handler: async () => … }` for yargs.
    fn is_command(&self, object: NodeId) -> bool {
        let parent = self.module.parent(object);
        self.depends_on("yargs")
            && matches!(parent, AstKind::CallExpression(it) if last_name(&it.callee) == Some("command"))
    }

    /// Who runs a callback: a test, a command line, the promise that it is given to.
    fn callback_runs(&self, call: &'a CallExpression<'a>) -> Option<Vec<Key>> {
        let taker = last_name(&call.callee).unwrap_or_default();
        let is_command = taker == "action" && self.depends_on("commander")
            || taker == "command" && self.depends_on("yargs");
        if is_command || self.is_test_call(call) {
            return Some(Vec::new());
        }
        let is_method = matches!(&call.callee, Expression::StaticMemberExpression(_));
        if is_method && matches!(taker, "then" | "catch" | "finally") {
            return Some(vec![self.within(call.node_id.get())?]);
        }
        None
    }

    /// The function around a call that is awaited; `None` where it is not, or is no call.
    fn awaited_call(&self, callee: NodeId) -> Option<Vec<Key>> {
        let span = self.module.nodes().kind(callee).span();
        let AstKind::CallExpression(call) = self.module.parent(callee) else { return None };
        if call.callee.span() != span {
            return None;
        }
        let around = self.within(call.node_id.get())?;
        let is_top = matches!(self.around(call.node_id.get()), Around::Top | Around::Main(_));
        let is_test = self.kind == FileKind::Test;
        let mut node = call.node_id.get();
        for _ in 0..16 {
            match self.module.parent(node) {
                AstKind::AwaitExpression(_) => return Some(vec![around]),
                AstKind::ReturnStatement(_) | AstKind::ArrowFunctionExpression(_) => {
                    // `names.map((name) => load(name))` begins them all at once.
                    let func = self.function(&around)?;
                    let role = self.role(func);
                    let begins_all = runs_in_place(&role) && matches!(role, Role::Argument { .. });
                    return (!begins_all).then(|| vec![around]);
                }
                // `load().then(show).catch(fail)`
                AstKind::StaticMemberExpression(it) => {
                    node = self.module.nodes().parent_id(it.node_id.get());
                }
                AstKind::ExpressionStatement(_) | AstKind::UnaryExpression(_) if is_top => {
                    return Some(Vec::new());
                }
                // `await assert.rejects(load())`
                AstKind::CallExpression(it)
                    if is_test && !self.module.slice(it.callee.span()).starts_with("Promise.") =>
                {
                    node = it.node_id.get();
                }
                _ => return None,
            }
        }
        None
    }

    /// As `awaited_call`, for all that is done with an object that has the function.
    fn awaited_member(&self, used: &Key, name: &str) -> Option<Vec<Key>> {
        let node = self.expression(used)?;
        match self.module.parent(node) {
            // `await commands[name](…)`
            AstKind::ComputedMemberExpression(it) if it.object.span() == used.span() => {
                self.awaited_call(it.node_id.get())
            }
            AstKind::StaticMemberExpression(it) if it.property.name == name => {
                self.awaited_call(it.node_id.get())
            }
            AstKind::StaticMemberExpression(_) | AstKind::BinaryExpression(_) => Some(Vec::new()),
            // `Object.keys(commands)`
            AstKind::CallExpression(it)
                if self.module.slice(it.callee.span()).starts_with("Object.") =>
            {
                Some(Vec::new())
            }
            _ => {
                let found = self.visit_object(used, name);
                let mut around = Vec::new();
                for up in found.ups.iter().filter(|_| found.barrier.is_none()) {
                    around.extend(self.awaited_call(self.expression(up)?)?);
                }
                found.barrier.is_none().then_some(around)
            }
        }
    }
}

/// Is it a callback that runs where it is written, before what is around it goes on?
pub(super) fn runs_in_place(role: &Role<'_>) -> bool {
    match role {
        Role::Called(_) => true,
        Role::Argument { call, at: 0 } => {
            matches!(&call.callee, Expression::StaticMemberExpression(_))
                && last_name(&call.callee).is_some_and(|it| EACH.contains(&it))
        }
        _ => false,
    }
}

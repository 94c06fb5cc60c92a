//! One file under the eyes of the recipe: finding places again, saying where something is, who is around it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, PropertyKey};
use oxc_semantic::{AstNode, NodeId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};
use rb_rules::FileKind;
use rustc_hash::FxHashMap;

use super::doubles::Doubles;
use super::methods::Words;
use super::model::{Barrier, Key, Kind, Site};
use super::paths::Paths;
use crate::links::Links;
use crate::recipe::Planning;

/// What is the same for all files.
pub(super) struct Cx<'c> {
    pub(super) planning: &'c Planning<'c>,
    pub(super) doubles: &'c Doubles,
    pub(super) sites: &'c BTreeMap<Key, Site>,
    /// Uses of a function that take its twin: the name of that one.
    pub(super) twins: Mutex<BTreeMap<Key, String>>,
    pub(super) words: OnceLock<Words>,
}

impl Cx<'_> {
    pub(super) fn twin(&self, key: &Key) -> Option<String> {
        self.twins.lock().expect("nobody panics with it").get(key).cloned()
    }
}

pub(super) struct At<'m, 'a> {
    pub(super) cx: &'m Cx<'m>,
    pub(super) path: Arc<str>,
    pub(super) module: &'m Module<'a>,
    pub(super) links: Arc<Links>,
    pub(super) kind: FileKind,
    expressions: FxHashMap<(u32, u32), NodeId>,
    functions: FxHashMap<(u32, u32), Func<'a>>,
    /// All nodes by where they begin: a piece of a long file is looked at without the rest of it.
    order: Vec<(u32, NodeId)>,
}

/// What is around a place.
pub(super) enum Around<'a> {
    Func(Func<'a>),
    Top,
    /// The block of `if (require.main === module)`.
    Main(Span),
    /// Something that cannot wait, in words.
    Stuck(&'static str),
}

impl<'m, 'a> At<'m, 'a> {
    pub(super) fn new(
        cx: &'m Cx<'m>,
        path: &Arc<str>,
        module: &'m Module<'a>,
        links: Arc<Links>,
    ) -> Self {
        let mut expressions = FxHashMap::default();
        let mut functions = FxHashMap::default();
        let mut order = Vec::with_capacity(module.nodes().len());
        for node in module.nodes().iter() {
            let span = node.kind().span();
            order.push((span.start, node.id()));
            match node.kind() {
                AstKind::IdentifierReference(_)
                | AstKind::StaticMemberExpression(_)
                | AstKind::PrivateFieldExpression(_)
                | AstKind::CallExpression(_) => {
                    expressions.insert((span.start, span.end), node.id());
                }
                kind => {
                    if let Some(func) = Func::of(kind) {
                        functions.insert((span.start, span.end), func);
                    }
                }
            }
        }
        order.sort_unstable();
        let kind = cx.planning.world.facts(path).map_or(FileKind::Source, |it| it.kind);
        At { cx, path: Arc::clone(path), module, links, kind, expressions, functions, order }
    }

    /// Nodes that begin in a piece of the text.
    pub(super) fn nodes_in(&self, span: Span) -> impl Iterator<Item = &AstNode<'a>> + '_ {
        let first = self.order.partition_point(|it| it.0 < span.start);
        let last = self.order.partition_point(|it| it.0 < span.end);
        self.order[first..last.max(first)].iter().map(|it| self.module.nodes().get_node(it.1))
    }

    pub(super) fn key(&self, span: Span, kind: Kind) -> Key {
        Key::new(&self.path, span, kind)
    }

    pub(super) fn expression(&self, key: &Key) -> Option<NodeId> {
        self.expressions.get(&(key.start, key.end)).copied()
    }

    pub(super) fn function(&self, key: &Key) -> Option<Func<'a>> {
        self.functions.get(&(key.start, key.end)).copied()
    }

    pub(super) fn barrier(
        &self,
        span: Span,
        reason: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Barrier {
        Barrier {
            path: Arc::clone(&self.path),
            line: self.module.line(span.start),
            reason: reason.into(),
            suggestion: suggestion.into(),
        }
    }

    pub(super) fn label(&self, span: Span, what: &str) -> String {
        format!("{}:{} {what}", self.path, self.module.line(span.start))
    }

    /// The function that has to wait where this node waits.
    pub(super) fn around(&self, node: NodeId) -> Around<'a> {
        let mut block = None;
        for kind in self.module.ancestors(node) {
            match kind {
                AstKind::BlockStatement(it) => block = Some(it.span),
                AstKind::IfStatement(it) if self.is_main(it) => {
                    if let Some(span) = block.filter(|span| *span == it.consequent.span()) {
                        return Around::Main(span);
                    }
                }
                AstKind::FormalParameters(_) => {
                    return Around::Stuck("a parameter default cannot use `await`");
                }
                AstKind::PropertyDefinition(_) | AstKind::AccessorProperty(_) => {
                    return Around::Stuck("a class field initializer cannot use `await`");
                }
                AstKind::StaticBlock(_) => {
                    return Around::Stuck("a static class block cannot use `await`");
                }
                AstKind::Decorator(_) => return Around::Stuck("a decorator cannot use `await`"),
                AstKind::TSModuleBlock(_) => {
                    return Around::Stuck("a namespace cannot use `await`");
                }
                AstKind::TSEnumMember(_) => return Around::Stuck("an enum cannot use `await`"),
                AstKind::Program(_) => return Around::Top,
                kind => {
                    if let Some(func) = Func::of(kind) {
                        return Around::Func(func);
                    }
                }
            }
        }
        Around::Top
    }

    /// The function or the top level around a node.
    pub(super) fn within(&self, node: NodeId) -> Option<Key> {
        match self.around(node) {
            Around::Func(func) => Some(self.key(func.span(), Kind::Func)),
            Around::Top | Around::Main(_) => Some(self.key(Span::new(0, 0), Kind::Top)),
            Around::Stuck(_) => None,
        }
    }

    pub(super) fn paths(&self) -> Paths<'_, 'a> {
        let world = self.cx.planning.world;
        Paths { world, path: &self.path, module: self.module, links: &self.links }
    }

    /// `if (require.main === module) { … }` at the top level of a file.
    fn is_main(&self, it: &oxc_ast::ast::IfStatement<'a>) -> bool {
        let test: String = self.module.slice(it.test.span()).split_whitespace().collect();
        let is_it = matches!(
            test.as_str(),
            "require.main===module" | "module===require.main" | "!module.parent"
        );
        is_it && matches!(self.module.parent(it.node_id.get()), AstKind::Program(_))
    }

    /// The name of a function, for people.
    pub(super) fn name_of(&self, func: Func<'a>) -> String {
        let own = match func {
            Func::Function(it) => it.id.as_ref().map(|id| id.name.to_string()),
            Func::Arrow(_) => None,
        };
        let given = || match self.module.parent(func.node()) {
            AstKind::VariableDeclarator(it) => {
                it.id.get_identifier_name().map(|name| name.to_string())
            }
            AstKind::ObjectProperty(it) => it.key.static_name().map(Cow::into_owned),
            AstKind::MethodDefinition(it) => method_name(&it.key),
            AstKind::PropertyDefinition(it) => it.key.static_name().map(Cow::into_owned),
            AstKind::AssignmentExpression(it) => Some(self.module.slice(it.left.span()).to_owned()),
            AstKind::ExportDefaultDeclaration(_) => Some("the default export".to_owned()),
            AstKind::CallExpression(it) => {
                let callee = self.module.slice(it.callee.span());
                (callee.len() <= 40 && !callee.contains('\n'))
                    .then(|| format!("the callback of {callee}"))
            }
            _ => None,
        };
        own.or_else(given).unwrap_or_else(|| "a function".to_owned())
    }
}

/// The name of a method, with `#` where it is private.
pub(super) fn method_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(it) => Some(format!("#{}", it.name)),
        _ => key.static_name().map(Cow::into_owned),
    }
}

/// The last name of what is called: `map` of `a.b.map`.
pub(super) fn last_name<'a>(callee: &Expression<'a>) -> Option<&'a str> {
    match callee.get_inner_expression() {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}

/// The first name of a chain of members and calls: `it` of `it.each(…)(…)`.
pub(super) fn first_name<'a>(mut expression: &Expression<'a>) -> Option<&'a str> {
    for _ in 0..32 {
        expression = match expression.get_inner_expression() {
            Expression::Identifier(it) => return Some(it.name.as_str()),
            Expression::StaticMemberExpression(it) => &it.object,
            Expression::CallExpression(it) => &it.callee,
            Expression::TaggedTemplateExpression(it) => &it.tag,
            _ => return None,
        };
    }
    None
}

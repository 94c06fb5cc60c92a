//! Methods of classes: every `.name` of the project has to be told, or the method stays as it is.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_rules::{FileKind, Target, World};
use rustc_hash::FxBuildHasher;

use super::at::At;
use super::model::{Key, Kind, Node};
use crate::links::{ImportKind, Links, Reference, UseKind, links, references};
use crate::recipe::Planning;

/// The names that each file has behind a dot, in quotes or in braces, by their hashes: where a method can be used at all.
pub(super) struct Words(Vec<(String, Vec<u32>)>);

impl Words {
    pub(super) fn read(planning: &Planning<'_>) -> Self {
        let paths = planning.world.paths();
        let found = planning.over(&paths, |path| {
            let kind = planning.world.facts(path)?.kind;
            if matches!(kind, FileKind::Vendored | FileKind::Generated)
                || path.starts_with(".yarn/")
            {
                return None;
            }
            let text = planning.world.text(path)?;
            let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
            let words = text.split(|it| !is_part(it)).filter(|it| it.len() > 1);
            let mut hashes: Vec<u32> = words.map(hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            Some(hashes)
        });
        Words(found.unwrap_or_default())
    }

    fn with<'w>(&'w self, word: &str) -> impl Iterator<Item = &'w str> {
        let wanted = hash(word);
        let found = self.0.iter().filter(move |(_, words)| word_is_in(words, wanted));
        found.map(|(path, _)| path.as_str())
    }
}

fn is_private(field: &str, method: &str) -> bool {
    method.strip_prefix('#').is_some_and(|it| it == field)
}

fn word_is_in(words: &[u32], wanted: u32) -> bool {
    words.binary_search(&wanted).is_ok()
}

fn hash(word: &str) -> u32 {
    u32::try_from(FxBuildHasher.hash_one(word) & 0xffff_ffff).unwrap_or(0)
}

/// Whose method is meant where a name is used.
enum Whose {
    Ours,
    Another,
    Unknown,
}

/// The class that is looked for.
struct ClassQuery<'w> {
    world: &'w dyn World,
    path: &'w str,
    name: &'w str,
    span: Span,
    method: &'w str,
}

impl<'a> At<'_, 'a> {
    pub(super) fn method_uses(&self, node: &mut Node, class: &'a Class<'a>, method: &str) {
        if let Some((reason, suggestion)) = self.method_kept(class, method) {
            node.barrier = Some(self.barrier(class.span, reason, suggestion));
            return;
        }
        let uses = match self.kept_instances(class, method) {
            Some(uses) => Ok(uses),
            None => self.uses_by_name(class, method),
        };
        match uses {
            Ok(uses) => node.ups.extend(uses),
            Err((reason, suggestion)) => {
                node.barrier = Some(self.barrier(class.span, reason, suggestion));
            }
        }
        let is_exported = self.links.names_of(class_name(class)).next().is_some();
        if node.ups.is_empty() && is_exported && node.barrier.is_none() {
            let of = class_name(class);
            let reason = format!("`{method}` of `{of}` is exported but not called in the project");
            let suggestion = "make sure that its callers await it, then change it by hand";
            node.barrier = Some(self.barrier(class.span, reason, suggestion));
        }
    }

    /// Why a method stays as it is, whoever calls it.
    fn method_kept(&self, class: &'a Class<'a>, method: &str) -> Option<(String, &'static str)> {
        let of = class_name(class);
        if class.id.is_none() {
            return Some((
                format!("`{method}` belongs to a class without a name"),
                "name the class",
            ));
        }
        if class.heritage.is_some() || !class.implements.is_empty() {
            return Some((
                format!("`{method}` may be called by a type that `{of}` extends or implements"),
                "check whether that type awaits promises, then change it by hand",
            ));
        }
        let planning = self.cx.planning;
        if let Some(place) = self.cx.doubles.of_member(planning.world, method, &self.path) {
            let reason = format!("`{method}` is mocked at {place}");
            return Some((reason, "make the mock return a promise, then run again"));
        }
        let is_public = self.links.names_of(of).any(|it| self.may_not_change(&self.path, &it.name));
        (is_public && !method.starts_with('#')).then(|| {
            (
                format!(
                    "`{method}` of `{of}` is public API: other packages call it synchronously"
                ),
                "allow changes of the public API (allow_public_api_changes), or add an async version next to it",
            )
        })
    }

    /// Every `.name` of the project, where each can be told.
    fn uses_by_name(
        &self,
        class: &'a Class<'a>,
        method: &str,
    ) -> Result<Vec<Key>, (String, &'static str)> {
        let world = self.cx.planning.world;
        let name = class_name(class);
        let wanted = ClassQuery { world, path: &self.path, name, span: class.span, method };
        let words = self.cx.words.get_or_init(|| Words::read(self.cx.planning));
        let mut found = Vec::new();
        for path in words.with(method.trim_start_matches('#')) {
            let Some(text) = world.text(path) else { continue };
            if text.contains(&format!("extends {name}")) {
                let reason = format!("`{name}` is extended in {path}");
                return Err((reason, "change the methods of both by hand"));
            }
            let seen = if *path == *self.path {
                Some(seen(self.module, path, &self.links, &wanted))
            } else {
                links(world, path).and_then(|links| {
                    world.with_module(path, |module| seen(module, path, &links, &wanted))
                })
            };
            let shared: Arc<str> = path.into();
            for (span, is_ours) in seen.into_iter().flatten() {
                if !is_ours {
                    let line = crate::links::line_of(&text, span.start);
                    let code = crate::plan::one_line(&text[span.start as usize..span.end as usize]);
                    let reason = format!(
                        "it is unclear whether `{code}` at {path}:{line} is `{method}` of `{name}`"
                    );
                    return Err((reason, "give the method a name that nothing else has"));
                }
                found.push(Key::new(&shared, span, Kind::Use));
            }
        }
        Ok(found)
    }

    /// Uses of a method, where no instance of its class goes anywhere that cannot be followed.
    fn kept_instances(&self, class: &'a Class<'a>, method: &str) -> Option<Vec<Key>> {
        let symbol = class.id.as_ref()?.symbol_id.get()?;
        let mut found = self.by_this_of(class, method)?;
        for used in self.module.uses(symbol).filter(|it| !it.is_type()) {
            if !self.is_export_use(used.node, used.span) {
                found.extend(instance(self.module, &self.path, used.node, method)?);
            }
        }
        let world = self.cx.planning.world;
        for export in self.links.names_of(self.module.name(symbol)) {
            let references = references(world, &self.path, &export.name);
            if !references.doubts.is_empty() {
                return None;
            }
            let is_made =
                |it: &&Reference| !matches!(it.used.kind, UseKind::Type | UseKind::Export);
            for it in references.all.iter().filter(is_made) {
                let path: Arc<str> = it.path.as_str().into();
                let span = Span::new(it.used.whole.start, it.used.whole.end);
                let uses = world.with_module(&it.path, |module| {
                    let node = module.nodes().iter().find(|node| {
                        node.kind().span() == span
                            && matches!(
                                node.kind(),
                                AstKind::IdentifierReference(_)
                                    | AstKind::StaticMemberExpression(_)
                                    | AstKind::CallExpression(_)
                            )
                    })?;
                    instance(module, &path, node.id(), method)
                });
                found.extend(uses.flatten()?);
            }
        }
        Some(found)
    }

    /// `this.name` in the class; `None` where `this` is handed on.
    fn by_this_of(&self, class: &'a Class<'a>, method: &str) -> Option<Vec<Key>> {
        let mut found = Vec::new();
        for node in self.nodes_in(class.span) {
            let AstKind::ThisExpression(this) = node.kind() else { continue };
            if !class.span.contains_inclusive(this.span) {
                continue;
            }
            let (span, is_it) = match self.module.parent(node.id()) {
                AstKind::StaticMemberExpression(it) => (it.span, it.property.name == method),
                AstKind::PrivateFieldExpression(it) => {
                    (it.span, is_private(&it.field.name, method))
                }
                _ => return None,
            };
            if is_it {
                found.push(self.key(span, Kind::Use));
            }
        }
        Some(found)
    }
}

fn class_name<'c>(class: &'c Class<'_>) -> &'c str {
    class.id.as_ref().map_or("the class", |id| id.name.as_str())
}

/// Uses of a method by an instance that is made at this use of its class; `None` where the instance goes elsewhere.
fn instance(module: &Module<'_>, path: &Arc<str>, class: NodeId, method: &str) -> Option<Vec<Key>> {
    let span = module.nodes().kind(class).span();
    let of_member = |node: NodeId| match module.parent(node) {
        AstKind::StaticMemberExpression(member) if member.property.name == method => {
            Some(vec![Key::new(path, member.span, Kind::Use)])
        }
        AstKind::StaticMemberExpression(member) if member.property.name != "prototype" => {
            Some(Vec::new())
        }
        _ => None,
    };
    match module.parent(class) {
        AstKind::NewExpression(new) if new.callee.span() == span => {
            let made = new.node_id.get();
            match module.parent(made) {
                AstKind::ExpressionStatement(_) => Some(Vec::new()),
                AstKind::VariableDeclarator(it) => {
                    let symbol = it.id.get_binding_identifier()?.symbol_id.get()?;
                    let mut found = Vec::new();
                    if !module.is_stable(symbol) {
                        return None;
                    }
                    for used in module.value_uses(symbol) {
                        found.extend(of_member(used.node)?);
                    }
                    Some(found)
                }
                _ => of_member(made),
            }
        }
        AstKind::BinaryExpression(it) if it.right.span() == span => Some(Vec::new()),
        _ => of_member(class),
    }
}

/// Every use of the method's name in a file, and whether it is the wanted one. Those of other classes are left out.
fn seen(
    module: &Module<'_>,
    path: &str,
    links: &Links,
    wanted: &ClassQuery<'_>,
) -> Vec<(Span, bool)> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::StaticMemberExpression(member) if member.property.name == wanted.method => {
                match whose(module, path, links, wanted, &member.object, node.id()) {
                    Whose::Ours => found.push((member.span, true)),
                    Whose::Another => {}
                    Whose::Unknown => found.push((member.span, false)),
                }
            }
            AstKind::PrivateFieldExpression(member)
                if is_private(&member.field.name, wanted.method) && path == wanted.path =>
            {
                found.push((member.span, true));
            }
            AstKind::BindingProperty(it)
                if it.key.static_name().is_some_and(|it| it == wanted.method) && !it.computed =>
            {
                found.push((it.span, false));
            }
            AstKind::StringLiteral(it)
                if it.value == wanted.method
                    && matches!(module.parent(node.id()), AstKind::ComputedMemberExpression(_)) =>
            {
                found.push((it.span, false));
            }
            _ => {}
        }
    }
    found
}

fn whose<'a>(
    module: &Module<'a>,
    path: &str,
    links: &Links,
    wanted: &ClassQuery<'_>,
    object: &Expression<'a>,
    at: NodeId,
) -> Whose {
    match module.resolved(object) {
        Expression::ThisExpression(_) => of_this(module, path, wanted, at),
        Expression::NewExpression(new) => of_class(module, path, links, wanted, &new.callee),
        Expression::AwaitExpression(it) => match it.argument.get_inner_expression() {
            Expression::NewExpression(new) => of_class(module, path, links, wanted, &new.callee),
            _ => Whose::Unknown,
        },
        Expression::StringLiteral(_)
        | Expression::TemplateLiteral(_)
        | Expression::ArrayExpression(_)
        | Expression::ObjectExpression(_)
        | Expression::FunctionExpression(_)
        | Expression::ArrowFunctionExpression(_) => Whose::Another,
        Expression::StaticMemberExpression(member) => match module.symbol_of(&member.object) {
            Some(symbol) => of_member(module, links, wanted, symbol, &member.property.name),
            None => Whose::Unknown,
        },
        Expression::Identifier(it) => match module.symbol(it) {
            // A class itself, for static methods; a module of somebody else.
            Some(symbol) => of_symbol(module, path, links, wanted, symbol),
            None if matches!(
                it.name.as_str(),
                "Promise"
                    | "process"
                    | "console"
                    | "JSON"
                    | "Object"
                    | "Array"
                    | "Math"
                    | "Number"
                    | "String"
                    | "Date"
            ) =>
            {
                Whose::Another
            }
            None => Whose::Unknown,
        },
        _ => Whose::Unknown,
    }
}

fn of_this(module: &Module<'_>, path: &str, wanted: &ClassQuery<'_>, at: NodeId) -> Whose {
    let mut through_function = false;
    for kind in module.ancestors(at) {
        match kind {
            AstKind::Class(class) if through_function => {
                return if path == wanted.path && class.span == wanted.span {
                    Whose::Ours
                } else if class.heritage.is_some() {
                    Whose::Unknown
                } else {
                    Whose::Another
                };
            }
            AstKind::Function(function) => {
                if through_function {
                    return Whose::Unknown;
                }
                let is_method =
                    matches!(module.parent(function.node_id.get()), AstKind::MethodDefinition(_));
                if !is_method {
                    return Whose::Unknown;
                }
                through_function = true;
            }
            _ => {}
        }
    }
    Whose::Unknown
}

fn of_class<'a>(
    module: &Module<'a>,
    path: &str,
    links: &Links,
    wanted: &ClassQuery<'_>,
    callee: &Expression<'a>,
) -> Whose {
    if let Expression::StaticMemberExpression(member) = callee
        && let Some(symbol) = module.symbol_of(&member.object)
    {
        return of_member(module, links, wanted, symbol, &member.property.name);
    }
    let Some(symbol) = module.symbol_of(callee) else {
        let is_global = matches!(callee, Expression::Identifier(_));
        return if is_global { Whose::Another } else { Whose::Unknown };
    };
    of_symbol(module, path, links, wanted, symbol)
}

/// `module.Class`, of a module that is imported as a whole.
fn of_member(
    module: &Module<'_>,
    links: &Links,
    wanted: &ClassQuery<'_>,
    symbol: SymbolId,
    name: &str,
) -> Whose {
    let at = module.scoping().symbol_span(symbol);
    let import =
        links.imports.iter().find(|it| it.local.as_ref().is_some_and(|it| it.1.start == at.start));
    match import.map(|it| (&it.taken, &it.target)) {
        Some((ImportKind::Whole, Target::File(file))) if file == wanted.path => {
            if name == wanted.name { Whose::Ours } else { Whose::Another }
        }
        Some((_, Target::Package(_) | Target::Builtin)) => Whose::Another,
        _ => Whose::Unknown,
    }
}

/// The symbol is the class, or what is imported under it is.
fn of_symbol(
    module: &Module<'_>,
    path: &str,
    links: &Links,
    wanted: &ClassQuery<'_>,
    symbol: SymbolId,
) -> Whose {
    if let AstKind::Class(class) = module.declaration(symbol) {
        let is_it = path == wanted.path && class.span == wanted.span;
        return if is_it {
            Whose::Ours
        } else if class.heritage.is_some() {
            Whose::Unknown
        } else {
            Whose::Another
        };
    }
    let name = module.name(symbol);
    let at = module.scoping().symbol_span(symbol);
    let import = links.imports.iter().find(|it| {
        it.local.as_ref().is_some_and(|(local, place)| local == name && place.start == at.start)
    });
    let Some(import) = import else { return Whose::Unknown };
    match &import.target {
        Target::File(file) if file == wanted.path => match &import.taken {
            ImportKind::Name(it) if it == wanted.name || it == "default" => Whose::Ours,
            ImportKind::Whole => Whose::Ours,
            _ => Whose::Another,
        },
        // A class of another file, unless that one gives ours on.
        Target::File(file) => {
            let gives = |links: &Links| {
                links.imports.iter().any(|it| it.target == Target::File(wanted.path.to_owned()))
            };
            if crate::links::links(wanted.world, file).is_some_and(|it| !gives(&it)) {
                Whose::Another
            } else {
                Whose::Unknown
            }
        }
        Target::Package(_) | Target::Builtin => Whose::Another,
        Target::Unknown => Whose::Unknown,
    }
}

//! Whose member is meant by `value.member`: the class or interface of a value, as far as the code says.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Class, Expression, TSType, TSTypeName};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rb_ecma::{Imported, Module};
use rb_rules::{Target, World};

/// So far up the line of classes, and so deep into an expression.
const DEPTH: u32 = 16;

/// A class or an interface, by where its name stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decl {
    pub(super) path: String,
    pub(super) start: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    Instance(Decl),
    /// The class itself.
    Static(Decl),
    /// Something of the language, of a package, or a plain value.
    Outside,
    Unsure,
}

/// What a class or an interface is built upon.
#[derive(Debug, Clone, Default)]
pub(super) struct Above {
    pub(super) decls: Vec<Decl>,
    /// Something of a package, by its name.
    pub(super) outside: Vec<String>,
    pub(super) is_unsure: bool,
}

pub(super) struct Reader<'r, 'a> {
    pub(super) module: &'r Module<'a>,
    pub(super) path: &'r str,
    pub(super) world: &'r dyn World,
}

/// Is a class or an interface the target, or built upon it? `None` where that cannot be told.
pub(super) fn descends(world: &dyn World, from: &Decl, target: &Decl) -> Option<bool> {
    let mut open = vec![from.clone()];
    for _ in 0..DEPTH * 4 {
        let Some(next) = open.pop() else { return Some(false) };
        if next == *target {
            return Some(true);
        }
        let above = above(world, &next)?;
        if above.is_unsure {
            return None;
        }
        open.extend(above.decls);
    }
    None
}

pub(super) fn above(world: &dyn World, of: &Decl) -> Option<Above> {
    world.ask("rename-above", &of.path, &of.start.to_string(), |module| {
        let reader = Reader { module, path: &of.path, world };
        let mut found = Above::default();
        for node in module.nodes().iter() {
            match node.kind() {
                AstKind::Class(it) if class_start(it) == of.start => {
                    reader.above_class(it, &mut found);
                }
                AstKind::TSInterfaceDeclaration(it) if it.id.span.start == of.start => {
                    for heritage in &it.extends {
                        reader.add(
                            reader.of_name(&heritage.type_name),
                            &heritage.type_name,
                            &mut found,
                        );
                    }
                }
                _ => {}
            }
        }
        found
    })
}

pub(super) fn class_start(class: &Class<'_>) -> u32 {
    class.id.as_ref().map_or(class.span.start, |it| it.span.start)
}

impl<'a> Reader<'_, 'a> {
    fn above_class(&self, class: &Class<'a>, found: &mut Above) {
        if let Some(heritage) = &class.heritage {
            match self.of(&heritage.expression, DEPTH) {
                Who::Static(decl) => found.decls.push(decl),
                Who::Outside => {
                    found.outside.push(self.module.slice(heritage.expression.span()).to_owned());
                }
                Who::Instance(_) | Who::Unsure => found.is_unsure = true,
            }
        }
        for it in &class.implements {
            self.add(self.of_name(&it.expression), &it.expression, found);
        }
    }

    fn add(&self, who: Who, name: &TSTypeName<'a>, found: &mut Above) {
        match who {
            Who::Instance(decl) | Who::Static(decl) => found.decls.push(decl),
            Who::Outside => found.outside.push(self.module.slice(name.span()).to_owned()),
            Who::Unsure => found.is_unsure = true,
        }
    }

    pub(super) fn decl(&self, start: u32) -> Decl {
        Decl { path: self.path.to_owned(), start }
    }

    /// The class or interface behind a symbol, as the class itself; `Outside` for what a package gives.
    fn of_declaration(&self, symbol: SymbolId) -> Who {
        if let Some(import) = self.module.import(symbol) {
            let target = match self.world.resolve(self.path, import.source) {
                Target::File(target) => target,
                Target::Package(_) | Target::Builtin => return Who::Outside,
                Target::Unknown => return Who::Unsure,
            };
            let name = match import.imported {
                Imported::Named(name) => name,
                Imported::Default => "default",
                Imported::Namespace => return Who::Unsure,
            };
            return exported(self.world, &target, name);
        }
        self.of_own(symbol)
    }

    fn of_own(&self, symbol: SymbolId) -> Who {
        match self.module.declaration(symbol) {
            AstKind::Class(it) => Who::Static(self.decl(class_start(it))),
            AstKind::TSInterfaceDeclaration(it) => Who::Static(self.decl(it.id.span.start)),
            AstKind::TSTypeAliasDeclaration(it) => match &it.type_annotation {
                TSType::TSTypeLiteral(_) => Who::Static(self.decl(it.id.span.start)),
                _ => Who::Unsure,
            },
            _ => Who::Unsure,
        }
    }

    pub(super) fn of_name(&self, name: &TSTypeName<'a>) -> Who {
        let TSTypeName::IdentifierReference(id) = name else { return Who::Unsure };
        match self.module.symbol(id) {
            Some(symbol) => match self.of_declaration(symbol) {
                Who::Static(decl) => Who::Instance(decl),
                other => other,
            },
            None => Who::Outside,
        }
    }

    /// What a written type stands for.
    pub(super) fn of_type(&self, written: &TSType<'a>) -> Who {
        match written {
            TSType::TSTypeReference(it) => self.of_name(&it.type_name),
            TSType::TSParenthesizedType(it) => self.of_type(&it.type_annotation),
            TSType::TSUnionType(it) => {
                let is_some = |it: &&TSType<'a>| {
                    !matches!(it, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_))
                };
                let mut all = it.types.iter().filter(is_some).map(|it| self.of_type(it));
                let first = all.next().unwrap_or(Who::Outside);
                if all.all(|it| it == first) { first } else { Who::Unsure }
            }
            TSType::TSStringKeyword(_)
            | TSType::TSNumberKeyword(_)
            | TSType::TSBooleanKeyword(_)
            | TSType::TSSymbolKeyword(_)
            | TSType::TSBigIntKeyword(_)
            | TSType::TSArrayType(_)
            | TSType::TSTupleType(_)
            | TSType::TSFunctionType(_)
            | TSType::TSLiteralType(_) => Who::Outside,
            _ => Who::Unsure,
        }
    }

    /// What an expression gives.
    pub(super) fn of(&self, expression: &Expression<'a>, depth: u32) -> Who {
        let Some(depth) = depth.checked_sub(1) else { return Who::Unsure };
        match expression {
            Expression::ThisExpression(it) => self.this(it.node_id.get()),
            Expression::Super(it) => self.this(it.node_id.get()),
            Expression::NewExpression(it) => match self.of(&it.callee, depth) {
                Who::Static(decl) => Who::Instance(decl),
                other => other,
            },
            Expression::Identifier(it) => match self.module.symbol(it) {
                Some(symbol) => self.of_symbol(symbol, depth),
                None if matches!(&*it.name, "window" | "globalThis" | "global" | "self") => {
                    Who::Unsure
                }
                None => Who::Outside,
            },
            Expression::StaticMemberExpression(it) => {
                self.of_member(&it.object, &it.property.name, depth)
            }
            Expression::TSAsExpression(it) => self.of_type(&it.type_annotation),
            Expression::TSSatisfiesExpression(it) => self.of(&it.expression, depth),
            Expression::TSNonNullExpression(it) => self.of(&it.expression, depth),
            Expression::CallExpression(it) => self.of_call(it, depth),
            Expression::StringLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::ArrayExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::RegExpLiteral(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_) => Who::Outside,
            _ => Who::Unsure,
        }
    }

    /// What a function says that it gives; what a package gives is the package's.
    fn of_call(&self, call: &CallExpression<'a>, depth: u32) -> Who {
        let written = self.module.function_of(&call.callee).and_then(rb_ecma::Func::return_type);
        match written {
            Some(it) => self.of_type(&it.type_annotation),
            None if self.of(&call.callee, depth) == Who::Outside => Who::Outside,
            None => Who::Unsure,
        }
    }

    pub(super) fn of_symbol(&self, symbol: SymbolId, depth: u32) -> Who {
        if let Some(import) = self.module.import(symbol)
            && let Target::Package(_) | Target::Builtin =
                self.world.resolve(self.path, import.source)
        {
            return Who::Outside;
        }
        if let Some(written) = self.module.declared_type_of(symbol) {
            return self.of_type(written);
        }
        if let Some(initializer) = self.module.initializer(symbol) {
            return self.of(initializer, depth);
        }
        match self.module.declaration(symbol) {
            AstKind::FormalParameter(it) if it.pattern.is_binding_identifier() => {
                match &it.type_annotation {
                    Some(it) => self.of_type(&it.type_annotation),
                    None => Who::Unsure,
                }
            }
            AstKind::Function(_) | AstKind::TSEnumDeclaration(_) => Who::Outside,
            _ => self.of_declaration(symbol),
        }
    }

    /// `this.field`, `C.prototype`, and members of what a package gives.
    fn of_member(&self, object: &Expression<'a>, name: &str, depth: u32) -> Who {
        match self.of(object, depth) {
            Who::Outside => Who::Outside,
            Who::Static(decl) if name == "prototype" => Who::Instance(decl),
            Who::Instance(decl) if decl.path == self.path => self.field(&decl, name, depth),
            Who::Instance(_) | Who::Static(_) | Who::Unsure => Who::Unsure,
        }
    }

    /// The field of a class of this file.
    fn field(&self, of: &Decl, name: &str, depth: u32) -> Who {
        for node in self.module.nodes().iter() {
            let class = match node.kind() {
                AstKind::Class(it) if class_start(it) == of.start => it,
                _ => continue,
            };
            for element in &class.body.body {
                let oxc_ast::ast::ClassElement::PropertyDefinition(it) = element else { continue };
                if it.key.static_name().as_deref() != Some(name) {
                    continue;
                }
                return match (&it.type_annotation, &it.value) {
                    (Some(written), _) => self.of_type(&written.type_annotation),
                    (None, Some(value)) if it.readonly => self.of(value, depth),
                    _ => Who::Unsure,
                };
            }
        }
        Who::Unsure
    }

    /// The class around `this`.
    fn this(&self, node: NodeId) -> Who {
        let nodes = self.module.nodes();
        let mut is_static = false;
        for id in nodes.ancestor_ids(node) {
            match nodes.kind(id) {
                AstKind::Function(_) => match nodes.parent_kind(id) {
                    AstKind::MethodDefinition(_) => {}
                    AstKind::ObjectProperty(_) => return Who::Outside,
                    _ => return Who::Unsure,
                },
                AstKind::MethodDefinition(it) => is_static = it.r#static,
                AstKind::PropertyDefinition(it) => is_static = it.r#static,
                AstKind::AccessorProperty(it) => is_static = it.r#static,
                AstKind::StaticBlock(_) => is_static = true,
                AstKind::Class(it) => {
                    let decl = self.decl(class_start(it));
                    return if is_static { Who::Static(decl) } else { Who::Instance(decl) };
                }
                _ => {}
            }
        }
        Who::Outside
    }
}

/// The class or interface that a file exports under a name.
fn exported(world: &dyn World, path: &str, name: &str) -> Who {
    let Some((path, name)) = world.origin(path, name) else { return Who::Unsure };
    let found = world.ask("rename-exported", &path, &name, |module| {
        let reader = Reader { module, path: &path, world };
        let links = crate::links::links(world, &path);
        let local = links.and_then(|it| it.export(&name).and_then(|it| it.local.clone()));
        let local = local.unwrap_or_else(|| name.clone());
        module.top_level(&local).map_or(Who::Unsure, |it| reader.of_own(it))
    });
    found.unwrap_or(Who::Unsure)
}

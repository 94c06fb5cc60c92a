//! What a member is taken from, as far as the text of one file tells.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, ClassElement, Expression, FormalParameter, TSType, TSTypeAnnotation,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rb_ecma::{Imported, Module};

pub(super) struct Access {
    /// `x.member`
    pub(super) whole: (u32, u32),
    pub(super) line: u32,
    pub(super) receiver: Receiver,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Receiver {
    /// An instance of what the file calls so: `A`, `ns.A`.
    Instance(String),
    /// What the file calls so itself.
    Static(String),
    /// A package, a module, something that no class of the project is.
    Outside,
    Unknown,
}

/// Every `x.member` of a file.
pub(super) fn accesses(module: &Module<'_>, member: &str) -> Vec<Access> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        let (span, object) = match node.kind() {
            AstKind::StaticMemberExpression(it) if it.property.name == member => {
                (it.span, &it.object)
            }
            AstKind::PrivateFieldExpression(it)
                if member.strip_prefix('#') == Some(it.field.name.as_str()) =>
            {
                (it.span, &it.object)
            }
            AstKind::ComputedMemberExpression(it) if matches!(&it.expression, Expression::StringLiteral(key) if key.value == member) => {
                (it.span, &it.object)
            }
            _ => continue,
        };
        found.push(Access {
            whole: (span.start, span.end),
            line: module.line(span.start),
            receiver: receiver(module, node.id(), object),
        });
    }
    found
}

fn receiver<'a>(module: &Module<'a>, node: NodeId, object: &Expression<'a>) -> Receiver {
    match object.get_inner_expression() {
        Expression::ThisExpression(_) => this(module, node),
        Expression::Super(_) => match this(module, node) {
            // What the class has of its own is not meant.
            Receiver::Instance(name) => {
                base(module, &name).map_or(Receiver::Unknown, Receiver::Instance)
            }
            Receiver::Static(name) => {
                base(module, &name).map_or(Receiver::Unknown, Receiver::Static)
            }
            other => other,
        },
        Expression::NewExpression(new) => {
            super::plain_name(module, &new.callee).map_or(Receiver::Unknown, Receiver::Instance)
        }
        Expression::Identifier(name) => match module.symbol(name) {
            Some(symbol) => bound(module, symbol),
            None => Receiver::Outside,
        },
        Expression::StaticMemberExpression(member) => match &member.object {
            Expression::ThisExpression(_) => property(module, node, &member.property.name),
            Expression::Identifier(name) => match module.symbol(name) {
                Some(symbol) if is_namespace(module, symbol) => {
                    Receiver::Static(module.slice(member.span).to_owned())
                }
                None => Receiver::Outside,
                Some(_) => Receiver::Unknown,
            },
            _ => Receiver::Unknown,
        },
        Expression::StringLiteral(_)
        | Expression::TemplateLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::ArrayExpression(_)
        | Expression::RegExpLiteral(_) => Receiver::Outside,
        _ => Receiver::Unknown,
    }
}

fn is_namespace(module: &Module<'_>, symbol: SymbolId) -> bool {
    module.import(symbol).is_some_and(|it| it.imported == Imported::Namespace)
}

/// `this` in a member of a class, through arrow functions.
fn this(module: &Module<'_>, node: NodeId) -> Receiver {
    let mut is_static = false;
    let mut functions = 0;
    for kind in module.ancestors(node) {
        match kind {
            // The function of a method is one, those in it are others.
            AstKind::Function(_) => functions += 1,
            AstKind::MethodDefinition(it) => is_static = it.r#static,
            AstKind::PropertyDefinition(it) => {
                is_static = it.r#static;
                functions += 1;
            }
            AstKind::StaticBlock(_) => {
                is_static = true;
                functions += 1;
            }
            AstKind::Class(class) if functions == 1 => {
                let Some(id) = &class.id else { return Receiver::Unknown };
                let name = id.name.to_string();
                return if is_static { Receiver::Static(name) } else { Receiver::Instance(name) };
            }
            AstKind::Class(_) => return Receiver::Unknown,
            _ => {}
        }
    }
    Receiver::Unknown
}

fn base(module: &Module<'_>, class: &str) -> Option<String> {
    let names = super::base_names(module, class);
    names.into_iter().next().flatten()
}

/// A name that the file binds.
fn bound(module: &Module<'_>, symbol: SymbolId) -> Receiver {
    if let Some(import) = module.import(symbol) {
        return match import.imported {
            // `ns.member` is what the module exports.
            Imported::Namespace => Receiver::Outside,
            Imported::Default | Imported::Named(_) => Receiver::Static(import.local.to_owned()),
        };
    }
    match module.declaration(symbol) {
        AstKind::Class(_) => Receiver::Static(module.name(symbol).to_owned()),
        AstKind::TSEnumDeclaration(_) | AstKind::Function(_) => Receiver::Outside,
        AstKind::VariableDeclarator(it) => {
            if !matches!(it.id, BindingPattern::BindingIdentifier(_)) {
                return Receiver::Unknown;
            }
            match typed(module, it.type_annotation.as_deref()) {
                Receiver::Unknown if module.is_stable(symbol) => value(module, it.init.as_ref()),
                known => known,
            }
        }
        AstKind::FormalParameter(it) => parameter(module, it),
        _ => Receiver::Unknown,
    }
}

fn parameter(module: &Module<'_>, parameter: &FormalParameter<'_>) -> Receiver {
    let is_plain = matches!(parameter.pattern, BindingPattern::BindingIdentifier(_));
    let annotation = parameter.type_annotation.as_deref().filter(|_| is_plain);
    typed(module, annotation)
}

/// `this.property`, by what its class says of it.
fn property(module: &Module<'_>, node: NodeId, name: &str) -> Receiver {
    let Some(class) = module.ancestors(node).find_map(|kind| match kind {
        AstKind::Class(class) => Some(class),
        _ => None,
    }) else {
        return Receiver::Unknown;
    };
    for element in &class.body.body {
        match element {
            ClassElement::PropertyDefinition(it) if super::key_is(&it.key, name) => {
                return match typed(module, it.type_annotation.as_deref()) {
                    Receiver::Unknown if it.readonly => value(module, it.value.as_ref()),
                    known => known,
                };
            }
            ClassElement::MethodDefinition(it) if super::key_is(&it.key, "constructor") => {
                let mut items = it.value.params.items.iter();
                let is_own = |it: &&FormalParameter<'_>| {
                    (it.accessibility.is_some() || it.readonly)
                        && it.pattern.get_binding_identifier().is_some_and(|id| id.name == name)
                };
                if let Some(found) = items.find(is_own) {
                    return parameter(module, found);
                }
            }
            _ => {}
        }
    }
    Receiver::Unknown
}

fn typed(module: &Module<'_>, annotation: Option<&TSTypeAnnotation<'_>>) -> Receiver {
    match annotation.map(|it| &it.type_annotation) {
        Some(TSType::TSTypeReference(it)) => {
            Receiver::Instance(module.slice(it.type_name.span()).to_owned())
        }
        _ => Receiver::Unknown,
    }
}

fn value(module: &Module<'_>, value: Option<&Expression<'_>>) -> Receiver {
    match value.map(Expression::get_inner_expression) {
        Some(Expression::NewExpression(new)) => {
            super::plain_name(module, &new.callee).map_or(Receiver::Unknown, Receiver::Instance)
        }
        Some(
            Expression::StringLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::ArrayExpression(_),
        ) => Receiver::Outside,
        _ => Receiver::Unknown,
    }
}

//! Drivers in fields of classes, and behind types.

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, ClassElement, Expression, MethodDefinitionKind, TSType, TSTypeName};
use rb_ecma::{Func, Imported};

use super::driver::{Handle, package};
use super::handles::Finder;

impl<'a> Finder<'_, 'a> {
    /// The method behind `this.name`.
    pub(super) fn method_of_class(&self, callee: &Expression<'a>) -> Option<Func<'a>> {
        let Expression::StaticMemberExpression(member) = callee.get_inner_expression() else {
            return None;
        };
        if !matches!(member.object, Expression::ThisExpression(_)) {
            return None;
        }
        let class = self.class_around(member.node_id.get())?;
        class.body.body.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(it)
                if it.kind == MethodDefinitionKind::Method
                    && it.key.static_name()? == member.property.name.as_str() =>
            {
                self.module
                    .functions()
                    .iter()
                    .map(|view| view.func)
                    .find(|func| func.span() == it.value.span)
            }
            _ => None,
        })
    }

    fn class_around(&self, node: oxc_semantic::NodeId) -> Option<&'a Class<'a>> {
        self.module.ancestors(node).find_map(|it| match it {
            AstKind::Class(class) => Some(class),
            _ => None,
        })
    }

    /// A field of the class around: its type, its value, or what the class puts there.
    pub(super) fn field(&self, inside: &Expression<'a>, name: &str, depth: u32) -> Option<Handle> {
        let node = match inside {
            Expression::ThisExpression(it) => it.node_id.get(),
            Expression::PrivateFieldExpression(it) => it.node_id.get(),
            _ => return None,
        };
        let class = self.class_around(node)?;
        for element in &class.body.body {
            match element {
                ClassElement::PropertyDefinition(it)
                    if it.key.name().is_some_and(|key| key == name) =>
                {
                    let written = it
                        .type_annotation
                        .as_ref()
                        .and_then(|it| self.of_type(&it.type_annotation));
                    let found = written.or_else(|| self.find(it.value.as_ref()?, depth));
                    if found.is_some() {
                        return found;
                    }
                }
                ClassElement::MethodDefinition(it)
                    if it.kind == MethodDefinitionKind::Constructor =>
                {
                    for parameter in &it.value.params.items {
                        let is_it = parameter.accessibility.is_some() || parameter.readonly;
                        if is_it
                            && parameter.pattern.get_identifier_name().is_some_and(|it| it == name)
                        {
                            return self
                                .of_type(&parameter.type_annotation.as_ref()?.type_annotation);
                        }
                    }
                }
                _ => {}
            }
        }
        self.put_there(class, name, depth)
    }

    /// `this.name = …` anywhere in the class, where all are of one driver.
    fn put_there(&self, class: &'a Class<'a>, name: &str, depth: u32) -> Option<Handle> {
        let mut found: Option<Handle> = None;
        for node in self.module.nodes().iter() {
            let AstKind::AssignmentExpression(it) = node.kind() else { continue };
            let inside = class.span.start <= it.span.start && it.span.end <= class.span.end;
            let Some(target) = it.left.as_member_expression().filter(|_| inside) else { continue };
            let key = match target {
                oxc_ast::ast::MemberExpression::PrivateFieldExpression(it) => {
                    Some(it.field.name.as_str())
                }
                other => other.static_property_name(),
            };
            let is_it =
                matches!(target.object(), Expression::ThisExpression(_)) && key == Some(name);
            if !is_it || matches!(it.right, Expression::NullLiteral(_)) {
                continue;
            }
            let one = self.find(&it.right, depth)?;
            if found.as_ref().is_some_and(|it| *it != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }

    pub(super) fn of_type(&self, written: &TSType<'a>) -> Option<Handle> {
        match written {
            TSType::TSTypeReference(it) => {
                if let TSTypeName::IdentifierReference(name) = &it.type_name
                    && name.name == "Promise"
                {
                    return self.of_type(it.type_arguments.as_ref()?.params.first()?);
                }
                self.of_type_name(&it.type_name)
            }
            TSType::TSUnionType(it) => {
                let mut found = it.types.iter().filter(|it| {
                    !matches!(it, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_))
                });
                let first = self.of_type(found.next()?)?;
                found.all(|it| self.of_type(it).as_ref() == Some(&first)).then_some(first)
            }
            _ => None,
        }
    }

    fn of_type_name(&self, name: &TSTypeName<'a>) -> Option<Handle> {
        match name {
            TSTypeName::IdentifierReference(it) => {
                let symbol = self.module.symbol(it)?;
                let import = self.module.import(symbol)?;
                let whole = package(import.source)?;
                match import.imported {
                    Imported::Named(name) => whole.of_type(name),
                    Imported::Default | Imported::Namespace => whole.of_type("default"),
                }
            }
            TSTypeName::QualifiedName(it) => {
                let mut first = &it.left;
                while let TSTypeName::QualifiedName(inner) = first {
                    first = &inner.left;
                }
                let TSTypeName::IdentifierReference(first) = first else { return None };
                let import = self.module.import(self.module.symbol(first)?)?;
                package(import.source)?.of_type(it.right.name.as_str())
            }
            TSTypeName::ThisExpression(_) => None,
        }
    }
}

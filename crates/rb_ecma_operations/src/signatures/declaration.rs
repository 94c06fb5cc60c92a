//! The declarations of one function in its file: the one with the body, its overloads, members of classes and interfaces.

use oxc_ast::ast::{
    Class, ClassElement, Declaration as DeclarationNode, ExportDefaultDeclarationKind, Expression,
    FormalParameters, Function, MethodDefinitionKind, PropertyKey, Statement,
    TSInterfaceDeclaration, TSSignature, TSTypeParameterDeclaration, VariableDeclarator,
};
use oxc_semantic::ScopeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

#[derive(Clone, Copy)]
pub(crate) struct Declaration<'a> {
    pub(crate) name: Span,
    /// The statement or member, with `export`.
    pub(crate) whole: Span,
    pub(crate) params: &'a FormalParameters<'a>,
    pub(crate) type_parameters: Option<&'a TSTypeParameterDeclaration<'a>>,
    pub(crate) return_type: Option<Span>,
    /// None for a member of an interface.
    pub(crate) func: Option<Func<'a>>,
    pub(crate) scope: Option<ScopeId>,
    /// `const f: Handler = …`: its type is written elsewhere.
    pub(crate) is_typed: bool,
    /// Its form forbids another signature: "it is a setter".
    pub(crate) obstacle: Option<&'static str>,
    pub(crate) is_static: bool,
}

impl<'a> Declaration<'a> {
    pub(crate) fn has_body(&self) -> bool {
        match self.func {
            Some(Func::Function(function)) => function.body.is_some(),
            Some(Func::Arrow(_)) => true,
            None => false,
        }
    }

    fn of_func(name: Span, whole: Span, func: Func<'a>) -> Self {
        let (type_parameters, has_this) = match func {
            Func::Function(it) => (it.type_parameters.as_deref(), it.this_param.is_some()),
            Func::Arrow(it) => (it.type_parameters.as_deref(), false),
        };
        Declaration {
            name,
            whole,
            params: func.params(),
            type_parameters,
            return_type: func.return_type().map(|it| it.span),
            func: Some(func),
            scope: func.scope(),
            is_typed: false,
            obstacle: has_this.then_some("it declares the type of `this`"),
            is_static: false,
        }
    }
}

/// The declarations of `name` or `Class.member`, in the order of the text; several are overloads. Empty if there is no such function.
pub(crate) fn declarations<'a>(module: &Module<'a>, name: &str) -> Vec<Declaration<'a>> {
    match name.split_once('.') {
        Some((class, member)) => members(module, class, member),
        None => module.program().body.iter().flat_map(|it| top_level(it, name)).collect(),
    }
}

fn top_level<'a>(statement: &'a Statement<'a>, name: &str) -> Vec<Declaration<'a>> {
    let whole = statement.span();
    let function = |it: &'a Function<'a>| -> Vec<Declaration<'a>> {
        let id = it.id.as_ref().filter(|id| id.name == name);
        id.map(|id| Declaration::of_func(id.span, whole, Func::Function(it))).into_iter().collect()
    };
    match statement {
        Statement::FunctionDeclaration(it) => function(it),
        Statement::VariableDeclaration(it) => {
            it.declarations.iter().filter_map(|it| declared(it, whole, name)).collect()
        }
        Statement::ExportDeclaration(it) => match &it.declaration {
            DeclarationNode::FunctionDeclaration(it) => function(it),
            DeclarationNode::VariableDeclaration(it) => {
                it.declarations.iter().filter_map(|it| declared(it, whole, name)).collect()
            }
            _ => vec![],
        },
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => function(it),
            _ => vec![],
        },
        _ => vec![],
    }
}

fn declared<'a>(
    declarator: &'a VariableDeclarator<'a>,
    whole: Span,
    name: &str,
) -> Option<Declaration<'a>> {
    let id = declarator.id.get_binding_identifier().filter(|id| id.name == name)?;
    let func = match declarator.init.as_ref()?.get_inner_expression() {
        Expression::FunctionExpression(it) => Func::Function(it),
        Expression::ArrowFunctionExpression(it) => Func::Arrow(it),
        _ => return None,
    };
    let is_typed = declarator.type_annotation.is_some() || is_wrapped(declarator);
    Some(Declaration { is_typed, ..Declaration::of_func(id.span, whole, func) })
}

/// `(…) as Handler`, `(…) satisfies Handler`.
fn is_wrapped(declarator: &VariableDeclarator<'_>) -> bool {
    !matches!(
        declarator.init,
        Some(Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))
    )
}

/// The class of this name at the top of a file.
pub(crate) fn class_named<'a>(module: &Module<'a>, name: &str) -> Option<&'a Class<'a>> {
    module.program().body.iter().find_map(|statement| {
        let class = match statement {
            Statement::ClassDeclaration(it) => &**it,
            Statement::ExportDeclaration(it) => match &it.declaration {
                DeclarationNode::ClassDeclaration(it) => &**it,
                _ => return None,
            },
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ExportDefaultDeclarationKind::ClassDeclaration(it) => &**it,
                _ => return None,
            },
            _ => return None,
        };
        class.id.as_ref().is_some_and(|id| id.name == name).then_some(class)
    })
}

fn interface_named<'a>(module: &Module<'a>, name: &str) -> Option<&'a TSInterfaceDeclaration<'a>> {
    module.program().body.iter().find_map(|statement| {
        let interface = match statement {
            Statement::TSInterfaceDeclaration(it) => &**it,
            Statement::ExportDeclaration(it) => match &it.declaration {
                DeclarationNode::TSInterfaceDeclaration(it) => &**it,
                _ => return None,
            },
            _ => return None,
        };
        (interface.id.name == name).then_some(interface)
    })
}

fn members<'a>(module: &Module<'a>, class: &str, member: &str) -> Vec<Declaration<'a>> {
    if let Some(class) = class_named(module, class) {
        return class_members(class, member);
    }
    match interface_named(module, class) {
        Some(interface) => interface_members(interface, member),
        None => vec![],
    }
}

pub(crate) fn class_members<'a>(class: &'a Class<'a>, member: &str) -> Vec<Declaration<'a>> {
    let elements = class.body.body.iter();
    elements.filter_map(|element| class_member(element, member)).collect()
}

fn class_member<'a>(element: &'a ClassElement<'a>, member: &str) -> Option<Declaration<'a>> {
    match element {
        ClassElement::MethodDefinition(it) if !it.computed && key_is(&it.key, member) => {
            let base = Declaration::of_func(it.key.span(), it.span, Func::Function(&it.value));
            let obstacle = match it.kind {
                MethodDefinitionKind::Get => Some("it is a getter"),
                MethodDefinitionKind::Set => Some("it is a setter"),
                MethodDefinitionKind::Constructor | MethodDefinitionKind::Method => None,
            };
            let decorated = (!it.decorators.is_empty()).then_some("it has a decorator");
            let obstacle = base.obstacle.or(obstacle).or(decorated);
            Some(Declaration { obstacle, is_static: it.r#static, ..base })
        }
        ClassElement::PropertyDefinition(it) if !it.computed && key_is(&it.key, member) => {
            let func = match it.value.as_ref()?.get_inner_expression() {
                Expression::FunctionExpression(it) => Func::Function(it),
                Expression::ArrowFunctionExpression(it) => Func::Arrow(it),
                _ => return None,
            };
            let base = Declaration::of_func(it.key.span(), it.span, func);
            let decorated = (!it.decorators.is_empty()).then_some("it has a decorator");
            let is_typed = it.type_annotation.is_some();
            let obstacle = base.obstacle.or(decorated);
            Some(Declaration { is_typed, obstacle, is_static: it.r#static, ..base })
        }
        _ => None,
    }
}

fn interface_members<'a>(
    interface: &'a TSInterfaceDeclaration<'a>,
    member: &str,
) -> Vec<Declaration<'a>> {
    let signatures = interface.body.body.iter();
    signatures
        .filter_map(|signature| {
            let TSSignature::TSMethodSignature(it) = signature else { return None };
            (!it.computed && key_is(&it.key, member)).then(|| Declaration {
                name: it.key.span(),
                whole: it.span,
                params: &it.params,
                type_parameters: it.type_parameters.as_deref(),
                return_type: it.return_type.as_ref().map(|it| it.span),
                func: None,
                scope: it.scope_id.get(),
                is_typed: false,
                obstacle: it.this_param.is_some().then_some("it declares the type of `this`"),
                is_static: false,
            })
        })
        .collect()
}

/// `name` or `#name`.
pub(crate) fn key_is(key: &PropertyKey<'_>, name: &str) -> bool {
    match key {
        PropertyKey::PrivateIdentifier(it) => name.strip_prefix('#') == Some(it.name.as_str()),
        _ => key.static_name().is_some_and(|it| it == name),
    }
}

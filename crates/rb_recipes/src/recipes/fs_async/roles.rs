//! How a function can be reached: by names, as a member, as an argument; or why nobody can tell.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, CallExpression, Class, Function, FunctionType, MethodDefinition,
    MethodDefinitionKind, ObjectProperty, PropertyKind, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rb_ecma::Func;

use super::at::{At, method_name};
use crate::links::WHOLE;

/// How a function can be reached.
pub(super) enum Role<'a> {
    /// By names of this file, and by these exports.
    Named {
        symbols: Vec<SymbolId>,
        exports: Vec<String>,
    },
    /// As a member of an object.
    Member {
        object: NodeId,
        name: String,
    },
    Method {
        class: &'a Class<'a>,
        name: String,
    },
    /// It is called where it is written.
    Called(&'a CallExpression<'a>),
    Argument {
        call: &'a CallExpression<'a>,
        at: usize,
    },
    /// It cannot wait, or nobody knows who calls it.
    Stuck {
        reason: String,
        suggestion: String,
    },
}

const TYPED: &str = "make the type return a promise, then run again";
const NAME_IT: &str = "give the function a name, and call it by that name";

impl<'a> At<'_, 'a> {
    pub(super) fn role(&self, func: Func<'a>) -> Role<'a> {
        if let Func::Function(it) = func
            && it.r#type == FunctionType::FunctionDeclaration
        {
            return declared(it);
        }
        let name = self.name_of(func);
        let own = match func {
            Func::Function(it) => it.id.as_ref().and_then(|id| id.symbol_id.get()),
            Func::Arrow(_) => None,
        };
        match self.module.parent(func.node()) {
            AstKind::VariableDeclarator(it) => self.bound(it, &name, own),
            AstKind::AssignmentExpression(it) => self.assigned(it, &name, own),
            AstKind::ExportDefaultDeclaration(_) => Role::Named {
                symbols: own.into_iter().collect(),
                exports: vec!["default".to_owned()],
            },
            AstKind::ObjectProperty(it) => self.property(it, &name),
            AstKind::MethodDefinition(it) => self.method(it, &name),
            AstKind::CallExpression(call) if call.callee.span() == func.span() => {
                Role::Called(call)
            }
            AstKind::CallExpression(call) => {
                let at = call.arguments.iter().position(|it| it.span() == func.span());
                Role::Argument { call, at: at.unwrap_or(usize::MAX) }
            }
            other => self.unreached(other, &name),
        }
    }

    /// Why a function that stands there cannot be followed.
    fn unreached(&self, parent: AstKind<'a>, name: &str) -> Role<'a> {
        match parent {
            AstKind::PropertyDefinition(_) => stuck(
                format!("`{name}` is a class field, which other code may call"),
                "make it a method",
            ),
            AstKind::NewExpression(new) => stuck(
                format!(
                    "`new {}` does not await its function",
                    self.module.slice(new.callee.span())
                ),
                "await it before the object is created",
            ),
            AstKind::ReturnStatement(_) | AstKind::ArrowFunctionExpression(_) => stuck(
                "the function is returned by another one, and its callers are unknown".to_owned(),
                "read the file before the function is created, and pass in its content",
            ),
            AstKind::JSXExpressionContainer(_) => stuck(
                "a component does not await it".to_owned(),
                "read the file outside the component",
            ),
            AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_) => {
                stuck(format!("`{name}` has a declared type with a return type"), TYPED)
            }
            _ => stuck(format!("the callers of `{name}` are unknown"), NAME_IT),
        }
    }

    /// `const name = () => …`
    fn bound(&self, it: &VariableDeclarator<'a>, name: &str, own: Option<SymbolId>) -> Role<'a> {
        let bound = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        let Some(symbol) = bound.filter(|_| it.type_annotation.is_none()) else {
            return stuck(format!("`{name}` has a declared type with a return type"), TYPED);
        };
        if !self.module.is_stable(symbol) {
            let suggestion = "give each function its own name";
            return stuck(format!("`{name}` is assigned more than once"), suggestion);
        }
        Role::Named { symbols: own.into_iter().chain([symbol]).collect(), exports: Vec::new() }
    }

    /// `exports.name = () => …`
    fn assigned(
        &self,
        it: &AssignmentExpression<'a>,
        name: &str,
        own: Option<SymbolId>,
    ) -> Role<'a> {
        let left = it.left.span();
        let export = self.links.exports.iter().find(|export| {
            let (start, end) = (export.place.start, export.place.end);
            (left.start <= start && end <= left.end)
                || (export.name == WHOLE && (start, end) == (it.span.start, it.span.end))
        });
        let parent = self.module.parent(it.node_id.get());
        match export.filter(|_| matches!(parent, AstKind::ExpressionStatement(_))) {
            Some(export) => Role::Named {
                symbols: own.into_iter().collect(),
                exports: vec![export.name.clone()],
            },
            None => stuck(
                format!("`{name}` is assigned to something that other code may call"),
                NAME_IT,
            ),
        }
    }

    fn property(&self, it: &ObjectProperty<'a>, name: &str) -> Role<'a> {
        if it.kind != PropertyKind::Init {
            let reason = format!("`{name}` is a getter or setter, which cannot be async");
            return stuck(reason, "make it a method");
        }
        match it.key.static_name().filter(|_| !it.computed) {
            Some(name) => Role::Member {
                object: self.module.nodes().parent_id(it.node_id.get()),
                name: name.into_owned(),
            },
            None => stuck(
                "the function is a member under a computed name".to_owned(),
                "give it a plain name",
            ),
        }
    }

    fn method(&self, it: &MethodDefinition<'a>, name: &str) -> Role<'a> {
        let class = self.module.ancestors(it.node_id.get()).find_map(|kind| match kind {
            AstKind::Class(class) => Some(class),
            _ => None,
        });
        let Some(class) = class else { return stuck("a method without a class".to_owned(), "") };
        let of = class.id.as_ref().map_or("the class", |id| id.name.as_str());
        match it.kind {
            MethodDefinitionKind::Constructor => stuck(
                format!("the constructor of `{of}` cannot be async"),
                "read the file in an async static `create`, and pass the content to the constructor",
            ),
            MethodDefinitionKind::Get | MethodDefinitionKind::Set => stuck(
                format!("`{name}` of `{of}` is a getter or setter, which cannot be async"),
                "make it a method",
            ),
            MethodDefinitionKind::Method if it.computed || !it.decorators.is_empty() => stuck(
                format!("the callers of `{name}` of `{of}` are unknown"),
                "give it a plain name",
            ),
            MethodDefinitionKind::Method => match method_name(&it.key) {
                Some(name) => Role::Method { class, name },
                None => stuck(format!("a method of `{of}` has no plain name"), "give it one"),
            },
        }
    }
}

fn stuck<'a>(reason: String, suggestion: &str) -> Role<'a> {
    Role::Stuck { reason, suggestion: suggestion.to_owned() }
}

fn declared<'a>(function: &'a Function<'a>) -> Role<'a> {
    match function.id.as_ref().and_then(|id| id.symbol_id.get()) {
        Some(symbol) => Role::Named { symbols: vec![symbol], exports: Vec::new() },
        None => Role::Named { symbols: Vec::new(), exports: vec!["default".to_owned()] },
    }
}

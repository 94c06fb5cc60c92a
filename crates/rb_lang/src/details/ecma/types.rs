//! What the parameters of a function take, as far as types that stand in the same file tell.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression,
    FormalParameter, FormalParameters, ObjectPropertyKind, Program, PropertyKey, Statement,
    TSSignature, TSType, TSTypeName,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::details::{Keys, Parameter, ParameterKind};

/// The object types that a file declares at its top.
pub(super) struct Types<'a> {
    text: &'a str,
    by_name: FxHashMap<&'a str, Keys>,
}

impl<'a> Types<'a> {
    pub(super) fn of(program: &Program<'a>) -> Self {
        let mut types = Types { text: program.source_text, by_name: FxHashMap::default() };
        let mut twice = FxHashSet::default();
        for statement in &program.body {
            let Some((name, keys)) = declared(statement) else { continue };
            if types.by_name.insert(name, keys).is_some() {
                twice.insert(name);
            }
        }
        // Declarations of one name are merged into one type.
        for name in program.body.iter().filter_map(|statement| Some(declared(statement)?.0)) {
            if twice.contains(name)
                && let Some(keys) = types.by_name.get_mut(name)
            {
                keys.is_open = true;
            }
        }
        types
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    fn keys(&self, of: &TSType<'_>) -> Option<Keys> {
        match of {
            TSType::TSTypeLiteral(literal) => Some(members(&literal.members)),
            TSType::TSTypeReference(reference) if reference.type_arguments.is_none() => {
                let TSTypeName::IdentifierReference(name) = &reference.type_name else {
                    return None;
                };
                self.by_name.get(name.name.as_str()).cloned()
            }
            _ => None,
        }
    }
}

fn declared<'a>(statement: &Statement<'a>) -> Option<(&'a str, Keys)> {
    match statement {
        Statement::TSInterfaceDeclaration(it) => Some((
            it.id.name.as_str(),
            with_bases(
                members(&it.body.body),
                !it.extends.is_empty() || it.type_parameters.is_some(),
            ),
        )),
        Statement::TSTypeAliasDeclaration(it) => {
            alias(it.id.name.as_str(), &it.type_annotation, it.type_parameters.is_some())
        }
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::TSInterfaceDeclaration(it) => Some((
                it.id.name.as_str(),
                with_bases(
                    members(&it.body.body),
                    !it.extends.is_empty() || it.type_parameters.is_some(),
                ),
            )),
            Declaration::TSTypeAliasDeclaration(it) => {
                alias(it.id.name.as_str(), &it.type_annotation, it.type_parameters.is_some())
            }
            _ => None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => Some((
                it.id.name.as_str(),
                with_bases(members(&it.body.body), !it.extends.is_empty()),
            )),
            _ => None,
        },
        _ => None,
    }
}

fn alias<'a>(name: &'a str, of: &TSType<'a>, is_generic: bool) -> Option<(&'a str, Keys)> {
    match of {
        TSType::TSTypeLiteral(literal) => {
            Some((name, with_bases(members(&literal.members), is_generic)))
        }
        _ => None,
    }
}

fn with_bases(mut keys: Keys, is_open: bool) -> Keys {
    keys.is_open |= is_open;
    keys
}

fn members(members: &[TSSignature<'_>]) -> Keys {
    let mut keys = Keys::default();
    for member in members {
        let (key, optional) = match member {
            TSSignature::TSPropertySignature(it) => (
                &it.key,
                it.optional
                    || takes_undefined(it.type_annotation.as_ref().map(|it| &it.type_annotation)),
            ),
            TSSignature::TSMethodSignature(it) => (&it.key, it.optional),
            TSSignature::TSIndexSignature(_)
            | TSSignature::TSCallSignatureDeclaration(_)
            | TSSignature::TSConstructSignatureDeclaration(_) => {
                keys.is_open = true;
                continue;
            }
        };
        match key_name(key) {
            Some(name) => keys.names.push((name.into(), !optional)),
            None => keys.is_open = true,
        }
    }
    keys
}

/// Such a key must be there, but what checks it may be lenient; whoever reports must be sure.
fn takes_undefined(of: Option<&TSType<'_>>) -> bool {
    match of {
        None | Some(TSType::TSAnyKeyword(_) | TSType::TSUndefinedKeyword(_)) => true,
        Some(TSType::TSUnionType(union)) => {
            union.types.iter().any(|one| matches!(one, TSType::TSUndefinedKeyword(_)))
        }
        Some(_) => false,
    }
}

fn key_name<'a>(key: &PropertyKey<'a>) -> Option<&'a str> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.as_str()),
        PropertyKey::StringLiteral(literal) => Some(literal.value.as_str()),
        _ => None,
    }
}

/// The keys of an object that is written out to its end, whatever its type is said to be.
pub(super) fn written_out(value: &Expression<'_>) -> Option<BTreeSet<Box<str>>> {
    let Expression::ObjectExpression(object) = value.get_inner_expression() else { return None };
    let keys = object.properties.iter().map(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) => Some(key_name(&it.key)?.into()),
        ObjectPropertyKind::SpreadProperty(_) => None,
    });
    keys.collect()
}

pub(super) fn parameters(params: &FormalParameters<'_>, types: &Types<'_>) -> Vec<Parameter> {
    let mut list: Vec<Parameter> =
        params.items.iter().map(|param| parameter(param, types)).collect();
    // What stands before a required parameter cannot be left out.
    if let Some(rest) = &params.rest {
        list.push(Parameter {
            name: pattern_name(&rest.rest.argument).into(),
            kind: ParameterKind::Rest,
            is_required: false,
            keys: None,
        });
    }
    list
}

fn parameter(param: &FormalParameter<'_>, types: &Types<'_>) -> Parameter {
    let annotation = param.type_annotation.as_ref().map(|it| &it.type_annotation);
    let may_be_undefined = annotation.is_some_and(|annotation| takes_undefined(Some(annotation)));
    let is_void =
        matches!(annotation, Some(TSType::TSVoidKeyword(_) | TSType::TSUnknownKeyword(_)));
    let is_union_of_void = matches!(annotation, Some(TSType::TSUnionType(union))
        if union.types.iter().any(|one| matches!(one, TSType::TSVoidKeyword(_))));
    let is_any = matches!(annotation, Some(TSType::TSAnyKeyword(_)));
    Parameter {
        name: pattern_name(&param.pattern).into(),
        kind: ParameterKind::Any,
        is_required: param.initializer.is_none()
            && !param.optional
            && !is_void
            && !is_union_of_void
            && (!may_be_undefined || is_any),
        keys: keys_of(param, types),
    }
}

fn keys_of(param: &FormalParameter<'_>, types: &Types<'_>) -> Option<Keys> {
    match (&param.type_annotation, &param.pattern) {
        (Some(annotation), _) => types.keys(&annotation.type_annotation),
        // Without a type, what is taken apart is all that is known; nobody checks it.
        (None, BindingPattern::ObjectPattern(pattern)) => {
            let names = pattern
                .properties
                .iter()
                .filter_map(|property| Some((Box::from(key_name(&property.key)?), false)));
            Some(Keys { names: names.collect(), is_open: pattern.rest.is_some() })
        }
        (None, _) => None,
    }
}

fn pattern_name<'a>(pattern: &BindingPattern<'a>) -> &'a str {
    match pattern {
        BindingPattern::BindingIdentifier(name) => name.name.as_str(),
        BindingPattern::AssignmentPattern(pattern) => pattern_name(&pattern.left),
        BindingPattern::ObjectPattern(_) => "{}",
        BindingPattern::ArrayPattern(_) => "[]",
    }
}

/// How many arguments there are, and the keys of those that are objects.
#[expect(clippy::type_complexity, reason = "two parts of a call, named where they are used")]
pub(super) fn argument_shape(
    arguments: &[Argument<'_>],
) -> (Option<u32>, Vec<Option<Vec<Box<str>>>>) {
    let mut objects = Vec::new();
    for argument in arguments {
        let Some(value) = argument.as_expression() else { return (None, objects) };
        objects.push(object_keys(value));
    }
    (u32::try_from(objects.len()).ok(), objects)
}

fn object_keys(value: &Expression<'_>) -> Option<Vec<Box<str>>> {
    let Expression::ObjectExpression(object) = value else { return None };
    let keys = object.properties.iter().map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => key_name(&property.key).map(Box::from),
        ObjectPropertyKind::SpreadProperty(_) => None,
    });
    keys.collect()
}

/// `None` where the type may or may not be one.
pub(super) fn returns_promise(of: &TSType<'_>) -> Option<bool> {
    match of {
        TSType::TSTypeReference(reference) => match &reference.type_name {
            TSTypeName::IdentifierReference(name) if name.name == "Promise" => Some(true),
            _ => None,
        },
        TSType::TSStringKeyword(_)
        | TSType::TSNumberKeyword(_)
        | TSType::TSBooleanKeyword(_)
        | TSType::TSVoidKeyword(_)
        | TSType::TSArrayType(_)
        | TSType::TSTypeLiteral(_)
        | TSType::TSNullKeyword(_)
        | TSType::TSLiteralType(_) => Some(false),
        _ => None,
    }
}

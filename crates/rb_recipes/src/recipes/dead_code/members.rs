//! `#name` of a class that the class does not use. Nothing outside can.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, ClassElement, PropertyKey};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::candidates::{Candidate, Where};
use crate::cleaning::is_quiet;

pub(super) fn find<'a>(module: &Module<'a>, found: &mut Vec<Candidate<'a>>) {
    let mut classes: Vec<(Span, BTreeMap<&str, Vec<Span>>)> = Vec::new();
    let mut read: Vec<(&str, Span)> = Vec::new();
    let mut quiet: BTreeMap<(u32, &str), bool> = BTreeMap::new();
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::Class(class) => {
                let members = declared(class);
                for element in &class.body.body {
                    if let Some(name) = private_name(element) {
                        let it = quiet.entry((class.body.span.start, name)).or_insert(true);
                        *it &= is_quiet_member(module, element);
                    }
                }
                classes.push((class.body.span, members));
            }
            AstKind::PrivateFieldExpression(it) => read.push((&it.field.name, it.field.span)),
            AstKind::PrivateInExpression(it) => read.push((&it.left.name, it.left.span)),
            _ => {}
        }
    }
    for (body, members) in &classes {
        for (name, spans) in members {
            // A class inside may have a name of its own that is the same.
            let inner: Vec<Span> = classes
                .iter()
                .filter(|(span, names)| {
                    span != body && (*body).contains_inclusive(*span) && names.contains_key(name)
                })
                .map(|(span, _)| *span)
                .collect();
            let uses: Vec<Span> = read
                .iter()
                .filter(|(it, span)| {
                    it == name
                        && (*body).contains_inclusive(*span)
                        && !inner.iter().any(|it| (*it).contains_inclusive(*span))
                })
                .map(|(_, span)| *span)
                .collect();
            let [span] = spans.as_slice() else { continue };
            let doubt = (!quiet[&(body.start, *name)]).then(|| {
                let why =
                    "its value is computed when an object is created, which may have side effects";
                (why.to_owned(), "delete it if they are not needed")
            });
            found.push(Candidate {
                name: format!("#{name}"),
                what: "private member",
                symbol: None,
                span: *span,
                uses,
                place: Where::Member,
                doubt,
                around: Vec::new(),
            });
        }
    }
}

fn declared<'a>(class: &Class<'a>) -> BTreeMap<&'a str, Vec<Span>> {
    let mut found: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for element in &class.body.body {
        if let Some(name) = private_name(element) {
            found.entry(name).or_default().push(element.span());
        }
    }
    found
}

fn private_name<'a>(element: &ClassElement<'a>) -> Option<&'a str> {
    let key = match element {
        ClassElement::MethodDefinition(it) => &it.key,
        ClassElement::PropertyDefinition(it) => &it.key,
        ClassElement::AccessorProperty(it) => &it.key,
        ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => return None,
    };
    match key {
        PropertyKey::PrivateIdentifier(it) => Some(it.name.as_str()),
        _ => None,
    }
}

fn is_quiet_member<'a>(module: &Module<'a>, element: &ClassElement<'a>) -> bool {
    match element {
        ClassElement::MethodDefinition(it) => it.decorators.is_empty(),
        ClassElement::PropertyDefinition(it) => {
            it.decorators.is_empty() && it.value.as_ref().is_none_or(|it| is_quiet(module, it))
        }
        _ => false,
    }
}

//! The uses of a constructor: `new C(…)`, `super(…)`, and those of classes that inherit it.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_operations::Place;

use super::callable::{Callable, Places};
use super::declaration::class_members;
use super::uses::ValueKind;
use crate::project::Project;

/// A class that extends another one.
struct Subclass {
    /// None if it is not declared at the top of its file.
    name: Option<String>,
    line: u32,
    has_constructor: bool,
    /// `super` of `super(…)`.
    super_calls: Vec<(u32, u32)>,
}

pub(super) fn collect(project: &Project<'_>, callable: &mut Callable, class: &str) {
    let mut open = vec![(callable.symbol.path.clone(), class.to_owned())];
    let mut seen = BTreeSet::new();
    while let Some((path, class)) = open.pop() {
        if !seen.insert((path.clone(), class.clone())) {
            continue;
        }
        let mut places = Places::default();
        callable.follow(project, &path, &class, &mut places);
        for (path, base) in callable.read(project, &places) {
            let Some(subclass) = project.parsed(&path, |module| subclass(module, base)).flatten()
            else {
                continue;
            };
            if subclass.has_constructor {
                let supers = subclass.super_calls.into_iter().collect();
                callable.read(project, &Places::from([(path, supers)]));
            } else if let Some(name) = subclass.name {
                open.push((path, name));
            } else {
                let what = "a class inside of others extends it".to_owned();
                callable.doubts.push(Place { path, line: subclass.line, what });
            }
        }
    }
    // Types say nothing about how an instance is made.
    callable.values.retain(|(_, value)| value.kind != ValueKind::Type);
}

fn subclass(module: &Module<'_>, base: Span) -> Option<Subclass> {
    let class = module.nodes().iter().find_map(|node| match node.kind() {
        AstKind::Class(class) => {
            let heritage = class.heritage.as_ref()?;
            (heritage.expression.span() == base).then_some(class)
        }
        _ => None,
    })?;
    let id = class.id.as_ref();
    let is_top = id.and_then(|id| id.symbol_id.get()).is_some_and(|it| module.is_top_level(it));
    let inside = |span: Span| class.span.start <= span.start && span.end <= class.span.end;
    let supers = module.calls().iter().filter_map(|call| match &call.callee {
        Expression::Super(it) if inside(it.span) => Some((it.span.start, it.span.end)),
        _ => None,
    });
    Some(Subclass {
        name: id.filter(|_| is_top).map(|id| id.name.to_string()),
        line: module.line(class.span.start),
        has_constructor: !class_members(class, "constructor").is_empty(),
        super_calls: supers.collect(),
    })
}

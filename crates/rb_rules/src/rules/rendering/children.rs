//! Does a component of the project do more with its children than to show them?
//!
//! `children ? <p>{children}</p> : "Not set"` never shows a `0`. Components of packages are taken to show what they are given.

use oxc_ast::AstKind;
use oxc_ast::ast::JSXElement;
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Imported, Module};

use super::jsx;
use crate::cx::{Cx, is_rendered};
use crate::exports::exported_function;
use crate::world::{Target, World};

/// Children are followed through so many components.
const STEPS: u32 = 3;

/// Is the node the child of a component that looks at its children?
pub(super) fn is_looked_at(cx: &Cx<'_, '_>, node: NodeId) -> bool {
    looks_around(cx.world, &cx.facts.path, cx.module, node, STEPS)
}

fn looks_around(
    world: &dyn World,
    path: &str,
    module: &Module<'_>,
    node: NodeId,
    steps: u32,
) -> bool {
    let mut around = module.ancestors(node);
    let element = around.find_map(|kind| match kind {
        AstKind::JSXElement(element) => Some(Some(element)),
        AstKind::JSXExpressionContainer(_) => None,
        _ => Some(None),
    });
    let Some(Some(element)) = element else { return false };
    origin(world, path, module, element)
        .is_some_and(|(file, name)| steps > 0 && looks(world, &file, &name, steps - 1))
}

/// The file and the name of the component that an element is of.
fn origin<'a>(
    world: &dyn World,
    path: &str,
    module: &Module<'a>,
    element: &'a JSXElement<'a>,
) -> Option<(String, String)> {
    let name = jsx::component(element)?;
    let Some(import) = module.import(module.symbol(name)?) else {
        return Some((path.to_owned(), name.name.to_string()));
    };
    let exported = match import.imported {
        Imported::Default => "default",
        Imported::Named(name) => name,
        Imported::Namespace => return None,
    };
    match world.resolve(path, import.source) {
        Target::File(file) => world.origin(&file, exported),
        Target::Package(_) | Target::Builtin | Target::Unknown => None,
    }
}

fn looks(world: &dyn World, file: &str, name: &str, steps: u32) -> bool {
    let key = format!("{steps} {name}");
    let answer = world.ask("looks at its children", file, &key, |module| {
        let within = span_of(module, name);
        let mut nodes = module.nodes().iter().filter(|it| {
            let span = it.kind().span();
            within.start <= span.start && span.end <= within.end && is_children(it.kind())
        });
        nodes.any(|it| {
            !is_rendered(module, it.id()) || looks_around(world, file, module, it.id(), steps)
        })
    });
    answer.unwrap_or(false)
}

/// Where the component stands; all of the file where it is wrapped in something.
fn span_of(module: &Module<'_>, name: &str) -> Span {
    let own = || module.functions().iter().find(|it| it.name == Some(name)).map(|it| it.func);
    let func = exported_function(module, name).or_else(own);
    func.map_or(module.program().span, rb_ecma::Func::span)
}

fn is_children(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::IdentifierReference(it) => it.name == "children",
        AstKind::StaticMemberExpression(it) => it.property.name == "children",
        _ => false,
    }
}

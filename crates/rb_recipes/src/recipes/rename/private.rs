//! `#name` of a class, which is known within its class alone.

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, PropertyKey};
use oxc_semantic::NodeId;
use oxc_span::Span;

use super::file::{File, FileResult};
use super::spread::Spread;
use super::target::Symbol;

/// True where the class has such a member.
pub(super) fn rename(spread: &mut Spread<'_>, symbol: &Symbol, private: &str) -> bool {
    spread.file(&symbol.path, |file, found| {
        let module = file.module;
        let Some(id) = file.bound(module.scoping().root_scope_id(), &symbol.name) else { return };
        let AstKind::Class(class) = module.declaration(id) else { return };
        if !declares(class, private) {
            return;
        }
        for node in module.nodes().iter() {
            if let AstKind::PrivateIdentifier(it) = node.kind()
                && class.span.contains_inclusive(it.span)
            {
                one(file, class, (node.id(), &it.name, it.span), found);
            }
        }
    });
    !spread.chain.edits.is_empty() || !spread.left.is_empty()
}

fn declares(class: &Class<'_>, name: &str) -> bool {
    class.body.body.iter().any(|it| match it.property_key() {
        Some(PropertyKey::PrivateIdentifier(it)) => it.name == name,
        _ => false,
    })
}

/// One private name within the class.
fn one(
    file: &File<'_, '_>,
    class: &Class<'_>,
    (node, name, span): (NodeId, &str, Span),
    found: &mut FileResult,
) {
    let nodes = file.module.nodes();
    let owner = |name: &str| {
        nodes.ancestor_ids(node).find_map(|it| match nodes.kind(it) {
            AstKind::Class(it) if declares(it, name) => Some(it.span),
            _ => None,
        })
    };
    if name == file.old() && owner(name) == Some(class.span) {
        if owner(file.fresh()).is_some_and(|it| class.span.contains_inclusive(it)) {
            let reason = format!("`#{}` already exists", file.fresh());
            file.stop(found, span, &reason, "choose another name");
        }
        file.put_new(found, Span::new(span.start + 1, span.end));
    } else if name == file.fresh()
        && !owner(name).is_some_and(|it| class.span.contains_inclusive(it))
    {
        let reason =
            format!("`#{}` means something else here, and would be shadowed", file.fresh());
        file.stop(found, span, &reason, "choose another name");
    }
}

//! Functions of a `"use server"` file that code of the server calls, and no client is given.
//!
//! They are endpoints all the same. What is handed on, to a form or by another export, counts as given to a client.

use oxc_ast::AstKind;
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Imported, Module};

use crate::cx::Cx;
use crate::facts::FileKind;
use crate::world::{Target, World};

/// What a file does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Nothing,
    Call,
    /// It is handed on, or what is done cannot be seen.
    Other,
}

pub(super) fn is_helper<'a>(cx: &Cx<'_, 'a>, name: &str, func: Func<'a>) -> bool {
    let module = cx.module;
    if !module.has_directive("use server") {
        return false;
    }
    let Some(symbol) = module.function_view(func).and_then(|it| it.symbol) else { return false };
    let mut found = vec![use_of(module, symbol)];
    for importer in cx.world.importers(&cx.facts.path) {
        let Some(facts) = cx.world.facts(&importer) else { return false };
        if facts.kind != FileKind::Source {
            continue;
        }
        let it = use_in(cx.world, &importer, &cx.facts.path, name);
        found.push(if it == Use::Call && facts.is_client() { Use::Other } else { it });
    }
    found.contains(&Use::Call) && !found.contains(&Use::Other)
}

fn use_in(world: &dyn World, importer: &str, path: &str, name: &str) -> Use {
    let target = Target::File(path.to_owned());
    let found = world.with_module(importer, |module| {
        let bindings: Vec<_> = module
            .imports()
            .values()
            .filter(|it| !it.is_type && world.resolve(importer, it.source) == target)
            .collect();
        // Another way to load it: an export from it, an `import()`.
        if bindings.is_empty() {
            return Use::Other;
        }
        let mut all = Use::Nothing;
        for it in bindings {
            let one = match it.imported {
                Imported::Named(own) if own == name => use_of(module, it.symbol),
                Imported::Default if name == "default" => use_of(module, it.symbol),
                Imported::Named(_) | Imported::Default => Use::Nothing,
                Imported::Namespace => Use::Other,
            };
            match one {
                Use::Nothing => {}
                Use::Call => all = Use::Call,
                Use::Other => return Use::Other,
            }
        }
        all
    });
    found.unwrap_or(Use::Other)
}

fn use_of(module: &Module<'_>, symbol: SymbolId) -> Use {
    let mut found = Use::Nothing;
    for it in module.value_uses(symbol) {
        let is_call = matches!(module.parent(it.node), AstKind::CallExpression(call)
            if call.callee.span() == it.span);
        if !is_call {
            return Use::Other;
        }
        found = Use::Call;
    }
    found
}

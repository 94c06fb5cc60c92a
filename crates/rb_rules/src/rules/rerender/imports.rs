//! Imports that a fix leaves without a use.
//! Only what a fix itself took the last use of goes.

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Imported, Module};

/// Takes away the names that nothing uses once the `gone` pieces of the text are.
///
/// Where only all fixes of a file together leave a name without a use (`all_gone`), the import is put back as it is: that
/// keeps two fixes from being made at once, and the one that is made last takes the import along. `None` where a comment
/// would go with it.
pub(super) fn settle(
    module: &Module<'_>,
    symbols: &[SymbolId],
    gone: &[Span],
    all_gone: &[Span],
) -> Option<Vec<Edit>> {
    let imports = || symbols.iter().filter_map(|&symbol| module.import(symbol));
    let unused: Vec<Span> =
        imports().filter(|it| is_unused(module, it.symbol, gone)).map(|it| it.span).collect();
    let mut edits = Vec::new();
    for import in imports() {
        let span = import.span;
        if !unused.contains(&span) && is_unused(module, import.symbol, all_gone) {
            edits.push(Edit::replace(span.start, span.end, module.slice(span)));
        }
    }
    for declaration in module.import_declarations() {
        let Some(specifiers) = &declaration.specifiers else { continue };
        let goes = |it: &ImportDeclarationSpecifier<'_>| unused.contains(&it.span());
        if specifiers.iter().any(goes) {
            edits.extend(without(module, declaration, specifiers, &goes)?);
        }
    }
    Some(edits)
}

/// A name of React, imported in the place of one of `symbols` that goes, where there is one; that is taken from the list.
pub(super) fn bring(
    module: &Module<'_>,
    name: &str,
    symbols: &mut Vec<SymbolId>,
    gone: &[Span],
) -> Option<(String, Vec<Edit>)> {
    let placed = module.import_name("react", name)?;
    let is_free = |symbol: &SymbolId| {
        is_unused(module, *symbol, gone)
            && module.import(*symbol).is_some_and(|it| matches!(it.imported, Imported::Named(_)))
    };
    let free = symbols.iter().position(is_free);
    match free.filter(|_| !placed.edits.is_empty()) {
        Some(at) => {
            let span = module.import(symbols.remove(at))?.span;
            let specifier = if placed.name == name {
                placed.name.clone()
            } else {
                format!("{name} as {}", placed.name)
            };
            Some((placed.name, vec![Edit::replace(span.start, span.end, specifier)]))
        }
        None => Some((placed.name, placed.edits)),
    }
}

/// Are all uses of the name in these pieces of the text?
pub(super) fn is_unused(module: &Module<'_>, symbol: SymbolId, gone: &[Span]) -> bool {
    let is_gone = |at: Span| gone.iter().any(|it| it.start <= at.start && at.end <= it.end);
    module.uses(symbol).all(|it| is_gone(it.span))
}

fn without<'a>(
    module: &Module<'a>,
    declaration: &ImportDeclaration<'a>,
    specifiers: &[ImportDeclarationSpecifier<'a>],
    goes: &dyn Fn(&ImportDeclarationSpecifier<'a>) -> bool,
) -> Option<Vec<Edit>> {
    if specifiers.iter().all(goes) {
        return Some(vec![module.delete_statement(declaration.span)?]);
    }
    if module.has_comment(declaration.span) {
        return None;
    }
    let is_named = |it: &&ImportDeclarationSpecifier<'a>| {
        matches!(it, ImportDeclarationSpecifier::ImportSpecifier(_))
    };
    let named: Vec<_> = specifiers.iter().filter(is_named).collect();
    if let (Some(first), Some(last)) = (specifiers.first(), named.last())
        && named.iter().all(|it| goes(it))
    {
        // `import a, { b }`: the braces go too.
        let rest = &module.text()[last.span().end as usize..];
        let close = u32::try_from(rest.find('}')?).ok()?;
        return Some(vec![Edit::delete(first.span().end, last.span().end + close + 1)]);
    }
    let last_kept = named.iter().rposition(|it| !goes(it))?;
    let mut edits = Vec::new();
    for (at, specifier) in named.iter().enumerate().take(last_kept) {
        if goes(specifier) {
            edits.push(Edit::delete(specifier.span().start, named[at + 1].span().start));
        }
    }
    if let Some(last) = named.last().filter(|_| last_kept + 1 < named.len()) {
        edits.push(Edit::delete(named[last_kept].span().end, last.span().end));
    }
    Some(edits)
}

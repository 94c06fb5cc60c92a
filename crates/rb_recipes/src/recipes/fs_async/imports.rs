//! The imports of a file after its calls were changed: names that came, names that nobody uses any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, ImportDeclaration, ImportDeclarationSpecifier, VariableDeclarator,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::hosts;
use super::model::{Named, Put};

/// What was changed in one file: the uses that are gone, with the name each took.
pub(super) type Changed = Vec<(Span, Named)>;
/// Where one old name was used, and the new names that take its place.
type Taking<'c> = (BTreeSet<u32>, BTreeSet<&'c Named>);

pub(super) fn edits(module: &Module<'_>, path: &Arc<str>, changed: &Changed) -> Vec<Put> {
    // By the declaration that binds the old name.
    let mut by_place: BTreeMap<(u32, u32), Taking<'_>> = BTreeMap::new();
    for (span, named) in changed {
        let entry = by_place.entry(named.old_place).or_default();
        entry.0.insert(span.start);
        entry.1.insert(named);
    }
    let mut gone: BTreeSet<SymbolId> = BTreeSet::new();
    let mut new: BTreeMap<u32, Vec<&Named>> = BTreeMap::new();
    let mut there: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut statements: BTreeMap<u32, SymbolId> = BTreeMap::new();
    for (place, (uses, names)) in &by_place {
        let symbol = module.scoping().symbol_ids().find(|&it| {
            let span = module.scoping().symbol_span(it);
            (span.start, span.end) == *place
        });
        let Some(symbol) = symbol else { continue };
        if module.uses(symbol).all(|it| uses.contains(&it.span.start)) {
            gone.insert(symbol);
        }
        let at = statement_of(module, symbol).map_or(0, |it| it.start);
        statements.insert(at, symbol);
        for named in names {
            if !named.is_there && there.insert((&named.specifier, &named.local)) {
                new.entry(at).or_default().push(named);
            }
        }
    }
    let first = changed.iter().map(|it| it.0.start).min().unwrap_or(0);
    let mut puts = Vec::new();
    if let Some(host) = new.values().flatten().find_map(|it| hosts::of(module, it, first)) {
        let mut taken = Vec::new();
        for names in new.values_mut() {
            taken.extend(names.extract_if(.., |it| host.takes(it)));
        }
        puts.push(host.extend(module, path, &taken));
    }
    for (at, symbol) in statements {
        let names = new.remove(&at).unwrap_or_default();
        puts.extend(one(module, path, symbol, &gone, names));
    }
    puts
}

fn statement_of(module: &Module<'_>, symbol: SymbolId) -> Option<Span> {
    if let Some(import) = module.import(symbol) {
        return Some(import.declaration.span);
    }
    let declarator = module.declarator(symbol)?;
    match module.parent(declarator.node_id.get()) {
        AstKind::VariableDeclaration(it) => Some(it.span),
        _ => None,
    }
}

/// The edits of one statement that binds names of `fs`.
fn one(
    module: &Module<'_>,
    path: &Arc<str>,
    symbol: SymbolId,
    gone: &BTreeSet<SymbolId>,
    mut names: Vec<&Named>,
) -> Vec<Put> {
    names.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(import) = module.import(symbol) {
        return of_import(module, path, import.declaration, gone, &names);
    }
    match module.declarator(symbol) {
        Some(declarator) => of_require(module, path, declarator, gone, &names),
        None => Vec::new(),
    }
}

fn of_import<'a>(
    module: &Module<'a>,
    path: &Arc<str>,
    declaration: &'a ImportDeclaration<'a>,
    gone: &BTreeSet<SymbolId>,
    names: &[&Named],
) -> Vec<Put> {
    let style = module.style();
    let all: Vec<&ImportDeclarationSpecifier<'_>> =
        declaration.specifiers.iter().flatten().collect();
    let is_gone = |it: &ImportDeclarationSpecifier<'_>| {
        it.local().symbol_id.get().is_some_and(|it| gone.contains(&it))
    };
    let kept: Vec<_> = all.iter().filter(|it| !is_gone(it)).collect();
    let is_named = |it: &&&ImportDeclarationSpecifier<'_>| {
        matches!(**it, ImportDeclarationSpecifier::ImportSpecifier(_))
    };
    let same_source =
        names.first().is_some_and(|it| it.specifier == declaration.source.value.as_str());
    let added: Vec<String> = names.iter().map(|it| aliased(it, " as ")).collect();
    let source = |specifier: &str| {
        let written = module.slice(declaration.source.span);
        written.replace(declaration.source.value.as_str(), specifier)
    };
    let line = |names: &[String], specifier: &str, eol: &str| {
        let semicolon = if module.slice(declaration.span).ends_with(';') { ";" } else { "" };
        let behind = format!("from {}{semicolon}", source(specifier));
        let short = format!("import {} {behind}", style.braced(&names.join(", ")));
        if eol.is_empty() && short.len() > 80 && module.slice(declaration.span).contains('\n') {
            return broken(module, declaration, names, &behind);
        }
        format!("{eol}{short}")
    };
    let span = declaration.span;
    if kept.is_empty() && !names.is_empty() && !module.has_comment(span) {
        return vec![Put::replace(
            path,
            span.start,
            span.end,
            line(&added, &names[0].specifier, ""),
        )];
    }
    if kept.is_empty() && names.is_empty() {
        let symbol = all.first().and_then(|it| it.local().symbol_id.get());
        let edit = symbol.filter(|_| all.len() == 1).and_then(|it| module.remove_import(it));
        let edit = edit.or_else(|| module.delete_statement(span));
        return edit.into_iter().map(|it| Put::replace(path, it.start, it.end, it.text)).collect();
    }
    let mut puts = Vec::new();
    let kept_named: Vec<_> = kept.iter().filter(|it| is_named(it)).collect();
    let all_named: Vec<_> = all.iter().filter(|it| is_named(it)).collect();
    let has_gone = kept.len() < all.len();
    let list = || {
        let mut texts: Vec<String> =
            kept_named.iter().map(|it| module.slice(it.span()).to_owned()).collect();
        if same_source {
            texts.extend(added.iter().cloned());
        }
        texts
    };
    if (has_gone || same_source)
        && let (Some(first), Some(last)) = (all_named.first(), all_named.last())
    {
        let texts = list();
        let region = Span::new(first.span().start, last.span().end);
        let is_long = module.slice(region).contains('\n');
        let separator = if is_long {
            format!(",{}{}", style.line_end, module.indent_at(first.span().start))
        } else {
            ", ".to_owned()
        };
        if texts.is_empty() {
            // `import fs, { a } from`: the braces go, too.
            let text = module.text();
            let open = text[..region.start as usize].rfind(',').unwrap_or(region.start as usize);
            let close = text[region.end as usize..]
                .find('}')
                .map_or(region.end as usize, |it| region.end as usize + it + 1);
            puts.push(Put::replace(path, number(open), number(close), ""));
        } else if !module.has_comment(region) {
            puts.push(Put::replace(path, region.start, region.end, texts.join(&separator)));
        } else if same_source {
            puts.push(Put::replace(
                path,
                last.span().end,
                last.span().end,
                format!(", {}", added.join(", ")),
            ));
        }
    }
    if !same_source && !names.is_empty() {
        puts.push(Put::replace(
            path,
            span.end,
            span.end,
            line(&added, &names[0].specifier, style.line_end),
        ));
    }
    puts
}

/// One name in a line, as the names were before.
fn broken(
    module: &Module<'_>,
    declaration: &ImportDeclaration<'_>,
    names: &[String],
    behind: &str,
) -> String {
    let eol = module.style().line_end;
    let old = module.slice(declaration.span);
    let first = declaration.specifiers.iter().flatten().next();
    let indent = first.map_or_else(String::new, |it| module.indent_at(it.span().start).to_string());
    let has_comma = old.split('}').next().is_some_and(|it| it.trim_end().ends_with(','));
    let comma = if has_comma { "," } else { "" };
    let list = names.join(&format!(",{eol}{indent}"));
    format!("import {{{eol}{indent}{list}{comma}{eol}}} {behind}")
}

/// `const { readFileSync } = require('fs')`, `const readFileSync = require('fs').readFileSync`
fn of_require<'a>(
    module: &Module<'a>,
    path: &Arc<str>,
    declarator: &'a VariableDeclarator<'a>,
    gone: &BTreeSet<SymbolId>,
    names: &[&Named],
) -> Vec<Put> {
    let style = module.style();
    let AstKind::VariableDeclaration(declaration) = module.parent(declarator.node_id.get()) else {
        return Vec::new();
    };
    let Some(init) = &declarator.init else { return Vec::new() };
    let span = declaration.span;
    let keyword = module.slice(span).split_whitespace().next().unwrap_or("const");
    let semicolon = if module.slice(span).ends_with(';') { ";" } else { "" };
    let added: Vec<String> = names.iter().map(|it| aliased(it, ": ")).collect();
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else {
        return of_member(module, path, declarator, gone, names);
    };
    let is_gone = |at: usize| {
        pattern.properties[at]
            .value
            .get_binding_identifier()
            .and_then(|it| it.symbol_id.get())
            .is_some_and(|it| gone.contains(&it))
    };
    let kept: Vec<usize> = (0..pattern.properties.len()).filter(|&it| !is_gone(it)).collect();
    let same_source = names.first().is_some_and(|it| {
        module.slice(init.span()).contains(&style.quoted(&it.specifier))
            || module.slice(init.span()).trim_end_matches(['\'', '"', ')']).ends_with(&it.specifier)
    });
    let spaced = module.slice(pattern.span).starts_with("{ ");
    let braced =
        |inner: String| if spaced { format!("{{ {inner} }}") } else { format!("{{{inner}}}") };
    let source = |specifier: &str| {
        let written = module.slice(init.span());
        let quote = if written.contains('"') { '"' } else { '\'' };
        // `await import(…)` stays what it is.
        let call = if written.starts_with("require") { "require" } else { "await import" };
        format!("{call}({quote}{specifier}{quote})")
    };
    if kept.is_empty() && !names.is_empty() && pattern.rest.is_none() {
        let text = format!("{} = {}", braced(added.join(", ")), source(&names[0].specifier));
        return vec![Put::replace(path, declarator.span.start, declarator.span.end, text)];
    }
    if kept.is_empty() && declaration.declarations.len() == 1 && pattern.rest.is_none() {
        return module
            .delete_statement(span)
            .into_iter()
            .map(|it| Put::replace(path, it.start, it.end, it.text))
            .collect();
    }
    let mut puts = Vec::new();
    if (kept.len() < pattern.properties.len() || same_source)
        && !kept.is_empty()
        && pattern.rest.is_none()
    {
        let mut texts: Vec<String> =
            kept.iter().map(|&it| module.slice(pattern.properties[it].span).to_owned()).collect();
        if same_source {
            texts.extend(added.iter().cloned());
        }
        let region = Span::new(
            pattern.properties[0].span.start,
            pattern.properties[pattern.properties.len() - 1].span.end,
        );
        let is_long = module.slice(region).contains('\n');
        let separator = if is_long {
            format!(",{}{}", style.line_end, module.indent_at(region.start))
        } else {
            ", ".to_owned()
        };
        puts.push(Put::replace(path, region.start, region.end, texts.join(&separator)));
    }
    if !same_source && !names.is_empty() {
        let indent = module.indent_at(span.start);
        let text = format!(
            "{}{indent}{keyword} {} = {}{semicolon}",
            style.line_end,
            braced(added.join(", ")),
            source(&names[0].specifier)
        );
        puts.push(Put::replace(path, span.end, span.end, text));
    }
    puts
}

/// `const readFileSync = require('fs').readFileSync`: the one name, whose member is taken where it is bound.
fn of_member<'a>(
    module: &Module<'a>,
    path: &Arc<str>,
    declarator: &'a VariableDeclarator<'a>,
    gone: &BTreeSet<SymbolId>,
    names: &[&Named],
) -> Vec<Put> {
    let AstKind::VariableDeclaration(declaration) = module.parent(declarator.node_id.get()) else {
        return Vec::new();
    };
    let (style, span) = (module.style(), declaration.span);
    let keyword = module.slice(span).split_whitespace().next().unwrap_or("const");
    let semicolon = if module.slice(span).ends_with(';') { ";" } else { "" };
    let is_gone = declarator
        .id
        .get_binding_identifier()
        .and_then(|it| it.symbol_id.get())
        .is_some_and(|it| gone.contains(&it));
    let Some(it) = names.first() else {
        let removed = (is_gone && declaration.declarations.len() == 1)
            .then(|| module.delete_statement(span))
            .flatten();
        let put = |it: rb_core::Edit| Put::replace(path, it.start, it.end, it.text);
        return removed.map(put).into_iter().collect();
    };
    let source = style.quoted(&it.specifier);
    let text = format!("{} = require({source}).{}", it.local, it.name);
    if is_gone {
        return vec![Put::replace(path, declarator.span.start, declarator.span.end, text)];
    }
    let indent = module.indent_at(span.start);
    vec![Put::replace(
        path,
        span.end,
        span.end,
        format!("{}{indent}{keyword} {text}{semicolon}", style.line_end),
    )]
}

pub(super) fn aliased(named: &Named, word: &str) -> String {
    if named.name == named.local {
        named.name.clone()
    } else {
        format!("{}{word}{}", named.name, named.local)
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

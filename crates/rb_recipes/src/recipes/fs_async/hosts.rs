//! A declaration that binds names of the wanted module already: new names go there, and not into a second one.

use std::sync::Arc;

use oxc_ast::ast::{
    BindingPattern, Expression, ImportDeclarationSpecifier, Statement, VariableDeclaration,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::imports::aliased;
use super::model::{Named, Put};
use super::names::bare;

pub(super) struct Host {
    /// The names that it has.
    names: Vec<Span>,
    source: String,
    is_import: bool,
}

/// The declaration for a name, where there is one that ran before the first place that needs it.
pub(super) fn of(module: &Module<'_>, named: &Named, first: u32) -> Option<Host> {
    let mut hosts = module.program().body.iter().filter_map(host);
    hosts.find(|(it, end)| it.takes(named) && (it.is_import || *end <= first)).map(|it| it.0)
}

fn host(statement: &Statement<'_>) -> Option<(Host, u32)> {
    let (names, source, is_import) = match statement {
        Statement::ImportDeclaration(it) if !it.import_kind.is_type() => {
            let names: Option<Vec<Span>> = it
                .specifiers
                .iter()
                .flatten()
                .map(|it| match it {
                    ImportDeclarationSpecifier::ImportSpecifier(it) => Some(it.span),
                    _ => None,
                })
                .collect();
            (names?, it.source.value.to_string(), true)
        }
        Statement::VariableDeclaration(it) => required(it)?,
        _ => return None,
    };
    let end = statement.span().end;
    (!names.is_empty()).then_some((Host { names, source, is_import }, end))
}

/// `const { readFile } = require('fs/promises')`
fn required(declaration: &VariableDeclaration<'_>) -> Option<(Vec<Span>, String, bool)> {
    let [declarator] = declaration.declarations.as_slice() else { return None };
    let BindingPattern::ObjectPattern(pattern) = &declarator.id else { return None };
    let Some(Expression::CallExpression(call)) = &declarator.init else { return None };
    let source = call.common_js_require()?.value.to_string();
    let names = pattern.properties.iter().map(|it| it.span).collect();
    pattern.rest.is_none().then_some((names, source, false))
}

impl Host {
    pub(super) fn takes(&self, named: &Named) -> bool {
        bare(&self.source) == bare(&named.specifier) && bare(&self.source) == "fs/promises"
    }

    /// The names of the declaration with those that come; in their order where they had one.
    pub(super) fn extend(&self, module: &Module<'_>, path: &Arc<str>, named: &[&Named]) -> Put {
        let word = if self.is_import { " as " } else { ": " };
        let (first, last) = (self.names[0], self.names[self.names.len() - 1]);
        let region = Span::new(first.start, last.end);
        let mut added: Vec<String> = named.iter().map(|it| aliased(it, word)).collect();
        added.sort_unstable();
        let separator = if module.slice(region).contains('\n') {
            format!(",{}{}", module.style().line_end, module.indent_at(first.start))
        } else {
            ", ".to_owned()
        };
        if module.has_comment(region) {
            let text = format!("{separator}{}", added.join(&separator));
            return Put::replace(path, last.end, last.end, text);
        }
        let mut texts: Vec<String> =
            self.names.iter().map(|it| module.slice(*it).to_owned()).collect();
        let is_sorted = texts.is_sorted_by_key(|it| it.to_lowercase());
        texts.extend(added);
        if is_sorted {
            texts.sort_by_key(|it| it.to_lowercase());
        }
        Put::replace(path, region.start, region.end, texts.join(&separator))
    }
}

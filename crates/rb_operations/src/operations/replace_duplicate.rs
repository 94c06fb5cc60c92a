//! A copy of a definition is removed and the original imported.

use std::sync::Arc;

use rb_python::ast::Stmt;
use rb_python::ast::token::TokenKind;
use rb_python::{Ranged, ScopeId, Source, TextRange};

use super::relocation::{What, relocate};
use crate::operation::{Operation, SymbolPath};
use crate::outcome::{Outcome, Place, Refusal};
use crate::project::Project;

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ReplaceDuplicate { keep, remove } = operation else {
        return Err(Refusal::new("this is not about a duplicate", "name two definitions"));
    };
    if keep.path == remove.path {
        let reason = "both definitions are in the same file";
        return Err(Refusal::new(reason, "remove one of them and rename its uses"));
    }
    let original = definition(project, keep)?;
    let copy = definition(project, remove)?;
    check_equal(&original, &copy)?;
    check_meanings(project, &original, &copy)?;
    let what = What::Duplicate { name: remove.name.clone(), twin: keep.name.clone() };
    relocate(project, &remove.path, &keep.path, what)
}

/// One statement that defines a symbol.
struct Definition {
    source: Arc<Source>,
    symbol: SymbolPath,
    range: TextRange,
}

fn definition(project: &Project<'_>, symbol: &SymbolPath) -> Result<Definition, Refusal> {
    let suggestion = "name a function, class or variable at the top level of a file";
    let source = project.source(&symbol.path);
    let Some(source) = source else {
        return Err(Refusal::new(
            format!("{} is not a Python file of the project", symbol.path),
            suggestion,
        ));
    };
    let variable = source.scopes().global(&symbol.name);
    let ranges: Vec<TextRange> = variable
        .map(|id| {
            source.scopes().variable(id).bindings.iter().map(|binding| binding.statement).collect()
        })
        .unwrap_or_default();
    let statement = match ranges.as_slice() {
        [range] => source.body().iter().find(|statement| statement.range() == *range),
        _ => None,
    };
    let is_definition = matches!(
        statement,
        Some(Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Assign(_) | Stmt::AnnAssign(_))
    );
    match statement.filter(|_| is_definition) {
        Some(statement) => {
            let range = statement.range();
            Ok(Definition { source: Arc::clone(&source), symbol: symbol.clone(), range })
        }
        None => Err(Refusal::new(format!("{symbol} is not defined by one statement"), suggestion)),
    }
}

impl Definition {
    /// Without comments and line breaks; the name of the symbol itself stands for any name.
    fn tokens(&self) -> Vec<(TokenKind, String)> {
        let tokens = self.source.parsed().tokens().in_range(self.range).iter();
        tokens
            .filter(|token| !token.kind().is_trivia())
            .map(|token| {
                let is_layout = matches!(
                    token.kind(),
                    TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent
                );
                let text = if is_layout { "" } else { self.source.slice(token.range()) };
                let is_own = token.kind() == TokenKind::Name && text == self.symbol.name;
                (token.kind(), if is_own { String::new() } else { text.to_owned() })
            })
            .collect()
    }

    fn place(&self, what: &str) -> Place {
        let line = self.source.line(self.range.start());
        Place { path: self.symbol.path.clone(), line, what: what.to_owned() }
    }

    /// Names that the definition takes from its module.
    fn outer_names(&self) -> impl Iterator<Item = &str> {
        let scopes = self.source.scopes();
        let inside = scopes.names.iter().filter(|name| self.range.contains_range(name.range));
        let outer = inside
            .filter(|name| name.variable.is_none_or(|id| scopes.variable(id).scope == ScopeId(0)));
        outer.map(|name| name.name.as_str()).filter(|name| *name != self.symbol.name)
    }
}

fn check_equal(original: &Definition, copy: &Definition) -> Result<(), Refusal> {
    if original.tokens() == copy.tokens() {
        return Ok(());
    }
    let reason = format!("{} and {} are not the same", original.symbol, copy.symbol);
    let mut refusal = Refusal::new(reason, "make them equal first, or rename the uses of one");
    refusal.places = vec![original.place("the original"), copy.place("the copy")];
    Err(refusal)
}

/// The same words must mean the same in both modules.
fn check_meanings(
    project: &Project<'_>,
    original: &Definition,
    copy: &Definition,
) -> Result<(), Refusal> {
    for name in original.outer_names() {
        let here = project.lookup(&original.symbol.path, name);
        let there = project.lookup(&copy.symbol.path, name);
        if here != there {
            let reason = format!(
                "`{name}` does not mean the same in {} and {}",
                original.symbol.path, copy.symbol.path
            );
            let mut refusal = Refusal::new(reason, "make the two definitions equal first");
            refusal.places = vec![original.place("the original"), copy.place("the copy")];
            return Err(refusal);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! "put it where it is used": the file that uses something.

use std::collections::BTreeSet;

use super::super::Unclear;
use super::super::definitions::is_test;
use super::super::resolve::Resolver;
use crate::operation::SymbolPath;
use crate::outcome::Place;
use crate::project::Project;
use crate::references::ReferenceKind;

/// The one file that uses what some modules define.
pub(super) fn user_of_modules(
    resolver: &Resolver<'_>,
    modules: &[String],
) -> Result<String, Unclear> {
    let symbols = modules.iter().flat_map(|path| {
        let defined = resolver.index.defined_in(path).into_iter();
        defined.map(|one| SymbolPath { path: path.clone(), name: one.name })
    });
    let mut users: BTreeSet<String> =
        symbols.flat_map(|symbol| users_of(resolver, &symbol)).collect();
    users.retain(|path| !modules.contains(path));
    one(&modules.join(", "), &users)
}

/// The one file that uses some symbols.
pub(super) fn user_of_symbols(
    resolver: &Resolver<'_>,
    symbols: &[SymbolPath],
) -> Result<String, Unclear> {
    let names: Vec<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    let users = symbols.iter().flat_map(|symbol| users_of(resolver, symbol)).collect();
    one(&names.join(", "), &users)
}

/// Files outside of tests, other than its own, that use a symbol.
fn users_of(resolver: &Resolver<'_>, symbol: &SymbolPath) -> Vec<String> {
    let found = Project::new(resolver.index.files).references(symbol);
    let is_use =
        |kind: ReferenceKind| matches!(kind, ReferenceKind::Name | ReferenceKind::Attribute);
    let uses = found.references.into_iter().filter(|one| is_use(one.kind));
    uses.map(|one| one.path).filter(|path| *path != symbol.path && !is_test(path)).collect()
}

fn one(name: &str, users: &BTreeSet<String>) -> Result<String, Unclear> {
    let why = match users.len() {
        0 => "nothing outside of tests uses it",
        1 => return Ok(users.iter().cloned().collect()),
        _ => "it is used in several files; name the one that it goes to",
    };
    let place = |path: &String| Place { path: path.clone(), line: 1, what: "uses it".to_owned() };
    let candidates = users.iter().map(place).collect();
    Err(Unclear { name: name.to_owned(), why: why.to_owned(), candidates })
}

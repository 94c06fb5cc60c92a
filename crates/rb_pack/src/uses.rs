//! What one file uses of another, by name: which symbols, and on which lines.
//!
//! It goes by imports and by the names that calls have, one pair of files at a time. A guess is as good as any here: what is found
//! is shown to be read, and nothing is changed because of it.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Facts, Import, ImportKind};

/// All uses of one symbol inside of one symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Use {
    /// Of the first of them.
    pub(crate) line: u32,
    /// As the file that declares it calls it.
    pub(crate) symbol: String,
    /// The symbol of the user around it, as an index into its facts.
    pub(crate) from: Option<u32>,
}

/// What `user` uses of the file `of`, by line. An import of which no use is seen is a use itself.
pub(crate) fn uses(
    user: &Facts,
    resolutions: &[Resolution],
    of: FileId,
    declared: &Facts,
) -> Vec<Use> {
    let imports: Vec<&Import> = imports_of(user, resolutions, of).collect();
    let bound: BTreeMap<&str, &str> = imports
        .iter()
        .flat_map(|import| &import.names)
        .filter(|name| !name.local.is_empty())
        .map(|name| (&*name.local, &*name.name))
        .collect();
    let names: BTreeSet<&str> = declared.symbols.iter().map(|symbol| &*symbol.name).collect();
    let mut found: BTreeSet<Use> = BTreeSet::new();
    for reference in &user.references {
        let head = first_part(&reference.qualifier);
        let assignment = if head.is_empty() { &*reference.name } else { head };
        let symbol = match bound.get(assignment) {
            Some(imported) => Some(meant(imported, &reference.name, declared, &names)),
            None if !bound.is_empty() => None,
            None => [&*reference.name, head].into_iter().find(|name| names.contains(name)),
        };
        let Some(symbol) = symbol else { continue };
        let (line, from) = (reference.line, reference.from);
        found.insert(Use { line, symbol: symbol.to_owned(), from });
    }
    if found.is_empty() {
        let symbol = |import: &Import| {
            let name = import.names.first().map_or("*", |name| &name.name);
            meant(name, "*", declared, &names).to_owned()
        };
        let line = |import: &&Import| Use { line: import.line, symbol: symbol(import), from: None };
        found.extend(imports.iter().map(line));
    }
    found.into_iter().collect()
}

/// The imports of `user` that lead to the file `of`.
fn imports_of<'f>(
    user: &'f Facts,
    resolutions: &'f [Resolution],
    of: FileId,
) -> impl Iterator<Item = &'f Import> {
    user.imports.iter().zip(resolutions).filter_map(move |(import, resolution)| match resolution {
        Resolution::Inside(files) => files.contains(&of).then_some(import),
        Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => None,
    })
}

/// Which symbol is meant by an imported name.
fn meant<'n>(
    imported: &'n str,
    called: &'n str,
    declared: &'n Facts,
    names: &BTreeSet<&str>,
) -> &'n str {
    match imported {
        "default" => {
            let export = declared.exports.iter().find(|export| &*export.name == "default");
            export.map_or("default", |it| if it.local.is_empty() { "default" } else { &it.local })
        }
        "*" => called,
        _ if names.contains(imported) || !names.contains(called) => imported,
        _ => called,
    }
}

/// Whether `user` gives on what it has from `of`.
pub(crate) fn gives_on(user: &Facts, resolutions: &[Resolution], of: FileId) -> bool {
    imports_of(user, resolutions, of).any(|import| import.kind == ImportKind::ReExport)
}

/// The names that `user` takes from what each of its imports leads to, by the import's place; empty for what is not told by name.
pub(crate) fn taken(user: &Facts, import: &Import) -> BTreeSet<String> {
    let mut taken = BTreeSet::new();
    for name in &import.names {
        if &*name.name != "*" {
            taken.insert(name.name.to_string());
        }
        let through = user.references.iter().filter(|it| first_part(&it.qualifier) == &*name.local);
        if !name.local.is_empty() {
            taken.extend(through.map(|reference| reference.name.to_string()));
        }
    }
    taken
}

/// `fs` of `fs.promises`, `Shop` of `Shop::Cart`; nothing of `?`.
fn first_part(qualifier: &str) -> &str {
    let end = qualifier.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    &qualifier[..end.unwrap_or(qualifier.len())]
}

#[cfg(test)]
mod tests {
    use rb_lang::{Language, extract};

    use super::*;

    const CART: &str = "export class Cart { add() {} }\nexport function price() {}\nexport default function total() {}\n";

    /// What the text of a user uses of `CART`, all of its imports leading there.
    fn check(user: &str, expected: &str) {
        let facts = extract(Language::TypeScript, user).unwrap();
        let declared = extract(Language::TypeScript, CART).unwrap();
        let of = FileId(3);
        let resolutions = vec![Resolution::Inside(vec![FileId(1), of]); facts.imports.len()];
        let found: Vec<String> = uses(&facts, &resolutions, of, &declared)
            .iter()
            .map(|it| format!("{}:{}", it.line, it.symbol))
            .collect();
        assert_eq!(found.join(" "), expected, "{user}");
    }

    #[test]
    fn rf4_uses_are_found_by_the_names_that_are_imported() {
        check("import { price as p } from './cart'\nfunction f() { p() }\nother()", "2:price");
        check("import * as cart from './cart'\ncart.price()\ncart.Cart.add()", "2:price 3:add");
        check("import { Cart } from './cart'\nnew Cart().add()", "2:Cart");
        check("import sum from './cart'\nsum()", "2:total");
        check("import { Cart } from './cart'\nlet x: Cart", "1:Cart");
        check("import './cart'\n", "1:*");
        // Seen without an import: by its bare name.
        check("price(); unknown()", "1:price");
    }

    #[test]
    fn rf4_barrels_give_on_what_they_have() {
        let facts = extract(Language::TypeScript, "export * from './cart'").unwrap();
        let resolutions = [Resolution::Inside(vec![FileId(3)])];
        assert!(gives_on(&facts, &resolutions, FileId(3)));
        assert!(!gives_on(&facts, &resolutions, FileId(4)));
    }

    #[test]
    fn rf4_names_are_taken_directly_or_through_a_namespace() {
        let text =
            "import { a, b as c } from './x'\nimport * as ns from './y'\nns.read(); c.deep.call()";
        let facts = extract(Language::TypeScript, text).unwrap();
        let taken: Vec<Vec<String>> = facts
            .imports
            .iter()
            .map(|import| taken(&facts, import).into_iter().collect())
            .collect();
        assert_eq!(taken, [vec!["a", "b", "call"], vec!["read"]]);
    }
}

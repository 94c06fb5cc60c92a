//! The name by which a file calls the promise form: one that is at hand already, or a new one.

use oxc_ast::ast::Statement;
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

use super::model::Named;
use super::sites::Finder;
use super::table::{self, Family};
use crate::links::{Import, ImportKind, Use};
use crate::recipe::Planning;

/// How a call is written that takes another name.
pub(super) struct TakenName {
    pub(super) named: Named,
    pub(super) text: String,
}

impl Finder<'_, '_> {
    /// The name that a call takes; `None` where it goes on by the one it has: `fs.promises.readFile`.
    pub(super) fn taken(
        &self,
        import: &Import,
        used: &Use,
        family: Family,
        target: &str,
    ) -> Option<TakenName> {
        let (old_local, at) = import.local.clone()?;
        let node = self.node_at(used.whole)?;
        let there = |specifier: &str, name: &str, local: String| Named {
            old_local: old_local.clone(),
            old_place: (at.start, at.end),
            specifier: specifier.to_owned(),
            name: name.to_owned(),
            local,
            is_there: true,
        };
        let promises = (family == Family::Plain).then(|| self.at_hand(node, is_promises)).flatten();
        if let Some((specifier, local)) = promises {
            let text = format!("{local}.{target}");
            return Some(TakenName { named: there(specifier, "promises", local), text });
        }
        if used.member.is_some() {
            return None;
        }
        let is_old = family == Family::Plain && has_no_promises_module(self.planning, self.path);
        let name = if is_old { "promises" } else { target };
        let specifier = match family {
            Family::Plain if is_old => import.specifier.replace("graceful-fs", "fs"),
            Family::Extra => import.specifier.clone(),
            Family::Plain if import.specifier.starts_with("node:") => "node:fs/promises".to_owned(),
            Family::Plain => "fs/promises".to_owned(),
        };
        let is_same = |it: &Import| {
            bare(&it.specifier) == bare(&specifier) && it.taken == ImportKind::Name(name.to_owned())
        };
        let named = match self.at_hand(node, is_same) {
            Some((_, local)) => there(&specifier, name, local),
            None => Named { is_there: false, ..there(&specifier, name, self.fresh(name)) },
        };
        let text = if is_old { format!("{}.{target}", named.local) } else { named.local.clone() };
        Some(TakenName { named, text })
    }

    /// A name that nothing in the file has.
    fn fresh(&self, name: &str) -> String {
        let (short, long) = match name {
            "promises" => ("fs", "fsPromises".to_owned()),
            _ => (name, format!("{name}Async")),
        };
        let fresh = self.module.fresh_name(short);
        if fresh == short { fresh } else { self.module.fresh_name(&long) }
    }

    /// What is bound at the top level of the file, and is what its name means at this place.
    fn at_hand(&self, node: NodeId, is: impl Fn(&Import) -> bool) -> Option<(&str, String)> {
        let found = self.links.imports.iter().filter(|it| !it.is_type && is(it)).find(|it| {
            self.is_meant(it, node) && (!it.is_call || self.is_bound_before(it, node))
        })?;
        Some((&found.specifier, found.local.as_ref()?.0.clone()))
    }

    /// Does nothing between the top level and this place have the same name?
    fn is_meant(&self, import: &Import, node: NodeId) -> bool {
        let Some((local, at)) = &import.local else { return false };
        let scoping = self.module.scoping();
        let scope = self.module.scope_of(node);
        scoping.symbol_ids().filter(|&it| scoping.symbol_name(it) == local).all(|it| {
            let span = scoping.symbol_span(it);
            let home = scoping.symbol_scope_id(it);
            let is_it = (span.start, span.end) == (at.start, at.end);
            is_it || !scoping.scope_ancestors(scope).any(|around| around == home)
        })
    }

    /// Is it a declaration of the file itself, and one that ran before the place is reached?
    fn is_bound_before(&self, import: &Import, node: NodeId) -> bool {
        let start = self.module.nodes().kind(node).span().start;
        import.place.end <= start
            && self.module.program().body.iter().any(|it| {
                let span = it.span();
                span.start <= import.place.start
                    && import.place.end <= span.end
                    && matches!(it, Statement::VariableDeclaration(_))
            })
    }
}

/// `fs/promises` as a whole, or `promises` of `fs`.
fn is_promises(import: &Import) -> bool {
    let is_whole = match &import.taken {
        ImportKind::Whole => true,
        ImportKind::Name(name) => name == "default",
        _ => false,
    };
    let is_member = table::family(&import.specifier) == Some(Family::Plain)
        && import.taken == ImportKind::Name("promises".to_owned());
    is_member || (is_whole && bare(&import.specifier) == "fs/promises")
}

pub(super) fn bare(specifier: &str) -> &str {
    specifier.trim_start_matches("node:")
}

/// Is the project for a Node, or for types of one, that has no module `fs/promises` yet? It came with 14.
fn has_no_promises_module(planning: &Planning<'_>, path: &str) -> bool {
    let mut folder = path;
    while let Some((parent, _)) =
        folder.rsplit_once('/').or((!folder.is_empty()).then_some(("", "")))
    {
        folder = parent;
        let file = if folder.is_empty() {
            "package.json".to_owned()
        } else {
            format!("{folder}/package.json")
        };
        let Some(text) = planning.world.text(&file) else { continue };
        let Ok(manifest) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
        let typed = ["dependencies", "devDependencies"]
            .iter()
            .find_map(|it| manifest.get(it)?.get("@types/node")?.as_str());
        let engine = manifest.get("engines").and_then(|it| it.get("node")?.as_str());
        return [typed, engine].into_iter().flatten().any(|it| major(it).is_some_and(|it| it < 14));
    }
    false
}

/// The first number of a range of versions.
fn major(range: &str) -> Option<u32> {
    let digits = range.trim_start_matches(|it: char| !it.is_ascii_digit());
    digits.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
}

//! `fs-async`: synchronous file calls become promise calls, and everything up to them waits.
//!
//! Sites are found in source files; from each one the way leads up: the function around it becomes `async`, its calls are
//! awaited, the functions around those become `async` in turn, over all files, tests and types, until something waits
//! already. Whatever cannot wait on that way stops it, and all below stays as it is. Calls that tests make for
//! themselves are no sites.

mod asserting;
mod at;
mod awaits;
mod callbacks;
mod callers;
mod doubles;
mod effects;
mod emit;
mod entry;
mod following;
mod funcs;
mod graph;
mod hosts;
mod imports;
mod loops;
mod memory;
mod methods;
mod model;
mod names;
mod package;
mod paths;
mod races;
mod roles;
mod searches;
mod sites;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod uses;

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_rules::FileKind;

use self::doubles::Doubles;
use self::model::{Change, Key, Site};
use crate::links::links;
use crate::plan::Plan;
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "fs-async",
    title: "Make synchronous file calls async",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Blocking calls of `fs`, `graceful-fs` and `fs-extra` become calls that return promises. The functions \
               around them become `async` and their calls are awaited, across all files, including tests, types and \
               JSDoc.",
        before: "function load(path) {\n  return JSON.parse(fs.readFileSync(path, 'utf8'));\n}",
        after: "async function load(path) {\n  return JSON.parse(await fs.promises.readFile(path, 'utf8'));\n}",
        safe: "Every caller of every function up the call chain is known and can be async.",
        leaves: "Calls below a constructor, a getter, a generator, a comparator, a parameter default, a callback \
                 that nobody awaits, a function of the public API, the top level of a CommonJS file that others \
                 load, or a function that a test replaces. A file or in-memory value that is read and then written \
                 in one step, where a second call could come between: handlers, listeners and exported functions. \
                 Programs that do one thing at a time are converted. Calls that tests make for themselves are not \
                 considered.",
    },
    wants: &["Sync"],
    needs: &[],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let kinds = [FileKind::Source, FileKind::Script, FileKind::Config];
    if planning.files(&kinds, RECIPE.wants)?.is_empty() {
        return Ok(Plan::default());
    }
    // A file that is not to be changed may read what another one writes.
    let everywhere = Planning { only: None, ..*planning };
    let files = everywhere.files(&kinds, RECIPE.wants)?;
    let doubles = Doubles::read(planning)?;
    let found = planning.over_modules(&files, |path, module| {
        let links = links(planning.world, path)?;
        let path: Arc<str> = path.into();
        Some(sites::find(planning, &doubles, &path, module, &links))
    })?;
    let mut sites: BTreeMap<Key, Site> =
        found.into_iter().filter_map(|it| it.1).flatten().collect();
    for (key, site) in &mut sites {
        if planning.only.is_some_and(|only| !only(&key.path)) {
            let (reason, suggestion) = ("it is not to be changed".to_owned(), String::new());
            site.change = Change::Left { reason, suggestion };
        }
    }
    if sites.is_empty() {
        return Ok(Plan::default());
    }
    let graph = graph::follow(planning, &doubles, &sites)?;
    Ok(emit::plan(planning, &graph, &sites))
}

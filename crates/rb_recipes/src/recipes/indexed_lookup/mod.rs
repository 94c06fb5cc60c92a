//! `indexed-lookup`: lists that are searched in loops get a `Map` or a `Set`, built once.
//!
//! A list that serves nothing but such tests becomes a `Set` itself, through the functions of its file that it is handed to; any other gets
//! an index beside it, right before the loop. Lists that somebody wrote down with few entries are left in peace.

mod array;
mod beside;
mod build;
mod callers;
mod changes;
mod elements;
mod lookup;
mod names;
mod place;
mod quiet;
mod report;
mod size;
mod whole;

use rb_ecma::Module;
use rb_rules::{Cx, FileKind};

use self::lookup::Lookup;
use crate::plan::{Chain, Left, Plan};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "indexed-lookup",
    title: "Replace searches in loops with a Map or Set",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "`includes`, `indexOf`, `find`, `filter` and `some` calls that run for each element of something else, \
               over a list that does not change meanwhile, use a `Set` or `Map` that is built before the loop. A \
               list that is used only for such tests becomes a `Set` itself, also through functions of the same \
               file.",
        before: "for (const order of orders) {
  const user = users.find((user) => user.id === order.userId);
  lines.push(`${order.total} ${user?.name}`);
}",
        after: "const usersById = new Map<string, User>();
for (const user of users) {
  if (!usersById.has(user.id)) {
    usersById.set(user.id, user);
  }
}
for (const order of orders) {
  const user = usersById.get(order.userId);
  lines.push(`${order.total} ${user?.name}`);
}",
        safe: "The list is an array by its type, by how it is created, or by how it is used; the loop cannot change \
               it or the keys of its elements; of several elements with one key the first is found, as before; and \
               no search finds `NaN` that did not find it before.",
        leaves: "Silently: strings, and literal lists with fewer than 16 entries. With a reason: values that may not \
                 be arrays, lists that the loop may change, keys that cannot be read from every element, positions, \
                 searches by more than one equality, and lists from callers that are not all known.",
    },
    wants: &[".includes(", ".indexOf(", ".find(", ".filter(", ".some(", ".findIndex("],
    needs: &[],
    takes: &[],
    plan,
};

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let files = planning.files(&[FileKind::Source, FileKind::Script], RECIPE.wants)?;
    let found = planning.over_modules(&files, |path, module| file(planning, path, module))?;
    let mut plan = Plan::default();
    for (_, part) in found {
        plan.chains.extend(part.chains);
        plan.left.extend(part.left);
    }
    Ok(plan)
}

/// What is to do in one file.
#[derive(Default)]
struct Part {
    chains: Vec<Chain>,
    left: Vec<Left>,
}

/// One file at work.
struct At<'w, 'c, 'a> {
    planning: &'w Planning<'w>,
    path: &'w str,
    module: &'c Module<'a>,
    cx: Cx<'c, 'a>,
    effects: quiet::Effects<'a>,
    /// Why nothing can be built here at all.
    hidden: Option<report::Why>,
}

fn file(planning: &Planning<'_>, path: &str, module: &Module<'_>) -> Part {
    let Some(facts) = planning.world.facts(path) else { return Part::default() };
    let rule = &rb_rules::rules::js::js_index_maps::RULE;
    let at = At {
        planning,
        path,
        module,
        cx: Cx::new(module, &facts, planning.world, rule),
        effects: quiet::Effects::of(module),
        hidden: beside::hidden(module),
    };
    let lookups: Vec<Lookup<'_>> =
        module.calls().iter().filter_map(|call| lookup::of(&at, call)).collect();
    let mut part = Part::default();
    let rest = whole::plan(&at, &lookups, &mut part);
    beside::plan(&at, &rest, &mut part);
    let anew = module.calls().iter().filter_map(|call| lookup::made_anew(&at, call));
    part.left.extend(anew.map(|(span, why)| at.left(span, why)));
    part
}

#[cfg(test)]
mod tests;

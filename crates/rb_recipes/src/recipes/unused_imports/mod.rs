//! Imports that nothing uses: names go from their lists, and a declaration with its last name.
//!
//! An import also runs the other file. It goes where that file does nothing when it is loaded, or where the compiler drops
//! the import already; it becomes `import 'x'` where the file is known to do something, and is left where that is not known.
//! Uses in files that are not read here (Vue, Svelte) are none of this recipe's: such files are no sites either.

mod after_change;
pub(crate) mod names;
mod removal;
mod requires;
#[cfg(test)]
mod tests;

use rb_rules::FileKind;

use crate::cleaning::is_fixture;
use crate::plan::{Chain, Plan};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub use self::after_change::clean_after_change;
pub(crate) use self::names::tool_comment;
pub use self::removal::{Cleaned, clean};

pub static RECIPE: Recipe = Recipe {
    id: "unused-imports",
    title: "Remove unused imports",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Removes names that an `import` or a top-level `require` binds and that nothing in the file uses, \
               including types, JSX and JSDoc.",
        before: "import { useState, useMemo } from 'react';\nimport fs from 'node:fs';\nuseState();",
        after: "import { useState } from 'react';\nuseState();",
        safe: "A declaration is removed if loading its module has no side effects: types, built-in modules, packages \
               that declare `sideEffects: false`, project files that only declare things; and in TypeScript, if the \
               compiler drops it anyway. If a project file has side effects, `import './x'` stays.",
        leaves: "Packages with unknown side effects, names that JSX may compile to, comments among the names, the \
                 last import of a file that would no longer be a module.",
    },
    wants: &["import", "require"],
    needs: &[],
    takes: &[],
    plan,
};

const KINDS: &[FileKind] =
    &[FileKind::Source, FileKind::Test, FileKind::Story, FileKind::Config, FileKind::Script];

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let files = planning.files(KINDS, RECIPE.wants)?;
    let found = planning.over_modules(&files, |path, module| {
        let facts = planning.world.facts(path)?;
        if is_fixture(planning.world, &facts, module.text()) {
            return None;
        }
        Some(clean(planning.world, &facts, module, &[]))
    })?;
    let mut plan = Plan::default();
    for (path, cleaned) in found {
        let Some(cleaned) = cleaned else { continue };
        plan.left.extend(cleaned.left);
        if cleaned.sites.is_empty() {
            continue;
        }
        let names = cleaned.sites.len();
        let title = match names {
            1 => format!("1 unused import removed from `{path}`"),
            _ => format!("{names} unused imports removed from `{path}`"),
        };
        let mut chain =
            Chain { title, sites: cleaned.sites, notes: cleaned.notes, ..Chain::default() };
        for edit in cleaned.edits {
            chain.edit(&path, edit);
        }
        plan.chains.push(chain);
    }
    Ok(plan)
}

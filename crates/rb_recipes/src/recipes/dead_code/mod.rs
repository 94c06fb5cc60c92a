//! Code that nothing reaches or uses: declarations that no living code refers to, statements behind `return` and its like,
//! private members of classes that the class does not use. What only dead code used goes with it, imports as well.
//!
//! Whatever is exported stays; where nothing in the project takes it, that is said. Names in patterns and parameters are no
//! concern here, nor variables that are only written.

mod candidates;
mod doubts;
mod exports;
mod file;
mod members;
#[cfg(test)]
mod tests;
mod unreachable;

use oxc_span::GetSpan;
use rb_ecma::Module;
use rb_rules::FileKind;

use crate::cleaning::is_fixture;
use crate::plan::{Chain, Plan};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "dead-code",
    title: "Remove unused and unreachable code",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Removes functions, classes, variables, types and enums that nothing refers to and that are not \
               exported, private members that their class does not use, and unreachable statements, together with \
               what only they used, including imports.",
        before: "import { join } from 'node:path';\n\nfunction old(name) {\n  return join('a', name);\n}\n\nexport const a = 1;",
        after: "export const a = 1;",
        safe: "The code has no side effects and cannot fail; there is no `eval` or `with`; the file is a module; no \
               comment marks the code as used from elsewhere. Comments directly above are removed with it, headings \
               stay.",
        leaves: "Exports (listed by file if nothing in the project uses them), values that a call computes, classes \
                 with decorators or static code, names that are declared twice, globals of scripts.",
    },
    wants: &[],
    needs: &[],
    takes: &[],
    plan,
};

const KINDS: &[FileKind] =
    &[FileKind::Source, FileKind::Test, FileKind::Story, FileKind::Config, FileKind::Script];

/// A piece of code that is shown, and loaded by nobody.
fn is_example(planning: &Planning<'_>, path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "examples",
        "example",
        "docs",
        "demo",
        "demos",
        "snippets",
        "samples",
        "playground",
        "sandbox",
    ];
    path.split('/').any(|it| FOLDERS.contains(&it)) && planning.world.users(path).is_empty()
}

/// A file of which only the types are checked: `a.test-d.ts`. Whatever is declared in it is a check.
fn is_type_test(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test-d",
        "type-tests",
        "type-test",
        "typetests",
        "__typetest__",
        "__typetests__",
        "dtslint",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    [".test-d.", ".spec-d.", ".type-test.", ".types-test."].iter().any(|it| name.contains(it))
        || folders.split('/').any(|it| FOLDERS.contains(&it))
}

/// A file that neither `ESLint` nor TypeScript may look at was not written here: it is to stay like its original.
fn is_taken_over(module: &Module<'_>) -> bool {
    let first = module.program().body.first().map_or(0, |it| it.span().start);
    let words = |wanted: &str| {
        module.comments().iter().filter(|it| it.span.end <= first).any(|it| {
            let text = module.slice(it.span);
            text.trim_matches(['/', '*', ' ', '\t', '\r', '\n']) == wanted
        })
    };
    words("eslint-disable") && words("@ts-nocheck")
}

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let files = planning.files(KINDS, &[])?;
    let reached = doubts::Rewired::of(planning)?;
    let found = planning.over_modules(&files, |path, module| {
        let facts = planning.world.facts(path)?;
        if is_fixture(planning.world, &facts, module.text())
            || is_example(planning, path)
            || is_type_test(path)
            || is_taken_over(module)
        {
            return None;
        }
        let mut found = file::look(planning.world, &facts, module, &reached);
        found.left.extend(exports::unused(planning, &facts, module));
        Some(found)
    })?;
    let mut plan = Plan::default();
    for (path, found) in found {
        let Some(found) = found else { continue };
        plan.left.extend(found.left);
        if found.edits.is_empty() {
            continue;
        }
        let title = match found.sites.as_slice() {
            [one] => format!("{} removed from `{path}`", one.what),
            many => format!("{} pieces of dead code removed from `{path}`", many.len()),
        };
        let mut chain = Chain { title, sites: found.sites, notes: found.notes, ..Chain::default() };
        for edit in found.edits {
            chain.edit(&path, edit);
        }
        plan.chains.push(chain);
    }
    Ok(plan)
}

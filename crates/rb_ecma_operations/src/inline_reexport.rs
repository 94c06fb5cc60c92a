//! `InlineReexport`: imports of a name through another module are taken from where it is declared.

use rb_core::plural;
use rb_ecma::links::Target;
use rb_operations::{Files, Operation, Outcome, Refusal, SymbolPath};

use crate::check::{after, check};
use crate::cycles::check_cycles;
use crate::edits::FileEdits;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ModuleFacts, Origin, Project, is_typescript, tree_of};
use crate::relocation::{refusal, style_of};

pub(crate) fn plan(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::InlineReexport { symbol, files: only } = operation else {
        return Err(Refusal::new("this is not an inlining of a re-export", "use `InlineReexport`"));
    };
    let tree = tree_of(files);
    let project = Project::new(files, &tree);
    let inlining = Inlining::new(&project, symbol)?;
    let mut edits = FileEdits::default();
    let mut followers = Vec::new();
    let users = project.users_of(&symbol.path);
    for user in users.iter() {
        let is_wanted = only.is_empty() || only.contains(user);
        if is_wanted && *user != inlining.origin.path && inlining.change(user, &mut edits)? {
            followers.push(user.as_str());
        }
    }
    if followers.is_empty() {
        let reason = format!("nothing imports `{}` from {}", symbol.name, symbol.path);
        return Err(Refusal::new(reason, "give the module that re-exports it"));
    }
    let changes = edits.apply(files)?;
    check(&project, &changes)?;
    let notes = check_cycles(&project, &after(files, &changes), &followers)?;
    let count = plural(followers.len(), "file");
    let title = format!("`{}` imported from {} in {count}", symbol.name, inlining.origin.path);
    let sites = vec![project.place(&symbol.path, 0, symbol.name.clone())];
    Ok(Outcome { title, files: changes, sites, notes, ..Outcome::default() })
}

struct Inlining<'i> {
    project: &'i Project<'i>,
    symbol: &'i SymbolPath,
    /// The file and the name under which it exports the symbol.
    origin: SymbolPath,
}

impl<'i> Inlining<'i> {
    fn new(project: &'i Project<'i>, symbol: &'i SymbolPath) -> Result<Self, Refusal> {
        project.required(&symbol.path)?;
        let Origin::File { path, name } = project.origin(&symbol.path, &symbol.name) else {
            let reason = format!("{} does not re-export `{}`", symbol.path, symbol.name);
            return Err(Refusal::new(reason, "give the module that re-exports it"));
        };
        if path == symbol.path {
            let reason = format!("`{}` is declared in {path} itself", symbol.name);
            return Err(Refusal::new(reason, "give the module that re-exports it"));
        }
        let facts = project.required(&path)?;
        let export =
            facts.links.names_of(&name).map(|it| it.name.clone()).max_by_key(|it| *it == name);
        let name = export.ok_or_else(|| {
            Refusal::new(format!("{path} does not export `{name}`"), "export it first")
        })?;
        Ok(Inlining { project, symbol, origin: SymbolPath { path, name } })
    }

    fn change(&self, user: &str, edits: &mut FileEdits) -> Result<bool, Refusal> {
        let Some(facts) = self.project.module(user) else { return Ok(false) };
        let mut imports = ImportEdits::new(&facts);
        let mut is_changed = false;
        for (index, statement) in facts.statements.iter().enumerate() {
            let leads =
                matches!(&statement.target, Target::File(path) if *path == self.symbol.path);
            if !leads || statement.is_reexport {
                continue;
            }
            for (at, name) in statement.names.iter().enumerate() {
                if name.imported != self.symbol.name {
                    continue;
                }
                is_changed = true;
                imports.remove(index, at);
                imports.add(Added {
                    specifier: self.specifier(user, &statement.source)?,
                    file: Some(self.origin.path.clone()),
                    imported: self.origin.name.clone(),
                    local: name.local.clone(),
                    kind: TypeKind::of(statement, name, is_typescript(user)),
                    is_reexport: false,
                    anchor: Some(index),
                });
            }
        }
        self.check_effects(user, &facts, is_changed)?;
        imports.finish_into(user, edits).map_err(|statement| {
            let place = self.project.place(user, statement.range.start, statement.source.clone());
            let reason = "a comment stands in an import that has to change".to_owned();
            refusal(reason, vec![place], "move the comment out of the import first")
        })?;
        Ok(is_changed)
    }

    /// In the style of the import that it replaces; a package of the same repository is left by a relative path.
    fn specifier(&self, user: &str, source: &str) -> Result<String, Refusal> {
        let style = (source, self.symbol.path.as_str());
        let direct = self.project.specifier(user, &self.origin.path, style);
        let found = direct.or_else(|| {
            let (source, named) = style_of(self.project, &[user]);
            self.project.specifier(user, &self.origin.path, (&source, &named))
        });
        found.ok_or_else(|| {
            let reason = format!("no import in {user} would lead to {}", self.origin.path);
            Refusal::new(reason, "change it by hand")
        })
    }

    /// What the re-exporting module does when it is loaded must go on being done.
    fn check_effects(
        &self,
        user: &str,
        facts: &ModuleFacts,
        is_changed: bool,
    ) -> Result<(), Refusal> {
        let barrel = self.project.required(&self.symbol.path)?;
        let Some(effect) = barrel.effects.first().filter(|_| is_changed) else { return Ok(()) };
        let others = facts.statements.iter().filter(|it| {
            matches!(&it.target, Target::File(path) if *path == self.symbol.path) && !it.is_type
        });
        let is_kept = others
            .flat_map(|it| &it.names)
            .any(|name| name.imported != self.symbol.name && !name.is_type);
        if is_kept {
            return Ok(());
        }
        let place =
            self.project.place(&self.symbol.path, effect.start, "runs when the file is loaded");
        let reason =
            format!("{user} would no longer load {}, which does something", self.symbol.path);
        Err(refusal(reason, vec![place], "move that code first"))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::snapshot::snapshot;

    #[track_caller]
    fn check(fixture: &str, symbol: &str, expected: &Expect) {
        let operation = format!("{{\"operation\": \"inline-reexport\", \"symbol\": \"{symbol}\"}}");
        expected.assert_eq(&snapshot(fixture, &operation));
    }

    #[test]
    fn st1_inline_reexport() {
        let fixture = "
//- src/ui/index.ts
export * from './button';
export { Card as Panel } from './card';
//- src/ui/button.tsx
export default function Button() {}
export type ButtonProps = { a: string };
export const size = 1;
//- src/ui/card.tsx
export const Card = () => null;
//- src/a.ts
import { size, Panel, type ButtonProps } from './ui';
export const x = [size, Panel] as ButtonProps[];
//- src/b.ts
import { Panel as P } from './ui/index.js';
P();
";
        check(
            fixture,
            "src/ui/index.ts#Panel",
            &expect![[r#"
            `Panel` imported from src/ui/card.tsx in 2 files
            //- src/a.ts
            import { size, type ButtonProps } from './ui';
            import { Card as Panel } from './ui/card';
            export const x = [size, Panel] as ButtonProps[];
            //- src/b.ts
            import { Card as P } from './ui/card.js';
            P();
        "#]],
        );
        check(
            fixture,
            "src/ui/index.ts#ButtonProps",
            &expect![[r#"
            `ButtonProps` imported from src/ui/button.tsx in 1 file
            //- src/a.ts
            import { size, Panel } from './ui';
            import { type ButtonProps } from './ui/button';
            export const x = [size, Panel] as ButtonProps[];
        "#]],
        );
        check(
            fixture,
            "src/ui/button.tsx#size",
            &expect![[r#"
            refused: `size` is declared in src/ui/button.tsx itself
            suggestion: give the module that re-exports it
        "#]],
        );
    }
}

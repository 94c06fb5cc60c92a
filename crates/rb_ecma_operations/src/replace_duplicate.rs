//! `ReplaceDuplicate`: a copy of a definition is removed, and the original imported where the copy stood.

use rb_operations::{ApiChange, Files, Operation, Outcome, Refusal, SymbolPath};

use crate::check::{after, check};
use crate::cycles::check_cycles;
use crate::edits::FileEdits;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{Declaration, DeclarationKind, ModuleFacts, Project, is_typescript, tree_of};
use crate::relocation::{Relocation, refusal, style_of};

pub(crate) fn plan(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::ReplaceDuplicate { keep, remove } = operation else {
        return Err(Refusal::new("this is not a replacement of a copy", "use `ReplaceDuplicate`"));
    };
    let tree = tree_of(files);
    let project = Project::new(files, &tree);
    if keep.path == remove.path || keep.name != remove.name {
        let reason = format!("`{keep}` and `{remove}` are not a copy of one name in two files");
        return Err(Refusal::new(reason, "rename one of them to the name of the other first"));
    }
    let original = project.declaration(keep)?;
    let copy = project.declaration(remove)?;
    check_same(&project, keep, remove, &original, &copy)?;
    replace(&project, keep, remove, &original)
}

/// Both have the same words, and the names in them mean the same.
fn check_same(
    project: &Project<'_>,
    keep: &SymbolPath,
    remove: &SymbolPath,
    original: &Declaration,
    copy: &Declaration,
) -> Result<(), Refusal> {
    let (ours, theirs) = (project.required(&keep.path)?, project.required(&remove.path)?);
    if words(&ours, original) != words(&theirs, copy) {
        let places = vec![
            project.place(&keep.path, original.start(), keep.name.clone()),
            project.place(&remove.path, copy.start(), remove.name.clone()),
        ];
        let reason = format!("the two declarations of `{}` are not the same", keep.name);
        return Err(refusal(reason, places, "make them the same first"));
    }
    let ours = meanings(project, keep, &ours, original);
    let theirs = meanings(project, remove, &theirs, copy);
    match ours.iter().zip(&theirs).find(|(a, b)| a != b) {
        None => Ok(()),
        Some(((name, _), _)) => {
            let place = project.place(&remove.path, copy.start(), name.clone());
            let reason =
                format!("`{name}` means another thing in {} and {}", keep.path, remove.path);
            Err(refusal(reason, vec![place], "replace that first"))
        }
    }
}

/// The code without its comments and white space at the ends of lines, and without `export`.
fn words(facts: &ModuleFacts, declaration: &Declaration) -> Vec<String> {
    let mut found = Vec::new();
    for piece in &declaration.pieces {
        let start = piece.keyword.map_or(piece.statement.start, |it| it.end);
        let range = rb_ecma::links::ByteRange { start, end: piece.statement.end };
        let text = facts.slice(range).trim_end_matches(';');
        found.extend(text.split_whitespace().map(str::to_owned));
    }
    found
}

/// The names that a declaration uses, and where they are declared.
fn meanings(
    project: &Project<'_>,
    symbol: &SymbolPath,
    facts: &ModuleFacts,
    declaration: &Declaration,
) -> Vec<(String, Option<crate::project::Origin>)> {
    let is_inside = |range| {
        declaration.pieces.iter().any(|it| crate::project::facts::contains(it.statement, range))
    };
    let uses = facts.uses.iter().filter(|it| is_inside(it.range) && it.name != symbol.name);
    uses.map(|used| {
        let imported = facts.statements.iter().filter(|it| !it.is_reexport).find_map(|statement| {
            let name = statement.names.iter().find(|it| it.local == used.name)?;
            Some((statement, name))
        });
        let origin = match (used.binding, imported) {
            (None, _) => None,
            (Some(_), Some((statement, name))) => match &statement.target {
                rb_ecma::links::Target::File(path) => Some(project.origin(path, &name.imported)),
                _ => Some(crate::project::Origin::File {
                    path: statement.source.clone(),
                    name: name.imported.clone(),
                }),
            },
            (Some(_), None) => Some(crate::project::Origin::File {
                path: symbol.path.clone(),
                name: used.name.clone(),
            }),
        };
        (used.name.clone(), origin)
    })
    .collect()
}

fn replace<'p>(
    project: &'p Project<'p>,
    keep: &SymbolPath,
    remove: &SymbolPath,
    original: &Declaration,
) -> Result<Outcome, Refusal> {
    let facts = project.required(&remove.path)?;
    let names = std::iter::once(remove.name.clone()).collect();
    let mut relocation = Relocation::new(project, &remove.path, &keep.path, &names, false)?;
    if relocation.names.len() > 1 {
        relocation.notes.push("what only the copy used was removed with it".to_owned());
    }
    let shared = matches!(original.kind, DeclarationKind::Constant | DeclarationKind::Variable);
    if shared {
        relocation.notes.push(format!("both files share one `{}` now", keep.name));
    }
    let is_exported =
        original.is_exported() || project.required(&keep.path)?.links.export(&keep.name).is_some();
    for piece in relocation.pieces.clone() {
        relocation.edits.delete(&remove.path, piece.full);
    }
    if !is_exported {
        for at in original.pieces.iter().filter_map(|it| it.export_at) {
            relocation.edits.add(&keep.path, rb_core::Edit::insert(at, "export "));
        }
        relocation.notes.push(format!("`{}` of {} is exported now", keep.name, keep.path));
    }
    let mut edits = std::mem::take(&mut relocation.edits);
    change_imports(&relocation, keep, remove, &mut edits)?;
    relocation.edits = edits;
    relocation.follow_users()?;
    let changes = relocation.edits.apply(project.files)?;
    check(project, &changes)?;
    let mut notes = relocation.notes.clone();
    notes.extend(check_cycles(
        project,
        &after(project.files, &changes),
        &[&remove.path, &keep.path],
    )?);
    let api = relocation.exports.keys().map(|name| ApiChange {
        path: remove.path.clone(),
        before: name.clone(),
        after: format!("`{name}` of {}", keep.path),
    });
    Ok(Outcome {
        title: format!(
            "the copy of `{}` in {} replaced by that of {}",
            keep.name, remove.path, keep.path
        ),
        sites: vec![project.place(
            &remove.path,
            facts.declaration(&remove.name).map_or(0, Declaration::start),
            remove.name.clone(),
        )],
        api: api.collect(),
        files: changes,
        notes,
        ..Outcome::default()
    })
}

/// The file of the copy drops imports that only the copy used, and imports the original if it still uses it.
fn change_imports(
    relocation: &Relocation<'_>,
    keep: &SymbolPath,
    remove: &SymbolPath,
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    let facts = &relocation.source;
    let mut imports = ImportEdits::new(facts);
    relocation.drop_unused(&mut imports);
    let is_used = relocation.is_used_by_rest(&remove.name);
    if is_used {
        let style = style_of(relocation.project, &[&remove.path, &keep.path]);
        let found = relocation.project.specifier(&remove.path, &keep.path, (&style.0, &style.1));
        let specifier = found.ok_or_else(|| {
            let reason = format!("no import in {} would lead to {}", remove.path, keep.path);
            Refusal::new(reason, "import it by hand")
        })?;
        imports.add(Added {
            specifier,
            file: Some(keep.path.clone()),
            imported: keep.name.clone(),
            local: remove.name.clone(),
            kind: TypeKind::new(relocation.is_type(&remove.name), is_typescript(&remove.path)),
            is_reexport: false,
            anchor: None,
        });
    }
    imports.finish_into(&remove.path, edits).map_err(|statement| {
        let place = relocation.place(statement.range, statement.source.clone());
        let reason = "a comment stands in an import that has to change".to_owned();
        refusal(reason, vec![place], "move the comment out of the import first")
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::snapshot::snapshot;

    #[track_caller]
    fn check(fixture: &str, keep: &str, remove: &str, expected: &Expect) {
        let operation = format!(
            "{{\"operation\": \"replace-duplicate\", \"keep\": \"{keep}\", \"remove\": \"{remove}\"}}"
        );
        expected.assert_eq(&snapshot(fixture, &operation));
    }

    #[test]
    fn st1_replace_duplicate() {
        let fixture = "
//- a.ts
import { x } from './x';
export function clamp(n: number) {
  return Math.min(n, x);
}
//- b.ts
import { x, y } from './x';

// A copy.
export function clamp(n: number) {
    return Math.min(n, x);
}

export const z = clamp(y);
//- c.ts
import { clamp } from './b';
clamp(1);
//- x.ts
export const x = 1;
export const y = 2;
//- d.ts
const x = 3;
function clamp(n: number) {
  return Math.min(n, x);
}
clamp(2);
";
        check(
            fixture,
            "a.ts#clamp",
            "b.ts#clamp",
            &expect![[r#"
            the copy of `clamp` in b.ts replaced by that of a.ts
            //- b.ts
            import { y } from './x';
            import { clamp } from './a';

            export const z = clamp(y);
            //- c.ts
            import { clamp } from './a';
            clamp(1);
            api: b.ts clamp -> `clamp` of a.ts
        "#]],
        );
        check(
            fixture,
            "a.ts#clamp",
            "d.ts#clamp",
            &expect![[r#"
            refused: `x` means another thing in a.ts and d.ts
              d.ts:2: x
            suggestion: replace that first
        "#]],
        );
        check(
            fixture,
            "a.ts#clamp",
            "x.ts#x",
            &expect![[r#"
            refused: `a.ts#clamp` and `x.ts#x` are not a copy of one name in two files
            suggestion: rename one of them to the name of the other first
        "#]],
        );
    }
}

//! The operations of `rb_operations` as recipes: what they see of a project, and what comes of them as a `Plan`.
//!
//! A chain of operations is one `Chain`: made whole, or not at all. A refusal becomes what is left, with its places. A public name
//! changes because somebody asked for just that, so it is listed and not refused.

mod names;
mod world_files;

use rb_core::{Edit, at_most, plural};
use rb_lang::Language;
use rb_operations::{FileChange, Files, Operation, Outcome, Refusal, SymbolPath};

pub use self::names::WHOLE_FILE;
use self::names::{below_module, leading_name, pairs, renames};
pub use self::world_files::{WorldFiles, is_python};
use crate::plan::{ApiChange, Chain, Left, Mention, Plan, Site};
use crate::recipe::{PlanError, Planning};
use crate::recipes::rename;

/// Carries out a chain of operations.
pub(crate) fn plan(planning: &Planning<'_>, operations: &[Operation]) -> Result<Plan, PlanError> {
    if let [Operation::Rename { symbol, to, alias, .. }] = operations
        && is_script(&symbol.path)
    {
        if *alias {
            let reason = format!("no alias is kept for `{}`: only Python has them", symbol.name);
            let suggestion = "rename without one, and export the old name by hand";
            return Ok(refused(operations, Refusal::new(reason, suggestion)));
        }
        let of_symbol = [("symbol".to_owned(), symbol.to_string()), ("to".to_owned(), to.clone())];
        return (rename::RECIPE.plan)(&Planning { arguments: &of_symbol.into(), ..*planning });
    }
    let files = WorldFiles::new(planning.world);
    let scripts = |files: &dyn Files, operation: &Operation| {
        is_of_scripts(files, operation).then(|| rb_ecma_operations::plan_one(files, operation))
    };
    let outcome = rb_operations::plan_with(&files, operations, &scripts);
    if planning.cancel.is_cancelled() {
        return Err(PlanError::Interrupted);
    }
    let mut plan = match outcome {
        Ok(outcome) => made(planning, &files, operations, outcome),
        Err(refusal) => refused(operations, refusal),
    };
    plan.tidy();
    Ok(plan)
}

/// Whether an operation is about JavaScript or TypeScript; a folder is if such files are in it and none of Python.
fn is_of_scripts(files: &dyn Files, operation: &Operation) -> bool {
    let (path, _) = subject(operation);
    if is_script(&path) || is_python(&path) {
        return is_script(&path);
    }
    let below = format!("{}/", path.trim_end_matches('/'));
    let inside: Vec<String> =
        files.paths().into_iter().filter(|it| it.starts_with(&below)).collect();
    inside.iter().any(|it| is_script(it)) && !inside.iter().any(|it| is_python(it))
}

fn is_script(path: &str) -> bool {
    use Language::{JavaScript, Tsx, TypeScript};
    matches!(Language::of_path(path.as_bytes()), Some(JavaScript | TypeScript | Tsx))
}

fn made(
    planning: &Planning<'_>,
    files: &WorldFiles<'_>,
    operations: &[Operation],
    outcome: Outcome,
) -> Plan {
    let Outcome { title, files: changes, sites, api, notes, mentions } = outcome;
    let sites = sites.into_iter().map(|it| Site { path: it.path, line: it.line, what: it.what });
    let mut chain = Chain { title, sites: sites.collect(), notes, ..Chain::default() };
    for (path, change) in changes {
        match change {
            FileChange::Created(text) => drop(chain.created.insert(path, text.to_string())),
            FileChange::Removed => drop(chain.removed.insert(path)),
            FileChange::Edited(text) => {
                let before = files.text(&path).unwrap_or_default();
                if let Some(edit) = replacement(&before, &text) {
                    chain.edit(&path, edit);
                }
            }
        }
    }
    let is_public = |path: &str, name: &str| {
        let mut promised = planning.promised.0.iter().filter(|(file, _)| file == path);
        let top = name.split('.').next().unwrap_or(name);
        promised.any(|(_, promised)| name == WHOLE_FILE || promised == name || promised == top)
    };
    chain.renames.extend(operations.iter().flat_map(renames));
    let (modules, api): (Vec<_>, Vec<_>) = api.into_iter().partition(|it| it.before == A_MODULE);
    for change in api {
        chain.renames.extend(pairs(leading_name(&change.before), leading_name(&change.after)));
        let whole = leading_name(&change.before);
        let is_own = is_public(&change.path, whole);
        let name = if is_own { whole } else { below_module(&change.path, whole) }.to_owned();
        let is_public = is_public(&change.path, &name);
        let (before, after) = (change.before, change.after);
        chain.api.push(ApiChange { path: change.path, name, before, after, is_public });
    }
    for path in &chain.removed {
        let moved = modules.iter().find(|it| it.path == *path).map(|it| it.after.clone());
        chain.api.push(ApiChange {
            path: path.clone(),
            name: WHOLE_FILE.to_owned(),
            before: A_MODULE.to_owned(),
            after: moved.unwrap_or_else(|| "no longer there".to_owned()),
            is_public: is_public(path, WHOLE_FILE),
        });
    }
    chain.notes.extend(mentioned(&mentions));
    let mentions =
        mentions.into_iter().map(|it| Mention { path: it.path, line: it.line, text: it.text });
    Plan { chains: vec![chain], left: Vec::new(), mentions: mentions.collect() }
}

/// What stands for all names of a file.
const A_MODULE: &str = "a module";

/// The most mentions that a note names.
const NAMED: usize = 5;

/// Places in prose that were left, for those who see only the notes of a task.
fn mentioned(mentions: &[rb_operations::Mention]) -> Option<String> {
    let count = plural(mentions.len(), "mention");
    let places = at_most(NAMED, mentions.iter().map(|it| format!("{}:{}", it.path, it.line)));
    let was = if mentions.len() == 1 { "was" } else { "were" };
    let places = places.join(", ");
    (!mentions.is_empty()).then(|| format!("{count} in prose {was} not changed: {places}"))
}

/// The one edit that makes `after` of `before`: what is the same at both ends is left alone.
fn replacement(before: &str, after: &str) -> Option<Edit> {
    if before == after {
        return None;
    }
    let is_end = |at: usize| before.is_char_boundary(at) && after.is_char_boundary(at);
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=same).rev().find(|&at| is_end(at)).unwrap_or(0);
    let (rest, new) = (&before[start..], &after[start..]);
    let same = rest.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let fits = |count: &usize| {
        rest.is_char_boundary(rest.len() - count) && new.is_char_boundary(new.len() - count)
    };
    let tail = (0..=same).rev().find(fits).unwrap_or(0);
    let offset = |at: usize| u32::try_from(at).ok();
    let end = offset(before.len() - tail)?;
    Some(Edit::replace(offset(start)?, end, &new[..new.len() - tail]))
}

/// Nothing is made: each place of the refusal is left, or the file that the first operation is about.
fn refused(operations: &[Operation], refusal: Refusal) -> Plan {
    let Refusal { reason, places, suggestion } = refusal;
    let left = |path: String, line: u32, code: String| Left {
        path,
        line,
        column: 1,
        code,
        reason: reason.clone(),
        suggestion: suggestion.clone(),
        through: Vec::new(),
    };
    let mut all: Vec<Left> =
        places.into_iter().map(|place| left(place.path, place.line, place.what)).collect();
    if all.is_empty() {
        let (path, name) = operations.first().map(subject).unwrap_or_default();
        all.push(left(path, 1, name));
    }
    Plan { left: all, ..Plan::default() }
}

/// The file that an operation is about, and what in it.
fn subject(operation: &Operation) -> (String, String) {
    let of_symbol = |symbol: &SymbolPath| (symbol.path.clone(), symbol.name.clone());
    let of_first = |symbols: &[SymbolPath]| symbols.first().map(of_symbol).unwrap_or_default();
    match operation {
        Operation::Rename { symbol, .. } | Operation::InlineReexport { symbol, .. } => {
            of_symbol(symbol)
        }
        Operation::RenameParameter { function, .. }
        | Operation::AddParameter { function, .. }
        | Operation::RemoveParameter { function, .. }
        | Operation::ReorderParameters { function, .. }
        | Operation::ParameterObject { function, .. } => of_symbol(function),
        Operation::Move { symbols, .. } => of_first(symbols),
        Operation::MoveMethod { methods, .. } => of_first(methods),
        Operation::Encapsulate { functions, .. } => of_first(functions),
        Operation::ReplaceDuplicate { remove, .. } => of_symbol(remove),
        Operation::RenameModule { path, .. } => (path.clone(), path.clone()),
        Operation::Merge { modules, .. } => {
            let path = modules.first().cloned().unwrap_or_default();
            (path.clone(), path)
        }
    }
}

/// A path as it was given, without `./`.
pub(crate) fn path(text: &str) -> String {
    text.trim().trim_start_matches("./").to_owned()
}

/// `path#name`.
pub(crate) fn symbol(text: &str) -> Result<SymbolPath, PlanError> {
    path(text).parse().map_err(PlanError::Argument)
}

/// `a.py#f, a.py#g`. One without a path is in the file of the one before it: `a.py#f, g`.
pub(crate) fn symbols(texts: &[String]) -> Result<Vec<SymbolPath>, PlanError> {
    let mut symbols: Vec<SymbolPath> = Vec::new();
    for text in texts {
        symbols.push(match symbols.last() {
            Some(last) if !text.contains('#') => {
                SymbolPath { path: last.path.clone(), name: text.clone() }
            }
            _ => symbol(text)?,
        });
    }
    Ok(symbols)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_a_new_text_is_one_edit() {
        #[track_caller]
        fn check(before: &str, after: &str, expected: Option<(u32, u32, &str)>) {
            let edit = replacement(before, after);
            let found = edit.as_ref().map(|it| (it.start, it.end, it.text.as_str()));
            assert_eq!(found, expected, "{before:?} {after:?}");
            let edits: Vec<Edit> = edit.into_iter().collect();
            assert_eq!(rb_core::edit::apply(before, &edits).unwrap(), after);
        }
        check("", "", None);
        check("a", "a", None);
        check("", "a", Some((0, 0, "a")));
        check("a", "", Some((0, 1, "")));
        check("abc", "axc", Some((1, 2, "x")));
        check("aa", "aaa", Some((2, 2, "a")));
        check("aaa", "aa", Some((2, 3, "")));
        check("é", "è", Some((0, 2, "è")));
        check("xéy", "xèy", Some((1, 3, "è")));
        // Their last bytes are the same.
        check("a\u{e9}", "a\u{129}", Some((1, 3, "\u{129}")));
    }

    #[test]
    fn st1_symbols_share_the_path_of_the_first() {
        let all = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|it| (*it).to_owned()).collect();
            symbols(&texts).map(|it| it.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(all(&["./a.py#f", "g", "b.py#h"]).unwrap(), ["a.py#f", "a.py#g", "b.py#h"]);
        assert!(all(&["f"]).is_err());
    }
}

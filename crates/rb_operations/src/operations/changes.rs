//! The last steps of operations that rewrite whole files: documents follow, and every text still parses.

use std::collections::BTreeMap;

use rb_core::Edit;
use rb_python::Source;

use super::relocation::specifier::module_name;
use crate::document::{DocumentQuery, documents};
use crate::files::{Files, Overlay, folder_of, join};
use crate::layout;
use crate::outcome::{FileChange, Mention, Outcome, Refusal};
use crate::project::{Project, is_identifier, is_python};

/// Documents that are named for a module: `docs/reference/a.b.rst`. Of a module that became a part of another one, whose page is there, a page
/// without words of its own goes.
pub(super) fn rename_documents(
    project: &Project<'_>,
    query: &DocumentQuery,
    outcome: &mut Outcome,
) {
    for path in project.files.paths() {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let Some((stem, ending)) = file.rsplit_once('.') else { continue };
        let is_document = matches!(ending, "rst" | "md" | "txt");
        // A name without a dot is a word like any other.
        let mut pairs = query.dotted.iter().filter(|(old, _)| old.contains('.') && is_document);
        let Some((_, new)) = pairs.find(|(old, _)| old == stem) else { continue };
        let target = join(folder, &format!("{new}.{ending}"));
        let Some(text) = project.files.text(&path) else { continue };
        if project.files.text(&target).is_none() {
            outcome.files.insert(path.clone(), FileChange::Removed);
            outcome.files.insert(target, FileChange::Created(text));
        } else if has_only_directives(&text, stem) {
            outcome.files.insert(path.clone(), FileChange::Removed);
        }
    }
}

/// A title and directives, such as `.. automodule:: a.b` with its options.
fn has_only_directives(text: &str, title: &str) -> bool {
    let is_other = |line: &&str| {
        let is_title = line.trim().trim_matches('`') == title;
        let is_empty = line.trim().is_empty();
        !is_empty && !is_title && !is_underline(line) && !line.starts_with([' ', '\t', '.'])
    };
    !text.lines().any(|line| is_other(&line))
}

/// Edits documents, docstrings and comments in the files as the operation leaves them.
pub(super) fn follow_documents(
    project: &Project<'_>,
    outcome: &mut Outcome,
    query: &DocumentQuery,
) -> Result<(), Refusal> {
    let after = Overlay::with(project.files, &outcome.files);
    let found = documents(&Project::new(&after), query);
    for (path, edits) in found.edits {
        let Some(text) = after.text(&path) else { continue };
        let edits = if is_python(&path) {
            edits
        } else {
            without_repeated_lines(&path, &text, edits, &mut outcome.mentions)
        };
        if edits.is_empty() {
            continue;
        }
        let new = rb_core::edit::apply(&text, &edits).map_err(|error| {
            let reason = format!("the edits of {path} do not fit together: {error}");
            Refusal::new(reason, "change this file by hand first")
        })?;
        let new = if is_python(&path) { new } else { with_underlines(&text, &new) };
        let change = match outcome.files.get(&path) {
            Some(FileChange::Created(_)) => FileChange::Created(new.into()),
            Some(FileChange::Edited(_) | FileChange::Removed) | None => {
                FileChange::Edited(new.into())
            }
        };
        outcome.files.insert(path, change);
    }
    outcome.mentions.extend(found.mentions);
    Ok(())
}

/// What two modules had of their own is one thing after a merge: an entry of a list that is there already goes, and a key of a JSON file that
/// is there already is left and listed.
fn without_repeated_lines(
    path: &str,
    text: &str,
    edits: Vec<Edit>,
    mentions: &mut Vec<Mention>,
) -> Vec<Edit> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut kept = Vec::new();
    for edit in edits {
        let (start, end) = (edit.start as usize, edit.end as usize);
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        let new = format!("{}{}{}", &text[first..start], edit.text, &text[end..last]);
        let is_repeated = lines.contains(&new.trim());
        let is_entry =
            text[first..last].trim().trim_start_matches(['-', '*', ' ']) == &text[start..end];
        if is_repeated && path.rsplit('.').next() == Some("json") {
            mentions.push(Mention::at(path, text, start));
        } else if is_repeated && is_entry {
            kept.push(Edit::delete(layout::offset(first), layout::offset(last)));
        } else {
            kept.push(edit);
        }
    }
    kept
}

/// Titles of documents that got longer or shorter keep their underlines as long as they are.
fn with_underlines(before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split('\n').collect();
    let mut new: Vec<String> = after.split('\n').map(str::to_owned).collect();
    if old.len() != new.len() {
        return after.to_owned();
    }
    for index in 0..old.len() {
        let (was, is) = (width(old[index]), width(&new[index]));
        if was == is {
            continue;
        }
        let mut neighbours = vec![index + 1];
        neighbours.extend(index.checked_sub(1));
        // A line above a title is its own only if there is one below as well.
        let has_below = old.get(index + 1).is_some_and(|line| is_underline(line));
        for neighbour in neighbours.into_iter().filter(|_| has_below) {
            let line = old
                .get(neighbour)
                .filter(|line| is_underline(line) && width(line).abs_diff(was) <= 2);
            if let Some(first) = line.and_then(|line| line.chars().next()) {
                let end = if old[neighbour].ends_with('\r') { "\r" } else { "" };
                let length = (width(old[neighbour]) + is).saturating_sub(was);
                new[neighbour] = format!("{}{end}", first.to_string().repeat(length));
            }
        }
    }
    new.join("\n")
}

fn width(line: &str) -> usize {
    line.trim_end().chars().count()
}

/// `=====`, `-----`.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let first = line.chars().next();
    line.len() > 3
        && first.is_some_and(|first| first.is_ascii_punctuation())
        && line.chars().all(|letter| Some(letter) == first)
}

/// Every file that imports the module by its full name must find it.
pub(super) fn check_importable(
    project: &Project<'_>,
    files: &BTreeMap<String, FileChange>,
    module: &str,
) -> Result<(), Refusal> {
    let after = Overlay::with(project.files, files);
    let changed = Project::new(&after);
    let name = module_name(&changed, module);
    for path in files.keys() {
        let Some(source) = changed.source(path) else { continue };
        let is_named = source
            .imports()
            .iter()
            .any(|import| (0..import.names.len()).any(|index| import.specifier(index) == name));
        if is_named && after.resolve(path, &name).as_deref() != Some(module) {
            let reason = format!("{path} could not import {module} as `{name}`");
            let suggestion = "choose a folder that is a package, or add an `__init__.py` to it";
            return Err(Refusal::new(reason, suggestion));
        }
    }
    Ok(())
}

/// A module of a package that no statement can import is loaded by a name that is put together at run time: what takes its names is out of
/// sight.
pub(super) fn check_imported_by_statements(
    project: &Project<'_>,
    path: &str,
) -> Result<(), Refusal> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    if is_identifier(stem) || !project.exists(&join(folder_of(path), "__init__.py")) {
        return Ok(());
    }
    let reason = format!("no `import` can name {path}, so what uses its names cannot be found");
    Err(Refusal::new(reason, "change it by hand, with the code that loads it"))
}

/// A text that no longer parses is never given out.
pub(super) fn check_syntax(files: &BTreeMap<String, FileChange>) -> Result<(), Refusal> {
    for (path, change) in files.iter().filter(|(path, _)| is_python(path)) {
        let (FileChange::Created(text) | FileChange::Edited(text)) = change else { continue };
        if let Err(error) = Source::parse(path, std::sync::Arc::clone(text)) {
            let reason = format!("the change would leave {path} with a syntax error in {error}");
            return Err(Refusal::new(reason, "change this file by hand"));
        }
    }
    Ok(())
}

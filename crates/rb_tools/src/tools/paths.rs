//! The file that somebody means by a path. Only what the index lists can be meant.

use std::collections::BTreeMap;

use rb_core::path::unquote;
use rb_core::plural;
use rb_index::walk::SkipReason;
use rb_index::{FileId, View};

use super::nearest::{did_you_mean, nearest};
use super::words;
use crate::toolbox::{Repository, ToolError};

/// The file of that path, or the only one whose path ends so.
pub(crate) fn find(on: Repository<'_>, view: &View<'_>, asked: &str) -> Result<FileId, ToolError> {
    let path = relative(on, asked)?;
    if let Some(id) = view.tree.find(&path) {
        return Ok(id);
    }
    if let Some(why) = left_out(on, &path) {
        let path = words::path(&path);
        return Err(ToolError::Call(format!("`{path}` is not part of the index: {why}.")));
    }
    let inside = files_in(view, &path);
    if inside > 0 {
        let (path, files) = (words::path(&path), plural(inside, "file"));
        let advice = format!("List them with `list_files` and {{\"folder\": \"{path}\"}}.");
        return Err(ToolError::Call(format!("`{path}` is a folder with {files}. {advice}")));
    }
    let suffix = format!("/{path}");
    let same_end: Vec<FileId> = view
        .by_importance()
        .iter()
        .copied()
        .filter(|&id| view.tree.get(id).path.ends_with(&suffix))
        .collect();
    match same_end.as_slice() {
        [only] => Ok(*only),
        [] => Err(no_such_file(view, &path)),
        several => {
            let paths = several.iter().map(|&id| &*view.tree.get(id).path);
            let (shown, paths) = (words::path(&path), words::listed(paths, 6));
            Err(ToolError::Call(format!("`{shown}` could be several files: {paths}. Name one.")))
        }
    }
}

/// How many files lie below a folder.
pub(crate) fn files_in(view: &View<'_>, folder: &str) -> usize {
    let prefix = format!("{folder}/");
    view.tree.files.iter().filter(|file| file.path.starts_with(&prefix)).count()
}

/// A folder as the index writes it; empty for the root.
pub(crate) fn folder(
    on: Repository<'_>,
    view: &View<'_>,
    asked: &str,
) -> Result<String, ToolError> {
    if matches!(asked, "." | "./" | "/") {
        return Ok(String::new());
    }
    let path = relative(on, asked)?;
    if files_in(view, &path) > 0 {
        return Ok(path);
    }
    if view.tree.find(&path).is_some() {
        let path = words::path(&path);
        return Err(ToolError::Call(format!("`{path}` is a file. Read it with `read_file`.")));
    }
    if let Some(why) = left_out(on, &path) {
        let path = words::path(&path);
        return Err(ToolError::Call(format!("`{path}` is not part of the index: {why}.")));
    }
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &view.tree.files {
        for (at, _) in file.path.match_indices('/') {
            *folders.entry(&file.path[..at]).or_default() += 1;
        }
    }
    let near = nearest(&path, folders.keys().copied(), 3);
    let near: Vec<String> = near.into_iter().map(words::path).collect();
    let hint = did_you_mean(&near);
    let path = words::one_line(&path, 200);
    Err(ToolError::Call(format!("There is no folder `{path}`.{hint}")))
}

/// Relative to the root, without decoration.
fn relative(on: Repository<'_>, asked: &str) -> Result<String, ToolError> {
    let asked = asked.trim().trim_matches('`');
    let unquoted = unquote(asked).and_then(|bytes| String::from_utf8(bytes).ok());
    let mut path = unquoted.unwrap_or_else(|| asked.to_owned());
    let root = on.repo.root().to_str();
    if let Some(rest) = root.and_then(|root| path.strip_prefix(root)?.strip_prefix('/')) {
        path = rest.to_owned();
    }
    let mut plain = path.as_str();
    while let Some(rest) = plain.strip_prefix("./") {
        plain = rest;
    }
    let plain = plain.trim_end_matches('/');
    let is_outside = plain.starts_with('/') || plain.split('/').any(|part| part == "..");
    if is_outside || plain.is_empty() {
        let shown = words::one_line(asked, 200);
        return Err(ToolError::Call(format!(
            "`{shown}` is not a path in the repository. Paths are relative to its root, such as `src/main.rs`."
        )));
    }
    Ok(plain.to_owned())
}

/// Why something that lies in the repository is not in the index.
fn left_out(on: Repository<'_>, path: &str) -> Option<String> {
    let path = path.as_bytes();
    let covers = |entry: &[u8]| {
        path.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    let walk = &on.indexed.walk;
    let skipped = walk.skipped.iter().find(|skipped| {
        skipped.reason != SkipReason::LargeIgnoreFile && covers(skipped.path.as_bytes())
    });
    if let Some(skipped) = skipped {
        return Some(skipped.reason.words());
    }
    let is_ignored = walk.ignored.iter().any(|ignored| covers(ignored.path.as_bytes()));
    is_ignored.then(|| "an ignore file excludes it".to_owned())
}

fn no_such_file(view: &View<'_>, path: &str) -> ToolError {
    let stems = view.by_importance().iter().map(|&id| stem_of(&view.tree.get(id).path));
    let mut paths: Vec<String> = Vec::new();
    let near = nearest(stem_of(path), stems, 3);
    // Where a file has this very name, others are not meant.
    let most = if near.first() == Some(&stem_of(path)) { 1 } else { near.len() };
    for near in near.into_iter().take(most) {
        let files = view.by_importance().iter().map(|&id| &*view.tree.get(id).path);
        let mut same_stem: Vec<&str> = files.filter(|path| stem_of(path) == near).collect();
        same_stem.sort_by_key(|file| name_of(file) != name_of(path));
        paths.extend(same_stem.into_iter().take(3).map(words::path));
    }
    paths.truncate(4);
    let hint = match did_you_mean(&paths) {
        hint if hint.is_empty() => " Find it with `list_files` or `search`.".to_owned(),
        hint => hint,
    };
    ToolError::Call(format!("There is no file `{}`.{hint}", words::one_line(path, 200)))
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The name without its ending, which makes short names look alike.
fn stem_of(path: &str) -> &str {
    let name = name_of(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

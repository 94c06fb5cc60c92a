//! The path of a file that was moved or removed, still written somewhere: in a string, a document, a workflow, a manifest.

use super::history::is_about_the_past;
use super::leftover;
use super::removed::{Removed, RemovedFile};
use super::sightings::{Context, Sighting, Sightings, line_at, stem};
use crate::comparison::{Comparison, folder_of};
use crate::{Finding, FindingKind};

pub(crate) fn find(
    comparison: &Comparison<'_>,
    removed: &Removed,
    sightings: &Sightings,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &removed.files {
        for sighting in sightings.of_literal(stem(&file.path)).iter().filter(|it| !it.is_edited) {
            let text = sightings.text(sighting.file);
            let path = comparison.after.path(sighting.file);
            let Some(written) = written(comparison, file, sighting, &text) else { continue };
            if is_about_the_past(&text, sighting.at) {
                continue;
            }
            let message = format!("still names `{written}`, but the change {}", fate(file));
            let cause = Some(file.cause.clone());
            findings.push(leftover(FindingKind::StaleName, (path, sighting.line), message, cause));
        }
    }
    findings
}

fn fate(file: &RemovedFile) -> String {
    file.moved_to.as_ref().map_or("removed it".to_owned(), |now| format!("moved it to {now}"))
}

/// The path or dotted name around a sighting, if it leads to the file that is gone and to nothing else.
fn written(
    comparison: &Comparison<'_>,
    file: &RemovedFile,
    sighting: &Sighting,
    text: &str,
) -> Option<String> {
    if sighting.context == Context::Code {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@');
    let start = text[..sighting.at]
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let end = text[sighting.at..].find(|c| !is_part(c)).map_or(text.len(), |at| sighting.at + at);
    let token = text[start..end].trim_end_matches(['.', '/']);
    // A path alone on its line is what some program printed.
    let is_printed =
        sighting.context == Context::Prose && line_at(text, sighting.at).trim() == token;
    if is_printed || token.starts_with('/') || is_address(text, start) {
        return None;
    }
    let here = comparison.after.path(sighting.file);
    let is_path = token.contains('/') || token == file.path;
    let is_same = if is_path {
        leads_to(comparison, file, here, token)
    } else {
        is_module(comparison, file, token)
    };
    is_same.then(|| token.to_owned())
}

fn is_address(text: &str, start: usize) -> bool {
    text[..start].ends_with([':', '\\', '$', '}', '<', '*', '#', '~'])
}

/// `./old`, `../shop/old.js`, `src/shop/old.js`: the file that is gone, with or without its ending.
fn leads_to(comparison: &Comparison<'_>, file: &RemovedFile, here: &str, token: &str) -> bool {
    let from_here = resolve(folder_of(here), token);
    let from_root = (!token.starts_with('.')).then(|| resolve("", token)).flatten();
    let bare =
        |path: &str| path.rsplit_once('.').map_or(path.to_owned(), |(bare, _)| bare.to_owned());
    let is_old = |path: &String| {
        *path == file.path
            || extension(&file.path) != "md" && *path == bare(&file.path) && token.contains('/')
    };
    let is_gone = |path: &String| {
        let folder = format!("{path}/");
        let ids = &comparison.after.view.tree.files;
        !ids.iter()
            .any(|it| *it.path == **path || bare(&it.path) == *path || it.path.starts_with(&folder))
    };
    let mut paths = [from_here, from_root].into_iter().flatten();
    paths.any(|path| is_old(&path) && is_gone(&path))
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn resolve(folder: &str, token: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in token.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// `shop.tax`, and `shop.tax.rate` below it, where no module has that name any more.
fn is_module(comparison: &Comparison<'_>, file: &RemovedFile, token: &str) -> bool {
    if extension(&file.path) != "py"
        || file.module.len() < 2
        || file.module.last().map(String::as_str) != Some(stem(&file.path))
    {
        return false;
    }
    let name = file.module.join(".");
    let is_below = token
        .strip_prefix(name.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let bare = file.path.trim_end_matches(".py");
    let package = format!("{bare}/__init__.py");
    is_below
        && comparison.after.find(&package).is_none()
        && comparison.after.find(&file.path).is_none()
}

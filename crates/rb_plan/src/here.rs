//! What a path in a directive means in this repository, and what is said of one that means nothing.

use std::collections::BTreeSet;

use rb_core::at_most;

use crate::repo_facts::{RepoFacts, text};

/// The whole path of a file or folder: as it stands in the repository, from the folder that was asked about, or by an end that
/// only one file has.
pub(crate) fn find(repo: &RepoFacts<'_>, path: &str) -> Option<String> {
    let is_place = |it: &String| is_place(repo, it);
    let here = within(repo, "", path).filter(is_place);
    let Some(folder) = repo.input.folder.map(text) else {
        return here.or_else(|| by_end(repo, path));
    };
    let is_below = |it: &String| {
        it.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let beside = || within(repo, folder, path).filter(is_place);
    let asked = here.clone().filter(is_below).or_else(beside);
    asked.or(here).or_else(|| by_end(repo, path))
}

/// The most missing paths that are named.
const NAMED: usize = 5;

/// Says which paths are not there.
pub(crate) fn none_there(repo: &RepoFacts<'_>, paths: &[String]) -> String {
    at_most(NAMED, paths.iter().map(|path| not_there(repo, path))).join("; ")
}

/// Whether it is the name of several files, so that which one is meant is told by the rest of the words.
pub(crate) fn is_of_several(repo: &RepoFacts<'_>, path: &str) -> bool {
    namesakes(repo, path).nth(1).is_some()
}

/// The files whose paths end so.
fn namesakes<'r>(repo: &'r RepoFacts<'_>, path: &str) -> impl Iterator<Item = &'r str> {
    let end = format!("/{path}");
    let files = repo.view().tree.files.iter().map(|it| &*it.path);
    files.filter(move |it| it.ends_with(&end))
}

/// Says that there is no such path, and which is the nearest, or that there are several.
fn not_there(repo: &RepoFacts<'_>, path: &str) -> String {
    if is_of_several(repo, path) {
        let all: Vec<String> = namesakes(repo, path).map(|it| format!("`{it}`")).collect();
        let all = at_most(NAMED, all.into_iter()).join(", ");
        return format!("{path} could be any of {all}; name one by its path");
    }
    let folder = repo.input.folder.map_or("", text);
    let Some(whole) = within(repo, folder, path) else {
        return format!("{path} is not in this repository");
    };
    let hint = nearest(repo, &[path.trim_end_matches('/'), &whole]);
    let hint = hint.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
    format!("{path} does not exist{hint}")
}

/// A file of the repository, or a folder of one.
fn is_place(repo: &RepoFacts<'_>, path: &str) -> bool {
    !path.is_empty() && (repo.exists(path) || is_folder(repo, path))
}

/// A folder of some file; empty for the root.
pub(crate) fn is_folder(repo: &RepoFacts<'_>, path: &str) -> bool {
    let files = &repo.view().tree.files;
    let inside = format!("{path}/");
    let at = files.partition_point(|it| *it.path < *inside);
    path.is_empty() || files.get(at).is_some_and(|it| it.path.starts_with(&inside))
}

/// The path from the root of the repository; none for one that leads out of it.
fn within(repo: &RepoFacts<'_>, folder: &str, path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let root = repo.input.root.to_string_lossy();
    let (folder, path) = match path.strip_prefix(&*root) {
        Some(rest) if path.starts_with('/') && rest.starts_with('/') => ("", rest.to_owned()),
        _ if path.starts_with(['/', '~']) => return None,
        _ => (folder, path),
    };
    let mut steps: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()?),
            _ => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// The one file whose path ends so.
pub(crate) fn by_end(repo: &RepoFacts<'_>, path: &str) -> Option<String> {
    let is_file = path.rsplit('/').next().is_some_and(|it| it.contains('.'));
    let mut files = namesakes(repo, path);
    match (files.next(), files.next()) {
        (Some(file), None) if is_file => Some(file.to_owned()),
        _ => None,
    }
}

/// The file or folder whose path is nearly one of these, or that has the same name elsewhere.
fn nearest(repo: &RepoFacts<'_>, paths: &[&str]) -> Option<String> {
    let files = &repo.view().tree.files;
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for file in files {
        let ends = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
        known.extend(ends.chain([&*file.path]));
    }
    let mut best: Option<(usize, &str)> = None;
    for path in paths {
        let most = (path.chars().count() / 4).clamp(1, 3);
        let name = path.rsplit('/').next().unwrap_or(path);
        for &it in &known {
            let is_namesake = it.rsplit('/').next() == Some(name);
            let far = match it.len().abs_diff(path.len()) {
                _ if is_namesake => 1,
                more if more > most => continue,
                _ => strsim::damerau_levenshtein(it, path),
            };
            if (is_namesake || far <= most) && best.is_none_or(|(than, _)| far < than) {
                best = Some((far, it));
            }
        }
    }
    best.map(|(_, it)| it.to_owned())
}

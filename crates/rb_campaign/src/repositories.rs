//! Which repositories a campaign is about: a list of folders and addresses, or a pattern of folders.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;
use rb_core::fs;
use rb_jobs::Place;

use crate::error::CampaignError;
use crate::event::Repository;

/// A file with one repository on each line, or a pattern such as `~/src/*`; relative to `here`.
pub fn read(list: &str, here: &Path) -> Result<Vec<Repository>, CampaignError> {
    let path = here.join(list);
    if path.is_file() { of_file(&path) } else { of_pattern(list, here) }
}

/// Empty lines and lines that begin with `#` say nothing.
fn of_file(path: &Path) -> Result<Vec<Repository>, CampaignError> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut places = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = |problem: String| CampaignError::BadLine {
            list: path.to_owned(),
            line: nth + 1,
            problem,
        };
        let place = if is_address(line) {
            Place::Url(line.to_owned())
        } else {
            folder_at(&folder.join(line)).map_err(bad)?
        };
        if places.contains(&place) {
            return Err(bad(format!("{line} is listed twice")));
        }
        places.push(place);
    }
    if places.is_empty() {
        return Err(CampaignError::EmptyList(path.to_owned()));
    }
    Ok(named(places))
}

/// `https://…`, `ssh://…`, `git@host:path`.
fn is_address(line: &str) -> bool {
    line.contains("://")
        || line.split_once(':').is_some_and(|(host, _)| host.contains('@') && !host.contains('/'))
}

fn folder_at(path: &Path) -> Result<Place, String> {
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    if !path.join(".git").exists() {
        return Err(format!("{} is no git repository", path.display()));
    }
    Ok(Place::Folder(path))
}

/// Folders that match and are git repositories. `*` stops at a slash.
fn of_pattern(pattern: &str, here: &Path) -> Result<Vec<Repository>, CampaignError> {
    let bad = |source| CampaignError::BadPattern { pattern: pattern.to_owned(), source };
    let whole = here.join(pattern);
    let is_plain =
        |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']);
    let fixed: PathBuf = whole.components().take_while(is_plain).collect();
    let glob = GlobBuilder::new(&whole.to_string_lossy())
        .literal_separator(true)
        .build()
        .map_err(bad)?
        .compile_matcher();
    let deepest = if pattern.contains("**") {
        DEEPEST
    } else {
        whole.components().count() - fixed.components().count()
    };
    let (mut found, mut left) = (Vec::new(), vec![(fixed, 0)]);
    while let Some((folder, depth)) = left.pop() {
        if glob.is_match(&folder) && folder.join(".git").exists() {
            found.push(folder_at(&folder).map_err(|_| CampaignError::NoMatch(pattern.to_owned()))?);
            // What lies in it belongs to it.
            continue;
        }
        if depth == deepest {
            continue;
        }
        for name in fs::list(&folder).unwrap_or_default() {
            let below = folder.join(&name);
            // A link may lead back to where it is.
            if name != ".git" && below.is_dir() && !below.is_symlink() {
                left.push((below, depth + 1));
            }
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Err(CampaignError::NoMatch(pattern.to_owned()));
    }
    Ok(named(found))
}

/// How deep `**` goes.
const DEEPEST: usize = 8;

/// The last part of each place; with as many parts before it as it takes to tell it from others.
fn named(places: Vec<Place>) -> Vec<Repository> {
    let parts: Vec<Vec<String>> = places.iter().map(parts).collect();
    let mut lengths = vec![1_usize; places.len()];
    loop {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (nth, parts) in parts.iter().enumerate() {
            by_name.entry(last(parts, lengths[nth])).or_default().push(nth);
        }
        let mut is_longer = false;
        for nth in by_name.into_values().filter(|same| same.len() > 1).flatten() {
            if lengths[nth] < parts[nth].len() {
                lengths[nth] += 1;
                is_longer = true;
            }
        }
        if !is_longer {
            break;
        }
    }
    let name = |nth: usize| last(&parts[nth], lengths[nth]);
    places
        .into_iter()
        .enumerate()
        .map(|(nth, place)| Repository { name: name(nth), place })
        .collect()
}

fn last(parts: &[String], length: usize) -> String {
    parts[parts.len() - length.min(parts.len())..].join("/")
}

fn parts(place: &Place) -> Vec<String> {
    let text = match place {
        Place::Folder(folder) => folder.to_string_lossy().into_owned(),
        Place::Url(url) => url
            .trim_end_matches('/')
            .trim_end_matches(".git")
            .replace("://", "/")
            .replace([':', '@'], "/"),
    };
    text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

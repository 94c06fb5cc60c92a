//! Paths in prose and comments that leave the beginning out: `openapi.utils.get_openapi` for `fastapi.openapi.utils.get_openapi`.

use std::collections::BTreeSet;

use crate::project::{Project, is_identifier_part};

/// Pairs of such paths, old and new, as they occur in the project. Only those that name a member of the module, with two parts before it at
/// least, and that no other module could mean.
pub(super) fn partial_paths(
    project: &Project<'_>,
    module: &str,
    old: &str,
    new: &str,
    members: &BTreeSet<String>,
) -> Vec<(String, String)> {
    let parts: Vec<&str> = old.split('.').collect();
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    let suffixes = (1..parts.len().saturating_sub(1)).map(|first| parts[first..].join("."));
    let unique: Vec<String> =
        suffixes.filter(|suffix| is_unique(project, module, suffix)).collect();
    if unique.is_empty() {
        return Vec::new();
    }
    for path in project.files.paths() {
        let Some(text) = project.files.text(&path) else { continue };
        for suffix in &unique {
            for member in members_behind(&text, suffix).filter(|member| members.contains(*member)) {
                let short = shortened(new, parts.len() - suffix.split('.').count());
                pairs.insert((format!("{suffix}.{member}"), format!("{short}.{member}")));
            }
        }
    }
    pairs.into_iter().collect()
}

/// The new path without as many parts; all of it if it is shorter.
fn shortened(path: &str, left_out: usize) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let from = if parts.len() > left_out + 1 { left_out } else { 0 };
    parts[from..].join(".")
}

fn is_unique(project: &Project<'_>, module: &str, suffix: &str) -> bool {
    let stem = suffix.replace('.', "/");
    let endings = [format!("/{stem}.py"), format!("/{stem}/__init__.py")];
    let is_other = |path: &&String| {
        path.as_str() != module && endings.iter().any(|ending| path.ends_with(ending))
    };
    !project.python_files().iter().any(|path| is_other(&path))
}

/// The names behind each place where the path stands by itself.
fn members_behind<'t>(text: &'t str, path: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(path).filter_map(move |(start, _)| {
        let before = text[..start].chars().next_back();
        let is_inside = before
            .is_some_and(|letter| is_identifier_part(letter) || letter == '.' || letter == '/');
        let rest = text[start + path.len()..].strip_prefix('.')?;
        let end = rest.find(|letter| !is_identifier_part(letter)).unwrap_or(rest.len());
        (!is_inside && end > 0).then_some(&rest[..end])
    })
}

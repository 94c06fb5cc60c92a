//! What a file is, by its name.

use crate::project::is_python;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Prose with code markup.
    Text,
    /// Settings: paths are sure, plain words are not.
    Settings,
    Python,
    /// Changelogs and release notes.
    History,
}

/// Larger files are data.
const MAX_SIZE: usize = 1024 * 1024;

/// None for what is not looked at: other languages, data, lock files.
pub(super) fn kind(path: &str, text: &str) -> Option<Kind> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if is_python(path) {
        return Some(Kind::Python);
    }
    if text.len() > MAX_SIZE || is_lock(&name) {
        return None;
    }
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let kind = match ending {
        "rst" | "md" | "txt" | "markdown" | "adoc" => Kind::Text,
        "toml" | "cfg" | "ini" | "json" | "yml" | "yaml" | "in" | "conf" | "sh" => Kind::Settings,
        "" => match stem {
            "makefile" | "dockerfile" | "codeowners" | "justfile" | "procfile" => Kind::Settings,
            "readme" | "contributing" | "authors" | "todo" | "install" | "hacking" => Kind::Text,
            _ if is_changelog(path) => Kind::History,
            _ => return None,
        },
        // `.flake8`, `.coveragerc`.
        _ if stem.is_empty() => Kind::Settings,
        _ => return None,
    };
    Some(if is_changelog(path) { Kind::History } else { kind })
}

fn is_lock(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending == "lock")
        || name.ends_with("-lock.json")
        || name.ends_with("-lock.yaml")
        || name.ends_with(".min.json")
}

/// Does it tell what was? (`CHANGES.rst`, `HISTORY.md`, `NEWS`, `changelogs/`, `docs/releases/`, `whatsnew/`)
pub fn is_changelog(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let mut folders: Vec<&str> = path.split('/').collect();
    let file = folders.pop().unwrap_or_default();
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    !is_python(&path) && (is_history(stem) || folders.into_iter().any(is_history))
}

fn is_history(name: &str) -> bool {
    let name = name.replace(['-', ' '], "_");
    let whole = ["changes", "news", "releases", "whatsnew", "release_notes", "newsfragments"];
    let beginnings =
        ["changelog", "changes_", "change_log", "history", "whats_new", "whatsnew_", "news_"];
    whole.contains(&name.as_str()) || beginnings.iter().any(|start| name.starts_with(start))
}

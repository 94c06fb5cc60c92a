//! Paths of the repository as texts: `/` between the parts, nothing for the root.

/// The folder, those around it, and the root.
pub(super) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |inner| match inner.rsplit_once('/') {
        Some((outer, _)) => Some(outer),
        None if inner.is_empty() => None,
        None => Some(""),
    })
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What remains of `path` below `dir`; empty for the folder itself.
pub(super) fn below<'a>(path: &'a str, dir: &str) -> Option<&'a str> {
    if dir.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(dir)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

/// `inner` as seen from `folder`, with `.` and `..` worked out; `None` where it leads out of the repository.
pub(super) fn join(folder: &str, inner: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in inner.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A source file's name without its extension, and the extension: `a.test` and `tsx`. None for declarations.
pub(super) fn source_stem(name: &str) -> Option<(&str, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_source =
        matches!(extension, "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts");
    let is_declaration = stem.rsplit_once('.').is_some_and(|(_, end)| end == "d");
    (is_source && !is_declaration).then_some((stem, extension))
}

#[cfg(test)]
mod tests {
    use super::{ancestors, below, join};

    #[test]
    fn ru1_paths_of_the_repository() {
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(ancestors("").collect::<Vec<_>>(), [""]);
        assert_eq!(
            [below("a/b", "a"), below("a", "a"), below("ab", "a"), below("a", "")],
            [Some("b"), Some(""), None, Some("a")]
        );
        assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join("a", "../..").as_deref(), None);
    }
}

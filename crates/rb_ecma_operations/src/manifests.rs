//! Paths in `package.json`, `tsconfig.json` and `jsconfig.json` that name a file or a folder.

use rb_core::Edit;
use rb_operations::Files;

use crate::edits::{FileEdits, number};

/// Edits for what names an old path; folders also as the beginning of a path.
pub(crate) fn follow(
    files: &dyn Files,
    moves: &[(String, String)],
    is_folder: bool,
    edits: &mut FileEdits,
) {
    for path in files.paths().iter().filter(|it| is_manifest(it)) {
        let Some(text) = files.text(path) else { continue };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (start, value) in quoted(&text) {
            for (old, new) in moves {
                if let Some(written) = replaced(folder, value, old, new, is_folder) {
                    edits.add(
                        path,
                        Edit::replace(number(start), number(start + value.len()), written),
                    );
                    break;
                }
            }
        }
    }
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_config = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    let is_json = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "json");
    !path.contains("node_modules/") && (name == "package.json" || (is_config && is_json))
}

/// Texts in double quotes and where they begin.
fn quoted(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('"') {
        let start = at + open + 1;
        let Some(length) = text[start..].find(['"', '\n']) else { break };
        if text[start + length..].starts_with('"') {
            found.push((start, &text[start..start + length]));
        }
        at = start + length + 1;
    }
    found
}

/// What is written instead of a path.
fn replaced(folder: &str, value: &str, old: &str, new: &str, is_folder: bool) -> Option<String> {
    let (dot, plain) = match value.strip_prefix("./") {
        Some(rest) => ("./", rest),
        None => ("", value),
    };
    let below = |path: &str| {
        if folder.is_empty() {
            Some(path.to_owned())
        } else {
            path.strip_prefix(&format!("{folder}/")).map(str::to_owned)
        }
    };
    let (old, new) = (below(old)?, below(new)?);
    if plain == old {
        return Some(format!("{dot}{new}"));
    }
    if is_folder {
        let rest = plain.strip_prefix(&format!("{old}/"))?;
        return Some(format!("{dot}{new}/{rest}"));
    }
    // `"main": "./lib/a"` names `lib/a.js`.
    let stem = |path: &str| path.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let is_stem = plain.contains('/') && Some(plain) == stem(&old).as_deref();
    is_stem.then(|| stem(&new).map(|new| format!("{dot}{new}"))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st2_paths_in_manifests() {
        let one = |value: &str| replaced("p", value, "p/src/a.ts", "p/src/b.ts", false);
        assert_eq!(one("./src/a.ts").as_deref(), Some("./src/b.ts"));
        assert_eq!(one("src/a").as_deref(), Some("src/b"));
        assert_eq!(one("src/a.tsx"), None);
        assert_eq!(one("a"), None);
        let all = |value: &str| replaced("", value, "src/x", "lib/y", true);
        assert_eq!(all("src/x/**/*").as_deref(), Some("lib/y/**/*"));
        assert_eq!(all("src/xy"), None);
        assert_eq!(quoted("{\"a\": \"b\"}"), [(2, "a"), (7, "b")]);
    }
}

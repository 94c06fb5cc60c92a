//! From a file of a package back to the specifiers that its manifest allows for it.
//!
//! What is found here is a guess: whoever uses it resolves it forward and looks where it leads.

use serde_json::Value;

/// Maps nest two or three deep.
const MAX_DEPTH: u32 = 8;

/// Folders that say: this is no business of yours.
const PRIVATE: &[&str] =
    &["internal", "private", "src", "cjs", "node_modules", "umd", "test", "tests"];
/// Folders that are there for tools to choose from, not for people.
const PLUMBING: &[&str] = &["dist", "build", "esm", "es", "lib", "module", "modules"];

/// Subpaths that may lead to `file`, a path within the package.
pub(super) fn subpaths(manifest: &Value, file: &str) -> Vec<String> {
    let mut found: Vec<String> = match manifest.get("exports") {
        None | Some(Value::Null) => physical(file),
        Some(Value::Object(exports)) => exports
            .iter()
            .filter(|(key, _)| key.starts_with("./"))
            .flat_map(|(key, value)| {
                let mut targets = Vec::new();
                collect(value, 0, &mut targets);
                targets.into_iter().filter_map(|target| turned(key, target, file))
            })
            .collect(),
        Some(_) => Vec::new(),
    };
    found.retain(|it| !it.is_empty() && it.split('/').all(is_open));
    found.sort_unstable();
    found.dedup();
    found
}

/// Does the path go through folders that are not meant to be written by hand?
pub(super) fn is_plumbing(subpath: &str) -> bool {
    subpath.split('/').any(|part| PLUMBING.contains(&part))
}

fn is_open(part: &str) -> bool {
    !part.is_empty() && !part.starts_with(['_', '.']) && !PRIVATE.contains(&part)
}

/// Without a map every file can be had, and every folder that has an index or a manifest of its own.
fn physical(file: &str) -> Vec<String> {
    let bare = file.rsplit_once('.').map_or(file, |(bare, _)| bare);
    let folder = bare.strip_suffix("/index").unwrap_or(bare);
    let last = folder.rsplit('/').next().unwrap_or(folder);
    vec![file.to_owned(), bare.to_owned(), folder.to_owned(), last.to_owned()]
}

fn collect<'v>(value: &'v Value, depth: u32, found: &mut Vec<&'v str>) {
    match value {
        _ if depth > MAX_DEPTH => {}
        Value::String(target) => found.push(target),
        Value::Array(items) => items.iter().for_each(|it| collect(it, depth + 1, found)),
        Value::Object(parts) => parts.values().for_each(|it| collect(it, depth + 1, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `./icons/*` by `./dist/icons/*.mjs` and `dist/icons/house.mjs` gives `icons/house`.
fn turned(key: &str, target: &str, file: &str) -> Option<String> {
    let (key, target) = (key.strip_prefix("./")?, target.strip_prefix("./")?);
    let Some((before, after)) = target.split_once('*') else {
        return (target == file && !key.contains('*')).then(|| key.to_owned());
    };
    let star = file.strip_prefix(before)?.strip_suffix(after)?;
    let is_one = !star.is_empty() && !after.contains('*') && key.matches('*').count() == 1;
    is_one.then(|| key.replace('*', star))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{is_plumbing, subpaths};

    #[test]
    fn ru1_bundle_barrel_imports_turns_the_map_of_a_package_round() {
        let manifest = json!({"exports": {
            ".": {"import": "./dist/index.mjs", "require": "./dist/index.js"},
            "./icons/*": {"types": "./icon.d.ts", "default": "./dist/icons/*.mjs"},
            "./dist/*": "./dist/*",
            "./Menu": {"import": {"default": "./Menu/index.mjs"}, "require": "./Menu/index.js"},
            "./internal/*": "./dist/icons/*.mjs",
            "./gone/*": null,
        }});
        assert_eq!(
            subpaths(&manifest, "dist/icons/house.mjs"),
            ["dist/icons/house.mjs", "icons/house"]
        );
        assert_eq!(subpaths(&manifest, "Menu/index.mjs"), ["Menu"]);
        assert!(subpaths(&manifest, "Card/index.mjs").is_empty());
        assert!(subpaths(&json!({"exports": "./index.js"}), "a.js").is_empty());
        assert_eq!(
            subpaths(&json!({}), "esm/Button/index.js"),
            ["Button", "esm/Button", "esm/Button/index", "esm/Button/index.js"]
        );
        assert!(is_plumbing("dist/icons/house.mjs") && !is_plumbing("icons/house"));
    }
}

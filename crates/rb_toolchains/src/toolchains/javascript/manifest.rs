//! What a `package.json` says, as far as commands hang on it, and the versions of what is installed.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::tree::{Tree, join, upward};

#[derive(Debug, Clone, Default)]
pub(super) struct Manifest {
    pub(super) folder: String,
    pub(super) name: Option<String>,
    pub(super) scripts: BTreeMap<String, String>,
    /// Of all kinds, with the range that is asked for.
    pub(super) dependencies: BTreeMap<String, String>,
    /// Globs of the folders of members.
    pub(super) workspaces: Vec<String>,
    /// `packageManager`: `pnpm@9.6.0`.
    pub(super) manager: Option<String>,
    /// Keys at the top, for settings of runners and tools: `jest`, `mocha`, `eslintConfig`.
    pub(super) settings: BTreeMap<String, Value>,
}

impl Manifest {
    pub(super) fn read(tree: &Tree<'_>, folder: &str) -> Option<Self> {
        let Value::Object(object) = tree.json(&join(folder, "package.json"))? else { return None };
        let mut manifest = Manifest { folder: folder.to_owned(), ..Manifest::default() };
        for (key, value) in object {
            match key.as_str() {
                "name" => manifest.name = value.as_str().map(str::to_owned),
                "scripts" => manifest.scripts = texts(&value),
                "dependencies"
                | "devDependencies"
                | "optionalDependencies"
                | "peerDependencies" => {
                    manifest.dependencies.extend(texts(&value));
                }
                "workspaces" => manifest.workspaces = globs(&value),
                "packageManager" => manifest.manager = value.as_str().map(str::to_owned),
                _ => {
                    manifest.settings.insert(key, value);
                }
            }
        }
        Some(manifest)
    }

    pub(super) fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains_key(name)
    }
}

fn texts(value: &Value) -> BTreeMap<String, String> {
    let pairs = value.as_object().into_iter().flatten();
    pairs.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

/// `["packages/*"]`, or `{"packages": ["packages/*"]}` as yarn also has it.
pub(super) fn globs(value: &Value) -> Vec<String> {
    let list = value.as_array().or_else(|| value.get("packages")?.as_array());
    list.into_iter().flatten().filter_map(|glob| glob.as_str().map(str::to_owned)).collect()
}

/// Major and minor version of a package: as installed, as locked, or the least that the range allows.
pub(super) fn version(tree: &Tree<'_>, manifest: &Manifest, name: &str) -> Option<(u32, u32)> {
    installed(tree, manifest, name)
        .or_else(|| locked(tree, manifest, name))
        .or_else(|| numbers(manifest.dependencies.get(name)?))
}

fn installed(tree: &Tree<'_>, manifest: &Manifest, name: &str) -> Option<(u32, u32)> {
    upward(&manifest.folder).find_map(|folder| {
        let text = tree.installed(&join(folder, &format!("node_modules/{name}/package.json")))?;
        let value: Value = serde_json::from_str(&text).ok()?;
        numbers(value.get("version")?.as_str()?)
    })
}

fn locked(tree: &Tree<'_>, manifest: &Manifest, name: &str) -> Option<(u32, u32)> {
    upward(&manifest.folder).find_map(|folder| {
        let value: Value =
            serde_json::from_str(&tree.read_lock(&join(folder, "package-lock.json"))?).ok()?;
        let packages =
            value.get("packages").and_then(|all| all.get(format!("node_modules/{name}")));
        let entry = packages.or_else(|| value.get("dependencies")?.get(name))?;
        numbers(entry.get("version")?.as_str()?)
    })
}

/// `^9.2.0`, `>=9`, `9.x`, `v20.1`; `latest` and `*` say nothing.
fn numbers(text: &str) -> Option<(u32, u32)> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut parts = digits.split(|c: char| !c.is_ascii_digit());
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

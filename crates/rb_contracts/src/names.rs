//! What the program is called that a file belongs to: by the nearest manifest, so that moving code inside it says nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::sources::{Sources, file_name, folder, upward};

/// From the text of a manifest to the name in it.
type Reader = fn(&str) -> Option<String>;

/// Folders of manifests, and the names that those give.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    by_folder: BTreeMap<String, String>,
}

impl Programs {
    pub(crate) fn of(sources: &Sources<'_>) -> Programs {
        let mut by_folder = BTreeMap::new();
        let readers: [(&'static str, Reader); 4] = [
            ("package.json", of_package_json),
            ("Cargo.toml", |text| of_toml(text, &[&["package", "name"]])),
            ("pyproject.toml", |text| {
                of_toml(text, &[&["project", "name"], &["tool", "poetry", "name"]])
            }),
            ("go.mod", of_go_mod),
        ];
        for (manifest, name) in readers {
            for (_, folder, text) in sources.manifests(manifest) {
                if let Some(name) = name(text) {
                    by_folder.entry(folder.to_owned()).or_insert(name);
                }
            }
        }
        Programs { by_folder }
    }

    /// Empty where no manifest says so.
    pub(crate) fn name(&self, path: &str) -> &str {
        upward(folder(path)).find_map(|folder| self.by_folder.get(folder)).map_or("", |name| name)
    }
}

fn of_package_json(text: &str) -> Option<String> {
    let json: Value = serde_json::from_str(text).ok()?;
    Some(json.get("name")?.as_str()?.to_owned())
}

fn of_toml(text: &str, places: &[&[&str]]) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    places.iter().find_map(|keys| {
        let (first, rest) = keys.split_first()?;
        let value = rest.iter().try_fold(table.get(*first)?, |value, key| value.get(*key))?;
        value.as_str().map(str::to_owned)
    })
}

/// The module path of a `go.mod`, without the version at its end.
pub(crate) fn go_module(text: &str) -> Option<&str> {
    let line = text.lines().map(str::trim).find_map(|line| line.strip_prefix("module "))?;
    Some(line.split("//").next()?.trim().trim_matches('"'))
}

fn of_go_mod(text: &str) -> Option<String> {
    let module = go_module(text)?;
    let last = file_name(module);
    let is_version =
        last.strip_prefix('v').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    let name = if is_version { file_name(folder(module)) } else { last };
    Some(name.to_owned())
}

//! `imports` of a `deno.json`, or of the import map that it names: names for files and for what is fetched.
//!
//! Scopes of an import map are not read.

use rustc_hash::FxHashMap;

use super::files::{ancestors, file_name, join, parent};
use super::json::Json;
use super::patterns::Patterns;
use crate::tree::Tree;

#[derive(Debug, Default)]
pub(super) struct ImportMaps {
    by_folder: FxHashMap<String, ImportMap>,
}

#[derive(Debug)]
struct ImportMap {
    /// What its relative targets start from.
    base: String,
    entries: Patterns<Box<str>>,
}

pub(super) enum Mapped {
    /// A path of the repository.
    Path(String),
    Other(String),
}

impl ImportMaps {
    pub(super) fn new(tree: &Tree) -> Self {
        let named = |names: &'static [&str]| {
            let files =
                tree.files.iter().filter(move |file| names.contains(&file_name(&file.path)));
            files.filter_map(|file| Some((&*file.path, Json::parse(file.manifest.as_deref()?)?)))
        };
        let maps: FxHashMap<&str, Json> = named(&["import_map.json"]).collect();
        let mut by_folder = FxHashMap::default();
        for (path, json) in named(&["deno.json", "deno.jsonc"]) {
            let folder = parent(path);
            let other =
                json.get("importMap").and_then(Json::text).and_then(|text| join(folder, text));
            let (base, json) = match other.as_deref().and_then(|path| maps.get_key_value(path)) {
                Some((path, map)) => (parent(path), map),
                None => (folder, &json),
            };
            let entries = json.get("imports").map(Json::entries).unwrap_or_default().iter();
            let entries = Patterns::of_exports(
                entries.filter_map(|(key, target)| Some((key.clone(), target.text()?.into()))),
            );
            if !entries.is_empty() {
                by_folder.insert(folder.to_owned(), ImportMap { base: base.to_owned(), entries });
            }
        }
        ImportMaps { by_folder }
    }

    /// By the nearest map that knows the name.
    pub(super) fn get(&self, folder: &str, specifier: &str) -> Option<Mapped> {
        if self.by_folder.is_empty() {
            return None;
        }
        ancestors(folder).find_map(|folder| {
            let map = self.by_folder.get(folder)?;
            let (target, rest) = map.entries.get(specifier)?;
            let target = format!("{target}{}", rest.unwrap_or_default());
            if target.starts_with('.') {
                join(&map.base, &target).map(Mapped::Path)
            } else {
                Some(Mapped::Other(target))
            }
        })
    }
}

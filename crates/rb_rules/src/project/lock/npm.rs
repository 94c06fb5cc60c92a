//! `package-lock.json`, versions 1 to 3. Keys are folders: `apps/web/node_modules/react`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Ask, Table, folders};

#[derive(Deserialize, Default)]
#[serde(default)]
struct File {
    /// From version 2 on.
    packages: BTreeMap<String, Entry>,
    /// Up to version 2; nested ones are what packages have for themselves.
    dependencies: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    version: Option<Box<str>>,
}

pub(super) fn read(text: &str) -> Table {
    let file: File = serde_json::from_str(text).unwrap_or_default();
    let old = file.dependencies.into_iter().map(|(name, it)| (format!("node_modules/{name}"), it));
    old.chain(file.packages).filter_map(|(key, entry)| Some((key, entry.version?))).collect()
}

pub(super) fn find<'t>(table: &'t Table, inner: &str, ask: &Ask<'_>) -> Option<&'t str> {
    folders(inner).find_map(|folder| {
        let slash = if folder.is_empty() { "" } else { "/" };
        let key = format!("{folder}{slash}node_modules/{}", ask.name);
        table.get(&key).map(|version| &**version)
    })
}

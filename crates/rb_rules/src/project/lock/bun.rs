//! `bun.lock`, the lock file of bun that is text. Keys are names, with the package around them where it has its own.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::json::{Json, strict};
use super::{Ask, Table};

#[derive(Deserialize, Default)]
struct File {
    /// Each a list that begins with `name@version`.
    #[serde(default)]
    packages: BTreeMap<String, Json>,
}

pub(super) fn read(text: &str) -> Table {
    let file: File = serde_json::from_str(&strict(text)).unwrap_or_default();
    let entry = |(key, value): (String, Json)| {
        let (_, version) = value.list().first()?.text()?.rsplit_once('@')?;
        Some((key, version.into()))
    };
    file.packages.into_iter().filter_map(entry).collect()
}

pub(super) fn find<'t>(table: &'t Table, ask: &Ask<'_>) -> Option<&'t str> {
    let own = ask.from.and_then(|from| table.get(&format!("{from}/{}", ask.name)));
    own.or_else(|| table.get(ask.name)).map(|version| &**version)
}

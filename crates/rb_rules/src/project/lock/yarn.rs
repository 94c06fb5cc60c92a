//! `yarn.lock`, of version 1 and of the later ones. Keys are what was asked for: `react@^18.2.0`.

use super::super::lines::{lines, unquoted};
use super::{Ask, Table, only};

pub(super) fn read(text: &str) -> Table {
    let mut table = Table::new();
    let mut asked = "";
    for line in lines(text) {
        if line.indent == 0 {
            asked = line.key;
        } else if line.indent == 2
            && let Some(version) = version(line.key, line.value)
        {
            let keys = asked.split(',').map(|key| plain(unquoted(key.trim())));
            table.extend(keys.map(|key| (key, version.into())));
        }
    }
    table
}

/// `version "1.2.3"` in the old format, `version: 1.2.3` in the new one.
fn version<'a>(key: &'a str, value: &'a str) -> Option<&'a str> {
    if key == "version" { Some(value) } else { key.strip_prefix("version ").map(unquoted) }
}

/// Without the protocol that the later versions add to what comes from the registry.
fn plain(key: &str) -> String {
    key.replacen("@npm:", "@", 1)
}

pub(super) fn find<'t>(table: &'t Table, ask: &Ask<'_>) -> Option<&'t str> {
    let asked = ask.range.and_then(|range| table.get(&plain(&format!("{}@{range}", ask.name))));
    asked.map(|version| &**version).or_else(|| only(table, &format!("{}@", ask.name)))
}

//! What a `package.json` offers: the entries that others may import, before it is known which files they are.

use std::collections::BTreeMap;

use serde_json::Value;

pub(super) struct Manifest {
    pub(super) name: Option<String>,
    pub(super) is_private: bool,
    /// `.` and `./sub`, with the files that they name; a star stands for any text.
    pub(super) entries: BTreeMap<String, Vec<String>>,
    pub(super) has_exports: bool,
}

/// Conditions nest a handful deep; what is deeper is not looked at.
const MAX_DEPTH: usize = 8;

pub(super) fn read(text: &str) -> Option<Manifest> {
    let json: Value = serde_json::from_str(text).ok()?;
    let exports = json.get("exports");
    let mut entries = BTreeMap::new();
    match exports {
        Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
            for (key, target) in map.iter().filter(|(_, target)| !target.is_null()) {
                entries.insert(key.clone(), targets(target));
            }
        }
        Some(target) => {
            entries.insert(".".to_owned(), targets(target));
        }
        None => {
            let named = ["types", "typings", "module", "main"]
                .iter()
                .filter_map(|field| json.get(*field)?.as_str().map(str::to_owned));
            entries.insert(".".to_owned(), named.collect());
        }
    }
    entries.retain(|key, _| !matches!(key.rsplit('.').next(), Some("json" | "css")));
    Some(Manifest {
        name: json.get("name").and_then(Value::as_str).map(str::to_owned),
        is_private: json.get("private").and_then(Value::as_bool).unwrap_or(false),
        entries,
        has_exports: exports.is_some(),
    })
}

/// Every file that a target names, under whatever condition.
fn targets(target: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut left = vec![(target, 0)];
    while let Some((value, depth)) = left.pop() {
        match value {
            Value::String(text) => out.push(text.clone()),
            Value::Array(items) if depth < MAX_DEPTH => {
                left.extend(items.iter().map(|item| (item, depth + 1)));
            }
            Value::Object(map) if depth < MAX_DEPTH => {
                left.extend(map.values().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    out.sort();
    out.dedup();
    out
}

//! The names of programs that an install puts on the path: `bin` of npm, scripts of Python, binaries of Cargo.

use serde_json::Value;
use toml::Table;

use crate::model::Flag;
use crate::sources::{Sources, below, join, stem};

pub(super) fn read(sources: &Sources<'_>) -> Vec<Flag> {
    let mut out = Vec::new();
    for (id, _, text) in sources.manifests("package.json") {
        out.extend(npm(text).into_iter().map(|name| program(name, sources.path(id))));
    }
    for (id, _, text) in sources.manifests("pyproject.toml") {
        out.extend(python(text).into_iter().map(|name| program(name, sources.path(id))));
    }
    for (id, folder, text) in sources.manifests("Cargo.toml") {
        out.extend(
            cargo(sources, folder, text).into_iter().map(|name| program(name, sources.path(id))),
        );
    }
    out
}

fn program(name: String, file: &str) -> Flag {
    Flag {
        name,
        file: file.to_owned(),
        line: 1,
        program: String::new(),
        short: None,
        value: false,
        required: false,
        default: None,
    }
}

fn npm(text: &str) -> Vec<String> {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    match json.get("bin") {
        Some(Value::Object(map)) => map.keys().cloned().collect(),
        Some(Value::String(_)) => {
            let name = json.get("name").and_then(Value::as_str);
            name.and_then(|name| name.rsplit('/').next()).map(str::to_owned).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn python(text: &str) -> Vec<String> {
    let table: Table = text.parse().unwrap_or_default();
    let project = table.get("project").and_then(|it| it.get("scripts"));
    let poetry = table.get("tool").and_then(|it| it.get("poetry")).and_then(|it| it.get("scripts"));
    let tables = [project, poetry].into_iter().flatten().filter_map(toml::Value::as_table);
    tables.flat_map(|scripts| scripts.keys().cloned()).collect()
}

fn cargo(sources: &Sources<'_>, folder: &str, text: &str) -> Vec<String> {
    let table: Table = text.parse().unwrap_or_default();
    let Some(package) =
        table.get("package").and_then(|it| it.get("name")).and_then(toml::Value::as_str)
    else {
        return Vec::new();
    };
    let listed = table.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let listed: Vec<&Table> = listed.filter_map(toml::Value::as_table).collect();
    let text =
        |bin: &Table, key: &str| bin.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let mut out: Vec<String> = listed.iter().filter_map(|bin| text(bin, "name")).collect();
    let paths: Vec<String> = listed.iter().filter_map(|bin| text(bin, "path")).collect();
    let has = |path: &str| sources.view.tree.find(&join(folder, path)).is_some();
    let is_taken = |path: &str| paths.iter().any(|other| other == path);
    if has("src/main.rs") && !is_taken("src/main.rs") {
        out.push(package.to_owned());
    }
    let bins = join(folder, "src/bin");
    let files = sources.files().filter_map(|(_, path, _)| below(path, &bins));
    out.extend(
        files
            .filter(|path| !path.contains('/') && path.rsplit('.').next() == Some("rs"))
            .filter(|path| !is_taken(&format!("src/bin/{path}")))
            .map(|path| stem(path).to_owned()),
    );
    out.sort();
    out.dedup();
    out
}

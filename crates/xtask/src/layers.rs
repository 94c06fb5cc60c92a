//! The layers in `docs/ARCHITECTURE.md` are those of the manifests.

use std::collections::BTreeMap;
use std::fs;

use crate::shell::root;

/// The layer of each crate, by the table; crates for developers have none.
fn layers() -> BTreeMap<String, Option<u32>> {
    let text = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let mut layers = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, layer, names, ..] = cells[..] else { continue };
        if layer == "dev" || layer.parse::<u32>().is_ok() {
            let names = names.split(", ").map(|name| name.trim_matches('`').to_owned());
            layers.extend(names.map(|name| (name, layer.parse().ok())));
        }
    }
    layers
}

/// What a crate is built with, but for its tests.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = root().join("crates").join(name).join("Cargo.toml");
    let text = fs::read_to_string(manifest).unwrap();
    let lines = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next()).map(str::to_owned).collect()
}

#[test]
fn every_crate_uses_only_those_of_lower_layers() {
    let layers = layers();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(layer) = layers.get(&name) else {
            wrong.push(format!("{name} is not in the table"));
            continue;
        };
        let others = dependencies(&name).into_iter().filter_map(|other| {
            let theirs = layers.get(&other)?.as_ref()?;
            (layer.is_some_and(|layer| *theirs >= layer)).then_some(other)
        });
        wrong.extend(others.map(|other| format!("{name} uses {other}, which is not below it")));
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(layers.len() > 20, "{layers:?}");
}

//! What the package around a file says: which kind of module it is, what runs its tests, how old its Node may be.

use std::sync::Arc;

use rb_rules::World;

/// The file of this name in the nearest folder that has one, from the folder of `path` upward.
pub(super) fn nearest(world: &dyn World, path: &str, name: &str) -> Option<Arc<str>> {
    let mut folder = path;
    loop {
        folder = folder.rsplit_once('/').map_or("", |it| it.0);
        let file = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        if let Some(text) = world.text(&file) {
            return Some(text);
        }
        if folder.is_empty() {
            return None;
        }
    }
}

/// Without white space, so that a key and its value can be looked for.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

fn manifest(world: &dyn World, path: &str) -> String {
    nearest(world, path, "package.json").map(|it| squeezed(&it)).unwrap_or_default()
}

pub(super) fn is_module(world: &dyn World, path: &str) -> bool {
    manifest(world, path).contains("\"type\":\"module\"")
}

/// Does Node itself resolve the imports of a test, so that Jest cannot put anything in their place?
pub(super) fn is_native_esm(world: &dyn World, path: &str) -> bool {
    const TRANSFORMS: &[&str] =
        &["ts-jest", "@swc/jest", "esbuild-jest", "babel-jest", "@babel/preset-env", "\"babel\":"];
    const BABEL: &[&str] = &[
        "babel.config.js",
        "babel.config.cjs",
        "babel.config.mjs",
        "babel.config.json",
        ".babelrc",
        ".babelrc.js",
        ".babelrc.json",
    ];
    let manifest = manifest(world, path);
    let is_script = path.rsplit_once('.').is_some_and(|it| it.1 == "mjs");
    if !(manifest.contains("\"type\":\"module\"") || is_script) {
        return false;
    }
    manifest.contains("experimental-vm-modules")
        || !(TRANSFORMS.iter().any(|it| manifest.contains(it))
            || BABEL.iter().any(|it| nearest(world, path, it).is_some()))
}

/// May it run on a Node that only warns of a rejection nobody handles?
pub(super) fn may_be_before_node_15(world: &dyn World, path: &str) -> bool {
    let manifest = manifest(world, path);
    let Some(at) = manifest.find("\"engines\":{") else { return false };
    let engines = manifest[at..].split('}').next().unwrap_or_default();
    let Some(node) = engines.split("\"node\":\"").nth(1).and_then(|it| it.split('"').next()) else {
        return false;
    };
    let oldest = node.split("||").filter_map(|range| {
        let digits: String = range
            .chars()
            .skip_while(|it| !it.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<u32>().ok()
    });
    node == "*" || oldest.min().is_some_and(|it| it < 15)
}

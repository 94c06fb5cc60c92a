//! Where the code that a browser loads begins.
//!
//! A page of Next.js with the layouts around it, or with `_app`; a file that mounts an application; else the index of a
//! package that others import. Routes that a framework finds by other means than these are not among them.

use std::collections::BTreeMap;

use super::paths::parent;
use crate::facts::{Facts, FileKind, Route};
use crate::world::World;

/// What is loaded together at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file that gives it its name.
    pub path: String,
    /// The other files that come with it: layouts and their like.
    pub with: Vec<String>,
    pub start: Start,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Only what lies behind `'use client'` is loaded.
    Server,
    Browser,
}

/// Sorted by path.
pub fn entries(world: &dyn World) -> Vec<Entry> {
    let files: Vec<Facts> = world.paths().iter().filter_map(|path| world.facts(path)).collect();
    let shipped = || files.iter().filter(|it| it.kind == FileKind::Source);
    let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for facts in shipped().filter(|it| stands_around(it)) {
        around.entry(parent(&facts.path)).or_default().push(&facts.path);
    }
    let mut found: Vec<Entry> = shipped().filter_map(|it| of_application(it, &around)).collect();
    if found.is_empty() {
        found = libraries(world, &files);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The folder of the router that a file lies in.
fn router<'f>(facts: &'f Facts, name: &str) -> Option<&'f str> {
    let dir = &*facts.package.dir;
    let skipped = if dir.is_empty() { 0 } else { dir.len() + 1 };
    let inner = facts.path.get(skipped..)?;
    let src = if inner.starts_with("src/") { "src/".len() } else { 0 };
    inner[src..]
        .strip_prefix(name)?
        .starts_with('/')
        .then(|| &facts.path[..skipped + src + name.len()])
}

fn stands_around(facts: &Facts) -> bool {
    match facts.route {
        Some(Route::Layout | Route::Template | Route::Loading | Route::Error | Route::NotFound) => {
            router(facts, "app").is_some()
        }
        Some(Route::App) => true,
        _ => false,
    }
}

fn of_application(facts: &Facts, around: &BTreeMap<&str, Vec<&str>>) -> Option<Entry> {
    let path = facts.path.to_string();
    let at = |folder: &str| {
        let files = around.get(folder).into_iter().flatten();
        files.map(|it| (*it).to_owned()).collect::<Vec<String>>()
    };
    match facts.route {
        Some(Route::Page) => {
            if let Some(root) = router(facts, "app").filter(|_| facts.package.app_router) {
                let mut with = Vec::new();
                let mut folder = parent(&path);
                while folder.len() >= root.len() {
                    with.extend(at(folder));
                    folder = parent(folder);
                }
                return Some(Entry { with, path, start: Start::Server });
            }
            let with = router(facts, "pages").map(at).unwrap_or_default();
            Some(Entry { with, path, start: Start::Browser })
        }
        None if facts.is_root => Some(Entry { path, with: Vec::new(), start: Start::Browser }),
        _ => None,
    }
}

/// The index of each package that says what it gives to others.
fn libraries(world: &dyn World, files: &[Facts]) -> Vec<Entry> {
    let mut folders: Vec<&str> = files.iter().map(|it| &*it.package.dir).collect();
    folders.sort_unstable();
    folders.dedup();
    let index = |dir: &str| {
        let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
        let manifest = world.text(&format!("{prefix}package.json"))?;
        let doc: serde_json::Value = serde_json::from_str(&manifest).ok()?;
        ["exports", "module", "main"].iter().find(|key| doc.get(**key).is_some())?;
        let stems = [format!("{prefix}src/index"), format!("{prefix}index")];
        let mut places = stems.iter().flat_map(|stem| {
            ["ts", "tsx", "js", "jsx", "mjs"].into_iter().map(move |end| format!("{stem}.{end}"))
        });
        places.find(|path| world.facts(path).is_some())
    };
    let entry = |path| Entry { path, with: Vec::new(), start: Start::Browser };
    folders.into_iter().filter_map(index).map(entry).collect()
}

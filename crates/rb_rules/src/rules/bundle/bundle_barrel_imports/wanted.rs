//! How much of an index the project needs in any case.
//!
//! Where most of the modules behind it are used somewhere, the application loads them with or without the index, and nothing
//! is won by going around it.

use std::collections::{BTreeMap, BTreeSet};

use rb_ecma::{Imported, Module};

use super::project::ProjectBarrel;
use super::table::{Files, follow};
use crate::facts::FileKind;
use crate::world::{Target, World};

/// No index of a project gives on more.
const MAX_FILES: usize = 2_000;

/// What an index gives on: the modules, and the indexes on the way to them.
#[derive(Default)]
struct Behind {
    indexes: BTreeSet<String>,
    modules: BTreeSet<String>,
}

/// What a file takes from another one.
type Taken = (String, Vec<String>);

/// Is most of what is behind the index used by the code of the project?
pub(super) fn is_wanted(world: &dyn World, barrel: &ProjectBarrel<'_>, index: &str) -> bool {
    const QUESTION: &str = "is most of an index wanted";
    if let Some(known) = world.recall(QUESTION, index, "")
        && let Ok(known) = known.downcast::<bool>()
    {
        return *known;
    }
    let behind = behind(barrel, index);
    let used = behind.modules.iter().filter(|it| is_loaded_by_code(world, &behind, it));
    let mut used: BTreeSet<String> = used.cloned().collect();
    for index in &behind.indexes {
        for name in taken_from(world, &behind, index) {
            let chain = follow(barrel, index, &name).unwrap_or_default();
            used.extend(chain.into_iter().map(|it| it.0).filter(|it| behind.modules.contains(it)));
        }
    }
    let found = used.len() * 2 > behind.modules.len();
    world.remember(QUESTION, index, "", std::sync::Arc::new(found));
    found
}

fn behind(files: &dyn Files, index: &str) -> Behind {
    let mut found = Behind::default();
    let mut open = vec![index.to_owned()];
    while let Some(file) = open.pop() {
        let table = files.table(&file).filter(|it| !it.has_code || file == index);
        let sources = table.as_ref().map(|it| it.sources()).unwrap_or_default();
        if sources.is_empty() || found.indexes.len() + found.modules.len() > MAX_FILES {
            found.modules.insert(file);
        } else if found.indexes.insert(file.clone()) {
            open.extend(sources.into_iter().filter_map(|it| files.resolve(&file, it)));
        }
    }
    found
}

fn is_loaded_by_code(world: &dyn World, behind: &Behind, module: &str) -> bool {
    world.importers(module).iter().any(|it| !behind.indexes.contains(it) && is_source(world, it))
}

fn is_source(world: &dyn World, path: &str) -> bool {
    world.facts(path).is_some_and(|it| it.kind == FileKind::Source)
}

/// The names that code takes from an index.
fn taken_from(world: &dyn World, behind: &Behind, index: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let target = Target::File(index.to_owned());
    for importer in world.importers(index) {
        if behind.indexes.contains(&importer) || !is_source(world, &importer) {
            continue;
        }
        let taken = world.ask("names that a file imports", &importer, "", taken);
        for (source, taken) in taken.unwrap_or_default() {
            if taken.iter().any(|it| !names.contains(it))
                && world.resolve(&importer, &source) == target
            {
                names.extend(taken);
            }
        }
    }
    names
}

fn taken(module: &Module<'_>) -> Vec<Taken> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for it in module.imports().values().filter(|it| !it.is_type) {
        match it.imported {
            Imported::Named(name) => found.entry(it.source).or_default().push(name.to_owned()),
            Imported::Default | Imported::Namespace => {}
        }
    }
    found.into_iter().map(|(source, names)| (source.to_owned(), names)).collect()
}

//! A project as operations see it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rb_operations::Files;
use rb_rules::{Target, World};

/// A larger file was not written by hand.
const MAX_BYTES: u64 = 4 << 20;

/// A project as operations see it. Each file is read once.
pub struct WorldFiles<'w> {
    world: &'w dyn World,
    paths: Vec<String>,
    texts: Mutex<BTreeMap<String, Option<Arc<str>>>>,
}

impl<'w> WorldFiles<'w> {
    pub fn new(world: &'w dyn World) -> Self {
        let mut paths = world.all_paths();
        paths.sort();
        WorldFiles { world, paths, texts: Mutex::default() }
    }

    /// A file of the same folder, or of the nearest one around it: for a file that is not there yet.
    fn neighbour(&self, path: &str) -> Option<&str> {
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        loop {
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let is_beside = |other: &&String| {
                other
                    .strip_prefix(&prefix)
                    .is_some_and(|name| !name.contains('/') && is_python(name))
            };
            if let Some(beside) = self.paths.iter().find(is_beside) {
                return Some(beside);
            }
            if folder.is_empty() {
                return None;
            }
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
    }
}

impl Files for WorldFiles<'_> {
    fn paths(&self) -> Vec<String> {
        self.paths.clone()
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        let lock = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = lock().get(path) {
            return text.clone();
        }
        let is_small = self.world.size(path).is_some_and(|size| size <= MAX_BYTES);
        let text = if is_small { self.world.text(path) } else { None };
        lock().insert(path.to_owned(), text.clone());
        text
    }

    fn resolve(&self, from: &str, module: &str) -> Option<String> {
        let is_there = self.paths.binary_search_by(|path| path.as_str().cmp(from)).is_ok();
        // A module that an operation makes imports as its neighbours do; relative imports only from its own folder.
        let from = if is_there { from } else { self.neighbour(from)? };
        match self.world.resolve(from, module) {
            Target::File(path) => Some(path),
            Target::Package(_) | Target::Builtin | Target::Unknown => None,
        }
    }
}

pub fn is_python(path: &str) -> bool {
    [".py", ".pyi"].iter().any(|ending| path.ends_with(ending))
}

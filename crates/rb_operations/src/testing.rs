//! Projects in memory, for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::files::{Files, candidates, import_root, join, resolve_relative};

/// Files by path.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    pub files: BTreeMap<String, Arc<str>>,
}

impl MemoryFiles {
    /// From one text: a line `//- path` begins each file.
    pub fn new(fixture: &str) -> Self {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        let mut current = None;
        for line in fixture.lines() {
            if let Some(path) = line.trim_start().strip_prefix("//- ") {
                files.entry(path.to_owned()).or_default();
                current = Some(path.to_owned());
            } else if let Some(text) = current.as_ref().and_then(|path| files.get_mut(path)) {
                text.push_str(line);
                text.push('\n');
            }
        }
        MemoryFiles { files: files.into_iter().map(|(path, text)| (path, text.into())).collect() }
    }
}

impl Files for MemoryFiles {
    fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.files.get(path).cloned()
    }

    /// Below the folder around the topmost package of the importing file, then below the root, `src` and `lib`.
    fn resolve(&self, from: &str, module: &str) -> Option<String> {
        let exists = |path: &str| self.files.contains_key(path);
        if module.starts_with('.') {
            return resolve_relative(&exists, from, module);
        }
        let stem = module.replace('.', "/");
        let root = import_root(&exists, from);
        let find =
            |root: &str| candidates(&join(root, &stem)).into_iter().find(|path| exists(path));
        [root.as_str(), "", "src", "lib"].into_iter().find_map(find)
    }
}

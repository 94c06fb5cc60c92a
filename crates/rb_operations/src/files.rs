//! What an operation sees of a project, and the same with changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::outcome::FileChange;
use crate::source_cache::SourceCache;

pub trait Files: Sync {
    /// Every file of the project, documents and configuration too; sorted.
    fn paths(&self) -> Vec<String>;
    /// None for a file that is not there, or is not text.
    fn text(&self, path: &str) -> Option<Arc<str>>;
    /// The file of a Python module, as a file would import it: `a.b`, `.c`, `..`. None for a module that is not of the project.
    fn resolve(&self, from: &str, module: &str) -> Option<String>;
    /// Where parsed files are kept from one plan to the next. Without it, each plan parses what it needs.
    fn sources(&self) -> Option<&SourceCache> {
        None
    }
}

/// Files with changes on top.
pub struct Overlay<'f> {
    below: &'f dyn Files,
    changes: BTreeMap<String, FileChange>,
}

impl<'f> Overlay<'f> {
    pub fn new(below: &'f dyn Files) -> Self {
        Overlay { below, changes: BTreeMap::new() }
    }

    /// With what an operation made.
    pub(crate) fn with(below: &'f dyn Files, changes: &BTreeMap<String, FileChange>) -> Self {
        let mut overlay = Overlay::new(below);
        for (path, change) in changes {
            overlay.put(path, change.clone());
        }
        overlay
    }

    /// Takes in what an operation made, relative to the files as they are in this overlay.
    pub fn put(&mut self, path: &str, change: FileChange) {
        let was_there = self.below.text(path).is_some();
        let change = match change {
            FileChange::Removed if !was_there => {
                self.changes.remove(path);
                return;
            }
            FileChange::Created(text) if was_there => FileChange::Edited(text),
            FileChange::Edited(text) if !was_there => FileChange::Created(text),
            other => other,
        };
        self.changes.insert(path.to_owned(), change);
    }

    /// Relative to the files below.
    pub fn into_changes(self) -> BTreeMap<String, FileChange> {
        self.changes
    }
}

impl Files for Overlay<'_> {
    fn paths(&self) -> Vec<String> {
        let mut paths: BTreeSet<String> = self.below.paths().into_iter().collect();
        for (path, change) in &self.changes {
            match change {
                FileChange::Removed => paths.remove(path),
                FileChange::Created(_) | FileChange::Edited(_) => paths.insert(path.clone()),
            };
        }
        paths.into_iter().collect()
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.changes.get(path) {
            Some(FileChange::Removed) => None,
            Some(FileChange::Created(text) | FileChange::Edited(text)) => Some(Arc::clone(text)),
            None => self.below.text(path),
        }
    }

    fn resolve(&self, from: &str, module: &str) -> Option<String> {
        if module.starts_with('.') {
            return resolve_relative(&|path| self.text(path).is_some(), from, module);
        }
        // What was created hides what is below: `a/b.py` that became `a/b/__init__.py`.
        if let Some(path) = self.resolve_created(from, module) {
            return Some(path);
        }
        let path = self.below.resolve(&self.known_neighbour(from), module)?;
        let is_removed = matches!(self.changes.get(&path), Some(FileChange::Removed));
        (!is_removed).then_some(path)
    }

    fn sources(&self) -> Option<&SourceCache> {
        self.below.sources()
    }
}

impl Overlay<'_> {
    /// A module that an operation created: in a package that the project knows, beside the importing file, or below the root.
    fn resolve_created(&self, from: &str, module: &str) -> Option<String> {
        if !self.changes.values().any(|change| matches!(change, FileChange::Created(_))) {
            return None;
        }
        let folders = match module.rsplit_once('.') {
            Some((parent, _)) => vec![self.package_folder(from, parent)?],
            None => vec![self.import_root(from), String::new(), "src".to_owned(), "lib".to_owned()],
        };
        let name = module.rsplit('.').next().unwrap_or(module);
        let is_created =
            |path: &String| matches!(self.changes.get(path), Some(FileChange::Created(_)));
        folders
            .iter()
            .find_map(|folder| candidates(&join(folder, name)).into_iter().find(is_created))
    }

    /// The folder of a package, or of one without `__init__.py` below it.
    fn package_folder(&self, from: &str, module: &str) -> Option<String> {
        if let Some(package) = self.resolve(from, module) {
            return Some(package.strip_suffix("__init__.py")?.trim_end_matches('/').to_owned());
        }
        let (parent, name) = module.rsplit_once('.')?;
        let folder = join(&self.package_folder(from, parent)?, name);
        let beginning = format!("{folder}/");
        self.paths().iter().any(|path| path.starts_with(&beginning)).then_some(folder)
    }

    /// The project below may not know a file that was created: the nearest `__init__.py` stands for it.
    fn known_neighbour(&self, from: &str) -> String {
        let is_created = matches!(self.changes.get(from), Some(FileChange::Created(_)));
        let folders = from.rmatch_indices('/').map(|(at, _)| &from[..at]);
        let mut packages = folders.map(|folder| join(folder, "__init__.py"));
        let neighbour = is_created.then(|| packages.find(|path| self.below.text(path).is_some()));
        neighbour.flatten().unwrap_or_else(|| from.to_owned())
    }

    /// The folder around the topmost package of a file.
    fn import_root(&self, from: &str) -> String {
        import_root(&|path| self.text(path).is_some(), from)
    }
}

/// The folder around the topmost package that a file is in; its own folder if that is no package.
pub(crate) fn import_root(exists: &dyn Fn(&str) -> bool, path: &str) -> String {
    let mut root = folder_of(path);
    while !root.is_empty() && exists(&join(root, "__init__.py")) {
        root = folder_of(root);
    }
    root.to_owned()
}

/// The file of `.a.b`, `..` or `.`, which the folders alone decide.
pub(crate) fn resolve_relative(
    exists: &dyn Fn(&str) -> bool,
    from: &str,
    module: &str,
) -> Option<String> {
    let rest = module.trim_start_matches('.');
    let mut folder = folder_of(from);
    for _ in 1..module.len() - rest.len() {
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
    if rest.is_empty() {
        let packages = [join(folder, "__init__.py"), join(folder, "__init__.pyi")];
        return packages.into_iter().find(|path| exists(path));
    }
    candidates(&join(folder, &rest.replace('.', "/"))).into_iter().find(|path| exists(path))
}

/// The files that a module may be, best first: a package hides a module of the same name.
pub(crate) fn candidates(stem: &str) -> [String; 4] {
    [
        format!("{stem}/__init__.py"),
        format!("{stem}.py"),
        format!("{stem}/__init__.pyi"),
        format!("{stem}.pyi"),
    ]
}

/// Without the last part; empty for a file in the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryFiles;

    fn check(overlay: &Overlay<'_>, from: &str, module: &str, expected: Option<&str>) {
        assert_eq!(overlay.resolve(from, module).as_deref(), expected, "{module} from {from}");
    }

    #[test]
    fn st2_overlay_resolves_what_was_created_and_not_what_was_removed() {
        let files = MemoryFiles::new("//- a/__init__.py\n//- a/b.py\n//- a/c.py\n//- tests/t.py\n");
        let mut overlay = Overlay::new(&files);
        overlay.put("a/b.py", FileChange::Removed);
        overlay.put("a/d.py", FileChange::Created("".into()));
        overlay.put("a/sub/__init__.py", FileChange::Created("".into()));
        overlay.put("a/sub/e.py", FileChange::Created("".into()));
        overlay.put("tests/helper.py", FileChange::Created("".into()));
        check(&overlay, "tests/t.py", "a.b", None);
        check(&overlay, "tests/t.py", "a.c", Some("a/c.py"));
        check(&overlay, "tests/t.py", "a.d", Some("a/d.py"));
        check(&overlay, "tests/t.py", "a.sub.e", Some("a/sub/e.py"));
        check(&overlay, "tests/t.py", "helper", Some("tests/helper.py"));
        check(&overlay, "a/sub/e.py", "..d", Some("a/d.py"));
        check(&overlay, "a/sub/e.py", "..b", None);
        check(&overlay, "a/sub/e.py", ".", Some("a/sub/__init__.py"));
        check(&overlay, "a/sub/e.py", "a.c", Some("a/c.py"));
        check(&overlay, "t.py", "...x", None);
    }

    #[test]
    fn st2_overlay_removal_of_a_created_file_is_no_change() {
        let files = MemoryFiles::new("//- a.py\nx = 1\n");
        let mut overlay = Overlay::new(&files);
        overlay.put("b.py", FileChange::Created("".into()));
        overlay.put("b.py", FileChange::Removed);
        overlay.put("a.py", FileChange::Removed);
        overlay.put("a.py", FileChange::Created("y = 1\n".into()));
        let changes = overlay.into_changes();
        assert_eq!(changes.len(), 1);
        assert_eq!(changes["a.py"], FileChange::Edited("y = 1\n".into()));
    }
}

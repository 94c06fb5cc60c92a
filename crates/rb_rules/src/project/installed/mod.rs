//! What is installed: the packages of `node_modules`, looked at when they are asked for and then remembered.
//!
//! Links are followed, since pnpm and workspaces are made of them, but only to read, and nothing is read that lies outside the
//! folder of a package. Where nothing is on disk, or packages are kept in archives, nothing is found.

mod exports;
mod package;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use self::package::{Condition, InstalledPackage, SideEffects};
use super::paths::ancestors;

/// Shared by all rules, on as many threads as there are.
#[derive(Debug, Default)]
pub struct Installed {
    root: Option<PathBuf>,
    known: Mutex<BTreeMap<PathBuf, Option<Arc<InstalledPackage>>>>,
}

impl Installed {
    /// `root` is the folder that paths of the repository start from; `None` where there is none on disk.
    pub fn new(root: Option<&Path>) -> Installed {
        Installed { root: root.map(Path::to_owned), known: Mutex::default() }
    }

    /// The package as a file in `from_dir`, a folder of the repository, would get it.
    pub fn find(&self, name: &str, from_dir: &str) -> Option<Arc<InstalledPackage>> {
        let root = self.root.as_ref().filter(|_| is_name(name))?;
        ancestors(from_dir)
            .find_map(|folder| self.at(&root.join(folder).join("node_modules").join(name)))
    }

    /// The package as one that is itself installed would get it.
    pub fn find_from(
        &self,
        name: &str,
        package: &InstalledPackage,
    ) -> Option<Arc<InstalledPackage>> {
        self.root.as_ref().filter(|_| is_name(name))?;
        let mut folders = package.real_dir.ancestors().filter(|it| !it.ends_with("node_modules"));
        folders.find_map(|folder| self.at(&folder.join("node_modules").join(name)))
    }

    /// The file on disk that a specifier leads to.
    pub fn resolve(
        &self,
        specifier: &str,
        from_dir: &str,
        conditions: &[Condition],
    ) -> Option<PathBuf> {
        let (name, subpath) = split_specifier(specifier);
        let package = self.find(name, from_dir).filter(|_| !specifier.ends_with('/'))?;
        package.resolve(subpath, conditions)
    }

    /// The text of a file that belongs to a package which was found here.
    pub fn text(&self, file: &Path) -> Option<String> {
        let owner = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let mut packages = known.values().flatten();
            packages.find(|it| file.starts_with(&it.dir) || file.starts_with(&it.real_dir)).cloned()
        };
        owner?.text(file)
    }

    /// Is there type information for `specifier`, from the package itself or from `@types`?
    pub fn has_types(&self, specifier: &str, from_dir: &str) -> bool {
        let (name, subpath) = split_specifier(specifier);
        if specifier.ends_with('/') {
            return false;
        }
        if self.find(name, from_dir).is_some_and(|package| package.types(subpath).is_some()) {
            return true;
        }
        let types = format!("@types/{}", name.trim_start_matches('@').replace('/', "__"));
        self.find(&types, from_dir).is_some_and(|package| package.types(subpath).is_some())
    }

    fn at(&self, dir: &Path) -> Option<Arc<InstalledPackage>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(package) = known.get(dir) {
            return package.clone();
        }
        let package = InstalledPackage::read(dir).map(Arc::new);
        known.insert(dir.to_owned(), package.clone());
        package
    }
}

/// The name of the package and what follows it: `@a/b` and `c/d.js` of `@a/b/c/d.js`.
pub fn split_specifier(specifier: &str) -> (&str, &str) {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(parts - 1) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, ""),
    }
}

/// Only a name that stays within `node_modules` is looked up.
fn is_name(name: &str) -> bool {
    let parts = name.split('/').count();
    let part = |part: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.~@".contains(c);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(fits)
    };
    name.split('/').all(part) && parts == 1 + usize::from(name.starts_with('@'))
}

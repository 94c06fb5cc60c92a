//! Files by the package or namespace that they say they belong to.

use rb_lang::Language;
use rustc_hash::FxHashMap;

use super::paths;
use crate::tree::{FileId, Tree};

pub(super) struct Packages<'t> {
    packages: FxHashMap<&'t str, Package<'t>>,
}

#[derive(Default)]
struct Package<'t> {
    files: Vec<FileId>,
    by_stem: FxHashMap<&'t str, Vec<FileId>>,
}

impl<'t> Packages<'t> {
    /// Files that name no package are under the empty one.
    pub(super) fn new(tree: &'t Tree, languages: &[Language]) -> Self {
        let mut packages: FxHashMap<&'t str, Package<'t>> = FxHashMap::default();
        for id in tree.ids() {
            let file = tree.get(id);
            if file.language.is_some_and(|language| languages.contains(&language)) {
                let package =
                    packages.entry(file.package.as_deref().unwrap_or_default()).or_default();
                package.files.push(id);
                package.by_stem.entry(paths::stem(&file.path)).or_default().push(id);
            }
        }
        Packages { packages }
    }

    /// All files of a package.
    pub(super) fn files(&self, package: &str) -> &[FileId] {
        self.packages.get(package).map_or(&[], |package| &package.files)
    }

    /// The files of a package that are called `stem`, whatever their extension.
    pub(super) fn named(&self, package: &str, stem: &str) -> &[FileId] {
        let files = self.packages.get(package).and_then(|package| package.by_stem.get(stem));
        files.map_or(&[], Vec::as_slice)
    }
}

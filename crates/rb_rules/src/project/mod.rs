//! Facts of a project that are computed once and asked for by every rule: packages and versions, where code runs, what is
//! installed.
//!
//! They come from the index, the manifests and configs, and `node_modules`. Nothing is run, nothing is fetched, and where
//! something is not known the answer says so. A `Project` is shared between threads.

mod comments;
mod configs;
mod es;
mod files;
mod installed;
mod json;
mod lines;
mod lock;
mod manifest;
mod mocked;
mod mounts;
mod optimized;
mod package;
mod paths;
mod realm;
#[cfg(test)]
mod tests;
mod ts;
mod versions;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rb_index::{FileId, Texts, View};
use rustc_hash::FxHashMap;

pub use self::configs::Formatter;
pub use self::files::{FileFacts, NextFile, Router};
pub use self::installed::{Condition, Installed, InstalledPackage, SideEffects, split_specifier};
pub use self::mocked::Mocked;
pub use self::package::Package;
pub use self::ts::TsFacts;
pub use self::versions::{Resolved, Source};

use self::manifest::Manifests;
use self::package::Sources;
use self::paths::{below, file_name, parent, source_stem};
use self::realm::RealmInput;
use self::versions::Versions;
use crate::facts::{Facts, FileKind, PackageFacts, Route};

#[derive(Debug)]
pub struct Project {
    packages: Vec<Package>,
    /// In the order of `packages`, and one for files that belong to none.
    package_facts: Vec<Arc<PackageFacts>>,
    no_package: Arc<PackageFacts>,
    /// By `FileId`, as places in `packages`.
    package_of: Vec<Option<u32>>,
    /// By `FileId`.
    files: Vec<FileFacts>,
    versions: Versions,
    /// The files that may replace modules for tests.
    may_mock: Vec<String>,
    mocked: OnceLock<Mocked>,
}

impl Project {
    /// `root` is the checkout on disk, for `node_modules`; without it only the index and `texts` are asked.
    pub fn of(view: &View<'_>, root: Option<&Path>, texts: &dyn Texts) -> Project {
        let text_of = |path: &str| text_of(view, texts, path);
        let manifests = Manifests::read(view.tree, &text_of);
        let versions = Versions::new(view, texts, manifests, Installed::new(root));
        let mut packages = packages(view, &versions, &text_of);
        let package_of = package_of(view, &versions.manifests, &packages);
        let mut files = files(view, &packages, &package_of);
        mounts::find(view, &mut files, &mut packages, &package_of);
        mounts::spread_ssr(&mut packages, &versions.manifests);
        let realms = realm::realms(&RealmInput {
            view,
            files: &files,
            packages: &packages,
            package_of: &package_of,
        });
        for (facts, realm) in files.iter_mut().zip(realms) {
            facts.realm = realm;
        }
        let may_mock = may_mock(view, &files);
        Project {
            package_facts: packages.iter().map(|package| Arc::new(package.facts())).collect(),
            no_package: Arc::default(),
            packages,
            package_of,
            files,
            versions,
            may_mock,
            mocked: OnceLock::new(),
        }
    }

    /// What rules are told of a file.
    pub fn facts(&self, view: &View<'_>, id: FileId) -> Facts {
        let FileFacts { kind, directive, place: _, router: _, realm, is_root, has_loading: _ } =
            *self.file(id);
        let package = self.package_of.get(id.0 as usize).copied().flatten();
        let package = package.map_or(&self.no_package, |at| &self.package_facts[at as usize]);
        Facts {
            path: view.tree.get(id).path.clone(),
            kind,
            route: self.file(id).route(),
            directive,
            realm,
            is_root,
            package: Arc::clone(package),
        }
    }

    /// All packages, sorted by folder.
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The package that a file belongs to.
    pub fn package(&self, file: FileId) -> Option<&Package> {
        let at = *self.package_of.get(file.0 as usize)?;
        Some(&self.packages[at? as usize])
    }

    pub fn file(&self, file: FileId) -> &FileFacts {
        &self.files[file.0 as usize]
    }

    pub fn installed(&self) -> &Installed {
        &self.versions.installed
    }

    /// The version of any package, as the files of `package` get it.
    pub fn version_of(&self, package: &Package, name: &str) -> Option<Resolved> {
        self.versions.of(&package.dir, name)
    }

    /// What tests replace. The first call reads the test files from `texts`.
    pub fn mocked(&self, texts: &dyn Texts) -> &Mocked {
        self.mocked.get_or_init(|| Mocked::read(&self.may_mock, texts))
    }
}

/// No config is larger.
const MAX_TEXT: u64 = 2 * 1024 * 1024;

/// The text of a file that is indexed.
fn text_of(view: &View<'_>, texts: &dyn Texts, path: &str) -> Option<String> {
    let id = view.tree.find(path)?;
    if view.file(id).size > MAX_TEXT {
        return None;
    }
    let kept = view.tree.get(id).manifest.as_deref().map(str::to_owned);
    kept.or_else(|| String::from_utf8(texts.text(path)?).ok())
}

fn packages(
    view: &View<'_>,
    versions: &Versions,
    text_of: &dyn Fn(&str) -> Option<String>,
) -> Vec<Package> {
    let folders: BTreeSet<&str> =
        versions.manifests.all.keys().flat_map(|dir| paths::ancestors(dir)).collect();
    let paths = view.tree.files.iter().map(|file| &*file.path);
    let names: BTreeSet<(&str, &str)> = paths
        .map(|path| (parent(path), file_name(path)))
        .filter(|(dir, _)| folders.contains(dir))
        .collect();
    let configs = ts::Configs::new(text_of, &versions.manifests, &versions.installed);
    let sources = Sources { versions, react: &view.react(), configs, names: &names };
    versions.manifests.all.values().map(|manifest| sources.package(manifest)).collect()
}

/// For each file the package of its nearest folder.
fn package_of(view: &View<'_>, manifests: &Manifests, packages: &[Package]) -> Vec<Option<u32>> {
    let places: FxHashMap<&str, u32> =
        packages.iter().map(|package| package.dir.as_str()).zip(0..).collect();
    let mut known: FxHashMap<&str, Option<u32>> = FxHashMap::default();
    let files = view.tree.files.iter();
    files
        .map(|file| {
            let folder = parent(&file.path);
            let find = || manifests.around(folder).and_then(|it| places.get(&*it.dir).copied());
            *known.entry(folder).or_insert_with(find)
        })
        .collect()
}

/// All but the realms, which need the others.
fn files(view: &View<'_>, packages: &[Package], package_of: &[Option<u32>]) -> Vec<FileFacts> {
    let mut files: Vec<FileFacts> = Vec::with_capacity(package_of.len());
    let (mut loading, mut layouts) = (BTreeSet::new(), BTreeSet::new());
    for (id, package) in view.tree.ids().zip(package_of) {
        let path = &*view.tree.get(id).path;
        let package = package.map(|at| &packages[at as usize]);
        let facts = files::facts(view, id, package);
        match facts.route() {
            Some(Route::Loading) => _ = loading.insert(parent(path)),
            Some(Route::Layout) => _ = layouts.insert(parent(path)),
            Some(_) | None => {}
        }
        files.push(facts);
    }
    for ((file, facts), package) in view.tree.files.iter().zip(&mut files).zip(package_of) {
        let Some(package) = package.map(|at| &packages[at as usize]) else { continue };
        let Some(root) =
            package.app_router.as_deref().filter(|_| facts.router == Some(Router::App))
        else {
            continue;
        };
        // A layout stands around what its own folder shows while loading.
        let is_layout =
            matches!(facts.route(), Some(Route::Layout | Route::Template | Route::Error));
        let skipped = usize::from(is_layout);
        let around =
            || paths::ancestors(parent(&file.path)).take_while(|it| below(it, root).is_some());
        facts.has_loading = facts.route() != Some(Route::Loading)
            && around().skip(skipped).any(|folder| loading.contains(folder));
        let is_outermost = !around().skip(1).any(|folder| layouts.contains(folder));
        facts.is_root |= facts.route() == Some(Route::Layout) && is_outermost;
    }
    files
}

fn may_mock(view: &View<'_>, files: &[FileFacts]) -> Vec<String> {
    let is_wanted = |id: FileId| {
        let name = file_name(&view.tree.get(id).path);
        let is_test = files[id.0 as usize].kind == FileKind::Test || name.contains("setup");
        is_test && source_stem(name).is_some() && view.file(id).size <= MAX_TEXT
    };
    let wanted = view.tree.ids().filter(|&id| is_wanted(id));
    wanted.map(|id| view.tree.get(id).path.to_string()).collect()
}

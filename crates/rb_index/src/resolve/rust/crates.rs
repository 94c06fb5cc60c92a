//! The Cargo packages of a tree: their root files, and what their dependencies are called in code.
//!
//! Every package in the tree counts, whether a workspace lists it or not. Features and targets are not looked at: a
//! dependency that is ever there is there.

use rb_lang::Language;
use rustc_hash::FxHashMap;
use toml::{Table, Value};

use super::super::{manifests, paths, toml_at};
use crate::tree::{FileId, Tree};

pub(super) struct Crates<'t> {
    packages: Vec<Package>,
    by_folder: FxHashMap<&'t str, usize>,
    /// All libraries of the tree by the name that code calls them.
    libraries: FxHashMap<Box<str>, FileId>,
    /// Root files with their packages. A tree without manifests has roots without packages.
    roots: FxHashMap<FileId, Option<usize>>,
    /// The root file of the crate whose modules are in a folder: the library before a program before a test.
    root_of: FxHashMap<&'t str, FileId>,
}

/// What code calls it, and its root file.
type Library = (Box<str>, FileId);

#[derive(Default)]
pub(super) struct Package {
    library: Option<Library>,
    /// By the name that code calls them.
    pub(super) dependencies: FxHashMap<Box<str>, Dependency>,
}

pub(super) enum Dependency {
    /// A library of this tree, by its root file.
    Inside(FileId),
    /// A package from elsewhere, by its own name.
    Elsewhere(Box<str>),
}

impl Package {
    pub(super) fn library_called(&self, name: &str) -> Option<FileId> {
        self.library.as_ref().filter(|library| *library.0 == *name).map(|library| library.1)
    }
}

impl<'t> Crates<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let manifests = Manifests::new(tree);
        let mut crates = Crates {
            packages: Vec::new(),
            by_folder: FxHashMap::default(),
            libraries: FxHashMap::default(),
            roots: FxHashMap::default(),
            root_of: FxHashMap::default(),
        };
        for (folder, _) in manifests.packages() {
            crates.by_folder.insert(folder, crates.packages.len());
            crates.packages.push(Package::default());
        }
        crates.add_roots(tree, &manifests);
        for (at, (folder, manifest)) in manifests.packages().enumerate() {
            crates.packages[at].dependencies =
                manifests.dependencies(folder, manifest, |folder| crates.library_in(folder));
        }
        crates
    }

    pub(super) fn is_root(&self, file: FileId) -> bool {
        self.roots.contains_key(&file)
    }

    /// The root file of the crate whose modules are in this very folder.
    pub(super) fn root_of(&self, folder: &str) -> Option<FileId> {
        self.root_of.get(folder).copied()
    }

    /// Any library of the tree.
    pub(super) fn library(&self, name: &str) -> Option<FileId> {
        self.libraries.get(name).copied()
    }

    /// The package that a file in `folder` belongs to, given the root file of its crate.
    pub(super) fn package_of(&self, folder: &str, root: Option<FileId>) -> Option<&Package> {
        let by_root = root.and_then(|root| self.roots.get(&root).copied().flatten());
        let package = by_root.or_else(|| {
            paths::folders_up(folder).find_map(|folder| self.by_folder.get(folder).copied())
        })?;
        Some(&self.packages[package])
    }

    fn library_in(&self, folder: &str) -> Option<&Library> {
        self.packages[*self.by_folder.get(folder)?].library.as_ref()
    }

    fn add_roots(&mut self, tree: &'t Tree, manifests: &Manifests<'t>) {
        let mut roots = Vec::new();
        for (folder, manifest) in manifests.packages() {
            roots.extend(named_roots(tree, folder, manifest));
        }
        for id in tree.ids().filter(|&id| tree.get(id).language == Some(Language::Rust)) {
            roots.extend(usual_root(&tree.get(id).path, id, manifests));
        }
        roots.sort_unstable_by_key(|root| (root.role, root.file));
        for root in roots {
            let package = self.by_folder.get(root.package).copied();
            self.roots.entry(root.file).or_insert(package);
            if root.role < Role::Build {
                let folder = paths::folder(&tree.get(root.file).path);
                self.root_of.entry(folder).or_insert(root.file);
            }
            if let (Role::Library, Some(package)) = (root.role, package) {
                let name = manifests.get(root.package).map(library_name).unwrap_or_default();
                self.libraries.entry(name.clone()).or_insert(root.file);
                self.packages[package].library.get_or_insert((name, root.file));
            }
        }
    }
}

/// Why a file is the root of a crate; the first counts most where several are in a folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Library,
    Program,
    Other,
    Build,
}

struct Root<'a> {
    role: Role,
    file: FileId,
    /// The folder of its package.
    package: &'a str,
}

/// Roots that a manifest gives a path for.
fn named_roots<'a>(tree: &Tree, package: &'a str, manifest: &Table) -> Vec<Root<'a>> {
    let mut roots = Vec::new();
    let mut add = |role, target: Option<&Value>| {
        let path = target.and_then(Value::as_str).and_then(|path| paths::join(package, path));
        let file = path.and_then(|path| tree.find(&path));
        roots.extend(file.map(|file| Root { role, file, package }));
    };
    add(Role::Library, toml_at(manifest, &["lib", "path"]));
    add(Role::Build, toml_at(manifest, &["package", "build"]));
    for (key, role) in [
        ("bin", Role::Program),
        ("test", Role::Other),
        ("example", Role::Other),
        ("bench", Role::Other),
    ] {
        let targets = manifest.get(key).and_then(Value::as_array);
        for target in targets.into_iter().flatten() {
            add(role, target.get("path"));
        }
    }
    roots
}

/// Roots that Cargo finds by their place.
fn usual_root<'t>(path: &'t str, file: FileId, manifests: &Manifests<'t>) -> Option<Root<'t>> {
    let folder = paths::folder(path);
    let name = paths::name(path);
    let auto = |package: &str, key: &str| {
        let value = manifests.get(package).and_then(|manifest| toml_at(manifest, &["package", key]));
        value.and_then(Value::as_bool) != Some(false)
    };
    if paths::name(folder) == "src" {
        let package = paths::folder(folder);
        let elsewhere = manifests
            .get(package)
            .is_some_and(|manifest| toml_at(manifest, &["lib", "path"]).is_some());
        return match name {
            "lib.rs" if !elsewhere => Some(Root { role: Role::Library, file, package }),
            "main.rs" if auto(package, "autobins") => {
                Some(Root { role: Role::Program, file, package })
            }
            _ => None,
        };
    }
    if name == "build.rs" && manifests.get(folder).is_some() {
        return Some(Root { role: Role::Build, file, package: folder });
    }
    // `tests/a.rs` or `tests/a/main.rs`.
    let targets = if name == "main.rs" { paths::folder(folder) } else { folder };
    let (package, key, role) = match paths::name(targets) {
        "tests" => (paths::folder(targets), "autotests", Role::Other),
        "examples" => (paths::folder(targets), "autoexamples", Role::Other),
        "benches" => (paths::folder(targets), "autobenches", Role::Other),
        "bin" if paths::name(paths::folder(targets)) == "src" => {
            (paths::folder(paths::folder(targets)), "autobins", Role::Program)
        }
        _ => return None,
    };
    let is_package = manifests.get(package).is_some();
    (is_package && auto(package, key)).then_some(Root { role, file, package })
}

/// The manifests of a tree, parsed.
struct Manifests<'t> {
    in_order: Vec<(&'t str, Table)>,
    by_folder: FxHashMap<&'t str, usize>,
}

impl<'t> Manifests<'t> {
    fn new(tree: &'t Tree) -> Self {
        let in_order: Vec<(&str, Table)> = manifests(tree, "Cargo.toml")
            .map(|(folder, text)| (folder, toml::from_str(text).unwrap_or_default()))
            .collect();
        let by_folder = in_order.iter().enumerate().map(|(at, entry)| (entry.0, at)).collect();
        Manifests { in_order, by_folder }
    }

    fn get(&self, folder: &str) -> Option<&Table> {
        self.by_folder.get(folder).map(|&at| &self.in_order[at].1)
    }

    fn packages(&self) -> impl Iterator<Item = (&'t str, &Table)> {
        let all = self.in_order.iter().map(|(folder, manifest)| (*folder, manifest));
        all.filter(|(_, manifest)| manifest.contains_key("package"))
    }

    fn dependencies<'l>(
        &self,
        folder: &'t str,
        manifest: &Table,
        library_in: impl Fn(&str) -> Option<&'l Library>,
    ) -> FxHashMap<Box<str>, Dependency> {
        let workspace = self.workspace_of(folder, manifest);
        let mut dependencies = FxHashMap::default();
        for (key, value) in dependency_tables(manifest).into_iter().flatten() {
            let inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
            let shared = workspace.filter(|_| inherited).and_then(|(folder, manifest)| {
                Some((folder, toml_at(manifest, &["workspace", "dependencies", key])?))
            });
            let (base, value) = shared.unwrap_or((folder, value));
            let text = |name| value.get(name).and_then(Value::as_str);
            let name = text("package").unwrap_or(key);
            let path = match text("path") {
                Some(path) => paths::join(base, path),
                None => workspace.and_then(|(folder, manifest)| patch(folder, manifest, name)),
            };
            match path.and_then(|path| library_in(&path)) {
                // Code calls a library by its own name, unless the manifest gives another.
                Some((own, library)) => {
                    let called = if text("package").is_some() { key } else { &**own };
                    dependencies.insert(called.replace('-', "_").into(), Dependency::Inside(*library));
                }
                None => {
                    let called = key.replace('-', "_").into();
                    dependencies.insert(called, Dependency::Elsewhere(name.into()));
                }
            }
        }
        dependencies
    }

    /// The manifest that a package inherits from.
    fn workspace_of<'a>(&'a self, folder: &str, own: &Table) -> Option<(&'t str, &'a Table)> {
        let named = toml_at(own, &["package", "workspace"]).and_then(Value::as_str);
        let named = named.and_then(|path| paths::join(folder, path));
        let start = named.as_deref().unwrap_or(folder);
        paths::folders_up(start).find_map(|folder| {
            let (folder, manifest) = &self.in_order[*self.by_folder.get(folder)?];
            manifest.contains_key("workspace").then_some((*folder, manifest))
        })
    }
}

fn dependency_tables(manifest: &Table) -> Vec<&Table> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let mut tables = Vec::new();
    for table in std::iter::once(manifest).chain(targets) {
        for key in [
            "dependencies",
            "dev-dependencies",
            "build-dependencies",
            "dev_dependencies",
            "build_dependencies",
        ] {
            tables.extend(table.get(key).and_then(Value::as_table));
        }
    }
    tables
}

/// The local folder that a workspace takes a package from instead of where it is published.
fn patch(folder: &str, workspace: &Table, name: &str) -> Option<String> {
    let sources = workspace.get("patch")?.as_table()?;
    let path = sources.values().find_map(|source| source.get(name)?.get("path")?.as_str())?;
    paths::join(folder, path)
}

fn library_name(manifest: &Table) -> Box<str> {
    let name = toml_at(manifest, &["lib", "name"]).or_else(|| toml_at(manifest, &["package", "name"]));
    name.and_then(Value::as_str).unwrap_or_default().replace('-', "_").into()
}

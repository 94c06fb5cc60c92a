//! The packages of the tree: what each `package.json` says, and which package a name means for a file.
//!
//! A name leads to a package of the tree if the nearest manifest that declares it says so (`workspace:`, `link:`,
//! `file:`, or a range that a workspace member has), or, where nobody declares it, if a member bears it: that is what
//! an install would have linked. A `deno.json` with a name is a package too.

use rustc_hash::FxHashMap;

use super::files::{ancestors, file_name, join, parent};
use super::json::Json;
use super::patterns::Patterns;
use super::specifier::is_package_name;
use super::version;
use super::workspace::{self, Workspace};
use crate::tree::Tree;

#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) folder: String,
    pub(super) name: Option<Box<str>>,
    version: Option<Box<str>>,
    /// Keys begin with `.`; a lone target stands under `.`.
    pub(super) exports: Patterns<Json>,
    /// Keys begin with `#`.
    pub(super) imports: Patterns<Json>,
    /// The files that `types`, `main` and their like name, best first.
    pub(super) entries: Vec<Box<str>>,
    /// The tsconfig that the package offers to be extended.
    pub(super) tsconfig: Option<Box<str>>,
    dependencies: FxHashMap<Box<str>, Box<str>>,
    peers: FxHashMap<Box<str>, Box<str>>,
    /// The workspace that it is a member or the root of; of another package, the one that it lies in.
    workspace: Option<usize>,
    is_member: bool,
}

/// What a package name means.
pub(super) enum PackageMeaning<'a> {
    Inside(&'a Package),
    /// A folder of the tree that is linked to without being a package.
    Folder(String),
    /// Declared, and comes from elsewhere.
    Outside,
    Undeclared,
}

#[derive(Debug, Default)]
pub(super) struct Packages {
    all: Vec<Package>,
    by_folder: FxHashMap<String, usize>,
    workspaces: Vec<Workspace>,
}

impl Packages {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut packages = Packages::default();
        for name in ["package.json", "deno.json", "deno.jsonc"] {
            for file in tree.files.iter().filter(|file| file_name(&file.path) == name) {
                let json = file.manifest.as_deref().and_then(Json::parse);
                let is_package = name == "package.json";
                let Some(json) = json.filter(|json| is_package || json.get("name").is_some())
                else {
                    continue;
                };
                let folder = parent(&file.path);
                if !packages.by_folder.contains_key(folder) {
                    packages.by_folder.insert(folder.to_owned(), packages.all.len());
                    packages.all.push(Package::new(folder, &json));
                }
            }
        }
        packages.join_workspaces(workspace::all(tree));
        packages
    }

    pub(super) fn at(&self, folder: &str) -> Option<&Package> {
        self.by_folder.get(folder).map(|&at| &self.all[at])
    }

    /// The packages that a folder is in, innermost first.
    pub(super) fn around<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a Package> {
        ancestors(folder).filter_map(|folder| self.at(folder))
    }

    pub(super) fn find(&self, folder: &str, name: &str) -> PackageMeaning<'_> {
        for package in self.around(folder) {
            if package.name.as_deref() == Some(name) {
                return PackageMeaning::Inside(package);
            }
            if let Some(found) = self.declared(package, name) {
                return found;
            }
        }
        let member = self.around(folder).find_map(|package| self.member(package, name));
        member.map_or(PackageMeaning::Undeclared, PackageMeaning::Inside)
    }

    /// What `package` itself says of `name`; `None` if it says nothing.
    fn declared(&self, package: &Package, name: &str) -> Option<PackageMeaning<'_>> {
        let wanted = match (package.dependencies.get(name), package.peers.get(name)) {
            (Some(wanted), _) => wanted,
            // Who uses the package brings its peers, so that their range says nothing about a member.
            (None, Some(wanted)) => match self.member(package, name) {
                Some(member) => return Some(PackageMeaning::Inside(member)),
                None => wanted,
            },
            (None, None) => return None,
        };
        let overriding = package.workspace.and_then(|at| self.workspaces[at].overrides.get(name));
        Some(self.wanted(package, name, overriding.unwrap_or(wanted)).unwrap_or(PackageMeaning::Outside))
    }

    /// The package of the tree that a version names: by its path, or as a member under its own or another name.
    fn wanted(&self, package: &Package, name: &str, version: &str) -> Option<PackageMeaning<'_>> {
        let (scheme, rest) = version.split_once(':').unwrap_or(("", version));
        match scheme {
            "link" | "file" | "portal" => return self.linked(package, rest),
            "workspace" if rest.starts_with('.') => return self.linked(package, rest),
            "" | "workspace" | "npm" => {}
            _ => return None,
        }
        let (name, range) = match rest.rfind('@') {
            Some(at) if at > 0 => (&rest[..at], &rest[at + 1..]),
            _ if scheme == "npm"
                && is_package_name(rest)
                && !rest.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                (rest, "*")
            }
            _ => (name, rest),
        };
        let member = self.member(package, name)?;
        let fits = match (scheme, &member.version) {
            ("workspace", _) | (_, None) => true,
            // Nothing is installed for a package that is no member, so that it sees what the workspace has.
            _ if !package.is_member && version::is_tag(range) => true,
            (_, Some(version)) => version::fits(range, version),
        };
        fits.then_some(PackageMeaning::Inside(member))
    }

    fn linked(&self, package: &Package, path: &str) -> Option<PackageMeaning<'_>> {
        let folder = join(&package.folder, path)?;
        // An archive is not looked into.
        let archive = [".tgz", ".tar.gz"].iter().any(|ending| path.ends_with(ending));
        match self.at(&folder) {
            Some(package) => Some(PackageMeaning::Inside(package)),
            None => (!archive).then_some(PackageMeaning::Folder(folder)),
        }
    }

    fn member(&self, package: &Package, name: &str) -> Option<&Package> {
        let members = &self.workspaces[package.workspace?].members;
        members.get(name).map(|&at| &self.all[at])
    }

    /// A package belongs to the innermost workspace that takes it. One that none takes still finds the members of the
    /// workspace around it, since installed packages are looked for in every folder upward.
    fn join_workspaces(&mut self, workspaces: Vec<Workspace>) {
        self.workspaces = workspaces;
        let Packages { all, workspaces, .. } = self;
        for (at, package) in all.iter_mut().enumerate() {
            let roots = ancestors(&package.folder);
            let around: Vec<usize> = roots
                .filter_map(|root| {
                    workspaces.binary_search_by(|other| (*other.folder).cmp(root)).ok()
                })
                .collect();
            let taken = around.iter().find(|&&around| workspaces[around].takes(&package.folder));
            package.workspace = taken.or(around.first()).copied();
            package.is_member = taken.is_some();
            if let (Some(&taken), Some(name)) = (taken, &package.name) {
                workspaces[taken].members.entry(name.clone()).or_insert(at);
            }
        }
    }
}

/// TypeScript reads the first three; the others say what a bundler takes, or name source outright.
const ENTRY_FIELDS: &[&str] = &[
    "types",
    "typings",
    "main",
    "module",
    "source",
    "svelte",
    "browser",
    "react-native",
    "style",
    "sass",
];
const DEPENDENCY_FIELDS: &[&str] = &["dependencies", "devDependencies", "optionalDependencies"];

impl Package {
    fn new(folder: &str, json: &Json) -> Package {
        let text = |key| json.get(key).and_then(Json::text).map(Box::from);
        Package {
            folder: folder.to_owned(),
            name: text("name"),
            version: text("version"),
            exports: json.get("exports").map(exports).unwrap_or_default(),
            imports: Patterns::of_exports(
                entries(json, "imports").filter(|(key, _)| key.starts_with('#')).cloned(),
            ),
            entries: ENTRY_FIELDS.iter().filter_map(|field| text(field)).collect(),
            tsconfig: text("tsconfig"),
            dependencies: DEPENDENCY_FIELDS
                .iter()
                .flat_map(|field| versions(json, field))
                .collect(),
            peers: versions(json, "peerDependencies").collect(),
            workspace: None,
            is_member: false,
        }
    }
}

fn entries<'a>(json: &'a Json, key: &str) -> impl Iterator<Item = &'a (Box<str>, Json)> {
    json.get(key).map(Json::entries).unwrap_or_default().iter()
}

fn versions(json: &Json, field: &str) -> impl Iterator<Item = (Box<str>, Box<str>)> {
    entries(json, field).filter_map(|(name, version)| Some((name.clone(), version.text()?.into())))
}

/// An object whose keys do not begin with a dot holds the conditions of the package itself.
fn exports(json: &Json) -> Patterns<Json> {
    let by_path = |(key, _): &&(Box<str>, Json)| key.starts_with('.');
    if json.entries().iter().any(|entry| by_path(&entry)) {
        Patterns::of_exports(json.entries().iter().filter(by_path).cloned())
    } else {
        Patterns::of_exports([(Box::from("."), json.clone())].into_iter())
    }
}

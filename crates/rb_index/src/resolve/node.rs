//! Where imports of JavaScript and TypeScript lead, by the rules of TypeScript, Node and the package managers.
//!
//! What an install and a build would put on the disk is worked out from the manifests: a workspace member is found by
//! its name, and an entry that is built is turned back into its source. Where the rules differ (Node, TypeScript's modes,
//! bundlers), the answer is the file that a person means. Aliases in the configs of Vite and webpack are not read, since
//! they are programs; the usual ones (`@/`, `~/`, `$lib/`) are tried by their meaning.

mod builtin;
mod deno;
mod entry;
mod files;
mod json;
mod package;
mod patterns;
mod probe;
mod scope;
mod specifier;
#[cfg(test)]
mod tests;
mod tsconfig;
mod version;
mod workspace;

use rb_lang::{Import, ImportKind};

use self::deno::{ImportMaps, Mapped};
use self::entry::Entry;
use self::files::{Files, ancestors, below, join, parent};
use self::package::{PackageMeaning, Packages};
use self::probe::Probe;
use self::specifier::{address, is_package_name, is_relative, split_package, without_loaders};
use self::tsconfig::{Config, Configs};
use super::Resolution;
use crate::tree::{FileId, Tree};

/// The files whose text the resolver needs in `TreeFile::manifest`.
pub(crate) fn is_manifest(file_name: &str) -> bool {
    const NAMES: &[&str] = &[
        "package.json",
        "pnpm-workspace.yaml",
        "pnpm-workspace.yml",
        "lerna.json",
        "rush.json",
        "deno.json",
        "deno.jsonc",
        "import_map.json",
    ];
    NAMES.contains(&file_name) || tsconfig::is_config(file_name)
}

pub(crate) struct NodeResolver<'t> {
    tree: &'t Tree,
    files: Files<'t>,
    packages: Packages,
    configs: Configs,
    import_maps: ImportMaps,
    has_vendored: bool,
}

/// The importing file, as far as it matters.
#[derive(Clone, Copy)]
struct Site<'a> {
    folder: &'a str,
    /// The config that the file goes by, then the nearest.
    configs: [&'a Config; 2],
    required: bool,
}

/// What `paths` said of a name.
enum Mapping {
    To(FileId),
    /// The name is one of its own, and what it should lead to is not there.
    Missing,
    Silent,
}

impl<'t> NodeResolver<'t> {
    pub(crate) fn new(tree: &'t Tree) -> Self {
        let files = Files::new(tree);
        let packages = Packages::new(tree);
        let configs = Configs::new(tree, &files, &packages);
        let import_maps = ImportMaps::new(tree);
        let has_vendored = tree.files.iter().any(|file| file.path.contains("node_modules/"));
        NodeResolver { tree, files, packages, configs, import_maps, has_vendored }
    }

    pub(crate) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = &*self.tree.get(from).path;
        let site = Site {
            folder: parent(path),
            configs: self.configs.of(from, path),
            required: import.kind == ImportKind::Require,
        };
        let written = &*import.specifier;
        let resolution = match import.kind {
            // `/// <reference path="a.d.ts" />` needs no dot.
            ImportKind::Include => self.relative(&site, written),
            _ => self.specifier(&site, written),
        };
        let module = without_loaders(written);
        let again = matches!(resolution, Resolution::Unresolved | Resolution::External(_))
            && module != written;
        if again && !module.is_empty() && address(written).is_none() {
            return self.specifier(&site, module);
        }
        resolution
    }

    fn specifier(&self, site: &Site, specifier: &str) -> Resolution {
        if specifier.is_empty() {
            Resolution::Unresolved
        } else if is_relative(specifier) {
            self.relative(site, specifier)
        } else if specifier.starts_with('/') {
            self.rooted(site, specifier)
        } else {
            self.named(site, specifier)
        }
    }

    fn relative(&self, site: &Site, specifier: &str) -> Resolution {
        let Some(path) = join(site.folder, specifier) else { return Resolution::Unresolved };
        let probe = self.probe(site.configs[0]);
        let beside = || self.in_root_dirs(site.configs[0], &path, specifier);
        let built = || self.entry(site).of(self.packages.at(&path)?, "");
        let found = probe.module(&path, specifier).or_else(beside).or_else(built);
        found.map_or(Resolution::Unresolved, |file| self.inside(file))
    }

    /// `rootDirs` are folders that count as one.
    fn in_root_dirs(&self, config: &Config, path: &str, specifier: &str) -> Option<FileId> {
        let inner = config
            .root_dirs
            .iter()
            .filter_map(|root| below(path, root))
            .min_by_key(|inner| inner.len())?;
        let mut others = config.root_dirs.iter().filter_map(|root| join(root, inner));
        others.find_map(|path| self.probe(config).module(&path, specifier))
    }

    /// `/src/a` starts from the root of the site that is served: a package, or its folder for static files.
    fn rooted(&self, site: &Site, specifier: &str) -> Resolution {
        let probe = self.probe(site.configs[0]);
        let packages = self.packages.around(site.folder).map(|package| &*package.folder);
        let roots =
            packages.chain([""]).flat_map(|root| [Some(root.to_owned()), join(root, "public")]);
        let mut paths = roots.flatten().filter_map(|root| join(&root, specifier));
        let found = paths.find_map(|path| probe.module(&path, specifier));
        found.map_or(Resolution::Unresolved, |file| self.inside(file))
    }

    fn named(&self, site: &Site, specifier: &str) -> Resolution {
        let mut missing = false;
        let [owner, nearest] = site.configs;
        let asked = if std::ptr::eq(owner, nearest) { 1 } else { 2 };
        for config in &site.configs[..asked] {
            match self.mapped(config, specifier) {
                Mapping::To(file) => return self.inside(file),
                Mapping::Missing => missing = true,
                Mapping::Silent => {}
            }
        }
        match self.import_maps.get(site.folder, specifier) {
            Some(Mapped::Path(path)) => {
                let found = self.probe(site.configs[0]).module(&path, specifier);
                return found.map_or(Resolution::Unresolved, |file| self.inside(file));
            }
            Some(Mapped::Other(other)) => return self.installed(site, &other, missing),
            None => {}
        }
        if specifier.starts_with('#')
            && let Some(resolution) = self.package_import(site, specifier)
        {
            return resolution;
        }
        self.installed(site, specifier, missing)
    }

    /// `paths`, then `baseUrl`, as TypeScript asks them.
    fn mapped(&self, config: &Config, specifier: &str) -> Mapping {
        let probe = self.probe(config);
        if let Some((targets, star)) = config.paths.patterns.get(specifier) {
            let found = targets.iter().find_map(|target| {
                let path = config.paths.target(target, star)?;
                probe.mapped(&path, target)
            });
            return match found {
                Some(file) => Mapping::To(file),
                // A star alone takes every name, packages too.
                None if star == Some(specifier) => Mapping::Silent,
                None => Mapping::Missing,
            };
        }
        let based = || {
            let path = join(config.base_url.as_ref()?, specifier)?;
            probe.typescript_module(&path, specifier)
        };
        based().map_or(Mapping::Silent, Mapping::To)
    }

    /// `#name`, by the package that the file belongs to.
    fn package_import(&self, site: &Site, specifier: &str) -> Option<Resolution> {
        let package =
            self.packages.around(site.folder).find(|package| !package.imports.is_empty())?;
        let inside = |file| self.inside(file);
        let bare = |name: &str| (!name.starts_with('#')).then(|| self.installed(site, name, false));
        self.entry(site).import(package, specifier, inside, bare)
    }

    /// What would be found in `node_modules`, or comes with the host. `missing`: `paths` claims the name.
    fn installed(&self, site: &Site, specifier: &str, missing: bool) -> Resolution {
        if builtin::is_builtin(specifier) {
            return Resolution::Builtin;
        }
        if let Some(name) = address(specifier) {
            return Resolution::External(name.into());
        }
        let (name, inner) = split_package(specifier);
        if let Some(file) = self.vendored(site, name, inner) {
            return self.inside(file);
        }
        let external = || Resolution::External(name.into());
        let found = match self.packages.find(site.folder, name) {
            PackageMeaning::Inside(package) => self.entry(site).of(package, inner),
            PackageMeaning::Folder(folder) => self.in_folder(site, &folder, inner),
            PackageMeaning::Outside => return external(),
            PackageMeaning::Undeclared => match self.aliased(site, specifier) {
                Some(file) => Some(file),
                None if is_package_name(name) && !missing => return external(),
                None if FRAMEWORK_NAMES.contains(&name) => return external(),
                None => None,
            },
        };
        found.map_or(Resolution::Unresolved, |file| self.inside(file))
    }

    /// Some trees hold a `node_modules` of their own, to test with.
    fn vendored(&self, site: &Site, name: &str, inner: &str) -> Option<FileId> {
        if !self.has_vendored {
            return None;
        }
        ancestors(site.folder).find_map(|around| {
            let folder = join(&join(around, "node_modules")?, name)?;
            match self.packages.at(&folder) {
                Some(package) => self.entry(site).of(package, inner),
                None => self.in_folder(site, &folder, inner),
            }
        })
    }

    fn in_folder(&self, site: &Site, folder: &str, inner: &str) -> Option<FileId> {
        let path = join(folder, inner)?;
        self.probe(site.configs[0]).module(&path, &path)
    }

    /// The aliases that bundlers are usually given, in the innermost package that has such a file.
    fn aliased(&self, site: &Site, specifier: &str) -> Option<FileId> {
        let (alias, inner) = specifier.split_once('/').unwrap_or((specifier, ""));
        let (_, folders) = ALIASES.iter().find(|(name, _)| *name == alias)?;
        let probe = self.probe(site.configs[0]);
        self.packages.around(site.folder).find_map(|package| {
            folders.iter().find_map(|folder| {
                let path = join(&join(&package.folder, folder)?, inner)?;
                probe.module(&path, specifier)
            })
        })
    }

    fn probe<'a>(&'a self, config: &'a Config) -> Probe<'a> {
        Probe { files: &self.files, packages: &self.packages, suffixes: &config.suffixes }
    }

    fn entry<'a>(&'a self, site: &Site<'a>) -> Entry<'a> {
        let config = site.configs[0];
        Entry { probe: self.probe(config), configs: &self.configs, config, required: site.required }
    }

    /// A declaration file comes with the code that it describes: both are what is imported.
    fn inside(&self, file: FileId) -> Resolution {
        let path = &*self.tree.get(file).path;
        let code = self.probe(self.configs.none()).code_of(path);
        let mut files = vec![file];
        files.extend(code);
        files.sort_unstable();
        Resolution::Inside(files)
    }
}

const ALIASES: &[(&str, &[&str])] = &[
    ("@", &["src", "", "app", "resources/js"]),
    ("~", &["src", "", "app"]),
    ("~~", &[""]),
    ("@@", &[""]),
    ("$lib", &["src/lib"]),
];

/// Made up by the framework when it builds: `SvelteKit` and Nuxt.
const FRAMEWORK_NAMES: &[&str] =
    &["$app", "$env", "$service-worker", "#app", "#build", "#components", "#imports"];

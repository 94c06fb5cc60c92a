//! What the tsconfig and jsconfig files of the tree say about where imports lead, with all that they extend.
//!
//! A config that is extended is found in the tree or not at all: one that would be installed is as if it were empty.
//! `scope` says which config a file goes by.

use std::mem;

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{Files, ancestors, below, file_name, join, parent};
use super::json::Json;
use super::package::{PackageMeaning, Packages};
use super::patterns::Patterns;
use super::scope::{Scope, scope_of};
use super::specifier::split_package;
use crate::tree::{FileId, Tree};

/// Configs extend one or two others, and their lists are short. The bounds are for those that are made to be slow.
const MAX_EXTENDED: usize = 32;
const MAX_LISTED: usize = 64;
const MAX_REFERENCED: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct Config {
    path: String,
    pub(super) base_url: Option<String>,
    pub(super) paths: Paths,
    pub(super) root_dirs: Vec<String>,
    /// `[""]` unless `moduleSuffixes` says otherwise.
    pub(super) suffixes: Vec<Box<str>>,
    pub(super) conditions: Vec<Box<str>>,
    /// `outDir` and `declarationDir`: where built files go.
    built: [Option<String>; 2],
    root_dir: Option<String>,
    scope: Scope,
    references: Vec<usize>,
}

/// `paths`, with the folder that its targets start from.
#[derive(Debug, Default)]
pub(super) struct Paths {
    base: String,
    pub(super) patterns: Patterns<Vec<Box<str>>>,
}

#[derive(Debug, Default)]
pub(super) struct Configs {
    all: Vec<Config>,
    by_path: FxHashMap<String, usize>,
    /// The `tsconfig.json` of a folder, else its `jsconfig.json`.
    main: FxHashMap<String, usize>,
    by_folder: FxHashMap<String, Vec<usize>>,
    of_file: FxHashMap<FileId, Chosen>,
    none: Config,
}

/// The config that a file goes by, and the nearest one, which need not count the file among its own.
#[derive(Debug, Clone, Copy, Default)]
struct Chosen {
    owner: Option<usize>,
    nearest: Option<usize>,
}

impl Configs {
    pub(super) fn new(tree: &Tree, files: &Files, packages: &Packages) -> Self {
        let loader = Loader::new(tree, files, packages);
        let mut configs = Configs { none: Config::default(), ..Configs::default() };
        configs.none.suffixes = vec!["".into()];
        for (at, path) in loader.paths().into_iter().enumerate() {
            let folder = parent(path).to_owned();
            // Of both in one folder, `tsconfig.json` comes later in the order of paths.
            if matches!(file_name(path), "jsconfig.json" | "tsconfig.json") {
                configs.main.insert(folder.clone(), at);
            }
            configs.by_path.insert(path.to_owned(), at);
            configs.by_folder.entry(folder).or_default().push(at);
            configs.all.push(loader.load(path));
        }
        for at in 0..configs.all.len() {
            let path = configs.all[at].path.clone();
            configs.all[at].references = configs.direct_references(&loader, &path);
        }
        for id in tree.ids() {
            let path = &*tree.get(id).path;
            if has_script(path) {
                configs.of_file.insert(id, configs.choose(path));
            }
        }
        configs
    }

    /// The configs to ask for imports of a file, in turn.
    pub(super) fn of(&self, id: FileId, path: &str) -> [&Config; 2] {
        let chosen = self.of_file.get(&id).copied().unwrap_or_else(|| self.choose(path));
        let get = |at: Option<usize>| at.map_or(&self.none, |at| &self.all[at]);
        [get(chosen.owner), get(chosen.nearest)]
    }

    /// As where there is no config at all.
    pub(super) fn none(&self) -> &Config {
        &self.none
    }

    /// Every config that lies in `folder`, sorted by name.
    pub(super) fn in_folder(&self, folder: &str) -> impl Iterator<Item = &Config> {
        self.by_folder.get(folder).into_iter().flatten().map(|&at| &self.all[at])
    }

    /// The nearest config upward that holds the file, itself or through its references; else the nearest.
    fn choose(&self, path: &str) -> Chosen {
        let mut nearest = None;
        for folder in ancestors(parent(path)) {
            let Some(&at) = self.main.get(folder) else { continue };
            nearest = nearest.or(Some(at));
            if let Some(owner) = self.owner(at, path) {
                return Chosen { owner: Some(owner), nearest };
            }
        }
        Chosen { owner: nearest, nearest }
    }

    fn owner(&self, root: usize, path: &str) -> Option<usize> {
        let mut seen = FxHashSet::default();
        let mut waiting = std::collections::VecDeque::from([root]);
        while let Some(at) = waiting.pop_front() {
            if self.all[at].scope.holds(path) {
                return Some(at);
            }
            if seen.len() < MAX_REFERENCED {
                waiting.extend(self.all[at].references.iter().filter(|&&at| seen.insert(at)));
            }
        }
        None
    }

    fn direct_references(&self, loader: &Loader, path: &str) -> Vec<usize> {
        let references =
            loader.json(path).and_then(|json| json.get("references")).and_then(Json::list);
        let paths =
            references.unwrap_or_default().iter().filter_map(|entry| entry.get("path")?.text());
        let found = paths.filter_map(|text| {
            let target = join(parent(path), text)?;
            self.by_path.get(&target).or_else(|| self.by_path.get(&join(&target, "tsconfig.json")?))
        });
        found.copied().take(MAX_REFERENCED).collect()
    }
}

fn has_script(path: &str) -> bool {
    let extension = file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension);
    ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "astro"]
        .contains(&extension)
}

struct Loader<'a> {
    files: &'a Files<'a>,
    packages: &'a Packages,
    texts: FxHashMap<&'a str, Json>,
}

impl<'a> Loader<'a> {
    fn new(tree: &'a Tree, files: &'a Files<'a>, packages: &'a Packages) -> Self {
        let configs = tree.files.iter().filter(|file| is_config(file_name(&file.path)));
        let texts = configs.map(|file| {
            // One that cannot be read is still the config of its folder.
            let json = file.manifest.as_deref().and_then(Json::parse).unwrap_or(Json::Null);
            (&*file.path, json)
        });
        Loader { files, packages, texts: texts.collect() }
    }

    fn json(&self, path: &str) -> Option<&Json> {
        self.texts.get(path)
    }

    fn paths(&self) -> Vec<&'a str> {
        let mut paths: Vec<&str> = self.texts.keys().copied().collect();
        paths.sort_unstable();
        paths
    }

    fn load(&self, path: &str) -> Config {
        let mut chain = Vec::new();
        self.extended(path, &mut Vec::new(), &mut chain);
        let chain: Vec<(&str, &Json)> =
            chain.iter().filter_map(|path| Some((path.as_str(), self.json(path)?))).collect();
        let mut config =
            Config { path: path.to_owned(), suffixes: vec!["".into()], ..Config::default() };
        for &(from, json) in &chain {
            if let Some(options) = json.get("compilerOptions") {
                config.set(options, from);
            }
        }
        let mapped = chain.iter().rev().find_map(|(from, json)| {
            let paths = json.get("compilerOptions")?.get("paths")?;
            Some((from, paths))
        });
        // After all, since the targets start from `baseUrl`, wherever it is set.
        config.paths = mapped.map(|(from, json)| paths(json, from, &config)).unwrap_or_default();
        config.scope = scope_of(&chain, parent(path), &config.built_folders());
        config
    }

    /// Pushes the configs that `path` is made of, each after those that it overrides.
    fn extended(&self, path: &str, seen: &mut Vec<String>, chain: &mut Vec<String>) {
        let Some(json) = self.json(path).filter(|_| !seen.iter().any(|other| other == path)) else {
            return;
        };
        seen.push(path.to_owned());
        for text in json.get("extends").into_iter().flat_map(Json::texts) {
            if seen.len() >= MAX_EXTENDED {
                break;
            }
            if let Some(base) = self.extends_target(path, text) {
                self.extended(&base, seen, chain);
            }
        }
        chain.push(path.to_owned());
    }

    fn extends_target(&self, from: &str, text: &str) -> Option<String> {
        if text.starts_with('.') {
            return self.config_at(&join(parent(from), text)?);
        }
        let (name, inner) = split_package(text);
        let PackageMeaning::Inside(package) = self.packages.find(parent(from), name) else { return None };
        if inner.is_empty() {
            let offered = package.tsconfig.as_deref().unwrap_or("tsconfig.json");
            return self.config_at(&join(&package.folder, offered)?);
        }
        let exported = package
            .exports
            .get(&format!(".{inner}"))
            .and_then(|(target, _)| target.text().map(Box::from));
        self.config_at(&join(&package.folder, exported.as_deref().unwrap_or(inner))?)
    }

    fn config_at(&self, path: &str) -> Option<String> {
        let with_ending = || Some(format!("{path}.json"));
        let candidates = [Some(path.to_owned()), with_ending(), join(path, "tsconfig.json")];
        candidates.into_iter().flatten().find(|path| self.files.file(path).is_some())
    }
}

/// A folder that `from` names, for the config `leaf` that is made of it.
fn folder_in(text: &str, from: &str, leaf: &str) -> Option<String> {
    match text.strip_prefix(CONFIG_DIR) {
        Some(rest) => join(parent(leaf), rest),
        None => join(parent(from), text),
    }
}

const CONFIG_DIR: &str = "${configDir}";

fn paths(json: &Json, from: &str, config: &Config) -> Paths {
    let own = || parent(from).to_owned();
    let entries = json.entries().iter().map(|(key, targets)| {
        let targets =
            targets.texts().take(MAX_LISTED).map(|target| match target.strip_prefix(CONFIG_DIR) {
                // A leading slash marks a path from the root of the repository.
                Some(rest) => format!("/{}{rest}", parent(&config.path)).into(),
                None => Box::from(target),
            });
        (key.clone(), targets.collect())
    });
    let patterns = Patterns::of_paths(entries);
    Paths { base: config.base_url.clone().unwrap_or_else(own), patterns }
}

impl Paths {
    /// Where a target leads. Only its first star is filled.
    pub(super) fn target(&self, target: &str, star: Option<&str>) -> Option<String> {
        let filled = star.map_or_else(|| target.to_owned(), |star| target.replacen('*', star, 1));
        if target.starts_with('/') { join("", &filled) } else { join(&self.base, &filled) }
    }
}

impl Config {
    /// What `from`, one of the configs that this one is made of, sets anew.
    fn set(&mut self, options: &Json, from: &str) {
        let folder = |key| folder_in(options.get(key)?.text()?, from, &self.path);
        let texts = |key| options.get(key).map(|value| value.texts().take(MAX_LISTED));
        let boxed = |key| texts(key).map(|texts| texts.map(Box::from).collect::<Vec<Box<str>>>());
        let built = [folder("outDir"), folder("declarationDir")];
        let (base_url, root_dir) = (folder("baseUrl"), folder("rootDir"));
        let root_dirs = texts("rootDirs")
            .map(|texts| texts.filter_map(|text| folder_in(text, from, &self.path)).collect());
        let suffixes = boxed("moduleSuffixes").filter(|suffixes| !suffixes.is_empty());
        for (old, new) in self.built.iter_mut().zip(built) {
            *old = new.or(old.take());
        }
        self.base_url = base_url.or(self.base_url.take());
        self.root_dir = root_dir.or(self.root_dir.take());
        self.root_dirs = root_dirs.unwrap_or(mem::take(&mut self.root_dirs));
        self.suffixes = suffixes.unwrap_or(mem::take(&mut self.suffixes));
        self.conditions = boxed("customConditions").unwrap_or(mem::take(&mut self.conditions));
    }

    /// The root of the repository is never taken for one: then nothing could be told apart.
    fn built_folders(&self) -> Vec<&str> {
        self.built
            .iter()
            .flatten()
            .map(|folder| &**folder)
            .filter(|folder| !folder.is_empty())
            .collect()
    }

    /// The sources that a built file may come from: `outDir` turned back into `rootDir`.
    pub(super) fn sources_of(&self, built: &str) -> Vec<String> {
        let own = parent(&self.path);
        // Without a `rootDir` it is the folder that all sources have in common.
        let roots = match &self.root_dir {
            Some(root) => vec![Some(root.clone())],
            None => vec![join(own, "src"), Some(own.to_owned())],
        };
        let mut sources = Vec::new();
        for inner in self.built_folders().iter().filter_map(|folder| below(built, folder)) {
            sources.extend(roots.iter().flatten().filter_map(|root| join(root, inner)));
        }
        sources
    }
}

/// `tsconfig.json`, `tsconfig.base.json`, `base.tsconfig.json`, `jsconfig.json` and their like.
pub(super) fn is_config(file_name: &str) -> bool {
    let Some(stem) = file_name.strip_suffix(".json").or_else(|| file_name.strip_suffix(".jsonc"))
    else {
        return false;
    };
    ["tsconfig", "jsconfig"].iter().any(|word| stem.starts_with(word) || stem.ends_with(word))
}

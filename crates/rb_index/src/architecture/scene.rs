//! The repository as the rules look at it: product files, folders, manifests and imports, each looked up in one step.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Bound;

use rb_lang::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Input;
use super::clue::{Clue, ClueKind};
use crate::manifests::{self, Package};
use crate::role::{Role, is_code};
use crate::tree::{FileId, Tree};

pub(super) struct ArchitectureInput<'a> {
    pub(super) tree: &'a Tree,
    pub(super) edges: &'a [(FileId, FileId)],
    /// By `FileId`.
    pub(super) roles: Vec<Role>,
    /// Of the product: those of the root, then by the lines that they speak for, the most first.
    pub(super) packages: Vec<Package<'a>>,
    /// The one with the most lines in the product.
    pub(super) main_language: Option<Language>,
    /// The lines of product code that the packages of a folder speak for.
    pub(super) lines: FxHashMap<&'a str, u64>,
    /// Folders of packages that are made for others; worked out by the rule for libraries when first asked for.
    pub(super) library_dirs: OnceCell<FxHashSet<&'a str>>,
    /// The package of a folder; of several in one folder the first.
    by_dir: FxHashMap<&'a str, usize>,
    /// Folders with product files, by path.
    pub(super) folders: BTreeMap<&'a str, Folder<'a>>,
    /// Product files by their bare name; of equal names the outermost.
    names: BTreeMap<&'a str, FileId>,
    /// Product files by the package from elsewhere that they import.
    importers: BTreeMap<&'a str, Vec<FileId>>,
}

#[derive(Debug, Default)]
pub(super) struct Folder<'a> {
    /// Names of the folders in it, sorted.
    pub(super) children: Vec<&'a str>,
    /// Product files that are code and lie directly in it, without those that speak for the folder itself.
    pub(super) direct: u32,
    /// Product files that are code, at any depth.
    pub(super) code: u32,
    /// Product files, at any depth.
    pub(super) files: u32,
}

impl<'a> ArchitectureInput<'a> {
    pub(super) fn new(input: &Input<'a>) -> ArchitectureInput<'a> {
        let tree = input.tree;
        let roles = roles(tree);
        let is_product = |id: FileId| roles[id.0 as usize] == Role::Product;
        let mut packages = manifests::read(tree, |path| tree.find(path).is_some_and(is_product));
        let main_language = main_language(tree, &roles);
        let lines = lines_by_dir(tree, &roles, &packages);
        packages.sort_by_key(|package| {
            let speaks = main_language.is_some_and(|language| package.ecosystem.speaks(language));
            (!package.dir.is_empty(), Reverse(lines[package.dir]), !speaks, package.path)
        });
        let mut by_dir = FxHashMap::default();
        for (place, package) in packages.iter().enumerate() {
            by_dir.entry(package.dir).or_insert(place);
        }
        let mut names: BTreeMap<&str, FileId> = BTreeMap::new();
        for id in tree.ids().filter(|&id| is_product(id)) {
            let path = &*tree.get(id).path;
            let first = names.entry(name_of(path)).or_insert(id);
            if depth(path) < depth(&tree.get(*first).path) {
                *first = id;
            }
        }
        let mut importers: BTreeMap<&str, Vec<FileId>> = BTreeMap::new();
        for &(file, package) in input.externals.iter().filter(|(file, _)| is_product(*file)) {
            importers.entry(package).or_default().push(file);
        }
        for files in importers.values_mut() {
            files.sort_unstable();
        }
        let folders = folders(tree, &roles);
        ArchitectureInput {
            tree,
            edges: input.edges,
            roles,
            packages,
            library_dirs: OnceCell::new(),
            lines,
            main_language,
            by_dir,
            folders,
            names,
            importers,
        }
    }

    pub(super) fn role(&self, id: FileId) -> Role {
        self.roles[id.0 as usize]
    }

    pub(super) fn path(&self, id: FileId) -> &'a str {
        &self.tree.get(id).path
    }

    pub(super) fn text(&self, id: FileId) -> &'a str {
        self.tree.get(id).manifest.as_deref().unwrap_or("")
    }

    /// Product files, by path.
    pub(super) fn product(&self) -> impl Iterator<Item = FileId> + '_ {
        self.tree.ids().filter(|&id| self.role(id) == Role::Product)
    }

    pub(super) fn is_code(&self, id: FileId) -> bool {
        self.tree.get(id).language.is_some_and(is_code)
    }

    /// A product file with one of these names; `next.config.*` stands for all that begin so.
    pub(super) fn named(&self, names: &[&str]) -> Option<FileId> {
        names.iter().find_map(|name| match name.strip_suffix('*') {
            None => self.names.get(name).copied(),
            Some(start) => {
                let from = (Bound::Included(start), Bound::Unbounded);
                self.names
                    .range::<str, _>(from)
                    .next()
                    .filter(|(name, _)| name.starts_with(start))
                    .map(|(_, &id)| id)
            }
        })
    }

    pub(super) fn file(&self, names: &[&str]) -> Option<Clue> {
        let path = self.path(self.named(names)?);
        Some(Clue::new(ClueKind::File, path, path))
    }

    /// As `file`, but only near the top of a package: deeper, such names mean other things.
    pub(super) fn file_near(&self, names: &[&str]) -> Option<Clue> {
        let is_near = |path: &str| {
            let dir = self.package_of(path).map_or("", |place| self.packages[place].dir);
            depth(path) <= depth(dir) + usize::from(!dir.is_empty()) + 2
        };
        names.iter().find_map(|name| self.file(&[name]).filter(|clue| is_near(&clue.path)))
    }

    /// A package that needs one of these to run.
    pub(super) fn needs(&self, names: &[&str]) -> Option<Clue> {
        self.needs_where(names, |_| true)
    }

    pub(super) fn needs_where(
        &self,
        names: &[&str],
        is_meant: impl Fn(&Package) -> bool,
    ) -> Option<Clue> {
        let hit = |package: &&Package| {
            is_meant(package).then(|| names.iter().find(|name| package.depends_on(name)))
        };
        let (package, name) =
            self.packages.iter().find_map(|package| Some((package, hit(&package)??)))?;
        Some(Clue::says(ClueKind::Dependency, package.path, &format!("depends on {name}")))
    }

    /// A package that needs one of these to run or to be built.
    pub(super) fn mentions(&self, names: &[&str]) -> Option<Clue> {
        let hit = |package: &Package| names.iter().find(|name| package.mentions(name)).copied();
        let (package, name) =
            self.packages.iter().find_map(|package| Some((package, hit(package)?)))?;
        Some(Clue::says(ClueKind::Dependency, package.path, &format!("depends on {name}")))
    }

    /// A product file that imports one of these, or a part of it.
    pub(super) fn imports(&self, names: &[&str]) -> Option<Clue> {
        let (name, files) = names.iter().find_map(|name| self.importers_of(name).next())?;
        let path = self.path(*files.first()?);
        Some(Clue::says(ClueKind::Import, path, &format!("imports {name}")))
    }

    /// Files that import the package or a part of it (`github.com/a/b/c` is part of `github.com/a/b`).
    pub(super) fn importers_of(&self, name: &str) -> impl Iterator<Item = (&'a str, &[FileId])> {
        let from = (Bound::Included(name), Bound::Unbounded);
        let name = name.to_owned();
        let starts = name.clone();
        self.importers
            .range::<str, _>(from)
            .take_while(move |(package, _)| package.starts_with(&starts))
            .filter(move |(package, _)| {
                matches!(package.as_bytes().get(name.len()), None | Some(b'/' | b'.' | b':'))
            })
            .map(|(package, files)| (*package, &**files))
    }

    /// Does the folder directly hold a folder of one of these names, whatever their case? With its path.
    pub(super) fn child(&self, parent: &str, names: &[&str]) -> Option<String> {
        let children = &self.folders.get(parent)?.children;
        let child = children
            .iter()
            .find(|child| names.iter().any(|name| name.eq_ignore_ascii_case(child)))?;
        Some(join(parent, child))
    }

    /// The folder which has the most of these kinds of folder side by side; each kind goes by several names.
    /// Of equals the one with the most code.
    pub(super) fn side_by_side(
        &self,
        kinds: &[&[&str]],
        is_enough: impl Fn(&[Option<String>]) -> bool,
    ) -> Option<Vec<Option<String>>> {
        let all = |parent: &str| -> Vec<Option<String>> {
            kinds.iter().map(|names| self.child(parent, names)).collect()
        };
        let weight = |found: &Vec<Option<String>>| -> (usize, u32) {
            let paths = found.iter().flatten();
            (paths.clone().count(), paths.map(|path| self.folders[&**path].files).sum())
        };
        // The last of equals is taken: from the back, that is the first.
        let parents = self.folders.keys().rev().map(|parent| all(parent));
        parents.filter(|found| is_enough(found)).max_by_key(weight)
    }

    /// The innermost package that speaks for a path, as a place in `packages`.
    pub(super) fn package_of(&self, path: &str) -> Option<usize> {
        let mut inner = path;
        while !inner.is_empty() {
            inner = folder_of(inner);
            if let Some(&place) = self.by_dir.get(inner) {
                return Some(place);
            }
        }
        None
    }
}

/// Product is what is left when tests and the like are taken away; where nothing is left, they are the product.
fn roles(tree: &Tree) -> Vec<Role> {
    let mut roles: Vec<Role> = tree.files.iter().map(|file| Role::of(&file.path)).collect();
    let is_product_code = |(file, role): (&crate::tree::TreeFile, &Role)| {
        *role == Role::Product && file.language.is_some_and(is_code)
    };
    if !tree.files.iter().zip(&roles).any(is_product_code) {
        for role in roles
            .iter_mut()
            .filter(|role| matches!(role, Role::Example | Role::Docs | Role::Tooling))
        {
            *role = Role::Product;
        }
    }
    roles
}

fn folders<'a>(tree: &'a Tree, roles: &[Role]) -> BTreeMap<&'a str, Folder<'a>> {
    let mut counts: FxHashMap<&str, Folder> = FxHashMap::default();
    for (file, _) in tree.files.iter().zip(roles).filter(|(_, role)| **role == Role::Product) {
        let mut inner = folder_of(&file.path);
        let is_code = file.language.is_some_and(is_code);
        counts.entry(inner).or_default().direct +=
            u32::from(is_code && !is_folder_file(name_of(&file.path)));
        loop {
            let folder = counts.entry(inner).or_default();
            folder.files += 1;
            folder.code += u32::from(is_code);
            if inner.is_empty() {
                break;
            }
            inner = folder_of(inner);
        }
    }
    let mut folders: BTreeMap<&str, Folder> = counts.into_iter().collect();
    let paths: Vec<&str> = folders.keys().copied().filter(|path| !path.is_empty()).collect();
    for path in paths {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        folders.get_mut(parent).expect("counted with its child").children.push(name);
    }
    folders
}

/// TSX is TypeScript here: which of the two a file is in says little about a project.
fn main_language(tree: &Tree, roles: &[Role]) -> Option<Language> {
    let mut lines: BTreeMap<Language, u64> = BTreeMap::new();
    for (file, _) in tree.files.iter().zip(roles).filter(|(_, role)| **role == Role::Product) {
        if let Some(language) = file.language.filter(|&language| is_code(language)) {
            let language = if language == Language::Tsx { Language::TypeScript } else { language };
            *lines.entry(language).or_default() += u64::from(file.lines);
        }
    }
    lines
        .into_iter()
        .max_by_key(|&(language, lines)| (lines, Reverse(language)))
        .map(|(language, _)| language)
}

fn lines_by_dir<'a>(
    tree: &Tree,
    roles: &[Role],
    packages: &[Package<'a>],
) -> FxHashMap<&'a str, u64> {
    let mut lines: FxHashMap<&'a str, u64> =
        packages.iter().map(|package| (package.dir, 0)).collect();
    for (file, _) in tree.files.iter().zip(roles).filter(|(_, role)| **role == Role::Product) {
        if !file.language.is_some_and(is_code) {
            continue;
        }
        let mut inner = folder_of(&file.path);
        loop {
            if let Some(sum) = lines.get_mut(inner) {
                *sum += u64::from(file.lines);
                break;
            }
            if inner.is_empty() {
                break;
            }
            inner = folder_of(inner);
        }
    }
    lines
}

fn is_folder_file(name: &str) -> bool {
    matches!(name, "__init__.py" | "mod.rs" | "index.ts" | "index.js" | "doc.go")
}

pub(super) fn depth(path: &str) -> usize {
    path.bytes().filter(|&byte| byte == b'/').count()
}

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn join(dir: &str, inner: &str) -> String {
    if dir.is_empty() { inner.to_owned() } else { format!("{dir}/{inner}") }
}

pub(super) fn is_inside(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

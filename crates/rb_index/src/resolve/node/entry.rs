//! Which file of the tree a package gives to those who import it.
//!
//! `exports` and its conditions first, then `types`, `main` and their like, then `index`. Packages publish what they
//! build, and the tree holds what they are built from: an entry that is not in the tree is turned back into its source,
//! `dist/a.js` into `src/a.ts`, since that is the file that is meant.

use super::files::{file_name, fill_stars, join};
use super::json::Json;
use super::package::Package;
use super::probe::Probe;
use super::tsconfig::{Config, Configs};
use crate::tree::FileId;

/// Folders that say how something was built, not what it is.
const FORMATS: &[&str] = &[
    "dist", "build", "lib", "out", "esm", "cjs", "es", "umd", "mjs", "module", "commonjs", "types",
    "typings", "bundle", "bundles", "node", "browser", "modern", "legacy", "es6", "es2015",
    "es2020", "package", "src",
];
/// Packages have a handful of conditions. What comes after so many targets is not looked at.
const MAX_TARGETS: usize = 256;
const SOURCE_FOLDERS: &[&str] = &["src", "source", "lib", ""];

#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) probe: Probe<'a>,
    pub(super) configs: &'a Configs,
    /// Of the importing file.
    pub(super) config: &'a Config,
    pub(super) required: bool,
}

/// Which conditions count. Each step takes more of them, so that what TypeScript takes is taken first.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    TypeScript,
    Source,
    All,
}

/// Where the targets are looked for: as they are named, or as what they are built from.
#[derive(Clone, Copy, PartialEq)]
enum TargetForm {
    Named,
    Source,
}

const STEPS: &[(Step, TargetForm)] = &[
    (Step::TypeScript, TargetForm::Named),
    (Step::Source, TargetForm::Named),
    (Step::TypeScript, TargetForm::Source),
    (Step::All, TargetForm::Named),
    (Step::All, TargetForm::Source),
];

impl Entry<'_> {
    /// `inner` is what stands behind the package's name: empty, or `/a/b`.
    pub(super) fn of(&self, package: &Package, inner: &str) -> Option<FileId> {
        let key = format!(".{inner}");
        if let Some((target, star)) = package.exports.get(&key) {
            if *target == Json::Null {
                return None;
            }
            let found = self
                .target(target, &mut |text, place| self.leaf(package, &filled(text, star)?, place));
            if found.is_some() {
                return found;
            }
        }
        if inner.is_empty() { self.main(package) } else { self.inner(package, inner) }
    }

    /// What `imports` says of `#name`; a target may be another package, which `bare` resolves.
    pub(super) fn import<T>(
        &self,
        package: &Package,
        name: &str,
        inside: impl Fn(FileId) -> T,
        bare: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let (target, star) = package.imports.get(name)?;
        self.target(target, &mut |text, place| {
            let text = filled(text, star)?;
            if text.starts_with('.') {
                self.leaf(package, &text, place).map(&inside)
            } else {
                bare(&text)
            }
        })
    }

    fn target<T>(
        &self,
        target: &Json,
        leaf: &mut dyn FnMut(&str, TargetForm) -> Option<T>,
    ) -> Option<T> {
        let mut left = MAX_TARGETS;
        let mut bounded = |text: &str, place| {
            left = left.checked_sub(1)?;
            leaf(text, place)
        };
        STEPS
            .iter()
            .find_map(|&(step, place)| self.walk(target, step, &mut |text| bounded(text, place)))
    }

    /// The first leaf that leads somewhere. `Json` bounds the depth.
    fn walk<T>(
        &self,
        target: &Json,
        step: Step,
        leaf: &mut dyn FnMut(&str) -> Option<T>,
    ) -> Option<T> {
        match target {
            Json::Text(text) => leaf(text),
            Json::List(items) => items.iter().find_map(|item| self.walk(item, step, leaf)),
            Json::Object(entries) => entries
                .iter()
                .filter(|(condition, _)| self.takes(condition, step))
                .find_map(|(_, value)| self.walk(value, step, leaf)),
            Json::Null | Json::Bool(_) | Json::Number => None,
        }
    }

    fn takes(&self, condition: &str, step: Step) -> bool {
        let by_typescript = match condition {
            "types" | "node" | "default" => true,
            "import" => !self.required,
            "require" => self.required,
            other => {
                other.starts_with("types@")
                    || self.config.conditions.iter().any(|custom| **custom == *other)
            }
        };
        let names_source = matches!(condition, "source" | "development" | "import" | "require");
        by_typescript || step == Step::All || (step == Step::Source && names_source)
    }

    fn leaf(&self, package: &Package, target: &str, place: TargetForm) -> Option<FileId> {
        let path = join(&package.folder, target)?;
        match place {
            TargetForm::Named => self.probe.declared(&path),
            TargetForm::Source => self.source(package, target),
        }
    }

    fn main(&self, package: &Package) -> Option<FileId> {
        let named =
            || package.entries.iter().find_map(|entry| self.leaf(package, entry, TargetForm::Named));
        let built =
            || package.entries.iter().find_map(|entry| self.leaf(package, entry, TargetForm::Source));
        let index = || self.probe.module(&package.folder, ".");
        named().or_else(index).or_else(built).or_else(|| self.in_source_folders(package, "index"))
    }

    fn inner(&self, package: &Package, inner: &str) -> Option<FileId> {
        let path = join(&package.folder, inner)?;
        let named = self.probe.module(&path, inner);
        named
            .or_else(|| self.source(package, inner))
            .or_else(|| self.in_source_folders(package, inner))
    }

    /// What `target` is built from: by the package's own configs, then by the usual names of folders.
    fn source(&self, package: &Package, target: &str) -> Option<FileId> {
        let built = join(&package.folder, target)?;
        let configs = self.configs.in_folder(&package.folder);
        let by_config = configs
            .flat_map(|config| config.sources_of(&built))
            .find_map(|path| self.probe.source(&path));
        by_config.or_else(|| {
            let mut rest = target.trim_start_matches("./").split_once('/')?.1;
            loop {
                if let Some(found) = self.in_source_folders(package, rest) {
                    return Some(found);
                }
                let (folder, inner) = rest.split_once('/')?;
                // Without a `rootDir`, tsc repeats the folders of a workspace: `dist/a/src/index.js` for `packages/a`.
                let repeated = folder == file_name(&package.folder);
                (repeated || FORMATS.contains(&folder)).then_some(())?;
                rest = inner;
            }
        })
    }

    fn in_source_folders(&self, package: &Package, inner: &str) -> Option<FileId> {
        SOURCE_FOLDERS.iter().find_map(|folder| {
            let path = join(&join(&package.folder, folder)?, inner)?;
            self.probe.source(&path)
        })
    }
}

/// The target with its stars filled; one that ends in a slash gets the rest behind it.
fn filled(target: &str, star: Option<&str>) -> Option<String> {
    match star {
        Some(star) if target.ends_with('/') => Some(format!("{target}{star}")),
        Some(star) => fill_stars(target, star),
        None => Some(target.to_owned()),
    }
}

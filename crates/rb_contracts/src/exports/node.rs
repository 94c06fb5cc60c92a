//! Public names of npm packages: from the entries of `package.json`, through re-exports, to the declarations.
//!
//! Which file an entry means is asked of the index, which turns built files back into their source. A private package
//! without `exports` promises something only to the other packages of the repository that import it.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::FileId;
use rb_index::resolve::{Resolution, Resolver};
use rb_lang::{Import, ImportKind, Language};

use super::manifest::{self, Manifest};
use super::modules::Modules;
use super::{ExportSite, emit};
use crate::error::ContractError;
use crate::model::{Snapshot, Unread};
use crate::sources::{Sources, below, folder, join, upward};

pub(super) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    let resolver = Resolver::new(sources.view.tree);
    let modules = Modules::new(sources);
    let folders: BTreeSet<&str> =
        sources.manifests("package.json").map(|(_, folder, _)| folder).collect();
    let imported = imported_from_elsewhere(sources, &folders);
    for (id, folder, text) in sources.manifests("package.json") {
        let Some(manifest) = manifest::read(text) else {
            let words = "is not valid JSON, so its entry points are unknown".to_owned();
            snapshot.unread.push(Unread { file: sources.path(id).to_owned(), words });
            continue;
        };
        if manifest.is_private && !manifest.has_exports && !imported.contains(folder) {
            continue;
        }
        let package = Package { folder, folders: &folders, manifest: &manifest };
        package.read(sources, &resolver, &modules, snapshot)?;
    }
    Ok(())
}

/// The folders of packages that files of other packages import.
fn imported_from_elsewhere<'a>(
    sources: &Sources<'a>,
    folders: &BTreeSet<&'a str>,
) -> BTreeSet<&'a str> {
    let home = |id| package_of(sources.path(id), folders);
    let edges = sources.view.edges();
    let across = edges.iter().filter_map(|&(from, to)| {
        let (from, to) = (home(from), home(to)?);
        (from != Some(to)).then_some(to)
    });
    across.collect()
}

fn package_of<'a>(path: &'a str, folders: &BTreeSet<&str>) -> Option<&'a str> {
    upward(folder(path)).find(|folder| folders.contains(folder))
}

struct Package<'a> {
    folder: &'a str,
    folders: &'a BTreeSet<&'a str>,
    manifest: &'a Manifest,
}

/// A pattern is filled from this many files at most.
const MAX_FILLED: usize = 5000;

impl Package<'_> {
    fn read(
        &self,
        sources: &Sources<'_>,
        resolver: &Resolver<'_>,
        modules: &Modules<'_, '_>,
        snapshot: &mut Snapshot,
    ) -> Result<(), ContractError> {
        let Some(inside) = self.a_file(sources) else { return Ok(()) };
        let name = self.manifest.name.as_deref().unwrap_or(self.folder);
        for (entry, targets) in self.entries(sources, resolver, inside) {
            let Some(file) = self.resolve(sources, resolver, inside, &entry) else {
                if !targets.is_empty() {
                    let file = join(self.folder, "package.json");
                    let words = format!(
                        "`{entry}` names {}, which is built from a source that was not found",
                        quoted(&targets)
                    );
                    snapshot.unread.push(Unread { file, words });
                }
                continue;
            };
            for (export, found) in &modules.of(file)? {
                for declared in found.declared.iter() {
                    let place = ExportSite {
                        package: name,
                        entry: &entry,
                        file: sources.path(found.file),
                        hidden: false,
                    };
                    emit(snapshot, place, export, declared);
                }
            }
        }
        Ok(())
    }

    /// Any source file of the package: imports are resolved as if they stood there.
    fn a_file(&self, sources: &Sources<'_>) -> Option<FileId> {
        let mut files = sources.view.tree.ids().filter(|id| {
            let file = sources.view.tree.get(*id);
            is_ecma(file.language) && package_of(&file.path, self.folders) == Some(self.folder)
        });
        files.by_ref().min_by_key(|id| sources.path(*id).matches('/').count())
    }

    /// Entries with their stars filled.
    fn entries(
        &self,
        sources: &Sources<'_>,
        resolver: &Resolver<'_>,
        inside: FileId,
    ) -> Vec<(String, Vec<String>)> {
        let mut out = BTreeMap::new();
        for (entry, targets) in &self.manifest.entries {
            let Some((before, after)) = entry.split_once('*') else {
                out.insert(entry.clone(), targets.clone());
                continue;
            };
            let files = sources.files().filter(|(_, _, language)| is_ecma(*language));
            for (id, path, _) in files.take(MAX_FILLED) {
                let Some(inner) = below(path, self.folder) else { continue };
                for star in stars(inner) {
                    // A star that begins with a folder of sources leads past what is published, unless it is named so.
                    let is_named = || {
                        let filled = targets.iter().map(|target| target.replacen('*', star, 1));
                        filled.into_iter().any(|it| {
                            it.trim_start_matches("./").starts_with(star) && inner.starts_with(star)
                        })
                    };
                    if ["src/", "source/"].iter().any(|it| star.starts_with(it)) && !is_named() {
                        continue;
                    }
                    let filled = format!("{before}{star}{after}");
                    if self.resolve(sources, resolver, inside, &filled) == Some(id) {
                        out.insert(filled, Vec::new());
                        break;
                    }
                }
            }
        }
        out.into_iter().collect()
    }

    fn resolve(
        &self,
        sources: &Sources<'_>,
        resolver: &Resolver<'_>,
        inside: FileId,
        entry: &str,
    ) -> Option<FileId> {
        let name = self.manifest.name.as_deref()?;
        let specifier = format!("{name}{}", entry.strip_prefix('.').unwrap_or_default());
        let import = Import {
            specifier: specifier.into(),
            kind: ImportKind::Static,
            names: Vec::new(),
            line: 0,
            uses: 0,
        };
        match resolver.resolve(inside, &import) {
            Resolution::Inside(files) => {
                files.first().copied().filter(|file| is_ecma(sources.view.tree.get(*file).language))
            }
            Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => None,
        }
    }
}

/// What a star may stand for so that the file is meant: the ends of its path, with and without the extension.
fn stars(path: &str) -> Vec<&str> {
    let bare = path.rsplit_once('.').map_or(path, |(bare, _)| bare);
    let bare = bare.strip_suffix(".d").unwrap_or(bare);
    let ends = |text| {
        let mut next = Some(text);
        std::iter::from_fn(move || {
            let this: &str = next?;
            next = this.split_once('/').map(|(_, rest)| rest);
            Some(this)
        })
    };
    let index = bare.strip_suffix("/index");
    ends(bare).chain(index.into_iter().flat_map(ends)).chain(ends(path)).collect()
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn is_ecma(language: Option<Language>) -> bool {
    matches!(language, Some(Language::JavaScript | Language::TypeScript | Language::Tsx))
}

//! Public names of Python packages: `__all__` where it is written, else what has no leading underscore.
//!
//! A package counts when the repository has something to install it by. A name that a public module merely imports is no
//! promise, but kept as an alias: when a declaration moves and the old module imports it, nobody notices.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Import, ImportKind, Language};

use super::python_declared::{self, Module, is_public};
use super::{Declared, ExportSite, emit};
use crate::error::ContractError;
use crate::model::{Alias, Kind, Snapshot};
use crate::sources::{Sources, file_name, folder, stem, upward};

pub(super) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    let paths: BTreeSet<&str> = sources.view.tree.files.iter().map(|file| &*file.path).collect();
    let manifests = ["pyproject.toml", "setup.py", "setup.cfg"];
    let roots: BTreeSet<&str> = paths
        .iter()
        .filter(|path| manifests.contains(&file_name(path)))
        .map(|path| folder(path))
        .collect();
    let named = sources.files().filter_map(|(id, path, language)| {
        let is_python = language == Some(Language::Python) && !is_stub(path);
        let is_installed = || upward(folder(path)).any(|folder| roots.contains(folder));
        (is_python && is_installed()).then(|| Some((id, module_name(path, &paths)?))).flatten()
    });
    let named: Vec<(FileId, String)> = named.collect();
    let ids: Vec<FileId> = named.iter().map(|(id, _)| *id).collect();
    let mut parsed = sources.parse_new::<File, _>(&ids, python_declared::module)?;
    let mut modules = BTreeMap::new();
    for (id, name) in named {
        let file = sources.reading(id, || {
            let module = parsed.remove(&id).unwrap_or_default();
            Ok(File { module, imports: sources.facts(id)?.imports })
        })?;
        modules.insert(id, Read { name, file });
    }
    let packages = Packages { sources, modules };
    for (&id, read) in &packages.modules {
        packages.emit(id, read, snapshot);
    }
    Ok(())
}

/// A stub says the types of the module beside it once more.
fn is_stub(path: &str) -> bool {
    path.rsplit('.').next() == Some("pyi")
}

/// The dotted name of a module in a package; `None` for a script beside one.
fn module_name(path: &str, paths: &BTreeSet<&str>) -> Option<String> {
    let mut parts = Vec::new();
    if stem(path) == "__main__" {
        return None;
    }
    if stem(path) != "__init__" {
        parts.push(stem(path));
    }
    let packages: Vec<&str> = upward(folder(path))
        .take_while(|folder| {
            !folder.is_empty() && paths.contains(format!("{folder}/__init__.py").as_str())
        })
        .collect();
    parts.extend(packages.iter().map(|folder| file_name(folder)));
    parts.reverse();
    (!packages.is_empty()).then(|| parts.join("."))
}

struct Read {
    name: String,
    file: Rc<File>,
}

struct File {
    module: Module,
    imports: Vec<Import>,
}

impl Read {
    /// What `from … import *` takes.
    fn offered(&self) -> impl Iterator<Item = &str> {
        let listed = self.file.module.all.iter().flatten().map(String::as_str);
        let own = self.file.module.declared.iter().map(|declared| declared.name.as_str());
        let own = own.filter(|name| self.file.module.all.is_none() && is_public(name));
        listed.chain(own)
    }
}

struct Packages<'s, 'a> {
    sources: &'s Sources<'a>,
    modules: BTreeMap<FileId, Read>,
}

/// A longer chain of imports leads nowhere that a person would follow.
const MAX_CHAIN: usize = 16;

impl Packages<'_, '_> {
    fn emit(&self, id: FileId, read: &Read, snapshot: &mut Snapshot) {
        let package = read.name.split('.').next().unwrap_or_default();
        let is_private = read.name.split('.').any(|part| !is_public(part));
        let is_init = stem(self.sources.path(id)) == "__init__";
        let place = |file, hidden| ExportSite { package, entry: &read.name, file, hidden };
        let listed = read.file.module.all.as_ref();
        for declared in &read.file.module.declared {
            let is_offered = listed
                .map_or_else(|| is_public(&declared.name), |all| all.contains(&declared.name));
            let hidden = is_private || !is_offered;
            // A private base still gives its members to a public class.
            if !hidden || declared.kind == Kind::Class || is_private {
                emit(snapshot, place(self.sources.path(id), hidden), &declared.name, declared);
            }
        }
        for (local, target, name) in self.imported(id, read) {
            let is_offered =
                listed.map_or(is_init && is_public(&local), |all| all.contains(&local));
            let found = self.find(target, &name, 0);
            match found {
                Some((file, declared)) if is_offered => {
                    emit(snapshot, place(self.sources.path(file), is_private), &local, declared);
                }
                // A list that leaves it out says that it is not for others.
                Some(_) if listed.is_some() => {}
                Some((file, declared)) => snapshot.aliases.push(Alias {
                    package: package.to_owned(),
                    entry: read.name.clone(),
                    name: local,
                    to_entry: self.modules[&file].name.clone(),
                    to_name: declared.name.clone(),
                }),
                None => {}
            }
        }
    }

    /// The names that a module takes from others of the repository: name here, file, name there.
    fn imported(&self, id: FileId, read: &Read) -> Vec<(String, FileId, String)> {
        let mut out = Vec::new();
        for (import, resolution) in read.file.imports.iter().zip(self.sources.resolutions(id)) {
            let Resolution::Inside(files) = resolution else { continue };
            for name in import.names.iter().filter(|_| import.kind != ImportKind::Dynamic) {
                for &file in files {
                    let Some(target) = self.modules.get(&file) else { continue };
                    if &*name.name == "*" {
                        let all = target.offered().map(|it| (it.to_owned(), file, it.to_owned()));
                        out.extend(all);
                    } else {
                        out.push((name.local.to_string(), file, name.name.to_string()));
                    }
                }
            }
        }
        out
    }

    fn find(&self, file: FileId, name: &str, depth: usize) -> Option<(FileId, &Declared)> {
        let read = self.modules.get(&file)?;
        let own = read.file.module.declared.iter().find(|declared| declared.name == name);
        if let Some(own) = own {
            return Some((file, own));
        }
        if depth >= MAX_CHAIN {
            return None;
        }
        let imported = self.imported(file, read);
        let (_, target, there) = imported.into_iter().find(|(local, _, _)| local == name)?;
        self.find(target, &there, depth + 1)
    }
}

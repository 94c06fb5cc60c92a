//! From the imports of a file to other files.
//!
//! The project around it is the one of today. A file that is gone since then is found by its path alone, and asks from
//! the place of a neighbour that is still there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rb_lang::Language;

use super::Change;
use super::doubts::Doubts;
use super::loads::{How, Loads, Request};
use super::packages::{About, Led, PackageFile, Packages};
use super::paths::{is_asset, joined, parent};
use crate::project::split_specifier;
use crate::world::{Target, World};

#[derive(Clone)]
pub(super) enum File {
    /// Of the project, by its path.
    Own(String),
    Installed(PackageFile),
}

#[derive(PartialEq, Eq, Hash)]
pub(super) enum Key {
    Own(String),
    Installed(PathBuf),
}

impl File {
    pub(super) fn key(&self) -> Key {
        match self {
            File::Own(path) => Key::Own(path.clone()),
            File::Installed(file) => Key::Installed(file.place()),
        }
    }

    pub(super) fn about(&self) -> Option<&Arc<About>> {
        match self {
            File::Own(_) => None,
            File::Installed(file) => Some(&file.about),
        }
    }
}

/// A text, and where its imports lead.
pub(super) struct Loaded {
    pub(super) loads: Arc<Loads>,
    /// With whether it is by `import()`.
    pub(super) leads: Vec<(File, bool)>,
    pub(super) doubts: Doubts,
}

pub(super) struct ImpactContext<'w> {
    pub(super) world: &'w dyn World,
    pub(super) packages: Packages<'w>,
    pub(super) changed: &'w BTreeMap<String, Change>,
    /// Files that are looked at, sorted.
    pub(super) paths: Vec<String>,
}

impl ImpactContext<'_> {
    /// Before and after.
    pub(super) fn load(&self, file: &File) -> [Option<Arc<Loaded>>; 2] {
        let twice = |it: Option<Arc<Loaded>>| [it.clone(), it];
        match file {
            File::Installed(file) => twice(Some(Arc::new(self.load_installed(file)))),
            File::Own(path) => match self.changed.get(path) {
                Some(Change { before, after }) => [before, after]
                    .map(|text| text.as_ref().map(|text| Arc::new(self.load_own(path, text)))),
                None if is_script(path) => {
                    let text = self.world.text(path);
                    twice(text.map(|text| Arc::new(self.load_own(path, &text))))
                }
                None => twice(self.world.size(path).map(|size| {
                    let loads = Arc::new(Loads::of_data(size));
                    Arc::new(Loaded { loads, leads: Vec::new(), doubts: Doubts::default() })
                })),
            },
        }
    }

    fn load_own(&self, path: &str, text: &str) -> Loaded {
        let language = Language::of_path(path.as_bytes()).filter(|_| is_script(path));
        let loads = match language {
            Some(language) => Loads::of_own(language, text),
            None => Loads::of_data(text.len() as u64),
        };
        let mut doubts = Doubts { computed: loads.computed.into(), ..Doubts::default() };
        if loads.is_unread {
            doubts.unread.insert(path.to_owned());
        }
        let mut to = Vec::new();
        for request in &loads.requests {
            let is_later = request.how == How::Later;
            let files = self.of_own_import(path, request, &mut doubts);
            to.extend(files.into_iter().map(|file| (file, is_later)));
        }
        Loaded { loads: Arc::new(loads), leads: to, doubts }
    }

    fn of_own_import(&self, from: &str, request: &Request, doubts: &mut Doubts) -> Vec<File> {
        let specifier = &*request.specifier;
        let asks = self.place_of(from);
        let target = if asks == from || !specifier.starts_with('.') {
            self.world.resolve(asks, specifier)
        } else {
            Target::Unknown
        };
        match target {
            Target::File(path) if is_counted(&path) => vec![File::Own(path)],
            Target::File(_) => Vec::new(),
            Target::Package(name) => {
                match self.packages.of_own_import(asks, specifier, request.how) {
                    Led::To(file) => return self.direct(asks, &name, &file, request),
                    Led::Nowhere => {}
                    // `virtual:pwa` is made by a plugin of the bundler.
                    Led::Unknown if specifier.contains(':') => {
                        doubts.unresolved.insert((from.to_owned(), specifier.to_owned()));
                    }
                    Led::Unknown if is_asset(specifier) => {}
                    Led::Unknown => {
                        doubts.missing.insert(split_specifier(specifier).0.to_owned());
                    }
                }
                Vec::new()
            }
            // A package may bear the name of one.
            Target::Builtin => match self.packages.of_own_import(asks, specifier, request.how) {
                Led::To(file) => vec![File::Installed(file)],
                Led::Nowhere | Led::Unknown => Vec::new(),
            },
            Target::Unknown => {
                let found = self.by_path(from, specifier);
                if found.is_none() && !is_asset(specifier) {
                    doubts.unresolved.insert((from.to_owned(), specifier.to_owned()));
                }
                found.filter(|path| is_counted(path)).map(File::Own).into_iter().collect()
            }
        }
    }

    /// The file itself, or one near it where it is gone.
    fn place_of<'s>(&'s self, from: &'s str) -> &'s str {
        if self.world.size(from).is_some() {
            return from;
        }
        let mut folders = std::iter::successors(Some(parent(from)), |folder| {
            (!folder.is_empty()).then(|| parent(folder))
        });
        let near = folders.find_map(|folder| {
            let first = self.paths.partition_point(|path| path.as_str() < folder);
            self.paths.get(first).filter(|path| path.starts_with(folder))
        });
        near.map_or(from, String::as_str)
    }

    /// Among the files that are there and those that are gone.
    fn by_path(&self, from: &str, specifier: &str) -> Option<String> {
        const ENDS: &[&str] = &["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".json"];
        const INDEX: &[&str] = &["/index.ts", "/index.tsx", "/index.js", "/index.jsx"];
        let ends = || ENDS.iter().chain(INDEX);
        if specifier.starts_with('.') {
            let place = joined(parent(from), specifier)?;
            let mut places = ends().map(|end| format!("{place}{end}"));
            return places
                .find(|it| self.changed.contains_key(it) || self.world.size(it).is_some());
        }
        // `@/ui/button`: what an alias leads to ends like it.
        let inner = specifier.split_once('/')?.1;
        let mut gone = self.changed.iter().filter(|(_, it)| it.after.is_none());
        let fits = |path: &str| ends().any(|end| path.ends_with(&format!("/{inner}{end}")));
        gone.find(|(path, _)| fits(path)).map(|(path, _)| path.clone())
    }

    /// The modules that names come from, where the bundler sees through the index of a package by itself.
    fn direct(&self, from: &str, name: &str, file: &PackageFile, request: &Request) -> Vec<File> {
        let names = request.names.as_ref().filter(|_| self.world.is_optimized(from, name));
        let origins: Option<Vec<PackageFile>> =
            names.and_then(|names| names.iter().map(|it| self.packages.origin(file, it)).collect());
        let files = origins.filter(|it| !it.is_empty()).unwrap_or_else(|| vec![file.clone()]);
        files.into_iter().map(File::Installed).collect()
    }

    fn load_installed(&self, file: &PackageFile) -> Loaded {
        let name = || file.label();
        let mut doubts = Doubts::default();
        let Some(loads) = self.packages.loads(file) else {
            doubts.unread.insert(name());
            let loads = Arc::new(Loads::default());
            return Loaded { loads, leads: Vec::new(), doubts };
        };
        doubts.computed = loads.computed.into();
        if loads.is_unread {
            doubts.unread.insert(name());
        }
        let mut to = Vec::new();
        for request in &loads.requests {
            match self.packages.of_inner_import(file, &request.specifier, request.how) {
                Led::To(file) => to.push((File::Installed(file), request.how == How::Later)),
                Led::Nowhere => {}
                Led::Unknown => {
                    let is_known =
                        is_asset(&request.specifier) || self.is_builtin(&request.specifier);
                    doubts.unresolved_in_packages += u64::from(!is_known);
                }
            }
        }
        Loaded { loads, leads: to, doubts }
    }

    fn is_builtin(&self, specifier: &str) -> bool {
        let asks = self.paths.first();
        asks.is_some_and(|from| self.world.resolve(from, specifier) == Target::Builtin)
    }
}

fn is_script(path: &str) -> bool {
    let is_declaration = [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end));
    let language = Language::of_path(path.as_bytes());
    let is_read =
        matches!(language, Some(Language::JavaScript | Language::TypeScript | Language::Tsx));
    is_read && !is_declaration
}

fn is_counted(path: &str) -> bool {
    is_script(path) || path.rsplit_once('.').is_some_and(|(_, end)| end == "json")
}

//! A project of JavaScript and TypeScript: facts of each file, read once, where specifiers lead, and who refers to whom.
//!
//! `Project` is made for one state of the files. What a change makes is looked at by another one, over an `Overlay`.

mod declarations;
mod effects;
pub(crate) mod facts;
mod load;
mod names;
mod needles;
mod origin;
mod references;
mod specifiers;
mod statements;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rb_ecma::links::{LinkedFiles, Links, Target, specifier_in_style};
use rb_ecma::{Module, with_module};
use rb_index::resolve::{Resolution, Resolver, is_manifest};
use rb_index::{Tree, TreeFile};
use rb_lang::{Import, ImportKind, Language};
use rb_operations::{Files, Place, Refusal};

pub(crate) use self::facts::{
    Binding, Declaration, DeclarationKind, Extra, Hazard, ImportStatement, ModuleFacts, NameUse,
    Piece, Shape, Specifier, SpecifierKind, StatementName,
};
pub(crate) use self::origin::Origin;
pub(crate) use self::references::ReferenceKind;

/// The files as the resolver sees them.
pub(crate) fn tree_of(files: &dyn Files) -> Tree {
    let mut all: Vec<TreeFile> = files
        .paths()
        .into_iter()
        .map(|path| TreeFile {
            language: Language::of_path(path.as_bytes()),
            manifest: is_manifest(&path)
                .then(|| files.text(&path).map(|text| (*text).into()))
                .flatten(),
            path: path.into(),
            ..TreeFile::default()
        })
        .collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Tree { files: all }
}

/// One state of the files.
pub(crate) struct Project<'p> {
    pub(crate) files: &'p dyn Files,
    tree: &'p Tree,
    resolver: Resolver<'p>,
    modules: Mutex<BTreeMap<String, Option<Arc<ModuleFacts>>>>,
    users: Mutex<BTreeMap<String, Arc<Vec<String>>>>,
}

impl<'p> Project<'p> {
    pub(crate) fn new(files: &'p dyn Files, tree: &'p Tree) -> Self {
        let resolver = Resolver::new(tree);
        Project { files, tree, resolver, modules: Mutex::default(), users: Mutex::default() }
    }

    /// The facts of a file; `None` where it is not there, is not JavaScript or TypeScript, or does not parse.
    pub(crate) fn module(&self, path: &str) -> Option<Arc<ModuleFacts>> {
        if let Some(known) = locked(&self.modules).get(path) {
            return known.clone();
        }
        let facts = self.parsed(path, |module| Arc::new(ModuleFacts::read(self, path, module)));
        locked(&self.modules).insert(path.to_owned(), facts.clone());
        facts
    }

    /// The facts of a file that an operation is about.
    pub(crate) fn required(&self, path: &str) -> Result<Arc<ModuleFacts>, Refusal> {
        if self.files.text(path).is_none() {
            return Err(Refusal::new(format!("{path} does not exist"), "give another path"));
        }
        self.module(path).ok_or_else(|| {
            Refusal::new(format!("{path} has syntax errors"), "fix the syntax errors first")
        })
    }

    /// Parses a file anew and hands it to `work`.
    pub(crate) fn parsed<T: Send>(
        &self,
        path: &str,
        work: impl FnOnce(&Module<'_>) -> T + Send,
    ) -> Option<T> {
        let language = Language::of_path(path.as_bytes()).filter(|_| is_script(path))?;
        let text = self.files.text(path)?;
        with_module(language, &text, work)
    }

    /// Where a specifier of a file leads.
    pub(crate) fn resolve(&self, from: &str, specifier: &str) -> Target {
        self.resolve_as(from, specifier, ImportKind::Static)
    }

    pub(crate) fn resolve_as(&self, from: &str, specifier: &str, kind: ImportKind) -> Target {
        let Some(from) = self.tree.find(from) else { return Target::Unknown };
        let specifier = specifier.into();
        let import = Import { specifier, kind, names: Vec::new(), line: 1, uses: 0 };
        match self.resolver.resolve(from, &import) {
            Resolution::External(name) => Target::Package(name.into()),
            Resolution::Builtin => Target::Builtin,
            Resolution::Unresolved => Target::Unknown,
            Resolution::Inside(files) => {
                let mut paths: Vec<&str> =
                    files.iter().map(|&id| &*self.tree.get(id).path).collect();
                // A declaration file comes with the code that it describes.
                paths.sort_by_key(|path| (!is_script(path), is_declaration_file(path)));
                paths.first().map_or(Target::Unknown, |path| Target::File((*path).to_owned()))
            }
        }
    }

    /// How `from` would name `target`, in the style in which `source` named the file `named`.
    pub(crate) fn specifier(
        &self,
        from: &str,
        target: &str,
        (source, named): (&str, &str),
    ) -> Option<String> {
        let wanted = Target::File(target.to_owned());
        let leads = |specifier: &str| self.resolve(from, specifier) == wanted;
        specifier_in_style(from, source, named, target, &leads)
    }

    /// The files that refer to this one, for types alone, too; sorted.
    pub(crate) fn users_of(&self, path: &str) -> Arc<Vec<String>> {
        if let Some(known) = locked(&self.users).get(path) {
            return Arc::clone(known);
        }
        let needles = needles::needles(self, path);
        let refers = |user: &String| {
            let text = self.files.text(user)?;
            if !needles.iter().any(|needle| text.contains(needle.as_str())) {
                return None;
            }
            let facts = self.module(user)?;
            let mut specifiers = facts.specifiers.iter();
            specifiers
                .any(|it| matches!(&it.target, Target::File(target) if target == path))
                .then_some(())
        };
        let paths = self.files.paths();
        let scripts = paths.into_iter().filter(|it| is_script(it));
        let users = Arc::new(scripts.filter(|it| refers(it).is_some()).collect::<Vec<_>>());
        locked(&self.users).insert(path.to_owned(), Arc::clone(&users));
        users
    }

    /// Files that may refer to this one and cannot be read: they do not parse, or are in another language.
    pub(crate) fn unreadable_users(&self, path: &str) -> Vec<Place> {
        let needles = needles::needles(self, path);
        let mut found = Vec::new();
        for user in self.files.paths() {
            if !is_component(&user) && !is_script(&user) {
                continue;
            }
            let Some(text) = self.files.text(&user) else { continue };
            if !needles.iter().any(|needle| text.contains(needle.as_str())) {
                continue;
            }
            if is_script(&user) && self.module(&user).is_some() {
                continue;
            }
            found.extend(needles::quoted(&text, &needles).into_iter().find_map(
                |(line, written)| {
                    let target = self.resolve(&user, &written);
                    matches!(&target, Target::File(file) if file == path).then(|| Place {
                        path: user.clone(),
                        line,
                        what: written,
                    })
                },
            ));
        }
        found
    }

    pub(crate) fn place(&self, path: &str, offset: u32, what: impl Into<String>) -> Place {
        let text = self.files.text(path).unwrap_or_default();
        let line = rb_ecma::links::line_of(&text, offset);
        Place { path: path.to_owned(), line, what: what.into() }
    }
}

impl LinkedFiles for Project<'_> {
    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.files.text(path)
    }

    fn links(&self, path: &str) -> Option<Arc<Links>> {
        self.module(path).map(|facts| Arc::clone(&facts.links))
    }

    fn users(&self, path: &str) -> Vec<String> {
        self.users_of(path).to_vec()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A JavaScript or TypeScript file.
pub(crate) fn is_script(path: &str) -> bool {
    const ENDINGS: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

pub(crate) fn is_typescript(path: &str) -> bool {
    const ENDINGS: &[&str] = &["ts", "tsx", "mts", "cts"];
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// A component whose script is not read.
fn is_component(path: &str) -> bool {
    const ENDINGS: &[&str] = &["vue", "svelte", "astro", "mdx"];
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

pub(crate) fn is_declaration_file(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

//! The project around a file, from the index and the installed packages.

use std::any::Any;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rb_index::resolve::{Resolution, Resolver};
use rb_index::{FileId, Texts, Tree, View};
use rb_lang::{Import, ImportKind, Language};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::facts::{Facts, FileKind};
use crate::project::{self, Project};
use crate::world::{Condition, Target, World};

/// Answers are kept in so many places, that threads seldom wait for each other.
const SHARDS: usize = 16;

type Answer = Arc<dyn Any + Send + Sync>;
type Answers = FxHashMap<(&'static str, Box<str>, Box<str>), Answer>;

pub struct OverIndex<'v> {
    tree: &'v Tree,
    resolver: Resolver<'v>,
    texts: &'v (dyn Texts + Sync),
    project: &'v Project,
    /// By `FileId`; none for what no rule looks at.
    facts: Vec<Option<Facts>>,
    sizes: Vec<u64>,
    /// Who loads whom: `(to, from)`, sorted.
    loads: Vec<(FileId, FileId)>,
    /// Who uses whom, in any way: `(to, from)`, sorted.
    uses: Vec<(FileId, FileId)>,
    /// Texts that stand for those of the files.
    changed: BTreeMap<String, Arc<str>>,
    answers: [Mutex<Answers>; SHARDS],
}

impl<'v> OverIndex<'v> {
    pub fn new(view: &'v View<'_>, project: &'v Project, texts: &'v (dyn Texts + Sync)) -> Self {
        let ids: Vec<FileId> = view.tree.ids().collect();
        let facts = ids.iter().map(|&id| {
            let language = view.tree.get(id).language;
            language.is_some_and(is_script).then(|| project.facts(view, id))
        });
        OverIndex {
            tree: view.tree,
            resolver: Resolver::new(view.tree),
            texts,
            project,
            facts: facts.collect(),
            sizes: ids.iter().map(|&id| view.file(id).size).collect(),
            loads: backwards(view.loading_edges()),
            uses: backwards(view.edges()),
            changed: BTreeMap::new(),
            answers: std::array::from_fn(|_| Mutex::default()),
        }
    }

    /// Puts a text in the place of a file's. What was answered about any file is forgotten.
    pub fn put(&mut self, path: String, text: impl Into<Arc<str>>) {
        self.changed.insert(path, text.into());
        for shard in &mut self.answers {
            shard.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// The texts that were put in the place of others.
    pub fn changed(&self) -> &BTreeMap<String, Arc<str>> {
        &self.changed
    }

    pub fn all_facts(&self) -> impl Iterator<Item = &Facts> {
        self.facts.iter().flatten()
    }

    /// Is it a component of a Next.js application that no other code of the product uses? What runs there hangs on a route.
    pub fn is_unused(&self, facts: &Facts) -> bool {
        let Some(file) = self.tree.find(&facts.path) else { return false };
        let is_component = [".tsx", ".jsx"].iter().any(|end| facts.path.ends_with(end));
        let is_found_by_name = self.project.file(file).place.is_some() || facts.is_root;
        let is_source = |path: &String| {
            let by = self.tree.find(path).map(|it| self.project.file(it).kind);
            by == Some(FileKind::Source) && **path != *facts.path
        };
        facts.package.uses_next
            && is_component
            && !is_found_by_name
            && !self.users(&facts.path).iter().any(is_source)
    }

    /// Every file in a language that is read, with its language.
    pub fn texts_of_languages(&self) -> impl Iterator<Item = (&str, Language)> {
        let files = self.tree.files.iter();
        files.filter_map(|file| Some((&*file.path, file.language.filter(|it| it.is_read())?)))
    }

    /// The files from which edges lead to this one.
    fn froms(&self, edges: &[(FileId, FileId)], path: &str) -> Vec<String> {
        let Some(file) = self.tree.find(path) else { return Vec::new() };
        let first = edges.partition_point(|(to, _)| *to < file);
        let froms = edges[first..].iter().take_while(|(to, _)| *to == file);
        froms.map(|&(_, from)| self.tree.get(from).path.to_string()).collect()
    }

    fn shard(&self, path: &str) -> MutexGuard<'_, Answers> {
        let at = usize::try_from(FxBuildHasher.hash_one(path) >> 48).unwrap_or(0) % SHARDS;
        // Nothing is left half-done by a thread that dies with it.
        self.answers[at].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Edges by where they lead to.
fn backwards(edges: Vec<(FileId, FileId)>) -> Vec<(FileId, FileId)> {
    let mut edges: Vec<(FileId, FileId)> = edges.into_iter().map(|(from, to)| (to, from)).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

pub(super) fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl World for OverIndex<'_> {
    fn facts(&self, path: &str) -> Option<Facts> {
        self.facts[self.tree.find(path)?.0 as usize].clone()
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        if let Some(text) = self.changed.get(path) {
            return Some(Arc::clone(text));
        }
        self.tree.find(path)?;
        String::from_utf8(self.texts.text(path)?).ok().map(Into::into)
    }

    fn size(&self, path: &str) -> Option<u64> {
        Some(self.sizes[self.tree.find(path)?.0 as usize])
    }

    fn resolve(&self, from: &str, specifier: &str) -> Target {
        let Some(from) = self.tree.find(from) else { return Target::Unknown };
        let import = Import {
            specifier: specifier.into(),
            kind: ImportKind::Static,
            names: Vec::new(),
            line: 0,
            uses: 0,
        };
        match self.resolver.resolve(from, &import) {
            Resolution::Inside(files) => match files.first() {
                Some(&file) => Target::File(self.tree.get(file).path.to_string()),
                None => Target::Unknown,
            },
            Resolution::External(name) => Target::Package(name.into()),
            Resolution::Builtin => Target::Builtin,
            Resolution::Unresolved => Target::Unknown,
        }
    }

    fn importers(&self, path: &str) -> Vec<String> {
        self.froms(&self.loads, path)
    }

    fn users(&self, path: &str) -> Vec<String> {
        self.froms(&self.uses, path)
    }

    fn paths(&self) -> Vec<String> {
        self.all_facts().map(|facts| facts.path.to_string()).collect()
    }

    fn all_paths(&self) -> Vec<String> {
        self.tree.files.iter().map(|file| file.path.to_string()).collect()
    }

    fn is_mocked(&self, specifier: &str) -> bool {
        let mocked = self.project.mocked(self.texts);
        mocked.has(specifier) || mocked.has_file(specifier)
    }

    fn has_loading(&self, path: &str) -> bool {
        self.tree.find(path).is_some_and(|file| self.project.file(file).has_loading)
    }

    fn is_optimized(&self, path: &str, package: &str) -> bool {
        let file = self.tree.find(path);
        file.and_then(|file| self.project.package(file)).is_some_and(|it| it.is_optimized(package))
    }

    fn installed(&self, from: &str, specifier: &str, condition: Condition) -> Option<PathBuf> {
        let (name, inner) = project::split_specifier(specifier);
        let package = self.project.installed().find(name, folder(from))?;
        match condition {
            Condition::Import => package.resolve(inner, &[project::Condition::Import]),
            Condition::Require => package.resolve(inner, &[project::Condition::Require]),
            Condition::Types => package.types(inner).or_else(|| {
                let types = self.project.installed().find(&at_types(name), folder(from))?;
                types.types(inner)
            }),
        }
    }

    fn manifest(&self, from: &str, package: &str) -> Option<Arc<serde_json::Value>> {
        let package = self.project.installed().find(package, folder(from))?;
        package.manifest().map(Arc::new)
    }

    fn installed_text(&self, file: &Path) -> Option<Arc<str>> {
        self.project.installed().text(file).map(Into::into)
    }

    fn recall(&self, question: &'static str, path: &str, key: &str) -> Option<Answer> {
        self.shard(path).get(&(question, path.into(), key.into())).cloned()
    }

    fn remember(&self, question: &'static str, path: &str, key: &str, answer: Answer) {
        self.shard(path).insert((question, path.into(), key.into()), answer);
    }
}

/// Where types of a package that has none are kept: `@types/scope__name`.
fn at_types(name: &str) -> String {
    let inner = name.trim_start_matches('@').replace('/', "__");
    format!("@types/{inner}")
}

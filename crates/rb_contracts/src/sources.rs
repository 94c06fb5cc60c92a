//! What contracts are read from: the index, and the texts of the files that it names.
//!
//! `Sources` gives each reader the files that can hold what it looks for. Tests, examples, vendored and generated files
//! promise nothing to anybody and are left out here, once for all.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread;

use rb_core::Cancel;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::role::Role;
use rb_index::{FileId, Texts, View};
use rb_lang::{Facts, Language};

use crate::error::ContractError;
use crate::memo::Memo;
use crate::syntax::{self, Parsed, Piece};

/// Files that a thread parses in a round.
const PER_THREAD: usize = 32;

pub(crate) struct Sources<'a> {
    pub(crate) view: &'a View<'a>,
    texts: &'a dyn Texts,
    memo: &'a Memo,
    cancel: &'a Cancel,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(
        view: &'a View<'a>,
        texts: &'a dyn Texts,
        memo: &'a Memo,
        cancel: &'a Cancel,
    ) -> Self {
        Sources { view, texts, memo, cancel }
    }

    /// What `read` makes of a file. It is called only for a content that was not read before, and may use nothing but that file's path,
    /// text and facts.
    pub(crate) fn reading<T: 'static>(
        &self,
        id: FileId,
        read: impl FnOnce() -> Result<T, ContractError>,
    ) -> Result<Rc<T>, ContractError> {
        match self.view.file(id).hash {
            Some(content) => self.memo.reading(self.path(id), content, read),
            None => Ok(Rc::new(read()?)),
        }
    }

    /// Files whose promises count, in the order of their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (FileId, &'a str, Option<Language>)> + '_ {
        self.view.tree.ids().filter_map(|id| {
            let file = self.view.tree.get(id);
            // What only gives on is trivial to read, and all the more a promise.
            let trivial = self.view.file(id).trivial;
            let is_ours = trivial.is_none_or(|trivial| trivial.kind() == "trivial");
            (is_ours && is_product(&file.path)).then_some((id, &*file.path, file.language))
        })
    }

    pub(crate) fn path(&self, id: FileId) -> &'a str {
        &self.view.tree.get(id).path
    }

    /// Manifests of one name, with their folders; those of tests and examples are none.
    pub(crate) fn manifests(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (FileId, &'a str, &'a str)> + '_ {
        let files = self.view.tree.ids().map(|id| (id, self.view.tree.get(id)));
        files.filter_map(move |(id, file)| {
            let (folder, last) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let is_it = last == name && is_product(&file.path);
            is_it.then(|| Some((id, folder, file.manifest.as_deref()?))).flatten()
        })
    }

    pub(crate) fn text(&self, path: &str) -> Result<Option<String>, ContractError> {
        self.check()?;
        let bytes = self.texts.text(path);
        Ok(bytes.map(|bytes| {
            let text = String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
        }))
    }

    pub(crate) fn parse(&self, id: FileId) -> Result<Option<Parsed>, ContractError> {
        let file = self.view.tree.get(id);
        let Some(language) = file.language else { return Ok(None) };
        Ok(self.text(&file.path)?.and_then(|text| syntax::parse(language, text)))
    }

    /// What `read` makes of the syntax of each file, on all cores; nothing for a file that was read before or cannot be parsed. `F` is what the
    /// readings of these files are.
    pub(crate) fn parse_new<F: 'static, T: Send>(
        &self,
        ids: &[FileId],
        read: impl Fn(Piece<'_>) -> T + Sync,
    ) -> Result<BTreeMap<FileId, T>, ContractError> {
        let is_new = |id: &FileId| {
            let content = self.view.file(*id).hash;
            content.is_none_or(|content| !self.memo.has::<F>(self.path(*id), content))
        };
        let new: Vec<FileId> = ids.iter().copied().filter(is_new).collect();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let mut out = BTreeMap::new();
        // A round at a time, so that few texts are held at once.
        for round in new.chunks(threads * PER_THREAD) {
            let mut texts = Vec::new();
            for id in round {
                let file = self.view.tree.get(*id);
                if let (Some(language), Some(text)) = (file.language, self.text(&file.path)?) {
                    texts.push((*id, language, text));
                }
            }
            let share = |(id, language, text): (FileId, Language, String)| {
                Some((id, read(syntax::parse(language, text)?.root())))
            };
            let mut shares: Vec<Vec<_>> = (0..threads).map(|_| Vec::new()).collect();
            for (nth, text) in texts.into_iter().enumerate() {
                shares[nth % threads].push(text);
            }
            out.extend(thread::scope(|scope| {
                let work = |texts: Vec<_>| texts.into_iter().filter_map(share).collect::<Vec<_>>();
                let started: Vec<_> =
                    shares.into_iter().map(|texts| scope.spawn(move || work(texts))).collect();
                let done = started.into_iter().map(|one| one.join().expect("a reader panicked"));
                done.flatten().collect::<Vec<_>>()
            }));
        }
        Ok(out)
    }

    pub(crate) fn facts(&self, id: FileId) -> Result<Facts, ContractError> {
        self.check()?;
        Ok(self.view.read_facts(id)?.unwrap_or_default())
    }

    pub(crate) fn resolutions(&self, id: FileId) -> &[Resolution] {
        self.view.resolutions(id)
    }

    fn check(&self) -> Result<(), ContractError> {
        if self.cancel.is_cancelled() { Err(ContractError::Interrupted) } else { Ok(()) }
    }
}

/// Can a change of this file change a contract? Tests, examples, documents and vendored files promise nothing.
pub fn is_product(path: &str) -> bool {
    match Role::of(path) {
        Role::Product => true,
        Role::Tooling | Role::Docs | Role::Example | Role::Test | Role::Vendored => false,
    }
}

/// The folder of a path; empty at the top.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The file name up to its first dot.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// What stands behind `folder/`; `None` where the path is elsewhere.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// Folder and name put together.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The folder and all around it, innermost first, down to the empty one.
pub(crate) fn upward(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let this = next?;
        next = if this.is_empty() { None } else { Some(self::folder(this)) };
        Some(this)
    })
}

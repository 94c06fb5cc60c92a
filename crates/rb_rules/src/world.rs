//! The project around a file, for rules that have to look further.
//!
//! Rules see it through this trait, so that they can be tested on a handful of files in memory.

use std::any::Any;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use rb_ecma::links::Target;
use rb_ecma::{Module, with_module};
use rb_lang::Language;

use crate::exports::{Exported, exported};
use crate::facts::Facts;

/// Under which condition a package is asked for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    Import,
    Require,
    Types,
}

pub trait World: Sync {
    /// `None` for a file that is not there.
    fn facts(&self, path: &str) -> Option<Facts>;
    fn text(&self, path: &str) -> Option<Arc<str>>;
    /// In bytes; also of files that are not read, such as data.
    fn size(&self, path: &str) -> Option<u64>;
    fn resolve(&self, from: &str, specifier: &str) -> Target;
    /// Files whose code loads this one, sorted.
    fn importers(&self, path: &str) -> Vec<String>;
    /// Files that refer to this one in any way, for types alone, too; sorted.
    fn users(&self, path: &str) -> Vec<String>;
    /// Every file that rules look at, sorted.
    fn paths(&self) -> Vec<String>;
    /// Every file of the project, documents and data among them, sorted.
    fn all_paths(&self) -> Vec<String> {
        self.paths()
    }
    /// Does some test put something else in the place of this module? It is a specifier, or the path of a file.
    fn is_mocked(&self, specifier: &str) -> bool;
    /// Does a `loading` file stand for the segment of this one?
    fn has_loading(&self, path: &str) -> bool;
    /// Does the bundler of the file's project make imports of this package direct by itself?
    fn is_optimized(&self, path: &str, package: &str) -> bool;

    /// The file on disk that a specifier of an installed package leads to.
    fn installed(&self, from: &str, specifier: &str, condition: Condition) -> Option<PathBuf>;
    /// The manifest of an installed package, parsed.
    fn manifest(&self, from: &str, package: &str) -> Option<Arc<serde_json::Value>>;
    /// A file of an installed package.
    fn installed_text(&self, file: &Path) -> Option<Arc<str>>;

    /// What was answered before to a question about a file; `None` where it was not asked yet.
    fn recall(
        &self,
        question: &'static str,
        path: &str,
        key: &str,
    ) -> Option<Arc<dyn Any + Send + Sync>>;
    fn remember(
        &self,
        question: &'static str,
        path: &str,
        key: &str,
        answer: Arc<dyn Any + Send + Sync>,
    );
}

/// Question, path and key.
type Asked = (&'static str, Box<str>, Box<str>);

thread_local! {
    /// What this thread is finding out, so that a question that leads back to itself ends.
    static ASKING: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
}

/// A question that is being answered, for as long as this is held.
struct Open;

impl Open {
    /// `None` where it is open already.
    fn new(question: &'static str, path: &str, key: &str) -> Option<Self> {
        ASKING.with_borrow_mut(|asking| {
            let is_open = |it: &Asked| (it.0, &*it.1, &*it.2) == (question, path, key);
            if asking.iter().any(is_open) {
                return None;
            }
            asking.push((question, path.into(), key.into()));
            Some(Open)
        })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        ASKING.with_borrow_mut(Vec::pop);
    }
}

impl dyn World + '_ {
    /// Asks about another file of the project, and asks but once. `question` names what is asked, `key` of what in the
    /// file. `None` where the file cannot be parsed, and where the question leads back to itself.
    pub fn ask<T: Clone + Send + Sync + 'static>(
        &self,
        question: &'static str,
        path: &str,
        key: &str,
        answer: impl FnOnce(&Module<'_>) -> T + Send,
    ) -> Option<T> {
        if let Some(known) = self.recall(question, path, key) {
            return known.downcast_ref::<Option<T>>().cloned().flatten();
        }
        let _open = Open::new(question, path, key)?;
        // A file that needs much room is parsed on a thread of its own, which has to know what is open, too.
        let asking = ASKING.with_borrow(Clone::clone);
        let found = self.with_module(path, |module| {
            let before = ASKING.replace(asking);
            let found = answer(module);
            ASKING.set(before);
            found
        });
        self.remember(question, path, key, Arc::new(found.clone()));
        found
    }

    /// Parses another file of the project.
    pub fn with_module<T: Send>(
        &self,
        path: &str,
        work: impl FnOnce(&Module<'_>) -> T + Send,
    ) -> Option<T> {
        let text = self.text(path)?;
        let language = Language::of_path(path.as_bytes())?;
        with_module(language, &text, work)
    }

    /// The file and the name behind an export, through re-exports: `("a/b.ts", "Button")`, `default` for the default.
    pub fn origin(&self, path: &str, name: &str) -> Option<(String, String)> {
        self.origin_within(path, name, 16)
    }

    /// Past so many files it is taken for a circle.
    fn origin_within(&self, path: &str, name: &str, files: u32) -> Option<(String, String)> {
        let files = files.checked_sub(1)?;
        let next = |specifier: &str, name: &str| {
            let Target::File(next) = self.resolve(path, specifier) else { return None };
            self.origin_within(&next, name, files)
        };
        match self.ask("origin", path, name, |module| exported(module, name))?? {
            Exported::Here => Some((path.to_owned(), name.to_owned())),
            Exported::From { specifier, name } => next(&specifier, &name),
            Exported::Stars(specifiers) => specifiers.iter().find_map(|it| next(it, name)),
        }
    }
}

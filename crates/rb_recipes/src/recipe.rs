//! What a recipe is, and what it is given to plan with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rb_core::{Cancel, Progress};
use rb_ecma::{Module, with_module};
use rb_lang::Language;
use rb_language_servers::Renamer;
use rb_rules::{FileKind, World};
use thiserror::Error;

use crate::plan::Plan;

/// A larger file was not written by hand.
const MAX_BYTES: u64 = 1 << 20;
/// Files that a thread takes at a time.
const SHARE: usize = 8;

pub struct Recipe {
    pub id: &'static str,
    pub title: &'static str,
    pub doc: Doc,
    /// Words of which one must stand in a file where a site can be. A project without them costs a search of its texts.
    pub wants: &'static [&'static str],
    /// Arguments that it needs: `symbol`, `to`.
    pub needs: &'static [&'static str],
    /// Arguments that may be given as well.
    pub takes: &'static [&'static str],
    pub plan: fn(&Planning<'_>) -> Result<Plan, PlanError>,
}

pub struct Doc {
    /// Of the examples.
    pub language: DocLanguage,
    /// What is changed, and how far.
    pub what: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    /// When an edit is made.
    pub safe: &'static str,
    /// What is left alone, and reported.
    pub leaves: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocLanguage {
    JavaScript,
    Python,
}

#[derive(Debug, Error)]
pub enum PlanError {
    #[error("{0}")]
    Argument(String),
    /// A program that it needs is missing or does not work.
    #[error("{0}")]
    Unavailable(String),
    #[error("interrupted")]
    Interrupted,
}

/// Names that other packages can import: file and name, `default` for the default export.
#[derive(Debug, Clone, Default)]
pub struct Promised(pub BTreeSet<(String, String)>);

impl Promised {
    pub fn has(&self, path: &str, name: &str) -> bool {
        self.0.contains(&(path.to_owned(), name.to_owned()))
    }
}

/// By name, as given on the command line.
pub type Arguments = BTreeMap<String, String>;

/// Everything that a recipe may look at.
pub struct Planning<'p> {
    pub world: &'p dyn World,
    pub promised: &'p Promised,
    /// Promised names may change.
    pub allow_public_api_changes: bool,
    pub arguments: &'p Arguments,
    /// Sites are looked for only here; what follows from them may lie anywhere.
    pub only: Option<&'p (dyn Fn(&str) -> bool + Sync)>,
    /// Renames in languages that only their language servers know.
    pub renamer: &'p dyn Renamer,
    pub cancel: &'p Cancel,
    pub progress: &'p (dyn Progress + Sync),
}

impl Planning<'_> {
    pub fn argument(&self, name: &str) -> Result<&str, PlanError> {
        let missing = || PlanError::Argument(format!("the recipe needs `{name}`"));
        self.arguments.get(name).map(String::as_str).ok_or_else(missing)
    }

    /// An argument that need not be given.
    pub fn optional(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// One that is a list: `a, b`.
    pub fn list(&self, name: &str) -> Vec<String> {
        let entries = self.optional(name).unwrap_or_default().split(',').map(str::trim);
        entries.filter(|entry| !entry.is_empty()).map(str::to_owned).collect()
    }

    /// One that is `true` or `false`; false where it is not given.
    pub fn flag(&self, name: &str) -> Result<bool, PlanError> {
        match self.optional(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(PlanError::Argument(format!("`{name}` is `true` or `false`"))),
        }
    }

    /// Files in which sites may lie: written by hand, of these kinds, with one of the words in their text. Sorted.
    pub fn files(&self, kinds: &[FileKind], wants: &[&str]) -> Result<Vec<String>, PlanError> {
        let mut files = self.world.paths();
        files.retain(|path| {
            self.only.is_none_or(|only| only(path))
                && self.world.size(path).is_some_and(|size| size <= MAX_BYTES)
                && self.world.facts(path).is_some_and(|facts| kinds.contains(&facts.kind))
        });
        let found = self.over(&files, |path| {
            let text = self.world.text(path)?;
            (wants.is_empty() || wants.iter().any(|word| text.contains(word))).then_some(())
        })?;
        Ok(found.into_iter().map(|(path, ())| path).collect())
    }

    /// Asks each file, on all processors. Answers come in the order of the files; `None` is left out.
    pub fn over<T: Send>(
        &self,
        files: &[String],
        work: impl Fn(&str) -> Option<T> + Sync,
    ) -> Result<Vec<(String, T)>, PlanError> {
        let next = AtomicUsize::new(0);
        let all: Mutex<Vec<(usize, T)>> = Mutex::default();
        let share = || {
            let mut own = Vec::new();
            while !self.cancel.is_cancelled() {
                let first = next.fetch_add(SHARE, Ordering::Relaxed);
                let Some(share) = files.get(first..files.len().min(first + SHARE)) else { break };
                if share.is_empty() {
                    break;
                }
                for (at, path) in share.iter().enumerate() {
                    own.extend(work(path).map(|answer| (first + at, answer)));
                }
            }
            all.lock().expect("no thread panics with it").append(&mut own);
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(files.len().div_ceil(SHARE)).max(1);
        thread::scope(|scope| {
            for _ in 0..threads {
                rb_lang::spawn(scope, share).expect("a thread can be started");
            }
        });
        if self.cancel.is_cancelled() {
            return Err(PlanError::Interrupted);
        }
        let mut found = all.into_inner().expect("no thread panicked with it");
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(at, answer)| (files[at].clone(), answer)).collect())
    }

    /// As `over`, with each file parsed; one that does not parse is left out.
    pub fn over_modules<T: Send>(
        &self,
        files: &[String],
        work: impl Fn(&str, &Module<'_>) -> T + Sync,
    ) -> Result<Vec<(String, T)>, PlanError> {
        self.over(files, |path| {
            let text = self.world.text(path)?;
            let language = Language::of_path(path.as_bytes())?;
            with_module(language, &text, |module| work(path, module))
        })
    }
}

//! Where a directive lets a model work: in the places that it names, and not in those that it leaves out.
//!
//! Recipes and rules are held to places by what they look at. A model is held to them by the files of its tasks.

use std::collections::BTreeSet;

use rb_core::Task;
use rb_index::role::Role;

use crate::here;
use crate::names::stem;
use crate::repo_facts::{RepoFacts, folder, scope_glob, text};
use crate::understand::{Understood, read};

/// The places of a directive, or of one part of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// Everywhere where there is none.
    inside: Vec<String>,
    outside: Vec<String>,
    /// Paths that are yet to be made.
    coming: Vec<String>,
}

impl Reach {
    /// Of all that the directive asks for.
    pub(crate) fn of(understood: &Understood) -> Reach {
        Reach::within(understood, &understood.places)
    }

    /// Of a part of it that has these places.
    pub(crate) fn within(understood: &Understood, inside: &[String]) -> Reach {
        let (outside, coming) = (understood.outside.clone(), understood.coming.clone());
        Reach { inside: inside.to_vec(), outside, coming }
    }

    /// The same and these files.
    pub(crate) fn with<'f>(mut self, files: impl Iterator<Item = &'f str>) -> Reach {
        if !self.inside.is_empty() {
            self.inside.extend(files.map(str::to_owned));
        }
        self
    }

    /// Of the directive of a run.
    pub(crate) fn input(repo: &RepoFacts<'_>) -> Reach {
        let Some(directive) = repo.input.directive else { return Reach::default() };
        let own: Vec<(&str, &str)> = repo.input.own.iter().map(|it| (it.id, it.message)).collect();
        Reach::of(&read(directive, &own, &|path| here::find(repo, path)))
    }

    pub(crate) fn is_limited(&self) -> bool {
        !self.inside.is_empty()
    }

    pub(crate) fn allows(&self, path: &str) -> bool {
        (self.inside.is_empty() || is_in(&self.inside, path)) && !self.leaves_out(path)
    }

    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        is_in(&self.outside, path)
    }

    /// The files that are named themselves.
    pub(crate) fn files<'r>(&'r self, repo: &'r RepoFacts<'_>) -> impl Iterator<Item = &'r str> {
        self.inside.iter().map(String::as_str).filter(|it| repo.exists(it))
    }

    /// Is this file named itself?
    pub(crate) fn is_file(&self, path: &str) -> bool {
        self.inside.iter().any(|it| it == path)
    }

    /// What is yet to be made, as it is written: paths, names of files, names of modules.
    pub(crate) fn coming(&self) -> impl Iterator<Item = &str> {
        self.coming.iter().map(String::as_str)
    }

    /// Does the directive ask for this file to be made?
    pub(crate) fn is_coming(&self, path: &str) -> bool {
        self.coming().any(|it| {
            let is_end = path.strip_suffix(it).is_some_and(|it| it.is_empty() || it.ends_with('/'));
            is_end || (!it.contains(['/', '.']) && stem(path) == it)
        })
    }

    /// Who names tests or examples means them.
    pub(crate) fn means(&self, path: &str) -> bool {
        let is_aside = |place: &&String| Role::of(&format!("{place}/x")) > Role::Tooling;
        let named = self.inside.iter().filter(|it| *it == path || is_aside(it));
        named.into_iter().any(|it| is_in(std::slice::from_ref(it), path))
    }

    /// May a file be made here? Beside one that is named, too, since what is split needs a place.
    pub(crate) fn allows_new(&self, path: &str) -> bool {
        let is_beside = |place: &String| folder(place) == folder(path);
        let is_meant = self.allows(path) || self.is_coming(path);
        !self.leaves_out(path) && (is_meant || self.inside.iter().any(is_beside))
    }

    /// Takes what is left out from a task: a test may be named after a file that is not.
    pub(crate) fn trim(&self, task: &mut Task) {
        let gone: BTreeSet<String> = task
            .files
            .extract_if(.., |it| self.leaves_out(text(it)))
            .map(|it| scope_glob(text(&it)))
            .collect();
        task.scope_globs.retain(|it| !gone.contains(it));
    }
}

/// Is it one of these places, or does it lie in one?
pub(crate) fn is_in(places: &[String], path: &str) -> bool {
    places.iter().any(|place| {
        path.strip_prefix(place.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'))
    })
}

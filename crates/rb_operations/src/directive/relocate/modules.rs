//! Whole files: they are merged, or get another folder.

use super::super::Unclear;
use super::super::definitions::{DefinitionKind, folder_of, is_test, last};
use super::super::dialect::is_source_name;
use super::super::phrase::{Name, Phrase};
use super::super::resolve::Resolver;
use super::super::scope::{self, Scope};
use super::super::vocabulary::Noun;
use super::target::{Target, TargetWords, target_file};
use super::{Draft, Manner, What, users};
use crate::operation::Operation;

impl Draft {
    pub(super) fn modules(
        &self,
        resolver: &Resolver<'_>,
        target: &Target,
    ) -> Result<Vec<Operation>, Unclear> {
        let mut modules = self.source_files(resolver, target)?;
        if self.manner == Manner::Remove && !self.names.is_empty() {
            self.check_covered(resolver, &modules)?;
        }
        let merge_tests = self.merge_tests;
        let words = match target {
            Target::Users => {
                let into = users::user_of_modules(resolver, &modules)?;
                return Ok(vec![Operation::Merge { modules, into, merge_tests }]);
            }
            Target::Named(words) => words,
        };
        if let Some(folder) = self.folder_target(resolver, words, &modules[0])? {
            let to = |path: &String| format!("{folder}/{}", last(path));
            let moved = modules.into_iter().map(|path| (to(&path), path));
            return Ok(moved.map(|(to, path)| Operation::RenameModule { path, to }).collect());
        }
        let into = target_file(resolver, words, &modules[0])?;
        modules.retain(|path| *path != into);
        if modules.is_empty() {
            let why = format!("{into} cannot be merged into itself");
            return Err(Unclear::new(&words.name.text, why));
        }
        Ok(vec![Operation::Merge { modules, into, merge_tests }])
    }

    /// The files that it comes from, at least one.
    pub(super) fn source_files(
        &self,
        resolver: &Resolver<'_>,
        target: &Target,
    ) -> Result<Vec<String>, Unclear> {
        let (near, shared) = only_target(resolver, target);
        let near = near.or_else(|| self.shared_folder(resolver, target));
        let named = self.source_names();
        let mut files: Vec<String> = Vec::new();
        for (name, places) in &named {
            let scope = source_scope(resolver, name, places, &shared)?;
            let is_folder_only = !is_source_name(&name.text)
                && resolver.files(name, &scope).is_empty()
                && !resolver.index.folders_named(&name.text).is_empty();
            if is_folder_only && named.len() > 1 {
                continue;
            }
            let near = near.as_deref().or(files.first().map(String::as_str));
            let path = resolver.file(name, &scope, near)?;
            if !files.contains(&path) {
                files.push(path);
            }
        }
        if files.is_empty() {
            return Err(Unclear::new(&self.text, "the file that it comes from is not named"));
        }
        Ok(files)
    }

    /// Names of files, each with the phrases that say where it is.
    fn source_names(&self) -> Vec<(Name, Vec<Phrase>)> {
        if !self.sources.is_empty() {
            return self.sources.clone();
        }
        if !self.names.is_empty() {
            return self.names.iter().map(|name| (name.clone(), self.places.clone())).collect();
        }
        let is_file = |name: &Name| name.noun != Some(Noun::Folder);
        let Some(at) = self.places.iter().position(|phrase| phrase.names.iter().any(is_file))
        else {
            return Vec::new();
        };
        let behind: Vec<Phrase> = scope::behind(&self.places, at).cloned().collect();
        self.places[at].names.iter().map(|name| (name.clone(), behind.clone())).collect()
    }

    /// Of several files with the source's name, the one whose folder has the target, too.
    fn shared_folder(&self, resolver: &Resolver<'_>, target: &Target) -> Option<String> {
        let Target::Named(target) = target else { return None };
        let targets = resolver.index.files_named(&target.name.text);
        let names = self.sources.iter().map(|(name, _)| name).chain(&self.names);
        let sources: Vec<String> =
            names.flat_map(|name| resolver.index.files_named(&name.text)).collect();
        let mut pairs = targets.iter().filter(|path| {
            !is_test(path) && sources.iter().any(|source| folder_of(source) == folder_of(path))
        });
        match (pairs.next(), pairs.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// "remove a.py and move f to b.py": all that a.py does has to be named.
    fn check_covered(&self, resolver: &Resolver<'_>, modules: &[String]) -> Result<(), Unclear> {
        let is_code =
            |kind: DefinitionKind| matches!(kind, DefinitionKind::Function | DefinitionKind::Class);
        let is_named = |name: &str| self.names.iter().any(|known| known.text == name);
        for path in modules {
            let defined = resolver.index.defined_in(path);
            let missing = defined.iter().find(|one| is_code(one.kind) && !is_named(&one.name));
            if let Some(name) = missing.map(|one| &one.name) {
                let why = format!("{path} is to be removed, but where `{name}` goes is not said");
                return Err(Unclear::new(name, why));
            }
        }
        Ok(())
    }

    /// The folder that files go to, if the target is one.
    fn folder_target(
        &self,
        resolver: &Resolver<'_>,
        words: &TargetWords,
        anchor: &str,
    ) -> Result<Option<String>, Unclear> {
        let name = &words.name;
        let is_called_folder = name.noun == Some(Noun::Folder);
        let is_file = is_source_name(&name.text)
            || name.noun == Some(Noun::File)
            || words.is_new && !is_called_folder;
        let files = resolver.index.files_named(&name.text);
        let has_file = files.iter().any(|path| !path.ends_with("/__init__.py"));
        let is_folder = is_called_folder
            || name.text.ends_with('/')
            || !has_file && !resolver.index.folders_named(&name.text).is_empty();
        if is_file || !is_folder || self.what == What::Everything {
            return Ok(None);
        }
        let scope = Scope::of(resolver.index, &words.places);
        resolver.folder(name, &scope, folder_of(folder_of(anchor))).map(Some)
    }
}

/// A place named after the target may belong to the source instead.
fn source_scope(
    resolver: &Resolver<'_>,
    name: &Name,
    places: &[Phrase],
    shared: &Scope,
) -> Result<Scope, Unclear> {
    let own = Scope::of(resolver.index, places);
    if let Some(unknown) = own.unknown.first() {
        let why = format!("there is no file or folder `{unknown}` in the project");
        return Err(Unclear::new(unknown, why));
    }
    let mut both = own.clone();
    both.merge(shared);
    Ok(if resolver.files(name, &both).is_empty() { own } else { both })
}

/// The only file that the target can be, and its scope: they tell sources apart.
pub(super) fn only_target(resolver: &Resolver<'_>, target: &Target) -> (Option<String>, Scope) {
    let Target::Named(target) = target else { return (None, Scope::default()) };
    let scope = Scope::of(resolver.index, &target.places);
    let files =
        if target.is_new { Vec::new() } else { resolver.index.files_named(&target.name.text) };
    let mut files = scope::qualified(resolver.index, files, &target.name.qualifiers);
    files.retain(|path| scope.admits(path));
    let only = if files.len() == 1 { files.pop() } else { None };
    (only, Scope { unknown: Vec::new(), ..scope })
}

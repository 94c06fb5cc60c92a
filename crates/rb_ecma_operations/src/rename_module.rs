//! `RenameModule`: a file or a folder gets another path, and every specifier that leads to it follows.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_ecma::links::Target;
use rb_operations::{ApiChange, FileChange, Files, Operation, Outcome, Overlay, Place, Refusal};

use crate::check::check;
use crate::edits::FileEdits;
use crate::manifests;
use crate::mentions::mentions;
use crate::path_meaning::meaning;
use crate::project::{Project, Specifier, SpecifierKind, is_declaration_file, is_script, tree_of};
use crate::relocation::{rebased, refusal};

pub(crate) fn plan(files: &dyn Files, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::RenameModule { path, to } = operation else {
        return Err(Refusal::new("this is not a rename of a module", "use `RenameModule`"));
    };
    let (path, to) = (path.trim_end_matches('/'), to.trim_end_matches('/'));
    let is_folder = files.text(path).is_none();
    let moves = moves(files, path, to, is_folder)?;
    let renaming = Renaming::new(files, &moves);
    renaming.plan(path, to, is_folder)
}

/// Old and new paths of all files that get another one.
fn moves(
    files: &dyn Files,
    path: &str,
    to: &str,
    is_folder: bool,
) -> Result<BTreeMap<String, String>, Refusal> {
    let paths = files.paths();
    let mut moves = BTreeMap::new();
    if is_folder {
        let prefix = format!("{path}/");
        if to.starts_with(&prefix) {
            return Err(Refusal::new(format!("{to} is inside of {path}"), "give another folder"));
        }
        for old in paths.iter().filter(|it| it.starts_with(&prefix)) {
            moves.insert(old.clone(), format!("{to}/{}", &old[prefix.len()..]));
        }
    } else {
        if !is_script(to) {
            let reason = format!("{to} is not a JavaScript or TypeScript file");
            return Err(Refusal::new(reason, "give a path that ends in .ts, .tsx, .js or .jsx"));
        }
        moves.insert(path.to_owned(), to.to_owned());
    }
    if moves.is_empty() {
        return Err(Refusal::new(format!("{path} does not exist"), "give another path"));
    }
    for (old, new) in &moves {
        if paths.binary_search(new).is_ok() {
            let reason = format!("{new} exists already");
            return Err(Refusal::new(reason, "give another path, or merge the two"));
        }
        if files.text(old).is_none() {
            let reason = format!("{old} is not a text file and cannot be moved");
            return Err(Refusal::new(reason, "move the folder by hand"));
        }
        check_meaning(old, new, &paths)?;
    }
    Ok(moves)
}

fn check_meaning(old: &str, new: &str, paths: &[String]) -> Result<(), Refusal> {
    if !is_script(old) {
        return Ok(());
    }
    let (before, after) = (meaning(old, paths), meaning(new, paths));
    let is_same = match (&before, &after) {
        (None, None) => true,
        (Some(before), Some(after)) => before.key == after.key,
        (Some(before), None) => before.what == "a declaration file" && is_declaration_file(new),
        (None, Some(_)) => false,
    };
    let meant = before.or(after);
    match meant {
        Some(meant) if !is_same => {
            let reason = format!("the path of {old} means something: {}", meant.what);
            Err(Refusal::new(reason, "rename it by hand, with all that depends on its path"))
        }
        _ => Ok(()),
    }
}

struct Renaming<'r> {
    files: &'r dyn Files,
    moves: &'r BTreeMap<String, String>,
    /// The files at their new places, with their old texts.
    there: Overlay<'r>,
}

impl<'r> Renaming<'r> {
    fn new(files: &'r dyn Files, moves: &'r BTreeMap<String, String>) -> Self {
        let mut there = Overlay::new(files);
        for (old, new) in moves {
            let text = files.text(old).unwrap_or_default();
            there.put(old, FileChange::Removed);
            there.put(new, FileChange::Created(text));
        }
        Renaming { files, moves, there }
    }

    fn plan(&self, path: &str, to: &str, is_folder: bool) -> Result<Outcome, Refusal> {
        let tree = tree_of(self.files);
        let before = Project::new(self.files, &tree);
        let mut manifests = FileEdits::default();
        let mut pairs = vec![(path.to_owned(), to.to_owned())];
        pairs.extend(self.moves.iter().map(|(old, new)| (old.clone(), new.clone())));
        manifests::follow(self.files, &pairs, is_folder, &mut manifests);
        let manifests = manifests.apply(self.files)?;
        // Aliases lead where the manifests say that they lead after the change.
        let mut there = Overlay::new(&self.there);
        for (manifest, change) in &manifests {
            let place = self.moves.get(manifest).unwrap_or(manifest);
            there.put(place, change.clone());
        }
        let tree = tree_of(&there);
        let now = Project::new(&there, &tree);
        for (old, new) in self.moves {
            manifests::check_published(&before, &now, (old, new))?;
        }
        let mut edits = self.edits(&before, &now)?;
        for (old, new) in self.moves {
            manifests::follow_in_scripts(&before, (old, new), &mut edits)?;
        }
        let mut changes = self.changes(&edits, &manifests)?;
        check(&before, &changes)?;
        self.check_hijacked(&before, &changes)?;
        let touched = changes.len();
        changes.retain(|path, change| match change {
            FileChange::Edited(text) => self.files.text(path).as_deref() != Some(&**text),
            FileChange::Created(_) | FileChange::Removed => true,
        });
        let users = touched.saturating_sub(2 * self.moves.len());
        let follow = if users == 1 { "follows" } else { "follow" };
        Ok(Outcome {
            title: format!("{path} renamed to {to}; {} {follow}", plural(users, "other file")),
            sites: vec![Place { path: path.to_owned(), line: 1, what: path.to_owned() }],
            api: vec![ApiChange {
                path: path.to_owned(),
                before: "a module".to_owned(),
                after: to.to_owned(),
            }],
            mentions: mentions(self.files, &changes, &mention_texts(path, is_folder)),
            files: changes,
            notes: Vec::new(),
        })
    }

    /// Edits by the old paths of the files.
    fn edits(&self, before: &Project<'_>, now: &Project<'_>) -> Result<FileEdits, Refusal> {
        let mut touched: BTreeSet<String> = BTreeSet::new();
        for old in self.moves.keys() {
            touched.extend(before.users_of(old).iter().cloned());
            let hidden: Vec<Place> = before
                .unreadable_users(old)
                .into_iter()
                .filter(|place| place.path != *old)
                .collect();
            if !hidden.is_empty() {
                let reason = format!("{old} is imported by a file that cannot be read");
                return Err(refusal(reason, hidden, "change that file by hand first"));
            }
            if is_script(old) {
                before.required(old)?;
                touched.insert(old.clone());
            }
            self.check_types_beside(old)?;
        }
        let mut edits = FileEdits::default();
        for user in touched {
            let Some(facts) = before.module(&user) else { continue };
            for specifier in &facts.specifiers {
                if let Some(new) = self.followed(before, now, &user, specifier)? {
                    edits.replace(&user, specifier.range, new);
                }
            }
        }
        Ok(edits)
    }

    /// `a.d.ts` describes `a.js`, and has to stay beside it.
    fn check_types_beside(&self, old: &str) -> Result<(), Refusal> {
        let stem = old.rsplit_once('.').map_or(old, |(stem, _)| stem);
        let beside = format!("{stem}.d.ts");
        if beside != *old
            && self.files.text(&beside).is_some()
            && !self.moves.contains_key(&beside)
            && !crate::project::is_typescript(old)
        {
            let reason = format!("{beside} declares the types of {old}");
            return Err(Refusal::new(reason, "rename both by hand"));
        }
        Ok(())
    }

    /// The new text of a specifier, if it has to change.
    fn followed(
        &self,
        before: &Project<'_>,
        now: &Project<'_>,
        user: &str,
        specifier: &Specifier,
    ) -> Result<Option<String>, Refusal> {
        let place = self.moves.get(user).map_or(user, String::as_str);
        let target = match &specifier.target {
            Target::File(target) => target,
            Target::Unknown if place != user => {
                let new = rebased(user, place, &specifier.value);
                return Ok((new != specifier.value).then_some(new));
            }
            Target::Unknown | Target::Package(_) | Target::Builtin => return Ok(None),
        };
        let wanted = self.moves.get(target).unwrap_or(target);
        let leads = |value: &str| {
            let found = match specifier.kind {
                SpecifierKind::Reference => {
                    now.resolve_as(place, value, rb_lang::ImportKind::Include)
                }
                _ => now.resolve(place, value),
            };
            found == Target::File(wanted.clone())
        };
        if leads(&specifier.value) && !is_stale(specifier, target, wanted) {
            return Ok(None);
        }
        let new = now
            .specifier(place, wanted, (&specifier.value, target))
            .or_else(|| Some(rebased(user, place, &specifier.value)).filter(|it| leads(it)));
        match new {
            Some(new) => Ok(Some(new)),
            None => {
                let at = before.place(user, specifier.range.start, specifier.value.clone());
                let reason = format!(
                    "`{}` in {user} could not be made to lead to {wanted}",
                    specifier.value
                );
                Err(refusal(reason, vec![at], "change it by hand"))
            }
        }
    }

    fn changes(
        &self,
        edits: &FileEdits,
        manifests: &BTreeMap<String, FileChange>,
    ) -> Result<BTreeMap<String, FileChange>, Refusal> {
        let mut changes = edits.apply(self.files)?;
        changes.extend(manifests.clone());
        for (old, new) in self.moves {
            let text = match changes.remove(old) {
                Some(FileChange::Edited(text) | FileChange::Created(text)) => text,
                Some(FileChange::Removed) | None => self.files.text(old).unwrap_or_default(),
            };
            changes.insert(old.clone(), FileChange::Removed);
            changes.insert(new.clone(), FileChange::Created(text));
        }
        Ok(changes)
    }

    /// No import that led elsewhere may lead to the new path.
    fn check_hijacked(
        &self,
        before: &Project<'_>,
        changes: &BTreeMap<String, FileChange>,
    ) -> Result<(), Refusal> {
        let files = crate::check::after(self.files, changes);
        let tree = tree_of(&files);
        let now = Project::new(&files, &tree);
        let old_places: BTreeMap<&String, &String> =
            self.moves.iter().map(|(old, new)| (new, old)).collect();
        let count = |project: &Project<'_>, user: &str, target: &str| {
            let facts = project.module(user);
            let all = facts.iter().flat_map(|it| it.specifiers.iter());
            all.filter(|it| matches!(&it.target, Target::File(path) if path == target)).count()
        };
        for (old, new) in self.moves.iter().filter(|(old, _)| is_script(old)) {
            for user in now.users_of(new).iter() {
                let was = old_places.get(user).copied().unwrap_or(user);
                if count(&now, user, new) != count(before, was, old) {
                    let place = Place { path: was.clone(), line: 1, what: new.clone() };
                    let reason =
                        format!("an import of {was} would lead to {new} without being meant");
                    return Err(refusal(reason, vec![place], "choose another path"));
                }
            }
        }
        Ok(())
    }
}

/// A specifier with an extension that is no longer that of the file: `./a.js` for `a.mjs`.
fn is_stale(specifier: &Specifier, old: &str, new: &str) -> bool {
    let ending = |path: &str| path.rsplit_once('.').map(|(_, it)| it.to_owned());
    let (before, after) = (ending(old), ending(new));
    before != after && ending(&specifier.value) == before
}

/// What prose may call the old path.
fn mention_texts(path: &str, is_folder: bool) -> Vec<String> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut texts = vec![path.to_owned()];
    if !is_folder && stem.contains('/') {
        texts.push(stem.to_owned());
    }
    texts
}

#[cfg(test)]
mod tests;

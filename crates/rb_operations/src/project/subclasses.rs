//! Which classes inherit from a class.
//!
//! To parse every file would take too long. One pass over the texts notes which words stand between the brackets of `class X(…)` and which
//! words get another name (`import C as D`, `D = C`); only files in which a class could have the base are parsed.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::{ScopeId, ScopeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Project, is_identifier, is_identifier_part};
use crate::operation::SymbolPath;

/// Classes by their bases, as far as files were looked at.
#[derive(Debug, Default)]
pub(super) struct Subclasses {
    known: FxHashSet<String>,
    by_base: BTreeMap<SymbolPath, BTreeSet<SymbolPath>>,
}

/// What one pass over the texts finds.
#[derive(Debug, Default)]
pub(super) struct ClassWords {
    /// Files by a word in the header of a class.
    files: FxHashMap<String, Vec<String>>,
    aliases: FxHashMap<String, BTreeSet<String>>,
}

impl Project<'_> {
    /// All classes of the project that inherit from it, local ones too.
    pub(crate) fn descendants(&self, class: &SymbolPath) -> BTreeSet<SymbolPath> {
        let mut descendants = BTreeSet::new();
        let mut open = vec![class.clone()];
        while let Some(class) = open.pop() {
            for subclass in self.subclasses(&class) {
                if descendants.insert(subclass.clone()) {
                    open.push(subclass);
                }
            }
        }
        descendants.remove(class);
        descendants
    }

    fn subclasses(&self, class: &SymbolPath) -> Vec<SymbolPath> {
        let words = self.class_words.get_or_init(|| self.find_class_words());
        for name in words.names_of(class.last()) {
            for path in words.files.get(&name).into_iter().flatten() {
                self.add_subclasses(path);
            }
        }
        let subclasses = self.subclasses.borrow();
        subclasses.by_base.get(class).into_iter().flatten().cloned().collect()
    }

    fn add_subclasses(&self, path: &str) {
        if !self.subclasses.borrow_mut().known.insert(path.to_owned()) {
            return;
        }
        let Some(source) = self.source(path) else { return };
        for (id, scope) in (0_u32..).zip(&source.scopes().scopes) {
            if scope.kind != ScopeKind::Class {
                continue;
            }
            let Some(class) = self.symbol_of_scope(&source, ScopeId(id)) else { continue };
            for base in &self.bases(&class).own {
                let mut subclasses = self.subclasses.borrow_mut();
                subclasses.by_base.entry(base.clone()).or_default().insert(class.clone());
            }
        }
    }

    fn find_class_words(&self) -> ClassWords {
        let mut words = ClassWords::default();
        for path in self.python_paths() {
            let Some(text) = self.files.text(path) else { continue };
            let mut in_file = BTreeSet::new();
            for (at, _) in text.match_indices("class ") {
                let is_word = !text[..at].ends_with(is_identifier_part);
                let header = text[at + "class ".len()..].trim_start_matches(is_identifier_part);
                if is_word && header.starts_with(['(', '[']) {
                    let bases = header.find("):").map_or("", |end| &header[..end]);
                    in_file.extend(identifiers(bases));
                }
            }
            for word in in_file {
                words.files.entry(word.to_owned()).or_default().push(path.clone());
            }
            words.add_aliases(&text);
        }
        words
    }
}

impl ClassWords {
    fn add_aliases(&mut self, text: &str) {
        for (at, separator) in text.match_indices(" as ") {
            let old = text[..at].rsplit(|letter| !is_identifier_part(letter)).next();
            let new = identifiers(&text[at + separator.len()..]).next();
            self.add_alias(old, new);
        }
        for line in text.lines() {
            if let Some((new, old)) = line.split_once(" = ")
                && is_identifier(new)
                && old.trim_end().split('.').all(is_identifier)
            {
                self.add_alias(old.trim_end().rsplit('.').next(), Some(new));
            }
        }
    }

    fn add_alias(&mut self, old: Option<&str>, new: Option<&str>) {
        if let (Some(old), Some(new)) = (old, new)
            && is_identifier(old)
            && old != new
        {
            self.aliases.entry(old.to_owned()).or_default().insert(new.to_owned());
        }
    }

    /// The name and all that it may be called elsewhere.
    fn names_of(&self, name: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut open = vec![name.to_owned()];
        while let Some(name) = open.pop() {
            if names.insert(name.clone()) {
                open.extend(self.aliases.get(&name).into_iter().flatten().cloned());
            }
        }
        names
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter| !is_identifier_part(letter)).filter(|word| is_identifier(word))
}

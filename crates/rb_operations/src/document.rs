//! Documents, comments and configuration: where they name a symbol or module for sure, and where they only mention it.
//!
//! Sure is a full dotted path, the path of a file, and a name in code markup that no other symbol of the project has. The bare word in prose
//! is a mention, and so is everything in changelogs and release notes, which tell what was. Code and strings of Python files are not looked
//! at, except for paths of files: `Project::references` knows them. Of Python files, docstrings and comments are.

mod kind;
mod markup;
mod search;
#[cfg(test)]
mod tests;
mod wording;

use std::collections::BTreeMap;

use rb_core::Edit;

use crate::outcome::Mention;
use crate::project::Project;

pub use self::kind::is_changelog;

/// What became what. Pairs are old and new.
#[derive(Debug, Clone, Default)]
pub(crate) struct DocumentQuery {
    /// Dotted paths of modules (`a.b`, also as a part of `a.b.c`) and of symbols (`a.b.name`, under every module that gives it to others).
    pub(crate) dotted: Vec<(String, String)>,
    /// Paths of files from the root of the project: `a/b.py`.
    pub(crate) files: Vec<(String, String)>,
    /// Plain names of symbols: `name`; a member is `Class.member` or `member`. The new one may be a dotted path.
    pub(crate) names: Vec<(String, String)>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Documents {
    /// By path, in the order of the text, without overlaps.
    pub(crate) edits: BTreeMap<String, Vec<Edit>>,
    /// Sorted, one for each line.
    pub(crate) mentions: Vec<Mention>,
}

/// Looks through all documents, configuration files, docstrings and comments.
pub(crate) fn documents(project: &Project<'_>, query: &DocumentQuery) -> Documents {
    let search = search::Search::new(project, query);
    let mut documents = Documents::default();
    for path in project.files.paths() {
        let (edits, mentions) = search.file(&path);
        if !edits.is_empty() {
            documents.edits.insert(path, edits);
        }
        documents.mentions.extend(mentions);
    }
    documents.mentions.sort();
    documents.mentions.dedup();
    documents
}

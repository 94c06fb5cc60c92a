//! Which source files here recipes and rules can read, and which they cannot: that nothing was found says nothing of what was not
//! looked at.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_index::role::Role;
use rb_lang::Language;

use crate::repo_facts::{RepoFacts, repo_path};

/// What all recipes and all rules of the product read.
const SCRIPTS: [Language; 3] = [Language::JavaScript, Language::TypeScript, Language::Tsx];

/// What `rename` knows beyond those, by itself or by language servers.
const RENAMED: [Language; 7] = [
    Language::Python,
    Language::Go,
    Language::Rust,
    Language::Java,
    Language::CSharp,
    Language::C,
    Language::Cpp,
];

/// Source files by the names of their languages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    /// What is read here, in words.
    pub(crate) languages: String,
    read: BTreeMap<Language, usize>,
    other: BTreeMap<Language, usize>,
}

impl Sources {
    /// The source files that `only` lets through, as the recipes and rules with these ids see them; `None` for all of them.
    pub(crate) fn of(
        repo: &RepoFacts<'_>,
        ids: Option<&[String]>,
        only: &dyn Fn(&str) -> bool,
    ) -> Sources {
        let languages = languages(repo, ids);
        let mut sources = Sources { languages: listed(&names(&languages)), ..Sources::default() };
        let is_asked = |path: &str| {
            let is_within = |folder| repo_path(path).is_some_and(|it| it.is_within(folder));
            repo.input.folder.is_none_or(is_within) && (repo.input.may_touch)(path)
        };
        for file in &repo.view().tree.files {
            let path = &*file.path;
            let Some(language) = file.language.filter(|it| is_source(*it)) else { continue };
            let is_own = Role::of(path) != Role::Vendored
                && repo
                    .view()
                    .tree
                    .find(path)
                    .is_some_and(|id| repo.view().file(id).trivial.is_none());
            if !is_own || !is_asked(path) || !only(path) {
                continue;
            }
            let is_read = languages.contains(&language);
            let counts = if is_read { &mut sources.read } else { &mut sources.other };
            *counts.entry(plain(language)).or_default() += 1;
        }
        sources
    }

    pub(crate) fn has_other(&self) -> bool {
        !self.other.is_empty()
    }

    /// There are source files, and none of them is read.
    pub(crate) fn is_foreign(&self) -> bool {
        self.read.is_empty() && self.has_other()
    }

    /// "3 JavaScript files"
    pub(crate) fn read(&self) -> String {
        counted(&self.read).0
    }

    /// "12 Python and 2 Go files were"
    pub(crate) fn other_were(&self) -> String {
        let (words, many) = counted(&self.other);
        format!("{words} {}", if many == 1 { "was" } else { "were" })
    }
}

fn languages(repo: &RepoFacts<'_>, ids: Option<&[String]>) -> BTreeSet<Language> {
    let own = || repo.input.own.iter();
    let Some(ids) = ids else {
        return own().map(|it| it.language).chain(SCRIPTS).collect();
    };
    let mut languages = BTreeSet::new();
    for id in ids {
        match own().find(|it| it.id == *id) {
            Some(rule) => drop(languages.insert(rule.language)),
            None if id == "rename" => languages.extend(SCRIPTS.into_iter().chain(RENAMED)),
            None => languages.extend(SCRIPTS),
        }
    }
    languages
}

/// The most first.
fn counted(counts: &BTreeMap<Language, usize>) -> (String, usize) {
    let mut rows: Vec<(usize, Language)> = counts.iter().map(|(it, count)| (*count, *it)).collect();
    rows.sort_by_key(|(count, language)| (std::cmp::Reverse(*count), *language));
    let all: usize = rows.iter().map(|it| it.0).sum();
    let words: Vec<String> =
        rows.iter().map(|(count, language)| format!("{count} {}", language.name())).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let file = if all == 1 { "file" } else { "files" };
    (format!("{} {file}", listed(&words)), all)
}

fn names(languages: &BTreeSet<Language>) -> Vec<&'static str> {
    let plain: BTreeSet<Language> = languages.iter().map(|it| plain(*it)).collect();
    plain.into_iter().map(Language::name).collect()
}

/// What people take for one language is one.
fn plain(language: Language) -> Language {
    if language == Language::Tsx { Language::TypeScript } else { language }
}

/// "a, b and c"
pub(crate) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// "src/a.js and 3 more files"
pub(crate) fn first_of(files: &BTreeSet<&str>) -> String {
    files.first().map_or_else(String::new, |first| and_more(first, files.len() - 1))
}

/// A file, and how many more there are.
pub(crate) fn and_more(file: &str, more: usize) -> String {
    if more == 0 { file.to_owned() } else { format!("{file} and {}", plural(more, "more file")) }
}

/// Programs are written in it; scripts of the shell, marks and data are no sources.
fn is_source(language: Language) -> bool {
    use Language as L;
    !matches!(
        language,
        L::Bash
            | L::Html
            | L::Css
            | L::Scss
            | L::Sql
            | L::GraphQl
            | L::Protobuf
            | L::PowerShell
            | L::Nix
            | L::Terraform
            | L::Make
            | L::CMake
            | L::Docker
            | L::Markdown
            | L::ReStructuredText
            | L::Text
            | L::Json
            | L::Yaml
            | L::Toml
            | L::Xml
            | L::Ini
    )
}

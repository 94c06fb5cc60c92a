//! Names of tests and files that are named after the symbol: `test_old_strips`, `TestOldName`, `test_old.py`.
//!
//! They follow only when asked. A test that something else refers to keeps its name, and so does one whose new name is taken.

use std::collections::BTreeSet;

use rb_python::ast::{Identifier, Stmt};
use rb_python::{Ranged, Source};

use super::Request;
use super::changelogs::is_distinctive;
use crate::operation::SymbolPath;
use crate::operations::edits::FileEdits;
use crate::outcome::Mention;
use crate::project::Project;
use crate::references::{Found, ReferenceKind};

/// A definition in a test file that is named after the symbol.
pub(super) struct NamedTest {
    path: String,
    /// `Class.method` or a top-level name.
    name: String,
    line: u32,
    text: String,
    to: String,
}

/// All tests that are named after the symbol, in files that refer to it.
pub(super) fn tests_named_after(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Vec<NamedTest> {
    let paths: BTreeSet<&str> =
        found.references.iter().map(|reference| reference.path.as_str()).collect();
    let mut tests = Vec::new();
    for path in paths.into_iter().filter(|path| Project::is_test(path)) {
        let Some(source) = project.source(path) else { continue };
        let collector = Collector { request, found, source: &source };
        collector.collect(source.body(), "", &mut tests);
    }
    tests
}

struct Collector<'a> {
    request: &'a Request<'a>,
    found: &'a Found,
    source: &'a Source,
}

impl Collector<'_> {
    fn collect(&self, body: &[Stmt], class: &str, tests: &mut Vec<NamedTest>) {
        for statement in body {
            let (identifier, inner) = match statement {
                Stmt::FunctionDef(function) => (&function.name, None),
                Stmt::ClassDef(class) => (&class.name, Some(&class.body)),
                _ => continue,
            };
            let qualified = if class.is_empty() {
                identifier.to_string()
            } else {
                format!("{class}.{identifier}")
            };
            tests.extend(self.named_test(statement, identifier, &qualified));
            if let Some(inner) = inner {
                self.collect(inner, &qualified, tests);
            }
        }
    }

    fn named_test(
        &self,
        statement: &Stmt,
        identifier: &Identifier,
        qualified: &str,
    ) -> Option<NamedTest> {
        if !is_test_name(identifier)
            || self.is_symbol(identifier)
            || !self.is_about_symbol(statement)
        {
            return None;
        }
        let to = following_name(identifier, self.request.old, self.request.to)?;
        let at = identifier.range.start();
        let line = self.source.line(at);
        let range = rb_python::TextRange::new(self.source.line_start(at), self.source.line_end(at));
        let text = self.source.slice(range).trim().to_owned();
        let path = self.source.path().to_owned();
        Some(NamedTest { path, name: qualified.to_owned(), line, text, to })
    }

    /// The symbol itself is a test, or named like one.
    fn is_symbol(&self, identifier: &Identifier) -> bool {
        self.found.references.iter().any(|reference| {
            reference.path == self.source.path() && reference.range == identifier.range
        })
    }

    /// The test refers to the symbol, or the name is one that no other thing has.
    fn is_about_symbol(&self, statement: &Stmt) -> bool {
        is_distinctive(self.request.old)
            || self.found.references.iter().any(|reference| {
                reference.path == self.source.path()
                    && statement.range().contains_range(reference.range)
            })
    }
}

impl NamedTest {
    pub(super) fn mention(&self) -> Mention {
        Mention { path: self.path.clone(), line: self.line, text: self.text.clone() }
    }

    /// Edits the declaration, unless something refers to it or the name is taken.
    pub(super) fn rename(&self, project: &Project<'_>, edits: &mut FileEdits) -> bool {
        let own = SymbolPath { path: self.path.clone(), name: self.name.clone() };
        let found = project.references(&own);
        let is_declaration = |kind| matches!(kind, ReferenceKind::Definition);
        let is_alone = found.references.iter().all(|reference| is_declaration(reference.kind))
            && found.doubts.is_empty()
            && !found.references.is_empty();
        let is_taken = project.source(&self.path).is_none_or(|source| {
            let mut names = source.scopes().variables.iter();
            names.any(|variable| variable.name == self.to)
        });
        if !is_alone || is_taken {
            return false;
        }
        for reference in found.references {
            edits.replace(&reference.path, reference.range, self.to.as_str());
        }
        true
    }
}

/// Python files that refer to the symbol and are named after it, with their new paths.
pub(super) fn files_named_after(request: &Request<'_>, found: &Found) -> Vec<(String, String)> {
    let paths: BTreeSet<&str> =
        found.references.iter().map(|reference| reference.path.as_str()).collect();
    let renamed = paths.into_iter().filter_map(|path| {
        let (folder, file) = path.rsplit_once('/').map_or(("", path), |(f, file)| (f, file));
        let (stem, ending) = file.rsplit_once('.')?;
        let stem = following_name(stem, request.old, request.to)?;
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Some((path.to_owned(), format!("{folder}{stem}.{ending}")))
    });
    renamed.collect()
}

fn is_test_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.starts_with("test")
        || lower.ends_with("test")
        || lower.ends_with("tests")
        || lower.ends_with("testcase")
}

/// The name with the old one in it replaced, in snake or camel case; None if the old one is not a part of it.
fn following_name(name: &str, old: &str, to: &str) -> Option<String> {
    let (old, to) = (old.trim_matches('_'), to.trim_matches('_'));
    let is_new_already = parts_of(name, to).next().is_some();
    if old.is_empty() || to.is_empty() || is_new_already {
        return None;
    }
    let forms = [(old.to_owned(), to.to_owned()), (snake(old), snake(to)), (camel(old), camel(to))];
    forms.into_iter().find_map(|(old, to)| {
        let start = parts_of(name, &old).next()?;
        Some(format!("{}{to}{}", &name[..start], &name[start + old.len()..]))
    })
}

/// Where `part` begins in a name, at the boundaries of words: `_` in snake case, a capital in camel case.
fn parts_of<'n>(name: &'n str, part: &'n str) -> impl Iterator<Item = usize> + 'n {
    let is_camel = part.starts_with(char::is_uppercase);
    name.match_indices(part).map(|(start, _)| start).filter(move |start| {
        let before = name[..*start].chars().next_back();
        let after = name[start + part.len()..].chars().next();
        if is_camel {
            !before.is_some_and(char::is_uppercase) && !after.is_some_and(char::is_lowercase)
        } else {
            before.is_none_or(|c| c == '_') && after.is_none_or(|c| c == '_')
        }
    })
}

/// `ParseKv` is `parse_kv`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// `parse_kv` is `ParseKv`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    let capitalized = words.map(|word| {
        let mut letters = word.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        first + letters.as_str()
    });
    capitalized.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_names_follow_at_the_boundaries_of_words() {
        let rows = [
            ("test_old_name", Some("test_new")),
            ("test_old_name_strips", Some("test_new_strips")),
            ("TestOldName", Some("TestNew")),
            ("OldNameTests", Some("NewTests")),
            ("test_bold_name", None),
            ("test_old_named", None),
            ("TestOldNamed", None),
            ("test_new_old_name", None),
        ];
        for (name, expected) in rows {
            assert_eq!(following_name(name, "old_name", "new").as_deref(), expected, "{name}");
        }
        let class = following_name("test_old_name.x", "OldName", "NewName");
        assert_eq!(class, None);
        let class = following_name("test_old_name", "OldName", "NewName");
        assert_eq!(class.as_deref(), Some("test_new_name"));
        let private = following_name("test_path_of", "_path_of", "_file_of");
        assert_eq!(private.as_deref(), Some("test_file_of"));
    }
}

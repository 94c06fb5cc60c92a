//! What a project has that a directive can name: its files, its folders, and what its files of one dialect define.
//!
//! Definitions are found line by line, without parsing: a directive names a handful of things out of thousands of files, and what an
//! operation then does is checked against the parsed file. Functions within functions are left out.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::dialect::{Dialect, is_source_name, scan_script, stem};
use super::phrase::Lexicon;
use crate::files::Files;
use crate::project::Project;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DefinitionKind {
    Function,
    Class,
    Constant,
    Method,
    Attribute,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Definition {
    pub(super) path: String,
    /// Counted from 1.
    pub(super) line: u32,
    /// With its class: `Class.method`.
    pub(super) name: String,
    pub(super) kind: DefinitionKind,
}

impl Definition {
    pub(super) fn is_top_level(&self) -> bool {
        !self.name.contains('.')
    }
}

pub(super) struct Index<'f> {
    pub(super) files: &'f dyn Files,
    pub(super) dialect: Dialect,
    /// Of the files of the dialect.
    paths: Vec<String>,
    /// Of folders that have files, with their parents.
    folders: BTreeSet<String>,
    /// The last parts of module and folder names, in lower case.
    stems: BTreeSet<String>,
    definitions: OnceCell<BTreeMap<String, Vec<Definition>>>,
    /// What a reader has to know about how names were taken.
    notes: RefCell<Vec<String>>,
}

impl<'f> Index<'f> {
    pub(super) fn new(files: &'f dyn Files, dialect: Dialect) -> Self {
        let all = files.paths();
        let mut folders = BTreeSet::new();
        for path in &all {
            let mut folder = path.as_str();
            while let Some((up, _)) = folder.rsplit_once('/') {
                if !folders.insert(up.to_owned()) {
                    break;
                }
                folder = up;
            }
        }
        let paths: Vec<String> = all.into_iter().filter(|path| dialect.owns(path)).collect();
        let stems =
            paths.iter().map(|path| stem(path)).chain(folders.iter().map(|folder| last(folder)));
        let stems = stems.map(str::to_lowercase).collect();
        Index {
            files,
            dialect,
            paths,
            folders,
            stems,
            definitions: OnceCell::new(),
            notes: RefCell::default(),
        }
    }

    pub(super) fn note(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    pub(super) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The ending of a new file beside another one.
    pub(super) fn ending_beside(&self, near: &str) -> &str {
        let of_dialect = self.dialect.endings();
        let same = of_dialect.iter().find(|it| **it == ending(near) && !is_stub(near));
        let common = || {
            let count = |it: &&&str| self.paths.iter().filter(|path| ending(path) == **it).count();
            // The first of those that are as common.
            of_dialect.iter().rev().max_by_key(count)
        };
        same.or_else(common).copied().unwrap_or_default()
    }

    /// Files with this path or the end of it; `a/b`, `a.b` and `b` name `a/b.py` as well.
    pub(super) fn files_named(&self, name: &str) -> Vec<String> {
        let name = normalized(name);
        let endings = self.dialect.endings().iter().filter(|it| **it != "pyi");
        let is_whole = is_source_name(&name);
        let wanted: Vec<String> = if is_whole {
            vec![name.clone()]
        } else {
            let dotted = Some(name.replace('.', "/")).filter(|_| name.contains('.'));
            let stems = [Some(name.clone()), dotted].into_iter().flatten();
            stems.flat_map(|stem| endings.clone().map(move |it| format!("{stem}.{it}"))).collect()
        };
        let matches = |path: &&String| wanted.iter().any(|end| ends_with_path(path, end));
        let exact: Vec<String> = self.paths.iter().filter(matches).cloned().collect();
        if !exact.is_empty() {
            return exact;
        }
        let stem = format!("{}/{}", name.replace('.', "/"), self.dialect.package_stem());
        let is_package =
            |path: &str| endings.clone().any(|it| ends_with_path(path, &format!("{stem}.{it}")));
        let packages = self.paths.iter().filter(|path| is_package(path));
        packages.filter(|_| name.contains(['.', '/'])).cloned().collect()
    }

    /// Folders with this path or the end of it, upper and lower case being the same.
    pub(super) fn folders_named(&self, name: &str) -> Vec<String> {
        let name = normalized(name).to_lowercase();
        let dotted = name.replace('.', "/");
        let matches = |folder: &&String| {
            let folder = folder.to_lowercase();
            ends_with_path(&folder, &name) || ends_with_path(&folder, &dotted)
        };
        if name.is_empty() {
            Vec::new()
        } else {
            self.folders.iter().filter(matches).cloned().collect()
        }
    }

    /// All definitions whose last part is this name.
    pub(super) fn definitions(&self, name: &str) -> &[Definition] {
        self.all_definitions().get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn defined_names(&self) -> impl Iterator<Item = &str> {
        self.all_definitions().keys().map(String::as_str)
    }

    /// What a file defines at its top level, in its order.
    pub(super) fn defined_in(&self, path: &str) -> Vec<Definition> {
        let text = self.files.text(path).unwrap_or_default();
        let mut definitions = self.scan(path, &text);
        definitions.retain(Definition::is_top_level);
        let mut seen = BTreeSet::new();
        definitions.retain(|definition| seen.insert(definition.name.clone()));
        definitions
    }

    fn scan(&self, path: &str, text: &str) -> Vec<Definition> {
        match self.dialect {
            Dialect::Python => scan(path, text),
            Dialect::Script => scan_script(path, text),
        }
    }

    fn all_definitions(&self) -> &BTreeMap<String, Vec<Definition>> {
        self.definitions.get_or_init(|| {
            let mut all: BTreeMap<String, Vec<Definition>> = BTreeMap::new();
            for path in &self.paths {
                let Some(text) = self.files.text(path) else { continue };
                for definition in self.scan(path, &text) {
                    let name = definition.name.rsplit('.').next().unwrap_or_default().to_owned();
                    let entry = all.entry(name).or_default();
                    let is_known = |other: &Definition| {
                        other.path == definition.path && other.name == definition.name
                    };
                    if !entry.iter().any(is_known) {
                        entry.push(definition);
                    }
                }
            }
            all
        })
    }
}

impl Lexicon for Index<'_> {
    fn knows(&self, word: &str) -> bool {
        self.knows_module(word) || self.definitions(word).iter().any(Definition::is_top_level)
    }

    fn knows_module(&self, word: &str) -> bool {
        self.stems.contains(&word.to_lowercase())
    }
}

pub(super) fn is_test(path: &str) -> bool {
    Project::is_test(path)
}

pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut from = 0;
    while let Some(found) = text[from..].find(word) {
        let at = from + found;
        let end = at + word.len();
        if !text[..at].ends_with(is_part) && !text[end..].starts_with(is_part) {
            return true;
        }
        from = end;
    }
    false
}

pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn is_stub(name: &str) -> bool {
    ending(name) == "pyi"
}

pub(super) fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// As paths are written in an index: no leading or trailing slash.
pub(super) fn normalized(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches("./").trim_matches('/').to_owned()
}

fn ends_with_path(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// The definitions of a text, in order: top-level ones and members of classes.
fn scan(path: &str, text: &str) -> Vec<Definition> {
    let mut definitions = Vec::new();
    // Enclosing definitions: their indentation, their name, and whether they are classes.
    let mut open: Vec<(usize, String, bool)> = Vec::new();
    let mut quote = None;
    for (number, line) in (1u32..).zip(text.lines()) {
        let was_quoted = quote.is_some();
        quote = quote_after(line, quote);
        let code = line.trim_start_matches(['\u{feff}', ' ', '\t', '\u{c}']);
        if was_quoted || code.is_empty() || code.starts_with('#') {
            continue;
        }
        let indent = line.len() - code.len();
        open.retain(|(outer, _, _)| *outer < indent);
        let Some((name, kind)) = definition_on(code, indent, &open) else { continue };
        if open.iter().all(|(_, _, is_class)| *is_class) {
            let outer = open.iter().map(|(_, name, _)| name.as_str());
            let names: Vec<&str> = outer.chain([name.as_str()]).collect();
            let (path, name) = (path.to_owned(), names.join("."));
            definitions.push(Definition { path, line: number, name, kind });
        }
        match kind {
            DefinitionKind::Function | DefinitionKind::Method => open.push((indent, name, false)),
            DefinitionKind::Class => open.push((indent, name, true)),
            DefinitionKind::Constant | DefinitionKind::Attribute => {}
        }
    }
    definitions
}

/// What a line defines.
fn definition_on(
    code: &str,
    indent: usize,
    open: &[(usize, String, bool)],
) -> Option<(String, DefinitionKind)> {
    let in_class = open.last().is_some_and(|(_, _, is_class)| *is_class);
    let function = code.strip_prefix("async ").map_or(code, str::trim_start).strip_prefix("def ");
    if let Some(rest) = function {
        let kind = if in_class { DefinitionKind::Method } else { DefinitionKind::Function };
        return identifier(rest.trim_start()).map(|name| (name, kind));
    }
    if let Some(rest) = code.strip_prefix("class ") {
        return identifier(rest.trim_start()).map(|name| (name, DefinitionKind::Class));
    }
    let name = identifier(code)?;
    let behind = code[name.len()..].trim_start();
    let is_assignment = behind.starts_with('=') && !behind.starts_with("==")
        || behind.starts_with(':')
            && behind[1..]
                .trim_start()
                .starts_with(|c: char| c.is_alphabetic() || c == '"' || c == '\'');
    let is_statement = matches!(name.as_str(), "else" | "try" | "finally" | "lambda" | "except");
    match (is_assignment && !is_statement, in_class, indent) {
        (true, true, _) => Some((name, DefinitionKind::Attribute)),
        (true, false, 0) => Some((name, DefinitionKind::Constant)),
        _ => None,
    }
}

pub(super) fn identifier(text: &str) -> Option<String> {
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(text.len());
    (end > 0 && !text.starts_with(|c: char| c.is_numeric())).then(|| text[..end].to_owned())
}

/// Inside of which triple quote the next line begins.
fn quote_after(line: &str, mut quote: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        let Some(open) = quote else {
            let (double, single) = (rest.find("\"\"\""), rest.find("'''"));
            let comment = rest.find('#').filter(|at| !rest[..*at].contains(['"', '\'']));
            let (at, kind) = match (double, single) {
                (Some(double), Some(single)) if single < double => (single, "'''"),
                (Some(double), _) => (double, "\"\"\""),
                (None, Some(single)) => (single, "'''"),
                (None, None) => return None,
            };
            if comment.is_some_and(|comment| comment < at) {
                return None;
            }
            quote = Some(kind);
            rest = &rest[at + 3..];
            continue;
        };
        let Some(at) = rest.find(open) else { return quote };
        quote = None;
        rest = &rest[at + 3..];
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::MemoryFiles;

    #[test]
    fn st3_definitions_are_found_line_by_line() {
        let text = "\u{feff}'''doc\nclass Not:\n'''\nLIMIT: int = 3\nx == 1\nasync def f(a):\n    def inner(): ...\n    y = 1\n\nclass A(B):\n    \
                    size = 3\n    def g(self): pass\n    class C:\n\tdef h(self): pass\nif 1:\n    def late(): pass\nprint(x)\nelse: y\n";
        let found: Vec<String> = scan("a.py", text)
            .iter()
            .map(|one| format!("{} {} {:?}", one.line, one.name, one.kind))
            .collect();
        expect![[r#"
            4 LIMIT Constant
            6 f Function
            10 A Class
            11 A.size Attribute
            12 A.g Method
            13 A.C Class
            14 A.h Method
            16 late Function"#]]
        .assert_eq(&found.join("\n"));
    }

    #[test]
    fn st3_files_and_folders_by_the_end_of_their_path() {
        let files = MemoryFiles::new(
            "//- lib/a/b.py\n//- lib/a/__init__.py\n//- tests/a/b.py\n//- docs/x.rst\n",
        );
        let index = Index::new(&files, Dialect::Python);
        assert_eq!(index.files_named("a/b.py"), ["lib/a/b.py", "tests/a/b.py"]);
        assert_eq!(index.files_named("/lib/a/b"), ["lib/a/b.py"]);
        assert_eq!(index.files_named("a.b"), ["lib/a/b.py", "tests/a/b.py"]);
        assert_eq!(index.files_named("lib/a"), ["lib/a/__init__.py"]);
        assert_eq!(index.folders_named("A/"), ["lib/a", "tests/a"]);
        assert!(index.knows_module("b") && !index.knows_module("x"));
    }
}

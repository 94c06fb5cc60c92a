//! Files that nobody needs to read to understand a repository: boilerplate, generated, vendored, minified.
//!
//! Such a file is ranked last and not read into a context; `words` says why, and that is logged. A wrong yes hides
//! real code and a wrong no costs a little room, so everything here asks for proof: a word in the middle of a
//! sentence is none.

mod attributes;
mod generated;
mod vendored;

use rb_core::RepoPath;
use rb_core::path::quote;
use rb_lang::{Language, Marks};
use serde::{Deserialize, Serialize};

use crate::content;

pub use self::attributes::{Attributes, Declared};
pub use self::generated::{GENERATED_FILE_MARKERS, Sign, is_generated};

/// Files that are trivial when the rule beside the name holds.
pub const TRIVIAL_FILES: &[(&str, Rule)] = &[
    ("__init__.py", Rule::Short),
    ("index.ts", Rule::OnlyReExports),
    ("index.js", Rule::OnlyReExports),
    ("index.tsx", Rule::OnlyReExports),
    ("index.jsx", Rule::OnlyReExports),
    ("index.mts", Rule::OnlyReExports),
    ("index.mjs", Rule::OnlyReExports),
    ("index.cts", Rule::OnlyReExports),
    ("index.cjs", Rule::OnlyReExports),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Fewer than ten lines, the empty ones at both ends not counted.
    Short,
    OnlyReExports,
}

const SHORT: usize = 10;

/// Why a file need not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trivial {
    Empty,
    ShortInit {
        lines: usize,
    },
    ReExports,
    LockFile,
    Generated(Sign),
    /// Somebody else's code, below this folder.
    Vendored(Box<str>),
    /// Somebody else's code, by the word of `.gitattributes`.
    SaidVendored,
    Minified,
}

impl Trivial {
    /// The reason without what differs from file to file.
    pub fn kind(&self) -> &'static str {
        match self {
            Trivial::Empty | Trivial::ShortInit { .. } | Trivial::ReExports => "trivial",
            Trivial::LockFile | Trivial::Generated(_) => "generated",
            Trivial::Vendored(_) | Trivial::SaidVendored => "vendored",
            Trivial::Minified => "minified",
        }
    }

    /// The reason as it is logged.
    pub fn words(&self) -> String {
        let detail = match self {
            Trivial::Empty => "empty".to_owned(),
            Trivial::ShortInit { lines: 1 } => "__init__.py of 1 line".to_owned(),
            Trivial::ShortInit { lines } => format!("__init__.py of {lines} lines"),
            Trivial::ReExports => "nothing but re-exports".to_owned(),
            Trivial::LockFile => "a lock file".to_owned(),
            Trivial::Generated(sign) => sign.words(),
            Trivial::Vendored(folder) => format!("below `{folder}`"),
            Trivial::SaidVendored => ".gitattributes says so".to_owned(),
            Trivial::Minified => "its lines are too long to be read".to_owned(),
        };
        format!("{}: {detail}", self.kind())
    }
}

/// The first reason to pass over a file, if there is one. `marks` are those of its facts.
pub fn judge(
    path: &RepoPath,
    text: &str,
    marks: Marks,
    attributes: &Attributes,
) -> Option<Trivial> {
    if text.trim().is_empty() {
        return Some(Trivial::Empty);
    }
    vendored(path, text, attributes)
        .or_else(|| generated(path, text, attributes))
        .or_else(|| minified(path, text))
        .or_else(|| by_rule(path, text, marks))
}

fn vendored(path: &RepoPath, text: &str, attributes: &Attributes) -> Option<Trivial> {
    match attributes.vendored(path) {
        Declared::Yes => Some(Trivial::SaidVendored),
        Declared::No => None,
        Declared::Nothing => {
            let folder = vendored::folder(path)
                .or_else(|| attributes.vendor_folder(path))
                .or_else(|| vendored::library(path, text))?;
            Some(Trivial::Vendored(quote(folder).into()))
        }
    }
}

fn generated(path: &RepoPath, text: &str, attributes: &Attributes) -> Option<Trivial> {
    match attributes.generated(path) {
        Declared::Yes => Some(Trivial::Generated(Sign::Attribute)),
        Declared::No => None,
        Declared::Nothing if generated::is_lock_file(path.file_name()) => Some(Trivial::LockFile),
        Declared::Nothing => is_generated(path, text).map(Trivial::Generated),
    }
}

/// A paragraph on one line is how many people write prose.
fn minified(path: &RepoPath, text: &str) -> Option<Trivial> {
    let prose = matches!(
        Language::of_path(path.as_bytes()),
        Some(Language::Markdown | Language::ReStructuredText | Language::Text)
    );
    (!prose && content::is_minified(text)).then_some(Trivial::Minified)
}

fn by_rule(path: &RepoPath, text: &str, marks: Marks) -> Option<Trivial> {
    let (_, rule) = TRIVIAL_FILES.iter().find(|(name, _)| name.as_bytes() == path.file_name())?;
    match rule {
        Rule::Short => {
            let lines = text.trim().lines().count();
            (lines < SHORT).then_some(Trivial::ShortInit { lines })
        }
        Rule::OnlyReExports => marks.only_reexports.then_some(Trivial::ReExports),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str, text: &str) -> String {
        let reason =
            judge(&RepoPath::new(path).unwrap(), text, Marks::default(), &Attributes::default());
        reason.map_or_else(|| "to be read".to_owned(), |reason| reason.words())
    }

    fn check(path: &str, text: &str, expected: &str) {
        assert_eq!(words(path, text), expected, "{path}: {text}");
    }

    #[test]
    fn ix11_smart002_1_the_trivial_files_are_listed() {
        for name in ["__init__.py", "index.ts", "index.js"] {
            assert!(TRIVIAL_FILES.iter().any(|(listed, _)| *listed == name), "{name}");
        }
        let mut names: Vec<&str> = TRIVIAL_FILES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TRIVIAL_FILES.len());
    }

    #[test]
    fn ix11_smart002_2_a_short_init_is_trivial() {
        check("a/__init__.py", "\n", "trivial: empty");
        check("a/__init__.py", "from .a import b\n", "trivial: __init__.py of 1 line");
        check("a/__init__.py", &"x = 1\n".repeat(9), "trivial: __init__.py of 9 lines");
        check(
            "__init__.py",
            &format!("\n\n{}\n\n", "x\n".repeat(9)),
            "trivial: __init__.py of 9 lines",
        );
        check("a/__init__.py", &"x = 1\n".repeat(10), "to be read");
        check("a/init.py", "x = 1\n", "to be read");
        check("a/x__init__.py", "x = 1\n", "to be read");
    }

    #[test]
    fn ix11_smart002_3_a_barrel_is_trivial() {
        let judged = |path: &str, only_reexports: bool| {
            let marks = Marks { only_reexports, ..Marks::default() };
            let text = "export * from './a';\n";
            judge(&RepoPath::new(path).unwrap(), text, marks, &Attributes::default())
        };
        for path in ["index.ts", "src/index.js", "a/index.tsx", "a/index.mjs"] {
            assert_eq!(judged(path, true), Some(Trivial::ReExports), "{path}");
            assert_eq!(judged(path, false), None, "{path}");
        }
        assert_eq!(judged("src/api.ts", true), None);
        check("index.ts", "export * from './a';\n", "to be read");
    }

    #[test]
    fn ix11_smart002_4_generated_files_are_passed_over() {
        check("a.py", "# Generated by Django 5.0\nx = 1\n", "generated: says `Generated by`");
        check("api.pb.go", "package api\n", "generated: named `*.pb.go`");
        check("Cargo.lock", "version = 4\n", "generated: a lock file");
        check("third_party/zlib/a.c", "int a;\n", "vendored: below `third_party`");
        check("public/js/bundle.js", "x();\n", "generated: named `bundle.*`");
        check("scripts/bundle.js", "x();\n", "to be read");
        check("static/app.bundle.js", "x();\n", "generated: named `*.bundle.js`");
        check("site.js", &"x".repeat(30_000), "minified: its lines are too long to be read");
        check("README.md", &"word ".repeat(6_000), "to be read");
        check("a.py", "x = 1\n", "to be read");
    }

    #[test]
    fn ix11_smart002_5_every_reason_has_its_words() {
        let reasons = [
            Trivial::Empty,
            Trivial::ShortInit { lines: 3 },
            Trivial::ReExports,
            Trivial::LockFile,
            Trivial::Generated(Sign::Marker("DO NOT EDIT".into())),
            Trivial::Generated(Sign::Name("*_pb2.py".into())),
            Trivial::Generated(Sign::Attribute),
            Trivial::Vendored("vendor".into()),
            Trivial::SaidVendored,
            Trivial::Minified,
        ];
        let words: Vec<String> = reasons.iter().map(Trivial::words).collect();
        expect_test::expect![[r"
            trivial: empty
            trivial: __init__.py of 3 lines
            trivial: nothing but re-exports
            generated: a lock file
            generated: says `DO NOT EDIT`
            generated: named `*_pb2.py`
            generated: .gitattributes says so
            vendored: below `vendor`
            vendored: .gitattributes says so
            minified: its lines are too long to be read
        "]]
        .assert_eq(&(words.join("\n") + "\n"));
    }
}

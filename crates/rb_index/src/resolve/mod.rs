//! Where imports lead, one file per ecosystem.
//!
//! A `Resolver` is made once for a tree and asked for each import. It sees the paths, packages and manifests of the
//! tree, never the disk: what is not in the tree (`node_modules`, a virtual environment) is outside by definition.
//!
//! To add an ecosystem: its file with `new`, `resolve` and `is_manifest`, and its line in the list below.

#[cfg(test)]
mod fixture;
mod packages;
mod paths;

use std::sync::OnceLock;

use rb_lang::{Import, Language};
use rustc_hash::FxHashSet;

use crate::tree::{FileId, Tree};

/// What became of one import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Files of this repository, sorted: usually one; several for a package or for `from . import a, b`.
    Inside(Vec<FileId>),
    /// A package from elsewhere, by the name under which it is installed: `react`, `@scope/a`, `requests`, `serde`.
    External(Box<str>),
    /// Comes with the language: `node:fs`, `os.path`, `std::fs`, `net/http`, `java.util`.
    Builtin,
    /// It looks like a file of this repository, or like a package that nobody declares, and is not there.
    Unresolved,
}

/// A longer one names nothing, and its many parts would each be looked up.
const MAX_SPECIFIER: usize = 1000;

macro_rules! ecosystems {
    ($($file:ident $resolver:ident: $($language:ident)|+,)*) => {
        $(mod $file;)*

        /// Answers for every language. An ecosystem's tables are made when its first import is asked for.
        pub struct Resolver<'t> {
            tree: &'t Tree,
            $($file: OnceLock<$file::$resolver<'t>>,)*
        }

        impl<'t> Resolver<'t> {
            pub fn new(tree: &'t Tree) -> Self {
                Resolver { tree, $($file: OnceLock::new(),)* }
            }

            /// Where an import of the file `from` leads, by the rules of that file's language.
            pub fn resolve(&self, from: FileId, import: &Import) -> Resolution {
                let length = import.specifier.len();
                if length > MAX_SPECIFIER || (length == 0 && single_names(import).next().is_none()) {
                    return Resolution::Unresolved;
                }
                let resolution = match self.tree.get(from).language {
                    $(Some($(Language::$language)|+) => self
                        .$file
                        .get_or_init(|| $file::$resolver::new(self.tree))
                        .resolve(from, import),)*
                    _ => Resolution::External(import.specifier.clone()),
                };
                match resolution {
                    Resolution::External(name) if name.is_empty() => Resolution::Unresolved,
                    resolution => resolution,
                }
            }
        }

        /// Is it a file whose text resolvers read, so that it must be in `TreeFile::manifest`?
        pub fn is_manifest(path: &str) -> bool {
            let name = paths::name(path);
            $($file::is_manifest(name))||*
        }
    };
}

ecosystems! {
    c CResolver: C | Cpp | ObjectiveC,
    c_sharp CSharpResolver: CSharp,
    elixir ElixirResolver: Elixir,
    go GoResolver: Go,
    jvm JvmResolver: Java | Kotlin | Scala,
    lua LuaResolver: Lua,
    node NodeResolver: JavaScript | TypeScript | Tsx | Vue | Svelte | Astro,
    php PhpResolver: Php,
    python PythonResolver: Python,
    ruby RubyResolver: Ruby,
    rust RustResolver: Rust,
    shell ShellResolver: Bash,
    swift SwiftResolver: Swift,
}

/// `Inside`, with the files in order and each once; `None` where there are none.
fn inside(files: impl IntoIterator<Item = FileId>) -> Option<Resolution> {
    let mut files: Vec<FileId> = files.into_iter().collect();
    files.sort_unstable();
    files.dedup();
    (!files.is_empty()).then_some(Resolution::Inside(files))
}

/// The single file that was looked for, or the news that it is missing.
fn found(file: Option<FileId>) -> Resolution {
    inside(file).unwrap_or(Resolution::Unresolved)
}

/// The names that an import takes, without the `*` that stands for all.
fn single_names(import: &Import) -> impl Iterator<Item = &str> {
    import.names.iter().map(|name| &*name.name).filter(|name| *name != "*")
}

/// Manifests of a tree, by file name.
fn manifests<'t>(tree: &'t Tree, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    tree.files
        .iter()
        .filter(move |file| paths::name(&file.path) == name)
        .filter_map(|file| Some((paths::folder(&file.path), file.manifest.as_deref()?)))
}

/// A set from words divided by white space, as the lists of what comes with a language are written.
fn words(list: &'static str) -> FxHashSet<&'static str> {
    list.split_whitespace().collect()
}

/// The value under a path of keys.
fn toml_at<'a>(table: &'a toml::Table, keys: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = keys.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, key| value.get(*key))
}

/// The strings of a value that is a string or a list of them.
fn toml_strings(value: &toml::Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    value.as_str().into_iter().chain(list.iter().filter_map(toml::Value::as_str))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::fixture::{import_of, tree_of};
    use super::*;

    #[test]
    fn ix3_a_resolver_is_asked_from_several_threads() {
        fn assert_sync<T: Sync>() {}
        assert_sync::<Resolver<'_>>();
    }

    #[test]
    fn ix3_a_specifier_without_end_is_not_followed() {
        let tree = tree_of("//- a.py\n//- a.rs\n//- a.java\n");
        for id in tree.ids() {
            let resolution = Resolver::new(&tree).resolve(id, &import_of(&"a.".repeat(501)));
            assert_eq!(resolution, Resolution::Unresolved);
        }
    }

    #[test]
    fn ix3_what_is_not_read_is_from_elsewhere() {
        let tree = tree_of("//- a.nix\n//- noise\n");
        for id in tree.ids() {
            let resolution = Resolver::new(&tree).resolve(id, &import_of("./b"));
            assert_eq!(resolution, Resolution::External("./b".into()));
        }
    }

    /// Pieces that mean something to some manifest or path, put together at random.
    const PIECES: &[&str] = &[
        "[package]\n",
        "[workspace]\n",
        "name",
        "path",
        " = ",
        "'a'",
        "\"..\"",
        "[",
        "]",
        "{",
        "}",
        ":",
        "::",
        ".",
        "..",
        "/",
        "\\",
        ",",
        "\n",
        " ",
        "module ",
        "replace ",
        " => ",
        "./",
        "(",
        ")",
        "crate",
        "super",
        "self",
        "*",
        "a",
        "b",
        "é",
        "$",
        "${",
        "\"psr-4\"",
        "\"autoload\"",
        "<PackageReference Include=\"",
        "arget(name:",
        "gem '",
        "{:",
        "\0",
        "-",
        "_",
        "dependencies",
        "tool",
        "pythonpath",
    ];

    proptest! {
        #[test]
        fn ix3_no_text_makes_a_resolver_panic(
            manifest in prop::collection::vec(prop::sample::select(PIECES), 0..30),
            specifier in prop::collection::vec(prop::sample::select(PIECES), 0..6),
            name in prop::sample::select(PIECES),
            kind in prop::sample::select(&["", "Include ", "SystemInclude ", "Module ", "Require "][..]),
        ) {
            let manifest = manifest.concat().replace("//-", "");
            let mut fixture = String::new();
            for path in MANIFESTS {
                assert!(is_manifest(path), "{path}");
                let _ = write!(fixture, "//- {path}\n{manifest}\n//- a/{path}\n{manifest}\n");
            }
            for extension in EXTENSIONS {
                let _ = write!(fixture, "//- a.{extension}\n//- a/b.{extension} package a.b\n");
            }
            let tree = tree_of(&fixture);
            let resolver = Resolver::new(&tree);
            let import = import_of(&format!("{kind}{} {name}", specifier.concat()));
            for id in tree.ids() {
                match resolver.resolve(id, &import) {
                    Resolution::Inside(files) => prop_assert!(!files.is_empty() && files.is_sorted()),
                    Resolution::External(name) => prop_assert!(!name.is_empty()),
                    Resolution::Builtin | Resolution::Unresolved => {}
                }
            }
        }
    }

    const MANIFESTS: &[&str] = &[
        "Cargo.toml",
        "Gemfile",
        "Package.swift",
        "a.csproj",
        "a.gemspec",
        "composer.json",
        "go.mod",
        "mix.exs",
        "package.json",
        "pyproject.toml",
        "setup.cfg",
    ];
    const EXTENSIONS: &[&str] = &[
        "c", "cs", "ex", "go", "java", "kt", "lua", "php", "py", "rb", "rs", "scala", "sh",
        "swift", "ts",
    ];
}

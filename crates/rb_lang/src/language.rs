//! Which language a file is written in, by its name and, where the name leaves it open, by its first bytes.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

macro_rules! languages {
    ($($variant:ident $id:literal $name:literal: $extensions:literal, $files:literal, $programs:literal;)*) => {
        /// A language that files are written in. `extract` reads some into facts; the others are only counted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Language { $(#[serde(rename = $id)] $variant,)* }

        impl Language {
            pub const ALL: &[Language] = &[$(Language::$variant,)*];

            /// As people write it.
            pub fn name(self) -> &'static str {
                match self { $(Language::$variant => $name,)* }
            }

            /// As it is stored and written on a command line.
            pub fn id(self) -> &'static str {
                match self { $(Language::$variant => $id,)* }
            }
        }

        const ROWS: &[Row] = &[$((Language::$variant, $extensions, $files, $programs),)*];
    };
}

/// Language, extensions, whole file names, programs of a `#!` line; lists are divided by spaces.
type Row = (Language, &'static str, &'static str, &'static str);

// In the order of the listing of equals. A new language that is read also needs its file in `languages/`.
languages! {
    JavaScript "javascript" "JavaScript": "js jsx mjs cjs es6", "Jakefile", "node nodejs bun";
    TypeScript "typescript" "TypeScript": "ts mts cts", "", "deno ts-node";
    Tsx "tsx" "TSX": "tsx", "", "tsx";
    Python "python" "Python": "py pyi pyw", "SConstruct SConscript wscript", "python python2 python3 pypy pypy3";
    Rust "rust" "Rust": "rs", "", "rust-script";
    Go "go" "Go": "go", "", "";
    Java "java" "Java": "java", "", "";
    C "c" "C": "c", "", "";
    Cpp "cpp" "C++": "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh", "", "";
    CSharp "csharp" "C#": "cs csx", "", "";
    Ruby "ruby" "Ruby": "rb rake gemspec ru podspec", "Rakefile Gemfile Guardfile Podfile Vagrantfile Fastfile Brewfile", "ruby jruby";
    Php "php" "PHP": "php phtml php5 php7 php8", "", "php";
    Kotlin "kotlin" "Kotlin": "kt kts", "", "kotlin";
    Swift "swift" "Swift": "swift", "", "swift";
    Scala "scala" "Scala": "scala sc sbt", "", "scala";
    Elixir "elixir" "Elixir": "ex exs", "", "elixir";
    Lua "lua" "Lua": "lua", "", "lua luajit";
    Bash "bash" "Shell": "sh bash zsh ksh bats", "configure PKGBUILD", "sh bash zsh ksh dash ash bats";
    Html "html" "HTML": "html htm xhtml", "", "";
    Css "css" "CSS": "css", "", "";
    Scss "scss" "SCSS": "scss sass less", "", "";
    Vue "vue" "Vue": "vue", "", "";
    Svelte "svelte" "Svelte": "svelte", "", "";
    Astro "astro" "Astro": "astro", "", "";
    Sql "sql" "SQL": "sql", "", "";
    GraphQl "graphql" "GraphQL": "graphql gql", "", "";
    Protobuf "protobuf" "Protocol Buffers": "proto", "", "";
    Perl "perl" "Perl": "pl pm t", "", "perl";
    R "r" "R": "r R", "", "Rscript";
    Dart "dart" "Dart": "dart", "", "dart";
    Haskell "haskell" "Haskell": "hs", "", "runhaskell";
    OCaml "ocaml" "OCaml": "ml mli", "", "ocaml";
    Clojure "clojure" "Clojure": "clj cljs cljc edn", "", "clojure bb";
    Erlang "erlang" "Erlang": "erl hrl", "", "escript";
    Zig "zig" "Zig": "zig", "", "";
    ObjectiveC "objective_c" "Objective-C": "m mm", "", "";
    Groovy "groovy" "Groovy": "groovy gradle", "Jenkinsfile", "groovy";
    PowerShell "powershell" "PowerShell": "ps1 psm1", "", "pwsh";
    Assembly "assembly" "Assembly": "s S asm", "", "";
    Nix "nix" "Nix": "nix", "", "";
    Terraform "terraform" "Terraform": "tf tfvars hcl", "", "";
    Make "make" "Makefile": "mk mak", "Makefile makefile GNUmakefile", "make";
    CMake "cmake" "CMake": "cmake", "CMakeLists.txt", "";
    Docker "docker" "Dockerfile": "dockerfile", "Dockerfile Containerfile", "";
    Markdown "markdown" "Markdown": "md markdown mdx", "", "";
    ReStructuredText "rst" "reStructuredText": "rst", "", "";
    Text "text" "Text": "txt", "LICENSE README NEWS AUTHORS COPYING CHANGELOG", "";
    Json "json" "JSON": "json jsonc json5 webmanifest", "", "";
    Yaml "yaml" "YAML": "yaml yml", "", "";
    Toml "toml" "TOML": "toml", "Cargo.lock poetry.lock uv.lock", "";
    Xml "xml" "XML": "xml xsd xsl xslt svg csproj fsproj props targets plist", "", "";
    Ini "ini" "INI": "ini cfg conf properties editorconfig", ".gitconfig .npmrc", "";
}

static BY_EXTENSION: LazyLock<FxHashMap<&str, Language>> = LazyLock::new(|| table(|row| row.1));
static BY_FILE_NAME: LazyLock<FxHashMap<&str, Language>> = LazyLock::new(|| table(|row| row.2));
static BY_PROGRAM: LazyLock<FxHashMap<&str, Language>> = LazyLock::new(|| table(|row| row.3));

fn table(column: impl Fn(&Row) -> &'static str) -> FxHashMap<&'static str, Language> {
    ROWS.iter()
        .flat_map(|row| column(row).split_whitespace().map(move |word| (word, row.0)))
        .collect()
}

impl Language {
    /// By the file's name alone. `None` where the name says nothing, as for a script without an extension.
    pub fn of_path(path: &[u8]) -> Option<Language> {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let name = std::str::from_utf8(name).ok()?;
        if let Some(&language) = BY_FILE_NAME.get(name) {
            return Some(language);
        }
        let (stem, extension) = name.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        BY_EXTENSION.get(extension).copied().or_else(|| {
            let lower = extension.to_ascii_lowercase();
            BY_EXTENSION.get(lower.as_str()).copied()
        })
    }

    /// By name and, where that leaves it open (`.h`, a script without extension), by the text.
    pub fn of(path: &[u8], text: &str) -> Option<Language> {
        if path.ends_with(b".h") {
            return Some(if is_cpp_header(text) { Language::Cpp } else { Language::C });
        }
        Language::of_path(path).or_else(|| Language::of_shebang(text))
    }

    /// Could `of` say more than `of_path`, if it saw the text?
    pub fn needs_text(path: &[u8]) -> bool {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        path.ends_with(b".h") || !name.contains(&b'.')
    }

    fn of_shebang(text: &str) -> Option<Language> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let mut words = line.split_whitespace();
        let program = words.next()?.rsplit('/').next()?;
        let program = if program == "env" {
            words.find(|word| !word.starts_with('-') && !word.contains('='))?.rsplit('/').next()?
        } else {
            program
        };
        let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        BY_PROGRAM.get(program).or_else(|| BY_PROGRAM.get(bare)).copied()
    }
}

/// Words that C has not, at the start of a line.
fn is_cpp_header(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        [
            "class ",
            "namespace ",
            "template <",
            "template<",
            "using namespace ",
            "public:",
            "private:",
            "protected:",
        ]
        .iter()
        .any(|word| line.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expected: Option<Language>) {
        assert_eq!(Language::of(path.as_bytes(), text), expected, "{path}");
    }

    #[test]
    fn ix2_a_language_is_told_by_name_then_by_text() {
        check("a/b.tsx", "", Some(Language::Tsx));
        check("a.mts", "", Some(Language::TypeScript));
        check("X.PY", "", Some(Language::Python));
        check("a/Rakefile", "", Some(Language::Ruby));
        check("bin/tool", "#!/usr/bin/env -S python3.11 -u\n", Some(Language::Python));
        check("bin/tool", "#!/bin/sh\n", Some(Language::Bash));
        check("a.h", "int f(void);\n", Some(Language::C));
        check("a.h", "namespace a {\n", Some(Language::Cpp));
        check(".gitignore", "", None);
        check("data.bin", "", None);
    }

    #[test]
    fn no_word_stands_for_two_languages() {
        for column in [1, 2, 3] {
            let mut words: Vec<&str> = ROWS
                .iter()
                .flat_map(|row| [row.1, row.2, row.3][column - 1].split_whitespace())
                .collect();
            words.sort_unstable();
            let all = words.len();
            words.dedup();
            assert_eq!(words.len(), all, "column {column}");
        }
    }
}

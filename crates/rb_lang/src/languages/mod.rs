//! The languages that are read, one file each.
//!
//! A file holds `extract` and its tests. To add one: the file, its `mod` line, its line in the list below, and its row in
//! `language.rs`.

mod bash;
mod c;
mod c_sharp;
mod cpp;
mod ecma;
mod elixir;
mod go;
mod java;
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;

pub(crate) use self::ecma::error_offsets;
pub use self::ecma::{STACK, spawn, with_program};
use crate::facts::Facts;
use crate::language::Language;

/// Raised whenever the same text may give other facts than before, so that stored ones are made again.
pub const VERSION: u32 = 3;

macro_rules! extractors {
    ($($file:ident: $($language:ident)|+,)*) => {
        /// Reads a text into facts; `None` for a language that is only counted.
        ///
        /// It never fails: text that cannot be parsed gives what could be read of it.
        pub fn extract(language: Language, text: &str) -> Option<Facts> {
            match language {
                $($(Language::$language)|+ => Some($file::extract(language, text)),)*
                _ => None,
            }
        }

        impl Language {
            /// Does `extract` read it?
            pub fn is_read(self) -> bool {
                match self {
                    $($(Language::$language)|+ => true,)*
                    _ => false,
                }
            }
        }

        #[cfg(test)]
        const FILES: &[&str] = &[$(stringify!($file)),*];
    };
}

extractors! {
    bash: Bash,
    c: C,
    c_sharp: CSharp,
    cpp: Cpp,
    ecma: JavaScript | TypeScript | Tsx,
    elixir: Elixir,
    go: Go,
    java: Java,
    kotlin: Kotlin,
    lua: Lua,
    php: Php,
    python: Python,
    ruby: Ruby,
    rust: Rust,
    scala: Scala,
    swift: Swift,
}

/// What tests compare: the facts of a text, one line for each fact.
#[cfg(test)]
pub(crate) fn shown(language: Language, text: &str) -> String {
    use std::fmt::Write as _;

    let facts = extract(language, text).expect("a language that is read");
    let mut lines = String::new();
    for (index, symbol) in facts.symbols.iter().enumerate() {
        let parent = symbol.parent.map_or(String::new(), |parent| {
            assert!((parent as usize) < index, "a parent comes before its children");
            format!(" in {}", facts.symbols[parent as usize].name)
        });
        let exported = if symbol.exported { "+" } else { "-" };
        let _ = write!(
            lines,
            "{exported}{} {}{parent} {}..{} `{}`",
            symbol.kind.name(),
            symbol.name,
            symbol.span.first_line,
            symbol.span.last_line,
            symbol.signature
        );
        if symbol.complexity > 1 {
            let _ = write!(lines, " complexity {}", symbol.complexity);
        }
        if !symbol.hooks.is_empty() {
            let _ = write!(lines, " hooks {}", symbol.hooks.join(" "));
        }
        if symbol.suspense {
            lines.push_str(" suspense");
        }
        if !symbol.doc.is_empty() {
            let _ = write!(lines, " doc {:?}", symbol.doc);
        }
        lines.push('\n');
    }
    for import in &facts.imports {
        let names: Vec<String> = import
            .names
            .iter()
            .map(|name| {
                if name.name == name.local {
                    name.name.to_string()
                } else {
                    format!("{} as {}", name.name, name.local)
                }
            })
            .collect();
        let _ = writeln!(
            lines,
            "import {:?} `{}` [{}] uses {}",
            import.kind,
            import.specifier,
            names.join(", "),
            import.uses
        );
    }
    for export in &facts.exports {
        let _ = writeln!(lines, "export {} = {}", export.name, export.local);
    }
    for reference in &facts.references {
        let from = reference.from.map_or("top", |from| &facts.symbols[from as usize].name);
        let qualifier = if reference.qualifier.is_empty() {
            String::new()
        } else {
            format!("{} . ", reference.qualifier)
        };
        let times =
            if reference.count > 1 { format!(" x{}", reference.count) } else { String::new() };
        let _ = writeln!(
            lines,
            "{:?} {qualifier}{} from {from}{times}",
            reference.kind, reference.name
        );
    }
    if let Some(package) = &facts.package {
        let _ = writeln!(lines, "package {package}");
    }
    let marks = facts.marks;
    for (set, name) in [
        (marks.use_client, "use client"),
        (marks.use_server, "use server"),
        (marks.only_reexports, "only re-exports"),
        (marks.main, "main"),
        (marks.jsx, "jsx"),
        (marks.tests, "tests"),
    ] {
        if set {
            let _ = writeln!(lines, "mark {name}");
        }
    }
    if facts.syntax_errors > 0 {
        let _ = writeln!(lines, "syntax errors {}", facts.syntax_errors);
    }
    if let Some(cut) = facts.cut {
        let _ = writeln!(lines, "cut {cut:?}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages");
        let mut files: Vec<String> = rb_core::fs::list(&folder)
            .unwrap()
            .iter()
            .filter_map(|name| name.to_str())
            .map(|name| name.strip_suffix(".rs").unwrap_or(name).to_owned())
            .filter(|name| name != "mod")
            .collect();
        files.sort();
        files.dedup();
        let mut listed = FILES.to_vec();
        listed.sort_unstable();
        assert_eq!(files, listed);
    }

    /// Nesting, broken and foreign text must come back from every language, whatever it gives.
    #[test]
    fn ix1_no_text_stops_an_extractor() {
        for &language in Language::ALL.iter().filter(|language| language.is_read()) {
            for opener in [
                "(",
                "[",
                "{",
                "<",
                "if (x) { ",
                "f(",
                "a.b(",
                "\"",
                "/*",
                "x = [",
                "!",
                "- ",
                "a => ",
                "class A { ",
                "fn f() { ",
                "def f():\n ",
            ] {
                for repeat in [1, 20_000] {
                    extract(language, &opener.repeat(repeat)).unwrap();
                }
            }
            extract(language, "\u{feff}\0\u{202e} ü\r\n\r\rx").unwrap();
        }
    }
}

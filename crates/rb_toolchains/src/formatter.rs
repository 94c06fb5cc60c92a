//! The formatter that a project keeps its files by: which one it is for a file, and the line that formats some.
//!
//! It is called where its settings and its package are, and only if it is installed. Whether a file is kept by it is not known
//! here: that is seen by running it over the file.

use std::path::Path;

use rb_core::RepoPath;

use crate::Have;
use crate::shell::quote;
use crate::tree::MAX_TEXT;

/// A formatter, and where it is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Formatter {
    /// Relative to the root; empty is the root.
    pub folder: String,
    words: Vec<String>,
    /// It formats its whole package, and is told of no files.
    is_whole: bool,
}

const PRETTIER: [&str; 18] = [
    "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "json", "jsonc", "css", "scss", "less",
    "html", "vue", "md", "yml", "yaml",
];
const BIOME: [&str; 10] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "json", "css"];
const PRETTIER_FILES: [&str; 14] = [
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.json5",
    ".prettierrc.yml",
    ".prettierrc.yaml",
    ".prettierrc.toml",
    ".prettierrc.js",
    ".prettierrc.cjs",
    ".prettierrc.mjs",
    ".prettierrc.ts",
    "prettier.config.js",
    "prettier.config.cjs",
    "prettier.config.mjs",
    "prettier.config.ts",
];

/// Formats and sorts imports, as far as the project's settings say so; changes nothing else.
const BIOME_CHECK: [&str; 3] = ["check", "--write", "--linter-enabled=false"];

impl Formatter {
    /// The same formatter without its order of imports, for files that keep to the rest of it.
    pub fn without_imports(&self) -> Option<Formatter> {
        let (program, flags) = self.words.split_first()?;
        (*flags == BIOME_CHECK)
            .then(|| Formatter::new(&self.folder, program, &["format", "--write"]))
    }

    /// The formatter of a file below `root`, if the project has one for it that can be run.
    pub fn of(root: &Path, path: &str, have: &dyn Have) -> Option<Formatter> {
        let ending = path.rsplit_once('.')?.1;
        let at = Around { root, path };
        match ending {
            "rs" if have.have("cargo") => {
                at.nearest(&["Cargo.toml"]).map(|it| Formatter::whole(it, &["cargo", "fmt"]))
            }
            "go" if have.have("gofmt") => {
                at.nearest(&["go.mod"]).map(|it| Formatter::new(it, "gofmt", &["-w"]))
            }
            "py" | "pyi" => at.python(have),
            _ => at.biome(ending).or_else(|| at.prettier(ending)),
        }
    }

    fn new(folder: &str, program: &str, flags: &[&str]) -> Formatter {
        let words = std::iter::once(program).chain(flags.iter().copied());
        let words = words.map(str::to_owned).collect();
        Formatter { folder: folder.to_owned(), words, is_whole: false }
    }

    fn whole(folder: &str, words: &[&str]) -> Formatter {
        let words = words.iter().map(ToString::to_string).collect();
        Formatter { folder: folder.to_owned(), words, is_whole: true }
    }

    /// The line that formats these files, paths from the root; it is to be run in the root.
    pub fn line(&self, paths: &[&str]) -> String {
        let within = format!("{}/", self.folder);
        let below = |path: &&str| path.strip_prefix(&within).unwrap_or(path).to_owned();
        // The name of a file may look like an option.
        let files = paths.iter().filter(|_| !self.is_whole).map(|it| format!("./{}", below(it)));
        let words: Vec<String> =
            self.words.iter().cloned().chain(files).map(|word| quote(&word)).collect();
        let line = words.join(" ");
        if self.folder.is_empty() { line } else { format!("cd {} && {line}", quote(&self.folder)) }
    }
}

/// A file, and the folders that it lies in.
struct Around<'p> {
    root: &'p Path,
    path: &'p str,
}

impl<'p> Around<'p> {
    /// From the nearest to the root.
    fn folders(&self) -> impl Iterator<Item = &'p str> {
        let parent = |path: &'p str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
        std::iter::successors(Some(parent(self.path)), move |folder| {
            (!folder.is_empty()).then(|| parent(folder))
        })
    }

    fn has(&self, folder: &str, name: &str) -> bool {
        self.root.join(folder).join(name).is_file()
    }

    fn nearest(&self, names: &[&str]) -> Option<&'p str> {
        self.folders().find(|folder| names.iter().any(|name| self.has(folder, name)))
    }

    fn says(&self, folder: &str, file: &str, words: &[&str]) -> bool {
        let path = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
        let Ok(path) = RepoPath::new(path) else { return false };
        let text = rb_core::fs::read_plain(self.root, &path, MAX_TEXT).ok().flatten();
        let text = text.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        words.iter().any(|word| text.contains(word))
    }

    fn biome(&self, ending: &str) -> Option<Formatter> {
        self.nearest(&["biome.json", "biome.jsonc"]).filter(|_| BIOME.contains(&ending))?;
        let program = "node_modules/.bin/biome";
        let folder = self.nearest(&[program])?;
        Some(Formatter::new(folder, &format!("./{program}"), &BIOME_CHECK))
    }

    fn prettier(&self, ending: &str) -> Option<Formatter> {
        let is_set_up = |folder: &str| {
            PRETTIER_FILES.iter().any(|name| self.has(folder, name))
                || self.says(folder, "package.json", &["\"prettier\""])
        };
        self.folders().find(|it| is_set_up(it)).filter(|_| PRETTIER.contains(&ending))?;
        let program = "node_modules/.bin/prettier";
        let folder = self.nearest(&[program])?;
        Some(Formatter::new(folder, &format!("./{program}"), &["--write"]))
    }

    fn python(&self, have: &dyn Have) -> Option<Formatter> {
        let file = "pyproject.toml";
        let folder = self.nearest(&[file])?;
        let found = |program: &str| {
            let own = format!("./.venv/bin/{program}");
            if self.has(folder, &own) {
                return Some(own);
            }
            have.have(program).then(|| program.to_owned())
        };
        if self.says(folder, file, &["[tool.black]"]) {
            return Some(Formatter::new(folder, &found("black")?, &[]));
        }
        if self.says(folder, file, &["[tool.ruff.format]", "[tool.ruff]"]) {
            return Some(Formatter::new(folder, &found("ruff")?, &["format"]));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `files` are made, those with `=` with what stands behind it.
    fn check(files: &[&str], path: &str, expected: Option<&str>) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let (name, text) = file.split_once('=').unwrap_or((file, ""));
            let place = dir.path().join(name);
            rb_core::fs::create_dir_all(place.parent().unwrap()).unwrap();
            rb_core::fs::write(&place, text.as_bytes(), rb_core::fs::Durability::Relaxed).unwrap();
        }
        let have = |program: &str| ["cargo", "gofmt", "ruff"].contains(&program);
        let line = Formatter::of(dir.path(), path, &have).map(|house| house.line(&[path]));
        assert_eq!(line.as_deref(), expected, "{path} beside {files:?}");
    }

    #[test]
    fn rf5_the_formatter_of_a_file_is_the_nearest_that_is_set_up_and_installed() {
        let bin = "node_modules/.bin/prettier";
        let line = "./node_modules/.bin/prettier --write ./src/a.ts";
        check(&[".prettierrc", bin], "src/a.ts", Some(line));
        check(&["package.json={\"prettier\": {}}", bin], "src/a.ts", Some(line));
        check(&["package.json={}", bin], "src/a.ts", None);
        check(&[".prettierrc"], "src/a.ts", None);
        check(&[".prettierrc", bin], "src/a.sql", None);
        check(&[".prettierrc", bin], "Makefile", None);
        let inner = ["web/prettier.config.mjs", "web/node_modules/.bin/prettier"];
        let line = "cd web && ./node_modules/.bin/prettier --write './src/[id].tsx'";
        check(&inner, "web/src/[id].tsx", Some(line));
        check(&inner, "api/a.ts", None);
        let both = ["biome.json", "node_modules/.bin/biome", ".prettierrc", bin];
        check(
            &both,
            "a.js",
            Some("./node_modules/.bin/biome check --write --linter-enabled=false ./a.js"),
        );
        check(&both, "a.md", Some("./node_modules/.bin/prettier --write ./a.md"));
        check(&["crates/x/Cargo.toml"], "crates/x/src/lib.rs", Some("cd crates/x && cargo fmt"));
        check(&["go.mod"], "cmd/main.go", Some("gofmt -w ./cmd/main.go"));
        check(&["pyproject.toml=[tool.ruff]"], "a.py", Some("ruff format ./a.py"));
        check(&["pyproject.toml=[tool.black]"], "a.py", None);
        let own = ["pyproject.toml=[tool.black]", ".venv/bin/black"];
        check(&own, "a.py", Some("./.venv/bin/black ./a.py"));
    }
}

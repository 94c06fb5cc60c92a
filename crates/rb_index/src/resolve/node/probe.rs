//! From a path without its extension, or with that of the built file, to the file that is meant.
//!
//! The order is TypeScript's: `./a.js` is written for `a.ts`, a file goes before a folder, types before code. What
//! TypeScript does not load comes after: pictures, styles and components under their full name, then the extensions
//! that bundlers add.

use super::files::{Files, file_name, join};
use super::package::Packages;
use crate::tree::FileId;

const ADDED: &[&str] = &[".ts", ".tsx", ".d.ts", ".js", ".jsx"];
const ADDED_BY_BUNDLERS: &[&str] =
    &[".mts", ".cts", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".astro"];
/// In source, code goes before types: a declaration beside code is rarely the source of a built file.
const SOURCE: &[&str] = &[
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".vue", ".svelte",
    ".json",
];
const STYLES: &[&str] = &[".css", ".scss", ".sass", ".less", ".pcss"];
/// `.d.ts` before `.ts`, so that the longer one is cut off.
const KNOWN: &[&str] = &[
    ".d.ts", ".d.mts", ".d.cts", ".mjs", ".mts", ".cjs", ".cts", ".ts", ".js", ".tsx", ".jsx",
    ".json",
];
/// What bundlers put before the extension of what they build.
const BUILD_MARKS: &[&str] = &[
    ".min",
    ".umd",
    ".esm",
    ".cjs",
    ".es",
    ".mjs",
    ".module",
    ".common",
    ".global",
    ".bundle",
    ".prod",
    ".production",
    ".development",
    ".dev",
    ".browser",
];

#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    pub(super) files: &'a Files<'a>,
    pub(super) packages: &'a Packages,
    /// `moduleSuffixes` of the tsconfig; `[""]` where it has none.
    pub(super) suffixes: &'a [Box<str>],
}

impl Probe<'_> {
    /// The file for `path`, which was written as `written`: a slash or dots at its end say that it is a folder.
    pub(super) fn module(&self, path: &str, written: &str) -> Option<FileId> {
        self.typescript_module(path, written).or_else(|| self.bundled(path))
    }

    /// Without what only bundlers find. For names that may as well be packages.
    pub(super) fn typescript_module(&self, path: &str, written: &str) -> Option<FileId> {
        let folder_alone = matches!(file_name(written), "" | "." | "..");
        let file = if folder_alone { None } else { self.file(path) };
        file.or_else(|| self.folder(path))
    }

    /// The file for `path`, to which `target` of a tsconfig led: one that names an extension is meant to the letter.
    pub(super) fn mapped(&self, path: &str, target: &str) -> Option<FileId> {
        let exact = KNOWN.iter().any(|known| target.ends_with(known));
        let exact = if exact { self.files.file(path) } else { None };
        exact.or_else(|| self.module(path, target))
    }

    /// Without a look at folders.
    pub(super) fn file(&self, path: &str) -> Option<FileId> {
        self.replaced(path).or_else(|| self.first(path, ADDED)).or_else(|| self.files.file(path))
    }

    /// A path from a manifest: where it names TypeScript, it is meant to the letter.
    pub(super) fn declared(&self, path: &str) -> Option<FileId> {
        let (_, extension) = split_extension(path);
        let exact = if extension.contains("ts") { self.files.file(path) } else { None };
        exact.or_else(|| self.file(path)).or_else(|| self.index(path, ADDED))
    }

    /// The source of what would be built to `path`.
    pub(super) fn source(&self, path: &str) -> Option<FileId> {
        let (stem, extension) = split_extension(path);
        if STYLES.contains(&extension) {
            return self.first(stem, STYLES);
        }
        if !KNOWN.contains(&extension) && !extension.is_empty() && self.files.file(path).is_some() {
            return self.files.file(path);
        }
        let stem = if KNOWN.contains(&extension) { stem } else { path };
        let mut bare = stem;
        while let Some(shorter) = BUILD_MARKS.iter().find_map(|mark| bare.strip_suffix(mark)) {
            bare = shorter;
        }
        self.first(stem, SOURCE)
            .or_else(|| self.first(bare, SOURCE))
            .or_else(|| self.index(bare, SOURCE))
    }

    fn folder(&self, path: &str) -> Option<FileId> {
        let package = self.packages.at(path);
        let entry = package.into_iter().flat_map(|package| &package.entries).find_map(|entry| {
            let path = join(path, entry)?;
            self.declared(&path)
        });
        entry.or_else(|| self.index(path, ADDED))
    }

    fn index(&self, folder: &str, extensions: &[&str]) -> Option<FileId> {
        if !self.files.is_folder(folder) {
            return None;
        }
        self.first(&join(folder, "index")?, extensions)
    }

    fn bundled(&self, path: &str) -> Option<FileId> {
        self.first(path, ADDED_BY_BUNDLERS).or_else(|| self.index(path, ADDED_BY_BUNDLERS))
    }

    /// `./a.js` stands for `a.ts`, `./a.css` for `a.d.css.ts`.
    fn replaced(&self, path: &str) -> Option<FileId> {
        let (stem, extension) = split_extension(path);
        match extension {
            "" => None,
            ".mjs" | ".mts" | ".d.mts" => self.first(stem, &[".mts", ".d.mts", ".mjs"]),
            ".cjs" | ".cts" | ".d.cts" => self.first(stem, &[".cts", ".d.cts", ".cjs"]),
            ".tsx" | ".jsx" => self.first(stem, &[".tsx", ".ts", ".d.ts", ".jsx", ".js"]),
            ".ts" | ".d.ts" | ".js" => self.first(stem, ADDED),
            ".json" => self.first(stem, &[".d.json.ts", ".json"]),
            other => self.first(stem, &[&format!(".d{other}.ts")]),
        }
    }

    fn first(&self, stem: &str, extensions: &[&str]) -> Option<FileId> {
        let mut path = String::with_capacity(stem.len() + 16);
        path.push_str(stem);
        for extension in extensions {
            for suffix in self.suffixes {
                path.truncate(stem.len());
                path.push_str(suffix);
                path.push_str(extension);
                if let Some(file) = self.files.file(&path) {
                    return Some(file);
                }
            }
        }
        None
    }

    /// The code beside a declaration file: `a.js` for `a.d.ts`, `a.css` for `a.d.css.ts`.
    pub(super) fn code_of(&self, declaration: &str) -> Option<FileId> {
        for (types, code) in
            [(".d.ts", &[".js", ".jsx"][..]), (".d.mts", &[".mjs"]), (".d.cts", &[".cjs"])]
        {
            if let Some(stem) = declaration.strip_suffix(types) {
                return self.first(stem, code);
            }
        }
        let (stem, extension) = declaration.strip_suffix(".ts")?.rsplit_once(".d.")?;
        if extension.contains(['.', '/']) {
            return None;
        }
        self.files.file(&format!("{stem}.{extension}"))
    }
}

/// The path up to its extension, and the extension with its dot; empty where the name has none.
fn split_extension(path: &str) -> (&str, &str) {
    let known =
        KNOWN.iter().find(|known| path.ends_with(**known)).map(|known| path.len() - known.len());
    let at = known.or_else(|| {
        let name = file_name(path);
        name.rfind('.').map(|dot| path.len() - name.len() + dot)
    });
    path.split_at(at.unwrap_or(path.len()))
}

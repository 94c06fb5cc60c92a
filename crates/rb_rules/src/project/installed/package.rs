//! One package in `node_modules`: its manifest, and the files that its specifiers lead to.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::super::json::Json;
use super::exports::{self, Target};
use crate::version::Version;

/// No manifest and no source file that a rule has to read is larger.
const MAX_TEXT: u64 = 2 * 1024 * 1024;

/// What the importing side is. `default` always holds; which of the others is taken is for the package to order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Import,
    Require,
    Types,
    Node,
    Browser,
    /// Bundlers: code of modules, however it is imported.
    Module,
    ReactServer,
}

impl Condition {
    pub(super) fn name(self) -> &'static str {
        match self {
            Condition::Import => "import",
            Condition::Require => "require",
            Condition::Types => "types",
            Condition::Node => "node",
            Condition::Browser => "browser",
            Condition::Module => "module",
            Condition::ReactServer => "react-server",
        }
    }
}

/// `sideEffects`, which bundlers go by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SideEffects {
    /// `false`: what is not used can go.
    Never,
    /// `true`.
    Always,
    /// Files that have some, as patterns.
    In(Vec<String>),
}

#[derive(Debug)]
pub struct InstalledPackage {
    pub name: String,
    pub version: Option<Version>,
    pub side_effects: Option<SideEffects>,
    /// `"type": "module"`: plain `.js` files are ES modules.
    pub is_module: bool,
    /// The folder, as it was found.
    pub dir: PathBuf,
    /// The folder with all links followed.
    pub real_dir: PathBuf,
    doc: Json,
}

impl InstalledPackage {
    pub(super) fn read(dir: &Path) -> Option<InstalledPackage> {
        let real_dir = fs::canonicalize(dir).ok()?;
        let doc = Json::parse(&read_text(&real_dir.join("package.json"))?)?;
        let side_effects = match doc.get("sideEffects") {
            Some(Json::Bool(false)) => Some(SideEffects::Never),
            Some(Json::Bool(true)) => Some(SideEffects::Always),
            Some(list @ (Json::List(_) | Json::Text(_))) => {
                Some(SideEffects::In(list.texts().map(str::to_owned).collect()))
            }
            Some(Json::Null | Json::Number | Json::Object(_)) | None => None,
        };
        Some(InstalledPackage {
            name: doc.text_at("name").unwrap_or("").to_owned(),
            version: doc.text_at("version").and_then(Version::parse),
            side_effects,
            is_module: doc.text_at("type") == Some("module"),
            dir: dir.to_owned(),
            real_dir,
            doc,
        })
    }

    /// The file that `name/subpath` leads to; the package itself for an empty one. Only a file that is there is an answer.
    /// Without `exports` an extension may be left out, as for `require` and bundlers.
    pub fn resolve(&self, subpath: &str, conditions: &[Condition]) -> Option<PathBuf> {
        if subpath.ends_with('/') {
            return None;
        }
        let exports = self.doc.get("exports").filter(|exports| **exports != Json::Null);
        match exports {
            Some(exports) => match exports::find(exports, subpath, conditions) {
                Target::Path(path) => self.file(&path),
                Target::Refused | Target::Missing => None,
            },
            None if subpath.is_empty() => self.main(conditions),
            None => self.probe(subpath, conditions),
        }
    }

    /// The manifest. Its keys are sorted: `resolve` knows the order that `exports` needs.
    pub fn manifest(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&read_text(&self.real_dir.join("package.json"))?).ok()
    }

    /// The declarations behind `name/subpath`.
    pub fn types(&self, subpath: &str) -> Option<PathBuf> {
        let modes = [Condition::Import, Condition::Require];
        modes.into_iter().find_map(|mode| {
            let found = self.resolve(subpath, &[Condition::Types, mode, Condition::Node]);
            found.and_then(|file| if is_declaration(&file) { Some(file) } else { beside(&file) })
        })
    }

    /// The text of a file of this package, by its place on disk. `None` for what lies outside or is too large.
    pub fn text(&self, file: &Path) -> Option<String> {
        let real = fs::canonicalize(file).ok()?;
        if real.starts_with(&self.real_dir) { read_text(&real) } else { None }
    }

    /// A file by its place in the package: `./dist/index.js`.
    pub fn file(&self, inner: &str) -> Option<PathBuf> {
        let path = self.place(inner)?;
        path.is_file().then_some(path)
    }

    /// `None` for what leads out of the package.
    fn place(&self, inner: &str) -> Option<PathBuf> {
        let mut place = PathBuf::new();
        for part in Path::new(inner).components() {
            match part {
                Component::Normal(part) => place.push(part),
                Component::CurDir => {}
                Component::ParentDir if place.pop() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(self.dir.join(place))
    }

    fn main(&self, conditions: &[Condition]) -> Option<PathBuf> {
        self.entry(&self.doc, "", conditions).or_else(|| self.probe("index", conditions))
    }

    /// What a manifest without `exports` names, for the folder `inner` of this package.
    fn entry(&self, doc: &Json, inner: &str, conditions: &[Condition]) -> Option<PathBuf> {
        let has = |condition| conditions.contains(&condition);
        let fields: &[&str] = if has(Condition::Types) {
            &["types", "typings", "main"]
        } else if has(Condition::Module) || (has(Condition::Browser) && !has(Condition::Require)) {
            &["module", "main"]
        } else {
            &["main"]
        };
        let named = fields.iter().filter_map(|field| doc.text_at(field));
        let mut places = named.map(|target| format!("{inner}/{target}"));
        places.find_map(|place| {
            let place = place.trim_start_matches('/').trim_end_matches('/');
            let index = || self.probe_file(&format!("{place}/index"), conditions);
            self.probe_file(place, conditions).or_else(index)
        })
    }

    /// A file, with the extensions that may be left out; else a folder, by its own manifest or its index.
    fn probe(&self, inner: &str, conditions: &[Condition]) -> Option<PathBuf> {
        if let Some(file) = self.probe_file(inner, conditions) {
            return Some(file);
        }
        let nested = self.file(&format!("{inner}/package.json"));
        let doc = nested.and_then(|file| Json::parse(&self.text(&file)?));
        let entry = doc.and_then(|doc| self.entry(&doc, inner, conditions));
        entry.or_else(|| self.probe_file(&format!("{inner}/index"), conditions))
    }

    fn probe_file(&self, inner: &str, conditions: &[Condition]) -> Option<PathBuf> {
        const CODE: &[&str] = &["", ".js", ".json"];
        const TYPES: &[&str] = &[".d.ts", "", ".js"];
        let is_typed = conditions.contains(&Condition::Types);
        let ends = if is_typed { TYPES } else { CODE };
        ends.iter().find_map(|end| self.file(&format!("{inner}{end}")))
    }
}

fn is_declaration(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("");
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end))
}

/// The declarations that lie beside a file of code.
fn beside(file: &Path) -> Option<PathBuf> {
    let types = match file.extension()?.to_str()? {
        "js" => "d.ts",
        "mjs" => "d.mts",
        "cjs" => "d.cts",
        _ => return None,
    };
    Some(file.with_extension(types)).filter(|file| file.is_file())
}

/// A device or a pipe may never end, so only plain files are read, and of them only what is of a sane size.
fn read_text(file: &Path) -> Option<String> {
    let about = fs::metadata(file).ok()?;
    if !about.is_file() || about.len() > MAX_TEXT {
        return None;
    }
    String::from_utf8(rb_core::fs::read_head(file, MAX_TEXT).ok()?).ok()
}

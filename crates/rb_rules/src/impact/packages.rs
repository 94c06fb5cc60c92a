//! Files of installed packages, as a bundler for browsers finds them.
//!
//! `exports` and `imports` with the conditions of a browser, else `browser`, `module` and `main`; within a package also
//! paths without an extension. Each question to the disk is asked once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rb_lang::Language;
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::loads::{How, Loads};
use super::paths::{inside, joined, parent};
use crate::project::{Condition, Installed, InstalledPackage, split_specifier};

const FOR_IMPORT: &[Condition] = &[Condition::Import, Condition::Module, Condition::Browser];
const FOR_REQUIRE: &[Condition] = &[Condition::Require, Condition::Module, Condition::Browser];

/// A package, and what of its manifest decides about its files.
pub(super) struct About {
    package: Arc<InstalledPackage>,
    /// It may hold client components: it names React.
    pub(super) renders: bool,
    /// `browser` as one file, for packages without `exports`.
    browser_main: Option<String>,
    /// `browser` as a table: what stands for a file or a package; `None` for nothing.
    browser: FxHashMap<String, Option<String>>,
    imports: Value,
}

impl About {
    fn of(package: Arc<InstalledPackage>) -> About {
        let doc = package.manifest().unwrap_or_default();
        let names_react = |key: &str| doc.get(key).is_some_and(|it| it.get("react").is_some());
        let browser = doc.get("browser").unwrap_or(&Value::Null);
        let table = browser.as_object().into_iter().flatten().filter_map(|(from, to)| match to {
            Value::String(to) => Some((plain(from), Some(plain(to)))),
            Value::Bool(false) => Some((plain(from), None)),
            _ => None,
        });
        let has_exports = doc.get("exports").is_some();
        About {
            renders: ["dependencies", "peerDependencies"].into_iter().any(names_react),
            browser_main: browser.as_str().filter(|_| !has_exports).map(plain),
            browser: table.collect(),
            imports: doc.get("imports").cloned().unwrap_or_default(),
            package,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.package.name
    }
}

/// `lib/a.js` of `./lib/a.js`.
fn plain(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

/// A file of a package.
#[derive(Clone)]
pub(super) struct PackageFile {
    pub(super) about: Arc<About>,
    inner: String,
}

impl PackageFile {
    pub(super) fn label(&self) -> String {
        format!("{}/{}", self.about.name(), self.inner)
    }

    /// With links followed, so that one file has one name.
    pub(super) fn place(&self) -> PathBuf {
        self.about.package.real_dir.join(&self.inner)
    }
}

/// Where an import of a package leads.
#[derive(Clone)]
pub(super) enum Led {
    To(PackageFile),
    /// On purpose: the package has nothing there for browsers.
    Nowhere,
    Unknown,
}

impl Led {
    fn of(file: Option<PackageFile>) -> Led {
        file.map_or(Led::Unknown, Led::To)
    }
}

type Known<K, V> = Mutex<FxHashMap<K, V>>;

pub(super) struct Packages<'w> {
    installed: &'w Installed,
    by_folder: Known<PathBuf, Arc<About>>,
    /// By who asks and what for.
    found: Known<(PathBuf, String), Option<Arc<About>>>,
    loads: Known<PathBuf, Arc<Loads>>,
}

/// What is locked is never left half-done.
fn get<K: Eq + std::hash::Hash, V: Clone>(known: &Known<K, V>, key: &K) -> Option<V> {
    known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
}

fn put<K: Eq + std::hash::Hash, V>(known: &Known<K, V>, key: K, value: V) {
    known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
}

impl<'w> Packages<'w> {
    pub(super) fn new(installed: &'w Installed) -> Self {
        Packages {
            installed,
            by_folder: Known::default(),
            found: Known::default(),
            loads: Known::default(),
        }
    }

    /// From a file of the project.
    pub(super) fn of_own_import(&self, from: &str, specifier: &str, how: How) -> Led {
        let (name, inner) = split_specifier(specifier);
        let key = (Path::new(".").join(parent(from)), name.to_owned());
        let about = self.remembered(key, || self.installed.find(name, parent(from)));
        about.map_or(Led::Unknown, |about| enter(&about, inner, how))
    }

    /// From a file of a package.
    pub(super) fn of_inner_import(&self, from: &PackageFile, specifier: &str, how: How) -> Led {
        let about = &from.about;
        if specifier.starts_with('.') {
            let Some(place) = joined(parent(&from.inner), specifier) else { return Led::Unknown };
            return Led::of(probe(about, &place)).for_browser();
        }
        if specifier.starts_with('#') {
            return match condition(about.imports.get(specifier).unwrap_or(&Value::Null), 0) {
                Some(to) if to.starts_with("./") => Led::of(probe(about, &plain(to))).for_browser(),
                Some(to) if !to.starts_with('#') => self.of_inner_import(from, to, how),
                Some(_) | None => Led::Unknown,
            };
        }
        match about.browser.get(specifier) {
            Some(None) => return Led::Nowhere,
            Some(Some(to)) if !about.browser.contains_key(to) => {
                let own = probe(about, to);
                return own.map_or_else(|| self.outward(about, to, how), Led::To);
            }
            Some(Some(_)) | None => {}
        }
        self.outward(about, specifier, how)
    }

    /// From one package to another, or to itself by its name.
    fn outward(&self, about: &Arc<About>, specifier: &str, how: How) -> Led {
        let (name, inner) = split_specifier(specifier);
        if name == about.name() {
            return enter(about, inner, how);
        }
        let key = (about.package.real_dir.clone(), name.to_owned());
        let found = self.remembered(key, || self.installed.find_from(name, &about.package));
        found.map_or(Led::Unknown, |about| enter(&about, inner, how))
    }

    fn remembered(
        &self,
        key: (PathBuf, String),
        find: impl FnOnce() -> Option<Arc<InstalledPackage>>,
    ) -> Option<Arc<About>> {
        if let Some(known) = get(&self.found, &key) {
            return known;
        }
        let about = find().map(|package| {
            let folder = package.real_dir.clone();
            get(&self.by_folder, &folder).unwrap_or_else(|| {
                let about = Arc::new(About::of(package));
                put(&self.by_folder, folder, Arc::clone(&about));
                about
            })
        });
        put(&self.found, key, about.clone());
        about
    }

    /// `None` for a file that cannot be read.
    pub(super) fn loads(&self, file: &PackageFile) -> Option<Arc<Loads>> {
        let place = file.place();
        if let Some(known) = get(&self.loads, &place) {
            return Some(known);
        }
        let text = file.about.package.text(&place)?;
        let loads = match Language::of_path(file.inner.as_bytes()) {
            Some(language @ (Language::JavaScript | Language::TypeScript | Language::Tsx)) => {
                Loads::of_installed(language, &text)
            }
            _ => Loads::of_data(text.len() as u64),
        };
        let loads = Arc::new(loads);
        put(&self.loads, place, Arc::clone(&loads));
        Some(loads)
    }

    /// The file that a name of an index comes from, through `export … from`; `None` where it is not that plain.
    pub(super) fn origin(&self, index: &PackageFile, name: &str) -> Option<PackageFile> {
        self.origin_within(index, name, &mut 0)
    }

    fn origin_within(&self, at: &PackageFile, name: &str, steps: &mut u32) -> Option<PackageFile> {
        const MOST: u32 = 256;
        *steps += 1;
        let loads = self.loads(at).filter(|_| *steps < MOST)?;
        let lead = |specifier: &str| match self.of_inner_import(at, specifier, How::Import) {
            Led::To(file) => Some(file),
            Led::Nowhere | Led::Unknown => None,
        };
        if loads.exports.iter().any(|it| **it == *name) {
            return Some(at.clone());
        }
        let named = loads.given_on.iter().find_map(|it| {
            let (_, there) = it.names.as_ref().filter(|(here, _)| **here == *name)?;
            Some((&it.specifier, there))
        });
        if let Some((specifier, there)) = named {
            let next = lead(specifier)?;
            return Some(self.origin_within(&next, there, steps).unwrap_or(next));
        }
        let stars = loads.given_on.iter().filter(|it| it.names.is_none());
        let mut nexts = stars.filter_map(|it| lead(&it.specifier));
        nexts.find_map(|next| self.origin_within(&next, name, steps))
    }
}

impl Led {
    /// What the package puts in the place of a file, for browsers.
    fn for_browser(self) -> Led {
        let Led::To(file) = &self else { return self };
        let table = &file.about.browser;
        let stem = file.inner.strip_suffix(".js").unwrap_or(&file.inner);
        match table.get(&file.inner).or_else(|| table.get(stem)) {
            Some(None) => Led::Nowhere,
            Some(Some(to)) => Led::of(probe(&file.about, to)),
            None => self,
        }
    }
}

/// From outside into a package.
fn enter(about: &Arc<About>, inner: &str, how: How) -> Led {
    if let Some(main) = about.browser_main.as_deref().filter(|_| inner.is_empty())
        && let Some(file) = probe(about, main)
    {
        return Led::To(file);
    }
    let (first, second) = match how {
        How::Import | How::Later => (FOR_IMPORT, FOR_REQUIRE),
        How::Require => (FOR_REQUIRE, FOR_IMPORT),
    };
    let package = &about.package;
    let found = package
        .resolve(inner, first)
        .or_else(|| package.resolve(inner, second))
        .or_else(|| package.resolve(inner, &[Condition::Node, Condition::Require]));
    let file = found.and_then(|file| {
        let inner = inside(&file, &package.dir)?;
        Some(PackageFile { about: Arc::clone(about), inner })
    });
    Led::of(file).for_browser()
}

const ENDS: &[&str] = &["", ".js", ".mjs", ".cjs", ".json", ".jsx", ".ts", ".tsx"];

/// A file by its place in the package, its extension or `index` left out.
fn probe(about: &Arc<About>, inner: &str) -> Option<PackageFile> {
    let package = &about.package;
    let file = |inner: String| {
        package.file(&inner)?;
        Some(PackageFile { about: Arc::clone(about), inner })
    };
    let ended = |inner: &str| ENDS.iter().find_map(|end| file(format!("{inner}{end}")));
    let inner = inner.trim_end_matches('/');
    if let Some(found) = ended(inner).filter(|_| !inner.is_empty()) {
        return Some(found);
    }
    let prefix = if inner.is_empty() { String::new() } else { format!("{inner}/") };
    let manifest = package.file(&format!("{prefix}package.json")).filter(|_| !inner.is_empty());
    let main = manifest.and_then(|manifest| {
        let doc: Value = serde_json::from_str(&package.text(&manifest)?).ok()?;
        let main = ["module", "main"].iter().find_map(|key| doc.get(key)?.as_str())?;
        joined(inner, main)
    });
    main.and_then(|main| ended(&main)).or_else(|| ended(&format!("{prefix}index")))
}

/// What `imports` gives for a browser. Its keys are sorted here, so the usual order of them is taken.
fn condition(value: &Value, depth: u32) -> Option<&str> {
    const ORDER: &[&str] = &["browser", "import", "module", "default", "require"];
    const DEEPEST: u32 = 8;
    match value {
        Value::String(text) => Some(text),
        Value::Object(table) if depth < DEEPEST => {
            ORDER.iter().find_map(|key| condition(table.get(*key)?, depth + 1))
        }
        _ => None,
    }
}

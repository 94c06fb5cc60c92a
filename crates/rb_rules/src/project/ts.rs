//! What TypeScript is told: the compiler options of a package, with all that its config extends.
//!
//! A package goes by its `tsconfig.json` (else `jsconfig.json`), or the one around it. A config that only refers to others
//! speaks through the one for the application. Options that no rule asks for are not kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::installed::{Installed, InstalledPackage, split_specifier};
use super::json::Json;
use super::manifest::Manifests;
use super::paths::{ancestors, join, parent};
use crate::version::Version;

/// Configs extend one or two others; the bound is for those that extend themselves.
const MAX_EXTENDED: usize = 32;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "options are independent of each other")]
pub struct TsFacts {
    /// The config that was read, from the root of the repository.
    pub config: String,
    /// All that it extends was found. Else an option that is off may be on.
    pub is_whole: bool,
    pub strict: bool,
    pub strict_null_checks: bool,
    pub no_unchecked_indexed_access: bool,
    /// `lib`, in lower case. `None` where the target decides.
    pub lib: Option<Vec<String>>,
    /// All in lower case, as they are written.
    pub target: Option<String>,
    pub module: Option<String>,
    pub module_resolution: Option<String>,
    pub jsx: Option<String>,
    /// Default imports of `CommonJS` modules are allowed.
    pub es_module_interop: bool,
    pub verbatim_module_syntax: bool,
    pub isolated_modules: bool,
    /// `allowJs` with `checkJs`: plain JavaScript is checked too.
    pub check_js: bool,
    /// From the root of the repository.
    pub base_url: Option<String>,
    /// Patterns with their targets, from the root of the repository.
    pub paths: Vec<(String, Vec<String>)>,
}

impl TsFacts {
    /// Are the declarations of this year there, or at least those of one part of it: `has_lib(2023, "array")`?
    pub fn has_lib(&self, year: u32, part: &str) -> bool {
        match &self.lib {
            Some(lib) => lib.iter().any(|entry| match entry.split_once('.') {
                Some(("esnext", of)) => of == part,
                Some((name, of)) => of == part && year_of(name) == Some(year),
                None => year_of(entry).is_some_and(|it| it >= year),
            }),
            None => self.target_year().is_some_and(|it| it >= year),
        }
    }

    /// The last year whose declarations are all there; a very large one for `esnext`.
    pub fn lib_year(&self) -> Option<u32> {
        match &self.lib {
            // The declarations of a browser come without those of the language.
            Some(lib) => Some(lib.iter().filter_map(|it| year_of(it)).max().unwrap_or(2009)),
            None => self.target_year(),
        }
    }

    /// The year of `target`; a very large one for `esnext`.
    pub fn target_year(&self) -> Option<u32> {
        self.target.as_deref().and_then(year_of)
    }

    /// Does a specifier need its extension?
    pub fn needs_extensions(&self) -> bool {
        let told = self.module_resolution.as_deref().or(self.module.as_deref());
        told.is_some_and(|mode| mode.starts_with("node1") || mode == "nodenext")
    }
}

fn year_of(name: &str) -> Option<u32> {
    Some(match name {
        "esnext" => u32::MAX,
        "es3" => 1999,
        "es5" => 2009,
        "es6" => 2015,
        "es7" => 2016,
        _ => name.strip_prefix("es")?.parse().ok()?,
    })
}

/// Where configs are looked for.
pub(super) struct Configs<'a> {
    pub(super) text_of: &'a dyn Fn(&str) -> Option<String>,
    manifests: &'a Manifests,
    installed: &'a Installed,
    /// Those of the repository that were read: most packages extend the same.
    read: RefCell<BTreeMap<String, Option<Rc<Json>>>>,
}

/// A config of the repository, or of an installed package.
#[derive(Clone)]
enum ConfigSource {
    Here(String),
    Installed(Arc<InstalledPackage>, String),
}

/// An option and the folder that its paths start from; `None` for one from outside of the repository.
type Options = BTreeMap<Box<str>, (Json, Option<String>)>;

struct Collected {
    options: Options,
    /// How many more may be extended.
    left: usize,
    is_whole: bool,
}

impl<'a> Configs<'a> {
    pub(super) fn new(
        text_of: &'a dyn Fn(&str) -> Option<String>,
        manifests: &'a Manifests,
        installed: &'a Installed,
    ) -> Configs<'a> {
        Configs { text_of, manifests, installed, read: RefCell::default() }
    }

    /// Of the package in `dir`; the compiler's version says what holds where the config is silent.
    pub(super) fn of(&self, dir: &str, typescript: Option<Version>) -> Option<TsFacts> {
        let (config, doc) = ancestors(dir).find_map(|folder| self.in_folder(folder))?;
        let mut options = Collected { options: Options::new(), left: MAX_EXTENDED, is_whole: true };
        self.collect(&ConfigSource::Here(config.clone()), &doc, &mut options);
        let is_new = typescript.is_some_and(|version| version.at_least(6, 0));
        let mut facts = facts(config, &options.options, is_new);
        facts.is_whole = options.is_whole;
        Some(facts)
    }

    fn doc(&self, path: &str) -> Option<Rc<Json>> {
        let mut read = self.read.borrow_mut();
        let parse = || (self.text_of)(path).and_then(|text| Json::parse(&text)).map(Rc::new);
        read.entry(path.to_owned()).or_insert_with(parse).clone()
    }

    fn in_folder(&self, folder: &str) -> Option<(String, Rc<Json>)> {
        ["tsconfig.json", "jsconfig.json"].iter().find_map(|name| {
            let path = join(folder, name)?;
            let doc = self.doc(&path)?;
            let is_solution = doc.get("compilerOptions").is_none_or(|it| it.get("paths").is_some())
                && doc.get("references").is_some_and(|it| !it.list().is_empty());
            let app = if is_solution { self.application(folder, &doc) } else { None };
            Some(app.unwrap_or((path, doc)))
        })
    }

    /// Of the configs that are referred to, the one for the code that is shipped.
    fn application(&self, folder: &str, doc: &Json) -> Option<(String, Rc<Json>)> {
        let references = doc.get("references")?.list().iter();
        let mut paths: Vec<String> = references
            .filter_map(|reference| join(folder, reference.text_at("path")?))
            .filter(|path| parent(path) == folder)
            .collect();
        paths.sort_by_key(|path| (!path.contains("app"), path.contains("node")));
        paths.into_iter().find_map(|path| Some((path.clone(), self.doc(&path)?)))
    }

    /// Puts the options of a config over those of the ones that it extends.
    fn collect(&self, place: &ConfigSource, doc: &Json, to: &mut Collected) {
        for base in doc.get("extends").into_iter().flat_map(Json::texts) {
            let found = if to.left > 0 { self.extended(place, base) } else { None };
            to.left = to.left.saturating_sub(1);
            match found {
                Some((place, doc)) => self.collect(&place, &doc, to),
                None => to.is_whole = false,
            }
        }
        let folder = match place {
            ConfigSource::Here(path) => Some(parent(path).to_owned()),
            ConfigSource::Installed(..) => None,
        };
        for (name, value) in doc.get("compilerOptions").map_or(&[][..], Json::entries) {
            to.options.insert(name.clone(), (value.clone(), folder.clone()));
        }
    }

    fn extended(&self, from: &ConfigSource, base: &str) -> Option<(ConfigSource, Rc<Json>)> {
        let tries = [String::new(), ".json".into(), "/tsconfig.json".into()];
        let read = |place: ConfigSource| {
            let doc = match &place {
                ConfigSource::Here(path) => self.doc(path)?,
                ConfigSource::Installed(package, inner) => {
                    Rc::new(Json::parse(&package.text(&package.file(inner)?)?)?)
                }
            };
            Some((place, doc))
        };
        if base.starts_with('.') {
            return tries.iter().find_map(|end| match from {
                ConfigSource::Here(path) => {
                    read(ConfigSource::Here(join(parent(path), base)? + end))
                }
                ConfigSource::Installed(package, inner) => {
                    let inner = join(parent(inner), base)? + end;
                    read(ConfigSource::Installed(Arc::clone(package), inner))
                }
            });
        }
        let (name, inner) = split_specifier(base);
        let inner = if inner.is_empty() { "tsconfig.json" } else { inner };
        let here = self.manifests.named(name).and_then(|manifest| join(&manifest.dir, inner));
        if let Some(path) = here {
            return tries.iter().find_map(|end| read(ConfigSource::Here(format!("{path}{end}"))));
        }
        let package = match from {
            ConfigSource::Here(path) => self.installed.find(name, parent(path))?,
            ConfigSource::Installed(package, _) => self.installed.find_from(name, package)?,
        };
        tries.iter().find_map(|end| {
            read(ConfigSource::Installed(Arc::clone(&package), format!("{inner}{end}")))
        })
    }
}

/// `is_new`: from version 6 on the compiler is strict, and aims at ES2025, unless told otherwise.
fn facts(config: String, options: &Options, is_new: bool) -> TsFacts {
    let text = |name: &str| Some(options.get(name)?.0.text()?.to_ascii_lowercase());
    let told = |name: &str| match options.get(name) {
        Some((Json::Bool(value), _)) => Some(*value),
        _ => None,
    };
    let on = |name: &str| told(name).unwrap_or(false);
    let strict = told("strict").unwrap_or(is_new);
    let lib = options.get("lib").map(|(list, _)| list.texts().map(str::to_ascii_lowercase));
    let module = text("module");
    let interop_by_module =
        module.as_deref().is_some_and(|it| it.starts_with("node") || it == "preserve");
    TsFacts {
        strict,
        strict_null_checks: told("strictNullChecks").unwrap_or(strict),
        no_unchecked_indexed_access: on("noUncheckedIndexedAccess"),
        lib: lib.map(Iterator::collect),
        target: text("target").or_else(|| is_new.then(|| "es2025".to_owned())),
        module_resolution: text("moduleResolution"),
        jsx: text("jsx"),
        es_module_interop: told("esModuleInterop")
            .or_else(|| told("allowSyntheticDefaultImports"))
            .unwrap_or(interop_by_module || is_new),
        module,
        verbatim_module_syntax: on("verbatimModuleSyntax"),
        isolated_modules: on("isolatedModules"),
        check_js: on("checkJs"),
        base_url: path_of(options, "baseUrl"),
        paths: paths(&config, options),
        is_whole: true,
        config,
    }
}

fn path_of(options: &Options, name: &str) -> Option<String> {
    let (value, folder) = options.get(name)?;
    join(folder.as_deref()?, value.text()?)
}

fn paths(config: &str, options: &Options) -> Vec<(String, Vec<String>)> {
    let Some((value, Some(folder))) = options.get("paths") else { return Vec::new() };
    let base = path_of(options, "baseUrl").unwrap_or_else(|| folder.clone());
    let place = |target: &str| match target.strip_prefix("${configDir}/") {
        Some(inner) => join(parent(config), inner),
        None => join(&base, target),
    };
    let entries = value.entries().iter();
    entries.map(|(key, list)| (key.to_string(), list.texts().filter_map(place).collect())).collect()
}

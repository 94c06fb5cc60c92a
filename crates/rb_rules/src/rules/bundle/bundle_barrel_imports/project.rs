//! Indexes of the project itself: where a name really comes from, and whether it may be taken from there.
//!
//! Without the index, the other modules behind it may not be loaded at all, or later. That is proved to make no difference
//! where none of them does anything when it is loaded and none is part of a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxc_ast::ast::{ImportDeclarationSpecifier, Statement};
use rb_ecma::Module;

use super::package::Direct;
use super::quiet::effect;
use super::table::{Files, Table, follow, modules_behind};
use super::wanted::is_wanted;
use crate::facts::Facts;
use crate::world::{Target, World};

/// An index that gives on fewer modules is not worth a word.
const MIN_MODULES: usize = 20;
/// Nor is one of fewer where nothing in it keeps a bundler from leaving the rest away: starts alone are the slower for it.
const MIN_QUIET: usize = 50;
/// What an index loads is looked through so far.
const MAX_FILES: usize = 800;

pub(super) struct ProjectBarrel<'w> {
    world: &'w dyn World,
    facts: &'w Facts,
    index: String,
    source: &'w str,
    pub modules: usize,
}

impl<'w> ProjectBarrel<'w> {
    pub(super) fn find(
        world: &'w dyn World,
        facts: &'w Facts,
        index: String,
        source: &'w str,
    ) -> Option<Self> {
        let mut barrel = ProjectBarrel { world, facts, index, source, modules: 0 };
        // The root of a package is its front door, also in its own repository.
        if is_package(world, facts, &barrel.index, source)
            || barrel.table(&barrel.index)?.has_code
            || barrel.is_given_on()
        {
            return None;
        }
        barrel.modules = modules_behind(&barrel, &barrel.index);
        (barrel.modules >= MIN_MODULES).then_some(barrel)
    }

    /// Does a library give on the whole index to its users? Then they load it anyway.
    fn is_given_on(&self) -> bool {
        const ENTRIES: &[&str] =
            &["src/index.ts", "src/index.tsx", "src/index.js", "index.ts", "index.tsx", "index.js"];
        let inside = |path: &str| match &*self.facts.package.dir {
            "" => path.to_owned(),
            dir => format!("{dir}/{path}"),
        };
        let manifest = self.world.text(&inside("package.json"));
        let manifest = manifest.and_then(|it| serde_json::from_str::<serde_json::Value>(&it).ok());
        if !manifest.is_some_and(|it| has_door(&it)) {
            return false;
        }
        let mut open: Vec<String> = ENTRIES.iter().map(|it| inside(it)).collect();
        let mut seen = BTreeSet::new();
        while let Some(file) = open.pop() {
            if file == self.index {
                return true;
            }
            if seen.len() < MAX_FILES
                && seen.insert(file.clone())
                && let Some(table) = self.table(&file)
            {
                open.extend(table.stars.iter().filter_map(|it| self.resolve(&file, it)));
            }
        }
        false
    }

    /// Is little won without it, since it is small or most of it is needed anyway?
    pub(super) fn is_cheap(&self) -> bool {
        (self.modules < MIN_QUIET && self.loaded().doubt.is_none())
            || is_wanted(self.world, self, &self.index)
    }

    /// The first file on the way to the name that is no barrel itself: an index of one feature is its front door.
    pub(super) fn direct(&self, name: &str) -> Option<Direct> {
        let chain = follow(self, &self.index, name)?;
        let mut base = folder_of(self.source, &self.index)?;
        for pair in chain.windows(2) {
            let [(from, given), (file, name)] = pair else { continue };
            let specifier = self.specifier_in(from, given, file)?;
            base = step(&base, &specifier)?;
            if modules_behind(self, file) >= MIN_MODULES {
                base = folder_of(&base, file)?;
                continue;
            }
            let leads = self.world.resolve(&self.facts.path, &base);
            let is_proved = leads == Target::File(file.clone());
            return is_proved.then(|| Direct {
                specifier: base,
                name: name.clone(),
                doubt: self.doubt(),
            });
        }
        None
    }

    /// How an index names the file that it has a name from.
    fn specifier_in(&self, from: &str, name: &str, file: &str) -> Option<String> {
        let table = self.table(from)?;
        let named = match table.names.get(name) {
            Some(super::table::Entry::From { specifier, .. }) => Some(specifier.clone()),
            Some(super::table::Entry::Here) | None => None,
        };
        let star = || table.stars.iter().find(|it| self.resolve(from, it).as_deref() == Some(file));
        named.or_else(|| star().cloned()).filter(|it| it.starts_with('.'))
    }

    fn doubt(&self) -> Option<String> {
        if self.world.is_mocked(&self.index) {
            return Some(format!("a test mocks `{}`", self.index));
        }
        let loaded = self.loaded();
        if let Some(doubt) = loaded.doubt.clone() {
            return Some(doubt);
        }
        let is_circle = loaded.files.contains_key(&*self.facts.path);
        is_circle.then(|| "the barrel imports this file, so the load order would change".into())
    }

    /// Everything that the index loads, and what speaks against leaving it away.
    fn loaded(&self) -> Arc<Loaded> {
        const QUESTION: &str = "what an index loads";
        if let Some(known) = self.world.recall(QUESTION, &self.index, "")
            && let Ok(known) = known.downcast::<Loaded>()
        {
            return known;
        }
        let mut loaded = Loaded::default();
        loaded.load(self.world, &self.index);
        let loaded = Arc::new(loaded);
        self.world.remember(QUESTION, &self.index, "", loaded.clone());
        loaded
    }
}

impl Files for ProjectBarrel<'_> {
    fn table(&self, file: &str) -> Option<Arc<Table>> {
        self.world.ask("table of a module", file, "", |module| Arc::new(Table::of(module)))
    }

    fn resolve(&self, from: &str, specifier: &str) -> Option<String> {
        match self.world.resolve(from, specifier) {
            Target::File(file) => Some(file),
            Target::Package(_) | Target::Builtin | Target::Unknown => None,
        }
    }
}

#[derive(Debug, Default)]
struct Loaded {
    /// Whether all that a file loads has been loaded.
    files: BTreeMap<String, bool>,
    doubt: Option<String>,
}

/// What one file loads by itself, and what it does meanwhile.
#[derive(Debug, Clone)]
struct Loads {
    specifiers: Vec<String>,
    effect: Option<String>,
}

impl Loaded {
    fn load(&mut self, world: &dyn World, file: &str) {
        let mut open: Vec<(String, Vec<String>)> = Vec::new();
        self.enter(world, file, &mut open);
        while let Some((file, rest)) = open.last_mut() {
            let Some(next) = rest.pop() else {
                self.files.insert(std::mem::take(file), true);
                open.pop();
                continue;
            };
            match self.files.get(&next) {
                Some(true) => {}
                Some(false) => {
                    self.object(format!("`{next}` is part of an import cycle"));
                }
                None => self.enter(world, &next, &mut open),
            }
            if self.doubt.is_some() {
                return;
            }
        }
    }

    fn enter(&mut self, world: &dyn World, file: &str, open: &mut Vec<(String, Vec<String>)>) {
        if self.files.len() >= MAX_FILES {
            self.object("the barrel loads too many files to check".to_owned());
            return;
        }
        self.files.insert(file.to_owned(), false);
        let Some(loads) = world.ask("what a module loads", file, "", loads) else {
            self.object(format!("`{file}` cannot be read"));
            return;
        };
        if let Some(effect) = loads.effect {
            self.object(format!("`{file}` has a side effect on load: `{effect}`"));
        }
        let mut next = Vec::new();
        for specifier in loads.specifiers {
            match world.resolve(file, &specifier) {
                Target::File(file) if is_script(&file) => next.push(file),
                // Data has no effects; packages are loaded for what they give.
                Target::File(_) | Target::Package(_) | Target::Builtin => {}
                Target::Unknown => {
                    self.object(format!("`{specifier}` in `{file}` cannot be resolved"));
                }
            }
        }
        next.reverse();
        open.push((file.to_owned(), next));
    }

    fn object(&mut self, doubt: String) {
        self.doubt.get_or_insert(doubt);
    }
}

fn loads(module: &Module<'_>) -> Loads {
    let mut specifiers = Vec::new();
    for statement in &module.program().body {
        let source = match statement {
            Statement::ImportDeclaration(it) if !it.import_kind.is_type() => {
                let mut names = it.specifiers.iter().flatten();
                let is_type = |it: &ImportDeclarationSpecifier<'_>| matches!(it, ImportDeclarationSpecifier::ImportSpecifier(it) if it.import_kind.is_type());
                let all_types = it.specifiers.is_some() && names.all(is_type);
                (!all_types).then_some(&it.source)
            }
            Statement::ExportFromDeclaration(it) if !it.export_kind.is_type() => Some(&it.source),
            Statement::ExportAllDeclaration(it) if !it.export_kind.is_type() => Some(&it.source),
            _ => None,
        };
        specifiers.extend(source.map(|it| it.value.to_string()));
    }
    Loads { specifiers, effect: effect(module) }
}

fn is_script(path: &str) -> bool {
    [".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts"].iter().any(|end| path.ends_with(end))
}

/// Does the specifier go by the name of a package, of the same repository as it may be?
fn is_package(world: &dyn World, facts: &Facts, index: &str, source: &str) -> bool {
    let parts = if source.starts_with('@') { 2 } else { 1 };
    let name = source.split('/').take(parts).collect::<Vec<_>>().join("/");
    if source.starts_with('.') {
        return false;
    }
    facts.package.depends_on(&name)
        || world.manifest(&facts.path, &name).is_some()
        || owner(world, index).is_some_and(|owner| owner == name)
}

/// The name of the package that a file of the repository belongs to.
fn owner(world: &dyn World, file: &str) -> Option<String> {
    let mut folder = file;
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = format!("{folder}/package.json");
        if let Some(text) = world.text(path.trim_start_matches('/')) {
            let manifest: serde_json::Value = serde_json::from_str(&text).ok()?;
            return manifest.get("name")?.as_str().map(str::to_owned);
        }
    }
    None
}

/// Is it a library that others load by its name?
fn has_door(manifest: &serde_json::Value) -> bool {
    ["main", "module", "exports"].iter().any(|it| manifest.get(it).is_some())
}

/// The specifier of the folder that a file lies in, from the specifier of the file.
fn folder_of(specifier: &str, file: &str) -> Option<String> {
    let name = file.rsplit('/').next()?;
    let stem = name.split('.').next()?;
    let last = specifier.rsplit('/').next()?;
    let is_named = last == stem || last.strip_prefix(stem).is_some_and(|it| it.starts_with('.'));
    if is_named {
        let folder = specifier.strip_suffix(last)?.trim_end_matches('/');
        return Some(if folder.is_empty() { ".".to_owned() } else { folder.to_owned() });
    }
    (stem == "index").then(|| specifier.trim_end_matches('/').to_owned())
}

/// `./ui` and `./button` give `./ui/button`; what leads upwards out of an alias gives nothing.
fn step(base: &str, specifier: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').collect();
    for part in specifier.split('/') {
        match (part, parts.last().copied()) {
            ("." | "", _) => {}
            ("..", Some("." | "..")) if parts == ["."] => parts = vec![".."],
            ("..", Some("..")) => parts.push(".."),
            ("..", Some(_)) if parts.len() > 1 => {
                parts.pop();
            }
            ("..", _) => return None,
            (part, _) => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{folder_of, step};

    #[test]
    fn ru1_bundle_barrel_imports_joins_specifiers() {
        let folders = [
            ("./ui", "src/ui/index.ts", Some("./ui")),
            ("./ui/index", "src/ui/index.ts", Some("./ui")),
            ("@/ui/index.js", "src/ui/index.ts", Some("@/ui")),
            (".", "src/index.ts", Some(".")),
            ("./index", "src/index.ts", Some(".")),
            ("./all", "src/all.ts", Some(".")),
            ("#lib", "src/other.ts", None),
        ];
        for (specifier, file, expected) in folders {
            assert_eq!(folder_of(specifier, file).as_deref(), expected, "{specifier}");
        }
        let steps = [
            ("./ui", "./button", Some("./ui/button")),
            (".", "./a/b.js", Some("./a/b.js")),
            ("..", "./a", Some("../a")),
            (".", "../a", Some("../a")),
            ("..", "../a", Some("../../a")),
            ("./ui", "../a", Some("./a")),
            ("@/ui", "../a", Some("@/a")),
            ("ui", "../a", None),
        ];
        for (base, specifier, expected) in steps {
            assert_eq!(step(base, specifier).as_deref(), expected, "{base} {specifier}");
        }
    }
}

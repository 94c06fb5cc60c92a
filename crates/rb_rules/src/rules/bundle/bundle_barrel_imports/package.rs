//! Indexes of installed packages: which module a name comes from, and under which specifier that module may be had.
//!
//! Nothing is computed from names: the index of the package says where a name comes from, its manifest what may be imported,
//! and the result is resolved forward again. It has to end at a file that the name comes through, so that it is the same
//! binding.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use rb_ecma::with_module;
use rb_lang::Language;
use serde_json::Value;

use super::subpath::{is_plumbing, subpaths};
use super::table::{Files, Table, follow, gives, modules_behind};
use crate::facts::Facts;
use crate::world::{Condition, World};

mod doubts;

/// An index that gives on fewer modules is not worth a word.
const MIN_MODULES: usize = 20;

/// Packages whose paths below `dist` and its like are documented, or that have no map at all.
const KNOWN: &[&str] = &[
    "@ant-design/icons",
    "@material-ui/core",
    "@material-ui/icons",
    "@phosphor-icons/react",
    "@tabler/icons-react",
    "antd",
    "date-fns",
    "lodash-es",
    "lucide-react",
    "ramda",
    "react-bootstrap",
    "react-use",
];

/// A name, from the module that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Direct {
    pub specifier: String,
    /// `default`, `*`, or what it is called there.
    pub name: String,
    pub doubt: Option<String>,
}

/// Which of several specifiers is taken: the least.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_doubted: bool,
    needs_bundler: bool,
    is_plumbing: bool,
    /// The nearer to where the name is made, the less is loaded.
    depth: Reverse<usize>,
    length: usize,
}

/// One specifier of a package, seen from one file.
pub(super) struct Barrel<'w> {
    world: &'w dyn World,
    facts: &'w Facts,
    package: &'w str,
    /// The folder of the package, with a slash at the end.
    folder: String,
    index: String,
    /// The index in the manner of `CommonJS`, where there is another one.
    required: Option<String>,
    manifest: Arc<Value>,
    pub modules: usize,
}

impl<'w> Barrel<'w> {
    /// `None` for what is no barrel, or is not installed.
    pub(super) fn find(
        world: &'w dyn World,
        facts: &'w Facts,
        package: &'w str,
        specifier: &str,
    ) -> Option<Self> {
        let required = place(world, facts, specifier, Condition::Require);
        let some =
            place(world, facts, specifier, Condition::Import).or_else(|| required.clone())?;
        let marker = format!("node_modules/{package}/");
        let folder = some[..some.rfind(&marker)? + marker.len()].to_owned();
        let manifest = world.manifest(&facts.path, package)?;
        let mut barrel = Barrel {
            world,
            facts,
            package,
            folder,
            index: String::new(),
            required,
            manifest,
            modules: 0,
        };
        barrel.index = barrel.bundled(specifier)?;
        barrel.required = barrel.required.filter(|it| *it != barrel.index);
        barrel.modules = remembered(world, "modules behind", &barrel.index, || {
            modules_behind(&barrel, &barrel.index)
        });
        (barrel.modules >= MIN_MODULES).then_some(barrel)
    }

    /// Can a bundler leave away what is not used?
    pub(super) fn is_shaken(&self) -> bool {
        match self.manifest.get("sideEffects") {
            Some(Value::Bool(effects)) => !effects,
            Some(Value::Array(files)) => files.iter().all(is_style),
            Some(it @ Value::String(_)) => is_style(it),
            Some(Value::Null | Value::Number(_) | Value::Object(_)) | None => false,
        }
    }

    /// Where a name can be had without the index.
    pub(super) fn direct(&self, name: &str, is_typescript: bool) -> Option<Direct> {
        let chain = follow(self, &self.index, name)?;
        let mut best: Option<(Rank, Direct)> = None;
        for (depth, (file, name)) in chain.iter().enumerate().skip(1) {
            if modules_behind(self, file) >= MIN_MODULES {
                continue;
            }
            let Some(inner) = file.strip_prefix(&self.folder) else { continue };
            for subpath in subpaths(&self.manifest, inner) {
                let specifier = format!("{}/{subpath}", self.package);
                let Some(direct) = self.proved(&specifier, file, name, is_typescript) else {
                    continue;
                };
                let rank = Rank {
                    is_doubted: direct.doubt.is_some(),
                    needs_bundler: !self.is_found_by_node(&subpath, file),
                    is_plumbing: is_plumbing(&subpath),
                    depth: Reverse(depth),
                    length: subpath.len(),
                };
                if best.as_ref().is_none_or(|(other, _)| rank < *other) {
                    best = Some((rank, direct));
                }
            }
        }
        best.map(|(_, direct)| direct)
    }

    /// The specifier as a way to the name, if it leads to the file and has types where they are needed.
    fn proved(&self, specifier: &str, file: &str, name: &str, typed: bool) -> Option<Direct> {
        let subpath = &specifier[self.package.len() + 1..];
        let is_known = KNOWN.contains(&self.package);
        let has_map = self.manifest.get("exports").is_some_and(|it| !it.is_null());
        if !is_known && (!has_map || is_plumbing(subpath)) {
            return None;
        }
        if self.bundled(specifier)? != file {
            return None;
        }
        if typed && !self.has_type(specifier, name) {
            return None;
        }
        let doubt = self
            .effects()
            .or_else(|| self.twin(specifier, file))
            .or_else(|| self.node(subpath, file))
            .or_else(|| typed.then(|| self.resolution(subpath)).flatten());
        Some(Direct { specifier: specifier.to_owned(), name: name.to_owned(), doubt })
    }

    /// The file that a bundler takes for `import`. Without a map it goes by `module` where there is one, in the manifest of
    /// the package or in that of a folder.
    fn bundled(&self, specifier: &str) -> Option<String> {
        let has_map = self.manifest.get("exports").is_some_and(|it| !it.is_null());
        if has_map || self.manifest.get("module").is_none() {
            return place(self.world, self.facts, specifier, Condition::Import);
        }
        let subpath = specifier[self.package.len()..].trim_start_matches('/');
        let exists = |path: &str| self.world.installed_text(Path::new(path)).is_some();
        if subpath.is_empty() {
            let module = self.manifest.get("module").and_then(Value::as_str)?;
            return joined(&self.folder, module).filter(|it| exists(it));
        }
        let path = format!("{}{subpath}", self.folder);
        let mut files = [String::new(), ".js".into(), ".mjs".into()]
            .into_iter()
            .map(|end| format!("{path}{end}"));
        let nested = || {
            let text = self.world.installed_text(Path::new(&format!("{path}/package.json")))?;
            let inner: Value = serde_json::from_str(&text).ok()?;
            let module = inner.get("module").or_else(|| inner.get("main"))?.as_str()?;
            joined(&path, module).filter(|it| exists(it))
        };
        let index = || Some(format!("{path}/index.js")).filter(|it| exists(it));
        files.find(|it| exists(it)).or_else(nested).or_else(index)
    }

    /// The declarations of a package that has none itself: `@types/a__b/c` for `@a/b/c`.
    fn community_types(&self, subpath: &str) -> Option<String> {
        let name = self.package.trim_start_matches('@').replace('/', "__");
        let subpath = subpath.strip_suffix(".js").unwrap_or(subpath);
        let specifier = format!("@types/{name}/{subpath}");
        // A map of such a package names files of code, which are not there.
        let modules = self.folder.strip_suffix(&format!("{}/", self.package))?;
        let beside =
            || Some(format!("{modules}{specifier}.d.ts")).filter(|it| self.table(it).is_some());
        place(self.world, self.facts, &specifier, Condition::Types).or_else(beside)
    }

    fn has_type(&self, specifier: &str, name: &str) -> bool {
        let own = place(self.world, self.facts, specifier, Condition::Types);
        let own = own.filter(|it| is_declaration(it));
        let file = own.or_else(|| self.community_types(&specifier[self.package.len() + 1..]));
        file.is_some_and(|file| name == super::table::WHOLE || gives(self, &file, name, 4))
    }
}

impl Files for Barrel<'_> {
    fn table(&self, file: &str) -> Option<Arc<Table>> {
        remembered(self.world, "table of a package's module", file, || {
            let text = self.world.installed_text(Path::new(file))?;
            let language = Language::of_path(file.as_bytes())?;
            with_module(language, &text, |module| Arc::new(Table::of(module)))
        })
    }

    fn resolve(&self, from: &str, specifier: &str) -> Option<String> {
        let start = specifier.strip_prefix('.')?;
        let start = if start.starts_with('.') { specifier } else { start.trim_start_matches('/') };
        let folder = from.rsplit_once('/')?.0;
        let path = joined(folder, start)?;
        let exists = |path: &str| self.table(path).is_some();
        if is_declaration(from) {
            let bare = ["mjs", "cjs", "js"].iter().find_map(|end| {
                path.strip_suffix(end).map(|bare| format!("{bare}d.{}", end.replace("js", "ts")))
            });
            let ends = [".d.ts", ".d.mts", "/index.d.ts", "/index.d.mts"];
            let guesses = ends.iter().map(|end| format!("{path}{end}"));
            return bare.into_iter().chain(guesses).find(|it| exists(it));
        }
        let ends = ["", ".js", ".mjs", "/index.js", "/index.mjs"];
        ends.iter().map(|end| format!("{path}{end}")).find(|it| exists(it))
    }
}

fn place(
    world: &dyn World,
    facts: &Facts,
    specifier: &str,
    condition: Condition,
) -> Option<String> {
    let path = world.installed(&facts.path, specifier, condition)?;
    path.to_str().map(|it| it.replace('\\', "/"))
}

fn is_declaration(file: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| file.ends_with(end))
}

fn is_style(value: &Value) -> bool {
    let ends = [".css", ".scss", ".sass", ".less"];
    value.as_str().is_some_and(|it| ends.iter().any(|end| it.ends_with(end)))
}

fn joined(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.trim_end_matches('/').split('/').collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// Asked once in a run.
fn remembered<T: Clone + Send + Sync + 'static>(
    world: &dyn World,
    question: &'static str,
    file: &str,
    answer: impl FnOnce() -> T,
) -> T {
    if let Some(known) = world.recall(question, file, "")
        && let Some(known) = known.downcast_ref::<T>()
    {
        return known.clone();
    }
    let found = answer();
    world.remember(question, file, "", Arc::new(found.clone()));
    found
}

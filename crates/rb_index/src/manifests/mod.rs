//! What the manifests of a repository say: names, dependencies, and the document itself for those who look further.
//!
//! One `Package` per manifest. Formats that the crate has a parser for are parsed; of the others a few lines are
//! picked out (`text`). A manifest that cannot be read is passed over: it is the repository's affair, not an error
//! here.

pub(crate) mod text;

use std::collections::BTreeMap;

use rb_lang::Language;
use serde_json::Value;

use crate::tree::{FileId, Tree};

/// One manifest, read.
#[derive(Debug)]
pub(crate) struct Package<'a> {
    pub(crate) file: FileId,
    pub(crate) path: &'a str,
    /// The folder that it speaks for; empty for the root.
    pub(crate) dir: &'a str,
    pub(crate) ecosystem: Ecosystem,
    pub(crate) about: About,
    /// What it needs to run, with the versions that it takes.
    pub(crate) dependencies: BTreeMap<String, String>,
    /// What it needs only to be built and tested.
    pub(crate) dev_dependencies: BTreeMap<String, String>,
    pub(crate) doc: Doc<'a>,
}

/// What a package says of itself.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ecosystem {
    Node,
    Cargo,
    Python,
    Go,
    Jvm,
    DotNet,
    Php,
    Ruby,
    Elixir,
    Dart,
    Swift,
}

impl Ecosystem {
    /// Are programs in this language what its manifests are about?
    pub(crate) fn speaks(self, language: Language) -> bool {
        use Language as L;
        let languages: &[Language] = match self {
            Ecosystem::Node => &[L::JavaScript, L::TypeScript, L::Tsx, L::Vue, L::Svelte, L::Astro],
            Ecosystem::Cargo => &[L::Rust],
            Ecosystem::Python => &[L::Python],
            Ecosystem::Go => &[L::Go],
            Ecosystem::Jvm => &[L::Java, L::Kotlin, L::Scala, L::Groovy],
            Ecosystem::DotNet => &[L::CSharp],
            Ecosystem::Php => &[L::Php],
            Ecosystem::Ruby => &[L::Ruby],
            Ecosystem::Elixir => &[L::Elixir, L::Erlang],
            Ecosystem::Dart => &[L::Dart],
            Ecosystem::Swift => &[L::Swift, L::ObjectiveC],
        };
        languages.contains(&language)
    }
}

#[derive(Debug)]
pub(crate) enum Doc<'a> {
    Json(Value),
    Toml(toml::Table),
    Text(&'a str),
}

impl Package<'_> {
    pub(crate) fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains_key(name)
    }

    /// For running or for building: programs that are started rather than imported stand among the latter.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.depends_on(name) || self.dev_dependencies.contains_key(name)
    }

    /// A value of the document by its keys; `None` for what is only text.
    pub(crate) fn json(&self, keys: &[&str]) -> Option<&Value> {
        let Doc::Json(doc) = &self.doc else { return None };
        keys.iter().try_fold(doc, |value, key| value.get(key))
    }

    pub(crate) fn toml(&self, keys: &[&str]) -> Option<&toml::Value> {
        let Doc::Toml(table) = &self.doc else { return None };
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))
    }

    pub(crate) fn text(&self) -> &str {
        if let Doc::Text(text) = self.doc { text } else { "" }
    }
}

/// The manifests of `tree` at the paths that are wanted, by path.
pub(crate) fn read(tree: &Tree, is_wanted: impl Fn(&str) -> bool) -> Vec<Package<'_>> {
    tree.ids()
        .filter_map(|file| {
            let entry = tree.get(file);
            let text = entry.manifest.as_deref()?;
            if is_wanted(&entry.path) { package(file, &entry.path, text) } else { None }
        })
        .collect()
}

fn package<'a>(file: FileId, path: &'a str, text: &'a str) -> Option<Package<'a>> {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (ecosystem, format, read) = kind_of(name)?;
    let text = text.trim_start_matches('\u{feff}');
    let doc = match format {
        Format::Json => Doc::Json(serde_json::from_str(text).ok()?),
        Format::Toml => Doc::Toml(text.parse().ok()?),
        Format::Text => Doc::Text(text),
    };
    let mut package = Package {
        file,
        path,
        dir,
        ecosystem,
        about: About::default(),
        dependencies: BTreeMap::new(),
        dev_dependencies: BTreeMap::new(),
        doc,
    };
    read(&mut package);
    Some(package)
}

enum Format {
    Json,
    Toml,
    Text,
}

type Read = fn(&mut Package);

fn kind_of(name: &str) -> Option<(Ecosystem, Format, Read)> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    Some(match (name, extension) {
        ("package.json", _) => (Ecosystem::Node, Format::Json, node),
        ("composer.json", _) => (Ecosystem::Php, Format::Json, composer),
        ("Cargo.toml", _) => (Ecosystem::Cargo, Format::Toml, cargo),
        ("pyproject.toml", _) => (Ecosystem::Python, Format::Toml, pyproject),
        ("Pipfile", _) => (Ecosystem::Python, Format::Toml, pipfile),
        ("setup.cfg", _) => (Ecosystem::Python, Format::Text, text::setup_cfg),
        ("setup.py", _) => (Ecosystem::Python, Format::Text, text::setup_py),
        (_, "txt") if name.starts_with("requirements") => {
            (Ecosystem::Python, Format::Text, text::requirements)
        }
        ("go.mod", _) => (Ecosystem::Go, Format::Text, text::go_mod),
        ("pom.xml", _) => (Ecosystem::Jvm, Format::Text, text::pom),
        ("build.gradle" | "build.gradle.kts", _) => (Ecosystem::Jvm, Format::Text, text::gradle),
        (_, "csproj" | "fsproj") => (Ecosystem::DotNet, Format::Text, text::csproj),
        ("Gemfile", _) | (_, "gemspec") => (Ecosystem::Ruby, Format::Text, text::gems),
        ("mix.exs", _) => (Ecosystem::Elixir, Format::Text, text::mix),
        ("Package.swift", _) => (Ecosystem::Swift, Format::Text, text::package_swift),
        ("pubspec.yaml", _) => (Ecosystem::Dart, Format::Text, text::pubspec),
        _ => return None,
    })
}

/// Is this the name of a manifest that is read here?
pub(crate) fn is_manifest(name: &str) -> bool {
    kind_of(name).is_some()
}

fn node(package: &mut Package) {
    let string = |keys: &[&str]| Some(package.json(keys)?.as_str()?.to_owned());
    let map = |keys: &[&str]| -> BTreeMap<String, String> {
        let tables = keys.iter().filter_map(|key| package.json(&[key])?.as_object());
        tables
            .flatten()
            .map(|(name, range)| (name.clone(), range.as_str().unwrap_or("").to_owned()))
            .collect()
    };
    let dependencies = map(&["peerDependencies", "optionalDependencies", "dependencies"]);
    let dev_dependencies = map(&["devDependencies"]);
    package.about = About {
        name: string(&["name"]),
        version: string(&["version"]),
        description: string(&["description"]),
        license: string(&["license"]).or_else(|| string(&["license", "type"])),
    };
    (package.dependencies, package.dev_dependencies) = (dependencies, dev_dependencies);
}

fn composer(package: &mut Package) {
    node(package);
    let map = |key: &str| -> BTreeMap<String, String> {
        let table = package.json(&[key]).and_then(Value::as_object);
        let names = table.into_iter().flatten().map(|(name, _)| (name.clone(), String::new()));
        names.filter(|(name, _)| name.contains('/')).collect()
    };
    (package.dependencies, package.dev_dependencies) = (map("require"), map("require-dev"));
}

fn cargo(package: &mut Package) {
    let string = |key: &str| Some(package.toml(&["package", key])?.as_str()?.to_owned());
    let names = |keys: &[&str]| -> BTreeMap<String, String> {
        let table = package.toml(keys).and_then(toml::Value::as_table);
        table
            .into_iter()
            .flatten()
            .map(|(name, spec)| (name.clone(), spec.as_str().unwrap_or("").to_owned()))
            .collect()
    };
    let (dependencies, dev_dependencies) = (names(&["dependencies"]), names(&["dev-dependencies"]));
    package.about = About {
        name: string("name"),
        version: string("version"),
        description: string("description"),
        license: string("license"),
    };
    (package.dependencies, package.dev_dependencies) = (dependencies, dev_dependencies);
}

fn pyproject(package: &mut Package) {
    let string = |key: &str| {
        let own =
            package.toml(&["project", key]).or_else(|| package.toml(&["tool", "poetry", key]))?;
        let text = own.as_str().or_else(|| own.get("text")?.as_str())?;
        (text.len() < 400).then(|| text.to_owned())
    };
    let listed = package.toml(&["project", "dependencies"]).and_then(toml::Value::as_array);
    let mut dependencies: BTreeMap<String, String> =
        listed.into_iter().flatten().filter_map(|spec| text::requirement(spec.as_str()?)).collect();
    let poetry = package.toml(&["tool", "poetry", "dependencies"]).and_then(toml::Value::as_table);
    dependencies
        .extend(poetry.into_iter().flatten().map(|(name, _)| (name.to_lowercase(), String::new())));
    package.about = About {
        name: string("name"),
        version: string("version"),
        description: string("description"),
        license: string("license"),
    };
    package.dependencies = dependencies;
}

fn pipfile(package: &mut Package) {
    let table = package.toml(&["packages"]).and_then(toml::Value::as_table);
    package.dependencies =
        table.into_iter().flatten().map(|(name, _)| (name.to_lowercase(), String::new())).collect();
}

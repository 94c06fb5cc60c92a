//! Is a package made to be used by others, rather than to be started? By what its manifest gives away.

use rb_lang::Language;
use serde_json::Value;

use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::entry_points::node::main_source;
use crate::architecture::scene::{ArchitectureInput, folder_of, join, name_of};
use crate::manifests::{Ecosystem, Package};
use crate::role::Role;
use crate::tree::FileId;

pub(super) fn library(scene: &ArchitectureInput) -> Vec<Clue> {
    let own = scene.packages.iter().find_map(|package| Some((package, given(scene, package)?)));
    if let Some((package, given)) = own {
        return with_first([Some(Clue::says(ClueKind::Manifest, package.path, given.0)), given.1]);
    }
    let public = scene.folders.keys().find(|folder| name_of(folder) == "include");
    let public = public.map(|folder| {
        Clue::new(ClueKind::Folders, *folder, format!("{folder}/ holds public headers"))
    });
    let built =
        scene.named(&["CMakeLists.txt"]).filter(|&id| scene.text(id).contains("add_library("));
    agreeing([
        public,
        built.map(|id| Clue::says(ClueKind::Manifest, scene.path(id), "builds a library")),
    ])
}

/// Is the package made to be used by others, rather than to be started?
pub(in crate::architecture) fn is_library(scene: &ArchitectureInput, package: &Package) -> bool {
    let dirs = scene.library_dirs.get_or_init(|| {
        scene
            .packages
            .iter()
            .filter(|package| given(scene, package).is_some())
            .map(|package| package.dir)
            .collect()
    });
    // A Gemfile beside a gemspec, requirements beside a pyproject: the folder is one package.
    dirs.contains(package.dir)
}

/// What the manifest says that others get, and the file that they get.
fn given(scene: &ArchitectureInput, package: &Package) -> Option<(&'static str, Option<Clue>)> {
    match package.ecosystem {
        Ecosystem::Node => node(scene, package),
        Ecosystem::Cargo => cargo(scene, package),
        Ecosystem::Python => python(scene, package),
        Ecosystem::Go => go(scene, package),
        Ecosystem::Jvm => jvm(scene, package),
        Ecosystem::DotNet => dot_net(package),
        Ecosystem::Php => php(scene, package),
        Ecosystem::Ruby => {
            let lib = || file(scene, package, &["lib"]);
            package.path.ends_with(".gemspec").then(|| ("is a gem", lib()))
        }
        Ecosystem::Elixir => {
            package.text().contains("package:").then_some(("is a Hex package", None))
        }
        Ecosystem::Swift => {
            let is_given = package.text().contains(".library(");
            is_given.then(|| ("offers a library", file(scene, package, &["Sources", "Source"])))
        }
        Ecosystem::Dart => None,
    }
}

type Given = Option<(&'static str, Option<Clue>)>;

/// The first of these that is there, file or folder.
fn file(scene: &ArchitectureInput, package: &Package, inner: &[&str]) -> Option<Clue> {
    let path = join(package.dir, inner.iter().find(|inner| exists(scene, package, inner))?);
    Some(Clue::new(ClueKind::File, &*path, &*path))
}

pub(super) fn exists(scene: &ArchitectureInput, package: &Package, inner: &str) -> bool {
    let path = join(package.dir, inner);
    scene.tree.find(&path).is_some() || scene.folders.contains_key(&*path)
}

fn node(scene: &ArchitectureInput, package: &Package) -> Given {
    const INDEX: &[&str] = &[
        "index.js",
        "index.ts",
        "src/index.ts",
        "src/index.js",
        "src/index.tsx",
        "lib/index.js",
        "index.mjs",
    ];
    let has = |key: &str| package.json(&[key]).is_some();
    let is_kept = package.json(&["private"]).and_then(Value::as_bool) == Some(true);
    let is_published = !is_kept && package.about.name.is_some() && package.about.version.is_some();
    let names_file = ["exports", "module", "main", "types", "typings"].iter().any(|key| has(key));
    let names_more = ["exports", "module", "types", "typings", "files"].iter().any(|key| has(key));
    let is_program = (has("bin") && !names_file)
        || package.json(&["engines", "vscode"]).is_some()
        // `main` alone is what `npm init` writes for everybody.
        || (package.json(&["scripts", "start"]).is_some() && !names_more);
    let main = main_source(scene, package)
        .map(|id| Clue::new(ClueKind::File, scene.path(id), scene.path(id)));
    let index = main.or_else(|| file(scene, package, INDEX));
    let is_given = is_published && !is_program && (names_file || index.is_some());
    is_given.then_some(("is published with an entry for others", index))
}

fn cargo(scene: &ArchitectureInput, package: &Package) -> Given {
    let is_kept = package
        .toml(&["package", "publish"])
        .is_some_and(|publish| publish.as_bool() != Some(true));
    let lib = package.toml(&["lib", "path"]).and_then(toml::Value::as_str).unwrap_or("src/lib.rs");
    let lib = file(scene, package, &[lib]);
    let is_given = !is_kept && package.about.description.is_some() && lib.is_some();
    is_given.then_some(("is published with a library", lib))
}

fn python(scene: &ArchitectureInput, package: &Package) -> Given {
    let is_setup = package.path.ends_with("setup.py") || package.path.ends_with("setup.cfg");
    let is_built = is_setup || package.toml(&["build-system"]).is_some();
    let is_project = scene.named(&["manage.py"]).is_some();
    let init = python_package(scene, package)?;
    (is_built && !is_project)
        .then(|| ("builds a Python package", Some(Clue::new(ClueKind::File, &*init, &*init))))
}

/// Code at the root of a module can be imported under its name; `main` cannot.
fn go(scene: &ArchitectureInput, package: &Package) -> Given {
    if scene.folders.get(package.dir).is_none_or(|folder| folder.direct == 0) {
        return None;
    }
    let is_api = |id: &FileId| {
        let file = scene.tree.get(*id);
        let is_main = file.marks.main || file.package.as_deref() == Some("main");
        file.language == Some(Language::Go) && folder_of(&file.path) == package.dir && !is_main
    };
    let from = scene.tree.files.partition_point(|file| *file.path < *package.dir);
    let inside =
        scene.tree.ids().skip(from).take_while(|&id| scene.path(id).starts_with(package.dir));
    let first = inside.filter(|&id| scene.role(id) == Role::Product).find(is_api)?;
    Some(("is a Go module", Some(Clue::says(ClueKind::File, scene.path(first), "is at its root"))))
}

fn jvm(scene: &ArchitectureInput, package: &Package) -> Given {
    const PROGRAM: &[&str] = &[
        "spring-boot",
        "mainClass",
        "<packaging>pom",
        "<packaging>war",
        "com.android.application",
        "application'",
        "application\"",
    ];
    let sources = ["src/main/java", "src/main/kotlin", "src/commonMain", "src/main/scala"];
    let path = join(package.dir, sources.iter().find(|inner| exists(scene, package, inner))?);
    let is_program = PROGRAM.iter().any(|word| package.text().contains(word));
    let folder = || Clue::new(ClueKind::Folders, &*path, format!("{path}/"));
    (!is_program).then(|| ("builds a jar without a main class", Some(folder())))
}

fn dot_net(package: &Package) -> Given {
    let has = |word: &str| package.text().contains(word);
    let is_packed = has("<PackageId>") || has("<Description>") || has("<GeneratePackageOnBuild>");
    (is_packed && !has("<OutputType>Exe") && !has("Sdk.Web"))
        .then_some(("is packed for others", None))
}

fn php(scene: &ArchitectureInput, package: &Package) -> Given {
    let kind = package.json(&["type"]).and_then(Value::as_str);
    let is_given =
        kind == Some("library") || (kind.is_none() && package.json(&["autoload"]).is_some());
    let mut roots =
        package.json(&["autoload", "psr-4"]).and_then(Value::as_object).into_iter().flatten();
    let root = roots.find_map(|(_, path)| path.as_str()).unwrap_or("src").trim_end_matches('/');
    is_given.then(|| ("is a Composer library", file(scene, package, &[root])))
}

/// The `__init__.py` of the package that a Python manifest is about.
fn python_package(scene: &ArchitectureInput, package: &Package) -> Option<String> {
    let name = package.about.name.as_deref()?.to_lowercase().replace(['-', '.'], "_");
    ["", "src"].iter().find_map(|root| {
        let path = join(&join(package.dir, root), &format!("{name}/__init__.py"));
        scene.tree.find(&path).map(|_| path)
    })
}

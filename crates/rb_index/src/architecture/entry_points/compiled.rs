//! Programs and libraries of compiled languages: Cargo targets, Go's `main` packages, Java's main classes, C's `main`.

use rb_lang::Language;
use rustc_hash::FxHashMap;

use super::{EntryKind, EntryPoints};
use crate::architecture::patterns::is_library;
use crate::architecture::scene::{ArchitectureInput, depth, folder_of, join, name_of};
use crate::manifests::{Ecosystem, Package};
use crate::tree::FileId;

pub(super) fn find(found: &mut EntryPoints, package: &Package) {
    match package.ecosystem {
        Ecosystem::Cargo => cargo(found, package),
        Ecosystem::Jvm => spring(found, package),
        Ecosystem::DotNet => dot_net(found, package),
        Ecosystem::Ruby => gem(found, package),
        Ecosystem::Elixir => elixir(found, package),
        Ecosystem::Node
        | Ecosystem::Python
        | Ecosystem::Go
        | Ecosystem::Php
        | Ecosystem::Dart
        | Ecosystem::Swift => {}
    }
}

fn cargo(found: &mut EntryPoints, package: &Package) {
    let bins = package.toml(&["bin"]).and_then(toml::Value::as_array);
    for bin in bins.into_iter().flatten() {
        let text = |key: &str| bin.get(key).and_then(toml::Value::as_str);
        let name = text("name").unwrap_or("a program");
        let guesses = [
            format!("src/bin/{name}.rs"),
            format!("src/bin/{name}/main.rs"),
            "src/main.rs".to_owned(),
        ];
        let paths = text("path").map(str::to_owned).into_iter().chain(guesses);
        let reason = format!("{} builds it as {name}", package.path);
        found.add_first(paths.map(|path| join(package.dir, &path)), EntryKind::Program, &reason);
    }
    if package.toml(&["package"]).is_none() {
        return;
    }
    let name = package.about.name.as_deref().unwrap_or("a program");
    found.add_first(
        [join(package.dir, "src/main.rs")],
        EntryKind::Program,
        &format!("{} builds it as {name}", package.path),
    );
    cargo_bin_folder(found, package);
    let lib = package.toml(&["lib", "path"]).and_then(toml::Value::as_str).unwrap_or("src/lib.rs");
    found.add_first(
        [join(package.dir, lib)],
        EntryKind::Library,
        &format!("is the root of the crate {name}"),
    );
}

/// Each file in `src/bin` is a program.
fn cargo_bin_folder(found: &mut EntryPoints, package: &Package) {
    let start = join(package.dir, "src/bin/");
    let files = &found.scene.tree.files;
    let from = files.partition_point(|file| *file.path < *start);
    let inside = files[from..].iter().take_while(|file| file.path.starts_with(&start));
    let programs: Vec<String> = inside
        .filter(|file| {
            let inner = &file.path[start.len()..];
            inner.strip_suffix(".rs").is_some()
                && (!inner.contains('/')
                    || inner.split_once('/').is_some_and(|(_, rest)| rest == "main.rs"))
        })
        .map(|file| file.path.to_string())
        .collect();
    for path in programs {
        found.add_first(
            [path],
            EntryKind::Program,
            &format!("{} builds it as a program", package.path),
        );
    }
}

fn spring(found: &mut EntryPoints, package: &Package) {
    let is_spring =
        package.dependencies.keys().any(|name| name.starts_with("org.springframework.boot"));
    if !is_spring {
        return;
    }
    let scene = found.scene;
    let is_class = |id: &FileId| {
        let stem = name_of(scene.path(*id)).split('.').next().unwrap_or_default();
        let language = scene.tree.get(*id).language;
        stem.ends_with("Application") && matches!(language, Some(Language::Java | Language::Kotlin))
    };
    let is_own = |id: &FileId| {
        let place = scene.package_of(scene.path(*id));
        place.is_some_and(|place| scene.packages[place].dir == package.dir)
    };
    let applications: Vec<FileId> = scene.product().filter(is_class).filter(is_own).collect();
    for id in applications {
        found.add(id, EntryKind::Server, "starts the Spring application");
    }
}

fn dot_net(found: &mut EntryPoints, package: &Package) {
    let kind =
        if package.text().contains("Sdk.Web") { EntryKind::Server } else { EntryKind::Program };
    found.add_first(
        [join(package.dir, "Program.cs")],
        kind,
        &format!("{} starts it", package.path),
    );
}

fn gem(found: &mut EntryPoints, package: &Package) {
    if let Some(name) = package.about.name.as_deref().filter(|_| package.path.ends_with(".gemspec"))
    {
        let paths = [name.to_owned(), name.replace('-', "/")]
            .map(|name| join(package.dir, &format!("lib/{name}.rb")));
        found.add_first(paths, EntryKind::Library, &format!("is what require \"{name}\" loads"));
    }
}

fn elixir(found: &mut EntryPoints, package: &Package) {
    let Some(name) = package.about.name.as_deref() else { return };
    let application = join(package.dir, &format!("lib/{name}/application.ex"));
    if !is_library(found.scene, package) {
        found.add_first([application], EntryKind::Server, "starts the application");
    }
    found.add_first(
        [join(package.dir, &format!("lib/{name}.ex"))],
        EntryKind::Library,
        "is the root module",
    );
}

/// Libraries without a root file often have a class of their own name: `Gson`, `Moshi`, `Alamofire`.
pub(super) fn named_after_package(found: &mut EntryPoints) {
    let scene = found.scene;
    let is_meant = |package: &&Package| {
        matches!(
            package.ecosystem,
            Ecosystem::Jvm | Ecosystem::Swift | Ecosystem::DotNet | Ecosystem::Php
        ) && is_library(scene, package)
    };
    let names: FxHashMap<(&str, String), &str> = scene
        .packages
        .iter()
        .filter(is_meant)
        .map(|package| {
            let name = package.about.name.as_deref().unwrap_or_else(|| name_of(package.dir));
            ((package.dir, bare(name.rsplit('/').next().unwrap_or(name))), package.path)
        })
        .collect();
    if names.is_empty() {
        return;
    }
    for id in scene.product().filter(|&id| scene.is_code(id)) {
        let path = scene.path(id);
        let Some(place) = scene.package_of(path) else { continue };
        let stem = name_of(path).split('.').next().unwrap_or_default();
        let package = &scene.packages[place];
        if !scene.tree.get(id).language.is_some_and(|language| package.ecosystem.speaks(language)) {
            continue;
        }
        if let Some(manifest) = names.get(&(package.dir, bare(stem))) {
            found.add(id, EntryKind::Library, format!("has the name of the package of {manifest}"));
        }
    }
}

fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A file that can be started and is where programs lie: `main.*`, Go's package main, C at the top.
pub(super) fn is_program(scene: &ArchitectureInput, id: FileId) -> bool {
    let file = scene.tree.get(id);
    let path = &*file.path;
    let stem = name_of(path).split('.').next().unwrap_or_default();
    match file.language {
        Some(
            Language::Go | Language::Java | Language::Kotlin | Language::Scala | Language::CSharp,
        ) => true,
        Some(Language::C | Language::Cpp) => {
            stem == "main" || depth(path) == 0 || folder_of(path) == "src"
        }
        Some(Language::Rust | Language::Swift | Language::Dart | Language::Zig) => stem == "main",
        Some(Language::Python) => {
            matches!(stem, "main" | "app" | "cli" | "run" | "server") && depth(path) <= 2
        }
        Some(Language::Bash) => {
            let is_home =
                name_of(folder_of(path)) == "bin" || scene.main_language == Some(Language::Bash);
            is_home && !is_build_step(stem)
        }
        _ => {
            matches!(stem, "main" | "cli" | "server")
                || matches!(name_of(folder_of(path)), "bin" | "exe")
        }
    }
}

fn is_build_step(stem: &str) -> bool {
    [
        "install",
        "build",
        "configure",
        "autogen",
        "bootstrap",
        "test",
        "release",
        "make",
        "ci",
        "lint",
        "format",
        "setup",
        "version",
        "completion",
    ]
    .iter()
    .any(|word| stem.to_ascii_lowercase().contains(word))
}

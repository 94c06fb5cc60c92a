//! What a product is made with: a dependency, and the files that the framework looks for.

use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::scene::{ArchitectureInput, join, name_of};
use crate::role::Role;

pub(super) fn next_app_router(scene: &ArchitectureInput) -> Vec<Clue> {
    next(scene, &["app", "src/app"], &["layout", "page"])
}

pub(super) fn next_pages_router(scene: &ArchitectureInput) -> Vec<Clue> {
    next(scene, &["pages", "src/pages"], &["_app", "_document", "index"])
}

fn next(scene: &ArchitectureInput, roots: &[&str], stems: &[&str]) -> Vec<Clue> {
    for package in scene.packages.iter().filter(|package| package.mentions("next")) {
        let file = roots.iter().find_map(|root| {
            stems
                .iter()
                .find_map(|stem| source(scene, &join(package.dir, &format!("{root}/{stem}"))))
        });
        if let Some(file) = file {
            let needs = Clue::says(ClueKind::Dependency, package.path, "depends on next");
            return vec![needs, Clue::new(ClueKind::File, &*file, &*file)];
        }
    }
    Vec::new()
}

/// The product file of that name in one of the endings of JavaScript.
fn source(scene: &ArchitectureInput, stem: &str) -> Option<String> {
    ["tsx", "jsx", "ts", "js"]
        .iter()
        .map(|extension| format!("{stem}.{extension}"))
        .find(|path| scene.tree.find(path).is_some_and(|id| scene.role(id) == Role::Product))
}

pub(super) fn nuxt(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([scene.mentions(&["nuxt", "nuxt3"]), scene.file(&["nuxt.config.*"])])
}

pub(super) fn svelte_kit(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([
        scene.mentions(&["@sveltejs/kit"]),
        scene.file(&["+page.svelte", "+layout.svelte"]),
        scene.file(&["svelte.config.*"]),
    ])
}

pub(super) fn remix(scene: &ArchitectureInput) -> Vec<Clue> {
    let needs = scene.mentions(&["@remix-run/react", "@remix-run/node", "@react-router/dev"]);
    agreeing([
        needs,
        scene.file(&["root.tsx", "root.jsx", "remix.config.*", "react-router.config.*"]),
    ])
}

pub(super) fn angular(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([
        scene.needs(&["@angular/core"]),
        scene.file(&["angular.json"]),
        scene.file(&["app.module.ts", "app.component.ts", "app.config.ts"]),
    ])
}

pub(super) fn django(scene: &ArchitectureInput) -> Vec<Clue> {
    let settings = scene
        .file(&["settings.py", "wsgi.py", "asgi.py"])
        .filter(|_| scene.named(&["urls.py"]).is_some());
    // A library for Django has the dependency, too; only a project can be started.
    let Some(manage) = scene.file(&["manage.py"]).filter(|_| settings.is_some()) else {
        return Vec::new();
    };
    let needs = scene.needs(&["django"]).or_else(|| scene.imports(&["django", "Django"]));
    with_first([Some(manage), settings, needs, django_apps(scene)])
}

/// Apps: folders that hold their own models and views or configuration.
fn django_apps(scene: &ArchitectureInput) -> Option<Clue> {
    let has = |folder: &str, name: &str| {
        let file = join(folder, name);
        scene.tree.find(&file).is_some() || scene.folders.contains_key(file.trim_end_matches(".py"))
    };
    let apps: Vec<&str> = scene
        .folders
        .keys()
        .copied()
        .filter(|folder| {
            has(folder, "models.py")
                && ["apps.py", "views.py", "admin.py", "migrations"]
                    .iter()
                    .any(|part| has(folder, part))
        })
        .filter(|folder| !folder.is_empty())
        .collect();
    let first = *apps.first()?;
    let shown = apps.iter().take(4).copied().collect::<Vec<_>>().join(", ");
    Some(Clue::new(
        ClueKind::Folders,
        first,
        format!("apps with models of their own, {} in all: {shown}", apps.len()),
    ))
}

pub(super) fn rails(scene: &ArchitectureInput) -> Vec<Clue> {
    let routes = at(scene, "config/routes.rb").or_else(|| at(scene, "config/application.rb"));
    agreeing([scene.needs(&["rails"]), routes, folder(scene, "app/controllers")])
}

pub(super) fn laravel(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([scene.needs(&["laravel/framework"]), at(scene, "artisan"), folder(scene, "app/Http")])
}

pub(super) fn symfony(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([
        scene.needs(&["symfony/framework-bundle"]),
        at(scene, "bin/console"),
        at(scene, "config/bundles.php"),
    ])
}

pub(super) fn phoenix(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([scene.needs(&["phoenix"]), scene.file(&["router.ex", "endpoint.ex"])])
}

pub(super) fn spring(scene: &ArchitectureInput) -> Vec<Clue> {
    let needs = scene.packages.iter().find_map(|package| {
        let name =
            package.dependencies.keys().find(|name| name.starts_with("org.springframework"))?;
        Some(Clue::says(ClueKind::Dependency, package.path, &format!("depends on {name}")))
    });
    let parts: Vec<&str> = ["Controller", "Service", "Repository"]
        .into_iter()
        .filter_map(|part| ending(scene, part))
        .collect();
    let first = parts.first().map(|path| Clue::new(ClueKind::File, *path, parts.join(", ")));
    let application =
        ending(scene, "Application").map(|path| Clue::new(ClueKind::File, path, path));
    agreeing([needs, application.or(first), scene.imports(&["org.springframework"])])
}

/// A product class whose name ends so: `OwnerController.java`.
fn ending<'a>(scene: &ArchitectureInput<'a>, end: &str) -> Option<&'a str> {
    scene.product().map(|id| scene.path(id)).find(|path| {
        let stem =
            name_of(path).strip_suffix(".java").or_else(|| name_of(path).strip_suffix(".kt"));
        stem.is_some_and(|stem| stem.ends_with(end))
    })
}

pub(super) fn asp_net(scene: &ArchitectureInput) -> Vec<Clue> {
    let needs = scene.needs(&["Microsoft.NET.Sdk.Web", "Microsoft.AspNetCore.App"]);
    agreeing([needs, scene.file(&["Program.cs", "Startup.cs"])])
}

pub(super) fn nest(scene: &ArchitectureInput) -> Vec<Clue> {
    agreeing([scene.needs(&["@nestjs/core"]), scene.file(&["app.module.ts", "nest-cli.json"])])
}

fn at(scene: &ArchitectureInput, path: &str) -> Option<Clue> {
    scene.tree.find(path).map(|_| Clue::new(ClueKind::File, path, path))
}

fn folder(scene: &ArchitectureInput, path: &str) -> Option<Clue> {
    scene.folders.get(path).map(|_| Clue::new(ClueKind::Folders, path, format!("{path}/")))
}

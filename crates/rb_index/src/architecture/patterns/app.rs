//! What is made here to be looked at: web, desktop and mobile apps, extensions of browsers and editors.

use super::framework;
use super::library::{exists, is_library};
use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::scene::{ArchitectureInput, is_inside, join, name_of};

/// Pages that a framework renders on a server and goes on with in the browser.
pub(super) fn web_app(scene: &ArchitectureInput) -> Vec<Clue> {
    let rules = [
        framework::next_app_router,
        framework::next_pages_router,
        framework::nuxt,
        framework::svelte_kit,
        framework::remix,
    ];
    rules.iter().map(|rule| rule(scene)).find(|clues| !clues.is_empty()).unwrap_or_default()
}

pub(super) fn single_page_app(scene: &ArchitectureInput) -> Vec<Clue> {
    const VIEWS: &[&str] =
        &["react", "vue", "svelte", "solid-js", "preact", "@angular/core", "ember-source", "lit"];
    const ROUTERS: &[&str] = &[
        "react-router-dom",
        "react-router",
        "vue-router",
        "@tanstack/react-router",
        "wouter",
        "@solidjs/router",
        "@angular/router",
        "svelte-routing",
    ];
    const RENDERED_ELSEWHERE: &[&str] =
        &["next", "nuxt", "@sveltejs/kit", "gatsby", "@remix-run/react", "astro"];
    let package = scene.packages.iter().find(|package| {
        VIEWS.iter().any(|name| package.mentions(name))
            && !RENDERED_ELSEWHERE.iter().any(|name| package.mentions(name))
            && !is_library(scene, package)
            && components(scene, package.dir).is_some()
    });
    let Some(package) = package else { return Vec::new() };
    let view =
        VIEWS.iter().find(|name| package.mentions(name)).expect("the package was chosen by it");
    let router = ROUTERS.iter().find(|name| package.mentions(name)).copied();
    let needs = router.map_or_else(
        || format!("depends on {view}"),
        |router| format!("depends on {view} and {router}"),
    );
    let index = ["index.html", "public/index.html", "src/index.html"]
        .iter()
        .find(|path| exists(scene, package, path));
    let index = index
        .map(|path| join(package.dir, path))
        .map(|path| Clue::new(ClueKind::File, &*path, &*path));
    with_first([
        index.or_else(|| {
            router.map(|name| {
                Clue::says(ClueKind::Manifest, package.path, &format!("has a router: {name}"))
            })
        }),
        Some(Clue::says(ClueKind::Dependency, package.path, &needs)),
        components(scene, package.dir),
    ])
}

/// `components/`, and where they are shown: `pages/`, `views/`.
fn components(scene: &ArchitectureInput, dir: &str) -> Option<Clue> {
    let is_own = |path: &&&str| is_inside(path, dir) || dir.is_empty();
    let first = scene.folders.keys().filter(|path| name_of(path) == "components").find(is_own)?;
    let parent = first.rsplit_once('/').map_or("", |(parent, _)| parent);
    let beside =
        scene.child(parent, &["pages", "views", "routes", "screens", "features", "containers"]);
    let text = beside.map_or_else(
        || format!("{first}/"),
        |beside| format!("{first}, {beside} lie side by side"),
    );
    Some(Clue::new(ClueKind::Folders, *first, text))
}

pub(super) fn desktop_app(scene: &ArchitectureInput) -> Vec<Clue> {
    let electron = scene.mentions(&["electron"]);
    let electron_files = scene.file(&[
        "electron-builder.*",
        "forge.config.*",
        "electron.vite.config.*",
        "preload.js",
        "preload.ts",
    ]);
    let found = agreeing([electron, electron_files]);
    if !found.is_empty() {
        return found;
    }
    let found = agreeing([
        scene.mentions(&["tauri", "@tauri-apps/api", "@tauri-apps/cli"]),
        scene.file(&["tauri.conf.json"]),
    ]);
    if !found.is_empty() {
        return found;
    }
    let kits = [
        "eframe",
        "iced",
        "gtk4",
        "slint",
        "pyqt5",
        "pyqt6",
        "pyside6",
        "wxpython",
        "org.openjfx:javafx-controls",
        "fyne.io/fyne/v2",
        "github.com/wailsapp/wails/v2",
    ];
    let needs = scene.needs_where(&kits, |package| !is_library(scene, package));
    with_first([needs, scene.imports(&kits)])
}

pub(super) fn mobile_app(scene: &ArchitectureInput) -> Vec<Clue> {
    let native =
        scene.needs_where(&["react-native", "expo"], |package| !is_library(scene, package));
    let app = scene.file(&[
        "app.json",
        "app.config.*",
        "metro.config.*",
        "AndroidManifest.xml",
        "Podfile",
    ]);
    let found = agreeing([native, app]);
    if !found.is_empty() {
        return found;
    }
    let found = agreeing([
        scene.needs(&["flutter"]),
        scene.file(&["main.dart"]),
        scene.file(&["AndroidManifest.xml"]),
    ]);
    if !found.is_empty() {
        return found;
    }
    let found =
        agreeing([scene.needs(&["com.android.application"]), scene.file(&["AndroidManifest.xml"])]);
    if !found.is_empty() {
        return found;
    }
    let delegate = scene.file(&["AppDelegate.swift", "AppDelegate.m", "SceneDelegate.swift"]);
    with_first([delegate, scene.file(&["Info.plist"])])
}

pub(super) fn browser_extension(scene: &ArchitectureInput) -> Vec<Clue> {
    let manifest = scene.product().find(|&id| {
        name_of(scene.path(id)) == "manifest.json"
            && scene.text(id).contains("\"manifest_version\"")
    });
    let manifest =
        manifest.map(|id| Clue::says(ClueKind::Manifest, scene.path(id), "has a manifest_version"));
    let kit =
        scene.mentions(&["webextension-polyfill", "wxt", "plasmo", "@types/chrome", "web-ext"]);
    let scripts = scene.file(&[
        "background.js",
        "background.ts",
        "content.js",
        "content.ts",
        "content-script.js",
        "contentScript.js",
        "popup.html",
        "service-worker.js",
    ]);
    with_first([manifest, scripts, kit])
}

pub(super) fn editor_extension(scene: &ArchitectureInput) -> Vec<Clue> {
    let package =
        scene.packages.iter().find(|package| package.json(&["engines", "vscode"]).is_some());
    let Some(package) = package else { return Vec::new() };
    let contributes =
        package.json(&["contributes"]).is_some() || package.json(&["activationEvents"]).is_some();
    let says = Clue::says(ClueKind::Manifest, package.path, "has engines.vscode");
    let file = scene.file(&["extension.ts", "extension.js", "language-configuration.json"]);
    with_first([contributes.then_some(says), file])
}

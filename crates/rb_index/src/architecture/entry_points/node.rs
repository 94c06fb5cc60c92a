//! What `package.json` names, led back from built files to their sources; and the files that web frameworks look for.

use serde_json::Value;

use super::{EntryKind, EntryPoints};
use crate::architecture::scene::{ArchitectureInput, folder_of, join, name_of};
use crate::manifests::{Ecosystem, Package};
use crate::role::Role;
use crate::tree::FileId;

pub(super) fn find(found: &mut EntryPoints, package: &Package) {
    if package.ecosystem != Ecosystem::Node {
        return;
    }
    programs(found, package);
    library(found, package);
    scripts(found, package);
    next(found, package);
    front_end(found, package);
    servers(found, package);
    if !found.list.keys().any(|&file| folder_of(found.scene.path(file)) == package.dir)
        && package.json(&["exports"]).is_none()
    {
        let index =
            ["index.js", "index.ts", "index.mjs"].iter().map(|name| join(package.dir, name));
        found.add_first(index, EntryKind::Library, "is what Node loads for the package");
    }
}

fn programs(found: &mut EntryPoints, package: &Package) {
    let Some(bin) = package.json(&["bin"]) else { return };
    let own = package.about.name.as_deref().unwrap_or("the package");
    let one = bin.as_str().map(|path| (own, path));
    let many = bin
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, path)| Some((name.as_str(), path.as_str()?)));
    for (name, path) in one.into_iter().chain(many) {
        if let Some(file) = source(found.scene, package.dir, path) {
            found.add(file, EntryKind::Program, format!("{} installs it as {name}", package.path));
        }
    }
}

fn library(found: &mut EntryPoints, package: &Package) {
    let is_started = package.json(&["private"]).and_then(Value::as_bool) == Some(true);
    for (key, file) in main_files(found.scene, package) {
        let kind = if is_started && key == "main" { EntryKind::App } else { EntryKind::Library };
        found.add(file, kind, format!("{} names it as {key}", package.path));
    }
    for (key, value) in exports(package) {
        let file =
            leaves(value).into_iter().find_map(|path| source(found.scene, package.dir, path));
        if let Some(file) = file {
            let kind = if key == "." { EntryKind::Library } else { EntryKind::LibraryPart };
            found.add(file, kind, format!("{} exports it as {key}", package.path));
        }
    }
}

fn main_files<'p>(scene: &ArchitectureInput, package: &'p Package) -> Vec<(&'p str, FileId)> {
    let named = ["source", "module", "main", "browser", "unpkg"].into_iter().filter_map(|key| {
        let path = package.json(&[key]).and_then(Value::as_str)?;
        Some((key, source(scene, package.dir, path)?))
    });
    named.collect()
}

/// What can be imported, by the name under which.
fn exports<'p>(package: &'p Package) -> Vec<(&'p str, &'p Value)> {
    let Some(exports) = package.json(&["exports"]) else { return Vec::new() };
    let is_map = exports.as_object().is_some_and(|map| map.keys().any(|key| key.starts_with('.')));
    match exports.as_object() {
        Some(map) if is_map => map
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .filter(|(key, _)| !key.contains('*'))
            .collect(),
        _ => vec![(".", exports)],
    }
}

/// The source of what is imported under the name of the package.
pub(in crate::architecture) fn main_source(
    scene: &ArchitectureInput,
    package: &Package,
) -> Option<FileId> {
    let exported =
        exports(package).into_iter().find(|(key, _)| *key == ".").map(|(_, value)| leaves(value));
    let exported = exported.into_iter().flatten().find_map(|path| source(scene, package.dir, path));
    exported.or_else(|| main_files(scene, package).first().map(|(_, file)| *file))
}

/// The files in a value of `exports`, whatever the conditions; declarations of types are not among them.
fn leaves(value: &Value) -> Vec<&str> {
    let mut open = vec![value];
    let mut leaves = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::String(path) if is_code(path) => leaves.push(path.as_str()),
            Value::Object(map) => open.extend(map.values().rev()),
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    leaves
}

fn is_code(path: &str) -> bool {
    let extension = name_of(path).rsplit_once('.').map(|(_, extension)| extension);
    let is_code = extension.is_none_or(|extension| ENDINGS.contains(&extension));
    is_code && !path.contains('*') && !path.contains(".d.")
}

/// Files that `start` and `dev` run.
fn scripts(found: &mut EntryPoints, package: &Package) {
    for name in ["start", "dev", "serve", "start:prod", "start:dev"] {
        let Some(command) = package.json(&["scripts", name]).and_then(Value::as_str) else {
            continue;
        };
        for word in command.split_whitespace().filter(|word| !word.starts_with('-')).take(40) {
            let is_path = word.contains('.') || word.contains('/');
            let file = is_path
                .then(|| source(found.scene, package.dir, word.trim_matches(['"', '\''])))
                .flatten();
            if let Some(file) = file.filter(|&file| is_script(found.scene.path(file))) {
                let is_view = found.scene.path(file).ends_with('x');
                let kind = if is_view { EntryKind::App } else { EntryKind::Server };
                found.add(file, kind, format!("{} runs it on {name}", package.path));
            }
        }
    }
}

fn is_script(path: &str) -> bool {
    matches!(
        path.rsplit_once('.'),
        Some((_, "js" | "ts" | "mjs" | "mts" | "cjs" | "cts" | "tsx" | "jsx"))
    ) && !name_of(path).contains(".config.")
}

const BUILT: &[&str] =
    &["dist", "build", "out", "lib", "output", "esm", "cjs", "es", "umd", "bin", ".next"];
const SOURCES: &[&str] = &["src", "", "lib", "source", "bin"];
const ENDINGS: &[&str] = &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// The file that a manifest means: as it says, or the source that a built file is made from.
pub(in crate::architecture) fn source(
    scene: &ArchitectureInput,
    dir: &str,
    path: &str,
) -> Option<FileId> {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if path.is_empty() || path.contains("..") || path.len() > 300 {
        return None;
    }
    let is_source = |id: &FileId| scene.role(*id) != Role::Vendored;
    let at = |inner: &str| scene.tree.find(&join(dir, inner)).filter(is_source);
    let as_said =
        at(path).or_else(|| ENDINGS.iter().find_map(|ending| at(&format!("{path}.{ending}"))));
    if as_said.is_some() {
        return as_said;
    }
    let as_folder = ENDINGS.iter().find_map(|ending| at(&format!("{path}/index.{ending}")));
    if as_folder.is_some() {
        return as_folder;
    }
    let stem = path
        .strip_suffix(".min.js")
        .unwrap_or_else(|| path.rsplit_once('.').map_or(path, |(stem, _)| stem));
    // Folders of the build are taken off one by one: `dist/cjs/node/cli` may come from `src/node/cli` or `src/cli`.
    let mut inner = stem;
    for _ in 0..3 {
        let made = SOURCES.iter().find_map(|root| {
            ENDINGS.iter().find_map(|ending| at(&format!("{}.{ending}", join(root, inner))))
        });
        match inner.split_once('/') {
            _ if made.is_some() => return made,
            Some((first, rest)) if BUILT.contains(&first) || !rest.contains('/') => inner = rest,
            _ => return None,
        }
    }
    None
}

fn next(found: &mut EntryPoints, package: &Package) {
    const ROUTES: &[(&str, &str)] = &[
        ("app/layout", "is the root layout of the app router"),
        ("app/page", "is the first page of the app router"),
        ("pages/_app", "wraps every page of the pages router"),
        ("pages/index", "is the first page of the pages router"),
        ("middleware", "runs before every request"),
        ("proxy", "runs before every request"),
        ("instrumentation", "runs when the server starts"),
    ];
    if !package.mentions("next") {
        return;
    }
    for (stem, reason) in ROUTES {
        let paths = ["", "src"].iter().flat_map(|root| {
            let stem = join(&join(package.dir, root), stem);
            ENDINGS.iter().map(move |ending| format!("{stem}.{ending}"))
        });
        found.add_first(paths.collect::<Vec<_>>(), EntryKind::App, reason);
    }
}

/// Where a bundler starts, by convention.
fn front_end(found: &mut EntryPoints, package: &Package) {
    let kits = [
        "vite",
        "react-scripts",
        "webpack",
        "parcel",
        "@angular/core",
        "vue",
        "svelte",
        "@rsbuild/core",
    ];
    let views = ["react", "vue", "svelte", "solid-js", "preact", "@angular/core"];
    let is_app = kits.iter().any(|name| package.mentions(name))
        && views.iter().any(|name| package.mentions(name));
    if !is_app || package.mentions("next") {
        return;
    }
    let stems = ["src/main", "src/index", "app/main", "index"];
    let paths = stems.iter().flat_map(|stem| {
        let stem = join(package.dir, stem);
        ENDINGS.iter().map(move |ending| format!("{stem}.{ending}"))
    });
    let paths: Vec<String> = paths.collect();
    let has_page = ["index.html", "public/index.html", "src/index.html"]
        .iter()
        .any(|page| found.scene.tree.find(&join(package.dir, page)).is_some());
    if has_page {
        found.add_first(paths, EntryKind::App, "is where the bundle starts");
    }
}

/// Files called after a server that import a web framework.
fn servers(found: &mut EntryPoints, package: &Package) {
    const FRAMEWORKS: &[&str] = &[
        "express",
        "fastify",
        "koa",
        "hono",
        "@nestjs/core",
        "@hapi/hapi",
        "elysia",
        "@apollo/server",
    ];
    const STEMS: &[&str] =
        &["server", "main", "app", "index", "src/server", "src/main", "src/app", "src/index"];
    if crate::architecture::patterns::is_library(found.scene, package) {
        return;
    }
    for framework in FRAMEWORKS.iter().filter(|name| package.depends_on(name)) {
        for stem in STEMS {
            let stem = join(package.dir, stem);
            let file = ENDINGS
                .iter()
                .find_map(|ending| found.scene.tree.find(&format!("{stem}.{ending}")));
            let imports = |file: FileId| {
                found
                    .scene
                    .importers_of(framework)
                    .any(|(_, files)| files.binary_search(&file).is_ok())
            };
            if let Some(file) = file.filter(|&file| imports(file)) {
                found.add(file, EntryKind::Server, format!("imports {framework}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Input;
    use crate::fixture::tree;

    #[track_caller]
    fn check(files: &str, named: &str, expected: Option<&str>) {
        let tree = tree(files, &[]);
        let scene = ArchitectureInput::new(&Input { tree: &tree, edges: &[], externals: &[] });
        assert_eq!(source(&scene, "p", named).map(|id| scene.path(id)), expected, "{named}");
    }

    #[test]
    fn ix12_smart003_4_a_built_file_is_led_back_to_its_source() {
        check("p/lib/a.js p/src/a.ts", "./lib/a.js", Some("p/lib/a.js"));
        check("p/src/node/cli.ts", "dist/cjs/node/cli.js", Some("p/src/node/cli.ts"));
        check("p/src/index.tsx p/dist/index.js", "dist/index.mjs", Some("p/src/index.tsx"));
        check("p/src/bin/next.ts", "./dist/bin/next", Some("p/src/bin/next.ts"));
        check("p/lib/index.js", "lib", Some("p/lib/index.js"));
        check("p/src/index.ts", "dist/other.js", None);
        check("p/src/a.ts q.ts", "../q.ts", None);
        check("p/src/a.ts", "", None);
    }
}

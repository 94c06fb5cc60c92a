//! How a repository is cut into packages.

use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::scene::{ArchitectureInput, folder_of};
use crate::manifests::text::yaml_list;
use crate::manifests::{Ecosystem, Package};

pub(super) fn monorepo(scene: &ArchitectureInput) -> Vec<Clue> {
    let declared = declared(scene);
    let members = members(scene, Ecosystem::Node).or_else(|| members(scene, Ecosystem::Python));
    match (declared, members) {
        // These tools also run the tasks of a single package.
        (Some(declared), None) if matches!(&*declared.path, "nx.json" | "turbo.json") => Vec::new(),
        (Some(declared), members) => with_first([Some(declared), members]),
        (None, Some(members)) if count(scene, Ecosystem::Node) > 2 => vec![members],
        (None, _) => Vec::new(),
    }
}

/// What says outright that this is a workspace. A configuration file can be there for other reasons: its text counts.
fn declared(scene: &ArchitectureInput) -> Option<Clue> {
    let root = scene.packages.iter().filter(|package| package.dir.is_empty());
    let says = |path: &str, what: &str| Some(Clue::says(ClueKind::Manifest, path, what));
    for package in root {
        if package.json(&["workspaces"]).is_some() {
            return says(package.path, "names workspaces");
        }
        if package.toml(&["tool", "uv", "workspace"]).is_some() {
            return says(package.path, "names a workspace");
        }
    }
    let at_root = |name: &str| scene.tree.find(name);
    if let Some(file) = at_root("pnpm-workspace.yaml")
        && !yaml_list(scene.text(file), "packages").is_empty()
    {
        return says("pnpm-workspace.yaml", "names packages");
    }
    let tools = ["lerna.json", "nx.json", "rush.json", "go.work", "turbo.json"];
    tools.iter().find(|name| at_root(name).is_some()).and_then(|name| says(name, "is there"))
}

fn inner<'s, 'a>(
    scene: &'s ArchitectureInput<'a>,
    ecosystem: Ecosystem,
) -> impl Iterator<Item = &'s Package<'a>> {
    scene.packages.iter().filter(move |package| {
        package.ecosystem == ecosystem && !package.dir.is_empty() && package.about.name.is_some()
    })
}

fn count(scene: &ArchitectureInput, ecosystem: Ecosystem) -> usize {
    inner(scene, ecosystem).count()
}

fn members(scene: &ArchitectureInput, ecosystem: Ecosystem) -> Option<Clue> {
    listed(inner(scene, ecosystem).map(|package| package.path).collect())
}

/// Two or more paths in one line.
fn listed(mut paths: Vec<&str>) -> Option<Clue> {
    paths.sort_unstable();
    paths.dedup();
    let first = *paths.first()?;
    if paths.len() < 2 {
        return None;
    }
    let shown = paths.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    let rest = paths.len().saturating_sub(3);
    let text = if rest > 0 { format!("{shown} and {rest} more") } else { shown };
    Some(Clue::new(ClueKind::File, first, text))
}

pub(super) fn cargo_workspace(scene: &ArchitectureInput) -> Vec<Clue> {
    let root = scene
        .packages
        .iter()
        .find(|package| package.toml(&["workspace"]).is_some_and(toml::Value::is_table));
    let Some(root) = root else { return Vec::new() };
    let says = Clue::says(ClueKind::Manifest, root.path, "holds [workspace]");
    let inside = scene.packages.iter().filter(|package| {
        package.ecosystem == Ecosystem::Cargo
            && package.file != root.file
            && package.toml(&["package"]).is_some()
    });
    agreeing([Some(says), listed(inside.map(|package| package.path).collect())])
}

pub(super) fn multi_module(scene: &ArchitectureInput) -> Vec<Clue> {
    let maven = scene
        .packages
        .iter()
        .find(|package| package.path.ends_with("pom.xml") && package.text().contains("<module>"));
    let gradle = || {
        let file = scene
            .tree
            .find("settings.gradle")
            .or_else(|| scene.tree.find("settings.gradle.kts"))?;
        scene
            .text(file)
            .lines()
            .any(|line| line.trim_start().starts_with("include"))
            .then(|| scene.path(file))
    };
    let Some(root) = maven.map(|package| package.path).or_else(gradle) else { return Vec::new() };
    let inside = scene
        .packages
        .iter()
        .filter(|package| package.ecosystem == Ecosystem::Jvm && package.path != root);
    agreeing([
        Some(Clue::says(ClueKind::Manifest, root, "names modules")),
        listed(inside.map(|package| package.path).collect()),
    ])
}

pub(super) fn go_layout(scene: &ArchitectureInput) -> Vec<Clue> {
    let module = scene.packages.iter().find(|package| package.ecosystem == Ecosystem::Go);
    let Some(module) = module else { return Vec::new() };
    let found: Vec<String> = ["cmd", "internal", "pkg"]
        .iter()
        .filter_map(|name| scene.child(module.dir, &[name]))
        .collect();
    if found.len() < 2 {
        return Vec::new();
    }
    let folders =
        Clue::new(ClueKind::Folders, &*found[0], format!("{} lie side by side", found.join(", ")));
    with_first([Some(folders), Some(Clue::says(ClueKind::Manifest, module.path, "is a Go module"))])
}

/// Services are built and started apart from each other: each has its own container and its own manifest.
pub(super) fn microservices(scene: &ArchitectureInput) -> Vec<Clue> {
    let mut homes: Vec<&str> = Vec::new();
    for id in scene.product() {
        let path = scene.path(id);
        let folder = folder_of(path);
        let is_container =
            path.rsplit('/').next().is_some_and(|name| name.starts_with("Dockerfile"));
        if is_container
            && !folder.is_empty()
            && scene.packages.iter().any(|package| package.dir == folder)
        {
            homes.push(folder);
        }
    }
    homes.dedup();
    if homes.len() < 3 {
        return Vec::new();
    }
    let compose = scene.named(&["docker-compose.y*", "compose.y*", "skaffold.yaml", "Chart.yaml"]);
    let shown = homes.iter().take(4).copied().collect::<Vec<_>>().join(", ");
    let text =
        format!("{} folders have a Dockerfile and a manifest of their own: {shown}", homes.len());
    let together =
        compose.map(|id| Clue::says(ClueKind::Manifest, scene.path(id), "starts them together"));
    with_first([Some(Clue::new(ClueKind::File, homes[0], text)), together])
}

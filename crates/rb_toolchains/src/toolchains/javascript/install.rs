//! What JavaScript packages need installed: `node_modules`, and how it gets there.

use crate::dependencies::{Dependencies, Install, Installed, Reuse};
use crate::tree::{Tree, join, upward};

use super::manifest::Manifest;

const LOCKFILES: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];

const COPY: Reuse = Reuse::Copy(
    "packages find each other by relative paths, links to workspace members are relative, and equal lockfiles mean equal packages; \
     a link to an absolute place must not be taken over",
);

const UNPLUGGED: Reuse =
    Reuse::Home("Yarn's Plug'n'Play reads archives of its cache by the paths in `.pnp.cjs`");

pub(super) fn has_lockfile(tree: &Tree<'_>, folder: &str) -> bool {
    LOCKFILES.iter().any(|(name, _)| tree.has(&join(folder, name)))
}

/// The manager, and the lockfiles that bind the package: its own, or those of the workspace above it.
pub(super) fn manager(
    tree: &Tree<'_>,
    manifest: &Manifest,
    root: &Manifest,
) -> (&'static str, Vec<String>) {
    let lockfiles = upward(&manifest.folder).find_map(|folder| {
        let here: Vec<(String, &str)> = LOCKFILES
            .iter()
            .map(|&(name, manager)| (join(folder, name), manager))
            .filter(|(path, _)| tree.has(path))
            .collect();
        (!here.is_empty() && (folder == manifest.folder || folder == root.folder)).then_some(here)
    });
    let lockfiles = lockfiles.unwrap_or_default();
    let named = manifest.manager.as_deref().or(root.manager.as_deref());
    let named = named.and_then(|text| {
        ["npm", "pnpm", "yarn", "bun"]
            .into_iter()
            .find(|name| text.starts_with(&format!("{name}@")))
    });
    let from_lock = lockfiles.first().map(|&(_, manager)| manager);
    (named.or(from_lock).unwrap_or("npm"), lockfiles.into_iter().map(|(path, _)| path).collect())
}

/// Yarn from version 2 on: no hooks around scripts, other flags.
pub(super) fn is_berry(tree: &Tree<'_>, root: &Manifest) -> bool {
    let named = root.manager.as_deref().and_then(|text| text.strip_prefix("yarn@"));
    named.map_or_else(
        || tree.has(&join(&root.folder, ".yarnrc.yml")),
        |version| !version.starts_with("1."),
    )
}

pub(super) fn dependencies(
    tree: &Tree<'_>,
    manifest: &Manifest,
    root: &Manifest,
    manager: &str,
    lockfiles: &[String],
) -> Dependencies {
    let unplugged = tree.there(&join(&root.folder, ".pnp.cjs"));
    let wants = !manifest.dependencies.is_empty() || !root.dependencies.is_empty();
    let main = join(&root.folder, "node_modules");
    let own = join(&manifest.folder, "node_modules");
    let mut folders = Vec::new();
    if wants && !unplugged {
        folders.push(Installed { there: tree.there(&main), folder: main });
        // Some managers put a part of it beside each member.
        if manifest.folder != root.folder && tree.there(&own) {
            folders.push(Installed { there: true, folder: own });
        }
    }
    Dependencies {
        folders,
        install: wants.then(|| install(tree, root, manager, !lockfiles.is_empty())),
        reuse: if unplugged { UNPLUGGED } else { COPY },
    }
}

fn install(tree: &Tree<'_>, root: &Manifest, manager: &str, locked: bool) -> Install {
    let line = match (manager, locked) {
        ("pnpm", true) => "pnpm install --frozen-lockfile --ignore-scripts",
        ("pnpm", false) => "pnpm install --ignore-scripts --no-lockfile",
        ("yarn", _) if is_berry(tree, root) => "yarn install --immutable --mode=skip-build",
        ("yarn", true) => "yarn install --frozen-lockfile --ignore-scripts --non-interactive",
        ("yarn", false) => "yarn install --no-lockfile --ignore-scripts --non-interactive",
        ("bun", true) => "bun install --frozen-lockfile --ignore-scripts",
        ("bun", false) => "bun install --no-save --ignore-scripts",
        (_, true) => "npm ci --ignore-scripts --no-audit --no-fund",
        (_, false) => "npm install --ignore-scripts --no-audit --no-fund --no-package-lock",
    };
    Install::of(line, &root.folder, false)
}

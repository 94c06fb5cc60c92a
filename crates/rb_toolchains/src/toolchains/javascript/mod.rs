//! JavaScript and TypeScript: `package.json` with its scripts, for npm, pnpm, yarn and bun.

mod commands;
mod install;
mod manifest;
mod programs;
mod runners;
mod scripts;
mod settings;
mod workspace;

use std::collections::BTreeMap;

use crate::caches::Caches;
use crate::known::{Hints, KnownCommand};
use crate::package::Package;
use crate::shell::Part;
use crate::toolchains::Toolchain;
use crate::tree::{Tree, join, upward};

use commands::{Commands, Context};
use manifest::Manifest;
use workspace::Workspaces;

pub(super) fn detect(tree: &Tree<'_>) -> Vec<Package> {
    let spaces = Workspaces::read(tree);
    let mut all: BTreeMap<String, Commands> = BTreeMap::new();
    for (folder, manifest) in &spaces.manifests {
        let root = spaces.root_of(manifest);
        let (manager, _) = install::manager(tree, manifest, root);
        let path = path(folder);
        let is_member = root.folder != *folder;
        let runs_hooks = manager != "yarn" || !install::is_berry(tree, root);
        let hints = settings::hints(tree, manifest);
        all.insert(
            folder.clone(),
            commands::commands(&Context {
                tree,
                manifest,
                manager,
                runs_hooks,
                is_member,
                path,
                hints,
            }),
        );
    }
    for folder in spaces.manifests.keys() {
        let members: Vec<&String> = spaces.members(folder).collect();
        workspace::settle(tree, folder, &members, &mut all);
    }
    let packages = all.into_iter().map(|(folder, commands)| {
        let manifest = &spaces.manifests[&folder];
        package(tree, manifest, spaces.root_of(manifest), commands)
    });
    packages.collect()
}

fn path(folder: &str) -> Vec<String> {
    upward(folder).map(|at| join(at, "node_modules/.bin")).collect()
}

fn package(tree: &Tree<'_>, manifest: &Manifest, root: &Manifest, commands: Commands) -> Package {
    let (manager, lockfiles) = install::manager(tree, manifest, root);
    Package {
        folder: manifest.folder.clone(),
        name: manifest.name.clone(),
        toolchain: Toolchain::Javascript,
        manager: Some(manager),
        path: path(&manifest.folder),
        dependencies: install::dependencies(tree, manifest, root, manager, &lockfiles),
        commands: commands.all,
        lockfiles,
    }
}

/// A runner or checker, also behind `npx` and its like.
pub(super) fn recognise(part: &Part, hints: &Hints) -> Option<KnownCommand> {
    let part = scripts::direct(part);
    runners::recognise(&part, hints).or_else(|| programs::recognise(&part))
}

/// Whether a line starts the compiler of TypeScript, which checks types whether or not it writes what it compiled.
pub(super) fn is_compiler(part: &Part) -> bool {
    programs::started(&scripts::direct(part)).program() == "tsc"
}

pub(super) fn caches() -> Caches {
    Caches {
        readable: vec![
            ".nvm",
            ".volta",
            ".fnm",
            ".local/share/fnm",
            ".bun/bin",
            ".asdf",
            ".local/share/mise",
            ".local/share/pnpm",
            ".yarn/berry/cache",
            ".cache/node/corepack",
        ],
        settings: vec![],
        env: vec![
            ("npm_config_cache", "{scratch}/npm"),
            ("npm_config_update_notifier", "false"),
            ("npm_config_offline", "true"),
            ("YARN_CACHE_FOLDER", "{scratch}/yarn"),
            ("YARN_ENABLE_NETWORK", "0"),
            ("COREPACK_ENABLE_NETWORK", "0"),
            ("COREPACK_HOME", "{home}/.cache/node/corepack"),
            ("BUN_INSTALL_CACHE_DIR", "{scratch}/bun"),
            ("TURBO_TELEMETRY_DISABLED", "1"),
            ("NX_DAEMON", "false"),
            ("NEXT_TELEMETRY_DISABLED", "1"),
        ],
        links: vec![],
    }
}

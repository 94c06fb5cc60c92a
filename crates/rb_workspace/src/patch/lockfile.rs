//! The lockfiles of package managers, which only their own tools may change.

use rb_core::RepoPath;

const NAMES: [&str; 24] = [
    "bun.lock",
    "bun.lockb",
    "Cargo.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "Gemfile.lock",
    "go.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "Package.resolved",
    "packages.lock.json",
    "paket.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "Podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

/// By file name, at any depth and in any case.
pub fn is_lockfile(path: &RepoPath) -> bool {
    NAMES.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(path.file_name()))
}

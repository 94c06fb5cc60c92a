//! Lockfiles: a change of one is taken only together with a manifest that asks for it.

use rb_core::RepoPath;
use rb_workspace::patch::{FileChange, is_lockfile};

use crate::refusal::{Reason, Refusal};

const MANIFESTS: [&str; 20] = [
    "build.gradle",
    "build.gradle.kts",
    "Cargo.toml",
    "composer.json",
    "deno.json",
    "Directory.Packages.props",
    "flake.nix",
    "Gemfile",
    "go.mod",
    "mix.exs",
    "package.json",
    "Package.swift",
    "paket.dependencies",
    "Pipfile",
    "pixi.toml",
    "pnpm-workspace.yaml",
    "Podfile",
    "pubspec.yaml",
    "pyproject.toml",
    "setup.py",
];

/// Takes out lockfiles that no manifest beside or below them explains.
pub(crate) fn refuse(changes: &mut Vec<FileChange>) -> Vec<Refusal> {
    let manifests: Vec<RepoPath> = changes
        .iter()
        .map(|change| &change.path)
        .filter(|path| is_manifest(path))
        .cloned()
        .collect();
    let is_alone = |path: &RepoPath| {
        let folder = path.ancestors().last();
        let explains =
            |manifest: &RepoPath| folder.as_ref().is_none_or(|folder| manifest.is_within(folder));
        is_lockfile(path) && !manifests.iter().any(explains)
    };
    let alone = changes.extract_if(.., |change| is_alone(&change.path));
    alone.map(|change| Refusal::new(&change.path, Reason::Lockfile)).collect()
}

fn is_manifest(path: &RepoPath) -> bool {
    let name = path.file_name();
    MANIFESTS.iter().any(|known| known.as_bytes() == name)
        || (name.starts_with(b"requirements") && name.ends_with(b".txt"))
        || [b".csproj".as_slice(), b".fsproj"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use rb_workspace::patch::File;

    use super::*;

    #[test]
    fn ag1_a_lockfile_needs_a_manifest_beside_or_below_it() {
        let check = |paths: &[&str], refused: &[&str]| {
            let change = |path: &&str| FileChange {
                path: RepoPath::new(path).unwrap(),
                before: None,
                after: Some(File::regular("")),
            };
            let mut changes: Vec<FileChange> = paths.iter().map(change).collect();
            let found: Vec<String> =
                refuse(&mut changes).into_iter().map(|refusal| refusal.path).collect();
            assert_eq!(found, refused, "{paths:?}");
            assert_eq!(changes.len(), paths.len() - refused.len());
        };
        check(&["src/a.rs", "Cargo.lock"], &["Cargo.lock"]);
        check(&["crates/a/Cargo.toml", "Cargo.lock"], &[]);
        check(&["package.json", "web/package-lock.json"], &["web/package-lock.json"]);
        check(&["web/package.json", "web/package-lock.json"], &[]);
        check(&["requirements-dev.txt", "uv.lock", "a.csproj"], &[]);
    }
}

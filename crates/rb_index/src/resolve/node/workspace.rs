//! Which packages are developed together: `workspaces` of npm, yarn and bun, `pnpm-workspace.yaml`, `lerna.json`,
//! `rush.json`, and the `workspace` of Deno.
//!
//! Of YAML only what a `pnpm-workspace.yaml` needs is read: a list of texts and a flat mapping at the top level.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};
use rustc_hash::FxHashMap;

use super::files::{below, file_name, join, parent};
use super::json::Json;
use crate::tree::{Tree, TreeFile};

#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// Of its root.
    pub(super) folder: String,
    /// In the order of the text: a later pattern decides over an earlier one.
    patterns: Vec<Pattern>,
    /// Versions that count whatever a member declares.
    pub(super) overrides: FxHashMap<Box<str>, Box<str>>,
    /// The packages by name, as places in the list of all packages.
    pub(super) members: FxHashMap<Box<str>, usize>,
}

#[derive(Debug)]
struct Pattern {
    glob: GlobMatcher,
    excludes: bool,
}

/// The workspaces of the tree, sorted by folder. Several manifests in one folder describe one workspace.
pub(super) fn all(tree: &Tree) -> Vec<Workspace> {
    let mut found: BTreeMap<&str, Workspace> = BTreeMap::new();
    for file in &tree.files {
        let Some((patterns, overrides)) = read(file) else { continue };
        let folder = parent(&file.path);
        let workspace = found.entry(folder).or_default();
        folder.clone_into(&mut workspace.folder);
        workspace.patterns.extend(patterns.iter().filter_map(|pattern| Pattern::new(pattern)));
        workspace.overrides.extend(overrides);
    }
    // Overrides alone make no workspace.
    found.into_values().filter(|workspace| !workspace.patterns.is_empty()).collect()
}

impl Workspace {
    /// Is the package in `folder` a member, or the root?
    pub(super) fn takes(&self, folder: &str) -> bool {
        let Some(inner) = below(folder, &self.folder) else { return false };
        let decided = self.patterns.iter().rev().find(|pattern| pattern.glob.is_match(inner));
        inner.is_empty() || decided.is_some_and(|pattern| !pattern.excludes)
    }
}

impl Pattern {
    fn new(text: &str) -> Option<Pattern> {
        let excludes = text.starts_with('!');
        let plain = join("", text.trim_start_matches('!'))?;
        let glob = GlobBuilder::new(&plain).literal_separator(true).build().ok()?;
        Some(Pattern { glob: glob.compile_matcher(), excludes })
    }
}

type Described = (Vec<Box<str>>, Vec<(Box<str>, Box<str>)>);

fn read(file: &TreeFile) -> Option<Described> {
    let text = file.manifest.as_deref()?;
    let name = file_name(&file.path);
    if matches!(name, "pnpm-workspace.yaml" | "pnpm-workspace.yml") {
        return Some(read_yaml(text));
    }
    let patterns_of = |value: &Json| value.texts().map(Box::from).collect();
    match name {
        "package.json" => Some(read_package(&Json::parse(text)?)),
        "lerna.json" => Some((patterns_of(Json::parse(text)?.get("packages")?), Vec::new())),
        "deno.json" | "deno.jsonc" => {
            Some((patterns_of(Json::parse(text)?.get("workspace")?), Vec::new()))
        }
        "rush.json" => {
            let json = Json::parse(text)?;
            let projects = json.get("projects")?.list()?.iter();
            let folders = projects.filter_map(|project| project.get("projectFolder")?.text());
            Some((folders.map(Box::from).collect(), Vec::new()))
        }
        _ => None,
    }
}

fn read_package(json: &Json) -> Described {
    let workspaces = json.get("workspaces");
    let patterns = workspaces.map(|value| value.get("packages").unwrap_or(value));
    let pnpm = json.get("pnpm").and_then(|pnpm| pnpm.get("overrides"));
    let overrides = [json.get("overrides"), json.get("resolutions"), pnpm];
    let overrides = overrides.into_iter().flatten().flat_map(Json::entries);
    (
        patterns.into_iter().flat_map(Json::texts).map(Box::from).collect(),
        overrides
            .filter_map(|(name, version)| Some((name.clone(), version.text()?.into())))
            .collect(),
    )
}

fn read_yaml(text: &str) -> Described {
    let (mut patterns, mut overrides) = (Vec::new(), Vec::new());
    let mut section = "";
    for line in text.lines() {
        let line = without_comment(line);
        let inner = line.trim_start();
        if let Some(item) = inner.strip_prefix("- ") {
            if section == "packages" {
                patterns.push(unquoted(item).into());
            }
            continue;
        }
        let Some((key, value)) =
            inner.split_once(": ").or_else(|| Some((inner.strip_suffix(':')?, "")))
        else {
            continue;
        };
        if inner.len() == line.len() {
            section = unquoted(key);
            let items = value.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
            if section == "packages" {
                let items = items.into_iter().flat_map(|items| items.split(','));
                patterns.extend(items.map(|item| Box::from(unquoted(item))));
            }
        } else if section == "overrides" {
            overrides.push((unquoted(key).into(), unquoted(value).into()));
        }
    }
    (patterns, overrides)
}

fn without_comment(line: &str) -> &str {
    let line = if line.trim_start().starts_with('#') { "" } else { line };
    line.find(" #").map_or(line, |at| &line[..at]).trim_end()
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::read_yaml;

    #[test]
    fn ix3_pnpm_workspace_files_are_read() {
        let text = "# a: b\npackages:\n  # - no\n  - 'packages/*' # yes\n- docs\n  - \"!**/test/**\"\n\noverrides:\n  vite: 'workspace:*'\n  \"@a/b\": link:../b\ncatalog:\n  - x\n  react: ^18\n";
        assert_eq!(
            format!("{:?}", read_yaml(text)),
            r#"(["packages/*", "docs", "!**/test/**"], [("vite", "workspace:*"), ("@a/b", "link:../b")])"#
        );
        assert_eq!(format!("{:?}", read_yaml("packages: ['a', \"b/*\"]").0), r#"["a", "b/*"]"#);
        assert_eq!(format!("{:?}", read_yaml(":\n- \n\t- x\n: :\npackages")), "([], [])");
    }
}

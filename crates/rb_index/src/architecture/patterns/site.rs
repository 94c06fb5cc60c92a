//! What is neither program nor library: sites and infrastructure.

use rb_lang::Language;

use super::library::is_library;
use super::{agreeing, with_first};
use crate::architecture::clue::{Clue, ClueKind};
use crate::architecture::scene::{ArchitectureInput, name_of};
use crate::role::Role;

/// A repository is a site when prose is most of it; a program with a manual is none.
pub(super) fn documentation_site(scene: &ArchitectureInput) -> Vec<Clue> {
    let tools = [
        "mkdocs.yml",
        "docusaurus.config.*",
        "book.toml",
        "conf.py",
        "antora.yml",
        "mint.json",
        "docs.json",
    ];
    let is_tool = |name: &str| {
        tools.iter().any(|tool| {
            tool.strip_suffix('*').map_or(*tool == name, |start| name.starts_with(start))
        })
    };
    let config = scene
        .tree
        .ids()
        .map(|id| scene.path(id))
        .find(|path| is_tool(name_of(path)) || path.contains(".vitepress/config."));
    let (mut prose, mut code) = (0_u32, 0_u32);
    for id in scene.tree.ids().filter(|&id| scene.role(id) != Role::Vendored) {
        match scene.tree.get(id).language {
            Some(Language::Markdown | Language::ReStructuredText) => prose += 1,
            Some(_) if scene.is_code(id) && !name_of(scene.path(id)).contains(".config.") => {
                code += 1;
            }
            _ => {}
        }
    }
    if prose < 10 || prose < code * 5 {
        return Vec::new();
    }
    let config = config.map(|path| Clue::new(ClueKind::Manifest, path, path));
    with_first([
        config,
        Some(Clue::new(
            ClueKind::File,
            "",
            format!("{prose} pages of prose beside {code} files of code"),
        )),
    ])
}

pub(super) fn static_site(scene: &ArchitectureInput) -> Vec<Clue> {
    let generator = scene.mentions(&[
        "gatsby",
        "astro",
        "@11ty/eleventy",
        "jekyll",
        "github-pages",
        "hexo",
        "vuepress",
    ]);
    let config = scene.file(&[
        "astro.config.*",
        "gatsby-config.*",
        "_config.yml",
        ".eleventy.js",
        "eleventy.config.*",
        "hugo.toml",
        "hugo.yaml",
    ]);
    let content = scene
        .folders
        .keys()
        .find(|path| matches!(name_of(path), "_posts" | "_layouts" | "content" | "archetypes"));
    let content = content.map(|path| Clue::new(ClueKind::Folders, *path, format!("{path}/")));
    let is_site = scene.packages.iter().all(|package| !is_library(scene, package));
    if is_site {
        agreeing([
            generator.or_else(|| config.clone().filter(|_| content.is_some())),
            config,
            content,
        ])
    } else {
        Vec::new()
    }
}

pub(super) fn infrastructure(scene: &ArchitectureInput) -> Vec<Clue> {
    let terraform: Vec<&str> = scene
        .product()
        .filter(|&id| scene.tree.get(id).language == Some(Language::Terraform))
        .map(|id| scene.path(id))
        .collect();
    let files = terraform.first().map(|path| {
        Clue::new(
            ClueKind::File,
            *path,
            format!("{} Terraform files such as {path}", terraform.len()),
        )
    });
    let other = scene.file(&[
        "Pulumi.yaml",
        "cdk.json",
        "Chart.yaml",
        "kustomization.yaml",
        "ansible.cfg",
        "terragrunt.hcl",
    ]);
    let folder = scene.folders.keys().find(|path| {
        matches!(
            name_of(path),
            "terraform"
                | "infra"
                | "infrastructure"
                | "modules"
                | "helm"
                | "charts"
                | "k8s"
                | "roles"
                | "playbooks"
        )
    });
    let folder = folder.map(|path| Clue::new(ClueKind::Folders, *path, format!("{path}/")));
    with_first([
        files.or(other),
        folder,
        scene.mentions(&["aws-cdk-lib", "@pulumi/pulumi", "cdktf", "pulumi"]),
    ])
}

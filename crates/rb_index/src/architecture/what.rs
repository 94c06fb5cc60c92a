//! What the repository is, in its own words: from its manifests, else from its README.

use rb_lang::Language;
use serde::{Deserialize, Serialize};

use super::readme;
use super::scene::{ArchitectureInput, depth};
use super::{Family, Finding, Pattern};
use crate::manifests::{About, Package};

/// Texts are foreign: one line each, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct What {
    pub name: Option<String>,
    pub description: Option<String>,
    /// The kinds of product that were found, the surest first.
    pub kinds: Vec<Pattern>,
    pub version: Option<String>,
    pub license: Option<String>,
    /// The one with the most lines in the product.
    pub main_language: Option<Language>,
}

pub(super) fn find(scene: &ArchitectureInput, patterns: &[Finding]) -> What {
    let readme = scene
        .tree
        .ids()
        .find(|&id| depth(scene.path(id)) == 0 && readme::is_readme(scene.path(id)));
    let readme = readme.map_or("", |id| scene.text(id));
    let own = Own::new(scene);
    let products = patterns.iter().filter(|finding| finding.pattern.family() == Family::Product);
    What {
        name: own
            .name()
            .or_else(|| readme::title(readme))
            .or_else(|| own.any(|about| &about.name))
            .or_else(|| cmake_name(scene)),
        description: own
            .first(|about| &about.description)
            .or_else(|| readme::first_sentence(readme))
            .or_else(|| own.any(|about| &about.description)),
        kinds: products.map(|finding| finding.pattern).collect(),
        version: own.version(),
        license: own.any(|about| &about.license).or_else(|| license(scene).map(str::to_owned)),
        main_language: scene.main_language,
    }
}

/// The manifests that speak for the whole.
struct Own<'s, 'a> {
    /// At the root, about the main language.
    first: Vec<&'s Package<'a>>,
    /// All at the root.
    roots: Vec<&'s Package<'a>>,
    /// Below the root: where the root only holds a workspace, this one is the product.
    largest: Option<&'s Package<'a>>,
}

impl<'s, 'a> Own<'s, 'a> {
    fn new(scene: &'s ArchitectureInput<'a>) -> Own<'s, 'a> {
        let roots = || scene.packages.iter().filter(|package| package.dir.is_empty());
        let speaks = |package: &&Package| {
            scene.main_language.is_some_and(|language| package.ecosystem.speaks(language))
        };
        let largest = scene
            .packages
            .iter()
            .filter(|package| !package.dir.is_empty())
            .find(|package| speaks(package));
        Own { first: roots().filter(speaks).collect(), roots: roots().collect(), largest }
    }

    fn first(&self, get: fn(&About) -> &Option<String>) -> Option<String> {
        text(self.first.iter(), get)
    }

    fn any(&self, get: fn(&About) -> &Option<String>) -> Option<String> {
        text(self.first.iter().chain(&self.roots).chain(&self.largest), get)
    }

    /// A root that only holds a workspace is called after how it is stored: then the product's own name is better.
    fn name(&self) -> Option<String> {
        let name = self.first(|about| &about.name).map(|name| short_name(&name))?;
        let Some(bare) = STORED.iter().find_map(|end| name.strip_suffix(end)) else {
            return Some(name);
        };
        let largest =
            self.largest.and_then(|package| package.about.name.as_deref()).map(readme::one_line);
        Some(largest.unwrap_or_else(|| bare.to_owned()))
    }

    /// A workspace that is never published has a version for form's sake.
    fn version(&self) -> Option<String> {
        let real = |about: &About| {
            about.version.clone().filter(|version| version != "0.0.0" && !version.contains("${"))
        };
        self.first
            .iter()
            .chain(&self.largest)
            .find_map(|package| real(&package.about))
            .map(|version| readme::one_line(&version))
    }
}

fn text<'p, 'a: 'p>(
    mut packages: impl Iterator<Item = &'p &'p Package<'a>>,
    get: fn(&About) -> &Option<String>,
) -> Option<String> {
    packages.find_map(|package| {
        get(&package.about).as_deref().map(readme::one_line).filter(|text| !text.is_empty())
    })
}

const STORED: &[&str] = &["-monorepo", "-parent", "-root", "-workspace", "-project", "-repo"];

/// `cli` of `github.com/cli/cli/v2`; other names stay as they are.
fn short_name(name: &str) -> String {
    let is_module =
        name.split('/').next().is_some_and(|host| host.contains('.')) && name.contains('/');
    let is_version =
        |part: &&str| part.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let name = if is_module {
        name.rsplit('/').find(|part| !is_version(part)).unwrap_or(name)
    } else {
        name
    };
    name.to_owned()
}

/// The word in `project(NAME …)`.
fn cmake_name(scene: &ArchitectureInput) -> Option<String> {
    let text = scene.text(scene.tree.find("CMakeLists.txt")?);
    let (_, rest) = text.lines().find_map(|line| line.trim_start().split_once("project("))?;
    let name = rest
        .split([' ', ')', '\t'])
        .next()
        .filter(|name| !name.is_empty() && !name.contains('$'))?;
    Some(readme::one_line(name))
}

pub(super) fn is_license(name: &str) -> bool {
    let stem = name.split(['.', '-']).next().unwrap_or(name);
    ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(stem))
}

/// By the first words of the license at the root.
fn license(scene: &ArchitectureInput) -> Option<&'static str> {
    const LICENSES: &[(&str, &str)] = &[
        ("GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL-3.0"),
        ("GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"),
        ("GNU GENERAL PUBLIC LICENSE\n                       Version 3", "GPL-3.0"),
        ("GNU GENERAL PUBLIC LICENSE\n\t\t       Version 2", "GPL-2.0"),
        ("GNU GENERAL PUBLIC LICENSE", "GPL"),
        ("Apache License", "Apache-2.0"),
        ("Mozilla Public License", "MPL-2.0"),
        ("unencumbered software", "Unlicense"),
        ("ISC License", "ISC"),
        ("Permission is hereby granted, free of charge", "MIT"),
        ("Redistributions of source code", "BSD"),
    ];
    let id = scene.tree.ids().find(|&id| {
        depth(scene.path(id)) == 0 && is_license(scene.path(id)) && !scene.text(id).is_empty()
    })?;
    let text = scene.text(id);
    let start = &text[..text.floor_char_boundary(1500)];
    LICENSES.iter().find(|(words, _)| start.contains(words)).map(|(_, name)| *name)
}

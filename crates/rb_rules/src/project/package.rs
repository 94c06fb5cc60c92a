//! What is true of a package: versions, compiler, router, TypeScript, and the libraries that rules ask for.
//!
//! A package is what the nearest `package.json` speaks for. Everything is read once, from the manifests and configs;
//! nothing is built or run.

use std::collections::BTreeSet;

use rb_index::project::{React, ReactPackage};

use super::configs::{self, Compiler, Formatter};
use super::es;
use super::manifest::Manifest;
use super::optimized;
use super::paths::{ancestors, join};
use super::ts::{Configs, TsFacts};
use super::versions::{Resolved, Source, Versions};
use crate::facts::PackageFacts;
use crate::version::{Version, lower_bound};

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts are independent of each other")]
pub struct Package {
    /// The folder of the manifest; empty for the root.
    pub dir: String,
    pub name: Option<String>,
    pub private: bool,
    /// `None` where there is no React, or where nothing says which; see `has_react`.
    pub react: Option<Resolved>,
    /// The least React that the package says it works with: for what is published, the range of its peers.
    pub react_floor: Option<Version>,
    /// It depends on React, or its files show that it uses the React of a package around it.
    pub has_react: bool,
    pub next: Option<Resolved>,
    pub has_next: bool,
    /// The React Compiler compiles the components, all of them.
    pub compiler: bool,
    /// The folders of Next.js's routers, from the root of the repository.
    pub app_router: Option<String>,
    pub pages_router: Option<String>,
    /// Components are rendered on a server, at least at first.
    pub ssr: bool,
    pub react_native: bool,
    pub ts: Option<TsFacts>,
    /// The least Node that it runs on, by `engines`.
    pub node: Option<Version>,
    pub browserslist: Option<Vec<String>>,
    /// `<style jsx>` is compiled.
    pub styled_jsx: bool,
    /// The libraries for styles in code, sorted.
    pub css_in_js: Vec<&'static str>,
    /// The library that fetches, caches and shares what comes from a server.
    pub query_layer: Option<&'static str>,
    pub eslint_hooks: Option<Resolved>,
    pub formatter: Option<Formatter>,
    optimized: BTreeSet<String>,
    pub(super) dependencies: BTreeSet<Box<str>>,
}

impl Package {
    /// By its own manifest or one around it, for whatever purpose.
    pub fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains(name)
    }

    /// What rules are told of it.
    pub(super) fn facts(&self) -> PackageFacts {
        let version = |resolved: Option<Resolved>| resolved.map(|resolved| resolved.version);
        PackageFacts {
            dir: self.dir.as_str().into(),
            react: self.react_floor,
            uses_react: self.has_react,
            next: version(self.next),
            uses_next: self.has_next,
            compiler: self.compiler,
            app_router: self.app_router.is_some(),
            pages_router: self.pages_router.is_some(),
            ssr: self.ssr,
            react_native: self.react_native,
            strict: self.ts.as_ref().is_some_and(|ts| ts.strict_null_checks),
            es_year: self.es_year(),
            query_layer: self.query_layer.map(Into::into),
            eslint_hooks: version(self.eslint_hooks),
            styled_jsx: self.styled_jsx,
            dependencies: self.dependencies.clone(),
        }
    }

    fn es_year(&self) -> Option<u32> {
        let next = self.next.map(|next| next.version);
        es::year(&es::Targets {
            ts: self.ts.as_ref(),
            node: self.node,
            browsers: self.browserslist.as_deref(),
            is_web: self.has_react,
            by_framework: self.has_next.then(|| es::year_of_next(next)),
        })
    }

    /// Does Next.js see through the barrel behind `specifier`, by itself or because it is told to?
    pub fn is_optimized(&self, specifier: &str) -> bool {
        self.optimized.iter().any(|pattern| optimized::fits(pattern, specifier))
    }

    /// The names that `is_optimized` goes by, sorted; a star stands for the rest of a name.
    pub fn optimized_packages(&self) -> impl Iterator<Item = &str> {
        self.optimized.iter().map(String::as_str)
    }
}

/// What packages are made from.
pub(super) struct Sources<'a> {
    pub(super) versions: &'a Versions,
    pub(super) react: &'a React,
    pub(super) configs: Configs<'a>,
    /// Folder and name of each file that may be a config, sorted.
    pub(super) names: &'a BTreeSet<(&'a str, &'a str)>,
}

const STYLES: &[&str] = &[
    "@emotion/react",
    "@emotion/styled",
    "@linaria/react",
    "@stitches/react",
    "@vanilla-extract/css",
    "goober",
    "styled-components",
    "styled-jsx",
];
/// The first that is there counts: tRPC and the toolkit come with others.
const QUERY_LAYERS: &[&str] = &[
    "@tanstack/react-query",
    "react-query",
    "swr",
    "@apollo/client",
    "urql",
    "@urql/core",
    "@trpc/react-query",
    "@trpc/tanstack-react-query",
    "@reduxjs/toolkit",
];
const SERVER_RENDERING: &[&str] = &[
    "next",
    "@remix-run/react",
    "@remix-run/node",
    "@react-router/dev",
    "@astrojs/react",
    "@tanstack/react-start",
    "@tanstack/start",
    "gatsby",
    "vike",
    "vike-react",
    "waku",
    "@redwoodjs/web",
    "@docusaurus/core",
];

impl Sources<'_> {
    pub(super) fn package(&self, manifest: &Manifest) -> Package {
        let dir = manifest.dir.as_str();
        let visible = || self.versions.manifests.visible(dir);
        let dependencies: BTreeSet<Box<str>> =
            visible().flat_map(|it| it.ranges.keys()).map(|name| name.as_str().into()).collect();
        let depends = |name: &str| dependencies.contains(name);
        let owns = |name: &str| manifest.ranges.contains_key(name);
        let version = |name: &str| self.versions.of(dir, name).filter(|_| depends(name));
        let router = self.react.packages.iter().find(|it| it.dir == dir);
        let (react, next, has_next) = (version("react"), version("next"), owns("next"));
        let typescript = version("typescript").map(|it| it.version);
        Package {
            name: manifest.name().map(str::to_owned),
            private: manifest.is_private(),
            react,
            react_floor: self.floor(manifest, react),
            has_react: owns("react") || has_next,
            next: next.filter(|_| has_next),
            has_next,
            compiler: self.compiler(manifest),
            app_router: router.and_then(|it: &ReactPackage| it.app_router.clone()),
            pages_router: router.and_then(|it| it.pages_router.clone()),
            ssr: SERVER_RENDERING.iter().any(|name| owns(name)),
            react_native: owns("react-native") || owns("expo"),
            ts: self.configs.of(dir, typescript),
            node: visible().find_map(|it| lower_bound(it.doc.get("engines")?.text_at("node")?)),
            browserslist: self.browserslist(dir),
            styled_jsx: has_next || depends("styled-jsx"),
            css_in_js: STYLES.iter().copied().filter(|name| depends(name)).collect(),
            query_layer: QUERY_LAYERS.iter().copied().find(|name| depends(name)),
            eslint_hooks: version("eslint-plugin-react-hooks"),
            formatter: self.formatter(dir),
            optimized: if has_next { self.optimized(dir, next) } else { BTreeSet::new() },
            dir: dir.to_owned(),
            dependencies,
        }
    }

    /// What is not published runs with the React that is there; the rest with whatever its users have.
    fn floor(&self, manifest: &Manifest, react: Option<Resolved>) -> Option<Version> {
        let resolved = react.map(|react| react.version);
        let peer = manifest.peer("react").filter(|_| !manifest.is_private());
        let Some(range) = peer else { return resolved };
        let range = self.versions.manifests.plain_range(&manifest.dir, "react", range)?;
        let least = self.versions.least("react", range);
        match react.map(|react| react.source) {
            Some(Source::Installed | Source::Lockfile) => least.min(resolved),
            Some(Source::Manifest) | None => least,
        }
    }

    /// The configs of a folder, with their texts.
    fn in_folder<'a>(
        &'a self,
        dir: &'a str,
        is_wanted: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        let names = self.names.range((dir, "")..).take_while(move |(folder, _)| *folder == dir);
        let names = names.map(|(_, name)| *name).filter(move |name| is_wanted(name));
        names.filter_map(move |name| (self.configs.text_of)(&join(dir, name)?))
    }

    /// The configs decide. Where they are silent, whoever installs the plugin is taken to use it.
    fn compiler(&self, manifest: &Manifest) -> bool {
        let texts = self.in_folder(&manifest.dir, configs::may_turn_compiler_on);
        let told = texts.map(|text| configs::compiler(&text)).max().unwrap_or(Compiler::Silent);
        match told {
            Compiler::On => true,
            Compiler::Off => false,
            Compiler::Silent => manifest.ranges.contains_key("babel-plugin-react-compiler"),
        }
    }

    fn optimized(&self, dir: &str, next: Option<Resolved>) -> BTreeSet<String> {
        let texts = self.in_folder(dir, |name| name.starts_with("next.config."));
        let told = texts.flat_map(|text| configs::named_for_optimizing(&text));
        let known = optimized::by_default(next.map(|next| next.version)).map(str::to_owned);
        told.chain(known).collect()
    }

    fn browserslist(&self, dir: &str) -> Option<Vec<String>> {
        ancestors(dir).find_map(|folder| {
            let own = self.versions.manifests.all.get(folder);
            let told = own.and_then(|it| it.doc.get("browserslist")).map(|told| {
                // By environment, where it is an object.
                let told = told.get("production").or_else(|| told.get("defaults")).unwrap_or(told);
                told.texts().map(str::to_owned).collect()
            });
            told.or_else(|| {
                let text = self.in_folder(folder, |name| name == ".browserslistrc").next()?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
                Some(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
            })
        })
    }

    /// A config nearer to the package counts for more than a dependency around it.
    fn formatter(&self, dir: &str) -> Option<Formatter> {
        ancestors(dir).find_map(|folder| {
            let names = self.names.range((folder, "")..).take_while(|(it, _)| *it == folder);
            let config = names.map(|(_, name)| *name).find_map(Formatter::of_config);
            config.or_else(|| {
                let manifest = self.versions.manifests.all.get(folder)?;
                if manifest.doc.get("prettier").is_some() {
                    return Some(Formatter::Prettier);
                }
                manifest.ranges.keys().find_map(|name| Formatter::of_package(name))
            })
        })
    }
}

//! Go: an import path is a module of the tree and a folder in it.
//!
//! The files of a package are all that are not tests, on whatever platform they are built. Only modules are known: a
//! tree for `GOPATH`, without `go.mod`, resolves nothing but its `vendor` folder.

use rb_lang::{Import, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Resolution, inside, manifests, paths};
use crate::tree::{FileId, Tree};

pub(super) struct GoResolver<'t> {
    /// The files of each folder that are its package.
    packages: FxHashMap<&'t str, Vec<FileId>>,
    /// Folders of modules by their import path.
    modules: FxHashMap<&'t str, &'t str>,
    /// What each `go.mod` says, by its folder.
    manifests: FxHashMap<&'t str, Manifest<'t>>,
    tree: &'t Tree,
}

#[derive(Default)]
struct Manifest<'t> {
    /// Import paths that are read from a folder of the tree instead.
    replaced: FxHashMap<&'t str, String>,
    required: FxHashSet<&'t str>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "go.mod"
}

impl<'t> GoResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let mut modules = FxHashMap::default();
        let mut by_folder = FxHashMap::default();
        for (folder, text) in manifests(tree, "go.mod") {
            let (module, manifest) = read_manifest(folder, text);
            if let Some(module) = module {
                modules.entry(module).or_insert(folder);
            }
            by_folder.insert(folder, manifest);
        }
        GoResolver { packages: packages(tree), modules, manifests: by_folder, tree }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = &*import.specifier;
        let folder = paths::folder(&self.tree.get(from).path);
        if path.starts_with("./") || path.starts_with("../") {
            let target = paths::join(folder, path);
            return target.and_then(|target| self.package(&target)).unwrap_or(Resolution::Unresolved);
        }
        let own = paths::folders_up(folder).find_map(|folder| self.manifests.get_key_value(folder));
        let manifest = own.map(|(_, manifest)| manifest);
        if let Some((module, inside)) = self.in_modules(path, manifest) {
            let required = manifest.and_then(|manifest| manifest.module_of(path));
            return match (inside, required) {
                (Some(inside), _) => inside,
                // A module inside another one's path, not in this tree: `a/b/v2`, `a/b/api`.
                (None, Some(required)) if required.len() > module.len() => {
                    Resolution::External(required.into())
                }
                (None, _) => Resolution::Unresolved,
            };
        }
        if let Some(vendored) = self.vendored(folder, path) {
            return vendored;
        }
        let first = path.split('/').next().unwrap_or_default();
        if !first.contains('.') {
            return Resolution::Builtin;
        }
        let required = manifest.and_then(|manifest| manifest.module_of(path));
        Resolution::External(required.unwrap_or_else(|| usual_module(path)).into())
    }

    /// The module that the path lies in by its name, longest first, and the package there.
    fn in_modules<'p>(
        &self,
        path: &'p str,
        manifest: Option<&Manifest<'t>>,
    ) -> Option<(&'p str, Option<Resolution>)> {
        paths::folders_up(path).filter(|module| !module.is_empty()).find_map(|module| {
            let replaced = manifest.and_then(|manifest| manifest.replaced.get(module));
            let folder =
                replaced.map(String::as_str).or_else(|| self.modules.get(module).copied())?;
            let below = paths::strip(path, module).unwrap_or_default();
            Some((module, self.package(&paths::join(folder, below)?)))
        })
    }

    fn vendored(&self, folder: &str, path: &str) -> Option<Resolution> {
        paths::folders_up(folder)
            .find_map(|folder| self.package(&paths::below(&paths::below(folder, "vendor"), path)))
    }

    fn package(&self, folder: &str) -> Option<Resolution> {
        inside(self.packages.get(folder)?.iter().copied())
    }
}

impl<'t> Manifest<'t> {
    /// The required module that a path lies in.
    fn module_of(&self, path: &str) -> Option<&'t str> {
        paths::folders_up(path).find_map(|module| self.required.get(module).copied())
    }
}

/// For each folder the files of the package that most of its files belong to. Go allows one package in a folder; others
/// are programs that are run by hand (`//go:build ignore`).
fn packages(tree: &Tree) -> FxHashMap<&str, Vec<FileId>> {
    let mut folders: FxHashMap<&str, FxHashMap<&str, Vec<FileId>>> = FxHashMap::default();
    for id in tree.ids() {
        let file = tree.get(id);
        if file.language == Some(Language::Go) && !file.path.ends_with("_test.go") {
            let package = file.package.as_deref().unwrap_or_default();
            let folder = folders.entry(paths::folder(&file.path)).or_default();
            folder.entry(package).or_default().push(id);
        }
    }
    let majority = |(folder, packages): (_, FxHashMap<&str, Vec<FileId>>)| {
        let most = packages.into_iter().max_by_key(|(name, files)| {
            (files.len(), *name != "main", *name == paths::name(folder), std::cmp::Reverse(*name))
        });
        most.map(|(_, files)| (folder, files))
    };
    folders.into_iter().filter_map(majority).collect()
}

/// The module's name, and the rest. Comments and blocks are understood, nothing else is.
fn read_manifest<'t>(folder: &str, text: &'t str) -> (Option<&'t str>, Manifest<'t>) {
    let mut module = None;
    let mut manifest = Manifest::default();
    let mut block = "";
    for line in text.lines() {
        let line = line.split_once("//").map_or(line, |(code, _)| code);
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '`'])).peekable();
        let Some(&first) = words.peek() else { continue };
        let verb = if block.is_empty() {
            words.next();
            first
        } else {
            block
        };
        match (first, words.peek()) {
            (")", _) => block = "",
            (_, Some(&"(")) if block.is_empty() => block = verb,
            _ => manifest.add(folder, verb, words, &mut module),
        }
    }
    (module, manifest)
}

impl<'t> Manifest<'t> {
    fn add(
        &mut self,
        folder: &str,
        verb: &str,
        mut words: impl Iterator<Item = &'t str>,
        module: &mut Option<&'t str>,
    ) {
        let Some(name) = words.next() else { return };
        match verb {
            "module" => *module = Some(name),
            "require" => {
                self.required.insert(name);
            },
            "replace" => {
                let target = words.skip_while(|word| *word != "=>").nth(1);
                let target = target.filter(|target| target.starts_with('.'));
                if let Some(target) = target.and_then(|target| paths::join(folder, target)) {
                    self.replaced.insert(name, target);
                }
            }
            _ => {}
        }
    }
}

/// The module that a path most likely lies in, where nothing requires it.
fn usual_module(path: &str) -> &str {
    let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let host = path.split('/').next().unwrap_or_default();
    let parts = match host {
        "github.com" | "gitlab.com" | "bitbucket.org" | "golang.org" | "codeberg.org" => 3,
        _ => 2,
    };
    let end = ends.by_ref().nth(parts - 1).unwrap_or(path.len());
    let version = ends.next().filter(|&next| {
        let part = path[end..next].trim_start_matches('/');
        let number = part.strip_prefix('v').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    &path[..version.unwrap_or(end)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- go.mod
module github.com/shop/app // the app

require (
\tgithub.com/shop/app/api v1.2.0
\tgo.opentelemetry.io/otel/trace v1.0.0 // indirect
\t\"example.com/quoted\" v1.0.0
)
require gopkg.in/yaml.v3 v3.0.1
replace github.com/other/lib => ./third/lib
replace (
\tgithub.com/far/away v1.0.0 => github.com/fork/away v1.0.1
)
//- main.go package main
//- cart/cart.go package cart
//- cart/cart_linux.go package cart
//- cart/cart_test.go package cart_test
//- cart/gen.go package main
//- internal/db/db.go package db
//- only/only_test.go package only
//- third/lib/lib.go package lib
//- third/lib/sub/sub.go package sub
//- vendor/github.com/far/vendored/v.go package vendored
//- tools/go.mod
module tools
//- tools/gen/gen.go package main
//- tools/kit/kit.go package kit
";

    #[test]
    fn ix3_go() {
        check(
            TREE,
            "
            main.go: github.com/shop/app/cart *
            main.go: github.com/shop/app *
            cart/cart_test.go: github.com/shop/app/internal/db db
            main.go: github.com/shop/app/missing *
            main.go: github.com/shop/app/only *
            main.go: github.com/shop/app/api/v1 *
            main.go: github.com/shop/application *
            main.go: github.com/other/lib *
            main.go: github.com/other/lib/sub *
            main.go: github.com/far/vendored *
            main.go: github.com/far/away/x *
            main.go: github.com/far/away/v2/x *
            main.go: go.opentelemetry.io/otel/trace/noop *
            main.go: example.com/quoted/a/b *
            main.go: gopkg.in/yaml.v3 *
            main.go: golang.org/x/text/language *
            main.go: k8s.io/api/core/v1 *
            main.go: tools/kit *
            tools/gen/gen.go: tools/kit *
            tools/gen/gen.go: github.com/shop/app/cart *
            main.go: net/http *
            main.go: C *
            main.go: ./cart *
            main.go: ../up *
            ",
            &expect![[r#"
                main.go: github.com/shop/app/cart * -> cart/cart.go cart/cart_linux.go
                main.go: github.com/shop/app * -> main.go
                cart/cart_test.go: github.com/shop/app/internal/db db -> internal/db/db.go
                main.go: github.com/shop/app/missing * -> UNRESOLVED
                main.go: github.com/shop/app/only * -> UNRESOLVED
                main.go: github.com/shop/app/api/v1 * -> external github.com/shop/app/api
                main.go: github.com/shop/application * -> external github.com/shop/application
                main.go: github.com/other/lib * -> third/lib/lib.go
                main.go: github.com/other/lib/sub * -> third/lib/sub/sub.go
                main.go: github.com/far/vendored * -> vendor/github.com/far/vendored/v.go
                main.go: github.com/far/away/x * -> external github.com/far/away
                main.go: github.com/far/away/v2/x * -> external github.com/far/away/v2
                main.go: go.opentelemetry.io/otel/trace/noop * -> external go.opentelemetry.io/otel/trace
                main.go: example.com/quoted/a/b * -> external example.com/quoted
                main.go: gopkg.in/yaml.v3 * -> external gopkg.in/yaml.v3
                main.go: golang.org/x/text/language * -> external golang.org/x/text
                main.go: k8s.io/api/core/v1 * -> external k8s.io/api
                main.go: tools/kit * -> tools/kit/kit.go
                tools/gen/gen.go: tools/kit * -> tools/kit/kit.go
                tools/gen/gen.go: github.com/shop/app/cart * -> cart/cart.go cart/cart_linux.go
                main.go: net/http * -> builtin
                main.go: C * -> builtin
                main.go: ./cart * -> cart/cart.go cart/cart_linux.go
                main.go: ../up * -> UNRESOLVED
            "#]],
        );
    }

    #[test]
    fn ix3_go_hostile_manifests() {
        check(
            "
//- go.mod
module
require (
replace => => ./a
replace x => ../../..
//- a/go.mod
module a
//- b/go.mod
)
replace a => ./b
module b (
//- b/x.go package b
//- a/x.go package a
",
            "
            a/x.go: a *
            a/x.go: a/ *
            a/x.go: x *
            b/x.go: b *
            b/x.go: a *
            b/x.go: '' *
            b/x.go: / *
            b/x.go: ./.. *
            ",
            &expect![[r#"
                a/x.go: a * -> a/x.go
                a/x.go: a/ * -> a/x.go
                a/x.go: x * -> builtin
                b/x.go: b * -> b/x.go
                b/x.go: a * -> UNRESOLVED
                b/x.go: '' * -> UNRESOLVED
                b/x.go: / * -> builtin
                b/x.go: ./.. * -> UNRESOLVED
            "#]],
        );
    }
}

//! PHP: classes by Composer's autoload rules, else by the namespaces that files declare; `require` by path.

use rb_lang::{Import, ImportKind, Language};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::packages::Packages;
use super::{Resolution, found, inside, manifests, paths, single_names};
use crate::tree::{FileId, Tree};

pub(super) struct PhpResolver<'t> {
    tree: &'t Tree,
    packages: Packages<'t>,
    /// Folders by namespace; the rest of a class name is the path below.
    psr4: FxHashMap<String, Vec<String>>,
    /// Folders by the start of a class name; the whole of it is the path below.
    psr0: Vec<(String, Vec<String>)>,
    /// What Composer is asked to install, sorted.
    required: Vec<String>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "composer.json"
}

impl<'t> PhpResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let mut resolver = PhpResolver {
            tree,
            packages: Packages::new(tree, &[Language::Php]),
            psr4: FxHashMap::default(),
            psr0: Vec::new(),
            required: Vec::new(),
        };
        for (folder, text) in manifests(tree, "composer.json") {
            resolver.read(folder, &serde_json::from_str(text).unwrap_or_default());
        }
        resolver.required.sort_unstable();
        resolver.required.dedup();
        resolver
    }

    fn read(&mut self, folder: &str, manifest: &Value) {
        for autoload in ["autoload", "autoload-dev"].map(|key| &manifest[key]) {
            for (namespace, value) in autoload["psr-4"].as_object().into_iter().flatten() {
                let namespace = namespace.trim_end_matches('\\').to_owned();
                self.psr4.entry(namespace).or_default().extend(folders_in(folder, value));
            }
            for (prefix, value) in autoload["psr-0"].as_object().into_iter().flatten() {
                self.psr0.push((prefix.clone(), folders_in(folder, value).collect()));
            }
        }
        for required in ["require", "require-dev"].map(|key| manifest[key].as_object()) {
            self.required.extend(required.into_iter().flatten().map(|(name, _)| name.clone()));
        }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let path = &*import.specifier;
        if import.kind == ImportKind::Include {
            return self.included(from, path);
        }
        let namespace = path.trim_matches('\\');
        let mut files = Vec::new();
        for name in &import.names {
            files.extend(self.name(namespace, &name.name));
        }
        if import.names.is_empty() {
            files.extend(self.name(namespace, "*"));
        }
        inside(files).unwrap_or_else(|| self.outside(namespace, import))
    }

    fn included(&self, from: FileId, path: &str) -> Resolution {
        let folder = paths::folder(&self.tree.get(from).path);
        let path = path.trim_start_matches('/');
        let folders = paths::folders_up(folder);
        found(folders.filter_map(|folder| paths::join(folder, path)).find_map(|path| self.tree.find(&path)))
    }

    fn name(&self, namespace: &str, name: &str) -> Vec<FileId> {
        if name == "*" {
            return self.packages.files(namespace).to_vec();
        }
        let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}\\{name}") };
        if let Some(file) = self.autoloaded(&full) {
            return vec![file];
        }
        let named = self.packages.named(namespace, name);
        if !named.is_empty() {
            return named.to_vec();
        }
        // A namespace can be imported too, and functions are in files of any name.
        let whole = self.packages.files(&full);
        let whole = if whole.is_empty() && !namespace.is_empty() && !is_class(name) {
            self.packages.files(namespace)
        } else {
            whole
        };
        whole.to_vec()
    }

    /// By the rule with the longest namespace.
    fn autoloaded(&self, class: &str) -> Option<FileId> {
        let by_psr4 = namespaces(class).find_map(|namespace| {
            let rest = class.get(namespace.len()..).unwrap_or_default();
            self.class_file(self.psr4.get(namespace)?, rest.replace('\\', "/").trim_start_matches('/'))
        });
        by_psr4.or_else(|| {
            let (namespace, name) = class.rsplit_once('\\').unwrap_or(("", class));
            let folder = namespace.replace('\\', "/");
            let path = paths::below(&folder, &name.replace('_', "/"));
            let rules = self.psr0.iter().filter(|(prefix, _)| class.starts_with(&**prefix));
            rules.into_iter().find_map(|(_, folders)| self.class_file(folders, &path))
        })
    }

    fn class_file(&self, folders: &[String], path: &str) -> Option<FileId> {
        folders.iter().find_map(|folder| self.tree.find(&paths::below(folder, &format!("{path}.php"))))
    }

    fn outside(&self, namespace: &str, import: &Import) -> Resolution {
        if namespace.is_empty() {
            return Resolution::Builtin;
        }
        let parts = namespace.split('\\').chain(single_names(import));
        let parts: Vec<String> = parts.map(plain).collect();
        if let Some(package) = self.package(&parts) {
            return Resolution::External(package.into());
        }
        let own = namespaces(namespace)
            .filter(|path| !path.is_empty())
            .any(|path| self.psr4.contains_key(path));
        if own || !self.packages.files(namespace).is_empty() {
            return Resolution::Unresolved;
        }
        Resolution::External(namespace.split('\\').next().unwrap_or_default().into())
    }

    /// The required package that is called like the namespace: `Symfony\Component\HttpKernel` is in
    /// `symfony/http-kernel`, `Psr\Http\Message` in `psr/http-message`, `FastRoute` in `nikic/fast-route`.
    fn package(&self, parts: &[String]) -> Option<&str> {
        let (vendor, rest) = parts.split_first()?;
        let packages = self.required.iter().filter_map(|package| {
            let (owner, name) = package.split_once('/')?;
            Some((package, plain(owner), plain(name)))
        });
        let mut called = packages.filter(|(_, owner, name)| {
            let alike = |part: &String| part == name || name.strip_suffix('s') == Some(part);
            let joined = || {
                rest.iter().scan(String::new(), |path, part| {
                    path.push_str(part);
                    Some(path.clone())
                })
            };
            if owner == vendor {
                rest.iter().any(alike) || joined().any(|path| alike(&path)) || name == vendor
            } else {
                name == vendor
            }
        });
        called.next().map(|(package, ..)| &**package)
    }
}

/// The folders of an autoload rule: one, or a list of them.
fn folders_in(folder: &str, value: &Value) -> impl Iterator<Item = String> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    let all = value.as_str().into_iter().chain(list.iter().filter_map(Value::as_str));
    all.filter_map(move |relative| paths::join(folder, relative))
}

/// A class or namespace and all around it, the global one last.
fn namespaces(class: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(class), |path| {
        let outer = path.rsplit_once('\\').map_or("", |(outer, _)| outer);
        (!path.is_empty()).then_some(outer)
    })
}

/// Without what differs between `HttpKernel` and `http-kernel`.
fn plain(name: &str) -> String {
    name.replace(['-', '_'], "").to_lowercase()
}

fn is_class(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = r#"
//- composer.json
{
  "autoload": {
    "psr-4": { "Shop\\": "src/", "Shop\\Extra\\": ["extra", "more"] },
    "psr-0": { "Old_": "legacy" },
    "classmap": ["classes"],
    "files": ["src/functions.php"]
  },
  "autoload-dev": { "psr-4": { "Shop\\Tests\\": "tests" } },
  "require": { "php": ">=8", "symfony/http-kernel": "*", "symfony/console": "*", "monolog/monolog": "3",
    "psr/http-message": "1", "nikic/fast-route": "1", "shop/promises": "2" }
}
//- src/Cart.php package Shop
//- src/Model/Item.php package Shop\Model
//- src/functions.php package Shop
//- more/Thing.php package Shop\Extra
//- legacy/Old/Thing.php
//- classes/Mapped.php package Elsewhere
//- classes/Bare.php
//- tests/CartTest.php package Shop\Tests
//- packages/kit/composer.json
{ "autoload": { "psr-4": { "Kit\\": "" } } }
//- packages/kit/Tool.php package Kit
//- public/index.php
"#;

    #[test]
    fn ix3_php() {
        check(
            TREE,
            r"
            tests/CartTest.php: Shop Cart
            tests/CartTest.php: Shop\Model Item
            tests/CartTest.php: Shop Model
            tests/CartTest.php: Shop\Extra Thing
            tests/CartTest.php: Shop helper
            tests/CartTest.php: Shop\Tests CartTest
            tests/CartTest.php: Shop\Missing Cart
            tests/CartTest.php: '' Old_Thing
            tests/CartTest.php: Elsewhere Mapped
            tests/CartTest.php: '' Bare
            tests/CartTest.php: '' DateTime
            tests/CartTest.php: Kit Tool
            tests/CartTest.php: Symfony\Component\HttpKernel Kernel
            tests/CartTest.php: Symfony\Contracts X
            tests/CartTest.php: Monolog Logger
            tests/CartTest.php: Psr\Http\Message RequestInterface
            tests/CartTest.php: FastRoute Dispatcher
            tests/CartTest.php: Shop\Promise Promise
            tests/CartTest.php: PHPUnit\Framework TestCase
            public/index.php: Include ../src/Cart.php
            public/index.php: Include ./missing.php
            public/index.php: Include src/Cart.php
            public/index.php: Include /../src/Cart.php
            ",
            &expect![[r#"
                tests/CartTest.php: Shop Cart -> src/Cart.php
                tests/CartTest.php: Shop\Model Item -> src/Model/Item.php
                tests/CartTest.php: Shop Model -> src/Model/Item.php
                tests/CartTest.php: Shop\Extra Thing -> more/Thing.php
                tests/CartTest.php: Shop helper -> src/Cart.php src/functions.php
                tests/CartTest.php: Shop\Tests CartTest -> tests/CartTest.php
                tests/CartTest.php: Shop\Missing Cart -> UNRESOLVED
                tests/CartTest.php: '' Old_Thing -> legacy/Old/Thing.php
                tests/CartTest.php: Elsewhere Mapped -> classes/Mapped.php
                tests/CartTest.php: '' Bare -> classes/Bare.php
                tests/CartTest.php: '' DateTime -> builtin
                tests/CartTest.php: Kit Tool -> packages/kit/Tool.php
                tests/CartTest.php: Symfony\Component\HttpKernel Kernel -> external symfony/http-kernel
                tests/CartTest.php: Symfony\Contracts X -> external Symfony
                tests/CartTest.php: Monolog Logger -> external monolog/monolog
                tests/CartTest.php: Psr\Http\Message RequestInterface -> external psr/http-message
                tests/CartTest.php: FastRoute Dispatcher -> external nikic/fast-route
                tests/CartTest.php: Shop\Promise Promise -> external shop/promises
                tests/CartTest.php: PHPUnit\Framework TestCase -> external PHPUnit
                public/index.php: Include ../src/Cart.php -> src/Cart.php
                public/index.php: Include ./missing.php -> UNRESOLVED
                public/index.php: Include src/Cart.php -> src/Cart.php
                public/index.php: Include /../src/Cart.php -> src/Cart.php
            "#]],
        );
    }

    #[test]
    fn ix3_php_hostile_manifests() {
        check(
            r#"
//- composer.json
{
//- a/composer.json
[1, 2]
//- b/composer.json
{ "autoload": { "psr-4": [1], "psr-0": { "X": 3, "\\": ["../../..", "/etc"] } }, "require": 1 }
//- b/X.php
"#,
            r"
            b/X.php: X Y
            b/X.php: \\\ \
            b/X.php: ''
            ",
            &expect![[r#"
                b/X.php: X Y -> external X
                b/X.php: \\\ \ -> builtin
                b/X.php: '' -> UNRESOLVED
            "#]],
        );
    }
}

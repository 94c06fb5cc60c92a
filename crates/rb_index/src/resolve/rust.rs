//! Rust: the modules of a crate by its files, and the crates of the tree by their manifests.
//!
//! A path is followed as far as there are module files; what is left of it names items or inline modules in the last of
//! them. Which `mod` lines exist is not known here, so a file that no `mod` line reaches is a module like any other.

mod crates;

use rb_lang::{Import, ImportKind};

use self::crates::{Crates, Dependency};
use super::{Resolution, found, inside, paths, single_names};
use crate::tree::{FileId, Tree};

pub(super) struct RustResolver<'t> {
    tree: &'t Tree,
    crates: Crates<'t>,
}

pub(super) fn is_manifest(name: &str) -> bool {
    name == "Cargo.toml"
}

/// A place in a module tree: a file and the folder where its child modules are.
struct Module {
    file: FileId,
    folder: String,
}

impl<'t> RustResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        RustResolver { tree, crates: Crates::new(tree) }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        match import.kind {
            ImportKind::Module => found(self.declared(from, &import.specifier)),
            ImportKind::Include => found(self.included(from, &import.specifier)),
            _ => self.used(from, import),
        }
    }

    /// `mod a;`, or `mod a;` inside `mod outer { … }` as `outer::a`.
    fn declared(&self, from: FileId, path: &str) -> Option<FileId> {
        let below = path.replace("r#", "").replace("::", "/");
        let own = self.own_module(from).folder;
        // A file that is taken in by `#[path]` has its child modules beside it.
        let beside = paths::folder(&self.tree.get(from).path);
        [&*own, beside]
            .into_iter()
            .find_map(|folder| self.module_file(&paths::join(folder, &below)?))
    }

    /// `#[path = "…"] mod a;`.
    fn included(&self, from: FileId, path: &str) -> Option<FileId> {
        let beside = paths::folder(&self.tree.get(from).path);
        let own = self.own_module(from).folder;
        [beside, &*own]
            .into_iter()
            .find_map(|folder| self.tree.find(&paths::join(folder, path)?))
    }

    fn used(&self, from: FileId, import: &Import) -> Resolution {
        let name = single_names(import).filter(|name| *name != "self");
        let path: Vec<&str> = import
            .specifier
            .split("::")
            .chain(name)
            .map(|part| part.trim_start_matches("r#"))
            .filter(|part| !part.is_empty())
            .collect();
        let Some((&first, rest)) = path.split_first() else { return Resolution::Unresolved };
        match first {
            "crate" | "$crate" => inside([self.follow(self.crate_root(from), rest)]),
            "self" | "super" => inside(self.near(from, &path)),
            _ => Some(self.by_first_name(from, import.specifier.starts_with("::"), first, rest)),
        }
        .unwrap_or(Resolution::Unresolved)
    }

    /// `self::…`, `super::…` and their mixtures.
    fn near(&self, from: FileId, mut path: &[&str]) -> Option<FileId> {
        let mut module = self.own_module(from);
        while let Some((first, rest)) = path.split_first() {
            match *first {
                "self" => {}
                "super" => module = self.parent(&module)?,
                _ => break,
            }
            path = rest;
        }
        Some(self.follow(module, path))
    }

    /// A path that begins with a name: a crate, a child module, or something declared in the file itself.
    fn by_first_name(&self, from: FileId, global: bool, first: &str, rest: &[&str]) -> Resolution {
        let folder = paths::folder(&self.tree.get(from).path);
        let package = self.crates.package_of(folder, self.root(from));
        match package.and_then(|package| package.dependencies.get(first)) {
            Some(Dependency::Inside(root)) => return self.in_crate(*root, rest),
            Some(Dependency::Elsewhere(name)) => return Resolution::External(name.clone()),
            None => {}
        }
        let own = self.own_module(from);
        if !global && self.module_file(&paths::below(&own.folder, first)).is_some() {
            return found(Some(self.below(own, first, rest)));
        }
        if let Some(library) = package.and_then(|package| package.library_called(first)) {
            return self.in_crate(library, rest);
        }
        if matches!(first, "std" | "core" | "alloc" | "proc_macro" | "test") {
            return Resolution::Builtin;
        }
        // The paths of edition 2015 begin at the root of the crate.
        let root = self.crate_root(from);
        if self.module_file(&paths::below(&root.folder, first)).is_some() {
            return found(Some(self.below(root, first, rest)));
        }
        match self.crates.library(first) {
            Some(library) => self.in_crate(library, rest),
            // Cargo knows no such crate, so it is an enum, an inline module or an earlier import of this file.
            None if package.is_some() => found(Some(from)),
            None => Resolution::External(first.into()),
        }
    }

    fn in_crate(&self, root: FileId, path: &[&str]) -> Resolution {
        let folder = paths::folder(&self.tree.get(root).path).to_owned();
        found(Some(self.follow(Module { file: root, folder }, path)))
    }

    fn below(&self, module: Module, first: &str, rest: &[&str]) -> FileId {
        let path: Vec<&str> = [first].iter().chain(rest).copied().collect();
        self.follow(module, &path)
    }

    /// The last module file on the path.
    fn follow(&self, module: Module, path: &[&str]) -> FileId {
        let Module { mut file, mut folder } = module;
        for part in path {
            folder = paths::below(&folder, part);
            match self.module_file(&folder) {
                Some(child) => file = child,
                // An inline module has a folder but no file.
                None if paths::has_folder(self.tree, &folder) => {}
                None => break,
            }
        }
        file
    }

    fn module_file(&self, path: &str) -> Option<FileId> {
        let file = self.tree.find(&format!("{path}.rs"));
        file.or_else(|| self.tree.find(&paths::below(path, "mod.rs")))
    }

    fn own_module(&self, from: FileId) -> Module {
        let path = &self.tree.get(from).path;
        let folder = paths::folder(path);
        let folder = if self.crates.is_root(from) || paths::name(path) == "mod.rs" {
            folder.to_owned()
        } else {
            paths::below(folder, paths::stem(path))
        };
        Module { file: from, folder }
    }

    fn parent(&self, module: &Module) -> Option<Module> {
        if module.folder.is_empty() || self.crates.is_root(module.file) {
            return None;
        }
        let folder = paths::folder(&module.folder);
        let file = self.crates.root_of(folder);
        let file = file.or_else(|| self.tree.find(&paths::below(folder, "mod.rs")));
        let file = file.or_else(|| self.tree.find(&format!("{folder}.rs")))?;
        Some(Module { file, folder: folder.to_owned() })
    }

    /// The root file of the crate that a file belongs to.
    fn root(&self, from: FileId) -> Option<FileId> {
        if self.crates.is_root(from) {
            return Some(from);
        }
        let folder = paths::folder(&self.tree.get(from).path);
        paths::folders_up(folder).find_map(|folder| self.crates.root_of(folder))
    }

    /// A file outside of all crates is taken for one of its own.
    fn crate_root(&self, from: FileId) -> Module {
        let file = self.root(from).unwrap_or(from);
        Module { file, folder: paths::folder(&self.tree.get(file).path).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    const TREE: &str = "
//- Cargo.toml
[workspace]
members = ['crates/*']
[workspace.dependencies]
shared-kit = { path = 'crates/kit' }
[workspace.package]
version = '1.0.0'
[package]
name = 'the-tool'
autotests = false
[[bin]]
name = 'tool'
path = 'crates/core/main.rs'
[[test]]
name = 'integration'
path = 'tests/tests.rs'
[dependencies]
shared-kit = { workspace = true }
short = { path = 'crates/long', package = 'long-name' }
serde = { version = '1', features = ['derive'] }
toml9 = { version = '0.9', package = 'toml' }
gone = { path = '../outside' }
patched = '1'
[target.'cfg(unix)'.dependencies]
libc = '0.2'
[patch.crates-io]
patched = { path = 'crates/patched' }
//- build.rs
//- crates/core/main.rs
//- crates/core/args.rs
//- crates/core/flags/mod.rs
//- crates/core/flags/hi.rs
//- crates/core/flags/lo.rs
//- crates/core/libc.rs
//- tests/tests.rs
//- tests/util.rs
//- crates/kit/Cargo.toml
[package]
name = 'shared-kit'
[lib]
name = 'kit'
path = 'library/root.rs'
[dev-dependencies]
long-name = { path = '../long' }
//- crates/kit/library/root.rs
//- crates/kit/library/a.rs
//- crates/kit/library/a/b.rs
//- crates/kit/tests/one.rs
//- crates/kit/tests/common/mod.rs
//- crates/kit/tests/common/more.rs
//- crates/kit/examples/serde.rs
//- crates/long/Cargo.toml
[package]
name = 'long-name'
//- crates/long/src/lib.rs
//- crates/long/src/main.rs
//- crates/long/src/bin/extra.rs
//- crates/long/src/bin/other/main.rs
//- crates/long/src/bin/other/part.rs
//- crates/long/src/model.rs
//- crates/long/src/outer/inner.rs
//- crates/long/src/odd/taken.rs
//- crates/patched/Cargo.toml
package = { name = 'patched' }
//- crates/patched/src/lib.rs
//- crates/patched/src/deep/mod.rs
//- loose.rs
";

    #[test]
    fn ix3_rust_modules() {
        check(
            TREE,
            "
            crates/core/main.rs: Module args
            crates/core/main.rs: Module flags
            crates/core/flags/mod.rs: Module hi
            crates/core/flags/hi.rs: Module nothing
            crates/kit/library/a.rs: Module b
            crates/long/src/lib.rs: Module outer::inner
            crates/long/src/lib.rs: Include odd/taken.rs
            crates/long/src/lib.rs: Include odd/missing.rs
            crates/long/src/bin/other/main.rs: Module part
            crates/kit/tests/one.rs: Module common
            crates/kit/tests/common/mod.rs: Module more
            tests/tests.rs: Module util
            ",
            &expect![[r#"
                crates/core/main.rs: Module args -> crates/core/args.rs
                crates/core/main.rs: Module flags -> crates/core/flags/mod.rs
                crates/core/flags/mod.rs: Module hi -> crates/core/flags/hi.rs
                crates/core/flags/hi.rs: Module nothing -> UNRESOLVED
                crates/kit/library/a.rs: Module b -> crates/kit/library/a/b.rs
                crates/long/src/lib.rs: Module outer::inner -> crates/long/src/outer/inner.rs
                crates/long/src/lib.rs: Include odd/taken.rs -> crates/long/src/odd/taken.rs
                crates/long/src/lib.rs: Include odd/missing.rs -> UNRESOLVED
                crates/long/src/bin/other/main.rs: Module part -> crates/long/src/bin/other/part.rs
                crates/kit/tests/one.rs: Module common -> crates/kit/tests/common/mod.rs
                crates/kit/tests/common/mod.rs: Module more -> crates/kit/tests/common/more.rs
                tests/tests.rs: Module util -> tests/util.rs
            "#]],
        );
    }

    #[test]
    fn ix3_rust_paths_in_a_crate() {
        check(
            TREE,
            "
            crates/core/args.rs: crate Thing
            crates/core/args.rs: crate::flags hi
            crates/core/args.rs: crate::flags::hi Args
            crates/core/flags/hi.rs: super lo
            crates/core/flags/hi.rs: super::lo *
            crates/core/flags/hi.rs: super Flag
            crates/core/flags/hi.rs: super::super args
            crates/core/flags/hi.rs: super::super::super x
            crates/core/flags/hi.rs: self::local x
            crates/core/flags/mod.rs: hi Args
            crates/core/flags/mod.rs: self hi
            crates/core/flags/mod.rs: flags::lo x
            crates/core/main.rs: Kind *
            crates/core/main.rs: crate::args self
            crates/long/src/model.rs: crate::outer::inner x
            crates/long/src/model.rs: crate Error
            crates/long/src/main.rs: crate Error
            crates/kit/tests/common/more.rs: crate::common y
            tests/util.rs: crate::util z
            tests/util.rs: crate z
            loose.rs: crate x
            ",
            &expect![[r#"
                crates/core/args.rs: crate Thing -> crates/core/main.rs
                crates/core/args.rs: crate::flags hi -> crates/core/flags/hi.rs
                crates/core/args.rs: crate::flags::hi Args -> crates/core/flags/hi.rs
                crates/core/flags/hi.rs: super lo -> crates/core/flags/lo.rs
                crates/core/flags/hi.rs: super::lo * -> crates/core/flags/lo.rs
                crates/core/flags/hi.rs: super Flag -> crates/core/flags/mod.rs
                crates/core/flags/hi.rs: super::super args -> crates/core/args.rs
                crates/core/flags/hi.rs: super::super::super x -> UNRESOLVED
                crates/core/flags/hi.rs: self::local x -> crates/core/flags/hi.rs
                crates/core/flags/mod.rs: hi Args -> crates/core/flags/hi.rs
                crates/core/flags/mod.rs: self hi -> crates/core/flags/hi.rs
                crates/core/flags/mod.rs: flags::lo x -> crates/core/flags/lo.rs
                crates/core/main.rs: Kind * -> crates/core/main.rs
                crates/core/main.rs: crate::args self -> crates/core/args.rs
                crates/long/src/model.rs: crate::outer::inner x -> crates/long/src/outer/inner.rs
                crates/long/src/model.rs: crate Error -> crates/long/src/lib.rs
                crates/long/src/main.rs: crate Error -> crates/long/src/main.rs
                crates/kit/tests/common/more.rs: crate::common y -> crates/kit/tests/common/mod.rs
                tests/util.rs: crate::util z -> tests/util.rs
                tests/util.rs: crate z -> tests/tests.rs
                loose.rs: crate x -> loose.rs
            "#]],
        );
    }

    #[test]
    fn ix3_rust_other_crates() {
        check(
            TREE,
            "
            crates/core/main.rs: kit::a::b Thing
            crates/core/main.rs: kit Thing
            crates/core/args.rs: short::model Model
            crates/core/args.rs: serde Serialize
            crates/core/args.rs: toml9 Table
            crates/core/args.rs: gone x
            crates/core/args.rs: patched::deep x
            crates/core/main.rs: libc c_int
            crates/core/main.rs: std::fs File
            crates/core/main.rs: ::core::fmt Debug
            crates/core/main.rs: '' serde
            crates/kit/tests/one.rs: kit a
            crates/kit/tests/one.rs: long_name::outer inner
            crates/kit/tests/one.rs: serde Serialize
            crates/long/src/main.rs: long_name::model Model
            crates/long/src/bin/extra.rs: long_name Error
            loose.rs: serde Serialize
            loose.rs: kit x
            build.rs: std::env *
            ",
            &expect![[r#"
                crates/core/main.rs: kit::a::b Thing -> crates/kit/library/a/b.rs
                crates/core/main.rs: kit Thing -> crates/kit/library/root.rs
                crates/core/args.rs: short::model Model -> crates/long/src/model.rs
                crates/core/args.rs: serde Serialize -> external serde
                crates/core/args.rs: toml9 Table -> external toml
                crates/core/args.rs: gone x -> external gone
                crates/core/args.rs: patched::deep x -> crates/patched/src/deep/mod.rs
                crates/core/main.rs: libc c_int -> external libc
                crates/core/main.rs: std::fs File -> builtin
                crates/core/main.rs: ::core::fmt Debug -> builtin
                crates/core/main.rs: '' serde -> external serde
                crates/kit/tests/one.rs: kit a -> crates/kit/library/a.rs
                crates/kit/tests/one.rs: long_name::outer inner -> crates/long/src/outer/inner.rs
                crates/kit/tests/one.rs: serde Serialize -> crates/kit/tests/one.rs
                crates/long/src/main.rs: long_name::model Model -> crates/long/src/model.rs
                crates/long/src/bin/extra.rs: long_name Error -> crates/long/src/lib.rs
                loose.rs: serde Serialize -> external serde
                loose.rs: kit x -> crates/kit/library/root.rs
                build.rs: std::env * -> builtin
            "#]],
        );
    }

    #[test]
    fn ix3_rust_hostile_manifests() {
        check(
            "
//- Cargo.toml
[package
//- a/Cargo.toml
package = 1
lib = 'x'
bin = { path = 1 }
dependencies = [1]
target = { x = 1, y = { dependencies = { z = 3, w = { workspace = true, path = 4 } } } }
//- a/src/lib.rs
//- b/Cargo.toml
[package]
name = 7
workspace = '../../..'
[dependencies]
b = { path = '.' }
//- b/src/lib.rs
//- c/Cargo.toml
//- c/src/lib.rs
",
            "
            a/src/lib.rs: z x
            a/src/lib.rs: crate::x y
            b/src/lib.rs: b::b::b *
            c/src/lib.rs: serde x
            c/src/lib.rs: ''
            c/src/lib.rs: super::super::super x
            c/src/lib.rs: :::: x
            c/src/lib.rs: Module ..
            c/src/lib.rs: Include ../../../../etc/passwd
            ",
            &expect![[r#"
                a/src/lib.rs: z x -> external z
                a/src/lib.rs: crate::x y -> a/src/lib.rs
                b/src/lib.rs: b::b::b * -> b/src/lib.rs
                c/src/lib.rs: serde x -> external serde
                c/src/lib.rs: '' -> UNRESOLVED
                c/src/lib.rs: super::super::super x -> UNRESOLVED
                c/src/lib.rs: :::: x -> external x
                c/src/lib.rs: Module .. -> UNRESOLVED
                c/src/lib.rs: Include ../../../../etc/passwd -> UNRESOLVED
            "#]],
        );
    }
}

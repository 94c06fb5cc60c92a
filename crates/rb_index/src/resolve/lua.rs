//! Lua: `require "a.b"` is `a/b.lua` or `a/b/init.lua` below some folder of the search path.

use rb_lang::{Import, ImportKind, Language};

use super::paths::{self, Endings};
use super::{Resolution, found};
use crate::tree::{FileId, Tree};

pub(super) struct LuaResolver<'t> {
    tree: &'t Tree,
    files: Endings<'t>,
}

pub(super) fn is_manifest(_name: &str) -> bool {
    false
}

/// Folders that are on the search path, below every folder around the file.
const ROOTS: &[&str] = &["", "lua", "src", "lib"];

/// Libraries that the interpreter brings.
const STANDARD: &[&str] = &[
    "_G", "bit", "bit32", "coroutine", "debug", "ffi", "io", "jit", "math", "os", "package", "string",
    "table", "utf8",
];

impl<'t> LuaResolver<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        LuaResolver { tree, files: Endings::new(tree, |file| file.language == Some(Language::Lua)) }
    }

    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Resolution {
        let folder = paths::folder(&self.tree.get(from).path);
        let module = &*import.specifier;
        if import.kind == ImportKind::Include {
            // `dofile` and its like.
            let file = paths::folders_up(folder)
                .find_map(|folder| self.tree.find(&paths::join(folder, module)?));
            return found(file);
        }
        let path = module.replace('.', "/");
        let first = path.split('/').find(|part| !part.is_empty()).unwrap_or_default();
        let file = self.on_the_way_up(folder, &path).or_else(|| self.anywhere(&path));
        match file.filter(|&file| file != from) {
            Some(file) => found(Some(file)),
            None if STANDARD.contains(&first) => Resolution::Builtin,
            None if self.is_own(folder, &path) => Resolution::Unresolved,
            None => Resolution::External(first.into()),
        }
    }

    fn on_the_way_up(&self, folder: &str, path: &str) -> Option<FileId> {
        search_path(folder).filter_map(|base| paths::join(&base, path)).find_map(|path| {
            let file = self.tree.find(&format!("{path}.lua"));
            file.or_else(|| self.tree.find(&paths::below(&path, "init.lua")))
        })
    }

    /// Would the module be beside others of this tree?
    fn is_own(&self, folder: &str, path: &str) -> bool {
        let beside = paths::folder(path);
        !beside.is_empty()
            && search_path(folder)
                .filter_map(|base| paths::join(&base, beside))
                .any(|folder| paths::has_folder(self.tree, &folder))
    }

    /// The one file of the tree that the path fits.
    fn anywhere(&self, path: &str) -> Option<FileId> {
        [format!("{path}.lua"), format!("{path}/init.lua")].iter().find_map(|path| {
            match self.files.find(path) {
                [file] => Some(*file),
                _ => None,
            }
        })
    }
}

fn search_path(folder: &str) -> impl Iterator<Item = String> {
    paths::folders_up(folder)
        .flat_map(|folder| ROOTS.iter().filter_map(move |root| paths::join(folder, root)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::resolve::fixture::check;

    #[test]
    fn ix3_lua() {
        check(
            "
//- init.lua
//- src/rocks/cmd.lua
//- src/rocks/util.lua
//- src/rocks/fs/init.lua
//- plugin/lua/tele/pick.lua
//- a/dup.lua
//- b/dup.lua
//- spec/one_spec.lua
",
            "
            spec/one_spec.lua: Require rocks.util
            src/rocks/cmd.lua: Require rocks.fs
            src/rocks/cmd.lua: Require util
            spec/one_spec.lua: Require tele.pick
            spec/one_spec.lua: Require dup
            spec/one_spec.lua: Require string
            spec/one_spec.lua: Require lfs
            spec/one_spec.lua: Require rocks.made
            spec/one_spec.lua: Require rocks/util
            spec/one_spec.lua: Require ..
            spec/one_spec.lua: Require ''
            spec/one_spec.lua: Include src/rocks/util.lua
            spec/one_spec.lua: Include ../../x.lua
            ",
            &expect![[r#"
                spec/one_spec.lua: Require rocks.util -> src/rocks/util.lua
                src/rocks/cmd.lua: Require rocks.fs -> src/rocks/fs/init.lua
                src/rocks/cmd.lua: Require util -> src/rocks/util.lua
                spec/one_spec.lua: Require tele.pick -> plugin/lua/tele/pick.lua
                spec/one_spec.lua: Require dup -> external dup
                spec/one_spec.lua: Require string -> builtin
                spec/one_spec.lua: Require lfs -> external lfs
                spec/one_spec.lua: Require rocks.made -> UNRESOLVED
                spec/one_spec.lua: Require rocks/util -> src/rocks/util.lua
                spec/one_spec.lua: Require .. -> UNRESOLVED
                spec/one_spec.lua: Require '' -> UNRESOLVED
                spec/one_spec.lua: Include src/rocks/util.lua -> src/rocks/util.lua
                spec/one_spec.lua: Include ../../x.lua -> UNRESOLVED
            "#]],
        );
    }
}

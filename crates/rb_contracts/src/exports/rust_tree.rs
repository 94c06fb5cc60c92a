//! The modules of a Rust crate, private ones too: their items, their `use` lines, and the `impl` blocks of the crate.

use std::collections::BTreeMap;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::ImportKind;

use super::Declared;
use super::rust_declared::{attributes, callable, implementation, is_public, item};
use crate::error::ContractError;
use crate::model::Kind;
use crate::sources::Sources;
use crate::syntax::Piece;

#[derive(Debug, Default, Clone)]
pub(super) struct Module {
    pub(super) parent: Option<usize>,
    /// As it is called from outside; empty for the root.
    pub(super) path: String,
    pub(super) file: Option<FileId>,
    /// Name, place, whether it is public.
    pub(super) children: Vec<(String, usize, bool)>,
    pub(super) items: Vec<(Declared, bool)>,
    pub(super) uses: Vec<Use>,
}

/// `pub use a::b as c`; `c` is `*` for all names.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub(super) path: Vec<String>,
    pub(super) name: String,
    pub(super) is_public: bool,
    pub(super) line: u32,
}

#[derive(Debug, Default)]
pub(super) struct CrateTree {
    pub(super) modules: Vec<Module>,
    /// Methods and implemented traits, by the name of the type.
    pub(super) impls: BTreeMap<String, Vec<Declared>>,
    /// With the places of the modules that they are in.
    pub(super) macros: Vec<(Declared, usize)>,
}

/// The modules of one file, its own first, and those that have files of their own.
#[derive(Debug, Default)]
struct FileTree {
    tree: CrateTree,
    outside: Vec<(usize, String)>,
}

/// A crate with more modules is not one that people wrote.
const MAX_MODULES: usize = 20_000;

impl CrateTree {
    pub(super) fn read(sources: &Sources<'_>, root: FileId) -> Result<CrateTree, ContractError> {
        let mut tree = CrateTree::default();
        tree.modules.push(Module { file: Some(root), ..Module::default() });
        let mut left = vec![(0, root)];
        let mut seen = vec![root];
        while let Some((at, file)) = left.pop() {
            let read = sources.reading(file, || {
                Ok(sources.parse(file)?.map(|parsed| FileTree::read(parsed.root())))
            })?;
            let Some(read) = &*read else { continue };
            if tree.modules.len() + read.tree.modules.len() > MAX_MODULES {
                break;
            }
            let files = module_files(sources, file)?;
            for (place, name) in tree.graft(at, file, read) {
                if let Some(&file) = files.get(&name).filter(|file| !seen.contains(file)) {
                    seen.push(file);
                    tree.modules[place].file = Some(file);
                    left.push((place, file));
                }
            }
        }
        Ok(tree)
    }

    /// Takes in what a file holds as the module at `at`; gives the modules that have files of their own.
    fn graft(&mut self, at: usize, file: FileId, read: &FileTree) -> Vec<(usize, String)> {
        let new = self.modules.len();
        let place = |inner: usize| if inner == 0 { at } else { new + inner - 1 };
        let above = self.modules[at].path.clone();
        for module in read.tree.modules.iter().skip(1) {
            let parent = module.parent.map(place);
            let path = joined(&above, &module.path);
            self.modules.push(Module { parent, path, file: Some(file), ..Module::default() });
        }
        for (inner, module) in read.tree.modules.iter().enumerate() {
            let own = &mut self.modules[place(inner)];
            let children = module.children.iter();
            own.children
                .extend(children.map(|(name, at, public)| (name.clone(), place(*at), *public)));
            own.items.extend(module.items.iter().cloned());
            own.uses.extend(module.uses.iter().cloned());
        }
        for (name, members) in &read.tree.impls {
            self.impls.entry(name.clone()).or_default().extend(members.iter().cloned());
        }
        let macros = read.tree.macros.iter();
        self.macros.extend(macros.map(|(declared, at)| (declared.clone(), place(*at))));
        read.outside.iter().map(|(at, name)| (place(*at), name.clone())).collect()
    }

    /// Takes in the items of a file; gives the modules that have files of their own.
    fn take(&mut self, root: Piece<'_>) -> Vec<(usize, String)> {
        let mut outside = Vec::new();
        let mut left = vec![(0, root)];
        while let Some((at, body)) = left.pop() {
            for piece in body.children() {
                let (attributes, _) = attributes(piece);
                if attributes.is_for_tests {
                    continue;
                }
                match piece.kind() {
                    "mod_item" if self.modules.len() < MAX_MODULES => {
                        let name = piece.field_text("name").to_owned();
                        let public = is_public(piece) && !attributes.is_hidden;
                        let place = self.add_module(at, &name, public);
                        match piece.field("body") {
                            Some(body) => left.push((place, body)),
                            None => outside.push((place, name)),
                        }
                    }
                    "use_declaration" => self.modules[at].uses.extend(uses(piece)),
                    "impl_item" => self.take_impl(piece),
                    _ => {
                        let Some(declared) = item(piece) else { continue };
                        if declared.kind == Kind::Macro {
                            self.macros.push((declared, at));
                        } else {
                            let public = is_public(piece) && !attributes.is_hidden;
                            self.modules[at].items.push((declared, public));
                        }
                    }
                }
            }
        }
        outside
    }

    fn add_module(&mut self, parent: usize, name: &str, public: bool) -> usize {
        let place = self.modules.len();
        let path = joined(&self.modules[parent].path, name);
        self.modules.push(Module { parent: Some(parent), path, ..Module::default() });
        self.modules[parent].children.push((name.to_owned(), place, public));
        place
    }

    fn take_impl(&mut self, piece: Piece<'_>) {
        let Some(ty) = piece.field("type") else { return };
        let ty = ty.field("type").unwrap_or(ty);
        let name = ty.field("name").unwrap_or(ty).text().to_owned();
        let members = self.impls.entry(name).or_default();
        if let Some(implemented) = piece.field("trait") {
            let negative = if piece.has("!") { "!" } else { "" };
            members
                .push(implementation(&format!("{negative}{}", implemented.normal()), piece.line()));
            return;
        }
        for member in piece.field("body").map(Piece::children).unwrap_or_default() {
            let (attributes, _) = attributes(member);
            if !is_public(member) || attributes.is_hidden || attributes.is_for_tests {
                continue;
            }
            let name = member.field_text("name");
            match member.kind() {
                "function_item" => members
                    .push(Declared::new(name, Kind::Method, member.line()).with(callable(member))),
                "const_item" => members.push(
                    Declared::new(name, Kind::Constant, member.line())
                        .typed(member.field("type").map(Piece::normal)),
                ),
                _ => {}
            }
        }
    }
}

impl FileTree {
    fn read(root: Piece<'_>) -> FileTree {
        let mut tree = CrateTree { modules: vec![Module::default()], ..CrateTree::default() };
        let outside = tree.take(root);
        FileTree { tree, outside }
    }
}

fn joined(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}::{name}") }
}

/// Where `mod x;` lines of a file lead.
fn module_files(
    sources: &Sources<'_>,
    file: FileId,
) -> Result<BTreeMap<String, FileId>, ContractError> {
    let facts = sources.facts(file)?;
    let mut out = BTreeMap::new();
    for (import, resolution) in facts.imports.iter().zip(sources.resolutions(file)) {
        if let (ImportKind::Module, Resolution::Inside(files)) = (import.kind, resolution) {
            let local = import.names.first().map_or(&*import.specifier, |name| &*name.local);
            for name in [local, import.specifier.rsplit([':', '/']).next().unwrap_or_default()] {
                out.entry(name.to_owned()).or_insert(files[0]);
            }
        }
    }
    Ok(out)
}

/// Nesting of braces that is read.
const MAX_NESTING: usize = 16;

fn uses(piece: Piece<'_>) -> Vec<Use> {
    let is_public = is_public(piece);
    let Some(argument) = piece.field("argument") else { return Vec::new() };
    let mut out = Vec::new();
    let mut left = vec![(argument, Vec::<String>::new(), 0)];
    while let Some((piece, mut path, depth)) = left.pop() {
        let line = piece.line();
        match piece.kind() {
            "scoped_use_list" | "use_list" if depth < MAX_NESTING => {
                path.extend(piece.field("path").map(segments).unwrap_or_default());
                let list = if piece.is("use_list") { Some(piece) } else { piece.field("list") };
                for child in list.map(Piece::children).unwrap_or_default() {
                    left.push((child, path.clone(), depth + 1));
                }
            }
            "use_as_clause" => {
                path.extend(piece.field("path").map(segments).unwrap_or_default());
                out.push(Use { path, name: piece.field_text("alias").to_owned(), is_public, line });
            }
            "use_wildcard" => {
                path.extend(piece.children().first().copied().map(segments).unwrap_or_default());
                out.push(Use { path, name: "*".to_owned(), is_public, line });
            }
            "self" => {
                let name = path.last().cloned().unwrap_or_default();
                out.push(Use { path, name, is_public, line });
            }
            _ => {
                path.extend(segments(piece));
                let name = path.last().cloned().unwrap_or_default();
                out.push(Use { path, name, is_public, line });
            }
        }
    }
    out
}

fn segments(piece: Piece<'_>) -> Vec<String> {
    piece.normal().split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

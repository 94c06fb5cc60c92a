//! Following names from file to file: members of classes, exports of modules, chains of re-exports.
//!
//! Every chain may be a circle and every tree may be hostile, so each search remembers where it was and ends after a
//! bounded number of steps.

use rb_lang::SymbolKind;

use super::FactsSource;
use super::builtins::Family;
use super::table::{Base, Table};
use crate::resolve::Resolution;
use crate::tree::{FileId, Tree};

/// Classes above a class, or files behind a re-export, that are looked at for one name.
const MAX_STEPS: usize = 64;

#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) tree: &'a Tree,
    pub(super) source: &'a dyn FactsSource,
    pub(super) table: &'a Table,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameTarget<'a> {
    Node(u32),
    /// A module: one file, or the files of a package.
    Files(&'a [FileId]),
    File(FileId),
    External(&'a str),
    Builtin,
    /// An import that leads nowhere.
    Missing,
    /// The most that are equally likely.
    Several(u32),
}

/// How far away it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In the place itself.
    Direct,
    /// Through another file, or in a class that is extended.
    Around,
}

impl<'a> Lookup<'a> {
    /// A member of a class, of one that it extends, or of a module inside a file. Where nothing in the tree is called so,
    /// it can still come from a class outside.
    pub(super) fn member(&self, class: u32, name: Option<u32>) -> Option<(NameTarget<'a>, Way)> {
        self.member_from(vec![class], name)
    }

    /// A member of what a class extends.
    pub(super) fn base_member(
        &self,
        class: u32,
        name: Option<u32>,
    ) -> Option<(NameTarget<'a>, Way)> {
        let mut above = Vec::new();
        let mut outside = None;
        self.add_bases(class, &mut above, &mut outside);
        self.member_from(above, name)
            .map(|(found, _)| found)
            .or(outside)
            .map(|found| (found, Way::Around))
    }

    fn member_from(
        &self,
        mut classes: Vec<u32>,
        name: Option<u32>,
    ) -> Option<(NameTarget<'a>, Way)> {
        let first = classes.first().copied();
        let mut outside = None;
        let mut next = 0;
        while next < classes.len().min(MAX_STEPS) {
            let class = classes[next];
            next += 1;
            if let Some(node) = name.and_then(|name| self.own_member(class, name)) {
                let way = if Some(class) == first { Way::Direct } else { Way::Around };
                return Some((NameTarget::Node(node), way));
            }
            self.add_bases(class, &mut classes, &mut outside);
        }
        // Nothing in the tree has it, so it comes from the first class outside, if there is one.
        outside.map(|found| (found, Way::Around))
    }

    fn add_bases(&self, class: u32, classes: &mut Vec<u32>, outside: &mut Option<NameTarget<'a>>) {
        for base in self.table.bases(class) {
            let found = match base {
                Base::Class(base) => {
                    if classes.len() < MAX_STEPS && !classes.contains(&base) {
                        classes.push(base);
                    }
                    continue;
                }
                Base::External(package) => NameTarget::External(self.table.names.text(package)),
                Base::Builtin => NameTarget::Builtin,
            };
            outside.get_or_insert(found);
        }
    }

    /// Declared in the class, in another part of it, or outside of it in its name.
    fn own_member(&self, class: u32, name: u32) -> Option<u32> {
        if let Some(node) = self.table.child(class, name) {
            return Some(node);
        }
        let group = self.table.group_of(self.table.file(class))?;
        let own_name = self.shown_name(class);
        let mut parts =
            self.table.shown(group, own_name).iter().take(MAX_STEPS).filter(|&&part| part != class);
        self.table
            .outside(group, own_name, name)
            .or_else(|| parts.find_map(|&part| self.table.child(part, name)))
    }

    /// The name by which files that see each other find a class.
    fn shown_name(&self, class: u32) -> u32 {
        let table = self.table;
        let full = || {
            let (qualified, _) = table.qualified(class)?;
            table.names.get(&table.names.text(qualified).replace('.', "::"))
        };
        match self.family(table.file(class)) {
            Family::Ruby => full().unwrap_or(table.name(class)),
            _ => table.name(class),
        }
    }

    /// What an import brings under a name; all of it for `None`.
    pub(super) fn through_import(
        &self,
        file: FileId,
        import: u32,
        name: Option<u32>,
    ) -> Option<(NameTarget<'a>, Way)> {
        let direct = |found| Some((found, Way::Direct));
        match (self.source.resolutions(file).get(import as usize), name) {
            (Some(Resolution::External(package)), _) => direct(NameTarget::External(package)),
            (Some(Resolution::Builtin), _) => direct(NameTarget::Builtin),
            (Some(Resolution::Unresolved) | None, _) => direct(NameTarget::Missing),
            (Some(Resolution::Inside(files)), None) => direct(NameTarget::Files(files)),
            (Some(Resolution::Inside(files)), Some(name)) => {
                match self.module_called(files, name) {
                    Some(module) => direct(NameTarget::File(module)),
                    None => self.exported(files, name),
                }
            }
        }
    }

    /// What files give to others under a name, through whatever they have it from.
    pub(super) fn exported(&self, files: &[FileId], name: u32) -> Option<(NameTarget<'a>, Way)> {
        if let [file, _, _, _, ..] = files
            && let Some(group) = self.table.group_of(*file)
        {
            return self.in_package(group, files, name);
        }
        let mut open: Vec<(FileId, u32)> = files.iter().map(|&file| (file, name)).collect();
        let first = open.len();
        let mut next = 0;
        let mut outside = None;
        while next < open.len().min(first + MAX_STEPS) {
            let (file, name) = open[next];
            let way = if next < first { Way::Direct } else { Way::Around };
            next += 1;
            match self.in_file(file, name, &mut open) {
                Some(
                    found @ (NameTarget::External(_) | NameTarget::Builtin | NameTarget::Missing),
                ) => {
                    outside.get_or_insert((found, way));
                }
                Some(found) => return Some((found, way)),
                None => {}
            }
        }
        outside
    }

    /// What many files give that see each other: it is known which of them declares a name.
    fn in_package(&self, group: u32, files: &[FileId], name: u32) -> Option<(NameTarget<'a>, Way)> {
        let nodes = self.table.shown(group, name).iter().copied();
        let inside = nodes.filter(|&node| files.binary_search(&self.table.file(node)).is_ok());
        self.table.with_body(inside).map(|node| (NameTarget::Node(node), Way::Direct))
    }

    /// What one file gives under a name; files where the search goes on are added to `open`.
    fn in_file(
        &self,
        file: FileId,
        name: u32,
        open: &mut Vec<(FileId, u32)>,
    ) -> Option<NameTarget<'a>> {
        let table = self.table;
        let ecma = self.family(file) == Family::Ecma;
        let local = if ecma { self.exported_local(file, name) } else { Some(name) };
        let declared = local.and_then(|local| table.child(table.top(file), local));
        if let Some(node) = declared.filter(|&node| self.stands_alone(node)) {
            return Some(NameTarget::Node(node));
        }
        // `import a.Outer.Inner` and `import static a.Outer.method` lead to the file of `Outer`.
        if self.family(file) == Family::Jvm
            && let Some(node) = table
                .children(table.top(file))
                .take(MAX_STEPS)
                .find_map(|class| table.child(class, name))
        {
            return Some(NameTarget::Node(node));
        }
        let mut given_on = table.bound(file, name).iter().filter(|bound| bound.given_on).peekable();
        // `export default 1 + 1`: it is in this file, and has no name.
        if given_on.peek().is_none()
            && local.is_some_and(|local| table.names.text(local).is_empty())
        {
            return Some(NameTarget::Node(table.top(file)));
        }
        let imported = local.map_or(&[][..], |local| table.bound(file, local));
        let mut outside = None;
        for bound in given_on.chain(imported.iter().filter(|bound| !bound.given_on)) {
            match (self.source.resolutions(file).get(bound.import as usize)?, bound.name) {
                (Resolution::Inside(files), None) => return Some(NameTarget::Files(files)),
                (Resolution::Inside(files), Some(name)) => match self.module_called(files, name) {
                    Some(module) => return Some(NameTarget::File(module)),
                    None => go_on(files, name, open),
                },
                (Resolution::External(package), _) => outside = Some(NameTarget::External(package)),
                (Resolution::Builtin, _) => outside = Some(NameTarget::Builtin),
                (Resolution::Unresolved, _) => outside = Some(NameTarget::Missing),
            }
        }
        for opened in table.opened(file).iter().filter(|opened| !ecma || opened.given_on) {
            if let Some(Resolution::Inside(files)) =
                self.source.resolutions(file).get(opened.import as usize)
            {
                go_on(files, name, open);
            }
        }
        outside
    }

    /// What a module of JavaScript calls a name that others use. One that exports nothing is a script: all is there.
    fn exported_local(&self, file: FileId, name: u32) -> Option<u32> {
        let listed = self.table.exported(file, name);
        listed.or_else(|| (!self.table.exports_anything(file)).then_some(name))
    }

    /// A module below others, by its path: `views` of `shop/__init__.py` is `shop/views.py`.
    pub(super) fn module_below(&self, file: FileId, name: &str) -> Option<FileId> {
        let path = &*self.tree.get(file).path;
        let (folder, own) = path.rsplit_once('/').unwrap_or(("", path));
        if self.family(file) != Family::Python || !own.starts_with("__init__.") {
            return None;
        }
        ["py", "pyi"].iter().find_map(|ending| {
            let inside =
                if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            self.tree
                .find(&format!("{inside}.{ending}"))
                .or_else(|| self.tree.find(&format!("{inside}/__init__.{ending}")))
        })
    }

    /// The one of some files that is a module of this name and declares nothing of this name: `views` of
    /// `from shop import views` is `shop/views.py` or `shop/views/__init__.py`.
    fn module_called(&self, files: &[FileId], name: u32) -> Option<FileId> {
        if !matches!(self.family(*files.first()?), Family::Python | Family::Rust) {
            return None;
        }
        let module = files.iter().copied().find(|&file| {
            let path = &*self.tree.get(file).path;
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            let package = ["/__init__", "/mod"].iter().find_map(|own| stem.strip_suffix(own));
            package.unwrap_or(stem).rsplit('/').next() == Some(self.table.names.text(name))
        })?;
        let declared =
            files.iter().any(|&file| self.table.child(self.table.top(file), name).is_some());
        (!declared).then_some(module)
    }

    /// Can it be called without anything in front? A method that stands outside of its class cannot.
    pub(super) fn stands_alone(&self, node: u32) -> bool {
        self.table.kind(node) != Some(SymbolKind::Method)
    }

    pub(super) fn family(&self, file: FileId) -> Family {
        self.tree.get(file).language.map_or(Family::Other, Family::of)
    }
}

fn go_on(files: &[FileId], name: u32, open: &mut Vec<(FileId, u32)>) {
    for &file in files.iter().take(MAX_STEPS) {
        if open.len() < 2 * MAX_STEPS && !open.contains(&(file, name)) {
            open.push((file, name));
        }
    }
}

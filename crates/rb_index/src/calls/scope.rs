//! What a name means at a place of a file, and what lies below it: `a.b.c` from `a` on.

use rb_lang::SymbolKind;

use super::builtins::Family;
use super::lookup::{Lookup, NameTarget, Way};
use super::table::{Inherit, Table};
use super::{How, Reason};
use crate::siblings::{Sight, Want};
use crate::tree::FileId;

/// The names of one file.
pub(super) struct Scope<'a> {
    pub(super) lookup: Lookup<'a>,
    pub(super) file: FileId,
    pub(super) family: Family,
}

/// What a call turned out to be, before its names are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome<'a> {
    Found(NameTarget<'a>, How),
    Unresolved(Reason),
    /// A member of a value whose type is not known.
    Dynamic,
}

pub(super) type Hit<'a> = (NameTarget<'a>, How);

/// Of a name that more files than this define, the others are not looked at.
const MAX_DEFINITIONS: usize = 256;
/// Deeper nests are not looked at from the inside.
const MAX_DEPTH: usize = 64;

impl<'a> Scope<'a> {
    pub(super) fn new(lookup: Lookup<'a>, file: FileId) -> Self {
        Scope { lookup, file, family: lookup.family(file) }
    }

    pub(super) fn table(&self) -> &'a Table {
        self.lookup.table
    }

    /// From what a path begins with, along its parts, to a name.
    pub(super) fn along(&self, hit: Hit<'a>, path: &[&str], name: &str) -> Outcome<'a> {
        let mut hit = hit;
        for part in path {
            hit = match self.below(hit, part) {
                Outcome::Found(found, how) => (found, how),
                // A field that is not declared is a value like any other.
                Outcome::Unresolved(_) | Outcome::Dynamic => return Outcome::Dynamic,
            };
        }
        self.below(hit, name)
    }

    fn below(&self, (found, how): Hit<'a>, name: &str) -> Outcome<'a> {
        let table = self.table();
        let number = table.names.get(name);
        let one;
        let files = match found {
            NameTarget::External(_) | NameTarget::Builtin | NameTarget::Missing => {
                return Outcome::Found(found, how);
            }
            NameTarget::Several(count) => return Outcome::Unresolved(Reason::Ambiguous(count)),
            NameTarget::Node(node) => return self.below_node(node, name, number),
            NameTarget::Files(files) => files,
            NameTarget::File(file) => {
                one = [file];
                &one
            }
        };
        match number.and_then(|number| self.lookup.exported(files, number)) {
            Some((found, Way::Direct)) => Outcome::Found(found, How::Member),
            Some((found, Way::Around)) => Outcome::Found(found, How::ReExported),
            None => match files.iter().find_map(|&file| self.lookup.module_below(file, name)) {
                Some(file) => Outcome::Found(NameTarget::File(file), How::Member),
                // `a.b()` and `a::b()` look the same here, and a variable may be called like a module.
                None if self.family == Family::Rust => Outcome::Dynamic,
                None => Outcome::Unresolved(Reason::UnknownMember),
            },
        }
    }

    fn below_node(&self, node: u32, name: &str, number: Option<u32>) -> Outcome<'a> {
        let kind = self.table().kind(node);
        if matches!(kind, Some(SymbolKind::Variable | SymbolKind::Constant)) {
            // What it holds stands for what it is: `const a = { b() {} }`, `const a = new A()`.
            let found = self.lookup.member(node, number);
            return found.map_or(Outcome::Dynamic, |(found, _)| Outcome::Found(found, How::Member));
        }
        if !self.is_class(node) && !matches!(kind, None | Some(SymbolKind::Module)) {
            return Outcome::Dynamic;
        }
        match self.lookup.member(node, number) {
            Some((found, Way::Direct)) => Outcome::Found(found, How::Member),
            Some((found, Way::Around)) => Outcome::Found(found, How::Inherited),
            // `Class.new` makes an object; `Enum::Variant(…)` a value of it.
            None if self.family == Family::Ruby && name == "new" => {
                Outcome::Found(NameTarget::Node(node), How::Constructor)
            }
            None if kind == Some(SymbolKind::Enum) && name.starts_with(char::is_uppercase) => {
                Outcome::Found(NameTarget::Node(node), How::Constructor)
            }
            None => Outcome::Unresolved(Reason::UnknownMember),
        }
    }

    /// What a bare name means at a place: declared around it, imported, or seen without an import.
    pub(super) fn in_sight(&self, name: &str, from: u32) -> Option<Hit<'a>> {
        let number = self.table().names.get(name)?;
        let mut outside = None;
        let declared = self.declared_around(number, from, &mut outside);
        if self.family == Family::C {
            return self.defined(declared, name, from).or_else(|| self.opened(number)).or(outside);
        }
        declared
            .or_else(|| self.imported(number, from))
            .or_else(|| self.opened(number))
            .or_else(|| self.of_sibling(name, from))
            .or(outside)
    }

    /// What is only announced here may be defined in another file.
    fn defined(&self, declared: Option<Hit<'a>>, name: &str, from: u32) -> Option<Hit<'a>> {
        let is_defined = |hit: &Hit<'a>| match hit.0 {
            NameTarget::Node(node) => {
                self.table().has_body(node) || self.table().kind(node) != Some(SymbolKind::Function)
            }
            _ => true,
        };
        let elsewhere = || self.of_sibling(name, from).filter(is_defined);
        declared.filter(is_defined).or_else(elsewhere).or(declared)
    }

    fn declared_around(
        &self,
        name: u32,
        from: u32,
        outside: &mut Option<Hit<'a>>,
    ) -> Option<Hit<'a>> {
        let table = self.table();
        for scope in self.scopes(from) {
            if self.is_class(scope) && self.family.has_implicit_self() {
                match self.lookup.member(scope, Some(name)) {
                    Some((NameTarget::Node(node), Way::Direct)) => {
                        return Some((NameTarget::Node(node), How::Own));
                    }
                    Some((NameTarget::Node(node), Way::Around)) => {
                        return Some((NameTarget::Node(node), How::Inherited));
                    }
                    Some((found, _)) => *outside = Some((found, How::Inherited)),
                    None => {}
                }
            } else if self.shows_children(scope, from)
                && let Some(node) = table.child(scope, name)
                && (scope != table.top(self.file) || self.lookup.stands_alone(node))
            {
                return Some((NameTarget::Node(node), How::Scope));
            }
        }
        None
    }

    fn imported(&self, name: u32, from: u32) -> Option<Hit<'a>> {
        let bound = self.table().bound(self.file, name).iter().filter(|bound| !bound.given_on);
        let mut outside = None;
        for bound in bound {
            if self.family == Family::Elixir
                && let Some(hit) =
                    bound.name.and_then(|name| self.of_sibling(self.table().names.text(name), from))
            {
                return Some(hit);
            }
            match self.lookup.through_import(self.file, bound.import, bound.name) {
                Some((
                    found @ (NameTarget::External(_) | NameTarget::Builtin | NameTarget::Missing),
                    _,
                )) => {
                    outside.get_or_insert((found, How::Imported));
                }
                Some((found, Way::Direct)) => return Some((found, How::Imported)),
                Some((found, Way::Around)) => return Some((found, How::ReExported)),
                None => {
                    // Imported from a file of the tree that does not show it.
                    outside.get_or_insert((NameTarget::Missing, How::Imported));
                }
            }
        }
        outside
    }

    fn opened(&self, name: u32) -> Option<Hit<'a>> {
        self.table().opened(self.file).iter().filter(|opened| !opened.given_on).find_map(|opened| {
            match self.lookup.through_import(self.file, opened.import, Some(name))? {
                (found @ (NameTarget::Node(_) | NameTarget::Files(_)), way) => {
                    Some((found, if way == Way::Direct { How::Imported } else { How::ReExported }))
                }
                _ => None,
            }
        })
    }

    /// What another file shows under a name, or under a path where the language goes by that.
    pub(super) fn of_sibling(&self, name: &str, from: u32) -> Option<Hit<'a>> {
        let (tree, table) = (self.lookup.tree, self.table());
        let own = table.group_of(self.file)?;
        let file = tree.get(self.file);
        let sight = Sight::of(file.language?)?;
        let want = Want { name: name.into(), scope: self.scope_path(from, sight).into(), count: 1 };
        for (group, name) in sight.places(file.package.as_deref().unwrap_or_default(), &want) {
            let group = match group {
                Some(group) => table.group(&group),
                None => Some(own),
            };
            let nodes = group
                .zip(table.names.get(&name))
                .map_or(&[][..], |(group, name)| table.shown(group, name));
            let found = if self.family == Family::C {
                self.linked(nodes, from)
            } else {
                table.with_body(nodes.iter().copied()).map(NameTarget::Node)
            };
            if let Some(found) = found {
                return Some((found, How::Sibling));
            }
        }
        None
    }

    /// Of the definitions of a name in C and C++ the only one, or the only one in this folder: a tree may hold several
    /// programs. What stands in a namespace is seen by its own name in that namespace alone.
    fn linked(&self, nodes: &[u32], from: u32) -> Option<NameTarget<'a>> {
        let table = self.table();
        let namespace = |node: u32| {
            let parent = table.parent(node);
            (table.kind(parent) == Some(SymbolKind::Module)).then(|| table.name(parent))
        };
        let around = |name: u32| {
            self.scopes(from).any(|node| table.kind(node).is_some() && table.name(node) == name)
        };
        let seen = nodes
            .iter()
            .copied()
            .take(MAX_DEFINITIONS)
            .filter(|&node| namespace(node).is_none_or(around));
        let first = table.with_body(seen.clone())?;
        let defined: Vec<u32> = seen.filter(|&node| table.has_body(node)).collect();
        let folder = |file: FileId| {
            let path = &self.lookup.tree.get(file).path;
            path.rsplit_once('/').map_or("", |(folder, _)| folder)
        };
        let near: Vec<u32> = defined
            .iter()
            .copied()
            .filter(|&node| folder(table.file(node)) == folder(self.file))
            .collect();
        Some(match (&defined[..], &near[..]) {
            ([], _) => NameTarget::Node(first),
            (&[node], _) | (_, &[node]) => NameTarget::Node(node),
            (several, _) => NameTarget::Several(u32::try_from(several.len()).unwrap_or(u32::MAX)),
        })
    }

    /// What any file declares in a namespace, which may be open in many.
    pub(super) fn in_namespace(&self, namespace: &str, name: &str) -> Option<Hit<'a>> {
        let table = self.table();
        let (namespace, name) = table.names.get(namespace).zip(table.names.get(name))?;
        let inside = |&node: &u32| {
            let parent = table.parent(node);
            table.kind(parent) == Some(SymbolKind::Module) && table.name(parent) == namespace
        };
        let shown =
            table.shown(table.group_of(self.file)?, name).iter().copied().take(MAX_DEFINITIONS);
        let nodes = shown.filter(inside);
        table.with_body(nodes).map(|node| (NameTarget::Node(node), How::Member))
    }

    /// The modules around a place, for languages that look from the inside out.
    fn scope_path(&self, from: u32, sight: Sight) -> String {
        if sight != Sight::Ruby {
            return String::new();
        }
        let table = self.table();
        let mut path: Vec<&str> = self
            .scopes(from)
            .filter(|&node| self.is_class(node))
            .map(|node| table.names.text(table.name(node)))
            .collect();
        path.reverse();
        path.join("::")
    }

    /// The node itself and those around it, up to the top level of the file.
    pub(super) fn scopes(&self, from: u32) -> impl Iterator<Item = u32> + Clone + 'a {
        let table = self.table();
        std::iter::successors(Some(from), move |&node| {
            Some(table.parent(node)).filter(|&parent| parent != node)
        })
        .take(MAX_DEPTH)
    }

    /// Can what is declared in a scope be named in it without the scope's own name? Members of classes and objects cannot.
    fn shows_children(&self, scope: u32, from: u32) -> bool {
        let object =
            matches!(self.table().kind(scope), Some(SymbolKind::Variable | SymbolKind::Constant));
        !object && (!self.is_class(scope) || scope == from)
    }

    pub(super) fn is_class(&self, node: u32) -> bool {
        self.table().is_class(node)
            || self.family == Family::Ruby && self.table().kind(node) == Some(SymbolKind::Module)
    }
}

/// What a class extends, with the package where that is outside; none where nobody knows.
pub(super) fn base_of<'a>(lookup: Lookup<'a>, inherit: &Inherit) -> Option<NameTarget<'a>> {
    let scope = Scope::new(lookup, inherit.file);
    let names = &lookup.table.names;
    let (qualifier, name) = (names.text(inherit.qualifier), names.text(inherit.name));
    let mut path = qualifier.split(['.', ':', '\\']).filter(|part| !part.is_empty());
    let head = path.next().unwrap_or(name);
    let around = lookup.table.parent(inherit.class);
    let Some(hit) = scope.in_sight(head, around) else {
        return scope.family.is_builtin(head).then_some(NameTarget::Builtin);
    };
    if qualifier.is_empty() {
        return Some(hit.0);
    }
    let rest: Vec<&str> = path.collect();
    match scope.along(hit, &rest, name) {
        Outcome::Found(found, _) => Some(found),
        Outcome::Unresolved(_) | Outcome::Dynamic => None,
    }
}

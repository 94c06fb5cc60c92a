//! What the calls of one file lead to: the second pass of the call graph.

use rb_lang::{Facts, Reference, SymbolKind};
use rustc_hash::FxHashMap;

use super::builtins::{Family, is_common_method, is_self, is_super};
use super::lookup::{Lookup, NameTarget, Way};
use super::names::Names;
use super::scope::{Hit, Outcome, Scope};
use super::{How, NameId, NodeId, Reason, Target, signatures};
use crate::tree::FileId;

/// Resolves the calls of one file.
pub(super) struct Resolver<'a> {
    scope: Scope<'a>,
    facts: &'a Facts,
    /// Imports by their specifier, for what is called by its full path.
    specifiers: FxHashMap<&'a str, Vec<u32>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(lookup: Lookup<'a>, file: FileId, facts: &'a Facts) -> Self {
        let mut specifiers: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (at, import) in (0..).zip(&facts.imports) {
            specifiers.entry(&*import.specifier).or_default().push(at);
        }
        Resolver { scope: Scope::new(lookup, file), facts, specifiers }
    }

    pub(super) fn target(&self, reference: &Reference, labels: &mut Names) -> Target {
        let from = self.scope.table().node(self.scope.file, reference.from);
        let outcome = if reference.qualifier.is_empty() {
            self.bare(&reference.name, from)
        } else {
            self.qualified(&reference.qualifier, &reference.name, from)
        };
        let mut unresolved =
            |reason| Target::Unresolved(NameId(labels.add(&reference.name)), reason);
        match outcome {
            Outcome::Found(NameTarget::Node(node), how) => self.called(node, how),
            Outcome::Found(NameTarget::Files(files), how) => {
                self.called_module(files, how).unwrap_or_else(|| unresolved(Reason::UnknownMember))
            }
            Outcome::Found(NameTarget::File(_), _) => unresolved(Reason::UnknownMember),
            Outcome::Found(NameTarget::External(package), _) => {
                Target::External(NameId(labels.add(package)))
            }
            Outcome::Found(NameTarget::Builtin, _) => Target::Builtin,
            Outcome::Found(NameTarget::Missing, _) => unresolved(Reason::ImportNotFound),
            Outcome::Found(NameTarget::Several(count), _) => unresolved(Reason::Ambiguous(count)),
            Outcome::Unresolved(reason) => unresolved(reason),
            Outcome::Dynamic => match self.only_method(&reference.name) {
                Ok(node) => Target::Symbol(NodeId(node), How::OnlyMethod),
                Err(reason) => unresolved(reason),
            },
        }
    }

    /// The call of a class is the call of its constructor.
    fn called(&self, node: u32, how: How) -> Target {
        let table = self.scope.table();
        if !matches!(table.kind(node), Some(SymbolKind::Class | SymbolKind::Struct)) {
            return Target::Symbol(NodeId(node), how);
        }
        let named = self
            .scope
            .family
            .constructor()
            .and_then(|name| table.names.get(name))
            .unwrap_or(table.name(node));
        Target::Symbol(NodeId(table.child(node, named).unwrap_or(node)), How::Constructor)
    }

    /// `require("./a")()` calls what the module is as a whole.
    fn called_module(&self, files: &[FileId], how: How) -> Option<Target> {
        let (Family::Ecma, [file]) = (self.scope.family, files) else { return None };
        let table = self.scope.table();
        let default =
            table.names.get("default").and_then(|name| self.scope.lookup.exported(files, name));
        match default {
            Some((NameTarget::Node(node), _)) => Some(self.called(node, how)),
            _ => Some(Target::Symbol(NodeId(table.top(*file)), how)),
        }
    }

    fn bare(&self, name: &str, from: u32) -> Outcome<'a> {
        match self.scope.in_sight(name, from) {
            Some((found, how)) => Outcome::Found(found, how),
            None if self.scope.family.is_builtin(name) => {
                Outcome::Found(NameTarget::Builtin, How::Scope)
            }
            None => Outcome::Unresolved(Reason::UnknownName),
        }
    }

    fn qualified(&self, qualifier: &str, name: &str, from: u32) -> Outcome<'a> {
        if qualifier == "?" {
            return Outcome::Dynamic;
        }
        if let Some(hit) = self.by_full_path(qualifier, name) {
            return Outcome::Found(hit.0, hit.1);
        }
        if let Some(hit) = self.of_module(qualifier, name, from) {
            return self.scope.along(hit, &[], name);
        }
        let mut path =
            qualifier.split(['.', ':', '\\', '-', '>', '?', '!']).filter(|part| !part.is_empty());
        let Some(head) = path.next() else { return Outcome::Dynamic };
        let rest: Vec<&str> = path.collect();
        if is_self(head) || is_super(head) {
            return if rest.is_empty() {
                self.of_own_class(head, name, from)
            } else {
                Outcome::Dynamic
            };
        }
        if let Some(outcome) = self.of_parameter(head, &rest, name, from) {
            return outcome;
        }
        if self.scope.family == Family::C
            && let Some((found, how)) = self.scope.in_namespace(rest.last().unwrap_or(&head), name)
        {
            return Outcome::Found(found, how);
        }
        match self.scope.in_sight(head, from) {
            Some(hit) => self.scope.along(hit, &rest, name),
            None if self.scope.family.is_builtin(head) => {
                Outcome::Found(NameTarget::Builtin, How::Member)
            }
            None => Outcome::Dynamic,
        }
    }

    /// A module that is found by all of its path, or one that is around the place.
    fn of_module(&self, qualifier: &str, name: &str, from: u32) -> Option<Hit<'a>> {
        let table = self.scope.table();
        match self.scope.family {
            Family::Elixir | Family::Ruby | Family::Php if qualifier.contains(['.', ':', '\\']) => {
                self.scope.of_sibling(qualifier, from)
            }
            Family::Rust if matches!(qualifier, "super" | "self") => {
                let mut scopes = self.scope.scopes(from);
                let module =
                    scopes.clone().find(|&node| table.kind(node) == Some(SymbolKind::Module));
                let outer = match qualifier {
                    "super" => table.parent(module?),
                    // In a method it is the object.
                    _ if scopes.any(|node| table.kind(node) == Some(SymbolKind::Method)) => {
                        return None;
                    }
                    _ => module.unwrap_or(table.top(self.scope.file)),
                };
                Some((NameTarget::Node(outer), How::Member)).filter(|_| {
                    table.names.get(name).is_some_and(|name| table.child(outer, name).is_some())
                })
            }
            _ => None,
        }
    }

    /// `self.b()`, `super.b()`.
    fn of_own_class(&self, head: &str, name: &str, from: u32) -> Outcome<'a> {
        let Some(class) = self.class_around(from) else { return Outcome::Dynamic };
        let number = self.scope.table().names.get(name);
        let found = if is_super(head) {
            self.scope.lookup.base_member(class, number)
        } else {
            self.scope.lookup.member(class, number)
        };
        match found {
            Some((found, Way::Direct)) => Outcome::Found(found, How::Own),
            Some((found, Way::Around)) => Outcome::Found(found, How::Inherited),
            // A part of a class calls what another part will bring.
            None if self.only_method(name).is_ok() => Outcome::Dynamic,
            None => Outcome::Unresolved(Reason::UnknownMember),
        }
    }

    fn class_around(&self, from: u32) -> Option<u32> {
        let table = self.scope.table();
        // A component may be a class; where it is a function there is no `this` in it.
        self.scope.scopes(from).find(|&node| {
            self.scope.is_class(node) || table.kind(node) == Some(SymbolKind::Component)
        })
    }

    /// A method of a parameter whose type the signature says.
    fn of_parameter(
        &self,
        head: &str,
        rest: &[&str],
        name: &str,
        from: u32,
    ) -> Option<Outcome<'a>> {
        let table = self.scope.table();
        let declared = self.scope.scopes(from).find_map(|node| {
            let symbol = self.facts.symbols.get(table.symbol(node)? as usize)?;
            let function = matches!(
                symbol.kind,
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Component
            );
            function
                .then(|| signatures::type_of(&symbol.signature, head, self.scope.family))
                .flatten()
        })?;
        // What a field of it is, nobody says.
        if !rest.is_empty() {
            return Some(Outcome::Dynamic);
        }
        let mut path = declared.split(['.', ':', '\\']).filter(|part| !part.is_empty());
        let hit = self.scope.in_sight(path.next()?, from)?;
        let path: Vec<&str> = path.collect();
        Some(match self.scope.along(hit, &path, name) {
            Outcome::Found(found, How::Member) => Outcome::Found(found, How::Declared),
            Outcome::Unresolved(Reason::UnknownMember) => return None,
            outcome => outcome,
        })
    }

    /// A path that an import has as its specifier: `crate::a` of Rust, `a.b` of Python's `import a.b`.
    fn by_full_path(&self, qualifier: &str, name: &str) -> Option<Hit<'a>> {
        let separator = match self.scope.family {
            Family::Python if qualifier.contains('.') => '.',
            Family::Rust
                if qualifier.contains("::") || qualifier == "super" || qualifier == "crate" =>
            {
                ':'
            }
            _ => return None,
        };
        let mut prefix = qualifier;
        loop {
            for &import in self.specifiers.get(prefix).into_iter().flatten() {
                let Some((found, _)) =
                    self.scope.lookup.through_import(self.scope.file, import, None)
                else {
                    continue;
                };
                let rest: Vec<&str> = qualifier[prefix.len()..]
                    .split(separator)
                    .filter(|part| !part.is_empty())
                    .collect();
                if let Outcome::Found(found, how) =
                    self.scope.along((found, How::Member), &rest, name)
                {
                    return Some((found, how));
                }
            }
            let at = prefix.rfind(separator)?;
            prefix = prefix[..at].trim_end_matches(separator);
        }
    }

    /// The one method in the tree that is called so.
    fn only_method(&self, name: &str) -> Result<u32, Reason> {
        let table = self.scope.table();
        match table.names.get(name).and_then(|name| table.methods(self.scope.family, name)) {
            Some((node, 1)) if !is_common_method(name) => Ok(node),
            Some((_, 1)) | None => Err(Reason::DynamicReceiver),
            Some((_, count)) => Err(Reason::Ambiguous(count)),
        }
    }
}

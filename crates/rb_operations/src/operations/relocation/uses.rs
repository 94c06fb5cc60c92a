//! Where other files use a module: the names they import from it, its members by attribute, its path in strings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_python::ast::Expr;
use rb_python::ast::visitor::{self, Visitor};
use rb_python::{Ranged, Source, StringUse, TextRange};

use crate::layout::range;
use crate::project::Project;
use crate::references::ModuleReferenceKind;

/// The uses of one module in one file.
#[derive(Debug, Clone)]
pub(in crate::operations) struct FileUses {
    pub(in crate::operations) source: Arc<Source>,
    /// `from module import name`: indexes of statement and name. `*` is in `stars`.
    pub(in crate::operations) names: Vec<(usize, usize)>,
    /// `from module import *`: the statements.
    pub(in crate::operations) stars: Vec<usize>,
    /// Statements that bind the module itself.
    pub(in crate::operations) namespaces: Vec<Namespace>,
    /// Expressions that mean the module.
    pub(in crate::operations) accesses: Vec<Access>,
    pub(in crate::operations) strings: Vec<StringPath>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::operations) struct Namespace {
    pub(in crate::operations) import: usize,
    pub(in crate::operations) name: usize,
}

/// `module.member`, or the module alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::operations) struct Access {
    /// Of the expression that means the module.
    pub(in crate::operations) range: TextRange,
    pub(in crate::operations) member: Option<String>,
    /// It replaces the member in that module: `patch.object(module, "member")`, `module.member = …`.
    pub(in crate::operations) is_patch: bool,
    /// The member is named by a string behind it.
    pub(in crate::operations) is_quoted: bool,
}

/// `"a.module.member"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::operations) struct StringPath {
    /// Of `a.module`.
    pub(in crate::operations) range: TextRange,
    pub(in crate::operations) member: Option<String>,
    /// It replaces the member in that module for a test, rather than to lead to it.
    pub(in crate::operations) is_patch: bool,
    /// The path goes on behind the member.
    pub(in crate::operations) is_deeper: bool,
}

/// By path. The module's own file is among them.
pub(in crate::operations) fn uses_of(
    project: &Project<'_>,
    module: &str,
) -> BTreeMap<String, FileUses> {
    let mut files: BTreeMap<String, FileUses> = BTreeMap::new();
    for reference in project.module_references(module).references {
        let Some(source) = project.source(&reference.path) else { continue };
        let uses = files.entry(reference.path).or_insert_with(|| FileUses::new(source));
        uses.add(project, module, &reference.kind);
    }
    for uses in files.values_mut() {
        uses.add_aliased();
    }
    files
}

/// All names that other files take from a module in some way. Patches do not take: they go where the name is looked up.
pub(in crate::operations) fn members(
    uses: &BTreeMap<String, FileUses>,
    module: &str,
) -> BTreeSet<String> {
    let others = uses.iter().filter(|(path, _)| path.as_str() != module);
    others.flat_map(|(_, uses)| uses.members()).collect()
}

impl FileUses {
    fn new(source: Arc<Source>) -> Self {
        FileUses {
            source,
            names: Vec::new(),
            stars: Vec::new(),
            namespaces: Vec::new(),
            accesses: Vec::new(),
            strings: Vec::new(),
        }
    }

    fn add(&mut self, project: &Project<'_>, module: &str, kind: &ModuleReferenceKind) {
        match kind {
            ModuleReferenceKind::From { import } => self.add_from(project, module, *import),
            ModuleReferenceKind::FromParent { import, name }
            | ModuleReferenceKind::Import { import, name } => {
                self.namespaces.push(Namespace { import: *import, name: *name });
            }
            ModuleReferenceKind::Attribute { range } | ModuleReferenceKind::Name { range } => {
                self.add_access(*range);
            }
            ModuleReferenceKind::String { range } => self.add_string(*range),
        }
    }

    /// Uses of the module under another name.
    fn add_aliased(&mut self) {
        let imports = self.source.imports();
        let is_aliased = |one: &&Namespace| imports[one.import].names[one.name].alias.is_some();
        let aliased: Vec<Namespace> = self.namespaces.iter().filter(is_aliased).copied().collect();
        for one in aliased {
            for range in names_bound_by(&self.source, one.import, one.name) {
                if !self.accesses.iter().any(|access| access.range == range) {
                    self.add_access(range);
                }
            }
        }
    }

    fn add_from(&mut self, project: &Project<'_>, module: &str, index: usize) {
        let import = &self.source.imports()[index];
        let found = project.files.resolve(self.source.path(), &import.specifier(0));
        // `from package.below import x` names the package as well.
        if found.map(|found| project.module_path(&found)).as_deref() != Some(module) {
            return;
        }
        for (name, imported) in import.names.iter().enumerate() {
            if imported.name == "*" {
                self.stars.push(index);
            } else {
                self.names.push((index, name));
            }
        }
    }

    fn add_access(&mut self, module: TextRange) {
        let text: &str = self.source.text();
        let rest = &text[module.end().to_usize()..];
        let attribute =
            rest.trim_start().strip_prefix('.').map(|rest| identifier(rest.trim_start()));
        let named = rest.trim_start().strip_prefix(',').and_then(|rest| quoted(rest.trim_start()));
        let is_quoted = attribute.is_none() && named.is_some();
        let member = attribute.or(named).filter(|member| !member.is_empty()).map(str::to_owned);
        let is_patch = is_quoted || is_assigned(&self.source, module);
        self.accesses.push(Access { range: module, member, is_patch, is_quoted });
    }

    fn add_string(&mut self, path: TextRange) {
        let text: &str = self.source.text();
        let end = path.end().to_usize();
        let member = text[end..].strip_prefix('.').map(identifier).filter(|name| !name.is_empty());
        let literals = self.source.strings();
        let literal = literals.iter().find(|literal| literal.range.contains_range(path));
        let is_patch = literal.is_some_and(|literal| match &literal.usage {
            StringUse::Argument { callee, position: Some(0) } => is_patching(callee),
            _ => false,
        });
        let rest = member.map_or("", |member| &text[end + 1 + member.len()..]);
        let is_deeper = rest.strip_prefix('.').is_some_and(|rest| !identifier(rest).is_empty());
        let member = member.map(str::to_owned);
        self.strings.push(StringPath { range: path, member, is_patch, is_deeper });
    }

    fn members(&self) -> Vec<String> {
        let imports = self.source.imports();
        let names =
            self.names.iter().map(|(import, name)| imports[*import].names[*name].name.clone());
        let accesses = self.accesses.iter().filter(|access| !access.is_patch);
        let accesses = accesses.filter_map(|access| access.member.clone());
        let strings = self.strings.iter().filter(|string| !string.is_patch);
        let strings = strings.filter_map(|string| string.member.clone());
        names.chain(accesses).chain(strings).collect()
    }
}

/// `module.member = …`.
fn is_assigned(source: &Source, module: TextRange) -> bool {
    let mut finder = Stores { module, is_found: false };
    let index = source.body().partition_point(|statement| statement.end() < module.end());
    if let Some(statement) = source.body().get(index) {
        finder.visit_stmt(statement);
    }
    finder.is_found
}

struct Stores {
    module: TextRange,
    is_found: bool,
}

impl<'a> Visitor<'a> for Stores {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Attribute(attribute) = expr {
            self.is_found |= !attribute.ctx.is_load() && attribute.value.range() == self.module;
        }
        visitor::walk_expr(self, expr);
    }
}

/// `mock.patch`, `mocker.patch.object`, `monkeypatch.setattr`.
fn is_patching(callee: &str) -> bool {
    callee.split('.').any(|part| matches!(part, "patch" | "setattr" | "delattr" | "monkeypatch"))
}

/// The name at the beginning of a text.
pub(super) fn identifier(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The content of a plain string at the beginning of a text, if it is a name.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
    let name = identifier(&text[1..]);
    text[1 + name.len()..].starts_with(quote).then_some(name)
}

/// The uses of what an import binds.
pub(in crate::operations) fn names_bound_by(
    source: &Source,
    import: usize,
    name: usize,
) -> Vec<TextRange> {
    let scopes = source.scopes();
    let kind = rb_python::BindingKind::Import { import, name };
    let bound = scopes
        .variables
        .iter()
        .position(|one| one.bindings.iter().any(|binding| binding.kind == kind));
    let Some(variable) = bound.and_then(|index| u32::try_from(index).ok()) else {
        return Vec::new();
    };
    scopes.names_of(rb_python::VariableId(variable)).map(|name| name.range).collect()
}

/// The whole of `module.member`, dots and spaces included.
pub(in crate::operations) fn with_member(source: &Source, access: &Access) -> Option<TextRange> {
    let member = access.member.as_ref().filter(|_| !access.is_quoted)?;
    let end = access.range.end().to_usize();
    let at = source.text()[end..].find(member.as_str())?;
    Some(range(access.range.start().to_usize(), end + at + member.len()))
}

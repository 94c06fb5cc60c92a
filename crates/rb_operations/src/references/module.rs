//! All places that name a module or package: imports, attributes, plain names and strings.

use std::collections::BTreeSet;

use rb_python::ast::Expr;
use rb_python::{
    BindingKind, Import, Ranged, Source, StringLiteral, StringUse, TextRange, TextSize,
};

use super::strings::dotted_paths;
use super::walk::{expressions, named_member};
use super::{ModuleFound, ModuleReference, ModuleReferenceKind};
use crate::project::{Meaning, Project, Value};

/// What is looked for.
struct Target<'t> {
    path: &'t str,
    /// `a/b/` for a package.
    folder: Option<&'t str>,
    /// The last part of its name.
    name: String,
}

impl Target<'_> {
    /// Cheaper than to find out where a dotted name leads: its last part is the name of the module.
    fn may_be(&self, dotted: &str) -> bool {
        self.name.is_empty() || dotted.rsplit('.').next() == Some(&self.name)
    }
}

impl Project<'_> {
    /// All places that name a module itself.
    pub(crate) fn module_references(&self, path: &str) -> ModuleFound {
        let path = self.module_path(path);
        let dotted = self.module_name(&path);
        let folder = path.strip_suffix("__init__.py");
        let name = dotted.rsplit('.').next().unwrap_or_default().to_owned();
        let target = Target { path: &path, folder, name };
        let named = self.files_with(&[&target.name]);
        self.prepare(&named);
        let mut files: BTreeSet<String> = named.into_iter().collect();
        // `from . import x` in a package names it by its dots alone.
        let inside = |file: &&String| folder.is_some_and(|folder| file.starts_with(folder));
        files.extend(self.python_files().iter().filter(inside).cloned());
        let mut references = Vec::new();
        for file in files {
            let Some(source) = self.source(&file) else { continue };
            let mut kinds = Vec::new();
            self.add_module_imports(&source, &target, &mut kinds);
            self.add_module_names(&source, &target, &mut kinds);
            self.add_module_attributes(&source, &target, &mut kinds);
            self.add_module_strings(&source, &target, &mut kinds);
            kinds.sort_by_key(|kind| place(&source, kind));
            kinds.dedup();
            let reference = |kind| ModuleReference { path: source.path().to_owned(), kind };
            references.extend(kinds.into_iter().map(reference));
        }
        ModuleFound { references }
    }

    fn is_module(&self, target: &Target<'_>, meaning: &Meaning) -> bool {
        matches!(meaning, Meaning::Module(path) if self.module_path(path) == target.path)
    }

    fn add_module_imports(
        &self,
        source: &Source,
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        for (index, import) in source.imports().iter().enumerate() {
            if import.is_from && self.is_from(source, import, target) {
                kinds.push(ModuleReferenceKind::From { import: index });
            }
            for (position, name) in import.names.iter().enumerate() {
                let is_named = if import.is_from {
                    name.name == target.name
                        && self.is_module(target, &self.imported(source, import, position))
                } else {
                    prefixes(&name.name).any(|module| self.is_at(source, module, target))
                };
                if is_named && import.is_from {
                    kinds.push(ModuleReferenceKind::FromParent { import: index, name: position });
                } else if is_named {
                    kinds.push(ModuleReferenceKind::Import { import: index, name: position });
                }
            }
        }
    }

    /// Is the module of a `from` import the target, or one below it?
    fn is_from(&self, source: &Source, import: &Import, target: &Target<'_>) -> bool {
        if target.folder.is_none() && !target.may_be(&import.specifier(0)) {
            return false;
        }
        let Some(module) = self.imported_module(source, import) else {
            // A folder without `__init__.py` below a package.
            let specifier = import.specifier(0);
            return import.level == 0
                && prefixes(&specifier).any(|one| self.is_at(source, one, target));
        };
        let module = self.module_path(&module);
        module == target.path || target.folder.is_some_and(|folder| module.starts_with(folder))
    }

    fn is_at(&self, source: &Source, module: &str, target: &Target<'_>) -> bool {
        if !target.may_be(module) {
            return false;
        }
        let found = self.files.resolve(source.path(), module);
        found.is_some_and(|found| self.module_path(&found) == target.path)
    }

    /// Plain names that imports bind to the module, and entries of `__all__`.
    fn add_module_names(
        &self,
        source: &Source,
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        for name in source.scopes().names.iter().filter(|one| one.name == target.name) {
            let is_bound_by_import = name.variable.is_some_and(|id| {
                let bindings = &source.scopes().variable(id).bindings;
                bindings.iter().any(|one| binds_by_name(source, one.kind, &target.name))
            });
            let is_star = name.variable.is_none() && source.scopes().scopes[0].has_star_import;
            if (is_bound_by_import || is_star)
                && self.is_module(target, &self.value_of_name(source, name).into_meaning())
            {
                kinds.push(ModuleReferenceKind::Name { range: name.range });
            }
        }
        let entries = source.all().into_iter().flat_map(|all| &all.entries);
        for entry in entries.filter(|entry| entry.name == target.name) {
            let meaning = self.lookup(source.path(), &entry.name);
            let literal = source.strings().iter().find(|literal| literal.range == entry.range);
            if let (Some(meaning), Some(literal)) = (meaning, literal)
                && self.is_module(target, &meaning)
                && source.slice(literal.content) == target.name
            {
                kinds.push(ModuleReferenceKind::Name { range: literal.content });
            }
        }
    }

    fn add_module_attributes(
        &self,
        source: &Source,
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        let expressions = expressions(source);
        for attribute in expressions.attributes_named(&target.name) {
            let receiver = self.receiver_value(source, &attribute.value);
            let meaning = self.attribute(source, receiver, &attribute.attr).into_meaning();
            if self.is_module(target, &meaning) {
                kinds.push(match &*attribute.value {
                    Expr::Name(_) | Expr::Attribute(_) => {
                        ModuleReferenceKind::Attribute { range: attribute.range() }
                    }
                    // `sys.modules["a"].module`: only the name can be told apart.
                    _ => ModuleReferenceKind::Name { range: attribute.attr.range() },
                });
            }
        }
        for call in &expressions.calls {
            let Some(member) = named_member(source, call, &target.name) else { continue };
            let receiver = self.receiver_value(source, member.receiver);
            let meaning = self.attribute(source, receiver, &target.name).into_meaning();
            if self.is_module(target, &meaning) {
                kinds.push(ModuleReferenceKind::Name { range: member.range });
            }
        }
    }

    fn add_module_strings(
        &self,
        source: &Source,
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        for literal in source.strings() {
            if literal.has_escapes || literal.is_bytes {
                continue;
            }
            let content = source.slice(literal.content);
            if !content.contains(&target.name) {
                continue;
            }
            match &literal.usage {
                StringUse::Docstring | StringUse::All => {}
                StringUse::Annotation => self.add_quoted_modules(source, literal, target, kinds),
                StringUse::Argument { .. } | StringUse::Other => {
                    for path in dotted_paths(content) {
                        self.add_module_path(source, literal, &path.parts, target, kinds);
                    }
                    if content == target.name
                        && is_import_call(&literal.usage)
                        && self.is_at(source, content, target)
                    {
                        kinds.push(ModuleReferenceKind::String { range: literal.content });
                    }
                }
            }
        }
    }

    fn add_module_path(
        &self,
        source: &Source,
        literal: &StringLiteral,
        parts: &[(usize, &str)],
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        let content = source.slice(literal.content);
        let start = parts[0].0;
        for (offset, part) in parts {
            let end = offset + part.len();
            if *part == target.name && self.is_at(source, &content[start..end], target) {
                kinds.push(ModuleReferenceKind::String { range: range_in(literal, start, end) });
            }
        }
    }

    /// `"module.Class"` and `"a.module.Class"` as annotations.
    fn add_quoted_modules(
        &self,
        source: &Source,
        literal: &StringLiteral,
        target: &Target<'_>,
        kinds: &mut Vec<ModuleReferenceKind>,
    ) {
        let scope = source.scopes().scope_at(literal.range);
        let content = source.slice(literal.content);
        for path in dotted_paths(content) {
            let start = path.parts[0].0;
            for (offset, part) in path.parts.iter().skip(1).filter(|(_, part)| *part == target.name)
            {
                let end = offset + part.len();
                let value = self.dotted_value(source, scope, &content[start..end]);
                if matches!(value, Value::Module(path) if self.module_path(&path) == target.path) {
                    kinds.push(ModuleReferenceKind::Attribute {
                        range: range_in(literal, start, end),
                    });
                }
            }
        }
    }
}

/// `a`, `a.b`, `a.b.c`.
fn prefixes(dotted: &str) -> impl Iterator<Item = &str> {
    let ends = dotted.match_indices('.').map(|(at, _)| at).chain([dotted.len()]);
    ends.map(move |end| &dotted[..end])
}

/// Does the import bind the name that the module itself has, so that it changes with it?
fn binds_by_name(source: &Source, kind: BindingKind, name: &str) -> bool {
    let BindingKind::Import { import, name: index } = kind else { return false };
    let imported = &source.imports()[import].names[index];
    imported.alias.is_none() && imported.local() == name
}

/// The string is the name of a module, not of something else: `import_module("module")`.
fn is_import_call(usage: &StringUse) -> bool {
    let StringUse::Argument { callee, position: Some(0) } = usage else { return false };
    let last = callee.rsplit('.').next().unwrap_or(callee);
    matches!(last, "import_module" | "__import__" | "importorskip" | "find_spec" | "run_module")
}

fn range_in(literal: &StringLiteral, start: usize, end: usize) -> TextRange {
    let size = |length: usize| TextSize::try_from(length).expect("a file is smaller than 4 GiB");
    TextRange::at(literal.content.start() + size(start), size(end - start))
}

fn place(source: &Source, kind: &ModuleReferenceKind) -> (TextSize, usize) {
    match kind {
        ModuleReferenceKind::From { import } => (source.imports()[*import].range.start(), 0),
        ModuleReferenceKind::FromParent { import, name }
        | ModuleReferenceKind::Import { import, name } => {
            (source.imports()[*import].names[*name].range.start(), 1)
        }
        ModuleReferenceKind::Attribute { range }
        | ModuleReferenceKind::Name { range }
        | ModuleReferenceKind::String { range } => (range.start(), 2),
    }
}

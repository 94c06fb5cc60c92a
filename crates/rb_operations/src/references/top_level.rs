//! References to a top-level name: in its module, by import, through modules, in `__all__` and in strings.

use rb_python::{
    Binding, BindingKind, Import, NameRole, ScopeId, ScopeKind, Source, TextRange, VariableId,
};

use super::exposure::Exposure;
use super::walk::{expressions, named_member};
use super::{Doubt, Found, ReferenceKind};
use crate::operation::SymbolPath;
use crate::project::{Meaning, Project, Value};

/// What is looked for.
pub(super) struct Target<'t> {
    pub(super) symbol: &'t SymbolPath,
    pub(super) exposure: &'t Exposure,
}

impl Project<'_> {
    pub(super) fn top_level_references(&self, symbol: &SymbolPath) -> Found {
        let exposure = self.exposure(symbol);
        let target = Target { symbol, exposure: &exposure };
        let mut found = Found::default();
        let paths = self.files_with(&[&symbol.name]);
        self.prepare(&paths);
        for path in paths {
            match self.source(&path) {
                Some(source) => self.add_top_level(&source, &target, &mut found),
                None => found.mentions.push(unreadable(path)),
            }
        }
        self.add_fixture_uses(symbol, &mut found);
        found
    }

    fn add_top_level(&self, source: &Source, target: &Target<'_>, found: &mut Found) {
        let name = &target.symbol.name;
        self.add_variables(source, target, found);
        self.add_imports(source, target, found);
        if source.scopes().scopes[0].has_star_import {
            self.add_star_names(source, target.symbol, found);
        }
        if target.exposure.modules.contains(&self.module_path(source.path())) {
            found.add_all(source, name);
        }
        self.add_through_modules(source, target, found);
        self.add_strings(source, name, found, &|value| match value {
            Value::Symbol(symbol) => symbol == target.symbol,
            _ => false,
        });
    }

    /// Variables that hold it: that of its own module, and those that imports bind.
    fn add_variables(&self, source: &Source, target: &Target<'_>, found: &mut Found) {
        let name = &target.symbol.name;
        let is_own_module = self.module_path(source.path()) == target.symbol.path;
        for (index, variable) in (0_u32..).zip(&source.scopes().variables) {
            if variable.name != *name {
                continue;
            }
            let is_own = is_own_module && variable.scope == ScopeId(0);
            let binds = |binding: &&Binding| self.binds(source, binding, target);
            let is_imported = variable.bindings.iter().any(|binding| binds(&binding));
            if !is_own && !is_imported {
                continue;
            }
            let scope = source.scopes().scope(variable.scope);
            let is_seen = scope.kind == ScopeKind::Module && !is_own;
            let is_rebound = is_seen && self.is_own_name(source, name);
            if !is_rebound {
                found.add_variable(source, VariableId(index), is_own);
            }
            for binding in variable.bindings.iter().filter(|one| !binds(one)) {
                found.add_other_binding(source, binding, is_own, is_rebound);
            }
            if is_imported && scope.kind == ScopeKind::Class {
                let range = variable.bindings[0].range;
                found.doubt(source, range, "it is imported into the body of a class");
            }
        }
    }

    fn binds(&self, source: &Source, binding: &Binding, target: &Target<'_>) -> bool {
        let BindingKind::Import { import, name } = binding.kind else { return false };
        let import = &source.imports()[import];
        import.names[name].name == target.symbol.name
            && self.imported(source, import, name) == Meaning::Symbol(target.symbol.clone())
            && self.is_taken_by_name(source, import, target)
    }

    /// Is the name, whatever imports bind it as well, something that the module itself defines?
    fn is_own_name(&self, source: &Source, name: &str) -> bool {
        match self.lookup(source.path(), name) {
            Some(Meaning::Symbol(symbol)) => symbol.path == self.module_path(source.path()),
            _ => false,
        }
    }

    fn add_imports(&self, source: &Source, target: &Target<'_>, found: &mut Found) {
        let symbol = target.symbol;
        for (index, import) in source.imports().iter().enumerate().filter(|(_, one)| one.is_from) {
            for (position, name) in import.names.iter().enumerate() {
                if name.name != symbol.name {
                    continue;
                }
                match self.imported(source, import, position) {
                    Meaning::Symbol(other) if other == *symbol => {
                        if !self.is_taken_by_name(source, import, target) {
                            continue;
                        }
                        let kind = ReferenceKind::Import { import: index, name: position };
                        found.add(source, name.name_range, kind);
                        if let Some((alias, range)) = &name.alias
                            && *alias == symbol.name
                        {
                            found.add(source, *range, ReferenceKind::Name);
                        }
                    }
                    Meaning::Unknown => {
                        self.doubt_import(source, import, name.name_range, target, found);
                    }
                    Meaning::Symbol(_)
                    | Meaning::Module(_)
                    | Meaning::Instance(_)
                    | Meaning::Foreign(_) => {}
                }
            }
        }
    }

    /// Does the module have the symbol under its own name? `from m import x as y` in one and `from that import y as x` in another does not.
    fn is_taken_by_name(&self, source: &Source, import: &Import, target: &Target<'_>) -> bool {
        let module = self.imported_module(source, import);
        module.is_some_and(|module| target.exposure.modules.contains(&self.module_path(&module)))
    }

    /// An import from a module that gives its names in a way that cannot be followed.
    fn doubt_import(
        &self,
        source: &Source,
        import: &Import,
        range: TextRange,
        target: &Target<'_>,
        found: &mut Found,
    ) {
        let Some(module) = self.imported_module(source, import) else { return };
        let Some(text) = self.files.text(&module) else { return };
        let words = [target.symbol.name.as_str(), "__getattr__", "globals"];
        let may_have_it =
            words.iter().any(|word| crate::project::word_ranges(&text, word).next().is_some());
        if may_have_it {
            found.doubt(
                source,
                range,
                format!("{module} does not say where it takes this name from"),
            );
        }
    }

    fn add_star_names(&self, source: &Source, symbol: &SymbolPath, found: &mut Found) {
        let names = source.scopes().names.iter();
        let mut unbound =
            names.filter(|one| one.variable.is_none() && one.name == symbol.name).peekable();
        if unbound.peek().is_some()
            && self.star_meaning(source, &symbol.name) == Some(Meaning::Symbol(symbol.clone()))
        {
            unbound.for_each(|one| found.add(source, one.range, ReferenceKind::Name));
        }
    }

    /// `module.name`, `getattr(module, "name")`, `patch.multiple("module", name=…)`, `globals()["name"]`.
    fn add_through_modules(&self, source: &Source, target: &Target<'_>, found: &mut Found) {
        let name = target.symbol.name.as_str();
        let expressions = expressions(source);
        let gives_it = |value: Value| match value {
            Value::Module(path) => target.exposure.modules.contains(&self.module_path(&path)),
            _ => false,
        };
        for attribute in expressions.attributes_named(name) {
            if gives_it(self.receiver_value(source, &attribute.value)) {
                found.add(source, attribute.attr.range, ReferenceKind::Attribute);
            }
        }
        for call in &expressions.calls {
            if let Some(member) = named_member(source, call, name)
                && gives_it(self.receiver_value(source, member.receiver))
            {
                found.add(source, member.range, ReferenceKind::String);
            }
            if let Some((receiver, range)) = super::strings::patched_keyword(call, name)
                && gives_it(self.receiver_value(source, receiver))
            {
                found.add(source, range, ReferenceKind::Keyword);
            }
        }
        for subscript in &expressions.subscripts {
            let content = super::walk::string_content(source, &subscript.slice);
            let Some(content) = content.filter(|range| source.slice(*range) == name) else {
                continue;
            };
            let is_own = super::strings::is_globals(&subscript.value)
                && target.exposure.modules.contains(&self.module_path(source.path()));
            let of_module = super::strings::dictionary_owner(&subscript.value);
            if is_own || of_module.is_some_and(|owner| gives_it(self.receiver_value(source, owner)))
            {
                found.add(source, content, ReferenceKind::String);
            }
        }
        for dict in &expressions.dicts {
            self.add_lazy_imports(source, dict, name, found, &gives_it);
        }
    }
}

fn unreadable(path: String) -> Doubt {
    Doubt { path, range: TextRange::default(), why: "the file has syntax errors".to_owned() }
}

impl Found {
    /// The variable is also bound to something else.
    fn add_other_binding(
        &mut self,
        source: &Source,
        binding: &Binding,
        is_own: bool,
        is_rebound: bool,
    ) {
        match binding.kind {
            BindingKind::Import { import, name } => {
                let import = &source.imports()[import];
                if import.names[name].alias.is_some() {
                    let kind = if is_own { ReferenceKind::Definition } else { ReferenceKind::Name };
                    self.add(source, binding.range, kind);
                } else {
                    let why = format!("it is also imported from `{}`", import.specifier(name));
                    self.doubt(source, binding.range, why);
                }
            }
            BindingKind::Function
            | BindingKind::Class
            | BindingKind::Assignment
            | BindingKind::Declaration
            | BindingKind::Parameter
            | BindingKind::Other => {
                if is_rebound {
                    self.doubt(source, binding.range, "the imported name is bound again here");
                }
            }
        }
    }

    /// All names that mean a variable.
    pub(super) fn add_variable(&mut self, source: &Source, variable: VariableId, is_own: bool) {
        for name in source.scopes().names_of(variable) {
            let kind = match name.role {
                NameRole::Binding if is_own => ReferenceKind::Definition,
                NameRole::Binding | NameRole::Use | NameRole::Delete => ReferenceKind::Name,
            };
            self.add(source, name.range, kind);
        }
    }

    fn add_all(&mut self, source: &Source, name: &str) {
        let Some(all) = source.all() else { return };
        for entry in all.entries.iter().filter(|entry| entry.name == name) {
            let literals = source.strings();
            let literal = literals.iter().find(|literal| literal.range == entry.range);
            if let Some(literal) = literal.filter(|literal| source.slice(literal.content) == name) {
                self.add(source, literal.content, ReferenceKind::All);
            }
        }
    }
}

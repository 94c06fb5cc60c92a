//! Functions of a module become static methods of a new class in it, and everything that named a function names the class before it.
//!
//! First all uses change, while the functions still stand at the top level; then their blocks go into the class. The class stands where the
//! first function stood, or later if one of them needs something that is defined in between.

mod class_text;
mod exports;
mod position;
mod strings;

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::plural;
use rb_python::{NameRole, Ranged, Source, TextRange};

use super::calls::{Callable, Use, place, refusal};
use super::edits::FileEdits;
use super::functions::{functions, functions_named};
use super::line_fit::fitted;
use super::name_import::{Needed, with_import};
use super::new_name::{check_builtin, check_identifier, is_mangled, is_public};
use crate::document::{DocumentQuery, documents};
use crate::operation::{Operation, SymbolPath};
use crate::outcome::{ApiChange, FileChange, Outcome, Place, Refusal};
use crate::project::{Meaning, Project};
use crate::references::Reference;

struct Request<'o> {
    /// The module.
    home: &'o str,
    class: &'o str,
    functions: Vec<&'o str>,
}

/// What follows from the functions, by file.
#[derive(Default)]
struct Changes {
    edits: FileEdits,
    imports: BTreeMap<String, Vec<Reference>>,
    exports: BTreeMap<String, Vec<Reference>>,
}

pub(super) fn plan(project: &Project<'_>, operation: &Operation) -> Result<Outcome, Refusal> {
    let Operation::Encapsulate { functions, class } = operation else {
        return Err(Refusal::new("this is not an encapsulation", "ask for another operation"));
    };
    check_identifier(class)?;
    check_builtin(class)?;
    let Some(first) = functions.first() else {
        return Err(Refusal::new("no function is named", "name the functions"));
    };
    if let Some(other) = functions.iter().find(|function| function.path != first.path) {
        let reason = format!("the functions are in {} and {}", first.path, other.path);
        return Err(Refusal::new(reason, "name functions of one module"));
    }
    let names = functions.iter().map(|function| function.name.as_str()).collect();
    Request { home: &first.path, class, functions: names }.plan(project)
}

impl Request<'_> {
    fn plan(&self, project: &Project<'_>) -> Result<Outcome, Refusal> {
        let Some(home) = project.source(self.home) else {
            let reason = format!("{} is not a Python file without syntax errors", self.home);
            return Err(Refusal::new(reason, "name the file of the functions"));
        };
        let mut changes = Changes::default();
        let mut outcome = Outcome::default();
        for name in &self.functions {
            self.check_function(&home, name)?;
            self.follow(project, name, &mut changes)?;
            self.report(&home, name, &mut outcome);
        }
        for (path, entries) in &changes.exports {
            exports::rewrite(project, self.class, path, entries, &mut changes.edits);
        }
        let written = documents(project, &self.documents(project));
        let mut prose = FileEdits::default();
        for (path, edits) in written.edits {
            for edit in edits {
                prose.add(&path, edit);
            }
        }
        changes.edits.merge(prose);
        outcome.mentions = written.mentions;
        outcome.files = fitted(project.files, self.files(project, &changes)?);
        outcome.title = format!(
            "{} of {} made static methods of `{}`",
            plural(self.functions.len(), "function"),
            self.home,
            self.class
        );
        Ok(outcome)
    }

    /// All that names a function.
    fn follow(
        &self,
        project: &Project<'_>,
        name: &str,
        changes: &mut Changes,
    ) -> Result<(), Refusal> {
        let symbol = SymbolPath { path: self.home.to_owned(), name: name.to_owned() };
        let callable = Callable::new(project, &symbol)?;
        self.check_definitions(project, &callable)?;
        self.rewrite_uses(project, &callable, &mut changes.edits)?;
        for reference in &callable.strings {
            strings::rewrite(project, self.class, reference, &mut changes.edits)?;
        }
        for reference in callable.imports {
            changes.imports.entry(reference.path.clone()).or_default().push(reference);
        }
        for reference in callable.exports {
            changes.exports.entry(reference.path.clone()).or_default().push(reference);
        }
        Ok(())
    }

    fn check_function(&self, home: &Source, name: &str) -> Result<(), Refusal> {
        self.check_class_is_free(home)?;
        let all = functions_named(home, name);
        let is_direct = |statement: &rb_python::ast::Stmt| {
            statement.as_function_def_stmt().is_some_and(|function| function.name.as_str() == name)
        };
        let count = home.body().iter().filter(|statement| is_direct(statement)).count();
        let bindings =
            home.scopes().global(name).map_or(0, |id| home.scopes().variable(id).bindings.len());
        if count != 1 || all.len() != 1 || bindings != 1 {
            let places =
                all.iter().map(|one| place(home, one.node.name.range(), "defined here")).collect();
            let reason = format!("`{name}` is not one function at the top level of {}", self.home);
            return Err(refusal(reason, places, "name functions that are defined once"));
        }
        let range = all[0].node.range();
        let mangled = home.parsed().tokens().iter().filter(|token| {
            range.contains_range(token.range()) && is_mangled(home.slice(token.range()))
        });
        let places: Vec<Place> = mangled
            .map(|token| place(home, token.range(), "Python would change it in a class"))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        Err(refusal(
            format!("`{name}` uses a name with two underscores"),
            places,
            "rename it first",
        ))
    }

    fn check_class_is_free(&self, source: &Source) -> Result<(), Refusal> {
        let class = self.class;
        let used =
            source.scopes().names.iter().find(|name| name.name == class).map(|name| name.range);
        let bound = source.scopes().variables.iter().find(|variable| variable.name == class);
        let bound =
            bound.and_then(|variable| variable.bindings.first()).map(|binding| binding.range);
        let Some(range) = used.or(bound) else { return Ok(()) };
        let reason = format!("the name `{class}` is taken in {}", source.path());
        let places = vec![place(source, range, "it is used here")];
        Err(refusal(reason, places, "choose another name for the class"))
    }

    fn check_definitions(&self, project: &Project<'_>, callable: &Callable) -> Result<(), Refusal> {
        let mut places: Vec<Place> = super::certainty::doubts(project, callable);
        for definition in callable.definitions.iter().filter(|one| one.path != self.home) {
            if let Some(source) = project.source(&definition.path) {
                places.push(place(&source, definition.name, "it is defined here, too"));
            }
        }
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("not all that names `{}` is known", callable.symbol.name);
        Err(refusal(reason, places, "change these places first"))
    }

    /// `f` becomes `Class.f`, `module.f` becomes `module.Class.f`.
    fn rewrite_uses(
        &self,
        project: &Project<'_>,
        callable: &Callable,
        edits: &mut FileEdits,
    ) -> Result<(), Refusal> {
        for file in callable.files(project) {
            let source = &file.source;
            self.check_class_is_free(source)?;
            for one in file.uses() {
                let range = one.range();
                let name = source.scopes().name_at(range);
                if name.is_some_and(|name| name.role != NameRole::Use) {
                    let places = vec![place(source, range, "it is bound or deleted here")];
                    let reason = format!("`{}` does not stay what it is", callable.name());
                    return Err(refusal(reason, places, "leave it out"));
                }
                let range = module_use(project, self.home, source, &one).unwrap_or(range);
                edits.replace(source.path(), range, format!("{}.{}", self.class, callable.name()));
            }
        }
        Ok(())
    }

    fn documents(&self, project: &Project<'_>) -> DocumentQuery {
        let module = project.module_name(self.home);
        let mut query = DocumentQuery::default();
        for name in &self.functions {
            let new = format!("{}.{name}", self.class);
            query.dotted.push((format!("{module}.{name}"), format!("{module}.{new}")));
            query.names.push(((*name).to_owned(), new));
        }
        query
    }

    fn report(&self, home: &Source, name: &str, outcome: &mut Outcome) {
        let all = functions(home);
        let function = all.iter().find(|function| function.path.as_deref() == Some(name));
        let range = function.map(|function| function.node.name.range()).unwrap_or_default();
        outcome.sites.push(place(home, range, format!("now `{}.{name}`", self.class)));
        if is_public(name) {
            let (before, after) = (name.to_owned(), format!("{}.{name}", self.class));
            outcome.api.push(ApiChange { path: self.home.to_owned(), before, after });
        }
    }

    fn files(
        &self,
        project: &Project<'_>,
        changes: &Changes,
    ) -> Result<BTreeMap<String, FileChange>, Refusal> {
        let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
        for path in changes.edits.paths() {
            let text = changes.edits.text(project.files, path)?;
            texts.extend(text.map(|text| (path.to_owned(), text)));
        }
        for (path, references) in &changes.imports {
            let text = texts.get(path).cloned().or_else(|| project.files.text(path));
            let Some(text) = text else { continue };
            let new = exports::import_class(project, self.class, path, text, references)?;
            texts.insert(path.clone(), new);
        }
        for (path, text) in &mut texts {
            if crate::project::is_python(path) {
                *text = self.with_class(project, path, Arc::clone(text))?;
            }
        }
        let home = texts.get(self.home).cloned().or_else(|| project.files.text(self.home));
        if let Some(home) = home {
            let home = class_text::gathered(self.home, &home, self.class, &self.functions)?;
            texts.insert(self.home.to_owned(), home.into());
        }
        Ok(texts.into_iter().map(|(path, text)| (path, FileChange::Edited(text))).collect())
    }

    /// A file that named the functions with their module imports the class instead.
    fn with_class(
        &self,
        project: &Project<'_>,
        path: &str,
        text: Arc<str>,
    ) -> Result<Arc<str>, Refusal> {
        let Ok(source) = Source::parse(path, Arc::clone(&text)) else { return Ok(text) };
        let is_unbound =
            |name: &rb_python::Name| name.name == self.class && name.variable.is_none();
        if path == self.home || !source.scopes().names.iter().any(is_unbound) {
            return Ok(text);
        }
        let beside = self.functions.first().copied().unwrap_or_default();
        let needed = Needed { home: self.home, name: self.class, beside };
        let text = with_import(project, path, text, &needed)?;
        exports::without_module(project, self.home, path, text)
    }
}

/// `module.f` as a whole, where the module is imported under one name.
fn module_use(
    project: &Project<'_>,
    home: &str,
    source: &Source,
    one: &Use<'_>,
) -> Option<TextRange> {
    let expression = match one {
        Use::Call(call) => &*call.func,
        Use::Partial(call) => call.arguments.args.first()?,
        Use::Decorator(expression) | Use::Value(expression) => expression,
        Use::Quoted(_) => return None,
    };
    let attribute = expression.as_attribute_expr()?;
    let is_module = attribute.value.is_name_expr()
        && project.meaning(source, &attribute.value) == Meaning::Module(home.to_owned());
    is_module.then(|| attribute.range())
}

#[cfg(test)]
mod tests;

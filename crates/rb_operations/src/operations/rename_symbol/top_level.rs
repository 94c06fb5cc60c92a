//! A top-level name: its module, the imports of others, and what each of them calls it afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_python::{BindingKind, ScopeId, Source, VariableId};

use super::exposure::{Exposure, ImportedName, Kept};
use super::{Renaming, Request, computed_names, convention, metaclass, own_names, star_imports};
use crate::operations::capture::captures;
use crate::operations::changes::check_imported_by_statements;
use crate::operations::edits::FileEdits;
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, Project};
use crate::references::{Found, Reference};

/// Variables that get the new name, by file.
type Renamed = BTreeMap<String, BTreeSet<VariableId>>;

pub(super) fn rename(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<Renaming, Refusal> {
    let (source, variable) = declaration(project, request)?;
    check_imported_by_statements(project, &request.symbol.path)?;
    let exposure = Exposure::new(project, found, request.old);
    let mut kept = kept_on_request(request, &exposure)?;
    let mut notes = Vec::new();
    exposure.close(&mut kept);
    star_imports::check(project, request, &exposure, &kept)?;
    convention::check(project, request, found)?;
    metaclass::check_class(project, request, found)?;
    let mut modules = exposure.importing_modules();
    modules.insert(&request.symbol.path);
    computed_names::check_top_level(project, request, found, &modules)?;
    computed_names::check_class(project, request)?;
    let plan = TopLevel { project, request, found, exposure: &exposure, source: &source, variable };
    loop {
        let mut attempt = Attempt::default();
        plan.edit(&kept, &mut attempt)?;
        let captured = plan.captured(&attempt)?;
        let Some(path) = plan.importer_to_keep(&captured, &attempt)? else {
            return Ok(plan.renaming(attempt, &kept, notes));
        };
        notes.push(format!(
            "{path} has another `{}`: it imports the symbol `as {}` and goes on with that name",
            request.to, request.old
        ));
        let variables = attempt.renamed.remove(&path).unwrap_or_default();
        kept.variables.extend(variables.into_iter().map(|variable| (path.clone(), variable)));
        exposure.close(&mut kept);
    }
}

#[derive(Default)]
struct Attempt {
    edits: FileEdits,
    renamed: Renamed,
}

struct TopLevel<'a> {
    project: &'a Project<'a>,
    request: &'a Request<'a>,
    found: &'a Found,
    exposure: &'a Exposure,
    source: &'a Arc<Source>,
    variable: VariableId,
}

/// The variable of the module, if the symbol is declared there and not imported.
fn declaration(
    project: &Project<'_>,
    request: &Request<'_>,
) -> Result<(Arc<Source>, VariableId), Refusal> {
    let path = &request.symbol.path;
    let missing = || {
        let reason = format!("{path} has no top-level name `{}`", request.old);
        Refusal::new(reason, "check the name, or name the file that declares it")
    };
    let source = project.source(path).ok_or_else(missing)?;
    let variable = source.scopes().global(request.old).ok_or_else(missing)?;
    if let Some(Meaning::Symbol(symbol)) = project.lookup(path, request.old)
        && symbol.path != *path
    {
        let reason = format!("`{}` is declared in {}, {path} imports it", request.old, symbol.path);
        return Err(Refusal::new(reason, format!("rename `{symbol}`")));
    }
    Ok((source, variable))
}

fn kept_on_request(request: &Request<'_>, exposure: &Exposure) -> Result<Kept, Refusal> {
    let mut kept = Kept::default();
    let importing = exposure.importing_modules();
    for path in request.keep_name_in {
        if !importing.contains(path.as_str()) {
            let reason = format!("{path} does not import `{}` under this name", request.old);
            let suggestion = "name a module that gives it to others, such as an `__init__.py`";
            return Err(Refusal::new(reason, suggestion));
        }
        kept.modules.insert(path.clone());
    }
    Ok(kept)
}

impl TopLevel<'_> {
    fn edit(&self, kept: &Kept, attempt: &mut Attempt) -> Result<(), Refusal> {
        let own = self.symbol_path();
        attempt.renamed.entry(own.to_owned()).or_default().insert(self.variable);
        for import in &self.exposure.imports {
            self.edit_import(import, kept, attempt);
        }
        for reference in &self.found.references {
            self.edit_reference(reference, kept, attempt);
        }
        for (path, variable) in self.declared_by_stubs(&attempt.renamed) {
            attempt.renamed.entry(path).or_default().insert(variable);
        }
        for (path, variables) in attempt.renamed.clone() {
            let Some(source) = self.project.source(&path) else { continue };
            for variable in variables {
                self.edit_variable(&source, variable, &mut attempt.edits)?;
                own_names::follow(&source, variable, self.request.to, &mut attempt.edits);
            }
        }
        Ok(())
    }

    /// What is within an import statement is for `edit_import`.
    fn edit_reference(&self, reference: &Reference, kept: &Kept, attempt: &mut Attempt) {
        let Some(source) = self.project.source(&reference.path) else { return };
        let mut imports = source.imports().iter();
        let is_in_import = imports.any(|import| import.range.contains_range(reference.range));
        if is_in_import || kept.covers(self.project, reference) {
            return;
        }
        attempt.edits.replace(&reference.path, reference.range, self.request.to);
        let name = source.scopes().name_at(reference.range);
        if let Some(variable) = name.and_then(|name| name.variable) {
            attempt.renamed.entry(reference.path.clone()).or_default().insert(variable);
        }
    }

    /// The stubs of modules that import the symbol may declare it themselves.
    fn declared_by_stubs(&self, renamed: &Renamed) -> Vec<(String, VariableId)> {
        let is_renamed = |path: &str, variables: &BTreeSet<VariableId>| {
            let source = self.project.source(path)?;
            let mut variables = variables.iter().map(|id| source.scopes().variable(*id));
            variables.any(|variable| variable.scope == ScopeId(0)).then_some(())
        };
        let stub = |(path, variables): (&String, &BTreeSet<VariableId>)| {
            is_renamed(path, variables)?;
            let stub = self.project.source(&format!("{path}i"))?;
            Some((stub.path().to_owned(), stub.scopes().global(self.request.old)?))
        };
        renamed.iter().filter_map(stub).collect()
    }

    fn symbol_path(&self) -> &str {
        &self.request.symbol.path
    }

    fn edit_import(&self, import: &ImportedName, kept: &Kept, attempt: &mut Attempt) {
        if import.stays(kept) {
            return;
        }
        let path = import.source.path();
        let name = &import.source.imports()[import.import].names[import.name];
        let key = import.variable.map(|variable| (path.to_owned(), variable));
        let keeps_variable = key.as_ref().is_some_and(|key| kept.variables.contains(key));
        if keeps_variable && name.alias.is_none() {
            let text = format!("{} as {}", self.request.to, self.request.old);
            attempt.edits.replace(path, name.name_range, text);
            return;
        }
        attempt.edits.replace(path, name.name_range, self.request.to);
        if let Some((path, variable)) = key.filter(|_| !keeps_variable) {
            attempt.renamed.entry(path).or_default().insert(variable);
        }
    }

    /// All names of a variable, and its other bindings: `except ImportError: from other import old as new`.
    fn edit_variable(
        &self,
        source: &Source,
        id: VariableId,
        edits: &mut FileEdits,
    ) -> Result<(), Refusal> {
        let path = source.path();
        let to = self.request.to;
        for name in source.scopes().names_of(id) {
            edits.replace(path, name.range, to);
        }
        for binding in &source.scopes().variable(id).bindings {
            let BindingKind::Import { import, name } = binding.kind else { continue };
            let name = &source.imports()[import].names[name];
            match &name.alias {
                Some((_, range)) => edits.replace(path, *range, to),
                None if edits.covers(path, name.name_range) => {}
                None if name.name.contains('.') => {
                    let what = format!("`import {}` binds it", name.name);
                    let line = source.line(name.range.start());
                    let place = Place { path: path.to_owned(), line, what };
                    let reason = format!("`{}` is also the name of a package", self.request.old);
                    let refusal = Refusal::new(reason, "rename by hand");
                    return Err(Refusal { places: vec![place], ..refusal });
                }
                None => edits.replace(path, name.name_range, format!("{} as {to}", name.name)),
            }
        }
        Ok(())
    }

    /// Files in which a name would mean something else, with the places.
    fn captured(&self, attempt: &Attempt) -> Result<BTreeMap<String, Vec<Place>>, Refusal> {
        let mut captured = BTreeMap::new();
        let paths: BTreeSet<&str> =
            attempt.edits.paths().chain(attempt.renamed.keys().map(String::as_str)).collect();
        for path in paths {
            let Some(before) = self.project.source(path) else { continue };
            let Some(text) = attempt.edits.text(self.project.files, path)? else { continue };
            let renamed = attempt.renamed.get(path).cloned().unwrap_or_default();
            let mut places = match Source::parse(path, text) {
                Ok(after) => captures(&before, &after, &renamed, self.request.to),
                Err(error) => {
                    vec![Place { path: path.to_owned(), line: error.line, what: error.message }]
                }
            };
            places.extend(self.submodule_clash(path, &before, &renamed));
            if !places.is_empty() {
                captured.insert(path.to_owned(), places);
            }
        }
        Ok(captured)
    }

    /// A package whose top level gets the new name, and which has a module of that name.
    fn submodule_clash(
        &self,
        path: &str,
        source: &Source,
        renamed: &BTreeSet<VariableId>,
    ) -> Option<Place> {
        let folder =
            path.strip_suffix("__init__.py").or_else(|| path.strip_suffix("__init__.pyi"))?;
        let to = self.request.to;
        let is_global = |id: &VariableId| source.scopes().variable(*id).scope == ScopeId(0);
        let is_renamed = renamed.iter().any(is_global);
        let modules = [format!("{folder}{to}.py"), format!("{folder}{to}/__init__.py")];
        let module = modules.into_iter().find(|path| self.project.files.text(path).is_some())?;
        let what = format!("`{to}` is a module of this package");
        is_renamed.then_some(Place { path: module, line: 1, what })
    }

    /// A file that only imports the symbol can go on with the old name. None: nothing is captured.
    fn importer_to_keep(
        &self,
        captured: &BTreeMap<String, Vec<Place>>,
        attempt: &Attempt,
    ) -> Result<Option<String>, Refusal> {
        let can_keep = |path: &String| {
            path != self.symbol_path()
                && attempt.renamed.get(path).is_some_and(|v| !v.is_empty())
                && self.exposure.imports.iter().any(|import| import.source.path() == path)
        };
        let stuck = captured.iter().filter(|(path, _)| !can_keep(path));
        let places: Vec<Place> = stuck.flat_map(|(_, places)| places.clone()).collect();
        if !places.is_empty() {
            let reason = format!("`{}` is taken", self.request.to);
            let suggestion = "choose another name, or rename the other one first";
            return Err(Refusal { places, ..Refusal::new(reason, suggestion) });
        }
        Ok(captured.keys().next().cloned())
    }

    fn renaming(&self, attempt: Attempt, kept: &Kept, notes: Vec<String>) -> Renaming {
        let bindings = &self.source.scopes().variable(self.variable).bindings;
        let sites = bindings.iter().map(|binding| Place {
            path: self.symbol_path().to_owned(),
            line: self.source.line(binding.range.start()),
            what: format!("`{}` is declared here", self.request.to),
        });
        let own = self.symbol_path();
        let importing = self.exposure.importing_modules();
        let exposed = importing.into_iter().filter(|path| {
            *path != own
                && !kept.modules.contains(*path)
                && gives_on(self.project, path, self.request.old)
        });
        let exposed_by = exposed.map(str::to_owned).collect();
        Renaming {
            edits: attempt.edits,
            sites: sites.collect(),
            exposed_by,
            notes,
            ..Renaming::default()
        }
    }
}

/// An import that is there for others: in an `__init__`, in `__all__`, or written as `x as x`.
fn gives_on(project: &Project<'_>, path: &str, name: &str) -> bool {
    let Some(source) = project.source(path) else { return false };
    let is_package = path.ends_with("/__init__.py") || path == "__init__.py";
    let is_repeated = source.imports().iter().flat_map(|import| &import.names).any(|imported| {
        let alias = imported.alias.as_ref().map(|(alias, _)| alias);
        imported.name == name && alias.is_some_and(|alias| alias == name)
    });
    !Project::is_test(path)
        && (is_package || is_repeated || star_imports::lists(project, path, name))
}

//! Import statements in the making: add a name to what is imported already, remove one, keep the file's order and style.
//!
//! `ImportEditor` changes one text step by step and reads it anew after each, so that a step sees what the one before it made. What a name
//! means, and whether it is still used, is for the caller to know.

mod line_limit;
mod names;
mod order;
mod resort;
mod standard_library;
mod statement;

use std::sync::Arc;

use rb_core::Edit;
use rb_python::ast::{Stmt, StmtIf};
use rb_python::{Import, ImportPlace, Source};

pub(crate) use self::line_limit::line_limit;
use self::names::{Item, NameOrder, relist};
pub(crate) use self::order::is_docstring;
use self::order::{Candidate, spot};
pub(crate) use self::resort::in_order;
pub(crate) use self::statement::at_head_of_function;
use crate::files::Files;
use crate::layout::{line_end, newline, offset};
use crate::outcome::Refusal;

/// What an import brings in: `from module import name as alias`, or `import module as alias` if there is no name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Imported {
    /// As it is written, dots included.
    pub(crate) module: String,
    pub(crate) name: Option<String>,
    pub(crate) alias: Option<String>,
}

impl Imported {
    pub(crate) fn from(module: impl Into<String>, name: impl Into<String>) -> Self {
        Imported { module: module.into(), name: Some(name.into()), alias: None }
    }

    pub(crate) fn module(module: impl Into<String>) -> Self {
        Imported { module: module.into(), name: None, alias: None }
    }

    /// An alias that is the name itself is none.
    pub(crate) fn named(mut self, local: &str) -> Self {
        let own = self.name.as_deref().unwrap_or(&self.module);
        self.alias = (own != local).then(|| local.to_owned());
        self
    }

    /// Bound as another import is, which may repeat the name on purpose: `x as x` says that others may take it from here.
    pub(crate) fn bound_as(self, other: &Imported) -> Self {
        let is_repeated = other.alias.is_some() && other.alias == other.name;
        let new = self.named(other.local());
        let alias = new.alias.or_else(|| other.alias.clone().filter(|_| is_repeated));
        Imported { alias, ..new }
    }

    /// The name that a statement of a file brings in.
    pub(crate) fn of(import: &Import, name: usize) -> Self {
        let imported = &import.names[name];
        Imported {
            module: import.specifier(name),
            name: import.is_from.then(|| imported.name.clone()),
            alias: imported.alias.as_ref().map(|(alias, _)| alias.clone()),
        }
    }

    pub(crate) fn local(&self) -> &str {
        let own = self.name.as_deref().unwrap_or(&self.module);
        match &self.alias {
            Some(alias) => alias,
            None if self.name.is_some() => own,
            None => own.split('.').next().unwrap_or(own),
        }
    }

    /// `c as d`.
    fn item(&self) -> String {
        let own = self.name.as_deref().unwrap_or(&self.module);
        self.alias.as_ref().map_or_else(|| own.to_owned(), |alias| format!("{own} as {alias}"))
    }

    /// The statement, on one line.
    pub(crate) fn statement(&self) -> String {
        match self.name {
            Some(_) => format!("from {} import {}", self.module, self.item()),
            None => format!("import {}", self.item()),
        }
    }
}

/// Where a new import stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Top,
    /// Below `if TYPE_CHECKING:`, which is written if there is none.
    TypeChecking,
}

impl Section {
    fn place(self) -> ImportPlace {
        match self {
            Section::Top => ImportPlace::Top,
            Section::TypeChecking => ImportPlace::TypeChecking,
        }
    }
}

/// The imports of one file.
pub(crate) struct ImportEditor<'f> {
    files: &'f dyn Files,
    source: Source,
    limit: usize,
    failure: Option<Refusal>,
}

impl<'f> ImportEditor<'f> {
    /// Fails for a text with syntax errors.
    pub(crate) fn new(files: &'f dyn Files, path: &str, text: Arc<str>) -> Result<Self, Refusal> {
        let limit = line_limit(files, &text);
        let source = Source::parse(path, text).map_err(|error| {
            Refusal::new(format!("{path} has a syntax error in {error}"), "fix it first")
        })?;
        Ok(ImportEditor { files, source, limit, failure: None })
    }

    /// As it is after the steps so far.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The index of the statement and of the name in it that binds `local` at the top level.
    pub(crate) fn find(&self, imported: &Imported, place: ImportPlace) -> Option<(usize, usize)> {
        let imports = self.source.imports().iter().enumerate();
        let mut all = imports.filter(|(_, import)| import.place == place);
        all.find_map(|(index, import)| {
            let mut names = 0..import.names.len();
            names.find(|name| Imported::of(import, *name) == *imported).map(|name| (index, name))
        })
    }

    /// Does nothing if the file has the import there already.
    pub(crate) fn add(&mut self, imported: &Imported, section: Section) {
        self.add_near(imported, section, None, "");
    }

    fn add_near(
        &mut self,
        imported: &Imported,
        section: Section,
        near: Option<rb_python::TextRange>,
        comment: &str,
    ) {
        let is_there = |place| self.find(imported, place).is_some();
        if is_there(ImportPlace::Top) || is_there(section.place()) {
            return;
        }
        // What is needed at run time is no longer for type checkers alone.
        if let Some((import, name)) = self.find(imported, ImportPlace::TypeChecking) {
            self.remove(import, name);
        }
        if section == Section::TypeChecking && self.type_checking().is_none() {
            self.open_type_checking(imported);
            return;
        }
        if let Some(edit) = self.joined(imported, section.place()) {
            self.step(edit);
            return;
        }
        let within = self.type_checking().filter(|_| section == Section::TypeChecking);
        let candidate = Candidate {
            is_from: imported.name.is_some(),
            module: &imported.module,
            name: imported.name.as_deref().unwrap_or(""),
            near,
        };
        let spot =
            spot(self.files, &self.source, &candidate, within.map(|guard| guard.body.as_slice()));
        let indent =
            within.map_or(String::new(), |guard| statement::indent_of(&self.source, &guard.body));
        let line = format!("{indent}{}{comment}", imported.statement());
        self.step(statement::line_at(&self.source, spot, &line));
    }

    /// As a further name of a statement that imports from the same module.
    fn joined(&self, imported: &Imported, place: ImportPlace) -> Option<Edit> {
        let name = imported.name.as_ref()?;
        if statement::is_one_name_each(&self.source) {
            return None;
        }
        let has_alias = |import: &Import| import.names.iter().any(|name| name.alias.is_some());
        let is_fit = |import: &&Import| {
            let is_same =
                import.is_from && import.place == place && import.specifier(0) == imported.module;
            let takes_alias = imported.alias.is_some() || has_alias(import);
            let is_star = import.names.iter().any(|name| name.name == "*");
            is_same && !is_star && (!takes_alias || statement::combines_aliases(&self.source))
        };
        let import = self.source.imports().iter().find(is_fit)?;
        let order = NameOrder::of_import(&self.source, import);
        let position = order.position(&names::names(import), name);
        let mut items: Vec<Item> = (0..import.names.len()).map(Item::Kept).collect();
        items.insert(position, Item::New(imported.item()));
        Some(relist(&self.source, import, &items, self.limit))
    }

    /// Removes one name, and the statement with its last.
    pub(crate) fn remove(&mut self, import: usize, name: usize) {
        let Some(statement) = self.source.imports().get(import) else { return };
        let edits = if statement.names.len() > 1 {
            let kept = (0..statement.names.len()).filter(|index| *index != name).map(Item::Kept);
            vec![self.relisted(statement, &kept.collect::<Vec<_>>())]
        } else {
            statement::removed(&self.source, statement)
        };
        self.steps(&edits);
    }

    /// A further import behind a statement, as far indented.
    pub(crate) fn add_beside(&mut self, import: usize, imported: &Imported) {
        let Some(statement) = self.source.imports().get(import) else { return };
        let edit = statement::beside(&self.source, statement, imported);
        self.step(edit);
    }

    /// A step could not be made; `finish` says why.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    fn relisted(&self, import: &Import, items: &[Item]) -> Edit {
        if import.is_from {
            return relist(&self.source, import, items, self.limit);
        }
        let name = |item: &Item| match item {
            Item::Kept(index) => self.source.slice(import.names[*index].range).to_owned(),
            Item::New(text) => text.clone(),
        };
        let names: Vec<String> = items.iter().map(name).collect();
        let (start, end) = (import.range.start().to_u32(), import.range.end().to_u32());
        Edit::replace(start, end, format!("import {}", names.join(", ")))
    }

    /// Another module, name or alias for one name, at the same place in the program.
    pub(crate) fn replace(&mut self, import: usize, name: usize, imported: &Imported) {
        let Some(statement) = self.source.imports().get(import).cloned() else { return };
        if Imported::of(&statement, name) == *imported {
            return;
        }
        let section = match statement.place {
            ImportPlace::Top => Some(Section::Top),
            ImportPlace::TypeChecking => Some(Section::TypeChecking),
            ImportPlace::Conditional | ImportPlace::Local => None,
        };
        let same_module = statement.is_from && imported.module == statement.specifier(name);
        if same_module && imported.name.is_some() {
            self.rename_item(&statement, name, imported);
            return;
        }
        let Some(section) = section else {
            self.steps(&statement::replaced_here(&self.source, &statement, name, imported));
            return;
        };
        let comment = statement::comment_behind(&self.source, &statement);
        let is_alone = statement.names.len() == 1;
        let near = (!is_alone).then_some(statement.range);
        if is_alone && self.replaces_in_place(&statement, imported, section) {
            let (start, end) = (statement.range.start().to_u32(), statement.range.end().to_u32());
            self.step(Edit::replace(start, end, imported.statement()));
            return;
        }
        let is_kept = is_alone || statement::is_for_linters(&comment);
        self.add_near(imported, section, near, if is_kept { &comment } else { "" });
        let old = Imported::of(&statement, name);
        if let Some((import, name)) = self.find(&old, statement.place) {
            self.remove(import, name);
        }
    }

    /// Another module for a whole `from` statement. False if another statement takes the names in, or one of the steps failed.
    pub(crate) fn replace_module(&mut self, import: usize, module: &str) -> bool {
        let Some(statement) = self.source.imports().get(import).cloned() else { return false };
        let same_place = |other: &&Import| other.is_from && other.place == statement.place;
        let is_joined = self
            .source
            .imports()
            .iter()
            .filter(same_place)
            .any(|other| other.specifier(0) == module);
        let old = statement.specifier(0);
        let text = self.source.slice(statement.range);
        let Some(at) = text.find(&old).filter(|_| statement.is_from && !is_joined) else {
            return false;
        };
        let new = format!("{}{module}{}", &text[..at], &text[at + old.len()..]);
        let edit = Edit::replace(
            statement.range.start().to_u32(),
            statement.range.end().to_u32(),
            new.clone(),
        );
        let is_movable = statement.place == ImportPlace::Top;
        if is_movable && self.is_disturbed_by(&edit) {
            let line = format!("{new}{}", statement::comment_behind(&self.source, &statement));
            let removed = statement::removed(&self.source, &statement);
            self.steps(&removed);
            let candidate =
                Candidate { is_from: true, module, name: &statement.names[0].name, near: None };
            let spot = spot(self.files, &self.source, &candidate, None);
            self.step(statement::line_at(&self.source, spot, &line));
        } else {
            self.step(edit);
        }
        !self.has_failed()
    }

    fn is_disturbed_by(&self, edit: &Edit) -> bool {
        let text = rb_core::edit::apply(self.source.text(), std::slice::from_ref(edit)).ok();
        let after = text.and_then(|text| Source::parse(self.source.path(), text.into()).ok());
        after.is_none_or(|after| order::is_disturbed(self.files, &self.source, &after))
    }

    /// `a` becomes `b`, or `b as a`, within its statement.
    fn rename_item(&mut self, statement: &Import, name: usize, imported: &Imported) {
        let kept: Vec<usize> = (0..statement.names.len()).filter(|index| *index != name).collect();
        let mut items: Vec<Item> = kept.iter().map(|index| Item::Kept(*index)).collect();
        let others: Vec<&str> = kept.iter().map(|at| statement.names[*at].name.as_str()).collect();
        let order = NameOrder::of_import(&self.source, statement);
        let new = imported.name.as_deref().unwrap_or_default();
        let position = match order {
            NameOrder::Unsorted => name,
            _ => order.position(&others, new),
        };
        items.insert(position.min(items.len()), Item::New(imported.item()));
        let edit = relist(&self.source, statement, &items, self.limit);
        self.step(edit);
    }

    /// Does the statement stay where it is? Not if another takes the name in, or the order of the file asks for another place.
    fn replaces_in_place(&self, statement: &Import, imported: &Imported, section: Section) -> bool {
        if self.joined(imported, section.place()).is_some() {
            return false;
        }
        let (start, end) = (statement.range.start().to_u32(), statement.range.end().to_u32());
        !self.is_disturbed_by(&Edit::replace(start, end, imported.statement()))
    }

    fn type_checking(&self) -> Option<&StmtIf> {
        self.source.body().iter().find_map(|statement| match statement {
            Stmt::If(guard) if statement::is_type_checking(&guard.test) => Some(guard),
            _ => None,
        })
    }

    /// Writes `if TYPE_CHECKING:` behind the imports, with a first import in it.
    fn open_type_checking(&mut self, imported: &Imported) {
        let test = statement::type_checking_name(&self.source).unwrap_or_else(|| {
            self.add(&Imported::from("typing", "TYPE_CHECKING"), Section::Top);
            "TYPE_CHECKING".to_owned()
        });
        let top = self.source.imports().iter().rev().filter(|i| i.place == ImportPlace::Top);
        let first_definition = statement::first_definition(&self.source);
        let mut above = top.filter(|import| import.range.start() < first_definition);
        let Some(last) = above.next() else { return };
        let source_text: &str = self.source.text();
        let at = line_end(source_text, last.range.end().to_usize());
        let newline = newline(source_text);
        let open = if source_text[..at].ends_with('\n') { "" } else { newline };
        let block =
            format!("{open}{newline}if {test}:{newline}    {}{newline}", imported.statement());
        self.step(Edit::insert(offset(at), block));
    }

    fn step(&mut self, edit: Edit) {
        self.steps(&[edit]);
    }

    fn steps(&mut self, edits: &[Edit]) {
        let path = self.source.path().to_owned();
        let text =
            rb_core::edit::apply(self.source.text(), edits).map_err(|error| error.to_string());
        let source = text
            .and_then(|text| Source::parse(&path, text.into()).map_err(|error| error.to_string()));
        match source {
            Ok(source) => self.source = source,
            Err(error) => {
                let reason = format!("the imports of {path} could not be changed: {error}");
                self.failure
                    .get_or_insert(Refusal::new(reason, "change the imports by hand first"));
            }
        }
    }

    /// The text after all steps.
    pub(crate) fn finish(self) -> Result<Arc<str>, Refusal> {
        match self.failure {
            Some(refusal) => Err(refusal),
            None => Ok(Arc::clone(self.source.text())),
        }
    }
}

#[cfg(test)]
mod tests;
